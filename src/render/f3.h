// f3.h: three floats: places, directions, colours.
#ifndef PLAIT_RENDER_F3_H
#define PLAIT_RENDER_F3_H

#include <math.h>

typedef struct plait_f3 {
    float x, y, z;
} plait_f3;

static inline plait_f3 f3(float x, float y, float z)
{
    return (plait_f3){x, y, z};
}

static inline plait_f3 f3_grey(float x)
{
    return f3(x, x, x);
}

static inline plait_f3 f3_from(const double *a)
{
    return f3((float)a[0], (float)a[1], (float)a[2]);
}

static inline plait_f3 f3_add(plait_f3 a, plait_f3 b)
{
    return f3(a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline plait_f3 f3_sub(plait_f3 a, plait_f3 b)
{
    return f3(a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline plait_f3 f3_mul(plait_f3 a, plait_f3 b)
{
    return f3(a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline plait_f3 f3_scale(float k, plait_f3 a)
{
    return f3(k * a.x, k * a.y, k * a.z);
}

// a + k b
static inline plait_f3 f3_axpy(float k, plait_f3 b, plait_f3 a)
{
    return f3(a.x + k * b.x, a.y + k * b.y, a.z + k * b.z);
}

static inline plait_f3 f3_mix(plait_f3 a, plait_f3 b, float t)
{
    return f3_axpy(t, f3_sub(b, a), a);
}

static inline float f3_dot(plait_f3 a, plait_f3 b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline plait_f3 f3_cross(plait_f3 a, plait_f3 b)
{
    return f3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float f3_norm(plait_f3 a)
{
    return sqrtf(f3_dot(a, a));
}

// Of unit length; a zero vector becomes z.
static inline plait_f3 f3_unit(plait_f3 a)
{
    float n = f3_norm(a);
    return n > 0 ? f3_scale(1 / n, a) : f3(0, 0, 1);
}

static inline plait_f3 f3_pow(plait_f3 a, float e)
{
    return f3(powf(a.x, e), powf(a.y, e), powf(a.z, e));
}

static inline float f3_largest(plait_f3 a)
{
    float m = a.x > a.y ? a.x : a.y;
    return m > a.z ? m : a.z;
}

// Two unit vectors that complete the unit vector n to a right-handed frame (a, b, n).
static inline void f3_frame(plait_f3 n, plait_f3 *a, plait_f3 *b)
{
    plait_f3 e = fabsf(n.x) < 0.6f ? f3(1, 0, 0) : f3(0, 1, 0);
    *a = f3_unit(f3_cross(e, n));
    *b = f3_cross(n, *a);
}

static inline float f3_clamp(float x, float low, float high)
{
    return x < low ? low : x > high ? high : x;
}

// The colour of a surface, and how much of a clear coat there is over it: 0 for cloth, 1 for varnish.
typedef struct plait_tint {
    plait_f3 colour;
    float gloss;
} plait_tint;

static inline plait_tint plait_tint_mix(plait_tint a, plait_tint b, float share)
{
    return (plait_tint){f3_mix(a.colour, b.colour, share), a.gloss + share * (b.gloss - a.gloss)};
}

#endif
