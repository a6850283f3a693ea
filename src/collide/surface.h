// surface.h: surfaces that deform: points, links and triangles with a thickness, against each other, themselves and
// exact shapes.
//
// A surface has nodes and cells of one dimension: 0 points (grains), 1 links (fibres), 2 triangles (cloth, skins). Its
// features are its nodes, edges and faces. A contact is between two features and has, on each side, up to three nodes
// with weights that sum to 1: whoever moves the nodes knows how the contact point moves.
//
//     faces against nodes      one contact for each pair that is near: {1 node} and {3 nodes}
//     edges against edges      the same, where both nearest points are inside: {2} and {2}
//     rims                     node and edge, node and node: only where the distance has a minimum there, seen from
//                              both
//                              surfaces; elsewhere a face or an edge beside it is nearer and has the contact
//     exact shapes             nodes; and the inside of edges and faces where it is markedly nearer than their ends
//
// Proximity: features nearer than `proximity` beside their thickness. Continuous: pairs that come as near as their
// thickness on the way from x0 to x1 (sweep.h: nothing is stepped over); the normal is that of the moment of arrival.
// Cells of one surface that share a node do not touch, nor do features that are as near as that at rest.
//
// Surfaces may have an inside (closed). Contacts of their faces and edges then look outwards only, and a node that is
// inside at the start is pushed out towards the nearest place of the surface, however deep it is (surface_deep.c).
//
// To cross: instead of contacts, what comes as near as a small part of the thickness in the motion, or halves its
// distance where it is nearer at the start.
//
// The number of a contact is made of its two features, so that contacts are known again in the next step; where a
// contact has moved on to a neighbouring feature, the nearest one of the same pair of surfaces takes over (`last`).
#ifndef PLAIT_COLLIDE_SURFACE_H
#define PLAIT_COLLIDE_SURFACE_H

#include "base/team.h"
#include "collide/collide.h"

typedef struct plait_surface {
    int dimension; // of its cells: 0, 1, 2
    int nodes, cells;
    const int *cell;       // [cells (dimension + 1)] nodes; dimension 0: NULL, all nodes
    const double *x0, *x1; // [3 nodes] start and end of the motion, in the world; x1 NULL: proximity only
    const double *rest;    // [3 nodes] what is near here does not touch; NULL: no such thing
    double radius;             // half the thickness ...
    const double *cell_radius; // [cells] ... of each cell; NULL: one for all
    bool self;                 // touches itself
    bool closed;               // dimension 2: it has an inside
    bool passive;              // touches only surfaces that are not; those come first in the list
    const int *skip;           // [cells] the surface that a cell does not touch, -1: none; NULL: no cell has one
} plait_surface;

typedef enum plait_feature_kind { PLAIT_ON_NODE, PLAIT_ON_EDGE, PLAIT_ON_FACE, PLAIT_ON_SHAPE } plait_feature_kind;

typedef struct plait_surface_side {
    int surface; // number of the surface, or of the shape
    plait_feature_kind kind;
    int feature; // node, edge or face; shape: 0
    int nodes;   // 1 .. 3; shape: 0
    int node[4];
    double weight[4];
    double point[3]; // at the start, in the world: without the thickness; of a shape: on its surface
} plait_surface_side;

typedef struct plait_surface_touch {
    plait_surface_side side[2]; // the first belongs to a surface
    double normal[3];           // unit, from side 1 to side 0
    double gap;                 // at the start, along the normal, less the thickness
    double time;                // of arrival, 0 .. 1; 0 for proximity
    bool swept;                 // found by its motion only
    int last;                   // index of the same contact in the previous list, -1: it is new
} plait_surface_touch;

typedef struct plait_surface_touches {
    int count;
    int64_t room;
    plait_surface_touch *touch; // in the order of their numbers
} plait_surface_touches;

typedef struct plait_surfaces {
    int count, shapes;
    const plait_surface *surface;
    const plait_shape_geometry *shape; // exact ones; others are left out
    double proximity;
    plait_detection mode;
    bool crossing; // what passes through in the motion is looked for, not contacts
    double near;   // crossing: what comes nearer than this part of the thickness
    plait_team team; // zeros: one thread
} plait_surfaces;

typedef struct plait_surface_detector plait_surface_detector; // edges, trees, scratch; lives as long as the simulation
plait_surface_detector *plait_surface_detector_new(void);     // NULL without memory
void plait_surface_detector_free(plait_surface_detector *d);

// touches <- all contacts. previous: of the last step, may be NULL. Surfaces are given in the same order every time.
plait_status plait_surfaces_detect(plait_surface_detector *d, const plait_surfaces *surfaces,
                                   const plait_surface_touches *previous, plait_surface_touches *touches,
                                   plait_error *error);
void plait_surface_touches_free(plait_surface_touches *touches);

#endif
