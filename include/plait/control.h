// control.h: a simulation driven from a program while it runs: loads, colliders, ends, friction; views of arrays;
// hooks; queries.
//
// What is set here holds from the next step on, until it is set again. It is input, not state: checkpoints have none of
// it, and who goes on from one sets it again. Setters refuse what cannot be (PLAIT_BAD_INPUT, nothing is changed).
// Names: plait_sim_set_X sets, plait_sim_get_X gives a copy, plait_sim_view_X gives memory of the simulation, valid
// until the next call of a function that takes a plait_sim without const. A callback's last argument is its `data`.
#ifndef PLAIT_CONTROL_H
#define PLAIT_CONTROL_H

#include <stddef.h>

#include "plait/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- loads and constraints -----------------------------------------------------------------------------------------

// [m/s^2] of everything, also of rods that were told another one.
PLAIT_API plait_status plait_sim_set_gravity(plait_sim *sim, const double gravity[3], plait_error *error);
PLAIT_API plait_status plait_sim_set_wind(plait_sim *sim, const double wind[3], plait_error *error); // [m/s]
// Of two materials, by number in the scene.
PLAIT_API plait_status plait_sim_set_friction(plait_sim *sim, int a, int b, double mu, double restitution,
                                              plait_error *error);
// Of two materials too; all zero: none. Bonds that there are go on with the new numbers.
PLAIT_API plait_status plait_sim_set_adhesion(plait_sim *sim, int a, int b, const plait_adhesion *adhesion,
                                              plait_error *error);
// [N] on a node of the rod's model, in the world; it stays until it is set again.
PLAIT_API plait_status plait_sim_set_node_force(plait_sim *sim, int fibre, int node, const double force[3],
                                                plait_error *error);
// The same for many at once: [count] fibres and nodes, [3 count] forces. All are looked at before the first is set.
PLAIT_API plait_status plait_sim_set_node_forces(plait_sim *sim, int count, const int *fibre, const int *node,
                                                 const double *force, plait_error *error);
// Where an end is held, or that it is free. An end that follows a collider can only be set free.
PLAIT_API plait_status plait_sim_set_end(plait_sim *sim, int fibre, int end, const plait_end *condition,
                                         plait_error *error);
// Ends (0: roots, 1: tips) of `count` fibres are held at [3 count] positions from now on; how they are held stays as
// it is. All are looked at before the first is moved: free ends and those that follow a collider are refused.
PLAIT_API plait_status plait_sim_move_ends(plait_sim *sim, int end, int count, const int *fibre, const double *position,
                                           plait_error *error);
// [N], [N m] on a rigid body, at its centre of mass, in the world.
PLAIT_API plait_status plait_sim_set_rigid_force(plait_sim *sim, int rigid, const double force[3],
                                                 const double couple[3], plait_error *error);
// Collider i leaves its script: it goes straight from where it is now to this pose (position, quaternion x y z w), is
// there at time `when` [s], later than now, and stays. Contacts see its velocity, and so do ends that it carries.
PLAIT_API plait_status plait_sim_set_collider_target(plait_sim *sim, int i, const double position[3],
                                                     const double rotation[4], double when, plait_error *error);

// ---- ties ----------------------------------------------------------------------------------------------------------

// A point of something.
typedef struct plait_sim_point {
    plait_partner_kind kind;
    int index;          // of the fibre, collider or rigid body
    double arc;         // [m] along a fibre
    double position[3]; // [m] of a point of a collider or rigid body, now, in the world; it need not be on the surface
} plait_sim_point;
// Ties two points from the next step on: if one is a collider or rigid body, that holds the other's point where it is
// now (both of this kind: their positions are joined); two fibres keep the distance that the points have. Of `how`,
// stiffness, damping, strength and until count; NULL: rigid, for ever. Ties are part of the state and of checkpoints.
// *id: its number.
PLAIT_API plait_status plait_sim_add_tie(plait_sim *sim, const plait_sim_point end[2], const plait_tie *how, int *id,
                                         plait_error *error);
// The tie is opened. PLAIT_BAD_INPUT: there is none of this number (any more).
PLAIT_API plait_status plait_sim_open_tie(plait_sim *sim, int id, plait_error *error);
// Force [N] in the last step of the tie with this number; false: it is broken or open.
PLAIT_API bool plait_sim_tie_force(const plait_sim *sim, int id, double *force);
// A ball, hinge or weld of two points from the next step on (plait_joint: kind, place, axis, until count). Not placed:
// it is where the first of them that is on a fibre is, between two fibres, or at the first position.
PLAIT_API plait_status plait_sim_add_joint(plait_sim *sim, const plait_sim_point end[2], const plait_joint *how,
                                           plait_error *error);
// ---- fibres that come and go ---------------------------------------------------------------------------------------

