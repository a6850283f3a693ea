// gltf_file.c: .gltf and .glb files, their buffers (inside, beside or as data: URIs) and accessors.
//
// .glb: "glTF", version 2, length; chunks of a length, a kind ("JSON", "BIN\0") and bytes. Little-endian.
#include "file/gltf.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/fail.h"

static const uint64_t MOST_BYTES = (uint64_t)1 << 32;

static bool no_memory(plait_gltf *g)
{
    plait_error_set(g->b->error, PLAIT_NO_MEMORY, "%s: not enough memory", g->b->name);
    return false;
}

// ---- the file ----------------------------------------------------------------------------------------------------

// All bytes, with a zero behind them. NULL with a message.
static uint8_t *slurp(plait_gltf *g, FILE *file, const char *name, size_t *size)
{
    off_t length = fseeko(file, 0, SEEK_END) == 0 ? ftello(file) : -1;
    if (length < 0 || (uint64_t)length > MOST_BYTES || fseeko(file, 0, SEEK_SET) != 0) {
        plait_mesh_fail(g->b, 0, "%s: expected a file of at most 4 GB", name);
        return NULL;
    }
    uint8_t *bytes = malloc((size_t)length + 1);
    if (!bytes) {
        no_memory(g);
        return NULL;
    }
    *size = (size_t)length;
    if (fread(bytes, 1, *size, file) != *size) {
        plait_mesh_fail(g->b, 0, "%s: cannot be read", name);
        free(bytes);
        return NULL;
    }
    bytes[*size] = 0;
    return bytes;
}

