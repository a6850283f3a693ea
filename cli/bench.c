// bench.c: `plait bench`: which benchmark.
#include <string.h>

#include "bench.h"
#include "rods.h"

const plait_cli_entry plait_cli_benchmarks[] = {
    {"solvers", plait_bench_solvers, "every solver on every problem, and a performance profile"},
    {"table2", plait_bench_table2, "Daviet et al. 2011, Table 2: local solvers inside Gauss-Seidel"},
    {"scaling", plait_bench_scaling, "time against the number of contacts and nu"},
    {"threads", plait_bench_threads, "Gauss-Seidel on 1, 2, 4 threads: speed-up and equal results"},
    {"local", plait_bench_local, "one contact: time per call, part solved"},
    {"rods", plait_bench_rods, "steps per second of one rod, in every model"},
    {"stability", plait_bench_stability, "the largest stable time step of a whipped rod, for each contact response"},
    {"hairball", plait_bench_hairball, "hair balls: schemes and time steps, or growth with the number of rods"},
    {"peers", plait_bench_peers, "beside Siconos, where plait-peer-siconos is built"},
    {NULL, NULL, NULL},
};

static void print_help(FILE *file)
{
    fprintf(file, "plait bench BENCHMARK [words and options]\n\n"
                  "Measures the solvers. Each solve runs in a process of its own, so that a crash or a hang is a row\n"
                  "of the table. With one thread, seconds are CPU seconds.\n\nBenchmarks:\n");
    plait_cli_print_entries(plait_cli_benchmarks, file);
    fprintf(file, "\n'plait bench BENCHMARK --help' tells more.\n");
}

int plait_cli_bench(int argc, char **argv)
{
    if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
        print_help(stdout);
        return argc < 2 || !plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_BAD : PLAIT_EXIT_OK;
    }
    plait_cli_catch_interrupt();
    return plait_cli_dispatch(plait_cli_benchmarks, "benchmark", argc - 1, argv + 1);
}
