// bdf2.c: the formula of a step, and the history that it needs.
#include "body/bdf2.h"

#include <math.h>
#include <string.h>

enum { EULERS, DT, HEAD };
static const double LARGEST_RATIO = 2.4;

int plait_bdf2_size(int dofs)
{
    return HEAD + 3 * dofs;
}

plait_bdf2 plait_bdf2_begin(const double *history, int dofs, const double *v0, bool restart, double dt)
{
    const double *before = history + HEAD, *bar = before + dofs, *after = bar + dofs;
    plait_bdf2 s = {.kappa = 1, .dt = history[DT], .v0 = v0, .before = before, .bar = bar};
    bool same = memcmp(v0, after, (size_t)dofs * sizeof *after) == 0;
    double rho = s.dt > 0 ? dt / s.dt : INFINITY;
    if (restart || history[EULERS] < 2 || !same || rho > LARGEST_RATIO)
        return s;
    s.a0 = (1 + rho) * (1 + rho) / (1 + 2 * rho), s.a1 = rho * rho / (1 + 2 * rho);
    s.beta = (1 + rho) / (1 + 2 * rho), s.ratio = s.a1 / rho, s.kappa = 1 / (s.beta * s.beta);
    return s;
}

void plait_bdf2_end(double *history, int dofs, const plait_bdf2 *s, const double *v, const double *v1, bool restart,
                    double dt)
{
    double *before = history + HEAD, *bar = before + dofs, *after = bar + dofs;
    size_t size = (size_t)dofs * sizeof *v;
    memmove(before, s->v0, size), memmove(bar, v, size), memmove(after, v1, size);
    bool anew = s->kappa == 1 && (restart || history[EULERS] == 0);
    history[EULERS] = anew ? 1 : 2;
    history[DT] = dt;
}
