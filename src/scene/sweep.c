// sweep.c: reads a sweep file and lays out its runs.
#include "plait/sweep.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "scene/schema_scene.h"

enum { MOST_RUNS = 1000000, MOST_KEYS = 64, VALUE = 512 };

// ---- the file ----------------------------------------------------------------------------------------------------

typedef struct doc {
    const char *scene;
    int design, count;
    uint64_t seed;
} doc;

typedef enum spacing { LINEAR, LOG } spacing;

// Where the values of a key come from: a list of texts, or a range.
typedef struct axis {
    const plait_yaml_node *list; // NULL: a range
    double from, to;
    int count; // of a grid
    int spacing;
    bool whole;
    const char *unit; // behind every number
} axis;

typedef struct range {
    const char *from, *to;
    int count, spacing;
    bool whole;
} range;

static const char *design_word(int i)
{
    static const char *const words[] = {"grid", "list", "random", "latin", NULL};
    return words[i];
}

static const char *spacing_word(int i)
{
    static const char *const words[] = {"linear", "log", NULL};
    return words[i];
}

static void init_doc(void *out)
{
    *(doc *)out = (doc){.design = PLAIT_SWEEP_GRID, .seed = 1};
}

static void init_range(void *out)
{
    *(range *)out = (range){.count = 5};
}

static const plait_schema_key doc_keys[] = {
    PLAIT_KEY(TEXT, "scene", doc, scene, NONE, "a scene file, or the name of one that is built in", PLAIT_REQUIRED),
    PLAIT_KEY(CHOICE, "design", doc, design, NONE, "how values are chosen", PLAIT_WORDS(design_word)),
    PLAIT_KEY(INT, "count", doc, count, NONE, "of runs: random, latin", PLAIT_RANGE(1, MOST_RUNS)),
    PLAIT_KEY(SEED, "seed", doc, seed, NONE, "of random, latin", PLAIT_ANY),
    PLAIT_KEY(OVERRIDES, "keys", doc, scene, NONE, "path: values", PLAIT_ANY),
    PLAIT_KEY(OVERRIDES, "runs", doc, scene, NONE, "of a list", PLAIT_ANY),
    PLAIT_KEYS_END,
};
static const plait_schema doc_table = {NULL, NULL, doc_keys, sizeof(doc), init_doc};

static const plait_schema_key range_keys[] = {
    PLAIT_KEY(TEXT, "from", range, from, NONE, "first value", PLAIT_REQUIRED),
    PLAIT_KEY(TEXT, "to", range, to, NONE, "last value, in the same unit", PLAIT_REQUIRED),
    PLAIT_KEY(INT, "count", range, count, NONE, "of a grid's values", PLAIT_RANGE(1, MOST_RUNS)),
    PLAIT_KEY(CHOICE, "spacing", range, spacing, NONE, "log: equal ratios", PLAIT_WORDS(spacing_word)),
    PLAIT_KEY(BOOL, "whole", range, whole, NONE, "rounded to whole numbers", PLAIT_ANY),
    PLAIT_KEYS_END,
};
static const plait_schema range_table = {NULL, NULL, range_keys, sizeof(range), init_range};

static bool no_memory(plait_error *error)
{
    plait_error_set(error, PLAIT_NO_MEMORY, "sweep: not enough memory");
    return false;
}

// ---- values ------------------------------------------------------------------------------------------------------

// A value as it would stand behind "key=": scalars as they are, lists in brackets.
static bool write_node(const plait_yaml_node *n, char *out, size_t room)
{
    size_t used = 0;
    if (n->kind == PLAIT_YAML_SCALAR)
        return (size_t)snprintf(out, room, "%s", n->text) < room;
    if (n->kind != PLAIT_YAML_LIST || room < 3)
        return false;
    out[used++] = '[';
    for (const plait_yaml_node *m = n->first; m; m = m->next) {
        if (m != n->first && used + 2 < room)
            used += (size_t)sprintf(out + used, ", ");
        if (!write_node(m, out + used, room - used - 1))
            return false;
        used += strlen(out + used);
    }
    return (size_t)snprintf(out + used, room - used, "]") < room - used;
}

