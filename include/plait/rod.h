// rod.h: thin elastic rods, alone: build one from a polyline, hold its ends, load it, step it in time, relax it.
//
// A rod is a centreline x(s), 0 <= s <= L, with a material frame (m1, m2, t): t is the tangent, m1 and m2 follow the
// section. Per unit of natural length its energy is
//
//     EA/2 (|x'| - 1)^2  +  EI1/2 (k1 - k1n)^2  +  EI2/2 (k2 - k2n)^2  +  GJ/2 (tau - taun)^2
//
// with the curvature in the frame (t' = k1 m1 + k2 m2: k1 bends towards m1, so EI1 belongs to the width along m1), the
// twist tau = m1' . m2, and natural values k1n, k2n, taun. Viscous forces have the same form in the strain rates.
// SI units. Right-handed: m1 x m2 = t.
//
// Every model cuts the rod into `segments` pieces between segments + 1 nodes; node 0 is the first end (the root).
// A rod belongs to one thread at a time; different rods may be stepped by different threads.
#ifndef PLAIT_ROD_H
#define PLAIT_ROD_H

#include <stdbool.h>
#include <stdint.h>

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- models ------------------------------------------------------------------------------------------------------

typedef enum plait_rod_model {
    PLAIT_ROD_DER,         // discrete elastic rod (Bergou et al. 2008, 2010): vertices and edge twists
    PLAIT_ROD_SUPERHELIX,  // super-helix (Bertails et al. 2006): curvatures and twist per element, inextensible
    PLAIT_ROD_MASS_SPRING, // mass-spring chain (after Baraff and Witkin 1998): vertices, no twist
    PLAIT_ROD_CORDE,       // CoRdE (Spillmann and Teschner 2007): positions and quaternions
    PLAIT_ROD_MODEL_COUNT
} plait_rod_model;

// What a model can do; bits of plait_rod_model_abilities.
enum {
    PLAIT_ROD_TWISTS = 1,      // it has a material frame: twist, torsion, three-dimensional equilibria
    PLAIT_ROD_ANISOTROPIC = 2, // EI1 and EI2 may differ
    PLAIT_ROD_STRETCHES = 4,   // extensible (EA finite)
    PLAIT_ROD_FREE_ROOT = 8,   // the first end may be free or pinned
    PLAIT_ROD_HELD_TIP = 16,   // the last end may be pinned or clamped
    PLAIT_ROD_HELD_EDGE = 32,  // PLAIT_END_EDGE is known
    PLAIT_ROD_EXPLICIT = 64,   // PLAIT_STEP_EXPLICIT is known
    PLAIT_ROD_PROJECTS = 128,  // fast projection is known
    PLAIT_ROD_VARIES = 256,    // sections may differ along it
    PLAIT_ROD_REMEMBERS = 512  // it can yield, and creep
};

PLAIT_API const char *plait_rod_model_name(plait_rod_model model);   // "der", "superhelix"...; NULL if not built in
PLAIT_API unsigned plait_rod_model_abilities(plait_rod_model model); // 0 if not built in
PLAIT_API bool plait_rod_model_find(const char *name, plait_rod_model *model);

// ---- material ----------------------------------------------------------------------------------------------------

typedef struct plait_material {
    double radius[2]; // [m] half axes of the elliptic section along m1 and m2; radius[1] = 0: a circle
    double density;   // [kg/m^3]
    double young;     // [Pa] E
    double shear;     // [Pa] G; 0: E / (2 (1 + poisson))
    double poisson;   // -1 < poisson <= 0.5; used if shear is 0
    double viscosity; // [Pa s] of the material: 3 viscosity beside E, viscosity beside G (Bergou et al. 2010)
    double damping;   // [s] stiffness-proportional: damping E beside E, damping G beside G
    double drag;      // [1/s] force against the velocity, per mass
    double yield;     // [1/m] bending beyond this curvature is plastic; 0: never. Round sections
    double hardening; // kinematic: modulus of hardening over E; the slope beyond is hardening / (1 + hardening) of E
    double relaxing;  // stiffness of a Maxwell branch beside bending and twisting, relative to them; 0: none
    double relaxation_time; // [s] of that branch
} plait_material;

