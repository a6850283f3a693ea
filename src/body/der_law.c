// der_law.c: stresses of a hinge: elastic, viscous, plastic, of a Maxwell branch.
//
// Of the strain s of a hinge, with the natural strain n:
//
//     stress   w = k (s - n - p) + c/dt (s - old) + k' (s - n - e),   k' = share k / (1 + dt/tau)
//
// p, plastic (bending, the two components of a frame together): |k (s - n - p) - H p| <= limit, H = hardening k, and p
// grows along what is beyond, by beyond / (k + H): the return mapping of kinematic hardening, implicit. It is the
// minimum over p of k (s - n - p)^2/2 + H p^2/2 + limit |p - p_start|, so that a step still minimises something.
// e, creep of the branch: e' = (s - n - e)/tau, implicit too. Both are state, and change once per accepted step.
#include <math.h>

#include "body/der.h"

// Of the pair of curvatures in the frame `side`: how much p grows, and the direction of that.
typedef struct flow {
    double amount, direction[2], size; // size: of what is compared with the limit
} flow;

static flow find_flow(const plait_der *d, int i, int side, const double *strain)
{
    const plait_der_spring *spring = &d->spring[i];
    const double *p = d->state.plastic + 4 * i + 2 * side;
    double k = spring->stiffness[2 * side], H = d->hardening * k, limit = k * d->yield * d->span[i];
    flow f = {0};
    for (int c = 0; c < 2; c++) {
        int at = 2 * side + c;
        f.direction[c] = k * (strain[at] - spring->natural[at] - p[c]) - H * p[c];
    }
    f.size = hypot(f.direction[0], f.direction[1]);
    f.amount = f.size > limit ? (f.size - limit) / (k + H) : 0;
    for (int c = 0; c < 2 && f.size > 0; c++)
        f.direction[c] /= f.size;
    return f;
}

static void add_flow(const plait_der *d, int i, int side, const double *strain, plait_der_stress *s)
{
    flow f = find_flow(d, i, side, strain);
    double k = d->spring[i].stiffness[2 * side], H = d->hardening * k, limit = k * d->yield * d->span[i];
    const double *p = d->state.plastic + 4 * i + 2 * side;
    s->value += H * (p[0] * p[0] + p[1] * p[1]) / 2;
    if (f.amount == 0)
        return;
    s->value -= (k + H) * f.amount * f.amount / 2; // (size - limit)^2 / 2 (k + H) less than without flow
    s->lost += limit * f.amount;
    double turn = f.amount / f.size; // the direction turns with the strain
    for (int c = 0; c < 2; c++) {
        double along = f.direction[c] * f.direction[c];
        s->w[2 * side + c] -= k * f.amount * f.direction[c];
        s->k[2 * side + c] -= k * k * (along / (k + H) + (1 - along) * turn);
    }
}

static double branch(const plait_der *d, double dt)
{
    return d->state.creep && dt > 0 ? d->share / (1 + dt / d->tau) : 0;
}

void plait_der_law(const plait_der *d, double dt, int i, const double *strain, plait_der_stress *s)
{
    const plait_der_spring *spring = &d->spring[i];
    double rate = dt > 0 ? 1 / dt : 0, share = branch(d, dt);
    *s = (plait_der_stress){0};
    for (int k = 0; k < PLAIT_DER_STRAINS; k++) {
        bool bends = d->state.plastic && k < PLAIT_DER_TWIST;
        double off = strain[k] - spring->natural[k] - (bends ? d->state.plastic[4 * i + k] : 0);
        double change = strain[k] - d->old_strain[PLAIT_DER_STRAINS * i + k], viscous = rate * spring->viscous[k];
        s->w[k] = spring->stiffness[k] * off + viscous * change;
        s->k[k] = spring->stiffness[k] + viscous;
        s->value += (spring->stiffness[k] * off * off + viscous * change * change) / 2;
        if (share > 0) {
            double more = share * spring->stiffness[k];
            double open = strain[k] - spring->natural[k] - d->state.creep[PLAIT_DER_STRAINS * i + k];
            s->w[k] += more * open, s->k[k] += more, s->value += more * open * open / 2;
            s->branch += more * open * change;
        }
    }
    for (int side = 0; side < 2 && d->state.plastic; side++)
        add_flow(d, i, side, strain, s);
}

void plait_der_remember(plait_der *d, double dt, const plait_der_hinge *hinge)
{
    int first = d->clamped[0] ? 0 : 1, last = d->clamped[1] ? d->n : d->n - 1;
    for (int i = first; i <= last; i++) {
        const double *strain = hinge[i].strain, *natural = d->spring[i].natural;
        for (int side = 0; side < 2 && d->state.plastic; side++) {
            flow f = find_flow(d, i, side, strain);
            for (int c = 0; c < 2; c++)
                d->state.plastic[4 * i + 2 * side + c] += f.amount * f.direction[c];
        }
        for (int k = 0; k < PLAIT_DER_STRAINS && d->state.creep; k++) {
            double *e = &d->state.creep[PLAIT_DER_STRAINS * i + k], off = strain[k] - natural[k], part = dt / d->tau;
            *e = isfinite(dt) ? (*e + part * off) / (1 + part) : off;
        }
    }
}

void plait_der_stored(const plait_der *d, int i, const double *strain, double *bend, double *twist)
{
    const plait_der_spring *spring = &d->spring[i];
    for (int k = 0; k < PLAIT_DER_STRAINS; k++) {
        bool bends = d->state.plastic && k < PLAIT_DER_TWIST;
        double p = bends ? d->state.plastic[4 * i + k] : 0, off = strain[k] - spring->natural[k] - p;
        *(k < PLAIT_DER_TWIST ? bend : twist) += spring->stiffness[k] * (off * off + d->hardening * p * p) / 2;
    }
}
