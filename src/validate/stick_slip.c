// stick_slip.c: C1: a rod that hangs from a clamp is pressed on a plane; while its tip sticks, the ratio T/N of the
// forces on it depends on eps alone, by how much of its length the clamp was lowered. When T/N reaches mu it slips.
//
// Hair of 10 cm, lowered by a hundredth of its length per second: quasi-static, in steps that are anything from short
// to long beside the time in which the rod's own forces act. References: the elastica, by shooting.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "validate/friction_slider.h"

enum { SEGMENTS = 30, ELEMENTS = 10, TABLE = 5 };
static const double LENGTH = 0.1, RADIUS = 10e-6, RATE = 0.01;
static const double EPS[TABLE] = {0.02, 0.05, 0.10, 0.20, 0.30};
static const double RATIO[TABLE] = {0.063930, 0.103545, 0.152793, 0.237774, 0.326491};

typedef struct pressing {
    plait_rod_model model;
    int segments;
    double dt, mu;
    double start;  // eps at the start
    int points;    // initial centreline
    double *point; // [3 points]
} pressing;

static plait_sim *press_scene(plait_trial *t, const pressing *p)
{
    plait_scene *scene = plait_trial_scene(t, p->dt);
    if (!scene)
        return NULL;
    plait_material rod = {
        .radius = {50e-6}, .density = 1300, .young = 3e9, .poisson = 0.45, .damping = 0.05, .drag = 5};
    int material = plait_scene_add_material(scene, "hair", &rod, p->mu);
    int floor = plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    int clamp = plait_scene_add_collider(scene, "clamp", PLAIT_SHAPE_NONE);
    int fibre = material < 0 ? -1 : plait_scene_add_fibre(scene, p->model, material, p->points, p->point);
    plait_key *key = calloc(2, sizeof *key);
    if (fibre < 0 || floor < 0 || clamp < 0 || !key) {
        free(key);
        plait_scene_free(scene);
        snprintf(t->reason, sizeof t->reason, "out of memory");
        return NULL;
    }
    key[1].time = 100, key[1].position[2] = -100 * RATE * LENGTH;
    scene->collider[clamp].motion.key = key, scene->collider[clamp].motion.keys = 2;
    scene->collider[floor].material = scene->collider[clamp].material = material;
    plait_vec3_copy(p->point, scene->collider[clamp].position);
    plait_fibre *f = &scene->fibre[fibre];
    f->segments = p->segments, f->natural = PLAIT_NATURAL_STRAIGHT;
    f->end[0] = PLAIT_END_CLAMPED, f->attach[0] = clamp;
    scene->material[material].contact_radius = RADIUS;
    plait_vec3_set(scene->gravity, 0, 0, 0);
    scene->detecting.self = false, scene->detecting.proximity = RADIUS;
    scene->stepping.solve.tol = 1e-8;
    return plait_trial_simulate(t, scene);
}

// T/N of all contacts together; NaN without.
static double ratio_of(const plait_sim *sim)
{
    double sum[3] = {0};
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        plait_vec3_axpy(1, c.impulse, sum);
    }
    return sum[2] > 0 ? hypot(sum[0], sum[1]) / sum[2] : NAN;
}

// From straight, with the first of its points a little to the side, to eps = 0.02: where others may begin.
static bool bend(plait_trial *t, double *point)
{
    double line[9] = {0, 0, LENGTH + RADIUS, 0, 0, 0.5 * LENGTH + RADIUS, RADIUS, 0, RADIUS};
    pressing p = {PLAIT_ROD_DER, SEGMENTS, 0.01, 1, 0, 3, line};
    plait_sim *sim = press_scene(t, &p);
    bool ok = sim != NULL;
    plait_sim_report report;
    while (ok && plait_sim_time(sim) < EPS[0] / RATE - 1e-6)
        ok = plait_trial_advance(t, sim, &report);
    if (ok) {
        plait_sim_positions(sim, point);
        point[3 * SEGMENTS + 2] = RADIUS;
    }
    plait_sim_free(sim);
    return ok;
}

