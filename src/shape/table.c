// table.c: the shapes that there are, in the order of plait_shape_kind.
#include <stddef.h>

#include "shape/type.h"

const plait_shape_type *const plait_shape_types[] = {
    &plait_shape_none,    &plait_shape_plane, &plait_shape_sphere,
    &plait_shape_capsule, &plait_shape_box,   &plait_shape_cylinder,
    &plait_shape_curve,   &plait_shape_mesh,  &plait_shape_field,
    NULL,
};
