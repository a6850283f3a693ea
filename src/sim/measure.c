// measure.c: what a scene asks to be measured, after every step.
//
// Nothing here is state: all numbers follow from a step and from where it led, so a run that goes on from a checkpoint
// writes the same numbers. Forces of what holds an end are what the equations of its fibre lack at the held dofs, less
// what contacts press there; they are taken just before a step is accepted.
#include "sim/measure.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "body/rod.h"
#include "collide/image.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "sim/cell.h"
#include "sim/loads.h"

enum { EIGENVALUES = 3 };

// Parts of measurements that have a constant number of them.
static const char *const parts[PLAIT_MEASURE_KINDS] = {
    [PLAIT_MEASURE_REACTION] = "fx fy fz mx my mz",
    [PLAIT_MEASURE_FORCE] = "fx fy fz mx my mz work",
    [PLAIT_MEASURE_POSITION] = "x y z",
    [PLAIT_MEASURE_VELOCITY] = "x y z",
    [PLAIT_MEASURE_DISTANCE] = "",
    [PLAIT_MEASURE_ENERGY] = "kinetic elastic potential given ends colliders air loads bonds recovery friction impact "
                             "damping numerical error",
    [PLAIT_MEASURE_CONTACTS] = "count sticking sliding per_fibre normal",
    [PLAIT_MEASURE_STRESS] = "xx yy zz xy yz zx",
    [PLAIT_MEASURE_ORIENTATION] = "xx yy zz xy yz zx",
    [PLAIT_MEASURE_LINKING] = "",
    [PLAIT_MEASURE_WRITHE] = "",
    [PLAIT_MEASURE_FREQUENCY] = "",
    [PLAIT_MEASURE_EIGENVALUES] = "1 2 3",
    [PLAIT_MEASURE_PARAMETER] = "",
    [PLAIT_MEASURE_CELL] = "lx ly lz xy yz zx volume fraction sxx syy szz sxy syz szx pressure "
                           "work",
};

static int count_words(const char *words)
{
    int count = 1;
    for (; *words; words++)
        count += *words == ' ';
    return count;
}

// ---- which fibres --------------------------------------------------------------------------------------------------

// The next fibre of a group (or one of it), from *i on, as a chain of now; -1: there are no more.
static int next_fibre(const plait_measures *all, int group, int which, int *i)
{
    for (; *i < all->fibres; ++*i) {
        if ((group >= 0 && all->group[*i] != group) || all->chain[*i] < 0)
            continue;
        int nth = 0;
        for (int k = 0; k < *i && which >= 0; k++)
            nth += all->group[k] == group;
        if (which < 0 || nth == which)
            return all->chain[(*i)++];
    }
    return -1;
}

static int first_fibre(const plait_measures *all, int group, int which)
{
    int i = 0;
    return next_fibre(all, group, which, &i);
}

// ---- finding -------------------------------------------------------------------------------------------------------

static int columns_of(const plait_sim *sim, const plait_measure *q)
{
    int first, count, chain = first_fibre(sim->work.measures, q->group, q->which);
    if (parts[q->kind])
        return count_words(parts[q->kind]);
    if (chain < 0)
        return 0;
    plait_measure_span(sim, q, chain, q->kind == PLAIT_MEASURE_TENSION, &first, &count);
    return count;
}

static void name_column(const plait_sim *sim, const plait_measure *q, int part, int count, char *title)
{
    const char *word = parts[q->kind];
    for (int k = 0; word && k < part; k++)
        word = strchr(word, ' ') + 1;
    if (word && *word)
        snprintf(title, PLAIT_MEASURE_TITLE, "%s_%.*s", q->name, (int)strcspn(word, " "), word);
    else if (count == 1)
        snprintf(title, PLAIT_MEASURE_TITLE, "%s", q->name);
    else {
        int first, there;
        plait_measure_span(sim, q, first_fibre(sim->work.measures, q->group, q->which),
                           q->kind == PLAIT_MEASURE_TENSION, &first, &there);
        snprintf(title, PLAIT_MEASURE_TITLE, "%s_%d", q->name, first + part);
    }
}

