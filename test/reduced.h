// reduced.h: a problem with W alone.
#ifndef PLAIT_TEST_REDUCED_H
#define PLAIT_TEST_REDUCED_H

#include <stdlib.h>

#include "plait/contact.h"

static inline double *times(const double *x, int64_t count, double scale)
{
    double *y = malloc(((size_t)count + 1) * sizeof *y);
    for (int64_t i = 0; i < count; i++)
        y[i] = scale * x[i];
    return y;
}

// W alone, times `by_W`, and b times `by_b`.
static inline plait_problem *reduced(plait_problem *p, double by_W, double by_b, plait_error *error)
{
    plait_problem_assemble(p, 1, NULL);
    int size = 3 * p->n;
    int64_t at = 0;
    plait_sparse A = {.rows = size, .cols = size};
    A.ptr = calloc((size_t)size + 1, sizeof *A.ptr);
    A.col = malloc(9 * (size_t)p->W->ptr[p->n] * sizeof *A.col);
    A.val = malloc(9 * (size_t)p->W->ptr[p->n] * sizeof *A.val);
    for (int i = 0; i < size; i++) {
        for (int64_t k = p->W->ptr[i / 3]; k < p->W->ptr[i / 3 + 1]; k++)
            for (int e = 0; e < 3; e++)
                A.col[at] = 3 * p->W->col[k] + e, A.val[at++] = by_W * p->W->val[9 * k + 3 * (i % 3) + e];
        A.ptr[i + 1] = at;
    }
    double *b = times(p->b, size, by_b);
    plait_problem *q = plait_problem_from_delassus(3, p->n, &A, b, p->mu, error);
    free(A.ptr), free(A.col), free(A.val), free(b);
    return q;
}

#endif
