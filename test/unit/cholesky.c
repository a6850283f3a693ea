// cholesky.c: the sparse factor against the matrix it was made of.
#include "math/cholesky.h"

#include "base/rng.h"
#include "check.h"
#include "cloth_matrix.h"
#include "math/blas.h"
#include "math/dense_cholesky.h"

typedef struct factor {
    plait_cholesky_plan *plan;
    double *L, *work;
    int bad;
} factor;

static factor make(const plait_sparse *A)
{
    factor f = {.plan = plait_cholesky_analyse(A, NULL)};
    if (!CHECK(f.plan != NULL))
        return f;
    size_t room = plait_cholesky_factorise_room(f.plan), solve = plait_cholesky_solve_room(f.plan, 4);
    f.L = malloc(((size_t)plait_cholesky_size(f.plan) + 1) * sizeof *f.L);
    f.work = malloc(((room > solve ? room : solve) + 1) * sizeof *f.work);
    f.bad = plait_cholesky_factorise(f.plan, A->val, PLAIT_ALONE, f.work, f.L);
    return f;
}

static void free_factor(factor *f)
{
    plait_cholesky_plan_free(f->plan), free(f->L), free(f->work);
}

// |A x - b| / |b| after a solution with several right sides.
static double error_of(const plait_sparse *A, factor *f, int count)
{
    int n = A->rows;
    double *b = malloc((size_t)n * (size_t)count * sizeof *b), *x = malloc((size_t)n * (size_t)count * sizeof *x);
    double *y = malloc((size_t)n * sizeof *y), error = 0, norm = 0;
    plait_rng rng = plait_rng_new(11, (uint64_t)n);
    for (int i = 0; i < n * count; i++)
        x[i] = b[i] = plait_rng_normal(&rng);
    plait_cholesky_solve(f->plan, f->L, count, f->work, x);
    for (int k = 0; k < count; k++) {
        plait_sparse_apply(A, x + k * n, y);
        for (int i = 0; i < n; i++)
            error += (y[i] - b[k * n + i]) * (y[i] - b[k * n + i]), norm += b[k * n + i] * b[k * n + i];
    }
    free(b), free(x), free(y);
    return sqrt(error / norm);
}

CASE(cloths_of_many_sizes)
{
    for (int side = 1; side <= 24; side += side < 6 ? 1 : 6)
        for (int count = 1; count <= 4; count += 3) {
            plait_sparse A = {0};
            CHECK(cloth_matrix(side, 1000, &A));
            factor f = make(&A);
            CHECK_INT(f.bad, -1);
            CHECK(error_of(&A, &f, count) < 1e-12);
            free_factor(&f), plait_sparse_free(&A);
        }
}

// Random patterns, several components, rows in any order; also with one triangle only.
CASE(random_patterns)
{
    for (int seed = 0; seed < 40; seed++) {
        plait_rng rng = plait_rng_new((uint64_t)seed, 1);
        int n = 1 + (int)(plait_rng_uniform(&rng) * 120), count = (int)(plait_rng_uniform(&rng) * 3 * n);
        plait_triplet *t = malloc((4 * (size_t)count + (size_t)n + 1) * sizeof *t);
        plait_sparse A = {0}, lower = {0};
        int all = 0, low = 0;
        for (int i = 0; i < n; i++)
            t[all++] = (plait_triplet){i, i, 40 + plait_rng_normal(&rng)};
        for (int k = 0; k < count; k++) {
            int i = (int)(plait_rng_uniform(&rng) * n), j = (int)(plait_rng_uniform(&rng) * n);
            double value = plait_rng_normal(&rng);
            t[all++] = (plait_triplet){i, j, value}, t[all++] = (plait_triplet){j, i, value};
        }
        CHECK(plait_sparse_from_triplets(n, n, all, t, &A));
        for (int i = 0; i < n; i++)
            for (int64_t k = A.ptr[i]; k < A.ptr[i + 1]; k++)
                if (A.col[k] <= i)
                    t[low++] = (plait_triplet){i, A.col[k], A.val[k]};
        CHECK(plait_sparse_from_triplets(n, n, low, t, &lower));
        factor f = make(&A), g = make(&lower);
        CHECK_INT(f.bad, -1), CHECK_INT(g.bad, -1);
        CHECK(error_of(&A, &f, 1) < 1e-13), CHECK(error_of(&A, &g, 4) < 1e-13);
        free_factor(&f), free_factor(&g), plait_sparse_free(&A), plait_sparse_free(&lower), free(t);
    }
}

