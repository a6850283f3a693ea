// quat.h: 3 x 3 matrices and unit quaternions, as plain arrays.
//
// A matrix is row-major; a frame is a matrix whose columns are (m1, m2, t) in world coordinates. A quaternion is
// (x, y, z, w) with w the scalar part; q and -q are the same rotation, R(p q) = R(p) R(q), and exp(a) is the rotation
// by |a| about a. Outputs may be the inputs unless it says otherwise. Everything is finite for finite input of sane
// size.
#ifndef PLAIT_MATH_QUAT_H
#define PLAIT_MATH_QUAT_H

#include <math.h>

#include "math/vec3.h"

static inline void v3_set(double *out, double x, double y, double z)
{
    out[0] = x, out[1] = y, out[2] = z;
}

// ---- 3 x 3 matrices ----------------------------------------------------------------------------------------------

static inline void m3_identity(double *A)
{
    for (int i = 0; i < 9; i++)
        A[i] = i % 4 == 0;
}

static inline void m3_zero(double *A)
{
    for (int i = 0; i < 9; i++)
        A[i] = 0;
}

// out = A B; out is neither A nor B. The same for A^T B and A B^T.
static inline void m3_mul(const double *A, const double *B, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

static inline void m3_tmul(const double *A, const double *B, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = A[i] * B[j] + A[3 + i] * B[3 + j] + A[6 + i] * B[6 + j];
}

static inline void m3_mult(const double *A, const double *B, double *out)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[3 * i + j] = plait_dot(A + 3 * i, B + 3 * j);
}

// out = A x and A^T x.
static inline void m3_apply(const double *A, const double *x, double *out)
{
    double a = plait_dot(A, x), b = plait_dot(A + 3, x), c = plait_dot(A + 6, x);
    out[0] = a, out[1] = b, out[2] = c;
}

static inline void m3_tapply(const double *A, const double *x, double *out)
{
    double y[3];
    for (int j = 0; j < 3; j++)
        y[j] = A[j] * x[0] + A[3 + j] * x[1] + A[6 + j] * x[2];
    plait_copy(y, out);
}

static inline void m3_column(const double *A, int j, double *out)
{
    out[0] = A[j], out[1] = A[3 + j], out[2] = A[6 + j];
}

static inline void m3_set_column(double *A, int j, const double *x)
{
    A[j] = x[0], A[3 + j] = x[1], A[6 + j] = x[2];
}

// A += s B
static inline void m3_add(double *A, double s, const double *B)
{
    for (int i = 0; i < 9; i++)
        A[i] += s * B[i];
}

// A += s a b^T
static inline void m3_add_outer(double *A, double s, const double *a, const double *b)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            A[3 * i + j] += s * a[i] * b[j];
}

// A += s [a]x, the matrix of x -> a x x
static inline void m3_add_cross(double *A, double s, const double *a)
{
    A[1] -= s * a[2], A[2] += s * a[1];
    A[3] += s * a[2], A[5] -= s * a[0];
    A[6] -= s * a[1], A[7] += s * a[0];
}

static inline double m3_trace(const double *A)
{
    return A[0] + A[4] + A[8];
}

// The vector a with sum(f_i . (w x y_i)) = w . a for A = sum(f_i y_i^T): the torque sum(y_i x f_i).
static inline void m3_axial(const double *A, double *a)
{
    double x = A[7] - A[5], y = A[2] - A[6], z = A[3] - A[1];
    a[0] = x, a[1] = y, a[2] = z;
}

// ---- quaternions -------------------------------------------------------------------------------------------------

static inline void quat_mul(const double *p, const double *q, double *out)
{
    double x = p[3] * q[0] + q[3] * p[0] + p[1] * q[2] - p[2] * q[1];
    double y = p[3] * q[1] + q[3] * p[1] + p[2] * q[0] - p[0] * q[2];
    double z = p[3] * q[2] + q[3] * p[2] + p[0] * q[1] - p[1] * q[0];
    double w = p[3] * q[3] - plait_dot(p, q);
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

// conj(p) q, the rotation from p to q seen in the frame of p.
static inline void quat_between(const double *p, const double *q, double *out)
{
    double c[4] = {-p[0], -p[1], -p[2], p[3]};
    quat_mul(c, q, out);
}

static inline double quat_dot(const double *p, const double *q)
{
    return plait_dot(p, q) + p[3] * q[3];
}

static inline void quat_normalise(double *q)
{
    double s = 1 / sqrt(quat_dot(q, q));
    for (int i = 0; i < 4; i++)
        q[i] *= s;
}

static inline void quat_exp(const double *a, double *q)
{
    double h2 = 0.25 * plait_dot(a, a), h = sqrt(h2);
    // sin(h)/h; the next term of the series is below rounding
    double s = h2 < 1e-4 ? 1 - h2 / 6 * (1 - h2 / 20 * (1 - h2 / 42)) : sin(h) / h;
    for (int i = 0; i < 3; i++)
        q[i] = 0.5 * s * a[i];
    q[3] = cos(h);
}

// The rotation vector of q, of length at most pi; q of any sign.
static inline void quat_log(const double *q, double *a)
{
    double n = plait_norm(q), w = q[3];
    // 2 atan2(n, |w|) / n with its limit; the sign of w chooses the shorter way.
    double s = n < 1e-8 ? 2 / (fabs(w) > 0 ? fabs(w) : 1) : 2 * atan2(n, fabs(w)) / n;
    if (w < 0)
        s = -s;
    for (int i = 0; i < 3; i++)
        a[i] = s * q[i];
}

static inline void quat_matrix(const double *q, double *R)
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - z * w), R[2] = 2 * (x * z + y * w);
    R[3] = 2 * (x * y + z * w), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - x * w);
    R[6] = 2 * (x * z - y * w), R[7] = 2 * (y * z + x * w), R[8] = 1 - 2 * (x * x + y * y);
}

// The quaternion of a rotation matrix, w >= 0. The largest of the four components is found first, so that no division
// is by a small number.
static inline void quat_from_matrix(const double *R, double *q)
{
    double t[4] = {1 + R[0] - R[4] - R[8], 1 - R[0] + R[4] - R[8], 1 - R[0] - R[4] + R[8], 1 + R[0] + R[4] + R[8]};
    int k = 0;
    for (int i = 1; i < 4; i++)
        if (t[i] > t[k])
            k = i;
    double yz = R[7] - R[5], zx = R[2] - R[6], xy = R[3] - R[1]; // 4 w times (x, y, z)
    double a = R[1] + R[3], b = R[2] + R[6], c = R[5] + R[7];    // 4 xy, 4 xz, 4 yz
    double rows[4][4] = {{t[0], a, b, yz}, {a, t[1], c, zx}, {b, c, t[2], xy}, {yz, zx, xy, t[3]}};
    double sign = rows[k][3] < 0 ? -1 : 1;
    for (int i = 0; i < 4; i++)
        q[i] = sign * rows[k][i];
    quat_normalise(q);
}

// R <- exp(a) R, without drift from orthogonality (goes through the quaternion).
static inline void m3_rotate(double *R, const double *a)
{
    double q[4], e[4];
    quat_from_matrix(R, q);
    quat_exp(a, e);
    quat_mul(e, q, q);
    quat_normalise(q);
    quat_matrix(q, R);
}

#endif
