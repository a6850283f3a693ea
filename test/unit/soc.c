#include "math/soc.h"

#include "base/rng.h"
#include "check.h"
#include "math/mat3.h"
#include "math/soc_jacobian.h"
#include "math/vec3.h"

static void draw(plait_rng *rng, double scale, double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = scale * plait_rng_normal(rng);
}

// Jordan product
static void jordan(const double x[3], const double y[3], double z[3])
{
    z[0] = plait_vec3_dot(x, y);
    z[1] = x[0] * y[1] + y[0] * x[1];
    z[2] = x[0] * y[2] + y[0] * x[2];
}

// A pair of K_1 with x . y = 0: kind 0 both on the surface, 1: y = 0, 2: x = 0.
static void complementary(plait_rng *rng, int kind, double x[3], double y[3])
{
    double t = plait_rng_between(rng, 0, 6.283185307179586), a = plait_rng_uniform(rng), b = plait_rng_uniform(rng);
    double inside = kind ? plait_rng_uniform(rng) : 1;
    plait_vec3_set(x, a, a * inside * cos(t), a * inside * sin(t));
    plait_vec3_set(y, b, -b * inside * cos(t), -b * inside * sin(t));
    if (kind)
        plait_vec3_set(kind == 1 ? y : x, 0, 0, 0);
}

CASE(projection)
{
    plait_rng rng = plait_rng_new(1, 0);
    for (int i = 0; i < 20000; i++) {
        double x[3], p[3], mu = 3 * plait_rng_uniform(&rng);
        draw(&rng, 1, x);
        plait_soc_project(mu, x, p);
        // p in the cone, x - p in the polar cone { mu |q_T| <= -q_N }, both orthogonal
        double q[3] = {x[0] - p[0], x[1] - p[1], x[2] - p[2]};
        CHECK(hypot(p[1], p[2]) <= mu * p[0] + 1e-14);
        CHECK(mu * hypot(q[1], q[2]) <= -q[0] + 1e-14);
        CHECK_NEAR(plait_vec3_dot(p, q), 0, 1e-14);
    }
}

// Without friction the cone is a half line, also for what has no part along the surface.
CASE(projection_without_friction)
{
    for (int i = -1; i <= 1; i += 2)
        for (int k = 0; k < 2; k++) {
            double x[3] = {i, k, 0}, p[3];
            plait_soc_project(0, x, p);
            CHECK(p[0] == (i > 0) && p[1] == 0 && p[2] == 0);
        }
}

CASE(root_of_the_sum_of_squares)
{
    plait_rng rng = plait_rng_new(2, 0);
    for (int i = 0; i < 20000; i++) {
        double x[3], y[3], F[3], xx[3], yy[3], ss[3];
        draw(&rng, 1, x);
        draw(&rng, 1, y);
        plait_soc_fischer_burmeister(x, y, F);
        double s[3] = {x[0] + y[0] - F[0], x[1] + y[1] - F[1], x[2] + y[2] - F[2]};
        jordan(x, x, xx);
        jordan(y, y, yy);
        jordan(s, s, ss);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(ss[k], xx[k] + yy[k], 1e-13);
        CHECK(s[0] >= hypot(s[1], s[2]) - 1e-14);
    }
}

CASE(zero_exactly_for_complementary_pairs)
{
    plait_rng rng = plait_rng_new(3, 0);
    for (int i = 0; i < 20000; i++) {
        double x[3], y[3], F[3];
        complementary(&rng, i % 3, x, y);
        plait_soc_fischer_burmeister(x, y, F);
        CHECK_NEAR(plait_vec3_norm(F), 0, 1e-14);
        double push = 0.1 + plait_rng_uniform(&rng); // any change of the sum of both axes breaks the pair
        x[0] += i % 2 ? push : -push - x[0] - y[0];
        y[0] += push;
        plait_soc_fischer_burmeister(x, y, F);
        CHECK(plait_vec3_norm(F) > 1e-3);
    }
}

