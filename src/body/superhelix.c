// superhelix.c: the super-helix (Bertails et al. 2006) behind the body interface.
//
// State: the configuration x0 (3), quaternion of R0 (4), k (3n), the one before it, 1 / the time between them, a rigid
// motion V (3), W (3) on top, and the multipliers of a held tip (9). The velocity of a material point is
//
//     (x - x before) rate + V + W x (x - x0)
//
// and not the jacobian times dk/dt: that is the velocity of half a step ago taken along a motion that has turned since,
// an error of the acceleration that does not vanish with dt. With differences of places every point does implicit Euler,
// so the momentum of a free rod is exact and energy can only be lost.
#include "body/superhelix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"

enum { AT_X = 0, AT_Q = 3, AT_BEFORE = 7, AT_RATE = 14, AT_V = 15, AT_W = 18, AT_TIP = 21, AT_K = 30, MAX_ELEMENTS = 500 };

// Stiffness of the tip's spring, in units of the rod's bending stiffness.
static const double TIP_STIFFNESS = 1e5;

static plait_superhelix *of(const plait_rod *rod)
{
    return rod->impl;
}

// ---- building ----------------------------------------------------------------------------------------------------

// Gauss-Legendre rule with m points on (0, 1), by Newton's method on the Legendre polynomial.
static void gauss_rule(int m, double *u, double *w)
{
    for (int i = 0; i < m; i++) {
        double z = cos(3.14159265358979323846 * (i + 0.75) / (m + 0.5)), slope = 1;
        for (int k = 0; k < 50; k++) {
            double p = 1, before = 0;
            for (int j = 1; j <= m; j++) {
                double next = ((2 * j - 1) * z * p - (j - 1) * before) / j;
                before = p, p = next;
            }
            slope = m * (z * p - before) / (z * z - 1);
            double dz = p / slope;
            z -= dz;
            if (fabs(dz) < 1e-16)
                break;
        }
        u[i] = 0.5 * (1 - z);
        w[i] = 1 / ((1 - z * z) * slope * slope);
    }
}

// Points per element: 3 are exact for the inertia of a straight element; an element that is a good part of a turn has
// integrands that oscillate.
static int gauss_points(const plait_superhelix *sh)
{
    double turn = 0;
    for (int q = 0; q < sh->n; q++)
        turn = fmax(turn, sh->length[q] * fmax(plait_norm(sh->natural + 3 * q), plait_norm(sh->k + 3 * q)));
    if (turn < 0.3)
        return 3;
    return turn < 1 ? 4 : turn < 10 ? 5 + (int)ceil(turn) : SH_GAUSS_MAX;
}

static void frame_matrix(const double *rows, double *R)
{
    for (int j = 0; j < 3; j++)
        m3_set_column(R, j, rows + 3 * j);
}

static void end_frame(const plait_end *end, double *R)
{
    double m2[3];
    plait_cross(end->tangent, end->director, m2);
    m3_set_column(R, 0, end->director);
    m3_set_column(R, 1, m2);
    m3_set_column(R, 2, end->tangent);
}

// Darboux vector over `length` that takes frame a to frame b: the turning angle about its axis in the mean frame, and the
// twist. The same measure as that of the natural strains, so that a polyline at rest is at rest here too.
static void hinge_rate(const double *a, const double *b, double length, double k[3])
{
    double t0[3], t1[3], kb[3], m[3], moved[3], mean[2] = {0}, chi;
    m3_column(a, 2, t0);
    m3_column(b, 2, t1);
    plait_cross(t0, t1, kb);
    chi = fmax(1 + plait_dot(t0, t1), 1e-12);
    double tangent = plait_norm(kb) / chi, scale = tangent > 0 ? 2 * atan(tangent) / tangent : 2;
    for (int c = 0; c < 2; c++)
        for (int i = 0; i < 3; i++)
            mean[c] += kb[i] * (a[3 * i + c] + b[3 * i + c]) / 2;
    m3_column(a, 0, m);
    plait_transport(t0, t1, m, moved);
    m3_column(b, 0, m);
    v3_set(k, scale * mean[0] / chi / length, scale * mean[1] / chi / length, plait_angle(moved, m, t1) / length);
}

