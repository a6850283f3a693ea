// peer_siconos.c: plait-peer-siconos: the friction solvers of Siconos (https://github.com/siconos/siconos) on problem
// files in local form, measured by Plait's judge. `plait bench peers` runs it.
//
// What is measured: CPU seconds until residual_rel <= tol. Solvers that call back at every iteration are run once with
// a tolerance of their own that they never meet; the callback judges the iterate, with the clock stopped, at iterations
// spaced by 5%. If that was quick, the same number of iterations is run again without callbacks, several times, and
// the quickest counts. Solvers without callbacks run with a tolerance of their own that shrinks until the judge is
// content; only the last run counts. Siconos may print, exit, crash or hang: each run is a child with a CPU limit.
//
// One line per file and solver on stdout, tabs between: file, solver, solved|unsolved|timeout|crashed|error, CPU
// seconds, iterations, residual_rel.
#define _DEFAULT_SOURCE // MAP_ANONYMOUS
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#include <FrictionContactProblem.h>
#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <NumericsMatrix.h>
#include <SolverOptions.h>
#include <SparseBlockMatrix.h>

#include "plait/plait.h"

// Siconos works through BLAS, whose threads would spoil CPU times. Not every BLAS has this.
extern void openblas_set_num_threads(int threads) __attribute__((weak));

// ---- what can be run ---------------------------------------------------------------------------------------------

typedef struct peer_solver {
    const char *name;
    int id, inner; // inner: one-contact solver, 0 for the default
    bool sparse;   // wants the matrix by entries, not by blocks
    bool calls;    // calls back at every iteration
    bool usual;    // runs unless others are named
    const char *words;
} peer_solver;

static const peer_solver solvers[] = {
    {"nsgs", SICONOS_FRICTION_3D_NSGS, 0, false, true, true, "Gauss-Seidel, local Newton with a fall-back"},
    {"nsgs-nsn", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_NSN, false, true, true,
     "Gauss-Seidel, local Newton"},
    {"nsgs-projection", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration,
     false, true, true, "Gauss-Seidel, local projections"},
    {"nsgs-quartic", SICONOS_FRICTION_3D_NSGS, SICONOS_FRICTION_3D_ONECONTACT_QUARTIC, false, true, false,
     "Gauss-Seidel, local quartic"},
    {"nsn-ac", SICONOS_FRICTION_3D_NSN_AC, 0, false, true, true, "Newton on Alart-Curnier"},
    {"nsn-fb", SICONOS_FRICTION_3D_NSN_FB, 0, false, true, true, "Newton on Fischer-Burmeister"},
    {"nsn-nm", SICONOS_FRICTION_3D_NSN_NM, 0, false, true, false, "Newton on the natural map"},
    {"prox", SICONOS_FRICTION_3D_PROX, 0, false, false, true, "proximal point around Newton"},
    {"prox-nsgs", SICONOS_FRICTION_3D_PROX, SICONOS_FRICTION_3D_NSGS, false, false, false,
     "proximal point around Gauss-Seidel"},
    {"admm", SICONOS_FRICTION_3D_ADMM, 0, true, false, true, "alternating directions"},
    {"vi-eg", SICONOS_FRICTION_3D_VI_EG, 0, false, false, true, "extragradient"},
    {"vi-fpp", SICONOS_FRICTION_3D_VI_FPP, 0, false, false, false, "fixed point and projection"},
};
enum { SOLVERS = (int)(sizeof solvers / sizeof *solvers) };

// Siconos' own tolerance when it must never stop by itself.
static const double never = 1e-15;
enum { MANY_ITERATIONS = 100000000, QUICK_RUNS = 5, TOLERANCE_RUNS = 8 };
static const double quick = 0.1; // [s]

// What a child leaves behind, in shared memory.
typedef struct record {
    bool finished;          // the driver returned, or the judge was content
    double seconds, paused; // CPU [s]; paused: spent judging
    int iterations, next;   // next: when to judge again
    double residual;
} record;

static struct {
    plait_problem *problem;
    plait_solution *solution; // the judge's copy
    double tol, max_time, start;
    record *record;
} run;

