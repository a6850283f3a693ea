// couple.c: C3: contacts that act at the surface of fibres (contact.couple), for every model with twist.
//
// A full cylinder rolls down a slope with 2/3 g sin(slope) while mu >= tan(slope)/3. Two logs with a third on top roll
// apart unless mu >= tan(15 degrees): the torque of either contact of a lower log must be that of the other,
// F = N sin 30 - F cos 30. Held at their centrelines alone, logs need less: 3 mu^2 + 4 sqrt(3) mu - 1 = 0.
#include <math.h>
#include <stdio.h>

#include "validate/friction_slider.h"

static const double G = 9.81, TIME = 0.05;

static plait_sim *simulate(plait_trial *t, const char *text)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    if (!scene)
        snprintf(t->reason, sizeof t->reason, "%.200s", error.text);
    return scene ? plait_trial_simulate(t, scene) : NULL;
}

// Frees the simulation; x: of all nodes. NaN: it failed.
static bool finish(plait_trial *t, plait_sim *sim, double until, double *x, double *v)
{
    bool ok = sim != NULL;
    plait_sim_report report;
    while (ok && plait_sim_time(sim) < until - 1e-9 && !plait_trial_stopped(t))
        ok = plait_trial_advance(t, sim, &report);
    ok = ok && !plait_trial_stopped(t);
    if (ok)
        plait_sim_positions(sim, x), plait_sim_velocities(sim, v);
    plait_sim_free(sim);
    return ok;
}

static double speed_on_slope(plait_trial *t, double slope, double mu, double dt)
{
    char text[900];
    double x[300], v[300];
    snprintf(text, sizeof text,
             "materials: {rod: {radius: 1 mm, density: 1200, young: 100 MPa}, floor: }\n"
             "colliders: {floor: {material: floor, shape: plane}}\n"
             "gravity: [%.17g, 0, %.17g]\nfriction: {default: %.17g}\ncontact: {couple: true}\nstep: {dt: %.17g s}\n"
             "fibres: {rod: {model: %s, material: rod, segments: 4, line: {from: [0, 0, 1 mm], direction: [0, 1, 0], "
             "length: 2 cm}}}\n",
             G * sin(slope), -G * cos(slope), mu, dt, plait_rod_model_name(t->model));
    return finish(t, simulate(t, text), TIME, x, v) ? v[0] : NAN;
}

// Whether three logs stand.
static int stands(plait_trial *t, double mu, const void *data)
{
    const bool *couple = data;
    char text[1400];
    double x[600], v[600];
    const char *model = plait_rod_model_name(t->model);
    snprintf(text, sizeof text,
             "materials: {rod: {radius: 1 mm, density: 1200, young: 1 GPa, damping: 1 ms}, floor: }\n"
             "colliders: {floor: {material: floor, shape: plane}}\n"
             "friction: {default: %.17g}\ncontact: {couple: %s}\nstep: {dt: 2 ms}\nfibres:\n"
             "  top: {model: %s, material: rod, segments: 2, line: {from: [0, 0, %.17g], direction: [0, 1, 0], length: "
             "1 cm}}\n"
             "  left: {model: %s, material: rod, segments: 2, line: {from: [-1 mm, 0, 1 mm], direction: [0, 1, 0], "
             "length: 1 cm}}\n"
             "  right: {model: %s, material: rod, segments: 2, line: {from: [1 mm, 0, 1 mm], direction: [0, 1, 0], "
             "length: 1 cm}}\n",
             mu, *couple ? "true" : "false", model, 1e-3 * (1 + sqrt(3)), model, model);
    if (!finish(t, simulate(t, text), 0.5, x, v))
        return -1;
    return x[2] > 2.7e-3;
}

void plait_case_couple(plait_trial *t)
{
    const double slope = 0.2, rolls = 2.0 / 3 * G * sin(slope) * TIME, needs = tan(slope) / 3;
    // Sections that are turned by their directors lose (spin dt)^2/2 of it in a step: that model needs shorter ones.
    bool angle = t->model == PLAIT_ROD_DER;
    double dt = angle ? 1e-3 : 1e-4, tolerance = angle ? 1e-5 : 3e-3;
    int steps = (int)(TIME / dt + 0.5);
    plait_trial_row(t, steps, rolls, speed_on_slope(t, slope, 0.5, dt), tolerance, "a rod rolls, mu .5 [m/s]");
    plait_trial_row(t, steps, rolls, speed_on_slope(t, slope, 1.05 * needs, dt), tolerance,
                    "a rod rolls, mu 1.05 of the least [m/s]");
    double mu = 0.95 * needs, slides = (G * sin(slope) - mu * G * cos(slope)) * TIME;
    plait_trial_row(t, steps, slides, speed_on_slope(t, slope, mu, dt), 1e-4, "... slides, mu .95 of the least [m/s]");
    static const bool yes = true, no = false;
    const double degree = 3.14159265358979323846 / 180, low = (2 * sqrt(3.75) - 2 * sqrt(3)) / 3;
    plait_trial_row(t, 250, tan(15 * degree), plait_trial_bracket(t, 0.25, 0.29, 3e-3, stands, &yes), 5e-3,
                    "three logs stand from mu");
    plait_trial_row(t, 250, low, plait_trial_bracket(t, 0.125, 0.145, 3e-3, stands, &no), 5e-3,
                    "... held at their centrelines, from mu");
}
