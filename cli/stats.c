// stats.c: `plait stats`: the columns of the papers' tables, from what runs have written.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"

// How many fibres a run has; -1 if its files do not say.
static int count_fibres(const char *folder)
{
    char *path = plait_run_path(folder, "trajectory.h5");
    plait_guard_reading(path);
    plait_trajectory *t = plait_trajectory_open(path, NULL);
    plait_guard_reading(NULL);
    int fibres = t ? plait_trajectory_get_info(t)->fibres : -1;
    plait_trajectory_free(t);
    free(path);
    return fibres;
}

static const char *run_name(const char *folder, char name[256])
{
    snprintf(name, 256, "%s", folder);
    for (size_t length = strlen(name); length > 1 && name[length - 1] == '/'; length--)
        name[length - 1] = 0;
    return plait_cli_base_name(name);
}

static void add_rows(plait_table *table, plait_table *stages, plait_table *bonds, plait_table *ledger, const char *folder,
                     const plait_run_summary *s)
{
    char buffer[256];
    const char *name = run_name(folder, buffer);
    double steps = (double)s->steps, all = 0;
    int fibres = count_fibres(folder);
    plait_table_cell(table, "%s", name);
    plait_table_cell(table, "%s", fibres >= 0 ? plait_cli_count(fibres) : "-");
    plait_table_cell(table, "%s", plait_cli_count(s->steps));
    plait_table_cell(table, "%s", plait_cli_number(s->contacts));
    plait_table_cell(table, "%s", plait_cli_count(s->contacts_max));
    plait_table_cell(table, "%s", plait_cli_number(s->nu_max));
    plait_table_cell(table, "%s", plait_cli_number(100 * (double)s->over_tolerance / steps));
    plait_table_cell(table, "%s", plait_cli_residual(s->residual_max));
    plait_table_cell(table, "%s", plait_cli_number(s->iterations));
    plait_table_cell(table, "%s", plait_cli_number(s->newton));
    plait_table_cell(table, "%s", plait_cli_residual(s->balance_max));
    plait_table_cell(table, "%s", plait_cli_number(100 * s->overlap_max));
    plait_table_cell(table, "%s", plait_cli_number(100 * s->stretch_max));
    plait_table_cell(table, "%s", plait_cli_number(1e6 * s->creep_last));
    plait_table_cell(table, "%s", plait_cli_count(s->rejections));
    plait_table_cell(table, "%s", plait_cli_number(s->seconds / steps));
    plait_table_cell(table, "%s", s->cpu > 0 ? plait_cli_number(s->cpu / steps) : "-");
    plait_table_cell(table, "%s", plait_cli_number(0.04 * s->seconds / s->simulated));
    plait_table_cell(stages, "%s", name);
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        all += s->stage[i];
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        plait_table_cell(stages, "%s (%4.1f %%)", plait_cli_number(s->stage[i] / steps),
                         100 * s->stage[i] / (all > 0 ? all : 1));
    plait_table_cell(ledger, "%s", name);
    for (int i = 0; i < PLAIT_RUN_LEDGER; i++)
        plait_table_cell(ledger, "%s", plait_cli_number(s->ledger[i]));
    plait_table_cell(ledger, "%s", plait_cli_residual(s->ledger_error));
    plait_table_cell(bonds, "%s", name);
    const double held[] = {s->bonds_max, s->ties_max, 1e6 * s->area_max, s->stored_max, s->debonded};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        plait_table_cell(bonds, "%s", i < 2 ? plait_cli_count((int64_t)held[i]) : plait_cli_number(held[i]));
}

static void add_json(plait_json *json, const char *folder, const plait_run_summary *s)
{
    int fibres = count_fibres(folder);
    plait_json_begin(json, NULL, '{');
    plait_json_string(json, "folder", folder);
    if (fibres >= 0)
        plait_json_int(json, "fibres", fibres);
    else
        plait_json_string(json, "fibres", NULL);
    plait_run_summary_json(json, s);
    plait_json_end(json, '}');
}

