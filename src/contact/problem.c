// problem.c: building, checking and taking apart the one-step problem.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/compliance.h"
#include "contact/law.h"
#include "math/sparse.h"
#include "plait/contact.h"

#define LARGEST_ASYMMETRY 0.1

// ---- checks --------------------------------------------------------------------------------------------------------

static bool check_vector(const char *name, const double *x, int64_t count, plait_error *error)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i])) {
            plait_error_set(error, PLAIT_BAD_INPUT, "%s[%lld] is %g: expected a finite number", name, (long long)i,
                            x[i]);
            return false;
        }
    return true;
}

static bool check_friction(const double *mu, int n, plait_error *error)
{
    for (int i = 0; i < n; i++)
        if (!isfinite(mu[i]) || mu[i] < 0) {
            plait_error_set(error, PLAIT_BAD_INPUT, "mu[%d] is %g: expected a finite number >= 0", i, mu[i]);
            return false;
        }
    return true;
}

static bool check_matrix(const char *name, const plait_sparse *A, int rows, int cols, plait_error *error)
{
    if (A->rows != rows || A->cols != cols || (rows > 0 && !A->ptr)) {
        plait_error_set(error, PLAIT_BAD_INPUT, "%s is %d x %d: expected %d x %d", name, A->rows, A->cols, rows, cols);
        return false;
    }
    for (int i = 0; i < rows; i++) {
        if (A->ptr[i] < 0 || A->ptr[i + 1] < A->ptr[i] || (i == 0 && A->ptr[0] != 0)) {
            plait_error_set(error, PLAIT_BAD_INPUT,
                            "%s: row pointers must start at 0 and not descend (row %d: %lld, %lld)", name, i,
                            (long long)A->ptr[i], (long long)A->ptr[i + 1]);
            return false;
        }
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++) {
            if (A->col[k] < 0 || A->col[k] >= cols) {
                plait_error_set(error, PLAIT_BAD_INPUT, "%s: row %d names column %d: expected 0 to %d", name, i,
                                A->col[k], cols - 1);
                return false;
            }
            if (k > A->ptr[i] && A->col[k] <= A->col[k - 1]) {
                plait_error_set(error, PLAIT_BAD_INPUT, "%s: row %d: columns must ascend (%d after %d)", name, i,
                                A->col[k], A->col[k - 1]);
                return false;
            }
            if (!isfinite(A->val[k])) {
                plait_error_set(error, PLAIT_BAD_INPUT, "%s(%d,%d) is %g: expected a finite number", name, i, A->col[k],
                                A->val[k]);
                return false;
            }
        }
    }
    return true;
}

static bool check_symmetric(const char *name, const plait_sparse *A, plait_error *error)
{
    double asymmetry = plait_sparse_asymmetry(A);
    if (asymmetry <= LARGEST_ASYMMETRY)
        return true;
    plait_error_set(error, PLAIT_BAD_INPUT,
                    "%s is not symmetric: max |A - A^T| is %.3g of its largest entry, at most %g is accepted", name,
                    asymmetry, LARGEST_ASYMMETRY);
    return false;
}

static bool check_dimension(int dimension, int n, plait_error *error)
{
    if (dimension != 2 && dimension != 3) {
        plait_error_set(error, PLAIT_BAD_INPUT, "dimension is %d: expected 2 or 3", dimension);
        return false;
    }
    if (n < 0 || n > 500000000) {
        plait_error_set(error, PLAIT_BAD_INPUT, "%d contacts: expected 0 to 500000000", n);
        return false;
    }
    return true;
}

// ---- building ------------------------------------------------------------------------------------------------------

static double *copy_doubles(const double *x, int64_t count)
{
    double *copy = plait_malloc(((size_t)count + 1) * sizeof *copy);
    if (copy && count > 0)
        memcpy(copy, x, (size_t)count * sizeof *copy);
    return copy;
}

