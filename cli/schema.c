// schema.c: `plait schema`: the JSON schema of scene files.
#include <stdlib.h>

#include "cli.h"
#include "plait/scene.h"

int plait_cli_schema(int argc, char **argv)
{
    static const plait_option options[] = {{NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL}};
    const plait_command command = {
        .name = "schema",
        .usage = "[options]",
        .summary = "Writes the JSON schema of scene files, with which editors complete and check them.",
        .details =
            "Editors with a YAML language server (VS Code, Neovim, Emacs, Kate) use it when a scene begins with "
            "the line\n\n"
            "# yaml-language-server: $schema=plait-scene.schema.json\n\n"
            "The schema knows keys, types, units, ranges and words. Names that refer to each other and files are "
            "left to 'plait run', which says more, too.",
        .options = options,
        .max_words = 0,
        .examples = "schema >plait-scene.schema.json\tbeside your scenes",
    };
    int code;
    if (plait_cli_parse(&command, argc, argv, &code) < 0)
        return code;
    char *text = plait_scene_json_schema();
    if (!text)
        return plait_cli_fail("no memory for the schema");
    fputs(text, stdout);
    free(text);
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}
