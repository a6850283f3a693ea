// operator.h: W of one contact group, and all that a global solver may ask of it.
//
//     apply        u = W r + b                                              gradient methods, everybody's residual
//     diagonal     the blocks W_ii                                          scales, one-contact problems
//     neighbours   contacts j that contact i is coupled to                  patches
//     rows         b_i + sum over j != i of W_ij r_j, one contact at a time, kept up to date as they change     sweeps
//     colours      contacts that can be swept side by side (colour.h)
//     systems      (A_r + A_u W) dr = q, factorised (newton_system.h)       Newton's method, ADMM, interior points
//
//                        solvers
//        ---------------------------------------------   operator.h, colour.h, newton_system.h
//        factored: limbs and factors        assembled: 3x3 blocks
//        H M^-1 H^T (compliance.h)          plait_block_matrix
//
// A problem with M and H starts factored, and is assembled when somebody needs blocks; one with W only is assembled.
// Products take the form that reads less. Solvers never look at limbs, factors or blocks: an operator that is spread
// over machines offers the same.
#ifndef PLAIT_CONTACT_OPERATOR_H
#define PLAIT_CONTACT_OPERATOR_H

#include "base/stop.h"
#include "base/team.h"
#include "plait/contact.h"

typedef struct plait_operator plait_operator;

// Of a whole problem, which must outlive it. NULL with *error set.
plait_operator *plait_operator_new(const plait_problem *p, plait_team team, plait_error *error);
void plait_operator_free(plait_operator *op);

// u = W r + b. False: u is there, but memory for quicker products was not, and to go on would give other last digits.
bool plait_operator_apply(plait_operator *op, const double *r, const double *b, double *u);

// [9 n] W_ii, row-major.
const double *plait_operator_diagonal(const plait_operator *op);

// visit(j) for all contacts j that are coupled to i, some of them more than once, i among them; the order is fixed.
void plait_operator_neighbours(const plait_operator *op, int i, void (*visit)(void *data, int j), void *data);

// Flops of a product, about.
double plait_operator_flops(const plait_operator *op);

// dofs: of all bodies, 0 if only W is known; touched, touched_dofs: bodies that contacts act on, and their dofs.
// heavy: some of these have sparse factors, of which a product reads much for few contacts. assembly: how many products
// blocks cost, about; 0 if they are there. For bodies that are not heavy it is not known.
typedef struct plait_operator_facts {
    int dofs, touched, touched_dofs;
    bool heavy;
    double assembly;
} plait_operator_facts;
plait_operator_facts plait_operator_get_facts(const plait_operator *op);

// Dense products of matrices that cost as much time as one product with W: what many flops are worth, in products.
double plait_operator_worth(const plait_operator *op, double flops);

// Assembles blocks if they are not there. False without memory, or if it was stopped.
bool plait_operator_need_blocks(plait_operator *op, plait_stop *stop);

// dense.c: D[3 n][3 n] <- W from the blocks that are there; and the way back: a problem from the lower triangle of
// D[3 n][3 n], column-major, with traces for the judge that may be those of another W. NULL without memory.
void plait_operator_fill(const plait_operator *op, double *D);
plait_problem *plait_problem_of_dense(int n, const double *D, const double *b, const double *mu, const double *trace);

// Blocks are there, and are most of a matrix that is small enough to be factorised as it is.
bool plait_operator_dense(const plait_operator *op);

// ---- rows ---------------------------------------------------------------------------------------------------------
// Two forms, the one that reads fewer bytes in a sweep is taken:
//   assembled       sum_j W_ij r_j from the row of W;
//   velocity space  keeps x = M^-1 H^T r per body and the columns M^-1 H^T of each limb: reads 2 x 3 columns.

typedef struct plait_rows plait_rows;

// NULL without memory, or if it was stopped.
plait_rows *plait_rows_new(plait_operator *op, plait_stop *stop);
void plait_rows_free(plait_rows *rows);

// All impulses are new.
void plait_rows_refresh(plait_rows *rows, const double *r);

// b[3] += sum over j != i of W_ij r_j. Contacts of one colour may do this at the same time.
void plait_rows_add(const plait_rows *rows, int i, const double *r, double b[3]);

// The impulse of contact i has changed by dr. Likewise.
void plait_rows_change(plait_rows *rows, int i, const double dr[3]);

#endif
