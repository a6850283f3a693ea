// solve.c: `plait solve`: one-step problems from files, a table or JSON out.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli.h"

typedef struct solve_options {
    const char *solver, *local, *warm, *output;
    plait_solve_options solve;
    bool json, force, verbose;
    bool output_folder;
} solve_options;

// What one file gave.
typedef struct solve_result {
    plait_problem_info info;
    plait_report report;
    double seconds_total; // with reading the file
} solve_result;

// ---- where solutions go ------------------------------------------------------------------------------------------

static bool ends_with_slash(const char *path)
{
    return *path && path[strlen(path) - 1] == '/';
}

// `place`, or if this is a folder the solution in it: FOLDER/<input name>, which is HDF5 whatever was read. The caller
// frees it.
static char *solution_path(const char *place, bool folder, const char *input)
{
    const char *base = plait_cli_base_name(input);
    size_t size = strlen(place) + strlen(base) + 16;
    char *path = plait_cli_alloc(size, 1);
    if (!folder) {
        snprintf(path, size, "%s", place);
        return path;
    }
    snprintf(path, size, "%s%s%.*s", place, ends_with_slash(place) ? "" : "/", (int)plait_cli_plain_length(base), base);
    char *dot = strrchr(path, '.');
    if (dot && strcmp(dot, ".dat") == 0)
        strcpy(dot, ".hdf5");
    return path;
}

// Looks at every output before anything is solved, so that no work is lost.
static bool outputs_ready(solve_options *o, const plait_paths *inputs)
{
    if (!o->output)
        return true;
    o->output_folder = ends_with_slash(o->output) || plait_cli_is_folder(o->output);
    if (!o->output_folder && inputs->count > 1) {
        plait_cli_message("-o %s: one file cannot hold the solutions of %d problems; name a folder: '%s/'", o->output,
                          inputs->count, o->output);
        return false;
    }
    bool ready = true;
    char **outputs = plait_cli_alloc((size_t)inputs->count, sizeof *outputs);
    for (int i = 0; i < inputs->count && ready; i++) {
        outputs[i] = solution_path(o->output, o->output_folder, inputs->path[i]);
        ready = plait_cli_may_write(outputs[i], o->force);
        for (int j = 0; j < i && ready; j++) {
            if (strcmp(outputs[i], outputs[j]) == 0) {
                plait_cli_message("%s and %s would both be written to %s", inputs->path[j], inputs->path[i],
                                  outputs[i]);
                ready = false;
            }
        }
    }
    for (int i = 0; i < inputs->count; i++)
        free(outputs[i]);
    free(outputs);
    if (ready && o->output_folder && mkdir(o->output, 0777) != 0 && errno != EEXIST) {
        plait_cli_message("%s: cannot make the folder: %s", o->output, strerror(errno));
        ready = false;
    }
    return ready;
}

// ---- one file ----------------------------------------------------------------------------------------------------

static plait_status read_warm_start(const solve_options *o, const char *input, const plait_problem *p,
                                    plait_solution *s, plait_error *error)
{
    if (!o->warm)
        return PLAIT_OK;
    char *path = solution_path(o->warm, plait_cli_is_folder(o->warm), input);
    plait_guard_reading(path);
    plait_status status = plait_solution_read(path, p, s, error);
    plait_guard_reading(NULL);
    free(path);
    return status;
}

static plait_status write_solution(const solve_options *o, const char *input, const plait_problem *p,
                                   const plait_solution *s, const plait_problem_text *text, plait_error *error)
{
    if (!o->output || plait_cli_interrupted())
        return PLAIT_OK;
    char *path = solution_path(o->output, o->output_folder, input);
    plait_status status = plait_solution_write(path, p, s, text, error);
    free(path);
    return status;
}

// ---- what is said about it ---------------------------------------------------------------------------------------

