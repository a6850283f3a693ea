// sweep_collect.c: `plait sweep collect`: one row for each run: its values, how it ended, and numbers of its series.
//
// A column is a series of stats.csv or measure.csv and what is made of it: "kinetic:last", "max_stretch:max". Nothing in
// the table depends on how fast the machine was, so that a sweep that was killed and went on gives the same bytes.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep.h"

typedef enum reduction { LAST, FIRST, MIN, MAX, MEAN, SUM, REDUCTIONS } reduction;
static const char *const reduction_words[REDUCTIONS + 1] = {"last", "first", "min", "max", "mean", "sum", NULL};

typedef struct column {
    char title[96]; // of the series
    reduction reduction;
    bool measured; // in measure.csv
} column;

typedef struct collection {
    const char *folder;
    plait_sweep *sweep;
    int columns, room;
    column *column;
} collection;

// ---- which columns -----------------------------------------------------------------------------------------------

static void add_column(collection *c, const char *title, reduction how, bool measured)
{
    c->column = plait_cli_grow(c->column, (size_t)c->columns + 1, sizeof *c->column);
    column *n = &c->column[c->columns++];
    snprintf(n->title, sizeof n->title, "%s", title);
    n->reduction = how, n->measured = measured;
}

static bool add_word(collection *c, const char *word)
{
    char title[96];
    snprintf(title, sizeof title, "%s", word);
    char *colon = strrchr(title, ':');
    reduction how = LAST;
    if (colon) {
        *colon = 0;
        while (how < REDUCTIONS && strcmp(colon + 1, reduction_words[how]) != 0)
            how++;
        if (how == REDUCTIONS) {
            plait_cli_message("--columns: expected last, first, min, max, mean or sum after ':', found '%s'", colon + 1);
            return false;
        }
    }
    bool measured = strncmp(title, "measure/", 8) == 0;
    add_column(c, title + (measured ? 8 : 0), how, measured);
    return true;
}

static bool add_words(collection *c, const char *words)
{
    char *copy = strdup(words), *rest = copy;
    bool ok = copy != NULL;
    for (char *word; ok && (word = strtok_r(rest, ",", &rest));)
        ok = add_word(c, word);
    free(copy);
    return ok;
}

// All that the first run with a measure.csv has.
static void add_measured(collection *c)
{
    for (int i = 0; i < c->sweep->runs; i++) {
        char *where = plait_sweep_run_folder(c->folder, i), *text = plait_run_read_text(where, "measure.csv");
        free(where);
        if (!text)
            continue;
        text[strcspn(text, "\n")] = 0;
        char *rest = text;
        for (char *word; (word = strtok_r(rest, ",", &rest));)
            if (strcmp(word, "time") != 0 && strcmp(word, "step") != 0 && strcmp(word, "dt") != 0)
                add_column(c, word, LAST, true);
        free(text);
        return;
    }
}

static void add_defaults(collection *c)
{
    static const char *const words[] = {"step:last",        "time:last",        "contacts:mean",  "contacts:max",
                                        "residual_rel:max", "max_stretch:max",  "rejections:sum", "kinetic:last",
                                        "elastic:last",     "potential:last",   NULL};
    for (int i = 0; words[i]; i++)
        add_word(c, words[i]);
    add_measured(c);
}

// ---- numbers -----------------------------------------------------------------------------------------------------

// Cells that are empty do not count; NAN if all are.
static double reduce(reduction how, int rows, const double *x)
{
    double value = NAN, sum = 0;
    int count = 0;
    for (int i = 0; i < rows; i++) {
        if (!isfinite(x[i]))
            continue;
        bool take = count == 0 || how == LAST || (how == MIN && x[i] < value) || (how == MAX && x[i] > value);
        value = take ? x[i] : value;
        sum += x[i];
        count++;
    }
    if (count == 0)
        return NAN;
    return how == MEAN ? sum / count : how == SUM ? sum : value;
}

