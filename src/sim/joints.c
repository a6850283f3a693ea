// joints.c: balls, hinges and welds between fibres, bodies and the world, by rows of ties (contact/law_bond.h).
//
// A joint is at a place P, which both sides carry along: a shape as a point of its frame, a fibre by an arm from its
// centreline that turns with its section. With l a length of the size of what is joined:
//
//     ball    P of both sides together                                                            3 rows
//     hinge   and P + l h on the line through P along the axis h                                   5
//     weld    and P + l e1 on that along e1, P + l e2 in the plane through P across e3             6
//
// All are independent of each other, and solved with the contacts. Lines and planes turn with the second side.
#include "sim/joints.h"

#include <math.h>
#include <string.h>

#include "body/rod.h"
#include "math/vec3.h"
#include "scene/scene.h"
#include "sim/bonds.h"

static const double TOGETHER = 1e-9; // [m] points that are one

static double chain_reach(const plait_model *m, int chain)
{
    return 8 * m->radius[chain] + 2.5 * m->body[m->chain_body[chain]].edge;
}

// ---- rows ----------------------------------------------------------------------------------------------------------

// The length that turns velocities into rates of turning.
static double size_of(const plait_model *m, const plait_touch *t)
{
    double least = INFINITY;
    for (int k = 0; k < 2; k++) {
        const plait_body *body = &m->body[plait_sim_owner(m, &t->side[k])];
        least = fmin(least, t->side[k].on_shape ? 10 * body->fine : body->edge);
    }
    return isfinite(least) ? least : 1e-2;
}

static bool add_row(plait_sim *sim, const plait_touch *touch, const double place[3], const double normal[3], int free,
                    const plait_joint *j, int number)
{
    const plait_model *m = &sim->model;
    plait_touch t = *touch;
    plait_bond bond = {.law = PLAIT_LAW_TIE, .holds = 1};
    t.fixed = true, t.swept = false, t.last = -1, t.gap = 0;
    bond.number[PLAIT_TIE_AXES] = free, bond.number[PLAIT_TIE_UNTIL] = j->until;
    bond.number[PLAIT_TIE_JOINT] = number + 1;
    for (int k = 0; k < 2; k++) {
        double arm[3];
        plait_side *side = &t.side[k];
        if (side->on_shape) {
            plait_vec3_copy(place, side->point);
            plait_sim_anchor_side(&sim->work, side, bond.anchor[k]);
            continue;
        }
        plait_vec3_sub(place, side->point, arm);
        if (plait_vec3_norm(arm) > TOGETHER)
            plait_sim_turn_side(m, &sim->work, side, false, arm, bond.anchor[k]);
    }
    plait_vec3_copy(normal, t.normal);
    plait_sim_turn_side(m, &sim->work, &t.side[1], false, normal, bond.normal);
    return plait_sim_add_bond(sim, &t, &bond);
}

static bool add_rows(plait_sim *sim, const plait_touch *t, const double place[3], const plait_joint *j, int number)
{
    double l = size_of(&sim->model, t), e[3][3] = {{0, 0, 1}}, at[3];
    bool ok = add_row(sim, t, place, e[0], 0, j, number);
    if (j->kind == PLAIT_JOINT_BALL)
        return ok;
    if (j->kind == PLAIT_JOINT_HINGE)
        plait_vec3_copy(j->axis, e[0]), plait_vec3_normalise(e[0]);
    plait_vec3_any_normal(e[0], e[1]);
    plait_vec3_cross(e[0], e[1], e[2]);
    plait_vec3_copy(place, at), plait_vec3_axpy(l, e[0], at);
    ok = ok && add_row(sim, t, at, e[0], PLAIT_TIE_ON_LINE, j, number);
    plait_vec3_copy(place, at), plait_vec3_axpy(l, e[1], at);
    return ok && (j->kind == PLAIT_JOINT_HINGE || add_row(sim, t, at, e[2], PLAIT_TIE_ON_PLANE, j, number));
}

// ---- what may be joined --------------------------------------------------------------------------------------------

// Which end of its fibre a side is; -1: neither, or no fibre.
static int end_of(const plait_model *m, const plait_side *side, double arc)
{
    if (side->on_shape || side->on_skin)
        return -1;
    double length = m->arc[m->first_node[side->index + 1] - 1];
    return arc <= 1e-9 * length ? 0 : arc >= length * (1 - 1e-9) ? 1 : -1;
}