PLAIT_API plait_material plait_default_material(void); // a human hair: 37 um, 1320 kg/m^3, 3.9 GPa, nu 0.45; no damping

// A section, per unit length; what the models compute with. Filled from a material, or by hand.
typedef struct plait_section {
    double radius[2];  // [m] as above; only the geometry of contact and some defaults use it
    double EA;         // [N]
    double EI[2];      // [N m^2] against k1 and k2
    double GJ;         // [N m^2]
    double mass;       // [kg/m]
    double inertia[2]; // [kg m] of the section about m2 and about m1 (rotation that bends towards m1, m2);
                       // their sum resists spin about the tangent
    double viscous_EA, viscous_EI[2], viscous_GJ; // [the same times s]
    double drag;                                  // [1/s]
    double yield, hardening, relaxing, relaxation_time; // as plait_material
} plait_section;

// A place along a fibre where its section is known, relative to that of its material; straight between places, constant
// before the first and beyond the last.
enum { PLAIT_STATIONS = 64 };
typedef struct plait_station {
    double at;                     // 0 .. 1, part of the length; ascending
    double radius, young, density; // factors
} plait_station;

// Checks units and ranges: what cannot be a fibre is refused with the expected range and what was found.
PLAIT_API plait_status plait_material_section(const plait_material *material, plait_section *section,
                                              plait_error *error);

// ---- ends --------------------------------------------------------------------------------------------------------

typedef enum plait_end_kind {
    PLAIT_END_FREE,
    PLAIT_END_PINNED,  // the end node is held at `position`
    PLAIT_END_CLAMPED, // and the frame is held too, by a ghost edge whose hinge has half a Voronoi length
    PLAIT_END_EDGE     // the end edge is held whole: two nodes and its twist (first order only; see docs/models.md)
} plait_end_kind;

enum { PLAIT_SLIDE_X = 1, PLAIT_SLIDE_Y = 2, PLAIT_SLIDE_Z = 4 };

// A condition at one end. Scripting is to change position and frame between steps: at the end of the next step the end
// is there. tangent points along the rod (away from the root) at either end; director is m1 and need not be exactly
// normal to it. Ignored where the kind does not hold them.
typedef struct plait_end {
    plait_end_kind kind;
    double position[3];
    double tangent[3];
    double director[3];
    unsigned slide; // axes along which a pinned or clamped end node is not held after all
} plait_end;

// ---- definition --------------------------------------------------------------------------------------------------

typedef enum plait_natural_kind {
    PLAIT_NATURAL_STRAIGHT,
    PLAIT_NATURAL_CONSTANT, // `curvature` and `twist` all along: an arc, or a helix
    PLAIT_NATURAL_POLYLINE  // the given polyline is at rest, or 1 + `excess` times as curved
} plait_natural_kind;

typedef struct plait_rod_def {
    plait_rod_model model;
    int id; // how messages call this rod
    plait_section section;
    int stations;                 // how the section goes along the rod; 0: it is the same everywhere
    const plait_station *station; // not kept
    int point_count;      // of the polyline that is the initial centreline
    const double *points; // [3 * point_count] [m], not kept
    int segments;         // 0: the polyline as it is; else resampled to this many equal pieces
    double director[3];   // m1 at the root, made normal to the first edge; zero: any. Along the rod it has no twist
                          // beyond the natural one, unless both ends are clamped
    plait_natural_kind natural;
    double curvature[2]; // [1/m] k1n, k2n
    double twist;        // [1/m] taun
    double excess;       // POLYLINE: of the natural curvature over the drawn one, relative
    double length;       // [m] natural length; 0: that of the (resampled) polyline
    plait_end end[2];    // PINNED, CLAMPED: zero position and tangent mean "where the polyline is"
    double gravity[3];   // [m/s^2]
} plait_rod_def;

