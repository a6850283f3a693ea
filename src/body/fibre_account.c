// fibre_account.c: where the energy of a fibre goes in a step.
//
// The equations of a step, times v, and summed over all dofs, are a sum of works. With D = dt v, E the elastic energy
// and loads, G its gradient at the end of the step (theta < 1: the mean with that at its start), and G* the gradient
// with inertia, drag and viscosity,
//
//     D . G*  =  inertial + damping + drag + D . G + turned,       inertial = change of kinetic energy + shed
//     D . G   =  change of E + flat                                loads and ends: what E changes by but for x
//     D . G*  =  (held dofs) ends + (others) contacts + missing
//
// shed, flat (E is not straight along the step), turned (neither are strains, nor the ways of curved segments) and
// - missing (the momentum that is out of balance) are what the step itself loses: the numerical loss. Each is
// evaluated as it stands here, none as the difference of all others.
#include <math.h>
#include <string.h>

#include "body/fibre.h"

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

// v . c, c = M v - f on the dofs that are not held.
static double contact_work(const plait_body *b, const double *v, double *c)
{
    plait_fibre_contacts(b, v, c);
    return dot(v, c, b->dofs);
}

// v . g over the dofs that are not held, g what the rod's own equations lack at v.
static double lacking(plait_body *b, double dt, const double *v, const double *all, double *g)
{
    const plait_fibre_impl *p = b->impl;
    for (int i = 0; i < b->dofs; i++)
        g[i] = b->held[i] ? 0 : dt * all[i];
    if (p->start)
        plait_fibre_theta_residual(b, v, g);
    return dot(v, g, b->dofs);
}

bool plait_fibre_account(plait_body *b, double dt, const double *v, double elastic, bool touched, plait_account *a)
{
    const plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    int n = b->dofs;
    double *rest = p->room, *there = rest + n, *all = there + n, theta = b->response->theta;
    plait_rod_slopes slopes = {rest, there, all, 0, 0};
    plait_rod_spent spent = {0};
    if (!rod->type->slopes || !rod->type->slopes(rod, dt, v, &slopes))
        return false;
    double E0 = slopes.start_value, E1 = slopes.end_value;
    rod->type->spend(rod, dt, v, &spent);
    spent.damping *= theta;
    double heavier = p->whole ? p->second.kappa : 1; // masses of this step
    double drag = dt * rod->section.drag * theta * spent.square;
    double along = dt * (theta * dot(there, v, n) + (1 - theta) * dot(rest, v, n)), flat = along - (E1 - E0);
    double whole = theta < 1 ? spent.inertial + spent.damping + drag + along : dt * dot(all, v, n);
    double undone = spent.tip + (theta < 1 ? 0 : spent.clamps); // by what is no dof
    double turned = whole - spent.inertial - spent.damping - drag - along + undone;
    double own = lacking(b, dt, v, all, rest);
    a->contacts = touched ? contact_work(b, v, there) : 0;
    a->balance = touched ? plait_fibre_balance_of(b, dt, rest, there, all) : -1;
    a->ends = whole - own + undone + (b->curved ? 0 : E0 - elastic); // curved segments: clamps are dofs
    a->loads = spent.loads, a->damping = spent.damping + spent.plastic;
    for (int k = 0; k < 3; k++) // what a simulation added to gravity is the wind's; BDF2: the rod is heavier
        a->air += dt * (heavier * rod->gravity[k] - rod->told_gravity[k]) * spent.momentum[k] / heavier;
    a->air -= drag;
    if (heavier > 1) { // what of the inertia's work does not become kinetic energy; drag is on the velocity at the end
        double late = p->second.late * spent.past;
        spent.shed = spent.inertial + late - plait_fibre_bdf2_gain(b, dt, v);
        a->air += late;
    }
    a->numerical = spent.shed + flat + turned - (own - a->contacts);
    return isfinite(a->numerical);
}
