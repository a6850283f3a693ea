// cadoux.c: Cadoux's fixed point on the de Saxce shift (Cadoux 2009; Acary, Cadoux, Lemarechal, Malick 2011).
//
// With s_i = mu_i |u_T,i| held fixed, Coulomb's law is the optimality condition of the convex problem
//     min 1/2 r^T W r + (b + s e_N)^T r   over the cones K_mu.
// Outer loop: solve it, set s to mu |u_T|, and again; a fixed point is the exact law. Inner loop: accelerated projected
// gradient in the metric s_i = tr(W_ii) / 3, with a step that follows the curvature met and momentum that starts anew
// when it points uphill, and is carried on from one convex problem to the next. The inner problem is solved to a part
// of the outer error only: more would be undone by the next s. The outer iteration is accelerated (anderson.h); with
// much friction it may go round in circles, and s then follows mu |u_T| with a damping that is doubled each time.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/anderson.h"
#include "contact/system.h"

#define INEXACT 0.6  // inner residual, of the outer one
#define MARGIN 1.05  // over the curvature met
#define SLOWEST 0.01 // damping of the shift under which there is no use in going on
#define FORGET 0.98  // per iteration
#define SOFTEST 1e-6 // least curvature, of the first one
enum { CHECK = 10, POWER_STEPS = 8, MOST = 2000, REFRESH = 200, WINDOW = 5, PATIENCE = 150 };

typedef struct cadoux {
    plait_system *sys;
    double *r, *u;                         // iterate
    double *y, *uy, *next, *next_u, *best; // [3n]
    double *shift, *next_shift;            // [n] s in use, mu |u_T|
    double L, L_least, beta, theta;        // step and momentum, carried on from one convex problem to the next
    plait_anderson *anderson;              // of the shift
    double *block;
    plait_outcome *out;
} cadoux;

// ---- the convex problem ---------------------------------------------------------------------------------------------

static double gradient_part(int64_t begin, int64_t end, const void *data)
{
    const cadoux *c = data;
    double uphill = 0;
    for (int64_t i = begin; i < end; i++) {
        const double *y = c->y + 3 * i, *u = c->uy + 3 * i, *r = c->r + 3 * i;
        double g[3] = {u[0] + c->shift[i], u[1], u[2]}, t = 1 / (c->L * c->sys->s[i]), *to = c->next + 3 * i;
        double x[3] = {y[0] - t * g[0], y[1] - t * g[1], y[2] - t * g[2]};
        plait_law_project(&c->sys->laws, i, t, c->shift[i], x, to);
        uphill += g[0] * (to[0] - r[0]) + g[1] * (to[1] - r[1]) + g[2] * (to[2] - r[2]);
    }
    return uphill;
}

static double curvature_part(int64_t begin, int64_t end, const void *data)
{
    const cadoux *c = data;
    double sum = 0;
    for (int64_t i = 3 * begin; i < 3 * end; i++)
        sum += (c->next[i] - c->y[i]) * (c->next_u[i] - c->uy[i]);
    return sum;
}

static double length_part(int64_t begin, int64_t end, const void *data)
{
    const cadoux *c = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        const double *x = c->next + 3 * i, *y = c->y + 3 * i;
        double d0 = x[0] - y[0], d1 = x[1] - y[1], d2 = x[2] - y[2];
        sum += c->sys->s[i] * (d0 * d0 + d1 * d1 + d2 * d2);
    }
    return sum;
}

static void momentum_part(int64_t begin, int64_t end, void *data)
{
    cadoux *c = data;
    for (int64_t i = 3 * begin; i < 3 * end; i++) {
        double r = c->next[i], u = c->next_u[i];
        c->y[i] = r + c->beta * (r - c->r[i]), c->uy[i] = u + c->beta * (u - c->u[i]);
        c->r[i] = r, c->u[i] = u;
    }
}

// |F|^2 of the convex problem: the residual with the shift as it is.
static double convex_part(int64_t begin, int64_t end, const void *data)
{
    const cadoux *c = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        const double *r = c->r + 3 * i, *u = c->u + 3 * i;
        double F[3];
        plait_law_convex_residual(&c->sys->laws, i, c->sys->s[i], c->shift[i], r, u, F);
        sum += F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
    }
    return sum;
}

// The real residual; keeps the best iterate.
static void judge(cadoux *c)
{
    double residual = plait_system_residual(c->sys, c->r, c->u);
    if (residual < c->out->residual) {
        c->out->residual = residual;
        memcpy(c->best, c->r, 3 * (size_t)c->sys->n * sizeof *c->r);
    }
}

static bool must_stop(const cadoux *c, int max_iterations)
{
    return c->out->residual <= c->sys->target || c->out->iterations >= max_iterations ||
           plait_system_tick(c->sys, c->out->iterations, c->out->residual);
}

