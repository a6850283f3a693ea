// ranks.h: processes that work on one problem together, seen from one of them.
//
// A rank is a process with memory of its own. The library knows no MPI: whoever has a way to exchange numbers between
// processes fills in this table (mpi/ranks.c does it with MPI, a test with threads) and enters it. Rank 0 leads: it
// runs the program, and asks the others for help by what it tells them; they wait in a loop (contact/spread.h).
//
// All functions are called by all ranks in the same order, but for send and receive, which two of them call, and lose.
// They do not fail: a rank that is lost ends the program.
#ifndef PLAIT_BASE_RANKS_H
#define PLAIT_BASE_RANKS_H

#include <stddef.h>
#include <stdint.h>

// What a rank has done and has; all since its start, but for what it has of the group of contacts dealt out last.
typedef struct plait_ranks_account {
    double messages, bytes;    // that it has sent
    double wait, cpu, memory;  // [s] for others, [s] of its processor, [bytes] at most
    double products, solves;   // with W; of groups
    double bodies, contacts, cut; // of the last group: its bodies, contacts that it keeps, those of them with a body of
                                  // another rank
} plait_ranks_account;

typedef struct plait_ranks plait_ranks;
struct plait_ranks {
    int rank, count; // this one, out of how many
    int least;       // contacts of a group from which on it is worth spreading
    void *data;      // of who filled this in
    plait_ranks_account account;
    // Rank 0 tells all others.
    void (*tell)(plait_ranks *ranks, void *what, size_t bytes);
    void (*send)(plait_ranks *ranks, int to, const void *what, size_t bytes);
    void (*receive)(plait_ranks *ranks, int from, void *what, size_t bytes);
    // out[out_ptr[k]..] goes to rank k, in[in_ptr[k]..] comes from rank k; numbers, [count + 1] places each.
    void (*swap)(plait_ranks *ranks, const double *out, const int64_t *out_ptr, double *in, const int64_t *in_ptr);
    // all[count][each]: everybody fills in its own row and gets those of the others.
    void (*share)(plait_ranks *ranks, double *all, int each);
    // This rank cannot go on (it has no memory): all of them end, with this message. Does not return.
    void (*lose)(plait_ranks *ranks, const char *why);
    // Brings cpu, memory and wait of the account up to date.
    void (*look)(plait_ranks *ranks);
};

// The ranks that this thread's teams have, NULL: it works alone. enter returns those of before.
plait_ranks *plait_ranks_enter(plait_ranks *ranks);
plait_ranks *plait_ranks_current(void);

#endif
