// validate.c: `plait validate`: rods and friction against closed forms and independent solutions.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "plait/validate.h"
#include "rods.h"

typedef struct curve {
    char *name;
    bool reference;
    int count;
    double *x, *y;
} curve;

typedef struct output {
    bool json, markdown, quiet;
    const char *folder; // of the pictures; NULL: none
    plait_table *table;
    plait_json writer;
    int rows, failed;
    int curves;
    curve *curve; // of the present case
    plait_cli_progress progress;
} output;

bool plait_cli_read_model(const char *text, plait_rod_model *model)
{
    if (plait_rod_model_find(text, model))
        return true;
    const char *names[PLAIT_ROD_MODEL_COUNT + 1];
    int count = 0;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++)
        if (plait_rod_model_name((plait_rod_model)m))
            names[count++] = plait_rod_model_name((plait_rod_model)m);
    names[count] = NULL;
    const char *near = plait_cli_nearest(text, names);
    if (near)
        plait_cli_message("there is no rod model '%s'; did you mean '%s'?", text, near);
    else
        plait_cli_message("there is no rod model '%s'; there are der, superhelix, mass-spring and corde", text);
    return false;
}

// ---- rows --------------------------------------------------------------------------------------------------------

static void row_json(output *o, const plait_validation_row *r)
{
    plait_json_begin_flat(&o->writer, NULL, '{');
    plait_json_string(&o->writer, "case", r->name);
    plait_json_string(&o->writer, "model", r->subject);
    plait_json_string(&o->writer, "quantity", r->quantity);
    plait_json_int(&o->writer, "resolution", r->resolution);
    plait_json_real(&o->writer, "reference", r->reference);
    plait_json_real(&o->writer, "measured", r->measured);
    plait_json_real(&o->writer, "error", r->error);
    plait_json_real(&o->writer, "tolerance", r->tolerance);
    if (r->beyond)
        plait_json_bool(&o->writer, "beyond", true);
    plait_json_bool(&o->writer, "pass", r->pass);
    if (r->reason)
        plait_json_string(&o->writer, "reason", r->reason);
    plait_json_end(&o->writer, '}');
}

// Errors against zero are absolute.
static void format_error(const plait_validation_row *r, double value, bool sign, char text[32])
{
    if (!isfinite(value))
        snprintf(text, 32, "-");
    else if (r->reference == 0)
        snprintf(text, 32, sign ? "%+.1e" : "%.0e", value);
    else
        snprintf(text, 32, sign ? "%+.4f %%" : "%g %%", 100 * value);
}

static void take_row(const plait_validation_row *r, void *data)
{
    output *o = data;
    char error[32], tolerance[34];
    o->rows++;
    o->failed += !r->pass;
    format_error(r, r->error, true, error);
    format_error(r, r->tolerance, false, tolerance + 2 * r->beyond);
    if (r->beyond)
        memcpy(tolerance, "> ", 2);
    if (o->json) {
        row_json(o, r);
    } else if (o->markdown) {
        printf("| %s | %s | %s | %d | %.7g | %.7g | %s | %s | %s |\n", r->name, r->subject, r->quantity, r->resolution,
               r->reference, r->measured, error, tolerance, r->pass ? "yes" : "**no**");
    } else {
        plait_table_cell(o->table, "%s", r->name);
        plait_table_cell(o->table, "%s", r->subject);
        plait_table_cell(o->table, "%s", r->quantity);
        plait_table_cell(o->table, "%d", r->resolution);
        plait_table_cell(o->table, "%.7g", r->reference);
        plait_table_cell(o->table, "%.7g", r->measured);
        plait_table_cell(o->table, "%s", error);
        plait_table_cell(o->table, "%s", tolerance);
        plait_table_cell(o->table, "%s", r->pass ? "pass" : r->reason ? r->reason : "FAIL");
    }
    plait_cli_progress_note(&o->progress, "%s, %s: %d rows, %d failed", r->name, r->subject, o->rows, o->failed);
}

static bool stop(void *data)
{
    (void)data;
    return plait_cli_interrupted();
}

// ---- pictures ----------------------------------------------------------------------------------------------------

static double *copy(const double *values, int count)
{
    double *result = plait_cli_alloc((size_t)count + 1, sizeof *result);
    memcpy(result, values, (size_t)count * sizeof *result);
    return result;
}

