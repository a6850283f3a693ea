// cloth_cases.c: G4 membranes, G5 bending.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "validate/soft_alone.h"

static const double none[3] = {0, 0, 0};
static const char *const pattern_name[] = {"regular", "flipped", "crossed", "irregular"};

// ---- G4 -------------------------------------------------------------------------------------------------------------

// How much longer a strip gets that hangs by one edge, over sigma g L^2/(2 k).
static double hanging_seed(plait_trial *t, plait_soft_model model, plait_gen_pattern pattern, uint64_t seed,
                           const double size[2], int cells, double stretch, double poisson, double g)
{
    double cell = size[0] / cells, gravity[3] = {g, 0, 0}, sum = NAN, count = 0;
    plait_gen_grid grid = {.size = {size[0], size[1]},
                           .cells = {cells, (int)fmax(1, round(size[1] / cell))},
                           .pattern = pattern,
                           .seed = seed};
    plait_soft cloth;
    if (!plait_trial_grid(t, &grid, &cloth))
        return NAN;
    cloth.model = model, cloth.stretch = stretch, cloth.poisson = poisson;
    for (int i = 0; i < cloth.points; i++)
        if (cloth.point[3 * i] < -size[0] / 2 * (1 - 1e-9))
            cloth.hold[i] = PLAIT_HOLD_WORLD;
    plait_soft_alone *a = plait_soft_alone_new(t, &cloth, gravity);
    if (a && plait_soft_alone_settle(t, a, 1e-2)) {
        sum = 0;
        for (int i = 0; i < cloth.points; i++)
            if (cloth.point[3 * i] > size[0] / 2 * (1 - 1e-9))
                sum += a->x[3 * i] - cloth.point[3 * i], count++;
    }
    double want = cloth.density * g * size[0] * size[0] / (2 * stretch);
    plait_soft_alone_free(a), plait_soft_free(&cloth);
    return sum / count / want;
}

static double hanging(plait_trial *t, plait_soft_model model, plait_gen_pattern pattern, const double size[2],
                      int cells, double stretch, double poisson, double g)
{
    return hanging_seed(t, model, pattern, 5, size, cells, stretch, poisson, g);
}

// Springs cannot have the same moduli in every triangle: irregular nets come out near those of the sheet.
static void irregular_nets(plait_trial *t)
{
    static const double wide[2] = {0.5, 0.15};
    for (uint64_t seed = 1; seed <= 3 && !plait_trial_stopped(t); seed++)
        plait_trial_row(t, 30, 1,
                        hanging_seed(t, PLAIT_SOFT_SPRINGS, PLAIT_GEN_IRREGULAR, seed, wide, 30, 400, 0.3, 0.5), 0.05,
                        "an irregular net of springs, 0.5 x 0.15 m, nu = 0.3, seed %d", (int)seed);
}

// The border of an irregular cloth is strained by (xx, yy, xy) in its plane: how far inner nodes are off, and the
// forces along x and y on its right and along x on its upper edge, per length.
static bool strained(plait_trial *t, plait_gen_pattern pattern, const double strain[3], double poisson, double *off,
                     double force[3])
{
    const double width = 0.4, height = 0.3;
    plait_gen_grid grid = {.size = {width, height}, .cells = {8, 6}, .pattern = pattern, .seed = 9};
    plait_soft cloth;
    *off = force[0] = force[1] = force[2] = NAN;
    if (!plait_trial_grid(t, &grid, &cloth))
        return false;
    cloth.poisson = poisson;
    plait_trial_hold_border(&cloth);
    plait_soft_alone *a = plait_soft_alone_new(t, &cloth, none);
    double *g = malloc(3 * (size_t)cloth.points * sizeof *g);
    for (int i = 0; a && i < cloth.points; i++) {
        const double *X = cloth.point + 3 * (size_t)i;
        double at[3] = {X[0] * (1 + strain[0]) + strain[2] * X[1], X[1] * (1 + strain[1]) + strain[2] * X[0], 0};
        plait_vec3_copy(at, a->impl->held_at + 3 * (size_t)i);
    }
    bool ok = a && g && plait_soft_alone_settle(t, a, 10);
    if (ok) {
        *off = 0, force[0] = force[1] = force[2] = 0;
        plait_soft_alone_forces(a, g);
        for (int i = 0; i < cloth.points; i++) {
            double d[3];
            plait_vec3_sub(a->x + 3 * (size_t)i, a->impl->held_at + 3 * (size_t)i, d);
            *off = fmax(*off, plait_vec3_norm(d) / width);
            // Corners belong to two edges: half of each. What acts on them across is left out by the antisymmetry of
            // halves.
            bool right = cloth.point[3 * i] > width / 2 * (1 - 1e-9),
                 top = cloth.point[3 * i + 1] > height / 2 * (1 - 1e-9);
            force[0] += right ? g[3 * i] / height : 0;
            force[1] += top ? g[3 * i + 1] / width : 0;
            force[2] += top ? g[3 * i] / width : 0;
        }
    }
    free(g), plait_soft_alone_free(a), plait_soft_free(&cloth);
    return ok;
}

