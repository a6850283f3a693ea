#include "math/blas.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/simd.h"

// Only OpenBLAS has these; another BLAS is left as it is.
extern int openblas_get_num_threads(void) __attribute__((weak));
extern void openblas_set_num_threads(int threads) __attribute__((weak));

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int users, before;

void plait_blas_serial_begin(void)
{
    if (openblas_get_num_threads == NULL || openblas_set_num_threads == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (users++ == 0) {
        before = openblas_get_num_threads();
        if (before > 1)
            openblas_set_num_threads(1);
    }
    pthread_mutex_unlock(&lock);
}

void plait_blas_serial_end(void)
{
    if (openblas_get_num_threads == NULL || openblas_set_num_threads == NULL)
        return;
    pthread_mutex_lock(&lock);
    if (--users == 0 && before > 1)
        openblas_set_num_threads(before);
    pthread_mutex_unlock(&lock);
}

// ---- products ------------------------------------------------------------------------------------------------------

extern void dtrsm_(const char *side, const char *uplo, const char *trans, const char *diag, const int *m, const int *n,
                   const double *alpha, const double *A, const int *lda, double *B, const int *ldb);
extern void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *A, const int *lda,
                   double *x, const int *step);
extern void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
                   const double *A, const int *lda, const double *beta, double *C, const int *ldc);
extern void dgemm_(const char *ta, const char *tb, const int *m, const int *n, const int *k, const double *alpha,
                   const double *A, const int *lda, const double *B, const int *ldb, const double *beta, double *C,
                   const int *ldc);
extern void dsymm_(const char *side, const char *uplo, const int *m, const int *n, const double *alpha, const double *A,
                   const int *lda, const double *B, const int *ldb, const double *beta, double *C, const int *ldc);
extern void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *A, const int *lda,
                   const double *x, const int *step_x, const double *beta, double *y, const int *step_y);

static const int ONE_STEP = 1;

void plait_blas_trsm(char side, char trans, int rows, int cols, const double *A, int lda, double *B, int ldb)
{
    double one = 1;
    if (side == 'L' && cols == 1)
        dtrsv_("L", &trans, "N", &rows, A, &lda, B, &ONE_STEP);
    else
        dtrsm_(&side, "L", &trans, "N", &rows, &cols, &one, A, &lda, B, &ldb);
}

void plait_blas_symm(int rows, int cols, const double *A, int lda, const double *B, int ldb, double *C, int ldc)
{
    double zero = 0, minus = -1;
    dsymm_("L", "L", &rows, &cols, &minus, A, &lda, B, &ldb, &zero, C, &ldc);
}

void plait_blas_syrk(int rows, int cols, const double *A, int lda, double *C, int ldc)
{
    double one = 1, minus = -1;
    dsyrk_("L", "N", &rows, &cols, &minus, A, &lda, &one, C, &ldc);
}

// OpenBLAS has kernels of its own for small matrices on processors with AVX-512. Those for A B call the heap in every
// product and crash where it has nothing to give (those for A^T B do not). So small ones are ours.
static const double SMALL = 1e6; // products of numbers, up to which these kernels are taken

static const double *column(const double *A, int ld, int j)
{
    return A + (ptrdiff_t)ld * j;
}

// C += alpha A B: four columns of A at a time on two of C.
PLAIT_CLONES static void add_product(int rows, int cols, int inner, double alpha, const double *A, int lda,
                                     const double *B, int ldb, double *C, int ldc)
{
    for (int j = 0; j < cols; j += 2) {
        bool two = j + 1 < cols;
        const double *b = column(B, ldb, j), *d = two ? column(B, ldb, j + 1) : b;
        double *restrict x = C + (ptrdiff_t)ldc * j, *restrict y = C + (ptrdiff_t)ldc * (j + two);
        int k = 0;
        for (; two && k + 4 <= inner; k += 4) {
            const double *p = column(A, lda, k), *q = column(A, lda, k + 1), *r = column(A, lda, k + 2),
                         *s = column(A, lda, k + 3);
            double b0 = alpha * b[k], b1 = alpha * b[k + 1], b2 = alpha * b[k + 2], b3 = alpha * b[k + 3];
            double d0 = alpha * d[k], d1 = alpha * d[k + 1], d2 = alpha * d[k + 2], d3 = alpha * d[k + 3];
            for (int i = 0; i < rows; i++) {
                x[i] += p[i] * b0 + q[i] * b1 + r[i] * b2 + s[i] * b3;
                y[i] += p[i] * d0 + q[i] * d1 + r[i] * d2 + s[i] * d3;
            }
        }
        for (; k < inner; k++) {
            const double *p = column(A, lda, k);
            double b0 = alpha * b[k], d0 = two ? alpha * d[k] : 0;
            for (int i = 0; i < rows; i++)
                x[i] += p[i] * b0;
            for (int i = 0; two && i < rows; i++)
                y[i] += p[i] * d0;
        }
    }
}

void plait_blas_gemm(char trans, int rows, int cols, int inner, double alpha, const double *A, int lda, const double *B,
                     int ldb, double beta, double *C, int ldc)
{
    int m = trans == 'N' ? rows : inner, n = trans == 'N' ? inner : rows;
    if (cols == 1)
        dgemv_(&trans, &m, &n, &alpha, A, &lda, B, &ONE_STEP, &beta, C, &ONE_STEP);
    else if (trans == 'N' && (double)rows * cols * inner <= SMALL) {
        for (int j = 0; j < cols && beta != 1; j++)
            for (int i = 0; i < rows; i++)
                C[(ptrdiff_t)ldc * j + i] = beta == 0 ? 0 : beta * C[(ptrdiff_t)ldc * j + i];
        add_product(rows, cols, inner, alpha, A, lda, B, ldb, C, ldc);
    } else
        dgemm_(&trans, "N", &rows, &cols, &inner, &alpha, A, &lda, B, &ldb, &beta, C, &ldc);
}

void plait_blas_outer(int rows, int cols, int inner, const double *A, int lda, const double *B, int ldb, double *C,
                      int ldc)
{
    double one = 1, minus = -1;
    dgemm_("N", "T", &rows, &cols, &inner, &minus, A, &lda, B, &ldb, &one, C, &ldc);
}
