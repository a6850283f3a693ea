// surface_track.c: contacts in the order of their numbers, each once, and which of them were there before.
#include <math.h>

#include "collide/surface_detector.h"

// Pairs of features in one order; `later` of two equal ones is left out.
static int compare_sides(const plait_surface_side *a, const plait_surface_side *b)
{
    if (a->kind == PLAIT_ON_SHAPE || b->kind == PLAIT_ON_SHAPE) {
        if (a->kind != b->kind)
            return a->kind == PLAIT_ON_SHAPE ? 1 : -1;
    }
    if (a->surface != b->surface)
        return a->surface < b->surface ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return a->feature < b->feature ? -1 : a->feature > b->feature;
}

static int compare_features(const plait_surface_touch *a, const plait_surface_touch *b)
{
    int first = compare_sides(&a->side[0], &b->side[0]);
    return first ? first : compare_sides(&a->side[1], &b->side[1]);
}

// Of one pair of features the contact at the start comes before those in the motion, and these by time.
static int compare(const void *a, const void *b)
{
    const plait_surface_touch *x = a, *y = b;
    int features = compare_features(x, y);
    if (features)
        return features;
    if (x->swept != y->swept)
        return x->swept ? 1 : -1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->gap < y->gap ? -1 : x->gap > y->gap;
}

static int64_t find(const plait_surface_touches *list, const plait_surface_touch *t)
{
    int64_t lo = 0, hi = list->count;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (compare_features(&list->touch[mid], t) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo < list->count && compare_features(&list->touch[lo], t) == 0 ? lo : -1;
}

static bool share_node(const plait_surface_side *a, const plait_surface_side *b)
{
    if (a->surface != b->surface || (a->kind == PLAIT_ON_SHAPE) != (b->kind == PLAIT_ON_SHAPE))
        return false;
    bool shared = a->kind == PLAIT_ON_SHAPE;
    for (int i = 0; i < a->nodes; i++)
        for (int j = 0; j < b->nodes; j++)
            shared |= a->node[i] == b->node[j];
    return shared;
}

// How much of the second's weights is on nodes of the first, 0 .. 2 over both sides.
static double overlap(const plait_surface_touch *a, const plait_surface_touch *b)
{
    double sum = 0;
    for (int s = 0; s < 2; s++)
        for (int i = 0; i < a->side[s].nodes; i++)
            for (int j = 0; j < b->side[s].nodes; j++)
                if (a->side[s].node[i] == b->side[s].node[j])
                    sum += fmin(a->side[s].weight[i], b->side[s].weight[j]);
    return sum;
}

// Contacts that moved on to a neighbouring feature: of those that nobody has taken, the one that has most in common.
static void take_over(const plait_surface_touches *old, unsigned char *used, plait_surface_touches *touches)
{
    for (int i = 0; i < touches->count; i++) {
        plait_surface_touch *t = &touches->touch[i];
        double best = 0;
        if (t->last >= 0)
            continue;
        for (int k = 0; k < old->count; k++) {
            const plait_surface_touch *o = &old->touch[k];
            if (used[k] || !share_node(&o->side[0], &t->side[0]) || !share_node(&o->side[1], &t->side[1]))
                continue;
            double common = overlap(o, t);
            if (common > best)
                best = common, t->last = k;
        }
        if (t->last >= 0)
            used[t->last] = 1;
    }
}

bool plait_surface_track(plait_surface_detector *d, plait_surface_touches *touches)
{
    plait_surface_touches *all = &d->gathered;
    const plait_surface_touches *old = d->previous;
    if (!plait_grow(&touches->touch, &touches->room, all->count, sizeof *touches->touch) ||
        (old && !plait_grow(&d->used, &d->used_room, old->count, 1)))
        return false;
    if (all->count > 1)
        qsort(all->touch, (size_t)all->count, sizeof *all->touch, compare);
    touches->count = 0;
    for (int i = 0; i < all->count; i++)
        if (i == 0 || compare_features(&all->touch[i - 1], &all->touch[i]) != 0)
            touches->touch[touches->count++] = all->touch[i];
    if (!old || old->count == 0)
        return true;
    memset(d->used, 0, (size_t)old->count);
    for (int i = 0; i < touches->count; i++) {
        int64_t k = find(old, &touches->touch[i]);
        touches->touch[i].last = (int)k;
        if (k >= 0)
            d->used[k] = 1;
    }
    take_over(old, d->used, touches);
    return true;
}