// Of this thread: there is only one, and Linux keeps the clock of a process with a CPU limit no finer than its ticks.
static double cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double judge(const double *r)
{
    plait_certificate c;
    memcpy(run.solution->r, r, 3 * (size_t)run.problem->n * sizeof *r);
    if (plait_problem_certify(run.problem, run.solution, &c, NULL) != PLAIT_OK)
        return INFINITY;
    return c.residual_rel;
}

// ---- Siconos' data -----------------------------------------------------------------------------------------------

static void *need(void *p)
{
    if (!p)
        _exit(3);
    return p;
}

// Blocks are column-major there. One piece of memory for all of them is its best case.
static NumericsMatrix *make_blocks(const plait_block_matrix *W)
{
    size_t n = (size_t)W->n, blocks = (size_t)W->ptr[W->n];
    NumericsMatrix *M = NM_create(NM_SPARSE_BLOCK, 3 * W->n, 3 * W->n);
    SparseBlockStructuredMatrix *B = M->matrix1 ? M->matrix1 : (M->matrix1 = SBM_new());
    double *value = need(malloc((9 * blocks + 1) * sizeof *value));
    B->nbblocks = (unsigned)blocks;
    B->blocknumber0 = B->blocknumber1 = (unsigned)n;
    B->blocksize0 = need(malloc((n + 1) * sizeof *B->blocksize0));
    B->blocksize1 = need(malloc((n + 1) * sizeof *B->blocksize1));
    B->filled1 = n + 1, B->filled2 = blocks;
    B->index1_data = need(malloc((n + 1) * sizeof *B->index1_data));
    B->index2_data = need(malloc((blocks + 1) * sizeof *B->index2_data));
    B->block = need(malloc((blocks + 1) * sizeof *B->block));
    for (size_t i = 0; i <= n; i++)
        B->index1_data[i] = (size_t)W->ptr[i];
    for (size_t i = 0; i < n; i++)
        B->blocksize0[i] = B->blocksize1[i] = (unsigned)(3 * (i + 1));
    for (size_t k = 0; k < blocks; k++) {
        B->index2_data[k] = (size_t)W->col[k];
        B->block[k] = value + 9 * k;
        for (int a = 0; a < 9; a++)
            value[9 * k + (size_t)(a / 3 + 3 * (a % 3))] = W->val[9 * k + (size_t)a];
    }
    B->diagonal_blocks = NULL;
    SBM_diagonal_block_indices(B);
    return M;
}

static NumericsMatrix *make_entries(const plait_block_matrix *W)
{
    NumericsMatrix *M = NM_create(NM_SPARSE, 3 * W->n, 3 * W->n);
    NM_triplet_alloc(M, (CS_INT)(9 * W->ptr[W->n]));
    M->matrix2->origin = NSM_TRIPLET;
    for (int i = 0; i < W->n; i++)
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++)
            for (int a = 0; a < 9; a++)
                if (W->val[9 * k + a] != 0)
                    NM_entry(M, 3 * i + a / 3, 3 * W->col[k] + a % 3, W->val[9 * k + a]);
    return M;
}

// ---- runs (in a child) -------------------------------------------------------------------------------------------

static void on_iteration(void *env, int size, double *reaction, double *velocity, double error, void *extra)
{
    (void)env, (void)size, (void)velocity, (void)error, (void)extra;
    record *x = run.record;
    if (++x->iterations < x->next)
        return;
    double now = cpu_seconds();
    x->seconds = now - run.start - x->paused;
    x->residual = judge(reaction);
    x->finished = x->residual <= run.tol;
    if (x->finished || x->seconds > run.max_time)
        _exit(0);
    int spaced = (int)(1.05 * x->iterations);
    x->next = spaced > x->iterations + 1 ? spaced : x->iterations + 1;
    x->paused += cpu_seconds() - now;
}

static SolverOptions *make_options(const peer_solver *solver, double tol, int iterations, Callback *callback)
{
    SolverOptions *o = solver_options_create(solver->id);
    o->dparam[SICONOS_DPARAM_TOL] = tol;
    o->iparam[SICONOS_IPARAM_MAX_ITER] = iterations;
    if (solver->inner)
        solver_options_update_internal(o, 0, solver->inner);
    if (solver->inner == SICONOS_FRICTION_3D_ONECONTACT_ProjectionOnConeWithLocalIteration) {
        o->internalSolvers[0]->dparam[SICONOS_DPARAM_TOL] = 1e-14;
        o->internalSolvers[0]->iparam[SICONOS_IPARAM_MAX_ITER] = 50;
    }
    o->callback = callback;
    return o;
}