CASE(sparse_right_sides_give_the_inverse)
{
    plait_sparse A = {0};
    CHECK(cloth_matrix(9, 300, &A));
    factor f = make(&A);
    int rows[] = {0, 1, 2, 100, 101, 240}, count = 6, n = A.rows;
    plait_cholesky_path path;
    CHECK(plait_cholesky_path_alloc(&path, f.plan));
    for (int again = 0; again < 2; again++) {
        for (int k = 0; k < count; k++)
            plait_cholesky_path_add(&path, f.plan, rows[k]);
        plait_cholesky_path_finish(&path, f.plan);
        CHECK(path.rows <= n);
        double *X = calloc((size_t)path.rows * 6, sizeof *X), *x = calloc((size_t)n, sizeof *x);
        double *work = malloc((size_t)f.plan->most_rows * 6 * sizeof *work);
        for (int k = 0; k < count; k++)
            X[k * path.rows + plait_cholesky_path_row(&path, f.plan, rows[k])] = 1;
        plait_cholesky_forward(f.plan, f.L, &path, count, work, X);
        for (int k = 0; k < count; k++) { // the product of two columns is an entry of the inverse
            memset(x, 0, (size_t)n * sizeof *x);
            x[rows[k]] = 1;
            plait_cholesky_solve(f.plan, f.L, 1, f.work, x);
            for (int m = 0; m < count; m++) {
                double dot = 0;
                for (int i = 0; i < path.rows; i++)
                    dot += X[k * path.rows + i] * X[m * path.rows + i];
                CHECK_NEAR(dot, x[rows[m]], 1e-14);
            }
        }
        plait_cholesky_path_clear(&path);
        free(X), free(x), free(work);
    }
    plait_cholesky_path_free(&path), free_factor(&f), plait_sparse_free(&A);
}

typedef struct fronts {
    const plait_cholesky_plan *plan;
    double *sum;  // [supernodes]
    int *visited; // [supernodes]
} fronts;

static void add_up(void *data, int s, const double *front, int rows, const int *local)
{
    const fronts *x = data;
    (void)local;
    x->visited[s]++, x->sum[s] = 0;
    for (int k = 0; k < x->plan->first[s + 1] - x->plan->first[s]; k++)
        for (int i = k; i < rows; i++)
            x->sum[s] += front[(int64_t)k * rows + i] * (1 + i % 7);
}

// What is asked of a few rows needs their supernodes and the parents of these, and is the same to the last bit.
CASE(a_part_of_the_tree_is_enough)
{
    plait_sparse A = {0};
    CHECK(cloth_matrix(20, 300, &A));
    factor f = make(&A);
    int rows[] = {3, 100, 101, 102, 500}, count = 5, n = A.rows, supers = 0, all = f.plan->supernodes;
    unsigned char *wanted = calloc((size_t)all, 1);
    int *super = malloc((size_t)all * sizeof *super), *visited = calloc(2 * (size_t)all, sizeof *visited);
    double *x = calloc(2 * (size_t)n, sizeof *x), *y = x + n, *sum = calloc(2 * (size_t)all, sizeof *sum);
    for (int k = 0; k < count; k++) {
        plait_cholesky_want(f.plan, f.plan->place[rows[k]], wanted);
        x[rows[k]] = y[rows[k]] = 1 + k;
    }
    for (int s = 0; s < all; s++)
        if (wanted[s])
            super[supers++] = s;
    CHECK(supers < all / 2);
    plait_cholesky_solve(f.plan, f.L, 1, f.work, x);
    plait_cholesky_solve_part(f.plan, f.L, supers, super, f.work, y);
    for (int i = 0; i < n; i++)
        CHECK(y[i] == (wanted[f.plan->super[f.plan->place[i]]] ? x[i] : 0));
    CHECK(plait_cholesky_inverse(f.plan, f.L, NULL, add_up, &(fronts){f.plan, sum, visited}));
    CHECK(plait_cholesky_inverse(f.plan, f.L, wanted, add_up, &(fronts){f.plan, sum + all, visited + all}));
    for (int s = 0; s < all; s++) {
        CHECK_INT(visited[s], 1);
        CHECK_INT(visited[all + s], wanted[s]);
        CHECK(!wanted[s] || sum[all + s] == sum[s]);
    }
    double part = plait_cholesky_inverse_part(f.plan, wanted);
    CHECK(part > 0 && part < 1);
    memset(wanted, 1, (size_t)all);
    CHECK_NEAR(plait_cholesky_inverse_part(f.plan, wanted), 1, 1e-15);
    free(wanted), free(super), free(visited), free(x), free(sum), free_factor(&f), plait_sparse_free(&A);
}

