// friction.c: B1 to B4: what slides on a plane. Each case is run by a bead (one contact, stepped by hand) and by a
// rigid box in the simulator, with the same tolerances.
//
// Sums of an implicit step: a body that decelerates by a = mu g from v0 covers v0^2 / (2 a) - v0 dt / 2 (+ O(dt^2)),
// since each step moves with the velocity at its end. That is no error of friction, and is taken out where 1e-6 is
// asked.
#include <math.h>
#include <stdio.h>

#include "math/vec3.h"
#include "validate/friction_slider.h"

static const double DEGREE = 3.14159265358979323846 / 180, G = 9.81;
static const char *const subjects[2] = {"one contact", "rigid box"};

// Gravity on a plane that falls towards +x.
static void tilt(plait_slider *s, double degrees)
{
    plait_vec3_set(s->gravity, G * sin(degrees * DEGREE), 0, -G * cos(degrees * DEGREE));
}

// ---- B1 ------------------------------------------------------------------------------------------------------------

typedef struct incline {
    double degrees, dt;
    bool box;
    plait_local local;
} incline;

// Runs from rest; false if it failed.
static bool run_incline(plait_trial *t, const incline *i, double mu, int steps, plait_slider *s)
{
    *s = (plait_slider){.box = i->box, .local = i->local, .mu = mu, .dt = i->dt};
    tilt(s, i->degrees);
    bool ok = plait_slider_start(t, s);
    while (ok && s->steps < steps)
        ok = plait_slider_step(t, s);
    plait_slider_end(s);
    return ok;
}

enum { INCLINE_STEPS = 50 };

// A bead that sticks stays exactly; what slides with an excess e of tan(alpha) over mu has e g cos(alpha) t.
static int sticks(plait_trial *t, double mu, const void *data)
{
    plait_slider s;
    if (!run_incline(t, data, mu, INCLINE_STEPS, &s))
        return -1;
    return plait_vec3_norm(s.v) < 1e-9 * G * s.dt * INCLINE_STEPS;
}

static double acceleration(plait_trial *t, const incline *i, double mu)
{
    plait_slider s;
    return run_incline(t, i, mu, INCLINE_STEPS, &s) ? s.v[0] / (s.dt * INCLINE_STEPS) : NAN;
}

static void incline_curve(plait_trial *t, const incline *i)
{
    enum { POINTS = 15 };
    double mu[POINTS], a[POINTS], exact[POINTS];
    for (int k = 0; k < POINTS && !plait_trial_stopped(t); k++) {
        mu[k] = 0.05 * k;
        a[k] = acceleration(t, i, mu[k]);
        exact[k] = G * fmax(0, sin(i->degrees * DEGREE) - mu[k] * cos(i->degrees * DEGREE));
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "exact, 30 deg", true, POINTS, mu, exact);
    plait_trial_curve(t, "30 deg", false, POINTS, mu, a);
}

static void incline_of(plait_trial *t, bool box)
{
    static const double slides[][2] = {{10, 0.1}, {20, 0.3}, {30, 0.3}, {30, 0.5}, {45, 0.5}, {60, 1}};
    t->subject = subjects[box];
    for (int k = 0; (int)plait_exact_locals[k] >= 0 && !(box && k) && !plait_trial_stopped(t); k++) {
        incline i = {20, 1e-3, box, plait_exact_locals[k]};
        double exact = tan(i.degrees * DEGREE);
        double found = plait_trial_bracket(t, 0.9 * exact, 1.1 * exact, 1e-7, sticks, &i);
        plait_trial_row(t, INCLINE_STEPS, exact, found, 1e-6, "smallest mu that holds, 20 deg%s%s", box ? "" : ", ",
                        box ? "" : plait_local_name(i.local));
    }
    if (!box) {
        plait_slider s;
        incline i = {20, 1e-3, box, PLAIT_LOCAL_SECULAR};
        bool ok = run_incline(t, &i, 0.5, INCLINE_STEPS, &s);
        plait_trial_row(t, INCLINE_STEPS, tan(20 * DEGREE), ok ? hypot(s.r[1], s.r[2]) / s.r[0] : NAN, 1e-6,
                        "r_T / r_N at rest, 20 deg, mu = 0.5");
    }
    for (int k = 0; k < (int)(sizeof slides / sizeof *slides) && !plait_trial_stopped(t); k++) {
        incline i = {slides[k][0], 1e-3, box, PLAIT_LOCAL_SECULAR};
        double alpha = i.degrees * DEGREE, mu = slides[k][1];
        plait_trial_row(t, INCLINE_STEPS, G * (sin(alpha) - mu * cos(alpha)), acceleration(t, &i, mu), 1e-3,
                        "acceleration [m/s^2], %g deg, mu = %g", i.degrees, mu);
    }
    incline_curve(t, &(incline){30, 1e-3, box, PLAIT_LOCAL_SECULAR});
}