// Runs the driver once; leaves time, iterations and residual in the record.
static void drive(const peer_solver *solver, double tol, int iterations, bool calls)
{
    const plait_problem *p = run.problem;
    Callback callback = {NULL, on_iteration};
    NumericsMatrix *M = solver->sparse ? make_entries(p->W) : make_blocks(p->W);
    FrictionContactProblem *problem = frictionContactProblem_new_with_data(3, p->n, M, p->b, p->mu);
    double *r = need(calloc(3 * (size_t)p->n + 1, sizeof *r)), *u = need(calloc(3 * (size_t)p->n + 1, sizeof *u));
    SolverOptions *o = make_options(solver, tol, iterations, calls ? &callback : NULL);
    record *x = run.record;
    x->iterations = 0, x->next = 1, x->paused = 0, x->finished = false;
    run.start = cpu_seconds();
    fc3d_driver(problem, r, u, o);
    x->seconds = cpu_seconds() - run.start - x->paused;
    int counted = o->iparam[SICONOS_IPARAM_ITER_DONE];
    x->iterations = counted > x->iterations ? counted : x->iterations;
    x->residual = judge(r);
    x->finished = true;
    free(r);
    free(u);
}

// Its words are of no interest here, and its matrices are freed with the process.
static void begin_child(double limit)
{
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
    rlim_t seconds = (rlim_t)ceil(limit) + 1;
    setrlimit(RLIMIT_CPU, &(struct rlimit){seconds, seconds});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    alarm((unsigned)fmin(10 * limit + 60, 1e8)); // for one that sleeps
}

typedef enum run_end { END_DONE, END_TIMEOUT, END_CRASHED } run_end;

// repeats > 1: the quickest of so many runs in the same process.
static run_end run_child(const peer_solver *solver, double tol, int iterations, bool calls, int repeats)
{
    memset(run.record, 0, sizeof *run.record);
    run.record->residual = INFINITY;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        begin_child(run.max_time * repeats * (calls ? 2 : 1) + 2); // with judging; 2 s for the matrices
        double best = INFINITY;
        for (int i = 0; i < repeats; i++) {
            drive(solver, tol, iterations, calls);
            best = fmin(best, run.record->seconds);
        }
        run.record->seconds = best;
        _exit(0);
    }
    int status = 0;
    if (pid < 0)
        return END_CRASHED;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        continue;
    int number = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    if (number == SIGXCPU || number == SIGKILL || number == SIGALRM)
        return END_TIMEOUT;
    bool over = run.record->finished || run.record->seconds > run.max_time;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || !over)
        return END_CRASHED;
    return END_DONE;
}

// A short solve is timed again, undisturbed.
static void time_again(const peer_solver *solver, double tol, int iterations)
{
    record first = *run.record;
    run_end end = run_child(solver, tol, iterations, false, QUICK_RUNS);
    bool same = end == END_DONE && run.record->residual <= 1.01 * run.tol;
    double seconds = same ? fmin(first.seconds, run.record->seconds) : first.seconds;
    *run.record = first;
    run.record->seconds = seconds;
}

static run_end measure(const peer_solver *solver)
{
    if (solver->calls) {
        run_end end = run_child(solver, never, MANY_ITERATIONS, true, 1);
        if (end == END_DONE && run.record->residual <= run.tol && run.record->seconds < quick)
            time_again(solver, never, run.record->iterations);
        return end;
    }
    double tol = run.tol;
    run_end end = END_DONE;
    for (int i = 0; i < TOLERANCE_RUNS; i++) {
        end = run_child(solver, tol, MANY_ITERATIONS, false, 1);
        if (end != END_DONE || run.record->residual <= run.tol)
            break;
        double factor = 0.5 * run.tol / run.record->residual;
        tol *= fmin(fmax(factor, 1e-3), 0.3);
    }
    if (end == END_DONE && run.record->residual <= run.tol && run.record->seconds < quick)
        time_again(solver, tol, MANY_ITERATIONS);
    return end;
}

// ---- files -------------------------------------------------------------------------------------------------------

