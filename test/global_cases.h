// global_cases.h: problems and checks that the tests of the global solvers share.
#ifndef PLAIT_TEST_GLOBAL_CASES_H
#define PLAIT_TEST_GLOBAL_CASES_H

#include "plait/plait.h"

#include "base/rng.h"
#include "check.h"
#include "contact_judge.h"

// Fibres with friction mu; every `smooth`-th contact without friction (0: none).
static inline plait_problem *global_fibres(int rods, double nu, double mu, int smooth, uint64_t seed)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = rods, o.vertices = 10, o.nu = nu, o.mu = mu, o.seed = seed;
    plait_problem *p = plait_problem_generate_fibres(&o, NULL);
    for (int i = 0; p && smooth > 0 && i < p->n; i += smooth)
        p->mu[i] = 0;
    return p;
}

// The same, only W known, and in other units: impulses are smaller by `scale`.
static inline plait_problem *global_reduced(const plait_problem *p, double scale)
{
    double *W, *b;
    int size = 3 * p->n;
    judge_reduce(p, &W, &b);
    int64_t *ptr = calloc((size_t)size + 1, sizeof *ptr);
    int *col = malloc((size_t)size * (size_t)size * sizeof *col);
    for (int i = 0; i < size; i++) {
        ptr[i + 1] = ptr[i] + size;
        for (int j = 0; j < size; j++)
            col[i * size + j] = j, W[i * size + j] *= scale;
    }
    plait_sparse A = {size, size, ptr, col, W};
    plait_problem *q = plait_problem_from_delassus(3, p->n, &A, b, p->mu, NULL);
    free(W), free(b), free(ptr), free(col);
    return q;
}

// Random contacts between `bodies` rigid points of different masses: W of rank 3 bodies at most.
static inline plait_problem *global_points(int bodies, int n, double mu, uint64_t seed)
{
    plait_rng rng = plait_rng_new(seed, 0);
    int dofs = 3 * bodies;
    int64_t *mass_ptr = calloc((size_t)dofs + 1, sizeof *mass_ptr), *ptr = calloc(3 * (size_t)n + 1, sizeof *ptr);
    int *mass_col = malloc((size_t)dofs * sizeof *mass_col), *col = malloc(18 * (size_t)n * sizeof *col);
    double *mass = malloc((size_t)dofs * sizeof *mass), *val = malloc(18 * (size_t)n * sizeof *val);
    double *f = malloc((size_t)dofs * sizeof *f), *w = calloc(3 * (size_t)n, sizeof *w);
    double *friction = malloc((size_t)n * sizeof *friction);
    for (int i = 0; i < dofs; i++) {
        mass_ptr[i + 1] = i + 1, mass_col[i] = i;
        mass[i] = i % 3 ? mass[i - 1] : exp(plait_rng_between(&rng, -2, 2));
        f[i] = mass[i] * plait_rng_normal(&rng);
    }
    for (int i = 0; i < n; i++) {
        int a = (int)plait_rng_below(&rng, (uint64_t)bodies), b = (int)plait_rng_below(&rng, (uint64_t)bodies - 1);
        b += b >= a;
        double e[3][3], sign = a < b ? 1 : -1;
        for (int k = 0; k < 3; k++) { // a random frame, by Gram and Schmidt
            for (int c = 0; c < 3; c++)
                e[k][c] = plait_rng_normal(&rng);
            for (int j = 0; j <= k; j++) {
                double dot = e[k][0] * e[j][0] + e[k][1] * e[j][1] + e[k][2] * e[j][2];
                for (int c = 0; c < 3; c++)
                    e[k][c] = j == k ? e[k][c] / sqrt(dot) : e[k][c] - dot * e[j][c];
            }
            for (int c = 0; c < 6; c++) {
                col[18 * i + 6 * k + c] = 3 * ((c < 3) == (a < b) ? a : b) + c % 3; // ascending
                val[18 * i + 6 * k + c] = (c < 3 ? 1 : -1) * sign * e[k][c % 3];
            }
            ptr[3 * i + k + 1] = ptr[3 * i + k] + 6;
        }
        friction[i] = mu;
    }
    plait_sparse M = {dofs, dofs, mass_ptr, mass_col, mass}, H = {3 * n, dofs, ptr, col, val};
    plait_error error = {0};
    plait_problem *p = plait_problem_from_dynamics(3, n, &M, &H, f, w, friction, &error);
    if (!p)
        puts(error.text);
    free(mass_ptr), free(ptr), free(mass_col), free(col), free(mass), free(val), free(f), free(w), free(friction);
    return p;
}

// Solves from zero and judges from outside; returns the report.
static inline plait_report global_solve(const plait_problem *p, plait_solver solver, double tol, plait_solution *s)
{
    plait_solve_options o = plait_default_solve_options();
    plait_report report = {0};
    plait_error error = {0};
    o.solver = solver, o.tol = tol, o.threads = 1;
    if (!CHECK(plait_problem_solve(p, &o, s, &report, &error) == PLAIT_OK))
        puts(error.text);
    CHECK_STR(report.solver, plait_solver_name(solver));
    bool real = true;
    for (int i = 0; i < 3 * p->n; i++)
        real = real && isfinite(s->r[i]) && isfinite(s->u[i]);
    CHECK(real);
    return report;
}

