// sim.h: a simulation, seen from inside: what the stages of a step hand to each other.
//
//     model   constant after build: the list of bodies, what the scene says
//     state   ONE block of numbers: time and dt, places and velocities of all bodies, the contacts of the last step. It
//     is what
//             a checkpoint stores, as it is
//     work    everything else: it could be thrown away between two steps
//
// A stage is a function of (const model, state, work, attempt), one file each. Only accept writes the state, and
// only the state of bodies; a step that fails takes it back.
#ifndef PLAIT_SIM_SIM_H
#define PLAIT_SIM_SIM_H

#include "base/arena.h"
#include "base/pool.h"
#include "base/stop.h"
#include "base/team.h"
#include "body/body.h"
#include "contact/bands.h"
#include "contact/bond.h"
#include "contact/limbs.h"
#include "plait/control.h"
#include "plait/sim.h"
#include "sim/rest.h"

// ---- model
// -----------------------------------------------------------------------------------------------------------

typedef struct plait_model plait_model;

// One of the scene's lists as bodies (kinds.c): how many it has, and how one is built. The only place that knows them.
typedef struct plait_sim_kind {
    const plait_body_type *type;
    plait_partner_kind partner; // how contacts call it
    int (*count)(const plait_scene *scene);
    plait_status (*build)(const plait_model *model, const plait_scene *scene, int i, plait_body *body,
                          plait_error *error);
} plait_sim_kind;

enum { PLAIT_SIM_KINDS = 8 };
// In the order of the list: those with dofs first. NULL behind the last.
extern const plait_sim_kind *plait_sim_kinds[PLAIT_SIM_KINDS + 1];

struct plait_model {
    plait_scene *scene; // own copy: colliders, rigid bodies, materials, stepping; without fibres
    plait_response response;
    int bodies, chains, shapes, skins, nodes, dofs;
    plait_body *body;               // [bodies]
    const plait_sim_kind **kind;    // [bodies]
    int first_of[PLAIT_SIM_KINDS];  // body of each kind
    int *first_dof;                 // [bodies + 1]
    int *chain_body, *shape_body;   // [chains], [shapes] whose surface it is; shapes: scripted ones first
    int *skin_body;                 // [skins]
    plait_skin_geometry *skin;      // [skins]
    plait_chain_geometry *chain;    // [chains]
    int *first_node;                // [chains + 1] nodes of chains come first ...
    int *first_skin_node;           // [skins + 1] ... then those of skins
    double *radius;                 // [chains]
    double *arc;                    // [nodes]
    double proximity, spacing, max_move;
    double calm;  // [1/s] while it settles, before the start; scripts stand still then
    bool bounces; // some restitution is not zero
    bool curved;  // some body is
    int cell;     // body of a periodic cell that deforms; -1: there is none
    bool cell_moves; // contacts with copies move it
    int columns;  // of the widest limb
    plait_rest rest; // what overlaps at the start and may
    void *memory;    // of the arrays above but body, kind and rest
};

// ---- state
// -----------------------------------------------------------------------------------------------------------

// The numbers at the beginning of the block. Then come the states of the bodies, in their order, then the contacts.
enum {
    PLAIT_AT_TIME,     // [s]
    PLAIT_AT_DT_NEXT,  // [s] of the next step
    PLAIT_AT_STEPS,    // accepted
    PLAIT_AT_CALM,     // accepted steps since dt was last cut
    PLAIT_AT_DT_LAST,  // [s] of the step that the contacts are of
    PLAIT_AT_CONTACTS, // how many
    PLAIT_AT_BONDED,   // how many of them have more to remember than an impulse
    PLAIT_AT_CHAINS,   // bodies with a chain of nodes, and others that move: to know a state of another scene
    PLAIT_AT_OTHERS,
    PLAIT_AT_SCRIPT,   // [s] what scripts and loads follow: the time, or the parameter of a path (path.h)
    PLAIT_AT_ADVANCE,  // [s] how far that went in the last step
    PLAIT_AT_POWER,    // [W] of scripts, in the last step
    PLAIT_AT_EVENTS,   // ties and joints that were made after the start (events.c)
    PLAIT_STATE_HEAD
};

typedef struct plait_state {
    double *value; // [size]
    int64_t size, room;
    int64_t contacts; // where they begin
} plait_state;

typedef struct plait_loads plait_loads;
typedef struct plait_measures plait_measures;

