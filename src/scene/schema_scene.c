// schema_scene.c: the keys of a scene file: everything but fibres and bodies.
#include "scene/schema_scene.h"

#include "scene/scene.h"

// ---- materials and friction --------------------------------------------------------------------------------------

static void init_material(void *out)
{
    *(plait_doc_material *)out = (plait_doc_material){.is = {.rod = plait_default_material()}};
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_fibre_material, field, unit, help, __VA_ARGS__)
static const plait_schema_key material_keys[] = {
    K(CHOICE, "preset", preset, NONE, "where numbers come from that are not given here (docs/scenes.md#presets)",
      PLAIT_WORDS(plait_preset_word)),
    K(PAIR, "radius", rod.radius, LENGTH,
      "of the section of fibres; two numbers: half axes of an ellipse, along the first and second director",
      PLAIT_RANGE(1e-9, 10)),
    K(REAL, "density", rod.density, DENSITY, "mass per volume", PLAIT_RANGE(1e-3, 1e5)),
    K(REAL, "young", rod.young, PRESSURE, "Young's modulus", PLAIT_RANGE(1e-3, 1e14)),
    K(REAL, "shear", rod.shear, PRESSURE, "shear modulus", PLAIT_RANGE(1e-3, 1e14),
      PLAIT_DEFAULT("young / (2 (1 + poisson))")),
    K(REAL, "poisson", rod.poisson, NONE, "Poisson's ratio; not used if `shear` is given", PLAIT_RANGE(-0.999, 0.5)),
    K(REAL, "viscosity", rod.viscosity, VISCOSITY, "of the material: damps bending, twisting and stretching",
      PLAIT_RANGE(0, 1e14)),
    K(REAL, "damping", rod.damping, TIME, "stiffness-proportional damping", PLAIT_RANGE(0, 1e6)),
    K(REAL, "drag", rod.drag, RATE, "force of the air against the velocity (relative to the wind), per mass",
      PLAIT_RANGE(0, 1e9)),
    K(REAL, "slip", slip, NONE, "drag along a fibre is smaller than across it by this share", PLAIT_RANGE(0, 1)),
    K(REAL, "yield_curvature", rod.yield, CURVATURE,
      "bending beyond it is plastic, by kinematic hardening; sigma / (E radius) for a yield stress sigma (see "
      "[research](research.md#plastic-and-viscoelastic-rods))",
      PLAIT_RANGE(1e-9, 1e9), PLAIT_DEFAULT("never")),
    K(REAL, "hardening", rod.hardening, NONE, "modulus of hardening over `young`: beyond the yield curvature a rod is "
      "hardening / (1 + hardening) times as stiff",
      PLAIT_RANGE(0, 1e3)),
    K(REAL, "relaxing", rod.relaxing, NONE,
      "stiffness of a Maxwell branch beside bending and twisting, relative to them", PLAIT_RANGE(0, 1e3)),
    K(REAL, "relaxation_time", rod.relaxation_time, TIME, "of that branch", PLAIT_RANGE(0, 1e9)),
    {.name = "along", .type = PLAIT_KEY_MAP, .table = &plait_schema_along,
     .help = "radius, modulus and density along a fibre, as factors"},
    K(REAL, "contact_radius", contact_radius, LENGTH, "at which fibres touch", PLAIT_RANGE(1e-9, 10),
      PLAIT_DEFAULT("the larger of `radius`")),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema material_table = {
    "materials",
    "A map of names; one entry has these keys. Colliders and bodies need a material for its friction only: `skin:` "
    "with "
    "nothing behind it will do. Without `materials` there is one, a human hair.",
    material_keys, sizeof(plait_doc_material), init_material};

static void init_nothing(void *out)
{
    (void)out; // part of a struct that is there already
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc_friction, field, unit, help, __VA_ARGS__)
static const plait_schema_key friction_keys[] = {
    K(REAL, "default", all, NONE, "coefficient of all pairs that are not listed", PLAIT_RANGE(0, 1000)),
    K(FRICTION, "pairs", pairs, NONE, "`[[hair, skin, 0.5], ...]`: for pairs of materials", PLAIT_RANGE(0, 1000)),
    PLAIT_KEYS_END,
};
static const plait_schema_key restitution_keys[] = {
    K(REAL, "default", all, NONE, "coefficient of all pairs that are not listed", PLAIT_RANGE(0, 1)),
    K(FRICTION, "pairs", pairs, NONE, "`[[ball, floor, 0.5], ...]`: for pairs of materials", PLAIT_RANGE(0, 1)),
    PLAIT_KEYS_END,
};
#undef K
static const plait_schema friction_table = {NULL, NULL, friction_keys, sizeof(plait_doc_friction), init_nothing};
static const plait_schema restitution_table = {NULL, NULL, restitution_keys, sizeof(plait_doc_friction), init_nothing};

// ---- how the step is computed ------------------------------------------------------------------------------------

static void init_doc(void *out)
{
    plait_doc *doc = out;
    *doc = (plait_doc){.friction.all = 0.3};
    plait_scene_defaults(&doc->base);
    doc->detection = (int)doc->base.detecting.mode - 1;
}

static const char *mode_word(int i)
{
    static const char *const words[] = {"dynamic", "static", NULL};
    return words[i];
}

static const char *scheme_word(int i)
{
    static const char *const words[] = {"linear", "impulse", "adonis", "balanced", NULL};
    return words[i];
}

static const char *overlaps_word(int i)
{
    static const char *const words[] = {"auto", "push", "keep", NULL};
    return words[i];
}

static const char *integrator_word(int i)
{
    static const char *const words[] = {"euler", "bdf2", NULL};
    return words[i];
}

static const char *rod_scheme_word(int i)
{
    static const char *const words[] = {"nonlinear", "linear", "explicit", NULL};
    return words[i];
}

static const char *detection_word(int i)
{
    static const char *const words[] = {"proximity", "continuous", "both", NULL};
    return words[i];
}

static const char *adhesion_word(int i)
{
    static const char *const words[] = {"exact", "box", NULL};
    return words[i];
}

static const char *solver_word(int i)
{
    return i < PLAIT_SOLVER_COUNT ? plait_solver_name((plait_solver)i) : NULL;
}

static const char *local_word(int i)
{
    return i < PLAIT_LOCAL_COUNT ? plait_local_name((plait_local)i) : NULL;
}

#define K(type, key, field, unit, help, ...) PLAIT_KEY(type, key, plait_doc, field, unit, help, __VA_ARGS__)
// Maps whose struct is the whole document begin at its start.
#define M(name_, table_, help_)                                                                                        \
    {                                                                                                                  \
        .name = name_, .type = PLAIT_KEY_MAP, .table = &table_, .help = help_                                          \
    }
static const plait_schema_key wind_keys[] = {
    K(VECTOR, "velocity", base.wind, SPEED, "steady part", PLAIT_ANY),
    K(VECTOR, "gust", base.gust, SPEED, "amplitude of the sinusoidal part", PLAIT_ANY),
    K(REAL, "frequency", base.gust_frequency, FREQUENCY, "of the sinusoidal part", PLAIT_RANGE(0, 1e9)),
    K(REAL, "turbulence", base.turbulence, SPEED, "of eddies that come with it, root of the mean square",
      PLAIT_RANGE(0, 1e4)),
    K(REAL, "turbulence_size", base.turbulence_size, LENGTH, "of eddies", PLAIT_RANGE(1e-4, 1e4),
      PLAIT_DEFAULT("0.1 m")),
    K(REAL, "shelter", base.shelter, NONE, "behind a dense layer of fibres the wind is weaker by this share",
      PLAIT_RANGE(0, 1)),
    PLAIT_KEYS_END,
};
static const plait_schema wind_table = {NULL, NULL, wind_keys, sizeof(plait_doc), init_doc};

static const plait_schema_key rod_keys[] = {
    K(CHOICE, "scheme", base.stepping.rod.scheme, NONE, "of the motion without contacts", PLAIT_WORDS(rod_scheme_word)),
    K(REAL, "tolerance", base.stepping.rod.tolerance, NONE, "of the nonlinear equations, relative to the forces",
      PLAIT_RANGE(1e-15, 1)),
    K(INT, "max_iterations", base.stepping.rod.max_iterations, NONE, "of Newton's method", PLAIT_RANGE(1, 1e6)),
    K(BOOL, "fast_projection", base.stepping.rod.fast_projection, NONE,
      "makes the result inextensible, where the model knows that", PLAIT_ANY),
    K(REAL, "stretch_limit", base.stepping.rod.stretch_limit, NONE, "of fast projection, relative",
      PLAIT_RANGE(1e-12, 1)),
    PLAIT_KEYS_END,
};
static const plait_schema rod_table = {NULL, NULL, rod_keys, sizeof(plait_doc), init_doc};

static const plait_schema_key nonlinear_keys[] = {
    K(REAL, "stretch", base.stepping.nonlinear, NONE, "a fibre in contact that is stretched more is linearised anew",
      PLAIT_RANGE(1e-9, 1e9)),
    K(REAL, "rate", base.stepping.nonlinear_rate, NONE,
      "the same for how fast edges grow, relative and per second; if it is given, stretch does not count",
      PLAIT_RANGE(0, 1e12), PLAIT_DEFAULT("stretch counts")),
    K(INT, "iterations", base.stepping.newton_max, NONE,
      "at most; what is left then is accepted if it is below max_stretch, else up to four times as many",
      PLAIT_RANGE(1, 1e6)),
    PLAIT_KEYS_END,
};
static const plait_schema nonlinear_table = {NULL, NULL, nonlinear_keys, sizeof(plait_doc), init_doc};

static const plait_schema_key balance_keys[] = {
    K(REAL, "tol", base.stepping.balance, NONE,
      "a body in contact whose momentum is out of balance by more, relative to that of its contacts, is linearised "
      "anew",
      PLAIT_RANGE(1e-12, 1e9)),
    K(INT, "iterations", base.stepping.balance_max, NONE, "at most", PLAIT_RANGE(1, 1e6)),
    K(REAL, "reject", base.stepping.balance_reject, NONE, "a step that is left with more is tried again, smaller",
      PLAIT_RANGE(0, 1e9)),
    PLAIT_KEYS_END,
};
static const plait_schema balance_table = {NULL, NULL, balance_keys, sizeof(plait_doc), init_doc};

static const plait_schema_key step_keys[] = {
    K(CHOICE, "scheme", base.stepping.scheme, NONE,
      "contacts act through mass, damping and stiffness, once; as impulses through the mass alone; again where fibres "
      "are stretched; or again until the momentum of bodies in contact is balanced",
      PLAIT_WORDS(scheme_word)),
    K(CHOICE, "integrator", base.stepping.integrator, NONE,
      "implicit Euler; or a second-order formula for what swings, whips and vibrates",
      PLAIT_WORDS(integrator_word)),
    K(REAL, "theta", base.stepping.theta, NONE,
      "1: implicit Euler; less: so much of the elastic forces at the end of a step, the rest at its start: less "
      "damping",
      PLAIT_RANGE(0.5, 1)),
    K(REAL, "dt", base.stepping.dt, TIME, "time step, the largest one if it is adaptive", PLAIT_RANGE(1e-9, 10)),
    K(REAL, "dt_min", base.stepping.dt_min, TIME, "smallest time step; one that fails there too ends the run",
      PLAIT_RANGE(1e-12, 10), PLAIT_DEFAULT("dt / 256")),
    K(BOOL, "adaptive", base.stepping.adaptive, NONE, "smaller steps while things move fast", PLAIT_ANY),
    K(REAL, "max_move", base.stepping.max_move, LENGTH, "adaptive: what no node should exceed in a step",
      PLAIT_RANGE(1e-9, 1e6), PLAIT_DEFAULT("four contact radii")),
    K(REAL, "error", base.stepping.error, LENGTH,
      "not 0: dt follows the error of a step, which is estimated, instead of max_move: no place is wrong by more",
      PLAIT_RANGE(0, 1e6)),
    K(REAL, "reject", base.stepping.reject, NONE, "a step whose contact residual is above this is tried again, smaller",
      PLAIT_RANGE(0, 1e9)),
    K(REAL, "max_stretch", base.stepping.max_stretch, NONE, "the same for the relative stretch of a fibre",
      PLAIT_RANGE(1e-9, 1e9)),
    K(REAL, "max_overlap", base.stepping.max_overlap, NONE,
      "fibres that would overlap by more than this part of their diameter become contacts, or the step is tried again, "
      "smaller",
      PLAIT_RANGE(0, 1)),
    K(REAL, "max_recovery", base.stepping.max_recovery, SPEED, "overlaps are pushed apart at most this fast",
      PLAIT_RANGE(0, 1e6)),
    K(REAL, "arc", base.stepping.arc, LENGTH,
      "mode static: not 0: a step goes along the path of equilibria, past folds, by this way (root mean square of all "
      "nodes) or by `dt` of loads and scripts, which then follow a parameter of their own and may go back",
      PLAIT_RANGE(0, 1e6)),
    K(REAL, "arc_start", base.stepping.arc_start, TIME, "mode static: before this time steps are as without `arc`",
      PLAIT_RANGE(0, 1e9)),
    K(REAL, "settle", base.stepping.settle, TIME,
      "before the start everything comes to rest for so long, damped, while scripts stand still", PLAIT_RANGE(0, 1e6)),
    K(BOOL, "ledger", base.stepping.ledger, NONE,
      "tell in every step where energy comes from and where it goes, and what the step itself loses or gains",
      PLAIT_ANY),
    K(REAL, "max_gain", base.stepping.max_gain, NONE,
      "scheme balanced, with the ledger: a step that gains more energy by itself than this part of what changes hands "
      "and of what moves is linearised once more, or tried again, smaller (at least 0.001 for bdf2, theta < 1 and mode "
      "static); 0: none is",
      PLAIT_RANGE(0, 1e9)),
    M("nonlinear", nonlinear_table, "scheme adonis: how nonlinear the response to contacts is"),
    M("balance", balance_table, "scheme balanced: how well momentum is balanced"),
    M("rod", rod_table, "the motion of a fibre without contacts"),
    PLAIT_KEYS_END,
};
static const plait_schema step_table = {"step", "How time goes on.", step_keys, sizeof(plait_doc), init_doc};

static const plait_schema_key solver_keys[] = {
    K(CHOICE, "solver", base.stepping.solve.solver, NONE, "of the contact problem", PLAIT_WORDS(solver_word)),
    K(CHOICE, "local", base.stepping.solve.local, NONE, "for one contact, where the solver goes contact by contact",
      PLAIT_WORDS(local_word)),
    K(CHOICE, "adhesion", base.stepping.adhesion, NONE,
      "with the exact cone; or by Gascon's box and four-sided pyramid in Gauss-Seidel (2010), for comparison",
      PLAIT_WORDS(adhesion_word)),
    K(BOOL, "failsafe", base.stepping.solve.enum_failsafe, NONE, "where the local solver fails: enumeration",
      PLAIT_ANY),
    K(BOOL, "freeze", base.stepping.solve.freeze, NONE, "Gauss-Seidel leaves out contacts that hardly change",
      PLAIT_ANY),
    K(INT, "anderson", base.stepping.solve.anderson, NONE, "window of Anderson acceleration; 0: off, -1: where it pays",
      PLAIT_RANGE(-1, 100)),
    K(REAL, "tol", base.stepping.solve.tol, NONE, "residual to reach", PLAIT_RANGE(1e-15, 1)),
    K(REAL, "creep", base.stepping.creep, SPEED,
      "contacts that stick may move this fast at most, else the step is solved better than `tol`; 0: `tol` alone "
      "counts",
      PLAIT_RANGE(0, 1e6),
      PLAIT_DEFAULT("1e-9 m/s, or a hundredth of what the step changes in velocities, once all contacts are slower "
                    "than 1e-4 m/s")),
    K(BOOL, "smallest", base.stepping.solve.smallest, NONE,
      "of all impulses that do the same (stacks have many) the smallest ones: symmetric scenes get symmetric forces",
      PLAIT_ANY),
    K(REAL, "local_tol", base.stepping.solve.local_tol, NONE, "of the local solver", PLAIT_RANGE(1e-16, 1)),
    K(REAL, "max_time", base.stepping.solve.max_time, TIME,
      "for one solve, of CPU with one thread; 0: no limit. With one, results depend on the machine",
      PLAIT_RANGE(0, 1e9)),
    K(INT, "max_iterations", base.stepping.solve.max_iterations, NONE, "0: the solver's own limit",
      PLAIT_RANGE(0, 1e9)),
    PLAIT_KEYS_END,
};
static const plait_schema solver_table = {"solver",
                                          "How the frictional contact problem of a step is solved (docs/solvers.md).",
                                          solver_keys, sizeof(plait_doc), init_doc};

static const plait_schema_key contact_keys[] = {
    K(CHOICE, "detection", detection, NONE, "what is near at the start of a step, what would pass through, or both",
      PLAIT_WORDS(detection_word)),
    K(REAL, "proximity", base.detecting.proximity, LENGTH, "surfaces nearer than this are in contact",
      PLAIT_RANGE(1e-12, 1e6), PLAIT_DEFAULT("half the smallest contact radius")),
    K(REAL, "spacing", base.detecting.spacing, LENGTH,
      "contacts of one pair of fibres keep this distance along them; if it is longer than their segments, fibres "
      "that lie along each other may never come to rest",
      PLAIT_RANGE(1e-12, 1e6), PLAIT_DEFAULT("one segment")),
    K(BOOL, "self", base.detecting.self, NONE, "fibres touch themselves", PLAIT_ANY),
    K(REAL, "self_arc", base.detecting.self_arc, LENGTH, "points of one fibre nearer along it than this do not touch",
      PLAIT_RANGE(1e-12, 1e6), PLAIT_DEFAULT("4 diameters and 2.5 segments")),
    K(BOOL, "fibres", base.detecting.fibres, NONE, "fibres touch each other", PLAIT_ANY),
    K(BOOL, "couple", base.detecting.couple, NONE,
      "forces act at the surface of fibres and turn them about their axis: they roll and twist; else at the centreline",
      PLAIT_ANY),
    K(CHOICE, "overlaps", base.detecting.overlaps, NONE,
      "what overlaps at the start is pushed apart in the first steps, or may stay as near as it is; auto: kept of "
      "fibres from files, and of those that are held",
      PLAIT_WORDS(overlaps_word)),
    PLAIT_KEYS_END,
};
static const plait_schema contact_table = {"contact", "What counts as a contact.", contact_keys, sizeof(plait_doc),
                                           init_doc};

static const plait_schema_key output_keys[] = {
    K(REAL, "start", base.output.start, TIME,
      "time at which it begins: a whole number of frames before or after 0 (see [shots](#shots-that-begin-before-0))",
      PLAIT_RANGE(-1e9, 1e9)),
    K(REAL, "duration", base.output.duration, TIME, "simulated time, from the start on", PLAIT_RANGE(0, 1e9)),
    K(REAL, "frame_time", base.output.frame_time, TIME, "between frames of the trajectory", PLAIT_RANGE(1e-9, 1e9),
      PLAIT_DEFAULT("0.04; mode static: `dt`")),
    K(REAL, "fps", fps, FREQUENCY, "the same as frames per second; not both", PLAIT_RANGE(1e-9, 1e9),
      PLAIT_DEFAULT("1 / frame_time")),
    K(REAL, "checkpoint", base.output.checkpoint, TIME, "of wall clock between checkpoints", PLAIT_RANGE(0, 1e9)),
    K(BOOL, "contacts", base.output.contacts, NONE, "contacts go into the trajectory too", PLAIT_ANY),
    K(BOOL, "frames", base.output.frames, NONE, "material frames and twist of fibres go into the trajectory too",
      PLAIT_ANY),
    K(BOOL, "velocities", base.output.velocities, NONE, "velocities of nodes and rigid bodies go into it too",
      PLAIT_ANY),
    K(BOOL, "doubles", base.output.doubles, NONE, "positions in the trajectory have 8 bytes instead of 4", PLAIT_ANY),
    K(INT, "states", base.output.states, NONE,
      "the state at every so many frames is kept, to begin again there (`plait run --from DIR:FRAME`); 0: none",
      PLAIT_RANGE(0, 1e9)),
    K(INT, "dump_problems", base.output.dump_problems, NONE,
      "the contact problem of every so many steps is written; 0: none", PLAIT_RANGE(0, 2e9)),
    PLAIT_KEYS_END,
};
static const plait_schema output_table = {"output", "How long, and what is kept.", output_keys, sizeof(plait_doc),
                                          init_doc};

// ---- the scene ---------------------------------------------------------------------------------------------------

static const plait_schema_key scene_keys[] = {
    {.name = "include",
     .type = PLAIT_KEY_INCLUDE,
     .fallback = "-",
     .help = "scene files, whole or in part: what this file says comes on top of them"},
    {.name = "variables",
     .type = PLAIT_KEY_VARIABLES,
     .fallback = "-",
     .help = "`name: value`; `$(name)` stands for the value anywhere in the scene"},
    K(TEXT, "name", name, NONE, "of the scene, a word", PLAIT_DEFAULT("that of the file")),
    K(TEXT, "title", title, NONE, "what it is, in one line", PLAIT_ANY),
    K(TEXT, "reproduces", reproduces, NONE, "which figure or table, in one line", PLAIT_ANY),
    K(CHOICE, "mode", base.stepping.mode, NONE,
      "static: every step begins at rest and goes to the equilibrium under the loads of its end, friction included",
      PLAIT_WORDS(mode_word)),
    K(VECTOR, "periodic", base.detecting.period, LENGTH,
      "fibres repeat themselves after this along x, y, z and touch each other's copies; 0: not along this axis "
      "([research](research.md#periodic-cells))",
      PLAIT_RANGE(0, 1e6)),
    K(VECTOR, "gravity", base.gravity, ACCELERATION, "z is up", PLAIT_ANY),
    M("wind", wind_table, "pulls fibres that have `drag` along"),
    K(NAMED, "materials", materials, NONE, "what fibres and bodies are made of", PLAIT_TABLE(material_table)),
    K(MAP, "friction", friction, NONE, "Coulomb's coefficient", PLAIT_TABLE(friction_table)),
    K(MAP, "restitution", restitution, NONE, "0: no bounce, 1: nothing is lost", PLAIT_TABLE(restitution_table)),
    K(NAMED, "adhesion", adhesion, NONE, "what holds materials together besides friction",
      PLAIT_TABLE(plait_schema_adhesion)),
    K(NAMED, "joints", joints, NONE, "balls, hinges and welds of fibres, bodies and the world",
      PLAIT_TABLE(plait_schema_joint)),
    K(NAMED, "ties", ties, NONE, "what is tied together at the start", PLAIT_TABLE(plait_schema_tie)),
    K(NAMED, "loads", loads, NONE, "what pulls, turns, weighs, bends; over time", PLAIT_TABLE(plait_schema_load)),
    K(NAMED, "measure", measure, NONE, "what is written after every step: measure.csv, measure.h5",
      PLAIT_TABLE(plait_schema_measure)),
    K(NAMED, "fibres", fibres, NONE, "groups of fibres", PLAIT_TABLE(plait_schema_fibre)),
    K(NAMED, "colliders", colliders, NONE, "what fibres touch and hang on; moves as told",
      PLAIT_TABLE(plait_schema_collider)),
    K(NAMED, "bodies", bodies, NONE, "rigid bodies that move freely", PLAIT_TABLE(plait_schema_body)),
    K(NAMED, "cloth", cloth, NONE, "cloth: triangles that stretch, shear and bend", PLAIT_TABLE(plait_schema_cloth)),
    K(NAMED, "solids", solids, NONE, "soft bodies of tetrahedra", PLAIT_TABLE(plait_schema_solid)),
    M("step", step_table, "how time goes on"),
    M("solver", solver_table, "how contact problems are solved"),
    M("contact", contact_table, "what counts as a contact"),
    M("output", output_table, "how long, and what is kept"),
    {.name = "small",
     .type = PLAIT_KEY_OVERRIDES,
     .help = "the small variant: `path: value`, as `--set` would set them"},
    PLAIT_KEYS_END,
};
const plait_schema plait_schema_scene = {"scene", "The keys at the top of a scene file.", scene_keys, sizeof(plait_doc),
                                         init_doc};
