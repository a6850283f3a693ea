// recover.c: what has become a penetration is pushed out, by a displacement alone.
//
// Contacts that overlap are only kept from getting deeper by the friction problem. Afterwards a displacement dt psi is
// found,
//
//     M psi = H^T s,   0 <= s_N  perpendicular to  H_N psi + share (g_end + slop/2)/dt >= 0
//
// without friction where contacts slide or are deep, and with Coulomb's law for (H psi, s) where they stick: what rests
// on friction is not moved along,
// where a gap g_end is below -slop (the difference lets it end: resting piles are not pushed for ever), at most as fast
// as max_recovery, and only positions move by it: no kinetic energy comes from it. If it is gentle, M is that of the
// step. Else it is that of a step STIFF times as long: the displacement is the smallest one in a metric in which
// bending counts much more than moving, so that fibres are carried apart rather than bent and the elastic energy grows
// little.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/compliance.h"
#include "sim/sim.h"

enum { ITERATIONS = 150 };
static const double TOLERANCE = 3e-2;
static const double STIFF = 20;
static const double SLOP = 0.02;   // of the fibre's contact radius: penetrations that are left alone
static const double GENTLE = 0.02; // [m/s]
static const double SHARE = 0.5;   // of the rest is pushed out in a step ...
static const double LITTLE = 0.2;  // ... and of little ones, so that what rests is hardly moved
static const double STICKS = 1 - 1e-6; // of mu r_N: less friction than that sticks

// w of the recovery; returns the largest rate at which something has to be pushed out.
static double wanted(const plait_model *m, const plait_work *k, double dt, double *w)
{
    // Not farther than detection sees, so that nothing is pushed through something else.
    double most = fmin(m->scene->stepping.max_recovery, m->proximity / dt), largest = 0;
    for (int i = 0; i < k->touches.count; i++) {
        const plait_touch *t = &k->touches.touch[i];
        if (t->fixed) { // a tie keeps nothing apart
            w[3 * i] = INFINITY, w[3 * i + 1] = w[3 * i + 2] = 0;
            continue;
        }
        double end = t->gap + dt * (k->solution->u[3 * i] - k->gap_term[i]);
        double slop = SLOP * plait_sim_contact_radius(m, t), rate = 0;
        if (end < -slop) {
            rate = fmax((end < -5 * slop ? SHARE : LITTLE) * (end + 0.5 * slop) / dt, -most);
            largest = fmax(largest, -rate);
        } else if (end > 0) {
            rate = end / dt;
        }
        w[3 * i] = rate, w[3 * i + 1] = w[3 * i + 2] = 0;
    }
    // Wide gaps may close a little; how wide they are must not drown the rest in the relative residual.
    for (int i = 0; i < k->touches.count; i++)
        w[3 * i] = fmin(w[3 * i], 2 * largest);
    return largest;
}

// mu where a contact sticks and is not deep, else 0: what is deep must get out whatever holds it.
static void sticking(const plait_model *m, const plait_work *k, double *mu)
{
    for (int i = 0; i < k->problem->n; i++) {
        const double *r = k->solution->r + 3 * i;
        const plait_touch *t = &k->touches.touch[i];
        bool sticks = r[0] > 0 && hypot(r[1], r[2]) < STICKS * k->problem->mu[i] * r[0];
        sticks &= t->gap > -plait_sim_contact_radius(m, t);
        mu[i] = sticks ? k->problem->mu[i] : 0;
    }
}

// Two fibres that overlap where both are held cannot be pushed apart; whatever they do far from there in the attempt
// must not be done. So no node moves faster than `most`.
static void limit_speed(const plait_body *body, double most, double *psi)
{
    double fastest = body->type->fastest ? body->type->fastest(body, psi) : 0;
    for (int d = 0; fastest > most && d < body->dofs; d++)
        psi[d] *= most / fastest;
}

// psi is spread over all dofs of the bodies in contact, into problem_v.
static bool shift_bodies(const plait_model *m, plait_work *w, double dt, double most, const double *psi)
{
    bool ok = true;
    for (int b = 0; b < m->bodies; b++) {
        plait_body *body = &m->body[b];
        if (w->body_dof[b] < 0)
            continue;
        int from, count = plait_sim_free_dofs(body, &from);
        double *mine = w->problem_v + m->first_dof[b];
        memset(mine, 0, (size_t)body->dofs * sizeof *mine);
        memcpy(mine + from, psi + w->body_dof[b], (size_t)count * sizeof *mine);
        limit_speed(body, most, mine);
        ok &= body->type->shift(body, dt, mine);
    }
    return ok;
}

// The matrices of all bodies in contact, for a step of `time`. False: one is not positive definite.
static bool stiff_matrices(const plait_model *m, const plait_work *w, double time)
{
    bool bad = false;
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->team.threads) reduction(|| : bad) if (w->team.threads > 1)
    for (int b = 0; b < m->bodies; b++)
        if (w->body_dof[b] >= 0 && m->body[b].type->stiffen && !m->body[b].type->stiffen(&m->body[b], time))
            bad = true;
    return !bad;
}

