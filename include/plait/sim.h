// sim.h: a scene in motion. One step reads as the method does:
//
//     predict   fibres and bodies -> unconstrained motion
//     detect    motion -> contacts
//     assemble  contacts -> H, M, f, w; warm start from the contacts of the last step
//     solve     (M, H, f, w, mu) -> impulses r
//     correct   r -> velocities; what still penetrates is pushed out without adding kinetic energy
//     accept    check, adapt dt, swap state; or reject and retry with a smaller dt
//     observe   the report
//
// A simulation belongs to one thread at a time; it uses `threads` threads itself, and results do not depend on how
// many.
#ifndef PLAIT_SIM_H
#define PLAIT_SIM_H

#include "plait/contact.h"
#include "plait/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plait_sim plait_sim;

// Builds a simulation; the scene may be freed afterwards. NULL with *error on bad input or memory.
PLAIT_API plait_sim *plait_sim_new(const plait_scene *scene, plait_error *error);
PLAIT_API void plait_sim_free(plait_sim *sim);
PLAIT_API void plait_sim_set_threads(plait_sim *sim, int threads); // 0: as OpenMP decides
// A step looks at this in all of its parts, often and from any of its threads; true ends it in the middle. NULL: nobody
// asks.
PLAIT_API void plait_sim_set_stop(plait_sim *sim, bool (*asked)(void *data), void *data);
// It is asked at most once in so many seconds of wall clock, first that long after the start of a step: for answers
// that cost time, as those of a scripting language do. 0, as at the start: whenever a step looks.
PLAIT_API void plait_sim_set_stop_interval(plait_sim *sim, double seconds);

typedef enum plait_stage {
    PLAIT_STAGE_PREDICT,
    PLAIT_STAGE_DETECT,
    PLAIT_STAGE_ASSEMBLE,
    PLAIT_STAGE_SOLVE,
    PLAIT_STAGE_CORRECT,
    PLAIT_STAGE_ACCEPT,
    PLAIT_STAGE_OBSERVE,
    PLAIT_STAGE_COUNT
} plait_stage;
PLAIT_API const char *plait_stage_name(plait_stage stage); // "predict", ...

// Where energy came from and went to in a step [J]. Bodies have kinetic, elastic and potential energy (of gravity); its
// change is
//
//     given + ends + colliders + air + loads + bonds + recovery - friction - impact - damping - numerical + error
//
// Each term is found on its own, and error is what is left: rounding, and what solvers leave.
typedef struct plait_ledger {
    // between this step and the last one, by the program: kicks, ends that it moved; and by loads that change gravity
    // or natural shapes
    double given;
    double ends;      // work of scripts on ends and nodes that are held
    double colliders; // work of what scripts move, through contacts
    double air;       // work of the wind, less than zero where air slows down
    double loads;     // work of forces and couples that the program has set
    double bonds;     // work of bonds and ties (adhesion): what they store and lose is minus that
    double recovery;  // of undoing overlaps: it moves things without a velocity
    double friction;  // lost by sliding
    double impact;    // lost where things meet
    double damping;   // lost in materials
    double numerical; // lost by the step itself: it vanishes with dt. Less than zero: gained
    double error;     // what does not add up
    double scale;     // sum of all these and of the changes of energies without signs
} plait_ledger;

