// mat3.h: 3x3 matrices as plain arrays, row-major.
//
// A frame is a matrix whose columns are (m1, m2, t) in world coordinates. Arguments as in vec3.h.
#ifndef PLAIT_MATH_MAT3_H
#define PLAIT_MATH_MAT3_H

#include <math.h>
#include <stdbool.h>

#include "math/vec3.h"

// y = A x
static inline void plait_mat3_apply(const double A[9], const double x[3], double y[3])
{
    double a = plait_vec3_dot(A, x), b = plait_vec3_dot(A + 3, x), c = plait_vec3_dot(A + 6, x);
    y[0] = a, y[1] = b, y[2] = c;
}

// y = A^T x
static inline void plait_mat3_apply_transposed(const double A[9], const double x[3], double y[3])
{
    double a = A[0] * x[0] + A[3] * x[1] + A[6] * x[2];
    double b = A[1] * x[0] + A[4] * x[1] + A[7] * x[2];
    double c = A[2] * x[0] + A[5] * x[1] + A[8] * x[2];
    y[0] = a, y[1] = b, y[2] = c;
}

// y = A x + b, the relative velocity of one contact
static inline void plait_mat3_affine(const double A[9], const double x[3], const double b[3], double y[3])
{
    for (int i = 0; i < 3; i++)
        y[i] = (A[3 * i] * x[0] + A[3 * i + 1] * x[1]) + (A[3 * i + 2] * x[2] + b[i]);
}

// C = A B; C is neither A nor B. The same for A^T B and A B^T.
static inline void plait_mat3_multiply(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

static inline void plait_mat3_transposed_multiply(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

static inline void plait_mat3_multiply_transposed(const double A[9], const double B[9], double C[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = plait_vec3_dot(A + 3 * i, B + 3 * j);
}

static inline void plait_mat3_identity(double A[9])
{
    for (int i = 0; i < 9; i++)
        A[i] = i % 4 == 0;
}

static inline void plait_mat3_zero(double A[9])
{
    for (int i = 0; i < 9; i++)
        A[i] = 0;
}

static inline void plait_mat3_column(const double A[9], int j, double x[3])
{
    x[0] = A[j], x[1] = A[3 + j], x[2] = A[6 + j];
}

static inline void plait_mat3_set_column(double A[9], int j, const double x[3])
{
    A[j] = x[0], A[3 + j] = x[1], A[6 + j] = x[2];
}

// A += s B
static inline void plait_mat3_add(double A[9], double s, const double B[9])
{
    for (int i = 0; i < 9; i++)
        A[i] += s * B[i];
}

// A += s a b^T
static inline void plait_mat3_add_outer(double A[9], double s, const double a[3], const double b[3])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            A[3 * i + j] += s * a[i] * b[j];
}

// A += s [a]x, the matrix of x -> a x x
static inline void plait_mat3_add_cross(double A[9], double s, const double a[3])
{
    A[1] -= s * a[2], A[2] += s * a[1];
    A[3] += s * a[2], A[5] -= s * a[0];
    A[6] -= s * a[1], A[7] += s * a[0];
}

static inline double plait_mat3_trace(const double A[9])
{
    return A[0] + A[4] + A[8];
}

// The vector a with sum(f_i . (w x y_i)) = w . a for A = sum(f_i y_i^T): the torque sum(y_i x f_i).
static inline void plait_mat3_axial(const double A[9], double a[3])
{
    double x = A[7] - A[5], y = A[2] - A[6], z = A[3] - A[1];
    a[0] = x, a[1] = y, a[2] = z;
}

// Solves A x = b by Gaussian elimination with row pivoting. False (x untouched) if a pivot is not above `tiny` times
// the largest entry of A.
static inline bool plait_mat3_solve(const double A[9], const double b[3], double tiny, double x[3])
{
    double a[3][4], scale = 0;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a[i][j] = A[3 * i + j];
            scale = fabs(a[i][j]) > scale ? fabs(a[i][j]) : scale;
        }
        a[i][3] = b[i];
    }
    for (int k = 0; k < 3; k++) {
        int best = k;
        for (int i = k + 1; i < 3; i++)
            if (fabs(a[i][k]) > fabs(a[best][k]))
                best = i;
        if (!(fabs(a[best][k]) > tiny * scale))
            return false;
        for (int j = k; j < 4 && best != k; j++) {
            double t = a[k][j];
            a[k][j] = a[best][j], a[best][j] = t;
        }
        double inverse = 1 / a[k][k];
        for (int i = k + 1; i < 3; i++) {
            double f = a[i][k] * inverse;
            for (int j = k + 1; j < 4; j++)
                a[i][j] -= f * a[k][j];
        }
    }
    x[2] = a[2][3] / a[2][2];
    x[1] = (a[1][3] - a[1][2] * x[2]) / a[1][1];
    x[0] = (a[0][3] - a[0][1] * x[1] - a[0][2] * x[2]) / a[0][0];
    return true;
}

// The short solution of A x = b in the sense of least squares where A is singular: (A^T A + k I) x = A^T b with a k
// that is small against A^T A. x = 0 for A = 0.
static inline void plait_mat3_solve_least(const double A[9], const double b[3], double x[3])
{
    double N[9], f[3], trace = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            N[3 * i + j] = A[i] * A[j] + A[3 + i] * A[3 + j] + A[6 + i] * A[6 + j];
    plait_mat3_apply_transposed(A, b, f);
    trace = N[0] + N[4] + N[8];
    N[0] += 1e-12 * trace, N[4] += 1e-12 * trace, N[8] += 1e-12 * trace;
    if (!plait_mat3_solve(N, f, 0, x))
        x[0] = x[1] = x[2] = 0;
}

#endif