static double number_of(const char *where, const column *c)
{
    int rows = 0;
    const char *title = c->title;
    char *path = plait_run_path(where, c->measured ? "measure.csv" : "stats.csv");
    double *x = plait_run_read_columns(path, 1, &title, &rows, NULL), value = x ? reduce(c->reduction, rows, x) : NAN;
    free(x);
    free(path);
    return value;
}

static void write_table(const collection *c, FILE *file)
{
    const plait_sweep *s = c->sweep;
    fputs("run,outcome", file);
    for (int k = 0; k < s->keys; k++)
        fputc(',', file), plait_cli_csv_cell(file, s->key[k]);
    for (int k = 0; k < c->columns; k++)
        fprintf(file, ",%s%s:%s", c->column[k].measured ? "measure/" : "", c->column[k].title,
                reduction_words[c->column[k].reduction]);
    fputc('\n', file);
    for (int i = 0; i < s->runs && !plait_cli_interrupted(); i++) {
        char *where = plait_sweep_run_folder(c->folder, i);
        fprintf(file, "%d,%s", i, plait_outcome_word(plait_sweep_outcome(c->folder, i)));
        for (int k = 0; k < s->keys; k++)
            fputc(',', file), plait_cli_csv_cell(file, s->value[(size_t)i * (size_t)s->keys + (size_t)k]);
        for (int k = 0; k < c->columns; k++) {
            double x = number_of(where, &c->column[k]);
            fprintf(file, isfinite(x) ? ",%.17g" : ",", x);
        }
        fputc('\n', file);
        free(where);
    }
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), k = strlen(end);
    return n >= k && strcmp(text + n - k, end) == 0;
}

// The same as HDF5: a dataset for each column. What is no number (a word) is NAN; the CSV has it.
static bool write_h5(const collection *c, const char *to)
{
    const plait_sweep *s = c->sweep;
    size_t columns = 2 + (size_t)s->keys + (size_t)c->columns, rows = (size_t)s->runs;
    double *value = plait_cli_alloc(columns * rows + 1, sizeof *value);
    char (*text)[128] = plait_cli_alloc(columns, sizeof *text);
    const char **title = plait_cli_alloc(columns, sizeof *title);
    for (size_t k = 0; k < columns; k++) {
        const column *n = k >= 2 + (size_t)s->keys ? &c->column[k - 2 - (size_t)s->keys] : NULL;
        snprintf(text[k], sizeof text[k], "%s%s%s", n ? n->title : k == 0 ? "run" : k == 1 ? "outcome" : s->key[k - 2],
                 n ? ":" : "", n ? reduction_words[n->reduction] : "");
        for (char *slash = text[k]; (slash = strchr(slash, '/'));)
            *slash = '.';
        title[k] = text[k];
    }
    for (int i = 0; i < s->runs && !plait_cli_interrupted(); i++) {
        char *where = plait_sweep_run_folder(c->folder, i);
        value[i] = i, value[rows + (size_t)i] = plait_sweep_outcome(c->folder, i);
        for (int k = 0; k < s->keys; k++) {
            const char *word = s->value[(size_t)i * (size_t)s->keys + (size_t)k];
            char *end;
            double x = strtod(word, &end);
            value[(2 + (size_t)k) * rows + (size_t)i] = end == word ? NAN : x;
        }
        for (int k = 0; k < c->columns; k++)
            value[(2 + (size_t)s->keys + (size_t)k) * rows + (size_t)i] = number_of(where, &c->column[k]);
        free(where);
    }
    plait_error error = {0};
    bool ok = plait_cli_interrupted() ||
              plait_series_write(to, (int)columns, title, s->runs, value, &error) == PLAIT_OK;
    if (!ok)
        plait_cli_message("%s", error.text);
    free(value), free(text), free(title);
    return ok;
}

// ---- the command -------------------------------------------------------------------------------------------------

