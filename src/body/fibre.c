// fibre.c: a rod of any model as a body: its row, and how it is built.
#include "body/fibre.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

static const double LARGEST_MISS = 0.15; // of a link: beyond it the step is not accepted
// Times the tolerance of stretch and the contact radius: a doubt of 1, in scheme balanced and in others.
static const double MISS_BALANCED = 1, MISS = 5;

plait_rod *plait_fibre_rod(const plait_body *body)
{
    return plait_fibre_of(body)->rod;
}

// ---- building -----------------------------------------------------------------------------------------------------

// Natural lengths of the segments: those of the drawn polyline in proportion. Curved segments are all the same.
static bool measure_segments(plait_fibre_impl *p)
{
    const plait_rod *rod = p->rod;
    int n = rod->segments;
    double *x = malloc(3 * ((size_t)n + 1) * sizeof *x), sum = 0;
    if (!x)
        return false;
    rod->type->positions(rod, x);
    for (int i = 0; i < n; i++) {
        double d[3];
        plait_vec3_sub(x + 3 * (i + 1), x + 3 * i, d);
        p->rest[i] = rod->type->trace ? 1 : plait_vec3_norm(d);
        sum += p->rest[i];
    }
    for (int i = 0; i < n; i++)
        p->rest[i] *= rod->length / sum;
    free(x);
    return true;
}

static bool allocate(plait_body *body)
{
    plait_fibre_impl *p = body->impl;
    size_t segments = (size_t)p->rod->segments, dofs = (size_t)body->dofs, nodes = (size_t)body->nodes;
    size_t curved = body->curved ? 3 * nodes * dofs + 6 * nodes + 3 * (segments + 1) : 0;
    bool turns = body->response->couple || body->response->turns;
    size_t spins = body->curved && turns ? 3 * nodes * dofs : 0;
    size_t theta = body->response->theta < 1 ? plait_fibre_theta_room(p->rod) : 0;
    // masses are not more than dofs
    size_t bdf2 = body->response->second_order ? (size_t)body->state_size + 2 * dofs : 0;
    double *q = p->memory = calloc(segments + 4 * dofs + curved + spins + theta + bdf2, sizeof *q);
    if (!q)
        return false;
    p->rest = q, q += segments;
    p->room = q, q += 3 * dofs;
    p->pushed = q, q += dofs;
    if (curved) {
        p->jacobian = q, q += 3 * nodes * dofs;
        p->offset = q, q += 3 * nodes;
        p->there = q, q += 3 * nodes;
        p->press = q, q += 3 * (segments + 1);
        p->spins = spins ? q : NULL, q += spins;
    }
    p->start = theta ? q : NULL;
    p->whole = bdf2 ? q : NULL, p->v0 = q + body->state_size, p->mass = p->v0 + dofs;
    return true;
}

// Point masses: between two nodes each has its share. False: the model has no masses that could be changed.
static bool add_beads(plait_fibre_impl *p, int count, const double *bead)
{
    plait_rod *rod = p->rod;
    if (!rod->type->masses)
        return count == 0;
    int masses, nodes = rod->segments + 1;
    double *mass = rod->type->masses(rod, &masses);
    int stride = masses >= 3 * nodes ? rod->stride : 1, axes = masses >= 3 * nodes ? 3 : 1;
    for (int i = 0; i < count; i++) {
        double at = bead[2 * i] * rod->length;
        int j = 0;
        for (; j < rod->segments - 1 && at > p->rest[j]; j++)
            at -= p->rest[j];
        double share = fmin(fmax(at / p->rest[j], 0), 1);
        for (int k = 0; k < axes; k++) {
            mass[stride * j + k] += (1 - share) * bead[2 * i + 1];
            mass[stride * (j + 1) + k] += share * bead[2 * i + 1];
        }
    }
    return true;
}

