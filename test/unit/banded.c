// banded.c: the banded solver against a dense one.
#include "math/banded.h"

#include "base/rng.h"
#include "check.h"

enum { MAX = 60 };

// A random symmetric banded matrix; dominant makes it positive definite.
static void make(int n, double dominant, unsigned seed, double *A, double dense[MAX][MAX])
{
    plait_rng rng = plait_rng_new(seed, (uint64_t)n);
    memset(A, 0, plait_banded_room(n) * sizeof *A);
    memset(dense, 0, sizeof(double[MAX][MAX]));
    for (int c = 0; c < n; c++) {
        for (int k = 0; k <= PLAIT_BAND && c + k < n; k++) {
            double value = plait_rng_normal(&rng) + (k == 0 ? dominant : 0);
            A[c * PLAIT_BAND_STRIDE + k] = dense[c][c + k] = dense[c + k][c] = value;
        }
    }
}

CASE(solves_like_the_dense_matrix_multiplies)
{
    static double A[(MAX + PLAIT_BAND_PAD) * PLAIT_BAND_STRIDE], dense[MAX][MAX];
    const int sizes[] = {1, 2, 7, 10, 11, 12, 23, 60};
    for (int s = 0; s < (int)(sizeof sizes / sizeof *sizes); s++) {
        int n = sizes[s];
        make(n, 25, 7, A, dense);
        double x[MAX + PLAIT_BAND_PAD] = {0}, b[MAX] = {0}, product[MAX];
        plait_rng rng = plait_rng_new(3, (uint64_t)n);
        double want[MAX];
        for (int i = 0; i < n; i++)
            want[i] = plait_rng_normal(&rng);
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                b[i] += dense[i][j] * want[j];
        plait_banded_multiply(A, n, want, product);
        for (int i = 0; i < n; i++)
            CHECK_NEAR(product[i], b[i], 1e-12);
        CHECK_INT(plait_banded_factorise(A, n, 0), -1);
        memcpy(x, b, sizeof b);
        plait_banded_solve(A, n, x);
        for (int i = 0; i < n; i++)
            CHECK_NEAR(x[i], want[i], 1e-12);
    }
}

CASE(an_indefinite_matrix_is_told)
{
    static double A[(MAX + PLAIT_BAND_PAD) * PLAIT_BAND_STRIDE], dense[MAX][MAX];
    make(30, 25, 7, A, dense);
    A[17 * PLAIT_BAND_STRIDE] = -1; // no matrix with a negative diagonal entry is positive definite
    int column = plait_banded_factorise(A, 30, 0);
    CHECK(column >= 0 && column <= 17);
    make(30, 25, 7, A, dense);
    A[5 * PLAIT_BAND_STRIDE + 3] = NAN;
    CHECK(plait_banded_factorise(A, 30, 0) >= 5);
}
