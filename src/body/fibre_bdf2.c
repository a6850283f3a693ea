// fibre_bdf2.c: a second-order step, restarted by implicit Euler at impacts.
//
// The unknown is v = (x1 - x0)/dt, so detection, gaps and the law of contacts are what they are. With rho = dt / dt of
// the step before, beta = (1 + rho)/(1 + 2 rho), a0 = (1 + rho)^2/(1 + 2 rho), a1 = rho^2/(1 + 2 rho), and v_, v of one
// step ago:
//
//     kappa m (v - vhat) = dt F(x0 + dt v) + H^T r,   kappa = 1/beta^2,   vhat = (a1/rho) v + beta (a0 v0 - a1 v_)     
//     (one step ago: v, v_)
//     x1 = x0 + dt v,   v1 = (v - (a1/rho) v one step ago)/beta                                    equal steps: kappa =
//     9/4
//
// which is a step of implicit Euler of a rod kappa times as heavy that starts with vhat, gravity and drag divided by
// kappa. It is
// L-stable. A body that something hits begins anew: implicit Euler in that step and in the next one; without the second
// of them bounces gain energy. So it does after a velocity was set from outside, and where dt grows by more than 1 +
// sqrt(2).
//
// History, behind the rod's state: how many steps of implicit Euler there were (2: enough), dt, and v0, v, v1 of the
// last step.
#include <math.h>
#include <string.h>

#include "body/fibre.h"

enum { EULERS, DT, HEAD };
static const double LARGEST_RATIO = 2.4;

int plait_fibre_history_size(const plait_rod *rod)
{
    return HEAD + 3 * rod->dofs;
}

static double *history(const plait_body *b)
{
    return b->state + plait_fibre_of(b)->rod->state_size + 1;
}

static void weigh(const plait_body *b, double factor)
{
    const plait_fibre_impl *p = b->impl;
    int count;
    double *mass = p->rod->type->masses(p->rod, &count);
    for (int i = 0; i < count; i++)
        mass[i] = factor * p->mass[i];
    p->rod->section.drag = p->drag / factor;
    for (int k = 0; k < 3 && factor != 1; k++)
        p->rod->gravity[k] /= factor;
}

void plait_fibre_bdf2_begin(plait_body *b, double dt)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    int n = rod->dofs;
    memcpy(b->state, b->before, (size_t)b->state_size * sizeof *b->state);
    const double *h = history(b), *before = h + HEAD, *bar = before + n, *after = bar + n;
    rod->type->get_v(rod, p->v0);
    p->kappa = 1;
    weigh(b, 1);
    bool same = memcmp(p->v0, after, (size_t)n * sizeof *after) == 0;
    double rho = h[DT] > 0 ? dt / h[DT] : INFINITY;
    if (b->restart || h[EULERS] < 2 || !same || rho > LARGEST_RATIO)
        return;
    double a0 = (1 + rho) * (1 + rho) / (1 + 2 * rho), a1 = rho * rho / (1 + 2 * rho);
    p->beta = (1 + rho) / (1 + 2 * rho), p->ratio = a1 / rho, p->kappa = 1 / (p->beta * p->beta);
    for (int i = 0; i < n; i++)
        rod->v[i] = p->ratio * bar[i] + p->beta * (a0 * p->v0[i] - a1 * before[i]);
    rod->type->set_v(rod, rod->v);
    weigh(b, p->kappa);
}

void plait_fibre_bdf2_end(plait_body *b, double dt, const double *v)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    int n = rod->dofs;
    double *h = history(b), *before = h + HEAD, *bar = before + n, *after = bar + n;
    for (int i = 0; i < n; i++) {
        after[i] = p->kappa > 1 ? (v[i] - p->ratio * bar[i]) / p->beta : v[i];
        before[i] = p->v0[i], bar[i] = v[i];
    }
    rod->type->set_v(rod, after);
    for (int k = 0; k < 3 && p->kappa > 1; k++)
        rod->gravity[k] *= p->kappa;
    weigh(b, 1);
    bool anew = p->kappa == 1 && (b->restart || h[EULERS] == 0);
    h[EULERS] = anew ? 1 : 2;
    h[DT] = dt, p->kappa = 1;
}
