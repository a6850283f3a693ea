#include "contact/anderson.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "base/simd.h"

#define RIDGE 1e-12 // of the unit diagonal
#define LARGEST 1e4 // entries of gamma beyond this come from a Gram matrix that is singular

enum { WINDOW = PLAIT_ANDERSON_WINDOW, PIECE = 512 }; // PIECE: entries that stay in the nearest cache

struct plait_anderson {
    int64_t size;
    int window;
    plait_team team;
    int count, next; // differences that are kept, slot of the next one
    bool started;    // f and g are those of the last step
    double norm, growth;
    double *f, *g;     // [size]
    double **dF, **dG; // [window] of [size]
    double *block;
    double gram[WINDOW][WINDOW];
    double *parts; // [chunks][2 WINDOW + 1] partial sums
};

plait_anderson *plait_anderson_new(int64_t size, int window, plait_team team)
{
    plait_anderson *a = plait_calloc(1, sizeof *a);
    if (!a)
        return NULL;
    window = window < 0 ? 0 : window > WINDOW ? WINDOW : window;
    a->size = size, a->window = window, a->team = team, a->growth = 2;
    size_t vectors = 2 * (size_t)window + 2, stride = (size_t)size + 1;
    a->block = plait_malloc(vectors * stride * sizeof *a->block);
    a->dF = plait_malloc((2 * (size_t)window + 1) * sizeof *a->dF);
    a->parts = plait_malloc(((size_t)plait_chunk_count(size) + 1) * (2 * WINDOW + 1) * sizeof *a->parts);
    if (!a->block || !a->dF || !a->parts) {
        plait_anderson_free(a);
        return NULL;
    }
    a->dG = a->dF + window;
    for (int k = 0; k < 2 * window; k++)
        a->dF[k] = a->block + (size_t)k * stride;
    a->f = a->block + 2 * (size_t)window * stride, a->g = a->f + stride;
    plait_anderson_reset(a);
    return a;
}

void plait_anderson_free(plait_anderson *a)
{
    if (a)
        plait_free(a->block), plait_free(a->dF), plait_free(a->parts);
    plait_free(a);
}

void plait_anderson_reset(plait_anderson *a)
{
    a->count = a->next = 0;
    a->started = false;
}

double plait_anderson_residual(const plait_anderson *a)
{
    return a->norm;
}

void plait_anderson_set_growth(plait_anderson *a, double growth)
{
    a->growth = growth;
}

// ---- vectors --------------------------------------------------------------------------------------------------------

