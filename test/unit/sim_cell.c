// A periodic cell that deforms: a pile bears what its beams do, by strain and by stress; lines turn with the flow; the same
// motion wherever a fibre is drawn; the work of the cell is in the ledger; the same bits for any threads and after a state.
#include "sim_scenes.h"
#include "sim_text.h"

// Four layers that repeat themselves: each beam along x lies on two that are along y, and has one in its middle on the
// other side, so that each is bent at three points.
#define PILE                                                                                                           \
    "periodic: [24 mm, 24 mm, 4 mm]\ngravity: [0, 0, 0]\nfriction: {default: 0.5}\n"                        \
    "materials: {m: {radius: 0.5 mm, density: 1000, young: 1 GPa, poisson: 0.5, drag: 100}}\n"                         \
    "step: {dt: 2 ms}\nmeasure: {cell: {what: cell}}\nfibres:\n"                                         \
    "  d: {material: m, segments: 32, line: {from: [2 mm, 12 mm, 0.5 mm], length: 20 mm}}\n"                           \
    "  l: {material: m, segments: 10, line: {from: [4 mm, 7 mm, 1.5 mm], direction: [0, 1, 0], length: 10 mm}}\n"      \
    "  r: {material: m, segments: 10, line: {from: [20 mm, 7 mm, 1.5 mm], direction: [0, 1, 0], length: 10 mm}}\n"     \
    "  a: {material: m, segments: 32, line: {from: [2 mm, 12 mm, 2.5 mm], length: 20 mm}}\n"                           \
    "  c: {material: m, segments: 10, line: {from: [12 mm, 7 mm, 3.5 mm], direction: [0, 1, 0], length: 10 mm}}\n"
// Two beams of the span S give way by F S^3 / (48 EI) each.
static const double SHRINKS = 2 * 0.016 * 0.016 * 0.016 / (48 * 1e9 * 3.14159265358979 * 0.0005 * 0.0005 * 0.0005 * 0.0005 / 4);

CASE(a_pile_bears_what_its_beams_do)
{
    plait_sim_report report;
    plait_sim *sim =
        sim_of_text(PILE "loads: {press: {strain: -0.008, axis: zz, time: {kind: ramp, stop: 0.1}}}\n", 0, NULL);
    if (!sim || !CHECK(scenes_run(sim, 0.3, &report)))
        return;
    double height = scenes_measure(sim, "cell_lz"), force = -scenes_measure(sim, "cell_szz") * 0.024 * 0.024;
    CHECK_NEAR(height, 4e-3 * (1 - 0.008), 1e-12);
    CHECK_NEAR(force * SHRINKS, 4e-3 - height, 0.01 * (4e-3 - height));
    CHECK_NEAR(scenes_measure(sim, "cell_sxx"), 0, 1e-6 * force / (0.024 * 0.024));
    CHECK_NEAR(scenes_measure(sim, "cell_volume"), 0.024 * 0.024 * height, 1e-15);
    plait_sim_free(sim);
}

CASE(it_gives_way_until_a_stress_is_borne)
{
    plait_sim_report report;
    plait_sim *sim = sim_of_text(PILE "loads: {press: {stress: -20 Pa, axis: zz, fastest: 0.2}}\n", 0, NULL);
    if (!sim || !CHECK(scenes_run(sim, 0.5, &report)))
        return;
    double force = 20 * 0.024 * 0.024;
    CHECK_NEAR(scenes_measure(sim, "cell_szz"), -20, 0.01);
    CHECK_NEAR(4e-3 - scenes_measure(sim, "cell_lz"), force * SHRINKS, 0.01 * force * SHRINKS);
    CHECK_NEAR(scenes_measure(sim, "cell_lx"), 0.024, 0);
    plait_sim_free(sim);
}

#define MATERIAL                                                                                                       \
    "gravity: [0, 0, 0]\nfriction: {default: 0.3}\n"                                                                   \
    "materials: {m: {radius: 0.5 mm, density: 1000, young: 10 MPa, poisson: 0.5, damping: 1 ms}}\n"

// A line along z leans by the shear: the air carries it along (Jeffery's orbit of a thin rod).
CASE(a_rod_turns_with_the_flow)
{
    plait_sim_report report;
    plait_sim *sim = sim_of_text("periodic: [2 cm, 2 cm, 2 cm]\nstep: {dt: 2 ms}\n" MATERIAL
                                 "fibres: {rod: {material: m, segments: 6, line: {from: [3 mm, 5 mm, 4 mm], direction: "
                                 "[0, 0, 1], length: 8 mm}}}\n"
                                 "loads: {shear: {strain_rate: 4, axis: zx}}\nmeasure: {o: {what: orientation}}\n",
                                 1, (const char *[]){"materials.m.drag=200"});
    if (!sim || !CHECK(scenes_run(sim, 0.5, &report)))
        return;
    double shear = 4 * 0.5; // direction (shear, 0, 1)
    CHECK_NEAR(scenes_measure(sim, "o_zx"), shear / (1 + shear * shear), 0.01);
    CHECK_NEAR(scenes_measure(sim, "o_zz"), 1 / (1 + shear * shear), 0.01);
    double x[21];
    plait_sim_positions(sim, x); // the middle went along with the shear at its height
    CHECK_NEAR(x[9], 3e-3 + shear * 8e-3, 2e-4);
    CHECK_NEAR(x[11], 8e-3, 1e-5);
    plait_sim_free(sim);
}

