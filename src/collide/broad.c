// broad.c: pairs of links that may touch: by the grid or by the tree, whichever costs less.
//
// Both give the pairs whose boxes overlap. The grid needs cells of about the size of the links; where links are very
// unequal, or move many times their length, one of them fills thousands of cells, and the tree is used.
#include <math.h>

#include "collide/detector.h"
#include "math/vec3.h"

enum {
    GRID_LINKS = 256,   // fewer: the tree
    GRID_ENTRIES = 24,  // per link; more: the tree
    GRID_PIECES = 1000, // of a link
    SAMPLES = 4096,     // links that are looked at to choose
    GRID_BITS = 24      // at most so many buckets, as a power of two
};

typedef struct measure {
    double length[3], width[3]; // extent of a link; extent of a point of it: motion and radius
    double pieces;              // per cell side
} measure;

static measure measure_link(const plait_detector *d, int i)
{
    const plait_link *link = &d->link[i];
    const double *p = d->x0 + 3 * (int64_t)link->node, *q = d->x1 + 3 * (int64_t)link->node;
    measure m = {{0}, {0}, 0};
    double thick = 2 * plait_link_thickness(d, i), sum = 0;
    for (int k = 0; k < 3; k++) {
        double l0 = fabs(p[3 + k] - p[k]), l1 = d->continuous ? fabs(q[3 + k] - q[k]) : 0;
        double v0 = d->continuous ? fabs(q[k] - p[k]) : 0, v1 = d->continuous ? fabs(q[3 + k] - p[3 + k]) : 0;
        m.length[k] = l0 > l1 ? l0 : l1;
        m.width[k] = thick + (v0 > v1 ? v0 : v1);
        sum += m.length[k] * m.length[k];
    }
    m.pieces = 2 * sqrt(sum);
    return m;
}

static int piece_count(const measure *m, double cell)
{
    double pieces = ceil(m->pieces / cell);
    return pieces < 1 ? 1 : pieces < GRID_PIECES ? (int)pieces : GRID_PIECES;
}

// Entries of all links for this size of cells, about.
static double estimate(const plait_detector *d, double cell)
{
    double sum = 0;
    int stride = 1 + d->links / SAMPLES, count = 0;
    for (int i = 0; i < d->links; i += stride, count++) {
        measure m = measure_link(d, i);
        int pieces = piece_count(&m, cell);
        double cells = 1;
        for (int k = 0; k < 3; k++)
            cells *= 1 + (m.length[k] / pieces + m.width[k]) / cell;
        sum += 1 + (pieces - 1) * 0.5 + (cells - 1) * pieces * 0.5; // neighbouring pieces share cells
    }
    return sum / count * d->links;
}

// Sets the size of the cells; returns how many entries a link has on average.
static double choose_cell(plait_detector *d)
{
    double length = 0, width = 0;
    int stride = 1 + d->links / SAMPLES, count = 0;
    for (int i = 0; i < d->links; i += stride, count++) {
        measure m = measure_link(d, i);
        length += 0.5 * m.pieces;
        width += plait_larger(m.width[0], plait_larger(m.width[1], m.width[2]));
    }
    length /= count, width /= count;
    double cell = plait_larger(length / 2, 1.5 * width), entries = estimate(d, cell);
    double first = entries;
    while (entries > (double)GRID_ENTRIES * d->links + 1000) {
        cell *= 2;
        double fewer = estimate(d, cell);
        if (!(fewer < entries))
            break;
        entries = fewer;
    }
    d->grid.cell = cell, d->grid.per_cell = 1 / cell;
    return first / d->links;
}

static int64_t cell_of(double x, double origin, double per_cell)
{
    double c = (x - origin) * per_cell; // the origin is below everything
    return c > 0 ? (c < 1e9 ? (int64_t)c : 1000000000) : 0;
}

static uint32_t bucket_of(const plait_grid *g, int64_t x, int64_t y, int64_t z)
{
    uint64_t X = (uint64_t)x & ((1U << g->bits[0]) - 1), Y = (uint64_t)y & ((1U << g->bits[1]) - 1);
    uint64_t Z = (uint64_t)z & ((1U << g->bits[2]) - 1);
    return (uint32_t)((X << g->bits[1] | Y) << g->bits[2] | Z);
}

