// newton_ac.c: nonsmooth Newton on the Alart-Curnier function, in Jean and Moreau's form (radius mu r_N).
//
// With rho_N = 1 / w_N and rho_T = 1 / lambda_max(W_T) of the contact's own block, in velocities:
//     F_N = w_N (r_N - max(0, r_N - rho_N u_N)) = min(w_N r_N, u_N)
//     F_T = (r_T - P(y)) / rho_T,  y = r_T - rho_T u_T,  P: projection on the disc of radius mu r_N
// |y| <= mu r_N: F_T = u_T;  mu r_N <= 0: F_T = r_T / rho_T;  else with G = mu r_N / |y| (I - y y^T / |y|^2)
//     dF_T/du_T = G,  dF_T/dr_T = (I - G) / rho_T,  dF_T/dr_N = -mu y / |y| / rho_T.
#include <math.h>
#include <string.h>

#include "contact/newton.h"

static void alart_curnier(const plait_system *sys, const void *data, int i, const double r[3], const double u[3],
                          double F[3], double F_r[9], double F_u[9])
{
    (void)data;
    const double *W = sys->diagonal + 9 * (int64_t)i;
    double half = 0.5 * (W[4] - W[8]), off = 0.5 * (W[5] + W[7]);
    double wN = W[0], wT = 0.5 * (W[4] + W[8]) + sqrt(half * half + off * off); // 1 / rho
    double floor = 1e-12 * sys->s[i];
    wN = wN > floor ? wN : sys->s[i], wT = wT > floor ? wT : sys->s[i];
    bool touching = wN * r[0] > u[0];
    F[0] = touching ? u[0] : wN * r[0];
    double y[2] = {r[1] - u[1] / wT, r[2] - u[2] / wT}, t = sqrt(y[0] * y[0] + y[1] * y[1]), radius = sys->mu[i] * r[0];
    double k = t <= radius ? 1 : radius > 0 ? radius / t : 0; // P(y) = k y
    F[1] = wT * (r[1] - k * y[0]), F[2] = wT * (r[2] - k * y[1]);
    if (!F_r)
        return;
    memset(F_r, 0, 9 * sizeof *F_r), memset(F_u, 0, 9 * sizeof *F_u);
    F_r[0] = touching ? 0 : wN, F_u[0] = touching;
    double G[4] = {k, 0, 0, k};
    if (k > 0 && k < 1) {
        double n[2] = {y[0] / t, y[1] / t};
        for (int a = 0; a < 2; a++) {
            for (int c = 0; c < 2; c++)
                G[2 * a + c] -= k * n[a] * n[c];
            F_r[3 * (a + 1)] = -wT * sys->mu[i] * n[a];
        }
    }
    for (int a = 0; a < 2; a++)
        for (int c = 0; c < 2; c++) {
            F_u[3 * (a + 1) + c + 1] = G[2 * a + c];
            F_r[3 * (a + 1) + c + 1] = wT * ((a == c) - G[2 * a + c]);
        }
}

bool plait_solve_newton_ac(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    return plait_newton_solve(sys, alart_curnier, "newton-ac", max_iterations, r, u, out);
}
