// grow.c: fibres that come and go between two steps.
//
// The list of bodies is made anew, with the same bodies in it: what they are and their states move, nothing is computed
// again. Fibres that stay keep their order and move up; contacts and bonds of those that go are gone, those of the
// others are carried on. Everything that can fail comes first, on copies; then the old list is exchanged for the new
// one.
#include <stdlib.h>
#include <string.h>

#include "body/fibre.h"
#include "sim/bonds.h"
#include "sim/loads.h"
#include "sim/measure.h"

// What is being made.
typedef struct growth {
    plait_sim *sim;
    plait_model model;
    plait_work work;
    plait_state state;
    int kind;   // fibres
    int before; // fibres there were
    int *place; // [old bodies] in the new list, -1: gone
    int *chain; // [old chains] the same for chains of nodes
    int added;
    plait_body *body; // [added]
} growth;

static int fibre_kind(void)
{
    int k = 0;
    while (plait_sim_kinds[k]->type != &plait_body_fibre)
        k++;
    return k;
}

static int fibres_of(const plait_model *m, int kind)
{
    return (plait_sim_kinds[kind + 1] ? m->first_of[kind + 1] : m->bodies) - m->first_of[kind];
}

// The new list: bodies that stay, with the new ones behind the fibres that stay. False without memory.
static bool make_list(growth *g, const unsigned char *gone)
{
    const plait_model *old = &g->sim->model;
    plait_model *m = &g->model;
    int first = old->first_of[g->kind], stay = 0, to = 0;
    for (int i = 0; i < g->before; i++)
        stay += !gone || !gone[i];
    int change = stay + g->added - g->before;
    m->bodies = old->bodies + change;
    m->body = calloc((size_t)m->bodies + 1, sizeof *m->body);
    m->kind = calloc((size_t)m->bodies + 1, sizeof *m->kind);
    g->place = malloc(((size_t)old->bodies + 1) * sizeof *g->place);
    g->chain = malloc(((size_t)old->chains + 1) * sizeof *g->chain);
    if (!m->body || !m->kind || !g->place || !g->chain)
        return false;
    for (int k = g->kind + 1; k < PLAIT_SIM_KINDS; k++)
        m->first_of[k] += change;
    for (int b = 0; b <= old->bodies; b++) {
        for (int i = 0; b == first + g->before && i < g->added; i++, to++)
            m->body[to] = g->body[i], m->kind[to] = plait_sim_kinds[g->kind], m->body[to].id = stay + i;
        if (b == old->bodies)
            break;
        bool fibre = b >= first && b < first + g->before;
        g->place[b] = fibre && gone && gone[b - first] ? -1 : to;
        if (g->place[b] < 0)
            continue;
        m->body[to] = old->body[b], m->kind[to] = old->kind[b];
        if (fibre)
            m->body[to].id = to - first;
        to++;
    }
    return true;
}

static void number_chains(growth *g)
{
    const plait_model *old = &g->sim->model, *m = &g->model;
    for (int i = 0; i < old->chains; i++) {
        int b = g->place[old->chain_body[i]], lo = 0, hi = m->chains - 1;
        g->chain[i] = -1;
        while (b >= 0 && lo <= hi) { // chains ascend with bodies
            int mid = lo + (hi - lo) / 2;
            if (m->chain_body[mid] == b)
                g->chain[i] = mid, lo = hi + 1;
            else if (m->chain_body[mid] < b)
                lo = mid + 1;
            else
                hi = mid - 1;
        }
    }
}

// What bodies know of each other by address: those before the fibres and those behind have moved as two pieces.
static void follow(const growth *g, plait_body *body)
{
    const plait_model *old = &g->sim->model, *m = &g->model;
    int first = old->first_of[g->kind], behind = first + g->before, now = m->bodies - (old->bodies - behind);
    if (!body->type->follow)
        return;
    body->type->follow(body, old->body, first, m->body);
    body->type->follow(body, old->body + behind, old->bodies - behind, m->body + now);
}

// New fibres begin now, and are bound to what carries them where it is now. False without memory.
static bool begin(growth *g)
{
    const plait_model *m = &g->model;
    double now = plait_state_time(&g->sim->state);
    plait_binder *binder = calloc((size_t)m->shapes + 1, sizeof *binder);
    bool ok = binder != NULL;
    for (int b = 0; ok && g->added > 0 && b < m->bodies; b++)
        if (m->body[b].type->drive)
            m->body[b].type->drive(&m->body[b], now, 0);
    int first = m->first_of[g->kind], fibres = fibres_of(m, g->kind);
    for (int b = first + fibres - g->added; ok && b < first + fibres; b++) {
        plait_rod *rod = plait_fibre_rod(&m->body[b]);
        *plait_rod_clock(rod) = now, rod->id = m->body[b].id;
        follow(g, &m->body[b]);
        if (m->body[b].type->attach)
            ok = m->body[b].type->attach(&m->body[b], g->work.shape, binder);
    }
    for (int i = 0; binder && i < m->shapes; i++)
        plait_binder_free(&binder[i]);
    free(binder);
    return ok;
}

// Contacts of fibres that went are gone, the others have new numbers.
static void carry_contacts(const growth *g, plait_work *w)
{
    int kept = 0;
    plait_bonds_cut(&w->bonds, 0);
    for (int i = 0; i < w->previous.count; i++) {
        plait_touch t = w->previous.touch[i];
        bool stays = true;
        for (int k = 0; k < 2; k++)
            if (!t.side[k].on_shape && !t.side[k].on_skin) {
                t.side[k].index = g->chain[t.side[k].index];
                stays = stays && t.side[k].index >= 0;
            }
        if (!stays)
            continue;
        w->previous.touch[kept] = t, plait_bonds_keep(&w->bonds, i);
        kept++;
    }
    w->previous.count = kept;
}

