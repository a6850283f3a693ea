// admm.c: alternating directions (ADMM) for exact Coulomb friction, with one factorisation.
//
// The de Saxce velocity u + s e_N, s_i = mu_i |u_T,i|, must be in the dual cone K*. Its copy y is kept there, r is the
// multiplier of y = u + s e_N, and rho_i = 10 / tr(W_ii) the weight of contact i:
//     (1 + rho W) dr = r + rho (y - s e_N - b),  u = b + W dr         or the same in velocities: newton_system.h
//     z = alpha (u + s e_N) + (1 - alpha) y - r / rho                 over-relaxed
//     y+ = P_K*(z),  r+ = rho (y+ - z) = P_K(-rho z),  s+ = mu |u_T|
// s moves with the iteration, so that a fixed point is the exact law. Anderson acceleration runs over (y, r, s) in the
// metric (rho, 1/rho, rho), in which plain steps do not grow while s stays. It also holds on to points that are nearly
// solutions but from which plain steps would slowly leave (residuals of 1e-2 to 1e-4, many contacts and much friction):
// when it stalls, plain steps take over for a while.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/anderson.h"
#include "contact/newton_system.h"

#define WEIGHT (10.0 / 3) // rho s_i
#define RELAX 1.6
enum { WINDOW = 20, CHECK = 5, STALLED = 100, PLAIN = 300, PATIENCE = 20000 };

typedef struct admm {
    plait_system *sys;
    plait_newton_system *matrix;
    plait_anderson *anderson;
    double *state, *next, *weight; // [7n]: y, r [3n each], s [n]
    double *A_u;                   // [9n] diag(rho)
    double *q, *dr, *du;           // [3n]
    double *block;
    double *r, *u, *best; // [3n] impulses to judge, their velocities, best so far
    plait_outcome *out;
} admm;

static void free_admm(admm *a)
{
    plait_newton_system_free(a->matrix), plait_anderson_free(a->anderson);
    plait_free(a->block);
}

static bool new_admm(admm *a)
{
    plait_system *sys = a->sys;
    size_t n = (size_t)sys->n;
    a->block = plait_calloc(42 * n + 1, sizeof *a->block);
    a->matrix = plait_newton_system_new(sys, true);
    a->anderson = plait_anderson_new(7 * (int64_t)n, WINDOW, sys->team);
    if (!a->block || !a->matrix || !a->anderson)
        return false;
    double *p = a->block;
    a->state = p, a->next = p + 7 * n, a->weight = p + 14 * n, a->A_u = p + 21 * n;
    a->q = p + 30 * n, a->dr = p + 33 * n, a->du = p + 36 * n, a->best = p + 39 * n;
    for (size_t i = 0; i < n; i++) {
        double rho = WEIGHT / sys->s[i];
        for (size_t k = 0; k < 3; k++) {
            a->A_u[9 * i + 4 * k] = rho;
            a->weight[3 * i + k] = rho, a->weight[3 * n + 3 * i + k] = 1 / rho;
        }
        a->weight[6 * n + i] = rho;
    }
    return true;
}

// r / rho of a contact for r / rho - v = x: the law with the shift held.
static void multiplier(const admm *a, int64_t i, double shift, const double x[3], double y[3])
{
    double rho = WEIGHT / a->sys->s[i], z[3] = {rho * x[0], rho * x[1], rho * x[2]};
    if (plait_law_is_coulomb(&a->sys->laws, i)) { // a cone does not mind the scale
        plait_law_project(&a->sys->laws, i, 1, shift, x, y);
        return;
    }
    plait_law_project(&a->sys->laws, i, rho, shift, z, y);
    for (int k = 0; k < 3; k++)
        y[k] /= rho;
}

// y and s that go with r.
static void start(admm *a)
{
    int64_t n = a->sys->n;
    memcpy(a->state + 3 * n, a->r, 3 * (size_t)n * sizeof *a->r);
    for (int64_t i = 0; i < n; i++) {
        const double *u = a->u + 3 * i;
        double s = plait_law_shift(&a->sys->laws, i, u), *y = a->state + 3 * i;
        double minus[3] = {-u[0] - s, -u[1], -u[2]};
        multiplier(a, i, s, minus, y);
        for (int k = 0; k < 3; k++)
            y[k] -= minus[k];
        a->state[6 * n + i] = s;
    }
}