static plait_status check(plait_sim *sim, const plait_touch *t, const double place[3], const plait_joint *j,
                          plait_error *error)
{
    const plait_model *m = &sim->model;
    for (int k = 0; k < 2; k++) {
        const plait_side *side = &t->side[k];
        if (side->on_shape)
            continue;
        const plait_rod *rod = plait_sim_rod(sim, side->index);
        double off[3];
        int end = end_of(m, side, t->arc[k]);
        plait_vec3_sub(place, side->point, off);
        bool turns = j->kind != PLAIT_JOINT_BALL || plait_vec3_norm(off) > TOGETHER;
        double R[9];
        const plait_body *body = &m->body[plait_sim_owner(m, side)];
        if (turns && !body->type->section(body, side->segment, side->a, R))
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "joint '%s': fibre %d: model %s has no sections that a joint could turn%s: it "
                                   "knows balls whose places are together (here they are %g m apart)",
                                   j->name, side->index, rod->type->name,
                                   rod->type->section ? " where its scene begins with none that does" : "",
                                   2 * plait_vec3_norm(off));
        if (end >= 0 && rod->end[end].kind != PLAIT_END_FREE && plait_sim_mover(m, &t->side[1 - k]) < 0)
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "joint '%s': the %s of fibre %d is held already: a joint with what does not move "
                                   "needs a free end",
                                   j->name, end ? "tip" : "root", side->index);
    }
    bool same = !t->side[0].on_shape && !t->side[1].on_shape && t->side[0].index == t->side[1].index;
    if (same && fabs(t->arc[0] - t->arc[1]) <= 1e-9 * plait_sim_rod(sim, t->side[0].index)->length)
        return plait_error_set(error, PLAIT_BAD_INPUT, "joint '%s': it would join a place of fibre %d to itself",
                               j->name, t->side[0].index);
    if (plait_sim_mover(m, &t->side[0]) < 0 && plait_sim_mover(m, &t->side[1]) < 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "joint '%s': neither side can move", j->name);
    return PLAIT_OK;
}

// A section that is held turns the half segment beyond it too: rod.h.
static void soften_ends(plait_sim *sim, const plait_touch *t, const plait_joint *j)
{
    for (int k = 0; k < 2; k++) {
        int end = end_of(&sim->model, &t->side[k], t->arc[k]);
        plait_rod *rod = end >= 0 ? plait_sim_rod(sim, t->side[k].index) : NULL;
        if (rod && j->kind != PLAIT_JOINT_BALL && rod->type->weld)
            rod->type->weld(rod, end);
    }
}

static plait_status join(plait_sim *sim, const plait_touch *t, const double place[3], const plait_joint *j, int number,
                         plait_error *error)
{
    plait_status status = check(sim, t, place, j, error);
    int before = sim->work.previous.count;
    if (status != PLAIT_OK || j->from > plait_state_time(&sim->state) + PLAIT_SOON)
        return status; // its time has not come
    if (!add_rows(sim, t, place, j, number)) {
        sim->work.previous.count = sim->work.bonds.count = before;
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for joints");
    }
    soften_ends(sim, t, j);
    return PLAIT_OK;
}

static plait_status join_points(plait_sim *sim, const plait_sim_point end[2], const plait_joint *j, int number,
                                plait_error *error)
{
    plait_touch t = {.last = -1};
    double place[3];
    for (int k = 0; k < 2; k++) {
        plait_status status = plait_sim_point_side(sim, &end[k], &t.side[k], &t.arc[k], error);
        if (status != PLAIT_OK)
            return status;
    }
    for (int n = 0; n < 3; n++) // where it was asked for, on the fibre, between two fibres
        place[n] = j->placed            ? j->place[n]
                   : t.side[0].on_shape ? t.side[1].point[n]
                   : t.side[1].on_shape ? t.side[0].point[n]
                                        : (t.side[0].point[n] + t.side[1].point[n]) / 2;
    return join(sim, &t, place, j, number, error);
}

// ---- of the scene --------------------------------------------------------------------------------------------------

// Fibre `nth` of a group, or -1.
static int member(const plait_model *m, int group, int nth)
{
    for (int b = 0; b < m->bodies; b++)
        if (m->kind[b]->partner == PLAIT_PARTNER_FIBRE && m->body[b].group == group && nth-- == 0)
            return m->body[b].id;
    return -1;
}