static bool allocate(plait_measures *all, const plait_sim *sim, const plait_scene *scene)
{
    size_t n = (size_t)scene->fibres + 1, longest = 0;
    all->fibres = scene->fibres;
    for (int i = 0; i < sim->model.chains; i++)
        longest = sim->model.body[sim->model.chain_body[i]].nodes > (int)longest
                      ? (size_t)sim->model.body[sim->model.chain_body[i]].nodes
                      : longest;
    all->first = calloc((size_t)scene->measures + 1, sizeof *all->first);
    all->chain = calloc(n, sizeof *all->chain), all->group = calloc(n, sizeof *all->group);
    all->reaction = calloc(12 * n, sizeof *all->reaction), all->held = calloc(2 * n, 1);
    all->room = calloc(12 * (longest + 2), sizeof *all->room);
    if (!all->first || !all->chain || !all->group || !all->reaction || !all->held || !all->room)
        return false;
    for (int i = 0; i < scene->fibres; i++)
        all->chain[i] = i, all->group[i] = scene->fibre[i].group;
    for (size_t i = 0; i < 12 * n; i++)
        all->reaction[i] = NAN;
    return true;
}

static plait_status check(const plait_sim *sim, const plait_measure *q, plait_error *error)
{
    const plait_measures *all = sim->work.measures;
    bool fibres = q->group >= 0 || (q->kind >= PLAIT_MEASURE_CONTACTS);
    if (fibres && q->group >= 0 && first_fibre(all, q->group, q->which) < 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "measure '%s': its group has no fibre %d", q->name, q->which);
    if (q->group < 0 || q->relative)
        return PLAIT_OK;
    const plait_model *m = &sim->model;
    int chain = first_fibre(all, q->group, q->which);
    double length = m->arc[m->first_node[chain + 1] - 1];
    if (q->arc[1] > length * (1 + 1e-9))
        return plait_error_set(error, PLAIT_BAD_INPUT, "measure '%s': fibre %d is %g m long: %g m is not on it",
                               q->name, chain, length, q->arc[1]);
    return PLAIT_OK;
}

plait_status plait_sim_measures_find(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    if (scene->measures == 0)
        return PLAIT_OK;
    plait_measures *all = sim->work.measures = calloc(1, sizeof *all);
    if (!all || !allocate(all, sim, scene))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for measurements");
    for (int k = 0; k < scene->measures; k++) {
        const plait_measure *q = &scene->measure[k];
        plait_status status = check(sim, q, error);
        if (status != PLAIT_OK)
            return status;
        int count = columns_of(sim, q);
        plait_measure_column *more = realloc(all->column, ((size_t)(all->columns + count) + 1) * sizeof *more);
        if (!more)
            return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for measurements");
        all->column = more, all->first[k] = all->columns;
        for (int i = 0; i < count; i++, all->columns++) {
            more[all->columns] = (plait_measure_column){.measure = k, .part = i};
            name_column(sim, q, i, count, more[all->columns].title);
        }
        all->first[k + 1] = all->columns;
        if (q->kind == PLAIT_MEASURE_EIGENVALUES)
            sim->work.eigenvalue = all->eigenvalue, sim->work.eigenvalues = EIGENVALUES;
        for (int i = 0, chain; q->kind == PLAIT_MEASURE_REACTION;) {
            if ((chain = next_fibre(all, q->group, q->which, &i)) < 0)
                break;
            all->held[2 * (i - 1) + (q->arc[0] > 0)] = 1;
        }
    }
    return PLAIT_OK;
}

void plait_sim_measures_renumber(plait_measures *all, const int *chain)
{
    for (int i = 0; all && i < all->fibres; i++)
        all->chain[i] = all->chain[i] >= 0 ? chain[all->chain[i]] : -1;
}

void plait_sim_measures_free(plait_measures *all)
{
    if (!all)
        return;
    free(all->column), free(all->first), free(all->chain), free(all->group), free(all->reaction), free(all->held);
    free(all->room), free(all);
}

// ---- what holds ends -----------------------------------------------------------------------------------------------

