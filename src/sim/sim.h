// sim.h: a simulation, seen from inside: what the stages of a step hand to each other.
//
// Bodies are fibres first, then rigid bodies. A fibre is a chain of nodes for contact: its model's nodes, or for curved
// segments `samples` points in each. A node's velocity is linear in the fibre's generalised velocity: J v; for models
// of straight segments J is known, for the others it is stored (jacobian).
//
// model: constant after build. state: exactly what a checkpoint stores. work: everything else.
#ifndef PLAIT_SIM_SIM_H
#define PLAIT_SIM_SIM_H

#include "body/rod.h"
#include "collide/anchor.h"
#include "collide/collide.h"
#include "contact/bands.h"
#include "plait/sim.h"

typedef struct plait_sim_fibre {
    plait_rod *rod;
    int samples;    // nodes per segment of the model, if it is curved; else subdivisions
    int stride;     // straight segments: node j of the model has the dofs stride j .. stride j + 2
    double *rest;   // [segments] natural lengths
    double drag;    // [1/s]
    int carrier[2]; // collider that an end follows; -1: it stays in the world
    plait_anchor anchor[2];
    double *jacobian;    // [nodes][3 dofs] where it was linearised; NULL: straight segments
    double *offset;      // [3 nodes] with a jacobian: nodes have the velocity J v + offset
    double *state;       // [rod->state_size] before the step, to go back to
    double *M;           // [dofs (bandwidth + 1)]
    double *f;           // [dofs]
    unsigned char *held; // [dofs]
    double *start;       // theta < 1: mass, f about rest, room for a factor (theta.c)
    bool bad;            // something failed in this attempt
    const char *reason;
    double *there; // [3 nodes] where its nodes are; only with a jacobian
    double miss;   // how far that is from where the linearised motion leads
    double strain; // ADONIS: how badly it was modelled, the last time
    double *about; // [dofs] ADONIS: the velocity about which it was linearised last
    int anew;      // ADONIS: how often it was linearised anew in this attempt
} plait_sim_fibre;

typedef struct plait_sim_rigid {
    double mass, inertia[3]; // about the principal axes of the shape
    plait_shape shape;       // owned by the scene copy
    int material;
    // state
    plait_pose pose;
    double velocity[3], spin[3];
    // work
    plait_pose saved;
    double saved_velocity[3], saved_spin[3];
    double I[9]; // in the world, at the start of the step
} plait_sim_rigid;

struct plait_sim {
    // model
    plait_scene *scene; // own copy: colliders, materials, stepping; without fibres
    int fibres, rigids, nodes, dofs, threads;
    plait_sim_fibre *fibre;
    plait_chain_geometry *chain; // [fibres]
    double *arc;                 // [nodes]
    int *first_node;             // [fibres + 1]
    int *first_dof;              // [fibres + rigids + 1]
    double *radius;              // [fibres]
    double proximity, spacing, max_move;
    bool bounces; // some restitution is not zero
    // state
    double time, dt_next;
    int64_t steps;
    int calm; // accepted steps since dt was last cut
    plait_sim_rigid *rigid;
    plait_touches previous;   // contacts of the last accepted step
    double *previous_impulse; // [3 previous.count] in the world
    int previous_room;
    double previous_dt;
    // work
    double *x0, *x1;    // [3 nodes] start and end of the step
    double *v_free, *v; // [dofs] generalised: unconstrained, corrected
    double *u0;         // [3 nodes] velocities of the nodes at the start
    plait_detector *detector;
    plait_touches touches, missed;
    plait_shape_geometry *shape; // [colliders + rigids]
    double **points;             // [colliders][2] animated vertices at start and end, or NULL
    plait_problem *problem;
    plait_solution *solution;
    double *frame;    // [9 contacts] normal, tangent, tangent in rows
    double *gap_term; // [contacts] what was added to w_N for the gap
    int contact_room;
    double *problem_v;   // [dofs] velocities in the problem's order
    int *body_dof;       // [fibres + rigids] first of its free dofs in the problem, -1: takes no part
    int *body_place;     // [fibres + rigids] which of the bodies in the problem
    bool contacts_shown; // problem, solution and frame belong to `previous`
    plait_sim_report report;
};

// ---- stages (one file each) ----------------------------------------------------------------------------------------
// All return false if the attempt fails: sim->report.reason says why; *status is not OK if it cannot go on at all.

typedef struct plait_attempt {
    double dt;
    int round;         // of what continuous detection found in the corrected motion
    int known;         // contacts whose impulses in `solution` are a good start
    bool rough;        // ADONIS: fibres will be linearised anew; until then contacts need not be solved well
    bool polish;       // since the last solve nothing has changed, but it was rough
    bool relinearised; // since the last assemble nothing else has changed: fibres that are `bad`
    plait_status status;
    plait_error *error;
} plait_attempt;

bool plait_sim_predict(plait_sim *sim, plait_attempt *a);  // ends and colliders to t + dt; v_free, x0, x1, M, f
bool plait_sim_detect(plait_sim *sim, plait_attempt *a);   // touches
bool plait_sim_assemble(plait_sim *sim, plait_attempt *a); // problem, warm start in solution
bool plait_sim_solve(plait_sim *sim, plait_attempt *a);    // solution
bool plait_sim_correct(plait_sim *sim, plait_attempt *a);  // v, x1
// Both: *again: assemble and solve once more. relinearise: fibres are badly modelled; they are linearised anew.
// catch: something would pass through; it is in touches now.
bool plait_sim_relinearise(plait_sim *sim, plait_attempt *a, bool *again);
bool plait_sim_catch(plait_sim *sim, plait_attempt *a, bool *again);
bool plait_sim_accept(plait_sim *sim, plait_attempt *a);  // the new state
void plait_sim_observe(plait_sim *sim, plait_attempt *a); // the report

