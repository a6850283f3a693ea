// newton_mfb.c: nonsmooth Newton on the modified Fischer-Burmeister function (Daviet et al. 2011, appendix A), with
// the scaling of the certificate: x = s (mu r_N, r_T), y = (u_N + mu |u_T|, mu u_T), s = tr(W_ii) / 3. The merit is
// then the residual that is judged.
#include <math.h>
#include <string.h>

#include "contact/newton.h"
#include "math/soc.h"
#include "math/soc_jacobian.h"

static void frictionless(double s, const double r[3], const double u[3], double F_r[9], double F_u[9])
{
    double x = s * r[0], q = sqrt(x * x + u[0] * u[0]);
    memset(F_r, 0, 9 * sizeof *F_r), memset(F_u, 0, 9 * sizeof *F_u);
    F_r[0] = s * (1 - (q > 0 ? x / q : sqrt(0.5))), F_u[0] = 1 - (q > 0 ? u[0] / q : sqrt(0.5));
    F_r[4] = F_r[8] = s;
}

static void fischer_burmeister(const plait_system *sys, const void *data, int i, const double r[3], const double u[3],
                               double F[3], double F_r[9], double F_u[9])
{
    (void)data;
    double mu = sys->mu[i], s = sys->s[i], t = sqrt(u[1] * u[1] + u[2] * u[2]);
    if (!F_r || mu == 0) {
        plait_coulomb_residual(mu, s, r, u, F);
        if (F_r)
            frictionless(s, r, u, F_r, F_u);
        return;
    }
    double x[3] = {s * mu * r[0], s * r[1], s * r[2]}, y[3] = {u[0] + mu * t, mu * u[1], mu * u[2]};
    plait_soc_fischer_burmeister_jacobian(x, y, F, F_r, F_u);
    double t1 = t > 0 ? mu * u[1] / t : 0, t2 = t > 0 ? mu * u[2] / t : 0;
    for (int a = 0; a < 3; a++) {
        double *R = F_r + 3 * a, *U = F_u + 3 * a;
        R[0] *= s * mu, R[1] *= s, R[2] *= s;
        U[1] = U[1] * mu + U[0] * t1, U[2] = U[2] * mu + U[0] * t2;
    }
}

bool plait_solve_newton_mfb(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return plait_newton_solve(sys, fischer_burmeister, "newton-mfb", max_iterations, r, u, out);
}
