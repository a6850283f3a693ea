#include "check.h"
#include "contact/local.h"
#include "local_cases.h"

static const double TOL = 1e-12;

static void check_vector(const double r[3], double n, double t1, double t2, double tol)
{
    CHECK_NEAR(r[0], n, tol);
    CHECK_NEAR(r[1], t1, tol);
    CHECK_NEAR(r[2], t2, tol);
}

// W = w I has a solution in closed form.
CASE(round_contact)
{
    plait_rng rng = plait_rng_new(1, 0);
    for (int i = 0; i < 10000; i++) {
        double w = local_decades(&rng, -6, 6), mu = plait_rng_between(&rng, 0, 2), r[3] = {0}, b[3];
        double W[9] = {w, 0, 0, 0, w, 0, 0, 0, w};
        for (int k = 0; k < 3; k++)
            b[k] = plait_rng_normal(&rng), r[k] = plait_rng_normal(&rng) / w;
        double n = b[0] < 0 ? -b[0] / w : 0, t = hypot(b[1], b[2]), k = t > mu * -b[0] ? mu * n / t : 1 / w;
        if (b[0] >= 0)
            k = 0;
        CHECK_INT(plait_local_secular(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
        check_vector(r, n, -k * b[1], -k * b[2], 1e-13 / w);
    }
}

CASE(trivial_cases)
{
    const double W[9] = {2, 0.3, -0.2, 0.3, 1, 0.1, -0.2, 0.1, 1.5};
    double r[3] = {1, 2, 3};
    CHECK_INT(plait_local_secular(W, (double[]){0, 0, 0}, 0.5, TOL, r), PLAIT_LOCAL_SOLVED);
    check_vector(r, 0, 0, 0, 0);
    r[0] = 1;
    CHECK_INT(plait_local_secular(W, (double[]){1, -3, 2}, 0.5, TOL, r), PLAIT_LOCAL_SOLVED);
    check_vector(r, 0, 0, 0, 0);
    r[0] = 1;
    CHECK_INT(plait_local_secular(W, (double[]){0, -3, 2}, 0.5, TOL, r), PLAIT_LOCAL_SOLVED); // grazes
    check_vector(r, 0, 0, 0, 0);
    CHECK_INT(plait_local_secular(W, (double[]){-1, -3, 2}, 0, TOL, r), PLAIT_LOCAL_SOLVED); // no friction
    check_vector(r, 0.5, 0, 0, 1e-16);
    CHECK_INT(plait_local_secular(W, (double[]){-1, -3, 2}, 1e-200, TOL, r), PLAIT_LOCAL_SOLVED);
    check_vector(r, 0.5, 0, 0, 1e-16);
    CHECK_INT(plait_local_secular(W, (double[]){-1, -0.15, 0.1}, 1e6, 1e-8, r),
              PLAIT_LOCAL_SOLVED); // b = -W (0.5, 0, 0)
    check_vector(r, 0.5, 0, 0, 1e-15);
}

CASE(clamped_contact)
{
    const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, zero[9] = {0};
    double r[3] = {1, 0, 0};
    CHECK_INT(plait_local_secular(W, (double[]){-1, 0, 0}, 0.5, TOL, r), PLAIT_LOCAL_FAILED);
    check_vector(r, 0, 0, 0, 0);
    r[0] = 1;
    CHECK_INT(plait_local_secular(zero, (double[]){-1, 0, 0}, 0.5, TOL, r), PLAIT_LOCAL_FAILED);
    check_vector(r, 0, 0, 0, 0);
    r[0] = 1;
    CHECK_INT(plait_local_secular(zero, (double[]){1, 2, 0}, 0.5, TOL, r), PLAIT_LOCAL_SOLVED);
    check_vector(r, 0, 0, 0, 0);
}

CASE(not_a_number)
{
    const double W[9] = {2, 0.3, -0.2, 0.3, 1, 0.1, -0.2, 0.1, 1.5}, bad[] = {NAN, INFINITY, -INFINITY};
    for (int kind = 0; kind < 3; kind++)
        for (int i = 0; i < 16; i++) {
            double V[9], b[3] = {i % 2 ? -1 : 1, 0.5, 0.2}, mu = 0.4, r[3] = {0.5, 0.1, 0};
            memcpy(V, W, sizeof V);
            *(i < 9 ? &V[i] : i < 12 ? &b[i - 9] : i < 13 ? &mu : &r[i - 13]) = bad[kind];
            plait_local_result result = plait_local_secular(V, b, mu, TOL, r);
            if (i < 13) {
                CHECK_INT(result, PLAIT_LOCAL_FAILED);
                check_vector(r, 0, 0, 0, 0);
            } else { // a bad warm start is no start
                CHECK_INT(result, PLAIT_LOCAL_SOLVED);
                CHECK(plait_contact_residual(V, b, mu, r) <= TOL);
            }
        }
    double r[3] = {0};
    CHECK_INT(plait_local_secular(W, (double[]){-1, 0, 0}, -0.5, TOL, r), PLAIT_LOCAL_FAILED);
    CHECK_INT(plait_local_secular(W, (double[]){-1, 0, 0}, 0.5, NAN, r), PLAIT_LOCAL_FAILED);
}

// Units drop out: powers of two change no bit, in every solver and far out of the range that is solved without scaling.
CASE(powers_of_two)
{
    plait_rng rng = plait_rng_new(2, 0);
    for (int i = 0; i < 5000; i++) {
        local_case c = local_draw(&rng, (local_kind)plait_rng_below(&rng, LOCAL_KIND_COUNT), false);
        int range = i % 2 ? 40 : 300;
        int kw = (int)plait_rng_below(&rng, (uint64_t)(2 * range)) - range;
        int kb = (int)plait_rng_below(&rng, (uint64_t)(2 * range)) - range;
        double V[9], b[3];
        for (int k = 0; k < 9; k++)
            V[k] = ldexp(c.W[k], kw);
        for (int k = 0; k < 3; k++)
            b[k] = ldexp(c.b[k], kb);
        for (int solver = 0; solver < PLAIT_LOCAL_COUNT; solver++) {
            double r[3], s[3];
            for (int k = 0; k < 3; k++)
                r[k] = c.warm[k], s[k] = ldexp(c.warm[k], kb - kw);
            plait_local_result one = plait_contact_solve((plait_local)solver, c.W, c.b, c.mu, 1e-10, r);
            plait_local_result two = plait_contact_solve((plait_local)solver, V, b, c.mu, 1e-10, s);
            CHECK_INT(one, two);
            for (int k = 0; k < 3; k++)
                CHECK(ldexp(r[k], kb - kw) == s[k]);
        }
    }
}

CASE(other_units)
{
    plait_rng rng = plait_rng_new(3, 0);
    for (int i = 0; i < 5000; i++) {
        local_case c = local_draw(&rng, LOCAL_RODS, false);
        double kw = local_decades(&rng, -8, 8), kb = local_decades(&rng, -12, 12), V[9], b[3], r[3] = {0}, s[3] = {0};
        for (int k = 0; k < 9; k++)
            V[k] = kw * c.W[k];
        for (int k = 0; k < 3; k++)
            b[k] = kb * c.b[k];
        if (!local_unique(&c))
            continue;
        CHECK_INT(plait_local_secular(c.W, c.b, c.mu, TOL, r), PLAIT_LOCAL_SOLVED);
        CHECK_INT(plait_local_secular(V, b, c.mu, TOL, s), PLAIT_LOCAL_SOLVED);
        double size = 1e-9 * (fabs(r[0]) + fabs(r[1]) + fabs(r[2]));
        check_vector(r, s[0] * kw / kb, s[1] * kw / kb, s[2] * kw / kb, size);
    }
}

// mu |w| > w_N: pulling on the tangent pushes the normal; taking off, sticking and sliding can all be solutions.
CASE(keeps_the_branch_of_the_warm_start)
{
    const double W[9] = {1, 2, 0, 2, 4.5, 0, 0, 0, 1}, mu = 1;
    const double stick[3] = {1, -0.8, 0}, slide[3] = {1, -1, 0}, speed = 0.7;
    double b[3], r[3];
    for (int i = 0; i < 3; i++)
        b[i] = -(W[3 * i] * stick[0] + W[3 * i + 1] * stick[1]);
    CHECK(b[0] > 0);
    for (int i = 0; i < 3; i++)
        r[i] = 1.01 * stick[i];
    CHECK_INT(plait_local_secular(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
    check_vector(r, stick[0], stick[1], stick[2], 1e-12);
    r[0] = r[1] = r[2] = 0;
    CHECK_INT(plait_local_secular(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
    check_vector(r, 0, 0, 0, 0);
    for (int i = 0; i < 3; i++)
        b[i] = -(W[3 * i] * slide[0] + W[3 * i + 1] * slide[1]) + (i == 1 ? speed : 0);
    CHECK(b[0] > 0);
    for (int i = 0; i < 3; i++)
        r[i] = 1.01 * slide[i];
    CHECK_INT(plait_local_secular(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
    check_vector(r, slide[0], slide[1], slide[2], 1e-11);
}

// Problems with b_N < 0 that a sliding and a sticking impulse solve: each is kept by a start near it.
CASE(sliding_beside_sticking)
{
    plait_rng rng = plait_rng_new(4, 0);
    int found = 0;
    for (int i = 0; i < 200000 && found < 200; i++) {
        double W[9], b[3], mu = plait_rng_between(&rng, 0.8, 3), d = plait_rng_between(&rng, 0, 6.283185307179586);
        double c = cos(d), s = sin(d), slide[3] = {1, mu * c, mu * s}, v = plait_rng_uniform(&rng), x[3] = {0}, r[3];
        local_matrix(&rng, LOCAL_COUPLED, W);
        for (int k = 0; k < 3; k++)
            b[k] = -(W[3 * k] + W[3 * k + 1] * slide[1] + W[3 * k + 2] * slide[2]) - (k == 1   ? v * c
                                                                                      : k == 2 ? v * s
                                                                                               : 0);
        if (b[0] >= 0)
            continue;
        CHECK_INT(plait_local_enum(W, b, mu, TOL, x), PLAIT_LOCAL_SOLVED); // it looks at sticking first
        if (hypot(x[1], x[2]) > 0.99 * mu * x[0])
            continue;
        found++;
        for (int k = 0; k < 3; k++)
            r[k] = (1 + 1e-4) * slide[k];
        CHECK_INT(plait_local_secular(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
        check_vector(r, slide[0], slide[1], slide[2], 1e-6);
        for (int k = 0; k < 3; k++)
            r[k] = 1.001 * x[k];
        CHECK_INT(plait_local_secular(W, b, mu, TOL, r), PLAIT_LOCAL_SOLVED);
        check_vector(r, x[0], x[1], x[2], 1e-6 * (1 + fabs(x[0])));
    }
    CHECK_INT(found, 200);
}

// Nothing here needs W = W^T: assembled blocks have it only up to rounding, some published problems not at all.
CASE(unsymmetric)
{
    plait_rng rng = plait_rng_new(5, 0);
    for (int i = 0; i < 20000; i++) {
        local_case c = local_draw(&rng, LOCAL_ROTATED, false);
        double k = i % 2 ? 1e-9 : 0.2, a = k * plait_rng_normal(&rng), d = k * plait_rng_normal(&rng);
        double e = k * plait_rng_normal(&rng), size = c.W[0] + c.W[4] + c.W[8];
        c.W[1] += a * size, c.W[3] -= a * size, c.W[2] += d * size, c.W[6] -= d * size, c.W[5] += e * size;
        c.W[7] -= e * size; // the symmetric part is as before
        double r[3] = {c.warm[0], c.warm[1], c.warm[2]};
        CHECK_INT(plait_local_secular(c.W, c.b, c.mu, 1e-10, r), PLAIT_LOCAL_SOLVED);
        CHECK(plait_contact_residual(c.W, c.b, c.mu, r) <= 1e-10);
        CHECK(local_violation(c.W, c.b, c.mu, r) <= 1e-9);
    }
}

// The cone is never left, not even by rounding: what others add to r stays admissible.
CASE(stays_in_the_cone)
{
    plait_rng rng = plait_rng_new(6, 0);
    for (int i = 0; i < 20000; i++) {
        local_case c = local_draw(&rng, (local_kind)plait_rng_below(&rng, LOCAL_SPD_COUNT), true);
        double r[3] = {c.warm[0], c.warm[1], c.warm[2]};
        CHECK_INT(plait_local_secular(c.W, c.b, c.mu, 1e-10, r), PLAIT_LOCAL_SOLVED);
        CHECK(r[0] >= 0);
        if (c.mu * hypot(c.W[1], c.W[2]) < 0.1 * c.W[0])
            CHECK(hypot(r[1], r[2]) <= c.mu * r[0] * (1 + 1e-14));
    }
}
