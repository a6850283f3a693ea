// apart.c: boxes of time and place, halved until each has a sign.
#include "validate/apart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/soft_edges.h"
#include "math/vec3.h"

enum { DEEP = 64, MOST = 20000 }; // boxes at hand, and of one pair
static const double ROUNDING = 1e-14;

// ---- one pair -------------------------------------------------------------------------------------------------------

typedef struct pair {
    const double *from[4], *to[4]; // of its four nodes
    bool edges;
    double size; // of coordinates
} pair;

typedef struct box {
    double low[3], high[3]; // of t, s, q
} box;

static void value(const pair *p, double t, double s, double q, double F[3])
{
    double weight[4] = {1, s + q - 1, -s, -q};
    if (p->edges)
        weight[0] = 1 - s, weight[1] = s, weight[2] = q - 1, weight[3] = -q;
    for (int k = 0; k < 3; k++) {
        F[k] = 0;
        for (int i = 0; i < 4; i++)
            F[k] += weight[i] * ((1 - t) * p->from[i][k] + t * p->to[i][k]);
    }
}

// Perpendicular to both edges, or to the triangle, at time t.
static void normal(const pair *p, double t, double n[3])
{
    double x[4][3], u[3], v[3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            x[i][k] = (1 - t) * p->from[i][k] + t * p->to[i][k];
    plait_vec3_sub(p->edges ? x[1] : x[2], p->edges ? x[0] : x[1], u);
    plait_vec3_sub(x[3], p->edges ? x[2] : x[1], v);
    plait_vec3_cross(u, v, n);
    plait_vec3_normalise(n);
}

// Whether F has one sign in the box along some axis. *widest: the variable that changes it most.
static bool signed_in(const pair *p, const box *b, int *widest)
{
    double F[8][3], n[3], change[3] = {0};
    for (int c = 0; c < 8; c++)
        value(p, c & 1 ? b->high[0] : b->low[0], c & 2 ? b->high[1] : b->low[1], c & 4 ? b->high[2] : b->low[2], F[c]);
    normal(p, 0.5 * (b->low[0] + b->high[0]), n);
    for (int axis = 0; axis < 4; axis++) {
        double low = INFINITY, high = -INFINITY;
        for (int c = 0; c < 8; c++) {
            double along = axis < 3 ? F[c][axis] : plait_vec3_dot(F[c], n);
            low = fmin(low, along), high = fmax(high, along);
        }
        if (low > ROUNDING * p->size || high < -ROUNDING * p->size)
            return true;
    }
    for (int c = 0; c < 8; c++)
        for (int k = 0; k < 3; k++) {
            double d[3];
            plait_vec3_sub(F[c], F[c ^ (1 << k)], d);
            change[k] = fmax(change[k], plait_vec3_dot(d, d));
        }
    *widest = change[0] >= change[1] && change[0] >= change[2] ? 0 : change[1] >= change[2] ? 1 : 2;
    return false;
}

static bool stay_apart(const pair *p)
{
    box stack[DEEP] = {{{0, 0, 0}, {1, 1, 1}}};
    int count = 1, done = 0, axis;
    while (count > 0) {
        box b = stack[--count];
        if (!p->edges && b.low[1] + b.low[2] > 1)
            continue;
        if (signed_in(p, &b, &axis))
            continue;
        double middle = 0.5 * (b.low[axis] + b.high[axis]);
        if (++done > MOST || count + 2 > DEEP || b.high[axis] - b.low[axis] < 1e-12)
            return false;
        stack[count] = stack[count + 1] = b;
        stack[count].high[axis] = middle, stack[count + 1].low[axis] = middle;
        count += 2;
    }
    return true;
}

// ---- all pairs ------------------------------------------------------------------------------------------------------

void plait_apart_add(plait_apart *all, int body, int nodes, const int *node)
{
    if (all->count == all->room) {
        int room = 2 * all->room + 256;
        plait_apart_part *more = realloc(all->part, (size_t)room * sizeof *more);
        if (!more) {
            all->no_memory = true;
            return;
        }
        all->part = more, all->room = room;
    }
    plait_apart_part *p = &all->part[all->count++];
    *p = (plait_apart_part){.body = body, .nodes = nodes};
    memcpy(p->node, node, (size_t)nodes * sizeof *node);
}

void plait_apart_add_triangles(plait_apart *all, int body, int count, const int *triangle, int first, int nodes)
{
    int edges = 0;
    plait_edge *edge = plait_edges_of(count, triangle, &edges);
    bool *used = calloc((size_t)nodes + 1, sizeof *used);
    all->no_memory |= !edge || !used;
    for (int t = 0; t < count; t++) {
        int node[3] = {first + triangle[3 * t], first + triangle[3 * t + 1], first + triangle[3 * t + 2]};
        plait_apart_add(all, body, 3, node);
    }
    for (int i = 0; edge && i < edges; i++) {
        int node[2] = {first + edge[i].node[0], first + edge[i].node[1]};
        plait_apart_add(all, body, 2, node);
        for (int k = 0; used && k < 2; k++) {
            if (!used[edge[i].node[k]])
                plait_apart_add(all, body, 1, &node[k]);
            used[edge[i].node[k]] = true;
        }
    }
    free(edge), free(used);
}

void plait_apart_free(plait_apart *all)
{
    free(all->part);
    *all = (plait_apart){0};
}

static int by_x(const void *a, const void *b)
{
    double x = ((const plait_apart_part *)a)->low[0], y = ((const plait_apart_part *)b)->low[0];
    return (x > y) - (x < y);
}

static bool may_meet(const plait_apart_part *a, const plait_apart_part *b)
{
    if (!(a->nodes == 2 && b->nodes == 2) && !(a->nodes == 1 && b->nodes == 3))
        return false;
    for (int k = 0; k < 3; k++)
        if (a->low[k] > b->high[k] || b->low[k] > a->high[k])
            return false;
    for (int i = 0; i < a->nodes; i++)
        for (int j = 0; j < b->nodes; j++)
            if (a->node[i] == b->node[j])
                return false;
    return true;
}

static void set_nodes(pair *p, const plait_apart_part *of, int at, const double *x0, const double *x1)
{
    for (int n = 0; n < 3 && n < of->nodes && at + n < 4; n++)
        p->from[at + n] = x0 + 3 * (size_t)of->node[n], p->to[at + n] = x1 + 3 * (size_t)of->node[n];
}

int plait_apart_count(plait_apart *all, const double *x0, const double *x1)
{
    int open = 0;
    double size = 0;
    if (all->no_memory)
        return -1;
    for (int i = 0; i < all->count; i++) {
        plait_apart_part *p = &all->part[i];
        for (int k = 0; k < 3; k++) {
            p->low[k] = INFINITY, p->high[k] = -INFINITY;
            for (int n = 0; n < p->nodes; n++) {
                double from = x0[3 * p->node[n] + k], to = x1[3 * p->node[n] + k];
                p->low[k] = fmin(p->low[k], fmin(from, to)), p->high[k] = fmax(p->high[k], fmax(from, to));
            }
            size = fmax(size, fmax(fabs(p->low[k]), fabs(p->high[k])));
        }
    }
    qsort(all->part, (size_t)all->count, sizeof *all->part, by_x);
    for (int i = 0; i < all->count; i++)
        for (int j = i + 1; j < all->count && all->part[j].low[0] <= all->part[i].high[0]; j++) {
            const plait_apart_part *a = &all->part[i], *b = &all->part[j], *less = a->nodes <= b->nodes ? a : b;
            const plait_apart_part *more = less == a ? b : a;
            pair p = {.edges = less->nodes == 2, .size = size};
            if (!may_meet(less, more))
                continue;
            set_nodes(&p, less, 0, x0, x1), set_nodes(&p, more, p.edges ? 2 : 1, x0, x1);
            all->pairs++;
            open += !stay_apart(&p);
        }
    return open;
}
