// vibration.c: A10 frequencies of small vibrations.
//
// A rod at rest gets one step of forces in the shape of a mode (times the mass), which is an impulse; then it is let
// go, and its displacement is projected on the mode. Backward Euler turns an oscillator into
//
//     q+ - 2 q + q- = -(omega dt)^2 q+
//
// exactly, so that the least-squares omega of this relation is that of the discrete rod, without the error of the time
// step. What the mode shape has of other modes enters squared.
#include <math.h>
#include <stddef.h>

#include "math/vec3.h"
#include "validate/cases.h"

static const double PI = 3.14159265358979323846;
enum { MODES = 3, STEPS = 500, MAX_NODES = 256, MOST_DENSE = 120 };
static const double LENGTH = 1, EI = 1, MASS = 1, GRAVITY = 9.81;

typedef enum beam { CLAMPED_FREE, FREE_FREE, TORSION, STRING, BEAMS } beam;
static const char *const beam_names[BEAMS] = {"clamped-free", "free-free", "torsion", "hanging string"};
// beta of the bending modes; omega of the others by formula.
static const double beta[2][MODES] = {{1.875104068711961, 4.694091132974175, 7.854757438237613},
                                      {4.730040744862704, 7.853204624095838, 10.995607838001671}};
static const double chain[MODES] = {1.202412778847886, 2.760039055128606, 4.326863956296386};

static double torsion_speed(const plait_section *s)
{
    return sqrt(s->GJ / (s->inertia[0] + s->inertia[1]));
}

static double exact(beam b, int mode, const plait_section *s)
{
    if (b == TORSION)
        return (2 * mode + 1) * PI / 2 * torsion_speed(s) / LENGTH;
    if (b == STRING)
        return chain[mode] * sqrt(GRAVITY / LENGTH);
    return pow(beta[b][mode] / LENGTH, 2) * sqrt(EI / MASS);
}

// Bessel function J0 by its series; arguments here are below 9.
static double bessel(double x)
{
    double term = 1, sum = 1;
    for (int k = 1; k < 60; k++) {
        term *= -x * x / (4.0 * k * k);
        sum += term;
    }
    return sum;
}

// Shape of a mode at a = s/L.
static double shape(beam b, int mode, double a)
{
    if (b == TORSION)
        return sin((2 * mode + 1) * PI / 2 * a);
    if (b == STRING) // omega = j / 2 sqrt(g/L); the free end is at a = 1
        return bessel(2 * chain[mode] * sqrt(1 - a));
    double k = beta[b][mode], x = k * a;
    double sigma =
        b == CLAMPED_FREE ? (cosh(k) + cos(k)) / (sinh(k) + sin(k)) : (cosh(k) - cos(k)) / (sinh(k) - sin(k));
    // cosh - sigma sinh without cancellation
    double decay = 0.5 * ((1 - sigma) * exp(x) + (1 + sigma) * exp(-x));
    return b == CLAMPED_FREE ? decay - cos(x) + sigma * sin(x) : decay + cos(x) - sigma * sin(x);
}

// Weights m_i phi_i of the projection; for a free rod without its rigid motions.
static void make_weights(beam b, int mode, int segments, double *w)
{
    int count = b == TORSION ? segments : segments + 1;
    for (int i = 0; i < count; i++) {
        double a = b == TORSION ? (i + 0.5) / segments : (double)i / segments;
        bool end = b != TORSION && (i == 0 || i == segments);
        w[i] = shape(b, mode, a) * (end ? 0.5 : 1) / segments;
    }
    if (b != FREE_FREE)
        return;
    double sum = 0, tilt = 0, arm = 0;
    for (int i = 0; i < count; i++) {
        double a = (double)i / segments - 0.5, m = (i == 0 || i == segments ? 0.5 : 1) / segments;
        sum += w[i], tilt += a * w[i], arm += m * a * a;
    }
    for (int i = 0; i < count; i++) {
        double a = (double)i / segments - 0.5, m = (i == 0 || i == segments ? 0.5 : 1) / segments;
        w[i] -= m * (sum + tilt / arm * a);
    }
}

static double project(beam b, const plait_rod *rod, const double *w)
{
    double data[9 * MAX_NODES], q = 0;
    int n = plait_rod_segments(rod);
    if (b == TORSION) {
        plait_rod_frames(rod, data);
        for (int j = 0; j < n; j++) // m1 starts along z; the rod lies along x
            q += w[j] * atan2(-data[9 * j + 1], data[9 * j + 2]);
    } else {
        plait_rod_positions(rod, data);
        for (int i = 0; i <= n; i++)
            q += w[i] * data[3 * i + 1];
    }
    return q;
}

