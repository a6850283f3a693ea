// io_samples.h: small problems for the tests of files, and comparisons of problems.
#ifndef PLAIT_TEST_IO_SAMPLES_H
#define PLAIT_TEST_IO_SAMPLES_H

#include "plait/plait.h"

#include "check.h"

// n contacts in a chain, W = D + neighbours, symmetric and diagonally dominant, with zeros inside the blocks. W is CSR
// over (d n) scalars; arrays are static and overwritten by the next call. n <= 8.
typedef struct sample_local {
    int d, n;
    int64_t ptr[25];
    int col[400];
    double val[400], q[24], mu[8];
    plait_sparse W;
} sample_local;

static inline double sample_entry(int i, int j)
{
    int low = i < j ? i : j, high = i < j ? j : i;
    return i == j ? 4 + 0.25 * i : (low * 7 + high * 3) % 4 == 0 ? 0 : 0.125 * (low + 1) / (high + 2);
}

static inline sample_local *sample_local_new(int d, int n)
{
    static sample_local s;
    int64_t count = 0;
    memset(&s, 0, sizeof s);
    s.d = d, s.n = n;
    for (int i = 0; i < d * n; i++) {
        for (int j = 0; j < d * n; j++) {
            double x = sample_entry(i, j);
            if (abs(i / d - j / d) <= 1 && x != 0)
                s.col[count] = j, s.val[count++] = x;
        }
        s.ptr[i + 1] = count;
        s.q[i] = i % d ? 0.5 - 0.1 * i : -1 - 0.01 * i;
    }
    for (int i = 0; i < n; i++)
        s.mu[i] = 0.1 + 0.2 * i;
    s.W = (plait_sparse){d * n, d * n, s.ptr, s.col, s.val};
    return &s;
}

static inline plait_problem *sample_local_problem(int d, int n)
{
    plait_error error = {0};
    sample_local *s = sample_local_new(d, n);
    plait_problem *p = plait_problem_from_delassus(d, n, &s->W, s->q, s->mu, &error);
    if (!CHECK(p != NULL))
        puts(error.text);
    return p;
}

static inline plait_problem *sample_fibres(int rods, double nu)
{
    plait_error error = {0};
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = rods, o.vertices = 6, o.nu = nu;
    plait_problem *p = plait_problem_generate_fibres(&o, &error);
    if (!CHECK(p != NULL))
        puts(error.text);
    return p;
}

static inline void check_same_reals(const char *what, int64_t count, const double *a, const double *b)
{
    int64_t different = 0;
    for (int64_t i = 0; i < count; i++)
        different += a[i] != b[i] && different < count;
    if (!CHECK_INT(different, 0))
        printf("in %s\n", what);
}

static inline void check_same_sparse(const char *what, const plait_sparse *a, const plait_sparse *b)
{
    if (!CHECK_INT(a->rows, b->rows) || !CHECK_INT(a->cols, b->cols) || !CHECK_INT(a->ptr[a->rows], b->ptr[b->rows])) {
        printf("in %s\n", what);
        return;
    }
    CHECK(memcmp(a->ptr, b->ptr, ((size_t)a->rows + 1) * sizeof *a->ptr) == 0);
    CHECK(memcmp(a->col, b->col, (size_t)a->ptr[a->rows] * sizeof *a->col) == 0);
    check_same_reals(what, a->ptr[a->rows], a->val, b->val);
}

// W as a full matrix, row by row, 3 n x 3 n; the caller frees it.
static inline double *full_delassus(const plait_problem *p)
{
    size_t m = 3 * (size_t)p->n;
    double *A = calloc(m * m + 1, sizeof *A);
    for (int i = 0; i < p->n; i++)
        for (int64_t k = p->W->ptr[i]; k < p->W->ptr[i + 1]; k++)
            for (int a = 0; a < 9; a++)
                A[(3 * (size_t)i + (size_t)a / 3) * m + 3 * (size_t)p->W->col[k] + (size_t)a % 3] =
                    p->W->val[9 * k + a];
    return A;
}

// Equal to the last bit, whichever zeros are stored.
static inline void check_same_problem(const plait_problem *a, const plait_problem *b)
{
    if (!CHECK(a && b) || !CHECK_INT(a->n, b->n) || !CHECK_INT(a->dimension, b->dimension) ||
        !CHECK((a->dynamics != NULL) == (b->dynamics != NULL)))
        return;
    check_same_reals("mu", a->n, a->mu, b->mu);
    check_same_reals("b", 3 * a->n, a->b, b->b);
    if (a->dynamics) {
        check_same_sparse("M", &a->dynamics->M, &b->dynamics->M);
        check_same_sparse("H", &a->dynamics->H, &b->dynamics->H);
        check_same_reals("f", a->dynamics->dofs, a->dynamics->f, b->dynamics->f);
        check_same_reals("w", 3 * a->n, a->dynamics->w, b->dynamics->w);
    } else if (CHECK(a->W && b->W)) {
        double *A = full_delassus(a), *B = full_delassus(b);
        check_same_reals("W", 9 * (int64_t)a->n * a->n, A, B);
        free(A), free(B);
    }
}

static inline bool file_exists(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (file)
        fclose(file);
    return file != NULL;
}

static inline void write_text_file(const char *path, const void *text, size_t size)
{
    FILE *file = fopen(path, "wb");
    if (CHECK(file != NULL)) {
        CHECK_INT((long long)fwrite(text, 1, size, file), (long long)size);
        fclose(file);
    }
}

// All numbers of a matrix with so many columns, row by row (turned: column by column); the caller frees them.
static inline double *sample_dense(const plait_sparse *A, int columns, bool turned)
{
    double *x = calloc((size_t)A->rows * (size_t)columns + 1, sizeof *x);
    for (int i = 0; x && i < A->rows; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            x[turned ? A->col[k] * A->rows + i : i * columns + A->col[k]] = A->val[k];
    return x;
}

#endif
