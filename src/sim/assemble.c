// assemble.c: from contacts to the one-step problem, and where its solution may begin.
//
// Only bodies in contact take part; the others keep their unconstrained velocity.
#include <stdlib.h>
#include <string.h>

#include "contact/compliance.h"
#include "math/vec3.h"
#include "sim/bonds.h"
#include "sim/cell.h"
#include "sim/limbs.h"

bool plait_sim_contact_room(plait_work *w, int n)
{
    if (n <= w->contact_room)
        return true;
    int room = n + n / 2 + 64;
    double *frame = realloc(w->frame, 9 * (size_t)room * sizeof *frame);
    w->frame = frame ? frame : w->frame;
    double *gap = realloc(w->gap_term, (size_t)room * sizeof *gap);
    w->gap_term = gap ? gap : w->gap_term;
    unsigned char *law = realloc(w->law, (size_t)room * sizeof *law);
    w->law = law ? law : w->law;
    double *number = realloc(w->law_number, PLAIT_LAW_NUMBERS * (size_t)room * sizeof *number);
    w->law_number = number ? number : w->law_number;
    if (!frame || !gap || !law || !number)
        return false;
    w->contact_room = room;
    return true;
}

int plait_sim_number_dofs(const plait_model *m, plait_work *w)
{
    int dofs = 0, place = 0, from;
    for (int b = 0; b < m->bodies; b++)
        w->body_dof[b] = -1;
    for (int i = 0; i < w->touches.count; i++) {
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &w->touches.touch[i].side[k]);
            if (b >= 0)
                w->body_dof[b] = 0;
        }
        if (plait_sim_cell_of(m, &w->touches.touch[i]) >= 0)
            w->body_dof[m->cell] = 0;
    }
    for (int b = 0; b < m->bodies; b++)
        if (w->body_dof[b] >= 0) {
            w->body_dof[b] = dofs, w->body_place[b] = place++;
            dofs += plait_sim_free_dofs(&m->body[b], &from);
        }
    return dofs;
}

plait_dynamics *plait_sim_dynamics(const plait_model *m, plait_work *w, double dt, plait_bands *bands,
                                   plait_limbs *limbs, double *mu)
{
    int n = w->touches.count, dofs = plait_sim_number_dofs(m, w);
    plait_dynamics *y = plait_calloc(1, sizeof *y);
    bool ok = y && mu;
    if (ok) {
        y->dofs = dofs;
        y->f = plait_malloc(((size_t)dofs + 1) * sizeof *y->f);
        y->w = plait_malloc((3 * (size_t)n + 1) * sizeof *y->w);
        ok = y->f && y->w && plait_sim_contact_room(w, n) && plait_sim_bands(m, w, bands, y->f) &&
             plait_sim_limbs(m, w, dt, 0, limbs, y->w, mu);
    }
    if (ok)
        return y;
    plait_dynamics_free(y), plait_bands_free(bands), plait_limbs_free(limbs);
    return NULL;
}

// A problem that can be changed in place: nobody has asked for all of W, M or H.
static bool changeable(const plait_problem *p)
{
    return p && !p->W && p->compliance->bands.bodies && !p->dynamics->M.ptr && !p->dynamics->H.ptr;
}

// Contacts are those of before, only marked bodies were linearised again. False: it takes more than that, or there is
// no memory (*status).
static bool update_problem(const plait_model *m, plait_work *w, plait_status *status)
{
    plait_problem *p = w->problem;
    if (!changeable(p) || p->n != w->touches.count)
        return false;
    plait_bands *bands = &p->compliance->bands;
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    unsigned char *changed = plait_arena_zeros(&w->arena, (size_t)bands->bodies + 1, 1);
    bool ok = changed != NULL;
    *status = ok ? PLAIT_OK : PLAIT_NO_MEMORY;
    for (int b = 0; ok && b < m->bodies; b++)
        if (w->body_dof[b] >= 0 && w->mark[b].again) {
            ok = !m->body[b].curved; // H and w are others too
            plait_sim_fill_band(m, w, b, bands, p->dynamics->f);
            changed[w->body_place[b]] = 1;
        }
    if (ok)
        *status = plait_problem_update(p, changed, NULL);
    plait_arena_release(&w->arena, mark);
    return ok && *status == PLAIT_OK;
}

// Whether the touches from `known` on concern no body that takes no part yet.
static bool same_bodies(const plait_model *m, const plait_work *w, int known)
{
    for (int i = known; i < w->touches.count; i++) {
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &w->touches.touch[i].side[k]);
            if (b >= 0 && w->body_dof[b] < 0)
                return false;
        }
        if (plait_sim_cell_of(m, &w->touches.touch[i]) >= 0 && w->body_dof[m->cell] < 0)
            return false;
    }
    return true;
}

