// spread.h: a group of contacts spread over ranks, seen from the one that leads.
//
//     rank 0                                        others
//     the whole program; problems as ever           plait_spread_serve: wait for orders
//     a large group: NEW  ---- packets ---->        factors, limbs, contacts of their share (share.h)
//     apgd: SOLVE         ---- r --------->         the same iterations, side by side on all ranks
//                         <--- r, u -------
//     FREE, END
//
// Orders are told by rank 0 alone, so files, messages, options, time steps and signals are those of the program that
// works alone. What gradient steps do on their way is spread; other solvers, which read blocks of W, run on rank 0.
#ifndef PLAIT_CONTACT_SPREAD_H
#define PLAIT_CONTACT_SPREAD_H

#include "contact/system.h"

typedef struct plait_spread plait_spread;

// Whether a group is to be solved by all ranks: its team has some, it is large, of Coulomb's law alone and without
// bodies that have sparse factors.
bool plait_spread_pays(const plait_system *sys);

// apgd by all of them: arguments as of plait_apgd_run. The group is dealt out the first time.
bool plait_spread_solve(plait_system *sys, int first, int last, int max_iterations, double *r, double *u,
                        plait_outcome *out);

// u = W r + b
void plait_spread_apply(plait_spread *spread, const double *r, const double *b, double *u);

void plait_spread_free(plait_spread *spread); // NULL is fine

// What all ranks but rank 0 do, until it tells them to end.
void plait_spread_serve(plait_ranks *ranks, int threads);
void plait_spread_end(plait_ranks *ranks);
// What each rank has done so far, account[ranks].
void plait_spread_report(plait_ranks *ranks, plait_ranks_account *account);

// apgd.c: gradient steps on the contacts of a system; with a share, by all ranks at the same time.
bool plait_apgd_run(plait_system *sys, int first, int last, int max_iterations, double *r, double *u,
                    plait_outcome *out);

#endif
