// chain.c: minimisation over a chain of dofs.
#include "body/chain.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "math/vec3.h"

enum { MAX_SHIFTS = 80, SMALL_SHIFTS = 3, HURRY = 30, MAX_TRIALS = 40, MAX_KICKS = 12 };
static const double SUFFICIENT = 1e-4; // of the decrease that the slope promises
static const double GREAT = 0x1p60;

// ---- memory ------------------------------------------------------------------------------------------------------

size_t plait_chain_room(int dofs)
{
    size_t n = (size_t)dofs;
    return 4 * n + 2 * (n + PLAIT_BAND_PAD) + 2 * plait_banded_room(dofs);
}

double *plait_chain_lay_out(plait_chain *c, int dofs, double *p)
{
    c->dofs = dofs;
    c->target = p, p += dofs;
    c->weight = p, p += dofs;
    c->gradient = p, p += dofs;
    c->fixed = (unsigned char *)p, p += dofs; // more than enough
    c->step = p, p += dofs + PLAIT_BAND_PAD;
    c->spare = p, p += dofs + PLAIT_BAND_PAD;
    c->band = p, p += plait_banded_room(dofs);
    c->matrix = p, p += plait_banded_room(dofs);
    return p;
}

// ---- linear algebra ----------------------------------------------------------------------------------------------

