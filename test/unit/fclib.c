// fclib files: what we write, libfclib reads; what libfclib writes, we read; and round trips of our own. libfclib ends
// the process on any error, so it is called in a child. It is loaded when the test runs: without it cases are skipped.
#include <dirent.h>
#include <dlfcn.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include "io_samples.h"

#if defined(__has_include)
#if __has_include(<fclib.h>)
#include <fclib.h>
#define HAVE_FCLIB 1
#endif
#endif

#ifdef HAVE_FCLIB
static void *library;
// A function pointer from dlsym, without a cast that ISO C forbids.
#define LOAD(function, name) (*(void **)&(function) = dlsym(library, name), (function) != NULL)

static bool fclib_loaded(void)
{
    if (!library)
        library = dlopen("libfclib.so", RTLD_NOW);
    if (!library)
        library = dlopen("libfclib.so.0", RTLD_NOW);
    return library != NULL;
}

// Runs body(data) in a child; it returns the number of things that were wrong.
static int in_child(int (*body)(void *data), void *data)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0)
        _exit(body(data) ? 1 : 0);
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status))
        return -1;
    return WEXITSTATUS(status);
}

static int differs(const char *what, int64_t count, const double *found, const double *expected)
{
    for (int64_t i = 0; i < count; i++)
        if (found[i] != expected[i])
            return printf("libfclib: %s[%lld] is %.17g, not %.17g\n", what, (long long)i, found[i], expected[i]), 1;
    return 0;
}

// ---- libfclib reads ----------------------------------------------------------------------------------------------

typedef struct local_check {
    const char *path;
    sample_local *sample;
} local_check;

static int child_reads_local(void *data)
{
    const local_check *c = data;
    const sample_local *s = c->sample;
    struct fclib_local *(*read)(const char *);
    struct fclib_solution *(*read_solution)(const char *);
    if (!LOAD(read, "fclib_read_local") || !LOAD(read_solution, "fclib_read_solution"))
        return 1;
    struct fclib_local *L = read(c->path);
    int m = s->d * s->n, bad = 0;
    if (!L || L->spacedim != s->d || L->W->m != m || L->W->n != m || L->W->nz != -2 || L->V || L->R)
        return printf("libfclib: the local problem has other sizes\n"), 1;
    double found[24 * 24] = {0}, expected[24 * 24] = {0};
    for (int i = 0; i < m; i++) {
        for (int k = L->W->p[i]; k < L->W->p[i + 1]; k++)
            found[i * m + L->W->i[k]] += L->W->x[k];
        for (int64_t k = s->ptr[i]; k < s->ptr[i + 1]; k++)
            expected[i * m + s->col[k]] = s->val[k];
    }
    bad += differs("W", m * m, found, expected) + differs("q", m, L->q, s->q) + differs("mu", s->n, L->mu, s->mu);
    bad += !L->info || strcmp(L->info->title, "a title") || strcmp(L->info->description, "what it is") ||
           strcmp(L->info->math_info, "unique");
    struct fclib_solution *solution = read_solution(c->path);
    for (int i = 0; i < m; i++)
        bad += solution->r[i] != 100 * (i / s->d) + i % s->d || solution->u[i] != -1 - 100 * (i / s->d) - i % s->d;
    return bad;
}

static const plait_problem_text words = {.title = "a title", .description = "what it is", .math_info = "unique"};

static void let_libfclib_read_local(int d)
{
    const char *path = "ours_local.hdf5";
    plait_error error = {0};
    plait_problem *p = sample_local_problem(d, 5);
    plait_solution *s = plait_solution_new(5);
    if (!CHECK(p && s))
        return;
    for (int i = 0; i < 15; i++)
        s->r[i] = 100 * (i / 3) + i % 3, s->u[i] = -1 - s->r[i];
    if (!CHECK_INT(plait_solution_write(path, p, s, &words, &error), PLAIT_OK))
        puts(error.text);
    local_check c = {path, sample_local_new(d, 5)};
    CHECK_INT(in_child(child_reads_local, &c), 0);
    plait_problem_free(p), plait_solution_free(s);
}

typedef struct global_check {
    const char *path;
    const plait_problem *p;
    const plait_solution *s;
} global_check;

