// help.c: which commands there are, and what they say of themselves.
#include <string.h>

#include "cli.h"
#include "export.h"
#include "render.h"
#include "rods.h"
#include "run.h"
#include "scenes.h"
#include "sweep.h"
#include "view.h"

const plait_cli_entry plait_cli_commands[] = {
    {"check", plait_cli_check, "look at a scene before it is run: sizes, overlaps, what is strange"},
    {"run", plait_cli_run, "simulate a scene and write its trajectory"},
    {"sweep", plait_cli_sweep, "run a scene many times with other values; one table of the results"},
    {"stats", plait_cli_stats, "say how simulations went"},
    {"export", plait_cli_export, "write a trajectory as files that other programs open"},
    {"new", plait_cli_new, "write a scene with comments, for a groom and a mesh"},
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
    {"manual", plait_cli_manual, "write manual pages"},
    {"completion", plait_cli_completion, "write what a shell needs to complete commands and options"},
    {"schema", plait_cli_schema, "write the JSON schema of scene files, for editors"},
    {"help", plait_cli_help, "explain a command"},
    {NULL, NULL, NULL},
};

// What follows `plait` alone: a first try for each kind of user.
const plait_command plait_cli_overview = {
    .name = "",
    .usage = "COMMAND [words and options]",
    .summary = "Assemblies of thin elastic fibres with exact Coulomb friction.",
    .details = "'plait help COMMAND' explains a command, 'plait help scene' the keys of scene files; 'plait --version' "
               "names the version.",
    .max_words = -1,
    .examples = "To solve contact problems\n"
                "generate fibres --rods 100 --nu 1 -o problem.hdf5\ta bundle of hairs: M, H, f, w, mu\n"
                "solve problem.hdf5\tits contact impulses, to a residual that is checked\n"
                "bench solvers problem.hdf5\tevery solver on it\n"
                "To study rods in contact\n"
                "run knot -o runs/knot\ta knot is pulled tight: trajectory, statistics, checkpoints\n"
                "view runs/knot\tin the browser, with contacts and forces\n"
                "validate A1 A9\trods against closed forms\n"
                "To simulate hair\n"
                "view --live wavy-hair\ta head of hair that the mouse pulls at\n"
                "run pony-small -o runs/pony\ta ponytail in seconds; 'plait list' has more\n"
                "render runs/pony --video pony.webp\tits film\n"
                "import groom.hair --head -o groom.yaml\ta groom of your own (docs/tutorial-groom.md)",
    .entries = plait_cli_commands,
};

void plait_cli_print_overview(FILE *file)
{
    plait_cli_print_help(&plait_cli_overview, file);
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
