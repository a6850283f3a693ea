// friction_contact.c: B6 and B10: one contact, solved once and stepped.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "validate/friction_slider.h"

const plait_local plait_exact_locals[] = {PLAIT_LOCAL_SECULAR, PLAIT_LOCAL_MFB,      PLAIT_LOCAL_PAC, PLAIT_LOCAL_DAC,
                                          PLAIT_LOCAL_ENUM,    PLAIT_LOCAL_DURIEZ08, (plait_local)-1};

static const double TURN = 6.28318530717958647693; // 2 pi

// ---- B6 ------------------------------------------------------------------------------------------------------------

// A uniform rod of mass 1, half length 1 and angle theta to the ground slides on its lower tip with speed 1 towards the
// side on which it digs in:
//     W_NN = 1 + 3 cos^2, W_TT = 1 + 3 sin^2, W_NT = -3 sin cos  (moment of inertia 1/3),  4 across its plane.
// While it is pressed down a little (b_N = -e, one small step of gravity), r_N = e / p with p = W_NN + mu W_NT if p >
// 0:
// regular sliding. For p < 0 no sliding rod satisfies Coulomb's law (Painleve): the impulse is finite although e -> 0,
// r = -W^-1 b, and the tip stands. For tan(theta) = 2 that is beyond mu = 4/3.
typedef struct tip {
    double normal, tangential, lost;
} tip;

// How it is solved: by a one-contact solver alone, or by Gauss-Seidel around one with enumeration as its fail-safe.
typedef struct way {
    plait_local local;
    bool safe;
} way;
static const way ways[] = {{PLAIT_LOCAL_SECULAR, false}, {PLAIT_LOCAL_ENUM, false}, {PLAIT_LOCAL_MFB, true},
                           {PLAIT_LOCAL_PAC, true},      {PLAIT_LOCAL_DAC, true},   {PLAIT_LOCAL_DURIEZ08, true}};
enum { WAYS = (int)(sizeof ways / sizeof *ways) };
static const double TOLERANCE = 1e-13;

static bool solve_one(const way *w, const double W[9], const double b[3], double mu, double r[3])
{
    if (!w->safe)
        return plait_contact_solve(w->local, W, b, mu, TOLERANCE, r) == PLAIT_LOCAL_SOLVED;
    plait_solve_options options = plait_default_solve_options();
    options.solver = PLAIT_SOLVER_GS;
    options.local = w->local;
    options.enum_failsafe = true;
    options.tol = options.local_tol = TOLERANCE;
    options.threads = 1;
    int64_t ptr[] = {0, 3, 6, 9};
    int col[] = {0, 1, 2, 0, 1, 2, 0, 1, 2};
    double val[9];
    memcpy(val, W, sizeof val);
    plait_sparse matrix = {3, 3, ptr, col, val};
    plait_problem *p = plait_problem_from_delassus(3, 1, &matrix, b, &mu, NULL);
    plait_solution *s = plait_solution_new(1);
    plait_report report = {0};
    bool ok = p && s && plait_problem_solve(p, &options, s, &report, NULL) == PLAIT_OK && report.converged;
    if (ok)
        plait_vec3_copy(s->r, r);
    plait_solution_free(s);
    plait_problem_free(p);
    return ok;
}

static tip dig_in(plait_trial *t, const way *w, double tangent, double mu, double press)
{
    double c2 = 1 / (1 + tangent * tangent), s2 = 1 - c2, sc = tangent * c2;
    const double W[9] = {1 + 3 * c2, -3 * sc, 0, -3 * sc, 1 + 3 * s2, 0, 0, 0, 4};
    // It slides along -t: friction, along +t, presses the tip down (W_NT < 0).
    const double b[3] = {-press, -1, 0};
    double r[3] = {0}, u[3];
    if (!solve_one(w, W, b, mu, r)) {
        snprintf(t->reason, sizeof t->reason, "%s did not solve", plait_local_name(w->local));
        return (tip){NAN, NAN, NAN};
    }
    for (int i = 0; i < 3; i++)
        u[i] = b[i] + plait_vec3_dot(W + 3 * i, r);
    return (tip){r[0], r[1], -0.5 * (plait_vec3_dot(r, b) + plait_vec3_dot(r, u))};
}