// References are the same for every model: each is kept once.
static void take_curve(const plait_validation_curve *c, void *data)
{
    output *o = data;
    char name[160];
    if (!o->folder)
        return;
    snprintf(name, sizeof name, "%s%s%s", c->reference ? "" : c->subject, c->reference ? "" : ": ", c->series);
    for (int i = 0; i < o->curves; i++)
        if (strcmp(o->curve[i].name, name) == 0)
            return;
    o->curve = plait_cli_grow(o->curve, (size_t)o->curves + 1, sizeof *o->curve);
    curve *k = &o->curve[o->curves++];
    k->name = plait_cli_alloc(strlen(name) + 1, 1);
    memcpy(k->name, name, strlen(name) + 1);
    k->reference = c->reference;
    k->count = c->count;
    k->x = copy(c->x, c->count);
    k->y = copy(c->y, c->count);
}

// A line through what should be, marks where the models are; a curve of many points is a line, dashed.
static bool draw(output *o, const plait_validation_info *info)
{
    size_t size = strlen(o->folder) + 64;
    char *path = plait_cli_alloc(size, 1), title[160];
    snprintf(path, size, "%s/%s.svg", o->folder, info->name);
    snprintf(title, sizeof title, "%s: %s", info->name, info->title);
    plait_series *series = plait_cli_alloc((size_t)o->curves, sizeof *series);
    int count = 0;
    for (int i = 0; i < 2 * o->curves; i++) { // what was measured first: it is drawn on top
        const curve *c = &o->curve[i % o->curves];
        if (c->reference != (i >= o->curves))
            continue;
        series[count++] = (plait_series){.name = c->name,
                                         .count = c->count,
                                         .x = c->x,
                                         .y = c->y,
                                         .markers = !c->reference && c->count <= 40,
                                         .dashed = !c->reference};
    }
    plait_plot plot = {.title = title,
                       .x_label = info->x_label,
                       .y_label = info->y_label,
                       .log_x = info->log_x,
                       .log_y = info->log_y,
                       .count = o->curves,
                       .series = series};
    bool ok = plait_cli_plot(path, &plot);
    free(series);
    free(path);
    return ok;
}

static void forget_curves(output *o)
{
    for (int i = 0; i < o->curves; i++) {
        free(o->curve[i].name);
        free(o->curve[i].x);
        free(o->curve[i].y);
    }
    free(o->curve);
    o->curve = NULL;
    o->curves = 0;
}

// ---- the command -------------------------------------------------------------------------------------------------

// Cases with this name, or of this suite. False if there is none.
static bool choose(const char *word, bool *chosen)
{
    bool found = false;
    for (int i = 0; i < plait_validation_count(); i++) {
        plait_validation_info info = plait_validation_get(i);
        if (strcmp(info.name, word) == 0 || strcmp(info.suite, word) == 0)
            chosen[i] = found = true;
    }
    return found;
}

static void unknown_case(const char *word)
{
    int count = plait_validation_count();
    const char **names = plait_cli_alloc(2 * (size_t)count + 1, sizeof *names);
    for (int i = 0; i < count; i++) {
        names[2 * i] = plait_validation_get(i).name;
        names[2 * i + 1] = plait_validation_get(i).suite;
    }
    const char *near = plait_cli_nearest(word, names);
    plait_cli_message("there is no case or suite '%s'%s%s%s", word, near ? "; did you mean '" : "", near ? near : "",
                      near ? "'?" : "; see plait validate --list");
    free(names);
}

// Which cases: the named ones, or all. NULL with a message if a name is unknown.
static bool *choose_cases(int words, char **word)
{
    int count = plait_validation_count();
    bool *chosen = plait_cli_alloc((size_t)count, sizeof *chosen);
    for (int i = 0; i < count; i++)
        chosen[i] = words == 0;
    for (int w = 0; w < words; w++) {
        if (choose(word[w], chosen))
            continue;
        unknown_case(word[w]);
        free(chosen);
        return NULL;
    }
    return chosen;
}

static void list_cases(void)
{
    static const char *const titles[] = {"<suite", "<case", "<what", "<models", NULL};
    plait_table *table = plait_table_new(titles);
    for (int i = 0; i < plait_validation_count(); i++) {
        plait_validation_info info = plait_validation_get(i);
        char models[128] = "";
        for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
            if (!plait_validation_applies(i, (plait_rod_model)m))
                continue;
            size_t used = strlen(models);
            snprintf(models + used, sizeof models - used, "%s%s", used ? ", " : "",
                     plait_rod_model_name((plait_rod_model)m));
        }
        plait_table_cell(table, "%s", info.suite);
        plait_table_cell(table, "%s", info.name);
        plait_table_cell(table, "%s", info.title);
        plait_table_cell(table, "%s", *models ? models : "-");
    }
    plait_table_end(table);
}

