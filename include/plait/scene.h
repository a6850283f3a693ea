// scene.h: what is simulated: fibres, what they touch, how it moves, and how the step is computed. Plain data.
//
// A scene comes from a YAML file (plait_scene_read), by name from those that are built in (plait_scene_find), or from a
// program that fills the structs itself, beginning with plait_scene_new. SI units; angles in radians.
//
// Friction and restitution belong to pairs of materials: mu[a * materials + b], a symmetric table.
//
// A rod-rod contact acts on the centrelines: no couple on the twist (docs/scenes.md says why).
#ifndef PLAIT_SCENE_H
#define PLAIT_SCENE_H

#include <stdbool.h>
#include <stdint.h>

#include "plait/contact.h"
#include "plait/motion.h"
#include "plait/rod.h"
#include "plait/shape.h"
#include "plait/soft.h"
#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PLAIT_NAME = 64 };

// ---- colliders, rigid bodies -----------------------------------------------------------------------------

typedef struct plait_collider {
    char name[PLAIT_NAME];
    plait_shape shape;
    double position[3], rotation[3]; // of the shape in the world, before its motion
    plait_motion motion;
    int material;
} plait_collider;

// A rigid body that moves freely: sphere, capsule, box, or a closed mesh, which turns about its centre of mass. A plane
// needs a guide and a mass: a wall that a force drives.
typedef struct plait_rigid {
    char name[PLAIT_NAME];
    plait_shape shape;
    double density; // [kg/m^3]
    double mass;    // [kg] instead; 0: by its density
    double position[3], rotation[3];
    double velocity[3], spin[3]; // at the start
    double guide[3];             // not zero: it moves along this axis only and does not turn (a jaw, a piston)
    double force[3];             // [N] that pushes it, until plait_sim_set_rigid_force says otherwise
    int material;
} plait_rigid;

// ---- fibres ------------------------------------------------------------------------------------------------------

// What of a collider carries an end along.
typedef enum plait_bind {
    PLAIT_BIND_AUTO, // the nearest triangle of a mesh whose vertices move, else its frame
    PLAIT_BIND_CELL, // the nearest triangle of a mesh
    PLAIT_BIND_BODY  // its frame: its motion, but not that of its vertices
} plait_bind;

typedef struct plait_fibre {
    int group; // which entry of `fibres` it comes from
    plait_rod_model model;
    int material;
    int points; // initial centreline
    double *point;
    int segments; // 0: the polyline as it is
    int samples;  // capsules per segment, for contact and output; 0: one (super-helix: about five)
    plait_natural_kind natural;
    double curvature[2], twist, excess, length; // as plait_rod_def
    double director[3];
    plait_end_kind end[2];
    unsigned slide[2];           // axes along which an end is not held after all, as plait_end
    int attach[2];               // collider that carries this end along, or -1: it stays where it is
    plait_bind bind[2];          // by what of it
    // soft body whose nearest triangle this end is bound to, both ways; cloth first, then solids, counted from 1; 0:
    // none. The end has to be on it; not together with attach
    int soft[2];
    double velocity[3], spin[3]; // at the start; spin about the first point
    plait_start start;
    plait_hold_options hold; // of PLAIT_START_HELD
    double goal;             // 0 .. 1: it is drawn back to the pose that it was drawn in, as its root carries that
    bool keeps;              // what it overlaps at the start may stay so (PLAIT_OVERLAPS_AUTO)
    // By maps of its group; 0 stands for 1. Factors of its moduli, of its density, of mu at its contacts; and the part
    // of its drawn length that is left.
    double stiffness, mass, friction, share;
    double moved;            // [m] so far what the file draws was moved for it not to overlap anything
} plait_fibre;

typedef struct plait_fibre_material {
    char name[PLAIT_NAME];
    plait_material rod;    // of fibres
    double contact_radius; // [m] 0: the larger half axis of the section
    double slip;           // 0 .. 1: drag along a fibre is smaller than across it by this share; default 0
    int preset;            // what scene files took numbers from; 0: none
    int stations;          // how radius, modulus and density go along a fibre; 0: they are the same everywhere
    plait_station station[PLAIT_STATIONS];
} plait_fibre_material;

