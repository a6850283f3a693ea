#include "contact/newton_dense.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "math/blas.h"
#include "math/dense_cholesky.h"
#include "math/mat3.h"

static const double RIDGE = 1e-11; // of the diagonal of W, for contacts that hold the same thing twice; not if A_r = I
static const double ALIKE = 1e-10; // of the largest entry: a matrix so far from symmetric is symmetric

typedef enum kind { KNOWN, HELD, SLIDING } kind;

struct plait_newton_dense {
    const plait_block_matrix *W;
    const double *A_r, *A_u;
    int known, held, sliding; // rows
    kind *kind;               // [n]
    int *at;                  // [n] the first row of each among those of its kind
    double *lambda;           // [9 n] of those held
    double *S, *Z, *G;        // [held]^2 the factor; [sliding][held] (L^-1 W_sg)^T; [sliding]^2 its factor
    double *y, *t;            // [3 n]
    lapack_int *pivot;
    double *matrices, *vectors;
};

static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};

void plait_newton_dense_free(plait_newton_dense *x)
{
    if (!x)
        return;
    plait_free(x->kind), plait_free(x->at), plait_free(x->pivot), plait_free(x->matrices), plait_free(x->vectors);
    plait_free(x);
}

plait_newton_dense *plait_newton_dense_new(const plait_block_matrix *W)
{
    plait_newton_dense *x = plait_calloc(1, sizeof *x);
    size_t n = (size_t)W->n;
    if (!x)
        return NULL;
    x->W = W;
    x->kind = plait_malloc((n + 1) * sizeof *x->kind), x->at = plait_malloc((n + 1) * sizeof *x->at);
    x->pivot = plait_malloc((3 * n + 1) * sizeof *x->pivot);
    x->matrices = plait_malloc((9 * n * n + 1) * sizeof *x->matrices);
    x->vectors = plait_malloc((15 * n + 1) * sizeof *x->vectors);
    if (!x->kind || !x->at || !x->pivot || !x->matrices || !x->vectors) {
        plait_newton_dense_free(x);
        return NULL;
    }
    x->lambda = x->vectors, x->y = x->vectors + 9 * n, x->t = x->y + 3 * n;
    return x;
}

static const double *block_r(const plait_newton_dense *x, int i)
{
    return x->A_r ? x->A_r + 9 * (size_t)i : identity;
}

static const double *block_u(const plait_newton_dense *x, int i)
{
    return x->A_u + 9 * (size_t)i;
}

static bool positive(const double A[9])
{
    double two = A[0] * A[4] - A[1] * A[1], three = A[8] * two - A[0] * A[5] * A[5] + 2 * A[1] * A[2] * A[5] -
                                                    A[4] * A[2] * A[2];
    return A[0] >= 0 && A[4] >= 0 && A[8] >= 0 && two >= 0 && three >= 0;
}

// lambda <- A_u^-1 A_r, if that is symmetric and not negative.
static bool symmetric(const double *A_r, const double *A_u, double lambda[9])
{
    double most = 0;
    for (int k = 0; k < 3; k++) {
        double column[3], to[3];
        plait_mat3_column(A_r, k, column);
        if (!plait_mat3_solve(A_u, column, 1e-12, to))
            return false;
        plait_mat3_set_column(lambda, k, to);
    }
    for (int k = 0; k < 9; k++)
        most = fmax(most, fabs(lambda[k]));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < i; j++) {
            if (!(fabs(lambda[3 * i + j] - lambda[3 * j + i]) <= ALIKE * most))
                return false;
            lambda[3 * i + j] = lambda[3 * j + i] = 0.5 * (lambda[3 * i + j] + lambda[3 * j + i]);
        }
    return isfinite(most) && positive(lambda);
}

