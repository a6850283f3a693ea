// step_control.c: F4: contacts under a clamp, or on a floor, that a script moves; F5: what controls a step acts at its
// value, bracketed from both sides.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "validate/steps.h"

// ---- F4 -------------------------------------------------------------------------------------------------------------

static const double MU = 0.3, SPEED = 0.2;

#define BELT                                                                                                           \
    "materials: {rod: {radius: 2 mm, density: 1000, young: 1 GPa, poisson: 0.4, damping: 10 ms}, floor: }\n"           \
    "friction: {default: 0.3}\nstep: {dt: 1 ms, adaptive: false}\nsolver: {tol: 1e-9}\n"                               \
    "fibres: {rod: {material: rod, segments: 6, ends: {root: clamped, attach: hand}, line: {from: [0, 0, 2 mm], "      \
    "direction: [1, 0, 0], length: 0.1}}}\n"                                                                           \
    "colliders:\n"

// Who moves, and where to. Velocities of a fibre that is dragged are its own at the start.
static const struct {
    const char *name, *text, *velocity;
    double way[3]; // of the rod over the floor
} belts[] = {
    {"dragged along itself",
     BELT "  floor: {material: floor, shape: plane}\n  hand: {material: floor, shape: none, motion: {drives: [{kind: "
          "linear, velocity: [0.2, 0, 0]}]}}\n",
     "[0.2, 0, 0]",
     {1, 0, 0}},
    {"dragged across",
     BELT "  floor: {material: floor, shape: plane}\n  hand: {material: floor, shape: none, motion: {drives: [{kind: "
          "linear, velocity: [0, -0.2, 0]}]}}\n",
     "[0, -0.2, 0]",
     {0, -1, 0}},
    {"on a belt",
     BELT "  floor: {material: floor, shape: box, size: [1, 1, 0.1], position: [0, 0, -0.05], motion: {drives: [{kind: "
          "linear, velocity: [-0.2, 0, 0]}]}}\n  hand: {material: floor, shape: none}\n",
     "[0, 0, 0]",
     {1, 0, 0}},
};

// Sums of the last steps.
typedef struct belt {
    const double *way;
    double from, along, across, normal, slip, work, friction;
    int contacts;
} belt;

static void drag(plait_sim *sim, const plait_sim_report *r, void *data)
{
    belt *s = data;
    if (r->time < s->from)
        return;
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        double along = plait_vec3_dot(c.impulse, s->way);
        s->along -= along, s->normal += c.impulse[2];
        s->across += hypot(c.impulse[0] - along * s->way[0], c.impulse[1] - along * s->way[1]);
        s->slip += plait_vec3_dot(c.velocity, s->way), s->contacts++;
    }
    s->work += r->ledger.ends + r->ledger.colliders, s->friction += r->ledger.friction;
}

void plait_case_belt(plait_trial *t)
{
    for (size_t k = 0; k < sizeof belts / sizeof *belts && !plait_trial_stopped(t); k++) {
        char start[64];
        snprintf(start, sizeof start, "fibres.rod.velocity=%s", belts[k].velocity);
        const char *const set[] = {start, NULL};
        belt s = {.way = belts[k].way, .from = 0.1};
        plait_sim *sim = plait_trial_text(t, belts[k].text, set);
        bool ok = sim && plait_trial_until(t, sim, 0.15, drag, &s);
        plait_sim_free(sim);
        if (!ok)
            s.along = NAN;
        plait_trial_row(t, 6, MU, s.along / s.normal, 1e-3, "%s: force against the motion / N", belts[k].name);
        plait_trial_row(t, 6, 0, ok ? s.across / s.normal : NAN, 0.02, "%s: force across / N", belts[k].name);
        plait_trial_row(t, 6, SPEED, ok ? s.slip / s.contacts : NAN, 5e-3, "%s: speed that contacts see",
                        belts[k].name);
        plait_trial_row(t, 6, 1, ok ? s.work / s.friction : NAN, 0.02, "%s: work of the script / friction",
                        belts[k].name);
    }
}

// ---- F5 -------------------------------------------------------------------------------------------------------------

#define CORD                                                                                                           \
    "gravity: [0, 0, 0]\nmaterials: {rod: {radius: 2 mm, density: 1000, young: 2 MPa, poisson: 0.4}, floor: }\n"       \
    "fibres: {rod: {material: rod, segments: 6, "
static const char *const thrown = CORD "line: {from: [0, 0, 0], direction: [1, 0, 0], length: 0.1}}}\n"
                                       "step: {dt: 1 ms, adaptive: true, max_move: 1 mm}\n";
static const char *const hung = CORD "ends: {root: pinned}, line: {from: [0, 0, 0], direction: [0, 0, -1], length: "
                                     "0.1}}}\nstep: {dt: 4 ms, adaptive: false}\n";
static const char *const sunk = CORD "line: {from: [0, 0, 1 mm], direction: [1, 0, 0], length: 0.1}}}\n"
                                     "colliders: {floor: {material: floor, shape: plane}}\n"
                                     "step: {dt: 1 ms, adaptive: false}\n";

