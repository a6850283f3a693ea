// rod_heap.c: no heap call in a step after the first, for every model and scheme.
#include "check.h"
#include "heap.h"
#include "plait/rod.h"

static plait_rod *make(plait_rod_model model, plait_error *error)
{
    double points[6] = {0, 0, 0, 0.1, 0, 0};
    plait_rod_def def = plait_default_rod_def();
    def.model = model;
    def.point_count = 2;
    def.points = points;
    def.segments = 12;
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = 10;
    def.end[0].kind = PLAIT_END_CLAMPED;
    def.gravity[2] = -9.81;
    return plait_rod_new(&def, error);
}

// Whichever allocation fails, the rod is refused as a whole and nothing is left behind.
CASE(memory_that_runs_out)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!plait_rod_model_name((plait_rod_model)m))
            continue;
        long before = calls, alive = live;
        plait_rod_free(make((plait_rod_model)m, NULL));
        long needed = calls - before;
        CHECK(needed > 0);
        CHECK_INT(live, alive);
        for (long k = 1; k <= needed; k++) {
            plait_error error = {0};
            fail_at = calls + k;
            plait_rod *rod = make((plait_rod_model)m, &error);
            fail_at = 0;
            CHECK(rod == NULL);
            CHECK_INT(error.status, PLAIT_NO_MEMORY);
            plait_rod_free(rod);
            CHECK_INT(live, alive);
        }
    }
}

CASE(the_counter_counts)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    long before = calls;
    void *volatile p = malloc(10);
    CHECK_INT(calls, before + 1);
    free(p);
}

CASE(steps_call_no_heap)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        for (int scheme = 0; scheme < 4 && plait_rod_model_name((plait_rod_model)m); scheme++) {
            unsigned can = plait_rod_model_abilities((plait_rod_model)m);
            plait_step_options options = plait_default_step_options();
            options.scheme = scheme == 3 ? PLAIT_STEP_NONLINEAR : (plait_step_scheme)scheme;
            options.fast_projection = scheme == 3;
            if ((scheme == PLAIT_STEP_EXPLICIT && !(can & PLAIT_ROD_EXPLICIT)) ||
                (scheme == 3 && !(can & PLAIT_ROD_PROJECTS)))
                continue;
            plait_rod *rod = make((plait_rod_model)m, NULL);
            if (!CHECK(rod != NULL))
                continue;
            plait_step_report report;
            double dt = scheme == PLAIT_STEP_EXPLICIT ? 1e-7 : 1e-3;
            plait_rod_step(rod, dt, &options, &report, NULL);
            plait_end end = plait_rod_get_end(rod, 0);
            long before = calls;
            for (int k = 0; k < 50; k++) {
                end.position[1] += 1e-4;
                plait_rod_set_end(rod, 0, &end, NULL);
                plait_rod_step(rod, dt, &options, &report, NULL);
            }
            CHECK_INT(calls - before, 0);
            plait_rod_relax(rod, NULL, &report, NULL);
            CHECK_INT(calls - before, 0);
            plait_rod_free(rod);
        }
    }
}
