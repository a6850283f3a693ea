// anchor.c: held ends: what carries each of them along, and where it takes them.
#include <stdlib.h>

#include "shape/type.h"
#include "sim/sim.h"

// By the nearest triangle where that is asked for, or where the vertices move on their own.
static bool by_cell(const plait_fibre *f, int e, const plait_shape *carrier)
{
    bool mesh = plait_shape_type_of(carrier)->cells == 2 && carrier->triangles > 0;
    return mesh && (f->bind[e] == PLAIT_BIND_CELL || (f->bind[e] == PLAIT_BIND_AUTO && carrier->frames > 0));
}

static bool anchor_end(plait_sim *sim, const plait_fibre *f, int i, int e, plait_binder *binder)
{
    plait_sim_fibre *fibre = &sim->fibre[i];
    const plait_end *end = &fibre->rod->end[e];
    int c = fibre->carrier[e] = f->attach[e];
    if (c < 0 || end->kind == PLAIT_END_FREE)
        return true;
    const plait_shape_geometry *carrier = &sim->shape[c];
    bool bound = by_cell(f, e, carrier->shape);
    if (bound && !plait_binder_set(&binder[c], carrier)) // nothing to do the second time
        return false;
    plait_cell cell = {.triangle = -1};
    if (bound)
        cell = plait_binder_nearest(&binder[c], carrier, end->position);
    plait_anchor_set(&fibre->anchor[e], carrier, &cell, end->position, end->tangent, end->director);
    return true;
}

plait_status plait_sim_anchor_ends(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    plait_binder *binder = calloc((size_t)scene->colliders + 1, sizeof *binder);
    bool ok = binder != NULL;
    for (int i = 0; ok && i < sim->fibres; i++)
        for (int e = 0; ok && e < 2; e++)
            ok = anchor_end(sim, &scene->fibre[i], i, e, binder);
    for (int c = 0; binder && c < scene->colliders; c++)
        plait_binder_free(&binder[c]);
    free(binder);
    return ok ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory to bind %d fibres", sim->fibres);
}

void plait_sim_set_end(plait_sim *sim, plait_sim_fibre *fibre, int e)
{
    plait_end end = fibre->rod->end[e];
    if (end.kind == PLAIT_END_FREE || fibre->carrier[e] < 0)
        return;
    plait_anchor_at(&fibre->anchor[e], &sim->shape[fibre->carrier[e]], end.position, end.tangent, end.director);
    plait_rod_set_end(fibre->rod, e, &end, NULL);
}

bool plait_sim_end_binding(const plait_sim *sim, int fibre, int e, plait_sim_binding *binding)
{
    const plait_sim_fibre *f = &sim->fibre[fibre];
    const plait_cell *cell = &f->anchor[e].cell;
    if (f->carrier[e] < 0 || f->rod->end[e].kind == PLAIT_END_FREE || cell->triangle < 0)
        return false;
    *binding = (plait_sim_binding){f->carrier[e], cell->triangle, {0}, cell->distance};
    for (int k = 0; k < 3; k++)
        binding->weight[k] = cell->weight[k];
    return true;
}
