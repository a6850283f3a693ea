// field.c: a shape that a program knows: its signed distance is a function of the program's.
//
// It need not be convex. Along a link the least distance is looked for at samples first, then between their neighbours.
#include "shape/closest.h"
#include "shape/type.h"

static double distance(const plait_shape *shape, const double y[3], double normal[3])
{
    return shape->field(y, normal, shape->data);
}

static double at(const plait_shape *shape, const double y0[3], const double y1[3], double a)
{
    double y[3], normal[3];
    plait_lerp(y0, y1, a, y);
    return distance(shape, y, normal);
}

static double segment(const plait_shape *shape, const double y0[3], const double y1[3])
{
    enum { SAMPLES = 8, STEPS = 40 };
    static const double GOLDEN = 0.61803398874989485;
    int best = 0;
    double least = at(shape, y0, y1, 0);
    for (int i = 1; i <= SAMPLES; i++) {
        double d = at(shape, y0, y1, (double)i / SAMPLES);
        if (d < least)
            least = d, best = i;
    }
    double lo = plait_clamp01((best - 1.0) / SAMPLES), hi = plait_clamp01((best + 1.0) / SAMPLES);
    double a = hi - GOLDEN * (hi - lo), b = lo + GOLDEN * (hi - lo), da = at(shape, y0, y1, a),
           db = at(shape, y0, y1, b);
    for (int k = 0; k < STEPS; k++) {
        if (da <= db) {
            hi = b, b = a, db = da, a = hi - GOLDEN * (hi - lo), da = at(shape, y0, y1, a);
        } else {
            lo = a, a = b, da = db, b = lo + GOLDEN * (hi - lo), db = at(shape, y0, y1, b);
        }
    }
    double middle = 0.5 * (lo + hi); // an end, or a sample, may be as near: then there
    return at(shape, y0, y1, middle) < least ? middle : (double)best / SAMPLES;
}

static void extent(const plait_shape *shape, double half[3])
{
    for (int k = 0; k < 3; k++)
        half[k] = shape->size[k];
}

const plait_shape_type plait_shape_field = {
    .name = "field", .keys = PLAIT_SHAPE_HAS_SIZE, .sizes = 3, .program = true, .distance = distance,
    .segment = segment, .extent = extent,
};
