// schema_json.c: the tables as a JSON schema, so that editors complete and check scene files.
//
// Every table becomes a definition, and so does every unit. What a schema can say, it says: keys, types, units, ranges,
// words, which keys a shape needs. What it cannot (names that refer to each other, files) is left to the program.
// Anything may be $(a variable).
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/schema_pattern.h"
#include "scene/schema_scene.h"

enum { MOST_TABLES = 64 };

typedef struct writer {
    plait_text out;
    const plait_schema *done[MOST_TABLES];
    char id[MOST_TABLES][48];
    int tables;
    const char *prefix; // "part-" while definitions of parts are written
} writer;

#define put(w, ...) plait_text_add(&(w)->out, __VA_ARGS__)

static void put_string(writer *w, const char *text)
{
    put(w, "\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            put(w, "\\%c", *c);
        else if ((unsigned char)*c < 0x20)
            put(w, "\\u%04x", (unsigned)*c);
        else
            put(w, "%c", *c);
    }
    put(w, "\"");
}

// A pattern that a function prints, as a JSON string.
static void put_pattern(writer *w, plait_text *pattern)
{
    if (pattern->failed)
        w->out.failed = true;
    else
        put_string(w, pattern->text ? pattern->text : "");
    free(pattern->text);
}

// ---- units -------------------------------------------------------------------------------------------------------

// "length" of "a length".
static void put_unit_id(writer *w, plait_unit unit, const char *suffix)
{
    const char *name = strchr(plait_unit_name(unit), ' ') + 1;
    char id[48];
    snprintf(id, sizeof id, "unit-%s%s", name, suffix);
    for (char *c = id; *c; c++)
        if (*c == ' ')
            *c = '-';
    put(w, "%s", id);
}

static const char *const sign_suffix[] = {"", "-not-negative", "-positive"};

static plait_pattern_sign sign_of(const plait_schema_key *k)
{
    if (k->min == k->max || k->min < 0)
        return PLAIT_PATTERN_ANY;
    return k->min > 0 ? PLAIT_PATTERN_POSITIVE : PLAIT_PATTERN_NOT_NEGATIVE;
}

static void put_units(writer *w)
{
    for (int u = 0; u < PLAIT_UNIT_COUNT; u++) {
        const char *symbol = plait_unit_symbol((plait_unit)u);
        for (int sign = 0; sign < 3; sign++) {
            plait_text pattern = {0};
            put(w, ",\n\"");
            put_unit_id(w, (plait_unit)u, sign_suffix[sign]);
            put(w, "\": {\"title\": \"%s%s%s%s\", \"type\": [\"number\", \"string\"], \"pattern\": ",
                plait_unit_name((plait_unit)u), *symbol ? " [" : "", symbol, *symbol ? "]" : "");
            plait_pattern_quantity(&pattern, (plait_unit)u, (plait_pattern_sign)sign);
            put_pattern(w, &pattern);
            put(w, "}");
        }
        for (int count = 2; count <= 3; count++) {
            plait_text pattern = {0};
            put(w, ",\n\"");
            put_unit_id(w, (plait_unit)u, count == 2 ? "-pair" : "-vector");
            put(w, "\": {\"type\": [\"array\", \"string\"], \"minItems\": %d, \"maxItems\": %d, \"pattern\": ", count,
                count);
            plait_pattern_vector(&pattern, (plait_unit)u, count);
            put_pattern(w, &pattern);
            put(w, "}");
        }
    }
}

// ---- values ------------------------------------------------------------------------------------------------------

static void put_range(writer *w, const plait_schema_key *k)
{
    if (k->min == k->max)
        return;
    put(w, ", \"minimum\": %.17g", k->min);
    if (k->max < 1e300)
        put(w, ", \"maximum\": %.17g", k->max);
}

static void put_number(writer *w, const plait_schema_key *k)
{
    put(w, "\"allOf\": [{\"$ref\": \"#/definitions/");
    put_unit_id(w, k->unit, sign_suffix[sign_of(k)]);
    put(w, "\"}]");
    put_range(w, k);
}

static void put_numbers(writer *w, const plait_schema_key *k, int count)
{
    put(w, "\"allOf\": [{\"$ref\": \"#/definitions/");
    put_unit_id(w, k->unit, count == 2 ? "-pair" : "-vector");
    put(w, "\"}], \"items\": {");
    put_number(w, k);
    put(w, "}");
}

#define VARIABLE "{\"$ref\": \"#/definitions/variable\"}"

static void put_pair(writer *w, const plait_schema_key *k)
{
    put(w, "\"anyOf\": [{");
    put_number(w, k);
    put(w, "}, {");
    put_numbers(w, k, 2);
    put(w, "}, {\"type\": \"array\", \"minItems\": 1, \"maxItems\": 1, \"items\": {");
    put_number(w, k);
    put(w, "}}]");
}

