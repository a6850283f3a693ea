// factors.c: problems whose bodies have factors of different kinds.
#include "base/clock.h"
#include "base/rng.h"
#include "check.h"
#include "cloth_matrix.h"
#include <omp.h>

#include "contact/compliance.h"

static plait_bands bands_of(const plait_cholesky_plan *plan, const double *val)
{
    plait_bands B = {0};
    CHECK(plait_bands_alloc(&B, 1));
    B.first[1] = plan->n, B.plan[0] = plan;
    CHECK(plait_bands_room(&B));
    memcpy(B.val, val, (size_t)plan->entries * sizeof *val);
    return B;
}

static double largest_difference(const double *x, const double *y, int64_t count)
{
    double most = 0, size = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(x[i] - y[i])), size = fmax(size, fabs(x[i]));
    return size > 0 ? most / size : most;
}

// A cloth small enough for a band (in lanes) and the same with a plan: the same W.
static void compare_kinds(int N, int fold)
{
    enum { SIDE = 9 };
    plait_sparse M = {0}, H = {0};
    CHECK(cloth_matrix(SIDE, 500, &M) && cloth_contacts(SIDE, N, fold, &H));
    plait_compliance *band = plait_compliance_new(N, &M, &H, PLAIT_ALONE, NULL);
    plait_cholesky_plan *plan = plait_cholesky_analyse(&M, NULL);
    plait_bands B = bands_of(plan, M.val);
    plait_compliance *sparse = plait_compliance_of_bands(N, &B, &(plait_limbs){0}, &H, PLAIT_ALONE, NULL);
    CHECK(band && sparse);
    CHECK(band->pack[0].kind != PLAIT_FACTOR_SPARSE);
    CHECK(sparse->pack[0].kind == PLAIT_FACTOR_SPARSE);
    CHECK(largest_difference(band->diagonal, sparse->diagonal, 9 * N) < 1e-12);
    double *r = calloc(12 * (size_t)N, sizeof *r), *zero = r + 3 * N, *u = zero + 3 * N, *v = u + 3 * N;
    plait_rng rng = plait_rng_new(3, 3);
    for (int i = 0; i < 3 * N; i++)
        r[i] = plait_rng_normal(&rng);
    plait_compliance_scratch *w = plait_compliance_scratch_new(band, PLAIT_ALONE), *x = plait_compliance_scratch_new(sparse, (plait_team){.threads = 2});
    plait_compliance_apply(band, r, zero, w, u), plait_compliance_apply(sparse, r, zero, x, v);
    CHECK(largest_difference(u, v, 3 * N) < 1e-12);
    plait_block_matrix *W = plait_compliance_assemble(band, PLAIT_ALONE, NULL, NULL), *V = plait_compliance_assemble(sparse, (plait_team){.threads = 2}, NULL, NULL);
    CHECK(largest_difference(W->val, V->val, 9 * W->ptr[N]) < 1e-12);
    plait_sparse back = {0};
    CHECK(plait_bands_to_sparse(&sparse->bands, &back));
    CHECK_INT(back.ptr[back.rows], M.ptr[M.rows]);
    CHECK(memcmp(back.val, M.val, (size_t)M.ptr[M.rows] * sizeof *M.val) == 0);
    plait_sparse_free(&back), plait_block_matrix_free(W), plait_block_matrix_free(V), free(r);
    plait_compliance_scratch_free(w), plait_compliance_scratch_free(x);
    plait_compliance_free(band), plait_compliance_free(sparse), plait_cholesky_plan_free(plan);
    plait_sparse_free(&M), plait_sparse_free(&H);
}

CASE(sparse_and_band_agree)
{
    compare_kinds(70, 0);
    compare_kinds(600, 0); // so many that the inverse on the pattern is the cheaper way
    compare_kinds(600, 4); // and some that it does not serve
}

// After an update in place everything is as if it had been built so.
CASE(an_update_is_as_good_as_new)
{
    enum { SIDE = 8, N = 50 };
    plait_sparse M = {0}, H = {0};
    CHECK(cloth_matrix(SIDE, 500, &M) && cloth_contacts(SIDE, N, 0, &H));
    plait_cholesky_plan *plan = plait_cholesky_analyse(&M, NULL);
    plait_bands B = bands_of(plan, M.val);
    plait_compliance *c = plait_compliance_of_bands(N, &B, &(plait_limbs){0}, &H, PLAIT_ALONE, NULL);
    for (int64_t k = 0; k < M.ptr[M.rows]; k++)
        M.val[k] *= 3, c->bands.val[k] *= 3;
    B = bands_of(plan, M.val);
    plait_compliance *fresh = plait_compliance_of_bands(N, &B, &(plait_limbs){0}, &H, PLAIT_ALONE, NULL);
    CHECK_INT(plait_compliance_update(c, (const unsigned char[]){1}, NULL), PLAIT_OK);
    CHECK(memcmp(c->diagonal, fresh->diagonal, 9 * N * sizeof(double)) == 0);
    for (int64_t k = 0; k < M.ptr[M.rows]; k++)
        c->bands.val[k] = -1;
    plait_error error = {0};
    CHECK_INT(plait_compliance_update(c, (const unsigned char[]){1}, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "not positive definite") != NULL);
    plait_compliance_free(c), plait_compliance_free(fresh), plait_cholesky_plan_free(plan);
    plait_sparse_free(&M), plait_sparse_free(&H);
}

