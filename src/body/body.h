// body.h: all that a simulation knows of a body. One list holds them all; a row of functions (plait_body_type) is what
// they are.
//
// A body is anything that moves or is touched: a fibre of any rod model (fibre.c), a rigid body (rigid.c), a collider
// (collider.c: no dofs, a script moves it). In a step of dt, with v [dofs] the generalised velocity at its end:
//
//     drive      where a script takes it                            load       ends, gravity, wind
//     trace      nodes x0 at the start, and how they move with v
//     predict    its own step: v without contacts, and then ...
//     linearise  M, f about a velocity v: M v' = f + what contacts add
//     limb       how one of its points moves with the dofs: u = J v + carried
//     move       where nodes (or the shape) are at the end: x1
//     doubt      how far that is from what the body would do: above 1 it has to be linearised again
//     accept     state <- the end of the step                       shift      state <- moved by dt psi, nothing else
//
// Who holds the list gives memory for the state (one block for all bodies), for nodes and for M; a body keeps the rest
// (impl). Bodies do not know each other but for a fibre's ends, which may be carried by another body's shape.
// A NULL in a row means "nothing to do", and 0 where a number is asked for.
#ifndef PLAIT_BODY_BODY_H
#define PLAIT_BODY_BODY_H

#include "collide/anchor.h"
#include "collide/collide.h"
#include "plait/motion.h"
#include "plait/rod.h"
#include "plait/soft.h"

typedef struct plait_body plait_body;

// The wind from place to place (sim/air.c): eddies as a sum of waves, and shelter behind fibres.
enum { PLAIT_AIR_WAVES = 12 };
typedef struct plait_air {
    bool any;
    bool carried;    // the air moves with a periodic cell: ...
    double grad[9];  // [1/s] ... along i per place along j at [3 i + j]
    int waves;
    double wave[PLAIT_AIR_WAVES][3], swing[PLAIT_AIR_WAVES][3], phase[PLAIT_AIR_WAVES]; // [1/m], [m/s], [rad]
    // Of what reaches a place: a grid over all fibres, NULL: everything reaches everywhere.
    int size[3];
    double low[3], cell;
    float *open;  // [size] 0 .. 1
    double *node; // [3 room] scratch
    int room;
} plait_air;

// What all bodies of a simulation are subject to, at the end of the present step.
typedef struct plait_world {
    double gravity[3]; // [m/s^2]
    double wind[3];    // [m/s]
    const plait_air *air;
    double calm; // [1/s] what slows everything down while it settles; 0: nothing
} plait_world;

// How bodies answer to contacts, and when an answer is doubted.
typedef struct plait_response {
    plait_step_options own; // the step without contacts
    bool second_order;      // BDF2 where it may be (bdf2.h)
    double theta;           // elastic forces: this much those at the end of the step (fibre_theta.c)
    bool couple;            // contacts act at the surface of fibres
    bool turns;             // joints turn with the sections of curved fibres
    bool mass_alone;        // contacts act through the mass alone
    bool follows;           // it will be linearised again about where it goes: derivatives of nodes are taken there too
    bool balanced;          // ... until its momentum is balanced
    double stretch;         // a doubt of 1, for bodies that stretch: this stretch ...
    double stretch_rate;    // [1/s] ... or, if it is not 0, this rate of stretch
} plait_response;

typedef struct plait_body_energies {
    double kinetic, elastic, potential; // [J]
} plait_body_energies;

// Where the energy of a body went in a step, and where it came from [J]; without contacts.
typedef struct plait_account {
    double ends;      // work of what holds it: nodes that a script moves, clamps that turn
    double air;       // work of the air, less than zero where it slows down
    double loads;     // work of dead forces and couples
    double damping;   // lost to viscosity
    double numerical; // lost by the step itself; gained, if it is less than zero
    double contacts;  // momentum that contacts gave it, c = M v - f, times v
    double balance;   // as `balance` would tell, if it is touched and that costs little here; else less than zero
} plait_account;

