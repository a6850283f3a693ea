// der.h: discrete elastic rods, the parts that its files share.
//
// Degrees of freedom: x_0, theta_0, x_1, theta_1, ..., x_n for n edges: vertex i is at 4i, edge angle j at 4j + 3; 4n
// + 3 in all. theta is not stored: the material frame of each edge is, and theta_j is its spin since the start of the
// step relative to the frame carried along by time-parallel transport. A step works with Delta = q - q_old; Newton
// iterates are charts: frames are transported straight from the last accepted iterate, where the formulas for the
// derivatives hold exactly.
//
// A hinge i = 0..n lies between edges i - 1 and i. Its strains are the curvatures k1, k2 (integrated; 2 tan(phi/2) for
// a turning angle phi), measured in the frame of either edge with half the stiffness each (Bergou et al. 2008), and
// the twist m. Averaging the two frames first (2010) would make the bending energy of a round rod depend on its twist,
// by the factor cos^2(m/2): at 0.3 rad per hinge that is 2 % of a buckling load. The hinges at the ends exist for
// clamps only: their outer edge is a ghost, a frame that is given, and their Voronoi length is half an edge.
#ifndef PLAIT_BODY_DER_H
#define PLAIT_BODY_DER_H

#include "body/newton.h"
#include "body/rod.h"
#include "body/rod_law.h"
#include "math/banded.h"

typedef struct plait_der_edge {
    double t[3], m1[3], m2[3];
    double length;
} plait_der_edge;

typedef struct plait_der_hinge {
    double kb[3];     // curvature binormal 2 t0 x t1 / (1 + t0 . t1)
    double chi;       // 1 + t0 . t1
    double strain[5]; // k1, k2 in the frame before; k1, k2 in the frame after; m
} plait_der_hinge;

enum { PLAIT_DER_STRAINS = 5, PLAIT_DER_TWIST = 4 };

// Constants of a hinge, per strain.
typedef struct plait_der_spring {
    double stiffness[PLAIT_DER_STRAINS], viscous[PLAIT_DER_STRAINS], natural[PLAIT_DER_STRAINS];
} plait_der_spring;

// A configuration with all that follows from it. Edges have a ghost before and after: edge j is edge[j + 1].
typedef struct plait_der_pose {
    double *delta;          // [dofs] q - q_old
    plait_der_edge *edge;   // [n + 2]
    plait_der_hinge *hinge; // [n + 1]
} plait_der_pose;

// Derivatives of the energy of a hinge by the two edges and by the spins of their frames.
typedef struct plait_der_hinge_force {
    double before[3], after[3]; // [N]
    double spin[2];             // [N m]
} plait_der_hinge_force;

// Where the numbers of the state are.
typedef struct plait_der_state {
    double *x;     // [3 (n + 1)]
    double *v;     // [dofs]
    double *m1;    // [3 n] first material director of each edge
    double *twist; // [n + 1] at hinges
    double *ghost; // [2][6] tangent and director of the clamps
    double *plastic; // [4 (n + 1)] plastic curvatures in both frames of a hinge; NULL: it does not yield
    double *creep;   // [5 (n + 1)] of the Maxwell branch; NULL: there is none
} plait_der_state;

// What the forces of a step are made of.
typedef struct plait_der_load {
    double dt;    // 0: statics
    bool stretch; // whether stretching resists
    int convex;   // leave out what makes second derivatives indefinite: 1 of compressed edges, 2 of hinges too
} plait_der_load;

typedef struct plait_der {
    int n; // edges
    double *memory;
    plait_der_state state; // pointers into rod->state
    // model
    double *rest;             // [n]
    double *mass;             // [dofs] lumped: vertex masses, spin inertia of the edges
    double *weight;           // [dofs] what a shift of the matrix is multiplied by
    plait_der_spring *spring; // [n + 1]; of clamps, whether clamped or not
    double *span;             // [n + 1] natural length that a hinge stands for
    double *EA, *viscous_EA;  // [n]
    plait_rod_law law;
    // work
    bool clamped[2];
    plait_der_load load;       // of the step that is being solved
    double *target;            // [dofs] Delta of held dofs
    unsigned char *fixed;      // [dofs]
    plait_der_pose now, trial; // accepted iterate and the one being tried
    double *old_edge;          // [3 n] edges at the start of the step
    double *old_length;        // [n]
    double *old_strain;        // [5 (n + 1)]
    // Of the hinges at the ends at the start of the step, once clamps have turned.
    double turned_strain[2][PLAIT_DER_STRAINS];
    double *gradient;          // [dofs]
    double *step;              // [dofs + pad]
    double *spare;             // [dofs + pad]
    double *self;              // [9 n] second derivatives by edges: same edge
    double *cross;             // [9 (n + 1)] edge i - 1 with edge i
    double *spin;              // [3 * 3 n] theta_j with edges j - 1, j, j + 1
    double *spin_spin;         // [2 n] theta_j with itself and with theta_{j-1}
    double *band;              // matrix, then its factor
} plait_der;

