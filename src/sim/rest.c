// rest.c: places that overlap at the start and may stay as near as they were. See rest.h.
#include "sim/rest.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sim/sim.h"

static const double THROUGH = 0.9; // of the distance at which surfaces touch: no direction leads out of what is deeper
static const double WINDOW = 1.5;  // links
static const double LEAST = 1e-9;  // of the contact radius: not an overlap

enum { CHAIN, SHAPE, SKIN };
static const int64_t KIND = (int64_t)1 << 32;

static int64_t surface(const plait_side *s)
{
    return (s->on_shape ? SHAPE : s->on_skin ? SKIN : CHAIN) * KIND + s->index;
}

static int compare_surfaces(const int64_t a[2], const int64_t b[2])
{
    for (int k = 0; k < 2; k++)
        if (a[k] != b[k])
            return a[k] < b[k] ? -1 : 1;
    return 0;
}

static int compare(const void *p, const void *q)
{
    const plait_rest_place *a = p, *b = q;
    int order = compare_surfaces(a->surface, b->surface);
    for (int k = 0; k < 2 && order == 0; k++)
        order = a->arc[k] < b->arc[k] ? -1 : a->arc[k] > b->arc[k];
    return order;
}

// A body that says so takes part, or the scene says it of all.
static bool kept(const plait_model *m, const plait_touch *t)
{
    for (int k = 0; k < 2; k++) {
        const plait_body *body = &m->body[plait_sim_owner(m, &t->side[k])];
        if (m->scene->detecting.overlaps == PLAIT_OVERLAPS_KEEP || body->keeps)
            return true;
    }
    return false;
}

static bool wanted(const plait_model *m)
{
    bool any = m->scene->detecting.overlaps == PLAIT_OVERLAPS_KEEP;
    for (int b = 0; b < m->bodies && !any && m->scene->detecting.overlaps == PLAIT_OVERLAPS_AUTO; b++)
        any = m->body[b].keeps;
    return any;
}

static plait_rest_place place_of(const plait_model *m, const plait_touch *t)
{
    plait_rest_place p = {.depth = -t->gap};
    double reach = 0; // between the middle of the fibre, or of the two, and the surface that it touches
    for (int k = 0; k < 2; k++) {
        const plait_side *s = &t->side[k];
        bool chain = !s->on_shape && !s->on_skin;
        p.surface[k] = surface(s), p.arc[k] = chain ? t->arc[k] : 0;
        p.window[k] = chain ? WINDOW * m->body[m->chain_body[s->index]].edge : INFINITY;
        reach += chain ? m->radius[s->index] : 0;
    }
    p.through = p.depth > THROUGH * reach;
    return p;
}

plait_status plait_rest_find(plait_rest *rest, const plait_model *m, plait_work *w, plait_error *error)
{
    if (!wanted(m))
        return PLAIT_OK;
    plait_touches touches = {0};
    plait_status status = plait_sim_find_near(m, w, m->proximity, &touches, error);
    if (status == PLAIT_OK && touches.count > 0) {
        rest->place = malloc((size_t)touches.count * sizeof *rest->place);
        if (!rest->place)
            status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d overlaps", touches.count);
    }
    for (int i = 0; status == PLAIT_OK && i < touches.count; i++) {
        const plait_touch *t = &touches.touch[i];
        bool skin = t->side[0].on_skin || t->side[1].on_skin;
        if (!skin && !t->side[1].image && t->gap < -LEAST * plait_sim_contact_radius(m, t) && kept(m, t))
            rest->place[rest->count++] = place_of(m, t);
    }
    if (rest->count > 0)
        qsort(rest->place, (size_t)rest->count, sizeof *rest->place, compare);
    plait_touches_free(&touches);
    return status;
}

// The depth that is allowed at a touch; INFINITY: it is none.
static double allowed(const plait_rest *rest, const plait_touch *t)
{
    int64_t key[2] = {surface(&t->side[0]), surface(&t->side[1])};
    int lo = 0, hi = rest->count;
    while (lo < hi) {
        int mid = lo + (hi - lo) / 2;
        if (compare_surfaces(rest->place[mid].surface, key) < 0)
            lo = mid + 1;
        else
            hi = mid;
    }
    double depth = 0;
    for (; lo < rest->count && compare_surfaces(rest->place[lo].surface, key) == 0; lo++) {
        const plait_rest_place *p = &rest->place[lo];
        bool here = true;
        for (int k = 0; k < 2; k++)
            here = here && (p->surface[k] >= KIND || fabs(t->arc[k] - p->arc[k]) < p->window[k]);
        if (here)
            depth = fmax(depth, p->through ? INFINITY : p->depth);
    }
    return depth;
}

void plait_rest_apply(const plait_rest *rest, plait_touches *touches)
{
    int stay = 0;
    for (int i = 0; rest->count > 0 && i < touches->count; i++) {
        plait_touch t = touches->touch[i];
        double depth = t.fixed || t.side[1].image ? 0 : allowed(rest, &t); // copies were not looked at
        if (depth == INFINITY)
            continue;
        t.gap += depth;
        touches->touch[stay++] = t;
    }
    touches->count = rest->count > 0 ? stay : touches->count;
}

void plait_rest_renumber(plait_rest *rest, const int *chain)
{
    int stay = 0;
    for (int i = 0; i < rest->count; i++) {
        plait_rest_place p = rest->place[i];
        bool there = true;
        for (int k = 0; k < 2; k++)
            if (p.surface[k] < KIND) {
                p.surface[k] = chain[p.surface[k]];
                there = there && p.surface[k] >= 0;
            }
        if (there)
            rest->place[stay++] = p;
    }
    rest->count = stay; // fibres that stay keep their order, so it is sorted
}

void plait_rest_free(plait_rest *rest)
{
    free(rest->place);
    *rest = (plait_rest){0};
}
