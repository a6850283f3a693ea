// corde.h: CoRdE (Spillmann and Teschner 2007), seen from inside.
//
// Nodes x_i and, on each edge j, a unit quaternion q_j whose frame (d1, d2, d3) is the material frame. Energies:
//
//     stretch     EA/(2 l) (|e| - l)^2                       e_j = x_{j+1} - x_j, t = e/|e|
//     alignment   K l/2 |t - d3|^2                           the penalty that ties frames to the centreline
//     bend, twist 1/(2 lv) sum_k B_k (u_k - n_k)^2           at each hinge, from p = conj(q_{j-1}) q_j
//
// The strain rates of the paper, 2 (B_k q . q')/|q|^2, are discretised so that they keep their meaning for any angle:
// with p = (p_x, p_y, p_z, p_w), m = sqrt(p_w^2 + p_z^2),
//
//     u = (2 p_x/m, 2 p_y/m, 2 atan2(p_z, p_w))
//
// which is 2 tan(phi/2) along the bending axis in the mean frame, phi the turning angle, and the exact twist angle: the
// curvature of discrete elastic rods. (The plain finite difference gives 2 sin(angle/2) for both, too soft.) B =
// (EI2, EI1, GJ). Twists beyond a full turn are counted: the branch of the angle follows from step to step, and with it
// the sign of p.
//
// K = 1000 EI / l^2: three orders above the bending stiffness of an edge, so that the shear it allows is of the order
// 3/(1000 N^2) of the deflection, below the error of the discretisation at every N.
//
// Dofs: x_0 (3), turn of edge 0 (3, world axes: dq = turn q/2), x_1, ...: 6n + 3, half-bandwidth 8. Unit quaternions
// stay so because a step multiplies by a rotation.
#ifndef PLAIT_BODY_CORDE_H
#define PLAIT_BODY_CORDE_H

#include "body/chain.h"
#include "body/rod_law.h"

typedef struct corde_hinge {
    double p[4]; // of the sign that fits the twist
    double u[3];
} corde_hinge;

typedef struct corde_pose {
    double *delta;          // [dofs] displacement of the nodes since the start of the step; turns: unused
    double *q;              // [4 (n + 2)] q_j at 4 (j + 1); before and after: the clamps' ghosts
    double *turn;           // [3n] since the present configuration
    plait_chain_edge *edge; // [n]
    double *R;              // [9n] frames, columns d1, d2, d3
    corde_hinge *hinge;     // [n + 1]
} corde_pose;

typedef struct plait_corde {
    plait_chain chain;
    int n;
    double dt; // of the step; 0: statics
    // constant
    double *rest, *voronoi, *natural, *mass; // [n], [n + 1], [3 (n + 1)], [n + 1]
    double *align;                           // [n] K of each edge
    double *stiffness, *viscous;             // [3 (n + 1)] of the hinges: about d1, d2, d3
    double *spun;                            // [n] inertia of each edge, relative to that of rod->section
    plait_rod_law law;
    // state
    double *x, *q, *v, *w, *twist; // [3 (n + 1)], [4n], [3 (n + 1)], [3n], [n + 1]
    double *plastic, *creep;       // [2 (n + 1)], [3 (n + 1)] of the strains u; NULL: it does not yield, or relax
    // work
    bool clamped[2];
    bool explicit_last; // the last step was explicit: M is the mass alone
    corde_pose now, trial;
    double *start_edge, *start_length, *start_u; // [3n], [n], [3 (n + 1)]
    double *goal;                                // [6n] directors d1, d2 as they would go on
    double *mass_band;                           // explicit: M of the last linearise, before it was factorised
} plait_corde;

static inline bool plait_corde_has_hinge(const plait_corde *c, int i)
{
    return i == 0 ? c->clamped[0] : i == c->n ? c->clamped[1] : true;
}

// A hinge for rod_law.h; b[3] <- its stiffnesses.
static inline plait_rod_site plait_corde_site(const plait_corde *c, int i, double b[3])
{
    for (int k = 0; k < 3; k++)
        b[k] = c->stiffness[3 * i + k] / c->voronoi[i];
    return (plait_rod_site){.count = 3,
                            .bends = 2,
                            .stiffness = b,
                            .natural = c->natural + 3 * i,
                            .span = c->voronoi[i],
                            .plastic = c->plastic ? c->plastic + 2 * i : NULL,
                            .creep = c->creep ? c->creep + 3 * i : NULL};
}

// Of the section of an edge about its second (k = 0) and first director.
static inline double plait_corde_inertia(const plait_rod *rod, int j, int k)
{
    return rod->section.inertia[k] * ((const plait_corde *)rod->impl)->spun[j];
}

static inline bool plait_corde_remembers(const plait_corde *c)
{
    return c->plastic || c->creep;
}

// corde_pose.c
void plait_corde_start(plait_rod *rod, double dt);
bool plait_corde_try(plait_rod *rod, double alpha, bool curved);
void plait_corde_take(plait_rod *rod);         // present <- trial
double plait_corde_turn(const plait_rod *rod); // of the step
double plait_corde_stretch(const plait_corde *c, const corde_pose *pose);
// Strains of p; the twist is that nearest to `expected`. False: folded.
bool plait_corde_strain(const double p[4], double expected, corde_hinge *h);

// corde_force.c
plait_newton_value plait_corde_evaluate(plait_rod *rod, bool trial, double *gradient);
double plait_corde_residual(const plait_rod *rod, double *scale, double *rounding);
// du/dturn of the edge after the hinge (minus that of the edge before), and du/dp.
void plait_corde_strain_jacobian(const corde_hinge *h, const double *qa, const double *qb, double J[9], double U[12],
                                 double P[12]);

// corde_spend.c
void plait_corde_spend(const plait_rod *rod, double dt, const double *v, plait_rod_spent *spent);

// corde_stiffness.c
void plait_corde_hessian(plait_rod *rod, bool safe);

// corde_explicit.c: symplectic Euler. v[dofs] <- velocities at the end of the step. False: the step is too long.
bool plait_corde_explicit(plait_rod *rod, double dt, double *v, plait_step_report *report);
void plait_corde_mass(plait_rod *rod); // chain.band <- mass matrix

#endif
