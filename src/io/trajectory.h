// trajectory.h: what the parts of the trajectory format share; docs/formats.md describes the files.
#ifndef PLAIT_IO_TRAJECTORY_H
#define PLAIT_IO_TRAJECTORY_H

#include "io/trajectory_h5.h"
#include "plait/trajectory.h"

#define PLAIT_TRAJECTORY_FORMAT "plait trajectory 1"

// Names of shapes in files. _find: PLAIT_SHAPE_MESH + 1 if it is unknown.
const char *plait_shape_name(plait_shape_kind kind);
plait_shape_kind plait_shape_find(const char *name);

// How many frames a file has that is open.
bool plait_trajectory_count(plait_h5 *h, int *frames);
// Opens a trajectory for reading; a message says what is to be done with one that was left in the middle of a frame.
bool plait_trajectory_access(plait_h5 *h, const char *path, plait_error *error);

#endif
