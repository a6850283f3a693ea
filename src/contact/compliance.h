// compliance.h: the Delassus operator in factored form, W = H M^-1 H^T, with nothing assembled.
//
// Bodies are the connected components of M, or the blocks that it is given as (bands.h). H is kept by limbs: a limb
// is what one contact does to one body, a dense 3 x count block on a few of the body's dofs.
//
//     contact 0      contact 1     contact 2          limbs: sorted by body, then by contact
//       o----+         +--o--+       +---o            each contact lists its own (contact_ptr, contact_limb)
//            |         |     |       |
//     =======#=========#=====|=======#=====  body 0: a rod, 3 limbs
//     =======================#=============  body 1: a rod, 1 limb
//
//     packs: bodies of like shape side by side, one factor for all of them (factor.h)
//
//     pack 0: [rod rod rod rod rod rod rod rod]  eight lanes       pack 2: [cloth]  a sparse factor, alone
//     pack 1: [rod rod  -   -   -   -   -   - ]  padded with the identity
//
// A product walks over the packs once: scatter the impulses of the limbs, solve, gather the velocities of the limbs
// (or one product with a small matrix, where many products are to come and a body has few limbs); then each contact
// adds up its limbs. The second loop has a fixed order, so that results do not depend on threads.
//
//     r --scatter H^T--> forces on dofs --solve M--> velocities of dofs --gather H--> limb velocities --sum--> u
#ifndef PLAIT_CONTACT_COMPLIANCE_H
#define PLAIT_CONTACT_COMPLIANCE_H

#include <stddef.h>

#include "base/stop.h"
#include "base/team.h"
#include "contact/bands.h"
#include "contact/limbs.h"
#include "math/factor.h"
#include "plait/contact.h"

enum { PLAIT_MANY_PACKS = 32 }; // less are not worth a second thread

typedef struct plait_limb {
    int contact;
    int count;     // columns
    int64_t first; // of its columns in `col` and, times 3, in `val`
    int run;       // the first column, if they are near each other: then
    int blocks;    // the limb is kept once more as rows, in blocks of eight columns; else 0
    int64_t row;   // in `row`
} plait_limb;

// A limb that acts on one or two points by the same 3x3 matrix E, as a contact on an edge of a rod does: H = (a[0] E,
// a[1] E) on the columns run .. run + 2 and run + shift .. run + shift + 2. Two cache lines instead of four.
typedef struct plait_edge {
    double E[3][4]; // rows; the fourth column is zero
    double a[2];
    int contact, run, shift, spare;
} plait_edge;

// M^-1 of a body on the dofs that its limbs touch: A[dofs][dofs], and the number of each dof of the body among them.
typedef struct plait_touched {
    int dofs;
    int *number; // [size], -1: not touched
    double *A;   // NULL: it is not kept
    plait_kept_factor *lender; // whose numbers these are; NULL: own ones
} plait_touched;

typedef struct plait_mass_block {
    int size;
    int first_dof;             // in the operator's own order
    int first_limb;            // limbs first_limb .. next body's first_limb - 1
    int64_t first_edge;        // the same limbs as edges, if all of them are; else -1
    int pack, lane;            // its factor
    plait_cholesky_plan *plan; // of a sparse factor, if it was made here
    plait_touched touched;     // where it serves the diagonal of W and W itself
} plait_mass_block;

typedef struct plait_compliance {
    int n, dofs, bodies, packs, limbs;
    plait_mass_block *body; // [bodies + 1]
    plait_factor *pack;     // [packs] bodies of like shape side by side; a sparse one holds one
    int *pack_body;         // [packs * LANES] body in each lane, -1: none
    int *order;             // [dofs] the given dof at each of the operator's positions
    plait_limb *limb;       // [limbs] sorted by body, then contact
    int *col;               // columns, local to the body
    double *val;            // [3 per column] H^T block: val[3 c + a] = H(3 i + a, column c)
    double *row;            // [blocks][3][LANES] of the limbs, with zeros where there are no columns: for products
    plait_edge *edge;       // of the bodies all of whose limbs are edges, one body after the other
    int *contact_ptr;       // [n + 1]
    int *contact_limb;      // limbs of each contact
    int *limb_body;         // [limbs]
    int largest;            // size of the largest pack, for scratch
    double *diagonal;       // [9 n] W_ii
    plait_bands bands;      // M, if it was given so
    plait_team team;        // that build and update it
} plait_compliance;

plait_compliance *plait_compliance_new(int n, const plait_sparse *M, const plait_sparse *H, plait_team team,
                                       plait_error *error);

// M as bands or sparse blocks, one body each; H by limbs, or (limbs->ptr = NULL) by rows. Bands and limbs are kept,
// and freed on failure.
plait_compliance *plait_compliance_of_bands(int n, plait_bands *bands, plait_limbs *limbs, const plait_sparse *H,
                                            plait_team team, plait_error *error);