// The shortest decimal that reads as x again, and the unit.
static void write_number(double x, const char *unit, char out[VALUE])
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, VALUE, "%.*g", digits, x);
        if (strtod(out, NULL) == x)
            break;
    }
    size_t used = strlen(out);
    snprintf(out + used, VALUE - used, "%s%s", *unit ? " " : "", unit);
}

// t in [0, 1].
static double along(const axis *a, double t)
{
    double x = a->from + t * (a->to - a->from);
    if (a->spacing == LOG && t > 0 && t < 1) {
        // Twelve digits: what machines agree on.
        char text[32];
        snprintf(text, sizeof text, "%.12g", a->from * exp(t * log(a->to / a->from)));
        x = strtod(text, NULL);
    }
    if (t >= 1)
        x = a->to;
    return a->whole ? floor(x + 0.5) : x;
}

static bool value_of_list(const plait_yaml_node *list, int i, char out[VALUE], plait_error *error)
{
    const plait_yaml_node *n = plait_yaml_item(list, i);
    return write_node(n, out, VALUE) ||
           plait_yaml_fail(error, n, "expected a value of at most %d characters: a number, a word or a list of them",
                           VALUE - 1);
}

static bool read_end(const plait_yaml_node *n, double *x, const char **unit, plait_error *error)
{
    char *end, what[64];
    *x = n->kind == PLAIT_YAML_SCALAR ? strtod(n->text, &end) : NAN;
    if (!isfinite(*x) || end == n->text)
        return plait_yaml_fail(error, n, "expected a number with or without a unit, found %s",
                               plait_yaml_what(n, what));
    *unit = end + strspn(end, " ");
    return true;
}

static bool read_range(plait_schema_reader *r, plait_yaml_node *map, axis *a)
{
    range d;
    const char *unit[2] = {"", ""};
    init_range(&d);
    if (!plait_schema_read(r, &range_table, map, &d))
        return false;
    const plait_yaml_node *to = plait_yaml_find(map, "to");
    if (!read_end(plait_yaml_find(map, "from"), &a->from, &unit[0], r->error) ||
        !read_end(to, &a->to, &unit[1], r->error))
        return false;
    if (strcmp(unit[0], unit[1]) != 0)
        return plait_yaml_fail(r->error, to, "expected the same unit as that of 'from' ('%s'), found '%s'", unit[0],
                               unit[1]);
    if (d.spacing == LOG && !(a->from > 0 && a->to > 0))
        return plait_yaml_fail(r->error, map, "spacing log needs positive numbers");
    a->count = d.count, a->spacing = d.spacing, a->whole = d.whole, a->unit = unit[0];
    return true;
}

static bool read_axis(plait_schema_reader *r, plait_yaml_node *n, axis *a)
{
    char what[64];
    *a = (axis){.unit = ""};
    if (n->kind == PLAIT_YAML_MAP)
        return read_range(r, n, a);
    if (n->kind != PLAIT_YAML_LIST || n->count == 0)
        return plait_yaml_fail(r->error, n, "expected a list of values or {from: A, to: B}, found %s",
                               plait_yaml_what(n, what));
    a->list = n, a->count = n->count;
    return true;
}

// ---- designs -----------------------------------------------------------------------------------------------------

typedef struct layout {
    plait_schema_reader *reader;
    plait_sweep *sweep;
    const doc *doc;
    axis axis[MOST_KEYS];
} layout;

static bool put(const layout *l, int run, int key, const char *text)
{
    char **at = &l->sweep->value[(size_t)run * (size_t)l->sweep->keys + (size_t)key];
    *at = strdup(text);
    return *at || no_memory(l->reader->error);
}

