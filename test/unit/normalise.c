// Numbers far from 1: the same problem in other units is solved by the same iterations, or refused with a message; what was not solved is
// never called so.
#include <float.h>

#include "check.h"
#include "plait/plait.h"
#include "reduced.h"

static plait_problem *fibres(int rods, uint64_t seed)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = rods, o.vertices = 8, o.nu = 0.8, o.seed = seed;
    return plait_problem_generate_fibres(&o, NULL);
}

// M and H, so that W is multiplied by `by_W` (half of it by M, half by H) and b by `by_b`.
static plait_problem *global(const plait_problem *p, double by_W, double by_b, plait_error *error)
{
    const plait_dynamics *y = p->dynamics;
    double by_H = sqrt(sqrt(by_W)), by_M = by_H * by_H / by_W, by_v = by_b / by_H;
    plait_sparse M = y->M, H = y->H;
    M.val = times(M.val, M.ptr[M.rows], by_M), H.val = times(H.val, H.ptr[H.rows], by_H);
    double *f = times(y->f, y->dofs, by_M * by_v), *w = times(y->w, 3 * (int64_t)p->n, by_b);
    plait_problem *q = plait_problem_from_dynamics(3, p->n, &M, &H, f, w, p->mu, error);
    free(M.val), free(H.val), free(f), free(w);
    return q;
}

typedef struct answer {
    plait_status status;
    plait_report report;
    plait_error error;
    double largest;
} answer;

static answer solve(const plait_problem *q, plait_solver solver)
{
    answer a = {0};
    plait_solution *s = plait_solution_new(q->n);
    plait_solve_options o = plait_default_solve_options();
    o.solver = solver, o.max_time = 0, o.threads = 1, o.tol = 1e-4, o.max_iterations = 20000;
    a.status = plait_problem_solve(q, &o, s, &a.report, &a.error);
    for (int i = 0; i < 3 * q->n; i++)
        a.largest = fmax(a.largest, fabs(s->r[i]));
    plait_solution_free(s);
    return a;
}

static void compare(const plait_problem *q, plait_solver solver, const answer *plain, double by_r)
{
    answer a = solve(q, solver);
    double largest = plain->largest * by_r;
    if (plain->largest == 0) { // a method that gets nowhere does not do so in other units either
        CHECK(!a.report.converged);
        return;
    }
    if (largest < DBL_MIN || largest > DBL_MAX) { // no number
        if (!CHECK(a.status == PLAIT_BAD_INPUT))
            printf("  %s: %g expected, %g found\n", plait_solver_name(solver), largest, a.largest);
        CHECK(strstr(a.error.text, "do not fit into numbers"));
        return;
    }
    if (!CHECK(a.status == PLAIT_OK))
        puts(a.error.text);
    bool as_good = a.report.converged == plain->report.converged;
    // Powers of ten round b and W, so that iterations may differ, where many are taken, by a few.
    if (!CHECK(as_good) ||
        !CHECK(abs(a.report.iterations - plain->report.iterations) <= plain->report.iterations / 4 + 2))
        printf("  %s: %d for %d iterations, residual %g for %g, impulses x %g\n", plait_solver_name(solver),
               a.report.iterations, plain->report.iterations, a.report.certificate.residual_rel,
               plain->report.certificate.residual_rel, by_r);
    CHECK(isfinite(a.report.certificate.residual_rel));
    CHECK(a.report.certificate.residual_rel > 1e-18);
    if (plain->report.converged)
        CHECK_NEAR(a.largest / largest, 1, 0.02); // at a residual of 1e-4
}

static const struct {
    double b, W;
} scales[] = {{1e-300, 1},   {1e-165, 1},     {1e-80, 1},      {1e-30, 1},      {1e30, 1},     {1e80, 1},
              {1e160, 1},    {1e300, 1},      {1, 1e-200},     {1, 1e-100},     {1, 1e100},    {1, 1e200},
              {1e100, 1e80}, {1e-100, 1e200}, {1e-200, 1e200}, {1e300, 1e-200}, {1e30, 1e-30}, {1e-150, 1e-150}};

