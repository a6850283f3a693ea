// bench_table2.c: `plait bench table2`: Daviet et al. 2011, Table 2, on files or on generated problems.
//
// Their 306 problems were saved from a simulation of a pony tail and are not public; `plait run pony --dump-problems N`
// makes such files. Without files, ours are fibre problems of the same kind: a few hundred contacts, nu 0.5 to 1.5. So the rows
// compare local solvers with each other as theirs do, and the absolute numbers are not comparable.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

typedef struct row {
    const char *paper; // its name there, NULL: ours
    const char *config;
    double alt, fail, over, iterations, milliseconds; // as printed there; NAN: no entry
} row;

static const row rows[] = {
    {"4sides", "gs:pyramid", NAN, 0, 0, 575, 6497},
    {"Duriez08", "gs:duriez08", NAN, 2.45, 50, 267, 4336},
    {"PAC", "gs:pac", NAN, 0.43, 19.3, 163, 1265},
    {"DAC", "gs:dac", NAN, 0.26, 0.33, 60, 874},
    {"MFB", "gs:mfb", NAN, 0.13, 4.9, 72, 484},
    {"Enum", "gs:enum", NAN, 0.0005, 1, 67, 1044},
    {"4sides + Enum", "gs:pyramid+enum", 38.7, 0.001, 0, 47, 763},
    {"Duriez08 + Enum", "gs:duriez08+enum", 51, 0.0007, 0.33, 90, 1447},
    {"PAC + Enum", "gs:pac+enum", 0.1, 1e-5, 0, 62, 543},
    {"DAC + Enum", "gs:dac+enum", 0.09, 1e-6, 0, 57, 789},
    {"MFB + Enum", "gs:mfb+enum", 0.07, 1e-6, 0, 41, 312},
    {NULL, "gs:secular", NAN, NAN, NAN, NAN, NAN},
    {NULL, "auto", NAN, NAN, NAN, NAN, NAN},
};
enum { ROWS = (int)(sizeof rows / sizeof *rows) };

typedef struct job {
    int problem_count, rods; // rods: 0, as many as the contacts need
    plait_bench_problem *problems;
    plait_bench_config *configs; // [ROWS]
    plait_bench_result *results; // [ROWS * problem_count]
    plait_solve_options base;
    double contacts, nu_min, nu_max, mu;
    uint64_t seed;
    const char *plot;
    bool json, verbose;
    plait_paths paths; // of files; none: generated
} job;

