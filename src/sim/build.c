// build.c: from a scene to a simulation at rest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "math/cholesky.h"
#include "sim/bonds.h"
#include "sim/cell.h"
#include "sim/joints.h"
#include "sim/loads.h"
#include "sim/measure.h"

enum { SMALL = 3000 }; // dofs: less are not worth a second thread

// ---- a copy of what is kept of the scene ----------------------------------------------------------------------------

static void *copy_of(const void *data, size_t count, size_t size, bool *ok)
{
    void *copy = malloc(count * size + 1);
    if (copy && count > 0)
        memcpy(copy, data, count * size);
    *ok &= copy != NULL;
    return copy;
}

static void copy_shape(plait_shape *s, bool *ok)
{
    size_t points = (size_t)s->points;
    s->point = s->point ? copy_of(s->point, 3 * points, sizeof *s->point, ok) : NULL;
    s->triangle = s->triangle ? copy_of(s->triangle, 3 * (size_t)s->triangles, sizeof *s->triangle, ok) : NULL;
    s->frame = s->frame ? copy_of(s->frame, 3 * points * (size_t)s->frames, sizeof *s->frame, ok) : NULL;
}

// Everything but fibres, groups, soft bodies and texts. Freed by plait_scene_free.
static plait_scene *copy_scene(const plait_scene *scene)
{
    bool ok = true;
    plait_scene *copy = copy_of(scene, 1, sizeof *scene, &ok);
    if (!ok)
        return NULL;
    copy->title = copy->reproduces = copy->text = NULL;
    copy->fibres = copy->groups = 0;
    copy->groom = NULL;
    copy->cloths = copy->solids = 0;
    copy->fibre = NULL, copy->group = NULL, copy->cloth = copy->solid = NULL;
    size_t m = (size_t)scene->materials;
    copy->material = copy_of(scene->material, m, sizeof *scene->material, &ok);
    copy->mu = copy_of(scene->mu, m * m, sizeof *scene->mu, &ok);
    copy->restitution = copy_of(scene->restitution, m * m, sizeof *scene->restitution, &ok);
    copy->adhesion = scene->adhesion ? copy_of(scene->adhesion, m * m, sizeof *scene->adhesion, &ok) : NULL;
    copy->tie = copy_of(scene->tie, (size_t)scene->ties, sizeof *scene->tie, &ok);
    copy->joint = copy_of(scene->joint, (size_t)scene->joints, sizeof *scene->joint, &ok);
    copy->load = copy_of(scene->load, (size_t)scene->loads, sizeof *scene->load, &ok);
    for (int i = 0; copy->load && i < scene->loads; i++) {
        plait_course *c = &copy->load[i].course;
        c->time = copy_of(c->time, (size_t)c->points, sizeof *c->time, &ok);
        c->value = copy_of(c->value, (size_t)c->points, sizeof *c->value, &ok);
    }
    copy->measure = copy_of(scene->measure, (size_t)scene->measures, sizeof *scene->measure, &ok);
    copy->collider = copy_of(scene->collider, (size_t)scene->colliders, sizeof *scene->collider, &ok);
    copy->rigid = copy_of(scene->rigid, (size_t)scene->rigids, sizeof *scene->rigid, &ok);
    for (int i = 0; copy->collider && i < scene->colliders; i++) {
        plait_collider *c = &copy->collider[i];
        copy_shape(&c->shape, &ok);
        c->motion.key = copy_of(c->motion.key, (size_t)c->motion.keys, sizeof *c->motion.key, &ok);
        c->motion.drive = copy_of(c->motion.drive, (size_t)c->motion.drives, sizeof *c->motion.drive, &ok);
    }
    for (int i = 0; copy->rigid && i < scene->rigids; i++)
        copy_shape(&copy->rigid[i].shape, &ok);
    if (ok)
        return copy;
    // Only memory can be short here: what was not copied must not be freed with the copy.
    copy->colliders = copy->collider ? scene->colliders : 0;
    copy->rigids = copy->rigid ? scene->rigids : 0;
    copy->loads = copy->load ? scene->loads : 0;
    plait_scene_free(copy);
    return NULL;
}

// ---- the list of bodies ---------------------------------------------------------------------------------------------

plait_body *plait_sim_body(const plait_model *m, const plait_body_type *type, int i)
{
    for (int k = 0; plait_sim_kinds[k]; k++)
        if (plait_sim_kinds[k]->type == type)
            return &m->body[m->first_of[k] + i];
    return NULL;
}

// Hands out pieces of one allocation: first counted (base NULL), then laid out.
typedef struct piece {
    char *base;
    size_t used;
} piece;

static void *take(piece *p, size_t count, size_t size)
{
    void *at = p->base ? p->base + p->used : NULL;
    p->used += (count * size + 15) / 16 * 16;
    return at;
}

