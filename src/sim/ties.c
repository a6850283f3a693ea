// ties.c: what the scene or a program ties together: bonds that no detection made.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "sim/bonds.h"

bool plait_sim_add_bond(plait_sim *sim, const plait_touch *t, const plait_bond *bond)
{
    plait_work *w = &sim->work;
    plait_touches *p = &w->previous;
    if (!plait_bonds_append(&w->bonds, bond))
        return false;
    bool ok = plait_touches_append(p, t);
    plait_bonds_cut(&w->bonds, p->count);
    return ok;
}

static bool is_rigid_place(const plait_work *w, const plait_side *side)
{
    return side->on_shape && w->shape[side->index].shape->frames == 0;
}

static const double TOGETHER = 1e-9; // [m] points that are one

static int next_id(const plait_work *w)
{
    int next = 0;
    for (int k = 0; k < w->bonds.count; k++) {
        const plait_bond *bond = plait_bonds_get(&w->bonds, k);
        if (bond->law == PLAIT_LAW_TIE && bond->number[PLAIT_TIE_ID] >= next)
            next = (int)bond->number[PLAIT_TIE_ID] + 1;
    }
    return next;
}

bool plait_sim_spring(plait_sim *sim, const plait_touch *touch, const plait_tie *how, double rest)
{
    plait_touch t = *touch;
    plait_bond bond = {.law = PLAIT_LAW_TIE, .holds = 1};
    double D[3], up[3] = {0, 0, 1};
    t.fixed = true, t.swept = false, t.last = -1, t.gap = 0;
    plait_vec3_sub(t.side[0].point, t.side[1].point, D);
    rest = rest < 0 ? plait_vec3_norm(D) : rest;
    bond.number[PLAIT_TIE_STIFFNESS] = how->stiffness, bond.number[PLAIT_TIE_DAMPING] = how->damping;
    bond.number[PLAIT_TIE_STRENGTH] = how->strength, bond.number[PLAIT_TIE_UNTIL] = how->until;
    bond.number[PLAIT_TIE_REST] = rest > TOGETHER ? rest : 0;
    bond.number[PLAIT_TIE_ID] = next_id(&sim->work);
    for (int k = 0; k < 2; k++)
        plait_sim_anchor_side(&sim->work, &t.side[k], bond.anchor[k]);
    plait_vec3_copy(up, bond.normal), plait_vec3_copy(up, t.normal); // any will do
    return plait_sim_add_bond(sim, &t, &bond);
}

bool plait_sim_tie(plait_sim *sim, const plait_touch *touch, const plait_tie *how)
{
    plait_touch t = *touch;
    if (is_rigid_place(&sim->work, &t.side[1]))
        plait_vec3_copy(t.side[0].point, t.side[1].point);
    else if (is_rigid_place(&sim->work, &t.side[0]))
        plait_vec3_copy(t.side[1].point, t.side[0].point);
    return plait_sim_spring(sim, &t, how, -1);
}

// ---- of the scene
// ------------------------------------------------------------------------------------------------------

