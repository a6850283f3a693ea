// Rods that yield, that relax, and whose section differs along them, against closed forms.
#include <string.h>

#include "scene_start.h"

static const double L = 0.2, EI = 1e7 * M_PI * 1e-12 / 4;

static plait_sim *beam_of(const char *model, const char *material, const char *more)
{
    return start("gravity: [0, 0, 0]\nmode: static\nstep: {dt: 10, adaptive: false}\n"
                 "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5%s}}\n"
                 "fibres: {rod: {model: %s, segments: 40, ends: {root: clamped}, line: {length: 0.2}}}\n%s",
                 material, model, more);
}

static const char *const MODEL[] = {"der", "superhelix", "corde", "mass-spring"};
enum { MODELS = 4, DIRECTED = 3 }; // the last one knows how far it was bent, not which way

static bool run(plait_sim *sim, double end)
{
    plait_sim_report report;
    return scenes_run(sim, end, &report);
}

static const char *const MEASURE =
    "measure: {k: {what: curvature, fibres: rod, at: middle}, m: {what: moment, fibres: rod, "
    "at: middle}}\n";

static double curvature(const plait_sim *sim)
{
    double value[2];
    plait_sim_measure(sim, value);
    return value[0];
}

// Pure bending by a moment at the tip that grows to M and goes back to 0: k = M/EI up to the yield curvature, then with
// the slope h / (1 + h); what is left is the plastic part (M - M_y) / (h EI); a moment back yields at M - 2 M_y.
static void springs_back(const char *model, bool directed)
{
    double yield = 4, h = 0.25, M = 1.5 * EI * yield;
    char loads[600];
    snprintf(loads, sizeof loads,
             "%sloads: {bend: {fibres: rod, moment: [0, %.17g, 0], time: {kind: table, "
             "times: [0, 340, 400, 740, 800, 1300, 1400], values: [0, 1, 1, 0, 0, -1, -1]}}}\n",
             MEASURE, -M);
    plait_sim *sim = beam_of(model, ", yield_curvature: 4, hardening: 0.25", loads);
    if (!CHECK(sim && run(sim, 400)))
        return;
    double plastic = (M / EI - yield) / h;
    CHECK_NEAR(curvature(sim), M / EI + plastic, 0.01 * M / EI);
    CHECK(run(sim, 800));
    CHECK_NEAR(curvature(sim), plastic, 0.01 * M / EI);
    CHECK(!directed || run(sim, 1400)); // yields backwards: |M + h EI p| = M_y, p = -(M / EI - yield) / h
    CHECK_NEAR(curvature(sim), directed ? M / EI + plastic : plastic, 0.01 * M / EI);
    double x[3];
    node_of(sim, 0, -1, x);
    CHECK(!directed || x[2] < 0);
    plait_sim_free(sim);
}

CASE(a_rod_that_yields_springs_back)
{
    for (int i = 0; i < MODELS; i++)
        springs_back(MODEL[i], i < DIRECTED);
}

// The same whatever the direction of bending, and whatever the load steps are.
static void bends_anywhere(const char *model)
{
    double yield = 4, h = 0.25, M = 1.5 * EI * yield, k = M / EI + (M / EI - yield) / h, s = M * sqrt(0.5);
    for (int steps = 4; steps <= 16; steps *= 4) {
        char loads[300];
        snprintf(loads, sizeof loads,
                 "loads: {bend: {fibres: rod, moment: [0, %.17g, %.17g], time: {kind: ramp, stop: %d}}}\n", s, s,
                 10 * steps);
        plait_sim *sim = beam_of(model, ", yield_curvature: 4, hardening: 0.25", loads);
        double x[3];
        if (!CHECK(sim && run(sim, 10 * steps + 60)))
            return;
        node_of(sim, 0, -1, x);
        double chord = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
        CHECK_NEAR(chord, 2 / k * sin(k * L / 2), 0.003 * chord);
        CHECK_NEAR(fabs(x[1]), fabs(x[2]), 1e-3 * L);
        plait_sim_free(sim);
    }
}

CASE(yielding_has_no_preferred_direction)
{
    for (int i = 0; i < DIRECTED; i++) // without torsion a couple that turns the tip so far is not stable
        bends_anywhere(MODEL[i]);
}

