// apgd.c: accelerated projected gradient (Nesterov) for exact Coulomb friction.
//
// With the de Saxce shift s_i = mu_i |u_T,i| lagged by one iteration, the gradient of the convex problem at y is the
// shifted velocity g = u(y) + s e_N, and
//     r+ = P_K(y - g / (L s_i)),   y+ = r+ + beta (r+ - r)
// with the metric s_i = tr(W_ii) / 3 per contact: contacts near a clamped root are a thousand times stiffer than others.
// A fixed point is the exact law. The momentum starts anew when it points uphill (O'Donoghue and Candes 2015).
// L follows the curvature met along the steps, (r+ - y).W(r+ - y) / |r+ - y|^2, so that no bound on W is needed: u is
// linear, and the products are there already. One product with W per iteration; nothing is assembled.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "contact/system.h"
#include "math/soc.h"

enum { CHECK = 10, REFRESH = 200, POWER_STEPS = 8, PATIENCE = 800 };
#define MARGIN 1.05 // over the curvature met
#define FORGET 0.98 // per iteration: L sinks where the problem is softer
#define FIRST 0.5   // of the largest eigenvalue, to begin with: steps seldom meet all of it

typedef struct apgd {
    plait_system *sys;
    double *r, *u, *y, *uy, *next, *next_u;
    double L, beta;
} apgd;

static double gradient_part(int64_t begin, int64_t end, const void *data)
{
    const apgd *a = data;
    double uphill = 0;
    for (int64_t i = begin; i < end; i++) {
        const double *y = a->y + 3 * i, *u = a->uy + 3 * i, *r = a->r + 3 * i;
        double mu = a->sys->mu[i], t = 1 / (a->L * a->sys->s[i]), *to = a->next + 3 * i;
        bool held = a->sys->shift && a->sys->shift[i] >= 0;
        double g[3] = {u[0] + (held ? a->sys->shift[i] : mu * sqrt(u[1] * u[1] + u[2] * u[2])), u[1], u[2]};
        double x[3] = {y[0] - t * g[0], y[1] - t * g[1], y[2] - t * g[2]};
        plait_soc_project(mu, x, to);
        uphill += g[0] * (to[0] - r[0]) + g[1] * (to[1] - r[1]) + g[2] * (to[2] - r[2]);
    }
    return uphill;
}

static double curvature_part(int64_t begin, int64_t end, const void *data)
{
    const apgd *a = data;
    double sum = 0;
    for (int64_t i = 3 * begin; i < 3 * end; i++)
        sum += (a->next[i] - a->y[i]) * (a->next_u[i] - a->uy[i]);
    return sum;
}

static double step_part(int64_t begin, int64_t end, const void *data)
{
    const apgd *a = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        const double *x = a->next + 3 * i, *y = a->y + 3 * i;
        double d0 = x[0] - y[0], d1 = x[1] - y[1], d2 = x[2] - y[2];
        sum += a->sys->s[i] * (d0 * d0 + d1 * d1 + d2 * d2);
    }
    return sum;
}

static void momentum_part(int64_t begin, int64_t end, void *data)
{
    apgd *a = data;
    for (int64_t i = 3 * begin; i < 3 * end; i++) {
        double r = a->next[i], u = a->next_u[i];
        a->y[i] = r + a->beta * (r - a->r[i]), a->uy[i] = u + a->beta * (u - a->u[i]);
        a->r[i] = r, a->u[i] = u;
    }
}

// The largest eigenvalue of the scaled W, roughly, by a few power steps.
static double first_curvature(apgd *a)
{
    plait_system *sys = a->sys;
    double value = 1;
    for (int i = 0; i < 3 * sys->n; i++)
        a->y[i] = (1 + 0.1 * (i % 7)) / sys->s[i / 3];
    for (int k = 0; k < POWER_STEPS; k++) {
        plait_system_multiply(sys, a->y, a->uy);
        double xx = 0, xWx = 0, largest = 0;
        for (int i = 0; i < 3 * sys->n; i++) {
            xx += sys->s[i / 3] * a->y[i] * a->y[i], xWx += a->y[i] * a->uy[i];
            a->y[i] = a->uy[i] / sys->s[i / 3], largest = fmax(largest, fabs(a->y[i]));
        }
        value = xx > 0 ? xWx / xx : 1;
        for (int i = 0; i < 3 * sys->n && largest > 0; i++)
            a->y[i] /= largest;
    }
    return value > 0 ? value : 1;
}

bool plait_solve_apgd(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    size_t size = 3 * (size_t)sys->n, bytes = size * sizeof(double);
    double *block = malloc((5 * size + 1) * sizeof *block);
    if (!block)
        return false;
    apgd a = {.sys = sys,
              .r = r,
              .u = u,
              .y = block,
              .uy = block + size,
              .next = block + 2 * size,
              .next_u = block + 3 * size};
    double *best = block + 4 * size, best_residual = INFINITY, at_mark = INFINITY, theta = 1;
    a.L = FIRST * first_curvature(&a);
    plait_system_apply(sys, r, u);
    memcpy(a.y, r, bytes), memcpy(a.uy, u, bytes);
    int it = 0, mark = 0, patience = sys->patience > 0 ? sys->patience : PATIENCE;
    bool gave_up = false;
    for (;; it++) {
        if (it % CHECK == 0 || it >= max_iterations) {
            if (it % REFRESH == 0 && it > 0)
                plait_system_apply(sys, r, u);
            double residual = plait_system_residual(sys, r, u);
            if (residual < best_residual)
                best_residual = residual, memcpy(best, r, bytes);
            if (best_residual < 0.9 * at_mark)
                mark = it, at_mark = best_residual;
            gave_up = it - mark > patience && 2 * (it - mark) > it; // it goes round in circles
            if (residual <= sys->target || it >= max_iterations || gave_up || plait_system_tick(sys, it, best_residual))
                break;
        }
        double uphill = plait_parallel_sum(sys->n, sys->threads, gradient_part, &a);
        plait_system_apply(sys, a.next, a.next_u);
        double step2 = plait_parallel_sum(sys->n, sys->threads, step_part, &a);
        double curvature = plait_parallel_sum(sys->n, sys->threads, curvature_part, &a);
        double met = step2 > 0 ? curvature / step2 : 0, t2 = theta * theta;
        double next_theta = 0.5 * (sqrt(t2 * t2 + 4 * t2) - t2);
        a.beta = theta * (1 - theta) / (t2 + next_theta), theta = next_theta;
        if (uphill > 0)
            a.beta = 0, theta = 1;
        plait_parallel_for(sys->n, sys->threads, momentum_part, &a);
        a.L = fmax(MARGIN * met, FORGET * a.L);
    }
    memcpy(r, best, bytes);
    plait_system_apply(sys, r, u);
    *out = (plait_outcome){
        .residual = plait_system_residual(sys, r, u), .iterations = it, .gave_up = gave_up, .name = "apgd"};
    free(block);
    return true;
}
