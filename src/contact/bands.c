#include "contact/bands.h"

#include <stdlib.h>
#include <string.h>

#include "math/sparse.h"

bool plait_bands_alloc(plait_bands *B, int bodies)
{
    size_t count = (size_t)bodies + 1;
    *B = (plait_bands){.bodies = bodies};
    B->first = calloc(count, sizeof *B->first);
    B->width = calloc(count, sizeof *B->width);
    B->ptr = calloc(count, sizeof *B->ptr);
    if (B->first && B->width && B->ptr)
        return true;
    plait_bands_free(B);
    return false;
}

bool plait_bands_room(plait_bands *B)
{
    for (int b = 0; b < B->bodies; b++)
        B->ptr[b + 1] = B->ptr[b] + (int64_t)(B->first[b + 1] - B->first[b]) * (B->width[b] + 1);
    B->val = malloc(((size_t)B->ptr[B->bodies] + 1) * sizeof *B->val);
    return B->val != NULL;
}

void plait_bands_free(plait_bands *B)
{
    free(B->first), free(B->width), free(B->ptr), free(B->val);
    *B = (plait_bands){0};
}

// The rows of a body, from entry `at` on. Returns where they end; without M they are only counted.
static int64_t write_rows(const plait_bands *B, int b, plait_sparse *M, int64_t at)
{
    int first = B->first[b], size = B->first[b + 1] - first, w = B->width[b];
    for (int r = 0; r < size; r++) {
        for (int c = r - w > 0 ? r - w : 0; c < size && c <= r + w; c++) {
            double value = plait_bands_entry(B, b, r, c);
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

bool plait_bands_to_sparse(const plait_bands *B, plait_sparse *M)
{
    int64_t entries = 0;
    for (int b = 0; b < B->bodies; b++)
        entries = write_rows(B, b, NULL, entries);
    if (!plait_sparse_alloc(M, B->first[B->bodies], B->first[B->bodies], entries))
        return false;
    int64_t at = 0;
    for (int b = 0; b < B->bodies; b++)
        at = write_rows(B, b, M, at);
    return true;
}

bool plait_bands_extract(const plait_bands *B, const int *body, int count, plait_bands *to)
{
    if (!plait_bands_alloc(to, count))
        return false;
    for (int k = 0; k < count; k++) {
        to->first[k + 1] = to->first[k] + B->first[body[k] + 1] - B->first[body[k]];
        to->width[k] = B->width[body[k]];
    }
    if (!plait_bands_room(to)) {
        plait_bands_free(to);
        return false;
    }
    for (int k = 0; k < count; k++)
        memcpy(to->val + to->ptr[k], B->val + B->ptr[body[k]], (size_t)(to->ptr[k + 1] - to->ptr[k]) * sizeof *to->val);
    return true;
}