typedef struct plait_body_type {
    const char *name;
    void (*free)(plait_body *b); // impl
    // The state has been moved to b->state.
    void (*bind)(plait_body *b);

    // Whether numbers can be its state at a time. NULL, or what is wrong with them (static text).
    const char *(*check)(const plait_body *b, const double *state, double time);
    // Binds it to what carries it along. shapes: of all bodies, at the start; binder: one for each. False without
    // memory.
    bool (*attach)(plait_body *b, const plait_shape_geometry *shapes, plait_binder *binder);
    // The bodies from[count] are at `to` now: what it knows of them by address goes along.
    void (*follow)(plait_body *b, const plait_body *from, int count, const plait_body *to);

    // A clamped end, whose node ties hold, turns with the triangle of these nodes of another body from now on.
    void (*turn_with)(plait_body *b, int end, const plait_body *other, const int corner[3]);

    void (*restart)(plait_body *b, double time); // it is this time now; NULL: it has none of its own
    void (*drive)(plait_body *b, double time, double dt);
    void (*load)(plait_body *b, const plait_world *world);
    // What touches of a body with a chain: radius and material of the chain, natural arc positions of its nodes.
    void (*describe)(const plait_body *b, plait_chain_geometry *chain, double *arc);

    // b->x0 from the state. Then places and velocities in the present state: [3 nodes].
    void (*trace)(plait_body *b);
    void (*nodes)(const plait_body *b, double *x);
    void (*velocities)(const plait_body *b, double *u);
    // v [dofs] <- the motion without contacts; M and f about it. NULL, or why it cannot be (static text).
    const char *(*predict)(plait_body *b, double dt, double *v);
    // M and f about v. False: it cannot be linearised there.
    bool (*linearise)(plait_body *b, double dt, const double *v);
    // The same with M as it is, definite or not: where an equilibrium is not stable. NULL: it is not known.
    bool (*tangent)(plait_body *b, double dt, const double *v);
    // M alone, about rest, for a step of `time`: the metric in which a penetration is undone. f is lost.
    bool (*stiffen)(plait_body *b, double time);

    // How a point moves with the dofs. Of a chain: between nodes segment and segment + 1; of a skin: the point of its
    // triangle
    // `segment` with the weights of the side (plait_side_weights); of a shape: where it is.
    // Impacts (sim/bounce.c): v <- its velocity at the start of the step; M as for a step of dt from rest, f the
    // momentum. Then the velocity of its state becomes v. NULL: it does not bounce. False: not positive definite.
    bool (*strike)(plait_body *b, double dt, double *v);
    void (*rebound)(plait_body *b, const double *v);
    // Integrator bdf2: the state, and the masses, are those of the start of the step again.
    void (*rewind)(plait_body *b);
    bool alone_only; // integrator bdf2: whatever touches it lets it begin anew, also what rests

    // The side's point, or what is beyond it by the side's arm and turns with it: J[3][count], row-major, on the dofs
    // dof[count], ascending; count <= columns. Dofs that are held
    // have no column but zeros; carried: the velocity that they, or the linearisation, give to the point. Returns
    // count.
    int (*limb)(const plait_body *b, const plait_side *side, int *dof, double *J, double carried[3]);
    // Material frame of a link at the start of the step, m1, m2, t in columns: what arms turn with. False, or NULL in
    // the row: there is none.
    bool (*section)(const plait_body *b, int segment, double a, double R[9]);
    // Its velocity for v, or at the start of the step (v = NULL, velocities are in b->u0).
    void (*point_velocity)(const plait_body *b, const plait_side *side, const double *v, double u[3]);

    // b->x1, and b->shape->end, after the motion v from the start of the step.
    void (*move)(plait_body *b, double dt, const double *v);
    double (*stretch)(const plait_body *b);                     // largest, relative, of x1
    double (*fastest)(const plait_body *b, const double *v);    // [m/s] of its nodes
    double (*doubt)(plait_body *b, double dt, const double *v); // relative to what is allowed; the state is as before
    // With c = M v - f the momentum that contacts gave it, and g(v) what its own equations lack at v, which is M v - f
    // of a linearisation there: |g - c| / |c|, |a|^2 = a . M^-1 a, a momentum of PLAIT_FLOOR contact radii per dt at
    // least for |c|.
    double (*balance)(plait_body *b, double dt, const double *v);
    // v <- about + d, d found with M about `about`, along its own curved ways. NULL: there are none.
    bool (*retract)(plait_body *b, double dt, const double *about, const double *d, double *v);
    // The impulse [N s] of a contact at the side's point, from the last round or, before predict, from the last step:
    // where it may be linearised, and what of M turns with the body. NULL: forget all.
    void (*press)(plait_body *b, const plait_side *side, const double impulse[3]);
    const char *(*accept)(plait_body *b, double dt, const double *v); // NULL, or why it cannot be
    bool (*shift)(plait_body *b, double dt, const double *psi);
    plait_body_energies (*energy)(const plait_body *b);
    // After accept, of a body without nodes: |x1 - x0 - dt (v0 + v1)/2| of its places, the largest [m] (sim/error.c).
    double (*error)(const plait_body *b, double dt);
    // Before accept, for the velocity v that will be accepted: what the step takes and gives. elastic: energy at its
    // start, before anything was driven. touched: it has contacts. False: it cannot be told.
    bool (*account)(plait_body *b, double dt, const double *v, double elastic, bool touched, plait_account *account);
} plait_body_type;

