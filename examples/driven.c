// driven.c: a collider moved from outside: a plate carries a box away.
//
// The plate is led from pose to pose, as a controller would do it; the box rides on it by friction alone.
//
//     cc driven.c $(pkg-config --cflags --libs plait) -lm -o driven && ./driven
#include <math.h>
#include <plait/plait.h>
#include <stdio.h>

int main(void)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_new();
    plait_material wood = plait_default_material();
    int material = plait_scene_add_material(scene, "wood", &wood, 0.5);
    int plate = plait_scene_add_collider(scene, "plate", PLAIT_SHAPE_BOX);
    int box = plait_scene_add_rigid(scene, "box", PLAIT_SHAPE_BOX);
    for (int k = 0; k < 3; k++) {
        scene->collider[plate].shape.size[k] = k < 2 ? 0.5 : 0.01;
        scene->rigid[box].shape.size[k] = 0.05;
    }
    scene->collider[plate].material = scene->rigid[box].material = material;
    scene->rigid[box].density = 600;
    scene->rigid[box].position[2] = 0.06;
    scene->stepping.dt = 1e-3;
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_scene_free(scene);
    plait_sim_report report = {0};
    double x[3], q[4], upright[4] = {0, 0, 0, 1};
    // 2 m/s^2 is below mu g = 4.9 m/s^2: the box goes along, s = a t^2 / 2.
    while (sim && plait_sim_time(sim) < 0.5 - 1e-9) {
        double t = plait_sim_time(sim) + 1e-3, target[3] = {0.5 * 2 * t * t, 0, 0};
        if (plait_sim_set_collider_target(sim, plate, target, upright, t, &error) ||
            plait_sim_step(sim, t, &report, &error) || report.failed)
            break;
    }
    if (error.status || report.failed || !sim)
        return fprintf(stderr, "driven: %s\n", error.status ? error.text : report.reason), 1;
    plait_sim_rigid_pose(sim, box, x, q);
    printf("the plate went %.4f m, the box %.4f m\n", 0.5 * 2 * 0.25, x[0]);
    plait_sim_free(sim);
    return fabs(x[0] - 0.25) < 1e-3 ? 0 : 1;
}