// Buckets that the box touches are appended, unless the link has entered them already (from `mine` on).
static bool enter(const plait_grid *g, const double lo[3], const double hi[3], plait_chunk *chunk, int64_t mine)
{
    int64_t from[3], to[3];
    for (int k = 0; k < 3; k++) {
        from[k] = cell_of(lo[k], (double)g->all.lo[k], g->per_cell);
        to[k] = cell_of(hi[k], (double)g->all.lo[k], g->per_cell);
        int64_t size = (int64_t)1 << g->bits[k];
        if (to[k] - from[k] >= size) // it has come round
            to[k] = from[k] + size - 1;
    }
    int64_t need = chunk->entries + (to[0] - from[0] + 1) * (to[1] - from[1] + 1) * (to[2] - from[2] + 1);
    if (!plait_grow(&chunk->bucket, &chunk->bucket_room, need, sizeof *chunk->bucket))
        return false;
    int64_t before = chunk->entries;
    for (int64_t x = from[0]; x <= to[0]; x++)
        for (int64_t y = from[1]; y <= to[1]; y++)
            for (int64_t z = from[2]; z <= to[2]; z++) {
                uint32_t bucket = bucket_of(g, x, y, z);
                int64_t e = before; // one box enters a bucket once
                while (e > mine && chunk->bucket[e - 1] != bucket)
                    e--;
                if (e == mine)
                    chunk->bucket[chunk->entries++] = bucket;
            }
    return true;
}

static bool enter_link(plait_detector *d, int i, plait_chunk *chunk)
{
    plait_grid *g = &d->grid;
    const plait_link *link = &d->link[i];
    const double *p = d->x0 + 3 * (int64_t)link->node, *q = d->x1 + 3 * (int64_t)link->node;
    double thick = plait_link_thickness(d, i) * (1 + 1e-9) + 1e-9 * g->cell;
    measure m = measure_link(d, i);
    int pieces = piece_count(&m, g->cell);
    int64_t mine = chunk->entries;
    g->first_entry[i] = mine; // in the chunk, for now
    for (int n = 0; n < pieces; n++) {
        double lo[3], hi[3], s0 = (double)n / pieces, s1 = (double)(n + 1) / pieces;
        for (int k = 0; k < 3; k++) {
            double a = p[k] + s0 * (p[3 + k] - p[k]), b = p[k] + s1 * (p[3 + k] - p[k]);
            lo[k] = a < b ? a : b, hi[k] = a < b ? b : a;
            if (d->continuous) {
                double c = q[k] + s0 * (q[3 + k] - q[k]), e = q[k] + s1 * (q[3 + k] - q[k]);
                double least = c < e ? c : e, most = c < e ? e : c;
                lo[k] = least < lo[k] ? least : lo[k];
                hi[k] = most > hi[k] ? most : hi[k];
            }
            lo[k] -= thick, hi[k] += thick;
        }
        if (!enter(g, lo, hi, chunk, mine))
            return false;
    }
    return true;
}

static void enter_links(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    (void)thread;
    plait_chunk *chunk = &d->chunk[c];
    chunk->entries = 0, chunk->failed = false;
    for (int64_t i = begin; i < end && !chunk->failed; i++)
        chunk->failed = !enter_link(d, (int)i, chunk);
}

static void place_entries(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    (void)thread;
    const plait_chunk *chunk = &d->chunk[c];
    if (chunk->entries > 0)
        memcpy(d->grid.bucket + chunk->at, chunk->bucket, (size_t)chunk->entries * sizeof *chunk->bucket);
    for (int64_t i = begin; i < end; i++)
        d->grid.first_entry[i] += chunk->at;
}

// Which buckets each link touches.
static bool enter_all(plait_detector *d)
{
    enum { GRAIN = 512 };
    plait_grid *g = &d->grid;
    int chunks = plait_detector_run(d, d->links, GRAIN, enter_links);
    g->entries = 0;
    for (int c = 0; c < chunks; c++) {
        if (d->chunk[c].failed)
            return false;
        d->chunk[c].at = g->entries, g->entries += d->chunk[c].entries;
    }
    if (g->entries > INT32_MAX || !plait_grow(&g->bucket, &g->bucket_room, g->entries, sizeof *g->bucket))
        return false;
    plait_detector_run(d, d->links, GRAIN, place_entries);
    g->first_entry[d->links] = g->entries;
    return true;
}

