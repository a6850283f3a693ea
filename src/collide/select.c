// select.c: from the hits of two strands to their contacts.
//
// Hits are cells (i, j) in the plane of link numbers. Neighbouring cells form patches; a patch is one stretch along
// which the strands are near. From each patch are kept, nearest first and at least `spacing` apart along the strands:
//   - local minima of the distance;
//   - where the patch is flat (within a tenth of the proximity of its minimum), or overlaps, or will overlap at the
//     end of the motion, any hit.
// Hits near a contact of the last step go first, and where the distance is flat they keep its place: a contact at rest
// stays the same contact. Hits of the motion come last, earliest first, where there is no contact yet.
#include <math.h>

#include "collide/detector.h"
#include "shape/closest.h"

typedef struct pick {
    const plait_hit *hit;
    int i, j; // links, counted in their strands
    int root; // of its patch
    bool minimum, chosen;
    double a, b, s, t, distance, normal[3];
    double rank;
    double lowest; // of the root: least distance in the patch
} pick;

// The hits of one pair of strands.
typedef struct pair {
    const plait_detector *d;
    const plait_strand *s, *r;
    pick *pick;
    int count, swept; // pick[count ..] are the swept ones
    int *list;        // chosen ones
    int chosen;
    const int *old; // contacts of the last step, by the first link
    int olds;
    double flat;
} pair;

// ---- neighbours ---------------------------------------------------------------------------------------------------

// The first pick at or after cell (i, j).
static int lower(const pair *x, int i, int j)
{
    int lo = 0, hi = x->count;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        const pick *p = &x->pick[mid];
        if (p->i < i || (p->i == i && p->j < j))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

static int root_of(pick *p, int k)
{
    while (p[k].root != k)
        k = p[k].root = p[p[k].root].root;
    return k;
}

// Patches and local minima. Of equal neighbours the first is the minimum.
static void find_patches(pair *x)
{
    pick *p = x->pick;
    for (int k = 0; k < x->count; k++)
        p[k].root = k, p[k].minimum = true;
    for (int k = 0; k < x->count; k++)
        for (int row = -1; row <= 0; row++) { // the neighbours before it
            int n = row ? lower(x, p[k].i - 1, p[k].j - 1) : k - 1;
            for (; n >= 0 && n < k && p[n].i == p[k].i + row && p[n].j <= p[k].j + 1; n++) {
                if (p[n].j < p[k].j - 1)
                    break;
                p[p[n].hit->distance <= p[k].hit->distance ? k : n].minimum = false;
                int u = root_of(p, n), v = root_of(p, k);
                p[u > v ? u : v].root = u > v ? v : u;
            }
        }
    for (int k = 0; k < x->count; k++) {
        int root = p[k].root = root_of(p, k); // the first of the patch
        if (k == root || p[k].distance < p[root].lowest)
            p[root].lowest = p[k].distance;
    }
}

// ---- contacts of the last step ------------------------------------------------------------------------------------

static const plait_side *old_side(const pair *x, int k, int side)
{
    return &x->d->previous->touch[x->old[k]].side[side];
}

// The contact of the last step nearest to the place (a, b) of links i, j, within half a link; its parameters there.
static bool find_old(const pair *x, int i, int j, double a, double b, double wanted[2])
{
    int lo = 0, hi = x->olds;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (old_side(x, mid, 0)->segment < i - 1)
            lo = mid + 1;
        else
            hi = mid;
    }
    double best = 0.5;
    bool found = false;
    for (int k = lo; k < x->olds && old_side(x, k, 0)->segment <= i + 1; k++) {
        const plait_side *s = old_side(x, k, 0), *r = old_side(x, k, 1);
        if (r->segment < j - 1 || r->segment > j + 1)
            continue;
        // In units of links, which is near enough for links of similar length.
        double olda = s->segment - i + s->a, oldb = r->segment - j + r->a;
        double far = plait_larger(fabs(olda - a), fabs(oldb - b));
        bool same = s->segment == i && r->segment == j;
        if (same)
            far *= 0.5; // where the distance is flat, a and b say little
        if (far < best) {
            best = far, found = true;
            wanted[0] = plait_clamp01(olda), wanted[1] = plait_clamp01(oldb);
        }
    }
    return found;
}