// ---- work
// ------------------------------------------------------------------------------------------------------------

// What the nonlinear response knows of a body.
typedef struct plait_sim_mark {
    bool again;         // it was linearised again in this round
    const char *reason; // why it failed, or NULL
    bool stays;         // statics: it was linearised where it is
    double doubt;       // the last time
    double balance;     // of the last round
    int times;          // how often it was linearised again in this attempt
    double elastic;     // [J] at the start of the step
    plait_body_energies energy; // when it was last asked for; zeros: it has none
    plait_account account;
} plait_sim_mark;

typedef struct plait_work {
    plait_team team;
    int told_threads;             // what plait_sim_set_threads was told
    plait_arena arena;            // scratch of a stage
    plait_pool *pool;             // memory of problems and of their solvers
    double *saved;                // the bodies' part of the state at the start of the step, after impacts ...
    double *unstruck;             // ... and before them, where something bounces
    double *x0, *x1;              // [3 nodes] start and end of the step
    double *seen_x1;              // [3 nodes] x1 when the judge looked for crossings last
    bool *otherwise;              // [chains] whether it is another one now
    double *u0;                   // [3 nodes] velocities of the nodes at the start
    double *v_free, *v;           // [dofs] generalised: unconstrained, corrected
    plait_sim_mark *mark;         // [bodies]
    plait_shape_geometry *shape;  // [shapes]
    plait_detector *detector;
    plait_touches touches, missed;
    plait_touches previous;       // contacts of the last accepted step, as the state has them
    plait_bonds bonds;            // what they remember; part of the state
    plait_bonds bonds_next;       // room for those of the step at hand
    plait_problem *problem;
    plait_solution *solution;
    double *frame;                // [9 contacts] normal, tangent, tangent in rows
    double *gap_term;             // [contacts] what was added to w_N for the gap
    double noise;          // [m/s] what the solver left of velocities that should not be
    unsigned char *law;           // [contacts] rows of the table of laws, and their parameters (bonds.h)
    double *law_number;           // [contacts][PLAIT_LAW_NUMBERS]
    bool has_laws;                // some are not Coulomb's
    int contact_room;
    double *problem_v;            // [dofs] velocities in the problem's order
    int *body_dof;                // [bodies] first of its free dofs in the problem, -1: takes no part
    int *body_place;              // [bodies] which of the bodies in the problem
    bool contacts_shown;          // problem, solution and frame belong to `previous`
    plait_sim_report report;
    plait_body_energies energy;   // of all bodies at the start of the step, after impacts ...
    plait_body_energies unstruck_energy; // ... and before them
    double last_energy;           // at the end of the last step; NAN: there was none
    double gained;                // [J] by recovery in this attempt
    double struck;                // [J] lost in impacts, in this attempt
    plait_body_energies pushed;   // before its first push, then after it ...
    // ... if pushed_known: it was done, and nothing moved since
    bool pushed_known;
    double left;                  // the deepest overlap after it, of the diameter; NAN: nobody looked
    bool (*asked)(void *data);    // to stop
    void *asked_data;
    double ask_every;             // [s] of wall clock; 0: always
    _Atomic double ask_next;      // when it is asked again
    plait_stop stop;              // of this step
    plait_sim_hooks hooks;        // of the program
    plait_measures *measures;     // of the scene (measure.h); NULL: none
    plait_loads *loads;           // of the scene (loads.h); NULL: none
    plait_air air;                // of the step at hand
    double advance;               // [s] of the script in the step at hand, on a path
    bool on_path;                 // step.arc is being followed
    double *secant;               // [dofs] the last way on it; NULL: none is followed
    double *eigenvalue;           // [eigenvalues] lowest ones after the last step [1/s^2] (stability.c)
    int eigenvalues;
    void *memory[2]; // of what has constant size: here, and in bodies
} plait_work;

// Memory that programs look at: it grows, and what it was before stays until the end.
typedef struct plait_shown {
    struct plait_shown *older;
    size_t room;    // bytes behind it
    double value[]; // whatever it is of
} plait_shown;

struct plait_sim {
    plait_model model;
    plait_state state;
    plait_work work;
    plait_shown *nodes_view; // [6 nodes] places and velocities, for who looks at them
    plait_shown *contacts_view, *bonds_view;
};

// ---- an attempt at a step
// --------------------------------------------------------------------------------------------

