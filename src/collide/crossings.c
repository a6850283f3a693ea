// crossings.c: what passes through something in a motion although it should not.
//
// The same search as that for contacts of the motion, with other distances: centrelines of strands that (nearly) meet,
// and centrelines that get inside a shape or through a mesh. What is in contact at that place already is left out.
#include <math.h>

#include "collide/detector.h"
#include "collide/skin.h"

static const double SAME_PLACE = 0.1;  // [links]
static const double THROUGH_SKIN = 0.01; // of the thickness: what comes as near as that passes through a skin

// missed += what is in `found` and not in `known`.
static plait_status append_new(plait_detector *d, const plait_touches *found, const plait_touches *known,
                               plait_touches *missed, plait_error *error)
{
    int n = found->count, m = known ? known->count : 0;
    int64_t room = (int64_t)n + m;
    if (!plait_grow(&d->key, &d->key_room, room, sizeof *d->key) ||
        !plait_grow(&d->spare, &d->spare_room, room, sizeof *d->spare))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", n + m);
    plait_key_item *then = d->key;
    for (int k = 0; k < m; k++)
        then[k] = (plait_key_item){plait_touch_bodies(&known->touch[k]), k};
    plait_sort_keys(then, m, d->spare);
    for (int k = 0; k < n; k++) {
        const plait_touch *t = &found->touch[k];
        uint64_t key = plait_touch_bodies(t);
        int lo = 0, hi = m;
        while (lo < hi) {
            int mid = lo + (hi - lo) / 2;
            if (then[mid].key < key)
                lo = mid + 1;
            else
                hi = mid;
        }
        bool is_known = false;
        for (; lo < m && then[lo].key == key && !is_known; lo++) {
            const plait_touch *old = &known->touch[then[lo].item];
            if (old->fixed)
                continue;
            if (t->side[0].on_skin || t->side[1].on_skin)
                is_known = plait_skins_same(t, old);
            else if (t->side[0].on_shape) // the same feature of the rigid body
                is_known = t->side[0].segment == old->side[0].segment;
            else
                is_known = plait_touch_apart(t, old) < SAME_PLACE;
        }
        if (is_known)
            continue;
        plait_touch *added = plait_touches_add(missed);
        if (!added)
            return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", missed->count);
        *added = *t;
    }
    return PLAIT_OK;
}

static plait_status detect(plait_detector *d, const plait_scenery *scenery, double near, const plait_touches *known,
                           plait_touches *missed, plait_error *error)
{
    missed->count = 0;
    if (!scenery->x1)
        return PLAIT_OK;
    d->continuous = d->crossing = true;
    d->near = plait_larger(near, PLAIT_CROSSING), d->near_skin = plait_larger(near, THROUGH_SKIN);
    d->reach = 0, d->thickness = plait_larger(d->near, 2 * PLAIT_CROSSING);
    d->gathered.count = d->found.count = 0;
    d->previous = NULL;
    d->only = d->only ? d->only : scenery->only;
    plait_status status = plait_detector_find(d, scenery, error);
    if (!status && d->gathered.count)
        status = plait_touches_sort(d, &d->found, error);
    if (!status && d->gathered.count)
        status = append_new(d, &d->found, known, missed, error);
    d->scenery = NULL, d->only = NULL;
    return status;
}

plait_status plait_detect_crossings(plait_detector *d, const plait_scenery *scenery, double near,
                                    const plait_touches *known, plait_touches *missed, plait_error *error)
{
    return detect(d, scenery, near, known, missed, error);
}

// What comes nearer than `near` was found with a larger one too: chains that nothing was found of need no look.
plait_status plait_detect_nearer(plait_detector *d, const plait_scenery *scenery, double near,
                                 const plait_touches *known, plait_touches *missed, plait_error *error)
{
    if (!plait_grow(&d->marked, &d->marked_room, scenery->chains + 1, sizeof *d->marked))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d strands", scenery->chains);
    memset(d->marked, 0, (size_t)scenery->chains * sizeof *d->marked);
    for (int i = 0; i < d->found.count; i++)
        for (int k = 0; k < 2; k++) {
            const plait_side *side = &d->found.touch[i].side[k];
            if (!side->on_shape && !side->on_skin)
                d->marked[side->index] = true;
        }
    d->only = d->marked;
    return detect(d, scenery, near, known, missed, error);
}
