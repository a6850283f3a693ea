// cli_children.c: children that crash and hang, and the statistics of the benchmarks.
#include <signal.h>
#include <unistd.h>

#include "bench.h"

#include "check.h"

typedef struct note {
    int number;
    char text[200];
} note;

static void post(const plait_child *child, int number)
{
    note n = {.number = number};
    memset(n.text, 'a' + number % 26, sizeof n.text - 1);
    plait_child_post(child, &n);
}

static void posts_many(const plait_child *child, void *argument)
{
    for (int i = 1; i <= *(int *)argument; i++)
        post(child, i);
}

static void is_killed(const plait_child *child, void *argument)
{
    (void)argument;
    post(child, 5);
    raise(SIGKILL);
}

static void leaves(const plait_child *child, void *argument)
{
    (void)child, (void)argument;
    _exit(3);
}

static void sleeps(const plait_child *child, void *argument)
{
    (void)argument;
    post(child, 9);
    while (true)
        pause();
}

CASE(the_last_post_counts)
{
    note n = {0};
    int number = -1, count = 1000;
    CHECK_INT(plait_child_run(posts_many, &count, &n, sizeof n, 20, 20, &number), PLAIT_CHILD_DONE);
    CHECK_INT(n.number, 1000);
    CHECK_INT(n.text[0], 'a' + 1000 % 26);
    CHECK_INT(number, 0);
}

CASE(a_crash_is_an_outcome)
{
    note n = {0};
    int number = 0;
    CHECK_INT(plait_child_run(is_killed, NULL, &n, sizeof n, 20, 20, &number), PLAIT_CHILD_CRASHED);
    CHECK_INT(number, SIGKILL);
    CHECK_INT(n.number, 5);
    CHECK_INT(plait_child_run(leaves, NULL, &n, sizeof n, 20, 20, &number), PLAIT_CHILD_CRASHED);
    CHECK_INT(number, 0);
}

CASE(a_hang_is_an_outcome)
{
    note n = {0};
    int number = 0;
    double start = plait_cli_wall();
    CHECK_INT(plait_child_run(sleeps, NULL, &n, sizeof n, 20, 0.3, &number), PLAIT_CHILD_HUNG);
    CHECK_INT(n.number, 9);
    double took = plait_cli_wall() - start;
    CHECK(took >= 0.3);
}

static void spins(const plait_child *child, void *argument)
{
    post(child, 7);
    double start = plait_cli_cpu();
    while (plait_cli_cpu() - start < *(double *)argument) {
    }
    post(child, 8);
}

// What counts is what the child does, not what the clock says: processor seconds that are too many are a hang, fewer are none.
CASE(patience_counts_processor_seconds)
{
    note n = {0};
    int number = 0;
    double much = 20, little = 0.1;
    CHECK_INT(plait_child_run(spins, &much, &n, sizeof n, 20, 0.3, &number), PLAIT_CHILD_HUNG);
    CHECK_INT(n.number, 7);
    CHECK_INT(plait_child_run(spins, &little, &n, sizeof n, 20, 5, &number), PLAIT_CHILD_DONE);
    CHECK_INT(n.number, 8);
}

static plait_bench_result result(plait_bench_outcome outcome, double seconds, int iterations, double residual)
{
    plait_bench_result r;
    memset(&r, 0, sizeof r);
    r.outcome = outcome;
    r.seconds = seconds;
    r.report.iterations = iterations;
    r.report.local_calls = 1000;
    r.report.local_alt = 10;
    r.report.local_fail = 1;
    r.report.certificate.residual_rel = residual;
    return r;
}

CASE(columns_of_table_2)
{
    plait_bench_result r[] = {result(PLAIT_BENCH_SOLVED, 0.001, 10, 1e-7), result(PLAIT_BENCH_SOLVED, 0.1, 30, 1e-6),
                              result(PLAIT_BENCH_UNSOLVED, 2, 200, 1e-3), result(PLAIT_BENCH_STOPPED, 7, 9, 1)};
    plait_bench_summary s = plait_bench_summarise(r, 4);
    CHECK_INT(s.problems, 3);
    CHECK_INT(s.solved, 2);
    CHECK_REL(s.alt, 1, 1e-12);
    CHECK_REL(s.fail, 0.1, 1e-12);
    CHECK_REL(s.over, 100.0 / 3, 1e-12);
    CHECK_REL(s.iterations, 80, 1e-12);
    CHECK_REL(s.milliseconds, 2101.0 / 3, 1e-12);
    CHECK_REL(s.geometric, 10, 1e-12);
    CHECK_REL(s.worst, 1e-3, 1e-12);
    s = plait_bench_summarise(r + 3, 1);
    CHECK_INT(s.problems, 0);
    CHECK(isnan(s.over) && isnan(s.geometric) && isnan(s.milliseconds));
}

CASE(performance_profile)
{
    // Two solvers on four problems; nobody solves the last one.
    double seconds[] = {1, 4, INFINITY, INFINITY, 2, 1, 3, INFINITY};
    plait_profile p = plait_profile_new(seconds, 2, 4);
    CHECK_NEAR(plait_profile_at(&p, 0, 1), 0.25, 0);
    CHECK_NEAR(plait_profile_at(&p, 0, 3.9), 0.25, 0);
    CHECK_NEAR(plait_profile_at(&p, 0, 4), 0.5, 0);
    CHECK_NEAR(plait_profile_at(&p, 0, 1e9), 0.5, 0);
    CHECK_NEAR(plait_profile_at(&p, 1, 1), 0.5, 0);
    CHECK_NEAR(plait_profile_at(&p, 1, 2), 0.75, 0);
    static const char *const names[] = {"a <b>", "c & d"};
    CHECK(plait_profile_plot(&p, names, "title", "profile.svg"));
    FILE *file = fopen("profile.svg", "r");
    char text[20000];
    if (CHECK(file)) {
        size_t length = fread(text, 1, sizeof text - 1, file);
        text[length] = 0;
        fclose(file);
        CHECK(strstr(text, "a &lt;b&gt;") && strstr(text, "c &amp; d") && strstr(text, "</svg>"));
        CHECK(!strstr(text, "nan") && !strstr(text, "inf"));
        remove("profile.svg");
    }
    plait_profile_free(&p);
}

CASE(plots_of_nothing_and_of_one_point)
{
    double x[] = {NAN, 5}, y[] = {1, 1e-3};
    plait_series series[] = {{.name = "nothing", .count = 1, .x = x, .y = y, .markers = true},
                             {.name = "one", .count = 2, .x = x, .y = y, .markers = true}};
    for (int count = 1; count <= 2; count++) {
        for (int logs = 0; logs < 4; logs++) {
            plait_plot plot = {.title = "t",
                               .x_label = "x",
                               .y_label = "y",
                               .log_x = logs & 1,
                               .log_y = logs & 2,
                               .count = count,
                               .series = series};
            CHECK(plait_cli_plot("plot.svg", &plot));
            FILE *file = fopen("plot.svg", "r");
            char text[40000] = "";
            if (!CHECK(file))
                continue;
            size_t length = fread(text, 1, sizeof text - 1, file);
            text[length] = 0;
            fclose(file);
            CHECK(!strstr(text, "nan") && !strstr(text, "inf") && strstr(text, "</svg>"));
            remove("plot.svg");
        }
    }
}
