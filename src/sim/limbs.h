// limbs.h: what contacts do to bodies: the rows of H, and w.
//
// Contact i has a frame E (rows: normal, tangent, tangent). Its rows of H are E (J_0 - J_1), with J_k the derivative of
// side k's point (zero for dofs that an end holds). With the motion of colliders and of held ends c (velocity that
// it gives to the touched points) and the gap g at the start,
//
//     w = -E c  +  normal part:  g/dt                if the surfaces are apart: they may meet, but not pass
//                                0                   if they overlap (recover.c pushes them apart without velocity)
#ifndef PLAIT_SIM_LIMBS_H
#define PLAIT_SIM_LIMBS_H

#include "contact/limbs.h"
#include "sim/sim.h"

enum { PLAIT_SIM_FEW = 500 }; // contacts: less are not worth a second thread

// H, w and mu of the touches from number `from` on, and their work->frame and gap_term; body_place says which bodies
// they have. H begins with the first of them, w_out and mu with the first of all. False without memory.
bool plait_sim_limbs(const plait_model *m, plait_work *w, double dt, int from, plait_limbs *H, double *w_out,
                     double *mu);

// E of a contact.
void plait_sim_make_frame(const double normal[3], double E[9]);
// mu and restitution of the two materials.
double plait_sim_friction(const plait_model *m, const plait_work *w, const plait_touch *t, double *restitution);

#endif
