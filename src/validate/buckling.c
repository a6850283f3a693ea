// buckling.c: A3 columns and A6 strips. A load is above critical if a rod that was pushed aside does not come back.
#include <math.h>
#include <stddef.h>

#include "validate/cases.h"

// Sideways displacement, in lengths, beyond which a rod counts as buckled.
static const double BUCKLED = 1e-3, LENGTH = 1, STIFFNESS = 1;

// Relaxes with small sideways forces and then without. False: it fails.
static bool push_aside(plait_trial *t, plait_rod *rod, int axis, double push)
{
    plait_trial_push(rod, axis, push);
    if (!plait_trial_relax(t, rod))
        return false;
    plait_trial_push(rod, axis, 0);
    return plait_trial_relax(t, rod);
}

// ---- A3 ------------------------------------------------------------------------------------------------------------

typedef struct column {
    const char *name;
    plait_end_kind first, last;
    double critical; // P L^2/EI, or Gamma for the upright column
    bool upright;
    int segments;
} column;

// With segments of length l and a buckling mode of wavelength w a polyline's critical load is too small by
// (2 pi l / w)^2 / 12: at N = 30 by 0.023 % for the quarter wave of the clamped-free column, but by 0.37 % for the
// whole wave of the clamped-clamped one, which therefore has more segments. That of piecewise constant curvature is too
// large by as much.
static const column columns[] = {
    {"clamped-free", PLAIT_END_CLAMPED, PLAIT_END_FREE, 2.4674011002723395, false, 30},
    {"pinned-pinned", PLAIT_END_PINNED, PLAIT_END_PINNED, 9.869604401089358, false, 30},
    {"clamped-pinned", PLAIT_END_CLAMPED, PLAIT_END_PINNED, 20.190728556426629, false, 60},
    {"clamped-clamped", PLAIT_END_CLAMPED, PLAIT_END_CLAMPED, 39.478417604357432, false, 60},
    {"own weight", PLAIT_END_CLAMPED, PLAIT_END_FREE, 7.837347439, true, 30},
    {"post-buckling", PLAIT_END_CLAMPED, PLAIT_END_FREE, 2.4674011002723395, false, 60},
};
enum { POST_BUCKLING = (int)(sizeof columns / sizeof *columns) - 1 };

static plait_rod *make_column(plait_trial *t, const column *c, double load)
{
    plait_section section = plait_trial_section(STIFFNESS, STIFFNESS / 1.5, 1, LENGTH);
    double points[6], force[3] = {0};
    plait_rod_def def = plait_trial_straight(t, &section, LENGTH, c->segments, points);
    def.end[0].kind = c->first;
    def.end[1].kind = c->last;
    def.end[1].slide = PLAIT_SLIDE_X;
    // The end that slides must not be pulled to the origin by "zero means where the polyline is".
    def.end[1].position[0] = LENGTH;
    double P = load * STIFFNESS / (LENGTH * LENGTH);
    if (c->upright)
        def.gravity[0] = -P;
    plait_rod *rod = plait_trial_rod(t, &def);
    if (rod && !c->upright) {
        force[0] = -P;
        plait_rod_set_force(rod, c->segments, force);
    }
    return rod;
}

// A column of a round section may buckle in any plane, whichever way it was pushed: Newton's method may lead back to
// the straight rod, which it leaves again along any of its soft directions.
static double away_from_axis(const plait_rod *rod)
{
    return hypot(plait_trial_largest(rod, 1), plait_trial_largest(rod, 2));
}

static int column_buckles(plait_trial *t, double load, const void *data)
{
    plait_rod *rod = make_column(t, data, load);
    bool ok = rod && push_aside(t, rod, 2, 1e-3 * STIFFNESS / (LENGTH * LENGTH));
    int answer = ok ? away_from_axis(rod) > BUCKLED * LENGTH : -1;
    plait_rod_free(rod);
    return answer;
}

// Elastica beyond Euler's load, clamped-free: load for a tip angle, lateral tip.
static const struct {
    double angle, ratio, lateral;
} post[] = {{5, 1.000952572, 0.05551149586}, {10, 1.003818014, 0.1107589002}, {20, 1.015396866, 0.2194130424},
            {40, 1.063663266, 0.4222403401}, {60, 1.15171962, 0.5932076462},  {80, 1.293889324, 0.7194971047},
            {90, 1.39320393, 0.7627597635}};
enum { POST = (int)(sizeof post / sizeof *post) };

// Lateral tip displacement at a load; NaN if it fails.
static double lateral_tip(plait_trial *t, double ratio)
{
    double tip[3] = {0}, result = NAN;
    plait_rod *rod = make_column(t, &columns[POST_BUCKLING], ratio * columns[POST_BUCKLING].critical);
    if (rod && push_aside(t, rod, 2, 1e-3 * STIFFNESS / (LENGTH * LENGTH))) {
        plait_trial_tip(rod, tip);
        result = hypot(tip[1], tip[2]) / LENGTH;
    }
    plait_rod_free(rod);
    return result;
}

