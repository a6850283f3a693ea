// newton_krylov.h: the linear systems of Newton-type solvers without a factorisation.
//
// For groups whose factor would not fit into memory (newton_system.h decides by its size alone, so that results depend
// on neither the machine nor what else runs on it). (A_r + A_u W) dr = q by restarted GMRES:
//     S P (A_r + A_u W) S^-1 z = S P q,   dr = S^-1 z
// P_i = (A_r + A_u W_ii)^-1, the blocks on the diagonal; S_i = sqrt(s_i), so that errors of all contacts are compared
// as energies. One product with W per iteration; a bounded number of them.
#ifndef PLAIT_CONTACT_NEWTON_KRYLOV_H
#define PLAIT_CONTACT_NEWTON_KRYLOV_H

#include "contact/system.h"

typedef struct plait_krylov plait_krylov;

plait_krylov *plait_krylov_new(plait_system *sys); // NULL without memory
void plait_krylov_free(plait_krylov *k);           // NULL is fine

// A_r, A_u: [9 n] row-major blocks, to be kept by the caller; A_r NULL means I. False if a block P_i does not exist.
bool plait_krylov_set(plait_krylov *k, const double *A_r, const double *A_u);

// Solves for dr and du = W dr, [3 n] each, to what a Newton step needs, or as far as the bound of iterations allows.
// False if nothing was won, without memory, or if it was stopped.
bool plait_krylov_solve(plait_krylov *k, const double *q, double *dr, double *du);

#endif
