// bench_roofline.c: `plait bench roofline`: bytes that an iteration moves, against what the machine can.
//
// An iteration of apgd is one product with W and some passes over vectors: it should take as long as its bytes take to
// come from memory. The machine's speed is that of a triad, a = b + s c, on vectors that no cache holds.
#include <math.h>
#include <stdlib.h>

#include "bench.h"

enum { MAX_VALUES = 16, TRIAD = 8 << 20, TRIAD_RUNS = 5, FEW = 60, MANY = 260, REPEATS = 3 };
// Doubles of a contact that apgd's passes over vectors read and write in an iteration, beside the product's: gradient
// 21, length of the step and curvature 8 and 12, momentum 30.
static const double VECTORS = 71;
// What a product reads, in doubles: the band of a rod's factor (six below the diagonal) forwards and backwards, for each
// dof; H twice (two limbs of 18), velocities of the limbs written and read, r, b and u, for each contact.
static const double BAND = 2 * 7, CONTACT = 2 * 36 + 2 * 6 + 9;

typedef struct job {
    int sizes, nus;
    double size[MAX_VALUES], nu[MAX_VALUES];
    bool json;
} job;

typedef struct line {
    plait_bench_result few, many;
    double seconds, product, bytes; // of an iteration; bytes of the product, of all
    double memory;                  // [bytes] per contact
} line;

// [bytes/s] of a = b + s c, one thread, the quickest of some runs.
static double triad(void)
{
    double *a = plait_cli_alloc(3 * (size_t)TRIAD, sizeof *a), *b = a + TRIAD, *c = b + TRIAD, best = INFINITY;
    for (size_t i = 0; i < TRIAD; i++)
        a[i] = 0, b[i] = (double)i, c[i] = 1;
    for (int run = 0; run < TRIAD_RUNS; run++) {
        double start = plait_cli_cpu(), s = 1 + run;
        for (size_t i = 0; i < TRIAD; i++)
            a[i] = b[i] + s * c[i];
        best = fmin(best, plait_cli_cpu() - start);
        b[run] = a[TRIAD - 1 - run]; // so that no run can be left out
    }
    free(a);
    return 3.0 * TRIAD * sizeof *a / best;
}

static bool measure(double contacts, double nu, uint64_t seed, line *l)
{
    plait_bench_problem problem;
    if (!plait_bench_fibres(contacts, nu, false, 0.3, seed, &problem))
        return false;
    plait_bench_config config = {.name = "apgd", .options = plait_default_solve_options(), .repeats = REPEATS};
    config.options.solver = PLAIT_SOLVER_APGD, config.options.threads = 1, config.options.tol = 1e-15;
    config.options.max_iterations = FEW;
    l->few = plait_bench_run(&problem, &config);
    config.options.max_iterations = MANY;
    l->many = plait_bench_run(&problem, &config);
    int more = l->many.report.iterations - l->few.report.iterations;
    l->seconds = more > 0 ? (l->many.seconds - l->few.seconds) / more : NAN;
    l->product = sizeof(double) * (BAND * l->many.info.dofs + CONTACT * l->many.info.contacts);
    l->bytes = l->product + VECTORS * sizeof(double) * l->many.info.contacts;
    l->memory = l->many.memory / l->many.info.contacts;
    return l->many.outcome <= PLAIT_BENCH_UNSOLVED && l->few.outcome <= PLAIT_BENCH_UNSOLVED;
}

