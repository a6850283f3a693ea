// scene_compose.h: what a scene file is put together from: files that it includes, and variables.
//
// `include: base.yaml` (or a list) merges other files below this one: maps are merged key by key, anything else that
// this file says replaces what they say. Included files may include others; a circle is refused. Every node stays what
// it was: it knows its own file, line and column, and file names in it are relative to its own file.
//
// `variables: {n: 40}` names values; $(n) stands for them anywhere else, alone (then for any value) or within a text.
// $$( is a plain $(. Both are gone from the tree that the tables read and that is written as the run's scene.yaml.
#ifndef PLAIT_SCENE_COMPOSE_H
#define PLAIT_SCENE_COMPOSE_H

#include "scene/schema.h"

// Merges what `root` includes into it and removes the key `include`. False with *error.
bool plait_compose_files(plait_schema_reader *reader, plait_yaml_node *root);

// Whether a path of --set or of `small` names a variable: "variables.n".
bool plait_compose_is_variable(const char *path);
// Gives the variable that `path` names another value; one that is not there is refused. set = false: only looks.
bool plait_compose_set(plait_schema_reader *reader, plait_yaml_node *root, const plait_yaml_node *path,
                       const plait_yaml_node *value, bool set);

// Puts values for $(name) everywhere below `node`, which may be the root or any other tree.
bool plait_compose_substitute(plait_schema_reader *reader, plait_yaml_node *root, plait_yaml_node *node);

#endif
