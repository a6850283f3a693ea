// ogawa.c: Alembic's container. Little-endian throughout.
//
//     file      "Ogawa", ff (closed), 0, 1, place of the root group
//     group     number of children, their places: bit 63 says that one is data; 0 and 2^63 are empty ones
//     data      number of bytes, bytes
//
//     root      data version (0), data library version, group of the top object, data meta, data times, data metas
//     object    group of its properties, groups of its children, data: their headers and 32 bytes of hashes
//     compound  groups of its properties, data: their headers
//     scalar    data of each sample                          a sample: 16 bytes of hash, values
//     array     data, data of its dimensions (empty: one) of each sample
//
// A header of a property is 32 bits (kind 0-1, width of the numbers that follow 2-3, pod 4-7, has a time sampling 8,
// has first and last change 9, all samples equally long 10, constant 11, extent 12-19, number of its meta text 20-27),
// the number of samples, the time sampling, the name.
#include "io/ogawa.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/bytes.h"

#if !defined(__BYTE_ORDER__) || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "samples are written as they are in memory: a little-endian machine is expected"
#endif

#define DATA ((uint64_t)1 << 63)
static const int LIBRARY = 10803; // Alembic 1.8.3, whose layout this is

static void push_number(plait_bytes *v, uint64_t value, size_t width)
{
    plait_bytes_push(v, &value, width);
}

// 128 bits that tell samples apart; Alembic's own are of another function, and no reader recomputes them.
static void hash(const void *data, size_t size, uint64_t out[2])
{
    const unsigned char *p = data;
    uint64_t a = 0x9e3779b97f4a7c15u ^ size, b = 0xc2b2ae3d27d4eb4fu + size;
    for (; size >= 16; size -= 16, p += 16) {
        uint64_t x, y;
        memcpy(&x, p, 8);
        memcpy(&y, p + 8, 8);
        a = (a ^ x) * 0xff51afd7ed558ccdu;
        b = (b ^ y) * 0xc4ceb9fe1a85ec53u;
        a = (a << 31 | a >> 33) + b;
        b = (b << 27 | b >> 37) ^ a;
    }
    unsigned char rest[16] = {0};
    uint64_t x, y;
    if (size > 0)
        memcpy(rest, p, size);
    memcpy(&x, rest, 8);
    memcpy(&y, rest + 8, 8);
    a = (a ^ x) * 0xff51afd7ed558ccdu, b = (b ^ y) * 0xc4ceb9fe1a85ec53u;
    for (int i = 0; i < 3; i++) {
        a ^= a >> 33, b ^= b >> 29;
        a = a * 0xff51afd7ed558ccdu + b, b = b * 0xc4ceb9fe1a85ec53u ^ a;
    }
    out[0] = a, out[1] = b;
}

// ---- the tree ----------------------------------------------------------------------------------------------------

void plait_abc_begin(plait_abc *abc)
{
    static const unsigned char head[16] = {'O', 'g', 'a', 'w', 'a', 0, 0, 1}; // not closed yet, no root group yet
    plait_sink_bytes(&abc->sink, head, sizeof head);
}

plait_abc_object *plait_abc_add_object(plait_abc *abc, plait_abc_object *parent, const char *name, const char *meta)
{
    plait_abc_object *o = calloc(1, sizeof *o), **end = &parent->child;
    if (!o) {
        abc->failed = true;
        return NULL;
    }
    o->name = plait_bytes_copy_text(name, &abc->failed);
    o->meta = plait_bytes_copy_text(meta, &abc->failed);
    while (*end)
        end = &(*end)->next;
    return *end = o;
}

plait_abc_property *plait_abc_add(plait_abc *abc, plait_abc_property *parent, const char *name, plait_abc_kind kind,
                                  plait_abc_pod pod, int extent, bool animated, const char *meta)
{
    plait_abc_property *p = parent ? calloc(1, sizeof *p) : NULL, **end = parent ? &parent->child : NULL;
    if (!p) {
        abc->failed = true;
        return NULL;
    }
    *p = (plait_abc_property){.kind = kind, .pod = pod, .extent = extent, .animated = animated, .least = 1};
    p->name = plait_bytes_copy_text(name, &abc->failed);
    p->meta = plait_bytes_copy_text(meta, &abc->failed);
    while (*end)
        end = &(*end)->next;
    return *end = p;
}

static uint64_t write_data(plait_abc *abc, const void *head, size_t head_size, const void *data, size_t size)
{
    uint64_t at = (uint64_t)abc->sink.bytes;
    if (head_size + size == 0)
        return DATA;
    plait_sink_u64(&abc->sink, head_size + size);
    plait_sink_bytes(&abc->sink, head, head_size);
    plait_sink_bytes(&abc->sink, data, size);
    return at | DATA;
}

static void add_sample(plait_abc *abc, plait_abc_property *p, const void *data, size_t size)
{
    uint64_t key[2];
    if (!p || !plait_bytes_grow_places(&p->at, p->samples, &p->room, &abc->failed))
        return;
    hash(data, size, key);
    if (p->samples > 0 && p->size == size && memcmp(key, p->key, sizeof key) == 0)
        p->at[p->samples] = p->at[p->samples - 1]; // as before: one place for both
    else
        p->at[p->samples] = size > 0 ? write_data(abc, key, sizeof key, data, size) : DATA;
    memcpy(p->key, key, sizeof key);
    p->size = size;
    p->samples++;
}

