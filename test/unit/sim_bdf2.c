// The second-order integrator: swings without contacts, and impacts that gain nothing.
#include "sim_scenes.h"

static plait_scene *second_order(plait_rod_model model, double dt)
{
    plait_scene *scene = scenes_new(0.3);
    plait_material *m = &scene->material[0].rod;
    *m = (plait_material){.radius = {1e-3}, .density = 7800, .young = 2e11, .poisson = 0.3};
    scenes_rod(scene, model, (double[]){0, 0, 0}, (double[]){1, 0, 0}, 6);
    scene->stepping.integrator = PLAIT_INTEGRATOR_BDF2;
    scene->stepping.dt = dt, scene->stepping.adaptive = false;
    return scene;
}

// A pinned rod swings for half a second. Returns the tip; *lost: the part of the energy of the swing that is gone, *most: above the start.
static void swing(plait_rod_model model, double dt, plait_integrator integrator, double tip[3], double *lost, double *most)
{
    plait_scene *scene = second_order(model, dt);
    scene->fibre[0].end[0] = PLAIT_END_PINNED;
    scene->stepping.integrator = integrator;
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report = {0};
    double deepest = 0, x[21], now = 0;
    *most = -INFINITY;
    while (plait_sim_time(sim) < 0.5 - 1e-9) {
        CHECK(scenes_run(sim, fmin(0.5, plait_sim_time(sim) + dt), &report));
        now = report.kinetic + report.elastic + report.potential;
        deepest = fmax(deepest, -report.potential), *most = fmax(*most, now);
    }
    plait_rod_positions(plait_sim_rod(sim, 0), x);
    memcpy(tip, x + 18, 3 * sizeof *tip);
    *lost = -now / deepest, *most /= deepest;
    plait_sim_free(sim);
}

CASE(swings_are_of_second_order)
{
    const plait_rod_model model[] = {PLAIT_ROD_DER, PLAIT_ROD_MASS_SPRING, PLAIT_ROD_SUPERHELIX, PLAIT_ROD_CORDE};
    for (int m = 0; m < 4; m++) {
        double tip[4][3], lost[4], most, change[3], euler;
        for (int k = 0; k < 4; k++) {
            swing(model[m], 4e-3 / (1 << k), PLAIT_INTEGRATOR_BDF2, tip[k], &lost[k], &most);
            CHECK(most <= 1e-9);
        }
        for (int k = 0; k < 3; k++)
            change[k] = hypot(tip[k][0] - tip[k + 1][0], tip[k][2] - tip[k + 1][2]);
        printf("  orders %.2f %.2f; lost %.2g at 4 ms, %.2g at 1 ms\n", log2(change[0] / change[1]),
               log2(change[1] / change[2]), lost[0], lost[2]);
        CHECK(log2(change[1] / change[2]) > 1.9);
        CHECK(lost[2] < 1e-3);
        swing(model[m], 1e-3, PLAIT_INTEGRATOR_EULER, tip[0], &euler, &most);
        CHECK(euler > 50 * lost[2]);
    }
}

// The tip of a stiff rod that falls about its pin: angle'' = (g / l) cos(angle), l = int s^2 dm / int s dm. Masses are lumped
// at nodes, or along the rod: a super-helix's.
CASE(a_swing_has_its_equation)
{
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        double tip[3], lost, most, l = 2 * 0.1 / 3, angle = 0, rate = 0, h = 1e-5;
        if (m != PLAIT_ROD_SUPERHELIX)
            l *= 1 + 1 / (2.0 * 6 * 6);
        for (int k = 0; k < 50000; k++) { // the midpoint rule
            double half = angle + 0.5 * h * rate, way = rate + 0.5 * h * 9.81 / l * cos(angle);
            rate += h * 9.81 / l * cos(half), angle += h * way;
        }
        swing((plait_rod_model)m, 5e-4, PLAIT_INTEGRATOR_BDF2, tip, &lost, &most);
        CHECK_NEAR(atan2(-tip[2], tip[0]), angle, 2e-3);
    }
}

// Dropped on the ground, slanting, with friction and with restitution: it is never above its start, and comes to rest.
CASE(impacts_gain_nothing)
{
    const double e[2] = {0, 0.7}, dt[2] = {1e-3, 3e-3};
    for (int k = 0; k < 4 * PLAIT_ROD_MODEL_COUNT; k++) {
        plait_scene *scene = second_order((plait_rod_model)(k / 4), dt[k % 2]);
        scene->material[0].rod.young = 1e8, scene->material[0].rod.density = 1000;
        plait_scene_set_friction(scene, 0, 1, 0.3, e[k / 2 % 2]);
        scenes_ground(scene);
        for (int i = 0; i < 2; i++)
            scene->fibre[0].point[3 * i + 2] = 0.03 + 0.03 * i;
        scene->fibre[0].velocity[0] = 0.4;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        CHECK(scenes_run(sim, 1e-7, &report));
        double start = report.kinetic + report.elastic + report.potential, now = start, highest = -INFINITY;
        while (plait_sim_time(sim) < 0.4) {
            CHECK(scenes_run(sim, plait_sim_time(sim) + dt[k % 2], &report));
            now = report.kinetic + report.elastic + report.potential;
            highest = fmax(highest, now);
        }
        printf("  %s, e %g, dt %g: highest %.6f of the start\n", plait_rod_model_name((plait_rod_model)(k / 4)), e[k / 2 % 2],
               dt[k % 2], highest / start);
        CHECK(highest <= start * (1 + 1e-6));
        CHECK(now < 0.8 * start);
        plait_sim_free(sim);
    }
}

// What goes on from a state is the same to the last bit, history included.
static void goes_on(plait_rod_model model)
{
    plait_scene *scene = second_order(model, 1e-3);
    scene->fibre[0].end[0] = PLAIT_END_PINNED;
    plait_sim *one = plait_sim_new(scene, NULL), *two = plait_sim_new(scene, NULL);
    plait_sim_report report = {0};
    CHECK(scenes_run(one, 0.02, &report));
    int64_t size, size2;
    double *state = scenes_state(one, &size);
    CHECK_INT(plait_sim_set_state(two, state, size, NULL), PLAIT_OK);
    free(state);
    CHECK(scenes_run(one, 0.04, &report) && scenes_run(two, 0.04, &report));
    double *a = scenes_state(one, &size), *b = scenes_state(two, &size2);
    CHECK(size == size2 && memcmp(a, b, (size_t)size * sizeof *a) == 0);
    free(a), free(b);
    plait_sim_free(one), plait_sim_free(two);
    plait_scene_free(scene);
}

CASE(history_is_in_the_state)
{
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++)
        goes_on((plait_rod_model)m);
}
