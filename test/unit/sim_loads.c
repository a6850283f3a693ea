// Loads of scenes against closed forms: forces, moments, masses, springs; gravity, friction and natural curvature over
// time.
#include "scene_start.h"

// Weightless rod of 0.3 m along x, clamped at its root: EI = E pi r^4 / 4.
static const char *const BEAM =
    "gravity: [0, 0, 0]\n"
    "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5, damping: 0.01}}\n"
    "step: {dt: 1 ms, adaptive: false}\n"
    "fibres: {rod: {segments: 40, ends: {root: clamped}, line: {length: 0.3}}}\n";
static const double L = 0.3, EI = 1e7 * M_PI * 1e-12 / 4;

// Equilibrium: followers are turned in a step, then all goes down in energy, again and again.
static bool settle(plait_sim *sim, int rounds)
{
    for (int i = 0; i < rounds; i++) {
        plait_sim_report report;
        plait_step_report relaxed = {0};
        if (!scenes_run(sim, plait_sim_time(sim) + 1e-3, &report) ||
            plait_rod_relax(plait_sim_rod(sim, 0), NULL, &relaxed, NULL) != PLAIT_OK || !relaxed.converged)
            return false;
    }
    return true;
}

static void tip(plait_sim *sim, double x[3], double t[3])
{
    double all[3 * 41];
    plait_rod_positions(plait_sim_rod(sim, 0), all);
    for (int k = 0; k < 3; k++)
        x[k] = all[120 + k], t[k] = (all[120 + k] - all[117 + k]) / (L / 40);
}

// Bisshopp and Drucker: alpha = P L^2 / EI.
CASE(a_force_at_the_tip)
{
    const double alpha[] = {0.5, 1, 2, 5}, drop[] = {0.162144, 0.301721, 0.493457, 0.713792};
    for (int i = 0; i < 4; i++) {
        double P = alpha[i] * EI / (L * L), x[3], t[3];
        plait_sim *sim = start("%sloads: {pull: {fibres: rod, force: [0, 0, %.17g]}}\n", BEAM, -P);
        if (!CHECK(sim && settle(sim, 1)))
            return;
        tip(sim, x, t);
        CHECK_NEAR(-x[2] / L, drop[i], 0.003 * drop[i]);
        CHECK_NEAR(x[1], 0, 1e-9);
        plait_sim_free(sim);
    }
}

// A spread force is the weight of a cantilever: H/W = 0.124562 at Gamma = q L^3 / EI = 1, 1.066802 at 10.
CASE(a_force_all_along)
{
    const double gamma[] = {1, 10}, ratio[] = {0.124562, 1.066802};
    for (int i = 0; i < 2; i++) {
        double x[3], t[3];
        plait_sim *sim =
            start("%sloads: {w: {fibres: rod, at: all, force: [0, 0, %.17g]}}\n", BEAM, -gamma[i] * EI / (L * L));
        if (!CHECK(sim && settle(sim, 1)))
            return;
        tip(sim, x, t);
        CHECK_NEAR(-x[2] / x[0], ratio[i], 0.01 * ratio[i]);
        plait_sim_free(sim);
    }
}

// Half way: small deflections are P a^2 (3 L - a) / (6 EI) at the tip, wherever nodes are.
CASE(a_force_between_nodes)
{
    for (int i = 0; i < 3; i++) {
        double a = 0.1511 + 0.003 * i, P = 0.003 * EI / (L * L), x[3], t[3];
        plait_sim *sim = start("%sloads: {p: {fibres: rod, arc: %g, force: [0, %.17g, 0]}}\n", BEAM, a, P);
        if (!CHECK(sim && settle(sim, 1)))
            return;
        tip(sim, x, t);
        double answer = P * a * a * (3 * L - a) / (6 * EI);
        CHECK_NEAR(x[1], answer, 0.002 * answer);
        plait_sim_free(sim);
    }
}

