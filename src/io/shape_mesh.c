// shape_mesh.c: the surfaces of colliders and rigid bodies as triangles, for formats that know nothing else.
//
// Round shapes are surfaces of revolution about z: rings of SIDES points, poles as single points. A curve becomes a
// tube whose rings are carried along without twist.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/export.h"
#include "math/quat.h"
#include "math/vec3.h"

enum { SIDES = 32, BELTS = 16, TUBE = 12 };
static const double PI = 3.14159265358979323846;

static bool reserve(plait_shape *m, int points, int triangles)
{
    m->kind = PLAIT_SHAPE_MESH;
    m->point = malloc(3 * (size_t)points * sizeof *m->point + 1);
    m->triangle = malloc(3 * (size_t)triangles * sizeof *m->triangle + 1);
    if (m->point && m->triangle)
        return true;
    free(m->point);
    free(m->triangle);
    *m = (plait_shape){0};
    return false;
}

static void add_point(plait_shape *m, double x, double y, double z)
{
    plait_vec3_set(m->point + 3 * (size_t)m->points++, x, y, z);
}

static void add_triangle(plait_shape *m, int i, int j, int k)
{
    int *t = m->triangle + 3 * (size_t)m->triangles++;
    t[0] = i, t[1] = j, t[2] = k;
}

// Triangles between ring a and ring b of `sides` points each, b above a, seen from outside.
static void add_belt(plait_shape *m, int a, int b, int sides)
{
    for (int i = 0; i < sides; i++) {
        int j = (i + 1) % sides;
        add_triangle(m, a + i, a + j, b + j);
        add_triangle(m, a + i, b + j, b + i);
    }
}

static void add_cap(plait_shape *m, int pole, int ring, int sides, bool top)
{
    for (int i = 0; i < sides; i++) {
        int j = (i + 1) % sides;
        add_triangle(m, pole, ring + (top ? i : j), ring + (top ? j : i));
    }
}

// Rings (radius[i], height[i]) from bottom to top between two poles.
static bool revolve(plait_shape *m, int rings, const double *radius, const double *height, double low, double high)
{
    if (!reserve(m, rings * SIDES + 2, 2 * rings * SIDES))
        return false;
    for (int r = 0; r < rings; r++)
        for (int i = 0; i < SIDES; i++)
            add_point(m, radius[r] * cos(2 * PI * i / SIDES), radius[r] * sin(2 * PI * i / SIDES), height[r]);
    add_point(m, 0, 0, low);
    add_point(m, 0, 0, high);
    for (int r = 0; r + 1 < rings; r++)
        add_belt(m, r * SIDES, (r + 1) * SIDES, SIDES);
    add_cap(m, rings * SIDES, 0, SIDES, false);
    add_cap(m, rings * SIDES + 1, (rings - 1) * SIDES, SIDES, true);
    return true;
}

// A sphere cut in two halves `half` above and below the middle.
static bool make_capsule(plait_shape *m, double radius, double half)
{
    double r[BELTS], z[BELTS];
    int rings = 0;
    for (int i = 1; i < BELTS; i++) {
        double angle = PI * i / BELTS - PI / 2;
        r[rings] = radius * cos(angle);
        z[rings++] = radius * sin(angle) + (i < BELTS / 2 ? -half : half);
        if (i == BELTS / 2) { // the equator is there twice
            z[rings - 1] = -half;
            r[rings] = radius;
            z[rings++] = half;
        }
    }
    return revolve(m, rings, r, z, -half - radius, half + radius);
}

static bool make_sphere(plait_shape *m, double radius)
{
    double r[BELTS], z[BELTS];
    for (int i = 1; i < BELTS; i++) {
        r[i - 1] = radius * sin(PI * i / BELTS);
        z[i - 1] = -radius * cos(PI * i / BELTS);
    }
    return revolve(m, BELTS - 1, r, z, -radius, radius);
}

static bool make_box(plait_shape *m, const double half[3])
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    if (!reserve(m, 8, 12))
        return false;
    for (int i = 0; i < 8; i++)
        add_point(m, i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]);
    for (int i = 0; i < 12; i++)
        add_triangle(m, faces[i][0], faces[i][1], faces[i][2]);
    return true;
}

static bool make_plane(plait_shape *m, const double centre[3], double half)
{
    if (!reserve(m, 4, 2))
        return false;
    for (int i = 0; i < 4; i++)
        add_point(m, centre[0] + (i == 1 || i == 2 ? half : -half), centre[1] + (i >= 2 ? half : -half), 0);
    add_triangle(m, 0, 1, 2);
    add_triangle(m, 0, 2, 3);
    return true;
}

static void tangent_at(const plait_shape *s, int i, const double before[3], double t[3])
{
    int from = i > 0 ? i - 1 : 0, to = i + 1 < s->points ? i + 1 : i;
    plait_vec3_sub(s->point + 3 * (size_t)to, s->point + 3 * (size_t)from, t);
    if (plait_vec3_normalise(t) < 1e-300)
        plait_vec3_copy(before, t);
}

