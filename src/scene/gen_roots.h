// gen_roots.h: evenly scattered places on a collider.
#ifndef PLAIT_SCENE_GEN_ROOTS_H
#define PLAIT_SCENE_GEN_ROOTS_H

#include "scene/gen_common.h"
#include "scene/gen_field.h"

typedef struct plait_gen_root {
    double x[3], normal[3]; // on the surface, in the world
} plait_gen_root;

// The collider is there, and something can grow on it.
plait_status plait_gen_check_region(const char *generator, const plait_scene *scene, int collider,
                                    const plait_gen_region *region, plait_error *error);

// `count` roots in the region, each as far as possible from those before it. area: [m^2] of the region.
plait_status plait_gen_roots(const char *generator, const plait_scene *scene, const plait_gen_field *field,
                             int collider, const plait_gen_region *region, int count, uint64_t seed,
                             plait_gen_root *root, double *area, plait_error *error);

plait_gen_region plait_gen_default_region(void);

#endif