// Strands of a group that are shown but not simulated: others carry them (plait/carry.h).
typedef struct plait_groom {
    int strands;         // 0: as many as its file has; without a file: as are simulated
    int guides;          // each is carried by so many, 1 .. 8; default 3
    double clump;        // 0 .. 1: so far strands of a lock come together at their tips; default 0
    double clump_size;   // [m] of a lock at the scalp; default 1 cm
    double frizz;        // [m] so far points stray at the tips; default 0
    double frizz_length; // [m] of its waves; default 1 cm
    double width;        // [m] of a strand; 0: what the file says, else that of the material
    double taper;        // at the tip it is so many times as wide; default 0.3
    bool push;           // out of bodies; default true
    uint64_t seed;       // default 1
    // Where the strands come from.
    char *path; // NULL: not from a file
    char *mesh; // file of the collider that carries its roots, for texture coordinates; NULL: none
    double scale, position[3];
    bool y_up, project;
} plait_groom;

// ---- what holds --------------------------------------------------------------------------------------------------

// Adhesion of two materials (docs/adhesion.md): a bond of intensity beta, 0 .. 1, that breaks when it is opened or
// sheared, and grows under pressure. All zero: none.
typedef struct plait_adhesion {
    double stiffness[2]; // [N/m^3] normal, tangential: C_N, C_T
    double energy;       // [J/m^2] W: it takes this to open a bond
    double viscosity;    // [s J/m^2] eta: 0 breaks at once
    double rate;         // [1/(Pa s)] of bonding; 0: contacts do not bond by themselves
    double saturation;   // [Pa] p0: a pressure p bonds up to beta = p / p0; 0: up to 1
    int coupling;        // m: friction is mu (1 - beta^m); 0: mu
    double initial;      // beta of contacts that there are at the start
    double fresh;        // beta of those that are made later
    double cut;          // [m] a whole bond that is opened so far is gone; 0: 2 sqrt(W / C_N)
    double area;         // [m^2] of a contact; 0: from the sizes of what touches
} plait_adhesion;

// Ties: at the start, whatever of the named things is nearer to each other than `reach` (surface to surface), and
// within `radius` of `position`, is tied there: point to point if one is a body or collider, else at the distance that
// they have.
typedef struct plait_tie {
    char name[PLAIT_NAME];
    int group[2];        // of fibres; -1: all of them
    int collider, rigid; // tied to this one rather than among fibres; -1: none
    double position[3], radius; // [m] INFINITY: everywhere
    double reach;               // [m] 0: the contact radius
    double stiffness;           // [N/m] 0: rigid
    double damping;             // [N s/m] goes with stiffness
    double strength;            // [N] it breaks beyond; 0: never
    double from;                // [s] it is made then, of what is near each other then; 0: at the start
    double until;               // [s] it is opened then; 0: never
} plait_tie;

// Joints: what two places do together from the start on, without strength limit. Places: of each fibre of a group with
// the fibre of the same number of the other, of one fibre, of a body, a collider. Fibres that are joined do not touch
// each other beside the joint.
typedef enum plait_joint_kind {
    PLAIT_JOINT_BALL,  // the places stay together
    PLAIT_JOINT_HINGE, // and turn about an axis alone; models with sections that turn (der, corde)
    PLAIT_JOINT_WELD   // and do not turn; likewise
} plait_joint_kind;
typedef struct plait_joint {
    char name[PLAIT_NAME];
    plait_joint_kind kind;
    int group[2], which[2]; // fibres of either side, -1: none; which one, -1: all of them
    bool relative[2];       // arc is a part of the length
    double arc[2];          // [m]
    int rigid[2];           // a body on this side instead; -1: none
    int collider;           // ... or, on the second side, a collider
    bool placed;
    double place[3];        // [m] placed: where it is at the start; else: on the fibre, between two fibres
    double axis[3];         // HINGE, at the start, in the world
    double reach;           // [m] not 0: wherever fibres of the two groups are nearer to each other, surface to surface
    double from;            // [s] BALL: it is made then, where the place is then; 0: at the start
    double until;           // [s] it is opened then; 0: never
} plait_joint;

// ---- loads -------------------------------------------------------------------------------------------------------

// How a load goes with time: a factor.
typedef enum plait_course_kind {
    PLAIT_COURSE_CONSTANT, // 1 from start until stop
    PLAIT_COURSE_RAMP,     // 0 until start, straight to 1 at stop, and 1 then
    PLAIT_COURSE_SINE,     // sin(2 pi frequency (t - start) + phase) from start until stop
    PLAIT_COURSE_TABLE     // straight between its points, and constant before the first and after the last
} plait_course_kind;
typedef struct plait_course {
    plait_course_kind kind;
    double start, stop, frequency, phase; // [s], [Hz], [rad]; stop: INFINITY is never
    int points;
    double *time, *value; // [points] of a table; times ascend
} plait_course;
PLAIT_API double plait_course_at(const plait_course *course, double time);

