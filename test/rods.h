// rods.h: what the tests of the rod models share: rods to test, answers in closed form, and checks that hold for every
// model behind the body interface.
#ifndef PLAIT_TEST_RODS_H
#define PLAIT_TEST_RODS_H

#include "body/rod.h"
#include "check.h"
#include "math/vec3.h"
#include "plait/rod.h"

enum { RODS_MAX = 512 };

// Soft rod of the validation suite: r = 1.5 mm, E = 1.3 MPa, nu = 0.5, rho = 1200.
static inline plait_section rods_soft(void)
{
    plait_material m = {.radius = {1.5e-3}, .density = 1200, .young = 1.3e6, .poisson = 0.5};
    plait_section s;
    plait_error error = {0};
    if (plait_material_section(&m, &s, &error) != PLAIT_OK)
        printf("%s\n", error.text);
    s.radius[0] = s.radius[1] = 1e-5; // geometry only: the suite's shortest rods have segments below the real one
    return s;
}

// A straight rod along x from the origin, clamped there; the other end is free.
static inline plait_rod_def rods_cantilever_def(plait_rod_model model, int segments, double length)
{
    static double points[6];
    points[3] = length;
    plait_rod_def def = plait_default_rod_def();
    def.model = model;
    def.section = rods_soft();
    def.point_count = 2;
    def.points = points;
    def.segments = segments;
    def.director[2] = 1;
    def.end[0].kind = PLAIT_END_CLAMPED;
    return def;
}

static inline plait_rod *rods_new(const plait_rod_def *def)
{
    plait_error error = {0};
    plait_rod *rod = plait_rod_new(def, &error);
    if (!CHECK(rod != NULL))
        printf("%s\n", error.text);
    return rod;
}

static inline bool rods_relax(plait_rod *rod)
{
    plait_step_report report;
    plait_error error = {0};
    bool ok = plait_rod_relax(rod, NULL, &report, &error) == PLAIT_OK && report.converged;
    if (!CHECK(ok))
        printf("relax: %s%s after %d iterations, residual %g\n", error.text, report.reason ? report.reason : "",
               report.iterations, report.residual);
    return ok;
}

// Tip drop over tip reach under its own weight, Gamma = rho g A L^3 / EI; NaN if it fails.
static inline double rods_sag(plait_rod_model model, int segments, double gamma)
{
    plait_section s = rods_soft();
    double L = cbrt(gamma * s.EI[0] / (s.mass * 9.81)), x[3 * RODS_MAX];
    plait_rod_def def = rods_cantilever_def(model, segments, L);
    def.gravity[1] = -9.81;
    plait_rod *rod = rods_new(&def);
    if (!rod || !rods_relax(rod))
        return plait_rod_free(rod), NAN;
    plait_rod_positions(rod, x);
    plait_rod_free(rod);
    return -x[3 * segments + 1] / x[3 * segments];
}

// Tip drop and shortening over the length under a dead load at the tip, alpha = P L^2 / EI.
static inline bool rods_endload(plait_rod_model model, int segments, double alpha, double result[2])
{
    double L = 0.1, x[3 * RODS_MAX];
    plait_rod_def def = rods_cantilever_def(model, segments, L);
    plait_rod *rod = rods_new(&def);
    double force[3] = {0, -alpha * def.section.EI[0] / (L * L), 0};
    if (!rod)
        return false;
    plait_rod_set_force(rod, segments, force);
    bool ok = rods_relax(rod);
    plait_rod_positions(rod, x);
    plait_rod_free(rod);
    result[0] = -x[3 * segments + 1] / L;
    result[1] = 1 - x[3 * segments] / L;
    return ok;
}

// The cases A1 and A2 of the validation suite, at sizes and tolerances of the suite.
static inline void rods_check_statics(plait_rod_model model)
{
    const struct {
        double gamma, answer;
    } sag[] = {{0.1, 0.01249955366}, {1, 0.1245617664}, {10, 1.06680232}, {100, 5.888104623}};
    for (int i = 0; i < 4; i++)
        CHECK_NEAR(rods_sag(model, 30, sag[i].gamma) / sag[i].answer, 1, 0.01);
    CHECK_NEAR(rods_sag(model, 50, 1000) / 21.3354405, 1, 0.013);
    const struct {
        double alpha, drop, shortening;
    } load[] = {{0.5, 0.1621435757, 0.01591896247}, {2, 0.4934574804, 0.1606417208}, {10, 0.8106090249, 0.5549955978}};
    for (int i = 0; i < 3; i++) {
        double result[2];
        if (!CHECK(rods_endload(model, 30, load[i].alpha, result)))
            continue;
        CHECK_NEAR(result[0] / load[i].drop, 1, 0.005);
        CHECK_NEAR(result[1] / load[i].shortening, 1, 0.005);
    }
}