// plait_der_pose.c
// `now` from the state, Delta = 0, ghosts as the ends say
void plait_der_pose_start(const plait_rod *rod);
bool plait_der_pose_try(const plait_rod *rod, double alpha); // `trial` at Delta + alpha step; false: a hinge folded
// The same to first order in alpha, but edges turn instead of being sheared: a stiff rod can bend far in one step.
bool plait_der_pose_try_curved(const plait_rod *rod, double alpha);
void plait_der_pose_accept(plait_der *d); // now <- trial
// Measures the spins of `now` anew, against frames carried straight from the state: on the way through several
// iterates the frames have turned by the area that the tangents went round.
void plait_der_pose_respin(const plait_rod *rod);
void plait_der_ends_update(const plait_rod *rod); // fixed[], target[] from the ends and the state

// der_law.c
typedef struct plait_der_stress {
    double w[PLAIT_DER_STRAINS], k[PLAIT_DER_STRAINS]; // stresses and their slopes
    double value;  // [J] what the step minimises
    double lost;   // [J] of that, lost by plastic flow
    double branch; // [J] work on the Maxwell branch in the step
} plait_der_stress;
void plait_der_law(const plait_der *d, double dt, int i, const double *strain, plait_der_stress *s); // dt = 0: statics
// The step, or statics (INFINITY), is over: plastic strains and creep are those of its end.
void plait_der_remember(plait_der *d, double dt, const plait_der_hinge *hinge);
void plait_der_stored(const plait_der *d, int i, const double *strain, double *bend, double *twist); // [J] added

// der_force.c
plait_newton_value plait_der_evaluate(const plait_rod *rod, const plait_der_load *load, const plait_der_pose *pose,
                                      double *gradient);
// What the stresses w[5] of a hinge do to its edges.
void plait_der_hinge_forces(const plait_der_edge *before, const plait_der_edge *after, const plait_der_hinge *hinge,
                            const double *w, plait_der_hinge_force *force);
double plait_der_force_scale(const plait_rod *rod, const plait_der_load *load, const plait_der_pose *pose,
                             double *rounding);

// der_hessian.c
void plait_der_hessian(const plait_rod *rod, const plait_der_load *load, const plait_der_pose *pose); // blocks by edges
void plait_der_assemble(const plait_rod *rod, const plait_der_load *load);                            // band from them
// The matrix with shift * weight added and held dofs made identity rows; rhs is corrected for their given steps (rhs
// may be NULL).
void plait_der_constrain(plait_der *d, double shift, double *rhs);

// der_step.c
bool plait_der_predict(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report);
bool plait_der_linearise(plait_rod *rod, double dt, const double *v, const plait_rod_linear *out);
bool plait_der_residual(plait_rod *rod, double dt, const double *v, double *g);
bool plait_der_slopes(plait_rod *rod, double dt, const double *v, plait_rod_slopes *slopes);
void plait_der_spend(const plait_rod *rod, double dt, const double *v, plait_rod_spent *spent);
bool plait_der_retract(plait_rod *rod, double dt, const double *about, const double *d, double *v);
bool plait_der_shift(plait_rod *rod, double dt, const double *v);
void plait_der_solve(plait_rod *rod, double *X, int count);
bool plait_der_accept(plait_rod *rod, double dt, const double *v);
void plait_der_get_v(const plait_rod *rod, double *v);
void plait_der_set_v(plait_rod *rod, const double *v);
double *plait_der_masses(const plait_rod *rod, int *count);
void plait_der_store(plait_rod *rod); // the pose of `now` becomes the state; velocities are left

// der_newton.c: one minimisation, shared by step and relax. options.moving is found out.
bool plait_der_minimise(plait_rod *rod, const plait_der_load *load, plait_newton_options options,
                        plait_step_report *report);

// der_relax.c
bool plait_der_relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report);
// der_hold.c: natural strains and lengths for which the state is in equilibrium (rod.h).
const char *plait_der_hold(plait_rod *rod, double *curl);
bool plait_der_stable(plait_rod *rod, double rate);
void plait_der_stiffen(plait_rod *rod, double factor);
// der_project.c: moves Delta of `now` so that no edge is longer or shorter than at rest. False: it cannot be.
bool plait_der_project(plait_rod *rod, double limit, plait_step_report *report);

double plait_der_max_stretch(const plait_der *d, const plait_der_pose *pose);

#endif
