// The source is included to reach its Jacobian.
#include "contact/local_ac.c"

#include "check.h"
#include "local_cases.h"

CASE(jacobian_by_differences)
{
    plait_rng rng = plait_rng_new(1, 0);
    const double h = 1e-6;
    int cases[3] = {0};
    for (int i = 0; i < 5000; i++) {
        plait_local_scaled p = {.kw = 1, .kb = 1};
        alart_curnier ac = {&p, plait_rng_between(&rng, 0.1, 2), local_decades(&rng, -1, 1),
                            local_decades(&rng, -1, 1)};
        double r[3], u[3], f[3], A[9], lo[3], hi[3];
        local_matrix(&rng, LOCAL_COUPLED, p.W);
        for (int k = 0; k < 3; k++)
            p.b[k] = plait_rng_normal(&rng), r[k] = plait_rng_normal(&rng);
        plait_mat3_affine(p.W, r, p.b, u);
        double size = hypot(r[1] - ac.rho_t * u[1], r[2] - ac.rho_t * u[2]), radius = ac.mu * r[0];
        if (fabs(size - radius) < 1e-2 || fabs(radius) < 1e-2 || fabs(r[0] - ac.rho_n * u[0]) < 1e-2)
            continue; // near a kink
        cases[radius <= 0 ? 0 : size < radius ? 1 : 2]++;
        evaluate(&ac, r, f, A);
        for (int j = 0; j < 3; j++) {
            double x[3] = {r[0], r[1], r[2]};
            x[j] = r[j] + h, evaluate(&ac, x, hi, NULL);
            x[j] = r[j] - h, evaluate(&ac, x, lo, NULL);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(A[3 * k + j], (hi[k] - lo[k]) / (2 * h), 1e-6);
        }
    }
    CHECK(cases[0] > 100 && cases[1] > 100 && cases[2] > 100);
}

// f = 0 is Coulomb's law whatever rho is.
CASE(zero_at_solutions)
{
    plait_rng rng = plait_rng_new(2, 0);
    for (int i = 0; i < 5000; i++) {
        local_case c = local_draw(&rng, LOCAL_COUPLED, false);
        double r[3] = {0}, f[3];
        if (c.mu == 0 || plait_local_secular(c.W, c.b, c.mu, 1e-12, r) != PLAIT_LOCAL_SOLVED)
            continue;
        plait_local_scaled p = {.kw = 1, .kb = 1};
        memcpy(p.W, c.W, sizeof p.W);
        plait_vec3_copy(c.b, p.b);
        alart_curnier ac = {&p, c.mu, local_decades(&rng, -1, 1), local_decades(&rng, -1, 1)};
        evaluate(&ac, r, f, NULL);
        CHECK_NEAR(plait_vec3_norm(f), 0, 1e-8 * (1 + plait_vec3_norm(r)) * (1 + 1 / c.mu));
    }
}

CASE(solve_most)
{
    static const double MOST_FAIL[LOCAL_SPD_COUNT][2] = {{0.05, 0.03}, {0.05, 0.03}, {0.01, 0.005}, {0.001, 0.001}};
    for (int kind = 0; kind < LOCAL_SPD_COUNT; kind++)
        for (int damped = 0; damped < 2; damped++) {
            plait_rng rng = plait_rng_new(3, (uint64_t)kind);
            int failed = 0, n = 10000;
            for (int i = 0; i < n; i++) {
                double W[9], b[3], mu = local_draw_problem(&rng, (local_kind)kind, W, b), r[3] = {0};
                failed += solve(damped, W, b, mu, 1e-10, r) != PLAIT_LOCAL_SOLVED;
            }
            CHECK(failed <= MOST_FAIL[kind][damped] * n);
        }
}

// A step of the length that the search returns never raises |f|.
CASE(search_descends)
{
    plait_rng rng = plait_rng_new(4, 0);
    int shorter = 0;
    for (int i = 0; i < 5000; i++) {
        plait_local_scaled p = {.kw = 1, .kb = 1};
        double r[3], f[3], g[3], A[9], d[3];
        local_matrix(&rng, LOCAL_COUPLED, p.W);
        for (int k = 0; k < 3; k++)
            p.b[k] = plait_rng_normal(&rng), r[k] = plait_rng_normal(&rng);
        alart_curnier ac = {&p, 0.5, 1 / p.W[0], 1 / (p.W[4] + p.W[8])};
        evaluate(&ac, r, f, A);
        double minus[3] = {-f[0], -f[1], -f[2]};
        if (!plait_mat3_solve(A, minus, 1e-6, d))
            continue;
        double length = search(&ac, r, d, f), x[3] = {r[0] + length * d[0], r[1] + length * d[1], r[2] + length * d[2]};
        evaluate(&ac, x, g, NULL);
        shorter += length < 1;
        CHECK(plait_vec3_norm(g) <= plait_vec3_norm(f) * (1 + 1e-12));
    }
    CHECK(shorter > 100);
}
