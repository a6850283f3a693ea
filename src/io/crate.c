// crate.c: USD's crate container, version 0.8.0. Little-endian throughout.
//
//     file      "PXR-USDC", version (8 bytes), place of the table of contents, 64 bytes of zero; values; sections
//     contents  number of sections; name (16 bytes), place and size of each
//     TOKENS    texts        FIELDS    name and rep of each        FIELDSETS   lists of fields, each ended by ~0
//     STRINGS   none here    PATHS     a tree, see below           SPECS       path, list of fields and kind of each
//
// A rep has 48 bits of payload (a place, or a value itself), 8 of type, and flags on top: array, inlined, packed. Paths
// stand in depth-first order: the token of each, and a jump: -2 nothing follows, -1 its child, 0 its sibling, else
// both, the sibling so many entries on.
#include "io/crate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 88, SECTIONS = 6, LEAST_PACKED = 16 };

// ---- bytes that grow -----------------------------------------------------------------------------------------------

static void push(plait_crate *c, plait_bytes *v, const void *from, size_t count)
{
    plait_bytes_push(v, from, count);
    c->failed = c->failed || v->failed;
}

static void push_int(plait_crate *c, plait_bytes *v, int64_t value)
{
    int32_t x = (int32_t)value;
    push(c, v, &x, 4);
}

static int32_t token_number(plait_crate *c, const char *text)
{
    int32_t count = (int32_t)(c->token_at.count / 4);
    for (int32_t i = 0; i < count; i++) {
        int32_t at;
        memcpy(&at, c->token_at.b + 4 * (size_t)i, 4);
        if (strcmp((const char *)c->tokens.b + at, text) == 0)
            return i;
    }
    push_int(c, &c->token_at, (int64_t)c->tokens.count);
    push(c, &c->tokens, text, strlen(text) + 1);
    return count;
}

// ---- values ------------------------------------------------------------------------------------------------------

static uint64_t rep_of(plait_crate_type type, uint64_t flags, uint64_t payload)
{
    return flags | (uint64_t)type << 48 | (payload & PLAIT_CRATE_PAYLOAD);
}

static uint64_t place(plait_crate *c)
{
    static const char zero[8] = {0};
    plait_sink_bytes(&c->sink, zero, (size_t)(-c->sink.bytes & 7)); // readers may map arrays as they are
    return (uint64_t)c->sink.bytes;
}

uint64_t plait_crate_floats(plait_crate *c, plait_crate_type type, const float *x, size_t count, size_t each)
{
    if (count == 0)
        return rep_of(type, PLAIT_CRATE_ARRAY, 0);
    for (size_t i = 0; i < count * each; i++)
        c->sink.infinite = c->sink.infinite || !isfinite(x[i]);
    uint64_t at = place(c);
    plait_sink_u64(&c->sink, count);
    plait_sink_bytes(&c->sink, x, 4 * count * each);
    return rep_of(type, PLAIT_CRATE_ARRAY, at);
}

static void write_packed_ints(plait_crate *c, const int32_t *x, size_t count)
{
    size_t size = 0;
    uint8_t *packed = plait_crate_pack_ints(x, count, &size);
    c->failed = c->failed || !packed;
    if (packed) {
        plait_sink_u64(&c->sink, size);
        plait_sink_bytes(&c->sink, packed, size);
    }
    free(packed);
}

uint64_t plait_crate_ints(plait_crate *c, const int32_t *x, size_t count)
{
    if (count == 0)
        return rep_of(PLAIT_CRATE_INT, PLAIT_CRATE_ARRAY, 0);
    uint64_t at = place(c);
    plait_sink_u64(&c->sink, count);
    if (count < LEAST_PACKED) {
        plait_sink_bytes(&c->sink, x, 4 * count);
        return rep_of(PLAIT_CRATE_INT, PLAIT_CRATE_ARRAY, at);
    }
    write_packed_ints(c, x, count);
    return rep_of(PLAIT_CRATE_INT, PLAIT_CRATE_ARRAY | PLAIT_CRATE_PACKED, at);
}

