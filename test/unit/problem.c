// Building, checking, reducing, grouping and judging problems.
#include "check.h"
#include "contact/compliance.h"
#include "contact/groups.h"
#include "contact_judge.h"
#include "math/sparse.h"
#include "plait/plait.h"

static plait_problem *fibres(int rods, double nu)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = rods, o.vertices = 8, o.nu = nu, o.seed = 7;
    return plait_problem_generate_fibres(&o, NULL);
}

CASE(assembled_matrix_is_the_product)
{
    plait_problem *p = fibres(5, 0.8);
    double *W, *b, largest = 0, difference = 0, difference_b = 0;
    CHECK(plait_problem_assemble(p, 2, NULL) == PLAIT_OK);
    judge_reduce(p, &W, &b);
    int size = 3 * p->n;
    double *A = calloc((size_t)size * (size_t)size, sizeof *A);
    for (int i = 0; i < p->n; i++)
        for (int64_t k = p->W->ptr[i]; k < p->W->ptr[i + 1]; k++)
            for (int a = 0; a < 9; a++)
                A[(3 * i + a / 3) * size + 3 * p->W->col[k] + a % 3] = p->W->val[9 * k + a];
    for (int i = 0; i < size * size; i++)
        largest = fmax(largest, fabs(W[i])), difference = fmax(difference, fabs(W[i] - A[i]));
    for (int i = 0; i < size; i++)
        difference_b = fmax(difference_b, fabs(b[i] - p->b[i]) / (1 + fabs(b[i])));
    CHECK(largest > 0);
    CHECK_NEAR(difference / largest, 0.0, 1e-10);
    CHECK_NEAR(difference_b, 0.0, 1e-10);
    free(A), free(W), free(b), plait_problem_free(p);
}

CASE(assembly_does_not_depend_on_threads)
{
    plait_problem *p = fibres(12, 1.0), *q = fibres(12, 1.0);
    CHECK(plait_problem_assemble(p, 1, NULL) == PLAIT_OK && plait_problem_assemble(q, 4, NULL) == PLAIT_OK);
    CHECK(memcmp(p->W->val, q->W->val, 9 * (size_t)p->W->ptr[p->n] * sizeof(double)) == 0);
    plait_problem_free(p), plait_problem_free(q);
}

CASE(products_agree_in_both_forms)
{
    plait_problem *p = fibres(20, 1.2);
    plait_problem_assemble(p, 1, NULL);
    size_t size = 3 * (size_t)p->n;
    double *r = malloc(size * sizeof *r), *u = malloc(size * sizeof *u), *v = malloc(size * sizeof *v), worst = 0,
           scale = 0;
    for (size_t i = 0; i < size; i++)
        r[i] = sin((double)i);
    for (int threads = 1; threads <= 4; threads *= 2) {
        plait_compliance_scratch *w = plait_compliance_scratch_new(p->compliance, (plait_team){.threads = threads});
        plait_compliance_apply(p->compliance, r, p->b, w, u);
        plait_compliance_scratch_free(w);
        plait_block_matrix_apply(p->W, r, p->b, v);
        for (size_t i = 0; i < size; i++)
            worst = fmax(worst, fabs(u[i] - v[i])), scale = fmax(scale, fabs(v[i]));
        CHECK_NEAR(worst / scale, 0.0, 1e-10);
    }
    free(r), free(u), free(v), plait_problem_free(p);
}

// The fastest form for few contacts: all bodies as matrices, some, none.
CASE(products_agree_with_matrices_of_bodies)
{
    const double nu[] = {0.1, 0.4, 6};
    int dense[3] = {0}, bodies[3] = {0};
    for (int k = 0; k < 3; k++) {
        plait_problem *p = fibres(40, nu[k]);
        const plait_compliance *c = p->compliance;
        size_t size = 3 * (size_t)p->n;
        double *r = malloc(3 * size * sizeof *r), *u = r + size, *v = u + size, worst = 0, scale = 0;
        for (size_t i = 0; i < size; i++)
            r[i] = sin((double)i);
        for (int threads = 1; threads <= 4; threads *= 2) {
            plait_compliance_scratch *w = plait_compliance_scratch_new(c, (plait_team){.threads = threads});
            plait_compliance_apply(c, r, p->b, w, u);
            plait_compliance_densify(c, w);
            plait_compliance_apply(c, r, p->b, w, threads == 1 ? v : u);
            CHECK(threads == 1 || memcmp(u, v, size * sizeof *u) == 0);
            dense[k] = bodies[k] = 0;
            for (int b = 0; b < c->bodies; b++)
                dense[k] += w->dense && w->dense_ptr[b] >= 0, bodies[k]++;
            plait_compliance_scratch_free(w);
            for (size_t i = 0; threads == 1 && i < size; i++)
                worst = fmax(worst, fabs(u[i] - v[i])), scale = fmax(scale, fabs(v[i]));
        }
        CHECK_NEAR(worst / scale, 0.0, 1e-12);
        free(r), plait_problem_free(p);
    }
    CHECK_INT(dense[0], bodies[0]);
    CHECK(0 < dense[1] && dense[1] < bodies[1]);
    CHECK_INT(dense[2], 0);
}

