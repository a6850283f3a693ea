// units.c: numbers with units.
//
// A unit is factor * 10^decimal in SI with whole powers of m, kg, s and rad. The decimal part goes into the number's
// own exponent before it is converted, so that "37 um" is 37e-6 to the last bit.
#include "scene/units.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"

typedef struct dimensions {
    int m, kg, s, rad;
} dimensions;

typedef struct scale {
    dimensions of;
    int decimal;
    double factor;
} scale;

static const struct {
    const char *symbol, *name;
    dimensions of;
} known[PLAIT_UNIT_COUNT] = {
    [PLAIT_UNIT_NONE] = {"", "a plain number", {0, 0, 0, 0}},
    [PLAIT_UNIT_LENGTH] = {"m", "a length", {1, 0, 0, 0}},
    [PLAIT_UNIT_TIME] = {"s", "a time", {0, 0, 1, 0}},
    [PLAIT_UNIT_ANGLE] = {"rad", "an angle", {0, 0, 0, 1}},
    [PLAIT_UNIT_SPEED] = {"m/s", "a speed", {1, 0, -1, 0}},
    [PLAIT_UNIT_ACCELERATION] = {"m/s^2", "an acceleration", {1, 0, -2, 0}},
    [PLAIT_UNIT_ANGULAR_SPEED] = {"rad/s", "an angular speed", {0, 0, -1, 1}},
    [PLAIT_UNIT_FREQUENCY] = {"Hz", "a frequency", {0, 0, -1, 0}},
    [PLAIT_UNIT_RATE] = {"1/s", "a rate", {0, 0, -1, 0}},
    [PLAIT_UNIT_CURVATURE] = {"1/m", "a curvature", {-1, 0, 0, 0}},
    [PLAIT_UNIT_TWIST] = {"rad/m", "a twist", {-1, 0, 0, 1}},
    [PLAIT_UNIT_DENSITY] = {"kg/m^3", "a density", {-3, 1, 0, 0}},
    [PLAIT_UNIT_PRESSURE] = {"Pa", "a pressure", {-1, 1, -2, 0}},
    [PLAIT_UNIT_VISCOSITY] = {"Pa s", "a viscosity", {-1, 1, -1, 0}},
    [PLAIT_UNIT_AREA_DENSITY] = {"kg/m^2", "a mass per area", {-2, 1, 0, 0}},
    [PLAIT_UNIT_STIFFNESS] = {"N/m", "a force per width", {0, 1, -2, 0}},
    [PLAIT_UNIT_BENDING] = {"N m", "a couple per width and curvature", {2, 1, -2, 0}},
    [PLAIT_UNIT_AREA] = {"m^2", "an area", {2, 0, 0, 0}},
    [PLAIT_UNIT_FORCE] = {"N", "a force", {1, 1, -2, 0}},
    [PLAIT_UNIT_BOND_STIFFNESS] = {"N/m^3", "a stiffness per area", {-2, 1, -2, 0}},
    [PLAIT_UNIT_BOND_ENERGY] = {"J/m^2", "an energy per area", {0, 1, -2, 0}},
    [PLAIT_UNIT_BOND_VISCOSITY] = {"N s/m", "a viscosity of bonds or damping", {0, 1, -1, 0}},
    [PLAIT_UNIT_BOND_RATE] = {"m s/kg", "a rate per pressure", {1, -1, 1, 0}},
    [PLAIT_UNIT_MOMENT] = {"N m", "a moment", {2, 1, -2, 0}},
    [PLAIT_UNIT_VOLUME] = {"m^3", "a volume", {3, 0, 0, 0}},
    [PLAIT_UNIT_MASS] = {"kg", "a mass", {0, 1, 0, 0}},
};

// Named only where somebody gives them by mistake.
static const struct {
    const char *name;
    dimensions of;
} others[] = {
    {"a mass", {0, 1, 0, 0}},
    {"a volume", {3, 0, 0, 0}},
    {"an energy", {2, 1, -2, 0}},
    {"a power", {2, 1, -3, 0}},
};

static const struct {
    const char *symbol;
    bool prefixes;
    dimensions of;
    int decimal;
    double factor;
} symbols[] = {
    {"m", true, {1, 0, 0, 0}, 0, 1},
    {"g", true, {0, 1, 0, 0}, -3, 1},
    {"s", true, {0, 0, 1, 0}, 0, 1},
    {"min", false, {0, 0, 1, 0}, 0, 60},
    {"h", false, {0, 0, 1, 0}, 0, 3600},
    {"rad", true, {0, 0, 0, 1}, 0, 1},
    {"deg", false, {0, 0, 0, 1}, 0, 0.017453292519943295769},
    {"\xc2\xb0", false, {0, 0, 0, 1}, 0, 0.017453292519943295769}, // the degree sign
    {"turn", false, {0, 0, 0, 1}, 0, 6.28318530717958647693},
    {"rev", false, {0, 0, 0, 1}, 0, 6.28318530717958647693},
    {"rpm", false, {0, 0, -1, 1}, 0, 0.10471975511965977462},
    {"Hz", true, {0, 0, -1, 0}, 0, 1},
    {"N", true, {1, 1, -2, 0}, 0, 1},
    {"dyn", true, {1, 1, -2, 0}, -5, 1},
    {"Pa", true, {-1, 1, -2, 0}, 0, 1},
    {"bar", true, {-1, 1, -2, 0}, 5, 1},
    {"P", true, {-1, 1, -1, 0}, -1, 1}, // poise
    {"J", true, {2, 1, -2, 0}, 0, 1},
    {"erg", false, {2, 1, -2, 0}, -7, 1},
    {"W", true, {2, 1, -3, 0}, 0, 1},
    {"%", false, {0, 0, 0, 0}, -2, 1},
};

