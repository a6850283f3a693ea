// contact.h: the one-step frictional contact problem and its solvers.
//
// For generalised velocities v, contact impulses r and relative velocities u:
//
//     M v = f + H^T r        dynamics, M symmetric positive definite, block diagonal: one block per body
//     u   = H v + w          relative velocities; w: forced motion, restitution, gap correction
//     (u_i, r_i) in C(mu_i)  Coulomb's law: take-off (r = 0, u_N >= 0), stick (u = 0, |r_T| <= mu r_N) or
//                            slide (u_N = 0, |r_T| = mu r_N, u_T opposite to r_T)
//
// or reduced, u = W r + b with W = H M^-1 H^T and b = H M^-1 f + w. Each contact has three components in its own
// frame, [normal, tangent, tangent]. Letters are those of docs/notation.md; any consistent units will do.
#ifndef PLAIT_CONTACT_H
#define PLAIT_CONTACT_H

#include <stdbool.h>
#include <stdint.h>

#include "plait/sparse.h"
#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- the problem -----------------------------------------------------------------------------------------------

// The factored form: what a simulation has before anything is assembled.
typedef struct plait_dynamics {
    int dofs;
    plait_sparse M;    // dofs x dofs, all of it (both triangles), symmetric
    plait_sparse H;    // 3n x dofs
    double *f;         // [dofs]
    double *w;         // [3n]
    plait_sparse rest; // what M as given has more than M, with the pattern of M; empty: it was symmetric
} plait_dynamics;

struct plait_compliance;   // M factorised; private
struct plait_contact_laws; // laws besides Coulomb's; private

// One problem, plain data. At least one of W and dynamics is there; b always is.
typedef struct plait_problem {
    int dimension;            // 2 or 3: of the problem as given. A 2-d problem is held padded to 3 components.
    int n;                    // contacts
    double *mu;               // [n] >= 0
    double *b;                // [3n] relative velocity if r = 0
    plait_block_matrix *W;    // NULL: not assembled
    plait_dynamics *dynamics; // NULL: only W is known
    double *trace;            // [n] tr(W_ii)
    struct plait_compliance *compliance; // goes with dynamics
    struct plait_contact_laws *laws;     // NULL: Coulomb's law everywhere
    double asymmetry;                    // max |M - M^T| / max |M| of M as given; 0 without M
} plait_problem;

// Impulses and relative velocities, [3n] each.
typedef struct plait_solution {
    int n;
    double *r, *u;
} plait_solution;

// Takes ownership of nothing: copies the arrays. W in CSR over 3n scalars (any pattern); dimension 2 or 3, then W is
// (dimension n)^2 and b [dimension n]. Checks finiteness, index ranges, mu >= 0, that W is symmetric to 10 % of its
// largest entry and has no negative diagonal. Returns NULL with *error set on bad input.
// A 2-d contact gets a third component that is coupled to nothing: W_33 = (W_11 + W_22) / 2, b_3 = 0.
PLAIT_API plait_problem *plait_problem_from_delassus(int dimension, int n, const plait_sparse *W, const double *b,
                                                     const double *mu, plait_error *error);

// The same from the factored form; H is (dimension n) x dofs. M must be positive definite, and symmetric to 10 % of its
// largest entry: (M + M^T)/2 is solved with, the rest is kept for the judge. A 2-d problem is reduced to W at once and
// keeps no dynamics.
PLAIT_API plait_problem *plait_problem_from_dynamics(int dimension, int n, const plait_sparse *M, const plait_sparse *H,
                                                     const double *f, const double *w, const double *mu,
                                                     plait_error *error);

// Assembles W = H M^-1 H^T if it is not there yet: half of it by symmetry, in parallel over blocks.
PLAIT_API plait_status plait_problem_assemble(plait_problem *p, int threads, plait_error *error);

PLAIT_API void plait_problem_free(plait_problem *p); // NULL is fine

// A problem with Coulomb's law alone that has the bonds of p as springs in M: its impulses are rho = r + K u + c, the
// part that friction acts on, and its velocities those of p. For solvers and files that know no bonds. p needs M; ties
// cannot be told so (PLAIT_BAD_INPUT). NULL with *error.
PLAIT_API plait_problem *plait_problem_fold_bonds(const plait_problem *p, plait_error *error);

