// dense.c: W as a dense matrix: from blocks, and a problem from it.
#include <string.h>

#include "base/pool.h"
#include "contact/operator_parts.h"
#include "math/sparse.h"

void plait_operator_fill(const plait_operator *op, double *D)
{
    const plait_block_matrix *W = op->W;
    int64_t size = 3 * (int64_t)W->n;
    memset(D, 0, (size_t)(size * size) * sizeof *D);
    for (int i = 0; i < W->n; i++)
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++)
            for (int e = 0; e < 9; e++)
                D[(3 * (int64_t)W->col[k] + e % 3) * size + 3 * i + e / 3] = W->val[9 * k + e];
}

static void fill_blocks(int n, const double *D, plait_block_matrix *W)
{
    size_t size = 3 * (size_t)n;
    for (int i = 0; i < n; i++) {
        W->ptr[i + 1] = W->ptr[i] + n;
        for (int j = 0; j < n; j++) {
            W->col[W->ptr[i] + j] = j;
            for (int e = 0; e < 9; e++) {
                size_t a = 3 * (size_t)i + (size_t)(e / 3), c = 3 * (size_t)j + (size_t)(e % 3);
                W->val[9 * (W->ptr[i] + j) + e] = a > c ? D[c * size + a] : D[a * size + c];
            }
        }
    }
}

plait_problem *plait_problem_of_dense(int n, const double *D, const double *b, const double *mu, const double *trace)
{
    size_t count = (size_t)n + 1;
    plait_problem *q = plait_calloc(1, sizeof *q);
    if (!q)
        return NULL;
    q->dimension = 3, q->n = n;
    q->mu = plait_calloc(count, sizeof *q->mu), q->trace = plait_calloc(count, sizeof *q->trace);
    q->b = plait_calloc(3 * count, sizeof *q->b), q->W = plait_block_matrix_new(n, (int64_t)n * n);
    if (!q->mu || !q->trace || !q->b || !q->W) {
        plait_problem_free(q);
        return NULL;
    }
    memcpy(q->mu, mu, (size_t)n * sizeof *mu), memcpy(q->trace, trace, (size_t)n * sizeof *trace);
    memcpy(q->b, b, 3 * (size_t)n * sizeof *b);
    fill_blocks(n, D, q->W);
    return q;
}
