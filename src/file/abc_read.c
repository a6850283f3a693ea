// abc_read.c: Alembic's container, and the objects, properties and samples in it.
#include "file/abc_read.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "file/fail.h"

#define DATA ((uint64_t)1 << 63)
enum { MOST_NODES = 2000000, MOST_DEPTH = 200, MOST_METAS = 256, STRING = 12, HASHES = 32, KEY = 16 };
static const uint64_t MOST_HEADERS = (uint64_t)1 << 28;

typedef struct block { // bytes of a header
    unsigned char *b;
    size_t size, at;
} block;

static bool fail(plait_abc_file *f, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    plait_text_fail(f->error, f->name, 0, format, args);
    va_end(args);
    return false;
}

bool plait_abc_damaged(plait_abc_file *f, const char *what)
{
    return fail(f, "expected %s, found a damaged or cut-off file", what);
}

static bool no_memory(plait_abc_file *f)
{
    plait_error_set(f->error, PLAIT_NO_MEMORY, "%s: not enough memory", f->name);
    return false;
}

// ---- bytes -------------------------------------------------------------------------------------------------------

static bool read_at(plait_abc_file *f, uint64_t at, void *out, uint64_t size)
{
    if (at > f->size || size > f->size - at || fseeko(f->file, (off_t)at, SEEK_SET) != 0 ||
        fread(out, 1, (size_t)size, f->file) != size)
        return plait_abc_damaged(f, "more bytes");
    return true;
}

static bool group_count(plait_abc_file *f, uint64_t group, uint64_t *count)
{
    *count = 0;
    if (group == 0)
        return true;
    if (group & DATA)
        return plait_abc_damaged(f, "a group");
    if (!read_at(f, group, count, 8))
        return false;
    return *count <= (f->size - group) / 8 || plait_abc_damaged(f, "a group inside of the file");
}

static bool child(plait_abc_file *f, uint64_t group, uint64_t i, uint64_t *place)
{
    return read_at(f, group + 8 + 8 * i, place, 8);
}

static bool data_size(plait_abc_file *f, uint64_t place, uint64_t *size)
{
    uint64_t at = place & ~DATA;
    *size = 0;
    if (!(place & DATA))
        return plait_abc_damaged(f, "data");
    if (at == 0)
        return true;
    if (!read_at(f, at, size, 8))
        return false;
    return *size <= f->size - at - 8 || plait_abc_damaged(f, "data inside of the file");
}

// Data that are a header. The caller frees b.
static bool read_block(plait_abc_file *f, uint64_t place, block *out)
{
    uint64_t size;
    *out = (block){0};
    if (!data_size(f, place, &size))
        return false;
    if (size > MOST_HEADERS)
        return plait_abc_damaged(f, "headers of a sensible size");
    out->b = malloc((size_t)size + 1);
    if (!out->b)
        return no_memory(f);
    out->size = (size_t)size;
    if (size == 0 || read_at(f, (place & ~DATA) + 8, out->b, size))
        return true;
    free(out->b);
    out->b = NULL;
    return false;
}

static bool take(plait_abc_file *f, block *v, void *out, size_t size)
{
    if (size > v->size - v->at)
        return plait_abc_damaged(f, "headers that are complete");
    memcpy(out, v->b + v->at, size);
    v->at += size;
    return true;
}

static bool take_number(plait_abc_file *f, block *v, size_t width, size_t *out)
{
    uint64_t x = 0;
    if (!take(f, v, &x, width))
        return false;
    *out = (size_t)x;
    return true;
}

// A text, cut to its room; names that are longer are nobody's that we look for.
static bool take_text(plait_abc_file *f, block *v, size_t length, char out[PLAIT_ABC_NAME])
{
    if (length > v->size - v->at)
        return plait_abc_damaged(f, "headers that are complete");
    size_t kept = length < PLAIT_ABC_NAME - 1 ? length : PLAIT_ABC_NAME - 1;
    memcpy(out, v->b + v->at, kept);
    out[kept] = 0;
    v->at += length;
    return true;
}

// "key=value;key=value": the value, cut to its room.
static void meta_value(const char *meta, const char *key, char *out, size_t room)
{
    size_t length = strlen(key);
    out[0] = 0;
    for (const char *c = meta; *c;) {
        size_t part = strcspn(c, ";");
        if (part > length && memcmp(c, key, length) == 0 && c[length] == '=') {
            size_t size = part - length - 1 < room - 1 ? part - length - 1 : room - 1;
            memcpy(out, c + length + 1, size);
            out[size] = 0;
            return;
        }
        c += part + (c[part] == ';');
    }
}

