// adhesion.c: D1 to D9: bonds against Raous, Cangemi and Cocu's equations solved by other means.
//
// With C = 1e6 N/m^3 and W = 1 J/m^2 a bond begins to break at g0 = sqrt(W/C) = 1 mm and carries at most sqrt(W C) =
// 1000 Pa. (Gascon et al. 2010 give 9.8 N/m^2 for the traction of their cube, which is 981 N/m^2: only then does C =
// 1e6 give 1 mm.)
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "plait/control.h"
#include "validate/friction_slider.h"

static const double C = 1e6, W = 1, G0 = 1e-3, PEAK = 1000;

// ---- a block on a plate
// -------------------------------------------------------------------------------------------------

typedef struct block {
    plait_adhesion adhesion;
    double half[3], mass, mu, dt;
    double gravity[3], velocity[3];
    bool ball; // of radius half[0]: one contact; else a box with four
    plait_adhesion_method method;
} block;

static block standard(double eta, double dt)
{
    block b = {.adhesion = {.stiffness = {C, C}, .energy = W, .viscosity = eta, .initial = 1}, .dt = dt, .mass = 1};
    b.half[0] = b.half[1] = b.half[2] = 0.05;
    return b;
}

static plait_sim *build(plait_trial *t, const block *b)
{
    plait_scene *scene = plait_trial_scene(t, b->dt);
    if (!scene)
        return NULL;
    int material = plait_scene_add_material(scene, "glue", NULL, b->mu);
    int plane = plait_scene_add_collider(scene, "plate", PLAIT_SHAPE_PLANE);
    int body = plait_scene_add_rigid(scene, "block", b->ball ? PLAIT_SHAPE_SPHERE : PLAIT_SHAPE_BOX);
    if (material < 0 || plane < 0 || body < 0 || !plait_scene_set_adhesion(scene, material, material, &b->adhesion)) {
        plait_scene_free(scene);
        snprintf(t->reason, sizeof t->reason, "out of memory");
        return NULL;
    }
    plait_rigid *rigid = &scene->rigid[body];
    memcpy(rigid->shape.size, b->half, sizeof b->half);
    double volume = b->ball ? 4 * M_PI / 3 * pow(b->half[0], 3) : 8 * b->half[0] * b->half[1] * b->half[2];
    rigid->density = b->mass / volume;
    rigid->position[2] = b->ball ? b->half[0] : b->half[2];
    plait_vec3_copy(b->velocity, rigid->velocity), plait_vec3_copy(b->gravity, scene->gravity);
    scene->detecting.proximity = 1e-4;
    scene->stepping.adhesion = b->method;
    return plait_trial_simulate(t, scene);
}

static void place_of(const plait_sim *sim, const block *b, double x[3])
{
    double rotation[4];
    plait_sim_rigid_pose(sim, 0, x, rotation);
    x[2] -= b->ball ? b->half[0] : b->half[2];
}

// Force of the plate on the block along d.
static double force_along(const plait_sim *sim, const double d[3], double dt)
{
    double sum = 0;
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        sum += plait_vec3_dot(c.impulse, d) / dt;
    }
    return sum;
}

// ---- opened, sheared, both: at a constant speed
// ---------------------------------------------------------------------------

typedef struct pull {
    double peak, at, work; // over sqrt(W C), g0, W
    int steps;
} pull;

// A block so heavy that nothing stops it goes 20 g0 along d. False: the reason is in the trial.
static bool pull_away(plait_trial *t, double lambda, const double d[3], bool ball, pull *found)
{
    enum { STEPS = 4000, POINTS = 200 };
    const double far = 20 * G0, dt = 1e-3, speed = far / (STEPS * dt);
    double x[POINTS], y[POINTS];
    char name[40];
    block b = standard(lambda * W * G0 / speed, dt);
    double area = 1e-6;
    b.adhesion.cut = 1, b.adhesion.area = area;
    b.ball = ball, b.mass = 2e8 * area * (ball ? 1 : 4); // it loses a thousandth of its speed
    b.half[0] = b.half[1] = b.half[2] = 0.5;
    for (int k = 0; k < 3; k++)
        b.velocity[k] = speed * d[k];
    plait_sim *sim = build(t, &b);
    *found = (pull){.steps = STEPS};
    bool ok = sim != NULL;
    int points = 0;
    for (int i = 1; ok && i <= STEPS && !plait_trial_stopped(t); i++) {
        plait_sim_report report;
        ok = plait_trial_advance(t, sim, &report);
        double all = area * (ball ? 1 : 4), p = ok ? -force_along(sim, d, dt) / all : 0;
        found->work += p * speed * dt / W;
        if (p / PEAK > found->peak)
            found->peak = p / PEAK, found->at = i * speed * dt / G0;
        if (i % 4 == 0 && points < POINTS)
            x[points] = i * speed * dt / G0, y[points++] = p / PEAK;
    }
    plait_sim_free(sim);
    snprintf(name, sizeof name, "Lambda = %g", lambda);
    if (ok)
        plait_trial_curve(t, name, false, points, x, y);
    return ok;
}

