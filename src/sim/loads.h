// loads.h: the loads of a scene in a simulation (plait_load): resolved once, set at the start of every attempt.
#ifndef PLAIT_SIM_LOADS_H
#define PLAIT_SIM_LOADS_H

#include "sim/sim.h"

// The part of something spread over the arc from span[0] to span[1] (the same: at a point) that is at a node of a rod,
// whose nodes are every `step`-th of `arc`.
double plait_sim_node_share(const double *arc, int step, int segments, int node, const double span[2]);
// Point masses of fibre i: [2 *count] place as a part of its length, and mass; malloc'ed.
plait_status plait_sim_beads(const plait_scene *scene, int i, int *count, double **bead, plait_error *error);
// Which fibres have loads, what they were without them; springs are tied. Once, when everything is in its place.
plait_status plait_sim_loads_find(plait_sim *sim, const plait_scene *scene, plait_error *error);
// Loads for a step of dt from here: forces on fibres and bodies; gravity, friction, natural shapes. Energies at the
// start of the step are those with the new ones.
void plait_sim_loads_set(const plait_model *m, const plait_state *s, plait_work *w, double dt);
// Fibre i is chain[i] now; -1: it is gone.
void plait_sim_loads_renumber(plait_loads *loads, const int *chain);
void plait_sim_loads_free(plait_loads *loads);
// A program has set the push on a body, gravity, mu of a pair: what loads are added to. NULL is fine.
void plait_sim_loads_push(plait_loads *loads, int rigid, const double force[3], const double couple[3]);
void plait_sim_loads_regravity(plait_loads *loads, const double gravity[3]);
void plait_sim_loads_refriction(plait_loads *loads, int materials, int a, int b, double mu);

#endif
