// bench_scaling.c: `plait bench scaling`: time against the number of contacts and nu.
#include <math.h>
#include <stdlib.h>

#include "bench.h"

enum { MAX_SIZES = 16, MAX_NUS = 16 };

typedef struct job {
    int sizes, nus, mus, seeds, lines; // lines: nus * mus, which are drawn and fitted
    double size[MAX_SIZES], nu[MAX_NUS], mu[MAX_NUS];
    plait_bench_set set; // problems: [(line * sizes + size) * seeds + seed]; results: the same for each config
    plait_solve_options base;
    const char *plot;
    bool heavy, json;
} job;

static const plait_bench_result *result_of(const job *j, int config, int line, int size)
{
    return &j->set.results[((config * j->lines + line) * j->sizes + size) * j->seeds];
}

static plait_bench_row row_of(const job *j, int config, int line, int size)
{
    return plait_bench_over_seeds(result_of(j, config, line, size), j->seeds);
}

static double line_nu(const job *j, int line)
{
    return j->nu[line / j->mus];
}

static double line_mu(const job *j, int line)
{
    return j->mu[line % j->mus];
}

// Exponent a of seconds = c n^a by least squares in logarithms, over medians of those of which all seeds are solved;
// NAN for fewer than two.
static double fit_exponent(const job *j, int config, int line)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int s = 0; s < j->sizes; s++) {
        plait_bench_row r = row_of(j, config, line, s);
        if (r.solved < j->seeds || !(r.median > 0))
            continue;
        double x = log(r.contacts), y = log(r.median);
        n++, sx += x, sy += y, sxx += x * x, sxy += x * y;
    }
    double spread = n * sxx - sx * sx;
    return n < 2 || !(spread > 1e-9) ? NAN : (n * sxy - sx * sy) / spread;
}

static void print_row(const job *j, plait_table *table, int c, int k, int size)
{
    plait_bench_row s = row_of(j, c, k, size);
    const plait_bench_result *r = result_of(j, c, k, size);
    bool one = j->seeds == 1;
    plait_table_cell(table, "%s", j->set.configs[c].name);
    plait_table_cell(table, "%s", plait_cli_number(s.ran ? s.nu : line_nu(j, k)));
    plait_table_cell(table, "%g", line_mu(j, k));
    plait_table_cell(table, "%s", plait_cli_count(s.ran ? s.contacts : (int64_t)j->size[size]));
    plait_table_cell(table, "%s", s.ran ? plait_cli_count(s.dofs) : "-");
    if (one)
        plait_table_cell(table, "%s", r->outcome == PLAIT_BENCH_SOLVED ? "yes" : plait_bench_outcome_text(r));
    else
        plait_table_cell(table, "%d of %d", s.solved, j->seeds);
    plait_table_cell(table, "%s", r->outcome <= PLAIT_BENCH_UNSOLVED ? r->solver : r->message);
    plait_table_cell(table, "%s", s.ran ? plait_cli_residual(s.residual) : "-");
    plait_table_cell(table, "%s", s.ran ? plait_cli_count(s.iterations) : "-");
    plait_table_cell(table, "%s", s.ran ? plait_cli_number(s.median) : "-");
    if (!one)
        plait_table_cell(table, "%s", s.ran ? plait_cli_number(s.worst) : "-");
    plait_table_cell(table, "%s", s.ran ? plait_cli_number(1e6 * s.median / s.contacts) : "-");
}

static void print_table(const job *j)
{
    static const char *const one[] = {"<solver",      "nu",       "mu",         "contacts", "dofs",         "<solved",
                                      "<answered by", "residual", "iterations", "time [s]", "us / contact", NULL};
    static const char *const many[] = {"<solver",   "nu",           "mu",       "contacts",   "dofs",
                                       "<solved",   "<answered by", "residual", "iterations", "median [s]",
                                       "worst [s]", "us / contact", NULL};
    plait_table *table = plait_table_new(j->seeds == 1 ? one : many);
    for (int c = 0; c < j->set.config_count; c++)
        for (int k = 0; k < j->lines; k++) {
            if (c + k)
                plait_table_rule(table);
            for (int s = 0; s < j->sizes; s++)
                print_row(j, table, c, k, s);
        }
    plait_table_end(table);
    printf("\nTime grows as contacts to the power\n\n");
    static const char *const fit_titles[] = {"<solver", "nu", "mu", "exponent", NULL};
    plait_table *fits = plait_table_new(fit_titles);
    for (int c = 0; c < j->set.config_count; c++) {
        for (int k = 0; k < j->lines; k++) {
            plait_table_cell(fits, "%s", j->set.configs[c].name);
            plait_table_cell(fits, "%g", line_nu(j, k));
            plait_table_cell(fits, "%g", line_mu(j, k));
            plait_table_cell(fits, "%s", plait_cli_number(fit_exponent(j, c, k)));
        }
    }
    plait_table_end(fits);
}

