// rods.h: the commands about rods.
#ifndef PLAIT_CLI_RODS_H
#define PLAIT_CLI_RODS_H

#include "cli.h"
#include "plait/rod.h"

int plait_cli_validate(int argc, char **argv); // `plait validate`
int plait_bench_rods(int argc, char **argv);   // `plait bench rods`

// "der", "superhelix"...; a message with "did you mean" and false if there is no such model.
bool plait_cli_read_model(const char *text, plait_rod_model *model);

#endif
