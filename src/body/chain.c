// chain.c: the banded matrix, curved steps and the linearised step of rods whose dofs form a chain.
#include "body/chain.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "math/vec3.h"

enum { ATTEMPT = 300, ATTEMPT_PART = 60 }; // iterations from one start
static const double FIRST = 1 / 16.0;      // part of a step that is done first when all of it was too much

// ---- memory ------------------------------------------------------------------------------------------------------

size_t plait_chain_room(int dofs)
{
    size_t n = (size_t)dofs;
    return 5 * n + 2 * (n + PLAIT_BAND_PAD) + plait_banded_room(dofs);
}

double *plait_chain_lay_out(plait_chain *c, int dofs, double *p)
{
    c->dofs = dofs;
    c->target = p, p += dofs;
    c->whole = p, p += dofs;
    c->weight = p, p += dofs;
    c->gradient = p, p += dofs;
    c->fixed = (unsigned char *)p, p += dofs; // more than enough
    c->step = p, p += dofs + PLAIT_BAND_PAD;
    c->spare = p, p += dofs + PLAIT_BAND_PAD;
    c->band = p, p += plait_banded_room(dofs);
    return p;
}

void plait_chain_free(plait_rod *rod)
{
    plait_chain *c = rod->impl;
    free(c ? c->memory : NULL);
    free(c);
}

// ---- linear algebra ----------------------------------------------------------------------------------------------

// What to factorise: scale * (Hessian + shift * weight).
typedef struct chain_matrix {
    double scale, shift;
    bool safe;
} chain_matrix;

// band <- the matrix, held dofs decoupled. rhs (may be NULL) is -gradient on entry; the columns of held dofs times
// their values `held` go to the right.
static void prepare(plait_rod *rod, plait_chain *c, chain_matrix matrix, const double *held, double *rhs)
{
    double *A = c->band, scale = matrix.scale;
    int n = c->dofs;
    c->assemble(rod, matrix.safe);
    for (int i = 0; i < n; i++) {
        double *column = A + (size_t)i * PLAIT_BAND_STRIDE;
        if (c->fixed[i]) {
            double value = held ? held[i] : 0;
            for (int k = 1; k <= PLAIT_BAND; k++) {
                if (rhs && i + k < n)
                    rhs[i + k] -= scale * column[k] * value;
                column[k] = 0;
                if (i - k < 0)
                    continue;
                double *above = A + (size_t)(i - k) * PLAIT_BAND_STRIDE + k;
                if (rhs)
                    rhs[i - k] -= scale * *above * value; // entries of held columns before are zero already
                *above = 0;
            }
            column[0] = 1;
            if (rhs)
                rhs[i] = value;
            continue;
        }
        column[0] += matrix.shift * c->weight[i];
    }
    if (scale != 1)
        for (int i = 0; i < n; i++)
            for (int k = 0; k <= PLAIT_BAND; k++)
                A[(size_t)i * PLAIT_BAND_STRIDE + k] *= c->fixed[i] ? 1 : scale;
}

void plait_chain_solve(plait_rod *rod, double *X, int count)
{
    plait_chain *c = rod->impl;
    for (int k = 0; k < count; k++) {
        double *x = X + (size_t)k * (size_t)c->dofs;
        memcpy(c->spare, x, (size_t)c->dofs * sizeof *x);
        memset(c->spare + c->dofs, 0, PLAIT_BAND_PAD * sizeof *x);
        plait_banded_solve(c->band, c->dofs, c->spare);
        memcpy(x, c->spare, (size_t)c->dofs * sizeof *x);
    }
}

// ---- curved steps ------------------------------------------------------------------------------------------------

static void turn_edge(const plait_chain_edge *edge, const double change[3], double e[3])
{
    double along = plait_vec3_dot(change, edge->t), across[3];
    plait_vec3_copy(change, across);
    plait_vec3_axpy(-along, edge->t, across);
    double size = plait_vec3_norm(across), angle = size / edge->length;
    double length = fmax(edge->length + along, 0.1 * edge->length);
    double c = length * plait_cos(angle), s = size > 0 ? length * plait_sin(angle) / size : 0;
    for (int k = 0; k < 3; k++)
        e[k] = c * edge->t[k] + s * across[k];
}

