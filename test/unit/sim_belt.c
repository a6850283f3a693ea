// Contacts of fibres whose ends are moved by a script see the velocity of the ends: drag over the ground, a turning clamp,
// and a free body that a held edge carries along.
#include "math/vec3.h"
#include "sim_scenes.h"

static int handle(plait_scene *scene, bool turns, const double amplitude[3])
{
    int i = plait_scene_add_collider(scene, "handle", PLAIT_SHAPE_NONE);
    plait_motion *motion = &scene->collider[i].motion;
    motion->drives = 1;
    motion->drive = malloc(sizeof(plait_drive));
    *motion->drive = (plait_drive){.kind = PLAIT_DRIVE_LINEAR, .turns = turns, .stop = INFINITY};
    memcpy(motion->drive->amplitude, amplitude, 3 * sizeof *amplitude);
    return i;
}

// A rod on the ground, pulled by its end at constant speed, along itself or across: every contact slides as fast as the
// end does, with mu N against the motion, also those on what the end holds.
CASE(dragged_over_the_ground)
{
    const double mu = 0.3;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++)
        for (int across = 0; across < 2; across++) {
            const double speed[3] = {across ? 0 : 0.2, across ? -0.1 : 0, 0};
            plait_scene *scene = scenes_new(mu);
            scenes_ground(scene);
            int by = handle(scene, false, speed);
            // Stiff and thick, so that it stays straight.
            scene->material[0].rod.young = 1e9, scene->material[0].rod.damping = 1e-2;
            scenes_rod(scene, (plait_rod_model)m, (double[]){0, 0, 2e-3}, (double[]){1, 0, 0}, 6);
            plait_fibre *f = &scene->fibre[0];
            f->end[0] = PLAIT_END_CLAMPED, f->attach[0] = by;
            memcpy(f->velocity, speed, sizeof speed);
            plait_sim *sim = scenes_start(scene);
            plait_sim_report report = {0};
            double root = 1, force = 0, weight = 0, fast = plait_vec3_norm(speed);
            for (int n = 1; n <= 40; n++) {
                CHECK(scenes_run(sim, n * 1e-3, &report));
                for (int stage = 0; stage < PLAIT_STAGE_COUNT; stage++)
                    CHECK(report.seconds[stage] >= 0);
                force = weight = 0;
                for (int i = 0; i < plait_sim_contacts(sim); i++) {
                    plait_sim_contact c;
                    plait_sim_contact_get(sim, i, &c);
                    root = fmin(root, c.arc[0]);
                    double off = 0;
                    for (int k = 0; k < 2 && n > 30; k++)
                        off = fmax(off, fabs(c.velocity[k] - speed[k]));
                    CHECK(off < 0.02 * fast);
                    force -= plait_vec3_dot(c.impulse, speed) / fast, weight += c.impulse[2];
                }
                if (n > 30)
                    CHECK_NEAR(force, mu * weight, 1e-3 * mu * weight);
            }
            CHECK(root < 0.01); // on the held part too
            CHECK_REL(report.nu, 3.0 * report.contacts / plait_rod_dofs(plait_sim_rod(sim, 0)), 1e-12);
            CHECK(weight > 0);
            plait_sim_free(sim);
        }
}

// A clamp that turns about z at its root: at the arc length s the rod slides at w s, across.
CASE(turned_on_the_ground)
{
    const double w = 2, turn[3] = {0, 0, w};
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        plait_scene *scene = scenes_new(0.1);
        scenes_ground(scene);
        int by = handle(scene, true, turn);
        scene->material[0].rod.young = 1e9, scene->material[0].rod.damping = 1e-2;
        scene->stepping.dt = 5e-4;
        scenes_rod(scene, (plait_rod_model)m, (double[]){0, 0, 2e-3}, (double[]){1, 0, 0}, 6);
        plait_fibre *f = &scene->fibre[0];
        f->end[0] = PLAIT_END_CLAMPED, f->attach[0] = by;
        memcpy(f->spin, turn, sizeof turn);
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        const double t = 0.05;
        CHECK(scenes_run(sim, t, &report));
        CHECK(plait_sim_contacts(sim) > 3);
        for (int i = 0; i < plait_sim_contacts(sim); i++) {
            plait_sim_contact c;
            plait_sim_contact_get(sim, i, &c);
            double across = c.velocity[1] * cos(w * t) - c.velocity[0] * sin(w * t);
            CHECK_NEAR(across, w * c.arc[0], 0.02 * w * 0.1);
        }
        plait_sim_free(sim);
    }
}

