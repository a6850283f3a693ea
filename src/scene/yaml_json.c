// yaml_json.c: a YAML text as JSON, for programs that want to change a scene and have no reader of YAML.
#include <string.h>

#include "plait/scene.h"
#include "scene/text.h"
#include "scene/yaml.h"

static void put_string(plait_text *out, const char *text)
{
    plait_text_add(out, "\"");
    for (const char *c = text, *end; *c; c = end) {
        for (end = c; (unsigned char)*end >= 0x20 && *end != '"' && *end != '\\';)
            end++;
        plait_text_add(out, "%.*s", (int)(end - c), c);
        if (*end == '"' || *end == '\\')
            plait_text_add(out, "\\%c", *end++);
        else if (*end)
            plait_text_add(out, "\\u%04x", (unsigned)(unsigned char)*end++);
    }
    plait_text_add(out, "\"");
}

// Whether a word is a number as JSON spells them: 1, -0.5, 2e-3, but not 01, .5, 1. or 0x1.
static bool is_number(const char *c)
{
    c += *c == '-';
    if (*c < '0' || *c > '9' || (c[0] == '0' && c[1] >= '0' && c[1] <= '9'))
        return false;
    c += strspn(c, "0123456789");
    if (*c == '.') {
        size_t digits = strspn(++c, "0123456789");
        if (digits == 0)
            return false;
        c += digits;
    }
    if (*c == 'e' || *c == 'E') {
        c += 1 + (c[1] == '+' || c[1] == '-');
        size_t digits = strspn(c, "0123456789");
        if (digits == 0)
            return false;
        c += digits;
    }
    return *c == 0;
}

static void put_scalar(plait_text *out, const plait_yaml_node *n)
{
    if (plait_yaml_is_null(n))
        plait_text_add(out, "null");
    else if (!n->quoted && (is_number(n->text) || strcmp(n->text, "true") == 0 || strcmp(n->text, "false") == 0))
        plait_text_add(out, "%s", n->text);
    else
        put_string(out, n->text);
}

static void put_node(plait_text *out, const plait_yaml_node *n)
{
    bool map = n->kind == PLAIT_YAML_MAP;
    if (n->kind == PLAIT_YAML_SCALAR) {
        put_scalar(out, n);
        return;
    }
    plait_text_add(out, map ? "{" : "[");
    for (const plait_yaml_node *m = n->first; m; m = m->next) {
        if (m != n->first)
            plait_text_add(out, ", ");
        if (map) {
            put_string(out, m->key->text);
            plait_text_add(out, ": ");
        }
        put_node(out, m);
    }
    plait_text_add(out, map ? "}" : "]");
}

char *plait_scene_text_json(const char *text, plait_error *error)
{
    plait_yaml_source source = {.name = "scene", .folder = "", .text = text, .size = strlen(text)};
    plait_arena arena = {0};
    plait_text out = {0};
    plait_yaml_node *root = plait_yaml_parse(&arena, &source, text, source.size, error);
    char *json = NULL;
    if (root) {
        put_node(&out, root);
        json = plait_text_take(&out);
        if (!json)
            plait_error_set(error, PLAIT_NO_MEMORY, "scene: not enough memory");
    }
    plait_arena_free(&arena);
    return json;
}
