// joints.h: balls, hinges and welds. See joints.c.
#ifndef PLAIT_SIM_JOINTS_H
#define PLAIT_SIM_JOINTS_H

#include "sim/sim.h"

// The scene's joints become bonds: once, at the start.
plait_status plait_sim_join(plait_sim *sim, const plait_scene *scene, plait_error *error);
// Contacts between what is joined, beside the joint, are taken out. False without memory.
bool plait_sim_sift_joints(const plait_model *m, plait_work *w, plait_touches *touches);

#endif