static plait_problem *problem_new(int dimension, int n, const double *mu, plait_error *error)
{
    plait_problem *p = plait_calloc(1, sizeof *p);
    if (p) {
        p->dimension = dimension, p->n = n;
        p->mu = copy_doubles(mu, n);
        p->b = plait_calloc(3 * (size_t)n + 1, sizeof *p->b);
        p->trace = plait_calloc((size_t)n + 1, sizeof *p->trace);
        if (p->mu && p->b && p->trace)
            return p;
    }
    plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", n);
    plait_problem_free(p);
    return NULL;
}

// Scalar CSR of (d n)^2 entries to 3x3 blocks: all diagonal blocks, and every block that has an entry.
static plait_block_matrix *to_blocks(const plait_sparse *A, int d, int n)
{
    int *mark = plait_malloc(((size_t)n + 1) * sizeof *mark);
    int64_t *slot = plait_malloc(((size_t)n + 1) * sizeof *slot);
    plait_block_matrix *W = NULL;
    if (!mark || !slot)
        goto out;
    memset(mark, -1, (size_t)n * sizeof *mark);
    int64_t blocks = 0;
    for (int i = 0; i < n; i++) {
        mark[i] = i, blocks++;
        for (int64_t k = A->ptr[d * i]; k < A->ptr[d * (i + 1)]; k++)
            if (mark[A->col[k] / d] != i)
                mark[A->col[k] / d] = i, blocks++;
    }
    W = plait_block_matrix_new(n, blocks);
    if (!W)
        goto out;
    memset(mark, -1, (size_t)n * sizeof *mark);
    for (int i = 0; i < n; i++) {
        int64_t end = W->ptr[i];
        mark[i] = i, W->col[end++] = i;
        for (int64_t k = A->ptr[d * i]; k < A->ptr[d * (i + 1)]; k++)
            if (mark[A->col[k] / d] != i) {
                int j = A->col[k] / d;
                mark[j] = i;
                int64_t at = end++;
                for (; at > W->ptr[i] && W->col[at - 1] > j; at--)
                    W->col[at] = W->col[at - 1];
                W->col[at] = j;
            }
        W->ptr[i + 1] = end;
        for (int64_t k = W->ptr[i]; k < end; k++)
            slot[W->col[k]] = k;
        for (int a = 0; a < d; a++)
            for (int64_t k = A->ptr[d * i + a]; k < A->ptr[d * i + a + 1]; k++)
                W->val[9 * slot[A->col[k] / d] + 3 * a + A->col[k] % d] = A->val[k];
    }
out:
    plait_free(mark), plait_free(slot);
    return W;
}

static double *diagonal_block(const plait_block_matrix *W, int i)
{
    return W->val + 9 * plait_block_matrix_find(W, i, i);
}

// Gives 2-d contacts their third component and stores the traces.
static bool finish_reduced(plait_problem *p, plait_error *error)
{
    for (int i = 0; i < p->n; i++) {
        double *D = diagonal_block(p->W, i);
        if (p->dimension == 2)
            D[8] = 0.5 * (D[0] + D[4]);
        for (int a = 0; a < 3; a++)
            if (D[4 * a] < 0) {
                plait_error_set(error, PLAIT_BAD_INPUT, "W has a negative diagonal entry %g at contact %d", D[4 * a],
                                i);
                return false;
            }
        p->trace[i] = D[0] + D[4] + D[8];
    }
    return true;
}

plait_problem *plait_problem_from_delassus(int dimension, int n, const plait_sparse *W, const double *b,
                                           const double *mu, plait_error *error)
{
    if (!check_dimension(dimension, n, error) || !check_matrix("W", W, dimension * n, dimension * n, error) ||
        !check_vector("b", b, (int64_t)dimension * n, error) || !check_friction(mu, n, error) ||
        !check_symmetric("W", W, error))
        return NULL;
    plait_problem *p = problem_new(dimension, n, mu, error);
    if (!p)
        return NULL;
    for (int i = 0; i < n; i++)
        memcpy(p->b + 3 * i, b + dimension * i, (size_t)dimension * sizeof *b);
    p->W = to_blocks(W, dimension, n);
    if (!p->W)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for W of %d contacts", n);
    if (p->W && finish_reduced(p, error))
        return p;
    plait_problem_free(p);
    return NULL;
}

