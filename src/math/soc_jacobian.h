// soc_jacobian.h: the Fischer-Burmeister function of the second-order cone K_1 with an element of its generalised
// Jacobian.
//
// F = x + y - s with s = (x o x + y o y)^(1/2), and where s is inside the cone dF/dx = I - L_s^-1 L_x,
// dF/dy = I - L_s^-1 L_y with L_x z = x o z. Written in the orthonormal frame of s,
//     e1 = (1, -d) / sqrt(2),  e2 = (1, d) / sqrt(2),  e3 = (0, d'),   d' = d turned by a right angle,
// where s_T = |s_T| d, the matrix L_s is diagonal, diag(sqrt l1, sqrt l2, (sqrt l1 + sqrt l2) / 2), and
//     L_x = [ x_N - x_d  0          x_c / sqrt 2 ]
//           [ 0          x_N + x_d  x_c / sqrt 2 ]      x_d = d . x_T,  x_c = d x x_T.
//           [ x_c/sqrt2  x_c/sqrt2  x_N          ]
// The entries of L_s^-1 L_x are then quotients of a term by the root of a sum of squares in which that term appears:
// nothing cancels and nothing overflows, however close s is to the boundary. On it (l1 = 0) the first row has no value;
// the element taken, x_N / sqrt(x_N^2 + y_N^2) times e1, makes the whole a multiple of I. At x = y = 0 the element is
// (1 - 1/sqrt 2) I for both, so that a Newton matrix built from it is not zero.
#ifndef PLAIT_MATH_SOC_JACOBIAN_H
#define PLAIT_MATH_SOC_JACOBIAN_H

#include <math.h>

// J = I - L_s^-1 L_x in the original frame, from x in the frame of s and the inverse eigenvalues n1, n2, n3 of L_s.
static inline void plait_soc_jacobian_block(const double d[2], double xn, double xd, double xc, double n1, double n2,
                                            double n3, double J[9])
{
    // Entries of L_s^-1 L_x in the frame (e1, e2, e3); factors sqrt 2 are collected in the next step.
    double a = (xn - xd) * n1, b = (xn + xd) * n2, p = xc * n1, q = xc * n2, t = xc * n3, m = xn * n3;
    // Back to the frame (axis, d, d'): axis = (e1 + e2) / sqrt 2, d = (e2 - e1) / sqrt 2.
    double aa = 0.5 * (a + b), ad = 0.5 * (b - a), ac = 0.5 * (p + q), dc = 0.5 * (q - p);
    J[0] = 1 - aa;
    J[1] = -ad * d[0] + ac * d[1], J[2] = -ad * d[1] - ac * d[0];
    J[3] = -ad * d[0] + t * d[1], J[6] = -ad * d[1] - t * d[0];
    // Tangential block: aa d d^T + dc d d'^T + m d' d'^T, with d' = (-d1, d0).
    double d00 = d[0] * d[0], d01 = d[0] * d[1], d11 = d[1] * d[1];
    J[4] = 1 - (aa * d00 - dc * d01 + m * d11);
    J[5] = -(aa * d01 + dc * d00 - m * d01);
    J[7] = -(aa * d01 - dc * d11 - m * d01);
    J[8] = 1 - (aa * d11 + dc * d01 + m * d00);
}

// F and the two Jacobians, row-major.
static inline void plait_soc_fischer_burmeister_jacobian(const double x[3], const double y[3], double F[3],
                                                         double Fx[9], double Fy[9])
{
    double a1 = x[0] * x[1] + y[0] * y[1], a2 = x[0] * x[2] + y[0] * y[2], a = sqrt(a1 * a1 + a2 * a2);
    double d[2] = {a > 0 ? a1 / a : 1, a > 0 ? a2 / a : 0};
    double xd = d[0] * x[1] + d[1] * x[2], yd = d[0] * y[1] + d[1] * y[2];
    double xc = d[0] * x[2] - d[1] * x[1], yc = d[0] * y[2] - d[1] * y[1], c = xc * xc + yc * yc;
    double s1 = sqrt((x[0] - xd) * (x[0] - xd) + (y[0] - yd) * (y[0] - yd) + c);
    double s2 = sqrt((x[0] + xd) * (x[0] + xd) + (y[0] + yd) * (y[0] + yd) + c), t = 0.5 * (s2 - s1);
    F[0] = x[0] + y[0] - 0.5 * (s1 + s2), F[1] = x[1] + y[1] - t * d[0], F[2] = x[2] + y[2] - t * d[1];
    if (s1 > 0 && s2 > 0) {
        double n1 = 1 / s1, n2 = 1 / s2, n3 = 2 / (s1 + s2);
        plait_soc_jacobian_block(d, x[0], xd, xc, n1, n2, n3, Fx);
        plait_soc_jacobian_block(d, y[0], yd, yc, n1, n2, n3, Fy);
        return;
    }
    double q = sqrt(x[0] * x[0] + y[0] * y[0]);
    double fx = q > 0 ? 1 - x[0] / q : 1 - 0.70710678118654752, fy = q > 0 ? 1 - y[0] / q : 1 - 0.70710678118654752;
    for (int i = 0; i < 9; i++)
        Fx[i] = i % 4 ? 0 : fx, Fy[i] = i % 4 ? 0 : fy;
}

#endif