// Discrete elastic rod of hair, straight, free ends, no gravity; points are to be filled in.
PLAIT_API plait_rod_def plait_default_rod_def(void);

typedef struct plait_rod plait_rod;

// Refuses nonsense (fewer than two points, coincident points, anything not finite, a radius above the segment
// length...) with a message naming rod and vertex. NULL then. The rod owns all its memory.
PLAIT_API plait_rod *plait_rod_new(const plait_rod_def *def, plait_error *error);
PLAIT_API void plait_rod_free(plait_rod *rod); // NULL is fine

// ---- loads and ends, at any time between steps ---------------------------------------------------------------------

// A rod of a simulation (plait_sim_rod): an end that follows a collider can be set free, for good; anything else is
// refused.
PLAIT_API plait_status plait_rod_set_end(plait_rod *rod, int end, const plait_end *condition, plait_error *error);
PLAIT_API plait_end plait_rod_get_end(const plait_rod *rod, int end);
PLAIT_API void plait_rod_set_gravity(plait_rod *rod, const double gravity[3]);
PLAIT_API void plait_rod_set_force(plait_rod *rod, int node, const double force[3]); // [N] dead load
// [N m] about the tangent of a segment, follows it. PLAIT_BAD_INPUT: the model has no twist.
PLAIT_API plait_status plait_rod_set_couple(plait_rod *rod, int segment, double couple);

// ---- steps -------------------------------------------------------------------------------------------------------

typedef enum plait_step_scheme {
    PLAIT_STEP_NONLINEAR, // implicit Euler, solved to the end
    PLAIT_STEP_LINEAR,    // linearised implicit Euler: one Newton iteration
    PLAIT_STEP_EXPLICIT   // symplectic Euler; where the model knows it
} plait_step_scheme;

typedef struct plait_step_options {
    plait_step_scheme scheme;
    double tolerance;     // of the nonlinear equations, relative to the forces that act; default 1e-8
    int max_iterations;   // default 2000; typical motion needs 2 to 5, a jerk by many lengths hundreds
    bool fast_projection; // make the result inextensible (Goldenthal et al. 2007)
    double stretch_limit; // of fast projection, relative; default 1e-6
} plait_step_options;
PLAIT_API plait_step_options plait_default_step_options(void);

typedef struct plait_step_report {
    bool converged;     // false: the state is as it was before
    int iterations;     // Newton iterations
    int trials;         // of the line search, beyond one per iteration
    int repairs;        // factorisations that needed a shift of the matrix
    double residual;    // relative, at the end
    double stretch;     // largest | |edge| / natural - 1 |
    const char *reason; // NULL, or why it failed (static text)
} plait_step_report;

// Advances by dt [s]. Not converging is told by the report; the state is then unchanged. BAD_INPUT: dt or a scripted
// end is nonsense, the scheme is unknown to the model, or the rod belongs to a simulation. Calls no heap after the
// first step.
PLAIT_API plait_status plait_rod_step(plait_rod *rod, double dt, const plait_step_options *options,
                                      plait_step_report *report, plait_error *error);

// The same for many rods, `threads` at a time (0: all). Bitwise equal results for any number of threads.
// reports[count]. Returns the status of the first rod that has another than OK.
PLAIT_API plait_status plait_rods_step(plait_rod *const *rods, int count, double dt, const plait_step_options *options,
                                       int threads, plait_step_report *reports, plait_error *error);

typedef struct plait_relax_options {
    double tolerance;   // of the force balance, relative to the forces that act; default 1e-9
    int max_iterations; // default 2000
} plait_relax_options;
PLAIT_API plait_relax_options plait_default_relax_options(void);