// Lambda = eta V / (W g0), peak, where it is, the work: beta' = (1/eta) min(W - C g^2 beta, 0) integrated by other
// means.
static const double opening[][4] = {{0.001, 1.000136907, 1.000287537, 1.000798848},
                                    {0.01, 1.001364922, 1.002862519, 1.007903734},
                                    {0.1, 1.01326, 1.02744, 1.0726},
                                    {1, 1.10795, 1.20749, 1.5145},
                                    {10, 1.54898, 1.92634, 3.7170},
                                    {100, 2.81356, 3.78900, 13.794}};

static void pull_rows(plait_trial *t, const double d[3], bool ball, int first, const char *how)
{
    for (size_t k = (size_t)first; k < sizeof opening / sizeof *opening && !plait_trial_stopped(t); k++) {
        pull p;
        bool ok = pull_away(t, opening[k][0], d, ball, &p);
        double tail = 1.0 / 800; // the work beyond 20 g0, where beta = W / e: 1 / (2 x^2)
        plait_trial_row(t, p.steps, opening[k][1], ok ? p.peak : NAN, 0.01, "peak traction, %s, Lambda = %g", how,
                        opening[k][0]);
        if (ball) // a flat peak: impulses of four contacts are not known well enough to see where it is
            plait_trial_row(t, p.steps, opening[k][2], ok ? p.at : NAN, 0.01, "gap at the peak, %s, Lambda = %g", how,
                            opening[k][0]);
        plait_trial_row(t, p.steps, opening[k][3], ok ? p.work + tail : NAN, 0.01, "work, %s, Lambda = %g", how,
                        opening[k][0]);
    }
}

void plait_case_opening(plait_trial *t)
{
    t->subject = "rigid ball";
    pull_rows(t, (const double[3]){0, 0, 1}, true, 0, "opened");
    t->subject = "rigid box";
    pull_rows(t, (const double[3]){0, 0, 1}, false, 3, "opened");
}

void plait_case_shear(plait_trial *t)
{
    t->subject = "rigid box";
    pull_rows(t, (const double[3]){1, 0, 0}, false, 2, "sheared");
    pull_rows(t, (const double[3]){0.6, 0.8, 0}, false, 4, "sheared at 53 deg");
    pull_rows(t, (const double[3]){M_SQRT1_2, 0, M_SQRT1_2}, false, 2, "mixed at 45 deg");
}

// ---- the cube that hangs
// --------------------------------------------------------------------------------------------------

// Gravity of so much of the critical load, upwards: the plate is the ceiling. The cube weighs 1 kg and has 0.01 m^2.
static void load_of(double part, double g[3])
{
    g[0] = g[1] = 0, g[2] = part * PEAK * 0.01;
}

// Time at which the gap is twice g0, interpolated; NaN: it holds until `last`.
static double time_of_release(plait_trial *t, plait_sim *sim, const block *b, double last, double *beta)
{
    double before = 0, start = plait_sim_time(sim);
    while (plait_sim_time(sim) < start + last && !plait_trial_stopped(t)) {
        plait_sim_report report;
        double x[3];
        if (!plait_trial_advance(t, sim, &report))
            return NAN;
        place_of(sim, b, x);
        if (x[2] >= 2 * G0)
            return report.time - start - b->dt * (x[2] - 2 * G0) / (x[2] - before);
        before = x[2], *beta = report.bonds ? report.bonded_area / 0.01 : 0;
    }
    snprintf(t->reason, sizeof t->reason, "it holds");
    return NAN;
}

static void ramp(plait_trial *t, plait_sim *sim, double part, double seconds, bool *ok)
{
    double start = plait_sim_time(sim), g[3];
    while (*ok && plait_sim_time(sim) < start + seconds) {
        double at = (plait_sim_time(sim) - start) / seconds;
        plait_sim_report report;
        load_of(part * fmin(1, 1.25 * at), g);
        *ok = plait_sim_set_gravity(sim, g, NULL) == PLAIT_OK && plait_trial_advance(t, sim, &report);
    }
}

