// cell.h: a periodic cell that deforms (body/cell.h), in a simulation: who tells it, and what it does to contacts.
#ifndef PLAIT_SIM_CELL_H
#define PLAIT_SIM_CELL_H

#include "body/cell.h"
#include "sim/sim.h"

bool plait_sim_cell_moves(const plait_scene *scene);
plait_status plait_sim_cell_build(const plait_scene *scene, double mass, plait_body *body, plait_error *error);
// Loads on the cell for a step of dt: what it is told at the start of an attempt.
void plait_sim_cell_set(const plait_model *m, const plait_state *s, const plait_work *w, double dt);
// Fibres without held ends get the change of the cell's motion since they were told, each as a whole: at the start of a
// step of dt. statics: they were brought to rest, and get all of it.
void plait_sim_cell_carry(plait_sim *sim, double dt, bool statics);
// Shape of the cell at the start and at the end of the step: the columns that detection knows (image.h).
void plait_sim_cell_shapes(const plait_model *m, double shape[2][6]);
// ... where bodies are now, and at the start of the last step.
void plait_sim_cell_now(const plait_model *m, double shape[6]);
void plait_sim_cell_start(const plait_model *m, double shape[6]);
// The velocity of the copy that is touched, of the cell's dofs v (NULL: of its state).
void plait_sim_cell_velocity(const plait_model *m, const plait_touch *t, const double *v, double u[3]);
// Shape, volume, the part of it that fibres fill, stress of the contacts with copies, a third of its trace as a
// pressure, and the work of the cell in the step: 16 numbers.
void plait_sim_cell_measure(const plait_sim *sim, double *out);
// grad[3 i + j]: velocity along i per place along j of what the cell carries along.
void plait_sim_cell_gradient(const plait_model *m, double grad[9]);

// The cell, if a contact with a copy moves it; else -1.
static inline int plait_sim_cell_of(const plait_model *m, const plait_touch *t)
{
    return m->cell_moves && t->side[1].image ? m->cell : -1;
}

#endif
