// Bounces against Newton's law of restitution: what comes with the speed v leaves with e v, at the point that touches.
#include "sim_scenes.h"

static plait_scene *bouncing(double restitution)
{
    plait_scene *scene = scenes_new(0);
    plait_scene_set_friction(scene, 0, 1, 0, restitution);
    memset(scene->gravity, 0, sizeof scene->gravity);
    scenes_ground(scene);
    return scene;
}

// A rod that falls flat on the ground, and one that turns as it comes: its lower end leaves as fast as it came, times e.
CASE(rods_bounce)
{
    const double speed = 0.5, e = 0.6;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        plait_scene *scene = bouncing(e);
        scene->material[0].rod.young = 1e9;
        scenes_rod(scene, (plait_rod_model)m, (double[]){0, 0, 2.3e-3}, (double[]){1, 0, 0}, 6);
        scene->fibre[0].velocity[2] = -speed;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        CHECK(scenes_run(sim, 3e-3, &report));
        double v[21], mean = 0;
        plait_rod_velocities(plait_sim_rod(sim, 0), v);
        for (int i = 0; i <= 6; i++)
            mean += v[3 * i + 2] / 7;
        CHECK_NEAR(mean, e * speed, 0.02 * speed);
        plait_sim_free(sim);
    }
}

// After the impact the contacts of that step tell how fast it leaves, and the impulse is gone: they part.
CASE(contacts_tell_the_velocity_after_it)
{
    const double speed = 0.5, e = 0.6;
    plait_scene *scene = bouncing(e);
    scene->material[0].rod.young = 1e9;
    scenes_rod(scene, PLAIT_ROD_DER, (double[]){0, 0, 2.3e-3}, (double[]){1, 0, 0}, 6);
    scene->fibre[0].velocity[2] = -speed;
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report = {0};
    plait_error error = {0};
    int told = 0;
    for (int k = 0; k < 6; k++) {
        CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK);
        double v[21], mean = 0;
        plait_rod_velocities(plait_sim_rod(sim, 0), v);
        for (int i = 0; i <= 6; i++)
            mean += v[3 * i + 2] / 7;
        for (int i = 0; mean > 0 && i < plait_sim_contacts(sim); i++) {
            plait_sim_contact c;
            plait_sim_contact_get(sim, i, &c);
            double along = c.velocity[0] * c.normal[0] + c.velocity[1] * c.normal[1] + c.velocity[2] * c.normal[2];
            CHECK_NEAR(along, e * speed, 0.05 * speed);
            told++;
        }
    }
    CHECK(told > 0);
    plait_sim_free(sim);
}

// A box comes down on an edge, turning: the edge leaves with e times the speed with which it came, m dv = j, I dw = -j a.
CASE(a_turning_box_bounces)
{
    const double h[3] = {0.01, 0.03, 0.02}, turn = 0.4, speed = 0.3, w = 4, e = 0.5;
    double mass = 8000 * h[0] * h[1] * h[2], I = mass * (h[0] * h[0] + h[2] * h[2]) / 3, v[3], spin[3];
    plait_scene *scene = bouncing(e);
    plait_scene_add_rigid(scene, "box", PLAIT_SHAPE_BOX);
    plait_rigid *b = &scene->rigid[0];
    memcpy(b->shape.size, h, sizeof h);
    b->density = 1000;
    double arm = h[0] * cos(turn) - h[2] * sin(turn), deep = h[2] * cos(turn) + h[0] * sin(turn);
    b->rotation[1] = turn, b->position[2] = deep + 5e-6, b->velocity[2] = -speed, b->spin[1] = w;
    scene->stepping.dt = 5e-5; // it hardly turns before it touches
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report = {0};
    CHECK(scenes_run(sim, 1.5e-4, &report));
    plait_sim_rigid_velocity(sim, 0, v, spin);
    double before = -speed - w * arm, impulse = -(1 + e) * before / (1 / mass + arm * arm / I);
    CHECK_NEAR(v[2], -speed + impulse / mass, 0.01 * speed);
    CHECK_NEAR(spin[1], w - impulse * arm / I, 0.01 * w);
    plait_sim_free(sim);
}

// A turning rod meets a bar between two of its nodes: there it comes with a speed between theirs, and leaves with e of it.
CASE(a_rod_bounces_between_its_nodes)
{
    const double speed = 0.5, e = 0.6, w = 10, at = 0.1 * 2.3 / 6; // along the rod
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        plait_scene *scene = bouncing(e);
        scene->material[0].rod.young = 1e12; // as good as rigid
        scene->collider[0].shape = (plait_shape){.kind = PLAIT_SHAPE_CAPSULE, .size = {1e-3, 0.05}};
        scene->collider[0].rotation[0] = M_PI / 2; // along y
        scene->collider[0].position[0] = at;
        scenes_rod(scene, (plait_rod_model)m, (double[]){0, 0, 3e-3 + 1e-5}, (double[]){1, 0, 0}, 6);
        scene->fibre[0].velocity[2] = -speed, scene->fibre[0].spin[1] = -w; // about the first point
        scene->stepping.dt = 2e-4;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        CHECK(scenes_run(sim, 2e-4, &report));
        CHECK(report.contacts > 0);
        double v[21], before = -speed + w * at;
        plait_rod_velocities(plait_sim_rod(sim, 0), v);
        CHECK_NEAR(0.7 * v[3 * 2 + 2] + 0.3 * v[3 * 3 + 2], -e * before, 0.03 * speed);
        plait_sim_free(sim);
    }
}

// A slanting rod that is thrown along the ground bounces again and again, with friction: its energy is never above its start, and it
// does bounce.
CASE(bounces_gain_nothing)
{
    const double e[3] = {0.5, 0.7, 1}, dt[2] = {1e-3, 4e-3};
    for (int k = 0; k < 6 * PLAIT_ROD_MODEL_COUNT; k++) {
        plait_scene *scene = bouncing(e[k % 3]);
        plait_scene_set_friction(scene, 0, 1, 0.3, e[k % 3]);
        scene->gravity[2] = -9.81, scene->stepping.dt = dt[k / 3 % 2];
        plait_material *m = &scene->material[0].rod;
        m->radius[0] = 1e-3, m->density = 1000, m->young = 1e8, m->poisson = 0.3, m->damping = 0;
        scenes_rod(scene, (plait_rod_model)(k / 6), (double[]){0, 0, 0.03}, (double[]){0.8944, 0, 0.4472}, 8);
        scene->fibre[0].velocity[0] = 0.5, scene->fibre[0].velocity[2] = -0.5;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        CHECK(scenes_run(sim, 1e-7, &report));
        double start = report.kinetic + report.elastic + report.potential, last = start;
        bool up = false;
        while (plait_sim_time(sim) < 0.3) {
            CHECK(scenes_run(sim, plait_sim_time(sim) + dt[k / 3 % 2], &report));
            double now = report.kinetic + report.elastic + report.potential, v[27];
            CHECK(now <= start && now - last < 1e-7 * start);
            last = now;
            plait_rod_velocities(plait_sim_rod(sim, 0), v);
            up |= v[2] > 0.1;
        }
        CHECK(up || dt[k / 3 % 2] > 1e-3);
        plait_sim_free(sim);
    }
}
