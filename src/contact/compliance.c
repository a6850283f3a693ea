// compliance.c: products with W = H M^-1 H^T, its diagonal blocks, and its assembly.
#include "contact/compliance.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "math/sparse.h"

enum { N = PLAIT_LANES };

#define INLINE static inline __attribute__((always_inline)) // into the clones, with their instruction set

typedef double lanes __attribute__((vector_size(8 * N)));                // one vector, or several narrower ones
typedef double lanes_at __attribute__((vector_size(8 * N), aligned(8))); // in memory, anywhere

// x += H_limb^T r
INLINE void limb_scatter(const plait_compliance *c, const plait_limb *limb, const double r[3], double *x)
{
    const double *h = c->row + limb->row, r0 = r[0], r1 = r[1], r2 = r[2];
    lanes_at *to = (lanes_at *)(x + limb->run);
    const lanes *row = (const lanes *)h;
    for (int b = 0; b < limb->blocks; b++)
        to[b] += row[3 * b] * r0 + row[3 * b + 1] * r1 + row[3 * b + 2] * r2;
    if (limb->blocks > 0)
        return;
    h = c->val + 3 * limb->first;
    const int *col = c->col + limb->first;
    for (int k = 0; k < limb->count; k++)
        x[col[k]] += h[3 * k] * r0 + h[3 * k + 1] * r1 + h[3 * k + 2] * r2;
}

// In a fixed order, whatever the width of vectors.
INLINE double lane_sum(const lanes *v)
{
    const double *s = (const double *)v;
    return ((s[0] + s[4]) + (s[2] + s[6])) + ((s[1] + s[5]) + (s[3] + s[7]));
}

// u = H_limb x
INLINE void limb_gather(const plait_compliance *c, const plait_limb *limb, const double *x, double u[3])
{
    const lanes *row = (const lanes *)(c->row + limb->row);
    const lanes_at *from = (const lanes_at *)(x + limb->run);
    lanes s0 = {0}, s1 = {0}, s2 = {0};
    for (int b = 0; b < limb->blocks; b++)
        s0 += row[3 * b] * from[b], s1 += row[3 * b + 1] * from[b], s2 += row[3 * b + 2] * from[b];
    u[0] = lane_sum(&s0), u[1] = lane_sum(&s1), u[2] = lane_sum(&s2);
    if (limb->blocks > 0)
        return;
    const double *h = c->val + 3 * limb->first;
    const int *col = c->col + limb->first;
    for (int k = 0; k < limb->count; k++)
        for (int a = 0; a < 3; a++)
            u[a] += h[3 * k + a] * x[col[k]];
}

INLINE void body_scatter(const plait_compliance *c, int b, const double *r, double *x)
{
    for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++)
        limb_scatter(c, &c->limb[k], r + 3 * (int64_t)c->limb[k].contact, x);
}

INLINE void body_gather(const plait_compliance *c, int b, const double *x, double *limb_u)
{
    for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++)
        limb_gather(c, &c->limb[k], x, limb_u + 3 * (int64_t)k);
}

// Blocks of limbs may reach beyond the dofs of a body by less than a block: that must be there, and zero.
static int64_t padded(int size)
{
    return (size + 2 * N - 2) / N * N;
}

// One pack: scatter, transpose into lanes, solve, transpose back, gather. x: [LANES][padded], X: [size][LANES].
PLAIT_CLONES static void pack_apply(const plait_compliance *c, int pack, const double *r, double *x, double *X,
                                    double *limb_u)
{
    const plait_band_pack *p = &c->pack[pack];
    const int *bodies = c->pack_body + (int64_t)pack * N;
    int size = p->size;
    int64_t stride = padded(size);
    memset(x, 0, (size_t)(N * stride) * sizeof *x);
    for (int l = 0; l < N; l++)
        if (bodies[l] >= 0)
            body_scatter(c, bodies[l], r, x + l * stride);
    for (int i = 0; i < size; i++)
        for (int l = 0; l < N; l++)
            X[i * N + l] = x[l * stride + i];
    plait_band_pack_solve(p, X);
    for (int l = 0; l < N; l++)
        for (int i = 0; i < size; i++)
            x[l * stride + i] = X[i * N + l];
    for (int l = 0; l < N; l++)
        if (bodies[l] >= 0)
            body_gather(c, bodies[l], x + l * stride, limb_u);
}

static void add_limbs(const plait_compliance *c, const double *limb_u, const double *b, double *u)
{
#pragma omp for schedule(static)
    for (int i = 0; i < c->n; i++) {
        double u0 = b[3 * i], u1 = b[3 * i + 1], u2 = b[3 * i + 2];
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
            const double *x = limb_u + 3 * (int64_t)c->contact_limb[k];
            u0 += x[0], u1 += x[1], u2 += x[2];
        }
        u[3 * i] = u0, u[3 * i + 1] = u1, u[3 * i + 2] = u2;
    }
}

