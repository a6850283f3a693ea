// band_pack.h: banded Cholesky of eight matrices at once, one per lane.
//
// A = L L^T for symmetric positive definite matrices of one size and half-bandwidth, stored interleaved so that every
// operation runs on eight lanes: entry (i, i - width + k) of lane l is L[((width + 1) i + k) LANES + l], and k = width
// holds 1 / L_ii. Matrices that are smaller are padded with the identity; a dense one has width = size - 1.
#ifndef PLAIT_MATH_BAND_PACK_H
#define PLAIT_MATH_BAND_PACK_H

#include "base/simd.h"

typedef struct plait_band_pack {
    int size, width;
    double *L;
} plait_band_pack;

static inline double *plait_band_pack_at(const plait_band_pack *p, int i, int k)
{
    return p->L + ((long)(p->width + 1) * i + k) * PLAIT_LANES;
}

// Factorises in place; on entry L holds the lower band of each matrix with the diagonal itself at k = width.
// Returns -1, or row * LANES + lane of the first pivot that is not positive (the pack is then useless).
long plait_band_pack_factorise(plait_band_pack *p);

// X[size][LANES] <- A^-1 X, lane by lane.
void plait_band_pack_solve(const plait_band_pack *p, double *X);

// Eight right-hand sides for the one matrix in `lane`: X[size][LANES] <- A^-1 X. Rows before `first` are zero.
void plait_band_pack_solve_many(const plait_band_pack *p, int lane, int first, double *X);

// The first half of that, X <- L^-1 X: the product of two such columns is one of the inverse with their right-hand
// sides.
void plait_band_pack_forward_many(const plait_band_pack *p, int lane, int first, double *X);

#endif
