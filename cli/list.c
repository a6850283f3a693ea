// list.c: `plait list`: which scenes are built in, and what they say.
#include <stdlib.h>
#include <string.h>

#include "plait/scene.h"
#include "scenes.h"

static bool summarise(int i, plait_scene_summary *summary)
{
    plait_error error = {0};
    if (plait_scene_summarise(i, summary, &error) == PLAIT_OK)
        return true;
    plait_cli_message("%s", error.text);
    return false;
}

static bool list_table(void)
{
    static const char *const titles[] = {"<scene", "rods", "<small", "<what", "<reproduces", NULL};
    plait_table *table = plait_table_new(titles);
    bool ok = true;
    plait_scene_summary s;
    for (int i = 0; i < plait_scene_count() && ok && (ok = summarise(i, &s)); i++) {
        plait_table_cell(table, "%s", plait_scene_name(i));
        plait_table_cell(table, "%s", s.fibres > 0 ? plait_cli_count(s.fibres) : "-");
        plait_table_cell(table, "%s", s.has_small ? "yes" : "no");
        plait_table_cell(table, "%s", s.title);
        plait_table_cell(table, "%s", s.reproduces);
    }
    if (ok)
        plait_table_end(table);
    else
        plait_table_free(table);
    return ok;
}

static bool list_json(void)
{
    plait_json json;
    plait_json_open(&json, stdout);
    plait_json_begin(&json, NULL, '[');
    bool ok = true;
    plait_scene_summary s;
    for (int i = 0; i < plait_scene_count() && ok && (ok = summarise(i, &s)); i++) {
        plait_json_begin(&json, NULL, '{');
        plait_json_string(&json, "name", plait_scene_name(i));
        plait_json_string(&json, "title", s.title);
        plait_json_string(&json, "reproduces", s.reproduces);
        plait_json_int(&json, "rods", s.fibres);
        plait_json_bool(&json, "small", s.has_small);
        plait_json_end(&json, '}');
    }
    plait_json_end(&json, ']');
    return ok;
}

// A scene with a small variant has it in its text, under `small`.
static int print_scene(const char *name)
{
    const char *names[256];
    int count = 0;
    for (int i = 0; i < plait_scene_count() && count < 255; i++) {
        if (strcmp(plait_scene_name(i), name) == 0) {
            fputs(plait_scene_source(i), stdout);
            return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
        }
        names[count++] = plait_scene_name(i);
    }
    names[count] = NULL;
    size_t length = strlen(name);
    if (length > 6 && strcmp(name + length - 6, "-small") == 0) {
        plait_error error = {0};
        plait_scene *scene = plait_scene_find(name, 0, NULL, &error);
        if (!scene)
            return plait_cli_fail("%s", error.text);
        fputs(scene->text, stdout);
        plait_scene_free(scene);
        return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
    }
    const char *near = plait_cli_nearest(name, names);
    if (near)
        return plait_cli_fail("there is no scene '%s'; did you mean '%s'?", name, near);
    return plait_cli_fail("there is no scene '%s'; 'plait list' lists what there is", name);
}

int plait_cli_list(int argc, char **argv)
{
    bool as_json = false;
    const plait_option options[] = {
        {"--json", 0, PLAIT_OPTION_FLAG, &as_json, 0, 0, NULL, "a JSON array instead of a table"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        "list",
        "[SCENE] [options]",
        "Lists the scenes that are built in, or prints one.",
        "Without SCENE: name, number of rods, whether there is a small variant (SCENE-small, for a quick try), what it "
        "is, and which figure or table it reproduces.\n\n"
        "With SCENE: its YAML text, to be changed and run as a file. 'plait help scene' explains the keys.\n\n"
        "Exit code: 0, or 2 if there is no such scene.",
        options,
        0,
        1,
        .examples = "list\tall scenes\n"
                    "list knot >my-knot.yaml\ta scene to start from\n"
                    "list --json\tfor a script"};
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (words == 1) {
        if (as_json)
            return plait_cli_fail("list: --json and a scene do not go together");
        return print_scene(argv[1]);
    }
    bool ok = as_json ? list_json() : list_table();
    return plait_cli_flush(stdout, "standard output") && ok ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

// ---- plait help scene --------------------------------------------------------------------------------------------

int plait_cli_help_scene(void)
{
    char *text = plait_scene_reference();
    if (!text)
        return plait_cli_fail("no memory for the reference of scene files");
    printf("Scene files are YAML. Values may carry units (2 ms, 37 um, 1.3 g/cm^3); without one they are in SI.\n"
           "A value is changed by its path: --set step.dt=1ms, --set fibres.hair.segments=8.\n\n%s",
           text);
    free(text);
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}
