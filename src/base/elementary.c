// elementary.c: reduction of the argument, then a Taylor series. What is rounded away in the reduction is kept as a
// second, small number and added at the end.
#include "base/elementary.h"

#include <math.h>
#include <stdbool.h>

typedef struct two {
    double hi, lo; // hi + lo
} two;

// ---- sine and cosine ---------------------------------------------------------------------------------------------

static const double LARGEST = 1e9;

// x = k pi/2 + r, |r| <= pi/4 (a little more by rounding); returns k mod 4. pi/2 is a sum of parts with 22 bits each,
// so that k times a part is exact. The differences are summed with their errors.
static int reduce(double x, two *r)
{
    static const double part[] = {0x1.921fb00000000p+0,  0x1.5110b00000000p-22, 0x1.1846980000000p-44,
                                  0x1.3198a00000000p-69, 0x1.701b800000000p-92, 0x1.cd12900000000p-115};
    if (fabs(x) <= 0x1.921fb54442d18p-1) {
        *r = (two){x, 0};
        return 0;
    }
    double k = nearbyint(x * 0x1.45f306dc9c883p-1), hi = x, lo = 0;
    for (int i = 0; i < 6; i++) {
        double a = -k * part[i], sum = hi + a, b = sum - hi;
        lo += (hi - (sum - b)) + (a - b);
        hi = sum;
    }
    r->hi = hi + lo;
    r->lo = (hi - r->hi) + lo;
    return (int)((long long)k & 3);
}

static double sin_near(two r)
{
    double x = r.hi, y = x * x;
    double p = 1.0 / 355687428096000;
    p = p * y - 1.0 / 1307674368000;
    p = p * y + 1.0 / 6227020800;
    p = p * y - 1.0 / 39916800;
    p = p * y + 1.0 / 362880;
    p = p * y - 1.0 / 5040;
    p = p * y + 1.0 / 120;
    p = p * y - 1.0 / 6;
    return x + (x * y * p + r.lo * (1 - 0.5 * y));
}

static double cos_near(two r)
{
    double x = r.hi, y = x * x, half = 0.5 * y, most = 1 - half;
    double p = 1.0 / 20922789888000;
    p = p * y - 1.0 / 87178291200;
    p = p * y + 1.0 / 479001600;
    p = p * y - 1.0 / 3628800;
    p = p * y + 1.0 / 40320;
    p = p * y - 1.0 / 720;
    p = p * y + 1.0 / 24;
    return most + (((1 - most) - half) + (y * y * p - x * r.lo));
}

double plait_sin(double x)
{
    two r;
    if (!(fabs(x) <= LARGEST))
        return sin(x);
    switch (reduce(x, &r)) {
    case 0:
        return sin_near(r);
    case 1:
        return cos_near(r);
    case 2:
        return -sin_near(r);
    default:
        return -cos_near(r);
    }
}

double plait_cos(double x)
{
    two r;
    if (!(fabs(x) <= LARGEST))
        return cos(x);
    switch (reduce(x, &r)) {
    case 0:
        return cos_near(r);
    case 1:
        return -sin_near(r);
    case 2:
        return -cos_near(r);
    default:
        return sin_near(r);
    }
}

double plait_tan(double x)
{
    two r;
    if (!(fabs(x) <= LARGEST))
        return tan(x);
    return reduce(x, &r) % 2 == 0 ? sin_near(r) / cos_near(r) : -cos_near(r) / sin_near(r);
}

// ---- arctangent --------------------------------------------------------------------------------------------------

static const two HALF_PI = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

// x y = hi + lo exactly (Dekker 1971), unless something is near overflow or underflow.
static two product(double x, double y)
{
    const double split = 0x1p27 + 1;
    double a = split * x, b = split * y, hi = x * y;
    double x1 = a - (a - x), x2 = x - x1, y1 = b - (b - y), y2 = y - y1;
    return (two){hi, ((x1 * y1 - hi) + x1 * y2 + x2 * y1) + x2 * y2};
}

// What is missing in z = a / b.
static double rest_of_ratio(double a, double b, double z)
{
    if (!(b < 1e290 && a > 1e-250))
        return 0;
    two p = product(z, b);
    return ((a - p.hi) - p.lo) / b;
}

// atan(a / b) for 0 <= a <= b, b > 0: atan z = atan c + atan t with the nearest c = k/8, t = (z - c) / (1 + z c). Near
// zero t = z, since the sum would lose digits.
static two atan_ratio(double a, double b)
{
    static const two at[] = {
        {0, 0},
        {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
        {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
        {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
        {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
        {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
        {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
        {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
        {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55},
    };
    double z = isinf(b) ? (isinf(a) ? 1 : 0) : a / b, rest = rest_of_ratio(a, b, z) / (1 + z * z);
    int k = z < 0.125 ? 0 : (int)nearbyint(8 * z);
    double c = 0.125 * k, t = k == 0 ? z : (z - c) / (1 + z * c), y = t * t;
    double p = -1.0 / 19;
    p = p * y + 1.0 / 17;
    p = p * y - 1.0 / 15;
    p = p * y + 1.0 / 13;
    p = p * y - 1.0 / 11;
    p = p * y + 1.0 / 9;
    p = p * y - 1.0 / 7;
    p = p * y + 1.0 / 5;
    p = p * y - 1.0 / 3;
    if (k == 0)
        return (two){t, t * y * p + rest};
    return (two){at[k].hi, at[k].lo + (t + (t * y * p + rest))};
}

// Whole multiples of pi/2 minus or plus an angle.
static double from_quarter(int quarters, double sign, two angle)
{
    double hi = quarters * HALF_PI.hi, a = sign * angle.hi, sum = hi + a, b = sum - hi;
    return sum + (((hi - (sum - b)) + (a - b)) + (quarters * HALF_PI.lo + sign * angle.lo));
}

double plait_atan2(double y, double x)
{
    if (isnan(x) || isnan(y))
        return x + y;
    double a = fabs(y), b = fabs(x), angle;
    bool left = signbit(x);
    if (a == 0)
        angle = left ? from_quarter(2, 1, (two){0, 0}) : 0;
    else if (a <= b)
        angle = from_quarter(left ? 2 : 0, left ? -1 : 1, atan_ratio(a, b));
    else
        angle = from_quarter(1, left ? 1 : -1, atan_ratio(b, a));
    return copysign(angle, y);
}

double plait_atan(double x)
{
    return plait_atan2(x, 1);
}

double plait_acos(double x)
{
    return 2 * plait_atan2(sqrt(1 - x), sqrt(1 + x));
}

// ---- logarithm ---------------------------------------------------------------------------------------------------

// x = 2^e (1 + f) with 1 + f between sqrt(1/2) and sqrt 2. With s = f / (2 + f):
// log(1 + f) = 2 atanh s = f - f^2/2 + s (f^2/2 + 2/3 s^2 + 2/5 s^4 + ...), in which errors of s hardly count.
double plait_log(double x)
{
    int e;
    if (!(x > 0) || isinf(x))
        return x == 0 ? -INFINITY : x > 0 ? x : NAN;
    double m = frexp(x, &e);
    if (m < 0x1.6a09e667f3bcdp-1)
        m *= 2, e--;
    double f = m - 1, s = f / (2 + f), y = s * s, half = 0.5 * f * f;
    double p = 2.0 / 25;
    for (int k = 23; k >= 3; k -= 2)
        p = p * y + 2.0 / k;
    double lower = s * (half + y * p), hi = e * 0x1.62e42fee00000p-1, lo = e * 0x1.a39ef35793c76p-33;
    return hi - ((half - (lower + lo)) - f);
}
