// soc.h: second-order cone algebra for one contact, first component along the axis (the normal).
#ifndef PLAIT_MATH_SOC_H
#define PLAIT_MATH_SOC_H

#include <math.h>

// Projection of x on K_mu = { |x_T| <= mu x_N }.
static inline void plait_soc_project(double mu, const double x[3], double y[3])
{
    double t = sqrt(x[1] * x[1] + x[2] * x[2]);
    if (t <= mu * x[0] && x[0] >= 0) { // without friction t = 0 alone says nothing
        y[0] = x[0], y[1] = x[1], y[2] = x[2];
    } else if (mu * t <= -x[0]) {
        y[0] = y[1] = y[2] = 0;
    } else {
        double n = (x[0] + mu * t) / (1 + mu * mu), k = mu * n / t;
        y[0] = n, y[1] = k * x[1], y[2] = k * x[2];
    }
}

// Fischer-Burmeister function F = x + y - (x o x + y o y)^(1/2) on K_1, with eigenvalues free of cancellation.
static inline void plait_soc_fischer_burmeister(const double x[3], const double y[3], double F[3])
{
    double a1 = x[0] * x[1] + y[0] * y[1], a2 = x[0] * x[2] + y[0] * y[2], a = sqrt(a1 * a1 + a2 * a2);
    double d1 = a > 0 ? a1 / a : 1, d2 = a > 0 ? a2 / a : 0;
    double xd = d1 * x[1] + d2 * x[2], yd = d1 * y[1] + d2 * y[2];
    double xc = d1 * x[2] - d2 * x[1], yc = d1 * y[2] - d2 * y[1], c = xc * xc + yc * yc;
    double l1 = (x[0] - xd) * (x[0] - xd) + (y[0] - yd) * (y[0] - yd) + c;
    double l2 = (x[0] + xd) * (x[0] + xd) + (y[0] + yd) * (y[0] + yd) + c;
    double s1 = sqrt(l1), s2 = sqrt(l2), t = 0.5 * (s2 - s1);
    F[0] = x[0] + y[0] - 0.5 * (s1 + s2), F[1] = x[1] + y[1] - t * d1, F[2] = x[2] + y[2] - t * d2;
}

// Residual of Coulomb's law for one contact: F of x = s (mu r_N, r_T), y = (u_N + mu |u_T|, mu u_T).
// mu = 0: scalar function of (s r_N, u_N), and s r_T.
static inline void plait_coulomb_residual(double mu, double s, const double r[3], const double u[3], double F[3])
{
    if (mu > 0) {
        double x[3] = {s * mu * r[0], s * r[1], s * r[2]};
        double y[3] = {u[0] + mu * sqrt(u[1] * u[1] + u[2] * u[2]), mu * u[1], mu * u[2]};
        plait_soc_fischer_burmeister(x, y, F);
    } else {
        double x = s * r[0];
        F[0] = x + u[0] - sqrt(x * x + u[0] * u[0]), F[1] = s * r[1], F[2] = s * r[2];
    }
}

#endif
