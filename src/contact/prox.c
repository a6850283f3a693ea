// prox.c: proximal point method around nonsmooth Newton.
//
// Step k solves the problem with the velocities u_i + eps s_i (r_i - r_i^k) in the place of u_i: exact Coulomb friction
// with a little isotropic compliance about the last solution, so that the matrix W + eps diag(s) is regular whatever
// rank W has. At a fixed point the compliance vanishes. The inner problem is that of newton_mfb.c with
//     F_r + eps s F_u  in the place of F_r;
// the closed form r = phi(u) that the compliance allows was tried, and struggles as soon as eps is under 1e-2.
// It is solved to a tenth of the way that the outer step makes. eps follows Newton's effort: it shrinks while a few
// steps do, and grows when they do not.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/newton.h"

#define INEXACT 0.1 // inner residual, of the outer step's length
#define SHRINK 0.3
#define GROW 5.0
#define LARGEST 1e4
enum { FEW = 3, MANY = 8, MOST = 15, PATIENCE = 200 };

typedef struct prox {
    plait_system *sys;
    plait_newton *newton;
    double *r, *u;
    double *anchor, *best; // [3n] r^k, best iterate
    double eps;
    plait_outcome *out;
} prox;

static void compliant_law(const plait_system *sys, const void *data, int i, const double r[3], const double u[3],
                          double F[3], double F_r[9], double F_u[9])
{
    const prox *x = data;
    const double *a = x->anchor + 3 * (int64_t)i;
    double e = x->eps * sys->s[i];
    double soft[3] = {u[0] + e * (r[0] - a[0]), u[1] + e * (r[1] - a[1]), u[2] + e * (r[2] - a[2])};
    plait_law_jacobian(&sys->laws, i, sys->s[i] + e, r, soft, F, F_r, F_u);
    for (int k = 0; F_r && k < 9; k++)
        F_r[k] += e * F_u[k];
}

static void keep_best(prox *x)
{
    double residual = plait_system_residual(x->sys, x->r, x->u);
    if (!(residual < x->out->residual))
        return;
    x->out->residual = residual;
    memcpy(x->best, x->r, 3 * (size_t)x->sys->n * sizeof *x->r);
}

// Length of the outer step as a velocity: what the compliance hides.
static double hidden(const prox *x)
{
    double sum = 0;
    for (int i = 0; i < 3 * x->sys->n; i++) {
        double d = x->eps * x->sys->s[i / 3] * (x->r[i] - x->anchor[i]);
        sum += d * d;
    }
    return sqrt(sum);
}

static bool must_stop(const prox *x, int max_iterations)
{
    return x->out->residual <= x->sys->target || x->out->iterations >= max_iterations ||
           plait_system_tick(x->sys, x->out->iterations, x->out->residual);
}

// Newton steps on the inner problem, from the anchor. Returns how many it took, or MOST + 1 if it was not solved.
static int solve_inner(prox *x, int max_iterations)
{
    plait_newton_reset(x->newton);
    for (int steps = 1; steps <= MOST && !must_stop(x, max_iterations); steps++) {
        double alpha = plait_newton_step(x->newton, x->r, x->u);
        x->out->iterations++;
        keep_best(x);
        if (alpha == 0)
            break;
        if (plait_newton_norm(x->newton, x->r, x->u) <= INEXACT * (hidden(x) + x->sys->target))
            return steps;
    }
    return MOST + 1;
}

static void iterate(prox *x, int max_iterations)
{
    plait_system *sys = x->sys;
    size_t bytes = 3 * (size_t)sys->n * sizeof *x->r;
    double mark = INFINITY, speed = 0;
    for (int i = 0; i < 3 * sys->n; i++)
        speed += sys->b[i] * sys->b[i];
    keep_best(x);
    // A good guess needs little compliance.
    x->eps = speed > 0 ? fmin(1, x->out->residual / sqrt(speed)) : 1;
    for (int outer = 0; !x->out->gave_up && !must_stop(x, max_iterations); outer++) {
        int steps = solve_inner(x, max_iterations);
        if (steps > MOST) {
            memcpy(x->r, x->anchor, bytes);
            plait_system_apply(sys, x->r, x->u);
        } else {
            memcpy(x->anchor, x->r, bytes);
        }
        x->eps *= steps <= FEW ? SHRINK : steps <= MANY ? 1 : steps <= MOST ? 2 : GROW;
        if (outer % PATIENCE == 0) {
            x->out->gave_up = x->out->residual > 0.5 * mark;
            mark = x->out->residual;
        }
        x->out->gave_up |= x->eps > LARGEST;
    }
}

bool plait_solve_prox(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    size_t size = 3 * (size_t)sys->n;
    prox x = {.sys = sys, .r = r, .u = u, .out = out, .eps = 1};
    *out = (plait_outcome){.name = "prox", .residual = INFINITY};
    x.newton = plait_newton_new(sys, compliant_law, &x);
    x.anchor = plait_malloc((2 * size + 1) * sizeof *r);
    bool ok = x.newton && x.anchor;
    if (ok) {
        x.best = x.anchor + size;
        memcpy(x.anchor, r, size * sizeof *r), memcpy(x.best, r, size * sizeof *r);
        plait_system_apply(sys, r, u);
        iterate(&x, max_iterations);
        memcpy(r, x.best, size * sizeof *r);
        plait_system_apply(sys, r, u);
        out->residual = plait_system_residual(sys, r, u);
    }
    plait_newton_free(x.newton), plait_free(x.anchor);
    return ok;
}
