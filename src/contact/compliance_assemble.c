// compliance_assemble.c: blocks of W = H M^-1 H^T: its diagonal, all of it, the columns of M^-1 H^T.
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/compliance.h"
#include "math/band_pack.h"
#include "math/sparse.h"

enum { N = PLAIT_LANES, FULL = 8 };

void plait_limb_columns(const plait_compliance *c, int k, double *X)
{
    const plait_limb *limb = &c->limb[k];
    const plait_mass_block *body = &c->body[c->limb_body[k]];
    const int *col = c->col + limb->first;
    const double *h = c->val + 3 * limb->first;
    const plait_factor *factor = &c->pack[body->pack];
    memset(X, 0, (size_t)factor->size * N * sizeof *X);
    for (int j = 0; j < limb->count; j++)
        for (int a = 0; a < 3; a++)
            X[(int64_t)col[j] * N + a] = h[3 * j + a];
    plait_factor_solve_many(factor, body->lane, col[0], 3, X + (size_t)factor->size * N, X);
}

void plait_limb_block(const plait_compliance *c, const plait_limb *limb, const double *X, double *B)
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

size_t plait_limb_columns_size(const plait_compliance *c)
{
    return ((size_t)c->largest * (N + 9) + 15) / 8 * 8; // three columns, and twice as much to solve for them
}

// B += Y^T Y with Y = L^-1 H_limb^T, which is H_limb M^-1 H_limb^T
PLAIT_CLONES static void limb_square(const plait_compliance *c, int k, double *Y, double *B)
{
    const plait_limb *limb = &c->limb[k];
    const plait_mass_block *body = &c->body[c->limb_body[k]];
    const int *col = c->col + limb->first;
    const double *h = c->val + 3 * limb->first;
    const plait_factor *factor = &c->pack[body->pack];
    const plait_band_pack pack = {factor->size, factor->width, factor->L};
    int first = col[0], size = pack.size;
    memset(Y + (size_t)first * N, 0, (size_t)(size - first) * N * sizeof *Y);
    for (int j = 0; j < limb->count; j++)
        for (int a = 0; a < 3; a++)
            Y[col[j] * N + a] = h[3 * j + a];
    plait_band_pack_forward_many(&pack, body->lane, first, Y);
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

// squares: those of the limbs of sparse factors, which are made many at a time.
static void contact_diagonal(const plait_compliance *c, int i, const double *squares, double *X, double *D)
{
    memset(D, 0, 9 * sizeof *D);
    for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
        int limb = c->contact_limb[k];
        if (plait_factor_lanes(c->pack[c->body[c->limb_body[limb]].pack].kind) == N)
            limb_square(c, limb, X, D);
        else
            for (int e = 0; e < 9; e++)
                D[e] += squares[9 * (int64_t)limb + e];
    }
}

bool plait_compliance_build_diagonal(plait_compliance *c, const unsigned char *wanted)
{
    plait_team team = plait_team_if(c->n > PLAIT_CHUNK_MIN, c->team);
    size_t stride = plait_limb_columns_size(c);
    double *scratch = plait_aligned_alloc(64, stride * (size_t)team.threads * sizeof *scratch);
    if (!c->diagonal)
        c->diagonal = plait_calloc(9 * (size_t)c->n + 1, sizeof *c->diagonal);
    double *squares = NULL;
    bool ok = scratch && c->diagonal && plait_compliance_sparse_squares(c, wanted, team, &squares);
#pragma omp parallel for schedule(dynamic, 64) num_threads(team.threads) if (team.threads > 1)
    for (int i = 0; i < (ok ? c->n : 0); i++)
        if (!wanted || wanted[i])
            contact_diagonal(c, i, squares, scratch + stride * (size_t)omp_get_thread_num(),
                             c->diagonal + 9 * (int64_t)i);
    plait_free(scratch), plait_free(squares);
    return ok;
}

