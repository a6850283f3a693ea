#include "base/parallel.h"

#include "base/clock.h"
#include "base/rng.h"
#include "check.h"

enum { N = 100003 };

static double sum_of(int64_t begin, int64_t end, const void *data)
{
    const double *x = data;
    double sum = 0;
    for (int64_t i = begin; i < end; i++)
        sum += x[i];
    return sum;
}

static void count_up(int64_t begin, int64_t end, void *data)
{
    int *visits = data;
    for (int64_t i = begin; i < end; i++)
        visits[i]++;
}

CASE(every_item_is_visited_once)
{
    const int sizes[] = {0, 1, PLAIT_CHUNK_MIN, PLAIT_CHUNK_MIN + 1, N};
    int *visits = malloc(N * sizeof *visits);
    if (!CHECK(visits))
        return;
    for (int s = 0; s < 5; s++)
        for (int threads = 1; threads <= 3; threads++) {
            memset(visits, 0, N * sizeof *visits);
            plait_parallel_for(sizes[s], (plait_team){.threads = threads}, count_up, visits);
            int wrong = 0;
            for (int i = 0; i < N; i++)
                wrong += visits[i] != (i < sizes[s]);
            CHECK_INT(wrong, 0);
        }
    free(visits);
}

CASE(sums_are_bitwise_equal_for_any_thread_count)
{
    double *x = malloc(N * sizeof *x), exact = 0;
    if (!CHECK(x))
        return;
    plait_rng rng = plait_rng_new(5, 0);
    for (int i = 0; i < N; i++) {
        x[i] = plait_rng_normal(&rng) * exp(10 * plait_rng_uniform(&rng)); // so that the order of a sum shows
        exact += x[i];
    }
    double one = plait_parallel_sum(N, PLAIT_ALONE, sum_of, x), scale = fabs(exact);
    CHECK_NEAR(one, exact, 1e-9 * scale);
    CHECK(one != exact); // else equality below would say nothing
    for (int threads = 2; threads <= 9; threads++)
        CHECK(plait_parallel_sum(N, (plait_team){.threads = threads}, sum_of, x) == one);
    CHECK(plait_parallel_sum(0, (plait_team){.threads = 4}, sum_of, x) == 0);
    free(x);
}

CASE(threads_as_asked)
{
    CHECK_INT(plait_team_of(3).threads, 3);
    CHECK_INT(plait_team_of(0).threads, omp_get_max_threads());
}

CASE(clocks_run)
{
    double wall = plait_clock_wall(), thread = plait_clock_thread(), process = plait_clock_process();
    while (plait_clock_thread() - thread < 1e-3)
        ;
    double spent = plait_clock_thread() - thread;
    CHECK(plait_clock_wall() - wall >= 0.9e-3);
    CHECK(plait_clock_process() - process >= 0.9e-3);
    CHECK(spent < 1);
}
