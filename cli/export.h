// export.h: the commands that write and read other programs' files, and charts.
#ifndef PLAIT_CLI_EXPORT_H
#define PLAIT_CLI_EXPORT_H

#include "cli.h"

int plait_cli_export(int argc, char **argv);
int plait_cli_import(int argc, char **argv);
double plait_cli_unit(const char *name); // [m] of a unit by its name; 0: unknown
int plait_cli_new(int argc, char **argv);
int plait_cli_plot_run(int argc, char **argv); // `plait plot`

// A chart of two columns of a CSV with titles (plot_table.c). Names of columns; by, log, output may be NULL.
typedef struct plait_plot_table {
    const char *path, *x, *y, *by, *log, *output, *format;
    bool force;
    bool rows;       // points in the order of rows: a path that may turn back
    bool fit;        // y = c x^k is fitted to every line and told ...
    double from, to; // ... of the points with x from here to there
    double onset;    // ... and x less this
} plait_plot_table;
int plait_cli_plot_table(const plait_plot_table *table);

#endif
