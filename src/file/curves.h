// curves.h: what the readers of curves share (curves.c, curves_obj.c, usda_*.c).
#ifndef PLAIT_FILE_CURVES_H
#define PLAIT_FILE_CURVES_H

#include <stddef.h>

#include "math/vec3.h"
#include "plait/curves.h"

// From memory; bytes[size] is 0. name: how messages call it.
plait_hair *plait_curves_parse_obj(const char *name, const char *text, size_t size, plait_error *error);
plait_hair *plait_curves_parse_usda(const char *name, const char *text, size_t size, plait_error *error);

// Grows by strands. On failure *error is set and the set must be freed all the same.
typedef struct plait_curves_builder {
    plait_hair *hair;
    size_t strand_room, point_room;
} plait_curves_builder;
bool plait_curves_begin(plait_curves_builder *b, const char *name, plait_error *error);
bool plait_curves_add(plait_curves_builder *b, const char *name, int points, const double *point, plait_error *error);

// Direction in which a polyline leaves its first point; up, if all points are there.
static inline void plait_curve_leaves(int points, const double *x, double t[3])
{
    plait_vec3_set(t, 0, 0, 1);
    for (int k = 1; k < points; k++) {
        double d[3];
        plait_vec3_sub(x + 3 * (size_t)k, x, d);
        if (plait_vec3_normalise(d) > 0) {
            plait_vec3_copy(d, t);
            return;
        }
    }
}

#endif
