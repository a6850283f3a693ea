// strands.h: which strands `export`, `render` and `view` show: those that were simulated, or the whole groom.
#ifndef PLAIT_CLI_STRANDS_H
#define PLAIT_CLI_STRANDS_H

#include "cli.h"

// Options of a command.
typedef struct plait_strands_choice {
    const char *strands; // --strands: a number, or "all"; NULL: not given
    bool guides;         // --guides
    const char *set;     // --set, of which there may be many: `override`
    int overrides;
    const char **override;
    bool velocities;
    int threads;
} plait_strands_choice;

#define PLAIT_STRANDS_OPTIONS(choice)                                                                                  \
    {"--strands", 0, PLAIT_OPTION_TEXT, &(choice).strands, 0, 0, "N|all",                                              \
     "carried strands: so many, or all of the file that guides were taken from; default: all, if the scene takes only "     \
     "some of a file"},                                                                                                \
        {"--guides", 0, PLAIT_OPTION_FLAG, &(choice).guides, 0, 0, NULL, "only what was simulated"},                   \
        {"--set", 0, PLAIT_OPTION_TEXT, &(choice).set, 0, 0, "PATH=VALUE",                                             \
         "another value for how strands are carried (fibres.NAME.carry.frizz=1mm); may be given often"}

// *carry: NULL if only what was simulated is wanted. folder: of the run, or its trajectory. False with a message.
bool plait_strands_open(const plait_strands_choice *choice, const plait_trajectory *trajectory, const char *path,
                        plait_carry **carry);

#endif