static void add_row(plait_table *table, const char *path, const solve_result *x)
{
    const plait_report *r = &x->report;
    plait_table_cell(table, "%s", plait_cli_base_name(path));
    plait_table_cell(table, "%s", plait_cli_count(x->info.contacts));
    plait_table_cell(table, "%s", x->info.dofs > 0 ? plait_cli_number(x->info.nu) : "-");
    plait_table_cell(table, "%s", r->solver);
    plait_table_cell(table, "%s", r->converged ? "yes" : r->stopped ? "no, stopped" : "no");
    plait_table_cell(table, "%s", plait_cli_residual(r->certificate.residual_rel));
    plait_table_cell(table, "%s", plait_cli_residual(r->certificate.residual_fb_inf));
    plait_table_cell(table, "%s", plait_cli_count(r->iterations));
    plait_table_cell(table, "%s", plait_cli_number(r->seconds_solve));
    plait_table_cell(table, "%s", plait_cli_number(x->seconds_total));
}

static void add_json(plait_json *json, const char *path, const solve_result *x)
{
    const plait_report *r = &x->report;
    const plait_certificate *c = &r->certificate;
    plait_json_begin(json, NULL, '{');
    plait_json_string(json, "file", path);
    plait_json_int(json, "contacts", x->info.contacts);
    // Not known from W alone.
    if (x->info.dofs > 0)
        plait_json_int(json, "dofs", x->info.dofs);
    else
        plait_json_string(json, "dofs", NULL);
    plait_json_real(json, "nu", x->info.dofs > 0 ? x->info.nu : NAN);
    plait_json_string(json, "solver", r->solver);
    plait_json_bool(json, "converged", r->converged);
    plait_json_real(json, "residual_fb_inf", c->residual_fb_inf);
    plait_json_real(json, "residual_rel", c->residual_rel);
    plait_json_int(json, "iterations", r->iterations);
    plait_json_real(json, "seconds_solve", r->seconds_solve);
    plait_json_real(json, "seconds_total", x->seconds_total);
    plait_json_int(json, "local_fail", r->local_fail);
    plait_json_int(json, "local_alt", r->local_alt);
    plait_json_int(json, "local_calls", r->local_calls);
    plait_json_bool(json, "stopped", r->stopped);
    plait_json_real(json, "seconds_assemble", r->seconds_assemble);
    plait_json_int(json, "groups", r->groups);
    plait_json_int(json, "largest_group", r->largest_group);
    plait_json_int(json, "worst_contact", c->worst_contact);
    plait_json_real(json, "cone_violation", c->cone_violation);
    plait_json_real(json, "penetration", c->penetration);
    plait_json_real(json, "dissipation", c->dissipation);
    plait_json_real(json, "dynamics", c->dynamics);
    plait_json_real(json, "asymmetry", x->info.asymmetry);
    plait_json_end(json, '}');
}

// What the files gave so far.
typedef struct solve_session {
    const solve_options *options;
    const plait_paths *inputs;
    plait_table *table;
    plait_json json;
    int solved, done, bad;
    bool stopped;                 // one of them
    plait_cli_progress *progress; // of the file at hand
} solve_session;

// Tells all of it. False: standard output cannot be written.
static bool end_session(solve_session *x)
{
    const solve_options *o = x->options;
    if (o->json)
        plait_json_end(&x->json, ']');
    else if (x->done > 0)
        plait_table_print(x->table, stdout);
    if (!plait_cli_flush(stdout, "standard output"))
        return false;
    if (!o->json && x->done > 1)
        fprintf(stderr, "%d of %d solved to %g\n", x->solved, x->inputs->count, o->solve.tol);
    if (plait_cli_interrupted())
        plait_cli_message("stopped; what is above is the best so far%s",
                          o->output ? ", solutions of stopped problems were not written" : "");
    return true;
}

// ---- one file, from beginning to end -----------------------------------------------------------------------------

typedef struct reading {
    solve_session *session;
    const char *path;
    plait_problem_text *text;
    plait_problem_info *info;
    plait_error *error;
    plait_problem *problem;
} reading;

static void read_problem(void *data)
{
    reading *x = data;
    plait_guard_reading(x->path);
    x->problem = plait_problem_read(x->path, x->text, x->error);
    plait_guard_reading(NULL);
    if (x->problem && plait_problem_inspect(x->problem, x->info, x->error) != PLAIT_OK)
        plait_problem_free(x->problem), x->problem = NULL;
}

static void leave_reading(void *data)
{
    reading *x = data;
    plait_cli_progress_clear(x->session->progress);
    end_session(x->session);
}

