// anderson.h: Anderson acceleration (type II) of a fixed-point iteration x <- G(x).
//
// With f = G(x) - x, and over the last `window` steps dF = differences of f and dG = differences of G(x), the next
// iterate is G(x) - dG gamma, where gamma minimises |f - dF gamma| in the metric of `weight`: the affine combination
// of the past whose residual is smallest. The Gram matrix of dF is kept and gets one new row per step; it is scaled to
// a unit diagonal and has a small ridge, so that old, large differences do not drown the new ones. When |f| grows, the
// past is forgotten and the step is the plain one: the map is only piecewise smooth, and a combination across a kink
// can lead anywhere.
#ifndef PLAIT_CONTACT_ANDERSON_H
#define PLAIT_CONTACT_ANDERSON_H

#include <stdbool.h>
#include <stdint.h>

#include "base/team.h"

enum { PLAIT_ANDERSON_WINDOW = 32 }; // at most

typedef struct plait_anderson plait_anderson;

// Vectors of `size` entries; window 0 gives the plain iteration. NULL without memory.
plait_anderson *plait_anderson_new(int64_t size, int window, plait_team team);
void plait_anderson_free(plait_anderson *a); // NULL is fine

// Forgets the past: after x was changed by something else than these steps, or after a large jump.
void plait_anderson_reset(plait_anderson *a);

// x: the iterate; g = G(x); weight: [size] positive, or NULL for ones; out: the next iterate, may be x or g.
// Returns whether out is an accelerated step, not just g. The same bits for any number of threads.
bool plait_anderson_step(plait_anderson *a, const double *x, const double *g, const double *weight, double *out);

// |G(x) - x| of the last step, in the metric.
double plait_anderson_residual(const plait_anderson *a);

// Restart when |f| is more than this many times that of the last step; 2 unless set.
void plait_anderson_set_growth(plait_anderson *a, double growth);

#endif