// A dense body, a diagonal one and one whose natural order has a wide band, with scattered jacobians.
CASE(bodies_of_all_shapes)
{
    enum { DOFS = 60, N = 6 };
    plait_triplet t[DOFS * DOFS], h[3 * N * DOFS];
    int count = 0, entries = 0;
    for (int i = 0; i < DOFS; i++)
        for (int j = 0; j < DOFS; j++) {
            int body_i = i < 12 ? 0 : i < 20 ? 1 : 2, body_j = j < 12 ? 0 : j < 20 ? 1 : 2;
            bool ring = body_i == 2 && body_j == 2 && (abs(i - j) == 20 || abs(i - j) == 1); // wide band, few entries
            if (i == j)
                t[count++] = (plait_triplet){i, j, 30 + i};
            else if ((body_i == 0 && body_j == 0) || ring)
                t[count++] = (plait_triplet){i, j, cos(i + j)};
        }
    for (int i = 0; i < 3 * N; i++)
        for (int k = 0; k < DOFS; k++)
            if ((7 * k + 3 * (i / 3)) % 11 < 3)
                h[entries++] = (plait_triplet){i, k, sin(3.0 * i + k)};
    plait_sparse M, H;
    CHECK(plait_sparse_from_triplets(DOFS, DOFS, count, t, &M) &&
          plait_sparse_from_triplets(3 * N, DOFS, entries, h, &H));
    double f[DOFS], w[3 * N] = {0}, mu[N] = {0.3, 0, 0.5, 1, 0.1, 2};
    for (int k = 0; k < DOFS; k++)
        f[k] = 10 * cos(k);
    plait_error error = {0};
    plait_problem *p = plait_problem_from_dynamics(3, N, &M, &H, f, w, mu, &error);
    CHECK_STR(error.text, "");
    CHECK_INT(p->compliance->bodies, 1 + 8 + 1);
    double *W, *b;
    judge_reduce(p, &W, &b);
    for (int i = 0; i < 3 * N; i++)
        CHECK_NEAR(p->b[i], b[i], 1e-11);
    for (int i = 0; i < N; i++)
        CHECK_REL(p->trace[i], W[(3 * i) * (3 * N + 1)] + W[(3 * i + 1) * (3 * N + 1)] + W[(3 * i + 2) * (3 * N + 1)],
                  1e-11);
    plait_solution *s = plait_solution_new(N);
    plait_solve_options o = plait_default_solve_options();
    plait_report report;
    o.tol = 1e-10;
    CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK && report.converged);
    CHECK_NEAR(judge_law(N, W, b, mu, s->r), 0.0, 1e-8);
    plait_solution_free(s), plait_problem_free(p), plait_sparse_free(&M), plait_sparse_free(&H), free(W), free(b);
}

