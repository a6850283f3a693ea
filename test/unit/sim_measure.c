// Measurements against closed forms: what holds a beam, what a floor carries, tension, moments, tensors, linking numbers.
#include <stdarg.h>
#include <stdio.h>

#include "sim_scenes.h"

static const double L = 0.3, EI = 1e7 * M_PI * 1e-12 / 4, EA = 1e7 * M_PI * 1e-6;
#define ROD "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5, drag: 40}}\n"

static plait_sim *start(const char *text)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    if (!scene)
        printf("%s\n", error.text);
    return scene ? scenes_start(scene) : NULL;
}

// A cantilever with its weight, a force at its tip and a couple: the clamp carries all of it. Static steps.
static void carries_everything(const char *model)
{
    plait_sim_report report;
    char text[2000];
    snprintf(text, sizeof text,
             "mode: static\nstep: {dt: 10, adaptive: false}\n" ROD "gravity: [0, 0, -0.02]\n"
             "fibres: {rod: {model: %s, segments: 40, ends: {root: clamped}, line: {length: 0.3}}}\n"
             "loads: {f: {fibres: rod, force: [0, 2e-7, 3e-7]}, t: {fibres: rod, moment: [1e-7, 0, 0]}}\n"
             "measure: {r: {what: reaction, fibres: rod, at: root}, p: {what: position, fibres: rod}, "
             "m: {what: moment, fibres: rod, at: all}, k: {what: curvature, fibres: rod, at: root}, "
             "w: {what: twist, fibres: rod, at: middle}, q: {what: position, fibres: rod, at: middle}}\n",
             model);
    plait_sim *sim = start(text);
    if (!CHECK(sim && scenes_run(sim, 100, &report)))
        return;
    double weight = 0.02 * 1000 * M_PI * 1e-6 * L,
           x[3] = {scenes_measure(sim, "p_x"), scenes_measure(sim, "p_y"), scenes_measure(sim, "p_z")};
    CHECK_NEAR(scenes_measure(sim, "r_fy"), -2e-7, 1e-11);
    CHECK_NEAR(scenes_measure(sim, "r_fz"), weight - 3e-7, 1e-4 * weight);
    CHECK_NEAR(scenes_measure(sim, "r_fx"), 0, 1e-4 * weight);
    // about the root: the tip's force and couple, and the weight at the centre of mass (which is not where its middle
    // is: of a shallow bow it is near)
    double middle = scenes_measure(sim, "q_x");
    CHECK_NEAR(scenes_measure(sim, "r_mz"), -x[0] * 2e-7, 2e-3 * x[0] * 2e-7);
    CHECK_NEAR(scenes_measure(sim, "r_my"), x[0] * 3e-7 - middle * weight, 5e-3 * middle * weight);
    CHECK_NEAR(scenes_measure(sim, "m_0"),
               sqrt(pow(scenes_measure(sim, "r_mx"), 2) + pow(scenes_measure(sim, "r_my"), 2) +
                    pow(scenes_measure(sim, "r_mz"), 2)),
               1e-9 * weight);
    CHECK_NEAR(scenes_measure(sim, "k"), hypot(scenes_measure(sim, "r_my"), scenes_measure(sim, "r_mz")) / EI,
               0.01 * scenes_measure(sim, "k"));
    CHECK_NEAR(scenes_measure(sim, "w"), 1e-7 / (EI / 1.5), 0.02 * 1e-7 / EI);
    CHECK(report.kinetic < 1e-9 * report.elastic); // at rest
    plait_sim_free(sim);
}

CASE(a_clamp_carries_everything)
{
    carries_everything("der");
    carries_everything("corde");
}

