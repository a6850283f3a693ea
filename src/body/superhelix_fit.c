// superhelix_fit.c: a start shape that is where it was drawn.
//
// Mean rates of nodes (superhelix_build.c) are wrong by O(h) at the ends, and what one element turns all others swing
// by: the tip of ten elements misses its place by a thousandth of the length. So the curve is laid through the line,
//
//     min  FIT / h^4 * sum over Gauss points  w |x - X|^2  +  sum over elements  h |k - k0|^2     with x(L) = X(L)
//
// X the drawn line at the same length, k0 the mean rates, h the length of an element: curvatures change only as far as
// that brings points nearer. This is an equilibrium of a rod of stiffness 1 on springs whose tip is held, so the
// minimiser of steps does it. The root's frame stays where it is clamped.
#include <math.h>
#include <string.h>

#include "body/superhelix.h"
#include "math/vec3.h"

static const double FIT = 100, TOLERANCE = 1e-9;
enum { ROUNDS = 200 };

// The place at the length s of a line; from: the point to begin with, at the length `passed`.
static void place(const plait_rod_shape *shape, double s, int *from, double *passed, double x[3])
{
    for (;; (*from)++) {
        const double *p = shape->drawn + 3 * *from;
        double d[3];
        plait_vec3_sub(p + 3, p, d);
        double length = plait_vec3_norm(d);
        if (*passed + length < s && *from + 2 < shape->drawn_points) {
            *passed += length;
            continue;
        }
        plait_vec3_copy(p, x);
        plait_vec3_axpy((s - *passed) / length, d, x);
        return;
    }
}

static void set_targets(const plait_rod *rod, const plait_rod_shape *shape)
{
    const plait_superhelix *sh = rod->impl;
    double *X = sh->goal.targets, start = 0, passed = 0;
    int from = 0;
    for (int q = 0; q < sh->n; start += sh->length[q++])
        for (int i = 0; i < sh->gauss; i++, X += 9) {
            place(shape, start + sh->u[i] * sh->length[q], &from, &passed, X);
            plait_vec3_sub(X, sh->goal.origin, X);
        }
}

// How far the iterate is from the line, with its tip [m^2].
static double miss(plait_superhelix *sh)
{
    double *x = sh->goal.now, d[3], worst = 0;
    plait_superhelix_place(sh, false);
    plait_superhelix_sample(sh, x);
    for (int i = 0; i < sh->n * sh->gauss; i++) {
        plait_vec3_sub(x + 9 * i, sh->goal.targets + 9 * i, d);
        worst = fmax(worst, plait_vec3_dot(d, d));
    }
    plait_vec3_sub(sh->node[sh->n].x, sh->goal.tip.x, d);
    return fmax(worst, plait_vec3_dot(d, d));
}

// A rod of stiffness 1 on springs, without weight, held at its tip.
static void set_goal(plait_rod *rod, const plait_rod_shape *shape)
{
    plait_superhelix *sh = rod->impl;
    sh_goal *goal = &sh->goal;
    double L = rod->length, h = L / sh->n;
    plait_superhelix_set_goal(rod, 0);
    plait_vec3_set(sh->stiffness, 1, 1, 1);
    plait_vec3_set(sh->viscous, 0, 0, 0);
    goal->rate = 1; // springs are an inertia
    plait_vec3_set(goal->gravity, 0, 0, 0);
    goal->a = FIT / (h * h * h * h);
    if (!goal->tip_place) {
        goal->tip_place = true, goal->tip_frame = false;
        plait_vec3_sub(shape->drawn + 3 * (shape->drawn_points - 1), goal->origin, goal->tip.x);
    }
    for (int j = 0; j < 3; j++)
        if (goal->tip_a[j] > 0 || rod->end[1].kind == PLAIT_END_FREE)
            goal->tip_a[j] = goal->a * h;
    set_targets(rod, shape);
    memcpy(sh->natural, sh->k, 3 * (size_t)sh->n * sizeof *sh->k);
}

void plait_superhelix_fit(plait_rod *rod, const plait_rod_shape *shape)
{
    plait_superhelix *sh = rod->impl;
    if (shape->drawn_points == 0)
        return;
    double stiffness[3], viscous[3],
        *natural = rod->state + SH_AT_K + 3 * sh->n; // the configuration before is not needed yet
    plait_vec3_copy(sh->stiffness, stiffness), plait_vec3_copy(sh->viscous, viscous);
    sh->plastic = sh->creep = NULL; // it neither yields nor relaxes on the way
    memcpy(natural, sh->natural, 3 * (size_t)sh->n * sizeof *natural);
    set_goal(rod, shape);
    double before = miss(sh);
    plait_newton_options newton = {.tolerance = TOLERANCE, .max_iterations = ROUNDS, .dt = 1};
    plait_step_report report = {0};
    plait_superhelix_minimise(rod, &newton, &report); // where it does not converge it may still be nearer
    bool nearer = miss(sh) < before;
    for (int q = 0; q < sh->n; q++)
        for (int j = 0; j < 3; j++) {
            int i = 3 * q + j;
            double turned = sh->k[i] - sh->natural[i];
            sh->natural[i] = natural[i];
            if (nearer && shape->at_rest != 0)
                sh->natural[i] = j < 2 ? shape->at_rest * sh->k[i] : natural[i] + turned;
        }
    plait_vec3_copy(stiffness, sh->stiffness), plait_vec3_copy(viscous, sh->viscous);
    plait_superhelix_bind(rod);
    memset(sh->goal.multiplier, 0, sizeof sh->goal.multiplier);
    sh->goal.known_dt = 0;
    if (!nearer)
        plait_superhelix_start(rod);
    plait_superhelix_rest(rod);
}