void plait_compliance_free(plait_compliance *c);

// Room for products, made once, so that a product needs no heap.
typedef struct plait_compliance_scratch {
    plait_team team;
    size_t stride;
    double *limb_u, *x;
    double *dense;                     // matrices of bodies with few limbs, NULL: none
    int64_t *dense_ptr;                // [bodies] where in `dense`, -1: factored
    const unsigned char *dense_bodies; // [bodies] which of them have one; NULL: decided here
    bool no_memory;                    // `dense` lacked it: the solver must not go on
    int *super;     // of sparse factors: the supernodes that limbs reach; a product reads no others
    int *super_ptr; // [packs + 1]
} plait_compliance_scratch;
plait_compliance_scratch *plait_compliance_scratch_new(const plait_compliance *c, plait_team team); // NULL: no memory
void plait_compliance_scratch_free(plait_compliance_scratch *w);

// For many products to come: what limbs do to each other as matrices, where these are smaller than factors. Without
// memory w->no_memory: to go on without them would give other last digits.
void plait_compliance_densify(const plait_compliance *c, plait_compliance_scratch *w);

// Which bodies get one: [bodies], 1 or 0.
void plait_compliance_dense_bodies(const plait_compliance *c, unsigned char *dense);

// Whether all bodies of a pack have one; and the limbs' velocities of those that have. x: room for the impulses.
bool plait_compliance_dense_pack(const plait_compliance *c, int pack, const plait_compliance_scratch *w);
void plait_compliance_dense_apply(const plait_compliance *c, int pack, const double *r, double *x,
                                  const plait_compliance_scratch *w);

// u = W r + b
void plait_compliance_apply(const plait_compliance *c, const double *r, const double *b, plait_compliance_scratch *w,
                            double *u);

// The first half of that: what r does to each limb, w->limb_u[3 limbs].
void plait_compliance_limb_velocities(const plait_compliance *c, const double *r, plait_compliance_scratch *w);

// v = M^-1 (f + H^T r), v and f in the given order of dofs; r may be NULL.
plait_status plait_compliance_velocity(const plait_compliance *c, const double *f, const double *r, plait_team team,
                                       double *v, plait_error *error);

// Factors from M, or from the bands. False with *error set.
bool plait_compliance_build_factors(plait_compliance *c, const plait_sparse *M, const int *place, plait_error *error);
// Of the rows order[first..], places of columns given.
int plait_compliance_half_bandwidth(const plait_sparse *M, const int *order, int first, int size, const int *place);

void plait_compliance_drop_factor(plait_factor *f); // its numbers

// The factor of a body in lanes as numbers, to be taken elsewhere: L[size][width + 1] as in band_pack.h.
int plait_compliance_factor_width(const plait_compliance *c, int body);
void plait_compliance_give_factor(const plait_compliance *c, int body, double *L);
// Factors of all bodies from such numbers, one after the other; sizes and limbs are known. False without memory.
bool plait_compliance_take_factors(plait_compliance *c, const int *width, const double *L);

// Limbs from H by rows; dof i is at place[i], of body body_of[i]. False without memory.
bool plait_compliance_build_limbs(plait_compliance *c, const plait_sparse *H, const int *place, const int *body_of);
// The same from limbs, whose columns it takes.
bool plait_compliance_take_limbs(plait_compliance *c, plait_limbs *limbs);

// c->diagonal from the rest, where wanted[n] says so (NULL: everywhere). False without memory.
bool plait_compliance_build_diagonal(plait_compliance *c, const unsigned char *wanted);

// H_limb M^-1 H_limb^T of all limbs on sparse factors, [9] for each limb of the compliance; NULL: there are none. The
// caller frees it. Bodies without a contact that is wanted are left out. False without memory.
bool plait_compliance_sparse_squares(plait_compliance *c, const unsigned char *wanted, plait_team team,
                                     double **squares);

// ---- limbs on sparse factors: the columns L^-1 H_limb^T of many of them at a time -----------------------------------

enum { PLAIT_LIMB_BATCH = 32 };

typedef struct plait_limb_place {
    int place, limb; // the first place of L that it touches
} plait_limb_place;

// The limbs of a body in the order of its factor: those that stand together have most of their paths in common. NULL
// without memory; the caller frees it.
plait_limb_place *plait_compliance_sort_limbs(const plait_compliance *c, int b, const plait_cholesky_plan *plan);
// The path of `count` limbs, and their columns H^T on it: X[rows][3 count], column-major.
void plait_compliance_path(const plait_compliance *c, const plait_cholesky_plan *plan, const plait_limb_place *list,
                           int count, plait_cholesky_path *path);
void plait_compliance_path_columns(const plait_compliance *c, const plait_cholesky_plan *plan,
                                   const plait_limb_place *list, int count, const plait_cholesky_path *path, double *X);