// Curvature, twist and moment of each model under a couple across (M / EI) and along (M / GJ); chains have no twist, and
// a couple along does nothing to them.
CASE(strains_of_each_model)
{
    const char *model[] = {"der", "superhelix", "corde", "mass-spring"};
    double GJ = EI / 1.5, across = EI, along = 0.5 * GJ;
    for (int i = 0; i < 4; i++) {
        plait_sim_report report;
        char text[2000];
        for (int turned = 0; turned < 1 + (i < 3); turned++) {
            snprintf(
                text, sizeof text,
                "mode: static\nstep: {dt: 10, adaptive: false}\n" ROD "gravity: [0, 0, 0]\n"
                "fibres: {rod: {model: %s, segments: 40, ends: {root: clamped}, line: {length: 0.3}}}\n"
                "loads: {%s: {fibres: rod, moment: [%.17g, %.17g, 0], time: {kind: ramp, stop: 40}}}\n"
                "measure: {k: {what: curvature, fibres: rod, at: middle}, w: {what: twist, fibres: rod, at: middle}, "
                "m: {what: moment, fibres: rod, at: middle}}\n",
                model[i], turned ? "twist" : "bend", turned ? along : 0, turned ? 0 : across);
            plait_sim *sim = start(text);
            if (!CHECK(sim && scenes_run(sim, 80, &report)))
                return;
            double moment = turned ? along : across, w = scenes_measure(sim, "w");
            CHECK_NEAR(scenes_measure(sim, "k"), turned ? 0 : across / EI, 0.002);
            CHECK(i == 3 ? isnan(w) : fabs(fabs(w) - (turned ? along / GJ : 0)) < 0.002);
            CHECK_NEAR(scenes_measure(sim, "m"), moment, 0.002 * moment);
            plait_sim_free(sim);
        }
    }
}

// Free fall: g t; of a fibre, and of a body. A plate that lifts a ball at a constant speed does weight times way.
CASE(velocities_and_work)
{
    plait_sim_report report;
    plait_sim *sim = start(
        "materials: {m: {radius: 1 mm, density: 1000}, b: {density: 1000}}\nstep: {dt: 1 ms, adaptive: false}\n"
        "colliders: {plate: {material: b, shape: box, size: [10 cm, 10 cm, 2 cm], position: [1, 0, -2 cm], motion: "
        "{drives: "
        "[{kind: linear, velocity: [0, 0, 0.1]}]}}}\n"
        "bodies: {ball: {material: b, shape: sphere, radius: 1 cm, position: [1, 0, 0]}, "
        "free: {material: b, shape: sphere, radius: 1 cm, position: [2, 0, 0]}}\n"
        "fibres: {rod: {material: m, line: {length: 0.1}}}\n"
        "measure: {v: {what: velocity, fibres: rod}, u: {what: velocity, body: free}, f: {what: force, collider: "
        "plate}, "
        "g: {what: force, body: ball}, x: {what: position, body: free}}\n");
    if (!CHECK(sim && scenes_run(sim, 0.2, &report)))
        return;
    double weight = 9.81 * 1000 * 4 * M_PI / 3 * 1e-6;
    CHECK_NEAR(scenes_measure(sim, "v_z"), -9.81 * 0.2, 1e-9);
    CHECK_NEAR(scenes_measure(sim, "u_z"), -9.81 * 0.2, 1e-9);
    CHECK_NEAR(scenes_measure(sim, "x_z"), -9.81 * 0.2 * 0.201 / 2, 1e-9); // implicit Euler: t (t + dt) / 2
    CHECK_NEAR(scenes_measure(sim, "f_fz"), -weight, 1e-6 * weight);
    CHECK_NEAR(scenes_measure(sim, "g_fz"), weight, 1e-6 * weight);
    CHECK_NEAR(scenes_measure(sim, "f_work"), weight * 1e-4, 1e-6 * weight * 1e-4);
    plait_sim_free(sim);
}

