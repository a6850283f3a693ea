// plot_table.c: a chart of two columns of a table.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"
#include "run.h"

enum { CELLS = 512, LINES = 12 };

typedef struct point {
    double x, y;
    int line; // which value of --by
    int row;
} point;

typedef struct chart {
    int points, lines;
    point *point;
    char *name[LINES];
} chart;

// Number of a title, -1 with a message.
static int find(const char *path, char *const *cell, int count, const char *title)
{
    const char *names[CELLS + 1];
    for (int i = 0; i < count; i++) {
        if (strcmp(cell[i], title) == 0)
            return i;
        names[i] = cell[i];
    }
    names[count] = NULL;
    const char *near = plait_cli_nearest(title, names);
    plait_cli_message("%s:1: there is no column '%s'%s%s%s", path, title, near ? "; did you mean '" : "",
                      near ? near : "", near ? "'?" : "");
    return -1;
}

// The number that a cell begins with; NAN: none.
static double number(const char *text)
{
    char *end;
    double x = strtod(text, &end);
    return end == text ? NAN : x;
}

static int line_of(chart *c, const char *name)
{
    for (int i = 0; i < c->lines; i++)
        if (strcmp(c->name[i], name) == 0)
            return i;
    if (c->lines == LINES)
        return -1;
    size_t size = strlen(name) + 1;
    c->name[c->lines] = plait_cli_alloc(size, 1);
    memcpy(c->name[c->lines], name, size);
    return c->lines++;
}

static bool read_rows(FILE *file, const plait_plot_table *t, chart *c)
{
    char *line = NULL, *cell[CELLS];
    size_t room = 0;
    int at[3] = {0, 0, -1};
    bool ok = true;
    for (int row = 1; ok && getline(&line, &room, file) > 0; row++) {
        line[strcspn(line, "\r\n")] = 0;
        int count = plait_csv_split(line, cell, CELLS);
        if (row == 1) {
            at[0] = find(t->path, cell, count, t->x);
            at[1] = at[0] < 0 ? -1 : find(t->path, cell, count, t->y);
            at[2] = at[1] >= 0 && t->by ? find(t->path, cell, count, t->by) : -1;
            ok = at[0] >= 0 && at[1] >= 0 && (!t->by || at[2] >= 0);
            continue;
        }
        if (at[0] >= count || at[1] >= count || at[2] >= count)
            continue;
        point p = {number(cell[at[0]]), number(cell[at[1]]), 0, row};
        p.line = line_of(c, t->by ? cell[at[2]] : "");
        if (p.line < 0) {
            plait_cli_message("%s:%d: --by %s has more than %d values", t->path, row, t->by, LINES);
            ok = false;
        } else if (isfinite(p.x) && isfinite(p.y)) {
            c->point = plait_cli_grow(c->point, (size_t)c->points + 1, sizeof *c->point);
            c->point[c->points++] = p;
        }
    }
    free(line);
    if (ok && c->points == 0) {
        plait_cli_message("%s: expected rows with numbers in '%s' and '%s', found none", t->path, t->x, t->y);
        ok = false;
    }
    return ok;
}

static int compare(const void *a, const void *b)
{
    const point *p = a, *q = b;
    if (p->line != q->line)
        return p->line - q->line;
    return p->x < q->x ? -1 : p->x > q->x ? 1 : p->y < q->y ? -1 : p->y > q->y;
}

static int as_rows(const void *a, const void *b)
{
    const point *p = a, *q = b;
    return p->line != q->line ? p->line - q->line : p->row - q->row;
}

