// friction_slider.h: something that slides on the plane z = 0, one time step after the other; for the cases of
// friction.
//
// Two things can slide. A bead: one contact with W = 1/m, stepped here in a few lines around plait_contact_solve, with
// implicit Euler and Coulomb's law on the velocity at the end of the step (Moreau). And a flat rigid box in a scene:
// the same motion through the whole simulator, detection and several contacts at once included.
#ifndef PLAIT_VALIDATE_FRICTION_SLIDER_H
#define PLAIT_VALIDATE_FRICTION_SLIDER_H

#include "plait/sim.h"
#include "validate/cases.h"

typedef struct plait_slider {
    // given
    bool box;          // in the simulator; else a bead
    double gravity[3]; // tilted instead of the plane
    double mu, dt;
    double velocity[3]; // at the start
    plait_local local;  // bead
    double turn;        // [rad] bead: of the contact's tangents; matters to a pyramid alone

    // found
    double x[3], v[3]; // starts at zero
    double r[3];       // of the last step, in the frame of the contact; bead alone
    double lost;       // to friction, per mass
    int steps;
    plait_sim *sim;
} plait_slider;

// false: the reason is in the trial.
bool plait_slider_start(plait_trial *t, plait_slider *s);
bool plait_slider_step(plait_trial *t, plait_slider *s);
void plait_slider_end(plait_slider *s);

// Until it stands, at most max_steps; false if it does not. *time: when it stood; the last step is cut where its speed,
// taken as linear, reaches zero.
bool plait_slider_stop(plait_trial *t, plait_slider *s, int max_steps, double *time);

// One-contact solvers that know the exact law, -1 ends (friction_contact.c).
extern const plait_local plait_exact_locals[];

// ---- scenes (friction_slider.c) -----------------------------------------------------------------------------------

// A scene without adaptive steps or recovery, that is solved to 1e-11; NULL: reason is set.
plait_scene *plait_trial_scene(plait_trial *t, double dt);
// Ends the scene's life, whether or not it can be simulated; NULL: reason is set.
plait_sim *plait_trial_simulate(plait_trial *t, plait_scene *scene);
bool plait_trial_advance(plait_trial *t, plait_sim *sim, plait_sim_report *report);

#endif