PLAIT_API plait_solution *plait_solution_new(int n); // zeros; NULL if there is no memory
PLAIT_API void plait_solution_free(plait_solution *s);

// What can be said of a problem without solving it.
typedef struct plait_problem_info {
    int contacts, dofs, bodies;  // dofs and bodies are 0 if only W is known
    double nu;                   // 3n / dofs; 0 if dofs are unknown
    int groups, largest_group;   // connected components of the contact graph, contacts in the largest
    int64_t blocks;              // 3x3 blocks in W (counted from H if W is not assembled)
    double asymmetry;            // max |M - M^T| / max |M| if M was given, else of W
    double trace_min, trace_max; // of tr(W_ii) over contacts
    int rank_bound;              // rank W <= this (from dofs and empty rows); 3n if nothing is known
    double mu_min, mu_max;
} plait_problem_info;
PLAIT_API plait_status plait_problem_inspect(const plait_problem *p, plait_problem_info *info, plait_error *error);

// ---- the judge -------------------------------------------------------------------------------------------------

// How far r is from exact Coulomb friction; u is recomputed as W r + b (or H M^-1 (f + H^T r) + w) from the problem
// as given. F_i is the second-order-cone Fischer-Burmeister function of
//     x = s_i (mu r_N, r_T),  y = (u_N + mu |u_T|, mu u_T),  s_i = tr(W_ii) / 3.
// A NaN anywhere gives INFINITY. b = 0 gives 0 for r = 0.
typedef struct plait_certificate {
    double residual_rel;    // sqrt(sum |F_i|^2) / |b|; with springs (laws u + L r + d = 0): / sqrt(|b|^2 + |d|^2)
    double residual_fb_inf; // max |F_i| with s_i = 1 (Daviet 2011)
    int worst_contact;      // where |F_i| is largest; -1 if there are no contacts
    double cone_violation;  // max (|r_T| - mu r_N)+ / max |r|
    double penetration;     // max (-u_N)+ / max |b|
    double dissipation;     // sum -u_T . r_T (>= 0 for a solution), in units of r u
    // |M v - f - H^T r| / max(|f|, |H^T r|) with M as given: above rounding only if that is not symmetric. Of a plane
    // problem that was given by M, which is not kept, M's asymmetry.
    double dynamics;
} plait_certificate;
PLAIT_API plait_status plait_problem_certify(const plait_problem *p, const plait_solution *s, plait_certificate *c,
                                             plait_error *error);

// u = H v + w with v = M^-1 (f + H^T r) if there are dynamics, else u = W r + b. u: [3n].
PLAIT_API plait_status plait_problem_velocities(const plait_problem *p, const double *r, double *u, plait_error *error);

// ---- solving ---------------------------------------------------------------------------------------------------

typedef enum plait_solver {
    PLAIT_SOLVER_AUTO = 0,   // picks and switches by itself, per group
    PLAIT_SOLVER_GS,         // Gauss-Seidel, Daviet 2011 Algorithm 1
    PLAIT_SOLVER_SPG,        // spectral projected gradient
    PLAIT_SOLVER_APGD,       // accelerated projected gradient
    PLAIT_SOLVER_ADMM,       // in velocity space, one factorisation, Anderson
    PLAIT_SOLVER_NEWTON_AC,  // Alart-Curnier, Bertails 2011 Algorithms 1-2
    PLAIT_SOLVER_NEWTON_MFB, // modified Fischer-Burmeister
    PLAIT_SOLVER_PROX,       // proximal point around a semismooth Newton
    PLAIT_SOLVER_CADOUX,     // Cadoux's fixed point on s = mu |u_T| around a convex solver
    PLAIT_SOLVER_IPM,        // primal-dual interior point in velocity space
    PLAIT_SOLVER_COUNT
} plait_solver;

