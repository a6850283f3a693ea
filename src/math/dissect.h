// dissect.h: an order of rows with little fill, for a matrix whose rows have places: the nodes of a mesh.
//
// Nested dissection by planes (George 1973): the nodes are cut in two halves across their longest extent; those of one
// half that have neighbours in the other, a separator, come last, and each half is cut again. Large blocks of
// tetrahedra get a quarter to a third less work than from orders that know the graph alone; others may get more.
#ifndef PLAIT_MATH_DISSECT_H
#define PLAIT_MATH_DISSECT_H

#include <stdbool.h>

#include "plait/sparse.h"

// lower: the pattern, its lower triangle with the diagonal. point [rows][3]. position[i]: of row i. False without
// memory.
bool plait_dissect(const plait_sparse *lower, const double *point, int *position);

#endif
