// The step: rest, bounce, recovery, rejection, checkpoints, threads.
#include "crossing.h"
#include "sim_scenes.h"

static const plait_rod_model models[] = {PLAIT_ROD_DER, PLAIT_ROD_SUPERHELIX, PLAIT_ROD_MASS_SPRING, PLAIT_ROD_CORDE};

CASE(without_contacts_a_rod_moves_as_alone)
{
    for (int m = 0; m < 4; m++) {
        plait_scene *scene = scenes_new(0.3);
        scenes_rod(scene, models[m], (double[]){0, 0, 0}, (double[]){1, 0, 0}, 8);
        scene->fibre[0].end[0] = PLAIT_END_CLAMPED;
        plait_rod_def def = plait_default_rod_def();
        plait_material rubber = scenes_rubber();
        plait_material_section(&rubber, &def.section, NULL);
        def.model = models[m], def.point_count = 2, def.points = scene->fibre[0].point, def.segments = 8;
        def.end[0].kind = PLAIT_END_CLAMPED, def.gravity[2] = -9.81;
        plait_rod *rod = plait_rod_new(&def, NULL);
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report;
        CHECK(scenes_run(sim, 0.05, &report));
        for (int k = 0; k < 50; k++)
            plait_rod_step(rod, plait_sim_time(sim) / 50, NULL, NULL, NULL);
        double a[27], b[27];
        plait_rod_positions(rod, a);
        plait_rod_positions(plait_sim_rod(sim, 0), b);
        for (int i = 0; i < 27; i++)
            CHECK_NEAR(a[i], b[i], 1e-9);
        CHECK(b[26] < -1e-3);
        plait_rod_free(rod);
        plait_sim_free(sim);
    }
}

CASE(nothing_crosses)
{
    for (int m = 0; m < 2; m++) {
        plait_sim *sim = scenes_start(scenes_pile(models[m], 4, 3, 0.2));
        plait_sim_report report;
        const int *first = plait_sim_first_node(sim);
        int nodes = first[12], crossings = 0;
        double *x = malloc(6 * (size_t)nodes * sizeof *x), *y = x + 3 * nodes;
        plait_sim_positions(sim, x);
        for (int k = 0; k < 60; k++) {
            CHECK(scenes_run(sim, (k + 1) * 1e-3, &report));
            plait_sim_positions(sim, y);
            crossings += crossing_count(12, first, x, y);
            memcpy(x, y, 3 * (size_t)nodes * sizeof *x);
        }
        CHECK_INT(crossings, 0);
        free(x);
        plait_sim_free(sim);
    }
}

// Overlapping rods without gravity are pushed apart. What pushes them gives no velocity, and bends them so little that
// what comes of it later is a small part of 3.5e-6 J, the energy of rods that part with 0.1 m/s.
CASE(recovery_adds_no_kinetic_energy)
{
    for (int m = 0; m < 4; m++) {
        plait_scene *scene = scenes_new(0.3);
        memset(scene->gravity, 0, sizeof scene->gravity);
        scene->stepping.max_recovery = 0.1;
        scenes_rod(scene, models[m], (double[]){-0.05, 0, 0}, (double[]){1, 0, 0}, 8);
        scenes_rod(scene, models[m], (double[]){0, -0.05, 3.2e-3}, (double[]){0, 1, 0}, 8); // 0.8 mm too near
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report;
        double energy = 0;
        for (int k = 0; k < 100; k++) {
            CHECK(scenes_run(sim, (k + 1) * 1e-3, &report));
            energy = fmax(energy, report.kinetic + report.elastic);
            if (k == 0) {
                CHECK_NEAR(report.smallest_gap, -8e-4, 1e-9);
                CHECK(report.kinetic < 1e-20);
            }
        }
        printf("%s: gap %.3g m, energy at most %.3g J\n", plait_rod_model_name(models[m]), report.smallest_gap, energy);
        CHECK(report.smallest_gap > -5e-5);
        CHECK(energy < 1e-7);
        plait_sim_free(sim);
    }
}

