// tracer.h: geometry and rays, a thin layer over Embree (3 or 4).
//
// Geometries are numbered in the order in which they are added. A shadow ray does not stop at hair: it counts the
// strands that it crosses, since light comes through.
#ifndef PLAIT_RENDER_TRACER_H
#define PLAIT_RENDER_TRACER_H

#include <stdbool.h>

#include "plait/status.h"
#include "render/f3.h"

typedef enum plait_curve_kind {
    PLAIT_CURVE_FLAT,  // Catmull-Rom, a ribbon that faces every ray: for what is thinner than a pixel or two
    PLAIT_CURVE_ROUND, // Catmull-Rom
    PLAIT_CURVE_LINEAR // round, straight between points
} plait_curve_kind;

enum { PLAIT_SHADOW_FULL = 12 }; // strands that let no light through

typedef struct plait_hit {
    float t;
    int geometry, primitive;
    float u, v;
    plait_f3 normal; // of the geometry, unit; towards either side
} plait_hit;

typedef struct plait_tracer plait_tracer;

plait_tracer *plait_tracer_new(plait_error *error);
void plait_tracer_free(plait_tracer *tracer); // NULL is fine

void plait_tracer_clear(plait_tracer *tracer); // begins a new scene
// xyzr: [4 points] with radii; index: [segments] the first of the four (linear: two) points of each. `hair`: shadow
// rays count it and go on. Returns the number of the geometry, -1 without memory.
int plait_tracer_add_curves(plait_tracer *tracer, plait_curve_kind kind, int points, const float *xyzr, int segments,
                            const unsigned *index, bool hair);
int plait_tracer_add_spheres(plait_tracer *tracer, int count, const float *xyzr);
int plait_tracer_add_triangles(plait_tracer *tracer, int points, const float *xyz, int triangles, const int *index);
plait_status plait_tracer_commit(plait_tracer *tracer, plait_error *error);

// All of these may be called by any thread. Directions are of unit length.
bool plait_tracer_hit(const plait_tracer *tracer, plait_f3 from, plait_f3 direction, plait_hit *hit);
// How many strands are crossed on the way out; PLAIT_SHADOW_FULL if something solid is there, or as many strands.
int plait_tracer_shadow(const plait_tracer *tracer, plait_f3 from, plait_f3 direction, float near);
// Whether anything but hair is there.
bool plait_tracer_solid(const plait_tracer *tracer, plait_f3 from, plait_f3 direction, float near);

#endif