void plait_case_incline(plait_trial *t)
{
    incline_of(t, false);
    incline_of(t, true);
}

// ---- B2 and B3 -----------------------------------------------------------------------------------------------------

static const double SPEED = 2, MU = 0.3; // of the throw

typedef struct throw
{
    bool ok;
    int steps;
    double x, y, time, lost;
}
throw;

static throw throw_at(plait_trial * t, double degrees, plait_slider s)
{
    throw result = {.x = NAN, .y = NAN, .time = NAN, .lost = NAN};
    plait_vec3_set(s.gravity, 0, 0, -G);
    plait_vec3_set(s.velocity, SPEED * cos(degrees * DEGREE), SPEED * sin(degrees * DEGREE), 0);
    double time;
    if (plait_slider_start(t, &s) && plait_slider_stop(t, &s, (int)(2 / s.dt), &time))
        result = (throw){true, s.steps, s.x[0], s.x[1], time, s.lost};
    plait_slider_end(&s);
    return result;
}

static void stopping_of(plait_trial *t, bool box)
{
    static const double dts[] = {1e-2, 5e-3, 1e-3, 1e-4};
    enum { DTS = (int)(sizeof dts / sizeof *dts) };
    double exact = SPEED * SPEED / (2 * MU * G), error[DTS], expected[DTS];
    t->subject = subjects[box];
    for (int k = 0; k < DTS && !plait_trial_stopped(t); k++) {
        throw a = throw_at(t, 0, (plait_slider){.box = box, .mu = MU, .dt = dts[k]});
        error[k] = 1 - a.x / exact;
        expected[k] = SPEED * dts[k] / 2 / exact;
        if (k < DTS - 1)
            continue;
        plait_trial_row(t, a.steps, exact, a.x + SPEED * dts[k] / 2, 1e-6, "distance + v0 dt/2 [m]");
        plait_trial_row(t, a.steps, 0, a.y, 1e-6, "sideways [m]");
        plait_trial_row(t, a.steps, SPEED / (MU * G), a.time, 1e-6, "time [s]");
        plait_trial_row(t, a.steps, SPEED * SPEED / 2, a.lost, 1e-3, "energy lost to friction / m");
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "v0 dt/2", true, DTS, dts, expected);
    plait_trial_curve(t, "short by", false, DTS, dts, error);
}

void plait_case_stopping(plait_trial *t)
{
    stopping_of(t, false);
    stopping_of(t, true);
}

// Thrown at these angles. A pyramid with axes x and y brakes each of them by itself with mu g (the box around the
// cone); turned by 45 degrees and with mu / sqrt(2) it is inscribed. What covers v^2 / (2 a) along an axis is short by
// v dt / 2.
static const double angles[] = {0, 15, 22.5, 30, 45};
enum { ANGLES = (int)(sizeof angles / sizeof *angles) };

