// predict.c: the unconstrained motion of every body, and its linearisation M v = f, about which contacts act.
#include <math.h>
#include <string.h>

#include "base/elementary.h"
#include "base/parallel.h"
#include "sim/sim.h"

enum { FEW = 100 };

void plait_sim_place(const plait_model *m, const plait_state *s, plait_work *w, double dt)
{
    const plait_scene *scene = m->scene;
    plait_world world = {.air = &w->air, .calm = m->calm};
    double begin = plait_state_script(s), end = plait_sim_script_end(s, w, dt),
           wave = plait_sin(2 * M_PI * scene->gust_frequency * end);
    for (int k = 0; k < 3; k++) {
        world.gravity[k] = scene->gravity[k];
        world.wind[k] = scene->wind[k] + wave * scene->gust[k];
    }
    plait_air_set(&w->air, m, world.wind, end);
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->drive)
            m->body[b].type->drive(&m->body[b], m->calm > 0 && m->body[b].dofs == 0 ? scene->output.start : begin,
                                   m->calm > 0 && m->body[b].dofs == 0 ? 0 : end - begin);
    for (int b = 0; b < m->bodies; b++) // ends go where others were driven
        if (m->body[b].type->load)
            m->body[b].type->load(&m->body[b], &world);
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->team.threads) if (w->team.threads > 1 && m->bodies > 1)
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->trace)
            m->body[b].type->trace(&m->body[b]);
}

// What the contacts of the last step would do in this one.
static void press(const plait_model *m, const plait_state *s, const plait_work *w, double dt)
{
    double last = s->value[PLAIT_AT_DT_LAST];
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->press)
            m->body[b].type->press(&m->body[b], NULL, NULL);
    for (int i = 0; last > 0 && i < w->previous.count; i++) {
        const double *r = plait_bonds_get(&w->bonds, i)->impulse;
        double impulse[3] = {dt / last * r[0], dt / last * r[1], dt / last * r[2]};
        plait_touch t = w->previous.touch[i];
        for (int k = 0; k < 2; k++) {
            if (t.fixed) // where the arm of a joint was then is not in the state
                plait_vec3_set(t.side[k].arm, 0, 0, 0);
            plait_sim_press(m, &t, k, impulse);
        }
    }
}

// Statics, bodies that something holds or touches: without it they would go far in a long step, and come to nowhere
// that is of use. They are linearised where they are, and that is where contacts are looked for.
static bool stay(const plait_model *m, plait_work *w, double dt)
{
    bool ok = true;
    for (int i = 0; i < w->previous.count; i++)
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &w->previous.touch[i].side[k]);
            plait_body *body = b >= 0 ? &m->body[b] : NULL;
            if (!body || w->mark[b].stays)
                continue;
            w->mark[b].stays = true;
            const double *v = w->v_free + m->first_dof[b];
            for (int d = 0; d < body->dofs; d++)
                body->about[d] = body->held[d] ? v[d] : 0;
            body->elsewhere = body->type->linearise(body, dt, body->about);
            if (body->elsewhere)
                body->type->move(body, dt, body->about);
            else
                ok = body->type->linearise(body, dt, v) && ok;
        }
    return ok;
}

static void predict_body(const plait_model *m, plait_work *w, int b, double dt)
{
    plait_body *body = &m->body[b];
    double *v = w->v_free + m->first_dof[b];
    body->elsewhere = body->leans = false;
    w->mark[b].reason = plait_sim_stopped(w) ? "stopped" : body->type->predict(body, dt, v);
    if (w->mark[b].reason)
        return;
    body->type->move(body, dt, v);
    if (!body->elsewhere)
        memcpy(body->about, v, (size_t)body->dofs * sizeof *v);
}

bool plait_sim_predict_untouched(const plait_model *m, plait_work *w, plait_attempt *a, bool *any)
{
    for (int b = 0; b < m->bodies; b++)
        w->mark[b].again = m->body[b].leans;
    for (int i = 0; i < w->touches.count; i++)
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &w->touches.touch[i].side[k]);
            if (b >= 0)
                w->mark[b].again = false;
        }
    *any = false;
    for (int b = 0; b < m->bodies; b++) {
        if (!w->mark[b].again)
            continue;
        *any = true;
        m->body[b].type->press(&m->body[b], NULL, NULL);
        predict_body(m, w, b, a->dt);
        if (w->mark[b].reason)
            return plait_sim_reject(w, w->mark[b].reason);
    }
    return true;
}

bool plait_sim_predict(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    plait_sim_rewind(m);
    plait_sim_place(m, s, w, a->dt);
    bool asked = m->bounces || m->response.second_order || m->scene->stepping.error > 0;
    for (int b = 0; asked && b < m->bodies; b++)
        if (m->body[b].type->velocities)
            m->body[b].type->velocities(&m->body[b], m->body[b].u0);
    if (m->response.balanced)
        press(m, s, w, a->dt);
    int few = m->bodies < FEW ? 1 : 4; // among few bodies one may be most of the work
#pragma omp parallel for schedule(dynamic, few) num_threads(w->team.threads) if (w->team.threads > 1 && m->bodies > 1)
    for (int b = 0; b < m->bodies; b++) {
        w->mark[b].reason = NULL;
        if (m->body[b].dofs > 0)
            predict_body(m, w, b, a->dt);
    }
    for (int b = 0; b < m->bodies; b++)
        if (w->mark[b].reason)
            return plait_sim_reject(w, w->mark[b].reason);
    for (int b = 0; b < m->bodies; b++)
        w->mark[b].stays = false;
    if (m->scene->stepping.mode == PLAIT_MODE_STATIC && !stay(m, w, a->dt))
        return plait_sim_reject(w, "a body could not be linearised");
    return true;
}
