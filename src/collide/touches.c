// touches.c: lists of contacts: growing, order, identity from step to step.
#include <math.h>

#include "collide/detector.h"
#include "math/vec3.h"

void plait_touches_free(plait_touches *t)
{
    free(t->touch);
    *t = (plait_touches){0};
}

static bool reserve(plait_touches *t, int64_t need)
{
    int64_t room = t->room;
    if (need > INT32_MAX / 2 || !plait_grow(&t->touch, &room, need, sizeof *t->touch))
        return false;
    t->room = (int)room;
    return true;
}

plait_touch *plait_touches_append(plait_touches *touches, const plait_touch *one)
{
    if (!reserve(touches, (int64_t)touches->count + 1))
        return NULL;
    plait_touch *touch = &touches->touch[touches->count++];
    *touch = *one;
    return touch;
}

plait_touch *plait_touches_add(plait_touches *touches)
{
    return plait_touches_append(touches, &(plait_touch){.last = -1});
}

bool plait_detector_gather(plait_detector *d, int chunks)
{
    int64_t count = d->gathered.count;
    for (int c = 0; c < chunks; c++) {
        if (d->chunk[c].failed)
            return false;
        count += d->chunk[c].touches.count;
    }
    if (!reserve(&d->gathered, count))
        return false;
    for (int c = 0; c < chunks; c++) {
        const plait_touches *t = &d->chunk[c].touches;
        if (t->count)
            memcpy(d->gathered.touch + d->gathered.count, t->touch, (size_t)t->count * sizeof *t->touch);
        d->gathered.count += t->count;
    }
    return true;
}

// ---- order --------------------------------------------------------------------------------------------------------

// Kind, index and segment of a side as one number.
static uint64_t side_key(const plait_side *side)
{
    return (uint64_t)side->on_shape << 63 | (uint64_t)side->on_skin << 62 | (uint64_t)side->index << 32 |
           (uint64_t)(uint32_t)side->segment;
}

