// closest.c: nearest points of segments and triangles.
#include "shape/closest.h"

double plait_closest_steady(const double p0[3], const double p1[3], const double q0[3], const double q1[3], double flat,
                            const double wanted[2], double *a, double *b)
{
    double u[3], v[3], w[3], to[2];
    plait_vec3_sub(p1, p0, u), plait_vec3_sub(q1, q0, v), plait_vec3_sub(p0, q0, w);
    double A = plait_vec3_dot(u, u), B = plait_vec3_dot(u, v), C = plait_vec3_dot(v, v), D = plait_vec3_dot(u, w),
           E = plait_vec3_dot(v, w);
    if (wanted) {
        to[0] = wanted[0], to[1] = wanted[1];
    } else {
        // Ends of q in the parameter of p, and the other way round.
        double s0 = A > 0 ? -D / A : 0, s1 = A > 0 ? (B - D) / A : 0;
        double t0 = C > 0 ? E / C : 0, t1 = C > 0 ? (B + E) / C : 0;
        to[0] = 0.5 * (plait_clamp01(s0) + plait_clamp01(s1));
        to[1] = 0.5 * (plait_clamp01(t0) + plait_clamp01(t1));
    }
    // A weak pull: it wins only where the square of the distance changes by less than `flat` from end to end.
    double longest = plait_larger(A, C), k = longest > 0 ? flat / longest : 0;
    k = k < 1e-4 ? k : 1e-4;
    plait_square_minimum(A * (1 + k), B, C * (1 + k), D - k * A * to[0], E + k * C * to[1], a, b);
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        double d = w[i] + *a * u[i] - *b * v[i];
        sum += d * d;
    }
    return sum;
}

static double distance2_weighted(const double x[3], const double t[9], const double weight[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double d = x[k] - (weight[0] * t[k] + weight[1] * t[3 + k] + weight[2] * t[6 + k]);
        sum += d * d;
    }
    return sum;
}

double plait_closest_triangle(const double x[3], const double t[9], double weight[3], plait_feature *feature)
{
    double e0[3], e1[3], w[3];
    plait_vec3_sub(t + 3, t, e0), plait_vec3_sub(t + 6, t, e1), plait_vec3_sub(x, t, w);
    double A = plait_vec3_dot(e0, e0), B = plait_vec3_dot(e0, e1), C = plait_vec3_dot(e1, e1);
    double D = plait_vec3_dot(e0, w), E = plait_vec3_dot(e1, w), det = A * C - B * B;
    if (det > 1e-14 * A * C) {
        double s = (C * D - B * E) / det, r = (A * E - B * D) / det;
        if (s > 0 && r > 0 && s + r < 1) {
            weight[0] = 1 - s - r, weight[1] = s, weight[2] = r;
            *feature = PLAIT_FEATURE_FACE;
            return distance2_weighted(x, t, weight);
        }
    }
    // Else it is on an edge, or the triangle has no inside to speak of.
    double best = INFINITY;
    for (int k = 0; k < 3; k++) {
        int n = (k + 1) % 3;
        double s = plait_closest_on_segment(x, t + 3 * k, t + 3 * n), trial[3] = {0};
        trial[k] = 1 - s, trial[n] = s;
        double d = distance2_weighted(x, t, trial);
        if (d < best) {
            best = d;
            weight[0] = trial[0], weight[1] = trial[1], weight[2] = trial[2];
            *feature = s <= 0   ? PLAIT_FEATURE_CORNER0 + k
                       : s >= 1 ? PLAIT_FEATURE_CORNER0 + n
                                : PLAIT_FEATURE_EDGE0 + k;
        }
    }
    return best;
}

// Whether the segment passes through the inside of the triangle; where.
static bool pierces(const double p0[3], const double p1[3], const double t[9], double *a, double weight[3])
{
    double e0[3], e1[3], n[3], w0[3], w1[3], x[3];
    plait_vec3_sub(t + 3, t, e0), plait_vec3_sub(t + 6, t, e1);
    plait_vec3_cross(e0, e1, n);
    plait_vec3_sub(p0, t, w0), plait_vec3_sub(p1, t, w1);
    double h0 = plait_vec3_dot(n, w0), h1 = plait_vec3_dot(n, w1);
    if ((h0 > 0 && h1 > 0) || (h0 < 0 && h1 < 0) || h0 == h1)
        return false;
    double s = h0 / (h0 - h1), nn = plait_vec3_dot(n, n), c[3];
    plait_lerp(w0, w1, s, x);
    plait_vec3_cross(x, e1, c);
    double r1 = plait_vec3_dot(c, n) / nn;
    plait_vec3_cross(e0, x, c);
    double r2 = plait_vec3_dot(c, n) / nn;
    if (!(r1 >= 0 && r2 >= 0 && r1 + r2 <= 1))
        return false;
    *a = s;
    weight[0] = 1 - r1 - r2, weight[1] = r1, weight[2] = r2;
    return true;
}

double plait_closest_segment_triangle(const double p0[3], const double p1[3], const double t[9], double *a,
                                      double weight[3])
{
    if (pierces(p0, p1, t, a, weight))
        return 0;
    double best = INFINITY;
    for (int end = 0; end < 2; end++) {
        double trial[3];
        plait_feature feature;
        double d = plait_closest_triangle(end ? p1 : p0, t, trial, &feature);
        if (d < best) {
            best = d, *a = end;
            weight[0] = trial[0], weight[1] = trial[1], weight[2] = trial[2];
        }
    }
    for (int k = 0; k < 3; k++) {
        double s, r;
        int n = (k + 1) % 3;
        double d = plait_closest_segments(p0, p1, t + 3 * k, t + 3 * n, &s, &r);
        if (d < best) {
            best = d, *a = s;
            weight[0] = weight[1] = weight[2] = 0;
            weight[k] = 1 - r, weight[n] = r;
        }
    }
    return best;
}