// A long helix that climbs at the angle a winds about itself by 1 - sin a in each turn; ends cancel in a difference. Its
// tangents: cos^2 a / 2 across, sin^2 a along.
CASE(writhe_and_orientation_of_a_helix)
{
    double found[2], a = atan2(0.01, 2 * M_PI * 0.01);
    for (int i = 0; i < 2; i++) {
        plait_sim_report report;
        plait_error error = {0};
        char text[1000];
        snprintf(text, sizeof text,
                 ROD "gravity: [0, 0, 0]\nstep: {dt: 1 us}\n"
                     "fibres: {h: {segments: %d, helix: {radius: 1 cm, pitch: 1 cm, turns: %d}}}\n"
                     "measure: {w: {what: writhe, fibres: h}, o: {what: orientation}}\n",
                 i ? 320 : 200, i ? 16 : 10);
        plait_sim *sim = start(text);
        if (!CHECK(sim && plait_sim_step(sim, 1e-6, &report, &error) == PLAIT_OK))
            return;
        found[i] = fabs(scenes_measure(sim, "w"));
        CHECK_NEAR(scenes_measure(sim, "o_zz"), sin(a) * sin(a), 0.01 * sin(a) * sin(a) + 1e-3);
        CHECK_NEAR(scenes_measure(sim, "o_xx"), cos(a) * cos(a) / 2, 0.01);
        plait_sim_free(sim);
    }
    CHECK_NEAR((found[1] - found[0]) / 6, 1 - sin(a), 0.03);
}

// Hung up at both ends, straight: each carries half; tension of a rod that is pulled by P is P all along.
CASE(tension_and_two_ends)
{
    plait_sim_report report;
    plait_sim *sim =
        start("mode: static\nstep: {dt: 10, adaptive: false}\ngravity: [0, 0, 0]\n" ROD
              "fibres: {rod: {segments: 20, ends: {root: pinned}, line: {length: 0.3}}}\n"
              "loads: {f: {fibres: rod, force: [0.01, 0, 0]}}\n"
              "measure: {t: {what: tension, fibres: rod, at: all}, d: {what: distance, fibres: rod, to: [0, 0, 0]}, "
              "r: {what: reaction, fibres: rod, at: root}}\n");
    if (!CHECK(sim && scenes_run(sim, 30, &report)))
        return;
    for (int j = 0; j < 20; j++) {
        char title[20];
        snprintf(title, sizeof title, "t_%d", j);
        CHECK_NEAR(scenes_measure(sim, title), 0.01, 1e-8);
    }
    CHECK_NEAR(scenes_measure(sim, "d"), L * (1 + 0.01 / EA), 1e-9);
    CHECK_NEAR(scenes_measure(sim, "r_fx"), -0.01, 1e-8);
    CHECK_NEAR(scenes_measure(sim, "r_my"), 0, 1e-15);
    plait_sim_free(sim);
}

// A rod that lies on a floor: the floor is pressed by its weight; contacts of its root are not the clamp's.
CASE(floor_and_contacts)
{
    plait_sim_report report;
    double weight = 9.81 * 1000 * M_PI * 1e-6 * L;
    plait_sim *sim = start(ROD "colliders: {floor: {shape: plane, position: [0, 0, -1 mm]}}\nstep: {dt: 5 ms}\n"
                               "fibres: {rod: {segments: 20, line: {length: 0.3}}}\n"
                               "measure: {f: {what: force, collider: floor}, c: {what: contacts}, s: {what: stress}, "
                               "o: {what: orientation}, e: {what: energy}}\n");
    if (!CHECK(sim && scenes_run(sim, 0.5, &report)))
        return;
    CHECK_NEAR(scenes_measure(sim, "f_fz"), -weight, 1e-6 * weight);
    CHECK_NEAR(scenes_measure(sim, "c_normal"), weight, 1e-6 * weight);
    CHECK_NEAR(scenes_measure(sim, "c_per_fibre"), scenes_measure(sim, "c_count"), 0);
    CHECK_NEAR(scenes_measure(sim, "o_xx"), 1, 1e-9);
    CHECK_NEAR(scenes_measure(sim, "e_kinetic"), report.kinetic, 0);
    CHECK_NEAR(scenes_measure(sim, "s_zz"), weight * -0.001, 1e-6 * weight); // where it touches the floor
    plait_sim_free(sim);
    sim = start(ROD "colliders: {floor: {shape: plane, position: [0, 0, -1 mm]}}\nstep: {dt: 5 ms}\n"
                    "fibres: {rod: {segments: 20, ends: {root: clamped}, line: {length: 0.3}}}\n"
                    "measure: {f: {what: force, collider: floor}, r: {what: reaction, fibres: rod, at: root}}\n");
    if (!CHECK(sim && scenes_run(sim, 0.5, &report)))
        return;
    CHECK_NEAR(scenes_measure(sim, "r_fz") - scenes_measure(sim, "f_fz"), weight, 1e-3 * weight);
    plait_sim_free(sim);
}