// A ball on two rods that are held whole (both nodes of their only edges) and move along themselves: friction mu g takes the
// ball along until it goes as fast as they do.
CASE(a_held_edge_takes_a_ball_along)
{
    const double speed[3] = {0.3, 0, 0}, mu = 0.2, radius = 0.01;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!(plait_rod_model_abilities((plait_rod_model)m) & PLAIT_ROD_HELD_EDGE))
            continue;
        plait_scene *scene = scenes_new(mu);
        int by = handle(scene, false, speed);
        double apart = 0.0072, high = sqrt((radius + 2e-3) * (radius + 2e-3) - apart * apart);
        for (int side = -1; side <= 1; side += 2) {
            int i = scenes_rod(scene, (plait_rod_model)m, (double[]){-0.05, side * apart, 0}, (double[]){1, 0, 0}, 2);
            scene->fibre[i].end[0] = scene->fibre[i].end[1] = PLAIT_END_EDGE;
            scene->fibre[i].attach[0] = scene->fibre[i].attach[1] = by;
        }
        plait_scene_add_rigid(scene, "ball", PLAIT_SHAPE_SPHERE);
        scene->rigid[0].shape.size[0] = radius, scene->rigid[0].density = 1000;
        scene->rigid[0].position[0] = 0.02, scene->rigid[0].position[2] = high;
        scene->stepping.dt = 5e-4;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        const double t = 0.02;
        double v[3], spin[3];
        CHECK(scenes_run(sim, t, &report));
        plait_sim_rigid_velocity(sim, 0, v, spin);
        // Sliding on both: each presses with m g/(2 cos), cos = high over the distance of the centres.
        double rate = mu * 9.81 * (radius + 2e-3) / high;
        CHECK_NEAR(v[0], rate * t, 0.03 * rate * t);
        CHECK_NEAR(v[1], 0, 1e-6);
        // It slides and turns: the couple of the friction, at `high` radius/(radius + 2 mm) below the centre.
        CHECK_NEAR(spin[1], -2.5 * rate * t * high / (radius + 2e-3) / radius, 0.05 * fabs(spin[1]));
        plait_sim_free(sim);
    }
}

// The same with a free rod across two rails: whichever of the two is the first of the contact.
CASE(held_edges_take_a_rod_along)
{
    const double speed[3] = {0.3, 0, 0}, mu = 0.2, t = 0.02;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++)
        for (int last = 0; last < 2; last++) {
            if (!(plait_rod_model_abilities((plait_rod_model)m) & PLAIT_ROD_HELD_EDGE))
                continue;
            plait_scene *scene = scenes_new(mu);
            int by = handle(scene, false, speed), free = last ? 2 : 0;
            scene->material[0].rod.young = 1e9;
            for (int i = 0; i < 3; i++) {
                double y = i == (free + 1) % 3 ? -0.03 : 0.03;
                if (i == free) {
                    scenes_rod(scene, (plait_rod_model)m, (double[]){0.01, -0.05, 4e-3}, (double[]){0, 1, 0}, 6);
                    continue;
                }
                scenes_rod(scene, (plait_rod_model)m, (double[]){-0.05, y, 0}, (double[]){1, 0, 0}, 2);
                scene->fibre[i].end[0] = scene->fibre[i].end[1] = PLAIT_END_EDGE;
                scene->fibre[i].attach[0] = scene->fibre[i].attach[1] = by;
            }
            scene->stepping.dt = 5e-4;
            plait_sim *sim = scenes_start(scene);
            plait_sim_report report = {0};
            CHECK(scenes_run(sim, t, &report));
            plait_rod *rod = plait_sim_rod(sim, free);
            double mass = 1100 * M_PI * 4e-6 * 0.1, rate = mu * 9.81;
            CHECK_NEAR(plait_rod_energy(rod).momentum[0] / mass, rate * t, 0.03 * rate * t);
            CHECK_NEAR(plait_rod_energy(rod).momentum[1] / mass, 0, 1e-6);
            plait_sim_free(sim);
        }
}
