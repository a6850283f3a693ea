// surface_detector.h: detection between surfaces, seen from inside.
#ifndef PLAIT_COLLIDE_SURFACE_DETECTOR_H
#define PLAIT_COLLIDE_SURFACE_DETECTOR_H

#include "collide/memory.h"
#include "collide/surface.h"
#include "collide/tree.h"
#include "shape/closest.h"

// What a surface is made of. Nodes and edges belong to one cell each, the first that has them, so that no pair of
// features is looked at twice.
typedef struct plait_topology {
    int nodes, cells, dimension, edges;
    int *cell;       // [cells (dimension + 1)] a copy, to see whether the rest is still right
    int *edge;       // [2 edges]
    int *cell_edge;  // [3 cells] dimension 2: the edges from corner k to k + 1; dimension 1: [cells]
    int *node_owner; // [nodes] cell
    int *edge_owner; // [edges] cell
    int *around;     // edges at node n: around[first[n]] .. around[first[n + 1]] - 1
    int *first;      // [nodes + 1]
    int *opposite;   // [2 edges] nodes across the edge, -1: none
    int first_cell;  // number of its first cell among those of all surfaces
} plait_topology;

struct plait_surface_detector {
    int surfaces;
    plait_topology *topology;
    int64_t topology_room;
    int cells; // of all surfaces
    int *cell_surface;
    plait_box *box;
    plait_tree tree;
    int *found;
    plait_surface_touches gathered;
    unsigned char *used;
    int64_t surface_room, box_room, found_room, used_room;
    // of the present call
    const plait_surfaces *all;
    const plait_surface_touches *previous;
    bool continuous, failed;
};

// surface_topology.c. False without memory.
bool plait_topology_set(plait_topology *t, const plait_surface *s);
void plait_topology_free(plait_topology *t);

// surface_pair.c: the features that belong to two cells (numbers within their surfaces) against each other.
void plait_surface_cells(plait_surface_detector *d, int s0, int c0, int s1, int c1);
// surface_shape.c: all surfaces against all exact shapes.
void plait_surface_shapes(plait_surface_detector *d);
// surface_track.c: sorted, each once, into `touches`; `last`.
bool plait_surface_track(plait_surface_detector *d, plait_surface_touches *touches);

// A cleared contact at the end of the list; NULL without memory (d->failed).
plait_surface_touch *plait_surface_add(plait_surface_detector *d);
// A side on a feature: nodes and weights, and where it is at the start.
void plait_surface_place(const plait_surface *s, const int *node, const double *weight, int nodes,
                         plait_surface_side *side);

static inline const int *plait_surface_cell(const plait_topology *t, int c)
{
    return t->cell + (int64_t)c * (t->dimension + 1);
}

#endif
