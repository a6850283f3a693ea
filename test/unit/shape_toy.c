// shape_toy.c: a new shape is one file and one row. This file is both: a puck (a disc as thick as a ball), which the
// library has never heard of, is read from a scene, touched, thrown and cut into triangles.
//
// The list of shape/table.c is replaced by the one below; nothing else knows.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "check.h"
#include "plait/plait.h"
#include "shape/closest.h"
#include "shape/type.h"

// ---- the row: a disc of radius size[0] in the plane z = 0, thick by size[1] all around -----------------------------

static double puck_distance(const plait_shape *shape, const double y[3], double normal[3])
{
    double rho = hypot(y[0], y[1]), scale = rho > shape->size[0] ? shape->size[0] / rho : 1;
    return plait_shape_ball(y, (double[3]){scale * y[0], scale * y[1], 0}, shape->size[1], normal);
}

static void puck_extent(const plait_shape *shape, double half[3])
{
    half[0] = half[1] = shape->size[0] + shape->size[1], half[2] = shape->size[1];
}

static void puck_support(const plait_shape *shape, plait_shape_support *s)
{
    *s = (plait_shape_support){.balls = 16, .radius = shape->size[1], .size = shape->size[1]};
    for (int k = 0; k < s->balls; k++) {
        s->ball[k][0] = shape->size[0] * cos(2 * M_PI * k / s->balls);
        s->ball[k][1] = shape->size[0] * sin(2 * M_PI * k / s->balls);
    }
}

// Of a flat disc: good enough for a toy.
static void puck_inertia(const plait_shape *shape, double density, double *mass, double moment[3])
{
    double R = shape->size[0];
    *mass = density * M_PI * R * R * 2 * shape->size[1];
    moment[0] = moment[1] = 0.25 * *mass * R * R, moment[2] = 0.5 * *mass * R * R;
}

static bool puck_mesh(const plait_shape *shape, const plait_shape_detail *d, plait_shape *m)
{
    double r[7], z[7], h = shape->size[1];
    for (int i = 0; i < 7; i++) {
        double angle = M_PI * i / 6 - M_PI / 2;
        r[i] = shape->size[0] + h * cos(angle), z[i] = h * sin(angle);
    }
    return plait_tessel_revolve(m, d->sides, 7, r, z, -h, h);
}

static const plait_shape_type puck = {.name = "puck",
                                      .keys = PLAIT_SHAPE_HAS_RADIUS | PLAIT_SHAPE_HAS_LENGTH,
                                      .sizes = 2,
                                      .distance = puck_distance,
                                      .extent = puck_extent,
                                      .support = puck_support,
                                      .inertia = puck_inertia,
                                      .mesh = puck_mesh};

const plait_shape_type *const plait_shape_types[] = {
    &plait_shape_none,
    &plait_shape_plane,
    &plait_shape_sphere,
    &plait_shape_capsule,
    &plait_shape_box,
    &plait_shape_cylinder,
    &plait_shape_curve,
    &plait_shape_mesh,
    &puck,
    &plait_shape_field,
    NULL,
};

// ---- scenes -------------------------------------------------------------------------------------------------------

static const char scene_text[] =
    "name: toy\n"
    "materials: {a: {radius: 1 mm, density: 1000, young: 10 MPa}}\n"
    "friction: {default: 0.3}\n"
    "colliders:\n"
    "  plate: {shape: puck, material: a, radius: 0.1, length: 0.04}\n"
    "  floor: {shape: plane, material: a, position: [0, 0, -0.5]}\n"
    "bodies:\n"
    "  thrown: {shape: puck, material: a, radius: 0.05, length: 0.02, position: [0, 0, -0.45]}\n"
    "fibres:\n"
    "  - {material: a, line: {from: [-0.05, 0, 0.022], direction: [1, 0, 0], length: 0.1}, segments: 8}\n"
    "step: {dt: 2 ms}\n"
    "output: {duration: 0.2, fps: 20}\n";

static plait_scene *read_scene(void)
{
    char path[] = "/tmp/plait-toy-XXXXXX";
    int file = mkstemp(path);
    CHECK(file >= 0 && write(file, scene_text, sizeof scene_text - 1) == (ssize_t)sizeof scene_text - 1);
    close(file);
    plait_error error = {0};
    plait_scene *scene = plait_scene_read(path, 0, NULL, &error);
    if (!scene)
        printf("%s\n", error.text);
    CHECK(scene != NULL);
    unlink(path);
    return scene;
}

CASE(row)
{
    CHECK_INT(plait_shape_count(), 10);
    plait_shape s = {.kind = plait_shape_find("puck"), .size = {2, 0.5}};
    CHECK(strcmp(plait_shape_name((int)s.kind), "puck") == 0);
    double n[3], a, t;
    CHECK_REL(plait_shape_distance(&s, (double[3]){3, 0, 0}, n), 0.5, 1e-15);
    CHECK_REL(plait_shape_distance(&s, (double[3]){0, 1, 2}, n), 1.5, 1e-15);
    // a segment over its edge, and a ray onto its face
    CHECK_REL(plait_shape_segment(&s, (double[3]){3, -1, 0}, (double[3]){3, 2, 0}, &a, n), 0.5, 1e-12);
    CHECK_REL(a, 1.0 / 3, 1e-6);
    CHECK(plait_shape_ray(&s, (double[3]){1, 0, 4}, (double[3]){0, 0, -1}, 10, &t, n));
    CHECK_REL(t, 3.5, 1e-12);
    CHECK(!plait_shape_ray(&s, (double[3]){4, 0, 4}, (double[3]){0, 0, -1}, 10, &t, n));
    plait_shape m;
    CHECK(plait_shape_to_mesh(&s, NULL, &m));
    for (int i = 0; i < m.points - 2; i++) // all corners lie on the surface
        CHECK(fabs(plait_shape_distance(&s, m.point + 3 * i, n)) < 1e-12);
    free(m.point), free(m.triangle);
}

CASE(simulated)
{
    plait_scene *scene = read_scene();
    if (!scene)
        return;
    plait_error error = {0};
    CHECK_INT((int)scene->collider[0].shape.kind, (int)plait_shape_find("puck"));
    CHECK_REL(scene->collider[0].shape.size[1], 0.02, 1e-15);
    plait_sim *sim = plait_sim_new(scene, &error);
    CHECK(sim != NULL);
    plait_sim_report report;
    for (int i = 0; sim && i < 150; i++)
        CHECK_INT(plait_sim_step(sim, INFINITY, &report, &error), PLAIT_OK);
    if (sim) { // the fibre lies on the plate, the thrown one on the floor
        double x[27];
        plait_sim_positions(sim, x);
        for (int i = 0; i < 9; i++)
            CHECK_NEAR(x[3 * i + 2], 0.021, 2e-4);
        double place[3], q[4];
        plait_sim_rigid_pose(sim, 0, place, q);
        CHECK_NEAR(place[2], -0.49, 1e-3);
    }
    plait_sim_free(sim);
    plait_scene_free(scene);
}