// The answer is one for another problem than that of the file.
static void warn_asymmetry(const char *path, const solve_result *x, bool measured)
{
    double asymmetry = x->info.asymmetry, off = x->report.certificate.dynamics;
    if (measured)
        plait_cli_message(
            "warning: %s: M is not symmetric: max |M - M^T| is %.2g of its largest entry. The answer is for "
            "(M + M^T)/2, or the half that is there and its mirror image; with M as given it misses "
            "M v = f + H^T r by %.2g of |f| or |H^T r|",
            path, asymmetry, off);
    else
        plait_cli_message(
            "warning: %s: M is not symmetric: max |M - M^T| is %.2g of its largest entry. The answer is for "
            "(M + M^T)/2, or the half that is there and its mirror image",
            path, asymmetry);
}

// Reads, solves and writes one problem. On failure the message has been printed.
static bool solve_file(solve_session *session, const char *path, solve_result *result)
{
    const solve_options *o = session->options;
    memset(result, 0, sizeof *result);
    double start = plait_cli_wall();
    plait_error error = {0};
    plait_problem_text text;
    memset(&text, 0, sizeof text);
    plait_cli_progress progress = plait_cli_progress_start(plait_cli_base_name(path), o->verbose);
    plait_cli_progress_note(&progress, "%s: reading", progress.label);

    plait_solve_options options = o->solve;
    options.progress = plait_cli_progress_step;
    options.progress_data = &progress;
    options.stop = plait_cli_stop;
    plait_solution *s = NULL;
    session->progress = &progress;
    reading x = {session, path, &text, &result->info, &error, NULL};
    plait_cli_patiently(read_problem, leave_reading, &x);
    plait_problem *p = x.problem;
    bool ok = p != NULL;
    if (ok && !(s = plait_solution_new(p->n)))
        ok = plait_error_set(&error, PLAIT_NO_MEMORY, "%s: no memory for a solution", path) == PLAIT_OK;
    ok = ok && read_warm_start(o, path, p, s, &error) == PLAIT_OK;
    ok = ok && plait_problem_solve(p, &options, s, &result->report, &error) == PLAIT_OK;
    result->seconds_total = plait_cli_wall() - start;
    ok = ok && write_solution(o, path, p, s, &text, &error) == PLAIT_OK;
    plait_cli_progress_clear(&progress);
    if (ok && !isfinite(result->report.certificate.residual_rel))
        plait_cli_message("%s: the residual of what was found is not a number: it is no solution", path);
    // Some messages name the file already, some know nothing of it.
    if (!ok && strstr(error.text, path))
        plait_cli_message("%s", error.text);
    else if (!ok)
        plait_cli_message("%s: %s", path, error.text);
    if (p && *text.warning)
        plait_cli_message("warning: %s: %s", path, text.warning);
    if (ok && result->report.certificate.dynamics > o->solve.tol)
        warn_asymmetry(path, result, p->dynamics != NULL);
    plait_solution_free(s);
    plait_problem_free(p);
    return ok;
}

static int solve_files(const solve_options *o, const plait_paths *inputs)
{
    static const char *const titles[] = {"<problem", "contacts",   "nu",        "<solver",   "<converged", "residual",
                                         "FB max",   "iterations", "solve [s]", "total [s]", NULL};
    solve_session x = {.options = o, .inputs = inputs, .table = plait_table_new(titles)};
    plait_json_open(&x.json, stdout);
    if (o->json)
        plait_json_begin(&x.json, NULL, '[');
    for (int i = 0; i < inputs->count && !plait_cli_interrupted(); i++) {
        solve_result result;
        if (!solve_file(&x, inputs->path[i], &result)) {
            x.bad++;
            continue;
        }
        x.done++;
        x.solved += result.report.converged, x.stopped |= result.report.stopped;
        if (o->json)
            add_json(&x.json, inputs->path[i], &result);
        else
            add_row(x.table, inputs->path[i], &result);
    }
    bool told = end_session(&x);
    plait_table_free(x.table);
    if (!told)
        return PLAIT_EXIT_BAD;
    int code = plait_cli_interrupted() ? plait_cli_interrupt_exit()
               : x.bad                 ? PLAIT_EXIT_BAD
               : x.solved < x.done     ? PLAIT_EXIT_NO
                                       : PLAIT_EXIT_OK;
    if (x.stopped)
        plait_cli_leave(code);
    return code;
}

