// local_schur.h: one contact with the normal impulse eliminated.
//
// u_N = 0 gives r_N = -(b_N + w . r_T) / w_N (w = W_NT, the first row), and then, for u_T = -alpha r_T,
//     (V + alpha I) r_T = -c,   V = W_T - W_TN w^T / w_N,   c = b_T - W_TN b_N / w_N.
// alpha = 0 is sticking, alpha > 0 with |r_T| = mu r_N sliding. W need not be symmetric; if W + W^T is positive
// definite so is V + V^T. By Cramer's rule r_T = p / D and r_N = n / (w_N D) with
//     p = -(adj(V) c + alpha c),   D = alpha^2 + tr(V) alpha + det(V),   n = -(b_N D + w . p),
// three polynomials: sliding is mu n = w_N |p|, n > 0, alpha > 0.
#ifndef PLAIT_CONTACT_LOCAL_SCHUR_H
#define PLAIT_CONTACT_LOCAL_SCHUR_H

#include "contact/local_common.h"

typedef struct plait_schur {
    double inverse;        // 1 / w_N
    double row[2], col[2]; // w, W_TN / w_N
    double v11, v12, v21, v22, trace, det;
    double c[2], p[2]; // p at alpha = 0
    double bn;
} plait_schur;

static inline void plait_schur_set(const double W[9], const double b[3], plait_schur *s)
{
    double inverse = 1 / W[0], c1 = W[3] * inverse, c2 = W[6] * inverse;
    s->inverse = inverse;
    s->row[0] = W[1], s->row[1] = W[2];
    s->col[0] = c1, s->col[1] = c2;
    s->v11 = W[4] - c1 * W[1], s->v12 = W[5] - c1 * W[2];
    s->v21 = W[7] - c2 * W[1], s->v22 = W[8] - c2 * W[2];
    // A plane problem, padded: r_2 = 0 whatever v22 is, and with this one V is regular.
    if (W[8] == 0 && b[2] == 0 && s->v12 == 0 && s->v21 == 0 && s->v22 == 0)
        s->v22 = s->v11;
    s->trace = s->v11 + s->v22;
    s->det = s->v11 * s->v22 - s->v12 * s->v21;
    s->bn = b[0];
    s->c[0] = b[1] - c1 * b[0], s->c[1] = b[2] - c2 * b[0];
    s->p[0] = s->v12 * s->c[1] - s->v22 * s->c[0];
    s->p[1] = s->v21 * s->c[0] - s->v11 * s->c[1];
}

// How fast the contact slides if r were right: alpha = -u_T . r_T / |r_T|^2. A NaN for r_T = 0.
static inline double plait_schur_alpha(const double W[9], const double b[3], const double r[3])
{
    double u1 = W[3] * r[0] + W[4] * r[1] + W[5] * r[2] + b[1], u2 = W[6] * r[0] + W[7] * r[1] + W[8] * r[2] + b[2];
    return -(u1 * r[1] + u2 * r[2]) / (r[1] * r[1] + r[2] * r[2]);
}

// Whether r is on the surface of the cone or out of it, as a sliding contact leaves it.
static inline bool plait_schur_slides(double mu, const double r[3])
{
    double t = r[1] * r[1] + r[2] * r[2], n = (1 - 1e-6) * mu * r[0];
    return r[0] > 0 && t >= n * n;
}

// Solves (W + alpha diag(0, 1, 1)) y = v with full pivoting of the tangential part. False if that is singular.
bool plait_schur_solve(const plait_schur *s, double alpha, const double v[3], double y[3]);

// An impulse that makes u = 0 and lies in the cone, whatever the rank of W; if there are many, the one closest to
// `near`. Stops at an error of tol. Returns the error of the best found, which is in r (INFINITY: none, r is left).
double plait_schur_stick(const plait_schur *s, const double W[9], const double b[3], double mu, double tol,
                         const double near[3], double r[3]);

// Newton's method in (r, alpha) on u_N = 0, u_T + alpha r_T = 0, |r_T| = mu r_N, with u taken from W and b as given, so
// that what elimination lost to rounding is won back. Starts from alpha (r follows from it) and stops at an error of
// tol or when steps no longer help. Returns the error of the best found, which is in r (INFINITY: none, r is left).
double plait_schur_slide(const plait_schur *s, const double W[9], const double b[3], double mu, double tol,
                         double alpha, double r[3]);

#endif
