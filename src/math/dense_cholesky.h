// dense_cholesky.h: the first columns of a dense symmetric matrix are eliminated, by a team.
//
//       nc     nr                     A = [F; B] with F = L L^T,   B <- B L^-T,   U <- U - B B^T
//     +----+------+
//     | F  |      |   nc rows         Large ones are cut into tiles. Where the cuts are depends on the size alone, each
//     +----+------+                   tile is the work of one thread, and sums over tiles have one order: the bits do
//     | B  |  U   |   nr rows         not depend on the team.
//     +----+------+
#ifndef PLAIT_MATH_DENSE_CHOLESKY_H
#define PLAIT_MATH_DENSE_CHOLESKY_H

#include "base/team.h"

// A: [nc][nc + nr] column-major with `ld` rows, U: [nr][nr] with `ldu`; lower triangles. Returns 0, or 1 + the column
// whose pivot is not positive. Whoever calls keeps BLAS to one thread (blas.h).
int plait_dense_eliminate(int nc, int nr, double *A, int ld, double *U, int ldu, plait_team team);

#endif