// Bent into an arc: the last edge turns by M (L - l/2) / EI, l one segment; twisted by M L / GJ less half a segment.
CASE(a_moment_at_the_tip)
{
    for (int follows = 0; follows < 2; follows++) {
        double M = 2 * EI / L, x[3], t[3], at = follows ? 0 : M;
        // in the frame of the tip: which of m1, m2 is across y does not matter here, both bend into an arc
        plait_sim_report report;
        plait_sim *sim = start("gravity: [0, 0, 0]\n"
                               "materials: {m: {radius: 1 mm, density: 10, young: 1e7, poisson: 0.5, drag: 40}}\n"
                               "step: {dt: 4 ms, adaptive: false}\n"
                               "fibres: {rod: {segments: 40, ends: {root: clamped}, line: {length: 0.3}}}\n"
                               "loads: {m: {fibres: rod, follows: %s, moment: [%.17g, %.17g, 0], time: {kind: ramp, "
                               "stop: 0.5}}}\n",
                               follows ? "true" : "false", follows ? M : 0, at);
        if (!CHECK(sim && scenes_run(sim, 1.8, &report)))
            return;
        tip(sim, x, t);
        double angle = acos(t[0]);
        CHECK_NEAR(angle, M * (L - L / 80) / EI, 2e-3);
        plait_sim_free(sim);
    }
    double M = 0.7 * EI / L, frames[9 * 40];
    plait_sim *sim = start("%sloads: {m: {fibres: rod, moment: [%.17g, 0, 0]}}\n", BEAM, M);
    if (!CHECK(sim && settle(sim, 1)))
        return;
    plait_rod_frames(plait_sim_rod(sim, 0), frames);
    double *first = frames, *last = frames + 9 * 39, GJ = EI / 1.5;
    double angle = atan2(first[4] * last[1] + first[5] * last[2], first[1] * last[1] + first[2] * last[2]);
    CHECK_NEAR(angle, M * (L - L / 40) / GJ, 1e-6);
    plait_sim_free(sim);
}

// A bead at the tip pulls as its weight does; another in the middle moves with it.
CASE(point_masses)
{
    double mass = EI / (L * L) / 9.81, x[3], t[3];
    plait_sim *sim = start("gravity: [0, 0, -9.81]\n%s"
                           "loads: {a: {fibres: rod, mass: %.17g}}\n",
                           strchr(BEAM, '\n') + 1, mass);
    plait_sim *bare = start("gravity: [0, 0, -9.81]\n%s"
                            "loads: {a: {fibres: rod, force: [0, 0, %.17g]}}\n",
                            strchr(BEAM, '\n') + 1, -mass * 9.81);
    if (!CHECK(sim && bare && settle(sim, 1) && settle(bare, 1)))
        return;
    tip(sim, x, t);
    double y[3];
    tip(bare, y, t);
    CHECK_NEAR(x[2], y[2], 1e-7 * L);
    plait_sim_report report;
    plait_error error = {0};
    CHECK(scenes_run(sim, plait_sim_time(sim) + 5e-3, &report));
    // at rest all that changes is rounding of the energies
    CHECK(fabs(report.ledger.error) <= 1e-6 * report.ledger.scale + 1e-15 * (report.elastic + fabs(report.potential)));
    plait_sim_free(sim), plait_sim_free(bare);
    // free flight: all of it keeps its momentum, and energy is 1/2 (m + M) v^2
    sim = start("gravity: [0, 0, 0]\nfibres: {rod: {segments: 10, velocity: [0, 0, 2], line: {length: 0.3}}}\n"
                "loads: {a: {fibres: rod, arc: 0.1234, mass: 1 g}, b: {fibres: rod, at: root, mass: 2 g}}\n");
    if (!CHECK(sim))
        return;
    CHECK(plait_sim_step(sim, 1e-3, &report, &error) == PLAIT_OK);
    plait_rod_energies e = plait_rod_energy(plait_sim_rod(sim, 0));
    double rod = 1320 * M_PI * 37e-6 * 37e-6 * 0.3;
    CHECK_NEAR(e.momentum[2], 2 * (rod + 3e-3), 1e-12);
    plait_sim_free(sim);
}

