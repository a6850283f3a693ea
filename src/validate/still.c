// still.c: F8: what rests stays where it is, with the default settings.
//
// Scenes that users of other simulators have filed as bugs, and rods near the limit of friction. Each settles, then it
// is watched for a minute: the fastest creep of any contact that sticks, and how far anything has gone.
// docs/validation.md has what the reporters measured.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plait/control.h"
#include "validate/friction_slider.h"

enum { MOST = 4096 };
static const double SETTLE = 3, WATCH = 60; // [s]
static const double LIMIT = 1e-9;           // [m/s] of a contact that sticks
static const double DRIFT = 1e-8;           // [m/s] of anything, over the whole time: also what sinks, rolls or relaxes
static const double PI = 3.14159265358979323846, DEGREE = 3.14159265358979323846 / 180;

// ---- watching ----------------------------------------------------------------------------------------------------

typedef struct watched {
    plait_sim *sim;
    int fibre_nodes, rigids, steps;
    double creep, drift; // [m/s]
    int sticking;
} watched;

static plait_sim *scene_of(plait_trial *t, const char *text, int rigids, watched *w)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    *w = (watched){.rigids = rigids};
    if (!scene) {
        snprintf(t->reason, sizeof t->reason, "%.200s", error.text);
        return NULL;
    }
    w->sim = plait_trial_simulate(t, scene);
    if (w->sim)
        w->fibre_nodes = plait_sim_first_node(w->sim)[plait_sim_fibres(w->sim)];
    return w->sim;
}

// Places of everything: [3 (fibre_nodes + rigids)].
static void places(const watched *w, double *x)
{
    double q[4];
    plait_sim_positions(w->sim, x);
    for (int i = 0; i < w->rigids; i++)
        plait_sim_rigid_pose(w->sim, i, x + 3 * (w->fibre_nodes + i), q);
}

// It settles, and is watched. Ends the simulation. False: the reason is in the trial.
static bool watch(plait_trial *t, watched *w, double seconds)
{
    double x[3 * MOST], y[3 * MOST], far = 0;
    int points = w->fibre_nodes + w->rigids;
    bool ok = w->sim && points <= MOST, begun = false;
    while (ok && plait_sim_time(w->sim) < SETTLE + seconds && !plait_trial_stopped(t)) {
        plait_sim_report report;
        ok = plait_trial_advance(t, w->sim, &report);
        if (ok && !begun && plait_sim_time(w->sim) >= SETTLE)
            places(w, x), begun = true;
        else if (ok && begun)
            w->creep = fmax(w->creep, report.creep), w->sticking = report.sticking, w->steps++;
    }
    if (ok && begun)
        places(w, y);
    for (int i = 0; ok && begun && i < 3 * points; i++)
        far = fmax(far, fabs(y[i] - x[i]));
    w->drift = far / seconds;
    plait_sim_free(w->sim);
    w->sim = NULL;
    return ok && begun;
}

static void rows(plait_trial *t, watched *w, double seconds, const char *what)
{
    bool ok = watch(t, w, seconds);
    plait_trial_row(t, w->steps, 0, ok && w->sticking > 0 ? w->creep : NAN, LIMIT, "%s: creep [m/s]", what);
    plait_trial_row(t, w->steps, 0, ok ? w->drift : NAN, DRIFT, "%s: drift [m/s]", what);
}

// ---- rods --------------------------------------------------------------------------------------------------------

#define RODS                                                                                                           \
    "materials: {rod: {radius: 1 mm, density: 1200, young: 100 MPa, damping: 5 ms}, floor: }\n"                        \
    "colliders: {floor: {material: floor, shape: plane}}\nstep: {dt: 5 ms}\n"

static void rods_on_slope(plait_trial *t, double share)
{
    char text[1024], what[64];
    double mu = 0.4, angle = atan(share * mu);
    snprintf(text, sizeof text,
             RODS "gravity: [%.17g, 0, %.17g]\nfriction: {default: %g}\n"
                  "fibres:\n"
                  "  low: {material: rod, segments: 10, line: {from: [0, 0, 1.0001 mm], direction: [0, 1, 0], length: "
                  "5 cm, count: 3, spacing: [8 mm, 0, 0]}}\n"
                  "  high: {material: rod, segments: 10, line: {from: [-1 cm, 1 cm, 3.0002 mm], direction: [1, 0, 0], "
                  "length: 5 cm, count: 2, spacing: [0, 2 cm, 0]}}\n",
             9.81 * sin(angle), -9.81 * cos(angle), mu);
    snprintf(what, sizeof what, "rods on a slope, %.0f %% of the limit", 100 * share);
    watched w;
    scene_of(t, text, 0, &w);
    rows(t, &w, WATCH, what);
}

