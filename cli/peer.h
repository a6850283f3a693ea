// peer.h: other people's solvers, run by a separate program (bench/peer_siconos.c) and read from its output.
#ifndef PLAIT_CLI_PEER_H
#define PLAIT_CLI_PEER_H

#include "bench.h"

enum { PLAIT_PEERS_MAX = 24, PLAIT_PEER_NAME = 32 };

typedef struct plait_peer_result {
    char outcome[16]; // "solved", "unsolved", "timeout", "crashed", "error"; empty: not run
    double seconds, residual;
    int iterations;
} plait_peer_result;

// What the peers did: result[peer * problems + problem]. Peers are numbered as they first appear.
typedef struct plait_peers {
    int count, problems;
    char name[PLAIT_PEERS_MAX][PLAIT_PEER_NAME];
    plait_peer_result *result; // [PLAIT_PEERS_MAX * problems]
} plait_peers;

bool plait_peer_solved(const plait_peer_result *r);

// The program: `given` if it is not NULL, else beside this one, else in PATH. Returns NULL if there is none; the caller
// frees it.
char *plait_peer_find(const char *given);

// Runs the program on one problem and stores what it says. The reduced form is written to a temporary file first where
// the problem has none. False with a message if the program could not be run at all or does not talk as expected.
bool plait_peer_run(const char *program, const char *solvers, const plait_bench_problem *problem, double tol,
                    double max_time, int index, plait_peers *peers);

#endif
