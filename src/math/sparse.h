// sparse.h: CSR and 3x3 block-sparse matrices: allocation, copies, transposes. Plain storage, no arithmetic secrets.
#ifndef PLAIT_MATH_SPARSE_H
#define PLAIT_MATH_SPARSE_H

#include <stdbool.h>

#include "base/stop.h"
#include "plait/sparse.h"

// One entry of a matrix given in any order.
typedef struct plait_triplet {
    int row, col;
    double val;
} plait_triplet;

bool plait_sparse_alloc(plait_sparse *A, int rows, int cols, int64_t entries);
void plait_sparse_free(plait_sparse *A); // frees the arrays, not A
bool plait_sparse_copy(const plait_sparse *A, plait_sparse *copy);
bool plait_sparse_transpose(const plait_sparse *A, plait_sparse *T);

// Sums duplicates and sorts columns. Returns false if there is no memory.
bool plait_sparse_from_triplets(int rows, int cols, int64_t count, const plait_triplet *entries, plait_sparse *A);
// The same; false, too, if it was stopped.
bool plait_sparse_gather(int rows, int cols, int64_t count, const plait_triplet *entries, plait_stop *stop,
                         plait_sparse *A);

// y = A x
void plait_sparse_apply(const plait_sparse *A, const double *x, double *y);

// max |A - A^T| / max |A| of a square matrix with ascending columns.
double plait_sparse_asymmetry(const plait_sparse *A);

plait_block_matrix *plait_block_matrix_new(int n, int64_t blocks);
void plait_block_matrix_free(plait_block_matrix *A);

// u = A r + b
void plait_block_matrix_apply(const plait_block_matrix *A, const double *r, const double *b, double *u);

// The index of block (i, j), or -1.
int64_t plait_block_matrix_find(const plait_block_matrix *A, int i, int j);

// Row i of u = A r + b.
static inline void plait_block_matrix_row(const plait_block_matrix *A, int i, const double *r, const double *b,
                                          double *u)
{
    double u0 = b[3 * i], u1 = b[3 * i + 1], u2 = b[3 * i + 2];
    for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
        const double *B = A->val + 9 * k, *x = r + 3 * (int64_t)A->col[k];
        u0 += B[0] * x[0] + B[1] * x[1] + B[2] * x[2];
        u1 += B[3] * x[0] + B[4] * x[1] + B[5] * x[2];
        u2 += B[6] * x[0] + B[7] * x[1] + B[8] * x[2];
    }
    u[3 * i] = u0, u[3 * i + 1] = u1, u[3 * i + 2] = u2;
}

#endif