static int child_reads_global(void *data)
{
    const global_check *c = data;
    const plait_dynamics *y = c->p->dynamics;
    struct fclib_global *(*read)(const char *);
    struct fclib_solution *(*read_solution)(const char *);
    if (!LOAD(read, "fclib_read_global") || !LOAD(read_solution, "fclib_read_solution"))
        return 1;
    struct fclib_global *G = read(c->path);
    int m = 3 * c->p->n, N = y->dofs, bad = 0;
    if (!G || G->spacedim != 3 || G->M->m != N || G->H->m != N || G->H->n != m || G->G)
        return printf("libfclib: the global problem has other sizes\n"), 1;
    bad += differs("M", y->M.ptr[N], G->M->x, y->M.val) + differs("f", N, G->f, y->f) + differs("w", m, G->w, y->w) +
           differs("mu", c->p->n, G->mu, c->p->mu);
    // Their H is the transpose of ours.
    double *full = calloc((size_t)m * (size_t)N, sizeof *full);
    for (int i = 0; i < m; i++)
        for (int64_t k = y->H.ptr[i]; k < y->H.ptr[i + 1]; k++)
            full[(size_t)i * (size_t)N + (size_t)y->H.col[k]] = y->H.val[k];
    for (int i = 0; i < N; i++)
        for (int k = G->H->p[i]; k < G->H->p[i + 1]; k++)
            full[(size_t)G->H->i[k] * (size_t)N + (size_t)i] -= G->H->x[k];
    for (size_t k = 0; k < (size_t)m * (size_t)N; k++)
        bad += full[k] != 0;
    // M v = f + H r
    struct fclib_solution *x = read_solution(c->path);
    bad += differs("r", m, x->r, c->s->r) + differs("u", m, x->u, c->s->u);
    for (int i = 0; i < N; i++) {
        double rest = -G->f[i], scale = fabs(G->f[i]);
        for (int k = G->M->p[i]; k < G->M->p[i + 1]; k++)
            rest += G->M->x[k] * x->v[G->M->i[k]], scale += fabs(G->M->x[k] * x->v[G->M->i[k]]);
        for (int k = G->H->p[i]; k < G->H->p[i + 1]; k++)
            rest -= G->H->x[k] * x->r[G->H->i[k]];
        bad += !(fabs(rest) <= 1e-10 * (scale + 1));
    }
    return bad;
}

// ---- libfclib writes ---------------------------------------------------------------------------------------------

typedef enum storage { ROWS, ROWS_SHUFFLED, COLUMNS, TRIPLETS, STORAGE_COUNT } storage;

// A full matrix (row by row) in one of fclib's storages. Shuffled rows run backwards, have a duplicate that adds up to
// the entry, and more room than entries.
static struct fclib_matrix *stored_matrix(storage kind, int m, int n, const double *full)
{
    struct fclib_matrix *A = calloc(1, sizeof *A);
    int room = 2 * m * n + 10, count = 0, lines = kind == COLUMNS ? n : m, across = kind == COLUMNS ? m : n;
    A->m = m, A->n = n;
    A->p = calloc((size_t)room, sizeof *A->p), A->i = calloc((size_t)room, sizeof *A->i);
    A->x = calloc((size_t)room, sizeof *A->x);
    for (int a = 0; a < lines; a++) {
        if (kind != TRIPLETS)
            A->p[a] = count;
        for (int b = 0; b < across; b++) {
            int c = kind == ROWS_SHUFFLED ? across - 1 - b : b;
            double x = kind == COLUMNS ? full[c * n + a] : full[a * n + c];
            if (x == 0)
                continue;
            if (kind == ROWS_SHUFFLED)
                A->i[count] = c, A->x[count] = 0.25 * x, x *= 0.75, count++;
            if (kind == TRIPLETS)
                A->p[count] = c, A->i[count] = a; // as CSparse: i is the row
            else
                A->i[count] = c;
            A->x[count++] = x;
        }
    }
    if (kind != TRIPLETS)
        A->p[lines] = count;
    A->nzmax = kind == ROWS_SHUFFLED ? count + 7 : count;
    A->nz = kind == TRIPLETS ? count : kind == COLUMNS ? -1 : -2;
    return A;
}

typedef struct write_job {
    const char *path;
    storage kind;
    const plait_problem *p;
} write_job;