// An element has the mean of the strains at its two nodes; a free end has none of its own.
static void element_rates(const plait_rod *rod, const double *node, double *k)
{
    int n = rod->segments;
    bool own[2] = {rod->end[0].kind == PLAIT_END_CLAMPED, rod->end[1].kind == PLAIT_END_CLAMPED};
    for (int q = 0; q < n; q++) {
        const double *a = node + 3 * q, *b = a + 3;
        if (q == 0 && !own[0] && (n > 1 || own[1]))
            a = b;
        if (q == n - 1 && !own[1] && (n > 1 || own[0]))
            b = a;
        for (int j = 0; j < 3; j++)
            k[3 * q + j] = (a[j] + b[j]) / 2;
    }
}

static void initial_shape(plait_rod *rod, const plait_rod_shape *shape, double *node)
{
    plait_superhelix *sh = of(rod);
    int n = sh->n;
    memset(node, 0, 3 * ((size_t)n + 1) * sizeof *node);
    for (int i = 0; i <= n; i++)
        v3_set(node + 3 * i, -shape->kappa[2 * i + 1], shape->kappa[2 * i], shape->tau[i]);
    bool constant = true; // then ends that are free have the same natural strain as all others
    for (int i = 1; i <= n; i++)
        constant = constant && memcmp(node, node + 3 * i, 3 * sizeof *node) == 0;
    element_rates(rod, node, sh->natural);
    for (int i = 0; constant && i < 3 * n; i++)
        sh->natural[i] = node[i % 3];
    memset(node, 0, 3 * ((size_t)n + 1) * sizeof *node);
    for (int i = 0; i <= n; i++) {
        double a[9], b[9], length = (i > 0 ? shape->rest[i - 1] / 2 : 0) + (i < n ? shape->rest[i] / 2 : 0);
        if ((i == 0 && rod->end[0].kind != PLAIT_END_CLAMPED) || (i == n && rod->end[1].kind != PLAIT_END_CLAMPED))
            continue;
        i > 0 ? frame_matrix(shape->frames + 9 * (i - 1), a) : end_frame(&rod->end[0], a);
        i < n ? frame_matrix(shape->frames + 9 * i, b) : end_frame(&rod->end[1], b);
        hinge_rate(a, b, length, node + 3 * i);
    }
    element_rates(rod, node, sh->k);
    double R[9], q[4], turn[3];
    frame_matrix(shape->frames, R);
    quat_from_matrix(R, q);
    for (int j = 0; j < 3; j++)
        turn[j] = -0.5 * sh->length[0] * sh->k[j]; // the first frame belongs to the middle of the first element
    double half[4];
    quat_exp(turn, half);
    quat_mul(q, half, q);
    if (rod->end[0].kind == PLAIT_END_CLAMPED) {
        end_frame(&rod->end[0], R);
        quat_from_matrix(R, q);
    }
    plait_copy(rod->end[0].kind == PLAIT_END_FREE ? shape->x : rod->end[0].position, rod->state + AT_X);
    memcpy(rod->state + AT_Q, q, sizeof q);
    memcpy(rod->state + AT_K, sh->k, 3 * (size_t)n * sizeof *sh->k);
    memcpy(rod->state + AT_BEFORE, rod->state + AT_X, 7 * sizeof *rod->state);
    memcpy(rod->state + AT_K + 3 * n, sh->k, 3 * (size_t)n * sizeof *sh->k);
}

static void release(plait_rod *rod)
{
    plait_superhelix *sh = rod->impl;
    if (sh) {
        free(sh->length);
        free(sh->node);
        free(sh->index);
    }
    free(sh);
    free(rod->state);
    free(rod->v);
}

static plait_status no_memory(const plait_rod *rod, plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory for a super-helix of %d elements", rod->id,
                           rod->segments);
}

