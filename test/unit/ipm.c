// The interior point on crowded assemblies with much friction, where gradients and fixed points circle.
#include "check.h"
#include "plait/plait.h"

static plait_problem *crowd(double nu, double mu, bool heavy, uint64_t seed)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = 8, o.vertices = 12, o.nu = nu, o.mu = mu, o.heavy = heavy, o.seed = seed;
    return plait_problem_generate_fibres(&o, NULL);
}

static bool solved(plait_problem *p, plait_solver solver)
{
    plait_solve_options o = plait_default_solve_options();
    plait_solution *s = plait_solution_new(p->n);
    plait_report report;
    o.solver = solver, o.tol = 1e-6, o.max_time = 0;
    CHECK_INT(plait_problem_solve(p, &o, s, &report, NULL), PLAIT_OK);
    plait_solution_free(s);
    return report.converged;
}

// Stiffnesses of contacts span four decades in heavy ones: a common start for all jams.
CASE(crowded)
{
    static const struct {
        double nu, mu;
        bool heavy;
    } kinds[] = {{1, 0.3, true}, {2, 0.3, false}, {2, 0.3, true}, {2, 0.5, false}};
    int count = 0;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            plait_problem *p = crowd(kinds[k].nu, kinds[k].mu, kinds[k].heavy, seed);
            count += solved(p, PLAIT_SOLVER_IPM);
            plait_problem_free(p);
        }
    CHECK(count >= 18); // of 20: whether a start jams hangs on the last digits; with one start for all it was 14
}

// What is given is the worst that is returned.
CASE(never_worse_than_its_guess)
{
    plait_problem *p = crowd(3, 0.8, true, 2);
    plait_solve_options o = plait_default_solve_options();
    plait_solution *s = plait_solution_new(p->n);
    plait_report first, second;
    o.solver = PLAIT_SOLVER_APGD, o.max_iterations = 300, o.max_time = 0;
    CHECK_INT(plait_problem_solve(p, &o, s, &first, NULL), PLAIT_OK);
    o.solver = PLAIT_SOLVER_IPM, o.max_iterations = 5;
    CHECK_INT(plait_problem_solve(p, &o, s, &second, NULL), PLAIT_OK);
    CHECK(second.certificate.residual_rel <= first.certificate.residual_rel);
    CHECK(second.iterations <= 5);
    plait_solution_free(s);
    plait_problem_free(p);
}
