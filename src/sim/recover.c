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
#include "sim/cell.h"
#include "sim/recover.h"

enum { ITERATIONS = 150 };
static const double STIFF = 20;
static const double SHARE = 0.5;   // of the rest is pushed out in a step ...
static const double LITTLE = 0.2;  // ... and of little ones, so that what rests is hardly moved
static const double STICKS = 1 - 1e-6; // of mu r_N: less friction than that sticks

double plait_sim_fastest_push(const plait_model *m, double dt)
{
    return fmin(m->scene->stepping.max_recovery, m->proximity / dt);
}

bool plait_sim_columns(const plait_model *m, plait_arena *arena, plait_columns *c)
{
    size_t count = (size_t)m->columns + 1;
    c->dof = plait_arena_alloc(arena, count, sizeof *c->dof);
    c->J = plait_arena_alloc(arena, 3 * count, sizeof *c->J);
    return c->dof && c->J;
}

bool plait_sim_gives_way(const plait_model *m, const plait_touch *t, plait_columns c)
{
    for (int k = 0; k < 2; k++) {
        plait_side side = plait_sim_side(m, t, k);
        int b = plait_sim_mover(m, &side);
        double carried[3];
        int count = b < 0 ? 0 : m->body[b].type->limb(&m->body[b], &side, c.dof, c.J, carried);
        for (int d = 0; d < count; d++)
            if (t->normal[0] * c.J[d] + t->normal[1] * c.J[count + d] + t->normal[2] * c.J[2 * count + d] != 0)
                return true;
    }
    return false;
}

