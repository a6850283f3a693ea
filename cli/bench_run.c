// bench_run.c: one solver on one problem, in a child process.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

// Solves shorter than this are repeated until they have taken as long together [s].
static const double short_solve = 0.3;
// What a solver may take beyond its own limit before it counts as hung: a part of the limit, and [s].
static const double slack_part = 0.5, slack_seconds = 5;
// For reading or making a problem, after which comes the first post [s].
static const double patience_ready = 600;

typedef struct run_argument {
    const plait_bench_problem *problem;
    const plait_bench_config *config; // NULL: look only
} run_argument;

static plait_problem *get_problem(const plait_bench_problem *problem, plait_error *error)
{
    return problem->path ? plait_problem_read(problem->path, NULL, error)
                         : plait_problem_generate_fibres(&problem->fibres, error);
}

// FNV-1a over the bits: equal hashes mean equal answers to the last bit.
static uint64_t hash_bits(const double *x, size_t count)
{
    uint64_t h = 14695981039346656037u;
    const unsigned char *byte = (const unsigned char *)x;
    for (size_t i = 0; i < count * sizeof *x; i++)
        h = (h ^ byte[i]) * 1099511628211u;
    return h;
}

// Solves once from zero; keeps the quickest of the runs so far.
static plait_status solve_once(const plait_problem *p, const plait_solve_options *o, plait_solution *s,
                               plait_bench_result *result, plait_error *error)
{
    memset(s->r, 0, 3 * (size_t)s->n * sizeof *s->r);
    memset(s->u, 0, 3 * (size_t)s->n * sizeof *s->u);
    plait_report report;
    memset(&report, 0, sizeof report);
    double start = o->threads == 1 ? plait_cli_cpu() : plait_cli_wall();
    plait_status status = plait_problem_solve(p, o, s, &report, error);
    double seconds = (o->threads == 1 ? plait_cli_cpu() : plait_cli_wall()) - start;
    if (status != PLAIT_OK || seconds >= result->seconds)
        return status;
    result->seconds = seconds;
    result->report = report;
    result->hash = hash_bits(s->r, 3 * (size_t)s->n);
    snprintf(result->solver, sizeof result->solver, "%s", report.solver ? report.solver : "");
    result->outcome = report.converged ? PLAIT_BENCH_SOLVED : PLAIT_BENCH_UNSOLVED;
    return status;
}

static plait_status work_inside(const plait_child *child, const run_argument *a, plait_bench_result *result,
                                plait_error *error)
{
    if (a->config)
        plait_set_default_threads(a->config->options.threads);
    plait_problem *p = get_problem(a->problem, error);
    if (!p)
        return error->status;
    plait_status status = plait_problem_inspect(p, &result->info, error);
    plait_solution *s = a->config ? plait_solution_new(p->n) : NULL;
    if (a->config && !s && status == PLAIT_OK)
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a solution");
    double start = plait_cli_wall();
    result->seconds = INFINITY;
    for (int i = 0; status == PLAIT_OK && a->config && i < a->config->repeats; i++) {
        plait_child_post(child, result); // the clock of the parent's patience starts anew
        status = solve_once(p, &a->config->options, s, result, error);
        if (plait_cli_wall() - start > short_solve)
            break;
    }
    result->memory = plait_bench_memory();
    if (!a->config && status == PLAIT_OK)
        result->outcome = PLAIT_BENCH_SOLVED;
    plait_solution_free(s);
    plait_problem_free(p);
    return status;
}

static void work(const plait_child *child, void *argument)
{
    plait_bench_result result;
    memset(&result, 0, sizeof result);
    result.outcome = PLAIT_BENCH_BAD;
    plait_error error = {0};
    if (work_inside(child, argument, &result, &error) != PLAIT_OK) {
        result.outcome = PLAIT_BENCH_BAD;
        snprintf(result.message, sizeof result.message, "%.*s", (int)sizeof result.message - 1, error.text);
    }
    result.report.solver = NULL; // its address means nothing to the parent
    plait_child_post(child, &result);
}