// Where it stands: what the next round of assemble, solve and correct is for.
typedef enum plait_stand {
    PLAIT_STAND_FRESH,        // nothing is known: contacts as they were detected
    PLAIT_STAND_RELINEARISED, // the same contacts, but marked bodies were linearised again
    PLAIT_STAND_ROUGH,        // nothing has changed, but it was not solved well yet
    PLAIT_STAND_CAUGHT,       // contacts were added that would have been passed through
    PLAIT_STAND_SETTLED       // no round: the motion can be accepted
} plait_stand;

typedef struct plait_attempt {
    double dt;
    plait_stand stand;
    int caught;  // rounds for what continuous detection found in the corrected motion
    int known;   // contacts whose impulses in `solution` are a good start
    bool rough;  // the last solve was
    int retold;  // rounds because it gained energy
    int tilts;   // rounds because normals turned
    double pushed; // [m/s] how fast recovery has pushed
    bool looked; // for crossings, in this attempt
    bool close;  // fibres may overlap at the end that are in no contact
    plait_status status; // not OK: it cannot go on at all
    bool refused;        // status is PLAIT_BAD_INPUT for what a program's hook said, not for where the motion went
    plait_error *error;
} plait_attempt;

// Stages. False: the attempt fails; work->report.reason says why, or attempt->status does.
// predict: ends and colliders to t + dt; v_free, x0, x1, M, f. detect: touches. assemble: problem, start in solution.
// solve: solution. correct: v, x1. judge: attempt->stand. accept: the state.
bool plait_sim_predict(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a);
// After detect: bodies that relied on contacts and have none are predicted without. *any: there were some.
bool plait_sim_predict_untouched(const plait_model *m, plait_work *w, plait_attempt *a, bool *any);
bool plait_sim_detect(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a);
bool plait_sim_assemble(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a);
bool plait_sim_solve(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a);
bool plait_sim_correct(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a);
// v of all bodies: those that take part from the problem, the others as predicted. False without memory.
bool plait_sim_gather_v(const plait_model *m, plait_work *w, plait_attempt *a);
bool plait_sim_balance_later(const plait_model *m); // it is told by the ledger
bool plait_sim_judge(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a);
bool plait_sim_accept(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a);
void plait_sim_observe(const plait_model *m, const plait_state *s, plait_work *w, const plait_attempt *a); // the report

// ledger.c: open: at the start of a step. struck: impacts have changed velocities. settle: when nothing moves the
// velocities any more, where energy goes. close: what is left, when bodies have accepted; kinetic, elastic and
// potential energy of the report. Nothing without step.ledger.
void plait_sim_ledger_open(const plait_model *m, plait_work *w);
void plait_sim_ledger_struck(const plait_model *m, plait_work *w);
void plait_sim_ledger_settle(const plait_model *m, plait_work *w, const plait_attempt *a);
void plait_sim_ledger_close(const plait_model *m, plait_work *w);
// After settle, scheme balanced: what the step gains by itself, over what it may.
double plait_sim_ledger_gain(const plait_model *m, const plait_state *s, const plait_work *w, double dt);
// Kinetic, elastic and potential energy of all bodies, at present. keep: elastic ones go to the marks.
plait_body_energies plait_sim_energies(const plait_model *m, const plait_work *w, bool keep);

// ---- what stages share
// -----------------------------------------------------------------------------------------------

// anchor.c: what carries bodies along is known from now on: once, with colliders at their start.
plait_status plait_sim_anchor(const plait_model *m, const plait_work *w, plait_error *error);
// air.c: eddies and shelter, where the scene has them, with fibres where they are now. _new: memory for it.
bool plait_air_new(plait_air *air, const plait_model *m);
void plait_air_set(plait_air *air, const plait_model *m, const double wind[3], double time);

// predict.c: colliders, ends, wind for a step of dt; then nodes and shapes at its start.
void plait_sim_place(const plait_model *m, const plait_state *s, plait_work *w, double dt);
// detect.c: missed <- all that passes through something between x0 and x1.
plait_status plait_sim_find_crossings(const plait_model *m, plait_work *w, plait_error *error);
// detect.c: touches <- what is nearer than `near` at the start.
plait_status plait_sim_find_near(const plait_model *m, plait_work *w, double near, plait_touches *touches,
                                 plait_error *error);
