// newton_mfb.c: nonsmooth Newton on the residual that is judged; for Coulomb's law the modified Fischer-Burmeister
// function (Daviet et al. 2011, appendix A), impulses scaled by s = tr(W_ii) / 3.
#include "contact/newton.h"

static void law(const plait_system *sys, const void *data, int i, const double r[3], const double u[3], double F[3],
                double F_r[9], double F_u[9])
{
    (void)data;
    plait_law_jacobian(&sys->laws, i, sys->s[i], r, u, F, F_r, F_u);
}

bool plait_solve_newton_mfb(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return plait_newton_solve(sys, law, "newton-mfb", max_iterations, r, u, out);
}
