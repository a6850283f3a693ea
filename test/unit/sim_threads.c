// Steps with several threads.
#include "sim_scenes.h"

// Large enough for several threads.
CASE(same_bits_for_any_threads)
{
    plait_sim_report report;
    int64_t size = 0;
    double *reference = NULL;
    for (int threads = 1; threads <= 4; threads *= 2) {
        plait_sim *sim = scenes_start(scenes_pile(PLAIT_ROD_DER, 20, 4, 0.3));
        plait_sim_set_threads(sim, threads);
        CHECK(scenes_run(sim, 0.03, &report));
        CHECK(report.contacts > 20);
        scenes_same_bits(sim, &reference, &size);
        plait_sim_free(sim);
    }
    free(reference);
}
