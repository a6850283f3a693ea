// rod_build.h: from a definition to a shape that a model can take over: checks, resampling, frames, natural strains.
#ifndef PLAIT_BODY_ROD_BUILD_H
#define PLAIT_BODY_ROD_BUILD_H

#include "body/rod.h"

// Owner of the arrays of a plait_rod_shape.
typedef struct plait_rod_plan {
    plait_rod_shape shape;
    double *memory;
    plait_end end[2]; // completed: positions, tangents and directors filled in
} plait_rod_plan;

// BAD_INPUT names the rod and the vertex. plan is to be freed in any case.
plait_status plait_rod_plan_make(const plait_rod_def *def, plait_rod_plan *plan, plait_error *error);
// *piece <- the sections of all segments, by the definition's stations, malloc'ed; NULL if there are none. BAD_INPUT:
// what the model cannot do.
plait_status plait_rod_plan_pieces(const plait_rod_def *def, const plait_rod_type *type, const plait_rod_plan *plan,
                                   plait_section **piece, plait_error *error);
void plait_rod_plan_free(plait_rod_plan *plan);

// Checks one end condition and normalises its vectors. `end` is 0 or 1, for the message.
plait_status plait_end_check(plait_end *condition, int id, int end, unsigned abilities, const char *model,
                             plait_error *error);

#endif