#define PLAIT_FLOOR 0.1

struct plait_body {
    // measured when it is built, constant then
    const plait_body_type *type;
    int id; // which of its kind
    int dofs;
    int bandwidth;                          // of M ...
    const struct plait_cholesky_plan *plan; // ... or the analysis of its sparse pattern; NULL: a band
    int nodes;                              // of a chain of capsules that it touches with, or of ...
    const plait_skin *skin;                 // ... its triangles; NULL: none. 0 nodes: neither
    int state_size;                         // numbers: places, velocities, what else a checkpoint needs
    int columns;                            // dofs that move one of its points, at most
    bool curved; // how nodes move changes with the linearisation, and only nearly tells where they go
    bool shaped; // it touches with an exact shape
    double edge; // [m] mean length of its links; INFINITY: no nodes
    double fine; // [m] what detection must be able to see; INFINITY: nothing
    const plait_response *response;
    void *impl;
    // memory, given
    double *state;        // [state_size]
    const double *before; // [state_size] at the start of the step
    double *x0, *x1;      // [3 nodes] at the start and at the end of the step
    double *u0;           // [3 nodes] velocities at the start
    const double *arc;    // [nodes]
    double *M;      // [dofs (bandwidth + 1)] entry (c + d, c) of the lower triangle at [(bandwidth + 1) c + d]; with a
                    // plan: [plan->entries], all dofs take part in contacts
    double *f;      // [dofs]
    struct plait_kept_factor *kept; // of M, if that stays for a while; NULL: it does not
    bool restart;   // something hits it in this step: it begins anew with implicit Euler
    double *about;  // [dofs] the velocity about which they were found ...
    bool elsewhere; // ... if predict says so; else v
    bool leans;     // predict relied on contacts: v is of the linearisation alone, not for a body that nothing touches
    int group;       // of fibres
    double friction; // factor of mu at its contacts; 0: 1; constant
    bool keeps;     // what it overlaps at the start may stay so; constant
    unsigned char *held;         // [dofs] rows of M are the identity's, f is the velocity
    plait_shape_geometry *shape; // if shaped
};

// Nodes and weights of a side that is on a skin; returns how many have one. Nodes without weight are left out.
static inline int plait_side_weights(const plait_skin *skin, const plait_side *side, int node[3], double weight[3])
{
    const double w[3] = {1 - side->a - side->b, side->a, side->b};
    int count = 0;
    for (int k = 0; k < 3; k++)
        if (w[k] != 0) {
            node[count] = skin->triangle[3 * (int64_t)side->segment + k];
            weight[count++] = w[k];
        }
    return count;
}