static void hangs(plait_trial *t)
{
    block b = standard(0, 1e-3);
    double x[3] = {0, 0, NAN};
    plait_sim *sim = build(t, &b);
    bool ok = sim != NULL;
    if (ok) {
        ramp(t, sim, 0.981, 2, &ok);
        place_of(sim, &b, x);
    }
    plait_trial_row(t, 2000, 0.981e-3, ok ? x[2] : NAN, 0.01, "gap [m] of the cube of 1 kg that hangs");
    // The load is raised until the bond begins to break.
    double load = 0.98, g[3];
    plait_sim_report report = {.bonded_area = 0.01};
    while (ok && report.bonded_area > 0.01 * (1 - 1e-9) && load < 1.2) {
        load += 1e-5;
        load_of(load, g);
        ok = plait_sim_set_gravity(sim, g, NULL) == PLAIT_OK && plait_trial_advance(t, sim, &report);
    }
    plait_trial_row(t, 6000, 1.01937, ok ? load * 10 / 9.81 : NAN, 0.01, "critical mass [kg]");
    plait_sim_free(sim);
}

void plait_case_cube(plait_trial *t)
{
    static const struct {
        double eta, load, dt, time;
    } release[] = {{0.01, 0.98, 2e-5, 0.02604760733},
                   {0.1, 0.98, 2e-5, 0.02874493272},
                   {0.1, 1, 2e-5, 0.02813572552},
                   {1, 0.98, 4e-6, 0.09581310024},
                   {1, 1, 2e-5, 0.03011437808}},
      creep[] = {{1, 1.05, 1e-3, 0.6044373568},
                 {1, 1.1, 1e-3, 0.414057499},
                 {10, 1.05, 1e-3, 5.967316883},
                 {0.1, 1.05, 1e-3, 0.08622646548}};
    t->subject = "rigid cube";
    hangs(t);
    for (size_t k = 0; k < sizeof release / sizeof *release && !plait_trial_stopped(t); k++) {
        block b = standard(release[k].eta, release[k].dt);
        double beta;
        load_of(release[k].load, b.gravity);
        plait_sim *sim = build(t, &b);
        double time = sim ? time_of_release(t, sim, &b, 1, &beta) : NAN;
        plait_trial_row(t, (int)(time / b.dt), release[k].time, time, 0.01,
                        "time [s] to 2 mm, released at gap 0: eta = %g, load %g", release[k].eta, release[k].load);
        plait_sim_free(sim);
    }
    for (size_t k = 0; k < sizeof creep / sizeof *creep && !plait_trial_stopped(t); k++) {
        block b = standard(creep[k].eta, creep[k].dt);
        double beta, time = NAN;
        plait_adhesion weak = b.adhesion;
        b.adhesion.energy = 1e6; // until it hangs in its elastic gap
        plait_sim *sim = build(t, &b);
        bool ok = sim != NULL;
        if (ok)
            ramp(t, sim, creep[k].load, 2, &ok);
        if (ok && plait_sim_set_adhesion(sim, 0, 0, &weak, NULL) == PLAIT_OK)
            time = time_of_release(t, sim, &b, 10, &beta);
        plait_trial_row(t, (int)(time / b.dt), creep[k].time, time, 0.01,
                        "time [s] to 2 mm, from the elastic gap: eta = %g, load %g", creep[k].eta, creep[k].load);
        plait_sim_free(sim);
    }
}

// ---- energy, stiffness
// ------------------------------------------------------------------------------------------------