static void sort_contacts(plait_newton_dense *x, bool general)
{
    int *rows[] = {&x->known, &x->held, &x->sliding};
    x->known = x->held = x->sliding = 0;
    for (int i = 0; i < x->W->n; i++) {
        const double *A_u = block_u(x, i);
        bool none = true;
        for (int k = 0; k < 9; k++)
            none = none && A_u[k] == 0;
        bool held = !general && !none && symmetric(block_r(x, i), A_u, x->lambda + 9 * (size_t)i);
        x->kind[i] = held ? HELD : none && !general ? KNOWN : SLIDING;
        x->at[i] = *rows[x->kind[i]], *rows[x->kind[i]] += 3;
    }
    size_t held = (size_t)x->held, sliding = (size_t)x->sliding;
    x->S = x->matrices, x->Z = x->S + held * held, x->G = x->Z + held * sliding;
}

// to[3][3] of a column-major matrix <- the transpose of B, which for W is the block on the other side of its diagonal.
static void put(const double B[9], size_t rows, double *to)
{
    for (int a = 0; a < 3; a++, to += rows)
        to[0] = B[3 * a], to[1] = B[3 * a + 1], to[2] = B[3 * a + 2];
}

// S <- W_ss + Lambda (below its diagonal), Z <- W_gs, G <- W_gg.
static void gather(plait_newton_dense *x)
{
    const plait_block_matrix *W = x->W;
    size_t held = (size_t)x->held, sliding = (size_t)x->sliding;
    memset(x->matrices, 0, (held * held + held * sliding + sliding * sliding) * sizeof *x->matrices);
    for (int i = 0; i < W->n; i++)
        for (int64_t k = W->ptr[i]; x->kind[i] != KNOWN && k < W->ptr[i + 1]; k++) {
            int j = W->col[k], row = x->at[j];
            const double *B = W->val + 9 * k;
            size_t column = (size_t)x->at[i];
            if (x->kind[j] == KNOWN)
                continue;
            if (x->kind[i] == HELD && x->kind[j] == HELD && j >= i)
                put(B, held, x->S + column * held + row);
            else if (x->kind[j] == SLIDING)
                put(B, sliding, (x->kind[i] == HELD ? x->Z : x->G) + column * sliding + row);
        }
    for (int i = 0; i < W->n; i++)
        for (size_t a = 0; x->kind[i] == HELD && a < 3; a++)
            for (size_t e = a; e < 3; e++) {
                double *to = x->S + ((size_t)x->at[i] + a) * held + (size_t)x->at[i] + e;
                *to += x->lambda[9 * (size_t)i + 3 * e + a] + (a == e && x->A_r ? RIDGE * *to : 0);
            }
}

// G <- A_r + A_u G, by rows of contacts.
static void apply_laws(plait_newton_dense *x)
{
    size_t sliding = (size_t)x->sliding;
    for (int i = 0; i < x->W->n; i++) {
        if (x->kind[i] != SLIDING)
            continue;
        const double *R = block_r(x, i), *D = block_u(x, i);
        double *row = x->G + x->at[i];
        for (size_t c = 0; c < sliding; c++, row += sliding) {
            double u[3] = {row[0], row[1], row[2]};
            plait_mat3_apply(D, u, row);
        }
        for (size_t a = 0; a < 3; a++)
            for (size_t e = 0; e < 3; e++)
                x->G[((size_t)x->at[i] + e) * sliding + (size_t)x->at[i] + a] += R[3 * a + e];
    }
}

static void mirror(double *G, size_t n)
{
    for (size_t c = 0; c < n; c++)
        for (size_t r = 0; r < c; r++)
            G[c * n + r] = G[r * n + c];
}

bool plait_newton_dense_factorise(plait_newton_dense *x, const double *A_r, const double *A_u, bool general,
                                  plait_team team)
{
    x->A_r = A_r, x->A_u = A_u;
    sort_contacts(x, general);
    gather(x);
    plait_blas_serial_begin();
    bool ok = x->held == 0 || plait_dense_eliminate(x->held, 0, x->S, x->held, NULL, 0, team) == 0;
    if (ok && x->sliding > 0) {
        if (x->held > 0) {
            plait_blas_trsm('R', 'T', x->sliding, x->held, x->S, x->held, x->Z, x->sliding);
            plait_blas_syrk(x->sliding, x->held, x->Z, x->sliding, x->G, x->sliding);
            mirror(x->G, (size_t)x->sliding);
        }
        apply_laws(x);
        ok = LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, x->sliding, x->sliding, x->G, x->sliding, x->pivot) == 0;
    }
    plait_blas_serial_end();
    return ok;
}

