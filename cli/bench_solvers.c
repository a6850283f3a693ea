// bench_solvers.c: `plait bench solvers`: every solver on every problem.
#include <math.h>
#include <stdlib.h>

#include "bench.h"

typedef struct job {
    plait_bench_set set;
    const char **names;          // [set.config_count]
    plait_solve_options base;
    const char *plot;
    bool json;
} job;

// Seconds of one solver's problem; what became of it instead, if it was not solved.
static void add_run_cell(plait_table *table, const plait_bench_result *r)
{
    if (r->outcome == PLAIT_BENCH_SOLVED)
        plait_table_cell(table, "%s", plait_cli_number(r->seconds));
    else if (r->outcome == PLAIT_BENCH_UNSOLVED)
        plait_table_cell(table, "(%s)", plait_cli_residual(r->report.certificate.residual_rel));
    else
        plait_table_cell(table, "%s", plait_bench_outcome_text(r));
}

static void print_runs(const job *j)
{
    const char **titles = plait_cli_alloc((size_t)j->set.config_count + 4, sizeof *titles);
    titles[0] = "<problem", titles[1] = "contacts", titles[2] = "nu";
    for (int c = 0; c < j->set.config_count; c++)
        titles[3 + c] = j->names[c];
    plait_table *table = plait_table_new(titles);
    for (int p = 0; p < j->set.problem_count; p++) {
        const plait_problem_info *info = &j->set.results[p].info;
        plait_table_cell(table, "%s", j->set.problems[p].name);
        plait_table_cell(table, "%s", plait_cli_count(info->contacts));
        plait_table_cell(table, "%s", info->dofs > 0 ? plait_cli_number(info->nu) : "-");
        for (int c = 0; c < j->set.config_count; c++)
            add_run_cell(table, &j->set.results[c * j->set.problem_count + p]);
    }
    plait_table_end(table);
    free(titles);
}

static void print_summary(const job *j)
{
    static const char *const titles[] = {"<solver",        "solved",     "alternate [%]", "local fail [%]",
                                         "over tol [%]",   "iterations", "mean [ms]",     "geo. mean of solved [ms]",
                                         "worst residual", NULL};
    plait_table *table = plait_table_new(titles);
    for (int c = 0; c < j->set.config_count; c++) {
        plait_bench_summary s = plait_bench_summarise(j->set.results + c * j->set.problem_count, j->set.problem_count);
        plait_table_cell(table, "%s", j->names[c]);
        plait_table_cell(table, "%d of %d", s.solved, s.problems);
        plait_table_cell(table, "%s", plait_cli_number(s.alt));
        plait_table_cell(table, "%s", plait_cli_number(s.fail));
        plait_table_cell(table, "%s", plait_cli_number(s.over));
        plait_table_cell(table, "%s", plait_cli_number(s.iterations));
        plait_table_cell(table, "%s", plait_cli_number(s.milliseconds));
        plait_table_cell(table, "%s", plait_cli_number(s.geometric));
        plait_table_cell(table, "%s", plait_cli_residual(s.worst));
    }
    plait_table_end(table);
}

static plait_profile make_profile(const job *j)
{
    int total = j->set.config_count * j->set.problem_count;
    double *seconds = plait_cli_alloc((size_t)total, sizeof *seconds);
    for (int i = 0; i < total; i++)
        seconds[i] = j->set.results[i].outcome == PLAIT_BENCH_SOLVED ? j->set.results[i].seconds : INFINITY;
    plait_profile profile = plait_profile_new(seconds, j->set.config_count, j->set.problem_count);
    free(seconds);
    return profile;
}

