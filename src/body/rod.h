// rod.h: what a rod model gives to the rest of the program, and nothing else knows which model it is.
//
// One time step, in terms of the generalised velocity v [dofs] at the end of the step:
//
//     predict     solves the body's own implicit step; v is left in body->v, the state is not touched
//     linearise   at a given v: M = d(residual)/dv factorised, and f such that M v' = f is the next Newton iterate
//     solve       X <- M^-1 X for a few right-hand sides
//     point       a material point's position and its 3 x dofs derivative, at the state of the start of the step
//     accept      state <- state at the end of the step with velocity v
//
// A step without contacts is predict + accept. Dofs that an end holds stay in v: their rows of M are the identity and
// their right-hand sides are the prescribed velocity (so a contact force on them moves nothing: solve() treats them as
// zero for right-hand sides from contacts by setting the entry to zero).
//
// A model is one static const plait_rod_type; its row is in the table of rod.c. All functions are given a rod whose
// common fields (below) are valid; `impl` is the model's own.
#ifndef PLAIT_BODY_ROD_H
#define PLAIT_BODY_ROD_H

#include "plait/rod.h"

typedef struct plait_rod_type plait_rod_type;

// The rod, as the models see it.
struct plait_rod {
    // constant after build
    const plait_rod_type *type;
    int id;
    int segments; // nodes are segments + 1
    int dofs;
    int bandwidth; // of M: entries farther than this from the diagonal are zero
    // straight segments: node j has the dofs stride j .. stride j + 2; 0: nodes move with all dofs before them
    int stride;
    plait_section section;
    plait_section *piece; // [segments] sections along it; NULL: it is the same everywhere
    double length; // natural
    // loads and ends; changed by the user between steps, read by the model
    plait_end end[2];       // checked: finite, tangent of unit length, director a unit vector normal to it
    double gravity[3];      // what acts: as it was told, and what a simulation adds for the wind
    double told_gravity[3]; // plait_rod_set_gravity
    bool owned;             // by a simulation, which alone steps and frees it
    bool carried[2];        // the end follows a collider of the simulation
    double *force;          // [3 * (segments + 1)] dead loads
    double *couple;         // [segments] about the tangents
    double *told;           // [4 segments + 3] both as they were told, where a simulation adds others; or NULL
    // state: exactly what a checkpoint stores; the model decides what is in it
    int state_size;
    double *state; // [state_size + 1], the last is the time
    bool lent;     // the state is in memory of somebody else
    // work
    double *v;                       // [dofs] result of predict, input of accept
    const struct plait_bdf2 *second; // this step is one of BDF2 (fibre_bdf2.c); NULL: implicit Euler
    double *past; // [past_size] behind the state, for a simulation with BDF2; NULL: not needed, or not asked for
    void *impl;   // the model's constants and work memory
};

// What rod.c hands to build(): checked, resampled, natural length per segment filled in.
typedef struct plait_rod_shape {
    int segments;
    const double *x;    // [3 * (segments + 1)] initial centreline
    const double *rest; // [segments] natural lengths
    // Natural strains at the inner nodes and, for clamped ends, at the end nodes: at node i over its Voronoi length
    // (half of it at the end nodes), as rates [1/m].
    const double *kappa;  // [2 * (segments + 1)] k1n, k2n
    const double *tau;    // [segments + 1] taun
    const double *frames; // [9 * segments] initial material frames m1, m2, t of the segments
    // A curved model whose line was drawn finer than its segments; 0: it was not.
    int drawn_points;
    const double *drawn; // [3 * drawn_points]
    double at_rest;      // natural curvature, relative to that of the line; 0: it is another one
} plait_rod_shape;

// M v = f about a velocity; NULL: not asked for.
typedef struct plait_rod_linear {
    double *f;           // [dofs]
    double *M;           // [(bandwidth + 1) c + d]: entry (c + d, c) of the lower triangle, zero below the last row
    unsigned char *held; // [dofs] those that an end holds: their rows and columns are the identity's. Goes with M
    bool as_is;          // definite or not: it is not factorised
} plait_rod_linear;

enum { PLAIT_ROD_STRAINS = 5 };

// Gradients [dofs] of elastic energy and loads, those of held dofs too: at x0, with clamps turned to where they go in
// the step, and at x0 + dt v; there also with inertia, drag and viscosity. The values are elastic energy less what
// loads have done, up to a constant of the step.
typedef struct plait_rod_slopes {
    double *start, *end; // NULL: neither is wanted
    double *whole;
    double start_value, end_value;
} plait_rod_slopes;

