// units.h: numbers with units: "37 um", "1.32 g/cm^3", "120 rpm", and what they must be.
//
// A number without a unit is in SI. A unit is a product of symbols with prefixes and whole powers; '/' inverts the next
// symbol only ("Pa s", "kg/m^3", "m/s/s"). Angles count as a dimension of their own, so that 2 Hz is no angular speed.
#ifndef PLAIT_SCENE_UNITS_H
#define PLAIT_SCENE_UNITS_H

#include <stdbool.h>

typedef enum plait_unit {
    PLAIT_UNIT_NONE, // a plain number
    PLAIT_UNIT_LENGTH,
    PLAIT_UNIT_TIME,
    PLAIT_UNIT_ANGLE,
    PLAIT_UNIT_SPEED,
    PLAIT_UNIT_ACCELERATION,
    PLAIT_UNIT_ANGULAR_SPEED,
    PLAIT_UNIT_FREQUENCY,
    PLAIT_UNIT_RATE,
    PLAIT_UNIT_CURVATURE,
    PLAIT_UNIT_TWIST,
    PLAIT_UNIT_DENSITY,
    PLAIT_UNIT_PRESSURE,
    PLAIT_UNIT_VISCOSITY,
    PLAIT_UNIT_AREA_DENSITY,
    PLAIT_UNIT_STIFFNESS,
    PLAIT_UNIT_BENDING,
    PLAIT_UNIT_AREA,
    PLAIT_UNIT_FORCE,
    PLAIT_UNIT_BOND_STIFFNESS, // N/m^3
    PLAIT_UNIT_BOND_ENERGY,    // J/m^2
    PLAIT_UNIT_BOND_VISCOSITY, // N s/m, the same as s J/m^2
    PLAIT_UNIT_BOND_RATE,      // m s/kg, the same as 1/(Pa s)
    PLAIT_UNIT_MOMENT,
    PLAIT_UNIT_MASS,
    PLAIT_UNIT_VOLUME,
    PLAIT_UNIT_COUNT
} plait_unit;

const char *plait_unit_symbol(plait_unit unit); // "m/s^2"; "" for a plain number
const char *plait_unit_name(plait_unit unit);   // "an acceleration"

// The unit at place i of the list of symbols, for those who describe what can be written; NULL after the last. power[]:
// of m, kg, s and rad.
typedef struct plait_unit_symbol_row {
    const char *symbol;
    bool prefixes; // may have one
    int power[4];
} plait_unit_symbol_row;
bool plait_unit_symbol_at(int i, plait_unit_symbol_row *row);
const char *plait_unit_prefix_at(int i); // NULL after the last
void plait_unit_power(plait_unit unit, int power[4]);

enum { PLAIT_PROBLEM = 160 };

// Reads the whole text as one number with or without a unit. False: problem is a sentence without a point. Finite.
// Numbers are read in the locale of the calling thread, which must be "C" in LC_NUMERIC.
bool plait_quantity_read(const char *text, plait_unit unit, double *value, char problem[PLAIT_PROBLEM]);

// "[1, 2, 3] cm" or "[1 cm, 2 mm, 0]": exactly `count` numbers.
bool plait_quantities_read(const char *text, plait_unit unit, int count, double *values, char problem[PLAIT_PROBLEM]);

#endif
