// Rigid bodies against closed forms: inertia of every shape, the torque-free top, an impact off the centre.
#include "sim_scenes.h"

enum { SAMPLES = 2000 };

static plait_scene *weightless(plait_shape_kind kind, const double size[3])
{
    plait_scene *scene = scenes_new(0);
    memset(scene->gravity, 0, sizeof scene->gravity);
    plait_scene_add_rigid(scene, "body", kind);
    plait_rigid *b = &scene->rigid[0];
    memcpy(b->shape.size, size, 3 * sizeof *size);
    b->density = 1000;
    return scene;
}

// Mass and inertia about x, y, z from slices across z: elliptic or rectangular, as wide as the body is there.
static void by_slices(plait_shape_kind kind, const double size[3], double density, double *mass, double inertia[3])
{
    double half = kind == PLAIT_SHAPE_BOX ? size[2] : kind == PLAIT_SHAPE_SPHERE ? size[0] : size[0] + size[1];
    *mass = inertia[0] = inertia[1] = inertia[2] = 0;
    for (int k = 0; k < SAMPLES; k++) {
        double z = half * ((2 * k + 1.0) / SAMPLES - 1), beyond = fabs(z);
        if (kind == PLAIT_SHAPE_CAPSULE)
            beyond = fmax(0, beyond - size[1]);
        double r2 = size[0] * size[0] - beyond * beyond, area = M_PI * r2, xx = r2 / 4, yy = r2 / 4;
        if (kind == PLAIT_SHAPE_BOX)
            area = 4 * size[0] * size[1], xx = size[0] * size[0] / 3, yy = size[1] * size[1] / 3;
        double m = density * area * 2 * half / SAMPLES;
        *mass += m;
        inertia[0] += m * (yy + z * z), inertia[1] += m * (xx + z * z), inertia[2] += m * (xx + yy);
    }
}

// The kinetic energy that a step reports, moving and spinning about each axis, in any orientation.
CASE(inertia_of_all_shapes)
{
    const struct {
        plait_shape_kind kind;
        double size[3];
    } shape[] = {{PLAIT_SHAPE_SPHERE, {0.02, 0, 0}},
                 {PLAIT_SHAPE_CAPSULE, {0.01, 0.03, 0}},
                 {PLAIT_SHAPE_CAPSULE, {0.03, 0.005, 0}},
                 {PLAIT_SHAPE_BOX, {0.005, 0.01, 0.02}}};
    for (int s = 0; s < 4; s++)
        for (int k = 0; k < 4; k++) {
            double mass, inertia[3], turn = 0.7, rate = 3;
            by_slices(shape[s].kind, shape[s].size, 1000, &mass, inertia);
            plait_scene *scene = weightless(shape[s].kind, shape[s].size);
            plait_rigid *b = &scene->rigid[0];
            // Turned about z, then a spin about the turned x, about the turned y, or about z.
            b->rotation[2] = turn;
            double axis[3][3] = {{cos(turn), sin(turn), 0}, {-sin(turn), cos(turn), 0}, {0, 0, 1}};
            for (int n = 0; n < 3 && k < 3; n++)
                b->spin[n] = rate * axis[k][n];
            b->velocity[1] = 0.4;
            plait_sim *sim = scenes_start(scene);
            plait_sim_report report = {0};
            CHECK(scenes_run(sim, 1e-6, &report));
            CHECK_REL(report.kinetic, mass * 0.08 + (k < 3 ? inertia[k] * rate * rate / 2 : 0), 1e-5);
            plait_sim_free(sim);
        }
}