static void count_outcomes(const collection *c, int count[PLAIT_OUTCOME_COUNT])
{
    for (int i = 0; i < c->sweep->runs; i++)
        count[plait_sweep_outcome(c->folder, i)]++;
}

static int collect(collection *c, const char *to)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return plait_cli_fail("not enough memory for the table");
    write_table(c, file);
    fclose(file);
    if (plait_cli_interrupted()) {
        free(text);
        return plait_cli_interrupt_exit();
    }
    bool ok = true;
    if (strcmp(to, "-") == 0) {
        fputs(text, stdout);
    } else if (ends_with(to, ".h5")) {
        ok = write_h5(c, to);
    } else {
        char *folder = strdup(to);
        if (!folder)
            return plait_cli_fail("not enough memory for the table");
        char *slash = strrchr(folder, '/');
        const char *name = slash ? slash + 1 : folder;
        if (slash)
            *slash = 0;
        ok = plait_run_write_text(slash ? folder : ".", name, text);
        free(folder);
    }
    free(text);
    int count[PLAIT_OUTCOME_COUNT] = {0};
    count_outcomes(c, count);
    if (ok && strcmp(to, "-") != 0)
        printf("%s: %d runs: %d finished, %d failed, %d refused, %d crashed, %d open; %d columns\n", to, c->sweep->runs,
               count[PLAIT_OUTCOME_FINISHED], count[PLAIT_OUTCOME_FAILED], count[PLAIT_OUTCOME_REFUSED],
               count[PLAIT_OUTCOME_CRASHED], count[PLAIT_OUTCOME_NONE], 2 + c->sweep->keys + c->columns);
    ok = plait_cli_flush(stdout, "standard output") && ok;
    return !ok ? PLAIT_EXIT_BAD : count[PLAIT_OUTCOME_FINISHED] == c->sweep->runs ? PLAIT_EXIT_OK : PLAIT_EXIT_NO;
}

int plait_cli_sweep_collect(int argc, char **argv)
{
    const char *output = NULL, *columns = NULL;
    bool force = false;
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &output, 0, 0, "FILE", "the table (default: DIR/table.csv; -: stdout); HDF5 if its name ends in .h5"},
        {"--columns", 'c', PLAIT_OPTION_TEXT, &columns, 0, 0, "LIST",
         "series of stats.csv, or measure/NAME of measure.csv, each with :last, :first, :min, :max, :mean or :sum"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &force, 0, 0, NULL, "write over a table that is there"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "sweep collect",
        .usage = "DIR [options]",
        .summary = "Makes one table of a sweep: the values of each run and what came out.",
        .details = "DIR is the folder of a sweep, finished or not; a run that is not over has what it has so far. "
                   "Without --columns: steps, contacts, residual, stretch, energies, and the last value of everything "
                   "that is measured.\n\nExit code: 0 all runs finished, 1 some did not, 2 bad input.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = "sweep collect runs/friction\truns/friction/table.csv\n"
                    "sweep collect runs/friction -c kinetic:last,max_stretch:max -o -\tto the terminal\n"
                    "sweep collect runs/friction -o table.h5\tthe same numbers as HDF5",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    plait_cli_catch_interrupt();
    plait_error error = {0};
    collection c = {.folder = argv[1]};
    char *path = plait_run_path(argv[1], "sweep.yaml"), *own = plait_run_path(argv[1], "table.csv");
    const char *to = output ? output : own;
    c.sweep = plait_sweep_read(path, false, &error);
    code = PLAIT_EXIT_BAD;
    if (!c.sweep)
        plait_cli_message("%s", error.text);
    else if (strcmp(to, "-") == 0 || plait_cli_may_write(to, force || !output)) {
        bool ok = true;
        if (columns)
            ok = add_words(&c, columns);
        else
            add_defaults(&c);
        code = ok ? collect(&c, to) : PLAIT_EXIT_BAD;
    }
    plait_sweep_free(c.sweep);
    free(c.column);
    free(path);
    free(own);
    return code;
}
