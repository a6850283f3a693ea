// Numbers with units: values to the last bit where the unit is a power of ten, and what is refused.
#include "check.h"
#include "scene/units.h"

static const double PI = 3.14159265358979323846;

typedef struct good {
    const char *text;
    plait_unit unit;
    double value;
} good;

CASE(values)
{
    const good cases[] = {
        {"0", PLAIT_UNIT_NONE, 0},
        {"-9.81", PLAIT_UNIT_ACCELERATION, -9.81},
        {"1e-3", PLAIT_UNIT_TIME, 1e-3},
        {".5", PLAIT_UNIT_NONE, 0.5},
        {"5.", PLAIT_UNIT_NONE, 5},
        {"+3E2", PLAIT_UNIT_NONE, 300},
        {"37 um", PLAIT_UNIT_LENGTH, 37e-6},
        {"37um", PLAIT_UNIT_LENGTH, 37e-6},
        {"37 \xc2\xb5m", PLAIT_UNIT_LENGTH, 37e-6},
        {"37 \xce\xbcm", PLAIT_UNIT_LENGTH, 37e-6},
        {"15 cm", PLAIT_UNIT_LENGTH, 0.15},
        {"  2   mm ", PLAIT_UNIT_LENGTH, 2e-3},
        {"1.32 g/cm^3", PLAIT_UNIT_DENSITY, 1320},
        {"1.32 g cm^-3", PLAIT_UNIT_DENSITY, 1320},
        {"1.32 g*cm^-3", PLAIT_UNIT_DENSITY, 1320},
        {"7 kg/m\xc2\xb3", PLAIT_UNIT_DENSITY, 7},
        {"3.9 GPa", PLAIT_UNIT_PRESSURE, 3.9e9},
        {"1 dyn/cm^2", PLAIT_UNIT_PRESSURE, 0.1},
        {"1 N/m^2", PLAIT_UNIT_PRESSURE, 1},
        {"2 bar", PLAIT_UNIT_PRESSURE, 2e5},
        {"10 ms", PLAIT_UNIT_TIME, 0.01},
        {"2 min", PLAIT_UNIT_TIME, 120},
        {"1 h", PLAIT_UNIT_TIME, 3600},
        {"2 Hz", PLAIT_UNIT_FREQUENCY, 2},
        {"3 kHz", PLAIT_UNIT_FREQUENCY, 3000},
        {"3 1/s", PLAIT_UNIT_RATE, 3},
        {"3 /s", PLAIT_UNIT_RATE, 3},
        {"3 s^-1", PLAIT_UNIT_RATE, 3},
        {"981 cm/s^2", PLAIT_UNIT_ACCELERATION, 9.81},
        {"981 cm/s/s", PLAIT_UNIT_ACCELERATION, 9.81},
        {"5 Pa s", PLAIT_UNIT_VISCOSITY, 5},
        {"5 P", PLAIT_UNIT_VISCOSITY, 0.5},
        {"3 cP", PLAIT_UNIT_VISCOSITY, 3e-3},
        {"30 %", PLAIT_UNIT_NONE, 0.3},
        {"4 1/cm", PLAIT_UNIT_CURVATURE, 400},
        {"2 rad/cm", PLAIT_UNIT_TWIST, 200},
        {"1e-400", PLAIT_UNIT_NONE, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char problem[PLAIT_PROBLEM] = "";
        double value = NAN;
        if (!CHECK(plait_quantity_read(cases[i].text, cases[i].unit, &value, problem)))
            printf("'%s': %s\n", cases[i].text, problem);
        if (!CHECK(value == cases[i].value))
            printf("'%s': %.17g\n", cases[i].text, value);
    }
}

CASE(angles)
{
    const good cases[] = {
        {"30 deg", PLAIT_UNIT_ANGLE, PI / 6},
        {"30\xc2\xb0", PLAIT_UNIT_ANGLE, PI / 6},
        {"0.5 turn", PLAIT_UNIT_ANGLE, PI},
        {"120 rpm", PLAIT_UNIT_ANGULAR_SPEED, 4 * PI},
        {"2 turn/s", PLAIT_UNIT_ANGULAR_SPEED, 4 * PI},
        {"90 deg/s", PLAIT_UNIT_ANGULAR_SPEED, PI / 2},
        {"1 rev/min", PLAIT_UNIT_ANGULAR_SPEED, PI / 30},
        {"100 mrad", PLAIT_UNIT_ANGLE, 0.1},
        {"1 turn/m", PLAIT_UNIT_TWIST, 2 * PI},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char problem[PLAIT_PROBLEM] = "";
        double value = NAN;
        CHECK(plait_quantity_read(cases[i].text, cases[i].unit, &value, problem));
        CHECK_REL(value, cases[i].value, 4e-16);
    }
}

CASE(refused)
{
    const struct {
        const char *text;
        plait_unit unit;
        const char *words;
    } cases[] = {
        {"", PLAIT_UNIT_LENGTH, "expected a length [m], found ''"},
        {"abc", PLAIT_UNIT_NONE, "expected a number, found 'abc'"},
        {"nan", PLAIT_UNIT_LENGTH, "expected a length"},
        {"inf", PLAIT_UNIT_TIME, "expected a time"},
        {"0x10", PLAIT_UNIT_NONE, "unknown unit 'x'"},
        {"1.2.3", PLAIT_UNIT_NONE, "found '1.2.3'"},
        {"--1", PLAIT_UNIT_NONE, "found '--1'"},
        {"1 parsec", PLAIT_UNIT_LENGTH, "unknown unit 'parsec'"},
        {"1 kmin", PLAIT_UNIT_TIME, "unknown unit 'kmin'"},
        {"1 m/", PLAIT_UNIT_LENGTH, "unknown unit"},
        {"1 m//s", PLAIT_UNIT_SPEED, "unknown unit"},
        {"1 m^", PLAIT_UNIT_LENGTH, "power"},
        {"1 m^0", PLAIT_UNIT_LENGTH, "power"},
        {"1 m^22", PLAIT_UNIT_LENGTH, "power"},
        {"1 2", PLAIT_UNIT_LENGTH, "unknown unit '2'"},
        {"5 s", PLAIT_UNIT_LENGTH, "expected a length [m], found a time [s]"},
        {"5 kg", PLAIT_UNIT_TIME, "expected a time [s], found a mass [kg]"},
        {"2 Hz", PLAIT_UNIT_ANGULAR_SPEED, "expected an angular speed [rad/s], found a frequency [Hz]"},
        {"2 rad/s", PLAIT_UNIT_FREQUENCY, "found an angular speed"},
        {"2 m", PLAIT_UNIT_NONE, "expected a plain number, found a length [m]"},
        {"2 N", PLAIT_UNIT_PRESSURE, "found a force"},
        {"2 kg m^5", PLAIT_UNIT_PRESSURE, "found something else"},
        {"1e999", PLAIT_UNIT_NONE, "too large"},
        {"1e99999999999999999999", PLAIT_UNIT_NONE, "too large"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char problem[PLAIT_PROBLEM] = "";
        double value;
        if (!CHECK(!plait_quantity_read(cases[i].text, cases[i].unit, &value, problem)))
            printf("'%s' was read as %g\n", cases[i].text, value);
        if (!CHECK(strstr(problem, cases[i].words) != NULL))
            printf("'%s': %s\n", cases[i].text, problem);
    }
}

CASE(vectors)
{
    double x[3];
    char problem[PLAIT_PROBLEM];
    CHECK(plait_quantities_read("[0, 0, -9.81] m/s^2", PLAIT_UNIT_ACCELERATION, 3, x, problem));
    CHECK(x[0] == 0 && x[1] == 0 && x[2] == -9.81);
    CHECK(plait_quantities_read("[1 cm, 2 mm, 0]", PLAIT_UNIT_LENGTH, 3, x, problem));
    CHECK(x[0] == 0.01 && x[1] == 0.002 && x[2] == 0);
    CHECK(plait_quantities_read("[1,2]um", PLAIT_UNIT_LENGTH, 2, x, problem));
    CHECK(x[0] == 1e-6 && x[1] == 2e-6);
    CHECK(!plait_quantities_read("[1, 2] m", PLAIT_UNIT_LENGTH, 3, x, problem) && strstr(problem, "found fewer"));
    CHECK(!plait_quantities_read("[1, 2, 3, 4] m", PLAIT_UNIT_LENGTH, 3, x, problem) && strstr(problem, "found more"));
    CHECK(!plait_quantities_read("[1, 2, 3", PLAIT_UNIT_LENGTH, 3, x, problem));
    CHECK(!plait_quantities_read("[1, 2, 3] s", PLAIT_UNIT_LENGTH, 3, x, problem) && strstr(problem, "a time"));
    CHECK(!plait_quantities_read("[1 cm, 2, 3] m", PLAIT_UNIT_LENGTH, 3, x, problem)); // cm m: an area
    CHECK(!plait_quantities_read("[a, 2, 3]", PLAIT_UNIT_LENGTH, 3, x, problem));
}
