// quat.h: unit quaternions as plain arrays, and the rotations that they are.
//
// A quaternion is (x, y, z, w) with w the scalar part; q and -q are the same rotation, R(p q) = R(p) R(q), and exp(a)
// is the rotation by |a| about a. Outputs may be the inputs unless it says otherwise. Everything is finite for finite
// input of sane size.
#ifndef PLAIT_MATH_QUAT_H
#define PLAIT_MATH_QUAT_H

#include <math.h>

#include "base/elementary.h"
#include "math/mat3.h"
#include "math/vec3.h"

static inline void plait_quat_multiply(const double *p, const double *q, double *out)
{
    double x = p[3] * q[0] + q[3] * p[0] + p[1] * q[2] - p[2] * q[1];
    double y = p[3] * q[1] + q[3] * p[1] + p[2] * q[0] - p[0] * q[2];
    double z = p[3] * q[2] + q[3] * p[2] + p[0] * q[1] - p[1] * q[0];
    double w = p[3] * q[3] - plait_vec3_dot(p, q);
    out[0] = x, out[1] = y, out[2] = z, out[3] = w;
}

// conj(p) q, the rotation from p to q seen in the frame of p.
static inline void plait_quat_between(const double *p, const double *q, double *out)
{
    double c[4] = {-p[0], -p[1], -p[2], p[3]};
    plait_quat_multiply(c, q, out);
}

static inline double plait_quat_dot(const double *p, const double *q)
{
    return plait_vec3_dot(p, q) + p[3] * q[3];
}

static inline void plait_quat_normalise(double *q)
{
    double s = 1 / sqrt(plait_quat_dot(q, q));
    for (int i = 0; i < 4; i++)
        q[i] *= s;
}

static inline void plait_quat_exp(const double *a, double *q)
{
    double h2 = 0.25 * plait_vec3_dot(a, a), h = sqrt(h2);
    // sin(h)/h; the next term of the series is below rounding
    double s = h2 < 1e-4 ? 1 - h2 / 6 * (1 - h2 / 20 * (1 - h2 / 42)) : plait_sin(h) / h;
    for (int i = 0; i < 3; i++)
        q[i] = 0.5 * s * a[i];
    q[3] = plait_cos(h);
}

// The rotation vector of q, of length at most pi; q of any sign.
static inline void plait_quat_log(const double *q, double *a)
{
    double n = plait_vec3_norm(q), w = q[3];
    // 2 atan2(n, |w|) / n with its limit; the sign of w chooses the shorter way.
    double s = n < 1e-8 ? 2 / (fabs(w) > 0 ? fabs(w) : 1) : 2 * plait_atan2(n, fabs(w)) / n;
    if (w < 0)
        s = -s;
    for (int i = 0; i < 3; i++)
        a[i] = s * q[i];
}

static inline void plait_quat_matrix(const double *q, double *R)
{
    double x = q[0], y = q[1], z = q[2], w = q[3];
    R[0] = 1 - 2 * (y * y + z * z), R[1] = 2 * (x * y - z * w), R[2] = 2 * (x * z + y * w);
    R[3] = 2 * (x * y + z * w), R[4] = 1 - 2 * (x * x + z * z), R[5] = 2 * (y * z - x * w);
    R[6] = 2 * (x * z - y * w), R[7] = 2 * (y * z + x * w), R[8] = 1 - 2 * (x * x + y * y);
}

// The quaternion of a rotation matrix, w >= 0. The largest of the four components is found first, so that no division
// is by a small number.
static inline void plait_quat_from_matrix(const double *R, double *q)
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
    plait_quat_normalise(q);
}

// R <- exp(a) R, without drift from orthogonality (goes through the quaternion).
static inline void plait_mat3_rotate(double *R, const double *a)
{
    double q[4], e[4];
    plait_quat_from_matrix(R, q);
    plait_quat_exp(a, e);
    plait_quat_multiply(e, q, q);
    plait_quat_normalise(q);
    plait_quat_matrix(q, R);
}

#endif
