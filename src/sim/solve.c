// solve.c: impulses of the one-step problem, and whether they are good enough.
#include <math.h>

#include "sim/limbs.h"

enum { MANY = 1000 };              // contacts: less are solved well at once
static const double ROUGH = 10;    // times the tolerance
static const double STILL = 1e-12; // [m/s]

// Where nothing moves b is rounding, and a residual relative to it says nothing.
static bool still(const plait_problem *p, double residual)
{
    double sum = 0;
    for (int i = 0; i < 3 * p->n; i++)
        sum += p->b[i] * p->b[i];
    return residual * sqrt(sum) <= STILL * sqrt(p->n);
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
