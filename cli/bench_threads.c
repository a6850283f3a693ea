// bench_threads.c: `plait bench threads`: speed-up of Gauss-Seidel, and that the result does not depend on it.
#include <inttypes.h>
#include <math.h>

#include "bench.h"

enum { MAX_RUNS = 16 };

typedef struct job {
    double contacts, nu;
    int sweeps, runs;
    double threads[MAX_RUNS];
    plait_bench_result result[MAX_RUNS]; // of 1 + sweeps sweeps
    double setup[MAX_RUNS];              // [s] of one sweep and what comes before it: assembly, colouring
    plait_solve_options base;
} job;

// [s] of the sweeps alone
static double sweep_seconds(const job *j, int i)
{
    return fmax(j->result[i].report.seconds_solve - j->setup[i], 1e-9);
}

static bool all_equal(const job *j)
{
    for (int i = 0; i < j->runs; i++) {
        if (j->result[i].outcome > PLAIT_BENCH_UNSOLVED || j->result[i].hash != j->result[0].hash)
            return false;
    }
    return true;
}

static void print_table(const job *j)
{
    static const char *const titles[] = {"threads",        "set-up [s]", "sweeps",     "time [s]",
                                         "per sweep [ms]", "speed-up",   "<hash of r", NULL};
    plait_table *table = plait_table_new(titles);
    for (int i = 0; i < j->runs; i++) {
        const plait_bench_result *r = &j->result[i];
        double seconds = sweep_seconds(j, i);
        plait_table_cell(table, "%g", j->threads[i]);
        if (r->outcome > PLAIT_BENCH_UNSOLVED) {
            plait_table_cell(table, "-");
            plait_table_cell(table, "-");
            plait_table_cell(table, "-");
            plait_table_cell(table, "-");
            plait_table_cell(table, "-");
            plait_table_cell(table, "%s", *r->message ? r->message : plait_bench_outcome_text(r));
            continue;
        }
        plait_table_cell(table, "%s", plait_cli_number(j->setup[i]));
        plait_table_cell(table, "%d", r->report.iterations - 1);
        plait_table_cell(table, "%s", plait_cli_number(seconds));
        plait_table_cell(table, "%s", plait_cli_number(1e3 * seconds / fmax(r->report.iterations - 1, 1)));
        plait_table_cell(table, "%s", plait_cli_number(sweep_seconds(j, 0) / seconds));
        plait_table_cell(table, "%016" PRIx64, r->hash);
    }
    plait_table_end(table);
}

static void print_json(const job *j)
{
    plait_json json;
    char hash[32];
    plait_json_start(&json);
    plait_json_string(&json, "benchmark", "threads");
    plait_json_string(&json, "version", plait_version());
    plait_json_int(&json, "contacts", j->result[0].info.contacts);
    plait_json_real(&json, "nu", j->result[0].info.nu);
    plait_json_begin(&json, "runs", '[');
    for (int i = 0; i < j->runs; i++) {
        const plait_bench_result *r = &j->result[i];
        bool ran = r->outcome <= PLAIT_BENCH_UNSOLVED;
        snprintf(hash, sizeof hash, "%016" PRIx64, r->hash);
        plait_json_begin_flat(&json, NULL, '{');
        plait_json_int(&json, "threads", (int64_t)j->threads[i]);
        plait_json_int(&json, "sweeps", r->report.iterations - 1);
        plait_json_real(&json, "seconds_setup", ran ? j->setup[i] : NAN);
        plait_json_real(&json, "seconds", ran ? sweep_seconds(j, i) : NAN);
        plait_json_real(&json, "speed_up", ran ? sweep_seconds(j, 0) / sweep_seconds(j, i) : NAN);
        plait_json_string(&json, "hash", ran ? hash : NULL);
        plait_json_end(&json, '}');
    }
    plait_json_end(&json, ']');
    plait_json_bool(&json, "equal", all_equal(j));
    plait_json_end(&json, '}');
}

