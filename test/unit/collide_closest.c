// collide_closest.c: nearest points against dense sampling and against closed forms.
#include "shape/closest.h"

#include "base/rng.h"
#include "check.h"

static void random_point(plait_rng *rng, double x[3])
{
    for (int k = 0; k < 3; k++)
        x[k] = plait_rng_between(rng, -1, 1);
}

static double distance(const double a[3], const double b[3])
{
    double w[3];
    plait_vec3_sub(a, b, w);
    return plait_vec3_norm(w);
}

CASE(segments_no_sample_is_nearer)
{
    plait_rng rng = plait_rng_new(1, 0);
    for (int trial = 0; trial < 2000; trial++) {
        double p0[3], p1[3], q0[3], q1[3], a, b, x[3], y[3];
        random_point(&rng, p0), random_point(&rng, p1), random_point(&rng, q0), random_point(&rng, q1);
        if (trial % 4 == 1) // nearly parallel
            for (int k = 0; k < 3; k++)
                q1[k] = q0[k] + p1[k] - p0[k] + 1e-9 * plait_rng_normal(&rng);
        if (trial % 8 == 3) // a point
            plait_vec3_copy(p0, p1);
        double found = sqrt(plait_closest_segments(p0, p1, q0, q1, &a, &b));
        plait_lerp(p0, p1, a, x), plait_lerp(q0, q1, b, y);
        CHECK_NEAR(distance(x, y), found, 1e-12);
        CHECK(a >= 0 && a <= 1 && b >= 0 && b <= 1);
        double best = INFINITY;
        for (int i = 0; i <= 40; i++) { // exact on one side, so that the grid costs nothing
            plait_lerp(p0, p1, i / 40.0, x);
            plait_lerp(q0, q1, plait_closest_on_segment(x, q0, q1), y);
            best = fmin(best, distance(x, y));
        }
        CHECK(best >= found - 1e-8);
    }
}

CASE(steady_keeps_to_the_place_where_the_distance_is_flat)
{
    double p0[3] = {0, 0, 0}, p1[3] = {1, 0, 0}, q0[3] = {0.25, 0.1, 0}, q1[3] = {1.25, 0.1, 0}, a, b;
    // Parallel: the middle of the overlap; with a wish, what is wished.
    double d = sqrt(plait_closest_steady(p0, p1, q0, q1, 1e-4, NULL, &a, &b));
    CHECK_NEAR(d, 0.1, 1e-9);
    CHECK_NEAR(a, 0.625, 1e-6);
    CHECK_NEAR(b, 0.375, 1e-6);
    d = sqrt(plait_closest_steady(p0, p1, q0, q1, 1e-4, (double[2]){0.9, 0.65}, &a, &b));
    CHECK_NEAR(d, 0.1, 1e-9);
    CHECK_NEAR(a, 0.9, 1e-6);
    CHECK_NEAR(b, 0.65, 1e-6);
    // A little noise does not move it.
    q1[1] += 1e-7;
    plait_closest_steady(p0, p1, q0, q1, 1e-4, (double[2]){0.9, 0.65}, &a, &b);
    CHECK_NEAR(a, 0.9, 1e-3);
    // Across, a wish has no weight.
    double r0[3] = {0.3, 0.1, -1}, r1[3] = {0.3, 0.1, 1};
    plait_closest_steady(p0, p1, r0, r1, 1e-4, (double[2]){0.9, 0.1}, &a, &b);
    CHECK_NEAR(a, 0.3, 1e-4);
    CHECK_NEAR(b, 0.5, 1e-4);
}

CASE(triangle_no_sample_is_nearer)
{
    plait_rng rng = plait_rng_new(2, 0);
    for (int trial = 0; trial < 1000; trial++) {
        double t[9], x[3], w[3], y[3] = {0}, best = INFINITY;
        plait_feature feature;
        for (int c = 0; c < 3; c++)
            random_point(&rng, t + 3 * c);
        random_point(&rng, x);
        double found = sqrt(plait_closest_triangle(x, t, w, &feature));
        for (int c = 0; c < 3; c++)
            plait_vec3_axpy(w[c], t + 3 * c, y);
        CHECK_NEAR(distance(x, y), found, 1e-12);
        for (int i = 0; i <= 30; i++)
            for (int j = 0; i + j <= 30; j++) {
                double s[3] = {0}, u[3] = {i / 30.0, j / 30.0, (30 - i - j) / 30.0};
                for (int c = 0; c < 3; c++)
                    plait_vec3_axpy(u[c], t + 3 * c, s);
                best = fmin(best, distance(x, s));
            }
        CHECK(best >= found - 1e-12);
        CHECK(best <= found + 0.1);
        int positive = (w[0] > 0) + (w[1] > 0) + (w[2] > 0);
        int expected = feature == PLAIT_FEATURE_FACE ? 3 : feature >= PLAIT_FEATURE_CORNER0 ? 1 : 2;
        CHECK_INT(positive, expected);
    }
}

CASE(segment_and_triangle)
{
    plait_rng rng = plait_rng_new(3, 0);
    for (int trial = 0; trial < 1000; trial++) {
        double t[9], p0[3], p1[3], w[3], x[3], y[3] = {0}, a, best = INFINITY;
        for (int c = 0; c < 3; c++)
            random_point(&rng, t + 3 * c);
        random_point(&rng, p0), random_point(&rng, p1);
        double found = sqrt(plait_closest_segment_triangle(p0, p1, t, &a, w));
        plait_lerp(p0, p1, a, x);
        for (int c = 0; c < 3; c++)
            plait_vec3_axpy(w[c], t + 3 * c, y);
        CHECK_NEAR(distance(x, y), found, 1e-9);
        for (int i = 0; i <= 200; i++) {
            plait_feature feature;
            plait_lerp(p0, p1, i / 200.0, x);
            best = fmin(best, sqrt(plait_closest_triangle(x, t, w, &feature)));
        }
        CHECK(best >= found - 1e-12);
        CHECK(best <= found + 0.02);
    }
}
