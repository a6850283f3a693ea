#include "contact/bands.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "math/sparse.h"

bool plait_bands_alloc(plait_bands *B, int bodies)
{
    size_t count = (size_t)bodies + 1;
    *B = (plait_bands){.bodies = bodies};
    B->first = plait_calloc(count, sizeof *B->first);
    B->width = plait_calloc(count, sizeof *B->width);
    B->ptr = plait_calloc(count, sizeof *B->ptr);
    B->plan = plait_calloc(count, sizeof *B->plan), B->kept = plait_calloc(count, sizeof *B->kept);
    if (B->first && B->width && B->ptr && B->plan && B->kept)
        return true;
    plait_bands_free(B);
    return false;
}

bool plait_bands_room(plait_bands *B)
{
    for (int b = 0; b < B->bodies; b++)
        B->ptr[b + 1] = B->ptr[b] + (B->plan[b] ? B->plan[b]->entries
                                                : (int64_t)(B->first[b + 1] - B->first[b]) * (B->width[b] + 1));
    B->val = plait_malloc(((size_t)B->ptr[B->bodies] + 1) * sizeof *B->val);
    return B->val != NULL;
}

void plait_bands_free(plait_bands *B)
{
    plait_free(B->first), plait_free(B->width), plait_free(B->ptr), plait_free(B->val), plait_free(B->plan);
    plait_free(B->kept);
    *B = (plait_bands){0};
}

static double band_entry(const plait_bands *B, int b, int r, int c)
{
    int low = r < c ? r : c, d = r < c ? c - r : r - c;
    return d <= B->width[b] ? B->val[B->ptr[b] + (int64_t)low * (B->width[b] + 1) + d] : 0;
}

// The rows of a band, from entry `at` on. Returns where they end; without M they are only counted.
static int64_t write_rows(const plait_bands *B, int b, plait_sparse *M, int64_t at)
{
    int first = B->first[b], size = B->first[b + 1] - first, w = B->width[b];
    for (int r = 0; r < size; r++) {
        for (int c = r - w > 0 ? r - w : 0; c < size && c <= r + w; c++) {
            double value = band_entry(B, b, r, c);
            if (value == 0 && r != c)
                continue;
            if (M)
                M->col[at] = first + c, M->val[at] = value;
            at++;
        }
        if (M)
            M->ptr[first + r + 1] = at;
    }
    return at;
}

// All of a planned block: its pattern may hold one triangle or both.
static bool whole_block(const plait_bands *B, int b, plait_sparse *A)
{
    const plait_cholesky_plan *p = B->plan[b];
    plait_triplet *t = plait_malloc((2 * (size_t)p->entries + 1) * sizeof *t);
    int64_t count = 0;
    for (int i = 0; t && i < p->n; i++)
        for (int64_t k = p->ptr[i]; k < p->ptr[i + 1]; k++) {
            double value = (p->half[k] ? 0.5 : 1) * B->val[B->ptr[b] + k];
            t[count++] = (plait_triplet){i, p->col[k], value};
            if (p->col[k] != i)
                t[count++] = (plait_triplet){p->col[k], i, value};
        }
    bool ok = t && plait_sparse_from_triplets(p->n, p->n, count, t, A);
    plait_free(t);
    return ok;
}

static int64_t copy_rows(const plait_sparse *A, int first, plait_sparse *M, int64_t at)
{
    for (int i = 0; i < A->rows; i++) {
        for (int64_t k = A->ptr[i]; k < A->ptr[i + 1]; k++)
            M->col[at] = first + A->col[k], M->val[at++] = A->val[k];
        M->ptr[first + i + 1] = at;
    }
    return at;
}

bool plait_bands_to_sparse(const plait_bands *B, plait_sparse *M)
{
    plait_sparse *block = plait_calloc((size_t)B->bodies + 1, sizeof *block); // of planned bodies
    int64_t entries = 0, at = 0;
    bool ok = block != NULL;
    for (int b = 0; ok && b < B->bodies; b++) {
        ok = !B->plan[b] || whole_block(B, b, &block[b]);
        if (ok)
            entries = B->plan[b] ? entries + block[b].ptr[block[b].rows] : write_rows(B, b, NULL, entries);
    }
    ok = ok && plait_sparse_alloc(M, B->first[B->bodies], B->first[B->bodies], entries);
    for (int b = 0; ok && b < B->bodies; b++)
        at = B->plan[b] ? copy_rows(&block[b], B->first[b], M, at) : write_rows(B, b, M, at);
    for (int b = 0; block && b < B->bodies; b++)
        plait_sparse_free(&block[b]);
    plait_free(block);
    return ok;
}

bool plait_bands_extract(const plait_bands *B, const int *body, int count, plait_bands *to)
{
    if (!plait_bands_alloc(to, count))
        return false;
    for (int k = 0; k < count; k++) {
        to->first[k + 1] = to->first[k] + B->first[body[k] + 1] - B->first[body[k]];
        to->width[k] = B->width[body[k]], to->plan[k] = B->plan[body[k]];
        to->kept[k] = B->kept[body[k]];
    }
    if (!plait_bands_room(to)) {
        plait_bands_free(to);
        return false;
    }
    for (int k = 0; k < count; k++)
        memcpy(to->val + to->ptr[k], B->val + B->ptr[body[k]], (size_t)(to->ptr[k + 1] - to->ptr[k]) * sizeof *to->val);
    return true;
}
