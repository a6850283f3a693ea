#include "contact/local.h"

#include "check.h"
#include "local_cases.h"

CASE(names)
{
    for (int i = 0; i < PLAIT_LOCAL_COUNT; i++) {
        CHECK_INT(plait_local_find(plait_local_name((plait_local)i)), i);
        CHECK(plait_local_lookup((plait_local)i) != NULL);
    }
    CHECK_STR(plait_local_name(PLAIT_LOCAL_SECULAR), "secular");
    CHECK_STR(plait_local_name(PLAIT_LOCAL_DURIEZ08), "duriez08");
    CHECK_INT(plait_local_find("pyramid"), PLAIT_LOCAL_PYRAMID);
    CHECK_INT(plait_local_find("no such"), PLAIT_LOCAL_COUNT);
    CHECK_INT(plait_local_find(NULL), PLAIT_LOCAL_COUNT);
    CHECK(plait_local_lookup(PLAIT_LOCAL_COUNT) == NULL);
    double r[3] = {1, 1, 1};
    CHECK_INT(plait_contact_solve(PLAIT_LOCAL_COUNT, (double[9]){1}, (double[3]){-1}, 0.5, 1e-8, r),
              PLAIT_LOCAL_FAILED);
    CHECK(r[0] == 0);
}

CASE(residual)
{
    const double W[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, none[9] = {0}, b[3] = {-1, 0, 0}, still[3] = {0};
    const double zero[3] = {0}, r[3] = {0.5, 0, 0};
    CHECK_NEAR(plait_contact_residual(W, b, 0.5, r), 0, 1e-16);
    CHECK_NEAR(plait_contact_residual(W, b, 0, r), 0, 1e-16);
    // x = 0 and y = (-1, 0, 0): F = y - |y| = -2
    CHECK_NEAR(plait_contact_residual(W, b, 0.5, zero), 2, 1e-15);
    CHECK_NEAR(plait_contact_residual(W, b, 0, zero), 2, 1e-15);
    // x = (s mu r_N, 0, 0) = (2, 0, 0) and y = (3, 0, 0): F = 5 - sqrt(13)
    CHECK_NEAR(plait_contact_residual(W, b, 0.5, (double[]){2, 0, 0}), 5 - sqrt(13), 1e-15);
    CHECK_NEAR(plait_contact_residual(W, still, 0.5, zero), 0, 0);
    CHECK(plait_contact_residual(W, still, 0.5, r) == INFINITY);
    CHECK_NEAR(plait_contact_residual(none, (double[]){1, 2, 3}, 0.5, zero), 0, 1e-15);
    CHECK_NEAR(plait_contact_residual(none, b, 0.5, r), 2, 1e-15); // an impulse that moves nothing
    CHECK(plait_contact_residual(W, b, NAN, r) == INFINITY);
    CHECK(plait_contact_residual(W, b, -1, r) == INFINITY);
    CHECK(plait_contact_residual(W, b, 0.5, (double[]){NAN, 0, 0}) == INFINITY);
    CHECK(plait_contact_residual(W, (double[]){-1, INFINITY, 0}, 0.5, r) == INFINITY);
}

CASE(residual_has_no_units)
{
    plait_rng rng = plait_rng_new(1, 0);
    for (int i = 0; i < 2000; i++) {
        local_case c = local_draw(&rng, LOCAL_COUPLED, false);
        int kw = (int)plait_rng_below(&rng, 1200) - 600, kb = (int)plait_rng_below(&rng, 600) - 300;
        double V[9], b[3], r[3];
        for (int k = 0; k < 9; k++)
            V[k] = ldexp(c.W[k], kw);
        for (int k = 0; k < 3; k++)
            b[k] = ldexp(c.b[k], kb), r[k] = ldexp(c.warm[k], kb - kw);
        CHECK(plait_contact_residual(c.W, c.b, c.mu, c.warm) == plait_contact_residual(V, b, c.mu, r));
    }
}

// ---- the chain ---------------------------------------------------------------------------------------------------

// Solvers that never do: one returns the warm start, one nonsense.
static plait_local_result lazy(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    (void)W, (void)b, (void)mu, (void)tol, (void)r;
    return PLAIT_LOCAL_FAILED;
}

static plait_local_result mad(const double W[9], const double b[3], double mu, double tol, double r[3])
{
    (void)W, (void)b, (void)mu, (void)tol;
    r[0] = NAN, r[1] = 1e300, r[2] = -INFINITY;
    return PLAIT_LOCAL_FAILED;
}

CASE(chain_counts)
{
    const double W[9] = {2, 0.3, -0.2, 0.3, 1, 0.1, -0.2, 0.1, 1.5}, b[3] = {-1, 3, -2};
    plait_local_stats stats = {0};
    double r[3] = {0};
    CHECK(plait_local_solve(plait_local_secular, true, W, b, 0.5, 1e-10, r, &stats));
    CHECK(stats.calls == 1 && stats.alt == 0 && stats.fail == 0);
    double s[3] = {0};
    CHECK(plait_local_solve(lazy, true, W, b, 0.5, 1e-10, s, &stats)); // saved by enumeration
    CHECK(stats.calls == 2 && stats.alt == 1 && stats.fail == 0);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(r[k], s[k], 1e-9);
    s[0] = s[1] = s[2] = 0;
    CHECK(plait_local_solve(mad, true, W, b, 0.5, 1e-10, s, &stats));
    CHECK(stats.calls == 3 && stats.alt == 2 && stats.fail == 0);
    s[0] = 0.6, s[1] = s[2] = 0;
    CHECK(!plait_local_solve(lazy, false, W, b, 0.5, 1e-10, s, &stats));
    CHECK(stats.calls == 4 && stats.alt == 2 && stats.fail == 1);
    CHECK(s[0] == 0.6); // better than nothing
    s[0] = 1000;
    CHECK(!plait_local_solve(mad, false, W, b, 0.5, 1e-10, s, &stats));
    CHECK(stats.fail == 2);
    CHECK(s[0] == 0); // 1000 is worse than nothing, and nonsense never gets out
}

// Nothing keeps these bodies apart.
CASE(chain_without_solution)
{
    const double W[9] = {0, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 0, 0};
    plait_local_stats stats = {0};
    double r[3] = {5, 0, 0};
    CHECK(!plait_local_solve(plait_local_mfb, true, W, b, 0.5, 1e-10, r, &stats));
    CHECK(stats.alt == 1 && stats.fail == 1);
    CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0);
    double bad[3] = {-1, NAN, 0};
    for (int k = 0; k < 2; k++) {
        r[0] = 5;
        CHECK(!plait_local_solve(k ? mad : plait_local_secular, !k, W, bad, 0.5, 1e-10, r, &stats));
        CHECK(r[0] == 0 && r[1] == 0 && r[2] == 0);
    }
}

// An approximate law is not held against the exact one, unless that is asked for.
CASE(chain_with_an_approximate_law)
{
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 5, 5};
    plait_local_stats stats = {0};
    double exact[3] = {1, -0.5 * sqrt(0.5), -0.5 * sqrt(0.5)}, r[3] = {exact[0], exact[1], exact[2]};
    CHECK(!plait_local_solve(plait_local_pyramid, false, W, b, 0.5, 1e-10, r, &stats));
    CHECK_NEAR(r[1], -0.5, 1e-15);
    CHECK(plait_local_solve(plait_local_pyramid, true, W, b, 0.5, 1e-10, r, &stats));
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(r[k], exact[k], 1e-12);
    CHECK(stats.calls == 2 && stats.alt == 1 && stats.fail == 1);
}