// A straight line through log y over log (x - onset), least squares; told of each line.
static void fit(const plait_plot_table *t, const chart *c)
{
    for (int line = 0; line < c->lines; line++) {
        double n = 0, sx = 0, sy = 0, xx = 0, xy = 0, square = 0;
        for (int turn = 0; turn < 2; turn++)
            for (int i = 0; i < c->points; i++) {
                const point *p = &c->point[i];
                if (p->line != line || !(p->x > t->onset && p->y > 0) || p->x < t->from || p->x > t->to)
                    continue;
                double x = log(p->x - t->onset), y = log(p->y);
                if (turn == 0) {
                    n++, sx += x, sy += y, xx += x * x, xy += x * y;
                    continue;
                }
                double k = (n * xy - sx * sy) / (n * xx - sx * sx), left = y - sy / n - k * (x - sx / n);
                square += left * left;
            }
        double k = (n * xy - sx * sy) / (n * xx - sx * sx);
        const char *name = c->name[line];
        if (n < 3 || !isfinite(k)) {
            printf("%s%sno fit: three points with x above %g and y above zero are needed\n", name, *name ? ": " : "",
                   t->onset);
            continue;
        }
        char base[300];
        if (t->onset != 0)
            snprintf(base, sizeof base, "(%s - %g)", t->x, t->onset);
        else
            snprintf(base, sizeof base, "%s", t->x);
        printf("%s%s%s = %.6g %s^k, k = %.4f +- %.4f, rms %.3g of the logarithm, %.0f points\n", name,
               *name ? ": " : "", t->y, exp((sy - k * sx) / n), base, k,
               sqrt(square / (n - 2) * n / (n * xx - sx * sx)), sqrt(square / n), n);
    }
}

static bool draw(const plait_plot_table *t, const chart *c, const char *to)
{
    plait_series series[LINES] = {0};
    double *x = plait_cli_alloc(2 * (size_t)c->points, sizeof *x), *y = x + c->points;
    qsort(c->point, (size_t)c->points, sizeof *c->point, t->rows ? as_rows : compare);
    for (int i = 0; i < c->points; i++) {
        plait_series *s = &series[c->point[i].line];
        x[i] = c->point[i].x, y[i] = c->point[i].y;
        if (s->count++ == 0)
            s->x = x + i, s->y = y + i;
    }
    char name[LINES][80];
    for (int i = 0; i < c->lines; i++) {
        snprintf(name[i], sizeof name[i], "%s%s%s", t->by ? t->by : "", t->by ? " " : "", c->name[i]);
        series[i].name = name[i], series[i].markers = true;
    }
    plait_plot plot = {.title = plait_cli_base_name(t->path), .x_label = t->x, .y_label = t->y};
    plot.log_x = t->log && strchr(t->log, 'x'), plot.log_y = t->log && strchr(t->log, 'y');
    plot.count = c->lines, plot.series = series;
    bool ok = plait_cli_plot(to, &plot);
    free(x);
    return ok;
}

// TABLE.svg of TABLE.csv; the caller frees it.
static char *beside(const char *path, const char *format)
{
    size_t size = strlen(path) + strlen(format) + 2;
    char *name = plait_cli_alloc(size, 1);
    snprintf(name, size, "%.*s.%s", (int)strlen(path) - 4, path, format);
    return name;
}

int plait_cli_plot_table(const plait_plot_table *t)
{
    if (!t->x || !t->y)
        return plait_cli_fail("%s: --x and --y are needed: names of its columns", t->path);
    if (t->log && strspn(t->log, "xy") != strlen(t->log))
        return plait_cli_fail("--log: x, y or xy is expected, found '%s'", t->log);
    FILE *file = fopen(t->path, "r");
    if (!file)
        return plait_cli_fail("%s: cannot be read: %s", t->path, strerror(errno));
    chart c = {0};
    char *own = t->output ? NULL : beside(t->path, t->format);
    const char *to = t->output ? t->output : own;
    bool ok = read_rows(file, t, &c) && plait_cli_may_write(to, t->force) && draw(t, &c, to);
    fclose(file);
    if (ok)
        printf("%s: %d points, %d lines\n", to, c.points, c.lines);
    if (ok && t->fit)
        fit(t, &c);
    for (int i = 0; i < c.lines; i++)
        free(c.name[i]);
    free(c.point);
    free(own);
    return ok && plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}