// With V0, V the velocities of material points at the start of a step and over it, m their masses.
typedef struct plait_rod_spent {
    double inertial;    // [J] sum of m V . (V - V0)
    double shed;        // [J] of that, what does not become kinetic energy: sum of m |V - V0|^2 / 2
    double plastic;     // [J] lost by plastic flow
    double damping;     // [J] by viscosity: dt times the sum of stresses times rates of strain
    double square;      // [J] sum of m |V|^2, as drag sees it ...
    double momentum[3]; // [N s] ... and of m V
    double past;        // [J] sum of m V . V of the step before; steps of BDF2 only
    double loads;       // [J] work of dead forces and couples
    double tip;         // [J] work of what holds a tip that is no dof
    double clamps;      // [J] work of clamps that turn and are no dofs, against viscosity
} plait_rod_spent;

struct plait_rod_type {
    plait_rod_model model;
    const char *name;
    const char *title;
    unsigned abilities;
    int max_segments; // 0: any number
    int samples;      // curved segments: nodes per segment that contacts need; 0: segments are straight

    // 1. Degrees of freedom and state layout: sets dofs, bandwidth, stride and state_size, calls plait_rod_room for
    //    state (to be filled) and v, allocates impl. Everything that steps and relax need is allocated here.
    //    PLAIT_NO_MEMORY: what
    //    was allocated is left to free().
    plait_status (*build)(plait_rod *rod, const plait_rod_shape *shape, plait_error *error);
    void (*free)(plait_rod *rod); // impl; may be NULL or half built
    void (*bind)(plait_rod *rod); // rod->state is elsewhere now. May be NULL

    // 2. The unconstrained step. False: did not converge (report says why).
    bool (*predict)(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report);
    // 3. M at velocity v for the step dt, factorised; `out` gets what of it is asked for. False: M is not positive
    //    definite, and `out` has nothing of use.
    bool (*linearise)(plait_rod *rod, double dt, const double *v, const plait_rod_linear *out);
    //    residual: what is out of balance at v, g = dt gradient(x0 + dt v), which is M v - f of a linearisation
    //    there; 0 at held dofs. One gradient: M and its factor stay those of the last linearise. False: it cannot be
    //    there.
    bool (*residual)(plait_rod *rod, double dt, const double *v, double *g);
    //    slopes: gradients at both ends of a step with v. False: it cannot be there.
    bool (*slopes)(plait_rod *rod, double dt, const double *v, plait_rod_slopes *slopes);
    //    spend: what a step with v costs, after its slopes. The state is that of its start.
    void (*spend)(const plait_rod *rod, double dt, const double *v, plait_rod_spent *spent);
    //    retract: v = about + d to first order, d a change that was found with M about `about`; edges are turned by d
    //    instead of being sheared, frames are turned and not added, a held tip stays held. A full Newton step of a
    //    stiff rod can bend it far. about, d and v may not overlap. False: an edge or a hinge collapses.
    bool (*retract)(plait_rod *rod, double dt, const double *about, const double *d, double *v);
    // 4. X[count][dofs] <- M^-1 X, M of the last linearise.
    void (*solve)(plait_rod *rod, double *X, int count);
    // 5. The point at a segment's natural coordinate 0 <= a <= 1. Its derivative has `count` consecutive columns from
    //    `first`: J[3][count], row-major, room for 3 * dofs. Returns count.
    int (*point)(const plait_rod *rod, int segment, double a, double position[3], int *first, double *J);

    //    How fast the section turns there, in the same columns: S[3][count], straight segments. NULL: curved segments,
    //    or sections that do not turn.
    void (*spin)(const plait_rod *rod, int segment, double *S);
    //    Curved segments: the frame of the section there, columns m1, m2, t. NULL: straight segments.
    void (*section)(const plait_rod *rod, int segment, double a, double R[9]);

    // False: it would fold or collapse; the state is as it was.
    bool (*accept)(plait_rod *rod, double dt, const double *v);
    // Moves the state by dt v without changing its velocity: how a penetration is undone.
    bool (*shift)(plait_rod *rod, double dt, const double *v);
    // How many of the first dofs move the points of a segment. NULL: straight segments.
    int (*reach)(const plait_rod *rod, int segment);
    // Places of the points that cut every segment into `samples` pieces, both ends included, and their derivatives:
    // x[3 (segments samples + 1)], J (may be NULL) [nodes][3 dofs] row-major; S (may be NULL, and is without J) like J:
    // how fast the sections turn. NULL in the table: straight segments.
    void (*trace)(const plait_rod *rod, int samples, double *x, double *J, double *S);
    // Statics: state <- a stable equilibrium. False: state untouched.
    bool (*relax)(plait_rod *rod, const plait_relax_options *options, plait_step_report *report);

