// reactions.c: forces in, reactions out: a box on a floor is pushed by a growing force until it slides, at mu m g.
//
//     cc reactions.c $(pkg-config --cflags --libs plait) -lm -o reactions && ./reactions
#include <math.h>
#include <plait/plait.h>
#include <stdio.h>

int main(void)
{
    const double mu = 0.4, density = 500, side = 0.1, none[3] = {0, 0, 0};
    plait_error error = {0};
    plait_scene *scene = plait_scene_new();
    plait_material wood = plait_default_material();
    int material = plait_scene_add_material(scene, "wood", &wood, mu);
    int floor = plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    int box = plait_scene_add_rigid(scene, "box", PLAIT_SHAPE_BOX);
    scene->collider[floor].material = scene->rigid[box].material = material;
    scene->rigid[box].density = density;
    for (int k = 0; k < 3; k++)
        scene->rigid[box].shape.size[k] = side / 2;
    scene->rigid[box].position[2] = side / 2;
    scene->stepping.dt = 1e-3;
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_scene_free(scene);
    double weight = density * side * side * side * 9.81, slid = 0;
    for (int i = 1; sim && i <= 1000 && slid == 0; i++) {
        double force[3] = {i * 1e-3 * weight, 0, 0}, reaction[3], couple[3], v[3], spin[3];
        plait_sim_report report;
        if (plait_sim_set_rigid_force(sim, box, force, none, &error) ||
            plait_sim_step(sim, INFINITY, &report, &error) || report.failed ||
            plait_sim_get_reaction(sim, PLAIT_PARTNER_COLLIDER, floor, none, reaction, couple, &error))
            break;
        plait_sim_rigid_velocity(sim, box, v, spin);
        if (i % 100 == 0)
            printf("pushed by %.3f N: the floor gets %.4f N along, %.4f N down\n", force[0], reaction[0], -reaction[2]);
        if (v[0] > 1e-5)
            slid = force[0];
    }
    if (!sim || error.status)
        return fprintf(stderr, "reactions: %s\n", error.text), 1;
    printf("it slides at %.4f N; mu m g = %.4f N\n", slid, mu * weight);
    plait_sim_free(sim);
    return fabs(slid - mu * weight) < 3e-3 * weight ? 0 : 1;
}
