// sim_rigid_mesh.c: rigid bodies that are closed triangle meshes: they rest on planes, on each other, carry balls and
// fibres, and do not fall through.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plait/plait.h"
#include "sim/sim.h"

static const int faces[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                              2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static plait_scene *make(void)
{
    plait_scene *s = plait_scene_new();
    plait_material rod = plait_default_material();
    rod.radius[0] = rod.radius[1] = 1e-3;
    plait_scene_add_material(s, "a", &rod, 0.4);
    plait_scene_add_collider(s, "floor", PLAIT_SHAPE_PLANE);
    s->stepping.dt = 2e-3;
    return s;
}

// A cube of 0.1 m with its origin in a corner: the centre of mass is not where the mesh is placed.
static int add_cube(plait_scene *s, double x, double y, double z)
{
    int i = plait_scene_add_rigid(s, "cube", PLAIT_SHAPE_MESH);
    plait_shape *m = &s->rigid[i].shape;
    m->points = 8, m->triangles = 12, m->closed = true;
    m->point = malloc(24 * sizeof *m->point), m->triangle = malloc(sizeof faces);
    memcpy(m->triangle, faces, sizeof faces);
    for (int k = 0; k < 8; k++)
        for (int n = 0; n < 3; n++)
            m->point[3 * k + n] = 0.1 * (k >> n & 1);
    s->rigid[i].density = 1000;
    s->rigid[i].position[0] = x, s->rigid[i].position[1] = y, s->rigid[i].position[2] = z;
    return i;
}

static plait_sim *run(const plait_scene *s, int steps, plait_sim_report *report)
{
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(s, &error);
    CHECK(sim != NULL);
    for (int i = 0; sim && i < steps; i++) {
        CHECK_INT(plait_sim_step(sim, INFINITY, report, &error), PLAIT_OK);
        CHECK(!report->failed && report->converged);
    }
    return sim;
}

CASE(stack)
{
    plait_scene *s = make();
    add_cube(s, 0, 0, 0.01), add_cube(s, 0.013, 0.007, 0.12);
    int ball = plait_scene_add_rigid(s, "ball", PLAIT_SHAPE_CAPSULE);
    s->rigid[ball].shape.size[0] = 0.02, s->rigid[ball].shape.size[1] = 0.02;
    s->rigid[ball].density = 1000;
    s->rigid[ball].rotation[0] = M_PI / 2; // lies along y
    s->rigid[ball].position[0] = s->rigid[ball].position[1] = 0.06, s->rigid[ball].position[2] = 0.26;
    plait_sim_report report;
    plait_sim *sim = run(s, 400, &report);
    double x[3], q[4];
    plait_sim_rigid_pose(sim, 0, x, q);
    CHECK_NEAR(x[2], 0, 1e-4);
    plait_sim_rigid_pose(sim, 1, x, q);
    CHECK_NEAR(x[2], 0.1, 2e-4);
    CHECK_NEAR(x[0], 0.013, 1e-3);
    plait_sim_rigid_pose(sim, ball, x, q);
    CHECK_NEAR(x[2], 0.22, 3e-4);
    CHECK(report.kinetic < 1e-6);
    plait_sim_free(sim);
    plait_scene_free(s);
}

// A cube slides down no slope that is flatter than its friction, and does down a steeper one: as a box does.
CASE(slope)
{
    for (int steep = 0; steep < 2; steep++) {
        double x[2][3], q[4], angle = atan(steep ? 0.6 : 0.3);
        plait_scene *s = make();
        add_cube(s, -0.05, -0.05, 0);
        int box = plait_scene_add_rigid(s, "box", PLAIT_SHAPE_BOX);
        s->rigid[box].shape.size[0] = s->rigid[box].shape.size[1] = s->rigid[box].shape.size[2] = 0.05;
        s->rigid[box].density = 1000;
        s->rigid[box].position[1] = 0.5, s->rigid[box].position[2] = 0.05;
        s->gravity[0] = 9.81 * sin(angle), s->gravity[2] = -9.81 * cos(angle);
        plait_sim_report report;
        plait_sim *sim = run(s, 100, &report);
        plait_sim_rigid_pose(sim, 0, x[0], q);
        plait_sim_rigid_pose(sim, 1, x[1], q);
        CHECK_NEAR(x[0][0] + 0.05, x[1][0], 1e-5);
        CHECK(steep ? x[1][0] > 0.01 : fabs(x[1][0]) < 1e-5);
        plait_sim_free(sim);
        plait_scene_free(s);
    }
}

// Fast, in one step: continuous detection; and a fibre that a cube falls on.
CASE(fast_and_fibre)
{
    plait_scene *s = make();
    int cube = add_cube(s, 0, 0, 0.3);
    s->rigid[cube].velocity[2] = -100; // 0.2 m per step
    plait_sim_report report;
    plait_sim *sim = run(s, 5, &report);
    double x[3], q[4];
    plait_sim_rigid_pose(sim, cube, x, q);
    CHECK(x[2] > -0.01);
    plait_sim_free(sim);
    plait_scene_free(s);
    s = make();
    add_cube(s, 0, 0, 0.01);
    double line[6] = {-0.05, 0.05, 0.002, 0.15, 0.05, 0.002};
    int fibre = plait_scene_add_fibre(s, PLAIT_ROD_DER, 0, 2, line);
    s->fibre[fibre].segments = 10;
    sim = run(s, 200, &report);
    plait_sim_rigid_pose(sim, 0, x, q);
    CHECK(x[2] > -0.001 && x[2] < 0.003);
    double nodes[33];
    plait_sim_positions(sim, nodes);
    for (int i = 0; i < 11; i++)
        CHECK(nodes[3 * i + 2] > 5e-4 && nodes[3 * i + 2] < 4e-3);
    plait_sim_free(sim);
    plait_scene_free(s);
}

CASE(refused)
{
    plait_scene *s = make();
    plait_error error = {0};
    int cube = add_cube(s, 0, 0, 0);
    s->rigid[cube].shape.closed = false;
    CHECK_INT(plait_scene_check(s, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "must be closed") != NULL);
    plait_scene_free(s);
}

// How fine a body is: a tenth of the radius of a ball, and about that of the ball with its volume for a mesh.
CASE(fineness)
{
    plait_scene *s = make();
    add_cube(s, 0, 0, 1);
    int ball = plait_scene_add_rigid(s, "ball", PLAIT_SHAPE_SPHERE);
    s->rigid[ball].shape.size[0] = 0.1 * cbrt(3 / (4 * M_PI)), s->rigid[ball].density = 1000;
    s->rigid[ball].position[2] = 3;
    plait_sim *sim = plait_sim_new(s, NULL);
    if (CHECK(sim != NULL)) {
        const plait_model *m = &sim->model;
        double fine[2] = {0};
        for (int b = 0, k = 0; b < m->bodies && k < 2; b++)
            if (m->kind[b]->partner == PLAIT_PARTNER_RIGID)
                fine[k++] = m->body[b].fine;
        CHECK_REL(fine[0], fine[1], 0.02);
    }
    plait_sim_free(sim), plait_scene_free(s);
}
