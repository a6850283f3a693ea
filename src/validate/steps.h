// steps.h: scenes of the cases F2 to F7: texts, with a few values changed.
#ifndef PLAIT_VALIDATE_STEPS_H
#define PLAIT_VALIDATE_STEPS_H

#include "plait/sim.h"
#include "validate/cases.h"

enum { STEPS_SET = 8 };

// The scene `text` with "path=value" for each of set[], the last of which is NULL; fibres.rod gets the trial's model.
// NULL: reason is set.
plait_sim *plait_trial_text(plait_trial *t, const char *text, const char *const *set);
// Steps until `end`; the last one ends there. each: called after every step, may be NULL. False: reason is set.
typedef void (*plait_trial_look)(plait_sim *sim, const plait_sim_report *report, void *data);
bool plait_trial_until(plait_trial *t, plait_sim *sim, double end, plait_trial_look each, void *data);
// Momentum over mass of fibre 0.
void plait_trial_drift(plait_sim *sim, double u[3]);

#endif
