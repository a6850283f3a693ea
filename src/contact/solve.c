// solve.c: from a problem to a judged solution: split into groups, run a solver on each, certify the whole.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <omp.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "base/pool.h"
#include "contact/compliance.h"
#include "contact/groups.h"
#include "contact/normalise.h"
#include "contact/polish.h"
#include "contact/system.h"
#include "math/sparse.h"

static bool known(plait_solver solver)
{
    return (unsigned)solver < (unsigned)plait_solver_rows;
}

// Groups up to this many contacts are solved side by side, one thread each.
enum { SMALL_GROUP = 300 };
// If one group of a large problem, or of one with a body that is dear to factorise, has more than this part of all
// contacts, the others are solved along with it: to take it out of the whole would cost its memory and its factors once
// more.
static const double MOST = 0.7;
enum { LARGE_PROBLEM = 1000 };

const char *plait_solver_name(plait_solver solver)
{
    return known(solver) ? plait_solver_table[solver].name : "unknown";
}

plait_solver plait_solver_find(const char *name)
{
    int i = 0;
    while (i < PLAIT_SOLVER_COUNT && strcmp(name, plait_solver_table[i].name) != 0)
        i++;
    return (plait_solver)i;
}

plait_solve_options plait_default_solve_options(void)
{
    return (plait_solve_options){
        .solver = PLAIT_SOLVER_AUTO,
        .local = PLAIT_LOCAL_SECULAR,
        .enum_failsafe = true,
        .freeze = true,
        .anderson = -1,
        .tol = 1e-6,
        .local_tol = 1e-10,
    };
}

static plait_status check_options(const plait_problem *p, const plait_solve_options *o, const plait_solution *s,
                                  plait_error *error)
{
    if (!known(o->solver) || (unsigned)o->local >= PLAIT_LOCAL_COUNT)
        return plait_error_set(error, PLAIT_BAD_INPUT, "unknown solver %d or local solver %d", o->solver, o->local);
    if (!(o->tol > 0) || !(o->local_tol > 0))
        return plait_error_set(error, PLAIT_BAD_INPUT, "tol is %g and local_tol %g: expected positive numbers", o->tol,
                               o->local_tol);
    if (s->n != p->n)
        return plait_error_set(error, PLAIT_BAD_INPUT, "the solution has %d contacts, the problem %d", s->n, p->n);
    for (int i = 0; i < 3 * p->n; i++)
        if (!isfinite(s->r[i]))
            return plait_error_set(error, PLAIT_BAD_INPUT, "the initial guess r[%d] is %g: expected a finite number", i,
                                   s->r[i]);
    return PLAIT_OK;
}

