// usdc_values.c: bytes, packed lists and values of crate files.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/usdc.h"

enum { LEAST_PACKED = 16 };

bool plait_usdc_damaged(plait_usd_layer *l, const char *what)
{
    return plait_usd_fail(l, "expected %s, found a damaged or cut-off file", what);
}

bool plait_usdc_no_memory(plait_usd_layer *l)
{
    plait_error_set(l->error, PLAIT_NO_MEMORY, "%s: not enough memory", l->name);
    return false;
}

// ---- bytes -------------------------------------------------------------------------------------------------------

bool plait_usdc_read_at(plait_usd_layer *l, uint64_t at, void *out, uint64_t size)
{
    plait_usdc *c = l->source;
    if (at > c->size || size > c->size - at || fseeko(c->file, (off_t)at, SEEK_SET) != 0 ||
        fread(out, 1, (size_t)size, c->file) != size)
        return plait_usdc_damaged(l, "more bytes");
    return true;
}

bool plait_usdc_take(plait_usd_layer *l, plait_usdc_cursor *p, void *out, uint64_t size)
{
    if (p->at > p->end || size > p->end - p->at || !plait_usdc_read_at(l, p->at, out, size))
        return plait_usdc_damaged(l, "more bytes in a section");
    p->at += size;
    return true;
}

bool plait_usdc_take_count(plait_usd_layer *l, plait_usdc_cursor *p, uint64_t most, size_t *count)
{
    uint64_t n = 0;
    *count = 0;
    if (!plait_usdc_take(l, p, &n, 8))
        return false;
    if (n > most)
        return plait_usdc_damaged(l, "a sensible count");
    *count = (size_t)n;
    return true;
}

// Packed bytes with their length before them. The caller frees them; NULL with *error.
uint8_t *plait_usdc_take_packed(plait_usd_layer *l, plait_usdc_cursor *p, size_t *size)
{
    if (!plait_usdc_take_count(l, p, p->end - p->at, size))
        return NULL;
    uint8_t *b = malloc(*size + 1);
    if (!b)
        plait_usdc_no_memory(l);
    else if (!plait_usdc_take(l, p, b, *size)) {
        free(b);
        return NULL;
    }
    return b;
}

bool plait_usdc_take_ints(plait_usd_layer *l, plait_usdc_cursor *p, int32_t *x, size_t count)
{
    size_t size = 0;
    uint8_t *b = plait_usdc_take_packed(l, p, &size);
    bool ok = b != NULL;
    if (ok && !plait_crate_unpack_ints(b, size, x, count))
        ok = plait_usdc_damaged(l, "packed numbers");
    free(b);
    return ok;
}

// ---- values ------------------------------------------------------------------------------------------------------

// What a type is made of: how many numbers, each of how many bytes. 0: it has none.
static int parts_of(int type, int *width, char *kind)
{
    static const struct {
        int type, parts, width;
        char kind; // f: IEEE, i: signed, u: unsigned
    } table[] = {{PLAIT_CRATE_BOOL, 1, 1, 'u'},   {2, 1, 1, 'u'},
                 {PLAIT_CRATE_INT, 1, 4, 'i'},    {PLAIT_CRATE_UINT, 1, 4, 'u'},
                 {PLAIT_CRATE_INT64, 1, 8, 'i'},  {PLAIT_CRATE_UINT64, 1, 8, 'u'},
                 {PLAIT_CRATE_HALF, 1, 2, 'f'},   {PLAIT_CRATE_FLOAT, 1, 4, 'f'},
                 {PLAIT_CRATE_DOUBLE, 1, 8, 'f'}, {PLAIT_CRATE_MATRIX4D, 16, 8, 'f'},
                 {PLAIT_CRATE_QUATD, 4, 8, 'f'},  {PLAIT_CRATE_QUATF, 4, 4, 'f'},
                 {PLAIT_CRATE_QUATH, 4, 2, 'f'},  {PLAIT_CRATE_VEC2D, 2, 8, 'f'},
                 {PLAIT_CRATE_VEC2F, 2, 4, 'f'},  {PLAIT_CRATE_VEC2H, 2, 2, 'f'},
                 {PLAIT_CRATE_VEC3D, 3, 8, 'f'},  {PLAIT_CRATE_VEC3F, 3, 4, 'f'},
                 {PLAIT_CRATE_VEC3H, 3, 2, 'f'},  {PLAIT_CRATE_VEC4D, 4, 8, 'f'},
                 {PLAIT_CRATE_VEC4F, 4, 4, 'f'},  {PLAIT_CRATE_VEC4H, 4, 2, 'f'}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (table[i].type == type) {
            *width = table[i].width;
            *kind = table[i].kind;
            return table[i].parts;
        }
    return 0;
}

static double half(uint16_t bits)
{
    double sign = bits & 0x8000 ? -1 : 1, fraction = bits & 0x3ff;
    int power = bits >> 10 & 31;
    if (power == 31)
        return fraction > 0 ? NAN : sign * INFINITY;
    return sign * (power == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, power - 25));
}