void plait_chain_curve(const plait_chain *c, int n, int stride, const plait_chain_edge *edge, const double *start_edge,
                       const double *present, double alpha, double *delta)
{
    const double *step = c->step;
    int last = stride * n;
    double straight[3] = {0}, curved[3] = {0};
    for (int k = 0; k < 3; k++)
        curved[k] = straight[k] = delta[k] = present[k] + alpha * step[k];
    for (int j = 0; j < n; j++) {
        double change[3], e[3];
        for (int k = 0; k < 3; k++)
            change[k] = alpha * (step[stride * (j + 1) + k] - step[stride * j + k]);
        turn_edge(&edge[j], change, e);
        for (int k = 0; k < 3; k++) {
            int to = stride * (j + 1) + k;
            delta[to] = delta[stride * j + k] + (e[k] - start_edge[3 * j + k]);
            curved[k] += delta[to];
            straight[k] += present[to] + alpha * step[to];
        }
    }
    for (int k = 0; k < 3; k++) {
        // Held ends stay held. Between two of them what is missing is spread; a free rod keeps its mean place.
        bool a = c->fixed[k], b = c->fixed[last + k];
        double miss = (straight[k] - curved[k]) / (n + 1);
        if (b)
            miss = present[last + k] + alpha * step[last + k] - delta[last + k];
        int from = c->fixed[stride + k] && n > 1 ? 1 : 0, to = c->fixed[last - stride + k] && n > 1 ? n - 1 : n;
        for (int i = 0; i <= n && !(a && !b); i++) {
            double part = !a ? 1 : to > from ? (double)(i - from) / (to - from) : i > 0;
            delta[stride * i + k] += miss * fmin(fmax(part, 0), 1);
        }
    }
}

// ---- Newton ------------------------------------------------------------------------------------------------------

void plait_chain_hessian(plait_rod *rod, bool safe)
{
    plait_chain *c = rod->impl;
    c->safe = safe; // a factor takes the place of the matrix: it is computed for each
}

bool plait_chain_factorise(plait_rod *rod, const plait_newton_matrix *matrix, double *rhs)
{
    plait_chain *c = rod->impl;
    prepare(rod, c, (chain_matrix){1, matrix->shift, c->safe}, matrix->moving ? c->target : NULL, rhs);
    return plait_banded_factorise(c->band, c->dofs, matrix->indefinite ? -INFINITY : 0) < 0;
}

void plait_chain_newton_solve(plait_rod *rod, double *x)
{
    plait_chain_solve(rod, x, 1);
}

// From where the model has started; options.moving is found out.
static bool minimise(plait_rod *rod, plait_chain *c, plait_newton_options options, plait_step_report *report)
{
    plait_newton memory = {.type = c->type,
                           .dofs = c->dofs,
                           .fixed = c->fixed,
                           .weight = c->weight,
                           .gradient = c->gradient,
                           .step = c->step,
                           .spare = c->spare,
                           .least = c->least,
                           .first = c->least,
                           .most = c->most,
                           .patience = INT_MAX};
    for (int i = 0; i < c->dofs; i++)
        options.moving = options.moving || (c->fixed[i] && c->target[i] != 0);
    return plait_newton_minimise(rod, &memory, &options, report);
}

// Adds what another attempt did.
static bool attempt(plait_rod *rod, plait_chain *c, int most, plait_newton_options options, plait_step_report *report)
{
    plait_step_report before = *report;
    options.max_iterations -= before.iterations;
    options.max_iterations = options.max_iterations < most ? options.max_iterations : most;
    report->iterations = 0;
    bool done = minimise(rod, c, options, report);
    report->iterations += before.iterations;
    return done;
}

// Steps of FIRST dt, FIRST growth dt ... dt, each from where the one before it stopped: only the last must be balanced.
// Ends go along.
static bool grow(plait_rod *rod, plait_chain *c, double growth, plait_newton_options options, plait_step_report *report)
{
    double dt = options.dt, part = 0, next = FIRST;
    memcpy(c->whole, c->target, (size_t)c->dofs * sizeof *c->whole);
    bool done = false;
    while (part < 1) {
        *c->dt = options.dt = next * dt;
        for (int i = 0; i < c->dofs; i++)
            c->target[i] = (next - part) * c->whole[i];
        done = attempt(rod, c, next < 1 ? ATTEMPT_PART : ATTEMPT, options, report);
        part = next, next = fmin(1, growth * next);
    }
    return done;
}

