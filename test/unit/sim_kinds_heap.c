// sim_kinds_heap.c: whichever allocation of a step fails, the step says so and has done nothing: periodic cells, statics, paths past
// folds with eigenvalues, joints, yielding rods, ties over time, skin that moves, loads and measurements.
#include "heap.h"

#include <stdint.h>

#include "sim/sim.h"
#include "sim_scenes.h"
#include "sim_text.h"

#define SOFT                                                                                                           \
    "materials: {m: {radius: 1 mm, density: 1000, young: 1e6, poisson: 0.5}, wall: }\nfriction: {default: 0.3}\n"

typedef struct trial {
    const char *name, *text;
    int before;  // steps that are taken first
    int stride;  // of the allocations that fail
    bool events; // what happens at the start of the step stays done
} trial;

static const trial trials[] = {
    {"periodic",
     SOFT "periodic: [2 cm, 2 cm, 0]\nstep: {dt: 1 ms, adaptive: false}\n"
          "fibres: {a: {material: m, segments: 4, line: {from: [0, 0, 1.02 mm], length: 5 cm, count: 2, spacing: [0, 8 "
          "mm, 0]}},\n"
          "         b: {material: m, segments: 4, line: {from: [5 mm, -1 cm, 3.1 mm], direction: [0, 1, 0], length: 3 "
          "cm}}}\n"
          "colliders: {floor: {material: wall, shape: plane}}\n"
          "measure: {c: {what: contacts}, s: {what: stress, volume: 1e-6}, l: {what: linking}}\n",
     4, 2, false},
    {"statics with joints",
     SOFT
     "mode: static\nstep: {dt: 10, adaptive: false}\n"
     "fibres: {a: {material: m, segments: 6, ends: {root: clamped}, line: {length: 5 cm}},\n"
     "         b: {material: m, segments: 6, line: {from: [5 cm, 0, 0], length: 3 cm}},\n"
     "         c: {material: m, segments: 4, line: {from: [2 cm, -1 cm, 2.1 mm], direction: [0, 1, 0], length: 2 "
     "cm}}}\n"
     "bodies: {ball: {material: m, shape: sphere, radius: 2 mm, position: [8 cm, 0, 0]}}\n"
     "joints: {w: {kind: weld, fibres: a, to_fibres: b}, h: {kind: hinge, axis: [0, 1, 0], fibres: b, to_body: ball}}\n"
     "measure: {r: {what: reaction, fibres: a, at: root}, e: {what: energy}, f: {what: frequency, fibres: a}}\n",
     1, 2, false},
    {"a path with contacts",
     SOFT
     "gravity: [0, 0, 0]\nmode: static\nstep: {dt: 1, arc: 1 mm, adaptive: false}\n"
     "fibres: {a: {material: m, segments: 8, ends: {root: clamped}, line: {length: 6 cm}}}\n"
     "colliders: {floor: {material: wall, shape: plane, position: [0, 0, -2 mm]}}\n"
     "loads: {p: {fibres: a, force: [0, 0, -1 mN], time: {kind: table, times: [-1000, 1000], values: [-1000, 1000]}}}\n"
     "measure: {e: {what: eigenvalues}, p: {what: parameter}}\n",
     6, 1, false},
    {"yielding, tied over time",
     "materials: {m: {radius: 1 mm, density: 1000, young: 1e6, poisson: 0.5, yield_curvature: 1, hardening: 0.1, "
     "relaxing: 0.5, relaxation_time: 0.1, along: {at: [0, 1], radius: [1, 0.5]}}}\n"
     "step: {dt: 1 ms, adaptive: false}\n"
     "fibres: {a: {material: m, segments: 6, ends: {root: clamped}, line: {length: 6 cm, count: 3, spacing: [0, 2.05 "
     "mm, 0]}}}\n"
     "ties: {t: {fibres: a, reach: 0.2 mm, from: 4 ms, until: 1 s}}\n"
     "joints: {j: {kind: ball, fibres: a, fibre: 0, at: tip, from: 4 ms}}\n"
     "loads: {g: {gravity: [0, 1, 0]}, w: {fibres: a, mass: 1 g}}\n",
     4, 2, true},
    {"on a skin that moves",
     SOFT "step: {dt: 1 ms, adaptive: false}\n"
          "colliders: {skin: {material: wall, shape: mesh, file: skin0.obj, frames: [skin0.obj, skin1.obj], "
          "frame_time: 0.1}}\n"
          "fibres: {a: {material: m, segments: 6, ends: {root: clamped, attach: skin}, maps: {stiffness: {values: "
          "stiff.csv}, length: {attribute: "
          "color}}, line: {from: [1 cm, 1 cm, 0], direction: [1, 0, 0.2], length: 5 cm, count: 3, spacing: [0, 2.1 mm, "
          "0]}}}\n",
     4, 2, false},
};