// A few bits from a counter (splitmix64), so that problem k is the same whatever was made before it.
static double random_part(uint64_t seed, uint64_t k)
{
    uint64_t z = seed * 0x9e3779b97f4a7c15u + (k + 1) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static bool make_problems(job *j)
{
    j->problems = plait_cli_alloc((size_t)j->problem_count, sizeof *j->problems);
    for (int i = 0; i < j->problem_count; i++) {
        double nu = j->nu_min + (j->nu_max - j->nu_min) * random_part(j->seed, 2 * (uint64_t)i);
        double contacts = round(j->contacts * (0.5 + random_part(j->seed, 2 * (uint64_t)i + 1)));
        if (!plait_bench_fibres(fmax(contacts, 3), nu, false, j->mu, j->seed + (uint64_t)i, &j->problems[i]))
            return false;
        if (j->rods > 0) {
            j->problems[i].fibres.rods = j->rods;
            j->problems[i].fibres.nu = nu;
        }
    }
    return true;
}

static void make_configs(job *j)
{
    j->configs = plait_cli_alloc(ROWS, sizeof *j->configs);
    for (int i = 0; i < ROWS; i++) {
        plait_bench_config *one = NULL;
        if (plait_bench_read_solvers(rows[i].config, &j->base, 1, &one) == 1) {
            j->configs[i] = *one;
            // The paper's rows are plain Gauss-Seidel; ours are as they come.
            if (rows[i].paper)
                j->configs[i].options.anderson = 0;
            if (rows[i].paper && !strchr(rows[i].config, '+'))
                j->configs[i].options.enum_failsafe = false;
        }
        free(one);
    }
}

// A number of the paper, as it is printed there.
static void add_paper_cell(plait_table *table, double value)
{
    if (isfinite(value))
        plait_table_cell(table, "%g", value);
    else
        plait_table_cell(table, "-");
}

static void print_table(const job *j)
{
    static const char *const titles[] = {"<local solver",
                                         "alt. [%]",
                                         "(D11)",
                                         "fail [%]",
                                         "(D11)",
                                         "> tol [%]",
                                         "(D11)",
                                         "sweeps",
                                         "(D11)",
                                         "time [ms]",
                                         "(D11)",
                                         "geo. mean of solved [ms]",
                                         NULL};
    plait_table *table = plait_table_new(titles);
    for (int i = 0; i < ROWS; i++) {
        plait_bench_summary s = plait_bench_summarise(j->results + i * j->problem_count, j->problem_count);
        bool failsafe = strchr(rows[i].config, '+') != NULL;
        if (i == 6 || i == 11)
            plait_table_rule(table);
        plait_table_cell(table, "%s", rows[i].paper ? rows[i].paper : rows[i].config);
        plait_table_cell(table, "%s", failsafe ? plait_cli_number(s.alt) : "-");
        add_paper_cell(table, rows[i].alt);
        plait_table_cell(table, "%s", plait_cli_number(s.fail));
        add_paper_cell(table, rows[i].fail);
        plait_table_cell(table, "%s", plait_cli_number(s.over));
        add_paper_cell(table, rows[i].over);
        plait_table_cell(table, "%s", plait_cli_number(s.iterations));
        add_paper_cell(table, rows[i].iterations);
        plait_table_cell(table, "%s", plait_cli_number(s.milliseconds));
        add_paper_cell(table, rows[i].milliseconds);
        plait_table_cell(table, "%s", plait_cli_number(s.geometric));
    }
    plait_table_end(table);
}

static void print_json(const job *j)
{
    plait_json json;
    plait_json_start(&json);
    plait_bench_json_options(&json, "table2", &j->base);
    plait_json_int(&json, "problems", j->problem_count);
    plait_json_begin(&json, "rows", '[');
    for (int i = 0; i < ROWS; i++) {
        plait_bench_summary s = plait_bench_summarise(j->results + i * j->problem_count, j->problem_count);
        plait_json_begin(&json, NULL, '{');
        plait_json_string(&json, "solver", rows[i].config);
        plait_json_string(&json, "paper_name", rows[i].paper);
        plait_json_int(&json, "problems", s.problems);
        plait_json_int(&json, "solved", s.solved);
        plait_json_real(&json, "percent_alternate", strchr(rows[i].config, '+') ? s.alt : NAN);
        plait_json_real(&json, "percent_local_fail", s.fail);
        plait_json_real(&json, "percent_over_tol", s.over);
        plait_json_real(&json, "mean_iterations", s.iterations);
        plait_json_real(&json, "mean_ms", s.milliseconds);
        plait_json_real(&json, "geometric_mean_ms_solved", s.geometric);
        plait_json_begin_flat(&json, "paper", '{');
        plait_json_real(&json, "percent_alternate", rows[i].alt);
        plait_json_real(&json, "percent_local_fail", rows[i].fail);
        plait_json_real(&json, "percent_over_tol", rows[i].over);
        plait_json_real(&json, "mean_iterations", rows[i].iterations);
        plait_json_real(&json, "mean_ms", rows[i].milliseconds);
        plait_json_end(&json, '}');
        plait_json_end(&json, '}');
    }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

// Their Figure 11: part of the problems that need more than so many sweeps.
static bool draw(const job *j)
{
    int n = j->problem_count, points = n + 2;
    plait_series series[ROWS];
    double *x = plait_cli_alloc((size_t)(ROWS * points), sizeof *x);
    double *y = plait_cli_alloc((size_t)(ROWS * points), sizeof *y);
    for (int i = 0; i < ROWS; i++) {
        double *sx = x + i * points, *sy = y + i * points;
        for (int p = 0; p < n; p++) {
            const plait_bench_result *r = &j->results[i * n + p];
            sx[p + 1] = r->outcome == PLAIT_BENCH_SOLVED ? fmax(r->report.iterations, 1) : INFINITY;
        }
        qsort(sx + 1, (size_t)n, sizeof *sx, compare);
        sx[0] = 1;
        int count = 1;
        for (sy[0] = 100; count <= n && sx[count] <= j->base.max_iterations; count++)
            sy[count] = 100.0 * (n - count) / n;
        sx[count] = j->base.max_iterations, sy[count] = sy[count - 1], count++;
        series[i] = (plait_series){
            .name = rows[i].paper ? rows[i].paper : rows[i].config, .count = count, .x = sx, .y = sy, .steps = true};
    }
    plait_plot plot = {.title = "Problems that need more than so many sweeps (D11, Figure 11)",
                       .x_label = "Gauss-Seidel sweeps (auto: iterations)",
                       .y_label = "% of the problems",
                       .log_x = true,
                       .x_min = 1,
                       .x_max = fmax(j->base.max_iterations, 10),
                       .y_min = 0,
                       .y_max = 102,
                       .count = ROWS,
                       .series = series};
    bool ok = plait_cli_plot(j->plot, &plot);
    free(x);
    free(y);
    return ok;
}

static int report(const job *j)
{
    if (j->json) {
        print_json(j);
    } else {
        int least = INT_MAX, most = 0;
        double nu_min = INFINITY, nu_max = 0;
        for (int i = 0; i < j->problem_count && j->results[i].outcome != PLAIT_BENCH_STOPPED; i++) {
            int n = j->results[i].info.contacts;
            least = n < least ? n : least, most = n > most ? n : most;
            nu_min = fmin(nu_min, j->results[i].info.nu), nu_max = fmax(nu_max, j->results[i].info.nu);
        }
        printf("%d %s (%d to %d contacts, nu %.2g to %.2g), residual to reach %g;\n"
               "cap for each: %d sweeps or %g s. (D11): Daviet et al. 2011, Table 2, 306 problems of a pony tail.\n\n",
               j->problem_count, j->paths.count > 0 ? "problems from files" : "generated fibre problems",
               least < most ? least : most, most, fmin(nu_min, nu_max), nu_max, j->base.tol, j->base.max_iterations,
               j->base.max_time);
        print_table(j);
        printf("\nalt.: one-contact solves that enumeration had to take over; fail: those that nobody solved;\n"
               "> tol: problems over tolerance. All are judged by the exact law here; D11 judged the pyramid (4sides)\n"
               "by the length of its steps, since alone it solves another law.\n");
    }
    bool ok = !j->plot || draw(j);
    return plait_cli_flush(stdout, "standard output") && ok ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_bench_table2(int argc, char **argv)
{
    job j = {.problem_count = 300,
             .base = plait_default_solve_options(),
             .contacts = 300,
             .nu_min = 0.5,
             .nu_max = 1.5,
             .mu = 0.3,
             .seed = 1};
    j.base.tol = 1e-6, j.base.max_time = 2, j.base.threads = 1, j.base.max_iterations = 5000;
    const plait_option options[] = {
        {"--problems", 'n', PLAIT_OPTION_INT, &j.problem_count, 1, 1e6, "N", "how many (default 300)"},
        {"--contacts", 0, PLAIT_OPTION_REAL, &j.contacts, 6, 1e6, "N",
         "contacts of the average problem (default 300; from half to 3/2 of it)"},
        {"--rods", 0, PLAIT_OPTION_INT, &j.rods, 2, 1e6, "N",
         "rods of every problem; the contacts then follow from nu"},
        {"--nu-min", 0, PLAIT_OPTION_REAL, &j.nu_min, 1e-3, 100, "NU", "smallest nu (default 0.5)"},
        {"--nu-max", 0, PLAIT_OPTION_REAL, &j.nu_max, 1e-3, 100, "NU", "largest nu (default 1.5)"},
        {"--mu", 0, PLAIT_OPTION_REAL, &j.mu, 0, 100, "MU", "friction (default 0.3)"},
        {"--seed", 0, PLAIT_OPTION_SEED, &j.seed, 0, 0, "N", "another set of problems (default 1)"},
        {"--tol", 't', PLAIT_OPTION_REAL, &j.base.tol, 1e-16, 1, "T", "residual to reach (default 1e-6)"},
        {"--max-time", 0, PLAIT_OPTION_REAL, &j.base.max_time, 1e-3, 1e9, "S", "seconds for each run (default 2)"},
        {"--max-sweeps", 0, PLAIT_OPTION_INT, &j.base.max_iterations, 1, 2e9, "N", "sweeps for each (default 5000)"},
        {"--plot", 0, PLAIT_OPTION_TEXT, &j.plot, 0, 0, "FILE",
         "problems left against sweeps (D11's Figure 11), FILE.svg or FILE.png"},
        {"--json", 0, PLAIT_OPTION_FLAG, &j.json, 0, 0, NULL, "JSON instead of a table"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &j.verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench table2",
        .usage = "[FILE or folder]... [options]",
        .summary = "Local solvers inside Gauss-Seidel, as in Daviet et al. 2011, Table 2.",
        .details =
            "Eleven rows as in the paper, alone and with enumeration as fail-safe, with its figures beside ours, and "
            "two rows of our own. Their problems are not public: give files ('plait run pony --dump-problems 5' writes "
            "some), or else "
            "problems are generated. CPU milliseconds, one thread.",
        .options = options,
        .min_words = 0,
        .max_words = -1,
        .examples = "bench table2 --problems 3 --contacts 30\ta quick look\n"
                    "bench table2 --plot left.svg\tproblems left against sweeps",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (j.nu_max < j.nu_min)
        return plait_cli_fail("--nu-max %g is less than --nu-min %g", j.nu_max, j.nu_min);
    code = PLAIT_EXIT_BAD;
    if (words > 0 && (j.problem_count = plait_bench_read_problems(words, argv + 1, &j.paths, &j.problems)) < 0)
        return plait_cli_interrupted() ? plait_cli_interrupt_exit() : PLAIT_EXIT_BAD;
    make_configs(&j);
    j.results = plait_cli_alloc(ROWS * (size_t)j.problem_count, sizeof *j.results);
    if (words > 0 || make_problems(&j)) {
        plait_bench_run_all(j.problems, j.problem_count, j.configs, ROWS, j.verbose, j.results);
        code = report(&j);
    }
    free(j.results);
    free(j.configs);
    free(j.problems);
    plait_cli_free_paths(&j.paths);
    return plait_cli_interrupted() ? plait_cli_interrupt_exit() : code;
}
