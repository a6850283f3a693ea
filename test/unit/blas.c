// blas.c: products of matrices against sums that are written plainly; small ones leave the heap alone.
#include "math/blas.h"
#include "base/rng.h"
#include "check.h"
#include "heap.h"

enum { LD = 131 };

static void fill(plait_rng *rng, double *A)
{
    for (int i = 0; i < LD * LD; i++)
        A[i] = plait_rng_between(rng, -1, 1);
}

CASE(products)
{
    static double A[LD * LD], B[LD * LD], C[LD * LD], before[LD * LD];
    static const int sizes[][3] = {{1, 2, 1},   {3, 3, 3},   {5, 2, 4},    {4, 7, 13},   {17, 5, 33},
                                   {40, 31, 6}, {64, 64, 9}, {100, 12, 48}, {130, 3, 120}, {120, 110, 130}};
    static const double betas[] = {0, 1, -0.7};
    plait_rng rng = plait_rng_new(3, 1);
    fill(&rng, A), fill(&rng, B);
    for (int t = 0; t < 60; t++) {
        const int *size = sizes[t % 10];
        int rows = size[0], cols = size[1], inner = size[2];
        double beta = betas[t / 20];
        char trans = t / 10 % 2 ? 'T' : 'N';
        fill(&rng, before);
        if (beta == 0)
            before[0] = NAN; // what was there does not matter
        memcpy(C, before, sizeof C);
        plait_blas_gemm(trans, rows, cols, inner, 1.3, A, LD, B, LD, beta, C, LD);
        double worst = 0;
        for (int j = 0; j < LD; j++)
            for (int i = 0; i < LD; i++) {
                double was = beta == 0 ? 0 : beta * before[LD * j + i], sum = 0;
                if (i >= rows || j >= cols) {
                    CHECK(C[LD * j + i] == before[LD * j + i]); // nothing beyond it
                    continue;
                }
                for (int k = 0; k < inner; k++)
                    sum += (trans == 'N' ? A[LD * k + i] : A[LD * i + k]) * B[LD * j + k];
                worst = fmax(worst, isnan(C[LD * j + i]) ? INFINITY : fabs(C[LD * j + i] - was - 1.3 * sum));
            }
        CHECK(worst < 1e-13);
    }
}

CASE(no_heap_calls)
{
#ifndef COUNTS
    SKIP("heap calls cannot be counted here");
#else
    static double A[LD * LD], B[LD * LD], C[LD * LD];
    plait_blas_serial_begin();
    long before = calls;
    for (int rows = 2; rows < 60; rows += 5)
        for (int cols = 2; cols < 60; cols += 3)
            for (int inner = 2; inner < 60; inner += 7) {
                plait_blas_gemm('N', rows, cols, inner, 1, A, LD, B, LD, 0, C, LD);
                plait_blas_gemm('T', rows, cols, inner, 1, A, LD, B, LD, 1, C, LD);
            }
    CHECK_INT(calls - before, 0);
    plait_blas_serial_end();
#endif
}
