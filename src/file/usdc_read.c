// usdc_read.c: USD's binary form (crate files, versions 0.4 to 0.12) as a layer. io/crate.c has the layout.
//
// Only the structure is read at once; values are read from the file when they are asked for. Every place and count is
// checked against the size of the file before memory is taken for it.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "file/usdc.h"

enum { HEAD = 88, SECTIONS = 64, MOST_PATHS = 50000000 };

// Room for `count` numbers that are packed in at most as many bytes as the section has: 2 bits each at least, and LZ4
// makes them 255 times smaller at best.
static void *room_for(plait_usd_layer *l, const plait_usdc_cursor *p, size_t count, size_t each)
{
    if (count / 2048 > p->end - p->at) {
        plait_usdc_damaged(l, "a sensible count");
        return NULL;
    }
    void *room = calloc(count + 1, each);
    if (!room)
        plait_usdc_no_memory(l);
    return room;
}

// ---- sections ----------------------------------------------------------------------------------------------------

static bool read_tokens(plait_usd_layer *l, plait_usdc_cursor p)
{
    plait_usdc *c = l->source;
    size_t count, size, packed;
    if (!plait_usdc_take_count(l, &p, MOST_PATHS, &count) || !plait_usdc_take_count(l, &p, (uint64_t)1 << 31, &size))
        return false;
    uint8_t *b = plait_usdc_take_packed(l, &p, &packed);
    if (!b)
        return false;
    if (size / 256 > packed || count > size) {
        free(b);
        return plait_usdc_damaged(l, "tokens");
    }
    char *text = malloc(size + 1);
    c->token = calloc(count + 1, sizeof *c->token);
    bool ok = text && c->token ? true : plait_usdc_no_memory(l);
    if (ok && !plait_crate_unpack(b, packed, text, size))
        ok = plait_usdc_damaged(l, "packed tokens");
    free(b);
    size_t at = 0;
    for (size_t i = 0; ok && i < count; i++) {
        const char *end = memchr(text + at, 0, size - at);
        c->token[i] = text + at;
        if (!end) {
            ok = plait_usdc_damaged(l, "tokens that end");
            break;
        }
        at = (size_t)(end - text) + 1;
    }
    if (!ok || count == 0) {
        free(text);
        free(c->token);
        c->token = NULL;
        return ok ? plait_usdc_damaged(l, "tokens") : false;
    }
    c->tokens = count;
    return true;
}

static bool read_strings(plait_usd_layer *l, plait_usdc_cursor p)
{
    plait_usdc *c = l->source;
    if (!plait_usdc_take_count(l, &p, (p.end - p.at) / 4, &c->strings))
        return false;
    c->string = malloc((c->strings + 1) * sizeof *c->string);
    return c->string ? plait_usdc_take(l, &p, c->string, 4 * (uint64_t)c->strings) : plait_usdc_no_memory(l);
}

static bool read_fields(plait_usd_layer *l, plait_usdc_cursor p)
{
    plait_usdc *c = l->source;
    size_t count, packed;
    if (!plait_usdc_take_count(l, &p, MOST_PATHS, &count) || !(c->field = room_for(l, &p, count, sizeof *c->field)) ||
        !plait_usdc_take_ints(l, &p, c->field, count) || !(c->rep = room_for(l, &p, count, sizeof *c->rep)))
        return false;
    uint8_t *b = plait_usdc_take_packed(l, &p, &packed);
    bool ok = b != NULL;
    if (ok && !plait_crate_unpack(b, packed, c->rep, 8 * count))
        ok = plait_usdc_damaged(l, "packed values");
    free(b);
    for (size_t i = 0; ok && i < count; i++)
        if (c->field[i] < 0 || (size_t)c->field[i] >= c->tokens)
            ok = plait_usdc_damaged(l, "names of fields");
    c->fields = count;
    return ok;
}

static bool read_sets(plait_usd_layer *l, plait_usdc_cursor p)
{
    plait_usdc *c = l->source;
    if (!plait_usdc_take_count(l, &p, MOST_PATHS, &c->sets) || !(c->set = room_for(l, &p, c->sets, sizeof *c->set)))
        return false;
    return plait_usdc_take_ints(l, &p, c->set, c->sets);
}

