// schema_print.c: the reference of all keys, from the tables and from the defaults that the program really uses.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/schema.h"
#include "scene/text.h"

typedef struct printer {
    plait_text out;
    const plait_schema *done[64]; // sections that are printed already
    int sections;
} printer;

#define print(p, ...) plait_text_add(&(p)->out, __VA_ARGS__)

static const char *type_words(const plait_schema_key *k)
{
    static const char *const words[] = {
        [PLAIT_KEY_REAL] = "number",
        [PLAIT_KEY_PAIR] = "one or two numbers",
        [PLAIT_KEY_VECTOR] = "vector",
        [PLAIT_KEY_POINTS] = "list of vectors",
        [PLAIT_KEY_NUMBERS] = "list of numbers",
        [PLAIT_KEY_INT] = "whole number",
        [PLAIT_KEY_SEED] = "whole number",
        [PLAIT_KEY_BOOL] = "true or false",
        [PLAIT_KEY_TEXT] = "text",
        [PLAIT_KEY_FILE] = "file",
        [PLAIT_KEY_FILES] = "list of files",
        [PLAIT_KEY_CHOICE] = "word",
        [PLAIT_KEY_MATERIAL] = "material",
        [PLAIT_KEY_COLLIDER] = "collider",
        [PLAIT_KEY_FRICTION] = "list",
        [PLAIT_KEY_MAP] = "map",
        [PLAIT_KEY_OPTIONAL] = "map",
        [PLAIT_KEY_LIST] = "list",
        [PLAIT_KEY_NAMED] = "list or map of names",
        [PLAIT_KEY_OVERRIDES] = "map",
        [PLAIT_KEY_INCLUDE] = "file or list of files",
        [PLAIT_KEY_VARIABLES] = "map",
    };
    if (k->brief)
        return "map, or only its `path`";
    if (k->type == PLAIT_KEY_NAMED && !plait_schema_find(k->table, "name", 4))
        return "map of names";
    return words[k->type];
}

static void print_numbers(printer *p, const double *x, int count, const char *unit)
{
    if (count > 1)
        print(p, "[");
    for (int i = 0; i < count; i++)
        print(p, "%s%g", i ? ", " : "", x[i] == 0 ? 0.0 : x[i]); // no minus zero
    print(p, "%s%s%s", count > 1 ? "]" : "", *unit ? " " : "", unit);
}

static void print_default(printer *p, const plait_schema_key *k, const char *defaults)
{
    const void *at = defaults + k->offset;
    const char *unit = plait_unit_symbol(k->unit);
    if (k->required) {
        print(p, "required");
        return;
    }
    if (k->fallback) {
        print(p, "%s", k->fallback);
        return;
    }
    switch (k->type) {
    case PLAIT_KEY_REAL:
        print_numbers(p, at, 1, unit);
        break;
    case PLAIT_KEY_PAIR:
        print_numbers(p, at, ((const double *)at)[1] == 0 ? 1 : 2, unit);
        break;
    case PLAIT_KEY_VECTOR:
        print_numbers(p, at, 3, unit);
        break;
    case PLAIT_KEY_INT:
        print(p, "%d", *(const int *)at);
        break;
    case PLAIT_KEY_SEED:
        print(p, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case PLAIT_KEY_BOOL:
        print(p, "%s", *(const bool *)at ? "true" : "false");
        break;
    case PLAIT_KEY_CHOICE:
        print(p, "%s", k->choice(*(const int *)at));
        break;
    default:
        print(p, "-");
    }
}

static void print_row(printer *p, const char *prefix, const plait_schema_key *k, const char *defaults)
{
    const char *unit = plait_unit_symbol(k->unit);
    print(p, "| `%s%s` | %s | %s | ", prefix, k->name, type_words(k), *unit ? unit : "");
    print_default(p, k, defaults);
    print(p, " | %s", k->help);
    if (k->type == PLAIT_KEY_CHOICE) {
        print(p, ": ");
        for (int i = 0; k->choice(i); i++)
            print(p, "%s%s", i ? ", " : "", k->choice(i));
    }
    if (k->table && k->table->name && k->table->keys->name)
        print(p, "; see [%s](#%s)", k->table->name, k->table->name);
    print(p, " |\n");
}

// Tables without a name are parts of their parent: their keys are printed with a prefix.
static void print_rows(printer *p, const plait_schema *table, const char *prefix, const char *defaults)
{
    for (const plait_schema_key *k = table->keys; k->name; k++) {
        print_row(p, prefix, k, defaults);
        if (k->type == PLAIT_KEY_MAP && !k->table->name) {
            char longer[64];
            snprintf(longer, sizeof longer, "%s%s.", prefix, k->name);
            print_rows(p, k->table, longer, defaults + k->offset);
        }
    }
}

static void print_table(printer *p, const plait_schema *table)
{
    for (int i = 0; i < p->sections; i++)
        if (p->done[i] == table)
            return;
    if (p->sections < 64)
        p->done[p->sections++] = table;
    char *defaults = calloc(1, table->size ? table->size : 1);
    if (!defaults) {
        p->out.failed = true;
        return;
    }
    if (table->name && table->keys->name) {
        table->init(defaults);
        print(p, "### %s\n\n%s\n\n| key | value | unit | default | meaning |\n|---|---|---|---|---|\n", table->name,
              table->help);
        print_rows(p, table, "", defaults);
        print(p, "\n");
    }
    free(defaults);
    for (const plait_schema_key *k = table->keys; k->name; k++)
        if (k->table)
            print_table(p, k->table);
}

char *plait_schema_print(const plait_schema *table)
{
    printer p = {0};
    print_table(&p, table);
    return plait_text_take(&p.out);
}