static bool reserve(layout *l, int64_t runs)
{
    plait_sweep *s = l->sweep;
    if (runs > MOST_RUNS) {
        plait_error_set(l->reader->error, PLAIT_BAD_INPUT, "a sweep may have %d runs, this one would have %.0f",
                        MOST_RUNS, (double)runs);
        return false;
    }
    s->runs = (int)runs;
    s->value = calloc((size_t)runs * (size_t)s->keys + 1, sizeof *s->value);
    return s->value || no_memory(l->reader->error);
}

static bool lay_grid(layout *l)
{
    int keys = l->sweep->keys;
    int64_t runs = 1;
    for (int k = 0; k < keys && runs <= MOST_RUNS; k++)
        runs *= l->axis[k].count;
    if (!reserve(l, runs))
        return false;
    char text[VALUE];
    for (int i = 0; i < l->sweep->runs; i++)
        for (int k = keys - 1, rest = i; k >= 0; k--) {
            const axis *a = &l->axis[k];
            int at = rest % a->count;
            rest /= a->count;
            if (!a->list)
                write_number(along(a, a->count > 1 ? (double)at / (a->count - 1) : 0), a->unit, text);
            else if (!value_of_list(a->list, at, text, l->reader->error))
                return false;
            if (!put(l, i, k, text))
                return false;
        }
    return true;
}

// random: each t by itself; latin: one in each of `runs` equal parts, in random order. A list is cut like a range.
static bool lay_drawn(layout *l, bool latin)
{
    if (l->doc->count < 1) {
        plait_error_set(l->reader->error, PLAIT_BAD_INPUT, "sweep: design %s needs a 'count' of runs",
                        design_word(l->doc->design));
        return false;
    }
    if (!reserve(l, l->doc->count))
        return false;
    int runs = l->sweep->runs;
    int *order = plait_arena_alloc(l->reader->arena, (size_t)runs, sizeof *order);
    if (!order)
        return no_memory(l->reader->error);
    char text[VALUE];
    for (int k = 0; k < l->sweep->keys; k++) {
        const axis *a = &l->axis[k];
        plait_rng rng = plait_rng_new(l->doc->seed, (uint64_t)k);
        for (int i = 0; i < runs; i++)
            order[i] = i;
        for (int i = runs - 1; latin && i > 0; i--) {
            int j = (int)plait_rng_below(&rng, (uint64_t)i + 1), kept = order[i];
            order[i] = order[j], order[j] = kept;
        }
        for (int i = 0; i < runs; i++) {
            double t = plait_rng_uniform(&rng);
            t = latin ? (order[i] + t) / runs : t;
            if (!a->list)
                write_number(along(a, t), a->unit, text);
            else if (!value_of_list(a->list, (int)fmin(a->count - 1, floor(t * a->count)), text, l->reader->error))
                return false;
            if (!put(l, i, k, text))
                return false;
        }
    }
    return true;
}

static int find_key(const plait_sweep *s, const char *name)
{
    for (int k = 0; k < s->keys; k++)
        if (strcmp(s->key[k], name) == 0)
            return k;
    return -1;
}

static bool add_key(layout *l, const plait_yaml_node *key)
{
    plait_sweep *s = l->sweep;
    if (s->keys == MOST_KEYS)
        return plait_yaml_fail(l->reader->error, key, "a sweep may have %d keys", MOST_KEYS);
    s->key[s->keys] = strdup(key->text);
    return s->key[s->keys++] || no_memory(l->reader->error);
}