// Drawn elsewhere, a fibre moves as its copy there does.
CASE(the_same_wherever_a_fibre_is_drawn)
{
    double x[2][3 * 26], shape[6] = {0};
    for (int k = 0; k < 2; k++) {
        plait_sim_report report;
        const char *words[] = {"fibres.b.line.from=[0.005, 0.001, 0.0094]"};
        const char *moved[] = {"fibres.b.line.from=[0.025, -0.009, -0.0006]"};
        plait_sim *sim = sim_of_text("periodic: [1 cm, 1 cm, 1 cm]\nstep: {dt: 1 ms, adaptive: false}\n" MATERIAL
                                     "fibres:\n"
                                     "  a: {material: m, segments: 12, line: {from: [1 mm, 5 mm, 0.5 mm], length: 8 mm}}\n"
                                     "  b: {material: m, segments: 12, line: {direction: [0, 1, 0], length: 8 mm}}\n"
                                     "loads:\n"
                                     "  press: {strain_rate: -4, axis: zz, time: {stop: 0.03}}\n"
                                     "  wide: {strain_rate: 3, axis: xx, time: {start: 0.02, stop: 0.05}}\n"
                                     "  shear: {strain_rate: 6, axis: zx}\n  tilt: {strain: 0.3, axis: xy, time: "
                                     "{kind: ramp, start: 0.01, stop: 0.05}}\n"
                                     "measure: {cell: {what: cell}, c: {what: contacts}}\n",
                                     1, k ? moved : words);
        if (!sim)
            return;
        int touched = 0;
        for (int step = 1; step <= 60; step++) {
            CHECK(scenes_run(sim, 1e-3 * step, &report));
            touched += scenes_measure(sim, "c_count") > 0;
        }
        CHECK(touched > 0);
        static const char *const names[6] = {"cell_lx", "cell_ly", "cell_lz", "cell_xy", "cell_yz", "cell_zx"};
        for (int d = 0; d < 6; d++)
            shape[d] = scenes_measure(sim, names[d]);
        plait_sim_positions(sim, x[k]);
        plait_sim_free(sim);
    }
    CHECK_NEAR(shape[2], 0.01 * exp(-0.12), 1e-9);
    CHECK_NEAR(shape[5], 0.36 * shape[2], 1e-9);
    CHECK_NEAR(shape[3], 0.3 * 0.01, 1e-12);
    // b is two periods on along x, one back along y and z
    const double by[3] = {2 * shape[0] - shape[3] - shape[5], -shape[1] - shape[4], -shape[2]};
    double far = 0;
    for (int n = 0; n < 26; n++)
        for (int c = 0; c < 3; c++)
            far = fmax(far, fabs(x[1][3 * n + c] - x[0][3 * n + c] - (n < 13 ? 0 : by[c])));
    CHECK_NEAR(far, 0, 1e-8);
}

#define PACK                                                                                                           \
    "periodic: [1 cm, 1 cm, 1 cm]\nstep: {dt: 2 ms}\n" MATERIAL                                                        \
    "fibres: {p: {material: m, segments: 6, seed: 3, pack: {count: 12, aspect: 14, low: [0, 0, 0], high: [1 cm, 1 cm, "  \
    "1 cm]}}}\nmeasure: {cell: {what: cell}, e: {what: energy}, all: {what: stress}}\nloads:\n"                           \
    "  press: {stress: -20 Pa, axis: zz, fastest: 4}\n  side: {strain_rate: -4, axis: xx, time: {stop: 0.1}}\n"                             \
    "  shear: {strain_rate: 4, axis: zx, time: {stop: 0.1}}\n"
// Every joule is accounted for, and the sum over all contacts is what goes through the sides once it is at rest.
CASE(work_of_the_cell)
{
    plait_sim_report report = {0};
    plait_sim *sim = sim_of_text(PACK, 1, (const char *[]){"materials.m.drag=20"});
    double off = 0, most = 0, work = 0;
    if (!sim)
        return;
    for (int step = 1; step <= 150; step++) {
        CHECK(scenes_run(sim, 2e-3 * step, &report));
        off += fabs(scenes_measure(sim, "e_error")), most += report.ledger.scale;
        work += scenes_measure(sim, "cell_work");
    }
    CHECK_NEAR(off, 0, 1e-8 * most);
    CHECK(work > 0);
    double volume = scenes_measure(sim, "cell_volume");
    CHECK_NEAR(scenes_measure(sim, "cell_szz"), -20, 1);
    CHECK_NEAR(scenes_measure(sim, "all_zz") / volume, scenes_measure(sim, "cell_szz"), 0.2);
    plait_sim_free(sim);
}

