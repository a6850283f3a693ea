#include "global_cases.h"

CASE(contract)
{
    global_contract(PLAIT_SOLVER_CADOUX);
}

CASE(overconstrained_fibres)
{
    plait_problem *p = global_fibres(16, 1.6, 0.3, 0, 6);
    global_must_solve(p, PLAIT_SOLVER_CADOUX, 1e-8);
    plait_problem_free(p);
}

// Much friction and more contacts than the rods have freedom.
CASE(much_friction)
{
    plait_problem *p = global_fibres(14, 1.2, 0.8, 0, 7);
    global_must_solve(p, PLAIT_SOLVER_CADOUX, 1e-6);
    plait_problem_free(p);
}

CASE(points)
{
    int solved = 0, count = 30;
    for (int k = 0; k < count; k++) {
        plait_problem *p = global_points(4 + k % 5, 3 + k % 7, 0.5, 100 + (uint64_t)k);
        plait_solution *s = plait_solution_new(p->n);
        solved += global_solve(p, PLAIT_SOLVER_CADOUX, 1e-8, s).converged;
        plait_solution_free(s), plait_problem_free(p);
    }
    CHECK(solved >= count - 1);
}

CASE(real_problems)
{
    static const char *const names[] = {"Capsules-i100-889",     "BoxesStack1-i100000-32",   "Confeti-ex03-Fc3D-SBM",
                                        "OneObject-i100000-316", "fclib_local_problem_test", "KaplasTower-i1061-4"};
    if (!global_real(PLAIT_SOLVER_CADOUX, 1e-8, 6, names))
        SKIP("no real problems");
}