CASE(a_ball_bounces)
{
    plait_scene *scene = scenes_new(0);
    scenes_ground(scene);
    int i = plait_scene_add_rigid(scene, "ball", PLAIT_SHAPE_SPHERE);
    scene->rigid[i].shape.size[0] = 0.01, scene->rigid[i].density = 1000, scene->rigid[i].position[2] = 0.11;
    plait_scene_set_friction(scene, 0, 1, 0, 0.5);
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report;
    double highest = 0, x[3], q[4], v[3], w[3];
    bool fell = false;
    while (plait_sim_time(sim) < 0.35) {
        CHECK(scenes_run(sim, plait_sim_time(sim) + 1e-4, &report));
        plait_sim_rigid_pose(sim, 0, x, q);
        plait_sim_rigid_velocity(sim, 0, v, w);
        fell |= v[2] > 0;
        highest = fell ? fmax(highest, x[2] - 0.01) : 0;
    }
    CHECK_NEAR(highest, 0.25 * 0.1, 1.5e-3); // e^2 of where it came from; the impact is known to within a step
    plait_sim_free(sim);
}

CASE(a_failed_step_changes_nothing)
{
    plait_scene *scene = scenes_pile(PLAIT_ROD_DER, 2, 2, 0.3);
    scene->stepping.reject = 1e-300; // nothing is good enough
    scene->stepping.dt_min = 2e-4;
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report = {0};
    plait_error error = {0};
    int64_t size = 0, after = 0;
    double *before = NULL;
    for (int k = 0; k < 100 && !report.failed; k++) {
        free(before);
        before = scenes_state(sim, &size);
        CHECK_INT(plait_sim_step(sim, INFINITY, &report, &error), PLAIT_OK);
    }
    CHECK(report.failed);
    CHECK(report.reason != NULL);
    CHECK(report.rejections >= 1);
    CHECK(plait_sim_problem(sim) != NULL);
    double *state = scenes_state(sim, &after);
    CHECK_INT(size, after);
    // dt_next and calm may differ, nothing else.
    CHECK(state[0] == before[0] && state[2] == before[2]);
    CHECK(memcmp(state + 4, before + 4, (size_t)(size - 4) * sizeof *state) == 0);
    free(before), free(state);
    plait_sim_free(sim);
}

CASE(run_equals_half_and_resume)
{
    const double end = CHECK_SANITIZED ? 0.024 : 0.028; // they land after 14 ms
    for (int m = 0; m < 4; m++) {
        plait_sim_report report;
        int64_t size = 0, middle;
        double *reference = NULL;
        for (int pass = 0; pass < 2; pass++) {
            plait_sim *sim = scenes_start(scenes_pile(models[m], 3, 3, 0.3));
            CHECK(scenes_run(sim, 0.02, &report));
            if (pass) { // the second half in another simulation
                double *half = scenes_state(sim, &middle);
                plait_sim_free(sim);
                sim = scenes_start(scenes_pile(models[m], 3, 3, 0.3));
                CHECK_INT(plait_sim_set_state(sim, half, middle, NULL), PLAIT_OK);
                free(half);
            }
            CHECK(scenes_run(sim, end, &report));
            CHECK(report.contacts > 9);
            scenes_same_bits(sim, &reference, &size);
            plait_sim_free(sim);
        }
        free(reference);
    }
}

// A handle pushes a clamped rod down onto the ground: the contacts must see the motion that the handle gives to the rod.
CASE(held_ends_carry_the_rod_along)
{
    for (int m = 0; m < 4; m++) {
        plait_scene *scene = scenes_new(0.3);
        scenes_ground(scene);
        int handle = plait_scene_add_collider(scene, "handle", PLAIT_SHAPE_NONE);
        scene->collider[handle].motion.drives = 1;
        scene->collider[handle].motion.drive = malloc(sizeof(plait_drive));
        *scene->collider[handle].motion.drive =
            (plait_drive){.kind = PLAIT_DRIVE_LINEAR, .amplitude = {0, 0, -0.1}, .stop = INFINITY};
        scenes_rod(scene, models[m], (double[]){0, 0, 0.012}, (double[]){1, 0, 0}, 6);
        scene->fibre[0].end[0] = PLAIT_END_CLAMPED, scene->fibre[0].attach[0] = handle;
        plait_sim *sim = scenes_start(scene);
        plait_sim_report report;
        CHECK(scenes_run(sim, 0.09, &report)); // the root is 3 mm above the ground then
        int nodes = plait_sim_first_node(sim)[1];
        double *x = malloc(3 * (size_t)nodes * sizeof *x), lowest = 1;
        plait_sim_positions(sim, x);
        for (int i = 0; i < nodes; i++)
            lowest = fmin(lowest, x[3 * i + 2]);
        CHECK(report.contacts > 0);
        CHECK_NEAR(lowest, 2e-3, 2e-4);
        free(x);
        plait_sim_free(sim);
    }
}
