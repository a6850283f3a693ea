// assemble.c: from contacts to the one-step problem, and where its solution may begin.
//
// Only bodies in contact take part; the others keep their unconstrained velocity.
#include <stdlib.h>
#include <string.h>

#include "contact/compliance.h"
#include "math/vec3.h"
#include "sim/bonds.h"
#include "sim/limbs.h"

static bool make_room(plait_work *w, int n)
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

// Numbers the dofs of the bodies that take part; returns how many there are.
static int number_dofs(const plait_model *m, plait_work *w)
{
    int dofs = 0, from;
    for (int b = 0; b < m->bodies; b++)
        w->body_dof[b] = -1;
    for (int i = 0; i < w->touches.count; i++)
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &w->touches.touch[i].side[k]);
            if (b >= 0)
                w->body_dof[b] = 0;
        }
    for (int b = 0; b < m->bodies; b++)
        if (w->body_dof[b] >= 0) {
            w->body_dof[b] = dofs;
            dofs += plait_sim_free_dofs(&m->body[b], &from);
        }
    return dofs;
}

plait_dynamics *plait_sim_dynamics(const plait_model *m, plait_work *w, double dt, plait_bands *bands, double *mu)
{
    int n = w->touches.count, dofs = number_dofs(m, w);
    plait_dynamics *y = plait_calloc(1, sizeof *y);
    bool ok = y && mu;
    if (ok) {
        y->dofs = dofs, y->H.cols = dofs;
        y->f = plait_malloc(((size_t)dofs + 1) * sizeof *y->f);
        y->w = plait_malloc((3 * (size_t)n + 1) * sizeof *y->w);
        ok = y->f && y->w && make_room(w, n) && plait_sim_bands(m, w, bands, y->f) &&
             plait_sim_limbs(m, w, dt, &y->H, y->w, mu);
    }
    if (ok)
        return y;
    plait_dynamics_free(y), plait_bands_free(bands);
    return NULL;
}

// Contacts are those of before, only marked bodies were linearised again. False: it takes more than that, or there is
// no memory (*status).
static bool update_problem(const plait_model *m, plait_work *w, plait_status *status)
{
    plait_problem *p = w->problem;
    if (!p || p->n != w->touches.count || p->W || !p->compliance->bands.bodies || p->dynamics->M.ptr)
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

static void warm_start(const plait_state *s, const plait_work *w, int i, double dt, double *r)
{
    const plait_touch *t = &w->touches.touch[i];
    double last = s->value[PLAIT_AT_DT_LAST];
    r[0] = r[1] = r[2] = 0;
    if (t->last < 0 || last <= 0)
        return;
    const double *impulse = w->bonds.bond[t->last].impulse, *E = w->frame + 9 * (size_t)i;
    for (int k = 0; k < 3; k++)
        r[k] = dt / last * plait_vec3_dot(E + 3 * k, impulse);
}

static bool build_problem(const plait_model *m, const plait_state *s, plait_work *w, plait_attempt *a)
{
    int n = w->touches.count;
    plait_solution *before = a->known > 0 ? w->solution : NULL;
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    plait_error why = {0};
    plait_bands bands = {0};
    double *mu = plait_arena_alloc(&w->arena, (size_t)n + 1, sizeof *mu);
    plait_dynamics *y = plait_sim_dynamics(m, w, a->dt, &bands, mu);
    bool asked = !y || plait_sim_ask_friction(m, w, mu);
    w->problem = y ? plait_problem_of(3, n, y, &bands, mu, w->threads, &why) : NULL;
    w->solution = plait_solution_new(n);
    plait_arena_release(&w->arena, mark);
    bool room = y && w->solution && why.status != PLAIT_NO_MEMORY;
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
        a->status = plait_error_set(a->error, PLAIT_BAD_INPUT, "the program's hook gave a friction that is none");
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
    plait_problem_free(w->problem);
    w->problem = NULL;
    w->contacts_shown = false;
    if (w->touches.count > 0 && a->known > 0)
        return build_problem(m, s, w, a);
    plait_solution_free(w->solution);
    w->solution = NULL;
    if (w->touches.count > 0)
        return build_problem(m, s, w, a);
    for (int b = 0; b < m->bodies; b++)
        w->body_dof[b] = -1;
    return true;
}
