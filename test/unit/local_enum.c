#include "check.h"
#include "contact/local.h"
#include "local_cases.h"

static const double TOL = 1e-11;

// Where the solution is unique, the quartic and the secular equation find the same one.
CASE(agrees_with_secular_where_unique)
{
    plait_rng rng = plait_rng_new(1, 0);
    int slides = 0;
    for (int i = 0; i < 30000; i++) {
        local_case c = local_draw(&rng, (local_kind)plait_rng_below(&rng, LOCAL_SPD_COUNT), true);
        if (!local_unique(&c))
            continue;
        double r[3] = {c.warm[0], c.warm[1], c.warm[2]}, s[3] = {0};
        CHECK_INT(plait_local_enum(c.W, c.b, c.mu, TOL, r), PLAIT_LOCAL_SOLVED);
        CHECK_INT(plait_local_secular(c.W, c.b, c.mu, TOL, s), PLAIT_LOCAL_SOLVED);
        double size = hypot(c.b[0], hypot(c.b[1], c.b[2])) / (c.W[0] + c.W[4] + c.W[8]);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(r[k], s[k], 1e-8 * (size + fabs(r[0])));
        slides += c.mu > 0 && r[0] > 0 && hypot(r[1], r[2]) > 0.999 * c.mu * r[0];
    }
    CHECK(slides > 5000);
}

// Number of sliding solutions by a scan over the directions of friction, r_T = mu r_N (cos t, sin t).
static double across(const double W[9], const double b[3], double mu, double t, double *rn, double *along)
{
    double c = cos(t), s = sin(t), k = W[0] + mu * (W[1] * c + W[2] * s);
    double u1 = k * b[1] - b[0] * (W[3] + mu * (W[4] * c + W[5] * s));
    double u2 = k * b[2] - b[0] * (W[6] + mu * (W[7] * c + W[8] * s));
    *rn = -b[0] / k;
    *along = (u1 * c + u2 * s) / k; // u_T along the impulse: against it for a solution
    return u1 * s - u2 * c;
}

static int count_slides(const double W[9], const double b[3], double mu, int samples)
{
    int found = 0;
    double rn, along, last = across(W, b, mu, 0, &rn, &along);
    for (int i = 1; i <= samples; i++) {
        double low = 6.283185307179586 * (i - 1) / samples, high = 6.283185307179586 * i / samples;
        double next = across(W, b, mu, high, &rn, &along), at_low = last;
        if ((last < 0) != (next < 0)) {
            for (int k = 0; k < 50; k++) {
                double middle = 0.5 * (low + high), f = across(W, b, mu, middle, &rn, &along);
                if ((f < 0) == (at_low < 0))
                    low = middle;
                else
                    high = middle;
            }
            across(W, b, mu, 0.5 * (low + high), &rn, &along);
            found += rn > 0 && rn < 1e9 && along < 0; // the scan also crosses zero where r_N has a pole
        }
        last = next;
    }
    return found;
}

// A singular W may leave no way to keep the bodies apart. It says so where a scan finds nothing either, and only there.
CASE(denies_and_finds_with_a_scan)
{
    plait_rng rng = plait_rng_new(2, 0);
    int denied = 0, slid = 0, n = 1500;
    for (int i = 0; i < n; i++) {
        double W[9], b[3], mu = plait_rng_between(&rng, 0.3, 3), r[3] = {0};
        local_matrix(&rng, i % 3 ? LOCAL_RANK2 : LOCAL_RANK1, W);
        for (int k = 0; k < 3; k++)
            b[k] = plait_rng_normal(&rng); // never in the range of W: no sticking
        b[0] = -fabs(b[0]);
        plait_local_result result = plait_local_enum(W, b, mu, 1e-10, r);
        int slides = count_slides(W, b, mu, 2000);
        if (result == PLAIT_LOCAL_NO_SOLUTION) {
            denied++;
            CHECK_INT(slides, 0);
            CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0);
        }
        if (result == PLAIT_LOCAL_SOLVED) {
            slid++;
            CHECK(slides > 0);
            CHECK(local_violation(W, b, mu, r) < 1e-9);
        }
    }
    CHECK(denied > 100);
    CHECK(slid > 800);
    CHECK(n - denied - slid < n / 100); // undecided
    double r[3] = {1, 0, 0};
    CHECK_INT(plait_local_enum((double[]){0, 0, 0, 0, 1, 0, 0, 0, 1}, (double[]){-1, 0, 0}, 0.5, TOL, r),
              PLAIT_LOCAL_NO_SOLUTION);
    CHECK_INT(plait_local_enum((double[]){0, 0, 0, 0, 1, 0, 0, 0, NAN}, (double[]){-1, 0, 0}, 0.5, TOL, r),
              PLAIT_LOCAL_FAILED);
    CHECK_INT(plait_local_enum((double[]){0, 0, 0, 0, 1, 0, 0, 0, 1}, (double[]){0, 1, 0}, 0.5, TOL, r),
              PLAIT_LOCAL_SOLVED);
}