static plait_status build_bodies(plait_model *m, const plait_scene *scene, plait_error *error)
{
    for (int k = 0; plait_sim_kinds[k]; k++) {
        m->first_of[k] = m->bodies;
        m->bodies += plait_sim_kinds[k]->count(scene);
    }
    size_t count = (size_t)m->bodies + 1;
    m->body = calloc(count, sizeof *m->body);
    m->kind = calloc(count, sizeof *m->kind);
    if (!m->body || !m->kind)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d bodies", m->bodies);
    for (int k = 0, b = 0; plait_sim_kinds[k]; k++)
        for (int i = 0; i < plait_sim_kinds[k]->count(scene); i++, b++) {
            m->kind[b] = plait_sim_kinds[k];
            m->body[b].id = i;
            plait_status status = plait_sim_kinds[k]->build(m, scene, i, &m->body[b], error);
            if (status != PLAIT_OK)
                return status;
        }
    return PLAIT_OK;
}

static void count_parts(plait_model *m)
{
    m->dofs = m->nodes = m->chains = m->skins = m->shapes = m->columns = 0, m->curved = false;
    m->cell = -1;
    for (int b = 0; b < m->bodies; b++) {
        const plait_body *body = &m->body[b];
        m->dofs += body->dofs, m->nodes += body->nodes;
        m->chains += body->nodes > 0 && !body->skin, m->skins += body->skin != NULL, m->shapes += body->shaped;
        m->curved |= body->curved;
        m->columns = body->columns > m->columns ? body->columns : m->columns;
        m->cell = body->type == &plait_body_cell ? b : m->cell;
    }
    m->cell_moves = m->cell >= 0 && plait_cell_is_free(&m->body[m->cell], -1);
}

static void lay_out_model(plait_model *m, piece *p)
{
    size_t bodies = (size_t)m->bodies, chains = (size_t)m->chains;
    m->first_dof = take(p, bodies + 1, sizeof *m->first_dof);
    m->chain_body = take(p, chains + 1, sizeof *m->chain_body);
    m->shape_body = take(p, (size_t)m->shapes + 1, sizeof *m->shape_body);
    m->chain = take(p, chains + 1, sizeof *m->chain);
    m->first_node = take(p, chains + 1, sizeof *m->first_node);
    m->skin_body = take(p, (size_t)m->skins + 1, sizeof *m->skin_body);
    m->skin = take(p, (size_t)m->skins + 1, sizeof *m->skin);
    m->first_skin_node = take(p, (size_t)m->skins + 1, sizeof *m->first_skin_node);
    m->radius = take(p, chains + 1, sizeof *m->radius);
    m->arc = take(p, (size_t)m->nodes + 1, sizeof *m->arc);
}

static void lay_out_work(const plait_model *m, plait_work *w, piece *p)
{
    size_t bodies = (size_t)m->bodies + 1, dofs = (size_t)m->dofs + 1, nodes = 3 * (size_t)m->nodes + 1;
    w->mark = take(p, bodies, sizeof *w->mark);
    w->secant = take(p, m->scene->stepping.arc > 0 ? dofs : 0, sizeof *w->secant);
    w->body_dof = take(p, bodies, sizeof *w->body_dof);
    w->body_place = take(p, bodies, sizeof *w->body_place);
    w->shape = take(p, (size_t)m->shapes + 1, sizeof *w->shape);
    w->otherwise = take(p, (size_t)m->chains + 1, sizeof *w->otherwise);
    w->seen_x1 = take(p, nodes, sizeof *w->seen_x1);
    double **nodal[] = {&w->x0, &w->x1, &w->u0}, **general[] = {&w->v, &w->v_free, &w->problem_v};
    for (int k = 0; k < 3; k++) {
        *nodal[k] = take(p, nodes, sizeof(double));
        *general[k] = take(p, dofs, sizeof(double));
    }
}

// What a body is given: M, f, held, the state at the start of a step.
static void lay_out_bodies(const plait_model *m, plait_work *w, piece *p)
{
    w->saved = take(p, 0, 0); // the first piece
    for (int b = 0; b < m->bodies; b++)
        m->body[b].before = take(p, 0, 0), p->used += (size_t)m->body[b].state_size * sizeof(double);
    p->used = (p->used + 15) / 16 * 16;
    w->unstruck = take(p, p->used, 1); // as much: it is the first piece
    for (int b = 0; b < m->bodies; b++) {
        plait_body *body = &m->body[b];
        size_t dofs = (size_t)body->dofs;
        size_t entries = body->plan ? (size_t)body->plan->entries : dofs * ((size_t)body->bandwidth + 1);
        body->M = take(p, entries, sizeof *body->M);
        body->f = take(p, dofs, sizeof *body->f);
        body->held = take(p, dofs, 1);
        body->about = take(p, dofs, sizeof *body->about);
    }
}

