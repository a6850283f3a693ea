// team.h: who does a piece of work.
//
// A team is an argument, handed down from where threads were asked for: a public function's option, or what a
// simulation was told. Nothing below makes one up or asks OpenMP how many there are; a piece of work that is too small
// for many gets plait_team_if. A team may have ranks (ranks.h): other processes, which this one can ask for help.
// Loops and sums over threads are in parallel.h. test/layers.sh looks at all of this.
#ifndef PLAIT_BASE_TEAM_H
#define PLAIT_BASE_TEAM_H

#include <stdbool.h>

#include "base/ranks.h"
#include "plait/threads.h"

// Who does a piece of work. Results never depend on it.
typedef struct plait_team {
    int threads;        // at least 1
    plait_ranks *ranks; // NULL: this process alone
} plait_team;

#define PLAIT_ALONE ((plait_team){.threads = 1})

// At the door, for public functions: as many as the caller asked for, or the default of the process for 0.
static inline plait_team plait_team_of(int asked)
{
    return (plait_team){.threads = asked > 0 ? asked : plait_default_threads(), .ranks = plait_ranks_current()};
}

// The team if the work is worth it, else one thread: waking others costs some microseconds.
static inline plait_team plait_team_if(bool worth, plait_team team)
{
    return worth ? team : PLAIT_ALONE;
}

#endif