// The smaller eigenvalue of x o x + y o y is 4e-18 here; the textbook formula returns zero and F loses all digits.
CASE(no_cancellation)
{
    double c = cos(0.7), s = sin(0.7), x[3] = {1, c, s}, y[3] = {1e-9, -1e-9 * c, -1e-9 * s}, F[3];
    plait_soc_fischer_burmeister(x, y, F);
    CHECK(plait_vec3_norm(F) < 1e-15);
    double z[3] = {1e-9, 1e-9 * c, 1e-9 * s}; // not complementary: F is about (x . z) / |x|
    plait_soc_fischer_burmeister(x, z, F);
    CHECK(plait_vec3_norm(F) > 1e-9);
}

CASE(residual_of_coulombs_law)
{
    plait_rng rng = plait_rng_new(4, 0);
    for (int i = 0; i < 20000; i++) {
        double mu = i % 7 ? 0.01 + 2 * plait_rng_uniform(&rng) : 0, t = plait_rng_between(&rng, 0, 6.283185307179586);
        double n = plait_rng_uniform(&rng), v = plait_rng_uniform(&rng), s = 0.1 + plait_rng_uniform(&rng), F[3];
        double r[3] = {0}, u[3] = {0};
        if (i % 3 == 0)
            plait_vec3_set(u, n, v * cos(t), v * sin(t));
        else if (i % 3 == 1)
            plait_vec3_set(r, n, mu * n * v * cos(t), mu * n * v * sin(t));
        else {
            plait_vec3_set(r, n, mu * n * cos(t), mu * n * sin(t));
            plait_vec3_set(u, 0, -v * cos(t), -v * sin(t));
        }
        plait_coulomb_residual(mu, s, r, u, F);
        CHECK_NEAR(plait_vec3_norm(F), 0, 1e-14);
        r[0] += 0.1, u[0] += 0.1; // pushes and parts at once
        plait_coulomb_residual(mu, s, r, u, F);
        CHECK(plait_vec3_norm(F) > 1e-5);
    }
}

// ---- derivatives -------------------------------------------------------------------------------------------------

CASE(jacobian_by_differences)
{
    plait_rng rng = plait_rng_new(5, 0);
    const double h = 1e-6;
    for (int i = 0; i < 5000; i++) {
        double x[3], y[3], F[3], Fx[9], Fy[9], G[3];
        draw(&rng, 1, x);
        draw(&rng, i % 2 ? 1 : 10, y);
        plait_soc_fischer_burmeister_jacobian(x, y, F, Fx, Fy);
        plait_soc_fischer_burmeister(x, y, G);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(F[k], G[k], 0);
        // Random pairs come close enough to the surface for differences to be wrong there.
        double s[3] = {x[0] + y[0] - F[0], x[1] + y[1] - F[1], x[2] + y[2] - F[2]};
        if (s[0] - hypot(s[1], s[2]) < 0.05)
            continue;
        for (int j = 0; j < 3; j++) {
            double lo[3], hi[3], x0 = x[j], y0 = y[j];
            x[j] = x0 + h, plait_soc_fischer_burmeister(x, y, hi);
            x[j] = x0 - h, plait_soc_fischer_burmeister(x, y, lo);
            x[j] = x0;
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(Fx[3 * k + j], (hi[k] - lo[k]) / (2 * h), 2e-8);
            y[j] = y0 + h, plait_soc_fischer_burmeister(x, y, hi);
            y[j] = y0 - h, plait_soc_fischer_burmeister(x, y, lo);
            y[j] = y0;
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(Fy[3 * k + j], (hi[k] - lo[k]) / (2 * h), 2e-8);
        }
    }
}

