// cases.h: what the cases of the physics suite share.
#ifndef PLAIT_VALIDATE_CASES_H
#define PLAIT_VALIDATE_CASES_H

#include "body/rod.h"
#include "plait/validate.h"

enum { CASE_MAX_SEGMENTS = 900 };

// One run of one case in one model.
typedef struct plait_trial {
    const char *name;
    const plait_validation_sink *sink;
    plait_rod_model model;
    const char *subject; // NULL: the model
    unsigned can;        // abilities
    int max_segments;
    char reason[256]; // why the last rod failed; empty if it did not
} plait_trial;

// ---- rows and curves (validate.c) --------------------------------------------------------------------------------

// error = measured / reference - 1, or measured itself if the reference is 0. A NaN fails, with the reason.
void plait_trial_row(plait_trial *t, int resolution, double reference, double measured, double tolerance,
                     const char *format, ...) PLAIT_PRINTF(6, 7);
// The same for what must differ: passes if |error| > tolerance.
void plait_trial_row_beyond(plait_trial *t, int resolution, double reference, double measured, double tolerance,
                            const char *format, ...) PLAIT_PRINTF(6, 7);
void plait_trial_curve(const plait_trial *t, const char *series, bool reference, int count, const double *x,
                       const double *y);
bool plait_trial_stopped(const plait_trial *t);
bool plait_trial_can_resolve(const plait_trial *t, int segments);

// ---- rods (validate.c) -------------------------------------------------------------------------------------------

// Isotropic section, nearly inextensible for a rod of this length; mass per length as given; hair-thin geometry.
plait_section plait_trial_section(double EI, double GJ, double mass, double length);

// Straight rod along x from the origin, first end clamped, m1 along z. Points are in `points`.
plait_rod_def plait_trial_straight(const plait_trial *t, const plait_section *section, double length, int segments,
                                   double points[6]);

plait_rod *plait_trial_rod(plait_trial *t, const plait_rod_def *def); // NULL: reason is set
bool plait_trial_relax(plait_trial *t, plait_rod *rod);               // false: reason is set
bool plait_trial_step(plait_trial *t, plait_rod *rod, double dt);
void plait_trial_tip(const plait_rod *rod, double tip[3]);
// Largest |component| over the nodes, minus that of the first node.
double plait_trial_largest(const plait_rod *rod, int component);
// Sideways dead forces at the nodes along an axis, pseudo-random, of the given size; size 0 takes them away.
void plait_trial_push(plait_rod *rod, int axis, double size);

// ---- searching (validate.c) --------------------------------------------------------------------------------------

// The parameter between low and high where `above` turns from false to true, to the relative width. NaN with a reason
// if it is not between them, or if above() returns -1.
typedef int (*plait_trial_question)(plait_trial *t, double parameter, const void *data);
double plait_trial_bracket(plait_trial *t, double low, double high, double width, plait_trial_question above,
                           const void *data);

// ---- cases -------------------------------------------------------------------------------------------------------

void plait_case_cantilever(plait_trial *t); // statics.c
void plait_case_end_load(plait_trial *t);
void plait_case_bend_45(plait_trial *t);
void plait_case_euler(plait_trial *t); // buckling.c
void plait_case_lateral(plait_trial *t);
void plait_case_greenhill(plait_trial *t); // twist.c
void plait_case_ring(plait_trial *t);
void plait_case_helical(plait_trial *t);      // helical.c
void plait_case_bend_twist(plait_trial *t);   // bend_twist.c
void plait_case_vibration(plait_trial *t);    // vibration.c
void plait_case_conservation(plait_trial *t); // motion.c
void plait_case_order_n(plait_trial *t);
void plait_case_order_dt(plait_trial *t);
void plait_case_incline(plait_trial *t); // friction.c
void plait_case_stopping(plait_trial *t);
void plait_case_isotropy(plait_trial *t);
void plait_case_cross_slope(plait_trial *t);
void plait_case_painleve(plait_trial *t); // friction_contact.c
void plait_case_driven(plait_trial *t);
void plait_case_ball(plait_trial *t); // friction_roll.c
void plait_case_rolling(plait_trial *t);
void plait_case_capstan(plait_trial *t); // capstan.c
void plait_case_couple(plait_trial *t);  // couple.c
void plait_case_orbit(plait_trial *t);   // orbit.c
// solids and cloth (solid_cases.c, cloth_cases.c)
void plait_case_patch(plait_trial *t);
void plait_case_bar(plait_trial *t);
void plait_case_cantilever_block(plait_trial *t);
void plait_case_membrane(plait_trial *t);
void plait_case_peirce(plait_trial *t);
void plait_case_soft_motion(plait_trial *t); // soft_motion.c
void plait_case_soft_touch(plait_trial *t);  // soft_touch.c
void plait_case_stick_slip(plait_trial *t); // stick_slip.c
void plait_case_opening(plait_trial *t); // adhesion.c
void plait_case_shear(plait_trial *t);
void plait_case_cube(plait_trial *t);
void plait_case_bond_energy(plait_trial *t);
void plait_case_bond_plane(plait_trial *t);
void plait_case_free_body(plait_trial *t); // free_body.c
void plait_case_air(plait_trial *t); // step_air.c
void plait_case_start(plait_trial *t);
void plait_case_belt(plait_trial *t); // step_control.c
void plait_case_control(plait_trial *t);
void plait_case_ledger(plait_trial *t); // step_energy.c
void plait_case_order(plait_trial *t);  // step_order.c
void plait_case_still(plait_trial *t);     // still.c

#endif
