// watchdog.h: small problems that nobody would think of: random, singular, nearly without a solution, badly scaled. A solver may fail on
// them, but it must end, and not say that it did not fail.
#ifndef TEST_WATCHDOG_H
#define TEST_WATCHDOG_H

#include "base/rng.h"
#include "check.h"
#include "plait/plait.h"

enum { WATCHDOG_CONTACTS = 5, WATCHDOG_SIZE = 3 * WATCHDOG_CONTACTS };

typedef struct watchdog {
    int problems, refused, solved, unsolved;
    double most; // work
} watchdog;

// Full matrices as sparse ones.
static inline plait_sparse watchdog_sparse(int rows, int cols, double *val, int64_t *ptr, int *col)
{
    for (int i = 0; i <= rows; i++)
        ptr[i] = (int64_t)i * cols;
    for (int k = 0; k < rows * cols; k++)
        col[k] = k % cols;
    return (plait_sparse){rows, cols, ptr, col, val};
}

static inline double watchdog_power(plait_rng *rng, double decades)
{
    return pow(10, plait_rng_between(rng, -decades, decades));
}

// W = A A^T with A of any rank, rows of any size, normals that nothing moves, b into or out of what W reaches.
static inline plait_problem *watchdog_reduced(plait_rng *rng, int n, const double *mu, plait_error *error)
{
    double A[WATCHDOG_SIZE * WATCHDOG_SIZE], W[WATCHDOG_SIZE * WATCHDOG_SIZE], b[WATCHDOG_SIZE], row[WATCHDOG_SIZE];
    int size = 3 * n, rank = 1 + (int)plait_rng_below(rng, (uint64_t)size), kind = (int)plait_rng_below(rng, 6);
    double by_W = kind == 4 ? watchdog_power(rng, 190) : 1, by_b = kind >= 4 ? watchdog_power(rng, 290) : 1;
    for (int i = 0; i < size; i++) {
        row[i] = kind == 1 ? watchdog_power(rng, 6) : kind == 2 && i % 3 == 0 ? 1e-9 : kind == 3 && i % 3 != 0 ? 0 : 1;
        for (int k = 0; k < rank; k++)
            A[i * WATCHDOG_SIZE + k] = row[i] * plait_rng_normal(rng);
        b[i] = by_b * (plait_rng_normal(rng) - (i % 3 == 0 ? 1 : 0)) * (kind == 1 ? row[i] : 1);
    }
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            double sum = 0;
            for (int k = 0; k < rank; k++)
                sum += A[i * WATCHDOG_SIZE + k] * A[j * WATCHDOG_SIZE + k];
            W[i * size + j] = by_W * sum;
        }
    int64_t ptr[WATCHDOG_SIZE + 1];
    int col[WATCHDOG_SIZE * WATCHDOG_SIZE];
    plait_sparse S = watchdog_sparse(size, size, W, ptr, col);
    return plait_problem_from_delassus(3, n, &S, b, mu, error);
}

// The same from M, with masses of many decades, and H, which may leave contacts without a hold.
static inline plait_problem *watchdog_dynamics(plait_rng *rng, int n, const double *mu, plait_error *error)
{
    enum { DOFS = 6 };
    double M[DOFS * DOFS] = {0}, H[WATCHDOG_SIZE * DOFS], f[DOFS], w[WATCHDOG_SIZE];
    int size = 3 * n, kind = (int)plait_rng_below(rng, 4);
    double by_H = kind == 2 ? watchdog_power(rng, 40) : 1, by_f = kind == 3 ? watchdog_power(rng, 100) : 1;
    for (int d = 0; d < DOFS; d++) {
        M[d * DOFS + d] = kind == 1 ? watchdog_power(rng, 6) : 1;
        f[d] = by_f * plait_rng_normal(rng);
    }
    M[1] = M[DOFS] = 0.5 * sqrt(M[0] * M[DOFS + 1]);
    for (int i = 0; i < size; i++) {
        bool none = plait_rng_below(rng, 8) == 0;
        for (int d = 0; d < DOFS; d++)
            H[i * DOFS + d] = none ? 0 : by_H * plait_rng_normal(rng);
        w[i] = plait_rng_below(rng, 2) ? 0 : -fabs(plait_rng_normal(rng));
    }
    int64_t M_ptr[DOFS + 1], H_ptr[WATCHDOG_SIZE + 1];
    int M_col[DOFS * DOFS], H_col[WATCHDOG_SIZE * DOFS];
    plait_sparse SM = watchdog_sparse(DOFS, DOFS, M, M_ptr, M_col), SH = watchdog_sparse(size, DOFS, H, H_ptr, H_col);
    return plait_problem_from_dynamics(3, n, &SM, &SH, f, w, mu, error);
}

static inline plait_problem *watchdog_problem(uint64_t seed, plait_error *error)
{
    static const double friction[] = {0, 0.1, 0.3, 0.7, 1, 3, 30, 1e-6};
    plait_rng rng = plait_rng_new(seed, 1);
    int n = 1 + (int)plait_rng_below(&rng, WATCHDOG_CONTACTS);
    double mu[WATCHDOG_CONTACTS];
    for (int i = 0; i < n; i++)
        mu[i] = friction[plait_rng_below(&rng, sizeof friction / sizeof *friction)];
    return plait_rng_below(&rng, 3) ? watchdog_reduced(&rng, n, mu, error) : watchdog_dynamics(&rng, n, mu, error);
}

// Ends with no more than `most` work, and an answer that is honest.
static inline void watchdog_solve(watchdog *dog, uint64_t seed, plait_solver solver, int max_iterations, double most)
{
    plait_error error = {0};
    plait_problem *p = watchdog_problem(seed, &error);
    dog->problems++;
    if (!p) {
        CHECK(error.status == PLAIT_BAD_INPUT && error.text[0]);
        dog->refused++;
        return;
    }
    plait_solution *s = plait_solution_new(p->n);
    plait_solve_options o = plait_default_solve_options();
    plait_report report;
    o.solver = solver, o.max_time = 0, o.max_iterations = max_iterations, o.threads = 1;
    plait_status status = plait_problem_solve(p, &o, s, &report, &error);
    bool fine = status == PLAIT_OK || (status == PLAIT_BAD_INPUT && error.text[0]), real = true;
    dog->refused += status != PLAIT_OK;
    if (status == PLAIT_OK) {
        double largest = 0;
        for (int i = 0; i < 3 * p->n; i++)
            real = real && isfinite(s->r[i]) && isfinite(s->u[i]), largest = fmax(largest, fabs(p->b[i]));
        real = real && isfinite(report.certificate.residual_rel) && !report.stopped;
        // What is called solved is: nothing goes on into anything, by much.
        for (int i = 0; report.converged && i < p->n; i++)
            real = real && s->u[3 * i] >= -1e-4 * largest * sqrt(p->n);
        dog->solved += report.converged, dog->unsolved += !report.converged;
    }
    dog->most = fmax(dog->most, report.work);
    if (!CHECK(fine && real && report.work <= most))
        printf("  seed %llu, %s: status %d (%s), residual %g, work %g\n", (unsigned long long)seed,
               plait_solver_name(solver), status, error.text, report.certificate.residual_rel, report.work);
    plait_solution_free(s), plait_problem_free(p);
}

#endif
