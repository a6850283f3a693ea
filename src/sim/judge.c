// judge.c: whether the corrected motion can be believed.
//
// Two things send a step back to assemble. Bodies whose motion is in doubt were linearised in the wrong place: they,
// and only they, are linearised again about where they went, and the problem is solved again from the impulses that are
// known.
//
// Scheme balanced: what a body's own equations lack at the end of the step must be what contacts gave it,
//
//     |g(v) - c|  <=  balance |c|,   c = M v - f = H^T r,   |a|^2 = a . M^-1 a         (body.h)
//
// and no solver tolerance is in it. Scheme adonis (Kaufman et al. 2014, algorithm 1) looks at stretch alone,
//
//     sf = max | |e| / |e rest| - 1 |  <=  nonlinear           over the edges e of fibres in contact.
//
// The first iterate is the linear scheme, so that where it is good enough both cost one look at each body. And
// whatever would pass through something else becomes a contact.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "sim/cell.h"
#include "sim/sim.h"

enum { HALVINGS = 4, TO_AND_FRO = 5, ROUNDS = 20, PATIENCE = 4, TORN = 4, RETOLD = 2 };
static const double SETTLED = 0.01;  // of the tolerance: Newton's method changes nothing any more
static const double BALANCED = 1e-9; // nothing is out of balance
static const double SHARE = 0.01;    // of what a step gains: a body that gains less is left alone

// Where it was linearised last, plus a part of the way from there, along its own curved ways if it has some.
static bool place(plait_body *body, bool curved, double dt, const double *about, const double *d, double *v)
{
    if (curved && body->type->retract)
        return body->type->retract(body, dt, about, d, v);
    for (int i = 0; i < body->dofs; i++)
        v[i] = about[i] + d[i];
    return true;
}

// About where it went. If it goes to and fro, every third time only a quarter of the way there from the last time: that
// ends cycles and leaves Newton's method its last steps. Nearer to the last place, if it cannot be there.
static bool linearise(const plait_model *m, plait_work *w, int b, double dt)
{
    plait_body *body = &m->body[b];
    plait_sim_mark *mark = &w->mark[b];
    double *v = w->v + m->first_dof[b], *d = w->problem_v + m->first_dof[b];
    double part = mark->times >= TO_AND_FRO && mark->times % 3 == 2 ? 0.25 : 1;
    bool curved = m->response.balanced && (body->curved || mark->times < m->scene->stepping.balance_max);
    mark->times++;
    for (int i = 0; i < body->dofs; i++)
        d[i] = part * (v[i] - body->about[i]);
    for (int k = 0; k < HALVINGS; k++) {
        if (place(body, curved, dt, body->about, d, v) && body->type->linearise(body, dt, v)) {
            memcpy(body->about, v, (size_t)body->dofs * sizeof *v);
            return true;
        }
        for (int i = 0; i < body->dofs; i++)
            d[i] *= 0.5;
    }
    return false;
}

