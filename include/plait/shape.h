// shape.h: what has a surface: exact shapes, curves and triangle meshes, each in a frame of its own.
#ifndef PLAIT_SHAPE_H
#define PLAIT_SHAPE_H

#include <stdbool.h>

typedef enum plait_shape_kind {
    PLAIT_SHAPE_NONE,     // touches nothing: a handle that ends are attached to
    PLAIT_SHAPE_PLANE,    // through the origin, normal +z; what is below is inside
    PLAIT_SHAPE_SPHERE,   // size[0] radius
    PLAIT_SHAPE_CAPSULE,  // size[0] radius, size[1] half length of the axis along z, without the caps
    PLAIT_SHAPE_BOX,      // size: half extents
    PLAIT_SHAPE_CYLINDER, // size[0] radius, size[1] half height along z
    PLAIT_SHAPE_CURVE,    // a polyline with radius size[0]: rails, wires
    PLAIT_SHAPE_MESH      // triangles; closed: has an inside; open: both sides repel. size[0] thickness (may be 0)
} plait_shape_kind;

typedef struct plait_shape {
    plait_shape_kind kind;
    double size[3]; // [m]
    int points;     // CURVE, MESH
    double *point;  // [3 points]
    int triangles;
    int *triangle; // [3 triangles]
    bool closed;
    int frames;        // MESH: per-frame vertex animation; 0: rigid
    double *frame;     // [frames][3 points]
    double frame_time; // [s] between frames; vertices go straight from one to the next
} plait_shape;

typedef enum plait_detection {
    PLAIT_DETECT_PROXIMITY = 1,
    PLAIT_DETECT_CONTINUOUS = 2,
    PLAIT_DETECT_BOTH = 3
} plait_detection;

#endif