// Sum of x y in lanes, so that it is the same whatever the vector width.
PLAIT_CLONES static double dot(const double *x, const double *y, int count)
{
    double lane[PLAIT_LANES] = {0};
    int i = 0;
    for (; i + PLAIT_LANES <= count; i += PLAIT_LANES)
        for (int k = 0; k < PLAIT_LANES; k++)
            lane[k] += x[i + k] * y[i + k];
    for (int k = 0; i < count; i++, k++)
        lane[k] += x[i] * y[i];
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

typedef struct step_data {
    plait_anderson *a;
    const double *x, *g, *weight;
    double *out;
    const double *gamma;
    int fresh; // slot of the newest difference, -1: none
} step_data;

// f and the newest differences; products of the latter with all differences, and of f with all of them and itself.
static void chunk_products(const step_data *d, int64_t begin, int64_t end, double *sums)
{
    plait_anderson *a = d->a;
    double wf[PIECE], wd[PIECE];
    for (int k = 0; k < 2 * WINDOW + 1; k++)
        sums[k] = 0;
    for (int64_t at = begin; at < end; at += PIECE) {
        int count = (int)(end - at < PIECE ? end - at : PIECE);
        double *f = a->f + at, *g = a->g + at;
        if (d->fresh >= 0) {
            double *dF = a->dF[d->fresh] + at, *dG = a->dG[d->fresh] + at;
            for (int i = 0; i < count; i++) {
                double now = d->g[at + i] - d->x[at + i];
                dF[i] = now - f[i], dG[i] = d->g[at + i] - g[i], f[i] = now, g[i] = d->g[at + i];
            }
            for (int i = 0; i < count; i++)
                wd[i] = d->weight ? d->weight[at + i] * dF[i] : dF[i];
        } else {
            for (int i = 0; i < count; i++)
                f[i] = d->g[at + i] - d->x[at + i], g[i] = d->g[at + i];
        }
        for (int i = 0; i < count; i++)
            wf[i] = d->weight ? d->weight[at + i] * f[i] : f[i];
        for (int k = 0; d->fresh >= 0 && k < a->count; k++) {
            sums[k] += dot(wd, a->dF[k] + at, count);
            sums[WINDOW + k] += dot(wf, a->dF[k] + at, count);
        }
        sums[2 * WINDOW] += dot(wf, f, count);
    }
}

static void all_products(const step_data *d, double *sums)
{
    plait_anderson *a = d->a;
    int chunks = plait_chunk_count(a->size), stride = 2 * WINDOW + 1;
#pragma omp parallel for schedule(static) num_threads(a->team.threads) if (a->team.threads > 1 && chunks > 1)
    for (int k = 0; k < chunks; k++)
        chunk_products(d, plait_chunk_begin(a->size, chunks, k), plait_chunk_begin(a->size, chunks, k + 1),
                       a->parts + (size_t)k * (size_t)stride);
    for (int j = 0; j < stride; j++) {
        sums[j] = 0;
        for (int k = 0; k < chunks; k++)
            sums[j] += a->parts[(size_t)k * (size_t)stride + (size_t)j];
    }
}

static void chunk_combine(int64_t begin, int64_t end, void *data)
{
    const step_data *d = data;
    const plait_anderson *a = d->a;
    for (int64_t at = begin; at < end; at += PIECE) {
        int64_t stop = end - at < PIECE ? end : at + PIECE;
        memmove(d->out + at, a->g + at, (size_t)(stop - at) * sizeof *d->out);
        for (int k = 0; d->gamma && k < a->count; k++) {
            const double *dG = a->dG[k];
            double gamma = d->gamma[k];
            for (int64_t i = at; i < stop; i++)
                d->out[i] -= gamma * dG[i];
        }
    }
}

// ---- the small system -----------------------------------------------------------------------------------------------

// gamma from (D^-1 gram D^-1 + ridge) D gamma = D^-1 rhs by Cholesky, D^2 the diagonal. False: no use.
static bool solve_gram(const plait_anderson *a, const double *rhs, double *gamma)
{
    double L[WINDOW][WINDOW], scale[WINDOW];
    int n = a->count;
    for (int i = 0; i < n; i++) {
        if (!(a->gram[i][i] > 0))
            return false;
        scale[i] = 1 / sqrt(a->gram[i][i]);
    }
    for (int i = 0; i < n; i++) {
        gamma[i] = rhs[i] * scale[i];
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? 1 + RIDGE : a->gram[i][j] * scale[i] * scale[j];
            for (int k = 0; k < j; k++)
                sum -= L[i][k] * L[j][k];
            if (i != j)
                L[i][j] = sum / L[j][j];
            else if (sum > 0.1 * RIDGE)
                L[i][i] = sqrt(sum);
            else
                return false;
        }
        for (int k = 0; k < i; k++)
            gamma[i] -= L[i][k] * gamma[k];
        gamma[i] /= L[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            gamma[i] -= L[k][i] * gamma[k];
        gamma[i] /= L[i][i];
    }
    for (int i = 0; i < n; i++)
        gamma[i] *= scale[i];
    for (int i = 0; i < n; i++)
        if (!(fabs(gamma[i]) < LARGEST))
            return false;
    return true;
}

bool plait_anderson_step(plait_anderson *a, const double *x, const double *g, const double *weight, double *out)
{
    double sums[2 * WINDOW + 1], gamma[WINDOW], last = a->norm;
    step_data d = {.a = a, .x = x, .g = g, .weight = weight, .out = out, .fresh = -1};
    if (a->started && a->window > 0) {
        d.fresh = a->next;
        a->next = (a->next + 1) % a->window;
        a->count += a->count < a->window;
    }
    all_products(&d, sums);
    a->norm = sqrt(sums[2 * WINDOW]);
    if (d.fresh >= 0) {
        for (int k = 0; k < a->count; k++)
            a->gram[d.fresh][k] = a->gram[k][d.fresh] = sums[k];
        if (!(a->norm <= a->growth * last) || !solve_gram(a, sums + WINDOW, gamma))
            a->count = a->next = 0; // the present f and g stay: the next difference starts from here
        else
            d.gamma = gamma;
    }
    a->started = true;
    plait_parallel_for(a->size, a->team, chunk_combine, &d);
    return d.gamma != NULL;
}
