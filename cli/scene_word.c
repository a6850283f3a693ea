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

plait_scene *plait_cli_load_scene(const char *word, int count, const char *const *override, plait_error *error)
{
    const char *dot = strrchr(word, '.');
    bool file = strchr(word, '/') || (dot && (strcmp(dot, ".yaml") == 0 || strcmp(dot, ".yml") == 0)) ||
                (access(word, F_OK) == 0 && !plait_cli_is_folder(word));
    return file ? plait_scene_read(word, count, override, error) : plait_scene_find(word, count, override, error);
}
