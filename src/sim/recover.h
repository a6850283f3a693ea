// recover.h: displacements that undo overlaps: what the two places that look for them share.
#ifndef PLAIT_SIM_RECOVER_H
#define PLAIT_SIM_RECOVER_H

#include "sim/sim.h"

#define PLAIT_SLOP 0.02   // of the fibre's contact radius: penetrations that are left alone
#define PLAIT_OVERLAP 0.03 // of the diameter: fibres that overlap more at the end of a step are pushed apart there
#define PLAIT_PUSH_LEFT 0.1 // of the fastest push: what may be left of it
#define PLAIT_GENTLE 0.02 // [m/s] pushes up to this fast are measured by M of the step

// Room for the columns of one limb.
typedef struct plait_columns {
    int *dof;
    double *J;
} plait_columns;

bool plait_sim_columns(const plait_model *m, plait_arena *arena, plait_columns *c);
// Whether forces move the two points of a contact along its normal. Where both are held (a root inside of a collider)
// an overlap stays, and pushing would only cost.
bool plait_sim_gives_way(const plait_model *m, const plait_touch *t, plait_columns c);

// psi <- the velocity of a displacement, in the problem's dofs, of a problem with f = 0. largest: the fastest push in
// its w; zero: [dofs].
plait_status plait_sim_push_apart(plait_work *w, const plait_problem *push, double largest, const double *zero,
                                  double *psi, plait_error *error);
// The part of a problem in which something has to be pushed: whole groups, since the others stay where they are.
typedef struct plait_pushed {
    int contacts, dofs;
    int *contact; // [contacts] which of the touches they are, ascending
    int *place;   // [bodies that took part] where they are now, if they still do
} plait_pushed;

// Finds it for touches whose bodies are numbered, in memory of the arena; `wanted` is packed, and the numbers of bodies
// are those of the part from then on. False without memory.
bool plait_sim_pushed(const plait_model *m, plait_work *w, const plait_touches *touches, double *wanted,
                      plait_pushed *p);
// plait_sim_push_apart in the metric of a longer step if `largest` asks for it, for so many contacts and dofs of the
// bodies that are numbered, and their limbs; takes the limbs. False: rejected, or a->status.
bool plait_sim_push_firmly(const plait_model *m, plait_work *w, plait_attempt *a, double largest, int contacts,
                           int dofs, plait_limbs *limbs, const double *wanted, const double *mu, const double *zero,
                           double *psi);
// Bodies in contact are moved by dt psi, no node faster than `most`. False: one cannot be.
bool plait_sim_shift_bodies(const plait_model *m, plait_work *w, double dt, double most, const double *psi);
// Whether contact i of the step sticks, as far as recovery is concerned: what is deep must get out whatever holds it.
bool plait_sim_holds(const plait_model *m, const plait_work *w, int i);
// How fast anything may be pushed: not farther than detection sees, so that nothing is pushed through something else.
double plait_sim_fastest_push(const plait_model *m, double dt);

// separate.c, after that: where the step has led everything is looked at again, and pushed apart until no fibre
// overlaps anything by more than a little; report.overlap.
bool plait_sim_separate(const plait_model *m, plait_work *w, plait_attempt *a);

#endif