static const char *const BALL = "materials: {m: }\nbodies: {ball: {shape: sphere, radius: 1 cm, density: 1000}}\n"
                                "step: {dt: 1 ms, adaptive: false}\n";
static const double MASS = 1000 * 4 * M_PI / 3 * 1e-6;

// A ball on a spring and damper comes to rest m g / k below; a spring of given length that much longer.
CASE(springs)
{
    for (int length = 0; length < 2; length++) {
        plait_sim_report report;
        double x[3], q[4], k = 20, answer = -MASS * 9.81 / k - 0.05 * length;
        plait_sim *sim = start("%sloads: {s: {body: ball, stiffness: %g, damping: 0.5, length: %g, to: [0, 0, %g]}}\n",
                               BALL, k, 0.05 * length, length ? 1e-9 : 0.0);
        if (!CHECK(sim && scenes_run(sim, 1.5, &report)))
            return;
        plait_sim_rigid_pose(sim, 0, x, q);
        CHECK_NEAR(x[2], answer, 1e-6);
        plait_sim_free(sim);
    }
    // two fibres, tip to tip: one spring of 10 N/m; both cantilevers bend by the same small way
    double d = 0.02, k = 3 * EI / (L * L * L), x[3 * 21];
    plait_sim *sim = start("gravity: [0, 0, 0]\ncontact: {fibres: false}\n"
                           "materials: {m: {radius: 1 mm, density: 10, young: 1e7, poisson: 0.5, damping: 0.1}}\n"
                           "step: {dt: 10 ms, adaptive: false}\nfibres:\n"
                           "  a: {segments: 20, ends: {root: clamped}, line: {length: 0.3}}\n"
                           "  b: {segments: 20, ends: {root: clamped}, line: {length: 0.3, from: [0, %g, 0]}}\n"
                           "loads: {s: {fibres: a, to_fibres: b, stiffness: %.17g, length: %g}}\n",
                           d, k, d / 2);
    plait_sim_report report;
    if (!CHECK(sim && scenes_run(sim, 2, &report)))
        return;
    plait_rod_positions(plait_sim_rod(sim, 0), x);
    CHECK_NEAR(x[61], d / 2 / 3, 0.003 * d); // k (d/2 - 2 w) = k w
    plait_sim_free(sim);
}

// Forces on bodies: at a point beside the centre they turn it; those that follow turn with it.
CASE(bodies)
{
    plait_sim_report report;
    double v[3], w[3], I = 0.4 * MASS * 1e-4;
    plait_sim *sim = start("gravity: [0, 0, 0]\n%sloads: {f: {body: ball, force: [1 mN, 0, 0], point: [0, 1 cm, 0], "
                           "time: {stop: 10 ms}}, m: {body: ball, moment: [0, 2 uN m, 0]}}\n",
                           BALL);
    if (!CHECK(sim && scenes_run(sim, 0.02, &report)))
        return;
    plait_sim_rigid_velocity(sim, 0, v, w);
    CHECK_NEAR(v[0], 1e-3 * 0.01 / MASS, 1e-9);
    CHECK_NEAR(w[2], -1e-5 * 0.01 / I, 2e-3 * 1e-7 / I);
    CHECK_NEAR(w[1], 2e-6 * 0.02 / I, 2e-3 * 4e-8 / I);
    plait_sim_free(sim);
}

