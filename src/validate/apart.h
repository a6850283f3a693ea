// apart.h: a proof that nothing passes through anything over a step; shares no code with detection.
//
// Nodes go straight from x0 to x1. A node p meets a triangle a b c, or an edge a b an edge c d, at a zero of
//
//     F(t, s, q) = p - a - s (b - a) - q (c - a)     or     a + s (b - a) - c - q (d - c),     all of them at time t
//
// in the unit cube (s + q <= 1 for triangles). F is affine in each variable, so that its values in a box lie within
// those at the box's eight corners, along any axis: three of the world and the normal at hand. A box whose values
// have one sign along one axis, rounding included, holds no zero; else it is halved. Pairs of which no such proof is
// found are counted: they pass, or come as near as rounding.
#ifndef PLAIT_VALIDATE_APART_H
#define PLAIT_VALIDATE_APART_H

#include <stdbool.h>

// A node (1), an edge (2) or a triangle (3) of a body; nodes are numbered over all bodies.
typedef struct plait_apart_part {
    int body, nodes, node[3];
    double low[3], high[3];
} plait_apart_part;

typedef struct plait_apart {
    int count, room;
    plait_apart_part *part;
    long long pairs; // that were looked at
    bool no_memory;
} plait_apart;

void plait_apart_add(plait_apart *all, int body, int nodes, const int *node);
// Triangles [3 count] with their edges and nodes, once each; the body's nodes begin at `first`, and are `nodes`.
void plait_apart_add_triangles(plait_apart *all, int body, int count, const int *triangle, int first, int nodes);
void plait_apart_free(plait_apart *all);
// How many pairs, of different bodies or of one, without a node in common, are not proved to stay apart.
// Parts are put in order. -1: no memory.
int plait_apart_count(plait_apart *all, const double *x0, const double *x1);

#endif