// Of positive or negative numbers, in their order.
static uint64_t number_key(double x)
{
    uint64_t bits;
    x += 0.0; // -0 becomes 0
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static bool before(const plait_order *x, const plait_order *y)
{
    for (int k = 0; k < 4; k++)
        if (x->key[k] != y->key[k])
            return x->key[k] < y->key[k];
    return x->item < y->item;
}

// As plait_sort_keys, by four keys. No two are equal: the place they came from is the last.
static void sort_order(plait_order *x, int n, plait_order *spare)
{
    plait_order *from = x, *to = spare;
    for (int64_t width = 1; width < n; width *= 2) {
        for (int64_t begin = 0; begin < n; begin += 2 * width) {
            int64_t middle = begin + width < n ? begin + width : n, end = middle + width < n ? middle + width : n;
            int64_t i = begin, j = middle, k = begin;
            if (middle == end || before(&from[middle - 1], &from[middle])) { // in order already
                memcpy(to + begin, from + begin, (size_t)(end - begin) * sizeof *to);
                continue;
            }
            while (i < middle && j < end)
                to[k++] = before(&from[j], &from[i]) ? from[j++] : from[i++];
            while (i < middle)
                to[k++] = from[i++];
            while (j < end)
                to[k++] = from[j++];
        }
        plait_order *swap = from;
        from = to, to = swap;
    }
    if (from != x)
        memcpy(x, from, (size_t)n * sizeof *x);
}

plait_status plait_touches_sort(plait_detector *d, plait_touches *touches, plait_error *error)
{
    int n = d->gathered.count;
    const plait_touch *from = d->gathered.touch;
    if (!plait_grow(&d->order, &d->order_room, 2 * (int64_t)n, sizeof *d->order) || !reserve(touches, n))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", n);
    for (int k = 0; k < n; k++) {
        const plait_side *s = from[k].side;
        d->order[k] = (plait_order){{side_key(&s[0]), side_key(&s[1]), number_key(s[0].a), number_key(s[1].a)}, k};
    }
    if (n > 1)
        sort_order(d->order, n, d->order + n);
    for (int k = 0; k < n; k++)
        touches->touch[k] = from[d->order[k].item];
    touches->count = n;
    return PLAIT_OK;
}

// ---- identity -----------------------------------------------------------------------------------------------------

uint64_t plait_touch_bodies(const plait_touch *t)
{
    uint64_t key = 0;
    for (int k = 0; k < 2; k++) {
        const plait_side *s = &t->side[k];
        key = key << 32 | (uint64_t)s->on_shape << 31 | (uint64_t)s->on_skin << 30 | (uint64_t)s->index;
    }
    return key;
}

double plait_touch_apart(const plait_touch *t, const plait_touch *old)
{
    double far = 0;
    bool along = false;
    if (t->side[1].image != old->side[1].image)
        return INFINITY;
    for (int k = 0; k < 2; k++) {
        const plait_side *s = &t->side[k], *r = &old->side[k];
        if (!s->on_shape) {
            double x = fabs((double)s->segment + s->a - (double)r->segment - r->a);
            far = x > far ? x : far, along = true;
        }
    }
    if (along)
        return far;
    double w[3];
    plait_vec3_sub(t->side[0].point, old->side[0].point, w);
    return plait_vec3_norm(w);
}

// Contacts of one pair of bodies. Near ones are matched before far ones, so that a neighbour does not take what belongs
// to another.
static void match(plait_detector *d, const plait_touches *previous, plait_touches *touches, const plait_key_item *now,
                  int n, const plait_key_item *then, int m)
{
    static const double limit[] = {0.05, 0.3, 1};
    bool along = n && !touches->touch[now[0].item].side[0].on_shape;
    for (int pass = along ? 0 : 2; pass < 3 && m; pass++) {
        int from = 0;
        for (int k = 0; k < n; k++) {
            plait_touch *t = &touches->touch[now[k].item];
            if (t->last >= 0)
                continue;
            while (along && from < m && previous->touch[then[from].item].side[0].segment < t->side[0].segment - 1)
                from++;
            int best = -1;
            double nearest = along ? limit[pass] : INFINITY;
            for (int j = from; j < m; j++) {
                int old = (int)then[j].item;
                if (along && previous->touch[old].side[0].segment > t->side[0].segment + 1)
                    break;
                double far = d->used[old] ? INFINITY : plait_touch_apart(t, &previous->touch[old]);
                if (far < nearest)
                    nearest = far, best = old;
            }
            if (best >= 0) {
                t->last = best;
                d->used[best] = 1;
            }
        }
    }
}

plait_status plait_touches_track(plait_detector *d, const plait_touches *previous, plait_touches *touches,
                                 plait_error *error)
{
    if (!previous || !previous->count || !touches->count)
        return PLAIT_OK;
    int n = touches->count, m = previous->count;
    int64_t room = (int64_t)n + m;
    if (!plait_grow(&d->key, &d->key_room, room, sizeof *d->key) ||
        !plait_grow(&d->spare, &d->spare_room, room, sizeof *d->spare) ||
        !plait_grow(&d->used, &d->used_room, m, sizeof *d->used))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", n + m);
    plait_key_item *now = d->key, *then = d->key + n;
    for (int k = 0; k < n; k++)
        now[k] = (plait_key_item){plait_touch_bodies(&touches->touch[k]), k};
    for (int k = 0; k < m; k++) // late contacts stand behind the others: first by segment
        then[k] = (plait_key_item){(uint64_t)previous->touch[k].side[0].segment, k};
    plait_sort_keys(then, m, d->spare);
    for (int k = 0; k < m; k++)
        then[k].key = plait_touch_bodies(&previous->touch[then[k].item]);
    plait_sort_keys(now, n, d->spare);
    plait_sort_keys(then, m, d->spare);
    for (int k = 0; k < m; k++)
        d->used[k] = previous->touch[k].fixed;
    // Pairs of bodies in step; within a pair both lists are in the order of the first side's segments.
    int b = 0;
    for (int a = 0; a < n;) {
        int a1 = a, b1;
        while (b < m && then[b].key < now[a].key)
            b++;
        while (a1 < n && now[a1].key == now[a].key)
            a1++;
        for (b1 = b; b1 < m && then[b1].key == now[a].key;)
            b1++;
        const plait_side *side = touches->touch[now[a].item].side;
        if (!side[0].on_skin && !side[1].on_skin) // contacts of skins know who they were (skin.c)
            match(d, previous, touches, now + a, a1 - a, then + b, b1 - b);
        a = a1, b = b1;
    }
    return PLAIT_OK;
}
