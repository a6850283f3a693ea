// The source is included to reach its function.
#include "contact/newton_ac.c"

#include "global_cases.h"

// A system of one contact, enough for the function.
static plait_system one_contact(const double *W, double *s, const double *mu)
{
    *s = (W[0] + W[4] + W[8]) / 3;
    return (plait_system){.n = 1, .laws = {.mu = mu}, .diagonal = (double *)W, .s = s};
}

CASE(zeros_are_solutions)
{
    plait_rng rng = plait_rng_new(1, 0);
    int stick = 0, slide = 0, off = 0;
    for (int k = 0; k < 3000; k++) {
        double W[9] = {2, 0.3, -0.2, 0.3, 1.5, 0.1, -0.2, 0.1, 1}, b[3], mu = plait_rng_between(&rng, 0.1, 1), s, F[3];
        double r[3] = {0}, u[3];
        for (int a = 0; a < 3; a++)
            b[a] = plait_rng_normal(&rng);
        if (plait_contact_solve(PLAIT_LOCAL_SECULAR, W, b, mu, 1e-14, r) != PLAIT_LOCAL_SOLVED)
            continue;
        for (int a = 0; a < 3; a++)
            u[a] = b[a] + W[3 * a] * r[0] + W[3 * a + 1] * r[1] + W[3 * a + 2] * r[2];
        plait_system sys = one_contact(W, &s, &mu);
        natural(&sys, NULL, 0, r, u, F, NULL, NULL);
        CHECK_NEAR(sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]), 0, 1e-10);
        double t = hypot(r[1], r[2]);
        off += r[0] == 0, stick += t > 0 && t<0.999 * mu * r[0], slide += t> 0 && t >= 0.999 * mu * r[0];
        // Another impulse is no solution.
        r[1] += 0.1, u[0] += 0.1 * W[1], u[1] += 0.1 * W[4], u[2] += 0.1 * W[7];
        natural(&sys, NULL, 0, r, u, F, NULL, NULL);
        CHECK(sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]) > 1e-4);
    }
    CHECK(off > 100 && stick > 100 && slide > 100);
}

CASE(jacobian_by_differences)
{
    plait_rng rng = plait_rng_new(2, 0);
    const double h = 1e-7;
    int tested = 0;
    for (int k = 0; k < 3000; k++) {
        double W[9] = {2, 0.3, -0.2, 0.3, 1.5, 0.1, -0.2, 0.1, 1}, mu = plait_rng_between(&rng, 0, 1), s;
        double r[3], u[3], F[3], F_r[9], F_u[9], lo[3], hi[3];
        for (int a = 0; a < 3; a++)
            r[a] = plait_rng_normal(&rng), u[a] = plait_rng_normal(&rng);
        mu = k % 5 ? mu : 0;
        plait_system sys = one_contact(W, &s, &mu);
        natural(&sys, NULL, 0, r, u, F, F_r, F_u);
        double wT = 1.25 + sqrt(0.25 * 0.25 + 0.01), t = hypot(r[1] - u[1] / wT, r[2] - u[2] / wT);
        if (fabs(2 * r[0] - u[0]) < 1e-3 || fabs(t - mu * r[0]) < 1e-3 || fabs(r[0]) < 1e-3) // near a kink
            continue;
        tested++;
        for (int j = 0; j < 6; j++) {
            double *x = j < 3 ? r + j : u + (j - 3), keep = *x;
            const double *J = j < 3 ? F_r + j : F_u + (j - 3);
            *x = keep + h, natural(&sys, NULL, 0, r, u, hi, NULL, NULL);
            *x = keep - h, natural(&sys, NULL, 0, r, u, lo, NULL, NULL);
            *x = keep;
            for (int a = 0; a < 3; a++)
                CHECK_NEAR(J[3 * a], (hi[a] - lo[a]) / (2 * h), 1e-5);
        }
    }
    CHECK(tested > 2000);
}

CASE(contract)
{
    global_contract(PLAIT_SOLVER_NEWTON_AC);
}

CASE(large_enough_for_velocities)
{
    plait_problem *p = global_fibres(40, 0.4, 0.3, 0, 5);
    CHECK(3 * p->n > 360);
    global_must_solve(p, PLAIT_SOLVER_NEWTON_AC, 1e-9);
    plait_problem_free(p);
}

// Many small problems of points: W singular where there are more contacts than points.
CASE(points)
{
    CHECK(global_points_solved(PLAIT_SOLVER_NEWTON_AC, 30) >= 29);
}

CASE(real_problems)
{
    static const char *const names[] = {"Capsules-i101-404", "Confeti-ex03-Fc3D-SBM", "G_Spheres-i099-356-679",
                                        "OneObject-i100000-316", "Rover9770"};
    if (!global_real(PLAIT_SOLVER_NEWTON_AC, 1e-8, 5, names))
        SKIP("no real problems");
}
