// bonds.h: contacts that hold: what they are on the two bodies, and how they live from step to step.
//
// A bond keeps its place on both sides: on a chain by segment and parameter (a joint may be beside it: its anchor is
// an arm in the frame of the section), on a shape as a point of its frame
// (anchor; of a mesh whose vertices move, as weights of a triangle's corners). Slip and normal are vectors of the frame
// of side 1, if that is a shape, and of the world otherwise.
//
//     detect      contacts that detection finds take their bond along; orphans are put where their anchors are
//     assemble    which law each contact follows in this step, and its parameters
//     accept      bonds evolve and are told where they are; those that hold nothing any more are forgotten
#ifndef PLAIT_SIM_BONDS_H
#define PLAIT_SIM_BONDS_H

#include "contact/law_bond.h"
#include "sim/sim.h"

// What two materials do to each other besides friction; NULL: nothing.
const plait_adhesion *plait_sim_adhesion(const plait_model *m, const plait_work *w, const plait_touch *t);

// touches += orphans: bonds of the last step that detection did not find again. False without memory.
bool plait_sim_keep_bonds(const plait_model *m, plait_work *w);

// bonds_next, law and law_number of all touches, index: rows of the table, if w->has_laws. False without memory.
bool plait_sim_find_laws(const plait_model *m, const plait_state *s, plait_work *w, double dt, unsigned char *index);
// The same; the problem follows them.
bool plait_sim_set_laws(const plait_model *m, const plait_state *s, plait_work *w, double dt);

// Ties in the problem of an impact: rigid, since springs have no time to act. False without memory.
bool plait_sim_tie_impact(plait_work *w, plait_problem *p);

// bonds_next <- after the step. False without memory.
bool plait_sim_evolve_bonds(const plait_model *m, const plait_state *s, plait_work *w, double dt);

// The contact holds at the start of the step: it does not bounce.
bool plait_sim_is_bonded(const plait_work *w, const plait_touch *t);

// Sums over the bonds of the last step, into the report.
void plait_sim_sum_bonds(const plait_work *w, plait_sim_report *r);

// ties.c: the scene's ties become bonds: once, at the start. False with *error.
// One of them: of what is near each other now.
plait_status plait_sim_tie_near(plait_sim *sim, const plait_tie *tie, plait_error *error);
plait_status plait_sim_tie_up(plait_sim *sim, const plait_scene *scene, plait_error *error);

// A tie of the points of a touch: together on all axes if they are at one place, else at their distance; something with
// a frame of its own holds the other's point. False without memory.
bool plait_sim_tie(plait_sim *sim, const plait_touch *touch, const plait_tie *how);
// One more contact of the last step, which holds. False without memory.
bool plait_sim_add_bond(plait_sim *sim, const plait_touch *t, const plait_bond *bond);
// A spring between the points of the sides as they are; rest [m]: its natural length, 0: it pulls them together,
// negative: what it is now.
bool plait_sim_spring(plait_sim *sim, const plait_touch *touch, const plait_tie *how, double rest);
// A point of something as a side of a contact, at the present time.
plait_status plait_sim_point_side(plait_sim *sim, const plait_sim_point *point, plait_side *side, double *arc,
                                  plait_error *error);
// roots.c: ends of fibres that are bound to soft bodies: once, at the start.
plait_status plait_sim_tie_roots(plait_sim *sim, const plait_scene *scene, plait_error *error);

// Where a side is, at the start of the step, and how far its script moves it: from its anchor.
void plait_sim_place_side(const plait_model *m, const plait_work *w, const double anchor[3], plait_side *side);
// A vector of the frame of a side, as it is at the start of the step, to the world, or back: that of a shape, of a
// fibre's section where it has one, else the world's.
void plait_sim_turn_side(const plait_model *m, const plait_work *w, const plait_side *side, bool to_world,
                         const double x[3], double y[3]);
// The anchor of a side that is where it says.
void plait_sim_anchor_side(const plait_work *w, const plait_side *side, double anchor[3]);

#endif