static double number_of(const uint8_t *b, int width, char kind)
{
    uint64_t bits = 0;
    float f;
    double d;
    memcpy(&bits, b, (size_t)width);
    if (kind == 'f' && width == 2)
        return half((uint16_t)bits);
    if (kind == 'f' && width == 4)
        return memcpy(&f, b, 4), (double)f;
    if (kind == 'f')
        return memcpy(&d, b, 8), d;
    if (kind == 'u')
        return (double)bits;
    return width == 4 ? (double)(int32_t)bits : (double)(int64_t)bits;
}

// A value inside of its rep: whole numbers and floats as they are, doubles as floats, vectors and diagonals of matrices
// as signed bytes.
static bool read_inlined(plait_usd_layer *l, uint64_t rep, double *x, int parts)
{
    int type = plait_usdc_type(rep);
    uint32_t bits = (uint32_t)rep;
    float f;
    memcpy(&f, &bits, 4);
    if (type == PLAIT_CRATE_MATRIX4D) {
        for (int i = 0; i < 16; i++)
            x[i] = i % 5 == 0 ? (double)(int8_t)(rep >> 8 * (i / 5)) : 0;
    } else if (parts > 1 && type >= PLAIT_CRATE_VEC2D) {
        for (int i = 0; i < parts; i++)
            x[i] = (double)(int8_t)(rep >> 8 * i);
    } else if (type == PLAIT_CRATE_FLOAT || type == PLAIT_CRATE_DOUBLE) {
        x[0] = (double)f;
    } else if (type == PLAIT_CRATE_HALF) {
        x[0] = half((uint16_t)bits);
    } else if (parts == 1) {
        x[0] = type == PLAIT_CRATE_INT || type == PLAIT_CRATE_INT64 ? (double)(int32_t)bits : (double)bits;
    } else {
        return plait_usdc_damaged(l, "a value of another type");
    }
    return true;
}

bool plait_usdc_array_count(plait_usd_layer *l, plait_usdc_cursor *p, size_t *count)
{
    plait_usdc *c = l->source;
    uint64_t n = 0;
    if (c->version < 5 && !plait_usdc_take(l, p, &n, 4)) // once there was a number of dimensions
        return false;
    n = 0;
    if (!plait_usdc_take(l, p, &n, c->version < 7 ? 4 : 8))
        return false;
    if (n > (uint64_t)1 << 33)
        return plait_usdc_damaged(l, "a sensible count");
    *count = (size_t)n;
    return true;
}