// ---- properties --------------------------------------------------------------------------------------------------

static bool take_meta(plait_abc_file *f, block *v, size_t number, size_t width, char out[PLAIT_ABC_NAME])
{
    size_t length;
    out[0] = 0;
    if (number == 255)
        return take_number(f, v, width, &length) && take_text(f, v, length, out);
    if (number > f->metas)
        return plait_abc_damaged(f, "numbers of known texts");
    if (number > 0)
        strcpy(out, f->meta[number - 1]);
    return true;
}

static bool take_field(plait_abc_file *f, block *v, plait_abc_field *p, char name[PLAIT_ABC_NAME])
{
    uint32_t info = 0;
    char meta[PLAIT_ABC_NAME];
    size_t length;
    *p = (plait_abc_field){0};
    if (!take(f, v, &info, 4))
        return false;
    static const size_t widths[] = {1, 2, 4, 0};
    size_t width = widths[info >> 2 & 3];
    p->kind = (info & 3) == 3 ? 2 : (int)(info & 3);
    p->pod = (int)(info >> 4 & 15);
    p->extent = (int)(info >> 12 & 255);
    if (width == 0 || (p->kind != 0 && (p->pod > 13 || p->extent == 0)))
        return plait_abc_damaged(f, "known kinds of properties");
    if (p->kind != 0) {
        if (!take_number(f, v, width, &p->samples))
            return false;
        if (info & 0x200) {
            if (!take_number(f, v, width, &p->first) || !take_number(f, v, width, &p->last))
                return false;
        } else if (!(info & 0x800)) {
            p->first = 1;
            p->last = p->samples > 0 ? p->samples - 1 : 0;
        }
        if ((info & 0x100) && !take_number(f, v, width, &p->sampling))
            return false;
        if (p->sampling >= f->samplings || p->first > p->samples || p->last > p->samples)
            return plait_abc_damaged(f, "known time samplings");
    }
    if (!take_number(f, v, width, &length) || !take_text(f, v, length, name) ||
        !take_meta(f, v, info >> 20 & 255, width, meta))
        return false;
    meta_value(meta, "geoScope", p->scope, sizeof p->scope);
    return true;
}

bool plait_abc_find(plait_abc_file *f, uint64_t compound, const char *name, plait_abc_field *out, bool *found)
{
    uint64_t count, place;
    block v;
    char other[PLAIT_ABC_NAME];
    *found = false;
    if (!group_count(f, compound, &count) || count == 0)
        return count == 0;
    if (!child(f, compound, count - 1, &place))
        return false;
    if (!(place & DATA))
        return true;
    if (!read_block(f, place, &v))
        return false;
    bool ok = true;
    for (uint64_t i = 0; ok && !*found && v.at < v.size; i++) {
        ok = take_field(f, &v, out, other);
        if (ok && i + 1 >= count)
            ok = plait_abc_damaged(f, "as many properties as headers");
        if (ok && strcmp(other, name) == 0) {
            *found = true;
            ok = child(f, compound, i, &out->group);
            if (ok && (out->group & DATA))
                ok = plait_abc_damaged(f, "the group of a property");
        }
    }
    free(v.b);
    return ok;
}

// ---- samples -----------------------------------------------------------------------------------------------------

