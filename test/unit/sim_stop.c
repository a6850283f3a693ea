// sim_stop.c: a step that is stopped, wherever it is, leaves the state as it was, and goes on to the same bits.
#include "sim_scenes.h"

typedef struct asking {
    int64_t looks, until; // the look that says stop; 0: none
} asking;

static bool ask(void *data)
{
    asking *a = data;
    return ++a->looks == a->until;
}

static double *state_of(const plait_sim *sim, int64_t *size)
{
    *size = plait_sim_state_size(sim);
    double *x = malloc(((size_t)*size + 1) * sizeof *x);
    plait_sim_get_state(sim, x);
    return x;
}

// A pile of models whose nodes are curved (super-helices) or not, in its fourth step.
static plait_sim *pile(plait_rod_model model, asking *a)
{
    plait_scene *scene = scenes_pile(model, 4, 6, 0.3);
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_scene_free(scene);
    plait_sim_set_threads(sim, 1);
    plait_sim_report report;
    for (int k = 0; k < 8; k++)
        CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK);
    CHECK(report.contacts > 10);
    plait_sim_set_stop(sim, ask, a);
    return sim;
}

static void stopped_at_every_look(plait_rod_model model)
{
    asking a = {0};
    plait_error error = {0};
    plait_sim_report report;
    plait_sim *sim = pile(model, &a);
    CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && !report.stopped);
    int64_t looks = a.looks, size, wanted;
    double *goal = state_of(sim, &wanted);
    plait_sim_free(sim);
    CHECK(looks > 20); // in all stages, detection among them
    int64_t stride = looks > 60 ? looks / 60 : 1;
    sim = pile(model, &a);
    double *before = state_of(sim, &size);
    for (int64_t k = 1; k <= looks; k += stride) {
        a = (asking){.until = k};
        CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && report.stopped);
        CHECK(a.looks == k); // once it has said yes nobody asks again
        int64_t now;
        double *after = state_of(sim, &now);
        CHECK(now == size && memcmp(before, after, (size_t)size * sizeof *before) == 0);
        free(after);
    }
    a = (asking){0};
    CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && !report.stopped);
    double *end = state_of(sim, &size);
    CHECK(size == wanted && memcmp(end, goal, (size_t)size * sizeof *end) == 0);
    free(before), free(goal), free(end);
    plait_sim_free(sim);
}

CASE(discrete_elastic_rods)
{
    stopped_at_every_look(PLAIT_ROD_DER);
}

CASE(superhelices)
{
    stopped_at_every_look(PLAIT_ROD_SUPERHELIX);
}
