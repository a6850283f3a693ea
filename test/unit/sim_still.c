// What rests is still: contacts are told by what they do, and those that stick do not creep.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plait/control.h"
#include "plait/sim.h"

// Two crossed layers of rods on a slope, at so much of the friction limit.
static plait_scene *slope(double share, const char *more)
{
    char text[1400], path[64];
    double mu = 0.4, angle = atan(share * mu);
    snprintf(path, sizeof path, "slope.yaml");
    snprintf(text, sizeof text,
             "gravity: [%.17g, 0, %.17g]\n"
             "materials: {rod: {radius: 1 mm, density: 1200, young: 100 MPa, damping: 5 ms}, floor: }\n"
             "friction: {default: %g}\n"
             "colliders: {floor: {material: floor, shape: plane}}\n"
             "fibres:\n"
             "  low: {material: rod, segments: 10, line: {from: [0, 0, 1.0001 mm], direction: [0, 1, 0], length: 5 cm, "
             "count: 3, spacing: [8 mm, 0, 0]}}\n"
             "  high: {material: rod, segments: 10, line: {from: [-1 cm, 1 cm, 3.0002 mm], direction: [1, 0, 0], length: "
             "5 cm, count: 2, spacing: [0, 2 cm, 0]}}\n"
             "step: {dt: 5 ms}\n%s",
             9.81 * sin(angle), -9.81 * cos(angle), mu, more);
    FILE *file = fopen(path, "w");
    if (!CHECK(file))
        return NULL;
    fputs(text, file);
    CHECK(fclose(file) == 0);
    plait_error error = {0};
    plait_scene *scene = plait_scene_read(path, 0, NULL, &error);
    if (!CHECK(scene))
        puts(error.text);
    return scene;
}

typedef struct rest {
    double creep;    // the most in the last fifth
    double ever;     // in any step
    double drift;    // of the first node in that time
    int sticking, sliding, contacts;
    int told; // contacts whose own state says that they stick
} rest;

static rest settle(double share, const char *more, int steps)
{
    rest r = {0};
    double x[3] = {0}, X[3 * 200];
    plait_scene *scene = slope(share, more);
    plait_sim *sim = scene ? plait_sim_new(scene, NULL) : NULL;
    for (int k = 0; sim && k < steps; k++) {
        plait_sim_report report;
        if (!CHECK(plait_sim_step(sim, INFINITY, &report, NULL) == PLAIT_OK && !report.failed))
            break;
        plait_sim_positions(sim, X);
        if (k == 4 * steps / 5)
            x[0] = X[0], x[1] = X[1], x[2] = X[2];
        r.ever = fmax(r.ever, report.creep);
        if (k >= 4 * steps / 5)
            r.creep = fmax(r.creep, report.creep);
        r.sticking = report.sticking, r.sliding = report.sliding, r.contacts = report.contacts;
    }
    for (int i = 0; sim && i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        r.told += c.state == PLAIT_CONTACT_STICKS;
    }
    r.drift = hypot(hypot(X[0] - x[0], X[1] - x[1]), X[2] - x[2]);
    plait_sim_free(sim);
    plait_scene_free(scene);
    return r;
}

CASE(rods_below_the_limit_do_not_creep)
{
    static const double share[] = {0.5, 0.89, 0.99};
    for (int i = 0; i < 3; i++) {
        rest r = settle(share[i], "", 300);
        CHECK(r.contacts > 10 && r.sticking == r.told);
        CHECK(r.sticking > r.contacts / 2);
        CHECK(r.creep <= 1e-9);
        CHECK(r.drift <= 1e-9 * 60 * 5e-3);
    }
}

// Without it a step counts as solved long before.
CASE(creep_is_a_tolerance)
{
    rest loose = settle(0.89, "solver: {tol: 1e-3, creep: 0}\n", 150);
    rest tight = settle(0.89, "solver: {tol: 1e-3, creep: 1 nm/s}\n", 150);
    CHECK(loose.creep > 1e-8);
    CHECK(tight.creep <= 1e-9);
    CHECK(tight.ever <= 1e-9);
}

