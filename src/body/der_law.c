// der_law.c: stresses of a hinge: elastic, viscous, plastic, of a Maxwell branch.
// It is that of rod_law.h, for the curvatures in either frame of a hinge, which yield apart.
#include "body/der.h"

static plait_rod_yield yield_of(const plait_der *d, int i, int side)
{
    const plait_der_spring *spring = &d->spring[i];
    double k = spring->stiffness[2 * side];
    return (plait_rod_yield){2,
                             k,
                             d->law.hardening * k,
                             k * d->law.yield * d->span[i],
                             spring->natural + 2 * side,
                             d->state.plastic + 4 * i + 2 * side};
}

void plait_der_law(const plait_der *d, double dt, int i, const double *strain, plait_der_stress *s)
{
    const plait_der_spring *spring = &d->spring[i];
    double rate = dt > 0 ? 1 / dt : 0, share = d->state.creep ? plait_rod_law_branch(&d->law, dt) : 0;
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
    for (int side = 0; side < 2 && d->state.plastic; side++) {
        plait_rod_yield y = yield_of(d, i, side);
        plait_rod_flow f = plait_rod_flow_find(&y, strain + 2 * side);
        plait_rod_flow_add(&y, &f, s->w + 2 * side, s->k + 2 * side, &s->value, &s->lost);
    }
}

void plait_der_remember(plait_der *d, double dt, const plait_der_hinge *hinge)
{
    int first = d->clamped[0] ? 0 : 1, last = d->clamped[1] ? d->n : d->n - 1;
    for (int i = first; i <= last; i++) {
        const double *strain = hinge[i].strain, *natural = d->spring[i].natural;
        for (int side = 0; side < 2 && d->state.plastic; side++) {
            plait_rod_yield y = yield_of(d, i, side);
            plait_rod_flow f = plait_rod_flow_find(&y, strain + 2 * side);
            for (int c = 0; c < 2; c++)
                d->state.plastic[4 * i + 2 * side + c] += f.amount * f.direction[c];
        }
        for (int k = 0; k < PLAIT_DER_STRAINS && d->state.creep; k++) {
            double *e = &d->state.creep[PLAIT_DER_STRAINS * i + k];
            *e = plait_rod_law_creep(&d->law, dt, *e, strain[k] - natural[k]);
        }
    }
}

void plait_der_stored(const plait_der *d, int i, const double *strain, double *bend, double *twist)
{
    const plait_der_spring *spring = &d->spring[i];
    for (int k = 0; k < PLAIT_DER_STRAINS; k++) {
        bool bends = d->state.plastic && k < PLAIT_DER_TWIST;
        double p = bends ? d->state.plastic[4 * i + k] : 0, off = strain[k] - spring->natural[k] - p;
        *(k < PLAIT_DER_TWIST ? bend : twist) += spring->stiffness[k] * (off * off + d->law.hardening * p * p) / 2;
    }
}
