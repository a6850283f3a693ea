// Paths of equilibria past folds, and eigenvalues, against closed forms.
#include <math.h>
#include <stdlib.h>

#include "scene_start.h"

// Two bars of half a span `a` and height `h` (von Mises' truss), which the rod's bending hardly stiffens.
static const double A = 0.1, H = 0.01, EA = 1e9 * M_PI * 4e-10, MASS = 1200 * M_PI * 4e-10;
static const char *const TRUSS =
    "mode: static\ngravity: [0, 0, 0]\n"
    "materials: {rod: {radius: 0.02 mm, density: 1200, young: 1 GPa, poisson: 0.5}}\n"
    "loads: {push: {fibres: bars, at: middle, force: [0, 0, -40 mN], time: {kind: table, times: [-1000, 1000], "
    "values: [-1, 1]}}}\n"
    "measure: {eigen: {what: eigenvalues}, p: {what: parameter}, crown: {what: position, fibres: bars, at: middle}}\n"
    "step: {dt: 2 s, arc: 0.5 mm, adaptive: false}\n";
static const char *const BARS = "fibres: {bars: {model: %s, segments: 2, ends: {root: pinned, tip: pinned}, polyline: "
                                "{points: [[-0.1, 0, 0], [0, 0, 0.01], [0.1, 0, 0]]}}}\n";

static double bar(double z)
{
    return sqrt(A * A + z * z);
}

static double force(double z) // downwards
{
    return 2 * EA * (1 - bar(z) / bar(H)) * z / bar(z);
}

static void follow_truss(const char *model, bool eigen)
{
    char text[3000];
    int n = snprintf(text, sizeof text, "%s", TRUSS);
    snprintf(text + n, sizeof text - (size_t)n, BARS, model);
    plait_sim *sim = start("%s", text);
    int turns = 0, unstable = 0;
    double last = 0, before = 0, worst = 0, sideways = 0;
    for (int i = 0; sim && i < 60; i++) {
        plait_sim_report report = {0};
        double x[7], far = force(H / sqrt(3));
        if (!CHECK(plait_sim_step(sim, 1e6, &report, NULL) == PLAIT_OK && !report.failed))
            break;
        plait_sim_measure(sim, x);
        double p = x[3], z = x[6];
        worst = fmax(worst, fabs(40e-6 * p - force(z)) / far);
        turns += i > 1 && (p - last) * (last - before) < 0;
        before = last, last = p;
        // Sideways the bars' thrust pushes it on: K = 2 T / l, a node of the mass of a bar.
        double lambda = -2 * EA * (1 - bar(z) / bar(H)) / bar(z) / (MASS * bar(H));
        unstable += lambda < 0;
        double least = fmin(fmin(fabs(x[0] - lambda), fabs(x[1] - lambda)), fabs(x[2] - lambda));
        sideways = fmax(sideways, least / (1e6 + fabs(lambda)));
        CHECK(!eigen || (x[0] < -1) == (lambda < -1));
    }
    CHECK_INT(turns, 2); // both folds
    CHECK(unstable > 20 && unstable < 60);
    CHECK_NEAR(worst, 0, 2e-4);
    CHECK(!eigen || sideways < 1e-4);
    plait_sim_free(sim);
}

CASE(a_truss_snaps_through)
{
    follow_truss("der", true);
    follow_truss("mass-spring", true);
}

// A cantilever: lowest frequencies (beta L)^2 sqrt(EI / (mass L^4)), twice each, and Euler's load as the force where the
// lowest eigenvalue goes through zero.
CASE(eigenvalues_of_a_cantilever)
{
    const double L = 0.3, EI = 1e7 * M_PI * 1e-12 / 4, line = 1000 * M_PI * 1e-6, beta = 1.875104069;
    const double euler = M_PI * M_PI * EI / (4 * L * L), lambda = pow(beta / L, 4) * EI / line;
    for (int k = 0; k < 3; k++) {
        const double part = k == 0 ? 1e-6 : k == 1 ? 0.98 : 1.02;
        double x[3] = {0};
        plait_sim_report report;
        plait_sim *sim = start("mode: static\ngravity: [0, 0, 0]\nmaterials: {m: {radius: 1 mm, density: 1000, young: "
                               "1e7, poisson: 0.5}}\n"
                               "loads: {push: {fibres: rod, force: [%.17g, 0, 0]}}\nmeasure: {e: {what: eigenvalues}}\n"
                               "step: {dt: 10 s, arc: 5 mm, adaptive: false}\n"
                               "fibres: {rod: {segments: 60, ends: {root: clamped}, line: {length: 0.3}}}\n",
                               -part * euler);
        if (!CHECK(sim && plait_sim_step(sim, 1e6, &report, NULL) == PLAIT_OK && !report.failed))
            return;
        plait_sim_measure(sim, x);
        if (k == 0) {
            CHECK_NEAR(x[0], lambda, 0.005 * lambda);
            CHECK_NEAR(x[1], lambda, 0.005 * lambda);
            CHECK_NEAR(x[2], lambda * pow(4.694091133 / beta, 4), 0.01 * x[2]);
        }
        CHECK((x[0] < 0) == (part > 1));
        CHECK_NEAR(report.lowest, x[0], 0);
        plait_sim_free(sim);
    }
}