    // Inverse statics: NULL in the table if the model cannot. hold: natural shape <- one for which the state is in
    // equilibrium under the present loads; returns why not, or NULL; *curl: the largest change from the curvature of
    // the state [1/m]. stable: whether energy - rate^2 mass/2 |x|^2 has a minimum at the state. stiffen: bending and
    // twisting, and what damps them, times a factor.
    const char *(*hold)(plait_rod *rod, double *curl);
    bool (*stable)(plait_rod *rod, double rate);
    void (*stiffen)(plait_rod *rod, double factor);

    // What it is doing, from the state alone. frames may be NULL in the table for models without twist.
    void (*positions)(const plait_rod *rod, double *x);
    void (*velocities)(const plait_rod *rod, double *v);
    void (*frames)(const plait_rod *rod, double *frames);
    plait_rod_energies (*energy)(const plait_rod *rod);
    // The generalised velocity [dofs] that the state has, and another one for it.
    void (*get_v)(const plait_rod *rod, double *v);
    void (*set_v)(plait_rod *rod, const double *v);
    // Its masses, to be changed for a step: *count of them. NULL: those of the section are all.
    double *(*masses)(const plait_rod *rod, int *count);
    // Numbers of the past that steps of BDF2 need beside v. NULL: none.
    int (*past_size)(const plait_rod *rod);
    // Curvatures k1, k2 and twist at a node [1/m], and the elastic moment there [N m] in the world, which the part of
    // the rod beyond the node exerts. NULL: not known; false: there is none at this node.
    bool (*strain)(const plait_rod *rod, int node, double strain[3], double moment[3]);
    // Natural strains at a node (curved segments: of a segment): as they are, at most PLAIT_ROD_STRAINS numbers; and
    // those of `base` with the rates k1, k2, twist [1/m] on top. NULL: the model's natural shape stays as it is.
    void (*get_natural)(const plait_rod *rod, int site, double *natural);
    void (*set_natural)(plait_rod *rod, int site, const double *base, const double more[3]);
    // The ends were changed: may recompute masks. May be NULL.
    void (*ends_changed)(plait_rod *rod);
    // The section of an end segment is held by a joint from now on: bending of the half segment that it holds, and of
    // the whole one beyond, are with the next hinge. NULL: a model need not, or does not, know.
    void (*weld)(plait_rod *rod, int end);
    // Adds the velocities of a rigid motion.
    void (*kick)(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3]);
};

// What plait_rod_type.point gives where segments are straight and node j has the dofs stride j .. stride j + 2.
// x: places of all nodes.
int plait_rod_link_point(const double *x, int stride, int segment, double a, double position[3], int *first, double *J);

// State and v, cleared, by sizes that are set. False without memory.
bool plait_rod_room(plait_rod *rod);
// The state is, from now on, in memory of the caller, who has copied it there: [state_size + 1], as long as the rod
// lives.
void plait_rod_use_state(plait_rod *rod, double *memory);

// The section of a segment.
static inline const plait_section *plait_rod_section(const plait_rod *rod, int segment)
{
    return rod->piece ? &rod->piece[segment] : &rod->section;
}

// Nodes per segment: what is asked for, or (0) what the model likes.
static inline int plait_rod_samples(const plait_rod_type *type, int asked)
{
    return asked > 0 ? asked : type->samples > 0 ? type->samples : 1;
}
// Places (velocities) of all nodes, `samples` per segment: [3 (segments samples + 1)].
void plait_rod_nodes(const plait_rod *rod, int samples, double *x);
void plait_rod_node_velocities(const plait_rod *rod, int samples, double *u);

static inline double *plait_rod_clock(const plait_rod *rod)
{
    return rod->state + rod->state_size;
}

// The row of a model; NULL if it is not built in.
const plait_rod_type *plait_rod_type_of(plait_rod_model model);

// What plait_rod_set_end does, also for ends that follow a collider.
plait_status plait_rod_place_end(plait_rod *rod, int end, const plait_end *condition, plait_error *error);

extern const plait_rod_type plait_rod_der;
extern const plait_rod_type *const plait_rod_types[]; // rod_table.c; the last one is NULL
extern const plait_rod_type plait_rod_superhelix;
extern const plait_rod_type plait_rod_massspring;
extern const plait_rod_type plait_rod_corde;

#endif