static void write_files(void)
{
    for (int k = 0; k < 2; k++) {
        FILE *f = fopen(k ? "skin1.obj" : "skin0.obj", "w");
        for (int i = 0; i < 4; i++)
            fprintf(f, "v %g %g %g 0.9 0 0\n", i == 1 || i == 2 ? 0.1 : -0.1, i > 1 ? 0.1 : -0.1, 0.01 * k * i);
        fprintf(f, "f 1 2 3\nf 1 3 4\n");
        fclose(f);
    }
    FILE *f = fopen("stiff.csv", "w");
    fprintf(f, "1\n2\n3\n2\n");
    fclose(f);
}

enum { MEASURES = 64 };

// In the state `from`, unless there is none; every piece comes from the heap.
static plait_sim *make(const trial *t, const double *from, int64_t size)
{
    plait_sim *sim = sim_of_text(t->text, 0, NULL);
    if (sim && from) {
        plait_pool_free(sim->work.pool), sim->work.pool = NULL;
        CHECK_INT(plait_sim_set_state(sim, from, size, NULL), PLAIT_OK);
    }
    return sim;
}

// The same motion. What scripts did is told a little otherwise when a step is done again: ends stand where they were led.
static bool same_again(const plait_sim *sim, const double *state, int64_t size)
{
    int64_t now;
    double *is = scenes_state(sim, &now);
    if (now == size && is[PLAIT_AT_POWER] != state[PLAIT_AT_POWER])
        is[PLAIT_AT_POWER] = fabs(is[PLAIT_AT_POWER] / state[PLAIT_AT_POWER] - 1) < 0.05 ? state[PLAIT_AT_POWER] : NAN;
    bool ok = now == size && memcmp(is, state, (size_t)size * sizeof *is) == 0;
    free(is);
    return ok;
}

static bool measures_as(const plait_sim *sim, const double *expected)
{
    double now[MEASURES] = {0};
    plait_sim_measure(sim, now);
    return memcmp(now, expected, sizeof now) == 0;
}

static void judge(const trial *t)
{
    plait_sim_report r = {0};
    plait_sim *sim = make(t, NULL, 0);
    if (!sim)
        return;
    for (int k = 0; k < t->before; k++)
        CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed);
    int64_t size, size_after;
    double *before = scenes_state(sim, &size), right[MEASURES] = {0}, *after;
    plait_sim_free(sim);

    sim = make(t, before, size);
    long first = calls;
    CHECK_INT(plait_sim_step(sim, INFINITY, &r, NULL), PLAIT_OK);
    long needed = calls - first, wrong = 0, refused = 0, tried = 0;
    CHECK(!r.failed && plait_sim_measures(sim) <= MEASURES);
    int contacts = r.contacts;
    plait_sim_measure(sim, right);
    after = scenes_state(sim, &size_after);
    plait_sim_free(sim);

    for (long k = 1; k <= needed; k += t->stride, tried++) {
        sim = make(t, before, size);
        plait_error error = {0};
        fail_at = calls + k;
        plait_status status = plait_sim_step(sim, INFINITY, &r, &error);
        fail_at = 0;
        bool no = status == PLAIT_NO_MEMORY && error.status == status && (t->events || scenes_in_state(sim, before, size));
        bool yes = status == PLAIT_OK && scenes_in_state(sim, after, size_after) && measures_as(sim, right);
        if (!no && !yes)
            printf("%s: allocation %ld of %ld: status %d (%s), dt %g, %s, state %s\n", t->name, k, needed, status,
                   error.text, r.dt, r.reason ? r.reason : "",
                   scenes_in_state(sim, before, size)        ? "of before"
                   : scenes_in_state(sim, after, size_after) ? "of after"
                                                  : "of neither");
        wrong += !no && !yes, refused += no;
        if (no) // it goes on as if nothing had been
            wrong += plait_sim_step(sim, INFINITY, &r, NULL) != PLAIT_OK || !same_again(sim, after, size_after) ||
                     !measures_as(sim, right);
        plait_sim_free(sim);
    }
    printf("%-26s %3d contacts, %5ld allocations, %5ld tried, %5ld refused, %ld wrong\n", t->name, contacts, needed,
           tried, refused, wrong);
    CHECK_INT(wrong, 0);
    CHECK(refused > tried / 2);
    free(before), free(after);
}

CASE(each_allocation_fails)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    write_files();
    spare_below = SIZE_MAX; // MUMPS and Fortran's run time end the program
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        judge(&trials[i]);
}