static bool pad_rows(const plait_sparse *H, int n, plait_sparse *padded)
{
    if (!plait_sparse_alloc(padded, 3 * n, H->cols, H->ptr[2 * n]))
        return false;
    for (int i = 0; i < n; i++)
        for (int a = 0; a < 3; a++)
            padded->ptr[3 * i + a + 1] = H->ptr[2 * i + (a < 2 ? a + 1 : 2)];
    memcpy(padded->col, H->col, (size_t)H->ptr[2 * n] * sizeof *H->col);
    memcpy(padded->val, H->val, (size_t)H->ptr[2 * n] * sizeof *H->val);
    return true;
}

static plait_dynamics *dynamics_new(int dimension, int n, const plait_sparse *M, const plait_sparse *H, const double *f,
                                    const double *w)
{
    plait_dynamics *y = plait_calloc(1, sizeof *y);
    if (!y)
        return NULL;
    y->dofs = M->rows;
    y->f = copy_doubles(f, M->rows);
    y->w = plait_calloc(3 * (size_t)n + 1, sizeof *y->w);
    if (!plait_sparse_copy(M, &y->M) || !(dimension == 3 ? plait_sparse_copy(H, &y->H) : pad_rows(H, n, &y->H)) ||
        !y->f || !y->w) {
        plait_sparse_free(&y->M), plait_sparse_free(&y->H), plait_free(y->f), plait_free(y->w), plait_free(y);
        return NULL;
    }
    for (int i = 0; i < n; i++)
        memcpy(y->w + 3 * i, w + dimension * i, (size_t)dimension * sizeof *w);
    return y;
}

void plait_dynamics_free(plait_dynamics *y)
{
    if (!y)
        return;
    plait_sparse_free(&y->M), plait_sparse_free(&y->rest), plait_sparse_free(&y->H), plait_free(y->f);
    plait_free(y->w), plait_free(y);
}

void plait_problem_gather(const plait_problem *p, const double *v, double *u)
{
    if (p->dynamics->H.ptr)
        plait_sparse_apply(&p->dynamics->H, v, u);
    else
        plait_limbs_apply(p->compliance, v, u);
}

// b = H M^-1 f + w and tr(W_ii)
static plait_status reduce_vectors(plait_problem *p, plait_error *error)
{
    double *v = plait_malloc(((size_t)p->dynamics->dofs + 1) * sizeof *v);
    const double *D = p->compliance->diagonal;
    if (!v)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d dofs", p->dynamics->dofs);
    plait_status status =
        plait_compliance_velocity(p->compliance, p->dynamics->f, NULL, p->compliance->team, v, error);
    if (status == PLAIT_OK) {
        plait_problem_gather(p, v, p->b);
        for (int i = 0; i < 3 * p->n; i++)
            p->b[i] += p->dynamics->w[i];
        for (int i = 0; i < p->n; i++)
            p->trace[i] = D[9 * i] + D[9 * i + 4] + D[9 * i + 8];
        if (!check_vector("b = H M^-1 f + w", p->b, 3 * (int64_t)p->n, error))
            status = PLAIT_BAD_INPUT;
    }
    plait_free(v);
    return status;
}

plait_problem *plait_problem_from_dynamics(int dimension, int n, const plait_sparse *M, const plait_sparse *H,
                                           const double *f, const double *w, const double *mu, plait_error *error)
{
    if (!check_dimension(dimension, n, error) || !check_matrix("M", M, M->rows, M->rows, error) ||
        !check_matrix("H", H, dimension * n, M->rows, error) || !check_vector("f", f, M->rows, error) ||
        !check_vector("w", w, (int64_t)dimension * n, error) || !check_friction(mu, n, error) ||
        !check_symmetric("M", M, error))
        return NULL;
    plait_dynamics *y = dynamics_new(dimension, n, M, H, f, w);
    if (y && !plait_dynamics_symmetrise(y))
        plait_dynamics_free(y), y = NULL;
    if (!y)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d dofs", M->rows);
    plait_problem *p = y ? plait_problem_of(dimension, n, y, NULL, NULL, mu, plait_team_of(0), error) : NULL;
    if (p)
        p->asymmetry = plait_sparse_asymmetry(M);
    return p;
}

