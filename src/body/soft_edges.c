// soft_edges.c: edges of triangles by sorting.
#include "body/soft_edges.h"

#include <stdlib.h>

#include "math/vec3.h"

typedef struct side {
    int low, high, triangle, corner; // the edge from `corner` to the next one
} side;

static int by_nodes(const void *a, const void *b)
{
    const side *p = a, *q = b;
    if (p->low != q->low)
        return p->low < q->low ? -1 : 1;
    if (p->high != q->high)
        return p->high < q->high ? -1 : 1;
    return p->triangle < q->triangle ? -1 : p->triangle > q->triangle;
}

plait_edge *plait_edges_of(int triangles, const int *triangle, int *count)
{
    size_t sides = 3 * (size_t)triangles;
    side *list = malloc((sides + 1) * sizeof *list);
    plait_edge *edge = malloc((sides + 1) * sizeof *edge);
    *count = 0;
    for (size_t i = 0; list && i < sides; i++) {
        int t = (int)(i / 3), c = (int)(i % 3), a = triangle[i], b = triangle[3 * (size_t)t + (size_t)((c + 1) % 3)];
        list[i] = (side){a < b ? a : b, a < b ? b : a, t, c};
    }
    if (list && edge)
        qsort(list, sides, sizeof *list, by_nodes);
    for (size_t i = 0; list && edge && i < sides;) {
        const side *s = &list[i];
        const int *t = triangle + 3 * (size_t)s->triangle;
        plait_edge *e = &edge[(*count)++];
        *e = (plait_edge){{t[s->corner], t[(s->corner + 1) % 3]}, {s->triangle, -1}, {t[(s->corner + 2) % 3], -1}};
        i++;
        if (i < sides && list[i].low == s->low && list[i].high == s->high) {
            e->triangle[1] = list[i].triangle;
            e->across[1] = triangle[3 * (size_t)list[i].triangle + (size_t)((list[i].corner + 2) % 3)];
            i++;
        }
    }
    free(list);
    if (!list) {
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
