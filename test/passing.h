// passing.h: an independent judge of a step: does a node pass through a triangle, or an edge through an edge?
//
// Shares no code with the detector. All features of all bodies go straight from x0 to x1. Four points span a volume that is a
// cubic in time; at its roots they lie in a plane, and pass through each other if they meet there. Pairs are found by
// sorting swept boxes along x.
#ifndef PLAIT_TEST_PASSING_H
#define PLAIT_TEST_PASSING_H

#include "crossing.h"

// A part: node (1), edge (2) or triangle (3) of a body; nodes are numbered over all bodies.
typedef struct passing_part {
    int body, nodes, node[3];
    double low[3], high[3];
} passing_part;

typedef struct passing_parts {
    int count, room;
    passing_part *part;
} passing_parts;

static inline void passing_add(passing_parts *all, int body, int nodes, const int *node, const double *x0, const double *x1)
{
    if (all->count == all->room) {
        all->room = 2 * all->room + 64;
        all->part = realloc(all->part, (size_t)all->room * sizeof *all->part);
    }
    passing_part *p = &all->part[all->count++];
    *p = (passing_part){.body = body, .nodes = nodes};
    for (int k = 0; k < 3; k++)
        p->low[k] = INFINITY, p->high[k] = -INFINITY;
    for (int i = 0; i < nodes; i++) {
        p->node[i] = node[i];
        for (int k = 0; k < 3; k++) {
            p->low[k] = fmin(p->low[k], fmin(x0[3 * node[i] + k], x1[3 * node[i] + k]));
            p->high[k] = fmax(p->high[k], fmax(x0[3 * node[i] + k], x1[3 * node[i] + k]));
        }
    }
}

// The nodes and edges of a chain, from node `from` to node `to`.
static inline void passing_add_chain(passing_parts *all, int body, int from, int to, const double *x0, const double *x1)
{
    for (int n = from; n <= to; n++) {
        int link[2] = {n, n + 1};
        passing_add(all, body, 1, link, x0, x1);
        if (n < to)
            passing_add(all, body, 2, link, x0, x1);
    }
}

// A triangle whose nodes are counted from `first`, its edges and its nodes.
static inline void passing_add_triangle(passing_parts *all, int body, int first, const int *node, const double *x0,
                                        const double *x1)
{
    int n[4] = {first + node[0], first + node[1], first + node[2], first + node[0]};
    passing_add(all, body, 3, n, x0, x1);
    for (int k = 0; k < 3; k++)
        passing_add(all, body, 2, n + k, x0, x1), passing_add(all, body, 1, n + k, x0, x1);
}

static inline int passing_by_x(const void *a, const void *b)
{
    double x = ((const passing_part *)a)->low[0], y = ((const passing_part *)b)->low[0];
    return (x > y) - (x < y);
}

// Six times the volume of the four points at time t; also gives them.
static inline double passing_volume(const double *const p[4], const double *const q[4], double t, double c[4][3])
{
    double e[3][3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            c[i][k] = (1 - t) * p[i][k] + t * q[i][k];
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 3; k++)
            e[i][k] = c[i + 1][k] - c[0][k];
    return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) - e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
           e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

// Points in a plane: whether the first is inside of the triangle of the others, or the segments (0 1) and (2 3) cross.
static inline int passing_meet(double c[4][3], int edges)
{
    double u[3], v[3], w[3], uu = 0, uv = 0, vv = 0, uw = 0, vw = 0;
    for (int k = 0; k < 3; k++) {
        u[k] = edges ? c[1][k] - c[0][k] : c[2][k] - c[1][k];
        v[k] = edges ? c[2][k] - c[3][k] : c[3][k] - c[1][k];
        w[k] = edges ? c[2][k] - c[0][k] : c[0][k] - c[1][k];
        uu += u[k] * u[k], uv += u[k] * v[k], vv += v[k] * v[k], uw += u[k] * w[k], vw += v[k] * w[k];
    }
    double det = uu * vv - uv * uv;
    if (det <= 1e-10 * uu * vv)
        return 0;
    double a = (uw * vv - vw * uv) / det, b = (vw * uu - uw * uv) / det, tiny = 1e-9;
    return edges ? a > tiny && a < 1 - tiny && b > tiny && b < 1 - tiny : a > tiny && b > tiny && a + b < 1 - tiny;
}

static inline int passing_pair(const double *x0, const double *x1, const int node[4], int edges)
{
    enum { PIECES = 64 };
    const double *p[4], *q[4];
    double c[4][3];
    for (int i = 0; i < 4; i++)
        p[i] = x0 + 3 * node[i], q[i] = x1 + 3 * node[i];
    double last = passing_volume(p, q, 0, c);
    for (int k = 1; k <= PIECES; k++) {
        double low = (k - 1.0) / PIECES, high = (double)k / PIECES, next = passing_volume(p, q, high, c), start = last;
        last = next;
        if (start == 0 || (start > 0) == (next > 0))
            continue;
        for (int n = 0; n < 60; n++) {
            double middle = (low + high) / 2;
            if ((passing_volume(p, q, middle, c) > 0) == (start > 0))
                low = middle;
            else
                high = middle;
        }
        passing_volume(p, q, high, c);
        if (passing_meet(c, edges))
            return 1;
    }
    return 0;
}

static inline int passing_test(const passing_part *a, const passing_part *b, const double *x0, const double *x1)
{
    if (a->nodes > b->nodes) {
        const passing_part *t = a;
        a = b, b = t;
    }
    int node[4], edges = a->nodes == 2 && b->nodes == 2;
    if (!edges && !(a->nodes == 1 && b->nodes == 3))
        return 0;
    for (int i = 0; i < a->nodes; i++)
        node[i] = a->node[i];
    for (int i = 0; i < b->nodes; i++)
        node[a->nodes + i] = b->node[i];
    for (int i = 0; i < a->nodes; i++)
        for (int j = 0; j < b->nodes; j++)
            if (a->node[i] == b->node[j])
                return 0;
    return passing_pair(x0, x1, node, edges);
}

// How many pairs pass through each other. self[body]: it may touch itself. Parts are put in order.
static inline int passing_count(passing_parts *all, const unsigned char *self, const double *x0, const double *x1)
{
    int passed = 0;
    qsort(all->part, (size_t)all->count, sizeof *all->part, passing_by_x);
    for (int i = 0; i < all->count; i++)
        for (int j = i + 1; j < all->count && all->part[j].low[0] <= all->part[i].high[0]; j++) {
            const passing_part *a = &all->part[i], *b = &all->part[j];
            if (a->low[1] > b->high[1] || b->low[1] > a->high[1] || a->low[2] > b->high[2] || b->low[2] > a->high[2] ||
                (a->body == b->body && !self[a->body]))
                continue;
            passed += passing_test(a, b, x0, x1);
        }
    return passed;
}

#endif
