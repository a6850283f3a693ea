// superhelix.c: the super-helix (Bertails et al. 2006) behind the body interface.
//
// State: the configuration x0 (3), quaternion of R0 (4), k (3n), the one before it, 1 / the time between them, a rigid
// motion V (3), W (3) on top, and the multipliers of a held tip (9). The velocity of a material point is
//
//     (x - x before) rate + V + W x (x - x0)              with BDF2 older ones too (superhelix_past.c)
//
// and not the jacobian times dk/dt: that is the velocity of half a step ago taken along a motion that has turned since,
// an error of the acceleration that does not vanish with dt. With differences of places every point does implicit
// Euler, so the momentum of a free rod is exact and energy can only be lost.
#include "body/superhelix.h"

#include <math.h>
#include <string.h>

#include "body/bdf2.h"
#include "math/quat.h"

// Stiffness of the tip's spring, in units of the rod's bending stiffness.
static const double TIP_STIFFNESS = 1e5;
static const double SHORT = 1e-6; // [rad] see set_v

static plait_superhelix *of(const plait_rod *rod)
{
    return rod->impl;
}

// ---- state and iterate -------------------------------------------------------------------------------------------

// The iterate is the configuration of the state, or the one so many steps ago; places are relative to the state's root.
void plait_superhelix_load(const plait_rod *rod, int ago, bool motion)
{
    plait_superhelix *sh = of(rod);
    double *k, *at = plait_superhelix_configuration(rod, ago, &k), q[4];
    plait_vec3_copy(rod->state + SH_AT_X, sh->goal.origin);
    plait_vec3_sub(at, sh->goal.origin, sh->root.x);
    memcpy(q, at + SH_AT_Q, sizeof q);
    plait_quat_normalise(q);
    plait_quat_matrix(q, sh->root.R);
    memcpy(sh->k, k, 3 * (size_t)sh->n * sizeof *sh->k);
    plait_superhelix_place(sh, motion);
}

static void load(const plait_rod *rod, bool motion)
{
    plait_superhelix_load(rod, 0, motion);
}

void plait_superhelix_start(const plait_rod *rod)
{
    load(rod, false);
}

// Place and frame at the natural coordinate a of element q of the iterate.
static void material_point(const plait_superhelix *sh, int q, double a, sh_pose *pose)
{
    const sh_pose *start = &sh->node[q];
    plait_helix h = plait_helix_at(sh->k + 3 * q, a * sh->length[q]);
    double x[3], E[9];
    plait_helix_place(&h, x, E);
    plait_mat3_apply(start->R, x, pose->x);
    plait_vec3_axpy(1, start->x, pose->x);
    plait_mat3_multiply(start->R, E, pose->R);
}

// x, m1, m2 of all Gauss points of the iterate.
void plait_superhelix_sample(const plait_superhelix *sh, double *points)
{
    for (int q = 0; q < sh->n; q++) {
        for (int i = 0; i < sh->gauss; i++, points += 9) {
            sh_pose pose;
            material_point(sh, q, sh->u[i], &pose);
            plait_vec3_copy(pose.x, points);
            plait_mat3_column(pose.R, 0, points + 3);
            plait_mat3_column(pose.R, 1, points + 6);
        }
    }
}

// Velocities of points and directors: v[9] from where they are and where they were.
void plait_superhelix_motion(const plait_rod *rod, const double rate[2], const double *now, const double *before,
                             double *v)
{
    const double *state = rod->state;
    for (int i = 0; i < 9; i++)
        v[i] = (now[i] - before[i]) * rate[i > 2];
    for (int c = 0; c < 3; c++) {
        double w[3];
        plait_vec3_cross(state + SH_AT_W, now + 3 * c, w);
        plait_vec3_axpy(1, w, v + 3 * c);
    }
    plait_vec3_axpy(1, state + SH_AT_V, v); // places are relative to the root's
}

