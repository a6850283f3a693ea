// The super-helix: derivatives of its energy, statics in closed form, and what every model must do.
#include "body/superhelix.h"

#include "math/quat.h"

#define RODS_MODEL PLAIT_ROD_SUPERHELIX
#define RODS_JACOBIAN 1e-8
#define RODS_LINEAR 1e-7
#define RODS_TWIST 20
#include "rods_cases.h"

// Moves one dof of the iterate.
static void nudge(plait_superhelix *sh, int dof, double h)
{
    if (dof < 3) {
        sh->root.x[dof] += h;
    } else if (dof < SH_ROOT) {
        double turn[3] = {0};
        turn[dof - 3] = h;
        plait_mat3_rotate(sh->root.R, turn);
    } else {
        sh->k[dof - SH_ROOT] += h;
    }
}

// Gradient and Hessian of the step's energy, and of the statics' one, at a wild configuration.
static void check_derivatives(double dt, bool held_tip)
{
    plait_rod *rod = rods_moving(PLAIT_ROD_SUPERHELIX, 5, PLAIT_END_CLAMPED, 20);
    if (!rod)
        return;
    plait_end end = {.kind = held_tip ? PLAIT_END_CLAMPED : PLAIT_END_FREE,
                     .position = {0.05, 0.02, 0.01},
                     .tangent = {1, 0, 0},
                     .director = {0, 1, 0}};
    CHECK_INT(plait_rod_set_end(rod, 1, &end, NULL), PLAIT_OK);
    double force[3] = {1e-3, -2e-3, 3e-3};
    plait_rod_set_force(rod, 3, force);
    plait_step_options o = plait_default_step_options();
    plait_step_report report = {0};
    plait_superhelix *sh = rod->impl;
    if (dt > 0)
        rod->type->predict(rod, dt, &o, &report);
    else
        rod->type->relax(rod, &(plait_relax_options){.tolerance = 1e-3, .max_iterations = 1}, &report);
    unsigned seed = 1;
    for (int i = 0; i < sh->dofs; i++) {
        seed = seed * 1664525u + 1013904223u;
        nudge(sh, i, (i < SH_ROOT ? 1e-2 : 30) * ((seed >> 8) / 16777216.0 - 0.5));
    }
    int n = sh->dofs;
    double *g = malloc((size_t)n * sizeof *g), *p = malloc((size_t)n * sizeof *p);
    double *H = malloc((size_t)n * n * sizeof *H);
    plait_superhelix_evaluate(sh, 2, true);
    memcpy(g, sh->gradient, (size_t)n * sizeof *g);
    memcpy(H, sh->hessian, (size_t)n * n * sizeof *H);
    double worst[2] = {0}, norm[2] = {0};
    for (int j = 0; j < n; j++) {
        // Compared in units in which all dofs have a similar effect.
        double unit = j < 3 ? 0.01 : j < SH_ROOT ? 0.1 : 10, h = 1e-5 * unit;
        sh_pose root = sh->root;
        double k = j >= SH_ROOT ? sh->k[j - SH_ROOT] : 0;
        nudge(sh, j, h);
        double up = plait_superhelix_evaluate(sh, 1, true).energy;
        memcpy(p, sh->gradient, (size_t)n * sizeof *p);
        nudge(sh, j, -2 * h);
        double down = plait_superhelix_evaluate(sh, 1, true).energy;
        sh->root = root;
        if (j >= SH_ROOT)
            sh->k[j - SH_ROOT] = k;
        worst[0] = fmax(worst[0], fabs((up - down) / (2 * h) - g[j]) * unit);
        norm[0] = fmax(norm[0], fabs(g[j]) * unit);
        for (int i = j; i < n; i++) {
            double other = i < 3 ? 0.01 : i < SH_ROOT ? 0.1 : 10;
            // Turns do not commute: the mixed second derivatives of the root's turn are those of the symmetric part.
            if (i >= 3 && i < SH_ROOT && j >= 3 && j < SH_ROOT && i != j)
                continue;
            worst[1] = fmax(worst[1], fabs((p[i] - sh->gradient[i]) / (2 * h) - H[(long)i * n + j]) * unit * other);
            norm[1] = fmax(norm[1], fabs(H[(long)i * n + j]) * unit * other);
        }
    }
    CHECK(norm[0] > 0 && norm[1] > 0);
    CHECK_NEAR(worst[0], 0, 1e-7 * norm[0]);
    CHECK_NEAR(worst[1], 0, 1e-7 * norm[1]);
    free(g);
    free(H);
    free(p);
    plait_rod_free(rod);
}

