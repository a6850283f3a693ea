// ledger.c: where energy comes from and where it goes, step by step.
//
// Bodies tell what they do by themselves (plait_account); here are the contacts, and the sums. With u = H v + w, w the
// motion of scripts and the gap, contacts do the work r . H v on bodies:
//
//     r . H v  =  - r . (w without the gap)     what scripts do through them: colliders, ends that are held
//               + r_T . u_T                     friction takes this
//               + r_N (u_N - gap term)          what meets loses this: it closes the gap, and stays
//
// The last is for the velocity at the end. An impulse r_N acts while u_N goes from that at the start to that at the
// end, so half of r_N times the change is the impact's too, as far as bodies have counted it as a loss of the step.
// Bonds and ties pull along all axes: what of r . u is not friction is theirs.
#include <math.h>

#include "base/parallel.h"
#include "contact/law.h"
#include "math/vec3.h"
#include "sim/sim.h"

plait_body_energies plait_sim_energies(const plait_model *m, const plait_work *w, bool keep)
{
    plait_body_energies sum = {0};
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->team.threads) if (w->team.threads > 1 && m->bodies > 1)
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->energy)
            w->mark[b].energy = m->body[b].type->energy(&m->body[b]);
    for (int b = 0; b < m->bodies; b++) {
        const plait_body_energies *e = &w->mark[b].energy;
        sum.kinetic += e->kinetic, sum.elastic += e->elastic, sum.potential += e->potential;
        if (keep)
            w->mark[b].elastic = e->elastic;
    }
    return sum;
}

static const double STILL = 1e-12; // [m/s, 1/s]
static const double ROUNDING = 1e-9; // of all energies
static const double FALLING = 0.1;   // a force of scripts falls by this part in a step, and not by more
static const double TURNING = 0.01;  // of damping
static const double RINGING = 1e-3;  // what schemes with less damping and long static steps may gain at least

static double size_of(const plait_body_energies *e)
{
    return e->kinetic + e->elastic + fabs(e->potential);
}

static double total(const plait_body_energies *e)
{
    return e->kinetic + e->elastic + e->potential;
}

void plait_sim_ledger_open(const plait_model *m, plait_work *w)
{
    if (!m->scene->stepping.ledger)
        return;
    w->unstruck_energy = plait_sim_energies(m, w, true);
}

void plait_sim_ledger_struck(const plait_model *m, plait_work *w)
{
    if (!m->scene->stepping.ledger)
        return;
    double kinetic = plait_sim_energies(m, w, false).kinetic; // ends have been driven: not so the rest
    w->struck += w->energy.kinetic - kinetic;
    w->energy.kinetic = kinetic;
}

// Half of r_N times the change of u_N, where that is a loss.
static double stopped(const plait_model *m, const plait_work *w, int i, double dt)
{
    const plait_touch *t = &w->touches.touch[i];
    double collider = plait_vec3_dot(t->normal, t->side[1].move) / dt;
    double before = plait_sim_parting(m, t, NULL) - collider, after = w->solution->u[3 * (size_t)i] - w->gap_term[i];
    return fmax(0.5 * w->solution->r[3 * (size_t)i] * (after - before), 0);
}

// Work of contacts, by what they are.
static void contacts(const plait_model *m, const plait_work *w, double dt, plait_ledger *l)
{
    const plait_problem *p = w->problem;
    plait_laws laws = plait_problem_laws(p);
    double impacts = 0;
    bool there = m->bounces || m->response.second_order || m->scene->stepping.error > 0; // predict has looked
    for (int b = 0; !there && b < m->bodies; b++)
        if (w->body_dof[b] >= 0 && m->body[b].type->velocities)
            m->body[b].type->velocities(&m->body[b], m->body[b].u0);
    for (int i = 0; i < p->n; i++) {
        const double *u = w->solution->u + 3 * (size_t)i, *r = w->solution->r + 3 * (size_t)i;
        const double *row = p->dynamics->w + 3 * (size_t)i;
        plait_law_cone cone = {0}; // friction is on rho
        double friction = 0, sum = 0;
        bool tie = w->touches.touch[i].fixed;
        if (laws.index)
            plait_law_get_cone(&laws, i, &cone);
        for (int k = 0; k < 3; k++) {
            double gap = k == 0 ? w->gap_term[i] : 0;
            l->colliders -= r[k] * (row[k] - gap);
            sum += r[k] * (u[k] - gap);
            if (k > 0 && !tie)
                friction -= u[k] * (r[k] + cone.K[k] * u[k] + cone.c[k]);
        }
        l->friction += friction;
        if (tie || cone.K[0] != 0 || cone.K[1] != 0 || cone.c[0] != 0 || cone.c[1] != 0 || cone.c[2] != 0) {
            l->bonds += sum + friction;
            continue;
        }
        l->impact -= sum + friction;
        impacts += stopped(m, w, i, dt);
    }
    impacts = fmin(impacts, fmax(l->numerical, 0));
    l->impact += impacts, l->numerical -= impacts;
}