CASE(the_same_iterations_in_any_units)
{
    plait_problem *p = fibres(4, 3), *plain = reduced(p, 1, 1, NULL);
    for (int k = 0; k < PLAIT_SOLVER_COUNT; k++) {
        answer here = solve(plain, (plait_solver)k), there = solve(p, (plait_solver)k);
        for (size_t m = 0; m < sizeof scales / sizeof *scales; m++) {
            plait_error error = {0};
            double by_r = scales[m].b / scales[m].W;
            plait_problem *q = reduced(p, scales[m].W, scales[m].b, &error);
            if (CHECK(q))
                compare(q, (plait_solver)k, &here, by_r);
            plait_problem_free(q);
            q = global(p, scales[m].W, scales[m].b, &error);
            if (q && q->b[0] != 0) // f has not vanished
                compare(q, (plait_solver)k, &there, by_r);
            else if (!q && !CHECK(!isfinite(by_r) && strstr(error.text, "expected a finite number"))) // f is none
                printf("  b x %g, W x %g: %s\n", scales[m].b, scales[m].W, error.text);
            plait_problem_free(q);
        }
    }
    plait_problem_free(plain), plait_problem_free(p);
}

CASE(powers_of_two_change_no_bit)
{
    plait_problem *p = fibres(4, 5), *plain = reduced(p, 1, 1, NULL);
    static const int power[][2] = {{40, 0},   {-40, 0}, {0, 40},   {0, -40},    {300, 0},
                                   {-300, 0}, {0, 300}, {0, -300}, {-700, -300}};
    for (int k = 0; k < PLAIT_SOLVER_COUNT; k++) {
        answer here = solve(plain, (plait_solver)k);
        for (size_t m = 0; m < sizeof power / sizeof *power; m++) {
            plait_problem *q = reduced(p, ldexp(1, power[m][1]), ldexp(1, power[m][0]), NULL);
            answer a = solve(q, (plait_solver)k);
            CHECK(a.status == PLAIT_OK);
            CHECK_INT(a.report.iterations, here.report.iterations);
            if (!CHECK(a.largest == ldexp(here.largest, power[m][0] - power[m][1])))
                printf("  %s: b x 2^%d, W x 2^%d\n", plait_solver_name((plait_solver)k), power[m][0], power[m][1]);
            CHECK(a.report.certificate.residual_rel == here.report.certificate.residual_rel);
            plait_problem_free(q);
        }
    }
    plait_problem_free(plain), plait_problem_free(p);
}

// The judge alone: what is not a solution has the same residual in any units.
CASE(the_judge_has_no_units)
{
    plait_problem *p = fibres(4, 7);
    double first = 0;
    for (size_t m = 0; m < sizeof scales / sizeof *scales; m++) {
        double by_r = scales[m].b / scales[m].W;
        plait_problem *q = reduced(p, scales[m].W, scales[m].b, NULL);
        plait_solution *s = plait_solution_new(q->n);
        for (int i = 0; i < q->n; i++)
            s->r[3 * i] = 1e-7 * by_r;
        plait_certificate c;
        CHECK(plait_problem_certify(q, s, &c, NULL) == PLAIT_OK);
        first = m == 0 ? c.residual_rel : first;
        if (isfinite(1e-7 * by_r) && 1e-7 * by_r > DBL_MIN)
            CHECK_NEAR(c.residual_rel / first, 1, 1e-9);
        CHECK(c.residual_fb_inf >= 0);
        plait_solution_free(s), plait_problem_free(q);
    }
    CHECK(first > 1e-3);
    plait_problem_free(p);
}

CASE(nothing_to_do_has_no_residual)
{
    plait_problem *p = fibres(4, 9);
    for (int form = 0; form < 2; form++) {
        plait_problem *q = form ? global(p, 1, 0, NULL) : reduced(p, 1, 0, NULL);
        for (int k = 0; k < PLAIT_SOLVER_COUNT; k++) {
            answer a = solve(q, (plait_solver)k);
            CHECK(a.status == PLAIT_OK && a.report.converged && a.largest == 0);
            CHECK(a.report.certificate.residual_rel == 0 && a.report.certificate.residual_fb_inf == 0);
        }
        plait_problem_free(q);
    }
    plait_problem_free(p);
}
