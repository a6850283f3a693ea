// cholesky.h: sparse Cholesky factors P A P^T = L L^T of one large symmetric positive definite matrix.
//
// Three steps, each made once for what changes at its own pace:
//     analyse     pattern of A -> plan: an order with little fill, which columns of L look alike, where entries go
//     factorise   values of A -> L; as often as A changes, no heap
//     solve       right sides -> x; as often as one likes, by any number of threads at a time
//
// Columns of L with the same rows below them form a supernode; its block of L is dense, nc columns of nc + nr rows:
//
//       columns first[s] .. first[s+1] - 1          tree: the parent of a supernode holds its first row below
//          +----+                                            7
//          |\   |  nc rows: lower triangle                  / \        Values flow from the leaves to the root. A right
//          | \  |                                          3   6       side that is not zero in supernode 1 changes
//          +----+                                         / \   \      only along 1, 3, 7: sparse right sides cost
//          |    |  nr rows: row[row_ptr[s]] ...          1   2   5     a path, not the whole factor.
//          +----+
//
// The factorisation is multifrontal: a supernode adds the entries of A and the updates of its children, is eliminated
// as a dense matrix (BLAS 3), and leaves an update to its parent. Branches of the tree that are apart are pieces of
// work for a team, and so are the tiles of large blocks above them; the plan says which, and the bits of L depend on A
// alone.
#ifndef PLAIT_MATH_CHOLESKY_H
#define PLAIT_MATH_CHOLESKY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/team.h"
#include "plait/sparse.h"
#include "plait/status.h"

typedef struct plait_cholesky_plan {
    int n, supernodes;
    int *perm, *place;   // [n] the given row at each place of L, and its inverse
    int *first;          // [supernodes + 1] columns
    int *super;          // [n] the supernode of each place
    int *parent;         // [supernodes] -1: a root
    int64_t *row_ptr;    // [supernodes + 1]
    int *row;            // rows below, ascending
    int64_t *L_ptr;      // [supernodes + 1] blocks of L, column-major
    int64_t *ptr;        // [n + 1] the pattern of A
    int *col;            // [entries]
    int64_t *target;     // [entries of A] where they go in L
    unsigned char *half; // [entries of A] whether the twin across the diagonal is there too: each counts half then
    int64_t entries;     // of A
    int most_rows;       // nc + nr, the largest
    int branches;        // pieces of the tree that are factorised side by side, each with its own room for updates
    struct plait_cholesky_branch {
        int from, to;    // supernodes, the last one is its root
        int64_t at;      // its room
    } branch[16];
    int64_t top_at;      // room for the updates of what is above them
    int64_t stack;       // numbers that all updates need at most
    double flops;        // of a factorisation
} plait_cholesky_plan;

// Of a square matrix with ascending columns: all of it, or its lower triangle. Where both twins of an entry are there,
// the symmetric part counts. The plan keeps a copy of the pattern. NULL with *error set.
plait_cholesky_plan *plait_cholesky_analyse(const plait_sparse *A, plait_error *error);
// The same for nodes with three rows each, at point[rows / 3][3]: their places give another order, and the one with
// less work is taken.
plait_cholesky_plan *plait_cholesky_analyse_mesh(const plait_sparse *A, const double *point, plait_error *error);
void plait_cholesky_plan_free(plait_cholesky_plan *plan); // NULL is fine

static inline int64_t plait_cholesky_size(const plait_cholesky_plan *plan) // numbers in L
{
    return plan->L_ptr[plan->supernodes];
}

// Where entry (i, j) of L is, i >= j, places of its pattern.
int64_t plait_cholesky_entry(const plait_cholesky_plan *p, int i, int j);

// Numbers of scratch for a factorisation, and for a solution with `count` right sides.
size_t plait_cholesky_factorise_room(const plait_cholesky_plan *plan);
size_t plait_cholesky_solve_room(const plait_cholesky_plan *plan, int count);

// L from the values of A in the order of its entries. Returns -1, or the given row whose pivot is not positive.
int plait_cholesky_factorise(const plait_cholesky_plan *plan, const double *val, plait_team team, double *work,
                             double *L);

// x <- A^-1 x for `count` right sides of n numbers each, one after the other, in the given order of rows.
void plait_cholesky_solve(const plait_cholesky_plan *plan, const double *L, int count, double *work, double *x);

// The same for one right side that is zero outside of some supernodes, where nothing else is asked for: their list is
// ascending, and has the parents of all. The other rows of x stay as they are. work: as for one right side.
void plait_cholesky_solve_part(const plait_cholesky_plan *plan, const double *L, int supers, const int *super,
                               double *work, double *x);

// ---- sparse right sides --------------------------------------------------------------------------------------------

// The supernodes that some rows reach, ascending, and the rows of a dense block that holds nothing but them.
typedef struct plait_cholesky_path {
    int count;   // supernodes
    int rows;    // of the block
    int *super;  // [count]
    int *offset; // [supernodes of the plan] first row of the block; -1: not on the path. All -1 between uses.
} plait_cholesky_path;

bool plait_cholesky_path_alloc(plait_cholesky_path *path, const plait_cholesky_plan *plan); // false: no memory
void plait_cholesky_path_free(plait_cholesky_path *path);
void plait_cholesky_path_add(plait_cholesky_path *path, const plait_cholesky_plan *plan, int row); // a given row
void plait_cholesky_path_finish(plait_cholesky_path *path, const plait_cholesky_plan *plan);
void plait_cholesky_path_clear(plait_cholesky_path *path);

static inline int plait_cholesky_path_row(const plait_cholesky_path *path, const plait_cholesky_plan *plan, int row)
{
    int at = plan->place[row], s = plan->super[at];
    return path->offset[s] + at - plan->first[s];
}

// Flops of one right side from each supernode to its root, [supernodes].
void plait_cholesky_path_costs(const plait_cholesky_plan *plan, double *cost);

// X[rows][count] column-major <- L^-1 X on a finished path. work: plan->most_rows * count numbers.
void plait_cholesky_forward(const plait_cholesky_plan *plan, const double *L, const plait_cholesky_path *path,
                            int count, double *work, double *X);

// ---- the inverse where L is not zero -------------------------------------------------------------------------------

// A^-1 on the rows of one supernode and those below it: [rows][rows] column-major, the lower triangle. The supernode's
// own columns come first. local[place]: where each of these rows stands.
typedef void (*plait_cholesky_front)(void *data, int supernode, const double *front, int rows, const int *local);

// Calls `use` for every supernode, from the root down, or for those that are wanted: [supernodes], 1 for each and for
// its parents. All of it costs about two factorisations, whatever is then read from it. False without memory.
bool plait_cholesky_inverse(const plait_cholesky_plan *plan, const double *L, const unsigned char *wanted,
                            plait_cholesky_front use, void *data);

// Its part of the cost of all, of the wanted ones.
double plait_cholesky_inverse_part(const plait_cholesky_plan *plan, const unsigned char *wanted);

// The supernodes of a place and above it are wanted.
void plait_cholesky_want(const plait_cholesky_plan *plan, int place, unsigned char *wanted);

// Whether a row (a place) is among those of a supernode.
bool plait_cholesky_has_row(const plait_cholesky_plan *plan, int supernode, int place);

#endif
