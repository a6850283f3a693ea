#include "check.h"
#include "contact/local.h"
#include "local_cases.h"

// The law of the pyramid: each tangential axis is a Coulomb contact of its own.
CASE(law_of_the_pyramid)
{
    plait_rng rng = plait_rng_new(1, 0);
    int states[3] = {0};
    for (int i = 0; i < 20000; i++) {
        double W[9], b[3], r[3] = {0}, mu = plait_rng_between(&rng, 0.05, 1);
        local_matrix(&rng, (local_kind)plait_rng_below(&rng, LOCAL_SPD_COUNT), W);
        for (int k = 0; k < 3; k++)
            b[k] = plait_rng_normal(&rng) * (k && i % 2 ? 0.2 : 1);
        plait_local_pyramid(W, b, mu, 1e-10, r);
        double size = 1e-9 * (1 + (W[0] + W[4] + W[8]) * (fabs(r[0]) + fabs(r[1]) + fabs(r[2]))), u[3];
        for (int k = 0; k < 3; k++)
            u[k] = W[3 * k] * r[0] + W[3 * k + 1] * r[1] + W[3 * k + 2] * r[2] + b[k];
        CHECK(r[0] >= -size && u[0] >= -size && fabs(r[0] * u[0]) <= size);
        for (int k = 1; k < 3; k++) {
            CHECK(fabs(r[k]) <= mu * r[0] + size / W[4 * k]);
            if (r[0] > 0 && fabs(u[k]) > size) {
                CHECK_NEAR(r[k], -copysign(mu * r[0], u[k]), size);
                states[2]++;
            }
        }
        states[r[0] > 0]++;
    }
    CHECK(states[0] > 1000 && states[1] > 1000 && states[2] > 1000);
}

CASE(exact_where_it_sticks)
{
    const double W[9] = {2, 0.5, 0.1, 0.5, 1, 0, 0.1, 0, 3}, stick[3] = {1, 0.2, -0.1};
    double b[3], r[3] = {0};
    for (int k = 0; k < 3; k++)
        b[k] = -(W[3 * k] * stick[0] + W[3 * k + 1] * stick[1] + W[3 * k + 2] * stick[2]);
    CHECK_INT(plait_local_pyramid(W, b, 0.5, 1e-12, r), PLAIT_LOCAL_SOLVED);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(r[k], stick[k], 1e-14);
}

// Across a corner it takes more friction than the cone allows, and does not call that solved.
CASE(corner_is_outside_the_cone)
{
    const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, b[3] = {-1, 5, 5};
    double r[3] = {0};
    CHECK_INT(plait_local_pyramid(W, b, 0.5, 1e-10, r), PLAIT_LOCAL_FAILED);
    CHECK_NEAR(r[0], 1, 1e-15);
    CHECK_NEAR(r[1], -0.5, 1e-15);
    CHECK_NEAR(r[2], -0.5, 1e-15);
}
