// solve.c: impulses of the one-step problem, and whether they are good enough.
#include <math.h>
#include <string.h>

#include "contact/compliance.h"
#include "contact/polish.h"
#include "sim/limbs.h"

enum { MANY = 1000 };               // contacts of large solids: less are solved well at once,
enum { FEW = 100 };                 // so few of others too, and held as still as rounding lets them be
enum { ROUNDS = 2 };                // of linearising, as a rule
enum { LOOK = 100 };                // iterations: what another look at all bodies is worth
// Solves for the sake of stillness, and iterations of each: beyond, it is rounding. Where products are dear these are
// Newton's.
enum { TIGHTER = 4, MORE = 500, MORE_HEAVY = 12 };
enum { SEVERAL = 1000, LAST = 100 }; // contacts that a proximal point may try at last, and its iterations
static const double STATIC_TIES = 1e-11; // tolerance of static steps with ties
static const double ROUGH = 10;     // times the tolerance, in rounds that are not the last,
static const double ROUGHER = 100;  // or up to this ...
static const double ROUGHLY = 1e-4; // ... as long as it is not more than that
static const double FAR = 1;        // out of balance: the next round is not the last either
static const double STILL = 1e-12;  // [m/s]
static const double SLOW = 1e-4;    // [m/s] contacts that are all slower are coming to rest ...
static const double MEANT = 10;     // ... or if nothing is faster than so many times what the solver left
static const double STEADY = 0.01;  // of what a step changes in velocities: so fast what sticks may creep
static const double CLOSE = 0.1;    // of the impulses: as far as they may change for it
static const double RESTS = 1e-9;   // [m/s] ... and then may creep this fast
static const double HELD = 0.02;    // of what may creep: contacts that are held are stiller, for some steps to come

// Where nothing moves b is rounding, and a residual relative to it says nothing.
static bool still(const plait_problem *p, double left)
{
    return left <= STILL * sqrt(p->n);
}

// What is left of velocities that should not be [m/s], from the residual that is relative to b.
static double left_of(const plait_problem *p, double residual)
{
    double sum = 0;
    for (int i = 0; i < 3 * p->n; i++)
        sum += p->b[i] * p->b[i];
    return residual * sqrt(sum);
}

// What sticking contacts may move. Left to the program, it counts only where everything that touches is about to come
// to rest, or where all that moves may be the solver's: a taut rope has a b so large that little of it is much. There
// it costs little, and what rests stays where it is.
// unrest: how much the step changes the velocity of what touches. While a pile vibrates, a hundredth of that is still
// enough.
static double creep_limit(const plait_model *m, const plait_work *w, double fastest, double unrest)
{
    double asked = m->scene->stepping.creep;
    if (asked < 0)
        return fastest < fmax(SLOW, MEANT * w->noise) ? fmax(RESTS, STEADY * unrest) : INFINITY;
    return asked > 0 ? asked : INFINITY;
}

// |after - before| / |before|
static double changed(size_t size, const double *before, const double *after)
{
    double change = 0, all = 0;
    for (size_t i = 0; i < size; i++)
        change += (after[i] - before[i]) * (after[i] - before[i]), all += before[i] * before[i];
    return sqrt(change / all);
}

// Whether no contact that sticks moves faster than is allowed.
static bool quiet(const plait_model *m, plait_work *w, const plait_certificate *c, double unrest)
{
    double fastest;
    w->noise = left_of(w->problem, c->residual_rel);
    double creep = plait_sim_creep(w, &fastest);
    return creep <= creep_limit(m, w, fastest, unrest);
}

// Once more from where it is, with a smaller tolerance. What is not better is not kept, nor are other impulses that do
// the same (of stacks there are many) and differ by more than `close`, unless all is still with them: a pile at rest
// would be tossed about between them. False: it went no further.
static bool improve(const plait_model *m, plait_work *w, plait_attempt *a, const plait_solve_options *options,
                    double close, double unrest, plait_report *solved)
{
    size_t size = 3 * (size_t)w->problem->n;
    plait_arena_mark mark = plait_arena_get_mark(&w->arena);
    double *kept = plait_arena_alloc(&w->arena, 2 * size, sizeof *kept);
    plait_report better;
    if (!kept) {
        plait_sim_no_memory(w, a);
        return false;
    }
    memcpy(kept, w->solution->r, size * sizeof *kept);
    memcpy(kept + size, w->solution->u, size * sizeof *kept);
    a->status = plait_problem_solve(w->problem, options, w->solution, &better, a->error);
    bool further = a->status == PLAIT_OK && better.certificate.residual_rel < solved->certificate.residual_rel &&
                   (changed(size, kept, w->solution->r) < close || quiet(m, w, &better.certificate, unrest));
    if (further) {
        solved->iterations += better.iterations;
        solved->certificate = better.certificate;
    } else {
        memcpy(w->solution->r, kept, size * sizeof *kept);
        memcpy(w->solution->u, kept + size, size * sizeof *kept);
    }
    plait_arena_release(&w->arena, mark);
    return further && better.converged;
}

