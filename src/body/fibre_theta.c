// fibre_theta.c: elastic forces that are a mean of those at the start and those at the end of the step.
//
// Implicit Euler takes all forces at the end: m (v - v0) = dt F(x0 + dt v). With theta below 1 it is
//
//     m (v - v0) = dt [theta F(x0 + dt v) + (1 - theta) F(x0)]        x1 = x0 + dt v
//
// An oscillation of frequency w then shrinks by sqrt(1 + theta (w dt)^2) in a step instead of sqrt(1 + (w dt)^2); it is
// stable for any dt if theta >= 1/2. Contacts keep their meaning: the law is for the velocity at the end, with which
// nodes also move, so an impact is as inelastic as before.
//
// With M1, f1 a model's linearisation for implicit Euler, m that for no time and f0 = f1 about rest,
//
//     M = theta M1 + (1 - theta) m,   f = theta f1 + (1 - theta) f0
//
// for all models alike. Damping is not to be halved by that: models are built with their viscosities divided by theta,
// so that it stays implicit as a whole. The motion without contacts is one step of Newton's method from that of
// implicit Euler.
#include <lapacke.h>
#undef I // it brings in complex.h
#include <string.h>

#include "body/fibre.h"

static size_t matrix_size(const plait_rod *rod)
{
    return (size_t)rod->dofs * (size_t)(rod->bandwidth + 1);
}

size_t plait_fibre_theta_room(const plait_rod *rod)
{
    return 2 * matrix_size(rod) + (size_t)rod->dofs;
}

void plait_fibre_theta_section(double theta, plait_section *s)
{
    s->viscous_EA /= theta, s->viscous_GJ /= theta, s->drag /= theta;
    for (int k = 0; k < 2; k++)
        s->viscous_EI[k] /= theta;
}

bool plait_fibre_theta_begin(plait_body *b, double dt)
{
    const plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    size_t n = (size_t)rod->dofs, size = matrix_size(rod);
    double *m = p->start, *f0 = m + size, *rest = f0 + n;
    memset(rest, 0, n * sizeof *rest);
    return rod->type->linearise(rod, dt, rest, &(plait_rod_linear){.f = f0}) &&
           rod->type->linearise(rod, PLAIT_NO_TIME, rest, &(plait_rod_linear){.M = m, .held = b->held});
}

void plait_fibre_theta_mix(plait_body *b)
{
    const plait_fibre_impl *p = b->impl;
    double theta = b->response->theta;
    size_t n = (size_t)p->rod->dofs, size = matrix_size(p->rod);
    const double *m = p->start, *f0 = m + size;
    for (size_t k = 0; k < size; k++)
        b->M[k] = theta * b->M[k] + (1 - theta) * m[k];
    for (size_t k = 0; k < n; k++)
        b->f[k] = theta * b->f[k] + (1 - theta) * f0[k];
}

void plait_fibre_theta_residual(const plait_body *b, const double *v, double *g)
{
    const plait_fibre_impl *p = b->impl;
    double theta = b->response->theta;
    int n = p->rod->dofs, w = p->rod->bandwidth;
    const double *m = p->start, *f0 = m + matrix_size(p->rod);
    for (int i = 0; i < n; i++)
        g[i] = b->held[i] ? 0 : theta * g[i] - (1 - theta) * f0[i];
    for (int c = 0; c < n; c++) {
        const double *column = m + (size_t)c * (size_t)(w + 1);
        for (int d = 0; d <= w && c + d < n; d++) {
            g[c + d] += b->held[c + d] || b->held[c] ? 0 : (1 - theta) * column[d] * v[c];
            g[c] += d == 0 || b->held[c + d] || b->held[c] ? 0 : (1 - theta) * column[d] * v[c + d];
        }
    }
}

bool plait_fibre_theta_velocity(plait_body *b, double *v)
{
    const plait_fibre_impl *p = b->impl;
    int n = p->rod->dofs, width = p->rod->bandwidth;
    double *band = p->start + matrix_size(p->rod) + n;
    memcpy(band, b->M, matrix_size(p->rod) * sizeof *band);
    memcpy(v, b->f, (size_t)n * sizeof *v);
    return LAPACKE_dpbsv_work(LAPACK_COL_MAJOR, 'L', n, width, 1, band, width + 1, v, n) == 0;
}
