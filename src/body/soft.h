// soft.h: soft bodies, seen from inside: nodes with three dofs each, and elements that hold them together.
//
// A step of dt from x, v: the velocity v' at its end minimises
//
//     phi(v') = 1/2 (v' - v~)^T m (v' - v~) + E(x + dt v') + dt/2 v'^T D v'           v~ = v + dt (gravity, wind)
//
// which is implicit Euler, with E the sum over elements and D their viscosity at x (so that it acts on rates of strain
// alone: a body that turns is not slowed down). Newton's method with a line search, with the positive semidefinite
// parts of the elements' second derivatives, or with all of them where that is positive definite and the parts lead
// there slowly. With theta < 1 only this part of E is taken at the end, the rest of the force at x.
//
// Integrator bdf2 (bdf2.h): m is kappa m there, v is vhat.
//
//     M = m + dt D + dt^2 E''(x + dt v),   f = M v - phi'(v)              about any velocity v
//
// M is kept as its lower triangle by rows: those of node i have the blocks of its neighbours j < i, then its own,
//
//     row 3 i + r:   [j1 j1 j1] [j2 j2 j2] ... [i .. up to the diagonal]      row 0 begins at row_at[i]
//
// so that the place of an entry is row_at[i] + r (3 below[i]) + r (r + 1)/2 + 3 k + c for the k-th neighbour.
// Held nodes: rows of the identity; they go where a script or the world has them.
#ifndef PLAIT_BODY_SOFT_H
#define PLAIT_BODY_SOFT_H

#include "body/bdf2.h"
#include "body/body.h"
#include "math/factor.h"
#include "plait/soft.h"

enum { PLAIT_ELEMENT_NODES = 6, PLAIT_ELEMENT_PAIRS = 21, PLAIT_SOFT_SETS = 2 };

// Block (a, b), a >= b, of an element's matrix.
static inline int plait_element_pair(int a, int b)
{
    return a * (a + 1) / 2 + b;
}

// What elements of one kind are.
typedef struct plait_element_type {
    const char *name;
    int nodes;
    // Energy [J] with its nodes at x[nodes][3]; g[nodes][3] <- its gradient; H[pairs] <- blocks of its second
    // derivative, exact (as far as the element knows it), or without what is not positive. NULL: not wanted.
    double (*energy)(const void *data, int e, const double *x, double *g, double (*H)[9], bool exact);
    // H <- viscosity at x: positive semidefinite, zero for velocities of rigid bodies.
    void (*viscosity)(const void *data, int e, const double *x, double (*H)[9]);
    // Numbers that say how strained it is; at most 6. Returns how many. NULL: judged by others.
    int (*strain)(const void *data, int e, const double *x, double s[6]);
    bool patient; // its second derivative changes no more than in proportion to the strain: M may be kept (soft_keep.c)
} plait_element_type;

typedef struct plait_elements {
    const plait_element_type *type;
    int count;
    int *node;     // [count][nodes]
    int64_t *slot; // [count][pairs] where row 0 of each block is in M; -1: a node is held, or is there twice
    void *data;    // of the type
} plait_elements;

typedef struct plait_soft_impl {
    int nodes, sets;
    plait_elements set[PLAIT_SOFT_SETS];
    double drag;
    bool damped, free; // some element is viscous; no node is held
    int *triangle;
    plait_skin skin;
    double *rest;             // [3 nodes]
    double *mass;             // [nodes]
    int *hold;                // [nodes]
    const plait_body **carrier; // [nodes] of held ones; NULL: the world
    double *held_local;       // [3 nodes] in the frame of the carrier
    double *held_at;          // [3 nodes] at the end of the step
    int *below;               // [nodes] neighbours with a smaller number
    int64_t *row_at;          // [nodes]
    plait_cholesky_plan *plan;
    plait_factor factor; // small bodies, and large ones that are stiff
    double *factor_work;
    plait_kept_factor kept; // its numbers, and whether they are those of kept_M; without one, of M
    double *kept_M;         // [entries] NULL: M is another in every step
    double *kept_at;        // [3 nodes + 1] the places that kept_M is of, and its dt; 0: there is none
    bool renewed;           // in this step: the state does not know it yet
    double *inverse, *cg; // large ones: [6 nodes] inverse blocks, [12 nodes] vectors of conjugate gradients
    double gravity[3], wind[3];
    double *force; // [3 nodes] [N] dead loads; NULL: none
    // of a step: [3 nodes] each
    double *place;    // at the end, for the velocity at hand
    double *about;    // places where it was linearised
    double *goal;     // v~
    plait_bdf2 second; // integrator bdf2: this step; else kappa = 1
    double *explicit; // impulse of the part of forces that is taken at the start
    double *pressed;  // impulses of contacts, of the last step or the last round
    bool is_pressed;
    int rounds;       // of this step in which M was exact
    double *g, *direction, *trial;
    double *D;        // [entries] viscosity at the start
    double scale;     // of impulses, for the tolerance
    bool slow;        // conjugate gradients took too long
    double *state;    // until it gets its place
    void *memory;
} plait_soft_impl;

