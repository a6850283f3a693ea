// soft_alone.h: one soft body without a simulation: its places can be set, and it is brought into equilibrium.
#ifndef PLAIT_VALIDATE_SOFT_ALONE_H
#define PLAIT_VALIDATE_SOFT_ALONE_H

#include "body/soft.h"
#include "scene/gen_soft.h"
#include "validate/cases.h"

typedef struct plait_soft_alone {
    plait_body body;
    plait_response response;
    plait_soft_impl *impl;
    double *x; // [3 nodes]
    double *v, *memory;
} plait_soft_alone;

// hold and force may be set in `soft` before. NULL with a reason.
plait_soft_alone *plait_soft_alone_new(plait_trial *t, const plait_soft *soft, const double gravity[3]);
void plait_soft_alone_free(plait_soft_alone *a); // NULL is fine
// Goes down to an equilibrium: steps without velocity that get longer from dt on. False with a reason.
bool plait_soft_alone_settle(plait_trial *t, plait_soft_alone *a, double dt);
// g [3 nodes] <- gradient of the elastic energy: what has to be pushed with, where nodes are held.
void plait_soft_alone_forces(const plait_soft_alone *a, double *g);

// Grids and blocks; `hold` is there and free everywhere. False with a reason.
bool plait_trial_grid(plait_trial *t, const plait_gen_grid *grid, plait_soft *cloth);
bool plait_trial_block(plait_trial *t, const plait_gen_solid *block, plait_soft *solid);
// Nodes on the surface of the box around it, along all axes with an extent, become held.
void plait_trial_hold_border(plait_soft *soft);

#endif