static bool lay_list(layout *l, const plait_yaml_node *runs)
{
    char what[64], text[VALUE];
    for (const plait_yaml_node *run = runs->first; run; run = run->next) {
        if (run->kind != PLAIT_YAML_MAP)
            return plait_yaml_fail(l->reader->error, run, "expected a map of paths and values, found %s",
                                   plait_yaml_what(run, what));
        for (const plait_yaml_node *n = run->first; n; n = n->next)
            if (find_key(l->sweep, n->key->text) < 0 && !add_key(l, n->key))
                return false;
    }
    if (!reserve(l, runs->count))
        return false;
    int i = 0;
    for (const plait_yaml_node *run = runs->first; run; run = run->next, i++)
        for (int k = 0; k < l->sweep->keys; k++) {
            const plait_yaml_node *n = plait_yaml_find(run, l->sweep->key[k]);
            if (n && !write_node(n, text, sizeof text))
                return plait_yaml_fail(l->reader->error, n, "expected a number, a word or a list of them");
            if (!put(l, i, k, n ? text : ""))
                return false;
        }
    return true;
}

static bool lay_out(layout *l, const plait_yaml_node *root)
{
    const plait_yaml_node *keys = plait_yaml_find(root, "keys"), *runs = plait_yaml_find(root, "runs");
    const plait_yaml_node *wanted = l->doc->design == PLAIT_SWEEP_LIST ? runs : keys;
    bool list = l->doc->design == PLAIT_SWEEP_LIST;
    plait_yaml_kind kind = list ? PLAIT_YAML_LIST : PLAIT_YAML_MAP;
    if ((list && keys) || (!list && runs))
        return plait_yaml_fail(l->reader->error, list ? keys : runs, "design %s has no '%s'",
                               design_word(l->doc->design), list ? "keys" : "runs");
    if (!wanted || wanted->kind != kind || wanted->count == 0)
        return plait_yaml_fail(l->reader->error, wanted ? wanted : root, "design %s needs '%s'",
                               design_word(l->doc->design),
                               list ? "runs: [{path: value, ...}, ...]" : "keys: {path: values, ...}");
    if (list)
        return lay_list(l, wanted);
    for (plait_yaml_node *n = wanted->first; n; n = n->next)
        if (!add_key(l, n->key) || !read_axis(l->reader, n, &l->axis[l->sweep->keys - 1]))
            return false;
    return l->doc->design == PLAIT_SWEEP_GRID ? lay_grid(l) : lay_drawn(l, l->doc->design == PLAIT_SWEEP_LATIN);
}

// ---- the scene ---------------------------------------------------------------------------------------------------

// The scene's text and what it is called; a built-in one may be followed by "-small".
typedef struct subject {
    plait_yaml_source source;
    char *owned;
    char name[PLAIT_NAME + 16], folder[1024];
    bool small;
} subject;

static bool find_built_in(const char *name, subject *s)
{
    for (int i = 0; i < plait_scene_count(); i++) {
        size_t length = strlen(plait_scene_name(i));
        if (strncmp(name, plait_scene_name(i), length) != 0)
            continue;
        s->small = strcmp(name + length, "-small") == 0;
        if (name[length] && !s->small)
            continue;
        snprintf(s->name, sizeof s->name, "%s.yaml", plait_scene_name(i));
        const char *text = plait_scene_source(i);
        s->source = (plait_yaml_source){.name = s->name, .folder = "", .text = text, .size = strlen(text)};
        return true;
    }
    return false;
}

static bool open_scene(plait_sweep *sweep, const char *name, const char *path, bool check, subject *s,
                       plait_error *error)
{
    const char *slash = strrchr(path, '/');
    int before = slash && name[0] != '/' ? (int)(slash - path) + 1 : 0;
    size_t size = strlen(name) + (size_t)before + 1;
    sweep->built_in = find_built_in(name, s);
    sweep->scene = sweep->built_in ? strdup(name) : malloc(size);
    if (!sweep->scene)
        return no_memory(error);
    if (!sweep->built_in)
        snprintf(sweep->scene, size, "%.*s%s", before, path, name);
    if (sweep->built_in || !check)
        return true;
    snprintf(s->folder, sizeof s->folder, "%.*s", (int)plait_yaml_folder(sweep->scene), sweep->scene);
    s->source = (plait_yaml_source){.name = sweep->scene, .folder = s->folder};
    s->owned = plait_yaml_read_file(sweep->scene, &s->source.size, error);
    s->source.text = s->owned;
    return s->owned != NULL;
}

