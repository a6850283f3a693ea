// Elastic forces between the start and the end of a step: how fast a vibration dies, and that rest is still rest.
#include "sim_scenes.h"

static const plait_rod_model models[] = {PLAIT_ROD_DER, PLAIT_ROD_SUPERHELIX, PLAIT_ROD_MASS_SPRING, PLAIT_ROD_CORDE};

static double tip_height(plait_sim *sim)
{
    double x[27];
    plait_rod_positions(plait_sim_rod(sim, 0), x);
    return x[26];
}

// A clamped rod that weak gravity sets swinging: the mean logarithm, per step, of how much smaller its swings get.
// *w: its frequency.
static double decrement(plait_rod_model model, double theta, double dt, double *w)
{
    plait_scene *scene = scenes_new(0);
    plait_material m = scenes_rubber();
    m.damping = 0;
    scene->material[0].rod = m;
    scenes_rod(scene, model, (double[]){0, 0, 0}, (double[]){1, 0, 0}, 8);
    scene->fibre[0].end[0] = PLAIT_END_CLAMPED;
    scene->gravity[2] = -0.05;
    scene->stepping.theta = theta, scene->stepping.dt = dt, scene->stepping.adaptive = false;
    plait_sim *sim = scenes_start(scene);
    enum { TURNS = 14 };
    double turn[TURNS], when[TURNS], before = 0, last = 0;
    int turns = 0;
    plait_sim_report report;
    for (int k = 0; turns < TURNS && k < 2000 && CHECK(scenes_run(sim, (k + 1) * dt, &report)); k++) {
        double now = tip_height(sim);
        if (k > 1 && (now - last) * (last - before) <= 0)
            turn[turns] = last, when[turns++] = k * dt;
        before = last, last = now;
    }
    plait_sim_free(sim);
    if (!CHECK_INT(turns, TURNS))
        return NAN;
    // From the second swing on; higher modes are gone by then.
    double first = fabs(turn[3] - turn[2]), final = fabs(turn[TURNS - 1] - turn[TURNS - 2]);
    double span = when[TURNS - 1] - when[3];
    *w = M_PI * (TURNS - 4) / span;
    return log(first / final) / (span / dt);
}

CASE(vibrations_die_as_theta_says)
{
    for (int m = 0; m < 4; m++) {
        double dt = 0.01, w, z;
        for (double theta = 1; theta >= 0.5; theta -= 0.25) {
            double found = decrement(models[m], theta, dt, &w);
            z = w * dt * w * dt;
            CHECK_NEAR(found, 0.5 * log(1 + theta * z), 0.06 * found);
        }
    }
}

// Viscosity is all there whatever theta is: beside it the scheme's own damping is small at this dt.
CASE(viscosity_does_not_depend_on_theta)
{
    for (int m = 0; m < 4; m++) {
        double height[2];
        for (int k = 0; k < 2; k++) {
            plait_scene *scene = scenes_new(0);
            scenes_rod(scene, models[m], (double[]){0, 0, 0}, (double[]){1, 0, 0}, 8);
            scene->material[0].rod.damping = 0.05;
            scene->fibre[0].end[0] = PLAIT_END_CLAMPED;
            scene->stepping.theta = k ? 0.5 : 1, scene->stepping.dt = 2.5e-4;
            plait_sim *sim = scenes_start(scene);
            plait_sim_report report;
            CHECK(scenes_run(sim, 0.05, &report));
            height[k] = tip_height(sim);
            plait_sim_free(sim);
        }
        CHECK(height[0] < -1e-3);
        CHECK_NEAR(height[1], height[0], 0.01 * fabs(height[0]));
    }
}

// Rods that fall on the ground come to rest.
CASE(contacts_stay_inelastic)
{
    for (int m = 0; m < (CHECK_SANITIZED ? 1 : 4); m++) {
        plait_scene *scene = scenes_pile(models[m], 2, 2, 0.3);
        scene->stepping.theta = 0.5;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report;
        CHECK(scenes_run(sim, 0.4, &report));
        CHECK(report.max_speed < 0.01);
        CHECK(report.contacts >= 4);
        plait_sim_free(sim);
    }
}

CASE(refused)
{
    plait_error error = {0};
    plait_scene *scene = scenes_new(0);
    scene->stepping.theta = 0.4;
    CHECK_INT(plait_scene_check(scene, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "theta must be between 0.5 and 1") != NULL);
    scene->stepping.theta = 0.5, scene->stepping.rod.fast_projection = true;
    CHECK_INT(plait_scene_check(scene, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "theta must be 1") != NULL);
    plait_scene_free(scene);
}
