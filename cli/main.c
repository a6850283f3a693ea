// main.c: `plait`, the command-line program.
#include "cli.h"
#include "environment.h"

int main(int argc, char **argv)
{
    plait_cli_prepare_environment(argv);
    return plait_cli_main(argc, argv);
}
