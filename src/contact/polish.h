// polish.h: better impulses for velocities that are nearly right already, by linear algebra alone.
//
// Where it is known which contacts stick (inside of their cone), slide (on it) and are open, what is left of Coulomb's
// law is linear. Two questions are answered with it, each by conjugate residuals on the columns of the contacts that
// carry something; W may be singular there, as it is in every stack, and steps that begin at zero end in the smallest
// solution.
//
//     hold      sticking contacts still move a little (or sliding ones the way that friction pushes): W_ss dr = -u_s,
//               the smallest dr. Contacts that would have to pull open, those that would leave their cone stay on it,
//               and the rest does without them
//     smallest  of all impulses that do the same, H^T r = H^T r*, those with the least sum of squares:
//               the projection of zero on { W r = W r* } and on the cones of those that stick, rays of those that slide
//               (Dykstra's alternating projections)
//
// Symmetric problems have symmetric smallest impulses: the set is convex, so there is one.
#ifndef PLAIT_CONTACT_POLISH_H
#define PLAIT_CONTACT_POLISH_H

#include "plait/contact.h"

// s: a solution, c: its certificate. Both are replaced if the result is better (hold: a smaller residual; smallest:
// smaller impulses whose residual is at most the larger of tol and that of before); *better says so. Contacts with laws
// other than Coulomb's: nothing is done. An error is memory only.
// still: the velocity of contacts that is small enough, 0: as small as rounding lets it be.
plait_status plait_problem_hold(const plait_problem *p, const plait_solve_options *options, double still,
                                plait_solution *s, plait_certificate *c, bool *better, plait_error *error);
plait_status plait_problem_smallest(const plait_problem *p, const plait_solve_options *options, plait_solution *s,
                                    plait_certificate *c, bool *better, plait_error *error);

#endif
