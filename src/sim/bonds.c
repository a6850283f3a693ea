// bonds.c: contacts that hold, from step to step.
#include "sim/bonds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "shape/closest.h"
#include "shape/type.h"

enum { STRIDE = sizeof(plait_touch) / sizeof(int) };

// ---- sides and frames
// --------------------------------------------------------------------------------------------------

// Vertices that move on their own: a place on it is a place on a triangle.
static bool by_triangle(const plait_shape_geometry *g)
{
    return g->shape->frames > 0 && g->shape->triangles > 0;
}

static void corners(const plait_shape_geometry *g, const double *point, int triangle, double t[9])
{
    for (int c = 0; c < 3; c++)
        plait_vec3_copy(point + 3 * (size_t)g->shape->triangle[3 * (size_t)triangle + (size_t)c], t + 3 * c);
}

void plait_sim_anchor_side(const plait_work *w, const plait_side *side, double anchor[3])
{
    double R[9], arm[3], y[3];
    anchor[0] = anchor[1] = anchor[2] = 0;
    if (!side->on_shape)
        return;
    const plait_shape_geometry *g = &w->shape[side->index];
    plait_quat_matrix(g->start.q, R);
    plait_vec3_sub(side->point, g->start.x, arm);
    plait_mat3_apply_transposed(R, arm, y);
    if (by_triangle(g)) {
        double t[9];
        plait_feature feature;
        corners(g, g->point0, side->segment, t);
        plait_closest_triangle(y, t, anchor, &feature);
    } else {
        plait_vec3_copy(y, anchor);
    }
}

static void place(const plait_shape_geometry *g, const plait_pose *pose, const double *point, int triangle,
                  const double anchor[3], double x[3])
{
    double R[9], y[3];
    plait_vec3_copy(anchor, y);
    if (by_triangle(g)) {
        double t[9];
        corners(g, point, triangle, t);
        for (int k = 0; k < 3; k++)
            y[k] = anchor[0] * t[k] + anchor[1] * t[3 + k] + anchor[2] * t[6 + k];
    }
    plait_quat_matrix(pose->q, R);
    plait_mat3_affine(R, y, pose->x, x);
}

void plait_sim_turn_side(const plait_model *m, const plait_work *w, const plait_side *side, bool to_world,
                         const double x[3], double y[3])
{
    double R[9], z[3];
    const plait_body *body = &m->body[plait_sim_owner(m, side)];
    bool chain = !side->on_shape && !side->on_skin;
    bool known = chain && body->type->section && body->type->section(body, side->segment, side->a, R);
    bool turns = side->on_shape || known;
    plait_vec3_copy(x, z);
    if (side->on_shape)
        plait_quat_matrix(w->shape[side->index].start.q, R);
    if (turns) {
        if (to_world)
            plait_mat3_apply(R, x, z);
        else
            plait_mat3_apply_transposed(R, x, z);
    }
    plait_vec3_copy(z, y);
}

void plait_sim_place_side(const plait_model *m, const plait_work *w, const double anchor[3], plait_side *side)
{
    double weight[3];
    side->move[0] = side->move[1] = side->move[2] = 0;
    if (side->on_skin) {
        int node[3], count = plait_side_weights(m->body[m->skin_body[side->index]].skin, side, node, weight);
        plait_vec3_set(side->point, 0, 0, 0);
        for (int k = 0; k < count; k++)
            plait_vec3_axpy(weight[k], w->x0 + 3 * (size_t)(m->first_skin_node[side->index] + node[k]), side->point);
        return;
    }
    if (!side->on_shape) {
        const double *x = w->x0 + 3 * ((size_t)m->first_node[side->index] + (size_t)side->segment);
        plait_lerp(x, x + 3, side->a, side->point);
        plait_vec3_set(side->arm, 0, 0, 0);
        if (anchor && plait_vec3_norm(anchor) > 0)
            plait_sim_turn_side(m, w, side, true, anchor, side->arm);
        return;
    }
    const plait_shape_geometry *g = &w->shape[side->index];
    place(g, &g->start, g->point0, side->segment, anchor, side->point);
    if (g->moves_freely)
        return;
    double end[3];
    place(g, &g->end, g->point1, side->segment, anchor, end);
    plait_vec3_sub(end, side->point, side->move);
}