// Whether the scene's keys take the values of run i.
static bool try_run(const plait_sweep *sweep, const subject *s, int i, plait_arena *arena, plait_error *error)
{
    plait_arena_mark mark = plait_arena_get_mark(arena);
    const char *override[MOST_KEYS + 1];
    int count = 0;
    plait_error inner = {0};
    plait_schema_reader reader = {.arena = arena, .error = &inner};
    plait_doc *d = plait_arena_alloc(arena, 1, sizeof *d);
    for (int k = 0; k < sweep->keys && d; k++) {
        const char *value = sweep->value[(size_t)i * (size_t)sweep->keys + (size_t)k];
        size_t size = strlen(sweep->key[k]) + strlen(value) + 2;
        char *text = *value ? plait_arena_alloc(arena, size, 1) : NULL;
        if (*value && !text)
            return no_memory(error);
        if (text)
            snprintf(text, size, "%s=%s", sweep->key[k], value), override[count++] = text;
    }
    if (s->small)
        override[count++] = "small=true";
    bool ok = d && plait_doc_read(&reader, &s->source, count, override, d);
    if (!ok)
        plait_error_set(error, d ? inner.status : PLAIT_NO_MEMORY, "run %d: %s", i, d ? inner.text : "no memory");
    plait_arena_release(arena, mark);
    return ok;
}

// ---- all of it ---------------------------------------------------------------------------------------------------

static bool read_sweep(plait_sweep *sweep, const char *path, size_t size, bool check, plait_arena *arena,
                       plait_error *error)
{
    char what[64];
    plait_schema_reader reader = {.arena = arena, .error = error};
    plait_yaml_source source = {.name = path, .folder = "", .text = sweep->text, .size = size};
    plait_yaml_node *root = plait_yaml_parse(arena, &source, sweep->text, size, error);
    doc d;
    init_doc(&d);
    if (!root)
        return false;
    if (root->kind != PLAIT_YAML_MAP)
        return plait_yaml_fail(error, root, "expected a map of keys, found %s", plait_yaml_what(root, what));
    if (!plait_schema_read(&reader, &doc_table, root, &d))
        return false;
    sweep->design = (plait_sweep_design)d.design;
    sweep->key = calloc(MOST_KEYS, sizeof *sweep->key);
    layout *l = plait_arena_zeros(arena, 1, sizeof *l);
    subject *s = plait_arena_zeros(arena, 1, sizeof *s);
    if (!sweep->key || !l || !s)
        return no_memory(error);
    l->reader = &reader, l->sweep = sweep, l->doc = &d;
    bool ok = lay_out(l, root) && open_scene(sweep, d.scene, path, check, s, error);
    for (int i = 0; ok && check && i < sweep->runs; i++)
        ok = try_run(sweep, s, i, arena, error);
    free(s->owned);
    return ok;
}

plait_sweep *plait_sweep_read(const char *path, bool check, plait_error *error)
{
    size_t size;
    char *text = plait_yaml_read_file(path, &size, error);
    plait_sweep *sweep = text ? calloc(1, sizeof *sweep) : NULL;
    if (!sweep) {
        if (text)
            no_memory(error);
        free(text);
        return NULL;
    }
    sweep->text = text;
    plait_arena arena = {0};
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    bool ok = read_sweep(sweep, path, size, check, &arena, error);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    plait_arena_free(&arena);
    if (!ok)
        plait_sweep_free(sweep);
    return ok ? sweep : NULL;
}

void plait_sweep_free(plait_sweep *sweep)
{
    if (!sweep)
        return;
    for (int k = 0; k < sweep->keys; k++)
        free(sweep->key[k]);
    for (size_t i = 0; sweep->value && i < (size_t)sweep->runs * (size_t)sweep->keys; i++)
        free(sweep->value[i]);
    free(sweep->key), free(sweep->value), free(sweep->scene), free(sweep->text), free(sweep);
}