static plait_status build(plait_rod *rod, const plait_rod_shape *shape, plait_error *error)
{
    plait_superhelix *sh = rod->impl = calloc(1, sizeof *sh);
    if (!sh)
        return no_memory(rod, error);
    size_t n = (size_t)shape->segments, dofs = SH_ROOT + 3 * n, stride = (dofs + 3) / 4 * 4;
    sh->stride = (long)stride;
    sh->n = shape->segments;
    rod->dofs = sh->dofs = (int)dofs;
    rod->state_size = (int)(AT_K + 6 * n);
    rod->state = calloc((size_t)rod->state_size, sizeof *rod->state);
    rod->v = calloc(dofs, sizeof *rod->v);
    double *p = sh->length = calloc(n * (1 + 3 * 4 + 27 + 18 * SH_GAUSS_MAX) + 12 + dofs * (18 + dofs) + stride * stride, sizeof *p);
    sh->node = calloc(n + 1, sizeof *sh->node);
    sh->index = calloc(dofs, sizeof *sh->index);
    if (!rod->state || !rod->v || !p || !sh->node || !sh->index)
        return no_memory(rod, error);
    p += n;
    sh->natural = p, p += 3 * n;
    sh->k = p, p += 3 * n;
    sh->goal.start = p, p += 3 * n;
    sh->trial = p, p += 12 + 3 * n;
    sh->lin = p, p += 9 * n;
    sh->ang = p, p += 9 * n;
    sh->lin_end = p, p += 9 * n;
    sh->goal.targets = p, p += 9 * SH_GAUSS_MAX * n;
    sh->goal.now = p, p += 9 * SH_GAUSS_MAX * n;
    sh->goal.couple = p, p += dofs;
    sh->gradient = p, p += dofs;
    sh->scale = p, p += dofs;
    sh->step = p, p += dofs;
    sh->vector = p, p += dofs;
    sh->metric = p, p += dofs;
    sh->tip_C = p, p += 6 * dofs;
    sh->tip_Z = p, p += 6 * dofs;
    sh->hessian = p, p += dofs * dofs;
    sh->factor = p;
    memcpy(sh->length, shape->rest, n * sizeof *sh->length);
    const plait_section *s = &rod->section;
    v3_set(sh->stiffness, s->EI[1], s->EI[0], s->GJ); // k = (-k2, k1, tau)
    v3_set(sh->viscous, s->viscous_EI[1], s->viscous_EI[0], s->viscous_GJ);
    initial_shape(rod, shape, sh->lin); // lin: scratch here
    double soft = fmin(s->EI[0], s->EI[1]), L = rod->length;
    for (size_t i = 0; i < dofs; i++)
        sh->metric[i] = i < 3 ? soft / (L * L * L) : i < SH_ROOT ? soft / L : sh->length[(i - 6) / 3] * sh->stiffness[i % 3];
    for (size_t i = 0; i < dofs; i++)
        if (!(sh->metric[i] > 0)) // a string: any metric will do
            sh->metric[i] = i < SH_ROOT ? 1 : sh->length[(i - 6) / 3];
    sh->gauss = gauss_points(sh);
    gauss_rule(sh->gauss, sh->u, sh->w);
    return PLAIT_OK;
}

// ---- state and iterate -------------------------------------------------------------------------------------------

// The iterate is the configuration of the state, or the one before it; places are relative to the state's root.
static void load(const plait_rod *rod, bool before, bool motion)
{
    plait_superhelix *sh = of(rod);
    const double *state = rod->state, *at = state + (before ? AT_BEFORE : AT_X);
    double q[4];
    plait_copy(state + AT_X, sh->goal.origin);
    plait_sub(at, sh->goal.origin, sh->root.x);
    memcpy(q, at + AT_Q, sizeof q);
    quat_normalise(q);
    quat_matrix(q, sh->root.R);
    memcpy(sh->k, state + AT_K + (before ? 3 * sh->n : 0), 3 * (size_t)sh->n * sizeof *sh->k);
    plait_superhelix_place(sh, motion);
}

// Place and frame at the natural coordinate a of element q of the iterate.
static void material_point(const plait_superhelix *sh, int q, double a, sh_pose *pose)
{
    const sh_pose *start = &sh->node[q];
    plait_helix h = plait_helix_at(sh->k + 3 * q, a * sh->length[q]);
    double x[3], E[9];
    plait_helix_place(&h, x, E);
    m3_apply(start->R, x, pose->x);
    plait_axpy(1, start->x, pose->x);
    m3_mul(start->R, E, pose->R);
}

// x, m1, m2 of all Gauss points of the iterate.
static void sample(const plait_superhelix *sh, double *points)
{
    for (int q = 0; q < sh->n; q++) {
        for (int i = 0; i < sh->gauss; i++, points += 9) {
            sh_pose pose;
            material_point(sh, q, sh->u[i], &pose);
            plait_copy(pose.x, points);
            m3_column(pose.R, 0, points + 3);
            m3_column(pose.R, 1, points + 6);
        }
    }
}