// Its state with the history behind it, its masses.
static void begin_history(plait_body *body)
{
    plait_fibre_impl *p = body->impl;
    const plait_section *section = &p->rod->section;
    int count = 0;
    memcpy(p->whole, p->rod->state, ((size_t)p->rod->state_size + 1) * sizeof *p->whole);
    body->state = p->whole, p->second.kappa = 1;
    const double *mass = p->rod->type->masses ? p->rod->type->masses(p->rod, &count) : NULL;
    for (int i = 0; i < count; i++)
        p->mass[i] = mass[i];
    p->line[0] = section->mass, p->line[1] = section->inertia[0], p->line[2] = section->inertia[1];
}

static void measure(plait_body *body)
{
    const plait_fibre_impl *p = body->impl;
    const plait_rod *rod = p->rod;
    int near = rod->stride + 3; // two nodes and what is between them
    body->dofs = rod->dofs, body->bandwidth = rod->bandwidth;
    body->nodes = rod->segments * p->samples + 1;
    body->state_size = rod->state_size + 1;
    if (body->response->second_order)
        body->state_size += plait_fibre_history_size(rod);
    body->curved = rod->type->trace != NULL;
    body->columns = body->curved || near > rod->dofs ? rod->dofs : near;
    body->edge = rod->length / (body->nodes - 1);
    body->fine = p->radius;
    body->state = rod->state;
}

plait_status plait_fibre_build(const plait_fibre_def *def, const plait_response *response, plait_body *body,
                               plait_error *error)
{
    plait_fibre_impl *p = calloc(1, sizeof *p);
    body->type = &plait_body_fibre, body->response = response, body->impl = p;
    if (!p)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for fibre %d", def->rod.id);
    plait_rod_def own = def->rod;
    if (response->theta < 1)
        plait_fibre_theta_section(response->theta, &own.section);
    plait_rod *rod = p->rod = plait_rod_new(&own, error);
    if (!rod)
        return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_INPUT;
    if (response->couple && !(rod->type->abilities & PLAIT_ROD_TWISTS))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "fibre %d: contact.couple needs a model with twist, %s has none", def->rod.id,
                               rod->type->name);
    p->samples = plait_rod_samples(rod->type, def->samples);
    body->keeps = def->keeps;
    p->material = def->material, p->radius = def->radius, p->drag = rod->section.drag * response->theta;
    measure(body);
    if (!allocate(body) || !measure_segments(p))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for fibre %d", def->rod.id);
    if (!add_beads(p, def->beads, def->bead))
        return plait_error_set(error, PLAIT_BAD_INPUT, "fibre %d: model %s carries no point masses", def->rod.id,
                               rod->type->name);
    for (int e = 0; e < 2; e++)
        p->carrier[e] = def->carrier[e], p->by_cell[e] = def->by_cell[e];
    plait_step_report report;
    plait_status status = PLAIT_OK;
    if (def->start == PLAIT_START_RELAXED) // where it does not settle it starts as it was drawn
        plait_rod_relax(rod, NULL, &report, NULL);
    if (def->start == PLAIT_START_HELD)
        p->asked_to_hold = true, status = plait_rod_hold(rod, &def->hold, &p->hold, error);
    if (status != PLAIT_OK)
        return status;
    if (!plait_fibre_air_begin(p, def))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for fibre %d", def->rod.id);
    if (plait_vec3_dot(def->velocity, def->velocity) + plait_vec3_dot(def->spin, def->spin) > 0)
        plait_rod_kick(rod, def->velocity, def->spin, def->rod.points);
    rod->owned = true;
    if (response->second_order)
        begin_history(body);
    return PLAIT_OK;
}

static void release(plait_body *b)
{
    plait_fibre_impl *p = b->impl;
    if (p) {
        if (p->rod)
            p->rod->owned = false;
        plait_rod_free(p->rod);
        free(p->memory);
        free(p->given), free(p->pose);
    }
    free(p);
}

static void bind(plait_body *b)
{
    plait_rod_use_state(plait_fibre_of(b)->rod, b->state);
    if (plait_fibre_of(b)->whole)
        plait_fibre_bdf2_bind(b);
}

static const char *check(const plait_body *b, const double *state, double time)
{
    double own = state[plait_fibre_of(b)->rod->state_size];
    return fabs(own - time) > 1e-6 * (1 + fabs(time)) ? "a rod's time is not that of the state" : NULL;
}

