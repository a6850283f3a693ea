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
        plait_topology_free(&d->topology[i]), plait_inside_free(&d->inside[i]);
    for (int c = 0; c < PLAIT_CHUNK_COUNT; c++)
        plait_surface_touches_free(&d->bin[c].gathered), free(d->bin[c].found);
    plait_tree_free(&d->tree);
    plait_surface_touches_free(&d->gathered);
    free(d->topology), free(d->inside), free(d->cell_surface), free(d->box), free(d->used), free(d->key),
        free(d->spare), free(d->order);
    free(d);
}

void plait_surface_touches_free(plait_surface_touches *touches)
{
    free(touches->touch);
    *touches = (plait_surface_touches){0};
}

plait_surface_touch *plait_surface_add(plait_surface_bin *bin)
{
    plait_surface_touches *g = &bin->gathered;
    if (!plait_grow(&g->touch, &g->room, g->count + 1, sizeof *g->touch)) {
        bin->failed = true;
        return NULL;
    }
    g->touch[g->count] = (plait_surface_touch){.last = -1};
    return &g->touch[g->count++];
}

bool plait_surface_run(plait_surface_detector *d, int64_t n, int64_t grain, plait_surface_work *body, void *data)
{
    int64_t wanted = (n + grain - 1) / grain, total = d->gathered.count;
    int count = (int)(wanted < PLAIT_CHUNK_COUNT ? wanted : PLAIT_CHUNK_COUNT);
    plait_team team = plait_team_if(count > 1 && d->all->team.threads > 1, d->all->team);
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads) if (team.threads > 1)
    for (int c = 0; c < count; c++) {
        d->bin[c].gathered.count = 0, d->bin[c].failed = false;
        body(d, &d->bin[c], plait_chunk_begin(n, count, c), plait_chunk_begin(n, count, c + 1), data);
    }
    for (int c = 0; c < count; c++) {
        if (d->bin[c].failed)
            return false;
        total += d->bin[c].gathered.count;
    }
    if (total > INT32_MAX / 2 || !plait_grow(&d->gathered.touch, &d->gathered.room, total, sizeof *d->gathered.touch))
        return false;
    for (int c = 0; c < count; c++) {
        const plait_surface_touches *g = &d->bin[c].gathered;
        if (g->count > 0)
            memcpy(d->gathered.touch + d->gathered.count, g->touch, (size_t)g->count * sizeof *g->touch);
        d->gathered.count += g->count;
    }
    return true;
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

bool plait_surface_prepare(plait_surface_detector *d, const plait_surfaces *all)
{
    for (int i = all->count; i < d->surfaces; i++)
        plait_topology_free(&d->topology[i]), plait_inside_free(&d->inside[i]);
    d->surfaces = all->count < d->surfaces ? all->count : d->surfaces;
    if (!plait_grow(&d->topology, &d->topology_room, all->count, sizeof *d->topology) ||
        !plait_grow(&d->inside, &d->inside_room, all->count, sizeof *d->inside))
        return false;
    for (int i = d->surfaces; i < all->count; i++)
        d->topology[i] = (plait_topology){0}, d->inside[i] = (plait_inside){0};
    d->surfaces = all->count;
    d->cells = d->active = d->nodes = 0;
    for (int i = 0; i < all->count; i++) {
        if (!plait_topology_set(&d->topology[i], &all->surface[i]))
            return false;
        d->topology[i].first_cell = d->cells;
        d->topology[i].first_node = d->nodes;
        d->cells += all->surface[i].cells, d->nodes += all->surface[i].nodes;
        d->active = all->surface[i].passive ? d->active : d->cells;
    }
    return plait_grow(&d->cell_surface, &d->surface_room, d->cells, sizeof *d->cell_surface) &&
           plait_grow(&d->box, &d->box_room, d->cells, sizeof *d->box);
}

static void make_boxes(plait_surface_detector *d)
{
    bool near = !d->all->crossing && d->all->mode & PLAIT_DETECT_PROXIMITY;
    double reach = near ? 0.5 * d->all->proximity : 0;
    for (int i = 0; i < d->surfaces; i++) {
        const plait_surface *s = &d->all->surface[i];
        plait_topology *t = &d->topology[i];
        t->whole = plait_box_empty();
        for (int c = 0; c < t->cells; c++) {
            plait_box *box = &d->box[t->first_cell + c];
            double radius = plait_surface_radius(s, c);
            d->cell_surface[t->first_cell + c] = i;
            *box = plait_box_empty();
            for (int k = 0; k <= t->dimension; k++) {
                int64_t n = 3 * (int64_t)plait_surface_cell(t, c)[k];
                plait_box_add(box, s->x0 + n, radius + reach);
                if (d->continuous) // a little more for what is nearly nothing (surface_pair.c)
                    plait_box_add(box, s->x1 + n, 1.001 * radius + reach);
            }
            plait_box_join(&t->whole, box);
        }
    }
}

static bool may_touch(const plait_surfaces *all, int s0, int c0, int s1, int c1)
{
    const plait_surface *a = &all->surface[s0], *b = &all->surface[s1];
    if (s0 == s1)
        return a->self;
    return !(a->skip && a->skip[c0] == s1) && !(b->skip && b->skip[c1] == s0);
}

// Pairs of cells whose boxes overlap, each once: begin .. end - 1 against later active ones, or all of these if it is
// passive.
static void meet_cells(plait_surface_detector *d, plait_surface_bin *bin, int64_t begin, int64_t end, void *data)
{
    (void)data;
    for (int c = (int)begin; c < end && !bin->failed; c++) {
        int after = c < d->active ? c : -1, s0 = d->cell_surface[c], c0 = c - d->topology[s0].first_cell;
        int64_t found = plait_tree_overlap(&d->tree, &d->box[c], after, &bin->found, &bin->found_room, 0);
        bin->failed |= found < 0;
        for (int64_t k = 0; k < found; k++) {
            int s1 = d->cell_surface[bin->found[k]], c1 = bin->found[k] - d->topology[s1].first_cell;
            if (may_touch(d->all, s0, c0, s1, c1))
                plait_surface_cells(d, bin, s0, c0, s1, c1);
        }
    }
}

plait_status plait_surfaces_detect(plait_surface_detector *d, const plait_surfaces *surfaces,
                                   const plait_surface_touches *previous, plait_surface_touches *touches,
                                   plait_error *error)
{
    plait_status status = check(surfaces, error);
    if (status != PLAIT_OK)
        return status;
    d->all = surfaces, d->previous = previous;
    d->continuous = surfaces->crossing || surfaces->mode & PLAIT_DETECT_CONTINUOUS;
    for (int i = 0; i < surfaces->count; i++)
        d->continuous = d->continuous && surfaces->surface[i].x1;
    d->gathered.count = 0;
    bool ok = plait_surface_prepare(d, surfaces);
    if (ok) {
        make_boxes(d);
        ok = plait_surface_insides(d) && (d->active == 0 || plait_tree_build(&d->tree, d->box, d->active));
    }
    ok = ok && (d->active == 0 || plait_surface_run(d, d->cells, 256, meet_cells, NULL));
    ok = ok && plait_surface_shapes(d) && (surfaces->crossing || plait_surface_deep(d));
    ok = ok && plait_surface_track(d, touches);
    d->all = NULL, d->previous = NULL; // they belong to the caller
    return ok ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for contacts of surfaces");
}
