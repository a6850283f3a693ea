// long_local.c: ten million problems; a minute or two.
#include "local_trial.h"

CASE(ten_million_problems)
{
    for (uint64_t seed = 100; seed < 110; seed++)
        trial_run(seed, 1000000);
}

CASE(a_million_times_garbage)
{
    trial_garbage(2, 1000000);
}