typedef enum plait_load_kind {
    PLAIT_LOAD_FORCE,     // vector [N]: the whole of it, on every fibre that is named; spread evenly over its arc
    PLAIT_LOAD_MOMENT,    // vector [N m], the same
    PLAIT_LOAD_MASS,      // amount [kg]: a point that is carried along, with its weight and inertia; not over time
    PLAIT_LOAD_SPRING,    // stiffness and damping between two points; not over time
    PLAIT_LOAD_GRAVITY,   // vector [m/s^2] that is added to the scene's
    PLAIT_LOAD_FRICTION,  // amount that is added to mu of a pair of materials
    PLAIT_LOAD_CURVATURE, // vector [1/m]: k1, k2 and twist that are added to the natural ones
    PLAIT_LOAD_CELL_STRAIN, // amount: relative change of a period of the cell, or tilt over the period across it
    PLAIT_LOAD_CELL_RATE,   // amount [1/s]: the same, of its rate; of a period that of its logarithm
    PLAIT_LOAD_CELL_STRESS, // amount [Pa], tension is positive: the cell gives way until fibres bear it
    PLAIT_LOAD_KINDS
} plait_load_kind;

// Loads add to each other and to what a program sets. What depends on the state (followers, directions of moments)
// is taken at the start of a step, the course at its end.
typedef struct plait_load {
    char name[PLAIT_NAME];
    plait_load_kind kind;
    plait_course course;
    int group;             // of fibres; -1: none
    int which;             // fibre of this group; -1: all of them
    int rigid;             // body; -1: none
    bool relative;         // arc is a part of the length
    double arc[2];         // [m] from where to where; the same: one place
    double vector[3];      // as the kind says; of a follower in the frame m1, m2, t of the fibre, or of the body
    bool follows;          // it turns with what it acts on
    double point[3];       // [m] of a body: where a force acts, in the frame of its shape
    double amount;         // as the kind says
    int material[2];       // FRICTION: the pair; -1: all
    double stiffness;      // [N/m] SPRING
    double damping;        // [N s/m]
    double length;         // [m] natural; 0: it pulls the points together, negative: as long as it is at the start
    double strength;       // [N] it breaks beyond; 0: never
    double until;          // [s] it is opened then; 0: never
    int other_group;       // the other end is on each fibre's neighbour here (same place in its group) ...
    double other_arc;      // ... at this part of its length; -1 of other_group:
    int collider, body;    // it is on one of these, at ...
    double place[3];       // [m] ... this place in the world, at the start
    int axis;              // CELL: xx, yy, zz, xy, yz, zx; of a tilt x moves along with y, y with z, x with z
    double fastest;        // [1/s] CELL_STRESS: how fast the cell goes if nothing resists
} plait_load;

// ---- measurements ------------------------------------------------------------------------------------------------