static int child_writes_local(void *data)
{
    const write_job *job = data;
    int (*write)(struct fclib_local *, const char *);
    int (*write_guesses)(int, struct fclib_solution *, const char *);
    if (!LOAD(write, "fclib_write_local") || !LOAD(write_guesses, "fclib_write_guesses"))
        return 1;
    int m = 3 * job->p->n;
    double *full = full_delassus(job->p), *guess = calloc((size_t)m, sizeof *guess);
    char title[] = "theirs", empty[] = "";
    struct fclib_info info = {title, empty, empty};
    struct fclib_local L = {stored_matrix(job->kind, m, m, full), NULL, NULL, job->p->mu, job->p->b, NULL, 3, &info};
    for (int i = 0; i < m; i++)
        guess[i] = 0.5 + i;
    struct fclib_solution guesses[2] = {{NULL, job->p->b, guess, NULL}, {NULL, guess, job->p->b, NULL}};
    return !write(&L, job->path) || !write_guesses(2, guesses, job->path);
}

static int child_writes_global(void *data)
{
    const write_job *job = data;
    const plait_dynamics *y = job->p->dynamics;
    int (*write)(struct fclib_global *, const char *);
    if (!LOAD(write, "fclib_write_global"))
        return 1;
    int m = 3 * job->p->n, N = y->dofs;
    double *M = sample_dense(&y->M, N, false), *H = sample_dense(&y->H, N, true);
    struct fclib_global G = {stored_matrix(job->kind, N, N, M),
                             stored_matrix(job->kind, N, m, H),
                             NULL,
                             job->p->mu,
                             y->f,
                             NULL,
                             y->w,
                             3,
                             NULL};
    return !write(&G, job->path);
}

// Shuffled entries are a quarter and three quarters: exact only if the value has two bits to spare.
static void round_values(plait_problem *p)
{
    for (int64_t k = 0; p->dynamics && k < p->dynamics->M.ptr[p->dynamics->dofs]; k++)
        p->dynamics->M.val[k] = (double)(float)p->dynamics->M.val[k];
    for (int64_t k = 0; p->dynamics && k < p->dynamics->H.ptr[3 * p->n]; k++)
        p->dynamics->H.val[k] = (double)(float)p->dynamics->H.val[k];
    for (int64_t k = 0; p->W && k < 9 * p->W->ptr[p->n]; k++)
        p->W->val[k] = (double)(float)p->W->val[k];
}
#endif

#ifdef HAVE_FCLIB
#define NEED_FCLIB()                                                                                                   \
    if (!fclib_loaded())                                                                                               \
    SKIP("libfclib is not installed")
#else
#define NEED_FCLIB() SKIP("fclib.h is not installed")
#endif

CASE(libfclib_reads_our_local_files)
{
    NEED_FCLIB();
#ifdef HAVE_FCLIB
    let_libfclib_read_local(3);
    let_libfclib_read_local(2);
#endif
}

CASE(libfclib_reads_our_global_files)
{
    NEED_FCLIB();
#ifdef HAVE_FCLIB
    const char *path = "ours_global.hdf5";
    plait_error error = {0};
    plait_problem *p = sample_fibres(5, 0.7);
    plait_solution *s = p ? plait_solution_new(p->n) : NULL;
    if (!CHECK(s != NULL))
        return;
    for (int i = 0; i < 3 * p->n; i++)
        s->r[i] = 0.01 * i, s->u[i] = 1 - 0.02 * i;
    if (!CHECK_INT(plait_solution_write(path, p, s, &words, &error), PLAIT_OK))
        puts(error.text);
    global_check c = {path, p, s};
    CHECK_INT(in_child(child_reads_global, &c), 0);
    plait_problem_free(p), plait_solution_free(s);
#endif
}

