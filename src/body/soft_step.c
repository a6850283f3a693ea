// soft_step.c: the step of a soft body alone, and M and f about any velocity.
#include <math.h>
#include <string.h>

#include "body/soft.h"
#include "math/vec3.h"

enum { HALVINGS = 30 };
static const double ENOUGH = 1e-4; // of the decrease that the slope promises
static const double ROUNDING = 1e-14;

static bool held(const plait_soft_impl *s, int node)
{
    return s->hold[node] != PLAIT_HOLD_FREE;
}

static const double *velocity0(const plait_body *b)
{
    return b->state + b->dofs;
}

// ---- once in a step -------------------------------------------------------------------------------------------------

// v~, the viscosity, what of the forces is explicit; and velocities of held nodes, into v.
static void begin(plait_body *b, double dt, double *v)
{
    plait_soft_impl *s = b->impl;
    const double *v0 = velocity0(b);
    double theta = b->response->theta, slow = 1 / (1 + dt * s->drag);
    for (int i = 0; i < b->dofs; i++) { // drag is implicit: (v~ - v)/dt = gravity + drag (wind - v~)
        int node = i / 3, k = i % 3;
        s->goal[i] = slow * (v0[i] + dt * (s->gravity[k] + s->drag * s->wind[k]));
        v[i] = held(s, node) ? (s->held_at[i] - b->state[i]) / dt : v[i];
        s->explicit[i] = 0;
    }
    if (theta < 1)
        plait_soft_energy(s, b->state, (1 - theta) * dt, s->explicit);
    if (s->damped)
        plait_soft_viscosity(s, b->state, s->D);
    s->scale = 0;
    for (int i = 0; i < b->dofs; i++) // the impulses that act: of gravity and of the motion there is
        s->scale = fmax(s->scale, s->mass[i / 3] * (fabs(s->goal[i] - v0[i]) + 1e-3 * fabs(v0[i])));
}

// Drag as part of the mass: m (1 + dt drag) (v - v~).
static double inertia(const plait_soft_impl *s, double dt, int node)
{
    return s->mass[node] * (1 + dt * s->drag);
}

static void places(const plait_body *b, double dt, const double *v, double *x)
{
    for (int i = 0; i < b->dofs; i++)
        x[i] = b->state[i] + dt * v[i];
}

// phi(v); g <- phi'(v), zero where nodes are held.
static double potential(const plait_body *b, double dt, const double *v, double *g)
{
    const plait_soft_impl *s = b->impl;
    double sum = 0, viscous = 0;
    memset(g, 0, (size_t)b->dofs * sizeof *g);
    if (s->damped)
        plait_soft_apply(s, s->D, dt, v, g);
    for (int i = 0; i < b->dofs && s->damped; i++)
        viscous += 0.5 * g[i] * v[i];
    places(b, dt, v, s->place);
    sum = b->response->theta * plait_soft_energy(s, s->place, b->response->theta * dt, g) + viscous;
    for (int i = 0; i < b->dofs; i++) {
        double m = inertia(s, dt, i / 3), more = v[i] - s->goal[i];
        sum += 0.5 * m * more * more + s->explicit[i] * v[i];
        g[i] = held(s, i / 3) ? 0 : g[i] + m * more + s->explicit[i];
    }
    return sum;
}

// M about places x.
static void matrix(const plait_body *b, double dt, const double *x, double *M)
{
    const plait_soft_impl *s = b->impl;
    size_t entries = (size_t)s->plan->entries;
    if (s->damped)
        for (size_t k = 0; k < entries; k++)
            M[k] = dt * s->D[k];
    else
        memset(M, 0, entries * sizeof *M);
    plait_soft_matrix(s, x, b->response->theta * dt * dt, M);
    for (int i = 0; i < b->dofs; i++)
        M[s->plan->ptr[i + 1] - 1] += held(s, i / 3) ? 1 : inertia(s, dt, i / 3);
}

// ---- Newton's method ------------------------------------------------------------------------------------------------

