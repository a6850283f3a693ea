// detect.c: detection as a whole: prepare, strands, shapes, order, identity.
#include <math.h>

#include "base/clock.h"
#include "collide/detector.h"
#include "collide/skin.h"

plait_detector *plait_detector_new(void)
{
    plait_detector *d = calloc(1, sizeof *d);
    if (d)
        d->kept.links = -1;
    return d;
}

void plait_detector_free(plait_detector *d)
{
    if (!d)
        return;
    free(d->strand), free(d->link), free(d->box), free(d->motion), free(d->x0), free(d->x1), free(d->arc),
        free(d->placed);
    plait_meshes_free(d);
    free(d->grid.bucket), free(d->grid.first_entry), free(d->grid.start), free(d->grid.item);
    plait_tree_free(&d->tree);
    plait_near_free(&d->kept);
    free(d->hit), free(d->first_hit), free(d->first_image), free(d->old), free(d->old_key);
    for (int c = 0; c < PLAIT_CHUNK_COUNT; c++) {
        free(d->chunk[c].hit), free(d->chunk[c].bucket);
        plait_touches_free(&d->chunk[c].touches);
    }
    for (int64_t t = 0; t < d->thread_count; t++) {
        free(d->thread[t].stamp), free(d->thread[t].found), free(d->thread[t].more);
        free(d->thread[t].key), free(d->thread[t].pick);
    }
    free(d->thread);
    plait_skins_free(d->skins);
    plait_touches_free(&d->gathered);
    plait_touches_free(&d->found);
    free(d->order), free(d->key), free(d->spare), free(d->used), free(d->marked);
    free(d);
}

void plait_detector_set_broad(plait_detector *d, plait_broad broad)
{
    d->forced = broad;
}

plait_detector_stats plait_detector_get_stats(const plait_detector *d)
{
    return d->stats;
}

int plait_detector_run(plait_detector *d, int64_t n, int64_t grain, plait_chunk_body *body)
{
    int64_t wanted = (n + grain - 1) / grain;
    int count = (int)(wanted < PLAIT_CHUNK_COUNT ? wanted : PLAIT_CHUNK_COUNT);
    if (d->team.threads == 1 || count == 1) {
        for (int c = 0; c < count; c++)
            body(d, c, 0, plait_chunk_begin(n, count, c), plait_chunk_begin(n, count, c + 1));
        return count;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(d->team.threads)
    for (int c = 0; c < count; c++)
        body(d, c, omp_get_thread_num(), plait_chunk_begin(n, count, c), plait_chunk_begin(n, count, c + 1));
    return count;
}

static void search_chunk(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    plait_chunk *chunk = &d->chunk[c];
    chunk->hits = chunk->candidates = 0, chunk->touches.count = 0, chunk->failed = false;
    if (!plait_stop_now(d->scenery->stop))
        d->search(d, c, thread, begin, end);
}

int plait_detector_search(plait_detector *d, int64_t n, int64_t grain, plait_chunk_body *body)
{
    d->search = body;
    return plait_detector_run(d, n, grain, search_chunk);
}

plait_status plait_detector_find(plait_detector *d, const plait_scenery *scenery, plait_error *error)
{
    static plait_status (*const stages[])(plait_detector *, plait_error *) = {
        plait_rods_hits, plait_rods_select, plait_shapes_touch, plait_rigids_touch, plait_skins_touch};
    plait_status status = plait_detector_prepare(d, scenery, error);
    for (size_t k = 0; !status && k < sizeof stages / sizeof *stages && !plait_stop_now(scenery->stop); k++)
        status = stages[k](d, error);
    if (d->periodic && !status)
        plait_images_settle(d);
    if (plait_stop_now(scenery->stop)) // what was found is not all that there is
        d->gathered.count = 0;
    return status;
}

// A contact that plait_detect_again does not look for.
static bool stays(const plait_touch *t, const bool *moved)
{
    return !moved[t->side[0].index] && (t->side[1].on_shape || !moved[t->side[1].index]);
}

static plait_status detect(plait_detector *d, const plait_scenery *scenery, const bool *moved,
                           const plait_touches *previous, plait_touches *touches, plait_error *error)
{
    d->continuous = (scenery->mode & PLAIT_DETECT_CONTINUOUS) && scenery->x1;
    // Without proximity, what overlaps at the start is still in contact.
    d->reach = scenery->mode & PLAIT_DETECT_PROXIMITY ? 0.5 * scenery->proximity : 0;
    d->crossing = false, d->thickness = 1;
    double start = plait_clock_wall();
    d->gathered.count = 0;
    d->previous = previous, d->only = moved;
    for (int k = 0; moved && k < touches->count; k++)
        if (stays(&touches->touch[k], moved)) {
            plait_touch *kept = plait_touches_append(&d->gathered, &touches->touch[k]);
            if (!kept)
                return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", touches->count);
            kept->last = -1;
        }
    touches->count = 0;
    plait_status status = plait_detector_find(d, scenery, error);
    if (!status)
        status = plait_touches_sort(d, touches, error);
    if (!status)
        status = plait_touches_track(d, previous, touches, error);
    d->stats.seconds_narrow = plait_clock_wall() - start - d->stats.seconds_broad;
    d->scenery = NULL, d->previous = NULL, d->only = NULL; // they belong to the caller
    return status;
}

plait_status plait_detect(plait_detector *d, const plait_scenery *scenery, const plait_touches *previous,
                          plait_touches *touches, plait_error *error)
{
    return detect(d, scenery, NULL, previous, touches, error);
}

plait_status plait_detect_again(plait_detector *d, const plait_scenery *scenery, const bool *moved,
                                const plait_touches *previous, plait_touches *touches, plait_error *error)
{
    return detect(d, scenery, moved, previous, touches, error);
}