// detect.c: what would pass through something in the corrected motion becomes a contact; *found: how many.
bool plait_sim_catch(const plait_model *m, plait_work *w, plait_attempt *a, int *found);
// tilt.c: statics: contacts that the step turns get the normal of its end, and it is solved again.
bool plait_sim_tilt(const plait_model *m, plait_work *w, plait_attempt *a);
// detect.c: touches <- what is near at the end, nodes at x; `last` of each: the step's own contact. moved [chains]:
// those that have moved since touches were found so; NULL: they were not.
plait_status plait_sim_find_at_end(const plait_model *m, plait_work *w, const double *x, const bool *moved,
                                   plait_touches *touches, plait_error *error);
// recover.c: pushes penetrations out by a displacement without velocity.
bool plait_sim_recover(const plait_model *m, plait_work *w, plait_attempt *a);
// bounce.c: impacts of what comes fast to contacts with restitution: the velocities of the state are those after it.
// *struck: there was one, everything has to be predicted again.
bool plait_sim_bounce(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a, bool *struck);
// How fast the sides of a contact part along its normal, without what scripts do: for v, or at the start of the step
// (NULL; velocities are in u0).
double plait_sim_parting(const plait_model *m, const plait_touch *t, const double *v);
// assemble.c: f, w; M as bands, H by limbs; mu, of all touches. NULL without memory.
plait_dynamics *plait_sim_dynamics(const plait_model *m, plait_work *w, double dt, plait_bands *bands,
                                   plait_limbs *limbs, double *mu);
// assemble.c: frames, gap terms and laws have room for n contacts. False without memory.
bool plait_sim_contact_room(plait_work *w, int n);
// assemble.c: numbers the dofs of the bodies that take part, by touches; returns how many there are.
int plait_sim_number_dofs(const plait_model *m, plait_work *w);
// bounce.c, integrator bdf2: bodies with a contact that is new or does not rest begin anew: body->restart. Whether
// there are more than before.
bool plait_sim_restart(const plait_model *m, const plait_work *w, double dt);
// ... and all bodies are as at the start of the step.
void plait_sim_rewind(const plait_model *m);
// error.c: report.error, after bodies were accepted; 0 if nobody asks for it. False without memory.
bool plait_sim_estimate(const plait_model *m, plait_work *w, plait_attempt *a);
// matrix.c: how many dofs of a body take part in contact problems, from dof *from on: all but those held at either end.
int plait_sim_free_dofs(const plait_body *body, int *from);
// M and f of the bodies that take part; f has room for their dofs. False without memory.
bool plait_sim_bands(const plait_model *m, plait_work *w, plait_bands *bands, double *f);
// Those of one body, into the bands of a problem.
void plait_sim_fill_band(const plait_model *m, const plait_work *w, int body, plait_bands *bands, double *f);

// state.c: the block. allocate: bodies move into it. save, restore: bodies at the start of a step. remember: contacts
// and impulses of the step go from touches, solution and frame to the state. False: no memory.
bool plait_state_allocate(plait_state *s, const plait_model *m, int64_t more); // room for more numbers
void plait_state_save(const plait_model *m, const plait_state *s, plait_work *w);
void plait_state_restore(const plait_model *m, plait_state *s, plait_work *w);
bool plait_state_remember(plait_state *s, const plait_model *m, plait_work *w, double dt);
// The contacts of `previous` and their bonds, into the block.
bool plait_state_write_contacts(plait_state *s, const plait_model *m, const plait_work *w);

// still.c: what contact i of the solved problem does; the speed of the fastest that sticks, and of the fastest of all
// [m/s]; states and creep into the report.
plait_contact_state plait_sim_state_of(const plait_work *w, int i);
double plait_sim_creep(const plait_work *w, double *fastest);
// [m/s] How much the step changes the velocity of what touches, at most. False without memory.
bool plait_sim_unrest(const plait_model *m, plait_work *w, plait_attempt *a, double *unrest);
void plait_sim_count_states(plait_work *w);

// control.c: a touch as programs see it, before it is solved. sift: those that the program's filter lets pass are taken
// out, and those that may overlap as they did at the start (rest.h). ask_friction: mu of all touches by the program's
// hook; false: one is none.
void plait_sim_describe(const plait_model *m, const plait_touch *t, plait_sim_contact *c);
void plait_sim_sift(const plait_model *m, const plait_work *w, plait_touches *touches);
bool plait_sim_ask_friction(const plait_model *m, const plait_work *w, double *mu);

