// soft_edges.c: edges of triangles, from their sides.
#include "body/soft_edges.h"

#include <stdlib.h>

#include "math/vec3.h"
#include "shape/sides.h"

plait_edge *plait_edges_of(int triangles, const int *triangle, int *count)
{
    int sides = 3 * triangles;
    plait_side *side = plait_sides_of(triangles, triangle);
    plait_edge *edge = malloc(((size_t)sides + 1) * sizeof *edge);
    *count = 0;
    for (int i = 0; side && edge && i < sides;) {
        const plait_side *s = &side[i++];
        plait_edge *e = &edge[(*count)++];
        *e = (plait_edge){{plait_side_node(s, triangle, 0), plait_side_node(s, triangle, 1)},
                          {s->triangle, -1},
                          {plait_side_node(s, triangle, 2), -1}};
        if (i < sides && plait_sides_meet(s, &side[i])) {
            e->triangle[1] = side[i].triangle;
            e->across[1] = plait_side_node(&side[i++], triangle, 2);
        }
    }
    bool ok = side != NULL;
    free(side);
    if (!ok) {
        free(edge);
        return NULL;
    }
    return edge;
}

double plait_edge_length(const double *point, const plait_edge *edge)
{
    double d[3];
    plait_vec3_sub(point + 3 * (size_t)edge->node[0], point + 3 * (size_t)edge->node[1], d);
    return plait_vec3_norm(d);
}
