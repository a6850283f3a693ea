// trajectory_h5.h: datasets of trajectories: tables of numbers with rows and columns, packed where that pays; lists of
// names; texts of any length. Beyond that, h5.h.
#ifndef PLAIT_IO_TRAJECTORY_H5_H
#define PLAIT_IO_TRAJECTORY_H5_H

#include "io/h5.h"
#include "plait/scene.h"

// rows x cols (cols = 1: a list). NaN, infinity, and what 4 bytes cannot hold, are refused. doubles: 8 bytes, else 4.
bool plait_h5_write_table(plait_h5 *h, const char *name, int64_t rows, int cols, bool doubles, const double *value);
bool plait_h5_write_int_table(plait_h5 *h, const char *name, int64_t rows, int cols, const int *value);
bool plait_h5_write_long(plait_h5 *h, const char *name, int64_t value);
bool plait_h5_write_names(plait_h5 *h, const char *name, int count, char (*value)[PLAIT_NAME]);

// Into an array of `count` that the caller has. Refuses another number than that, NaN and infinity.
bool plait_h5_fill_reals(plait_h5 *h, const char *name, int64_t count, double *value);
bool plait_h5_read_real(plait_h5 *h, const char *name, double *value);
bool plait_h5_read_long(plait_h5 *h, const char *name, int64_t low, int64_t *value);
bool plait_h5_read_names(plait_h5 *h, const char *name, int count, char (**value)[PLAIT_NAME]); // the caller frees
bool plait_h5_read_long_text(plait_h5 *h, const char *name, char **text);                       // the caller frees

// "/a/b/000012/c": puts parts of a name together; part may be NULL. Names are short: the buffer is large enough.
typedef struct plait_h5_name {
    char text[96];
} plait_h5_name;
plait_h5_name plait_h5_member(const char *group, int64_t number, const char *part);

#endif
