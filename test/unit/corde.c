// CoRdE: derivatives, statics in closed form, the explicit step, and what every model must do.
#include "body/corde.h"

#include "math/quat.h"

#define RODS_MODEL PLAIT_ROD_CORDE
#define RODS_JACOBIAN 1e-9
#define RODS_LINEAR 1e-6
#define RODS_TWIST 0
#include "rods_cases.h"

// Gradient and Hessian of the objective at a wild configuration against central differences.
static void check_derivatives(double dt, double twist)
{
    enum { N = 5 };
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_CORDE, N, 0.1);
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = 12;
    def.curvature[1] = -5;
    def.twist = twist;
    def.gravity[1] = -9.81;
    def.section.EI[1] *= 1.7;
    def.section.viscous_EA = 1e-3 * def.section.EA;
    def.section.viscous_EI[0] = def.section.viscous_EI[1] = 1e-3 * def.section.EI[0];
    def.section.viscous_GJ = 1e-3 * def.section.GJ;
    def.section.inertia[0] *= 1e3; // so that it shows
    plait_rod *rod = rods_new(&def);
    if (!rod)
        return;
    plait_corde *m = rod->impl;
    plait_chain *c = &m->chain;
    unsigned seed = 3;
    for (int pass = 0; pass < 2; pass++) { // a bent start, then a bent and stretched iterate
        for (int i = 0; i < rod->dofs; i++) {
            seed = seed * 1664525u + 1013904223u;
            double r = (seed >> 8) / 16777216.0 - 0.5;
            c->step[i] = (i % 6 < 3 ? 0.01 : 0.8) * r;
            rod->v[i] = c->step[i];
        }
        if (pass == 0) {
            rod->type->accept(rod, 1, rod->v);
            plait_corde_start(rod, dt);
        }
    }
    memcpy(c->step, rod->v, (size_t)rod->dofs * sizeof *c->step);
    CHECK(plait_corde_try(rod, 1, false));
    plait_corde_take(rod);
    int n = rod->dofs;
    double g[6 * N + 3], up[6 * N + 3], down[6 * N + 3], worst[2] = {0}, norm[2] = {0}, h = 1e-6;
    plait_corde_evaluate(rod, false, g);
    plait_corde_hessian(rod, false);
    for (int j = 0; j < n; j++) {
        double unit = j % 6 < 3 ? 0.02 : 1; // [m] an edge
        memset(c->step, 0, (size_t)n * sizeof *c->step);
        c->step[j] = h * unit;
        plait_corde_try(rod, 1, false);
        double a = plait_corde_evaluate(rod, true, up).sum;
        plait_corde_try(rod, -1, false);
        double b = plait_corde_evaluate(rod, true, down).sum;
        worst[0] = fmax(worst[0], fabs((a - b) / (2 * h) - g[j] * unit));
        norm[0] = fmax(norm[0], fabs(g[j]) * unit);
        for (int i = j; i < n; i++) {
            double other = i % 6 < 3 ? 0.02 : 1, H = 0;
            if (i - j <= PLAIT_BAND)
                H = c->band[(size_t)j * PLAIT_BAND_STRIDE + (size_t)(i - j)];
            // Turns of one edge do not commute: the torque at the moved frame is that of the symmetric part and half
            // the torque crossed with the turn.
            double difference = (up[i] - down[i]) / (2 * h) * other;
            if (i / 6 == j / 6 && i % 6 > 2 && j % 6 > 2) {
                double e[3] = {0}, t[3];
                e[j % 6 - 3] = 1;
                plait_vec3_cross(e, g + 6 * (j / 6) + 3, t);
                difference -= 0.5 * t[i % 6 - 3];
            }
            worst[1] = fmax(worst[1], fabs(difference - H * unit * other));
            norm[1] = fmax(norm[1], fabs(H) * unit * other);
        }
    }
    CHECK(norm[0] > 0 && norm[1] > 0);
    CHECK_NEAR(worst[0], 0, 1e-7 * norm[0]);
    CHECK_NEAR(worst[1], 0, 1e-7 * norm[1]);
    plait_rod_free(rod);
}

