// bench_cluster.c: `plait bench cluster`: how long an iteration, and a step, takes on many ranks, by a model.
//
// An iteration of apgd on P ranks (docs/parallel.md): each rank works on its part; keepers send r to the ranks that have
// the bodies, and get limb velocities back; then parts of three sums go round. With n contacts, e limbs of each contact
// on another rank than its keeper, latency l, bandwidth B:
//
//     work      w n / (P c)                                 w: seconds of one contact on one core, c cores each
//     exchange  2 (m l + 24 e n / (P B))                    m: ranks that one exchanges with, at most P - 1
//     sums      l log2 P + 8 (3 ceil(k / P) + 1) P / B      k: chunks of n contacts, 256 at most
//
// and what rank 0 does alone in a step: s n, and dealing out d n bytes.
#include <math.h>
#include <stdlib.h>

#include "bench.h"
#include "run.h"

enum { MAX_VALUES = 16, FEW = 60, MANY = 160, MEASURED = 20000, CHUNKS = 256, CHUNK = 2048 };

typedef struct job {
    int sizes, ranks;
    double size[MAX_VALUES], rank[MAX_VALUES];
    double latency, bandwidth; // [s], [bytes/s]
    int cores;
    double work;                  // [s] of a contact and iteration; 0: measured here
    double alone;                 // [s] of a contact and step, on rank 0
    double deal;                  // [bytes] of a contact
    double cut, cut_ranks;        // limbs of a contact elsewhere, and on how many ranks that was seen
    double iterations;            // of a step
    const char *run;
    bool json;
} job;

typedef struct line {
    double contacts, ranks, elsewhere, work, exchange, sums, iteration, bytes, messages, step, speedup;
} line;

// Slabs cut the same area each, whatever their number; where contacts are anywhere, (P - 1)/P of both limbs.
static double elsewhere(const job *j, double ranks)
{
    double seen = j->cut_ranks > 1 ? j->cut * (ranks - 1) / (j->cut_ranks - 1) : 2;
    return fmin(seen, 2 * (ranks - 1) / ranks);
}

static line predict(const job *j, double contacts, double ranks)
{
    line l = {.contacts = contacts, .ranks = ranks, .elsewhere = elsewhere(j, ranks)};
    double chunks = fmin(CHUNKS, ceil(contacts / CHUNK)), sum_numbers = 3 * ceil(chunks / ranks) + 1, others = ranks - 1;
    l.work = j->work * contacts / (ranks * j->cores);
    l.messages = others > 0 ? 2 * others + 1 : 0;
    l.bytes = others > 0 ? 2 * 24 * l.elsewhere * contacts / ranks + 8 * sum_numbers : 0;
    l.exchange = others > 0 ? 2 * (others * j->latency + 24 * l.elsewhere * contacts / (ranks * j->bandwidth)) : 0;
    l.sums = others > 0 ? ceil(log2(ranks)) * j->latency + 8 * sum_numbers * ranks / j->bandwidth : 0;
    l.iteration = l.work + l.exchange + l.sums;
    double alone = (j->alone + (others > 0 ? j->deal / j->bandwidth : 0)) * contacts;
    double one = j->alone * contacts + j->iterations * j->work * contacts / j->cores;
    l.step = alone + j->iterations * l.iteration;
    l.speedup = one / l.step;
    return l;
}

// [s] of a contact and an iteration, one thread.
static bool measure_work(job *j, uint64_t seed)
{
    plait_bench_problem problem;
    if (!plait_bench_fibres(MEASURED, 1, false, 0.3, seed, &problem))
        return false;
    plait_bench_config config = {.name = "apgd", .options = plait_default_solve_options(), .repeats = 1};
    config.options.solver = PLAIT_SOLVER_APGD, config.options.threads = 1, config.options.tol = 1e-15;
    config.options.max_iterations = FEW;
    plait_bench_result few = plait_bench_run(&problem, &config);
    config.options.max_iterations = MANY;
    plait_bench_result many = plait_bench_run(&problem, &config);
    int more = many.report.iterations - few.report.iterations;
    j->work = more > 0 ? (many.seconds - few.seconds) / more / many.info.contacts : 0;
    return j->work > 0;
}

// What a run by plait-mpi has seen: how many contacts are cut.
static bool read_run(job *j)
{
    static const char *const titles[] = {"contacts", "cut"};
    plait_error error = {0};
    int rows = 0;
    char *path = plait_run_path(j->run, "ranks.csv");
    double *value = plait_run_read_columns(path, 2, titles, &rows, &error), kept = 0, cut = 0;
    free(path);
    if (!value)
        return plait_cli_message("%s", error.text), false;
    for (int i = 0; i < rows; i++)
        kept += value[i], cut += value[rows + i];
    free(value);
    if (kept == 0)
        return plait_cli_message("%s/ranks.csv: no group was spread over ranks in this run", j->run), false;
    j->cut = cut / kept, j->cut_ranks = rows; // one limb of a cut contact, as a rule: the other is with the keeper
    return true;
}