static uint32_t u32(const uint8_t *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static bool split(plait_gltf *g, const uint8_t *bytes, size_t size, size_t *text_size)
{
    if (size < 20 || u32(bytes + 4) != 2)
        return plait_mesh_fail(g->b, 0, "expected glTF 2.0 in its binary form, found a shorter or another file");
    for (size_t at = 12; at + 8 <= size;) {
        uint32_t length = u32(bytes + at);
        bool json = memcmp(bytes + at + 4, "JSON", 4) == 0, bin = memcmp(bytes + at + 4, "BIN\0", 4) == 0;
        at += 8;
        if (length > size - at)
            return plait_mesh_fail(g->b, 0, "expected a chunk of %u bytes, found %zu", length, size - at);
        if ((json && !g->text) || (bin && !g->chunk)) {
            uint8_t *copy = malloc((size_t)length + 1);
            if (!copy)
                return no_memory(g);
            memcpy(copy, bytes + at, length);
            copy[length] = 0;
            if (json) {
                g->text = (char *)copy;
                *text_size = length;
            } else {
                g->chunk = copy;
                g->chunk_size = length;
            }
        }
        at += length;
    }
    return g->text || plait_mesh_fail(g->b, 0, "expected a chunk of JSON, found none");
}

bool plait_gltf_open(plait_gltf *g, FILE *file)
{
    size_t size = 0, text_size = 0;
    uint8_t *bytes = slurp(g, file, g->b->name, &size);
    if (!bytes)
        return false;
    bool ok = true;
    if (size >= 4 && memcmp(bytes, "glTF", 4) == 0) {
        ok = split(g, bytes, size, &text_size);
        free(bytes);
    } else {
        g->text = (char *)bytes;
        text_size = size;
    }
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    ok = ok && plait_json_parse(&g->json, g->b->name, g->text, text_size, g->b->error);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    if (!ok)
        return false;
    int asset = plait_json_get(&g->json, 0, "asset"), version = plait_json_get(&g->json, asset, "version");
    if (version < 0 || g->json.value[version].kind != PLAIT_JSON_STRING || g->json.value[version].length < 1 ||
        g->json.value[version].text[0] != '2')
        return plait_mesh_fail(g->b, 0, "expected glTF with asset.version 2.0, found another");
    g->buffers = plait_gltf_count(g, "buffers");
    g->buffer = calloc((size_t)g->buffers + 1, sizeof *g->buffer);
    g->buffer_size = calloc((size_t)g->buffers + 1, sizeof *g->buffer_size);
    return g->buffer && g->buffer_size ? true : no_memory(g);
}

void plait_gltf_close(plait_gltf *g)
{
    for (int i = 0; g->buffer && i < g->buffers; i++)
        if (g->buffer[i] != g->chunk)
            free(g->buffer[i]);
    free(g->buffer);
    free(g->buffer_size);
    free(g->chunk);
    free(g->text);
    plait_json_free(&g->json);
}

int plait_gltf_entry(const plait_gltf *g, const char *list, int i)
{
    return plait_json_at(&g->json, plait_json_get(&g->json, 0, list), i);
}

int plait_gltf_count(const plait_gltf *g, const char *list)
{
    int i = plait_json_get(&g->json, 0, list);
    return i >= 0 && g->json.value[i].kind == PLAIT_JSON_LIST ? g->json.value[i].count : 0;
}

// ---- buffers -----------------------------------------------------------------------------------------------------

static int sextet(char c)
{
    return c >= 'A' && c <= 'Z'   ? c - 'A'
           : c >= 'a' && c <= 'z' ? c - 'a' + 26
           : c >= '0' && c <= '9' ? c - '0' + 52
           : c == '+' || c == '-' ? 62
           : c == '/' || c == '_' ? 63
                                  : -1;
}

static bool decode(plait_gltf *g, const char *text, size_t length, int i)
{
    uint8_t *out = malloc(length / 4 * 3 + 4);
    size_t n = 0;
    uint32_t bits = 0;
    int have = 0;
    if (!out)
        return no_memory(g);
    for (size_t k = 0; k < length && text[k] != '='; k++) {
        int v = sextet(text[k]);
        if (v < 0) {
            free(out);
            return plait_mesh_fail(g->b, 0, "buffer %d: expected base64, found '%c'", i, text[k]);
        }
        bits = bits << 6 | (uint32_t)v;
        have += 6;
        if (have >= 8) {
            have -= 8;
            out[n++] = (uint8_t)(bits >> have);
        }
    }
    g->buffer[i] = out;
    g->buffer_size[i] = n;
    return true;
}

// A file beside this one; %20 and the like are signs.
static bool read_beside(plait_gltf *g, const char *uri, size_t length, int i)
{
    const char *slash = strrchr(g->path, '/');
    size_t folder = slash ? (size_t)(slash - g->path) + 1 : 0, n = folder;
    char *path = malloc(folder + length + 1);
    if (!path)
        return no_memory(g);
    memcpy(path, g->path, folder);
    for (size_t k = 0; k < length; k++) {
        unsigned value;
        if (uri[k] == '%' && k + 2 < length && sscanf(uri + k + 1, "%2x", &value) == 1 && value > 0)
            path[n++] = (char)value, k += 2;
        else
            path[n++] = uri[k];
    }
    path[n] = 0;
    plait_error why = {0};
    FILE *file = memchr(path, 0, n) ? NULL : plait_file_open(path, "cannot be read", &why);
    bool ok = file != NULL;
    if (!ok && why.status == PLAIT_NO_MEMORY)
        no_memory(g);
    else if (!ok)
        plait_mesh_fail(g->b, 0, "buffer %d: %s", i, why.text[0] ? why.text : "no file has such a name");
    if (ok) {
        g->buffer[i] = slurp(g, file, path, &g->buffer_size[i]);
        ok = g->buffer[i] != NULL;
    }
    if (file)
        fclose(file);
    free(path);
    return ok;
}

static bool load(plait_gltf *g, int i)
{
    if (i < 0 || i >= g->buffers)
        return plait_mesh_fail(g->b, 0, "expected buffers from 0 to %d, found %d", g->buffers - 1, i);
    if (g->buffer[i])
        return true;
    int entry = plait_gltf_entry(g, "buffers", i), uri = plait_json_get(&g->json, entry, "uri");
    if (uri < 0 || g->json.value[uri].kind != PLAIT_JSON_STRING) {
        if (!g->chunk)
            return plait_mesh_fail(g->b, 0, "buffer %d: expected a uri, or a binary chunk", i);
        g->buffer[i] = g->chunk;
        g->buffer_size[i] = g->chunk_size;
        return true;
    }
    const char *text = g->json.value[uri].text;
    size_t length = g->json.value[uri].length;
    if (length < 5 || memcmp(text, "data:", 5) != 0)
        return read_beside(g, text, length, i);
    const char *comma = memchr(text, ',', length);
    if (!comma || comma - text < 7 || memcmp(comma - 7, ";base64", 7) != 0)
        return plait_mesh_fail(g->b, 0, "buffer %d: expected a data: URI with base64", i);
    return decode(g, comma + 1, length - (size_t)(comma + 1 - text), i);
}

// ---- accessors ---------------------------------------------------------------------------------------------------

typedef struct view {
    const uint8_t *bytes;
    size_t size, stride; // stride 0: one after the other
} view;

static bool get_view(plait_gltf *g, int i, view *v)
{
    int entry = plait_gltf_entry(g, "bufferViews", i), buffer = plait_json_index(&g->json, entry, "buffer");
    double offset = plait_json_number(&g->json, entry, "byteOffset", 0);
    double length = plait_json_number(&g->json, entry, "byteLength", -1);
    double stride = plait_json_number(&g->json, entry, "byteStride", 0);
    if (entry < 0 || buffer < 0)
        return plait_mesh_fail(g->b, 0, "expected bufferView %d with a buffer, found none", i);
    if (!load(g, buffer))
        return false;
    if (!(offset >= 0 && length >= 0 && offset + length <= (double)g->buffer_size[buffer]) ||
        !(stride >= 0 && stride <= 252))
        return plait_mesh_fail(g->b, 0, "bufferView %d: expected bytes inside of buffer %d, which has %zu", i, buffer,
                               g->buffer_size[buffer]);
    *v = (view){g->buffer[buffer] + (size_t)offset, (size_t)length, (size_t)stride};
    return true;
}

static int width_of(int component)
{
    return component == 5120 || component == 5121   ? 1
           : component == 5122 || component == 5123 ? 2
           : component == 5125 || component == 5126 ? 4
                                                    : 0;
}

static double component_of(const uint8_t *p, int component, bool normalized)
{
    float f;
    uint32_t bits = 0;
    memcpy(&bits, p, (size_t)width_of(component));
    switch (component) {
    case 5120:
        return normalized ? fmax((double)(int8_t)bits / 127, -1) : (double)(int8_t)bits;
    case 5121:
        return normalized ? (double)bits / 255 : (double)bits;
    case 5122:
        return normalized ? fmax((double)(int16_t)bits / 32767, -1) : (double)(int16_t)bits;
    case 5123:
        return normalized ? (double)bits / 65535 : (double)bits;
    case 5126:
        memcpy(&f, p, 4);
        return (double)f;
    default:
        return (double)bits;
    }
}

// `count` elements of a view from an offset on.
static bool read_elements(plait_gltf *g, int viewed, double offset, size_t count, int component, int each,
                          bool normalized, double *x)
{
    view v;
    size_t width = (size_t)width_of(component), size = width * (size_t)each;
    if (width == 0)
        return plait_mesh_fail(g->b, 0, "expected a known componentType, found %d", component);
    if (!get_view(g, viewed, &v))
        return false;
    size_t stride = v.stride ? v.stride : size;
    if (!(offset >= 0) || (count > 0 && offset + (double)stride * (double)(count - 1) + (double)size > (double)v.size))
        return plait_mesh_fail(g->b, 0, "bufferView %d: expected %zu elements of %zu bytes, found %zu bytes", viewed,
                               count, size, v.size);
    for (size_t i = 0; i < count; i++)
        for (int c = 0; c < each; c++)
            x[i * (size_t)each + (size_t)c] =
                component_of(v.bytes + (size_t)offset + i * stride + (size_t)c * width, component, normalized);
    return true;
}

// Elements that differ from the rest: places and values.
static bool read_sparse(plait_gltf *g, int sparse, size_t count, int component, int each, bool normalized, double *x)
{
    int places = plait_json_get(&g->json, sparse, "indices"), values = plait_json_get(&g->json, sparse, "values");
    double n = plait_json_number(&g->json, sparse, "count", -1);
    if (!(n >= 0 && n <= (double)count))
        return plait_mesh_fail(g->b, 0, "a sparse accessor: expected 0 to %zu elements, found %g", count, n);
    double *index = malloc(((size_t)n + 1) * sizeof *index), *value = malloc((size_t)(n * each + 1) * sizeof *value);
    bool ok = index && value ? true : no_memory(g);
    ok = ok &&
         read_elements(g, plait_json_index(&g->json, places, "bufferView"),
                       plait_json_number(&g->json, places, "byteOffset", 0), (size_t)n,
                       plait_json_index(&g->json, places, "componentType"), 1, false, index) &&
         read_elements(g, plait_json_index(&g->json, values, "bufferView"),
                       plait_json_number(&g->json, values, "byteOffset", 0), (size_t)n, component, each, normalized,
                       value);
    for (size_t i = 0; ok && i < (size_t)n; i++) {
        if (!(index[i] >= 0 && index[i] < (double)count))
            ok =
                plait_mesh_fail(g->b, 0, "a sparse accessor: expected places from 0 to %zu, found %g", count, index[i]);
        for (int c = 0; ok && c < each; c++)
            x[(size_t)index[i] * (size_t)each + (size_t)c] = value[i * (size_t)each + (size_t)c];
    }
    free(index);
    free(value);
    return ok;
}

bool plait_gltf_accessor(plait_gltf *g, int accessor, double **x, size_t *count, int *each)
{
    static const struct {
        const char *name;
        int each;
    } type[] = {{"SCALAR", 1}, {"VEC2", 2}, {"VEC3", 3}, {"VEC4", 4}, {"MAT4", 16}};
    int entry = plait_gltf_entry(g, "accessors", accessor), named = plait_json_get(&g->json, entry, "type");
    double elements = plait_json_number(&g->json, entry, "count", -1);
    *x = NULL;
    *count = 0;
    *each = 0;
    for (size_t i = 0; i < sizeof type / sizeof *type; i++)
        if (plait_json_is(&g->json, named, type[i].name))
            *each = type[i].each;
    int component = plait_json_index(&g->json, entry, "componentType");
    if (entry < 0 || *each == 0 || !(elements >= 0 && elements < 1 << 28) || elements != floor(elements))
        return plait_mesh_fail(g->b, 0, "expected accessor %d with a known type and a count, found none", accessor);
    int normal = plait_json_get(&g->json, entry, "normalized"),
        viewed = plait_json_index(&g->json, entry, "bufferView");
    bool normalized = normal >= 0 && g->json.value[normal].number != 0;
    if (viewed < 0 && elements > 1 << 24) // nothing in the file stands for so many zeros
        return plait_mesh_fail(g->b, 0, "accessor %d: expected a bufferView for %.0f elements", accessor, elements);
    *count = (size_t)elements;
    *x = calloc(*count * (size_t)*each + 1, sizeof **x);
    bool ok = *x ? true : no_memory(g);
    if (ok && viewed >= 0)
        ok = read_elements(g, viewed, plait_json_number(&g->json, entry, "byteOffset", 0), *count, component, *each,
                           normalized, *x);
    int sparse = plait_json_get(&g->json, entry, "sparse");
    if (ok && sparse >= 0)
        ok = read_sparse(g, sparse, *count, component, *each, normalized, *x);
    if (!ok) {
        free(*x);
        *x = NULL;
    }
    return ok;
}