static const struct {
    const char *symbol;
    int decimal;
} prefixes[] = {
    {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3}, {"c", -2},
    {"d", -1}, {"k", 3},  {"M", 6},         {"G", 9},         {"T", 12}, {"p", -12},
}; // micro: as a letter, the micro sign, the Greek mu

const char *plait_unit_symbol(plait_unit unit)
{
    return known[unit].symbol;
}

const char *plait_unit_name(plait_unit unit)
{
    return known[unit].name;
}

static void copy_power(dimensions of, int power[4])
{
    const int p[4] = {of.m, of.kg, of.s, of.rad};
    memcpy(power, p, sizeof p);
}

bool plait_unit_symbol_at(int i, plait_unit_symbol_row *row)
{
    if (i < 0 || (size_t)i >= sizeof symbols / sizeof *symbols)
        return false;
    row->symbol = symbols[i].symbol;
    row->prefixes = symbols[i].prefixes;
    copy_power(symbols[i].of, row->power);
    return true;
}

const char *plait_unit_prefix_at(int i)
{
    return i >= 0 && (size_t)i < sizeof prefixes / sizeof *prefixes ? prefixes[i].symbol : NULL;
}

void plait_unit_power(plait_unit unit, int power[4])
{
    copy_power(known[unit].of, power);
}

static bool same(dimensions a, dimensions b)
{
    return a.m == b.m && a.kg == b.kg && a.s == b.s && a.rad == b.rad;
}

static const char *name_dimensions(dimensions d)
{
    for (int i = 0; i < PLAIT_UNIT_COUNT; i++)
        if (same(d, known[i].of))
            return known[i].name;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (same(d, others[i].of))
            return others[i].name;
    return "something else";
}

// ---- units -------------------------------------------------------------------------------------------------------

// One symbol with or without a prefix; whole symbols come first ("min" is no milli-inch).
static bool find_symbol(const char *text, size_t length, scale *unit)
{
    for (int pass = 0; pass < 2; pass++) {
        for (size_t p = 0; p < (pass ? sizeof prefixes / sizeof *prefixes : 1); p++) {
            size_t skip = pass ? strlen(prefixes[p].symbol) : 0;
            if (skip >= length || (pass && strncmp(text, prefixes[p].symbol, skip) != 0))
                continue;
            for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
                if (strlen(symbols[i].symbol) != length - skip || (pass && !symbols[i].prefixes) ||
                    strncmp(text + skip, symbols[i].symbol, length - skip) != 0)
                    continue;
                *unit =
                    (scale){symbols[i].of, symbols[i].decimal + (pass ? prefixes[p].decimal : 0), symbols[i].factor};
                return true;
            }
        }
    }
    return false;
}

static void multiply(scale *product, const scale *unit, int power)
{
    product->of.m += power * unit->of.m;
    product->of.kg += power * unit->of.kg;
    product->of.s += power * unit->of.s;
    product->of.rad += power * unit->of.rad;
    product->decimal += power * unit->decimal;
    product->factor *= plait_power(unit->factor, power);
}

// The power after a symbol: "^2", "^-1", a raised 2 or 3, or nothing. -100: no power.
static int read_power(const char **at)
{
    const char *c = *at;
    if (strncmp(c, "\xc2\xb2", 2) == 0 || strncmp(c, "\xc2\xb3", 2) == 0) {
        *at += 2;
        return c[1] == '\xb2' ? 2 : 3;
    }
    if (*c != '^')
        return 1;
    c++;
    int sign = *c == '-' ? -1 : 1;
    c += *c == '-';
    if (*c < '1' || *c > '9' || isdigit((unsigned char)c[1]))
        return -100;
    *at = c + 1;
    return sign * (*c - '0');
}

static bool is_symbol_byte(char c)
{
    return c && !strchr(" \t*/^", c) && !isdigit((unsigned char)c) && (unsigned char)c != 0xc2;
}

