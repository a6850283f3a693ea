// collide.h: which points are about to touch.
//
// What can touch: chains (polylines of capsules: one radius each; fibres) and shapes (plait_shape under a pose, with
// rigid motion or moving vertices). Everything is given at the start (x0, pose0) and at the end (x1, pose1) of the
// motion that is to be examined; in between, nodes and vertices go straight and poses are interpolated.
//
// Proximity looks at the start alone: surfaces nearer than `proximity` give contacts, one for each local minimum of the
// distance of a pair, and more along nearly parallel runs, `spacing` apart. Continuous looks at the motion: pairs of
// segments (or segment and triangle, vertex and triangle ...) whose centrelines would pass through each other, or
// whose surfaces would come deeper than proximity sees, give a contact too, with the normal from the side on which they
// are at the start.
#ifndef PLAIT_COLLIDE_COLLIDE_H
#define PLAIT_COLLIDE_COLLIDE_H

#include <stdint.h>

#include "base/stop.h"
#include "base/team.h"
#include "plait/shape.h"
#include "plait/status.h"

typedef struct plait_chain_geometry {
    int first, nodes; // x[3 first] ..
    double radius;
    double self_arc; // points nearer along the chain do not touch; INFINITY: no self-contact
    int material;
    // the skin that carries the end at its first, last node along, counted from 1; 0: none. They do not touch there
    int carrier[2];
} plait_chain_geometry;

// What a body touches with that deforms: triangles between its nodes (cloth, the skin of a solid), as thick as twice
// the radius. Constant.
typedef struct plait_skin {
    int triangles;
    const int *triangle; // [3 triangles] nodes of the body, counted from its first
    const double *rest;  // [3 nodes] what is near itself here does not touch itself; NULL: no such thing
    double radius;       // [m] half the thickness, > 0
    bool closed;         // it has an inside (triangles look outwards, counterclockwise): what gets there is pushed out
    bool self;           // it touches itself
    int material;
} plait_skin;

typedef struct plait_skin_geometry {
    const plait_skin *skin;
    int first, nodes; // x[3 first] ..
} plait_skin_geometry;

typedef struct plait_pose {
    double x[3], q[4];
} plait_pose;

typedef struct plait_shape_geometry {
    const plait_shape *shape;
    plait_pose start, end; // of the shape's frame
    const double *point0,
        *point1;       // CURVE, MESH: vertices in the shape's frame at start and end (== shape->point if rigid)
    bool moves_freely; // a rigid body: touches colliders and its like too (plane, sphere, capsule, box ...)
    int material;
} plait_shape_geometry;

// What to look at. Plain pointers, owned by the caller.
typedef struct plait_scenery {
    int chains, nodes, shapes, skins; // nodes: of chains
    const plait_chain_geometry *chain;
    const plait_shape_geometry *shape;
    const plait_skin_geometry *skin;
    const double *x0, *x1; // [3 nodes], then those of skins; x1 may be NULL: proximity only
    const double *arc;     // [nodes] natural arc position of the nodes in their chain
    double proximity, spacing;
    // Cell that everything repeats in (image.h), at the start and at the end of the motion [m]: periods, 0: along this
    // axis nothing does; then tilts.
    double cell[2][6];
    plait_detection mode;
    bool chains_touch; // chains touch other chains
    plait_team team;
    plait_stop *stop; // NULL: none. Once it says yes there are no contacts
    const bool *only; // [chains] crossings of these alone are looked for; NULL: of all. Not of copies, nor of skins
} plait_scenery;

// One side of a contact.
typedef struct plait_side {
    bool on_shape, on_skin; // neither: a chain
    int index;   // chain, shape or skin
    // chain: nodes segment, segment + 1 of the chain (counted from its first node); skin, mesh: triangle; else 0
    int segment;
    int image;   // second side, chain: which copy of it in a periodic cell (image.h); 0: itself
    double a;    // chain: 0 .. 1 along the segment; skin: weight of the triangle's second corner ...
    // ... and of its third; the first has 1 - a - b. All three are 0 .. 1. So on a mesh that a skin touches. Else 0
    double b;
    // at the start: on the centreline of a chain (of its copy), on the surface of a shape; world
    double point[3];
    double move[3];  // collider: how far this material point of it moves in the given motion (x1 - x0); chain, freely
                     // moving shape: zero
    double arm[3];   // chain: from its point to where forces act; who wants them to act at the surface sets it
} plait_side;

typedef struct plait_touch {
    plait_side side[2]; // the first is a chain or a freely moving shape
    double normal[3];   // unit, from side 1 to side 0
    double gap;         // of the surfaces at the start along the normal; negative: they overlap
    double arc[2];      // arc positions on chains; on shapes 0
    double area;        // [m^2] that it stands for, of skins; 0: not known (skin.h)
    bool swept;         // found by continuous detection only
    bool about_end;     // normal and gap are of the end of the step, as seen from its start (sim/tilt.c)
    bool fixed;         // a tie: detection did not find it, and does not take it for a contact of its own
    int last;           // index of the same contact in the previous list, or -1 (plait_touches_track)
} plait_touch;

typedef struct plait_touches {
    int count, room;
    plait_touch
        *touch; // sorted: by (side 0 kind, index, segment, side 1 kind, index, segment): the same for any thread count
} plait_touches;

typedef struct plait_detector plait_detector; // grid, trees and scratch that live as long as the simulation
plait_detector *plait_detector_new(void);
void plait_detector_free(plait_detector *d);

// touches <- all contacts. previous (may be NULL): the last step's, to hold on to contact points where the distance is
// flat (so that a resting contact does not wander) and to track identity: sets `last`.
plait_status plait_detect(plait_detector *d, const plait_scenery *scenery, const plait_touches *previous,
                          plait_touches *touches, plait_error *error);
// The same, where only some chains have moved since `touches` were found: those of all others stay as they are. Neither
// skins nor freely moving shapes nor a cell that repeats.
plait_status plait_detect_again(plait_detector *d, const plait_scenery *scenery, const bool *moved,
                                const plait_touches *previous, plait_touches *touches, plait_error *error);
void plait_touches_free(plait_touches *t);
plait_touch *plait_touches_append(plait_touches *t, const plait_touch *one); // a copy at the end; NULL without memory

// missed <- pairs that pass through each other between x0 and x1 (the motion as it was corrected) and are not in
// `known`. Strands and skins: also those whose middles come nearer than `near` of the sum of their radii; 0: only those
// that pass. With these added the step is solved again. An empty result means that nothing crossed.
plait_status plait_detect_crossings(plait_detector *d, const plait_scenery *scenery, double near,
                                    const plait_touches *known, plait_touches *missed, plait_error *error);

// The same right after that, with a smaller `near`: of what was found then that is looked at alone which comes so near.
plait_status plait_detect_nearer(plait_detector *d, const plait_scenery *scenery, double near,
                                 const plait_touches *known, plait_touches *missed, plait_error *error);

// Broad phase: chosen by cost unless forced; for tests and measurements.
typedef enum plait_broad { PLAIT_BROAD_AUTO, PLAIT_BROAD_GRID, PLAIT_BROAD_BVH } plait_broad;
void plait_detector_set_broad(plait_detector *d, plait_broad broad);
typedef struct plait_detector_stats {
    int64_t candidates; // pairs that the broad phase gave
    plait_broad broad;  // which one was used
    double seconds_broad, seconds_narrow;
} plait_detector_stats;
plait_detector_stats plait_detector_get_stats(const plait_detector *d);

#endif
