// sim_goal.c: loads on fibres from place to place: the drawn pose, drag along and across, eddies, shelter; and what
// comes to rest before the start.
#include "rods.h"
#include "sim_scenes.h"

// A straight rod in air that does not touch anything.
static plait_scene *in_air(double drag, double slip, const double along[3])
{
    plait_scene *scene = scenes_new(0.3);
    memset(scene->gravity, 0, sizeof scene->gravity);
    scene->material[0].rod.drag = drag, scene->material[0].slip = slip;
    scene->stepping.dt = 1e-3, scene->stepping.adaptive = false;
    scenes_rod(scene, PLAIT_ROD_DER, (double[]){0, 0, 0}, along, 6);
    return scene;
}

static void mean_velocity(const plait_sim *sim, int fibre, double u[3])
{
    const int *first = plait_sim_first_node(sim);
    double v[3 * 4096];
    plait_sim_velocities(sim, v);
    u[0] = u[1] = u[2] = 0;
    for (int i = first[fibre]; i < first[fibre + 1]; i++)
        for (int k = 0; k < 3; k++)
            u[k] += v[3 * i + k] / (first[fibre + 1] - first[fibre]);
}

// v = w (1 - exp(-k t)), with k = drag across, and (1 - slip) drag along.
CASE(drag_along_and_across)
{
    const double drag = 4, slip = 0.6, w = 0.5, t = 0.3;
    for (int across = 0; across < 2; across++) {
        plait_scene *scene = in_air(drag, slip, across ? (double[]){0, 0, 1} : (double[]){1, 0, 0});
        scene->wind[0] = w;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report;
        double u[3], k = across ? drag : (1 - slip) * drag;
        CHECK(scenes_run(sim, t, &report));
        mean_velocity(sim, 0, u);
        CHECK_NEAR(u[0], w * (1 - exp(-k * t)), 2e-3 * w);
        CHECK_NEAR(u[1], 0, 1e-9);
        plait_sim_free(sim);
    }
}

// A stiff rod on a hinge, drawn at an angle, rests where k L^2/3 (a0 - a) = g L/2 sin a with k = r g / L, r = goal / (1
// - goal): the couple of springs to the drawn pose and of its weight. It comes to rest by plait_sim_settle.
CASE(goal_and_rest)
{
    const double a0 = 0.2, goal = 0.5, r = goal / (1 - goal);
    plait_scene *scene = scenes_new(0.3);
    scene->stepping.dt = 2e-3, scene->stepping.settle = 2;
    scenes_rod(scene, PLAIT_ROD_DER, (double[]){0, 0, 0}, (double[]){sin(a0), 0, -cos(a0)}, 8);
    scene->material[0].rod.young = 1e9;
    scene->fibre[0].goal = goal, scene->fibre[0].end[0] = PLAIT_END_PINNED;
    plait_sim *sim = scenes_start(scene);
    plait_error error = {0};
    double done = 0, fastest = 1, x[3 * 9];
    CHECK_INT(plait_sim_settle(sim, 2, &done, &fastest, &error), PLAIT_OK);
    CHECK_NEAR(done, 2, 1e-9);
    CHECK(fastest < 1e-4);
    CHECK_NEAR(plait_sim_time(sim), 0, 0);
    CHECK_INT(plait_sim_steps(sim), 0);
    plait_sim_positions(sim, x);
    double a = atan2(x[24], -x[26]), left = r / 3 * sin(a0 - a), right = sin(a) / 2;
    CHECK_NEAR(left, right, 0.02 * right); // distances to the drawn pose are chords of the same angle
    // it goes on from there, from step 1; and is not settled in the middle of a run
    plait_sim_report report;
    CHECK_INT(plait_sim_step(sim, 1, &report, &error), PLAIT_OK);
    CHECK_INT(report.step, 1);
    CHECK_INT(plait_sim_settle(sim, 1, NULL, NULL, &error), PLAIT_BAD_INPUT);
    // a state of it fits
    int64_t size = plait_sim_state_size(sim);
    double *state = malloc((size_t)size * sizeof *state);
    plait_sim_get_state(sim, state);
    CHECK_INT(plait_sim_set_state(sim, state, size, &error), PLAIT_OK);
    free(state);
    plait_sim_free(sim);
}

// Rods that are light in the air go with it: their mean square is that of the eddies, and they differ from place to
// place.
CASE(eddies)
{
    enum { SIDE = 6, ALL = SIDE * SIDE };
    plait_scene *scene = in_air(400, 0, (double[]){0, 0, 1});
    scene->turbulence = 0.8, scene->turbulence_size = 0.3;
    for (int i = 1; i < ALL; i++)
        scenes_rod(scene, PLAIT_ROD_DER, (double[]){0.5 * (i % SIDE), 0.5 * (i / SIDE), 0}, (double[]){0, 0, 1}, 6);
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report;
    double square = 0, first[3], other[3];
    CHECK(scenes_run(sim, 0.02, &report));
    for (int i = 0; i < ALL; i++) {
        double u[3];
        mean_velocity(sim, i, u);
        square += (u[0] * u[0] + u[1] * u[1] + u[2] * u[2]) / ALL;
    }
    mean_velocity(sim, 0, first), mean_velocity(sim, ALL / 2, other);
    CHECK(sqrt(square) > 0.35 * 0.8 && sqrt(square) < 1.3 * 0.8);
    CHECK(fabs(first[0] - other[0]) + fabs(first[1] - other[1]) > 0.05);
    plait_sim_free(sim);
}

// A rod behind a wall of rods gets less wind than one before it.
CASE(shelter)
{
    double gained[2][2];
    for (int on = 0; on < 2; on++) {
        plait_scene *scene = in_air(5, 0, (double[]){0, 0, 1});
        scene->wind[0] = 1, scene->shelter = on ? 0.9 : 0;
        for (int i = 0; i < 60; i++)
            scenes_rod(scene, PLAIT_ROD_DER, (double[]){0.1 + 0.01 * (i % 6), 0.01 * (i / 6) - 0.05, 0},
                       (double[]){0, 0, 1}, 6);
        scenes_rod(scene, PLAIT_ROD_DER, (double[]){0.25, 0, 0}, (double[]){0, 0, 1}, 6);
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report;
        double before[3], behind[3];
        CHECK(scenes_run(sim, 0.02, &report));
        mean_velocity(sim, 0, before), mean_velocity(sim, 61, behind);
        gained[on][0] = before[0], gained[on][1] = behind[0];
        plait_sim_free(sim);
    }
    CHECK_NEAR(gained[0][0], gained[0][1], 1e-9);
    CHECK_NEAR(gained[1][0], gained[0][0], 0.05 * gained[0][0]);
    CHECK(gained[1][1] < 0.75 * gained[0][1]);
    CHECK(gained[1][1] > 0.09 * gained[0][1]);
}