// Velocities of points and directors: v[9] from where they are and where they were.
static void motion_of(const plait_rod *rod, const double *now, const double *before, double *v)
{
    const double *state = rod->state;
    for (int i = 0; i < 9; i++)
        v[i] = (now[i] - before[i]) * state[AT_RATE];
    for (int c = 0; c < 3; c++) {
        double w[3];
        plait_cross(state + AT_W, now + 3 * c, w);
        plait_axpy(1, w, v + 3 * c);
    }
    plait_axpy(1, state + AT_V, v); // places are relative to the root's
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
        end_frame(root, sh->root.R);
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
        end_frame(tip, goal->tip.R);
    memcpy(goal->multiplier, rod->state + AT_TIP, sizeof goal->multiplier);
}

// Everything that a step of dt aims at; dt = 0: statics. The iterate is the state with its ends where they should be.
static void set_goal(const plait_rod *rod, double dt)
{
    plait_superhelix *sh = of(rod);
    sh_goal *goal = &sh->goal;
    const plait_section *s = &rod->section;
    if (dt > 0) {
        load(rod, true, false);
        sample(sh, goal->targets);
    }
    load(rod, false, false);
    goal->rate = dt > 0 ? 1 / dt : 0;
    double inertial = goal->rate * goal->rate, slowing = 1 / (1 + s->drag * dt);
    goal->a = s->mass * inertial / slowing;
    goal->a1 = s->inertia[0] * inertial;
    goal->a2 = s->inertia[1] * inertial;
    goal->force = rod->force;
    goal->segment_couple = rod->couple;
    memset(goal->couple, 0, (size_t)sh->dofs * sizeof *goal->couple);
    for (int j = 0; j < 3; j++)
        goal->gravity[j] = s->mass * rod->gravity[j];
    memcpy(goal->start, sh->k, 3 * (size_t)sh->n * sizeof *sh->k);
    if (dt > 0) {
        sample(sh, goal->now);
        for (int i = 0; i < sh->n * sh->gauss; i++) {
            double *X = goal->targets + 9 * i, v[9];
            const double *now = goal->now + 9 * i;
            motion_of(rod, now, X, v);
            for (int j = 0; j < 9; j++)
                X[j] = now[j] + dt * (j < 3 ? slowing : 1) * v[j];
        }
    }
    set_ends(rod);
}

// The rotation vector from one orientation to another, in world axes.
static void turn_between(const double *from, const double *to, double turn[3])
{
    double back[4] = {-from[0], -from[1], -from[2], from[3]}, c[4];
    quat_mul(to, back, c);
    quat_log(c, turn);
}

// Dofs of the root that are not held, and k, go on as they went.
static void extrapolate(const plait_rod *rod, double dt)
{
    plait_superhelix *sh = of(rod);
    const double *state = rod->state, *before = state + AT_K + 3 * sh->n;
    double more = dt * state[AT_RATE], turn[3] = {0};
    for (int j = 0; j < 3; j++)
        if (!sh->held[j])
            sh->root.x[j] += more * (state[AT_X + j] - state[AT_BEFORE + j]) + dt * state[AT_V + j];
    if (!sh->held[3]) {
        turn_between(state + AT_BEFORE + AT_Q, state + AT_Q, turn);
        for (int j = 0; j < 3; j++)
            turn[j] = more * turn[j] + dt * state[AT_W + j];
        m3_rotate(sh->root.R, turn);
    }
    for (int i = 0; i < 3 * sh->n; i++)
        sh->k[i] += more * (state[AT_K + i] - before[i]);
}