typedef enum plait_local {
    PLAIT_LOCAL_SECULAR = 0, // exact, bracketed Newton on the secular equation
    PLAIT_LOCAL_MFB,         // Newton on the modified Fischer-Burmeister function
    PLAIT_LOCAL_PAC,         // Newton on the Alart-Curnier function
    PLAIT_LOCAL_DAC,         // the same, damped (Goldstein-Price)
    PLAIT_LOCAL_ENUM,        // enumeration: take-off, stick, slide by a quartic
    PLAIT_LOCAL_DURIEZ06,    // diagonal approximation, one pass
    PLAIT_LOCAL_DURIEZ08,    // the same, iterated to the exact law
    PLAIT_LOCAL_PYRAMID,     // four-sided pyramid
    PLAIT_LOCAL_COUNT
} plait_local;

typedef struct plait_progress {
    const char *solver;
    int iterations;
    double residual_rel, seconds;
} plait_progress;

typedef struct plait_solve_options {
    plait_solver solver;
    plait_local local;
    bool enum_failsafe;                                   // after the local solver: enumeration, then zero
    bool freeze;                                          // Gauss-Seidel: contact freezing
    int anderson;                                         // window of Anderson acceleration; 0: off, -1: where it pays
    double tol;                                           // on residual_rel, always checked on the problem as given
    // Impulses are not unique where contacts hold more than they need to (stacks, tables). True: of all that give the
    // same velocities, those with the least sum of squares; symmetric problems have symmetric ones. Coulomb's law only.
    bool smallest;
    double local_tol;                                     // on the scaled local residual, relative to |b_i|
    double max_time;                                      // [s], of CPU with one thread; <= 0: no limit
    int max_iterations;                                   // 0: the solver's own limit
    int threads;                                          // 0: as OpenMP decides. The result does not depend on it.
    bool (*progress)(const plait_progress *, void *data); // may be NULL; false asks to stop
    void *progress_data;
    bool (*stop)(void *data); // may be NULL; true asks to stop. Called often and from any thread of the solve
    void *stop_data;
} plait_solve_options;
PLAIT_API plait_solve_options plait_default_solve_options(void);

typedef struct plait_report {
    const char *solver; // the one that gave the answer ("auto" says which: "auto:gs")
    bool converged;     // residual_rel <= tol and dynamics <= tol, by plait_problem_certify
    bool stopped;       // by time or by the caller
    plait_certificate certificate;
    int iterations; // sweeps, gradient steps or Newton steps of the solver that gave the answer, largest group
    int groups, largest_group;
    double work; // of all groups, each in products with its W: sweeps and factorisations are counted as what they cost
    double seconds_assemble, seconds_solve, seconds_total;
    int64_t local_calls, local_alt, local_fail; // one-contact solves, those that needed enumeration, those set to zero
} plait_report;

// Solves p. s->r is the initial guess on entry (zeros are fine) and the best iterate on exit, with u = W r + b.
// p is not changed. Returns an error only for bad input or memory; not converged is report->converged = false.
// Thread-safe for different s.
PLAIT_API plait_status plait_problem_solve(const plait_problem *p, const plait_solve_options *options,
                                           plait_solution *s, plait_report *report, plait_error *error);

// Names as the command line spells them ("auto", "newton-ac", "secular" ...). _find returns COUNT if unknown.
PLAIT_API const char *plait_solver_name(plait_solver solver);
PLAIT_API plait_solver plait_solver_find(const char *name);
PLAIT_API const char *plait_local_name(plait_local local);
PLAIT_API plait_local plait_local_find(const char *name);

// ---- one contact -----------------------------------------------------------------------------------------------

typedef enum plait_local_result {
    PLAIT_LOCAL_SOLVED = 0,
    PLAIT_LOCAL_NO_SOLUTION, // proved: none of the three cases holds
    PLAIT_LOCAL_FAILED       // gave up; r is the best that was found
} plait_local_result;

// One contact: finds r with u = W r + b and (u, r) in C(mu). W row-major, symmetric; r is the warm start on entry.
// tol: on |F| / |b| with F scaled as in plait_certificate. Any input is allowed (NaN gives PLAIT_LOCAL_FAILED and r =
// 0).
PLAIT_API plait_local_result plait_contact_solve(plait_local local, const double W[9], const double b[3], double mu,
                                                 double tol, double r[3]);
// |F| / |b| of one contact, as plait_certificate scales it; INFINITY for a NaN.
PLAIT_API double plait_contact_residual(const double W[9], const double b[3], double mu, const double r[3]);

#ifdef __cplusplus
}
#endif
#endif