// Whole numbers, or floats as whole numbers (i) or by a table (t).
static bool read_packed_array(plait_usd_layer *l, plait_usdc_cursor *p, int type, size_t count, double *x)
{
    char code = 'i';
    uint32_t entries = 0;
    bool real = type == PLAIT_CRATE_FLOAT || type == PLAIT_CRATE_DOUBLE || type == PLAIT_CRATE_HALF;
    int width = 0;
    char kind = 0;
    parts_of(type, &width, &kind);
    if (type != PLAIT_CRATE_INT && type != PLAIT_CRATE_UINT && !real)
        return plait_usd_fail(l, "packed arrays of 8-byte whole numbers are not supported");
    if (real && !plait_usdc_take(l, p, &code, 1))
        return false;
    if (real && code == 't' && (!plait_usdc_take(l, p, &entries, 4) || entries > (p->end - p->at) / (uint64_t)width))
        return plait_usdc_damaged(l, "a table of numbers");
    uint8_t *bytes = malloc((size_t)entries * 8 + 1);
    int32_t *n = malloc((count + 1) * sizeof *n);
    bool ok = bytes && n ? true : plait_usdc_no_memory(l);
    ok = ok && (entries == 0 || plait_usdc_take(l, p, bytes, (uint64_t)entries * (uint64_t)width)) &&
         plait_usdc_take_ints(l, p, n, count);
    for (size_t i = 0; ok && i < count; i++) {
        if (code == 't' && (n[i] < 0 || (uint32_t)n[i] >= entries))
            ok = plait_usdc_damaged(l, "places in a table");
        else
            x[i] = code == 't'                ? number_of(bytes + (size_t)n[i] * (size_t)width, width, 'f')
                   : type == PLAIT_CRATE_UINT ? (double)(uint32_t)n[i]
                                              : (double)n[i];
    }
    free(bytes);
    free(n);
    return ok;
}

static bool read_raw(plait_usd_layer *l, plait_usdc_cursor *p, int type, size_t count, double *x)
{
    enum { CHUNK = 4096 };
    int width = 0, parts;
    char kind = 'u';
    uint8_t b[CHUNK];
    parts = parts_of(type, &width, &kind);
    size_t numbers = count * (size_t)parts, each = CHUNK / (size_t)width;
    for (size_t i = 0; i < numbers;) {
        size_t part = numbers - i < each ? numbers - i : each;
        if (!plait_usdc_take(l, p, b, part * (size_t)width))
            return false;
        for (size_t k = 0; k < part; k++)
            x[i++] = number_of(b + k * (size_t)width, width, kind);
    }
    if (type == PLAIT_CRATE_QUATD || type == PLAIT_CRATE_QUATF || type == PLAIT_CRATE_QUATH)
        for (size_t i = 0; i < numbers; i += 4) { // the scalar is last in the file
            double w = x[i + 3];
            memmove(x + i + 1, x + i, 3 * sizeof *x);
            x[i] = w;
        }
    return true;
}

bool plait_usdc_numbers(plait_usd_layer *l, uint64_t rep, double **x, size_t *count)
{
    plait_usdc *c = l->source;
    int width = 0, type = plait_usdc_type(rep), parts;
    char kind = 'u';
    size_t n = 1;
    plait_usdc_cursor p = {rep & PLAIT_CRATE_PAYLOAD, c->size};
    *x = NULL;
    *count = 0;
    if (type == PLAIT_CRATE_BLOCK)
        return true;
    parts = parts_of(type, &width, &kind);
    if (parts == 0)
        return plait_usd_fail(l, "expected numbers, found a value of type %d", type);
    bool array = rep & PLAIT_CRATE_ARRAY, packed = rep & PLAIT_CRATE_PACKED;
    if (array && p.at == 0)
        return true; // an empty one
    if (array && rep & PLAIT_CRATE_INLINED)
        return plait_usdc_damaged(l, "an array that is not inlined");
    if (array && !plait_usdc_array_count(l, &p, &n))
        return false;
    packed = packed && n >= LEAST_PACKED;
    uint64_t bytes = (uint64_t)n * (uint64_t)(parts * width);
    if (!(rep & PLAIT_CRATE_INLINED) && (packed ? n / 2048 > p.end - p.at : bytes > p.end - p.at))
        return plait_usdc_damaged(l, "an array that fits into the file");
    *x = malloc((n * (size_t)parts + 1) * sizeof **x);
    if (!*x)
        return plait_usdc_no_memory(l);
    *count = n * (size_t)parts;
    bool ok = rep & PLAIT_CRATE_INLINED ? read_inlined(l, rep, *x, parts)
              : packed                  ? read_packed_array(l, &p, type, n, *x)
                                        : read_raw(l, &p, type, n, *x);
    if (!ok) {
        free(*x);
        *x = NULL;
    }
    return ok;
}

