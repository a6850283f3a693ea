// bench.c: `plait bench`: which benchmark.
#include <string.h>

#include "bench.h"
#include "rods.h"

const plait_cli_entry plait_cli_benchmarks[] = {
    {"solvers", plait_bench_solvers, "every solver on every problem, and a performance profile"},
    {"table2", plait_bench_table2, "Daviet et al. 2011, Table 2: local solvers inside Gauss-Seidel"},
    {"scaling", plait_bench_scaling, "time against the number of contacts and nu"},
    {"friction", plait_bench_friction, "how many are solved, and how soon, against nu and mu"},
    {"roofline", plait_bench_roofline, "bytes and time of an iteration, against the speed of the memory"},
    {"cluster", plait_bench_cluster, "iterations and steps on many processes, by a model"},
    {"threads", plait_bench_threads, "Gauss-Seidel on 1, 2, 4 threads: speed-up and equal results"},
    {"units", plait_bench_units, "b and W times powers of ten: the same iterations, or a refusal"},
    {"local", plait_bench_local, "one contact: time per call, part solved"},
    {"rods", plait_bench_rods, "steps per second of one rod, in every model"},
    {"stability", plait_bench_stability, "the largest stable time step of a whipped rod, for each contact response"},
    {"hairball", plait_bench_hairball, "hair balls: schemes and time steps, or growth with the number of rods"},
    {"peers", plait_bench_peers, "beside Siconos, where plait-peer-siconos is built"},
    {NULL, NULL, NULL},
};

int plait_cli_bench(int argc, char **argv)
{
    const plait_command command = {
        .name = "bench",
        .usage = "BENCHMARK [words and options]",
        .summary = "Measures the solvers.",
        .details = "Each solve runs in a process of its own, so that a crash or a hang is a row of the table. With one "
                   "thread, seconds are CPU seconds.",
        .max_words = -1,
        .examples = "bench local --count 2000\tone contact: nanoseconds per call\n"
                    "bench solvers problems --max-time 3\tevery solver on every file of a folder\n"
                    "bench scaling --sizes 100,1000 --plot scaling.svg\ttime against the number of contacts",
        .entries = plait_cli_benchmarks,
    };
    if (argc < 2) {
        plait_cli_print_help(&command, stdout);
        return PLAIT_EXIT_BAD;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return plait_cli_show_usage(&command);
    plait_cli_catch_interrupt();
    return plait_cli_dispatch(plait_cli_benchmarks, "benchmark", argc - 1, argv + 1);
}
