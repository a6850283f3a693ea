// type.h: the table of shapes: everything that anybody may ask of a kind of shape is in its row.
//
// A new shape is a file in this folder with a row, and the row's name in table.c. Scenes (keys, checks), detection
// (distance, nearest point of a segment, box, support), rigid bodies (inertia), exports, pictures and the viewer
// (triangles) read the row and know no kinds.
//
// An exact shape is convex and has a signed distance with a formula, negative inside. The signed distance of a convex
// set is a convex function: along a segment it has one minimum (or one flat stretch), found by following its slope.
#ifndef PLAIT_SHAPE_TYPE_H
#define PLAIT_SHAPE_TYPE_H

#include "plait/shape.h"

// Keys of scene files that a shape needs. The number is what becomes size[] of plait_shape.
typedef enum plait_shape_keys {
    PLAIT_SHAPE_HAS_RADIUS = 1, // size[0]
    PLAIT_SHAPE_HAS_LENGTH = 2, // size[1], half of it
    PLAIT_SHAPE_HAS_SIZE = 4,   // size[0 .. 2], half of each
    PLAIT_SHAPE_HAS_POINTS = 8, // a polyline
    PLAIT_SHAPE_HAS_FILE = 16   // triangles
} plait_shape_keys;

// Points of a shape that others meet: it is the hull of balls of one radius. Radius 0: corners, and rims in samples.
enum { PLAIT_SUPPORT_BALLS = 32, PLAIT_SUPPORT_EDGES = 12 };
typedef struct plait_shape_support {
    int balls, edges;
    double radius;
    double size; // the least half extent: how deep is deep
    double ball[PLAIT_SUPPORT_BALLS][3];
    int feature; // number of the first ball; the next ones follow
    struct {
        int ball[2], feature; // balls whose connection may be nearer to something than they are
    } edge[PLAIT_SUPPORT_EDGES];
} plait_shape_support;

typedef struct plait_shape_type {
    const char *name; // in scenes and files
    unsigned keys;    // plait_shape_keys
    int sizes;        // so many numbers of size[] are above 0
    bool zero_length; // size[1] may be 0
    bool flat;        // a half-space: no segment is nearer than its ends
    bool program;     // needs a function of a program: scene files cannot have it
    int cells;        // dimension of the cells that it is made of: 1 links, 2 triangles; 0: none, by its formula
    // Exact shapes; also a curve, which is not convex and has no `extent`. normal: unit, outwards.
    double (*distance)(const plait_shape *shape, const double y[3], double normal[3]);
    // Parameter of the nearest point of the segment y0 y1, in the middle of a flat stretch. NULL: by the slope.
    double (*segment)(const plait_shape *shape, const double y0[3], const double y1[3]);
    void (*extent)(const plait_shape *shape, double half[3]); // half of the box around it; NULL: by its points, or none
    void (*support)(const plait_shape *shape, plait_shape_support *support); // NULL: nothing that meets others
    // Of a box-like shape that fills its extent: the same, smaller by `inset` on all sides, without memory of its own.
    // NULL: it has no sharp edges, or contacts take them as they are.
    void (*core)(const plait_shape *shape, double inset, plait_shape *core);
    // Principal moments about the origin, which is the centre of mass. NULL: cannot be a rigid body.
    void (*inertia)(const plait_shape *shape, double density, double *mass, double inertia[3]);
    bool (*mesh)(const plait_shape *shape, const plait_shape_detail *detail, plait_shape *mesh); // NULL: no surface
    // Area that one contact with this normal stands for. NULL: by its triangles, or as something round.
    double (*patch)(const plait_shape *shape, const double normal[3]);
    // NULL: by steps of the signed distance.
    bool (*ray)(const plait_shape *shape, const double x[3], const double direction[3], double far, double *t,
                double normal[3]);
} plait_shape_type;

extern const plait_shape_type plait_shape_none, plait_shape_plane, plait_shape_sphere, plait_shape_capsule,
    plait_shape_box, plait_shape_cylinder, plait_shape_curve, plait_shape_mesh, plait_shape_field;

// table.c has this list and nothing else, so that a test can have another one. NULL after the last.
extern const plait_shape_type *const plait_shape_types[];

static inline const plait_shape_type *plait_shape_type_of(const plait_shape *shape)
{
    return plait_shape_types[shape->kind];
}

// Whether the shape is convex with a formula.
static inline bool plait_shape_exact(const plait_shape *shape)
{
    const plait_shape_type *type = plait_shape_type_of(shape);
    return type->distance && (type->extent || type->flat);
}

// Where the signed distance of an exact shape is least on the triangle y (weights of its corners); returns its value
// there.
double plait_shape_triangle(const plait_shape *shape, const double y[9], double w[3], double normal[3]);
// No point of the triangle is nearer than this: its signed distance is above its tangent at the middle of the triangle.
double plait_shape_triangle_bound(const plait_shape *shape, const double y[9]);
// Where the signed distance of an exact shape is least on the segment y0 y1; returns its value there.
double plait_shape_segment(const plait_shape *shape, const double y0[3], const double y1[3], double *a,
                           double normal[3]);

// Area [m^2] that one contact stands for: a quarter of a box's face, a third of the triangles at a vertex of a mesh,
// the cap of something round that is nearer than `near`. INFINITY: the other side knows (a plane, a wire).
double plait_shape_patch(const plait_shape *shape, const double normal[3], double near);

// ---- for the rows --------------------------------------------------------------------------------------------------

// |y - c| - radius; normal +z in the centre.
double plait_shape_ball(const double y[3], const double c[3], double radius, double normal[3]);

// Triangles (tessellate.c): room first, then points and triangles one by one.
bool plait_tessel_reserve(plait_shape *mesh, int points, int triangles);
void plait_tessel_point(plait_shape *mesh, double x, double y, double z);
void plait_tessel_triangle(plait_shape *mesh, int i, int j, int k);
// Triangles between ring a and ring b of `sides` points each, b above a; between a pole and a ring.
void plait_tessel_belt(plait_shape *mesh, int a, int b, int sides);
void plait_tessel_cap(plait_shape *mesh, int pole, int ring, int sides, bool top);
// A surface of revolution about z: rings (radius[i], height[i]) from bottom to top between two poles.
bool plait_tessel_revolve(plait_shape *mesh, int sides, int rings, const double *radius, const double *height,
                          double low, double high);

#endif