// What sticks may move too fast. By linear algebra first: the smallest change of impulses that stops it, well enough
// or, where few do, as far as it goes. True: it is still now, or nothing more can be done.
static bool hold(const plait_model *m, plait_work *w, plait_attempt *a, const plait_solve_options *options,
                 double limit, double unrest, plait_report *solved)
{
    double enough = w->problem->n < FEW ? 0 : HELD * limit;
    bool better;
    a->status = plait_problem_hold(w->problem, options, enough, w->solution, &solved->certificate, &better, a->error);
    return a->status != PLAIT_OK || plait_sim_stopped(w) || quiet(m, w, &solved->certificate, unrest);
}

// How much of the motion is change, as far as it is not the solver's. False: memory.
static bool unrest_of(const plait_model *m, plait_work *w, plait_attempt *a, double fastest, double *unrest)
{
    *unrest = 0;
    bool counts = m->scene->stepping.creep < 0 && m->scene->stepping.mode != PLAIT_MODE_STATIC;
    if (!counts || creep_limit(m, w, fastest, 0) == INFINITY)
        return true;
    if (!plait_sim_unrest(m, w, a, unrest))
        return false;
    *unrest = *unrest > MEANT * w->noise ? *unrest : 0;
    return true;
}

// Better and better, until no contact that sticks moves faster than is allowed. Ends where the solver gets no further:
// then it creeps, and the report says so.
static void tighten(const plait_model *m, plait_work *w, plait_attempt *a, plait_solve_options *options,
                    plait_report *solved)
{
    const double smallest = w->problem->laws ? 1e-11 : 1e-15; // stiff bonds leave more rounding
    const bool heavy = plait_compliance_heavy(w->problem->compliance);
    double fastest, unrest = 0;
    const bool asked = m->scene->stepping.creep > 0; // then it may take what it takes
    const double close = asked ? INFINITY : CLOSE;
    if (options->max_iterations <= 0 && (heavy || !asked))
        options->max_iterations = heavy ? MORE_HEAVY : MORE;
    for (int k = 0; k < TIGHTER && solved->converged && options->tol > smallest; k++) {
        w->noise = left_of(w->problem, solved->certificate.residual_rel);
        double creep = plait_sim_creep(w, &fastest);
        if (creep <= creep_limit(m, w, fastest, unrest) || (k == 0 && !unrest_of(m, w, a, fastest, &unrest)))
            return;
        double limit = creep_limit(m, w, fastest, unrest);
        if (creep <= limit || (!heavy && hold(m, w, a, options, limit, unrest, solved)))
            return;
        options->tol = fmin(options->tol, solved->certificate.residual_rel);
        options->tol = fmax(smallest, options->tol * fmax(1e-4, fmin(0.3, 0.5 * limit / creep)));
        // Near the limit of friction, where it is not known who slides, sweeps crawl; a proximal point stays near.
        plait_solve_options nearby = *options;
        nearby.solver = PLAIT_SOLVER_PROX, nearby.max_iterations = asked ? MORE : options->max_iterations;
        bool may = options->solver == PLAIT_SOLVER_AUTO && !heavy, few = w->problem->n < FEW;
        bool better = may && few && improve(m, w, a, &nearby, close, unrest, solved);
        if (a->status != PLAIT_OK || plait_sim_stopped(w))
            return;
        better = better || improve(m, w, a, options, close, unrest, solved);
        if (a->status != PLAIT_OK || plait_sim_stopped(w))
            return;
        if (better)
            continue;
        // It ran out of iterations: what is nearer now may be held, or is near enough for a proximal point.
        bool ended = heavy || hold(m, w, a, options, limit, unrest, solved);
        nearby.max_iterations = LAST;
        if (!ended && may && !few && w->problem->n < SEVERAL)
            improve(m, w, a, &nearby, close, unrest, solved);
        return;
    }
}

// Of all impulses that do the same the smallest, if the scene says so.
static void choose_smallest(const plait_model *m, plait_work *w, plait_attempt *a, const plait_solve_options *options,
                            plait_report *solved)
{
    bool better;
    if (m->scene->stepping.solve.smallest && solved->converged)
        a->status = plait_problem_smallest(w->problem, options, w->solution, &solved->certificate, &better, a->error);
}

