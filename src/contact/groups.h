// groups.h: the connected components of the contact graph, which can be solved one by one.
#ifndef PLAIT_CONTACT_GROUPS_H
#define PLAIT_CONTACT_GROUPS_H

#include "base/stop.h"
#include "base/team.h"
#include "plait/contact.h"

typedef struct plait_groups {
    int count, largest; // groups; contacts in the largest
    int *ptr;           // [count + 1]
    int *contact;       // [n] contacts of each group, ascending
    int *place;         // [n] where each contact stands within its group
} plait_groups;

// Two contacts are in one group if W couples them (a path of bodies). Largest groups come first. NULL without memory
// (*error is set), or if it was stopped (NULL never stops).
plait_groups *plait_groups_new(const plait_problem *p, plait_stop *stop, plait_error *error);
void plait_groups_free(plait_groups *g);

// The problem of one group; its contacts are in the order of g->contact. Keeps W and dynamics where p has them.
// dof_place: [dofs + 1] of a problem with dynamics, all -1 before and after; NULL: made here, which costs as much as
// the whole problem.
plait_problem *plait_groups_extract(const plait_groups *g, int group, const plait_problem *p, int *dof_place,
                                    plait_team team, plait_error *error);

// The problem of some contacts, given in ascending order, with the others' impulses taken as zero: the caller sets b.
// place[i] is where contact i stands in the list, or -1.
plait_problem *plait_problem_extract(const plait_problem *p, const int *list, int n, const int *place, int *dof_place,
                                     plait_team team, plait_error *error);

#endif