void plait_case_bond_energy(plait_trial *t)
{
    static const struct {
        double eta, slope; // shear for each pull
    } way[] = {{0.01, 0}, {0.1, 0}, {0.1, 1}};
    t->subject = "rigid cube";
    for (size_t k = 0; k < sizeof way / sizeof *way && !plait_trial_stopped(t); k++) {
        block b = standard(way[k].eta, 1e-5);
        double lost = 0, start = 0, end = 0, x[3] = {0};
        load_of(0.98, b.gravity);
        b.gravity[0] = way[k].slope * b.gravity[2];
        b.half[2] = 0.005; // flat: it does not turn much
        plait_sim *sim = build(t, &b);
        bool ok = sim != NULL;
        int steps = 0;
        while (ok && x[2] < 3 * G0 && steps < 20000) {
            plait_sim_report report;
            ok = plait_trial_advance(t, sim, &report);
            place_of(sim, &b, x);
            lost += report.debonded + report.dissipated, steps++;
            end = report.kinetic + report.potential + report.bond_energy;
            if (steps == 1)
                start = end + lost;
        }
        plait_trial_row(t, steps, 1, ok && lost > 0 ? (start - end) / lost : NAN, 0.01,
                        "energy missing / lost by debonding: eta = %g, shear %g", way[k].eta, way[k].slope);
        plait_sim_free(sim);
    }
    for (double stiffness = 1e6; stiffness < 2e10; stiffness *= 100)
        for (double dt = 1e-3; dt < 9e-3 && !plait_trial_stopped(t); dt *= 8) {
            block b = standard(0, dt);
            b.adhesion.stiffness[0] = b.adhesion.stiffness[1] = stiffness, b.adhesion.energy = 1e4, b.mu = 0.3;
            b.gravity[2] = 9.81, b.gravity[0] = 2;
            b.half[2] = 0.005, b.half[0] = b.half[1] = 0.05;
            plait_sim *sim = build(t, &b);
            double x[3], most = 0;
            bool ok = sim != NULL;
            for (int i = 0; ok && i < 1500; i++) {
                plait_sim_report report;
                ok = plait_trial_advance(t, sim, &report);
                most = fmax(most, report.kinetic);
            }
            if (ok)
                place_of(sim, &b, x);
            plait_trial_row(t, 1500, 9.81 / (stiffness * 0.01), ok ? x[2] : NAN, 0.01,
                            "gap [m] at rest: C = %g, dt = %g s", stiffness, dt);
            double fall = 0.5 * (9.81 * 9.81 + 4) / (stiffness * 0.01) / 0.5; // what the whole way gives
            plait_trial_row(t, 1500, 0, ok ? fmax(most / fmax(fall, 0.5 * pow(dt * 10.02, 2)) - 1, 0) : NAN, 1e-9,
                            "kinetic energy beyond what the load can give: C = %g, dt = %g s", stiffness, dt);
            plait_sim_free(sim);
        }
}

// ---- in the plane
// -------------------------------------------------------------------------------------------------------

// How far a flat block has slipped that is drawn at an angle in the plane, while its bond breaks.
static double slip_at(plait_trial *t, double angle, plait_adhesion_method method)
{
    block b = standard(0.02, 1e-3);
    double x[3];
    b.mu = 0.3, b.half[2] = 0.002, b.method = method;
    b.gravity[0] = 14 * cos(angle), b.gravity[1] = 14 * sin(angle), b.gravity[2] = -9.81;
    plait_sim *sim = build(t, &b);
    bool ok = sim != NULL;
    for (int i = 0; ok && i < 60; i++) {
        plait_sim_report report;
        ok = plait_trial_advance(t, sim, &report);
    }
    if (ok)
        place_of(sim, &b, x);
    plait_sim_free(sim);
    return ok ? hypot(x[0], x[1]) : NAN;
}

// The load along the plane at which a block on it goes: friction and the bond at its peak.
static double load_to_slide(plait_trial *t, double mu)
{
    block b = standard(0, 1e-3);
    double load = 0.2 * mu, x[3] = {0};
    b.mu = mu, b.half[2] = 0.002, b.adhesion.energy = 0.1, b.gravity[2] = -9.81;
    plait_sim *sim = build(t, &b);
    bool ok = sim != NULL;
    while (ok && fabs(x[0]) < 2 * sqrt(0.1 / C) && load < 3) {
        plait_sim_report report;
        double g[3] = {9.81 * load, 0, -9.81};
        ok = plait_sim_set_gravity(sim, g, NULL) == PLAIT_OK && plait_trial_advance(t, sim, &report);
        place_of(sim, &b, x);
        load += 1e-4;
    }
    plait_sim_free(sim);
    return ok ? load : NAN;
}

void plait_case_bond_plane(plait_trial *t)
{
    t->subject = "rigid box";
    double straight = slip_at(t, 0, PLAIT_ADHESION_EXACT), boxed = slip_at(t, 0, PLAIT_ADHESION_BOX);
    for (int k = 1; k <= 2; k++) {
        plait_trial_row(t, 60, straight, slip_at(t, k * M_PI / 8, PLAIT_ADHESION_EXACT), 1e-6,
                        "slip [m] drawn at %g deg", 22.5 * k);
        plait_trial_row_beyond(t, 60, boxed, slip_at(t, k * M_PI / 8, PLAIT_ADHESION_BOX), 0.01,
                               "slip [m] drawn at %g deg, box", 22.5 * k);
    }
    for (int k = 0; k < 2; k++) {
        double mu = 0.3 * k + 0.2;
        plait_trial_row(t, 0, mu + sqrt(0.1 * C) * 0.01 / 9.81, load_to_slide(t, mu), 0.01,
                        "load / weight at which it slides, mu = %g", mu);
    }
}
