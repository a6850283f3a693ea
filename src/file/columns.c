// columns.c: tables of numbers in text files.
#include "file/columns.h"

#include <ctype.h>
#include <errno.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/trouble.h"
#include "file/fail.h"

static bool wrong(plait_error *error, const char *path, long line, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plait_text_fail(error, path, line, format, args);
    va_end(args);
    return false;
}

static const char *skip(const char *c, const char *what)
{
    return c + strspn(c, what);
}

// One row. False: not that many finite numbers and nothing else.
static bool read_row(const char *c, int columns, double *out)
{
    for (int k = 0; k < columns; k++) {
        char *end;
        c = skip(c, k > 0 ? " \t,;" : " \t");
        out[k] = strtod(c, &end);
        if (end == c || !isfinite(out[k]))
            return false;
        c = end;
    }
    return *skip(c, " \t\r\n") == 0;
}

static double *read_rows(FILE *file, const char *path, int columns, int *rows, plait_error *error)
{
    char *line = NULL;
    size_t room = 0, have = 0;
    double *value = NULL;
    long number = 0;
    bool ok = true;
    *rows = 0;
    errno = 0;
    while (ok && getline(&line, &room, file) > 0) {
        const char *c = skip(line, " \t\r\n");
        number++;
        if (*c == 0 || *c == '#')
            continue;
        if ((size_t)(*rows + 1) * (size_t)columns > have) {
            have = 2 * have + 64 * (size_t)columns;
            double *more = realloc(value, have * sizeof *more);
            if (!more) {
                plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
                ok = false;
                break;
            }
            value = more;
        }
        if (read_row(c, columns, value + (size_t)*rows * (size_t)columns))
            ++*rows;
        else if (*rows > 0 || isdigit((unsigned char)*c) || *c == '-' || *c == '+' || *c == '.')
            ok = wrong(error, path, number, "%d numbers are expected", columns);
    }
    free(line);
    if (ok && !feof(file)) { // a line had no room, or the disk has failed
        plait_error_set(error, plait_trouble(errno), "%s: cannot be read: %s", path, strerror(errno));
        ok = false;
    }
    if (ok && *rows == 0)
        ok = wrong(error, path, 0, "rows of %d numbers are expected, found none", columns);
    if (ok)
        return value;
    free(value);
    return NULL;
}

double *plait_columns_read(const char *path, int columns, int *rows, plait_error *error)
{
    FILE *file = plait_file_open(path, "cannot be read", error);
    if (!file)
        return NULL;
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    double *value = read_rows(file, path, columns, rows, error);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    fclose(file);
    return value;
}
