// massspring.h: an implicit mass-spring chain (after Baraff and Witkin 1998), seen from inside.
//
// Dofs: the positions of the nodes. Springs: along each edge, EA/(2 l) (|e| - l)^2; at each hinge between unit edges t0
// and t1, EI/(2 lv) (k - kn)^2 with k = 2 tan(phi/2) of the turning angle phi, lv its Voronoi length. There is no
// material frame: bending has no direction of its own, and nothing resists twist. With c = t0 . t1,
//
//     k^2 = 4 (1 - c)/(1 + c),  k b = 2 t0 x t1 / (1 + c)   (b: unit binormal)
//
// so the energy of a naturally straight hinge is a smooth function of c alone. Viscous bending resists the change of
// the vector k b, turned along with the first edge since the start of the step.
//
// What a hinge remembers (rod_law.h) is of k too: how far it was bent, not which way. So plastic flow and creep change
// its natural curvature kn, which follows the rod wherever it turns; bent back through straight, it bends as before.
#ifndef PLAIT_BODY_MASSSPRING_H
#define PLAIT_BODY_MASSSPRING_H

#include "body/chain.h"
#include "body/rod_law.h"

typedef plait_chain_edge ms_edge;

// A configuration: displacement since the start of the step and the edges that follow. Edge j is edge[j + 1]; before
// and after are the clamps' ghosts.
typedef struct ms_pose {
    double *delta; // [3 (n + 1)]
    ms_edge *edge; // [n + 2]
} ms_pose;

typedef struct plait_massspring {
    plait_chain chain;
    int n;
    double dt;                        // of the step; 0: statics
    double *rest, *voronoi, *natural; // [n], [n + 1], [n + 1]; natural: kn as 2 tan(phi/2)
    double *mass;                     // [n + 1]
    double *bend, *viscous_bend;      // [n + 1] EI of the hinges
    double *x, *v;                    // [3 (n + 1)] the state
    double *plastic, *creep;          // [n + 1] of k, in the state; NULL: it does not yield, or relax
    plait_rod_law law;
    bool hinge[2]; // whether the clamp's hinge exists
    ms_pose now, trial;
    double *start_edge, *start_length; // [3n], [n] at the start of the step
    double *start_turn;                // [n + 1] k there
    double *start_curve, *curve;       // [3 (n + 1)] k b at the start, and turned along; only with viscosity
    bool viscous;
} plait_massspring;

static inline bool plait_massspring_has_hinge(const plait_massspring *m, int i)
{
    return i == 0 ? m->hinge[0] : i == m->n ? m->hinge[1] : true;
}

// A hinge for rod_law.h; *stiffness <- its stiffness.
plait_rod_site plait_massspring_site(const plait_massspring *m, int i, double *stiffness);
// k between two unit edges.
double plait_massspring_turn(const double *before, const double *after);

// massspring_force.c
extern const plait_newton_type plait_massspring_newton;
void plait_massspring_assemble(plait_rod *rod, bool safe); // chain.band
void plait_massspring_start(plait_rod *rod, double dt);    // `now` from the state, ends, start values
void plait_massspring_spend(const plait_rod *rod, double dt, const double *v, plait_rod_spent *spent);
double plait_massspring_stretch(const plait_rod *rod); // of `now`

#endif
