// rod_law.h: springs that yield and springs that relax, for all rod models: what they remember, and what that does.
//
// Of the strains s of a spring (a hinge, an element), with the natural strains n:
//
//     stress   w = k (s - n - p) + c/dt (s - old) + k' (s - n - e),   k' = share k / (1 + dt/tau)
//
// p, plastic (of the strains that bend, all of one frame together): |k (s - n - p) - H p| <= limit, H = hardening k,
// and p grows along what is beyond, by beyond / (k + H): the return mapping of kinematic hardening, implicit. It is the
// minimum over p of k (s - n - p)^2/2 + H p^2/2 + limit |p - p_start|, so that a step still minimises something.
// e, creep of the Maxwell branch: e' = (s - n - e)/tau, implicit too. Both are state, and change once per accepted
// step.
#ifndef PLAIT_BODY_ROD_LAW_H
#define PLAIT_BODY_ROD_LAW_H

#include "plait/rod.h"

enum { PLAIT_LAW_STRAINS = 3 };

typedef struct plait_rod_law {
    double yield, hardening; // [1/m] curvature at which it yields, 0: never; modulus of hardening over that of bending
    double share, tau;       // stiffness of the Maxwell branch over the elastic one, 0: there is none; [s]
} plait_rod_law;

plait_rod_law plait_rod_law_of(const plait_section *section);
// Stiffness of the branch in a step of dt, over the elastic one; 0 in statics (dt = 0).
double plait_rod_law_branch(const plait_rod_law *law, double dt);
// Creep at the end of a step of dt (INFINITY: statics) with s - n = off.
double plait_rod_law_creep(const plait_rod_law *law, double dt, double creep, double off);

// One or two strains that yield together.
typedef struct plait_rod_yield {
    int count;
    double k, H, limit;        // H of hardening; limit of the stress
    const double *natural, *p; // [count]
} plait_rod_yield;

// By how much p grows, and the direction of that.
typedef struct plait_rod_flow {
    double amount, direction[2], size; // size: of what is compared with the limit
} plait_rod_flow;

plait_rod_flow plait_rod_flow_find(const plait_rod_yield *y, const double *strain);
// To stresses and slopes [count] of k (s - n - p), to what the step minimises, and to what is lost.
void plait_rod_flow_add(const plait_rod_yield *y, const plait_rod_flow *flow, double *w, double *k, double *value,
                        double *lost);
// The slope of either stress by the other strain.
double plait_rod_flow_cross(const plait_rod_yield *y, const plait_rod_flow *flow);

// A spring of a few strains, the first ones of which bend. What it remembers may be NULL: it does not.
typedef struct plait_rod_site {
    int count, bends;
    const double *stiffness, *natural; // [count]
    double span;                       // length that the strains are integrated over: strain of a curvature of 1
    double *plastic, *creep;           // [bends], [count]
} plait_rod_site;

// What memory adds to the stresses k (s - n) [count], to their slopes and to their energy.
typedef struct plait_rod_more {
    double w[PLAIT_LAW_STRAINS], k[PLAIT_LAW_STRAINS];
    double cross;  // the slope of either of the first two by the other
    double value;  // of what the step minimises
    double lost;   // of that, by plastic flow
    double branch; // work on the branch since the strains were `start`
} plait_rod_more;

void plait_rod_law_more(const plait_rod_law *law, double dt, const plait_rod_site *site, const double *strain,
                        const double *start, plait_rod_more *more);
// Of the state at the end of a step: stresses that it remembers, added; energy that hardening stores, less that which
// plastic strains relieve.
void plait_rod_law_stress(const plait_rod_law *law, const plait_rod_site *site, const double *strain, double *w);
double plait_rod_law_stored(const plait_rod_law *law, const plait_rod_site *site, const double *strain);
// The step is over.
void plait_rod_law_remember(const plait_rod_law *law, double dt, const plait_rod_site *site, const double *strain);

#endif
