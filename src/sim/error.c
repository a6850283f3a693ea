// error.c: what a step did wrong, estimated.
//
// Any smooth motion has x1 - x0 = dt (v0 + v1)/2 + O(dt^3). For implicit Euler the two differ by dt (v1 - v0)/2, which
// is its own error, of second order; for BDF2 by a part of dt^3 times the third derivative, as its error is. So one
// formula serves both, and needs nothing but places and velocities at both ends of a step. What an impact did before it
// does not count; a contact that stops something within the step does.
#include <math.h>

#include "base/parallel.h"
#include "math/vec3.h"
#include "sim/sim.h"

// Of a body with nodes: x1 and u [3 nodes] <- where they are now and how fast.
static double error_of(const plait_body *b, double dt, double *u)
{
    double worst = 0;
    b->type->nodes(b, b->x1);
    b->type->velocities(b, u);
    for (int i = 0; i < 3 * b->nodes; i += 3) {
        double d[3];
        for (int k = 0; k < 3; k++)
            d[k] = b->x1[i + k] - b->x0[i + k] - dt / 2 * (b->u0[i + k] + u[i + k]);
        worst = fmax(worst, plait_vec3_norm(d));
    }
    return worst;
}

bool plait_sim_estimate(const plait_model *m, plait_work *w, plait_attempt *a)
{
    w->report.error = 0;
    if (m->scene->stepping.error == 0)
        return true;
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    double *u = plait_arena_alloc(&w->arena, 3 * (size_t)m->nodes + 1, sizeof *u);
    if (!u)
        return plait_sim_no_memory(w, a);
    for (int b = 0; b < m->bodies; b++) {
        const plait_body *body = &m->body[b];
        double off = 0;
        if (body->type->error)
            off = body->type->error(body, a->dt);
        else if (body->nodes > 0 && body->type->velocities)
            off = error_of(body, a->dt, u);
        w->report.error = fmax(w->report.error, isnan(off) ? INFINITY : off);
    }
    plait_arena_release(&w->arena, mark);
    return true;
}
