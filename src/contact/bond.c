#include "contact/bond.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"

_Static_assert(sizeof(plait_bond) % sizeof(double) == 0, "a bond is an array of numbers");

bool plait_bonds_reserve(plait_bonds *b, int count)
{
    if (count <= b->room)
        return true;
    int room = count + count / 2 + 16;
    plait_bond *bond = plait_realloc(b->bond, (size_t)room * sizeof *bond);
    if (!bond)
        return false;
    b->bond = bond, b->room = room;
    return true;
}

void plait_bonds_free(plait_bonds *b)
{
    plait_free(b->bond);
    *b = (plait_bonds){0};
}

bool plait_bonds_carry(const plait_bonds *old, const int *last, int stride, const unsigned char *index, int n,
                       plait_bonds *now)
{
    if (!plait_bonds_reserve(now, n))
        return false;
    now->count = n;
    for (int k = 0; k < n; k++) {
        int from = last[(int64_t)k * stride], law = index ? index[k] : 0;
        bool same = from >= 0 && from < old->count && old->bond[from].law == law;
        now->bond[k] = same ? old->bond[from] : (plait_bond){.law = law};
        if (!same && from >= 0 && from < old->count) // another law now: it starts anew, but pushes as it did
            memcpy(now->bond[k].impulse, old->bond[from].impulse, sizeof now->bond[k].impulse);
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
        if (!seen[k] && old->bond[k].holds != 0)
            list[count++] = k;
    return count;
}

void plait_bonds_evolve(const plait_laws *l, double dt, const double *r, const double *u, const double *frame,
                        const double *gap, plait_bonds *b)
{
    for (int64_t k = 0; k < b->count; k++) {
        plait_bond *bond = &b->bond[k];
        plait_bond_step step = {.mu = l->mu[k], .dt = dt, .gap = gap[k], .E = frame + 9 * k};
        memcpy(step.r, r + 3 * k, sizeof step.r), memcpy(step.u, u + 3 * k, sizeof step.u);
        for (int c = 0; c < 3; c++)
            bond->impulse[c] = step.r[0] * step.E[c] + step.r[1] * step.E[3 + c] + step.r[2] * step.E[6 + c];
        const plait_law *row = plait_law_is_coulomb(l, k) ? &plait_law_coulomb : l->row[l->index[k]];
        const double *p = l->parameter ? l->parameter + PLAIT_LAW_NUMBERS * k : NULL;
        bond->holds = row->evolve && row->evolve(&step, p, bond);
    }
}
