// cells.c: shapes that are made of points: polylines with a radius, and triangle meshes.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "shape/closest.h"
#include "shape/type.h"

// ---- curves --------------------------------------------------------------------------------------------------------

static double curve_distance(const plait_shape *shape, const double y[3], double normal[3])
{
    double best = INFINITY;
    plait_vec3_set(normal, 0, 0, 1);
    for (int i = 0; i + 1 < shape->points; i++) {
        const double *p = shape->point + 3 * (size_t)i;
        double c[3], n[3];
        plait_lerp(p, p + 3, plait_closest_on_segment(y, p, p + 3), c);
        double d = plait_shape_ball(y, c, shape->size[0], n);
        if (d < best) {
            best = d;
            plait_vec3_copy(n, normal);
        }
    }
    return best;
}

static void tangent_at(const plait_shape *s, int i, const double before[3], double t[3])
{
    int from = i > 0 ? i - 1 : 0, to = i + 1 < s->points ? i + 1 : i;
    plait_vec3_sub(s->point + 3 * (size_t)to, s->point + 3 * (size_t)from, t);
    if (plait_vec3_normalise(t) < 1e-300)
        plait_vec3_copy(before, t);
}

// A tube whose rings are carried along without twist.
static bool curve_mesh(const plait_shape *s, const plait_shape_detail *detail, plait_shape *m)
{
    int sides = detail->sides * 3 / 8 < 3 ? 3 : detail->sides * 3 / 8;
    if (s->points < 2)
        return true;
    if (!plait_tessel_reserve(m, s->points * sides + 2, 2 * s->points * sides))
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
        for (int k = 0; k < sides; k++) {
            double c = s->size[0] * plait_cos(2 * M_PI * k / sides), d = s->size[0] * plait_sin(2 * M_PI * k / sides);
            plait_tessel_point(m, p[0] + c * a[0] + d * b[0], p[1] + c * a[1] + d * b[1], p[2] + c * a[2] + d * b[2]);
        }
        if (i > 0)
            plait_tessel_belt(m, (i - 1) * sides, i * sides, sides);
    }
    const double *first = s->point, *last = s->point + 3 * (size_t)(s->points - 1);
    plait_tessel_point(m, first[0], first[1], first[2]);
    plait_tessel_point(m, last[0], last[1], last[2]);
    plait_tessel_cap(m, s->points * sides, 0, sides, false);
    plait_tessel_cap(m, s->points * sides + 1, (s->points - 1) * sides, sides, true);
    return true;
}

const plait_shape_type plait_shape_curve = {.name = "curve",
                                            .keys = PLAIT_SHAPE_HAS_RADIUS | PLAIT_SHAPE_HAS_POINTS,
                                            .sizes = 1,
                                            .cells = 1,
                                            .distance = curve_distance,
                                            .mesh = curve_mesh};

// ---- meshes --------------------------------------------------------------------------------------------------------

static bool mesh_mesh(const plait_shape *s, const plait_shape_detail *detail, plait_shape *m)
{
    (void)detail;
    if (!plait_tessel_reserve(m, s->points, s->triangles))
        return false;
    m->points = s->points, m->triangles = s->triangles;
    m->closed = s->closed;
    memcpy(m->point, s->point, 3 * (size_t)s->points * sizeof *m->point);
    memcpy(m->triangle, s->triangle, 3 * (size_t)s->triangles * sizeof *m->triangle);
    return true;
}

// One triangle (Moeller and Trumbore 1997): x + t d = a + v e0 + w e1.
static bool ray_triangle(const double *const corner[3], const double x[3], const double d[3], double *t,
                         double normal[3])
{
    double e0[3], e1[3], from[3], p[3], q[3];
    plait_vec3_sub(corner[1], corner[0], e0), plait_vec3_sub(corner[2], corner[0], e1);
    plait_vec3_sub(x, corner[0], from);
    plait_vec3_cross(d, e1, p), plait_vec3_cross(from, e0, q);
    double det = plait_vec3_dot(e0, p);
    if (!(fabs(det) > 0))
        return false;
    double v = plait_vec3_dot(from, p) / det, w = plait_vec3_dot(d, q) / det;
    *t = plait_vec3_dot(e1, q) / det;
    plait_vec3_cross(e0, e1, normal);
    return v >= 0 && w >= 0 && v + w <= 1 && *t >= 0 && plait_vec3_normalise(normal) > 0;
}

static bool mesh_ray(const plait_shape *s, const double x[3], const double direction[3], double far, double *t,
                     double normal[3])
{
    bool found = false;
    *t = far;
    for (int i = 0; i < s->triangles; i++) {
        const int *c = s->triangle + 3 * (size_t)i;
        const double *corner[3] = {s->point + 3 * (size_t)c[0], s->point + 3 * (size_t)c[1],
                                   s->point + 3 * (size_t)c[2]};
        double at, n[3];
        if (ray_triangle(corner, x, direction, &at, n) && at <= *t) {
            found = true, *t = at;
            plait_vec3_copy(n, normal);
        }
    }
    return found;
}

const plait_shape_type plait_shape_mesh = {
    .name = "mesh", .keys = PLAIT_SHAPE_HAS_FILE, .cells = 2, .mesh = mesh_mesh, .ray = mesh_ray};
