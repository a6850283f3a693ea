// The source is included to reach its Jacobian.
#include "contact/local_mfb.c"

#include "check.h"
#include "local_cases.h"

CASE(jacobian_by_differences)
{
    plait_rng rng = plait_rng_new(1, 0);
    const double h = 1e-6;
    int tested = 0;
    for (int i = 0; i < 3000; i++) {
        plait_local_scaled p = {.kw = 1, .kb = 1};
        double mu = plait_rng_between(&rng, 0.1, 2), s, F[3], J[9], lo[3], hi[3], none[9], u[3];
        local_matrix(&rng, LOCAL_COUPLED, p.W);
        for (int k = 0; k < 3; k++)
            p.b[k] = plait_rng_normal(&rng), p.r[k] = plait_rng_normal(&rng);
        s = (p.W[0] + p.W[4] + p.W[8]) / 3;
        evaluate(&p, mu, s, p.r, F, J);
        plait_mat3_affine(p.W, p.r, p.b, u);
        double x[3] = {s * mu * p.r[0], s * p.r[1], s * p.r[2]};
        double y[3] = {u[0] + mu * hypot(u[1], u[2]), mu * u[1], mu * u[2]};
        double root[3] = {x[0] + y[0] - F[0], x[1] + y[1] - F[1], x[2] + y[2] - F[2]};
        if (hypot(u[1], u[2]) < 0.1 || root[0] - hypot(root[1], root[2]) < 0.1) // near a kink
            continue;
        tested++;
        for (int j = 0; j < 3; j++) {
            double r[3] = {p.r[0], p.r[1], p.r[2]};
            r[j] = p.r[j] + h, evaluate(&p, mu, s, r, hi, none);
            r[j] = p.r[j] - h, evaluate(&p, mu, s, r, lo, none);
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(J[3 * k + j], (hi[k] - lo[k]) / (2 * h), 1e-6);
        }
    }
    CHECK(tested > 2000);
}

// Alone it fails now and then, in the paper for 0.001 to 0.1 % of the contacts of hair. Ours are drawn at random.
CASE(solves_most)
{
    for (int kind = 0; kind < LOCAL_SPD_COUNT; kind++) {
        plait_rng rng = plait_rng_new(2, (uint64_t)kind);
        int failed = 0, n = 10000;
        for (int i = 0; i < n; i++) {
            double W[9], b[3], mu = local_draw_problem(&rng, (local_kind)kind, W, b), r[3] = {0};
            failed += plait_local_mfb(W, b, mu, 1e-10, r) != PLAIT_LOCAL_SOLVED;
        }
        CHECK(failed <= n / 100);
    }
}

// What it does not solve it leaves no worse than it found it.
CASE(returns_the_best)
{
    plait_rng rng = plait_rng_new(3, 0);
    int failed = 0;
    for (int i = 0; i < 100000 && failed < 200; i++) {
        local_case c = local_draw(&rng, LOCAL_COUPLED, true);
        double r[3] = {c.warm[0], c.warm[1], c.warm[2]};
        if (plait_local_mfb(c.W, c.b, c.mu, 1e-10, r) == PLAIT_LOCAL_SOLVED)
            continue;
        failed++;
        double now = plait_contact_residual(c.W, c.b, c.mu, r);
        CHECK(now <= plait_contact_residual(c.W, c.b, c.mu, c.warm) * (1 + 1e-12));
    }
    CHECK(failed > 0);
}
