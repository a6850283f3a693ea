// shape.h: what has a surface: exact shapes, curves and triangle meshes, each in a frame of its own.
//
// What a kind of shape is and can do is one row of a table (src/shape/): a new one is a file and a row.
#ifndef PLAIT_SHAPE_H
#define PLAIT_SHAPE_H

#include <stdbool.h>

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// Rows of the table, by number. Kinds without a constant are found by name.
typedef enum plait_shape_kind {
    PLAIT_SHAPE_NONE,     // touches nothing: a handle that ends are attached to
    PLAIT_SHAPE_PLANE,    // through the origin, normal +z; what is below is inside
    PLAIT_SHAPE_SPHERE,   // size[0] radius
    PLAIT_SHAPE_CAPSULE,  // size[0] radius, size[1] half length of the axis along z, without the caps
    PLAIT_SHAPE_BOX,      // size: half extents
    PLAIT_SHAPE_CYLINDER, // size[0] radius, size[1] half height along z
    PLAIT_SHAPE_CURVE,    // a polyline with radius size[0]: rails, wires
    PLAIT_SHAPE_MESH,     // triangles; closed: has an inside; open: both sides repel. size[0] thickness (may be 0)
    PLAIT_SHAPE_FIELD     // by the function `field` of a program; size: half of a box around it
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
    double frame_start; // [s] time of the first
    // FIELD: signed distance [m] of x, negative inside, and the unit gradient there; all in the shape's frame. Called
    // from several threads at once; the same x must give the same answer.
    double (*field)(const double x[3], double normal[3], void *data);
    void *data;
} plait_shape;

typedef enum plait_detection {
    PLAIT_DETECT_PROXIMITY = 1,
    PLAIT_DETECT_CONTINUOUS = 2,
    PLAIT_DETECT_BOTH = 3
} plait_detection;

PLAIT_API int plait_shape_count(void);                         // kinds that there are
PLAIT_API const char *plait_shape_name(int kind);              // "none", "plane" ...; NULL: there is no such kind
PLAIT_API plait_shape_kind plait_shape_find(const char *name); // plait_shape_count() if there is none

// Signed distance of the point y from the surface and the outward unit normal there, all in the shape's frame.
// INFINITY (and +z) for what has no formula: `none`, and meshes, whose distance needs a tree.
PLAIT_API double plait_shape_distance(const plait_shape *shape, const double y[3], double normal[3]);

// The first point of the surface on the ray from x along the unit direction, in the shape's frame: *t (0 .. far) and
// the outward normal. A ray that begins inside meets nothing of an exact shape. False: it misses.
PLAIT_API bool plait_shape_ray(const plait_shape *shape, const double x[3], const double direction[3], double far,
                               double *t, double normal[3]);

// How fine a surface is cut into triangles.
typedef struct plait_shape_detail {
    int sides;        // of something round; 0: 32
    double centre[3]; // a plane is a square about the foot of this point
    double half;      // with sides of twice this length; 0: 1 m
} plait_shape_detail;

// Fills points and triangles of `mesh` (malloc'ed) with the surface of a shape, in the shape's frame, seen from outside
// anticlockwise. A shape without a surface gives none. False without memory.
PLAIT_API bool plait_shape_to_mesh(const plait_shape *shape, const plait_shape_detail *detail, plait_shape *mesh);

#ifdef __cplusplus
}
#endif
#endif