// On the surface (x and y along the same ray) F has no derivative, but |F|^2 / 2 has: J^T F for every element J.
CASE(surface_element)
{
    plait_rng rng = plait_rng_new(6, 0);
    const double h = 1e-6;
    for (int i = 0; i < 1000; i++) {
        double t = plait_rng_between(&rng, 0, 6.283185307179586), a = plait_rng_normal(&rng),
               b = plait_rng_normal(&rng);
        double x[3] = {a, a * cos(t), a * sin(t)}, y[3] = {b, b * cos(t), b * sin(t)}, F[3], Fx[9], Fy[9], gx[3], gy[3];
        if (i % 10 == 0) { // in exact arithmetic also on the surface in this one
            plait_vec3_set(x, a, a, 0);
            plait_vec3_set(y, b, b, 0);
        }
        if (hypot(a, b) < 0.1)
            continue;
        plait_soc_fischer_burmeister_jacobian(x, y, F, Fx, Fy);
        if (i % 10 == 0) {
            double q = sqrt(a * a + b * b);
            for (int k = 0; k < 9; k++) {
                CHECK_NEAR(Fx[k], k % 4 ? 0 : 1 - a / q, 1e-15);
                CHECK_NEAR(Fy[k], k % 4 ? 0 : 1 - b / q, 1e-15);
            }
        }
        plait_mat3_apply_transposed(Fx, F, gx);
        plait_mat3_apply_transposed(Fy, F, gy);
        for (int j = 0; j < 3; j++) {
            double lo[3], hi[3], x0 = x[j], y0 = y[j];
            x[j] = x0 + h, plait_soc_fischer_burmeister(x, y, hi);
            x[j] = x0 - h, plait_soc_fischer_burmeister(x, y, lo);
            x[j] = x0;
            CHECK_NEAR(gx[j], (plait_vec3_dot(hi, hi) - plait_vec3_dot(lo, lo)) / (4 * h), 1e-4);
            y[j] = y0 + h, plait_soc_fischer_burmeister(x, y, hi);
            y[j] = y0 - h, plait_soc_fischer_burmeister(x, y, lo);
            y[j] = y0;
            CHECK_NEAR(gy[j], (plait_vec3_dot(hi, hi) - plait_vec3_dot(lo, lo)) / (4 * h), 1e-4);
        }
    }
}

CASE(regular_points)
{
    double F[3], Fx[9], Fy[9], zero[3] = {0}, in[3] = {2, 0.3, -0.4};
    plait_soc_fischer_burmeister_jacobian(in, zero, F, Fx, Fy); // sticking: F = y
    for (int k = 0; k < 9; k++) {
        CHECK_NEAR(Fx[k], 0, 1e-15);
        CHECK_NEAR(Fy[k], k % 4 == 0, 1e-15);
    }
    plait_soc_fischer_burmeister_jacobian(zero, in, F, Fx, Fy); // taking off: F = x
    for (int k = 0; k < 9; k++) {
        CHECK_NEAR(Fx[k], k % 4 == 0, 1e-15);
        CHECK_NEAR(Fy[k], 0, 1e-15);
    }
    plait_soc_fischer_burmeister_jacobian(zero, zero, F, Fx, Fy);
    for (int k = 0; k < 9; k++) {
        CHECK_NEAR(Fx[k], k % 4 ? 0 : 1 - sqrt(0.5), 1e-15);
        CHECK_NEAR(Fy[k], k % 4 ? 0 : 1 - sqrt(0.5), 1e-15);
    }
}

// However close to the surface and whatever the size of x and y: finite, and bounded by I - [unit ball].
CASE(bounded_everywhere)
{
    plait_rng rng = plait_rng_new(7, 0);
    for (int i = 0; i < 20000; i++) {
        double x[3], y[3], F[3], Fx[9], Fy[9];
        complementary(&rng, i % 3, x, y);
        double kx = pow(10, plait_rng_between(&rng, -60, 60)), ky = pow(10, plait_rng_between(&rng, -60, 60));
        for (int k = 0; k < 3; k++) {
            x[k] *= kx * (1 + 1e-15 * (double)(i % 5)), y[k] *= ky;
            if (i % 4 == 0)
                y[k] = -x[k] * (i % 8 ? 1 : -1);
        }
        plait_soc_fischer_burmeister_jacobian(x, y, F, Fx, Fy);
        bool ok = plait_vec3_finite(F);
        for (int k = 0; k < 9; k++)
            ok = ok && fabs(Fx[k]) <= 2.5 && fabs(Fy[k]) <= 2.5;
        CHECK(ok);
    }
}
