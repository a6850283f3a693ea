// run.h: the commands about simulations, and the parts of `plait run`.
//
// A run is a folder: scene.yaml (the scene as it is run), trajectory.h5 and .xdmf, stats.csv, run.log, checkpoint.h5;
// problems/ and failure/ where they are asked for or needed. At any moment checkpoint.h5 says how much of the other
// files is certain; to resume is to cut them there and to go on from its state.
#ifndef PLAIT_CLI_RUN_H
#define PLAIT_CLI_RUN_H

#include "cli.h"

int plait_cli_run(int argc, char **argv);
int plait_cli_stats(int argc, char **argv);

// ---- the folder (run_folder.c) -----------------------------------------------------------------------------------

// FOLDER/name; the caller frees it.
char *plait_run_path(const char *folder, const char *name);
bool plait_run_exists(const char *folder, const char *name);
// Whether there is a run, or a part of one.
bool plait_run_is_there(const char *folder);
// Deletes the files of a run, and nothing else.
void plait_run_remove(const char *folder);
void plait_run_remove_results(const char *folder); // all but the scene
void plait_run_forget(const char *folder);         // it cannot be resumed from a checkpoint any more
void plait_run_remove_failure(const char *folder);
void plait_run_remove_halves(const char *folder); // problems that a killed run had begun to write; the run must be locked
bool plait_run_make_folder(const char *folder); // and those above it; a message if that fails
// Text to a file: under another name, then renamed. A message if that fails.
bool plait_run_write_text(const char *folder, const char *name, const char *text);
// The text of a file; the caller frees it. NULL if it cannot be read.
char *plait_run_read_text(const char *folder, const char *name);

// ---- statistics (stats.c, run_stats.c) ---------------------------------------------------------------------------

enum { PLAIT_RUN_LEDGER = 11 };
extern const char *const plait_run_ledger_title[PLAIT_RUN_LEDGER]; // columns of stats.csv

// What stats.csv says of a run. Means are over all steps; of iterations over those with contacts.
typedef struct plait_run_summary {
    int64_t steps, steps_with_contacts, over_tolerance, rejections, failures;
    double contacts, iterations; // means
    double newton;               // mean number of linearisations of a contact's response
    int newton_max;
    double sticking, sliding;       // contacts, means
    double creep_max, creep_last;   // [m/s]
    int64_t eigenvalues, unstable;     // steps with eigenvalues, of these with one below zero
    double lowest_least, lowest_last;  // [1/s^2]
    double overlap_max; // of a diameter
    double balance_max; // momentum out of balance, relative: of the worst step
    double stretch_max, memory_max; // [bytes]; 0: not known
    int contacts_max;
    double nu_max, residual_max;
    double bonds_max, ties_max, area_max, stored_max; // of bonds; area [m^2], energy [J]
    double debonded;                                  // [J] of all steps
    double ledger[PLAIT_RUN_LEDGER];                  // [J] sums over all steps, plait_run_ledger_title says of what
    double ledger_error;                              // the largest, relative to what changes hands in a step
    double simulated;                         // [s] sum of all time steps
    double seconds, stage[PLAIT_STAGE_COUNT]; // of wall clock, all steps together
    double cpu;                               // [s] of processors; 0: files of earlier versions do not tell
} plait_run_summary;

void plait_run_write_header(FILE *file);
void plait_run_write_row(FILE *file, const plait_sim_report *report, double seconds);
// Reads a stats.csv; false with *error set.
bool plait_run_summarise(const char *path, plait_run_summary *summary, plait_error *error);
// Cuts a line of CSV at its commas, in place; quotes are taken off. Returns how many cells there are, at most `most`.
int plait_csv_split(char *line, char **cell, int most);
// Numbers of some columns, by their titles, for every row: value[c * rows + i], NAN where a cell is empty; the caller
// frees them. A row that is being written is left out. NULL with *error set.
double *plait_run_read_columns(const char *path, int count, const char *const *titles, int *rows, plait_error *error);
// run_ranks.c: what ranks.csv says, if plait-mpi has left one.
void plait_run_print_ranks(const char *folder, const char *name);
void plait_run_summary_json(plait_json *json, const plait_run_summary *summary);