plait_compliance_scratch *plait_compliance_scratch_new(const plait_compliance *c, int threads)
{
    plait_compliance_scratch *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->threads = threads > 0 ? threads : 1;
    w->stride = ((size_t)padded(c->largest) * N * 2 + 15) / 8 * 8;
    w->limb_u = malloc((3 * (size_t)c->limbs + 3) * sizeof *w->limb_u);
    w->x = aligned_alloc(64, w->stride * (size_t)w->threads * sizeof *w->x);
    if (w->limb_u && w->x)
        return w;
    plait_compliance_scratch_free(w);
    return NULL;
}

void plait_compliance_scratch_free(plait_compliance_scratch *w)
{
    if (!w)
        return;
    free(w->limb_u), free(w->x), free(w);
}

static void sparse_bodies_apply(const plait_compliance *c, const double *r, plait_compliance_scratch *w)
{
    for (int k = 0; k < c->bodies; k++)
        if (c->body[k].pack < 0) {
            memset(w->x, 0, (size_t)padded(c->body[k].size) * sizeof *w->x);
            body_scatter(c, k, r, w->x);
            plait_direct_solve(c->body[k].factor, 1, w->x);
            body_gather(c, k, w->x, w->limb_u);
        }
}

void plait_compliance_apply(const plait_compliance *c, const double *r, const double *b, plait_compliance_scratch *w,
                            double *u)
{
    sparse_bodies_apply(c, r, w);
    int threads = c->limbs > 2000 ? w->threads : 1; // below that, waking a thread costs more than it gives
#pragma omp parallel num_threads(threads) if (threads > 1)
    {
        double *x = w->x + w->stride * (size_t)omp_get_thread_num();
#pragma omp for schedule(static)
        for (int i = 0; i < c->packs; i++)
            pack_apply(c, i, r, x, x + (size_t)padded(c->largest) * N, w->limb_u);
        add_limbs(c, w->limb_u, b, u);
    }
}

// x <- f + H^T r of one body
static void load_body(const plait_compliance *c, int b, const double *f, const double *r, double *x)
{
    const plait_body *body = &c->body[b];
    memset(x, 0, (size_t)padded(body->size) * sizeof *x);
    for (int i = 0; i < body->size; i++)
        x[i] = f[c->order[body->first_dof + i]];
    if (r)
        body_scatter(c, b, r, x);
}

// v of the bodies of a pack
static void pack_velocity(const plait_compliance *c, int pack, const double *f, const double *r, double *x, double *X,
                          double *v)
{
    const int *bodies = c->pack_body + (int64_t)pack * N;
    memset(X, 0, (size_t)c->pack[pack].size * N * sizeof *X);
    for (int l = 0; l < N; l++)
        if (bodies[l] >= 0) {
            load_body(c, bodies[l], f, r, x);
            for (int i = 0; i < c->body[bodies[l]].size; i++)
                X[i * N + l] = x[i];
        }
    plait_band_pack_solve(&c->pack[pack], X);
    for (int l = 0; l < N; l++)
        for (int i = 0; bodies[l] >= 0 && i < c->body[bodies[l]].size; i++)
            v[c->order[c->body[bodies[l]].first_dof + i]] = X[i * N + l];
}

plait_status plait_compliance_velocity(const plait_compliance *c, const double *f, const double *r, double *v,
                                       plait_error *error)
{
    size_t room = (size_t)padded(c->largest) * (N + 1);
    double *x = aligned_alloc(64, room * sizeof *x);
    if (!x)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a body of %d dofs", c->largest);
    for (int k = 0; k < c->packs; k++)
        pack_velocity(c, k, f, r, x + (size_t)padded(c->largest) * N, x, v);
    for (int b = 0; b < c->bodies; b++) {
        const plait_body *body = &c->body[b];
        if (body->pack >= 0)
            continue;
        load_body(c, b, f, r, x);
        plait_direct_solve(body->factor, 1, x);
        for (int i = 0; i < body->size; i++)
            v[c->order[body->first_dof + i]] = x[i];
    }
    free(x);
    return PLAIT_OK;
}