static plait_sim_report one(plait_trial *t, plait_sim *sim)
{
    plait_sim_report r = {0};
    plait_error error = {0};
    plait_status status = plait_sim_step(sim, INFINITY, &r, &error);
    if (status != PLAIT_OK || r.failed)
        snprintf(t->reason, sizeof t->reason, "%.200s", status != PLAIT_OK ? error.text : "a step failed"), r.dt = NAN;
    return r;
}

// 1 mm in a step of 1 ms is allowed: dt after some steps at speeds just below and above it.
static void moves(plait_trial *t)
{
    static const struct {
        double speed, dt;
    } is[] = {{0.98, 1e-3}, {1.02, 5e-4}, {1.98, 5e-4}, {2.02, 2.5e-4}};
    for (int i = 0; i < 4; i++) {
        char speed[64];
        snprintf(speed, sizeof speed, "fibres.rod.velocity=[0, 0, %g]", is[i].speed);
        const char *const set[] = {speed, NULL};
        plait_sim *sim = plait_trial_text(t, thrown, set);
        double dt = NAN;
        for (int n = 0; n < 12 && sim; n++)
            dt = one(t, sim).dt;
        plait_sim_free(sim);
        plait_trial_row(t, 6, is[i].dt, dt, 1e-9, "max_move: dt [s] at %g of it in 1 ms", is[i].speed);
    }
    const char *const set[] = {"materials.rod.drag=40", "fibres.rod.velocity=[0, 0, 6]", NULL};
    plait_sim *sim = plait_trial_text(t, thrown, set);
    double smallest = INFINITY, dt = NAN;
    while (sim && plait_sim_time(sim) < 0.2 && !isnan(dt = one(t, sim).dt))
        smallest = fmin(smallest, dt);
    plait_sim_free(sim);
    plait_trial_row(t, 6, 1.25e-4, smallest, 1e-9, "max_move: smallest dt [s] of a throw at 6 m/s");
    plait_trial_row(t, 6, 1e-3, dt, 1e-9, "max_move: dt [s] when the air has stopped it");
}

// Suddenly heavy: its stretch in a step, and whether limits just above and below it reject the step.
static void stretches(plait_trial *t)
{
    double most = NAN;
    for (int k = 0; k < 3; k++) {
        char limit[64];
        snprintf(limit, sizeof limit, "step.max_stretch=%.9g", k == 0 ? 10 : (k == 1 ? 1.01 : 0.99) * most);
        const char *const set[] = {"gravity=[0, 0, -2000]", limit, NULL};
        plait_sim *sim = plait_trial_text(t, hung, set);
        plait_sim_report r = sim ? one(t, sim) : (plait_sim_report){.dt = NAN};
        plait_sim_free(sim);
        if (k == 0)
            most = r.max_stretch;
        else
            plait_trial_row(t, 6, k == 1 ? 4e-3 : 2e-3, r.dt, 1e-9, "max_stretch at %s of the stretch: dt [s]",
                            k == 1 ? "1.01" : "0.99");
    }
}

// 1 mm deep in the floor: the way out in a step is max_recovery times dt, or all but half of the slop.
static void recovers(plait_trial *t)
{
    static const double limit[] = {0.05, 0.4, 2};
    for (int i = 0; i < 3; i++) {
        char set_limit[64];
        snprintf(set_limit, sizeof set_limit, "step.max_recovery=%g", limit[i]);
        const char *const set[] = {set_limit, NULL};
        plait_sim *sim = plait_trial_text(t, sunk, set);
        double x[3] = {NAN, NAN, NAN}, way = fmin(limit[i] * 1e-3, 1e-3 - 0.01 * 2e-3);
        if (sim && !isnan(one(t, sim).dt))
            plait_trial_tip(plait_sim_rod(sim, 0), x);
        plait_sim_free(sim);
        plait_trial_row(t, 6, way, x[2] - 1e-3, 0.05, "max_recovery %g m/s: way out in 1 ms [m]", limit[i]);
    }
}

// Free fall: a step of implicit Euler is wrong by g dt^2/2, here 1 um at 1 ms.
static void errs(plait_trial *t)
{
    for (int k = 0; k < 2; k++) {
        const char *const set[] = {"gravity=[0, 0, -2]", "step.dt=8 ms", "step.adaptive=false",
                                   k ? "step.error=0.98e-6" : "step.error=1.02e-6", NULL};
        plait_sim *sim = plait_trial_text(t, thrown, set);
        plait_sim_report r = {.dt = NAN, .error = NAN};
        for (int n = 0; n < 30 && sim; n++)
            r = one(t, sim);
        plait_sim_free(sim);
        plait_trial_row(t, 6, k ? 5e-4 : 1e-3, r.dt, 1e-9, "error %s um: dt [s] of a fall", k ? "0.98" : "1.02");
        plait_trial_row(t, 6, r.dt * r.dt, r.error, 1e-6, "error %s um: estimated [m]", k ? "0.98" : "1.02");
    }
}

void plait_case_control(plait_trial *t)
{
    moves(t);
    errs(t);
    if (t->can & PLAIT_ROD_STRETCHES)
        stretches(t);
    recovers(t);
}
