// capsule.c: a segment along z with half length size[1], thick by the radius size[0].
#include <math.h>
#include <stddef.h>

#include "base/elementary.h"
#include "shape/closest.h"
#include "shape/type.h"

static const double PI = 3.14159265358979323846;

static double distance(const plait_shape *shape, const double y[3], double normal[3])
{
    const double *s = shape->size;
    return plait_shape_ball(y, (double[3]){0, 0, y[2] > s[1] ? s[1] : y[2] < -s[1] ? -s[1] : y[2]}, s[0], normal);
}

static double segment(const plait_shape *shape, const double y0[3], const double y1[3])
{
    double low[3] = {0, 0, -shape->size[1]}, high[3] = {0, 0, shape->size[1]}, a, b;
    plait_closest_steady(y0, y1, low, high, 1e-12 * shape->size[0] * shape->size[0], NULL, &a, &b);
    return a;
}

static void extent(const plait_shape *shape, double half[3])
{
    half[0] = half[1] = shape->size[0], half[2] = shape->size[0] + shape->size[1];
}

static void support(const plait_shape *shape, plait_shape_support *s)
{
    *s = (plait_shape_support){.balls = 2, .edges = 1, .radius = shape->size[0], .size = shape->size[0]};
    s->ball[0][2] = -shape->size[1], s->ball[1][2] = shape->size[1];
    s->edge[0].ball[1] = 1, s->edge[0].feature = 2;
}

static void inertia(const plait_shape *shape, double density, double *mass, double moment[3])
{
    double r = shape->size[0], h = 2 * shape->size[1];
    double tube = density * PI * r * r * h, ball = density * 4 / 3 * PI * r * r * r;
    *mass = tube + ball;
    // Half balls: their centre is 3/8 r beyond the ends of the tube.
    double across = tube * (3 * r * r + h * h) / 12 + ball * (0.4 * r * r + h * h / 4 + 3.0 / 8 * h * r);
    moment[0] = moment[1] = across;
    moment[2] = 0.5 * tube * r * r + 0.4 * ball * r * r;
}

// A sphere cut in two halves `half` above and below the middle.
static bool mesh(const plait_shape *shape, const plait_shape_detail *d, plait_shape *m)
{
    enum { MOST = 512 };
    double r[MOST], z[MOST], radius = shape->size[0], half = shape->size[1];
    int quarter = d->sides / 4 < MOST / 2 - 1 ? d->sides / 4 : MOST / 2 - 1, rings = 0;
    quarter = quarter < 1 ? 1 : quarter;
    for (int i = 1; i < 2 * quarter; i++) {
        double angle = PI * i / (2 * quarter) - PI / 2;
        r[rings] = radius * plait_cos(angle);
        z[rings++] = radius * plait_sin(angle) + (i < quarter ? -half : half);
        if (i == quarter) { // the equator is there twice
            z[rings - 1] = -half;
            r[rings] = radius;
            z[rings++] = half;
        }
    }
    return plait_tessel_revolve(m, d->sides, rings, r, z, -half - radius, half + radius);
}

const plait_shape_type plait_shape_capsule = {
    .name = "capsule", .keys = PLAIT_SHAPE_HAS_RADIUS | PLAIT_SHAPE_HAS_LENGTH, .sizes = 1, .zero_length = true,
    .distance = distance, .segment = segment, .extent = extent, .support = support, .inertia = inertia, .mesh = mesh,
};