static void print_lines(const job *j, const line *lines, double speed)
{
    static const char *const titles[] = {"contacts",     "nu",       "product [B]", "all [B]", "us / iteration",
                                         "speed [GB/s]", "of triad", "memory [kB]", NULL};
    printf("Triad: %.3g GB/s. Bytes and memory are of one contact; iterations of apgd, one thread, CPU time.\n\n",
           1e-9 * speed);
    plait_table *table = plait_table_new(titles);
    for (int i = 0; i < j->nus * j->sizes; i++) {
        const line *l = &lines[i];
        int n = l->many.info.contacts;
        plait_table_cell(table, "%s", plait_cli_count(n));
        plait_table_cell(table, "%.3g", l->many.info.nu);
        plait_table_cell(table, "%.0f", l->product / n);
        plait_table_cell(table, "%.0f", l->bytes / n);
        plait_table_cell(table, "%s", plait_cli_number(1e6 * l->seconds));
        plait_table_cell(table, "%s", plait_cli_number(1e-9 * l->bytes / l->seconds));
        plait_table_cell(table, "%.0f %%", 100 * l->bytes / l->seconds / speed);
        plait_table_cell(table, "%s", plait_cli_number(1e-3 * l->memory));
    }
    plait_table_end(table);
}

static void print_json(const job *j, const line *lines, double speed)
{
    plait_json json;
    plait_json_start(&json);
    plait_json_string(&json, "benchmark", "roofline");
    plait_json_real(&json, "triad_bytes_per_second", speed);
    plait_json_begin(&json, "rows", '[');
    for (int i = 0; i < j->nus * j->sizes; i++) {
        const line *l = &lines[i];
        plait_json_begin_flat(&json, NULL, '{');
        plait_json_int(&json, "contacts", l->many.info.contacts);
        plait_json_real(&json, "nu", l->many.info.nu);
        plait_json_real(&json, "product_bytes", l->product);
        plait_json_real(&json, "iteration_bytes", l->bytes);
        plait_json_real(&json, "seconds_per_iteration", l->seconds);
        plait_json_real(&json, "of_triad", l->bytes / l->seconds / speed);
        plait_json_real(&json, "memory_per_contact", l->memory);
        plait_json_end(&json, '}');
    }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

static int run(const job *j, uint64_t seed)
{
    int count = j->nus * j->sizes;
    line *lines = plait_cli_alloc((size_t)count, sizeof *lines);
    bool ok = true;
    for (int i = 0; i < count && ok && !plait_cli_interrupted(); i++)
        ok = measure(j->size[i % j->sizes], j->nu[i / j->sizes], seed, &lines[i]);
    double speed = ok && !plait_cli_interrupted() ? triad() : NAN;
    if (ok && !plait_cli_interrupted())
        (j->json ? print_json : print_lines)(j, lines, speed);
    else if (!plait_cli_interrupted())
        plait_cli_message("a run ended early");
    free(lines);
    if (plait_cli_interrupted())
        return plait_cli_interrupt_exit();
    return plait_cli_flush(stdout, "standard output") && ok ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_bench_roofline(int argc, char **argv)
{
    job j = {0};
    const char *sizes = "1000,10000,100000", *nus = "0.3,1,2";
    uint64_t seed = 1;
    const plait_option options[] = {
        {"--sizes", 0, PLAIT_OPTION_TEXT, &sizes, 0, 0, "A,B,C", "contacts (default 1000,10000,100000)"},
        {"--nus", 0, PLAIT_OPTION_TEXT, &nus, 0, 0, "A,B,C", "3 contacts / degrees of freedom (default 0.3,1,2)"},
        {"--seed", 0, PLAIT_OPTION_SEED, &seed, 0, 0, "N", "another set of problems (default 1)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &j.json, 0, 0, NULL, "JSON instead of tables"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench roofline",
        .usage = "[options]",
        .summary = "Bytes that an iteration of gradients moves, its time, and the speed of the machine's memory.",
        .details =
            "Problems that caches hold may be quicker than the triad. Memory is the most that the process had, the "
            "making of\nthe problem included.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench roofline --sizes 500 --nus 1\ta small one\n"
                    "bench roofline\tthe table of docs/results.md",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    j.sizes = plait_cli_read_reals("--sizes", sizes, 6, 1e8, j.size, MAX_VALUES);
    j.nus = j.sizes < 0 ? -1 : plait_cli_read_reals("--nus", nus, 1e-3, 100, j.nu, MAX_VALUES);
    return j.nus < 0 ? PLAIT_EXIT_BAD : run(&j, seed);
}
