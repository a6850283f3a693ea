// help.c: which commands there are, and what they say of themselves.
#include <string.h>

#include "cli.h"
#include "export.h"
#include "render.h"
#include "rods.h"
#include "run.h"
#include "scenes.h"
#include "view.h"

const plait_cli_entry plait_cli_commands[] = {
    {"run", plait_cli_run, "simulate a scene and write its trajectory"},
    {"stats", plait_cli_stats, "say how simulations went"},
    {"export", plait_cli_export, "write a trajectory as files that other programs open"},
    {"import", plait_cli_import, "make a scene of other programs' curves, or convert them"},
    {"plot", plait_cli_plot_run, "draw charts of how a simulation went"},
    {"view", plait_cli_view, "look at a run, or at a live simulation, in the browser"},
    {"render", plait_cli_render, "draw pictures and films of fibres"},
    {"solve", plait_cli_solve, "solve one-step contact problems with exact Coulomb friction"},
    {"info", plait_cli_info, "say what is in a problem file"},
    {"generate", plait_cli_generate, "make problems up, of any size and hardness"},
    {"list", plait_cli_list, "list the scenes that are built in"},
    {"validate", plait_cli_validate, "compare the rod models with closed forms"},
    {"bench", plait_cli_bench, "measure and compare the solvers"},
    {"help", plait_cli_help, "explain a command"},
    {NULL, NULL, NULL},
};

void plait_cli_print_overview(FILE *file)
{
    fprintf(file, "plait: assemblies of thin elastic fibres with exact Coulomb friction\n\n"
                  "Usage: plait COMMAND [words and options]\n\n");
    plait_cli_print_entries(plait_cli_commands, file);
    fprintf(file, "\n'plait help COMMAND' tells more, 'plait help scene' explains scene files; 'plait --version' names "
                  "the version.\n\n"
                  "A first try:\n"
                  "  plait generate fibres --rods 100 --nu 1 -o problem.hdf5\n"
                  "  plait solve problem.hdf5\n");
}

void plait_cli_print_entries(const plait_cli_entry *entries, FILE *file)
{
    for (; entries->name; entries++)
        fprintf(file, "  %-10s %s\n", entries->name, entries->summary);
}

int plait_cli_dispatch(const plait_cli_entry *entries, const char *what, int argc, char **argv)
{
    const char *list[32];
    int count = 0;
    for (const plait_cli_entry *e = entries; e->name && count < 31; e++) {
        if (strcmp(e->name, argv[0]) == 0)
            return e->run(argc, argv);
        list[count++] = e->name;
    }
    list[count] = NULL;
    const char *near = plait_cli_nearest(argv[0], list);
    if (near)
        return plait_cli_fail("there is no %s '%s'; did you mean '%s'?", what, argv[0], near);
    return plait_cli_fail("there is no %s '%s'; 'plait help' lists what there is", what, argv[0]);
}

int plait_cli_help(int argc, char **argv)
{
    bool asks = argc > 1 && (strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "--help") == 0);
    if (argc < 2 || asks || strcmp(argv[1], "help") == 0) {
        plait_cli_print_overview(stdout);
        return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
    }
    if (strcmp(argv[1], "scene") == 0)
        return plait_cli_help_scene();
    // Commands explain themselves: `plait help bench solvers` is `plait bench
    // solvers --help`.
    enum { WORDS = 8 };
    char *words[WORDS + 2];
    int count = 0;
    for (int i = 1; i < argc && count < WORDS; i++)
        words[count++] = argv[i];
    words[count++] = (char[]){"--help"};
    words[count] = NULL;
    return plait_cli_dispatch(plait_cli_commands, "command", count, words);
}