CASE(derivatives)
{
    check_derivatives(0, 0);
    check_derivatives(0, 150); // three radians per hinge
    check_derivatives(1e-2, 30);
}

CASE(strain_of_large_turns)
{
    // Bending by phi about an axis across, between two halves of a twist psi.
    for (int k = 0; k < 40; k++) {
        double phi = 0.07 * k, psi = -9 + 0.45 * k, axis = 0.3 * k, half[3] = {0, 0, psi / 2};
        double turn[3] = {phi * cos(axis), phi * sin(axis), 0}, a[4], b[4], p[4];
        plait_quat_exp(half, a);
        plait_quat_exp(turn, b);
        plait_quat_multiply(a, b, p);
        plait_quat_multiply(p, a, p);
        corde_hinge h;
        if (!CHECK(plait_corde_strain(p, psi + 1, &h)))
            continue;
        CHECK_NEAR(h.u[0], 2 * tan(phi / 2) * cos(axis), 1e-12);
        CHECK_NEAR(h.u[1], 2 * tan(phi / 2) * sin(axis), 1e-12);
        CHECK_NEAR(h.u[2], psi, 1e-12);
        for (int i = 0; i < 4; i++)
            p[i] = -p[i];
        CHECK(plait_corde_strain(p, psi - 1, &h));
        CHECK_NEAR(h.u[0], 2 * tan(phi / 2) * cos(axis), 1e-12);
    }
}

CASE(extremes)
{
    CHECK_INT(rods_check_extremes(PLAIT_ROD_CORDE, NULL), 0);
}

CASE(extremes_explicit)
{
    // All these steps are far too long for it: refused, nothing changed.
    plait_step_options o = plait_default_step_options();
    o.scheme = PLAIT_STEP_EXPLICIT;
    CHECK(rods_check_extremes(PLAIT_ROD_CORDE, &o) > 0);
}

CASE(quaternions_stay_unit)
{
    plait_rod *rod = rods_moving(PLAIT_ROD_CORDE, 9, PLAIT_END_FREE, 0);
    if (!rod)
        return;
    const plait_corde *c = rod->impl;
    for (int k = 0; k < 50; k++)
        plait_rod_step(rod, 5e-3, NULL, NULL, NULL);
    for (int j = 0; j < c->n; j++)
        CHECK_NEAR(plait_quat_dot(c->q + 4 * j, c->q + 4 * j), 1, 1e-14);
    plait_rod_free(rod);
}

// Both schemes tend to the same motion as the step gets shorter.
CASE(explicit_and_implicit_agree)
{
    double x[2][3 * 8], dt = 5e-6;
    for (int k = 0; k < 2; k++) {
        plait_rod_def def = rods_cantilever_def(PLAIT_ROD_CORDE, 7, 0.1);
        def.gravity[1] = -9.81;
        def.section.viscous_EI[0] = def.section.viscous_EI[1] = 1e-5 * def.section.EI[0];
        plait_rod *rod = rods_new(&def);
        plait_step_options o = plait_default_step_options();
        o.scheme = k ? PLAIT_STEP_EXPLICIT : PLAIT_STEP_NONLINEAR;
        for (int i = 0; rod && i < 2000; i++) {
            plait_step_report report;
            plait_rod_step(rod, dt, &o, &report, NULL);
            if (!CHECK(report.converged)) {
                printf("%s\n", report.reason);
                break;
            }
        }
        if (rod)
            plait_rod_positions(rod, x[k]);
        plait_rod_free(rod);
    }
    double drop = fabs(x[0][3 * 7 + 1]);
    CHECK(drop > 1e-4);
    for (int i = 0; i < 24; i++)
        CHECK_NEAR(x[0][i], x[1][i], 2e-3 * drop);
}
