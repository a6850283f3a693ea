// program.c: the command line: finds the subcommand and runs it.
#include <signal.h>
#include <string.h>

#include "cli.h"

plait_cli_host plait_cli_around;

int plait_cli_main(int argc, char **argv)
{
    plait_guard_exit();
    signal(SIGXFSZ, SIG_IGN); // a file that may not grow is told like a full disk
    if (argc < 2) {
        plait_cli_print_overview(stdout);
        return PLAIT_EXIT_BAD;
    }
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
        printf("plait %s\n", plait_version());
        return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return plait_cli_help(1, argv + 1);
    if (argv[1][0] == '-')
        return plait_cli_fail("expected a command, found the option '%s'; 'plait "
                              "help' lists the commands",
                              argv[1]);
    return plait_cli_dispatch(plait_cli_commands, "command", argc - 1, argv + 1);
}
