// sphere.c: a ball of radius size[0].
#include <math.h>

#include "base/elementary.h"
#include "shape/closest.h"
#include "shape/type.h"

static const double PI = 3.14159265358979323846;

static double distance(const plait_shape *shape, const double y[3], double normal[3])
{
    return plait_shape_ball(y, (double[3]){0, 0, 0}, shape->size[0], normal);
}

static double segment(const plait_shape *shape, const double y0[3], const double y1[3])
{
    (void)shape;
    return plait_closest_on_segment((double[3]){0, 0, 0}, y0, y1);
}

static void extent(const plait_shape *shape, double half[3])
{
    half[0] = half[1] = half[2] = shape->size[0];
}

static void support(const plait_shape *shape, plait_shape_support *s)
{
    *s = (plait_shape_support){.balls = 1, .radius = shape->size[0], .size = shape->size[0]};
}

static void inertia(const plait_shape *shape, double density, double *mass, double moment[3])
{
    double r = shape->size[0];
    *mass = density * 4 / 3 * PI * r * r * r;
    for (int k = 0; k < 3; k++)
        moment[k] = 0.4 * *mass * r * r;
}

static bool mesh(const plait_shape *shape, const plait_shape_detail *d, plait_shape *m)
{
    enum { MOST = 512 };
    double r[MOST], z[MOST], radius = shape->size[0];
    int belts = d->sides / 2 < MOST ? d->sides / 2 : MOST;
    belts = belts < 2 ? 2 : belts;
    for (int i = 1; i < belts; i++) {
        r[i - 1] = radius * plait_sin(PI * i / belts);
        z[i - 1] = -radius * plait_cos(PI * i / belts);
    }
    return plait_tessel_revolve(m, d->sides, belts - 1, r, z, -radius, radius);
}

const plait_shape_type plait_shape_sphere = {
    .name = "sphere", .keys = PLAIT_SHAPE_HAS_RADIUS, .sizes = 1, .distance = distance, .segment = segment,
    .extent = extent, .support = support, .inertia = inertia, .mesh = mesh,
};
