// usda_layer.c: USD's text form as a layer. What is kept of a value is where it stands; it is read when
// it is asked for.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/usd_layer.h"

enum { MAX_DEPTH = 100 };

typedef struct text {
    const char *begin, *end;
} text;

// A reader at a place of the text, with its first token there.
static plait_usda_reader reader_at(plait_usd_layer *l, uint64_t value)
{
    text *t = l->source;
    // What stands in the middle of the text was looked at once, with its line: nobody counts lines up to there again.
    plait_usda_reader r = {.name = l->name,
                           .error = l->error,
                           .at = t->begin + (value - 1),
                           .end = t->end,
                           .line = value == 1 ? 1 : -2000000000};
    plait_usda_next(&r);
    return r;
}

static bool text_numbers(plait_usd_layer *l, uint64_t value, double **x, size_t *count)
{
    plait_usda_reader r = reader_at(l, value);
    plait_usda_numbers n = {0};
    *x = NULL;
    *count = 0;
    if (plait_usda_is(&r, "true") || plait_usda_is(&r, "false"))
        return true;
    bool ok = plait_usda_read_numbers(&r, &n);
    if (!ok || !n.there) {
        free(n.x);
        return ok;
    }
    *x = n.x;
    *count = n.count;
    return true;
}

static bool text_words(plait_usd_layer *l, uint64_t value, char **words, size_t *count)
{
    plait_usda_reader r = reader_at(l, value);
    bool list = r.kind == PLAIT_USDA_SIGN && r.sign == '[';
    size_t used = 0;
    *words = NULL;
    *count = 0;
    if (list)
        plait_usda_next(&r);
    while (r.kind == PLAIT_USDA_STRING || r.kind == PLAIT_USDA_OTHER || r.kind == PLAIT_USDA_SIGN) {
        if (r.kind == PLAIT_USDA_SIGN && r.sign != ',')
            break;
        bool path = r.kind == PLAIT_USDA_OTHER && r.length >= 2 && r.text[0] == '<';
        size_t length = path ? r.length - 2 : r.length;
        if (r.kind == PLAIT_USDA_STRING || path) {
            char *grown = realloc(*words, used + length + 1);
            if (!grown) {
                plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name);
                return false;
            }
            *words = grown;
            memcpy(grown + used, r.text + path, length);
            grown[used + length] = 0;
            used += length + 1;
            ++*count;
        }
        plait_usda_next(&r);
        if (!list)
            break;
    }
    return r.kind != PLAIT_USDA_BAD;
}

static void free_text(plait_usd_layer *l)
{
    free(l->source);
}

// ---- attributes --------------------------------------------------------------------------------------------------

// { time: value, ... }: keeps where the values are, by ascending times.
static bool read_samples(plait_usd_layer *l, plait_usda_reader *r, plait_usd_attribute *a)
{
    text *t = l->source;
    size_t room = a->samples = 0;
    if (!plait_usda_take(r, '{'))
        return false;
    while (r->kind != PLAIT_USDA_SIGN || r->sign != '}') {
        if (r->kind != PLAIT_USDA_NUMBER)
            return plait_usda_expected(r, "a time or '}'");
        double time = r->value;
        plait_usda_next(r);
        if (r->kind != PLAIT_USDA_SIGN || r->sign != ':')
            return plait_usda_expected(r, "':'");
        uint64_t value = (uint64_t)(r->at - t->begin) + 1;
        plait_usda_next(r);
        bool none = plait_usda_is(r, "None");
        if (!plait_usda_skip_value(r))
            return false;
        if (a->samples + 1 > room) {
            room = 2 * room + 16;
            double *times = realloc(a->time, room * sizeof *times);
            a->time = times ? times : a->time;
            uint64_t *places = realloc(a->sample, room * sizeof *places);
            a->sample = places ? places : a->sample;
            if (!times || !places) {
                plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name);
                return false;
            }
        }
        size_t i = a->samples;
        for (; i > 0 && a->time[i - 1] > time && !none; i--)
            a->time[i] = a->time[i - 1], a->sample[i] = a->sample[i - 1];
        if (i > 0 && a->time[i - 1] == time)
            return plait_usda_fail(r, "expected each time once, found %g again", time);
        a->time[i] = time;
        a->sample[i] = value;
        a->samples += !none;
        if (r->kind == PLAIT_USDA_SIGN && r->sign == ',')
            plait_usda_next(r);
        else if (r->kind != PLAIT_USDA_SIGN || r->sign != '}')
            return plait_usda_expected(r, "',' or '}'");
    }
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

// [custom] [uniform] TYPE NAME[.timeSamples] [= VALUE] [(METADATA)]; also rel.
static bool read_attribute(plait_usd_layer *l, plait_usda_reader *r, int prim)
{
    text *t = l->source;
    const char *name = "", *type = "";
    size_t length = 0, type_length = 0;
    int words = 0;
    for (; r->kind == PLAIT_USDA_WORD; words++) {
        type = name, type_length = length;
        name = r->text, length = r->length;
        plait_usda_next(r);
    }
    if (words < 2)
        return plait_usda_expected(r, "the name of an attribute");
    if (r->kind == PLAIT_USDA_SIGN && r->sign == '=') {
        uint64_t value = (uint64_t)(r->at - t->begin) + 1;
        plait_usda_next(r);
        bool samples = length > 12 && memcmp(name + length - 12, ".timeSamples", 12) == 0;
        bool other = !samples && memchr(name, '.', length);
        plait_usd_attribute *a = NULL;
        if (!other && !(a = plait_usd_add_attribute(l, prim, name, samples ? length - 12 : length)))
            return false;
        if (a)
            a->width = plait_usd_width(type, type_length);
        if (a && !samples)
            a->value = plait_usda_is(r, "None") ? 0 : value;
        if (samples ? !read_samples(l, r, a) : !plait_usda_skip_value(r))
            return false;
    }
    if (r->kind == PLAIT_USDA_SIGN && r->sign == '(' && !plait_usda_skip_brackets(r))
        return false;
    return r->kind != PLAIT_USDA_BAD;
}