static void print_json(const job *j)
{
    plait_json json;
    plait_json_start(&json);
    plait_bench_json_options(&json, "scaling", &j->base);
    plait_json_bool(&json, "heavy", j->heavy);
    plait_json_begin(&json, "runs", '[');
    for (int c = 0; c < j->set.config_count; c++)
        for (int i = 0; i < j->lines * j->sizes * j->seeds; i++)
            plait_bench_json_run(&json, j->set.problems[i].name, j->set.configs[c].name, result_of(j, c, 0, 0) + i);
    plait_json_end(&json, ']');
    plait_json_begin(&json, "exponents", '[');
    for (int c = 0; c < j->set.config_count; c++) {
        for (int k = 0; k < j->lines; k++) {
            plait_json_begin_flat(&json, NULL, '{');
            plait_json_string(&json, "solver", j->set.configs[c].name);
            plait_json_real(&json, "nu", line_nu(j, k));
            plait_json_real(&json, "mu", line_mu(j, k));
            plait_json_real(&json, "exponent", fit_exponent(j, c, k));
            plait_json_end(&json, '}');
        }
    }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

static bool draw(const job *j)
{
    int count = j->set.config_count * j->lines;
    plait_series *series = plait_cli_alloc((size_t)count, sizeof *series);
    double *x = plait_cli_alloc((size_t)(count * j->sizes), sizeof *x);
    double *y = plait_cli_alloc((size_t)(count * j->sizes), sizeof *y);
    bool *hollow = plait_cli_alloc((size_t)(count * j->sizes), sizeof *hollow), unsolved = false;
    char(*name)[96] = plait_cli_alloc((size_t)count, sizeof *name);
    for (int i = 0; i < count; i++) {
        int c = i / j->lines, k = i % j->lines;
        for (int s = 0; s < j->sizes; s++) {
            plait_bench_row r = row_of(j, c, k, s);
            x[i * j->sizes + s] = r.contacts > 0 ? r.contacts : NAN;
            y[i * j->sizes + s] = r.median;
            hollow[i * j->sizes + s] = r.solved < j->seeds;
            unsolved = unsolved || (r.solved < j->seeds && r.ran > 0);
        }
        if (j->mus > 1)
            snprintf(name[i], sizeof name[i], "%s, nu %g, mu %g", j->set.configs[c].name, line_nu(j, k), line_mu(j, k));
        else
            snprintf(name[i], sizeof name[i], "%s, nu %g", j->set.configs[c].name, line_nu(j, k));
        series[i] = (plait_series){.name = name[i],
                                   .count = j->sizes,
                                   .x = x + i * j->sizes,
                                   .y = y + i * j->sizes,
                                   .markers = true,
                                   .dashed = c % 2 == 1,
                                   .hollow = hollow + i * j->sizes};
    }
    char title[128];
    snprintf(title, sizeof title, "Time to a residual of %g, %sfibre problems", j->base.tol, j->heavy ? "heavy " : "");
    plait_plot plot = {.title = title,
                       .x_label = unsolved ? "contacts (hollow: not solved in the time given)" : "contacts",
                       .y_label = j->base.threads == 1 ? "CPU seconds" : "seconds",
                       .log_x = true,
                       .log_y = true,
                       .count = count,
                       .series = series};
    bool ok = plait_cli_plot(j->plot, &plot);
    free(series);
    free(x);
    free(y);
    free(hollow);
    free(name);
    return ok;
}

static int run(job *j, uint64_t seed, bool verbose)
{
    int count = j->lines * j->sizes * j->seeds;
    j->set.problems = plait_cli_alloc((size_t)count, sizeof *j->set.problems);
    j->set.results = plait_cli_alloc((size_t)count * (size_t)j->set.config_count, sizeof *j->set.results);
    for (int i = 0; i < count; i++) {
        int row = i / j->seeds, line = row / j->sizes;
        if (!plait_bench_fibres(j->size[row % j->sizes], line_nu(j, line), j->heavy, line_mu(j, line),
                                seed + (uint64_t)(i % j->seeds), &j->set.problems[i]))
            return PLAIT_EXIT_BAD;
    }
    plait_bench_run_all(j->set.problems, count, j->set.configs, j->set.config_count, verbose, j->set.results);
    if (j->json) {
        print_json(j);
    } else {
        printf("Time to a residual of %g, at most %g s, %d thread%s, %sfibre problems\n\n", j->base.tol,
               j->base.max_time, j->base.threads, j->base.threads == 1 ? "" : "s", j->heavy ? "heavy " : "");
        print_table(j);
    }
    bool ok = !j->plot || draw(j);
    return plait_cli_flush(stdout, "standard output") && ok ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_bench_scaling(int argc, char **argv)
{
    job j = {.base = plait_default_solve_options(), .seeds = 1};
    j.base.tol = 1e-6, j.base.max_time = 60, j.base.threads = 1;
    const char *sizes = "1000,5000,25000,100000", *nus = "0.3,1,2", *mus = "0.3", *solvers = "auto,gs";
    bool verbose = false;
    uint64_t seed = 1;
    const plait_option options[] = {
        {"--sizes", 0, PLAIT_OPTION_TEXT, &sizes, 0, 0, "A,B,C", "contacts (default 1000,5000,25000,100000)"},
        {"--nus", 0, PLAIT_OPTION_TEXT, &nus, 0, 0, "A,B,C", "3 contacts / degrees of freedom (default 0.3,1,2)"},
        {"--mus", 0, PLAIT_OPTION_TEXT, &mus, 0, 0, "A,B,C", "friction coefficients (default 0.3)"},
        {"--seeds", 0, PLAIT_OPTION_INT, &j.seeds, 1, 10000, "N",
         "problems for each row: median and worst (default 1)"},
        {"--heavy", 0, PLAIT_OPTION_FLAG, &j.heavy, 0, 0, NULL, "contacts also near the clamped roots: W_ii spans 1e4"},
        {"--solvers", 's', PLAIT_OPTION_TEXT, &solvers, 0, 0, "A,B", "which (default auto,gs)"},
        {"--tol", 't', PLAIT_OPTION_REAL, &j.base.tol, 1e-16, 1, "T", "residual to reach (default 1e-6)"},
        {"--max-time", 0, PLAIT_OPTION_REAL, &j.base.max_time, 1e-3, 1e9, "S", "seconds for each run (default 60)"},
        {"--threads", 'j', PLAIT_OPTION_INT, &j.base.threads, 1, 1024, "N",
         "threads (default 1: CPU seconds; more: wall clock)"},
        {"--seed", 0, PLAIT_OPTION_SEED, &seed, 0, 0, "N", "the first of the seeds (default 1)"},
        {"--plot", 0, PLAIT_OPTION_TEXT, &j.plot, 0, 0, "FILE", "time against contacts, FILE.svg or FILE.png"},
        {"--json", 0, PLAIT_OPTION_FLAG, &j.json, 0, 0, NULL, "JSON instead of tables"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench scaling",
        .usage = "[options]",
        .summary = "Time and residual against the number of contacts, nu and mu, on generated problems.",
        .details = "nu = 3 contacts / degrees of freedom; beyond 1 the problem is over-constrained. The exponent of "
                   "the number of contacts is fitted to the solved runs.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench scaling --sizes 100,300 --nus 1 --solvers auto\ta small one\n"
                    "bench scaling --plot scaling.svg\tthe chart of the front page",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    j.sizes = plait_cli_read_reals("--sizes", sizes, 6, 1e8, j.size, MAX_SIZES);
    j.nus = j.sizes < 0 ? -1 : plait_cli_read_reals("--nus", nus, 1e-3, 100, j.nu, MAX_NUS);
    j.mus = j.nus < 0 ? -1 : plait_cli_read_reals("--mus", mus, 0, 100, j.mu, MAX_NUS);
    j.lines = j.nus * j.mus;
    j.set.config_count = j.mus < 0 ? -1 : plait_bench_read_solvers(solvers, &j.base, 3, &j.set.configs);
    if (j.set.config_count < 0)
        return PLAIT_EXIT_BAD;
    code = run(&j, seed, verbose);
    return plait_bench_set_end(&j.set, code);
}