static inline void global_must_solve(const plait_problem *p, plait_solver solver, double tol)
{
    plait_solution *s = plait_solution_new(p->n);
    // A quarter of what is judged below: largest entries and root mean squares differ by a factor that varies with rounding.
    plait_report report = global_solve(p, solver, 0.25 * tol, s);
    if (!CHECK(report.converged))
        printf("  %s: %d contacts, residual %g after %d iterations\n", report.solver, p->n,
               report.certificate.residual_rel, report.iterations);
    if (p->dynamics && p->n < 400) {
        double *W, *b;
        judge_reduce(p, &W, &b);
        CHECK_NEAR(judge_law(p->n, W, b, p->mu, s->r), 0, 1e3 * tol); // a largest entry against a root mean square
        free(W), free(b);
    }
    plait_solution_free(s);
}

static inline void global_same_in_other_units(const plait_problem *p, const plait_problem *reduced, plait_solver solver)
{
    for (int k = 0; k < 2; k++) {
        plait_problem *q = global_reduced(p, k ? 0x1p30 : 0x1p-30); // about 1e9 and 1e-9
        plait_solution *s = plait_solution_new(p->n), *t = plait_solution_new(p->n);
        plait_report here = global_solve(reduced, solver, 1e-8, s), there = global_solve(q, solver, 1e-8, t);
        CHECK(there.converged);
        CHECK_INT(there.iterations, here.iterations);
        plait_solution_free(s), plait_solution_free(t), plait_problem_free(q);
    }
}

// What every global solver must do.
static inline void global_contract(plait_solver solver)
{
    plait_problem *p = global_fibres(12, 0.9, 0.3, 3, 21), *q = global_reduced(p, 1);
    global_must_solve(p, solver, 1e-8);
    global_must_solve(q, solver, 1e-8);
    global_same_in_other_units(p, q, solver);
    // A solution is a warm start that needs no iteration; an iteration limit holds and still improves on nothing.
    plait_solution *s = plait_solution_new(p->n);
    plait_solve_options o = plait_default_solve_options();
    plait_report report;
    CHECK(global_solve(p, solver, 1e-8, s).converged);
    CHECK_INT(global_solve(p, solver, 1e-7, s).iterations, 0);
    memset(s->r, 0, 3 * (size_t)p->n * sizeof *s->r);
    o.solver = solver, o.tol = 1e-13, o.max_iterations = 3;
    CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK);
    CHECK(report.iterations <= 3);
    CHECK(report.certificate.residual_rel < 1);
    plait_solution_free(s), plait_problem_free(p), plait_problem_free(q);
    // Nothing can move: W = 0. No impulse helps, none must be a NaN.
    int64_t ptr[4] = {0};
    double b[3] = {-1, 0.5, 0}, mu = 0.5;
    plait_sparse zero = {3, 3, ptr, NULL, NULL};
    p = plait_problem_from_delassus(3, 1, &zero, b, &mu, NULL);
    if (p) {
        s = plait_solution_new(1);
        o.max_iterations = 50;
        CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK);
        CHECK(!report.converged && isfinite(s->r[0]) && isfinite(s->r[1]) && isfinite(s->r[2]));
        plait_solution_free(s), plait_problem_free(p);
    }
}

// Real problems that this solver is known to solve; skipped where they are not there. Returns how many were found.
static inline int global_real(plait_solver solver, double tol, int count, const char *const *names)
{
    int found = 0;
    for (int k = 0; k < count; k++) {
        char name[256];
        snprintf(name, sizeof name, "problems/real/%s.hdf5", names[k]);
        const char *path = check_shared(name);
        plait_error error = {0};
        plait_problem *p = path ? plait_problem_read(path, NULL, &error) : NULL;
        if (!p)
            continue;
        found++;
        plait_solution *s = plait_solution_new(p->n);
        plait_report report = global_solve(p, solver, tol, s);
        if (!CHECK(report.converged))
            printf("  %s: residual %g\n", names[k], report.certificate.residual_rel);
        plait_solution_free(s), plait_problem_free(p);
    }
    return found;
}

// How many of so many small problems of points a solver solves.
static inline int global_points_solved(plait_solver solver, int count)
{
    int solved = 0;
    for (int k = 0; k < count; k++) {
        plait_problem *p = global_points(4 + k % 5, 3 + k % 7, 0.3, 100 + (uint64_t)k);
        plait_solution *s = plait_solution_new(p->n);
        solved += global_solve(p, solver, 1e-8, s).converged;
        plait_solution_free(s), plait_problem_free(p);
    }
    return solved;
}

#endif
