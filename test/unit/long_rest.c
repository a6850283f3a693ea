// Rest is rest: a pile of spaghetti with friction stays where it is; without friction it spreads.
#include "check.h"
#include "scene_judge.h"

static plait_sim *start(const char *set, plait_scene **scene)
{
    plait_error error = {0};
    *scene = plait_scene_find("spaghetti-31", set ? 1 : 0, &set, &error);
    plait_sim *sim = *scene ? plait_sim_new(*scene, &error) : NULL;
    if (!sim)
        printf("%s\n", error.text);
    return sim;
}

// Root mean square distance of the nodes from the middle of the pile, along the plate.
static double spread(const double *x, int nodes)
{
    double mean[2] = {0}, sum = 0;
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < 2; k++)
            mean[k] += x[3 * i + k] / nodes;
    for (int i = 0; i < nodes; i++)
        for (int k = 0; k < 2; k++)
            sum += (x[3 * i + k] - mean[k]) * (x[3 * i + k] - mean[k]);
    return sqrt(sum / nodes);
}

CASE(with_friction_still_without_spread)
{
    double width[2] = {0};
    for (int k = 0; k < 2; k++) {
        plait_scene *scene;
        plait_sim *sim = start(k ? "friction.default=0" : NULL, &scene);
        if (!CHECK(sim))
            continue;
        int nodes = plait_sim_first_node(sim)[scene->fibres];
        double *x = malloc(6 * (size_t)nodes * sizeof *x), *y = x + 3 * (size_t)nodes, moved = 0;
        judge_result j = judge_run(sim, scene, 3, 5);
        CHECK(j.finished && j.crossings == 0 && j.inside == 0);
        plait_sim_positions(sim, x);
        width[k] = spread(x, nodes);
        if (k == 0) {
            CHECK(judge_run(sim, scene, 5, 5).finished);
            plait_sim_positions(sim, y);
            for (int i = 0; i < 3 * nodes; i++)
                moved = fmax(moved, fabs(x[i] - y[i]));
            printf("moved %.3g m in 2 s; %d contacts at most, residual %.2g\n", moved, j.contacts_max, j.residual);
            CHECK(moved < 1e-6);
        }
        free(x);
        plait_sim_free(sim);
        plait_scene_free(scene);
    }
    printf("spread %.3g m with friction, %.3g m without\n", width[0], width[1]);
    CHECK(width[1] > 1.2 * width[0]);
}
