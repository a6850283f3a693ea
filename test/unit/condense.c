// condense.c: bonds and ties taken out of W: the same answer as without, in few steps however stiff they are.
#include <math.h>

#include "bonded.h"
#include "contact/operator.h"
#include "contact/system.h"

// The residual by the judge, after plait_solve_condensed from zero. rounding: how far two residuals may be apart, K times
// the last digits of u.
static double condense(const plait_problem *p, double tol, double rounding, plait_solution *s, plait_outcome *out)
{
    plait_solve_options options = plait_default_solve_options();
    plait_certificate judged = {0};
    options.threads = 1;
    plait_system *sys = plait_system_new(p, &options, NULL);
    double sum = 0;
    for (int i = 0; i < 3 * p->n; i++)
        sum += p->b[i] * p->b[i];
    sys->norm_b = sqrt(sum), sys->target = tol * sys->norm_b, sys->name = "condensed";
    memset(s->r, 0, 3 * (size_t)p->n * sizeof *s->r);
    CHECK(plait_solve_condensed(sys, 200, s->r, s->u, out) && !sys->no_memory);
    CHECK_INT(plait_problem_certify(p, s, &judged, NULL), PLAIT_OK);
    CHECK_NEAR(out->residual / sys->norm_b, judged.residual_rel, rounding);
    plait_system_free(sys);
    return judged.residual_rel;
}

static double apart(const double *a, const double *b, const double *scale, int n)
{
    double most = 0, size = 0;
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(a[i] - b[i])), size = fmax(size, fabs(scale[i]));
    return most / size;
}

CASE(bonds_and_ties_do_not_change_the_answer)
{
    for (int tie_every = 0; tie_every < 8; tie_every += 7)
        for (uint64_t seed = 1; seed < 4; seed++) {
            plait_problem *p = bonded(8, 0.4, tie_every, seed, 1);
            plait_solution *s = plait_solution_new(p->n), *t = plait_solution_new(p->n);
            plait_outcome out = {0};
            CHECK(condense(p, 1e-9, 1e-8, s, &out) <= 1e-9);
            plait_solve_options options = plait_default_solve_options();
            plait_report report;
            options.solver = PLAIT_SOLVER_GS, options.tol = 1e-10;
            CHECK_INT(plait_problem_solve(p, &options, t, &report, NULL), PLAIT_OK);
            CHECK(report.converged);
            CHECK(apart(s->u, t->u, p->b, 3 * p->n) < 1e-6);
            plait_solution_free(s), plait_solution_free(t), plait_problem_free(p);
        }
}

// What gradients pay for with thousands of iterations costs nothing here.
CASE(stiff_bonds_take_as_few_steps_as_soft_ones)
{
    int steps[4] = {0};
    for (int k = 0; k < 4; k++) // beyond a stiffness of 1e4, rho = r + K u + c is rounding
        for (uint64_t seed = 1; seed <= 6; seed++) {
            plait_problem *p = bonded(8, 0.4, 9, seed, pow(100, k - 1));
            plait_solution *s = plait_solution_new(p->n);
            plait_outcome out = {0};
            double residual = condense(p, 1e-7, 1e-11 * pow(100, k + 1), s, &out);
            if (!CHECK(residual <= 1e-7))
                printf("  stiffness 1e%d, seed %d: residual %g after %d steps\n", 2 * k - 2, (int)seed, residual,
                       out.iterations);
            steps[k] += out.iterations;
            plait_solution_free(s), plait_problem_free(p);
        }
    printf("steps of six problems: %d, %d, %d, %d\n", steps[0], steps[1], steps[2], steps[3]);
    for (int k = 0; k < 4; k++)
        CHECK(steps[k] <= 6 * 40); // a method of gradients takes thousands
}

// Fibres whose bonds are stiff: gradients take some 30,000 steps, Newton's method four or five after its share of them.
CASE(fibres_with_stiff_bonds_do_not_crawl)
{
    plait_problem *p = bonded(30, 0.3, 0, 1, 1e3);
    plait_solution *s = plait_solution_new(p->n);
    plait_solve_options options = plait_default_solve_options();
    plait_report report;
    options.threads = 1;
    CHECK_INT(plait_problem_solve(p, &options, s, &report, NULL), PLAIT_OK);
    CHECK(report.converged);
    CHECK(report.iterations < 6000);
    printf("%d contacts: %d iterations\n", p->n, report.iterations);
    plait_solution_free(s), plait_problem_free(p);
}

// Without a single cone left, and without anything to take out.
CASE(ties_alone_and_friction_alone)
{
    for (int every = 1; every <= 2; every++) {
        plait_problem *p = bonded(8, 0.3, 0, 2, 1);
        unsigned char *index = calloc((size_t)p->n, 1);
        double *parameter = calloc((size_t)p->n * PLAIT_LAW_NUMBERS, sizeof *parameter);
        for (int i = 0; i < p->n && every == 1; i++)
            index[i] = PLAIT_LAW_TIE; // rigid: u = 0
        CHECK_INT(plait_problem_set_laws(p, plait_law_table, PLAIT_LAW_ROWS, index, parameter, NULL), PLAIT_OK);
        plait_solution *s = plait_solution_new(p->n);
        plait_outcome out = {0};
        CHECK(condense(p, 1e-8, 1e-8, s, &out) <= 1e-8);
        for (int i = 0; i < 3 * p->n && every == 1; i++)
            CHECK(fabs(s->u[i]) < 1e-6);
        plait_solution_free(s), plait_problem_free(p), free(index), free(parameter);
    }
}

// Two ties that hold the same point share what it takes, if they want the same; if not it is told, and nothing is
// touched.
CASE(what_is_held_twice)
{
    for (int apart = 0; apart < 2; apart++) {
        double val[12], b[6] = {1, 2, 3, 1, 2, 3.0 - apart}, mu[2] = {0.3, 0.3};
        int64_t ptr[7];
        int col[12];
        for (int i = 0; i < 6; i++) {
            ptr[i] = 2 * i, col[2 * i] = i % 3, col[2 * i + 1] = i % 3 + 3;
            val[2 * i] = val[2 * i + 1] = 1;
        }
        ptr[6] = 12;
        plait_problem *p = plait_problem_from_delassus(3, 2, &(plait_sparse){6, 6, ptr, col, val}, b, mu, NULL);
        const unsigned char index[2] = {PLAIT_LAW_TIE, PLAIT_LAW_TIE};
        CHECK_INT(plait_problem_set_laws(p, plait_law_table, PLAIT_LAW_ROWS, index, NULL, NULL), PLAIT_OK);
        plait_solution *s = plait_solution_new(2);
        plait_outcome out = {0};
        double residual = condense(p, 1e-8, 1e-8, s, &out);
        CHECK(apart ? out.gave_up : residual <= 1e-8);
        for (int i = 0; i < 6; i++)
            CHECK_NEAR(s->r[i], apart ? 0 : -0.5 * b[i], apart ? 0 : 1e-8);
        plait_solution_free(s), plait_problem_free(p);
    }
}
