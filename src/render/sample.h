// sample.h: numbers that look random and are spread evenly, for each pixel and purpose its own.
//
// Sample i of n is point p(i) of the plane's R2 sequence (multiples of powers of 1/rho, rho^3 = rho + 1), shifted by a
// hash of the pixel; p shuffles the samples, differently for each purpose, so that where a ray goes through the pixel
// says nothing about where on the light its shadow ray ends.
#ifndef PLAIT_RENDER_SAMPLE_H
#define PLAIT_RENDER_SAMPLE_H

#include <math.h>
#include <stdint.h>

#include "render/f3.h"

static inline uint32_t plait_hash(uint32_t x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

static inline float plait_hash_unit(uint32_t x) // [0, 1)
{
    return (float)(plait_hash(x) >> 8) * 0x1p-24f;
}

// Place of i in a shuffle of 0 .. n-1 that belongs to the key.
static inline uint32_t plait_shuffle(uint32_t i, uint32_t n, uint32_t key)
{
    uint32_t mask = 1;
    while (mask < n)
        mask <<= 1;
    mask--;
    // Each line maps the numbers up to mask onto themselves; what lands beyond n goes round again.
    do {
        i = (i ^ key) & mask;
        i = (i * 0xe170893du) & mask;
        i ^= (i & mask) >> 3;
        i = (i + (key >> 16)) & mask;
        i = (i * 0x0929eb3fu) & mask;
        i ^= (i & mask) >> 2;
    } while (i >= n);
    return i;
}

typedef struct plait_sampler {
    uint32_t pixel, sample, samples;
} plait_sampler;

static inline void plait_sample_pair(const plait_sampler *s, uint32_t purpose, float *u, float *v)
{
    uint32_t key = plait_hash(s->pixel * 16 + purpose);
    uint32_t i = plait_shuffle(s->sample, s->samples, key);
    // In 32 bits the sequence wraps round by itself.
    *u = (float)((i * 3242174889u + plait_hash(key + 1)) >> 8) * 0x1p-24f;
    *v = (float)((i * 2447445414u + plait_hash(key + 2)) >> 8) * 0x1p-24f;
}

// A direction in the cone of half angle acos(cosine) about the unit axis, evenly over its solid angle.
static inline plait_f3 plait_sample_cone(plait_f3 axis, float cosine, float u, float v)
{
    plait_f3 a, b;
    f3_frame(axis, &a, &b);
    float c = 1 - u * (1 - cosine), s = sqrtf(fmaxf(0, 1 - c * c)), phi = 6.2831853f * v;
    return f3_axpy(c, axis, f3_axpy(s * cosf(phi), a, f3_scale(s * sinf(phi), b)));
}

// About the normal, with the density cos / pi.
static inline plait_f3 plait_sample_cosine(plait_f3 normal, float u, float v)
{
    plait_f3 a, b;
    f3_frame(normal, &a, &b);
    float s = sqrtf(u), c = sqrtf(1 - u), phi = 6.2831853f * v;
    return f3_axpy(c, normal, f3_axpy(s * cosf(phi), a, f3_scale(s * sinf(phi), b)));
}

#endif