static bool make_tube(plait_shape *m, const plait_shape *s)
{
    if (s->points < 2)
        return true;
    if (!reserve(m, s->points * TUBE + 2, 2 * s->points * TUBE))
        return false;
    double t[3] = {0, 0, 1}, a[3], b[3], before[3];
    for (int i = 0; i < s->points; i++) {
        const double *p = s->point + 3 * (size_t)i;
        plait_vec3_copy(t, before);
        tangent_at(s, i, before, t);
        if (i == 0) {
            plait_vec3_any_normal(t, a);
        } else {
            double carried[3];
            plait_vec3_transport(before, t, a, carried);
            plait_vec3_copy(carried, a);
        }
        plait_vec3_cross(t, a, b);
        for (int k = 0; k < TUBE; k++) {
            double c = s->size[0] * cos(2 * PI * k / TUBE), d = s->size[0] * sin(2 * PI * k / TUBE);
            add_point(m, p[0] + c * a[0] + d * b[0], p[1] + c * a[1] + d * b[1], p[2] + c * a[2] + d * b[2]);
        }
        if (i > 0)
            add_belt(m, (i - 1) * TUBE, i * TUBE, TUBE);
    }
    const double *first = s->point, *last = s->point + 3 * (size_t)(s->points - 1);
    add_point(m, first[0], first[1], first[2]);
    add_point(m, last[0], last[1], last[2]);
    add_cap(m, s->points * TUBE, 0, TUBE, false);
    add_cap(m, s->points * TUBE + 1, (s->points - 1) * TUBE, TUBE, true);
    return true;
}

bool plait_shape_to_mesh(const plait_shape *s, const double centre[3], double half, plait_shape *m)
{
    *m = (plait_shape){0};
    switch (s->kind) {
    case PLAIT_SHAPE_NONE:
        return true;
    case PLAIT_SHAPE_PLANE:
        return make_plane(m, centre, half);
    case PLAIT_SHAPE_SPHERE:
        return make_sphere(m, s->size[0]);
    case PLAIT_SHAPE_CAPSULE:
        return make_capsule(m, s->size[0], s->size[1]);
    case PLAIT_SHAPE_BOX:
        return make_box(m, s->size);
    case PLAIT_SHAPE_CYLINDER:
        return revolve(m, 2, (double[]){s->size[0], s->size[0]}, (double[]){-s->size[1], s->size[1]}, -s->size[1],
                       s->size[1]);
    case PLAIT_SHAPE_CURVE:
        return make_tube(m, s);
    case PLAIT_SHAPE_MESH:
        if (!reserve(m, s->points, s->triangles))
            return false;
        m->points = s->points, m->triangles = s->triangles;
        memcpy(m->point, s->point, 3 * (size_t)s->points * sizeof *m->point);
        memcpy(m->triangle, s->triangle, 3 * (size_t)s->triangles * sizeof *m->triangle);
        return true;
    }
    return true;
}

// ---- of a trajectory ---------------------------------------------------------------------------------------------

const double *plait_export_pose(const plait_exporter *e, bool rigid, int index)
{
    return (rigid ? e->frame->rigid_pose : e->frame->collider_pose) + 7 * (size_t)index;
}

void plait_export_bodies_free(plait_export_body *bodies, int count)
{
    for (int i = 0; bodies && i < count; i++) {
        free(bodies[i].mesh.point);
        free(bodies[i].mesh.triangle);
    }
    free(bodies);
}

plait_export_body *plait_export_bodies(plait_exporter *e, int *count)
{
    const plait_trajectory_info *info = e->info;
    int all = info->colliders + info->rigids;
    plait_export_body *bodies = calloc((size_t)all + 1, sizeof *bodies);
    double low[3], high[3], middle[3], size[3];
    plait_export_box(e, low, high);
    for (int c = 0; c < 3; c++)
        middle[c] = 0.5 * (low[c] + high[c]);
    plait_vec3_sub(high, low, size);
    double half = 1.5 * plait_vec3_norm(size);
    bool ok = bodies != NULL;
    *count = all;
    for (int i = 0; ok && i < all; i++) {
        bool rigid = i >= info->colliders;
        int index = rigid ? i - info->colliders : i;
        bodies[i] = (plait_export_body){
            .body = rigid ? &info->rigid[index] : &info->collider[index], .index = index, .rigid = rigid};
        const double *pose = plait_export_pose(e, rigid, index);
        double R[9], d[3], local[3];
        plait_vec3_sub(middle, pose, d);
        plait_quat_matrix(pose + 3, R);
        plait_mat3_apply_transposed(R, d, local);
        ok = plait_shape_to_mesh(&bodies[i].body->shape, local, half > 0 ? half : 1, &bodies[i].mesh);
    }
    if (ok)
        return bodies;
    plait_export_bodies_free(bodies, all);
    plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    return NULL;
}

void plait_export_vertex(const plait_exporter *e, const plait_export_body *b, int i, double x[3])
{
    const double *pose = plait_export_pose(e, b->rigid, b->index), *at = b->mesh.point + 3 * (size_t)i;
    double R[9];
    if (!b->rigid && b->body->animated && e->frame->vertex[b->index])
        at = e->frame->vertex[b->index] + 3 * (size_t)i;
    plait_quat_matrix(pose + 3, R);
    plait_mat3_apply(R, at, x);
    for (int c = 0; c < 3; c++)
        x[c] += pose[c];
}
