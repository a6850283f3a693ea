// newton.h: nonsmooth Newton on F(r, u(r)) = 0, u = W r + b, for any function F whose zeros are the law
// (Bertails-Descoubes et al. 2011, Algorithms 1 and 2).
//
// A step d solves (F_r + F_u W) d = -F and is shortened by a Goldstein-Price search on 1/2 |F|^2. F is written in
// velocities, so that contacts of very different W_ii weigh alike. If there are dynamics and many contacts, F_r is
// divided out and the step is found in velocities (newton_system.h): F_r + eps I takes its place, with an eps so small
// that it shows in the ninth digit of the step. It has an inverse as F_r has no negative eigenvalue.
#ifndef PLAIT_CONTACT_NEWTON_H
#define PLAIT_CONTACT_NEWTON_H

#include "contact/system.h"

// F of contact i; where F_r is not NULL also an element of its generalised Jacobian, [9] row-major each.
typedef void (*plait_newton_function)(const plait_system *sys, const void *data, int i, const double r[3],
                                      const double u[3], double F[3], double F_r[9], double F_u[9]);

typedef struct plait_newton plait_newton;

// One step at a time. `data` goes to the function. NULL without memory.
plait_newton *plait_newton_new(plait_system *sys, plait_newton_function function, const void *data);
void plait_newton_free(plait_newton *x); // NULL is fine

// Forgets the merits of the last steps: the function or the iterate was changed from outside.
void plait_newton_reset(plait_newton *x);

// sqrt(sum |F|^2)
double plait_newton_norm(const plait_newton *x, const double *r, const double *u);

// One step from r and u = W r + b, which are changed; u stays W r + b. Returns the part of the full step that was
// taken; 0: there is no step that makes the merit smaller, and r and u are as they were.
double plait_newton_step(plait_newton *x, double *r, double *u);

// The full step, whatever it does to the merit. False: there is none, and r and u are as they were.
//   from r     the Jacobian is that at r and the velocities which the law gives to r: impulses of the last time step
//              say which contacts stick and which bonds pull; W r + b, in a motion that has gone on, says it less well
//   chord      with the matrix of the last step, if there was one
typedef enum plait_newton_about { PLAIT_NEWTON_HERE, PLAIT_NEWTON_FROM_R, PLAIT_NEWTON_CHORD } plait_newton_about;
bool plait_newton_leap(plait_newton *x, plait_newton_about about, double *r, double *u);

// The whole method, with cheap steps in between where it gets stuck.
bool plait_newton_solve(plait_system *sys, plait_newton_function function, const char *name, int max_iterations,
                        double *r, double *u, plait_outcome *out);

// The same, but it gives up where it gets stuck: for those who have something better to do then.
bool plait_newton_alone(plait_system *sys, plait_newton_function function, const char *name, int max_iterations,
                        double *r, double *u, plait_outcome *out);

// Full steps, without a search and without others in between: from a start that is near, contacts find out in a few of
// them which ones stick, and the merit may grow meanwhile. Ends where they do not (gave_up), with the best iterate.
bool plait_newton_dash(plait_system *sys, plait_newton_function function, const char *name, int max_iterations,
                       double *r, double *u, plait_outcome *out);

#endif