static double number_of(const unsigned char *b, int pod)
{
    static const int width[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    uint64_t bits = 0;
    float single;
    double real;
    memcpy(&bits, b, (size_t)width[pod]);
    switch (pod) {
    case 2:
        return (double)(int8_t)bits;
    case 4:
        return (double)(int16_t)bits;
    case 6:
        return (double)(int32_t)bits;
    case 8:
        return (double)(int64_t)bits;
    case 9: {
        double fraction = (double)(bits & 0x3ff), sign = bits & 0x8000 ? -1 : 1;
        int power = (int)(bits >> 10 & 31);
        if (power == 31)
            return NAN;
        return sign * (power == 0 ? ldexp(fraction, -24) : ldexp(1024 + fraction, power - 25));
    }
    case 10:
        memcpy(&single, b, 4);
        return (double)single;
    case 11:
        memcpy(&real, b, 8);
        return real;
    default:
        return (double)bits;
    }
}

bool plait_abc_numbers(plait_abc_file *f, const plait_abc_field *p, size_t i, double **x, size_t *count)
{
    enum { CHUNK = 1 << 15 };
    static const size_t widths[] = {1, 1, 1, 2, 2, 4, 4, 8, 8, 2, 4, 8};
    uint64_t children, place, size;
    *x = NULL;
    *count = 0;
    if (p->kind == 0 || p->pod >= STRING)
        return plait_abc_damaged(f, "numbers");
    size_t stored = p->last == 0 || i < p->first ? 0 : (i >= p->last ? p->last : i) - p->first + 1;
    uint64_t index = (uint64_t)stored * (p->kind == 2 ? 2 : 1);
    if (!group_count(f, p->group, &children))
        return false;
    if (children == 0)
        return true;
    if (index >= children || !child(f, p->group, index, &place) || !data_size(f, place, &size))
        return index < children ? false : plait_abc_damaged(f, "as many samples as there are told");
    if (size == 0)
        return true;
    size_t width = widths[p->pod], numbers = size < KEY ? 0 : (size_t)(size - KEY) / width;
    if (size < KEY || (size - KEY) % (width * (size_t)p->extent) != 0)
        return plait_abc_damaged(f, "whole values in a sample");
    *x = malloc((numbers + 1) * sizeof **x);
    unsigned char *b = malloc(CHUNK);
    bool ok = *x && b ? true : no_memory(f);
    for (size_t k = 0; ok && k < numbers;) {
        size_t part = numbers - k < CHUNK / width ? numbers - k : CHUNK / width;
        ok = read_at(f, (place & ~DATA) + 8 + KEY + (uint64_t)(k * width), b, part * width);
        for (size_t n = 0; ok && n < part; n++)
            (*x)[k++] = number_of(b + n * width, p->pod);
    }
    free(b);
    *count = numbers;
    if (!ok) {
        free(*x);
        *x = NULL;
    }
    return ok;
}

double plait_abc_time(const plait_abc_file *f, const plait_abc_field *p, size_t i)
{
    const plait_abc_sampling *s = &f->sampling[p->sampling];
    if (s->period > 1e300) // times one by one
        return f->time[s->first + (i < s->count ? i : s->count - 1)];
    return f->time[s->first + i % s->count] + s->period * (double)(i / s->count);
}

bool plait_abc_numbers_at(plait_abc_file *f, const plait_abc_field *p, double time, double **x, size_t *count)
{
    size_t i = 0;
    while (i + 1 < p->samples && plait_abc_time(f, p, i + 1) <= time + 1e-9)
        i++;
    if (!plait_abc_numbers(f, p, i, x, count))
        return false;
    double a = plait_abc_time(f, p, i);
    if (i + 1 >= p->samples || time <= a + 1e-9)
        return true;
    double b = plait_abc_time(f, p, i + 1), *y = NULL;
    size_t other = 0;
    if (!plait_abc_numbers(f, p, i + 1, &y, &other)) {
        free(*x);
        *x = NULL;
        return false;
    }
    for (size_t k = 0; other == *count && b > a && k < other; k++)
        (*x)[k] += (time - a) / (b - a) * (y[k] - (*x)[k]);
    free(y);
    return true;
}

void plait_abc_widen(const plait_abc_file *f, const plait_abc_field *p, double *first, double *last, double *step)
{
    double pair[2];
    if (p->last == 0)
        return; // constant
    for (size_t i = 1; i < p->samples && i < 10000000; i++) {
        pair[0] = plait_abc_time(f, p, i - 1), pair[1] = plait_abc_time(f, p, i);
        plait_figure_widen(pair, 2, first, last, step);
    }
}

// ---- objects -----------------------------------------------------------------------------------------------------

static plait_abc_schema schema_of(const char *meta)
{
    char schema[64];
    meta_value(meta, "schema", schema, sizeof schema);
    if (strncmp(schema, "AbcGeom_Curve_", 14) == 0)
        return PLAIT_ABC_CURVES;
    if (strncmp(schema, "AbcGeom_PolyMesh_", 17) == 0 || strncmp(schema, "AbcGeom_SubD_", 13) == 0)
        return PLAIT_ABC_MESH;
    return strncmp(schema, "AbcGeom_Xform_", 14) == 0 ? PLAIT_ABC_XFORM : PLAIT_ABC_OTHER;
}

static int add_node(plait_abc_file *f, int parent, const char *name, const char *meta)
{
    if (f->nodes == f->node_room) {
        int room = 2 * f->node_room + 64;
        plait_abc_node *grown = room < MOST_NODES ? realloc(f->node, (size_t)room * sizeof *grown) : NULL;
        if (!grown) {
            no_memory(f);
            return -1;
        }
        f->node = grown;
        f->node_room = room;
    }
    plait_abc_node *n = &f->node[f->nodes];
    *n = (plait_abc_node){.parent = parent, .schema = schema_of(meta)};
    strcpy(n->name, name);
    return f->nodes++;
}

static bool read_object(plait_abc_file *f, uint64_t group, int node, int depth)
{
    uint64_t count, place;
    block v;
    if (depth > MOST_DEPTH)
        return plait_abc_damaged(f, "fewer objects inside each other");
    if (!group_count(f, group, &count) || count == 0)
        return count == 0;
    if (!child(f, group, 0, &place))
        return false;
    if (node >= 0)
        f->node[node].properties = place & DATA ? 0 : place;
    if (!child(f, group, count - 1, &place))
        return false;
    if (!(place & DATA))
        return true;
    if (!read_block(f, place, &v))
        return false;
    v.size -= v.size < HASHES ? v.size : HASHES;
    bool ok = true;
    for (uint64_t i = 1; ok && v.at < v.size; i++) {
        size_t length, number;
        char name[PLAIT_ABC_NAME], meta[PLAIT_ABC_NAME];
        ok = take_number(f, &v, 4, &length) && take_text(f, &v, length, name) && take_number(f, &v, 1, &number) &&
             take_meta(f, &v, number, 4, meta);
        if (ok && i + 1 >= count)
            ok = plait_abc_damaged(f, "as many objects as headers");
        int at = ok ? add_node(f, node, name, meta) : -1;
        ok = at >= 0 && child(f, group, i, &place) && read_object(f, place, at, depth + 1);
    }
    free(v.b);
    return ok;
}

static bool read_times(plait_abc_file *f, uint64_t place)
{
    block v;
    if (!read_block(f, place, &v))
        return false;
    size_t most = v.size / 16 + 1, used = 0;
    f->sampling = calloc(most, sizeof *f->sampling);
    f->time = calloc(v.size / 8 + 1, sizeof *f->time);
    bool ok = f->sampling && f->time ? true : no_memory(f);
    while (ok && v.at < v.size) {
        plait_abc_sampling *s = &f->sampling[f->samplings];
        size_t samples;
        s->first = used;
        ok = take_number(f, &v, 4, &samples) && take(f, &v, &s->period, 8) && take_number(f, &v, 4, &s->count);
        if (ok && (s->count == 0 || s->count > (v.size - v.at) / 8 || !isfinite(s->period)))
            ok = plait_abc_damaged(f, "times of samples");
        ok = ok && take(f, &v, f->time + used, 8 * s->count);
        for (size_t i = 0; ok && i < s->count; i++)
            if (!isfinite(f->time[used + i]))
                ok = plait_abc_damaged(f, "finite times");
        used += ok ? s->count : 0;
        f->samplings++;
    }
    free(v.b);
    return ok && (f->samplings > 0 || plait_abc_damaged(f, "time samplings"));
}

static bool read_metas(plait_abc_file *f, uint64_t place)
{
    block v;
    if (!read_block(f, place, &v))
        return false;
    f->meta = calloc(MOST_METAS, sizeof *f->meta);
    bool ok = f->meta ? true : no_memory(f);
    while (ok && v.at < v.size && f->metas < MOST_METAS) {
        size_t length;
        ok = take_number(f, &v, 1, &length) && take_text(f, &v, length, f->meta[f->metas]);
        f->metas += ok;
    }
    free(v.b);
    return ok;
}

bool plait_abc_open(plait_abc_file *f, FILE *file, const char *name, plait_error *error)
{
    unsigned char head[16];
    uint64_t root, count, place[6];
    *f = (plait_abc_file){.file = file, .name = name, .error = error};
    if (fseeko(file, 0, SEEK_END) != 0 || ftello(file) < 0)
        return plait_abc_damaged(f, "a file");
    f->size = (uint64_t)ftello(file);
    if (!read_at(f, 0, head, sizeof head))
        return false;
    if (memcmp(head, "Ogawa", 5) != 0)
        return memcmp(head, "\x89HDF", 4) == 0
                   ? fail(f, "expected Alembic in its Ogawa form, found the older HDF5 form; 'abcconvert -toOgawa' "
                             "makes it")
                   : fail(f, "expected 'Ogawa' at the beginning, found other bytes");
    if (head[5] != 0xff)
        return fail(f, "expected a file that was closed, found one whose writing was broken off");
    memcpy(&root, head + 8, 8);
    if (!group_count(f, root, &count))
        return false;
    if (count < 6)
        return plait_abc_damaged(f, "an archive");
    for (int i = 0; i < 6; i++)
        if (!child(f, root, (uint64_t)i, &place[i]))
            return false;
    return read_times(f, place[4]) && read_metas(f, place[5]) && read_object(f, place[2], -1, 0);
}

void plait_abc_close(plait_abc_file *f)
{
    free(f->meta);
    free(f->sampling);
    free(f->time);
    free(f->node);
}
