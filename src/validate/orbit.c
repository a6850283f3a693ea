// orbit.c: E1: the free end of a fibre rests on a ball that turns to and fro (Daviet, Bertails-Descoubes and Boissieux
// 2011, fig. 7). It slips in oblique directions and settles on a periodic orbit. Solvers of the exact law must find the
// same one; those with a pyramid, or with a diagonal in place of W, find others although each of their steps is solved.
//
// The paper gives mu = 1 and no sizes. Here: length 150 mm, radius 0.25 mm, E = 10 GPa, nu = 0.3, 1300 kg/m^3, damping
// 1.85 ms (5 % of the first mode), clamped horizontally along x at the origin; ball of 30 mm around (130, 3, -32.25)
// mm, so that it lifts the fibre by about 2 mm; it turns about (1, 0.5, 0) by 0.5 sin(2 pi t).
#include "validate/orbit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "sim/sim.h"

// Newton-like one-contact solvers are used with their fail-safe, as a program would.
const plait_orbit_solver plait_orbit_solvers[] = {
    {"auto", PLAIT_SOLVER_AUTO, PLAIT_LOCAL_SECULAR, true},
    {"gs secular", PLAIT_SOLVER_GS, PLAIT_LOCAL_SECULAR, true},
    {"gs mfb", PLAIT_SOLVER_GS, PLAIT_LOCAL_MFB, true},
    {"gs dac", PLAIT_SOLVER_GS, PLAIT_LOCAL_DAC, true},
    {"gs enum", PLAIT_SOLVER_GS, PLAIT_LOCAL_ENUM, true},
    {"gs duriez08", PLAIT_SOLVER_GS, PLAIT_LOCAL_DURIEZ08, true},
    {"newton-ac", PLAIT_SOLVER_NEWTON_AC, PLAIT_LOCAL_SECULAR, true},
    {"newton-mfb", PLAIT_SOLVER_NEWTON_MFB, PLAIT_LOCAL_SECULAR, true},
    {"apgd", PLAIT_SOLVER_APGD, PLAIT_LOCAL_SECULAR, true},
    {"admm", PLAIT_SOLVER_ADMM, PLAIT_LOCAL_SECULAR, true},
    {"prox", PLAIT_SOLVER_PROX, PLAIT_LOCAL_SECULAR, true},
    {"cadoux", PLAIT_SOLVER_CADOUX, PLAIT_LOCAL_SECULAR, true},
    {"ipm", PLAIT_SOLVER_IPM, PLAIT_LOCAL_SECULAR, true},
    {"gs pyramid", PLAIT_SOLVER_GS, PLAIT_LOCAL_PYRAMID, false},
    {"gs duriez06", PLAIT_SOLVER_GS, PLAIT_LOCAL_DURIEZ06, false},
    {NULL, PLAIT_SOLVER_COUNT, PLAIT_LOCAL_COUNT, false},
};

static const double TOLERANCE = 1e-8; // of the solvers
static const double TURN = 6.28318530717958647693;

// ---- one run -----------------------------------------------------------------------------------------------------

static plait_scene *orbit_scene(plait_trial *t, const plait_orbit_solver *with, int segments, double dt)
{
    static const double points[6] = {0, 0, 0, 0.15, 0, 0}, centre[3] = {0.130, 0.003, -0.03225};
    plait_scene *scene = plait_trial_scene(t, dt);
    if (!scene)
        return NULL;
    plait_material rod = {.radius = {0.25e-3}, .density = 1300, .young = 10e9, .poisson = 0.3, .damping = 1.85e-3};
    int material = plait_scene_add_material(scene, "fibre", &rod, 1);
    int ball = plait_scene_add_collider(scene, "ball", PLAIT_SHAPE_SPHERE);
    int fibre = plait_scene_add_fibre(scene, t->model, material, 2, points);
    plait_drive *drive = malloc(sizeof *drive);
    if (material < 0 || ball < 0 || fibre < 0 || !drive) {
        free(drive);
        plait_scene_free(scene);
        snprintf(t->reason, sizeof t->reason, "out of memory");
        return NULL;
    }
    plait_fibre *f = &scene->fibre[fibre];
    f->segments = segments;
    f->samples = t->can & PLAIT_ROD_STRETCHES ? 1 : 8; // inextensible: curved elements
    f->end[0] = PLAIT_END_CLAMPED;
    f->director[2] = 1;
    plait_collider *c = &scene->collider[ball];
    c->shape.size[0] = 0.03;
    plait_vec3_copy(centre, c->position);
    plait_vec3_copy(centre, c->motion.pivot);
    *drive = (plait_drive){PLAIT_DRIVE_SINE, true, {0.5 / sqrt(1.25), 0.25 / sqrt(1.25), 0}, 1, 0, 0, INFINITY};
    c->motion.drives = 1, c->motion.drive = drive;
    scene->detecting.self = scene->detecting.fibres = false;
    plait_solve_options *solve = &scene->stepping.solve;
    solve->solver = with->solver, solve->local = with->local;
    solve->tol = TOLERANCE, solve->local_tol = 1e-10;
    if (!with->exact) {
        // Their answer is theirs: nothing repairs it, and it is not refused for what it is.
        solve->enum_failsafe = false;
        solve->max_iterations = 30;
        scene->stepping.reject = 1e9;
    }
    return scene;
}