// The tree of paths; a stack of those that still have a sibling to come.
static bool walk_paths(plait_usd_layer *l, const int32_t *index, const int32_t *token, const int32_t *jump,
                       size_t count)
{
    plait_usdc *c = l->source;
    struct {
        size_t at;
        int32_t parent;
    } *stack = malloc((count + 1) * sizeof *stack);
    size_t waiting = 0, at = 0, visited = 0;
    int32_t parent = -1;
    bool ok = stack ? true : plait_usdc_no_memory(l), more = count > 0;
    while (ok && more) {
        if (at >= count || visited++ >= count || index[at] < 0 || (size_t)index[at] >= c->paths) {
            ok = plait_usdc_damaged(l, "a tree of paths");
            break;
        }
        int32_t i = index[at], j = jump[at];
        int64_t name = token[at] < 0 ? -(int64_t)token[at] : token[at];
        if (name >= (int64_t)c->tokens) {
            ok = plait_usdc_damaged(l, "names of paths");
            break;
        }
        c->path_parent[i] = parent;
        c->path_token[i] = token[at];
        bool child = j > 0 || j == -1, sibling = j >= 0;
        if (child && sibling) {
            stack[waiting].at = at + (size_t)j;
            stack[waiting++].parent = parent;
        }
        if (child)
            parent = i;
        if (child || sibling) {
            at++;
        } else if (waiting > 0) {
            at = stack[--waiting].at;
            parent = stack[waiting].parent;
        } else {
            more = false;
        }
    }
    free(stack);
    return ok;
}

static bool read_paths(plait_usd_layer *l, plait_usdc_cursor p)
{
    plait_usdc *c = l->source;
    size_t count;
    int32_t *list[3] = {NULL};
    if (!plait_usdc_take_count(l, &p, MOST_PATHS, &c->paths) || !plait_usdc_take_count(l, &p, MOST_PATHS, &count))
        return false;
    bool ok = true;
    c->path_parent = room_for(l, &p, c->paths, sizeof *c->path_parent);
    c->path_token = room_for(l, &p, c->paths, sizeof *c->path_token);
    ok = c->path_parent && c->path_token;
    for (size_t i = 0; ok && i < c->paths; i++)
        c->path_parent[i] = -2;
    for (int k = 0; ok && k < 3; k++)
        ok = (list[k] = room_for(l, &p, count, sizeof *list[k])) && plait_usdc_take_ints(l, &p, list[k], count);
    ok = ok && walk_paths(l, list[0], list[1], list[2], count);
    for (int k = 0; k < 3; k++)
        free(list[k]);
    return ok;
}

// ---- specs -------------------------------------------------------------------------------------------------------

static bool read_samples(plait_usd_layer *l, uint64_t rep, plait_usd_attribute *a)
{
    plait_usdc *c = l->source;
    plait_usdc_cursor p = {rep & PLAIT_CRATE_PAYLOAD, c->size};
    uint64_t jump, times;
    size_t count;
    if (!plait_usdc_take(l, &p, &jump, 8) || jump > c->size)
        return plait_usdc_damaged(l, "time samples");
    p.at += jump - 8;
    if (!plait_usdc_take(l, &p, &times, 8) || !plait_usdc_take(l, &p, &jump, 8) || jump > c->size)
        return plait_usdc_damaged(l, "time samples");
    p.at += jump - 8;
    if (!plait_usdc_take(l, &p, &jump, 8) || jump > (p.end - p.at) / 8)
        return plait_usdc_damaged(l, "values of time samples");
    plait_usdc_cursor t = {times & PLAIT_CRATE_PAYLOAD, c->size};
    if (plait_usdc_type(times) == PLAIT_CRATE_DOUBLES ? !plait_usdc_take_count(l, &t, (c->size - t.at) / 8, &count)
                                                      : !plait_usdc_array_count(l, &t, &count))
        return false;
    if (count != jump || count > (t.end - t.at) / 8)
        return plait_usdc_damaged(l, "as many times as values");
    a->time = malloc((count + 1) * sizeof *a->time);
    a->sample = malloc((count + 1) * sizeof *a->sample);
    if (!a->time || !a->sample)
        return plait_usdc_no_memory(l);
    if (!plait_usdc_take(l, &t, a->time, 8 * (uint64_t)count) ||
        !plait_usdc_take(l, &p, a->sample, 8 * (uint64_t)count))
        return false;
    a->samples = count;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(a->time[i]) || (i > 0 && !(a->time[i] > a->time[i - 1])))
            return plait_usdc_damaged(l, "ascending times");
    return true;
}

static bool scalar_of(plait_usd_layer *l, uint64_t rep, double *value)
{
    double *x;
    size_t count;
    if (!plait_usdc_numbers(l, rep, &x, &count))
        return false;
    if (count > 0)
        *value = x[0];
    free(x);
    return true;
}

