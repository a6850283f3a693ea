// bands.h: M of many bodies side by side, the lower band of each: what a simulation has, a third of the size of all of it.
#ifndef PLAIT_CONTACT_BANDS_H
#define PLAIT_CONTACT_BANDS_H

#include "plait/contact.h"

// Entry (c + d, c) of body b, its own dofs counted from 0, is val[ptr[b] + c (width[b] + 1) + d].
typedef struct plait_bands {
    int bodies;   // 0: not there
    int *first;   // [bodies + 1] dofs
    int *width;   // [bodies] half-bandwidth
    int64_t *ptr; // [bodies + 1]
    double *val;
} plait_bands;

// The sizes of the bodies are to be filled in: first and width. False without memory.
bool plait_bands_alloc(plait_bands *B, int bodies);
// Then this sets ptr and makes room for the values.
bool plait_bands_room(plait_bands *B);
void plait_bands_free(plait_bands *B);

// All of M, without zeros. False without memory.
bool plait_bands_to_sparse(const plait_bands *B, plait_sparse *M);

// Some of the bodies, ascending. False without memory.
bool plait_bands_extract(const plait_bands *B, const int *body, int count, plait_bands *to);

static inline double plait_bands_entry(const plait_bands *B, int b, int r, int c)
{
    int low = r < c ? r : c, d = r < c ? c - r : r - c;
    return d <= B->width[b] ? B->val[B->ptr[b] + (int64_t)low * (B->width[b] + 1) + d] : 0;
}

#endif
