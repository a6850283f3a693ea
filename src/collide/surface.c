// surface.c: detection between surfaces as a whole: cells, broad phase, pairs, order, identity.
#include "collide/surface.h"

#include <math.h>

#include "collide/surface_detector.h"

plait_surface_detector *plait_surface_detector_new(void)
{
    return calloc(1, sizeof(plait_surface_detector));
}

void plait_surface_detector_free(plait_surface_detector *d)
{
    if (!d)
        return;
    for (int i = 0; i < d->surfaces; i++)
        plait_topology_free(&d->topology[i]);
    plait_tree_free(&d->tree);
    plait_surface_touches_free(&d->gathered);
    free(d->topology), free(d->cell_surface), free(d->box), free(d->found), free(d->used), free(d);
}

void plait_surface_touches_free(plait_surface_touches *touches)
{
    free(touches->touch);
    *touches = (plait_surface_touches){0};
}

plait_surface_touch *plait_surface_add(plait_surface_detector *d)
{
    plait_surface_touches *g = &d->gathered;
    if (!plait_grow(&g->touch, &g->room, g->count + 1, sizeof *g->touch)) {
        d->failed = true;
        return NULL;
    }
    g->touch[g->count] = (plait_surface_touch){.last = -1};
    return &g->touch[g->count++];
}

static bool sane(const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!(fabs(x[i]) <= 1e12))
            return false;
    return true;
}

static plait_status check(const plait_surfaces *all, plait_error *error)
{
    for (int i = 0; i < all->count; i++) {
        const plait_surface *s = &all->surface[i];
        if (s->dimension < 0 || s->dimension > 2 || s->nodes < 0 || s->cells < 0 || !(s->radius >= 0))
            return plait_error_set(error, PLAIT_BAD_INPUT, "surface %d: dimension %d, %d nodes, %d cells, radius %g", i,
                                   s->dimension, s->nodes, s->cells, s->radius);
        for (int64_t k = 0; s->dimension > 0 && k < (int64_t)s->cells * (s->dimension + 1); k++)
            if (s->cell[k] < 0 || s->cell[k] >= s->nodes)
                return plait_error_set(error, PLAIT_BAD_INPUT, "surface %d: cell %d has the node %d of %d", i,
                                       (int)(k / (s->dimension + 1)), s->cell[k], s->nodes);
        if (!sane(s->x0, 3 * (int64_t)s->nodes) || (s->x1 && !sane(s->x1, 3 * (int64_t)s->nodes)))
            return plait_error_set(error, PLAIT_BAD_INPUT, "surface %d: a node is not at a finite place", i);
    }
    return PLAIT_OK;
}

static bool prepare(plait_surface_detector *d)
{
    const plait_surfaces *all = d->all;
    for (int i = all->count; i < d->surfaces; i++)
        plait_topology_free(&d->topology[i]);
    if (!plait_grow(&d->topology, &d->topology_room, all->count, sizeof *d->topology))
        return false;
    for (int i = d->surfaces; i < all->count; i++)
        d->topology[i] = (plait_topology){0};
    d->surfaces = all->count;
    d->cells = 0;
    for (int i = 0; i < all->count; i++) {
        if (!plait_topology_set(&d->topology[i], &all->surface[i]))
            return false;
        d->topology[i].first_cell = d->cells;
        d->cells += all->surface[i].cells;
    }
    return plait_grow(&d->cell_surface, &d->surface_room, d->cells, sizeof *d->cell_surface) &&
           plait_grow(&d->box, &d->box_room, d->cells, sizeof *d->box);
}

static void make_boxes(plait_surface_detector *d)
{
    double reach = d->all->mode & PLAIT_DETECT_PROXIMITY ? 0.5 * d->all->proximity : 0;
    for (int i = 0; i < d->surfaces; i++) {
        const plait_surface *s = &d->all->surface[i];
        const plait_topology *t = &d->topology[i];
        for (int c = 0; c < t->cells; c++) {
            plait_box *box = &d->box[t->first_cell + c];
            d->cell_surface[t->first_cell + c] = i;
            *box = plait_box_empty();
            for (int k = 0; k <= t->dimension; k++) {
                int64_t n = 3 * (int64_t)plait_surface_cell(t, c)[k];
                plait_box_add(box, s->x0 + n, s->radius + reach);
                if (d->continuous) // a little more for what is nearly nothing (surface_pair.c)
                    plait_box_add(box, s->x1 + n, 1.001 * s->radius + reach);
            }
        }
    }
}

// All pairs of cells whose boxes overlap, each once.
static bool meet_cells(plait_surface_detector *d)
{
    if (d->cells == 0)
        return true;
    if (!plait_tree_build(&d->tree, d->box, d->cells))
        return false;
    for (int c = 0; c < d->cells && !d->failed; c++) {
        int64_t found = plait_tree_overlap(&d->tree, &d->box[c], c, &d->found, &d->found_room, 0);
        if (found < 0)
            return false;
        int s0 = d->cell_surface[c];
        for (int64_t k = 0; k < found; k++) {
            int s1 = d->cell_surface[d->found[k]];
            if (s0 != s1 || d->all->surface[s0].self)
                plait_surface_cells(d, s0, c - d->topology[s0].first_cell, s1,
                                    d->found[k] - d->topology[s1].first_cell);
        }
    }
    return !d->failed;
}

plait_status plait_surfaces_detect(plait_surface_detector *d, const plait_surfaces *surfaces,
                                   const plait_surface_touches *previous, plait_surface_touches *touches,
                                   plait_error *error)
{
    plait_status status = check(surfaces, error);
    if (status != PLAIT_OK)
        return status;
    d->all = surfaces, d->previous = previous, d->failed = false;
    d->continuous = surfaces->mode & PLAIT_DETECT_CONTINUOUS;
    for (int i = 0; i < surfaces->count; i++)
        d->continuous = d->continuous && surfaces->surface[i].x1;
    d->gathered.count = 0;
    bool ok = prepare(d);
    if (ok) {
        make_boxes(d);
        ok = meet_cells(d);
    }
    if (ok)
        plait_surface_shapes(d);
    ok = ok && !d->failed && plait_surface_track(d, touches);
    d->all = NULL, d->previous = NULL; // they belong to the caller
    return ok ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for contacts of surfaces");
}