// v = integral of g(t): a ramp, a table and a sine; energies add up.
CASE(gravity_over_time)
{
    const char *const course[] = {"kind: ramp, start: 0.1, stop: 0.3",
                                  "kind: table, times: [0, 0.1, 0.4], values: [0, 2, -1]",
                                  "kind: sine, frequency: 3 Hz"};
    const double at_end[] = {2 * (0.1 + 0.1), 2 * (0.1 + 0.15), 2 * (1 - cos(2 * M_PI * 3 * 0.4)) / (2 * M_PI * 3)};
    for (int i = 0; i < 3; i++) {
        plait_sim_report report;
        double v[3], w[3], worst = 0;
        plait_error error = {0};
        plait_sim *sim = start("gravity: [0, 0, 0]\n%sloads: {g: {gravity: [0, 2, 0], time: {%s}}}\n", BALL, course[i]);
        if (!CHECK(sim))
            return;
        while (plait_sim_time(sim) < 0.4) {
            CHECK(plait_sim_step(sim, 0.4, &report, &error) == PLAIT_OK);
            if (report.ledger.scale > 1e-12)
                worst = fmax(worst, fabs(report.ledger.error) / report.ledger.scale);
        }
        plait_sim_rigid_velocity(sim, 0, v, w);
        CHECK_NEAR(v[1], at_end[i], 6e-3);
        CHECK(worst < 1e-9);
        plait_sim_free(sim);
    }
}

// A box on a floor, pulled sideways by a third of its weight, slides from when mu falls below that.
CASE(friction_over_time)
{
    plait_sim_report report;
    double v[3], w[3];
    plait_sim *sim =
        start("gravity: [3.27, 0, -9.81]\nmaterials: {a: , b: }\nfriction: {default: 0.5}\n"
              "colliders: {floor: {shape: plane, material: b}}\nstep: {dt: 2 ms}\n"
              "bodies: {box: {shape: box, size: [10 cm, 10 cm, 2 cm], position: [0, 0, 1 cm], material: a}}\n"
              "loads: {f: {friction: -0.4, material: b, with: a, time: {kind: ramp, stop: 0.4}}}\n");
    if (!CHECK(sim && scenes_run(sim, 0.16, &report)))
        return;
    plait_sim_rigid_velocity(sim, 0, v, w);
    CHECK_NEAR(v[0], 0, 1e-6);
    if (!CHECK(scenes_run(sim, 0.4, &report)))
        return; // mu = 0.5 - t: slides from t = 1/6 on
    plait_sim_rigid_velocity(sim, 0, v, w);
    CHECK_NEAR(v[0], 9.81 * (0.4 - 1. / 6) * (0.4 - 1. / 6) / 2, 0.01);
    plait_sim_free(sim);
}

// Natural curvature: a free rod takes it up: it turns by k (L - l), or half of it on one half of the rod.
CASE(natural_curvature_over_time)
{
    const char *const models[] = {"der", "superhelix"};
    for (int m = 0; m < 2; m++) {
        plait_sim *sim = start("gravity: [0, 0, 0]\n"
                               "materials: {m: {radius: 1 mm, density: 1000, young: 1e7, poisson: 0.5}}\n"
                               "step: {dt: 1 ms, adaptive: false}\n"
                               "fibres: {rod: {model: %s, segments: 40, ends: {root: clamped}, line: {length: 0.3}}}\n"
                               "loads: {k: {fibres: rod, arc: [0, 0.15], curvature: [4, 0, 0], time: {kind: ramp, "
                               "stop: 2 ms}}}\n",
                               models[m]);
        if (!CHECK(sim && settle(sim, 3)))
            return;
        double x[3], t[3];
        tip(sim, x, t);
        CHECK_NEAR(acos(t[0] / sqrt(t[0] * t[0] + t[1] * t[1] + t[2] * t[2])), 0.6, 1e-5);
        plait_sim_free(sim);
    }
}

CASE(courses)
{
    plait_course c = {.kind = PLAIT_COURSE_CONSTANT, .start = 1, .stop = 2};
    CHECK(plait_course_at(&c, 0.5) == 0 && plait_course_at(&c, 1.5) == 1 && plait_course_at(&c, 2.5) == 0);
    c.kind = PLAIT_COURSE_RAMP;
    CHECK(plait_course_at(&c, 1.25) == 0.25 && plait_course_at(&c, 9) == 1 && plait_course_at(&c, 0) == 0);
}

