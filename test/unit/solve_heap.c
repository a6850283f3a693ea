// solve_heap.c: whichever allocation fails while a problem is solved, by sparse factorisation too, the solver says so.
#include "check.h"
#include "heap.h"
#include "plait/contact.h"
#include "plait/generate.h"

enum { MOST = 40 }; // failures that are tried of each solver

// Either "no memory", or the answer to the last bit.
static void judge(plait_solver solver, const plait_problem *p)
{
    plait_solve_options options = plait_default_solve_options();
    options.solver = solver, options.tol = 1e-5, options.max_time = 0, options.max_iterations = 60, options.threads = 1;
    plait_solution *right = plait_solution_new(p->n), *s = plait_solution_new(p->n);
    size_t bytes = 3 * (size_t)p->n * sizeof *s->r;
    plait_report report;
    long first = calls;
    CHECK_INT(plait_problem_solve(p, &options, right, &report, NULL), PLAIT_OK);
    long needed = calls - first, refused = 0, wrong = 0, tried = 0;
    for (long k = 1; k <= needed; k += 1 + needed / MOST, tried++) {
        long alive = live;
        plait_error error = {0};
        memset(s->r, 0, bytes);
        fail_at = calls + k;
        plait_status status = plait_problem_solve(p, &options, s, &report, &error);
        fail_at = 0;
        bool no = status == PLAIT_NO_MEMORY && error.status == status;
        bool yes = status == PLAIT_OK && memcmp(s->r, right->r, bytes) == 0;
        wrong += (!no && !yes) || live > alive, refused += no;
        if ((!no && !yes) || live > alive)
            printf("%s: allocation %ld of %ld: status %d '%s', %ld lost\n", plait_solver_name(solver), k, needed,
                   status, error.text, live - alive);
    }
    printf("%-10s %5ld allocations, %4ld tried, %4ld refused, %ld wrong\n", plait_solver_name(solver), needed, tried,
           refused, wrong);
    CHECK_INT(wrong, 0);
    CHECK(refused > tried / 2);
    plait_solution_free(right), plait_solution_free(s);
}

CASE(every_solver)
{
    if (!COUNTS)
        SKIP("heap calls cannot be counted here");
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = 16, o.vertices = 12, o.nu = 1, o.local = 0, o.seed = 3; // one group, more than 120 contacts: MUMPS
    plait_error error = {0};
    plait_problem *p = plait_problem_generate_fibres(&o, &error);
    if (!CHECK(p != NULL)) {
        puts(error.text);
        return;
    }
    spare_below = 20000; // what MUMPS asks for its arrays is counted
    for (int solver = 0; solver < PLAIT_SOLVER_COUNT; solver++)
        judge((plait_solver)solver, p);
    plait_problem_free(p);
}
