// bench_local.c: `plait bench local`: the one-contact solvers on random problems that have a solution.
//
// A problem is made from its solution: W with a chosen spread of eigenvalues, a state (take-off, stick, slide: a third
// each), its u and r, and b = u - W r. Sizes of W and of r span many orders of magnitude, since units are free.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { FAMILIES = 3 };
static const struct {
    const char *name, *title;
    double spread_min, spread_max; // log10 of largest over smallest eigenvalue
    bool singular;
} families[FAMILIES] = {
    {"ordinary", "ordinary", 0, 2, false},
    {"stiff", "stiff (1e2..1e6)", 2, 6, false},
    {"singular", "singular", 0, 2, true},
};

typedef struct sample {
    double W[9], b[3], mu;
} sample;

typedef struct measure {
    double nanoseconds, solved, claimed, worst; // [ns] per call, [%], [%], largest residual of the solved
} measure;

typedef struct record {
    measure family[FAMILIES];
} record;

typedef struct job {
    plait_local local;
    int count;
    double tol;
    uint64_t seed;
} job;

// ---- random problems ---------------------------------------------------------------------------------------------

static double uniform(uint64_t *state) // splitmix64
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static double between(uint64_t *state, double a, double b)
{
    return a + (b - a) * uniform(state);
}

// Rotation matrix of a random unit quaternion.
static void random_rotation(uint64_t *state, double Q[9])
{
    double q[4], norm = 0;
    do {
        for (int i = 0; i < 4; i++)
            q[i] = between(state, -1, 1);
        norm = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    } while (norm > 1 || norm < 0.1);
    double w = q[0] / norm, x = q[1] / norm, y = q[2] / norm, z = q[3] / norm;
    double R[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
                   2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
                   2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
    memcpy(Q, R, sizeof R);
}

static sample random_sample(uint64_t *state, int family)
{
    sample s = {.mu = between(state, 0.05, 1)};
    double Q[9], spread = between(state, families[family].spread_min, families[family].spread_max);
    double size = pow(10, between(state, -5, 5)), force = pow(10, between(state, -5, 5));
    double lambda[3] = {size, size * pow(10, -spread * uniform(state)),
                        families[family].singular ? 0 : size * pow(10, -spread)};
    random_rotation(state, Q);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k <= i; k++) {
            double x = 0;
            for (int l = 0; l < 3; l++)
                x += Q[3 * i + l] * lambda[l] * Q[3 * k + l];
            s.W[3 * i + k] = s.W[3 * k + i] = x;
        }
    double angle = between(state, 0, 6.283185307179586), speed = size * force, u[3] = {0}, r[3] = {0};
    double state_of = uniform(state);
    if (state_of < 1.0 / 3) {
        u[0] = speed * uniform(state), u[1] = speed * cos(angle), u[2] = speed * sin(angle);
    } else {
        bool slides = state_of > 2.0 / 3;
        double part = slides ? 1 : uniform(state);
        r[0] = force, r[1] = force * s.mu * part * cos(angle), r[2] = force * s.mu * part * sin(angle);
        double slip = slides ? speed * uniform(state) / (force * s.mu) : 0;
        u[1] = -slip * r[1], u[2] = -slip * r[2];
    }
    for (int i = 0; i < 3; i++)
        s.b[i] = u[i] - (s.W[3 * i] * r[0] + s.W[3 * i + 1] * r[1] + s.W[3 * i + 2] * r[2]);
    return s;
}

// ---- measuring ---------------------------------------------------------------------------------------------------

static measure measure_family(const job *j, int family)
{
    uint64_t state = j->seed;
    sample *samples = plait_cli_alloc((size_t)j->count, sizeof *samples);
    double(*r)[3] = plait_cli_alloc((size_t)j->count, sizeof *r);
    for (int i = 0; i < j->count; i++)
        samples[i] = random_sample(&state, family);
    measure m = {0};
    double start = plait_cli_cpu(), seconds = 0;
    int passes = 0, claimed = 0, solved = 0;
    do { // from zero each time, until the clock can tell
        memset(r, 0, (size_t)j->count * sizeof *r);
        claimed = 0;
        for (int i = 0; i < j->count; i++) {
            const sample *s = &samples[i];
            claimed += plait_contact_solve(j->local, s->W, s->b, s->mu, j->tol, r[i]) == PLAIT_LOCAL_SOLVED;
        }
        passes++;
        seconds = plait_cli_cpu() - start;
    } while (seconds < 0.05 && passes < 1000);
    for (int i = 0; i < j->count; i++) {
        double residual = plait_contact_residual(samples[i].W, samples[i].b, samples[i].mu, r[i]);
        solved += residual <= j->tol;
        m.worst = residual <= j->tol ? fmax(m.worst, residual) : m.worst;
    }
    m.nanoseconds = 1e9 * seconds / ((double)passes * j->count);
    m.solved = 100.0 * solved / j->count;
    m.claimed = 100.0 * claimed / j->count;
    free(samples);
    free(r);
    return m;
}

