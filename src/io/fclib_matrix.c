// fclib_matrix.c: fclib's matrices. A group holds m, n (rows, columns), nz and nzmax, and arrays p, i, x:
//
//     nz = -2   compressed rows: row k has the entries p[k] .. p[k+1]-1, columns i[], values x[]
//     nz = -1   compressed columns, likewise
//     nz >= 0   nz triplets: row i[k], column p[k] (as CSparse has them; the comment in fclib.h says otherwise)
//
// Arrays may be longer than needed (nzmax). Some writers mark a dense matrix as compressed rows with nothing in p: then
// x has m n values, column by column.
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/fclib.h"
#include "math/sparse.h"

typedef struct stored {
    plait_h5 *h;
    const char *group;
    char name[256]; // of the dataset at hand
    int m, n, nz, nzmax;
} stored;

static const char *member(stored *s, const char *name)
{
    snprintf(s->name, sizeof s->name, "%s/%s", s->group, name);
    return s->name;
}

// What is needed of an array whose length is only bounded from below.
static bool check_length(stored *s, const char *name, int64_t needed, int64_t found)
{
    return found >= needed || plait_h5_fail(s->h, member(s, name), "expected at least %lld numbers, found %lld",
                                            (long long)needed, (long long)found);
}

static bool check_indices(stored *s, const char *name, int64_t count, const int *index, int limit)
{
    for (int64_t k = 0; k < count; k++)
        if (index[k] < 0 || index[k] >= limit)
            return plait_h5_fail(s->h, member(s, name), "expected indices from 0 to %d, found %d at index %lld",
                                 limit - 1, index[k], (long long)k);
    return true;
}

static bool check_pointers(stored *s, int64_t lines, const int64_t *p)
{
    if (p[0] != 0)
        return plait_h5_fail(s->h, member(s, "p"), "expected 0 at the beginning, found %lld", (long long)p[0]);
    for (int64_t k = 0; k < lines; k++)
        if (p[k + 1] < p[k])
            return plait_h5_fail(s->h, member(s, "p"),
                                 "expected numbers that never fall, found %lld after %lld at index %lld",
                                 (long long)p[k + 1], (long long)p[k], (long long)k + 1);
    if (p[lines] > s->nzmax)
        return plait_h5_fail(s->h, member(s, "p"), "expected at most nzmax = %d entries, found %lld", s->nzmax,
                             (long long)p[lines]);
    return true;
}

static bool is_ascending(const plait_sparse *A)
{
    for (int i = 0; i < A->rows; i++)
        for (int64_t k = A->ptr[i] + 1; k < A->ptr[i + 1]; k++)
            if (A->col[k - 1] >= A->col[k])
                return false;
    return true;
}