CASE(beyond_the_limit_they_slide)
{
    rest r = settle(1.3, "", 100);
    CHECK(r.sliding > 0 && r.drift > 1e-3);
}

// Rods that rest are not moved on their own before contacts act on them; what they need for that is in the state.
CASE(what_rests_goes_on_from_its_state)
{
    plait_scene *scene = slope(0.5, "");
    plait_sim *sim[2] = {scene ? plait_sim_new(scene, NULL) : NULL, scene ? plait_sim_new(scene, NULL) : NULL};
    if (!CHECK(sim[0] && sim[1]))
        return;
    plait_sim_report report;
    for (int k = 0; k < 250; k++)
        CHECK(plait_sim_step(sim[0], INFINITY, &report, NULL) == PLAIT_OK && !report.failed);
    CHECK(report.sticking > 0 && report.sliding == 0);
    int64_t size = plait_sim_state_size(sim[0]), sizes[2];
    double *state = malloc((size_t)size * sizeof *state), *end[2];
    plait_sim_get_state(sim[0], state);
    CHECK(plait_sim_set_state(sim[1], state, size, NULL) == PLAIT_OK);
    for (int i = 0; i < 2; i++) {
        for (int k = 0; k < 3; k++)
            CHECK(plait_sim_step(sim[i], INFINITY, &report, NULL) == PLAIT_OK && !report.failed);
        sizes[i] = plait_sim_state_size(sim[i]);
        end[i] = malloc((size_t)sizes[i] * sizeof **end);
        plait_sim_get_state(sim[i], end[i]);
    }
    CHECK(sizes[0] == sizes[1] && memcmp(end[0], end[1], (size_t)sizes[0] * sizeof **end) == 0);
    free(state), free(end[0]), free(end[1]);
    plait_sim_free(sim[0]), plait_sim_free(sim[1]), plait_scene_free(scene);
}

// A house of cards: edges lie along edges, and more impulses than needed hold it.
CASE(cards_lean_on_each_other)
{
    const double a = 20 * 3.14159265358979323846 / 180, x = 0.045 * sin(a) + 0.5e-3 * cos(a),
                 z = 0.045 * cos(a) + 0.5e-3 * sin(a);
    char text[900];
    snprintf(text, sizeof text,
             "materials: {card: }\nfriction: {default: 0.6}\nstep: {dt: 2 ms}\ncolliders: {table: {shape: plane}}\n"
             "bodies:\n"
             "  left: {shape: box, size: [1 mm, 6 cm, 9 cm], density: 700, position: [%.17g, 0, %.17g], rotation: [0, "
             "%.17g, 0]}\n"
             "  right: {shape: box, size: [1 mm, 6 cm, 9 cm], density: 700, position: [%.17g, 0, %.17g], rotation: [0, "
             "%.17g, 0]}\n",
             -x, z, a, x, z, -a);
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    if (!CHECK(sim))
        puts(error.text);
    for (int k = 0; sim && k < 500; k++) {
        plait_sim_report report;
        if (!CHECK(plait_sim_step(sim, INFINITY, &report, NULL) == PLAIT_OK && !report.failed))
            break;
        CHECK(k == 0 || report.creep <= 1e-9);
    }
    for (int i = 0; sim && i < 2; i++) {
        double at[3], q[4];
        plait_sim_rigid_pose(sim, i, at, q);
        CHECK_NEAR(at[0], i ? x : -x, 1e-7);
        CHECK_NEAR(at[2], z, 1e-7);
    }
    plait_sim_free(sim);
    plait_scene_free(scene);
}