static void pyramid(plait_trial *t, double turn, double mu, const char *name)
{
    const double dt = 1e-4;
    double x[ANGLES], y[ANGLES];
    t->subject = subjects[0];
    for (int k = 0; k < ANGLES && !plait_trial_stopped(t); k++) {
        throw a = throw_at(t, angles[k],
                           (plait_slider){.local = PLAIT_LOCAL_PYRAMID, .turn = turn * DEGREE, .mu = mu, .dt = dt});
        double along = SPEED * cos((angles[k] - turn) * DEGREE), across = SPEED * sin((angles[k] - turn) * DEGREE);
        double distance = hypot(along * along, across * across) / (2 * mu * G);
        double direction = turn + atan2(copysign(across * across, across), along * along) / DEGREE;
        x[k] = a.x, y[k] = a.y;
        if (k == 0)
            continue;
        plait_trial_row(t, a.steps, distance, hypot(a.x, a.y), 1e-3, "%s: distance, thrown at %g deg", name, angles[k]);
        plait_trial_row(t, a.steps, direction, atan2(a.y, a.x) / DEGREE, 1e-3, "%s: direction, thrown at %g deg", name,
                        angles[k]);
    }
    if (!plait_trial_stopped(t))
        plait_trial_curve(t, name, false, ANGLES, x, y);
}

static void isotropy_of(plait_trial *t, bool box)
{
    const double dt = box ? 1e-3 : 1e-4;
    double x[ANGLES], y[ANGLES], straight = NAN;
    t->subject = subjects[box];
    for (int k = 0; k < ANGLES && !plait_trial_stopped(t); k++) {
        throw a = throw_at(t, angles[k], (plait_slider){.box = box, .mu = MU, .dt = dt});
        x[k] = a.x, y[k] = a.y;
        if (k == 0)
            straight = a.x;
        if (k == 0)
            continue;
        plait_trial_row(t, a.steps, straight, hypot(a.x, a.y), 1e-6, "distance [m], thrown at %g deg", angles[k]);
        plait_trial_row(t, a.steps, angles[k], atan2(a.y, a.x) / DEGREE, 1e-6, "direction [deg], thrown at %g deg",
                        angles[k]);
    }
    if (!plait_trial_stopped(t))
        plait_trial_curve(t, "cone", false, ANGLES, x, y);
}

void plait_case_isotropy(plait_trial *t)
{
    double exact = SPEED * SPEED / (2 * MU * G), x[46], y[46];
    isotropy_of(t, false);
    isotropy_of(t, true);
    pyramid(t, 0, MU, "box pyramid");
    pyramid(t, 45, MU / sqrt(2), "inscribed pyramid");
    for (int k = 0; k <= 45; k++)
        x[k] = exact * cos(k * DEGREE), y[k] = exact * sin(k * DEGREE);
    plait_trial_curve(t, "exact: a circle", true, 46, x, y);
}

// ---- B4 ------------------------------------------------------------------------------------------------------------

// Launched across a slope with v0: with q = tan(psi / 2), psi the angle between the velocity and downhill (90 degrees
// at the start, q = 1), k = mu / tan(alpha) and a = g sin(alpha), the equations of motion integrate to
//     v = v0 (q^(k-1) + q^(k+1)) / 2,    t = v0/(2a) (p(k-1) + p(k+1)),
//     downhill v0^2/(4a) (p(2k-2) - p(2k+2)),   across v0^2/(2a) (p(2k-1) + p(2k+1)),   p(n) = (1 - q^n) / n.
// It stops (q = 0) if k > 1; for k = 1, v (1 + cos psi) = v0 and what remains is v0 / 2 downhill.
static double part(double q, double n)
{
    return fabs(n) < 1e-12 ? -log(q) : (1 - pow(q, n)) / n;
}

typedef struct launch {
    double k, q, time, speed, downhill, across;
} launch;

static launch exact_launch(double k, double a, double v0, double q)
{
    return (launch){k,
                    q,
                    v0 / (2 * a) * (part(q, k - 1) + part(q, k + 1)),
                    v0 * (pow(q, k - 1) + pow(q, k + 1)) / 2,
                    v0 * v0 / (4 * a) * (part(q, 2 * k - 2) - part(q, 2 * k + 2)),
                    v0 * v0 / (2 * a) * (part(q, 2 * k - 1) + part(q, 2 * k + 1))};
}

