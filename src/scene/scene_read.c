// scene_read.c: from a file and overrides to a scene.
//
// Overrides are set in the tree before anything is read by the tables, so that the tree is the effective scene: it is
// written into scene->text, and reading that gives the same scene again. Included files and variables come before that:
// see scene_compose.h.
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/scene_compose.h"
#include "scene/schema_scene.h"

static bool no_memory(const plait_schema_reader *r)
{
    plait_error_set(r->error, PLAIT_NO_MEMORY, "scene: not enough memory");
    return false;
}

// ---- overrides ---------------------------------------------------------------------------------------------------

typedef struct override {
    plait_yaml_source source;
    plait_yaml_node path, *value;
} override;

// "[0, 0, 1] cm" is no YAML, but what one would write: a text then.
static bool is_vector_with_unit(const char *value)
{
    const char *end = strrchr(value, ']');
    return value[0] == '[' && end && end[1 + strspn(end + 1, " \t")];
}

static bool parse_override(plait_schema_reader *r, const char *text, override *o)
{
    size_t size = strlen(text), name_size = size + 8;
    char *name = plait_arena_alloc(r->arena, name_size, 1), *padded = plait_yaml_copy_text(r->arena, text, size);
    if (!name || !padded)
        return no_memory(r);
    snprintf(name, name_size, "--set %s", text);
    o->source = (plait_yaml_source){.name = name, .folder = "", .text = text, .size = size};
    const char *equals = strchr(text, '=');
    if (!equals || equals == text)
        return plait_yaml_fail_at(r->error, &o->source, 1, 1, (int)size, "expected PATH=VALUE, like step.dt=2ms");
    size_t length = (size_t)(equals - text);
    char *path = plait_yaml_copy_text(r->arena, text, length);
    if (!path)
        return no_memory(r);
    o->path = (plait_yaml_node){.source = &o->source, .text = path, .line = 1, .column = 1, .width = (int)length};
    if (is_vector_with_unit(equals + 1)) {
        plait_yaml_node here = o->path;
        here.column = (int)length + 2;
        here.width = (int)(size - length - 1);
        o->value = plait_yaml_new(r->arena, PLAIT_YAML_SCALAR, equals + 1, &here);
        if (!o->value)
            return no_memory(r);
        o->value->quoted = true;
        return true;
    }
    if (!equals[1 + strspn(equals + 1, " \t")])
        return plait_yaml_fail_at(r->error, &o->source, 1, (int)length + 2, 1, "expected a value after '='");
    // Blanks instead of the path: columns are then those of the whole argument.
    memset(padded, ' ', length + 1);
    o->value = plait_yaml_parse(r->arena, &o->source, padded, size, r->error);
    return o->value != NULL;
}

static bool is_small(const override *o)
{
    return strcmp(o->path.text, "small") == 0;
}

// The variant `small`: its paths and values are set, its name says so. Without it they are only looked at.
static bool apply_small(plait_schema_reader *r, plait_yaml_node *root, const override *wanted)
{
    plait_yaml_node *small = plait_yaml_find(root, "small");
    bool set = false;
    char what[64];
    if (wanted) {
        const plait_yaml_node *v = wanted->value;
        set = v->kind == PLAIT_YAML_SCALAR && strcmp(v->text, "true") == 0;
        if (!set && !(v->kind == PLAIT_YAML_SCALAR && strcmp(v->text, "false") == 0))
            return plait_yaml_fail(r->error, v, "expected true or false, found %s", plait_yaml_what(v, what));
        if (set && !small)
            return plait_yaml_fail(r->error, &wanted->path, "the scene has no small variant (no key 'small')");
    }
    if (!small)
        return true;
    if (small->kind != PLAIT_YAML_MAP)
        return plait_yaml_fail(r->error, small, "expected a map of paths and values, found %s",
                               plait_yaml_what(small, what));
    for (plait_yaml_node *n = small->first; n; n = n->next)
        if (!plait_compose_is_variable(n->key->text) && !plait_schema_set(r, &plait_schema_scene, root, n->key, n, set))
            return false;
    if (!set)
        return true;
    plait_yaml_node *name = plait_yaml_find(root, "name");
    if (name && name->kind == PLAIT_YAML_SCALAR) {
        size_t size = strlen(name->text) + 8;
        char *longer = plait_arena_alloc(r->arena, size, 1);
        if (!longer)
            return no_memory(r);
        snprintf(longer, size, "%s-small", name->text);
        name->text = longer;
    }
    plait_yaml_remove(root, "small");
    return true;
}

static bool is_true(const plait_yaml_node *n)
{
    return n->kind == PLAIT_YAML_SCALAR && strcmp(n->text, "true") == 0;
}

// Variables get their values before anything else, from `small` and then from --set; then they are put in everywhere.
static bool apply_variables(plait_schema_reader *r, plait_yaml_node *root, int count, const override *list,
                            const override *small)
{
    const plait_yaml_node *variant = plait_yaml_find(root, "small");
    for (const plait_yaml_node *n = variant && variant->kind == PLAIT_YAML_MAP ? variant->first : NULL; n; n = n->next)
        if (plait_compose_is_variable(n->key->text) &&
            !plait_compose_set(r, root, n->key, n, small && is_true(small->value)))
            return false;
    for (int i = 0; i < count; i++)
        if (plait_compose_is_variable(list[i].path.text) &&
            !plait_compose_set(r, root, &list[i].path, list[i].value, true))
            return false;
    if (!plait_compose_substitute(r, root, root))
        return false;
    for (int i = 0; i < count; i++)
        if (!plait_compose_is_variable(list[i].path.text) && !plait_compose_substitute(r, root, list[i].value))
            return false;
    return true;
}