// g [dofs] -= what contacts press on the nodes of this fibre in the step, as forces.
static void take_contacts(const plait_model *m, const plait_work *w, int chain, const plait_rod *rod, double dt,
                          double *g)
{
    const double *arc = m->arc + m->first_node[chain];
    int step = (m->body[m->chain_body[chain]].nodes - 1) / rod->segments;
    for (int i = 0; w->problem && i < w->problem->n; i++)
        for (int side = 0; side < 2; side++) {
            const plait_side *s = &w->touches.touch[i].side[side];
            if (s->on_shape || s->on_skin || s->index != chain)
                continue;
            double span[2], f[3] = {0, 0, 0};
            span[0] = span[1] = arc[s->segment] + s->a * (arc[s->segment + 1] - arc[s->segment]);
            for (int a = 0; a < 3; a++)
                plait_vec3_axpy((side ? -1 : 1) * w->solution->r[3 * (size_t)i + (size_t)a] / dt,
                                w->frame + 9 * (size_t)i + 3 * a, f);
            int j = s->segment / step;
            for (int node = j; node <= j + 1; node++) {
                double share = plait_sim_node_share(arc, step, rod->segments, node, span);
                for (int k = 0; k < 3; k++)
                    g[rod->stride * node + k] -= share * f[k];
            }
        }
}

static void hold(const plait_model *m, plait_work *w, int fibre, double dt)
{
    plait_measures *all = w->measures;
    int chain = all->chain[fibre], b = m->chain_body[chain];
    const plait_body *body = &m->body[b];
    plait_rod *rod = plait_fibre_rod(body);
    double *g = all->room;
    plait_rod_slopes slopes = {.whole = g};
    bool known = rod->stride > 0 && rod->type->slopes && rod->type->slopes(rod, dt, w->v + m->first_dof[b], &slopes);
    if (known)
        take_contacts(m, w, chain, rod, dt, g);
    for (int e = 0; e < 2; e++) {
        double *out = all->reaction + 6 * (2 * (size_t)fibre + (size_t)e);
        int node = e ? rod->segments : 0, next = e ? node - 1 : 1;
        for (int k = 0; k < 6; k++)
            out[k] = known ? 0 : NAN;
        if (!known || !all->held[2 * fibre + e])
            continue;
        bool edge = rod->end[e].kind == PLAIT_END_EDGE;
        for (int k = 0; k < 3; k++)
            out[k] = body->held[rod->stride * node + k] ? g[rod->stride * node + k] : 0;
        if (!edge)
            continue; // the moment follows when the step is done
        const double *x = body->x1, step = (double)(body->nodes - 1) / rod->segments;
        double arm[3], f[3], t[3];
        plait_vec3_copy(g + rod->stride * next, f);
        plait_vec3_sub(x + 3 * (int)(next * step), x + 3 * (int)(node * step), arm);
        plait_vec3_cross(arm, f, out + 3);
        plait_vec3_axpy(1, f, out);
        plait_vec3_copy(arm, t);
        if (plait_vec3_normalise(t) > 0 && rod->stride == 4)
            plait_vec3_axpy((e ? -1 : 1) * g[4 * (e ? next : node) + 3], t, out + 3);
    }
}

void plait_sim_measures_hold(const plait_model *m, plait_work *w, double dt)
{
    const plait_measures *all = w->measures;
    for (int i = 0; all && i < all->fibres; i++)
        if (all->chain[i] >= 0 && (all->held[2 * i] || all->held[2 * i + 1]))
            hold(m, w, i, dt);
}

// ---- values --------------------------------------------------------------------------------------------------------

static void reaction(const plait_sim *sim, const plait_measure *q, double *out)
{
    const plait_measures *all = sim->work.measures;
    int e = q->arc[0] > 0;
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0, chain; (chain = next_fibre(all, q->group, q->which, &i)) >= 0;) {
        const plait_rod *rod = plait_fibre_rod(&sim->model.body[sim->model.chain_body[chain]]);
        const double *r = all->reaction + 6 * (2 * (size_t)(i - 1) + (size_t)e);
        double strain[3], moment[3];
        for (int k = 0; k < 6; k++)
            out[k] += r[k];
        if (rod->end[e].kind == PLAIT_END_CLAMPED && rod->type->strain &&
            rod->type->strain(rod, e ? rod->segments : 0, strain, moment))
            plait_vec3_axpy(e ? 1 : -1, moment, out + 3); // the support is on the other side of the node
        else if (rod->end[e].kind == PLAIT_END_CLAMPED)
            out[3] = out[4] = out[5] = NAN;
    }
}

static void origin(const plait_sim *sim, int collider, int rigid, double x[3])
{
    double q[4];
    if (collider >= 0)
        plait_sim_collider_pose(sim, collider, x, q);
    else
        plait_sim_rigid_pose(sim, rigid, x, q);
}

