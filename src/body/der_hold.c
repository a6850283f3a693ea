// der_hold.c: the natural shape for which a discrete elastic rod is in equilibrium where it is: inverse statics.
//
// Let F_j be the sum of the loads on the nodes behind edge j. Balance of forces at all nodes but the root is
//
//     N_j t_j + after(w_j) + before(w_{j+1}) = F_j             for each edge j
//
// with the tension N_j, and what the stresses w of the hinges before and behind it do to the edge (der_force.c). Forces
// of hinges are normal to their edges, so N_j = F_j . t_j says the natural length. What is left are two equations, and
// a third for the spin of the edge's frame; they say the stresses of hinge j if those of hinge j + 1 are known: one
// sweep from the tip, where there are none, to the root. The bending stress is the same vector in the frames of both
// edges, carried from one to the other, which leaves three unknowns for the three equations.
#include <math.h>

#include "base/elementary.h"
#include "body/der.h"
#include "math/mat3.h"
#include "math/vec3.h"

// w[5] from the stresses in the frame before and the twist.
static void spread(const plait_der_hinge *h, const double p[3], double w[PLAIT_DER_STRAINS])
{
    // The frame behind is the one before, carried along and turned by the twist.
    double c = plait_cos(h->strain[PLAIT_DER_TWIST]), s = plait_sin(h->strain[PLAIT_DER_TWIST]);
    w[0] = p[0], w[1] = p[1], w[2] = c * p[0] + s * p[1], w[3] = c * p[1] - s * p[0], w[4] = p[2];
}

// The equations of an edge: forces along its two directors, and the couple about it.
static void equations(const plait_der_edge *f, const double force[3], double couple, double length, double row[3])
{
    row[0] = plait_vec3_dot(force, f->m1) * length, row[1] = plait_vec3_dot(force, f->m2) * length, row[2] = couple;
}

// Stresses of hinge i such that edge i, behind it, is balanced by `force` and `couple`. False: they cannot.
static bool balance(const plait_der *d, int i, const double force[3], double couple, double w[PLAIT_DER_STRAINS])
{
    const plait_der_edge *e = &d->now.edge[i], *f = &d->now.edge[i + 1];
    const plait_der_hinge *h = &d->now.hinge[i];
    double A[9], rhs[3], p[3];
    for (int k = 0; k < 3; k++) {
        double unit[3] = {k == 0, k == 1, k == 2}, column[3];
        plait_der_hinge_force by;
        spread(h, unit, w);
        plait_der_hinge_forces(e, f, h, w, &by);
        equations(f, by.after, by.spin[1], f->length, column);
        plait_mat3_set_column(A, k, column);
    }
    equations(f, force, couple, f->length, rhs);
    if (!plait_mat3_solve(A, rhs, 1e-9, p))
        return false;
    spread(h, p, w);
    return true;
}

// The natural strains that give these stresses; *curl: how far curvature has to be from the present one [1/m].
static bool set_natural(plait_der *d, int i, const double w[PLAIT_DER_STRAINS], double *curl)
{
    plait_der_spring *spring = &d->spring[i];
    const double *strain = d->now.hinge[i].strain;
    double change[PLAIT_DER_STRAINS];
    double length = d->span[i];
    for (int k = 0; k < PLAIT_DER_STRAINS; k++) {
        if (!(spring->stiffness[k] > 0) && w[k] != 0)
            return false;
        change[k] = w[k] != 0 ? w[k] / spring->stiffness[k] : 0;
        spring->natural[k] = strain[k] - change[k];
    }
    *curl = fmax(*curl, fmax(hypot(change[0], change[1]), hypot(change[2], change[3])) / length);
    return true;
}

const char *plait_der_hold(plait_rod *rod, double *curl)
{
    plait_der *d = rod->impl;
    double load[3] = {0, 0, 0}, w[PLAIT_DER_STRAINS] = {0};
    plait_der_hinge_force behind = {0};
    *curl = 0;
    plait_der_pose_start(rod);
    if (d->clamped[1])
        set_natural(d, d->n, w, curl);
    for (int j = d->n - 1; j >= 0; j--) {
        const plait_der_edge *edge = &d->now.edge[j + 1];
        for (int k = 0; k < 3; k++)
            load[k] += d->mass[4 * (j + 1) + k] * rod->gravity[k] + rod->force[3 * (j + 1) + k];
        if (d->EA[j] > 0)
            d->rest[j] = edge->length / (1 + plait_vec3_dot(load, edge->t) / d->EA[j]);
        if (!(d->rest[j] > 0.5 * edge->length && d->rest[j] < 2 * edge->length))
            return "it would have to be pressed together too far";
        if (j == 0 && !d->clamped[0])
            break; // a hinge that is not there
        double force[3];
        plait_vec3_sub(load, behind.before, force);
        if (!balance(d, j, force, rod->couple[j] - behind.spin[0], w))
            return "a hinge is folded";
        if (!set_natural(d, j, w, curl))
            return "it does not resist bending or twisting";
        plait_der_hinge_forces(&d->now.edge[j], edge, &d->now.hinge[j], w, &behind);
    }
    return NULL;
}

bool plait_der_stable(plait_rod *rod, double rate)
{
    plait_der *d = rod->impl;
    plait_der_load load = {.stretch = true};
    double *weight = d->weight;
    plait_der_pose_start(rod);
    plait_der_hessian(rod, &load, &d->now);
    plait_der_assemble(rod, &load);
    d->weight = d->mass;
    plait_der_constrain(d, -rate * rate, NULL);
    d->weight = weight;
    return plait_banded_factorise(d->band, rod->dofs, 0) < 0;
}

void plait_der_stiffen(plait_rod *rod, double factor)
{
    plait_der *d = rod->impl;
    for (int i = 0; i <= d->n; i++)
        for (int k = 0; k < PLAIT_DER_STRAINS; k++)
            d->spring[i].stiffness[k] *= factor, d->spring[i].viscous[k] *= factor;
}
