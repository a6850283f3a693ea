// plot_run.c: `plait plot`: charts of how a run went, from its stats.csv.
//
// A chart has some hundred pixels, a run may have 10^5 steps: they are gathered in at most BINS bins. A line goes
// through the smallest and the largest value of each, so that no peak is lost; what is stacked shows the means.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "run.h"

enum { BINS = 560, CHARTS = 10, MOST = PLAIT_STAGE_COUNT };

typedef enum column {
    TIME,
    DT,
    FAILED,
    CONTACTS,
    GROUPS,
    LARGEST,
    ITERATIONS,
    RESIDUAL,
    DISSIPATED,
    KINETIC,
    ELASTIC,
    POTENTIAL,
    STRETCH,
    SPEED,
    STAGES,
    COLUMNS = STAGES + PLAIT_STAGE_COUNT
} column;

// Of the ledger: what takes energy, then what gives it.
enum { FRICTION, IMPACT, DAMPING, NUMERICAL, AIR, GIVEN, ENDS, COLLIDERS, LOADS, BONDS, RECOVERY, LEDGER };
static const char *const ledger_titles[LEDGER] = {
    "lost_friction", "lost_impact", "lost_damping", "lost_numerical", "work_air", "given",
    "work_ends",     "work_colliders", "work_loads", "work_bonds",    "recovery"};

typedef struct chart {
    const char *name; // of the file
    plait_plot plot;
    plait_series series[MOST];
    char y_label[64];
} chart;

typedef struct data {
    int rows;
    double *value;      // [COLUMNS][rows]
    double *ledger;     // [LEDGER][rows]; NULL: the run has none
    double *owned[512]; // what the charts point to
    int owns;
    chart chart[CHARTS];
    int charts;
} data;

static double *column_of(const data *d, int c)
{
    return d->value + (size_t)c * (size_t)d->rows;
}

static double *own(data *d, int count)
{
    double *x = plait_cli_alloc((size_t)count + 1, sizeof *x);
    d->owned[d->owns++] = x;
    return x;
}

static int bins_of(const data *d)
{
    return d->rows < BINS ? d->rows : BINS;
}

static int bin_begin(const data *d, int bin)
{
    return (int)((int64_t)d->rows * bin / bins_of(d));
}

// ---- series ------------------------------------------------------------------------------------------------------

// y scaled; at most two points per bin.
static plait_series line(data *d, const char *name, const double *y, double scale)
{
    const double *time = column_of(d, TIME);
    bool all = d->rows <= 2 * BINS;
    int bins = bins_of(d), count = 0;
    double *x = own(d, all ? d->rows : 2 * bins), *v = own(d, all ? d->rows : 2 * bins);
    for (int i = 0; all && i < d->rows; i++, count++)
        x[i] = time[i], v[i] = scale * y[i];
    for (int b = 0; !all && b < bins; b++) {
        int begin = bin_begin(d, b), end = bin_begin(d, b + 1), low = -1, high = -1;
        for (int i = begin; i < end; i++) {
            if (!isfinite(y[i]))
                continue;
            low = low < 0 || y[i] < y[low] ? i : low;
            high = high < 0 || y[i] > y[high] ? i : high;
        }
        int first = low < high ? low : high, second = low < high ? high : low;
        x[count] = time[first < 0 ? begin : first], v[count++] = first < 0 ? NAN : scale * y[first];
        if (second != first)
            x[count] = time[second], v[count++] = scale * y[second];
    }
    return (plait_series){.name = name, .count = count, .x = x, .y = v};
}

// The mean in each bin, on top of `base`.
static plait_series layer(data *d, const char *name, const double *y, double scale, const double *base)
{
    const double *time = column_of(d, TIME);
    int bins = bins_of(d);
    double *x = own(d, bins), *v = own(d, bins);
    for (int b = 0; b < bins; b++) {
        int begin = bin_begin(d, b), end = bin_begin(d, b + 1);
        double sum = 0;
        for (int i = begin; i < end; i++)
            sum += isfinite(y[i]) ? y[i] : 0;
        x[b] = time[end - 1];
        v[b] = (base ? base[b] : 0) + scale * sum / (end - begin);
    }
    return (plait_series){.name = name, .count = bins, .x = x, .y = v, .base = base ? base : own(d, bins)};
}

// ---- charts ------------------------------------------------------------------------------------------------------

static chart *add(data *d, const char *name, const char *title, const char *y_label)
{
    chart *c = &d->chart[d->charts++];
    c->name = name;
    snprintf(c->y_label, sizeof c->y_label, "%s", y_label);
    c->plot = (plait_plot){.title = title, .x_label = "simulated time [s]", .y_label = c->y_label, .series = c->series};
    return c;
}

