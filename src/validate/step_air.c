// step_air.c: F2: drag, wind and gusts; F3: velocity and spin at the start.
//
// Drag k pulls towards the air: v' = g + k (air - v). A fibre that flies relaxes with exp(-k t); in a gust sin(o t) it
// goes with the amplitude k/sqrt(k^2 + o^2), late by atan(o/k)/o. A stiff rod of length L that hangs from a pin is a
// linear oscillator, a'' + k a' + 3 g/(2 L) a = 3/(2 L) k gust sin(o t).
#include <math.h>
#include <stdio.h>

#include "math/vec3.h"
#include "validate/steps.h"

static const double PI = 3.14159265358979323846, K = 5, F = 1.5, LENGTH = 0.1;

#define ROD                                                                                                            \
    "materials: {rod: {radius: 0.5 mm, density: 1300, young: 1 GPa, poisson: 0.4, drag: 5}}\n"                         \
    "step: {dt: 1 ms, adaptive: false}\n"                                                                              \
    "fibres: {rod: {material: rod, segments: 10, "

static const char *const flying = ROD "line: {from: [0, 0, 0], direction: [0.6, 0, 0.8], length: 0.1}}}\n";
static const char *const hanging =
    ROD "ends: {root: pinned}, line: {from: [0, 0, 0], direction: [0, 0, -1], length: 0.1}}}\n";

// Falling from a throw, in wind: v = air + g/k + (v0 - air - g/k) exp(-k t). The largest error of four times, relative
// to what is gone.
static void relaxation(plait_trial *t, bool second)
{
    const double wind[3] = {0.5, -0.2, 0.1}, start[3] = {-1, 0.7, 0.3}, gravity[3] = {0, 1, -2};
    const char *const set[] = {"gravity=[0, 1, -2]", "wind={velocity: [0.5, -0.2, 0.1]}",
                               "fibres.rod.velocity=[-1, 0.7, 0.3]",
                               second ? "step.integrator=bdf2" : "step.integrator=euler", NULL};
    plait_sim *sim = plait_trial_text(t, flying, set);
    double worst = sim ? 0 : NAN, last = NAN, x[4], y[4];
    for (int n = 1; n <= 4 && sim; n++) {
        double u[3], time = x[n - 1] = 0.1 * n * n;
        bool ok = plait_trial_until(t, sim, time, NULL, NULL);
        plait_trial_drift(sim, u);
        y[n - 1] = u[2];
        for (int k = 0; k < 3; k++) {
            double rest = wind[k] + gravity[k] / K, gone = start[k] - rest;
            double off = fabs(u[k] - rest - gone * exp(-K * time)) / fabs(gone);
            worst = ok ? fmax(worst, off) : NAN;
        }
        last = u[2];
    }
    plait_sim_free(sim);
    const char *how = second ? "bdf2" : "euler";
    plait_trial_row(t, 10, 0, worst, second ? 1e-4 : 3e-3, "way to the terminal velocity in wind, largest error, %s",
                    how);
    plait_trial_row(t, 10, wind[2] + gravity[2] / K, last, 1e-3, "terminal velocity, downwards, after 1.6 s, %s", how);
    if (sim)
        plait_trial_curve(t, how, false, 4, x, y);
}

// Sums for the sine and the cosine of o t, over whole periods.
typedef struct wave {
    double from, sine, cosine;
    int count;
    bool angle; // of a rod that hangs; else velocity along x
} wave;

static void add(plait_sim *sim, const plait_sim_report *r, void *data)
{
    wave *w = data;
    double u[3], x[3], a;
    if (r->time < w->from + 1e-9)
        return;
    if (w->angle) {
        plait_trial_tip(plait_sim_rod(sim, 0), x);
        a = x[0] / LENGTH;
    } else {
        plait_trial_drift(sim, u);
        a = u[0];
    }
    w->sine += 2 * a * sin(2 * PI * F * r->time), w->cosine += 2 * a * cos(2 * PI * F * r->time), w->count++;
}

