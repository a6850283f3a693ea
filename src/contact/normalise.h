// normalise.h: problems whose numbers are very large or very small, brought near 1 by powers of two.
//
// Solvers and the judge square their numbers twice; far from 1 that overflows or vanishes. With
//     b' = 2^-B b,  W' = 2^-V W,  r' = 2^(V - B) r,  u' = 2^-B u
// the law is the same, and no digit is lost. For M and H, with M' = 2^-m M and H' = 2^-h H,
//     V = 2 h - m,  v' = 2^(h - B) v,  f' = 2^(h - B - m) f,  w' = 2^-B w.
// Where all numbers are ordinary, which is nearly always, nothing is done.
#ifndef PLAIT_CONTACT_NORMALISE_H
#define PLAIT_CONTACT_NORMALISE_H

#include "plait/contact.h"

typedef struct plait_scaling {
    int b, W; // B and V above; all are 0 if numbers are ordinary
    int M, H; // with dynamics: W = 2 H - M
} plait_scaling;

plait_scaling plait_scaling_of(const plait_problem *p);

// What the judge needs: b and W alone.
plait_scaling plait_scaling_to_judge(const plait_problem *p);

static inline bool plait_scaling_trivial(const plait_scaling *k)
{
    return !k->b && !k->W && !k->M && !k->H;
}

// The problem in new numbers; the caller frees it. NULL without memory.
plait_problem *plait_problem_scaled(const plait_problem *p, const plait_scaling *k, plait_error *error);

// r' from r. Entries that are too large or too small for a number become 0.
void plait_scaling_enter(const plait_scaling *k, const double *r, int64_t count, double *scaled);

// r from r'. PLAIT_BAD_INPUT and a message if it does not fit into numbers: r would be infinite, or lose all of its
// digits.
plait_status plait_scaling_leave(const plait_scaling *k, const double *scaled, int64_t count, double *r,
                                 plait_error *error);

#endif