void plait_abc_sample(plait_abc *abc, plait_abc_property *p, const void *values, size_t count)
{
    static const size_t width[] = {[PLAIT_ABC_BOOL] = 1, [PLAIT_ABC_U8] = 1,  [PLAIT_ABC_I16] = 2, [PLAIT_ABC_U32] = 4,
                                   [PLAIT_ABC_I32] = 4,  [PLAIT_ABC_F32] = 4, [PLAIT_ABC_F64] = 8};
    if (!p)
        return;
    size_t numbers = count * (size_t)p->extent;
    for (size_t i = 0; p->pod == PLAIT_ABC_F32 && i < numbers; i++)
        abc->sink.infinite = abc->sink.infinite || !isfinite(((const float *)values)[i]);
    for (size_t i = 0; p->pod == PLAIT_ABC_F64 && i < numbers; i++)
        abc->sink.infinite = abc->sink.infinite || !isfinite(((const double *)values)[i]);
    p->least = count == 1 ? p->least : 0;
    add_sample(abc, p, values, numbers * width[p->pod]);
}

void plait_abc_text(plait_abc *abc, plait_abc_property *p, const char *text)
{
    static const uint64_t one = 1;
    if (!p)
        return;
    add_sample(abc, p, text, strlen(text) + 1);
    if (p->kind == PLAIT_ABC_ARRAY)
        p->dims = write_data(abc, &one, sizeof one, NULL, 0);
}

// ---- headers -----------------------------------------------------------------------------------------------------

// 0: none; 1 ..: in the table; 255: it does not fit there.
static unsigned meta_number(plait_abc *abc, const char *text)
{
    if (!text[0])
        return 0;
    for (int i = 0; i < abc->metas; i++)
        if (strcmp(abc->meta[i], text) == 0)
            return (unsigned)i + 1;
    if (strlen(text) > 255 || abc->metas == 254 || !(abc->meta[abc->metas] = plait_bytes_copy_text(text, &abc->failed)))
        return 255;
    return (unsigned)++abc->metas;
}

static bool is_constant(const plait_abc_property *p)
{
    for (size_t i = 1; i < p->samples; i++)
        if (p->at[i] != p->at[0])
            return false;
    return true;
}

static void push_header(plait_abc *abc, const plait_abc_property *p, plait_bytes *v)
{
    bool constant = is_constant(p);
    size_t name = strlen(p->name), meta = strlen(p->meta), samples = constant && p->samples > 0 ? 1 : p->samples;
    size_t longest = name > meta ? name : meta;
    longest = samples > longest ? samples : longest;
    unsigned hint = longest > 65535 ? 2 : longest > 255 ? 1 : 0, number = meta_number(abc, p->meta);
    size_t width = hint == 2 ? 4 : hint + 1;
    uint32_t info = hint << 2 | number << 20;
    if (p->kind != PLAIT_ABC_COMPOUND) {
        bool single = p->kind == PLAIT_ABC_SCALAR || (p->least == 1 && p->pod != PLAIT_ABC_STRING);
        info |= (uint32_t)p->kind | single | (uint32_t)p->pod << 4 | (p->animated ? 0x100u : 0u) | 0x400u |
                (constant ? 0x800u : 0u) | (uint32_t)p->extent << 12;
    }
    push_number(v, info, 4);
    if (p->kind != PLAIT_ABC_COMPOUND) {
        push_number(v, samples, width);
        if (p->animated)
            push_number(v, 1, width);
    }
    push_number(v, name, width);
    plait_bytes_push(v, p->name, name);
    if (number == 255) {
        push_number(v, meta, width);
        plait_bytes_push(v, p->meta, meta);
    }
}

static uint64_t write_group(plait_abc *abc, const plait_bytes *places)
{
    uint64_t at = (uint64_t)abc->sink.bytes, count = places->count / 8;
    if (count == 0)
        return 0;
    plait_sink_u64(&abc->sink, count);
    plait_sink_bytes(&abc->sink, places->b, places->count);
    abc->failed = abc->failed || places->failed;
    return at;
}

// Writes the group of a property; its hash goes into `sum`.
static uint64_t write_property(plait_abc *abc, const plait_abc_property *p, plait_bytes *sum)
{
    plait_bytes places = {0}, headers = {0};
    for (const plait_abc_property *c = p->child; c; c = c->next) {
        push_number(&places, write_property(abc, c, sum), 8);
        push_header(abc, c, &headers);
    }
    size_t samples = p->samples > 0 && is_constant(p) ? 1 : p->samples;
    for (size_t i = 0; i < samples; i++) {
        push_number(&places, p->at[i], 8);
        if (p->kind == PLAIT_ABC_ARRAY)
            push_number(&places, p->dims ? p->dims : DATA, 8);
    }
    if (headers.count > 0)
        push_number(&places, write_data(abc, NULL, 0, headers.b, headers.count), 8);
    if (p->name)
        plait_bytes_push(sum, p->name, strlen(p->name));
    plait_bytes_push(sum, p->key, sizeof p->key);
    push_number(sum, p->samples, 8);
    uint64_t at = write_group(abc, &places);
    abc->failed = abc->failed || headers.failed || sum->failed;
    free(places.b);
    free(headers.b);
    return at;
}