// Torque-free symmetric top: the axis goes round the angular momentum L at the rate |L|/I1. Returns the distance of the
// axis from there after a third of a turn; *momentum: how far L went, relative.
static double precession_error(const double size[3], int steps, double *momentum)
{
    double mass, I[3], w[3] = {2, 0, 5}, L[3], e[3] = {0, 0, 1};
    by_slices(PLAIT_SHAPE_BOX, size, 1000, &mass, I);
    plait_scene *scene = weightless(PLAIT_SHAPE_BOX, size);
    memcpy(scene->rigid[0].spin, w, sizeof w);
    for (int k = 0; k < 3; k++)
        L[k] = I[k] * w[k];
    double rate = hypot(L[0], L[2]) / I[0], end = 2 * M_PI / 3 / rate, c = cos(2 * M_PI / 3), s = sin(2 * M_PI / 3);
    double n[3] = {L[0] / (rate * I[0]), 0, L[2] / (rate * I[0])}, dot = n[2], there[3];
    double cross[3] = {n[1] * e[2] - n[2] * e[1], n[2] * e[0] - n[0] * e[2], n[0] * e[1] - n[1] * e[0]};
    for (int k = 0; k < 3; k++)
        there[k] = c * e[k] + s * cross[k] + (1 - c) * dot * n[k]; // Rodrigues
    scene->stepping.dt = end / steps;
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report;
    double x[3], q[4], v[3], spin[3];
    CHECK(scenes_run(sim, end, &report));
    plait_sim_rigid_pose(sim, 0, x, q);
    plait_sim_rigid_velocity(sim, 0, v, spin);
    plait_sim_free(sim);
    double axis[3] = {2 * (q[0] * q[2] + q[1] * q[3]), 2 * (q[1] * q[2] - q[0] * q[3]),
                      1 - 2 * (q[0] * q[0] + q[1] * q[1])};
    double along = 0, off = 0, gone = 0;
    for (int k = 0; k < 3; k++)
        along += spin[k] * axis[k], off += (axis[k] - there[k]) * (axis[k] - there[k]);
    for (int k = 0; k < 3; k++) {
        double now = I[0] * spin[k] + (I[2] - I[0]) * along * axis[k];
        gone += (now - L[k]) * (now - L[k]);
    }
    *momentum = sqrt(gone) / (rate * I[0]);
    return sqrt(off);
}

CASE(a_symmetric_top_precesses)
{
    const double flat[3] = {0.02, 0.02, 0.005}, tall[3] = {0.005, 0.005, 0.02};
    for (int k = 0; k < 2; k++) {
        const double *size = k ? tall : flat;
        double coarse_L, fine_L, coarse = precession_error(size, 100, &coarse_L);
        double fine = precession_error(size, 1000, &fine_L);
        // A wrong rate or sense would be off by about 1. Second order in dt; the momentum stays.
        CHECK(coarse < 2e-3);
        CHECK(fine < 0.012 * coarse);
        CHECK(coarse_L < 1e-6); // as good as the slices
        CHECK(fine_L < 1e-6);
    }
}

// A box without weight comes down on an edge, without friction or bounce: the edge stops, and the impulse m v / (1 +
// m a^2/I) at the lever arm a turns the box.
CASE(an_edge_hits_the_ground)
{
    const double size[3] = {0.01, 0.03, 0.02}, turn = 0.4, speed = 0.3;
    double mass, I[3], v[3], spin[3];
    by_slices(PLAIT_SHAPE_BOX, size, 1000, &mass, I);
    plait_scene *scene = weightless(PLAIT_SHAPE_BOX, size);
    scenes_ground(scene);
    plait_rigid *b = &scene->rigid[0];
    // Turned about y: the lowest edge is at x = arm, below the centre by `deep`.
    double arm = size[0] * cos(turn) - size[2] * sin(turn), deep = size[2] * cos(turn) + size[0] * sin(turn);
    b->rotation[1] = turn, b->position[2] = deep + 1e-4, b->velocity[2] = -speed;
    scene->stepping.dt = 1e-3;
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report;
    CHECK(scenes_run(sim, 2e-3, &report));
    plait_sim_rigid_velocity(sim, 0, v, spin);
    double impulse = mass * speed / (1 + mass * arm * arm / I[1]);
    CHECK_NEAR(v[2], impulse / mass - speed, 2e-3 * speed);
    CHECK_NEAR(spin[1], -impulse * arm / I[1], 0.01 * fabs(impulse * arm / I[1]));
    CHECK_NEAR(spin[0], 0, 1e-6);
    CHECK_NEAR(spin[2], 0, 1e-6);
    plait_sim_free(sim);
}

// Near the middle axis it turns over again and again, also by more than a radian in a step.
CASE(tumbling_keeps_its_energy)
{
    const double size[3] = {0.005, 0.01, 0.02}, step[4] = {1e-3, 4e-3, 1e-2, 5e-2};
    for (int k = 0; k < 4; k++) {
        plait_scene *scene = weightless(PLAIT_SHAPE_BOX, size);
        const double spin[3] = {0.01, 50, 0.02};
        memcpy(scene->rigid[0].spin, spin, sizeof spin);
        scene->stepping.dt = step[k];
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        double mass, I[3], start = 0, x[3], q[4], over = 1;
        by_slices(PLAIT_SHAPE_BOX, size, 1000, &mass, I);
        for (int n = 0; n < 3; n++)
            start += 0.5 * I[n] * spin[n] * spin[n];
        for (int n = 1; n <= 200; n++) {
            CHECK(scenes_run(sim, n * step[k], &report));
            CHECK_REL(report.kinetic, start, 1e-5); // slices are as good as that
            plait_sim_rigid_pose(sim, 0, x, q);
            over = fmin(over, 1 - 2 * (q[0] * q[0] + q[2] * q[2]));
        }
        CHECK(step[k] < 4e-3 || over < -0.9);
        plait_sim_free(sim);
    }
}

