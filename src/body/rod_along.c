// rod_along.c: sections that differ along a rod.
#include <math.h>
#include <stdlib.h>

#include "body/material.h"
#include "body/rod_build.h"

static plait_station between(const plait_rod_def *def, double at)
{
    const plait_station *s = def->station;
    int last = def->stations - 1, k = 0;
    if (at <= s[0].at || at >= s[last].at)
        return at <= s[0].at ? s[0] : s[last];
    while (s[k + 1].at < at)
        k++;
    double a = (at - s[k].at) / (s[k + 1].at - s[k].at);
    return (plait_station){at, s[k].radius + a * (s[k + 1].radius - s[k].radius),
                           s[k].young + a * (s[k + 1].young - s[k].young),
                           s[k].density + a * (s[k + 1].density - s[k].density)};
}

static plait_status check(const plait_rod_def *def, const plait_rod_type *type, plait_error *error)
{
    const plait_section *s = &def->section;
    if ((s->yield > 0 || s->relaxing > 0) && !(type->abilities & PLAIT_ROD_REMEMBERS))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: model %s neither yields nor relaxes", def->id,
                               type->name);
    if (s->yield > 0 && s->EI[0] != s->EI[1])
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: only round sections yield: EI is %g and %g", def->id,
                               s->EI[0], s->EI[1]);
    if (def->stations > 0 && !(type->abilities & PLAIT_ROD_VARIES))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: the section of model %s is the same all along", def->id,
                               type->name);
    if (def->stations < 0 || def->stations > PLAIT_STATIONS || (def->stations > 0 && !def->station))
        return plait_error_set(error, PLAIT_BAD_INPUT, "rod %d: a section is given at most at %d places, found %d",
                               def->id, PLAIT_STATIONS, def->stations);
    for (int i = 0; i < def->stations; i++) {
        const plait_station *a = &def->station[i];
        bool right = a->at >= 0 && a->at <= 1 && (i == 0 || a->at > a[-1].at);
        if (!right || !(a->radius > 0 && a->young > 0 && a->density > 0) || !isfinite(a->radius) ||
            !isfinite(a->young) || !isfinite(a->density))
            return plait_error_set(error, PLAIT_BAD_INPUT,
                                   "rod %d: places along it ascend from 0 to 1 and factors are above 0, but place %d "
                                   "is %g with %g, %g, %g",
                                   def->id, i, a->at, a->radius, a->young, a->density);
    }
    return PLAIT_OK;
}

plait_status plait_rod_plan_pieces(const plait_rod_def *def, const plait_rod_type *type, const plait_rod_plan *plan,
                                   plait_section **piece, plait_error *error)
{
    plait_status status = check(def, type, error);
    *piece = NULL;
    if (status != PLAIT_OK || def->stations == 0)
        return status;
    int n = plan->shape.segments;
    double length = 0, at = 0;
    *piece = malloc((size_t)n * sizeof **piece);
    if (!*piece)
        return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory for %d segments", def->id, n);
    for (int j = 0; j < n; j++)
        length += plan->shape.rest[j];
    for (int j = 0; j < n; j++) {
        plait_station middle = between(def, (at + plan->shape.rest[j] / 2) / length);
        (*piece)[j] = def->section;
        plait_section_scale(&(*piece)[j], middle.radius, middle.young, middle.density);
        at += plan->shape.rest[j];
    }
    return PLAIT_OK;
}
