// named.h: the scenes of the folder scenes/, as cmake/embed.cmake puts them into a C file.
#ifndef PLAIT_SCENE_NAMED_H
#define PLAIT_SCENE_NAMED_H

#include <stddef.h>

typedef struct plait_named_scene {
    const char *name;          // NULL after the last
    const unsigned char *text; // ends with 0
    size_t size;               // without it
} plait_named_scene;

extern const plait_named_scene plait_named_scenes[]; // sorted by name, numbers in it by value

#endif