static void crossed_layers(plait_trial *t, int layers)
{
    char text[4096];
    int used = snprintf(text, sizeof text, RODS "friction: {default: 0.3}\nfibres:\n");
    for (int i = 0; i < layers; i++) {
        double from = -4e-3 * (layers - 1) / 2, z = 1e-3 + 2e-3 * i, end = -0.02;
        bool across = i % 2;
        used += snprintf(text + used, sizeof text - (size_t)used,
                         "  l%d: {material: rod, segments: 8, line: {from: [%g, %g, %.17g], direction: [%d, %d, 0], "
                         "length: 4 cm, count: %d, spacing: [%g, %g, 0]}}\n",
                         i, across ? from : end, across ? end : from, z, !across, across, layers, across ? 4e-3 : 0.0,
                         across ? 0.0 : 4e-3);
    }
    watched w;
    scene_of(t, text, 0, &w);
    rows(t, &w, WATCH, "crossed layers");
}

// A rope over a drum of 20 of its radii, half around, one end pulled by F and the other by so much of what would make
// it slide, F exp(mu pi) (thin: its stiffness takes 0.3 % of that).
static void capstan(plait_trial *t, double share)
{
    enum { ARC = 36, TAIL = 12, POINTS = ARC + 2 * TAIL };
    const double mu = 0.3, rho = 0.021, d = PI / ARC, l = 2 * rho * tan(d / 2), F = 0.5;
    char text[8192], what[64];
    int used = snprintf(text, sizeof text,
                        "materials: {rope: {radius: 0.1 mm, contact_radius: 1 mm, density: 30 g/cm^3, young: 20 GPa, "
                        "damping: 5 ms, drag: 20 1/s}, drum: }\nfriction: {default: %g}\ngravity: [0, 0, 0]\n"
                        "colliders: {drum: {material: drum, shape: cylinder, radius: 2 cm, length: 4 cm, rotation: [90 "
                        "deg, 0, 0]}}\nstep: {dt: 5 ms}\nfibres: {rope: {material: rope, segments: 0, polyline: "
                        "{points: [",
                        mu);
    for (int i = 0; i < POINTS; i++) {
        int k = i - TAIL;
        double angle = PI - (k + 0.5) * d, far = rho / cos(d / 2);
        double x = k < 0 ? -rho : k >= ARC ? rho : far * cos(angle), z = far * sin(angle);
        z = k < 0 ? -(-k - 0.5) * l : k >= ARC ? -(k - ARC + 0.5) * l : z;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s[%.9g, 0, %.9g]", i ? ", " : "", x, z);
    }
    snprintf(text + used, sizeof text - (size_t)used, "]}}}\n");
    watched w;
    if (scene_of(t, text, 0, &w)) {
        const double low[3] = {0, 0, -F}, high[3] = {0, 0, -share * F * exp(mu * PI)};
        plait_sim_set_node_force(w.sim, 0, 0, low, NULL);
        plait_sim_set_node_force(w.sim, 0, w.fibre_nodes - 1, high, NULL);
    }
    snprintf(what, sizeof what, "rope on a capstan, %.0f %% of the limit", 100 * share);
    rows(t, &w, WATCH, what);
}

// The named scene: hairs wound into a lock that only friction holds.
static void lock(plait_trial *t)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_find("lock-small", 0, NULL, &error);
    watched w = {.sim = scene ? plait_trial_simulate(t, scene) : NULL};
    if (w.sim)
        w.fibre_nodes = plait_sim_first_node(w.sim)[plait_sim_fibres(w.sim)];
    bool ok = watch(t, &w, WATCH / 6);
    plait_trial_row(t, w.steps, 0, ok && w.sticking > 0 ? w.creep : NAN, LIMIT, "a lock of hair: creep [m/s]");
    plait_trial_row(t, w.steps, 0, ok ? w.drift : NAN, DRIFT, "a lock of hair: drift [m/s]");
}

// ---- rigid bodies ------------------------------------------------------------------------------------------------

