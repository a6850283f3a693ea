// box.c: a box with half extents size.
#include <math.h>

#include "math/vec3.h"
#include "shape/type.h"

static double distance(const plait_shape *shape, const double y[3], double normal[3])
{
    const double *half = shape->size;
    double out[3], sum = 0, inner = -INFINITY;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double beyond = fabs(y[k]) - half[k];
        out[k] = beyond > 0 ? copysign(beyond, y[k]) : 0;
        sum += out[k] * out[k];
        if (beyond > inner)
            inner = beyond, axis = k;
    }
    if (sum > 0) {
        double distance = sqrt(sum);
        for (int k = 0; k < 3; k++)
            normal[k] = out[k] / distance;
        return distance;
    }
    normal[0] = normal[1] = normal[2] = 0;
    normal[axis] = y[axis] < 0 ? -1 : 1;
    return inner;
}

static void extent(const plait_shape *shape, double half[3])
{
    plait_vec3_copy(shape->size, half);
}

// Corner k is on the high side of axis n if bit n of k is set.
static void corner(const plait_shape *shape, int k, double x[3])
{
    for (int n = 0; n < 3; n++)
        x[n] = k >> n & 1 ? shape->size[n] : -shape->size[n];
}

static void support(const plait_shape *shape, plait_shape_support *s)
{
    *s = (plait_shape_support){.balls = 8, .size = fmin(shape->size[0], fmin(shape->size[1], shape->size[2]))};
    for (int k = 0; k < 8; k++)
        corner(shape, k, s->ball[k]);
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < 8; k++)
            if (!(k >> n & 1)) {
                s->edge[s->edges].ball[0] = k, s->edge[s->edges].ball[1] = k | 1 << n;
                s->edge[s->edges++].feature = 8 + 8 * n + k;
            }
}

static void core(const plait_shape *shape, double inset, plait_shape *smaller)
{
    *smaller = *shape;
    for (int k = 0; k < 3; k++)
        smaller->size[k] -= inset;
}

static void inertia(const plait_shape *shape, double density, double *mass, double moment[3])
{
    const double *s = shape->size;
    *mass = density * 8 * s[0] * s[1] * s[2];
    for (int k = 0; k < 3; k++) {
        double p = s[(k + 1) % 3], q = s[(k + 2) % 3];
        moment[k] = *mass * (p * p + q * q) / 3;
    }
}

// Each of four corners has a quarter of the face.
static double patch(const plait_shape *shape, const double normal[3])
{
    int face = 0;
    for (int k = 1; k < 3; k++)
        face = fabs(normal[k]) > fabs(normal[face]) ? k : face;
    return shape->size[(face + 1) % 3] * shape->size[(face + 2) % 3];
}

static bool mesh(const plait_shape *shape, const plait_shape_detail *d, plait_shape *m)
{
    static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                                     {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    (void)d;
    if (!plait_tessel_reserve(m, 8, 12))
        return false;
    for (int k = 0; k < 8; k++) {
        double x[3];
        corner(shape, k, x);
        plait_tessel_point(m, x[0], x[1], x[2]);
    }
    for (int i = 0; i < 12; i++)
        plait_tessel_triangle(m, faces[i][0], faces[i][1], faces[i][2]);
    return true;
}

const plait_shape_type plait_shape_box = {
    .name = "box", .keys = PLAIT_SHAPE_HAS_SIZE, .sizes = 3, .distance = distance, .extent = extent,
    .support = support, .core = core, .inertia = inertia, .mesh = mesh, .patch = patch,
};