static void print_lines(const job *j, const line *lines, int count)
{
    static const char *const titles[] = {"contacts", "ranks",     "limbs elsewhere", "work [ms]", "exchange [ms]",
                                         "sums [ms]", "iteration [ms]", "MB sent", "messages", "step [s]",
                                         "quicker",  NULL};
    printf("%g us latency, %g GB/s, %d cores a rank; %.3g ns of work per contact and iteration, %g iterations a step; rank 0 alone: "
           "%g us per contact and step.\nMB and messages are those of a rank in an iteration; quicker: than one rank.\n\n",
           1e6 * j->latency, 1e-9 * j->bandwidth, j->cores, 1e9 * j->work, j->iterations, 1e6 * j->alone);
    plait_table *table = plait_table_new(titles);
    for (const line *l = lines; l < lines + count; l++) {
        plait_table_cell(table, "%s", plait_cli_count((int64_t)l->contacts));
        plait_table_cell(table, "%s", plait_cli_count((int64_t)l->ranks));
        const double numbers[] = {l->elsewhere, 1e3 * l->work, 1e3 * l->exchange, 1e3 * l->sums, 1e3 * l->iteration,
                                  1e-6 * l->bytes};
        for (int k = 0; k < 6; k++)
            plait_table_cell(table, "%s", plait_cli_number(numbers[k]));
        plait_table_cell(table, "%s", plait_cli_count((int64_t)l->messages));
        plait_table_cell(table, "%s", plait_cli_number(l->step));
        plait_table_cell(table, "%.3g", l->speedup);
    }
    plait_table_end(table);
}

static void print_json(const job *j, const line *lines, int count)
{
    plait_json json;
    plait_json_start(&json);
    plait_json_string(&json, "benchmark", "cluster");
    plait_json_real(&json, "work", j->work);
    plait_json_begin(&json, "rows", '[');
    for (const line *l = lines; l < lines + count; l++) {
        plait_json_begin_flat(&json, NULL, '{');
        plait_json_real(&json, "contacts", l->contacts);
        plait_json_real(&json, "ranks", l->ranks);
        plait_json_real(&json, "elsewhere", l->elsewhere);
        plait_json_real(&json, "work", l->work);
        plait_json_real(&json, "exchange", l->exchange);
        plait_json_real(&json, "sums", l->sums);
        plait_json_real(&json, "iteration", l->iteration);
        plait_json_real(&json, "bytes", l->bytes);
        plait_json_real(&json, "messages", l->messages);
        plait_json_real(&json, "step", l->step);
        plait_json_real(&json, "speedup", l->speedup);
        plait_json_end(&json, '}');
    }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

static int run(job *j, uint64_t seed)
{
    line lines[MAX_VALUES * MAX_VALUES];
    int count = 0;
    if ((j->run && !read_run(j)) || (j->work == 0 && !measure_work(j, seed)))
        return plait_cli_interrupted() ? plait_cli_interrupt_exit() : PLAIT_EXIT_BAD;
    for (int i = 0; i < j->sizes; i++)
        for (int k = 0; k < j->ranks; k++)
            lines[count++] = predict(j, j->size[i], floor(j->rank[k]));
    (j->json ? print_json : print_lines)(j, lines, count);
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_bench_cluster(int argc, char **argv)
{
    job j = {.deal = 2000, .cores = 1, .iterations = 100, .alone = 0};
    const char *sizes = "1e6,1e7,1e8", *ranks = "1,4,16,64,128,1024";
    double latency = 2, bandwidth = 10, work = 0, alone = 60;
    uint64_t seed = 1;
    const plait_option options[] = {
        {"--sizes", 0, PLAIT_OPTION_TEXT, &sizes, 0, 0, "A,B,C", "contacts (default 1e6,1e7,1e8)"},
        {"--ranks", 0, PLAIT_OPTION_TEXT, &ranks, 0, 0, "A,B,C", "processes (default 1,4,16,64,128,1024)"},
        {"--latency", 0, PLAIT_OPTION_REAL, &latency, 0, 1e6, "US", "of a message, in microseconds (default 2)"},
        {"--bandwidth", 0, PLAIT_OPTION_REAL, &bandwidth, 1e-6, 1e6, "GB", "of a rank, in GB/s (default 10)"},
        {"--cores", 0, PLAIT_OPTION_INT, &j.cores, 1, 1024, "N", "of a rank (default 1)"},
        {"--iterations", 0, PLAIT_OPTION_REAL, &j.iterations, 1, 1e9, "N", "of apgd in a step (default 100)"},
        {"--work", 0, PLAIT_OPTION_REAL, &work, 0, 1e9, "NS",
         "nanoseconds of a contact and iteration on one core (default 0: measured here)"},
        {"--alone", 0, PLAIT_OPTION_REAL, &alone, 0, 1e9, "US",
         "microseconds of a contact and step that rank 0 works alone (default 60)"},
        {"--run", 0, PLAIT_OPTION_TEXT, &j.run, 0, 0, "DIR", "a run by plait-mpi: how many contacts are cut there"},
        {"--seed", 0, PLAIT_OPTION_SEED, &seed, 0, 0, "N", "another problem to measure with (default 1)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &j.json, 0, 0, NULL, "JSON instead of tables"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench cluster",
        .usage = "[options]",
        .summary = "Predicts the time of iterations and steps on many processes, by the model of docs/parallel.md.",
        .details = "Nothing is sent: a model with the latency and the bandwidth that are given. Without --run contacts are "
                   "cut as if bodies were dealt out at random.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench cluster --work 150 --sizes 1e7 --ranks 1,128\twith a known speed\n"
                    "bench cluster --run runs/hairball\twith the cuts of a run",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    j.latency = 1e-6 * latency, j.bandwidth = 1e9 * bandwidth, j.work = 1e-9 * work, j.alone = 1e-6 * alone;
    j.sizes = plait_cli_read_reals("--sizes", sizes, 1, 1e12, j.size, MAX_VALUES);
    j.ranks = j.sizes < 0 ? -1 : plait_cli_read_reals("--ranks", ranks, 1, 1e6, j.rank, MAX_VALUES);
    return j.ranks < 0 ? PLAIT_EXIT_BAD : run(&j, seed);
}
