// rng.h: random numbers that are the same on every machine.
//
// xoshiro256++ (Blackman and Vigna 2018), period 2^256 - 1, its state filled by the SplitMix64 sequence of the seed and
// the stream. Streams of one seed are independent: give one to each body or thread, so that the numbers do not depend
// on who asks first.
#ifndef PLAIT_BASE_RNG_H
#define PLAIT_BASE_RNG_H

#include <math.h>
#include <stdint.h>

#include "base/elementary.h"

typedef struct plait_rng {
    uint64_t s[4];
} plait_rng;

// One step of SplitMix64: advances *x and returns a well mixed function of it.
static inline uint64_t plait_rng_mix(uint64_t *x)
{
    uint64_t z = (*x += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline plait_rng plait_rng_new(uint64_t seed, uint64_t stream)
{
    plait_rng rng;
    // Mixing the seed first keeps (seed, stream) and (seed + 1, stream - 1) apart.
    uint64_t x = plait_rng_mix(&seed) ^ stream;
    for (int i = 0; i < 4; i++)
        rng.s[i] = plait_rng_mix(&x);
    return rng;
}

static inline uint64_t plait_rng_next(plait_rng *rng)
{
    uint64_t *s = rng->s, sum = s[0] + s[3], result = ((sum << 23) | (sum >> 41)) + s[0], t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = (s[3] << 45) | (s[3] >> 19);
    return result;
}

// Uniform in [0, 1): a multiple of 2^-53.
static inline double plait_rng_uniform(plait_rng *rng)
{
    return (double)(plait_rng_next(rng) >> 11) * 0x1p-53;
}

// Uniform in [low, high).
static inline double plait_rng_between(plait_rng *rng, double low, double high)
{
    return low + (high - low) * plait_rng_uniform(rng);
}

// Uniform in 0 .. n-1, without bias; n > 0.
static inline uint64_t plait_rng_below(plait_rng *rng, uint64_t n)
{
    uint64_t x, reject = -n % n; // 2^64 mod n: so many numbers are too many
    do
        x = plait_rng_next(rng);
    while (x < reject);
    return x % n;
}

// Normal with mean 0 and variance 1 (Marsaglia's polar method; the second number is dropped to keep no state).
static inline double plait_rng_normal(plait_rng *rng)
{
    double x, y, q;
    do {
        x = 2 * plait_rng_uniform(rng) - 1;
        y = 2 * plait_rng_uniform(rng) - 1;
        q = x * x + y * y;
    } while (q >= 1 || q == 0);
    return x * sqrt(-2 * plait_log(q) / q);
}

#endif
