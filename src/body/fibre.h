// fibre.h: a fibre, seen from inside: a rod of any model as a body.
//
// For contact it is a chain of nodes: the model's, or `samples` per segment. A node's velocity is linear in the
// generalised velocity v of the rod. Straight segments: nodes are means of two of the model's, each of which has three
// dofs of its own. Curved segments: J v + offset, with J stored where the fibre was linearised: at the start of the
// step (offset = 0), or where it goes in the step (offset: what J v lacks then).
#ifndef PLAIT_BODY_FIBRE_H
#define PLAIT_BODY_FIBRE_H

#include <stddef.h>

#include "body/bdf2.h"
#include "body/body.h"
#include "body/rod.h"

// A clamped end that is bound to a triangle of a soft body: its frame, in that of the triangle.
typedef struct plait_fibre_skin {
    const plait_body *body; // NULL: it is not
    int corner[3];          // nodes of the triangle
    double tangent[3], director[3];
} plait_fibre_skin;

typedef struct plait_fibre_impl {
    plait_rod *rod;
    int samples, material;
    double radius, drag;          // [m], [1/s]
    const plait_body *carrier[2]; // what an end follows; NULL: it stays in the world
    bool by_cell[2];
    plait_anchor anchor[2];
    bool asked_to_hold;     // as it was drawn; then
    plait_hold_report hold; // what came of it
    plait_fibre_skin skin[2];
    double goal, slip; // see plait_fibre_def
    double *given;     // [3 (segments + 1)] of the rod's dead forces: what fibre_air.c put there; NULL: nothing
    double *pose;      // [3 (segments + 1)] the first pose, in the frame of the root; NULL: goal is 0
    double *memory;    // of all that follows
    double *rest;      // [segments] natural lengths
    double *room;      // [3 dofs] scratch
    double *pushed;    // [dofs] momentum of the contacts that press: J^T impulse
    // integrator bdf2 only: see fibre_bdf2.c
    double *whole;     // [state] until it gets its place, then scratch
    double *mass;      // [masses] as they are
    double line[3];    // mass and inertias per length, as they are
    double *v0;        // [dofs] velocity at the start of the step
    double kinetic;    // [J] then ...
    double energy;     // ... and what there is in all, about
    plait_bdf2 second; // this step
    double *press;     // [3 (segments + 1)] their impulses, spread over the rod's nodes; curved segments only
    bool pressed;
    // curved segments only
    double *jacobian; // [nodes][3 dofs]
    double *spins;    // [nodes][3 dofs] how sections turn; NULL: nobody asks
    double *offset;   // [3 nodes]
    double *there;    // [3 nodes] where its nodes would be
    double miss;      // of the last step: how far nodes went from where the linearised motion led, in links
    // theta < 1 only (fibre_theta.c): mass, f about rest, room for a factor
    double *start;
} plait_fibre_impl;

enum { PLAIT_FIBRE_NEAR = 12 }; // dofs of two nodes and what is between them, at most

static inline plait_fibre_impl *plait_fibre_of(const plait_body *b)
{
    return b->impl;
}

// fibre_skin.c: the frame of a clamped end turns with the triangle that it is bound to, as that will be at the end of
// the step if it goes on as it does. (Where the end is, ties say: sim/roots.c.)
void plait_fibre_turn_with(plait_body *b, int end, const plait_body *soft, const int corner[3]);
void plait_fibre_drive(plait_body *b, double time, double dt);

// fibre_air.c: forces of eddies, of shelter, of drag that is not the same along and across, of the first pose. After
// the ends are where they will be. _begin: false without memory.
bool plait_fibre_air_begin(plait_fibre_impl *p, const plait_fibre_def *def);
void plait_fibre_air(plait_fibre_impl *p, const plait_world *world);

// fibre_node.c: how nodes move.
int plait_fibre_limb(const plait_body *b, const plait_side *side, int *dof, double *J, double carried[3]);
bool plait_fibre_section(const plait_body *b, int segment, double a, double R[9]);
void plait_fibre_point_velocity(const plait_body *b, const plait_side *side, const double *v, double u[3]);
void plait_fibre_move(plait_body *b, double dt, const double *v);
double plait_fibre_fastest(const plait_body *b, const double *v);
void plait_fibre_trace(plait_body *b);
// Curved segments: J and offset where the velocity v leads. False: it cannot go there.
bool plait_fibre_trace_end(plait_body *b, double dt, const double *v);
// How far the nodes, in the state it has now, are from x1 [m]; 0 for straight segments.
double plait_fibre_miss(const plait_body *b);

// fibre_balance.c: see body.h. linearise: M and f about v; with contacts that press, their part of M too.
bool plait_fibre_linearise(plait_body *b, double dt, const double *v);
bool plait_fibre_tangent(plait_body *b, double dt, const double *v);
double plait_fibre_balance(plait_body *b, double dt, const double *v);
// The same of what its own equations lack, g, which is spoilt, and of what contacts gave, c; x: room.
double plait_fibre_balance_of(const plait_body *b, double dt, double *g, const double *c, double *x);
void plait_fibre_contacts(const plait_body *b, const double *v, double *c); // c = M v - f, 0 where it is held
bool plait_fibre_retract(plait_body *b, double dt, const double *about, const double *d, double *v);
void plait_fibre_press(plait_body *b, const plait_side *side, const double impulse[3]);
// After predict, with M about v: if the rod is nearly balanced where it goes on as in the last step, with the contacts
// of the last step, it is linearised there.
bool plait_fibre_settle(plait_body *b, double dt, const double *v);
// Before predict: the same of a rod that rests, for which v is then that of its linearisation alone, without a step of
// its own. False: nothing was done.
bool plait_fibre_lean(plait_body *b, double dt, double *v);
// y += M x, M of the last linearise.
void plait_fibre_multiply(const plait_body *b, const double *x, double *y);

// fibre_account.c: see body.h.
bool plait_fibre_account(plait_body *b, double dt, const double *v, double elastic, bool touched,
                         plait_account *account);

// fibre_bdf2.c. size: numbers behind the rod's own state. bind: the state is where it will be. rewind: see body.h.
// begin: before the rod's own step. gains: a step with v would gain energy: what moves is faster than dt. gain: of
// kinetic energy in a step with v [J], before it is accepted. end: after it was, v1 instead of v.
int plait_fibre_history_size(const plait_rod *rod);
void plait_fibre_bdf2_bind(plait_body *b);
void plait_fibre_bdf2_rewind(plait_body *b);
void plait_fibre_bdf2_begin(plait_body *b, double dt);
bool plait_fibre_bdf2_gains(plait_body *b, double dt, const double *v);
double plait_fibre_bdf2_gain(plait_body *b, double dt, const double *v);
void plait_fibre_bdf2_end(plait_body *b, double dt, const double *v);

// fibre_theta.c, for theta < 1. section: what a model is built with. begin: once in a step. mix: M and f of the last
// linearise. residual: g of implicit Euler becomes that of theta. velocity: M^-1 f. False: not positive definite.
size_t plait_fibre_theta_room(const plait_rod *rod);
void plait_fibre_theta_section(double theta, plait_section *section);
bool plait_fibre_theta_begin(plait_body *b, double dt);
void plait_fibre_theta_mix(plait_body *b);
void plait_fibre_theta_residual(const plait_body *b, const double *v, double *g);
bool plait_fibre_theta_velocity(plait_body *b, double *v);

// As good as zero for linearise: M becomes the mass, in which dt^2 times the stiffness is lost in rounding.
#define PLAIT_NO_TIME 1e-10

#endif