bool plait_compliance_columns(const plait_compliance *c, plait_team team, plait_stop *stop, const int64_t *ptr,
                              double *column)
{
    size_t stride = plait_limb_columns_size(c);
    double *scratch = plait_aligned_alloc(64, stride * (size_t)team.threads * sizeof *scratch);
    if (!scratch)
        return false;
#pragma omp parallel for schedule(dynamic, 64) num_threads(team.threads) if (team.threads > 1)
    for (int k = 0; k < c->limbs; k++) {
        if (plait_stop_now(stop))
            continue;
        double *X = scratch + stride * (size_t)omp_get_thread_num();
        plait_limb_columns(c, k, X);
        for (int i = 0; i < c->body[c->limb_body[k]].size; i++)
            memcpy(column + ptr[k] + 3 * i, X + i * N, 3 * sizeof *X);
    }
    plait_free(scratch);
    return !plait_stop_now(stop);
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
    int *mark = plait_malloc(2 * ((size_t)c->n + 1) * sizeof *mark);
    if (!mark)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", c->n), -1;
    memset(mark, -1, (size_t)c->n * sizeof *mark);
    int64_t blocks = 0;
    for (int i = 0; i < c->n; i++)
        blocks += row_neighbours(c, i, mark, mark + c->n);
    plait_free(mark);
    return blocks;
}

// Row i of the upper half of W: one solve per limb, one small product per neighbour. Sparse factors are not for rows.
static void assemble_row(const plait_compliance *c, plait_block_matrix *W, int i, double *X, int64_t *slot)
{
    for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++)
        slot[W->col[k]] = k;
    for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
        int limb = c->contact_limb[k], b = c->limb_body[limb];
        if (c->pack[c->body[b].pack].kind == PLAIT_FACTOR_SPARSE)
            continue;
        plait_limb_columns(c, limb, X);
        for (int m = c->body[b].first_limb; m < c->body[b + 1].first_limb; m++) {
            int j = c->limb[m].contact;
            if (j < i)
                continue;
            double B[9] = {0};
            plait_limb_block(c, &c->limb[m], X, B);
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

plait_block_matrix *plait_compliance_assemble(const plait_compliance *c, plait_team team, plait_stop *stop,
                                              plait_error *error)
{
    int64_t blocks = plait_compliance_count_blocks(c, error);
    if (blocks < 0)
        return NULL;
    plait_block_matrix *W = plait_block_matrix_new(c->n, blocks);
    int *mark = plait_malloc(((size_t)c->n + 1) * sizeof *mark);
    size_t stride = plait_limb_columns_size(c), contacts = (size_t)c->n + 1;
    double *X = plait_aligned_alloc(64, stride * (size_t)team.threads * sizeof *X);
    int64_t *slot = plait_malloc(contacts * (size_t)team.threads * sizeof *slot);
    if (!W || !mark || !X || !slot) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for W with %lld blocks", (long long)blocks);
        plait_block_matrix_free(W), plait_free(mark), plait_free(X), plait_free(slot);
        return NULL;
    }
    memset(mark, -1, (size_t)c->n * sizeof *mark);
    for (int i = 0; i < c->n; i++) {
        int count = row_neighbours(c, i, mark, W->col + W->ptr[i]), *col = W->col + W->ptr[i];
        if (count > c->n / FULL) // quicker than to sort them
            for (int j = 0, k = 0; j < c->n; j++)
                k += mark[j] == i ? (col[k] = j, 1) : 0;
        else
            plait_sort(col, (size_t)count, sizeof(int), by_value);
        W->ptr[i + 1] = W->ptr[i] + count;
    }
#pragma omp parallel for schedule(dynamic, 64) num_threads(team.threads) if (team.threads > 1)
    for (int i = 0; i < c->n; i++) {
        if (plait_stop_now(stop))
            continue;
        assemble_row(c, W, i, X + stride * (size_t)omp_get_thread_num(),
                     slot + contacts * (size_t)omp_get_thread_num());
    }
    plait_free(mark), plait_free(X), plait_free(slot);
    bool ok = plait_compliance_add_sparse(c, team, stop, W);
    if (!ok || plait_stop_now(stop)) {
        plait_error_set(error, PLAIT_NO_MEMORY, "the assembly of W of %d contacts %s", c->n,
                        ok ? "was stopped" : "lacked memory");
        plait_block_matrix_free(W);
        return NULL;
    }
    mirror(W);
    return W;
}
