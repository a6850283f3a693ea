// schema.h: tables of the keys that a scene file may have, and what is done with them: reading a map into a struct,
// setting one value by its path, printing the reference.
//
// A table describes a struct: every key has a place in it, a type, a unit and a range. A struct starts with its
// defaults and keeps them where the file says nothing; the reference prints these very defaults.
#ifndef PLAIT_SCENE_SCHEMA_H
#define PLAIT_SCENE_SCHEMA_H

#include <stdint.h>

#include "scene/units.h"
#include "scene/yaml.h"

typedef enum plait_schema_type {
    PLAIT_KEY_REAL,     // double
    PLAIT_KEY_PAIR,     // double[2]: one number (the second stays) or two
    PLAIT_KEY_VECTOR,   // double[3]
    PLAIT_KEY_POINTS,   // plait_schema_points: a list of vectors
    PLAIT_KEY_NUMBERS,  // plait_schema_points: a list of numbers
    PLAIT_KEY_INT,      // int
    PLAIT_KEY_SEED,     // uint64_t
    PLAIT_KEY_BOOL,     // bool
    PLAIT_KEY_TEXT,     // const char *: one line
    PLAIT_KEY_FILE,     // const char *: a path, made absolute in the tree too
    PLAIT_KEY_FILES,    // plait_schema_list of paths: item.name
    PLAIT_KEY_CHOICE,   // int (an enum), the index of the word
    PLAIT_KEY_MATERIAL, // int: index of the material with this name
    PLAIT_KEY_COLLIDER, // int: index of the collider with this name
    PLAIT_KEY_FRICTION, // plait_schema_list of plait_schema_friction: [[a, b, number] ...]
    PLAIT_KEY_MAP,      // a struct here, by its table
    PLAIT_KEY_OPTIONAL, // pointer to a struct; NULL if the key is not there
    PLAIT_KEY_LIST,     // plait_schema_list of structs
    PLAIT_KEY_NAMED,    // the same with names: a map name: {...}; or a list of maps, if the table has the key `name`
    PLAIT_KEY_OVERRIDES, // nothing: a map of paths and values, used before anything is read
    PLAIT_KEY_INCLUDE,   // nothing: files that are merged into the tree before that (scene_compose.c)
    PLAIT_KEY_VARIABLES  // nothing: values that stand for $(name), in the tree already (scene_compose.c)
} plait_schema_type;

typedef struct plait_schema plait_schema;

typedef struct plait_schema_key {
    const char *name;
    plait_schema_type type;
    plait_unit unit;
    size_t offset;
    double min, max;            // of numbers, in SI, both allowed; equal: any finite number
    const plait_schema *table;  // MAP, OPTIONAL, LIST, NAMED
    const char *(*choice)(int); // CHOICE: the words; NULL after the last
    bool required;
    const char *fallback; // the default in words, where the value in the struct does not say it
    const char *brief;    // OPTIONAL: one value instead of the map stands for this key of it
    const char *help;
} plait_schema_key;

// A row of a table: what is not said is zero. At least one of the words below comes last.
#define PLAIT_KEY(type_, name_, struct_, field_, unit_, help_, ...)                                                    \
    {                                                                                                                  \
        .name = name_, .type = PLAIT_KEY_##type_, .unit = PLAIT_UNIT_##unit_, .offset = offsetof(struct_, field_),     \
        .help = help_, __VA_ARGS__                                                                                     \
    }
#define PLAIT_ANY .required = false
#define PLAIT_REQUIRED .required = true
#define PLAIT_RANGE(min_, max_) .min = min_, .max = max_
#define PLAIT_AT_LEAST(min_) .min = min_, .max = 1e308
#define PLAIT_WORDS(choice_) .choice = choice_
#define PLAIT_TABLE(table_) .table = &table_
#define PLAIT_DEFAULT(words_) .fallback = words_
#define PLAIT_BRIEF(key_) .brief = key_
#define PLAIT_KEYS_END                                                                                                 \
    {                                                                                                                  \
        .name = NULL                                                                                                   \
    }

struct plait_schema {
    const char *name;             // of its section in the reference; NULL: it has none (a part of its parent's)
    const char *help;             // one or more sentences
    const plait_schema_key *keys; // ends with a NULL name
    size_t size;                  // of the struct
    void (*init)(void *defaults);
};

typedef struct plait_schema_item {
    plait_yaml_node *node;
    const char *name; // NULL: it has none
    void *value;
} plait_schema_item;
typedef struct plait_schema_list {
    int count;
    plait_schema_item *item;
} plait_schema_list;
typedef struct plait_schema_points {
    int count;
    double *x; // [3 count]; of NUMBERS [count]
} plait_schema_points;
typedef struct plait_schema_friction {
    int a, b;
    double value;
} plait_schema_friction;

typedef struct plait_schema_names {
    int count;
    const char **name;
} plait_schema_names;

typedef struct plait_schema_reader {
    plait_arena *arena; // holds everything that is read
    plait_error *error;
    plait_schema_names materials, colliders; // in the order of the file
} plait_schema_reader;

// Fills `out` (with the defaults in it) from a map; null stands for an empty one. False with *error.
bool plait_schema_read(plait_schema_reader *reader, const plait_schema *table, plait_yaml_node *map, void *out);

// Names of a NAMED list or map; entries without a name get NULL. Refuses bad names and those that appear twice.
bool plait_schema_collect_names(plait_schema_reader *reader, const plait_yaml_node *parent, const char *key,
                                plait_schema_names *names);

bool plait_schema_good_name(const char *name); // letters, digits, _ and -, beginning with a letter or _; not too long
const plait_schema_key *plait_schema_find(const plait_schema *table, const char *name, size_t length);
// "; did you mean ...?" for a key that is not in the table.
const char *plait_schema_suggest(const plait_schema *table, const char *name, char out[160]);

// Turns one value that stands for a map (plait_schema_key.brief) into this map, in the tree. False without memory.
bool plait_schema_spell_out(plait_schema_reader *reader, const plait_schema_key *key, plait_yaml_node *node);

// Sets what `path` (a scalar: "fibres.hair.segments") names to `value`. set = false: only looks whether it could.
bool plait_schema_set(plait_schema_reader *reader, const plait_schema *table, plait_yaml_node *root,
                      const plait_yaml_node *path, plait_yaml_node *value, bool set);

// All keys of a table and those below it as Markdown; malloc'ed. NULL without memory.
char *plait_schema_print(const plait_schema *table);

// The same as a JSON schema (draft 7), which editors use to complete and to check (schema_json.c); malloc'ed.
char *plait_schema_json(const plait_schema *table);

#endif
