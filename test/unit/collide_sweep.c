// collide_sweep.c: motion against finely sampled motion.
#include "collide/sweep.h"

#include "base/rng.h"
#include "check.h"
#include "collide/placed.h"
#include "shape/closest.h"

enum { SAMPLES = 400 };

static void random_motion(plait_rng *rng, int n, double size, double *x0, double *x1)
{
    for (int k = 0; k < n; k++) {
        x0[k] = plait_rng_between(rng, -1, 1);
        x1[k] = x0[k] + size * plait_rng_normal(rng);
    }
}

static void between(const double *x0, const double *x1, int n, double t, double *x)
{
    for (int k = 0; k < n; k++)
        x[k] = x0[k] + t * (x1[k] - x0[k]);
}

// Whether the pierced side of the coplanarity changes with the segments crossing between two samples: then they have
// passed through each other.
static bool crosses(const double *p0, const double *p1, const double *q0, const double *q1)
{
    double before = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        double p[6], q[6], u[3], v[3], w[3], n[3], a, b;
        between(p0, p1, 6, (double)i / SAMPLES, p);
        between(q0, q1, 6, (double)i / SAMPLES, q);
        plait_vec3_sub(p + 3, p, u), plait_vec3_sub(q + 3, q, v), plait_vec3_sub(p, q, w);
        plait_vec3_cross(u, v, n);
        double volume = plait_vec3_dot(n, w);
        plait_closest_segments(p, p + 3, q, q + 3, &a, &b);
        // well inside both, so that the sample before was inside too
        bool inside = a > 0.02 && a < 0.98 && b > 0.02 && b < 0.98;
        if (i && inside && before * volume < 0)
            return true;
        before = inside ? volume : 0;
    }
    return false;
}

CASE(no_crossing_of_segments_is_missed)
{
    plait_rng rng = plait_rng_new(1, 0);
    int crossings = 0, hits = 0, wrong = 0, early = 0, grazes = 0;
    for (int trial = 0; trial < 100000; trial++) {
        double p0[6], p1[6], q0[6], q1[6], a, b;
        double size = trial % 2 ? 0.1 : 1;
        random_motion(&rng, 6, size, p0, p1);
        random_motion(&rng, 6, size, q0, q1);
        double start = sqrt(plait_closest_segments(p0, p0 + 3, q0, q0 + 3, &a, &b)), thick = 1e-3;
        if (start < 2 * thick)
            continue;
        plait_sweep s;
        bool hit = plait_sweep_segments(p0, p1, q0, q1, thick, &s);
        hits += hit;
        if (trial % 5 == 0) { // the sampling is slow
            bool crossed = crosses(p0, p1, q0, q1);
            crossings += crossed;
            wrong += crossed && !hit;
        }
        if (!hit)
            continue;
        // At the time found they are as near as wanted, and before they were not.
        double p[6], q[6];
        between(p0, p1, 6, s.time, p), between(q0, q1, 6, s.time, q);
        double d = sqrt(plait_closest_segments(p, p + 3, q, q + 3, &a, &b));
        grazes += d > thick * 1.0011;
        between(p0, p1, 6, 0.98 * s.time, p), between(q0, q1, 6, 0.98 * s.time, q);
        d = sqrt(plait_closest_segments(p, p + 3, q, q + 3, &a, &b));
        early += d < thick * 0.999;
    }
    CHECK(crossings > 1000);
    CHECK_INT(wrong, 0);
    CHECK(hits > 5000);
    CHECK_INT(early, 0);
    CHECK(grazes < 20); // said to touch, to be safe
}