uint64_t plait_crate_doubles(plait_crate *c, plait_crate_type type, const double *x, size_t count)
{
    uint64_t at = place(c);
    if (type == PLAIT_CRATE_DOUBLES)
        plait_sink_u64(&c->sink, count);
    for (size_t i = 0; i < count; i++)
        plait_sink_f64(&c->sink, x[i]);
    return rep_of(type, 0, at);
}

uint64_t plait_crate_token(plait_crate *c, const char *text)
{
    return rep_of(PLAIT_CRATE_TOKEN, PLAIT_CRATE_INLINED, (uint64_t)token_number(c, text));
}

uint64_t plait_crate_tokens(plait_crate *c, const char *const *text, size_t count)
{
    uint64_t at = place(c);
    plait_sink_u64(&c->sink, count);
    for (size_t i = 0; i < count; i++)
        plait_sink_i32(&c->sink, token_number(c, text[i]));
    return rep_of(PLAIT_CRATE_TOKEN, PLAIT_CRATE_ARRAY, at);
}

// Places of times and values are told as jumps over what may lie between; nothing does here.
static uint64_t write_samples(plait_crate *c, uint64_t times, const uint64_t *sample, size_t count)
{
    uint64_t at = place(c);
    plait_sink_u64(&c->sink, 8);
    plait_sink_u64(&c->sink, times);
    plait_sink_u64(&c->sink, 8);
    plait_sink_u64(&c->sink, count);
    for (size_t i = 0; i < count; i++)
        plait_sink_u64(&c->sink, sample[i]);
    return rep_of(PLAIT_CRATE_SAMPLES, 0, at);
}

// ---- the tree ----------------------------------------------------------------------------------------------------

void plait_crate_begin(plait_crate *c)
{
    unsigned char head[HEAD] = "PXR-USDC";
    head[9] = 8; // version 0.8.0; the place of the contents follows at the end
    plait_sink_bytes(&c->sink, head, sizeof head);
    token_number(c, ";-)"); // a property's token is told by its sign: 0 must not be one
}

plait_crate_prim *plait_crate_add_prim(plait_crate *c, plait_crate_prim *parent, const char *name, const char *type)
{
    plait_crate_prim *p = parent ? calloc(1, sizeof *p) : NULL, **end = parent ? &parent->child : NULL;
    if (!p) {
        c->failed = true;
        return NULL;
    }
    p->name = plait_bytes_copy_text(name, &c->failed);
    p->type = type;
    while (*end)
        end = &(*end)->next;
    return *end = p;
}

plait_crate_attribute *plait_crate_add(plait_crate *c, plait_crate_prim *prim, const char *name, const char *type,
                                       const char *interpolation, uint64_t value)
{
    plait_crate_attribute *a = prim ? calloc(1, sizeof *a) : NULL, **end = prim ? &prim->attribute : NULL;
    if (!a) {
        c->failed = true;
        return NULL;
    }
    *a = (plait_crate_attribute){.type = type, .interpolation = interpolation, .value = value};
    a->name = plait_bytes_copy_text(name, &c->failed);
    while (*end)
        end = &(*end)->next;
    return *end = a;
}

void plait_crate_sample(plait_crate *c, plait_crate_attribute *a, uint64_t value)
{
    if (a && plait_bytes_grow_places(&a->sample, a->samples, &a->room, &c->failed))
        a->sample[a->samples++] = value;
}

// ---- specs -------------------------------------------------------------------------------------------------------

static void add_field(plait_crate *c, const char *name, uint64_t rep)
{
    push_int(c, &c->sets, (int64_t)(c->fields.count / 4));
    push_int(c, &c->fields, token_number(c, name));
    push(c, &c->reps, &rep, 8);
}

// Returns the path's number. Its jump is set when the entries after it are there.
static size_t begin_spec(plait_crate *c, const char *name, bool property, plait_crate_spec kind)
{
    size_t path = c->path.count / 4;
    int32_t token = name ? token_number(c, name) : 0;
    push_int(c, &c->path, property ? -token : token);
    push_int(c, &c->jump, -2);
    push_int(c, &c->spec, (int64_t)path);
    push_int(c, &c->set_of, (int64_t)(c->sets.count / 4));
    push_int(c, &c->of_kind, kind);
    return path;
}