// T/N at the places of the table. found: NaN where there is none; mean: linearisations per step.
static void press(plait_trial *t, const pressing *p, double end, double *found, double *mean)
{
    plait_sim *sim = press_scene(t, p);
    plait_sim_report report;
    int next = 0;
    double rounds = 0;
    for (int i = 0; i < TABLE; i++)
        found[i] = NAN;
    while (next < TABLE && EPS[next] <= p->start)
        next++;
    while (sim && next < TABLE && EPS[next] <= end && plait_trial_advance(t, sim, &report)) {
        rounds += report.newton;
        if (p->start + RATE * plait_sim_time(sim) >= EPS[next] - 1e-9)
            found[next++] = ratio_of(sim);
        if (plait_trial_stopped(t))
            break;
    }
    *mean = sim ? rounds / (double)plait_sim_steps(sim) : NAN;
    plait_sim_free(sim);
}

// eps at which the tip slips under mu; NaN: it does not.
static double slip(plait_trial *t, const pressing *p, double end)
{
    plait_sim *sim = press_scene(t, p);
    plait_sim_report report;
    double found = NAN, before = p->start;
    while (sim && isnan(found) && before < end && plait_trial_advance(t, sim, &report) && !plait_trial_stopped(t)) {
        double now = p->start + RATE * plait_sim_time(sim);
        for (int i = 0; i < plait_sim_contacts(sim); i++) {
            plait_sim_contact c;
            plait_sim_contact_get(sim, i, &c);
            if (now > p->start + 0.01 && c.impulse[2] > 0 && hypot(c.velocity[0], c.velocity[1]) > 0.1 * RATE * LENGTH)
                found = 0.5 * (before + now);
        }
        before = now;
    }
    plait_sim_free(sim);
    return found;
}

void plait_case_stick_slip(plait_trial *t)
{
    static const double steps[] = {0.01, 0.005, 0.003, 0.001};
    double bent[3 * (SEGMENTS + 1)], line[9] = {0, 0, LENGTH + RADIUS, 0, 0, 0.5 * LENGTH + RADIUS, RADIUS, 0, RADIUS};
    bool curved = t->model == PLAIT_ROD_SUPERHELIX;
    pressing p = {t->model, curved ? ELEMENTS : SEGMENTS, 0, 1, 0, 3, line};
    if (curved) { // one that starts straight snaps
        p.start = EPS[0], p.points = SEGMENTS + 1, p.point = bent;
        if (!bend(t, bent))
            memset(bent, 0, sizeof bent);
    }
    plait_trial_curve(t, "elastica", true, TABLE, EPS, RATIO);
    for (int k = 0; k < 4 && !plait_trial_stopped(t); k++) {
        double found[TABLE], mean;
        char name[32];
        p.dt = steps[k], p.mu = 1;
        press(t, &p, k < 2 ? EPS[TABLE - 1] : EPS[2], found, &mean);
        for (int i = curved ? 1 : 0; i < (k < 2 ? TABLE : 3); i++)
            plait_trial_row(t, p.segments, RATIO[i], found[i], 0.01, "T/N, eps = %g, dt = %g ms", EPS[i], 1e3 * p.dt);
        snprintf(name, sizeof name, "dt = %g ms", 1e3 * p.dt);
        plait_trial_curve(t, name, false, (k < 2 ? TABLE : 3) - curved, EPS + curved, found + curved);
    }
    for (int k = 0; k < 8 && !plait_trial_stopped(t); k++) {
        int i = 1 + k / 4;
        p.dt = steps[k % 4], p.mu = RATIO[i];
        plait_trial_row(t, p.segments, EPS[i], slip(t, &p, 1.2 * EPS[i]), 0.01, "eps that slips, mu = %g, dt = %g ms",
                        p.mu, 1e3 * p.dt);
    }
}
