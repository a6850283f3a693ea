// schema_read.c: a map into a struct, key by key.
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "plait/scene.h"
#include "scene/schema.h"

static bool no_memory(const plait_schema_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

// ---- names -------------------------------------------------------------------------------------------------------

const plait_schema_key *plait_schema_find(const plait_schema *table, const char *name, size_t length)
{
    for (const plait_schema_key *k = table->keys; k->name; k++)
        if (strlen(k->name) == length && strncmp(k->name, name, length) == 0)
            return k;
    return NULL;
}

const char *plait_schema_suggest(const plait_schema *table, const char *name, char out[160])
{
    const char *names[64];
    int count = 0;
    for (const plait_schema_key *k = table->keys; k->name && count < 64; k++)
        names[count++] = k->name;
    return plait_yaml_suggest(name, count, names, out);
}

// Names are parts of paths, and must not look like an index.
bool plait_schema_good_name(const char *name)
{
    if (!isalpha((unsigned char)name[0]) && name[0] != '_')
        return false;
    for (const char *c = name; *c; c++)
        if (!isalnum((unsigned char)*c) && *c != '_' && *c != '-')
            return false;
    return strlen(name) < PLAIT_NAME;
}

static bool check_name(const plait_schema_reader *r, const plait_yaml_node *n, const plait_schema_names *others)
{
    char what[64];
    if (n->kind != PLAIT_YAML_SCALAR || !plait_schema_good_name(n->text))
        return plait_yaml_fail(r->error, n,
                               "expected a name of letters, digits, _ and - that begins with a letter, found %s",
                               plait_yaml_what(n, what));
    for (int i = 0; i < others->count; i++)
        if (others->name[i] && strcmp(others->name[i], n->text) == 0)
            return plait_yaml_fail(r->error, n, "the name '%s' is given twice", n->text);
    return true;
}

bool plait_schema_collect_names(plait_schema_reader *r, const plait_yaml_node *parent, const char *key,
                                plait_schema_names *names)
{
    const plait_yaml_node *list = plait_yaml_find(parent, key);
    *names = (plait_schema_names){0};
    if (!list || list->kind == PLAIT_YAML_SCALAR)
        return true; // if that is wrong, reading will say so
    names->name = plait_arena_zeros(r->arena, (size_t)list->count + 1, sizeof *names->name);
    if (!names->name)
        return no_memory(r);
    for (const plait_yaml_node *n = list->first; n; n = n->next) {
        const plait_yaml_node *name = list->kind == PLAIT_YAML_MAP ? n->key : plait_yaml_find(n, "name");
        if (name && !check_name(r, name, names))
            return false;
        names->name[names->count++] = name ? name->text : NULL;
    }
    return true;
}

// ---- numbers and words -------------------------------------------------------------------------------------------

static bool check_range(const plait_schema_reader *r, const plait_schema_key *k, const plait_yaml_node *n, double x)
{
    if (k->min == k->max || (x >= k->min && x <= k->max))
        return true;
    const char *unit = plait_unit_symbol(k->unit), *blank = *unit ? " " : "";
    if (k->max >= 1e300)
        return plait_yaml_fail(r->error, n, "'%s' must be at least %g%s%s, found %g%s%s", k->name, k->min, blank, unit,
                               x, blank, unit);
    return plait_yaml_fail(r->error, n, "'%s' must be between %g and %g%s%s, found %g%s%s", k->name, k->min, k->max,
                           blank, unit, x, blank, unit);
}

static bool expect_scalar(const plait_schema_reader *r, const plait_yaml_node *n, const char *what)
{
    char found[64];
    if (n->kind == PLAIT_YAML_SCALAR && !plait_yaml_is_null(n))
        return true;
    return plait_yaml_fail(r->error, n, "expected %s, found %s", what, plait_yaml_what(n, found));
}

static bool read_real(const plait_schema_reader *r, const plait_schema_key *k, const plait_yaml_node *n, double *x)
{
    char problem[PLAIT_PROBLEM], what[80];
    const char *unit = plait_unit_symbol(k->unit);
    snprintf(what, sizeof what, "%s%s%s%s", k->unit ? plait_unit_name(k->unit) : "a number", *unit ? " [" : "", unit,
             *unit ? "]" : "");
    if (!expect_scalar(r, n, what))
        return false;
    if (!plait_quantity_read(n->text, k->unit, x, problem))
        return plait_yaml_fail(r->error, n, "%s", problem);
    return check_range(r, k, n, *x);
}

// From min to max numbers of a list, or of a text in brackets with a common unit.
static bool read_reals(const plait_schema_reader *r, const plait_schema_key *k, const plait_yaml_node *n, int count,
                       double *x)
{
    char problem[PLAIT_PROBLEM], what[64];
    double value[3];
    if (n->kind == PLAIT_YAML_SCALAR && n->text[0] == '[') {
        if (!plait_quantities_read(n->text, k->unit, count, value, problem))
            return plait_yaml_fail(r->error, n, "%s", problem);
        for (int i = 0; i < count; i++)
            if (!check_range(r, k, n, value[i]))
                return false;
        memcpy(x, value, (size_t)count * sizeof *x);
        return true;
    }
    const char *unit = plait_unit_symbol(k->unit);
    if (n->kind != PLAIT_YAML_LIST)
        return plait_yaml_fail(r->error, n, "expected a list of %d numbers%s%s%s, found %s", count, *unit ? " [" : "",
                               unit, *unit ? "]" : "", plait_yaml_what(n, what));
    if (n->count != count)
        return plait_yaml_fail(r->error, n, "expected a list of %d numbers, found %d", count, n->count);
    int i = 0;
    for (const plait_yaml_node *m = n->first; m; m = m->next, i++)
        if (!read_real(r, k, m, &value[i]))
            return false;
    memcpy(x, value, (size_t)count * sizeof *x);
    return true;
}

static bool read_pair(const plait_schema_reader *r, const plait_schema_key *k, const plait_yaml_node *n, double *x)
{
    if (n->kind == PLAIT_YAML_LIST && n->count == 1)
        n = n->first;
    if (n->kind == PLAIT_YAML_SCALAR && n->text[0] != '[')
        return read_real(r, k, n, x);
    return read_reals(r, k, n, 2, x);
}

// "@NAME": numbers that were given beside the text.
static bool read_array(const plait_schema_reader *r, const plait_schema_key *k, plait_yaml_node *n, int columns,
                       plait_schema_points *points)
{
    const plait_scene_array *a = NULL;
    char what[64];
    for (int i = 0; i < n->source->arrays && !a; i++)
        if (strcmp(n->source->array[i].name, n->text + 1) == 0)
            a = &n->source->array[i];
    if (!a)
        return plait_yaml_fail(r->error, n, "no array is given for %s", plait_yaml_what(n, what));
    if (a->columns != columns || a->rows < 0 || a->rows > INT_MAX / 3 || (a->rows > 0 && !a->value))
        return plait_yaml_fail(r->error, n, "'%s' is an array of rows of %d, expected rows of %d", n->text, a->columns,
                               columns);
    size_t count = (size_t)a->rows * (size_t)columns;
    for (size_t i = 0; i < count; i++)
        if (!isfinite(a->value[i]))
            return plait_yaml_fail(r->error, n, "row %zu of '%s' has a number that is not finite", i / (size_t)columns,
                                   n->text);
        else if (!check_range(r, k, n, a->value[i]))
            return false;
    double *x = plait_arena_alloc(r->arena, count + 1, sizeof *x);
    if (!x)
        return no_memory(r);
    if (count > 0)
        memcpy(x, a->value, count * sizeof *x);
    *points = (plait_schema_points){(int)a->rows, x};
    n->array = a;
    return true;
}

// A list of vectors (columns 3) or of numbers (columns 1).
static bool read_points(const plait_schema_reader *r, const plait_schema_key *k, plait_yaml_node *n, int columns,
                        plait_schema_points *points)
{
    char what[64];
    if (n->kind == PLAIT_YAML_SCALAR && n->text[0] == '@')
        return read_array(r, k, n, columns, points);
    if (n->kind != PLAIT_YAML_LIST)
        return plait_yaml_fail(r->error, n, "expected a list of %s, found %s", columns == 3 ? "points" : "numbers",
                               plait_yaml_what(n, what));
    double *x = plait_arena_alloc(r->arena, (size_t)n->count, (size_t)columns * sizeof *x);
    if (!x)
        return no_memory(r);
    *points = (plait_schema_points){n->count, x};
    for (const plait_yaml_node *m = n->first; m; m = m->next, x += columns)
        if (!(columns == 3 ? read_reals(r, k, m, 3, x) : read_real(r, k, m, x)))
            return false;
    return true;
}

static bool read_int(const plait_schema_reader *r, const plait_schema_key *k, const plait_yaml_node *n, int *x)
{
    char found[64], *end;
    if (!expect_scalar(r, n, "a whole number"))
        return false;
    errno = 0;
    long value = strtol(n->text, &end, 10);
    if (end == n->text || *end || isspace((unsigned char)n->text[0]))
        return plait_yaml_fail(r->error, n, "expected a whole number, found %s", plait_yaml_what(n, found));
    if (errno || value > INT_MAX || value < INT_MIN)
        return plait_yaml_fail(r->error, n, "the number %s is too large", plait_yaml_what(n, found));
    *x = (int)value;
    return check_range(r, k, n, (double)value);
}

static bool read_seed(const plait_schema_reader *r, const plait_yaml_node *n, uint64_t *x)
{
    char found[64], *end;
    if (!expect_scalar(r, n, "a whole number that is not negative"))
        return false;
    errno = 0;
    *x = strtoull(n->text, &end, 10);
    if (!isdigit((unsigned char)n->text[0]) || *end || errno)
        return plait_yaml_fail(r->error, n, "expected a whole number from 0 to 2^64 - 1, found %s",
                               plait_yaml_what(n, found));
    return true;
}

static bool read_bool(const plait_schema_reader *r, const plait_yaml_node *n, bool *x)
{
    char found[64];
    bool yes = n->kind == PLAIT_YAML_SCALAR && (strcmp(n->text, "true") == 0 || strcmp(n->text, "yes") == 0);
    bool no = n->kind == PLAIT_YAML_SCALAR && (strcmp(n->text, "false") == 0 || strcmp(n->text, "no") == 0);
    if (!yes && !no)
        return plait_yaml_fail(r->error, n, "expected true or false, found %s", plait_yaml_what(n, found));
    *x = yes;
    return true;
}

static bool read_choice(const plait_schema_reader *r, const plait_schema_key *k, const plait_yaml_node *n, int *x)
{
    const char *words[64];
    char found[64], hint[160];
    int count = 0;
    while (count < 64 && k->choice(count)) {
        words[count] = k->choice(count);
        count++;
    }
    for (int i = 0; i < count && n->kind == PLAIT_YAML_SCALAR; i++) {
        if (strcmp(words[i], n->text) == 0) {
            *x = i;
            return true;
        }
    }
    plait_yaml_suggest(n->kind == PLAIT_YAML_SCALAR ? n->text : "", count, words, hint);
    return plait_yaml_fail(r->error, n, "unknown %s %s%s", k->name, plait_yaml_what(n, found), hint);
}

static bool read_reference(const plait_schema_reader *r, const char *kind, const plait_schema_names *names,
                           const plait_yaml_node *n, int *x)
{
    char what[64], hint[160];
    const char *list[64];
    int count = 0;
    snprintf(what, sizeof what, "the name of a %s", kind);
    if (!expect_scalar(r, n, what))
        return false;
    for (int i = 0; i < names->count; i++) {
        if (!names->name[i])
            continue;
        if (strcmp(names->name[i], n->text) == 0) {
            *x = i;
            return true;
        }
        if (count < 64)
            list[count++] = names->name[i];
    }
    plait_yaml_suggest(n->text, count, list, hint);
    return plait_yaml_fail(r->error, n, "there is no %s %s%s", kind, plait_yaml_what(n, what), hint);
}

// ---- texts and files ---------------------------------------------------------------------------------------------

static bool read_text(const plait_schema_reader *r, const plait_yaml_node *n, const char **text)
{
    if (!expect_scalar(r, n, "a text"))
        return false;
    if (strpbrk(n->text, "\r\n"))
        return plait_yaml_fail(r->error, n, "expected one line of text, found several");
    *text = n->text;
    return true;
}

static bool is_absolute(const char *path)
{
    return path[0] == '/';
}

// The tree gets the absolute name, so that the effective scene works from any folder.
static bool read_path(const plait_schema_reader *r, plait_yaml_node *n, const char **path)
{
    if (!expect_scalar(r, n, "a file name"))
        return false;
    if (!is_absolute(n->text)) {
        char here[PATH_MAX] = "";
        const char *folder = n->source->folder;
        if (!is_absolute(folder) && !getcwd(here, sizeof here))
            return plait_yaml_fail(r->error, n, "the working folder is not known: %s", strerror(errno));
        size_t size = strlen(here) + strlen(folder) + strlen(n->text) + 3;
        char *whole = plait_arena_alloc(r->arena, size, 1);
        if (!whole)
            return no_memory(r);
        snprintf(whole, size, "%s%s%s%s%s", here, *here && *folder ? "/" : "", folder, "/", n->text);
        n->text = whole;
    }
    *path = n->text;
    return true;
}

static bool read_paths(const plait_schema_reader *r, plait_yaml_node *n, plait_schema_list *list)
{
    char what[64];
    if (n->kind != PLAIT_YAML_LIST)
        return plait_yaml_fail(r->error, n, "expected a list of file names, found %s", plait_yaml_what(n, what));
    list->item = plait_arena_zeros(r->arena, (size_t)n->count, sizeof *list->item);
    if (!list->item)
        return no_memory(r);
    for (plait_yaml_node *m = n->first; m; m = m->next) {
        plait_schema_item *item = &list->item[list->count++];
        item->node = m;
        if (!read_path(r, m, &item->name))
            return false;
    }
    return true;
}

// ---- lists and maps ----------------------------------------------------------------------------------------------

static bool read_friction(const plait_schema_reader *r, const plait_schema_key *k, plait_yaml_node *n,
                          plait_schema_list *list)
{
    char what[64];
    if (n->kind != PLAIT_YAML_LIST)
        return plait_yaml_fail(r->error, n, "expected a list [[material, material, number], ...], found %s",
                               plait_yaml_what(n, what));
    list->item = plait_arena_zeros(r->arena, (size_t)n->count, sizeof *list->item);
    if (!list->item)
        return no_memory(r);
    for (plait_yaml_node *m = n->first; m; m = m->next) {
        plait_schema_friction *pair = plait_arena_zeros(r->arena, 1, sizeof *pair);
        if (!pair)
            return no_memory(r);
        if (m->kind != PLAIT_YAML_LIST || m->count != 3)
            return plait_yaml_fail(r->error, m, "expected [material, material, number], found %s",
                                   m->kind == PLAIT_YAML_LIST ? "a list of another length" : plait_yaml_what(m, what));
        const plait_yaml_node *b = m->first->next;
        if (!read_reference(r, "material", &r->materials, m->first, &pair->a) ||
            !read_reference(r, "material", &r->materials, b, &pair->b) || !read_real(r, k, b->next, &pair->value))
            return false;
        list->item[list->count++] = (plait_schema_item){m, NULL, pair};
    }
    return true;
}

static void *new_struct(const plait_schema_reader *r, const plait_schema *table)
{
    void *value = plait_arena_zeros(r->arena, 1, table->size);
    if (value)
        table->init(value);
    else
        no_memory(r);
    return value;
}

static bool read_list(plait_schema_reader *r, const plait_schema_key *k, plait_yaml_node *n, plait_schema_list *list)
{
    char what[64];
    bool named = k->type == PLAIT_KEY_NAMED, by_name = named && n->kind == PLAIT_YAML_MAP;
    if (plait_yaml_is_null(n))
        return true;
    if (named && !by_name && !plait_schema_find(k->table, "name", 4))
        return plait_yaml_fail(r->error, n, "expected a map of names, found %s", plait_yaml_what(n, what));
    if (n->kind != PLAIT_YAML_LIST && !by_name)
        return plait_yaml_fail(r->error, n, "expected a list%s, found %s", named ? " or a map of names" : "",
                               plait_yaml_what(n, what));
    plait_schema_names seen = {0};
    list->item = plait_arena_zeros(r->arena, (size_t)n->count, sizeof *list->item);
    seen.name = plait_arena_zeros(r->arena, (size_t)n->count, sizeof *seen.name);
    if (!list->item || !seen.name)
        return no_memory(r);
    for (plait_yaml_node *m = n->first; m; m = m->next) {
        plait_schema_item *item = &list->item[list->count++];
        plait_yaml_node *name = by_name ? m->key : named ? plait_yaml_find(m, "name") : NULL;
        if (name && !check_name(r, name, &seen))
            return false;
        if (by_name && plait_yaml_find(m, "name"))
            return plait_yaml_fail(r->error, plait_yaml_find(m, "name")->key, "its name is '%s' already", name->text);
        seen.name[seen.count++] = name ? name->text : NULL;
        *item = (plait_schema_item){m, name ? name->text : NULL, new_struct(r, k->table)};
        if (!item->value || !plait_schema_read(r, k->table, m, item->value))
            return false;
    }
    return true;
}

bool plait_schema_spell_out(plait_schema_reader *r, const plait_schema_key *k, plait_yaml_node *n)
{
    if (!k->brief || n->kind != PLAIT_YAML_SCALAR || plait_yaml_is_null(n))
        return true;
    plait_yaml_node *value = plait_yaml_new(r->arena, PLAIT_YAML_SCALAR, n->text, n);
    plait_yaml_node *key = plait_yaml_new(r->arena, PLAIT_YAML_SCALAR, k->brief, n);
    if (!value || !key)
        return no_memory(r);
    value->quoted = n->quoted;
    n->kind = PLAIT_YAML_MAP;
    n->text = NULL;
    n->quoted = false;
    n->count = 0;
    n->first = n->last = NULL;
    return plait_yaml_put(r->arena, n, key, value) || no_memory(r);
}

static bool read_key(plait_schema_reader *r, const plait_schema_key *k, plait_yaml_node *n, char *out)
{
    void *at = out + k->offset;
    switch (k->type) {
    case PLAIT_KEY_REAL:
        return read_real(r, k, n, at);
    case PLAIT_KEY_PAIR:
        return read_pair(r, k, n, at);
    case PLAIT_KEY_VECTOR:
        return read_reals(r, k, n, 3, at);
    case PLAIT_KEY_POINTS:
        return read_points(r, k, n, 3, at);
    case PLAIT_KEY_NUMBERS:
        return read_points(r, k, n, 1, at);
    case PLAIT_KEY_INT:
        return read_int(r, k, n, at);
    case PLAIT_KEY_SEED:
        return read_seed(r, n, at);
    case PLAIT_KEY_BOOL:
        return read_bool(r, n, at);
    case PLAIT_KEY_TEXT:
        return read_text(r, n, at);
    case PLAIT_KEY_FILE:
        return read_path(r, n, at);
    case PLAIT_KEY_FILES:
        return read_paths(r, n, at);
    case PLAIT_KEY_CHOICE:
        return read_choice(r, k, n, at);
    case PLAIT_KEY_MATERIAL:
        return read_reference(r, "material", &r->materials, n, at);
    case PLAIT_KEY_COLLIDER:
        return read_reference(r, "collider", &r->colliders, n, at);
    case PLAIT_KEY_FRICTION:
        return read_friction(r, k, n, at);
    case PLAIT_KEY_MAP:
        return plait_schema_read(r, k->table, n, at);
    case PLAIT_KEY_OPTIONAL: {
        void *value = new_struct(r, k->table);
        *(void **)at = value;
        return value && plait_schema_spell_out(r, k, n) && plait_schema_read(r, k->table, n, value);
    }
    case PLAIT_KEY_LIST:
    case PLAIT_KEY_NAMED:
        return read_list(r, k, n, at);
    case PLAIT_KEY_OVERRIDES:
    case PLAIT_KEY_INCLUDE:
    case PLAIT_KEY_VARIABLES:
        return true;
    }
    return false;
}

bool plait_schema_read(plait_schema_reader *r, const plait_schema *table, plait_yaml_node *map, void *out)
{
    char what[64], hint[160];
    if (!plait_yaml_is_null(map) && map->kind != PLAIT_YAML_MAP)
        return plait_yaml_fail(r->error, map, "expected a map of keys, found %s", plait_yaml_what(map, what));
    for (plait_yaml_node *n = map->first; n; n = n->next) {
        const plait_schema_key *k = plait_schema_find(table, n->key->text, strlen(n->key->text));
        if (!k)
            return plait_yaml_fail(r->error, n->key, "unknown key %s%s", plait_yaml_what(n->key, what),
                                   plait_schema_suggest(table, n->key->text, hint));
        if (!read_key(r, k, n, out))
            return false;
    }
    for (const plait_schema_key *k = table->keys; k->name; k++)
        if (k->required && !plait_yaml_find(map, k->name))
            return plait_yaml_fail(r->error, map->key ? map->key : map, "the key '%s' is missing here", k->name);
    return true;
}
