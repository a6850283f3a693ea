// fibre_balance.c: how far a fibre with its contacts is from its own nonlinear equations, and what it takes to get
// nearer.
//
// A contact that presses on a curved fibre turns along with it: J^T r changes with the shape, and what it changes by
// belongs to M.
// The impulses are spread over the rod's nodes for that, as dead loads; f stays the fibre's own: M v - g(v).
#include <math.h>
#include <string.h>

#include "body/fibre.h"
#include "math/vec3.h"

static const double NEAR = 0.1;  // of the momentum of contacts
static const double SAME = 1e-9; // of a velocity: an end that goes on as it did

void plait_fibre_multiply(const plait_body *b, const double *x, double *y)
{
    int n = b->dofs, w = b->bandwidth;
    for (int c = 0; c < n; c++) {
        const double *column = b->M + (size_t)c * (size_t)(w + 1);
        y[c] += column[0] * x[c];
        for (int d = 1; d <= w && c + d < n; d++) {
            y[c + d] += column[d] * x[c];
            y[c] += column[d] * x[c + d];
        }
    }
}

// pushed += J^T impulse at a side's point, with its arm.
static void push(plait_body *b, const plait_side *side, const double impulse[3])
{
    const plait_fibre_impl *p = b->impl;
    if (b->response->couple && !p->jacobian) {
        double J[3 * PLAIT_FIBRE_NEAR], carried[3] = {0};
        int dof[PLAIT_FIBRE_NEAR], count = plait_fibre_limb(b, side, dof, J, carried);
        for (int d = 0; d < count; d++)
            for (int k = 0; k < 3; k++)
                p->pushed[dof[d]] += J[k * count + d] * impulse[k];
        return;
    }
    for (int end = 0; end < 2; end++) {
        double weight = end ? side->a : 1 - side->a;
        int node = side->segment + end;
        if (p->jacobian) {
            const double *J = p->jacobian + 3 * (size_t)node * (size_t)b->dofs;
            for (int k = 0; k < 3; k++, J += b->dofs)
                for (int d = 0; d < b->dofs; d++)
                    p->pushed[d] += weight * J[d] * impulse[k];
            if (p->spins) {
                double couple[3];
                const double *S = p->spins + 3 * (size_t)node * (size_t)b->dofs;
                plait_vec3_cross(side->arm, impulse, couple);
                for (int k = 0; k < 3; k++, S += b->dofs)
                    for (int d = 0; d < b->dofs; d++)
                        p->pushed[d] += weight * S[d] * couple[k];
            }
            continue;
        }
        int at = p->rod->stride * (node / p->samples);
        double along = (double)(node % p->samples) / p->samples;
        plait_vec3_axpy(weight * (1 - along), impulse, p->pushed + at);
        if (along > 0)
            plait_vec3_axpy(weight * along, impulse, p->pushed + at + p->rod->stride);
    }
}

void plait_fibre_press(plait_body *b, const plait_side *side, const double impulse[3])
{
    plait_fibre_impl *p = b->impl;
    if (!side) {
        memset(p->pushed, 0, (size_t)b->dofs * sizeof *p->pushed);
        if (p->press)
            memset(p->press, 0, 3 * ((size_t)p->rod->segments + 1) * sizeof *p->press);
        p->pressed = false;
        return;
    }
    p->pressed = true;
    push(b, side, impulse);
    if (!p->press)
        return;
    int segment = side->segment / p->samples;
    double a = (side->segment % p->samples + side->a) / p->samples;
    plait_vec3_axpy(1 - a, impulse, p->press + 3 * segment);
    plait_vec3_axpy(a, impulse, p->press + 3 * segment + 3);
}

// With the impulses as forces of the step: M. False: not positive definite.
static bool linearise_pressed(plait_body *b, double dt, const double *v)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    int count = 3 * (rod->segments + 1);
    double *kept = p->room + 2 * b->dofs; // dofs of curved fibres are more than that
    memcpy(kept, rod->force, (size_t)count * sizeof *kept);
    for (int i = 0; i < count; i++)
        rod->force[i] += p->press[i] / dt;
    bool ok = rod->type->linearise(rod, dt, v, &(plait_rod_linear){.f = b->f, .M = b->M, .held = b->held});
    memcpy(rod->force, kept, (size_t)count * sizeof *kept);
    if (!ok || !rod->type->residual(rod, dt, v, p->room))
        return false;
    double *f = p->room + b->dofs;
    for (int i = 0; i < b->dofs; i++)
        f[i] = b->held[i] ? b->f[i] - v[i] : -p->room[i];
    plait_fibre_multiply(b, v, f);
    memcpy(b->f, f, (size_t)b->dofs * sizeof *f);
    return true;
}

bool plait_fibre_linearise(plait_body *b, double dt, const double *v)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    if (b->curved && b->response->follows && !plait_fibre_trace_end(b, dt, v))
        return false;
    if (p->pressed && p->press && !p->start && linearise_pressed(b, dt, v))
        return true;
    if (!rod->type->linearise(rod, dt, v, &(plait_rod_linear){.f = b->f, .M = b->M, .held = b->held}))
        return false;
    if (p->start)
        plait_fibre_theta_mix(b);
    return true;
}