static void painleve_by(plait_trial *t, const way *w)
{
    static const struct {
        double tangent, mu, tangential, normal, lost;
    } impacts[] = {
        {2, 1.5, 0.4, 0.3, 0.2}, {2, 2, 0.4, 0.3, 0.2}, {3, 1.5, 0.325, 0.225, 0.1625}, {1, 2, 0.625, 0.375, 0.3125}};
    static const double regular[] = {0.5, 1, 1.3};
    char by[32], what[96];
    snprintf(by, sizeof by, "%s%s", plait_local_name(w->local), w->safe ? "+enum" : "");
    for (int i = 0; i < (int)(sizeof impacts / sizeof *impacts); i++) {
        tip a = dig_in(t, w, impacts[i].tangent, impacts[i].mu, 1e-9);
        snprintf(what, sizeof what, "tan(theta) = %g, mu = %g, %s", impacts[i].tangent, impacts[i].mu, by);
        plait_trial_row(t, 1, impacts[i].tangential, a.tangential, 1e-6, "P_T / (m v), %s", what);
        plait_trial_row(t, 1, impacts[i].normal, a.normal, 1e-6, "P_N / (m v), %s", what);
        plait_trial_row(t, 1, impacts[i].lost, a.lost, 1e-6, "energy lost / (m v^2), %s", what);
    }
    for (int i = 0; i < (int)(sizeof regular / sizeof *regular); i++) {
        const double press = 1e-3;
        tip a = dig_in(t, w, 2, regular[i], press);
        plait_trial_row(t, 1, 1 / (1.6 - 1.2 * regular[i]), a.normal / press, 1e-6,
                        "r_N / (-b_N), tan(theta) = 2, mu = %g, %s", regular[i], by);
    }
}

void plait_case_painleve(plait_trial *t)
{
    enum { POINTS = 40 };
    t->subject = "one contact";
    for (int k = 0; k < WAYS && !plait_trial_stopped(t); k++)
        painleve_by(t, &ways[k]);
    double mu[POINTS], exact[2][POINTS], found[2][POINTS];
    for (int i = 0; i < POINTS; i++) {
        mu[i] = 0.05 * (i + 0.5);
        tip a = dig_in(t, &ways[0], 2, mu[i], 1e-9);
        found[0][i] = a.tangential, found[1][i] = a.normal;
        exact[0][i] = mu[i] > 4.0 / 3 ? 0.4 : 0, exact[1][i] = mu[i] > 4.0 / 3 ? 0.3 : 0;
    }
    plait_trial_curve(t, "P_T", true, POINTS, mu, exact[0]);
    plait_trial_curve(t, "P_N", true, POINTS, mu, exact[1]);
    plait_trial_curve(t, "P_T", false, POINTS, mu, found[0]);
    plait_trial_curve(t, "P_N", false, POINTS, mu, found[1]);
}

// ---- B10 -----------------------------------------------------------------------------------------------------------

// A bead (m = 1) on an isotropic spring (k = 4) with a damper (c = 0.4) is pressed (mu N = 1) on a plate that turns
// about (1, 0.5) by 0.8 sin t. Implicit step: (m + dt c + dt^2 k) v' = m v - dt k x + r_T; the plate moves under the
// bead.
static const double MASS = 1, SPRING = 4, DAMPER = 0.4, MU = 0.5, PRESSURE = 2, CENTRE[2] = {1, 0.5}, SWING = 0.8;

