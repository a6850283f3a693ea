// bench.h: what the benchmarks share: runs in child processes, and statistics over many of them.
//
// The parent never reads, makes or solves a problem itself: it would start OpenMP's threads, which do not survive a
// fork. So every run is a child's, a crash or a hang is a row of the table, and memory starts afresh each time.
#ifndef PLAIT_CLI_BENCH_H
#define PLAIT_CLI_BENCH_H

#include "cli.h"

int plait_bench_solvers(int argc, char **argv);
int plait_bench_table2(int argc, char **argv);
int plait_bench_scaling(int argc, char **argv);
int plait_bench_friction(int argc, char **argv);
int plait_bench_roofline(int argc, char **argv);
int plait_bench_cluster(int argc, char **argv);
int plait_bench_threads(int argc, char **argv);
int plait_bench_units(int argc, char **argv);
int plait_bench_local(int argc, char **argv);
int plait_bench_peers(int argc, char **argv);
int plait_bench_stability(int argc, char **argv);
int plait_bench_hairball(int argc, char **argv);

// ---- children (child.c) ------------------------------------------------------------------------------------------

typedef enum plait_child_end {
    PLAIT_CHILD_DONE,    // returned from its work
    PLAIT_CHILD_CRASHED, // a signal or an exit of its own
    PLAIT_CHILD_HUNG,    // silent for longer than allowed, and killed
    PLAIT_CHILD_STOPPED  // killed because of Ctrl-C
} plait_child_end;

// In the child: posts a record, of the size the parent expects, through this.
typedef struct plait_child {
    int pipe;
    size_t size;
} plait_child;
void plait_child_post(const plait_child *child, const void *record);
void plait_child_follow_parent(void); // in any child: dies when the parent does, where the system can do that

// Runs work(child, argument) in a child process. record (at most 4096 bytes) keeps the last post. The child is killed
// if it posts nothing in `first` seconds, or nothing more in `patience` seconds (INFINITY: no limit). These are processor
// seconds, of all its threads, and those that it sleeps: waiting for its turn on a busy machine counts for nothing.
// *signal is what ended a crashed child, 0 for an exit.
plait_child_end plait_child_run(void (*work)(const plait_child *child, void *argument), void *argument, void *record,
                                size_t size, double first, double patience, int *signal);

// ---- one solver on one problem (bench_run.c) ---------------------------------------------------------------------

typedef struct plait_bench_problem {
    char name[96];
    const char *path; // NULL: generated
    plait_fibre_options fibres;
} plait_bench_problem;

typedef struct plait_bench_config {
    char name[48];
    plait_solve_options options;
    int repeats; // at most; short solves are repeated, the quickest counts
} plait_bench_config;

typedef enum plait_bench_outcome {
    PLAIT_BENCH_SOLVED,
    PLAIT_BENCH_UNSOLVED,
    PLAIT_BENCH_CRASHED,
    PLAIT_BENCH_HUNG,
    PLAIT_BENCH_BAD, // bad input: message
    PLAIT_BENCH_STOPPED
} plait_bench_outcome;

typedef struct plait_bench_result {
    plait_bench_outcome outcome;
    int signal;
    plait_problem_info info;
    plait_report report; // its solver points nowhere: see below
    char solver[32];
    double seconds; // of the whole solve, assembly included: CPU time if there is one thread, else wall clock
    uint64_t hash;  // of the bits of r
    double memory;  // [bytes] the most that the process had, the making of the problem included
    char message[256];
} plait_bench_result;

plait_bench_result plait_bench_run(const plait_bench_problem *problem, const plait_bench_config *config);
// Looks at the problem only: outcome SOLVED with info filled in, or what went wrong.
plait_bench_result plait_bench_look(const plait_bench_problem *problem);

// "auto,gs,gs:mfb+enum" to configurations based on `base`; returns how many, or -1 with a message. NULL: all solvers.
int plait_bench_read_solvers(const char *text, const plait_solve_options *base, int repeats,
                             plait_bench_config **configs);

// Files and folders to problems, or a few small generated ones if there are no words; all looked at (bad ones are an
// error). Returns how many, or -1 with a message. *paths owns the names.
int plait_bench_read_problems(int words, char **word, plait_paths *paths, plait_bench_problem **problems);

// What a benchmark of solvers works on; lists are malloc'ed, or NULL.
typedef struct plait_bench_set {
    plait_bench_config *configs;
    plait_bench_problem *problems;
    plait_bench_result *results; // [config_count * problem_count]
    int config_count, problem_count;
    plait_paths paths;
} plait_bench_set;
// Solvers and problems from words, and room for results that are STOPPED so far. PLAIT_EXIT_OK, or another code with a
// message.
int plait_bench_set_read(const char *solvers, const plait_solve_options *base, int repeats, int words, char **word,
                         plait_bench_set *set);
int plait_bench_set_end(plait_bench_set *set, int code); // frees the lists; the exit code: Ctrl-C has its own

// A generated problem with about this many contacts and this nu. False with a message.
bool plait_bench_fibres(double contacts, double nu, bool heavy, double mu, uint64_t seed, plait_bench_problem *problem);

// All configurations on all problems: results[config * problems + problem]. Shows progress. Returns how many were run
// (fewer only after Ctrl-C; the rest are PLAIT_BENCH_STOPPED).
int plait_bench_run_all(const plait_bench_problem *problems, int problem_count, const plait_bench_config *configs,
                        int config_count, bool verbose, plait_bench_result *results);