CASE(we_read_what_libfclib_writes)
{
    NEED_FCLIB();
#ifdef HAVE_FCLIB
    for (int kind = 0; kind < STORAGE_COUNT; kind++) {
        plait_error error = {0};
        plait_problem_text text;
        plait_problem *local = sample_local_problem(3, 4), *global = sample_fibres(3, 0.9);
        if (!CHECK(local && global))
            return;
        round_values(local), round_values(global);

        write_job job = {"theirs_local.hdf5", (storage)kind, local};
        remove(job.path);
        CHECK_INT(in_child(child_writes_local, &job), 0);
        plait_problem *p = plait_problem_read(job.path, &text, &error);
        if (!CHECK(p != NULL))
            printf("storage %d: %s\n", kind, error.text);
        check_same_problem(p, local);
        CHECK_STR(text.title, "theirs");
        plait_solution *guess = plait_solution_new(local->n);
        CHECK_INT(plait_solution_read(job.path, local, guess, &error), PLAIT_OK);
        for (int i = 0; i < 3 * local->n; i++) {
            CHECK(guess->r[i] == 0.5 + i);
            CHECK(guess->u[i] == local->b[i]);
        }
        plait_solution_free(guess), plait_problem_free(p);

        job = (write_job){"theirs_global.hdf5", (storage)kind, global};
        remove(job.path);
        CHECK_INT(in_child(child_writes_global, &job), 0);
        p = plait_problem_read(job.path, &text, &error);
        if (!CHECK(p != NULL))
            printf("storage %d: %s\n", kind, error.text);
        if (!p)
            return;
        check_same_sparse("M", &p->dynamics->M, &global->dynamics->M);
        check_same_sparse("H", &p->dynamics->H, &global->dynamics->H);
        check_same_reals("f", p->dynamics->dofs, p->dynamics->f, global->dynamics->f);
        check_same_reals("mu", p->n, p->mu, global->mu);
        CHECK_STR(text.title, "");
        plait_problem_free(p), plait_problem_free(local), plait_problem_free(global);
    }
#endif
}

// ---- our own round trips -----------------------------------------------------------------------------------------

static void check_round_trip(plait_problem *p, bool reduced)
{
    plait_error error = {0};
    plait_problem_text in = {.title = "title", .description = "a description", .math_info = "mathematics"}, out;
    if (!CHECK(p != NULL))
        return;
    plait_status status = reduced ? plait_problem_write_local("trip.hdf5", p, &in, &error)
                                  : plait_problem_write("trip.hdf5", p, &in, &error);
    if (!CHECK_INT(status, PLAIT_OK))
        puts(error.text);
    plait_problem *q = plait_problem_read("trip.hdf5", &out, &error);
    if (!CHECK(q != NULL))
        puts(error.text);
    if (q && reduced) {
        CHECK(q->dynamics == NULL);
        double *A = full_delassus(p), *B = full_delassus(q);
        check_same_reals("W", 9 * (int64_t)p->n * p->n, A, B);
        check_same_reals("b", 3 * p->n, p->b, q->b);
        free(A), free(B);
    } else {
        check_same_problem(p, q);
    }
    CHECK_STR(out.title, in.title);
    CHECK_STR(out.description, in.description);
    CHECK_STR(out.math_info, in.math_info);
    plait_problem_free(q);
}

CASE(problems_come_back_as_they_were)
{
    plait_problem *p = sample_local_problem(3, 6);
    check_round_trip(p, false);
    plait_problem_free(p);
    p = sample_local_problem(2, 6);
    check_round_trip(p, false);
    plait_problem_free(p);
    p = sample_fibres(6, 1.2);
    check_round_trip(p, false);
    CHECK_INT(plait_problem_assemble(p, 1, NULL), PLAIT_OK);
    check_round_trip(p, false); // the global form, although W is there
    check_round_trip(p, true);
    plait_problem_free(p);
}

CASE(no_contacts_at_all)
{
    int64_t ptr[1] = {0};
    plait_sparse empty = {0, 0, ptr, NULL, NULL};
    double nothing = 0;
    plait_problem *p = plait_problem_from_delassus(3, 0, &empty, &nothing, &nothing, NULL);
    check_round_trip(p, false);
    plait_problem_free(p);
}

CASE(global_problems_of_two_dimensions)
{
    // One contact between two points on a line; H is 2 x 2.
    plait_error error = {0};
    double m[2] = {2, 4}, h[4] = {1, -1, 0.5, 0.25}, f[2] = {-1, 1}, w[2] = {0.5, -0.5}, mu = 0.4;
    int64_t mp[3] = {0, 1, 2}, hp[3] = {0, 2, 4};
    int mc[2] = {0, 1}, hc[4] = {0, 1, 0, 1};
    plait_sparse M = {2, 2, mp, mc, m}, H = {2, 2, hp, hc, h};
    plait_problem *p = plait_problem_from_dynamics(2, 1, &M, &H, f, w, &mu, &error);
    if (!CHECK(p != NULL)) {
        puts(error.text);
        return;
    }
    CHECK_INT(plait_problem_write("plane.hdf5", p, NULL, &error), PLAIT_OK);
    plait_problem *q = plait_problem_read("plane.hdf5", NULL, &error);
    if (CHECK(q != NULL)) {
        CHECK_INT(q->dimension, 2);
        CHECK_NEAR(q->b[0], 0.5 - 0.5 - 0.25, 1e-15);
        CHECK_NEAR(q->b[1], -0.5 - 0.25 + 0.0625, 1e-15);
        CHECK(q->b[2] == 0);
    }
    plait_problem_free(p), plait_problem_free(q);
}

