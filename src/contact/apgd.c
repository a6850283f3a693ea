// apgd.c: accelerated projected gradient (Nesterov) for exact Coulomb friction.
//
// With the de Saxce shift s_i = mu_i |u_T,i| lagged by one iteration, the gradient of the convex problem at y is the
// shifted velocity g = u(y) + s e_N, and
//     r+ = P_K(y - g / (L s_i)),   y+ = r+ + beta (r+ - r)
// with the metric s_i = tr(W_ii) / 3 per contact: contacts near a clamped root are a thousand times stiffer than
// others.
// A fixed point is the exact law. The momentum starts anew when it points uphill (O'Donoghue and Candes 2015).
// L follows the curvature met along the steps, (r+ - y).W(r+ - y) / |r+ - y|^2, so that no bound on W is needed: u is
// linear, and the products are there already. One product with W per iteration; nothing is assembled.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "base/simd.h"
#include "contact/system.h"

enum { N = PLAIT_LANES, CHECK = 10, REFRESH = 200, POWER_STEPS = 8, PATIENCE = 800 };
#define MARGIN 1.05 // over the curvature met
#define FORGET 0.98 // per iteration: L sinks where the problem is softer
#define FIRST 0.5   // of the largest eigenvalue, to begin with: steps seldom meet all of it

typedef struct apgd {
    plait_system *sys;
    double *r, *u, *y, *uy, *next, *next_u;
    double L, beta;
} apgd;

// next <- P_K(y - g / (L s)) of contact i; returns the slope g.(next - r).
static double gradient_one(const apgd *a, int64_t i)
{
    const double *y = a->y + 3 * i, *u = a->uy + 3 * i, *r = a->r + 3 * i;
    double t = 1 / (a->L * a->sys->s[i]), *to = a->next + 3 * i;
    bool held = a->sys->shift && a->sys->shift[i] >= 0;
    double shift = held ? a->sys->shift[i] : plait_law_shift(&a->sys->laws, i, u);
    double g[3] = {u[0] + shift, u[1], u[2]};
    double x[3] = {y[0] - t * g[0], y[1] - t * g[1], y[2] - t * g[2]};
    plait_law_project(&a->sys->laws, i, t, shift, x, to);
    return g[0] * (to[0] - r[0]) + g[1] * (to[1] - r[1]) + g[2] * (to[2] - r[2]);
}

static inline void load_lanes(const double *from, double to[3][N])
{
    for (int l = 0; l < N; l++)
        for (int k = 0; k < 3; k++)
            to[k][l] = from[3 * l + k];
}

// The same for eight contacts side by side that follow Coulomb's law, without branches and without held shifts; slopes
// are added to `uphill`.
static inline __attribute__((always_inline)) void gradient_lanes(const apgd *a, int64_t i, double uphill[N])
{
    double y[3][N], g[3][N], r[3][N], to[3][N];
    const double *mu = a->sys->laws.mu + i, *s = a->sys->s + i;
    load_lanes(a->y + 3 * i, y), load_lanes(a->uy + 3 * i, g), load_lanes(a->r + 3 * i, r);
    for (int l = 0; l < N; l++)
        g[0][l] += mu[l] * sqrt(g[1][l] * g[1][l] + g[2][l] * g[2][l]);
    for (int l = 0; l < N; l++) {
        double step = 1 / (a->L * s[l]);
        double x0 = y[0][l] - step * g[0][l], x1 = y[1][l] - step * g[1][l], x2 = y[2][l] - step * g[2][l];
        double t = sqrt(x1 * x1 + x2 * x2), normal = (x0 + mu[l] * t) / (1 + mu[l] * mu[l]);
        double shrink = mu[l] * normal / (t > 0 ? t : 1);
        bool inside = t <= mu[l] * x0, zero = mu[l] * t <= -x0;
        normal = zero ? 0 : normal, shrink = zero ? 0 : shrink; // the tip of the cone: only where not inside
        to[0][l] = inside ? x0 : normal;
        shrink = inside ? 1 : shrink;
        to[1][l] = shrink * x1, to[2][l] = shrink * x2;
    }
    for (int l = 0; l < N; l++)
        uphill[l] += g[0][l] * (to[0][l] - r[0][l]) + g[1][l] * (to[1][l] - r[1][l]) + g[2][l] * (to[2][l] - r[2][l]);
    for (int l = 0; l < N; l++)
        for (int k = 0; k < 3; k++)
            a->next[3 * (i + l) + k] = to[k][l];
}

PLAIT_CLONES static double gradient_part(int64_t begin, int64_t end, const void *data)
{
    const apgd *a = data;
    double lane[N] = {0}, uphill = 0;
    bool lanes = !a->sys->shift && !a->sys->laws.index;
    for (; begin + N <= end && lanes; begin += N)
        gradient_lanes(a, begin, lane);
    for (int l = 0; l < N; l++)
        uphill += lane[l];
    for (; begin < end; begin++)
        uphill += gradient_one(a, begin);
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
    for (int k = 0; k < POWER_STEPS && !plait_system_stopped(sys); k++) {
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
    double *block = plait_malloc((5 * size + 1) * sizeof *block);
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
        if (plait_system_stopped(sys))
            break;
        double uphill = plait_parallel_sum(sys->n, sys->team, gradient_part, &a);
        plait_system_apply(sys, a.next, a.next_u);
        double step2 = plait_parallel_sum(sys->n, sys->team, step_part, &a);
        double curvature = plait_parallel_sum(sys->n, sys->team, curvature_part, &a);
        double met = step2 > 0 ? curvature / step2 : 0, t2 = theta * theta;
        double next_theta = 0.5 * (sqrt(t2 * t2 + 4 * t2) - t2);
        a.beta = theta * (1 - theta) / (t2 + next_theta), theta = next_theta;
        if (uphill > 0)
            a.beta = 0, theta = 1;
        plait_parallel_for(sys->n, sys->team, momentum_part, &a);
        a.L = fmax(MARGIN * met, FORGET * a.L);
    }
    memcpy(r, best, bytes);
    plait_system_apply(sys, r, u);
    *out = (plait_outcome){
        .residual = plait_system_residual(sys, r, u), .iterations = it, .gave_up = gave_up, .name = "apgd"};
    plait_free(block);
    return true;
}