static void membrane_patch(plait_trial *t, plait_gen_pattern pattern, double nu)
{
    const double e = 1e-6, pull[3] = {e, 0, 0}, shear[3] = {0, 0, e}, k = plait_default_cloth().stretch;
    double off, force[3];
    strained(t, pattern, pull, nu, &off, force);
    plait_trial_row(t, 8, 0, off / e, 1e-6, "pulled: inner nodes off, %s, nu = %g", pattern_name[pattern], nu);
    plait_trial_row(t, 8, k / (1 - nu * nu), force[0] / e, 1e-4, "stress along [N/m], %s, nu = %g",
                    pattern_name[pattern], nu);
    plait_trial_row(t, 8, nu * k / (1 - nu * nu), force[1] / e, 1e-4, "stress across [N/m], %s, nu = %g",
                    pattern_name[pattern], nu);
    strained(t, pattern, shear, nu, &off, force);
    plait_trial_row(t, 8, 0, off / e, 1e-6, "sheared: inner nodes off, %s, nu = %g", pattern_name[pattern], nu);
    plait_trial_row(t, 8, k / (1 + nu), force[2] / e, 1e-4, "shear stress over half the shear [N/m], %s, nu = %g",
                    pattern_name[pattern], nu);
}

void plait_case_membrane(plait_trial *t)
{
    static const double sizes[2][2] = {{1, 0.1}, {0.3, 0.2}};
    double x[4], y[4], exact[4];
    for (int k = 0; k < 2 && !plait_trial_stopped(t); k++) {
        plait_soft_model model = k ? PLAIT_SOFT_SHELL : PLAIT_SOFT_SPRINGS;
        t->subject = plait_soft_model_name(model);
        for (int p = 0; p < 4 && !plait_trial_stopped(t); p++) {
            double g = 0.5, bar = p == 3 ? 0.02 : 0.01;
            x[p] = p, exact[p] = 1;
            y[p] = hanging(t, model, (plait_gen_pattern)p, sizes[0], 40, 1000, 0, g);
            plait_trial_row(t, 40, 1, y[p], bar, "extension / (sigma g L^2/(2 k)), %s", pattern_name[p]);
            if (k == 1) // springs have a Poisson's ratio, which the held edge feels in a wide strip
                plait_trial_row(t, 30, 1, hanging(t, model, (plait_gen_pattern)p, sizes[1], 30, 50, 0, g), bar,
                                "the same, 0.3 x 0.2 m, k = 50 N/m, %s", pattern_name[p]);
        }
        plait_trial_curve(t, "sigma g L^2/(2 k)", true, 4, x, exact);
        plait_trial_curve(t, t->subject, false, 4, x, y);
    }
    t->subject = plait_soft_model_name(PLAIT_SOFT_SPRINGS);
    irregular_nets(t);
    t->subject = plait_soft_model_name(PLAIT_SOFT_SHELL);
    for (int p = 0; p < 4 && !plait_trial_stopped(t); p++)
        membrane_patch(t, (plait_gen_pattern)p, p % 2 ? 0.3 : 0);
}

// ---- G5 -------------------------------------------------------------------------------------------------------------