// Which dofs the ends hold, and where.
static void set_ends(const plait_rod *rod)
{
    plait_superhelix *sh = of(rod);
    sh_goal *goal = &sh->goal;
    const plait_end *root = &rod->end[0], *tip = &rod->end[1];
    for (int j = 0; j < 3; j++) {
        sh->held[j] = root->kind != PLAIT_END_FREE && !(root->slide >> j & 1);
        sh->held[3 + j] = root->kind == PLAIT_END_CLAMPED;
        if (sh->held[j])
            sh->root.x[j] = root->position[j] - goal->origin[j];
    }
    if (sh->held[3])
        plait_superhelix_end_frame(root, sh->root.R);
    sh->active = 0;
    for (int i = 0; i < sh->dofs; i++)
        if (i >= SH_ROOT || !sh->held[i])
            sh->index[sh->active++] = i;
    goal->tip_place = tip->kind != PLAIT_END_FREE;
    goal->tip_frame = tip->kind == PLAIT_END_CLAMPED;
    double EI = fmax(rod->section.EI[0], rod->section.EI[1]), L = rod->length;
    goal->tip_a1 = TIP_STIFFNESS * fmax(EI, rod->section.GJ) / L;
    for (int j = 0; j < 3; j++) {
        goal->tip_a[j] = tip->slide >> j & 1 ? 0 : TIP_STIFFNESS * EI / (L * L * L) + goal->a * L;
        goal->tip.x[j] = tip->position[j] - goal->origin[j];
    }
    goal->tip_a1 += (goal->a1 + goal->a2) * L;
    if (goal->tip_frame)
        plait_superhelix_end_frame(tip, goal->tip.R);
    memcpy(goal->multiplier, rod->state + SH_AT_TIP, sizeof goal->multiplier);
}

// Everything that a step of dt aims at; dt = 0: statics. The iterate is the state with its ends where they should be.
void plait_superhelix_set_goal(const plait_rod *rod, double dt)
{
    plait_superhelix *sh = of(rod);
    sh_goal *goal = &sh->goal;
    const plait_section *s = &rod->section;
    goal->rate = dt > 0 ? 1 / dt : 0;
    double inertial = goal->rate * goal->rate, slowing = 1 / (1 + s->drag * dt);
    if (dt > 0)
        plait_superhelix_set_targets(rod, dt);
    load(rod, false);
    goal->a = s->mass * inertial / slowing;
    goal->a1 = s->inertia[0] * inertial;
    goal->a2 = s->inertia[1] * inertial;
    goal->force = rod->force;
    goal->segment_couple = rod->couple;
    memset(goal->couple, 0, (size_t)sh->dofs * sizeof *goal->couple);
    for (int j = 0; j < 3; j++)
        goal->gravity[j] = s->mass * rod->gravity[j];
    memcpy(goal->start, sh->k, 3 * (size_t)sh->n * sizeof *sh->k);
    set_ends(rod);
}

void plait_superhelix_turn_between(const double *from, const double *to, double turn[3])
{
    double back[4] = {-from[0], -from[1], -from[2], from[3]}, c[4];
    plait_quat_multiply(to, back, c);
    plait_quat_log(c, turn);
}

// Dofs of the root that are not held, and k, go on as they went.
static void extrapolate(const plait_rod *rod, double dt)
{
    plait_superhelix *sh = of(rod);
    const double *state = rod->state, *before = state + SH_AT_K + 3 * sh->n;
    // of BDF2 it is more than 1/dt: a part of the velocity is from the step before
    double more = rod->second ? dt / rod->second->dt : dt * state[SH_AT_RATE], turn[3] = {0};
    for (int j = 0; j < 3; j++)
        if (!sh->held[j])
            sh->root.x[j] += more * (state[SH_AT_X + j] - state[SH_AT_BEFORE + j]) + dt * state[SH_AT_V + j];
    if (!sh->held[3]) {
        plait_superhelix_turn_between(state + SH_AT_BEFORE + SH_AT_Q, state + SH_AT_Q, turn);
        for (int j = 0; j < 3; j++)
            turn[j] = more * turn[j] + dt * state[SH_AT_W + j];
        plait_mat3_rotate(sh->root.R, turn);
    }
    for (int i = 0; i < 3 * sh->n; i++)
        sh->k[i] += more * (state[SH_AT_K + i] - before[i]);
}

static void iterate_velocity(const plait_rod *rod, double dt, double *v)
{
    plait_superhelix *sh = of(rod);
    double q[4];
    plait_quat_from_matrix(sh->root.R, q);
    plait_superhelix_turn_between(rod->state + SH_AT_Q, q, v + 3);
    for (int j = 0; j < 3; j++) {
        v[j] = sh->root.x[j] / dt;
        v[3 + j] /= dt;
    }
    for (int i = 0; i < 3 * sh->n; i++)
        v[SH_ROOT + i] = (sh->k[i] - sh->goal.start[i]) / dt;
}

// ---- steps -------------------------------------------------------------------------------------------------------

