// yaml.c: from libyaml's events to a tree, and back.
//
// Events rather than libyaml's own documents: those resolve aliases, so that a few lines can stand for a billion nodes.
#include "scene/yaml.h"

#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/trouble.h"

enum { MAX_DEPTH = 32 };
static const size_t MAX_FILE = (size_t)256 << 20;

typedef struct builder {
    plait_arena *arena;
    const plait_yaml_source *source;
    const char *text; // what is parsed
    size_t size;
    yaml_parser_t parser;
    plait_error *error;
} builder;

static int to_int(size_t x)
{
    return x < INT_MAX / 2 ? (int)x : INT_MAX / 2;
}

static bool no_memory(const builder *b)
{
    plait_error_set(b->error, PLAIT_NO_MEMORY, "%s: not enough memory", b->source->name);
    return false;
}

// ---- small things ------------------------------------------------------------------------------------------------

size_t plait_yaml_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash - path) + (slash == path) : 0;
}

char *plait_yaml_read_file(const char *path, size_t *size, plait_error *error)
{
    FILE *file = fopen(path, "rb");
    if (!file) {
        plait_error_set(error, plait_trouble(errno), "%s: cannot open: %s", path, strerror(errno));
        return NULL;
    }
    char *text = NULL;
    size_t count = 0, room = 0;
    while (true) {
        if (count + 1 >= room) {
            room = room ? 2 * room : 16384;
            char *grown = realloc(text, room);
            if (!grown) {
                plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path);
                break;
            }
            text = grown;
        }
        errno = 0;
        size_t got = fread(text + count, 1, room - 1 - count, file);
        count += got;
        if (got == 0 && ferror(file)) {
            plait_error_set(error, plait_trouble(errno), "%s: cannot read: %s", path, strerror(errno));
            break;
        }
        if (got == 0) {
            fclose(file);
            text[count] = 0;
            *size = count;
            return text;
        }
        if (count > MAX_FILE) {
            plait_error_set(error, PLAIT_BAD_FILE, "%s: more than %zu MB", path, MAX_FILE >> 20);
            break;
        }
    }
    free(text);
    fclose(file);
    return NULL;
}

char *plait_yaml_copy_text(plait_arena *arena, const char *text, size_t length)
{
    char *copy = plait_arena_alloc(arena, length + 1, 1);
    if (copy) {
        memcpy(copy, text, length);
        copy[length] = 0;
    }
    return copy;
}

bool plait_yaml_is_null(const plait_yaml_node *n)
{
    return n->kind == PLAIT_YAML_SCALAR && !n->quoted &&
           (n->text[0] == 0 || strcmp(n->text, "~") == 0 || strcmp(n->text, "null") == 0);
}

plait_yaml_node *plait_yaml_find(const plait_yaml_node *map, const char *key)
{
    if (map && map->kind == PLAIT_YAML_MAP)
        for (plait_yaml_node *n = map->first; n; n = n->next)
            if (strcmp(n->key->text, key) == 0)
                return n;
    return NULL;
}

plait_yaml_node *plait_yaml_item(const plait_yaml_node *list, int i)
{
    plait_yaml_node *n = list->first;
    while (n && i-- > 0)
        n = n->next;
    return n;
}

const char *plait_yaml_what(const plait_yaml_node *n, char text[64])
{
    if (n->kind == PLAIT_YAML_SCALAR && !plait_yaml_is_null(n)) {
        bool cut = strlen(n->text) > 40;
        snprintf(text, 64, "'%.*s%s'", cut ? 37 : 40, n->text, cut ? "..." : "");
    } else {
        snprintf(text, 64, "%s",
                 n->kind == PLAIT_YAML_LIST  ? "a list"
                 : n->kind == PLAIT_YAML_MAP ? "a map of keys"
                                             : "nothing");
    }
    return text;
}

plait_yaml_node *plait_yaml_new(plait_arena *arena, plait_yaml_kind kind, const char *text, const plait_yaml_node *at)
{
    plait_yaml_node *n = plait_arena_zeros(arena, 1, sizeof *n);
    if (!n)
        return NULL;
    n->kind = kind;
    n->source = at->source;
    n->line = at->line;
    n->column = at->column;
    n->width = at->width;
    if (kind == PLAIT_YAML_SCALAR && !(n->text = plait_yaml_copy_text(arena, text, strlen(text))))
        return NULL;
    return n;
}

static void append(plait_yaml_node *parent, plait_yaml_node *child)
{
    child->next = NULL;
    if (parent->last)
        parent->last->next = child;
    else
        parent->first = child;
    parent->last = child;
    parent->count++;
}