// view.c: room for so many bytes to look at; NULL without memory.
void *plait_shown_room(plait_shown **shown, size_t bytes);
// With all that it was before; NULL is fine.
void plait_shown_free(plait_shown *shown);

// build.c: sizes and memory of a list of bodies, of model and work. False without memory: what there is belongs to
// them.
bool plait_sim_lay_out(plait_model *m, plait_work *w);
// Radii, lengths and distances that follow from bodies and scene.
void plait_sim_size_up(plait_model *m, const plait_scene *scene);
// An element of a kind.
plait_body *plait_sim_body(const plait_model *m, const plait_body_type *type, int i);

static inline double plait_state_time(const plait_state *s)
{
    return s->value[PLAIT_AT_TIME];
}

// Where scripts and loads are, and where they are to be at the end of a step of dt.
static inline double plait_state_script(const plait_state *s)
{
    return s->value[PLAIT_AT_SCRIPT];
}
static inline double plait_sim_script_end(const plait_state *s, const plait_work *w, double dt)
{
    return plait_state_script(s) + (w->on_path ? w->advance : dt);
}

// Whose a side of a contact is.
static inline int plait_sim_owner(const plait_model *m, const plait_side *side)
{
    return side->on_shape ? m->shape_body[side->index]
           : side->on_skin ? m->skin_body[side->index]
                           : m->chain_body[side->index];
}
// The same, -1 if forces do not move it.
static inline int plait_sim_mover(const plait_model *m, const plait_side *side)
{
    int b = plait_sim_owner(m, side);
    return m->body[b].dofs > 0 ? b : -1;
}

// Which pair of materials: the place in the scene's tables.
static inline int plait_sim_pair(const plait_model *m, const plait_work *w, const plait_touch *t)
{
    int material[2];
    for (int k = 0; k < 2; k++) {
        const plait_side *side = &t->side[k];
        material[k] = side->on_shape  ? w->shape[side->index].material
                      : side->on_skin ? m->body[m->skin_body[side->index]].skin->material
                                      : m->chain[side->index].material;
    }
    return material[0] * m->scene->materials + material[1];
}

// A side of a contact with the arm at which forces act: to the middle between the surfaces, so that both sides have
// them at one point and angular momentum stays.
static inline plait_side plait_sim_side(const plait_model *m, const plait_touch *t, int k)
{
    plait_side side = t->side[k];
    if (!m->scene->detecting.couple || side.on_shape || side.on_skin || t->fixed)
        return side;
    double far = m->radius[side.index] + 0.5 * t->gap;
    for (int n = 0; n < 3; n++)
        side.arm[n] = (k ? far : -far) * t->normal[n];
    return side;
}

// The body on a side of a contact is told the impulse on the first.
static inline void plait_sim_press(const plait_model *m, const plait_touch *t, int side, const double impulse[3])
{
    plait_side with_arm = plait_sim_side(m, t, side);
    int b = plait_sim_mover(m, &with_arm);
    double mine[3] = {impulse[0], impulse[1], impulse[2]};
    for (int k = 0; k < 3 && side == 1; k++)
        mine[k] = -mine[k];
    if (b >= 0 && m->body[b].type->press)
        m->body[b].type->press(&m->body[b], &with_arm, mine);
}

// Of the thinner thing that is known to be thin: a chain of nodes, a skin.
static inline double plait_sim_contact_radius(const plait_model *m, const plait_touch *t)
{
    for (int k = 0; k < 2; k++)
        if (!t->side[k].on_shape && !t->side[k].on_skin)
            return m->radius[t->side[k].index];
    for (int k = 0; k < 2; k++)
        if (t->side[k].on_skin)
            return m->body[m->skin_body[t->side[k].index]].skin->radius;
    return m->proximity; // exact shapes on both sides
}

// For those who ask for a function.
static inline bool plait_sim_stopped(void *work)
{
    return plait_stop_now(&((plait_work *)work)->stop);
}

static inline bool plait_sim_reject(plait_work *w, const char *reason)
{
    w->report.reason = reason;
    return false;
}
static inline plait_status plait_sim_refuse_hook(plait_attempt *a)
{
    a->refused = true;
    return plait_error_set(a->error, PLAIT_BAD_INPUT, "the program's hook gave a friction that is none");
}
static inline bool plait_sim_no_memory(const plait_work *w, plait_attempt *a)
{
    a->status = plait_error_set(a->error, PLAIT_NO_MEMORY, "no memory for %d contacts", w->touches.count);
    return false;
}

#endif
