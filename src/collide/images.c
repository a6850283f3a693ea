// images.c: strands for the copies of chains in a periodic cell. See image.h.
#include <math.h>

#include "collide/detector.h"
#include "collide/image.h"

static void move(plait_detector *d, const plait_strand *strand, const int by[3])
{
    for (int k = 0; k < 3; k++) {
        double way = by[k] * d->scenery->period[k];
        if (way == 0)
            continue;
        for (int n = strand->node; n < strand->node + strand->nodes; n++)
            d->x0[3 * (int64_t)n + k] += way, d->x1[3 * (int64_t)n + k] += way;
    }
}

bool plait_image_home(plait_detector *d, plait_strand *strand)
{
    const double *x = d->x0 + 3 * (int64_t)strand->node;
    for (int k = 0; k < 3; k++) {
        double period = d->scenery->period[k], lo = INFINITY, hi = -INFINITY;
        if (!(period > 0))
            continue;
        for (int n = 0; n < strand->nodes; n++)
            lo = fmin(lo, x[3 * n + k]), hi = fmax(hi, x[3 * n + k]);
        double away = floor((lo + hi) / 2 / period);
        if (!(fabs(away) <= PLAIT_IMAGE_MOST / 4))
            return false;
        strand->home[k] = -(int)away;
    }
    move(d, strand, strand->home);
    return true;
}

int plait_image_between(const plait_strand *s, const plait_strand *r)
{
    int k[3];
    for (int axis = 0; axis < 3; axis++)
        k[axis] = r->home[axis] - s->home[axis];
    return plait_image_pack(k);
}

int plait_image_strand(const plait_detector *d, int s, int chain, int image)
{
    if (plait_image_between(&d->strand[s], &d->strand[chain]) == image)
        return chain;
    for (int r = d->first_image[chain]; r < d->first_image[chain + 1]; r++)
        if (plait_image_between(&d->strand[s], &d->strand[r]) == image)
            return r;
    return -1;
}

// A copy of a chain's strand, moved by so many periods. False without memory.
static bool add(plait_detector *d, int chain, const int by[3])
{
    int nodes = d->strand[chain].nodes;
    int64_t all = (int64_t)d->nodes + nodes;
    if (all > INT32_MAX / 4 || d->strands >= (1 << 24) - 1 ||
        !plait_grow(&d->strand, &d->strand_room, (int64_t)d->strands + 1, sizeof *d->strand) ||
        !plait_grow(&d->link, &d->link_room, all, sizeof *d->link) ||
        !plait_grow(&d->box, &d->box_room, all, sizeof *d->box) ||
        !plait_grow(&d->motion, &d->motion_room, all, sizeof *d->motion) ||
        !plait_grow(&d->x0, &d->x0_room, 3 * all, sizeof *d->x0) ||
        !plait_grow(&d->x1, &d->x1_room, 3 * all, sizeof *d->x1) ||
        !plait_grow(&d->arc, &d->arc_room, all, sizeof *d->arc))
        return false;
    plait_strand *strand = plait_strand_add(d, nodes);
    const plait_strand *from = &d->strand[chain];
    strand->chain = chain, strand->material = from->material, strand->radius = from->radius;
    strand->self_arc = from->self_arc, strand->image = true;
    for (int k = 0; k < 3; k++)
        strand->home[k] = from->home[k] + by[k];
    size_t bytes = 3 * (size_t)nodes * sizeof(double);
    memcpy(d->x0 + 3 * (int64_t)strand->node, d->x0 + 3 * (int64_t)from->node, bytes);
    memcpy(d->x1 + 3 * (int64_t)strand->node, d->x1 + 3 * (int64_t)from->node, bytes);
    memcpy(d->arc + strand->node, d->arc + from->node, (size_t)nodes * sizeof(double));
    move(d, strand, by);
    plait_strand_box(d, strand);
    return true;
}

// Copies of a chain whose boxes reach into `all`.
static bool add_copies(plait_detector *d, int chain, const plait_box *all)
{
    int from[3] = {0, 0, 0}, to[3] = {0, 0, 0}, k[3];
    plait_box box = d->strand[chain].box;
    for (int axis = 0; axis < 3; axis++) {
        double period = d->scenery->period[axis], most = PLAIT_IMAGE_MOST / 4;
        if (!(period > 0))
            continue;
        double lo = ceil(((double)all->lo[axis] - (double)box.hi[axis]) / period - 1e-3);
        double hi = floor(((double)all->hi[axis] - (double)box.lo[axis]) / period + 1e-3);
        if (!(lo >= -most && hi <= most))
            return false;
        from[axis] = (int)lo, to[axis] = (int)hi;
    }
    for (k[0] = from[0]; k[0] <= to[0]; k[0]++)
        for (k[1] = from[1]; k[1] <= to[1]; k[1]++)
            for (k[2] = from[2]; k[2] <= to[2]; k[2]++)
                if ((k[0] || k[1] || k[2]) && !add(d, chain, k))
                    return false;
    return true;
}

plait_status plait_images_add(plait_detector *d, plait_error *error)
{
    int chains = d->scenery->chains;
    if (!plait_grow(&d->first_image, &d->first_image_room, (int64_t)chains + 1, sizeof *d->first_image))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d chains", chains);
    plait_box all = plait_box_empty();
    for (int i = 0; i < chains; i++)
        plait_box_join(&all, &d->strand[i].box);
    for (int i = 0; i < chains; i++) {
        d->first_image[i] = d->strands;
        if (!add_copies(d, i, &all))
            return plait_error_set(error, PLAIT_NO_MEMORY,
                                   "no memory for the copies of chain %d in a cell of %g x %g x %g m", i,
                                   d->scenery->period[0], d->scenery->period[1], d->scenery->period[2]);
    }
    d->first_image[chains] = d->strands;
    return PLAIT_OK;
}

void plait_images_settle(plait_detector *d)
{
    for (int i = 0; i < d->gathered.count; i++) {
        plait_touch *t = &d->gathered.touch[i];
        if (t->side[0].on_shape || t->side[0].on_skin)
            continue;
        int home = plait_image_pack(d->strand[t->side[0].index].home);
        for (int k = 0; k < 2; k++)
            plait_image_shift(home, d->scenery->period, -1, t->side[k].point);
    }
}