static bool read_field(plait_usd_layer *l, int prim, plait_usd_attribute *a, const char *name, uint64_t rep)
{
    char *words = NULL;
    size_t count = 0;
    bool ok = true;
    if (a && strcmp(name, "default") == 0)
        a->value = plait_usdc_type(rep) == PLAIT_CRATE_BLOCK ? 0 : rep;
    else if (a && strcmp(name, "targetPaths") == 0)
        a->value = rep;
    else if (a && strcmp(name, "timeSamples") == 0 && a->samples == 0)
        ok = read_samples(l, rep, a);
    else if (prim >= 0 && strcmp(name, "typeName") == 0) {
        ok = plait_usdc_words(l, rep, &words, &count);
        if (ok && count == 1 && a) {
            a->width = plait_usd_width(words, strlen(words));
        } else if (ok && count == 1) {
            free(l->prim[prim].type);
            l->prim[prim].type = words;
            words = NULL;
        }
    } else if (prim >= 0 && !a && strcmp(name, "specifier") == 0)
        l->prim[prim].ignored = l->prim[prim].ignored || (rep & 255) == 2; // class
    else if (prim < 0 && strcmp(name, "metersPerUnit") == 0)
        ok = scalar_of(l, rep, &l->unit);
    else if (prim < 0 && strcmp(name, "timeCodesPerSecond") == 0)
        ok = scalar_of(l, rep, &l->rate);
    else if (prim < 0 && strcmp(name, "upAxis") == 0) {
        ok = plait_usdc_words(l, rep, &words, &count);
        l->y_up = !(ok && count == 1 && strcmp(words, "Z") == 0);
    }
    free(words);
    return ok;
}

static bool read_set(plait_usd_layer *l, int32_t set, int prim, plait_usd_attribute *a)
{
    plait_usdc *c = l->source;
    for (size_t i = (size_t)set; set >= 0 && i < c->sets && c->set[i] != -1; i++) {
        if (c->set[i] < 0 || (size_t)c->set[i] >= c->fields)
            return plait_usdc_damaged(l, "fields");
        if (!read_field(l, prim, a, c->token[c->field[c->set[i]]], c->rep[c->set[i]]))
            return false;
    }
    return true;
}

// Makes the prim of a path, and those above it. -1: the root, -2: with *error.
static int prim_of(plait_usd_layer *l, int32_t path, int *made, int depth)
{
    plait_usdc *c = l->source;
    if (depth > PLAIT_USDC_DEPTH || path < 0 || (size_t)path >= c->paths || c->path_parent[path] == -2) {
        plait_usdc_damaged(l, "a tree of prims");
        return -2;
    }
    if (c->path_parent[path] == -1)
        return -1;
    if (made[path] > 0)
        return made[path] - 1;
    int parent = prim_of(l, c->path_parent[path], made, depth + 1);
    if (parent == -2)
        return -2;
    int32_t t = c->path_token[path];
    const char *name = plait_usdc_token(c, (uint64_t)(t < 0 ? -(int64_t)t : t));
    int prim = plait_usd_add_prim(l, parent, name, strlen(name), "", 0);
    if (prim < 0)
        return -2;
    made[path] = prim + 1;
    return prim;
}

static bool read_spec(plait_usd_layer *l, int32_t path, int32_t set, int32_t kind, int *made)
{
    plait_usdc *c = l->source;
    if (path < 0 || (size_t)path >= c->paths || c->path_parent[path] == -2)
        return plait_usdc_damaged(l, "paths of specs");
    if (kind == PLAIT_CRATE_ROOT)
        return read_set(l, set, -1, NULL);
    if (kind == PLAIT_CRATE_PRIM) {
        int prim = prim_of(l, path, made, 0);
        return prim == -2 ? false : prim < 0 || read_set(l, set, prim, NULL);
    }
    if (kind != PLAIT_CRATE_ATTRIBUTE && kind != PLAIT_CRATE_RELATIONSHIP)
        return true;
    if (c->path_token[path] >= 0 || c->path_parent[path] < 0)
        return true; // an attribute of something else than a prim
    int prim = prim_of(l, c->path_parent[path], made, 0);
    if (prim < 0)
        return prim == -1;
    const char *name = plait_usdc_token(c, (uint64_t) - (int64_t)c->path_token[path]);
    plait_usd_attribute *a = plait_usd_add_attribute(l, prim, name, strlen(name));
    return a && read_set(l, set, prim, a);
}