// Two bodies too wide for bands, as finite elements give them, with zeros stored between them and inside of them: the
// same to the last bit as without those zeros.
CASE(stored_zeros_say_nothing)
{
    enum { SIZE = 2600, DOFS = 2 * SIZE, N = 2, MOST = 9 * DOFS };
    plait_triplet *t = malloc(MOST * sizeof *t), h[4 * 3 * N];
    double f[DOFS], w[3 * N] = {0}, mu[N] = {0.3, 0.5}, b[2][3 * N] = {{0}};
    int entries = 0;
    for (int i = 0; i < 3 * N; i++)
        for (int k = 0; k < 4; k++)
            h[entries++] = (plait_triplet){i, (i / 3) * SIZE / 2 + 1200 * k + i % 3, sin(3.0 * i + k)};
    for (int k = 0; k < DOFS; k++)
        f[k] = 10 * cos(k);
    for (int zeros = 0; zeros < 2; zeros++) {
        int count = 0;
        for (int i = 0; i < DOFS; i++) {
            int first = i / SIZE * SIZE, j = first + (int)((i - first) * 1301ll % SIZE); // far away in any order
            t[count++] = (plait_triplet){i, i, 30};
            for (int step = -1; step <= 1; step += 2)
                if ((i + step + SIZE) / SIZE == (first + SIZE) / SIZE)
                    t[count++] = (plait_triplet){i, i + step, -1};
            t[count++] = (plait_triplet){i, j, -1}, t[count++] = (plait_triplet){j, i, -1};
            if (zeros)
                t[count++] = (plait_triplet){i, (i + SIZE + 7) % DOFS, 0},
                t[count++] = (plait_triplet){i, DOFS - 1 - i, 0};
        }
        plait_sparse M, H;
        CHECK(plait_sparse_from_triplets(DOFS, DOFS, count, t, &M) &&
              plait_sparse_from_triplets(3 * N, DOFS, entries, h, &H));
        plait_error error = {0};
        plait_problem *p = plait_problem_from_dynamics(3, N, &M, &H, f, w, mu, &error);
        CHECK_STR(error.text, "");
        if (p) {
            CHECK_INT(p->compliance->bodies, 2);
            for (int k = 0; k < 2; k++) // not in bands
                CHECK(p->compliance->pack[p->compliance->body[k].pack].kind == PLAIT_FACTOR_SPARSE);
            memcpy(b[zeros], p->b, sizeof b[zeros]);
        }
        plait_problem_free(p), plait_sparse_free(&M), plait_sparse_free(&H);
    }
    CHECK(b[0][0] != 0 && memcmp(b[0], b[1], sizeof b[0]) == 0);
    free(t);
}

// Beside each other in one problem, groups are found and solved as if they were alone.
CASE(groups)
{
    plait_problem *p = fibres(4, 0.5);
    plait_groups *g = plait_groups_new(p, NULL, NULL);
    int contacts = 0;
    for (int k = 0; k < g->count; k++) {
        plait_problem *q = plait_groups_extract(g, k, p, NULL, PLAIT_ALONE, NULL);
        contacts += q->n;
        for (int i = 0; i < q->n; i++)
            CHECK(q->b[3 * i] == p->b[3 * g->contact[g->ptr[k] + i]]);
        plait_problem_free(q);
    }
    CHECK_INT(contacts, p->n);
    CHECK(g->largest <= p->n && g->count >= 1);
    plait_groups_free(g), plait_problem_free(p);
}

CASE(groups_of_a_reduced_problem)
{
    // Contacts 0 and 2 are coupled, 1 and 3 stand alone.
    plait_triplet t[64];
    int count = 0;
    for (int i = 0; i < 12; i++)
        t[count++] = (plait_triplet){i, i, 2};
    t[count++] = (plait_triplet){0, 6, 0.5}, t[count++] = (plait_triplet){6, 0, 0.5};
    plait_sparse W;
    plait_sparse_from_triplets(12, 12, count, t, &W);
    double b[12] = {-1, 0.1, 0, -1, 2, 0, -1, 0, 0, 1, 0, 0}, mu[4] = {0.5, 0.5, 0.5, 0.5};
    plait_problem *p = plait_problem_from_delassus(3, 4, &W, b, mu, NULL);
    plait_problem_info info;
    CHECK(plait_problem_inspect(p, &info, NULL) == PLAIT_OK);
    CHECK_INT(info.groups, 3);
    CHECK_INT(info.largest_group, 2);
    plait_solution *s = plait_solution_new(4);
    plait_solve_options o = plait_default_solve_options();
    plait_report report;
    o.tol = 1e-12;
    CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK && report.converged);
    CHECK_NEAR(s->r[9], 0.0, 0.0);  // takes off
    CHECK_NEAR(s->r[0], 0.4, 1e-9); // 2 x + 0.5 y = 1 for both
    CHECK_NEAR(s->r[3], 0.5, 1e-9); // alone: slides with r_T = -mu r_N
    CHECK_NEAR(s->r[4], -0.25, 1e-9);
    plait_solution_free(s), plait_problem_free(p), plait_sparse_free(&W);
}

