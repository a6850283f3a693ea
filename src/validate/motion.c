// motion.c: conservation laws of a free rod, and orders of convergence in N and in dt.
#include <math.h>
#include <stddef.h>

#include "math/vec3.h"
#include "validate/cases.h"

static const double PI = 3.14159265358979323846;
enum { SEGMENTS = 24, LEVELS = 4 };

// ---- conservation ------------------------------------------------------------------------------------------------

typedef struct flight {
    double momentum, angular, energy; // relative changes
} flight;

// A straight free rod is thrown, spinning, and bends as it flies: an impulse in the shape of a half wave.
static bool fly(plait_trial *t, double period, int steps, flight *f)
{
    const double length = 1, EI = 1, mass = 1;
    plait_section section = plait_trial_section(EI, EI / 1.5, mass, length);
    section.EA = 1e5 * EI / (length * length);
    double points[6], dt = period / steps, w = 22.3732854 * sqrt(EI / mass) / (length * length);
    plait_rod_def def = plait_trial_straight(t, &section, length, SEGMENTS, points);
    def.end[0].kind = PLAIT_END_FREE;
    plait_rod *rod = plait_trial_rod(t, &def);
    bool ok = rod != NULL;
    if (ok) {
        const double velocity[3] = {0.3, -0.2, 0.5}, spin[3] = {0.2 * w, 0.05 * w, 0.15 * w}, centre[3] = {0.1, 0, 0};
        plait_rod_kick(rod, velocity, spin, centre);
        plait_rod_energies start = plait_rod_energy(rod), end;
        for (int k = 0; k < steps && ok; k++)
            ok = !plait_trial_stopped(t) && plait_trial_step(t, rod, dt);
        end = plait_rod_energy(rod);
        double change[3];
        plait_vec3_sub(end.momentum, start.momentum, change);
        f->momentum = plait_vec3_norm(change) / plait_vec3_norm(start.momentum);
        plait_vec3_sub(end.angular_momentum, start.angular_momentum, change);
        f->angular = plait_vec3_norm(change) / plait_vec3_norm(start.angular_momentum);
        f->energy = 1 - (end.kinetic + end.stretch + end.bend + end.twist) / start.kinetic;
    }
    plait_rod_free(rod);
    return ok;
}

void plait_case_conservation(plait_trial *t)
{
    const double period = 2 * PI / 22.3732854;
    double x[LEVELS], lost[LEVELS], angular[LEVELS], linear[LEVELS], line[LEVELS];
    flight f = {NAN, NAN, NAN};
    for (int k = 0; k < LEVELS; k++) {
        int steps = 200 << k;
        if (!fly(t, period, steps, &f))
            f = (flight){NAN, NAN, NAN};
        x[k] = 1.0 / steps;
        lost[k] = f.energy, angular[k] = f.angular, linear[k] = f.momentum;
        line[k] = lost[0] * x[k] / x[0];
    }
    if (plait_trial_stopped(t))
        return;
    int last = LEVELS - 1;
    double worst = linear[0]; // what the tolerance of the steps leaves
    for (int k = 1; k < LEVELS; k++)
        worst = linear[k] <= worst ? worst : linear[k];
    plait_trial_row(t, SEGMENTS, 0, worst, 1e-8, "change of the momentum, relative");
    plait_trial_row(t, SEGMENTS, 1, log2(lost[last - 1] / lost[last]), 0.1, "order in dt of the energy lost");
    plait_trial_row(t, SEGMENTS, 1, log2(angular[last - 1] / angular[last]), 0.1,
                    "order in dt of the change of angular momentum");
    plait_trial_curve(t, "first order", true, LEVELS, x, line);
    plait_trial_curve(t, "energy", false, LEVELS, x, lost);
    plait_trial_curve(t, "angular momentum", false, LEVELS, x, angular);
    plait_trial_curve(t, "momentum", false, LEVELS, x, linear);
}

// ---- orders ------------------------------------------------------------------------------------------------------

// H/W of a cantilever of Gamma = 1 under its own weight; exact value from the heavy elastica.
static double cantilever_error(plait_trial *t, int segments)
{
    const double reference = 0.1245617664;
    plait_section section = plait_trial_section(1, 1 / 1.5, 1, 1);
    double points[6], tip[3], result = NAN;
    plait_rod_def def = plait_trial_straight(t, &section, 1, segments, points);
    def.gravity[2] = -1;
    plait_rod *rod = plait_trial_rod(t, &def);
    if (rod && plait_trial_relax(t, rod)) {
        plait_trial_tip(rod, tip);
        result = fabs(-tip[2] / tip[0] / reference - 1);
    }
    plait_rod_free(rod);
    return result;
}

void plait_case_order_n(plait_trial *t)
{
    double x[LEVELS], error[LEVELS], line[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        int segments = 8 << k;
        x[k] = segments;
        error[k] = cantilever_error(t, segments);
        line[k] = error[0] * pow(x[0] / x[k], 2);
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_row(t, 8 << (LEVELS - 1), 2, log2(error[LEVELS - 2] / error[LEVELS - 1]), 0.05, "order in N");
    plait_trial_curve(t, "second order", true, LEVELS, x, line);
    plait_trial_curve(t, "error", false, LEVELS, x, error);
}

static const double SWING_TIME = 0.6;

// Tip of a cantilever that starts straight and swings down, Gamma = 10.
static bool swing(plait_trial *t, int steps, double tip[3])
{
    const double length = 1, time = SWING_TIME;
    plait_section section = plait_trial_section(1, 1 / 1.5, 1, length);
    section.EA = 1e5;
    // Damped a little: gravity comes suddenly, and the short waves that it starts would need far smaller steps.
    section.viscous_EI[0] = section.viscous_EI[1] = section.viscous_GJ = 0.02;
    double points[6];
    plait_rod_def def = plait_trial_straight(t, &section, length, SEGMENTS, points);
    def.gravity[2] = -10;
    plait_rod *rod = plait_trial_rod(t, &def);
    bool ok = rod != NULL;
    for (int k = 0; k < steps && ok; k++)
        ok = !plait_trial_stopped(t) && plait_trial_step(t, rod, time / steps);
    if (ok)
        plait_trial_tip(rod, tip);
    plait_rod_free(rod);
    return ok;
}

void plait_case_order_dt(plait_trial *t)
{
    double tip[LEVELS + 1][3], x[LEVELS], change[LEVELS], line[LEVELS];
    for (int k = 0; k <= LEVELS; k++)
        if (!swing(t, 200 << k, tip[k]))
            tip[k][0] = NAN;
    if (plait_trial_stopped(t))
        return;
    for (int k = 0; k < LEVELS; k++) {
        double d[3];
        plait_vec3_sub(tip[k], tip[k + 1], d);
        x[k] = SWING_TIME / (200 << k);
        change[k] = plait_vec3_norm(d);
        line[k] = change[0] * x[k] / x[0];
    }
    plait_trial_row(t, SEGMENTS, 1, log2(change[LEVELS - 2] / change[LEVELS - 1]), 0.05, "order in dt");
    plait_trial_curve(t, "first order", true, LEVELS, x, line);
    plait_trial_curve(t, "tip", false, LEVELS, x, change);
}
