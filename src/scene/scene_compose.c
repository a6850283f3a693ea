// scene_compose.c: included files and variables of a scene.
#include "scene/scene_compose.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 64, DEEPEST = 24, MOST_NODES = 200000, MOST_TEXT = 4 << 20 };

static bool no_memory(const plait_schema_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

// ---- merging -----------------------------------------------------------------------------------------------------

static bool is_map(const plait_yaml_node *n)
{
    return n->kind == PLAIT_YAML_MAP;
}

// Puts what `base` has below what `top` says. Members of base come first: the order of materials and colliders counts.
static void merge(plait_yaml_node *top, const plait_yaml_node *base)
{
    plait_yaml_node *rest = top->first, *next;
    plait_yaml_node merged = {0};
    for (plait_yaml_node *b = base->first; b; b = next) {
        plait_yaml_node *own = plait_yaml_find(top, b->key->text), *member = b;
        next = b->next;
        if (own && is_map(own) && is_map(b)) {
            merge(own, b);
            member = own;
        } else if (own && !(plait_yaml_is_null(own) && is_map(b))) {
            member = own;
        }
        if (own) // it is placed now: out of the list of those that follow
            plait_yaml_remove(top, b->key->text);
        member->next = NULL;
        *(merged.last ? &merged.last->next : &merged.first) = member;
        merged.last = member;
        merged.count++;
    }
    rest = top->first;
    *(merged.last ? &merged.last->next : &merged.first) = rest;
    top->first = merged.first;
    top->last = top->last && rest ? top->last : merged.last;
    top->count += merged.count;
}

// ---- files -------------------------------------------------------------------------------------------------------

typedef struct chain {
    const struct chain *parent;
    char path[PATH_MAX]; // absolute, without links
    const char *name;
} chain;

typedef struct includer {
    plait_schema_reader *reader;
    int files;
} includer;

static bool include_all(includer *c, plait_yaml_node *root, const chain *above);

static bool refuse_circle(const includer *c, const plait_yaml_node *at, const chain *here)
{
    for (const chain *a = here->parent; a; a = a->parent)
        if (strcmp(a->path, here->path) == 0)
            return plait_yaml_fail(c->reader->error, at, "'%.200s' includes itself%s%.200s%s", a->name,
                                   a == here->parent ? "" : " through '", a == here->parent ? "" : here->parent->name,
                                   a == here->parent ? "" : "'");
    return true;
}

// The text of a file as a source that lives in the arena.
static plait_yaml_source *read_source(const includer *c, const plait_yaml_node *at, const char *name)
{
    plait_arena *arena = c->reader->arena;
    struct stat status;
    size_t size;
    plait_error inner = {0};
    if (stat(name, &status) == 0 && !S_ISREG(status.st_mode)) {
        plait_yaml_fail(c->reader->error, at, "%.200s: expected a file", name);
        return NULL;
    }
    char *text = plait_yaml_read_file(name, &size, &inner);
    if (!text) {
        plait_yaml_fail(c->reader->error, at, "%s", inner.text);
        if (c->reader->error)
            c->reader->error->status = inner.status;
        return NULL;
    }
    plait_yaml_source *source = plait_arena_zeros(arena, 1, sizeof *source);
    char *copy = plait_yaml_copy_text(arena, text, size);
    char *folder = plait_yaml_copy_text(arena, name, plait_yaml_folder(name));
    char *own = plait_yaml_copy_text(arena, name, strlen(name));
    free(text);
    if (!source || !copy || !folder || !own) {
        no_memory(c->reader);
        return NULL;
    }
    *source = (plait_yaml_source){.name = own, .folder = folder, .text = copy, .size = size};
    return source;
}

static plait_yaml_node *read_included(includer *c, const plait_yaml_node *at, const chain *above)
{
    char what[64], *name;
    if (at->kind != PLAIT_YAML_SCALAR || plait_yaml_is_null(at)) {
        plait_yaml_fail(c->reader->error, at, "expected a file name, found %s", plait_yaml_what(at, what));
        return NULL;
    }
    const char *folder = at->text[0] == '/' ? "" : at->source->folder;
    size_t size = strlen(folder) + strlen(at->text) + 2;
    name = plait_arena_alloc(c->reader->arena, size, 1);
    if (!name) {
        no_memory(c->reader);
        return NULL;
    }
    snprintf(name, size, "%s%s%s", folder, *folder ? "/" : "", at->text);
    if (++c->files > MOST_FILES) {
        plait_yaml_fail(c->reader->error, at, "more than %d files are included", MOST_FILES);
        return NULL;
    }
    chain *here = malloc(sizeof *here);
    if (!here) {
        no_memory(c->reader);
        return NULL;
    }
    *here = (chain){.parent = above, .name = name};
    if (!realpath(name, here->path))
        snprintf(here->path, sizeof here->path, "%s", name);
    plait_yaml_node *root = NULL;
    const plait_yaml_source *source = refuse_circle(c, at, here) ? read_source(c, at, name) : NULL;
    if (source)
        root = plait_yaml_parse(c->reader->arena, source, source->text, source->size, c->reader->error);
    if (root && !is_map(root)) {
        plait_yaml_fail(c->reader->error, root, "expected a map of keys, found %s", plait_yaml_what(root, what));
        root = NULL;
    }
    if (root && !include_all(c, root, here))
        root = NULL;
    free(here);
    if (root)
        plait_yaml_remove(root, "name"); // that of the scene, not of its parts
    return root;
}

static bool include_all(includer *c, plait_yaml_node *root, const chain *above)
{
    const plait_yaml_node *include = plait_yaml_find(root, "include");
    if (!include)
        return true;
    bool list = include->kind == PLAIT_YAML_LIST;
    plait_yaml_node *below = NULL;
    for (const plait_yaml_node *n = list ? include->first : include; n; n = list ? n->next : NULL) {
        plait_yaml_node *next = read_included(c, n, above);
        if (!next)
            return false;
        if (below)
            merge(next, below); // later files come on top
        below = next;
    }
    plait_yaml_remove(root, "include");
    if (below)
        merge(root, below);
    return true;
}

bool plait_compose_files(plait_schema_reader *reader, plait_yaml_node *root)
{
    includer c = {.reader = reader};
    chain here = {.name = root->source->name};
    if (!realpath(here.name, here.path))
        snprintf(here.path, sizeof here.path, "%s", here.name);
    return include_all(&c, root, &here);
}

// ---- variables ---------------------------------------------------------------------------------------------------

static const char prefix[] = "variables.";

bool plait_compose_is_variable(const char *path)
{
    return strncmp(path, prefix, sizeof prefix - 1) == 0;
}

// "; did you mean ...?" among the names of the variables.
static const char *suggest(const plait_yaml_node *variables, const char *name, char hint[160])
{
    const char *names[64];
    int count = 0;
    for (const plait_yaml_node *n = variables && is_map(variables) ? variables->first : NULL; n && count < 64;
         n = n->next)
        names[count++] = n->key->text;
    return plait_yaml_suggest(name, count, names, hint);
}

bool plait_compose_set(plait_schema_reader *r, plait_yaml_node *root, const plait_yaml_node *path,
                       const plait_yaml_node *value, bool set)
{
    plait_yaml_node *variables = plait_yaml_find(root, "variables"), here = *path;
    const char *name = path->text + sizeof prefix - 1;
    plait_yaml_node *variable = plait_yaml_find(variables, name);
    char hint[160];
    here.column += (int)sizeof prefix - 1 + (path->quoted ? 1 : 0);
    here.width = *name ? (int)strlen(name) : 1;
    if (!variable)
        return plait_yaml_fail(r->error, &here, "there is no variable '%.60s'%s", name, suggest(variables, name, hint));
    if (set) {
        plait_yaml_node *next = variable->next, *key = variable->key;
        *variable = *value;
        variable->next = next;
        variable->key = key;
    }
    return true;
}

typedef enum progress { UNTOUCHED, IN_WORK, DONE } progress;

typedef struct filler {
    plait_schema_reader *reader;
    plait_yaml_node *variables; // a map, or NULL
    progress *state;            // of each
    int nodes;                  // made so far
    size_t text;                // bytes made so far
} filler;

static bool fill(filler *f, plait_yaml_node *n, int depth);

// Where character `offset` of a scalar stands, if it was written as it reads.
static plait_yaml_node place(const plait_yaml_node *n, size_t offset, size_t length)
{
    plait_yaml_node at = *n;
    if ((size_t)n->width == strlen(n->text) + (n->quoted ? 2 : 0)) {
        at.column += (int)offset + (n->quoted ? 1 : 0);
        at.width = (int)length;
    }
    return at;
}

static bool too_large(const filler *f, const plait_yaml_node *at)
{
    return plait_yaml_fail(f->reader->error, at, "variables within variables make this too large");
}

// The value of a variable, with its own variables filled in. NULL with *error.
static plait_yaml_node *value_of(filler *f, const char *name, const plait_yaml_node *at)
{
    int i = 0;
    char hint[160];
    for (plait_yaml_node *n = f->variables ? f->variables->first : NULL; n; n = n->next, i++) {
        if (strcmp(n->key->text, name) != 0)
            continue;
        if (f->state[i] == IN_WORK) {
            plait_yaml_fail(f->reader->error, at, "the variable '%.60s' needs itself", name);
            return NULL;
        }
        if (f->state[i] == UNTOUCHED) {
            f->state[i] = IN_WORK;
            if (!fill(f, n, 0))
                return NULL;
            f->state[i] = DONE;
        }
        return n;
    }
    plait_yaml_fail(f->reader->error, at, "there is no variable '%.60s'%s", name, suggest(f->variables, name, hint));
    return NULL;
}

static plait_yaml_node *copy_tree(filler *f, const plait_yaml_node *n, const plait_yaml_node *at, int depth)
{
    if (depth > DEEPEST || ++f->nodes > MOST_NODES) {
        too_large(f, at);
        return NULL;
    }
    plait_yaml_node *copy = plait_arena_alloc(f->reader->arena, 1, sizeof *copy);
    if (!copy) {
        no_memory(f->reader);
        return NULL;
    }
    *copy = *n;
    copy->first = copy->last = copy->next = NULL;
    for (const plait_yaml_node *m = n->first; m; m = m->next) {
        plait_yaml_node *member = copy_tree(f, m, at, depth + 1);
        if (!member)
            return NULL;
        *(copy->last ? &copy->last->next : &copy->first) = member;
        copy->last = member;
    }
    return copy;
}

// $(name) at `text`: its length with the brackets, the name in `name`; 0: something else.
static size_t read_name(const char *text, char name[64])
{
    size_t length = strcspn(text + 2, ")");
    snprintf(name, 64, "%.*s", length < 63 ? (int)length : 63, text + 2);
    return text[2 + length] == ')' && length < 63 && plait_schema_good_name(name) ? length + 3 : 0;
}

static bool append(filler *f, char **out, size_t *count, size_t *room, const char *text, size_t length)
{
    if (*count + length + 1 > *room) {
        *room = 2 * (*count + length) + 64;
        char *grown = plait_arena_alloc(f->reader->arena, *room, 1);
        if (!grown)
            return no_memory(f->reader);
        memcpy(grown, *out, *count);
        *out = grown;
    }
    memcpy(*out + *count, text, length);
    *count += length;
    (*out)[*count] = 0;
    return true;
}

// A text with variables within it.
static bool fill_text(filler *f, plait_yaml_node *n)
{
    char *out = "", name[64], what[64];
    size_t count = 0, room = 0;
    for (const char *c = n->text; *c;) {
        if (strncmp(c, "$$(", 3) == 0) {
            if (!append(f, &out, &count, &room, "$(", 2))
                return false;
            c += 3;
        } else if (strncmp(c, "$(", 2) == 0) {
            size_t length = read_name(c, name);
            plait_yaml_node at = place(n, (size_t)(c - n->text), length ? length : 2);
            if (!length)
                return plait_yaml_fail(f->reader->error, &at, "expected $(name); a plain $( is written $$(");
            const plait_yaml_node *value = value_of(f, name, &at);
            if (!value)
                return false;
            if (value->kind != PLAIT_YAML_SCALAR || plait_yaml_is_null(value))
                return plait_yaml_fail(f->reader->error, &at, "the variable '%s' is %s: it can only stand alone", name,
                                       plait_yaml_what(value, what));
            if (!append(f, &out, &count, &room, value->text, strlen(value->text)))
                return false;
            c += length;
        } else {
            size_t length = 1 + strcspn(c + 1, "$");
            if (!append(f, &out, &count, &room, c, length))
                return false;
            c += length;
        }
        f->text += count;
        if (count > MOST_TEXT || f->text > (size_t)16 * MOST_TEXT)
            return too_large(f, n);
    }
    n->text = out;
    return true;
}

static bool fill(filler *f, plait_yaml_node *n, int depth)
{
    char name[64];
    if (n->kind != PLAIT_YAML_SCALAR) {
        for (plait_yaml_node *m = n->first; m; m = m->next)
            if (!fill(f, m, depth + 1))
                return false;
        return true;
    }
    if (!strstr(n->text, "$("))
        return true;
    if (strncmp(n->text, "$(", 2) != 0 || read_name(n->text, name) != strlen(n->text))
        return fill_text(f, n);
    const plait_yaml_node *value = value_of(f, name, n);
    plait_yaml_node *copy = value ? copy_tree(f, value, n, depth) : NULL;
    if (!copy)
        return false;
    copy->next = n->next;
    copy->key = n->key;
    *n = *copy;
    return true;
}

static bool check_variables(const filler *f)
{
    char what[64];
    if (!is_map(f->variables))
        return plait_yaml_fail(f->reader->error, f->variables, "expected a map of names and values, found %s",
                               plait_yaml_what(f->variables, what));
    for (const plait_yaml_node *n = f->variables->first; n; n = n->next)
        if (!plait_schema_good_name(n->key->text))
            return plait_yaml_fail(f->reader->error, n->key,
                                   "expected a name of letters, digits, _ and - that begins with a letter, found %s",
                                   plait_yaml_what(n->key, what));
    return true;
}

bool plait_compose_substitute(plait_schema_reader *r, plait_yaml_node *root, plait_yaml_node *node)
{
    filler f = {.reader = r, .variables = plait_yaml_find(root, "variables")};
    if (f.variables && plait_yaml_is_null(f.variables))
        f.variables = NULL;
    if (f.variables && !check_variables(&f))
        return false;
    f.state = plait_arena_zeros(r->arena, f.variables ? (size_t)f.variables->count + 1 : 1, sizeof *f.state);
    if (!f.state)
        return no_memory(r);
    if (node != root)
        return fill(&f, node, 0);
    for (plait_yaml_node *n = root->first; n; n = n->next)
        if (n != f.variables && !fill(&f, n, 1))
            return false;
    // Those that nobody uses are looked at too.
    for (const plait_yaml_node *n = f.variables ? f.variables->first : NULL; n; n = n->next)
        if (!value_of(&f, n->key->text, n))
            return false;
    return true;
}