bool plait_orbit_run(plait_trial *t, const plait_orbit_solver *with, int segments, int steps_per_second, int seconds,
                     plait_orbit *orbit)
{
    plait_scene *scene = orbit_scene(t, with, segments, 1.0 / steps_per_second);
    plait_sim *sim = scene ? plait_trial_simulate(t, scene) : NULL;
    if (!sim)
        return false;
    *orbit = (plait_orbit){.period = steps_per_second};
    int nodes = plait_sim_first_node(sim)[1], first = (seconds - ORBIT_PERIODS) * steps_per_second;
    double *x = malloc(6 * (size_t)nodes * sizeof *x), *v = x + 3 * (size_t)nodes;
    orbit->x = malloc(6 * (size_t)ORBIT_PERIODS * (size_t)steps_per_second * sizeof *orbit->x);
    bool ok = x && orbit->x;
    if (!ok)
        snprintf(t->reason, sizeof t->reason, "out of memory");
    for (int k = 0; ok && k < seconds * steps_per_second; k++) {
        plait_sim_report report;
        // Gauss-Seidel returns the best of its iterates, judged by the exact law. Impulses of the last step are often
        // better than what these solvers find, and would be kept: they start without.
        if (!with->exact)
            sim->state.value[PLAIT_AT_DT_LAST] = 0;
        ok = plait_trial_advance(t, sim, &report) && !(k % 1000 == 0 && plait_trial_stopped(t));
        orbit->unsolved += ok && !report.converged;
        if (!ok || k < first)
            continue;
        plait_sim_positions(sim, x);
        plait_sim_velocities(sim, v);
        double *to = orbit->x + 6 * (k - first);
        plait_vec3_copy(x + 3 * (nodes - 1), to);
        for (int i = 0; i < 3; i++)
            to[3 + i] = v[3 * (nodes - 1) + i] / TURN;
    }
    free(x);
    plait_sim_free(sim);
    if (!ok)
        plait_orbit_free(orbit);
    return ok;
}

void plait_orbit_free(plait_orbit *orbit)
{
    free(orbit->x);
    orbit->x = NULL;
}

// ---- distances ---------------------------------------------------------------------------------------------------

static const double *points_of(const plait_orbit *orbit, int before)
{
    return orbit->x + 6 * (size_t)(ORBIT_PERIODS - 1 - before) * (size_t)orbit->period;
}

static double dot6(const double *a, const double *b)
{
    return plait_vec3_dot(a, b) + plait_vec3_dot(a + 3, b + 3);
}

static void sub6(const double *a, const double *b, double *c)
{
    plait_vec3_sub(a, b, c);
    plait_vec3_sub(a + 3, b + 3, c + 3);
}

double plait_orbit_diameter(const plait_orbit *orbit)
{
    const double *x = points_of(orbit, 0);
    double largest = 0, d[6];
    for (int i = 0; i < orbit->period; i++) {
        for (int j = 0; j < i; j++) {
            sub6(x + 6 * i, x + 6 * j, d);
            largest = fmax(largest, dot6(d, d));
        }
    }
    return sqrt(largest);
}

// Square of the distance of a point from a segment.
static double segment_distance(const double *p, const double *a, const double *b)
{
    double along[6], from[6];
    sub6(b, a, along);
    sub6(p, a, from);
    double length = dot6(along, along), s = length > 0 ? fmin(fmax(dot6(from, along) / length, 0), 1) : 0;
    plait_vec3_axpy(-s, along, from);
    plait_vec3_axpy(-s, along + 3, from + 3);
    return dot6(from, from);
}

// How far the points of a are from the closed curve b, at most.
static double one_way(const double *a, int count_a, const double *b, int count_b)
{
    double farthest = 0;
    for (int i = 0; i < count_a; i++) {
        double nearest = INFINITY;
        for (int j = 0; j < count_b && nearest > farthest; j++)
            nearest = fmin(nearest, segment_distance(a + 6 * i, b + 6 * j, b + 6 * ((j + 1) % count_b)));
        farthest = fmax(farthest, nearest);
    }
    return sqrt(farthest);
}

