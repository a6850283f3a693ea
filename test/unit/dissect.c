// dissect.c: orders by the places of nodes: the same solution as with any other order, less work on blocks, and nothing
// breaks where places say nothing.
#include "math/dissect.h"

#include <math.h>
#include <string.h>

#include "base/rng.h"
#include "check.h"
#include "math/cholesky.h"
#include "math/sparse.h"

enum { SIDE = 12, NODES = SIDE * SIDE * SIDE };

static bool neighbours(int i, int j)
{
    for (int k = 0; k < 3; k++, i /= SIDE, j /= SIDE)
        if (abs(i % SIDE - j % SIDE) > 1)
            return false;
    return true;
}

// A block of SIDE^3 nodes with three rows each, coupled with all nodes around them: the lower triangle.
static void make_block(plait_sparse *A, double *point)
{
    static plait_triplet t[NODES * 14 * 9 + NODES * 6];
    plait_rng rng = plait_rng_new(7, 1);
    int64_t count = 0;
    for (int i = 0; i < NODES; i++) {
        point[3 * i] = i % SIDE, point[3 * i + 1] = i / SIDE % SIDE, point[3 * i + 2] = i / SIDE / SIDE;
        for (int j = 0; j <= i; j++)
            for (int e = 0; e < 9 && neighbours(i, j); e++)
                if (i != j || e % 3 <= e / 3)
                    t[count++] = (plait_triplet){3 * i + e / 3, 3 * j + e % 3,
                                                 i == j && e % 4 == 0 ? 100 : 2 * plait_rng_uniform(&rng) - 1};
    }
    CHECK(plait_sparse_from_triplets(3 * NODES, 3 * NODES, count, t, A));
}

static double solve(const plait_cholesky_plan *p, const plait_sparse *A, double *x)
{
    double *L = malloc((size_t)plait_cholesky_size(p) * sizeof *L);
    size_t one = plait_cholesky_factorise_room(p), two = plait_cholesky_solve_room(p, 1);
    double *work = malloc(((one > two ? one : two) + 1) * sizeof *work);
    CHECK_INT(plait_cholesky_factorise(p, A->val, PLAIT_ALONE, work, L), -1);
    for (int i = 0; i < p->n; i++)
        x[i] = 1 + i % 7;
    plait_cholesky_solve(p, L, 1, work, x);
    free(L), free(work);
    return p->flops;
}

CASE(blocks)
{
    plait_sparse A = {0};
    static double point[3 * NODES], x[3][3 * NODES];
    make_block(&A, point);
    double flops[3];
    for (int k = 0; k < 3; k++) {
        static double nowhere[3 * NODES]; // all nodes at one place
        plait_cholesky_plan *p = plait_cholesky_analyse_mesh(&A, k == 0 ? NULL : k == 1 ? point : nowhere, NULL);
        CHECK(p != NULL);
        flops[k] = p ? solve(p, &A, x[k]) : 0;
        plait_cholesky_plan_free(p);
    }
    double apart = 0;
    for (int i = 0; i < 3 * NODES; i++)
        apart = fmax(apart, fmax(fabs(x[1][i] - x[0][i]), fabs(x[2][i] - x[0][i])));
    CHECK_NEAR(apart, 0, 1e-12);
    printf("flops: %.3g by the graph, %.3g by places, %.3g with places that say nothing\n", flops[0], flops[1],
           flops[2]);
    CHECK(flops[1] < 0.97 * flops[0]);
    CHECK(flops[2] <= 1.01 * flops[0]);
    plait_sparse_free(&A);
}

// All rows are there once, also where places say nothing.
CASE(an_order)
{
    plait_triplet t[80];
    plait_sparse A = {0};
    double point[120] = {0};
    int count = 0;
    for (int i = 0; i < 40; i++) {
        t[count++] = (plait_triplet){i, i, 1};
        if (i > 0)
            t[count++] = (plait_triplet){i, i - 1, 1};
    }
    CHECK(plait_sparse_from_triplets(40, 40, count, t, &A));
    for (int k = 0; k < 2; k++) {
        int position[40], seen[40] = {0};
        CHECK(plait_dissect(&A, point, position));
        for (int i = 0; i < 40; i++)
            seen[position[i]]++, point[3 * i] = i * 7 % 40; // a chain, drawn as a tangle
        for (int i = 0; i < 40; i++)
            CHECK_INT(seen[i], 1);
    }
    plait_sparse_free(&A);
}