static void end_spec(plait_crate *c)
{
    push_int(c, &c->sets, -1);
}

static void set_jump(plait_crate *c, size_t path, bool child, bool sibling)
{
    size_t next = c->path.count / 4; // where the sibling will be
    int32_t jump = child ? (sibling ? (int32_t)(next - path) : -1) : sibling ? 0 : -2;
    if (4 * path + 4 <= c->jump.count)
        memcpy(c->jump.b + 4 * path, &jump, 4);
}

static uint64_t token_list(plait_crate *c, const plait_crate_prim *p, bool attributes)
{
    uint64_t at = place(c), count = 0;
    for (const plait_crate_attribute *a = p->attribute; attributes && a; a = a->next)
        count++;
    for (const plait_crate_prim *k = p->child; !attributes && k; k = k->next)
        count++;
    plait_sink_u64(&c->sink, count);
    for (const plait_crate_attribute *a = p->attribute; attributes && a; a = a->next)
        plait_sink_i32(&c->sink, token_number(c, a->name));
    for (const plait_crate_prim *k = p->child; !attributes && k; k = k->next)
        plait_sink_i32(&c->sink, token_number(c, k->name));
    return rep_of(PLAIT_CRATE_TOKENS, 0, at);
}

static void write_attribute(plait_crate *c, const plait_crate_attribute *a, uint64_t times, bool sibling)
{
    size_t path = begin_spec(c, a->name, true, PLAIT_CRATE_ATTRIBUTE);
    add_field(c, "typeName", plait_crate_token(c, a->type));
    add_field(c, "custom", rep_of(PLAIT_CRATE_BOOL, PLAIT_CRATE_INLINED, 0));
    add_field(c, "variability", rep_of(PLAIT_CRATE_VARIABILITY, PLAIT_CRATE_INLINED, a->uniform));
    if (a->interpolation)
        add_field(c, "interpolation", plait_crate_token(c, a->interpolation));
    if (a->samples > 1)
        add_field(c, "timeSamples", write_samples(c, times, a->sample, a->samples));
    else if (a->samples == 1 || a->value)
        add_field(c, "default", a->samples == 1 ? a->sample[0] : a->value);
    end_spec(c);
    set_jump(c, path, false, sibling);
}

static void write_below(plait_crate *c, const plait_crate_prim *p, uint64_t times);

static void write_prim(plait_crate *c, const plait_crate_prim *p, uint64_t times)
{
    size_t path = begin_spec(c, p->name, false, PLAIT_CRATE_PRIM);
    add_field(c, "specifier", rep_of(PLAIT_CRATE_SPECIFIER, PLAIT_CRATE_INLINED, 0)); // def
    add_field(c, "typeName", plait_crate_token(c, p->type));
    if (p->attribute)
        add_field(c, "properties", token_list(c, p, true));
    if (p->child)
        add_field(c, "primChildren", token_list(c, p, false));
    end_spec(c);
    write_below(c, p, times);
    set_jump(c, path, p->attribute || p->child, p->next);
}

static void write_below(plait_crate *c, const plait_crate_prim *p, uint64_t times)
{
    for (const plait_crate_attribute *a = p->attribute; a; a = a->next)
        write_attribute(c, a, times, a->next || p->child);
    for (const plait_crate_prim *k = p->child; k; k = k->next)
        write_prim(c, k, times);
}

static void add_number(plait_crate *c, const char *name, double value)
{
    add_field(c, name, plait_crate_doubles(c, PLAIT_CRATE_DOUBLE, &value, 1));
}

