// corde_explicit.c: one symplectic Euler step of a CoRdE rod, and its mass matrix.
//
// Forces at the start of the step change the velocities, these move nodes and frames. The step is stable below
// 2 / (largest frequency); a longer one is refused before it does harm. The frequency is bounded from the stiffnesses
// of an edge and its hinges over the smallest mass and inertia that they move.
#include <string.h>

#include "body/corde.h"
#include "math/quat.h"

static const double SAFETY = 1.8; // below 2

// Bound of the square of the largest frequency.
static double stiffest(const plait_rod *rod)
{
    const plait_corde *c = rod->impl;
    double worst = 0;
    for (int j = 0; j < c->n; j++) {
        const plait_section *s = plait_rod_section(rod, j);
        double i0 = plait_corde_inertia(rod, j, 0), i1 = plait_corde_inertia(rod, j, 1);
        double across = fmin(i0, i1), about = i0 + i1;
        double l = c->rest[j], mass = fmin(c->mass[j], c->mass[j + 1]), hinge = 0;
        for (int k = 0; k < 3; k++) {
            double stiffness = fmax(c->stiffness[3 * j + k], c->stiffness[3 * j + 3 + k]) * (1 + c->law.share);
            double b = 4 * stiffness / fmin(c->voronoi[j], c->voronoi[j + 1]);
            hinge = fmax(hinge, b / ((k < 2 ? across : about) * l));
        }
        double along = 4 * (s->EA + c->align[j]) / l;
        worst = fmax(worst, along / mass + c->align[j] / across + hinge);
    }
    return worst;
}

// Largest ratio of viscosity to stiffness [s].
static double relaxation_time(const plait_rod *rod)
{
    const plait_section *s = &rod->section;
    double worst = s->viscous_EA / s->EA;
    for (int k = 0; k < 2; k++)
        worst = fmax(worst, s->viscous_EI[k] / s->EI[k]);
    return fmax(worst, s->viscous_GJ / s->GJ);
}

// Viscous forces from the strain rates at the start of the step, and those of a Maxwell branch as it is there.
static void add_viscous(const plait_rod *rod, double *g)
{
    const plait_corde *c = rod->impl;
    if (relaxation_time(rod) == 0 && !c->creep)
        return;
    for (int j = 0; j < c->n; j++) {
        const plait_section *s = plait_rod_section(rod, j);
        double rate[3], f;
        plait_vec3_sub(c->v + 3 * j + 3, c->v + 3 * j, rate);
        f = s->viscous_EA / c->rest[j] * plait_vec3_dot(rate, c->now.edge[j].t);
        plait_vec3_axpy(-f, c->now.edge[j].t, g + 6 * j);
        plait_vec3_axpy(f, c->now.edge[j].t, g + 6 * j + 6);
    }
    for (int i = 0; i <= c->n; i++) {
        if (!plait_corde_has_hinge(c, i))
            continue;
        double J[9], U[12], P[12], spin[3] = {0}, rate[3], torque[3];
        if (i < c->n)
            plait_vec3_axpy(1, c->w + 3 * i, spin);
        if (i > 0)
            plait_vec3_axpy(-1, c->w + 3 * (i - 1), spin);
        plait_corde_strain_jacobian(&c->now.hinge[i], c->now.q + 4 * i, c->now.q + 4 * (i + 1), J, U, P);
        plait_mat3_apply(J, spin, rate);
        for (int k = 0; k < 3; k++) {
            double open = c->now.hinge[i].u[k] - c->natural[3 * i + k];
            rate[k] *= c->viscous[3 * i + k] / c->voronoi[i];
            if (c->creep)
                rate[k] += c->law.share * c->stiffness[3 * i + k] / c->voronoi[i] * (open - c->creep[3 * i + k]);
        }
        plait_mat3_apply_transposed(J, rate, torque);
        if (i < c->n)
            plait_vec3_axpy(1, torque, g + 6 * i + 3);
        if (i > 0)
            plait_vec3_axpy(-1, torque, g + 6 * (i - 1) + 3);
    }
}

// Inertia of edge j about world axes.
static void edge_inertia(const plait_rod *rod, int j, double A[9])
{
    const plait_corde *c = rod->impl;
    plait_mat3_zero(A);
    for (int k = 0; k < 2; k++) {
        double a = plait_corde_inertia(rod, j, k) * c->rest[j], d[3];
        plait_mat3_column(c->now.R + 9 * j, k, d);
        A[0] += a, A[4] += a, A[8] += a;
        plait_mat3_add_outer(A, -a, d, d);
    }
}

void plait_corde_mass(plait_rod *rod)
{
    plait_corde *c = rod->impl;
    double *band = c->chain.band;
    memset(band, 0, plait_banded_room(rod->dofs) * sizeof *band);
    for (int i = 0; i <= c->n; i++)
        for (int k = 0; k < 3; k++)
            band[(size_t)(6 * i + k) * PLAIT_BAND_STRIDE] = c->mass[i];
    for (int j = 0; j < c->n; j++) {
        double A[9];
        edge_inertia(rod, j, A);
        plait_chain_add(band, 6 * j + 3, 6 * j + 3, 1, A);
    }
}

bool plait_corde_explicit(plait_rod *rod, double dt, double *v, plait_step_report *report)
{
    plait_corde *c = rod->impl;
    const plait_section *s = &rod->section;
    plait_corde_start(rod, 0); // elastic forces and loads are those of statics
    if (!(dt * (dt + 2 * relaxation_time(rod)) * stiffest(rod) < SAFETY * SAFETY)) {
        report->reason = "the time step is above the stability limit of the explicit step";
        return false;
    }
    double *g = c->chain.gradient;
    plait_corde_evaluate(rod, false, g);
    add_viscous(rod, g);
    for (int i = 0; i <= c->n; i++)
        for (int k = 0; k < 3; k++)
            v[6 * i + k] = (c->v[3 * i + k] - dt * g[6 * i + k] / c->mass[i]) / (1 + s->drag * dt);
    for (int j = 0; j < c->n; j++) {
        // In the frame of the edge the inertia is diagonal: about d1 inertia[1], about d2 inertia[0], about d3 both.
        const double *R = c->now.R + 9 * j;
        double inertia[2] = {plait_corde_inertia(rod, j, 0), plait_corde_inertia(rod, j, 1)};
        double l = c->rest[j], I[3] = {l * inertia[1], l * inertia[0], l * (inertia[0] + inertia[1])};
        double w[3], torque[3], L[3], gyro[3];
        plait_mat3_apply_transposed(R, c->w + 3 * j, w);
        plait_mat3_apply_transposed(R, g + 6 * j + 3, torque);
        for (int k = 0; k < 3; k++)
            L[k] = I[k] * w[k];
        plait_vec3_cross(w, L, gyro);
        for (int k = 0; k < 3; k++)
            w[k] -= dt * (torque[k] + gyro[k]) / I[k];
        plait_mat3_apply(R, w, v + 6 * j + 3);
    }
    double sum = 0;
    for (int i = 0; i < rod->dofs; i++) {
        if (c->chain.fixed[i])
            v[i] = c->chain.target[i] / dt;
        sum += fabs(v[i]);
        c->chain.step[i] = dt * v[i];
    }
    if (!isfinite(sum) || !plait_corde_try(rod, 1, false)) {
        report->reason = "an edge or a hinge collapses";
        return false;
    }
    plait_corde_take(rod);
    report->iterations = 1;
    return true;
}