CASE(all_hits_of_thick_segments_and_no_others)
{
    plait_rng rng = plait_rng_new(2, 0);
    int missed = 0, false_hits = 0, hits = 0;
    for (int trial = 0; trial < 4000; trial++) {
        double p0[6], p1[6], q0[6], q1[6], a, b, thick = 0.05, least = INFINITY;
        random_motion(&rng, 6, 0.4, p0, p1);
        random_motion(&rng, 6, 0.4, q0, q1);
        if (trial % 8 == 1) // in a plane: coplanar all the time
            p0[2] = p1[2] = p0[5] = p1[5] = q0[2] = q1[2] = q0[5] = q1[5] = 0.3;
        if (sqrt(plait_closest_segments(p0, p0 + 3, q0, q0 + 3, &a, &b)) < 1.01 * thick)
            continue;
        for (int i = 0; i <= SAMPLES; i++) {
            double p[6], q[6];
            between(p0, p1, 6, (double)i / SAMPLES, p), between(q0, q1, 6, (double)i / SAMPLES, q);
            least = fmin(least, sqrt(plait_closest_segments(p, p + 3, q, q + 3, &a, &b)));
        }
        plait_sweep s;
        bool hit = plait_sweep_segments(p0, p1, q0, q1, thick, &s);
        hits += hit;
        missed += !hit && least < thick;
        false_hits += hit && least > thick * 1.1;
    }
    CHECK(hits > 200);
    CHECK_INT(missed, 0);
    CHECK_INT(false_hits, 0);
}

CASE(segment_against_moving_triangle)
{
    plait_rng rng = plait_rng_new(3, 0);
    int missed = 0, false_hits = 0, hits = 0;
    for (int trial = 0; trial < 3000; trial++) {
        double p0[6], p1[6], t0[9], t1[9], a, w[3], thick = 0.02, least = INFINITY;
        random_motion(&rng, 6, 0.5, p0, p1);
        random_motion(&rng, 9, 0.2, t0, t1);
        if (sqrt(plait_closest_segment_triangle(p0, p0 + 3, t0, &a, w)) < 1.01 * thick)
            continue;
        for (int i = 0; i <= SAMPLES; i++) {
            double p[6], t[9];
            between(p0, p1, 6, (double)i / SAMPLES, p), between(t0, t1, 9, (double)i / SAMPLES, t);
            least = fmin(least, sqrt(plait_closest_segment_triangle(p, p + 3, t, &a, w)));
        }
        plait_sweep s;
        bool hit = plait_sweep_triangle(p0, p1, t0, t1, thick, &s);
        hits += hit;
        missed += !hit && least < thick;
        false_hits += hit && least > thick * 1.2;
    }
    CHECK(hits > 300);
    CHECK_INT(missed, 0);
    CHECK_INT(false_hits, 0);
}

CASE(segment_against_simple_shapes)
{
    plait_rng rng = plait_rng_new(4, 0);
    int missed = 0, false_hits = 0, hits = 0;
    for (int trial = 0; trial < 3000; trial++) {
        static const plait_shape_kind kinds[] = {PLAIT_SHAPE_SPHERE, PLAIT_SHAPE_CAPSULE, PLAIT_SHAPE_BOX,
                                                 PLAIT_SHAPE_CYLINDER, PLAIT_SHAPE_PLANE};
        plait_shape shape = {.kind = kinds[trial % 5], .size = {0.3, 0.2, 0.4}};
        double path[12], a, n[3], wanted = 0.01, least = INFINITY;
        for (int k = 0; k < 6; k++)
            path[k] = plait_rng_between(&rng, -1.5, 1.5), path[6 + k] = path[k] + plait_rng_normal(&rng);
        if (plait_shape_segment(&shape, path, path + 3, &a, n) < 1.1 * wanted)
            continue;
        for (int i = 0; i <= SAMPLES; i++) {
            double y[6];
            between(path, path + 6, 6, (double)i / SAMPLES, y);
            least = fmin(least, plait_shape_segment(&shape, y, y + 3, &a, n));
        }
        plait_arrival at;
        bool hit = plait_shape_arrive(&shape, path, 1, 2, wanted, 1e-5, &at);
        hits += hit;
        missed += !hit && least < wanted;
        false_hits += hit && least > wanted + 0.01;
    }
    CHECK(hits > 300);
    CHECK_INT(missed, 0);
    CHECK_INT(false_hits, 0);
}
