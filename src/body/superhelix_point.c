// superhelix_point.c: how a material point and its frame move with the dofs.
#include <stddef.h>

#include "body/superhelix.h"
#include "math/mat3.h"

void plait_superhelix_point_jacobian(const plait_superhelix *sh, int q, double a, const sh_pose *pose, int stride,
                                     double *J)
{
    int last = SH_ROOT + 3 * q;
    double minus[9] = {0}, D[9], own[9];
    plait_mat3_add_cross(minus, -1, pose->x); // x - root, as the root is at zero
    plait_helix h = plait_helix_at(sh->k + 3 * q, a * sh->length[q]);
    plait_helix_jacobian(&h, D, NULL);
    plait_mat3_multiply(sh->node[q].R, D, own);
    for (int r = 0; r < 3; r++) {
        double *row = J + (long)r * stride;
        for (int j = 0; j < 3; j++) {
            row[j] = r == j;
            row[3 + j] = minus[3 * r + j];
            row[last + j] = own[3 * r + j];
        }
        for (int p = 0; p < q; p++)
            for (int j = 0; j < 3; j++)
                row[SH_ROOT + 3 * p + j] = sh->lin[9 * p + 3 * r + j] + minus[3 * r] * sh->ang[9 * p + j] +
                                           minus[3 * r + 1] * sh->ang[9 * p + 3 + j] +
                                           minus[3 * r + 2] * sh->ang[9 * p + 6 + j];
    }
}

void plait_superhelix_frame_jacobian(const plait_superhelix *sh, int q, double a, int stride, double *S)
{
    int last = SH_ROOT + 3 * q;
    double D[9], phi[9], own[9];
    plait_helix h = plait_helix_at(sh->k + 3 * q, a * sh->length[q]);
    plait_helix_jacobian(&h, D, phi);
    plait_mat3_multiply(sh->node[q].R, phi, own);
    for (int r = 0; r < 3; r++) {
        double *row = S + (long)r * stride;
        for (int j = 0; j < 3; j++) {
            row[3 + j] = r == j;
            row[last + j] = own[3 * r + j];
        }
        for (int p = 0; p < q; p++)
            for (int j = 0; j < 3; j++)
                row[SH_ROOT + 3 * p + j] = sh->ang[9 * p + 3 * r + j];
    }
}

void plait_superhelix_section(const plait_rod *rod, int segment, double a, double R[9])
{
    plait_superhelix *sh = rod->impl;
    plait_superhelix_start(rod);
    plait_helix h = plait_helix_at(sh->k + 3 * segment, a * sh->length[segment]);
    double E[9];
    plait_helix_place(&h, NULL, E);
    plait_mat3_multiply(sh->node[segment].R, E, R);
}