// Down to the inner tolerance, or MOST iterations.
static void solve_convex(cadoux *c, double tolerance, int max_iterations)
{
    plait_system *sys = c->sys;
    for (int k = 1; k <= MOST && c->out->iterations < max_iterations && !plait_system_stopped(sys); k++) {
        double uphill = plait_parallel_sum(sys->n, sys->team, gradient_part, c);
        plait_system_apply(sys, c->next, c->next_u);
        double length = plait_parallel_sum(sys->n, sys->team, length_part, c);
        double curvature = plait_parallel_sum(sys->n, sys->team, curvature_part, c), t2 = c->theta * c->theta;
        double theta = 0.5 * (sqrt(t2 * t2 + 4 * t2) - t2);
        c->beta = c->theta * (1 - c->theta) / (t2 + theta), c->theta = theta;
        if (uphill > 0)
            c->beta = 0, c->theta = 1;
        plait_parallel_for(sys->n, sys->team, momentum_part, c);
        c->L = fmax(FORGET * c->L, fmax(c->L_least, length > 0 ? MARGIN * curvature / length : 0));
        c->out->iterations++;
        if (k % REFRESH == 0)
            plait_system_apply(sys, c->r, c->u);
        if (k % CHECK == 0) {
            judge(c);
            double inner = sqrt(plait_parallel_sum(sys->n, sys->team, convex_part, c));
            if (inner <= tolerance || must_stop(c, max_iterations))
                return;
        }
    }
}

// ---- the fixed point ------------------------------------------------------------------------------------------------

// s moves to mu |u_T|, or a part of the way.
static void move_shift(cadoux *c, double part)
{
    for (int i = 0; i < c->sys->n; i++)
        c->next_shift[i] = plait_law_shift(&c->sys->laws, i, c->u + 3 * (int64_t)i);
    if (part == 1)
        plait_anderson_step(c->anderson, c->shift, c->next_shift, NULL, c->next_shift);
    for (int i = 0; i < c->sys->n; i++)
        c->shift[i] = fmax(0, c->shift[i] + part * (c->next_shift[i] - c->shift[i]));
}

// Largest eigenvalue of the scaled W, roughly, by a few power steps.
static double first_curvature(cadoux *c)
{
    plait_system *sys = c->sys;
    double value = 1;
    for (int i = 0; i < 3 * sys->n; i++)
        c->y[i] = (1 + 0.1 * (i % 7)) / sys->s[i / 3];
    for (int k = 0; k < POWER_STEPS && !plait_system_stopped(sys); k++) {
        double xx = 0, xWx = 0, largest = 0;
        plait_system_multiply(sys, c->y, c->uy);
        for (int i = 0; i < 3 * sys->n; i++) {
            xx += sys->s[i / 3] * c->y[i] * c->y[i], xWx += c->y[i] * c->uy[i];
            c->y[i] = c->uy[i] / sys->s[i / 3], largest = fmax(largest, fabs(c->y[i]));
        }
        value = xx > 0 ? xWx / xx : 1;
        for (int i = 0; i < 3 * sys->n && largest > 0; i++)
            c->y[i] /= largest;
    }
    return value > 0 ? value : 1;
}

static void iterate(cadoux *c, int max_iterations)
{
    double mark = INFINITY, part = 1;
    int since = 0;
    for (int i = 0; i < c->sys->n; i++)
        c->shift[i] = plait_law_shift(&c->sys->laws, i, c->u + 3 * (int64_t)i);
    while (!must_stop(c, max_iterations)) {
        double residual = plait_system_residual(c->sys, c->r, c->u);
        solve_convex(c, INEXACT * fmax(residual, c->sys->target), max_iterations);
        plait_system_apply(c->sys, c->r, c->u);
        judge(c);
        since++;
        if (c->out->residual < 0.5 * mark)
            mark = c->out->residual, since = 0;
        if (since > PATIENCE)
            part *= 0.5, since = 0;
        if (part < SLOWEST) {
            c->out->gave_up = true;
            return;
        }
        move_shift(c, part);
    }
}

bool plait_solve_cadoux(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    size_t n = (size_t)sys->n, size = 3 * n;
    cadoux c = {.sys = sys, .r = r, .u = u, .out = out};
    *out = (plait_outcome){.name = "cadoux", .residual = INFINITY};
    c.block = plait_malloc((17 * n + 1) * sizeof *r);
    c.anderson = plait_anderson_new(sys->n, WINDOW, sys->team);
    bool ok = c.block && c.anderson;
    if (ok) {
        c.y = c.block, c.uy = c.y + size, c.next = c.uy + size, c.next_u = c.next + size, c.best = c.next_u + size;
        c.shift = c.best + size, c.next_shift = c.shift + n;
        memcpy(c.best, r, size * sizeof *r);
        c.L = 0.5 * first_curvature(&c), c.L_least = SOFTEST * c.L;
        plait_system_apply(sys, r, u);
        memcpy(c.y, r, size * sizeof *r), memcpy(c.uy, u, size * sizeof *u);
        c.theta = 1;
        judge(&c);
        iterate(&c, max_iterations);
        memcpy(r, c.best, size * sizeof *r);
        plait_system_apply(sys, r, u);
        out->residual = plait_system_residual(sys, r, u);
    }
    plait_anderson_free(c.anderson), plait_free(c.block);
    return ok;
}
