// free_body.c: F1: rigid bodies that turn freely, and the heavy top.
//
// Box of 1 x 2 x 4 cm: without couples its energy and its momentum, a vector, stay. A symmetric top's axis goes round L
// at the rate |L|/I1. The axis of a fast heavy top, which leans by the angle a, goes round the vertical at the rate W
// with I1 cos(a) W^2 - I3 w3 W + m g l = 0, w3 = spin about the axis.
#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "plait/control.h"
#include "validate/friction_slider.h"

enum { TURNS = 1000, PER_TURN = 50, TOP_TURNS = 20, POINTS = 100 };
static const double PI = 3.14159265358979323846, RATE = 60, DENSITY = 1000;
static const double BOX[3] = {0.005, 0.01, 0.02}; // half of its edges

static plait_sim *start(plait_trial *t, const double half[3], const double rotation[3], const double spin[3], double dt)
{
    plait_scene *scene = plait_trial_scene(t, dt);
    if (!scene)
        return NULL;
    plait_material any = plait_default_material();
    int material = plait_scene_add_material(scene, "any", &any, 0);
    int body = plait_scene_add_rigid(scene, "body", PLAIT_SHAPE_BOX);
    if (material < 0 || body < 0) {
        plait_scene_free(scene);
        snprintf(t->reason, sizeof t->reason, "out of memory");
        return NULL;
    }
    plait_rigid *b = &scene->rigid[body];
    plait_vec3_copy(half, b->shape.size);
    plait_vec3_copy(spin, b->spin);
    plait_vec3_copy(rotation, b->rotation);
    b->density = DENSITY;
    plait_vec3_set(scene->gravity, 0, 0, 0);
    return plait_trial_simulate(t, scene);
}

static double box_inertia(const double half[3], double I[3])
{
    double mass = 8 * half[0] * half[1] * half[2] * DENSITY;
    for (int k = 0; k < 3; k++) {
        double a = half[(k + 1) % 3], b = half[(k + 2) % 3];
        I[k] = mass / 3 * (a * a + b * b);
    }
    return mass;
}

// From pose and spin alone. R: the axes of the body in columns.
static double momentum(const plait_sim *sim, const double I[3], double R[9], double L[3])
{
    double x[3], q[4], v[3], spin[3], O[3], m[3], energy = 0;
    plait_sim_rigid_pose(sim, 0, x, q);
    plait_sim_rigid_velocity(sim, 0, v, spin);
    plait_quat_matrix(q, R);
    plait_mat3_apply_transposed(R, spin, O);
    for (int k = 0; k < 3; k++)
        m[k] = I[k] * O[k], energy += 0.5 * m[k] * O[k];
    plait_mat3_apply(R, m, L);
    return energy;
}

// Largest relative changes of energy and of momentum over many turns.
static bool tumble(plait_trial *t, const double spin[3], int turns, double *energy, double *vector, double *series)
{
    double I[3], R[9], L0[3], L[3], d[3], dt = 2 * PI / RATE / PER_TURN;
    const double rotation[3] = {0.3, -0.2, 0.5};
    box_inertia(BOX, I);
    plait_sim *sim = start(t, BOX, rotation, spin, dt);
    if (!sim)
        return false;
    double first = momentum(sim, I, R, L0), size = plait_vec3_norm(L0);
    bool ok = true;
    *energy = *vector = 0;
    for (int k = 1; k <= turns * PER_TURN && ok; k++) {
        plait_sim_report report;
        ok = plait_trial_advance(t, sim, &report);
        double e = momentum(sim, I, R, L);
        plait_vec3_sub(L, L0, d);
        *energy = fmax(*energy, fabs(e / first - 1));
        *energy = fmax(*energy, fabs(report.kinetic / first - 1));
        *vector = fmax(*vector, plait_vec3_norm(d) / size);
        if (k <= POINTS)
            series[k - 1] = R[8]; // vertical part of its longest axis
    }
    plait_sim_free(sim);
    return ok;
}

