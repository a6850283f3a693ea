// sim_events.c: ties and pins that are made and opened while time goes on.
#include "scene_start.h"

#define ROD                                                                                                            \
    "materials: {rod: {radius: 0.5 mm, density: 1 g/cm^3, young: 1 GPa}}\nstep: {dt: 1 ms}\n"                          \
    "fibres: {a: {line: {from: [0, 0, 0], direction: [1, 0, 0], length: 10 cm}, segments: 10%s}}\n"

// A rod that falls is pinned in its middle from 50 to 100 ms: it stays where it was at 50 ms, and falls from there on.
CASE(a_pin_over_time)
{
    plait_sim *sim = start(ROD "joints: {pin: {kind: ball, fibres: a, at: middle, from: 50 ms, until: 100 ms}}\n", "");
    double x[3], held[3];
    run_to(sim, 0.05);
    node_of(sim, 0, 5, held);
    CHECK_NEAR(held[2], -9.81 * 0.05 * (0.05 + 1e-3) / 2, 1e-6); // implicit Euler
    for (int i = 1; i <= 10; i++) {
        run_to(sim, 0.05 + 5e-3 * i);
        node_of(sim, 0, 5, x);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(x[k], held[k], 1e-8);
    }
    run_to(sim, 0.2);
    node_of(sim, 0, 5, x);
    CHECK(x[2] < held[2] - 0.03);
    plait_sim_free(sim);
}

// Two rods part with 2 x 10 cm/s. What is nearer than 2 cm at 40 ms, which they are, is tied then: they stay
// together, and both momenta are spent. At 60 ms they are 13 mm apart or more: a tie within 12 mm finds nothing,
// which is no mistake.
CASE(a_tie_over_time)
{
    for (int late = 0; late < 2; late++) {
        plait_sim *sim =
            start("gravity: [0, 0, 0]\nmaterials: {rod: {radius: 0.5 mm, density: 1 g/cm^3, young: 1 GPa}}\n"
                  "step: {dt: 1 ms}\nfibres:\n"
                  "  a: {line: {from: [0, 0, 0], length: 10 cm}, segments: 10, velocity: [0, -0.1, 0]}\n"
                  "  b: {line: {from: [0, 2 mm, 0], length: 10 cm}, segments: 10, velocity: [0, 0.1, 0]}\n"
                  "ties: {band: {fibres: a, with: b, reach: %s, from: %s}}\n",
                  late ? "12 mm" : "2 cm", late ? "60 ms" : "40 ms");
        double a[3], b[3];
        run_to(sim, 0.04);
        node_of(sim, 0, 5, a), node_of(sim, 1, 5, b);
        CHECK_NEAR(b[1] - a[1], 0.01, 1e-6);
        run_to(sim, 0.12);
        node_of(sim, 0, 5, a), node_of(sim, 1, 5, b);
        CHECK_NEAR(b[1] - a[1], late ? 0.026 : 0.01, 1e-4);
        plait_sim_free(sim);
    }
}

// A state from before or after an event goes on as if nothing had been: each is made once.
CASE(states_know_what_was_made)
{
    const char *more =
        "joints: {pin: {kind: ball, fibres: a, at: middle, from: 20 ms}, other: {kind: ball, fibres: a, at: "
        "tip, from: 30 ms}}\n";
    char text[1000];
    snprintf(text, sizeof text, ROD "%s", "", more);
    double end[3], x[3];
    for (int k = 0; k < 4; k++) { // before both, at the first, between, after both
        plait_sim *first = start("%s", text), *second = start("%s", text);
        plait_error error = {0};
        run_to(first, 0.01 + 0.01 * k + (k == 2 ? -2e-3 : 0));
        int64_t size = plait_sim_state_size(first);
        double *state = malloc((size_t)size * sizeof *state);
        plait_sim_get_state(first, state);
        CHECK_INT(plait_sim_set_state(second, state, size, &error), PLAIT_OK);
        run_to(first, 0.05), run_to(second, 0.05);
        node_of(first, 0, 0, end), node_of(second, 0, 0, x);
        for (int c = 0; c < 3; c++)
            CHECK(x[c] == end[c]);
        free(state);
        plait_sim_free(first), plait_sim_free(second);
    }
}

CASE(mistakes)
{
    CHECK(!start(ROD "joints: {pin: {kind: weld, fibres: a, from: 1 s}}\n", ""));
    CHECK(!start(ROD "joints: {pin: {kind: ball, fibres: a, from: 1 s, until: 0.5 s}}\n", ""));
    CHECK(!start(ROD "ties: {t: {from: 1 s, until: 1 s}}\n", ""));
    // what cannot be is told at the start, not when its time has come
    CHECK(!start(ROD "joints: {pin: {kind: ball, fibres: a, at: root, from: 1 s}}\n", ", ends: {root: clamped}"));
}
