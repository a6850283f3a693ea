// mesh_ply.c: PLY: a header that describes elements and their properties, then the elements, as text or as binary of
// either byte order. Of the element `vertex` x, y and z are taken, of `face` the list vertex_indices (or vertex_index).
// If they are wished: (s, t), (u, v) or (texture_u, texture_v) of vertices, or any of their numbers by name; `color` is
// red, green, blue.
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file/mesh.h"

enum { MAX_ELEMENTS = 16, MAX_PROPERTIES = 64, MAX_LIST = 1000000 };

typedef enum scalar_type { INT8, UINT8, INT16, UINT16, INT32, UINT32, FLOAT32, FLOAT64, SCALAR_TYPES } scalar_type;
static const int type_size[SCALAR_TYPES] = {1, 1, 2, 2, 4, 4, 4, 8};

typedef enum use { UNUSED = -1, USE_X = 0, USE_Y, USE_Z, USE_CORNERS, USE_WISH } use; // USE_WISH + k: number k

typedef struct property {
    bool list;
    scalar_type count, type; // count: of a list
    use use;
} property;

typedef struct element {
    bool vertex, face;
    long count;
    int properties;
    property property[MAX_PROPERTIES];
} element;

typedef enum format { NO_FORMAT, TEXT, LITTLE, BIG } format;

typedef struct reader {
    plait_mesh_builder *b;
    const char *at, *end;
    long line;
    format format;
    int elements;
    element element[MAX_ELEMENTS];
} reader;

// ---- header ------------------------------------------------------------------------------------------------------

// The next line without its end; false at the end of the file. Long lines are cut.
static bool read_line(reader *r, char line[256])
{
    if (r->at >= r->end)
        return false;
    size_t left = (size_t)(r->end - r->at), length = 0;
    while (length < left && r->at[length] != '\n' && r->at[length] != '\r')
        length++;
    snprintf(line, 256, "%.*s", length < 255 ? (int)length : 255, r->at);
    r->at += length;
    if (r->at < r->end) // "\r\n" or either
        r->at += r->at[0] == '\r' && r->at + 1 < r->end && r->at[1] == '\n' ? 2 : 1;
    r->line++;
    return true;
}

static bool read_type(reader *r, const char *word, scalar_type *type)
{
    static const char *const names[2][SCALAR_TYPES] = {
        {"char", "uchar", "short", "ushort", "int", "uint", "float", "double"},
        {"int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64"}};
    for (int i = 0; i < SCALAR_TYPES; i++) {
        if (strcmp(word, names[0][i]) == 0 || strcmp(word, names[1][i]) == 0) {
            *type = (scalar_type)i;
            return true;
        }
    }
    return plait_mesh_fail(r->b, r->line, "expected a type (float, int, uchar ...), found '%.40s'", word);
}

// Which number of what is wished a property of vertices is; -1: none.
static int wished(const plait_mesh_builder *b, const char *name)
{
    static const char *const uv[] = {"s", "t", "u", "v", "texture_u", "texture_v", NULL};
    static const char *const colour[] = {"red", "green", "blue", "alpha", NULL};
    bool is_colour = b->wish && strcmp(b->wish, "color") == 0;
    const char *const *list = is_colour ? colour : uv;
    if (b->width == 0)
        return -1;
    if (b->wish && !is_colour)
        return strcmp(name, b->wish) == 0 ? 0 : -1;
    for (int k = 0; list[k]; k++)
        if (strcmp(name, list[k]) == 0)
            return (is_colour ? k : k % 2) < b->width ? (is_colour ? k : k % 2) : -1;
    return -1;
}