static double largest(const double *x, int n)
{
    double most = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

// direction <- -M^-1 g. Returns its slope; not negative: M is not positive definite.
static double descend(plait_body *b, const double *M)
{
    plait_soft_impl *s = b->impl;
    if (plait_factor_factorise(&s->factor, M, s->factor_work) >= 0)
        return 1;
    double slope = 0;
    for (int i = 0; i < b->dofs; i++)
        s->direction[i] = -s->g[i];
    plait_factor_solve(&s->factor, s->factor_work, s->direction);
    for (int i = 0; i < b->dofs; i++)
        slope += s->g[i] * s->direction[i];
    return slope;
}

// v <- v + a direction with the first a = 1, 1/2, ... that goes down far enough. Where nothing is left to gain but
// rounding, the full step is taken.
static bool search(plait_body *b, double dt, double slope, double *phi, double *v)
{
    plait_soft_impl *s = b->impl;
    double a = 1, near = ROUNDING * (fabs(*phi) + s->scale);
    for (int k = 0; k < HALVINGS; k++, a /= 2) {
        for (int i = 0; i < b->dofs; i++)
            s->trial[i] = v[i] + a * s->direction[i];
        double there = potential(b, dt, s->trial, s->g);
        if (there <= *phi + ENOUGH * a * slope + near) {
            memcpy(v, s->trial, (size_t)b->dofs * sizeof *v);
            *phi = there;
            return true;
        }
    }
    return false;
}

static const char *minimise(plait_body *b, double dt, double *v)
{
    plait_soft_impl *s = b->impl;
    const plait_step_options *own = &b->response->own;
    double phi = potential(b, dt, v, s->g), before = INFINITY;
    int most = own->scheme == PLAIT_STEP_LINEAR ? 1 : own->max_iterations;
    for (int k = 0; k < most; k++) {
        double now = largest(s->g, b->dofs);
        if (!isfinite(now) || !isfinite(phi))
            return "a soft body's forces are not finite";
        // Stiff bodies end where forces of elements cancel to the last digits: no step makes it smaller then.
        if (now <= own->tolerance * s->scale || now == 0 || (now >= before && now <= 1e-6 * s->scale))
            return NULL;
        before = now;
        matrix(b, dt, s->place, b->M);
        double slope = descend(b, b->M);
        if (!(slope <= 0))
            return "a soft body's matrix is not positive definite";
        if (!search(b, dt, slope, &phi, v))
            return now <= 1e-4 * s->scale ? NULL : "a soft body's own equations were not solved";
    }
    return own->scheme == PLAIT_STEP_LINEAR || largest(s->g, b->dofs) <= 1e-4 * s->scale
               ? NULL
               : "a soft body's own equations were not solved";
}

bool plait_soft_linearise(plait_body *b, double dt, const double *v)
{
    plait_soft_impl *s = b->impl;
    potential(b, dt, v, s->g);
    memcpy(s->about, s->place, (size_t)b->dofs * sizeof *s->about);
    matrix(b, dt, s->place, b->M);
    for (int i = 0; i < b->dofs; i++)
        b->f[i] = -s->g[i], b->held[i] = held(s, i / 3);
    plait_soft_apply(s, b->M, 1, v, b->f);
    for (int i = 0; i < b->dofs; i++)
        b->f[i] = held(s, i / 3) ? v[i] : b->f[i];
    return isfinite(largest(b->f, b->dofs));
}

// Contacts act through the mass alone, and on top of the velocity without them.
static void mass_alone(plait_body *b, double dt, const double *v)
{
    plait_soft_impl *s = b->impl;
    memset(b->M, 0, (size_t)s->plan->entries * sizeof *b->M);
    places(b, dt, v, s->about);
    for (int i = 0; i < b->dofs; i++) {
        b->held[i] = held(s, i / 3);
        b->M[s->plan->ptr[i + 1] - 1] = b->held[i] ? 1 : s->mass[i / 3];
        b->f[i] = b->held[i] ? v[i] : s->mass[i / 3] * v[i];
    }
}

const char *plait_soft_predict(plait_body *b, double dt, double *v)
{
    memcpy(v, velocity0(b), (size_t)b->dofs * sizeof *v);
    begin(b, dt, v);
    const char *wrong = minimise(b, dt, v);
    if (wrong)
        return wrong;
    if (b->response->mass_alone) {
        mass_alone(b, dt, v);
        return NULL;
    }
    return plait_soft_linearise(b, dt, v) ? NULL : "a soft body's forces are not finite";
}

bool plait_soft_stiffen(plait_body *b, double time)
{
    plait_soft_impl *s = b->impl;
    if (s->damped)
        plait_soft_viscosity(s, b->state, s->D);
    matrix(b, time, b->state, b->M);
    memset(b->f, 0, (size_t)b->dofs * sizeof *b->f);
    for (int i = 0; i < b->dofs; i++)
        b->held[i] = held(s, i / 3);
    return true;
}
