// soft_edges.h: the edges of triangles, with what is on both sides of them.
#ifndef PLAIT_BODY_SOFT_EDGES_H
#define PLAIT_BODY_SOFT_EDGES_H

// across: the corner of each triangle that is not on the edge. A border has triangle[1] = across[1] = -1.
typedef struct plait_edge {
    int node[2]; // as the first triangle runs along it
    int triangle[2], across[2];
} plait_edge;

// malloc'ed, in the order of their nodes; *count: how many. An edge of more than two triangles appears with the first
// two, then with the next two. NULL without memory.
plait_edge *plait_edges_of(int triangles, const int *triangle, int *count);
double plait_edge_length(const double *point, const plait_edge *edge);

#endif
