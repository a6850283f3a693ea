// sides.c: the sides of triangles by sorting.
#include "shape/sides.h"

#include <stdlib.h>

#include "base/order.h"

static int by_nodes(const void *a, const void *b)
{
    const plait_side *p = a, *q = b;
    int order = plait_compare_ints(p->node, q->node, 2);
    return order ? order : plait_compare_ints(&p->triangle, &q->triangle, 1);
}

plait_side *plait_sides_of(int triangles, const int *triangle)
{
    size_t count = 3 * (size_t)triangles;
    plait_side *side = malloc((count + 1) * sizeof *side);
    for (size_t i = 0; side && i < count; i++) {
        int a = triangle[i], b = triangle[i % 3 == 2 ? i - 2 : i + 1];
        side[i] = (plait_side){{a < b ? a : b, a < b ? b : a}, (int)(i / 3), (int)(i % 3)};
    }
    if (side)
        qsort(side, count, sizeof *side, by_nodes);
    return side;
}
