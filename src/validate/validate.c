// validate.c: the table of cases, and what they share.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"
#include "math/vec3.h"
#include "validate/cases.h"

// Instead of abilities: no rods at all; discrete elastic rods and super-helices only; all rods, and once without.
enum { WITHOUT_RODS = 1 << 30, TWO_MODELS = 1 << 29, EVERYTHING = 1 << 28 };

// A case is a row here: its suite and name, its picture, what a model must be able to do, its function.
static const struct {
    plait_validation_info info;
    unsigned needs;
    void (*run)(plait_trial *t);
} cases[] = {
    {{"rods", "A1", "Cantilever under its own weight", "Gamma", "H/W", true, true}, 0, plait_case_cantilever},
    {{"rods", "A2", "Cantilever with an end load", "P L^2/EI", "tip / L", false, false}, 0, plait_case_end_load},
    {{"rods", "A3", "Euler buckling", "P/Pcr", "lateral tip / L", false, false}, 0, plait_case_euler},
    {{"rods", "A4", "Bend-twist: planar or not", "1/(kn Lgb)", "critical kn L", false, true},
     PLAIT_ROD_TWISTS,
     plait_case_bend_twist},
    {{"rods", "A5", "45-degree bend", "P", "tip position", false, false}, PLAIT_ROD_TWISTS, plait_case_bend_45},
    {{"rods", "A6", "Lateral buckling of a strip", "EI2/EI1", "critical load / sqrt(EI1 GJ)", true, false},
     PLAIT_ROD_TWISTS | PLAIT_ROD_ANISOTROPIC,
     plait_case_lateral},
    {{"rods", "A7", "Torsional buckling (Greenhill)", "T L^2/EI", "critical M L/EI", false, false},
     PLAIT_ROD_TWISTS | PLAIT_ROD_HELD_TIP,
     plait_case_greenhill},
    {{"rods", "A8", "Michell's ring", "N", "critical end rotation [rad]", true, false},
     PLAIT_ROD_TWISTS | PLAIT_ROD_HELD_TIP,
     plait_case_ring},
    {{"rods", "A9", "Localised helical buckling", "s/s*", "envelope f", false, false},
     PLAIT_ROD_TWISTS | PLAIT_ROD_HELD_TIP,
     plait_case_helical},
    {{"rods", "A10", "Free vibrations", "mode", "omega / exact - 1", false, false}, 0, plait_case_vibration},
    {{"rods", "conservation", "Momentum and energy of a free rod", "dt / T", "part of it lost", true, true},
     PLAIT_ROD_FREE_ROOT,
     plait_case_conservation},
    {{"rods", "order-n", "Convergence in the number of segments", "N", "error of H/W", true, true},
     0,
     plait_case_order_n},
    {{"rods", "order-dt", "Convergence in the time step", "dt [s]", "change of the tip / L", true, true},
     0,
     plait_case_order_dt},
    {{"adhesion", "D1", "Bond opened at a constant speed", "gap / g0", "traction / sqrt(W C)", false, false},
     WITHOUT_RODS,
     plait_case_opening},
    {{"adhesion", "D1-shear", "Bond sheared, and both", "slip / g0", "traction / sqrt(W C)", false, false},
     WITHOUT_RODS,
     plait_case_shear},
    {{"adhesion", "D2", "Cube under the ceiling: hangs, is released, creeps", "t [s]", "gap [m]", false, false},
     WITHOUT_RODS,
     plait_case_cube},
    {{"adhesion", "D4", "Energy of bonds, and stiff ones", "t [s]", "energy [J]", false, false},
     WITHOUT_RODS,
     plait_case_bond_energy},
    {{"adhesion", "D5", "Bonds in the plane: isotropy, incline", "angle", "slip [m]", false, false},
     WITHOUT_RODS,
     plait_case_bond_plane},
    {{"friction", "B1", "Bead on an incline", "mu", "acceleration [m/s^2]", false, false},
     WITHOUT_RODS,
     plait_case_incline},
    {{"friction", "B2", "Stopping distance", "dt [s]", "distance / exact - 1", true, true},
     WITHOUT_RODS,
     plait_case_stopping},
    {{"friction", "B3", "Isotropy of friction", "x [m]", "y [m]", false, false}, WITHOUT_RODS, plait_case_isotropy},
    {{"friction", "B4", "Launched across a slope", "across [m]", "downhill [m]", false, false},
     WITHOUT_RODS,
     plait_case_cross_slope},
    {{"friction", "B6", "Painleve's rod", "mu", "impulse / (m v)", false, false}, WITHOUT_RODS, plait_case_painleve},
    {{"friction", "B7", "Ball: slides, then rolls", "x [m]", "y [m]", false, false}, WITHOUT_RODS, plait_case_ball},
    {{"friction", "B8", "Rolling on an incline", "mu", "acceleration [m/s^2]", false, false},
     WITHOUT_RODS,
     plait_case_rolling},
    {{"friction", "B10", "Bead on a spring, driven by a turning plate", "x", "y", false, false},
     WITHOUT_RODS,
     plait_case_driven},
    {{"friction", "C1", "A rod is pressed on a plane until it slips", "eps", "T/N", false, false},
     0,
     plait_case_stick_slip},
    {{"friction", "C2", "Capstan", "B / (F0 rho^2)", "F1 / F0 that slides", false, false},
     PLAIT_ROD_STRETCHES,
     plait_case_capstan},
    {{"friction", "C3", "Rods roll and hold each other by their surfaces", "", "", false, false},
     PLAIT_ROD_TWISTS | PLAIT_ROD_FREE_ROOT,
     plait_case_couple},
    {{"friction", "E1", "Fibre on an oscillating ball", "y of the free end [mm]", "dy/dt [mm/s]", false, false},
     TWO_MODELS,
     plait_case_orbit},
    {{"steps", "F1", "A rigid body turns freely", "turns", "vertical part of its longest axis", false, false},
     WITHOUT_RODS,
     plait_case_free_body},
    {{"steps", "F2", "Drag, wind and gusts", "t [s]", "speed [m/s]", false, false}, 0, plait_case_air},
    {{"steps", "F3", "Velocity and spin at the start", "", "", false, false}, 0, plait_case_start},
    {{"steps", "F4", "Contacts under ends and floors that move", "", "", false, false}, 0, plait_case_belt},
    {{"steps", "F5", "What controls a step acts at its value", "", "", false, false}, 0, plait_case_control},
    {{"steps", "F6", "The energy ledger adds up", "", "", false, false}, EVERYTHING, plait_case_ledger},
    {{"steps", "F7", "Order of the steps", "dt [s]", "change of a place / length", true, true},
     EVERYTHING,
     plait_case_order},
    {{"still", "F8", "What rests stays where it is", "", "", false, false}, WITHOUT_RODS, plait_case_still},
    {{"soft", "G1", "Patch test of solids", "", "", false, false}, WITHOUT_RODS, plait_case_patch},
    {{"soft", "G2", "A bar: frequency, weight, torsion", "cubes across", "J / a^4", true, false},
     WITHOUT_RODS,
     plait_case_bar},
    {{"soft", "G3", "Cantilever of tetrahedra", "cubes across", "part of the deflection that is missing", true, true},
     WITHOUT_RODS,
     plait_case_cantilever_block},
    {{"soft", "G4", "Hanging cloth", "regular, flipped, crossed, irregular", "extension / exact", false, false},
     WITHOUT_RODS,
     plait_case_membrane},
    {{"soft", "G5", "Cloth bent by its weight (Peirce)", "Gamma", "H/W", true, true}, WITHOUT_RODS, plait_case_peirce},
    {{"soft", "G6", "Soft bodies in motion and at rest", "", "", false, false}, WITHOUT_RODS, plait_case_soft_motion},
    {{"soft", "G7", "Nothing passes through cloth", "", "", false, false}, WITHOUT_RODS, plait_case_soft_touch},
};
enum { CASES = (int)(sizeof cases / sizeof *cases) };