static bool apply_overrides(plait_schema_reader *r, plait_yaml_node *root, int count, const char *const *texts)
{
    override *list = plait_arena_zeros(r->arena, (size_t)count + 1, sizeof *list);
    const override *small = NULL;
    if (!list)
        return no_memory(r);
    for (int i = 0; i < count; i++) {
        if (!parse_override(r, texts[i], &list[i]))
            return false;
        if (is_small(&list[i]))
            small = &list[i];
    }
    if (!apply_variables(r, root, count, list, small) || !apply_small(r, root, small))
        return false;
    for (int i = 0; i < count; i++)
        if (!is_small(&list[i]) && !plait_compose_is_variable(list[i].path.text) &&
            !plait_schema_set(r, &plait_schema_scene, root, &list[i].path, list[i].value, true))
            return false;
    // The tree has values now. A variant that would change variables cannot be kept.
    if (plait_yaml_find(root, "variables")) {
        plait_yaml_remove(root, "variables");
        plait_yaml_remove(root, "small");
    }
    return true;
}

// ---- reading -----------------------------------------------------------------------------------------------------

// A scene without a name is called like its file; the name goes into the tree, for the effective scene has another
// file.
static bool give_name(plait_schema_reader *r, plait_yaml_node *root)
{
    const char *path = root->source->name, *slash = strrchr(path, '/');
    char name[48] = "";
    if (plait_yaml_find(root, "name"))
        return true;
    path = slash ? slash + 1 : path;
    for (size_t i = 0; i < sizeof name - 1 && path[i] && path[i] != '.'; i++) {
        name[i] = path[i];
        if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-", path[i]))
            name[i] = '_';
    }
    if (!plait_schema_good_name(name))
        memcpy(name, "scene", 6);
    plait_yaml_node here = *root;
    here.key = here.next = NULL;
    plait_yaml_node *key = plait_yaml_new(r->arena, PLAIT_YAML_SCALAR, "name", &here);
    plait_yaml_node *value = plait_yaml_new(r->arena, PLAIT_YAML_SCALAR, name, &here);
    return (key && value && plait_yaml_put(r->arena, root, key, value)) || no_memory(r);
}

plait_yaml_node *plait_doc_read(plait_schema_reader *r, const plait_yaml_source *source, int count,
                                const char *const *overrides, plait_doc *doc)
{
    char what[64];
    plait_yaml_node *root = plait_yaml_parse(r->arena, source, source->text, source->size, r->error);
    if (!root)
        return NULL;
    if (root->kind != PLAIT_YAML_MAP) {
        plait_yaml_fail(r->error, root, "expected a map of keys, found %s", plait_yaml_what(root, what));
        return NULL;
    }
    plait_schema_scene.init(doc);
    if (!plait_compose_files(r, root) || !give_name(r, root) || !apply_overrides(r, root, count, overrides) ||
        !plait_schema_collect_names(r, root, "materials", &r->materials) ||
        !plait_schema_collect_names(r, root, "colliders", &r->colliders) ||
        !plait_schema_read(r, &plait_schema_scene, root, doc))
        return NULL;
    if (!plait_schema_good_name(doc->name)) {
        plait_yaml_node *name = plait_yaml_find(root, "name");
        plait_yaml_fail(r->error, name,
                        "expected a name of letters, digits, _ and - that begins with a letter, found %s",
                        plait_yaml_what(name, what));
        return NULL;
    }
    return root;
}

static plait_scene *parse(plait_arena *arena, const plait_yaml_source *source, int count, const char *const *overrides,
                          plait_error *error)
{
    plait_schema_reader reader = {.arena = arena, .error = error};
    plait_doc *doc = plait_arena_alloc(arena, 1, sizeof *doc);
    if (!doc) {
        no_memory(&reader);
        return NULL;
    }
    plait_yaml_node *root = plait_doc_read(&reader, source, count, overrides, doc);
    plait_scene *scene = root ? plait_doc_build(doc, root, &reader) : NULL;
    if (scene && !(scene->text = plait_yaml_emit(root, error))) {
        plait_scene_free(scene);
        return NULL;
    }
    return scene;
}

static plait_scene *parse_source(const plait_yaml_source *source, int count, const char *const *overrides,
                                 plait_error *error)
{
    plait_arena arena = {0};
    // Numbers have a point whatever the program's locale says; only this thread is switched.
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    plait_scene *scene = parse(&arena, source, count, overrides, error);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    plait_arena_free(&arena);
    return scene;
}

plait_scene *plait_scene_parse(const char *text, size_t size, const char *name, const char *folder, int count,
                               const char *const *overrides, plait_error *error)
{
    plait_yaml_source source = {.name = name, .folder = folder, .text = text, .size = size};
    return parse_source(&source, count, overrides, error);
}

plait_scene *plait_scene_from_text(const char *text, const char *folder, int count, const char *const *overrides,
                                   int arrays, const plait_scene_array *array, plait_error *error)
{
    plait_yaml_source source = {.name = "scene", .folder = folder, .text = text, .size = strlen(text)};
    source.arrays = arrays, source.array = array;
    return parse_source(&source, count, overrides, error);
}

plait_scene *plait_scene_read(const char *path, int count, const char *const *overrides, plait_error *error)
{
    size_t size;
    char *text = plait_yaml_read_file(path, &size, error);
    if (!text)
        return NULL;
    size_t length = plait_yaml_folder(path);
    char *folder = malloc(length + 1);
    plait_scene *scene = NULL;
    if (folder) {
        memcpy(folder, path, length);
        folder[length] = 0;
        scene = plait_scene_parse(text, size, path, folder, count, overrides, error);
    } else {
        plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
    }
    free(folder);
    free(text);
    return scene;
}
