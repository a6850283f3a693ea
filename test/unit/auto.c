// Which methods `auto` takes, seen from outside: by what they count.
#include "check.h"
#include "plait/plait.h"

static plait_problem *fibres(int rods, double nu, double mu, bool along, uint64_t seed)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = rods, o.nu = nu, o.mu = mu, o.along = along, o.seed = seed;
    return plait_problem_generate_fibres(&o, NULL);
}

static plait_report solve(const plait_problem *p, plait_solver solver, int most)
{
    plait_solve_options o = plait_default_solve_options();
    plait_solution *s = plait_solution_new(p->n);
    plait_report report;
    o.solver = solver, o.max_iterations = most, o.threads = 1;
    CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK);
    plait_solution_free(s);
    return report;
}

// Only sweeps solve one contact at a time. Without turns there are 20 at most where gradients circle.
CASE(sweeps_take_turns_where_gradients_circle_and_nowhere_else)
{
    plait_problem *circles = fibres(40, 0.75, 0.58, true, 5), *plain = fibres(56, 0.6, 0.3, false, 5);
    plait_report report = solve(circles, PLAIT_SOLVER_AUTO, 0);
    CHECK(report.converged && report.local_calls > 30 * (long long)circles->n);
    report = solve(plain, PLAIT_SOLVER_AUTO, 0);
    CHECK(report.converged && report.local_calls == 0);
    plait_problem_free(circles), plait_problem_free(plain);
}

// With much friction gradients circle, too, but find out by themselves: sweeps would lose, and so would factors.
CASE(much_friction_is_left_to_gradients)
{
    static const struct {
        int rods;
        double nu, mu;
        uint64_t seed;
    } cases[] = {{48, 0.7, 0.8, 1}, {48, 0.7, 0.8, 2}, {37, 0.9, 0.5, 2002}, {21, 1.6, 0.5, 2002}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        plait_problem *p = fibres(cases[k].rods, cases[k].nu, cases[k].mu, false, cases[k].seed);
        plait_report best = solve(p, PLAIT_SOLVER_APGD, 9000), report = solve(p, PLAIT_SOLVER_AUTO, 0);
        CHECK(best.converged && report.converged);
        if (!CHECK(report.work <= 1.3 * best.work))
            printf("  case %zu: %g products, apgd %g\n", k, report.work, best.work);
        plait_problem_free(p);
    }
}