static void print_json(const job *j, const plait_profile *profile)
{
    plait_json json;
    plait_json_start(&json);
    plait_bench_json_options(&json, "solvers", &j->base);
    plait_json_begin(&json, "runs", '[');
    for (int p = 0; p < j->set.problem_count; p++)
        for (int c = 0; c < j->set.config_count; c++)
            plait_bench_json_run(&json, j->set.problems[p].name, j->names[c],
                                 &j->set.results[c * j->set.problem_count + p]);
    plait_json_end(&json, ']');
    plait_json_begin(&json, "summary", '[');
    for (int c = 0; c < j->set.config_count; c++) {
        plait_bench_summary s = plait_bench_summarise(j->set.results + c * j->set.problem_count, j->set.problem_count);
        plait_bench_json_summary(&json, j->names[c], &s);
    }
    plait_json_end(&json, ']');
    plait_profile_json(profile, j->names, &json);
    plait_json_end(&json, '}');
}

static int report(const job *j)
{
    plait_profile profile = make_profile(j);
    bool ok = true;
    if (j->json) {
        print_json(j, &profile);
    } else {
        printf("Seconds to a residual of %g (in brackets: the residual after %g s, not solved)\n\n", j->base.tol,
               j->base.max_time);
        print_runs(j);
        printf("\n");
        print_summary(j);
        printf("\nPart of the problems solved within so many times the quickest solver's time\n\n");
        plait_profile_print(&profile, j->names, stdout);
    }
    if (j->plot)
        ok = plait_profile_plot(&profile, j->names, "Performance profile of the solvers", j->plot);
    plait_profile_free(&profile);
    return plait_cli_flush(stdout, "standard output") && ok ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_bench_solvers(int argc, char **argv)
{
    job j = {.base = plait_default_solve_options()};
    j.base.tol = 1e-6, j.base.max_time = 10, j.base.threads = 1;
    const char *solvers = NULL;
    int repeats = 5;
    bool verbose = false;
    const plait_option options[] = {
        {"--solvers", 's', PLAIT_OPTION_TEXT, &solvers, 0, 0, "A,B,C",
         "which (default: all); 'gs:mfb+enum' is gs with that local solver"},
        {"--tol", 't', PLAIT_OPTION_REAL, &j.base.tol, 1e-16, 1, "T", "residual to reach (default 1e-6)"},
        {"--max-time", 0, PLAIT_OPTION_REAL, &j.base.max_time, 1e-3, 1e9, "S", "seconds for each run (default 10)"},
        {"--threads", 'j', PLAIT_OPTION_INT, &j.base.threads, 0, 1024, "N",
         "threads (default 1; with others, seconds are of the wall clock)"},
        {"--repeat", 0, PLAIT_OPTION_INT, &repeats, 1, 1000, "N",
         "most runs of a short solve; the quickest counts (default 5)"},
        {"--plot", 0, PLAIT_OPTION_TEXT, &j.plot, 0, 0, "FILE", "performance profile, FILE.svg or FILE.png"},
        {"--json", 0, PLAIT_OPTION_FLAG, &j.json, 0, 0, NULL, "JSON instead of tables"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench solvers",
        .usage = "[FILE or folder]... [options]",
        .summary = "Runs every solver on every problem.",
        .details = "Without files, a few small fibre problems are generated. Columns as in Daviet et al. 2011, Table "
                   "2: one-contact solves that needed the alternate solver, those that failed, problems over "
                   "tolerance, mean iterations and time. The performance profile (Dolan, More) counts the problems "
                   "solved within tau times the quickest solver's time.",
        .options = options,
        .min_words = 0,
        .max_words = -1,
        .examples = "bench solvers --max-time 1 --repeat 1\tgenerated problems, quickly\n"
                    "bench solvers problems --solvers auto,gs:mfb+enum --plot profile.svg\tfiles of a folder",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    code = plait_bench_set_read(solvers, &j.base, repeats, words, argv + 1, &j.set);
    if (code != PLAIT_EXIT_OK)
        return code;
    j.names = plait_cli_alloc((size_t)j.set.config_count, sizeof *j.names);
    for (int c = 0; c < j.set.config_count; c++)
        j.names[c] = j.set.configs[c].name;
    plait_bench_run_all(j.set.problems, j.set.problem_count, j.set.configs, j.set.config_count, verbose, j.set.results);
    code = report(&j);
    free(j.names);
    return plait_bench_set_end(&j.set, code);
}