// The three columns M^-1 H_limb^T in X[size][LANES], lanes 0..2.
static void limb_columns(const plait_compliance *c, int k, double *X)
{
    const plait_limb *limb = &c->limb[k];
    const plait_body *body = &c->body[c->limb_body[k]];
    const int *col = c->col + limb->first;
    const double *h = c->val + 3 * limb->first;
    int size = body->pack < 0 ? body->size : c->pack[body->pack].size;
    memset(X, 0, (size_t)size * N * sizeof *X);
    if (body->pack >= 0) {
        for (int j = 0; j < limb->count; j++)
            for (int a = 0; a < 3; a++)
                X[col[j] * N + a] = h[3 * j + a];
        plait_band_pack_solve_many(&c->pack[body->pack], body->lane, col[0], X);
        return;
    }
    double *Y = X + (size_t)size * N; // column by column, as the sparse factor wants it
    memset(Y, 0, 3 * (size_t)size * sizeof *Y);
    for (int j = 0; j < limb->count; j++)
        for (int a = 0; a < 3; a++)
            Y[a * size + col[j]] = h[3 * j + a];
    plait_direct_solve(body->factor, 3, Y);
    for (int i = 0; i < size; i++)
        for (int a = 0; a < 3; a++)
            X[i * N + a] = Y[a * size + i];
}

// B += H_limb X, 3x3 row-major: B[a][e] = sum_k H(a, k) X(k, e)
static inline void limb_block(const plait_compliance *c, const plait_limb *limb, const double *X, double *B)
{
    const double *h = c->val + 3 * limb->first;
    const int *col = c->col + limb->first;
    for (int k = 0; k < limb->count; k++) {
        const double *x = X + (int64_t)col[k] * N;
        for (int a = 0; a < 3; a++)
            for (int e = 0; e < 3; e++)
                B[3 * a + e] += h[3 * k + a] * x[e];
    }
}

static size_t columns_size(const plait_compliance *c)
{
    return ((size_t)c->largest * (N + 3) + 15) / 8 * 8;
}

// B += Y^T Y with Y = L^-1 H_limb^T, which is H_limb M^-1 H_limb^T
PLAIT_CLONES static void limb_square(const plait_compliance *c, int k, double *Y, double *B)
{
    const plait_limb *limb = &c->limb[k];
    const plait_body *body = &c->body[c->limb_body[k]];
    const int *col = c->col + limb->first;
    const double *h = c->val + 3 * limb->first;
    int first = col[0], size = c->pack[body->pack].size;
    memset(Y + (size_t)first * N, 0, (size_t)(size - first) * N * sizeof *Y);
    for (int j = 0; j < limb->count; j++)
        for (int a = 0; a < 3; a++)
            Y[col[j] * N + a] = h[3 * j + a];
    plait_band_pack_forward_many(&c->pack[body->pack], body->lane, first, Y);
    double s[6] = {0};
    for (int i = first; i < body->size; i++) {
        const double *y = Y + (size_t)i * N;
        s[0] += y[0] * y[0], s[1] += y[0] * y[1], s[2] += y[0] * y[2];
        s[3] += y[1] * y[1], s[4] += y[1] * y[2], s[5] += y[2] * y[2];
    }
    const double full[9] = {s[0], s[1], s[2], s[1], s[3], s[4], s[2], s[4], s[5]};
    for (int e = 0; e < 9; e++)
        B[e] += full[e];
}

static void contact_diagonal(const plait_compliance *c, int i, double *X, double *D)
{
    memset(D, 0, 9 * sizeof *D);
    for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
        int limb = c->contact_limb[k];
        if (c->body[c->limb_body[limb]].pack >= 0) {
            limb_square(c, limb, X, D);
        } else {
            limb_columns(c, limb, X);
            limb_block(c, &c->limb[limb], X, D);
        }
    }
}

bool plait_compliance_build_diagonal(plait_compliance *c, const unsigned char *wanted)
{
    int threads = c->n > PLAIT_CHUNK_MIN ? plait_parallel_threads(0) : 1;
    size_t stride = columns_size(c);
    double *scratch = aligned_alloc(64, stride * (size_t)threads * sizeof *scratch);
    if (!c->diagonal)
        c->diagonal = calloc(9 * (size_t)c->n + 1, sizeof *c->diagonal);
    bool ok = scratch && c->diagonal;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (threads > 1)
    for (int i = 0; i < (ok ? c->n : 0); i++)
        if (!wanted || wanted[i])
            contact_diagonal(c, i, scratch + stride * (size_t)omp_get_thread_num(), c->diagonal + 9 * (int64_t)i);
    free(scratch);
    return ok;
}

bool plait_compliance_columns(const plait_compliance *c, int threads, const int64_t *ptr, double *column)
{
    size_t stride = columns_size(c);
    double *scratch = aligned_alloc(64, stride * (size_t)threads * sizeof *scratch);
    if (!scratch)
        return false;
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (threads > 1)
    for (int k = 0; k < c->limbs; k++) {
        double *X = scratch + stride * (size_t)omp_get_thread_num();
        limb_columns(c, k, X);
        for (int i = 0; i < c->body[c->limb_body[k]].size; i++)
            memcpy(column + ptr[k] + 3 * i, X + i * N, 3 * sizeof *X);
    }
    free(scratch);
    return true;
}

