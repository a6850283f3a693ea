// bdf2.h: a second-order step of any body, restarted by implicit Euler at impacts.
//
// The unknown is v = (x1 - x0)/dt, so detection, gaps and the law of contacts are what they are. With rho = dt / dt of
// the step before, beta = (1 + rho)/(1 + 2 rho), a0 = (1 + rho)^2/(1 + 2 rho), a1 = rho^2/(1 + 2 rho), ratio = a1/rho,
// and v', v0' the unknown and the velocity at the start of the step before:
//
//     kappa m (v - vhat) = dt F(x0 + dt v) + H^T r,   kappa = 1/beta^2,   vhat = ratio v' + beta (a0 v0 - a1 v0')
//     x1 = x0 + dt v,   v1 = (v - ratio v')/beta                                         equal steps: kappa = 9/4
//
// which is a step of implicit Euler of a body kappa times as heavy that starts with vhat, gravity divided by kappa.
// Drag k acts on v1: k beta of the heavier body, and dt k beta ratio v' more in vhat. (Viscosity of materials acts on
// the mean rates of a step, and is of first order.) It is L-stable.
//
// A body that something hits begins anew: implicit Euler in that step and in the next one; without the second of them
// bounces gain energy. So does one that would gain energy without being hit, because what is left of a hit is faster
// than dt; one whose velocity was set from outside; and one whose dt grows by more than 1 + sqrt(2).
//
// The formula is for places, and for what is linear in them. What turns (directors of CoRdE, points of a super-helix)
// is a place too: its model applies it to the points themselves. Rigid bodies turn by a formula of second order anyway.
//
// History, in the state of a body: how many steps of implicit Euler there were (2: enough), dt, and v0, v, v1 of the
// last step.
#ifndef PLAIT_BODY_BDF2_H
#define PLAIT_BODY_BDF2_H

#include <stdbool.h>

// The formula of one step.
typedef struct plait_bdf2 {
    double kappa, ratio, beta, a0, a1; // kappa = 1: implicit Euler
    double dt;                         // of the step before
    double late;                       // dt k beta ratio
    const double *v0, *before, *bar;   // [dofs] v0, v0', v'
} plait_bdf2;

static const double plait_bdf2_most = 1e-3; // of its energy: if a step gains more, it begins anew

// Numbers of the history of so many dofs.
int plait_bdf2_size(int dofs);
// What a step of dt from v0 does. restart: something hits it.
plait_bdf2 plait_bdf2_begin(const double *history, int dofs, const double *v0, bool restart, double dt);
// With drag k [1/s].
static inline void plait_bdf2_drag(plait_bdf2 *s, double k, double dt)
{
    s->late = s->kappa > 1 ? dt * k * s->beta * s->ratio : 0;
}
// vhat; v0 if kappa = 1.
static inline double plait_bdf2_start(const plait_bdf2 *s, int i)
{
    return s->kappa > 1 ? (s->ratio + s->late) * s->bar[i] + s->beta * (s->a0 * s->v0[i] - s->a1 * s->before[i])
                        : s->v0[i];
}
// v1 for v.
static inline double plait_bdf2_after(const plait_bdf2 *s, int i, double v)
{
    return s->kappa > 1 ? (v - s->ratio * s->bar[i]) / s->beta : v;
}
// The step was done: v1 is what the state has now.
void plait_bdf2_end(double *history, int dofs, const plait_bdf2 *s, const double *v, const double *v1, bool restart,
                    double dt);

#endif