static bool read_property(reader *r, const char *line)
{
    char first[64], second[64], third[64], fourth[64];
    int words = sscanf(line, "property %63s %63s %63s %63s", first, second, third, fourth);
    if (r->elements == 0)
        return plait_mesh_fail(r->b, r->line, "a property before any element");
    element *e = &r->element[r->elements - 1];
    if (e->properties == MAX_PROPERTIES)
        return plait_mesh_fail(r->b, r->line, "more than %d properties of an element", MAX_PROPERTIES);
    property *p = &e->property[e->properties++];
    *p = (property){.use = UNUSED};
    if (words >= 4 && strcmp(first, "list") == 0) {
        p->list = true;
        if (e->face && (strcmp(fourth, "vertex_indices") == 0 || strcmp(fourth, "vertex_index") == 0))
            p->use = USE_CORNERS;
        return read_type(r, second, &p->count) && read_type(r, third, &p->type);
    }
    if (words < 2)
        return plait_mesh_fail(r->b, r->line, "expected 'property TYPE NAME', found '%.60s'", line);
    if (e->vertex && second[0] >= 'x' && second[0] <= 'z' && second[1] == 0)
        p->use = (use)(second[0] - 'x');
    else if (e->vertex && wished(r->b, second) >= 0)
        p->use = (use)(USE_WISH + wished(r->b, second));
    return read_type(r, first, &p->type);
}

static bool read_element(reader *r, const char *line)
{
    char name[64];
    long count;
    if (sscanf(line, "element %63s %ld", name, &count) != 2 || count < 0 || count > INT_MAX / 8)
        return plait_mesh_fail(r->b, r->line, "expected 'element NAME COUNT', found '%.60s'", line);
    if (r->elements == MAX_ELEMENTS)
        return plait_mesh_fail(r->b, r->line, "more than %d kinds of elements", MAX_ELEMENTS);
    element *e = &r->element[r->elements++];
    e->vertex = strcmp(name, "vertex") == 0;
    e->face = strcmp(name, "face") == 0;
    e->count = count;
    e->properties = 0;
    return true;
}

static bool read_format(reader *r, const char *line)
{
    char word[64] = "", version[64] = "";
    sscanf(line, "format %63s %63s", word, version);
    r->format = strcmp(word, "ascii") == 0                  ? TEXT
                : strcmp(word, "binary_little_endian") == 0 ? LITTLE
                : strcmp(word, "binary_big_endian") == 0    ? BIG
                                                            : NO_FORMAT;
    if (r->format != NO_FORMAT && strcmp(version, "1.0") == 0)
        return true;
    return plait_mesh_fail(r->b, r->line, "expected 'format ascii 1.0' (or binary_..._endian), found '%.60s'", line);
}

static bool read_header(reader *r)
{
    char line[256], word[64];
    read_line(r, line); // "ply"
    while (read_line(r, line)) {
        word[0] = 0;
        sscanf(line, "%63s", word);
        bool ok = true;
        if (strcmp(word, "format") == 0)
            ok = read_format(r, line);
        else if (strcmp(word, "element") == 0)
            ok = read_element(r, line);
        else if (strcmp(word, "property") == 0)
            ok = read_property(r, line);
        else if (strcmp(word, "end_header") == 0)
            return r->format != NO_FORMAT || plait_mesh_fail(r->b, r->line, "the header names no format");
        else if (strcmp(word, "comment") != 0 && strcmp(word, "obj_info") != 0 && word[0])
            ok = plait_mesh_fail(r->b, r->line, "unknown word '%.40s' in the header", word);
        if (!ok)
            return false;
    }
    return plait_mesh_fail(r->b, r->line, "the header does not end (no end_header)");
}

// ---- data --------------------------------------------------------------------------------------------------------

static bool cut_off(reader *r, const char *what)
{
    return plait_mesh_fail(r->b, r->format == TEXT ? r->line + 1 : 0, "the file ends or is damaged within %s", what);
}

static double decode(const unsigned char *bytes, scalar_type type)
{
    uint64_t bits = 0;
    float f;
    double d;
    uint32_t word;
    for (int i = type_size[type] - 1; i >= 0; i--)
        bits = bits << 8 | bytes[i];
    switch (type) {
    case INT8:
        return (int8_t)bits;
    case INT16:
        return (int16_t)bits;
    case INT32:
        return (int32_t)bits;
    case FLOAT32:
        word = (uint32_t)bits;
        memcpy(&f, &word, sizeof f);
        return f;
    case FLOAT64:
        memcpy(&d, &bits, sizeof d);
        return d;
    default:
        return (double)bits;
    }
}