// A rod in motion: bent, loaded, with some velocity.
static inline plait_rod *rods_moving(plait_rod_model model, int segments, plait_end_kind root, double twist)
{
    plait_rod_def def = rods_cantilever_def(model, segments, 0.1);
    static double points[3 * 9];
    for (int i = 0; i < 9; i++) {
        double s = i / 8.0;
        points[3 * i] = 0.1 * s, points[3 * i + 1] = 0.03 * s * s, points[3 * i + 2] = 0.02 * sin(3 * s);
    }
    def.points = points;
    def.point_count = 9;
    def.end[0].kind = root;
    def.gravity[1] = -9.81;
    def.gravity[2] = 2;
    if (plait_rod_model_abilities(model) & PLAIT_ROD_TWISTS) {
        def.natural = PLAIT_NATURAL_CONSTANT;
        def.curvature[0] = 7;
        def.curvature[1] = -4;
        def.twist = twist;
    }
    plait_rod *rod = rods_new(&def);
    plait_step_report report;
    for (int i = 0; rod && i < 5; i++) {
        plait_rod_step(rod, 1e-3, NULL, &report, NULL);
        CHECK(report.converged);
    }
    return rod;
}

// J of point() against central differences of accept() with a small velocity.
static inline void rods_check_point(plait_rod *rod, double tolerance)
{
    int dofs = rod->dofs, size = plait_rod_state_size(rod);
    double *state = malloc((size_t)size * sizeof *state), *v = calloc((size_t)dofs, sizeof *v);
    double *J = malloc(3 * (size_t)dofs * sizeof *J), worst = 0, h = 1e-6, largest = 0;
    plait_rod_get_state(rod, state);
    for (int k = 0; k < 4; k++) {
        int segment = k * (rod->segments - 1) / 3, first, count;
        double a = 0.25 * k + 0.1, x[3], p[2][3];
        count = rod->type->point(rod, segment, a, x, &first, J);
        double *exact = calloc(3 * (size_t)dofs, sizeof *exact);
        for (int r = 0; r < 3; r++)
            memcpy(exact + r * dofs + first, J + r * count, (size_t)count * sizeof *exact);
        for (int j = 0; j < dofs; j++) {
            for (int s = 0; s < 2; s++) {
                int f;
                v[j] = s ? h : -h;
                rod->type->accept(rod, 1, v);
                rod->type->point(rod, segment, a, p[s], &f, J);
                plait_rod_set_state(rod, state, NULL);
            }
            v[j] = 0;
            for (int r = 0; r < 3; r++) {
                worst = fmax(worst, fabs((p[1][r] - p[0][r]) / (2 * h) - exact[r * dofs + j]));
                largest = fmax(largest, fabs(exact[r * dofs + j]));
            }
        }
        free(exact);
    }
    CHECK(largest > 0);
    CHECK_NEAR(worst, 0, tolerance);
    free(state);
    free(v);
    free(J);
}