static int tip_is_beyond(plait_trial *t, double ratio, const void *lateral)
{
    double tip = lateral_tip(t, ratio);
    return isnan(tip) ? -1 : tip > *(const double *)lateral;
}

void plait_case_euler(plait_trial *t)
{
    for (int i = 0; i < POST_BUCKLING && !plait_trial_stopped(t); i++) {
        const column *c = &columns[i];
        if ((c->first != PLAIT_END_CLAMPED && !(t->can & PLAIT_ROD_FREE_ROOT)) ||
            (c->last != PLAIT_END_FREE && !(t->can & PLAIT_ROD_HELD_TIP)))
            continue;
        double found = plait_trial_bracket(t, 0.95 * c->critical, 1.05 * c->critical, 2e-5, column_buckles, c);
        plait_trial_row(t, c->segments, c->critical, found, 0.001, "critical %s, %s", c->upright ? "Gamma" : "P L^2/EI",
                        c->name);
    }
    double load[POST], lateral[POST], measured[POST];
    for (int i = 0; i < POST && !plait_trial_stopped(t); i++) {
        load[i] = post[i].ratio;
        lateral[i] = post[i].lateral;
        measured[i] = lateral_tip(t, load[i]);
        if (post[i].angle == 20 || post[i].angle == 60 || post[i].angle == 90) {
            double found = plait_trial_bracket(t, 0.98 * load[i], 1.02 * load[i], 1e-4, tip_is_beyond, &lateral[i]);
            plait_trial_row(t, columns[POST_BUCKLING].segments, load[i], found, 0.001,
                            "P/Pcr for a lateral tip of %.6f L", lateral[i]);
        }
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "elastica", true, POST, load, lateral);
    plait_trial_curve(t, "N = 60", false, POST, load, measured);
}

// ---- A6 ------------------------------------------------------------------------------------------------------------

// Horizontal strip, weak sideways (EI1), strong up and down (EI2), GJ = EI1: critical load over sqrt(EI1 GJ) / L^2 at
// the tip, or / L^3 of its own weight (second variation; 4.0126 and 12.854 for EI2 = infinity).
static const struct {
    double ratio, tip, weight;
} strips[] = {{400, 4.024131953, 12.89202645},
              {100, 4.059627406, 13.00988828},
              {25, 4.216533806, 13.53261937},
              {9, 4.718705574, 15.22535833}};
enum { STRIPS = (int)(sizeof strips / sizeof *strips), STRIP_SEGMENTS = 50 };

typedef struct strip {
    double ratio;
    bool tip;
} strip;

static int strip_buckles(plait_trial *t, double load, const void *data)
{
    const strip *s = data;
    plait_section section = plait_trial_section(STIFFNESS, STIFFNESS, 1, LENGTH);
    section.EI[1] = s->ratio * STIFFNESS;
    section.EA *= s->ratio;
    double points[6], force[3] = {0, 0, -load};
    plait_rod_def def = plait_trial_straight(t, &section, LENGTH, STRIP_SEGMENTS, points);
    def.director[1] = 1, def.director[2] = 0; // m1 sideways: EI[0] is the weak one
    def.gravity[2] = s->tip ? 0 : -load;
    plait_rod *rod = plait_trial_rod(t, &def);
    int answer = -1;
    if (rod) {
        if (s->tip)
            plait_rod_set_force(rod, STRIP_SEGMENTS, force);
        if (push_aside(t, rod, 1, 1e-3 * STIFFNESS / (LENGTH * LENGTH)))
            answer = plait_trial_largest(rod, 1) > BUCKLED * LENGTH;
    }
    plait_rod_free(rod);
    return answer;
}

void plait_case_lateral(plait_trial *t)
{
    double x[STRIPS], y[4][STRIPS];
    for (int i = 0; i < STRIPS && !plait_trial_stopped(t); i++) {
        x[i] = strips[i].ratio;
        y[0][i] = strips[i].tip, y[1][i] = strips[i].weight;
        for (int k = 0; k < 2; k++) {
            strip s = {x[i], k == 0};
            y[2 + k][i] = plait_trial_bracket(t, 0.9 * y[k][i], 1.1 * y[k][i], 5e-4, strip_buckles, &s);
            plait_trial_row(t, STRIP_SEGMENTS, y[k][i], y[2 + k][i], 0.02, "critical %s / sqrt(EI1 GJ), EI2/EI1 = %g",
                            k ? "q L^3" : "P L^2", x[i]);
        }
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "tip load, theory", true, STRIPS, x, y[0]);
    plait_trial_curve(t, "tip load", false, STRIPS, x, y[2]);
    plait_trial_curve(t, "own weight, theory", true, STRIPS, x, y[1]);
    plait_trial_curve(t, "own weight", false, STRIPS, x, y[3]);
}
