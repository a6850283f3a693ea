// schema_pattern.c: regular expressions for numbers with units, vectors and paths.
#include "scene/schema_pattern.h"

#include <stdlib.h>
#include <string.h>

enum { BASES = 4 };
#define BLANKS "[ \\t]*"

// ---- units -------------------------------------------------------------------------------------------------------

static bool measures(const plait_unit_symbol_row *row, const int power[BASES])
{
    return memcmp(row->power, power, sizeof row->power) == 0;
}

// All symbols that measure `power`, with their prefixes.
static void add_symbols(plait_text *out, const int power[BASES])
{
    plait_unit_symbol_row row;
    bool first = true;
    plait_text_add(out, "(?:");
    for (int i = 0; plait_unit_symbol_at(i, &row); i++) {
        if (!measures(&row, power))
            continue;
        plait_text_add(out, "%s", first ? "" : "|");
        first = false;
        if (row.prefixes) {
            plait_text_add(out, "[");
            for (int p = 0; plait_unit_prefix_at(p); p++)
                plait_text_add(out, "%s", plait_unit_prefix_at(p));
            plait_text_add(out, "]?");
        }
        plait_text_add(out, "%s", row.symbol);
    }
    plait_text_add(out, ")");
}

static void add_power(plait_text *out, int power)
{
    if (power == 2 || power == 3)
        plait_text_add(out, "(?:\\^%d|%s)", power, power == 2 ? "\xc2\xb2" : "\xc2\xb3");
    else if (power != 1)
        plait_text_add(out, "\\^%d", power);
}

typedef struct factor {
    int of[BASES]; // what its symbols measure
    int power;
} factor;

// One factor of a product: "* kg", "/ m^3", " m^-3", "/s/s"; the first one also as "1/s".
static void add_factor(plait_text *out, const factor *f, bool first)
{
    const char *times = first ? "" : "(?:" BLANKS "\\*" BLANKS "|[ \\t]+)";
    if (f->power > 0) {
        plait_text_add(out, "%s", times);
        add_symbols(out, f->of);
        add_power(out, f->power);
        return;
    }
    plait_text_add(out, "(?:%s" BLANKS "/" BLANKS, first ? "1?" : "");
    add_symbols(out, f->of);
    add_power(out, -f->power);
    plait_text_add(out, "|%s", times);
    add_symbols(out, f->of);
    add_power(out, f->power);
    if (f->power == -2) {
        plait_text_add(out, "|(?:" BLANKS "/" BLANKS);
        add_symbols(out, f->of);
        plait_text_add(out, "){2}");
    }
    plait_text_add(out, ")");
}

// All orders of the factors, as alternatives: factor[at..count-1] are still to be placed.
static void add_orders(plait_text *out, factor *f, int at, int count, bool *first)
{
    if (at == count) {
        plait_text_add(out, "%s", *first ? "" : "|");
        *first = false;
        for (int i = 0; i < count; i++)
            add_factor(out, &f[i], i == 0);
        return;
    }
    for (int i = at; i < count; i++) {
        factor swap = f[at];
        f[at] = f[i];
        f[i] = swap;
        add_orders(out, f, at + 1, count, first);
        f[i] = f[at];
        f[at] = swap;
    }
}

static int size_of(const int power[BASES], int *parts)
{
    int size = 0;
    *parts = 0;
    for (int k = 0; k < BASES; k++) {
        size += abs(power[k]);
        *parts += power[k] != 0;
    }
    return size;
}

// `head` (a named unit, or nothing) times what is left of `target` in base units, if that is no longer than target
// itself.
static void add_product(plait_text *out, const int target[BASES], const int *head, bool *first)
{
    factor f[BASES + 1];
    int rest[BASES], parts, target_parts, count = 0;
    for (int k = 0; k < BASES; k++)
        rest[k] = target[k] - (head ? head[k] : 0);
    if (head && (size_of(rest, &parts) > size_of(target, &target_parts) || parts > 2))
        return;
    if (head) {
        memcpy(f[count].of, head, sizeof f[count].of);
        f[count++].power = 1;
    }
    for (int k = 0; k < BASES; k++) {
        if (rest[k] == 0)
            continue;
        f[count] = (factor){{0, 0, 0, 0}, rest[k]};
        f[count++].of[k] = 1;
    }
    if (count > 0)
        add_orders(out, f, 0, count, first);
}

static void add_unit(plait_text *out, plait_unit unit)
{
    int target[BASES], parts;
    bool first = true;
    plait_unit_symbol_row row, before;
    plait_unit_power(unit, target);
    if (size_of(target, &parts) == 0) { // a plain number: per cent
        add_symbols(out, target);
        return;
    }
    add_product(out, target, NULL, &first);
    for (int i = 0; plait_unit_symbol_at(i, &row); i++) {
        bool seen = size_of(row.power, &parts) < 2 && parts < 2 && row.power[2] >= 0; // a base unit, or none
        for (int k = 0; k < i && !seen; k++)
            seen = plait_unit_symbol_at(k, &before) && measures(&before, row.power);
        if (!seen)
            add_product(out, target, row.power, &first);
    }
}

void plait_pattern_quantity(plait_text *out, plait_unit unit, plait_pattern_sign sign)
{
    static const char *const signs[] = {"[+-]?", "\\+?", "(?=[+.0]*[1-9])\\+?"};
    plait_text_add(out, "^" BLANKS "%s(?:[0-9]+\\.?[0-9]*|\\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?:" BLANKS "(?:", signs[sign]);
    add_unit(out, unit);
    plait_text_add(out, "))?" BLANKS "$|" PLAIT_PATTERN_VARIABLE);
}

void plait_pattern_vector(plait_text *out, plait_unit unit, int count)
{
    plait_text_add(out, "^\\[[^,\\]]+(?:,[^,\\]]+){%d}\\]" BLANKS "(?:", count - 1);
    add_unit(out, unit);
    plait_text_add(out, ")?" BLANKS "$|" PLAIT_PATTERN_VARIABLE);
}

// ---- paths -------------------------------------------------------------------------------------------------------

static void add_paths(plait_text *out, const plait_schema *table)
{
    plait_text_add(out, "(?:");
    for (const plait_schema_key *k = table->keys; k->name; k++) {
        if (k->type == PLAIT_KEY_OVERRIDES || k->type == PLAIT_KEY_INCLUDE)
            continue;
        plait_text_add(out, "%s%s", k == table->keys || out->text[out->count - 1] == ':' ? "" : "|", k->name);
        if (k->type == PLAIT_KEY_VARIABLES)
            plait_text_add(out, "\\." PLAIT_PATTERN_NAME);
        if (!k->table)
            continue;
        bool list = k->type == PLAIT_KEY_LIST || k->type == PLAIT_KEY_NAMED;
        plait_text_add(out, "(?:%s\\.", list ? "\\.[A-Za-z0-9_-]+(?:" : "");
        add_paths(out, k->table);
        plait_text_add(out, "%s)?", list ? ")?" : "");
    }
    plait_text_add(out, ")");
}

void plait_pattern_paths(plait_text *out, const plait_schema *table)
{
    plait_text_add(out, "^");
    add_paths(out, table);
    plait_text_add(out, "$");
}