static plait_rod *make_rod(plait_trial *t, beam b, int segments, plait_section *section)
{
    *section = plait_trial_section(EI, EI / 1.5, MASS, LENGTH);
    section->EA = 1e5 * EI;
    // Bending is compared with beams whose sections have no inertia of their own.
    section->inertia[0] = section->inertia[1] = (b == TORSION ? 1e-4 : 1e-10) * MASS * LENGTH * LENGTH;
    double points[6];
    plait_rod_def def = plait_trial_straight(t, section, LENGTH, segments, points);
    if (b == FREE_FREE)
        def.end[0].kind = PLAIT_END_FREE;
    if (b == STRING) { // hangs along +x
        section->EI[0] = section->EI[1] = section->GJ = 0;
        section->EA = 1e6 * MASS * GRAVITY * LENGTH;
        def.section = *section;
        def.gravity[0] = GRAVITY;
        if (t->can & PLAIT_ROD_FREE_ROOT)
            def.end[0].kind = PLAIT_END_PINNED;
    }
    return plait_trial_rod(t, &def);
}

static double frequency(plait_trial *t, beam b, int mode, int segments)
{
    plait_section section;
    plait_rod *rod = make_rod(t, b, segments, &section);
    double w[MAX_NODES], result = NAN;
    if (rod && (b != STRING || plait_trial_relax(t, rod))) {
        make_weights(b, mode, segments, w);
        double omega = exact(b, mode, &section), dt = 2 * PI / (STEPS * omega), product = 0, square = 0;
        // The impulse that leads to an amplitude of 1e-4 lengths (or radians).
        double size = 1e-4 * omega / dt * (b == TORSION ? section.inertia[0] + section.inertia[1] : MASS) * LENGTH;
        double q[3] = {project(b, rod, w)};
        q[1] = q[0];
        double start = q[0];
        for (int k = 0; k <= STEPS && !plait_trial_stopped(t); k++) {
            for (int i = 0; i < (b == TORSION ? segments : segments + 1) && k < 2; i++) {
                double f[3] = {0, k == 0 ? size * w[i] : 0, 0};
                if (b == TORSION)
                    plait_rod_set_couple(rod, i, f[1]);
                else
                    plait_rod_set_force(rod, i, f);
            }
            if (!plait_trial_step(t, rod, dt))
                break;
            q[2] = project(b, rod, w);
            if (k > 0) {
                product -= (q[2] - 2 * q[1] + q[0]) * (q[2] - start);
                square += (q[2] - start) * (q[2] - start);
            }
            q[0] = q[1], q[1] = q[2];
            if (k == STEPS)
                result = sqrt(product / square) / dt / omega;
        }
    }
    plait_rod_free(rod);
    return result;
}

void plait_case_vibration(plait_trial *t)
{
    // The first mode of a free rod has the wavelength of the second of a clamped one, and the waves of a string are
    // short at its free end: the same tolerances need more segments there.
    static const struct {
        int segments[BEAMS];
        double tolerance[MODES];
    } bars[] = {{{30, 66, 30, 40}, {0.001, 0.005, 0.01}}, {{100, 208, 100, 130}, {0.0001, 0.0005, 0.001}}};
    const double zero[MODES] = {0}, modes[MODES] = {1, 2, 3};
    plait_trial_curve(t, "exact", true, MODES, modes, zero);
    for (int b = 0; b < BEAMS; b++) {
        if ((b == TORSION && !(t->can & PLAIT_ROD_TWISTS)) || (b == FREE_FREE && !(t->can & PLAIT_ROD_FREE_ROOT)) ||
            (b == STRING && !(t->can & PLAIT_ROD_STRETCHES)))
            continue;
        for (int k = 0; k < 2; k++) {
            double error[MODES];
            int segments = bars[k].segments[b];
            if (t->max_segments && segments > MOST_DENSE)
                continue;
            for (int m = 0; m < MODES && !plait_trial_stopped(t); m++) {
                double ratio = frequency(t, (beam)b, m, segments);
                error[m] = ratio - 1;
                plait_trial_row(t, segments, 1, ratio, bars[k].tolerance[m], "omega_%d / exact, %s", m + 1,
                                beam_names[b]);
            }
            if (k == 0 && !plait_trial_stopped(t))
                plait_trial_curve(t, beam_names[b], false, MODES, modes, error);
        }
    }
}
