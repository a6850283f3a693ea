// scene.h: what the parts of the scene reader know of a scene beyond the public header.
#ifndef PLAIT_SCENE_SCENE_H
#define PLAIT_SCENE_SCENE_H

#include "plait/curves.h"
#include "plait/scene.h"

enum { PLAIT_DT_PARTS = 256 }; // the smallest time step, unless given, is dt over this

bool plait_soft_copy(const plait_soft *from, plait_soft *to); // false without memory
plait_status plait_adhesion_check(const plait_adhesion *adhesion, plait_error *error); // sizes, finite
plait_status plait_scene_check_periodic(const plait_scene *scene, plait_error *error); // what repeats itself, if any
void plait_scene_defaults(plait_scene *scene); // what plait_scene_new makes, in place

// Materials that have a name (presets.c): 0 is none; NULL after the last. _value: a key's number in a preset, [2] for
// radius; false: the preset does not say.
const char *plait_preset_word(int preset);
bool plait_preset_value(int preset, const char *key, double value[2]);

plait_groom plait_groom_default(void);
// All strands of a groom's file, in metres where the scene has them (not projected); points that coincide are left out.
plait_hair *plait_groom_read(const plait_groom *groom, plait_error *error);

#endif