static void force(const plait_sim *sim, const plait_measure *q, double *out)
{
    const plait_model *m = &sim->model;
    const plait_work *w = &sim->work;
    double about[3], dt = sim->state.value[PLAIT_AT_DT_LAST], v[3] = {0}, spin[3] = {0};
    plait_partner_kind kind = q->collider >= 0 ? PLAIT_PARTNER_COLLIDER : PLAIT_PARTNER_RIGID;
    int index = q->collider >= 0 ? q->collider : q->rigid;
    origin(sim, q->collider, q->rigid, about);
    if (q->rigid >= 0)
        plait_sim_rigid_velocity(sim, index, v, spin);
    plait_sim_get_reaction(sim, kind, index, about, out, out + 3, NULL);
    out[6] = 0;
    for (int i = 0; dt > 0 && i < w->previous.count; i++)
        for (int k = 0; k < 2; k++) {
            const plait_side *s = &w->previous.touch[i].side[k];
            int b = plait_sim_owner(m, s);
            if (m->kind[b]->partner != kind || m->body[b].id != index)
                continue;
            double u[3], arm[3];
            plait_vec3_copy(s->move, u);
            if (kind == PLAIT_PARTNER_RIGID) {
                plait_vec3_sub(s->point, about, arm);
                plait_vec3_cross(spin, arm, u);
                for (int c = 0; c < 3; c++)
                    u[c] = dt * (u[c] + v[c]);
            }
            // a collider does work on what it touches, contacts do work on a body
            double sign = (k ? -1 : 1) * (kind == PLAIT_PARTNER_RIGID ? 1 : -1);
            out[6] += sign * plait_vec3_dot(plait_bonds_get(&w->bonds, i)->impulse, u) / dt;
        }
}

// A place of a fibre: between two of its nodes.
static void on_fibre(const plait_sim *sim, int chain, double arc, bool relative, bool velocity, double x[3])
{
    const plait_model *m = &sim->model;
    const plait_body *body = &m->body[m->chain_body[chain]];
    const double *s = m->arc + m->first_node[chain];
    double *all = sim->work.measures->room, at = relative ? arc * s[body->nodes - 1] : arc;
    int i = 0;
    (velocity ? body->type->velocities : body->type->nodes)(body, all);
    while (i + 2 < body->nodes && s[i + 1] < at)
        i++;
    double a = fmin(fmax((at - s[i]) / (s[i + 1] - s[i]), 0), 1);
    for (int k = 0; k < 3; k++)
        x[k] = (1 - a) * all[3 * i + k] + a * all[3 * i + 3 + k];
}

static void place_of(const plait_sim *sim, const plait_measure *q, double x[3])
{
    if (q->group >= 0)
        on_fibre(sim, first_fibre(sim->work.measures, q->group, q->which), q->arc[0], q->relative, false, x);
    else
        origin(sim, q->collider, q->rigid, x);
}

static double distance(const plait_sim *sim, const plait_measure *q)
{
    double x[3], y[3];
    place_of(sim, q, x);
    plait_vec3_copy(q->place, y);
    if (q->other_group >= 0)
        on_fibre(sim, first_fibre(sim->work.measures, q->other_group, q->other_which), q->other_arc, true, false, y);
    else if (q->other_collider >= 0 || q->other_rigid >= 0)
        origin(sim, q->other_collider, q->other_rigid, y);
    plait_vec3_sub(x, y, x);
    return plait_vec3_norm(x);
}

static void velocity(const plait_sim *sim, const plait_measure *q, double out[3])
{
    double spin[3];
    if (q->group >= 0)
        on_fibre(sim, first_fibre(sim->work.measures, q->group, q->which), q->arc[0], q->relative, true, out);
    else if (q->rigid >= 0)
        plait_sim_rigid_velocity(sim, q->rigid, out, spin);
    else
        out[0] = out[1] = out[2] = NAN;
}

static bool mine(const plait_measures *all, const plait_measure *q, const plait_sim_contact *c, int side)
{
    if (c->kind[side] != PLAIT_PARTNER_FIBRE || q->group < 0)
        return c->kind[side] == PLAIT_PARTNER_FIBRE;
    for (int i = 0; i < all->fibres; i++)
        if (all->chain[i] == c->index[side])
            return all->group[i] == q->group;
    return false;
}

