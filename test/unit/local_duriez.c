#include "check.h"
#include "contact/local.h"
#include "local_cases.h"

// With the diagonal that it takes for W, the solver of 2006 is exact.
CASE(diagonal_is_exact)
{
    plait_rng rng = plait_rng_new(1, 0);
    for (int i = 0; i < 5000; i++) {
        double wn = local_decades(&rng, -2, 2), wt = local_decades(&rng, -2, 2), b[3], r[3] = {1, 1, 1}, s[3] = {0};
        double W[9] = {wn, 0, 0, 0, wt, 0, 0, 0, wt}, mu = plait_rng_between(&rng, 0.1, 1);
        for (int k = 0; k < 3; k++)
            b[k] = plait_rng_normal(&rng);
        CHECK_INT(plait_local_duriez06(W, b, mu, 1e-10, r), PLAIT_LOCAL_SOLVED);
        CHECK_INT(plait_local_secular(W, b, mu, 1e-10, s), PLAIT_LOCAL_SOLVED);
        for (int k = 0; k < 3; k++)
            CHECK_NEAR(r[k], s[k], 1e-12 / fmin(wn, wt));
    }
}

// What it takes for the answer otherwise: first the normal, then the tangent cut to the cone; coupling is not seen.
CASE(diagonal_approximation)
{
    const double W[9] = {2, 0.5, 0, 0.5, 1, 0, 0, 0, 3}, b[3] = {-1, 0.6, -0.8}, mu = 0.5;
    double r[3] = {0};
    CHECK_INT(plait_local_duriez06(W, b, mu, 1e-10, r), PLAIT_LOCAL_FAILED); // not Coulomb's law
    CHECK_NEAR(r[0], 0.5, 1e-15);
    CHECK_NEAR(r[1], -0.25 * 0.6, 1e-15); // b_T / 2 is 0.5 long, the cone 0.25 wide
    CHECK_NEAR(r[2], 0.25 * 0.8, 1e-15);
    double stick[3] = {0}, c[3] = {-1, 0.06, -0.08};
    plait_local_duriez06(W, c, mu, 1e-10, stick);
    CHECK_NEAR(stick[1], -0.03, 1e-15);
    CHECK_NEAR(stick[2], 0.04, 1e-15);
}

// Repeated, its fixed points are exact; it does not always get there.
CASE(fixed_point_is_exact)
{
    plait_rng rng = plait_rng_new(2, 0);
    int solved = 0, n = 5000;
    for (int i = 0; i < n; i++) {
        double W[9], b[3], r[3] = {0}, mu = plait_rng_between(&rng, 0.1, 0.6);
        local_matrix(&rng, LOCAL_RODS, W);
        for (int k = 0; k < 3; k++)
            b[k] = plait_rng_normal(&rng);
        if (plait_local_duriez08(W, b, mu, 1e-10, r) != PLAIT_LOCAL_SOLVED)
            continue;
        solved++;
        CHECK(local_violation(W, b, mu, r) <= 1e-9);
    }
    CHECK(solved > 0.97 * n);
}