static bool run_cases(output *o, const bool *chosen, const plait_rod_model *only)
{
    const plait_validation_sink sink = {take_row, take_curve, stop, o};
    bool ok = true;
    for (int i = 0; i < plait_validation_count() && !plait_cli_interrupted(); i++) {
        plait_validation_info info = plait_validation_get(i);
        for (int m = 0; m <= PLAIT_ROD_MODEL_COUNT && chosen[i] && !plait_cli_interrupted(); m++)
            if ((!only || *only == (plait_rod_model)m) && plait_validation_applies(i, (plait_rod_model)m))
                plait_validation_run(i, (plait_rod_model)m, &sink, NULL);
        if (o->folder && o->curves && !plait_cli_interrupted())
            ok = draw(o, &info) && ok;
        forget_curves(o);
    }
    plait_cli_progress_clear(&o->progress);
    return ok;
}

static int validate(output *o, const bool *chosen, const plait_rod_model *only)
{
    static const char *const titles[] = {"<case",    "<model", "<quantity", "N",     "reference",
                                         "measured", "error",  "tolerance", "<pass", NULL};
    plait_cli_catch_interrupt();
    o->progress = plait_cli_progress_start("validate", false);
    o->table = plait_table_new(titles);
    plait_json_open(&o->writer, stdout);
    if (o->json)
        plait_json_begin(&o->writer, NULL, '[');
    if (o->markdown)
        printf("| case | model | quantity | N | reference | measured | error | tolerance | pass |\n"
               "|---|---|---|---|---|---|---|---|---|\n");
    bool ok = run_cases(o, chosen, only);
    if (o->json)
        plait_json_end(&o->writer, ']');
    else if (!o->markdown && o->rows)
        plait_table_print(o->table, stdout);
    plait_table_free(o->table);
    ok = plait_cli_flush(stdout, "standard output") && ok;
    if (!o->json)
        fprintf(stderr, "%d of %d within tolerance\n", o->rows - o->failed, o->rows);
    if (plait_cli_interrupted())
        return plait_cli_interrupt_exit();
    return !ok ? PLAIT_EXIT_BAD : o->failed ? PLAIT_EXIT_NO : PLAIT_EXIT_OK;
}

int plait_cli_validate(int argc, char **argv)
{
    output o = {0};
    const char *model_name = NULL;
    bool list = false;
    const plait_option options[] = {
        {"--model", 'm', PLAIT_OPTION_TEXT, &model_name, 0, 0, "M",
         "only this rod model: der, superhelix, mass-spring, corde (default: each that can)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &o.json, 0, 0, NULL, "a JSON array instead of a table"},
        {"--markdown", 0, PLAIT_OPTION_FLAG, &o.markdown, 0, 0, NULL, "a Markdown table, as in docs/validation.md"},
        {"--plot", 'p', PLAIT_OPTION_TEXT, &o.folder, 0, 0, "DIR",
         "write a picture of each case, DIR/A1.svg and so on: measured against reference"},
        {"--list", 'l', PLAIT_OPTION_FLAG, &list, 0, 0, NULL, "tell which cases there are, and leave"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "validate",
        .usage = "[CASE or SUITE...] [options]",
        .summary = "Compares rods, friction, adhesion, time steps, cloth and solids with closed forms and independent solutions.",
        .details =
            "Each row is a number that must be reproduced within a tolerance, at a number of segments N (of time steps "
            "where there are no rods). The suites are rods, friction, adhesion, steps and soft; without a word everything is run: DER's rods "
            "alone take a few seconds, all of it some minutes.\n\nExit code: 0 all "
            "within tolerance, 1 some not, 2 bad usage or a picture that cannot be written, 130 Ctrl-C.",
        .options = options,
        .min_words = 0,
        .max_words = -1,
        .examples = "validate --list\twhich cases there are\n"
                    "validate A1 A9 --model der\ttwo cases, one model\n"
                    "validate friction --plot pictures\tinclines, capstans, orbits, with pictures",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (list) {
        list_cases();
        return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
    }
    plait_rod_model model;
    if (model_name && !plait_cli_read_model(model_name, &model))
        return PLAIT_EXIT_BAD;
    if (o.json && o.markdown)
        return plait_cli_fail("--json and --markdown exclude each other");
    if (o.folder && mkdir(o.folder, 0777) != 0 && errno != EEXIST)
        return plait_cli_fail("%s: cannot make this folder: %s", o.folder, strerror(errno));
    bool *chosen = choose_cases(words, argv + 1);
    if (!chosen)
        return PLAIT_EXIT_BAD;
    code = validate(&o, chosen, model_name ? &model : NULL);
    free(chosen);
    return code;
}