CASE(derivatives_of_a_step)
{
    check_derivatives(1e-3, false);
    check_derivatives(3e-2, true);
}

CASE(derivatives_of_statics)
{
    check_derivatives(0, false);
    check_derivatives(0, true);
}

// With a held tip and a couple, which follows the rod.
CASE(linearised_step_with_a_held_tip)
{
    plait_rod *rod = rods_moving(PLAIT_ROD_SUPERHELIX, 7, PLAIT_END_CLAMPED, 0);
    if (!rod)
        return;
    double x[3 * 8];
    plait_rod_positions(rod, x);
    plait_end tip = {.kind = PLAIT_END_PINNED, .position = {x[21], x[22], x[23]}};
    CHECK_INT(plait_rod_set_end(rod, 1, &tip, NULL), PLAIT_OK);
    plait_rod_set_couple(rod, 3, 0.1 * rod->section.GJ / 0.1);
    rods_check_linearise(rod, 1e-3, 1e-6);
    rods_check_residual(rod, 1e-3);
    double d[27] = {0}, v[27], end[3 * 8]; // a change that takes the tip away: it is brought back
    for (int i = 6; i < 27; i++)
        d[i] = 1e3 * sin(i);
    CHECK(rod->type->retract(rod, 1e-3, rod->v, d, v));
    rods_end(rod, 1e-3, v, end);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(end[21 + k], tip.position[k], 1e-11);
    plait_rod_free(rod);
}

// Errors of piecewise constant curvature as computed independently; see the validation suite.
CASE(discretisation_error_is_the_known_one)
{
    CHECK_NEAR(rods_sag(PLAIT_ROD_SUPERHELIX, 10, 1) / 0.1245617664 - 1, -0.003324813765, 2e-6);
    CHECK_NEAR(rods_sag(PLAIT_ROD_SUPERHELIX, 20, 100) / 5.888104623 - 1, -0.005087265958, 2e-5);
    CHECK_NEAR(rods_sag(PLAIT_ROD_SUPERHELIX, 30, 1000) / 21.3354405 - 1, -0.02468727255, 2e-4);
}

CASE(extremes)
{
    CHECK_INT(rods_check_extremes(PLAIT_ROD_SUPERHELIX, NULL), 0);
}

CASE(length_is_exact)
{
    plait_rod *rod = rods_moving(PLAIT_ROD_SUPERHELIX, 20, PLAIT_END_CLAMPED, 30);
    if (!rod)
        return;
    // Chords of many short pieces add up to the natural length.
    double before[3] = {0}, x[3], J[3 * (SH_ROOT + 60)], sum = 0;
    int first;
    for (int i = 0; i <= 20 * 200; i++) {
        int q = i / 200 < 20 ? i / 200 : 19;
        rod->type->point(rod, q, i / 200.0 - q, x, &first, J);
        if (i > 0)
            sum += hypot(hypot(x[0] - before[0], x[1] - before[1]), x[2] - before[2]);
        plait_vec3_copy(x, before);
    }
    CHECK_REL(sum, plait_rod_length(rod), 1e-7);
    plait_rod_free(rod);
}

// Curly hair at rest is the helix of its natural curvature and twist.
CASE(natural_helix)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_SUPERHELIX, 10, 0.1);
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = 60;
    def.curvature[1] = 25;
    def.twist = 40;
    plait_rod *rod = rods_new(&def);
    if (!rod || !rods_relax(rod)) {
        plait_rod_free(rod);
        return;
    }
    double x[33], k[3] = {-25, 60, 40}, p[3];
    plait_rod_positions(rod, x);
    plait_helix h = plait_helix_at(k, 0.1);
    plait_helix_place(&h, p, NULL);
    plait_end root = plait_rod_get_end(rod, 0);
    double m2[3];
    plait_vec3_cross(root.tangent, root.director, m2);
    for (int j = 0; j < 3; j++)
        CHECK_NEAR(x[30 + j], p[0] * root.director[j] + p[1] * m2[j] + p[2] * root.tangent[j], 1e-10);
    CHECK_NEAR(plait_rod_energy(rod).bend, 0, 1e-18);
    plait_rod_free(rod);
}