static bool read_specs(plait_usd_layer *l, plait_usdc_cursor p)
{
    plait_usdc *c = l->source;
    size_t count;
    int32_t *list[3] = {NULL};
    if (!plait_usdc_take_count(l, &p, MOST_PATHS, &count))
        return false;
    int *made = calloc(c->paths + 1, sizeof *made);
    bool ok = made ? true : plait_usdc_no_memory(l);
    for (int k = 0; ok && k < 3; k++)
        ok = (list[k] = room_for(l, &p, count, sizeof *list[k])) && plait_usdc_take_ints(l, &p, list[k], count);
    // Prims first: classes must be known before what is in them.
    for (size_t i = 0; ok && i < count; i++)
        if (list[2][i] == PLAIT_CRATE_PRIM || list[2][i] == PLAIT_CRATE_ROOT)
            ok = read_spec(l, list[0][i], list[1][i], list[2][i], made);
    for (size_t i = 0; ok && i < count; i++)
        if (list[2][i] != PLAIT_CRATE_PRIM && list[2][i] != PLAIT_CRATE_ROOT)
            ok = read_spec(l, list[0][i], list[1][i], list[2][i], made);
    for (int k = 0; k < 3; k++)
        free(list[k]);
    free(made);
    for (int i = 0; ok && i < l->prims; i++)
        if (l->prim[i].parent >= 0 && l->prim[l->prim[i].parent].ignored)
            l->prim[i].ignored = true;
    return ok;
}

// ---- the file ----------------------------------------------------------------------------------------------------

static void free_crate(plait_usd_layer *l)
{
    plait_usdc *c = l->source;
    if (c) {
        free(c->token ? c->token[0] : NULL), free(c->token), free(c->string), free(c->field);
        free(c->rep), free(c->set), free(c->path_parent), free(c->path_token);
    }
    free(c);
}

static bool read_sections(plait_usd_layer *l, uint64_t contents)
{
    static const struct {
        const char *name;
        bool (*read)(plait_usd_layer *l, plait_usdc_cursor p);
    } section[] = {{"TOKENS", read_tokens},  {"STRINGS", read_strings}, {"FIELDS", read_fields},
                   {"FIELDSETS", read_sets}, {"PATHS", read_paths},     {"SPECS", read_specs}};
    plait_usdc *c = l->source;
    size_t count;
    struct {
        char name[16];
        uint64_t at, size;
    } entry[SECTIONS];
    plait_usdc_cursor p = {contents, c->size};
    if (!plait_usdc_take_count(l, &p, SECTIONS, &count) || !plait_usdc_take(l, &p, entry, 32 * (uint64_t)count))
        return false;
    for (size_t k = 0; k < sizeof section / sizeof *section; k++) {
        size_t i = 0;
        while (i < count && strncmp(entry[i].name, section[k].name, 16) != 0)
            i++;
        if (i == count)
            return plait_usd_fail(l, "expected a section %s, found none", section[k].name);
        if (entry[i].at > c->size || entry[i].size > c->size - entry[i].at)
            return plait_usdc_damaged(l, "sections inside of the file");
        if (!section[k].read(l, (plait_usdc_cursor){entry[i].at, entry[i].at + entry[i].size}))
            return false;
    }
    return true;
}

bool plait_usdc_open(plait_usd_layer *l, FILE *file)
{
    unsigned char head[HEAD];
    uint64_t contents;
    plait_usdc *c = l->source = calloc(1, sizeof *c);
    l->unit = 0.01, l->rate = 24, l->y_up = true; // what USD says where the file does not
    l->numbers = plait_usdc_numbers;
    l->words = plait_usdc_words;
    l->free_source = free_crate;
    if (!c)
        return plait_usdc_no_memory(l);
    c->file = file;
    if (fseeko(file, 0, SEEK_END) != 0 || ftello(file) < 0)
        return plait_usdc_damaged(l, "a file");
    c->size = (uint64_t)ftello(file);
    if (!plait_usdc_read_at(l, 0, head, sizeof head))
        return false;
    if (memcmp(head, "PXR-USDC", 8) != 0)
        return plait_usd_fail(l, "expected 'PXR-USDC' at the beginning, found other bytes");
    c->version = head[9];
    if (head[8] != 0 || c->version < 4 || c->version > 12)
        return plait_usd_fail(l, "expected a crate file of version 0.4 to 0.12, found %d.%d", head[8], head[9]);
    memcpy(&contents, head + 16, 8);
    if (!read_sections(l, contents))
        return false;
    if (!(l->unit > 1e-12 && l->unit < 1e12) || !(l->rate > 0 && l->rate < 1e12))
        return plait_usdc_damaged(l, "a sensible unit and rate");
    return true;
}