bool plait_chain_predict(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report)
{
    plait_chain *c = rod->impl;
    plait_newton_options newton = {.tolerance = options->tolerance,
                                   .max_iterations = options->max_iterations,
                                   .dt = dt,
                                   .linear = options->scheme == PLAIT_STEP_LINEAR};
    c->start(rod, dt);
    bool done = attempt(rod, c, ATTEMPT, newton, report);
    for (double growth = 2; !done && !newton.linear && growth > 1.05; growth = sqrt(growth)) {
        c->start(rod, dt);
        done = grow(rod, c, growth, newton, report);
    }
    if (done)
        report->stretch = c->stretch(rod);
    return done;
}

bool plait_chain_relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report)
{
    plait_chain *c = rod->impl;
    c->start(rod, 0);
    plait_newton_options newton = {.tolerance = options->tolerance, .max_iterations = options->max_iterations};
    bool done = minimise(rod, c, newton, report);
    if (done)
        report->stretch = c->stretch(rod);
    return done;
}

// ---- the linearised step -----------------------------------------------------------------------------------------

bool plait_chain_go(plait_rod *rod, double dt, const double *v)
{
    plait_chain *c = rod->impl;
    for (int i = 0; i < rod->dofs; i++)
        c->step[i] = c->fixed[i] ? c->target[i] : dt * v[i];
    if (!c->type->try_step(rod, 1, false))
        return false;
    c->type->accept(rod);
    return true;
}

bool plait_chain_residual(plait_rod *rod, double dt, const double *v, double *g)
{
    plait_chain *c = rod->impl;
    c->start(rod, dt);
    if (!plait_chain_go(rod, dt, v) || !isfinite(c->type->evaluate(rod, false, c->gradient).sum))
        return false;
    for (int i = 0; i < rod->dofs; i++)
        g[i] = c->fixed[i] ? 0 : dt * c->gradient[i];
    return true;
}

// dt = 0: of elastic energy and loads alone. g = NULL: nothing is wanted.
static double slope(plait_rod *rod, double dt, double *g)
{
    plait_chain *c = rod->impl;
    double kept = *c->dt;
    if (!g)
        return 0;
    *c->dt = dt;
    double value = c->type->evaluate(rod, false, g).sum;
    *c->dt = kept;
    return value;
}

bool plait_chain_slopes(plait_rod *rod, double dt, const double *v, plait_rod_slopes *s)
{
    plait_chain *c = rod->impl;
    c->start(rod, dt);
    s->start_value = slope(rod, 0, s->start);
    if (!plait_chain_go(rod, dt, v))
        return false;
    s->end_value = slope(rod, 0, s->end);
    return isfinite(s->start_value + s->end_value + slope(rod, dt, s->whole));
}

bool plait_chain_retract(plait_rod *rod, double dt, const double *about, const double *d)
{
    plait_chain *c = rod->impl;
    c->start(rod, dt);
    if (!plait_chain_go(rod, dt, about))
        return false;
    for (int i = 0; i < rod->dofs; i++)
        c->step[i] = c->fixed[i] ? 0 : dt * d[i];
    if (!c->type->try_step(rod, 1, true))
        return false;
    c->type->accept(rod);
    return true;
}

void plait_chain_hand_out(const plait_chain *c, const double *v, const plait_rod_linear *out)
{
    if (out->M) {
        plait_banded_copy(c->band, c->dofs, out->M);
        memcpy(out->held, c->fixed, (size_t)c->dofs);
    }
    if (out->f && v)
        plait_banded_multiply(c->band, c->dofs, v, out->f);
}

bool plait_chain_linearise(plait_rod *rod, double dt, const double *v, const plait_rod_linear *out)
{
    plait_chain *c = rod->impl;
    c->start(rod, dt);
    if (!plait_chain_go(rod, dt, v))
        return false;
    bool ok = false;
    for (int safe = 0; safe < 2 && !ok; safe++) {
        prepare(rod, c, (chain_matrix){dt * dt, 0, safe}, NULL, NULL);
        plait_chain_hand_out(c, v, out);
        ok = out->as_is || plait_banded_factorise(c->band, c->dofs, 0) < 0;
    }
    if (out->f && ok) {
        // Free dofs: f = M v - dt gradient. The columns of held dofs cancel, because they are where they should be.
        c->type->evaluate(rod, false, c->gradient);
        for (int i = 0; i < rod->dofs; i++)
            out->f[i] = c->fixed[i] ? c->target[i] / dt : out->f[i] - dt * c->gradient[i];
    }
    return ok;
}