// Two closed polygons, one through the other: 1; a helix of n turns about a long straight rod: n; a flat ring: writhe 0.
CASE(linking)
{
    plait_sim_report report;
    plait_error error = {0};
    plait_sim *sim =
        start(ROD "gravity: [0, 0, 0]\nstep: {dt: 1 us}\nfibres:\n"
                  "  a: {polyline: {points: [[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 0.002, 0]]}}\n"
                  "  b: {polyline: {points: [[0.5, 0.5, -1], [0.5, 0.5, 1], [0.5, 3, 1], [0.5, 3, -1], "
                  "[0.5, 0.502, -1]]}}\n"
                  "measure: {l: {what: linking, fibres: a, to_fibres: b}, w: {what: writhe, fibres: a}}\n");
    if (!CHECK(sim && plait_sim_step(sim, 1e-6, &report, &error) == PLAIT_OK))
        return;
    CHECK_NEAR(fabs(scenes_measure(sim, "l")), 1, 0.01);
    CHECK_NEAR(scenes_measure(sim, "w"), 0, 1e-9);
    plait_sim_free(sim);
    sim = start(ROD "gravity: [0, 0, 0]\nstep: {dt: 1 us}\nfibres:\n"
                    "  a: {segments: 1, line: {from: [0, 0, -10], direction: [0, 0, 1], length: 20}}\n"
                    "  b: {segments: 120, helix: {from: [0, 0, -0.1], radius: 1 cm, pitch: 5 cm, turns: 4}}\n"
                    "measure: {l: {what: linking, fibres: a, to_fibres: b}}\n");
    if (!CHECK(sim && plait_sim_step(sim, 1e-6, &report, &error) == PLAIT_OK))
        return;
    CHECK_NEAR(fabs(scenes_measure(sim, "l")), 4, 0.02);
    plait_sim_free(sim);
}

// Clamped-free beam: 1.8751^2 sqrt(EI / (m L^4)) / 2 pi; a column that is pressed by half of its Euler load swings
// slower by nearly sqrt(1/2), and not at all beyond it.
CASE(lowest_frequency)
{
    double P = 2.467401 * EI / (L * L), f = pow(1.8751041, 2) * sqrt(EI / (1000 * M_PI * 1e-6)) / (L * L) / (2 * M_PI);
    const double part[] = {0, 0.5, 1.05};
    for (int i = 0; i < 3; i++) {
        char text[2000];
        plait_sim_report report;
        snprintf(text, sizeof text,
                 ROD "gravity: [0, 0, 0]\nmode: static\nstep: {dt: 1 s}\n"
                     "fibres: {rod: {segments: 40, ends: {root: clamped}, line: {length: 0.3}}}\n"
                     "loads: {p: {fibres: rod, force: [%.17g, 0, 0]}}\nmeasure: {f: {what: frequency, fibres: rod}}\n",
                 -part[i] * P);
        plait_sim *sim = start(text);
        if (!CHECK(sim && scenes_run(sim, 1, &report)))
            return;
        double g = scenes_measure(sim, "f");
        if (part[i] < 1)
            CHECK_NEAR(g, f * sqrt(1 - part[i]), 0.02 * f);
        plait_sim_free(sim);
    }
}

// A clamp that slides along z carries nothing along it, and a guided end keeps its direction: drop P L^3 / 12 EI.
CASE(sliding_clamp)
{
    plait_sim_report report;
    double P = 0.01 * EI / (L * L);
    char text[2000];
    snprintf(text, sizeof text,
             ROD
             "gravity: [0, 0, 0]\nmode: static\nstep: {dt: 10 s, adaptive: false}\n"
             "fibres: {rod: {segments: 40, ends: {root: clamped, tip: clamped, slide_tip: xz}, line: {length: 0.3}}}\n"
             "loads: {p: {fibres: rod, force: [0, 0, %.17g]}}\n"
             "measure: {t: {what: reaction, fibres: rod, at: tip}, x: {what: position, fibres: rod}}\n",
             -P);
    plait_sim *sim = start(text);
    if (!CHECK(sim && scenes_run(sim, 30, &report)))
        return;
    CHECK_NEAR(scenes_measure(sim, "x_z"), -P * L * L * L / (12 * EI), 0.003 * P * L * L * L / EI / 12);
    CHECK_NEAR(scenes_measure(sim, "t_fz"), 0, 1e-12);
    CHECK_NEAR(fabs(scenes_measure(sim, "t_my")), P * L / 2, 0.002 * P * L);
    plait_sim_free(sim);
}