static bool predict(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report)
{
    plait_superhelix *sh = of(rod);
    plait_superhelix_set_goal(rod, dt);
    plait_newton_options newton = {.tolerance = options->tolerance,
                                   .max_iterations = options->max_iterations,
                                   .dt = dt,
                                   .linear = options->scheme == PLAIT_STEP_LINEAR};
    if (!newton.linear) {
        // Start from where the rod goes, unless the energy is lower where it is.
        double here = plait_superhelix_evaluate(sh, 0, false).energy;
        extrapolate(rod, dt);
        double there = plait_superhelix_evaluate(sh, 0, false).energy;
        if (!(there < here))
            memcpy(sh->k, sh->goal.start, 3 * (size_t)sh->n * sizeof *sh->k);
    }
    if (!plait_superhelix_minimise(rod, &newton, report))
        return false;
    iterate_velocity(rod, dt, rod->v);
    double sum = 0;
    for (int i = 0; i < sh->dofs; i++)
        sum += fabs(rod->v[i]);
    if (isfinite(sum))
        return true;
    report->reason = "the velocity is not finite";
    return false;
}

void plait_superhelix_go_on(plait_rod *rod, double dt, const double *v)
{
    plait_superhelix *sh = of(rod);
    double turn[3] = {dt * v[3], dt * v[4], dt * v[5]};
    for (int j = 0; j < 3; j++)
        if (!sh->held[j])
            sh->root.x[j] = dt * v[j];
    if (!sh->held[3])
        plait_mat3_rotate(sh->root.R, turn);
    for (int i = 0; i < 3 * sh->n; i++)
        sh->k[i] += dt * v[SH_ROOT + i];
}

static void go_to(plait_rod *rod, double dt, const double *v)
{
    plait_superhelix_set_goal(rod, dt);
    plait_superhelix_go_on(rod, dt, v);
}

static bool residual(plait_rod *rod, double dt, const double *v, double *g)
{
    plait_superhelix *sh = of(rod);
    go_to(rod, dt, v);
    sh_value value = plait_superhelix_slope(sh);
    for (int i = 0; i < sh->dofs; i++)
        g[i] = i < SH_ROOT && sh->held[i] ? 0 : dt * sh->gradient[i];
    return isfinite(value.energy);
}

static bool retract(plait_rod *rod, double dt, const double *about, const double *d, double *v)
{
    plait_superhelix *sh = of(rod);
    go_to(rod, dt, about);
    for (int i = 0; i < sh->dofs; i++)
        sh->step[i] = i < SH_ROOT && sh->held[i] ? 0 : dt * d[i];
    if (!plait_superhelix_go(sh))
        return false;
    iterate_velocity(rod, dt, v);
    return true;
}

// M as it was before it was factorised.
static void matrix(const plait_rod *rod, double *M, unsigned char *held)
{
    const plait_superhelix *sh = of(rod);
    int n = sh->dofs;
    for (int i = 0; i < n; i++)
        held[i] = i < SH_ROOT && sh->held[i];
    for (int c = 0; c < n; c++)
        for (int d = 0; d < n; d++) {
            int r = c + d;
            double value = 0;
            if (r < n)
                value = held[r] || held[c] ? r == c : sh->dt * sh->dt * sh->hessian[(long)r * n + c];
            M[(long)c * n + d] = value;
        }
}

static bool linearise(plait_rod *rod, double dt, const double *v, const plait_rod_linear *out)
{
    plait_superhelix *sh = of(rod);
    double *f = out->f;
    double held[SH_ROOT];
    go_to(rod, dt, v);
    sh->dt = dt;
    if (f) {
        iterate_velocity(rod, dt, f);
        memcpy(held, f, sizeof held);
    }
    plait_superhelix_expand(sh, true);
    if (!plait_superhelix_factorise(sh, dt * dt, 0)) {
        plait_superhelix_expand(sh, false);
        if (!plait_superhelix_factorise(sh, dt * dt, 0))
            return false;
    }
    for (int i = 0; f && i < sh->active; i++) {
        long row = sh->index[i];
        double sum = 0;
        for (int j = 0; j < sh->active; j++) {
            long column = sh->index[j], a = row > column ? row : column, b = row > column ? column : row;
            sum += sh->hessian[a * sh->dofs + b] * v[column];
        }
        f[row] = dt * (dt * sum - sh->gradient[row]);
    }
    for (int j = 0; f && j < SH_ROOT; j++)
        if (sh->held[j])
            f[j] = held[j];
    if (out->M)
        matrix(rod, out->M, out->held);
    return true;
}