// ---- places -------------------------------------------------------------------------------------------------------

static void set_normal(const pair *x, pick *p)
{
    const plait_detector *d = x->d;
    double pp[3], qq[3];
    plait_link_point(d, p->hit->i, p->a, false, pp);
    plait_link_point(d, p->hit->j, p->b, false, qq);
    plait_vec3_sub(pp, qq, p->normal);
    p->distance = plait_vec3_normalise(p->normal);
    if (p->distance > 1e-9 * (x->s->radius + x->r->radius))
        return;
    // The centrelines meet: across both of them, to either side.
    double u[3], v[3];
    const double *e = d->x0 + 3 * (int64_t)d->link[p->hit->i].node, *f = d->x0 + 3 * (int64_t)d->link[p->hit->j].node;
    plait_vec3_sub(e + 3, e, u), plait_vec3_sub(f + 3, f, v);
    plait_vec3_cross(u, v, p->normal);
    if (!(plait_vec3_normalise(p->normal) > 0)) {
        plait_vec3_normalise(u);
        plait_vec3_any_normal(u, p->normal);
    }
}

// Whether the old place will do: as far apart as the nearest points but for half a percent, and across both links but
// for a hundredth. Then nothing moves; a pull alone would creep.
static bool stays(const double *e, const double *f, double least, double wanted[2])
{
    double p[3], q[3], n[3], u[3], v[3];
    plait_lerp(e, e + 3, wanted[0], p);
    wanted[1] = plait_closest_on_segment(p, f, f + 3);
    plait_lerp(f, f + 3, wanted[1], q);
    plait_vec3_sub(p, q, n), plait_vec3_sub(e + 3, e, u), plait_vec3_sub(f + 3, f, v);
    double distance = plait_vec3_normalise(n);
    bool inner = wanted[0] > 0 && wanted[0] < 1; // at an end the direction is free
    return distance <= 1.005 * least && (!inner || fabs(plait_vec3_dot(n, u)) <= 0.01 * plait_vec3_norm(u)) &&
           fabs(plait_vec3_dot(n, v)) <= 0.01 * plait_vec3_norm(v);
}

// Fills a pick of the start: the place, its distance and its rank.
static void place(const pair *x, pick *p)
{
    const plait_detector *d = x->d;
    const plait_hit *hit = p->hit;
    const double *e = d->x0 + 3 * (int64_t)d->link[hit->i].node, *f = d->x0 + 3 * (int64_t)d->link[hit->j].node;
    double wanted[2], radii = x->s->radius + x->r->radius;
    double a, b, flat = 0.005 * radii * radii;
    plait_closest_steady(e, e + 3, f, f + 3, flat, NULL, &a, &b);
    bool held = x->olds && find_old(x, p->i, p->j, a, b, wanted);
    if (held && stays(e, f, hit->distance, wanted))
        a = wanted[0], b = wanted[1];
    else if (held)
        plait_closest_steady(e, e + 3, f, f + 3, flat, wanted, &a, &b);
    // Points of one chain that were pulled too near to each other along it stay where they were.
    if (x->s == x->r && !(fabs(plait_link_arc(d, hit->j, b) - plait_link_arc(d, hit->i, a)) >= x->s->self_arc))
        a = hit->a, b = hit->b;
    p->a = a, p->b = b;
    p->s = plait_link_arc(d, hit->i, a), p->t = plait_link_arc(d, hit->j, b);
    set_normal(x, p);
    bool inner = a > 0 && a < 1 && b > 0 && b < 1;
    p->rank = p->distance + 4 * x->flat - (held ? 2 * x->flat : 0) - (inner ? 0.5 * x->flat : 0);
}

// ---- choice -------------------------------------------------------------------------------------------------------

static double link_length(const plait_detector *d, int link)
{
    return fabs(d->arc[d->link[link].node + 1] - d->arc[d->link[link].node]);
}

static bool near(const pick *p, const pick *q, double spacing)
{
    return fabs(p->s - q->s) < spacing && fabs(p->t - q->t) < spacing;
}

