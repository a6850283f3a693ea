// user_shape.c: a shape that only this program knows, by its signed distance: a rod comes to rest in a trough.
//
//     cc user_shape.c $(pkg-config --cflags --libs plait) -lm -o user_shape && ./user_shape
#include <math.h>
#include <plait/plait.h>
#include <stdio.h>

// Everything outside of a tube of radius R along y is solid: a trough for what lies in it. Not convex.
static double trough(const double x[3], double normal[3], void *data)
{
    double R = *(const double *)data, rho = hypot(x[0], x[2]);
    normal[0] = rho > 0 ? -x[0] / rho : 0, normal[1] = 0, normal[2] = rho > 0 ? -x[2] / rho : 1;
    return R - rho;
}

int main(void)
{
    double R = 0.05, ends[2][3] = {{0.02, -0.05, -0.03}, {0.02, 0.05, -0.03}};
    plait_error error = {0};
    plait_scene *scene = plait_scene_new();
    plait_material rubber = plait_default_material();
    rubber.radius[0] = rubber.radius[1] = 1e-3, rubber.density = 1000, rubber.young = 1e7, rubber.damping = 5e-3;
    rubber.drag = 2;
    int material = plait_scene_add_material(scene, "rubber", &rubber, 0);
    int solid = plait_scene_add_collider(scene, "trough", PLAIT_SHAPE_FIELD);
    plait_shape *shape = &scene->collider[solid].shape;
    shape->size[0] = shape->size[1] = shape->size[2] = 0.2;
    shape->field = trough, shape->data = &R;
    scene->collider[solid].material = material;
    plait_scene_add_group(scene, "rod");
    int fibre = plait_scene_add_fibre(scene, PLAIT_ROD_DER, material, 2, ends[0]);
    scene->fibre[fibre].segments = 8;
    scene->stepping.dt = 2e-3;
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_scene_free(scene);
    plait_sim_report report = {0};
    while (sim && plait_sim_time(sim) < 6)
        if (plait_sim_step(sim, 6, &report, &error) || report.failed)
            break;
    plait_sim_nodes nodes = {.size = sizeof nodes};
    if (!sim || error.status || report.failed || plait_sim_view_nodes(sim, &nodes, &error))
        return fprintf(stderr, "user_shape: %s\n", error.status ? error.text : report.reason), 1;
    double low = 0;
    for (int i = 0; i < nodes.nodes; i++)
        low = fmin(low, nodes.x[3 * i + 2]);
    printf("the rod lies at z = %.5f m, the bottom is at %.5f m\n", low, 1e-3 - R);
    plait_sim_free(sim);
    return fabs(low - (1e-3 - R)) < 1e-4 ? 0 : 1;
}
