// orbit.h: a fibre on an oscillating ball (E1), run with one solver.
//
// An orbit is a curve in phase space: position and velocity of the free end, the latter in lengths per radian of the
// period of one second, (x, v / 2 pi).
#ifndef PLAIT_VALIDATE_ORBIT_H
#define PLAIT_VALIDATE_ORBIT_H

#include "validate/cases.h"
#include "validate/friction_slider.h"

enum { ORBIT_PERIODS = 5 }; // that are kept

typedef struct plait_orbit_solver {
    const char *name;
    plait_solver solver;
    plait_local local;
    bool exact; // knows Coulomb's law; the others are no cones
} plait_orbit_solver;

// All that take part; a NULL name ends. The first is what the others are compared with.
extern const plait_orbit_solver plait_orbit_solvers[];

// The free end in the last periods, step by step.
typedef struct plait_orbit {
    int period;   // steps
    int unsolved; // steps above the tolerance
    double *x;    // [6 * ORBIT_PERIODS * period]
} plait_orbit;

// Simulates whole seconds (periods); false: reason is set, and there is nothing to free.
bool plait_orbit_run(plait_trial *t, const plait_orbit_solver *with, int segments, int steps_per_second, int seconds,
                     plait_orbit *orbit);
void plait_orbit_free(plait_orbit *orbit);

double plait_orbit_diameter(const plait_orbit *orbit); // of the last period
// Hausdorff distance of period i of a and period j of b (0: the last one, 1: the one before ...), as closed curves.
double plait_orbit_distance(const plait_orbit *a, int i, const plait_orbit *b, int j);

#endif
