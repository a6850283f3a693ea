// sim_rod.c: what the rod of a simulation is told between steps happens, or is refused.
#include "sim_scenes.h"

// A rod that hangs from a point that turns with a collider, and one that is free, far from each other.
static plait_sim *make(plait_rod_model model)
{
    plait_scene *scene = scenes_new(0);
    int handle = plait_scene_add_collider(scene, "handle", PLAIT_SHAPE_NONE);
    int hanging = scenes_rod(scene, model, (const double[3]){0, 0, 0}, (const double[3]){0, 0, -1}, 8);
    scene->fibre[hanging].end[0] = PLAIT_END_CLAMPED, scene->fibre[hanging].attach[0] = handle;
    if (plait_rod_model_abilities(model) & PLAIT_ROD_FREE_ROOT)
        scenes_rod(scene, model, (const double[3]){1, 0, 0}, (const double[3]){1, 0, 0}, 8);
    return scenes_start(scene);
}

static double middle(plait_sim *sim, int fibre, int axis)
{
    double x[3 * 9];
    plait_rod_positions(plait_sim_rod(sim, fibre), x);
    return x[3 * 4 + axis];
}

CASE(gravity_is_what_it_was_told)
{
    plait_sim *sim = make(PLAIT_ROD_DER);
    plait_sim_report report;
    double start = middle(sim, 1, 0);
    plait_rod_set_gravity(plait_sim_rod(sim, 1), (const double[3]){2, 0, 0});
    CHECK(scenes_run(sim, 0.1, &report));
    // n steps of implicit Euler: a dt^2 n (n + 1) / 2
    CHECK_NEAR(middle(sim, 1, 0) - start, 2 * 1e-6 * 100 * 101 / 2, 1e-9);
    CHECK_NEAR(middle(sim, 1, 2), 0, 1e-12);
    plait_sim_free(sim);
}

CASE(attached_ends_can_only_be_set_free)
{
    plait_sim *sim = make(PLAIT_ROD_DER);
    plait_sim_report report;
    plait_rod *rod = plait_sim_rod(sim, 0);
    plait_end end = plait_rod_get_end(rod, 0);
    plait_error error = {0};
    end.position[0] = 0.01;
    CHECK_INT(plait_rod_set_end(rod, 0, &end, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "follows a collider"));
    CHECK_NEAR(plait_rod_get_end(rod, 0).position[0], 0, 0);
    CHECK_INT(plait_rod_set_end(rod, 0, &(plait_end){.kind = PLAIT_END_FREE}, &error), PLAIT_OK);
    CHECK(scenes_run(sim, 0.1, &report));
    CHECK_NEAR(middle(sim, 0, 2), -0.05 - 9.81e-6 * 100 * 101 / 2, 1e-9);
    // Nothing carries it any more: it may be held anywhere.
    double x[27];
    plait_rod_positions(rod, x);
    end = (plait_end){.kind = PLAIT_END_PINNED, .position = {x[0], x[1], x[2]}};
    CHECK_INT(plait_rod_set_end(rod, 0, &end, &error), PLAIT_OK);
    CHECK(scenes_run(sim, 0.2, &report));
    plait_rod_positions(rod, x);
    CHECK_NEAR(x[2], end.position[2], 1e-12);
    plait_sim_free(sim);
}

CASE(only_the_simulation_steps)
{
    for (int model = 0; model < PLAIT_ROD_MODEL_COUNT; model++) {
        plait_sim *sim = make((plait_rod_model)model);
        plait_rod *rod = plait_sim_rod(sim, 0);
        plait_step_report step;
        plait_error error = {0};
        int size = plait_rod_state_size(rod);
        double *state = malloc((size_t)size * sizeof *state), *after = malloc((size_t)size * sizeof *state);
        plait_rod_get_state(rod, state);
        CHECK_INT(plait_rod_step(rod, 1e-3, NULL, &step, &error), PLAIT_BAD_INPUT);
        CHECK(strstr(error.text, "plait_sim_step"));
        CHECK_INT(plait_rods_step(&rod, 1, 1e-3, NULL, 1, &step, &error), PLAIT_BAD_INPUT);
        plait_rod_get_state(rod, after);
        CHECK(memcmp(state, after, (size_t)size * sizeof *state) == 0);
        plait_sim_report report;
        CHECK(scenes_run(sim, 0.01, &report));
        CHECK_INT(plait_rod_set_state(rod, state, &error), PLAIT_BAD_INPUT); // that was 10 ms ago
        state[size - 1] = 0.01;
        CHECK_INT(plait_rod_set_state(rod, state, &error), PLAIT_OK);
        CHECK(scenes_run(sim, 0.02, &report));
        CHECK_NEAR(plait_rod_time(rod), 0.02, 1e-12);
        free(state), free(after);
        plait_sim_free(sim);
    }
}

CASE(couples_need_twist)
{
    plait_sim *sim = make(PLAIT_ROD_MASS_SPRING);
    CHECK_INT(plait_rod_set_couple(plait_sim_rod(sim, 0), 3, 1e-6), PLAIT_BAD_INPUT);
    CHECK_INT(plait_rod_set_couple(plait_sim_rod(sim, 0), 3, 0), PLAIT_OK);
    plait_sim_free(sim);
    sim = make(PLAIT_ROD_DER);
    CHECK_INT(plait_rod_set_couple(plait_sim_rod(sim, 0), 3, 1e-6), PLAIT_OK);
    plait_sim_free(sim);
}