static void iterate_velocity(const plait_rod *rod, double dt, double *v)
{
    plait_superhelix *sh = of(rod);
    double q[4];
    quat_from_matrix(sh->root.R, q);
    turn_between(rod->state + AT_Q, q, v + 3);
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
    set_goal(rod, dt);
    bool ok;
    if (options->scheme == PLAIT_STEP_LINEAR) {
        ok = plait_superhelix_single_step(sh, report);
    } else {
        // Start from where the rod goes, unless the energy is lower where it is.
        double here = plait_superhelix_evaluate(sh, 0, false).energy;
        extrapolate(rod, dt);
        double there = plait_superhelix_evaluate(sh, 0, false).energy;
        if (!(there < here)) {
            memcpy(sh->k, sh->goal.start, 3 * (size_t)sh->n * sizeof *sh->k);
        }
        ok = plait_superhelix_minimise(sh, options->tolerance, options->max_iterations, false, report);
    }
    if (!ok)
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

static bool linearise(plait_rod *rod, double dt, const double *v, double *f)
{
    plait_superhelix *sh = of(rod);
    set_goal(rod, dt);
    double turn[3] = {dt * v[3], dt * v[4], dt * v[5]}, held[SH_ROOT];
    for (int j = 0; j < 3; j++)
        if (!sh->held[j])
            sh->root.x[j] = dt * v[j];
    if (!sh->held[3])
        m3_rotate(sh->root.R, turn);
    for (int i = 0; i < 3 * sh->n; i++)
        sh->k[i] += dt * v[SH_ROOT + i];
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
    return true;
}

static void solve(plait_rod *rod, double *X, int count)
{
    for (int i = 0; i < count; i++)
        plait_superhelix_solve(of(rod), X + (long)i * rod->dofs);
}

static int point(const plait_rod *rod, int segment, double a, double position[3], int *first, double *J)
{
    plait_superhelix *sh = of(rod);
    load(rod, false, true);
    sh_pose pose;
    material_point(sh, segment, a, &pose);
    int count = SH_ROOT + 3 * (segment + 1);
    for (int j = 0; j < 3; j++)
        position[j] = pose.x[j] + sh->goal.origin[j];
    *first = 0;
    if (!J)
        return count;
    double minus[9] = {0};
    m3_add_cross(minus, -1, pose.x); // x - root, as the root is at zero
    for (int r = 0; r < 3; r++) {
        for (int j = 0; j < 3; j++) {
            J[r * count + j] = r == j;
            J[r * count + 3 + j] = minus[3 * r + j];
        }
        for (int q = 0; q < segment; q++)
            for (int j = 0; j < 3; j++)
                J[r * count + SH_ROOT + 3 * q + j] =
                    sh->lin[9 * q + 3 * r + j] + minus[3 * r] * sh->ang[9 * q + j] +
                    minus[3 * r + 1] * sh->ang[9 * q + 3 + j] + minus[3 * r + 2] * sh->ang[9 * q + 6 + j];
    }
    plait_helix h = plait_helix_at(sh->k + 3 * segment, a * sh->length[segment]);
    double D[9], own[9];
    plait_helix_jacobian(&h, D, NULL);
    m3_mul(sh->node[segment].R, D, own);
    for (int r = 0; r < 3; r++)
        for (int j = 0; j < 3; j++)
            J[r * count + count - 3 + j] = own[3 * r + j];
    return count;
}

static void accept(plait_rod *rod, double dt, const double *v)
{
    plait_superhelix *sh = of(rod);
    double turn[3] = {dt * v[3], dt * v[4], dt * v[5]}, e[4], *state = rod->state, *k = state + AT_K;
    memcpy(state + AT_BEFORE, state + AT_X, 7 * sizeof *state);
    memcpy(k + 3 * sh->n, k, 3 * (size_t)sh->n * sizeof *k);
    state[AT_RATE] = 1 / dt;
    memset(state + AT_V, 0, 6 * sizeof *state);
    plait_axpy(dt, v, state + AT_X);
    quat_exp(turn, e);
    quat_mul(e, state + AT_Q, state + AT_Q);
    quat_normalise(state + AT_Q);
    for (int i = 0; i < 3 * sh->n; i++)
        k[i] += dt * v[SH_ROOT + i];
    memcpy(state + AT_TIP, sh->goal.multiplier, sizeof sh->goal.multiplier);
}

static bool relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report)
{
    plait_superhelix *sh = of(rod);
    set_goal(rod, 0);
    if (!plait_superhelix_minimise(sh, options->tolerance, options->max_iterations, true, report))
        return false;
    double *state = rod->state, q[4];
    quat_from_matrix(sh->root.R, q);
    for (int j = 0; j < 3; j++)
        state[AT_X + j] = sh->goal.origin[j] + sh->root.x[j];
    memcpy(state + AT_Q, q, sizeof q);
    memset(state + AT_RATE, 0, 7 * sizeof *state);
    memcpy(state + AT_TIP, sh->goal.multiplier, sizeof sh->goal.multiplier);
    memcpy(state + AT_K, sh->k, 3 * (size_t)sh->n * sizeof *state);
    memcpy(state + AT_BEFORE, state + AT_X, 7 * sizeof *state);
    memcpy(state + AT_K + 3 * sh->n, sh->k, 3 * (size_t)sh->n * sizeof *state);
    return true;
}

// ---- what it is doing --------------------------------------------------------------------------------------------