// The solution of a step is a fixed point of linearise + solve, and M is symmetric positive definite.
static inline void rods_check_linearise(plait_rod *rod, double dt, double tolerance)
{
    int dofs = rod->dofs;
    plait_step_options o = plait_default_step_options();
    o.tolerance = 1e-11;
    plait_step_report report = {0};
    double *f = calloc((size_t)dofs, sizeof *f), *X = calloc((size_t)dofs * dofs, sizeof *X), largest = 0;
    if (!CHECK(rod->type->predict(rod, dt, &o, &report)) || !CHECK(rod->type->linearise(rod, dt, rod->v, &(plait_rod_linear){.f = f}))) {
        free(f);
        free(X);
        return;
    }
    rod->type->solve(rod, f, 1);
    for (int i = 0; i < dofs; i++)
        largest = fmax(largest, fabs(rod->v[i]));
    for (int i = 0; i < dofs; i++)
        CHECK_NEAR(f[i], rod->v[i], tolerance * largest);
    for (int i = 0; i < dofs; i++)
        X[(long)i * dofs + i] = 1;
    rod->type->solve(rod, X, dofs);
    double off = 0;
    for (int i = 0; i < dofs; i++)
        for (int j = 0; j < i; j++)
            off = fmax(off, fabs(X[(long)i * dofs + j] - X[(long)j * dofs + i]) /
                                sqrt(fabs(X[(long)i * dofs + i] * X[(long)j * dofs + j]) + 1e-300));
    CHECK_NEAR(off, 0, 1e-8);
    for (int i = 0; i < dofs; i++)
        CHECK(X[(long)i * dofs + i] >= 0);
    free(f);
    free(X);
}

// residual() is M v - f of a linearisation there, and leaves M's factor as it was; 0 at held dofs.
static inline void rods_check_residual(plait_rod *rod, double dt)
{
    size_t n = (size_t)rod->dofs, width = (size_t)rod->bandwidth + 1;
    double *f = calloc(6 * n + n * width, sizeof *f), *v = f + n, *g = v + n, *Mv = g + n, *x = Mv + n, *y = x + n,
           *M = y + n;
    unsigned char *held = calloc(n, 1);
    plait_step_options o = plait_default_step_options();
    plait_step_report report = {0};
    double largest = 0;
    CHECK(rod->type->predict(rod, dt, &o, &report));
    for (size_t i = 0; i < n; i++)
        v[i] = rod->v[i];
    CHECK(rod->type->linearise(rod, dt, rod->v, &(plait_rod_linear){.f = f, .M = M, .held = held}));
    for (size_t i = 0; i < n; i++) // away from the balance
        v[i] += held[i] ? 0 : 0.02 * sin(3.0 * (double)i) * fabs(rod->v[i]);
    CHECK(rod->type->linearise(rod, dt, v, &(plait_rod_linear){.f = f, .M = M, .held = held}));
    for (size_t c = 0; c < n; c++)
        for (size_t d = 0; d < width && c + d < n; d++) {
            Mv[c + d] += M[c * width + d] * v[c];
            Mv[c] += d > 0 ? M[c * width + d] * v[c + d] : 0;
        }
    for (size_t i = 0; i < n; i++)
        x[i] = y[i] = held[i] ? 0 : cos((double)i);
    rod->type->solve(rod, x, 1);
    CHECK(rod->type->residual(rod, dt, v, g));
    rod->type->solve(rod, y, 1);
    for (size_t i = 0; i < n; i++)
        largest = fmax(largest, fabs(Mv[i]) + fabs(f[i]));
    double off = 0, size = 0;
    for (size_t i = 0; i < n; i++) {
        CHECK(x[i] == y[i]);
        CHECK(!held[i] || g[i] == 0);
        off = fmax(off, held[i] ? 0 : fabs(Mv[i] - f[i] - g[i]));
        size = fmax(size, fabs(g[i]));
    }
    CHECK(size > 0);
    CHECK_NEAR(off, 0, 1e-10 * largest);
    free(held);
    free(f);
}

// Where the state goes with v: nodes.
static inline void rods_end(plait_rod *rod, double dt, const double *v, double *x)
{
    double *state = malloc((size_t)plait_rod_state_size(rod) * sizeof *state);
    plait_rod_get_state(rod, state);
    CHECK(rod->type->accept(rod, dt, v));
    plait_rod_positions(rod, x);
    CHECK_INT(plait_rod_set_state(rod, state, NULL), PLAIT_OK);
    free(state);
}

// Largest relative change of the edges' lengths between two polylines.
static inline double rods_stretched(const double *x, const double *y, int segments)
{
    double worst = 0;
    for (int i = 0; i < segments; i++) {
        double a[3], b[3];
        plait_vec3_sub(x + 3 * i + 3, x + 3 * i, a), plait_vec3_sub(y + 3 * i + 3, y + 3 * i, b);
        worst = fmax(worst, fabs(plait_vec3_norm(b) / plait_vec3_norm(a) - 1));
    }
    return worst;
}