// What is told after every step (plait_sim_measure). Fibres: all of a group, or one of them.
typedef enum plait_measure_kind {
    PLAIT_MEASURE_REACTION,    // force [N] and moment [N m] of what holds an end, about it; of several fibres their sum
    PLAIT_MEASURE_FORCE,       // of contacts on a collider or body, moment about its origin, work in the step [J]
    PLAIT_MEASURE_TENSION,     // [N] along a fibre; models that stretch
    PLAIT_MEASURE_CURVATURE,   // [1/m]
    PLAIT_MEASURE_TWIST,       // [1/m]; der
    PLAIT_MEASURE_MOMENT,      // [N m] elastic, of its size; der
    PLAIT_MEASURE_POSITION,    // [m] of a place of a fibre, of a body or collider
    PLAIT_MEASURE_VELOCITY,    // [m/s]
    PLAIT_MEASURE_DISTANCE,    // [m] between two places
    PLAIT_MEASURE_ENERGY,      // [J] kinetic, elastic, potential; and the ledger of the step
    PLAIT_MEASURE_CONTACTS,    // how many; that stick, that slide; per fibre; sum of normal forces [N]
    PLAIT_MEASURE_STRESS,      // sum of force times place over contacts of fibres: [Pa] with `volume`, else [J]
    PLAIT_MEASURE_ORIENTATION, // mean of t t^T over the length of fibres: xx, yy, zz, xy, yz, zx
    PLAIT_MEASURE_LINKING,     // Gauss' integral of pairs of fibres; 1: one turn about each other
    PLAIT_MEASURE_WRITHE,      // the same of fibres with themselves
    PLAIT_MEASURE_FREQUENCY,   // [Hz] lowest, of a fibre about where it is, without contacts; 0: it is not stable
    PLAIT_MEASURE_EIGENVALUES, // [1/s^2] the three lowest of stiffness and mass of the whole scene, contacts held
    PLAIT_MEASURE_PARAMETER,   // [s] that loads and scripts follow: the time, but for a path (step.arc)
    PLAIT_MEASURE_CELL,        // [m] shape of a periodic cell, volume, stress that goes through its sides, work
    PLAIT_MEASURE_KINDS
} plait_measure_kind;
typedef struct plait_measure {
    char name[PLAIT_NAME];
    plait_measure_kind kind;
    int group, which;       // fibres; -1: none, all of them
    int collider, rigid;    // -1: none
    bool relative;          // arc is a part of the length
    double arc[2];          // [m] a place; two: everything along the piece between them, node by node
    int other_group, other_which, other_collider, other_rigid; // the other place; -1, all: `place` in the world
    double other_arc;       // a part of the length
    double place[3];        // [m]
    double volume;          // [m^3] 0: none
} plait_measure;

// ---- how the step is computed ------------------------------------------------------------------------------------

typedef enum plait_scheme {
    PLAIT_SCHEME_LINEAR,  // contact response through M = mass + dt damping + dt^2 stiffness (Daviet 2011)
    PLAIT_SCHEME_IMPULSE, // through the mass alone, for comparison
    PLAIT_SCHEME_ADONIS,  // linear, and again about its result, until no fibre is stretched too much (Kaufman 2014)
    PLAIT_SCHEME_BALANCED // linear, and again about its result, until the momentum of every body in contact is balanced
} plait_scheme;

typedef enum plait_adhesion_method {
    PLAIT_ADHESION_EXACT, // with Coulomb's cone
    PLAIT_ADHESION_BOX    // by Gascon's box and four-sided pyramid in Gauss-Seidel (2010), for comparison
} plait_adhesion_method;

typedef enum plait_integrator {
    PLAIT_INTEGRATOR_EULER, // implicit Euler: first order, damps what it does not resolve
    // second order without contacts and with those that rest; restarted by implicit Euler at impacts
    PLAIT_INTEGRATOR_BDF2
} plait_integrator;

typedef enum plait_mode {
    PLAIT_MODE_DYNAMIC,
    PLAIT_MODE_STATIC // every step begins at rest: it goes to the nearest equilibrium, as far as dt lets it
} plait_mode;

typedef struct plait_stepping {
    plait_mode mode;
    plait_scheme scheme;
    plait_integrator integrator;
    plait_step_options rod; // of the unconstrained step
    double theta; // elastic forces are this much those at the end of a step, the rest at its start; 0.5 .. 1, default 1
    double dt, dt_min; // [s] default (largest) and smallest time step
    bool adaptive;     // smaller steps in dynamic phases
    double max_move;   // [m] adaptive: what no node should exceed in a step; 0: four contact radii
    // [m] not 0: dt follows what a step does wrong, estimated, instead of how far nodes go: no place by more than this
    double error;
    plait_solve_options solve;
    // [m/s] contacts that stick move no faster, or it is solved better; 0: the tolerance alone counts, negative
    // (default): 1e-9, or a hundredth of what the step changes in velocities, where all contacts are slower than 1e-4
    double creep;
    double reject;       // a residual_rel above this rejects the step; default 0.1
    double max_stretch;  // relative; a step beyond it is rejected; default 0.2
    double max_overlap;  // of fibres, part of their diameter: what would overlap more rejects the step; default 0.5
    double max_recovery; // [m/s] at most this fast are penetrations pushed out; default 0.1
    bool ledger;         // tell where energy comes from and goes to (plait_ledger); default true
    // BALANCED, with the ledger: a step that gains more than this by itself, relative to the energy that changes hands
    // in it and to what moves at its start, is rejected; 0: none is; default 1e-6 (at least 1e-3 with
    // BDF2, theta below 1, and in statics)
    double max_gain;
    // ADONIS: a fibre that a contact stretches more than `nonlinear` (or, if nonlinear_rate > 0, whose edges grow
    // faster than that [1/s]) is linearised anew, at most newton_max times. What is left then is accepted if it is
    // below max_stretch.
    double nonlinear;      // default 0.01
    double nonlinear_rate; // default 0: stretch counts, not its rate
    int newton_max;        // default 30
    plait_adhesion_method adhesion;
    // BALANCED: a body in contact whose momentum is out of balance by more than `balance`, relative to that of its
    // contacts, is linearised anew, at most balance_max times. What is left then rejects the step if it is above
    // balance_reject.
    double balance;        // default 0.01
    int balance_max;       // default 8
    double balance_reject; // default 0.1
    // STATIC: not 0: a step goes on by this arc length [m], or by dt of the script, along the path of equilibria, past
    // folds; from this time on [s]
    double arc, arc_start;
    double settle;         // [s] plait_sim_settle is asked to come to rest for so long before the start; default 0
} plait_stepping;

