// symmetry.c: M as it was given, and as it is solved with.
//
// Recorded matrices are not always symmetric to the last digit, and some not to the first. Solvers work with the
// symmetric part S = (M + M^T)/2. Where a file has one triangle only, it is taken for half of a symmetric matrix. In
// both cases the rest K = M - S is kept, so that the judge can tell how far the answer is from the dynamics as given:
// with S v = f + H^T r exactly, M v - f - H^T r = K v.
#include <math.h>
#include <stdlib.h>

#include "base/pool.h"
#include "contact/compliance.h"
#include "math/sparse.h"

// A <- (M + sign M^T) / 2
static bool half_sum(const plait_sparse *M, double sign, plait_sparse *A)
{
    int64_t count = 0;
    plait_triplet *t = plait_malloc((2 * (size_t)M->ptr[M->rows] + 1) * sizeof *t);
    for (int i = 0; t && i < M->rows; i++)
        for (int64_t k = M->ptr[i]; k < M->ptr[i + 1]; k++) {
            t[count++] = (plait_triplet){i, M->col[k], 0.5 * M->val[k]};
            t[count++] = (plait_triplet){M->col[k], i, sign * 0.5 * M->val[k]};
        }
    bool ok = t && plait_sparse_from_triplets(M->rows, M->cols, count, t, A);
    plait_free(t);
    return ok;
}

bool plait_dynamics_symmetrise(plait_dynamics *y)
{
    plait_sparse S = {0}, K = {0};
    if (plait_sparse_asymmetry(&y->M) == 0)
        return true;
    if (!half_sum(&y->M, 1, &S) || !half_sum(&y->M, -1, &K)) {
        plait_sparse_free(&S);
        return false;
    }
    plait_sparse_free(&y->M);
    y->M = S, y->rest = K;
    return true;
}

bool plait_problem_was_half(plait_problem *p, const plait_sparse *M, bool upper)
{
    plait_dynamics *y = p->dynamics;
    double largest = 0, beside = 0;
    for (int i = 0; i < M->rows; i++)
        for (int64_t k = M->ptr[i]; k < M->ptr[i + 1]; k++) {
            largest = fmax(largest, fabs(M->val[k]));
            beside = fmax(beside, M->col[k] == i ? 0 : fabs(M->val[k]));
        }
    p->asymmetry = largest > 0 ? beside / largest : 0;
    if (!y)
        return true;
    if (!plait_sparse_copy(&y->M, &y->rest))
        return false;
    for (int i = 0; i < M->rows; i++)
        for (int64_t k = y->rest.ptr[i]; k < y->rest.ptr[i + 1]; k++)
            y->rest.val[k] = (upper ? y->rest.col[k] < i : y->rest.col[k] > i) ? -y->M.val[k] : 0;
    return true;
}

bool plait_dynamics_given(const plait_dynamics *y, plait_sparse *M)
{
    if (!y->rest.ptr)
        return plait_sparse_copy(&y->M, M);
    int64_t count = 0;
    plait_triplet *t = plait_malloc(((size_t)y->M.ptr[y->dofs] + 1) * sizeof *t);
    for (int i = 0; t && i < y->dofs; i++)
        for (int64_t k = y->M.ptr[i]; k < y->M.ptr[i + 1]; k++) {
            double value = y->M.val[k] + y->rest.val[k];
            if (value != 0 || y->M.val[k] == 0) // what was not there is not there
                t[count++] = (plait_triplet){i, y->M.col[k], value};
        }
    bool ok = t && plait_sparse_from_triplets(y->dofs, y->dofs, count, t, M);
    plait_free(t);
    return ok;
}

static double norm(const double *x, int count)
{
    double largest = 0, sum = 0;
    for (int i = 0; i < count; i++)
        largest = fmax(largest, fabs(x[i]));
    for (int i = 0; i < count && largest > 0; i++)
        sum += x[i] / largest * (x[i] / largest);
    return largest * sqrt(sum);
}

plait_status plait_dynamics_error(const plait_problem *p, const double *r, plait_team team, double *relative,
                                  plait_error *error)
{
    const plait_dynamics *y = p->dynamics;
    *relative = p->asymmetry; // a plane problem has kept no more than this
    if (!y || p->asymmetry == 0)
        return PLAIT_OK;
    int n = y->dofs;
    double *v = plait_malloc(2 * ((size_t)n + 1) * sizeof *v), *Kv = v ? v + n : NULL;
    if (!v)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d dofs", n);
    plait_status status = plait_compliance_velocity(p->compliance, y->f, r, team, v, error);
    if (status == PLAIT_OK) {
        plait_sparse_apply(&y->rest, v, Kv);
        double off = norm(Kv, n), scale = norm(y->f, n);
        for (int i = 0; i < n; i++)
            Kv[i] = 0;
        for (int i = 0; i < y->H.rows; i++)
            for (int64_t k = y->H.ptr[i]; k < y->H.ptr[i + 1]; k++)
                Kv[y->H.col[k]] += y->H.val[k] * r[i];
        scale = fmax(scale, norm(Kv, n));
        *relative = off == 0 ? 0 : off / scale;
        if (isnan(*relative))
            *relative = INFINITY;
    }
    plait_free(v);
    return status;
}
