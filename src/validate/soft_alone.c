// soft_alone.c: one soft body without a simulation.
#include "validate/soft_alone.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

plait_soft_alone *plait_soft_alone_new(plait_trial *t, const plait_soft *soft, const double gravity[3])
{
    plait_error error = {0};
    plait_soft_alone *a = calloc(1, sizeof *a);
    plait_status status = a ? plait_soft_check(soft, 0, &error) : plait_error_set(&error, PLAIT_NO_MEMORY, "no memory");
    if (status == PLAIT_OK) {
        a->response = (plait_response){.own = plait_default_step_options(), .theta = 1, .stretch = 0.01};
        status = plait_soft_build(soft, NULL, &a->response, &a->body, &error);
    }
    size_t n = 3 * (size_t)soft->points, entries = status == PLAIT_OK ? (size_t)a->body.plan->entries : 0;
    if (status == PLAIT_OK) {
        a->memory = calloc(5 * n + entries, sizeof *a->memory);
        a->body.held = calloc(n, 1);
    }
    if (status != PLAIT_OK || !a->memory || !a->body.held) {
        snprintf(t->reason, sizeof t->reason, "%.200s", status == PLAIT_OK ? "no memory" : error.text);
        plait_soft_alone_free(a);
        return NULL;
    }
    a->impl = plait_soft_of(&a->body);
    a->v = a->memory, a->body.f = a->v + n, a->body.M = a->v + 2 * n;
    a->body.x0 = a->v + 2 * n + entries, a->body.x1 = a->body.x0 + n;
    a->x = a->body.state;
    plait_world world = {.gravity = {gravity[0], gravity[1], gravity[2]}};
    a->body.type->load(&a->body, &world);
    return a;
}

void plait_soft_alone_free(plait_soft_alone *a)
{
    if (!a)
        return;
    if (a->body.type)
        a->body.type->free(&a->body);
    free(a->body.held), free(a->memory), free(a);
}

bool plait_soft_alone_settle(plait_trial *t, plait_soft_alone *a, double dt)
{
    enum { STEPS = 60 };
    size_t n = 3 * (size_t)a->impl->nodes;
    bool was_free = a->impl->free;
    a->impl->free = false; // nothing is to be kept on the way down
    for (int i = 0; i < STEPS && !plait_trial_stopped(t); i++, dt *= 4) {
        memset(a->x + n, 0, n * sizeof *a->x);
        const char *wrong = plait_soft_predict(&a->body, dt, a->v);
        if (wrong) {
            snprintf(t->reason, sizeof t->reason, "%.200s", wrong);
            return false;
        }
        double far = 0, size = 0;
        for (size_t k = 0; k < n; k++) {
            a->x[k] += dt * a->v[k];
            far = fmax(far, fabs(dt * a->v[k])), size = fmax(size, fabs(a->x[k]));
        }
        if (dt >= 10 && far < 1e-12 * size)
            break;
    }
    a->impl->free = was_free;
    return true;
}

void plait_soft_alone_forces(const plait_soft_alone *a, double *g)
{
    memset(g, 0, 3 * (size_t)a->impl->nodes * sizeof *g);
    plait_soft_energy(a->impl, a->x, 1, g);
}

static bool ready(plait_trial *t, plait_status status, const plait_error *error, plait_soft *soft)
{
    if (status == PLAIT_OK) {
        soft->hold = malloc((size_t)soft->points * sizeof *soft->hold);
        soft->force = calloc(3 * (size_t)soft->points, sizeof *soft->force);
        for (int i = 0; soft->hold && i < soft->points; i++)
            soft->hold[i] = PLAIT_HOLD_FREE;
        if (soft->hold && soft->force)
            return true;
    }
    snprintf(t->reason, sizeof t->reason, "%.200s", status == PLAIT_OK ? "no memory" : error->text);
    plait_soft_free(soft);
    return false;
}

bool plait_trial_grid(plait_trial *t, const plait_gen_grid *grid, plait_soft *cloth)
{
    plait_error error = {0};
    *cloth = plait_default_cloth();
    return ready(t, plait_gen_cloth_grid(grid, cloth, &error), &error, cloth);
}

bool plait_trial_block(plait_trial *t, const plait_gen_solid *block, plait_soft *solid)
{
    plait_error error = {0};
    *solid = plait_default_solid();
    return ready(t, plait_gen_solid_block(block, solid, &error), &error, solid);
}

void plait_trial_hold_border(plait_soft *s)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3 * s->points; i++)
        low[i % 3] = fmin(low[i % 3], s->point[i]), high[i % 3] = fmax(high[i % 3], s->point[i]);
    for (int i = 0; i < 3 * s->points; i++) {
        int k = i % 3;
        double near = 1e-9 * (high[k] - low[k]);
        if (high[k] > low[k] && (s->point[i] <= low[k] + near || s->point[i] >= high[k] - near))
            s->hold[i / 3] = PLAIT_HOLD_WORLD;
    }
}