static int run(job *j, bool heavy, uint64_t seed, bool json, bool verbose)
{
    plait_bench_problem problem;
    if (!plait_bench_fibres(j->contacts, j->nu, heavy, 0.3, seed, &problem))
        return PLAIT_EXIT_BAD;
    plait_cli_progress progress = plait_cli_progress_start("bench", verbose);
    for (int i = 0; i < j->runs && !plait_cli_interrupted(); i++) {
        plait_bench_config config = {.name = "gs", .options = j->base, .repeats = 1};
        config.options.threads = (int)j->threads[i];
        plait_cli_progress_note(&progress, "%s, %g threads", problem.name, j->threads[i]);
        config.options.max_iterations = 1;
        j->setup[i] = plait_bench_run(&problem, &config).report.seconds_solve;
        config.options.max_iterations = 1 + j->sweeps;
        j->result[i] = plait_bench_run(&problem, &config);
    }
    plait_cli_progress_clear(&progress);
    if (plait_cli_interrupted())
        return plait_cli_interrupt_exit();
    if (j->result[0].outcome == PLAIT_BENCH_BAD)
        return plait_cli_fail("%s", j->result[0].message);
    if (json) {
        print_json(j);
    } else {
        printf("%s on %s contacts, nu %s; set-up: assembly and one sweep\n\n", plait_solver_name(j->base.solver),
               plait_cli_count(j->result[0].info.contacts), plait_cli_number(j->result[0].info.nu));
        print_table(j);
        printf("\n%s\n", all_equal(j) ? "The results are equal to the last bit." : "THE RESULTS DIFFER.");
    }
    if (!plait_cli_flush(stdout, "standard output"))
        return PLAIT_EXIT_BAD;
    return all_equal(j) ? PLAIT_EXIT_OK : PLAIT_EXIT_NO;
}

int plait_bench_threads(int argc, char **argv)
{
    job j = {.contacts = 25000, .nu = 1, .sweeps = 50, .base = plait_default_solve_options()};
    const char *threads = "1,2,4", *solver = "gs";
    bool heavy = false, json = false, verbose = false;
    uint64_t seed = 1;
    const plait_option options[] = {
        {"--contacts", 0, PLAIT_OPTION_REAL, &j.contacts, 6, 1e8, "N", "contacts, about (default 25000)"},
        {"--nu", 0, PLAIT_OPTION_REAL, &j.nu, 1e-3, 100, "NU", "3 contacts / degrees of freedom (default 1)"},
        {"--heavy", 0, PLAIT_OPTION_FLAG, &heavy, 0, 0, NULL, "contacts also near the clamped roots"},
        {"--sweeps", 0, PLAIT_OPTION_INT, &j.sweeps, 1, 1e6, "N", "sweeps (default 50)"},
        {"--threads", 'j', PLAIT_OPTION_TEXT, &threads, 0, 0, "A,B,C", "numbers of threads (default 1,2,4)"},
        {"--solver", 's', PLAIT_OPTION_TEXT, &solver, 0, 0, "NAME", "another solver than gs"},
        {"--seed", 0, PLAIT_OPTION_SEED, &seed, 0, 0, "N", "another problem (default 1)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &json, 0, 0, NULL, "JSON instead of a table"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench threads",
        .usage = "[options]",
        .summary = "Speed-up of Gauss-Seidel with threads; the results must be equal.",
        .details = "Exit code: 0 if the bits of r are the same for every number of threads, 1 if not.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench threads --contacts 500 --sweeps 5 --threads 1,2\ta small problem\n"
                    "bench threads --solver admm\tanother solver than Gauss-Seidel",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    j.runs = plait_cli_read_reals("--threads", threads, 1, 1024, j.threads, MAX_RUNS);
    if (j.runs < 0 || !plait_cli_read_solver(solver, &j.base.solver))
        return PLAIT_EXIT_BAD;
    for (int i = 0; i < j.runs; i++)
        j.threads[i] = floor(j.threads[i]);
    j.base.tol = 1e-300; // so that every run does all its sweeps
    j.base.max_time = 0;
    return run(&j, heavy, seed, json, verbose);
}
