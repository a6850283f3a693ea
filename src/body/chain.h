// chain.h: Newton's method for bodies whose dofs form a chain, so that the Hessian has half-bandwidth PLAIT_BAND.
//
// The body has a present configuration and a trial one, and an objective of the configuration: the energy, or the
// incremental potential of an implicit step. This is the minimisation that mass-spring chains and CoRdE rods share:
// line search, a shift of the matrix where it is not positive definite, a way off saddles in statics. Held dofs are
// moved to their targets first.
#ifndef PLAIT_BODY_CHAIN_H
#define PLAIT_BODY_CHAIN_H

#include "body/rod.h"
#include "math/banded.h"

// The objective, and the sum of the absolute values of its terms (what rounding is relative to).
typedef struct plait_chain_value {
    double sum, magnitude;
} plait_chain_value;

typedef struct plait_chain plait_chain;

// An edge between two nodes: direction and length.
typedef struct plait_chain_edge {
    double t[3], length;
} plait_chain_edge;

typedef struct plait_chain_ops {
    // Trial <- present + alpha step, straight or curved (see below). False: it cannot be (an edge without length, a
    // folded hinge).
    bool (*try_step)(plait_rod *rod, double alpha, bool curved);
    // Of the trial (or present) configuration; the gradient may be NULL.
    plait_chain_value (*evaluate)(plait_rod *rod, bool trial, double *gradient);
    void (*accept)(plait_rod *rod); // present <- trial; may refresh what is lagged
    // chain->band, all dofs, at the present configuration. safe: without the parts that can make it indefinite.
    void (*hessian)(plait_rod *rod, bool safe);
    // Largest force out of balance [N], and the forces that act and their rounding.
    double (*residual)(const plait_rod *rod, double *scale, double *rounding);
    double (*longest)(const plait_rod *rod); // fraction of the step that is not too wild, at most 1
} plait_chain_ops;

struct plait_chain {
    const plait_chain_ops *ops;
    int dofs;
    unsigned char *fixed; // [dofs]
    double *target;       // [dofs] what held dofs still have to go
    double *weight;       // [dofs] positive: what a shift of the matrix is multiplied by
    double *gradient;     // [dofs] at the present configuration
    double *step;         // [dofs + pad]
    double *spare;        // [dofs + pad]
    double *band;         // [plait_banded_room(dofs)]
    double *matrix;       // the same; M of the last linearise, before it was factorised
    double least, most;   // shifts that are worth adding, in units of weight; above, the step would hardly move
    // of the run
    double shift;
    int kicks;
    plait_chain_value value;
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

typedef struct plait_chain_options {
    double tolerance;
    int max_iterations;
    bool linear;  // one iteration without line search
    bool statics; // the result must be a minimum
} plait_chain_options;

bool plait_chain_minimise(plait_rod *rod, plait_chain *c, const plait_chain_options *options,
                          plait_step_report *report);

// A step of the nodes that turns edges instead of shearing them, the same to first order: what goes along an edge
// lengthens it, what goes across turns it. Straight steps of a stiff rod stretch it, and must be very short.
// delta[stride per node] is the displacement since the start, when the edges were start_edge[3n]; edge[n] are the
// present ones.
void plait_chain_curve(const plait_chain *c, int n, int stride, const plait_chain_edge *edge, const double *start_edge,
                       const double *present, double alpha, double *delta);

// What to factorise: scale * (Hessian + shift * weight).
typedef struct plait_chain_matrix {
    double scale, shift;
    bool safe;
} plait_chain_matrix;

// band <- the matrix, held dofs decoupled, factorised. rhs (may be NULL) is -gradient on entry; the columns of held
// dofs times their values `held` go to the right. False: not positive definite.
bool plait_chain_factorise(plait_rod *rod, plait_chain *c, plait_chain_matrix matrix, const double *held, double *rhs);
void plait_chain_solve(plait_chain *c, double *X, int count);

// The linearised step about the velocities v, of a step that the model has started: the factor stays in c, and f (may be
// NULL) gets M v - dt gradient, so that M v+ = f; held dofs get their velocities. False if the step or the factor fails.
bool plait_chain_linearise(plait_rod *rod, plait_chain *c, double dt, const double *v, double *f);

// What plait_rod_type.residual gives, of a step that the model has started.
bool plait_chain_residual(plait_rod *rod, plait_chain *c, double dt, const double *v, double *g);
// The present configuration <- about + d, of a step that the model has started. False: it cannot be.
bool plait_chain_retract(plait_rod *rod, plait_chain *c, double dt, const double *about, const double *d);

// What plait_rod_type.matrix gives, for models that are chains.
void plait_chain_copy_matrix(const plait_chain *c, double *M, unsigned char *held);

#endif
