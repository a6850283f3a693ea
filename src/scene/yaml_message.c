// yaml_message.c: messages as compilers write them: place, what is wrong, the line, a caret.
//
// All of it has to fit into plait_error: names lose their beginning, long lines are shown around the column.
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scene/yaml.h"

enum { SHOWN = 72, NAME = 110, WORDS = 170 };

// Start of a line of the text; NULL if there are not so many.
static const char *find_line(const plait_yaml_source *source, int line)
{
    const char *at = source->text, *end = source->text + source->size;
    for (int i = 1; i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (!at)
            return NULL;
        at++;
    }
    return at;
}

static bool starts_character(char c)
{
    return ((unsigned char)c & 0xc0) != 0x80;
}

// Characters first .. first + count - 1 of the line, in bytes.
static const char *find_column(const char *at, const char *end, int column)
{
    for (int i = 1; i < column && at < end; i++) {
        at++;
        while (at < end && !starts_character(*at))
            at++;
    }
    return at;
}

static int characters(const char *at, const char *end)
{
    int count = 0;
    for (; at < end; at++)
        count += starts_character(*at);
    return count;
}

// The line around the column and the caret line below, both with their line ends.
static void quote(const plait_yaml_source *source, int line, int column, int width, char *out, size_t size)
{
    const char *start = find_line(source, line);
    out[0] = 0;
    if (!start)
        return;
    const char *end = start + strcspn(start, "\r\n");
    int length = characters(start, end), first = 1;
    if (length > SHOWN && column > SHOWN / 2)
        first = column - SHOWN / 2 < length - SHOWN + 1 ? column - SHOWN / 2 : length - SHOWN + 1;
    const char *from = find_column(start, end, first), *to = find_column(from, end, SHOWN + 1);
    if (to - from > 2 * SHOWN) // wide scripts: bytes are what is short here
        to = find_column(from, from + 2 * SHOWN, SHOWN);
    size_t at = (size_t)snprintf(out, size, "\n%s", first > 1 ? "..." : "");
    for (const char *c = from; c < to && at + 1 < size; c++)
        out[at++] = (unsigned char)*c < 0x20 || *c == 0x7f ? ' ' : *c;
    out[at] = 0;
    at += (size_t)snprintf(out + at, size - at, "%s\n%*s^", to < end ? "..." : "", column - first + (first > 1 ? 3 : 0),
                           "");
    int room = characters(from, to) - (column - first) - 1; // what may be underlined behind the caret
    for (int i = 1; i < width && i <= room && at + 1 < size; i++)
        out[at++] = '~';
    if (at < size)
        out[at] = 0;
}

// A file's own words must not steer a terminal: control characters, also those of two bytes (U+0080 to U+009F).
static void hide_controls(char *text)
{
    for (unsigned char *c = (unsigned char *)text; *c; c++)
        if (*c < 0x20 || *c == 0x7f || (*c == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0))
            *c = '?';
}

static void fail(plait_error *error, const plait_yaml_source *source, int line, int column, int width,
                 const char *format, va_list args)
{
    char words[WORDS + 1], picture[2 * SHOWN + SHOWN + 32];
    if (!error)
        return;
    int length = vsnprintf(words, sizeof words, format, args);
    if (length > WORDS)
        memcpy(words + WORDS - 3, "...", 4);
    hide_controls(words);
    quote(source, line, column, width, picture, sizeof picture);
    size_t name = strlen(source->name);
    bool cut = name > NAME;
    plait_error_set(error, PLAIT_BAD_INPUT, "%s%s:%d:%d: error: %s%s", cut ? "..." : "",
                    source->name + (cut ? name - NAME + 3 : 0), line, column, words, picture);
}

bool plait_yaml_fail(plait_error *error, const plait_yaml_node *at, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(error, at->source, at->line, at->column, at->width, format, args);
    va_end(args);
    return false;
}

bool plait_yaml_fail_at(plait_error *error, const plait_yaml_source *source, int line, int column, int width,
                        const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(error, source, line, column, width, format, args);
    va_end(args);
    return false;
}

// ---- did you mean ------------------------------------------------------------------------------------------------

// Letters to insert, delete, replace or swap (Damerau); long words are no misspelling of anything.
static int distance(const char *a, const char *b)
{
    enum { MAX = 40 };
    int n = (int)strlen(a), m = (int)strlen(b), d[MAX + 1][MAX + 1];
    if (n > MAX || m > MAX)
        return MAX;
    for (int i = 0; i <= n; i++) {
        for (int j = 0; j <= m; j++) {
            if (i == 0 || j == 0) {
                d[i][j] = i + j;
                continue;
            }
            int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
            best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && d[i - 2][j - 2] + 1 < best)
                best = d[i - 2][j - 2] + 1;
            d[i][j] = best;
        }
    }
    return d[n][m];
}

const char *plait_yaml_nearest(const char *text, int count, const char *const *names)
{
    const char *near = NULL;
    int best = 1 + (int)strlen(text) / 3; // at most a third of the letters wrong, and one
    for (int i = 0; i < count; i++) {
        int d = distance(text, names[i]);
        if (d < best + (near == NULL) && d < (int)strlen(names[i])) {
            best = d;
            near = names[i];
        }
    }
    return near;
}

const char *plait_yaml_suggest(const char *text, int count, const char *const *names, char out[160])
{
    const char *near = plait_yaml_nearest(text, count, names);
    out[0] = 0;
    if (near) {
        snprintf(out, 160, "; did you mean '%s'?", near);
        return out;
    }
    size_t total = 0;
    for (int i = 0; i < count; i++)
        total += strlen(names[i]) + 5;
    if (count == 0 || total > 110)
        return out;
    size_t at = (size_t)snprintf(out, 160, count == 1 ? "; there is only " : "; there are ");
    for (int i = 0; i < count; i++)
        at += (size_t)snprintf(out + at, 160 - at, "%s'%s'", i == 0 ? "" : i == count - 1 ? " and " : ", ", names[i]);
    return out;
}