// Amplitude and phase in the last two of so many periods, against what they should be.
static void gust(plait_trial *t, bool angle, double amplitude, double phase, const char *what)
{
    const char *const set[] = {angle ? "wind={gust: [0.05, 0, 0], frequency: 1.5}"
                                     : "wind={gust: [0.3, 0, 0], frequency: 1.5}",
                               angle ? "gravity=[0, 0, -9.81]" : "gravity=[0, 0, 0]", "step.integrator=bdf2",
                               angle ? "fibres.rod.segments=30" : "fibres.rod.segments=10", NULL};
    double period = 1 / F, end = (angle ? 8 : 5) * period;
    wave w = {.from = end - 2 * period, .angle = angle};
    plait_sim *sim = plait_trial_text(t, angle ? hanging : flying, set);
    bool ok = sim && plait_trial_until(t, sim, w.from, NULL, NULL) && plait_trial_until(t, sim, end, add, &w);
    plait_sim_free(sim);
    double s = w.sine / w.count, c = w.cosine / w.count;
    plait_trial_row(t, 10, amplitude, ok ? hypot(s, c) : NAN, 3e-3, "gust, amplitude of %s", what);
    plait_trial_row(t, 10, phase, ok ? -atan2(c, s) : NAN, 3e-3, "gust, phase of %s [rad]", what);
}

void plait_case_air(plait_trial *t)
{
    double o = 2 * PI * F, o2 = 3 * 9.81 / (2 * LENGTH);
    relaxation(t, false);
    relaxation(t, true);
    if (!plait_trial_stopped(t))
        gust(t, false, 0.3 * K / hypot(K, o), atan2(o, K), "a fibre that flies");
    if (!plait_trial_stopped(t))
        gust(t, true, 3 / (2 * LENGTH) * K * 0.05 / hypot(o2 - o * o, K * o), atan2(K * o, o2 - o * o),
             "a rod that hangs: the linear oscillator");
}

// ---- F3 -------------------------------------------------------------------------------------------------------------

// With x = a + s d, the velocity V + W x (s d): the integrals of both momenta over the length.
void plait_case_start(plait_trial *t)
{
    const double a[3] = {0.3, -0.2, 0.1}, d[3] = {0.6, 0, 0.8}, V[3] = {-1, 0.7, 0.3}, W[3] = {4, 10, -3};
    const char *const set[] = {"gravity=[0, 0, 0]",
                               "fibres.rod.velocity=[-1, 0.7, 0.3]",
                               "fibres.rod.spin=[4, 10, -3]",
                               "fibres.rod.segments=30",
                               "fibres.rod.line={from: [0.3, -0.2, 0.1], direction: [0.6, 0, 0.8], length: 0.1}",
                               NULL};
    double turn[3], aV[3], aT[3], dV[3], dT[3], p[3], L[3], off[3];
    plait_vec3_cross(W, d, turn);
    plait_vec3_cross(a, V, aV), plait_vec3_cross(a, turn, aT);
    plait_vec3_cross(d, V, dV), plait_vec3_cross(d, turn, dT);
    plait_sim *sim = plait_trial_text(t, flying, set);
    if (!sim) {
        plait_trial_row(t, 30, 0, NAN, 0, "momentum at the start");
        return;
    }
    const plait_rod *rod = plait_sim_rod(sim, 0);
    double l = LENGTH, m = rod->section.mass;
    for (int k = 0; k < 3; k++) {
        p[k] = m * (l * V[k] + l * l / 2 * turn[k]);
        L[k] = m * (l * aV[k] + l * l / 2 * (aT[k] + dV[k]) + l * l * l / 3 * dT[k]);
    }
    plait_rod_energies e = plait_rod_energy(rod);
    plait_vec3_sub(e.momentum, p, off);
    plait_trial_row(t, 30, 0, plait_vec3_norm(off) / plait_vec3_norm(p), 1e-6, "momentum at the start, error");
    plait_vec3_sub(e.angular_momentum, L, off);
    plait_trial_row(t, 30, 0, plait_vec3_norm(off) / plait_vec3_norm(L), 1e-3, "angular momentum at the start, error");
    double vv = plait_vec3_dot(V, V), vt = plait_vec3_dot(V, turn), tt = plait_vec3_dot(turn, turn);
    plait_trial_row(t, 30, m / 2 * (l * vv + l * l * vt + l * l * l / 3 * tt), e.kinetic, 1e-3,
                    "kinetic energy at the start");
    plait_sim_free(sim);
}