static void all_axes(plait_trial *t)
{
    static const char *const names[] = {"shortest axis", "middle axis, tumbling", "longest axis", "skew"};
    static const double direction[4][3] = {{1, 1e-4, 1e-4}, {1e-4, 1, 1e-4}, {1e-4, 1e-4, 1}, {0.5, 0.6, 0.62}};
    const double turned[3] = {0.3, -0.2, 0.5};
    double q[4], R[9], x[POINTS], series[POINTS] = {0};
    plait_quat_exp(turned, q);
    plait_quat_matrix(q, R);
    for (int a = 0; a < 4; a++) {
        double O[3], spin[3], energy = NAN, vector = NAN;
        for (int k = 0; k < 3; k++)
            O[k] = RATE * direction[a][k];
        plait_mat3_apply(R, O, spin);
        if (!tumble(t, spin, TURNS, &energy, &vector, series))
            energy = vector = NAN;
        if (plait_trial_stopped(t))
            return;
        plait_trial_row(t, PER_TURN, 0, energy, 1e-6, "change of the energy in 1,000 turns, %s", names[a]);
        plait_trial_row(t, PER_TURN, 0, vector, 1e-6, "change of the momentum, a vector, %s", names[a]);
        for (int k = 0; k < POINTS; k++)
            x[k] = (k + 1.0) / PER_TURN;
        plait_trial_curve(t, names[a], false, POINTS, x, series);
    }
}

// Angle by which the projection of the body's third axis on the plane across n has gone round n, step by step, in
// `turns`.
static double precession(plait_trial *t, const double half[3], const double rotation[3], const double spin[3],
                         double dt, int steps, double lever)
{
    double I[3], R[9], L[3], n[3] = {0, 0, 1}, a[3], b[3], sum = 0, last = 0;
    double mass = box_inertia(half, I);
    plait_sim *sim = start(t, half, rotation, spin, dt);
    bool ok = sim != NULL;
    if (!ok)
        return NAN;
    momentum(sim, I, R, L);
    if (lever == 0) {
        plait_vec3_copy(L, n);
        plait_vec3_normalise(n);
    }
    plait_vec3_any_normal(n, a);
    plait_vec3_cross(n, a, b);
    for (int k = 0; k <= steps && ok; k++) {
        double axis[3] = {R[2], R[5], R[8]};
        double angle = atan2(plait_vec3_dot(axis, b), plait_vec3_dot(axis, a));
        sum += k > 0 ? remainder(angle - last, 2 * PI) : 0;
        last = angle;
        // Weight at `lever` from the centre, which is held: couple lever axis x (0, 0, -m g).
        double force[3] = {0, 0, 0}, couple[3] = {-lever * mass * 9.81 * axis[1], lever * mass * 9.81 * axis[0], 0};
        plait_sim_set_rigid_force(sim, 0, force, couple, NULL);
        plait_sim_report report;
        ok = plait_trial_advance(t, sim, &report);
        momentum(sim, I, R, L);
    }
    plait_sim_free(sim);
    return ok ? sum / (steps * dt) : NAN;
}

static void symmetric_top(plait_trial *t)
{
    static const double half[2][3] = {{0.02, 0.02, 0.005}, {0.005, 0.005, 0.02}}, none[3] = {0, 0, 0};
    for (int k = 0; k < 2; k++) {
        double I[3], w3 = RATE, w1 = 0.4 * RATE, spin[3] = {w1, 0, w3}, dt = 2 * PI / RATE / PER_TURN;
        box_inertia(half[k], I);
        double space = hypot(I[0] * w1, I[2] * w3) / I[0];
        double rate = precession(t, half[k], none, spin, dt, TOP_TURNS * PER_TURN, 0);
        // The same seen from the body, by the closed form of the axis' own rate about itself.
        double cosine = I[2] * w3 / (I[0] * space), body = w3 - rate * cosine;
        plait_trial_row(t, PER_TURN, space, rate, 3e-3, "rate of precession, %s top", k ? "tall" : "flat");
        plait_trial_row(t, PER_TURN, (1 - I[2] / I[0]) * w3, body, 1e-2, "(1 - I3/I1) w3, %s top", k ? "tall" : "flat");
    }
}

static void heavy_top(plait_trial *t)
{
    const double half[3] = {0.02, 0.02, 0.005}, lever = 0.02, lean = 0.6, rotation[3] = {0, lean, 0}, w3 = 20 * RATE;
    double I[3], mass = box_inertia(half, I), b = I[2] * w3, torque = mass * 9.81 * lever;
    // Without nodding: the slower root, and the spin that goes with it.
    double rate = 2 * torque / (b + sqrt(b * b - 4 * I[0] * cos(lean) * torque));
    double own = w3 - rate * cos(lean), spin[3] = {own * sin(lean), 0, own * cos(lean) + rate};
    double dt = 2 * PI / w3 / PER_TURN;
    double measured = precession(t, half, rotation, spin, dt, 400 * PER_TURN, lever);
    plait_trial_row(t, PER_TURN, torque / b, measured, 1e-2, "heavy top, fast: rate of precession");
}

void plait_case_free_body(plait_trial *t)
{
    t->subject = "rigid box";
    all_axes(t);
    if (!plait_trial_stopped(t))
        symmetric_top(t);
    if (!plait_trial_stopped(t))
        heavy_top(t);
}
