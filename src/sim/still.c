// still.c: which contacts stick, and how still they are.
//
// A contact sticks if the impulse that friction acts on (of laws with adhesion: without what the bond carries) is
// inside of its cone. Then the law asks for no velocity at all, neither along the surface nor away from it; what is
// left there is the solver's, and is called creep. (Away from it too: such velocities change their sign from step to
// step, and shake what stands on the contacts, a soft block above all.) So it is where a contact is on its cone and
// moves the way that friction pushes it: friction only holds back. A residual that is small beside the fastest contacts
// of a step may still be much for those at rest: so creep has a tolerance of its own.
#include <math.h>

#include "contact/law.h"
#include "math/vec3.h"
#include "sim/sim.h"

static const double INSIDE = 1 - 1e-6; // of the cone's width: beyond, it is on the cone but for rounding

// State, tangential speed [m/s], and creep. An impulse whose own effect is below what the solver left is
// none.
static plait_contact_state state_of(const plait_work *w, const plait_laws *laws, int i, double *speed, double *creep)
{
    const double *r = w->solution->r + 3 * (size_t)i, *u = w->solution->u + 3 * (size_t)i;
    plait_law_cone cone;
    double rho[3];
    *speed = hypot(u[1], u[2]), *creep = 0;
    if (!plait_law_get_cone(laws, i, &cone))
        return r[0] == 0 && r[1] == 0 && r[2] == 0 ? PLAIT_CONTACT_OPEN : PLAIT_CONTACT_SLIDES;
    for (int k = 0; k < 3; k++)
        rho[k] = r[k] + cone.K[k] * u[k] + cone.c[k];
    if (!(rho[0] > 0 && rho[0] * w->problem->trace[i] / 3 > w->noise))
        return PLAIT_CONTACT_OPEN;
    bool sticks = hypot(rho[1], rho[2]) < INSIDE * cone.mu * rho[0];
    *creep = sticks ? hypot(*speed, u[0]) : u[1] * rho[1] + u[2] * rho[2] > 0 ? *speed : 0;
    return sticks ? PLAIT_CONTACT_STICKS : PLAIT_CONTACT_SLIDES;
}

plait_contact_state plait_sim_state_of(const plait_work *w, int i)
{
    double speed, creep;
    plait_laws laws = plait_problem_laws(w->problem);
    return state_of(w, &laws, i, &speed, &creep);
}

double plait_sim_creep(const plait_work *w, double *fastest)
{
    double speed, mine, creep = 0;
    plait_laws laws = plait_problem_laws(w->problem);
    *fastest = 0;
    for (int i = 0; i < w->problem->n; i++) {
        plait_contact_state state = state_of(w, &laws, i, &speed, &mine);
        // How fast it opens or closes, without the gap that it may close.
        double along = fabs(w->solution->u[3 * (size_t)i] - w->gap_term[i]);
        *fastest = fmax(*fastest, state == PLAIT_CONTACT_OPEN ? 0 : fmax(speed, along));
        creep = fmax(creep, mine);
    }
    return creep;
}

bool plait_sim_unrest(const plait_model *m, plait_work *w, plait_attempt *a, double *unrest)
{
    *unrest = 0;
    if (!plait_sim_gather_v(m, w, a))
        return false;
    for (int b = 0; b < m->bodies; b++)
        if (w->body_dof[b] >= 0 && m->body[b].type->velocities)
            m->body[b].type->velocities(&m->body[b], m->body[b].u0);
    for (int i = 0; i < w->touches.count; i++)
        for (int k = 0; k < 2; k++) {
            const plait_side *side = &w->touches.touch[i].side[k];
            int b = plait_sim_mover(m, side);
            double before[3], after[3];
            if (b < 0)
                continue;
            m->body[b].type->point_velocity(&m->body[b], side, NULL, before);
            m->body[b].type->point_velocity(&m->body[b], side, w->v + m->first_dof[b], after);
            plait_vec3_sub(after, before, after);
            *unrest = fmax(*unrest, plait_vec3_norm(after));
        }
    return true;
}

void plait_sim_count_states(plait_work *w)
{
    plait_sim_report *r = &w->report;
    r->sticking = r->sliding = 0, r->creep = 0;
    if (!w->problem)
        return;
    plait_laws laws = plait_problem_laws(w->problem);
    for (int i = 0; i < w->problem->n; i++) {
        double speed, mine;
        plait_contact_state state = state_of(w, &laws, i, &speed, &mine);
        r->sticking += state == PLAIT_CONTACT_STICKS, r->sliding += state == PLAIT_CONTACT_SLIDES;
        r->creep = fmax(r->creep, mine);
    }
}