static double norm(const double *x, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

typedef struct run {
    const plait_problem *p;
    const plait_solve_options *options;
    const plait_groups *groups;
    plait_solution *s;
    plait_stop *stop;
    double start, norm_b;
} run;

typedef struct group_result {
    plait_status status;
    plait_error error;
    plait_outcome outcome;
    bool stopped;
    double seconds_setup, work;
} group_result;

// Shares that add up to the whole: sum of squares <= (tol |b|)^2; a little less, since rounding differs.
static double group_target(const run *x, int contacts)
{
    return 0.99 * x->options->tol * x->norm_b * sqrt((double)contacts / x->p->n);
}

// Starts from the guess only if it is better than nothing.
static void choose_start(plait_system *sys, double *r, double *u)
{
    size_t bytes = 3 * (size_t)sys->n * sizeof *r;
    if (norm(r, 3 * (int64_t)sys->n) == 0)
        return;
    plait_system_apply(sys, r, u);
    if (!(plait_system_residual(sys, r, u) < plait_system_residual(sys, sys->zero, sys->b)))
        memset(r, 0, bytes);
}

// A contact that is coupled to nothing needs no iteration. False if its solver did not reach the target.
static bool solve_alone(const run *x, int i, group_result *out)
{
    const plait_solve_options *o = x->options;
    const double *W = x->p->W ? x->p->W->val + 9 * plait_block_matrix_find(x->p->W, i, i)
                              : x->p->compliance->diagonal + 9 * (int64_t)i,
                 *b = x->p->b + 3 * (int64_t)i;
    double r[3] = {0, 0, 0}, F[3], u[3];
    plait_laws laws = plait_problem_laws(x->p);
    plait_local_task task = {plait_local_lookup(o->local), o->enum_failsafe, o->local_tol};
    plait_law_solve(&laws, i, &task, W, b, r, &out->outcome.local);
    for (int a = 0; a < 3; a++)
        u[a] = b[a] + W[3 * a] * r[0] + W[3 * a + 1] * r[1] + W[3 * a + 2] * r[2];
    plait_law_residual(&laws, i, x->p->trace[i] / 3, r, u, F);
    if (!(norm(F, 3) <= group_target(x, 1)))
        return false;
    memcpy(x->s->r + 3 * (int64_t)i, r, sizeof r);
    out->outcome.iterations = 1;
    out->outcome.name = o->solver == PLAIT_SOLVER_AUTO ? "auto:gs" : plait_solver_name(o->solver);
    return true;
}

static void solve_group(const run *x, int group, plait_team team, int *dof_place, group_result *out)
{
    out->stopped = plait_stop_now(x->stop);
    if (out->stopped)
        return;
    if (x->groups->ptr[group + 1] - x->groups->ptr[group] == 1 &&
        solve_alone(x, x->groups->contact[x->groups->ptr[group]], out))
        return;
    double begin = plait_clock_wall();
    const plait_groups *g = x->groups;
    int n = g->ptr[group + 1] - g->ptr[group];
    const int *list = g->contact + g->ptr[group];
    plait_solve_options options = *x->options;
    options.threads = team.threads;
    plait_problem *own = g->count > 1 ? plait_groups_extract(g, group, x->p, dof_place, team, &out->error) : NULL;
    const plait_problem *p = g->count > 1 ? own : x->p;
    plait_system *sys = p ? plait_system_new(p, &options, &out->error) : NULL;
    double *r = plait_malloc((6 * (size_t)n + 1) * sizeof *r), *u = r + 3 * (size_t)n;
    bool ok = sys && r;
    if (ok) {
        sys->start = x->start, sys->norm_b = x->norm_b, sys->name = plait_solver_table[options.solver].name;
        sys->stop = x->stop, sys->team.ranks = team.ranks;
        sys->target = group_target(x, n);
        for (int i = 0; i < n; i++)
            memcpy(r + 3 * i, x->s->r + 3 * (int64_t)list[i], 3 * sizeof *r);
        choose_start(sys, r, u);
        out->seconds_setup = plait_clock_wall() - begin;
        int limit = options.max_iterations > 0 ? options.max_iterations : plait_solver_table[options.solver].most;
        ok = plait_solver_table[options.solver].solve(sys, limit, r, u, &out->outcome) && !sys->no_memory;
        out->stopped = sys->stopped || plait_stop_now(x->stop);
        out->work = sys->work;
        for (int i = 0; (ok || out->stopped) && i < n; i++)
            memcpy(x->s->r + 3 * (int64_t)list[i], r + 3 * i, 3 * sizeof *r);
        ok |= out->stopped; // before there was anything: it leaves what it was given
    }
    if (!ok && out->error.status == PLAIT_OK && sys && sys->wanted > 0)
        plait_error_set(&out->error, PLAIT_NO_MEMORY, "no memory for a group of %d contacts: its factor takes %.1f GB",
                        n, 1e-9 * sys->wanted);
    else if (!ok && out->error.status == PLAIT_OK)
        plait_error_set(&out->error, PLAIT_NO_MEMORY, "no memory for a group of %d contacts", n);
    out->status = ok ? PLAIT_OK : out->error.status;
    plait_system_free(sys), plait_problem_free(own), plait_free(r);
}

// What extraction needs, one for each thread; NULL: it does without.
static int *new_places(const plait_problem *p, plait_team team)
{
    if (!p->dynamics)
        return NULL;
    size_t size = ((size_t)p->dynamics->dofs + 1) * (size_t)team.threads * sizeof(int);
    int *place = plait_malloc(size);
    if (place)
        memset(place, -1, size);
    return place;
}

static plait_status solve_groups(const run *x, plait_report *report, plait_error *error)
{
    const plait_groups *g = x->groups;
    group_result *results = plait_calloc((size_t)g->count + 1, sizeof *results);
    if (!results)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d groups", g->count);
    plait_team team = plait_team_of(x->options->threads);
    int large = 0;
    while (large < g->count && g->ptr[large + 1] - g->ptr[large] > SMALL_GROUP)
        large++;
    // The smallest first: a large one may take all the time that there is.
    int *place = new_places(x->p, team), stride = x->p->dynamics ? x->p->dynamics->dofs + 1 : 0;
    if (team.threads == 1 || g->count - large < 2) {
        for (int k = g->count - 1; k >= large; k--)
            solve_group(x, k, PLAIT_ALONE, place, &results[k]);
    } else {
        plait_pool *pool = plait_pool_current();
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads)
        for (int k = g->count - 1; k >= large; k--) {
            plait_pool *before = plait_pool_enter(pool);
            solve_group(x, k, PLAIT_ALONE, place ? place + (size_t)stride * (size_t)omp_get_thread_num() : NULL,
                        &results[k]);
            plait_pool_enter(before);
        }
    }
    for (int k = large - 1; k >= 0; k--)
        solve_group(x, k, team, place, &results[k]);
    plait_free(place);
    plait_status status = PLAIT_OK;
    for (int k = 0; k < g->count; k++) {
        const group_result *one = &results[k];
        if (one->status != PLAIT_OK && status == PLAIT_OK)
            status = plait_error_set(error, one->status, "%s", one->error.text);
        report->stopped |= one->stopped;
        report->seconds_assemble += one->seconds_setup, report->work += one->work;
        report->local_calls += one->outcome.local.calls;
        report->local_alt += one->outcome.local.alt, report->local_fail += one->outcome.local.fail;
    }
    if (g->count > 0) {
        report->iterations = results[0].outcome.iterations;
        if (results[0].outcome.name)
            report->solver = results[0].outcome.name;
    }
    plait_free(results);
    return status;
}