static bool allocate(plait_model *m, plait_work *w)
{
    piece model = {0}, work = {0}, bodies = {0};
    lay_out_model(m, &model), lay_out_work(m, w, &work), lay_out_bodies(m, w, &bodies);
    m->memory = calloc(1, model.used), w->memory[0] = calloc(1, work.used), w->memory[1] = calloc(1, bodies.used + 16);
    w->detector = plait_detector_new(), w->pool = w->pool ? w->pool : plait_pool_new();
    if (!m->memory || !w->memory[0] || !w->memory[1] || !w->detector || !w->pool)
        return false;
    model = (piece){m->memory, 0}, work = (piece){w->memory[0], 0}, bodies = (piece){w->memory[1], 0};
    lay_out_model(m, &model), lay_out_work(m, w, &work), lay_out_bodies(m, w, &bodies);
    return true;
}

static void give_nodes(const plait_model *m, const plait_work *w, plait_body *body, int *nodes)
{
    ptrdiff_t at = 3 * (ptrdiff_t)*nodes;
    body->x0 = w->x0 + at, body->x1 = w->x1 + at, body->u0 = w->u0 + at;
    body->arc = m->arc + *nodes;
    *nodes += body->nodes;
}

// Numbers dofs, nodes and surfaces; bodies get their nodes and shapes. Nodes of chains come before those of skins,
// scripted shapes before those that move.
static void number(plait_model *m, plait_work *w)
{
    int nodes = 0, chains = 0, shapes = 0, skins = 0;
    for (int b = 0; b < m->bodies; b++) {
        m->first_dof[b + 1] = m->first_dof[b] + m->body[b].dofs;
        if (m->body[b].skin)
            continue;
        if (m->body[b].nodes > 0)
            m->chain_body[chains++] = b;
        give_nodes(m, w, &m->body[b], &nodes);
        m->first_node[chains] = nodes;
    }
    m->first_skin_node[0] = nodes;
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].skin) {
            m->skin[skins] = (plait_skin_geometry){m->body[b].skin, nodes, m->body[b].nodes};
            give_nodes(m, w, &m->body[b], &nodes);
            m->skin_body[skins++] = b;
            m->first_skin_node[skins] = nodes;
        }
    for (int moves = 0; moves < 2; moves++)
        for (int b = 0; b < m->bodies; b++)
            if (m->body[b].shaped && (m->body[b].dofs > 0) == moves) {
                m->body[b].shape = &w->shape[shapes];
                m->shape_body[shapes++] = b;
            }
}

bool plait_sim_lay_out(plait_model *m, plait_work *w)
{
    count_parts(m);
    if (!allocate(m, w))
        return false;
    number(m, w);
    return true;
}

void plait_sim_size_up(plait_model *m, const plait_scene *scene)
{
    const plait_detecting *d = &scene->detecting;
    double thinnest = INFINITY, shortest = INFINITY;
    for (int i = 0; i < m->chains; i++) {
        const plait_body *body = &m->body[m->chain_body[i]];
        plait_chain_geometry *chain = &m->chain[i];
        body->type->describe(body, chain, m->arc + m->first_node[i]);
        double apart = d->self_arc > 0 ? d->self_arc : fmax(8 * chain->radius, 2.5 * body->edge);
        chain->first = m->first_node[i], chain->nodes = body->nodes;
        for (int e = 0; e < 2 && body->id < scene->fibres; e++)
            chain->carrier[e] = scene->fibre[body->id].soft[e];
        chain->self_arc = d->self ? apart : INFINITY;
        m->radius[i] = chain->radius;
    }
    for (int b = 0; b < m->bodies; b++)
        thinnest = fmin(thinnest, m->body[b].fine), shortest = fmin(shortest, m->body[b].edge);
    bool continuous = d->mode & PLAIT_DETECT_CONTINUOUS;
    m->proximity = d->proximity > 0 ? d->proximity : isfinite(thinnest) ? thinnest / 2 : 1e-3;
    m->spacing = d->spacing;
    m->max_move = scene->stepping.max_move;
    if (m->max_move <= 0)
        m->max_move = m->chains + m->skins == 0 ? INFINITY : continuous ? shortest : 4 * thinnest;
    for (int i = 0; i < scene->materials * scene->materials; i++)
        m->bounces |= scene->restitution[i] > 0;
}

// ---- all of it ------------------------------------------------------------------------------------------------------

static plait_response response(const plait_stepping *s)
{
    return (plait_response){.own = s->rod,
                            .second_order = s->integrator == PLAIT_INTEGRATOR_BDF2,
                            .theta = s->theta,
                            .mass_alone = s->scheme == PLAIT_SCHEME_IMPULSE,
                            .follows = s->scheme == PLAIT_SCHEME_ADONIS || s->scheme == PLAIT_SCHEME_BALANCED,
                            .balanced = s->scheme == PLAIT_SCHEME_BALANCED,
                            .stretch = s->nonlinear,
                            .stretch_rate = s->nonlinear_rate};
}

