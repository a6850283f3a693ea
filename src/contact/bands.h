// bands.h: M of many bodies side by side: what a simulation has, a third of the size of all of it. The lower band of
// most; the entries of a sparse pattern where a body has a plan (cloth, solids). The body's row chooses.
#ifndef PLAIT_CONTACT_BANDS_H
#define PLAIT_CONTACT_BANDS_H

#include "math/factor.h"
#include "plait/contact.h"

// Entry (c + d, c) of body b, its own dofs counted from 0, is val[ptr[b] + c (width[b] + 1) + d]. With a plan the
// entries are those of its pattern, in its order. Plans are analysed once, belong to the bodies, and outlive all
// problems made with them.
typedef struct plait_bands {
    int bodies;   // 0: not there
    int *first;   // [bodies + 1] dofs
    int *width;   // [bodies] half-bandwidth; 0 with a plan
    int64_t *ptr; // [bodies + 1]
    double *val;
    const plait_cholesky_plan **plan; // [bodies] NULL: a band
    plait_kept_factor **kept;         // [bodies] of a body whose M stays for a while, as it is here; NULL: it does not
} plait_bands;

// The sizes of the bodies are to be filled in: first, and width or plan. False without memory.
bool plait_bands_alloc(plait_bands *B, int bodies);
// Then this sets ptr and makes room for the values.
bool plait_bands_room(plait_bands *B);
void plait_bands_free(plait_bands *B);

// All of M, without zeros. False without memory.
bool plait_bands_to_sparse(const plait_bands *B, plait_sparse *M);

// Some of the bodies, ascending. False without memory.
bool plait_bands_extract(const plait_bands *B, const int *body, int count, plait_bands *to);

#endif
