// grooms.h: what plait_gen_groom asks the store of this thread (plait/grooms.h).
#ifndef PLAIT_SCENE_GROOMS_H
#define PLAIT_SCENE_GROOMS_H

#include "plait/grooms.h"
#include "scene/gen_groom.h"

// What strands are laid with, besides the scene and themselves.
typedef struct plait_groom_task {
    const char *generator;
    const plait_gen_style *style;
    int count;
    const plait_gen_groom_options *options;
} plait_groom_task;

// The key of strands that are about to be laid. False: nobody keeps them, or a collider is a function of a program,
// which has no hash.
bool plait_grooms_key(const plait_scene *scene, const plait_groom_task *task, const plait_gen_strand *strand,
                      char key[PLAIT_GROOM_KEY]);
// Moves the nodes to where they were laid before. False: they have to be laid.
bool plait_grooms_take(const char *key, int count, plait_gen_strand *strand);
plait_status plait_grooms_keep(const char *key, int count, const plait_gen_strand *strand, plait_error *error);

#endif
