// Sine and the like: near the exact values, computed in long double where that has more digits; special cases; and bits that
// are the same everywhere.
#include "base/elementary.h"
#include "base/rng.h"

#include "check.h"

static double ulps(double found, long double right)
{
    double nearest = (double)right;
    if (found == nearest || (isnan(found) && isnan(nearest)))
        return 0;
    double unit = nextafter(fabs(nearest), INFINITY) - fabs(nearest);
    return (double)(fabsl((long double)found - right) / unit);
}

static double wide(plait_rng *rng, double low, double high) // exponents as likely as each other
{
    double x = exp(log(low) + (log(high) - log(low)) * plait_rng_uniform(rng));
    return plait_rng_uniform(rng) < 0.5 ? -x : x;
}

CASE(near_the_exact_values)
{
    plait_rng rng = plait_rng_new(5, 0);
    double worst[7] = {0};
    for (int i = 0; i < 300000; i++) {
        double x = i % 2 ? wide(&rng, 1e-9, 1e9) : 20 * plait_rng_uniform(&rng) - 10, y = wide(&rng, 1e-9, 1e9);
        double c = 2 * plait_rng_uniform(&rng) - 1, near = 0.5 + plait_rng_uniform(&rng);
        worst[0] = fmax(worst[0], ulps(plait_sin(x), sinl(x)));
        worst[1] = fmax(worst[1], ulps(plait_cos(x), cosl(x)));
        worst[2] = fmax(worst[2], ulps(plait_tan(x), tanl(x)));
        worst[3] = fmax(worst[3], ulps(plait_atan(x), atanl(x)));
        worst[4] =
            fmax(worst[4], fmax(ulps(plait_atan2(y, x), atan2l(y, x)), ulps(plait_atan2(c, near), atan2l(c, near))));
        worst[5] = fmax(worst[5], ulps(plait_acos(c), acosl(c)));
        worst[6] = fmax(worst[6], fmax(ulps(plait_log(fabs(x)), logl(fabsl(x))), ulps(plait_log(near), logl(near))));
    }
    printf("units in the last place: sin %.2f, cos %.2f, tan %.2f, atan %.2f, atan2 %.2f, acos %.2f, log %.2f\n",
           worst[0], worst[1], worst[2], worst[3], worst[4], worst[5], worst[6]);
    if (sizeof(long double) == sizeof(double)) {
        SKIP("long double has no more digits than double here");
    }
    CHECK(worst[0] < 1 && worst[1] < 1 && worst[3] < 1 && worst[6] < 1);
    CHECK(worst[2] < 2 && worst[4] < 1 && worst[5] < 2);
}

CASE(special_cases)
{
    const double odd[] = {0.0,    -0.0,    1,     -1,    INFINITY, -INFINITY, NAN,
                          1e-310, -1e-310, 1e308, 0.125, M_PI / 4, M_PI / 2,  M_PI};
    enum { ODD = sizeof odd / sizeof *odd };
    for (int i = 0; i < ODD; i++) {
        for (int k = 0; k < ODD; k++) {
            double found = plait_atan2(odd[i], odd[k]), right = atan2(odd[i], odd[k]);
            CHECK(isnan(right) ? isnan(found) : ulps(found, right) <= 2 && signbit(found) == signbit(right));
        }
        double found[] = {plait_sin(odd[i]), plait_cos(odd[i]), plait_atan(odd[i]), plait_log(odd[i])};
        double right[] = {sin(odd[i]), cos(odd[i]), atan(odd[i]), log(odd[i])};
        for (int k = 0; k < 4; k++)
            CHECK(isnan(right[k]) ? isnan(found[k]) : found[k] == right[k] || ulps(found[k], right[k]) <= 2);
        CHECK(isnan(acos(odd[i])) ? isnan(plait_acos(odd[i])) : ulps(plait_acos(odd[i]), acos(odd[i])) <= 2);
    }
    CHECK(plait_log(1) == 0 && plait_cos(0) == 1 && plait_acos(1) == 0);
    CHECK(plait_power(3, 4) == 81 && plait_power(2, -3) == 0.125 && plait_power(0, 0) == 1 && plait_power(-2, 3) == -8);
    CHECK(plait_power(10, -300) > 0 && plait_power(0.5, 31) == 0x1p-31);
}

// The same on any processor, with any compiler and C library: a hash over many results.
CASE(the_same_bits_everywhere)
{
    plait_rng rng = plait_rng_new(11, 0);
    uint64_t hash = 0xcbf29ce484222325u;
    for (int i = 0; i < 20000; i++) {
        double x = 2e3 * plait_rng_uniform(&rng) - 1e3, y = 4 * plait_rng_uniform(&rng) - 2;
        double value[] = {plait_sin(x),      plait_cos(x),      plait_tan(y),       plait_atan(x),
                          plait_atan2(x, y), plait_acos(y / 2), plait_log(fabs(x)), plait_power(y, 7)};
        for (size_t k = 0; k < sizeof value / sizeof *value; k++) {
            uint64_t bits;
            memcpy(&bits, &value[k], sizeof bits);
            hash = (hash ^ bits) * 0x100000001b3u;
        }
    }
    printf("hash %016llx\n", (unsigned long long)hash);
    CHECK(hash == 0x8a0bf156514c97edu);
}
