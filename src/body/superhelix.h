// superhelix.h: the super-helix, seen from inside: one function of the configuration, its gradient and Hessian.
//
// A configuration is q = (x0, R0, k_0 .. k_{n-1}): place and frame of the root, and a Darboux vector per element, in
// the material frame: k = (-k2, k1, tau). Each element is a helix (math/helix.h), so the rod is smooth and its length
// exact. Dofs: 3 for x0, 3 for a turn of R0 (dR0 = [phi]x R0, world axes), 3 per element.
//
// A step and an equilibrium are both a minimum of
//
//     P(q) = sum over points  a/2 |x - X|^2 + a1/2 |m1 - M1|^2 + a2/2 |m2 - M2|^2 - f . x      (inertia, gravity)
//          + sum over elements  l/2 (k - kn) . K (k - kn) + l/2 (k - k0) . C/dt (k - k0)       (elastic, viscous)
//          + the held tip: the same as a point, with a large a and multipliers; a constraint (superhelix_tip.c)
//
// Points are Gauss points along each element; with a = mass / dt^2 and X = x + dt v of the start of the step the first
// sum is implicit Euler of every material point, section included, so all inertial (Coriolis) forces are in it.
// Everything that hangs from an element moves with it as a rigid body. With lin_Q, ang_Q (3 x 3) the motion of what
// hangs from Q for a change of k_Q, referred to the root, and L_P, T_P what a change of k_P does to the force and to
// the torque about the root of all that it moves,
//
//     d2P / dk_Q dk_P = lin_Q^T L_P + ang_Q^T T_P         for Q < P
//
// exactly: assembling costs O(n^2), and one sweep from the tip to the root gives all L_P and T_P.
#ifndef PLAIT_BODY_SUPERHELIX_H
#define PLAIT_BODY_SUPERHELIX_H

#include "body/newton.h"
#include "body/rod_law.h"
#include "math/helix.h"

enum { SH_ROOT = 6, SH_GAUSS_MAX = 16, SH_MAX_ELEMENTS = 500, SH_SAMPLED = -1 };

// Where things are in the state (superhelix.c says what they mean).
enum {
    SH_AT_X = 0,
    SH_AT_Q = 3,
    SH_AT_BEFORE = 7,
    SH_AT_RATE = 14,
    SH_AT_V = 15,
    SH_AT_W = 18,
    SH_AT_TIP = 21,
    SH_AT_K = 30
};

typedef struct sh_pose {
    double x[3], R[9];
} sh_pose;

// What is minimised beside the elastic energy.
typedef struct sh_goal {
    double origin[3];             // all places below and in sh_pose are relative to it
    double rate;                  // 1/dt; 0: statics
    double a, a1, a2;             // per length; 0 in statics
    double gravity[3];            // [N/m]
    double *targets, *now;        // [9 * points] X, M1, M2; and x, m1, m2 at the start
    double *known;                // [state] that both are of ...
    double known_dt, known_drag;  // ... and the step; SH_SAMPLED: targets has where they were before; 0: neither
    double *start;                // [3n] k0
    const double *force;          // [3 (n + 1)] on the nodes
    const double *segment_couple; // [n] about the tangents
    double *couple;               // [dofs] their generalised force, refreshed at every iterate
    // the held tip
    bool tip_place, tip_frame;
    double tip_a[3], tip_a1; // zero along axes that slide
    sh_pose tip;
    double multiplier[9]; // on x, m1, m2
} sh_goal;

// What evaluation finds, for the stopping test.
typedef struct sh_value {
    double energy;    // P
    double magnitude; // sum of the absolute values of its parts: what rounding is relative to
    double force;     // sum of |force| over the points [N]
    double moment;    // largest elastic moment [N m]
    double rounding;  // of a generalised moment [N m]
} sh_value;

