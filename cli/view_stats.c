// view_stats.c: the statistics of a run for the page's plots, read again only where the file has grown.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

// How the rows behind one point of a plot become one number.
typedef enum rule { MEAN, MAX, LAST, SUM } rule;

enum { STEP, TIME, DT, FAILED, DISSIPATED, PLOTTED, COLUMNS = PLOTTED + 13 + PLAIT_STAGE_COUNT };

static const struct {
    const char *name;
    rule rule;
} columns[COLUMNS] = {
    {"step", LAST},      {"time", LAST},       {"dt", MEAN},          {"failed", MAX},   {"dissipated", SUM},
    {"contacts", MEAN},  {"iterations", MEAN}, {"residual_rel", MAX}, {"kinetic", LAST}, {"elastic", LAST},
    {"potential", LAST}, {"seconds", MEAN},    {"rejections", SUM},   {"sticking", MEAN}, {"sliding", MEAN},
    {"creep", MAX},      {"balance", MAX},     {"overlap", MAX},      {NULL, MEAN}, // seconds of the stages
};

struct plait_view_stats {
    char *path;
    long offset; // of the first byte that was not read yet
    int at[COLUMNS];
    size_t rows, room;
    double (*row)[COLUMNS];
    char **cell; // of the line that is read
    int cells;   // there is room for
};

static const char *column_name(int i, char buffer[64])
{
    int stage = i - (COLUMNS - PLAIT_STAGE_COUNT);
    if (stage < 0)
        return columns[i].name;
    snprintf(buffer, 64, "seconds_%s", plait_stage_name((plait_stage)stage));
    return buffer;
}

plait_view_stats *plait_view_stats_new(const char *path)
{
    plait_view_stats *s = plait_cli_alloc(1, sizeof *s);
    s->path = plait_cli_alloc(strlen(path) + 1, 1);
    strcpy(s->path, path);
    return s;
}

void plait_view_stats_free(plait_view_stats *s)
{
    if (!s)
        return;
    free(s->row), free(s->cell), free(s->path), free(s);
}

// ---- reading -----------------------------------------------------------------------------------------------------

static void put_cell(plait_view_stats *s, int number, char *text)
{
    if (number == s->cells) {
        s->cells = s->cells ? 2 * s->cells : 64;
        s->cell = plait_cli_grow(s->cell, (size_t)s->cells, sizeof *s->cell);
    }
    s->cell[number] = text;
}

// Where the cells of a line begin; commas inside of quotes do not count. How many there are.
static int split(plait_view_stats *s, char *line)
{
    int count = 0;
    bool quoted = false;
    put_cell(s, count++, line);
    for (char *c = line; *c; c++) {
        if (*c == '"')
            quoted = !quoted;
        else if (*c == ',' && !quoted) {
            *c = 0;
            put_cell(s, count++, c + 1);
        }
    }
    return count;
}

static void read_titles(plait_view_stats *s, char *line)
{
    char buffer[64];
    int count = split(s, line);
    for (int i = 0; i < COLUMNS; i++) {
        s->at[i] = -1;
        for (int k = 0; k < count; k++)
            if (strcmp(s->cell[k], column_name(i, buffer)) == 0)
                s->at[i] = k;
    }
}

static void read_row(plait_view_stats *s, char *line)
{
    int count = split(s, line);
    if (s->rows == s->room) {
        s->room = s->room ? 2 * s->room : 256;
        s->row = plait_cli_grow(s->row, s->room, sizeof *s->row);
    }
    double *row = s->row[s->rows];
    for (int i = 0; i < COLUMNS; i++) // what is not there or no number is 0
        row[i] = s->at[i] >= 0 && s->at[i] < count ? strtod(s->cell[s->at[i]], NULL) : 0;
    bool follows = s->rows == 0 || row[STEP] > s->row[s->rows - 1][STEP];
    if (row[FAILED] == 0 && row[STEP] > 0 && follows)
        s->rows++;
}

static void update(plait_view_stats *s)
{
    FILE *file = fopen(s->path, "r");
    if (!file)
        return;
    fseek(file, 0, SEEK_END);
    if (ftell(file) < s->offset) { // begun anew
        s->offset = 0;
        s->rows = 0;
    }
    fseek(file, s->offset, SEEK_SET);
    char *line = NULL;
    size_t room = 0;
    for (ssize_t length; (length = getline(&line, &room, file)) > 0 && line[length - 1] == '\n';) {
        line[length - 1] = 0;
        if (s->offset == 0)
            read_titles(s, line);
        else
            read_row(s, line);
        s->offset += (long)length;
    }
    free(line);
    fclose(file);
}

double plait_view_stats_dt(plait_view_stats *s, int64_t step)
{
    if (s->rows == 0 || s->row[s->rows - 1][STEP] < (double)step)
        update(s);
    size_t low = 0, high = s->rows;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (s->row[middle][STEP] < (double)step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->rows && s->row[low][STEP] == (double)step ? s->row[low][DT] : 0;
}

// ---- plots -------------------------------------------------------------------------------------------------------

static double gather(const plait_view_stats *s, int column, size_t from, size_t to)
{
    rule r = column < PLOTTED + 8 ? columns[column].rule : MEAN;
    double x = s->row[to - 1][column];
    if (r == LAST)
        return x;
    double sum = 0, most = 0;
    for (size_t i = from; i < to; i++) {
        sum += s->row[i][column];
        most = s->row[i][column] > most ? s->row[i][column] : most;
    }
    return r == MAX ? most : r == SUM ? sum : sum / (double)(to - from);
}

void plait_view_stats_json(plait_view_stats *s, FILE *file)
{
    enum { POINTS = 1000 };
    update(s);
    size_t points = s->rows < POINTS ? s->rows : POINTS;
    plait_json json;
    plait_json_open(&json, file);
    plait_json_begin(&json, NULL, '{');
    plait_json_int(&json, "steps", (int64_t)s->rows);
    for (int c = 0; c < COLUMNS; c++) {
        char buffer[64];
        double sum = 0;
        plait_json_begin_flat(&json, column_name(c, buffer), '[');
        for (size_t i = 0; i < points; i++) {
            double x = gather(s, c, i * s->rows / points, (i + 1) * s->rows / points);
            sum += x;
            plait_json_real(&json, NULL, c == DISSIPATED ? sum : x); // of all steps so far
        }
        plait_json_end(&json, ']');
    }
    plait_json_end(&json, '}');
}