// A box on slopes below and above the angle of friction: what is held creeps no more, what is not slides.
static void slope_grid(plait_trial *t)
{
    static const double mus[] = {0.1, 0.5, 1, 8, 64}, angles[] = {4, 20, 40, 60, 80};
    double creep = 0, drift = 0, wrong = 0;
    bool ok = true;
    for (int i = 0; i < 25 && ok; i++) {
        double mu = mus[i / 5], angle = angles[i % 5] * DEGREE;
        char text[600];
        snprintf(text, sizeof text,
                 "materials: {any: }\nfriction: {default: %g}\ngravity: [%.17g, 0, %.17g]\nstep: {dt: 5 ms}\n"
                 "colliders: {slope: {shape: plane}}\n"
                 "bodies: {box: {shape: box, size: [20 cm, 20 cm, 1 cm], density: 1000, position: [0, 0, 5 mm]}}\n",
                 mu, 9.81 * sin(angle), -9.81 * cos(angle));
        watched w;
        scene_of(t, text, 1, &w);
        ok = watch(t, &w, 2);
        bool held = tan(angle) < mu;
        creep = held ? fmax(creep, w.creep) : creep, drift = held ? fmax(drift, w.drift) : drift;
        wrong += held ? w.drift > 1e-6 : w.drift < 1e-3;
    }
    plait_trial_row(t, 25, 0, ok ? wrong : NAN, 0, "boxes on slopes, mu .1 to 64: wrongly held or let go");
    plait_trial_row(t, 25, 0, ok ? creep : NAN, LIMIT, "boxes on slopes, mu .1 to 64: creep [m/s]");
    plait_trial_row(t, 25, 0, ok ? drift : NAN, DRIFT, "boxes on slopes, mu .1 to 64: drift [m/s]");
}

// Between two jaws that are pushed together: friction could carry so many times the weight.
static void pinch(plait_trial *t, bool upright, double margin)
{
    const double mu = 0.8, r = 0.01, length = 0.04, mass = 1000 * PI * r * r * (length + 4.0 / 3 * r);
    const double F = margin * mass * 9.81 / (2 * mu);
    char text[1200], what[64];
    snprintf(text, sizeof text,
             "materials: {any: }\nfriction: {default: %g}\nstep: {dt: 5 ms}\nbodies:\n"
             "  held: {shape: capsule, radius: 1 cm, length: 4 cm, density: 1000, rotation: [%s, 0, 0]}\n"
             "  left: {shape: box, size: [1 cm, 6 cm, 6 cm], position: [-1.5 cm, 0, 0], guide: [1, 0, 0], force: "
             "[%.17g, 0, 0]}\n"
             "  right: {shape: box, size: [1 cm, 6 cm, 6 cm], position: [1.5 cm, 0, 0], guide: [1, 0, 0], force: "
             "[%.17g, 0, 0]}\n",
             mu, upright ? "0" : "90 deg", F, -F);
    snprintf(what, sizeof what, "%s capsule, pinched %g times", upright ? "upright" : "lying", margin);
    watched w;
    scene_of(t, text, 3, &w);
    rows(t, &w, WATCH, what);
}

// ---- cards -------------------------------------------------------------------------------------------------------

static const double LEAN = 20 * 3.14159265358979323846 / 180, HALF = 0.045, THICK = 0.5e-3; // half a card

static int card(char *text, size_t room, const char *name, double x, double z, double turn)
{
    return snprintf(text, room,
                    "  %s: {shape: box, size: [1 mm, 6 cm, 9 cm], density: 700, position: [%.17g, 0, %.17g], rotation: "
                    "[0, %.17g, 0]}\n",
                    name, x, z, turn);
}

// Two cards lean on each other: each leans by an angle a and needs friction tan(a)/2 at its foot. Stories: 1; 2: two
// such tents, a card across, and a third tent on it.
static void cards(plait_trial *t, int stories)
{
    const double x = HALF * sin(LEAN) + THICK * cos(LEAN), z = HALF * cos(LEAN) + THICK * sin(LEAN),
                 apart = 4 * x + 2e-3;
    const char *const names[] = {"a", "b", "c", "d", "e", "f", "g"};
    char text[1600];
    int used = snprintf(text, sizeof text,
                        "materials: {card: }\nfriction: {default: 0.6}\nstep: {dt: 2 ms}\n"
                        "colliders: {table: {shape: plane}}\nbodies:\n");
    int count = 0, tents = stories > 1 ? 3 : 1;
    for (int i = 0; i < tents; i++) {
        double middle = i == 2 || tents == 1 ? 0 : (i - 0.5) * apart, foot = i == 2 ? 2 * z + 2 * THICK : 0;
        for (int side = -1; side < 2; side += 2, count++)
            used +=
                card(text + used, sizeof text - (size_t)used, names[count], middle + side * x, foot + z, -side * LEAN);
    }
    if (stories > 1)
        card(text + used, sizeof text - (size_t)used, names[count++], 0, 2 * z + THICK, PI / 2);
    watched w;
    scene_of(t, text, count, &w);
    rows(t, &w, WATCH, stories > 1 ? "a house of seven cards" : "two cards lean on each other");
}

void plait_case_still(plait_trial *t)
{
    t->subject = "rods";
    rods_on_slope(t, 0.89);
    rods_on_slope(t, 0.99);
    crossed_layers(t, 5);
    capstan(t, 0.95);
    lock(t);
    t->subject = "rigid bodies";
    slope_grid(t);
    cards(t, 1);
    cards(t, 2);
    pinch(t, false, 20);
    pinch(t, false, 95);
    pinch(t, true, 20);
}
