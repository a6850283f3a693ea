// vec3.h: vectors of three numbers.
#ifndef PLAIT_MATH_VEC3_H
#define PLAIT_MATH_VEC3_H

#include <math.h>
#include <stdbool.h>

static inline void plait_vec3_set(double x[3], double a, double b, double c)
{
    x[0] = a, x[1] = b, x[2] = c;
}

static inline void plait_vec3_copy(double x[3], const double y[3])
{
    x[0] = y[0], x[1] = y[1], x[2] = y[2];
}

static inline double plait_vec3_dot(const double x[3], const double y[3])
{
    return x[0] * y[0] + x[1] * y[1] + x[2] * y[2];
}

static inline double plait_vec3_norm(const double x[3])
{
    return sqrt(plait_vec3_dot(x, x));
}

// The larger of two numbers, in one instruction where fmax is a call; b if one is a NaN.
static inline double plait_larger(double a, double b)
{
    return a > b ? a : b;
}

static inline double plait_vec3_largest(const double x[3])
{
    return plait_larger(fabs(x[0]), plait_larger(fabs(x[1]), fabs(x[2])));
}

static inline bool plait_vec3_finite(const double x[3])
{
    return isfinite(x[0]) && isfinite(x[1]) && isfinite(x[2]);
}

#endif
