// scene_word.c: a scene on the command line: a file or a name, and --set as often as one likes.
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli.h"

int plait_cli_take_overrides(int argc, char **argv, int more, const char ***override, int *count)
{
    int kept = 1, i = 1;
    *override = plait_cli_alloc((size_t)argc + (size_t)more + 1, sizeof **override);
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (strcmp(argv[i], "--set") == 0 && i + 1 < argc)
            (*override)[(*count)++] = argv[++i];
        else if (strncmp(argv[i], "--set=", 6) == 0 && argv[i][6])
            (*override)[(*count)++] = argv[i] + 6;
        else
            argv[kept++] = argv[i];
    }
    for (; i < argc; i++)
        argv[kept++] = argv[i];
    return kept;
}

typedef struct loading {
    const char *word;
    int count;
    const char *const *override;
    plait_error *error;
    plait_scene *scene;
} loading;

static void load(void *data)
{
    loading *x = data;
    const char *dot = strrchr(x->word, '.');
    bool file = strchr(x->word, '/') || (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)) ||
                (access(x->word, F_OK) == 0 && !plait_cli_is_folder(x->word));
    x->scene = (file ? plait_scene_read : plait_scene_find)(x->word, x->count, x->override, x->error);
}

static void leave(void *data)
{
    loading *x = data;
    plait_cli_message("stopped while the scene '%s' was read; nothing was done", x->word);
}

plait_scene *plait_cli_load_scene(const char *word, int count, const char *const *override, plait_error *error)
{
    loading x = {word, count, override, error, NULL};
    plait_cli_patiently(load, leave, &x); // many strands take a while to lay
    return x.scene;
}