// A run that goes on from the middle has the same loads to the last bit; a program's force comes on top.
CASE(going_on)
{
    FILE *file = fopen("course.csv", "w");
    if (!CHECK(file && fputs("time,factor\n0,0\n0.01,1\n0.05,-1\n", file) >= 0 && fclose(file) == 0))
        return;
    plait_sim *a, *b;
    plait_sim **both[] = {&a, &b};
    for (int i = 0; i < 2; i++)
        *both[i] =
            start("%sloads: {f: {fibres: rod, force: [0, 0, 1e-5], follows: true, time: {kind: table, file: %s}}, "
                  "k: {fibres: rod, curvature: [1, 2, 3], time: {kind: sine, frequency: 30 Hz}}, "
                  "s: {fibres: rod, stiffness: 0.1, to: [0.3, 0.1, 0]}}\n",
                  BEAM, "course.csv");
    plait_sim_report report;
    plait_error error = {0};
    if (!CHECK(a && b && scenes_run(a, 0.02, &report)))
        return;
    int64_t size;
    double *state = scenes_state(a, &size);
    CHECK(plait_sim_set_state(b, state, size, &error) == PLAIT_OK);
    free(state);
    const double force[3] = {0, 1e-6, 0};
    for (int i = 0; i < 2; i++) {
        CHECK(plait_sim_set_node_force(*both[i], 0, 20, force, &error) == PLAIT_OK);
        CHECK(scenes_run(*both[i], 0.04, &report));
    }
    int64_t other;
    double *x = scenes_state(a, &size), *y = scenes_state(b, &other);
    CHECK(size == other && memcmp(x, y, (size_t)size * sizeof *x) == 0);
    free(x), free(y), plait_sim_free(a), plait_sim_free(b);
}

CASE(mistakes)
{
    const char *const wrong[][2] = {
        {"p: {fibres: rod, force: [0, 0, 1], moment: [0, 0, 1]}", "one thing"},
        {"p: {force: [0, 0, 1]}", "'fibres' or on a 'body'"},
        {"p: {fibres: no, force: [0, 0, 1]}", "no fibres 'no'"},
        {"p: {fibres: rod, force: [0, 0, 1 m]}", "a force"},
        {"p: {fibres: rod, mass: 1 g, time: {stop: 1}}", "does not go with a mass"},
        {"p: {fibres: rod, force: [0, 0, 1], time: {kind: ramp}}", "'stop'"},
        {"p: {fibres: rod, force: [0, 0, 1], time: {kind: table, times: [0, 1], values: [1]}}", "as many"},
        {"p: {fibres: rod, force: [0, 0, 1], time: {kind: table, times: [0, 1, 1], values: [1, 2, 3]}}", "ascend"},
        {"p: {fibres: rod, stiffness: 1}", "a spring goes to"},
        {"p: {fibres: rod, force: [0, 0, 1], damping: 1}", "belongs to a spring"},
        {"p: {fibres: rod, arc: 0.1, curvature: [1, 0, 0]}", "needs a piece"},
        {"p: {gravity: [0, 0, 1], fibres: rod}", "the same for everything"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[2000];
        plait_error error = {0};
        snprintf(text, sizeof text, "%sloads: {%s}\n", BEAM, wrong[i][0]);
        plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
        CHECK(!scene && strstr(error.text, wrong[i][1]));
        if (scene || !strstr(error.text, wrong[i][1]))
            printf("%s: %s\n", wrong[i][0], error.text);
        plait_scene_free(scene);
    }
    CHECK(!start("%sloads: {p: {fibres: rod, arc: 0.4, force: [0, 0, 1]}}\n", BEAM));
    CHECK(!start("%sloads: {p: {fibres: rod, fibre: 3, force: [0, 0, 1]}}\n", BEAM));
}
