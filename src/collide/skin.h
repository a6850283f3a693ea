// skin.h: skins (cloth, surfaces of solids) among the other things that touch.
//
// The detector of surfaces (surface.h) sees skins, and against them all chains as one surface of links, meshes and
// curves as surfaces, and the corners of shapes that have some as points. What it finds becomes contacts like all
// others.
//
//     skin       faces, edges, nodes     against skins, itself, chains, meshes, curves, corners; exact shapes
//     chains, meshes, curves, corners    passive: against skins only. Among each other they meet elsewhere
//
// The area that a contact stands for: a node of a skin has a third of the triangles around it at rest, which the
// contacts that act on it share; a link its length times its width; the smaller one of the two sides counts. Exact
// shapes have any.
#ifndef PLAIT_COLLIDE_SKIN_H
#define PLAIT_COLLIDE_SKIN_H

#include "collide/detector.h"
#include "collide/surface_detector.h"

typedef struct plait_skins {
    plait_surface_detector *detector;
    plait_surface *surface; // skins, then all chains if there are any, then one for each shape that needs it
    int surfaces;
    int chains;          // which surface chains are, or -1
    int *shape_surface;  // [shapes] which surface, or -1
    int *surface_shape;  // [surfaces] which shape, or -1
    int *link;           // [2 links] of chains: nodes
    double *link_radius; // [links]
    int *link_chain;     // [links]
    int *link_skip;      // [links] the skin that carries this end, or -1
    int *row;            // 0 1, 1 2, 2 3, ...: links of a curve
    double *x0, *x1;     // vertices of shapes in the world
    plait_surface_touches now;
    plait_surface_touches before, unsorted; // of the last step: in the order of their numbers; as they were
    int *before_item;                       // [before] place in the list of the last step
    int *order;                             // [3 before]: scratch
    double *load;                           // [2 nodes of all surfaces] weights of contacts, for their areas
    int links;
    int64_t surface_room, shape_room, back_room, link_room, radius_room, chain_room, skip_room, row_room, x0_room,
        x1_room, item_room, order_room, load_room;
} plait_skins;

void plait_skins_free(plait_skins *s);

// gathered += contacts of skins, or what passes through them; `last` is set. Does nothing without skins.
plait_status plait_skins_touch(plait_detector *d, plait_error *error);

// Whether two contacts of the same bodies, one of them a skin, are at the same features and look the same way.
bool plait_skins_same(const plait_touch *a, const plait_touch *b);

#endif
