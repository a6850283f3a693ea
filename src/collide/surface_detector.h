// surface_detector.h: detection between surfaces, seen from inside.
#ifndef PLAIT_COLLIDE_SURFACE_DETECTOR_H
#define PLAIT_COLLIDE_SURFACE_DETECTOR_H

#include "base/parallel.h"
#include "collide/memory.h"
#include "collide/mesh.h"
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
    int *edge_cell;  // [2 edges] the triangles beside it, -1: none
    int first_cell;  // number of its first cell among those of all surfaces ...
    int first_node;  // ... and of its first node
    plait_box whole; // all of it in its motion, with radius and reach
} plait_topology;

// What a chunk of the work has found.
typedef struct plait_surface_bin {
    plait_surface_touches gathered;
    int *found;
    int64_t found_room;
    bool failed;
} plait_surface_bin;

// The inside of a closed surface, and where nodes of others were when they were last seen outside of it.
typedef struct plait_inside {
    plait_mesh mesh; // at the start; empty: the surface is not closed
    double moved;    // [m] how far its points have gone since they were first seen, at most
    double *seen;    // [5 nodes of all surfaces] place, distance (0: inside, or never seen) and `moved` then
    int64_t seen_room;
    int seen_nodes;
} plait_inside;

struct plait_surface_detector {
    int surfaces;
    plait_topology *topology;
    plait_inside *inside;
    int64_t topology_room, inside_room;
    int cells, active; // of all surfaces; of those that are not passive, which come first
    int nodes;         // of all surfaces
    int *cell_surface;
    plait_box *box;
    plait_tree tree; // of active cells
    plait_surface_bin bin[PLAIT_CHUNK_COUNT];
    plait_surface_touches gathered;
    plait_key_item *key, *spare; // of nodes of contacts, to find neighbours
    unsigned char *used;
    int *order;
    int64_t order_room;
    int64_t surface_room, box_room, used_room, key_room, spare_room;
    // of the present call
    const plait_surfaces *all;
    const plait_surface_touches *previous;
    bool continuous;
};

// surface.c: edges, numbers of cells and nodes; little to do if surfaces are those of before. False without memory.
bool plait_surface_prepare(plait_surface_detector *d, const plait_surfaces *all);
// surface_topology.c. False without memory.
bool plait_topology_set(plait_topology *t, const plait_surface *s);
void plait_topology_free(plait_topology *t);

// surface_pair.c: the features that belong to two cells (numbers within their surfaces) against each other.
void plait_surface_cells(plait_surface_detector *d, plait_surface_bin *bin, int s0, int c0, int s1, int c1);
// A node of surface s0 that is inside of s1, whose nearest point is `at`.
void plait_surface_push_out(plait_surface_detector *d, plait_surface_bin *bin, int s0, int node, int s1,
                            const plait_mesh_point *at);
// surface_shape.c: all surfaces that are not passive against all exact shapes. False without memory.
bool plait_surface_shapes(plait_surface_detector *d);
// surface_deep.c: insides of closed surfaces as they are now; then nodes that are in there. False without memory.
bool plait_surface_insides(plait_surface_detector *d);
bool plait_surface_deep(plait_surface_detector *d);
void plait_inside_free(plait_inside *in);
// surface_track.c: sorted, each once, into `touches`; `last`.
bool plait_surface_track(plait_surface_detector *d, plait_surface_touches *touches);
// order <- 0 .. n - 1 so that touches are in the order of their numbers, equal ones as they came; spare: room for n.
void plait_surface_sort(const plait_surface_touch *touch, int n, int *order, int *spare);

// body for every chunk of n items, each with its own bin; then what they found, in the order of chunks, to `gathered`.
typedef void plait_surface_work(plait_surface_detector *d, plait_surface_bin *bin, int64_t begin, int64_t end,
                                void *data);
bool plait_surface_run(plait_surface_detector *d, int64_t n, int64_t grain, plait_surface_work *body, void *data);

// A cleared contact at the end of the list; NULL without memory (bin->failed).
plait_surface_touch *plait_surface_add(plait_surface_bin *bin);
// A side on a feature: nodes and weights, and where it is at the start.
void plait_surface_place(const plait_surface *s, const int *node, const double *weight, int nodes,
                         plait_surface_side *side);
// The edge between two nodes that are known to have one.
int plait_topology_edge(const plait_topology *t, int a, int b);

static inline const int *plait_surface_cell(const plait_topology *t, int c)
{
    return t->cell + (int64_t)c * (t->dimension + 1);
}

static inline double plait_surface_radius(const plait_surface *s, int c)
{
    return s->cell_radius ? s->cell_radius[c] : s->radius;
}

#endif