// A cantilever under a force at its tip yields from the clamp up to where the moment is M_y: the tip goes down by
// P L^3 / 3 EI + (1/h EI) times the integral of (P s - M_y) s over the plastic part, small deflections.
static void yields_at_its_root(const char *model)
{
    double yield = 0.02, h = 0.5, P = 2 * EI * yield / L;
    char loads[300];
    snprintf(loads, sizeof loads,
             "loads: {p: {fibres: rod, force: [0, 0, %.17g], time: {kind: table, times: [0, 100, 200], values: [0, 1, "
             "0]}}}\n",
             P);
    plait_sim *sim = beam_of(model, ", yield_curvature: 0.02, hardening: 0.5", loads);
    double x[3], a = EI * yield / P; // beyond this distance from the tip it yields
    double plastic = (P * (L * L * L - a * a * a) / 3 - EI * yield * (L * L - a * a) / 2) / (h * EI);
    double elastic = P * L * L * L / (3 * EI);
    if (!CHECK(sim && run(sim, 100)))
        return;
    node_of(sim, 0, -1, x);
    CHECK_NEAR(x[2], elastic + plastic, 0.01 * (elastic + plastic));
    CHECK(run(sim, 200));
    node_of(sim, 0, -1, x);
    CHECK_NEAR(x[2], plastic, 0.01 * (elastic + plastic));
    plait_sim_free(sim);
}

CASE(a_cantilever_yields_at_its_root)
{
    for (int i = 0; i < MODELS; i++)
        yields_at_its_root(MODEL[i]);
}

// Creep of a Maxwell branch under a constant moment: k(t) = M/EI (1 - s/(1+s) exp(-t / tau (1+s))), s its share. The
// rate goes with tau (1 + s): the standard linear solid.
static void creeps(const char *model)
{
    double M = 0.5 * EI, share = 1.5, tau = 2, late[2];
    for (int fine = 0; fine < 2; fine++) {
        char loads[300], material[100];
        snprintf(loads, sizeof loads, "%sloads: {bend: {fibres: rod, moment: [0, %.17g, 0]}}\n", MEASURE, -M);
        snprintf(material, sizeof material, ", relaxing: %g, relaxation_time: %g", share, tau);
        plait_sim *sim = start("gravity: [0, 0, 0]\nmode: static\nstep: {dt: %g, adaptive: false}\n"
                               "materials: {m: {radius: 1 mm, density: 0.1, young: 1e7, poisson: 0.5%s}}\n"
                               "fibres: {rod: {model: %s, segments: 20, ends: {root: clamped}, "
                               "line: {length: 0.2}}}\n%s",
                               fine ? 0.05 : 0.1, material, model, loads);
        if (!CHECK(sim && run(sim, 4)))
            return;
        late[fine] = curvature(sim);
        CHECK(run(sim, 40));
        CHECK_NEAR(curvature(sim), M / EI, 2e-3 * M / EI);
        plait_sim_free(sim);
    }
    double exact = M / EI * (1 - share / (1 + share) * exp(-4 / (tau * (1 + share))));
    CHECK_NEAR(2 * late[1] - late[0], exact, 2e-3 * exact); // extrapolated: first order in dt
    CHECK_NEAR(late[1], exact, 0.01 * exact);
}

CASE(creep_of_a_standard_linear_solid)
{
    for (int i = 0; i < MODELS; i++)
        creeps(MODEL[i]);
}

// Relaxation: bent to an arc between clamps at once, then held: the moment falls from (1 + s) to 1 as exp(-t / tau).
static void relaxes(const char *model)
{
    plait_sim *sim = start("gravity: [0, 0, 0]\nmode: static\nstep: {dt: 0.02, adaptive: false}\n"
                           "materials: {m: {radius: 1 mm, density: 0.1, young: 1e7, poisson: 0.5, relaxing: 2, "
                           "relaxation_time: 0.5}}\n"
                           "fibres: {rod: {model: %s, segments: 40, "
                           "ends: {root: clamped, tip: clamped}, helix: {radius: 0.1, pitch: 0, turns: 0.25}}}\n%s",
                           model, MEASURE);
    for (int k = 1; sim && k <= 4; k++) {
        double m[2], t = 0.25 * k;
        if (!CHECK(run(sim, t)))
            return;
        plait_sim_measure(sim, m);
        CHECK_NEAR(m[1] / (EI * m[0]), 1 + 2 * exp(-t / 0.5), 0.03);
    }
    CHECK(sim != NULL);
    plait_sim_free(sim);
}

CASE(relaxation)
{
    for (int i = 0; i < MODELS; i++)
        relaxes(MODEL[i]);
}