static const char *const TOUCHED =
    "mode: static\ngravity: [0, 0, 0]\nfriction: {default: 0.3}\n"
    "materials: {rod: {radius: 0.02 mm, density: 1200, young: 1 GPa, poisson: 0.5}, wall: }\n"
    "measure: {p: {what: parameter}, crown: {what: position, fibres: bars, at: middle}, n: {what: force, collider: "
    "it}}\n"
    "step: {dt: 2 s, arc: 0.5 mm, adaptive: false}\n"
    "fibres: {bars: {material: rod, segments: 2, ends: {root: pinned, tip: pinned}, polyline: {points: [[-0.1, 0, 0], "
    "[0, "
    "0, 0.01], [0.1, 0, 0]]}}}\n";

// A plate presses the crown down, by its script: what it carries is the force of the truss, past the fold too.
CASE(a_plate_that_presses)
{
    plait_sim *sim = start(
        "%scolliders: {it: {material: wall, shape: box, size: [2 cm, 2 cm, 2 mm], position: [0, 0, 11.02 mm], motion: "
        "{drives: [{kind: linear, velocity: [0, 0, -0.1 mm/s]}]}}}\n",
        TOUCHED);
    double x[11] = {0}, worst = 0;
    for (int i = 0; sim && i < 40; i++) {
        plait_sim_report report = {0};
        if (!CHECK(plait_sim_step(sim, 1e6, &report, NULL) == PLAIT_OK && !report.failed))
            break;
        plait_sim_measure(sim, x);
        worst = fmax(worst, fabs(x[6] - force(x[3])) / force(H / sqrt(3)));
        CHECK_NEAR(x[3], H - 1e-4 * x[0], 1e-7);
    }
    CHECK(x[3] < 0.3 * H);
    CHECK_NEAR(worst, 0, 2e-4);
    plait_sim_free(sim);
}

// A ball stops the crown after the fold: there the load, which had gone back, goes on, and the ball carries the rest.
CASE(a_ball_in_the_way)
{
    plait_sim *sim = start(
        "%scolliders: {it: {material: wall, shape: sphere, radius: 1 mm, position: [0, 0, 1.98 mm]}}\n"
        "loads: {push: {fibres: bars, at: middle, force: [0, 0, -40 mN], time: {kind: table, times: [-1000, 1000], "
        "values: [-1, 1]}}}\n",
        TOUCHED);
    double x[11] = {0};
    for (int i = 0; sim && i < 30; i++) {
        plait_sim_report report = {0};
        if (!CHECK(plait_sim_step(sim, 1e6, &report, NULL) == PLAIT_OK && !report.failed))
            break;
        plait_sim_measure(sim, x);
        CHECK_NEAR(-x[6], 40e-6 * x[0] - force(x[3]), 1e-4 * force(H / sqrt(3)));
    }
    CHECK_NEAR(x[3], 0.003, 1e-6);
    CHECK(x[0] > 30 && -x[6] > 5e-4);
    plait_sim_free(sim);
}

// A path begun again from a state in the middle goes on with the same bits.
CASE(a_path_goes_on)
{
    plait_sim *sim[2];
    double *state = NULL, x[2][7];
    int64_t size = 0;
    for (int k = 0; k < 2; k++) {
        char text[3000];
        int n = snprintf(text, sizeof text, "%s", TRUSS);
        snprintf(text + n, sizeof text - (size_t)n, BARS, "der");
        sim[k] = start("%s", text);
        if (!CHECK(sim[k]))
            return;
    }
    for (int i = 0; i < 30; i++) {
        plait_sim_report report;
        CHECK(plait_sim_step(sim[0], 1e6, &report, NULL) == PLAIT_OK && !report.failed);
        if (i == 12) {
            size = plait_sim_state_size(sim[0]);
            state = malloc((size_t)size * sizeof *state);
            plait_sim_get_state(sim[0], state);
            CHECK(plait_sim_set_state(sim[1], state, size, NULL) == PLAIT_OK);
        }
        if (i > 12)
            CHECK(plait_sim_step(sim[1], 1e6, &report, NULL) == PLAIT_OK && !report.failed);
    }
    for (int k = 0; k < 2; k++) {
        plait_sim_measure(sim[k], x[k]);
        plait_sim_free(sim[k]);
    }
    for (int i = 0; i < 7; i++)
        CHECK(x[0][i] == x[1][i]);
    free(state);
}

CASE(what_cannot_be)
{
    CHECK(!start("step: {arc: 1 mm}\nmaterials: {m: {}}\nfibres: {f: {line: {length: 0.1}}}\n")); // dynamic
    CHECK(!start("mode: static\nstep: {arc: 1 mm, integrator: bdf2}\nmaterials: {m: {}}\nfibres: {f: {line: {length: "
                 "0.1}}}\n"));
    CHECK(!start("mode: static\nstep: {arc: 1e-200}\nmaterials: {m: {}}\nfibres: {f: {line: {length: 0.1}}}\n")); // its square is 0
}
