// law_bond.h: laws of contacts that hold: adhesion, G10's box model of it, ties. And the table of all laws of a
// simulation.
//
// Adhesion (Raous, Cangemi and Cocu 1999, as Gascon et al. 2010 use it). beta in [0, 1] is how much of the bond is
// there, A its area, C_N and C_T [N/m^3] its stiffness, g its gap at the end of the step, beyond what it was made with,
// d_T how far the sides have slipped since. An impulse r = rho + a has a part that obeys Coulomb's law exactly, and one
// that is a spring, implicit:
//
//     (u, rho) in C(mu'),   a_N = -dt A C_N beta^2 g,   a_T = -dt A C_T beta^2 (d_T + dt u_T),   mu' = mu (1 - beta^m)
//
// so that tension never carries friction. That is Coulomb's law on rho = r + K u + c (law.h), and friction is
// isotropic.
// After an accepted step, with e = C_N g^2 + C_T |d_T|^2 and the pressure p = rho_N / (dt A):
//
//     debonding   eta beta' = min(W - e beta, 0)      beta <- min(beta, (eta beta + dt W) / (eta + dt e))
//     bonding     beta' = rate max(p - beta p0, 0)    beta <- (beta + dt rate p) / (1 + dt rate p0), if that is more
//
// both implicit: stable for any dt, and where beta would rest it does. A bond whose e is beyond that of the cut is
// gone.
// Energy: A beta^2 e / 2 is stored; what it loses when beta falls is lost by debonding: W A times that fall, and
// viscosity.
//
// The box (adhesion: box): normal and two tangents on their own, each with a spring or friction, whichever holds more,
// in projected Gauss-Seidel: Gascon's algorithm with its four-sided pyramid. It is there for comparison.
//
// A tie holds two points where they were, or at their distance, up to a strength: with D [m] what they are off along an
// axis,
//     u + L r + d = 0,   L = 1 / (dt^2 k + dt c),   d = L dt k D          (rigid: L = 0, d = D / dt)
// on three axes, along the normal alone (r_T = 0: it turns freely), or across it (r_N = 0): joints are made of these
// (sim/joints.c).
#ifndef PLAIT_CONTACT_LAW_BOND_H
#define PLAIT_CONTACT_LAW_BOND_H

#include "contact/bond.h"

// Rows of the table.
enum { PLAIT_LAW_COULOMB, PLAIT_LAW_ADHESION, PLAIT_LAW_TIE, PLAIT_LAW_BOX, PLAIT_LAW_ROWS };
extern const plait_law *const plait_law_table[PLAIT_LAW_ROWS];
extern const plait_law plait_law_adhesion, plait_law_tie, plait_law_box;

// Of a pair of materials.
typedef struct plait_adhesive {
    double stiffness[2]; // [N/m^3] C_N, C_T
    double energy;       // [J/m^2] W
    double viscosity;    // [s J/m^2] eta
    double rate;         // [1/(Pa s)] of bonding
    double saturation;   // [Pa] p0
    int coupling;        // m; 0: none, mu' = mu
    double cut;          // [m] gap at which a bond of beta = 1 is gone
} plait_adhesive;

// Numbers of bonds: adhesion and the box ...
enum {
    PLAIT_BOND_BETA,
    PLAIT_BOND_REST,    // [m] gap with which it was made
    PLAIT_BOND_SLIP,    // [m] d_T, a vector: three numbers
    PLAIT_BOND_STRETCH = PLAIT_BOND_SLIP + 3 // [J/m^2] e
};
// ... and ties.
enum {
    PLAIT_TIE_STIFFNESS, // [N/m] 0: rigid
    PLAIT_TIE_DAMPING,   // [N s/m]
    PLAIT_TIE_STRENGTH,  // [N] 0: it never breaks
    PLAIT_TIE_REST,      // [m] the distance it keeps; 0: the points stay together, on all axes
    PLAIT_TIE_UNTIL,     // [s] it is opened at this time; 0: never
    PLAIT_TIE_FORCE,     // [N] of the last step
    PLAIT_TIE_ID,        // which one, counted from 0
    PLAIT_TIE_AXES,      // of its frame (normal, tangent, tangent) that are free, as bits; 0: none. A joint has some
    PLAIT_TIE_JOINT      // which joint it is a row of, counted from 1; 0: none
};
enum {
    PLAIT_TIE_ON_LINE = 1, // along the normal it is free: the point is on a line
    PLAIT_TIE_ON_PLANE = 6 // along the normal alone it is held
};

// Parameters of an adhesive contact in a step of dt: slip [2] is d_T in its frame at the start, gap that at the start.
// Nothing but mu of Coulomb's law is left where beta is 0.
void plait_adhesion_set(const plait_adhesive *a, double dt, const plait_bond *bond, const double slip[2],
                        double p[PLAIT_LAW_NUMBERS]);
// Parameters of a tie: off [3] in its frame, how far it is from where it should be.
void plait_tie_set(double dt, const plait_bond *bond, const double off[3], double p[PLAIT_LAW_NUMBERS]);

#endif