static void write_root(plait_crate *c, const plait_crate_stage *s, uint64_t times)
{
    size_t path = begin_spec(c, NULL, false, PLAIT_CRATE_ROOT);
    if (c->root.child)
        add_field(c, "defaultPrim", plait_crate_token(c, c->root.child->name));
    if (s->unit > 0)
        add_number(c, "metersPerUnit", s->unit);
    add_field(c, "upAxis", plait_crate_token(c, s->y_up ? "Y" : "Z"));
    if (s->animated) {
        add_number(c, "startTimeCode", s->first);
        add_number(c, "endTimeCode", s->last);
        add_number(c, "timeCodesPerSecond", s->rate);
        add_number(c, "framesPerSecond", s->rate);
    }
    if (c->root.child)
        add_field(c, "primChildren", token_list(c, &c->root, false));
    end_spec(c);
    write_below(c, &c->root, times);
    set_jump(c, path, c->root.child, false);
}

// ---- sections ----------------------------------------------------------------------------------------------------

static void write_packed(plait_crate *c, const void *bytes, size_t size)
{
    size_t packed = 0;
    uint8_t *b = plait_crate_pack(bytes, size, &packed);
    c->failed = c->failed || !b;
    plait_sink_u64(&c->sink, packed);
    if (b)
        plait_sink_bytes(&c->sink, b, packed);
    free(b);
}

static void write_list(plait_crate *c, const plait_bytes *v)
{
    write_packed_ints(c, (const int32_t *)(const void *)v->b, v->count / 4);
}

static void write_section(plait_crate *c, int section)
{
    plait_sink *s = &c->sink;
    size_t paths = c->path.count / 4;
    switch (section) {
    case 0:
        plait_sink_u64(s, c->token_at.count / 4);
        plait_sink_u64(s, c->tokens.count);
        write_packed(c, c->tokens.b, c->tokens.count);
        break;
    case 1:
        plait_sink_u64(s, 0);
        break;
    case 2:
        plait_sink_u64(s, c->fields.count / 4);
        write_list(c, &c->fields);
        write_packed(c, c->reps.b, c->reps.count);
        break;
    case 3:
        plait_sink_u64(s, c->sets.count / 4);
        write_list(c, &c->sets);
        break;
    case 4:
        plait_sink_u64(s, paths);
        plait_sink_u64(s, paths);
        write_list(c, &c->spec); // numbers of the paths: 0, 1 ... as those of the specs
        write_list(c, &c->path);
        write_list(c, &c->jump);
        break;
    default:
        plait_sink_u64(s, paths);
        write_list(c, &c->spec);
        write_list(c, &c->set_of);
        write_list(c, &c->of_kind);
    }
}

bool plait_crate_end(plait_crate *c, const plait_crate_stage *stage, const double *codes, size_t count)
{
    static const char names[SECTIONS][16] = {"TOKENS", "STRINGS", "FIELDS", "FIELDSETS", "PATHS", "SPECS"};
    uint64_t at[SECTIONS], size[SECTIONS];
    write_root(c, stage, plait_crate_doubles(c, PLAIT_CRATE_DOUBLES, codes, count));
    for (int i = 0; i < SECTIONS && !c->failed; i++) {
        at[i] = (uint64_t)c->sink.bytes;
        write_section(c, i);
        size[i] = (uint64_t)c->sink.bytes - at[i];
    }
    if (c->failed)
        return false;
    uint64_t contents = (uint64_t)c->sink.bytes;
    plait_sink_u64(&c->sink, SECTIONS);
    for (int i = 0; i < SECTIONS; i++) {
        plait_sink_bytes(&c->sink, names[i], sizeof names[i]);
        plait_sink_u64(&c->sink, at[i]);
        plait_sink_u64(&c->sink, size[i]);
    }
    plait_sink_patch(&c->sink, 16, &contents, 8);
    return true;
}

static void free_prims(plait_crate_prim *p)
{
    for (plait_crate_prim *next; p; p = next) {
        next = p->next;
        free_prims(p->child);
        for (plait_crate_attribute *a = p->attribute, *after; a; a = after) {
            after = a->next;
            free(a->name);
            free(a->sample);
            free(a);
        }
        free(p->name);
        free(p);
    }
}

void plait_crate_free(plait_crate *c)
{
    plait_bytes *list[] = {&c->tokens, &c->token_at, &c->fields, &c->reps,   &c->sets,
                           &c->path,   &c->jump,     &c->spec,   &c->set_of, &c->of_kind};
    free_prims(c->root.child);
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        free(list[i]->b);
}
