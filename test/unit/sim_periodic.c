// Fibres in a periodic cell: momentum stays, the same motion wherever the cell begins, the same bits for any threads and after a
// state was set; the stress of all contacts is what plates carry; what cannot repeat itself is refused.
#include "sim_scenes.h"
#include "sim_text.h"

#define FIBRE                                                                                                          \
    "gravity: [0, 0, 0]\nfriction: {default: 0.3}\n"                                                                   \
    "materials: {m: {radius: 0.5 mm, density: 1000, young: 10 MPa, poisson: 0.5}, wall: }\n"
#define PACK                                                                                                           \
    "periodic: [1 cm, 1 cm, 1 cm]\nstep: {dt: 1 ms, adaptive: false}\n" FIBRE                                          \
    "fibres:\n"                                                                                                        \
    "  still: {material: m, segments: 6, seed: 3, pack: {count: 12, aspect: 14, low: [0, 0, 0], high: [1 cm, 1 cm, 1 cm]}}\n"

// Sum of mass times velocity over the mass of a segment; `fastest`: of a node.
static void momentum(const plait_sim *sim, double p[3], double *fastest)
{
    const int *first = plait_sim_first_node(sim);
    int fibres = plait_sim_fibres(sim);
    double *v = malloc(3 * (size_t)first[fibres] * sizeof *v);
    plait_sim_velocities(sim, v);
    p[0] = p[1] = p[2] = *fastest = 0;
    for (int i = 0; i < fibres; i++)
        for (int n = first[i]; n < first[i + 1]; n++)
            for (int k = 0; k < 3; k++) {
                p[k] += (n == first[i] || n == first[i + 1] - 1 ? 0.5 : 1) * v[3 * n + k];
                *fastest = fmax(*fastest, fabs(v[3 * n + k]));
            }
    free(v);
}

// Every second fibre is thrown at the others.
static plait_sim *thrown(int threads)
{
    plait_sim *sim = sim_of_text(PACK, 0, NULL);
    for (int i = 0; sim && i < plait_sim_fibres(sim); i += 2)
        plait_rod_kick(plait_sim_rod(sim, i), (double[3]){0.3, -0.2 * (i % 4), 0.1 * i}, (double[3]){0}, (double[3]){0});
    if (sim)
        plait_sim_set_threads(sim, threads);
    return sim;
}

CASE(momentum_stays)
{
    plait_sim_report report = {0};
    plait_sim *sim = thrown(1);
    double p[3], q[3], fastest;
    int across = 0, most = 0;
    if (!sim)
        return;
    momentum(sim, p, &fastest);
    for (int step = 1; step <= 40; step++) {
        CHECK(scenes_run(sim, 1e-3 * step, &report));
        most = report.contacts > most ? report.contacts : most;
        for (int i = 0; i < plait_sim_contacts(sim); i++) { // a copy touches what is far from the fibre itself
            plait_sim_contact c;
            plait_sim_contact_get(sim, i, &c);
            across += c.position[0] < 0 || c.position[0] > 0.01;
        }
    }
    momentum(sim, q, &fastest);
    CHECK(most > 10 && across > 10);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(q[k], p[k], 1e-6 * (fabs(p[0]) + fabs(p[1]) + fabs(p[2])));
    plait_sim_free(sim);
}

CASE(same_bits_for_any_threads_and_after_a_state)
{
    plait_sim_report report;
    double *reference = NULL, *half = NULL;
    int64_t size = 0, half_size = 0;
    plait_error error = {0};
    for (int threads = 1; threads <= 3; threads++) {
        plait_sim *sim = thrown(threads);
        if (!sim)
            return;
        CHECK(scenes_run(sim, 0.02, &report));
        scenes_same_bits(sim, &half, &half_size);
        CHECK(scenes_run(sim, 0.04, &report));
        scenes_same_bits(sim, &reference, &size);
        plait_sim_free(sim);
    }
    plait_sim *sim = thrown(1);
    CHECK_INT(plait_sim_set_state(sim, half, half_size, &error), PLAIT_OK);
    CHECK(scenes_run(sim, 0.04, &report));
    scenes_same_bits(sim, &reference, &size);
    plait_sim_free(sim);
    free(reference), free(half);
}

// Two crossed rods press on each other through the wall of the cell, or in its middle.
CASE(the_same_wherever_the_cell_begins)
{
    double x[2][3 * 26];
    for (int k = 0; k < 2; k++) {
        plait_sim_report report;
        const char *words[] = {"fibres.a.line.from=[0.001, 0.005, 0.0005]", "fibres.b.line.from=[0.005, 0.001, -0.0006]"};
        const char *moved[] = {"fibres.a.line.from=[0.001, 0.005, 0.0005]", "fibres.b.line.from=[0.025, -0.009, 0.0094]"};
        plait_sim *sim = sim_of_text("periodic: [1 cm, 1 cm, 1 cm]\nstep: {dt: 1 ms, adaptive: false}\n" FIBRE
                                     "fibres:\n"
                                     "  a: {material: m, segments: 12, velocity: [0, 0, -0.1], line: {length: 8 mm}}\n"
                                     "  b: {material: m, segments: 12, line: {direction: [0, 1, 0], length: 8 mm}}\n",
                                     2, k ? moved : words);
        if (!sim || !CHECK(scenes_run(sim, 0.03, &report)))
            return;
        plait_sim_positions(sim, x[k]);
        CHECK(fabs(x[k][3 * 13 + 2] - (k ? 0.0094 : -0.0006)) > 1e-4); // it was pushed away
        plait_sim_free(sim);
    }
    double far = 0;
    for (int n = 0; n < 26; n++)
        for (int c = 0; c < 3; c++)
            far = fmax(far, fabs(x[1][3 * n + c] - x[0][3 * n + c] -
                                 (n < 13 ? 0 : (c == 0 ? 0.02 : c == 1 ? -0.01 : 0.01))));
    CHECK_NEAR(far, 0, 1e-9);
}