static bool wanted(const plait_sim *sim, const plait_tie *tie, const plait_touch *t)
{
    const plait_model *m = &sim->model;
    double middle[3], d[3];
    int group[2] = {-1, -1}, fibres = 0, body[2];
    for (int k = 0; k < 2; k++) {
        body[k] = plait_sim_owner(m, &t->side[k]);
        if (m->kind[body[k]]->partner == PLAIT_PARTNER_FIBRE)
            group[k] = m->body[body[k]].group, fibres++;
    }
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (t->side[0].point[k] + t->side[1].point[k]);
    plait_vec3_sub(middle, tie->position, d);
    if (isfinite(tie->radius) && plait_vec3_norm(d) > tie->radius)
        return false;
    for (int e = 0; e < 2; e++) { // either way round
        bool right =
            (tie->group[0] < 0 || group[e] == tie->group[0]) && (tie->group[1] < 0 || group[1 - e] == tie->group[1]);
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

plait_status plait_sim_tie_near(plait_sim *sim, const plait_tie *t, plait_error *error)
{
    plait_work *w = &sim->work;
    plait_touches found = {0};
    double reach = t->reach > 0 ? t->reach : 2 * sim->model.proximity;
    plait_status status = plait_sim_find_near(&sim->model, w, reach, &found, error);
    for (int k = 0; k < found.count && status == PLAIT_OK; k++)
        if (wanted(sim, t, &found.touch[k]) && !plait_sim_tie(sim, &found.touch[k], t))
            status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for ties");
    plait_touches_free(&found);
    return status;
}

plait_status plait_sim_tie_up(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    plait_work *w = &sim->work;
    plait_status status = PLAIT_OK;
    for (int i = 0; i < scene->ties && status == PLAIT_OK; i++) {
        const plait_tie *t = &scene->tie[i];
        int before = w->previous.count;
        if (t->from > scene->output.start)
            continue;
        status = plait_sim_tie_near(sim, t, error);
        if (status == PLAIT_OK && w->previous.count == before)
            status = plait_error_set(error, PLAIT_BAD_INPUT, "tie '%s': nothing is near enough to be tied", t->name);
    }
    if (status == PLAIT_OK && scene->ties > 0 && !plait_state_write_contacts(&sim->state, &sim->model, w))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for ties");
    return status;
}

// ---- of a program
// ------------------------------------------------------------------------------------------------------

static plait_status place_on_fibre(plait_sim *sim, const plait_sim_point *p, plait_side *side, double *arc,
                                   plait_error *error)
{
    const plait_model *m = &sim->model;
    int first = m->first_node[p->index], last = m->first_node[p->index + 1] - 1, node = first;
    if (!(p->arc >= m->arc[first] - 1e-12 && p->arc <= m->arc[last] * (1 + 1e-9) + 1e-12))
        return plait_error_set(error, PLAIT_BAD_INPUT, "fibre %d is %g m long: a tie at %g m is not on it", p->index,
                               m->arc[last], p->arc);
    while (node < last - 1 && m->arc[node + 1] < p->arc)
        node++;
    side->index = p->index, side->segment = node - first;
    side->a = fmin(fmax((p->arc - m->arc[node]) / (m->arc[node + 1] - m->arc[node]), 0), 1);
    *arc = p->arc;
    plait_sim_place_side(m, &sim->work, NULL, side);
    return PLAIT_OK;
}

static plait_status place_on_shape(const plait_sim *sim, const plait_sim_point *p, plait_side *side, plait_error *error)
{
    const plait_model *m = &sim->model;
    const plait_body_type *type = p->kind == PLAIT_PARTNER_RIGID ? &plait_body_rigid : &plait_body_collider;
    const plait_body *body = plait_sim_body(m, type, p->index);
    if (!plait_vec3_finite(p->position))
        return plait_error_set(error, PLAIT_BAD_INPUT, "a tie is at a place that is not finite");
    for (int i = 0; i < m->shapes; i++)
        if (&m->body[m->shape_body[i]] == body)
            side->index = i;
    side->on_shape = true;
    plait_vec3_copy(p->position, side->point);
    return PLAIT_OK;
}

plait_status plait_sim_point_side(plait_sim *sim, const plait_sim_point *p, plait_side *side, double *arc,
                                  plait_error *error)
{
    const plait_scene *scene = sim->model.scene;
    int count = p->kind == PLAIT_PARTNER_FIBRE      ? sim->model.chains
                : p->kind == PLAIT_PARTNER_COLLIDER ? scene->colliders
                : p->kind == PLAIT_PARTNER_RIGID    ? scene->rigids
                                                    : 0;
    if (p->index < 0 || p->index >= count)
        return plait_error_set(error, PLAIT_BAD_INPUT, "a tie names number %d: there are %d of its kind", p->index,
                               count);
    return p->kind == PLAIT_PARTNER_FIBRE ? place_on_fibre(sim, p, side, arc, error)
                                          : place_on_shape(sim, p, side, error);
}

plait_status plait_sim_add_tie(plait_sim *sim, const plait_sim_point end[2], const plait_tie *how, int *id,
                               plait_error *error)
{
    plait_tie rigid = {0};
    plait_touch t = {.last = -1};
    plait_work *w = &sim->work;
    how = how ? how : &rigid;
    if (!(how->stiffness >= 0 && how->damping >= 0 && how->strength >= 0 && how->until >= 0 &&
          isfinite(how->stiffness) && isfinite(how->damping) && isfinite(how->strength) && isfinite(how->until)))
        return plait_error_set(error, PLAIT_BAD_INPUT, "a tie has stiffness, damping, strength and end of 0 or more");
    plait_sim_place(&sim->model, &sim->state, w, 0);
    int order[2] = {0, 1}; // the first side is one that moves
    if (end[0].kind == PLAIT_PARTNER_COLLIDER)
        order[0] = 1, order[1] = 0;
    plait_status status = PLAIT_OK;
    for (int k = 0; k < 2 && status == PLAIT_OK; k++)
        status = plait_sim_point_side(sim, &end[order[k]], &t.side[k], &t.arc[k], error);
    if (status != PLAIT_OK)
        return status;
    if (plait_sim_mover(&sim->model, &t.side[0]) < 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "a tie of two colliders holds nothing");
    int number = next_id(w), count = w->previous.count;
    if (!plait_sim_tie(sim, &t, how) || !plait_state_write_contacts(&sim->state, &sim->model, w)) {
        w->previous.count = w->bonds.count = count;
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a tie");
    }
    if (id)
        *id = number;
    return PLAIT_OK;
}

static plait_bond *find(const plait_sim *sim, int id)
{
    const plait_bonds *all = &sim->work.bonds;
    for (int k = 0; k < all->count; k++) {
        plait_bond *bond = plait_bonds_get(all, k);
        if (bond->law == PLAIT_LAW_TIE && bond->number[PLAIT_TIE_ID] == id && bond->holds != 0)
            return bond;
    }
    return NULL;
}

plait_status plait_sim_open_tie(plait_sim *sim, int id, plait_error *error)
{
    plait_bond *bond = find(sim, id);
    if (!bond)
        return plait_error_set(error, PLAIT_BAD_INPUT, "there is no tie %d", id);
    bond->holds = 0;
    return plait_state_write_contacts(&sim->state, &sim->model, &sim->work)
               ? PLAIT_OK
               : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for ties");
}

bool plait_sim_tie_force(const plait_sim *sim, int id, double *force)
{
    const plait_bond *bond = find(sim, id);
    if (bond)
        *force = bond->number[PLAIT_TIE_FORCE];
    return bond != NULL;
}