static void free_half(growth *g)
{
    for (int i = 0; i < g->added; i++)
        if (g->body[i].type)
            g->body[i].type->free(&g->body[i]);
    free(g->model.body), free(g->model.kind), free(g->model.memory), free(g->work.memory[0]), free(g->work.memory[1]);
    plait_detector_free(g->work.detector);
}

// From here on nothing fails.
static void exchange(growth *g)
{
    plait_sim *sim = g->sim;
    plait_model old = sim->model;
    plait_work before = sim->work;
    plait_state *s = &sim->state, *t = &g->state;
    number_chains(g);
    for (int b = 0; b < old.bodies; b++)
        if (g->place[b] >= 0)
            follow(g, &g->model.body[g->place[b]]);
        else
            old.body[b].type->free(&old.body[b]);
    double chains = t->value[PLAIT_AT_CHAINS], others = t->value[PLAIT_AT_OTHERS];
    memcpy(t->value, s->value, PLAIT_STATE_HEAD * sizeof *t->value);
    t->value[PLAIT_AT_CHAINS] = chains, t->value[PLAIT_AT_OTHERS] = others;
    free(s->value), free(old.body), free(old.kind), free(old.memory);
    free(before.memory[0]), free(before.memory[1]), plait_detector_free(before.detector);
    sim->model = g->model, sim->work = g->work, sim->state = g->state;
    plait_work *w = &sim->work;
    plait_pool *pool = plait_pool_enter(w->pool);
    plait_problem_free(w->problem), plait_solution_free(w->solution);
    plait_pool_enter(pool);
    w->problem = NULL, w->solution = NULL, w->contacts_shown = false;
    for (int i = 0; i < fibres_of(&sim->model, g->kind); i++) {
        const plait_body *body = plait_sim_body(&sim->model, &plait_body_fibre, i);
        plait_fibre_rod(body)->id = body->id;
    }
    carry_contacts(g, w);
    plait_rest_renumber(&sim->model.rest, g->chain);
    plait_sim_loads_renumber(sim->work.loads, g->chain);
    plait_sim_measures_renumber(sim->work.measures, g->chain);
    plait_state_write_contacts(&sim->state, &sim->model, w); // there is room
    plait_sim_set_threads(sim, w->told_threads);
    plait_sim_place(&sim->model, &sim->state, w, 0);
}

static plait_status change(growth *g, const unsigned char *gone, plait_error *error)
{
    plait_sim *sim = g->sim;
    g->model = sim->model, g->work = sim->work;
    g->model.body = NULL, g->model.kind = NULL, g->model.memory = NULL;
    g->work.memory[0] = g->work.memory[1] = NULL, g->work.detector = NULL;
    bool ok = make_list(g, gone) && plait_sim_lay_out(&g->model, &g->work) && begin(g) &&
              plait_state_allocate(&g->state, &g->model, sim->state.size - sim->state.contacts);
    if (ok) {
        plait_sim_size_up(&g->model, sim->model.scene);
        exchange(g);
    } else {
        free_half(g);
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for another number of fibres");
    }
    free(g->place), free(g->chain);
    return ok ? PLAIT_OK : PLAIT_NO_MEMORY;
}

plait_status plait_sim_add_fibres(plait_sim *sim, int count, const plait_fibre *fibre, plait_error *error)
{
    plait_model *m = &sim->model;
    if (count < 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%d fibres to add: expected a number >= 0", count);
    plait_scene scene = *m->scene; // its materials and colliders
    scene.fibres = count, scene.fibre = (plait_fibre *)fibre, scene.ties = 0;
    plait_status status = plait_scene_check(&scene, error);
    growth g = {.sim = sim, .kind = fibre_kind(), .added = count};
    if (status != PLAIT_OK || count == 0)
        return status;
    g.before = fibres_of(m, g.kind);
    g.body = calloc((size_t)count, sizeof *g.body);
    if (!g.body)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d fibres", count);
    for (int i = 0; i < count && status == PLAIT_OK; i++)
        status = plait_sim_kinds[g.kind]->build(m, &scene, i, &g.body[i], error);
    if (status == PLAIT_OK)
        status = change(&g, NULL, error);
    else
        for (int i = 0; i < count; i++)
            if (g.body[i].type)
                g.body[i].type->free(&g.body[i]);
    free(g.body);
    return status;
}

plait_status plait_sim_remove_fibres(plait_sim *sim, int count, const int *fibre, plait_error *error)
{
    growth g = {.sim = sim, .kind = fibre_kind()};
    g.before = fibres_of(&sim->model, g.kind);
    unsigned char *gone = calloc((size_t)g.before + 1, 1);
    plait_status status =
        gone ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d fibres", g.before);
    for (int i = 0; i < count && status == PLAIT_OK; i++)
        if (fibre[i] < 0 || fibre[i] >= g.before)
            status = plait_error_set(error, PLAIT_BAD_INPUT,
                                     "number %d of the list: fibre %d: there are %d, numbered from 0", i, fibre[i],
                                     g.before);
        else if (gone[fibre[i]]++)
            status =
                plait_error_set(error, PLAIT_BAD_INPUT, "number %d of the list: fibre %d is in it twice", i, fibre[i]);
    if (status == PLAIT_OK && count > 0)
        status = change(&g, gone, error);
    free(gone);
    return status;
}