static void join_groups(plait_groups *g, int n)
{
    g->count = 1, g->largest = n;
    g->ptr[1] = n;
    for (int i = 0; i < n; i++)
        g->contact[i] = g->place[i] = i;
}

// Splits and solves x->p, whose numbers are ordinary, from and to x->s->r.
static plait_status solve_ordinary(run *x, plait_report *report, plait_error *error)
{
    const plait_problem *p = x->p;
    plait_laws laws = plait_problem_laws(p);
    double b = norm(p->b, 3 * (int64_t)p->n), asked = plait_law_asked(&laws, p->n);
    x->norm_b = asked > 0 ? sqrt(b * b + asked) : b;
    plait_groups *groups = plait_groups_new(p, x->stop, error);
    if (!groups) {
        report->stopped = plait_stop_now(x->stop);
        return report->stopped ? PLAIT_OK : PLAIT_NO_MEMORY;
    }
    x->groups = groups;
    report->groups = groups->count, report->largest_group = groups->largest;
    if (p->compliance && !p->W && (p->n > LARGE_PROBLEM || plait_compliance_heavy(p->compliance)) &&
        groups->largest > MOST * p->n)
        join_groups(groups, p->n);
    plait_status status = PLAIT_OK;
    if (x->norm_b == 0)
        memset(x->s->r, 0, 3 * (size_t)p->n * sizeof *x->s->r);
    else
        status = solve_groups(x, report, error);
    plait_groups_free(groups);
    return status;
}

// The same for one whose numbers are not.
static plait_status solve_scaled(run *x, const plait_scaling *k, plait_report *report, plait_error *error)
{
    const plait_problem *p = x->p;
    plait_solution *s = x->s, *t = plait_solution_new(p->n);
    plait_problem *q = t ? plait_problem_scaled(p, k, error) : NULL;
    plait_status status = PLAIT_OK;
    if (!t)
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory to scale a problem of %d contacts", p->n);
    else if (!q)
        status = error && error->status != PLAIT_OK ? error->status : PLAIT_NO_MEMORY;
    if (status == PLAIT_OK) {
        plait_scaling_enter(k, s->r, 3 * (int64_t)p->n, t->r);
        x->p = q, x->s = t;
        status = solve_ordinary(x, report, error);
        x->p = p, x->s = s;
    }
    if (status == PLAIT_OK)
        status = plait_scaling_leave(k, t->r, 3 * (int64_t)p->n, s->r, error);
    plait_problem_free(q), plait_solution_free(t);
    return status;
}

plait_status plait_problem_solve(const plait_problem *p, const plait_solve_options *options, plait_solution *s,
                                 plait_report *report, plait_error *error)
{
    plait_stop stop;
    run x = {.p = p, .options = options, .s = s, .start = plait_clock_wall(), .stop = &stop};
    *report = (plait_report){.solver = plait_solver_name(options->solver)};
    plait_status status = check_options(p, options, s, error);
    if (status != PLAIT_OK)
        return status;
    plait_stop_start(&stop, options->stop, options->stop_data, options->max_time,
                     plait_team_of(options->threads).threads == 1);
    plait_scaling k = plait_scaling_of(p);
    status = plait_scaling_trivial(&k) ? solve_ordinary(&x, report, error) : solve_scaled(&x, &k, report, error);
    report->seconds_solve = plait_clock_wall() - x.start;
    if (status == PLAIT_OK)
        status = plait_problem_velocities_by(p, s->r, plait_team_of(options->threads), s->u, error);
    if (status == PLAIT_OK)
        status = plait_problem_certify_by(p, s, plait_team_of(options->threads), &report->certificate, error);
    if (status == PLAIT_OK && options->smallest && report->certificate.residual_rel <= options->tol) {
        bool better;
        status = plait_problem_smallest(p, options, s, &report->certificate, &better, error);
    }
    report->converged = status == PLAIT_OK && report->certificate.residual_rel <= options->tol &&
                        report->certificate.dynamics <= options->tol;
    report->seconds_total = plait_clock_wall() - x.start;
    return status;
}