int plait_validation_count(void)
{
    return CASES;
}

plait_validation_info plait_validation_get(int index)
{
    return cases[index].info;
}

bool plait_validation_applies(int index, plait_rod_model model)
{
    unsigned can = plait_rod_model_abilities(model), needs = cases[index].needs;
    if (needs == EVERYTHING)
        return model == PLAIT_ROD_MODEL_COUNT || plait_rod_type_of(model);
    if (needs == WITHOUT_RODS || model == PLAIT_ROD_MODEL_COUNT)
        return needs == WITHOUT_RODS && model == PLAIT_ROD_MODEL_COUNT;
    if (needs == TWO_MODELS)
        return model == PLAIT_ROD_DER || model == PLAIT_ROD_SUPERHELIX;
    return plait_rod_type_of(model) && (can & needs) == needs;
}

plait_status plait_validation_run(int index, plait_rod_model model, const plait_validation_sink *sink,
                                  plait_error *error)
{
    if (index < 0 || index >= CASES || (!plait_rod_type_of(model) && model != PLAIT_ROD_MODEL_COUNT))
        return plait_error_set(error, PLAIT_BAD_INPUT, "there is no case %d or no model %d", index, (int)model);
    plait_trial t = {
        .name = cases[index].info.name, .sink = sink, .model = model, .can = plait_rod_model_abilities(model)};
    if (model != PLAIT_ROD_MODEL_COUNT)
        t.max_segments = plait_rod_type_of(model)->max_segments;
    cases[index].run(&t);
    return PLAIT_OK;
}