static bool wanted(const char *list, const peer_solver *solver)
{
    if (!list)
        return solver->usual;
    size_t length = strlen(solver->name);
    for (const char *s = list; s; s = strchr(s, ','), s = s ? s + 1 : NULL)
        if (strncmp(s, solver->name, length) == 0 && (s[length] == ',' || !s[length]))
            return true;
    return strcmp(list, "all") == 0;
}

static void measure_file(const char *path, const char *list)
{
    plait_error error = {0};
    run.problem = plait_problem_read(path, NULL, &error);
    if (run.problem && (run.problem->dimension != 3 || !run.problem->W)) {
        plait_error_set(&error, PLAIT_BAD_INPUT, "expected a 3-d problem in local form");
        plait_problem_free(run.problem);
        run.problem = NULL;
    }
    run.solution = run.problem ? plait_solution_new(run.problem->n) : NULL;
    if (!run.solution)
        fprintf(stderr, "plait-peer-siconos: %s: %s\n", path, error.text);
    for (int i = 0; i < SOLVERS; i++) {
        static const char *const words[] = {"", "timeout", "crashed"};
        if (!wanted(list, &solvers[i]))
            continue;
        if (!run.solution) {
            printf("%s\t%s\terror\t0\t0\tinf\n", path, solvers[i].name);
            continue;
        }
        run_end end = measure(&solvers[i]);
        const record *x = run.record;
        bool solved = end == END_DONE && x->residual <= run.tol && x->seconds <= run.max_time;
        const char *word = end != END_DONE             ? words[end]
                           : solved                    ? "solved"
                           : x->seconds > run.max_time ? "timeout"
                                                       : "unsolved";
        printf("%s\t%s\t%s\t%.6g\t%d\t%.6g\n", path, solvers[i].name, word, x->seconds, x->iterations, x->residual);
        fflush(stdout);
    }
    plait_solution_free(run.solution);
    plait_problem_free(run.problem);
}

static int usage(void)
{
    fprintf(stderr, "usage: plait-peer-siconos [--tol T] [--max-time S] [--solvers A,B|all] FILE...\n"
                    "       plait-peer-siconos --list\n");
    return 2;
}

static bool check_list(const char *list)
{
    if (!list || strcmp(list, "all") == 0)
        return true;
    for (const char *s = list; s; s = strchr(s, ','), s = s ? s + 1 : NULL) {
        bool known = false;
        for (int i = 0; i < SOLVERS; i++) {
            size_t length = strlen(solvers[i].name);
            known = known || (strncmp(s, solvers[i].name, length) == 0 && (s[length] == ',' || !s[length]));
        }
        if (!known) {
            fprintf(stderr, "plait-peer-siconos: there is no solver '%.*s'; --list names them\n", (int)strcspn(s, ","),
                    s);
            return false;
        }
    }
    return true;
}

static bool read_number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && !*end && isfinite(*value) && *value > 0;
}

int main(int argc, char **argv)
{
    const char *list = NULL;
    int first = 1;
    run.tol = 1e-6, run.max_time = 10;
    for (; first < argc && strncmp(argv[first], "--", 2) == 0; first += 2) {
        const char *value = first + 1 < argc ? argv[first + 1] : "";
        if (strcmp(argv[first], "--list") == 0) {
            for (int i = 0; i < SOLVERS; i++)
                printf("%-16s %s%s\n", solvers[i].name, solvers[i].words,
                       solvers[i].usual ? "" : " (not run unless named)");
            return 0;
        }
        if (strcmp(argv[first], "--solvers") == 0 && *value)
            list = value;
        else if (!(strcmp(argv[first], "--tol") == 0 && read_number(value, &run.tol)) &&
                 !(strcmp(argv[first], "--max-time") == 0 && read_number(value, &run.max_time)))
            return usage();
    }
    if (first >= argc)
        return usage();
    if (!check_list(list))
        return 2;
    if (openblas_set_num_threads)
        openblas_set_num_threads(1);
    run.record = mmap(NULL, sizeof *run.record, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (run.record == MAP_FAILED) {
        fprintf(stderr, "plait-peer-siconos: no shared memory: %s\n", strerror(errno));
        return 2;
    }
    for (int i = first; i < argc; i++)
        measure_file(argv[i], list);
    return fflush(stdout) == 0 ? 0 : 2;
}