static void put_words(writer *w, const plait_schema_key *k)
{
    put(w, "\"anyOf\": [{\"enum\": [");
    for (int i = 0; k->choice(i); i++) {
        put(w, "%s", i ? ", " : "");
        put_string(w, k->choice(i));
        if (strcmp(k->choice(i), "yes") == 0 || strcmp(k->choice(i), "no") == 0) // YAML 1.1 reads them as true, false
            put(w, ", %s", k->choice(i)[0] == 'y' ? "true" : "false");
    }
    put(w, "]}, " VARIABLE "]");
}

static const char *table_id(const writer *w, const plait_schema *table)
{
    for (int i = 0; i < w->tables; i++)
        if (w->done[i] == table)
            return w->id[i];
    return "";
}

static void put_list(writer *w, const plait_schema_key *k)
{
    const char *id = table_id(w, k->table);
    bool named = k->type == PLAIT_KEY_NAMED, by_list = !named || plait_schema_find(k->table, "name", 4);
    put(w, "\"anyOf\": [{\"type\": \"null\"}, " VARIABLE);
    if (named)
        put(w,
            ", {\"type\": \"object\", \"propertyNames\": {\"pattern\": \"^" PLAIT_PATTERN_NAME "$\"}, "
            "\"additionalProperties\": {\"anyOf\": [{\"$ref\": \"#/definitions/%s%s\"}, " VARIABLE
            "], \"not\": {\"type\": \"object\", \"required\": [\"name\"]}}}",
            w->prefix, id);
    if (by_list)
        put(w, ", {\"type\": \"array\", \"items\": {\"anyOf\": [{\"$ref\": \"#/definitions/%s%s\"}, " VARIABLE "]}}",
            w->prefix, id);
    put(w, "]");
}

static void put_friction(writer *w, const plait_schema_key *k)
{
    put(w, "\"anyOf\": [" VARIABLE ", {\"type\": \"array\", \"items\": {\"type\": \"array\", \"minItems\": 3, "
           "\"maxItems\": 3, \"items\": [{\"$ref\": \"#/definitions/name\"}, {\"$ref\": \"#/definitions/name\"}, {");
    put_number(w, k);
    put(w, "}]}}]");
}

static void put_overrides(writer *w)
{
    plait_text pattern = {0};
    put(w, "\"type\": \"object\", \"propertyNames\": {\"pattern\": ");
    plait_pattern_paths(&pattern, &plait_schema_scene);
    put_pattern(w, &pattern);
    put(w, "}");
}

static void put_value(writer *w, const plait_schema_key *k)
{
    static const char *const path = "\"$ref\": \"#/definitions/text\"";
    switch (k->type) {
    case PLAIT_KEY_REAL:
        put_number(w, k);
        break;
    case PLAIT_KEY_PAIR:
        put_pair(w, k);
        break;
    case PLAIT_KEY_VECTOR:
        put_numbers(w, k, 3);
        break;
    case PLAIT_KEY_POINTS:
        put(w, "\"anyOf\": [" VARIABLE ", {\"type\": \"array\", \"items\": {");
        put_numbers(w, k, 3);
        put(w, "}}]");
        break;
    case PLAIT_KEY_NUMBERS:
        put(w, "\"anyOf\": [" VARIABLE ", {\"type\": \"array\", \"items\": {");
        put_number(w, k);
        put(w, "}}]");
        break;
    case PLAIT_KEY_INT:
    case PLAIT_KEY_SEED: {
        plait_schema_key whole = *k;
        if (k->min == k->max) {
            whole.min = k->type == PLAIT_KEY_SEED ? 0 : -2147483648.0;
            whole.max = k->type == PLAIT_KEY_SEED ? 18446744073709551615.0 : 2147483647.0;
        }
        put(w, "\"type\": [\"integer\", \"string\"], \"pattern\": \"^\\\\$\\\\(" PLAIT_PATTERN_NAME "\\\\)$\"");
        put_range(w, &whole);
        break;
    }
    case PLAIT_KEY_BOOL:
        put(w, "\"anyOf\": [{\"type\": \"boolean\"}, {\"enum\": [\"yes\", \"no\"]}, " VARIABLE "]");
        break;
    case PLAIT_KEY_TEXT:
        put(w, "\"$ref\": \"#/definitions/%s\"", strcmp(k->name, "name") == 0 ? "name" : "text");
        break;
    case PLAIT_KEY_FILE:
        put(w, "%s", path);
        break;
    case PLAIT_KEY_FILES:
        put(w, "\"anyOf\": [" VARIABLE ", {\"type\": \"array\", \"items\": {%s}}]", path);
        break;
    case PLAIT_KEY_INCLUDE:
        put(w, "\"anyOf\": [{\"type\": \"string\"}, {\"type\": \"array\", \"items\": {\"type\": \"string\"}}]");
        break;
    case PLAIT_KEY_VARIABLES:
        put(w, "\"type\": [\"object\", \"null\"], \"propertyNames\": {\"pattern\": \"^" PLAIT_PATTERN_NAME "$\"}");
        break;
    case PLAIT_KEY_CHOICE:
        put_words(w, k);
        break;
    case PLAIT_KEY_MATERIAL:
    case PLAIT_KEY_COLLIDER:
        put(w, "\"$ref\": \"#/definitions/name\"");
        break;
    case PLAIT_KEY_FRICTION:
        put_friction(w, k);
        break;
    case PLAIT_KEY_MAP:
    case PLAIT_KEY_OPTIONAL:
        put(w, "\"anyOf\": [{\"$ref\": \"#/definitions/%s%s\"}, %s%s%s]", w->prefix, table_id(w, k->table),
            k->brief ? "{" : "", k->brief ? path : VARIABLE, k->brief ? "}" : "");
        break;
    case PLAIT_KEY_LIST:
    case PLAIT_KEY_NAMED:
        put_list(w, k);
        break;
    case PLAIT_KEY_OVERRIDES:
        put_overrides(w);
        break;
    }
}