// What overlaps at the start.
typedef enum plait_overlaps {
    PLAIT_OVERLAPS_AUTO, // kept where a fibre says so (those of files and those that are held), else pushed apart
    PLAIT_OVERLAPS_PUSH, // pushed apart in the first steps
    PLAIT_OVERLAPS_KEEP  // may stay as near as it is; what is nearly through each other does not touch there
} plait_overlaps;

typedef struct plait_detecting {
    plait_detection mode;
    double proximity; // [m] surfaces nearer than this are in contact; 0: half the smallest contact radius
    double spacing;   // [m] contacts of one pair of rods keep this distance along them; 0: one segment
    bool self;        // rods touch themselves
    double self_arc;  // [m] points of one rod nearer along it than this do not touch; 0: 4 diameters and 2.5 segments
    bool fibres;      // rods touch each other
    bool couple;      // forces act at the surface of rods and turn them about their axis; else at the centreline
    plait_overlaps overlaps; // at the start
    double period[3]; // [m] fibres repeat themselves along x, y, z, and touch copies; 0: not along this axis
} plait_detecting;

typedef struct plait_output {
    double start;      // [s] time at which it begins, whole frames (of frame_time) from 0; default 0, may be negative
    double duration;   // [s] from there on
    double frame_time; // [s] between frames of the trajectory
    double checkpoint; // [s] of wall clock between checkpoints
    bool contacts;     // contacts go into the trajectory too
    bool frames; // material frames and twist of fibres too
    bool velocities;   // and velocities of nodes and rigid bodies
    bool doubles;      // positions in the trajectory have 8 bytes instead of 4
    int states;        // the state at every so many frames is kept, to begin again there; 0: none
    int dump_problems; // the contact problem of every so many steps is written; 0: none
} plait_output;

// ---- the scene ---------------------------------------------------------------------------------------------------

typedef struct plait_scene {
    char name[PLAIT_NAME];
    char *title, *reproduces; // one line each: what it is; which figure or table
    double gravity[3];        // [m/s^2]
    double wind[3];           // [m/s] fibres with drag are pulled along
    double gust[3];           // [m/s] amplitude of a sinusoidal part of the wind
    double gust_frequency;    // [Hz]
    double turbulence;        // [m/s] of eddies, root of the mean square
    double turbulence_size;   // [m] of eddies; default 0.1
    double shelter;           // 0 .. 1: behind a dense layer of fibres the wind is weaker by this share
    int materials, fibres, groups, colliders, rigids, cloths, solids;
    plait_fibre_material *material;
    double *mu, *restitution; // [materials * materials]
    plait_adhesion *adhesion; // [materials * materials], symmetric; NULL: none
    int ties;
    plait_tie *tie;
    int joints;
    plait_joint *joint;
    int loads;
    plait_load *load;
    int measures;
    plait_measure *measure;
    plait_fibre *fibre;
    char (*group)[PLAIT_NAME]; // names of the groups of fibres
    plait_groom *groom;        // [groups]
    plait_collider *collider;
    plait_rigid *rigid;
    plait_soft *cloth, *solid;
    plait_stepping stepping;
    plait_detecting detecting;
    plait_output output;
    char *text; // the effective YAML; NULL if it was made by a program
} plait_scene;

// Earth's gravity along -z, no materials, nothing in it, defaults everywhere. NULL without memory.
PLAIT_API plait_scene *plait_scene_new(void);
PLAIT_API void plait_scene_free(plait_scene *scene); // and everything it points to (malloc'ed); NULL is fine

