// Joints against closed forms: frames of welded rods, hinges, rings, nets, bodies.
#include <string.h>

#include "scene_start.h"

static const char *const STATIC = "gravity: [0, 0, 0]\nmode: static\n"
                                  "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5}}\n"
                                  "step: {dt: 10, adaptive: false}\n";
static const double EI = 1e7 * M_PI * 1e-12 / 4, GJ = 1e7 / 3 * M_PI * 1e-12 / 2;

static bool run(plait_sim *sim, double end)
{
    plait_sim_report report;
    return scenes_run(sim, end, &report);
}

// Two rods, welded end to end, are one: P L^3 / 3 EI.
CASE(a_welded_cantilever_is_one)
{
    double P = 0.003 * EI / 0.04, x[3];
    for (int n = 10; n <= 20; n += 10) {
        plait_sim *sim = start("%sfibres: {a: {segments: %d, ends: {root: clamped}, line: {length: 0.1}}, "
                               "b: {segments: %d, line: {from: [0.1, 0, 0], length: 0.1}}}\n"
                               "joints: {j: {kind: weld, fibres: a, to_fibres: b}}\n"
                               "loads: {p: {fibres: b, force: [0, 0, %.17g]}}\n",
                               STATIC, n, n, P);
        if (!CHECK(sim && run(sim, 30)))
            return;
        node_of(sim, 1, -1, x);
        CHECK_NEAR(x[2], P * 0.008 / (3 * EI), (n == 10 ? 0.01 : 0.004) * P * 0.008 / (3 * EI));
        plait_sim_free(sim);
    }
}

// A frame in the plane z = 0, bent at a right angle, with a force across it: the first rod bends and is twisted.
CASE(a_weld_at_a_corner_transmits_moment_and_torque)
{
    const char *model[] = {"der", "corde"};
    for (int m = 0; m < 2; m++) {
        double a = 0.1, b = 0.06, P = 0.01 * EI / 0.01, x[3];
        plait_sim *sim =
            start("%sfibres: {a: {model: %s, segments: 40, ends: {root: clamped}, line: {length: 0.1}}, "
                  "b: {model: %s, segments: 24, line: {from: [0.1, 0, 0], direction: [0, 1, 0], length: 0.06}}}\n"
                  "joints: {j: {kind: weld, fibres: a, to_fibres: b}}\n"
                  "loads: {p: {fibres: b, force: [0, 0, %.17g]}}\n",
                  STATIC, model[m], model[m], P);
        if (!CHECK(sim && run(sim, 40)))
            return;
        double z = P * (a * a * a / (3 * EI) + b * b * b / (3 * EI) + b * b * a / GJ);
        node_of(sim, 1, -1, x);
        CHECK_NEAR(x[2], z, (m ? 0.06 : 0.01) * z); // corde's welds hold the first segment: first order
        plait_sim_free(sim);
    }
}

// A hinge along z between two rods along x: a force along z goes on as in one rod, one along y finds a mechanism,
// which a spring at the far end holds.
CASE(a_hinge_turns_about_its_axis_alone)
{
    double P = 0.003 * EI / 0.04, x[3];
    plait_sim *sim = start("%sfibres: {a: {segments: 20, ends: {root: clamped}, line: {length: 0.1}}, "
                           "b: {segments: 20, line: {from: [0.1, 0, 0], length: 0.1}}}\n"
                           "joints: {j: {kind: hinge, axis: [0, 0, 2], fibres: a, to_fibres: b}}\n"
                           "loads: {p: {fibres: b, force: [0, 0, %.17g]}, q: {fibres: b, force: [0, %.17g, 0]}, "
                           "s: {fibres: b, stiffness: %.17g, length: 0, to: [0.2, 0, 0]}}\n",
                           STATIC, P, P, P / 1e-3);
    if (!CHECK(sim && run(sim, 60)))
        return;
    double soft = P / 1e-3, z = P * 0.008 / (3 * EI);
    node_of(sim, 1, -1, x);
    CHECK_NEAR(x[2], z / (1 + soft * 0.008 / (3 * EI)), 0.01 * z); // the spring pulls along z too
    CHECK_NEAR(x[1], 1e-3, 2e-5);                                  // all of it in the spring: the hinge does not help
    node_of(sim, 0, -1, x);
    CHECK_NEAR(x[1], 0, 2e-5);
    plait_sim_free(sim);
}

