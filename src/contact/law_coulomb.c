// law_coulomb.c: row 0, Coulomb's law: take-off, stick or slide.
#include <math.h>
#include <string.h>

#include "contact/law.h"
#include "contact/law_coulomb.h"
#include "math/soc_jacobian.h"

void plait_coulomb_convex(double mu, double s, double shift, const double r[3], const double u[3], double F[3])
{
    if (mu > 0) {
        double x[3] = {s * mu * r[0], s * r[1], s * r[2]}, y[3] = {u[0] + shift, mu * u[1], mu * u[2]};
        plait_soc_fischer_burmeister(x, y, F);
    } else {
        plait_coulomb_residual(0, s, r, u, F);
    }
}

// ---- Fischer and Burmeister ---------------------------------------------------------------------------------------

static void frictionless(double s, const double r[3], const double u[3], double F_r[9], double F_u[9])
{
    double x = s * r[0], q = sqrt(x * x + u[0] * u[0]);
    memset(F_r, 0, 9 * sizeof *F_r), memset(F_u, 0, 9 * sizeof *F_u);
    F_r[0] = s * (1 - (q > 0 ? x / q : sqrt(0.5))), F_u[0] = 1 - (q > 0 ? u[0] / q : sqrt(0.5));
    F_r[4] = F_r[8] = s;
}

void plait_coulomb_jacobian(double mu, double s, const double r[3], const double u[3], double F[3], double F_r[9],
                            double F_u[9])
{
    if (!F_r || mu == 0) {
        plait_coulomb_residual(mu, s, r, u, F);
        if (F_r)
            frictionless(s, r, u, F_r, F_u);
        return;
    }
    double t = sqrt(u[1] * u[1] + u[2] * u[2]);
    double x[3] = {s * mu * r[0], s * r[1], s * r[2]}, y[3] = {u[0] + mu * t, mu * u[1], mu * u[2]};
    plait_soc_fischer_burmeister_jacobian(x, y, F, F_r, F_u);
    double t1 = t > 0 ? mu * u[1] / t : 0, t2 = t > 0 ? mu * u[2] / t : 0;
    for (int a = 0; a < 3; a++) {
        double *R = F_r + 3 * a, *U = F_u + 3 * a;
        R[0] *= s * mu, R[1] *= s, R[2] *= s;
        U[1] = U[1] * mu + U[0] * t1, U[2] = U[2] * mu + U[0] * t2;
    }
}

// ---- Alart and Curnier --------------------------------------------------------------------------------------------

void plait_coulomb_natural(double mu, const double weight[2], const double r[3], const double u[3], double F[3],
                           double F_r[9], double F_u[9])
{
    double wN = weight[0], wT = weight[1]; // 1 / rho
    bool touching = wN * r[0] > u[0];
    F[0] = touching ? u[0] : wN * r[0];
    double y[2] = {r[1] - u[1] / wT, r[2] - u[2] / wT}, t = sqrt(y[0] * y[0] + y[1] * y[1]), radius = mu * r[0];
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
            F_r[3 * (a + 1)] = -wT * mu * n[a];
        }
    }
    for (int a = 0; a < 2; a++)
        for (int c = 0; c < 2; c++) {
            F_u[3 * (a + 1) + c + 1] = G[2 * a + c];
            F_r[3 * (a + 1) + c + 1] = wT * ((a == c) - G[2 * a + c]);
        }
}

// ---- the row ------------------------------------------------------------------------------------------------------

static void cone(double mu, const double *p, plait_law_cone *to)
{
    (void)p;
    *to = (plait_law_cone){.mu = mu};
}

const plait_law plait_law_coulomb = {.name = "coulomb", .cone = cone};
