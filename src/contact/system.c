#include "contact/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "math/sparse.h"

enum {
    MANY_PRODUCTS = 20, // after these, matrices of bodies are worth their making
    FEW_CONTACTS = 500, // look at the stop less often
    SELDOM = 16
};

plait_system *plait_system_new(const plait_problem *p, const plait_solve_options *options, plait_error *error)
{
    plait_system *sys = calloc(1, sizeof *sys);
    size_t n = (size_t)p->n + 1;
    if (sys) {
        sys->n = p->n, sys->threads = plait_parallel_threads(options->threads);
        sys->problem = p, sys->b = p->b;
        sys->laws = plait_problem_laws(p);
        sys->local = (plait_local_task){plait_local_lookup(options->local), options->enum_failsafe, options->local_tol};
        sys->W = p->W, sys->compliance = p->compliance;
        sys->options = options;
        sys->zero = calloc(3 * n, sizeof *sys->zero);
        sys->s = malloc(n * sizeof *sys->s);
        sys->diagonal = malloc(9 * n * sizeof *sys->diagonal);
        if (sys->compliance)
            sys->scratch = plait_compliance_scratch_new(sys->compliance, sys->threads);
    }
    if (!sys || !sys->s || !sys->zero || !sys->diagonal || (sys->compliance && !sys->scratch)) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a group of %d contacts", p->n);
        plait_system_free(sys);
        return NULL;
    }
    if (p->W) {
        for (int i = 0; i < p->n; i++)
            memcpy(sys->diagonal + 9 * (int64_t)i, p->W->val + 9 * plait_block_matrix_find(p->W, i, i),
                   9 * sizeof(double));
    } else {
        memcpy(sys->diagonal, p->compliance->diagonal, 9 * (size_t)p->n * sizeof *sys->diagonal);
    }
    sys->traffic = p->compliance ? plait_compliance_traffic(p->compliance) : INFINITY;
    for (int i = 0; i < p->n; i++)
        sys->s[i] = p->trace[i] > 0 ? p->trace[i] / 3 : 1;
    return sys;
}

void plait_system_free(plait_system *sys)
{
    if (!sys)
        return;
    plait_compliance_scratch_free(sys->scratch), plait_block_matrix_free(sys->own_W);
    free(sys->zero), free(sys->s), free(sys->diagonal), free(sys);
}

bool plait_system_need_W(plait_system *sys)
{
    if (!sys->W)
        sys->W = sys->own_W = plait_compliance_assemble(sys->compliance, sys->threads, sys->stop, NULL);
    return sys->W != NULL;
}

static void block_apply(const plait_block_matrix *W, int threads, const double *r, const double *b, double *u)
{
#pragma omp parallel for schedule(static) num_threads(threads) if (threads > 1 && W->ptr[W->n] > 20000)
    for (int i = 0; i < W->n; i++) {
        double u0 = b[3 * i], u1 = b[3 * i + 1], u2 = b[3 * i + 2];
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++) {
            const double *B = W->val + 9 * k, *x = r + 3 * (int64_t)W->col[k];
            u0 += B[0] * x[0] + B[1] * x[1] + B[2] * x[2];
            u1 += B[3] * x[0] + B[4] * x[1] + B[5] * x[2];
            u2 += B[6] * x[0] + B[7] * x[1] + B[8] * x[2];
        }
        u[3 * i] = u0, u[3 * i + 1] = u1, u[3 * i + 2] = u2;
    }
}

void plait_system_apply(plait_system *sys, const double *r, double *u)
{
    // A group without W has dynamics. With both, the factored form is taken unless W is smaller.
    if (sys->compliance && (!sys->W || sys->traffic < 76.0 * (double)sys->W->ptr[sys->n])) {
        if (++sys->products == MANY_PRODUCTS)
            plait_compliance_densify(sys->compliance, sys->scratch);
        plait_compliance_apply(sys->compliance, r, sys->b, sys->scratch, u);
        sys->no_memory |= sys->scratch->no_memory;
    } else {
        block_apply(sys->W, sys->threads, r, sys->b, u);
    }
}

void plait_system_multiply(plait_system *sys, const double *x, double *y)
{
    const double *b = sys->b;
    sys->b = sys->zero;
    plait_system_apply(sys, x, y);
    sys->b = b;
}

typedef struct residual_data {
    const plait_system *sys;
    const double *r, *u;
} residual_data;

static double residual_part(int64_t begin, int64_t end, const void *data)
{
    const residual_data *d = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        double F[3];
        plait_law_residual(&d->sys->laws, i, d->sys->problem->trace[i] / 3, d->r + 3 * i, d->u + 3 * i, F);
        sum += F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
    }
    return sum;
}

double plait_system_residual(const plait_system *sys, const double *r, const double *u)
{
    residual_data d = {sys, r, u};
    double sum = plait_parallel_sum(sys->n, sys->threads, residual_part, &d);
    return isnan(sum) ? INFINITY : sqrt(sum);
}

bool plait_system_stopped(plait_system *sys)
{
    // A clock costs as much as an iteration of a few contacts.
    if (!sys->stopped && (sys->n > FEW_CONTACTS || sys->looks++ % SELDOM == 0))
        sys->stopped = plait_stop_now(sys->stop);
    return sys->stopped;
}

bool plait_system_tick(plait_system *sys, int iterations, double residual)
{
    if (!plait_system_stopped(sys) && sys->options->progress) {
        plait_progress p = {sys->name, iterations, residual / sys->norm_b, plait_clock_wall() - sys->start};
        sys->stopped = !sys->options->progress(&p, sys->options->progress_data);
        if (sys->stopped && sys->stop)
            atomic_store_explicit(&sys->stop->now, true, memory_order_relaxed);
    }
    return sys->stopped || sys->no_memory;
}
