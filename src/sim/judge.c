// judge.c: whether the corrected motion can be believed.
//
// Two things send a step back to assemble. Bodies whose motion is in doubt were linearised in the wrong place: scheme
// adonis (Kaufman et al. 2014, algorithm 1) linearises them again about where they went, and only them, until no doubt
// is above 1; for a fibre that is
//
//     sf = max | |e| / |e rest| - 1 |  <=  nonlinear           over the edges e of fibres in contact.
//
// The first iterate is the linear scheme, so that where it is good enough adonis costs one look at each edge. And
// whatever would pass through something else becomes a contact.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "sim/sim.h"

enum { HALVINGS = 4, TO_AND_FRO = 5, ROUNDS = 20 };
static const double SETTLED = 0.01; // of the tolerance: Newton's method changes nothing any more

// About where it went. If it goes to and fro, every third time only a quarter of the way there from the last time: that
// ends cycles and leaves Newton's method its last steps. Nearer to where it would have gone alone, if it cannot be
// there.
static bool linearise(const plait_model *m, plait_work *w, int b, double dt)
{
    plait_body *body = &m->body[b];
    plait_sim_mark *mark = &w->mark[b];
    double *v = w->v + m->first_dof[b];
    const double *alone = w->v_free + m->first_dof[b];
    bool half_hearted = mark->times >= TO_AND_FRO && mark->times % 3 == 2;
    for (int d = 0; d < body->dofs && half_hearted; d++)
        v[d] = mark->about[d] + 0.25 * (v[d] - mark->about[d]);
    mark->times++;
    for (int k = 0; k < HALVINGS; k++) {
        memcpy(mark->about, v, (size_t)body->dofs * sizeof *v);
        if (body->type->linearise(body, dt, v))
            return true;
        for (int d = 0; d < body->dofs; d++)
            v[d] = 0.5 * (v[d] + alone[d]);
    }
    return false;
}

static int root_of(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// The part of the contacts that are in a group with a body that was linearised again.
static double concerned(const plait_model *m, const plait_work *w, int *parent)
{
    int count = 0;
    for (int b = 0; b < m->bodies; b++)
        parent[b] = b;
    for (int i = 0; i < w->touches.count; i++) {
        const plait_side *side = w->touches.touch[i].side;
        int a = plait_sim_mover(m, &side[0]), b = plait_sim_mover(m, &side[1]);
        if (a >= 0 && b >= 0)
            parent[root_of(parent, a)] = root_of(parent, b);
    }
    int *hit = parent + m->bodies;
    memset(hit, 0, (size_t)m->bodies * sizeof *hit);
    for (int b = 0; b < m->bodies; b++)
        hit[root_of(parent, b)] |= w->mark[b].again;
    for (int i = 0; i < w->touches.count; i++) {
        const plait_side *side = w->touches.touch[i].side;
        int b = plait_sim_mover(m, &side[0]);
        b = b >= 0 ? b : plait_sim_mover(m, &side[1]);
        count += b >= 0 && hit[root_of(parent, b)];
    }
    return (double)count / w->touches.count;
}

// Which bodies have to be linearised again: mark->again. Returns how many.
static int find_doubts(const plait_model *m, plait_work *w, double dt)
{
    bool first = w->report.relinearised == 0;
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->threads) if (w->threads > 1 && m->bodies > 1)
    for (int b = 0; b < m->bodies; b++) {
        plait_sim_mark *mark = &w->mark[b];
        mark->again = false;
        mark->times = first ? 0 : mark->times;
        if (w->body_dof[b] < 0 || !m->body[b].type->doubt)
            continue;
        double now = m->body[b].type->doubt(&m->body[b], dt, w->v + m->first_dof[b]);
        // What stays although it was linearised there is true.
        mark->again = now > 1 && (first || !(fabs(now - mark->doubt) <= SETTLED));
        mark->doubt = now;
    }
    int count = 0;
    for (int b = 0; b < m->bodies; b++)
        count += w->mark[b].again;
    return count;
}

// *again: how many bodies were linearised again.
static bool relinearise(const plait_model *m, plait_work *w, plait_attempt *a, int *again)
{
    plait_sim_report *report = &w->report;
    *again = 0;
    if (!w->problem)
        return true;
    if (report->newton == 0)
        report->newton = 1, report->newton_mean = 1;
    if (!m->response.follows || report->newton >= m->scene->stepping.newton_max)
        return true;
    *again = find_doubts(m, w, a->dt);
    if (*again == 0)
        return true;
    bool failed = false;
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->threads) reduction(|| : failed) if (w->threads > 1)
    for (int b = 0; b < m->bodies; b++)
        if (w->mark[b].again && !linearise(m, w, b, a->dt))
            failed = true;
    if (failed)
        return plait_sim_reject(w, "a fibre's matrix is not positive definite");
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    int *parent = plait_arena_alloc(&w->arena, 2 * (size_t)m->bodies, sizeof *parent);
    if (!parent)
        return plait_sim_no_memory(w, a);
    report->newton_mean += concerned(m, w, parent);
    report->relinearised += *again, report->newton++;
    plait_arena_release(&w->arena, mark);
    return true;
}

bool plait_sim_judge(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    (void)s;
    int again, found;
    if (!relinearise(m, w, a, &again))
        return false;
    if (again > 0) {
        a->stand = PLAIT_STAND_RELINEARISED;
        return true;
    }
    if (w->report.max_stretch > m->scene->stepping.max_stretch)
        return plait_sim_reject(w, "a fibre is stretched too much");
    if (a->rough) {
        a->stand = PLAIT_STAND_ROUGH;
        return true;
    }
    if (!plait_sim_catch(m, w, a, &found))
        return false;
    a->stand = found > 0 ? PLAIT_STAND_CAUGHT : PLAIT_STAND_SETTLED;
    a->caught += found > 0;
    return a->caught < ROUNDS || found == 0 || plait_sim_reject(w, "things would pass through each other");
}
