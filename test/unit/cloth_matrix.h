// cloth_matrix.h: M = mass + dt^2 stiffness of a square cloth of springs: along its threads, across, and over two (bending).
#ifndef PLAIT_TEST_CLOTH_MATRIX_H
#define PLAIT_TEST_CLOTH_MATRIX_H

#include <math.h>
#include <stdlib.h>

#include "base/rng.h"
#include "math/sparse.h"

static inline void cloth_position(int side, int node, double x[3])
{
    double a = (double)(node / side) / side, b = (double)(node % side) / side;
    x[0] = a, x[1] = b, x[2] = 0.05 * sin(7 * a) * cos(5 * b);
}

static inline void cloth_spring(int side, int i, int j, double stiffness, plait_triplet **t)
{
    double x[3], y[3], d[3], length = 0;
    cloth_position(side, i, x), cloth_position(side, j, y);
    for (int a = 0; a < 3; a++)
        d[a] = y[a] - x[a], length += d[a] * d[a];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            double k = stiffness * (d[a] * d[b] / length + (a == b ? 0.1 : 0)); // stretched a little
            *(*t)++ = (plait_triplet){3 * i + a, 3 * i + b, k}, *(*t)++ = (plait_triplet){3 * j + a, 3 * j + b, k};
            *(*t)++ = (plait_triplet){3 * i + a, 3 * j + b, -k}, *(*t)++ = (plait_triplet){3 * j + a, 3 * i + b, -k};
        }
}

// All of M, side * side nodes with three dofs each.
static inline bool cloth_matrix(int side, double stiffness, plait_sparse *M)
{
    static const int STEP[6][2] = {{1, 0}, {0, 1}, {1, 1}, {1, -1}, {2, 0}, {0, 2}};
    int nodes = side * side;
    plait_triplet *list = malloc(((size_t)nodes * (6 * 36 + 3) + 1) * sizeof *list), *t = list;
    if (!list)
        return false;
    for (int i = 0; i < 3 * nodes; i++)
        *t++ = (plait_triplet){i, i, 1};
    for (int a = 0; a < side; a++)
        for (int b = 0; b < side; b++)
            for (int k = 0; k < 6; k++) {
                int c = a + STEP[k][0], d = b + STEP[k][1];
                if (c < side && d >= 0 && d < side)
                    cloth_spring(side, a * side + b, c * side + d, k < 4 ? stiffness : 0.1 * stiffness, &t);
            }
    bool ok = plait_sparse_from_triplets(3 * nodes, 3 * nodes, t - list, list, M);
    free(list);
    return ok;
}

// Contacts at random triangles with random weights and frames; every fold-th one touches the last node too, as where a cloth
// lies on itself (0: none).
static inline bool cloth_contacts(int side, int n, int fold, plait_sparse *H)
{
    plait_rng rng = plait_rng_new(5, (uint64_t)n);
    if (!plait_sparse_alloc(H, 3 * n, 3 * side * side, 36 * (int64_t)n))
        return false;
    int64_t at = 0;
    for (int i = 0; i < n; i++) {
        int a = (int)(plait_rng_uniform(&rng) * (side - 1)), b = (int)(plait_rng_uniform(&rng) * (side - 1));
        int node[3] = {a * side + b, a * side + b + 1, (a + 1) * side + b};
        double p = plait_rng_uniform(&rng), q = plait_rng_uniform(&rng) * (1 - p), weight[3] = {1 - p - q, p, q};
        double z = 2 * plait_rng_uniform(&rng) - 1, turn = 6.283185307179586 * plait_rng_uniform(&rng),
               s = sqrt(1 - z * z);
        double e[3][3] = {{s * cos(turn), s * sin(turn), z}, {-sin(turn), cos(turn), 0}};
        for (int k = 0; k < 3; k++) {
            int k1 = (k + 1) % 3, k2 = (k + 2) % 3;
            e[2][k] = e[0][k1] * e[1][k2] - e[0][k2] * e[1][k1];
        }
        for (int row = 0; row < 3; row++) {
            for (int m = 0; m < 3; m++)
                for (int k = 0; k < 3; k++)
                    H->col[at] = 3 * node[m] + k, H->val[at++] = weight[m] * e[row][k];
            for (int k = 0; fold > 0 && i % fold == 0 && k < 3; k++)
                H->col[at] = 3 * (side * side - 1) + k, H->val[at++] = -e[row][k];
            H->ptr[3 * i + row + 1] = at;
        }
    }
    return true;
}

#endif
