// patch.h: solves the neighbourhood of the worst contacts exactly, the rest held still.
//
// Gradient methods can end up going round in circles about a few contacts whose exact law is not a contraction of its
// lagged form, with all others solved. These few and their neighbours make a small problem, which a proximal Newton
// method solves; then all contacts take gradient steps with the shifts mu |u_T| of the patch held as they are there,
// since following them would lead away again; and so on in turn.
#ifndef PLAIT_CONTACT_PATCH_H
#define PLAIT_CONTACT_PATCH_H

#include "contact/system.h"

// A solver like the others (system.h); one iteration is one neighbourhood.
bool plait_solve_patch(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);

#endif