// Both ends held: the tip goes where it is told, in statics and in steps, and what cannot be is refused.
CASE(held_tip)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_SUPERHELIX, 16, 0.1);
    def.end[1] = (plait_end){
        .kind = PLAIT_END_CLAMPED, .position = {0.07, 0.01, 0}, .tangent = {1, 0.2, 0}, .director = {0, 0, 1}};
    def.gravity[1] = -9.81;
    plait_rod *rod = rods_new(&def);
    if (!rod || !rods_relax(rod)) {
        plait_rod_free(rod);
        return;
    }
    double x[3 * 17];
    const plait_superhelix *sh = rod->impl;
    for (int k = 0; k <= 10; k++) {
        plait_end end = plait_rod_get_end(rod, 1);
        if (k > 0) {
            plait_step_report report;
            end.position[0] -= 1e-3;
            end.position[2] += 1e-3;
            CHECK_INT(plait_rod_set_end(rod, 1, &end, NULL), PLAIT_OK);
            plait_rod_step(rod, 2e-3, NULL, &report, NULL);
            if (!CHECK(report.converged))
                printf("%s\n", report.reason);
        }
        plait_rod_positions(rod, x);
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(x[48 + j], end.position[j], 1e-11);
            CHECK_NEAR(sh->node[16].R[3 * j + 2], end.tangent[j], 1e-10);
            CHECK_NEAR(sh->node[16].R[3 * j], end.director[j], 1e-10);
        }
    }
    plait_end far = plait_rod_get_end(rod, 1);
    far.position[0] = 0.2; // the rod is 0.1 long
    plait_step_report report;
    plait_rod_set_end(rod, 1, &far, NULL);
    plait_rod_step(rod, 2e-3, NULL, &report, NULL);
    CHECK(!report.converged && report.reason);
    plait_rod_free(rod);
}

// Small vibrations: with implicit Euler q+ - 2 q + q- = -(omega dt)^2 q+, so three tips give omega.
CASE(frequency)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_SUPERHELIX, 30, 0.1);
    plait_rod *rod = rods_new(&def);
    if (!rod)
        return;
    double omega = 3.516015269 * sqrt(def.section.EI[0] / def.section.mass) / 0.01, dt = 0.01 / omega, x[3 * 31];
    double f[3] = {0, 1e-3 * def.section.EI[0] / 0.01, 0}, none[3] = {0}, q[3] = {0}, product = 0, square = 0;
    plait_rod_set_force(rod, 30, f);
    rods_relax(rod);
    plait_rod_set_force(rod, 30, none);
    for (int k = 0; k < 1300; k++) {
        plait_rod_positions(rod, x);
        q[0] = q[1], q[1] = q[2], q[2] = x[91];
        if (k > 100) {
            product -= (q[2] - 2 * q[1] + q[0]) * q[2];
            square += q[2] * q[2];
        }
        plait_rod_step(rod, dt, NULL, NULL, NULL);
    }
    CHECK_NEAR(sqrt(product / square) / dt / omega, 1, 0.01); // the pluck is not quite the mode
    plait_rod_free(rod);
}

// A ring between two clamps, straight at rest, is in equilibrium, and turns freely about the tangent of its ends: no
// minimum, as rounding has it, and nothing lower to be found. It stays where it is.
CASE(a_ring_stays_a_ring)
{
    enum { N = 50 };
    double points[3 * (N + 1)] = {1}, l = 2 * M_PI / N;
    for (int i = 0; i < N; i++) {
        double a = l * (i + 0.5);
        points[3 * i + 3] = points[3 * i] + l * cos(a), points[3 * i + 4] = points[3 * i + 1] + l * sin(a);
    }
    plait_rod_def def = plait_default_rod_def();
    def.model = PLAIT_ROD_SUPERHELIX;
    def.section = (plait_section){
        .radius = {1e-4, 1e-4}, .EA = 1e6, .EI = {1, 1}, .GJ = 2.0 / 3, .mass = 1, .inertia = {1e-8, 1e-8}};
    def.point_count = N + 1, def.points = points, def.director[2] = 1;
    for (int e = 0; e < 2; e++) {
        def.end[e] = (plait_end){.kind = PLAIT_END_CLAMPED, .tangent = {1, 0, 0}, .director = {0, 0, 1}};
        plait_vec3_copy(points, def.end[e].position);
    }
    plait_error error = {0};
    plait_rod *rod = plait_rod_new(&def, &error);
    if (!CHECK(rod))
        puts(error.text);
    plait_step_report report;
    CHECK(rod && plait_rod_relax(rod, NULL, &report, &error) == PLAIT_OK && report.converged);
    if (rod)
        CHECK_NEAR(plait_rod_energy(rod).bend, M_PI, 1e-9);
    plait_rod_free(rod);
}
