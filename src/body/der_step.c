// der_step.c: the time step of a discrete elastic rod, and what a contact solver needs of it.
#include <string.h>

#include "body/bdf2.h"
#include "body/der.h"
#include "math/vec3.h"

bool plait_der_predict(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report)
{
    plait_der *d = rod->impl;
    plait_der_load load = {.dt = dt, .stretch = !options->fast_projection};
    plait_newton_options newton = {.tolerance = options->tolerance,
                                   .max_iterations = options->max_iterations,
                                   .dt = dt,
                                   .linear = options->scheme == PLAIT_STEP_LINEAR};
    if (!plait_der_minimise(rod, &load, newton, report))
        return false;
    if (options->fast_projection && !plait_der_project(rod, options->stretch_limit, report))
        return false;
    report->stretch = plait_der_max_stretch(d, &d->now);
    for (int i = 0; i < rod->dofs; i++) {
        rod->v[i] = d->now.delta[i] / dt;
        if (!isfinite(rod->v[i])) {
            report->reason = "a velocity is not finite";
            return false;
        }
    }
    return true;
}

// From the start to Delta = dt v in one chart.
static bool go_on(plait_rod *rod, double dt, const double *v)
{
    plait_der *d = rod->impl;
    for (int i = 0; i < rod->dofs; i++)
        d->step[i] = dt * v[i];
    if (!plait_der_pose_try(rod, 1))
        return false;
    plait_der_pose_accept(d);
    return true;
}

static bool go_to(plait_rod *rod, double dt, const double *v)
{
    plait_der_pose_start(rod);
    return go_on(rod, dt, v);
}

// M at `now`, as it is asked for, and factorised; d->step <- -dt^2 gradient, less what the held dofs still have to go.
// f <- M v. False: not positive definite.
static bool factorise(plait_rod *rod, const plait_der_load *load, const double *v, const plait_rod_linear *out)
{
    plait_der *d = rod->impl;
    double scale = load->dt * load->dt;
    plait_der_hessian(rod, load, &d->now);
    plait_der_assemble(rod, load);
    for (size_t i = 0; i < (size_t)rod->dofs * PLAIT_BAND_STRIDE; i++)
        d->band[i] *= scale;
    for (int i = 0; i < rod->dofs; i++)
        d->step[i] = -scale * d->gradient[i];
    plait_der_constrain(d, 0, d->step);
    if (out->M)
        plait_banded_copy(d->band, rod->dofs, out->M);
    if (out->f)
        plait_banded_multiply(d->band, rod->dofs, v, out->f);
    return out->as_is || plait_banded_factorise(d->band, rod->dofs, 0) < 0;
}

bool plait_der_linearise(plait_rod *rod, double dt, const double *v, const plait_rod_linear *out)
{
    plait_der *d = rod->impl;
    plait_der_load load = {.dt = dt, .stretch = true};
    if (!go_to(rod, dt, v))
        return false;
    plait_der_evaluate(rod, &load, &d->now, d->gradient);
    while (!factorise(rod, &load, v, out))
        if (++load.convex > 2)
            return false;
    for (int i = 0; out->f && i < rod->dofs; i++)
        out->f[i] = d->fixed[i] ? d->target[i] / dt : out->f[i] + d->step[i] / dt;
    if (out->M)
        memcpy(out->held, d->fixed, (size_t)rod->dofs);
    return true;
}

bool plait_der_residual(plait_rod *rod, double dt, const double *v, double *g)
{
    plait_der *d = rod->impl;
    plait_der_load load = {.dt = dt, .stretch = true};
    if (!go_to(rod, dt, v) || !isfinite(plait_der_evaluate(rod, &load, &d->now, d->gradient).sum))
        return false;
    for (int i = 0; i < rod->dofs; i++)
        g[i] = d->fixed[i] ? 0 : dt * d->gradient[i];
    return true;
}

bool plait_der_slopes(plait_rod *rod, double dt, const double *v, plait_rod_slopes *s)
{
    const plait_der *d = rod->impl;
    plait_der_load energy = {.stretch = true}, all = {.dt = dt, .stretch = true};
    plait_der_pose_start(rod);
    if (s->start)
        s->start_value = plait_der_evaluate(rod, &energy, &d->now, s->start).sum;
    if (!go_on(rod, dt, v))
        return false;
    if (s->end)
        s->end_value = plait_der_evaluate(rod, &energy, &d->now, s->end).sum;
    return isfinite(s->start_value + s->end_value + plait_der_evaluate(rod, &all, &d->now, s->whole).sum);
}