int plait_cli_solve(int argc, char **argv)
{
    solve_options o = {.solve = plait_default_solve_options()};
    o.solve.tol = 1e-6;
    o.solve.max_time = 60;
    const plait_option options[] = {
        {"--solver", 's', PLAIT_OPTION_TEXT, &o.solver, 0, 0, "NAME", plait_cli_solver_list()},
        {"--local", 0, PLAIT_OPTION_TEXT, &o.local, 0, 0, "NAME",
         "one-contact solver of gs: secular (default), mfb, pac, dac, enum, duriez06, duriez08, pyramid; 'mfb+enum' "
         "tries enum where mfb fails"},
        {"--tol", 't', PLAIT_OPTION_REAL, &o.solve.tol, 1e-16, 1, "T", "residual to reach (default 1e-6)"},
        {"--max-time", 0, PLAIT_OPTION_REAL, &o.solve.max_time, 0, 1e9, "S",
         "seconds for each file, of CPU with one thread (default 60; 0: no limit)"},
        {"--max-iterations", 0, PLAIT_OPTION_INT, &o.solve.max_iterations, 0, 2e9, "N",
         "iterations for each file (default 0: the solver's own limit)"},
        {"--threads", 'j', PLAIT_OPTION_INT, &o.solve.threads, 0, 1024, "N",
         "threads (default 0: as many as OpenMP gives); the result is the same"},
        {"--anderson", 0, PLAIT_OPTION_INT, &o.solve.anderson, -1, 100, "M",
         "window of Anderson acceleration (default -1: where it pays; 0: off)"},
        {"--smallest", 0, PLAIT_OPTION_FLAG, &o.solve.smallest, 0, 0, NULL,
         "of all impulses that do the same (there are many in stacks) the smallest ones"},
        {"--warm", 'w', PLAIT_OPTION_TEXT, &o.warm, 0, 0, "FILE",
         "start from the solution (or guess) in this file, or from the file of the same name in this folder"},
        {"--output", 'o', PLAIT_OPTION_TEXT, &o.output, 0, 0, "FILE|DIR/",
         "write problem and solution; a folder gets one file per problem"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &o.force, 0, 0, NULL, "write over files that exist"},
        {"--json", 0, PLAIT_OPTION_FLAG, &o.json, 0, 0, NULL, "a JSON array instead of a table"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &o.verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "solve",
        .usage = "FILE... [options]",
        .summary = "Solves one-step contact problems with exact Coulomb friction.",
        .details = "FILE is an fclib HDF5 problem (local: W, q, mu; or global: M, H, f, w, mu), a Siconos .dat text, "
                   "one of these packed by gzip, or a folder of such files. The residual is that of the problem as "
                   "given: the Fischer-Burmeister "
                   "function of Coulomb's law, per contact scaled by tr(W_ii)/3, its 2-norm over that of b. 'FB max' "
                   "is its largest entry unscaled, as in Daviet et al. 2011.\n\nExit code: 0 all converged, 1 some did "
                   "not, 2 bad input (the other files are solved), 130 Ctrl-C.",
        .options = options,
        .min_words = 1,
        .max_words = -1,
        .examples = "solve problem.hdf5\tsolve, check, say how it went\n"
                    "solve problems --solver gs --tol 1e-8\ta folder of files, with one solver\n"
                    "solve problem.hdf5 -o solved.hdf5\tkeep impulses and velocities\n"
                    "solve next.hdf5 --warm solved.hdf5 --json\tstart from an answer; for a script",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if ((o.solver && !plait_cli_read_solver(o.solver, &o.solve.solver)) ||
        (o.local && !plait_cli_read_local(o.local, &o.solve.local, &o.solve.enum_failsafe)))
        return PLAIT_EXIT_BAD;
    plait_paths inputs;
    if (!plait_cli_collect(words, argv + 1, &inputs))
        return PLAIT_EXIT_BAD;
    plait_guard_begin();
    plait_cli_catch_interrupt();
    code = outputs_ready(&o, &inputs) ? solve_files(&o, &inputs) : PLAIT_EXIT_BAD;
    plait_cli_free_paths(&inputs);
    return code;
}
