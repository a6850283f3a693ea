// Ten thousand small problems at the edge of sense: every solver ends, with bounded work, and does not lie. Work is counted, not seconds.
#include "watchdog.h"

#ifdef PLAIT_SANITIZED
enum { PROBLEMS = 200, FREE = 3 };
#else
enum { PROBLEMS = 10000, FREE = 20 };
#endif

static void say(const watchdog *dog)
{
    printf("  %d runs: %d solved, %d not, %d refused; work up to %.3g products\n", dog->problems, dog->solved,
           dog->unsolved, dog->refused, dog->most);
}

// auto on each, and one of the others by turns.
CASE(a_limit_of_iterations_limits_the_work)
{
    watchdog dog = {0};
    for (int k = 0; k < PROBLEMS; k++) {
        watchdog_solve(&dog, (uint64_t)k, PLAIT_SOLVER_AUTO, 60, 2e5);
        watchdog_solve(&dog, (uint64_t)k, (plait_solver)(1 + k % (PLAIT_SOLVER_COUNT - 1)), 20, 2e5);
    }
    say(&dog);
    CHECK(dog.solved > dog.problems / 4 && dog.unsolved > 0 && dog.refused > 0);
}

// All solvers, with nothing but limits of their own.
CASE(all_end_by_themselves)
{
    watchdog dog = {0};
    for (int k = 0; k < FREE; k++)
        for (int solver = 0; solver < PLAIT_SOLVER_COUNT; solver++)
            watchdog_solve(&dog, 100000 + (uint64_t)k, (plait_solver)solver, 0, 1e7);
    say(&dog);
    CHECK(dog.solved > 0);
}
