// shape.c: what is asked of any shape, answered by its row.
#include <math.h>
#include <string.h>

#include "shape/closest.h"
#include "shape/type.h"

int plait_shape_count(void)
{
    int count = 0;
    while (plait_shape_types[count])
        count++;
    return count;
}

const char *plait_shape_name(int kind)
{
    return kind >= 0 && kind < plait_shape_count() ? plait_shape_types[kind]->name : NULL;
}

plait_shape_kind plait_shape_find(const char *name)
{
    int i = 0;
    while (plait_shape_types[i] && strcmp(plait_shape_types[i]->name, name) != 0)
        i++;
    return (plait_shape_kind)i;
}

double plait_shape_distance(const plait_shape *shape, const double y[3], double normal[3])
{
    const plait_shape_type *type = plait_shape_type_of(shape);
    if (type->distance)
        return type->distance(shape, y, normal);
    plait_vec3_set(normal, 0, 0, 1);
    return INFINITY;
}

double plait_shape_ball(const double y[3], const double c[3], double radius, double normal[3])
{
    plait_vec3_sub(y, c, normal);
    double distance = plait_vec3_normalise(normal);
    if (!(distance > 0))
        plait_vec3_set(normal, 0, 0, 1);
    return distance - radius;
}

static double mesh_patch(const plait_shape *shape)
{
    double sum = 0;
    for (int i = 0; i < shape->triangles; i++) {
        const int *t = shape->triangle + 3 * (size_t)i;
        double e[3], f[3], n[3];
        plait_vec3_sub(shape->point + 3 * (size_t)t[1], shape->point + 3 * (size_t)t[0], e);
        plait_vec3_sub(shape->point + 3 * (size_t)t[2], shape->point + 3 * (size_t)t[0], f);
        plait_vec3_cross(e, f, n);
        sum += 0.5 * plait_vec3_norm(n);
    }
    return shape->points > 0 ? sum / shape->points : INFINITY;
}

double plait_shape_patch(const plait_shape *shape, const double normal[3], double near)
{
    const plait_shape_type *type = plait_shape_type_of(shape);
    if (type->patch)
        return type->patch(shape, normal);
    if (type->cells == 2)
        return mesh_patch(shape);
    if (type->flat || type->cells == 1 || !type->distance || type->program)
        return INFINITY;
    return 2 * M_PI * shape->size[0] * near; // of a cap of this height
}

// ---- along a segment -----------------------------------------------------------------------------------------------

static double slope_at(const plait_shape *shape, const double y0[3], const double y1[3], const double u[3], double a)
{
    double y[3], normal[3];
    plait_lerp(y0, y1, a, y);
    plait_shape_distance(shape, y, normal);
    return plait_vec3_dot(normal, u);
}

// The slope of a convex function grows: bisection to where it stops being negative, and to where it begins to be
// positive. Between the two the distance is flat.
static double follow_slope(const plait_shape *shape, const double y0[3], const double y1[3])
{
    enum { STEPS = 45 };
    double u[3], edge[2];
    plait_vec3_sub(y1, y0, u);
    double flat = 1e-12 * plait_vec3_norm(u), first = slope_at(shape, y0, y1, u, 0),
           last = slope_at(shape, y0, y1, u, 1);
    if (first > flat || last < -flat)
        return first > flat ? 0 : 1;
    if (first >= -flat && last <= flat)
        return 0.5;
    for (int side = 0; side < 2; side++) {
        double lo = side ? edge[0] : 0, hi = 1;
        if (!side && first >= -flat)
            hi = 0;
        if (side && slope_at(shape, y0, y1, u, lo + 1e-9) > flat) // a kink, not a flat
            hi = lo;
        for (int n = 0; n < STEPS && hi > lo; n++) {
            double a = 0.5 * (lo + hi), slope = slope_at(shape, y0, y1, u, a);
            if (side ? slope > flat : slope >= -flat)
                hi = a;
            else
                lo = a;
        }
        edge[side] = 0.5 * (lo + hi);
    }
    return plait_clamp01(0.5 * (edge[0] + edge[1]));
}

