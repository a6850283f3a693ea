// sim_step_heap.c: no heap call in a step that has been done before, on whole scenes.
#include "sim_scenes.h"

#include "heap.h"

// Goes through the steps twice, from the same state. The second time everything that it needs is there.
static void again(const char *name, int steps)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_find(name, 0, NULL, &error);
    CHECK(scene != NULL);
    plait_sim *sim = scenes_start(scene);
    plait_sim_set_threads(sim, 1);
    int64_t size = plait_sim_state_size(sim);
    double *start = malloc((size_t)size * sizeof *start);
    plait_sim_get_state(sim, start);
    long called = 0;
    int contacts = 0;
    for (int pass = 0; pass < 2; pass++) {
        CHECK(plait_sim_set_state(sim, start, size, &error) == PLAIT_OK);
        for (int i = 0; i < steps; i++) {
            plait_sim_report r;
            long before = calls;
            CHECK(plait_sim_step(sim, INFINITY, &r, &error) == PLAIT_OK && !r.failed);
            called += pass == 1 ? calls - before : 0;
            contacts += r.contacts;
        }
    }
    CHECK_INT(called, 0);
    CHECK(contacts > 0);
    free(start);
    plait_sim_free(sim);
}

CASE(steps_call_no_heap)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    again("spaghetti-7", 500);
    again("pony-small", 20);
    again("hairball-1k-small", 12);
    again("free-a-small", 8);
    again("gel-hair-small", 10);
    again("net-small", 20);
}