static void describe(const plait_body *b, plait_chain_geometry *chain, double *arc)
{
    const plait_fibre_impl *p = b->impl;
    chain->radius = p->radius, chain->material = p->material;
    arc[0] = 0;
    for (int n = 1; n < b->nodes; n++)
        arc[n] = arc[n - 1] + p->rest[(n - 1) / p->samples] / p->samples;
}

// ---- loads ----------------------------------------------------------------------------------------------------------

static bool attach(plait_body *b, const plait_shape_geometry *shapes, plait_binder *binder)
{
    plait_fibre_impl *p = b->impl;
    for (int e = 0; e < 2; e++) {
        const plait_end *end = &p->rod->end[e];
        p->rod->carried[e] = p->carrier[e] && end->kind != PLAIT_END_FREE;
        if (!p->rod->carried[e])
            continue;
        const plait_shape_geometry *shape = p->carrier[e]->shape;
        plait_binder *mine = &binder[shape - shapes];
        plait_cell cell = {.triangle = -1};
        if (p->by_cell[e]) {
            if (!plait_binder_set(mine, shape)) // nothing to do the second time
                return false;
            cell = plait_binder_nearest(mine, shape, end->position);
        }
        plait_anchor_set(&p->anchor[e], shape, &cell, end->position, end->tangent, end->director);
    }
    return true;
}

static void follow_carriers(plait_body *b, const plait_body *from, int count, const plait_body *to)
{
    plait_fibre_impl *p = b->impl;
    for (int e = 0; e < 2; e++) {
        if (p->carrier[e] >= from && p->carrier[e] < from + count)
            p->carrier[e] = to + (p->carrier[e] - from);
        if (p->skin[e].body >= from && p->skin[e].body < from + count)
            p->skin[e].body = to + (p->skin[e].body - from);
    }
}

const plait_hold_report *plait_fibre_hold(const plait_body *b)
{
    const plait_fibre_impl *p = b->impl;
    return p->asked_to_hold ? &p->hold : NULL;
}

const plait_cell *plait_fibre_bound(const plait_body *b, int e, const plait_body **carrier)
{
    const plait_fibre_impl *p = b->impl;
    *carrier = p->carrier[e];
    bool bound = p->rod->carried[e] && p->anchor[e].cell.triangle >= 0;
    return bound ? &p->anchor[e].cell : NULL;
}

static void follow(plait_fibre_impl *p, int e)
{
    plait_end end = p->rod->end[e];
    if (!p->rod->carried[e])
        return;
    plait_anchor_at(&p->anchor[e], p->carrier[e]->shape, end.position, end.tangent, end.director);
    plait_rod_place_end(p->rod, e, &end, NULL);
}

static void load(plait_body *b, const plait_world *world)
{
    plait_fibre_impl *p = b->impl;
    for (int e = 0; e < 2; e++)
        follow(p, e);
    // Drag pulls towards the velocity of the air: drag (wind - v); the part with v belongs to the model.
    for (int k = 0; k < 3; k++)
        p->rod->gravity[k] = p->rod->told_gravity[k] + p->drag * world->wind[k];
    plait_fibre_air(p, world);
}

static void restart(plait_body *b, double time)
{
    b->state[plait_fibre_of(b)->rod->state_size] = time;
}

// ---- motion ---------------------------------------------------------------------------------------------------------

static void nodes(const plait_body *b, double *x)
{
    plait_rod_nodes(plait_fibre_of(b)->rod, plait_fibre_of(b)->samples, x);
}

static void velocities(const plait_body *b, double *u)
{
    plait_rod_node_velocities(plait_fibre_of(b)->rod, plait_fibre_of(b)->samples, u);
}

// Impulse response: contacts act through the mass alone, and on top of the unconstrained velocity.
static bool mass_alone(plait_body *b, const double *v)
{
    plait_rod *rod = plait_fibre_of(b)->rod;
    memset(rod->v, 0, (size_t)rod->dofs * sizeof *rod->v);
    if (!rod->type->linearise(rod, PLAIT_NO_TIME, rod->v, &(plait_rod_linear){.M = b->M, .held = b->held}))
        return false;
    memset(b->f, 0, (size_t)rod->dofs * sizeof *b->f);
    plait_fibre_multiply(b, v, b->f);
    return true;
}

