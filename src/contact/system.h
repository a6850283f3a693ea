// system.h: one contact group, ready for the global solvers, and what they share.
//
// A solver gets a system and an iterate r, improves it until the residual is under the target or the clock runs out,
// and leaves the best iterate in r. It never decides itself whether the problem is solved: plait_problem_certify does.
#ifndef PLAIT_CONTACT_SYSTEM_H
#define PLAIT_CONTACT_SYSTEM_H

#include "base/parallel.h"
#include "base/stop.h"
#include "base/team.h"
#include "contact/law.h"
#include "contact/operator.h"
#include "plait/contact.h"

typedef struct plait_share plait_share; // share.h

typedef struct plait_system {
    int n;
    int first, all; // they are the contacts from `first` on of `all`, 0 and n where no other rank has any
    plait_team team;
    const plait_problem *problem;
    const double *b;
    plait_laws laws; // what each contact may do
    plait_local_task local;
    plait_operator *op;     // W
    double *zero;           // [3 n] zeros
    double *s;              // [n] tr(W_ii) / 3, or 1 where it vanishes
    const double *diagonal; // [9 n] W_ii
    const double *shift;    // [n] de Saxce shifts that gradient steps hold still, negative: not held; NULL: none
    double target;          // stop when sqrt(sum |F_i|^2) is at most this
    // the run
    const plait_solve_options *options;
    plait_stop *stop; // of the whole solve; NULL: none
    double start;     // [s] on plait_clock_wall, for progress
    const char *name; // of the running solver, for progress
    double norm_b;    // of the whole problem: residual / norm_b = residual_rel
    int patience;     // iterations without progress until a gradient method gives up; 0: its own, in all its ways
    double sluggish;  // a gradient method gives up if more than this part of the residual is left; 0: its own
    int looks;        // at the stop
    double work;      // done so far, in products with W
    bool stopped;     // by time or by the caller
    bool no_memory;   // somewhere inside: whatever the solver leaves is not to be used
    double wanted;    // bytes of the factor that there was no memory for; 0: unknown
    // contacts that a rank keeps of a group that is spread over many
    plait_share *share;          // NULL: this is all of the group
    struct plait_system *leader; // the whole group, on rank 0
} plait_system;

// Sums over the contacts of a group, made one after the other and added up together: one message where it is spread
// over ranks. The bits do not depend on threads or ranks.
enum { PLAIT_SUMS = 3 };
typedef struct plait_sums {
    int count;
    double part[PLAIT_SUMS][PLAIT_CHUNK_COUNT];
} plait_sums;
static inline void plait_sums_begin(plait_sums *sums)
{
    sums->count = 0;
}
void plait_sums_add(plait_sums *sums, const plait_system *sys,
                    double (*part)(int64_t begin, int64_t end, const void *data), const void *data);
void plait_sums_end(plait_sums *sums, plait_system *sys, double *total);
// One of them.
double plait_system_sum(plait_system *sys, double (*part)(int64_t begin, int64_t end, const void *data),
                        const void *data);

// What a solver did.
typedef struct plait_outcome {
    double residual; // sqrt(sum |F_i|^2) of the iterate that it leaves
    int iterations;
    bool gave_up;     // stagnation or failure: no use in going on
    const char *name; // of the solver that gave the iterate
    plait_local_stats local;
} plait_outcome;

plait_system *plait_system_new(const plait_problem *p, const plait_solve_options *options, plait_error *error);
void plait_system_free(plait_system *sys);

// u = W r + b
void plait_system_apply(plait_system *sys, const double *r, double *u);

// y = W x, without b.
void plait_system_multiply(plait_system *sys, const double *x, double *y);

// nu times the mean of mu: how much friction there is for the dofs. 0 where these are not known.
double plait_system_load(const plait_system *sys);
#define PLAIT_CROWDED 0.45 // load from which a shift that follows at once makes gradient steps circle

// sqrt(sum |F_i|^2) with u given.
double plait_system_residual(plait_system *sys, const double *r, const double *u);

// True if the solver must stop now. For every iteration, and more often where one may take long.
bool plait_system_stopped(plait_system *sys);

// The same; tells the caller where we are, too.
bool plait_system_tick(plait_system *sys, int iterations, double residual);

// ---- the solvers ---------------------------------------------------------------------------------------------------
// r: initial guess in, best iterate out; u = W r + b out. False only without memory, or if it was stopped before there
// was anything: r is as it was then.
typedef bool (*plait_solver_function)(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);

// The list (solver_table.c), by the numbers of plait_solver.
typedef struct plait_solver_row {
    const char *name;
    plait_solver_function solve;
    int most; // iterations, if the caller sets no limit: a problem that nobody solves must end, too
} plait_solver_row;
extern const plait_solver_row plait_solver_table[];
extern const int plait_solver_rows;

bool plait_solve_gs(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_spg(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_apgd(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
// The same with a shift that follows slowly from the beginning: where apgd has been seen to circle.
bool plait_solve_damped(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_admm(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_newton_ac(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_alone(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_dash(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_newton_mfb(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_prox(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_cadoux(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_ipm(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
// The first attempt of ipm alone: a network in which nothing can move.
bool plait_solve_jammed(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
// Newton's method on W as a dense matrix, with bonds and ties taken out of it first (condense.c). Not for a table: it
// wants blocks, and few contacts.
bool plait_solve_condensed(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);
bool plait_solve_auto(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out);

#endif