// The largest of |g(about + part d) - part force| where M d = force and g(about) = 0, about + part d by retract().
static inline double rods_off_balance(plait_rod *rod, double dt, const double *about, const double *d,
                                      const double *force, double part)
{
    size_t n = (size_t)rod->dofs;
    double *step = calloc(3 * n, sizeof *step), *v = step + n, *g = v + n, worst = 0;
    for (size_t i = 0; i < n; i++)
        step[i] = part * d[i];
    CHECK(rod->type->retract(rod, dt, about, step, v));
    CHECK(rod->type->residual(rod, dt, v, g));
    for (size_t i = 0; i < n; i++)
        worst = fmax(worst, fabs(g[i] - part * force[i]));
    free(step);
    return worst;
}

// retract() goes along d to first order: forces change by M d, and what is left falls with the square of d. Held dofs stay. Edges
// are turned: a far swing changes their lengths by much less than a straight one.
static inline void rods_check_retract(plait_rod *rod, double dt)
{
    size_t n = (size_t)rod->dofs, width = (size_t)rod->bandwidth + 1;
    double *d = calloc(5 * n + n * width, sizeof *d), *v = d + n, *about = v + n, *sum = about + n, *force = sum + n;
    double *M = force + n, x[3 * RODS_MAX], y[3 * RODS_MAX], z[3 * RODS_MAX], size = 0, most = 0;
    unsigned char *held = calloc(n, 1);
    plait_step_options o = plait_default_step_options();
    o.tolerance = 1e-12;
    plait_step_report report = {0};
    CHECK(rod->type->predict(rod, dt, &o, &report));
    memcpy(about, rod->v, n * sizeof *about);
    CHECK(rod->type->linearise(rod, dt, about, &(plait_rod_linear){.M = M, .held = held}));
    for (size_t i = 0; i < n; i++) // a force that bends it: M^-1 is smooth
        d[i] = force[i] = held[i] ? 0 : i % (size_t)(rod->stride ? rod->stride : 3) == 1;
    rod->type->solve(rod, d, 1);
    rods_end(rod, dt, about, x);
    for (size_t i = 0; i < n; i++)
        most = fmax(most, fabs(d[i]));
    double little = 1e-6 * (rod->stride ? 1 : 100) / dt / most;
    for (size_t i = 0; i < n; i++) // to see how far that goes
        sum[i] = about[i] + little * d[i];
    rods_end(rod, dt, sum, y);
    for (int i = 0; i < 3 * (rod->segments + 1); i++)
        size = fmax(size, fabs(y[i] - x[i]));
    for (size_t i = 0; i < n; i++) // so that a node goes by a third of the rod's length
        d[i] *= little * 0.3 * rod->length / size, force[i] *= little * 0.3 * rod->length / size;
    double off[2] = {rods_off_balance(rod, dt, about, d, force, 2e-3),
                     rods_off_balance(rod, dt, about, d, force, 1e-3)};
    CHECK_NEAR(off[0] / off[1], 4, 0.4);
    CHECK(rod->type->retract(rod, dt, about, d, v));
    for (size_t i = 0; i < n; i++) {
        CHECK(!held[i] || fabs(v[i] - about[i]) <= 1e-12 * fmax(fabs(about[i]), 1e-3)); // one may rest
        sum[i] = about[i] + d[i];
    }
    rods_end(rod, dt, v, y);
    rods_end(rod, dt, sum, z);
    CHECK(!rod->stride || rods_stretched(x, y, rod->segments) < 0.15 * rods_stretched(x, z, rod->segments));
    free(held);
    free(d);
}

