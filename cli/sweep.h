// sweep.h: the parts of `plait sweep`.
//
// A sweep is a folder: sweep.yaml (as it was given), and for each run a folder 0000, 0001 ... as `plait run` makes them, with what the run printed (output.json, messages.txt) and, when it is over, outcome.txt: one
// line, the word of an outcome. A run without outcome.txt is still to be done; the sweep goes on where it was.
#ifndef PLAIT_CLI_SWEEP_H
#define PLAIT_CLI_SWEEP_H

#include "run.h"

int plait_cli_sweep(int argc, char **argv);
int plait_cli_sweep_collect(int argc, char **argv); // argv[0] is "collect"

typedef enum plait_outcome {
    PLAIT_OUTCOME_NONE, // not over, or not begun
    PLAIT_OUTCOME_FINISHED,
    PLAIT_OUTCOME_FAILED,  // a step that cannot be done
    PLAIT_OUTCOME_REFUSED, // bad input
    PLAIT_OUTCOME_CRASHED, // a signal that was not ours
    PLAIT_OUTCOME_COUNT
} plait_outcome;
const char *plait_outcome_word(plait_outcome outcome);

// FOLDER/0012; the caller frees it.
char *plait_sweep_run_folder(const char *folder, int run);
plait_outcome plait_sweep_outcome(const char *folder, int run);

// Runs those of first .. last that are not over, `workers` at a time. Returns the exit code.
typedef struct plait_sweep_job {
    const plait_sweep *sweep;
    const char *folder;
    int first, last, workers, threads;
} plait_sweep_job;
int plait_sweep_work(const plait_sweep_job *job);

// The scripts for clusters: text to `file`. path: of the sweep file.
void plait_sweep_slurm(FILE *file, const plait_sweep *sweep, const char *path, const char *folder);
void plait_sweep_snakefile(FILE *file, const plait_sweep *sweep, const char *path, const char *folder);

#endif