void plait_sim_ledger_settle(const plait_model *m, plait_work *w, const plait_attempt *a)
{
    plait_ledger *l = &w->report.ledger;
    w->gained = 0, w->pushed_known = false;
    *l = (plait_ledger){.impact = w->struck};
    if (!m->scene->stepping.ledger)
        return;
    bool later = w->problem && plait_sim_balance_later(m);
#pragma omp parallel for schedule(dynamic, 8) num_threads(w->team.threads) if (w->team.threads > 1 && m->bodies > 1)
    for (int b = 0; b < m->bodies; b++) {
        plait_body *body = &m->body[b];
        plait_sim_mark *mark = &w->mark[b];
        const plait_account none = {.balance = -1};
        mark->account = none;
        const double *v = w->v + m->first_dof[b];
        bool touched = w->body_dof[b] >= 0;
        if (body->type->account && !body->type->account(body, a->dt, v, mark->elastic, touched, &mark->account))
            mark->account = none; // it shows in what does not add up
        if (!later || !touched || !body->type->balance)
            continue;
        mark->balance = mark->account.balance;
        if (!(mark->balance >= 0))
            mark->balance = body->type->balance(body, a->dt, v);
        mark->balance = isnan(mark->balance) ? INFINITY : mark->balance;
    }
    for (int b = 0; b < m->bodies && later; b++)
        if (w->body_dof[b] >= 0)
            w->report.balance = fmax(w->report.balance, w->mark[b].balance);
    for (int b = 0; b < m->bodies; b++) {
        const plait_account *mine = &w->mark[b].account;
        l->ends += mine->ends, l->air += mine->air, l->loads += mine->loads;
        l->damping += mine->damping, l->numerical += mine->numerical;
    }
    if (w->problem)
        contacts(m, w, a->dt, l);
}

void plait_sim_ledger_close(const plait_model *m, plait_work *w)
{
    plait_sim_report *r = &w->report;
    plait_ledger *l = &r->ledger;
    plait_body_energies end = w->pushed_known ? w->pushed : plait_sim_energies(m, w, false);
    const plait_body_energies *start = &w->unstruck_energy;
    r->kinetic = end.kinetic, r->elastic = end.elastic, r->potential = end.potential;
    if (!m->scene->stepping.ledger)
        return;
    l->recovery = w->gained;
    l->given = isnan(w->last_energy) ? 0 : total(start) - w->last_energy;
    const double in[] = {l->ends, l->colliders, l->air, l->loads, l->bonds, l->recovery};
    const double out[] = {l->friction, l->impact, l->damping, l->numerical};
    l->error = total(&end) - total(start);
    l->scale = fabs(l->given) + fabs(end.kinetic - start->kinetic) + fabs(end.elastic - start->elastic) +
               fabs(end.potential - start->potential);
    for (size_t k = 0; k < sizeof in / sizeof *in; k++)
        l->error -= in[k], l->scale += fabs(in[k]);
    for (size_t k = 0; k < sizeof out / sizeof *out; k++)
        l->error += out[k], l->scale += fabs(out[k]);
}

// Whether anything moves, beyond rounding.
static bool moves(const plait_model *m, const plait_work *w)
{
    for (int i = 0; i < m->dofs; i++)
        if (fabs(w->v[i]) > STILL)
            return true;
    return false;
}

// What the ledger tells by less than it is. Scripts: it takes the force at the end of a step for all of the way, and
// where that falls, as under a clamp that bends a rod until it buckles, scripts did more: the mean with the force at
// the end of the last step is nearer. Not after a blow, though. Viscosity: it takes stresses times the change of
// strains, and what forces do along the tangent of the way is another by a small part of that, which is no gain.
static double untold(const plait_state *s, const plait_ledger *l, double dt)
{
    double told = l->ends + l->colliders, more = 0.5 * (dt * s->value[PLAIT_AT_POWER] - told);
    return fmin(fmax(more, 0), FALLING * fabs(told)) + TURNING * fmax(l->damping, 0);
}

// What a step gains beyond that, over the part that it may of what changes hands and of what moves. Implicit Euler
// gains a little where a force falls along its way, and that vanishes with dt only (docs/simulation.md). What goes
// wrong gains as much as all that moves.
double plait_sim_ledger_gain(const plait_model *m, const plait_state *s, const plait_work *w, double dt)
{
    const plait_ledger *l = &w->report.ledger;
    double gain = -l->numerical - untold(s, l, dt);
    if (!m->scene->stepping.ledger || !m->response.balanced || m->scene->stepping.max_gain == 0 || w->on_path ||
        gain <= ROUNDING * size_of(&w->unstruck_energy) || !moves(m, w))
        return 0;
    const double part[] = {l->ends, l->colliders, l->air, l->loads, l->bonds, l->friction, l->impact, l->damping};
    double play = 0, closed = l->scale - fabs(l->given) - fabs(l->numerical);
    for (size_t k = 0; k < sizeof part / sizeof *part; k++)
        play += fabs(part[k]);
    double level = m->scene->stepping.max_gain;
    if (m->response.second_order || m->response.theta < 1 || m->scene->stepping.mode == PLAIT_MODE_STATIC)
        level = fmax(level, RINGING);
    return gain / (level * (fmax(play, closed) + w->unstruck_energy.kinetic));
}