// The bits of factors, diagonal and products do not depend on threads.
CASE(any_number_of_threads)
{
    enum { SIDE = 20, N = 2500 };
    plait_sparse M = {0}, H = {0};
    CHECK(cloth_matrix(SIDE, 500, &M) && cloth_contacts(SIDE, N, 0, &H));
    plait_cholesky_plan *plan = plait_cholesky_analyse(&M, NULL);
    double *first = malloc(9 * N * sizeof *first);
    for (int threads = 1; threads <= 3; threads++) {
        plait_bands B = bands_of(plan, M.val);
        plait_compliance *c = plait_compliance_of_bands(N, &B, &(plait_limbs){0}, &H, (plait_team){.threads = threads}, NULL);
        if (threads == 1)
            memcpy(first, c->diagonal, 9 * N * sizeof *first);
        CHECK(memcmp(first, c->diagonal, 9 * N * sizeof *first) == 0);
        plait_compliance_free(c);
    }
    free(first), plait_cholesky_plan_free(plan), plait_sparse_free(&M), plait_sparse_free(&H);
}

// A wide body in a file goes to the sparse kind and is solved.
CASE(a_wide_body_is_solved)
{
    enum { SIDE = 34, N = 40 };
    plait_sparse M = {0}, H = {0};
    CHECK(cloth_matrix(SIDE, 200, &M) && cloth_contacts(SIDE, N, 0, &H));
    double *f = malloc((size_t)M.rows * sizeof *f), w[3 * N] = {0}, mu[N];
    plait_rng rng = plait_rng_new(8, 3);
    for (int i = 0; i < M.rows; i++)
        f[i] = plait_rng_normal(&rng);
    for (int i = 0; i < N; i++)
        mu[i] = 0.4;
    plait_error error = {0};
    plait_problem *p = plait_problem_from_dynamics(3, N, &M, &H, f, w, mu, &error);
    if (CHECK(p != NULL)) {
        CHECK(p->compliance->pack[0].kind == PLAIT_FACTOR_SPARSE);
        plait_solution *s = plait_solution_new(N);
        plait_solve_options options = plait_default_solve_options();
        options.tol = 1e-8;
        plait_report report;
        CHECK_INT(plait_problem_solve(p, &options, s, &report, &error), PLAIT_OK);
        CHECK(report.converged);
        plait_solution_free(s);
    }
    plait_problem_free(p), free(f), plait_sparse_free(&M), plait_sparse_free(&H);
}

// What a step with a cloth costs: the seconds are printed, the work is checked.
CASE(a_large_cloth_is_cheap)
{
    enum { SIDE = 80, N = 3000 };
    plait_sparse M = {0}, H = {0};
    CHECK(cloth_matrix(SIDE, 1000, &M) && cloth_contacts(SIDE, N, 0, &H));
    double t0 = plait_clock_thread();
    plait_cholesky_plan *plan = plait_cholesky_analyse(&M, NULL);
    double t1 = plait_clock_thread();
    plait_bands B = bands_of(plan, M.val);
    plait_compliance *c = plait_compliance_of_bands(N, &B, &(plait_limbs){0}, &H, PLAIT_ALONE, NULL);
    double t2 = plait_clock_thread();
    CHECK_INT(plait_compliance_update(c, (const unsigned char[]){1}, NULL), PLAIT_OK);
    double t3 = plait_clock_thread();
    printf("%d dofs, %d contacts: analysis %.3f s, limbs, factor and diagonal of W %.3f s, the last two alone %.3f s "
           "of one core\n",
           plan->n, N, t1 - t0, t2 - t1, t3 - t2);
    CHECK(plan->flops < 1.3e9);
    CHECK(plait_cholesky_size(plan) < 5000000);
    plait_compliance_free(c), plait_cholesky_plan_free(plan), plait_sparse_free(&M), plait_sparse_free(&H);
}