// What contacts do to bodies that have to be linearised again.
static void press(const plait_model *m, const plait_work *w)
{
    for (int b = 0; b < m->bodies; b++)
        if (w->mark[b].again && m->body[b].type->press)
            m->body[b].type->press(&m->body[b], NULL, NULL);
    for (int i = 0; i < w->touches.count; i++) {
        const double *r = w->solution->r + 3 * (size_t)i, *E = w->frame + 9 * (size_t)i;
        double impulse[3];
        for (int j = 0; j < 3; j++)
            impulse[j] = r[0] * E[j] + r[1] * E[3 + j] + r[2] * E[6 + j];
        for (int k = 0; k < 2; k++) {
            int b = plait_sim_mover(m, &w->touches.touch[i].side[k]);
            if (b >= 0 && w->mark[b].again)
                plait_sim_press(m, &w->touches.touch[i], k, impulse);
        }
    }
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
        if (a >= 0 && plait_sim_cell_of(m, &w->touches.touch[i]) >= 0)
            parent[root_of(parent, a)] = root_of(parent, m->cell);
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

// Whether a body has to be linearised again. Balance is asked for `rounds` times; a body whose nodes are not where the
// linearised motion led them gets more patience: what it misses is how far it is from what it touches. (A straight rod
// that does not stretch, pushed along itself: Newton's method on a square, which halves the way in every round.)
// What is still out of balance then and stretched too goes on as in scheme adonis: straight ways, until it is not.
// Where the step would be rejected for its stretch it goes on for longer: most of them come to an end.
static bool in_doubt(const plait_model *m, plait_work *w, int b, double dt, int rounds)
{
    const plait_body *body = &m->body[b];
    plait_sim_mark *mark = &w->mark[b];
    const double *v = w->v + m->first_dof[b];
    bool balanced = m->response.balanced && body->type->balance, first = w->report.relinearised == 0;
    bool unbalanced = balanced && !(mark->balance <= m->scene->stepping.balance);
    int most = balanced && body->curved ? PATIENCE * rounds : rounds;
    if (unbalanced && w->report.newton < rounds)
        return true;
    if (unbalanced && most < m->scene->stepping.newton_max)
        most = m->scene->stepping.newton_max;
    if (m->response.follows && body->type->stretch && !(body->type->stretch(body) <= m->scene->stepping.max_stretch))
        most *= TORN;
    if (w->report.newton >= most || !body->type->doubt || (balanced && !body->curved && !unbalanced))
        return false;
    double now = body->type->doubt((plait_body *)body, dt, v), before = mark->doubt;
    mark->doubt = now;
    // What stays although it was linearised there is true.
    return now > 1 && (first || !(fabs(now - before) <= SETTLED));
}

// Where it decides nothing the account of energy tells what is out of balance, which has all that it takes.
bool plait_sim_balance_later(const plait_model *m)
{
    return !m->response.balanced && m->scene->stepping.ledger;
}

// What is out of balance, and which bodies have to be linearised again: mark->again. Returns how many.
static int look(const plait_model *m, plait_work *w, double dt, int rounds)
{
    bool first = w->report.relinearised == 0;
#pragma omp parallel for schedule(dynamic, 1) num_threads(w->team.threads) if (w->team.threads > 1 && m->bodies > 1)
    for (int b = 0; b < m->bodies; b++) {
        plait_sim_mark *mark = &w->mark[b];
        plait_body *body = &m->body[b];
        mark->again = false, mark->balance = 0;
        mark->times = first ? 0 : mark->times;
        if (w->body_dof[b] < 0)
            continue;
        if (body->type->balance && !plait_sim_balance_later(m))
            mark->balance = body->type->balance(body, dt, w->v + m->first_dof[b]);
        mark->again = in_doubt(m, w, b, dt, rounds);
    }
    int count = 0;
    w->report.balance = 0;
    for (int b = 0; b < m->bodies; b++) {
        count += w->mark[b].again;
        w->report.balance = fmax(w->report.balance, isnan(w->mark[b].balance) ? INFINITY : w->mark[b].balance);
    }
    return count;
}

// Marked bodies, `again` of them, are linearised about where they went.
static bool linearise_marked(const plait_model *m, plait_work *w, plait_attempt *a, int again)
{
    plait_sim_report *report = &w->report;
    if (m->response.balanced)
        press(m, w);
    bool failed = false;
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->team.threads)                                             \
    reduction(||                                                                                                       \
              : failed) if (w->team.threads > 1)
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
    report->relinearised += again, report->newton++;
    plait_arena_release(&w->arena, mark);
    a->stand = PLAIT_STAND_RELINEARISED;
    return true;
}

// *again: how many bodies were linearised again.
static bool relinearise(const plait_model *m, plait_work *w, plait_attempt *a, int *again)
{
    *again = 0;
    if (!w->problem)
        return true;
    if (w->report.newton == 0)
        w->report.newton = 1, w->report.newton_mean = 1;
    const plait_stepping *s = &m->scene->stepping;
    int most = m->response.balanced ? s->balance_max : m->response.follows ? s->newton_max : 1;
    *again = look(m, w, a->dt, most * (1 + a->tilts));
    return *again == 0 || linearise_marked(m, w, a, *again);
}

// Momentum that is out of balance by less than the tolerance may still do work that nobody has done. Where a step gains
// energy, the bodies that do are linearised once more, rather than that dt is cut.
static bool gain_nothing(const plait_model *m, const plait_state *s, plait_work *w, plait_attempt *a)
{
    plait_sim_ledger_settle(m, w, a);
    if (!w->problem || a->retold >= RETOLD || w->report.newton >= m->scene->stepping.balance_max ||
        !(plait_sim_ledger_gain(m, s, w, a->dt) > 1))
        return true;
    int again = 0;
    for (int b = 0; b < m->bodies; b++) {
        plait_sim_mark *mark = &w->mark[b];
        mark->again = w->body_dof[b] >= 0 && m->body[b].type->balance && mark->balance > BALANCED &&
                      mark->account.numerical < SHARE * w->report.ledger.numerical;
        again += mark->again;
    }
    a->retold++;
    return again == 0 || linearise_marked(m, w, a, again);
}

bool plait_sim_judge(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    int again, found;
    if (!relinearise(m, w, a, &again))
        return false;
    if (again > 0)
        return true;
    const plait_stepping *step = &m->scene->stepping;
    if (w->report.max_stretch > step->max_stretch)
        return plait_sim_reject(w, "a fibre is stretched too much");
    if (m->response.balanced && !(w->report.balance <= step->balance_reject) && a->dt >= 2 * step->dt_min)
        // the smallest dt is accepted all the same, and reported
        return plait_sim_reject(w, "momentum is not balanced");
    if (a->rough) {
        a->stand = PLAIT_STAND_ROUGH;
        return true;
    }
    if (!plait_sim_catch(m, w, a, &found))
        return false;
    a->stand = found > 0 ? PLAIT_STAND_CAUGHT : PLAIT_STAND_SETTLED;
    a->caught += found > 0;
    if (found == 0)
        return gain_nothing(m, s, w, a);
    return a->caught < ROUNDS || plait_sim_reject(w, "things would overlap too far, or pass through each other");
}
