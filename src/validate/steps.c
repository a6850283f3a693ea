// steps.c: scenes of the cases F2 to F7.
#include "validate/steps.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "validate/friction_slider.h"

plait_sim *plait_trial_text(plait_trial *t, const char *text, const char *const *set)
{
    const char *all[STEPS_SET + 1];
    char model[64];
    int count = 0;
    for (; set && set[count] && count < STEPS_SET; count++)
        all[count] = set[count];
    if (t->model != PLAIT_ROD_MODEL_COUNT) {
        snprintf(model, sizeof model, "fibres.rod.model=%s", plait_rod_model_name(t->model));
        all[count++] = model;
    }
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", count, all, 0, NULL, &error);
    if (!scene) {
        snprintf(t->reason, sizeof t->reason, "%.200s", error.text);
        return NULL;
    }
    return plait_trial_simulate(t, scene);
}

bool plait_trial_until(plait_trial *t, plait_sim *sim, double end, plait_trial_look each, void *data)
{
    plait_sim_report report;
    plait_error error = {0};
    while (plait_sim_time(sim) < end - 1e-12) {
        plait_status status = plait_sim_step(sim, end, &report, &error);
        if (status != PLAIT_OK || report.failed || plait_trial_stopped(t)) {
            snprintf(t->reason, sizeof t->reason, "step %lld: %.180s", (long long)plait_sim_steps(sim),
                     status != PLAIT_OK ? error.text
                     : report.reason    ? report.reason
                                        : "stopped");
            return false;
        }
        if (each)
            each(sim, &report, data);
    }
    return true;
}

void plait_trial_drift(plait_sim *sim, double u[3])
{
    const plait_rod *rod = plait_sim_rod(sim, 0);
    plait_rod_energies e = plait_rod_energy(rod);
    for (int k = 0; k < 3; k++)
        u[k] = e.momentum[k] / (rod->section.mass * rod->length);
}