static void put(chart *c, plait_series series)
{
    c->series[c->plot.count++] = series;
}

// A unit in which the largest of some columns is between 1 and 1000; its name replaces %s in the label.
static double choose_unit(chart *c, const char *label, const char *unit, int count, const double *const *y, int rows)
{
    static const char *const prefixes[] = {"", "m", "\xc2\xb5", "n", "p"};
    double most = 0, scale = 1;
    int k = 0;
    for (int s = 0; s < count; s++)
        for (int i = 0; i < rows; i++)
            most = isfinite(y[s][i]) ? fmax(most, fabs(y[s][i])) : most;
    for (; k < 4 && most > 0 && most * scale < 1; k++)
        scale *= 1000;
    snprintf(c->y_label, sizeof c->y_label, "%s [%s%s]", label, prefixes[k], unit);
    return scale;
}

static void add_energy(data *d)
{
    const double *kinetic = column_of(d, KINETIC), *elastic = column_of(d, ELASTIC),
                 *potential = column_of(d, POTENTIAL);
    const double *dissipated = column_of(d, DISSIPATED);
    double *change = own(d, d->rows), *sum = own(d, d->rows), *lost = own(d, d->rows), total = 0;
    for (int i = 0; i < d->rows; i++) {
        change[i] = potential[i] - potential[0];
        sum[i] = kinetic[i] + elastic[i] + change[i];
        total += isfinite(dissipated[i]) ? dissipated[i] : 0;
        lost[i] = total;
    }
    const double *const all[] = {kinetic, elastic, change, sum, lost};
    chart *c = add(d, "energy", "Energy", "");
    double scale = choose_unit(c, "energy", "J", 5, all, d->rows);
    put(c, line(d, "kinetic", kinetic, scale));
    put(c, line(d, "elastic", elastic, scale));
    put(c, line(d, "potential, from the start on", change, scale));
    put(c, line(d, "sum of these", sum, scale));
    put(c, line(d, "lost by friction so far", lost, scale));
    c->series[3].dashed = true;
}

// Where energy went so far, in layers; dashed, what must be their sum: all that was given, less what bodies have more
// than at the end of the first step.
static void add_ledger(data *d)
{
    static const char *const names[] = {"friction", "impacts", "damping", "the steps themselves", "the air"};
    const double *kinetic = column_of(d, KINETIC), *elastic = column_of(d, ELASTIC),
                 *potential = column_of(d, POTENTIAL), *base = NULL;
    double *sum[AIR + 1], *left = own(d, d->rows), given = 0;
    if (!d->ledger)
        return;
    for (int k = 0; k <= AIR; k++) {
        double so_far = 0, sign = k == AIR ? -1 : 1, *y = d->ledger + (size_t)k * (size_t)d->rows;
        sum[k] = own(d, d->rows);
        for (int i = 1; i < d->rows; i++) {
            so_far += isfinite(y[i]) ? sign * y[i] : 0;
            sum[k][i] = so_far;
        }
    }
    for (int i = 1; i < d->rows; i++) {
        for (int k = GIVEN; k < LEDGER; k++) {
            double y = d->ledger[(size_t)k * (size_t)d->rows + (size_t)i];
            given += isfinite(y) ? y : 0;
        }
        left[i] = given - (kinetic[i] + elastic[i] + potential[i] - kinetic[0] - elastic[0] - potential[0]);
    }
    chart *c = add(d, "ledger", "Where energy went, so far", "");
    const double *const all[] = {left, sum[0], sum[1], sum[2], sum[3], sum[4]};
    double scale = choose_unit(c, "energy", "J", 6, all, d->rows);
    for (int k = 0; k <= AIR; k++) {
        put(c, layer(d, names[k], sum[k], scale, base));
        base = c->series[c->plot.count - 1].y;
    }
    put(c, line(d, "what must be their sum", left, scale));
    c->series[c->plot.count - 1].dashed = true;
}

static void add_simple(data *d, const char *name, const char *title, const char *label, const char *unit, int which,
                       double scale)
{
    const double *y = column_of(d, which);
    chart *c = add(d, name, title, label);
    put(c, line(d, "", y, *unit ? choose_unit(c, label, unit, 1, &y, d->rows) : scale));
}

