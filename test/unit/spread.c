// Groups of contacts over ranks: the same bits as one process has, for any number of ranks. Ranks are threads here that
// exchange numbers through memory; mpi/ranks.c does it between processes (test/cli/mpi.sh).
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/ranks.h"
#include "check.h"
#include "contact/compliance.h"
#include "contact/spread.h"
#include "plait/generate.h"
#include "plait/plait.h"

enum { MOST = 5 };

// One message at a time from each rank to each other.
typedef struct place {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    const void *what[MOST][MOST]; // NULL: nothing waits
    int told, at;                 // ranks at a common point, how many such points there were
    double *table;
} place;

static void send_to(plait_ranks *x, int to, const void *what, size_t bytes)
{
    place *p = x->data;
    if (bytes == 0)
        return;
    pthread_mutex_lock(&p->mutex);
    p->what[x->rank][to] = what;
    pthread_cond_broadcast(&p->changed);
    while (p->what[x->rank][to])
        pthread_cond_wait(&p->changed, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

static void receive_from(plait_ranks *x, int from, void *what, size_t bytes)
{
    place *p = x->data;
    if (bytes == 0)
        return;
    pthread_mutex_lock(&p->mutex);
    while (!p->what[from][x->rank])
        pthread_cond_wait(&p->changed, &p->mutex);
    memcpy(what, p->what[from][x->rank], bytes);
    p->what[from][x->rank] = NULL;
    pthread_cond_broadcast(&p->changed);
    pthread_mutex_unlock(&p->mutex);
}

static void meet(plait_ranks *x)
{
    place *p = x->data;
    pthread_mutex_lock(&p->mutex);
    int at = p->at;
    if (++p->told == x->count)
        p->told = 0, p->at++, pthread_cond_broadcast(&p->changed);
    while (p->at == at)
        pthread_cond_wait(&p->changed, &p->mutex);
    pthread_mutex_unlock(&p->mutex);
}

static void tell(plait_ranks *x, void *what, size_t bytes)
{
    for (int to = 1; x->rank == 0 && to < x->count; to++)
        send_to(x, to, what, bytes);
    if (x->rank > 0)
        receive_from(x, 0, what, bytes);
}

static void swap(plait_ranks *x, const double *out, const int64_t *out_ptr, double *in, const int64_t *in_ptr)
{
    for (int from = 0; from < x->count; from++) // one after the other speaks
        for (int to = 0; to < x->count; to++) {
            size_t goes = (size_t)(out_ptr[to + 1] - out_ptr[to]) * sizeof *out,
                   comes = (size_t)(in_ptr[from + 1] - in_ptr[from]) * sizeof *in;
            if (from == to && x->rank == to)
                memcpy(in + in_ptr[to], out + out_ptr[to], goes);
            else if (x->rank == from)
                send_to(x, to, out + out_ptr[to], goes);
            else if (x->rank == to)
                receive_from(x, from, in + in_ptr[from], comes);
        }
}

static void share(plait_ranks *x, double *all, int each)
{
    place *p = x->data;
    if (x->rank == 0)
        p->table = malloc((size_t)x->count * (size_t)each * sizeof *p->table);
    meet(x);
    size_t bytes = (size_t)each * sizeof *all;
    memcpy(p->table + x->rank * each, all + x->rank * each, bytes);
    meet(x);
    memcpy(all, p->table, (size_t)x->count * bytes);
    meet(x);
    if (x->rank == 0)
        free(p->table);
}

static void lose(plait_ranks *x, const char *why)
{
    fprintf(stderr, "rank %d: %s\n", x->rank, why);
    abort();
}

static void look(plait_ranks *x)
{
    x->account.memory = 1000 + x->rank;
}

static void *serve(void *ranks)
{
    plait_spread_serve(ranks, 1);
    return NULL;
}

// Solves by so many ranks; account[ranks] may be NULL.
static void solve(const plait_problem *p, const plait_solve_options *o, int count, plait_solution *s,
                  plait_report *report, plait_ranks_account *account)
{
    place at = {.mutex = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};
    plait_ranks ranks[MOST];
    pthread_t thread[MOST];
    plait_error error = {0};
    for (int k = 0; k < count; k++)
        ranks[k] = (plait_ranks){.rank = k, .count = count, .least = 50, .data = &at, .tell = tell, .send = send_to,
                                 .receive = receive_from, .swap = swap, .share = share, .lose = lose, .look = look};
    for (int k = 1; k < count; k++)
        CHECK(pthread_create(&thread[k], NULL, serve, &ranks[k]) == 0);
    plait_ranks *before = plait_ranks_enter(&ranks[0]);
    CHECK(plait_problem_solve(p, o, s, report, &error) == PLAIT_OK);
    if (account)
        plait_spread_report(&ranks[0], account);
    plait_spread_end(&ranks[0]);
    plait_ranks_enter(before);
    for (int k = 1; k < count; k++)
        pthread_join(thread[k], NULL);
}

static plait_problem *make(int rods, double nu)
{
    plait_error error = {0};
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = rods, o.nu = nu;
    plait_problem *p = plait_problem_generate_fibres(&o, &error);
    CHECK(p != NULL);
    return p;
}

// As many contacts as there are chunks for (more than one), bodies of different sizes, some touched by few contacts.
static void same_bits(plait_problem *p, plait_solver solver, int threads)
{
    plait_solve_options o = plait_default_solve_options();
    o.solver = solver, o.threads = threads, o.max_time = 0, o.max_iterations = 300;
    plait_solution *alone = plait_solution_new(p->n);
    plait_report report, other;
    plait_error error = {0};
    CHECK(plait_problem_solve(p, &o, alone, &report, &error) == PLAIT_OK);
    for (int count = 2; count <= MOST; count += count - 1) { // 2, 3, 5
        plait_ranks_account account[MOST];
        plait_solution *s = plait_solution_new(p->n);
        solve(p, &o, count, s, &other, account);
        CHECK(memcmp(alone->r, s->r, 3 * (size_t)p->n * sizeof *s->r) == 0);
        CHECK(memcmp(alone->u, s->u, 3 * (size_t)p->n * sizeof *s->u) == 0);
        CHECK(other.iterations == report.iterations);
        double kept = 0, bodies = 0;
        for (int k = 0; k < count; k++) {
            CHECK(account[k].memory == 1000 + k);
            CHECK(account[k].products == account[0].products && account[k].products > 20);
            CHECK(account[k].cut <= account[k].contacts);
            kept += account[k].contacts, bodies += account[k].bodies;
        }
        CHECK(kept > 0 && kept <= p->n && bodies > 0);
        plait_solution_free(s);
    }
    plait_solution_free(alone);
}

static void made_has_same_bits(int rods, double nu, plait_solver solver, int threads)
{
    plait_problem *p = make(rods, nu);
    same_bits(p, solver, threads);
    plait_problem_free(p);
}

CASE(one_chunk)
{
    made_has_same_bits(60, 0.5, PLAIT_SOLVER_APGD, 1);
}

CASE(many_chunks)
{
    plait_problem *p = make(400, 0.5);
    CHECK(p->n > 2 * PLAIT_CHUNK_MIN);
    same_bits(p, PLAIT_SOLVER_APGD, 1);
    plait_problem_free(p);
}

// So few contacts that some bodies get dense matrices after twenty products, and others do not: which ones is decided
// for all ranks together.
CASE(dense_and_not)
{
    plait_problem *p = make(300, 0.18);
    unsigned char *dense = calloc((size_t)p->compliance->bodies + 1, 1);
    int some = 0, touched = 0;
    plait_compliance_dense_bodies(p->compliance, dense);
    for (int b = 0; b < p->compliance->bodies; b++) {
        bool limbs = p->compliance->body[b + 1].first_limb > p->compliance->body[b].first_limb;
        touched += limbs, some += limbs && dense[b];
    }
    printf("%d of %d bodies are dense\n", some, touched);
    CHECK(some > 20 && some < touched - 20);
    same_bits(p, PLAIT_SOLVER_APGD, 1);
    free(dense);
    plait_problem_free(p);
}

CASE(threads)
{
    made_has_same_bits(100, 0.6, PLAIT_SOLVER_APGD, 2);
}

// The chain of methods, some of which only rank 0 knows, on the same operator.
CASE(chain)
{
    made_has_same_bits(30, 1.2, PLAIT_SOLVER_AUTO, 1);
}

static bool soon(void *count)
{
    return ++*(int *)count > 40;
}

// Rank 0 alone is asked whether to stop, and all of them do.
CASE(stop)
{
    int asked = 0;
    plait_problem *p = make(100, 1);
    plait_solve_options o = plait_default_solve_options();
    o.solver = PLAIT_SOLVER_APGD, o.threads = 1, o.stop = soon, o.stop_data = &asked, o.tol = 1e-15;
    plait_solution *s = plait_solution_new(p->n);
    plait_report report;
    solve(p, &o, 3, s, &report, NULL);
    CHECK(report.stopped && report.iterations < 60);
    plait_solution_free(s), plait_problem_free(p);
}
