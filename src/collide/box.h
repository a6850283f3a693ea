// box.h: axis-aligned boxes in single precision, rounded outwards: they hold what they were grown around, whatever the
// rounding. Half the memory of doubles, and memory is what a broad phase waits for.
#ifndef PLAIT_COLLIDE_BOX_H
#define PLAIT_COLLIDE_BOX_H

#include <float.h>
#include <stdbool.h>

typedef struct plait_box {
    float lo[3], hi[3];
} plait_box;

static inline float plait_box_down(double x)
{
    float f = (float)x;
    return f - (f < 0 ? -f : f) * 1.2e-7F - FLT_MIN;
}

static inline float plait_box_up(double x)
{
    float f = (float)x;
    return f + (f < 0 ? -f : f) * 1.2e-7F + FLT_MIN;
}

// Holds nothing, overlaps nothing.
static inline plait_box plait_box_empty(void)
{
    return (plait_box){{FLT_MAX, FLT_MAX, FLT_MAX}, {-FLT_MAX, -FLT_MAX, -FLT_MAX}};
}

// A ball about x.
static inline void plait_box_add(plait_box *box, const double x[3], double radius)
{
    for (int k = 0; k < 3; k++) {
        float lo = plait_box_down(x[k] - radius), hi = plait_box_up(x[k] + radius);
        box->lo[k] = lo < box->lo[k] ? lo : box->lo[k];
        box->hi[k] = hi > box->hi[k] ? hi : box->hi[k];
    }
}

static inline void plait_box_join(plait_box *box, const plait_box *other)
{
    for (int k = 0; k < 3; k++) {
        box->lo[k] = other->lo[k] < box->lo[k] ? other->lo[k] : box->lo[k];
        box->hi[k] = other->hi[k] > box->hi[k] ? other->hi[k] : box->hi[k];
    }
}

static inline bool plait_box_overlap(const plait_box *a, const plait_box *b)
{
    // Without short cuts: the six comparisons are cheaper than a branch that is guessed wrong.
    return (a->lo[0] <= b->hi[0]) & (b->lo[0] <= a->hi[0]) & (a->lo[1] <= b->hi[1]) & (b->lo[1] <= a->hi[1]) &
           (a->lo[2] <= b->hi[2]) & (b->lo[2] <= a->hi[2]);
}

static inline bool plait_box_within(const plait_box *a, const plait_box *outer)
{
    return (a->lo[0] >= outer->lo[0]) & (a->hi[0] <= outer->hi[0]) & (a->lo[1] >= outer->lo[1]) &
           (a->hi[1] <= outer->hi[1]) & (a->lo[2] >= outer->lo[2]) & (a->hi[2] <= outer->hi[2]);
}

// Square of the distance from x to the box; 0 inside. An empty box is very far away.
static inline double plait_box_distance2(const plait_box *box, const double x[3])
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        double below = (double)box->lo[k] - x[k], above = x[k] - (double)box->hi[k];
        double out = below > above ? below : above;
        sum += out > 0 ? out * out : 0;
    }
    return sum;
}

#endif
