#include "math/quartic.h"

#include "base/rng.h"
#include "check.h"

// Coefficients of scale * (x - r[0]) ... (x - r[n-1]).
static void expand(int n, const double *r, double scale, double a[5])
{
    for (int i = 0; i < 5; i++)
        a[i] = 0;
    a[0] = scale;
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i >= 0; i--)
            a[i] = (i > 0 ? a[i - 1] : 0) - r[k] * a[i];
}

static double value(const double a[5], double x)
{
    return (((a[4] * x + a[3]) * x + a[2]) * x + a[1]) * x + a[0];
}

// Sum of |a_i x^i|: what rounding errors are relative to.
static double size(const double a[5], double x)
{
    return (((fabs(a[4]) * x + fabs(a[3])) * x + fabs(a[2])) * x + fabs(a[1])) * x + fabs(a[0]);
}

CASE(known_roots)
{
    const double simple[4] = {-3, -0.5, 1, 2};
    double a[5], x[4];
    expand(4, simple, 7, a);
    if (CHECK_INT(plait_quartic_roots(a, x), 4))
        for (int i = 0; i < 4; i++)
            CHECK_REL(x[i], simple[i], 1e-14);
    const double spread[4] = {1e-9, 1e-3, 1, 1e6};
    expand(4, spread, 1e-20, a);
    if (CHECK_INT(plait_quartic_roots(a, x), 4))
        for (int i = 0; i < 4; i++)
            CHECK_REL(x[i], spread[i], 1e-12);
}

CASE(lower_degrees)
{
    double x[4];
    CHECK_INT(plait_quartic_roots((double[5]){0, 0, 0, 0, 0}, x), 0);
    CHECK_INT(plait_quartic_roots((double[5]){3, 0, 0, 0, 0}, x), 0);
    if (CHECK_INT(plait_quartic_roots((double[5]){3, -2, 0, 0, 0}, x), 1))
        CHECK_NEAR(x[0], 1.5, 0);
    if (CHECK_INT(plait_quartic_roots((double[5]){-2, 0, 1, 0, 0}, x), 2))
        CHECK_NEAR(x[1], sqrt(2), 1e-15);
    CHECK_INT(plait_quartic_roots((double[5]){2, 0, 1, 0, 0}, x), 0);
    if (CHECK_INT(plait_quartic_roots((double[5]){-8, 0, 0, 1, 0}, x), 1))
        CHECK_NEAR(x[0], 2, 1e-15);
    if (CHECK_INT(plait_quartic_roots((double[5]){0, -1, 0, 1, 0}, x), 3)) {
        CHECK_NEAR(x[0], -1, 1e-15);
        CHECK_NEAR(x[1], 0, 1e-15);
        CHECK_NEAR(x[2], 1, 1e-15);
    }
    CHECK_INT(plait_quartic_roots((double[5]){1, 0, 0, 0, 1}, x), 0);
    CHECK_INT(plait_quartic_roots((double[5]){NAN, 0, 1, 0, 0}, x), 0);
    CHECK_INT(plait_quartic_roots((double[5]){-1, 0, 1, 0, INFINITY}, x), 0);
}

CASE(multiple_roots)
{
    double a[5], x[4];
    const double twice[4] = {1, 1, 3, 5};
    expand(4, twice, 1, a);
    int n = plait_quartic_roots(a, x);
    CHECK(n == 3 || n == 4);
    CHECK_NEAR(x[0], 1, 1e-7);
    CHECK_NEAR(x[n - 1], 5, 1e-13);
    const double pairs[4] = {-2, -2, 3, 3};
    expand(4, pairs, 1, a);
    n = plait_quartic_roots(a, x);
    CHECK(n >= 2);
    CHECK_NEAR(x[0], -2, 1e-7);
    CHECK_NEAR(x[n - 1], 3, 1e-7);
    const double four[4] = {2, 2, 2, 2};
    expand(4, four, 1, a);
    n = plait_quartic_roots(a, x);
    CHECK(n >= 1);
    for (int i = 0; i < n; i++)
        CHECK_NEAR(x[i], 2, 1e-3);
}

CASE(extreme_coefficients)
{
    const double r[4] = {-1, 0.5, 2, 4};
    for (int e = -280; e <= 280; e += 70) {
        double a[5], x[4];
        expand(4, r, pow(10, e), a);
        if (CHECK_INT(plait_quartic_roots(a, x), 4))
            for (int i = 0; i < 4; i++)
                CHECK_REL(x[i], r[i], 1e-13);
    }
    double x[4]; // a leading coefficient that is almost nothing: its roots are far away
    int n = plait_quartic_roots((double[5]){-1, 0, 1, 0, 1e-30}, x);
    if (CHECK_INT(n, 2)) {
        CHECK_NEAR(x[0], -1, 1e-15);
        CHECK_NEAR(x[1], 1, 1e-15);
    }
    n = plait_quartic_roots((double[5]){-1, 0, 1, 0, -1e-30}, x);
    if (CHECK_INT(n, 4)) {
        CHECK_REL(x[0], -1e15, 1e-14);
        CHECK_REL(x[2], 1.0, 1e-14);
    }
}

// Random polynomials with real and complex roots: the number of simple real roots is right, and each is a root.
CASE(random_polynomials)
{
    plait_rng rng = plait_rng_new(11, 0);
    for (int trial = 0; trial < 50000; trial++) {
        double r[4], a[5], x[4];
        int degree = 1 + (int)plait_rng_below(&rng, 4), real = (int)plait_rng_below(&rng, (uint64_t)degree / 2 + 1);
        real = degree - 2 * real;
        for (int i = 0; i < real; i++)
            r[i] = plait_rng_normal(&rng) * pow(10, plait_rng_between(&rng, -4, 4));
        expand(real, r, plait_rng_normal(&rng), a);
        for (int i = real; i < degree; i += 2) { // times (x - c)^2 + h^2
            double c = plait_rng_normal(&rng), h = 0.3 + plait_rng_uniform(&rng), k = c * c + h * h;
            for (int j = i + 2; j >= 0; j--)
                a[j] = (j > 1 ? a[j - 2] : 0) - 2 * c * (j > 0 ? a[j - 1] : 0) + k * a[j];
        }
        for (int i = 1; i < real; i++)
            for (int j = i; j > 0 && r[j] < r[j - 1]; j--) {
                double t = r[j];
                r[j] = r[j - 1], r[j - 1] = t;
            }
        bool apart = true;
        for (int i = 1; i < real; i++)
            apart = apart && r[i] - r[i - 1] > 1e-3 * (fabs(r[i]) + fabs(r[i - 1]));
        int n = plait_quartic_roots(a, x);
        for (int i = 0; i < n; i++)
            CHECK(fabs(value(a, x[i])) <= 1e-14 * size(a, fabs(x[i])));
        for (int i = 1; i < n; i++)
            CHECK(x[i] >= x[i - 1]);
        if (apart && CHECK_INT(n, real))
            for (int i = 0; i < n; i++)
                CHECK_REL(x[i], r[i], 1e-6);
    }
}