// ---- rows and curves ---------------------------------------------------------------------------------------------

static const char *subject_of(const plait_trial *t)
{
    return t->subject ? t->subject : plait_rod_model_name(t->model);
}

static void hand_out(plait_trial *t, plait_validation_row *row)
{
    row->name = t->name;
    row->model = t->model;
    row->subject = subject_of(t);
    row->error = row->reference == 0 ? row->measured : row->measured / row->reference - 1;
    row->pass = row->beyond ? fabs(row->error) > row->tolerance : fabs(row->error) <= row->tolerance;
    row->reason = isnan(row->measured) ? (t->reason[0] ? t->reason : "no result") : NULL;
    if (t->sink->row)
        t->sink->row(row, t->sink->data);
    t->reason[0] = 0;
}

void plait_trial_row(plait_trial *t, int resolution, double reference, double measured, double tolerance,
                     const char *format, ...)
{
    char quantity[128];
    va_list args;
    va_start(args, format);
    vsnprintf(quantity, sizeof quantity, format, args);
    va_end(args);
    plait_validation_row row = {.quantity = quantity,
                                .resolution = resolution,
                                .reference = reference,
                                .measured = measured,
                                .tolerance = tolerance};
    hand_out(t, &row);
}

void plait_trial_row_beyond(plait_trial *t, int resolution, double reference, double measured, double tolerance,
                            const char *format, ...)
{
    char quantity[128];
    va_list args;
    va_start(args, format);
    vsnprintf(quantity, sizeof quantity, format, args);
    va_end(args);
    plait_validation_row row = {.quantity = quantity,
                                .resolution = resolution,
                                .reference = reference,
                                .measured = measured,
                                .tolerance = tolerance,
                                .beyond = true};
    hand_out(t, &row);
}

void plait_trial_curve(const plait_trial *t, const char *series, bool reference, int count, const double *x,
                       const double *y)
{
    plait_validation_curve curve = {t->name, t->model, subject_of(t), series, reference, count, x, y};
    if (t->sink->curve)
        t->sink->curve(&curve, t->sink->data);
}

bool plait_trial_stopped(const plait_trial *t)
{
    return t->sink->stop && t->sink->stop(t->sink->data);
}

bool plait_trial_can_resolve(const plait_trial *t, int segments)
{
    return !t->max_segments || segments <= t->max_segments;
}

// ---- rods --------------------------------------------------------------------------------------------------------