// Ends with free and held directions: a beam on two hinges along y, loaded along z in the middle, P L^3 / 48 EI; along
// y it is a beam with clamped ends, P L^3 / 192 EI.
CASE(ends_that_are_hinged_to_the_world)
{
    double P = 0.02 * EI / 0.04, x[3];
    plait_sim *sim = start(
        "%sfibres: {a: {segments: 40, line: {length: 0.2}}}\n"
        "colliders: {slider: {shape: none}}\n"
        "joints: {l: {kind: hinge, axis: [0, 1, 0], fibres: a, at: root}, "
        "r: {kind: hinge, axis: [0, 1, 0], fibres: a, at: tip, to_collider: slider}}\n"
        "loads: {p: {fibres: a, at: middle, force: [0, 0, %.17g]}, q: {fibres: a, at: middle, force: [0, %.17g, 0]}}\n",
        STATIC, P, P);
    if (!CHECK(sim && run(sim, 40)))
        return;
    node_of(sim, 0, 20, x);
    CHECK_NEAR(x[2], P * 0.008 / (48 * EI), 0.01 * P * 0.008 / (48 * EI));
    CHECK_NEAR(x[1], P * 0.008 / (192 * EI), 0.02 * P * 0.008 / (192 * EI));
    plait_sim_free(sim);
}

// A closed ring of radius R, pulled at opposite points: its diameter grows by (pi/4 - 2/pi) P R^3 / EI, the other one
// shrinks by (2/pi - 1/2) of that. Pulled at the seam and across it.
CASE(a_closed_ring)
{
    for (int turn = 0; turn < 2; turn++) {
        double R = 0.05, P = 0.05 * EI / (R * R), x[4][3];
        const char *place[2][2] = {{"at: root", "at: middle"},
                                   {"arc: 0.07853981633974483", "arc: 0.23561944901923448"}};
        const char *force[] = {"[%.17g, 0, 0]", "[0, %.17g, 0]"};
        char pull[2][80];
        snprintf(pull[0], sizeof pull[0], force[turn], P), snprintf(pull[1], sizeof pull[1], force[turn], -P);
        plait_sim *sim = start("%sfibres: {a: {segments: 80, natural: {shape: drawn}, "
                               "helix: {radius: 0.05, pitch: 0, turns: 1}}}\n"
                               "joints: {seam: {kind: weld, fibres: a, to_fibres: a}}\n"
                               "loads: {p: {fibres: a, %s, force: %s}, q: {fibres: a, %s, force: %s}}\n",
                               STATIC, place[turn][0], pull[0], place[turn][1], pull[1]);
        if (!CHECK(sim && run(sim, 40)))
            return;
        for (int k = 0; k < 4; k++)
            node_of(sim, 0, 20 * k, x[k]);
        double wide = P * R * R * R / EI, along = (M_PI / 4 - 2 / M_PI) * wide, across = (2 / M_PI - 0.5) * wide;
        CHECK_NEAR(x[0][0] - x[2][0] - 2 * R, turn ? -across : along, 0.03 * along);
        CHECK_NEAR(x[1][1] - x[3][1] - 2 * R, turn ? along : -across, 0.03 * along);
        plait_sim_free(sim);
    }
}

// A box, welded to the tip of a cantilever, weighs at its middle: P L^3 / 3 EI + P c L^2 / 2 EI at the tip, c beyond it.
CASE(a_body_that_is_welded_on)
{
    double L = 0.1, c = 0.02, m = 0.04 * 0.01 * 0.01 * 1000, g = 0.003 * EI / (0.01 * m), x[3];
    plait_sim *sim =
        start("%sfibres: {a: {segments: 30, ends: {root: clamped}, line: {length: 0.1}}}\n"
              "bodies: {box: {shape: box, size: [0.04, 0.01, 0.01], position: [0.12, 0, 0], density: 1000}}\n"
              "joints: {j: {kind: weld, fibres: a, to_body: box}}\n"
              "loads: {g: {gravity: [0, 0, %.17g]}}\n",
              STATIC, -g);
    if (!CHECK(sim && run(sim, 60)))
        return;
    double z = m * g * (L * L * L / (3 * EI) + c * L * L / (2 * EI)), own = 1000 * M_PI * 1e-6 * g;
    node_of(sim, 0, -1, x);
    CHECK_NEAR(-x[2], z + own * L * L * L * L / (8 * EI), 0.01 * z);
    plait_sim_free(sim);
}