// A rod and its twin in a turned and shifted world do the same.
static inline void rods_check_invariance(plait_rod_model model, double tolerance)
{
    // a rotation with rational entries
    const double R[9] = {2. / 3, -1. / 3, 2. / 3, 2. / 3, 2. / 3, -1. / 3, -1. / 3, 2. / 3, 2. / 3};
    const double shift[3] = {3, -5, 2};
    double points[3 * 5], x[2][3 * RODS_MAX];
    for (int twin = 0; twin < 2; twin++) {
        plait_rod_def def = rods_cantilever_def(model, 12, 0.1);
        for (int i = 0; i < 5; i++) {
            double s = i / 4.0, p[3] = {0.1 * s + 1e-3, 0.02 * s * s, 0.01 * s * s * s};
            for (int r = 0; r < 3; r++)
                points[3 * i + r] = twin ? plait_vec3_dot(R + 3 * r, p) + shift[r] : p[r];
        }
        double up[3] = {0, 0, 1}, g[3] = {0, -9.81, 0};
        for (int r = 0; r < 3; r++) {
            def.director[r] = twin ? R[3 * r + 2] * up[2] : up[r];
            def.gravity[r] = twin ? R[3 * r + 1] * g[1] : g[r];
        }
        def.points = points;
        def.point_count = 5;
        plait_rod *rod = rods_new(&def);
        plait_step_options o = plait_default_step_options();
        o.tolerance = 1e-11;
        for (int k = 0; rod && k < 10; k++) {
            plait_step_report report;
            plait_rod_step(rod, 2e-3, &o, &report, NULL);
            CHECK(report.converged);
        }
        if (rod)
            plait_rod_positions(rod, x[twin]);
        plait_rod_free(rod);
    }
    for (int i = 0; i <= 12; i++) {
        const double *p = x[0] + 3 * i;
        for (int r = 0; r < 3; r++)
            CHECK_NEAR(x[1][3 * i + r], plait_vec3_dot(R + 3 * r, p) + shift[r], tolerance);
    }
}

// A rod in equilibrium, carried along with its root at constant velocity, keeps its shape.
static inline void rods_check_galilei(plait_rod_model model, double tolerance)
{
    plait_rod_def def = rods_cantilever_def(model, 12, 0.1);
    def.gravity[1] = -9.81;
    plait_rod *rod = rods_new(&def);
    if (!rod || !rods_relax(rod)) {
        plait_rod_free(rod);
        return;
    }
    const double velocity[3] = {0.3, 2, -1}, zero[3] = {0}, dt = 2e-3;
    double before[3 * 13], after[3 * 13], v[3 * 13];
    plait_rod_positions(rod, before);
    plait_rod_kick(rod, velocity, zero, zero);
    for (int k = 1; k <= 20; k++) {
        plait_step_report report;
        plait_end end = plait_rod_get_end(rod, 0);
        for (int j = 0; j < 3; j++)
            end.position[j] = k * dt * velocity[j];
        CHECK_INT(plait_rod_set_end(rod, 0, &end, NULL), PLAIT_OK);
        plait_rod_step(rod, dt, NULL, &report, NULL);
        CHECK(report.converged);
    }
    plait_rod_positions(rod, after);
    plait_rod_velocities(rod, v);
    for (int i = 0; i < 3 * 13; i++) {
        CHECK_NEAR(after[i], before[i] + 20 * dt * velocity[i % 3], tolerance);
        CHECK_NEAR(v[i], velocity[i % 3], tolerance / dt);
    }
    plait_rod_free(rod);
}

// Elastic plus kinetic energy of a plucked cantilever after a time, without gravity.
static inline double rods_ringing(plait_rod_model model, double relaxation, double time)
{
    plait_rod_def def = rods_cantilever_def(model, 20, 0.1);
    for (int k = 0; k < 2; k++)
        def.section.viscous_EI[k] = relaxation * def.section.EI[k];
    def.section.viscous_GJ = relaxation * def.section.GJ;
    def.section.viscous_EA = relaxation * def.section.EA;
    plait_rod *rod = rods_new(&def);
    if (!rod)
        return NAN;
    double pluck[3] = {0, -0.03 * def.section.EI[0] / (0.1 * 0.1), 0}, none[3] = {0};
    plait_rod_set_force(rod, 20, pluck);
    rods_relax(rod);
    plait_rod_set_force(rod, 20, none);
    for (int k = 0; k < 1000; k++)
        plait_rod_step(rod, time / 1000, NULL, NULL, NULL);
    plait_rod_energies e = plait_rod_energy(rod);
    plait_rod_free(rod);
    return e.kinetic + e.stretch + e.bend + e.twist;
}

