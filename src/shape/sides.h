// sides.h: the sides of triangles, in the order of the nodes that they join.
#ifndef PLAIT_SHAPE_SIDES_H
#define PLAIT_SHAPE_SIDES_H

#include <stdbool.h>

typedef struct plait_side {
    int node[2];          // the lower first
    int triangle, corner; // it goes from this corner to the next one
} plait_side;

// All 3 `triangles` sides, sorted by nodes, then by triangle; malloc'ed. NULL without memory.
plait_side *plait_sides_of(int triangles, const int *triangle);

static inline bool plait_sides_meet(const plait_side *a, const plait_side *b)
{
    return a->node[0] == b->node[0] && a->node[1] == b->node[1];
}

// The node at the beginning (0) or the end (1) of a side, as its triangle runs along it; 2: the node opposite of it.
static inline int plait_side_node(const plait_side *side, const int *triangle, int which)
{
    return triangle[3 * (long)side->triangle + (side->corner + which) % 3];
}

#endif
