// factor.h: Cholesky factors of the blocks of M, by kind. The body's row says which kind its matrix is.
//
//     kind      for                          a factor holds                     factorise      solve
//     band      rods: chains of dofs         eight bodies, one in each lane     lanes          lanes
//     dense     super-helices, rigid bodies  the same with a full band          lanes          lanes
//     sparse    cloth, solids                one body                           BLAS 3         BLAS 2 and 3
//
// All kinds do the same three things: take a shape (for the sparse kind a plan, which outlives the factor), factorise
// values in place, solve for right sides. Whoever uses factors needs to know how many lanes one has, and nothing else
// of it.
#ifndef PLAIT_MATH_FACTOR_H
#define PLAIT_MATH_FACTOR_H

#include <stddef.h>
#include <stdint.h>

#include "base/simd.h"
#include "math/cholesky.h"

typedef enum plait_factor_kind {
    PLAIT_FACTOR_BAND = 0,
    PLAIT_FACTOR_DENSE,
    PLAIT_FACTOR_SPARSE,
    PLAIT_FACTOR_KINDS
} plait_factor_kind;

typedef struct plait_factor {
    plait_factor_kind kind;
    int size, width;                 // rows of the largest matrix in it, its half-bandwidth
    double *L;                       // as band_pack.h or cholesky.h say
    const plait_cholesky_plan *plan; // of a sparse one
    bool borrowed;                   // L belongs to who keeps it
} plait_factor;

// What came of a matrix that stays the same for a while: its factor, and its inverse where somebody asked for it. Who
// has the matrix gives memory, and says when it is another one; nobody sees a difference but in time.
typedef struct plait_kept_factor {
    double *L;     // of a sparse factor
    bool done;     // L is that of the matrix as it is
    double *Z;     // the inverse on the pattern of L, laid out as L is
    bool inverted; // Z is that of the matrix as it is
    int users;     // of A
    int dofs;      // A is the inverse on these; 0: there is none
    int most;      // dofs that there is room for
    int *number;   // [n] where each row of the matrix is among them; -1: nowhere
    double *A;     // [dofs][dofs]
} plait_kept_factor;

const char *plait_factor_name(plait_factor_kind kind);
int plait_factor_lanes(plait_factor_kind kind);

// What a matrix of unknown origin gets: the sparse kind where a band would be large and wide.
plait_factor_kind plait_factor_choose(int size, int width);

// Numbers of L, and of scratch to factorise and to solve for `count` right sides of one matrix.
int64_t plait_factor_numbers(const plait_factor *f);
size_t plait_factor_room(const plait_factor *f);
size_t plait_factor_solve_room(const plait_factor *f, int count);

// val: the entries of a sparse matrix in the order of its plan; bands and dense ones lie in L already. Returns -1, or
// row * lanes + lane of the first pivot that is not positive.
long plait_factor_factorise(plait_factor *f, const double *val, plait_team team, double *work);

// X[size][lanes] <- A^-1 X: one right side for each matrix.
void plait_factor_solve(const plait_factor *f, double *work, double *X);

// Right sides for the one matrix in `lane`, 1 to 8 of them: X[size][LANES] <- A^-1 X. Rows before `first` are zero.
void plait_factor_solve_many(const plait_factor *f, int lane, int first, int count, double *work, double *X);

#endif
