// Every solver on generated problems, judged from outside; the same bits for any number of threads; warm starts; units.
#include "check.h"
#include "contact_judge.h"
#include "plait/plait.h"
#include "reduced.h"

static plait_problem *fibres(int rods, int vertices, double nu, bool heavy, uint64_t seed)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = rods, o.vertices = vertices, o.nu = nu, o.seed = seed, o.heavy = heavy;
    return plait_problem_generate_fibres(&o, NULL);
}

// bound: of the largest violation, by the judge.
static void solve_within(plait_problem *p, plait_solver solver, double tol, bool must, double bound)
{
    plait_solve_options o = plait_default_solve_options();
    plait_solution *s = plait_solution_new(p->n);
    plait_report report;
    plait_error error = {0};
    double *W, *b;
    o.solver = solver, o.tol = tol;
    CHECK(plait_problem_solve(p, &o, s, &report, &error) == PLAIT_OK);
    for (int i = 0; i < 3 * p->n; i++)
        CHECK(isfinite(s->r[i]) && isfinite(s->u[i]));
    if (must && !CHECK(report.converged))
        printf("  %s: n %d, residual %g after %d iterations\n", plait_solver_name(solver), p->n,
               report.certificate.residual_rel, report.iterations);
    if (report.converged) {
        judge_reduce(p, &W, &b);
        CHECK_NEAR(judge_law(p->n, W, b, p->mu, s->r), 0.0, bound);
        free(W), free(b);
    }
    plait_solution_free(s);
}

static void solve_and_judge(plait_problem *p, plait_solver solver, double tol, bool must)
{
    solve_within(p, solver, tol, must, 1e3 * tol); // a largest entry against a root mean square
}

CASE(every_solver_on_a_loose_assembly)
{
    plait_problem *p = fibres(6, 10, 0.4, false, 3);
    for (int k = 0; k < PLAIT_SOLVER_COUNT; k++)
        solve_and_judge(p, (plait_solver)k, 1e-7, true);
    plait_problem_free(p);
}

CASE(every_solver_survives_an_overconstrained_one)
{
    plait_problem *p = fibres(5, 10, 1.6, true, 4);
    for (int k = 0; k < PLAIT_SOLVER_COUNT; k++)
        solve_and_judge(p, (plait_solver)k, 1e-6,
                        k == PLAIT_SOLVER_AUTO || k == PLAIT_SOLVER_IPM || k == PLAIT_SOLVER_APGD);
    plait_problem_free(p);
}

// No friction, and no velocity along any surface to begin with: what penetrations are undone with.
CASE(every_solver_without_friction)
{
    plait_problem *p = fibres(6, 10, 0.8, false, 5);
    memset(p->dynamics->f, 0, (size_t)p->dynamics->dofs * sizeof *p->dynamics->f);
    for (int i = 0; i < 3 * p->n; i++)
        p->b[i] = p->dynamics->w[i] = i % 3 > 0 ? 0 : i % 2 ? 1e-3 : -1e-3;
    for (int i = 0; i < p->n; i++)
        p->mu[i] = 0;
    for (int k = 0; k < PLAIT_SOLVER_COUNT; k++)
        solve_and_judge(p, (plait_solver)k, 1e-6,
                        k == PLAIT_SOLVER_AUTO || k == PLAIT_SOLVER_APGD || k == PLAIT_SOLVER_SPG);
    plait_problem_free(p);
}

// Nor is there an impulse at an open contact that hardly moves (of two held ends) and has no friction.
CASE(open_contacts_without_friction)
{
    enum { OPEN = 3, N = 16, SIZE = 3 * N };
    int64_t ptr[SIZE + 1];
    int col[SIZE * SIZE];
    double val[SIZE * SIZE], b[SIZE] = {0}, mu[N] = {0};
    for (int i = 0; i <= SIZE; i++)
        ptr[i] = (int64_t)i * SIZE;
    for (int k = 0; k < SIZE * SIZE; k++) { // all normals push each other a little
        int i = k / SIZE, j = k % SIZE;
        col[k] = j;
        val[k] = ((i == j) + (i % 3 == 0 && j % 3 == 0 ? 0.1 : 0)) * (i / 3 == OPEN ? 1e-4 : 1) *
                 (j / 3 == OPEN ? 1e-4 : 1);
    }
    for (int i = 0; i < SIZE; i += 3)
        b[i] = i / 3 == OPEN ? 1 : -1;
    plait_sparse A = {.rows = SIZE, .cols = SIZE, .ptr = ptr, .col = col, .val = val};
    plait_problem *p = plait_problem_from_delassus(3, N, &A, b, mu, NULL);
    for (int k = 0; k < PLAIT_SOLVER_COUNT; k++) {
        plait_solve_options o = plait_default_solve_options();
        plait_solution *s = plait_solution_new(N);
        plait_report report;
        o.solver = (plait_solver)k, o.max_iterations = 1000;
        CHECK_INT(plait_problem_solve(p, &o, s, &report, NULL), PLAIT_OK);
        if (!CHECK(report.converged))
            printf("  %s: residual %g\n", plait_solver_name(o.solver), report.certificate.residual_rel);
        for (int i = 0; i < N; i++)
            CHECK(s->r[3 * i] >= 0);
        plait_solution_free(s);
    }
    plait_problem_free(p);
}