// A taut rope half around a drum, near the limit: beside its tension all velocities are small, and still none is left.
CASE(a_taut_rope_does_not_creep)
{
    enum { ARC = 24, TAIL = 6, POINTS = ARC + 2 * TAIL };
    const double pi = 3.14159265358979323846, rho = 0.021, d = pi / ARC, far = rho / cos(d / 2);
    const double l = 2 * rho * tan(d / 2);
    char text[4096];
    int used = snprintf(text, sizeof text,
                        "materials: {rope: {radius: 0.1 mm, contact_radius: 1 mm, density: 30 g/cm^3, young: 20 GPa, "
                        "damping: 5 ms, drag: 20 1/s}, drum: }\nfriction: {default: 0.3}\ngravity: [0, 0, 0]\n"
                        "colliders: {drum: {material: drum, shape: cylinder, radius: 2 cm, length: 4 cm, rotation: [90 "
                        "deg, 0, 0]}}\nstep: {dt: 5 ms}\nfibres: {rope: {material: rope, segments: 0, polyline: "
                        "{points: [");
    for (int i = 0; i < POINTS; i++) {
        int k = i - TAIL;
        double angle = pi - (k + 0.5) * d, x = k < 0 ? -rho : k >= ARC ? rho : far * cos(angle);
        double z = k < 0 ? (k + 0.5) * l : k >= ARC ? -(k - ARC + 0.5) * l : far * sin(angle);
        used += snprintf(text + used, sizeof text - (size_t)used, "%s[%.9g, 0, %.9g]", i ? ", " : "", x, z);
    }
    snprintf(text + used, sizeof text - (size_t)used, "]}}}\n");
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    if (!CHECK(sim))
        puts(error.text);
    const double low[3] = {0, 0, -0.5}, high[3] = {0, 0, -0.5 * 0.9 * exp(0.3 * pi)};
    double x[3 * POINTS] = {0}, y[3 * POINTS] = {0};
    if (sim) {
        CHECK(plait_sim_set_node_force(sim, 0, 0, low, &error) == PLAIT_OK);
        CHECK(plait_sim_set_node_force(sim, 0, POINTS - 1, high, &error) == PLAIT_OK);
    }
    for (int k = 0; sim && k < 300; k++) {
        plait_sim_report report;
        if (!CHECK(plait_sim_step(sim, INFINITY, &report, NULL) == PLAIT_OK && !report.failed))
            break;
        CHECK(k < 200 || report.creep <= 1e-9);
        plait_sim_positions(sim, k < 200 ? x : y);
    }
    for (int i = 0; i < 3 * POINTS; i++)
        CHECK_NEAR(x[i], y[i], 1e-9);
    plait_sim_free(sim);
    plait_scene_free(scene);
}

// A box on its four corners. What they carry is not unique, and gaps of 1e-11 m cannot all be closed by
// something rigid: neither is a reason to rock. Near the limit of friction it is not known who slides.
static void box_on_slope(double mu, double tangent, double height, double dt)
{
    char text[500];
    double angle = atan(tangent);
    snprintf(text, sizeof text,
             "materials: {any: }\nfriction: {default: %g}\ngravity: [%.17g, 0, %.17g]\nstep: {dt: %g}\n"
             "colliders: {slope: {shape: plane}}\nbodies: {box: {shape: box, size: [20 cm, 20 cm, %g], density: 1000, "
             "position: [0, 0, %g]}}\n",
             mu, 9.81 * sin(angle), -9.81 * cos(angle), dt, height, height / 2);
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    if (!CHECK(sim))
        puts(error.text);
    double from[3] = {0}, to[3] = {0}, q[4], creep = 0;
    for (int k = 0; sim && k < 700; k++) {
        plait_sim_report report;
        if (!CHECK(plait_sim_step(sim, INFINITY, &report, NULL) == PLAIT_OK && !report.failed))
            break;
        creep = k < 100 ? 0 : fmax(creep, report.creep);
        plait_sim_rigid_pose(sim, 0, k < 100 ? from : to, q);
    }
    CHECK(creep <= 1e-9);
    for (int k = 0; k < 3; k++)
        CHECK(fabs(to[k] - from[k]) <= 1e-9 * 600 * dt);
    plait_sim_free(sim);
    plait_scene_free(scene);
}

CASE(boxes_neither_rock_nor_creep)
{
    box_on_slope(1, 0.36397023426620234, 0.01, 5e-3);
    box_on_slope(8, 5.671281819617707, 0.01, 5e-3);
    box_on_slope(0.2, 0.198, 0.005, 10e-3);
    box_on_slope(0.2, 0.199, 0.1, 10e-3);
}
