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
static int compare(const plait_surface_touch *x, const plait_surface_touch *y)
{
    int features = compare_features(x, y);
    if (features)
        return features;
    if (x->swept != y->swept)
        return x->swept ? 1 : -1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->gap < y->gap ? -1 : x->gap > y->gap;
}

void plait_surface_sort(const plait_surface_touch *touch, int n, int *order, int *spare)
{
    for (int i = 0; i < n; i++)
        order[i] = i;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            int64_t middle = begin + width < n ? begin + width : n, end = middle + width < n ? middle + width : n;
            int64_t i = begin, j = middle, k = begin;
            while (i < middle && j < end)
                spare[k++] = compare(&touch[order[j]], &touch[order[i]]) < 0 ? order[j++] : order[i++];
            while (i < middle)
                spare[k++] = order[i++];
            while (j < end)
                spare[k++] = order[j++];
        }
        memcpy(order, spare, (size_t)n * sizeof *order);
    }
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

// Nodes of the first sides of old contacts that nobody has taken, in order. Returns how many; -1 without memory.
static int64_t list_nodes(plait_surface_detector *d, const plait_surface_touches *old)
{
    int64_t count = 0, most = 3 * (int64_t)old->count;
    if (!plait_grow(&d->key, &d->key_room, most, sizeof *d->key) ||
        !plait_grow(&d->spare, &d->spare_room, most, sizeof *d->spare))
        return -1;
    for (int k = 0; k < old->count; k++) {
        const plait_surface_side *s = &old->touch[k].side[0];
        for (int n = 0; !d->used[k] && n < s->nodes; n++)
            d->key[count++] = (plait_key_item){(uint64_t)(d->topology[s->surface].first_node + s->node[n]), k};
    }
    plait_sort_keys(d->key, count, d->spare);
    return count;
}

static int64_t first_of(const plait_key_item *key, int64_t count, uint64_t wanted)
{
    int64_t lo = 0, hi = count;
    while (lo < hi) {
        int64_t mid = (lo + hi) / 2;
        if (key[mid].key < wanted)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

// Contacts that moved on to a neighbouring feature: of those that nobody has taken, the one that has most in common.
static bool take_over(plait_surface_detector *d, const plait_surface_touches *old, plait_surface_touches *touches)
{
    int64_t count = list_nodes(d, old);
    if (count < 0)
        return false;
    for (int i = 0; i < touches->count; i++) {
        plait_surface_touch *t = &touches->touch[i];
        const plait_surface_side *s = &t->side[0];
        double best = 0;
        if (t->last >= 0)
            continue;
        for (int n = 0; n < s->nodes; n++) {
            uint64_t key = (uint64_t)(d->topology[s->surface].first_node + s->node[n]);
            for (int64_t k = first_of(d->key, count, key); k < count && d->key[k].key == key; k++) {
                int which = (int)d->key[k].item;
                const plait_surface_touch *o = &old->touch[which];
                double common = d->used[which] || !share_node(&o->side[1], &t->side[1]) ? 0 : overlap(o, t);
                if (common > best)
                    best = common, t->last = which;
            }
        }
        if (t->last >= 0)
            d->used[t->last] = 1;
    }
    return true;
}

bool plait_surface_track(plait_surface_detector *d, plait_surface_touches *touches)
{
    plait_surface_touches *all = &d->gathered;
    const plait_surface_touches *old = d->previous;
    int n = all->count;
    if (!plait_grow(&touches->touch, &touches->room, n, sizeof *touches->touch) ||
        !plait_grow(&d->order, &d->order_room, 2 * (int64_t)n, sizeof *d->order) ||
        (old && !plait_grow(&d->used, &d->used_room, old->count, 1)))
        return false;
    plait_surface_sort(all->touch, n, d->order, d->order + n);
    touches->count = 0;
    for (int i = 0; i < n; i++) {
        const plait_surface_touch *t = &all->touch[d->order[i]];
        if (i == 0 || compare_features(&touches->touch[touches->count - 1], t) != 0)
            touches->touch[touches->count++] = *t;
    }
    if (!old || old->count == 0)
        return true;
    memset(d->used, 0, (size_t)old->count);
    for (int i = 0; i < touches->count; i++) {
        int64_t k = find(old, &touches->touch[i]);
        touches->touch[i].last = (int)k;
        if (k >= 0)
            d->used[k] = 1;
    }
    return take_over(d, old, touches);
}