static plait_status join_nth(plait_sim *sim, const plait_scene *scene, int number, int nth, plait_error *error)
{
    const plait_joint *j = &scene->joint[number];
    plait_sim_point end[2] = {0};
    for (int k = 0; k < 2; k++) {
        plait_sim_point *p = &end[k];
        p->kind = j->rigid[k] >= 0 ? PLAIT_PARTNER_RIGID : PLAIT_PARTNER_COLLIDER;
        p->index = j->rigid[k] >= 0 ? j->rigid[k] : j->collider;
        plait_vec3_copy(j->place, p->position);
        if (j->group[k] < 0)
            continue;
        int which = j->which[k] >= 0 ? j->which[k] : nth;
        p->kind = PLAIT_PARTNER_FIBRE, p->index = member(&sim->model, j->group[k], which);
        if (p->index < 0)
            return plait_error_set(error, PLAIT_BAD_INPUT, "joint '%s': its group has no fibre %d", j->name, which);
        double length = plait_rod_length(plait_sim_rod(sim, p->index));
        p->arc = j->relative[k] ? j->arc[k] * length : j->arc[k];
    }
    return join_points(sim, end, j, number, error);
}

// Wherever fibres of the two groups are near each other.
static plait_status join_crossings(plait_sim *sim, const plait_scene *scene, int number, plait_error *error)
{
    const plait_joint *j = &scene->joint[number];
    const plait_model *m = &sim->model;
    plait_touches found = {0};
    int made = 0;
    plait_status status = plait_sim_find_near(&sim->model, &sim->work, j->reach, &found, error);
    for (int i = 0; i < found.count && status == PLAIT_OK; i++) {
        const plait_touch *t = &found.touch[i];
        double place[3];
        if (t->side[0].on_shape || t->side[0].on_skin || t->side[1].on_shape || t->side[1].on_skin)
            continue;
        int a = m->body[plait_sim_owner(m, &t->side[0])].group, b = m->body[plait_sim_owner(m, &t->side[1])].group;
        if (!(a == j->group[0] && b == j->group[1]) && !(b == j->group[0] && a == j->group[1]))
            continue;
        for (int n = 0; n < 3; n++)
            place[n] = (t->side[0].point[n] + t->side[1].point[n]) / 2;
        status = join(sim, t, place, j, number, error), made++;
    }
    plait_touches_free(&found);
    if (status == PLAIT_OK && made == 0 && j->from == 0)
        status = plait_error_set(error, PLAIT_BAD_INPUT, "joint '%s': no two fibres are nearer than %g m", j->name,
                                 j->reach);
    return status;
}

plait_status plait_sim_join_one(plait_sim *sim, const plait_scene *scene, int number, plait_error *error)
{
    const plait_model *m = &sim->model;
    const plait_joint *j = &scene->joint[number];
    plait_status status = PLAIT_OK;
    int count = 0;
    for (int b = 0; b < m->bodies; b++)
        count += j->group[0] >= 0 && m->kind[b]->partner == PLAIT_PARTNER_FIBRE && m->body[b].group == j->group[0];
    if (j->group[0] < 0 || j->which[0] >= 0)
        count = 1;
    if (j->reach > 0)
        status = join_crossings(sim, scene, number, error);
    for (int nth = 0; nth < count && j->reach == 0 && status == PLAIT_OK; nth++)
        status = join_nth(sim, scene, number, nth, error);
    return status;
}

plait_status plait_sim_join(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    plait_status status = PLAIT_OK;
    for (int i = 0; i < scene->joints && status == PLAIT_OK; i++)
        status = plait_sim_join_one(sim, scene, i, error);
    if (status == PLAIT_OK && scene->joints > 0 && !plait_state_write_contacts(&sim->state, &sim->model, &sim->work))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for joints");
    return status;
}

// ---- of a program --------------------------------------------------------------------------------------------------