static const char *const ledger_titles[] = {"<energy [J] of", "given",  "ends",    "colliders", "air",       "loads", "bonds",
                                            "recovery",       "- friction", "- impact", "- damping", "- numerical",
                                            "max error",      NULL};

static void print_stability(const char *folder, const plait_run_summary *s)
{
    char name[256];
    if (s->eigenvalues > 0)
        printf("%s: lowest eigenvalue %s 1/s^2 at least, %s at the end; %lld of %lld steps are not stable\n",
               run_name(folder, name), plait_cli_number(s->lowest_least), plait_cli_number(s->lowest_last),
               (long long)s->unstable, (long long)s->eigenvalues);
}

static void print_ranks(int count, char **folder)
{
    char name[256];
    for (int i = 0; i < count; i++)
        plait_run_print_ranks(folder[i], run_name(folder[i], name));
}

int plait_cli_stats(int argc, char **argv)
{
    bool as_json = false;
    const plait_option options[] = {
        {"--json", 0, PLAIT_OPTION_FLAG, &as_json, 0, 0, NULL, "a JSON array instead of the tables"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "stats",
        .usage = "DIR... [options]",
        .summary = "Says how simulations went: contacts, residuals, iterations, seconds.",
        .details =
            "DIR is the folder of a run (plait run), finished or not. A frame is 1/25 s of simulated time. Steps "
            "that were rejected and retried count in the seconds of the step that replaced them.",
        .options = options,
        .min_words = 1,
        .max_words = -1,
        .examples = "stats runs/knot\tone run\n"
                    "stats runs/a runs/b\ttwo beside each other\n"
                    "stats runs/knot --json\tfor a script",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    plait_guard_begin();
    static const char *const titles[] = {"<run",        "rods",     "steps",        "contacts",   "max",
                                         "nu max",      "% > tol",  "max residual", "iterations", "newton",
                                         "max balance", "overlap [%]", "stretch [%]", "creep [um/s]", "rejected",
                                         "s/step",      "CPU s/step", "s/frame", NULL};
    const char *stage_titles[PLAIT_STAGE_COUNT + 2] = {"<s/step of"};
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        stage_titles[i + 1] = plait_stage_name((plait_stage)i);
    static const char *const bond_titles[] = {"<bonds of",  "most", "ties", "area [mm^2]", "stored at most [J]",
                                              "debonded [J]", NULL};
    plait_table *table = plait_table_new(titles), *stages = plait_table_new(stage_titles),
                *bonds = plait_table_new(bond_titles), *ledger = plait_table_new(ledger_titles);
    bool bonded = false, told = false;
    plait_json json;
    plait_json_open(&json, stdout);
    if (as_json)
        plait_json_begin(&json, NULL, '[');
    int good = 0;
    for (int i = 1; i <= words; i++) {
        plait_run_summary summary;
        plait_error error = {0};
        char *path = plait_run_path(argv[i], "stats.csv");
        bool ok = plait_run_summarise(path, &summary, &error);
        free(path);
        if (!ok) {
            code = plait_cli_fail("%s", error.text);
            continue;
        }
        good++;
        if (as_json)
            add_json(&json, argv[i], &summary);
        else
            add_rows(table, stages, bonds, ledger, argv[i], &summary), print_stability(argv[i], &summary);
        told = told || summary.ledger_error > 0;
        bonded = bonded || summary.bonds_max > 0 || summary.ties_max > 0;
    }
    if (as_json) {
        plait_json_end(&json, ']');
    } else if (good > 0) {
        plait_table_print(table, stdout);
        fputc('\n', stdout);
        plait_table_print(stages, stdout);
        if (told) {
            fputc('\n', stdout);
            plait_table_print(ledger, stdout);
        }
        if (bonded) {
            fputc('\n', stdout);
            plait_table_print(bonds, stdout);
        }
        print_ranks(words, argv + 1);
    }
    plait_table_free(table);
    plait_table_free(stages);
    plait_table_free(bonds);
    plait_table_free(ledger);
    return plait_cli_flush(stdout, "standard output") ? code : PLAIT_EXIT_BAD;
}
