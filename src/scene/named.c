// named.c: scenes that are built in.
#include "scene/named.h"

#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scene/schema_scene.h"

int plait_scene_count(void)
{
    int count = 0;
    while (plait_named_scenes[count].name)
        count++;
    return count;
}

const char *plait_scene_name(int i)
{
    return plait_named_scenes[i].name;
}

const char *plait_scene_source(int i)
{
    return (const char *)plait_named_scenes[i].text;
}

char *plait_scene_reference(void)
{
    return plait_schema_print(&plait_schema_scene);
}

char *plait_scene_json_schema(void)
{
    return plait_schema_json(&plait_schema_scene);
}

// ---- looking -----------------------------------------------------------------------------------------------------

static plait_status summarise(int i, plait_arena *arena, plait_scene_summary *out, plait_error *error)
{
    const plait_named_scene *scene = &plait_named_scenes[i];
    char file[PLAIT_NAME + 16];
    snprintf(file, sizeof file, "%s.yaml", scene->name);
    plait_yaml_source source = {.name = file, .folder = "", .text = (const char *)scene->text, .size = scene->size};
    plait_error inner = {0};
    plait_schema_reader reader = {.arena = arena, .error = &inner};
    plait_doc doc;
    const plait_yaml_node *root = plait_doc_read(&reader, &source, 0, NULL, &doc);
    if (!root)
        return plait_error_set(error, inner.status, "%s", inner.text);
    snprintf(out->title, sizeof out->title, "%s", doc.title ? doc.title : "");
    snprintf(out->reproduces, sizeof out->reproduces, "%s", doc.reproduces ? doc.reproduces : "");
    for (int k = 0; k < doc.fibres.count; k++)
        out->fibres += plait_doc_count_fibres(doc.fibres.item[k].value);
    out->has_small = plait_yaml_find(root, "small") != NULL;
    return PLAIT_OK;
}

plait_status plait_scene_summarise(int i, plait_scene_summary *summary, plait_error *error)
{
    plait_arena arena = {0};
    *summary = (plait_scene_summary){.fibres = 0};
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0), before = plain ? uselocale(plain) : (locale_t)0;
    plait_status status = summarise(i, &arena, summary, error);
    if (plain) {
        uselocale(before);
        freelocale(plain);
    }
    plait_arena_free(&arena);
    return status;
}

// ---- finding -----------------------------------------------------------------------------------------------------

static int find(const char *name, size_t length)
{
    for (int i = 0; plait_named_scenes[i].name; i++)
        if (strlen(plait_named_scenes[i].name) == length && strncmp(plait_named_scenes[i].name, name, length) == 0)
            return i;
    return -1;
}

static plait_scene *unknown(const char *name, plait_error *error)
{
    const char *names[256];
    char hint[160];
    int count = 0;
    for (int i = 0; plait_named_scenes[i].name && count < 256; i++)
        names[count++] = plait_named_scenes[i].name;
    plait_yaml_suggest(name, count, names, hint);
    plait_error_set(error, PLAIT_BAD_INPUT, "there is no scene '%.100s'%s", name, hint);
    return NULL;
}

plait_scene *plait_scene_find(const char *name, int count, const char *const *overrides, plait_error *error)
{
    static const char suffix[] = "-small";
    size_t length = strlen(name), tail = sizeof suffix - 1;
    int i = find(name, length);
    bool small = i < 0 && length > tail && strcmp(name + length - tail, suffix) == 0;
    if (small)
        i = find(name, length - tail);
    if (i < 0)
        return unknown(name, error);
    plait_scene_summary summary;
    if (small && plait_scene_summarise(i, &summary, error) == PLAIT_OK && !summary.has_small) {
        plait_error_set(error, PLAIT_BAD_INPUT, "the scene '%s' has no small variant", plait_named_scenes[i].name);
        return NULL;
    }
    // The variant is one more override; who asks for NAME-small has decided that, so it comes last.
    const char **all = malloc(((size_t)count + 1) * sizeof *all);
    if (!all) {
        plait_error_set(error, PLAIT_NO_MEMORY, "scene '%s': not enough memory", name);
        return NULL;
    }
    for (int k = 0; k < count; k++)
        all[k] = overrides[k];
    if (small)
        all[count++] = "small=true";
    char file[PLAIT_NAME + 16];
    snprintf(file, sizeof file, "%s.yaml", plait_named_scenes[i].name);
    plait_scene *scene =
        plait_scene_parse(plait_scene_source(i), plait_named_scenes[i].size, file, "", count, all, error);
    free(all);
    return scene;
}
