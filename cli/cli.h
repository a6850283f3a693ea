// cli.h: what the subcommands of `plait` share: options, messages, tables, JSON, plots, Ctrl-C.
//
// Every subcommand is `int plait_cli_<name>(int argc, char **argv)` with argv[0] its own name; it returns the exit
// code: 0 done, 1 done but the answer is "no" (not converged, not equal), 2 bad input or usage, 130 stopped by Ctrl-C.
// Results go to stdout, words about them to stderr.
#ifndef PLAIT_CLI_H
#define PLAIT_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "plait/plait.h"

enum { PLAIT_EXIT_OK = 0, PLAIT_EXIT_NO = 1, PLAIT_EXIT_BAD = 2, PLAIT_EXIT_INTERRUPTED = 130 };

int plait_cli_solve(int argc, char **argv);
int plait_cli_info(int argc, char **argv);
int plait_cli_generate(int argc, char **argv);
int plait_cli_bench(int argc, char **argv);
int plait_cli_help(int argc, char **argv);
int plait_cli_manual(int argc, char **argv);
int plait_cli_completion(int argc, char **argv);
int plait_cli_schema(int argc, char **argv);

// The commands there are (help.c), ending with a NULL name.
typedef struct plait_cli_entry {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *summary;
} plait_cli_entry;
extern const plait_cli_entry plait_cli_commands[];
extern const plait_cli_entry plait_cli_benchmarks[]; // of `plait bench` (bench.c)

// Runs the entry called argv[0]; an unknown name gets a message with "did you mean" and PLAIT_EXIT_BAD.
// what: "command", "benchmark".
int plait_cli_dispatch(const plait_cli_entry *entries, const char *what, int argc, char **argv);
void plait_cli_print_overview(FILE *file);

// ---- options (args.c) --------------------------------------------------------------------------------------------

typedef enum plait_option_kind {
    PLAIT_OPTION_FLAG, // bool *
    PLAIT_OPTION_TEXT, // const char **: points into argv
    PLAIT_OPTION_INT,  // int *
    PLAIT_OPTION_REAL, // double *, finite
    PLAIT_OPTION_SEED  // uint64_t *
} plait_option_kind;

typedef struct plait_option {
    const char *name; // "--tol"
    char letter;      // 'o' for -o; 0: none
    plait_option_kind kind;
    void *value;          // holds the default on entry
    double min, max;      // of numbers, both allowed; min == max: any number
    const char *argument; // its name in the help, "T"; NULL for flags
    const char *help;     // lines are broken by the printer
} plait_option;

// A command's usage; its --help is printed from this, so that the two cannot differ.
typedef struct plait_command {
    const char *name;            // "solve", "bench solvers"
    const char *usage;           // what follows the name: "FILE... [options]"
    const char *summary;         // one line
    const char *details;         // paragraphs, "\n\n" between them; may be NULL
    const plait_option *options; // ends with a NULL name; -h and --help are added by itself
    int min_words, max_words;    // words that are not options; max_words < 0: any number
    // Lines "words after plait\twhat for"; a line without a tab is a heading.
    const char *examples;
    const plait_cli_entry *entries; // of a command with commands of its own; else NULL
} plait_command;

// Reads the options in argv[1..argc-1] and moves the other words, in order, to argv[1..]. "--" ends the options;
// "--name value", "--name=value", "-o value" and "-ovalue" are all understood. Returns how many words there are, or -1
// when the command is over (help was printed, or a message): then *exit_code is set.
int plait_cli_parse(const plait_command *command, int argc, char **argv, int *exit_code);

extern const plait_command plait_cli_overview; // `plait` itself (help.c)

// ---- what a command says of itself (usage.c) ----------------------------------------------------------------------
//
// Help, manual pages and completion all come from plait_command. A command makes its own when it is called, since
// defaults and values are its variables; so all three call it with --help and look at what it brings along.

typedef void (*plait_cli_sink)(const plait_command *command, void *data);
// Calls the command that `entry` is, as `entry->name --help`, and gives its plait_command to the sink.
void plait_cli_describe(const plait_cli_entry *entry, plait_cli_sink sink, void *data);
// What --help does: prints the help, or calls the sink of plait_cli_describe. Returns the exit code.
int plait_cli_show_usage(const plait_command *command);
void plait_cli_print_help(const plait_command *command, FILE *file);
// The next line of `examples`, or false after the last. meaning is NULL for a heading.
typedef struct plait_cli_example {
    char line[160], meaning[160];
    bool heading;
} plait_cli_example;
bool plait_cli_next_example(const char **at, plait_cli_example *example);

