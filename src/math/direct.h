// direct.h: sparse direct solution of A x = b by MUMPS (multifrontal, BLAS 3; CeCILL-C, so no GPL code is linked).
//
// The pattern is analysed once (fill-reducing ordering), then values are factorised as often as they change.
#ifndef PLAIT_MATH_DIRECT_H
#define PLAIT_MATH_DIRECT_H

#include <stdbool.h>

#include "base/stop.h"
#include "plait/sparse.h"
#include "plait/status.h"

typedef enum plait_direct_kind {
    PLAIT_DIRECT_GENERAL = 0,
    PLAIT_DIRECT_POSITIVE = 1, // symmetric positive definite: the lower triangle counts
    PLAIT_DIRECT_SYMMETRIC = 2 // symmetric, definite or not: the lower triangle counts; not scaled
} plait_direct_kind;

typedef struct plait_direct plait_direct;

// Analyses the pattern of A (columns ascending; for POSITIVE entries above the diagonal are ignored).
// stop: NULL, or what may end a long analysis or factorisation; it must live as long as d is used. MUMPS itself cannot
// be interrupted: a large one runs in a thread of its own, which is left alone then and frees what it has when it is
// through.
plait_direct *plait_direct_new(plait_direct_kind kind, const plait_sparse *A, plait_stop *stop, plait_error *error);
void plait_direct_free(plait_direct *d);

// Factorises A, which has the analysed pattern. False if A is singular (or not positive definite), no memory, or it was
// stopped.
bool plait_direct_factorise(plait_direct *d, const plait_sparse *A);

// x <- A^-1 x for `count` right-hand sides, each of `rows` entries, one after the other.
bool plait_direct_solve(plait_direct *d, int count, double *x);

// SYMMETRIC: how many pivots of the last factorisation are negative, and so how many eigenvalues of A are.
int plait_direct_negative(const plait_direct *d);

// Whether the last call failed for lack of memory, and not because of A.
bool plait_direct_no_memory(const plait_direct *d);

// Entries in the factor, memory and flops of a factorisation, as estimated by the analysis.
double plait_direct_entries(const plait_direct *d);
double plait_direct_bytes(const plait_direct *d);
double plait_direct_flops(const plait_direct *d);

// An order of rows with little fill, for a symmetric pattern given by its lower triangle: position[i] of row i.
bool plait_direct_order(const plait_sparse *lower, int *position, plait_error *error);

// The communicator (as Fortran counts them) that MUMPS is to use from now on: before the first system is made, where
// MUMPS is linked with a real MPI. By itself it is the one of MUMPS' own, with one process.
void plait_direct_set_communicator(int fortran);

#endif