typedef struct plait_superhelix {
    // constant
    int n, gauss, dofs;
    double u[SH_GAUSS_MAX], w[SH_GAUSS_MAX]; // Gauss rule on (0, 1)
    double *length, *natural;                // [n], [3n]
    double stiffness[3], viscous[3];         // against k, of the section of the rod ...
    double *firm, *heavy, *spun;             // [n] ... and of each element, relative to it: these, mass, inertia
    plait_rod_law law;
    double *plastic, *creep; // [2n], [3n] in the state, against k; NULL: it does not yield, or relax
    // the iterate
    sh_pose root;
    double *k;         // [3n]
    sh_pose *node;     // [n + 1], node[0] = root
    double *lin, *ang; // [9n] motion of what hangs from each element, about the root, world axes
    double *lin_end;   // [9n] motion of the element's own end
    // results
    double *gradient; // [dofs]
    double *hessian;  // [dofs * dofs], lower triangle
    double *scale;    // [dofs] positive diagonal: elastic plus inertial part of the Hessian's
    // solving
    unsigned char *held;   // [dofs]; of the root only
    int active;            // dofs that are not held: a tail of the root's (listed in `index`) and all others
    int *index;            // [dofs]
    long stride;           // of the factor's rows
    double *factor;        // [stride * stride]
    double *step;          // [dofs]
    double *present;       // [12 + 3n] the iterate that was accepted last
    double *vector;        // [dofs]
    double *metric;        // [dofs] elastic stiffness: how steps back to the constraint are measured
    double *tip_C, *tip_Z; // [6 dofs]
    sh_goal goal;
    double shift;   // of the last factorisation
    sh_value value; // where the gradient was taken
    double work;    // of the couples in the step that is tried
    int expanded;   // the Hessian is that of the iterate: 1, without what can make it indefinite: -1, of another: 0
    double dt;      // of the last linearise
} plait_superhelix;

// superhelix_law.c: an element for rod_law.h; s[3] <- its stiffnesses.
plait_rod_site plait_superhelix_site(const plait_superhelix *sh, int q, double s[3]);
// What it remembers adds in the step at hand, per length, at the iterate.
plait_rod_more plait_superhelix_more(const plait_superhelix *sh, int q);
// Plastic strains and creep are those of the end of a step (INFINITY: statics), with k.
void plait_superhelix_learn(const plait_superhelix *sh, double dt, const double *k);
bool plait_superhelix_strain(const plait_rod *rod, int node, double strain[3], double moment[3]); // rod.h

// superhelix.c
// Everything that a step of dt aims at; dt = 0: statics. The iterate is the state with its ends where they should be.
void plait_superhelix_set_goal(const plait_rod *rod, double dt);
// Places and directors of all Gauss points at the iterate: [9 gauss n].
void plait_superhelix_sample(const plait_superhelix *sh, double *points);

// The state is the iterate, at rest.
void plait_superhelix_rest(plait_rod *rod);

// superhelix_fit.c: the start shape laid through a finer line (shape->drawn); where there is none it stays as it is.
void plait_superhelix_fit(plait_rod *rod, const plait_rod_shape *shape);

// superhelix_hold.c: natural strains for which the state is in equilibrium (rod.h).
void plait_superhelix_get_natural(const plait_rod *rod, int site, double *natural);
void plait_superhelix_set_natural(plait_rod *rod, int site, const double *base, const double more[3]);
const char *plait_superhelix_hold(plait_rod *rod, double *curl);
bool plait_superhelix_stable(plait_rod *rod, double rate);
void plait_superhelix_stiffen(plait_rod *rod, double factor);

// Frames of the nodes from root and k; with motion, also lin, ang and lin_end.
void plait_superhelix_place(plait_superhelix *sh, bool motion);
// P at the iterate. order 0: P; 1: and its gradient; 2: and its Hessian. geometric = false leaves the Hessian without
// the terms that can make it indefinite. Calls place itself.
sh_value plait_superhelix_evaluate(plait_superhelix *sh, int order, bool geometric);

// The same of order 2, with couples and multipliers that fit the iterate; and of order 1.
sh_value plait_superhelix_expand(plait_superhelix *sh, bool geometric);
sh_value plait_superhelix_slope(plait_superhelix *sh);
// The iterate moved by sh->step, of which held dofs are zero. False: the tip cannot be brought back to where it is
// held.
bool plait_superhelix_go(plait_superhelix *sh);

