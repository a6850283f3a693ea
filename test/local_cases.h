// local_cases.h: random one-contact problems, and a judge of their solutions that shares nothing with the library.
#ifndef PLAIT_TEST_LOCAL_CASES_H
#define PLAIT_TEST_LOCAL_CASES_H

#include <math.h>
#include <stdbool.h>

#include "base/rng.h"

typedef enum local_kind {
    LOCAL_COUPLED, // A A^T + 0.02 I
    LOCAL_ROTATED, // eigenvalues over three decades, turned at random
    LOCAL_RODS,    // two crossing rods, stiff along their axes
    LOCAL_ROUND,   // a multiple of I, or diagonal
    LOCAL_SPD_COUNT,
    LOCAL_ILL = LOCAL_SPD_COUNT, // eigenvalues over ten decades: positive definite, but rounding matters
    LOCAL_RANK2,
    LOCAL_RANK1,
    LOCAL_FLAT, // a plane problem with a third row and column of zeros
    LOCAL_KIND_COUNT
} local_kind;

typedef struct local_case {
    local_kind kind;
    double W[9], b[3], mu;
    double warm[3];
    bool built; // b was made from a solution
} local_case;

static inline double local_decades(plait_rng *rng, double low, double high)
{
    return pow(10, plait_rng_between(rng, low, high));
}

static inline void local_axis(plait_rng *rng, double x[3])
{
    double n;
    do {
        for (int i = 0; i < 3; i++)
            x[i] = plait_rng_normal(rng);
        n = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    } while (n < 1e-3);
    for (int i = 0; i < 3; i++)
        x[i] /= n;
}

// W += k a a^T, exactly symmetric
static inline void local_add(double k, const double a[3], double W[9])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) {
            W[3 * i + j] += k * a[i] * a[j];
            W[3 * j + i] = W[3 * i + j];
        }
}

// W = sum of k_i q_i q_i^T over a random orthonormal frame q
static inline void local_spectral(plait_rng *rng, const double k[3], double W[9])
{
    double a[3], c[3], b[3], t = 0, n = 0;
    local_axis(rng, a);
    local_axis(rng, c);
    for (int i = 0; i < 3; i++)
        t += a[i] * c[i];
    for (int i = 0; i < 3; i++)
        c[i] -= t * a[i], n += c[i] * c[i];
    for (int i = 0; i < 3; i++)
        c[i] /= sqrt(n);
    b[0] = a[1] * c[2] - a[2] * c[1], b[1] = a[2] * c[0] - a[0] * c[2], b[2] = a[0] * c[1] - a[1] * c[0];
    local_add(k[0], a, W);
    local_add(k[1], b, W);
    local_add(k[2], c, W);
}

static inline void local_matrix(plait_rng *rng, local_kind kind, double W[9])
{
    double a[3];
    for (int i = 0; i < 9; i++)
        W[i] = 0;
    switch (kind) {
    case LOCAL_COUPLED:
        for (int k = 0; k < 3; k++) {
            for (int i = 0; i < 3; i++)
                a[i] = plait_rng_normal(rng);
            local_add(1, a, W);
        }
        W[0] += 0.02, W[4] += 0.02, W[8] += 0.02;
        break;
    case LOCAL_ROTATED:
        for (int k = 0; k < 3; k++)
            a[k] = local_decades(rng, -3, 0);
        local_spectral(rng, a, W);
        break;
    case LOCAL_RODS:
        for (int k = 0; k < 2; k++) {
            double tilt = 0.1 * plait_rng_normal(rng), turn = k * plait_rng_between(rng, 0.2, 1.5);
            double stiff = plait_rng_between(rng, 0.3, 1), along = local_decades(rng, -4, -1);
            a[0] = sin(tilt), a[1] = cos(tilt) * cos(turn), a[2] = cos(tilt) * sin(turn);
            W[0] += stiff, W[4] += stiff, W[8] += stiff;
            local_add(-stiff * (1 - along), a, W);
        }
        break;
    case LOCAL_ROUND:
        W[0] = W[4] = W[8] = plait_rng_between(rng, 0.1, 2);
        if (plait_rng_below(rng, 2))
            W[0] *= local_decades(rng, -2, 2), W[4] *= local_decades(rng, -2, 2);
        break;
    case LOCAL_ILL:
        a[0] = 1, a[1] = local_decades(rng, -10, 0), a[2] = local_decades(rng, -10, 0);
        local_spectral(rng, a, W);
        break;
    case LOCAL_RANK2:
        local_axis(rng, a);
        local_add(plait_rng_between(rng, 0.1, 1), a, W);
        local_axis(rng, a);
        local_add(local_decades(rng, -3, 0), a, W);
        break;
    case LOCAL_RANK1:
        local_axis(rng, a);
        local_add(plait_rng_between(rng, 0.1, 1), a, W);
        break;
    default: // LOCAL_FLAT
        for (int k = 0; k < 2; k++) {
            a[0] = plait_rng_normal(rng), a[1] = plait_rng_normal(rng), a[2] = 0;
            local_add(1, a, W);
        }
    }
}