// Where the bead is at the phases 1/64, 2/64 ... 1 of its periodic orbit: Moreau's scheme with the exact cone in numpy,
// extrapolated to dt = 0; the same with friction regularised (stiff integrator LSODA) is 4e-4 apart and converging.
enum { PHASES = 64 };
static const double orbit[PHASES][2] = {
    {0.31384989, -0.35123884},    {0.31697509, -0.34419247},    {0.3147857, -0.33101789},
    {0.30746872, -0.31254895},    {0.29539722, -0.28978384},    {0.2791134, -0.26383735},
    {0.2593061, -0.23589064},     {0.23678406, -0.20714055},    {0.21244595, -0.17875016},
    {0.18724875, -0.15180205},    {0.16217606, -0.12725536},    {0.13820853, -0.10590677},
    {0.11629944, -0.088354136},   {0.097360994, -0.074957266},  {0.082275369, -0.065776262},
    {0.071982809, -0.060389677},  {0.067232996, -0.05599489},   {0.060890225, -0.045213164},
    {0.050661271, -0.027200627},  {0.037051199, -0.0019104384}, {0.020750265, 0.030684151},
    {0.0026814627, 0.070053294},  {-0.016074915, 0.1145991},    {-0.034523226, 0.16247621},
    {-0.051790901, 0.21177101},   {-0.067145023, 0.26058181},   {-0.080005699, 0.30709321},
    {-0.089954873, 0.34964291},   {-0.096739765, 0.38677936},   {-0.10027061, 0.41730856},
    {-0.10061266, 0.44032908},    {-0.097972776, 0.45525451},   {-0.092681136, 0.46182322},
    {-0.085168925, 0.46009555},   {-0.075942894, 0.45043929},   {-0.065557927, 0.43350434},
    {-0.054588738, 0.41018808},   {-0.043601842, 0.38159313},   {-0.033128854, 0.34897927},
    {-0.023642007, 0.31371158},   {-0.015532555, 0.27720686},   {-0.0090923891, 0.24088023},
    {-0.0044986537, 0.20609406},  {-0.0018002996, 0.17411089},  {-0.00090364328, 0.14605204},
    {-0.0015492165, 0.12286315},  {-0.0032557878, 0.10528605},  {-0.0051220563, 0.093820053},
    {-0.0044561143, 0.087383331}, {0.00036360385, 0.075840079}, {0.0086362606, 0.056849393},
    {0.020702369, 0.030787222},   {0.03699748, -0.0018102788},  {0.057651513, -0.039886806},
    {0.082034329, -0.081619391},  {0.10926703, -0.12510431},    {0.13834227, -0.16849533},
    {0.16817844, -0.21006511},    {0.19767114, -0.24826048},    {0.2257414, -0.28174964},
    {0.25137963, -0.30945943},    {0.27368448, -0.33060163},    {0.29189567, -0.34468758},
    {0.30541994, -0.35153093}};
static const double DISSIPATED = 3.1035; // per period

typedef struct driven {
    double x[PHASES], y[PHASES];
    double lost;         // per period
    double largest, rms; // distance from the reference at equal phases
} driven;