static plait_status build(plait_sim *sim, const plait_scene *scene, plait_error *error)
{
    plait_model *m = &sim->model;
    plait_work *w = &sim->work;
    plait_stop_start(&w->stop, NULL, NULL, 0, false); // until somebody asks
    w->last_energy = NAN;
    m->scene = copy_scene(scene);
    if (!m->scene)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d fibres", scene->fibres);
    m->response = response(&scene->stepping);
    m->response.couple = scene->detecting.couple;
    for (int i = 0; i < scene->joints; i++)
        m->response.turns |= scene->joint[i].kind != PLAIT_JOINT_BALL || scene->joint[i].placed;
    plait_status status = build_bodies(m, scene, error);
    if (status != PLAIT_OK)
        return status;
    if (!plait_sim_lay_out(m, w) || !plait_state_allocate(&sim->state, m, 0))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d nodes", m->nodes);
    sim->state.value[PLAIT_AT_TIME] = sim->state.value[PLAIT_AT_SCRIPT] = scene->output.start;
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->restart)
            m->body[b].type->restart(&m->body[b], scene->output.start);
    status = plait_sim_anchor(m, w, error);
    if (status != PLAIT_OK)
        return status;
    plait_sim_size_up(m, scene);
    if (!plait_air_new(&w->air, m))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the wind around %d nodes", m->nodes);
    sim->state.value[PLAIT_AT_DT_NEXT] = scene->stepping.dt;
    w->team = PLAIT_ALONE; // nobody has said yet how many may be begun
    plait_sim_place(m, &sim->state, w, 0);
    plait_sim_set_threads(sim, 0);
    status = plait_rest_find(&m->rest, m, w, error);
    if (status == PLAIT_OK)
        status = plait_sim_tie_up(sim, scene, error);
    if (status == PLAIT_OK)
        status = plait_sim_tie_roots(sim, scene, error);
    if (status == PLAIT_OK)
        status = plait_sim_join(sim, scene, error);
    if (status == PLAIT_OK)
        status = plait_sim_loads_find(sim, scene, error);
    return status == PLAIT_OK ? plait_sim_measures_find(sim, scene, error) : status;
}

plait_sim *plait_sim_new(const plait_scene *scene, plait_error *error)
{
    if (plait_scene_check(scene, error) != PLAIT_OK)
        return NULL;
    plait_sim *sim = calloc(1, sizeof *sim);
    if (!sim) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a simulation");
        return NULL;
    }
    if (build(sim, scene, error) == PLAIT_OK)
        return sim;
    plait_sim_free(sim);
    return NULL;
}

static void free_work(plait_work *w)
{
    plait_detector_free(w->detector);
    plait_sim_loads_free(w->loads);
    plait_sim_measures_free(w->measures);
    plait_touches_free(&w->touches), plait_touches_free(&w->missed), plait_touches_free(&w->previous);
    plait_solution_free(w->solution);
    plait_bonds_free(&w->bonds), plait_bonds_free(&w->bonds_next);
    free(w->air.open), free(w->air.node);
    plait_pool_free(w->pool), plait_arena_free(&w->arena);
    free(w->frame), free(w->gap_term), free(w->law), free(w->law_number), free(w->memory[0]), free(w->memory[1]);
}

void plait_sim_free(plait_sim *sim)
{
    if (!sim)
        return;
    plait_model *m = &sim->model;
    plait_problem_free(sim->work.problem), sim->work.problem = NULL; // it may hold what bodies have lent it
    for (int b = 0; m->body && b < m->bodies; b++)
        if (m->body[b].type)
            m->body[b].type->free(&m->body[b]);
    free_work(&sim->work);
    plait_scene_free(m->scene);
    plait_rest_free(&m->rest);
    free(m->body), free(m->kind), free(m->memory), free(sim->state.value);
    plait_shown_free(sim->nodes_view), plait_shown_free(sim->contacts_view), plait_shown_free(sim->bonds_view),
        free(sim);
}

void plait_sim_set_stop(plait_sim *sim, bool (*asked)(void *data), void *data)
{
    sim->work.asked = asked, sim->work.asked_data = data;
}

void plait_sim_set_stop_interval(plait_sim *sim, double seconds)
{
    sim->work.ask_every = seconds > 0 ? seconds : 0;
}

void plait_sim_set_threads(plait_sim *sim, int threads)
{
    sim->work.told_threads = threads;
    // Waiting for each other would take longer than the work of a small scene.
    sim->work.team = plait_team_if(sim->model.dofs >= SMALL, plait_team_of(threads));
}
