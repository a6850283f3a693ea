// rest.c: a scene made in memory, stepped until it is at rest: two rods fall across a third on a floor.
//
//     cc rest.c $(pkg-config --cflags --libs plait) -lm -o rest && ./rest
#include <plait/plait.h>
#include <stdio.h>

int main(void)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_new();
    plait_material rubber = plait_default_material();
    rubber.radius[0] = rubber.radius[1] = 2e-3, rubber.density = 1000, rubber.young = 2e6, rubber.damping = 5e-3;
    int material = plait_scene_add_material(scene, "rubber", &rubber, 0.5);
    int floor = plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    scene->collider[floor].material = material;
    plait_scene_add_group(scene, "rods");
    for (int i = 0; i < 3; i++) {
        double x[2][3] = {{-0.05, 0.01 * (i - 1), 0.003}, {0.05, 0.01 * (i - 1), 0.003}};
        double across[2][3] = {{0, -0.05, 0.012}, {0.01, 0.05, 0.012}};
        int fibre = plait_scene_add_fibre(scene, PLAIT_ROD_DER, material, 2, i < 2 ? x[0] : across[0]);
        scene->fibre[fibre].segments = 10;
    }
    scene->stepping.dt = 2e-3;
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_scene_free(scene); // the simulation has its own copy
    plait_sim_report report = {0};
    while (sim && plait_sim_time(sim) < 3) {
        if (plait_sim_step(sim, 3, &report, &error) || report.failed)
            break;
        if (plait_sim_time(sim) > 0.2 && report.max_speed < 1e-6)
            break;
    }
    if (error.status || report.failed)
        return fprintf(stderr, "rest: %s\n", error.status ? error.text : report.reason), 1;
    printf("at rest after %.3f s: %d contacts, fastest node %.1e m/s\n", report.time, report.contacts,
           report.max_speed);
    plait_sim_free(sim);
    return report.max_speed < 1e-6 ? 0 : 1;
}
