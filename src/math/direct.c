#include "math/direct.h"

#include <dmumps_c.h>
#include <pthread.h>
#include <stdlib.h>

#include "math/blas.h"

struct plait_direct {
    DMUMPS_STRUC_C mumps;
    bool lower_only;
};

enum { JOB_INIT = -1, JOB_END = -2, JOB_ANALYSE = 1, JOB_FACTORISE = 2, JOB_SOLVE = 3 };
enum { USE_COMM_WORLD = -987654 };

// MUMPS' interface keeps a table of instances that is not protected.
static pthread_mutex_t mumps_lock = PTHREAD_MUTEX_INITIALIZER;

static void run(plait_direct *d, int job)
{
    pthread_mutex_lock(&mumps_lock);
    plait_blas_serial_begin();
    d->mumps.job = job;
    dmumps_c(&d->mumps);
    plait_blas_serial_end();
    pthread_mutex_unlock(&mumps_lock);
}

static int64_t copy_values(const plait_direct *d, const plait_sparse *A, double *val)
{
    int64_t count = 0;
    for (int i = 0; i < A->rows; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            if (!d->lower_only || A->col[k] <= i)
                val[count++] = A->val[k];
    return count;
}

static bool copy_pattern(plait_direct *d, const plait_sparse *A)
{
    size_t entries = (size_t)A->ptr[A->rows] + 1;
    DMUMPS_STRUC_C *m = &d->mumps;
    m->irn = malloc(entries * sizeof *m->irn);
    m->jcn = malloc(entries * sizeof *m->jcn);
    m->a = malloc(entries * sizeof *m->a);
    if (!m->irn || !m->jcn || !m->a)
        return false;
    m->n = A->rows;
    m->nnz = 0;
    for (int i = 0; i < A->rows; i++)
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            if (!d->lower_only || A->col[k] <= i) {
                m->irn[m->nnz] = i + 1, m->jcn[m->nnz] = A->col[k] + 1;
                m->nnz++;
            }
    return true;
}

plait_direct *plait_direct_new(plait_direct_kind kind, const plait_sparse *A, plait_error *error)
{
    plait_direct *d = calloc(1, sizeof *d);
    if (!d) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a sparse factorisation");
        return NULL;
    }
    d->lower_only = kind == PLAIT_DIRECT_POSITIVE;
    d->mumps.par = 1;
    d->mumps.sym = kind == PLAIT_DIRECT_POSITIVE ? 1 : 0;
    d->mumps.comm_fortran = USE_COMM_WORLD;
    run(d, JOB_INIT);
    for (int i = 0; i < 4; i++) // no messages: ICNTL(1..4)
        d->mumps.icntl[i] = i == 3 ? 0 : -1;
    d->mumps.icntl[13] = 40; // ICNTL(14): room for pivoting, %
    d->mumps.icntl[15] = 1;  // ICNTL(16): one thread
    d->mumps.icntl[6] = 2;   // ICNTL(7): approximate minimum fill; METIS and SCOTCH give another order each time
    d->mumps.icntl[5] = 0;   // ICNTL(6): no column permutation, our patterns are symmetric
    if (!copy_pattern(d, A)) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a sparse matrix of %lld entries",
                        (long long)A->ptr[A->rows]);
        plait_direct_free(d);
        return NULL;
    }
    copy_values(d, A, d->mumps.a);
    run(d, JOB_ANALYSE);
    if (d->mumps.infog[0] < 0) {
        plait_error_set(error, PLAIT_NO_MEMORY, "analysis of a sparse matrix failed (code %d)", d->mumps.infog[0]);
        plait_direct_free(d);
        return NULL;
    }
    return d;
}

void plait_direct_free(plait_direct *d)
{
    if (!d)
        return;
    run(d, JOB_END);
    free(d->mumps.irn), free(d->mumps.jcn), free(d->mumps.a), free(d);
}

bool plait_direct_factorise(plait_direct *d, const plait_sparse *A)
{
    copy_values(d, A, d->mumps.a);
    for (int tries = 0; tries < 4; tries++) {
        run(d, JOB_FACTORISE);
        if (d->mumps.infog[0] >= 0)
            return d->mumps.infog[11] == 0 || d->mumps.sym != 1; // INFOG(12): negative pivots
        if (d->mumps.infog[0] != -8 && d->mumps.infog[0] != -9)
            return false;
        d->mumps.icntl[13] *= 3; // the estimate of the work space was too small
    }
    return false;
}

bool plait_direct_solve(plait_direct *d, int count, double *x)
{
    d->mumps.rhs = x;
    d->mumps.nrhs = count;
    d->mumps.lrhs = d->mumps.n;
    run(d, JOB_SOLVE);
    d->mumps.rhs = NULL;
    return d->mumps.infog[0] >= 0;
}

bool plait_direct_order(const plait_sparse *lower, int *position, plait_error *error)
{
    if (lower->rows == 1) {
        position[0] = 0;
        return true;
    }
    plait_direct *d = plait_direct_new(PLAIT_DIRECT_POSITIVE, lower, error);
    for (int i = 0; d && i < lower->rows; i++)
        position[i] = d->mumps.sym_perm[i] - 1;
    plait_direct_free(d);
    return d != NULL;
}

double plait_direct_entries(const plait_direct *d)
{
    int e = d->mumps.infog[2]; // INFOG(3): negative means millions
    return e < 0 ? -1e6 * e : e;
}

double plait_direct_flops(const plait_direct *d)
{
    return d->mumps.rinfog[0];
}