static bool read_unit(const char *text, scale *product, char problem[PLAIT_PROBLEM])
{
    const char *at = text;
    *product = (scale){{0, 0, 0, 0}, 0, 1};
    for (int factors = 0;; factors++) {
        int sign = 1;
        bool sign_given = false;
        for (; *at && strchr(" \t*/", *at); at++) {
            if (*at == '/' || *at == '*') {
                if (sign_given)
                    break;
                sign_given = true;
                sign = *at == '/' ? -1 : 1;
            }
        }
        if (!*at && !sign_given)
            return true;
        scale unit = {{0, 0, 0, 0}, 0, 1};
        size_t length = 0;
        if (strncmp(at, "\xc2\xb0", 2) == 0 || strncmp(at, "\xc2\xb5", 2) == 0)
            length = 2; // the degree and micro signs begin like the raised digits
        while (is_symbol_byte(at[length]))
            length++;
        if (length == 0 && factors == 0 && *at == '1' && !isdigit((unsigned char)at[1])) {
            at++; // "1/s"
            continue;
        }
        if (length == 0 || !find_symbol(at, length, &unit)) {
            snprintf(problem, PLAIT_PROBLEM, "unknown unit '%.*s'", length ? (int)length : 20, length ? at : text);
            return false;
        }
        const char *symbol = at;
        at += length;
        int power = read_power(&at);
        if (power == -100 || factors > 8) {
            snprintf(problem, PLAIT_PROBLEM, "expected a power from ^-9 to ^9 in the unit, found '%.20s'", symbol);
            return false;
        }
        multiply(product, &unit, sign * power);
    }
}

// ---- numbers -----------------------------------------------------------------------------------------------------

// Characters of a decimal number at text; 0: none. *mantissa: those before the exponent.
static size_t scan_number(const char *text, size_t *mantissa)
{
    size_t i = text[0] == '+' || text[0] == '-', digits = 0;
    for (; isdigit((unsigned char)text[i]); i++)
        digits++;
    if (text[i] == '.')
        for (i++; isdigit((unsigned char)text[i]); i++)
            digits++;
    if (digits == 0)
        return 0;
    *mantissa = i;
    if (text[i] != 'e' && text[i] != 'E')
        return i;
    size_t e = i + 1;
    e += text[e] == '+' || text[e] == '-';
    if (!isdigit((unsigned char)text[e]))
        return i; // "2 erg" without the blank
    while (isdigit((unsigned char)text[e]))
        e++;
    return e;
}

static bool expected(plait_unit unit, const char *text, char problem[PLAIT_PROBLEM])
{
    const char *symbol = known[unit].symbol;
    snprintf(problem, PLAIT_PROBLEM, "expected %s%s%s%s, found '%.40s%s'", unit ? known[unit].name : "a number",
             *symbol ? " [" : "", symbol, *symbol ? "]" : "", text, strlen(text) > 40 ? "..." : "");
    return false;
}

bool plait_quantity_read(const char *text, plait_unit unit, double *value, char problem[PLAIT_PROBLEM])
{
    char number[96];
    size_t mantissa, length;
    while (*text == ' ' || *text == '\t')
        text++;
    length = scan_number(text, &mantissa);
    if (length == 0 || length > 60)
        return expected(unit, text, problem);
    const char *rest = text + length;
    while (*rest == ' ' || *rest == '\t')
        rest++;
    // What is glued to a number and no unit ("1.2.3", "12abc") is no unit forgotten, it is a slip.
    scale given = {{0, 0, 0, 0}, 0, 1};
    bool has_unit = *rest != 0;
    if (*rest == '.')
        return expected(unit, text, problem);
    if (has_unit && !read_unit(rest, &given, problem))
        return false;
    if (has_unit && !same(given.of, known[unit].of)) {
        const char *symbol = known[unit].symbol;
        snprintf(problem, PLAIT_PROBLEM, "expected %s%s%s%s, found %s [%.30s]", known[unit].name, *symbol ? " [" : "",
                 symbol, *symbol ? "]" : "", name_dimensions(given.of), rest);
        return false;
    }
    long exponent = length > mantissa ? strtol(text + mantissa + 1, NULL, 10) : 0;
    exponent = exponent > 9999 ? 9999 : exponent < -9999 ? -9999 : exponent;
    snprintf(number, sizeof number, "%.*se%ld", (int)mantissa, text, exponent + given.decimal);
    *value = strtod(number, NULL) * given.factor;
    if (!isfinite(*value)) {
        snprintf(problem, PLAIT_PROBLEM, "the number '%.40s' is too large", text);
        return false;
    }
    return true;
}

bool plait_quantities_read(const char *text, plait_unit unit, int count, double *values, char problem[PLAIT_PROBLEM])
{
    const char *end = strchr(text, ']');
    if (text[0] != '[' || !end) {
        snprintf(problem, PLAIT_PROBLEM, "expected %d numbers in brackets, found '%.40s'", count, text);
        return false;
    }
    const char *common = end + 1 + strspn(end + 1, " \t"), *at = text + 1;
    int found = 0;
    while (at < end) {
        char item[160];
        size_t length = strcspn(at, ",]");
        snprintf(item, sizeof item, "%.*s%s%s", length < 80 ? (int)length : 80, at, *common ? " " : "", common);
        if (found == count) {
            found++;
            break;
        }
        if (!plait_quantity_read(item, unit, &values[found++], problem))
            return false;
        at += length + 1;
    }
    if (found == count)
        return true;
    snprintf(problem, PLAIT_PROBLEM, "expected %d numbers in brackets, found %s", count,
             found > count ? "more" : "fewer");
    return false;
}
