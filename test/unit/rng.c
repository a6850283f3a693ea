#include "base/rng.h"

#include "check.h"

CASE(published_sequences)
{
    uint64_t x = 1234567;
    const uint64_t mixed[] = {6457827717110365317u, 3203168211198807973u, 9817491932198370423u, 4593380528125082431u,
                              16408922859458223821u};
    for (int i = 0; i < 5; i++)
        CHECK(plait_rng_mix(&x) == mixed[i]);
    plait_rng rng = {{1, 2, 3, 4}};
    const uint64_t next[] = {41943041u,
                             58720359u,
                             3588806011781223u,
                             3591011842654386u,
                             9228616714210784205u,
                             9973669472204895162u,
                             14011001112246962877u,
                             12406186145184390807u,
                             15849039046786891736u,
                             10450023813501588000u};
    for (int i = 0; i < 10; i++)
        CHECK(plait_rng_next(&rng) == next[i]);
}

CASE(seeds_and_streams_differ_and_repeat)
{
    plait_rng a = plait_rng_new(7, 1), same = plait_rng_new(7, 1);
    plait_rng other[] = {plait_rng_new(7, 2), plait_rng_new(8, 1), plait_rng_new(8, 0), plait_rng_new(1, 7)};
    for (int i = 0; i < 100; i++) {
        uint64_t x = plait_rng_next(&a);
        CHECK(x == plait_rng_next(&same));
        for (int k = 0; k < 4; k++)
            CHECK(x != plait_rng_next(&other[k]));
    }
}

// Mean, variance and fourth moment of many numbers; limits are five standard deviations.
static void check_moments(double (*draw)(plait_rng *), double mean, double variance, double fourth)
{
    enum { N = 1000000 };
    plait_rng rng = plait_rng_new(1, 0);
    double m1 = 0, m2 = 0, m4 = 0;
    for (int i = 0; i < N; i++) {
        double d = draw(&rng) - mean;
        m1 += d, m2 += d * d, m4 += d * d * d * d;
    }
    CHECK_NEAR(m1 / N, 0, 5 * sqrt(variance / N));
    CHECK_NEAR(m2 / N, variance, 5 * sqrt((fourth - variance * variance) / N));
    CHECK_REL(m4 / N, fourth, 0.05);
}

CASE(uniform_moments)
{
    check_moments(plait_rng_uniform, 0.5, 1. / 12, 1. / 80);
}

CASE(normal_moments)
{
    check_moments(plait_rng_normal, 0, 1, 3);
}

CASE(ranges)
{
    enum { N = 7, DRAWS = 70000 };
    plait_rng rng = plait_rng_new(3, 0);
    int counts[N] = {0};
    bool inside = true;
    for (int i = 0; i < DRAWS; i++) {
        uint64_t k = plait_rng_below(&rng, N);
        double x = plait_rng_between(&rng, -2, 3), y = plait_rng_uniform(&rng);
        inside = inside && k < N && x >= -2 && x < 3 && y >= 0 && y < 1;
        if (k < N)
            counts[k]++;
    }
    CHECK(inside);
    for (int k = 0; k < N; k++)
        CHECK_NEAR(counts[k], DRAWS / N, 5 * sqrt((double)DRAWS / N));
    CHECK_INT(plait_rng_below(&rng, 1), 0);
}