// A vector between the world and the frame that an adhesive bond's vectors are in: that of a shape, or the world.
static void turn(const plait_model *m, const plait_work *w, const plait_side *side, bool to_world, const double x[3],
                 double y[3])
{
    if (side->on_shape)
        plait_sim_turn_side(m, w, side, to_world, x, y);
    else
        memmove(y, x, 3 * sizeof *y);
}

// How far its surface is from its point.
static double radius_of(const plait_model *m, const plait_side *side)
{
    return side->on_shape  ? 0
           : side->on_skin ? m->body[m->skin_body[side->index]].skin->radius
                           : m->radius[side->index];
}

// ---- orphans
// -----------------------------------------------------------------------------------------------------------

// A bond of the last step as a contact of this one.
static plait_touch revive(const plait_model *m, const plait_work *w, int k)
{
    const plait_bond *bond = plait_bonds_get(&w->bonds, k);
    plait_touch t = w->previous.touch[k];
    double D[3];
    t.last = k, t.swept = false;
    for (int side = 0; side < 2; side++)
        plait_sim_place_side(m, w, bond->anchor[side], &t.side[side]);
    plait_vec3_sub(t.side[0].point, t.side[1].point, D);
    if (bond->number[PLAIT_TIE_AXES] != 0 && t.fixed)
        plait_sim_turn_side(m, w, &t.side[1], true, bond->normal, t.normal);
    else
        turn(m, w, &t.side[1], true, bond->normal, t.normal);
    if (t.fixed) {
        if (bond->number[PLAIT_TIE_REST] > 0 && plait_vec3_normalise(D) > 0)
            plait_vec3_copy(D, t.normal);
        t.gap = 0;
        return t;
    }
    t.gap = plait_vec3_dot(t.normal, D);
    for (int side = 0; side < 2; side++)
        t.gap -= radius_of(m, &t.side[side]);
    return t;
}

static bool reserve(plait_touches *t, int count)
{
    if (count <= t->room)
        return true;
    int room = count + count / 2 + 16;
    plait_touch *more = realloc(t->touch, (size_t)room * sizeof *more);
    if (more)
        t->touch = more, t->room = room;
    return more != NULL;
}

// Contacts of two shapes are matched by their bodies, however far they are from each other: a bond does not jump.
static void stay_near(const plait_model *m, const plait_work *w, plait_touch *t)
{
    if (t->last < 0 || !t->side[0].on_shape || plait_bonds_get(&w->bonds, t->last)->holds == 0)
        return;
    double least = INFINITY, size = INFINITY;
    for (int k = 0; k < 2; k++) {
        double anchor[3], d[3];
        plait_sim_anchor_side(w, &t->side[k], anchor);
        plait_vec3_sub(anchor, plait_bonds_get(&w->bonds, t->last)->anchor[k], d);
        least = fmin(least, plait_vec3_norm(d));
        size = fmin(size, m->body[plait_sim_owner(m, &t->side[k])].fine); // a tenth of it
    }
    if (least > 2.5 * size)
        t->last = -1;
}

bool plait_sim_keep_bonds(const plait_model *m, plait_work *w)
{
    int count = w->bonds.count, holds = 0;
    plait_touches *t = &w->touches;
    for (int k = 0; k < count; k++)
        holds += plait_bonds_get(&w->bonds, k)->holds != 0;
    if (holds == 0)
        return true;
    for (int k = 0; k < t->count; k++)
        stay_near(m, w, &t->touch[k]);
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    unsigned char *seen = plait_arena_alloc(&w->arena, (size_t)count, 1);
    int *list = plait_arena_alloc(&w->arena, (size_t)count, sizeof *list);
    bool ok = seen && list;
    if (ok) {
        int orphans = plait_bonds_orphans(&w->bonds, t->count ? &t->touch[0].last : NULL, STRIDE, t->count, seen, list);
        ok = reserve(t, t->count + orphans);
        for (int k = 0; ok && k < orphans; k++)
            t->touch[t->count++] = revive(m, w, list[k]);
    }
    plait_arena_release(&w->arena, mark);
    return ok;
}

