// anchor.h: a place and two directions that are carried along by a shape: by its frame, or by a cell of its surface.
//
// A cell is a triangle. Its point is sum w_i x_i; its frame has the first edge, the normal and what is across both.
// Whatever is bound to it keeps its place in that frame: skin that sinks, slides or turns takes its hair along, and the
// distance of a root from the skin stays.
#ifndef PLAIT_COLLIDE_ANCHOR_H
#define PLAIT_COLLIDE_ANCHOR_H

#include "collide/collide.h"
#include "collide/mesh.h"

typedef struct plait_cell {
    int triangle;     // -1: none, the shape as a whole
    double weight[3]; // of its corners; their sum is 1
    double distance;  // [m] of what is bound to it from its point, when it was bound
} plait_cell;

typedef struct plait_anchor {
    plait_cell cell;
    double position[3], tangent[3], director[3]; // in the frame of the cell, or that of the shape
} plait_anchor;

// Finds cells of one shape: its triangles at the start of the carrier's motion. Zero-initialise; free it afterwards.
typedef struct plait_binder {
    plait_mesh mesh;
} plait_binder;

// False without memory. The carrier must have triangles.
bool plait_binder_set(plait_binder *binder, const plait_shape_geometry *carrier);
void plait_binder_free(plait_binder *binder);
// The cell of the carrier that is nearest to x (in the world, at the start).
plait_cell plait_binder_nearest(const plait_binder *binder, const plait_shape_geometry *carrier, const double x[3]);

// The anchor of a place in the world at the start of the carrier's motion. cell NULL: carried by the shape's frame.
void plait_anchor_set(plait_anchor *anchor, const plait_shape_geometry *carrier, const plait_cell *cell,
                      const double position[3], const double tangent[3], const double director[3]);
// Where it is at the end of the carrier's motion.
void plait_anchor_at(const plait_anchor *anchor, const plait_shape_geometry *carrier, double position[3],
                     double tangent[3], double director[3]);

#endif
