// der_relax.c: statics of a discrete elastic rod: the energy is minimised by Newton steps.
#include <math.h>
#include <string.h>

#include "body/der.h"

bool plait_der_relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report)
{
    plait_der *d = rod->impl;
    plait_der_load load = {.stretch = true};
    plait_newton_options newton = {.tolerance = options->tolerance, .max_iterations = options->max_iterations};
    if (!plait_der_minimise(rod, &load, newton, report))
        return false;
    report->stretch = plait_der_max_stretch(d, &d->now);
    plait_der_store(rod);
    plait_der_remember(d, INFINITY, d->now.hinge);
    memset(d->state.v, 0, (size_t)rod->dofs * sizeof *d->state.v);
    return true;
}
