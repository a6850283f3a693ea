// chain.h: what rod models share whose dofs form a chain, so that the Hessian has half-bandwidth PLAIT_BAND:
// mass-spring chains and CoRdE rods. Memory, the banded matrix with held dofs, curved steps, the linearised step, and
// what the Newton minimiser (newton.h) needs of all of them.
#ifndef PLAIT_BODY_CHAIN_H
#define PLAIT_BODY_CHAIN_H

#include "body/newton.h"
#include "math/banded.h"

typedef struct plait_chain plait_chain;

// An edge between two nodes: direction and length.
typedef struct plait_chain_edge {
    double t[3], length;
} plait_chain_edge;

// The first member of what a model keeps in rod->impl.
struct plait_chain {
    const plait_newton_type *type;               // with the three functions below in it
    void (*start)(plait_rod *rod, double dt);    // begins a step where the state is; dt = 0: statics
    void (*assemble)(plait_rod *rod, bool safe); // band <- second derivatives of all dofs at the present configuration
    double (*stretch)(const plait_rod *rod);     // the largest at the present configuration
    double *memory;                              // one block for all arrays, the model's too
    int dofs;
    unsigned char *fixed; // [dofs]
    double *target;       // [dofs] what held dofs still have to go
    double *whole;        // [dofs] room
    double *weight;       // [dofs] positive: what a shift of the matrix is multiplied by
    double *gradient;     // [dofs] at the present configuration
    double *step;         // [dofs + pad]
    double *spare;        // [dofs + pad]
    double *band;         // [plait_banded_room(dofs)]
    double least, most;   // shifts that are worth adding, in units of weight; above, the step would hardly move
    double *dt;           // of the step
    bool safe;            // which second derivatives the next matrix has
};

// Adds s B to the 3 x 3 block of rows r and columns c of a band (r >= c); only the lower triangle is kept.
static inline void plait_chain_add(double *band, int r, int c, double s, const double *B)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            if (r + i >= c + j)
                band[(size_t)(c + j) * PLAIT_BAND_STRIDE + (size_t)(r + i - c - j)] += s * B[3 * i + j];
}

// Doubles that plait_chain_lay_out needs.
size_t plait_chain_room(int dofs);
double *plait_chain_lay_out(plait_chain *c, int dofs, double *memory); // returns what is behind

void plait_chain_free(plait_rod *rod); // plait_rod_type.free

// What chains have in common of their plait_newton_type.
void plait_chain_hessian(plait_rod *rod, bool safe);
bool plait_chain_factorise(plait_rod *rod, const plait_newton_matrix *matrix, double *rhs);
void plait_chain_newton_solve(plait_rod *rod, double *x);
#define PLAIT_CHAIN_NEWTON                                                                                             \
    .hessian = plait_chain_hessian, .factorise = plait_chain_factorise, .solve = plait_chain_newton_solve,             \
    .largest_turn = 1.5

// The minimum of statics: where the rod rests.
bool plait_chain_relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report);
// A step of dt without contacts. Where no way leads down (an edge collapses on it): steps of a small part of dt and of
// the ways of the ends, which inertia rules, then of larger ones, each from where the last stopped.
bool plait_chain_predict(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report);

// A step of the nodes that turns edges instead of shearing them, the same to first order: what goes along an edge
// lengthens it, what goes across turns it. Straight steps of a stiff rod stretch it, and must be very short.
// delta[stride per node] is the displacement since the start, when the edges were start_edge[3n]; edge[n] are the
// present ones.
void plait_chain_curve(const plait_chain *c, int n, int stride, const plait_chain_edge *edge, const double *start_edge,
                       const double *present, double alpha, double *delta);

void plait_chain_solve(plait_rod *rod, double *X, int count); // plait_rod_type.solve

// What of a linearised step is asked for, from the band before it is factorised: M, and f <- M v (v NULL: not that).
void plait_chain_hand_out(const plait_chain *c, const double *v, const plait_rod_linear *out);
// What plait_rod_type.linearise does, about the velocities v: the factor stays in the chain, and f gets M v - dt
// gradient, so that M v+ = f; held dofs get their velocities. False if the step or the factor fails.
bool plait_chain_linearise(plait_rod *rod, double dt, const double *v, const plait_rod_linear *out);
bool plait_chain_residual(plait_rod *rod, double dt, const double *v, double *g); // plait_rod_type.residual
// From the start to dt v, held dofs to their targets, of a step that was started. False: it cannot be.
bool plait_chain_go(plait_rod *rod, double dt, const double *v);
// The present configuration <- about + d. False: it cannot be.
bool plait_chain_retract(plait_rod *rod, double dt, const double *about, const double *d);
// plait_rod_type.slopes, but for what couples have done.
bool plait_chain_slopes(plait_rod *rod, double dt, const double *v, plait_rod_slopes *s);

#endif
