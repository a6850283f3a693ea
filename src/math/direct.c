#include "math/direct.h"

#include <dmumps_c.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "base/clock.h"
#include "base/pool.h"
#include "math/blas.h"

enum { JOB_INIT = -1, JOB_END = -2, JOB_ANALYSE = 1, JOB_FACTORISE = 2, JOB_SOLVE = 3 };
// The world of a program without MPI; plait-mpi says that it is this process alone.
static int communicator = -987654;

void plait_direct_set_communicator(int fortran)
{
    communicator = fortran;
}
enum { LARGE = 5000 };        // rows from which a job gets a thread of its own, so that one need not wait for its end
enum { LOOK = 50 * 1000000 }; // [ns] from one look at the stop to the next

struct plait_direct {
    DMUMPS_STRUC_C mumps;
    bool lower_only;
    plait_stop *stop;
    // The job that runs in a thread of its own. Who comes last of owner and worker frees all of this.
    pthread_mutex_t lock;
    pthread_cond_t ended;
    pthread_t worker;
    int job;
    bool busy, left; // left: the owner has gone, or will get no more out of it
    double spent;    // CPU seconds of the last job
    bool no_memory;  // the last job failed for lack of it
};

// INFOG(1): singular in structure or in numbers, not positive definite; the work space was too small.
enum { SINGULAR = -6, SINGULAR_NUMBERS = -10, NOT_POSITIVE = -40, SMALL_INTEGERS = -8, SMALL_REALS = -9 };

// MUMPS' interface keeps a table of instances that is not protected.
static pthread_mutex_t mumps_lock = PTHREAD_MUTEX_INITIALIZER;

static struct timespec soon(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_nsec += LOOK;
    t.tv_sec += t.tv_nsec / 1000000000, t.tv_nsec %= 1000000000;
    return t;
}

// False: stopped while another instance, perhaps one that nobody waits for any more, was at work.
static bool run_here(plait_direct *d, int job, plait_stop *stop)
{
    struct timespec t = soon();
    while (pthread_mutex_timedlock(&mumps_lock, &t) != 0) {
        if (plait_stop_now(stop))
            return false;
        t = soon();
    }
    plait_blas_serial_begin();
    d->mumps.job = job;
    dmumps_c(&d->mumps);
    plait_blas_serial_end();
    int code = d->mumps.infog[0]; // whatever does not speak of A speaks of memory
    d->no_memory = code < 0 && code != SINGULAR && code != SINGULAR_NUMBERS && code != NOT_POSITIVE;
    pthread_mutex_unlock(&mumps_lock);
    return true;
}

static void destroy(plait_direct *d)
{
    run_here(d, JOB_END, NULL);
    pthread_mutex_destroy(&d->lock), pthread_cond_destroy(&d->ended);
    plait_free(d->mumps.irn), plait_free(d->mumps.jcn), plait_free(d->mumps.a), plait_free(d);
}

static void *work(void *data)
{
    plait_direct *d = data;
    run_here(d, d->job, NULL);
    pthread_mutex_lock(&d->lock);
    bool left = d->left;
    d->busy = false, d->spent = plait_clock_thread();
    pthread_cond_signal(&d->ended);
    pthread_mutex_unlock(&d->lock);
    if (left)
        destroy(d);
    return NULL;
}

static double spent_so_far(const plait_direct *d)
{
    clockid_t id;
    return pthread_getcpuclockid(d->worker, &id) == 0 ? plait_clock_read(id) : 0;
}

// Waits for a job in a thread of its own, or until it is to stop; false then, and nothing else may be done with d but
// to free it.
static bool run_aside(plait_direct *d, int job)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_mutex_lock(&d->lock);
    d->job = job, d->busy = true;
    bool started = pthread_create(&d->worker, &attributes, work, d) == 0;
    while (started && d->busy && !d->left) {
        struct timespec t = soon();
        pthread_cond_timedwait(&d->ended, &d->lock, &t);
        d->left = d->busy && plait_stop_helped(d->stop, spent_so_far(d));
    }
    d->busy = started && d->busy;
    bool left = d->left;
    if (started && !left)
        d->stop->helped += d->spent;
    pthread_mutex_unlock(&d->lock);
    pthread_attr_destroy(&attributes);
    return !left && (started || run_here(d, job, d->stop));
}