bool plait_fibre_tangent(plait_body *b, double dt, const double *v)
{
    plait_rod *rod = plait_fibre_of(b)->rod;
    return !b->curved &&
           rod->type->linearise(rod, dt, v, &(plait_rod_linear){.f = b->f, .M = b->M, .held = b->held, .as_is = true});
}

// a . M^-1 a; a is lost.
static double norm2(const plait_body *b, const double *a, double *x)
{
    plait_rod *rod = plait_fibre_of(b)->rod;
    double sum = 0;
    memcpy(x, a, (size_t)b->dofs * sizeof *x);
    rod->type->solve(rod, x, 1);
    for (int i = 0; i < b->dofs; i++)
        sum += b->held[i] ? 0 : a[i] * x[i];
    return sum;
}

void plait_fibre_contacts(const plait_body *b, const double *v, double *c)
{
    memset(c, 0, (size_t)b->dofs * sizeof *c);
    plait_fibre_multiply(b, v, c);
    for (int i = 0; i < b->dofs; i++)
        c[i] = b->held[i] ? 0 : c[i] - b->f[i];
}

double plait_fibre_balance_of(const plait_body *b, double dt, double *g, const double *c, double *x)
{
    const plait_fibre_impl *p = b->impl;
    const plait_rod *rod = p->rod;
    for (int i = 0; i < b->dofs; i++)
        g[i] -= c[i];
    double off = norm2(b, g, x), size = norm2(b, c, x), mass = rod->section.mass * rod->length;
    double least = PLAIT_FLOOR * p->radius / dt;
    return sqrt(off / fmax(size, least * least * mass));
}

double plait_fibre_balance(plait_body *b, double dt, const double *v)
{
    const plait_fibre_impl *p = b->impl;
    double *g = p->room, *c = g + b->dofs;
    if (!p->rod->type->residual(p->rod, dt, v, g))
        return INFINITY;
    if (p->start)
        plait_fibre_theta_residual(b, v, g);
    plait_fibre_contacts(b, v, c);
    return plait_fibre_balance_of(b, dt, g, c, c + b->dofs);
}

bool plait_fibre_settle(plait_body *b, double dt, const double *v)
{
    const plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    double *g = p->room, *x = g + 2 * b->dofs;
    rod->type->get_v(rod, b->about);
    for (int i = 0; i < b->dofs; i++)
        b->about[i] = b->held[i] ? v[i] : b->about[i];
    for (int i = 0; i < b->dofs; i++)
        p->pushed[i] = b->held[i] ? 0 : p->pushed[i];
    if (!rod->type->residual(rod, dt, b->about, g))
        return true;
    if (p->start)
        plait_fibre_theta_residual(b, b->about, g);
    for (int i = 0; i < b->dofs; i++)
        g[i] -= p->pushed[i];
    if (!(norm2(b, g, x) < NEAR * NEAR * norm2(b, p->pushed, x)))
        return true;
    b->elsewhere = plait_fibre_linearise(b, dt, b->about);
    if (b->elsewhere)
        return true;
    bool pressed = p->pressed;
    plait_fibre_of(b)->pressed = false;
    bool ok = plait_fibre_linearise(b, dt, v);
    plait_fibre_of(b)->pressed = pressed;
    return ok;
}

// Whether what it lacks at `about` is what pressed it, but for little. Without a metric: stiff directions count most,
// and a rod that moves is told from one that rests for the price of a gradient.
static bool rests_at(const plait_body *b, double dt, const double *about, double *g)
{
    const plait_fibre_impl *p = b->impl;
    double off = 0, all = 0;
    if (!p->rod->type->residual(p->rod, dt, about, g))
        return false;
    for (int i = 0; i < b->dofs; i++)
        if (g[i] != 0) // of a dof that is held it is zero
            off += (g[i] - p->pushed[i]) * (g[i] - p->pushed[i]), all += p->pushed[i] * p->pushed[i];
    return off < NEAR * NEAR * all;
}

bool plait_fibre_lean(plait_body *b, double dt, double *v)
{
    const plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    double *g = p->room, *x = g + 2 * b->dofs;
    if (!p->pressed || p->start || p->whole || b->response->mass_alone || b->response->own.fast_projection)
        return false;
    rod->type->get_v(rod, b->about);
    if (!rests_at(b, dt, b->about, g) || !plait_fibre_linearise(b, dt, b->about))
        return false;
    if (!rod->type->residual(rod, dt, b->about, g)) // its room was used
        return false;
    for (int i = 0; i < b->dofs; i++) {
        if (b->held[i] && !(fabs(b->f[i] - b->about[i]) <= SAME * fabs(b->f[i])))
            return false;
        p->pushed[i] = b->held[i] ? 0 : p->pushed[i];
        g[i] -= p->pushed[i];
    }
    if (!(norm2(b, g, x) < NEAR * NEAR * norm2(b, p->pushed, x)))
        return false;
    memcpy(v, b->f, (size_t)b->dofs * sizeof *v);
    rod->type->solve(rod, v, 1);
    b->elsewhere = b->leans = true;
    return true;
}

bool plait_fibre_retract(plait_body *b, double dt, const double *about, const double *d, double *v)
{
    plait_rod *rod = plait_fibre_of(b)->rod;
    return rod->type->retract(rod, dt, about, d, v);
}
