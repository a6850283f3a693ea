// step_order.c: F7: the second-order scheme. Orders in dt of swings and vibrations without contacts, what a pendulum
// loses in a period, and that impacts gain nothing.
//
// Places at the same time for dt, dt/2, dt/4, dt/8: their differences fall by 2^order.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "validate/steps.h"

enum { HALVINGS = 4, NODES = 400 };

// What swings, and where it is looked at.
typedef struct motion {
    const char *name, *scene;
    double end;      // [s]
    double dt;       // [s] the longest
    double length;   // [m] what differences are relative to
    const char *set; // a value that is changed, or NULL
} motion;

#define PENDULUM                                                                                                       \
    "materials: {steel: {radius: 1 mm, density: 7800, young: 200 GPa, poisson: 0.3}}\n"                                \
    "fibres: {rod: {material: steel, segments: 10, ends: {root: pinned}, line: {from: [0, 0, 0], direction: "          \
    "[1, 0, 0], length: 0.2}}}\n"                                                                                      \
    "step: {dt: 1 ms, adaptive: false}\n"
#define SOFT                                                                                                           \
    "materials: {rubber: {radius: 1 mm, density: 1100, young: 1 MPa, poisson: 0.4}}\n"                                 \
    "fibres: {rod: {material: rubber, segments: 10, "
#define END "}}\nstep: {dt: 1 ms, adaptive: false}\n"

static const motion rods[] = {
    {"pendulum", PENDULUM, 0.65, 4e-3, 0.2, NULL},
    // at rest, then gusts: what begins suddenly has all frequencies, which no dt resolves
    {"cantilever in gusts",
     "wind: {gust: [0, 2, 0], frequency: 2 Hz}\n" SOFT "start: relaxed, ends: {root: clamped}, line: {from: [0, 0, 0], "
     "direction: [1, 0, 0], length: 0.1}" END,
     0.4, 4e-3, 0.1, "materials.rubber.drag=2"},
    // about the first mode, without gravity; of few segments, so that dt resolves the others too
    {"free vibration",
     "gravity: [0, 0, 0]\n" SOFT "natural: {shape: straight}, polyline: {points: ["
     "[0, 0, 0.002], [0.005, 0, 0.0015355], [0.01, 0, 0.0010743], [0.015, 0, 0.00062399], "
     "[0.02, 0, 0.00019545], [0.025, 0, -0.00019839], [0.03, 0, -0.00054401], "
     "[0.035, 0, -0.00082847], [0.04, 0, -0.0010405], [0.045, 0, -0.0011714], [0.05, 0, -0.0012156], "
     "[0.055, 0, -0.0011714], [0.06, 0, -0.0010405], [0.065, 0, -0.00082847], [0.07, 0, -0.00054401], "
     "[0.075, 0, -0.00019839], [0.08, 0, 0.00019545], [0.085, 0, 0.00062399], [0.09, 0, 0.0010743], "
     "[0.095, 0, 0.0015355], [0.1, 0, 0.002]"
     "]}" END,
     0.25, 2e-3, 0.1, "fibres.rod.segments=3"},
};

static const motion others[] = {
    {"thrown ball",
     "materials: {m: }\nbodies: {b: {material: m, shape: sphere, radius: 1 cm, density: 1000, velocity: [1, 0, 2]}}\n"
     "step: {dt: 1 ms, adaptive: false}\n",
     0.2, 4e-3, 0.2, NULL},
    {"swing of a cloth",
     "materials: {m: }\ncloth: {c: {material: m, grid: {width: 0.2, height: 0.1, cell: 0.05}, density: 0.3 kg/m^2, "
     "stretch: 60 N/m, bend: 1e-4 N m, damping: 0 s, pins: [{side: left}]}}\nstep: {dt: 1 ms, adaptive: false}\n",
     0.2, 2e-3, 0.2, NULL},
    {"swing of a block",
     "materials: {m: }\nsolids: {s: {material: m, box: {size: [0.2, 0.05, 0.05], cell: 0.05}, young: 200 kPa, "
     "density: 1000, damping: 0 s, pins: [{side: left}]}}\nstep: {dt: 1 ms, adaptive: false}\n",
     0.2, 2e-3, 0.2, NULL},
};

// The point that is looked at: a tip, the last node of a skin, the centre of a body.
static void look_at(const plait_trial *t, plait_sim *sim, double x[3])
{
    double all[3 * NODES], q[4];
    plait_sim_skin skin;
    if (t->model != PLAIT_ROD_MODEL_COUNT) {
        plait_trial_tip(plait_sim_rod(sim, 0), x);
    } else if (plait_sim_skins(sim) > 0) {
        plait_sim_skin_get(sim, 0, &skin);
        plait_sim_skin_positions(sim, 0, all);
        plait_vec3_copy(all + 3 * (skin.nodes - 1), x);
    } else {
        plait_sim_rigid_pose(sim, 0, x, q);
    }
}

static bool where(plait_trial *t, const motion *m, double dt, bool second, double x[3])
{
    char step[64];
    snprintf(step, sizeof step, "step.dt=%.17g", dt);
    const char *const set[] = {step, second ? "step.integrator=bdf2" : "step.integrator=euler", m->set, NULL};
    plait_sim *sim = plait_trial_text(t, m->scene, set);
    bool ok = sim && plait_trial_until(t, sim, m->end, NULL, NULL);
    if (ok)
        look_at(t, sim, x);
    plait_sim_free(sim);
    return ok;
}