static void contacts(const plait_sim *sim, const plait_measure *q, double *out)
{
    double dt = sim->state.value[PLAIT_AT_DT_LAST], sides = 0;
    int fibres = 0;
    memset(out, 0, 5 * sizeof *out);
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        int of = mine(sim->work.measures, q, &c, 0) + mine(sim->work.measures, q, &c, 1);
        if (of == 0 || c.state == PLAIT_CONTACT_OPEN)
            continue;
        sides += of;
        out[0]++, out[1] += c.state == PLAIT_CONTACT_STICKS, out[2] += c.state == PLAIT_CONTACT_SLIDES;
        out[4] += dt > 0 ? plait_vec3_dot(c.impulse, c.normal) / dt : 0;
    }
    for (int i = 0; next_fibre(sim->work.measures, q->group, -1, &i) >= 0;)
        fibres++;
    out[3] = fibres > 0 ? sides / fibres : NAN;
}

static const int row_of[6] = {0, 1, 2, 0, 1, 2}, column_of[6] = {0, 1, 2, 1, 2, 0};

// Where the force of a contact acts, between both surfaces, so that what is inside of a pack cancels and what comes
// from outside stays: mean stress. A copy takes it to where its fibre itself is.
static void place_of_force(const plait_sim *sim, int i, double x[2][3])
{
    const plait_model *m = &sim->model;
    const plait_touch *t = &sim->work.previous.touch[i];
    const plait_side *s = t->side;
    double cell[6];
    bool chain = !s[0].on_shape && !s[0].on_skin;
    plait_vec3_copy(s[1].point, x[0]); // on the surface of a shape
    if (!s[1].on_shape && chain) {
        plait_vec3_copy(s[0].point, x[0]);
        plait_vec3_axpy(-m->radius[s[0].index] - 0.5 * t->gap, t->normal, x[0]);
    } else if (!s[1].on_shape) {
        plait_lerp(s[0].point, s[1].point, 0.5, x[0]);
    }
    plait_vec3_copy(x[0], x[1]);
    plait_sim_cell_start(m, cell);
    plait_image_shift(s[1].image, cell, -1, x[1]);
}

static void stress(const plait_sim *sim, const plait_measure *q, double *out)
{
    double dt = sim->state.value[PLAIT_AT_DT_LAST], volume = q->volume > 0 ? q->volume : 1;
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0; dt > 0 && i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        double place[2][3];
        plait_sim_contact_get(sim, i, &c);
        place_of_force(sim, i, place);
        for (int side = 0; side < 2; side++)
            for (int k = 0; k < 6 && mine(sim->work.measures, q, &c, side); k++) {
                const double *x = place[side], *f = c.impulse;
                int a = row_of[k], b = column_of[k];
                out[k] += (side ? -1 : 1) * (f[a] * x[b] + f[b] * x[a]) / (2 * dt * volume);
            }
    }
}

static void orientation(const plait_sim *sim, const plait_measure *q, double *out)
{
    const plait_model *m = &sim->model;
    double *x = sim->work.measures->room, sum = 0;
    memset(out, 0, 6 * sizeof *out);
    for (int i = 0, chain; (chain = next_fibre(sim->work.measures, q->group, q->which, &i)) >= 0;) {
        const plait_body *body = &m->body[m->chain_body[chain]];
        body->type->nodes(body, x);
        for (int j = 0; j + 1 < body->nodes; j++) {
            double t[3];
            plait_vec3_sub(x + 3 * j + 3, x + 3 * j, t);
            double length = plait_vec3_normalise(t);
            sum += length;
            for (int k = 0; k < 6; k++)
                out[k] += length * t[row_of[k]] * t[column_of[k]];
        }
    }
    for (int k = 0; k < 6; k++)
        out[k] /= sum;
}