CASE(same_bits_for_any_threads_and_after_a_state)
{
    plait_sim_report report;
    double *reference = NULL, *half = NULL;
    int64_t size = 0, half_size = 0;
    plait_error error = {0};
    for (int threads = 1; threads <= 3; threads++) {
        plait_sim *sim = sim_of_text(PACK, 0, NULL);
        if (!sim)
            return;
        plait_sim_set_threads(sim, threads);
        CHECK(scenes_run(sim, 0.1, &report));
        scenes_same_bits(sim, &half, &half_size);
        CHECK(scenes_run(sim, 0.2, &report));
        scenes_same_bits(sim, &reference, &size);
        plait_sim_free(sim);
    }
    plait_sim *sim = sim_of_text(PACK, 0, NULL);
    CHECK_INT(plait_sim_set_state(sim, half, half_size, &error), PLAIT_OK);
    CHECK(scenes_run(sim, 0.2, &report));
    scenes_same_bits(sim, &reference, &size);
    plait_sim_free(sim);
    free(reference), free(half);
}

#define ROD MATERIAL "fibres: {rod: {material: m, segments: 4, line: {length: 8 mm}}}\n"
CASE(what_cannot_be_is_refused)
{
    sim_text_refused(ROD "loads: {l: {strain: -0.1, axis: zz}}\n", "not periodic along z");
    sim_text_refused("periodic: [1 cm, 1 cm, 0]\n" ROD "loads: {l: {strain: 0.1, axis: zx}}\n", "not periodic along z");
    sim_text_refused("periodic: [1 cm, 1 cm, 0]\n" ROD "loads: {l: {stress: -1, axis: xx, fastest: 1}}\n", "x, y, z");
    sim_text_refused("periodic: [1 cm, 1 cm, 1 cm]\n" ROD "loads: {l: {stress: -1, axis: xx}}\n", "fastest");
    sim_text_refused("periodic: [1 cm, 1 cm, 1 cm]\n" ROD "loads: {l: {stress: -1, axis: xx, fastest: 1}, k: {strain: 1, axis: xx}}\n",
            "'k' is there");
    sim_text_refused("periodic: [1 cm, 1 cm, 1 cm]\n" ROD "loads: {l: {strain: 0.1, fibres: rod}}\n", "same for everything");
    sim_text_refused("periodic: [1 cm, 1 cm, 1 cm]\n" ROD "loads: {l: {strain_rate: 0.1, time: {kind: ramp, stop: 1}}}\n", "constant");
    sim_text_refused("periodic: [1 cm, 1 cm, 1 cm]\n" ROD "loads: {l: {strain: 0.1}}\nrestitution: {default: 0.5}\n", "restitution");
    sim_text_refused("periodic: [0, 1 cm, 0]\n" ROD "colliders: {w: {material: m, shape: plane, rotation: [0, 90 deg, 0]}}\n"
            "loads: {l: {strain: 0.1, axis: xy}}\n", "through plane 'w'");
}

// A cell that gives way along one axis while it is squeezed fast along another: copies overlap and are pushed apart, and
// the cell, which their contacts move, is one of the bodies of that problem.
CASE(what_overlaps_in_a_cell_that_gives_way)
{
    plait_sim *sim = sim_of_text(
        "periodic: [2 cm, 2 cm, 2 cm]\ngravity: [0, 0, 0]\nstep: {dt: 2 ms}\n"
        "materials: {m: {radius: 0.5 mm, young: 10 MPa, drag: 10 /s}}\n"
        "fibres: {a: {material: m, segments: 3, pack: {count: 8, aspect: 15, low: [0, 0, 0], high: [2 cm, 2 cm, 2 cm]}}}\n"
        "loads:\n  squeeze: {strain: -5, axis: zz, time: {kind: ramp, stop: 20 ms}}\n"
        "  bale: {stress: -200 Pa, axis: xx, fastest: 0.2 /s}\n",
        0, NULL);
    double pushed = 0;
    int contacts = 0;
    for (int n = 0; sim && n < 9; n++) {
        plait_sim_report report = {0};
        plait_error error = {0};
        CHECK_INT(plait_sim_step(sim, INFINITY, &report, &error), PLAIT_OK);
        CHECK(!report.failed && isfinite(report.ledger.recovery));
        pushed += fabs(report.ledger.recovery), contacts += report.contacts;
    }
    CHECK(contacts > 0 && pushed > 0);
    plait_sim_free(sim);
}
