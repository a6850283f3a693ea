// crossing.h: an independent judge of a step: does any fibre pass through another (or through itself)?
//
// Shares no code with the detector: all pairs of segments whose swept boxes meet, found by sorting along x, are tested.
// The four end points go straight from x0 to x1, so the volume that they span is a cubic in time. At each of its roots
// the two segments lie in a plane; they cross if they meet there.
#ifndef PLAIT_TEST_CROSSING_H
#define PLAIT_TEST_CROSSING_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct crossing_segment {
    int node;
    int chain;
    double low[3], high[3];
} crossing_segment;

static int crossing_by_x(const void *a, const void *b)
{
    double x = ((const crossing_segment *)a)->low[0], y = ((const crossing_segment *)b)->low[0];
    return (x > y) - (x < y);
}

static double crossing_volume(const double *p[4], const double *q[4], double t)
{
    double c[4][3];
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            c[i][k] = (1 - t) * p[i][k] + t * q[i][k];
    double a[3], b[3], d[3];
    for (int k = 0; k < 3; k++)
        a[k] = c[1][k] - c[0][k], b[k] = c[3][k] - c[2][k], d[k] = c[2][k] - c[0][k];
    return d[0] * (a[1] * b[2] - a[2] * b[1]) + d[1] * (a[2] * b[0] - a[0] * b[2]) + d[2] * (a[0] * b[1] - a[1] * b[0]);
}

// Whether the segments meet at time t, when they lie in a plane.
static int crossing_meet(const double *p[4], const double *q[4], double t)
{
    double c[4][3], aa = 0, bb = 0, ab = 0, ad = 0, bd = 0, d[3], a[3], b[3], gap = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 3; k++)
            c[i][k] = (1 - t) * p[i][k] + t * q[i][k];
    for (int k = 0; k < 3; k++) {
        a[k] = c[1][k] - c[0][k], b[k] = c[3][k] - c[2][k], d[k] = c[2][k] - c[0][k];
        aa += a[k] * a[k], bb += b[k] * b[k], ab += a[k] * b[k], ad += a[k] * d[k], bd += b[k] * d[k];
    }
    double det = aa * bb - ab * ab;
    if (det <= 1e-12 * aa * bb)
        return 0; // parallel in this instant: they slide along each other
    double s = (ad * bb - bd * ab) / det, r = (ad * ab - bd * aa) / det;
    if (s < 0 || s > 1 || r < 0 || r > 1)
        return 0;
    for (int k = 0; k < 3; k++) {
        double x = d[k] + r * b[k] - s * a[k];
        gap += x * x;
    }
    return gap <= 1e-12 * (aa + bb);
}

static int crossing_pair(const double *x0, const double *x1, int i, int j)
{
    const double *p[4] = {x0 + 3 * i, x0 + 3 * i + 3, x0 + 3 * j, x0 + 3 * j + 3};
    const double *q[4] = {x1 + 3 * i, x1 + 3 * i + 3, x1 + 3 * j, x1 + 3 * j + 3};
    // A cubic through four values; between its turning points and the ends it is monotone.
    double f[4], t[4] = {0, 1, 1, 1};
    for (int k = 0; k < 4; k++)
        f[k] = crossing_volume(p, q, k / 3.0);
    double c3 = 4.5 * (f[3] - 3 * f[2] + 3 * f[1] - f[0]), c2 = 4.5 * (2 * f[0] - 5 * f[1] + 4 * f[2] - f[3]);
    double c1 = (-11 * f[0] + 18 * f[1] - 9 * f[2] + 2 * f[3]) / 2, disc = c2 * c2 - 3 * c3 * c1;
    int count = 1;
    if (disc > 0) {
        double root = -(c2 + copysign(sqrt(disc), c2)), turn[2] = {c3 != 0 ? root / (3 * c3) : -1, c1 / root};
        if (turn[0] > turn[1]) {
            double swap = turn[0];
            turn[0] = turn[1], turn[1] = swap;
        }
        for (int k = 0; k < 2; k++)
            if (turn[k] > 0 && turn[k] < 1)
                t[count++] = turn[k];
    }
    t[count] = 1;
    for (int k = 0; k < count; k++) {
        double low = t[k], high = t[k + 1], at_low = crossing_volume(p, q, low), at_high = crossing_volume(p, q, high);
        if (at_low == 0 || (at_low > 0) == (at_high > 0))
            continue;
        for (int n = 0; n < 60; n++) {
            double middle = (low + high) / 2;
            if ((crossing_volume(p, q, middle) > 0) == (at_low > 0))
                low = middle;
            else
                high = middle;
        }
        if (crossing_meet(p, q, high))
            return 1;
    }
    return 0;
}

// How many pairs of segments pass through each other. first[chains + 1]: first node of each chain.
static inline int crossing_count(int chains, const int *first, const double *x0, const double *x1)
{
    int count = 0, crossings = 0;
    crossing_segment *s = malloc(((size_t)first[chains] + 1) * sizeof *s);
    for (int c = 0; c < chains; c++)
        for (int n = first[c]; n + 1 < first[c + 1]; n++) {
            crossing_segment *e = &s[count++];
            e->node = n, e->chain = c;
            for (int k = 0; k < 3; k++) {
                e->low[k] = fmin(fmin(x0[3 * n + k], x0[3 * n + 3 + k]), fmin(x1[3 * n + k], x1[3 * n + 3 + k]));
                e->high[k] = fmax(fmax(x0[3 * n + k], x0[3 * n + 3 + k]), fmax(x1[3 * n + k], x1[3 * n + 3 + k]));
            }
        }
    qsort(s, (size_t)count, sizeof *s, crossing_by_x);
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count && s[j].low[0] <= s[i].high[0]; j++) {
            if (s[i].low[1] > s[j].high[1] || s[j].low[1] > s[i].high[1] || s[i].low[2] > s[j].high[2] ||
                s[j].low[2] > s[i].high[2])
                continue;
            if (s[i].chain == s[j].chain && abs(s[i].node - s[j].node) < 2)
                continue;
            crossings += crossing_pair(x0, x1, s[i].node, s[j].node);
        }
    free(s);
    return crossings;
}

#endif
