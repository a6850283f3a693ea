// newton_system.h: the linear systems of Newton-type solvers, in the form that is cheaper to factorise.
//
// Linearising a per-contact law about (r, u) gives A_r dr + A_u du = q for each contact (3x3 blocks), with du = W dr.
//   contact form:   (A_r + A_u W) dr = q        3n unknowns, W assembled; dense if small or full, else sparse
//   velocity form:  if A_r = I:  dr = q - A_u du,  du = H dv,  (M + H^T A_u H) dv = H^T q      dofs unknowns, sparse
// The second is the better one for rods, whose M is banded, and the only one that stays small when nu > 1.
// Where the factor would have more than 6e8 entries (from some 40 000 contacts in one tangled group) there is none, and
// each solution is iterated (newton_krylov.h).
#ifndef PLAIT_CONTACT_NEWTON_SYSTEM_H
#define PLAIT_CONTACT_NEWTON_SYSTEM_H

#include "contact/system.h"

typedef struct plait_newton_system plait_newton_system;

// identity: A_r will always be I, so that the velocity form may be chosen. NULL without memory, or if it was stopped.
plait_newton_system *plait_newton_system_new(plait_system *sys, bool identity);
void plait_newton_system_free(plait_newton_system *x);

// Flops of one factorisation, estimated; to decide whether it is worth starting.
double plait_newton_system_flops(const plait_newton_system *x);

// A_r, A_u: [9 n] row-major blocks; A_r NULL means I. False if the matrix is singular there is no memory, or it was
// stopped.
bool plait_newton_system_factorise(plait_newton_system *x, const double *A_r, const double *A_u);

// Solves for dr and du = W dr, [3 n] each.
bool plait_newton_system_solve(plait_newton_system *x, const double *q, double *dr, double *du);

#endif
