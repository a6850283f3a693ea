// der_derivatives.c: gradient and Hessian of a discrete elastic rod against finite differences of its energy.
#include "body/der.h"

#include "base/rng.h"
#include "check.h"

enum { N = 6, DOFS = 4 * N + 3 };

// A crooked, twisted, stretched rod with anisotropic section, natural curvature and twist, viscosity and clamps.
static plait_rod *make(bool clamped, uint64_t seed)
{
    plait_rng rng = plait_rng_new(seed, 1);
    double points[3 * (N + 1)] = {0};
    for (int i = 1; i <= N; i++)
        for (int k = 0; k < 3; k++)
            points[3 * i + k] = points[3 * i - 3 + k] + (k == 0 ? 1 : 0) + 0.45 * plait_rng_normal(&rng);
    plait_rod_def def = plait_default_rod_def();
    def.section = (plait_section){.radius = {0.01, 0.02},
                                  .EA = 3,
                                  .EI = {0.7, 1.9},
                                  .GJ = 1.3,
                                  .mass = 0.8,
                                  .inertia = {0.02, 0.05},
                                  .viscous_EA = 0.3,
                                  .viscous_EI = {0.06, 0.11},
                                  .viscous_GJ = 0.09,
                                  .drag = 0.4};
    def.point_count = N + 1;
    def.points = points;
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = 0.3, def.curvature[1] = -0.2, def.twist = 0.25;
    def.gravity[2] = -1.7;
    if (clamped) {
        for (int e = 0; e < 2; e++) {
            def.end[e] = (plait_end){.kind = PLAIT_END_CLAMPED, .tangent = {1, 0.3, e ? 0.4 : -0.2}};
            def.end[e].slide = 7; // the frame is held, the vertex is not: all derivatives stay visible
            for (int k = 0; k < 3; k++)
                def.end[e].director[k] = plait_rng_normal(&rng);
        }
    }
    plait_error error = {0};
    plait_rod *rod = plait_rod_new(&def, &error);
    if (!CHECK(rod != NULL)) {
        printf("%s\n", error.text);
        exit(1);
    }
    plait_der *d = rod->impl;
    // Velocities and a pose away from the state, so that no term is zero by chance.
    plait_der_pose_start(rod);
    for (int i = 0; i < DOFS; i++) {
        d->state.v[i] = plait_rng_normal(&rng);
        d->step[i] = 0.15 * plait_rng_normal(&rng);
    }
    CHECK(plait_der_pose_try(rod, 1));
    plait_der_pose_accept(d);
    return rod;
}

// Energy at `now` moved by h along dof i and by g along dof j, frames carried straight from `now`.
static double energy_at(plait_rod *rod, const plait_der_load *load, int i, double h, int j, double g)
{
    plait_der *d = rod->impl;
    double scratch[DOFS];
    memset(d->step, 0, DOFS * sizeof *d->step);
    d->step[i] += h;
    d->step[j] += g;
    CHECK(plait_der_pose_try(rod, 1));
    return plait_der_evaluate(rod, load, &d->trial, scratch).sum;
}

static void check_rod(bool clamped, double dt, uint64_t seed)
{
    plait_rod *rod = make(clamped, seed);
    plait_der *d = rod->impl;
    plait_der_load load = {.dt = dt, .stretch = true};
    double gradient[DOFS], column[DOFS], unit[DOFS];
    double E0 = plait_der_evaluate(rod, &load, &d->now, gradient).sum;
    const double h = 1e-4;
    plait_der_hessian(rod, &load, &d->now);
    plait_der_assemble(rod, &load);
    for (int i = 0; i < DOFS; i++) {
        double p = energy_at(rod, &load, i, h, i, 0), m = energy_at(rod, &load, i, -h, i, 0);
        double p2 = energy_at(rod, &load, i, 2 * h, i, 0), m2 = energy_at(rod, &load, i, -2 * h, i, 0);
        CHECK_NEAR(gradient[i], (8 * (p - m) - (p2 - m2)) / (12 * h), 1e-8);
        memset(unit, 0, sizeof unit);
        unit[i] = 1;
        plait_banded_multiply(d->band, DOFS, unit, column);
        for (int j = 0; j < DOFS; j++) {
            double second;
            if (i == j)
                second = (-p2 + 16 * p - 30 * E0 + 16 * m - m2) / (12 * h * h);
            else {
                double one[2];
                for (int k = 0; k < 2; k++) {
                    double s = h * (k + 1);
                    one[k] = (energy_at(rod, &load, i, s, j, s) - energy_at(rod, &load, i, s, j, -s) -
                              energy_at(rod, &load, i, -s, j, s) + energy_at(rod, &load, i, -s, j, -s)) /
                             (4 * s * s);
                }
                second = (4 * one[0] - one[1]) / 3;
            }
            CHECK_NEAR(column[j], second, 2e-5);
        }
    }
    plait_rod_free(rod);
}

CASE(gradient_and_hessian_of_the_energy)
{
    check_rod(false, 0, 11);
    check_rod(true, 0, 12);
}

CASE(gradient_and_hessian_of_a_step)
{
    check_rod(false, 0.3, 13);
    check_rod(true, 0.2, 14);
}

CASE(hessian_without_stretch)
{
    plait_rod *rod = make(true, 15);
    plait_der *d = rod->impl;
    plait_der_load load = {.dt = 0.5};
    double gradient[DOFS], unit[DOFS], column[DOFS], moved[DOFS];
    plait_der_evaluate(rod, &load, &d->now, gradient);
    plait_der_hessian(rod, &load, &d->now);
    plait_der_assemble(rod, &load);
    plait_rng rng = plait_rng_new(1, 1);
    for (int i = 0; i < DOFS; i++)
        unit[i] = plait_rng_normal(&rng);
    plait_banded_multiply(d->band, DOFS, unit, column);
    double product = 0, change = 0;
    const double h = 1e-4;
    for (int i = 0; i < DOFS; i++)
        product += unit[i] * column[i];
    for (int sign = -1; sign < 2; sign += 2) {
        memcpy(d->step, unit, sizeof unit);
        CHECK(plait_der_pose_try(rod, sign * h));
        change += plait_der_evaluate(rod, &load, &d->trial, moved).sum;
    }
    double E0 = plait_der_evaluate(rod, &load, &d->now, moved).sum;
    CHECK_REL(product, (change - 2 * E0) / (h * h), 1e-5);
    plait_rod_free(rod);
}
