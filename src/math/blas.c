#include "math/blas.h"

#include <pthread.h>
#include <stddef.h>

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

void plait_blas_gemm(char trans, int rows, int cols, int inner, double alpha, const double *A, int lda, const double *B,
                     int ldb, double beta, double *C, int ldc)
{
    int m = trans == 'N' ? rows : inner, n = trans == 'N' ? inner : rows;
    if (cols == 1)
        dgemv_(&trans, &m, &n, &alpha, A, &lda, B, &ONE_STEP, &beta, C, &ONE_STEP);
    else
        dgemm_(&trans, "N", &rows, &cols, &inner, &alpha, A, &lda, B, &ldb, &beta, C, &ldc);
}