// t <- velocities of what is known.
static void known_velocities(plait_newton_dense *x, const double *dr)
{
    const plait_block_matrix *W = x->W;
    memset(x->t, 0, 3 * (size_t)W->n * sizeof *x->t);
    for (int i = 0; x->known > 0 && i < W->n; i++)
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++)
            if (x->kind[W->col[k]] == KNOWN) {
                double u[3];
                plait_mat3_apply(W->val + 9 * k, dr + 3 * (size_t)W->col[k], u);
                for (size_t a = 0; a < 3; a++)
                    x->t[3 * (size_t)i + a] += u[a];
            }
}

// y[held, then sliding] <- right sides, from q and t.
static bool right_sides(plait_newton_dense *x, const double *q)
{
    for (int i = 0; i < x->W->n; i++) {
        const double *from = q + 3 * (size_t)i, *t = x->t + 3 * (size_t)i;
        double *to = x->y + (x->kind[i] == SLIDING ? x->held : 0) + x->at[i], u[3] = {0};
        if (x->kind[i] == KNOWN)
            continue;
        if (x->kind[i] == HELD && !plait_mat3_solve(block_u(x, i), from, 0, u))
            return false;
        if (x->kind[i] == SLIDING)
            plait_mat3_apply(block_u(x, i), t, u);
        for (int a = 0; a < 3; a++)
            to[a] = x->kind[i] == HELD ? u[a] - t[a] : from[a] - u[a];
    }
    return true;
}

// The rows that slide, with y_s = L^-1 (...) at hand.
static bool solve_sliding(plait_newton_dense *x)
{
    double *g = x->y + x->held, *u = x->t;
    memset(u, 0, (size_t)x->sliding * sizeof *u);
    if (x->held > 0)
        plait_blas_gemm('N', x->sliding, 1, x->held, 1, x->Z, x->sliding, x->y, x->held, 0, u, x->sliding);
    for (int i = 0; i < x->W->n; i++)
        if (x->kind[i] == SLIDING) {
            double more[3];
            plait_mat3_apply(block_u(x, i), u + x->at[i], more);
            for (int a = 0; a < 3; a++)
                g[x->at[i] + a] -= more[a];
        }
    if (LAPACKE_dgetrs_work(LAPACK_COL_MAJOR, 'N', x->sliding, 1, x->G, x->sliding, x->pivot, g, x->sliding) != 0)
        return false;
    if (x->held > 0)
        plait_blas_gemm('T', x->held, 1, x->sliding, -1, x->Z, x->sliding, g, x->sliding, 1, x->y, x->held);
    return true;
}

bool plait_newton_dense_solve(plait_newton_dense *x, const double *q, double *dr)
{
    int n = x->W->n;
    bool ok = true;
    for (int i = 0; ok && i < n; i++)
        if (x->kind[i] == KNOWN)
            ok = plait_mat3_solve(block_r(x, i), q + 3 * (size_t)i, 0, dr + 3 * (size_t)i);
    if (!ok)
        return false;
    known_velocities(x, dr);
    plait_blas_serial_begin();
    ok = right_sides(x, q);
    if (ok && x->held > 0)
        plait_blas_trsm('L', 'N', x->held, 1, x->S, x->held, x->y, x->held);
    ok = ok && (x->sliding == 0 || solve_sliding(x));
    if (ok && x->held > 0)
        plait_blas_trsm('L', 'T', x->held, 1, x->S, x->held, x->y, x->held);
    plait_blas_serial_end();
    for (int i = 0; ok && i < n; i++)
        if (x->kind[i] != KNOWN)
            memcpy(dr + 3 * (size_t)i, x->y + (x->kind[i] == SLIDING ? x->held : 0) + x->at[i], 3 * sizeof *dr);
    return ok;
}
