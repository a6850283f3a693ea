// compliance_dense.c: products with bodies that few contacts touch.
//
// What the limbs of one body do to each other is a dense matrix D, three rows and columns for each of its m limbs.
// Where m is small, D is smaller than the factor of M, and one product with it takes the place of scatter, solve and
// gather.
// It costs one solve for each limb, so it is made for those who have come back for many products.
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/compliance.h"

enum { N = PLAIT_LANES, CHUNK = 16 };

typedef double lanes __attribute__((vector_size(8 * N)));

static int limbs_of(const plait_compliance *c, int b)
{
    return c->body[b + 1].first_limb - c->body[b].first_limb;
}

// D is kept as blocks of eight rows, [block][3 m][LANES].
static int row_blocks(int m)
{
    return (3 * m + N - 1) / N;
}

static int64_t dense_size(int m)
{
    return (int64_t)row_blocks(m) * 3 * m * N;
}

// By the numbers that a product of a pack touches in either form: half as many, or the memory is not worth it.
static bool dense_pays(const plait_compliance *c, int pack)
{
    const plait_factor *p = &c->pack[pack];
    if (plait_factor_lanes(p->kind) != N)
        return false;
    int64_t factored = 2 * (int64_t)p->size * (p->width + 4) * N, dense = 0;
    for (int l = 0; l < N; l++) {
        int b = c->pack_body[pack * N + l];
        for (int k = b < 0 ? 0 : c->body[b].first_limb; b >= 0 && k < c->body[b + 1].first_limb; k++)
            factored += c->limb[k].blocks > 0 ? 4 * N * c->limb[k].blocks : 6 * c->limb[k].count;
        if (b >= 0 && 3 * limbs_of(c, b) > N * p->size) // more than there is scratch for
            return false;
        dense += b < 0 ? 0 : dense_size(limbs_of(c, b));
    }
    return 2 * dense < factored;
}

static void fill_body(const plait_compliance *c, int b, double *X, double *D)
{
    int m = limbs_of(c, b), first = c->body[b].first_limb;
    memset(D, 0, (size_t)dense_size(m) * sizeof *D);
    for (int k = 0; k < m; k++) {
        plait_limb_columns(c, first + k, X);
        for (int i = 0; i <= k; i++) { // the columns of limb k, down to the diagonal, and their mirror image
            double B[9] = {0};
            plait_limb_block(c, &c->limb[first + i], X, B);
            for (int a = 0; a < 3; a++)
                for (int e = 0; e < 3; e++) {
                    int row = 3 * i + a, col = 3 * k + e;
                    D[((int64_t)(row / N) * 3 * m + col) * N + row % N] = B[3 * a + e];
                    D[((int64_t)(col / N) * 3 * m + row) * N + col % N] = B[3 * a + e];
                }
        }
    }
}

void plait_compliance_dense_bodies(const plait_compliance *c, unsigned char *dense)
{
    for (int i = 0; i < c->packs; i++) {
        bool pays = dense_pays(c, i);
        for (int l = 0; l < N; l++)
            if (c->pack_body[i * N + l] >= 0)
                dense[c->pack_body[i * N + l]] = pays;
    }
}

void plait_compliance_densify(const plait_compliance *c, plait_compliance_scratch *w)
{
    if (w->dense || w->dense_ptr)
        return;
    w->dense_ptr = plait_malloc(((size_t)c->bodies + 1) * sizeof *w->dense_ptr);
    if (!w->dense_ptr) {
        w->no_memory = true;
        return;
    }
    for (int b = 0; b < c->bodies; b++)
        w->dense_ptr[b] = -1;
    int64_t total = 0;
    for (int i = 0; i < c->packs; i++) {
        bool pays = !w->dense_bodies && dense_pays(c, i);
        for (int l = 0; l < N; l++) {
            int b = c->pack_body[i * N + l];
            if (b >= 0 && (pays || (w->dense_bodies && w->dense_bodies[b])))
                w->dense_ptr[b] = total, total += dense_size(limbs_of(c, b));
        }
    }
    size_t stride = plait_limb_columns_size(c);
    double *scratch = plait_aligned_alloc(64, stride * (size_t)w->team.threads * sizeof *scratch);
    w->dense = total > 0 ? plait_aligned_alloc(64, (size_t)total * sizeof *w->dense) : NULL;
    w->no_memory |= !scratch || (total > 0 && !w->dense);
    if (w->dense && scratch) {
#pragma omp parallel for schedule(dynamic, CHUNK) num_threads(w->team.threads) if (w->team.threads > 1)
        for (int b = 0; b < c->bodies; b++)
            if (w->dense_ptr[b] >= 0)
                fill_body(c, b, scratch + stride * (size_t)omp_get_thread_num(), w->dense + w->dense_ptr[b]);
    } else {
        plait_free(w->dense), w->dense = NULL;
    }
    plait_free(scratch);
}

// u of its limbs = D r, r and u in the order of the body's limbs.
PLAIT_CLONES static void multiply(int m, const double *D, const double *r, double *u)
{
    for (int block = 0, left = 3 * m; left > 0; block++, left -= N) {
        const lanes *row = (const lanes *)D + (int64_t)block * 3 * m;
        lanes s0 = {0}, s1 = {0}, s2 = {0};
        for (int k = 0; k < m; k++)
            s0 += row[3 * k] * r[3 * k], s1 += row[3 * k + 1] * r[3 * k + 1], s2 += row[3 * k + 2] * r[3 * k + 2];
        s0 += s1 + s2;
        memcpy(u + block * N, &s0, (size_t)(left < N ? left : N) * sizeof *u);
    }
}

bool plait_compliance_dense_pack(const plait_compliance *c, int pack, const plait_compliance_scratch *w)
{
    if (!w->dense)
        return false;
    for (int l = 0; l < N; l++) {
        int b = c->pack_body[(int64_t)pack * N + l];
        if (b >= 0 && w->dense_ptr[b] < 0)
            return false;
    }
    return true;
}

void plait_compliance_dense_apply(const plait_compliance *c, int pack, const double *r, double *x,
                                  const plait_compliance_scratch *w)
{
    for (int l = 0; l < N; l++) {
        int b = c->pack_body[(int64_t)pack * N + l];
        if (b < 0 || w->dense_ptr[b] < 0)
            continue;
        int m = limbs_of(c, b), limb = c->body[b].first_limb;
        for (int k = 0; k < m; k++)
            memcpy(x + 3 * k, r + 3 * (int64_t)c->limb[limb + k].contact, 3 * sizeof *x);
        multiply(m, w->dense + w->dense_ptr[b], x, w->limb_u + 3 * (int64_t)limb);
    }
}
