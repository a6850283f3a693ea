#include "local_trial.h"

CASE(random_problems)
{
    trial_run(1, 200000);
}

CASE(garbage)
{
    trial_garbage(1, 50000);
}