static void solve(plait_rod *rod, double *X, int count)
{
    for (int i = 0; i < count; i++)
        plait_superhelix_solve(of(rod), X + (long)i * rod->dofs);
}

static int reach(const plait_rod *rod, int segment)
{
    (void)rod;
    return SH_ROOT + 3 * (segment + 1);
}

static int point(const plait_rod *rod, int segment, double a, double position[3], int *first, double *J)
{
    plait_superhelix *sh = of(rod);
    load(rod, true);
    sh_pose pose;
    material_point(sh, segment, a, &pose);
    int count = reach(rod, segment);
    for (int j = 0; j < 3; j++)
        position[j] = pose.x[j] + sh->goal.origin[j];
    *first = 0;
    if (J)
        plait_superhelix_point_jacobian(sh, segment, a, &pose, count, J);
    return count;
}

static void trace(const plait_rod *rod, int samples, double *x, double *J, double *S)
{
    plait_superhelix *sh = of(rod);
    load(rod, J != NULL);
    for (int i = 0; i <= sh->n * samples; i++, x += 3) {
        int q = i < sh->n * samples ? i / samples : sh->n - 1;
        double a = (double)(i - q * samples) / samples;
        sh_pose pose;
        material_point(sh, q, a, &pose);
        for (int j = 0; j < 3; j++)
            x[j] = pose.x[j] + sh->goal.origin[j];
        if (!J)
            continue;
        double *to = J + 3 * (long)i * sh->dofs;
        memset(to, 0, 3 * (size_t)sh->dofs * sizeof *to);
        plait_superhelix_point_jacobian(sh, q, a, &pose, sh->dofs, to);
        if (!S)
            continue;
        to = S + 3 * (long)i * sh->dofs;
        memset(to, 0, 3 * (size_t)sh->dofs * sizeof *to);
        plait_superhelix_frame_jacobian(sh, q, a, sh->dofs, to);
    }
}

static bool accept(plait_rod *rod, double dt, const double *v)
{
    plait_superhelix *sh = of(rod);
    double turn[3] = {dt * v[3], dt * v[4], dt * v[5]}, e[4], *state = rod->state, *k = state + SH_AT_K;
    plait_superhelix_remember(rod);
    memcpy(state + SH_AT_BEFORE, state + SH_AT_X, 7 * sizeof *state);
    memcpy(k + 3 * sh->n, k, 3 * (size_t)sh->n * sizeof *k);
    state[SH_AT_RATE] = rod->second ? 1 / (rod->second->beta * dt) : 1 / dt;
    memset(state + SH_AT_V, 0, 6 * sizeof *state);
    plait_vec3_axpy(dt, v, state + SH_AT_X);
    plait_quat_exp(turn, e);
    plait_quat_multiply(e, state + SH_AT_Q, state + SH_AT_Q);
    plait_quat_normalise(state + SH_AT_Q);
    for (int i = 0; i < 3 * sh->n; i++)
        k[i] += dt * v[SH_ROOT + i];
    memcpy(state + SH_AT_TIP, sh->goal.multiplier, sizeof sh->goal.multiplier);
    plait_superhelix_learn(sh, dt, k);
    return true;
}

// The configurations before are moved too, so that the velocity stays.
static bool shift(plait_rod *rod, double dt, const double *v)
{
    plait_superhelix *sh = of(rod);
    double turn[3] = {dt * v[3], dt * v[4], dt * v[5]}, e[4];
    plait_quat_exp(turn, e);
    for (int ago = 0; ago < (rod->past ? 4 : 2); ago++) {
        double *k, *at = plait_superhelix_configuration(rod, ago, &k);
        plait_vec3_axpy(dt, v, at);
        plait_quat_multiply(e, at + SH_AT_Q, at + SH_AT_Q);
        plait_quat_normalise(at + SH_AT_Q);
        for (int i = 0; i < 3 * sh->n; i++)
            k[i] += dt * v[SH_ROOT + i];
    }
    return true;
}

static bool relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report)
{
    plait_superhelix_set_goal(rod, 0);
    plait_newton_options newton = {.tolerance = options->tolerance, .max_iterations = options->max_iterations};
    if (!plait_superhelix_minimise(rod, &newton, report))
        return false;
    plait_superhelix_rest(rod);
    plait_superhelix_learn(of(rod), INFINITY, of(rod)->k);
    return true;
}

