// plane.c: nothing at all, and a half-space.
#include "math/vec3.h"
#include "shape/type.h"

const plait_shape_type plait_shape_none = {.name = "none"};

static double distance(const plait_shape *shape, const double y[3], double normal[3])
{
    (void)shape;
    plait_vec3_set(normal, 0, 0, 1);
    return y[2];
}

static double segment(const plait_shape *shape, const double y0[3], const double y1[3])
{
    (void)shape;
    return y0[2] < y1[2] ? 0 : y0[2] > y1[2] ? 1 : 0.5;
}

static bool mesh(const plait_shape *shape, const plait_shape_detail *d, plait_shape *m)
{
    (void)shape;
    if (!plait_tessel_reserve(m, 4, 2))
        return false;
    for (int i = 0; i < 4; i++)
        plait_tessel_point(m, d->centre[0] + (i == 1 || i == 2 ? d->half : -d->half),
                           d->centre[1] + (i >= 2 ? d->half : -d->half), 0);
    plait_tessel_triangle(m, 0, 1, 2);
    plait_tessel_triangle(m, 0, 2, 3);
    return true;
}

const plait_shape_type plait_shape_plane = {
    .name = "plane", .flat = true, .distance = distance, .segment = segment, .mesh = mesh,
};