// Contacts j that share a body with i, each once, in ascending order; mark[j] = i means seen. Returns how many.
static int row_neighbours(const plait_compliance *c, int i, int *mark, int *list)
{
    int count = 0;
    for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
        int b = c->limb_body[c->contact_limb[k]];
        for (int m = c->body[b].first_limb; m < c->body[b + 1].first_limb; m++) {
            int j = c->limb[m].contact;
            if (mark[j] != i)
                mark[j] = i, list[count++] = j;
        }
    }
    if (mark[i] != i)
        mark[i] = i, list[count++] = i;
    return count;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

int64_t plait_compliance_count_blocks(const plait_compliance *c, plait_error *error)
{
    int *mark = malloc(2 * ((size_t)c->n + 1) * sizeof *mark);
    if (!mark)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", c->n), -1;
    memset(mark, -1, (size_t)c->n * sizeof *mark);
    int64_t blocks = 0;
    for (int i = 0; i < c->n; i++)
        blocks += row_neighbours(c, i, mark, mark + c->n);
    free(mark);
    return blocks;
}

// Row i of the upper half of W: one solve per limb, one small product per neighbour.
static void assemble_row(const plait_compliance *c, plait_block_matrix *W, int i, double *X, int64_t *slot)
{
    for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++)
        slot[W->col[k]] = k;
    for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
        int limb = c->contact_limb[k], b = c->limb_body[limb];
        limb_columns(c, limb, X);
        for (int m = c->body[b].first_limb; m < c->body[b + 1].first_limb; m++) {
            int j = c->limb[m].contact;
            if (j < i)
                continue;
            double B[9] = {0};
            limb_block(c, &c->limb[m], X, B);
            double *to = W->val + 9 * slot[j]; // W_ij = (H_j M^-1 H_i^T)^T
            for (int a = 0; a < 3; a++)
                for (int e = 0; e < 3; e++)
                    to[3 * e + a] += B[3 * a + e];
        }
    }
}

static void mirror(plait_block_matrix *W)
{
    for (int i = 0; i < W->n; i++)
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++) {
            double *B = W->val + 9 * k;
            if (W->col[k] == i) {
                B[3] = B[1] = 0.5 * (B[1] + B[3]), B[6] = B[2] = 0.5 * (B[2] + B[6]), B[7] = B[5] = 0.5 * (B[5] + B[7]);
            } else if (W->col[k] > i) {
                double *T = W->val + 9 * plait_block_matrix_find(W, W->col[k], i);
                for (int a = 0; a < 3; a++)
                    for (int e = 0; e < 3; e++)
                        T[3 * e + a] = B[3 * a + e];
            }
        }
}

plait_block_matrix *plait_compliance_assemble(const plait_compliance *c, int threads, plait_error *error)
{
    int64_t blocks = plait_compliance_count_blocks(c, error);
    if (blocks < 0)
        return NULL;
    plait_block_matrix *W = plait_block_matrix_new(c->n, blocks);
    int *mark = malloc(((size_t)c->n + 1) * sizeof *mark);
    threads = threads > 0 ? threads : 1;
    size_t stride = columns_size(c), contacts = (size_t)c->n + 1;
    double *X = aligned_alloc(64, stride * (size_t)threads * sizeof *X);
    int64_t *slot = malloc(contacts * (size_t)threads * sizeof *slot);
    if (!W || !mark || !X || !slot) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for W with %lld blocks", (long long)blocks);
        plait_block_matrix_free(W), free(mark), free(X), free(slot);
        return NULL;
    }
    memset(mark, -1, (size_t)c->n * sizeof *mark);
    for (int i = 0; i < c->n; i++) {
        int count = row_neighbours(c, i, mark, W->col + W->ptr[i]);
        qsort(W->col + W->ptr[i], (size_t)count, sizeof(int), by_value);
        W->ptr[i + 1] = W->ptr[i] + count;
    }
#pragma omp parallel for schedule(dynamic, 64) num_threads(threads) if (threads > 1)
    for (int i = 0; i < c->n; i++)
        assemble_row(c, W, i, X + stride * (size_t)omp_get_thread_num(),
                     slot + contacts * (size_t)omp_get_thread_num());
    mirror(W);
    free(mark), free(X), free(slot);
    return W;
}

double plait_compliance_traffic(const plait_compliance *c)
{
    double bytes = 0;
    for (int i = 0; i < c->packs; i++)
        bytes += 2.0 * c->pack[i].size * (c->pack[i].width + 1) * N * sizeof(double);
    for (int b = 0; b < c->bodies; b++)
        if (c->body[b].pack < 0)
            bytes += 24 * plait_direct_entries(c->body[b].factor);
    for (int k = 0; k < c->limbs; k++)
        bytes += 2.0 * (sizeof(plait_limb) + 24.0 * c->limb[k].count) + 72;
    return bytes;
}