// Between two steps, not from a hook. Fibres as in a scene (plait/scene.h), with the materials and colliders of the
// simulation's, described where they are now: they begin at the present time, behind those that there are, bound to
// colliders where these are now. State, contacts and bonds of all others stay to the last bit. On failure nothing has
// changed.
PLAIT_API plait_status plait_sim_add_fibres(plait_sim *sim, int count, const plait_fibre *fibre, plait_error *error);
// The others move up: they keep their order, state, contacts and bonds. Contacts of those that go are gone with them.
// Rods that plait_sim_rod gave stay those of their fibres. A state or a trajectory has one number of fibres: a state
// of before does not fit.
PLAIT_API plait_status plait_sim_remove_fibres(plait_sim *sim, int count, const int *fibre, plait_error *error);

// ---- arrays --------------------------------------------------------------------------------------------------------

typedef struct plait_sim_nodes {
    size_t size; // of this struct: set it to sizeof (plait_sim_nodes)
    int fibres, nodes;
    const int *first;    // [fibres + 1]
    const double *x, *v; // [3 nodes] [m], [m/s]
} plait_sim_nodes;
// Present places and velocities of all nodes.
PLAIT_API plait_status plait_sim_view_nodes(plait_sim *sim, plait_sim_nodes *nodes, plait_error *error);
typedef struct plait_sim_skin_nodes {
    size_t size; // of this struct: set it to sizeof (plait_sim_skin_nodes)
    plait_sim_skin skin;
    const double *x, *v; // [3 skin.nodes] [m], [m/s]
} plait_sim_skin_nodes;
// Present places and velocities of cloth or solid i, 0 .. plait_sim_skins - 1, and its triangles.
PLAIT_API plait_status plait_sim_view_skin(plait_sim *sim, int i, plait_sim_skin_nodes *nodes, plait_error *error);
// The state, as a checkpoint stores it.
PLAIT_API const double *plait_sim_view_state(const plait_sim *sim, int64_t *size);
// Contacts of the last step as one array of the simulation. The memory of this and of the next view is kept until
// plait_sim_free: who looks too late finds numbers of another step, but never memory that is gone.
PLAIT_API plait_status plait_sim_view_contacts(plait_sim *sim, const plait_sim_contact **contacts, int *count,
                                               plait_error *error);
// What the contacts of the last step remember (docs/architecture.md, "Laws and bonds"), in the same order.
typedef struct plait_sim_bond {
    double impulse[3]; // [N s] in the world
    double area;       // [m^2]; 0: its law has no use for it
    double number[4];  // of its law
    int law;           // row of the table of laws; 0: Coulomb
    int holds;         // 1: it outlives proximity
} plait_sim_bond;
PLAIT_API plait_status plait_sim_view_bonds(plait_sim *sim, const plait_sim_bond **bonds, int *count,
                                            plait_error *error);
// Contacts of the last step; fills in at most `room`, returns how many there are.
PLAIT_API int plait_sim_get_contacts(const plait_sim *sim, int room, plait_sim_contact *contacts);
// Sum of the contact forces of the last step on a body: force [N], and couple [N m] about `about`. kind: of which list.
PLAIT_API plait_status plait_sim_get_reaction(const plait_sim *sim, plait_partner_kind kind, int index,
                                              const double about[3], double force[3], double couple[3],
                                              plait_error *error);

// ---- hooks ---------------------------------------------------------------------------------------------------------

// Called from the thread that steps, in the order of contacts. The same contact must get the same answer: a step may be
// tried more than once. In a contact that is about to be solved impulse and velocity are zero, mu is what materials
// say.
typedef struct plait_sim_hooks {
    size_t size; // of this struct: set it to sizeof (plait_sim_hooks)
    bool (*filter)(const plait_sim_contact *contact,
                   void *data); // false: they pass through each other. NULL: all touch
    double (*friction)(const plait_sim_contact *contact, void *data); // its mu, >= 0. NULL: as materials say
    void (*after_step)(plait_sim *sim, const plait_sim_report *report, void *data); // of accepted steps
    void *data;
} plait_sim_hooks;
PLAIT_API plait_status plait_sim_set_hooks(plait_sim *sim, const plait_sim_hooks *hooks,
                                           plait_error *error); // NULL: none

// ---- queries -------------------------------------------------------------------------------------------------------

typedef struct plait_sim_hit {
    plait_partner_kind kind;
    int index;
    double arc;         // [m] along a fibre, else 0
    double position[3]; // on its surface
    double normal[3];   // outwards
    double distance;    // [m] from the point, negative inside (of a mesh: positive on both sides); or along the ray
} plait_sim_hit;
// The nearest surface within `reach` of x, at the present time. False: there is none.
PLAIT_API bool plait_sim_find_nearest(plait_sim *sim, const double x[3], double reach, plait_sim_hit *hit);
// The first surface on the ray from x along `direction`, not farther than `far` [m]. False: it meets nothing.
PLAIT_API bool plait_sim_find_ray(plait_sim *sim, const double x[3], const double direction[3], double far,
                                  plait_sim_hit *hit);

#ifdef __cplusplus
}
#endif
#endif
