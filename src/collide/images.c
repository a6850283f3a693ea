// images.c: strands for the copies of chains in a periodic cell. See image.h.
#include <math.h>

#include "collide/detector.h"
#include "collide/image.h"

static void move(plait_detector *d, const plait_strand *strand, const int by[3])
{
    double way[2][3] = {{0}};
    for (int e = 0; e < 2; e++)
        plait_image_shift(plait_image_pack(by), d->scenery->cell[e], 1, way[e]);
    for (int k = 0; k < 3; k++)
        for (int n = strand->node; n < strand->node + strand->nodes && (way[0][k] != 0 || way[1][k] != 0); n++)
            d->x0[3 * (int64_t)n + k] += way[0][k], d->x1[3 * (int64_t)n + k] += way[1][k];
}

bool plait_image_home(plait_detector *d, plait_strand *strand)
{
    const double *x = d->x0 + 3 * (int64_t)strand->node, *cell = d->scenery->cell[0];
    double middle[3] = {0};
    for (int k = 0; k < 3; k++) {
        double lo = INFINITY, hi = -INFINITY;
        for (int n = 0; n < strand->nodes; n++)
            lo = fmin(lo, x[3 * n + k]), hi = fmax(hi, x[3 * n + k]);
        middle[k] = (lo + hi) / 2;
    }
    for (int k = 2; k >= 0; k--) { // a tilt leads along the axes before
        double away = cell[k] > 0 ? floor(middle[k] / cell[k]) : 0;
        if (!(fabs(away) <= PLAIT_IMAGE_MOST / 4))
            return false;
        int by[3] = {k == 0 ? -(int)away : 0, k == 1 ? -(int)away : 0, k == 2 ? -(int)away : 0};
        plait_image_shift(plait_image_pack(by), cell, 1, middle);
        strand->home[k] = by[k];
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

// How many periods along an axis may lead a box, moved by k along the axes behind it already, into `all`, at the start,
// at the end or between. False: too many.
static bool range(const plait_detector *d, const plait_box *box, const plait_box *all, int axis, const int k[3],
                  int *from, int *to)
{
    double lo = INFINITY, hi = -INFINITY, most = PLAIT_IMAGE_MOST / 2;
    *from = *to = 0;
    if (!(d->scenery->cell[0][axis] > 0))
        return true;
    for (int e = 0; e < 2; e++) {
        const double *cell = d->scenery->cell[e];
        double moved[3] = {0};
        plait_image_shift(plait_image_pack(k), cell, 1, moved);
        lo = fmin(lo, ((double)all->lo[axis] - (double)box->hi[axis] - moved[axis]) / cell[axis]);
        hi = fmax(hi, ((double)all->hi[axis] - (double)box->lo[axis] - moved[axis]) / cell[axis]);
    }
    lo = ceil(lo - 1e-3), hi = floor(hi + 1e-3);
    *from = (int)fmin(fmax(lo, -most), most), *to = (int)fmin(fmax(hi, -most), most);
    return *from == lo && *to == hi;
}

static plait_status too_far(const plait_detector *d, int chain, plait_error *error)
{
    const double *cell = d->scenery->cell[0];
    return plait_error_set(error, PLAIT_BAD_INPUT,
                           "chain %d: its way in a step reaches over more than %d periods of %g x %g x %g m", chain,
                           PLAIT_IMAGE_MOST / 2, cell[0], cell[1], cell[2]);
}

// Copies of a chain whose boxes reach into `all`: from the last axis to the first, as tilts lead.
static plait_status add_copies(plait_detector *d, int chain, const plait_box *all, plait_error *error)
{
    int from[3], to[3], k[3] = {0, 0, 0};
    plait_box box = d->strand[chain].box;
    if (!range(d, &box, all, 2, k, &from[2], &to[2]))
        return too_far(d, chain, error);
    for (k[2] = from[2]; k[2] <= to[2]; k[2]++) {
        k[0] = k[1] = 0;
        if (!range(d, &box, all, 1, k, &from[1], &to[1]))
            return too_far(d, chain, error);
        for (k[1] = from[1]; k[1] <= to[1]; k[1]++) {
            k[0] = 0;
            if (!range(d, &box, all, 0, k, &from[0], &to[0]))
                return too_far(d, chain, error);
            for (k[0] = from[0]; k[0] <= to[0]; k[0]++)
                if ((k[0] || k[1] || k[2]) && !add(d, chain, k))
                    return plait_error_set(error, PLAIT_NO_MEMORY,
                                           "no memory for the copies of chain %d in a cell of %g x %g x %g m", chain,
                                           d->scenery->cell[0][0], d->scenery->cell[0][1], d->scenery->cell[0][2]);
        }
    }
    return PLAIT_OK;
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
        plait_status status = add_copies(d, i, &all, error);
        if (status != PLAIT_OK)
            return status;
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
            plait_image_shift(home, d->scenery->cell[0], -1, t->side[k].point);
    }
}
