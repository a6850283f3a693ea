// What controls a step acts at its value: max_move, the way back to the default dt, max_stretch, max_recovery. Each is
// bracketed from both sides.
#include "sim_scenes.h"

static plait_scene *flying(double speed, double drag)
{
    plait_scene *scene = scenes_new(0.3);
    memset(scene->gravity, 0, sizeof scene->gravity);
    scenes_rod(scene, PLAIT_ROD_MASS_SPRING, (double[]){0, 0, 0}, (double[]){1, 0, 0}, 4);
    scene->fibre[0].velocity[2] = speed;
    scene->material[0].rod.drag = drag;
    scene->stepping.adaptive = true, scene->stepping.max_move = 1e-3, scene->stepping.dt = 1e-3;
    return scene;
}

static plait_sim_report step(plait_sim *sim)
{
    plait_sim_report report = {0};
    plait_error error = {0};
    CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && !report.failed);
    return report;
}

// 1 mm per step is allowed: at 0.98 m/s dt stays, at 1.02 m/s it is halved once, at 4.1 m/s until it is an eighth.
CASE(max_move_halves_the_step)
{
    const struct {
        double speed, dt;
    } is[] = {{0.98, 1e-3}, {1.02, 5e-4}, {1.98, 5e-4}, {2.02, 2.5e-4}, {4.1, 1.25e-4}};
    for (int i = 0; i < 5; i++) {
        plait_sim *sim = scenes_start(flying(is[i].speed, 0));
        CHECK_REL(step(sim).dt, 1e-3, 1e-12); // the first one does not know yet
        for (int n = 0; n < 5; n++)
            step(sim);
        for (int n = 0; n < 30; n++)
            CHECK_REL(step(sim).dt, is[i].dt, 1e-12);
        plait_sim_free(sim);
    }
}

// A throw that the air stops: dt grows back by doubling, each time only after some calm steps, when twice the last
// motion is allowed, and soon after it is; in the end it is the default again.
static void stopped_by_the_air(double drag)
{
    plait_sim *sim = scenes_start(flying(6, drag));
    double before = step(sim).dt, smallest = before;
    int since = 0, allowed = 0, doublings = 0;
    bool shrinking = true;
    for (int n = 0; n < 4000 && plait_sim_time(sim) < 0.2; n++) {
        plait_sim_report r = step(sim);
        since++;
        if (r.dt < 0.9 * before) {
            CHECK_REL(r.dt, before / 2, 1e-12);
            CHECK(shrinking); // it only gets gentler
            since = 0;
        } else if (r.dt > 1.1 * before) {
            CHECK_REL(r.dt, fmin(2 * before, 1e-3), 1e-12);
            CHECK(since >= 4);
            CHECK(r.max_speed * r.dt < 1e-3);
            shrinking = false;
            since = 0, doublings++;
        }
        // Allowed for eight steps and still not done would be too late.
        allowed = r.dt < 0.9e-3 && r.max_speed * 2 * r.dt < 0.999e-3 ? allowed + 1 : 0;
        CHECK(allowed <= 8);
        smallest = fmin(smallest, r.dt), before = r.dt;
    }
    CHECK(smallest < 0.51e-3);
    CHECK_INT(doublings, (int)lround(log2(1e-3 / smallest)));
    CHECK_REL(before, 1e-3, 1e-12);
    plait_sim_free(sim);
}

CASE(the_step_grows_back)
{
    stopped_by_the_air(40);
    stopped_by_the_air(4000); // at once: nothing but patience keeps the step small
}

// Largest relative stretch of the edges of the only fibre.
static double stretch(plait_sim *sim, double natural)
{
    double x[15], worst = 0;
    plait_rod_positions(plait_sim_rod(sim, 0), x);
    for (int k = 0; k < 12; k += 3) {
        double length = sqrt((x[k + 3] - x[k]) * (x[k + 3] - x[k]) + (x[k + 4] - x[k + 1]) * (x[k + 4] - x[k + 1]) +
                             (x[k + 5] - x[k + 2]) * (x[k + 5] - x[k + 2]));
        worst = fmax(worst, fabs(length / natural - 1));
    }
    return worst;
}