// Numbers as options spell them; false if the text is not entirely one such number.
bool plait_cli_read_real(const char *text, double *value);
bool plait_cli_read_int(const char *text, int *value);
// Comma-separated numbers, "0.3,1,2"; returns how many, or -1 with a message naming the option. At most max.
int plait_cli_read_reals(const char *option, const char *text, double min, double max_value, double *values, int max);

// "mfb" or "mfb+enum"; "auto", "gs"... Prints a message with "did you mean" and returns false if unknown.
bool plait_cli_read_local(const char *text, plait_local *local, bool *enum_failsafe);
bool plait_cli_read_solver(const char *text, plait_solver *solver);
const char *plait_cli_solver_list(void); // "auto (default), gs, spg..."

// The word nearest to text in a NULL-ended list, NULL if none is near.
const char *plait_cli_nearest(const char *text, const char *const *list);

// ---- messages and memory (message.c) --------------------------------------------------------------------------------

void plait_cli_message(const char *format, ...) PLAIT_PRINTF(1, 2); // "plait: ..." and a line end, on stderr
int plait_cli_fail(const char *format, ...) PLAIT_PRINTF(1, 2);     // the same; returns PLAIT_EXIT_BAD

void *plait_cli_alloc(size_t count, size_t size); // zeros; ends the program with a message if there is no memory
void *plait_cli_grow(void *old, size_t count, size_t size); // realloc, with the same policy

double plait_cli_wall(void); // [s] monotonic clock
double plait_cli_cpu(void);  // [s] of CPU time of this process

// Flushes a stream and tells whether everything was written (a full disk or a closed pipe is an error: message).
bool plait_cli_flush(FILE *file, const char *name);

// ---- paths (paths.c) ---------------------------------------------------------------------------------------------

const char *plait_cli_base_name(const char *path); // after the last '/'
bool plait_cli_is_folder(const char *path);
bool plait_cli_is_file(const char *path); // an ordinary one, no device or pipe
char *plait_cli_folder(const char *path); // that a file is in, "." if nothing is said; the caller frees it
bool plait_cli_same_place(const char *a, const char *b); // both are there, and are one file or folder
void plait_cli_write_quoted(FILE *f, const char *text);  // in quotes, as YAML has it

// `--set` may come often: its values are taken out of argv before the other options are read. A last "--set" without a
// value is left for the reader of options, which knows what to say. *override has room for `more` others and is to be
// freed. Returns the new argc.
int plait_cli_take_overrides(int argc, char **argv, int more, const char ***override, int *count);
// A scene file, or the name of a scene that is built in. NULL with *error.
plait_scene *plait_cli_load_scene(const char *word, int count, const char *const *override, plait_error *error);
// Whether `path` may be written: not there, or force. Prints the message if not.
bool plait_cli_may_write(const char *path, bool force);

// Problem files named by words: a file stands for itself (there or not), a folder for its *.hdf5, *.h5 and *.dat
// (packed by gzip: with .gz), sorted by name. False with a message if a folder cannot be read or has none.
typedef struct plait_paths {
    int count;
    char **path;
} plait_paths;
size_t plait_cli_plain_length(const char *name); // of the name without ".gz"
bool plait_cli_collect(int words, char **word, plait_paths *paths);
void plait_cli_free_paths(plait_paths *paths);

// ---- a program around the command line (program.c) ---------------------------------------------------------------

// All of `plait`. Its exit code.
int plait_cli_main(int argc, char **argv);

// What a program whose processes work together (mpi/main.c) asks of the command line.
typedef struct plait_cli_host {
    void (*leave)(int code);            // the program is about to end with this code, without returning from main
    void (*ran)(const char *folder);    // a run in this folder has ended: whoever took part can be told of
} plait_cli_host;
extern plait_cli_host plait_cli_around; // nothing by itself

// ---- crashes of HDF5 (guard.c) -----------------------------------------------------------------------------------

// The rest of the command runs in a child process; if HDF5 crashes there, the program ends with a message and
// PLAIT_EXIT_BAD instead of a signal. To be called before there are threads.
void plait_guard_begin(void);
// From now on the rest of a command runs in this process: it is known to others by its number.
void plait_guard_stay(void);
// To be called before HDF5 is used. After a damaged file HDF5 cannot close itself at exit and prints a page about it;
// every file that is written was closed before.
void plait_guard_exit(void);
// Does work(data) in a child process, for its own sake: whether HDF5 survives that. False with *error if not.
bool plait_guard_try(const char *path, void (*work)(void *data), void *data, plait_error *error);
// Which file is being read from now on, as a crash should tell; NULL: none, and a crash stays a crash.
void plait_guard_reading(const char *path);

// ---- tables (table.c) --------------------------------------------------------------------------------------------