// b = u - W r for a pair (u, r) that follows the law, sometimes on the border between two cases.
static inline void local_build(plait_rng *rng, const double W[9], double mu, double b[3])
{
    double d = plait_rng_between(rng, 0, 6.283185307179586), r[3] = {0}, u[3] = {0};
    double n = local_decades(rng, -2, 2), v = local_decades(rng, -2, 2);
    switch (plait_rng_below(rng, 5)) {
    case 0: // takes off
        u[0] = n, u[1] = v * cos(d), u[2] = v * sin(d);
        break;
    case 1: // sticks
        r[0] = n, n *= mu * plait_rng_uniform(rng), r[1] = n * cos(d), r[2] = n * sin(d);
        break;
    case 2:    // between sticking and sliding
        v = 0; // fall through
    case 3:    // slides
        r[0] = n, r[1] = mu * n * cos(d), r[2] = mu * n * sin(d);
        u[1] = -v * cos(d), u[2] = -v * sin(d);
        break;
    default: // grazes
        u[1] = v * cos(d), u[2] = v * sin(d);
    }
    for (int i = 0; i < 3; i++)
        b[i] = u[i] - (W[3 * i] * r[0] + W[3 * i + 1] * r[1] + W[3 * i + 2] * r[2]);
}

static inline double local_friction(plait_rng *rng)
{
    switch (plait_rng_below(rng, 8)) {
    case 0:
        return 0;
    case 1:
        return local_decades(rng, -3, 1);
    case 2:
        return plait_rng_between(rng, 1, 10);
    default:
        return plait_rng_between(rng, 0.05, 1.2);
    }
}

// A problem with W and b of any size between 1e-12 and 1e12.
static inline local_case local_draw(plait_rng *rng, local_kind kind, bool scaled)
{
    local_case c = {.kind = kind, .mu = local_friction(rng)};
    local_matrix(rng, kind, c.W);
    c.built = plait_rng_below(rng, 3) == 0;
    if (c.built)
        local_build(rng, c.W, c.mu, c.b);
    else
        for (int i = 0; i < 3; i++) {
            c.b[i] = plait_rng_normal(rng);
            if (plait_rng_below(rng, 12) == 0)
                c.b[i] *= plait_rng_below(rng, 2) ? 1e-6 : 0;
        }
    if (kind == LOCAL_FLAT)
        c.b[2] = 0;
    double kw = scaled ? local_decades(rng, -12, 12) : 1, kb = scaled ? local_decades(rng, -12, 12) : 1;
    for (int i = 0; i < 9; i++)
        c.W[i] *= kw;
    for (int i = 0; i < 3; i++)
        c.b[i] *= kb;
    uint64_t warm = plait_rng_below(rng, 3);
    double size = kb / (c.W[0] + c.W[4] + c.W[8]);
    for (int i = 0; i < 3; i++)
        c.warm[i] = warm == 0 ? 0 : size * plait_rng_normal(rng);
    if (warm == 2)
        c.warm[0] = fabs(c.warm[0]);
    return c;
}

// A sufficient condition for one solution only: mu |w| / w_N < 2 sqrt(k) / (k + 1), k the condition number of
// V = W_T - w w^T / w_N.
static inline bool local_unique(const local_case *c)
{
    const double *W = c->W;
    double v11 = W[4] - W[1] * W[1] / W[0], v12 = W[5] - W[1] * W[2] / W[0], v22 = W[8] - W[2] * W[2] / W[0];
    double half = 0.5 * (v11 + v22),
           k = (half + hypot(0.5 * (v11 - v22), v12)) / (half - hypot(0.5 * (v11 - v22), v12));
    return c->mu * hypot(W[1], W[2]) / W[0] < 2 * sqrt(k) / (k + 1);
}

// How far (u, r) is from each case of the law, relative to |b|, in extended precision; the least of the three. Weights
// are those of the residual: impulses count with tr(W) / 3, tangential velocities with mu.
static inline double local_violation(const double W[9], const double b[3], double mu, const double r[3])
{
    long double u[3], s = ((long double)W[0] + W[4] + W[8]) / 3, m = mu;
    for (int i = 0; i < 3; i++) {
        u[i] = b[i];
        for (int j = 0; j < 3; j++)
            u[i] += (long double)W[3 * i + j] * r[j];
    }
    long double size = hypotl(b[0], hypotl(b[1], b[2])), ut = hypotl(u[1], u[2]), rt = hypotl(r[1], r[2]);
    if (size == 0)
        return r[0] == 0 && rt == 0 ? 0 : INFINITY;
    if (mu == 0) {
        long double open = fmaxl(s * fabsl(r[0]), -u[0]), closed = fmaxl(fabsl(u[0]), -s * r[0]);
        return (double)(fmaxl(s * rt, fminl(open, closed)) / size);
    }
    long double open = fmaxl(s * fmaxl(m * fabsl(r[0]), rt), -u[0]);
    long double stick = fmaxl(fmaxl(fabsl(u[0]), m * ut), s * (rt - m * r[0]));
    long double slide = fmaxl(fabsl(u[0]), s * fabsl(rt - m * r[0]));
    if (ut > 0 && rt > 0)
        slide = fmaxl(slide, fminl(m * ut, s * rt) * hypotl(u[1] / ut + r[1] / rt, u[2] / ut + r[2] / rt));
    return (double)(fminl(open, fminl(stick, slide)) / size);
}

// What rounding alone can do to the residual of r: no r of this size can be expected to do better.
static inline double local_floor(const double W[9], const double b[3], double mu, const double r[3])
{
    double size = hypot(r[0], hypot(r[1], r[2])), length = hypot(b[0], hypot(b[1], b[2]));
    return 32 * 2.2e-16 * (1 + mu) * (W[0] + W[4] + W[8]) * size / length;
}

// A problem drawn at random; returns its mu.
static inline double local_draw_problem(plait_rng *rng, local_kind kind, double W[9], double b[3])
{
    double mu = plait_rng_between(rng, 0.1, 0.8);
    local_matrix(rng, kind, W);
    for (int k = 0; k < 3; k++)
        b[k] = plait_rng_normal(rng);
    return mu;
}

#endif