typedef struct plait_sim_report {
    bool failed;        // no time step down to dt_min worked: the state is as before
    bool stopped;       // in the middle, because it was asked for: the state is as before, to the last bit
    const char *reason; // NULL, or why the last attempt was rejected (static text)
    int rejections;     // attempts that were given up in this step
    int64_t step;       // number of accepted steps since the start, this one included
    double time, dt;    // at its end; its length
    int contacts, groups, largest_group;
    double nu;          // 3 contacts / dofs
    const char *solver; // that gave the answer
    int iterations;     // of the largest group
    int newton;         // how often the response was linearised: 1 but for schemes that iterate; 0 without contacts
    double newton_mean; // the same, of an average contact: groups that need no more are not counted on
    int relinearised;   // fibres, each as often as it was linearised anew
    bool converged;     // residual <= tol
    plait_certificate certificate;
    // momentum that is out of balance, relative to that of contacts: of the worst body (docs/simulation.md)
    double balance;
    double smallest_gap;                // [m] at the end of the step over all contacts; INFINITY without
    double overlap;                     // deepest, at the end of the step, part of the diameter of what is thinner
    double error;                       // [m] of the step, estimated: of its worst place; 0 if step.error is 0
    double dissipated;                  // [J] by friction in this step
    double kinetic, elastic, potential; // [J] at the end; potential: of gravity
    plait_ledger ledger;                // zeros if the scene does without (step.ledger)
    // Bonds and ties that hold at the end, docs/adhesion.md: how many, the area of bonds times beta [m^2], what they
    // store [J], and what they gave up in this step by breaking, other than by pulling [J].
    int bonds, ties;
    double bonded_area, bond_energy, debonded;
    int sticking, sliding;              // contacts of the last step by what they do; the others are open
    double creep;                       // [m/s] of the fastest that should not move: how far from still it is
    double tilt; // [rad] statics: by which normals of contacts still turned in the last round, mean over forces
    double max_stretch;                 // relative
    double max_speed;                   // [m/s] of any node
    double script;                      // [s] where loads and scripts are: the time, but for a path (step.arc)
    double lowest;                      // [1/s^2] eigenvalue of stiffness and mass, if a measurement asks for them
    double seconds[PLAIT_STAGE_COUNT];  // of wall clock, rejected attempts included
    double cpu[PLAIT_STAGE_COUNT];      // [s] of processors, all threads of the program together
} plait_sim_report;

// One step, at most until `until` (the last step before it is shortened to end there exactly; INFINITY: no end).
// Returns another status than OK only for bad input or memory. A step that fails is told in the report; the problem
// that was not solved is then what plait_sim_problem gives. If the motion left the numbers, error->text says where.
PLAIT_API plait_status plait_sim_step(plait_sim *sim, double until, plait_sim_report *report, plait_error *error);

// Lets everything come to rest before the start: steps of the scene's dt for so long, with scripts stopped at their
// beginning and motion damped; then time is 0 again, and no steps were done. Only at the start. *fastest [m/s]: of any
// node at the end. NOT_CONVERGED is not an error: a step that failed ends it there (*done: how long it went on).
PLAIT_API plait_status plait_sim_settle(plait_sim *sim, double seconds, double *done, double *fastest,
                                        plait_error *error);
PLAIT_API double plait_sim_time(const plait_sim *sim);
PLAIT_API double plait_sim_start(const plait_sim *sim); // [s] the time at which it began (output.start)
// [s] of the last step that was done; 0: there was none.
PLAIT_API double plait_sim_last_dt(const plait_sim *sim);
PLAIT_API int64_t plait_sim_steps(const plait_sim *sim);

// ---- what is there -----------------------------------------------------------------------------------------------

// All fibres' nodes behind each other (samples included): fibre i has nodes first[i] .. first[i + 1] - 1.
PLAIT_API int plait_sim_fibres(const plait_sim *sim);
PLAIT_API const int *plait_sim_first_node(const plait_sim *sim);      // [fibres + 1]
PLAIT_API void plait_sim_positions(const plait_sim *sim, double *x);  // [3 nodes]
PLAIT_API void plait_sim_velocities(const plait_sim *sim, double *v); // [3 nodes]
PLAIT_API const double *plait_sim_radii(const plait_sim *sim);        // [fibres] contact radii
// The rod of a fibre, to load, kick, grab or relax it between steps. What it is told holds from the next step on:
// forces, couples, gravity (instead of the scene's; wind comes on top of it), ends. What cannot be is refused: to place
// an end that follows a collider (it can be set free), to step the rod alone, to give it a state of another time, to
// free it.
// Checkpoints have none of these loads.
PLAIT_API plait_rod *plait_sim_rod(plait_sim *sim, int fibre);
// Pose of collider i (position, quaternion x y z w) at the present time: x_world = R x_shape + position.
PLAIT_API void plait_sim_collider_pose(const plait_sim *sim, int i, double position[3], double rotation[4]);
PLAIT_API void plait_sim_rigid_pose(const plait_sim *sim, int i, double position[3], double rotation[4]);
PLAIT_API void plait_sim_rigid_velocity(const plait_sim *sim, int i, double velocity[3], double spin[3]);
// Vertices of an animated mesh at the present time, in the shape's frame; [3 points].
PLAIT_API void plait_sim_collider_points(const plait_sim *sim, int i, double *point);

