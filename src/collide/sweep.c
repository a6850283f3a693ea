// sweep.c: conservative advancement of moving segments and triangles.
#include "collide/sweep.h"

#include <math.h>
#include <string.h>

#include "shape/closest.h"

enum { SWEEP_STEPS = 200 };
static const double SWEEP_TOLERANCE = 1e-3; // of the wanted distance

static void between(const double *x0, const double *x1, int n, double t, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = x0[k] + t * (x1[k] - x0[k]);
}

// The first time from t on at which the corners of the first thing may come as near as `distance` to those of the
// second along n; 2: never.
static double bound(const double *p, const double *p0, const double *p1, int np, const double *q, const double *q0,
                    const double *q1, int nq, const double n[3], double t, double distance)
{
    double first = 2;
    for (int i = 0; i < np; i++)
        for (int j = 0; j < nq; j++) {
            double gap = 0, speed = 0;
            for (int k = 0; k < 3; k++) {
                gap += n[k] * (p[3 * i + k] - q[3 * j + k]);
                speed += n[k] * ((p1[3 * i + k] - p0[3 * i + k]) - (q1[3 * j + k] - q0[3 * j + k]));
            }
            if (speed < 0 && t - (gap - distance) / speed < first)
                first = t - (gap - distance) / speed;
        }
    return first > t ? first : t;
}

typedef double nearest(const double *p, const double *q, plait_sweep *s, double n[3]);

static double nearest_segments(const double *p, const double *q, plait_sweep *s, double n[3])
{
    double distance2 = plait_closest_segments(p, p + 3, q, q + 3, &s->a, &s->b);
    for (int k = 0; k < 3; k++)
        n[k] = p[k] + s->a * (p[3 + k] - p[k]) - q[k] - s->b * (q[3 + k] - q[k]);
    return sqrt(distance2);
}

static double nearest_triangle(const double *p, const double *t, plait_sweep *s, double n[3])
{
    double distance2 = plait_closest_segment_triangle(p, p + 3, t, &s->a, s->weight);
    const double *w = s->weight;
    for (int k = 0; k < 3; k++)
        n[k] = p[k] + s->a * (p[3 + k] - p[k]) - w[0] * t[k] - w[1] * t[3 + k] - w[2] * t[6 + k];
    return sqrt(distance2);
}

static double nearest_point(const double *p, const double *q, plait_sweep *s, double n[3])
{
    (void)s;
    plait_vec3_sub(p, q, n);
    return plait_vec3_norm(n);
}

static double nearest_on_segment(const double *p, const double *q, plait_sweep *s, double n[3])
{
    double x[3];
    s->b = plait_closest_on_segment(p, q, q + 3);
    plait_lerp(q, q + 3, s->b, x);
    plait_vec3_sub(p, x, n);
    return plait_vec3_norm(n);
}

static double nearest_on_triangle(const double *p, const double *t, plait_sweep *s, double n[3])
{
    plait_feature feature;
    plait_closest_triangle(p, t, s->weight, &feature);
    const double *w = s->weight;
    for (int k = 0; k < 3; k++)
        n[k] = p[k] - w[0] * t[k] - w[1] * t[3 + k] - w[2] * t[6 + k];
    return plait_vec3_norm(n);
}

// From s, which holds distance and normal at the start.
static bool advance(nearest *measure, int np, const double *p0, const double *p1, const double *q0, const double *q1,
                    int nq, double distance, plait_sweep *s)
{
    double p[6], q[9], t = 0;
    memcpy(p, p0, 3 * (size_t)np * sizeof *p);
    memcpy(q, q0, 3 * (size_t)nq * sizeof *q);
    for (int step = 0;; step++) {
        s->time = t;
        // Too many steps: they nearly graze. Said to touch, to be safe.
        if (s->distance <= distance * (1 + SWEEP_TOLERANCE) || step == SWEEP_STEPS)
            return s->distance > 0;
        double next = bound(p, p0, p1, np, q, q0, q1, nq, s->normal, t, distance);
        if (next > 1)
            return false;
        t = next > t ? next : t + 1e-12;
        if (t > 1)
            return false;
        between(p0, p1, 3 * np, t, p);
        between(q0, q1, 3 * nq, t, q);
        s->distance = measure(p, q, s, s->normal);
        plait_vec3_normalise(s->normal);
    }
}

bool plait_sweep_segments(const double p0[6], const double p1[6], const double q0[6], const double q1[6],
                          double distance, plait_sweep *result)
{
    result->distance = nearest_segments(p0, q0, result, result->normal);
    plait_vec3_normalise(result->normal);
    return advance(nearest_segments, 2, p0, p1, q0, q1, 2, distance, result);
}

bool plait_sweep_segments_from(const double p0[6], const double p1[6], const double q0[6], const double q1[6],
                               double distance, plait_sweep *result)
{
    for (int k = 0; k < 3; k++)
        result->normal[k] = p0[k] + result->a * (p0[3 + k] - p0[k]) - q0[k] - result->b * (q0[3 + k] - q0[k]);
    plait_vec3_normalise(result->normal);
    return advance(nearest_segments, 2, p0, p1, q0, q1, 2, distance, result);
}

bool plait_sweep_triangle(const double p0[6], const double p1[6], const double t0[9], const double t1[9],
                          double distance, plait_sweep *result)
{
    result->distance = nearest_triangle(p0, t0, result, result->normal);
    plait_vec3_normalise(result->normal);
    return advance(nearest_triangle, 2, p0, p1, t0, t1, 3, distance, result);
}

bool plait_sweep_simplices(int np, const double *p0, const double *p1, int nq, const double *q0, const double *q1,
                           double distance, plait_sweep *result)
{
    nearest *measure = np == 2   ? nearest_segments
                       : nq == 3 ? nearest_on_triangle
                       : nq == 2 ? nearest_on_segment
                                 : nearest_point;
    result->a = result->b = 0;
    result->distance = measure(p0, q0, result, result->normal);
    plait_vec3_normalise(result->normal);
    return advance(measure, np, p0, p1, q0, q1, nq, distance, result);
}
