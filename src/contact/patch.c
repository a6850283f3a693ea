#include "contact/patch.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/groups.h"

enum { WORST = 24, LARGEST = 400, PROX_STEPS = 400, SETTLE = 200 };
#define SHARE 0.98   // of the squared residual that the worst contacts stand for
#define WORTH 5000.0 // products with W: what it may take, or as much as was done before it, if that is more
#define DEEPER 0.01  // the small problem is solved this much further than the share of the target asks

typedef struct patch {
    plait_system *sys;
    const double *r, *u;
    double *error; // [n] |F_i|^2
    int *place;    // [n] where a contact stands in the list, -1: not in it
    int *list;     // [LARGEST] the patch: it grows, since what was worst once will be again
    int count;
    bool *held;    // [n] in the list
    double *shift; // [n] mu |u_T| of the patch's solution, -1 elsewhere
} patch;

static void take(void *data, int i)
{
    patch *x = data;
    if (x->held[i] || x->count >= LARGEST)
        return;
    x->held[i] = true, x->list[x->count++] = i;
}

static int by_number(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// The worst contacts that make up nearly all of the residual, then their neighbours while there is room.
static void choose(patch *x)
{
    const plait_system *sys = x->sys;
    double total = 0, covered = 0;
    int seeds[WORST], found = 0;
    for (int i = 0; i < sys->n; i++) {
        double F[3];
        plait_law_residual(&sys->laws, i, sys->problem->trace[i] / 3, x->r + 3 * i, x->u + 3 * i, F);
        x->error[i] = F[0] * F[0] + F[1] * F[1] + F[2] * F[2], x->place[i] = -1;
        total += x->error[i];
    }
    for (int i = 0; i < sys->n; i++)
        covered += x->held[i] ? x->error[i] : 0;
    while (found < WORST && covered < SHARE * total) {
        int worst = -1;
        for (int i = 0; i < sys->n; i++)
            if (!x->held[i] && (worst < 0 || x->error[i] > x->error[worst]))
                worst = i;
        if (worst < 0 || x->count >= LARGEST)
            break;
        covered += x->error[worst], seeds[found++] = worst;
        take(x, worst);
    }
    for (int k = 0; k < found; k++)
        plait_operator_neighbours(sys->op, seeds[k], take, x);
    plait_sort(x->list, (size_t)x->count, sizeof *x->list, by_number);
    for (int k = 0; k < x->count; k++)
        x->place[x->list[k]] = k;
}

// Solves the chosen contacts with all others held; r gets their impulses if they are better. False without memory.
static bool solve_chosen(patch *x, double *r, plait_outcome *out)
{
    plait_system *sys = x->sys;
    plait_solve_options options = *sys->options;
    plait_problem *p = plait_problem_extract(sys->problem, x->list, x->count, x->place, NULL, sys->team, NULL);
    plait_system *small = p ? plait_system_new(p, &options, NULL) : NULL;
    size_t size = 3 * (size_t)x->count;
    double *z = plait_malloc((2 * size + 1) * sizeof *z), *v = z + size;
    bool ok = small && z;
    if (ok) {
        for (int k = 0; k < x->count; k++)
            memcpy(z + 3 * k, r + 3 * (int64_t)x->list[k], 3 * sizeof *z);
        plait_system_multiply(small, z, v);
        for (size_t k = 0; k < size; k++) // what the others do to the chosen ones
            p->b[k] = x->u[3 * (int64_t)x->list[k / 3] + (int64_t)(k % 3)] - v[k];
        small->start = sys->start, small->stop = sys->stop, small->norm_b = sys->norm_b, small->name = sys->name;
        small->target = DEEPER * sys->target * sqrt((double)x->count / sys->n);
        plait_system_apply(small, z, v);
        double before = plait_system_residual(small, z, v);
        ok = plait_solve_prox(small, PROX_STEPS, z, v, out);
        if (ok && out->residual < before)
            for (int k = 0; k < x->count; k++) {
                int i = x->list[k];
                memcpy(r + 3 * (int64_t)i, z + 3 * k, 3 * sizeof *z);
                x->shift[i] = plait_law_shift(&sys->laws, i, v + 3 * k);
            }
        sys->stopped |= small->stopped, sys->no_memory |= small->no_memory, sys->work += small->work;
    }
    plait_system_free(small), plait_problem_free(p), plait_free(z);
    return ok;
}

bool plait_solve_patch(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    size_t n = (size_t)sys->n, bytes = 3 * n * sizeof *r;
    patch x = {.sys = sys, .r = r, .u = u};
    x.error = plait_malloc((n + 1) * sizeof *x.error);
    x.place = plait_malloc((n + 1) * sizeof *x.place);
    x.list = plait_malloc(LARGEST * sizeof *x.list);
    x.held = plait_calloc(n + 1, sizeof *x.held);
    x.shift = plait_malloc((n + 1) * sizeof *x.shift);
    double *best = plait_malloc(bytes + sizeof *best), best_residual = INFINITY, before = sys->work;
    bool ok = x.error && x.place && x.list && x.held && x.shift && best;
    *out = (plait_outcome){.name = "patch"};
    for (size_t i = 0; ok && i < n; i++)
        x.shift[i] = -1;
    while (ok) {
        plait_system_apply(sys, r, u);
        double residual = plait_system_residual(sys, r, u);
        if (residual < best_residual)
            best_residual = residual, memcpy(best, r, bytes);
        if (residual <= sys->target || out->iterations >= max_iterations || sys->work - before > fmax(WORTH, before) ||
            plait_system_tick(sys, out->iterations, best_residual))
            break;
        plait_outcome inner = {0};
        choose(&x);
        ok = solve_chosen(&x, r, &inner);
        sys->shift = x.shift;
        ok = ok && plait_solve_apgd(sys, SETTLE << (out->iterations < 4 ? out->iterations : 4), r, u, &inner);
        sys->shift = NULL;
        out->iterations++;
    }
    if (ok) {
        memcpy(r, best, bytes);
        plait_system_apply(sys, r, u);
        out->residual = plait_system_residual(sys, r, u);
    }
    plait_free(x.error), plait_free(x.place), plait_free(x.list), plait_free(x.held), plait_free(x.shift);
    plait_free(best);
    return ok;
}