CASE(a_bad_pivot_is_told)
{
    plait_sparse A = {0};
    CHECK(cloth_matrix(8, 300, &A));
    for (int64_t k = A.ptr[77]; k < A.ptr[78]; k++)
        A.val[k] = A.col[k] == 77 ? -1 : A.val[k];
    factor f = make(&A);
    CHECK(f.bad >= 0 && f.bad < A.rows);
    free_factor(&f);
    for (int64_t k = A.ptr[77]; k < A.ptr[78]; k++)
        A.val[k] = A.col[k] == 77 ? NAN : A.val[k];
    f = make(&A);
    CHECK(f.bad >= 0);
    free_factor(&f), plait_sparse_free(&A);
}

CASE(an_analysis_serves_many_values_and_gives_the_same_bits)
{
    plait_sparse A = {0};
    CHECK(cloth_matrix(12, 300, &A));
    factor f = make(&A), g = make(&A);
    CHECK(memcmp(f.L, g.L, (size_t)plait_cholesky_size(f.plan) * sizeof *f.L) == 0);
    for (int64_t k = 0; k < A.ptr[A.rows]; k++)
        A.val[k] *= 2;
    CHECK_INT(plait_cholesky_factorise(f.plan, A.val, PLAIT_ALONE, f.work, f.L), -1);
    CHECK(error_of(&A, &f, 3) < 1e-12);
    free_factor(&f), free_factor(&g), plait_sparse_free(&A);
}

// A factor with branches: the same bits from any team, and it solves.
CASE(branches_are_factorised_by_any_team)
{
    plait_sparse A = {0};
    CHECK(cloth_matrix(60, 300, &A));
    factor f = make(&A);
    CHECK(f.plan && f.plan->branches >= 4);
    CHECK(error_of(&A, &f, 1) < 1e-12);
    size_t bytes = (size_t)plait_cholesky_size(f.plan) * sizeof *f.L;
    double *L = malloc(bytes);
    for (int threads = 2; threads <= 5; threads += 3) {
        CHECK_INT(plait_cholesky_factorise(f.plan, A.val, plait_team_of(threads), f.work, L), -1);
        CHECK(memcmp(L, f.L, bytes) == 0);
    }
    free(L), free_factor(&f), plait_sparse_free(&A);
}

// A = B B^T + n I, column-major; the lower triangle.
static double *random_matrix(int n, uint64_t seed)
{
    size_t size = (size_t)n * (size_t)n;
    double *A = calloc(size, sizeof *A), *B = calloc(size, sizeof *B);
    plait_rng rng = plait_rng_new(5, seed);
    for (size_t i = 0; i < size; i++)
        B[i] = plait_rng_normal(&rng);
    plait_blas_syrk(n, n, B, n, A, n); // - B B^T
    for (size_t i = 0; i < size; i++)
        A[i] = -A[i] + (i % ((size_t)n + 1) == 0 ? n : 0);
    free(B);
    return A;
}

// Some columns are eliminated, then the rest: L L^T is the matrix, for sizes around those of tiles, and any team.
CASE(large_blocks_are_eliminated_in_tiles)
{
    static const int sizes[][2] = {{1, 0}, {5, 3}, {192, 192}, {193, 192}, {384, 1}, {200, 300}, {450, 0}, {400, 410}};
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        int nc = sizes[k][0], nr = sizes[k][1], n = nc + nr;
        size_t size = (size_t)n * (size_t)n;
        double *A = random_matrix(n, k), *L = malloc(2 * size * sizeof *L), *T = L + size, worst = 0;
        for (int threads = 1; threads <= 3; threads += 2) {
            double *to = threads == 1 ? L : T;
            memcpy(to, A, size * sizeof *A);
            double *U = to + (size_t)nc * (size_t)(n + 1);
            CHECK_INT(plait_dense_eliminate(nc, nr, to, n, U, n, plait_team_of(threads)), 0);
            CHECK_INT(nr > 0 ? plait_dense_eliminate(nr, 0, U, n, NULL, 0, plait_team_of(threads)) : 0, 0);
        }
        CHECK(memcmp(L, T, size * sizeof *L) == 0);
        for (int c = 0; c < n; c++)
            memset(L + (size_t)c * (size_t)n, 0, (size_t)c * sizeof *L);
        plait_blas_syrk(n, n, L, n, A, n); // A - L L^T
        for (int c = 0; c < n; c++)
            for (int i = c; i < n; i++)
                worst = fmax(worst, fabs(A[(size_t)c * (size_t)n + (size_t)i]));
        CHECK(worst < 1e-12 * n * n);
        A = (free(A), random_matrix(n, k)), A[(size_t)(n - 1) * (size_t)(n + 1)] = -1;
        CHECK_INT(plait_dense_eliminate(n, 0, A, n, NULL, 0, PLAIT_ALONE), n);
        free(A), free(L);
    }
}