// The growing arrays. Each returns the index of the new, cleared element, or -1 without memory. A new material has the
// friction `mu` and restitution 0 with all others and itself.
PLAIT_API int plait_scene_add_material(plait_scene *scene, const char *name, const plait_material *rod, double mu);
PLAIT_API void plait_scene_set_friction(plait_scene *scene, int a, int b, double mu, double restitution);
// False without memory.
PLAIT_API bool plait_scene_set_adhesion(plait_scene *scene, int a, int b, const plait_adhesion *adhesion);
// Ties of anything with anything everywhere, rigid and unbreakable, until it is told otherwise.
PLAIT_API int plait_scene_add_tie(plait_scene *scene, const char *name);
// A ball between nothing and nothing, until it is told otherwise.
PLAIT_API int plait_scene_add_joint(plait_scene *scene, const char *name);
// A constant force of nothing on nothing, until it is told otherwise. Tables of its course are freed with the scene.
PLAIT_API int plait_scene_add_load(plait_scene *scene, const char *name);
PLAIT_API int plait_scene_add_measure(plait_scene *scene, const char *name, plait_measure_kind kind);
PLAIT_API int plait_scene_add_collider(plait_scene *scene, const char *name, plait_shape_kind kind);
PLAIT_API int plait_scene_add_rigid(plait_scene *scene, const char *name, plait_shape_kind kind);
// A copy of a soft body: cloth or, if it has tetrahedra, a solid; it is checked with the scene.
PLAIT_API int plait_scene_add_soft(plait_scene *scene, const char *name, const plait_soft *soft);
PLAIT_API int plait_scene_add_group(plait_scene *scene, const char *name);
// Copies the points. Ends are free and unattached.
PLAIT_API int plait_scene_add_fibre(plait_scene *scene, plait_rod_model model, int material, int points,
                                    const double *point);

// Reads a scene file. overrides: `count` strings "path.to.key=value" (plait run --set). On a mistake returns NULL with
// file, line, column, the line itself, a caret and what was expected in error->text.
PLAIT_API plait_scene *plait_scene_read(const char *path, int count, const char *const *overrides, plait_error *error);

// Numbers that stay where they are until a scene is read: a text says "@NAME" (in quotes) where a list of points or of
// numbers is expected. They are copied, and written out in the scene's own text.
typedef struct plait_scene_array {
    const char *name;
    int64_t rows;
    int columns;         // 3: points; 1: numbers
    const double *value; // [rows * columns], row by row, in SI units
} plait_scene_array;

// A scene from the text of a scene file. folder: where relative file names in it begin; "" is the working directory.
PLAIT_API plait_scene *plait_scene_from_text(const char *text, const char *folder, int count,
                                             const char *const *overrides, int arrays, const plait_scene_array *array,
                                             plait_error *error);

// The tree of a YAML text as JSON, for programs that change scenes and have no reader of YAML; malloc'ed. Words and
// quantities are strings. NULL with *error.
PLAIT_API char *plait_scene_text_json(const char *text, plait_error *error);

// Scenes that are built in. _find: by name, NULL with a suggestion in *error if there is none.
PLAIT_API int plait_scene_count(void);
PLAIT_API const char *plait_scene_name(int i);
PLAIT_API const char *plait_scene_source(int i); // its YAML
PLAIT_API plait_scene *plait_scene_find(const char *name, int count, const char *const *overrides, plait_error *error);

// What plait_scene_find would make of scene i, without making it.
typedef struct plait_scene_summary {
    char title[200], reproduces[200];
    int fibres;     // 0: not known without its files
    bool has_small; // NAME-small is known too
} plait_scene_summary;
PLAIT_API plait_status plait_scene_summarise(int i, plait_scene_summary *summary, plait_error *error);

// All keys of scene files with units, defaults and meaning, as Markdown (part of docs/scenes.md); malloc'ed, NULL
// without memory.
PLAIT_API char *plait_scene_reference(void);

// The JSON schema (draft 7) of scene files, for editors and other checkers; malloc'ed, NULL without memory.
PLAIT_API char *plait_scene_json_schema(void);

// What cannot be simulated is refused: indices, sizes, anything not finite. Called by plait_sim_new.
PLAIT_API plait_status plait_scene_check(const plait_scene *scene, plait_error *error);

#ifdef __cplusplus
}
#endif
#endif