double plait_shape_segment(const plait_shape *shape, const double y0[3], const double y1[3], double *a,
                           double normal[3])
{
    const plait_shape_type *type = plait_shape_type_of(shape);
    double y[3];
    *a = type->segment ? type->segment(shape, y0, y1) : follow_slope(shape, y0, y1);
    plait_lerp(y0, y1, *a, y);
    return plait_shape_distance(shape, y, normal);
}

// The least distance along the cut of a triangle at s between its first corner and the opposite side; convex in s.
static double cut(const plait_shape *shape, const double y[9], double s, double *a, double n[3])
{
    double p[3], q[3];
    plait_lerp(y, y + 3, s, p), plait_lerp(y, y + 6, s, q);
    return plait_shape_segment(shape, p, q, a, n);
}

double plait_shape_triangle(const plait_shape *shape, const double y[9], double w[3], double normal[3])
{
    enum { THIRDS = 45 };
    double lo = 0, hi = 1, a;
    for (int k = 0; k < THIRDS; k++) {
        double s = lo + (hi - lo) / 3, r = hi - (hi - lo) / 3;
        if (cut(shape, y, s, &a, normal) < cut(shape, y, r, &a, normal))
            hi = r;
        else
            lo = s;
    }
    double s = 0.5 * (lo + hi), least = cut(shape, y, s, &a, normal);
    w[0] = 1 - s, w[1] = s * (1 - a), w[2] = s * a;
    return least;
}

double plait_shape_triangle_bound(const plait_shape *shape, const double y[9])
{
    double middle[3], n[3], least = INFINITY;
    for (int k = 0; k < 3; k++)
        middle[k] = (y[k] + y[3 + k] + y[6 + k]) / 3;
    double at = plait_shape_distance(shape, middle, n);
    for (int k = 0; k < 3; k++) {
        double u[3];
        plait_vec3_sub(y + 3 * k, middle, u);
        least = fmin(least, at + plait_vec3_dot(n, u));
    }
    return least;
}

// ---- triangles, rays -----------------------------------------------------------------------------------------------

bool plait_shape_to_mesh(const plait_shape *shape, const plait_shape_detail *detail, plait_shape *mesh)
{
    const plait_shape_type *type = plait_shape_type_of(shape);
    plait_shape_detail d = detail ? *detail : (plait_shape_detail){0};
    d.sides = d.sides > 2 ? d.sides : 32;
    d.half = d.half > 0 ? d.half : 1;
    *mesh = (plait_shape){0};
    return !type->mesh || type->mesh(shape, &d, mesh);
}

bool plait_shape_ray(const plait_shape *shape, const double x[3], const double direction[3], double far, double *t,
                     double normal[3])
{
    enum { STEPS = 1000 };
    const plait_shape_type *type = plait_shape_type_of(shape);
    if (type->ray)
        return type->ray(shape, x, direction, far, t, normal);
    if (!type->distance)
        return false;
    // The distance is a step that cannot pass through the surface; seen against the normal it may be longer for a
    // convex shape: nothing of it is beyond the plane across the normal.
    bool convex = plait_shape_exact(shape);
    *t = 0;
    for (int step = 0; step < STEPS && *t <= far; step++) {
        double y[3], far_away;
        for (int k = 0; k < 3; k++)
            y[k] = x[k] + *t * direction[k];
        far_away = plait_shape_distance(shape, y, normal);
        if (step == 0 && far_away < 0)
            return false;
        if (far_away <= 1e-12 * (1 + *t))
            return true;
        double towards = -plait_vec3_dot(normal, direction);
        if (convex && towards <= 0)
            return false;
        *t += convex ? far_away / towards : far_away;
    }
    return false;
}
