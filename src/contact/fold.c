// fold.c: bonds as part of the dynamics: the same problem for those who know Coulomb's law alone.
//
// With rho = r + K u + c in C(mu'), u = H v + w and M v = f + H^T r:
//     (M + H^T K H) v = f - H^T (K w + c) + H^T rho
// which is a problem in rho. Bodies that are bonded to each other become one block of M.
#include "base/pool.h"
#include "contact/law.h"
#include "math/sparse.h"
#include "plait/contact.h"

// Entries of M + H^T K H as triplets; returns how many. to NULL: only counts.
static int64_t gather(const plait_dynamics *y, const double *K, plait_triplet *to)
{
    int64_t count = 0;
    for (int i = 0; i < y->dofs; i++)
        for (int64_t k = y->M.ptr[i]; k < y->M.ptr[i + 1]; k++, count++)
            if (to)
                to[count] = (plait_triplet){i, y->M.col[k], y->M.val[k]};
    for (int row = 0; row < y->H.rows; row++)
        for (int64_t a = y->H.ptr[row]; K[row] != 0 && a < y->H.ptr[row + 1]; a++)
            for (int64_t b = y->H.ptr[row]; b < y->H.ptr[row + 1]; b++, count++)
                if (to)
                    to[count] = (plait_triplet){y->H.col[a], y->H.col[b], K[row] * y->H.val[a] * y->H.val[b]};
    return count;
}

// K, K w + c and mu' of all contacts. False: a law is of another kind.
static bool take_cones(const plait_problem *p, double *K, double *pull, double *mu)
{
    plait_laws laws = plait_problem_laws(p);
    for (int i = 0; i < p->n; i++) {
        plait_law_cone cone;
        if (!plait_law_get_cone(&laws, i, &cone))
            return false;
        mu[i] = cone.mu;
        for (int a = 0; a < 3; a++) {
            K[3 * i + a] = cone.K[a];
            pull[3 * i + a] = cone.K[a] * p->dynamics->w[3 * i + a] + cone.c[a];
        }
    }
    return true;
}

static plait_problem *fold(const plait_problem *p, double *scratch, plait_error *error)
{
    const plait_dynamics *y = p->dynamics;
    size_t n = (size_t)p->n;
    double *K = scratch, *pull = K + 3 * n, *mu = pull + 3 * n, *f = mu + n;
    if (!take_cones(p, K, pull, mu)) {
        plait_error_set(error, PLAIT_BAD_INPUT, "the problem has ties or laws that are not Coulomb's on other data");
        return NULL;
    }
    for (int i = 0; i < y->dofs; i++)
        f[i] = y->f[i];
    for (int row = 0; row < y->H.rows; row++)
        for (int64_t k = y->H.ptr[row]; k < y->H.ptr[row + 1]; k++)
            f[y->H.col[k]] -= y->H.val[k] * pull[row];
    int64_t count = gather(y, K, NULL);
    plait_triplet *entries = plait_malloc(((size_t)count + 1) * sizeof *entries);
    plait_sparse M = {0};
    bool ok = entries != NULL;
    if (ok) {
        gather(y, K, entries);
        ok = plait_sparse_from_triplets(y->dofs, y->dofs, count, entries, &M);
    }
    plait_free(entries);
    if (!ok) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", p->n);
        return NULL;
    }
    plait_problem *q = plait_problem_from_dynamics(3, p->n, &M, &y->H, f, y->w, mu, error);
    plait_sparse_free(&M);
    return q;
}

plait_problem *plait_problem_fold_bonds(const plait_problem *p, plait_error *error)
{
    if (!p->dynamics || !p->dynamics->M.ptr || !p->dynamics->H.ptr || p->dimension != 3) {
        plait_error_set(error, PLAIT_BAD_INPUT, "bonds become part of M, but M and H are not known here");
        return NULL;
    }
    double *scratch = plait_malloc((7 * (size_t)p->n + (size_t)p->dynamics->dofs + 1) * sizeof *scratch);
    plait_problem *q = NULL;
    if (scratch)
        q = fold(p, scratch, error);
    else
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", p->n);
    plait_free(scratch);
    return q;
}