// ---- laws
// --------------------------------------------------------------------------------------------------------------

const plait_adhesion *plait_sim_adhesion(const plait_model *m, const plait_work *w, const plait_touch *t)
{
    if (!m->scene->adhesion)
        return NULL;
    const plait_adhesion *a = &m->scene->adhesion[plait_sim_pair(m, w, t)];
    return a->stiffness[0] > 0 || a->stiffness[1] > 0 ? a : NULL;
}

bool plait_sim_is_bonded(const plait_work *w, const plait_touch *t)
{
    return t->last >= 0 && plait_bonds_get(&w->bonds, t->last)->holds != 0;
}

// What a side has for a contact, where the scene does not say it.
static double side_area(const plait_model *m, const plait_work *w, const plait_touch *t, int k)
{
    const plait_side *side = &t->side[k], *other = &t->side[1 - k];
    if (side->on_skin)
        return INFINITY; // the detector knows it (plait_touch)
    if (!side->on_shape) { // length x width; a fibre that crosses covers no more than its own width
        const double *x = w->x0 + 3 * ((size_t)m->first_node[side->index] + (size_t)side->segment);
        double edge[3], width = 2 * m->radius[side->index], length;
        plait_vec3_sub(x + 3, x, edge);
        length = fmin(plait_vec3_norm(edge), m->spacing > 0 ? fmax(m->spacing, width) : INFINITY);
        if (!other->on_shape && !other->on_skin) {
            const double *y = w->x0 + 3 * ((size_t)m->first_node[other->index] + (size_t)other->segment);
            double across[3], cross[3];
            plait_vec3_sub(y + 3, y, across);
            plait_vec3_cross(edge, across, cross);
            double sine = plait_vec3_norm(cross) / (plait_vec3_norm(edge) * plait_vec3_norm(across) + 1e-300);
            length = fmin(length, 2 * m->radius[other->index] / fmax(sine, 1e-3));
        }
        return length * width;
    }
    const plait_shape_geometry *g = &w->shape[side->index];
    double R[9], n[3];
    plait_quat_matrix(g->start.q, R);
    plait_mat3_apply_transposed(R, t->normal, n);
    return plait_shape_patch(g->shape, n, m->proximity);
}

static double contact_area(const plait_model *m, const plait_work *w, const plait_touch *t, const plait_adhesion *a)
{
    if (a->area > 0 || t->area > 0)
        return a->area > 0 ? a->area : t->area;
    double area = fmin(side_area(m, w, t, 0), side_area(m, w, t, 1));
    return isfinite(area) ? area : 0;
}

// The bond as it is at the start of the step.
static void begin_bond(const plait_model *m, const plait_work *w, const plait_touch *t, const plait_adhesion *a,
                       bool start, plait_bond *bond)
{
    if (bond->area == 0) {
        bond->area = contact_area(m, w, t, a);
        bond->number[PLAIT_BOND_BETA] = start ? a->initial : a->fresh;
        bond->number[PLAIT_BOND_REST] = fmax(t->gap, 0);
    }
}

// Slip in the frame of the contact: as long as it was, in the plane of now.
static void slip_of(const plait_model *m, const plait_work *w, const plait_touch *t, const plait_bond *bond,
                    const double *E, double slip[2])
{
    double d[3];
    turn(m, w, &t->side[1], true, bond->number + PLAIT_BOND_SLIP, d);
    slip[0] = plait_vec3_dot(E + 3, d), slip[1] = plait_vec3_dot(E + 6, d);
    double now = sqrt(slip[0] * slip[0] + slip[1] * slip[1]), was = plait_vec3_norm(d);
    for (int k = 0; k < 2 && now > 0; k++)
        slip[k] *= was / now;
}