void plait_der_spend(const plait_rod *rod, double dt, const double *v, plait_rod_spent *s)
{
    const plait_der *d = rod->impl;
    for (int i = 0; i < rod->dofs; i++) {
        int vertex = i / 4, k = i % 4;
        double more = v[i] - d->state.v[i], m = d->mass[i];
        s->past += rod->second ? m * v[i] * rod->second->bar[i] : 0;
        s->inertial += m * v[i] * more, s->shed += 0.5 * m * more * more, s->square += m * v[i] * v[i];
        s->loads += dt * v[i] * (k < 3 ? rod->force[3 * vertex + k] : rod->couple[vertex]);
        if (k < 3)
            s->momentum[k] += m * v[i];
    }
    for (int j = 0; j < d->n; j++) {
        double change = d->now.edge[j + 1].length - d->old_length[j];
        s->damping += d->viscous_EA[j] * change * change / (d->rest[j] * dt);
    }
    for (int i = d->clamped[0] ? 0 : 1; i <= (d->clamped[1] ? d->n : d->n - 1); i++) {
        plait_der_stress stress;
        plait_der_law(d, dt, i, d->now.hinge[i].strain, &stress);
        s->plastic += stress.lost, s->damping += stress.branch;
        for (int k = 0; k < PLAIT_DER_STRAINS; k++) {
            double change = d->now.hinge[i].strain[k] - d->old_strain[PLAIT_DER_STRAINS * i + k];
            s->damping += d->spring[i].viscous[k] * change * change / dt;
        }
    }
    for (int e = 0; e < 2; e++)
        for (int i = e ? d->n : 0, k = 0; d->clamped[e] && k < PLAIT_DER_STRAINS; k++) {
            double old = d->old_strain[PLAIT_DER_STRAINS * i + k], change = d->now.hinge[i].strain[k] - old;
            s->clamps += d->spring[i].viscous[k] * change / dt * (d->turned_strain[e][k] - old);
        }
}

bool plait_der_retract(plait_rod *rod, double dt, const double *about, const double *change, double *v)
{
    plait_der *d = rod->impl;
    if (!go_to(rod, dt, about))
        return false;
    for (int i = 0; i < rod->dofs; i++)
        d->step[i] = dt * change[i];
    if (!plait_der_pose_try_curved(rod, 1))
        return false;
    plait_der_pose_accept(d);
    plait_der_pose_respin(rod); // v is seen from the state, not from `about`
    for (int i = 0; i < rod->dofs; i++)
        v[i] = d->now.delta[i] / dt;
    return true;
}

void plait_der_solve(plait_rod *rod, double *X, int count)
{
    plait_der *d = rod->impl;
    for (int k = 0; k < count; k++) {
        double *x = X + (size_t)k * (size_t)rod->dofs;
        memcpy(d->spare, x, (size_t)rod->dofs * sizeof *x);
        memset(d->spare + rod->dofs, 0, PLAIT_BAND_PAD * sizeof *x);
        plait_banded_solve(d->band, rod->dofs, d->spare);
        memcpy(x, d->spare, (size_t)rod->dofs * sizeof *x);
    }
}

// The pose of `now` becomes the state.
void plait_der_store(plait_rod *rod)
{
    plait_der *d = rod->impl;
    plait_der_state *s = &d->state;
    for (int i = 0; i <= d->n; i++) {
        for (int k = 0; k < 3; k++)
            s->x[3 * i + k] += d->now.delta[4 * i + k];
        s->twist[i] = d->now.hinge[i].strain[PLAIT_DER_TWIST];
    }
    for (int j = 0; j < d->n; j++) {
        // Against the slow drift of many transports; the tangent is that of the rounded positions.
        double t[3], *m1 = s->m1 + 3 * j;
        plait_vec3_sub(s->x + 3 * (j + 1), s->x + 3 * j, t);
        plait_vec3_normalise(t);
        plait_vec3_copy(d->now.edge[j + 1].m1, m1);
        plait_vec3_orthonormalise(t, m1);
    }
    for (int e = 0; e < 2; e++) {
        if (d->clamped[e]) {
            plait_vec3_copy(rod->end[e].tangent, s->ghost + 6 * e);
            plait_vec3_copy(rod->end[e].director, s->ghost + 6 * e + 3);
        }
    }
    // Held vertices that arrived are where they were told to be, to the last bit.
    for (int e = 0; e < 2; e++) {
        int vertex = e ? d->n : 0;
        for (int k = 0; k < 3; k++) {
            double *x = &s->x[3 * vertex + k], there = rod->end[e].position[k];
            if (d->fixed[4 * vertex + k] && fabs(*x - there) <= 1e-9 * d->rest[0])
                *x = there;
        }
    }
}

bool plait_der_accept(plait_rod *rod, double dt, const double *v)
{
    plait_der *d = rod->impl;
    // After predict the pose is there already.
    bool there = true;
    for (int i = 0; i < rod->dofs && there; i++)
        there = v[i] == d->now.delta[i] / dt;
    if (!there && !go_to(rod, dt, v))
        return false;
    plait_der_store(rod);
    plait_der_remember(d, dt, d->now.hinge);
    memcpy(d->state.v, v, (size_t)rod->dofs * sizeof *v);
    return true;
}

void plait_der_get_v(const plait_rod *rod, double *v)
{
    const plait_der *d = rod->impl;
    memcpy(v, d->state.v, (size_t)rod->dofs * sizeof *v);
}

void plait_der_set_v(plait_rod *rod, const double *v)
{
    plait_der *d = rod->impl;
    memcpy(d->state.v, v, (size_t)rod->dofs * sizeof *v);
}

double *plait_der_masses(const plait_rod *rod, int *count)
{
    const plait_der *d = rod->impl;
    *count = rod->dofs;
    return d->mass;
}

bool plait_der_shift(plait_rod *rod, double dt, const double *v)
{
    if (!go_to(rod, dt, v))
        return false;
    plait_der_store(rod);
    return true;
}