static void right_side(int64_t begin, int64_t end, void *data)
{
    admm *a = data;
    int64_t n = a->sys->n;
    const double *y = a->state, *r = y + 3 * n, *s = r + 3 * n, *b = a->sys->b;
    for (int64_t i = begin; i < end; i++)
        for (int k = 0; k < 3; k++) {
            int64_t j = 3 * i + k;
            a->q[j] = r[j] + WEIGHT / a->sys->s[i] * (y[j] - (k == 0 ? s[i] : 0) - b[j]);
        }
}

static void project(int64_t begin, int64_t end, void *data)
{
    admm *a = data;
    int64_t n = a->sys->n;
    const double *b = a->sys->b;
    for (int64_t i = begin; i < end; i++) {
        const double *y = a->state + 3 * i, *r = a->state + 3 * (n + i), *du = a->du + 3 * i;
        double *y_next = a->next + 3 * i, *r_next = a->next + 3 * (n + i);
        double rho = WEIGHT / a->sys->s[i], s = a->state[6 * n + i], minus[3];
        double u[3] = {b[3 * i] + du[0], b[3 * i + 1] + du[1], b[3 * i + 2] + du[2]};
        for (int k = 0; k < 3; k++)
            minus[k] = r[k] / rho - RELAX * (u[k] + (k == 0 ? s : 0)) - (1 - RELAX) * y[k];
        multiplier(a, i, s, minus, y_next);
        for (int k = 0; k < 3; k++)
            r_next[k] = rho * y_next[k], y_next[k] -= minus[k];
        a->next[6 * n + i] = plait_law_shift(&a->sys->laws, i, u);
    }
}

// next = G(state). False if the linear solve fails.
static bool apply(admm *a)
{
    plait_parallel_for(a->sys->n, a->sys->team, right_side, a);
    if (!plait_newton_system_solve(a->matrix, a->q, a->dr, a->du))
        return false;
    plait_parallel_for(a->sys->n, a->sys->team, project, a);
    return true;
}

// The real residual of the impulses at hand; keeps the best.
static double judge(admm *a, const double *r)
{
    size_t bytes = 3 * (size_t)a->sys->n * sizeof *r;
    memmove(a->r, r, bytes);
    plait_system_apply(a->sys, a->r, a->u);
    double residual = plait_system_residual(a->sys, a->r, a->u);
    if (residual < a->out->residual)
        a->out->residual = residual, memcpy(a->best, r, bytes);
    return residual;
}

static void iterate(admm *a, int max_iterations)
{
    plait_outcome *out = a->out;
    int64_t n = a->sys->n;
    int plain = 0, next_plain = PLAIN, stalled = 0, last_better = 0;
    double mark = INFINITY, at_better = out->residual; // residual when the present phase made, and all made, progress
    while (out->residual > a->sys->target && out->iterations < max_iterations && !out->gave_up &&
           !plait_system_tick(a->sys, out->iterations, out->residual)) {
        if (out->iterations - last_better > PATIENCE || !apply(a)) {
            out->gave_up = true;
            return;
        }
        out->iterations++;
        if (plain > 0) {
            memcpy(a->state, a->next, 7 * (size_t)n * sizeof *a->state);
            if (--plain == 0)
                plait_anderson_reset(a->anderson), mark = INFINITY;
        } else {
            plait_anderson_step(a->anderson, a->state, a->next, a->weight, a->state);
            for (int64_t i = 6 * n; i < 7 * n; i++)
                a->state[i] = fmax(0, a->state[i]);
        }
        if (out->iterations % CHECK != 0 && out->iterations < max_iterations)
            continue;
        double residual = judge(a, a->next + 3 * n);
        out->gave_up = !isfinite(residual);
        if (out->residual < 0.5 * at_better)
            at_better = out->residual, last_better = out->iterations;
        if (plain > 0)
            continue;
        stalled += CHECK;
        if (residual < 0.5 * mark)
            mark = residual, stalled = 0;
        if (stalled > STALLED)
            plain = next_plain, next_plain += next_plain / 2, stalled = 0;
    }
}

bool plait_solve_admm(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    admm a = {.sys = sys, .r = r, .u = u, .out = out};
    *out = (plait_outcome){.name = "admm", .residual = INFINITY};
    bool ok = new_admm(&a);
    if (ok) {
        memcpy(a.best, r, 3 * (size_t)sys->n * sizeof *r);
        judge(&a, r);
        start(&a);
        if (plait_newton_system_factorise(a.matrix, NULL, a.A_u))
            iterate(&a, max_iterations);
        else
            out->gave_up = true;
        out->residual = judge(&a, a.best);
    }
    free_admm(&a);
    return ok;
}
