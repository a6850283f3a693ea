// solve.c: impulses of the one-step problem, and whether they are good enough.
#include <math.h>

#include "sim/limbs.h"

enum { MANY = 1000, TIGHTER = 6 }; // contacts: less are solved well at once; solves for the sake of stillness
static const double ROUGH = 10;    // times the tolerance
static const double STILL = 1e-12; // [m/s]
static const double SLOW = 1e-4;   // [m/s] contacts that are all slower are coming to rest ...
static const double RESTS = 1e-9;  // [m/s] ... and then may creep this fast

// Where nothing moves b is rounding, and a residual relative to it says nothing.
static bool still(const plait_problem *p, double residual)
{
    double sum = 0;
    for (int i = 0; i < 3 * p->n; i++)
        sum += p->b[i] * p->b[i];
    return residual * sqrt(sum) <= STILL * sqrt(p->n);
}

// What sticking contacts may move. Left to the program, it counts only where everything that touches is about to come to
// rest: there it costs little, and what rests stays where it is.
static double creep_limit(const plait_model *m, double fastest)
{
    double asked = m->scene->stepping.creep;
    if (asked < 0)
        return fastest < SLOW ? RESTS : INFINITY;
    return asked > 0 ? asked : INFINITY;
}

// Again from where it is, with a smaller tolerance, until no contact that sticks moves faster than is allowed. Ends where
// the solver gets no further: then it creeps, and the report says so.
static bool tighten(const plait_model *m, plait_work *w, plait_attempt *a, plait_solve_options *options,
                    plait_report *solved)
{
    const double smallest = 1e-15;
    for (int k = 0; k < TIGHTER && solved->converged && options->tol > smallest; k++) {
        double fastest, creep = plait_sim_creep(w, &fastest), limit = creep_limit(m, fastest);
        if (creep <= limit)
            break;
        double left = solved->certificate.residual_rel;
        options->tol = fmax(smallest, fmin(options->tol, left) * fmax(1e-4, fmin(0.3, 0.5 * limit / creep)));
        plait_report better;
        a->status = plait_problem_solve(w->problem, options, w->solution, &better, a->error);
        if (a->status != PLAIT_OK || plait_sim_stopped(w))
            return false;
        solved->iterations += better.iterations;
        bool further = better.certificate.residual_rel < left;
        if (further)
            solved->certificate = better.certificate;
        if (!better.converged)
            break;
    }
    return true;
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
    // Bodies will be linearised again; until then contacts need not be solved well.
    a->rough = m->response.follows && a->stand == PLAIT_STAND_FRESH && w->problem && w->problem->n >= MANY;
    if (!w->problem)
        return true;
    plait_solve_options options = m->scene->stepping.solve;
    plait_report solved;
    if (a->rough)
        options.tol *= ROUGH;
    if (m->scene->stepping.adhesion == PLAIT_ADHESION_BOX && w->problem->laws)
        options.solver = PLAIT_SOLVER_GS, options.anderson = 0;
    options.threads = w->problem->n < PLAIT_SIM_FEW ? 1 : w->threads;
    options.stop = plait_sim_stopped, options.stop_data = w;
    a->status = plait_problem_solve(w->problem, &options, w->solution, &solved, a->error);
    if (a->status != PLAIT_OK || plait_sim_stopped(w))
        return false;
    if (!a->rough && !tighten(m, w, a, &options, &solved))
        return false;
    report->groups = solved.groups, report->largest_group = solved.largest_group;
    report->solver = solved.solver, report->iterations = solved.iterations, report->converged = solved.converged;
    report->certificate = solved.certificate;
    if (still(w->problem, solved.certificate.residual_rel)) {
        report->converged = true;
        if (!solved.converged) // relative to rounding: it says nothing
            report->certificate.residual_rel = 0;
    } else if (!(solved.certificate.residual_rel <= m->scene->stepping.reject)) {
        return plait_sim_reject(w, "the contact problem was not solved");
    }
    return true;
}