// Thrown on the ground while it tumbles: friction and impacts take energy, nothing gives any.
CASE(a_thrown_box_gains_nothing)
{
    const double size[3] = {0.005, 0.01, 0.02}, step[3] = {5e-4, 2e-3, 1e-2}, spin[3] = {30, 90, -40};
    for (int k = 0; k < 6; k++) {
        plait_scene *scene = weightless(PLAIT_SHAPE_BOX, size);
        scenes_ground(scene);
        for (int n = 0; n < 4; n++)
            scene->mu[n] = k % 2 ? 0.6 : 0.1;
        plait_rigid *b = &scene->rigid[0];
        memcpy(b->spin, spin, sizeof spin);
        scene->gravity[2] = -9.81, b->position[2] = 0.05, b->velocity[0] = 1, b->velocity[2] = -1;
        scene->stepping.dt = step[k / 2], scene->stepping.max_recovery = 0;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report = {0};
        CHECK(scenes_run(sim, 1e-9, &report));
        double start = report.kinetic + report.potential, last = start, worst = 0;
        for (int n = 1; n <= (int)(0.5 / step[k / 2]); n++) {
            CHECK(scenes_run(sim, n * step[k / 2], &report));
            double now = report.kinetic + report.potential;
            worst = fmax(worst, now - last);
            last = now;
        }
        printf("  dt %g: largest gain in a step %.2e of %.2e J\n", step[k / 2], worst, start);
        CHECK(last < 0.5 * start);
        CHECK(worst < 1e-9 * start);
        plait_sim_free(sim);
    }
}

// A jaw on a guide: its own weight does nothing, its force moves it along the guide, and it does not turn whatever hits
// it. What it pinches hangs on friction.
CASE(a_guided_jaw_pinches)
{
    plait_error error = {0};
    const char *text = "materials: {any: }\nfriction: {default: 0.5}\nstep: {dt: 2 ms}\n"
                       "colliders: {wall: {shape: box, size: [2 cm, 10 cm, 10 cm], position: [-1 cm, 0, 0]}}\n"
                       "bodies:\n"
                       "  ball: {shape: sphere, radius: 1 cm, density: 1000, position: [1 cm, 0, 0]}\n"
                       "  jaw: {shape: box, size: [2 cm, 4 cm, 4 cm], density: 1000, position: [3.5 cm, 5 mm, 0], "
                       "guide: [2, 0, 0], force: [-3, 0, 0]}\n"
                       "  free: {shape: box, size: [1 cm, 1 cm, 1 cm], density: 1000, position: [0, 1, 0], guide: [0, "
                       "1, 1], force: [0, 0, 0.02]}\n";
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    if (!CHECK(sim))
        puts(error.text);
    plait_sim_report report = {0};
    for (int k = 0; sim && k < 250; k++)
        CHECK(plait_sim_step(sim, 0.5, &report, &error) == PLAIT_OK && !report.failed);
    if (sim) {
        double x[3], q[4], v[3], w[3], mass = 1e-3, along = 0.5 * (0.02 / mass - 9.81) * 0.5;
        plait_sim_rigid_pose(sim, 1, x, q);
        CHECK_NEAR(x[0], 0.03, 1e-5);
        CHECK_NEAR(x[1], 0.005, 0);
        CHECK_NEAR(x[2], 0, 0);
        CHECK_NEAR(q[3], 1, 1e-15);
        plait_sim_rigid_pose(sim, 0, x, q);
        CHECK_NEAR(x[0], 0.01, 1e-5);
        plait_sim_rigid_velocity(sim, 0, v, w);
        CHECK(hypot(v[0], v[2]) < 1e-9 && report.sticking == 2);
        // Two axes at once: only their sum is free.
        plait_sim_rigid_velocity(sim, 2, v, w);
        CHECK_NEAR(v[1], along, 1e-9);
        CHECK_NEAR(v[2], along, 1e-9);
        CHECK_NEAR(v[0], 0, 0);
    }
    plait_sim_free(sim);
    plait_scene_free(scene);
}