// Goes down in energy to a stable equilibrium under the present ends and loads; velocities become zero. A minimum, not
// a saddle. Not converged: the report says so and the state is as before.
PLAIT_API plait_status plait_rod_relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report,
                                       plait_error *error);

// ---- held as it is ------------------------------------------------------------------------------------------------

// Inverse statics. A drawn shape sags under gravity, because it is not drawn as it is without gravity. Holding a rod
// changes its natural shape such that where it is now is a stable equilibrium under the present ends and loads. What
// hangs needs next to nothing; what stands off or up needs much curvature, and topples if it is too soft: then bending
// and twisting are made stiffer, as little as will do.
typedef struct plait_hold_options {
    double curl;      // [1/m] the natural curvature may be so far from the present one before stiffness is raised; 50
    double stiffness; // at most so many times as stiff; >= 1; 1000
} plait_hold_options;
PLAIT_API plait_hold_options plait_default_hold_options(void);

typedef struct plait_hold_report {
    bool held;          // where it was, nothing has moved
    double stiffness;   // it is so many times as stiff as it was
    double curl;        // [1/m] its natural curvature is so far from that of its shape
    double moved;       // [m] not held: so far a node is now from where it was, at most
    const char *reason; // NULL, or why it was not held (static text)
} plait_hold_report;

// Velocities become zero. Where the shape cannot be held the rod goes to the equilibrium that is nearest downhill, if
// there is one. The model needs inverse statics (der, superhelix), otherwise that is the reason. Not for rods of a
// simulation.
PLAIT_API plait_status plait_rod_hold(plait_rod *rod, const plait_hold_options *options, plait_hold_report *report,
                                      plait_error *error);

// Where a rod of a scene starts.
typedef enum plait_start {
    PLAIT_START_DRAWN,   // as it is drawn
    PLAIT_START_RELAXED, // in its equilibrium under gravity, without contacts
    PLAIT_START_HELD     // as it is drawn, with a natural shape for which that is the equilibrium (plait_rod_hold)
} plait_start;

// ---- what it is doing --------------------------------------------------------------------------------------------

PLAIT_API plait_rod_model plait_rod_get_model(const plait_rod *rod);
PLAIT_API int plait_rod_segments(const plait_rod *rod);
PLAIT_API int plait_rod_dofs(const plait_rod *rod);
PLAIT_API double plait_rod_length(const plait_rod *rod); // natural
PLAIT_API double plait_rod_time(const plait_rod *rod);

PLAIT_API void plait_rod_positions(const plait_rod *rod, double *x);  // [3 * (segments + 1)]
PLAIT_API void plait_rod_velocities(const plait_rod *rod, double *v); // [3 * (segments + 1)]
// Material frames of the segments (at their middle), m1, m2, t of each: [9 * segments]. Zeros without twist.
PLAIT_API void plait_rod_frames(const plait_rod *rod, double *frames);

typedef struct plait_rod_energies {
    double kinetic, stretch, bend, twist;    // [J]
    double load;                             // of gravity and dead forces; zero at the origin
    double weight;                           // of gravity alone, as plait_rod_set_gravity told it
    double momentum[3], angular_momentum[3]; // about the origin
} plait_rod_energies;
PLAIT_API plait_rod_energies plait_rod_energy(const plait_rod *rod);

// The state as plain numbers, for checkpoints: size, copy out, copy in. Same rod definition on both sides. The last
// number is the time; a rod of a simulation refuses another time than the simulation's.
PLAIT_API int plait_rod_state_size(const plait_rod *rod);
PLAIT_API void plait_rod_get_state(const plait_rod *rod, double *state);
PLAIT_API plait_status plait_rod_set_state(plait_rod *rod, const double *state, plait_error *error);

// Adds a velocity field to the nodes: linear (velocity) plus spin about a centre. For free rods.
PLAIT_API void plait_rod_kick(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3]);

#ifdef __cplusplus
}
#endif
#endif