// psi <- the displacement's velocity, in the problem's dofs.
static plait_status push_apart(plait_work *k, const plait_problem *push, const double *zero, double *psi,
                               plait_error *error)
{
    plait_solution *s = plait_solution_new(push->n);
    if (!s)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", push->n);
    plait_solve_options options = plait_default_solve_options();
    options.solver = PLAIT_SOLVER_APGD, options.tol = TOLERANCE;
    options.max_time = 0, options.max_iterations = ITERATIONS, options.threads = k->team.threads;
    options.stop = plait_sim_stopped, options.stop_data = k;
    plait_report report;
    plait_status status = plait_problem_solve(push, &options, s, &report, error);
    if (status == PLAIT_OK)
        status = plait_compliance_velocity(push->compliance, zero, s->r, k->team, psi, error);
    plait_solution_free(s);
    return status;
}

static bool push_firmly(const plait_model *m, plait_work *k, plait_attempt *a, const double *w, const double *mu,
                        const double *zero, double *psi)
{
    const plait_problem *p = k->problem;
    if (!stiff_matrices(m, k, STIFF * a->dt))
        return plait_sim_reject(k, "a fibre's matrix is not positive definite");
    plait_dynamics *y = plait_calloc(1, sizeof *y);
    plait_bands bands = {0};
    plait_limbs limbs = {0};
    size_t dofs = (size_t)p->dynamics->dofs, n = (size_t)p->n;
    bool ok = y && plait_sim_bands(m, k, &bands, psi) && plait_limbs_of(p->compliance, NULL, p->n, NULL, &limbs);
    if (ok) {
        y->dofs = p->dynamics->dofs;
        y->f = plait_calloc(dofs + 1, sizeof *y->f);
        y->w = plait_malloc((3 * n + 1) * sizeof *y->w);
        ok = y->f && y->w;
    }
    if (!ok) {
        plait_dynamics_free(y), plait_bands_free(&bands), plait_limbs_free(&limbs);
        return plait_sim_no_memory(k, a);
    }
    memcpy(y->w, w, 3 * n * sizeof *w);
    plait_error why = {0};
    plait_problem *push = plait_problem_of(3, p->n, y, &bands, &limbs, mu, k->team, &why); // it owns y
    if (!push && why.status == PLAIT_NO_MEMORY)
        return plait_sim_no_memory(k, a);
    if (!push)
        return plait_sim_reject(k, "the recovery of penetrations could not be built");
    a->status = push_apart(k, push, zero, psi, a->error);
    plait_problem_free(push);
    return a->status == PLAIT_OK;
}

// The step's own problem with another right hand side and friction.
static bool push_gently(plait_work *k, plait_attempt *a, double *w, double *mu, double *zero, double *psi)
{
    plait_dynamics dynamics = *k->problem->dynamics;
    plait_problem push = *k->problem;
    dynamics.f = zero, dynamics.w = w;
    push.mu = mu, push.b = w, push.dynamics = &dynamics, push.laws = NULL;
    a->status = push_apart(k, &push, zero, psi, a->error);
    return a->status == PLAIT_OK;
}

bool plait_sim_recover(const plait_model *m, plait_work *k, plait_attempt *a)
{
    const plait_problem *p = k->problem;
    if (!p)
        return true;
    size_t n = (size_t)p->n, dofs = (size_t)p->dynamics->dofs, zeros = dofs > n ? dofs : n;
    plait_arena_mark mark = plait_arena_get_mark(&k->arena);
    double *w = plait_arena_zeros(&k->arena, 4 * n + 2 * zeros + 1, sizeof *w), *mu = w + 3 * n, *zero = mu + n;
    double *psi = zero + zeros;
    if (!w)
        return plait_sim_no_memory(k, a);
    bool ok = true;
    double rate = wanted(m, k, a->dt, w);
    if (rate > 0) {
        sticking(m, k, mu);
        ok = rate > GENTLE ? push_firmly(m, k, a, w, mu, zero, psi) : push_gently(k, a, w, mu, zero, psi);
        plait_body_energies before = {0}, after = {0};
        bool told = ok && m->scene->stepping.ledger;
        if (told)
            before = plait_sim_energies(m, k, false);
        if (ok && !shift_bodies(m, k, a->dt, 2 * rate, psi))
            ok = plait_sim_reject(k, "an edge or a hinge collapses when it is pushed out");
        if (told)
            k->pushed = after = plait_sim_energies(m, k, false), k->pushed_known = true;
        k->gained = after.kinetic - before.kinetic + after.elastic - before.elastic;
        k->gained += after.potential - before.potential;
    }
    plait_arena_release(&k->arena, mark);
    return ok && !plait_sim_stopped(k);
}
