// solver_toy.c: a new solver is one file and one row. This file is both: damped steps of all contacts at once, each projected by its
// law (Jacobi). Slow, but it ends at the same impulses as the others, and the judge says so.
//
// The list of contact/solver_table.c is replaced by the one below; nothing else knows.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contact/system.h"
#include "global_cases.h"

// ---- the file: r <- P(r - t (u + s e_N)), t small enough for any contact that is coupled to few others -------------

static bool solve_toy(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    *out = (plait_outcome){.name = "toy", .residual = INFINITY};
    double most = 0;
    for (int i = 0; i < sys->n; i++)
        most = fmax(most, 3 * sys->s[i]);
    double t = 1 / (most * fmin(sys->n, 12));
    for (;;) {
        plait_system_apply(sys, r, u);
        out->residual = plait_system_residual(sys, r, u);
        if (out->residual <= sys->target || out->iterations >= max_iterations ||
            plait_system_tick(sys, out->iterations, out->residual))
            return true;
        for (int64_t i = 0; i < sys->n; i++) {
            double shift = plait_law_shift(&sys->laws, i, u + 3 * i), x[3], y[3];
            for (int k = 0; k < 3; k++)
                x[k] = r[3 * i + k] - t * (u[3 * i + k] + (k == 0 ? shift : 0));
            plait_law_project(&sys->laws, i, t, shift, x, y);
            memcpy(r + 3 * i, y, sizeof y);
        }
        out->iterations++;
    }
}

// ---- the row -----------------------------------------------------------------------------------------------------

enum { TOY = PLAIT_SOLVER_COUNT }; // the number that it would have in plait_solver

const plait_solver_row plait_solver_table[] = {
    [PLAIT_SOLVER_AUTO] = {"auto", plait_solve_auto, 1000000},
    [PLAIT_SOLVER_GS] = {"gs", plait_solve_gs, 200000},
    [PLAIT_SOLVER_SPG] = {"spg", plait_solve_spg, 300000},
    [PLAIT_SOLVER_APGD] = {"apgd", plait_solve_apgd, 300000},
    [PLAIT_SOLVER_ADMM] = {"admm", plait_solve_admm, 200000},
    [PLAIT_SOLVER_NEWTON_AC] = {"newton-ac", plait_solve_newton_ac, 2000},
    [PLAIT_SOLVER_NEWTON_MFB] = {"newton-mfb", plait_solve_newton_mfb, 2000},
    [PLAIT_SOLVER_PROX] = {"prox", plait_solve_prox, 5000},
    [PLAIT_SOLVER_CADOUX] = {"cadoux", plait_solve_cadoux, 300000},
    [PLAIT_SOLVER_IPM] = {"ipm", plait_solve_ipm, 1400},
    [TOY] = {"toy", solve_toy, 200000},
};
const int plait_solver_rows = TOY + 1;

// ---- what it can do ------------------------------------------------------------------------------------------------

// A block of 2 kg that slides: the closed form r = (m v_N, -mu m v_N t).
CASE(one_block)
{
    int64_t ptr[] = {0, 1, 2, 3};
    int col[] = {0, 1, 2};
    double M[] = {2, 2, 2}, H[] = {1, 1, 1}, f[] = {-2, 6, 8}, w[] = {0, 0, 0}, mu[] = {0.5};
    plait_sparse mass = {3, 3, ptr, col, M}, frame = {3, 3, ptr, col, H};
    plait_problem *p = plait_problem_from_dynamics(3, 1, &mass, &frame, f, w, mu, NULL);
    plait_solution *s = plait_solution_new(1);
    plait_solve_options o = plait_default_solve_options();
    plait_report report;
    o.solver = (plait_solver)TOY, o.tol = 1e-10;
    CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK && report.converged);
    CHECK_STR(plait_solver_name((plait_solver)TOY), "toy");
    CHECK_NEAR(s->r[0], 2, 1e-8);
    CHECK_NEAR(s->r[1], -0.6, 1e-8); // mu r_N against (3, 4) / 5
    CHECK_NEAR(s->r[2], -0.8, 1e-8);
    plait_solution_free(s), plait_problem_free(p);
}

CASE(many_contacts)
{
    plait_problem *p = global_fibres(6, 0.3, 0.3, 0, 4);
    plait_solution *s = plait_solution_new(p->n), *t = plait_solution_new(p->n);
    plait_solve_options o = plait_default_solve_options();
    plait_report report, reference;
    o.tol = 1e-8, o.max_time = 0;
    CHECK(plait_problem_solve(p, &o, t, &reference, NULL) == PLAIT_OK && reference.converged);
    o.solver = (plait_solver)TOY;
    CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK && report.converged);
    CHECK(report.iterations > reference.iterations / 100);
    double worst = 0, scale = 0;
    for (int i = 0; i < 3 * p->n; i++)
        worst = fmax(worst, fabs(s->u[i] - t->u[i])), scale = fmax(scale, fabs(t->u[i]) + fabs(p->b[i]));
    CHECK(worst < 1e-5 * scale);
    plait_solution_free(s), plait_solution_free(t), plait_problem_free(p);
}
