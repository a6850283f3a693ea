// bounce.c: impacts. What meets something fast, at a contact with restitution e, leaves it with e times the speed.
//
// A bounce that is imposed on the end of a step gains energy: the step's elastic and external forces act along. So it
// is an event of its own, at the start of the step and without a displacement,
//
//     M v+ = m v- + H^T r,     0 <= r_N  perpendicular to  u+_N + e u*_N >= 0,     r_T by Coulomb's law for u+_T
//
// with u* = H v* + w, M v* = m v-: what the contact would do without impulses. M = m + dt C + dt^2 K: what is hit takes
// along what is tied to it. Then the step begins with v+, and e = 0. From M >= m,
//
//     |v+|_m^2 <= |v+|_M^2 = |v*|_M^2 + r . (u+ + u*) <= |v-|_m^2 + r . (u+ + u*)
//
// (colliders that move do the work r . w beside). Along normals r . (u+ + u*) = (1 - e) r_N u*_N <= 0, but friction and
// several contacts at once can make the sum positive: then e is halved, for all, until it is not. With e = 0 it never
// is.
#include <math.h>
#include <string.h>

#include "contact/compliance.h"
#include "math/vec3.h"
#include "sim/bonds.h"
#include "sim/cell.h"
#include "sim/limbs.h"

enum { HALVINGS = 6 };
static const double RESTS = 1e-3; // of the proximity: a contact that goes no farther in a step

double plait_sim_parting(const plait_model *m, const plait_touch *t, const double *v)
{
    double sum = 0;
    for (int k = 0; k < 2; k++) {
        int b = plait_sim_mover(m, &t->side[k]);
        double u[3] = {0};
        if (b >= 0)
            m->body[b].type->point_velocity(&m->body[b], &t->side[k], v ? v + m->first_dof[b] : NULL, u);
        sum += (k ? -1 : 1) * plait_vec3_dot(t->normal, u);
    }
    double copy[3];
    plait_sim_cell_velocity(m, t, v, copy);
    return sum - plait_vec3_dot(t->normal, copy);
}

void plait_sim_rewind(const plait_model *m)
{
    for (int b = 0; m->response.second_order && b < m->bodies; b++)
        if (m->body[b].type->rewind)
            m->body[b].type->rewind(&m->body[b]);
}

bool plait_sim_restart(const plait_model *m, const plait_work *w, double dt)
{
    bool any = false;
    for (int i = 0; i < w->touches.count; i++) {
        const plait_touch *t = &w->touches.touch[i];
        double u[2][3] = {{0}}, far = 0;
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &t->side[k]);
            if (b >= 0)
                m->body[b].type->point_velocity(&m->body[b], &t->side[k], NULL, u[k]);
        }
        for (int k = 0; k < 3; k++)
            far += pow(dt * (u[0][k] - u[1][k]) - t->side[1].move[k], 2);
        bool rests = t->last >= 0 && sqrt(far) < RESTS * m->proximity;
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &t->side[k]);
            if (b >= 0 && !m->body[b].restart && (!rests || m->body[b].type->alone_only))
                m->body[b].restart = any = true;
        }
    }
    return any;
}

// e of a contact that is about to be hit; 0: it is not, or slower than what gravity gives in two steps: it rests.
static double restitution_of(const plait_model *m, const plait_work *w, const plait_touch *t, double dt)
{
    double e;
    plait_sim_friction(m, w, t, &e);
    for (int k = 0; k < 2 && e > 0; k++) {
        int b = plait_sim_mover(m, &t->side[k]);
        if (b >= 0 && !m->body[b].type->strike)
            e = 0;
    }
    if (e == 0)
        return 0;
    double collider = plait_vec3_dot(t->normal, t->side[1].move) / dt;
    double old = plait_sim_parting(m, t, NULL) - collider, fresh = plait_sim_parting(m, t, w->v_free) - collider;
    return t->gap + dt * fresh > 0 || old > -2 * dt * plait_vec3_norm(m->scene->gravity) ? 0 : e;
}

// M, f and velocities before the impact (work->v) of all bodies that touch something.
static bool strike_bodies(const plait_model *m, plait_work *w, double dt)
{
    bool bad = false;
    plait_sim_rewind(m);
    for (int i = 0; i < w->touches.count; i++)
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &w->touches.touch[i].side[k]);
            if (b >= 0)
                w->body_dof[b] = 0;
        }
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->team.threads) reduction(|| : bad) if (w->team.threads > 1)
    for (int b = 0; b < m->bodies; b++)
        if (w->body_dof[b] >= 0 && m->body[b].type->strike &&
            !m->body[b].type->strike(&m->body[b], dt, w->v + m->first_dof[b]))
            bad = true;
    return !bad;
}

