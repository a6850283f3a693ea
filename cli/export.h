// export.h: the commands that write and read other programs' files, and charts.
#ifndef PLAIT_CLI_EXPORT_H
#define PLAIT_CLI_EXPORT_H

#include "cli.h"

int plait_cli_export(int argc, char **argv);
int plait_cli_import(int argc, char **argv);
int plait_cli_plot_run(int argc, char **argv); // `plait plot`

#endif
