// superhelix_law.c: elements that yield and relax (rod_law.h), and the moments that elements bear.
#include <stddef.h>

#include "body/superhelix.h"
#include "math/mat3.h"
#include "math/vec3.h"

plait_rod_site plait_superhelix_site(const plait_superhelix *sh, int q, double s[3])
{
    for (int j = 0; j < 3; j++)
        s[j] = sh->stiffness[j] * sh->firm[q];
    return (plait_rod_site){.count = 3,
                            .bends = 2,
                            .stiffness = s,
                            .natural = sh->natural + 3 * q,
                            .span = 1,
                            .plastic = sh->plastic ? sh->plastic + 2 * q : NULL,
                            .creep = sh->creep ? sh->creep + 3 * q : NULL};
}

plait_rod_more plait_superhelix_more(const plait_superhelix *sh, int q)
{
    plait_rod_more more = {0};
    double s[3], dt = sh->goal.rate > 0 ? 1 / sh->goal.rate : 0;
    plait_rod_site site = plait_superhelix_site(sh, q, s);
    if (sh->plastic || sh->creep)
        plait_rod_law_more(&sh->law, dt, &site, sh->k + 3 * q, sh->goal.start + 3 * q, &more);
    return more;
}

void plait_superhelix_learn(const plait_superhelix *sh, double dt, const double *k)
{
    for (int q = 0; q < sh->n && (sh->plastic || sh->creep); q++) {
        double stiffness[3];
        plait_rod_site site = plait_superhelix_site(sh, q, stiffness);
        plait_rod_law_remember(&sh->law, dt, &site, k + 3 * q);
    }
}

// Each element has one curvature: at nodes the mean of both sides, at clamps the line through the next two.
bool plait_superhelix_strain(const plait_rod *rod, int node, double out[3], double moment[3])
{
    plait_superhelix *sh = rod->impl;
    int first = node > 0 ? node - 1 : 0, last = node < sh->n ? node : sh->n - 1;
    if ((node == 0 && rod->end[0].kind != PLAIT_END_CLAMPED) ||
        (node == sh->n && rod->end[1].kind != PLAIT_END_CLAMPED))
        return false;
    plait_superhelix_start(rod);
    double k[3] = {0}, w[3] = {0};
    bool beyond = first == last && sh->n > 1;
    first -= beyond && node > 0, last += beyond && node == 0;
    for (int q = first; q <= last; q++) {
        double stiffness[3], stress[3], part = 1.0 / (last - first + 1);
        if (beyond)
            part = q == (node > 0 ? last : 0) ? 1.5 : -0.5;
        plait_rod_site site = plait_superhelix_site(sh, q, stiffness);
        for (int j = 0; j < 3; j++)
            stress[j] = stiffness[j] * (sh->k[3 * q + j] - sh->natural[3 * q + j]);
        plait_rod_law_stress(&sh->law, &site, sh->k + 3 * q, stress);
        plait_vec3_axpy(part, sh->k + 3 * q, k), plait_vec3_axpy(part, stress, w);
    }
    plait_mat3_apply(sh->node[node].R, w, moment);
    plait_vec3_set(out, k[1], -k[0], k[2]); // k = (-k2, k1, tau)
    return true;
}