// A minimum of P under the tip's constraint (newton.h); dt = 0: statics. False: not converged, the report says why.
bool plait_superhelix_minimise(plait_rod *rod, const plait_newton_options *options, plait_step_report *report);
// superhelix_tip.c: all do nothing if the tip is free.
// Moves the iterate to where the tip's condition holds. False: it does not get there.
bool plait_superhelix_retract(plait_superhelix *sh);
// Updates the multipliers so that the gradient is as small as they can make it, and the gradient.
void plait_superhelix_balance_tip(plait_superhelix *sh);
// Makes sh->step keep the condition to first order; the factor is that of the last factorise.
void plait_superhelix_keep_tip(plait_superhelix *sh);
// superhelix_point.c: the derivative of the point `pose` at the coordinate a of element q: 3 x (6 + 3 (q + 1)), rows
// `stride` apart; and how the frame turns there, in the same columns. After place with motion.
void plait_superhelix_point_jacobian(const plait_superhelix *sh, int q, double a, const sh_pose *pose, int stride,
                                     double *J);
void plait_superhelix_section(const plait_rod *rod, int segment, double a, double R[9]); // rod.h
void plait_superhelix_frame_jacobian(const plait_superhelix *sh, int q, double a, int stride, double *S);
// superhelix.c: the iterate is where the step dt leads with v; x, m1, m2 [9 points] of the iterate at all Gauss points;
// their velocities v[9] at the start of the step, from where they are and where they were.
// From the start of a step, where set_goal leads, to where dt leads with v; held dofs stay where they are held.
void plait_superhelix_go_on(plait_rod *rod, double dt, const double *v);
void plait_superhelix_start(const plait_rod *rod); // the iterate is the state
void plait_superhelix_sample(const plait_superhelix *sh, double *points);
void plait_superhelix_motion(const plait_rod *rod, const double rate[2], const double *now, const double *before,
                             double *v);
// The iterate is the configuration of so many steps ago, relative to the state's root.
void plait_superhelix_load(const plait_rod *rod, int ago, bool motion);
// The rotation vector from one orientation to another, in world axes.
void plait_superhelix_turn_between(const double *from, const double *to, double turn[3]);

// superhelix_past.c
int plait_superhelix_past_size(const plait_rod *rod);
// Where the configuration of so many steps ago (0, 1; with BDF2 2, 3) is: x, quaternion; k.
double *plait_superhelix_configuration(const plait_rod *rod, int ago, double **k);
// Velocities of all points are rate (now - were), rate[0] that of places, rate[1] that of directors. inertial: for the
// step at hand, those that it starts with (bdf2.h: vhat). were [9 points] at Gauss points; or [3 (n + 1)] places of
// nodes, the rate is returned.
void plait_superhelix_were(const plait_rod *rod, bool inertial, double *were, double rate[2]);
// goal.now, and in goal.targets where they were. A step asks several times for the same.
void plait_superhelix_sample_motion(const plait_rod *rod, bool inertial, double rate[2]);
// goal.now, goal.targets: where all points would be after a step of dt if nothing held them together.
void plait_superhelix_set_targets(const plait_rod *rod, double dt);
double plait_superhelix_nodes_were(const plait_rod *rod, double *were);
void plait_superhelix_remember(plait_rod *rod);                   // a step is about to be accepted
void plait_superhelix_forget(plait_rod *rod);                     // the velocity is that of the last two configurations
void plait_superhelix_add_older(const plait_rod *rod, double *v); // v [dofs] += what older ones give
// superhelix_spend.c
bool plait_superhelix_slopes(plait_rod *rod, double dt, const double *v, plait_rod_slopes *slopes);
void plait_superhelix_spend(const plait_rod *rod, double dt, const double *v, plait_rod_spent *spent);
// superhelix_build.c
plait_status plait_superhelix_build(plait_rod *rod, const plait_rod_shape *shape, plait_error *error);
void plait_superhelix_free(plait_rod *rod);
void plait_superhelix_bind(plait_rod *rod);
void plait_superhelix_end_frame(const plait_end *end, double R[9]);

// superhelix_dense.c
// Cholesky of scale_by * (Hessian of the active dofs + shift * scale); false if not positive definite.
bool plait_superhelix_factorise(plait_superhelix *sh, double scale_by, double shift);
// x[dofs] <- solution on the active dofs; the others are left alone.
void plait_superhelix_solve(const plait_superhelix *sh, double *x);

#endif
