// closest.h: nearest points of segments and triangles.
//
// Two segments p(a) = p + a u and q(b) = q + b v, 0 <= a, b <= 1: the square of their distance is a convex quadratic
// in (a, b) on a square. Its minimum follows from one clamp after the other: a of the free minimum, clamped; b best for
// that a; if b had to be clamped, a best for that b. (Exact: along b best for a the function is convex in a.)
#ifndef PLAIT_SHAPE_CLOSEST_H
#define PLAIT_SHAPE_CLOSEST_H

#include "math/vec3.h"

static inline double plait_clamp01(double x)
{
    return x < 0 ? 0 : x > 1 ? 1 : x;
}

// The minimum of A a^2 - 2 B a b + C b^2 + 2 D a - 2 E b on the unit square; A, C >= 0, B^2 <= A C.
static inline void plait_square_minimum(double A, double B, double C, double D, double E, double *a, double *b)
{
    double det = A * C - B * B, s = 0, t;
    if (det > 1e-14 * A * C)
        s = plait_clamp01((B * E - C * D) / det);
    else if (A > 0)
        s = plait_clamp01(-D / A); // parallel: best for b = 0, then the other way round
    t = C > 0 ? (B * s + E) / C : 0;
    if (t < 0 || t > 1) {
        t = plait_clamp01(t);
        s = A > 0 ? plait_clamp01((B * t - D) / A) : 0;
    }
    *a = s, *b = t;
}

// Nearest points of the segments p0 p1 and q0 q1; returns the square of their distance.
static inline double plait_closest_segments(const double p0[3], const double p1[3], const double q0[3],
                                            const double q1[3], double *a, double *b)
{
    double u[3], v[3], w[3];
    plait_vec3_sub(p1, p0, u), plait_vec3_sub(q1, q0, v), plait_vec3_sub(p0, q0, w);
    plait_square_minimum(plait_vec3_dot(u, u), plait_vec3_dot(u, v), plait_vec3_dot(v, v), plait_vec3_dot(u, w),
                         plait_vec3_dot(v, w), a, b);
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = w[k] + *a * u[k] - *b * v[k];
        sum += d * d;
    }
    return sum;
}

// Parameter of the point of the segment p0 p1 nearest to x.
static inline double plait_closest_on_segment(const double x[3], const double p0[3], const double p1[3])
{
    double u[3], w[3];
    plait_vec3_sub(p1, p0, u), plait_vec3_sub(x, p0, w);
    double uu = plait_vec3_dot(u, u);
    return uu > 0 ? plait_clamp01(plait_vec3_dot(u, w) / uu) : 0;
}

static inline void plait_lerp(const double a[3], const double b[3], double t, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = a[k] + t * (b[k] - a[k]);
}

// The same two points where they are well defined; where the distance is flat (nearly parallel segments: its square
// changes by less than about `flat` along them) those near the wanted parameters, so that a contact at rest does not
// wander.
// wanted NULL: the middle of the stretch along which they overlap.
double plait_closest_steady(const double p0[3], const double p1[3], const double q0[3], const double q1[3], double flat,
                            const double wanted[2], double *a, double *b);

// Where on a triangle a nearest point is: its inside, an edge (k: from corner k to k + 1), a corner.
typedef enum plait_feature {
    PLAIT_FEATURE_FACE,
    PLAIT_FEATURE_EDGE0,
    PLAIT_FEATURE_EDGE1,
    PLAIT_FEATURE_EDGE2,
    PLAIT_FEATURE_CORNER0,
    PLAIT_FEATURE_CORNER1,
    PLAIT_FEATURE_CORNER2
} plait_feature;

// The point of the triangle t (three corners) nearest to x: its weights. Returns the square of the distance.
double plait_closest_triangle(const double x[3], const double t[9], double weight[3], plait_feature *feature);

// Nearest points of a segment and a triangle; 0 if they intersect.
double plait_closest_segment_triangle(const double p0[3], const double p1[3], const double t[9], double *a,
                                      double weight[3]);

#endif