void plait_superhelix_rest(plait_rod *rod)
{
    plait_superhelix *sh = of(rod);
    double *state = rod->state, q[4];
    plait_quat_from_matrix(sh->root.R, q);
    for (int j = 0; j < 3; j++)
        state[SH_AT_X + j] = sh->goal.origin[j] + sh->root.x[j];
    memcpy(state + SH_AT_Q, q, sizeof q);
    memset(state + SH_AT_RATE, 0, 7 * sizeof *state);
    memcpy(state + SH_AT_TIP, sh->goal.multiplier, sizeof sh->goal.multiplier);
    memcpy(state + SH_AT_K, sh->k, 3 * (size_t)sh->n * sizeof *state);
    memcpy(state + SH_AT_BEFORE, state + SH_AT_X, 7 * sizeof *state);
    memcpy(state + SH_AT_K + 3 * sh->n, sh->k, 3 * (size_t)sh->n * sizeof *state);
    plait_superhelix_forget(rod);
}

// ---- what it is doing --------------------------------------------------------------------------------------------

static void positions(const plait_rod *rod, double *x)
{
    plait_superhelix *sh = of(rod);
    load(rod, false);
    for (int i = 0; i <= sh->n; i++)
        for (int j = 0; j < 3; j++)
            x[3 * i + j] = sh->goal.origin[j] + sh->node[i].x[j];
}

static void velocities(const plait_rod *rod, double *v)
{
    plait_superhelix *sh = of(rod);
    double rate[2] = {plait_superhelix_nodes_were(rod, v)};
    load(rod, false);
    for (int i = 0; i <= sh->n; i++) {
        double now[9] = {0}, before[9] = {0}, all[9];
        plait_vec3_copy(sh->node[i].x, now);
        plait_vec3_copy(v + 3 * i, before);
        plait_superhelix_motion(rod, rate, now, before, all);
        plait_vec3_copy(all, v + 3 * i);
    }
}

static void frames(const plait_rod *rod, double *out)
{
    plait_superhelix *sh = of(rod);
    load(rod, false);
    for (int q = 0; q < sh->n; q++) {
        sh_pose pose;
        material_point(sh, q, 0.5, &pose);
        for (int c = 0; c < 3; c++)
            plait_mat3_column(pose.R, c, out + 9 * q + 3 * c);
    }
}

// Adds what one Gauss point of weight w has; p is x, m1, m2 (x relative to the root) and v their velocities.
static void add_point_energy(const plait_rod *rod, int q, double w, const double *p, const double *v,
                             plait_rod_energies *e)
{
    const plait_superhelix *sh = of(rod);
    const plait_section *s = &rod->section;
    const double *origin = rod->state + SH_AT_X, mass = s->mass * sh->heavy[q];
    const double inertia[3] = {mass, s->inertia[0] * sh->spun[q], s->inertia[1] * sh->spun[q]};
    for (int c = 0; c < 3; c++) {
        double arm[3], moment[3];
        plait_vec3_copy(p + 3 * c, arm);
        if (c == 0)
            plait_vec3_axpy(1, origin, arm);
        plait_vec3_cross(arm, v + 3 * c, moment);
        plait_vec3_axpy(w * inertia[c], moment, e->angular_momentum);
        e->kinetic += 0.5 * w * inertia[c] * plait_vec3_dot(v + 3 * c, v + 3 * c);
        if (c == 0) {
            plait_vec3_axpy(w * mass, v, e->momentum);
            e->load -= w * mass * plait_vec3_dot(rod->gravity, arm);
            e->weight -= w * mass * plait_vec3_dot(rod->told_gravity, arm);
        }
    }
}

static plait_rod_energies energy(const plait_rod *rod)
{
    plait_superhelix *sh = of(rod);
    plait_rod_energies e = {0};
    double rate[2];
    plait_superhelix_sample_motion(rod, false, rate);
    load(rod, false);
    for (int q = 0; q < sh->n; q++) {
        double l = sh->length[q], stiffness[3];
        plait_rod_site site = plait_superhelix_site(sh, q, stiffness);
        for (int j = 0; j < 3; j++) {
            double strain = sh->k[3 * q + j] - sh->natural[3 * q + j];
            *(j < 2 ? &e.bend : &e.twist) += 0.5 * l * stiffness[j] * strain * strain;
        }
        e.bend += l * plait_rod_law_stored(&sh->law, &site, sh->k + 3 * q);
        for (int i = 0; i < sh->gauss; i++) {
            int at = 9 * (q * sh->gauss + i);
            double v[9];
            plait_superhelix_motion(rod, rate, sh->goal.now + at, sh->goal.targets + at, v);
            add_point_energy(rod, q, l * sh->w[i], sh->goal.now + at, v, &e);
        }
    }
    for (int i = 0; i <= sh->n; i++)
        for (int j = 0; j < 3; j++)
            e.load -= rod->force[3 * i + j] * (sh->goal.origin[j] + sh->node[i].x[j]);
    return e;
}

