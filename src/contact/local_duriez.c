// local_duriez.c: contact by contact with a diagonal in place of W (Duriez et al. 2006 and Duriez 2008, as compared by
// Daviet, Bertails-Descoubes and Boissieux 2011).
//
// One pass takes D = diag(w_N, w_t, w_t), w_t = (w_11 + w_22) / 2, for W and lets u = D r + b' solve the law: first the
// normal part, r_N = max(0, -b'_N / w_N), then r_T = -b'_T / w_t cut to mu r_N. With b' = b this is the solver of 2006,
// wrong wherever W is not such a diagonal. That of 2008 repeats it with b' = b + (W - D) r; a fixed point is exact.
#include "contact/local_common.h"

enum { PASSES_MAX = 200 };

static void pass(const plait_local_scaled *p, double mu, bool coupled, double r[3])
{
    const double *W = p->W, *b = p->b;
    double wn = W[0], wt = 0.5 * (W[4] + W[8]), k = coupled;
    if (!(wt > DBL_EPSILON * wn))
        wt = wn;
    r[0] = plait_larger(-(b[0] + k * (W[1] * r[1] + W[2] * r[2])) / wn, 0);
    double t1 = -(b[1] + k * (W[3] * r[0] + (W[4] - wt) * r[1] + W[5] * r[2])) / wt;
    double t2 = -(b[2] + k * (W[6] * r[0] + W[7] * r[1] + (W[8] - wt) * r[2])) / wt;
    double size = sqrt(t1 * t1 + t2 * t2), limit = mu * r[0], cut = size > limit ? limit / size : 1;
    r[1] = cut * t1, r[2] = cut * t2;
}

static plait_local_result solve(bool coupled, int passes, const double W[9], const double b[3], double mu, double tol,
                                double r[3])
{
    plait_local_scaled p;
    plait_local_start start = plait_local_begin(W, b, mu, tol, r, &p);
    if (start != PLAIT_LOCAL_GO)
        return start == PLAIT_LOCAL_DONE ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
    double x[3] = {p.r[0], p.r[1], p.r[2]}, best = INFINITY;
    for (int k = 0; k < passes && !(best <= tol); k++) {
        pass(&p, mu, coupled, x);
        double error = plait_local_error(p.W, p.b, mu, x);
        if (error < best) {
            best = error;
            plait_vec3_copy(x, p.r);
        }
    }
    if (best == INFINITY)
        plait_vec3_set(p.r, 0, 0, 0);
    return plait_local_finish(&p, mu, tol, best <= tol ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED, r);
}

plait_local_result plait_local_duriez06(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    return solve(false, 1, W, b, mu, tol, r);
}

plait_local_result plait_local_duriez08(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    return solve(true, PASSES_MAX, W, b, mu, tol, r);
}