static void work(const plait_child *child, void *argument)
{
    record x;
    memset(&x, 0, sizeof x);
    for (int f = 0; f < FAMILIES; f++)
        x.family[f] = measure_family(argument, f);
    plait_child_post(child, &x);
}

// ---- report ------------------------------------------------------------------------------------------------------

static void print_table(const record *records, const plait_child_end *ends)
{
    const char *titles[2 + 2 * FAMILIES] = {"<local solver"};
    char text[2 * FAMILIES][48];
    for (int f = 0; f < FAMILIES; f++) {
        snprintf(text[2 * f], sizeof text[0], "%s: [ns]", families[f].title);
        snprintf(text[2 * f + 1], sizeof text[0], "solved [%%]");
        titles[1 + 2 * f] = text[2 * f], titles[2 + 2 * f] = text[2 * f + 1];
    }
    plait_table *table = plait_table_new(titles);
    for (int i = 0; i < PLAIT_LOCAL_COUNT; i++) {
        plait_table_cell(table, "%s", plait_local_name((plait_local)i));
        for (int f = 0; f < FAMILIES; f++) {
            const measure *m = &records[i].family[f];
            bool done = ends[i] == PLAIT_CHILD_DONE;
            plait_table_cell(table, "%s", done ? plait_cli_number(m->nanoseconds) : "crashed");
            plait_table_cell(table, "%s", done ? plait_cli_number(m->solved) : "-");
        }
    }
    plait_table_end(table);
}

static void print_json(const job *j, const record *records, const plait_child_end *ends)
{
    plait_json json;
    plait_json_start(&json);
    plait_json_string(&json, "benchmark", "local");
    plait_json_string(&json, "version", plait_version());
    plait_json_real(&json, "tol", j->tol);
    plait_json_int(&json, "count", j->count);
    plait_json_begin(&json, "solvers", '[');
    for (int i = 0; i < PLAIT_LOCAL_COUNT; i++) {
        for (int f = 0; f < FAMILIES; f++) {
            const measure *m = &records[i].family[f];
            bool done = ends[i] == PLAIT_CHILD_DONE;
            plait_json_begin_flat(&json, NULL, '{');
            plait_json_string(&json, "solver", plait_local_name((plait_local)i));
            plait_json_string(&json, "family", families[f].name);
            plait_json_real(&json, "ns_per_call", done ? m->nanoseconds : NAN);
            plait_json_real(&json, "percent_solved", done ? m->solved : NAN);
            plait_json_real(&json, "percent_claimed", done ? m->claimed : NAN);
            plait_json_real(&json, "largest_residual_of_solved", done ? m->worst : NAN);
            plait_json_end(&json, '}');
        }
    }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

int plait_bench_local(int argc, char **argv)
{
    job j = {.count = 10000, .tol = 1e-8, .seed = 1};
    bool json = false;
    const plait_option options[] = {
        {"--count", 'n', PLAIT_OPTION_INT, &j.count, 1, 1e7, "N", "problems of each kind (default 10000)"},
        {"--tol", 't', PLAIT_OPTION_REAL, &j.tol, 1e-16, 1, "T", "residual to reach (default 1e-8)"},
        {"--seed", 0, PLAIT_OPTION_SEED, &j.seed, 0, 0, "N", "another set of problems (default 1)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &json, 0, 0, NULL, "JSON instead of a table"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench local",
        .usage = "[options]",
        .summary = "One contact: nanoseconds per call and part solved, for each local solver.",
        .details = "Random problems that have a solution, in three kinds: eigenvalues of W within 1e2, within 1e2 to "
                   "1e6, and one of them zero. Solved means that the residual of exact Coulomb friction says so; "
                   "pyramid and duriez06 solve another law. The start is r = 0.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench local --count 2000\tall local solvers on 2,000 problems of each kind\n"
                    "bench local --tol 1e-12 --json\tmore exactly, for a script",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    record records[PLAIT_LOCAL_COUNT];
    plait_child_end ends[PLAIT_LOCAL_COUNT];
    memset(records, 0, sizeof records);
    for (int i = 0; i < PLAIT_LOCAL_COUNT; i++) {
        int number;
        j.local = (plait_local)i;
        ends[i] = plait_child_run(work, &j, &records[i], sizeof records[i], 30 + 1e-3 * j.count, 1, &number);
        if (plait_cli_interrupted())
            return plait_cli_interrupt_exit();
    }
    if (json) {
        print_json(&j, records, ends);
    } else {
        printf("%d random problems of each kind, residual to reach %g, one thread\n\n", j.count, j.tol);
        print_table(records, ends);
    }
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}
