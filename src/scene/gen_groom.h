// gen_groom.h: makes strands that overlap each other or colliders keep apart, before they are fibres.
//
// What must not overlap is the curve that the model makes of the nodes, as contacts see it: a super-helix does not go
// through them. So the curve is first laid through what was drawn; then, in every round, pieces of curves that are too
// near push each other apart, colliders push outwards, and the nodes are moved so that the curve follows.
#ifndef PLAIT_SCENE_GEN_GROOM_H
#define PLAIT_SCENE_GEN_GROOM_H

#include "scene/gen_curve.h"
#include "scene/gen_field.h"

typedef struct plait_gen_groom_options {
    int slide;        // collider that first nodes may slide on; -1: they stay
    bool keep_height; // sliding, they stay as high over it as they are; else their contact surfaces are at the gap
    double gap;       // distance of surfaces that is aimed at, relative to the contact radius
    int rounds;       // at most
    bool lenient;     // what still overlaps after that is left as it is
} plait_gen_groom_options;

// Strands of one style. Fibres that are already in the scene are in their way and do not move.
// BAD_INPUT: they still overlap after so many rounds; the message says by how much.
plait_status plait_gen_groom(const char *generator, const plait_scene *scene, const plait_gen_style *style,
                             const plait_gen_field *field, int count, plait_gen_strand *strand,
                             const plait_gen_groom_options *options, plait_error *error);

// Distance of two segments; a and b: where on them, 0 .. 1.
double plait_gen_segment_distance(const double *p0, const double *p1, const double *q0, const double *q1, double *a,
                                  double *b);

#endif
