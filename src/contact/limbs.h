// limbs.h: H by bodies, as contacts give it: what each contact does to each body, a dense block of three rows on a
// few of the body's dofs. A simulation has H in this form and in no other; the rows are written out for those who ask
// for them (a file).
//
//     contact i: limbs ptr[i] .. ptr[i + 1] - 1, ascending by body      a limb: columns first[k] .. first[k + 1] - 1
#ifndef PLAIT_CONTACT_LIMBS_H
#define PLAIT_CONTACT_LIMBS_H

#include <stdbool.h>
#include <stdint.h>

#include "plait/sparse.h"

typedef struct plait_limbs {
    int n;          // contacts
    int *ptr;       // [n + 1]; NULL: there is no H in this form
    int *body;      // [limbs]
    int64_t *first; // [limbs + 1]
    int *col;       // local to the body, ascending; not all three entries are zero
    double *val;    // [3 per column] H^T block: val[3 c + a] = H(3 i + a, column c)
} plait_limbs;

// False without memory.
bool plait_limbs_room(plait_limbs *l, int n, int limbs, int64_t columns);
void plait_limbs_free(plait_limbs *l);

struct plait_compliance;
// Those of an operator: of the contacts in the list (NULL: of all), bodies renumbered by `place` (NULL: as they are).
bool plait_limbs_of(const struct plait_compliance *c, const int *list, int n, const int *place, plait_limbs *to);
// u = H v. v in the given order of dofs.
void plait_limbs_apply(const struct plait_compliance *c, const double *v, double *u);
// H by rows, without zeros. False without memory.
bool plait_limbs_to_sparse(const struct plait_compliance *c, plait_sparse *H);

#endif