CASE(solutions_come_back)
{
    plait_error error = {0};
    plait_problem *p = sample_local_problem(2, 3);
    plait_solution *s = plait_solution_new(3), *t = plait_solution_new(3), *small = plait_solution_new(2);
    for (int i = 0; i < 9; i++)
        s->r[i] = i % 3 < 2 ? i : 0, s->u[i] = i % 3 < 2 ? -i : 0, t->r[i] = t->u[i] = 99;
    CHECK_INT(plait_solution_write("solved.hdf5", p, s, NULL, &error), PLAIT_OK);
    CHECK_INT(plait_solution_read("solved.hdf5", p, t, &error), PLAIT_OK);
    check_same_reals("r", 9, s->r, t->r);
    check_same_reals("u", 9, s->u, t->u);

    // Into the wrong room, from a file without one, of another size.
    CHECK_INT(plait_solution_read("solved.hdf5", p, small, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_problem_write("unsolved.hdf5", p, NULL, &error), PLAIT_OK);
    CHECK_INT(plait_solution_read("unsolved.hdf5", p, t, &error), PLAIT_BAD_FILE);
    CHECK(strstr(error.text, "unsolved.hdf5") && strstr(error.text, "/solution/r"));
    plait_problem *other = sample_local_problem(3, 3);
    CHECK_INT(plait_solution_read("solved.hdf5", other, t, &error), PLAIT_BAD_FILE);
    CHECK(strstr(error.text, "expected 9 numbers, found 6") != NULL);
    CHECK_INT(plait_solution_read("nowhere.hdf5", p, t, NULL), PLAIT_BAD_FILE);
    CHECK_INT(plait_solution_write("other.hdf5", p, small, NULL, &error), PLAIT_BAD_INPUT);
    CHECK(!file_exists("other.hdf5"));
    plait_problem_free(p), plait_problem_free(other);
    plait_solution_free(s), plait_solution_free(t), plait_solution_free(small);
}

CASE(a_half_stored_mass_matrix_is_mirrored)
{
    // M = [4 1; 1 3] and its upper half alone must give the same problem; the file is made by hand, since our own
    // writer stores both halves.
    plait_error error = {0};
    double both[4] = {4, 1, 1, 3}, half[3] = {4, 1, 3}, h[6] = {1, 2, 3, 4, 5, 6}, f[2] = {1, 2}, w[3] = {0}, mu = 0.5;
    int64_t bp[3] = {0, 2, 4}, up[3] = {0, 2, 3}, hp[4] = {0, 2, 4, 6};
    int bc[4] = {0, 1, 0, 1}, uc[3] = {0, 1, 1}, hc[6] = {0, 1, 0, 1, 0, 1};
    plait_sparse M = {2, 2, bp, bc, both}, U = {2, 2, up, uc, half}, H = {3, 2, hp, hc, h};
    plait_problem *p = plait_problem_from_dynamics(3, 1, &M, &H, f, w, &mu, &error);
    if (!CHECK(p != NULL))
        return;
    plait_sparse kept = p->dynamics->M;
    p->dynamics->M = U;
    CHECK_INT(plait_problem_write("half.hdf5", p, NULL, &error), PLAIT_OK);
    p->dynamics->M = kept;
    plait_problem *q = plait_problem_read("half.hdf5", NULL, &error);
    if (!CHECK(q != NULL))
        puts(error.text);
    check_same_problem(p, q);
    plait_problem_free(p), plait_problem_free(q);
}

// ---- writing is all or nothing -----------------------------------------------------------------------------------

static int count_files(void)
{
    int count = 0;
    DIR *folder = opendir(".");
    for (struct dirent *e = readdir(folder); e; e = readdir(folder))
        count += strstr(e->d_name, ".tmp") != NULL;
    closedir(folder);
    return count;
}

CASE(nothing_is_half_written)
{
    plait_error error = {0};
    plait_problem *p = sample_local_problem(3, 2);
    plait_solution *s = plait_solution_new(2);
    CHECK_INT(plait_problem_write("whole.hdf5", p, NULL, &error), PLAIT_OK);

    // NaN and infinity are refused, and the old file stays.
    double kept = p->b[1];
    p->b[1] = NAN;
    CHECK_INT(plait_problem_write("whole.hdf5", p, NULL, &error), PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, "whole.hdf5") && strstr(error.text, "in b"));
    CHECK_INT(plait_problem_write("new.hdf5", p, NULL, NULL), PLAIT_BAD_INPUT);
    CHECK(!file_exists("new.hdf5"));
    p->b[1] = kept;
    kept = p->W->val[3], p->W->val[3] = INFINITY;
    CHECK_INT(plait_problem_write_local("whole.hdf5", p, NULL, &error), PLAIT_BAD_INPUT);
    p->W->val[3] = kept;
    s->r[5] = NAN;
    CHECK_INT(plait_solution_write("whole.hdf5", p, s, NULL, &error), PLAIT_BAD_INPUT);
    plait_problem *q = plait_problem_read("whole.hdf5", NULL, &error);
    check_same_problem(p, q);
    plait_problem_free(q);

    // Places that cannot be written.
    CHECK_INT(plait_problem_write("no_such_folder/x.hdf5", p, NULL, &error), PLAIT_BAD_FILE);
    CHECK(strstr(error.text, "no_such_folder/x.hdf5") != NULL);
    CHECK_INT(plait_problem_write(".", p, NULL, &error), PLAIT_BAD_FILE);
    CHECK_INT(count_files(), 0);
    plait_problem_free(p), plait_solution_free(s);

    p = sample_fibres(3, 0.5);
    CHECK_INT(plait_problem_write_local("x.hdf5", p, NULL, &error), PLAIT_BAD_INPUT); // W is not assembled
    CHECK(strstr(error.text, "assembled") != NULL);
    plait_problem_free(p);
}

