// local_pyramid.c: friction by a pyramid of four sides in place of the cone (Otaduy et al. 2009).
//
// Each tangential axis follows Coulomb's law of one dimension by itself: |r_i| <= mu r_N, and r_i = -mu r_N sign(u_i)
// where u_i is not zero. For a closed contact (u_N = 0) that leaves three states for each axis, nine linear systems, of
// which a consistent one is the answer. It depends on the choice of the axes, and is exact only where it sticks.
#include "contact/local_common.h"

static const double ENOUGH = 1e-13; // violation that counts as none, for data of the size of one

// The impulse for given states of the axes (0 sticks, +1 and -1: r_i = +-mu r_N). Returns how much it breaks the law.
static double try_states(const plait_local_scaled *p, double mu, const int state[2], double r[3])
{
    const double *W = p->W;
    double A[9], f[3] = {-p->b[0], 0, 0}, u[3], wrong = 0;
    memcpy(A, W, sizeof A);
    for (int i = 1; i <= 2; i++) {
        double *row = A + 3 * i;
        bool still = W[4 * i] <= DBL_EPSILON * W[0]; // an axis that does not move carries nothing
        if (state[i - 1] == 0 && !still) {
            f[i] = -p->b[i];
        } else {
            plait_vec3_set(row, -state[i - 1] * mu, i == 1, i == 2);
            f[i] = 0;
        }
    }
    if (!plait_mat3_solve(A, f, DBL_EPSILON, r))
        plait_mat3_solve_least(A, f, r);
    plait_mat3_affine(W, r, p->b, u);
    wrong = plait_larger(-r[0], wrong);
    for (int i = 1; i <= 2; i++)
        wrong = plait_larger(state[i - 1] == 0 ? fabs(r[i]) - mu * r[0] : state[i - 1] * u[i], wrong);
    return wrong;
}

plait_local_result plait_local_pyramid(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    plait_local_scaled p;
    plait_local_start start = plait_local_begin(W, b, mu, tol, r, &p);
    if (start != PLAIT_LOCAL_GO)
        return start == PLAIT_LOCAL_DONE ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED;
    static const int STATES[9][2] = {{0, 0}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}, {1, 1}, {1, -1}, {-1, 1}, {-1, -1}};
    double best = p.b[0] >= 0 ? 0 : INFINITY;
    plait_vec3_set(p.r, 0, 0, 0);
    for (int k = 0; k < 9 && !(best <= ENOUGH); k++) {
        double x[3], wrong = try_states(&p, mu, STATES[k], x);
        if (wrong < best) {
            best = wrong;
            plait_vec3_copy(x, p.r);
        }
    }
    bool exact = plait_local_error(p.W, p.b, mu, p.r) <= tol;
    return plait_local_finish(&p, mu, tol, exact ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED, r);
}