// ---- tables ------------------------------------------------------------------------------------------------------

// What the tables do not say: conditions between keys, which the program checks where it builds the scene.
static const struct {
    const char *table, *conditions;
} rules[] = {
    {"output", "{\"not\": {\"type\": \"object\", \"required\": [\"fps\", \"frame_time\"]}}"},
    {"drives",
     "{\"if\": {\"properties\": {\"kind\": {\"const\": \"linear\"}}}, \"then\": {\"oneOf\": [{\"required\": "
     "[\"velocity\"]}, {\"required\": [\"spin\"]}], \"not\": {\"anyOf\": [{\"required\": [\"move\"]}, {\"required\": "
     "[\"turn\"]}]}}, \"else\": {\"oneOf\": [{\"required\": [\"move\"]}, {\"required\": [\"turn\"]}], \"not\": "
     "{\"anyOf\": [{\"required\": [\"velocity\"]}, {\"required\": [\"spin\"]}]}}}, "
     "{\"if\": {\"properties\": {\"kind\": {\"const\": \"sine\"}}}, \"then\": {\"required\": [\"frequency\"]}}, "
     "{\"if\": {\"properties\": {\"kind\": {\"const\": \"ramp\"}}}, \"then\": {\"required\": [\"stop\"]}}"},
    {"fibres.ends", "{\"if\": {\"required\": [\"attach\"]}, \"then\": {\"anyOf\": [{\"required\": [\"root\"]}, "
                    "{\"required\": [\"tip\"]}]}}, {\"if\": {\"required\": [\"attach_tip\"]}, \"then\": {\"required\": "
                    "[\"tip\"]}}"},
    {"bodies", "{\"if\": {\"required\": [\"shape\"], \"properties\": {\"shape\": {\"const\": \"plane\"}}}, \"then\": "
               "{\"required\": [\"guide\", \"mass\"]}}"},
    {"polyline", "{\"properties\": {\"points\": {\"minItems\": 2}}}"},
    {"colliders", "{\"if\": {\"properties\": {\"shape\": {\"const\": \"curve\"}}}, \"then\": {\"properties\": "
                  "{\"points\": {\"minItems\": 2}}}}"},
};

static void put_shape_rules(writer *w, const plait_schema *table)
{
    const char *key;
    bool has, needs;
    for (int word = 0; plait_doc_shape_word(word); word++) {
        bool any = false;
        put(w, ", {\"if\": {\"properties\": {\"shape\": {\"const\": \"%s\"}}}, \"then\": {\"required\": [",
            plait_doc_shape_word(word));
        for (int i = 0; (key = plait_doc_shape_key(i, word, &has, &needs)) != NULL; i++) {
            if (!needs || !plait_schema_find(table, key, strlen(key)))
                continue;
            put(w, "%s\"%s\"", any ? ", " : "", key);
            any = true;
        }
        put(w, "], \"properties\": {");
        any = false;
        for (int i = 0; (key = plait_doc_shape_key(i, word, &has, &needs)) != NULL; i++) {
            if (has)
                continue;
            put(w, "%s\"%s\": false", any ? ", " : "", key);
            any = true;
        }
        put(w, "}}}");
    }
}

