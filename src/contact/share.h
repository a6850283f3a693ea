// share.h: what one rank has of a group that is spread over many (spread.h).
//
// Bodies are dealt out in their order, each whole to one rank, with its factor and its limbs. Contacts are *kept* in
// their order too, by whole chunks (base/parallel.h): r, u and all that a solver does with them lives with the keeper,
// and sums over contacts are those of one process, part by part. A product u = W r + b takes two exchanges:
//
//     keeper of contact i --r_i--> ranks that have a body of i: scatter, solve, gather
//                        <--limb velocities, 3 numbers each--  and the keeper adds them to b_i in the order of limbs
//
// so that every number is computed as one process would: bits do not depend on the number of ranks.
#ifndef PLAIT_CONTACT_SHARE_H
#define PLAIT_CONTACT_SHARE_H

#include "base/team.h"
#include "contact/system.h"

// From what rank 0 has packed for this rank (spread.c); all ranks at the same time. Takes the packet. Without memory
// the rank is lost.
plait_share *plait_share_new(plait_team team, void *packet);
void plait_share_free(plait_share *share);

// The contacts that it keeps, ready for a solver.
plait_system *plait_share_system(plait_share *share);

// u = W r + b of the contacts kept. many: there were many products before, and matrices of bodies pay.
void plait_share_apply(plait_share *share, bool many, const double *r, const double *b, double *u);

// Which chunks it keeps; parts of sums of all chunks, from those of its own. With them ranks agree on whether to stop.
void plait_share_chunks(const plait_share *share, int *first, int *last);
void plait_share_sums(plait_share *share, plait_sums *sums);

// For what has to be added up in one go: before comes what the rank before has come to, after hands it on, and then is
// what the last one came to. Numbers only.
void plait_share_before(plait_share *share, size_t bytes, void *numbers);
void plait_share_after(plait_share *share, size_t bytes, void *numbers);

// ---- how a group is cut: depends on its size and the number of ranks alone ------------------------------------------

// The first chunk, and the first contact, that a rank keeps.
int plait_share_first_chunk(int n, int ranks, int rank);
int plait_share_first(int n, int ranks, int rank);

// ---- packets: what goes to a rank in one message --------------------------------------------------------------------

// Sizes come first, then arrays, each from a multiple of 8 bytes on.
typedef struct plait_packet {
    char *block;
    size_t size, room;
} plait_packet;

typedef struct plait_share_sizes {
    int64_t bytes; // of the whole packet
    int all;       // contacts of the group
    int contacts, limbs, bodies, largest;
    int64_t columns, factors;
} plait_share_sizes;

static inline size_t plait_packet_round(size_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

#endif
