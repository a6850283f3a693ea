// sim_scenes.h: small scenes made by hand, for the tests of the simulation.
#ifndef PLAIT_TEST_SIM_SCENES_H
#define PLAIT_TEST_SIM_SCENES_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plait/sim.h"

// A soft rubber rod: thick enough to see, slow enough to step at 1 ms.
static inline plait_material scenes_rubber(void)
{
    plait_material m = plait_default_material();
    m.radius[0] = 2e-3, m.density = 1100, m.young = 2e6, m.poisson = 0.5, m.damping = 2e-3;
    return m;
}

static inline plait_scene *scenes_new(double mu)
{
    plait_scene *scene = plait_scene_new();
    plait_material m = scenes_rubber();
    plait_scene_add_material(scene, "rubber", &m, mu);
    plait_scene_add_material(scene, "ground", &m, mu);
    scene->stepping.dt = 1e-3;
    scene->stepping.dt_min = 1e-5;
    scene->stepping.solve.tol = 1e-8;
    scene->stepping.solve.max_time = 0;
    return scene;
}

static inline int scenes_ground(plait_scene *scene)
{
    int i = plait_scene_add_collider(scene, "ground", PLAIT_SHAPE_PLANE);
    scene->collider[i].material = 1;
    return i;
}

// A straight rod of 10 cm.
static inline int scenes_rod(plait_scene *scene, plait_rod_model model, const double from[3], const double along[3],
                             int segments)
{
    double point[6];
    for (int k = 0; k < 3; k++)
        point[k] = from[k], point[3 + k] = from[k] + 0.1 * along[k];
    int i = plait_scene_add_fibre(scene, model, 0, 2, point);
    scene->fibre[i].segments = segments;
    return i;
}

// A crossed pile: layers of parallel rods, each layer across the one below, dropped on the ground.
static inline plait_scene *scenes_pile(plait_rod_model model, int layers, int per_layer, double mu)
{
    plait_scene *scene = scenes_new(mu);
    scenes_ground(scene);
    for (int layer = 0; layer < layers; layer++)
        for (int i = 0; i < per_layer; i++) {
            double place = 0.02 * (i - 0.5 * (per_layer - 1)) + 1e-3 * layer, z = 0.003 + 0.0055 * layer;
            double from[3] = {layer % 2 ? place : -0.05, layer % 2 ? -0.05 : place, z};
            double along[3] = {layer % 2 ? 0 : 1, layer % 2 ? 1 : 0, 0};
            scenes_rod(scene, model, from, along, 10);
        }
    return scene;
}

static inline plait_sim *scenes_start(plait_scene *scene)
{
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(scene, &error);
    if (!sim)
        printf("%s\n", error.text);
    plait_scene_free(scene);
    return sim;
}

// Steps until `end`; false if a step fails. report: of the last step.
static inline bool scenes_run(plait_sim *sim, double end, plait_sim_report *report)
{
    plait_error error = {0};
    while (plait_sim_time(sim) < end) {
        if (plait_sim_step(sim, end, report, &error) != PLAIT_OK || report->failed) {
            printf("at %g s: %s %s\n", plait_sim_time(sim), error.text, report->reason ? report->reason : "");
            return false;
        }
    }
    return true;
}

static inline double *scenes_state(const plait_sim *sim, int64_t *size)
{
    *size = plait_sim_state_size(sim);
    double *state = malloc((size_t)*size * sizeof *state);
    plait_sim_get_state(sim, state);
    return state;
}

// Two or more runs must end in the same bits: the first state is kept in *reference, later ones are compared with it.
static inline void scenes_same_bits(const plait_sim *sim, double **reference, int64_t *size)
{
    int64_t other;
    double *state = scenes_state(sim, &other);
    if (!*reference)
        *reference = state, *size = other;
    CHECK_INT(*size, other);
    CHECK(memcmp(*reference, state, (size_t)other * sizeof *state) == 0);
    if (state != *reference)
        free(state);
}

// What is measured under a title.
static inline double scenes_measure(const plait_sim *sim, const char *title)
{
    double value[400];
    plait_sim_measure(sim, value);
    for (int i = 0; i < plait_sim_measures(sim) && i < 400; i++)
        if (strcmp(plait_sim_measure_title(sim, i), title) == 0)
            return value[i];
    printf("there is no '%s'\n", title);
    return NAN;
}

// Whether a simulation is in this state.
static inline bool scenes_in_state(const plait_sim *sim, const double *state, int64_t size)
{
    int64_t now;
    double *is = scenes_state(sim, &now);
    bool ok = now == size && memcmp(is, state, (size_t)size * sizeof *is) == 0;
    free(is);
    return ok;
}

#endif
