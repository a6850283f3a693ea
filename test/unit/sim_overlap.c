// Overlaps: what falls into each other is kept apart, and what overlaps is pushed out, without kinetic energy.
#include "sim_scenes.h"

// Hair held at its upper end, packed in a triangular grid, falls sideways against a bar.
static plait_scene *bundle(int side, double dt)
{
    plait_scene *scene = scenes_new(0.3);
    const double r = 50e-6;
    plait_material *m = &scene->material[0].rod;
    *m = (plait_material){.radius = {r}, .density = 1320, .young = 3.9e9, .poisson = 0.36};
    scene->gravity[0] = 4.905, scene->gravity[2] = -8.496;
    for (int i = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            double x = (i + 0.5 * j) * 2.2 * r, y = j * 0.866 * 2.2 * r;
            const double point[6] = {x, y, 0, 1.1 * x, 1.1 * y, -0.1};
            int k = plait_scene_add_fibre(scene, PLAIT_ROD_DER, 0, 2, point);
            scene->fibre[k].segments = 16, scene->fibre[k].end[0] = PLAIT_END_CLAMPED;
        }
    int bar = plait_scene_add_collider(scene, "bar", PLAIT_SHAPE_CAPSULE);
    scene->collider[bar].shape.size[0] = 1e-4, scene->collider[bar].shape.size[1] = 0.02;
    scene->collider[bar].rotation[0] = M_PI / 2;
    scene->collider[bar].position[0] = 2e-3, scene->collider[bar].position[2] = -0.05;
    scene->stepping.dt = dt, scene->stepping.dt_min = dt / 256, scene->stepping.adaptive = false;
    scene->stepping.solve.tol = 1e-6;
    return scene;
}

CASE(a_bundle_falls_on_a_bar)
{
    plait_sim *sim = scenes_start(bundle(4, 2e-3));
    plait_sim_report report = {0};
    double hit = -1, worst = 0, late = 0;
    while (plait_sim_time(sim) < 0.045) {
        CHECK(scenes_run(sim, plait_sim_time(sim) + 2e-3, &report));
        bool touches = false;
        for (int i = 0; i < plait_sim_contacts(sim); i++) {
            plait_sim_contact c;
            plait_sim_contact_get(sim, i, &c);
            touches |= c.kind[1] == PLAIT_PARTNER_COLLIDER;
        }
        if (hit < 0 && touches)
            hit = plait_sim_time(sim);
        worst = fmax(worst, report.overlap);
        if (hit > 0 && plait_sim_time(sim) > hit + 5e-3)
            late = fmax(late, report.overlap);
    }
    printf("  hits at %g s; overlap %.3g of the diameter, from 5 ms later on %.3g\n", hit, worst, late);
    CHECK(hit > 0);
    CHECK(worst < 0.031); // of what is left at the end of a step, in the impact too
    CHECK(late < 0.031);
    plait_sim_free(sim);
}

// Two rods that begin in each other by half of their diameter are apart after some steps. Nothing else moves them: they gain no speed.
CASE(rods_that_begin_in_each_other)
{
    plait_scene *scene = scenes_new(0.3);
    memset(scene->gravity, 0, sizeof scene->gravity);
    for (int i = 0; i < 2; i++)
        scenes_rod(scene, PLAIT_ROD_DER, (double[]){0, 0, 2e-3 * i}, (double[]){1, 0, 0}, 10);
    scene->material[0].rod.damping = 0;
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report = {0};
    CHECK(scenes_run(sim, 1e-3, &report));
    CHECK_NEAR(report.overlap, 0.45, 0.04); // half, and then what one step may push
    CHECK(scenes_run(sim, 20e-3, &report));
    CHECK(report.overlap < 0.05);
    printf("  kinetic energy %.2g J\n", report.kinetic);
    CHECK(report.kinetic < 1e-8); // they were pushed at up to 0.1 m/s, which would be 1e-5 J
    plait_sim_free(sim);
}