// theta.c, for theta < 1. section: a model's, to be built with. begin: once in a step. mix: M and f of the last linearise.
// velocity: M^-1 f. False: not positive definite, or no memory.
bool plait_sim_theta_allocate(plait_sim_fibre *fibre);
void plait_sim_theta_section(double theta, plait_section *section);
bool plait_sim_theta_begin(plait_sim *sim, int fibre, double dt);
void plait_sim_theta_mix(plait_sim *sim, int fibre);
bool plait_sim_theta_velocity(plait_sim *sim, int fibre, double *v);

// As good as zero for linearise: M becomes the mass, in which dt^2 times the stiffness is lost in rounding.
#define PLAIT_SIM_NO_TIME 1e-10

// ---- shared --------------------------------------------------------------------------------------------------------

// Pose of a collider's frame at time t.
plait_pose plait_collider_pose_at(const plait_collider *c, double t);
// Vertices of an animated mesh at time t.
void plait_shape_points_at(const plait_shape *s, double t, double *point);
// What carries the ends of fibres along: once, with the colliders at the start. And: an end where its carrier takes it.
plait_status plait_sim_anchor_ends(plait_sim *sim, const plait_scene *scene, plait_error *error);
void plait_sim_set_end(plait_sim *sim, plait_sim_fibre *fibre, int e);
// Collider geometry for a step from t to t + dt. And: with the ends of all fibres, and the wind.
void plait_sim_set_shapes(plait_sim *sim, double dt);
void plait_sim_set_scene(plait_sim *sim, double dt);
// x0 and jacobians from the state.
void plait_sim_trace(plait_sim *sim);
// out <- x0 + dt J v for all nodes.
void plait_sim_move_nodes(const plait_sim *sim, double dt, const double *v, double *out);
// Speed of the fastest node of a fibre for its generalised velocity v.
double plait_sim_fastest_node(const plait_sim *sim, int fibre, const double *v);
// The velocity of the point of side k of a contact for the generalised velocity v of all bodies; 0 for colliders.
void plait_sim_point_velocity(const plait_sim *sim, const plait_side *side, const double *v, double u[3]);
// The same in the state at the start of the step.
void plait_sim_point_velocity_before(const plait_sim *sim, const plait_side *side, double u[3]);
// M, f (and, where it is curved, jacobian and offset) of a fibre about the velocity v. False: it cannot be.
bool plait_sim_linearise(plait_sim *sim, int fibre, double dt, const double *v);
// How far the nodes of a curved fibre are, in the state it has now, from x1 [m].
double plait_sim_miss(const plait_sim *sim, int fibre);
void plait_sim_fibre_positions(const plait_sim *sim, int fibre, double *x);
// Velocities of all nodes in the present state.
void plait_sim_node_velocities(const plait_sim *sim, double *u);
// J of a side's point: 3 x *count columns from dof *first of its body; returns the body, or -1 (nothing moves).
// carried: the velocity that held dofs give to the point; their columns are zero.
int plait_sim_point_jacobian(const plait_sim *sim, const plait_side *side, int *first, int *count, double *J,
                             double carried[3]);
double plait_sim_friction(const plait_sim *sim, const plait_touch *t, double *restitution);
// missed <- all that passes through something between x0 and x1.
plait_status plait_sim_find_crossings(plait_sim *sim, plait_error *error);
bool plait_sim_add_touch(plait_sim *sim, const plait_touch *touch);
void plait_sim_save(plait_sim *sim);
void plait_sim_restore(plait_sim *sim);
// How many dofs of a body take part in contact problems, from dof `from` on: all but those that ends hold.
int plait_sim_free_dofs(const plait_sim *sim, int body, int *from);
// M and f of the bodies that take part; f has room for their dofs. False without memory.
bool plait_sim_bands(plait_sim *sim, plait_bands *bands, double *f);
// Those of one body, into the bands of a problem.
void plait_sim_fill_band(const plait_sim *sim, int body, plait_bands *bands, double *f);
// Moves a rigid body with the velocity and spin v[6] for dt.
void plait_sim_turn_rigid(plait_pose *pose, double dt, const double *v);
// Pushes penetrations out by a displacement without velocity.
bool plait_sim_recover(plait_sim *sim, plait_attempt *a);
// Largest relative stretch of a fibre's chain between nodes x (of that fibre).
double plait_sim_stretch(const plait_sim *sim, int fibre, const double *x);

// The body of a side of a contact; -1: nothing that forces move.
static inline int plait_sim_body_of(const plait_sim *sim, const plait_side *side)
{
    if (!side->on_shape)
        return side->index;
    int r = side->index - sim->scene->colliders;
    return r >= 0 ? sim->fibres + r : -1;
}

static inline bool plait_sim_reject(plait_sim *sim, const char *reason)
{
    sim->report.reason = reason;
    return false;
}
static inline bool plait_sim_no_memory(plait_sim *sim, plait_attempt *a)
{
    a->status = plait_error_set(a->error, PLAIT_NO_MEMORY, "no memory for %d contacts", sim->touches.count);
    return false;
}

#endif
