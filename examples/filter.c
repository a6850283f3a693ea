// filter.c: a program's own filter of contacts: one of two boxes falls through the table, the other does not.
//
//     cc filter.c $(pkg-config --cflags --libs plait) -lm -o filter && ./filter
#include <plait/plait.h>
#include <stdio.h>

static bool not_the_ghost(const plait_sim_contact *contact, void *data)
{
    int ghost = *(const int *)data;
    for (int k = 0; k < 2; k++)
        if (contact->kind[k] == PLAIT_PARTNER_RIGID && contact->index[k] == ghost)
            return false;
    return true;
}

int main(void)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_new();
    plait_material wood = plait_default_material();
    int material = plait_scene_add_material(scene, "wood", &wood, 0.3), ghost = 1;
    int table = plait_scene_add_collider(scene, "table", PLAIT_SHAPE_PLANE);
    scene->collider[table].material = material;
    for (int i = 0; i < 2; i++) {
        int box = plait_scene_add_rigid(scene, i ? "ghost" : "box", PLAIT_SHAPE_BOX);
        for (int k = 0; k < 3; k++)
            scene->rigid[box].shape.size[k] = 0.05;
        scene->rigid[box].density = 500, scene->rigid[box].material = material;
        scene->rigid[box].position[0] = 0.5 * i, scene->rigid[box].position[2] = 0.06;
    }
    scene->stepping.dt = 2e-3;
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_scene_free(scene);
    plait_sim_hooks hooks = {.size = sizeof hooks, .filter = not_the_ghost, .data = &ghost};
    plait_sim_report report = {0};
    if (!sim || plait_sim_set_hooks(sim, &hooks, &error))
        return fprintf(stderr, "filter: %s\n", error.text), 1;
    while (plait_sim_time(sim) < 0.5)
        if (plait_sim_step(sim, 0.5, &report, &error) || report.failed)
            return fprintf(stderr, "filter: %s\n", error.status ? error.text : report.reason), 1;
    double x[2][3], q[4];
    for (int i = 0; i < 2; i++)
        plait_sim_rigid_pose(sim, i, x[i], q);
    printf("the box is at z = %.4f m, the ghost at %.4f m\n", x[0][2], x[1][2]);
    plait_sim_free(sim);
    return x[0][2] > 0.0499 && x[1][2] < -1 ? 0 : 1;
}
