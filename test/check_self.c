// check_self.c: cases with known outcomes, to test the test frame itself (check_self.sh looks at the exit codes).
#include "check.h"

CASE(passes)
{
    CHECK(true);
    CHECK_NEAR(1, 1 + 1e-9, 1e-8);
    CHECK_NEAR(INFINITY, INFINITY, 0);
    CHECK_REL(1e20, 1.001e20, 1e-2);
    CHECK_INT(3, 3);
    CHECK_STR("a", "a");
}

CASE(false_fails)
{
    CHECK(false);
}

CASE(far_fails)
{
    CHECK_NEAR(1, 1.1, 0.09);
}

CASE(nan_fails)
{
    CHECK_NEAR(NAN, NAN, 1);
}

CASE(infinity_fails)
{
    CHECK_REL(INFINITY, 1, 1e-3);
}

CASE(number_fails)
{
    CHECK_INT(3, 4);
}

CASE(string_fails)
{
    CHECK_STR("a", NULL);
}

CASE(empty_fails)
{
}

CASE(skip_after_failure_fails)
{
    CHECK(false);
    SKIP("too late");
}

CASE(skips)
{
    SKIP("%s is not there", "it");
}

CASE(race)
{
    int sum = 0;
#pragma omp parallel for num_threads(4)
    for (int i = 0; i < 1000; i++)
        sum += i;
    CHECK(sum > 0);
}