// Time from its beginning to its end; what is never negative begins at zero.
static void set_ranges(data *d)
{
    const double *time = column_of(d, TIME);
    for (int i = 0; i < d->charts; i++) {
        plait_plot *p = &d->chart[i].plot;
        double low = 0, high = 0;
        for (int s = 0; s < p->count; s++) {
            for (int k = 0; k < p->series[s].count; k++) {
                low = isfinite(p->series[s].y[k]) ? fmin(low, p->series[s].y[k]) : low;
                high = isfinite(p->series[s].y[k]) ? fmax(high, p->series[s].y[k]) : high;
            }
        }
        p->x_min = fmin(0, time[0]);
        p->x_max = time[d->rows - 1];
        if (!p->log_y && low == 0 && high > 0)
            p->y_max = 1.06 * high;
    }
}

static void make_charts(data *d)
{
    chart *c = add(d, "contacts", "Contacts", "number");
    put(c, line(d, "contacts", column_of(d, CONTACTS), 1));
    put(c, line(d, "largest group", column_of(d, LARGEST), 1));
    put(c, line(d, "groups", column_of(d, GROUPS), 1));
    add_simple(d, "residual", "Residual of the contact problems", "relative residual", "", RESIDUAL, 1);
    d->chart[d->charts - 1].plot.log_y = true;
    add_simple(d, "iterations", "Iterations of the solver", "iterations of the largest group", "", ITERATIONS, 1);
    add_energy(d);
    add_ledger(d);
    const double *stage[PLAIT_STAGE_COUNT], *base = NULL;
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        stage[i] = column_of(d, STAGES + i);
    c = add(d, "seconds", "Wall clock per step", "");
    double scale = choose_unit(c, "wall clock per step", "s", PLAIT_STAGE_COUNT, stage, d->rows);
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++) {
        put(c, layer(d, plait_stage_name((plait_stage)i), stage[i], scale, base));
        base = c->series[c->plot.count - 1].y;
    }
    add_simple(d, "dt", "Time step", "time step", "s", DT, 1);
    d->chart[d->charts - 1].series[0].steps = true;
    add_simple(d, "stretch", "Largest stretch of a fibre", "stretch [%]", "", STRETCH, 100);
    add_simple(d, "speed", "Largest speed of a node", "speed", "m/s", SPEED, 1);
    set_ranges(d);
}

// ---- files -------------------------------------------------------------------------------------------------------

static bool read_data(const char *folder, data *d)
{
    static const char *const titles[STAGES] = {"time",          "dt",         "failed",       "contacts",   "groups",
                                               "largest_group", "iterations", "residual_rel", "dissipated", "kinetic",
                                               "elastic",       "potential",  "max_stretch",  "max_speed"};
    char stages[PLAIT_STAGE_COUNT][32];
    const char *all[COLUMNS];
    for (int i = 0; i < COLUMNS; i++)
        all[i] = i < STAGES ? titles[i] : stages[i - STAGES];
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++)
        snprintf(stages[i], sizeof stages[i], "seconds_%s", plait_stage_name((plait_stage)i));
    plait_error error = {0};
    char *path = plait_run_path(folder, "stats.csv");
    int rows;
    d->value = plait_run_read_columns(path, COLUMNS, all, &rows, &error);
    free(path);
    if (!d->value) {
        plait_cli_message("%s", error.text);
        return false;
    }
    d->rows = rows;
    plait_error ignored = {0};
    path = plait_run_path(folder, "stats.csv");
    d->ledger = plait_run_read_columns(path, LEDGER, ledger_titles, &rows, &ignored); // runs of earlier versions: none
    free(path);
    if (rows != d->rows)
        free(d->ledger), d->ledger = NULL;
    // A step that failed for good is the last row; it did not happen, so nothing of it is shown.
    if (column_of(d, FAILED)[rows - 1] != 0)
        for (int c = 0; c < COLUMNS; c++)
            column_of(d, c)[rows - 1] = c == TIME ? column_of(d, c)[rows > 1 ? rows - 2 : 0] : NAN;
    return true;
}

static char *file_name(const char *folder, const char *name, const char *format)
{
    char base[64];
    snprintf(base, sizeof base, "%s.%s", name, format);
    return plait_run_path(folder, base);
}

static bool write_charts(const data *d, const char *folder, const char *format, bool force)
{
    plait_plot sheet[CHARTS];
    bool ok = true;
    for (int i = 0; i <= d->charts && ok; i++) {
        char *path = file_name(folder, i < d->charts ? d->chart[i].name : "all", format);
        ok = plait_cli_may_write(path, force);
        free(path);
    }
    for (int i = 0; i <= d->charts && ok && !plait_cli_interrupted(); i++) {
        char *path = file_name(folder, i < d->charts ? d->chart[i].name : "all", format);
        if (i < d->charts)
            sheet[i] = d->chart[i].plot;
        ok = i < d->charts ? plait_cli_plot(path, &d->chart[i].plot) : plait_cli_plot_sheet(path, d->charts, sheet, 2);
        free(path);
    }
    return ok;
}