double plait_orbit_distance(const plait_orbit *a, int i, const plait_orbit *b, int j)
{
    const double *x = points_of(a, i), *y = points_of(b, j);
    return fmax(one_way(x, a->period, y, b->period), one_way(y, b->period, x, a->period));
}

// ---- the case ----------------------------------------------------------------------------------------------------

// Phase plot: sideways position and velocity of the free end at a step of the last period.
static void phase_point(const plait_orbit *orbit, int step, double *x, double *y)
{
    const double *from = points_of(orbit, 0) + 6 * (step % orbit->period);
    *x = 1e3 * from[1];
    *y = 1e3 * TURN * from[4];
}

static void draw_line(const plait_trial *t, const plait_orbit *orbit, const char *name, bool reference)
{
    int n = orbit->period;
    double *x = malloc(2 * ((size_t)n + 1) * sizeof *x), *y = x + n + 1;
    if (!x)
        return;
    for (int i = 0; i <= n; i++)
        phase_point(orbit, i, &x[i], &y[i]);
    plait_trial_curve(t, name, reference, n + 1, x, y);
    free(x);
}

// Points with nothing between them, at phases of their own, so that orbits that coincide are all seen.
static void draw_points(const plait_trial *t, const plait_orbit *orbit, const char *name, int index)
{
    enum { POINTS = 14, PHASES = 16 };
    double x[2 * POINTS], y[2 * POINTS];
    for (int i = 0; i < POINTS; i++) {
        phase_point(orbit, (orbit->period * (PHASES * i + index % PHASES)) / (PHASES * POINTS), &x[2 * i], &y[2 * i]);
        x[2 * i + 1] = y[2 * i + 1] = NAN;
    }
    plait_trial_curve(t, name, false, 2 * POINTS, x, y);
}

static double spread(const plait_orbit *orbit)
{
    double worst = 0;
    for (int i = 1; i < ORBIT_PERIODS; i++)
        worst = fmax(worst, plait_orbit_distance(orbit, 0, orbit, i));
    return worst;
}

static void compare(plait_trial *t, const plait_orbit_solver *with, int segments, int seconds,
                    const plait_orbit *reference)
{
    plait_orbit orbit;
    double diameter = plait_orbit_diameter(reference);
    bool ok = plait_orbit_run(t, with, segments, reference->period, seconds, &orbit);
    double apart = ok ? plait_orbit_distance(reference, 0, &orbit, 0) / diameter : NAN;
    if (with->exact) {
        plait_trial_row(t, segments, 0, apart, 1e-3, "distance of orbits / diameter, %s", with->name);
        plait_trial_row(t, segments, 0, ok ? spread(&orbit) / diameter : NAN, 1e-3, "last 5 periods apart, %s",
                        with->name);
    } else {
        plait_trial_row_beyond(t, segments, 0, apart, 0.05, "distance of orbits / diameter, %s", with->name);
    }
    if (!ok)
        return;
    if (with->exact)
        draw_points(t, &orbit, with->name, (int)(with - plait_orbit_solvers));
    else
        draw_line(t, &orbit, with->name, false);
    plait_orbit_free(&orbit);
}

void plait_case_orbit(plait_trial *t)
{
    enum { SECONDS = 30, FINEST = 4000 };
    int segments = t->can & PLAIT_ROD_STRETCHES ? 40 : 10;
    plait_orbit reference, finer;
    if (!plait_orbit_run(t, plait_orbit_solvers, segments, 1000, SECONDS, &reference)) {
        plait_trial_row(t, segments, 0, NAN, 1e-3, "last 5 periods apart, auto");
        return;
    }
    char name[64];
    snprintf(name, sizeof name, "%s: %s", plait_rod_model_name(t->model), plait_orbit_solvers[0].name);
    draw_line(t, &reference, name, true);
    plait_trial_row(t, segments, 0, spread(&reference) / plait_orbit_diameter(&reference), 1e-3,
                    "last 5 periods apart, auto");
    for (const plait_orbit_solver *s = plait_orbit_solvers + 1; s->name && !plait_trial_stopped(t); s++)
        compare(t, s, segments, SECONDS, &reference);
    for (int rate = 2 * reference.period; rate <= FINEST && !plait_trial_stopped(t); rate *= 2) {
        bool ok = plait_orbit_run(t, plait_orbit_solvers, segments, rate, SECONDS, &finer);
        double change = ok ? plait_orbit_distance(&reference, 0, &finer, 0) / plait_orbit_diameter(&finer) : NAN;
        plait_trial_row(t, segments, 0, change, 0.01, "change / diameter from dt = %g ms to %g ms",
                        1e3 / reference.period, 1e3 / rate);
        if (!ok)
            break;
        plait_orbit_free(&reference);
        reference = finer;
    }
    plait_orbit_free(&reference);
}