plait_bench_result plait_bench_run(const plait_bench_problem *problem, const plait_bench_config *config)
{
    plait_bench_result result;
    memset(&result, 0, sizeof result);
    run_argument argument = {problem, config};
    double limit = config ? config->options.max_time : 0;
    // Patience counts the seconds of all threads together.
    int asked = config ? config->options.threads : 0;
    double threads = asked > 0 ? asked : fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN));
    double patience = limit > 0 ? threads * (limit * (1 + slack_part) + slack_seconds) : INFINITY;
    int number = 0;
    plait_child_end end = plait_child_run(work, &argument, &result, sizeof result, patience_ready, patience, &number);
    result.signal = number;
    if (end == PLAIT_CHILD_DONE)
        return result;
    result.outcome = end == PLAIT_CHILD_CRASHED ? PLAIT_BENCH_CRASHED
                     : end == PLAIT_CHILD_HUNG  ? PLAIT_BENCH_HUNG
                                                : PLAIT_BENCH_STOPPED;
    result.seconds = limit > 0 ? limit : NAN;
    result.report.certificate.residual_rel = result.report.certificate.residual_fb_inf = INFINITY;
    return result;
}

plait_bench_result plait_bench_look(const plait_bench_problem *problem)
{
    return plait_bench_run(problem, NULL);
}

// ---- lists -------------------------------------------------------------------------------------------------------

// "gs" or "gs:mfb+enum".
static bool read_config(const char *text, const plait_solve_options *base, int repeats, plait_bench_config *config)
{
    char name[48];
    snprintf(name, sizeof name, "%s", text);
    snprintf(config->name, sizeof config->name, "%s", text);
    config->options = *base;
    config->repeats = repeats;
    char *colon = strchr(name, ':');
    if (colon)
        *colon = 0;
    return plait_cli_read_solver(name, &config->options.solver) &&
           (!colon || plait_cli_read_local(colon + 1, &config->options.local, &config->options.enum_failsafe));
}

int plait_bench_read_solvers(const char *text, const plait_solve_options *base, int repeats,
                             plait_bench_config **configs)
{
    enum { MAX = 32 };
    plait_bench_config *list = plait_cli_alloc(MAX, sizeof *list);
    int count = 0;
    for (int i = 0; !text && i < PLAIT_SOLVER_COUNT; i++)
        read_config(plait_solver_name((plait_solver)i), base, repeats, &list[count++]);
    while (text) {
        char word[48];
        size_t length = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)length, text);
        if (count == MAX)
            plait_cli_message("at most %d solvers", MAX);
        if (count == MAX || !read_config(word, base, repeats, &list[count++])) {
            free(list);
            return -1;
        }
        text = text[length] ? text + length + 1 : NULL;
    }
    *configs = list;
    return count;
}

static void set_name(plait_bench_problem *problem, const char *path)
{
    snprintf(problem->name, sizeof problem->name, "%s", plait_cli_base_name(path));
    char *dot = strrchr(problem->name, '.');
    if (dot && dot != problem->name)
        *dot = 0;
}

// What is measured when no file is named: small, easy to hard, the same everywhere.
static int embedded_problems(plait_bench_problem **problems)
{
    static const struct {
        double contacts, nu;
        bool heavy;
    } set[] = {
        {300, 0.3, false}, {300, 1, false},    {300, 2, false},  {300, 0.3, true}, {300, 1, true},
        {300, 2, true},    {1000, 0.3, false}, {1000, 1, false}, {1000, 1, true},
    };
    enum { COUNT = (int)(sizeof set / sizeof *set) };
    *problems = plait_cli_alloc(COUNT, sizeof **problems);
    for (int i = 0; i < COUNT; i++) {
        if (!plait_bench_fibres(set[i].contacts, set[i].nu, set[i].heavy, 0.3, (uint64_t)(i + 1), &(*problems)[i])) {
            free(*problems);
            return -1;
        }
    }
    return COUNT;
}

int plait_bench_read_problems(int words, char **word, plait_paths *paths, plait_bench_problem **problems)
{
    *paths = (plait_paths){0, NULL};
    if (words == 0)
        return embedded_problems(problems);
    if (!plait_cli_collect(words, word, paths))
        return -1;
    *problems = plait_cli_alloc((size_t)paths->count, sizeof **problems);
    for (int i = 0; i < paths->count; i++) {
        plait_bench_problem *p = &(*problems)[i];
        p->path = paths->path[i];
        set_name(p, p->path);
        plait_bench_result look = plait_bench_look(p);
        if (look.outcome == PLAIT_BENCH_SOLVED)
            continue;
        if (look.outcome != PLAIT_BENCH_STOPPED)
            plait_cli_message("%s%s%s", strstr(look.message, p->path) ? "" : p->path,
                              strstr(look.message, p->path) ? "" : ": ",
                              *look.message ? look.message : plait_bench_outcome_text(&look));
        free(*problems);
        plait_cli_free_paths(paths);
        return -1;
    }
    return paths->count;
}

