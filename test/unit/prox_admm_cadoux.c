// The three solvers that must manage what plain Newton and Gauss-Seidel do not, on the same hard problems.
#include "global_cases.h"

static const plait_solver list[] = {PLAIT_SOLVER_PROX, PLAIT_SOLVER_ADMM, PLAIT_SOLVER_CADOUX};
enum { COUNT = sizeof list / sizeof *list };

CASE(contract)
{
    for (int k = 0; k < COUNT; k++)
        global_contract(list[k]);
}

CASE(overconstrained_fibres)
{
    plait_problem *p = global_fibres(16, 1.6, 0.3, 0, 6);
    for (int k = 0; k < COUNT; k++)
        global_must_solve(p, list[k], 1e-8);
    plait_problem_free(p);
}

// Much friction and more contacts than the rods have freedom.
CASE(much_friction)
{
    plait_problem *p = global_fibres(14, 1.2, 0.8, 0, 7);
    for (int k = 0; k < COUNT; k++)
        global_must_solve(p, list[k], 1e-6);
    plait_problem_free(p);
}

CASE(points)
{
    enum { PROBLEMS = 30 };
    int solved[COUNT] = {0};
    for (int k = 0; k < PROBLEMS; k++) {
        plait_problem *p = global_points(4 + k % 5, 3 + k % 7, 0.5, 100 + (uint64_t)k);
        for (int m = 0; m < COUNT; m++) {
            plait_solution *s = plait_solution_new(p->n);
            solved[m] += global_solve(p, list[m], 1e-8, s).converged;
            plait_solution_free(s);
        }
        plait_problem_free(p);
    }
    for (int m = 0; m < COUNT; m++)
        CHECK(solved[m] >= PROBLEMS - 1);
}

CASE(real_problems)
{
    static const char *const names[] = {"Capsules-i100-889",     "BoxesStack1-i100000-32",   "Confeti-ex03-Fc3D-SBM",
                                        "OneObject-i100000-316", "fclib_local_problem_test", "KaplasTower-i1061-4"};
    for (int k = 0; k < COUNT; k++)
        if (!global_real(list[k], 1e-8, 6, names))
            SKIP("no real problems");
}
