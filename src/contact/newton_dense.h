// newton_dense.h: (A_r + A_u W) dr = q with W as a dense matrix, symmetric for as far as it is.
//
// Contacts are of three kinds. Where A_u has an inverse and A_u^-1 A_r is symmetric and not negative (whatever sticks,
// a bond that holds or that has opened, a tie) a row of the system is one of W + Lambda; where A_u = 0 (contacts that
// are open and not bonded) dr is known; the others slide. With s for the first kind and g for those that slide
//     W_ss + Lambda = L L^T,   Z = W_gs L^-T,   (A_r + A_u (W_gg - Z Z^T)) dr_g = ...
// which takes a half of the work of an unsymmetric factor if nothing slides, and never more than it.
#ifndef PLAIT_CONTACT_NEWTON_DENSE_H
#define PLAIT_CONTACT_NEWTON_DENSE_H

#include <stdbool.h>

#include "base/team.h"
#include "math/sparse.h"

typedef struct plait_newton_dense plait_newton_dense;

// W: block matrix with all of its blocks, kept by whoever gives it. NULL without memory.
plait_newton_dense *plait_newton_dense_new(const plait_block_matrix *W);
void plait_newton_dense_free(plait_newton_dense *x);

// A_r, A_u: [9 n] row-major blocks that stay until the last solution; A_r NULL means I. False if the matrix is
// singular. general: without the difference between the kinds, by an unsymmetric factor of all.
bool plait_newton_dense_factorise(plait_newton_dense *x, const double *A_r, const double *A_u, bool general,
                                  plait_team team);
// dr <- solution for q; [3 n] each, not the same. False: a number is not finite.
bool plait_newton_dense_solve(plait_newton_dense *x, const double *q, double *dr);

#endif
