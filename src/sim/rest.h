// rest.h: places that overlap at the start and may stay as near as they were.
//
// A drawn groom overlaps: guides cross each other, roots are nearer than two contact radii, a strand goes through an
// ear. Pushing all that apart in the first steps would undo what `start: held` is for. So such places are remembered,
// by the two surfaces and where along the fibres they are, with how deep they overlap; there the gap is counted from
// that depth:
//
//     gap' = gap + depth          contact begins where the start was, not before
//
// Where the middle of a fibre is nearly in the other thing, or behind its surface, no direction leads out: such places
// do not touch at all. The list depends on the start alone and does not change: nothing of it is part of the state.
#ifndef PLAIT_SIM_REST_H
#define PLAIT_SIM_REST_H

#include "collide/collide.h"

typedef struct plait_rest_place {
    int64_t surface[2];
    double arc[2], window[2]; // [m] along fibres: this far from arc is the same place
    double depth;             // [m]
    bool through;             // does not touch
} plait_rest_place;

typedef struct plait_rest {
    int count;
    plait_rest_place *place; // [count] sorted by surfaces
} plait_rest;

typedef struct plait_model plait_model;
typedef struct plait_work plait_work;

// At the start, if the scene or a fibre that is held asks for it. NO_MEMORY.
plait_status plait_rest_find(plait_rest *rest, const plait_model *m, plait_work *w, plait_error *error);
void plait_rest_apply(const plait_rest *rest, plait_touches *touches);
// Fibres have other numbers: chain[i] of the one that was i, -1: it is gone.
void plait_rest_renumber(plait_rest *rest, const int *chain);
void plait_rest_free(plait_rest *rest);

#endif
