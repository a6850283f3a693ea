// joints.h: balls, hinges and welds. See joints.c.
#ifndef PLAIT_SIM_JOINTS_H
#define PLAIT_SIM_JOINTS_H

#include "sim/sim.h"

// The scene's joints become bonds: once, at the start.
static const double PLAIT_SOON = 1e-9; // [s] events are made at the first step that begins so near before their time

// Joint `number` of the scene; one whose time has not come is only checked.
plait_status plait_sim_join_one(plait_sim *sim, const plait_scene *scene, int number, plait_error *error);
// events.c: ties and joints whose time has come, at the start of a step.
plait_status plait_sim_make_events(plait_sim *sim, plait_error *error);

plait_status plait_sim_join(plait_sim *sim, const plait_scene *scene, plait_error *error);
// Contacts between what is joined, beside the joint, are taken out. False without memory.
bool plait_sim_sift_joints(const plait_model *m, plait_work *w, plait_touches *touches);

#endif