// A soft cord that hangs from one end and is suddenly heavy.
static plait_scene *heavy(plait_rod_model model, double limit)
{
    plait_scene *scene = scenes_new(0.3);
    scene->gravity[2] = -2000;
    scenes_rod(scene, model, (double[]){0, 0, 0}, (double[]){0, 0, -1}, 4);
    scene->fibre[0].end[0] = PLAIT_END_PINNED;
    scene->stepping.max_stretch = limit, scene->stepping.dt = 4e-3, scene->stepping.adaptive = false;
    return scene;
}

CASE(max_stretch_rejects_at_its_value)
{
    const plait_rod_model models[] = {PLAIT_ROD_DER, PLAIT_ROD_MASS_SPRING, PLAIT_ROD_CORDE};
    for (int m = 0; m < 3; m++) {
        plait_sim *sim = scenes_start(heavy(models[m], 10));
        plait_sim_report free = step(sim);
        CHECK_INT(free.rejections, 0);
        double most = stretch(sim, 0.025);
        CHECK(most > 0.02);
        CHECK_REL(free.max_stretch, most, 1e-9);
        plait_sim_free(sim);
        for (int above = 0; above < 2; above++) {
            sim = scenes_start(heavy(models[m], (above ? 1.01 : 0.99) * most));
            plait_sim_report r = step(sim);
            CHECK_INT(r.rejections > 0, !above);
            CHECK(above || (r.reason && strstr(r.reason, "stretch")));
            CHECK(r.max_stretch <= (above ? 1.01 : 0.99) * most);
            if (!above)
                CHECK(r.dt <= 2.01e-3);
            plait_sim_free(sim);
        }
    }
}

// What falls freely is wrong by g dt^2/2 in a step of implicit Euler: dt is the longest of 8 ms, 4 ms ... with which that is
// not more than asked for. With BDF2 only its start is wrong.
CASE(error_decides_the_step)
{
    const double g = 9.81;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++)
        for (int k = 0; k < 4; k++) {
            plait_scene *scene = scenes_new(0.3);
            scenes_rod(scene, (plait_rod_model)m, (double[]){0, 0, 0}, (double[]){1, 0, 0}, 4);
            scene->stepping.dt = 8e-3, scene->stepping.dt_min = 1e-6, scene->stepping.adaptive = false;
            scene->stepping.error = (k % 2 ? 0.98 : 1.02) * g / 2 * 1e-6; // 1 ms is just allowed, or just not
            scene->stepping.integrator = k / 2 ? PLAIT_INTEGRATOR_BDF2 : PLAIT_INTEGRATOR_EULER;
            plait_sim *sim = scenes_start(scene);
            plait_sim_report r = {0};
            for (int n = 0; n < 60; n++)
                r = step(sim);
            if (k / 2 == 0) {
                CHECK_REL(r.dt, k % 2 ? 5e-4 : 1e-3, 1e-9);
                CHECK_REL(r.error, g / 2 * r.dt * r.dt, 1e-6);
            } else {
                CHECK_REL(r.dt, 8e-3, 1e-9);
            }
            plait_sim_free(sim);
        }
}