static void choose_bits(plait_grid *g, double entries)
{
    int limit = 8;
    while (limit < GRID_BITS && (double)((int64_t)1 << limit) < 2 * entries)
        limit++;
    int sum = 0;
    for (int k = 0; k < 3; k++) {
        double cells = ((double)g->all.hi[k] - (double)g->all.lo[k]) / g->cell + 1;
        g->bits[k] = 0;
        while (g->bits[k] < GRID_BITS && (double)(1 << g->bits[k]) < cells)
            g->bits[k]++;
        sum += g->bits[k];
    }
    for (; sum > limit; sum--) {
        int most = g->bits[0] >= g->bits[1] ? 0 : 1;
        most = g->bits[most] >= g->bits[2] ? most : 2;
        g->bits[most]--;
    }
}

static bool grid_build(plait_detector *d, double entries_per_link)
{
    plait_grid *g = &d->grid;
    g->all = plait_box_empty();
    for (int i = 0; i < d->links; i++)
        plait_box_join(&g->all, &d->box[i]);
    choose_bits(g, entries_per_link * d->links);
    int64_t buckets = (int64_t)1 << (g->bits[0] + g->bits[1] + g->bits[2]);
    if (!plait_grow(&g->first_entry, &g->first_room, d->links + 1, sizeof *g->first_entry) ||
        !plait_grow(&g->start, &g->start_room, buckets + 1, sizeof *g->start))
        return false;
    if (!enter_all(d) || !plait_grow(&g->item, &g->item_room, g->entries, sizeof *g->item))
        return false;
    memset(g->start, 0, ((size_t)buckets + 1) * sizeof *g->start);
    for (int64_t e = 0; e < g->entries; e++)
        g->start[g->bucket[e] + 1]++;
    for (int64_t b = 0; b < buckets; b++)
        g->start[b + 1] += g->start[b];
    // Filled backwards from the ends; start[b] is then where bucket b - 1 ended, which is where b begins.
    for (int i = d->links - 1; i >= 0; i--)
        for (int64_t e = g->first_entry[i]; e < g->first_entry[i + 1]; e++)
            g->item[--g->start[g->bucket[e] + 1]] = i;
    for (int64_t b = 0; b < buckets; b++)
        g->start[b] = g->start[b + 1];
    g->start[buckets] = (int32_t)g->entries;
    return true;
}

plait_status plait_broad_build(plait_detector *d, plait_error *error)
{
    double entries = d->links && d->forced != PLAIT_BROAD_BVH ? choose_cell(d) : 0;
    bool grid = d->forced == PLAIT_BROAD_GRID ||
                (d->forced == PLAIT_BROAD_AUTO && d->links >= GRID_LINKS && entries <= GRID_ENTRIES);
    d->stats.broad = grid && d->links ? PLAIT_BROAD_GRID : PLAIT_BROAD_BVH;
    bool ok =
        d->stats.broad == PLAIT_BROAD_GRID ? grid_build(d, entries) : plait_tree_build(&d->tree, d->box, d->links);
    for (int64_t t = 0; ok && t < d->thread_count; t++) {
        plait_thread_scratch *s = &d->thread[t];
        ok = plait_grow(&s->stamp, &s->stamp_room, d->links, sizeof *s->stamp);
        if (ok)
            memset(s->stamp, 0xff, (size_t)d->links * sizeof *s->stamp);
    }
    return ok ? PLAIT_OK
              : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the broad phase of %d links", d->links);
}

static int64_t grid_query(const plait_detector *d, int i, plait_thread_scratch *scratch)
{
    const plait_grid *g = &d->grid;
    const plait_box *box = &d->box[i];
    int64_t count = 0;
    for (int64_t e = g->first_entry[i]; e < g->first_entry[i + 1]; e++) {
        int32_t begin = g->start[g->bucket[e]], k = g->start[g->bucket[e] + 1];
        if (!plait_grow(&scratch->found, &scratch->found_room, count + k - begin, sizeof *scratch->found))
            return -1;
        while (k > begin && g->item[k - 1] > i) {
            int j = g->item[--k];
            if (scratch->stamp[j] != i) {
                scratch->stamp[j] = i;
                scratch->found[count] = j;
                count += plait_box_overlap(box, &d->box[j]);
            }
        }
    }
    return count;
}

int64_t plait_broad_query(const plait_detector *d, int i, plait_thread_scratch *scratch)
{
    if (d->stats.broad == PLAIT_BROAD_GRID)
        return grid_query(d, i, scratch);
    return plait_tree_overlap(&d->tree, &d->box[i], i, &scratch->found, &scratch->found_room, 0);
}
