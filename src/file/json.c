// json.c: a small reader of JSON (RFC 8259); escapes in strings are checked and left as they stand.
#include "file/json.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/fail.h"

enum { MAX_DEPTH = 100, MAX_VALUES = 100000000 };

typedef struct reader {
    plait_json *json;
    const char *name, *begin, *at, *end;
    plait_error *error;
} reader;

static bool expected(reader *r, const char *what)
{
    long line = 1;
    for (const char *c = r->begin; c < r->at; c++)
        line += *c == '\n';
    if (r->at >= r->end)
        plait_error_set(r->error, PLAIT_BAD_FILE, "%s: line %ld: expected %s, found the end", r->name, line, what);
    else
        plait_error_set(r->error, PLAIT_BAD_FILE, "%s: line %ld: expected %s, found '%c'", r->name, line, what,
                        *r->at >= 32 && *r->at < 127 ? *r->at : '?');
    return false;
}

static void blanks(reader *r)
{
    while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\n' || *r->at == '\r'))
        r->at++;
}

static int add(reader *r)
{
    plait_json *j = r->json;
    if (!plait_file_grow((void **)&j->value, (size_t)j->values + 1, &j->room, sizeof *j->value, 256, MAX_VALUES,
                         r->name, r->error))
        return -1;
    j->value[j->values] = (plait_json_value){.child = -1, .next = -1};
    return j->values++;
}

static bool read_string(reader *r, const char **text, size_t *length)
{
    if (r->at >= r->end || *r->at != '"')
        return expected(r, "a string");
    *text = ++r->at;
    while (r->at < r->end && *r->at != '"') {
        if ((unsigned char)*r->at < 32)
            return expected(r, "'\"' at the end of a string");
        r->at += *r->at == '\\' && r->at + 1 < r->end ? 2 : 1;
    }
    if (r->at >= r->end)
        return expected(r, "'\"' at the end of a string");
    *length = (size_t)(r->at++ - *text);
    return true;
}

static bool word(reader *r, const char *w)
{
    size_t n = strlen(w);
    if ((size_t)(r->end - r->at) < n || memcmp(r->at, w, n) != 0)
        return false;
    r->at += n;
    return true;
}

static int read_value(reader *r, int depth);

// Entries of a list or a map, up to the closing sign.
static bool read_entries(reader *r, int self, bool map, int depth)
{
    char close = map ? '}' : ']';
    int last = -1;
    r->at++;
    blanks(r);
    if (r->at < r->end && *r->at == close) {
        r->at++;
        return true;
    }
    while (true) {
        const char *key = NULL;
        size_t length = 0;
        blanks(r);
        if (map) {
            if (!read_string(r, &key, &length))
                return false;
            blanks(r);
            if (r->at >= r->end || *r->at != ':')
                return expected(r, "':'");
            r->at++;
        }
        int i = read_value(r, depth + 1);
        if (i < 0)
            return false;
        r->json->value[i].key = key;
        r->json->value[i].key_length = length;
        if (last < 0)
            r->json->value[self].child = i;
        else
            r->json->value[last].next = i;
        last = i;
        r->json->value[self].count++;
        blanks(r);
        if (r->at < r->end && *r->at == ',') {
            r->at++;
        } else if (r->at < r->end && *r->at == close) {
            r->at++;
            return true;
        } else {
            return expected(r, map ? "',' or '}'" : "',' or ']'");
        }
    }
}

static bool read_number(reader *r, double *out)
{
    char *end;
    if (!strchr("-0123456789", *r->at))
        return expected(r, "a value");
    *out = strtod(r->at, &end);
    if (end == r->at || end > r->end || !isfinite(*out))
        return expected(r, "a finite number");
    r->at = end;
    return true;
}

static int read_value(reader *r, int depth)
{
    int self = add(r);
    blanks(r);
    if (self < 0)
        return -1;
    if (depth > MAX_DEPTH || r->at >= r->end)
        return expected(r, depth > MAX_DEPTH ? "fewer brackets inside each other" : "a value"), -1;
    plait_json_value v = r->json->value[self];
    bool ok = true, entries = false;
    if (*r->at == '{' || *r->at == '[') {
        v.kind = *r->at == '{' ? PLAIT_JSON_MAP : PLAIT_JSON_LIST;
        entries = true;
    } else if (*r->at == '"') {
        v.kind = PLAIT_JSON_STRING;
        ok = read_string(r, &v.text, &v.length);
    } else if (word(r, "true")) {
        v.kind = PLAIT_JSON_BOOL, v.number = 1;
    } else if (word(r, "false")) {
        v.kind = PLAIT_JSON_BOOL;
    } else if (!word(r, "null")) {
        v.kind = PLAIT_JSON_NUMBER;
        ok = read_number(r, &v.number);
    }
    r->json->value[self] = v;
    if (ok && entries)
        ok = read_entries(r, self, v.kind == PLAIT_JSON_MAP, depth);
    return ok ? self : -1;
}

bool plait_json_parse(plait_json *json, const char *name, const char *text, size_t size, plait_error *error)
{
    reader r = {json, name, text, text, text + size, error};
    *json = (plait_json){0};
    if (read_value(&r, 0) < 0)
        return false;
    blanks(&r);
    while (r.at < r.end && *r.at == 0) // .glb pads with blanks; some writers with zeros
        r.at++;
    return r.at == r.end || expected(&r, "nothing more");
}

void plait_json_free(plait_json *json)
{
    free(json->value);
}

int plait_json_get(const plait_json *json, int map, const char *key)
{
    size_t length = strlen(key);
    if (map < 0 || json->value[map].kind != PLAIT_JSON_MAP)
        return -1;
    for (int i = json->value[map].child; i >= 0; i = json->value[i].next)
        if (json->value[i].key_length == length && memcmp(json->value[i].key, key, length) == 0)
            return i;
    return -1;
}

int plait_json_at(const plait_json *json, int list, int i)
{
    if (list < 0 || json->value[list].kind != PLAIT_JSON_LIST || i < 0 || i >= json->value[list].count)
        return -1;
    int k = json->value[list].child;
    while (i-- > 0)
        k = json->value[k].next;
    return k;
}

double plait_json_number(const plait_json *json, int map, const char *key, double otherwise)
{
    int i = plait_json_get(json, map, key);
    return i >= 0 && json->value[i].kind == PLAIT_JSON_NUMBER ? json->value[i].number : otherwise;
}

int plait_json_index(const plait_json *json, int map, const char *key)
{
    double x = plait_json_number(json, map, key, -1);
    return x >= 0 && x < INT_MAX && x == floor(x) ? (int)x : -1;
}

bool plait_json_is(const plait_json *json, int value, const char *text)
{
    return value >= 0 && json->value[value].kind == PLAIT_JSON_STRING && json->value[value].length == strlen(text) &&
           memcmp(json->value[value].text, text, json->value[value].length) == 0;
}