// Viscosity in proportion r to the stiffness damps a mode by zeta = r omega / 2: after a period its energy is
// exp(-2 zeta omega t) of what it was. What the pluck has of other modes (2 %) and the time step leave 4 %.
static inline void rods_check_damping(plait_rod_model model)
{
    plait_section s = rods_soft();
    double omega = 3.516015269 * sqrt(s.EI[0] / s.mass) / (0.1 * 0.1), zeta = 0.1;
    double time = 2 * 3.14159265358979 / (omega * sqrt(1 - zeta * zeta));
    double kept = rods_ringing(model, 2 * zeta / omega, time) / rods_ringing(model, 0, time);
    CHECK_NEAR(log(kept) / (-2 * zeta * omega * time), 1, 0.04);
}

// Hair, and what a user may do to it: long steps, much gravity, a jerk of the root, a rest length far from the
// length. Never a NaN; a step that fails leaves the state as it was. Returns the trials in which a step failed, as
// bits.
enum { RODS_SQUEEZED = 8 }; // the trial in which the rest length is ten times the length
static inline int rods_check_extremes(plait_rod_model model, const plait_step_options *options)
{
    int failed = 0;
    for (int trial = 0; trial < 6; trial++) {
        plait_rod_def def = rods_cantilever_def(model, 29, 0.1);
        plait_material hair = plait_default_material();
        plait_material_section(&hair, &def.section, NULL);
        def.gravity[1] = trial == 1 ? -981 : -9.81;
        def.length = trial == 3 ? 1.0 : trial == 5 ? 0.01 : 0;
        double dt = trial == 4 ? 5e-6 : trial == 5 ? 1e-3 : 50e-3;
        plait_rod *rod = rods_new(&def);
        if (!rod)
            continue;
        int size = plait_rod_state_size(rod);
        double *before = malloc((size_t)size * sizeof *before), *after = malloc((size_t)size * sizeof *after);
        for (int k = 0; k < 20; k++) {
            if (trial == 2 && k == 5) {
                plait_end end = plait_rod_get_end(rod, 0);
                end.position[2] += 1;
                CHECK_INT(plait_rod_set_end(rod, 0, &end, NULL), PLAIT_OK);
            }
            plait_step_report report;
            plait_rod_get_state(rod, before);
            CHECK_INT(plait_rod_step(rod, dt, options, &report, NULL), PLAIT_OK);
            plait_rod_get_state(rod, after);
            if (!report.converged) {
                failed |= 1 << trial;
                CHECK(report.reason != NULL);
                CHECK(memcmp(before, after, (size_t)size * sizeof *after) == 0);
            }
            bool finite = true;
            for (int i = 0; i < size; i++)
                finite = finite && isfinite(after[i]);
            CHECK(finite);
        }
        free(before);
        free(after);
        plait_rod_free(rod);
    }
    return failed;
}

// Nonsense is refused with a message that names the rod.
static inline void rods_check_nonsense(plait_rod_model model)
{
    double bad[9] = {0, 0, 0, 0.05, 0, 0, 0.1, 0, 0};
    for (int k = 0; k < 8; k++) {
        plait_rod_def def = rods_cantilever_def(model, 0, 0.1);
        def.id = 77;
        double points[9];
        memcpy(points, bad, sizeof points);
        def.points = points;
        def.point_count = 3;
        if (k == 0)
            points[3] = 0;
        if (k == 1)
            points[4] = NAN;
        if (k == 2)
            def.point_count = 1;
        if (k == 3)
            def.section.EI[0] = -1;
        if (k == 4)
            def.section.mass = INFINITY;
        if (k == 5)
            def.section.radius[0] = def.section.radius[1] = 0.2;
        if (k == 6)
            def.length = -1;
        if (k == 7)
            def.section.EI[0] = def.section.EI[1] = NAN;
        plait_error error = {0};
        plait_rod *rod = plait_rod_new(&def, &error);
        CHECK(rod == NULL);
        CHECK_INT(error.status, PLAIT_BAD_INPUT);
        CHECK(strstr(error.text, "rod 77") != NULL);
        plait_rod_free(rod);
    }
    plait_rod_def def = rods_cantilever_def(model, 4, 0.1);
    plait_rod *rod = rods_new(&def);
    plait_error error = {0};
    CHECK_INT(plait_rod_step(rod, -1, NULL, NULL, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_rod_step(rod, NAN, NULL, NULL, &error), PLAIT_BAD_INPUT);
    plait_rod_free(rod);
}

#endif
