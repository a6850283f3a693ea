// yaml_emit.c: a tree as text again. Lists of scalars go on one line, everything else in blocks.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "plait/scene.h"
#include "scene/yaml.h"

typedef struct buffer {
    char *text;
    size_t count, room;
} buffer;

static int collect(void *data, unsigned char *bytes, size_t size)
{
    buffer *out = data;
    if (size > out->room - out->count) {
        size_t room = 2 * (out->count + size) + 4096;
        char *grown = realloc(out->text, room);
        if (!grown)
            return 0;
        out->text = grown;
        out->room = room;
    }
    memcpy(out->text + out->count, bytes, size);
    out->count += size;
    return 1;
}

static bool flat(const plait_yaml_node *list)
{
    for (const plait_yaml_node *n = list->first; n; n = n->next)
        if (n->kind == PLAIT_YAML_MAP || (n->kind == PLAIT_YAML_LIST && !flat(n)))
            return false;
    return true;
}

static bool emit_scalar(yaml_emitter_t *emitter, const plait_yaml_node *n)
{
    yaml_event_t event;
    yaml_scalar_style_t style = n->quoted ? YAML_DOUBLE_QUOTED_SCALAR_STYLE : YAML_PLAIN_SCALAR_STYLE;
    return yaml_scalar_event_initialize(&event, NULL, NULL, (yaml_char_t *)n->text, (int)strlen(n->text), 1, 1,
                                        style) &&
           yaml_emitter_emit(emitter, &event);
}

// A value is read with its variables filled in: a plain $( has to be written $$(.
static bool emit_value(yaml_emitter_t *emitter, const plait_yaml_node *n)
{
    if (!strstr(n->text, "$("))
        return emit_scalar(emitter, n);
    plait_yaml_node escaped = *n;
    escaped.text = malloc(2 * strlen(n->text) + 1);
    if (!escaped.text)
        return false;
    char *out = escaped.text;
    for (const char *c = n->text; *c; c++) {
        if (c[0] == '$' && c[1] == '(')
            *out++ = '$';
        *out++ = *c;
    }
    *out = 0;
    bool ok = emit_scalar(emitter, &escaped);
    free(escaped.text);
    return ok;
}

static bool emit_list_end(yaml_emitter_t *emitter)
{
    yaml_event_t event;
    return yaml_sequence_end_event_initialize(&event) && yaml_emitter_emit(emitter, &event);
}

static bool emit_list_start(yaml_emitter_t *emitter, yaml_sequence_style_t style)
{
    yaml_event_t event;
    return yaml_sequence_start_event_initialize(&event, NULL, NULL, 1, style) && yaml_emitter_emit(emitter, &event);
}

// Numbers that were given by name, written so that they read back to the same bits.
static bool emit_array(yaml_emitter_t *emitter, const plait_scene_array *a)
{
    bool ok = emit_list_start(emitter, YAML_FLOW_SEQUENCE_STYLE);
    for (int64_t i = 0; i < a->rows && ok; i++) {
        ok = a->columns == 1 || emit_list_start(emitter, YAML_FLOW_SEQUENCE_STYLE);
        for (int k = 0; k < a->columns && ok; k++) {
            char text[32];
            snprintf(text, sizeof text, "%.17g", a->value[i * a->columns + k]);
            ok = emit_scalar(emitter, &(plait_yaml_node){.text = text});
        }
        ok = ok && (a->columns == 1 || emit_list_end(emitter));
    }
    return ok && emit_list_end(emitter);
}

static bool emit_node(yaml_emitter_t *emitter, const plait_yaml_node *n)
{
    yaml_event_t event;
    if (n->array)
        return emit_array(emitter, n->array);
    if (n->kind == PLAIT_YAML_SCALAR)
        return emit_value(emitter, n);
    bool map = n->kind == PLAIT_YAML_MAP;
    bool ok = map ? yaml_mapping_start_event_initialize(&event, NULL, NULL, 1, YAML_BLOCK_MAPPING_STYLE)
                  : yaml_sequence_start_event_initialize(
                        &event, NULL, NULL, 1, flat(n) ? YAML_FLOW_SEQUENCE_STYLE : YAML_BLOCK_SEQUENCE_STYLE);
    if (!ok || !yaml_emitter_emit(emitter, &event))
        return false;
    for (const plait_yaml_node *m = n->first; m; m = m->next)
        if ((map && !emit_scalar(emitter, m->key)) || !emit_node(emitter, m))
            return false;
    ok = map ? yaml_mapping_end_event_initialize(&event) : yaml_sequence_end_event_initialize(&event);
    return ok && yaml_emitter_emit(emitter, &event);
}

static bool emit_stream(yaml_emitter_t *emitter, const plait_yaml_node *root)
{
    yaml_event_t event;
    return yaml_stream_start_event_initialize(&event, YAML_UTF8_ENCODING) && yaml_emitter_emit(emitter, &event) &&
           yaml_document_start_event_initialize(&event, NULL, NULL, NULL, 1) && yaml_emitter_emit(emitter, &event) &&
           emit_node(emitter, root) && yaml_document_end_event_initialize(&event, 1) &&
           yaml_emitter_emit(emitter, &event) && yaml_stream_end_event_initialize(&event) &&
           yaml_emitter_emit(emitter, &event);
}

char *plait_yaml_emit(const plait_yaml_node *root, plait_error *error)
{
    yaml_emitter_t emitter;
    buffer out = {0};
    bool ok = yaml_emitter_initialize(&emitter);
    if (ok) {
        yaml_emitter_set_output(&emitter, collect, &out);
        yaml_emitter_set_unicode(&emitter, 1);
        yaml_emitter_set_width(&emitter, 120);
        ok = emit_stream(&emitter, root) && collect(&out, (unsigned char[]){0}, 1);
        yaml_emitter_delete(&emitter);
    }
    if (!ok) {
        plait_error_set(error, PLAIT_NO_MEMORY, "the scene cannot be written as text: not enough memory");
        free(out.text);
        return NULL;
    }
    return out.text;
}