// Squaring the condition of sliding adds roots with r_N < 0; strongly coupled contacts have them as the smallest root.
CASE(strong_coupling)
{
    plait_rng rng = plait_rng_new(3, 0);
    for (int i = 0; i < 20000; i++) {
        double W[9], b[3], mu = plait_rng_between(&rng, 0.5, 5), r[3] = {0};
        local_matrix(&rng, LOCAL_COUPLED, W);
        for (int k = 0; k < 3; k++)
            b[k] = plait_rng_normal(&rng);
        b[0] = -fabs(b[0]) * (i % 3 ? 1 : 1e-9); // the paper's coefficients divide by b_N
        CHECK_INT(plait_local_enum(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
        CHECK(r[0] > 0);
        CHECK(local_violation(W, b, mu, r) <= 10 * TOL);
    }
}

// Of several sliding solutions the one nearest to the warm start is taken.
CASE(nearest_slide)
{
    plait_rng rng = plait_rng_new(4, 0);
    int several = 0;
    for (int i = 0; i < 200000 && several < 20; i++) {
        double W[9], b[3], mu = plait_rng_between(&rng, 1, 4), d = plait_rng_between(&rng, 0, 6.283185307179586);
        double slide[3] = {1, mu * cos(d), mu * sin(d)}, v = plait_rng_uniform(&rng), other[3] = {0}, r[3];
        local_matrix(&rng, LOCAL_COUPLED, W);
        for (int k = 0; k < 3; k++)
            b[k] = -(W[3 * k] + W[3 * k + 1] * slide[1] + W[3 * k + 2] * slide[2]) - (k ? v * slide[k] : 0);
        if (b[0] >= 0 || plait_local_enum(W, b, mu, TOL, other) != PLAIT_LOCAL_SOLVED)
            continue;
        double apart = hypot(other[0] - 1, hypot(other[1] - slide[1], other[2] - slide[2]));
        if (hypot(other[1], other[2]) < (1 - 1e-9) * mu * other[0] || apart < 0.1) // sticks, or is the same
            continue;
        several++;
        for (int k = 0; k < 3; k++)
            r[k] = slide[k];
        CHECK_INT(plait_local_enum(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(r[k], slide[k], 1e-6);
    }
    CHECK_INT(several, 20);
}

// A plane problem in three components has its solution in the plane.
CASE(plane_problems)
{
    plait_rng rng = plait_rng_new(5, 0);
    for (int i = 0; i < 5000; i++) {
        local_case c = local_draw(&rng, LOCAL_FLAT, true);
        if (fabs(c.W[0] * c.W[4] - c.W[1] * c.W[1]) < 1e-3 * c.W[0] * c.W[4])
            continue;
        for (int solver = 0; solver < 2; solver++) {
            double r[3] = {0};
            plait_local_function solve = solver ? plait_local_enum : plait_local_secular;
            CHECK_INT(solve(c.W, c.b, c.mu, 1e-10, r), PLAIT_LOCAL_SOLVED);
            CHECK_NEAR(r[2], 0, 0);
            CHECK(local_violation(c.W, c.b, c.mu, r) <= 1e-9);
        }
    }
}

// W r = -b on a whole line: of the part of it in the cone, the point next to the warm start.
CASE(sticks_with_a_singular_operator)
{
    plait_rng rng = plait_rng_new(6, 0);
    int clipped = 0;
    for (int i = 0; i < 5000; i++) {
        double mu = plait_rng_between(&rng, 0.2, 1), z[3], W[9] = {0}, b[3], x[3] = {1, 0.3 * mu, -0.5 * mu};
        local_axis(&rng, z);
        for (int j = 0; j < 3; j++) // I - z z^T
            for (int k = 0; k < 3; k++)
                W[3 * j + k] = (j == k) - z[j] * z[k];
        for (int k = 0; k < 3; k++)
            b[k] = -(W[3 * k] * x[0] + W[3 * k + 1] * x[1] + W[3 * k + 2] * x[2]);
        if (b[0] >= -1e-3 || fabs(mu * z[0]) > 0.95 * hypot(z[1], z[2])) // opens, or the line stays in the cone forever
            continue;
        double far = 10 * plait_rng_normal(&rng), in = 0, out = far, r[3], warm[3];
        for (int k = 0; k < 3; k++)
            warm[k] = x[k] + far * z[k];
        for (int k = 0; k < 200; k++) { // where the way from x to the warm start leaves the cone
            double t = k ? 0.5 * (in + out) : far;
            bool ok = hypot(x[1] + t * z[1], x[2] + t * z[2]) <= mu * (x[0] + t * z[0]);
            *(ok ? &in : &out) = t;
        }
        clipped += in != far;
        for (int solver = 0; solver < 2; solver++) {
            for (int k = 0; k < 3; k++)
                r[k] = warm[k];
            CHECK_INT((solver ? plait_local_enum : plait_local_secular)(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(r[k], x[k] + in * z[k], 1e-6);
        }
    }
    CHECK(clipped > 500);
}
