// der_newton.c: what the Newton minimiser (newton.h) needs of a discrete elastic rod.
#include <limits.h>
#include <string.h>

#include "base/elementary.h"
#include "body/der.h"
#include "body/newton.h"
#include "math/vec3.h"

#define LARGEST_TURN 1.5 // [rad] of an edge in one iteration

static bool try_step(plait_rod *rod, double alpha, bool curved)
{
    return curved ? plait_der_pose_try_curved(rod, alpha) : plait_der_pose_try(rod, alpha);
}

static plait_newton_value evaluate(plait_rod *rod, bool trial, double *gradient)
{
    const plait_der *d = rod->impl;
    return plait_der_evaluate(rod, &d->load, trial ? &d->trial : &d->now, gradient);
}

static void accept(plait_rod *rod)
{
    plait_der_pose_accept(rod->impl);
}

static void hessian(plait_rod *rod, bool safe)
{
    plait_der *d = rod->impl;
    d->load.convex = safe;
    plait_der_hessian(rod, &d->load, &d->now);
}

static bool factorise(plait_rod *rod, const plait_newton_matrix *matrix, double *rhs)
{
    plait_der *d = rod->impl;
    plait_der_assemble(rod, &d->load);
    plait_der_constrain(d, matrix->shift, rhs);
    return plait_banded_factorise(d->band, rod->dofs, matrix->indefinite ? -INFINITY : 0) < 0;
}

static void solve(plait_rod *rod, double *x)
{
    plait_der *d = rod->impl;
    memset(x + rod->dofs, 0, PLAIT_BAND_PAD * sizeof *x); // what the banded solver wants
    plait_banded_solve(d->band, rod->dofs, x);
}

// Twist rows count per length.
static double residual(const plait_rod *rod, double *scale, double *rounding)
{
    const plait_der *d = rod->impl;
    double sum = 0, inverse = 1 / d->rest[0];
    for (int i = 0; i < rod->dofs; i++) {
        double g = d->fixed[i] ? 0 : d->gradient[i] * (i % 4 == 3 ? inverse : 1);
        sum += g * g;
    }
    *scale = plait_der_force_scale(rod, &d->load, &d->now, rounding);
    return sqrt(sum);
}

// Of an edge, and half of how far it spins a frame: where a hinge is twisted by turns, it may be untwisted at once.
static double turn(const plait_rod *rod)
{
    const plait_der *d = rod->impl;
    double worst = 0, twisted = 1;
    for (int i = 0; i <= d->n; i++)
        twisted = fmax(twisted, fabs(d->now.hinge[i].strain[PLAIT_DER_TWIST]));
    for (int j = 0; j < d->n; j++) {
        double change[3];
        plait_vec3_sub(d->step + 4 * j + 4, d->step + 4 * j, change);
        worst = fmax(worst, plait_vec3_norm(change) / d->now.edge[j + 1].length);
        worst = fmax(worst, fabs(d->step[4 * j + 3]) / (2 * twisted));
    }
    return worst;
}

static double stretch(const plait_rod *rod)
{
    const plait_der *d = rod->impl;
    return plait_der_max_stretch(d, &d->trial);
}

// Where an end goes far the linearised equations may spin a frame by thousands of turns, which would all have to be
// undone.
static bool calm(plait_rod *rod)
{
    plait_der *d = rod->impl;
    bool cut = false;
    for (int i = 3; i < rod->dofs; i += 4)
        if (!d->fixed[i] && fabs(d->step[i]) > 2 * LARGEST_TURN)
            d->step[i] = 0, cut = true;
    return cut;
}

static void settle(plait_rod *rod)
{
    plait_der_pose_respin(rod);
}

// A rod that nothing holds falls for ever.
static bool astray(const plait_rod *rod)
{
    const plait_der *d = rod->impl;
    double farthest = 0, given = 1e3 * rod->length;
    for (int i = 0; i < rod->dofs; i++) {
        if (i % 4 < 3)
            farthest = fmax(farthest, fabs(d->now.delta[i]));
        if (d->fixed[i])
            given += fabs(d->target[i]);
    }
    return farthest > given;
}

static const plait_newton_type type = {
    .try_step = try_step, .evaluate = evaluate, .accept = accept, .hessian = hessian, .factorise = factorise,
    .solve = solve, .residual = residual, .turn = turn, .stretch = stretch, .calm = calm, .settle = settle,
    .astray = astray, .largest_turn = LARGEST_TURN,
};

bool plait_der_minimise(plait_rod *rod, const plait_der_load *load, plait_newton_options options,
                        plait_step_report *report)
{
    plait_der *d = rod->impl;
    double l = rod->length / d->n, EI = fmax(rod->section.EI[0], rod->section.EI[1]);
    double least = fmax(1e-6 * EI * l / plait_power(rod->length, 4), 2e-15 * rod->section.EA / l);
    // The second derivatives are factorised when a step is tried; curved steps use a part of their room (der_pose.c).
    plait_newton memory = {.type = &type,
                           .dofs = rod->dofs,
                           .fixed = d->fixed,
                           .weight = d->weight,
                           .gradient = d->gradient,
                           .step = d->step,
                           .trial = d->spare,
                           .spare = d->self + d->n,
                           .least = least,
                           .first = least,
                           .most = INFINITY,
                           .patience = INT_MAX};
    plait_der_pose_start(rod);
    d->load = *load;
    for (int i = 0; i < rod->dofs; i++)
        options.moving = options.moving || (d->fixed[i] && d->target[i] != 0);
    return plait_newton_minimise(rod, &memory, &options, report);
}