static uint64_t write_object(plait_abc *abc, const plait_abc_object *o, uint64_t key[2])
{
    plait_bytes places = {0}, headers = {0}, own = {0}, below = {0};
    uint64_t hashes[4] = {0};
    push_number(&places, write_property(abc, &o->top, &own), 8);
    for (const plait_abc_object *c = o->child; c; c = c->next) {
        uint64_t child[2];
        push_number(&places, write_object(abc, c, child), 8);
        plait_bytes_push(&below, child, sizeof child);
        size_t name = strlen(c->name), meta = strlen(c->meta);
        unsigned number = meta_number(abc, c->meta);
        push_number(&headers, name, 4);
        plait_bytes_push(&headers, c->name, name);
        push_number(&headers, number, 1);
        if (number == 255) {
            push_number(&headers, meta, 4);
            plait_bytes_push(&headers, c->meta, meta);
        }
    }
    hash(own.b, own.count, hashes);
    if (below.count > 0)
        hash(below.b, below.count, hashes + 2);
    plait_bytes_push(&headers, hashes, sizeof hashes);
    hash(hashes, sizeof hashes, key);
    push_number(&places, write_data(abc, NULL, 0, headers.b, headers.count), 8);
    uint64_t at = write_group(abc, &places);
    abc->failed = abc->failed || headers.failed || own.failed || below.failed;
    free(places.b);
    free(headers.b);
    free(own.b);
    free(below.b);
    return at;
}

// Two time samplings: Alembic's own for what does not change, and the frames: uniform, or else each with its time.
static uint64_t write_times(plait_abc *abc, const double *times, int count, double rate)
{
    plait_bytes v = {0};
    double step = 1, start = 0;
    push_number(&v, 1, 4);
    plait_bytes_push(&v, &step, 8);
    push_number(&v, 1, 4);
    plait_bytes_push(&v, &start, 8);
    bool uniform = true;
    for (int i = 1; i < count; i++)
        uniform = uniform && fabs((times[i] - times[0]) * rate - i * nearbyint((times[1] - times[0]) * rate)) < 1e-6;
    step = count > 1 ? nearbyint((times[1] - times[0]) * rate) / rate : 1 / rate;
    if (!uniform)
        step = DBL_MAX / 32; // Alembic's word for times without a period
    push_number(&v, (uint64_t)count, 4);
    plait_bytes_push(&v, &step, 8);
    push_number(&v, uniform ? 1 : (uint64_t)count, 4);
    plait_bytes_push(&v, times, (uniform ? 1 : (size_t)count) * 8);
    uint64_t at = write_data(abc, NULL, 0, v.b, v.count);
    abc->failed = abc->failed || v.failed;
    free(v.b);
    return at;
}

bool plait_abc_end(plait_abc *abc, const double *times, int count, double rate, const char *about)
{
    plait_bytes places = {0}, metas = {0};
    uint64_t key[2];
    int32_t version = 0, library = LIBRARY;
    push_number(&places, write_data(abc, NULL, 0, &version, 4), 8);
    push_number(&places, write_data(abc, NULL, 0, &library, 4), 8);
    push_number(&places, write_object(abc, &abc->root, key), 8);
    push_number(&places, write_data(abc, NULL, 0, about, strlen(about)), 8);
    push_number(&places, write_times(abc, times, count, rate), 8);
    for (int i = 0; i < abc->metas; i++) {
        push_number(&metas, strlen(abc->meta[i]), 1);
        plait_bytes_push(&metas, abc->meta[i], strlen(abc->meta[i]));
    }
    push_number(&places, write_data(abc, NULL, 0, metas.b, metas.count), 8);
    uint64_t root = write_group(abc, &places);
    unsigned char closed = 0xff;
    plait_sink_patch(&abc->sink, 5, &closed, 1);
    plait_sink_patch(&abc->sink, 8, &root, 8);
    bool ok = !abc->failed && !places.failed && !metas.failed;
    free(places.b);
    free(metas.b);
    return ok;
}

static void free_properties(plait_abc_property *p)
{
    for (plait_abc_property *next; p; p = next) {
        next = p->next;
        free_properties(p->child);
        free(p->name);
        free(p->meta);
        free(p->at);
        free(p);
    }
}

static void free_objects(plait_abc_object *o)
{
    for (plait_abc_object *next; o; o = next) {
        next = o->next;
        free_objects(o->child);
        free_properties(o->top.child);
        free(o->name);
        free(o->meta);
        free(o);
    }
}

void plait_abc_free(plait_abc *abc)
{
    free_objects(abc->root.child);
    free_properties(abc->root.top.child);
    for (int i = 0; i < abc->metas; i++)
        free(abc->meta[i]);
}
