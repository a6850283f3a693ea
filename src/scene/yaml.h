// yaml.h: a YAML text as a tree whose every node knows where it stands, and messages that point there.
//
// A subset of YAML 1.1 as libyaml reads it: one document of maps, lists and scalars. Anchors, aliases and tags are
// refused, and so are keys that appear twice. Everything lives in an arena that the caller frees.
#ifndef PLAIT_SCENE_YAML_H
#define PLAIT_SCENE_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "plait/status.h"

struct plait_scene_array; // plait/scene.h

typedef struct plait_yaml_source {
    const char *name;   // how messages call it: a path, or "--set a.b=c"
    const char *folder; // relative file names in it are relative to this; "" is the working directory
    const char *text;   // what messages quote, ends with 0
    size_t size;
    int arrays; // that "@NAME" may stand for
    const struct plait_scene_array *array;
} plait_yaml_source;

typedef enum plait_yaml_kind { PLAIT_YAML_SCALAR, PLAIT_YAML_LIST, PLAIT_YAML_MAP } plait_yaml_kind;

typedef struct plait_yaml_node plait_yaml_node;
struct plait_yaml_node {
    plait_yaml_kind kind;
    bool quoted; // a scalar in quotes or a block: text, whatever it looks like
    char *text;  // of a scalar
    const plait_yaml_source *source;
    int line, column;                      // of its first character, from 1; columns count characters
    int width;                             // characters from there on that are underlined
    int count;                             // members of a list or map
    plait_yaml_node *first, *last;         // members
    plait_yaml_node *next;                 // in the same list or map
    plait_yaml_node *key;                  // of a map's member: the scalar before the colon
    const struct plait_scene_array *array; // a scalar that stands for these numbers
};

// The tree of a text; `text` is parsed, source->text is quoted (they may differ in what comes first on the line).
// NULL with *error. The source must live as long as the tree.
plait_yaml_node *plait_yaml_parse(plait_arena *arena, const plait_yaml_source *source, const char *text, size_t size,
                                  plait_error *error);

// Whole file, with a 0 behind it; malloc'ed. At most 256 MB. NULL with *error.
size_t plait_yaml_folder(const char *path); // so many bytes of it are the folder: "/" of "/a", none of "a"
char *plait_yaml_read_file(const char *path, size_t *size, plait_error *error);

bool plait_yaml_is_null(const plait_yaml_node *node);                          // nothing after the colon, or null
plait_yaml_node *plait_yaml_find(const plait_yaml_node *map, const char *key); // NULL: not there, or no map
plait_yaml_node *plait_yaml_item(const plait_yaml_node *list, int i);          // NULL: not there
const char *plait_yaml_what(const plait_yaml_node *node, char text[64]);       // "a list", "'abc'": for messages
// Puts value under key: replaces what is there, or appends. False without memory.
bool plait_yaml_put(plait_arena *arena, plait_yaml_node *map, const plait_yaml_node *key, plait_yaml_node *value);
void plait_yaml_remove(plait_yaml_node *map, const char *key);
// An empty map or a scalar that stands where `at` stands. NULL without memory.
plait_yaml_node *plait_yaml_new(plait_arena *arena, plait_yaml_kind kind, const char *text, const plait_yaml_node *at);
char *plait_yaml_copy_text(plait_arena *arena, const char *text, size_t length);

// The tree as text again; malloc'ed. NULL with *error.
char *plait_yaml_emit(const plait_yaml_node *root, plait_error *error);

// ---- messages (yaml_message.c) -----------------------------------------------------------------------------------

// "FILE:LINE:COLUMN: error: ...", the line, and a caret below it. Long lines and names are cut. Always returns false.
bool plait_yaml_fail(plait_error *error, const plait_yaml_node *at, const char *format, ...) PLAIT_PRINTF(3, 4);
bool plait_yaml_fail_at(plait_error *error, const plait_yaml_source *source, int line, int column, int width,
                        const char *format, ...) PLAIT_PRINTF(6, 7);

// The name most like text if one is alike enough, else NULL.
const char *plait_yaml_nearest(const char *text, int count, const char *const *names);
// "; did you mean 'x'?", or "; there are a, b and c" if none is near and all fit, else "". In `out`.
const char *plait_yaml_suggest(const char *text, int count, const char *const *names, char out[160]);

#endif
