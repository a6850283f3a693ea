// rigid.h: contacts of freely moving shapes with others.
#ifndef PLAIT_COLLIDE_RIGID_H
#define PLAIT_COLLIDE_RIGID_H

#include "collide/detector.h"
#include "shape/type.h"

// Balls of one shape against the surface of another.
typedef struct plait_duel {
    plait_detector *d;
    int ball, other; // shapes
    bool flipped;    // the second side of the contacts has the balls
    bool failed;
    plait_shape core[2]; // of the ball's shape and of the other, where both have sharp edges
    double size; // of the freely moving one: its radius, or the least half extent
    int count;   // contacts so far
} plait_duel;

// The balls of a shape in its frame; none for those that have none.
void plait_rigid_support(const plait_placed *placed, plait_shape_support *support);

// A contact of a ball (its centre in the world at the start) with a point of the other's surface; normal: towards the
// ball. NULL without memory.
plait_touch *plait_rigid_emit(plait_duel *duel, int feature, int segment, double a, const double ball[3], double radius,
                              const double surface[3], const double normal[3], bool swept);

// Signed distance of a point of the world to the other shape, a simple one, at the start.
double plait_rigid_distance(const plait_duel *duel, const double x[3], double normal[3]);
// A contact if a ball (its centre in the frame of its shape) reaches the other shape, a simple one, in the motion.
void plait_rigid_arrive(plait_duel *duel, int feature, const double local[3], double radius);

// The shape `ball` against the curve or mesh `other`.
void plait_rigid_curve(plait_duel *duel);
void plait_rigid_mesh(plait_duel *duel);
// The vertices of the mesh `ball` against the mesh `other`.
void plait_rigid_mesh_nodes(plait_duel *duel);
// The edges of both, where they are near at the start.
void plait_rigid_mesh_edges(plait_duel *duel);

#endif
