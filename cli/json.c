// json.c: a JSON value, written as it goes.
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

enum { DEPTH = (int)(sizeof((plait_json){0}.filled) / sizeof(bool)) };

// Bytes of the well-formed UTF-8 character at s (no surrogates, no overlong forms), 0 if there is none.
static int utf8_length(const unsigned char *s)
{
    int length = s[0] < 0x80                   ? 1
                 : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
                 : s[0] >= 0xe0 && s[0] < 0xf0 ? 3
                 : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                               : 0;
    for (int i = 1; i < length; i++)
        if ((s[i] & 0xc0) != 0x80)
            return 0;
    if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) || (s[0] == 0xf0 && s[1] < 0x90) ||
        (s[0] == 0xf4 && s[1] > 0x8f))
        return 0;
    return length;
}

static void write_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (const unsigned char *s = (const unsigned char *)text; *s;) {
        int length = utf8_length(s);
        if (length == 0)
            fputs("\\ufffd", file);
        else if (*s == '"' || *s == '\\')
            fprintf(file, "\\%c", *s);
        else if (*s < 0x20 || *s == 0x7f)
            fprintf(file, "\\u%04x", *s);
        else
            fwrite(s, 1, (size_t)length, file);
        s += length ? length : 1;
    }
    fputc('"', file);
}

// Everything that comes before a value: the comma after the last one, the line, the key.
static void write_start(plait_json *json, const char *key)
{
    int depth = json->depth;
    if (depth > 0) {
        bool flat = json->flat[depth - 1];
        if (json->filled[depth - 1])
            fputs(flat ? ", " : ",", json->file);
        if (!flat)
            fprintf(json->file, "\n%*s", 2 * depth, "");
        json->filled[depth - 1] = true;
    }
    if (key) {
        write_string(json->file, key);
        fputs(": ", json->file);
    }
}

static void write_end(plait_json *json)
{
    if (json->depth == 0)
        fputc('\n', json->file);
}

void plait_json_open(plait_json *json, FILE *file)
{
    memset(json, 0, sizeof *json);
    json->file = file;
}

static void begin(plait_json *json, const char *key, char bracket, bool flat)
{
    assert(json->depth < DEPTH && (bracket == '{' || bracket == '['));
    write_start(json, key);
    fputc(bracket, json->file);
    json->flat[json->depth] = flat || (json->depth > 0 && json->flat[json->depth - 1]);
    json->filled[json->depth++] = false;
}

void plait_json_begin(plait_json *json, const char *key, char bracket)
{
    begin(json, key, bracket, false);
}

void plait_json_begin_flat(plait_json *json, const char *key, char bracket)
{
    begin(json, key, bracket, true);
}

void plait_json_end(plait_json *json, char bracket)
{
    assert(json->depth > 0 && (bracket == '}' || bracket == ']'));
    json->depth--;
    if (json->filled[json->depth] && !json->flat[json->depth])
        fprintf(json->file, "\n%*s", 2 * json->depth, "");
    fputc(bracket, json->file);
    write_end(json);
}

void plait_json_string(plait_json *json, const char *key, const char *value)
{
    write_start(json, key);
    if (value)
        write_string(json->file, value);
    else
        fputs("null", json->file);
    write_end(json);
}

void plait_json_real(plait_json *json, const char *key, double value)
{
    write_start(json, key);
    char text[40];
    if (!isfinite(value)) {
        fputs("null", json->file);
    } else {
        // The shortest of the usual lengths that reads back as the same number.
        for (int digits = 6; digits <= 17; digits++) {
            snprintf(text, sizeof text, "%.*g", digits, value);
            if (strtod(text, NULL) == value)
                break;
        }
        fputs(text, json->file);
    }
    write_end(json);
}

void plait_json_int(plait_json *json, const char *key, int64_t value)
{
    write_start(json, key);
    fprintf(json->file, "%" PRId64, value);
    write_end(json);
}

void plait_json_bool(plait_json *json, const char *key, bool value)
{
    write_start(json, key);
    fputs(value ? "true" : "false", json->file);
    write_end(json);
}

void plait_json_start(plait_json *json)
{
    plait_json_open(json, stdout);
    plait_json_begin(json, NULL, '{');
}
