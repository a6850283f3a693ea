// The watchdog at length: every problem through every solver, and a thousand without any limit of iterations.
#include "watchdog.h"

static void say(const watchdog *dog)
{
    printf("  %d runs: %d solved, %d not, %d refused; work up to %.3g products\n", dog->problems, dog->solved,
           dog->unsolved, dog->refused, dog->most);
}

CASE(every_problem_through_every_solver)
{
    watchdog dog = {0};
    for (int k = 0; k < 10000; k++)
        for (int solver = 0; solver < PLAIT_SOLVER_COUNT; solver++)
            watchdog_solve(&dog, 200000 + (uint64_t)k, (plait_solver)solver, 500, 1e6);
    say(&dog);
}

CASE(without_a_limit)
{
    watchdog dog = {0};
    for (int k = 0; k < 1000; k++)
        for (int solver = 0; solver < PLAIT_SOLVER_COUNT; solver++)
            watchdog_solve(&dog, 300000 + (uint64_t)k, (plait_solver)solver, 0, 1e7);
    say(&dog);
}
