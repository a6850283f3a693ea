// fibre_bdf2.c: the second-order step (bdf2.h) of a fibre.
//
// For a step of BDF2 the rod is kappa times as heavy, and starts with vhat. Models whose points do not move straight
// with v are told of the step (rod->second) and take their points' own history: CoRdE for its directors, super-helices
// for all points, from older configurations that they keep behind the state (rod->past).
#include <string.h>

#include "body/fibre.h"
#include "math/vec3.h"

static const double HEIGHT = 0.1; // of its length: the weight of it times this is energy that a swing has

static double *history(const plait_body *b)
{
    return b->state + plait_fibre_of(b)->rod->state_size + 1;
}

static int past_of(const plait_rod *rod)
{
    return rod->type->past_size ? rod->type->past_size(rod) : 0;
}

int plait_fibre_history_size(const plait_rod *rod)
{
    return plait_bdf2_size(rod->dofs) + past_of(rod);
}

void plait_fibre_bdf2_bind(plait_body *b)
{
    plait_rod *rod = plait_fibre_of(b)->rod;
    rod->past = past_of(rod) > 0 ? history(b) + plait_bdf2_size(rod->dofs) : NULL;
}

static void weigh(const plait_body *b, double factor, double drag)
{
    const plait_fibre_impl *p = b->impl;
    plait_section *section = &p->rod->section;
    int count = 0;
    double *mass = p->rod->type->masses ? p->rod->type->masses(p->rod, &count) : NULL;
    for (int i = 0; i < count; i++)
        mass[i] = factor * p->mass[i];
    section->mass = factor * p->line[0];
    section->inertia[0] = factor * p->line[1], section->inertia[1] = factor * p->line[2];
    section->drag = drag;
    for (int k = 0; k < 3 && factor != 1; k++)
        p->rod->gravity[k] /= factor;
}

// The masses are their own again.
static void lighten(plait_body *b)
{
    plait_fibre_impl *p = b->impl;
    for (int k = 0; k < 3 && p->second.kappa > 1; k++)
        p->rod->gravity[k] *= p->second.kappa;
    weigh(b, 1, p->drag);
    p->second.kappa = 1, p->rod->second = NULL;
}

void plait_fibre_bdf2_rewind(plait_body *b)
{
    if (!plait_fibre_of(b)->whole)
        return;
    lighten(b);
    memcpy(b->state, b->before, (size_t)b->state_size * sizeof *b->state);
}

void plait_fibre_bdf2_begin(plait_body *b, double dt)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    p->second.kappa = 1; // gravity is fresh
    plait_fibre_bdf2_rewind(b);
    rod->type->get_v(rod, p->v0);
    p->second = plait_bdf2_begin(history(b), rod->dofs, p->v0, b->restart, dt);
    if (p->second.kappa == 1)
        return;
    plait_rod_energies e = rod->type->energy(rod);
    p->kinetic = e.kinetic;
    p->energy = e.kinetic + e.stretch + e.bend + e.twist +
                HEIGHT * rod->length * rod->section.mass * rod->length * plait_vec3_norm(rod->told_gravity);
    plait_bdf2_drag(&p->second, p->drag, dt);
    for (int i = 0; i < rod->dofs && !rod->past; i++)
        rod->v[i] = plait_bdf2_start(&p->second, i);
    if (!rod->past)
        rod->type->set_v(rod, rod->v);
    rod->second = &p->second;
    weigh(b, p->second.kappa, p->drag * p->second.beta);
}

// Velocities at the end: v1. v: the unknown of the step.
static void finish(plait_body *b, double dt, const double *v)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    if (!rod->past) {
        for (int i = 0; i < rod->dofs; i++)
            rod->v[i] = plait_bdf2_after(&p->second, i, v[i]);
        rod->type->set_v(rod, rod->v);
    } else {
        rod->type->get_v(rod, rod->v);
    }
    plait_bdf2_end(history(b), rod->dofs, &p->second, v, rod->v, b->restart, dt);
}

double plait_fibre_bdf2_gain(plait_body *b, double dt, const double *v)
{
    plait_fibre_impl *p = b->impl;
    plait_rod *rod = p->rod;
    memcpy(p->whole, b->state, (size_t)b->state_size * sizeof *b->state);
    rod->type->accept(rod, dt, v);
    finish(b, dt, v);
    double kinetic = rod->type->energy(rod).kinetic / p->second.kappa;
    memcpy(b->state, p->whole, (size_t)b->state_size * sizeof *b->state);
    return kinetic - p->kinetic;
}

bool plait_fibre_bdf2_gains(plait_body *b, double dt, const double *v)
{
    const plait_fibre_impl *p = b->impl;
    plait_account account = {0};
    bool told = plait_fibre_account(b, dt, v, 0, false, &account);
    return told && -account.numerical > plait_bdf2_most * p->energy;
}

void plait_fibre_bdf2_end(plait_body *b, double dt, const double *v)
{
    finish(b, dt, v);
    lighten(b);
}
