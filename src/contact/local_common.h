// local_common.h: what the one-contact solvers share: the residual that decides, and scaling.
//
// A problem (W, b) and its multiple (2^i W, 2^j b) have solutions that differ by the factor 2^(j-i), exactly, also in
// floating point. Solvers that use thresholds first bring W and b to the size of one in this way; nothing is rounded.
#ifndef PLAIT_CONTACT_LOCAL_COMMON_H
#define PLAIT_CONTACT_LOCAL_COMMON_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "contact/local.h"
#include "math/mat3.h"
#include "math/soc.h"
#include "math/vec3.h"

// |F| / |b| for numbers of moderate size; a NaN if one is among the arguments.
static inline double plait_local_residual(const double W[9], const double b[3], double mu, const double r[3])
{
    double u[3], F[3], s = (W[0] + W[4] + W[8]) * (1. / 3);
    plait_mat3_affine(W, r, b, u);
    plait_coulomb_residual(mu, s, r, u, F);
    return plait_vec3_norm(F) / plait_vec3_norm(b);
}

// The sum of |W_ij|.
static inline double plait_local_size(const double W[9])
{
    return (fabs(W[0]) + fabs(W[1]) + fabs(W[2])) + (fabs(W[3]) + fabs(W[4]) + fabs(W[5])) +
           (fabs(W[6]) + fabs(W[7]) + fabs(W[8]));
}

// The sum of |W_ij| is at most three times the trace if W is symmetric positive semidefinite. With more than this many
// times W is no Delassus operator.
#define PLAIT_LOCAL_SANE 8

static inline bool plait_local_sane(const double W[9])
{
    return plait_local_size(W) <= PLAIT_LOCAL_SANE * (W[0] + W[4] + W[8]);
}

// What rounding may hide in |F|: with impulses so large that W r cancels against b, a small residual proves nothing.
static inline double plait_local_noise(const double W[9], double mu, const double r[3])
{
    return DBL_EPSILON * fabs(W[0] + W[4] + W[8]) * (1 + mu) * (fabs(r[0]) + fabs(r[1]) + fabs(r[2]));
}

// The residual plus what rounding may hide in it: by this, solvers decide what is solved and which r is better.
static inline double plait_local_error(const double W[9], const double b[3], double mu, const double r[3])
{
    return plait_local_residual(W, b, mu, r) + plait_local_noise(W, mu, r) / plait_vec3_norm(b);
}

// 2^-k for x = 2^k m, 1 <= m < 2; x positive and normal, k < 1023.
static inline double plait_local_power(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = ((uint64_t)2046 << 52) - (bits & (uint64_t)0x7ff << 52);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

// A problem brought to the size of one.
typedef struct plait_local_scaled {
    double W[9], b[3], r[3];
    double kw, kb; // factors of W and b
} plait_local_scaled;

typedef enum plait_local_start {
    PLAIT_LOCAL_GO,      // solve the scaled problem, then plait_local_finish
    PLAIT_LOCAL_DONE,    // r solves it
    PLAIT_LOCAL_GIVEN_UP // bad numbers, no Delassus operator, a contact that cannot be pushed apart: r is all there is
} plait_local_start;

// Scales, and settles what needs no solver: numbers that are none, b = 0, mu = 0 and contacts that do not yield to a
// normal impulse. A warm start that is not finite counts as zero, and a mu above 1e100 as no number.
plait_local_start plait_local_begin(const double W[9], const double b[3], double mu, double tol, double r[3],
                                    plait_local_scaled *scaled);

// Brings the r of the scaled problem to the units of the caller. Returns the result of the solver, unless r is beyond
// the range of numbers there (PLAIT_LOCAL_FAILED and r = 0) or lost its digits.
plait_local_result plait_local_finish(const plait_local_scaled *scaled, double mu, double tol,
                                      plait_local_result result, double r[3]);

#endif
