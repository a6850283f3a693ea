// scenes.h: the commands about scenes.
#ifndef PLAIT_CLI_SCENES_H
#define PLAIT_CLI_SCENES_H

#include "cli.h"

int plait_cli_list(int argc, char **argv); // `plait list`
int plait_cli_check(int argc, char **argv); // `plait check`
int plait_cli_help_scene(void);            // `plait help scene`: the keys of scene files

#endif
