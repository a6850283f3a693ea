// stick_slip_chain.c: a rod of few segments that is pressed on a plane does what a chain of so many links does.
//
// Between the elastica and a rod of N segments there is an error of the chain itself: 72 / N^2 per cent of T/N at a depth
// of 0.02. So the chain is solved here, as a static problem with N angles and two multipliers, by code that knows
// nothing of rods, steps and contacts; what the simulation adds to it is little for any N.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "plait/sim.h"

enum { MOST = 12, SIZE = MOST + 2 };
static const double ROOT = 4.493409457909064; // tan k = k: the first mode of a clamped and pinned column

// A x = b by elimination; x is left in b.
static void eliminate(int n, double A[SIZE][SIZE], double *b)
{
    for (int i = 0; i < n; i++) {
        int best = i;
        for (int k = i + 1; k < n; k++)
            best = fabs(A[k][i]) > fabs(A[best][i]) ? k : best;
        for (int j = 0; j < n; j++) {
            double t = A[i][j];
            A[i][j] = A[best][j], A[best][j] = t;
        }
        double t = b[i];
        b[i] = b[best], b[best] = t;
        for (int k = i + 1; k < n; k++) {
            double factor = A[k][i] / A[i][i];
            for (int j = i; j < n; j++)
                A[k][j] -= factor * A[i][j];
            b[k] -= factor * b[i];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[i][j] * b[j];
        b[i] /= A[i][i];
    }
}

// One Newton step towards the chain of length and stiffness 1 at a depth; z: angles, N, T. Returns the largest change of
// an angle. Hinge i has the moment 2 tan(a/2) / cos^2(a/2) / length, half a length at the clamp.
static double improve(int n, double depth, double *z)
{
    double A[SIZE][SIZE] = {{0}}, r[SIZE] = {0}, stiffness[MOST + 1] = {0}, l = 1.0 / n, N = z[n], T = z[n + 1],
           most = 0;
    for (int i = 0; i < n; i++) {
        double c = (i == 0 ? 2 : 1) / l, half = 0.5 * (z[i] - (i ? z[i - 1] : 0)), t = tan(half);
        double sec2 = 1 + t * t, moment = c * 2 * t * sec2;
        stiffness[i] = c * sec2 * (sec2 + 2 * t * t);
        r[i] += moment - l * (N * sin(z[i]) - T * cos(z[i]));
        if (i > 0)
            r[i - 1] -= moment;
        r[n] += l * cos(z[i]), r[n + 1] += l * sin(z[i]);
    }
    r[n] -= 1 - depth;
    for (int i = 0; i < n; i++) {
        A[i][i] = stiffness[i] + stiffness[i + 1] - l * (N * cos(z[i]) + T * sin(z[i]));
        if (i > 0)
            A[i][i - 1] = A[i - 1][i] = -stiffness[i];
        A[i][n] = A[n][i] = -l * sin(z[i]);
        A[i][n + 1] = A[n + 1][i] = l * cos(z[i]);
    }
    eliminate(n + 2, A, r);
    for (int i = 0; i < n; i++)
        most = fmax(most, fabs(r[i]));
    double part = most > 0.3 ? 0.3 / most : 1;
    for (int i = 0; i < n + 2; i++)
        z[i] -= part * r[i];
    return most;
}

// T/N of the chain, in small steps from next to nothing; NaN: not found.
static double of_chain(int n, double depth)
{
    double z[SIZE] = {0}, sum = 0, change = 1;
    for (int i = 0; i < n; i++) {
        double x = ROOT * (i + 0.5) / n;
        z[i] = cos(x) - 1 + ROOT * sin(x);
        sum += z[i] * z[i] / n;
    }
    for (int i = 0; i < n; i++)
        z[i] *= sqrt(2 * 0.005 / sum);
    z[n] = 20, z[n + 1] = 1.3;
    for (double at = 0.005; at<depth + 1e-9; at = at + 1e-9> depth ? 1 : fmin(at + 0.01, depth))
        for (int k = 0; k < 60 && (k == 0 || change > 1e-12); k++)
            change = improve(n, at, z);
    return change <= 1e-12 ? fabs(z[n + 1] / z[n]) : NAN;
}

// T/N of the simulated rod; NaN: it failed.
static double of_rod(const char *model, int n, double depth, double dt)
{
    char text[1200];
    snprintf(
        text, sizeof text,
        "gravity: [0, 0, 0]\nmaterials:\n"
        "  hair: {radius: 50 um, density: 1300, young: 3 GPa, poisson: 0.45, damping: 10 ms, drag: 1, contact_radius: "
        "10 um}\n"
        "  floor:\nfriction: {default: 1}\ncolliders:\n  floor: {material: floor, shape: plane}\n"
        "  clamp: {material: floor, shape: none, position: [0, 0, 0.10001], motion: {keys: [{time: 0 s}, {time: 100 s, "
        "position: [0, 0, -0.1]}]}}\n"
        "fibres:\n  rod: {material: hair, model: %s, segments: %d, natural: {shape: straight}, ends: {root: clamped, "
        "attach: clamp}, polyline: {points: [[0, 0, 0.10001], [0, 0, 0.05001], [0.00001, 0, 0.00001]]}}\n"
        "contact: {proximity: 10 um, self: false}\nstep: {dt: %g}\nsolver: {tol: 1e-8}\n",
        model, n, dt);
    plait_error error = {0};
    plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
    plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
    double sum[3] = {0}, until = 100 * depth;
    if (!CHECK(sim))
        puts(error.text);
    plait_sim_report report;
    bool ok = sim;
    while (ok && plait_sim_time(sim) < until - 1e-9)
        ok = CHECK(plait_sim_step(sim, until, &report, NULL) == PLAIT_OK && !report.failed);
    for (int i = 0; ok && i < plait_sim_contacts(sim); i++) {
        plait_sim_contact c;
        plait_sim_contact_get(sim, i, &c);
        for (int k = 0; k < 3; k++)
            sum[k] += c.impulse[k];
    }
    plait_sim_free(sim);
    plait_scene_free(scene);
    return sum[2] > 0 ? hypot(sum[0], sum[1]) / sum[2] : NAN;
}

CASE(the_chain_comes_near_the_elastica)
{
    CHECK_NEAR(of_chain(12, 0.02) / 0.063930, 1 + 0.725e-2 * 100 / 144, 3e-4);
    CHECK_NEAR(of_chain(6, 0.1) / 0.152793, 1.01444, 1e-4);
}

CASE(a_rod_is_its_chain)
{
    static const int segments[] = {6, 8, 10};
    static const double depth[] = {0.05, 0.1, 0.2};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 2; k++) {
            double chain = of_chain(segments[i], depth[i]),
                   rod = of_rod(k ? "mass-spring" : "der", segments[i], depth[i], k ? 3e-3 : 10e-3);
            printf("%d segments, depth %g: chain %.6f rod %.6f, %+.3f %%\n", segments[i], depth[i], chain, rod,
                   100 * (rod / chain - 1));
            CHECK(fabs(rod / chain - 1) < 2e-3);
        }
}
