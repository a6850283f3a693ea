// state.c: the state as one block of numbers: head, bodies, contacts of the last step.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "sim/bonds.h"

enum { PER_SIDE = 11, PER_CONTACT = 2 * PER_SIDE + 3 + 1 + 2 + 1 + PLAIT_BOND_PLAIN };
enum { PER_BOND = PLAIT_BOND_SIZE - PLAIT_BOND_PLAIN }; // more, where a law has it

// Bodies are told where their state is.
static void bind(plait_state *s, const plait_model *m)
{
    double *p = s->value + PLAIT_STATE_HEAD;
    for (int b = 0; b < m->bodies; p += m->body[b++].state_size) {
        m->body[b].state = p;
        if (m->body[b].type->bind)
            m->body[b].type->bind(&m->body[b]);
    }
}

bool plait_state_allocate(plait_state *s, const plait_model *m, int64_t more)
{
    int chains = 0, others = 0;
    s->contacts = PLAIT_STATE_HEAD;
    for (int b = 0; b < m->bodies; b++) {
        s->contacts += m->body[b].state_size;
        chains += m->body[b].nodes > 0, others += m->body[b].nodes == 0 && m->body[b].dofs > 0;
    }
    s->size = s->contacts, s->room = s->contacts + more;
    s->value = calloc((size_t)s->room, sizeof *s->value);
    if (!s->value)
        return false;
    double *p = s->value + PLAIT_STATE_HEAD;
    for (int b = 0; b < m->bodies; p += m->body[b++].state_size)
        if (m->body[b].state_size > 0) // colliders have none
            memcpy(p, m->body[b].state, (size_t)m->body[b].state_size * sizeof *p);
    bind(s, m);
    s->value[PLAIT_AT_CHAINS] = chains, s->value[PLAIT_AT_OTHERS] = others;
    return true;
}

// Room for contacts; bodies move if the block does.
static bool contact_room(plait_state *s, const plait_model *m, int count, int bonded)
{
    int64_t size = s->contacts + PER_CONTACT * (int64_t)count + PER_BOND * (int64_t)bonded;
    if (size > s->room) {
        int64_t room = size + (size - s->contacts) / 2; // the bodies' part does not grow
        double *value = realloc(s->value, (size_t)room * sizeof *value);
        if (!value)
            return false;
        s->value = value, s->room = room;
        bind(s, m);
    }
    return true;
}

static bool touch_room(plait_touches *t, int count)
{
    if (count <= t->room)
        return true;
    plait_touch *touch = realloc(t->touch, (size_t)count * sizeof *touch);
    if (touch)
        t->touch = touch, t->room = count;
    return touch != NULL;
}

void plait_state_save(const plait_model *m, const plait_state *s, plait_work *w)
{
    size_t size = (size_t)(s->contacts - PLAIT_STATE_HEAD) * sizeof *w->saved;
    memcpy(w->saved, s->value + PLAIT_STATE_HEAD, size);
    if (m->bounces)
        memcpy(w->unstruck, w->saved, size);
}

void plait_state_restore(const plait_model *m, plait_state *s, plait_work *w)
{
    size_t size = (size_t)(s->contacts - PLAIT_STATE_HEAD) * sizeof *w->saved;
    if (m->bounces)
        memcpy(w->saved, w->unstruck, size);
    memcpy(s->value + PLAIT_STATE_HEAD, w->saved, size);
    plait_sim_rewind(m);
}

// ---- contacts -------------------------------------------------------------------------------------------------------

static double *put(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
    return to + count;
}

static double *put_side(double *p, const plait_side *s)
{
    *p++ = s->on_shape + 2 * s->on_skin, *p++ = s->index, *p++ = s->segment, *p++ = s->a;
    *p++ = s->on_shape || s->on_skin ? s->b : s->image; // a place along a chain has no second number
    p = put(p, s->point, 3);
    return put(p, s->move, 3);
}

bool plait_state_write_contacts(plait_state *s, const plait_model *m, const plait_work *w)
{
    int count = w->previous.count, bonded = 0;
    for (int i = 0; i < count; i++)
        bonded += plait_bonds_get(&w->bonds, i)->law != PLAIT_LAW_COULOMB;
    if (!contact_room(s, m, count, bonded))
        return false;
    double *p = s->value + s->contacts;
    for (int i = 0; i < count; i++) {
        const plait_touch *t = &w->previous.touch[i];
        const plait_bond *bond = plait_bonds_get(&w->bonds, i);
        p = put_side(p, &t->side[0]), p = put_side(p, &t->side[1]);
        p = put(p, t->normal, 3), *p++ = t->gap, p = put(p, t->arc, 2), *p++ = t->swept;
        p = put(p, (const double *)bond, bond->law != PLAIT_LAW_COULOMB ? PLAIT_BOND_SIZE : PLAIT_BOND_PLAIN);
    }
    s->size = p - s->value;
    s->value[PLAIT_AT_CONTACTS] = count, s->value[PLAIT_AT_BONDED] = bonded;
    return true;
}