CASE(plane_problems)
{
    // One block on a plane, pushed sideways: W = I, b = (-1, t).
    for (int k = 0; k < 2; k++) {
        double push = k ? 2 : 0.2, b[2] = {-1, push}, mu[1] = {0.5};
        plait_triplet t[2] = {{0, 0, 1}, {1, 1, 1}};
        plait_sparse W;
        plait_sparse_from_triplets(2, 2, 2, t, &W);
        plait_problem *p = plait_problem_from_delassus(2, 1, &W, b, mu, NULL);
        plait_solution *s = plait_solution_new(1);
        plait_solve_options o = plait_default_solve_options();
        plait_report report;
        CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK && report.converged);
        CHECK_NEAR(s->r[0], 1.0, 1e-9);
        CHECK_NEAR(s->r[1], k ? -0.5 : -0.2, 1e-9);
        CHECK_NEAR(s->r[2], 0.0, 1e-12);
        plait_solution_free(s), plait_problem_free(p), plait_sparse_free(&W);
    }
}

static void refused(const plait_problem *p, const plait_error *error, const char *word)
{
    CHECK(p == NULL);
    CHECK(error->status == PLAIT_BAD_INPUT);
    if (!CHECK(strstr(error->text, word) != NULL))
        printf("  said: %s\n", error->text);
}

CASE(nonsense_is_refused)
{
    plait_triplet t[3] = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}};
    plait_sparse W;
    plait_sparse_from_triplets(3, 3, 3, t, &W);
    double b[3] = {-1, 0, 0}, mu[1] = {0.5}, bad_mu[1] = {-1}, bad_b[3] = {NAN, 0, 0}, zero[3] = {0};
    plait_error e = {0};
    refused(plait_problem_from_delassus(4, 1, &W, b, mu, &e), &e, "dimension");
    refused(plait_problem_from_delassus(3, 1, &W, bad_b, mu, &e), &e, "b[0]");
    refused(plait_problem_from_delassus(3, 1, &W, b, bad_mu, &e), &e, "mu[0]");
    refused(plait_problem_from_delassus(3, 2, &W, b, mu, &e), &e, "expected 6 x 6");
    W.val[1] = -1;
    refused(plait_problem_from_delassus(3, 1, &W, b, mu, &e), &e, "negative diagonal");
    refused(plait_problem_from_dynamics(3, 1, &W, &W, zero, zero, mu, &e), &e, "positive definite");
    W.val[1] = INFINITY;
    refused(plait_problem_from_delassus(3, 1, &W, b, mu, &e), &e, "W(1,1)");
    W.val[1] = 1, W.col[1] = 7;
    refused(plait_problem_from_delassus(3, 1, &W, b, mu, &e), &e, "column 7");
    plait_sparse_free(&W);
    plait_triplet skew[4] = {{0, 0, 1}, {1, 1, 1}, {2, 2, 1}, {0, 1, 0.9}};
    plait_sparse_from_triplets(3, 3, 4, skew, &W);
    refused(plait_problem_from_delassus(3, 1, &W, b, mu, &e), &e, "not symmetric");
    plait_sparse_free(&W);
}

CASE(the_judge_is_hard_to_fool)
{
    plait_problem *p = fibres(6, 0.7);
    plait_solution *s = plait_solution_new(p->n);
    plait_solve_options o = plait_default_solve_options();
    plait_report report;
    plait_certificate c;
    o.tol = 1e-9;
    CHECK(plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK && report.converged);
    double good = report.certificate.residual_rel;
    CHECK(good <= 1e-9 && report.certificate.dissipation >= 0);
    int heavy = 0;
    for (int i = 0; i < p->n; i++)
        heavy = s->r[3 * i] > s->r[3 * heavy] ? i : heavy;
    s->r[3 * heavy] *= 1.001; // a wrong impulse shows
    plait_problem_certify(p, s, &c, NULL);
    CHECK(c.residual_rel > 1e-6);
    s->r[3 * heavy] = NAN;
    plait_problem_certify(p, s, &c, NULL);
    CHECK(isinf(c.residual_rel) && isinf(c.residual_fb_inf));
    plait_solution_free(s), plait_problem_free(p);
}

CASE(nothing_to_do)
{
    plait_sparse W = {0};
    W.ptr = calloc(1, sizeof *W.ptr);
    double none = 0;
    plait_problem *p = plait_problem_from_delassus(3, 0, &W, &none, &none, NULL);
    plait_solution *s = plait_solution_new(0);
    plait_solve_options o = plait_default_solve_options();
    plait_report report;
    CHECK(p && plait_problem_solve(p, &o, s, &report, NULL) == PLAIT_OK);
    CHECK(report.converged && report.certificate.residual_rel == 0);
    plait_solution_free(s), plait_problem_free(p), free(W.ptr);
}