// Plastic strains and creep are state: the same bits from the middle on.
static void remembers(const char *model)
{
    char text[500];
    snprintf(text, sizeof text,
             "step: {dt: 1 ms, adaptive: false}\n"
             "materials: {m: {radius: 1 mm, density: 1000, young: 1e6, yield_curvature: 2, hardening: 0.1, "
             "relaxing: 0.5, relaxation_time: 10 ms}}\n"
             "fibres: {rod: {model: %s, segments: 20, ends: {root: clamped}, line: {length: 0.2}}}\n",
             model);
    plait_sim *sim = start("%s", text), *twin = start("%s", text);
    plait_sim_report report;
    if (!CHECK(sim && twin && scenes_run(sim, 0.1, &report)))
        return;
    CHECK_NEAR(report.ledger.error, 0, 1e-9 * report.ledger.scale);
    CHECK(report.ledger.damping > 0);
    CHECK(goes_on_alike(sim, twin, 0.15));
    plait_sim_free(sim), plait_sim_free(twin);
}

CASE(what_a_rod_remembers_is_in_the_state)
{
    for (int i = 0; i < MODELS; i++)
        remembers(MODEL[i]);
}

// EI that grows from the root to the tip as (1 + x/L)^4 (a cone): the tip of a cantilever goes down by
// P/EI0 times the integral of (L - x)^2 / (1 + x/L)^4 = P L^3 / EI0 / 6. And a step: half of it eight times as stiff.
static void differs_along_it(const char *model)
{
    double P = 0.003 * EI / (L * L), x[3];
    char loads[200];
    snprintf(loads, sizeof loads, "loads: {p: {fibres: rod, force: [0, 0, %.17g]}}\n", P);
    plait_sim *sim = beam_of(model, ", along: {at: [0, 1], radius: [1, 2]}", loads);
    if (!CHECK(sim && run(sim, 30)))
        return;
    node_of(sim, 0, -1, x);
    CHECK_NEAR(x[2], P * L * L * L / EI / 6, 0.003 * P * L * L * L / EI / 6);
    plait_sim_free(sim);
    sim = beam_of(model, ", along: {at: [0, 0.5, 0.50001, 1], young: [8, 8, 1, 1]}", loads);
    if (!CHECK(sim && run(sim, 30)))
        return;
    double half = L / 2, z = P * (half * half * half / 3 + (L * L * L - half * half * half) / 3 / 8) / EI;
    node_of(sim, 0, -1, x);
    CHECK_NEAR(x[2], z, 0.003 * z);
    plait_sim_free(sim);
}

CASE(a_section_that_differs_along_it)
{
    for (int i = 0; i < MODELS; i++)
        differs_along_it(MODEL[i]);
}

// Mass along it: what is heavy at its tip hangs down more. Moments at the clamp: the weight times its arm.
static void mass_differs_along_it(const char *model)
{
    plait_sim *sim =
        start("gravity: [9.81, 0, 0]\nmode: static\nstep: {dt: 10, adaptive: false}\n"
              "materials: {m: {radius: 1 mm, density: 1000, young: 1e6, along: {at: [0, 1], density: [1, 3], "
              "young: [2, 1]}}}\n"
              "fibres: {rod: {model: %s, segments: 40, ends: {root: clamped}, line: {length: 0.2}}}\n"
              "measure: {r: {what: reaction, fibres: rod, at: root}}\n",
              model);
    if (!CHECK(sim && run(sim, 20)))
        return;
    double m[6], x[3], A = M_PI * 1e-6, sum = 0;
    plait_sim_measure(sim, m);
    CHECK_NEAR(-m[0], 2 * 1000 * A * L * 9.81, 1e-3 * 2 * 1000 * A * L * 9.81);
    for (int i = 0; i < 1000; i++) { // strain: weight below over EA
        double s = (i + 0.5) / 1000, below = 1000 * A * L * 9.81 * ((1 - s) + (1 - s * s));
        sum += below / (1e6 * A * (2 - s)) * L / 1000;
    }
    node_of(sim, 0, -1, x);
    CHECK_NEAR(x[0] - L, sum, 3e-3 * sum);
    plait_sim_free(sim);
}

CASE(density_and_stretch_along_it)
{
    for (int i = 0; i < MODELS; i++)
        if (strcmp(MODEL[i], "superhelix") != 0) // does not stretch
            mass_differs_along_it(MODEL[i]);
}