// From each thing that a distance can be from.
CASE(distances)
{
    plait_sim *sim = start(
        "gravity: [0, 0, 0]\nmaterials: {m: {radius: 1 mm}}\n"
        "colliders: {floor: {shape: plane, position: [0, 0, -3]}}\n"
        "bodies: {ball: {shape: sphere, radius: 1 cm, position: [0.3, 0, 0.4]}}\n"
        "fibres: {rod: {line: {length: 0.3}}, other: {line: {length: 0.1, from: [0, 0, 2]}}}\n"
        "measure: {p: {what: distance, fibres: rod, to: [0.3, 0, 1]},\n"
        "  b: {what: distance, fibres: rod, to_body: ball}, c: {what: distance, fibres: rod, to_collider: floor},\n"
        "  f: {what: distance, fibres: rod, to_fibres: other, to_at: tip}}\n");
    if (!CHECK(sim != NULL))
        return;
    CHECK_NEAR(scenes_measure(sim, "p"), 1, 1e-9);
    CHECK_NEAR(scenes_measure(sim, "b"), 0.4, 1e-9);
    CHECK_NEAR(scenes_measure(sim, "c"), hypot(0.3, 3), 1e-9);
    CHECK_NEAR(scenes_measure(sim, "f"), hypot(0.2, 2), 1e-9);
    plait_sim_free(sim);
}

CASE(mistakes)
{
    const char *const wrong[][2] = {
        {"what: force, fibres: rod", "'collider' or a 'body'"},
        {"what: tension", "measured of 'fibres'"},
        {"what: position, fibres: rod, at: all", "at one place"},
        {"what: distance, fibres: rod", "a distance is from one of"},
        {"what: distance, fibres: rod, to_fibres: rod, to_body: ball", "a distance is from one of"},
        {"what: distance, fibres: rod, to_collider: floor, to_body: ball", "a distance is from one of"},
        {"what: distance, fibres: rod, to_fibres: rod, to: [0, 0, 0]", "a distance is from one of"},
        {"what: distance, fibres: rod, to_collider: floor, to: [0, 0, 0]", "a distance is from one of"},
        {"what: reaction, fibres: rod, at: middle", "root or of the tip"},
        {"what: speed, fibres: rod", "unknown what"},
        {"fibres: rod", "'what'"},
        {"what: energy, fibres: rod", "'fibres' does not go with 'energy'"},
        {"what: eigenvalues, body: ball", "'body' does not go with 'eigenvalues'"},
        {"what: velocity, collider: floor", "'collider' does not go with 'velocity'"},
        {"what: contacts, fibres: rod, at: tip", "'at' does not go with 'contacts'"},
        {"what: position, fibres: rod, volume: 1", "'volume' does not go with 'position'"},
        {"what: linking, fibre: 1", "one of 'fibres'"},
        {"what: curvature, fibres: rod, arc: 5", "5 m is not on it"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1000];
        plait_error error = {0};
        snprintf(text, sizeof text,
                 "fibres: {rod: {line: {}}}\ncolliders: {floor: {shape: plane}}\n"
                 "bodies: {ball: {shape: sphere, radius: 1 cm, position: [0, 0, 1]}}\n"
                 "measure: {m: {%s}}\n",
                 wrong[i][0]);
        plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
        plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
        if (!CHECK(!sim && strstr(error.text, wrong[i][1])))
            printf("%s: %s\n", wrong[i][0], error.text);
        plait_sim_free(sim), plait_scene_free(scene);
    }
}