static bool read_value(reader *r, scalar_type type, double *value)
{
    if (r->format == TEXT) {
        while (r->at < r->end && strchr(" \t\r\n", *r->at) && *r->at)
            r->line += *r->at++ == '\n';
        return plait_mesh_scan_real(&r->at, value);
    }
    int size = type_size[type];
    unsigned char bytes[8];
    if (r->end - r->at < size)
        return false;
    for (int i = 0; i < size; i++)
        bytes[i] = (unsigned char)r->at[r->format == LITTLE ? i : size - 1 - i];
    r->at += size;
    *value = decode(bytes, type);
    return true;
}

static bool read_list(reader *r, const property *p, const char *what)
{
    double count, value;
    int corner[3]; // vertices; their values are as many
    if (!read_value(r, p->count, &count))
        return cut_off(r, what);
    if (!(count >= 0 && count <= MAX_LIST))
        return plait_mesh_fail(r->b, r->format == TEXT ? r->line + 1 : 0, "expected the length of a list, found %g",
                               count);
    for (int i = 0; i < (int)count; i++) {
        if (!read_value(r, p->type, &value))
            return cut_off(r, what);
        if (p->use != USE_CORNERS)
            continue;
        if (!(value >= 0 && value < INT_MAX))
            return plait_mesh_fail(r->b, r->format == TEXT ? r->line + 1 : 0, "expected an index of a vertex, found %g",
                                   value);
        corner[i < 2 ? i : 2] = (int)value;
        if (i >= 2) {
            if (!plait_mesh_add_corners(r->b, corner, corner))
                return false;
            corner[1] = corner[2];
        }
    }
    return true;
}

static bool read_row(reader *r, const element *e, const char *what)
{
    double x[3] = {NAN, NAN, NAN}, wish[4] = {NAN, NAN, NAN, NAN}, value;
    for (int i = 0; i < e->properties; i++) {
        const property *p = &e->property[i];
        if (p->list) {
            if (!read_list(r, p, what))
                return false;
            continue;
        }
        if (!read_value(r, p->type, &value))
            return cut_off(r, what);
        if (p->use >= USE_X && p->use <= USE_Z)
            x[p->use] = value;
        else if (p->use >= USE_WISH)
            wish[p->use - USE_WISH] = p->type == UINT8 && r->b->wish ? value / 255 : value; // colours in bytes
    }
    if (!e->vertex)
        return true;
    if (!isfinite(x[0]) || !isfinite(x[1]) || !isfinite(x[2]))
        return plait_mesh_fail(r->b, r->format == TEXT ? r->line + 1 : 0,
                               "expected finite x, y and z of vertex %d, found (%g, %g, %g)", r->b->points, x[0], x[1],
                               x[2]);
    return plait_mesh_add_point(r->b, x) && plait_mesh_add_value(r->b, wish);
}

bool plait_mesh_parse_ply(plait_mesh_builder *b, const char *bytes, size_t size)
{
    reader *r = calloc(1, sizeof *r);
    if (!r) {
        plait_error_set(b->error, PLAIT_NO_MEMORY, "%s: not enough memory", b->name);
        return false;
    }
    r->b = b;
    r->at = bytes;
    r->end = bytes + size;
    bool ok = read_header(r);
    for (int i = 0; i < r->elements && ok; i++) {
        const element *e = &r->element[i];
        char what[64];
        if (e->properties == 0) // nothing is stored for it
            continue;
        snprintf(what, sizeof what, "%s", e->vertex ? "the vertices" : e->face ? "the faces" : "other elements");
        for (long k = 0; k < e->count && ok; k++)
            ok = read_row(r, e, what);
    }
    free(r);
    return ok;
}
