// info.c: `plait info`: what can be said of problems without solving them.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct info_result {
    bool global; // M and H are known, not only W
    int half;    // M is stored as one triangle, taken for a half: -1 the lower, 1 the upper; 0: all of it
    int dimension;
    plait_problem_info info;
    plait_problem_text text;
} info_result;

// Which triangle of M was given alone: what is missing (rest) is minus the whole of the other one.
static int half_given(const plait_dynamics *y)
{
    int64_t below = 0, above = 0;
    for (int i = 0; y->rest.ptr && i < y->M.rows; i++)
        for (int64_t k = y->rest.ptr[i]; k < y->rest.ptr[i + 1]; k++) {
            int j = y->rest.col[k];
            if (y->rest.val[k] == 0)
                continue;
            int64_t at = y->M.ptr[i];
            while (at < y->M.ptr[i + 1] && y->M.col[at] < j)
                at++;
            if (at == y->M.ptr[i + 1] || y->M.col[at] != j || y->M.val[at] != -y->rest.val[k])
                return 0;
            below += j<i, above += j> i;
        }
    return below > 0 && above == 0 ? 1 : above > 0 && below == 0 ? -1 : 0;
}

// On failure the message has been printed.
static bool inspect_file(const char *path, info_result *result)
{
    plait_error error = {0};
    memset(result, 0, sizeof *result);
    plait_guard_reading(path);
    plait_problem *p = plait_problem_read(path, &result->text, &error);
    plait_guard_reading(NULL);
    bool ok = p && plait_problem_inspect(p, &result->info, &error) == PLAIT_OK;
    if (ok) {
        result->global = p->dynamics != NULL;
        result->dimension = p->dimension;
        result->half = p->dynamics ? half_given(p->dynamics) : 0;
    } else if (strstr(error.text, path)) {
        plait_cli_message("%s", error.text);
    } else {
        plait_cli_message("%s: %s", path, error.text);
    }
    plait_problem_free(p);
    return ok;
}

static const char *form(const info_result *x)
{
    return x->global ? "global" : "local";
}

// "0.3" or "0.1 .. 0.3"
static const char *range(double low, double high, char text[64])
{
    if (low == high)
        snprintf(text, 64, "%s", plait_cli_number(low));
    else
        snprintf(text, 64, "%s .. %s", plait_cli_number(low), plait_cli_number(high));
    return text;
}

static void add_row(plait_table *table, const char *path, const info_result *x)
{
    const plait_problem_info *i = &x->info;
    char text[64];
    plait_table_cell(table, "%s", plait_cli_base_name(path));
    plait_table_cell(table, "%s", form(x));
    plait_table_cell(table, "%s", plait_cli_count(i->contacts));
    plait_table_cell(table, "%s", x->global ? plait_cli_count(i->dofs) : "-");
    plait_table_cell(table, "%s", x->global ? plait_cli_count(i->bodies) : "-");
    plait_table_cell(table, "%s", x->global ? plait_cli_number(i->nu) : "-");
    plait_table_cell(table, "%s", plait_cli_count(i->groups));
    plait_table_cell(table, "%s", plait_cli_count(i->largest_group));
    plait_table_cell(table, "%s", plait_cli_count(i->blocks));
    plait_table_cell(table, "%s", plait_cli_residual(i->asymmetry));
    plait_table_cell(table, "%s", range(i->trace_min, i->trace_max, text));
    plait_table_cell(table, "%s", range(i->mu_min, i->mu_max, text));
    plait_table_cell(table, "%s", x->text.title);
}

// A file's own words must not steer the terminal.
static void print_line(const char *name, const char *value)
{
    printf("%-15s ", name);
    for (; *value; value++)
        putchar(iscntrl((unsigned char)*value) ? ' ' : *value);
    putchar('\n');
}

// One problem, one line for each thing.
static void print_problem(const char *path, const info_result *x)
{
    const plait_problem_info *i = &x->info;
    char text[128], traces[64], rank[64];
    print_line("file", path);
    if (x->text.title[0])
        print_line("title", x->text.title);
    if (x->text.description[0])
        print_line("description", x->text.description);
    if (x->text.math_info[0])
        print_line("known", x->text.math_info);
    if (x->text.warning[0])
        print_line("warning", x->text.warning);
    snprintf(text, sizeof text, "%s, %d-d", x->global ? "global (M, H, f, w, mu)" : "local (W, q, mu)", x->dimension);
    print_line("form", text);
    print_line("contacts", plait_cli_count(i->contacts));
    if (x->global) {
        print_line("dofs", plait_cli_count(i->dofs));
        print_line("bodies", plait_cli_count(i->bodies));
        snprintf(text, sizeof text, "%s (3 contacts / dofs)", plait_cli_number(i->nu));
        print_line("nu", text);
    }
    snprintf(text, sizeof text, "%s, the largest of %s contacts", plait_cli_count(i->groups),
             plait_cli_count(i->largest_group));
    print_line("groups", text);
    snprintf(text, sizeof text, "%s of 3x3 in W, %.3g MB", plait_cli_count(i->blocks), 76e-6 * (double)i->blocks);
    print_line("blocks", text);
    snprintf(rank, sizeof rank, "at most %s of %s", plait_cli_count(i->rank_bound),
             plait_cli_count((int64_t)x->dimension * i->contacts));
    print_line("rank of W", rank);
    const char *of = x->global ? "(max |M - M^T| / max |M|)" : "(max |W - W^T| / max |W|)";
    snprintf(text, sizeof text, "%s %s", plait_cli_residual(i->asymmetry), of);
    print_line("asymmetry", text);
    if (x->half)
        print_line("M is a half", x->half < 0 ? "the lower triangle alone is stored: it is mirrored"
                                              : "the upper triangle alone is stored: it is mirrored");
    snprintf(text, sizeof text, "%s over the contacts", range(i->trace_min, i->trace_max, traces));
    print_line("tr W_ii", text);
    print_line("mu", range(i->mu_min, i->mu_max, traces));
}