bool plait_yaml_put(plait_arena *arena, plait_yaml_node *map, const plait_yaml_node *key, plait_yaml_node *value)
{
    plait_yaml_node *old = plait_yaml_find(map, key->text);
    if (old) {
        plait_yaml_node *next = old->next, *its_key = old->key;
        *old = *value;
        old->next = next;
        old->key = its_key;
        return true;
    }
    plait_yaml_node *member = plait_arena_alloc(arena, 1, sizeof *member);
    plait_yaml_node *name = plait_yaml_new(arena, PLAIT_YAML_SCALAR, key->text, key);
    if (!member || !name)
        return false;
    *member = *value;
    member->key = name;
    append(map, member);
    return true;
}

void plait_yaml_remove(plait_yaml_node *map, const char *key)
{
    plait_yaml_node *before = NULL;
    for (plait_yaml_node *n = map->first; n; before = n, n = n->next) {
        if (strcmp(n->key->text, key) != 0)
            continue;
        *(before ? &before->next : &map->first) = n->next;
        if (map->last == n)
            map->last = before;
        map->count--;
        return;
    }
}

// ---- reading -----------------------------------------------------------------------------------------------------

// What libyaml stumbles over most often, in words that help; NULL: its own words will do.
static const char *explain(const builder *b, const yaml_mark_t *mark)
{
    const char *line = b->text, *end = b->text + b->size;
    for (size_t i = 0; i < mark->line && line; i++) {
        line = memchr(line, '\n', (size_t)(end - line));
        line = line ? line + 1 : NULL;
    }
    if (!line)
        return NULL;
    const char *at = line;
    for (size_t i = 0; i < mark->column && at < end; i++)
        for (at++; at < end && ((unsigned char)*at & 0xc0) == 0x80;)
            at++;
    if (at < end && *at == '\t')
        return "a tab where the line is indented: YAML wants blanks";
    while (at > line && at[-1] == ' ')
        at--;
    if (at > line && at[-1] == ']')
        return "a list with something behind it needs quotes: \"[1, 2, 3] cm\"";
    return NULL;
}

// libyaml's own words about bad syntax, at its place; a bad byte is told by its offset only.
static bool syntax_error(const builder *b)
{
    const yaml_parser_t *p = &b->parser;
    if (p->error == YAML_MEMORY_ERROR)
        return no_memory(b);
    const char *problem = p->problem ? p->problem : "bad syntax";
    if (p->error != YAML_READER_ERROR) {
        char context[100] = "";
        if (p->context && p->context_mark.line != p->problem_mark.line)
            snprintf(context, sizeof context, " %s that begins in line %d", p->context,
                     to_int(p->context_mark.line) + 1);
        else if (p->context)
            snprintf(context, sizeof context, " %s", p->context);
        const char *words = explain(b, &p->problem_mark);
        return plait_yaml_fail_at(b->error, b->source, to_int(p->problem_mark.line) + 1,
                                  to_int(p->problem_mark.column) + 1, 1, "%s%s", words ? words : problem,
                                  words ? "" : context);
    }
    size_t offset = p->problem_offset < b->size ? p->problem_offset : b->size;
    int line = 1, column = 1;
    for (size_t i = 0; i < offset; i++) {
        column += ((unsigned char)b->text[i] & 0xc0) != 0x80;
        if (b->text[i] == '\n')
            line++, column = 1;
    }
    return plait_yaml_fail_at(b->error, b->source, line, column, 1, "%s (byte 0x%02x)", problem,
                              (unsigned)(p->problem_value & 0xff));
}

static bool next_event(builder *b, yaml_event_t *event)
{
    return yaml_parser_parse(&b->parser, event) ? true : syntax_error(b);
}

static plait_yaml_node *new_node(builder *b, plait_yaml_kind kind, const yaml_event_t *event)
{
    plait_yaml_node *n = plait_arena_zeros(b->arena, 1, sizeof *n);
    if (!n) {
        no_memory(b);
        return NULL;
    }
    const yaml_mark_t *start = &event->start_mark, *end = &event->end_mark;
    n->kind = kind;
    n->source = b->source;
    n->line = to_int(start->line) + 1;
    n->column = to_int(start->column) + 1;
    n->width = end->line == start->line && end->column > start->column ? to_int(end->column - start->column) : 1;
    return n;
}

static bool build(builder *b, const yaml_event_t *event, int depth, plait_yaml_node **out);

