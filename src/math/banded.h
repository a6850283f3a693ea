// banded.h: LDL^T of one symmetric matrix of half-bandwidth 10, in place, no heap.
//
// Entry (c + d, c) of the lower triangle is A[12 c + d], d = 0..10; A[12 c + 11] is padding and stays zero, as do
// entries below the last row. The array has room for size + 10 columns, because the factorisation updates whole
// columns. After the factorisation A holds L (unit diagonal) below and 1 / D on the diagonal.
#ifndef PLAIT_MATH_BANDED_H
#define PLAIT_MATH_BANDED_H

#include <stddef.h>

enum {
    PLAIT_BAND = 10,        // half-bandwidth
    PLAIT_BAND_STRIDE = 12, // doubles per column
    PLAIT_BAND_PAD = 10     // columns after the last
};

// Doubles to allocate for a matrix of n rows.
static inline size_t plait_banded_room(int n)
{
    return ((size_t)n + PLAIT_BAND_PAD) * PLAIT_BAND_STRIDE;
}

// The columns without what they are filled up with: M[(PLAIT_BAND + 1) n].
static inline void plait_banded_copy(const double *band, int n, double *M)
{
    for (size_t i = 0; i < (size_t)n; i++)
        for (size_t k = 0; k <= PLAIT_BAND; k++)
            M[i * (PLAIT_BAND + 1) + k] = band[i * PLAIT_BAND_STRIDE + k];
}

// Returns -1, or the first column whose pivot is not above `least` (the matrix is then spoilt). A NaN counts as such.
int plait_banded_factorise(double *A, int n, double least);

// x[n + PLAIT_BAND_PAD] <- A^-1 x; the padding must be finite and is spoilt.
void plait_banded_solve(const double *A, int n, double *x);

// y <- A x with the matrix before its factorisation.
void plait_banded_multiply(const double *A, int n, const double *x, double *y);

#endif