// The dofs that limbs of a body touch, `number` of them (size numbers, -1: not touched). Returns how many.
int plait_compliance_number_dofs(const plait_compliance *c, int b, const plait_cholesky_plan *plan, int *number);
// t <- M^-1 on these. False without memory, or if stopped.
bool plait_compliance_touch(const plait_compliance *c, int b, plait_team team, plait_stop *stop, plait_touched *t);
void plait_touched_free(plait_touched *t);
// What limbs on sparse factors do to each other is added to the upper half of W. False without memory, or if stopped.
bool plait_compliance_add_sparse(const plait_compliance *c, plait_team team, plait_stop *stop, plait_block_matrix *W);

// After the bands of the bodies that `changed` marks were changed in place: factors, diagonal. PLAIT_BAD_INPUT: M is
// not positive definite any more.
plait_status plait_compliance_update(plait_compliance *c, const unsigned char *changed, plait_error *error);

// All of W: half of it computed, the other half mirrored.
// NULL without memory, or if `stop` (may be NULL) said so.
plait_block_matrix *plait_compliance_assemble(const plait_compliance *c, plait_team team, plait_stop *stop,
                                              plait_error *error);

// The three columns M^-1 H^T of every limb, [size][3] from column[ptr[limb]] on. False without memory, or if stopped.
bool plait_compliance_columns(const plait_compliance *c, plait_team team, plait_stop *stop, const int64_t *ptr,
                              double *column);

// The three columns M^-1 H_limb^T in X[size][LANES], lanes 0..2; X has room for plait_limb_columns_size numbers.
void plait_limb_columns(const plait_compliance *c, int k, double *X);
size_t plait_limb_columns_size(const plait_compliance *c);

// B += H_limb X, 3x3 row-major: B[a][e] = sum_k H(a, k) X(k, e)
void plait_limb_block(const plait_compliance *c, const plait_limb *limb, const double *X, double *B);

// How many 3x3 blocks W would have.
int64_t plait_compliance_count_blocks(const plait_compliance *c, plait_error *error);

// Whether a body has a sparse factor: products are dear.
bool plait_compliance_heavy(const plait_compliance *c);

// Bytes that one product reads, to compare with 76 bytes per block of an assembled W.
double plait_compliance_traffic(const plait_compliance *c, const plait_compliance_scratch *w);

// ---- problems, for those who build many of them
// -----------------------------------------------------------------------

// A problem that owns the dynamics it is given (malloc'ed; freed on failure too). H has three rows for each contact.
// Unlike with plait_problem_from_dynamics nothing is checked but that M is positive definite and that b is finite.
// With bands and limbs, which it owns too, dynamics->M and dynamics->H are left empty until plait_problem_complete is
// called. NULL: there are none.
plait_problem *plait_problem_of(int dimension, int n, plait_dynamics *dynamics, plait_bands *bands, plait_limbs *limbs,
                                const double *mu, plait_team team, plait_error *error);
// u = H v
void plait_problem_gather(const plait_problem *p, const double *v, double *u);

// dynamics->M and H where there are only bands and limbs. False without memory. Not for two threads at a time.
bool plait_problem_complete(const plait_problem *p);

void plait_dynamics_free(plait_dynamics *dynamics); // NULL is fine

// symmetry.c: M is split into its symmetric part and the rest, if it is not symmetric. given: M as it was. was_half:
// the file had one triangle of M only. False without memory.
bool plait_dynamics_symmetrise(plait_dynamics *y);
bool plait_dynamics_given(const plait_dynamics *y, plait_sparse *M);
bool plait_problem_was_half(plait_problem *p, const plait_sparse *M, bool upper);
// How far v of the impulses r is from the dynamics as given: plait_certificate.dynamics.
plait_status plait_dynamics_error(const plait_problem *p, const double *r, plait_team team, double *relative,
                                  plait_error *error);

// plait_problem_velocities and plait_problem_certify by so many threads.
plait_status plait_problem_velocities_by(const plait_problem *p, const double *r, plait_team team, double *u,
                                         plait_error *error);
plait_status plait_problem_certify_by(const plait_problem *p, const plait_solution *s, plait_team team,
                                      plait_certificate *c, plait_error *error);

// Contacts are added behind those that there are, on the same bodies: their limbs (given away), then w and mu of all
// n. w is the problem's from now on. Laws are gone. If it fails the problem can only be freed. W must not be
// assembled, nor M or H complete.
plait_status plait_problem_extend(plait_problem *p, int n, plait_limbs *limbs, double *w, const double *mu,
                                  plait_error *error);
bool plait_compliance_extend(plait_compliance *c, const plait_limbs *more); // extend.c; false without memory

// Bands and f of the bodies that `changed` marks were changed in place. W must not be assembled, nor M complete.
plait_status plait_problem_update(plait_problem *p, const unsigned char *changed, plait_error *error);

#endif