// Drop over reach of a strip that is clamped at one edge and bent by its weight.
static double peirce(plait_trial *t, plait_soft_model model, plait_gen_pattern pattern, double Gamma, int segments,
                     double stiff)
{
    const double L = 0.2, width = 0.02, cell = L / segments;
    plait_gen_grid grid = {.size = {L + cell, width},
                           .cells = {segments + 1, (int)fmax(1, round(width / cell))},
                           .pattern = pattern,
                           .seed = 2};
    plait_soft cloth;
    if (!plait_trial_grid(t, &grid, &cloth))
        return NAN;
    const double gravity[3] = {0, 0, -9.81}, start = -(L + cell) / 2 + cell;
    double drop = NAN, reach = NAN, count = 0;
    cloth.model = model, cloth.poisson = 0;
    cloth.bend = cloth.density * 9.81 * L * L * L / Gamma, cloth.stretch = stiff * cloth.bend / (L * L);
    for (int i = 0; i < cloth.points; i++)
        if (cloth.point[3 * i] < start + 1e-9)
            cloth.hold[i] = PLAIT_HOLD_WORLD;
    plait_soft_alone *a = plait_soft_alone_new(t, &cloth, gravity);
    if (a && plait_soft_alone_settle(t, a, 5e-3)) {
        drop = reach = 0;
        for (int i = 0; i < cloth.points; i++)
            if (cloth.point[3 * i] > (L + cell) / 2 * (1 - 1e-9))
                drop -= a->x[3 * i + 2], reach += a->x[3 * i] - start, count++;
    }
    plait_soft_alone_free(a), plait_soft_free(&cloth);
    return drop / reach;
}

// How far nodes of a rolled cloth move that nothing acts on.
static double rolled(plait_trial *t, plait_soft_model model, double curvature)
{
    plait_gen_grid grid = {
        .size = {0.2, 0.1}, .cells = {20, 10}, .pattern = PLAIT_GEN_IRREGULAR, .rolled = curvature, .seed = 2};
    plait_soft cloth;
    double worst = NAN;
    if (!plait_trial_grid(t, &grid, &cloth))
        return NAN;
    cloth.model = model, cloth.bend = 1e-3;
    cloth.hold[0] = PLAIT_HOLD_WORLD;
    plait_soft_alone *a = plait_soft_alone_new(t, &cloth, none);
    if (a && plait_soft_alone_settle(t, a, 1e-3)) {
        worst = 0;
        for (int i = 0; i < 3 * cloth.points; i++)
            worst = fmax(worst, fabs(a->x[i] - cloth.point[i]) / 0.2);
    }
    plait_soft_alone_free(a), plait_soft_free(&cloth);
    return worst;
}

void plait_case_peirce(plait_trial *t)
{
    enum { LOADS = 5 };
    static const struct {
        double Gamma, ratio;
    } heavy[LOADS] = {
        {0.1, 0.01249955366}, {1, 0.1245617664}, {10, 1.06680232}, {30, 2.547213933}, {100, 5.888104623}};
    double x[LOADS], y[LOADS], exact[LOADS];
    for (int k = 0; k < 2 && !plait_trial_stopped(t); k++) {
        plait_soft_model model = k ? PLAIT_SOFT_SHELL : PLAIT_SOFT_SPRINGS;
        t->subject = plait_soft_model_name(model);
        for (int i = 0; i < LOADS && !plait_trial_stopped(t); i++) {
            x[i] = heavy[i].Gamma, exact[i] = heavy[i].ratio;
            y[i] = peirce(t, model, PLAIT_GEN_REGULAR, x[i], 40, 1e6);
            plait_trial_row(t, 40, exact[i], y[i], 0.02, "H/W, Gamma = %g", x[i]);
        }
        plait_trial_row(t, 40, heavy[2].ratio, peirce(t, model, PLAIT_GEN_CROSSED, 10, 40, 1e6), 0.02,
                        "H/W, Gamma = 10, crossed");
        plait_trial_row(t, 20, 0, rolled(t, model, 8), 1e-9, "natural curvature: moves without load / L");
        plait_trial_curve(t, "heavy elastica", true, LOADS, x, exact);
        plait_trial_curve(t, t->subject, false, LOADS, x, y);
    }
}
