#include "math/sparse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/pool.h"

bool plait_sparse_alloc(plait_sparse *A, int rows, int cols, int64_t entries)
{
    size_t count = entries > 0 ? (size_t)entries : 1;
    A->rows = rows, A->cols = cols;
    A->ptr = plait_calloc((size_t)rows + 1, sizeof *A->ptr);
    A->col = plait_malloc(count * sizeof *A->col);
    A->val = plait_malloc(count * sizeof *A->val);
    if (A->ptr && A->col && A->val)
        return true;
    plait_sparse_free(A);
    return false;
}

void plait_sparse_free(plait_sparse *A)
{
    plait_free(A->ptr), plait_free(A->col), plait_free(A->val);
    *A = (plait_sparse){0};
}

bool plait_sparse_copy(const plait_sparse *A, plait_sparse *copy)
{
    int64_t entries = A->ptr[A->rows];
    if (!plait_sparse_alloc(copy, A->rows, A->cols, entries))
        return false;
    memcpy(copy->ptr, A->ptr, ((size_t)A->rows + 1) * sizeof *A->ptr);
    if (entries > 0) {
        memcpy(copy->col, A->col, (size_t)entries * sizeof *A->col);
        memcpy(copy->val, A->val, (size_t)entries * sizeof *A->val);
    }
    return true;
}

bool plait_sparse_transpose(const plait_sparse *A, plait_sparse *T)
{
    int64_t entries = A->ptr[A->rows];
    if (!plait_sparse_alloc(T, A->cols, A->rows, entries))
        return false;
    int64_t *next = plait_calloc((size_t)A->cols + 1, sizeof *next);
    if (!next) {
        plait_sparse_free(T);
        return false;
    }
    for (int64_t k = 0; k < entries; k++)
        T->ptr[A->col[k] + 1]++;
    for (int i = 0; i < A->cols; i++)
        T->ptr[i + 1] += T->ptr[i], next[i] = T->ptr[i];
    for (int i = 0; i < A->rows; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            int64_t to = next[A->col[k]]++;
            T->col[to] = i, T->val[to] = A->val[k];
        }
    plait_free(next);
    return true;
}

// Adds neighbours with the same column; rows are sorted already.
static void merge_duplicates(plait_sparse *A)
{
    int64_t to = 0;
    for (int i = 0; i < A->rows; i++) {
        int64_t from = A->ptr[i], start = to;
        A->ptr[i] = to;
        for (; from < A->ptr[i + 1]; from++) {
            if (to > start && A->col[to - 1] == A->col[from]) {
                A->val[to - 1] += A->val[from];
            } else {
                A->col[to] = A->col[from], A->val[to] = A->val[from], to++;
            }
        }
    }
    A->ptr[A->rows] = to;
}

bool plait_sparse_from_triplets(int rows, int cols, int64_t count, const plait_triplet *entries, plait_sparse *A)
{
    return plait_sparse_gather(rows, cols, count, entries, NULL, A);
}

bool plait_sparse_gather(int rows, int cols, int64_t count, const plait_triplet *entries, plait_stop *stop,
                         plait_sparse *A)
{
    // Two stable bucket sorts: by column (into the transpose), then by row.
    plait_sparse T, S;
    if (!plait_sparse_alloc(&T, cols, rows, count))
        return false;
    int64_t *next = plait_calloc((size_t)cols + 1, sizeof *next);
    if (!next) {
        plait_sparse_free(&T);
        return false;
    }
    for (int64_t k = 0; k < count; k++)
        T.ptr[entries[k].col + 1]++;
    for (int j = 0; j < cols; j++)
        T.ptr[j + 1] += T.ptr[j], next[j] = T.ptr[j];
    for (int64_t k = 0; k < count; k++) {
        int64_t to = next[entries[k].col]++;
        T.col[to] = entries[k].row, T.val[to] = entries[k].val;
    }
    plait_free(next);
    bool ok = !plait_stop_now(stop) && plait_sparse_transpose(&T, &S);
    plait_sparse_free(&T);
    if (!ok)
        return false;
    if (plait_stop_now(stop)) {
        plait_sparse_free(&S);
        return false;
    }
    // ptr[i + 1] is read before it is overwritten only if rows are walked upwards; merge_duplicates does.
    merge_duplicates(&S);
    *A = S;
    return true;
}

void plait_sparse_apply(const plait_sparse *A, const double *x, double *y)
{
    for (int i = 0; i < A->rows; i++) {
        double sum = 0;
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            sum += A->val[k] * x[A->col[k]];
        y[i] = sum;
    }
}

static int64_t find_column(const int *col, int64_t lo, int64_t hi, int j)
{
    int64_t at = plait_place_of(col, lo, hi, j);
    return at < hi && col[at] == j ? at : -1;
}

double plait_sparse_asymmetry(const plait_sparse *A)
{
    double largest = 0, difference = 0;
    for (int i = 0; i < A->rows; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            int64_t t = find_column(A->col, A->ptr[A->col[k]], A->ptr[A->col[k] + 1], i);
            largest = fmax(largest, fabs(A->val[k]));
            difference = fmax(difference, fabs(A->val[k] - (t < 0 ? 0 : A->val[t])));
        }
    return largest > 0 ? difference / largest : 0;
}

plait_block_matrix *plait_block_matrix_new(int n, int64_t blocks)
{
    plait_block_matrix *A = plait_calloc(1, sizeof *A);
    if (!A)
        return NULL;
    size_t count = blocks > 0 ? (size_t)blocks : 1;
    A->n = n;
    A->ptr = plait_calloc((size_t)n + 1, sizeof *A->ptr);
    A->col = plait_malloc(count * sizeof *A->col);
    A->val = plait_calloc(9 * count, sizeof *A->val);
    if (A->ptr && A->col && A->val)
        return A;
    plait_block_matrix_free(A);
    return NULL;
}

void plait_block_matrix_free(plait_block_matrix *A)
{
    if (A)
        plait_free(A->ptr), plait_free(A->col), plait_free(A->val);
    plait_free(A);
}

void plait_block_matrix_apply(const plait_block_matrix *A, const double *r, const double *b, double *u)
{
    for (int i = 0; i < A->n; i++)
        plait_block_matrix_row(A, i, r, b, u);
}

int64_t plait_block_matrix_find(const plait_block_matrix *A, int i, int j)
{
    if (A->ptr[i + 1] - A->ptr[i] == A->n) // a full row
        return A->ptr[i] + j;
    return find_column(A->col, A->ptr[i], A->ptr[i + 1], j);
}