static void off_of(const plait_touch *t, const plait_bond *bond, const double *E, double off[3])
{
    double D[3], rest = bond->number[PLAIT_TIE_REST];
    for (int k = 0; k < 3; k++)
        D[k] = t->side[0].point[k] + t->side[0].arm[k] - t->side[1].point[k] - t->side[1].arm[k];
    off[0] = plait_vec3_dot(E, D) - rest;
    off[1] = rest > 0 ? 0 : plait_vec3_dot(E + 3, D), off[2] = rest > 0 ? 0 : plait_vec3_dot(E + 6, D);
}

static plait_adhesive adhesive_of(const plait_adhesion *a)
{
    plait_adhesive x = {{a->stiffness[0], a->stiffness[1]}, a->energy, a->viscosity, a->rate,
                        a->saturation,                      a->coupling, a->cut};
    if (x.cut == 0) // twice the gap at which a whole bond begins to break
        x.cut = 2 * sqrt(a->energy / (a->stiffness[0] > 0 ? a->stiffness[0] : a->stiffness[1]));
    return x;
}

// Law and parameters of contact i.
static void set_law(const plait_model *m, const plait_work *w, int i, bool start, double dt, unsigned char *index)
{
    const plait_touch *t = &w->touches.touch[i];
    const double *E = w->frame + 9 * (size_t)i;
    plait_bond *bond = plait_bonds_get(&w->bonds_next, i);
    double *p = w->law_number + PLAIT_LAW_NUMBERS * (size_t)i;
    index[i] = PLAIT_LAW_COULOMB;
    memset(p, 0, PLAIT_LAW_NUMBERS * sizeof *p); // Coulomb's law has none, and all of them must be numbers
    if (w->law[i] == PLAIT_LAW_TIE) {
        double off[3];
        off_of(t, bond, E, off);
        plait_tie_set(dt, bond, off, p);
        index[i] = PLAIT_LAW_TIE;
    } else if (w->law[i] != PLAIT_LAW_COULOMB) {
        const plait_adhesion *a = plait_sim_adhesion(m, w, t);
        plait_adhesive x = adhesive_of(a);
        double slip[2];
        begin_bond(m, w, t, a, start, bond);
        slip_of(m, w, t, bond, E, slip);
        plait_adhesion_set(&x, dt, bond, slip, p);
        // Where nothing holds, the problem has Coulomb's law, to the last bit.
        if (bond->number[PLAIT_BOND_BETA] > 0 && bond->area > 0)
            index[i] = w->law[i];
    }
}

bool plait_sim_find_laws(const plait_model *m, const plait_state *s, plait_work *w, double dt, unsigned char *index)
{
    int n = w->touches.count;
    bool others = false, start = s->value[PLAIT_AT_STEPS] == 0;
    int bond_law = m->scene->stepping.adhesion == PLAIT_ADHESION_BOX ? PLAIT_LAW_BOX : PLAIT_LAW_ADHESION;
    for (int i = 0; i < n; i++) {
        const plait_touch *t = &w->touches.touch[i];
        w->law[i] = (unsigned char)(t->fixed                         ? PLAIT_LAW_TIE
                                    : plait_sim_adhesion(m, w, t) ? bond_law
                                                                  : PLAIT_LAW_COULOMB);
        others = others || w->law[i] != PLAIT_LAW_COULOMB;
    }
    if (!plait_bonds_carry(&w->bonds, n > 0 ? &w->touches.touch[0].last : NULL, STRIDE, w->law, n, &w->bonds_next))
        return false;
    w->has_laws = others;
    for (int i = 0; others && i < n; i++)
        set_law(m, w, i, start, dt, index);
    return true;
}

bool plait_sim_set_laws(const plait_model *m, const plait_state *s, plait_work *w, double dt)
{
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    unsigned char *index = plait_arena_alloc(&w->arena, (size_t)w->touches.count + 1, 1);
    bool ok = index && plait_sim_find_laws(m, s, w, dt, index);
    if (ok && w->has_laws)
        ok = plait_problem_set_laws(w->problem, plait_law_table, PLAIT_LAW_ROWS, index, w->law_number, NULL) ==
             PLAIT_OK;
    else if (ok)
        plait_problem_free_laws(w->problem);
    plait_arena_release(&w->arena, mark);
    return ok;
}

