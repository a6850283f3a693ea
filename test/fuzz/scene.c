// Any text as a scene file; what follows a line "--set" is an override. Scenes that are small and name no files are
// built, too, and what they are written as must read back.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scene/schema_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Generators of thousands of hairs would take all the time, and files are another fuzzer's.
static bool harmless(const plait_doc *doc)
{
    for (int i = 0; i < doc->fibres.count; i++) {
        const plait_doc_fibre *f = doc->fibres.item[i].value;
        if (f->scalp || f->ponytail || f->file || plait_doc_count_fibres(f) > 20 || f->style.segments > 50 ||
            (f->spaghetti && f->spaghetti->count > 7))
            return false;
    }
    for (int i = 0; i < doc->colliders.count; i++) {
        const plait_doc_body *b = doc->colliders.item[i].value;
        if (b->file || b->frames.count > 0 || b->shape > PLAIT_SHAPE_CURVE)
            return false;
    }
    return doc->fibres.count < 10;
}

static bool is_harmless(const char *text, int count, const char *const *set)
{
    plait_arena arena = {0};
    plait_error error = {0};
    plait_schema_reader reader = {.arena = &arena, .error = &error};
    plait_yaml_source source = {.name = "scene.yaml", .folder = "", .text = text, .size = strlen(text)};
    plait_doc doc;
    bool ok = plait_doc_read(&reader, &source, count, set, &doc) != NULL;
    if (!ok && (error.status == PLAIT_OK || !error.text[0]))
        abort();
    ok = ok && harmless(&doc);
    plait_arena_free(&arena);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n--set ";
    if (size > 20000)
        return 0;
    char *text = malloc(size + 1);
    if (!text)
        abort();
    memcpy(text, data, size);
    text[size] = 0;
    char *set = strstr(text, mark);
    int count = set != NULL;
    if (set) {
        *set = 0;
        set += sizeof mark - 1;
    }
    const char *override = set;
    if (is_harmless(text, count, &override)) {
        plait_error error = {0};
        plait_scene *a = plait_scene_parse(text, strlen(text), "scene.yaml", "", count, &override, &error);
        if (!a && (error.status == PLAIT_OK || !error.text[0]))
            abort();
        plait_scene *b = a ? plait_scene_parse(a->text, strlen(a->text), "again.yaml", "", 0, NULL, &error) : NULL;
        if (a && (!b || a->fibres != b->fibres || a->colliders != b->colliders || strcmp(a->text, b->text) != 0))
            abort();
        plait_scene_free(a);
        plait_scene_free(b);
    }
    free(text);
    return 0;
}