static const char *step_alone(plait_body *b, double dt, double *v)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    plait_step_report report = {0};
    if (plait_fibre_lean(b, dt, v))
        return NULL;
    if (!rod->type->predict(rod, dt, &b->response->own, &report))
        return report.reason ? report.reason : "a fibre's own equations were not solved";
    memcpy(v, rod->v, (size_t)rod->dofs * sizeof *v);
    if (p->start &&
        !(plait_fibre_theta_begin(b, dt) && plait_fibre_linearise(b, dt, v) && plait_fibre_theta_velocity(b, v)))
        return "a fibre's matrix is not positive definite";
    if (b->response->mass_alone)
        return mass_alone(b, v) ? NULL : "a fibre's mass is not positive";
    bool pressed = p->pressed;
    p->pressed = false; // they are not there yet
    if (!plait_fibre_linearise(b, dt, v))
        return "a fibre's matrix is not positive definite";
    p->pressed = pressed;
    return !pressed || plait_fibre_settle(b, dt, v) ? NULL : "a fibre's matrix is not positive definite";
}

// Integrator bdf2: implicit Euler after all, if it would gain energy.
static const char *predict(plait_body *b, double dt, double *v)
{
    const plait_fibre_impl *p = b->impl;
    if (!p->whole)
        return step_alone(b, dt, v);
    plait_fibre_bdf2_begin(b, dt);
    const char *wrong = step_alone(b, dt, v);
    if (p->second.kappa == 1 || (!wrong && !plait_fibre_bdf2_gains(b, dt, v)))
        return wrong;
    b->restart = true, b->elsewhere = false;
    plait_fibre_bdf2_rewind(b);
    plait_fibre_bdf2_begin(b, dt);
    return step_alone(b, dt, v);
}

static bool stiffen(plait_body *b, double time)
{
    plait_rod *rod = plait_fibre_of(b)->rod;
    memset(b->f, 0, (size_t)rod->dofs * sizeof *b->f);
    return rod->type->linearise(rod, time, b->f, &(plait_rod_linear){.M = b->M, .held = b->held});
}

// ---- impacts --------------------------------------------------------------------------------------------------------

// rel <- v less the translation of a held end, which nothing resists; that is what is left in v's place in `whole`.
static void split(const plait_body *b, const double *v, double *rel, double *whole)
{
    const plait_rod *rod = plait_fibre_of(b)->rod;
    int last = b->dofs - 3, stride = rod->stride;
    const double *held = b->held[0] ? v : stride > 0 && b->held[last] ? v + last : NULL;
    memset(whole, 0, (size_t)b->dofs * sizeof *whole);
    for (int at = 0; held && at <= last; at += stride) {
        plait_vec3_copy(held, whole + at);
        if (stride == 0)
            break;
    }
    for (int d = 0; d < b->dofs; d++)
        rel[d] = v[d] - whole[d];
}

// M v' = m v + impulses, as a step from rest in its shape: elastic forces spread what hits one place over what moves
// along in dt. (With the mass alone the node that is hit would bounce by itself, and the rest of the rod would press it
// down again.)
static bool strike(plait_body *b, double dt, double *v)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    if (p->jacobian)
        plait_fibre_trace(b);
    rod->type->get_v(rod, v);
    split(b, v, p->room, p->room + b->dofs);
    if (!mass_alone(b, p->room))
        return false;
    memset(rod->v, 0, (size_t)rod->dofs * sizeof *rod->v);
    if (!rod->type->linearise(rod, dt, rod->v, &(plait_rod_linear){.M = b->M, .held = b->held}))
        return false;
    plait_fibre_multiply(b, p->room + b->dofs, b->f);
    return true;
}

static void rebound(plait_body *b, const double *v)
{
    plait_rod *rod = plait_fibre_of(b)->rod;
    rod->type->set_v(rod, v);
}

// ---- judgement ------------------------------------------------------------------------------------------------------

