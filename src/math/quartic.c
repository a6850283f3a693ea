#include "math/quartic.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>

enum { DEGREE_MAX = 4, STEPS_MAX = 200 };

// Value, derivative and a bound of the rounding error of the value at x.
typedef struct sample {
    double value, slope, noise;
} sample;

static sample evaluate(const double *a, int degree, double x)
{
    sample s = {a[degree], 0, fabs(a[degree])};
    double size = fabs(x);
    for (int i = degree - 1; i >= 0; i--) {
        s.slope = s.slope * x + s.value;
        s.value = s.value * x + a[i];
        s.noise = s.noise * size + fabs(a[i]);
    }
    s.noise *= 2 * degree * DBL_EPSILON;
    return s;
}

// The root in (low, high), where the polynomial is monotone and changes sign.
static double refine(const double *a, int degree, double low, double high)
{
    bool rising = evaluate(a, degree, high).value > 0;
    double x = 0.5 * (low + high), before = INFINITY;
    for (int k = 0; k < STEPS_MAX; k++) {
        sample s = evaluate(a, degree, x);
        if (s.value == 0)
            return x;
        if ((s.value > 0) == rising)
            high = x;
        else
            low = x;
        double next = x - s.value / s.slope;
        if (fabs(next - x) <= DBL_EPSILON * fabs(x))
            return next;
        if (!(next > low && next < high) || fabs(s.value) > 0.5 * before) {
            // Far apart in magnitude, halving the exponent is quicker than halving the interval.
            bool spread = low > 0 ? high > 4 * low : high < 0 && low < 4 * high;
            next = !spread ? 0.5 * (low + high) : low > 0 ? sqrt(low) * sqrt(high) : -sqrt(-low) * sqrt(-high);
            if (!(next > low && next < high))
                return x;
        }
        before = fabs(s.value);
        x = next;
    }
    return x;
}

static int quadratic(const double *a, double *roots)
{
    double half = -0.5 * a[1], inside = half * half - a[2] * a[0];
    if (inside < 0) // touches zero to within rounding
        inside = inside >= -4 * DBL_EPSILON * half * half ? 0 : inside;
    if (!(inside >= 0))
        return 0;
    double q = half + copysign(sqrt(inside), half);
    double x = q / a[2], y = q != 0 ? a[0] / q : 0;
    roots[0] = fmin(x, y), roots[1] = fmax(x, y);
    return 2;
}

// Roots of a polynomial whose leading coefficient is not zero, ascending.
static int solve(const double *a, int degree, double *roots)
{
    if (degree == 1) {
        roots[0] = -a[0] / a[1];
        return 1;
    }
    if (degree == 2)
        return quadratic(a, roots);
    double derivative[DEGREE_MAX] = {0}, points[DEGREE_MAX + 1], bound = 0;
    for (int i = 1; i <= degree; i++)
        derivative[i - 1] = i * a[i];
    int n = solve(derivative, degree - 1, points + 1);
    for (int i = 0; i < degree; i++) // Cauchy's bound
        bound = fmax(bound, fabs(a[i] / a[degree]));
    points[0] = -(1 + bound), points[n + 1] = 1 + bound;
    for (int i = 1; i <= n; i++)
        points[i] = fmin(fmax(points[i], points[0]), points[n + 1]);
    int found = 0;
    sample low = evaluate(a, degree, points[0]);
    for (int i = 0; i <= n; i++) {
        sample high = evaluate(a, degree, points[i + 1]);
        bool touches = i < n && fabs(high.value) <= high.noise;
        if ((low.value < 0) != (high.value < 0) && low.value != 0 && found < degree)
            roots[found++] = refine(a, degree, points[i], points[i + 1]);
        else if (touches && found < degree)
            roots[found++] = points[i + 1];
        low = high;
    }
    return found;
}

int plait_quartic_roots(const double a[5], double roots[4])
{
    for (int i = 0; i <= DEGREE_MAX; i++)
        if (!isfinite(a[i]))
            return 0;
    int degree = DEGREE_MAX, lowest = 0;
    while (degree > 0 && a[degree] == 0)
        degree--;
    while (lowest < degree && a[lowest] == 0)
        lowest++;
    if (degree == 0)
        return 0;
    // x = 2^k z with first and last coefficient of like size, all divided by the largest: nothing overflows, and powers
    // of two are exact.
    int first, last, k = 0;
    frexp(a[lowest], &first);
    frexp(a[degree], &last);
    if (degree > lowest)
        k = (first - last) / (degree - lowest);
    int shift = 0;
    double z[DEGREE_MAX + 1];
    for (int i = 0, e; i <= degree; i++)
        if (a[i] != 0) {
            frexp(a[i], &e);
            shift = i == lowest || e + k * i > shift ? e + k * i : shift;
        }
    for (int i = 0; i <= degree; i++)
        z[i] = ldexp(a[i], k * i - shift);
    if (z[degree] == 0) // swallowed by the others: its root lies beyond the range of numbers
        return 0;
    int n = solve(z, degree, roots);
    for (int i = 0; i < n; i++)
        roots[i] = ldexp(roots[i], k);
    return n;
}