bool plait_state_remember(plait_state *s, const plait_model *m, plait_work *w, double dt)
{
    if (!plait_sim_evolve_bonds(m, s, w, dt))
        return false;
    plait_touches touches = w->previous; // the lists change places, so that no memory is copied
    plait_bonds bonds = w->bonds;
    w->previous = w->touches, w->touches = touches;
    w->bonds = w->bonds_next, w->bonds_next = bonds;
    if (!plait_state_write_contacts(s, m, w)) { // as before
        w->touches = w->previous, w->previous = touches;
        w->bonds_next = w->bonds, w->bonds = bonds;
        return false;
    }
    s->value[PLAIT_AT_DT_LAST] = dt;
    w->contacts_shown = true;
    return true;
}

static const double *get(double *to, const double *from, int count)
{
    memcpy(to, from, (size_t)count * sizeof *to);
    return from + count;
}

static const double *get_side(const plait_model *m, plait_side *s, const double *p, bool *ok)
{
    for (int k = 0; k < 3; k++)
        *ok &= p[k] >= 0 && p[k] < 1e9 && p[k] == floor(p[k]);
    if (!*ok)
        return p + PER_SIDE;
    s->on_shape = p[0] == 1, s->on_skin = p[0] == 2, s->index = (int)p[1], s->segment = (int)p[2], s->a = p[3];
    s->b = p[4];
    *ok &= p[0] < 3 && s->index < (s->on_shape ? m->shapes : s->on_skin ? m->skins : m->chains);
    if (*ok && s->on_skin)
        *ok =
            s->segment < m->body[m->skin_body[s->index]].skin->triangles && s->a >= 0 && s->b >= 0 && s->a + s->b <= 1;
    else if (*ok && !s->on_shape)
        *ok = s->segment < m->chain[s->index].nodes - 1 && fabs(p[4]) < 1e9 && p[4] == floor(p[4]);
    if (*ok && !s->on_shape && !s->on_skin)
        s->image = (int)p[4], s->b = 0;
    p = get(s->point, p + 5, 3);
    return get(s->move, p, 3);
}

// *bonded: how many more have a law of their own.
static const double *get_bond(plait_bond *bond, const double *p, int *bonded, bool *ok)
{
    *bond = (plait_bond){0};
    p = get((double *)bond, p, PLAIT_BOND_PLAIN);
    if (bond->law == PLAIT_LAW_COULOMB)
        return p;
    *ok = *ok && (*bonded)-- > 0 && bond->law > 0 && bond->law < PLAIT_LAW_ROWS && bond->law == floor(bond->law);
    if (!*ok)
        return p;
    p = get((double *)bond + PLAIT_BOND_PLAIN, p, PER_BOND);
    double beta = bond->number[PLAIT_BOND_BETA];
    *ok = bond->area >= 0 && (bond->law == PLAIT_LAW_TIE || (beta >= 0 && beta <= 1));
    return p;
}

// previous and bonds, which have room, <- the contacts behind p.
static bool get_contacts(const plait_model *m, plait_work *w, int count, int bonded, const double *p)
{
    bool ok = true;
    plait_bonds_cut(&w->bonds, 0);
    for (int i = 0; i < count && ok; i++) {
        plait_bond bond;
        plait_touch *t = &w->previous.touch[i];
        *t = (plait_touch){.last = -1};
        p = get_side(m, &t->side[0], p, &ok), p = get_side(m, &t->side[1], p, &ok);
        p = get(t->normal, p, 3), t->gap = *p++, p = get(t->arc, p, 2), t->swept = *p++ != 0;
        p = get_bond(&bond, p, &bonded, &ok);
        ok = ok && plait_bonds_append(&w->bonds, &bond);
        t->fixed = bond.law == PLAIT_LAW_TIE;
    }
    return ok && bonded == 0;
}

// ---- for everybody --------------------------------------------------------------------------------------------------

int64_t plait_sim_state_size(const plait_sim *sim)
{
    return sim->state.size;
}

void plait_sim_get_state(const plait_sim *sim, double *p)
{
    memcpy(p, sim->state.value, (size_t)sim->state.size * sizeof *p);
}

// A whole number from 0 to 2^53: what a double counts exactly.
static bool is_count(double x)
{
    return x >= 0 && x <= 9007199254740992.0 && x == floor(x);
}

