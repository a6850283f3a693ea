// scene_start.h: a simulation from the text of a scene, for tests.
#ifndef TEST_SCENE_START_H
#define TEST_SCENE_START_H

#include <stdarg.h>
#include <stdio.h>

#include "plait/control.h"
#include "sim_scenes.h"

// NULL, with the message printed, if it is refused.
static inline plait_sim *start(const char *format, ...)
{
    char text[6000];
    plait_error error = {0};
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    if (!scene) {
        printf("%s\n", error.text);
        return NULL;
    }
    return scenes_start(scene);
}

// Steps up to a time.
static inline void run_to(plait_sim *sim, double time)
{
    plait_sim_report report;
    plait_error error = {0};
    while (plait_sim_time(sim) < time - 1e-9)
        if (!CHECK_INT(plait_sim_step(sim, time, &report, &error), PLAIT_OK) || !CHECK(!report.failed))
            return;
}

// Whether a twin that takes over the state goes on with the same bits up to a time.
static inline bool goes_on_alike(plait_sim *sim, plait_sim *twin, double time)
{
    plait_sim_report report;
    int64_t size;
    double *state = scenes_state(sim, &size), *other;
    bool ok = CHECK_INT(plait_sim_set_state(twin, state, size, NULL), PLAIT_OK);
    free(state);
    ok = ok && CHECK(scenes_run(sim, time, &report) && scenes_run(twin, time, &report));
    state = scenes_state(sim, &size), other = scenes_state(twin, &size);
    ok = ok && CHECK(memcmp(state, other, (size_t)size * sizeof *state) == 0);
    free(state), free(other);
    return ok;
}

// The place of a node of a fibre; negative: counted from the last.
static inline void node_of(plait_sim *sim, int fibre, int node, double x[3])
{
    double all[3 * 401];
    const plait_rod *rod = plait_sim_rod(sim, fibre);
    int n = plait_rod_segments(rod);
    plait_rod_positions(rod, all);
    for (int k = 0; k < 3; k++)
        x[k] = all[3 * (node < 0 ? n + 1 + node : node) + k];
}

#endif