static bool drive(plait_trial *t, plait_local local, double turn, double mu, int steps, driven *d)
{
    enum { PERIODS = 24 };
    double dt = TURN / steps, M = MASS + dt * DAMPER + dt * dt * SPRING, x[2] = {0}, v[2] = {0}, r[3] = {0};
    double c = cos(turn), s = sin(turn);
    const double W[9] = {1 / MASS, 0, 0, 0, 1 / M, 0, 0, 0, 1 / M};
    bool exact = local != PLAIT_LOCAL_PYRAMID;
    *d = (driven){0};
    for (int k = 0; k < PERIODS * steps; k++) {
        double angle_rate = SWING * cos(dt * (k + 1));
        double plate[2] = {-angle_rate * (x[1] - CENTRE[1]), angle_rate * (x[0] - CENTRE[0])}, u[2];
        for (int i = 0; i < 2; i++)
            u[i] = (MASS * v[i] - dt * SPRING * x[i]) / M - plate[i];
        double b[3] = {-PRESSURE * dt / MASS, c * u[0] + s * u[1], c * u[1] - s * u[0]};
        if (plait_contact_solve(local, W, b, mu, 1e-13, r) != PLAIT_LOCAL_SOLVED && exact) {
            snprintf(t->reason, sizeof t->reason, "step %d: %s did not solve", k, plait_local_name(local));
            return false;
        }
        double slip[2] = {b[1] + r[1] / M, b[2] + r[2] / M};
        v[0] = c * slip[0] - s * slip[1] + plate[0], v[1] = s * slip[0] + c * slip[1] + plate[1];
        x[0] += dt * v[0], x[1] += dt * v[1];
        int phase = k - (PERIODS - 1) * steps + 1; // in the last period
        if (phase < 1)
            continue;
        d->lost -= slip[0] * r[1] + slip[1] * r[2];
        if (phase % (steps / PHASES) != 0)
            continue;
        int i = phase / (steps / PHASES) - 1;
        d->x[i] = x[0], d->y[i] = x[1];
        double distance = hypot(x[0] - orbit[i][0], x[1] - orbit[i][1]);
        d->largest = fmax(d->largest, distance);
        d->rms += distance * distance / PHASES;
    }
    d->rms = sqrt(d->rms);
    return true;
}

// The scheme is of first order: with half the step half the error. What is left when that part is taken out.
static double extrapolated(const driven *fine, const driven *coarse)
{
    double largest = 0;
    for (int i = 0; i < PHASES; i++)
        largest = fmax(largest,
                       hypot(2 * fine->x[i] - coarse->x[i] - orbit[i][0], 2 * fine->y[i] - coarse->y[i] - orbit[i][1]));
    return largest;
}

static void drive_exactly(plait_trial *t, plait_local local)
{
    enum { STEPS = 4096 };
    driven d, coarse;
    const char *name = plait_local_name(local);
    bool ok = drive(t, local, 0, MU, STEPS, &d) && drive(t, local, 0, MU, STEPS / 2, &coarse);
    plait_trial_row(t, STEPS, 0, ok ? d.rms : NAN, 1e-3, "distance from the orbit, rms, %s", name);
    plait_trial_row(t, STEPS, 0, ok ? extrapolated(&d, &coarse) : NAN, 1e-3,
                    "the same, largest, extrapolated to dt = 0, %s", name);
    plait_trial_row(t, STEPS, DISSIPATED, ok ? d.lost : NAN, 5e-3, "dissipated in a period, %s", name);
    if (ok && local == PLAIT_LOCAL_SECULAR)
        plait_trial_curve(t, "cone", false, PHASES, d.x, d.y);
}

// The pyramids have orbits of their own; how far they are off is known too.
static void drive_by_pyramid(plait_trial *t, double turn, double mu, double distance, const char *name)
{
    enum { STEPS = 16384 };
    driven d;
    drive(t, PLAIT_LOCAL_PYRAMID, turn, mu, STEPS, &d);
    plait_trial_row(t, STEPS, distance, d.largest, 0.01, "distance from the orbit, largest, %s", name);
    plait_trial_curve(t, name, false, PHASES, d.x, d.y);
}

void plait_case_driven(plait_trial *t)
{
    double x[PHASES], y[PHASES];
    t->subject = "one contact";
    for (int i = 0; i < PHASES; i++)
        x[i] = orbit[i][0], y[i] = orbit[i][1];
    plait_trial_curve(t, "dt -> 0", true, PHASES, x, y);
    for (int k = 0; (int)plait_exact_locals[k] >= 0 && !plait_trial_stopped(t); k++)
        drive_exactly(t, plait_exact_locals[k]);
    if (plait_trial_stopped(t))
        return;
    drive_by_pyramid(t, 0, MU, 0.2707899, "box pyramid");
    drive_by_pyramid(t, TURN / 8, MU / sqrt(2), 0.1549431, "inscribed pyramid");
}