// Bodies and their M are those of before, contacts were added: only these are new. mu: of all, to be filled in;
// *asked: what the program says of it is friction. False without memory, or if b is not finite.
static bool add_contacts(const plait_model *m, plait_work *w, double dt, double *mu, bool *asked, plait_error *why)
{
    plait_problem *p = w->problem;
    int known = p->n, n = w->touches.count;
    plait_limbs limbs = {0};
    double *fresh = plait_malloc((3 * (size_t)n + 1) * sizeof *fresh);
    bool ok = fresh && mu && plait_sim_contact_room(w, n);
    if (ok) {
        memcpy(mu, p->mu, (size_t)known * sizeof *mu);
        memcpy(fresh, p->dynamics->w, 3 * (size_t)known * sizeof *fresh);
        ok = plait_sim_limbs(m, w, dt, known, &limbs, fresh, mu);
    }
    *asked = !ok || plait_sim_ask_friction(m, w, mu);
    if (ok)
        return plait_problem_extend(p, n, &limbs, fresh, mu, why) == PLAIT_OK;
    plait_free(fresh);
    plait_error_set(why, PLAIT_NO_MEMORY, "no memory for %d contacts", n);
    return false;
}

static void warm_start(const plait_state *s, const plait_work *w, int i, double dt, double *r)
{
    const plait_touch *t = &w->touches.touch[i];
    double last = s->value[PLAIT_AT_DT_LAST];
    r[0] = r[1] = r[2] = 0;
    if (t->last < 0 || last <= 0)
        return;
    const double *impulse = plait_bonds_get(&w->bonds, t->last)->impulse, *E = w->frame + 9 * (size_t)i;
    for (int k = 0; k < 3; k++)
        r[k] = dt / last * plait_vec3_dot(E + 3 * k, impulse);
}

// False without memory.
static bool new_problem(const plait_model *m, plait_work *w, double dt, double *mu, bool *asked, plait_error *why)
{
    plait_bands bands = {0};
    plait_limbs limbs = {0};
    plait_problem_free(w->problem);
    plait_dynamics *y = plait_sim_dynamics(m, w, dt, &bands, &limbs, mu);
    *asked = !y || plait_sim_ask_friction(m, w, mu);
    w->problem = y ? plait_problem_of(3, w->touches.count, y, &bands, &limbs, mu, w->team, why) : NULL;
    return y && why->status != PLAIT_NO_MEMORY;
}

static bool build_problem(const plait_model *m, const plait_state *s, plait_work *w, plait_attempt *a)
{
    int n = w->touches.count;
    plait_solution *before = a->known > 0 ? w->solution : NULL;
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    plait_error why = {0};
    bool asked, room,
        grows = a->stand == PLAIT_STAND_CAUGHT && changeable(w->problem) && w->problem->n == a->known &&
                same_bodies(m, w, a->known);
    double *mu = plait_arena_alloc(&w->arena, (size_t)n + 1, sizeof *mu);
    if (grows && !add_contacts(m, w, a->dt, mu, &asked, &why)) {
        plait_problem_free(w->problem), w->problem = NULL;
        room = why.status != PLAIT_NO_MEMORY;
    } else {
        room = grows || new_problem(m, w, a->dt, mu, &asked, &why);
    }
    w->solution = plait_solution_new(n);
    plait_arena_release(&w->arena, mark);
    room = room && w->solution;
    if (room && asked && w->problem)
        room = plait_sim_set_laws(m, s, w, a->dt);
    for (int i = 0; room && i < n; i++)
        warm_start(s, w, i, a->dt, w->solution->r + 3 * (size_t)i);
    if (room && before) // frames are those of before too
        memcpy(w->solution->r, before->r, 3 * (size_t)a->known * sizeof *before->r);
    plait_solution_free(before);
    if (!room)
        return plait_sim_no_memory(w, a);
    if (!asked)
        a->status = plait_sim_refuse_hook(a);
    if (!asked)
        return false;
    // Not positive definite, or not finite: a smaller step may be better.
    return w->problem || plait_sim_reject(w, "the one-step problem could not be built");
}

bool plait_sim_assemble(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    plait_status status = PLAIT_OK;
    if (a->stand == PLAIT_STAND_ROUGH || (a->stand == PLAIT_STAND_RELINEARISED && update_problem(m, w, &status)))
        return true;
    if (status == PLAIT_NO_MEMORY)
        return plait_sim_no_memory(w, a);
    w->contacts_shown = false;
    if (a->known == 0 || w->touches.count == 0)
        plait_solution_free(w->solution), w->solution = NULL;
    if (w->touches.count > 0)
        return build_problem(m, s, w, a);
    plait_problem_free(w->problem), w->problem = NULL;
    for (int b = 0; b < m->bodies; b++)
        w->body_dof[b] = -1;
    return true;
}
