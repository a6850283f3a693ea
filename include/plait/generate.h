// generate.h: made-up problems, so that tests and benchmarks need no outside data.
#ifndef PLAIT_GENERATE_H
#define PLAIT_GENERATE_H

#include "plait/contact.h"

#ifdef __cplusplus
extern "C" {
#endif

// Fibre-like problems: rods of `vertices` vertices, clamped at the root, with hair-like M = mass + dt^2 (bending +
// stretching stiffness), and random contacts between points of different rods (barycentric on an edge of each).
typedef struct plait_fibre_options {
    int rods, vertices;
    double nu; // contacts = nu * dofs / 3
    double mu;
    double dt;    // [s]
    bool heavy;   // contacts also on the clamped root edges, where W_ii is 1e4 times smaller
    double local; // 0: partners anywhere; > 0: rods stand on a grid, partners are about this many spacings apart
    uint64_t seed;
    bool along; // the two points of a contact are at the same arclength, as in combed hair: factors stay small
    bool rest;  // loaded and nearly still: an answer exists in which every contact sticks, but for a slow drift
} plait_fibre_options;
PLAIT_API plait_fibre_options plait_default_fibre_options(void); // 100 rods of 30, nu 1, mu .3, dt 3 ms, local 1.3
// The same problem for the same options on any machine. In units of one vertex's mass; global form, w = 0.
PLAIT_API plait_problem *plait_problem_generate_fibres(const plait_fibre_options *options, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
