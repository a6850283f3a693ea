// table.c: text in aligned columns, and numbers as a person writes them.
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

struct plait_table {
    int columns;
    size_t cells, capacity, rules;
    bool *left;   // [columns]
    char **cell;  // [cells], the titles first
    size_t *rule; // [rules] cells before the line
};

// Columns a UTF-8 text takes on a terminal (every character one; ours are such).
static int text_width(const char *s)
{
    int width = 0;
    for (; *s; s++)
        width += (*s & 0xc0) != 0x80;
    return width;
}

static void add_cell(plait_table *table, const char *text)
{
    if (table->cells == table->capacity) {
        table->capacity = table->capacity ? 2 * table->capacity : 64;
        table->cell = plait_cli_grow(table->cell, table->capacity, sizeof *table->cell);
    }
    size_t size = strlen(text) + 1;
    table->cell[table->cells] = plait_cli_alloc(size, 1);
    memcpy(table->cell[table->cells++], text, size);
}

plait_table *plait_table_new(const char *const *titles)
{
    plait_table *table = plait_cli_alloc(1, sizeof *table);
    while (titles[table->columns])
        table->columns++;
    table->left = plait_cli_alloc((size_t)table->columns, sizeof *table->left);
    for (int i = 0; i < table->columns; i++) {
        table->left[i] = titles[i][0] == '<';
        add_cell(table, titles[i] + table->left[i]);
    }
    return table;
}

void plait_table_cell(plait_table *table, const char *format, ...)
{
    char text[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    // Control characters in a file name must not break the lines.
    for (char *s = text; *s; s++)
        if ((unsigned char)*s < 0x20 || *s == 0x7f)
            *s = '?';
    add_cell(table, text);
}

void plait_table_rule(plait_table *table)
{
    table->rule = plait_cli_grow(table->rule, table->rules + 1, sizeof *table->rule);
    table->rule[table->rules++] = table->cells;
}

static void print_rule(const int *width, int columns, FILE *file)
{
    int total = 2 * (columns - 1);
    for (int c = 0; c < columns; c++)
        total += width[c];
    for (int i = 0; i < total; i++)
        fputc('-', file);
    fputc('\n', file);
}

void plait_table_print(const plait_table *table, FILE *file)
{
    int columns = table->columns, *width = plait_cli_alloc((size_t)columns, sizeof *width);
    size_t rows = (table->cells + (size_t)columns - 1) / (size_t)columns, next_rule = 0;
    for (size_t i = 0; i < table->cells; i++) {
        int w = text_width(table->cell[i]), c = (int)(i % (size_t)columns);
        width[c] = w > width[c] ? w : width[c];
    }
    for (size_t row = 0; row < rows; row++) {
        for (; next_rule < table->rules && table->rule[next_rule] <= row * (size_t)columns; next_rule++)
            print_rule(width, columns, file);
        for (int c = 0; c < columns; c++) {
            size_t i = row * (size_t)columns + (size_t)c;
            const char *text = i < table->cells ? table->cell[i] : "";
            int pad = width[c] - text_width(text);
            bool last = c + 1 == columns;
            if (table->left[c])
                fprintf(file, "%s%*s%s", text, last ? 0 : pad, "", last ? "\n" : "  ");
            else
                fprintf(file, "%*s%s%s", pad, "", text, last ? "\n" : "  ");
        }
        if (row == 0)
            print_rule(width, columns, file);
    }
    free(width);
}

void plait_table_free(plait_table *table)
{
    if (!table)
        return;
    for (size_t i = 0; i < table->cells; i++)
        free(table->cell[i]);
    free(table->cell);
    free(table->rule);
    free(table->left);
    free(table);
}

// ---- numbers -----------------------------------------------------------------------------------------------------

enum { BUFFERS = 16, BUFFER_SIZE = 40 };

static char *next_buffer(void)
{
    static char buffer[BUFFERS][BUFFER_SIZE];
    static int at;
    at = (at + 1) % BUFFERS;
    return buffer[at];
}

const char *plait_cli_number(double value)
{
    char *text = next_buffer();
    double size = fabs(value);
    if (!isfinite(value)) {
        snprintf(text, BUFFER_SIZE, "-");
    } else if (size == 0) {
        snprintf(text, BUFFER_SIZE, "0");
    } else if (size < 9.995e-5 || size >= 9.995e6) {
        snprintf(text, BUFFER_SIZE, "%.2e", value);
    } else {
        int digits = 2 - (int)floor(log10(size * (1 + 5e-4)));
        snprintf(text, BUFFER_SIZE, "%.*f", digits < 0 ? 0 : digits, value);
    }
    return text;
}

const char *plait_cli_residual(double value)
{
    char *text = next_buffer();
    if (isfinite(value))
        snprintf(text, BUFFER_SIZE, value == 0 ? "0" : "%.1e", value);
    else
        snprintf(text, BUFFER_SIZE, "-");
    return text;
}

const char *plait_cli_count(int64_t value)
{
    char *text = next_buffer(), plain[32];
    int length = snprintf(plain, sizeof plain, "%" PRId64, value), at = 0;
    for (int i = 0; i < length; i++) {
        text[at++] = plain[i];
        if (i + 1 < length && (length - 1 - i) % 3 == 0 && plain[i] != '-')
            text[at++] = ' ';
    }
    text[at] = 0;
    return text;
}

const char *plait_cli_seconds(double seconds)
{
    char *text = next_buffer();
    if (!isfinite(seconds))
        snprintf(text, BUFFER_SIZE, "-");
    else if (seconds < 1e-6)
        snprintf(text, BUFFER_SIZE, "%s ns", plait_cli_number(1e9 * seconds));
    else if (seconds < 1e-3)
        snprintf(text, BUFFER_SIZE, "%s us", plait_cli_number(1e6 * seconds));
    else if (seconds < 1)
        snprintf(text, BUFFER_SIZE, "%s ms", plait_cli_number(1e3 * seconds));
    else if (seconds < 120)
        snprintf(text, BUFFER_SIZE, "%s s", plait_cli_number(seconds));
    else
        snprintf(text, BUFFER_SIZE, "%.0f min %02d s", floor(seconds / 60), (int)fmod(seconds, 60));
    return text;
}

void plait_table_end(plait_table *table)
{
    plait_table_print(table, stdout);
    plait_table_free(table);
}

void plait_cli_csv_cell(FILE *file, const char *text)
{
    const char *quote = strpbrk(text, ",\"\n") ? "\"" : "";
    fputs(quote, file);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', file);
        fputc(*text == '\n' ? ' ' : *text, file);
    }
    fputs(quote, file);
}