// A path as "/a/b", at the end of `out`; false if it is too long or goes round in circles.
static bool path_text(const plait_usdc *c, uint32_t path, char *out, size_t room)
{
    size_t at = room - 1;
    out[at] = 0;
    for (int depth = 0; path < c->paths && c->path_parent[path] >= 0; path = (uint32_t)c->path_parent[path], depth++) {
        int32_t t = c->path_token[path];
        const char *text = plait_usdc_token(c, (uint64_t)(t < 0 ? -(int64_t)t : t));
        size_t length = strlen(text);
        if (length + 1 > at || depth > PLAIT_USDC_DEPTH)
            return false;
        at -= length;
        memcpy(out + at, text, length);
        out[--at] = t < 0 ? '.' : '/';
    }
    memmove(out, out + at, room - at);
    return true;
}

// A list of explicit, added, prepended ... paths; bits of the first byte say which lists follow.
static bool read_path_list(plait_usd_layer *l, uint64_t at, char **words, size_t *count)
{
    enum { ROOM = 4096 };
    plait_usdc *c = l->source;
    plait_usdc_cursor p = {at, c->size};
    uint8_t bits;
    char text[ROOM];
    size_t used = 0;
    if (!plait_usdc_take(l, &p, &bits, 1))
        return false;
    *words = malloc(1);
    bool ok = *words ? true : plait_usdc_no_memory(l);
    for (int k = 1; ok && k < 7; k++) { // 1 explicit items, 2 added, 3 deleted, 4 ordered, 5 prepended, 6 appended
        size_t n = 0;
        if (!(bits >> k & 1))
            continue;
        ok = plait_usdc_take_count(l, &p, (p.end - p.at) / 4, &n);
        for (size_t i = 0; ok && i < n; i++) {
            uint32_t path;
            ok = plait_usdc_take(l, &p, &path, 4);
            if (!ok || k == 3 || k == 4)
                continue;
            if (!path_text(c, path, text, ROOM)) {
                ok = plait_usdc_damaged(l, "paths of a sensible length");
                break;
            }
            size_t length = strlen(text) + 1;
            char *grown = realloc(*words, used + length);
            ok = grown ? true : plait_usdc_no_memory(l);
            *words = grown ? grown : *words;
            if (ok)
                memcpy(*words + used, text, length);
            used += length;
            (*count)++;
        }
    }
    return ok;
}

bool plait_usdc_words(plait_usd_layer *l, uint64_t rep, char **words, size_t *count)
{
    plait_usdc *c = l->source;
    plait_usdc_cursor p = {rep & PLAIT_CRATE_PAYLOAD, c->size};
    int type = plait_usdc_type(rep);
    size_t n = 1, used = 0;
    *words = NULL;
    *count = 0;
    if (type == PLAIT_CRATE_PATH_LIST)
        return read_path_list(l, p.at, words, count);
    if (type != PLAIT_CRATE_TOKEN && type != PLAIT_CRATE_STRING && type != PLAIT_CRATE_TOKENS)
        return plait_usd_fail(l, "expected words, found a value of type %d", type);
    bool list = (rep & PLAIT_CRATE_ARRAY) || type == PLAIT_CRATE_TOKENS;
    if (list && p.at == 0)
        return true;
    if (list &&
        !(type == PLAIT_CRATE_TOKENS ? plait_usdc_take_count(l, &p, c->size, &n) : plait_usdc_array_count(l, &p, &n)))
        return false;
    if (list && n > (p.end - p.at) / 4)
        return plait_usdc_damaged(l, "a list that fits into the file");
    for (size_t i = 0; i < n; i++) {
        uint32_t k = (uint32_t)rep;
        if (list && !plait_usdc_take(l, &p, &k, 4))
            return false;
        if (type == PLAIT_CRATE_STRING)
            k = k < c->strings ? c->string[k] : UINT32_MAX;
        const char *text = plait_usdc_token(c, k);
        size_t length = strlen(text) + 1;
        char *grown = realloc(*words, used + length);
        if (!grown)
            return plait_usdc_no_memory(l);
        *words = grown;
        memcpy(grown + used, text, length);
        used += length;
    }
    *count = n;
    return true;
}