bool plait_sim_tie_impact(plait_work *w, plait_problem *p)
{
    int n = w->touches.count, ties = 0;
    for (int i = 0; i < n; i++)
        ties += w->touches.touch[i].fixed;
    if (ties == 0)
        return true;
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    unsigned char *index = plait_arena_zeros(&w->arena, (size_t)n, 1);
    double *number = plait_arena_zeros(&w->arena, PLAIT_LAW_NUMBERS * (size_t)n, sizeof *number);
    const double nowhere[3] = {0};
    for (int i = 0; index && number && i < n; i++)
        if (w->touches.touch[i].fixed) {
            plait_bond rigid = *plait_bonds_get(&w->bonds, w->touches.touch[i].last);
            rigid.number[PLAIT_TIE_STIFFNESS] = 0;
            plait_tie_set(1, &rigid, nowhere, number + PLAIT_LAW_NUMBERS * (size_t)i);
            index[i] = PLAIT_LAW_TIE;
        }
    bool ok = index && number &&
              plait_problem_set_laws(p, plait_law_table, PLAIT_LAW_ROWS, index, number, NULL) == PLAIT_OK;
    plait_arena_release(&w->arena, mark);
    return ok;
}

// ---- after a step
// ------------------------------------------------------------------------------------------------------

// Where the bond is, for the next step.
static void anchor_bond(const plait_model *m, const plait_work *w, const plait_touch *t, plait_bond *bond)
{
    if (t->fixed)
        return; // it has its place for ever
    for (int side = 0; side < 2; side++)
        plait_sim_anchor_side(w, &t->side[side], bond->anchor[side]);
    turn(m, w, &t->side[1], false, t->normal, bond->normal);
    turn(m, w, &t->side[1], false, bond->number + PLAIT_BOND_SLIP, bond->number + PLAIT_BOND_SLIP);
}

bool plait_sim_evolve_bonds(const plait_model *m, const plait_state *s, plait_work *w, double dt)
{
    const plait_touches *t = &w->touches;
    int n = t->count;
    if (n == 0) {
        w->bonds_next.count = 0;
        return true;
    }
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    double *gap = plait_arena_alloc(&w->arena, (size_t)n, sizeof *gap);
    for (int i = 0; gap && i < n; i++)
        gap[i] = t->touch[i].gap + dt * (w->solution->u[3 * (size_t)i] - w->gap_term[i]);
    if (gap) {
        plait_laws laws = {.mu = w->problem->mu};
        if (w->has_laws)
            laws = (plait_laws){plait_law_table, PLAIT_LAW_ROWS, w->problem->mu, w->law, w->law_number};
        plait_bonds_evolve(&laws, dt, w->solution->r, w->solution->u, w->frame, gap, &w->bonds_next);
        double end = plait_state_time(s) + dt;
        for (int i = 0; w->has_laws && i < n; i++) {
            plait_bond *bond = plait_bonds_get(&w->bonds_next, i);
            if (w->law[i] == PLAIT_LAW_COULOMB)
                continue;
            anchor_bond(m, w, &t->touch[i], bond);
            if (t->touch[i].fixed && bond->number[PLAIT_TIE_UNTIL] > 0 &&
                end >= bond->number[PLAIT_TIE_UNTIL] - 1e-9 * dt)
                bond->lost += bond->energy, bond->energy = bond->holds = 0;
        }
    }
    plait_arena_release(&w->arena, mark);
    return gap != NULL;
}

void plait_sim_sum_bonds(const plait_work *w, plait_sim_report *r)
{
    r->bonds = r->ties = 0, r->bonded_area = r->bond_energy = r->debonded = 0;
    for (int i = 0; i < w->bonds.count; i++) {
        const plait_bond *bond = plait_bonds_get(&w->bonds, i);
        if (bond->law == PLAIT_LAW_COULOMB)
            continue;
        if (bond->law == PLAIT_LAW_TIE)
            r->ties += bond->holds != 0;
        else
            r->bonds += bond->holds != 0, r->bonded_area += bond->area * bond->number[PLAIT_BOND_BETA];
        r->bond_energy += bond->energy, r->debonded += bond->lost;
    }
}
