// vec3.h: vectors of three numbers, and rotations of them, inline.
//
// One order of arguments, here and in mat3.h and quat.h: what is changed in place comes first, a result comes last
// (and y of axpy, as everywhere). A result may be one of the inputs unless it says otherwise.
#ifndef PLAIT_MATH_VEC3_H
#define PLAIT_MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

#include "base/elementary.h"

// The larger of two numbers, in one instruction where fmax is a call; b if one is a NaN.
static inline double plait_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline void plait_vec3_set(double x[3], double a, double b, double c)
{
    x[0] = a, x[1] = b, x[2] = c;
}

static inline void plait_vec3_copy(const double a[3], double b[3])
{
    b[0] = a[0], b[1] = a[1], b[2] = a[2];
}

static inline double plait_vec3_dot(const double a[3], const double b[3])
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static inline double plait_vec3_norm(const double a[3])
{
    return sqrt(plait_vec3_dot(a, a));
}

static inline double plait_vec3_largest(const double a[3])
{
    return plait_larger(fabs(a[0]), plait_larger(fabs(a[1]), fabs(a[2])));
}

static inline bool plait_vec3_finite(const double a[3])
{
    return isfinite(a[0]) && isfinite(a[1]) && isfinite(a[2]);
}

static inline void plait_vec3_cross(const double a[3], const double b[3], double c[3])
{
    double x = a[1] * b[2] - a[2] * b[1], y = a[2] * b[0] - a[0] * b[2], z = a[0] * b[1] - a[1] * b[0];
    c[0] = x, c[1] = y, c[2] = z;
}

static inline void plait_vec3_sub(const double a[3], const double b[3], double c[3])
{
    c[0] = a[0] - b[0], c[1] = a[1] - b[1], c[2] = a[2] - b[2];
}

// y += k a
static inline void plait_vec3_axpy(double k, const double a[3], double y[3])
{
    y[0] += k * a[0], y[1] += k * a[1], y[2] += k * a[2];
}

// Scales to unit length; returns the length before. A zero vector stays zero.
static inline double plait_vec3_normalise(double a[3])
{
    double n = plait_vec3_norm(a);
    if (n > 0)
        a[0] /= n, a[1] /= n, a[2] /= n;
    return n;
}

// Some unit vector normal to the unit vector t.
static inline void plait_vec3_any_normal(const double t[3], double n[3])
{
    int k = fabs(t[0]) <= fabs(t[1]) ? (fabs(t[0]) <= fabs(t[2]) ? 0 : 2) : (fabs(t[1]) <= fabs(t[2]) ? 1 : 2);
    double e[3] = {k == 0, k == 1, k == 2};
    plait_vec3_cross(t, e, n);
    plait_vec3_normalise(n);
}

// a turned by the shortest rotation that takes unit t0 to unit t1 (about t0 x t1). Opposite ones: a half turn about
// some normal of t0.
static inline void plait_vec3_transport(const double t0[3], const double t1[3], const double a[3], double b[3])
{
    double c = plait_vec3_dot(t0, t1), axis[3], w[3];
    if (1 + c < 1e-14) {
        plait_vec3_any_normal(t0, axis);
        double k = 2 * plait_vec3_dot(axis, a);
        b[0] = k * axis[0] - a[0], b[1] = k * axis[1] - a[1], b[2] = k * axis[2] - a[2];
        return;
    }
    plait_vec3_cross(t0, t1, axis);
    plait_vec3_cross(axis, a, w);
    double k = plait_vec3_dot(axis, a) / (1 + c);
    for (int i = 0; i < 3; i++)
        w[i] += c * a[i] + k * axis[i];
    plait_vec3_copy(w, b);
}

// Signed angle from a to b about the unit axis t; a and b are normal to t.
static inline double plait_vec3_angle(const double a[3], const double b[3], const double t[3])
{
    double w[3];
    plait_vec3_cross(a, b, w);
    return plait_atan2(plait_vec3_dot(w, t), plait_vec3_dot(a, b));
}

// a turned by the angle about unit t; a is normal to t.
static inline void plait_vec3_turn_normal(const double t[3], const double a[3], double angle, double b[3])
{
    double w[3], c = plait_cos(angle), s = plait_sin(angle);
    plait_vec3_cross(t, a, w);
    for (int i = 0; i < 3; i++)
        b[i] = c * a[i] + s * w[i];
}

// a made normal to unit t and of unit length; returns its length before (0: there is no such direction).
static inline double plait_vec3_orthonormalise(const double t[3], double a[3])
{
    plait_vec3_axpy(-plait_vec3_dot(t, a), t, a);
    return plait_vec3_normalise(a);
}

#endif
