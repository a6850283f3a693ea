// schema_set.c: one value by its path, as --set and the variant `small` give it.
//
// A path goes through keys, and through lists by index or by name: step.dt, fibres.0.segments, fibres.hair.segments. It
// is held against the tables, so that a key that nobody knows is told at once, with what was probably meant. Maps on
// the way that the file does not have are made.
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/schema.h"

typedef struct walker {
    plait_schema_reader *reader;
    const plait_yaml_node *path;
    const char *at; // start of the present part
    size_t length;
    char part[64];
    bool set;
} walker;

// Where the present part stands; for messages, and for nodes that are made.
static plait_yaml_node place(const walker *w)
{
    plait_yaml_node n = *w->path;
    n.kind = PLAIT_YAML_SCALAR;
    n.key = n.next = NULL;
    n.column += (int)(w->at - w->path->text) + (w->path->quoted ? 1 : 0);
    n.width = w->length ? (int)w->length : 1;
    n.text = (char *)w->part;
    return n;
}

static bool take_part(walker *w)
{
    w->length = strcspn(w->at, ".");
    snprintf(w->part, sizeof w->part, "%.*s", (int)(w->length < 60 ? w->length : 60), w->at);
    plait_yaml_node here = place(w);
    if (w->length > 0 && w->length < 60)
        return true;
    return plait_yaml_fail(w->reader->error, &here, "expected a path like step.dt or fibres.0.segments, found '%.60s'",
                           w->path->text);
}

static bool next_part(walker *w)
{
    w->at += w->length + 1;
    return take_part(w);
}

static bool is_last(const walker *w)
{
    return w->at[w->length] == 0;
}

static bool no_memory(const walker *w)
{
    plait_error_set(w->reader->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

// The member of a list or of a map of names that the present part means.
static plait_yaml_node *find_member(const walker *w, const plait_schema_key *k, const plait_yaml_node *list)
{
    plait_yaml_node here = place(w);
    const char *names[64];
    char hint[160];
    int count = 0;
    if (!list || list->kind == PLAIT_YAML_SCALAR || list->count == 0) {
        plait_yaml_fail(w->reader->error, &here, "there is nothing in '%s'", k->name);
        return NULL;
    }
    if (isdigit((unsigned char)w->part[0])) {
        char *end;
        long i = strtol(w->part, &end, 10);
        if (*end == 0 && i < list->count)
            return plait_yaml_item(list, (int)i);
        plait_yaml_fail(w->reader->error, &here, "'%s' has entries 0 to %d, found '%s'", k->name, list->count - 1,
                        w->part);
        return NULL;
    }
    for (plait_yaml_node *n = list->first; n; n = n->next) {
        const plait_yaml_node *name = list->kind == PLAIT_YAML_MAP ? n->key : plait_yaml_find(n, "name");
        if (!name || name->kind != PLAIT_YAML_SCALAR)
            continue;
        if (strcmp(name->text, w->part) == 0)
            return n;
        if (count < 64)
            names[count++] = name->text;
    }
    plait_yaml_fail(w->reader->error, &here, "there is no '%s' in '%s'%s", w->part, k->name,
                    plait_yaml_suggest(w->part, count, names, hint));
    return NULL;
}

// A map's own place in the tree takes the new value; what it is called and what comes next stay.
static void replace(plait_yaml_node *old, const plait_yaml_node *value)
{
    plait_yaml_node *next = old->next, *key = old->key;
    *old = *value;
    old->next = next;
    old->key = key;
}

// The map under key k of `map`, made if it is not there.
static plait_yaml_node *enter_map(const walker *w, const plait_schema_key *k, plait_yaml_node *map)
{
    plait_yaml_node here = place(w), *child = plait_yaml_find(map, k->name);
    if (child && !plait_schema_spell_out(w->reader, k, child))
        return NULL;
    if (child && child->kind == PLAIT_YAML_MAP)
        return child;
    if (child && !plait_yaml_is_null(child)) {
        char what[64];
        plait_yaml_fail(w->reader->error, child, "expected a map of keys, found %s", plait_yaml_what(child, what));
        return NULL;
    }
    plait_yaml_node *made = plait_yaml_new(w->reader->arena, PLAIT_YAML_MAP, NULL, &here);
    if (!made || (w->set && !plait_yaml_put(w->reader->arena, map, &here, made))) {
        no_memory(w);
        return NULL;
    }
    return w->set ? plait_yaml_find(map, k->name) : made;
}

bool plait_schema_set(plait_schema_reader *reader, const plait_schema *table, plait_yaml_node *root,
                      const plait_yaml_node *path, plait_yaml_node *value, bool set)
{
    walker w = {.reader = reader, .path = path, .at = path->text, .set = set};
    plait_yaml_node *map = root;
    if (!take_part(&w))
        return false;
    while (true) {
        plait_yaml_node here = place(&w);
        char hint[160], what[64];
        const plait_schema_key *k = plait_schema_find(table, w.part, w.length);
        if (map->kind != PLAIT_YAML_MAP)
            return plait_yaml_fail(reader->error, map, "expected a map of keys, found %s", plait_yaml_what(map, what));
        if (!k)
            return plait_yaml_fail(reader->error, &here, "unknown key '%s'%s", w.part,
                                   plait_schema_suggest(table, w.part, hint));
        if (k->type == PLAIT_KEY_OVERRIDES)
            return plait_yaml_fail(reader->error, &here, "'%s' can only be set to true or false", k->name);
        if (k->type == PLAIT_KEY_INCLUDE || k->type == PLAIT_KEY_VARIABLES)
            return plait_yaml_fail(reader->error, &here, "'%s' cannot be set%s", k->name,
                                   k->type == PLAIT_KEY_VARIABLES ? ", but one of them: variables.name" : "");
        if (is_last(&w))
            return !set || plait_yaml_put(reader->arena, map, &here, value) || no_memory(&w);
        if (k->type == PLAIT_KEY_LIST || k->type == PLAIT_KEY_NAMED) {
            if (!next_part(&w))
                return false;
            map = find_member(&w, k, plait_yaml_find(map, k->name));
            if (!map)
                return false;
            if (is_last(&w)) {
                if (set)
                    replace(map, value);
                return true;
            }
            if (plait_yaml_is_null(map) && set) { // `name:` with nothing behind it is an empty map
                map->kind = PLAIT_YAML_MAP;
                map->text = NULL;
            }
            if (plait_yaml_is_null(map))
                return true;
        } else if (k->type == PLAIT_KEY_MAP || k->type == PLAIT_KEY_OPTIONAL) {
            map = enter_map(&w, k, map);
            if (!map)
                return false;
        } else {
            return plait_yaml_fail(reader->error, &here, "'%s' has no parts: it is set as a whole", k->name);
        }
        table = k->table;
        if (!next_part(&w))
            return false;
    }
}
