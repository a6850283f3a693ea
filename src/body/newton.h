// newton.h: the one Newton minimiser of the rod models: a minimum of the energy (statics), or of the objective of an
// implicit step.
//
// A model has a present configuration and a trial one, and a function of the configuration to be made small; it gives
// the functions below and nothing else. The method:
//
//     held dofs go to their targets at once, the rest follows as the linearised equations say
//     direction      -(H + shift weight)^-1 gradient, with as little shift as makes the matrix positive definite
//     line search    the function must get lower; edges are turned instead of being sheared where they are stiff
//     at a balance   in statics: if it is no minimum, off along the direction of most negative curvature
#ifndef PLAIT_BODY_NEWTON_H
#define PLAIT_BODY_NEWTON_H

#include "body/rod.h"

// The function, and the sum of the absolute values of its terms (what rounding is relative to).
typedef struct plait_newton_value {
    double sum, magnitude;
} plait_newton_value;

typedef struct plait_newton_matrix {
    double shift;    // times weight, on the diagonal
    bool moving;     // held dofs have steps: to their targets
    bool indefinite; // factorise it even if it is not positive definite (a model may refuse)
} plait_newton_matrix;

typedef struct plait_newton_type {
    // Trial <- present + alpha step, straight or curved. False: it cannot be (an edge without length, a folded hinge).
    bool (*try_step)(plait_rod *rod, double alpha, bool curved);
    // Of the trial or the present configuration; gradient [dofs] may be NULL.
    plait_newton_value (*evaluate)(plait_rod *rod, bool trial, double *gradient);
    void (*accept)(plait_rod *rod); // present <- trial; may refresh what is lagged
    // Second derivatives at the present configuration, of which the gradient is known. safe: without what can make
    // them indefinite.
    void (*hessian)(plait_rod *rod, bool safe);
    // Factorises them; rhs (may be NULL) is made to fit what held dofs do. False: not positive definite.
    bool (*factorise)(plait_rod *rod, const plait_newton_matrix *matrix, double *rhs);
    void (*solve)(plait_rod *rod, double *x); // x[dofs], of the memory below
    // Largest force out of balance at the present configuration; the forces that act, and their rounding.
    double (*residual)(const plait_rod *rod, double *scale, double *rounding);
    double (*turn)(const plait_rod *rod); // [rad] largest turn that the step asks of an edge
    // All below may be NULL.
    double (*stretch)(const plait_rod *rod); // of the trial; models that cannot stretch have none
    bool (*calm)(plait_rod *rod);            // the step without what is out of proportion; false: nothing is
    void (*tangent)(plait_rod *rod);         // the step keeps what is held, to first order
    void (*settle)(plait_rod *rod);          // at the end of a step: what must not depend on the way there
    bool (*astray)(const plait_rod *rod);    // in statics: it goes away for ever
    double largest_turn;                     // [rad] in one iteration
} plait_newton_type;

// The model's memory and numbers.
typedef struct plait_newton {
    const plait_newton_type *type;
    int dofs;
    const unsigned char *fixed; // [dofs]
    const double *weight;       // [dofs] positive: what a shift is multiplied by
    double *gradient;           // [dofs] at the present configuration
    double *step;               // [dofs]
    double *trial;              // [dofs] gradient of the trial; NULL: not asked for, evaluated anew when it is taken
    double *spare;              // [dofs] room
    double least, first;        // shift: in statics always; the first that is worth a try
    double most;                // above it the step would hardly move: safe second derivatives are better (or INFINITY)
    double stiffest;            // largest shift to try when nothing goes down (or 0)
    int patience;               // statics: shifted iterations in a row that make it look for a saddle (or INT_MAX)
} plait_newton;

typedef struct plait_newton_options {
    double tolerance;
    int max_iterations;
    double dt;   // of the step; 0: statics, and the result must be a minimum
    bool linear; // one iteration without line search
    bool moving; // held dofs are not at their targets yet
} plait_newton_options;

// False: not converged; the report says why. The present configuration is the best that was found.
bool plait_newton_minimise(plait_rod *rod, const plait_newton *memory, const plait_newton_options *options,
                           plait_step_report *report);

#endif