// Sorts columns and adds duplicates where the file has them otherwise.
static bool tidy(stored *s, plait_sparse *A)
{
    if (is_ascending(A))
        return true;
    int64_t count = A->ptr[A->rows];
    plait_triplet *entries = malloc((size_t)count * sizeof *entries);
    plait_sparse B;
    if (!entries)
        return plait_h5_no_memory(s->h, s->group);
    for (int i = 0; i < A->rows; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            entries[k] = (plait_triplet){i, A->col[k], A->val[k]};
    bool ok = plait_sparse_from_triplets(A->rows, A->cols, count, entries, &B);
    free(entries);
    if (!ok)
        return plait_h5_no_memory(s->h, s->group);
    plait_sparse_free(A);
    *A = B;
    return true;
}

// A <- A^T
static bool flip(stored *s, plait_sparse *A)
{
    plait_sparse T;
    if (!plait_sparse_transpose(A, &T))
        return plait_h5_no_memory(s->h, s->group);
    plait_sparse_free(A);
    *A = T;
    return true;
}

// Compressed lines of any direction: A is lines x limit.
static bool read_compressed(stored *s, int lines, int limit, plait_sparse *A)
{
    int64_t points = (int64_t)lines + 1, indices = -1, values = -1;
    *A = (plait_sparse){.rows = lines, .cols = limit};
    bool ok = plait_h5_read_longs(s->h, member(s, "p"), &points, &A->ptr) && check_pointers(s, lines, A->ptr) &&
              plait_h5_read_ints(s->h, member(s, "i"), &indices, &A->col) &&
              check_length(s, "i", A->ptr[lines], indices) && check_indices(s, "i", A->ptr[lines], A->col, limit) &&
              plait_h5_read_reals(s->h, member(s, "x"), &values, &A->val) &&
              check_length(s, "x", A->ptr[lines], values) && tidy(s, A);
    if (!ok)
        plait_sparse_free(A);
    return ok;
}

static bool read_triplets(stored *s, plait_sparse *A)
{
    int64_t rows = s->nz, cols = s->nz, values = -1;
    int *row = NULL, *col = NULL;
    double *val = NULL;
    plait_triplet *entries = NULL;
    bool ok = plait_h5_read_ints(s->h, member(s, "i"), &rows, &row) && check_indices(s, "i", s->nz, row, s->m) &&
              plait_h5_read_ints(s->h, member(s, "p"), &cols, &col) && check_indices(s, "p", s->nz, col, s->n) &&
              plait_h5_read_reals(s->h, member(s, "x"), &values, &val) && check_length(s, "x", s->nz, values);
    if (ok && !(entries = malloc(((size_t)s->nz + 1) * sizeof *entries)))
        ok = plait_h5_no_memory(s->h, s->group);
    if (ok) {
        for (int k = 0; k < s->nz; k++)
            entries[k] = (plait_triplet){row[k], col[k], val[k]};
        ok = plait_sparse_from_triplets(s->m, s->n, s->nz, entries, A) || plait_h5_no_memory(s->h, s->group);
    }
    free(row), free(col), free(val), free(entries);
    return ok;
}

// Whether a matrix that claims to have compressed rows is a dense one: nothing in p although x has all values.
static bool looks_dense(stored *s, bool *dense)
{
    int64_t points = 0, values = 0, *p = NULL;
    bool written = false;
    *dense = false;
    if (!plait_h5_size(s->h, member(s, "x"), &values, &written))
        return false;
    if (!written || values != (int64_t)s->m * s->n)
        return true;
    if (!plait_h5_has(s->h, member(s, "p"))) {
        *dense = true;
        return true;
    }
    if (!plait_h5_size(s->h, member(s, "p"), &points, &written))
        return false;
    if (points == 0 || !written) {
        *dense = true;
        return true;
    }
    points = -1;
    if (!plait_h5_read_longs(s->h, member(s, "p"), &points, &p))
        return false;
    *dense = true;
    for (int64_t k = 0; k < points && *dense; k++)
        *dense = p[k] == 0;
    free(p);
    return true;
}

// A is the transpose: n x m, which is how the values lie in the file.
static bool read_dense(stored *s, plait_sparse *A)
{
    int64_t values = (int64_t)s->m * s->n, used = 0;
    double *x;
    if (!plait_h5_read_reals(s->h, member(s, "x"), &values, &x))
        return false;
    bool ok = plait_sparse_alloc(A, s->n, s->m, values) || plait_h5_no_memory(s->h, s->group);
    for (int j = 0; ok && j < s->n; j++) {
        for (int i = 0; i < s->m; i++) {
            double value = x[(int64_t)j * s->m + i];
            if (value != 0)
                A->col[used] = i, A->val[used] = value, used++;
        }
        A->ptr[j + 1] = used;
    }
    free(x);
    return ok;
}

static bool check_size(stored *s, const char *name, int expected, int found)
{
    return found == expected || plait_h5_fail(s->h, member(s, name), "expected %d, found %d", expected, found);
}

bool plait_fclib_read_matrix(plait_h5 *h, const char *name, int rows, int cols, bool transpose, plait_sparse *A)
{
    stored s = {.h = h, .group = name};
    bool dense = false, flipped = false; // flipped: A is the transpose of what the file says
    if (!plait_h5_has(h, name))
        return plait_h5_fail(h, name, "expected a matrix, found nothing of this name");
    if (!plait_h5_read_int(h, member(&s, "m"), 0, INT_MAX, &s.m) ||
        !plait_h5_read_int(h, member(&s, "n"), 0, INT_MAX, &s.n) ||
        !plait_h5_read_int(h, member(&s, "nz"), -2, INT_MAX, &s.nz) ||
        !plait_h5_read_int(h, member(&s, "nzmax"), 0, INT_MAX, &s.nzmax) || !check_size(&s, "m", rows, s.m) ||
        !check_size(&s, "n", cols, s.n))
        return false;
    if (s.nz == -2 && s.m > 0 && s.n > 0 && !looks_dense(&s, &dense))
        return false;
    bool ok;
    if (dense)
        ok = read_dense(&s, A), flipped = true;
    else if (s.nz == -2)
        ok = read_compressed(&s, s.m, s.n, A);
    else if (s.nz == -1)
        ok = read_compressed(&s, s.n, s.m, A), flipped = true;
    else
        ok = read_triplets(&s, A);
    if (ok && flipped != transpose && !flip(&s, A)) {
        plait_sparse_free(A);
        ok = false;
    }
    return ok;
}

bool plait_fclib_write_matrix(plait_h5 *h, const char *name, const plait_sparse *A)
{
    stored s = {.h = h, .group = name};
    int64_t count = A->ptr[A->rows];
    if (count > INT_MAX) {
        plait_error_set(h->error, PLAIT_BAD_INPUT, "%s: %s: has %lld entries, but an fclib file can hold at most %d",
                        h->path, name, (long long)count, INT_MAX);
        return false;
    }
    int *p = malloc(((size_t)A->rows + 1) * sizeof *p);
    if (!p)
        return plait_h5_no_memory(h, name);
    for (int i = 0; i <= A->rows; i++)
        p[i] = (int)A->ptr[i];
    bool ok = plait_h5_write_group(h, name) && plait_h5_write_int(h, member(&s, "nzmax"), (int)count) &&
              plait_h5_write_int(h, member(&s, "m"), A->rows) && plait_h5_write_int(h, member(&s, "n"), A->cols) &&
              plait_h5_write_int(h, member(&s, "nz"), -2) &&
              plait_h5_write_ints(h, member(&s, "p"), (int64_t)A->rows + 1, p) &&
              plait_h5_write_ints(h, member(&s, "i"), count, A->col) &&
              plait_h5_write_reals(h, member(&s, "x"), count, A->val);
    free(p);
    return ok;
}