// ---- fibres (fibre.c) ---------------------------------------------------------------------------------------------

extern const plait_body_type plait_body_fibre;

typedef struct plait_fibre_def {
    plait_rod_def rod;
    int samples; // nodes per segment; 0: as the model likes it
    int material;
    double radius;                // [m] of contact
    plait_start start;            // drawn, relaxed, held
    plait_hold_options hold;      // of the last
    bool keeps;                   // what it overlaps at the start may stay so
    double goal;                  // 0 .. 1: it is drawn back to its first pose
    double slip;                  // drag along it is smaller by this share
    bool exposed;                 // there is more to the air than a wind that is the same everywhere
    double velocity[3], spin[3];  // at the start, about the first point
    const plait_body *carrier[2]; // a body with a shape that takes this end along, or NULL
    bool by_cell[2];              // by the nearest triangle of it, rather than by its frame
    int beads;                    // masses that it carries ...
    const double *bead;           // [2 beads] ... where, as a part of its length, and how much [kg]
} plait_fibre_def;

// Fills in *body but for the memory that is given; body->state is its own until bind.
plait_status plait_fibre_build(const plait_fibre_def *def, const plait_response *response, plait_body *body,
                               plait_error *error);
plait_rod *plait_fibre_rod(const plait_body *body);
// How it was held as drawn; NULL: it was not asked for.
const plait_hold_report *plait_fibre_hold(const plait_body *body);
// The cell that an end is bound to, and whose it is; NULL: none.
const plait_cell *plait_fibre_bound(const plait_body *body, int end, const plait_body **carrier);

// ---- rigid bodies (rigid.c) ---------------------------------------------------------------------------------------

extern const plait_body_type plait_body_rigid;

typedef struct plait_rigid_def {
    const plait_shape *shape; // kept, but for meshes, which are copied
    double density;           // [kg/m^3]
    double mass;              // [kg] instead, if it is not 0
    int material;
    double position[3], rotation[3];
    double velocity[3], spin[3];
    double guide[3];   // not zero: along this axis only, without turning
    bool second_order; // BDF2 for its centre, where nothing touches it
} plait_rigid_def;

plait_status plait_rigid_build(const plait_rigid_def *def, plait_body *body, plait_error *error);
// [N], [N m] about the centre of mass, from now on.
void plait_rigid_push(plait_body *body, const double force[3], const double couple[3]);
// Pose of the shape as it was given, and velocity of that frame's origin.
void plait_rigid_pose(const plait_body *body, plait_pose *pose);
void plait_rigid_centre(const plait_body *body, double x[3]); // of mass
void plait_rigid_velocity(const plait_body *body, double velocity[3], double spin[3]);

// ---- cloth and solids (soft.c) --------------------------------------------------------------------------------------

extern const plait_body_type plait_body_cloth, plait_body_solid;

// carrier: bodies with a shape, by the numbers in def->hold. The definition is copied. It was checked
// (plait_soft_check).
plait_status plait_soft_build(const plait_soft *def, const plait_body *carrier, const plait_response *response,
                              plait_body *body, plait_error *error);

// ---- colliders (collider.c) ---------------------------------------------------------------------------------------

extern const plait_body_type plait_body_collider;

typedef struct plait_collider_def {
    const plait_shape *shape;   // kept
    const plait_motion *motion; // kept
    double position[3], rotation[3];
    int material;
} plait_collider_def;

plait_status plait_collider_build(const plait_collider_def *def, plait_body *body, plait_error *error);
plait_pose plait_collider_pose(const plait_body *body, double t);
// It leaves its script: straight from where it is at time `from` to a pose that it has at time `to`, and stays there.
void plait_collider_lead(plait_body *body, double from, double to, const plait_pose *pose);
// Pose of a scripted frame at time t.
plait_pose plait_motion_pose(const plait_motion *motion, const double position[3], const double rotation[3], double t);
// Vertices of an animated mesh at time t.
void plait_shape_points_at(const plait_shape *s, double t, double *point);

#endif
