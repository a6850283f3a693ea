#include "base/ranks.h"

static _Thread_local plait_ranks *current;

plait_ranks *plait_ranks_enter(plait_ranks *ranks)
{
    plait_ranks *before = current;
    current = ranks;
    return before;
}

plait_ranks *plait_ranks_current(void)
{
    return current;
}
