// sim_step_heap.c: no heap call in a step that has been done before, on whole scenes.
#include "sim_scenes.h"

#include "heap.h"
#include "sim_text.h"

// Goes through the steps `warm` times and once more, from the same state: then everything that it needs is there. (The
// second time the pool, base/pool.h, may still get a chunk, since its blocks do not lie as they did the first time.)
static void again(plait_sim *sim, int warm, int steps)
{
    plait_error error = {0};
    if (!CHECK(sim != NULL))
        return;
    plait_sim_set_threads(sim, 1);
    int64_t size = plait_sim_state_size(sim);
    double *start = malloc((size_t)size * sizeof *start);
    plait_sim_get_state(sim, start);
    long called = 0;
    int contacts = 0;
    for (int pass = 0; pass <= warm; pass++) {
        CHECK(plait_sim_set_state(sim, start, size, &error) == PLAIT_OK);
        for (int i = 0; i < steps; i++) {
            plait_sim_report r;
            long before = calls;
            CHECK(plait_sim_step(sim, INFINITY, &r, &error) == PLAIT_OK && !r.failed);
            called += pass == warm ? calls - before : 0;
            contacts += r.contacts;
        }
    }
    CHECK_INT(called, 0);
    CHECK(contacts > 0);
    free(start);
    plait_sim_free(sim);
}

static void again_named(const char *name, int steps)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_find(name, 0, NULL, &error);
    again(CHECK(scene != NULL) ? scenes_start(scene) : NULL, 1, steps);
}

CASE(steps_call_no_heap)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    again_named("spaghetti-7", 500);
    again_named("pony-small", 20);
    again_named("hairball-1k-small", 12);
    again_named("free-a-small", 8);
    again_named("gel-hair-small", 10);
    again_named("net-small", 20);
}

#define MATERIALS                                                                                                      \
    "materials: {m: {radius: 1 mm, density: 1000, young: 1e6, poisson: 0.5, damping: 1 ms, yield_curvature: 20, hardening: 0.1}, wall: }\n"                 \
    "friction: {default: 0.3}\nstep: {dt: 1 ms, adaptive: false}\n"

CASE(nor_in_cells_that_repeat_themselves)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    const char *fibres =
        "periodic: [2 cm, 2 cm, 2 cm]\n" MATERIALS
        "fibres: {a: {material: m, segments: 4, line: {from: [0, 0, 1.02 mm], length: 5 cm, count: 2, spacing: [0, 8 mm, "
        "0]}},\n"
        "         b: {material: m, segments: 4, line: {from: [5 mm, -1 cm, 3.1 mm], direction: [0, 1, 0], length: 3 cm}}}\n"
        "measure: {c: {what: contacts}, s: {what: stress, volume: 1e-6}}\n";
    again(sim_of_text(fibres, 0, NULL), 2, 12);
    char text[2000]; // a cell that is pressed
    snprintf(text, sizeof text, "%sloads: {press: {strain_rate: -0.5, axis: zz}}\n", fibres);
    again(sim_of_text(text, 0, NULL), 2, 12);
}

CASE(nor_with_joints_loads_and_rods_that_yield)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    again(sim_of_text(MATERIALS "fibres: {a: {material: m, segments: 6, ends: {root: clamped}, line: {length: 5 cm}},\n"
                      "         b: {material: m, segments: 6, line: {from: [5 cm, 0, 0], length: 3 cm}},\n"
                      "         c: {material: m, segments: 4, line: {from: [2 cm, -1 cm, 2.1 mm], direction: [0, 1, 0], "
                      "length: 2 cm}}}\n"
                      "bodies: {ball: {material: m, shape: sphere, radius: 2 mm, position: [8 cm, 0, 0]}}\n"
                      "joints: {w: {kind: weld, fibres: a, to_fibres: b}, h: {kind: hinge, axis: [0, 1, 0], fibres: b, "
                      "to_body: ball}}\n"
                      "loads: {f: {fibres: a, force: [0, 0, 1e-4]}, t: {fibres: a, moment: [1e-7, 0, 0]}}\n"
                      "measure: {r: {what: reaction, fibres: a, at: root}, e: {what: energy}}\n",
                      0, NULL),
          2, 12);
}