// ---- prims -------------------------------------------------------------------------------------------------------

static bool read_prim(plait_usd_layer *l, plait_usda_reader *r, int parent, int depth);

static bool read_body(plait_usd_layer *l, plait_usda_reader *r, int prim, int depth)
{
    if (!plait_usda_take(r, '{'))
        return false;
    while (r->kind != PLAIT_USDA_SIGN || r->sign != '}') {
        bool ok = true;
        if (r->kind == PLAIT_USDA_SIGN && r->sign == ';') {
            plait_usda_next(r);
        } else if (r->kind != PLAIT_USDA_WORD) {
            ok = plait_usda_expected(r, "an attribute, a prim or '}'");
        } else if (plait_usda_is(r, "def") || plait_usda_is(r, "over") || plait_usda_is(r, "class")) {
            ok = read_prim(l, r, prim, depth + 1);
        } else if (plait_usda_is(r, "variantSet")) {
            while (r->kind == PLAIT_USDA_WORD || r->kind == PLAIT_USDA_STRING ||
                   (r->kind == PLAIT_USDA_SIGN && r->sign == '='))
                plait_usda_next(r);
            ok = r->kind == PLAIT_USDA_SIGN && r->sign == '{' ? plait_usda_skip_brackets(r)
                                                              : plait_usda_expected(r, "'{'");
        } else {
            ok = read_attribute(l, r, prim);
        }
        if (!ok)
            return false;
    }
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

static bool read_prim(plait_usd_layer *l, plait_usda_reader *r, int parent, int depth)
{
    const char *type = "";
    size_t length = 0;
    bool class = plait_usda_is(r, "class");
    if (depth > MAX_DEPTH)
        return plait_usda_fail(r, "expected at most %d prims inside each other, found more", MAX_DEPTH);
    plait_usda_next(r);
    if (r->kind == PLAIT_USDA_WORD) {
        type = r->text, length = r->length;
        plait_usda_next(r);
    }
    if (r->kind != PLAIT_USDA_STRING)
        return plait_usda_expected(r, "the name of a prim in quotes");
    int prim = plait_usd_add_prim(l, parent, r->text, r->length, type, length);
    if (prim < 0)
        return false;
    l->prim[prim].ignored = l->prim[prim].ignored || class;
    plait_usda_next(r);
    if (r->kind == PLAIT_USDA_SIGN && r->sign == '(' && !plait_usda_skip_brackets(r))
        return false;
    return read_body(l, r, prim, depth);
}

static bool read_metadata(plait_usd_layer *l, plait_usda_reader *r)
{
    plait_usda_next(r);
    while (r->kind != PLAIT_USDA_SIGN || r->sign != ')') {
        bool rate = plait_usda_is(r, "timeCodesPerSecond"), unit = plait_usda_is(r, "metersPerUnit");
        bool up = plait_usda_is(r, "upAxis");
        if (r->kind == PLAIT_USDA_END || r->kind == PLAIT_USDA_BAD)
            return plait_usda_expected(r, "')'");
        if (!rate && !unit && !up) {
            bool opens = r->kind == PLAIT_USDA_SIGN && strchr("([{", r->sign);
            if (opens && !plait_usda_skip_brackets(r))
                return false;
            if (!opens)
                plait_usda_next(r);
            continue;
        }
        plait_usda_next(r);
        if (!plait_usda_take(r, '='))
            return false;
        if (!up && (r->kind != PLAIT_USDA_NUMBER || !(r->value > 1e-12 && r->value < 1e12)))
            return plait_usda_expected(r, "a positive number");
        l->rate = rate ? r->value : l->rate;
        l->unit = unit ? r->value : l->unit;
        l->y_up = up ? !(r->kind == PLAIT_USDA_STRING && r->length == 1 && r->text[0] == 'Z') : l->y_up;
        plait_usda_next(r);
    }
    plait_usda_next(r);
    return r->kind != PLAIT_USDA_BAD;
}

bool plait_usda_layer_open(plait_usd_layer *l, const char *bytes, size_t size)
{
    text *t = l->source = malloc(sizeof *t);
    l->unit = 0.01, l->rate = 24, l->y_up = true;
    l->numbers = text_numbers;
    l->words = text_words;
    l->free_source = free_text;
    if (!t) {
        plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name);
        return false;
    }
    *t = (text){bytes, bytes + size};
    if (size < 5 || memcmp(bytes, "#usda", 5) != 0 || memchr(bytes, 0, size))
        return plait_usd_fail(l, "expected '#usda 1.0' at the beginning and no zero bytes, found another text");
    plait_usda_reader r = reader_at(l, 1);
    if (r.kind == PLAIT_USDA_SIGN && r.sign == '(' && !read_metadata(l, &r))
        return false;
    while (r.kind != PLAIT_USDA_END) {
        if (plait_usda_is(&r, "reorder")) {
            while (r.kind == PLAIT_USDA_WORD || (r.kind == PLAIT_USDA_SIGN && r.sign == '='))
                plait_usda_next(&r);
            if (!plait_usda_skip_value(&r))
                return false;
        } else if (!plait_usda_is(&r, "def") && !plait_usda_is(&r, "over") && !plait_usda_is(&r, "class")) {
            return plait_usda_expected(&r, "def, over or class");
        } else if (!read_prim(l, &r, -1, 0)) {
            return false;
        }
    }
    return true;
}