static void put_generators(writer *w, const plait_schema *table)
{
    bool any = false;
    for (const plait_schema_key *k = table->keys; k->name; k++) {
        if (k->type != PLAIT_KEY_OPTIONAL)
            continue;
        put(w, "%s{\"required\": [\"%s\"]}", any ? ", " : ", {\"oneOf\": [", k->name);
        any = true;
    }
    put(w, "%s", any ? "]}" : "");
}

static void put_conditions(writer *w, const plait_schema *table, const char *id)
{
    put(w, ", \"allOf\": [true");
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (strcmp(rules[i].table, id + 4) == 0)
            put(w, ", %s", rules[i].conditions);
    put_generators(w, table);
    if (table == &plait_schema_collider || table == &plait_schema_body)
        put_shape_rules(w, table);
    put(w, "]");
}

static void put_table(writer *w, const plait_schema *table, const char *id)
{
    bool whole = !*w->prefix, needs = table == w->done[0], any = false; // an empty file is no scene
    for (const plait_schema_key *k = table->keys; k->name; k++)
        needs = needs || (whole && (k->required || k->type == PLAIT_KEY_OPTIONAL));
    put(w, "\"type\": %s, \"additionalProperties\": false", needs ? "\"object\"" : "[\"object\", \"null\"]");
    if (table->help) {
        put(w, ", \"description\": ");
        put_string(w, table->help);
    }
    if (whole)
        put_conditions(w, table, id);
    put(w, ",\n \"required\": [");
    for (const plait_schema_key *k = table->keys; k->name; k++) {
        if (!k->required || !whole)
            continue;
        put(w, "%s\"%s\"", any ? ", " : "", k->name);
        any = true;
    }
    put(w, "], \"properties\": {");
    for (const plait_schema_key *k = table->keys; k->name; k++) {
        put(w, "%s\n  \"%s\": {\"description\": ", k == table->keys ? "" : ",", k->name);
        put_string(w, k->help);
        put(w, ", \"allOf\": [{");
        put_value(w, k);
        put(w, "}]}");
    }
    put(w, "}");
}

// Tables get their names before anything is written: "map-step", "map-fibres.ends" for those without one of their own.
static void collect(writer *w, const plait_schema *table, const char *parent, const char *key)
{
    if (*table_id(w, table) || w->tables == MOST_TABLES)
        return;
    char *id = w->id[w->tables];
    if (table->name)
        snprintf(id, sizeof w->id[0], "map-%s", table->name);
    else
        snprintf(id, sizeof w->id[0], "map-%.20s.%.20s", parent, key);
    w->done[w->tables++] = table;
    for (const plait_schema_key *k = table->keys; k->name; k++)
        if (k->table)
            collect(w, k->table, table->name ? table->name : key, k->name);
}

// Editors complete from here; what keys hold is said by the definitions. A scene that includes others may leave out
// what these have: "part-" definitions ask for nothing.
static void put_root(writer *w)
{
    const plait_schema *table = w->done[0];
    put(w, "\"type\": \"object\", \"if\": {\"required\": [\"include\"]}, \"then\": {\"$ref\": ");
    put(w, "\"#/definitions/part-%s\"}, \"else\": {\"$ref\": \"#/definitions/%s\"}, \"properties\": {", w->id[0],
        w->id[0]);
    for (const plait_schema_key *k = table->keys; k->name; k++) {
        put(w, "%s\n  \"%s\": {\"description\": ", k == table->keys ? "" : ",", k->name);
        put_string(w, k->help);
        put(w, "}");
    }
    put(w, "}");
}

char *plait_schema_json(const plait_schema *table)
{
    static const char *const prefixes[] = {"", "part-"};
    writer w = {.prefix = ""};
    collect(&w, table, "", "");
    put(&w, "{\n\"$schema\": \"http://json-schema.org/draft-07/schema#\",\n\"title\": \"Plait scene\",\n");
    put_root(&w);
    put(&w,
        ",\n\"definitions\": {\n\"variable\": {\"type\": \"string\", \"pattern\": \"^\\\\$\\\\(" PLAIT_PATTERN_NAME
        "\\\\)$\"},\n\"name\": {\"type\": \"string\", \"pattern\": \"^" PLAIT_PATTERN_NAME
        "$|\\\\$\\\\(\", \"maxLength\": 63},\n\"text\": {\"type\": [\"string\", \"number\", \"boolean\"], \"pattern\": "
        "\"^[^\\\\r\\\\n]*$\"}");
    put_units(&w);
    for (int part = 0; part < 2; part++)
        for (int i = 0; i < w.tables; i++) {
            w.prefix = prefixes[part];
            put(&w, ",\n\"%s%s\": {", w.prefix, w.id[i]);
            put_table(&w, w.done[i], w.id[i]);
            put(&w, "}");
        }
    put(&w, "\n}\n}\n");
    return plait_text_take(&w.out);
}
