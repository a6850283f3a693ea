// Steps with several threads.
#include "sim_scenes.h"

// Large enough for several threads.
CASE(same_bits_for_any_threads)
{
    plait_sim_report report;
    int64_t size = 0, other;
    double *reference = NULL;
    for (int threads = 1; threads <= 4; threads *= 2) {
        plait_sim *sim = scenes_start(scenes_pile(PLAIT_ROD_DER, 20, 4, 0.3));
        plait_sim_set_threads(sim, threads);
        CHECK(scenes_run(sim, 0.03, &report));
        CHECK(report.contacts > 20);
        double *state = scenes_state(sim, &other);
        if (!reference)
            reference = state, size = other;
        CHECK_INT(size, other);
        CHECK(memcmp(reference, state, (size_t)size * sizeof *state) == 0);
        if (state != reference)
            free(state);
        plait_sim_free(sim);
    }
    free(reference);
}
