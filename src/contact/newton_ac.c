// newton_ac.c: nonsmooth Newton on the natural function of the law; for Coulomb's that of Alart and Curnier
// (law_coulomb.h).
//
// The weights are w_N and w_T = lambda_max(W_T) of the contact's own block: impulses times these are velocities. A bond
// is a spring beside the cone: what an impulse on the cone moves is then w / (1 + K w).
#include <math.h>

#include "contact/newton.h"

static void natural(const plait_system *sys, const void *data, int i, const double r[3], const double u[3], double F[3],
                    double F_r[9], double F_u[9])
{
    (void)data;
    const double *W = sys->diagonal + 9 * (int64_t)i;
    double half = 0.5 * (W[4] - W[8]), off = 0.5 * (W[5] + W[7]);
    double wN = W[0], wT = 0.5 * (W[4] + W[8]) + sqrt(half * half + off * off);
    double floor = 1e-12 * sys->s[i];
    double weight[2] = {wN > floor ? wN : sys->s[i], wT > floor ? wT : sys->s[i]};
    plait_law_cone cone;
    if (!plait_law_is_coulomb(&sys->laws, i) && plait_law_get_cone(&sys->laws, i, &cone))
        weight[0] /= 1 + cone.K[0] * weight[0], weight[1] /= 1 + fmax(cone.K[1], cone.K[2]) * weight[1];
    plait_law_natural(&sys->laws, i, weight, r, u, F, F_r, F_u);
}

bool plait_solve_newton_ac(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return plait_newton_solve(sys, natural, "newton-ac", max_iterations, r, u, out);
}

bool plait_solve_alone(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return plait_newton_alone(sys, natural, "newton-ac", max_iterations, r, u, out);
}

bool plait_solve_dash(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return plait_newton_dash(sys, natural, "newton-ac", max_iterations, r, u, out);
}