// Cloth and solids, that is.
static bool any_leans(const plait_model *m)
{
    bool any = false;
    for (int b = 0; b < m->bodies; b++)
        any = any || (m->body[b].leans && m->body[b].plan);
    return any;
}

// Bodies will be linearised again; until then contacts need not be solved well. The second round is the last one as a
// rule, where nothing was far from balance; one that goes beyond takes up to nine, each with other impulses (a bundle
// that falls on bars). Large solids seldom need a second round, and to begin anew costs them as many products as the
// rest.
static bool may_be_rough(const plait_model *m, const plait_work *w, const plait_attempt *a)
{
    bool fresh = a->stand == PLAIT_STAND_FRESH,
         goes_on = a->stand == PLAIT_STAND_RELINEARISED && (w->report.newton > ROUNDS || w->report.balance > FAR);
    if (!w->problem || !m->response.follows || !(fresh || goes_on))
        return false;
    if (plait_compliance_heavy(w->problem->compliance))
        return w->problem->n >= MANY && (!fresh || any_leans(m));
    return w->problem->n >= FEW;
}

// What was solved roughly took little: well at once then, that is cheaper than another look at all bodies.
static bool go_on(plait_work *w, plait_attempt *a, const plait_solve_options *options, plait_report *solved)
{
    plait_report more;
    solved->converged =
        solved->certificate.residual_rel <= options->tol && solved->certificate.dynamics <= options->tol;
    if (solved->converged)
        return true;
    a->status = plait_problem_solve(w->problem, options, w->solution, &more, a->error);
    more.iterations += solved->iterations;
    *solved = more;
    return a->status == PLAIT_OK && !plait_sim_stopped(w);
}

bool plait_sim_solve(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    (void)s;
    plait_sim_report *report = &w->report;
    report->contacts = w->touches.count;
    report->converged = true, report->iterations = 0, report->solver = "none";
    report->groups = report->largest_group = 0;
    report->certificate = (plait_certificate){.worst_contact = -1};
    report->nu = m->dofs > 0 ? 3.0 * w->touches.count / m->dofs : 0;
    a->rough = may_be_rough(m, w, a);
    if (!w->problem)
        return true;
    plait_solve_options options = m->scene->stepping.solve;
    plait_report solved;
    options.smallest = false; // at the end
    // What joints hold would go far in a static step without them: little of that is much of what it does with them.
    if (m->scene->stepping.mode == PLAIT_MODE_STATIC && w->has_laws)
        options.tol = fmin(options.tol, STATIC_TIES);
    const double tol = options.tol;
    if (a->rough)
        options.tol *= fmax(ROUGH, fmin(ROUGHER, ROUGHLY / tol));
    if (m->scene->stepping.adhesion == PLAIT_ADHESION_BOX && w->problem->laws)
        options.solver = PLAIT_SOLVER_GS, options.anderson = 0;
    options.threads = w->problem->n < PLAIT_SIM_FEW ? 1 : w->team.threads;
    options.stop = plait_sim_stopped, options.stop_data = w;
    a->status = plait_problem_solve(w->problem, &options, w->solution, &solved, a->error);
    if (a->status != PLAIT_OK || plait_sim_stopped(w))
        return false;
    if (a->rough && solved.iterations < LOOK && !plait_compliance_heavy(w->problem->compliance)) {
        a->rough = false, options.tol = tol;
        if (!go_on(w, a, &options, &solved))
            return false;
    }
    if (!a->rough)
        tighten(m, w, a, &options, &solved);
    if (a->status == PLAIT_OK && !a->rough && !plait_sim_stopped(w))
        choose_smallest(m, w, a, &options, &solved);
    if (a->status != PLAIT_OK || plait_sim_stopped(w))
        return false;
    report->groups = solved.groups, report->largest_group = solved.largest_group;
    report->solver = solved.solver, report->iterations = solved.iterations, report->converged = solved.converged;
    report->certificate = solved.certificate;
    w->noise = left_of(w->problem, solved.certificate.residual_rel);
    if (still(w->problem, w->noise)) {
        report->converged = true;
        if (!solved.converged) // relative to rounding: it says nothing
            report->certificate.residual_rel = 0;
    } else if (!(solved.certificate.residual_rel <= m->scene->stepping.reject)) {
        return plait_sim_reject(w, "the contact problem was not solved");
    }
    return true;
}