// ---- simulations (bench_scene.c) ---------------------------------------------------------------------------------

enum { PLAIT_BENCH_SETTINGS = 12 };

// A named scene with some settings ("path.to.key=value") until `duration` or for `steps` steps, whichever is first.
typedef struct plait_bench_scene {
    const char *name;
    int settings;
    char setting[PLAIT_BENCH_SETTINGS][96];
    double duration; // [s]
    int steps;       // 0: no limit
    int threads;
    double max_seconds; // with one thread processor seconds, else of wall clock; INFINITY: no limit
} plait_bench_scene;

// Adds a setting.
void plait_bench_scene_set(plait_bench_scene *scene, const char *format, ...) PLAIT_PRINTF(2, 3);

// Which response to contacts, as benchmarks call it: "impulse", "linear" (about the unconstrained motion),
// "linear-start" (about the start of the step, as in Daviet et al. 2011), "adonis". NULL after the last.
const char *plait_bench_response_name(int i);
void plait_bench_scene_respond(plait_bench_scene *scene, int response);
// "linear,adonis" to indices; returns how many, or -1 with a message.
int plait_bench_read_responses(const char *text, int *response, int max);

typedef struct plait_bench_motion {
    plait_bench_outcome outcome; // SOLVED: came to the end; UNSOLVED: a step failed; HUNG: max_seconds were over
    double time;                 // [s] that was simulated
    int64_t steps;
    double contacts, newton; // means over steps, over steps with contacts
    int contacts_max, newton_max;
    double stretch_max, residual_max;
    double over_tolerance;           // part of steps whose residual was above the tolerance
    double seconds;                  // of wall clock, in steps
    double seconds_last;             // in the last step
    double memory_first, memory_max; // [bytes] the most until the end of the first step; of all
    int contacts_first;              // in the first step
    int fibres;
    char message[128]; // why a step failed
} plait_bench_motion;

plait_bench_motion plait_bench_scene_run(const plait_bench_scene *scene, plait_cli_progress *progress);
// The exit code if they were interrupted, or one could not be run (with a message); else PLAIT_EXIT_OK.
int plait_bench_motions_check(int count, const plait_bench_motion *motion);
// "ok", or why not.
const char *plait_bench_motion_text(const plait_bench_motion *motion);

// ---- runs that are kept (bench_keep.c) ----------------------------------------------------------------------------

typedef struct plait_bench_kept {
    double duration, speed, dt; // [s], [pi rad/s], [ms]
    char response[32];
    plait_bench_motion motion; // outcome, message, time, stretch_max, newton_max, seconds
} plait_bench_kept;
typedef struct plait_bench_keep plait_bench_keep;

plait_bench_keep *plait_bench_keep_open(const char *path); // NULL: it was told why not
const plait_bench_motion *plait_bench_keep_find(const plait_bench_keep *keep, const plait_bench_kept *like);
bool plait_bench_keep_add(plait_bench_keep *keep, const plait_bench_kept *one); // keep NULL: nothing happens
void plait_bench_keep_close(plait_bench_keep *keep);

// ---- statistics (bench_summary.c) --------------------------------------------------------------------------------

// "solved", "not solved", "signal 11", "hung"...
const char *plait_bench_outcome_text(const plait_bench_result *result);

// The columns of Daviet et al. 2011, Table 2, for one configuration.
typedef struct plait_bench_summary {
    int problems, solved;            // stopped ones are left out of everything
    double alt, fail, over;          // [%] of local calls, of local calls, of problems
    double iterations, milliseconds; // means over all problems
    double geometric;                // [ms] mean over the solved ones
    double worst;                    // largest residual
} plait_bench_summary;
plait_bench_summary plait_bench_summarise(const plait_bench_result *results, int count);
void plait_bench_json_summary(plait_json *json, const char *name, const plait_bench_summary *s);
void plait_bench_json_run(plait_json *json, const char *problem, const char *config, const plait_bench_result *r);
void plait_bench_json_options(plait_json *json, const char *benchmark, const plait_solve_options *o);

// The seeds of one kind of problem, side by side in `results`.
typedef struct plait_bench_row {
    int solved, ran;
    double median, worst, residual; // seconds of all that ran (unsolved ones count in full); the largest residual
    int contacts, dofs, iterations; // of the last that ran
    double nu;
} plait_bench_row;
plait_bench_row plait_bench_over_seeds(const plait_bench_result *results, int count);

double plait_bench_memory(void); // [bytes] the most that this process ever had

double plait_bench_mean_geometric(const double *values, int count); // of the finite ones; NAN if there are none

// Dolan and More's performance profiles from seconds[config * problems + problem], INFINITY where it was not solved.
typedef struct plait_profile {
    int configs, problems;
    double *ratio; // [configs * problems] over the best of all, sorted within a configuration
} plait_profile;
plait_profile plait_profile_new(const double *seconds, int configs, int problems);
double plait_profile_at(const plait_profile *profile, int config, double tau); // part of all problems, 0 to 1
void plait_profile_print(const plait_profile *profile, const char *const *names, FILE *file);
void plait_profile_json(const plait_profile *profile, const char *const *names, plait_json *json);
bool plait_profile_plot(const plait_profile *profile, const char *const *names, const char *title, const char *path);
void plait_profile_free(plait_profile *profile);

#endif
