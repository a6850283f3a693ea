// cell.c: the shape of a periodic cell as dofs. See cell.h.
#include "body/cell.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct cell {
    bool free[PLAIT_CELL_DOFS];
    double mass;
    double value[PLAIT_CELL_DOFS], viscosity[PLAIT_CELL_DOFS]; // as told
    double drag[PLAIT_CELL_DOFS], push[PLAIT_CELL_DOFS];       // [kg/s], [N] of the step
    double end[PLAIT_CELL_DOFS];
    double state[PLAIT_CELL_STATE]; // until it gets its place
} cell;

static const double SHRINKS = 0.5; // of a length: no step may leave less

plait_status plait_cell_build(const plait_cell_def *def, plait_body *body, plait_error *error)
{
    cell *p = calloc(1, sizeof *p);
    *body = (plait_body){.type = &plait_body_cell,
                         .id = body->id,
                         .dofs = PLAIT_CELL_DOFS,
                         .state_size = PLAIT_CELL_STATE,
                         .columns = PLAIT_CELL_DOFS,
                         .edge = INFINITY,
                         .fine = INFINITY,
                         .impl = p};
    if (!p)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a periodic cell");
    p->mass = def->mass;
    memcpy(p->free, def->free, sizeof p->free);
    for (int k = 0; k < 3; k++)
        p->state[k] = p->end[k] = def->size[k];
    body->state = p->state;
    return PLAIT_OK;
}

static void release(plait_body *b)
{
    free(b->impl);
}

static const char *check(const plait_body *b, const double *state, double time)
{
    (void)time;
    for (int k = 0; k < 3; k++)
        if ((b->state[k] > 0) != (state[k] > 0))
            return "a periodic cell has other axes";
    return NULL;
}

void plait_cell_tell(plait_body *body, const double value[PLAIT_CELL_DOFS], const double viscosity[PLAIT_CELL_DOFS])
{
    cell *p = body->impl;
    memcpy(p->value, value, sizeof p->value);
    memcpy(p->viscosity, viscosity, sizeof p->viscosity);
}

const double *plait_cell_told(const plait_body *body)
{
    return ((const cell *)body->impl)->value;
}

bool plait_cell_is_free(const plait_body *body, int dof)
{
    const cell *p = body->impl;
    bool any = false;
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        any |= p->free[d] && (dof < 0 || d == dof);
    return any;
}

const double *plait_cell_end(const plait_body *body)
{
    return ((const cell *)body->impl)->end;
}

// A stress does the work V S : dE, and the strain of a dof is its change over the period that it is across.
static bool linearise(plait_body *b, double dt, const double *v)
{
    cell *p = b->impl;
    double volume = plait_cell_volume(b->state);
    (void)v;
    for (int d = 0; d < PLAIT_CELL_DOFS; d++) {
        double across = b->state[plait_cell_period(d)];
        b->held[d] = !p->free[d];
        p->push[d] = p->free[d] ? p->value[d] * volume / across : 0;
        p->drag[d] = p->free[d] ? p->viscosity[d] * volume / (across * across) : 0;
        b->M[d] = p->free[d] ? p->mass + dt * p->drag[d] : 1;
        b->f[d] = p->free[d] ? p->mass * b->state[PLAIT_CELL_AT_RATE + d] + dt * p->push[d] : p->value[d];
    }
    return true;
}

static bool shrinks(const plait_body *b, const double *q)
{
    for (int k = 0; k < 3; k++)
        if (b->state[k] > 0 && !(q[k] > SHRINKS * b->state[k]))
            return true;
    return false;
}

static void move(plait_body *b, double dt, const double *v)
{
    cell *p = b->impl;
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        p->end[d] = b->state[d] + dt * v[d];
}

static const char *predict(plait_body *b, double dt, double *v)
{
    cell *p = b->impl;
    linearise(b, dt, v);
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        v[d] = b->f[d] / b->M[d];
    move(b, dt, v);
    return shrinks(b, p->end) ? "the periodic cell shrinks to less than half in a step" : NULL;
}

static const char *accept(plait_body *b, double dt, const double *v)
{
    cell *p = b->impl;
    move(b, dt, v);
    if (shrinks(b, p->end))
        return "the periodic cell shrinks to less than half in a step";
    memcpy(b->state, p->end, sizeof p->end);
    memcpy(b->state + PLAIT_CELL_AT_RATE, v, sizeof p->end);
    return NULL;
}

static bool shift(plait_body *b, double dt, const double *psi)
{
    for (int d = 0; d < PLAIT_CELL_DOFS; d++)
        b->state[d] += dt * psi[d];
    return true;
}

static void rebound(plait_body *b, const double *v)
{
    memcpy(b->state + PLAIT_CELL_AT_RATE, v, PLAIT_CELL_DOFS * sizeof *v);
}

// The mass is that of a piston: what is prescribed has no energy of its own.
static plait_body_energies energy(const plait_body *b)
{
    const cell *p = b->impl;
    double sum = 0;
    for (int d = 0; d < PLAIT_CELL_DOFS; d++) {
        double rate = b->state[PLAIT_CELL_AT_RATE + d];
        sum += p->free[d] ? 0.5 * p->mass * rate * rate : 0;
    }
    return (plait_body_energies){.kinetic = sum};
}

static bool account(plait_body *b, double dt, const double *v, double elastic, bool touched, plait_account *a)
{
    const cell *p = b->impl;
    (void)elastic;
    for (int d = 0; d < PLAIT_CELL_DOFS; d++) {
        double change = v[d] - b->state[PLAIT_CELL_AT_RATE + d];
        if (!p->free[d])
            continue;
        a->loads += dt * p->push[d] * v[d];
        a->damping += dt * p->drag[d] * v[d] * v[d];
        a->numerical += 0.5 * p->mass * change * change;
        a->contacts += touched ? v[d] * (b->M[d] * v[d] - b->f[d]) : 0;
    }
    return isfinite(a->numerical);
}

const plait_body_type plait_body_cell = {
    .name = "cell", .free = release, .check = check, .predict = predict, .linearise = linearise,
    .tangent = linearise, .rebound = rebound, .move = move, .accept = accept, .shift = shift, .energy = energy,
    .account = account,
};