static void get_v(const plait_rod *rod, double *v)
{
    const plait_superhelix *sh = of(rod);
    const double *state = rod->state, rate = state[SH_AT_RATE], *k = state + SH_AT_K;
    plait_superhelix_turn_between(state + SH_AT_BEFORE + SH_AT_Q, state + SH_AT_Q, v + 3);
    for (int j = 0; j < 3; j++) {
        v[j] = rate * (state[SH_AT_X + j] - state[SH_AT_BEFORE + j]) + state[SH_AT_V + j];
        v[3 + j] = rate * v[3 + j] + state[SH_AT_W + j];
    }
    for (int i = 0; i < 3 * sh->n; i++)
        v[SH_ROOT + i] = rate * (k[i] - k[3 * sh->n + i]);
    plait_superhelix_add_older(rod, v);
}

// The root's motion is V and W. Curvatures come from where they were a moment ago: so short that nothing turns far, so
// long that the difference is not all rounding.
static void set_v(plait_rod *rod, const double *v)
{
    const plait_superhelix *sh = of(rod);
    double *state = rod->state, *k = state + SH_AT_K, turning = 0;
    for (int q = 0; q < sh->n; q++)
        turning += sh->length[q] * plait_vec3_norm(v + SH_ROOT + 3 * q); // [rad/s] of the tip
    double rate = turning > 0 ? turning / SHORT : 0;
    memcpy(state + SH_AT_BEFORE, state + SH_AT_X, 7 * sizeof *state);
    memcpy(state + SH_AT_V, v, 6 * sizeof *v);
    state[SH_AT_RATE] = rate;
    for (int i = 0; i < 3 * sh->n; i++)
        k[3 * sh->n + i] = rate > 0 ? k[i] - v[SH_ROOT + i] / rate : k[i];
    plait_superhelix_forget(rod);
}

static void kick(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3])
{
    double arm[3], v[3];
    plait_vec3_sub(rod->state + SH_AT_X, centre, arm);
    plait_vec3_cross(spin, arm, v);
    plait_vec3_axpy(1, v, rod->state + SH_AT_V);
    plait_vec3_axpy(1, velocity, rod->state + SH_AT_V);
    plait_vec3_axpy(1, spin, rod->state + SH_AT_W);
}

const plait_rod_type plait_rod_superhelix = {
    .model = PLAIT_ROD_SUPERHELIX,
    .name = "superhelix",
    .title = "super-helix (Bertails et al. 2006)",
    .abilities = PLAIT_ROD_TWISTS | PLAIT_ROD_ANISOTROPIC | PLAIT_ROD_FREE_ROOT | PLAIT_ROD_HELD_TIP |
                 PLAIT_ROD_VARIES | PLAIT_ROD_REMEMBERS,
    .max_segments = SH_MAX_ELEMENTS,
    .samples = 5,
    .build = plait_superhelix_build,
    .free = plait_superhelix_free,
    .bind = plait_superhelix_bind,
    .predict = predict,
    .linearise = linearise,
    .residual = residual,
    .slopes = plait_superhelix_slopes,
    .spend = plait_superhelix_spend,
    .retract = retract,
    .solve = solve,
    .point = point,
    .accept = accept,
    .shift = shift,
    .reach = reach,
    .trace = trace,
    .section = plait_superhelix_section,
    .relax = relax,
    .hold = plait_superhelix_hold,
    .stable = plait_superhelix_stable,
    .stiffen = plait_superhelix_stiffen,
    .get_natural = plait_superhelix_get_natural,
    .set_natural = plait_superhelix_set_natural,
    .positions = positions,
    .velocities = velocities,
    .frames = frames,
    .energy = energy,
    .get_v = get_v,
    .set_v = set_v,
    .past_size = plait_superhelix_past_size,
    .strain = plait_superhelix_strain,
    .kick = kick,
};
