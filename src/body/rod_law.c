// rod_law.c: plastic flow and a Maxwell branch (rod_law.h).
#include "body/rod_law.h"

#include <math.h>

plait_rod_law plait_rod_law_of(const plait_section *s)
{
    return (plait_rod_law){s->yield, s->hardening, s->relaxing, s->relaxation_time};
}

double plait_rod_law_branch(const plait_rod_law *law, double dt)
{
    return law->share > 0 && dt > 0 ? law->share / (1 + dt / law->tau) : 0;
}

double plait_rod_law_creep(const plait_rod_law *law, double dt, double creep, double off)
{
    double part = dt / law->tau;
    return isfinite(dt) ? (creep + part * off) / (1 + part) : off;
}

plait_rod_flow plait_rod_flow_find(const plait_rod_yield *y, const double *strain)
{
    plait_rod_flow f = {0};
    for (int c = 0; c < y->count; c++)
        f.direction[c] = y->k * (strain[c] - y->natural[c] - y->p[c]) - y->H * y->p[c];
    f.size = hypot(f.direction[0], f.direction[1]);
    f.amount = f.size > y->limit ? (f.size - y->limit) / (y->k + y->H) : 0;
    for (int c = 0; c < 2 && f.size > 0; c++)
        f.direction[c] /= f.size;
    return f;
}

void plait_rod_flow_add(const plait_rod_yield *y, const plait_rod_flow *f, double *w, double *k, double *value,
                        double *lost)
{
    double square = 0;
    for (int c = 0; c < y->count; c++)
        square += y->p[c] * y->p[c];
    *value += y->H * square / 2;
    if (f->amount == 0)
        return;
    *value -= (y->k + y->H) * f->amount * f->amount / 2; // (size - limit)^2 / 2 (k + H) less than without flow
    *lost += y->limit * f->amount;
    double turn = f->amount / f->size; // the direction turns with the strain
    for (int c = 0; c < y->count; c++) {
        double along = f->direction[c] * f->direction[c];
        w[c] -= y->k * f->amount * f->direction[c];
        k[c] -= y->k * y->k * (along / (y->k + y->H) + (1 - along) * turn);
    }
}

double plait_rod_flow_cross(const plait_rod_yield *y, const plait_rod_flow *f)
{
    return f->amount == 0
               ? 0
               : -y->k * y->k * f->direction[0] * f->direction[1] * (1 / (y->k + y->H) - f->amount / f->size);
}

static plait_rod_yield yield_of(const plait_rod_law *law, const plait_rod_site *s)
{
    double k = s->stiffness[0];
    return (plait_rod_yield){s->bends, k, law->hardening * k, k * law->yield * s->span, s->natural, s->plastic};
}

void plait_rod_law_more(const plait_rod_law *law, double dt, const plait_rod_site *s, const double *strain,
                        const double *start, plait_rod_more *more)
{
    double share = s->creep ? plait_rod_law_branch(law, dt) : 0;
    *more = (plait_rod_more){0};
    for (int j = 0; j < s->count && share > 0; j++) {
        double k = share * s->stiffness[j], open = strain[j] - s->natural[j] - s->creep[j];
        more->w[j] += k * open, more->k[j] += k, more->value += k * open * open / 2;
        more->branch += k * open * (strain[j] - start[j]);
    }
    if (!s->plastic)
        return;
    plait_rod_yield y = yield_of(law, s);
    for (int j = 0; j < s->bends; j++) {
        double p = s->plastic[j], off = strain[j] - s->natural[j];
        more->w[j] -= s->stiffness[j] * p, more->value += s->stiffness[j] * p * (p / 2 - off);
    }
    plait_rod_flow f = plait_rod_flow_find(&y, strain);
    plait_rod_flow_add(&y, &f, more->w, more->k, &more->value, &more->lost);
    more->cross = plait_rod_flow_cross(&y, &f);
}

void plait_rod_law_stress(const plait_rod_law *law, const plait_rod_site *s, const double *strain, double *w)
{
    for (int j = 0; j < s->count && s->creep; j++)
        w[j] += law->share * s->stiffness[j] * (strain[j] - s->natural[j] - s->creep[j]);
    for (int j = 0; j < s->bends && s->plastic; j++)
        w[j] -= s->stiffness[j] * s->plastic[j];
}

double plait_rod_law_stored(const plait_rod_law *law, const plait_rod_site *s, const double *strain)
{
    double sum = 0;
    for (int j = 0; j < s->bends && s->plastic; j++) {
        double p = s->plastic[j], off = strain[j] - s->natural[j];
        sum += s->stiffness[j] * p * ((1 + law->hardening) * p / 2 - off);
    }
    return sum;
}

void plait_rod_law_remember(const plait_rod_law *law, double dt, const plait_rod_site *s, const double *strain)
{
    if (s->plastic) {
        plait_rod_yield y = yield_of(law, s);
        plait_rod_flow f = plait_rod_flow_find(&y, strain);
        for (int c = 0; c < s->bends; c++)
            s->plastic[c] += f.amount * f.direction[c];
    }
    for (int j = 0; j < s->count && s->creep; j++)
        s->creep[j] = plait_rod_law_creep(law, dt, s->creep[j], strain[j] - s->natural[j]);
}