// Gradient steps alone: with a shift that follows at once they circle on 13 of the first 20 of these. (At nu 1.2 it is
// luck: 22 or 23 of 30 are solved, with other rounding others.) They end between sticking and sliding, where the
// violation goes with the root of the residual.
CASE(gradients_solve_assemblies_with_much_friction)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        plait_fibre_options o = plait_default_fibre_options();
        o.rods = 12, o.vertices = 20, o.nu = 1, o.mu = 0.8, o.seed = seed;
        plait_problem *p = plait_problem_generate_fibres(&o, NULL);
        solve_within(p, PLAIT_SOLVER_APGD, 1e-7, true, 1e-3);
        plait_problem_free(p);
    }
}

CASE(default_solves_hard_assemblies)
{
    for (int k = 0; k < 4; k++) {
        plait_problem *p = fibres(8 + k, 12, 0.5 + 0.5 * k, k % 2 == 0, 10 + (uint64_t)k);
        solve_and_judge(p, PLAIT_SOLVER_AUTO, 1e-8, true);
        plait_problem_free(p);
    }
}

CASE(units_do_not_matter)
{
    plait_problem *p = fibres(6, 10, 0.8, false, 5);
    plait_solver list[] = {PLAIT_SOLVER_AUTO, PLAIT_SOLVER_GS, PLAIT_SOLVER_APGD, PLAIT_SOLVER_SPG};
    for (size_t k = 0; k < sizeof list / sizeof *list; k++) {
        int iterations[3];
        for (int m = 0; m < 3; m++) {
            plait_problem *q = reduced(p, m == 0 ? 1 : m == 1 ? 0x1p27 : 0x1p-27, 1, NULL); // about 1e8 and 1e-8
            plait_solution *s = plait_solution_new(q->n);
            plait_solve_options o = plait_default_solve_options();
            plait_report report;
            o.solver = list[k];
            CHECK(plait_problem_solve(q, &o, s, &report, NULL) == PLAIT_OK);
            CHECK(report.converged);
            iterations[m] = report.iterations;
            plait_solution_free(s), plait_problem_free(q);
        }
        CHECK_INT(iterations[1], iterations[0]);
        CHECK_INT(iterations[2], iterations[0]);
    }
    plait_problem_free(p);
}

CASE(any_number_of_threads_gives_the_same_bits)
{
    plait_problem *p = fibres(24, 30, 1.5, true, 6); // just large enough for the parallel paths
    for (int k = 0; k < PLAIT_SOLVER_COUNT; k++) {
        plait_solution *first = NULL;
        for (int threads = 1; threads <= 4; threads *= 2) {
            plait_solution *s = plait_solution_new(p->n);
            plait_solve_options o = plait_default_solve_options();
            plait_report report;
            o.solver = (plait_solver)k, o.threads = threads, o.max_iterations = 5, o.max_time = 0;
            CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK);
            if (!first) {
                first = s;
                continue;
            }
            if (!CHECK(memcmp(first->r, s->r, 3 * (size_t)p->n * sizeof(double)) == 0))
                printf("  %s differs with %d threads\n", plait_solver_name((plait_solver)k), threads);
            plait_solution_free(s);
        }
        plait_solution_free(first);
    }
    plait_problem_free(p);
}

CASE(local_solvers_in_sweeps)
{
    plait_problem *p = fibres(6, 10, 0.6, false, 8);
    for (int k = 0; k < PLAIT_LOCAL_COUNT; k++) {
        plait_solve_options o = plait_default_solve_options();
        plait_solution *s = plait_solution_new(p->n);
        plait_report report;
        o.solver = PLAIT_SOLVER_GS, o.local = (plait_local)k;
        CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK);
        bool exact = k != PLAIT_LOCAL_DURIEZ06 && k != PLAIT_LOCAL_PYRAMID;
        if (exact && !CHECK(report.converged))
            printf("  gs with %s: %g\n", plait_local_name((plait_local)k), report.certificate.residual_rel);
        CHECK(report.local_calls >= report.local_alt && report.local_alt >= report.local_fail);
        plait_solution_free(s);
    }
    plait_problem_free(p);
}

CASE(a_solution_is_a_warm_start)
{
    plait_problem *p = fibres(8, 12, 0.9, false, 9);
    plait_solution *s = plait_solution_new(p->n);
    plait_solve_options o = plait_default_solve_options();
    plait_report cold, warm;
    CHECK(plait_problem_solve(p, &o, s, &cold, NULL) == PLAIT_OK && cold.converged);
    CHECK(plait_problem_solve(p, &o, s, &warm, NULL) == PLAIT_OK && warm.converged);
    CHECK_INT(warm.iterations, 0);
    s->r[0] = INFINITY;
    plait_error error = {0};
    CHECK(plait_problem_solve(p, &o, s, &warm, &error) == PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "initial guess") != NULL);
    plait_solution_free(s), plait_problem_free(p);
}

static bool stop_at_once(const plait_progress *progress, void *data)
{
    (void)progress;
    ++*(int *)data;
    return false;
}

CASE(the_caller_can_stop)
{
    plait_problem *p = fibres(30, 20, 1.5, true, 9);
    for (int k = 0; k < PLAIT_SOLVER_COUNT; k++) {
        plait_solution *s = plait_solution_new(p->n);
        plait_solve_options o = plait_default_solve_options();
        plait_report report;
        int asked = 0;
        o.solver = (plait_solver)k, o.tol = 1e-14, o.progress = stop_at_once, o.progress_data = &asked;
        CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK);
        CHECK(report.stopped && !report.converged && asked > 0 && asked < 20);
        CHECK(isfinite(report.certificate.residual_rel));
        plait_solution_free(s);
    }
    plait_problem_free(p);
}