// Text in aligned columns. A title starting with '<' makes its column left-aligned (the sign is not printed), others
// are right-aligned. Columns are as wide as their widest cell.
typedef struct plait_table plait_table;
plait_table *plait_table_new(const char *const *titles);                               // NULL-ended
void plait_table_cell(plait_table *table, const char *format, ...) PLAIT_PRINTF(2, 3); // next cell, row by row
void plait_table_rule(plait_table *table); // a line across, before the next row
void plait_table_print(const plait_table *table, FILE *file);
void plait_table_free(plait_table *table);
void plait_table_end(plait_table *table); // printed on stdout, then freed
void plait_cli_csv_cell(FILE *file, const char *text); // in quotes where it needs them; a line end becomes a blank

// A number with three significant digits and no exponent where a person would write none: "0.0123", "12.3", "4.5e-09",
// "-" for anything not finite. The text is in one of a few static buffers (valid for the next 15 calls).
const char *plait_cli_number(double value);
const char *plait_cli_residual(double value);  // two digits, always with an exponent: "3.1e-07"
const char *plait_cli_count(int64_t value);    // "1 234 567"
const char *plait_cli_seconds(double seconds); // "12.3 ms", "4.56 s", "2 min 03 s"

// ---- JSON (json.c) -----------------------------------------------------------------------------------------------

// Writes one JSON value as it goes. key is NULL inside arrays and for the outermost value. Numbers that are not finite
// become null; strings are escaped (bytes that are not UTF-8 become U+FFFD).
typedef struct plait_json {
    FILE *file;
    int depth;
    bool filled[16]; // whether the object or array at this depth has a member already
    bool flat[16];   // all on one line
} plait_json;
void plait_json_open(plait_json *json, FILE *file);
void plait_json_start(plait_json *json); // an object on stdout: open, and its first brace
void plait_json_begin(plait_json *json, const char *key, char bracket); // '{' or '['
void plait_json_begin_flat(plait_json *json, const char *key, char bracket);
void plait_json_end(plait_json *json, char bracket);                          // '}' or ']'
void plait_json_string(plait_json *json, const char *key, const char *value); // NULL gives null
void plait_json_real(plait_json *json, const char *key, double value);
void plait_json_int(plait_json *json, const char *key, int64_t value);
void plait_json_bool(plait_json *json, const char *key, bool value);

// ---- plots (plot.c) ----------------------------------------------------------------------------------------------

typedef struct plait_series {
    const char *name; // in the legend; "": not there
    int count;
    const double *x, *y; // points that are not finite (or <= 0 on a log axis) are left out
    bool steps;          // drawn as a staircase that is continuous from the right
    bool markers, dashed;
    const bool *hollow; // [count] markers drawn empty; NULL: none
    const double *base; // [count] what is between this and y is filled; NULL: a line
} plait_series;

typedef struct plait_plot {
    const char *title, *x_label, *y_label;
    bool log_x, log_y;
    double x_min, x_max, y_min, y_max; // min == max: from the data
    int count;
    const plait_series *series;
} plait_plot;

// Writes an SVG, or a PNG through rsvg-convert if the name ends in .png; a temporary file, then renamed.
// Returns false with a message on stderr.
bool plait_cli_plot(const char *path, const plait_plot *plot);
// Several on one sheet, row by row.
bool plait_cli_plot_sheet(const char *path, int count, const plait_plot *plots, int columns);

// ---- Ctrl-C and progress (progress.c) ----------------------------------------------------------------------------

void plait_cli_catch_interrupt(void); // SIGINT, SIGTERM and SIGHUP ask to stop; a second one ends the program
bool plait_cli_interrupted(void);
bool plait_cli_stop(void *data); // the same, for the library
// work(data), which the library cannot interrupt. If a signal comes and it does not end soon, leave(data) is called from another thread,
// to say what there is to say, and the program ends.
void plait_cli_patiently(void (*work)(void *data), void (*leave)(void *data), void *data);
// Ends the program after a solve was stopped: a factorisation may still be under way in a thread of the library, and what runs at a usual
// exit would take its libraries away from it.
_Noreturn void plait_cli_leave(int code);
int plait_cli_interrupt_exit(void); // 130 after Ctrl-C (128 + the signal), 0 if there was none

// Shows how a solve is going, on a terminal only (or always if verbose: then one line per report).
typedef struct plait_cli_progress {
    const char *label;
    bool terminal, verbose;
    double last; // when something was shown [s]
    bool shown;
} plait_cli_progress;
plait_cli_progress plait_cli_progress_start(const char *label, bool verbose);
bool plait_cli_progress_step(const plait_progress *progress, void *data); // any thread; false: stop
void plait_cli_progress_note(plait_cli_progress *progress, const char *format, ...) PLAIT_PRINTF(2, 3);
void plait_cli_progress_clear(plait_cli_progress *progress);

#endif
