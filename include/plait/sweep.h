// sweep.h: one scene, many runs: which values of which keys each of them has.
//
// A sweep file names a scene, the keys that change (paths as in `plait run --set`) and how values are chosen:
//
//     grid     every combination of the values of all keys; the last key changes fastest
//     list     the runs are written out
//     random   `count` runs, each value drawn by itself
//     latin    Latin hypercube: the range of each key is cut into `count` equal parts and each part is used once
//
// The same file and seed give the same runs everywhere.
#ifndef PLAIT_SWEEP_H
#define PLAIT_SWEEP_H

#include <stdbool.h>

#include "plait/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum plait_sweep_design {
    PLAIT_SWEEP_GRID,
    PLAIT_SWEEP_LIST,
    PLAIT_SWEEP_RANDOM,
    PLAIT_SWEEP_LATIN
} plait_sweep_design;

typedef struct plait_sweep {
    char *scene;   // a path, relative to the working directory if the sweep's own path is; or a name
    bool built_in; // it is a name out of plait_scene_name
    plait_sweep_design design;
    int keys, runs;
    char **key;   // [keys] paths, as in --set
    char **value; // [runs * keys] of run i: value[i * keys + k]; "": this run does not say it
    char *text;   // the file
} plait_sweep;

// Reads a sweep file. check: tries every run's values on the scene's keys, without building it. On a mistake returns
// NULL with file, line and what was expected in error->text.
PLAIT_API plait_sweep *plait_sweep_read(const char *path, bool check, plait_error *error);
PLAIT_API void plait_sweep_free(plait_sweep *sweep); // NULL is fine

#ifdef __cplusplus
}
#endif
#endif