static void positions(const plait_rod *rod, double *x)
{
    plait_superhelix *sh = of(rod);
    load(rod, false, false);
    for (int i = 0; i <= sh->n; i++)
        for (int j = 0; j < 3; j++)
            x[3 * i + j] = sh->goal.origin[j] + sh->node[i].x[j];
}

static void velocities(const plait_rod *rod, double *v)
{
    plait_superhelix *sh = of(rod);
    load(rod, true, false);
    for (int i = 0; i <= sh->n; i++)
        plait_copy(sh->node[i].x, v + 3 * i);
    load(rod, false, false);
    for (int i = 0; i <= sh->n; i++) {
        double now[9] = {0}, before[9] = {0}, all[9];
        plait_copy(sh->node[i].x, now);
        plait_copy(v + 3 * i, before);
        motion_of(rod, now, before, all);
        plait_copy(all, v + 3 * i);
    }
}

static void frames(const plait_rod *rod, double *out)
{
    plait_superhelix *sh = of(rod);
    load(rod, false, false);
    for (int q = 0; q < sh->n; q++) {
        sh_pose pose;
        material_point(sh, q, 0.5, &pose);
        for (int c = 0; c < 3; c++)
            m3_column(pose.R, c, out + 9 * q + 3 * c);
    }
}

// Adds what one Gauss point of weight w has; p is x, m1, m2 (x relative to the root) and v their velocities.
static void add_point_energy(const plait_rod *rod, double w, const double *p, const double *v, plait_rod_energies *e)
{
    const plait_section *s = &rod->section;
    const double *origin = rod->state + AT_X, inertia[3] = {s->mass, s->inertia[0], s->inertia[1]};
    for (int c = 0; c < 3; c++) {
        double arm[3], moment[3];
        plait_copy(p + 3 * c, arm);
        if (c == 0)
            plait_axpy(1, origin, arm);
        plait_cross(arm, v + 3 * c, moment);
        plait_axpy(w * inertia[c], moment, e->angular_momentum);
        e->kinetic += 0.5 * w * inertia[c] * plait_dot(v + 3 * c, v + 3 * c);
        if (c == 0) {
            plait_axpy(w * s->mass, v, e->momentum);
            e->load -= w * s->mass * plait_dot(rod->gravity, arm);
        }
    }
}

static plait_rod_energies energy(const plait_rod *rod)
{
    plait_superhelix *sh = of(rod);
    plait_rod_energies e = {0};
    load(rod, true, false);
    sample(sh, sh->goal.targets);
    load(rod, false, false);
    sample(sh, sh->goal.now);
    for (int q = 0; q < sh->n; q++) {
        double l = sh->length[q];
        for (int j = 0; j < 3; j++) {
            double strain = sh->k[3 * q + j] - sh->natural[3 * q + j];
            *(j < 2 ? &e.bend : &e.twist) += 0.5 * l * sh->stiffness[j] * strain * strain;
        }
        for (int i = 0; i < sh->gauss; i++) {
            int at = 9 * (q * sh->gauss + i);
            double v[9];
            motion_of(rod, sh->goal.now + at, sh->goal.targets + at, v);
            add_point_energy(rod, l * sh->w[i], sh->goal.now + at, v, &e);
        }
    }
    for (int i = 0; i <= sh->n; i++)
        for (int j = 0; j < 3; j++)
            e.load -= rod->force[3 * i + j] * (sh->goal.origin[j] + sh->node[i].x[j]);
    return e;
}

static void kick(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3])
{
    double arm[3], v[3];
    plait_sub(rod->state + AT_X, centre, arm);
    plait_cross(spin, arm, v);
    plait_axpy(1, v, rod->state + AT_V);
    plait_axpy(1, velocity, rod->state + AT_V);
    plait_axpy(1, spin, rod->state + AT_W);
}

const plait_body_type plait_body_superhelix = {
    .model = PLAIT_ROD_SUPERHELIX,
    .name = "superhelix",
    .title = "super-helix (Bertails et al. 2006)",
    .abilities = PLAIT_ROD_TWISTS | PLAIT_ROD_ANISOTROPIC | PLAIT_ROD_FREE_ROOT | PLAIT_ROD_HELD_TIP,
    .max_segments = MAX_ELEMENTS,
    .build = build,
    .free = release,
    .predict = predict,
    .linearise = linearise,
    .solve = solve,
    .point = point,
    .accept = accept,
    .relax = relax,
    .positions = positions,
    .velocities = velocities,
    .frames = frames,
    .energy = energy,
    .kick = kick,
};