// At time 1 s, or at rest before.
static launch final_launch(double k, double a, double v0)
{
    if (k > 1 && exact_launch(k, a, v0, 0).time < 1)
        return exact_launch(k, a, v0, 0);
    double low = 0, high = 1;
    for (int i = 0; i < 200; i++) {
        double q = (low + high) / 2;
        *(exact_launch(k, a, v0, q).time > 1 ? &low : &high) = q;
    }
    return exact_launch(k, a, v0, high);
}

static void launch_with(plait_trial *t, bool box, double k)
{
    enum { SHOWN = 20 };
    const double slope = 20, v0 = 1, dt = 1e-4;
    launch exact = final_launch(k, G * sin(slope * DEGREE), v0);
    plait_slider s = {.box = box, .mu = k * tan(slope * DEGREE), .dt = dt, .velocity = {0, v0, 0}};
    double x[SHOWN], y[SHOWN], time = NAN, invariant = 0;
    int steps = (int)lround(1 / dt), shown = 0;
    tilt(&s, slope);
    bool ok = plait_slider_start(t, &s);
    if (ok && exact.q == 0) {
        ok = plait_slider_stop(t, &s, steps, &time);
        plait_trial_row(t, s.steps, exact.time, ok ? time : NAN, 1e-3, "time to rest [s], mu = %.1f tan(alpha)", k);
    } else {
        while (ok && s.steps < steps) {
            ok = plait_slider_step(t, &s);
            invariant = fmax(invariant, fabs(plait_vec3_norm(s.v) + s.v[0] - v0));
            if (s.steps % (steps / SHOWN) == 0 && shown < SHOWN)
                x[shown] = s.x[1], y[shown++] = s.x[0];
        }
        plait_trial_row(t, s.steps, exact.speed, ok ? plait_vec3_norm(s.v) : NAN, 1e-3,
                        "speed after 1 s, mu = %.1f tan(alpha)", k);
        if (k == 1) {
            plait_trial_row(t, s.steps, 0, ok ? invariant : NAN, 1e-3, "v (1 + cos psi) - v0, largest");
            plait_trial_row(t, s.steps, v0 / 2, ok ? plait_vec3_norm(s.v) : NAN, 1e-3, "terminal speed");
        }
    }
    plait_trial_row(t, s.steps, exact.downhill, ok ? s.x[0] : NAN, 1e-3, "downhill [m], mu = %.1f tan(alpha)", k);
    plait_trial_row(t, s.steps, exact.across, ok ? s.x[1] : NAN, 1e-3, "across [m], mu = %.1f tan(alpha)", k);
    plait_slider_end(&s);
    char name[64];
    snprintf(name, sizeof name, "mu = %.1f tan(alpha)", k);
    if (ok && shown)
        plait_trial_curve(t, name, false, shown, x, y);
}

void plait_case_cross_slope(plait_trial *t)
{
    static const double ks[] = {0.6, 0.8, 1, 1.2, 1.5};
    enum { KS = (int)(sizeof ks / sizeof *ks), POINTS = 60 };
    for (int box = 0; box < 2; box++) {
        t->subject = subjects[box];
        for (int i = 0; i < KS && !plait_trial_stopped(t); i++)
            launch_with(t, box, ks[i]);
    }
    for (int i = 0; i < KS; i++) {
        double a = G * sin(20 * DEGREE), x[POINTS], y[POINTS], end = final_launch(ks[i], a, 1).q;
        char name[64];
        for (int k = 0; k < POINTS; k++) {
            launch at = exact_launch(ks[i], a, 1, fmax(end, pow(fmax(end, 1e-3), k / (POINTS - 1.0))));
            x[k] = at.across, y[k] = at.downhill;
        }
        snprintf(name, sizeof name, "exact, mu = %.1f tan(alpha)", ks[i]);
        plait_trial_curve(t, name, true, POINTS, x, y);
    }
}