plait_section plait_trial_section(double EI, double GJ, double mass, double length)
{
    double inertia = mass * length * length * 1e-8;
    return (plait_section){.radius = {1e-5 * length, 1e-5 * length},
                           .EA = 1e7 * EI / (length * length),
                           .EI = {EI, EI},
                           .GJ = GJ,
                           .mass = mass,
                           .inertia = {inertia, inertia}};
}

plait_rod_def plait_trial_straight(const plait_trial *t, const plait_section *section, double length, int segments,
                                   double points[6])
{
    plait_rod_def def = plait_default_rod_def();
    memset(points, 0, 6 * sizeof *points);
    points[3] = length;
    def.model = t->model;
    def.section = *section;
    def.point_count = 2;
    def.points = points;
    def.segments = segments;
    def.director[2] = 1;
    def.end[0].kind = PLAIT_END_CLAMPED;
    return def;
}

plait_rod *plait_trial_rod(plait_trial *t, const plait_rod_def *def)
{
    plait_error error = {0};
    plait_rod *rod = plait_rod_new(def, &error);
    if (!rod)
        snprintf(t->reason, sizeof t->reason, "%.200s", error.text);
    return rod;
}

static bool report(plait_trial *t, const char *what, plait_status status, const plait_step_report *r,
                   const plait_error *error)
{
    if (status == PLAIT_OK && r->converged)
        return true;
    snprintf(t->reason, sizeof t->reason, "%s: %.180s", what,
             status != PLAIT_OK ? error->text
             : r->reason        ? r->reason
                                : "not converged");
    return false;
}

bool plait_trial_relax(plait_trial *t, plait_rod *rod)
{
    plait_error error = {0};
    plait_step_report r;
    plait_status status = plait_rod_relax(rod, NULL, &r, &error);
    return report(t, "relax", status, &r, &error);
}

bool plait_trial_step(plait_trial *t, plait_rod *rod, double dt)
{
    plait_error error = {0};
    plait_step_report r;
    plait_step_options options = plait_default_step_options();
    options.tolerance = 1e-10;
    plait_status status = plait_rod_step(rod, dt, &options, &r, &error);
    return report(t, "step", status, &r, &error);
}

void plait_trial_tip(const plait_rod *rod, double tip[3])
{
    double x[3 * (CASE_MAX_SEGMENTS + 1)];
    plait_rod_positions(rod, x);
    plait_vec3_copy(x + 3 * plait_rod_segments(rod), tip);
}

double plait_trial_largest(const plait_rod *rod, int component)
{
    double x[3 * (CASE_MAX_SEGMENTS + 1)], worst = 0;
    plait_rod_positions(rod, x);
    for (int i = 0; i <= plait_rod_segments(rod); i++)
        worst = fmax(worst, fabs(x[3 * i + component] - x[component]));
    return worst;
}

void plait_trial_push(plait_rod *rod, int axis, double size)
{
    plait_rng rng = plait_rng_new(1, 2);
    for (int i = 0; i <= plait_rod_segments(rod); i++) {
        double force[3] = {rod->force[3 * i], rod->force[3 * i + 1], rod->force[3 * i + 2]};
        force[axis] = size * plait_rng_between(&rng, 0, 1);
        plait_rod_set_force(rod, i, force);
    }
}

// ---- searching ---------------------------------------------------------------------------------------------------

double plait_trial_bracket(plait_trial *t, double low, double high, double width, plait_trial_question above,
                           const void *data)
{
    int at_low = above(t, low, data), at_high = at_low < 0 ? -1 : above(t, high, data);
    if (at_low < 0 || at_high < 0)
        return NAN;
    if (at_low == at_high) {
        snprintf(t->reason, sizeof t->reason, "not between %g and %g: %s at both", low, high,
                 at_low ? "above" : "below");
        return NAN;
    }
    while (high - low > width * high) {
        double middle = (low + high) / 2;
        int answer = plait_trial_stopped(t) ? -1 : above(t, middle, data);
        if (answer < 0)
            return NAN;
        *(answer == at_low ? &low : &high) = middle;
    }
    return (low + high) / 2;
}
