// superhelix_hold.c: the natural shape for which a super-helix is in equilibrium where it is: inverse statics.
//
// The derivative of the energy by the strains k of an element is length stiffness (k - natural), and what hangs from
// the element: natural strains take up all that is out of balance, element by element.
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "body/superhelix.h"

static const double LONG = 1e-200; // [1/s]

const char *plait_superhelix_hold(plait_rod *rod, double *curl)
{
    plait_superhelix *sh = rod->impl;
    plait_superhelix_set_goal(rod, 0);
    plait_superhelix_slope(sh);
    *curl = 0;
    for (int q = 0; q < sh->n; q++) {
        double off[3];
        for (int j = 0; j < 3; j++) {
            double moment = sh->gradient[SH_ROOT + 3 * q + j],
                   stiffness = sh->length[q] * sh->firm[q] * sh->stiffness[j];
            if (!(stiffness > 0))
                return "it does not resist bending or twisting";
            sh->natural[3 * q + j] += moment / stiffness;
            off[j] = sh->k[3 * q + j] - sh->natural[3 * q + j];
        }
        *curl = fmax(*curl, hypot(off[0], off[1]));
    }
    return NULL;
}

// Inertia of a step with 1/dt = rate, from rest, less than nothing of it.
bool plait_superhelix_stable(plait_rod *rod, double rate)
{
    plait_superhelix *sh = rod->impl;
    plait_superhelix_set_goal(rod, 0);
    plait_superhelix_place(sh, false);
    plait_superhelix_sample(sh, sh->goal.targets);
    sh->goal.known_dt = 0;
    if (rate > 0) { // a step so long that nothing is viscous: only a, a1 and a2 are looked at
        const plait_section *s = &rod->section;
        sh->goal.rate = LONG;
        sh->goal.a = -rate * rate * s->mass;
        sh->goal.a1 = -rate * rate * s->inertia[0], sh->goal.a2 = -rate * rate * s->inertia[1];
    }
    plait_superhelix_expand(sh, true);
    sh->expanded = 0;
    return plait_superhelix_factorise(sh, 1, 0);
}

void plait_superhelix_stiffen(plait_rod *rod, double factor)
{
    plait_superhelix *sh = rod->impl;
    for (int j = 0; j < 3; j++)
        sh->stiffness[j] *= factor, sh->viscous[j] *= factor;
    for (int i = 0; i < sh->dofs; i++)
        sh->metric[i] *= factor;
}

void plait_superhelix_get_natural(const plait_rod *rod, int site, double *natural)
{
    memcpy(natural, ((const plait_superhelix *)rod->impl)->natural + 3 * site, 3 * sizeof *natural);
}

void plait_superhelix_set_natural(plait_rod *rod, int site, const double *base, const double more[3])
{
    plait_superhelix *sh = rod->impl;
    for (int k = 0; k < 3; k++)
        sh->natural[3 * site + k] = base[k] + more[k];
}