static double linking(const plait_sim *sim, const plait_measure *q)
{
    const plait_model *m = &sim->model;
    const plait_measures *all = sim->work.measures;
    bool writhe = q->kind == PLAIT_MEASURE_WRITHE;
    double sum = 0;
    for (int i = 0, a; (a = next_fibre(all, q->group, q->which, &i)) >= 0;) {
        const plait_body *first = &m->body[m->chain_body[a]];
        double *x = all->room, *y = x + 3 * first->nodes;
        first->type->nodes(first, x);
        if (writhe) {
            sum += plait_measure_link(x, first->nodes, x, first->nodes, true);
            continue;
        }
        bool within = q->other_group < 0 || q->other_group == q->group; // each pair once
        for (int j = within ? i : 0, b; (b = next_fibre(all, within ? q->group : q->other_group, -1, &j)) >= 0;) {
            const plait_body *second = &m->body[m->chain_body[b]];
            second->type->nodes(second, y);
            sum += plait_measure_link(x, first->nodes, y, second->nodes, false);
        }
    }
    return sum;
}

// The largest rate at which energy - rate^2 mass / 2 |x|^2 still has a minimum, by halving.
static double frequency(const plait_sim *sim, int chain)
{
    plait_rod *rod = plait_fibre_rod(&sim->model.body[sim->model.chain_body[chain]]);
    double low = 0, high = 1;
    if (!rod->type->stable)
        return NAN;
    if (!rod->type->stable(rod, 0))
        return 0;
    while (high < 1e12 && rod->type->stable(rod, high))
        low = high, high *= 4;
    while (high - low > 1e-6 * high && high > 1e-9) {
        double middle = (low + high) / 2;
        *(rod->type->stable(rod, middle) ? &low : &high) = middle;
    }
    return (low + high) / (4 * M_PI);
}

static void energy(const plait_sim *sim, double *out)
{
    const plait_sim_report *r = &sim->work.report;
    const plait_ledger *l = &r->ledger;
    const double all[] = {r->kinetic, r->elastic,  r->potential, l->given,  l->ends,    l->colliders, l->air,  l->loads,
                          l->bonds,   l->recovery, l->friction,  l->impact, l->damping, l->numerical, l->error};
    memcpy(out, all, sizeof all);
}

int plait_sim_measures(const plait_sim *sim)
{
    return sim->work.measures ? sim->work.measures->columns : 0;
}

const char *plait_sim_measure_title(const plait_sim *sim, int i)
{
    return i >= 0 && i < plait_sim_measures(sim) ? sim->work.measures->column[i].title : NULL;
}

void plait_sim_measure(const plait_sim *sim, double *value)
{
    const plait_measures *all = sim->work.measures;
    for (int k = 0; all && k < sim->model.scene->measures; k++) {
        const plait_measure *q = &sim->model.scene->measure[k];
        double *out = value + all->first[k];
        int count = all->first[k + 1] - all->first[k];
        if (q->group >= 0 && first_fibre(all, q->group, q->which) < 0) { // it was taken out
            for (int i = 0; i < count; i++)
                out[i] = NAN;
            continue;
        }
        switch (q->kind) {
        case PLAIT_MEASURE_REACTION:
            reaction(sim, q, out);
            break;
        case PLAIT_MEASURE_FORCE:
            force(sim, q, out);
            break;
        case PLAIT_MEASURE_POSITION:
            place_of(sim, q, out);
            break;
        case PLAIT_MEASURE_VELOCITY:
            velocity(sim, q, out);
            break;
        case PLAIT_MEASURE_DISTANCE:
            *out = distance(sim, q);
            break;
        case PLAIT_MEASURE_ENERGY:
            energy(sim, out);
            break;
        case PLAIT_MEASURE_CONTACTS:
            contacts(sim, q, out);
            break;
        case PLAIT_MEASURE_STRESS:
            stress(sim, q, out);
            break;
        case PLAIT_MEASURE_ORIENTATION:
            orientation(sim, q, out);
            break;
        case PLAIT_MEASURE_FREQUENCY:
            *out = frequency(sim, first_fibre(all, q->group, q->which));
            break;
        case PLAIT_MEASURE_EIGENVALUES:
            memcpy(out, sim->work.eigenvalue, EIGENVALUES * sizeof *out);
            break;
        case PLAIT_MEASURE_PARAMETER:
            *out = plait_state_script(&sim->state);
            break;
        case PLAIT_MEASURE_CELL:
            plait_sim_cell_measure(sim, out);
            break;
        case PLAIT_MEASURE_LINKING:
        case PLAIT_MEASURE_WRITHE:
            *out = linking(sim, q);
            break;
        default:
            plait_measure_along(sim, q, first_fibre(all, q->group, q->which), count, out);
        }
    }
}
