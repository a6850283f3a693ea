// gs.c: nonlinear Gauss-Seidel with any one-contact solver (Daviet 2011, Algorithm 1).
//
// A sweep goes over the contacts colour by colour (colour.h) and solves each alone, the others frozen, with its row of
// W.
// Contacts that hardly move are skipped for some sweeps. The best iterate, by the real residual, is what remains.
// Anderson acceleration mixes the last sweeps; it is on by itself when sweeps alone are slow.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/anderson.h"
#include "contact/colour.h"
#include "contact/system.h"

enum { FROZEN_SWEEPS = 8, WINDOW = 5, SLOW_SWEEPS = 40, GIVE_UP_SWEEPS = 400, PARALLEL_CONTACTS = 500 };
#define SMALL_CHANGE 0.1 // of the target, per contact: what a frozen contact may miss
#define GROWTH 1.3       // of the sweeps from one look at the residual to the next, unless the changes are small before

typedef struct gs {
    plait_system *sys;
    plait_colouring *colouring;
    double *r;
    int *frozen;  // [n] sweeps left to skip
    double small; // s |dr| under which a contact is frozen
    plait_local_stats stats;
    plait_rows *rows;
} gs;

// ---- a sweep -------------------------------------------------------------------------------------------------------

// Returns s |dr|.
static double relax_contact(gs *g, int i, plait_local_stats *stats)
{
    const plait_system *sys = g->sys;
    double b[3], *r = g->r + 3 * (int64_t)i, old[3] = {r[0], r[1], r[2]};
    memcpy(b, sys->b + 3 * (int64_t)i, sizeof b);
    plait_rows_add(g->rows, i, g->r, b);
    plait_law_solve(&sys->laws, i, &sys->local, sys->diagonal + 9 * (int64_t)i, b, r, stats);
    double dr[3] = {r[0] - old[0], r[1] - old[1], r[2] - old[2]};
    double change = sys->s[i] * sqrt(dr[0] * dr[0] + dr[1] * dr[1] + dr[2] * dr[2]);
    if (change > 0)
        plait_rows_change(g->rows, i, dr);
    if (sys->options->freeze && change < g->small)
        g->frozen[i] = FROZEN_SWEEPS;
    return change;
}

// One colour, or this thread's share of it.
static double sweep_contact(gs *g, int i, plait_local_stats *stats)
{
    if (g->frozen[i] > 0) {
        g->frozen[i]--;
        return 0;
    }
    return relax_contact(g, i, stats);
}

// Returns the largest change, s |dr|: a cheap hint whether a look at the residual is worth its price.
static double sweep(gs *g)
{
    const plait_colouring *c = g->colouring;
    double change = 0;
    g->sys->work++;
    if (g->sys->team.threads == 1 || g->sys->n < PARALLEL_CONTACTS) {
        for (int m = 0; m < g->sys->n; m++)
            change = fmax(change, sweep_contact(g, c->contact[m], &g->stats));
        return change;
    }
    int64_t calls = 0, alt = 0, fail = 0;
#pragma omp parallel num_threads(g->sys->team.threads) reduction(+ : calls, alt, fail) reduction(max : change)
    {
        plait_local_stats stats = {0};
        for (int k = 0; k < c->colours; k++) {
#pragma omp for schedule(static)
            for (int m = c->ptr[k]; m < c->ptr[k + 1]; m++)
                change = fmax(change, sweep_contact(g, c->contact[m], &stats));
        }
        calls += stats.calls, alt += stats.alt, fail += stats.fail;
    }
    g->stats.calls += calls, g->stats.alt += alt, g->stats.fail += fail;
    return change;
}

// ---- the solver ----------------------------------------------------------------------------------------------------

static bool new_gs(gs *g, plait_system *sys, double *r)
{
    *g = (gs){.sys = sys, .r = r};
    g->small = SMALL_CHANGE * sys->target / sqrt(sys->n);
    g->frozen = plait_calloc((size_t)sys->n + 1, sizeof *g->frozen);
    g->colouring = plait_colouring_new(sys->op, sys->stop);
    if (!g->frozen || !g->colouring)
        return false;
    g->rows = plait_rows_new(sys->op, sys->stop);
    return g->rows != NULL;
}

