// soft_account.c: where the energy of a soft body goes in a step. The same sums as for fibres (fibre_account.c), with
// nodes that have three dofs each, so that nothing turns.
#include <math.h>
#include <string.h>

#include "body/soft.h"
#include "math/vec3.h"

static bool held(const plait_soft_impl *s, int i)
{
    return s->hold[i / 3] != PLAIT_HOLD_FREE;
}

// v . c over the dofs that are not held, c = M v - f.
static double contact_work(const plait_body *b, const double *v, double *c)
{
    const plait_soft_impl *s = b->impl;
    double sum = 0;
    memset(c, 0, (size_t)b->dofs * sizeof *c);
    plait_soft_apply(s, b->M, 1, v, c);
    for (int i = 0; i < b->dofs; i++)
        sum += held(s, i) ? 0 : v[i] * (c[i] - b->f[i]);
    return sum;
}

bool plait_soft_account(plait_body *b, double dt, const double *v, double elastic, bool touched, plait_account *a)
{
    plait_soft_impl *s = b->impl;
    const double *v0 = b->state + b->dofs;
    double theta = b->response->theta, *rest = s->trial, *there = s->direction, *viscous = s->g, *x = s->place;
    double shed = 0, along = 0, given = 0, own = 0;
    size_t n = (size_t)b->dofs;
    memset(rest, 0, n * sizeof *rest), memset(there, 0, n * sizeof *there), memset(viscous, 0, n * sizeof *viscous);
    for (int i = 0; i < b->dofs; i++)
        x[i] = b->state[i] + dt * v[i];
    double E1 = plait_soft_energy(s, x, 1, there);
    if (theta < 1)
        plait_soft_energy(s, b->state, 1, rest);
    if (s->damped)
        plait_soft_apply(s, s->D, dt, v, viscous);
    for (int i = 0; i < b->dofs; i++) {
        double m = s->mass[i / 3], kappa = s->second.kappa, v1 = plait_bdf2_after(&s->second, i, v[i]);
        double late = kappa > 1 ? s->second.late * s->second.bar[i] : 0;
        double more = kappa * (v[i] - plait_bdf2_start(&s->second, i) + late);
        double load = s->force ? s->force[i] : 0;
        double pull = theta * there[i] + (1 - theta) * rest[i], air = s->drag * (s->wind[i % 3] - v1);
        // what predict added, so that momentum is kept
        double kept = s->explicit[i] + dt * load - (1 - theta) * dt * rest[i];
        double all = m * more + viscous[i] + dt * pull - dt * m * (s->gravity[i % 3] + air) - dt * load + kept;
        shed += kappa > 1 ? m * (more * v[i] - 0.5 * (v1 - v0[i]) * (v1 + v0[i])) : 0.5 * m * more * more;
        along += dt * v[i] * pull;
        a->damping += v[i] * viscous[i], a->loads += dt * v[i] * load, a->air += dt * v[i] * m * air;
        given += kept * v[i];
        if (held(s, i))
            a->ends += v[i] * (all - kept);
        else
            own += v[i] * all;
    }
    a->contacts = touched ? contact_work(b, v, there) : 0;
    a->numerical = shed + (along - (E1 - elastic)) + given - (own - a->contacts);
    return isfinite(a->numerical);
}