// Degrees of freedom of a default rod: a small problem tells. 0 with a message if it cannot be made.
static double rod_dofs(void)
{
    static double known;
    plait_bench_problem small = {.fibres = plait_default_fibre_options()};
    small.fibres.rods = 8;
    if (known > 0)
        return known;
    plait_bench_result look = plait_bench_look(&small);
    if (look.outcome == PLAIT_BENCH_SOLVED)
        known = look.info.dofs / 8.0;
    if (!(known > 0) && look.outcome != PLAIT_BENCH_STOPPED)
        plait_cli_message("cannot generate a problem: %s",
                          *look.message ? look.message : plait_bench_outcome_text(&look));
    return known;
}

bool plait_bench_fibres(double contacts, double nu, bool heavy, double mu, uint64_t seed, plait_bench_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    problem->fibres = plait_default_fibre_options();
    problem->fibres.nu = nu;
    problem->fibres.mu = mu;
    problem->fibres.heavy = heavy;
    problem->fibres.seed = seed;
    double dofs = rod_dofs();
    if (!(dofs > 0))
        return false;
    double rods = round(3 * contacts / (nu * dofs));
    problem->fibres.rods = rods < 2 ? 2 : rods > 1e7 ? 10000000 : (int)rods;
    problem->fibres.nu = 3 * contacts / (dofs * problem->fibres.rods);
    snprintf(problem->name, sizeof problem->name, "fibres %g nu %g%s", contacts, nu, heavy ? " heavy" : "");
    return true;
}

int plait_bench_run_all(const plait_bench_problem *problems, int problem_count, const plait_bench_config *configs,
                        int config_count, bool verbose, plait_bench_result *results)
{
    int done = 0, total = problem_count * config_count;
    plait_cli_progress progress = plait_cli_progress_start("bench", verbose);
    for (int i = 0; i < total; i++)
        results[i].outcome = PLAIT_BENCH_STOPPED;
    // Problem by problem, so that what there is after Ctrl-C compares the solvers on the same problems.
    for (int p = 0; p < problem_count && !plait_cli_interrupted(); p++) {
        for (int c = 0; c < config_count && !plait_cli_interrupted(); c++) {
            plait_cli_progress_note(&progress, "%d/%d: %s, %s", done + 1, total, problems[p].name, configs[c].name);
            plait_bench_result *result = &results[c * problem_count + p];
            *result = plait_bench_run(&problems[p], &configs[c]);
            done++;
            if (result->outcome == PLAIT_BENCH_BAD) {
                plait_cli_progress_clear(&progress);
                plait_cli_message("%s, %s: %s", problems[p].name, configs[c].name, result->message);
            }
        }
    }
    plait_cli_progress_clear(&progress);
    return done;
}

int plait_bench_set_end(plait_bench_set *set, int code)
{
    free(set->results);
    free(set->problems);
    free(set->configs);
    plait_cli_free_paths(&set->paths);
    *set = (plait_bench_set){0};
    return plait_cli_interrupted() ? plait_cli_interrupt_exit() : code;
}

int plait_bench_set_read(const char *solvers, const plait_solve_options *base, int repeats, int words, char **word,
                         plait_bench_set *set)
{
    set->config_count = plait_bench_read_solvers(solvers, base, repeats, &set->configs);
    if (set->config_count < 0)
        return PLAIT_EXIT_BAD;
    set->problem_count = plait_bench_read_problems(words, word, &set->paths, &set->problems);
    if (set->problem_count < 0) { // it has freed what it had
        set->problems = NULL, set->paths = (plait_paths){0};
        return plait_bench_set_end(set, PLAIT_EXIT_BAD);
    }
    int count = set->config_count * set->problem_count;
    set->results = plait_cli_alloc((size_t)count, sizeof *set->results);
    for (int i = 0; i < count; i++)
        set->results[i].outcome = PLAIT_BENCH_STOPPED;
    return PLAIT_EXIT_OK;
}