static void free_gs(gs *g)
{
    plait_colouring_free(g->colouring);
    plait_rows_free(g->rows), plait_free(g->frozen);
}

typedef struct best {
    double *r, residual, last_gain; // residual when it last fell by a tenth
    int sweep;                      // then
} best;

static void look(best *b, const double *r, int n, int it, double residual)
{
    if (residual < b->residual)
        b->residual = residual, memcpy(b->r, r, 3 * (size_t)n * sizeof *r);
    if (b->residual < 0.9 * b->last_gain)
        b->last_gain = b->residual, b->sweep = it;
}

// What was mixed need not be an allowed impulse. With an implicit part in the law (K) any impulse is.
static void project_mixed(const gs *g, int i, const double *x)
{
    plait_law_cone cone;
    double *r = g->r + 3 * (int64_t)i;
    if (!plait_law_get_cone(&g->sys->laws, i, &cone) || cone.K[0] != 0 || cone.K[1] != 0)
        memcpy(r, x, 3 * sizeof *r);
    else
        plait_law_project(&g->sys->laws, i, 1 / g->sys->s[i], 0, x, r);
}

// One Anderson step from the sweep r -> g->r; the weights make it a velocity.
static void accelerate(gs *g, plait_anderson *anderson, const double *before, double *weight, double *mixed)
{
    int n = g->sys->n;
    for (int i = 0; i < 3 * n; i++)
        weight[i] = g->sys->s[i / 3] * g->sys->s[i / 3];
    plait_anderson_step(anderson, before, g->r, weight, mixed);
    for (int i = 0; i < n; i++)
        project_mixed(g, i, mixed + 3 * (int64_t)i);
    memset(g->frozen, 0, (size_t)n * sizeof *g->frozen);
    plait_rows_refresh(g->rows, g->r);
}

bool plait_solve_gs(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    gs g;
    size_t size = 3 * (size_t)sys->n;
    double *block = plait_malloc((4 * size + 1) * sizeof *block);
    bool ok = new_gs(&g, sys, r) && block;
    *out = (plait_outcome){.name = "gs"};
    double *before = block, *weight = before + size, *mixed = weight + size;
    best b = {.r = mixed + size, .residual = INFINITY, .last_gain = INFINITY};
    int window = sys->options->anderson < 0 ? WINDOW : sys->options->anderson, next = 0;
    plait_anderson *anderson = NULL;
    if (ok)
        plait_rows_refresh(g.rows, r);
    for (int it = 0; ok; it++) {
        if (it >= next || it >= max_iterations || plait_system_stopped(sys)) {
            plait_system_apply(sys, r, u);
            look(&b, r, sys->n, it, plait_system_residual(sys, r, u));
            next = (int)fmax(it + 1, it * GROWTH);
            memset(g.frozen, 0, (size_t)sys->n * sizeof *g.frozen);
            plait_rows_refresh(g.rows, r);
            out->iterations = it;
            out->gave_up = it > 3 * b.sweep && it - b.sweep > GIVE_UP_SWEEPS && sys->options->max_iterations == 0;
            if (b.residual <= sys->target || it >= max_iterations || out->gave_up ||
                plait_system_tick(sys, it, b.residual))
                break;
        }
        bool mix = window > 0 && (sys->options->anderson > 0 || it >= SLOW_SWEEPS);
        if (mix && !anderson && !(anderson = plait_anderson_new((int64_t)size, window, sys->team))) {
            ok = false;
            break;
        }
        if (mix)
            memcpy(before, r, size * sizeof *r);
        if (sweep(&g) < sys->target)
            next = it + 1;
        if (mix)
            accelerate(&g, anderson, before, weight, mixed);
    }
    if (ok) {
        memcpy(r, b.r, size * sizeof *r);
        plait_system_apply(sys, r, u);
        out->residual = plait_system_residual(sys, r, u);
        out->local = g.stats;
    }
    plait_anderson_free(anderson);
    free_gs(&g), plait_free(block);
    return ok;
}
