// Piles of all models at rest.
#include "sim_scenes.h"

static const plait_rod_model models[] = {PLAIT_ROD_DER, PLAIT_ROD_SUPERHELIX, PLAIT_ROD_MASS_SPRING, PLAIT_ROD_CORDE};

// Crossed rods come to rest on the ground and on each other, and then do not move at all.
CASE(a_pile_comes_to_rest)
{
    for (int m = 0; m < 4; m++) {
        plait_sim *sim = scenes_start(scenes_pile(models[m], 2, 3, 0.4));
        plait_sim_report report;
        int nodes = plait_sim_first_node(sim)[6];
        double *x = malloc(6 * (size_t)nodes * sizeof *x), *y = x + 3 * nodes, moved = 0, lowest = 1;
        CHECK(scenes_run(sim, 1.0, &report)); // until the vibrations are gone
        plait_sim_positions(sim, x);
        CHECK(report.converged);
        CHECK(report.contacts >= 9 + 6);
        CHECK(scenes_run(sim, 1.2, &report));
        plait_sim_positions(sim, y);
        for (int i = 0; i < 3 * nodes; i++) {
            moved = fmax(moved, fabs(x[i] - y[i]));
            lowest = i % 3 == 2 ? fmin(lowest, y[i]) : lowest;
        }
        printf("%s: moved %.3g m in 0.2 s at rest, %d contacts, lowest centre %.6g m\n",
               plait_rod_model_name(models[m]), moved, report.contacts, lowest);
        CHECK(moved < 1e-6);
        CHECK_NEAR(lowest, 2e-3, 4e-5);
        free(x);
        plait_sim_free(sim);
    }
}