static inline plait_soft_impl *plait_soft_of(const plait_body *b)
{
    return b->impl;
}

// soft_build.c
bool plait_elements_alloc(plait_elements *set, const plait_element_type *type, int count, size_t data_size);

// soft_sum.c: sums over all elements. energy: of places x; g [3 nodes] += factor * gradient (NULL: not wanted).
// matrix: K += factor * second derivative, exact or its positive part. viscosity: D <- that at x.
double plait_soft_energy(const plait_soft_impl *s, const double *x, double factor, double *g);
void plait_soft_matrix(const plait_soft_impl *s, const double *x, double factor, bool exact, double *K);
void plait_soft_viscosity(const plait_soft_impl *s, const double *x, double *D);
// y += factor * A x for the lower triangle of a matrix like M.
void plait_soft_apply(const plait_soft_impl *s, const double *A, double factor, const double *x, double *y);
// The largest difference of strain between places x and y.
double plait_soft_strain_apart(const plait_soft_impl *s, const double *x, const double *y);

// soft_solve.c: d <- -M^-1 g. accuracy: of g, what may be left of it, where that saves work. False: M is not positive
// definite.
bool plait_soft_solve(plait_soft_impl *s, const double *M, const double *g, double accuracy, double *d);
bool plait_soft_make_factor(plait_soft_impl *s);      // memory for it; false without
void plait_soft_share_factor(plait_body *b);          // it is that of b->M: contacts need it next
void plait_soft_forget_factor(plait_body *b);         // b->M is another one
bool plait_soft_iterates(const plait_soft_impl *s); // by conjugate gradients rather than by a factor

// soft_keep.c: whether M may be kept over steps; b->M <- the one that is kept, or one about the places x which is kept
// from now on; in an accepted step the state is told.
bool plait_soft_may_keep(const plait_body *b);
bool plait_soft_make_kept(plait_body *b, bool second_order); // memory; false without
void plait_soft_keep(plait_body *b, double dt, const double *x);
void plait_soft_accept_kept(plait_body *b);

// soft_step.c
// M about places x, exact or positive definite, with the viscosity D (which may be M itself).
void plait_soft_fill_matrix(const plait_body *b, double dt, const double *x, bool exact, const double *D, double *M);
const char *plait_soft_predict(plait_body *b, double dt, double *v);
bool plait_soft_linearise(plait_body *b, double dt, const double *v);
bool plait_soft_stiffen(plait_body *b, double time);
// g [3 nodes] <- phi'(v), zero where nodes are held.
void plait_soft_gradient(const plait_body *b, double dt, const double *v, double *g);

// soft_balance.c: see body.h
void plait_soft_press(plait_body *b, const plait_side *side, const double impulse[3]);
double plait_soft_balance(plait_body *b, double dt, const double *v);
bool plait_soft_strike(plait_body *b, double dt, double *v);
void plait_soft_rebound(plait_body *b, const double *v);

// soft_account.c
bool plait_soft_account(plait_body *b, double dt, const double *v, double elastic, bool touched,
                        plait_account *account);

// The kinds of elements (springs.c, membrane.c, hinges.c, tetrahedra.c). Each fills in a set from the natural shape.
// False without memory.
bool plait_springs_make(const plait_soft *cloth, plait_elements *set);
bool plait_membrane_make(const plait_soft *cloth, plait_elements *set);
bool plait_hinges_make(const plait_soft *cloth, plait_elements *set);
bool plait_tetrahedra_make(const plait_soft *solid, plait_elements *set);

#endif