static void add_json(plait_json *json, const char *path, const info_result *x)
{
    const plait_problem_info *i = &x->info;
    plait_json_begin(json, NULL, '{');
    plait_json_string(json, "file", path);
    plait_json_string(json, "title", x->text.title);
    plait_json_string(json, "description", x->text.description);
    plait_json_string(json, "math_info", x->text.math_info);
    plait_json_string(json, "warning", x->text.warning[0] ? x->text.warning : NULL);
    plait_json_string(json, "form", form(x));
    plait_json_int(json, "dimension", x->dimension);
    plait_json_int(json, "contacts", i->contacts);
    if (x->global) {
        plait_json_int(json, "dofs", i->dofs);
        plait_json_int(json, "bodies", i->bodies);
        plait_json_real(json, "nu", i->nu);
    } else {
        plait_json_string(json, "dofs", NULL); // not known from W alone
        plait_json_string(json, "bodies", NULL);
        plait_json_string(json, "nu", NULL);
    }
    plait_json_real(json, "asymmetry", i->asymmetry);
    plait_json_string(json, "half", x->half < 0 ? "lower" : x->half > 0 ? "upper" : NULL);
    plait_json_int(json, "groups", i->groups);
    plait_json_int(json, "largest_group", i->largest_group);
    plait_json_int(json, "blocks", i->blocks);
    plait_json_int(json, "rank_bound", i->rank_bound);
    plait_json_real(json, "trace_min", i->trace_min);
    plait_json_real(json, "trace_max", i->trace_max);
    plait_json_real(json, "mu_min", i->mu_min);
    plait_json_real(json, "mu_max", i->mu_max);
    plait_json_end(json, '}');
}

static int inspect_files(const plait_paths *inputs, bool as_json)
{
    static const char *const titles[] = {"<problem", "<form",  "contacts",  "dofs",    "bodies", "nu",     "groups",
                                         "largest",  "blocks", "asymmetry", "tr W_ii", "mu",     "<title", NULL};
    plait_table *table = plait_table_new(titles);
    plait_json json;
    plait_json_open(&json, stdout);
    if (as_json)
        plait_json_begin(&json, NULL, '[');
    int done = 0;
    for (int i = 0; i < inputs->count && !plait_cli_interrupted(); i++) {
        info_result result;
        if (!inspect_file(inputs->path[i], &result))
            continue;
        done++;
        if (as_json)
            add_json(&json, inputs->path[i], &result);
        else if (inputs->count == 1)
            print_problem(inputs->path[i], &result);
        else
            add_row(table, inputs->path[i], &result);
    }
    if (as_json)
        plait_json_end(&json, ']');
    if (!as_json && inputs->count > 1 && done > 0)
        plait_table_end(table);
    else
        plait_table_free(table);
    if (!plait_cli_flush(stdout, "standard output"))
        return PLAIT_EXIT_BAD;
    if (plait_cli_interrupted())
        return plait_cli_interrupt_exit();
    return done == inputs->count ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_cli_info(int argc, char **argv)
{
    bool as_json = false;
    const plait_option options[] = {
        {"--json", 0, PLAIT_OPTION_FLAG, &as_json, 0, 0, NULL, "a JSON array instead of text"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        "info",
        "FILE... [options]",
        "Tells what contact problems are, without solving them.",
        "FILE is an fclib HDF5 problem, a Siconos .dat text, one of these packed by gzip, or a "
        "folder of such files. One problem is\n"
        "described line by line, several in a table.\n\n"
        "Exit code: 0, or 2 if a file could not be read (the others are still described).",
        options,
        1,
        -1,
        .examples = "info problem.hdf5\tsizes, groups, friction\n"
                    "info problems --json\tall files of a folder, for a script"};
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    plait_paths inputs;
    if (!plait_cli_collect(words, argv + 1, &inputs))
        return PLAIT_EXIT_BAD;
    plait_guard_begin();
    plait_cli_catch_interrupt();
    code = inspect_files(&inputs, as_json);
    plait_cli_free_paths(&inputs);
    return code;
}
