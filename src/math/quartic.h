// quartic.h: real roots of a polynomial of degree up to four.
//
// Between neighbouring critical points a polynomial is monotone, so each sign change brackets exactly one root, which
// bisection-guarded Newton steps find to the last bits. The critical points are the roots of the derivative, found in
// the same way down to degree two. No formula with complex intermediates, no cancellation, no division by a small
// leading coefficient.
#ifndef PLAIT_MATH_QUARTIC_H
#define PLAIT_MATH_QUARTIC_H

// Real roots of a[0] + a[1] x + ... + a[4] x^4, ascending; returns their number, 0 to 4. Leading coefficients may be
// zero; the zero polynomial and one with a NaN or infinity have no roots here. A multiple root appears once or as a
// cluster of close ones: also a point where the polynomial only touches zero to within rounding is given.
int plait_quartic_roots(const double a[5], double roots[4]);

#endif