static bool build_members(builder *b, plait_yaml_node *parent, int depth)
{
    while (true) {
        yaml_event_t event;
        if (!next_event(b, &event))
            return false;
        if (event.type == YAML_SEQUENCE_END_EVENT || event.type == YAML_MAPPING_END_EVENT) {
            if (to_int(event.end_mark.line) + 1 == parent->line && event.end_mark.column > event.start_mark.column)
                parent->width = to_int(event.end_mark.column) + 1 - parent->column;
            yaml_event_delete(&event);
            return true;
        }
        plait_yaml_node *key = NULL, *value = NULL;
        bool ok = build(b, &event, depth + 1, &value);
        yaml_event_delete(&event);
        if (ok && parent->kind == PLAIT_YAML_MAP) {
            key = value;
            if (key->kind != PLAIT_YAML_SCALAR)
                return plait_yaml_fail(b->error, key, "expected a word as key, found a list or a map");
            const plait_yaml_node *twin = plait_yaml_find(parent, key->text);
            if (twin)
                return plait_yaml_fail(b->error, key, "the key '%.60s' is given twice, first in line %d", key->text,
                                       twin->key->line);
            if (!next_event(b, &event))
                return false;
            ok = build(b, &event, depth + 1, &value);
            yaml_event_delete(&event);
        }
        if (!ok)
            return false;
        value->key = key;
        append(parent, value);
    }
}

static bool build(builder *b, const yaml_event_t *event, int depth, plait_yaml_node **out)
{
    const yaml_char_t *anchor = NULL, *tag = NULL;
    plait_yaml_kind kind = PLAIT_YAML_SCALAR;
    if (event->type == YAML_SCALAR_EVENT) {
        anchor = event->data.scalar.anchor;
        tag = event->data.scalar.tag;
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        kind = PLAIT_YAML_LIST;
        anchor = event->data.sequence_start.anchor;
        tag = event->data.sequence_start.tag;
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        kind = PLAIT_YAML_MAP;
        anchor = event->data.mapping_start.anchor;
        tag = event->data.mapping_start.tag;
    }
    plait_yaml_node *n = *out = new_node(b, kind, event);
    if (!n)
        return false;
    if (anchor || event->type == YAML_ALIAS_EVENT)
        return plait_yaml_fail(b->error, n, "anchors (&name) and aliases (*name) have no meaning here");
    if (tag)
        return plait_yaml_fail(b->error, n, "tags (!name) have no meaning here");
    if (depth > MAX_DEPTH)
        return plait_yaml_fail(b->error, n, "nested more than %d levels deep", MAX_DEPTH);
    if (kind != PLAIT_YAML_SCALAR)
        return build_members(b, n, depth);
    size_t length = event->data.scalar.length;
    if (memchr(event->data.scalar.value, 0, length))
        return plait_yaml_fail(b->error, n, "a character of code 0 in a text");
    n->quoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    n->text = plait_yaml_copy_text(b->arena, (const char *)event->data.scalar.value, length);
    return n->text ? true : no_memory(b);
}

// The stream: exactly one document.
static plait_yaml_node *build_document(builder *b)
{
    plait_yaml_node *root = NULL;
    for (bool done = false; !done;) {
        yaml_event_t event;
        if (!next_event(b, &event))
            return NULL;
        bool ok = true;
        if (event.type == YAML_STREAM_END_EVENT) {
            done = true;
        } else if (event.type == YAML_DOCUMENT_START_EVENT) {
            if (root)
                ok = plait_yaml_fail_at(b->error, b->source, to_int(event.start_mark.line) + 1, 1, 3,
                                        "a second document begins here; there is one in a file");
        } else if (event.type != YAML_STREAM_START_EVENT && event.type != YAML_DOCUMENT_END_EVENT) {
            ok = build(b, &event, 0, &root);
        }
        yaml_event_delete(&event);
        if (!ok)
            return NULL;
    }
    if (!root)
        plait_yaml_fail_at(b->error, b->source, 1, 1, 1, "there is nothing in it");
    return root;
}

plait_yaml_node *plait_yaml_parse(plait_arena *arena, const plait_yaml_source *source, const char *text, size_t size,
                                  plait_error *error)
{
    builder b = {.arena = arena, .source = source, .text = text, .size = size, .error = error};
    if (!yaml_parser_initialize(&b.parser)) {
        no_memory(&b);
        return NULL;
    }
    yaml_parser_set_encoding(&b.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b.parser, (const unsigned char *)text, size);
    plait_yaml_node *root = build_document(&b);
    yaml_parser_delete(&b.parser);
    return root;
}