// A cantilever that is three times as heavy at its tip, and a little gravity across: with q at the root the tip goes
// down by q L^4 / EI (1/8 + 11/60).
CASE(weight_along_it)
{
    for (int i = 0; i < MODELS; i++) {
        double q = 1e-3 * EI / (L * L * L), x[3], z = q * L * L * L * L / EI * (1.0 / 8 + 11.0 / 60);
        char text[600];
        snprintf(text, sizeof text,
                 "gravity: [0, 0, %.17g]\nmode: static\nstep: {dt: 10, adaptive: false}\n"
                 "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5, along: {at: [0, 1], "
                 "density: [1, 3]}}}\n"
                 "fibres: {rod: {model: %s, segments: 40, ends: {root: clamped}, line: {length: 0.2}}}\n",
                 q / (1000 * M_PI * 1e-6), MODEL[i]);
        plait_sim *sim = start("%s", text);
        if (!CHECK(sim && run(sim, 30)))
            return;
        node_of(sim, 0, -1, x);
        CHECK_NEAR(x[2], z, 0.003 * z);
        plait_sim_free(sim);
    }
}

// Mass in motion: the first frequency of a cantilever whose outer half is a hundred times as light and stiff is that of
// a heavy one of half the length; of models with a curvature for each hinge, and for each element.
CASE(frequency_with_mass_along_it)
{
    for (int i = 0; i < 2; i++) {
        double f, half = L / 2, exact = 3.51602 / (2 * M_PI * half * half) * sqrt(EI / (1000 * M_PI * 1e-6));
        char text[600];
        snprintf(
            text, sizeof text,
            "gravity: [0, 0, 0]\nstep: {dt: 1 ms}\n"
            "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5, along: {at: [0, 0.5, 0.50001, 1], "
            "density: [1, 1, 0.0001, 0.0001], young: [1, 1, 100, 100]}}}\n"
            "fibres: {rod: {model: %s, segments: 40, ends: {root: clamped}, line: {length: 0.2}}}\n"
            "measure: {f: {what: frequency, fibres: rod}}\n",
            MODEL[i]);
        plait_sim *sim = start("%s", text);
        if (!CHECK(sim && run(sim, 0.001)))
            return;
        plait_sim_measure(sim, &f);
        CHECK_NEAR(f, exact, 0.01 * exact);
        plait_sim_free(sim);
    }
}

// A point mass on a rod that hangs: the root bears its weight too; and in motion it is heavy: a light cantilever with it
// at the tip swings at sqrt(3 EI / m L^3).
CASE(point_masses)
{
    const char *model[] = {"der", "corde", "mass-spring"};
    for (int i = 0; i < 3; i++) {
        double m[6], weight = 1000 * M_PI * 1e-6 * L * 9.81 + 1e-3 * 9.81, low[3];
        plait_sim *sim = start("gravity: [9.81, 0, 0]\nmode: static\nstep: {dt: 10, adaptive: false}\n"
                               "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5}}\n"
                               "fibres: {rod: {model: %s, segments: 20, ends: {root: clamped}, line: {length: 0.2}}}\n"
                               "loads: {w: {fibres: rod, arc: 0.13, mass: 1 g}}\n"
                               "measure: {r: {what: reaction, fibres: rod, at: root}}\n",
                               model[i]);
        if (!CHECK(sim && run(sim, 20)))
            return;
        plait_sim_measure(sim, m);
        CHECK_NEAR(-m[0], weight, 1e-6 * weight);
        plait_sim_free(sim);
        sim = start("gravity: [0, 0, 0]\nstep: {dt: 1 ms}\n"
                    "materials: {m: {radius: 1 mm, density: 1, young: 1e7, poisson: 0.5}}\n"
                    "fibres: {rod: {model: %s, segments: 20, ends: {root: clamped}, line: {length: 0.2}}}\n"
                    "loads: {w: {fibres: rod, mass: 1 g}}\nmeasure: {e: {what: eigenvalues}}\n",
                    model[i]);
        if (!CHECK(sim && run(sim, 0.001)))
            return;
        plait_sim_measure(sim, low);
        CHECK_NEAR(low[0], 3 * EI / (1e-3 * L * L * L), 0.01 * 3 * EI / (1e-3 * L * L * L));
        plait_sim_free(sim);
    }
}

CASE(laws_that_cannot_be_are_refused)
{
    const char *bad[] = {"relaxing: 1", "hardening: 1", "along: {at: [0, 1]}, radius: [1 mm, 2 mm], yield_curvature: 3",
                         "along: {at: [0, 1], radius: [1]}", "along: {at: [0.5, 0.2], radius: [1, 1]}"};
    for (int i = 0; i < 5; i++) {
        char text[600];
        plait_error error = {0};
        snprintf(text, sizeof text, "materials: {m: {%s}}\nfibres: {a: {line: {length: 0.1}}}\n", bad[i]);
        plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
        plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
        CHECK(!sim && error.status == PLAIT_BAD_INPUT);
        plait_sim_free(sim), plait_scene_free(scene);
    }
}
