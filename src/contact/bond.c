#include "contact/bond.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

_Static_assert(sizeof(plait_bond) % sizeof(double) == 0, "a bond is an array of numbers");

static bool make_room(plait_bonds *b, int count, size_t numbers)
{
    if (count > b->room) {
        int room = count + count / 2 + 16;
        size_t *at = plait_realloc(b->at, ((size_t)room + 1) * sizeof *at);
        if (!at)
            return false;
        b->at = at, b->room = room;
        b->at[0] = 0;
    }
    if (numbers > b->space) {
        size_t space = numbers + numbers / 2 + 16 * PLAIT_BOND_PLAIN;
        double *number = plait_realloc(b->number, space * sizeof *number);
        if (!number)
            return false;
        b->number = number, b->space = space;
    }
    return true;
}

bool plait_bonds_reserve(plait_bonds *b, int count, int others)
{
    return make_room(b, count, (size_t)(count - others) * PLAIT_BOND_PLAIN + (size_t)others * PLAIT_BOND_SIZE);
}

bool plait_bonds_append(plait_bonds *b, const plait_bond *bond)
{
    size_t used = b->count > 0 ? b->at[b->count] : 0, size = (size_t)plait_bond_numbers(bond->law);
    if (!make_room(b, b->count + 1, used + size))
        return false;
    memcpy(b->number + used, bond, size * sizeof(double));
    b->at[++b->count] = used + size;
    return true;
}

void plait_bonds_cut(plait_bonds *b, int count)
{
    b->count = count;
}

void plait_bonds_keep(plait_bonds *b, int from)
{
    size_t size = b->at[from + 1] - b->at[from], to = b->at[b->count];
    memmove(b->number + to, b->number + b->at[from], size * sizeof(double));
    b->at[++b->count] = to + size;
}

void plait_bonds_free(plait_bonds *b)
{
    plait_free(b->number), plait_free(b->at);
    *b = (plait_bonds){0};
}

bool plait_bonds_carry(const plait_bonds *old, const int *last, int stride, const unsigned char *index, int n,
                       plait_bonds *now)
{
    now->count = 0;
    if (!plait_bonds_reserve(now, n, 0))
        return false;
    for (int k = 0; k < n; k++) {
        int from = last[(int64_t)k * stride], law = index ? index[k] : 0;
        const plait_bond *was = from >= 0 && from < old->count ? plait_bonds_get(old, from) : NULL;
        plait_bond fresh = {.law = law};
        bool same = was && was->law == law;
        if (was && !same) // another law now: it starts anew, but pushes as it did
            memcpy(fresh.impulse, was->impulse, sizeof fresh.impulse);
        if (!plait_bonds_append(now, same ? was : &fresh))
            return false;
    }
    return true;
}

int plait_bonds_orphans(const plait_bonds *old, const int *last, int stride, int n, unsigned char *seen, int *list)
{
    int count = 0;
    memset(seen, 0, (size_t)old->count);
    for (int k = 0; k < n; k++) {
        int from = last[(int64_t)k * stride];
        if (from >= 0 && from < old->count)
            seen[from] = 1;
    }
    for (int k = 0; k < old->count; k++)
        if (!seen[k] && plait_bonds_get(old, k)->holds != 0)
            list[count++] = k;
    return count;
}

void plait_bonds_evolve(const plait_laws *l, double dt, const double *r, const double *u, const double *frame,
                        const double *gap, plait_bonds *b)
{
    for (int64_t k = 0; k < b->count; k++) {
        plait_bond *bond = plait_bonds_get(b, (int)k);
        plait_bond_step step = {.mu = l->mu[k], .dt = dt, .gap = gap[k], .E = frame + 9 * k};
        memcpy(step.r, r + 3 * k, sizeof step.r), memcpy(step.u, u + 3 * k, sizeof step.u);
        for (int c = 0; c < 3; c++)
            bond->impulse[c] = step.r[0] * step.E[c] + step.r[1] * step.E[3 + c] + step.r[2] * step.E[6 + c];
        const plait_law *row = plait_law_is_coulomb(l, k) ? &plait_law_coulomb : l->row[l->index[k]];
        const double *p = l->parameter ? l->parameter + PLAIT_LAW_NUMBERS * k : NULL;
        bond->holds = row->evolve && row->evolve(&step, p, bond);
    }
}