// Two bars on a hinge to the world and one between them: a double pendulum that starts stretched out to the side; what
// it has of energy stays, and joints stay closed.
CASE(bodies_on_hinges_swing)
{
    plait_sim *sim = start("step: {dt: 1 ms, adaptive: false}\ncontact: {fibres: false}\n"
                           "bodies: {a: {shape: box, size: [0.1, 0.02, 0.02], position: [0.05, 0, 0]}, "
                           "b: {shape: box, size: [0.1, 0.02, 0.02], position: [0.15, 0, 0]}}\n"
                           "joints: {top: {kind: hinge, axis: [0, 1, 0], body: a, position: [0, 0, 0]}, "
                           "knee: {kind: hinge, axis: [0, 1, 0], body: a, to_body: b, position: [0.1, 0, 0]}}\n");
    if (!CHECK(sim && run(sim, 0.3)))
        return;
    double at[2][3], q[2][4], knee[2][3];
    for (int k = 0; k < 2; k++) {
        plait_sim_rigid_pose(sim, k, at[k], q[k]);
        double h = k ? -0.05 : 0.05, y = q[k][1], w = q[k][3]; // about y alone
        knee[k][0] = at[k][0] + h * (1 - 2 * y * y), knee[k][2] = at[k][2] - h * 2 * w * y;
        CHECK_NEAR(at[k][1], 0, 1e-9);
        CHECK(at[k][2] < -0.01);
    }
    CHECK_NEAR(knee[0][0], knee[1][0], 2e-4);
    CHECK_NEAR(knee[0][2], knee[1][2], 2e-4);
    plait_sim_free(sim);
}

// A net of 3 x 3 fibres with joints at the crossings: held at the ends of one family and pulled at those of the other.
CASE(a_net)
{
    plait_sim *sim = start(
        "gravity: [0, 0, 0]\nstep: {dt: 2 ms, adaptive: false}\n"
        "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5, drag: 5}}\n"
        "fibres: {warp: {segments: 12, ends: {root: pinned}, line: {count: 3, spacing: [0, 0.03, 0], length: 0.12}}, "
        "weft: {segments: 12, line: {from: [0.03, -0.03, 2.01 mm], direction: [0, 1, 0], count: 3, "
        "spacing: [0.03, 0, 0], length: 0.12}}}\n"
        "joints: {knots: {fibres: warp, to_fibres: weft, crossings: 0.5 mm}}\n"
        "loads: {pull: {fibres: weft, at: tip, force: [0, 0, -20 uN]}}\n");
    plait_sim_report report;
    if (!CHECK(sim && scenes_run(sim, 0.2, &report)))
        return;
    CHECK_INT(report.ties, 9);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double x[3], y[3];
            node_of(sim, a, 3 * (b + 1), x), node_of(sim, 3 + b, 3 * (a + 1), y);
            CHECK_NEAR(
                sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) + (x[2] - y[2]) * (x[2] - y[2])),
                2.01e-3, 2e-4);
        }
    plait_sim_free(sim);
}

// A state in the middle goes on with the same bits, and a joint opens when it is told.
CASE(joints_are_part_of_the_state)
{
    const char *text = "step: {dt: 1 ms, adaptive: false}\n"
                       "fibres: {a: {segments: 8, ends: {root: clamped}, line: {length: 4 cm}}, "
                       "b: {segments: 8, line: {from: [4 cm, 0, 0], direction: [0, 1, 0], length: 4 cm}}}\n"
                       "joints: {j: {kind: weld, fibres: a, to_fibres: b, until: 30 ms}}\n";
    plait_sim *sim = start("%s", text), *twin = start("%s", text);
    plait_sim_report report;
    if (!CHECK(sim && twin && scenes_run(sim, 0.01, &report)))
        return;
    CHECK_INT(report.ties, 3);
    CHECK(goes_on_alike(sim, twin, 0.02));
    CHECK(scenes_run(sim, 0.04, &report));
    CHECK_INT(report.ties, 0);
    plait_sim_free(sim), plait_sim_free(twin);
}

