// The super-helix: derivatives of its energy, statics in closed form, and what every model must do.
#include "body/superhelix.h"

#include "math/quat.h"
#include "rods.h"

// Moves one dof of the iterate.
static void nudge(plait_superhelix *sh, int dof, double h)
{
    if (dof < 3) {
        sh->root.x[dof] += h;
    } else if (dof < SH_ROOT) {
        double turn[3] = {0};
        turn[dof - 3] = h;
        m3_rotate(sh->root.R, turn);
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
    plait_end end = {.kind = held_tip ? PLAIT_END_CLAMPED : PLAIT_END_FREE, .position = {0.05, 0.02, 0.01},
                     .tangent = {1, 0, 0}, .director = {0, 1, 0}};
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
    double *g = malloc((size_t)n * sizeof *g), *H = malloc((size_t)n * n * sizeof *H), *p = malloc((size_t)n * sizeof *p);
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

CASE(point_jacobian)
{
    plait_rod *rod = rods_moving(PLAIT_ROD_SUPERHELIX, 9, PLAIT_END_CLAMPED, 20);
    if (rod)
        rods_check_point(rod, 1e-8);
    plait_rod_free(rod);
}

CASE(linearised_step)
{
    plait_end_kind kinds[] = {PLAIT_END_CLAMPED, PLAIT_END_PINNED, PLAIT_END_FREE};
    for (int k = 0; k < 3; k++) {
        plait_rod *rod = rods_moving(PLAIT_ROD_SUPERHELIX, 7, kinds[k], 0);
        if (rod)
            rods_check_linearise(rod, 1e-3, 1e-7);
        plait_rod_free(rod);
    }
}

CASE(statics)
{
    rods_check_statics(PLAIT_ROD_SUPERHELIX);
}

// Errors of piecewise constant curvature as computed independently; see the validation suite.
CASE(discretisation_error_is_the_known_one)
{
    CHECK_NEAR(rods_sag(PLAIT_ROD_SUPERHELIX, 10, 1) / 0.1245617664 - 1, -0.003324813765, 2e-6);
    CHECK_NEAR(rods_sag(PLAIT_ROD_SUPERHELIX, 20, 100) / 5.888104623 - 1, -0.005087265958, 2e-5);
    CHECK_NEAR(rods_sag(PLAIT_ROD_SUPERHELIX, 30, 1000) / 21.3354405 - 1, -0.02468727255, 2e-4);
}

CASE(invariance)
{
    rods_check_invariance(PLAIT_ROD_SUPERHELIX, 1e-9);
}

CASE(nonsense_is_refused)
{
    rods_check_nonsense(PLAIT_ROD_SUPERHELIX);
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
        plait_copy(x, before);
    }
    CHECK_REL(sum, plait_rod_length(rod), 1e-7);
    plait_rod_free(rod);
}
