// statics.c: A1 cantilever under its own weight, A2 with an end load, A5 the 45-degree bend.
#include <math.h>
#include <stddef.h>

#include "validate/cases.h"

// ---- A1 ------------------------------------------------------------------------------------------------------------

// Tip drop over tip reach of the heavy elastica, EI theta'' = -rho g A (L - s) cos(theta), by shooting.
static const struct {
    double Gamma, ratio;
} heavy[] = {{0.1, 0.01249955366}, {1, 0.1245617664},  {3, 0.364620833},   {10, 1.06680232},    {30, 2.547213933},
             {100, 5.888104623},   {300, 11.18311622}, {1000, 21.3354405}, {3000, 37.71963646}, {10000, 69.70882958}};
enum { HEAVY = (int)(sizeof heavy / sizeof *heavy) };

static const struct {
    const char *name;
    plait_material material;
    double stiffer; // EA, so that stretching stays out of a comparison with an inextensible rod
} sets[] = {{"hair", {.radius = {5e-5}, .density = 1300, .young = 3e9, .poisson = 0.45}, 1},
            {"soft", {.radius = {1.5e-3}, .density = 1200, .young = 1.3e6, .poisson = 0.5}, 1e3}};

static double heavy_ratio(plait_trial *t, int set, double Gamma, int segments)
{
    plait_section section;
    plait_error error = {0};
    if (plait_material_section(&sets[set].material, &section, &error) != PLAIT_OK)
        return NAN;
    const double g = 9.81;
    double length = cbrt(Gamma * section.EI[0] / (section.mass * g)), points[6], tip[3];
    section.EA *= sets[set].stiffer;
    section.radius[0] = section.radius[1] = fmin(section.radius[0], 1e-3 * length);
    plait_rod_def def = plait_trial_straight(t, &section, length, segments, points);
    def.gravity[2] = -g;
    plait_rod *rod = plait_trial_rod(t, &def);
    double ratio = NAN;
    if (rod && plait_trial_relax(t, rod)) {
        plait_trial_tip(rod, tip);
        ratio = -tip[2] / tip[0];
    }
    plait_rod_free(rod);
    return ratio;
}

void plait_case_cantilever(plait_trial *t)
{
    bool helix = t->model == PLAIT_ROD_SUPERHELIX;
    const struct {
        double least, most; // Gamma
        int segments;
        double tolerance;
        bool helix_only, others_only;
    } bars[] = {
        {0, 100, 30, 0.01, false, false},      {0, 100, 50, 0.004, false, false},
        {0, 100, 200, 0.0005, false, true},    {1000, 1000, 30, 0.025, true, false},
        {1000, 1000, 50, 0.009, true, false},  {1000, 1000, 50, 0.013, false, true},
        {1000, 1000, 100, 0.007, false, true}, {10000, 10000, 100, 0.012, false, true},
    };
    for (int set = 0; set < 2; set++) {
        for (int b = 0; b < (int)(sizeof bars / sizeof *bars); b++) {
            if ((bars[b].helix_only && !helix) || (bars[b].others_only && helix) ||
                !plait_trial_can_resolve(t, bars[b].segments))
                continue;
            for (int i = 0; i < HEAVY && !plait_trial_stopped(t); i++)
                if (heavy[i].Gamma >= bars[b].least && heavy[i].Gamma <= bars[b].most)
                    plait_trial_row(t, bars[b].segments, heavy[i].ratio,
                                    heavy_ratio(t, set, heavy[i].Gamma, bars[b].segments), bars[b].tolerance,
                                    "H/W, Gamma = %g, %s", heavy[i].Gamma, sets[set].name);
        }
    }
    double x[HEAVY], reference[HEAVY], measured[HEAVY];
    for (int i = 0; i < HEAVY && !plait_trial_stopped(t); i++) {
        x[i] = heavy[i].Gamma;
        reference[i] = heavy[i].ratio;
        measured[i] = heavy_ratio(t, 0, x[i], 50);
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "heavy elastica", true, HEAVY, x, reference);
    plait_trial_curve(t, "N = 50", false, HEAVY, x, measured);
}

// ---- A2 ------------------------------------------------------------------------------------------------------------

// Bisshopp and Drucker's elastica with a dead load across the undeformed rod (elliptic integrals).
static const struct {
    double alpha, drop, shortening;
} end_load[] = {{0.5, 0.1621435757, 0.01591896247},
                {1, 0.3017207738, 0.05643323628},
                {2, 0.4934574804, 0.1606417208},
                {5, 0.7137915236, 0.3876283607},
                {10, 0.8106090249, 0.5549955978}};
enum { END_LOAD = (int)(sizeof end_load / sizeof *end_load) };

