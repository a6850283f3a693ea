// rod_hold.c: a rod that stays where it is drawn: natural shape, stiffness where the shape would topple.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/rod.h"
#include "math/vec3.h"

// The slowest motion about the shape is to be at least half as fast as a pendulum of that length, squared: an
// equilibrium that is only just stable goes far at the slightest touch.
static const double FIRM = 0.5;
static const double LEAST = 1.25; // factor by which stiffness is raised at least
enum { MOST_ROUNDS = 64 };

plait_hold_options plait_default_hold_options(void)
{
    return (plait_hold_options){.curl = 50, .stiffness = 1000};
}

static plait_status check(const plait_rod *rod, const plait_hold_options *o, plait_error *error)
{
    if (!(o->curl > 0))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: a positive curvature is expected to hold it, found %g",
                               rod->id, o->curl);
    if (!(o->stiffness >= 1 && isfinite(o->stiffness)))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "rod %d: it can be made stiffer by a factor of 1 or more, found %g", rod->id,
                               o->stiffness);
    if (rod->owned)
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: it belongs to a simulation", rod->id);
    return PLAIT_OK;
}

// Stiffness is raised until the shape is stable with little natural curvature. The state is not touched.
static void hold(plait_rod *rod, const plait_hold_options *o, plait_hold_report *report)
{
    double rate = sqrt(FIRM * plait_vec3_norm(rod->gravity) / rod->length);
    for (int round = 0; round < MOST_ROUNDS; round++) {
        report->reason = rod->type->hold(rod, &report->curl);
        if (report->reason)
            return;
        bool stable = rod->type->stable(rod, rate), last = report->stiffness >= o->stiffness;
        report->held = stable && (report->curl <= o->curl || last);
        if (report->held)
            return;
        if (last)
            break;
        double factor = fmax(LEAST, report->curl / o->curl); // curvature falls as stiffness grows
        factor = fmin(factor, o->stiffness / report->stiffness);
        rod->type->stiffen(rod, factor);
        report->stiffness *= factor;
        for (int k = 0; k < 2; k++)
            rod->section.EI[k] *= factor, rod->section.viscous_EI[k] *= factor;
        rod->section.GJ *= factor, rod->section.viscous_GJ *= factor;
    }
    report->reason = "it would topple";
}

static double distance(const double a[3], const double b[3])
{
    double d[3];
    plait_vec3_sub(a, b, d);
    return plait_vec3_norm(d);
}

plait_status plait_rod_hold(plait_rod *rod, const plait_hold_options *options, plait_hold_report *report,
                            plait_error *error)
{
    plait_hold_options defaults = plait_default_hold_options();
    plait_hold_report ignored;
    report = report ? report : &ignored;
    *report = (plait_hold_report){.stiffness = 1};
    plait_status status = check(rod, options ? options : &defaults, error);
    if (status != PLAIT_OK)
        return status;
    size_t nodes = (size_t)rod->segments + 1, dofs = (size_t)rod->dofs;
    double *drawn = calloc(6 * nodes + dofs, sizeof *drawn), *now = drawn + 3 * nodes;
    if (!drawn)
        return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory", rod->id);
    rod->type->positions(rod, drawn);
    rod->type->set_v(rod, now + 3 * nodes);
    if (rod->end[0].kind != PLAIT_END_CLAMPED)
        report->reason = "its first end is not clamped";
    else if (!rod->type->hold)
        report->reason = "its model has no inverse statics";
    else
        hold(rod, options ? options : &defaults, report);
    plait_step_report relaxed;
    if (!report->held)
        status = plait_rod_relax(rod, NULL, &relaxed, error); // where it does not settle it stays as it was drawn
    rod->type->positions(rod, now);
    for (size_t i = 0; i < nodes && !report->held; i++)
        report->moved = fmax(report->moved, distance(drawn + 3 * i, now + 3 * i));
    free(drawn);
    return status;
}
