// path.h: equilibria along a path that may turn back: continuation by arc length.
//
// Loads and scripts follow a parameter p [s]. In ordinary statics p is the time; where an equilibrium ceases to exist,
// at a fold, a step falls to another one. With `step.arc` both the motion and p are unknown:
//
//     g(v, p) = H^T r        balance of every body at the end of the step, definite or not (body.h, tangent)
//     (u, r) in C            contacts by their laws, u = H v + w(p)
//     t . (x, p) = 1         the step goes on by one arc length in the direction of the last one (the secant)
//
// where (a, b) . (c, d) = mean over nodes of a . c / arc^2 + b d / dt^2: a step moves nodes by `arc` (root mean
// square) or the parameter by dt, or a part of both. Newton's method on all of it, from the secant; the law's natural
// functions (Alart and Curnier) make contacts a part of it. What it finds is handed to the usual stages, with M made
// definite: f = M v - g(v) is exact for any M, so they find the same motion, and judge it.
#ifndef PLAIT_SIM_PATH_H
#define PLAIT_SIM_PATH_H

#include "sim/sim.h"

// Whether this step is one on a path.
bool plait_sim_on_path(const plait_model *m, const plait_state *s);
// Before bodies come to rest: the way of the last step.
void plait_sim_path_begin(const plait_model *m, const plait_state *s, plait_work *w);
// Instead of predict and detect; again: contacts were added. Solution and v_free are what was found.
bool plait_sim_follow(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a, bool again);

// H of all touches by limbs, with w and mu; M of all bodies is in them. Of the whole system: dof i of body b is
// first_dof[b] + i.
typedef struct plait_contact_rows {
    plait_limbs H;
    double *w, *mu; // [3 n], [n]
} plait_contact_rows;
// Room for one more entry of a matrix in triplets; its value.
typedef struct plait_triplets {
    int *row, *col;
    double *val;
    int64_t count, room;
    bool failed;
} plait_triplets;
void plait_triplets_add(plait_triplets *t, int row, int col, double value);
bool plait_triplets_sparse(plait_triplets *t, int rows, plait_sparse *A); // entries of one place stay apart
void plait_triplets_free(plait_triplets *t);

// path_system.c: M of all bodies; half: its lower triangle alone.
void plait_path_add_bodies(const plait_model *m, plait_triplets *t, const double *scale, bool half);
// y += H x, or H^T x. Columns of H are dofs of the whole system.
void plait_path_apply(const plait_model *m, const plait_work *w, const plait_limbs *H, const double *x, bool transposed,
                      double *y);
// Entry by entry: f(data, contact, axis, dof, value).
void plait_path_each(const plait_model *m, const plait_work *w, const plait_limbs *H,
                     void (*f)(void *data, int contact, int axis, int dof, double value), void *data);

// stability.c: the lowest eigenvalues of stiffness and mass, K x = lambda m x [1/s^2], contacts that hold as
// constraints, into w->eigenvalue. Less than zero: the equilibrium is not stable. NAN: it cannot be told. False: it was
// stopped, or there is no memory (a->status): the step is not to be accepted without them.
bool plait_sim_stability(const plait_model *m, plait_work *w, plait_attempt *a);

#endif
