// holes.h: holes of a mesh are filled, so that it has an inside.
//
// Characters are drawn without eyes, with an open mouth and cut off at the neck. Hair that starts a little below such a
// skin could not know on which side it belongs.
#ifndef PLAIT_SHAPE_HOLES_H
#define PLAIT_SHAPE_HOLES_H

#include "plait/shape.h"

typedef enum plait_holes {
    PLAIT_HOLES_FILLED,   // or there are none
    PLAIT_HOLES_LARGE,    // their area is more than `most` of that of the surface: it is not a body with holes
    PLAIT_HOLES_TANGLED,  // edges have more than two triangles, or these run along them in the same direction
    PLAIT_HOLES_NO_MEMORY
} plait_holes;

// Each hole gets a point in its middle and triangles from there to its edges, behind the points and triangles that
// there are, in all frames. The mesh is closed then, and its triangles are seen from outside anticlockwise. Otherwise
// it is left as it was.
plait_holes plait_shape_fill_holes(plait_shape *mesh, double most);

#endif