// r . (u+ + u*), and the same without signs. star: u*; extra: what was added to it for the bounce.
static double gain(const plait_solution *s, int n, const double *star, const double *extra, double *size)
{
    double sum = 0;
    *size = 0;
    for (int i = 0; i < 3 * n; i++) {
        double u = s->u[i] - extra[i];
        sum += s->r[i] * (u + star[i]);
        *size += fabs(s->r[i]) * (fabs(u) + fabs(star[i]));
    }
    return sum;
}

// Solves with e, then with less of it, until nothing is gained.
static plait_status solve(const plait_model *m, plait_work *w, plait_problem *p, const double *e, double *room,
                          plait_solution *s, plait_error *error)
{
    int n = p->n;
    double *b = room, *extra = b + 3 * (size_t)n, *row = extra + 3 * (size_t)n, part = 1, size;
    const double *star = p->b;
    plait_dynamics dynamics = *p->dynamics;
    plait_problem bouncing = *p;
    plait_solve_options options = m->scene->stepping.solve;
    options.threads = n < PLAIT_SIM_FEW ? 1 : w->team.threads;
    options.stop = plait_sim_stopped, options.stop_data = w;
    dynamics.w = row, bouncing.b = b, bouncing.dynamics = &dynamics;
    for (int k = 0; k <= HALVINGS; k++, part = k < HALVINGS ? part / 2 : 0) {
        for (int i = 0; i < 3 * n; i++) {
            extra[i] = i % 3 == 0 && star[i] < 0 ? part * e[i / 3] * star[i] : 0;
            b[i] = star[i] + extra[i];
            row[i] = p->dynamics->w[i] + extra[i];
        }
        plait_report report;
        plait_status status = plait_problem_solve(&bouncing, &options, s, &report, error);
        if (status != PLAIT_OK || plait_sim_stopped(w) || gain(s, n, star, extra, &size) <= options.tol * size)
            return status;
    }
    return PLAIT_OK;
}

// Velocities after the impact go into the state.
static plait_status rebound(const plait_model *m, plait_state *state, plait_work *w, const plait_problem *p,
                            const plait_solution *s, plait_error *error)
{
    double *v = w->problem_v;
    plait_status status = plait_compliance_velocity(p->compliance, p->dynamics->f, s->r, w->team, v, error);
    if (status != PLAIT_OK)
        return status;
    for (int b = 0; b < m->bodies; b++) {
        const plait_body *body = &m->body[b];
        if (w->body_dof[b] < 0 || !body->type->strike)
            continue;
        int from, count = plait_sim_free_dofs(body, &from);
        double *mine = w->v + m->first_dof[b];
        memcpy(mine + from, v + w->body_dof[b], (size_t)count * sizeof *v);
        body->type->rebound(&m->body[b], mine);
    }
    // What bodies find when they look back at the start of the step.
    memcpy(w->saved, state->value + PLAIT_STATE_HEAD, (size_t)(state->contacts - PLAIT_STATE_HEAD) * sizeof *w->saved);
    return PLAIT_OK;
}

bool plait_sim_bounce(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a, bool *struck)
{
    int n = w->touches.count;
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    double *e = plait_arena_alloc(&w->arena, 11 * (size_t)n + 1, sizeof *e), *mu = e + n, *room = mu + n;
    if (!e)
        return plait_sim_no_memory(w, a);
    *struck = false;
    for (int i = 0; i < n; i++) {
        e[i] = restitution_of(m, w, &w->touches.touch[i], a->dt);
        *struck |= e[i] > 0;
    }
    bool ok = true;
    if (*struck) {
        plait_bands bands = {0};
        plait_limbs limbs = {0};
        plait_error why = {0};
        for (int b = 0; b < m->bodies; b++)
            w->body_dof[b] = -1;
        ok = strike_bodies(m, w, a->dt);
        plait_dynamics *y = ok ? plait_sim_dynamics(m, w, a->dt, &bands, &limbs, mu) : NULL;
        for (int i = 0; y && i < n; i++)
            if (e[i] > 0) // it meets now
                y->w[3 * i] -= w->gap_term[i];
        bool asked = !y || plait_sim_ask_friction(m, w, mu);
        plait_problem *p = y ? plait_problem_of(3, n, y, &bands, &limbs, mu, w->team, &why) : NULL; // it owns y
        plait_solution *solution = plait_solution_new(n);
        bool tied = !p || plait_sim_tie_impact(w, p);
        if (ok && (!y || !solution || !tied || why.status == PLAIT_NO_MEMORY))
            ok = plait_sim_no_memory(w, a);
        else if (!asked)
            ok = false,
            a->status = plait_sim_refuse_hook(a);
        else if (!ok || !p)
            ok = plait_sim_reject(w, "an impact could not be built");
        if (ok) {
            a->status = solve(m, w, p, e, room, solution, a->error);
            if (a->status == PLAIT_OK)
                a->status = rebound(m, s, w, p, solution, a->error);
            ok = a->status == PLAIT_OK && !plait_sim_stopped(w);
        }
        plait_problem_free(p), plait_solution_free(solution);
    }
    plait_arena_release(&w->arena, mark);
    return ok;
}
