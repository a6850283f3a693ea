// blas.h: keeps BLAS to one thread while we factorise.
//
// Our matrices are small, groups run side by side already, and a threaded BLAS adds up in an order that depends on the
// number of threads. The setting belongs to the caller's program: it is put back afterwards.
#ifndef PLAIT_MATH_BLAS_H
#define PLAIT_MATH_BLAS_H

void plait_blas_serial_begin(void);
void plait_blas_serial_end(void);

// The few products that factors are made of, column-major, on matrices with a leading dimension. A: lower triangle.
// B[rows][cols] <- A^-1 B or A^-T B (side 'L', trans 'N' or 'T'), B <- B A^-1 or B A^-T (side 'R').
void plait_blas_trsm(char side, char trans, int rows, int cols, const double *A, int lda, double *B, int ldb);
// C <- -A B with a symmetric A, its lower triangle given; B and C: [rows][cols].
void plait_blas_symm(int rows, int cols, const double *A, int lda, const double *B, int ldb, double *C, int ldc);
// C <- C - A A^T, the lower triangle; A: [rows][cols].
void plait_blas_syrk(int rows, int cols, const double *A, int lda, double *C, int ldc);
// C[rows][cols] <- beta C + alpha A B, or with A^T (trans 'T'); `inner` is what is summed over.
void plait_blas_gemm(char trans, int rows, int cols, int inner, double alpha, const double *A, int lda, const double *B,
                     int ldb, double beta, double *C, int ldc);
// C[rows][cols] <- C - A B^T.
void plait_blas_outer(int rows, int cols, int inner, const double *A, int lda, const double *B, int ldb, double *C,
                      int ldc);

#endif
