// sim_shot.c: simulations that do not begin at time 0.
#include "scene_start.h"

// A rod on a board that moves by keys and a drive, a pin, a tie, a load that acts all the time and one with a ramp;
// all of it `shift` later than if it began at 0.
static plait_sim *shifted(double shift)
{
    char text[3000];
    snprintf(text, sizeof text,
             "materials: {rod: {radius: 0.5 mm, density: 1 g/cm^3, young: 10 MPa}}\nstep: {dt: 1 ms}\n"
             "colliders: {board: {shape: box, size: [1 cm, 1 cm, 1 cm], position: [0, 0, 5 mm], motion: {\n"
             "  keys: [{time: %g}, {time: %g, position: [0, 2 cm, 0], rotation: [0, 0, 0.5]}],\n"
             "  drives: [{kind: sine, frequency: 5, move: [1 mm, 0, 0], start: %g}]}}}\n"
             "fibres:\n"
             "  a: {line: {from: [0, 0, 1 cm], direction: [0, 0, 1], length: 5 cm}, segments: 8,\n"
             "      ends: {root: clamped, attach: board}}\n"
             "  b: {line: {from: [2 mm, 0, 6 cm], direction: [0, 0, 1], length: 3 cm}, segments: 5}\n"
             "ties: {t: {fibres: a, with: b, reach: 5 mm, until: %g}}\n"
             "joints: {pin: {kind: ball, fibres: a, at: tip, from: %g}}\n"
             "loads:\n"
             "  push: {fibres: a, force: [0.1 mN, 0, 0], at: middle}\n"
             "  pull: {fibres: b, force: [0, 0, 1 mN], at: tip, time: {kind: ramp, start: %g, stop: %g}}\n"
             "output: {start: %g, duration: 0.1, frame_time: 10 ms}\n",
             shift, shift + 0.08, shift, shift + 0.09, shift + 0.06, shift + 0.01, shift + 0.05, shift);
    return start("%s", text);
}

// Everything goes as it would from 0 on. (`until` has to be after 0: -60 ms is the earliest here.)
CASE(a_shot_is_the_same_at_other_times)
{
    static const double at[] = {-0.05, 1.5};
    plait_sim *zero = shifted(0);
    run_to(zero, 0.1);
    for (int k = 0; k < 2; k++) {
        plait_sim *sim = shifted(at[k]);
        CHECK_NEAR(plait_sim_time(sim), at[k], 0);
        CHECK_NEAR(plait_sim_start(sim), at[k], 0);
        run_to(sim, at[k] + 0.1);
        CHECK_INT(plait_sim_steps(sim), plait_sim_steps(zero));
        for (int f = 0; f < 2; f++)
            for (int n = 0; n <= (f ? 5 : 8); n++) {
                double x[3], y[3];
                node_of(zero, f, n, x), node_of(sim, f, n, y);
                for (int c = 0; c < 3; c++)
                    CHECK_NEAR(y[c], x[c], 1e-9);
            }
        plait_sim_free(sim);
    }
    plait_sim_free(zero);
}

// States of before 0, and of the start itself; none of before the start.
CASE(states_before_zero)
{
    for (int steps = 0; steps < 40; steps += 13) {
        plait_sim *first = shifted(-0.05), *second = shifted(-0.05);
        plait_error error = {0};
        run_to(first, -0.05 + 1e-3 * steps);
        int64_t size = plait_sim_state_size(first);
        double *state = malloc((size_t)size * sizeof *state), x[3], y[3];
        plait_sim_get_state(first, state);
        CHECK_INT(plait_sim_set_state(second, state, size, &error), PLAIT_OK);
        run_to(first, 0.03), run_to(second, 0.03);
        node_of(first, 1, 5, x), node_of(second, 1, 5, y);
        for (int c = 0; c < 3; c++)
            CHECK(x[c] == y[c]);
        state[0] = -0.06;
        CHECK_INT(plait_sim_set_state(second, state, size, &error), PLAIT_BAD_INPUT);
        free(state);
        plait_sim_free(first), plait_sim_free(second);
    }
}

// What settles has its scripts stand still at the start, and then go on from there: the board is at 1 m/s 1 mm farther
// after the first step.
CASE(scripts_begin_at_the_start_after_settling)
{
    static const double at[] = {0, -0.2, 0.3};
    for (int k = 0; k < 3; k++) {
        plait_sim *sim = start("materials: {rod: {radius: 0.5 mm, density: 1 g/cm^3, young: 10 MPa}}\nstep: {dt: 1 ms}\n"
                               "colliders: {board: {shape: box, size: [1 cm, 1 cm, 1 cm], position: [0, 0, 5 mm], motion: {\n"
                               "  drives: [{kind: linear, velocity: [0, 1, 0], start: %g}]}}}\n"
                               "fibres: {a: {line: {from: [0, 0, 1 cm], direction: [0, 0, 1], length: 2 cm}, segments: 4,\n"
                               "  ends: {root: clamped, attach: board}}}\n"
                               "output: {start: %g, frame_time: 10 ms}\n",
                               at[k], at[k]);
        plait_error error = {0};
        double done, fastest, x[3];
        CHECK_INT(plait_sim_settle(sim, 0.05, &done, &fastest, &error), PLAIT_OK);
        CHECK_NEAR(done, 0.05, 1e-9);
        CHECK_NEAR(plait_sim_time(sim), at[k], 0);
        node_of(sim, 0, 0, x);
        CHECK_NEAR(x[1], 0, 1e-12);
        run_to(sim, at[k] + 1e-3);
        node_of(sim, 0, 0, x);
        CHECK_NEAR(x[1], 1e-3, 1e-9);
        plait_sim_free(sim);
    }
}

CASE(mistakes)
{
    CHECK(!start("output: {start: -15 ms, frame_time: 10 ms}\n"));
    CHECK(!start("output: {start: 1e12, frame_time: 10 ms}\n"));
}