plait_problem *plait_problem_of(int dimension, int n, plait_dynamics *y, plait_bands *bands, plait_limbs *limbs,
                                const double *mu, plait_team team, plait_error *error)
{
    plait_limbs none = {0};
    plait_problem *p = problem_new(dimension, n, mu, error);
    if (p && bands)
        p->compliance = plait_compliance_of_bands(n, bands, limbs ? limbs : &none, &y->H, team, error);
    else if (p)
        p->compliance = plait_compliance_new(n, &y->M, &y->H, team, error);
    if (bands)
        plait_bands_free(bands); // if they were not taken
    if (limbs)
        plait_limbs_free(limbs);
    if (!p) {
        plait_dynamics_free(y);
        return NULL;
    }
    p->dynamics = y;
    bool ok = p->compliance && reduce_vectors(p, error) == PLAIT_OK;
    if (ok && dimension == 2) {
        p->W = plait_compliance_assemble(p->compliance, PLAIT_ALONE, NULL, error);
        ok = p->W && finish_reduced(p, error);
        plait_dynamics_free(p->dynamics), plait_compliance_free(p->compliance);
        p->dynamics = NULL, p->compliance = NULL;
    }
    if (ok)
        return p;
    plait_problem_free(p);
    return NULL;
}

bool plait_problem_complete(const plait_problem *p)
{
    plait_dynamics *y = p->dynamics;
    return !y || ((y->M.ptr || plait_bands_to_sparse(&p->compliance->bands, &y->M)) &&
                  (y->H.ptr || plait_limbs_to_sparse(p->compliance, &y->H)));
}

plait_status plait_problem_update(plait_problem *p, const unsigned char *changed, plait_error *error)
{
    plait_status status = plait_compliance_update(p->compliance, changed, error);
    return status == PLAIT_OK ? reduce_vectors(p, error) : status;
}

// Room for n of what there is one of for each contact.
static bool grow(plait_problem *p, int n)
{
    double *mu = plait_realloc(p->mu, ((size_t)n + 1) * sizeof *mu);
    p->mu = mu ? mu : p->mu;
    double *b = plait_realloc(p->b, (3 * (size_t)n + 1) * sizeof *b);
    p->b = b ? b : p->b;
    double *trace = plait_realloc(p->trace, ((size_t)n + 1) * sizeof *trace);
    p->trace = trace ? trace : p->trace;
    return mu && b && trace;
}

plait_status plait_problem_extend(plait_problem *p, int n, plait_limbs *limbs, double *w, const double *mu,
                                  plait_error *error)
{
    plait_free(p->dynamics->w);
    p->dynamics->w = w;
    plait_problem_free_laws(p);
    bool ok = grow(p, n) && plait_compliance_extend(p->compliance, limbs);
    plait_limbs_free(limbs);
    if (!ok)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", n);
    p->n = n;
    memcpy(p->mu, mu, (size_t)n * sizeof *mu);
    return reduce_vectors(p, error);
}

plait_status plait_problem_assemble(plait_problem *p, int threads, plait_error *error)
{
    if (p->W)
        return PLAIT_OK;
    p->W = plait_compliance_assemble(p->compliance, plait_team_of(threads), NULL, error);
    return p->W ? PLAIT_OK : PLAIT_NO_MEMORY;
}

void plait_problem_free(plait_problem *p)
{
    if (!p)
        return;
    plait_block_matrix_free(p->W), plait_dynamics_free(p->dynamics), plait_compliance_free(p->compliance);
    plait_problem_free_laws(p);
    plait_free(p->mu), plait_free(p->b), plait_free(p->trace), plait_free(p);
}

plait_solution *plait_solution_new(int n)
{
    plait_solution *s = plait_calloc(1, sizeof *s);
    if (!s)
        return NULL;
    s->n = n;
    s->r = plait_calloc(3 * (size_t)n + 1, sizeof *s->r);
    s->u = plait_calloc(3 * (size_t)n + 1, sizeof *s->u);
    if (s->r && s->u)
        return s;
    plait_solution_free(s);
    return NULL;
}

void plait_solution_free(plait_solution *s)
{
    if (s)
        plait_free(s->r), plait_free(s->u);
    plait_free(s);
}
