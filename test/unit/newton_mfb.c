#include "contact/law_coulomb.h"
#include "contact/newton.h"

#include "global_cases.h"
#include "math/soc.h"

static double norm(const double x[3])
{
    return sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

// The function is the judge's; its Jacobian is right wherever it is smooth.
CASE(jacobian_by_differences)
{
    plait_rng rng = plait_rng_new(2, 0);
    const double h = 1e-6;
    int tested = 0;
    for (int k = 0; k < 3000; k++) {
        double mu = k % 5 ? plait_rng_between(&rng, 0.1, 1) : 0, s = plait_rng_between(&rng, 0.5, 2);
        double r[3], u[3], F[3], G[3], F_r[9], F_u[9], lo[3], hi[3];
        for (int a = 0; a < 3; a++)
            r[a] = plait_rng_normal(&rng), u[a] = plait_rng_normal(&rng);
        plait_coulomb_jacobian(mu, s, r, u, F, F_r, F_u);
        plait_coulomb_residual(mu, s, r, u, G);
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(F[a], G[a], 1e-14);
        double x[3] = {s * mu * r[0], s * r[1], s * r[2]};
        double y[3] = {u[0] + mu * hypot(u[1], u[2]), mu * u[1], mu * u[2]};
        double root[3] = {x[0] + y[0] - F[0], x[1] + y[1] - F[1], x[2] + y[2] - F[2]};
        if (mu > 0 && (hypot(u[1], u[2]) < 0.1 || root[0] - hypot(root[1], root[2]) < 0.1)) // near a kink
            continue;
        if (mu == 0 && hypot(s * r[0], u[0]) < 0.1)
            continue;
        tested++;
        for (int j = 0; j < 6; j++) {
            double *z = j < 3 ? r + j : u + (j - 3), keep = *z;
            const double *J = j < 3 ? F_r + j : F_u + (j - 3);
            *z = keep + h, plait_coulomb_jacobian(mu, s, r, u, hi, NULL, NULL);
            *z = keep - h, plait_coulomb_jacobian(mu, s, r, u, lo, NULL, NULL);
            *z = keep;
            for (int a = 0; a < 3; a++)
                CHECK_NEAR(J[3 * a], (hi[a] - lo[a]) / (2 * h), 1e-6);
        }
    }
    CHECK(tested > 2000);
}

// At the solutions, and where x = y = 0, the Jacobian has numbers in it and is not zero.
CASE(jacobian_at_special_points)
{
    static const double points[][6] = {{0, 0, 0, 0, 0, 0},    {1, 0, 0, 0, 0, 0}, {1, 0.5, 0, 0, 0, 0},
                                       {1, -0.5, 0, 0, 1, 0}, {0, 0, 0, 1, 0, 0}, {0, 0, 0, 1, 1, 0},
                                       {0, 0, 0, 0, 1, 0}};
    for (size_t k = 0; k < sizeof points / sizeof *points; k++)
        for (int smooth = 0; smooth < 2; smooth++) {
            double F[3], F_r[9], F_u[9], largest = 0;
            plait_coulomb_jacobian(smooth ? 0 : 0.5, 1, points[k], points[k] + 3, F, F_r, F_u);
            for (int i = 0; i < 9; i++) {
                CHECK(isfinite(F_r[i]) && isfinite(F_u[i]));
                largest = fmax(largest, fmax(fabs(F_r[i]), fabs(F_u[i])));
            }
            CHECK(largest > 0.1);
            if (!smooth)
                CHECK_NEAR(norm(F), 0, 1e-15);
        }
}

// Both forms of the linear system give the same step.
CASE(velocity_form_is_the_contact_form)
{
    plait_problem *p = global_fibres(40, 0.4, 0.3, 4, 5), *q = global_reduced(p, 1);
    CHECK(3 * p->n > 360);
    plait_solution *s = plait_solution_new(p->n), *t = plait_solution_new(p->n);
    plait_solve_options o = plait_default_solve_options();
    plait_report report;
    o.solver = PLAIT_SOLVER_NEWTON_MFB, o.tol = 1e-15;
    for (int steps = 1; steps < 4; steps++) {
        memset(s->r, 0, 3 * (size_t)p->n * sizeof *s->r), memset(t->r, 0, 3 * (size_t)p->n * sizeof *t->r);
        o.max_iterations = steps;
        CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK);
        CHECK(plait_problem_solve(q, &o, t, &report, NULL) == PLAIT_OK);
        double largest = 0, apart = 0;
        for (int i = 0; i < 3 * p->n; i++)
            largest = fmax(largest, fabs(s->r[i])), apart = fmax(apart, fabs(s->r[i] - t->r[i]));
        CHECK(largest > 0);
        CHECK_NEAR(apart / largest, 0, 1e-5);
    }
    plait_solution_free(s), plait_solution_free(t), plait_problem_free(p), plait_problem_free(q);
}

CASE(contract)
{
    global_contract(PLAIT_SOLVER_NEWTON_MFB);
}

CASE(overconstrained_fibres)
{
    plait_problem *p = global_fibres(16, 1.6, 0.3, 0, 6);
    global_must_solve(p, PLAIT_SOLVER_NEWTON_MFB, 1e-9);
    plait_problem_free(p);
}

CASE(points)
{
    CHECK(global_points_solved(PLAIT_SOLVER_NEWTON_MFB, 30) >= 29);
}

CASE(real_problems)
{
    static const char *const names[] = {"Capsules-i101-404",     "BoxesStack1-i100000-32",   "Confeti-ex03-Fc3D-SBM",
                                        "OneObject-i100000-316", "fclib_local_problem_test", "Rover9770"};
    if (!global_real(PLAIT_SOLVER_NEWTON_MFB, 1e-8, 6, names))
        SKIP("no real problems");
}