// Links of a strand that have points nearer than `spacing` to the arc position s of link k.
static void links_within(const plait_detector *d, const plait_strand *strand, int k, double s, double spacing,
                         int *from, int *to)
{
    const double *arc = d->arc + strand->node;
    *from = *to = k;
    while (*from > 0 && fabs(arc[*from] - s) < spacing)
        --*from;
    while (*to < strand->links - 1 && fabs(arc[*to + 1] - s) < spacing)
        ++*to;
}

// Whether a chosen hit is nearer than spacing, in the same patch (or any: patch -1).
static bool crowded(const pair *x, const pick *p, int patch, double spacing)
{
    enum { FEW = 48 };
    if (x->chosen <= FEW) {
        for (int n = 0; n < x->chosen; n++) {
            const pick *q = &x->pick[x->list[n]];
            if ((patch < 0 || q->root == patch) && near(p, q, spacing))
                return true;
        }
        return false;
    }
    int from[2], to[2];
    links_within(x->d, x->s, p->i, p->s, spacing, &from[0], &to[0]);
    links_within(x->d, x->r, p->j, p->t, spacing, &from[1], &to[1]);
    for (int i = from[0]; i <= to[0]; i++)
        for (int n = lower(x, i, from[1]); n < x->count && x->pick[n].i == i && x->pick[n].j <= to[1]; n++) {
            const pick *q = &x->pick[n];
            if (q->chosen && (patch < 0 || q->root == patch) && near(p, q, spacing))
                return true;
        }
    return false;
}

static double spacing_of(const pair *x, const pick *p)
{
    double length = 0.5 * (link_length(x->d, p->hit->i) + link_length(x->d, p->hit->j));
    double spacing = x->d->scenery->spacing, radius = 0.5 * (x->s->radius + x->r->radius);
    if (spacing <= 0) // links shorter than the radius need no contact each
        return 0.75 * plait_larger(length, radius);
    return spacing > length ? spacing - 0.25 * length : 0.75 * spacing;
}

// Whether the surfaces at this pick overlap at the end of the motion.
static bool closes(const pair *x, const pick *p)
{
    double pp[3], qq[3], w[3];
    plait_link_point(x->d, p->hit->i, p->a, true, pp);
    plait_link_point(x->d, p->hit->j, p->b, true, qq);
    plait_vec3_sub(pp, qq, w);
    return plait_vec3_dot(w, p->normal) <= x->s->radius + x->r->radius;
}

