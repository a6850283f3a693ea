// trajectory_info.h: what a trajectory made up says of its fibres.
#ifndef PLAIT_TEST_TRAJECTORY_INFO_H
#define PLAIT_TEST_TRAJECTORY_INFO_H

#include "plait/trajectory.h"

// first [fibres + 1], the other lists of fibres [fibres]; names of groups and materials. Nothing is copied.
static inline plait_trajectory_info trajectory_of_fibres(int fibres, int *first, double *radius, int *group, int *material,
                                                         int groups, char (*group_name)[PLAIT_NAME], int materials,
                                                         char (*material_name)[PLAIT_NAME])
{
    plait_trajectory_info info = {.name = "sample", .frame_time = 0.04, .fibres = fibres, .nodes = first[fibres]};
    info.first = first, info.radius = radius, info.group = group, info.material = material;
    info.groups = groups, info.group_name = group_name;
    info.materials = materials, info.material_name = material_name;
    return info;
}

#endif
