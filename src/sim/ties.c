// ties.c: what the scene or a program ties together: bonds that no detection made.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "sim/bonds.h"

// One more contact of the last step: a tie. False without memory.
static bool add(plait_sim *sim, const plait_touch *t, const plait_bond *bond)
{
    plait_work *w = &sim->work;
    plait_touches *p = &w->previous;
    if (p->count == p->room) {
        int room = p->room + p->room / 2 + 16;
        plait_touch *more = realloc(p->touch, (size_t)room * sizeof *more);
        if (!more)
            return false;
        p->touch = more, p->room = room;
    }
    if (!plait_bonds_reserve(&w->bonds, p->count + 1))
        return false;
    p->touch[p->count] = *t, w->bonds.bond[p->count] = *bond;
    p->count++, w->bonds.count = p->count;
    return true;
}

static bool is_rigid_place(const plait_work *w, const plait_side *side)
{
    return side->on_shape && w->shape[side->index].shape->frames == 0;
}

static const double TOGETHER = 1e-9; // [m] points that are one

bool plait_sim_tie(plait_sim *sim, const plait_touch *touch, const plait_tie *how)
{
    plait_touch t = *touch;
    plait_bond bond = {.law = PLAIT_LAW_TIE, .holds = 1};
    double D[3];
    t.fixed = true, t.swept = false, t.last = -1, t.gap = 0;
    if (is_rigid_place(&sim->work, &t.side[1]))
        plait_vec3_copy(t.side[0].point, t.side[1].point);
    else if (is_rigid_place(&sim->work, &t.side[0]))
        plait_vec3_copy(t.side[1].point, t.side[0].point);
    plait_vec3_sub(t.side[0].point, t.side[1].point, D);
    bond.number[PLAIT_TIE_STIFFNESS] = how->stiffness, bond.number[PLAIT_TIE_DAMPING] = how->damping;
    bond.number[PLAIT_TIE_STRENGTH] = how->strength, bond.number[PLAIT_TIE_UNTIL] = how->until;
    bond.number[PLAIT_TIE_REST] = plait_vec3_norm(D) > TOGETHER ? plait_vec3_norm(D) : 0;
    for (int k = 0; k < 2; k++)
        plait_sim_anchor_side(&sim->work, &t.side[k], bond.anchor[k]);
    plait_vec3_copy(t.normal, bond.normal); // any will do
    return add(sim, &t, &bond);
}

// ---- of the scene ------------------------------------------------------------------------------------------------------

static bool wanted(const plait_sim *sim, const plait_scene *scene, const plait_tie *tie, const plait_touch *t)
{
    const plait_model *m = &sim->model;
    double middle[3], d[3];
    int group[2] = {-1, -1}, fibres = 0, body[2];
    for (int k = 0; k < 2; k++) {
        body[k] = plait_sim_owner(m, &t->side[k]);
        if (m->kind[body[k]]->partner == PLAIT_PARTNER_FIBRE)
            group[k] = scene->fibre[m->body[body[k]].id].group, fibres++;
    }
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (t->side[0].point[k] + t->side[1].point[k]);
    plait_vec3_sub(middle, tie->position, d);
    if (isfinite(tie->radius) && plait_vec3_norm(d) > tie->radius)
        return false;
    for (int e = 0; e < 2; e++) { // either way round
        bool right = (tie->group[0] < 0 || group[e] == tie->group[0]) && (tie->group[1] < 0 || group[1 - e] == tie->group[1]);
        if (tie->collider < 0 && tie->rigid < 0) {
            if (fibres == 2 && right)
                return true;
            continue;
        }
        const plait_sim_kind *kind = m->kind[body[1 - e]];
        bool to = kind->partner == (tie->collider >= 0 ? PLAIT_PARTNER_COLLIDER : PLAIT_PARTNER_RIGID) &&
                  m->body[body[1 - e]].id == (tie->collider >= 0 ? tie->collider : tie->rigid);
        if (to && group[e] >= 0 && (tie->group[0] < 0 || group[e] == tie->group[0]))
            return true;
    }
    return false;
}

plait_status plait_sim_tie_up(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    plait_work *w = &sim->work;
    plait_touches found = {0};
    plait_status status = PLAIT_OK;
    for (int i = 0; i < scene->ties && status == PLAIT_OK; i++) {
        const plait_tie *t = &scene->tie[i];
        int before = w->previous.count;
        status = plait_sim_find_near(&sim->model, w, t->reach > 0 ? t->reach : 2 * sim->model.proximity, &found, error);
        for (int k = 0; k < found.count && status == PLAIT_OK; k++)
            if (wanted(sim, scene, t, &found.touch[k]) && !plait_sim_tie(sim, &found.touch[k], t))
                status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for ties");
        if (status == PLAIT_OK && w->previous.count == before)
            status = plait_error_set(error, PLAIT_BAD_INPUT, "tie '%s': nothing is near enough to be tied", t->name);
    }
    plait_touches_free(&found);
    if (status == PLAIT_OK && scene->ties > 0 && !plait_state_write_contacts(&sim->state, &sim->model, w))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for ties");
    return status;
}