// Everything of plait_chain_factorise but the factorisation.
static void prepare(plait_rod *rod, plait_chain *c, plait_chain_matrix matrix, const double *held, double *rhs)
{
    double *A = c->band, scale = matrix.scale;
    int n = c->dofs;
    c->ops->hessian(rod, matrix.safe);
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

bool plait_chain_factorise(plait_rod *rod, plait_chain *c, plait_chain_matrix matrix, const double *held, double *rhs)
{
    prepare(rod, c, matrix, held, rhs);
    return plait_banded_factorise(c->band, c->dofs, 0) < 0;
}

void plait_chain_solve(plait_chain *c, double *X, int count)
{
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

typedef struct newton {
    plait_rod *rod;
    plait_chain *c;
    const plait_chain_options *options;
    plait_step_report *report;
} newton;

static bool failed(const newton *s, const char *reason)
{
    s->report->reason = reason;
    return false;
}

static bool balanced(const newton *s)
{
    double scale, rounding, r = s->c->ops->residual(s->rod, &scale, &rounding);
    s->report->residual = scale > 0 ? r / scale : r > rounding ? INFINITY : 0;
    return r <= s->options->tolerance * scale + rounding;
}

static bool try_matrix(newton *s, double shift, bool safe)
{
    plait_chain *c = s->c;
    for (int i = 0; i < c->dofs; i++)
        c->step[i] = -c->gradient[i];
    if (!plait_chain_factorise(s->rod, c, (plait_chain_matrix){1, shift, safe}, c->target, c->step))
        return false;
    plait_chain_solve(c, c->step, 1);
    c->shift = shift;
    return true;
}

// c->step <- the Newton direction. A small shift keeps what the exact matrix knows about buckling; when it would have
// to be large the step would hardly move, and the matrix without its indefinite parts is better.
static bool find_direction(newton *s)
{
    plait_chain *c = s->c;
    double least = s->options->statics ? c->least : 0, shift = least;
    bool patient = s->options->statics || s->report->iterations > HURRY;
    for (int k = 0; k < MAX_SHIFTS; k++) {
        if (try_matrix(s, shift, false))
            return true;
        s->report->repairs++;
        if ((patient ? shift > c->most : k >= SMALL_SHIFTS) && try_matrix(s, least, true)) {
            c->shift = 0; // begin anew next time
            return true;
        }
        shift = k == 0 ? fmax(c->least, c->shift / 16) : 4 * shift;
    }
    return false;
}

static bool try_value(newton *s, double alpha, bool curved, plait_chain_value *value)
{
    if (!s->c->ops->try_step(s->rod, alpha, curved))
        return false;
    *value = s->c->ops->evaluate(s->rod, true, NULL);
    return isfinite(value->sum) && isfinite(value->magnitude);
}

static void take(newton *s)
{
    s->c->ops->accept(s->rod);
    s->c->value = s->c->ops->evaluate(s->rod, false, s->c->gradient);
}

// The trial is good, but a shifted step is short: makes it longer as long as that pays.
static void go_further(newton *s, double alpha, bool curved, double slope, double sum)
{
    plait_chain *c = s->c;
    curved = curved || s->options->statics;
    for (int i = 0; i < c->dofs; i++)
        c->step[i] *= GREAT;
    double longest = c->ops->longest(s->rod) * GREAT; // of a step that is certainly too long: the part that is not
    for (int i = 0; i < c->dofs; i++)
        c->step[i] /= GREAT;
    while (3 * alpha < longest) {
        plait_chain_value value;
        s->report->trials++;
        // at least a quarter of what the slope promises
        if (!try_value(s, 3 * alpha, curved, &value) || !(value.sum < sum + 0.5 * alpha * slope))
            break;
        sum = value.sum;
        alpha *= 3;
    }
    c->ops->try_step(s->rod, alpha, curved);
}

static bool line_search(newton *s)
{
    plait_chain *c = s->c;
    double slope = 0, alpha = c->ops->longest(s->rod);
    for (int i = 0; i < c->dofs; i++)
        slope += c->fixed[i] ? 0 : c->gradient[i] * c->step[i];
    if (!(slope <= 0))
        return false;
    for (int k = 0; k < MAX_TRIALS; k++) {
        plait_chain_value value;
        bool possible = try_value(s, alpha, s->options->statics || k > 0, &value);
        double noise = 1e-14 * (c->value.magnitude + (possible ? value.magnitude : 0));
        if (possible && value.sum <= c->value.sum + SUFFICIENT * alpha * slope + noise) {
            if (c->shift > 0 && k <= 1)
                go_further(s, alpha, k > 0, slope, value.sum);
            take(s);
            return true;
        }
        s->report->trials++;
        if (k == 0 && !s->options->statics)
            continue; // the same once more, curved
        double best = possible ? -slope * alpha * alpha / (2 * (value.sum - c->value.sum - slope * alpha)) : 0;
        alpha = fmin(fmax(best, 0.1 * alpha), 0.5 * alpha);
    }
    return false;
}

static bool ends_to_move(const plait_chain *c)
{
    for (int i = 0; i < c->dofs; i++)
        if (c->fixed[i] && c->target[i] != 0)
            return true;
    return false;
}

// Held dofs go all the way at once. The rest follows as the linearised equations say, or stays, whichever is lower.
static bool move_ends(newton *s)
{
    plait_chain *c = s->c;
    plait_chain_value full, bare;
    bool possible = try_value(s, 1, false, &full);
    memcpy(c->spare, c->step, (size_t)c->dofs * sizeof *c->step);
    for (int i = 0; i < c->dofs; i++)
        c->step[i] = c->fixed[i] ? c->step[i] : 0;
    if (try_value(s, 1, false, &bare) && !(possible && full.sum < bare.sum)) {
        take(s);
        return true;
    }
    memcpy(c->step, c->spare, (size_t)c->dofs * sizeof *c->step);
    if (!possible || !try_value(s, 1, false, &full))
        return false;
    take(s);
    return true;
}

static double weighted_norm(const plait_chain *c)
{
    double sum = 0;
    for (int i = 0; i < c->dofs; i++)
        sum += c->fixed[i] ? 0 : c->weight[i] * c->step[i] * c->step[i];
    return sqrt(sum);
}

// At a balance: whether it is a minimum. If not, steps off along the direction of most negative curvature.
static bool at_minimum(newton *s)
{
    plait_chain *c = s->c;
    if (plait_chain_factorise(s->rod, c, (plait_chain_matrix){1, c->least, false}, NULL, NULL) || c->kicks >= MAX_KICKS)
        return true;
    c->kicks++;
    double shift = 4 * c->least;
    while (!plait_chain_factorise(s->rod, c, (plait_chain_matrix){1, shift, false}, NULL, NULL)) {
        shift *= 2;
        if (!isfinite(shift))
            return true;
    }
    unsigned random = 12345; // a start without symmetry, the same every time
    for (int i = 0; i < c->dofs; i++) {
        random = random * 1664525u + 1013904223u;
        c->step[i] = c->fixed[i] ? 0 : (double)(random >> 8) / 16777216.0 - 0.5;
    }
    for (int k = 0; k < 30; k++) { // inverse iteration for the smallest eigenvalue of H relative to the weights
        double norm = weighted_norm(c);
        for (int i = 0; i < c->dofs; i++)
            c->step[i] = c->fixed[i] ? 0 : c->weight[i] * c->step[i] / norm;
        plait_chain_solve(c, c->step, 1);
    }
    double slope = 0, before = c->value.sum, norm = weighted_norm(c);
    for (int i = 0; i < c->dofs; i++)
        slope += c->fixed[i] ? 0 : c->gradient[i] * c->step[i];
    // Of a step that is far too long, longest() says which part is as long as it should be.
    for (int i = 0; i < c->dofs; i++)
        c->step[i] *= (slope > 0 ? -1e6 : 1e6) / norm;
    double far = c->ops->longest(s->rod);
    for (int k = 1; k < 20; k++) {
        plait_chain_value value;
        double alpha = 0.3 * far * plait_power(0.5, k);
        if (try_value(s, alpha, true, &value) && value.sum < before - 1e-14 * value.magnitude) {
            take(s);
            return false;
        }
    }
    return true;
}

bool plait_chain_minimise(plait_rod *rod, plait_chain *c, const plait_chain_options *options, plait_step_report *report)
{
    newton s = {rod, c, options, report};
    c->shift = 0;
    c->kicks = 0;
    c->value = c->ops->evaluate(rod, false, c->gradient);
    if (!isfinite(c->value.sum))
        return failed(&s, "the energy at the start is not finite");
    bool moving = ends_to_move(c);
    while (report->iterations < options->max_iterations) {
        if (!moving && !options->linear && balanced(&s) && (!options->statics || at_minimum(&s)))
            return true;
        if (!find_direction(&s))
            return failed(&s, "the matrix is not finite");
        report->iterations++;
        if (moving || options->linear) {
            if (options->linear && try_value(&s, 1, false, &c->value))
                take(&s);
            else if (!move_ends(&s))
                return failed(&s, "an edge or a hinge collapses when the ends are moved");
            memset(c->target, 0, (size_t)c->dofs * sizeof *c->target);
            moving = false;
            if (options->linear)
                return balanced(&s) || isfinite(report->residual) || failed(&s, "the forces are not finite");
        } else if (!line_search(&s)) {
            balanced(&s);
            return report->residual <= 100 * options->tolerance || failed(&s, "the line search found no way down");
        }
    }
    return balanced(&s) || failed(&s, "too many iterations");
}

// From the start to dt v, held dofs to their targets.
static bool go_to(plait_rod *rod, plait_chain *c, double dt, const double *v)
{
    for (int i = 0; i < rod->dofs; i++)
        c->step[i] = c->fixed[i] ? c->target[i] : dt * v[i];
    if (!c->ops->try_step(rod, 1, false))
        return false;
    c->ops->accept(rod);
    return true;
}

bool plait_chain_residual(plait_rod *rod, plait_chain *c, double dt, const double *v, double *g)
{
    if (!go_to(rod, c, dt, v) || !isfinite(c->ops->evaluate(rod, false, c->gradient).sum))
        return false;
    for (int i = 0; i < rod->dofs; i++)
        g[i] = c->fixed[i] ? 0 : dt * c->gradient[i];
    return true;
}

bool plait_chain_retract(plait_rod *rod, plait_chain *c, double dt, const double *about, const double *d)
{
    if (!go_to(rod, c, dt, about))
        return false;
    for (int i = 0; i < rod->dofs; i++)
        c->step[i] = c->fixed[i] ? 0 : dt * d[i];
    if (!c->ops->try_step(rod, 1, true))
        return false;
    c->ops->accept(rod);
    return true;
}

bool plait_chain_linearise(plait_rod *rod, plait_chain *c, double dt, const double *v, double *f)
{
    if (!go_to(rod, c, dt, v))
        return false;
    bool ok = false;
    for (int safe = 0; safe < 2 && !ok; safe++) {
        prepare(rod, c, (plait_chain_matrix){dt * dt, 0, safe}, NULL, NULL);
        memcpy(c->matrix, c->band, plait_banded_room(c->dofs) * sizeof *c->band);
        ok = plait_banded_factorise(c->band, c->dofs, 0) < 0;
    }
    if (f && ok) {
        // Free dofs: f = M v - dt gradient. The columns of held dofs cancel, because they are where they should be.
        c->ops->evaluate(rod, false, c->gradient);
        plait_banded_multiply(c->matrix, rod->dofs, v, f);
        for (int i = 0; i < rod->dofs; i++)
            f[i] = c->fixed[i] ? c->target[i] / dt : f[i] - dt * c->gradient[i];
    }
    return ok;
}

void plait_chain_copy_matrix(const plait_chain *c, double *M, unsigned char *held)
{
    for (int i = 0; i < c->dofs; i++)
        memcpy(M + (size_t)i * (PLAIT_BAND + 1), c->matrix + (size_t)i * PLAIT_BAND_STRIDE,
               (PLAIT_BAND + 1) * sizeof *M);
    memcpy(held, c->fixed, (size_t)c->dofs);
}
