// local_trial.h: many random one-contact problems against what every solver promises. Shared by the short and the long
// test.
#ifndef PLAIT_TEST_LOCAL_TRIAL_H
#define PLAIT_TEST_LOCAL_TRIAL_H

#include "check.h"
#include "contact/local.h"
#include "local_cases.h"

static const double TRIAL_TOL = 1e-10;

static inline void trial_print(const local_case *c, const char *solver, const char *what, int result, const double r[3])
{
    printf("%s: %s (result %d, residual %.3g, violation %.3g)\n  kind %d mu %.17g\n  W", solver, what, result,
           plait_contact_residual(c->W, c->b, c->mu, r), local_violation(c->W, c->b, c->mu, r), (int)c->kind, c->mu);
    for (int i = 0; i < 9; i++)
        printf(" %.17g", c->W[i]);
    printf("\n  b %.17g %.17g %.17g\n  warm %.17g %.17g %.17g\n  r %.17g %.17g %.17g\n", c->b[0], c->b[1], c->b[2],
           c->warm[0], c->warm[1], c->warm[2], r[0], r[1], r[2]);
}

// What holds for any solver: r is finite, and "solved" is true. What a reliable one promises besides: it solves all
// positive definite problems and all that were built from a solution, up to what rounding forbids, and says "no
// solution" only of singular ones.
static inline void trial_judge(const local_case *c, const char *solver, bool reliable, plait_local_result result,
                               double slack, const double r[3])
{
    const char *wrong = NULL;
    bool spd = c->kind <= LOCAL_ILL;
    double residual = plait_contact_residual(c->W, c->b, c->mu, r);
    if (!isfinite(r[0]) || !isfinite(r[1]) || !isfinite(r[2]))
        wrong = "r is not finite";
    else if (result == PLAIT_LOCAL_SOLVED && !(residual <= TRIAL_TOL))
        wrong = "solved, but over the tolerance";
    else if (result == PLAIT_LOCAL_SOLVED && !(local_violation(c->W, c->b, c->mu, r) <= 10 * TRIAL_TOL))
        wrong = "solved, but not by Coulomb's law";
    else if (result == PLAIT_LOCAL_NO_SOLUTION && (spd || c->built))
        wrong = "denies a solution that exists";
    else if (reliable && c->kind < LOCAL_SPD_COUNT && result != PLAIT_LOCAL_SOLVED)
        wrong = "did not solve a well-conditioned problem";
    else if (reliable && (spd || c->built) && result != PLAIT_LOCAL_SOLVED && !(residual <= fmax(TRIAL_TOL, slack)))
        wrong = "gave up before rounding errors did";
    if (check_fails(wrong == NULL))
        trial_print(c, solver, wrong, (int)result, r);
}

static inline void trial_run(uint64_t seed, long count)
{
    plait_rng rng = plait_rng_new(seed, 0);
    plait_local_stats stats = {0};
    for (long i = 0; i < count; i++) {
        local_case c = local_draw(&rng, (local_kind)plait_rng_below(&rng, LOCAL_KIND_COUNT), i % 2);
        double slack = 0; // what rounding allows for the exact solution
        for (int k = 0; k < PLAIT_LOCAL_COUNT; k++) {
            bool reliable = k == PLAIT_LOCAL_SECULAR || k == PLAIT_LOCAL_ENUM;
            if (!reliable && i % 8) // the others are slow, and promise less
                continue;
            double r[3] = {c.warm[0], c.warm[1], c.warm[2]};
            plait_local_result result = plait_contact_solve((plait_local)k, c.W, c.b, c.mu, TRIAL_TOL, r);
            if (reliable)
                slack = local_floor(c.W, c.b, c.mu, r);
            trial_judge(&c, plait_local_name((plait_local)k), reliable, result, slack, r);
        }
        double r[3] = {c.warm[0], c.warm[1], c.warm[2]};
        bool solved = plait_local_solve(plait_local_mfb, true, c.W, c.b, c.mu, TRIAL_TOL, r, &stats);
        trial_judge(&c, "mfb+enum", true, solved ? PLAIT_LOCAL_SOLVED : PLAIT_LOCAL_FAILED, slack, r);
    }
    CHECK(stats.calls == count && stats.alt >= stats.fail && stats.alt < count / 10 && stats.fail < count / 20);
    printf("mfb+enum: %.3f %% alternate, %.3f %% not solved\n", 100. * (double)stats.alt / (double)count,
           100. * (double)stats.fail / (double)count);
}

// Numbers that are none, in any place, and matrices that are no Delassus operators.
static inline void trial_garbage(uint64_t seed, long count)
{
    static const double BAD[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e308, -1e308, 1e-308, 4e-324};
    plait_rng rng = plait_rng_new(seed, 1);
    for (long i = 0; i < count; i++) {
        local_case c = local_draw(&rng, (local_kind)plait_rng_below(&rng, LOCAL_KIND_COUNT), true);
        int spots = 1 + (int)plait_rng_below(&rng, 3);
        for (int k = 0; k < spots; k++) {
            double bad = BAD[plait_rng_below(&rng, sizeof BAD / sizeof *BAD)];
            uint64_t where = plait_rng_below(&rng, 16);
            *(where < 9 ? &c.W[where] : where < 12 ? &c.b[where - 9] : where < 15 ? &c.warm[where - 12] : &c.mu) = bad;
        }
        bool numbers = isfinite(c.mu) && c.mu >= 0;
        for (int k = 0; k < 9; k++)
            numbers = numbers && isfinite(c.W[k]) && isfinite(c.b[k % 3]);
        for (int k = 0; k < PLAIT_LOCAL_COUNT; k++) {
            double r[3] = {c.warm[0], c.warm[1], c.warm[2]};
            plait_local_result result = plait_contact_solve((plait_local)k, c.W, c.b, c.mu, TRIAL_TOL, r);
            bool zero = r[0] == 0 && r[1] == 0 && r[2] == 0;
            bool ok = isfinite(r[0]) && isfinite(r[1]) && isfinite(r[2]);
            if (!numbers)
                ok = zero && result == PLAIT_LOCAL_FAILED;
            else if (result == PLAIT_LOCAL_SOLVED)
                ok = plait_contact_residual(c.W, c.b, c.mu, r) <= TRIAL_TOL;
            if (check_fails(ok))
                trial_print(&c, plait_local_name((plait_local)k), "garbage in, wrong answer out", (int)result, r);
        }
    }
}

#endif
