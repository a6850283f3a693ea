// usda_token.c: USD's text form, cut into words, numbers, strings and signs.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/fail.h"
#include "file/usda_read.h"

bool plait_usda_fail(plait_usda_reader *r, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plait_text_fail(r->error, r->name, r->line, format, args);
    va_end(args);
    r->kind = PLAIT_USDA_BAD;
    return false;
}

bool plait_usda_expected(plait_usda_reader *r, const char *what)
{
    if (r->kind == PLAIT_USDA_BAD)
        return false; // it was told already
    if (r->kind == PLAIT_USDA_END)
        return plait_usda_fail(r, "expected %s, found the end of the file", what);
    return plait_usda_fail(r, "expected %s, found '%.*s'", what, r->length < 40 ? (int)r->length : 40, r->text);
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':' ||
           c == '.' || (unsigned char)c >= 0x80;
}

static void skip_blanks(plait_usda_reader *r)
{
    for (; r->at < r->end; r->at++) {
        if (*r->at == '#') {
            const char *line_end = memchr(r->at, '\n', (size_t)(r->end - r->at));
            r->at = line_end ? line_end : r->end;
            if (!line_end)
                return;
        }
        if (*r->at == '\n')
            r->line++;
        else if (*r->at != ' ' && *r->at != '\t' && *r->at != '\r')
            return;
    }
}

// Up to the same quotes again; one or three of them.
static void read_string(plait_usda_reader *r)
{
    char quote = *r->at;
    int quotes = r->at[1] == quote && r->at[2] == quote ? 3 : 1;
    long begun = r->line;
    const char *from = r->at + quotes;
    for (const char *c = from; c < r->end; c++) {
        if (*c == '\\' && c + 1 < r->end) {
            c++;
        } else if (*c == '\n' && quotes == 1) {
            break;
        } else if (*c == quote && (quotes == 1 || (c[1] == quote && c[2] == quote))) {
            r->kind = PLAIT_USDA_STRING;
            r->text = from;
            r->length = (size_t)(c - from);
            r->at = c + quotes;
            return;
        }
        r->line += *c == '\n';
    }
    r->line = begun;
    plait_usda_fail(r, "expected a string with quotes at its end, found none");
}

static void read_other(plait_usda_reader *r, char close)
{
    const char *c = r->at + 1;
    int marks = close == '@' && c + 1 < r->end && c[0] == '@' && c[1] == '@' ? 3 : 1;
    for (c += marks - 1; c < r->end && *c != '\n'; c++) {
        if (*c == close && (marks == 1 || (c[1] == close && c[2] == close))) {
            r->kind = PLAIT_USDA_OTHER;
            r->length = (size_t)(c + marks - r->at);
            r->at = c + marks;
            return;
        }
    }
    plait_usda_fail(r, "expected '%c' at the end of a name, found none", close);
}

static void read_number(plait_usda_reader *r)
{
    char *end;
    size_t rest = strcspn(r->at, " \t\r\n,()[]{}");
    int shown = rest < 40 ? (int)rest : 40;
    r->value = strtod(r->at, &end);
    r->length = (size_t)(end - r->at);
    r->kind = PLAIT_USDA_NUMBER;
    if (r->length == 0 || end > r->end || (end < r->end && is_word(*end) && *end != ':'))
        plait_usda_fail(r, "expected a number, found '%.*s'", shown, r->at);
    else if (!isfinite(r->value))
        plait_usda_fail(r, "expected a finite number, found '%.*s'", shown, r->at);
    else
        r->at = end;
}

void plait_usda_next(plait_usda_reader *r)
{
    if (r->kind == PLAIT_USDA_BAD)
        return;
    skip_blanks(r);
    r->text = r->at;
    r->length = 1;
    r->sign = 0;
    if (r->at >= r->end) {
        r->kind = PLAIT_USDA_END;
        return;
    }
    char c = *r->at;
    if (c == '"' || c == '\'') {
        read_string(r);
    } else if (c == '@' || c == '<') {
        read_other(r, c == '@' ? '@' : '>');
    } else if ((c >= '0' && c <= '9') || c == '-' || c == '+' || c == '.') {
        read_number(r);
    } else if (strchr("()[]{}=,;:&", c)) {
        r->kind = PLAIT_USDA_SIGN;
        r->sign = c;
        r->at++;
    } else if (is_word(c) || c == '!') {
        r->kind = PLAIT_USDA_WORD;
        while (r->at < r->end && (is_word(*r->at) || *r->at == '!'))
            r->at++;
        while (r->end - r->at >= 2 && r->at[0] == '[' && r->at[1] == ']') // of the type of a list
            r->at += 2;
        r->length = (size_t)(r->at - r->text);
    } else {
        plait_usda_fail(r, "expected a word, a number or a sign, found '%c'", c);
    }
}

bool plait_usda_is(const plait_usda_reader *r, const char *word)
{
    return r->kind == PLAIT_USDA_WORD && strlen(word) == r->length && strncmp(word, r->text, r->length) == 0;
}

bool plait_usda_take(plait_usda_reader *r, char sign)
{
    if (r->kind == PLAIT_USDA_SIGN && r->sign == sign) {
        plait_usda_next(r);
        return r->kind != PLAIT_USDA_BAD;
    }
    char what[4] = {'\'', sign, '\'', 0};
    return plait_usda_expected(r, what);
}

bool plait_usda_skip_brackets(plait_usda_reader *r)
{
    char open[256];
    int depth = 0;
    long begun = r->line;
    do {
        if (r->kind == PLAIT_USDA_SIGN && strchr("([{", r->sign)) {
            if (depth == (int)sizeof open)
                return plait_usda_fail(r, "expected at most %d brackets inside each other, found more", depth);
            open[depth++] = r->sign;
        } else if (r->kind == PLAIT_USDA_SIGN && strchr(")]}", r->sign)) {
            char want = open[depth - 1] == '(' ? ')' : open[depth - 1] == '[' ? ']' : '}';
            if (r->sign != want)
                return plait_usda_fail(r, "expected '%c', found '%c'", want, r->sign);
            depth--;
        } else if (r->kind == PLAIT_USDA_END) {
            r->line = begun;
            return plait_usda_fail(r, "expected the other half of '%c', found the end of the file", open[0]);
        }
        plait_usda_next(r);
    } while (depth > 0 && r->kind != PLAIT_USDA_BAD);
    return r->kind != PLAIT_USDA_BAD;
}

bool plait_usda_skip_value(plait_usda_reader *r)
{
    if (r->kind == PLAIT_USDA_SIGN && strchr("([{", r->sign))
        return plait_usda_skip_brackets(r);
    if (r->kind == PLAIT_USDA_SIGN || r->kind == PLAIT_USDA_END || r->kind == PLAIT_USDA_BAD)
        return plait_usda_expected(r, "a value");
    bool file = r->kind == PLAIT_USDA_OTHER;
    plait_usda_next(r);
    if (file && r->kind == PLAIT_USDA_OTHER) // @file@<prim>
        plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}