// Super-helices: two welded halves are one, in motion too, bent and twisted; and they go on with the same bits.
CASE(welded_super_helices_are_one)
{
    const char *text =
        "gravity: [0, 1, -9.81]\nstep: {dt: 2 ms, adaptive: false}\n"
        "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5, drag: 20, damping: 5 ms}}\n"
        "fibres:\n"
        "  whole: {model: superhelix, segments: 10, ends: {root: clamped}, line: {from: [0, 1, 0], length: 0.2}}\n"
        "  a: {model: superhelix, segments: 5, ends: {root: clamped}, line: {length: 0.1}}\n"
        "  b: {model: superhelix, segments: 5, line: {from: [0.1, 0, 0], length: 0.1}}\n"
        "joints: {j: {kind: weld, fibres: a, to_fibres: b}}\n"
        "loads: {t: {fibres: b, moment: [2e-5, 0, 0]}, u: {fibres: whole, moment: [2e-5, 0, 0]}}\n";
    plait_sim *sim = start("%s", text), *twin = start("%s", text);
    double x[3] = {0}, y[3];
    if (!CHECK(sim && twin))
        return;
    for (int k = 1; k <= 4; k++) {
        if (!CHECK(run(sim, 0.05 * k)))
            return;
        node_of(sim, 0, -1, x), node_of(sim, 2, -1, y);
        CHECK_NEAR(y[0], x[0], 1e-4);
        CHECK_NEAR(y[1], x[1] - 1, 1e-4);
        CHECK_NEAR(y[2], x[2], 1e-4);
    }
    CHECK(x[2] < -0.01);
    double frame[2][9 * 10] = {0};
    plait_rod_frames(plait_sim_rod(sim, 0), frame[0]), plait_rod_frames(plait_sim_rod(sim, 2), frame[1]);
    for (int i = 0; i < 9; i++) // of the last elements
        CHECK_NEAR(frame[1][9 * 4 + i], frame[0][9 * 9 + i], 1e-3);
    CHECK(goes_on_alike(sim, twin, 0.22));
    plait_sim_free(sim), plait_sim_free(twin);
}

// One that hangs from a hinge in the world turns about its axis as a stiff rod does, 3 g / 2 L at first, and not about
// another one, whatever pulls it there.
CASE(a_super_helix_on_a_hinge)
{
    plait_sim *sim = start("gravity: [0, 4, -9.81]\nstep: {dt: 0.2 ms, adaptive: false}\n"
                           "materials: {m: {radius: 1 mm, density: 1000, young: 2e11}}\n"
                           "fibres: {a: {model: superhelix, segments: 4, line: {length: 0.2}}}\n"
                           "joints: {wall: {kind: hinge, axis: [0, 1, 0], fibres: a, at: root}}\n");
    double x[3], t = 0.05;
    if (!CHECK(sim && run(sim, t)))
        return;
    node_of(sim, 0, -1, x);
    CHECK_NEAR(atan2(-x[2], x[0]), 0.75 * 9.81 / 0.2 * t * t, 0.01 * 0.092);
    CHECK_NEAR(x[1], 0, 2e-5);
    node_of(sim, 0, 0, x);
    CHECK_NEAR(hypot(hypot(x[0], x[1]), x[2]), 0, 1e-6);
    plait_sim_free(sim);
}

CASE(what_cannot_be_joined_is_refused)
{
    const char *bad[] = {"j: {kind: hinge, fibres: a}",
                         "j: {fibres: a, body: a}",
                         "j: {kind: weld, fibres: m}",
                         "j: {fibres: a, at: root}",
                         "j: {fibres: a, at: all}",
                         "j: {fibres: a, to_fibres: a, crossings: 1 mm}",
                         "j: {fibres: a, to_fibres: a, to_at: tip}"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[1000];
        plait_error error = {0};
        snprintf(
            text, sizeof text,
            "fibres: {a: {ends: {root: clamped}, line: {length: 0.1}}, m: {model: mass-spring, line: {length: 0.1, "
            "from: [0, 1, 0]}}}\njoints: {%s}\n",
            bad[i]);
        plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
        plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
        CHECK(!sim && error.status == PLAIT_BAD_INPUT);
        plait_sim_free(sim), plait_scene_free(scene);
    }
}
