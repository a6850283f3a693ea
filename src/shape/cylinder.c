// cylinder.c: radius size[0], half height size[1] along z.
#include <math.h>

#include "base/elementary.h"
#include "shape/type.h"

static double distance(const plait_shape *shape, const double y[3], double normal[3])
{
    const double *size = shape->size;
    double rho = sqrt(y[0] * y[0] + y[1] * y[1]), side = rho - size[0], end = fabs(y[2]) - size[1];
    double radial[2] = {rho > 0 ? y[0] / rho : 1, rho > 0 ? y[1] / rho : 0}, up = y[2] < 0 ? -1 : 1;
    double u = side, v = end; // how much of the normal is radial, how much axial
    if (side > 0 && end > 0) {
        double distance = sqrt(side * side + end * end);
        u /= distance, v /= distance;
        normal[0] = u * radial[0], normal[1] = u * radial[1], normal[2] = v * up;
        return distance;
    }
    bool radially = side > end;
    normal[0] = radially ? radial[0] : 0, normal[1] = radially ? radial[1] : 0, normal[2] = radially ? 0 : up;
    return radially ? side : end;
}

static void extent(const plait_shape *shape, double half[3])
{
    half[0] = half[1] = shape->size[0], half[2] = shape->size[1];
}

// The rims, in samples.
static void support(const plait_shape *shape, plait_shape_support *s)
{
    *s = (plait_shape_support){
        .balls = PLAIT_SUPPORT_BALLS, .feature = 32, .size = fmin(shape->size[0], shape->size[1])};
    for (int k = 0; k < s->balls; k++) {
        double angle = 2 * M_PI * (k / 2) / (s->balls / 2);
        s->ball[k][0] = shape->size[0] * plait_cos(angle), s->ball[k][1] = shape->size[0] * plait_sin(angle);
        s->ball[k][2] = k % 2 ? shape->size[1] : -shape->size[1];
    }
}

static bool mesh(const plait_shape *shape, const plait_shape_detail *d, plait_shape *m)
{
    double r = shape->size[0], h = shape->size[1];
    return plait_tessel_revolve(m, d->sides, 2, (double[]){r, r}, (double[]){-h, h}, -h, h);
}

const plait_shape_type plait_shape_cylinder = {
    .name = "cylinder", .keys = PLAIT_SHAPE_HAS_RADIUS | PLAIT_SHAPE_HAS_LENGTH, .sizes = 2, .distance = distance,
    .extent = extent, .support = support, .mesh = mesh,
};