// Rods between two plates, pressed: contacts through the sides of the cell carry what the plate does.
CASE(stress_is_what_plates_carry)
{
    if (CHECK_SANITIZED)
        SKIP("too long under a sanitizer; other cases go the same ways");
    plait_sim_report report;
    plait_sim *sim = sim_of_text(
        "periodic: [1 cm, 1 cm, 0]\nstep: {dt: 2 ms}\n" FIBRE
        "colliders:\n"
        "  floor: {material: wall, shape: plane}\n"
        "  plate: {material: wall, shape: plane, position: [0, 0, 1 cm], rotation: [180 deg, 0, 0], motion: {drives: "
        "[{kind: linear, velocity: [0, 0, -5 cm/s], stop: 0.13}]}}\n"
        "fibres: {pack: {material: m, segments: 8, pack: {count: 12, aspect: 14, low: [0, 0, 0], "
        "high: [1 cm, 1 cm, 1 cm]}}}\n"
        "measure: {plate: {what: force, collider: plate}, floor: {what: force, collider: floor}, all: {what: stress}}\n",
        3, (const char *[]){"materials.m.drag=50", "materials.m.damping=5 ms", "friction.default=0.1"});
    if (!sim || !CHECK(scenes_run(sim, 0.6, &report)))
        return;
    double force = scenes_measure(sim, "plate_fz"), height = 0.01 - 0.05 * 0.13;
    CHECK(force > 1e-4);
    CHECK_NEAR(scenes_measure(sim, "floor_fz"), -force, 1e-3 * force);
    CHECK_NEAR(scenes_measure(sim, "all_zz"), -force * height, 2e-3 * force * height);
    CHECK(scenes_measure(sim, "all_xx") < -0.01 * force * height); // what is pressed from above presses on its copies
    plait_sim_free(sim);
}

#define ROD FIBRE "fibres: {rod: {material: m, segments: 4, line: {length: 8 mm}}}\n"
CASE(what_cannot_repeat_itself_is_refused)
{
    sim_text_refused("periodic: [1 cm, 0, 0]\n" ROD "bodies: {b: {shape: sphere, radius: 1 mm, material: wall}}\n",
            "body b: only planes");
    sim_text_refused("periodic: [1 cm, 0, 0]\n" ROD "colliders: {b: {material: wall, shape: sphere, radius: 1 mm}}\n", "planes");
    sim_text_refused("periodic: [1 cm, 0, 0]\n" ROD "colliders: {b: {material: wall, shape: plane, rotation: [0, 90 deg, 0]}}\n", "x leads");
    sim_text_refused("periodic: [1 cm, 0, 0]\n" ROD "colliders: {b: {material: wall, shape: plane, motion: {drives: [{kind: linear, spin: [1, 0, "
            "0]}]}}}\n",
            "plane must stay");
    sim_text_refused("periodic: [0, 3 mm, 0]\n" ROD, "thick");
    sim_text_refused("periodic: [0, -1, 0]\n" ROD, "periodic");
    sim_text_refused("periodic: [1 cm, 0, 0]\n" ROD "joints: {j: {kind: ball, fibres: rod, at: root}}\n", "joints");
    sim_text_refused("mode: static\nperiodic: [1 cm, 0, 0]\n" FIBRE
            "step: {arc: 1 mm}\nfibres: {rod: {material: m, segments: 4, line: {length: 8 mm}}}\n",
            "arc");
    sim_text_refused("periodic: [1 cm, 0, 0]\n" FIBRE "fibres: {p: {material: m, pack: {count: 3, aspect: 3, low: [0, 0, 0], "
            "high: [2 cm, 1 cm, 1 cm]}}}\n",
            "repeats itself");
}

// What goes farther in a step than images are counted is tried again with a smaller one; what is there already fails.
CASE(what_goes_too_far_is_told)
{
    const char *far[] = {"fibres.rod.velocity=[1e5, 0, 0]", "fibres.rod.line.from=[1000, 0, 0]"};
    for (int k = 0; k < 2; k++) {
        plait_sim *sim = sim_of_text("periodic: [1 cm, 0, 0]\n" ROD, 1, &far[k]);
        plait_sim_report report;
        plait_error error = {0};
        CHECK(sim && plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && report.rejections > 0);
        CHECK(report.failed == (k == 1) && (k == 0 || strstr(report.reason, "too large")));
        CHECK(k == 0 || strstr(error.text, " periods ") != NULL);
        plait_sim_free(sim);
    }
}
