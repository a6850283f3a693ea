// bench_friction.c: `plait bench friction`: how many of several seeds are solved, and how soon, against nu and mu.
#include "bench.h"

enum { MAX_VALUES = 16 };

typedef struct job {
    int nus, mus, seeds, kinds;
    double nu[MAX_VALUES], mu[MAX_VALUES], contacts;
    plait_bench_set set; // problems: [((nu * mus + mu) * kinds + kind) * seeds + seed]
    plait_solve_options base;
    bool json;
} job;

static int problem_count(const job *j)
{
    return j->nus * j->mus * j->kinds * j->seeds;
}

static plait_bench_row summarise(const job *j, int config, int row)
{
    return plait_bench_over_seeds(j->set.results + (size_t)config * (size_t)problem_count(j) + row * j->seeds,
                                  j->seeds);
}

static double row_nu(const job *j, int row)
{
    return j->nu[row / (j->mus * j->kinds)];
}

static double row_mu(const job *j, int row)
{
    return j->mu[row / j->kinds % j->mus];
}

static bool row_heavy(const job *j, int row)
{
    return row % j->kinds == 1;
}

static void print_table(const job *j)
{
    static const char *const titles[] = {"<solver", "nu",         "mu",        "<kind",    "contacts",
                                         "solved",  "median [s]", "worst [s]", "residual", NULL};
    plait_table *table = plait_table_new(titles);
    for (int c = 0; c < j->set.config_count; c++)
        for (int row = 0; row < problem_count(j) / j->seeds; row++) {
            plait_bench_row s = summarise(j, c, row);
            if (row % (j->mus * j->kinds) == 0 && c + row)
                plait_table_rule(table);
            plait_table_cell(table, "%s", j->set.configs[c].name);
            plait_table_cell(table, "%g", row_nu(j, row));
            plait_table_cell(table, "%g", row_mu(j, row));
            plait_table_cell(table, "%s", row_heavy(j, row) ? "heavy" : "plain");
            plait_table_cell(table, "%s", plait_cli_count(s.contacts));
            plait_table_cell(table, "%d of %d", s.solved, j->seeds);
            plait_table_cell(table, "%s", s.ran ? plait_cli_number(s.median) : "-");
            plait_table_cell(table, "%s", s.ran ? plait_cli_number(s.worst) : "-");
            plait_table_cell(table, "%s", s.ran ? plait_cli_residual(s.residual) : "-");
        }
    plait_table_end(table);
}

static void print_json(const job *j)
{
    plait_json json;
    plait_json_start(&json);
    plait_bench_json_options(&json, "friction", &j->base);
    plait_json_begin(&json, "rows", '[');
    for (int c = 0; c < j->set.config_count; c++)
        for (int row = 0; row < problem_count(j) / j->seeds; row++) {
            plait_bench_row s = summarise(j, c, row);
            plait_json_begin_flat(&json, NULL, '{');
            plait_json_string(&json, "solver", j->set.configs[c].name);
            plait_json_real(&json, "nu", row_nu(j, row));
            plait_json_real(&json, "mu", row_mu(j, row));
            plait_json_bool(&json, "heavy", row_heavy(j, row));
            plait_json_real(&json, "contacts", s.contacts);
            plait_json_real(&json, "seeds", j->seeds);
            plait_json_real(&json, "solved", s.solved);
            plait_json_real(&json, "median_seconds", s.median);
            plait_json_real(&json, "worst_seconds", s.worst);
            plait_json_real(&json, "worst_residual", s.residual);
            plait_json_end(&json, '}');
        }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

static int run(job *j, uint64_t seed, bool verbose)
{
    int count = problem_count(j);
    j->set.problems = plait_cli_alloc((size_t)count, sizeof *j->set.problems);
    j->set.results = plait_cli_alloc((size_t)count * (size_t)j->set.config_count, sizeof *j->set.results);
    for (int i = 0; i < count; i++) {
        int row = i / j->seeds;
        if (!plait_bench_fibres(j->contacts, row_nu(j, row), row_heavy(j, row), row_mu(j, row),
                                seed + (uint64_t)(i % j->seeds), &j->set.problems[i]))
            return PLAIT_EXIT_BAD;
    }
    plait_bench_run_all(j->set.problems, count, j->set.configs, j->set.config_count, verbose, j->set.results);
    if (j->json) {
        print_json(j);
    } else {
        printf("To a residual of %g within %g s, %d thread%s\n\n", j->base.tol, j->base.max_time, j->base.threads,
               j->base.threads == 1 ? "" : "s");
        print_table(j);
    }
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_bench_friction(int argc, char **argv)
{
    job j = {.base = plait_default_solve_options(), .contacts = 1000, .seeds = 10, .kinds = 2};
    j.base.tol = 1e-6, j.base.max_time = 10, j.base.threads = 1;
    const char *nus = "1,2,3", *mus = "0.3,0.5,0.8", *solvers = "auto";
    bool verbose = false, plain = false;
    uint64_t seed = 1;
    const plait_option options[] = {
        {"--contacts", 'c', PLAIT_OPTION_REAL, &j.contacts, 6, 1e8, "N", "contacts of each problem (default 1000)"},
        {"--nus", 0, PLAIT_OPTION_TEXT, &nus, 0, 0, "A,B,C", "3 contacts / degrees of freedom (default 1,2,3)"},
        {"--mus", 0, PLAIT_OPTION_TEXT, &mus, 0, 0, "A,B,C", "friction coefficients (default 0.3,0.5,0.8)"},
        {"--seeds", 0, PLAIT_OPTION_INT, &j.seeds, 1, 10000, "N", "problems for each row (default 10)"},
        {"--plain", 0, PLAIT_OPTION_FLAG, &plain, 0, 0, NULL, "no heavy problems (contacts near clamped roots)"},
        {"--solvers", 's', PLAIT_OPTION_TEXT, &solvers, 0, 0, "A,B", "which (default auto)"},
        {"--tol", 't', PLAIT_OPTION_REAL, &j.base.tol, 1e-16, 1, "T", "residual to reach (default 1e-6)"},
        {"--max-time", 0, PLAIT_OPTION_REAL, &j.base.max_time, 1e-3, 1e9, "S", "seconds for each run (default 10)"},
        {"--threads", 'j', PLAIT_OPTION_INT, &j.base.threads, 1, 1024, "N",
         "threads (default 1: CPU seconds; more: wall clock)"},
        {"--seed", 0, PLAIT_OPTION_SEED, &seed, 0, 0, "N", "the first of the seeds (default 1)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &j.json, 0, 0, NULL, "JSON instead of tables"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench friction",
        .usage = "[options]",
        .summary = "How many generated problems are solved, and how soon, against nu and mu.",
        .details =
            "Each row is about several seeds: how many are solved, median and worst time (one that is not solved "
            "counts with the time it took), the largest residual that is left.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench friction --contacts 100 --nus 1,2 --mus 0.5 --seeds 3\ta small one\n"
                    "bench friction\tthe table of docs/results.md",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    j.kinds = plain ? 1 : 2;
    j.nus = plait_cli_read_reals("--nus", nus, 1e-3, 100, j.nu, MAX_VALUES);
    j.mus = j.nus < 0 ? -1 : plait_cli_read_reals("--mus", mus, 0, 100, j.mu, MAX_VALUES);
    j.set.config_count = j.mus < 0 ? -1 : plait_bench_read_solvers(solvers, &j.base, 1, &j.set.configs);
    if (j.set.config_count < 0)
        return PLAIT_EXIT_BAD;
    code = run(&j, seed, verbose);
    return plait_bench_set_end(&j.set, code);
}
