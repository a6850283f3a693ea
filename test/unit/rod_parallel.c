// rod_parallel.c: many rods stepped by any number of threads end in the same state, to the last bit.
#include "base/rng.h"
#include "check.h"
#include "plait/rod.h"

enum { RODS = 40, STEPS = 25, MAX_STATE = 2000 };

static uint64_t hash_state(const plait_rod *rod, uint64_t h)
{
    static double state[MAX_STATE];
    int size = plait_rod_state_size(rod);
    if (!CHECK(size <= MAX_STATE))
        return 0;
    plait_rod_get_state(rod, state);
    for (int i = 0; i < size; i++) {
        uint64_t bits;
        memcpy(&bits, &state[i], sizeof bits);
        h = (h ^ bits) * 0x100000001b3u;
    }
    return h;
}

static uint64_t run(plait_rod_model model, int threads)
{
    plait_rod *rods[RODS];
    plait_step_report reports[RODS];
    plait_rng rng = plait_rng_new(5, 1);
    for (int r = 0; r < RODS; r++) {
        double points[6] = {0, 0, 0, 0.1, plait_rng_between(&rng, -0.05, 0.05), plait_rng_between(&rng, -0.05, 0.05)};
        plait_rod_def def = plait_default_rod_def();
        def.model = model;
        def.id = r;
        def.point_count = 2;
        def.points = points;
        def.segments = 8 + r % 5;
        if (plait_rod_model_abilities(model) & PLAIT_ROD_TWISTS)
            def.natural = PLAIT_NATURAL_CONSTANT;
        def.curvature[0] = plait_rng_between(&rng, -40, 40);
        def.twist = plait_rng_between(&rng, -10, 10);
        def.end[0].kind = PLAIT_END_CLAMPED;
        def.gravity[2] = -9.81;
        rods[r] = plait_rod_new(&def, NULL);
        if (!CHECK(rods[r] != NULL))
            return 0;
    }
    uint64_t h = 0xcbf29ce484222325u;
    for (int k = 0; k < STEPS; k++)
        CHECK_INT(plait_rods_step(rods, RODS, 5e-3, NULL, threads, reports, NULL), PLAIT_OK);
    for (int r = 0; r < RODS; r++) {
        CHECK(reports[r].converged);
        h = hash_state(rods[r], h);
        plait_rod_free(rods[r]);
    }
    return h;
}

CASE(equal_for_any_number_of_threads)
{
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!plait_rod_model_name((plait_rod_model)m))
            continue;
        uint64_t one = run((plait_rod_model)m, 1);
        for (int threads = 2; threads <= 8; threads += 3)
            CHECK(run((plait_rod_model)m, threads) == one);
    }
}

CASE(the_first_bad_rod_is_named)
{
    double points[6] = {0, 0, 0, 0.1, 0, 0}, bad[3] = {NAN, 0, 0};
    plait_rod *rods[6];
    for (int r = 0; r < 6; r++) {
        plait_rod_def def = plait_default_rod_def();
        def.id = 100 + r;
        def.point_count = 2;
        def.points = points;
        def.segments = 5;
        rods[r] = plait_rod_new(&def, NULL);
        CHECK(rods[r] != NULL);
    }
    plait_rod_set_force(rods[4], 1, bad);
    plait_rod_set_force(rods[3], 1, bad);
    plait_error error = {0};
    CHECK_INT(plait_rods_step(rods, 6, 1e-3, NULL, 2, NULL, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "rod 103") != NULL);
    CHECK_NEAR(plait_rod_time(rods[0]), 1e-3, 0); // the others went on
    CHECK_NEAR(plait_rod_time(rods[3]), 0, 0);
    for (int r = 0; r < 6; r++)
        plait_rod_free(rods[r]);
}
