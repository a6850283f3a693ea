// spg.c: spectral projected gradient for exact Coulomb friction.
//
// With s_i = mu_i |u_T,i| held fixed, Coulomb's law is the optimality condition of
//     min 1/2 r^T W r + (b + s e_N)^T r   over the cones K_mu,
// whose gradient is the de Saxce velocity g = u + s e_N. A step goes along d = P(r - alpha g) - r with the spectral
// (Barzilai-Borwein) alpha, shortened by the nonmonotone rule of Grippo, Lampariello and Lucidi, which costs no product
// of its own since the function is quadratic: one product W d per iteration, in factored form where there is one. s
// follows u at every iteration, so that a fixed point is the exact law. The metric is s_i = tr(W_ii) / 3 per contact.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/system.h"

enum { MEMORY = 10, REFRESH = 100, CHECK = 5 };
#define DECREASE 1e-4 // of the slope, asked of a step
#define ALPHA_MIN 1e-8
#define ALPHA_MAX 1e8

typedef struct spg {
    plait_system *sys;
    double *r, *u, *d, *Wd;
    double alpha, step;
    double history[MEMORY]; // values of the function, -INFINITY where there is none yet
} spg;

static double shift(const spg *g, int64_t i)
{
    return plait_law_shift(&g->sys->laws, i, g->u + 3 * i);
}

// Fills d; returns the slope g.d.
static double direction_part(int64_t begin, int64_t end, const void *data)
{
    const spg *g = data;
    double slope = 0;
    for (int64_t i = begin; i < end; i++) {
        const double *r = g->r + 3 * i, *u = g->u + 3 * i;
        double a = g->alpha / g->sys->s[i], s = shift(g, i), v[3] = {u[0] + s, u[1], u[2]}, *d = g->d + 3 * i;
        double x[3] = {r[0] - a * v[0], r[1] - a * v[1], r[2] - a * v[2]}, y[3];
        plait_law_project(&g->sys->laws, i, a, s, x, y);
        for (int k = 0; k < 3; k++)
            d[k] = y[k] - r[k], slope += v[k] * d[k];
    }
    return slope;
}

static double value_part(int64_t begin, int64_t end, const void *data)
{
    const spg *g = data;
    double f = 0;
    for (int64_t i = begin; i < end; i++) {
        const double *r = g->r + 3 * i, *u = g->u + 3 * i, *b = g->sys->b + 3 * i;
        f += 0.5 * (r[0] * (u[0] + b[0]) + r[1] * (u[1] + b[1]) + r[2] * (u[2] + b[2])) + shift(g, i) * r[0];
    }
    return f;
}

static double length_part(int64_t begin, int64_t end, const void *data)
{
    const spg *g = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        const double *d = g->d + 3 * i;
        sum += g->sys->s[i] * (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    return sum;
}

static double curvature_part(int64_t begin, int64_t end, const void *data)
{
    const spg *g = data;
    double sum = 0;
    for (int64_t i = 3 * begin; i < 3 * end; i++)
        sum += g->d[i] * g->Wd[i];
    return sum;
}

static void move_part(int64_t begin, int64_t end, void *data)
{
    spg *g = data;
    for (int64_t i = 3 * begin; i < 3 * end; i++)
        g->r[i] += g->step * g->d[i], g->u[i] += g->step * g->Wd[i];
}

// The longest step <= 1 whose quadratic model stays under the largest value in memory. Other laws than Coulomb's may
// add to the function what is not known here: full steps then.
static double nonmonotone_step(const spg *g, double f, double slope, double curvature)
{
    if (!(curvature > 0) || g->sys->laws.index)
        return 1;
    double highest = f;
    for (int k = 0; k < MEMORY; k++)
        highest = fmax(highest, g->history[k]);
    double newton = (1 - DECREASE) * -slope / curvature, room = 2 * (highest - f) / curvature;
    return fmin(1, newton + sqrt(newton * newton + room));
}

bool plait_solve_spg(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    size_t size = 3 * (size_t)sys->n, bytes = size * sizeof(double);
    double *block = plait_malloc((3 * size + 1) * sizeof *block);
    if (!block)
        return false;
    spg g = {.sys = sys, .r = r, .u = u, .d = block, .Wd = block + size, .alpha = 1};
    double *best = block + 2 * size, best_residual = INFINITY;
    for (int k = 0; k < MEMORY; k++)
        g.history[k] = -INFINITY;
    plait_system_apply(sys, r, u);
    int it = 0, n = sys->n;
    plait_team team = sys->team;
    for (;; it++) {
        if (it % CHECK == 0 || it >= max_iterations) {
            if (it % REFRESH == 0 && it > 0)
                plait_system_apply(sys, r, u);
            double residual = plait_system_residual(sys, r, u);
            if (residual < best_residual)
                best_residual = residual, memcpy(best, r, bytes);
            if (residual <= sys->target || it >= max_iterations || plait_system_tick(sys, it, best_residual))
                break;
        }
        if (plait_system_stopped(sys))
            break;
        double slope = plait_parallel_sum(n, team, direction_part, &g);
        plait_system_multiply(sys, g.d, g.Wd);
        double length = plait_parallel_sum(n, team, length_part, &g);
        double curvature = plait_parallel_sum(n, team, curvature_part, &g);
        double f = plait_parallel_sum(n, team, value_part, &g);
        if (!(length > 0))
            break; // a fixed point to the last bit
        g.step = nonmonotone_step(&g, f, slope, curvature);
        g.history[it % MEMORY] = f;
        plait_parallel_for(n, team, move_part, &g);
        g.alpha = curvature > 0 ? fmin(fmax(length / curvature, ALPHA_MIN), ALPHA_MAX) : ALPHA_MAX;
    }
    memcpy(r, best, bytes);
    plait_system_apply(sys, r, u);
    *out = (plait_outcome){.residual = plait_system_residual(sys, r, u), .iterations = it, .name = "spg"};
    plait_free(block);
    return true;
}