// w of the recovery; returns the largest rate at which something has to be pushed out.
static double wanted(const plait_model *m, const plait_work *k, double dt, plait_columns c, double *w)
{
    double most = plait_sim_fastest_push(m, dt), largest = 0;
    for (int i = 0; i < k->touches.count; i++) {
        const plait_touch *t = &k->touches.touch[i];
        if (t->fixed) { // a tie keeps nothing apart
            w[3 * i] = INFINITY, w[3 * i + 1] = w[3 * i + 2] = 0;
            continue;
        }
        double end = t->gap + dt * (k->solution->u[3 * i] - k->gap_term[i]);
        double slop = PLAIT_SLOP * plait_sim_contact_radius(m, t), rate = 0;
        if (end < -slop && plait_sim_gives_way(m, t, c)) {
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

bool plait_sim_holds(const plait_model *m, const plait_work *w, int i)
{
    const double *r = w->solution->r + 3 * (size_t)i;
    const plait_touch *t = &w->touches.touch[i];
    return r[0] > 0 && hypot(r[1], r[2]) < STICKS * w->problem->mu[i] * r[0] &&
           t->gap > -plait_sim_contact_radius(m, t);
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
bool plait_sim_shift_bodies(const plait_model *m, plait_work *w, double dt, double most, const double *psi)
{
    bool ok = true;
    if (m->scene->stepping.ledger && !w->pushed_known) // the first push of this step
        w->pushed = plait_sim_energies(m, w, false), w->pushed_known = true;
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

// What a relative residual may be so that no more than PLAIT_PUSH_LEFT of the fastest push is left: one deep contact
// among thousands of open ones is a small part of b.
static double tolerance(const plait_problem *push, double largest)
{
    double sum = 0;
    for (int i = 0; i < 3 * push->n; i++)
        sum += push->b[i] * push->b[i];
    return PLAIT_PUSH_LEFT * largest / sqrt(sum);
}

plait_status plait_sim_push_apart(plait_work *k, const plait_problem *push, double largest, const double *zero,
                                  double *psi, plait_error *error)
{
    plait_solution *s = plait_solution_new(push->n);
    if (!s)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", push->n);
    plait_solve_options options = plait_default_solve_options();
    options.solver = PLAIT_SOLVER_APGD, options.tol = tolerance(push, largest);
    options.max_time = 0, options.max_iterations = ITERATIONS, options.threads = k->team.threads;
    options.stop = plait_sim_stopped, options.stop_data = k;
    plait_report report;
    plait_status status = plait_problem_solve(push, &options, s, &report, error);
    if (status == PLAIT_OK)
        status = plait_compliance_velocity(push->compliance, zero, s->r, k->team, psi, error);
    plait_solution_free(s);
    return status;
}

// The body that all bodies of a group lead to.
static int leader(int *up, int b)
{
    for (; up[b] != b; b = up[b])
        up[b] = up[up[b]];
    return b;
}

bool plait_sim_pushed(const plait_model *m, plait_work *k, const plait_touches *touches, double *w, plait_pushed *p)
{
    size_t bodies = (size_t)m->bodies + 1;
    int *up = plait_arena_alloc(&k->arena, bodies, sizeof *up), from;
    bool *pushed = plait_arena_zeros(&k->arena, bodies, sizeof *pushed);
    p->contact = plait_arena_alloc(&k->arena, (size_t)touches->count + 1, sizeof *p->contact);
    p->place = plait_arena_alloc(&k->arena, bodies, sizeof *p->place);
    if (!up || !pushed || !p->contact || !p->place)
        return false;
    for (int b = 0; b < m->bodies; b++)
        up[b] = b;
    for (int pass = 0; pass < 3; pass++) // groups; which of them have something to push; their contacts
        for (int i = 0; i < touches->count; i++) {
            const plait_touch *t = &touches->touch[i];
            int a = plait_sim_mover(m, &t->side[0]), b = plait_sim_mover(m, &t->side[1]), one = a >= 0 ? a : b;
            if (pass == 0 && a >= 0 && b >= 0)
                up[leader(up, a)] = leader(up, b);
            if (pass == 0 && one >= 0 && plait_sim_cell_of(m, t) >= 0)
                up[leader(up, one)] = leader(up, m->cell); // the cell takes part
            if (pass == 1 && one >= 0 && w[3 * (size_t)i] < 0)
                pushed[leader(up, one)] = true;
            if (pass == 2 && one >= 0 && pushed[leader(up, one)])
                memmove(w + 3 * (size_t)p->contacts, w + 3 * (size_t)i, 3 * sizeof *w), p->contact[p->contacts++] = i;
        }
    for (int b = 0, place = 0; b < m->bodies; b++) {
        bool takes_part = k->body_dof[b] >= 0 && pushed[leader(up, b)];
        if (takes_part)
            p->place[k->body_place[b]] = place, k->body_place[b] = place++;
        k->body_dof[b] = takes_part ? p->dofs : -1;
        p->dofs += takes_part ? plait_sim_free_dofs(&m->body[b], &from) : 0;
    }
    return true;
}

bool plait_sim_push_firmly(const plait_model *m, plait_work *k, plait_attempt *a, double largest, int contacts,
                           int dofs, plait_limbs *limbs, const double *w, const double *mu, const double *zero,
                           double *psi)
{
    size_t n = (size_t)contacts;
    if (largest > PLAIT_GENTLE && !stiff_matrices(m, k, STIFF * a->dt)) {
        plait_limbs_free(limbs);
        return plait_sim_reject(k, "a fibre's matrix is not positive definite");
    }
    plait_dynamics *y = plait_calloc(1, sizeof *y);
    plait_bands bands = {0};
    bool ok = y && plait_sim_bands(m, k, &bands, psi);
    if (ok) {
        y->dofs = dofs;
        y->f = plait_calloc((size_t)dofs + 1, sizeof *y->f);
        y->w = plait_malloc((3 * n + 1) * sizeof *y->w);
        ok = y->f && y->w;
    }
    if (!ok) {
        plait_dynamics_free(y), plait_bands_free(&bands), plait_limbs_free(limbs);
        return plait_sim_no_memory(k, a);
    }
    memcpy(y->w, w, 3 * n * sizeof *w);
    plait_error why = {0};
    plait_problem *push = plait_problem_of(3, (int)n, y, &bands, limbs, mu, k->team, &why); // it owns y
    if (!push && why.status == PLAIT_NO_MEMORY)
        return plait_sim_no_memory(k, a);
    if (!push)
        return plait_sim_reject(k, "the recovery of penetrations could not be built");
    a->status = plait_sim_push_apart(k, push, largest, zero, psi, a->error);
    plait_problem_free(push);
    return a->status == PLAIT_OK;
}

// The step's own problem with another right hand side and friction.
static bool push_gently(plait_work *k, plait_attempt *a, double largest, double *w, double *mu, double *zero,
                        double *psi)
{
    plait_dynamics dynamics = *k->problem->dynamics;
    plait_problem push = *k->problem;
    dynamics.f = zero, dynamics.w = w;
    push.mu = mu, push.b = w, push.dynamics = &dynamics, push.laws = NULL;
    a->status = plait_sim_push_apart(k, &push, largest, zero, psi, a->error);
    return a->status == PLAIT_OK;
}

// What the step's own contacts still overlap by, as far as its linearised motion tells.
static bool push_out(const plait_model *m, plait_work *k, plait_attempt *a)
{
    const plait_problem *p = k->problem;
    size_t n = (size_t)p->n;
    plait_arena_mark mark = plait_arena_get_mark(&k->arena);
    double *w = plait_arena_zeros(&k->arena, 4 * n + 1, sizeof *w), *mu = w + 3 * n;
    plait_columns c;
    if (!w || !plait_sim_columns(m, &k->arena, &c))
        return plait_sim_no_memory(k, a);
    double rate = wanted(m, k, a->dt, c, w);
    plait_pushed pushed = {.contacts = 0};
    bool firm = rate > PLAIT_GENTLE, ok = !firm || plait_sim_pushed(m, k, &k->touches, w, &pushed);
    a->pushed = rate;
    for (int i = 0; ok && rate > 0 && i < (firm ? pushed.contacts : p->n); i++) {
        int from = firm ? pushed.contact[i] : i;
        mu[i] = plait_sim_holds(m, k, from) ? p->mu[from] : 0;
    }
    size_t dofs = (size_t)(firm ? pushed.dofs : p->dynamics->dofs), zeros = dofs > n ? dofs : n;
    double *zero = rate > 0 ? plait_arena_zeros(&k->arena, 2 * zeros + 1, sizeof *zero) : NULL;
    double *psi = zero ? zero + zeros : NULL;
    plait_limbs limbs = {0};
    ok = ok && (rate <= 0 || zero);
    ok = ok && (!firm || plait_limbs_of(p->compliance, pushed.contact, pushed.contacts, pushed.place, &limbs));
    if (!ok)
        return plait_sim_no_memory(k, a);
    if (firm)
        ok = plait_sim_push_firmly(m, k, a, rate, pushed.contacts, pushed.dofs, &limbs, w, mu, zero, psi);
    else if (rate > 0)
        ok = push_gently(k, a, rate, w, mu, zero, psi);
    if (ok && rate > 0 && !plait_sim_shift_bodies(m, k, a->dt, 2 * rate, psi))
        ok = plait_sim_reject(k, "an edge or a hinge collapses when it is pushed out");
    plait_arena_release(&k->arena, mark);
    return ok && !plait_sim_stopped(k);
}

bool plait_sim_recover(const plait_model *m, plait_work *k, plait_attempt *a)
{
    if (!k->problem)
        return true;
    if (!push_out(m, k, a) || !plait_sim_separate(m, k, a))
        return false;
    if (k->pushed_known) {
        plait_body_energies before = k->pushed, after = plait_sim_energies(m, k, false);
        k->pushed = after;
        k->gained = after.kinetic - before.kinetic + after.elastic - before.elastic;
        k->gained += after.potential - before.potential;
    }
    return true;
}
