// near.c: pairs of links that are near each other, found once and used by every look that follows.
//
// A step looks at the same things several times: for contacts, for what passes through in spite of them, for what
// overlaps at its end; and things at rest are where they were. So the broad phase is asked with boxes that are larger
// by a margin, and what it finds is kept. As long as every link's box lies within its larger one, the pairs whose boxes
// overlap are among those that were kept: the same contacts are found, in the same order, whenever they were.
#include "collide/detector.h"

enum { GRAIN = 512 };
static const double MARGIN = 0.5; // of the radius ...
static const double AHEAD = 0.1;  // ... and of the motion, on every side: a solved motion differs from the free one

// chunk->failed: a box has left its larger one.
static void look_inside(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    (void)thread;
    bool out = false;
    for (int64_t i = begin; i < end; i++)
        out |= !plait_box_within(&d->box[i], &d->kept.box[i]);
    d->chunk[c].failed = out;
}

static bool still_holds(plait_detector *d)
{
    if (d->kept.links != d->links || d->kept.broad != d->forced)
        return false;
    int chunks = plait_detector_run(d, d->links, GRAIN, look_inside);
    bool out = false;
    for (int c = 0; c < chunks; c++)
        out |= d->chunk[c].failed;
    return !out;
}

static void sort_up(int *item, int64_t count)
{
    for (int64_t k = 1; k < count; k++) {
        int value = item[k];
        int64_t at = k;
        for (; at > 0 && item[at - 1] > value; at--)
            item[at] = item[at - 1];
        item[at] = value;
    }
}

static void query(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    plait_chunk *chunk = &d->chunk[c];
    plait_thread_scratch *scratch = &d->thread[thread];
    chunk->entries = 0;
    for (int64_t i = begin; i < end && !chunk->failed; i++) {
        d->kept.first[i] = chunk->entries;          // in the chunk, for now
        const plait_strand *strand = &d->strand[d->link[i].strand];
        if (strand->chain < 0 || strand->image) // they are the last, and do not touch each other
            continue;
        int64_t found = plait_broad_query(d, (int)i, scratch);
        chunk->failed =
            found < 0 || !plait_grow(&chunk->bucket, &chunk->bucket_room, chunk->entries + found, sizeof(uint32_t));
        if (chunk->failed)
            return;
        sort_up(scratch->found, found);
        for (int64_t k = 0; k < found; k++)
            chunk->bucket[chunk->entries++] = (uint32_t)scratch->found[k];
    }
}

static void place(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    (void)thread;
    const plait_chunk *chunk = &d->chunk[c];
    if (chunk->entries > 0)
        memcpy(d->kept.other + chunk->at, chunk->bucket, (size_t)chunk->entries * sizeof *chunk->bucket);
    for (int64_t i = begin; i < end; i++)
        d->kept.first[i] += chunk->at;
}

// Boxes as the broad phase shall see them.
static void enlarge(plait_detector *d, double thickness, double reach)
{
    for (int i = 0; i < d->links; i++) {
        double more = plait_link_thickness(d, i) - thickness * d->strand[d->link[i].strand].radius - reach;
        plait_box *box = &d->kept.box[i];
        for (int k = 0; k < 3; k++) {
            box->lo[k] = plait_box_down((double)d->box[i].lo[k] - more);
            box->hi[k] = plait_box_up((double)d->box[i].hi[k] + more);
        }
    }
}

static bool find(plait_detector *d, plait_error *error, plait_status *status)
{
    if (!plait_grow(&d->kept.box, &d->kept.box_room, d->links, sizeof *d->kept.box) ||
        !plait_grow(&d->kept.first, &d->kept.first_room, (int64_t)d->links + 1, sizeof *d->kept.first))
        return false;
    double reach = d->reach, thickness = d->thickness;
    plait_box *boxes = d->box;
    // Boxes of a look for crossings alone would soon be too small.
    d->thickness = plait_larger(1, thickness) + MARGIN, d->reach = plait_larger(0.5 * d->scenery->proximity, reach);
    d->ahead = AHEAD;
    enlarge(d, thickness, reach);
    d->box = d->kept.box;
    *status = plait_broad_build(d, error);
    int chunks = *status ? 0 : plait_detector_search(d, d->links, GRAIN, query);
    d->box = boxes, d->reach = reach, d->thickness = thickness, d->ahead = 0;
    int64_t pairs = 0;
    bool failed = false;
    for (int c = 0; c < chunks; c++) {
        failed |= d->chunk[c].failed;
        d->chunk[c].at = pairs, pairs += d->chunk[c].entries;
    }
    if (*status || failed || !plait_grow(&d->kept.other, &d->kept.other_room, pairs, sizeof *d->kept.other))
        return *status != PLAIT_OK;
    plait_detector_run(d, d->links, GRAIN, place);
    d->kept.first[d->links] = pairs;
    return true;
}

plait_status plait_near_find(plait_detector *d, plait_error *error)
{
    if (still_holds(d))
        return PLAIT_OK;
    plait_status status = PLAIT_OK;
    d->kept.links = -1;
    if (!find(d, error, &status))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the broad phase of %d links", d->links);
    if (!status && !plait_stop_now(d->scenery->stop)) // a search that was stopped has not found all
        d->kept.links = d->links, d->kept.broad = d->forced;
    return status;
}

void plait_near_free(plait_near *near)
{
    free(near->box), free(near->first), free(near->other);
}
