// bond.h: what contacts remember from step to step.
//
// A bond is a contact's memory: the impulse (the next step's first guess), the area it stands for, and a few numbers of
// its law, such as how much of the glue still holds. All of it is numbers, so that an array of bonds is written to a
// checkpoint as it is.
//
//     step n          detect, step n + 1             accept
//     contact 0 ---.   contact 0 (new)   fresh bond     evolve: each law says what its bond has become
//     contact 1 -.  '->contact 1  carried
//     contact 2   '--->contact 2  carried
//         '--> nobody carried it, and its law holds on: an orphan, which detection adds to its list although no surface
//         is near
//
// Contacts keep their identity by what they touch (collide.h): last[k] is the contact of the step before that contact k
// was.
#ifndef PLAIT_CONTACT_BOND_H
#define PLAIT_CONTACT_BOND_H

#include "contact/law.h"

enum { PLAIT_BOND_NUMBERS = 9 };

typedef struct plait_bond {
    double impulse[3]; // [N s] in the world
    double law;        // row of the table
    double holds;      // 1: the contact stays in the list beyond proximity, 0: it does not
    // what laws other than Coulomb's remember besides
    double area;                       // [m^2]; 0: the law has no use for it
    double number[PLAIT_BOND_NUMBERS]; // of the law; zeros when the bond is made
    double energy, lost;               // [J] stored at the end of the step; given up in it, other than by motion
    double anchor[2][3], normal[3];    // where it is on the two sides (sim/bonds.h)
} plait_bond;

enum {
    PLAIT_BOND_SIZE = sizeof(plait_bond) / sizeof(double), // numbers
    PLAIT_BOND_PLAIN = 5                                   // of them for Coulomb's law: the first
};

// One behind the other, each with the numbers that its law needs. What lies behind the first five is there only where
// the law is not Coulomb's.
//
//     number:  impulse law holds | impulse law holds area number ... normal | impulse law holds | ...
//     at:      ^ 0                 ^ 5                                        ^ 32
typedef struct plait_bonds {
    int count, room;
    size_t space;   // numbers
    double *number; // [at[count]]
    size_t *at;     // [count + 1]
} plait_bonds;

static inline int plait_bond_numbers(double law)
{
    return law == 0 ? PLAIT_BOND_PLAIN : PLAIT_BOND_SIZE;
}

// Bond k, until bonds are appended or dropped; its law stays.
static inline plait_bond *plait_bonds_get(const plait_bonds *b, int k)
{
    return (plait_bond *)(b->number + b->at[k]);
}

// Room for `count` bonds, `others` of them not of Coulomb's law; what is there stays. No heap call where there is room.
// False without memory.
bool plait_bonds_reserve(plait_bonds *b, int count, int others);
// One more.
bool plait_bonds_append(plait_bonds *b, const plait_bond *bond);
void plait_bonds_cut(plait_bonds *b, int count); // to the first so many
// Bond `from` becomes bond b->count, which is not behind it: for whoever walks over them all and drops some.
void plait_bonds_keep(plait_bonds *b, int from);
void plait_bonds_free(plait_bonds *b);

// now <- one bond for each of n contacts: that of contact last[k * stride] of the step before, or a fresh one where it
// is -1.
// index NULL: Coulomb. False without memory.
bool plait_bonds_carry(const plait_bonds *old, const int *last, int stride, const unsigned char *index, int n,
                       plait_bonds *now);

// Those of the old bonds that hold and that no contact carried on, ascending, into list[old->count]. Returns how many.
int plait_bonds_orphans(const plait_bonds *old, const int *last, int stride, int n, unsigned char *seen, int *list);

// After an accepted step of length dt: r, u [3n] in the frames of the contacts, frame [9n], gap [n] at its end. The
// laws are those of the bonds, which need not be those of the problem (a bond that holds nothing is Coulomb's there).
void plait_bonds_evolve(const plait_laws *laws, double dt, const double *r, const double *u, const double *frame,
                        const double *gap, plait_bonds *b);

#endif