plait_status plait_sim_add_joint(plait_sim *sim, const plait_sim_point end[2], const plait_joint *how,
                                 plait_error *error)
{
    plait_work *w = &sim->work;
    plait_joint j = *how;
    if (!(j.kind >= PLAIT_JOINT_BALL && j.kind <= PLAIT_JOINT_WELD) || !(j.until >= 0) || !isfinite(j.until) ||
        !plait_vec3_finite(j.axis) || (j.placed && !plait_vec3_finite(j.place)) ||
        (j.kind == PLAIT_JOINT_HINGE && !(plait_vec3_norm(j.axis) > 0)))
        return plait_error_set(error, PLAIT_BAD_INPUT, "a joint needs a kind, a finite place and end, a hinge an axis");
    int order = end[0].kind == PLAIT_PARTNER_COLLIDER; // the first side is one that moves
    plait_sim_point sorted[2] = {end[order], end[1 - order]};
    if (!j.placed && sorted[0].kind != PLAIT_PARTNER_FIBRE && sorted[1].kind != PLAIT_PARTNER_FIBRE)
        j.placed = true, plait_vec3_copy(sorted[0].position, j.place);
    plait_sim_place(&sim->model, &sim->state, w, 0);
    int before = w->previous.count;
    plait_status status = join_points(sim, sorted, &j, sim->model.scene->joints, error);
    if (status == PLAIT_OK && !plait_state_write_contacts(&sim->state, &sim->model, w)) {
        w->previous.count = w->bonds.count = before;
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a joint");
    }
    return status;
}

// ---- what touches beside a joint -----------------------------------------------------------------------------------

// Whether a place of a touch is so near to a joint, on the body it has in common with it.
static bool beside(const plait_model *m, const plait_side *side, double arc, const plait_touch *joint, int k)
{
    const plait_side *held = &joint->side[k];
    if (held->on_shape != side->on_shape || held->on_skin != side->on_skin || held->index != side->index)
        return false;
    return side->on_shape || fabs(arc - joint->arc[k]) <= chain_reach(m, side->index);
}

static void place_of(const plait_model *m, const plait_work *w, int joint, int k, double x[3])
{
    plait_side side = w->previous.touch[joint].side[k];
    plait_sim_place_side(m, w, plait_bonds_get(&w->bonds, joint)->anchor[k], &side);
    for (int n = 0; n < 3; n++)
        x[n] = side.point[n] + side.arm[n];
}

// Both sides are beside joints that are at one place: fibres that meet there do not touch each other.
static bool meets(const plait_model *m, const plait_work *w, const plait_touch *t, const int *joint, int joints)
{
    for (int i = 0; i < joints; i++)
        for (int k = 0; k < 2; k++) {
            const plait_touch *a = &w->previous.touch[joint[i]];
            if (!beside(m, &t->side[0], t->arc[0], a, k))
                continue;
            if (beside(m, &t->side[1], t->arc[1], a, 1 - k))
                return true;
            double p[3], q[3], d[3];
            place_of(m, w, joint[i], k, p);
            for (int o = 0; o < joints; o++)
                for (int side = 0; side < 2; side++) {
                    if (o == i || !beside(m, &t->side[1], t->arc[1], &w->previous.touch[joint[o]], side))
                        continue;
                    place_of(m, w, joint[o], side, q);
                    plait_vec3_sub(p, q, d);
                    if (plait_vec3_norm(d) < m->proximity)
                        return true;
                }
        }
    return false;
}

// The row that holds all axes.
static bool stands_for_joint(const plait_bond *b)
{
    return b->law == PLAIT_LAW_TIE && b->holds != 0 && b->number[PLAIT_TIE_JOINT] > 0 && b->number[PLAIT_TIE_AXES] == 0;
}

bool plait_sim_sift_joints(const plait_model *m, plait_work *w, plait_touches *touches)
{
    int joints = 0, kept = 0;
    for (int i = 0; i < w->bonds.count; i++)
        joints += stands_for_joint(plait_bonds_get(&w->bonds, i));
    if (joints == 0)
        return true;
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    int *joint = plait_arena_alloc(&w->arena, (size_t)joints, sizeof *joint);
    joints = 0;
    for (int i = 0; joint && i < w->bonds.count; i++)
        if (stands_for_joint(plait_bonds_get(&w->bonds, i)))
            joint[joints++] = i;
    for (int i = 0; joint && i < touches->count; i++)
        if (touches->touch[i].fixed || !meets(m, w, &touches->touch[i], joint, joints))
            touches->touch[kept++] = touches->touch[i];
    if (joint)
        touches->count = kept;
    plait_arena_release(&w->arena, mark);
    return joint != NULL;
}