static void measure_end_load(plait_trial *t, double alpha, int segments, double *drop, double *shortening)
{
    const double length = 0.2, EI = 1e-4;
    plait_section section = plait_trial_section(EI, EI / 1.5, 0.01, length);
    double points[6], tip[3], force[3] = {0, 0, -alpha * EI / (length * length)};
    plait_rod_def def = plait_trial_straight(t, &section, length, segments, points);
    plait_rod *rod = plait_trial_rod(t, &def);
    *drop = *shortening = NAN;
    if (rod) {
        plait_rod_set_force(rod, segments, force);
        if (plait_trial_relax(t, rod)) {
            plait_trial_tip(rod, tip);
            *drop = -tip[2] / length;
            *shortening = 1 - tip[0] / length;
        }
    }
    plait_rod_free(rod);
}

void plait_case_end_load(plait_trial *t)
{
    const struct {
        int segments;
        double tolerance;
    } bars[] = {{30, 0.005}, {100, 0.0005}};
    double x[END_LOAD], y[4][END_LOAD];
    for (int b = 0; b < 2; b++) {
        if (!plait_trial_can_resolve(t, bars[b].segments))
            continue;
        for (int i = 0; i < END_LOAD && !plait_trial_stopped(t); i++) {
            x[i] = end_load[i].alpha;
            y[0][i] = end_load[i].drop, y[1][i] = end_load[i].shortening;
            measure_end_load(t, x[i], bars[b].segments, &y[2][i], &y[3][i]);
            plait_trial_row(t, bars[b].segments, y[0][i], y[2][i], bars[b].tolerance, "tip drop / L, P L^2/EI = %g",
                            x[i]);
            plait_trial_row(t, bars[b].segments, y[1][i], y[3][i], bars[b].tolerance,
                            "tip shortening / L, P L^2/EI = %g", x[i]);
        }
    }
    if (plait_trial_stopped(t))
        return;
    plait_trial_curve(t, "drop, elastica", true, END_LOAD, x, y[0]);
    plait_trial_curve(t, "drop", false, END_LOAD, x, y[2]);
    plait_trial_curve(t, "shortening, elastica", true, END_LOAD, x, y[1]);
    plait_trial_curve(t, "shortening", false, END_LOAD, x, y[3]);
}

// ---- A5 ------------------------------------------------------------------------------------------------------------

// Circular arc of 45 degrees and radius 100 in the xy plane, clamped; a tip force along z (boundary-value problem).
static const struct {
    double P, tip[3];
} bend_45[] = {{300, {58.77968539, 22.24503474, 40.18828384}},
               {450, {52.23929842, 18.50846405, 48.49798262}},
               {600, {47.1512944, 15.68507816, 53.46859844}}};

void plait_case_bend_45(plait_trial *t)
{
    enum { N = 50, LOADS = 3 };
    const double radius = 100, angle = 0.78539816339744831, length = radius * angle, EI = 1e7 / 12;
    double points[3 * (N + 1)] = {0}, x[LOADS], reference[3][LOADS], measured[3][LOADS];
    for (int i = 0; i < N; i++) {
        double a = angle * (i + 0.5) / N;
        points[3 * i + 3] = points[3 * i] + length / N * cos(a);
        points[3 * i + 4] = points[3 * i + 1] + length / N * sin(a);
    }
    plait_rod_def def = plait_default_rod_def();
    def.model = t->model;
    def.section = plait_trial_section(EI, (1e7 / 2) / 6, 1, length);
    def.point_count = N + 1;
    def.points = points;
    def.director[1] = 1;
    def.natural = PLAIT_NATURAL_CONSTANT;
    def.curvature[0] = 1 / radius;
    def.end[0] = (plait_end){.kind = PLAIT_END_CLAMPED, .tangent = {1, 0, 0}, .director = {0, 1, 0}};
    plait_rod *rod = plait_trial_rod(t, &def);
    for (int i = 0; i < LOADS && !plait_trial_stopped(t); i++) {
        double force[3] = {0, 0, bend_45[i].P}, tip[3] = {NAN, NAN, NAN};
        if (rod) {
            plait_rod_set_force(rod, N, force);
            if (plait_trial_relax(t, rod))
                plait_trial_tip(rod, tip);
        }
        x[i] = bend_45[i].P;
        for (int k = 0; k < 3; k++) {
            reference[k][i] = bend_45[i].tip[k];
            measured[k][i] = tip[k];
            plait_trial_row(t, N, bend_45[i].tip[k], tip[k], 0.01, "tip %c, P = %g", "xyz"[k], bend_45[i].P);
        }
    }
    plait_rod_free(rod);
    for (int k = 0; k < 3 && !plait_trial_stopped(t); k++) {
        char name[8] = {"xyz"[k]}, exact[32] = {"xyz"[k], ',', ' ', 'b', 'v', 'p', 0};
        plait_trial_curve(t, exact, true, LOADS, x, reference[k]);
        plait_trial_curve(t, name, false, LOADS, x, measured[k]);
    }
}