static bool run(plait_direct *d, int job)
{
    if (d->left)
        return false;
    return d->stop && d->mumps.n >= LARGE && job != JOB_SOLVE ? run_aside(d, job) : run_here(d, job, d->stop);
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
    m->irn = plait_malloc(entries * sizeof *m->irn);
    m->jcn = plait_malloc(entries * sizeof *m->jcn);
    m->a = plait_malloc(entries * sizeof *m->a);
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

// ICNTL(7). METIS and SCOTCH give another order each time.
typedef enum ordering { MINIMUM_FILL = 2, PORD = 4 } ordering;

static plait_direct *analysed(plait_direct_kind kind, ordering order, const plait_sparse *A, plait_stop *stop,
                              plait_error *error)
{
    plait_direct *d = plait_calloc(1, sizeof *d);
    if (!d) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a sparse factorisation");
        return NULL;
    }
    d->lower_only = kind != PLAIT_DIRECT_GENERAL;
    d->mumps.par = 1;
    d->mumps.sym = (int)kind;
    d->mumps.comm_fortran = communicator;
    d->stop = stop;
    pthread_mutex_init(&d->lock, NULL), pthread_cond_init(&d->ended, NULL);
    run_here(d, JOB_INIT, NULL);
    if (d->mumps.infog[0] < 0) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a sparse factorisation (code %d)", d->mumps.infog[0]);
        pthread_mutex_destroy(&d->lock), pthread_cond_destroy(&d->ended), plait_free(d);
        return NULL;
    }
    for (int i = 0; i < 4; i++) // no messages: ICNTL(1..4)
        d->mumps.icntl[i] = i == 3 ? 0 : -1;
    d->mumps.icntl[13] = 40; // ICNTL(14): room for pivoting, %
    d->mumps.icntl[15] = 1;  // ICNTL(16): one thread
    d->mumps.icntl[6] = order;
    // ICNTL(8): scaled by the diagonal; iterated scaling takes an eighth of the time
    d->mumps.icntl[7] = kind == PLAIT_DIRECT_SYMMETRIC ? 0 : 1;
    d->mumps.icntl[5] = 0;   // ICNTL(6): no column permutation, our patterns are symmetric
    if (!copy_pattern(d, A)) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a sparse matrix of %lld entries",
                        (long long)A->ptr[A->rows]);
        plait_direct_free(d);
        return NULL;
    }
    copy_values(d, A, d->mumps.a);
    bool ran = run(d, JOB_ANALYSE);
    if (!ran || d->mumps.infog[0] < 0) {
        if (ran)
            plait_error_set(error, PLAIT_NO_MEMORY, "analysis of a sparse matrix failed (code %d)", d->mumps.infog[0]);
        else
            plait_error_set(error, PLAIT_NO_MEMORY, "the analysis of a sparse matrix was stopped");
        plait_direct_free(d);
        return NULL;
    }
    return d;
}

plait_direct *plait_direct_new(plait_direct_kind kind, const plait_sparse *A, plait_stop *stop, plait_error *error)
{
    return analysed(kind, MINIMUM_FILL, A, stop, error);
}

void plait_direct_free(plait_direct *d)
{
    if (!d)
        return;
    pthread_mutex_lock(&d->lock);
    bool busy = d->busy;
    d->left = true;
    pthread_mutex_unlock(&d->lock);
    if (!busy)
        destroy(d);
}

bool plait_direct_factorise(plait_direct *d, const plait_sparse *A)
{
    if (d->left)
        return false;
    copy_values(d, A, d->mumps.a);
    for (int tries = 0; tries < 4; tries++) {
        if (!run(d, JOB_FACTORISE))
            return false;
        if (d->mumps.infog[0] >= 0)
            return d->mumps.infog[11] == 0 || d->mumps.sym != 1; // INFOG(12): negative pivots
        if (d->mumps.infog[0] != SMALL_INTEGERS && d->mumps.infog[0] != SMALL_REALS)
            return false;
        d->mumps.icntl[13] *= 3; // the estimate of the work space was too small
    }
    return false;
}

bool plait_direct_solve(plait_direct *d, int count, double *x)
{
    if (d->left)
        return false;
    d->mumps.rhs = x;
    d->mumps.nrhs = count;
    d->mumps.lrhs = d->mumps.n;
    bool ran = run(d, JOB_SOLVE);
    d->mumps.rhs = NULL;
    return ran && d->mumps.infog[0] >= 0;
}

bool plait_direct_order(const plait_sparse *lower, int *position, plait_error *error)
{
    if (lower->rows == 1) {
        position[0] = 0;
        return true;
    }
    // Separators win on blocks and sheets, minimum fill on what is long: the one with less work.
    static const ordering orders[] = {MINIMUM_FILL, PORD};
    double least = INFINITY;
    for (int k = 0; k < 2; k++) {
        plait_direct *d = analysed(PLAIT_DIRECT_POSITIVE, orders[k], lower, NULL, error);
        if (!d)
            return false;
        bool better = plait_direct_flops(d) < least;
        least = better ? plait_direct_flops(d) : least;
        for (int i = 0; better && i < lower->rows; i++)
            position[i] = d->mumps.sym_perm[i] - 1;
        plait_direct_free(d);
    }
    return true;
}

int plait_direct_negative(const plait_direct *d)
{
    return d->mumps.infog[11];
}

bool plait_direct_no_memory(const plait_direct *d)
{
    return !d->left && d->no_memory; // what was left alone has another reason
}

double plait_direct_entries(const plait_direct *d)
{
    int e = d->mumps.infog[2]; // INFOG(3): negative means millions
    return e < 0 ? -1e6 * e : e;
}

double plait_direct_bytes(const plait_direct *d)
{
    return 1e6 * d->mumps.infog[15]; // INFOG(16): in millions
}

double plait_direct_flops(const plait_direct *d)
{
    return d->mumps.rinfog[0];
}