// The triangle of a collider that carries an end (0: root, 1: tip) along. False: it is not bound to one.
typedef struct plait_sim_binding {
    int collider, triangle;
    double weight[3]; // of the triangle's corners: where on it
    double distance;  // [m] of the end from there
} plait_sim_binding;
PLAIT_API bool plait_sim_end_binding(const plait_sim *sim, int fibre, int end, plait_sim_binding *binding);

// What became of a fibre with `start: held`. False: it was not asked for.
PLAIT_API bool plait_sim_fibre_hold(const plait_sim *sim, int fibre, plait_hold_report *report);

// What a body is called: the scene's list that it is in.
typedef enum plait_partner_kind {
    PLAIT_PARTNER_FIBRE,
    PLAIT_PARTNER_COLLIDER,
    PLAIT_PARTNER_RIGID,
    PLAIT_PARTNER_CLOTH,
    PLAIT_PARTNER_SOLID
} plait_partner_kind;

// Bodies that deform and have triangles: cloth first, then solids.
typedef struct plait_sim_skin {
    plait_partner_kind kind; // cloth or solid ...
    int index;               // ... and which one of these
    int nodes;               // all of the body's, those inside of a solid too
    int triangles;
    const int *triangle; // [3 triangles] nodes; of solids they look outwards, counterclockwise
    bool closed;         // a solid
    double thickness;    // [m]
    int material;
} plait_sim_skin;
PLAIT_API int plait_sim_skins(const plait_sim *sim);
PLAIT_API void plait_sim_skin_get(const plait_sim *sim, int i, plait_sim_skin *skin);
PLAIT_API void plait_sim_skin_positions(const plait_sim *sim, int i, double *x);  // [3 nodes]
PLAIT_API void plait_sim_skin_velocities(const plait_sim *sim, int i, double *v); // [3 nodes]

// The contacts of the last step.
// A contact that carries an impulse inside of its cone sticks: its velocity is 0 but for what the solver left.
typedef enum plait_contact_state { PLAIT_CONTACT_OPEN, PLAIT_CONTACT_STICKS, PLAIT_CONTACT_SLIDES } plait_contact_state;
typedef struct plait_sim_contact {
    plait_partner_kind kind[2];
    int index[2];       // of the fibre, collider or rigid body
    double arc[2];      // [m] along the fibre, else 0
    double position[3]; // where it acts, at the start of the step
    double normal[3];   // from the second to the first
    double gap;         // [m] at the start of the step
    double impulse[3];  // [N s] on the first, in the world
    double velocity[3]; // [m/s] of the first relative to the second, in the world
    double mu;
    plait_contact_state state;
    int law;     // 0: Coulomb's, 1: adhesion, 2: a tie, 3: adhesion by the box
    double beta; // how much of a bond holds, 0 .. 1; 1 for a tie
    double other[3]; // [m] the point of the second that is held, at the start of the step
} plait_sim_contact;
PLAIT_API int plait_sim_contacts(const plait_sim *sim);
PLAIT_API void plait_sim_contact_get(const plait_sim *sim, int i, plait_sim_contact *contact);

// The one-step problem of the last attempt, and its solution; NULL if there was no contact. Valid until the next step.
PLAIT_API const plait_problem *plait_sim_problem(const plait_sim *sim);
PLAIT_API const plait_solution *plait_sim_solution(const plait_sim *sim);

// ---- measurements --------------------------------------------------------------------------------------------------

// What the scene's `measure` asks for, of the last step: so many numbers, and what each is called ("pull_fx").
PLAIT_API int plait_sim_measures(const plait_sim *sim);
PLAIT_API const char *plait_sim_measure_title(const plait_sim *sim, int i); // NULL: there is none
// NAN where there is none: of a model that does not know it, or before the first step.
PLAIT_API void plait_sim_measure(const plait_sim *sim, double *value); // [plait_sim_measures]

// ---- checkpoints -------------------------------------------------------------------------------------------------

// The whole state as plain numbers: a simulation of the same scene that is given them goes on bit for bit.
PLAIT_API int64_t plait_sim_state_size(const plait_sim *sim); // changes with the number of contacts
PLAIT_API void plait_sim_get_state(const plait_sim *sim, double *state);
PLAIT_API plait_status plait_sim_set_state(plait_sim *sim, const double *state, int64_t size, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