static uint64_t ascending(double x)
{
    uint64_t bits;
    x = x > 0 ? x : 0;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void choose(pair *x, plait_key_item *key, plait_key_item *spare)
{
    pick *p = x->pick;
    double radii = x->s->radius + x->r->radius;
    for (int k = 0; k < x->count; k++)
        key[k] = (plait_key_item){ascending(p[k].rank), k};
    plait_sort_keys(key, x->count, spare);
    for (int k = 0; k < x->count; k++) {
        pick *q = &p[key[k].item];
        bool flat = q->distance <= p[q->root].lowest + x->flat || q->distance < radii;
        if (!q->minimum && !flat && !closes(x, q))
            continue;
        double spacing = spacing_of(x, q);
        if (crowded(x, q, q->root, q->minimum || flat ? spacing : plait_larger(spacing, radii)))
            continue;
        q->chosen = true;
        x->list[x->chosen++] = (int)key[k].item;
    }
}

static void choose_swept(pair *x, plait_key_item *key, plait_key_item *spare)
{
    pick *p = x->pick + x->count;
    double apart = x->d->crossing ? 0.25 : 0.75; // [links]
    for (int k = 0; k < x->swept; k++)
        key[k] = (plait_key_item){ascending(p[k].hit->time), k};
    plait_sort_keys(key, x->swept, spare);
    for (int k = 0; k < x->swept; k++) {
        pick *q = &p[key[k].item];
        double length = 0.5 * (link_length(x->d, q->hit->i) + link_length(x->d, q->hit->j));
        bool taken = crowded(x, q, -1, apart * length);
        for (int n = 0; n < k && !taken; n++)
            taken = p[key[n].item].chosen && near(q, &p[key[n].item], apart * length);
        q->chosen = !taken;
    }
}

// ---- contacts -----------------------------------------------------------------------------------------------------

static void fill_side(const plait_detector *d, const plait_strand *strand, int link, int segment, double a, double sign,
                      const double normal[3], plait_side *side)
{
    side->on_shape = strand->chain < 0;
    side->index = strand->chain < 0 ? strand->shape : strand->chain;
    side->segment = segment, side->a = a;
    plait_link_point(d, link, a, false, side->point);
    if (!side->on_shape)
        return;
    double end[3];
    plait_link_point(d, link, a, true, end);
    plait_vec3_sub(end, side->point, side->move);
    plait_vec3_axpy(sign * strand->radius, normal, side->point);
}

static bool emit(const pair *x, const pick *p, plait_touches *touches)
{
    plait_touch *touch = plait_touches_add(touches);
    if (!touch)
        return false;
    const plait_detector *d = x->d;
    double w[3], pp[3], qq[3];
    plait_vec3_copy(p->normal, touch->normal);
    plait_link_point(d, p->hit->i, p->a, false, pp);
    plait_link_point(d, p->hit->j, p->b, false, qq);
    plait_vec3_sub(pp, qq, w);
    touch->gap = plait_vec3_dot(w, p->normal) - x->s->radius - x->r->radius;
    touch->arc[0] = p->s, touch->arc[1] = x->r->chain < 0 ? 0 : p->t;
    touch->swept = p->hit->time >= 0;
    fill_side(d, x->s, p->hit->i, p->i, p->a, -1, p->normal, &touch->side[0]);
    fill_side(d, x->r, p->hit->j, p->j, p->b, 1, p->normal, &touch->side[1]);
    touch->side[1].image = d->periodic && x->r->chain >= 0 ? plait_image_between(x->s, x->r) : 0;
    return true;
}

static bool select_pair(pair *x, plait_key_item *key, plait_touches *touches)
{
    for (int k = 0; k < x->count; k++)
        place(x, &x->pick[k]);
    find_patches(x);
    for (int k = 0; k < x->swept; k++) {
        pick *p = &x->pick[x->count + k];
        p->a = p->hit->a, p->b = p->hit->b, p->distance = p->hit->distance;
        p->s = plait_link_arc(x->d, p->hit->i, p->a), p->t = plait_link_arc(x->d, p->hit->j, p->b);
        plait_vec3_copy(p->hit->normal, p->normal);
    }
    choose(x, key, key + x->count + x->swept);
    choose_swept(x, key, key + x->count + x->swept);
    for (int k = 0; k < x->count + x->swept; k++)
        if (x->pick[k].chosen && !emit(x, &x->pick[k], touches))
            return false;
    return true;
}

// The contacts of the last step between two strands.
static void find_olds(const plait_detector *d, int s, int r, pair *x)
{
    uint64_t key = (uint64_t)s << 24 | (uint64_t)r;
    int64_t lo = 0, hi = d->olds;
    while (lo < hi) {
        int64_t mid = lo + (hi - lo) / 2;
        if (d->old_key[mid].key < key)
            lo = mid + 1;
        else
            hi = mid;
    }
    x->old = d->olds > 0 ? d->old + lo : NULL; // there may be no list yet
    for (x->olds = 0; lo + x->olds < d->olds && d->old_key[lo + x->olds].key == key;)
        x->olds++;
}

// All hits whose first link is on strand s.
static bool select_strand(const plait_detector *d, int s, plait_thread_scratch *scratch, plait_touches *touches)
{
    int64_t first = d->first_hit[s], hits = d->first_hit[s + 1] - first;
    if (!hits)
        return true;
    if (!plait_grow(&scratch->key, &scratch->key_room, 4 * hits, sizeof *scratch->key) ||
        !plait_grow(&scratch->pick, &scratch->pick_room, hits, sizeof(pick)) ||
        !plait_grow(&scratch->more, &scratch->more_room, hits, sizeof *scratch->more))
        return false;
    // By the other strand, then the start before the motion, then by links.
    plait_key_item *key = scratch->key;
    for (int64_t h = 0; h < hits; h++) {
        const plait_hit *hit = &d->hit[first + h];
        int r = d->link[hit->j].strand;
        uint64_t i = (uint64_t)(hit->i - d->strand[s].link), j = (uint64_t)(hit->j - d->strand[r].link);
        key[h] = (plait_key_item){(uint64_t)r << 40 | i << 20 | j, first + h};
    }
    plait_sort_keys(key, hits, key + hits);
    pick *picks = scratch->pick;
    for (int64_t begin = 0, end; begin < hits; begin = end) {
        int r = (int)(key[begin].key >> 40);
        pair x = {.d = d, .s = &d->strand[s], .r = &d->strand[r], .pick = picks, .list = scratch->more};
        for (end = begin; end < hits && (int)(key[end].key >> 40) == r; end++)
            x.count += d->hit[key[end].item].time < 0;
        int at[2] = {0, x.count};
        for (int64_t k = begin; k < end; k++) {
            const plait_hit *hit = &d->hit[key[k].item];
            picks[at[hit->time >= 0]++] =
                (pick){.hit = hit, .i = hit->i - x.s->link, .j = hit->j - x.r->link, .root = -1};
        }
        x.swept = (int)(end - begin) - x.count;
        x.flat = d->reach > 0 ? 0.2 * d->reach : 0.01 * (x.s->radius + x.r->radius);
        find_olds(d, s, r, &x);
        if (!select_pair(&x, key + 2 * hits, touches))
            return false;
    }
    return true;
}

static void select_strands(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    plait_chunk *chunk = &d->chunk[c];
    for (int64_t s = begin; s < end && !chunk->failed; s++)
        chunk->failed = !select_strand(d, (int)s, &d->thread[thread], &chunk->touches);
}

// `first`: the strand of the other side, if there is one.
static int strand_of(const plait_detector *d, const plait_side *side, int first)
{
    if (side->index < 0 || side->index >= (side->on_shape ? d->shapes : d->scenery->chains))
        return -1;
    int s = side->on_shape                    ? d->placed[side->index].strand
            : d->periodic && first >= 0 ? plait_image_strand(d, first, side->index, side->image)
                                              : side->index;
    return s >= 0 && side->segment >= 0 && side->segment < d->strand[s].links ? s : -1;
}

// Contacts of the last step by pair of strands, those of a pair by the first link.
static bool index_previous(plait_detector *d)
{
    int64_t count = d->previous ? d->previous->count : 0;
    d->olds = 0;
    if (!plait_grow(&d->old_key, &d->old_key_room, count, sizeof *d->old_key) ||
        !plait_grow(&d->spare, &d->spare_room, count, sizeof *d->spare) ||
        !plait_grow(&d->old, &d->old_room, count, sizeof *d->old))
        return false;
    for (int64_t k = 0; k < count; k++) {
        const plait_touch *touch = &d->previous->touch[k];
        int s = touch->side[0].on_shape ? -1 : strand_of(d, &touch->side[0], -1), r = strand_of(d, &touch->side[1], s);
        if (s >= 0 && r >= 0 && !touch->fixed)
            d->old_key[d->olds++] = (plait_key_item){(uint64_t)touch->side[0].segment, k};
    }
    plait_sort_keys(d->old_key, d->olds, d->spare);
    for (int64_t k = 0; k < d->olds; k++) {
        const plait_side *side = d->previous->touch[d->old_key[k].item].side;
        int s = strand_of(d, &side[0], -1);
        d->old_key[k].key = (uint64_t)s << 24 | (uint64_t)strand_of(d, &side[1], s);
    }
    plait_sort_keys(d->old_key, d->olds, d->spare);
    for (int64_t k = 0; k < d->olds; k++)
        d->old[k] = (int)d->old_key[k].item;
    return true;
}

plait_status plait_rods_select(plait_detector *d, plait_error *error)
{
    if (!d->hits)
        return PLAIT_OK;
    bool ok = index_previous(d);
    int chunks = ok ? plait_detector_search(d, d->strands, 16, select_strands) : 0;
    return ok && plait_detector_gather(d, chunks)
               ? PLAIT_OK
               : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the contacts of %d strands", d->strands);
}
