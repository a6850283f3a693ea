#include "math/dissect.h"

#include <math.h>
#include <string.h>

#include "base/pool.h"

enum { SMALL = 24 }; // nodes that are not cut any more

typedef struct node {
    double x; // along the axis of the cut
    int i;
} node;

typedef struct graph {
    int n;
    int64_t *ptr; // [n + 1]
    int *next;    // neighbours of each, both ways
    const double *point;
    unsigned char *side; // [n] of the cut at hand: 1, 2; 0: not in it
    node *sorted;        // [n]
    int *order, count;
} graph;

static int by_place(const void *a, const void *b)
{
    const node *p = a, *q = b;
    return p->x < q->x ? -1 : p->x > q->x ? 1 : p->i - q->i;
}

static bool make_graph(const plait_sparse *lower, const double *point, graph *g)
{
    size_t n = (size_t)lower->rows, entries = (size_t)lower->ptr[n];
    *g = (graph){.n = lower->rows, .point = point};
    g->ptr = plait_calloc(n + 2, sizeof *g->ptr), g->next = plait_malloc((2 * entries + 1) * sizeof *g->next);
    g->side = plait_calloc(n + 1, 1), g->sorted = plait_malloc((n + 1) * sizeof *g->sorted);
    g->order = plait_malloc((n + 1) * sizeof *g->order);
    if (!g->ptr || !g->next || !g->side || !g->sorted || !g->order)
        return false;
    int64_t *at = g->ptr + 1; // one place behind: where each list ends, once it is filled
    for (int i = 0; i < g->n; i++)
        for (int64_t k = lower->ptr[i]; k < lower->ptr[i + 1]; k++)
            if (lower->col[k] != i)
                at[i + 1]++, at[lower->col[k] + 1]++;
    for (size_t i = 0; i < n; i++)
        at[i + 1] += at[i];
    for (int i = 0; i < g->n; i++)
        for (int64_t k = lower->ptr[i]; k < lower->ptr[i + 1]; k++)
            if (lower->col[k] != i)
                g->next[at[i]++] = lower->col[k], g->next[at[lower->col[k]]++] = i;
    return true;
}

static void free_graph(graph *g)
{
    plait_free(g->ptr), plait_free(g->next), plait_free(g->side), plait_free(g->sorted), plait_free(g->order);
}

// ---- cuts -----------------------------------------------------------------------------------------------------------

static int longest_axis(const graph *g, const int *list, int count)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    int axis = 0;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < 3; k++) {
            double x = g->point[3 * (size_t)list[i] + (size_t)k];
            low[k] = fmin(low[k], x), high[k] = fmax(high[k], x);
        }
    for (int k = 1; k < 3; k++)
        if (high[k] - low[k] > (1 + 1e-9) * (high[axis] - low[axis]))
            axis = k;
    return axis;
}

// Sorts the list along the axis. Returns where it is cut: in the middle, or beside the layer of nodes that is there.
static int cut(graph *g, int *list, int count)
{
    int axis = longest_axis(g, list, count), middle = count / 2, from = middle, to = middle;
    for (int i = 0; i < count; i++)
        g->sorted[i] = (node){g->point[3 * (size_t)list[i] + (size_t)axis], list[i]};
    plait_sort(g->sorted, (size_t)count, sizeof *g->sorted, by_place);
    double layer = 1e-6 * (g->sorted[count - 1].x - g->sorted[0].x), x = g->sorted[middle].x;
    while (from > 0 && g->sorted[from - 1].x >= x - layer)
        from--;
    while (to < count && g->sorted[to].x <= x + layer)
        to++;
    for (int i = 0; i < count; i++)
        list[i] = g->sorted[i].i;
    if (from > 0 && (middle - from < to - middle || to == count))
        return from;
    return to < count ? to : middle;
}

static bool touches_other(const graph *g, int i)
{
    int other = 3 - g->side[i];
    for (int64_t k = g->ptr[i]; k < g->ptr[i + 1]; k++)
        if (g->side[g->next[k]] == other)
            return true;
    return false;
}

// Halves without the separator stay in front of the list: first[0], first[1] nodes; it comes last. room: [count].
static void separate(graph *g, int *list, int count, int half, int first[2], int *room)
{
    int touching[3] = {0}, filled = 0;
    for (int i = 0; i < count; i++)
        g->side[list[i]] = i < half ? 1 : 2;
    for (int i = 0; i < count; i++)
        touching[g->side[list[i]]] += touches_other(g, list[i]);
    int from = touching[1] <= touching[2] ? 1 : 2, last = count;
    for (int i = count - 1; i >= 0; i--)
        if (g->side[list[i]] == from && touches_other(g, list[i]))
            room[--last] = list[i];
    first[0] = first[1] = 0;
    for (int i = 0; i < count; i++)
        if (g->side[list[i]] != from || !touches_other(g, list[i]))
            first[g->side[list[i]] - 1]++, room[filled++] = list[i];
    for (int i = 0; i < count; i++)
        g->side[list[i]] = 0;
    memcpy(list, room, (size_t)count * sizeof *list);
}

static void dissect(graph *g, int *list, int count, int *room)
{
    int first[2] = {0, 0};
    if (count > SMALL) {
        separate(g, list, count, cut(g, list, count), first, room);
        dissect(g, list, first[0], room), dissect(g, list + first[0], first[1], room);
    }
    for (int i = first[0] + first[1]; i < count; i++)
        g->order[g->count++] = list[i];
}

bool plait_dissect(const plait_sparse *lower, const double *point, int *position)
{
    graph g;
    size_t n = (size_t)lower->rows;
    int *list = plait_malloc((2 * n + 1) * sizeof *list);
    bool ok = make_graph(lower, point, &g) && list;
    if (ok) {
        for (int i = 0; i < g.n; i++)
            list[i] = i;
        dissect(&g, list, g.n, list + n);
        for (int i = 0; i < g.n; i++)
            position[g.order[i]] = i;
    }
    free_graph(&g), plait_free(list);
    return ok;
}