static void order(plait_trial *t, const motion *m)
{
    for (int second = 1; second >= 0 && !plait_trial_stopped(t); second--) {
        double x[HALVINGS][3], dt[HALVINGS], change[HALVINGS], d[3], found = NAN;
        bool ok = true;
        char name[96];
        for (int k = 0; k < HALVINGS && ok; k++) {
            dt[k] = m->dt / (1 << k);
            ok = where(t, m, dt[k], second, x[k]);
            if (!ok || k == 0)
                continue;
            plait_vec3_sub(x[k], x[k - 1], d);
            change[k - 1] = plait_vec3_norm(d) / m->length;
        }
        if (ok) {
            snprintf(name, sizeof name, "%s, %s", m->name, second ? "bdf2" : "euler");
            plait_trial_curve(t, name, false, HALVINGS - 1, dt, change);
            found = log2(change[HALVINGS - 3] / change[HALVINGS - 2]);
        }
        if (second) // 1.9 to 2.5
            plait_trial_row(t, 1 << (HALVINGS - 1), 2.2, found, 0.3 / 2.2, "order in dt, %s, bdf2", m->name);
    }
}

// ---- energy ---------------------------------------------------------------------------------------------------------

typedef struct energy {
    double start, deepest, now, most;
} energy;

static void watch(plait_sim *sim, const plait_sim_report *r, void *data)
{
    energy *e = data;
    (void)sim;
    e->now = r->kinetic + r->elastic + r->potential;
    e->deepest = fmax(e->deepest, -r->potential), e->most = fmax(e->most, e->now);
}

// A pendulum for three seconds at 1 ms: what is lost of the energy of the swing per period, 2 pi sqrt(2 L/(3 g)) times
// 1.1803 for a swing from the horizontal.
static void loss(plait_trial *t)
{
    const double period = 2 * 3.14159265358979 * sqrt(0.4 / 29.43) * 1.1803406, end = 3;
    const char *const set[] = {"step.integrator=bdf2", NULL};
    energy e = {.most = -INFINITY};
    plait_sim *sim = plait_trial_text(t, PENDULUM, set);
    bool ok = sim && plait_trial_until(t, sim, end, watch, &e);
    plait_sim_free(sim);
    plait_trial_row(t, 10, 0, ok ? -e.now / e.deepest * period / end : NAN, 1e-3,
                    "pendulum, bdf2 at 1 ms: part of the energy that a period loses");
    plait_trial_row(t, 10, 0, ok ? fmax(e.most / e.deepest, 0) : NAN, 1e-9, "pendulum, bdf2: energy above its start");
}

static const char *const drop_rod = //
    "materials: {rod: {radius: 1 mm, density: 1000, young: 100 MPa, poisson: 0.3}, floor: }\n"
    "friction: {default: 0.3}\nrestitution: {default: 0.7}\ncolliders: {floor: {material: floor, shape: plane}}\n"
    "fibres: {rod: {material: rod, segments: 8, velocity: [0.5, 0, 0], line: {from: [0, 0, 0.05], direction: "
    "[1, 0, 0.5], length: 0.2}}}\nstep: {dt: 1 ms, adaptive: false, integrator: bdf2}\n";
static const char *const drop_box =
    "materials: {m: }\nfriction: {default: 0.3}\nrestitution: {default: 0.7}\n"
    "colliders: {floor: {material: m, shape: plane}}\nbodies: {b: {material: m, shape: box, size: [2 cm, 3 cm, 5 cm], "
    "density: 1000, position: [0, 0, 0.1], velocity: [0.5, 0, 0], spin: [3, 5, 1]}}\n"
    "step: {dt: 1 ms, adaptive: false, integrator: bdf2}\n";
static const char *const drop_soft =
    "materials: {m: }\nfriction: {default: 0.3}\ncolliders: {floor: {material: m, shape: plane}}\n"
    "solids: {s: {material: m, box: {size: [0.1, 0.05, 0.05], cell: 0.025}, young: 100 kPa, density: 1000, damping: "
    "0 s, position: [0, 0, 0.06], velocity: [0.3, 0, 0], spin: [0, 2, 0]}}\n"
    "step: {dt: 1 ms, adaptive: false, integrator: bdf2}\n";

// Dropped with friction and restitution: never above its start, at two lengths of the step.
static void impacts(plait_trial *t, const char *what, const char *scene, double end)
{
    for (int k = 0; k < 2 && !plait_trial_stopped(t); k++) {
        const char *const set[] = {k ? "step.dt=3 ms" : "step.dt=1 ms", NULL};
        energy e = {.most = -INFINITY}, first = {.most = -INFINITY};
        plait_sim *sim = plait_trial_text(t, scene, set);
        bool ok = sim && plait_trial_until(t, sim, 1e-6, watch, &first) && plait_trial_until(t, sim, end, watch, &e);
        plait_sim_free(sim);
        plait_trial_row(t, 0, 0, ok ? fmax(e.most / first.now - 1, 0) : NAN, 1e-6,
                        "%s is dropped, bdf2 at %d ms: energy above its start", what, k ? 3 : 1);
    }
}

void plait_case_order(plait_trial *t)
{
    bool fibre = t->model != PLAIT_ROD_MODEL_COUNT;
    const motion *list = fibre ? rods : others;
    int count = fibre ? sizeof rods / sizeof *rods : sizeof others / sizeof *others;
    if (!fibre)
        t->subject = "bodies";
    for (int k = 0; k < count && !plait_trial_stopped(t); k++)
        order(t, &list[k]);
    if (fibre && !plait_trial_stopped(t)) {
        loss(t);
        impacts(t, "a rod", drop_rod, 0.4);
    } else if (!plait_trial_stopped(t)) {
        impacts(t, "a box", drop_box, 0.5);
        impacts(t, "a soft block", drop_soft, 0.25);
    }
}
