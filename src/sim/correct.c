// correct.c: from impulses to motion.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "contact/compliance.h"
#include "sim/sim.h"

static bool finite_velocity(const plait_model *m, const plait_work *w)
{
    double sum = 0;
    for (int i = 0; i < m->dofs; i++)
        sum += fabs(w->v[i]);
    return isfinite(sum);
}

bool plait_sim_gather_v(const plait_model *m, plait_work *w, plait_attempt *a)
{
    memcpy(w->v, w->v_free, (size_t)m->dofs * sizeof *w->v);
    const plait_problem *p = w->problem;
    if (!p)
        return true;
    double *v = w->problem_v;
    a->status = plait_compliance_velocity(p->compliance, p->dynamics->f, w->solution->r, w->team, v, a->error);
    if (a->status != PLAIT_OK)
        return false;
    for (int b = 0; b < m->bodies; b++) {
        if (w->body_dof[b] < 0)
            continue;
        int from, count = plait_sim_free_dofs(&m->body[b], &from);
        double *to = w->v + m->first_dof[b];
        memcpy(to, m->body[b].f, (size_t)m->body[b].dofs * sizeof *to); // held dofs go where they have to
        memcpy(to + from, v + w->body_dof[b], (size_t)count * sizeof *v);
    }
    return true;
}

bool plait_sim_correct(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    (void)s;
    a->known = w->problem ? w->problem->n : 0;
    if (!plait_sim_gather_v(m, w, a))
        return false;
    if (!finite_velocity(m, w))
        return plait_sim_reject(w, "a velocity is not finite");
#pragma omp parallel for schedule(static) num_threads(w->team.threads) if (w->team.threads > 1 && m->bodies > 1)
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->move)
            m->body[b].type->move(&m->body[b], a->dt, w->v + m->first_dof[b]);
    w->report.max_stretch = 0;
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->stretch)
            w->report.max_stretch = fmax(w->report.max_stretch, m->body[b].type->stretch(&m->body[b]));
    return true;
}