// ---- progress (run_progress.c) -----------------------------------------------------------------------------------

typedef struct plait_run_progress {
    plait_cli_progress line;
    const char *name;
    double time, begin, end; // [s] simulated
    double first;     // where it began or was resumed
    double started;   // [s] of wall clock
    double shown;     // when something was shown
    double frame_time; // [s] simulated
} plait_run_progress;
plait_run_progress plait_run_progress_start(const char *name, double time, double end, const plait_output *output);
// A line for programs that watch many runs: frame, share, seconds per frame and left.
void plait_run_progress_farm(const plait_run_progress *progress, int64_t frame);
void plait_run_progress_show(plait_run_progress *progress, const plait_sim_report *report);
// For plait_solve_options: tells of contact problems that take long. Never asks to stop: a step is done or not begun.
bool plait_run_progress_solve(const plait_progress *solve, void *progress);

// ---- the run (run_output.c, run_loop.c) --------------------------------------------------------------------------

typedef struct plait_run {
    const char *folder;
    plait_scene *scene;
    plait_sim *sim;
    plait_review review; // what 'plait check' would say
    int dump_every; // 0: no problems are written
    bool farm;      // a line for every frame
    plait_trajectory_options stored;
    // files
    plait_trajectory_writer *trajectory;
    plait_trajectory_info *info;
    plait_trajectory_frame *frame;
    FILE *stats, *log;
    FILE *series; // NULL: nothing is measured
    // where it stands
    int64_t next_frame;
    double end;            // [s] of simulated time
    double seconds_before; // [s] of wall clock before it was resumed
    double started, checkpointed, flushed;
    plait_run_progress progress;
    plait_error error; // what went wrong with a file
} plait_run;

// Takes the folder for this process; false with a message if another is running in it.
bool plait_run_lock(plait_run *run);
// Opens all files at the beginning of a run, or where a checkpoint says. False: run->error says why.
bool plait_run_begin(plait_run *run);
bool plait_run_continue(plait_run *run, const plait_checkpoint *checkpoint);
void plait_run_close(plait_run *run);

// run_measure.c: measure.csv, a row per step of what the scene measures, and measure.h5 with the same numbers. open: new, or
// cut behind the row of a step. Nothing to do if nothing is measured.
bool plait_run_open_series(plait_run *run, int64_t step);
void plait_run_write_series(plait_run *run, const plait_sim_report *report);
bool plait_run_settle_series(plait_run *run); // both reach the disk

void plait_run_note(plait_run *run, const char *format, ...) PLAIT_PRINTF(2, 3); // a line in run.log
bool plait_run_add_frame(plait_run *run);
bool plait_run_dump_problem(plait_run *run, const plait_sim_report *report);
bool plait_run_checkpoint(plait_run *run);
bool plait_run_write_failure(plait_run *run, const plait_sim_report *report);

// Strands that a run's scene took long to lay, beside its checkpoint. _read: an empty store if there are none; NULL with a
// message. _write: nothing if there are none; false with a message.
plait_grooms *plait_run_read_grooms(const char *folder);
bool plait_run_write_grooms(const char *folder, const plait_grooms *grooms);

double plait_run_seconds(const plait_run *run); // of wall clock, all resumed parts together

typedef enum plait_run_end { PLAIT_RUN_FINISHED, PLAIT_RUN_STOPPED, PLAIT_RUN_FAILED, PLAIT_RUN_TROUBLE } plait_run_end;
// Everything comes to rest before the start, if the scene says so. False: run->error, or a signal.
bool plait_run_settle(plait_run *run);
// What --draft changes in a scene, but for what --set has said: overrides as plait_scene_read has them. Returns how many.
int plait_run_draft(const plait_scene *scene, int said, const char *const *said_what, char (*text)[96],
                    const char **override);

// Steps until the end, a signal, a step that fails or a file that cannot be written. The last checkpoint is written.
plait_run_end plait_run_steps(plait_run *run, plait_sim_report *last);

// A multiple of the time between frames if the duration is one, up to rounding; so that a run which is continued with a
// longer duration goes through the same times as if it had been begun so.
double plait_run_end_time(const plait_output *output);
// Its number: frames stand at whole multiples of their time.
int64_t plait_run_first_frame(const plait_output *output);

#endif