// Whether time and time steps can be those of a simulation. NULL, or what is wrong.
static const char *check_head(const double *p, double start)
{
    double time = p[PLAIT_AT_TIME], dt = p[PLAIT_AT_DT_NEXT], last = p[PLAIT_AT_DT_LAST];
    double steps = p[PLAIT_AT_STEPS], calm = p[PLAIT_AT_CALM];
    if (!is_count(steps) || fabs(calm) > 1e9 || calm != floor(calm))
        return "its counts of steps are not whole numbers";
    if (!(dt > 0 && dt <= 1e9) || !(last >= 0 && last <= 1e9))
        return "its time steps are not positive";
    if (!(time >= start && time - start <= 1e9 * fmax(1, steps)) || (time > start) != (steps > 0))
        return "its time does not fit its number of steps";
    return NULL;
}

static const char *check_bodies(const plait_model *m, const double *p)
{
    const double *q = p + PLAIT_STATE_HEAD;
    const char *wrong = NULL;
    for (int b = 0; b < m->bodies && !wrong; q += m->body[b++].state_size)
        if (m->body[b].type->check)
            wrong = m->body[b].type->check(&m->body[b], q, p[PLAIT_AT_TIME]);
    return wrong;
}

static plait_status check(const plait_sim *sim, const double *p, int64_t size, plait_error *error)
{
    const plait_state *s = &sim->state;
    int chains = (int)s->value[PLAIT_AT_CHAINS], others = (int)s->value[PLAIT_AT_OTHERS];
    for (int64_t i = 0; i < size; i++)
        if (!isfinite(p[i]))
            return plait_error_set(error, PLAIT_BAD_INPUT, "number %lld of the state is not finite", (long long)i);
    if (size < s->contacts || !is_count(p[PLAIT_AT_CONTACTS]) || p[PLAIT_AT_CONTACTS] > 1e9 ||
        !is_count(p[PLAIT_AT_BONDED]) || p[PLAIT_AT_BONDED] > p[PLAIT_AT_CONTACTS] ||
        p[PLAIT_AT_CHAINS] != chains || p[PLAIT_AT_OTHERS] != others ||
        (double)(size - s->contacts) != PER_CONTACT * p[PLAIT_AT_CONTACTS] + PER_BOND * p[PLAIT_AT_BONDED])
        return plait_error_set(
            error, PLAIT_BAD_INPUT,
            "the state has %lld numbers: expected %lld for %d fibres, %d rigid bodies and its contacts",
            (long long)size, (long long)s->contacts, chains, others);
    const char *wrong = check_head(p, sim->model.scene->output.start);
    wrong = wrong ? wrong : check_bodies(&sim->model, p);
    return !wrong ? PLAIT_OK
                  : plait_error_set(error, PLAIT_BAD_INPUT, "the state of %g s, step %g, dt %g s: %s", p[PLAIT_AT_TIME],
                                    p[PLAIT_AT_STEPS], p[PLAIT_AT_DT_NEXT], wrong);
}

plait_status plait_sim_set_state(plait_sim *sim, const double *p, int64_t size, plait_error *error)
{
    plait_state *s = &sim->state;
    plait_work *w = &sim->work;
    plait_status status = check(sim, p, size, error);
    if (status != PLAIT_OK)
        return status;
    int count = (int)p[PLAIT_AT_CONTACTS], bonded = (int)p[PLAIT_AT_BONDED];
    if (!touch_room(&w->previous, count) || !plait_bonds_reserve(&w->bonds, count, bonded) ||
        !contact_room(s, &sim->model, count, bonded))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", count);
    bool ok = get_contacts(&sim->model, w, count, bonded, p + s->contacts);
    if (!ok) // back to what the state says
        count = (int)s->value[PLAIT_AT_CONTACTS], 
        get_contacts(&sim->model, w, count, (int)s->value[PLAIT_AT_BONDED], s->value + s->contacts);
    w->previous.count = count;
    if (!ok)
        return plait_error_set(error, PLAIT_BAD_INPUT, "the state names fibres or colliders that are not in the scene");
    memcpy(s->value, p, (size_t)size * sizeof *p);
    s->size = size;
    s->value[PLAIT_AT_DT_NEXT] = fmin(p[PLAIT_AT_DT_NEXT], sim->model.scene->stepping.dt);
    plait_problem_free(w->problem), plait_solution_free(w->solution);
    w->problem = NULL, w->solution = NULL;
    w->last_energy = NAN;
    w->contacts_shown = false; // contacts are shown again after the next step
    plait_sim_place(&sim->model, s, w, 0);
    return PLAIT_OK;
}