int plait_cli_plot_run(int argc, char **argv)
{
    const char *output = NULL, *format = "svg";
    bool force = false;
    plait_plot_table table = {.from = -INFINITY, .to = INFINITY};
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &output, 0, 0, "FOLDER", "where they go (DIR/plots); of a table: the file"},
        {"--x", 0, PLAIT_OPTION_TEXT, &table.x, 0, 0, "COLUMN", "of a table: along the chart"},
        {"--y", 0, PLAIT_OPTION_TEXT, &table.y, 0, 0, "COLUMN", "of a table: upwards"},
        {"--by", 0, PLAIT_OPTION_TEXT, &table.by, 0, 0, "COLUMN", "of a table: a line for each of its values"},
        {"--log", 0, PLAIT_OPTION_TEXT, &table.log, 0, 0, "x|y|xy", "logarithmic axes, of a table"},
        {"--path", 0, PLAIT_OPTION_FLAG, &table.rows, 0, 0, NULL,
         "of a table: join points as its rows come, not as x grows"},
        {"--fit", 0, PLAIT_OPTION_FLAG, &table.fit, 0, 0, NULL,
         "of a table: fit a power law y = c x^k to each line and tell c, k and how far points are from it"},
        {"--onset", 0, PLAIT_OPTION_REAL, &table.onset, -1e300, 1e300, "X0",
         "the fit is y = c (x - X0)^k: what begins at X0 (a pack that begins to bear)"},
        {"--from", 0, PLAIT_OPTION_REAL, &table.from, -1e300, 1e300, "X", "the fit begins here"},
        {"--to", 0, PLAIT_OPTION_REAL, &table.to, -1e300, 1e300, "X", "the fit ends here"},
        {"--format", 0, PLAIT_OPTION_TEXT, &format, 0, 0, "svg|png", "default svg; png needs rsvg-convert"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &force, 0, 0, NULL, "write over charts that are there"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "plot",
        .usage = "DIR|TABLE.csv [options]",
        .summary = "Draws charts of how a simulation went, or of a table.",
        .details = "DIR is the folder of a run (plait run), finished or not. Over simulated time: contacts, residual, "
                   "iterations, energy, ledger (where it went), seconds (of each stage), dt, stretch, speed; and all on one sheet.\n\n"
                   "TABLE.csv is a table as 'plait sweep collect' makes it, or any CSV with titles; --x and --y name its "
                   "columns. Units behind numbers are left out; rows without both numbers too.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = "plot runs/knot\truns/knot/plots/*.svg\n"
                    "plot runs/knot --format png -o charts\tfor a paper or a message\n"
                    "plot runs/friction/table.csv --x friction.default --y elastic:last --by step.dt\ta sweep\n"
                    "plot runs/pack/measure.csv --x fraction --y stress_zz --log xy --fit --from 0.1\ta power law\n"
                    "plot runs/snap/measure.csv --x crown_z --y force --path\ta force past a fold",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (strcmp(format, "svg") != 0 && strcmp(format, "png") != 0)
        return plait_cli_fail("--format: svg or png is expected, found '%s'", format);
    size_t length = strlen(argv[1]);
    if (length > 4 && strcmp(argv[1] + length - 4, ".csv") == 0) {
        table.path = argv[1], table.output = output, table.format = format, table.force = force;
        return plait_cli_plot_table(&table);
    }
    if (table.x || table.y || table.by || table.log)
        return plait_cli_fail("--x, --y, --by and --log are for tables (.csv), found %s", argv[1]);
    data *d = plait_cli_alloc(1, sizeof *d);
    char *folder = output ? NULL : plait_run_path(argv[1], "plots");
    const char *to = output ? output : folder;
    code = PLAIT_EXIT_BAD;
    plait_cli_catch_interrupt();
    if (read_data(argv[1], d) && plait_run_make_folder(to)) {
        make_charts(d);
        if (write_charts(d, to, format, force)) {
            printf("%s: %d charts of %s steps; all of them: %s/all.%s\n", to, d->charts, plait_cli_count(d->rows), to,
                   format);
            code = plait_cli_flush(stdout, "standard output") ? plait_cli_interrupt_exit() : PLAIT_EXIT_BAD;
        }
    }
    for (int i = 0; i < d->owns; i++)
        free(d->owned[i]);
    free(d->value);
    free(d->ledger);
    free(d);
    free(folder);
    return code;
}
