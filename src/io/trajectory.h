// trajectory.h: what the parts of the trajectory format share; docs/formats.md describes the files.
#ifndef PLAIT_IO_TRAJECTORY_H
#define PLAIT_IO_TRAJECTORY_H

#include "io/trajectory_h5.h"
#include "plait/trajectory.h"

#define PLAIT_TRAJECTORY_FORMAT "plait trajectory 1"

// How many frames a file has that is open.
bool plait_trajectory_count(plait_h5 *h, int *frames);
// Opens a trajectory for reading; a message says what is to be done with one that was left in the middle of a frame.
bool plait_trajectory_access(plait_h5 *h, const char *path, plait_error *error);

#endif