// ---- problems that other people recorded -------------------------------------------------------------------------

static const char *folder_of_shared(const char *name)
{
    static char path[4096];
    const char *folder = getenv("PLAIT_SHARED");
    snprintf(path, sizeof path, "%s/problems/%s", folder && *folder ? folder : CHECK_SHARED_DEFAULT, name);
    return path;
}

static int read_folder(const char *name)
{
    char folder[4096], path[8192];
    int count = 0;
    snprintf(folder, sizeof folder, "%s", folder_of_shared(name));
    DIR *d = opendir(folder);
    for (struct dirent *e = d ? readdir(d) : NULL; e; e = readdir(d)) {
        if (!strstr(e->d_name, ".hdf5"))
            continue;
        plait_error error = {0};
        plait_problem_text text;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        plait_problem *p = plait_problem_read(path, &text, &error);
        if (!CHECK(p != NULL))
            puts(error.text);
        CHECK(p && p->n > 0 && text.title[0]);
        plait_problem_free(p);
        count++;
    }
    if (d)
        closedir(d);
    return count;
}

CASE(recorded_problems_are_read)
{
    int count = read_folder("real") + read_folder("real-global") + read_folder("fibre");
    if (count == 0)
        SKIP("there are no shared problems");
    CHECK(count > 0);
}

CASE(recorded_global_and_local_forms_agree)
{
    static const char *const names[] = {"GFC3D_OneContact", "GFC3D_TwoRods1", "GFC3D_Example1"};
    char path[512];
    for (int i = 0; i < 3; i++) {
        plait_error error = {0};
        snprintf(path, sizeof path, "problems/real/%s.hdf5", names[i]);
        const char *found = check_shared(path);
        if (!found)
            SKIP("there are no shared problems");
        plait_problem *local = plait_problem_read(found, NULL, &error);
        snprintf(path, sizeof path, "problems/real-global/%s.hdf5", names[i]);
        plait_problem *global = plait_problem_read(check_shared(path), NULL, &error);
        if (!CHECK(local && global) || !CHECK_INT(plait_problem_assemble(global, 1, &error), PLAIT_OK))
            return;
        double *A = full_delassus(local), *B = full_delassus(global);
        for (int k = 0; k < 9 * local->n * local->n; k++)
            CHECK_NEAR(A[k], B[k], 1e-10);
        for (int k = 0; k < 3 * local->n; k++)
            CHECK_NEAR(local->b[k], global->b[k], 1e-10);
        free(A), free(B);
        plait_problem_free(local), plait_problem_free(global);
    }
}