static double stretch(const plait_body *b)
{
    double worst = 0;
    if (!(plait_fibre_of(b)->rod->type->abilities & PLAIT_ROD_STRETCHES))
        return 0;
    for (int n = 0; n + 1 < b->nodes; n++) {
        double d[3];
        plait_vec3_sub(b->x1 + 3 * (n + 1), b->x1 + 3 * n, d);
        worst = fmax(worst, fabs(plait_vec3_norm(d) / (b->arc[n + 1] - b->arc[n]) - 1));
    }
    return worst;
}

// How fast edges grow, relative to their natural lengths.
static double stretch_rate(const plait_body *b, double dt)
{
    double fastest = 0;
    for (int n = 0; n + 1 < b->nodes; n++) {
        double before[3], now[3];
        plait_vec3_sub(b->x0 + 3 * n + 3, b->x0 + 3 * n, before);
        plait_vec3_sub(b->x1 + 3 * n + 3, b->x1 + 3 * n, now);
        fastest = fmax(fastest, (plait_vec3_norm(now) - plait_vec3_norm(before)) / (dt * (b->arc[n + 1] - b->arc[n])));
    }
    return fastest;
}

// By stretch. Models without it by how far their nodes miss where the linearised motion leads, since that becomes
// penetration.
static double doubt(plait_body *b, double dt, const double *v)
{
    const plait_response *r = b->response;
    plait_fibre_impl *p = b->impl;
    if (b->curved) {
        bool there = p->rod->type->accept(p->rod, dt, v);
        double miss = there ? plait_fibre_miss(b) / ((r->balanced ? MISS_BALANCED : MISS) * p->radius) : INFINITY;
        memcpy(b->state, b->before, (size_t)b->state_size * sizeof *b->state);
        return miss / r->stretch;
    }
    if (r->stretch_rate > 0)
        return stretch_rate(b, dt) / r->stretch_rate;
    return stretch(b) / r->stretch;
}

static const char *accept(plait_body *b, double dt, const double *v)
{
    plait_fibre_impl *p = b->impl;
    bool ok = p->rod->type->accept(p->rod, dt, v);
    *plait_rod_clock(p->rod) += dt;
    if (p->whole)
        plait_fibre_bdf2_end(b, dt, v);
    p->miss = plait_fibre_miss(b) / (b->arc[1] - b->arc[0]);
    if (!ok)
        return "an edge or a hinge collapses";
    return p->miss < LARGEST_MISS ? NULL : "a fibre turns too far for its linearised motion";
}

static bool shift(plait_body *b, double dt, const double *psi)
{
    plait_rod *rod = plait_fibre_of(b)->rod;
    return rod->type->shift(rod, dt, psi);
}

static plait_body_energies energy(const plait_body *b)
{
    const plait_rod *rod = plait_fibre_of(b)->rod;
    plait_rod_energies e = rod->type->energy(rod);
    return (plait_body_energies){e.kinetic, e.stretch + e.bend + e.twist, e.weight};
}

const plait_body_type plait_body_fibre = {
    .name = "fibre",
    .free = release,
    .bind = bind,
    .check = check,
    .attach = attach,
    .follow = follow_carriers,
    .turn_with = plait_fibre_turn_with,
    .restart = restart,
    .drive = plait_fibre_drive,
    .load = load,
    .describe = describe,
    .trace = plait_fibre_trace,
    .nodes = nodes,
    .velocities = velocities,
    .predict = predict,
    .linearise = plait_fibre_linearise,
    .tangent = plait_fibre_tangent,
    .stiffen = stiffen,
    .strike = strike,
    .rebound = rebound,
    .rewind = plait_fibre_bdf2_rewind,
    .limb = plait_fibre_limb,
    .section = plait_fibre_section,
    .point_velocity = plait_fibre_point_velocity,
    .move = plait_fibre_move,
    .stretch = stretch,
    .fastest = plait_fibre_fastest,
    .doubt = doubt,
    .balance = plait_fibre_balance,
    .retract = plait_fibre_retract,
    .press = plait_fibre_press,
    .accept = accept,
    .shift = shift,
    .energy = energy,
    .account = plait_fibre_account,
};