// A very viscous cord is pulled at both ends: it creeps too far in 4 ms, not in 2 ms. When nothing pulls any more, the long
// step comes back: not at once, and not late.
CASE(the_step_grows_back_after_a_rejection)
{
    plait_scene *scene = scenes_new(0.3);
    memset(scene->gravity, 0, sizeof scene->gravity);
    scenes_rod(scene, PLAIT_ROD_MASS_SPRING, (double[]){0, 0, 0}, (double[]){1, 0, 0}, 4);
    scene->material[0].rod.damping = 0.1;
    scene->stepping.dt = 4e-3, scene->stepping.adaptive = false, scene->stepping.max_stretch = 0.028;
    plait_sim *sim = scenes_start(scene);
    double EA = 2e6 * M_PI * 4e-6;
    CHECK_REL(step(sim).dt, 4e-3, 1e-12); // nothing pulls yet
    for (int end = 0; end < 2; end++)
        plait_rod_set_force(plait_sim_rod(sim, 0), 4 * end, (double[3]){end ? EA : -EA});
    plait_sim_report r = step(sim);
    CHECK_INT(r.rejections, 1);
    CHECK_REL(r.dt, 2e-3, 1e-12);
    CHECK_NEAR(r.max_stretch, 0.0196, 1e-3); // F/EA dt/(dt + 0.1 s)
    for (int end = 0; end < 2; end++)
        plait_rod_set_force(plait_sim_rod(sim, 0), 4 * end, (double[3]){0});
    int small = 0;
    while (small < 40 && (r = step(sim)).dt < 2.1e-3)
        small++;
    CHECK(small >= 4 && small <= 12);
    for (int n = 0; n < 10; n++, r = step(sim))
        CHECK_REL(r.dt, 4e-3, 1e-12);
    plait_sim_free(sim);
}

// A rod that starts 1 mm deep in the ground comes out at max_recovery, or all of the way but half of the slop if that
// is less; it has no velocity from it.
CASE(max_recovery_limits_the_way_out)
{
    const double dt = 1e-3, deep = 1e-3, radius = 2e-3, slop = 0.02 * radius;
    const double limit[] = {2e-3, 1e-2, 5e-2, 0.1, 10};
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++)
        for (int i = 0; i < 5; i++) {
            plait_scene *scene = scenes_new(0.3);
            memset(scene->gravity, 0, sizeof scene->gravity);
            scenes_ground(scene);
            scenes_rod(scene, (plait_rod_model)m, (double[]){0, 0, radius - deep}, (double[]){1, 0, 0}, 6);
            scene->stepping.max_recovery = limit[i];
            scene->stepping.dt = dt, scene->stepping.adaptive = false;
            plait_sim *sim = scenes_start(scene);
            plait_sim_report report = step(sim);
            double x[21], v[21], way = fmin(limit[i] * dt, deep - slop / 2);
            plait_rod_positions(plait_sim_rod(sim, 0), x);
            plait_rod_velocities(plait_sim_rod(sim, 0), v);
            for (int n = 0; n <= 6; n++) {
                CHECK_NEAR(x[3 * n + 2] - (radius - deep), way, 0.05 * way);
                CHECK_NEAR(v[3 * n + 2], 0, 1e-9);
            }
            CHECK_INT(report.contacts > 0, 1);
            plait_sim_free(sim);
        }
}

// A motion that leaves the numbers (here a ball that would be 1e27 m away after the step) is a step that fails, not bad
// input: the state is that of before, and the next step can be asked for.
CASE(motion_beyond_numbers_fails)
{
    plait_scene *scene = scenes_new(0.3);
    plait_scene_add_rigid(scene, "ball", PLAIT_SHAPE_SPHERE);
    scene->rigid[0].shape.size[0] = 0.01, scene->rigid[0].density = 1000;
    scene->rigid[0].velocity[0] = 1e30;
    scene->stepping.dt = 1e-3, scene->stepping.dt_min = 2.5e-4;
    plait_sim *sim = scenes_start(scene);
    for (int again = 0; again < 2; again++) {
        plait_sim_report report = {0};
        plait_error error = {0};
        CHECK_INT(plait_sim_step(sim, INFINITY, &report, &error), PLAIT_OK);
        CHECK(report.failed && report.reason && strstr(report.reason, "where numbers end"));
        CHECK(plait_sim_time(sim) == 0 && plait_sim_steps(sim) == 0);
    }
    plait_sim_free(sim);
}
