// anchor.c: bodies that others carry along are bound to them, once, with everything at its start.
#include <stdlib.h>

#include "collide/anchor.h"
#include "sim/sim.h"

plait_status plait_sim_anchor(const plait_model *m, const plait_work *w, plait_error *error)
{
    plait_binder *binder = calloc((size_t)m->shapes + 1, sizeof *binder);
    bool ok = binder != NULL;
    for (int b = 0; ok && b < m->bodies; b++)
        if (m->body[b].type->drive)
            m->body[b].type->drive(&m->body[b], m->scene->output.start, 0);
    for (int b = 0; ok && b < m->bodies; b++)
        if (m->body[b].type->attach)
            ok = m->body[b].type->attach(&m->body[b], w->shape, binder);
    for (int i = 0; binder && i < m->shapes; i++)
        plait_binder_free(&binder[i]);
    free(binder);
    return ok ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory to bind %d bodies", m->bodies);
}

bool plait_sim_fibre_hold(const plait_sim *sim, int fibre, plait_hold_report *report)
{
    const plait_hold_report *r = plait_fibre_hold(plait_sim_body(&sim->model, &plait_body_fibre, fibre));
    if (r)
        *report = *r;
    return r != NULL;
}

bool plait_sim_end_binding(const plait_sim *sim, int fibre, int e, plait_sim_binding *binding)
{
    const plait_body *body = plait_sim_body(&sim->model, &plait_body_fibre, fibre), *carrier;
    const plait_cell *cell = plait_fibre_bound(body, e, &carrier);
    if (!cell)
        return false;
    *binding = (plait_sim_binding){carrier->id, cell->triangle, {0}, cell->distance};
    for (int k = 0; k < 3; k++)
        binding->weight[k] = cell->weight[k];
    return true;
}
