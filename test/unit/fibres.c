// Generated fibre problems: the same everywhere, shaped as they say, and like the fibre problems that solvers are
// measured on.
#include "io_samples.h"

static plait_problem *generate(const plait_fibre_options *o)
{
    plait_error error = {0};
    plait_problem *p = plait_problem_generate_fibres(o, &error);
    if (!CHECK(p != NULL))
        puts(error.text);
    return p;
}

static uint64_t hash_bytes(uint64_t hash, const void *data, size_t size)
{
    const unsigned char *bytes = data;
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ bytes[i]) * 0x100000001b3u; // FNV-1a
    return hash;
}

// Everything that the generator makes (b is computed from it by others).
static uint64_t hash_problem(const plait_problem *p)
{
    const plait_dynamics *y = p->dynamics;
    uint64_t hash = 0xcbf29ce484222325u;
    hash = hash_bytes(hash, y->M.col, (size_t)y->M.ptr[y->dofs] * sizeof *y->M.col);
    hash = hash_bytes(hash, y->M.val, (size_t)y->M.ptr[y->dofs] * sizeof *y->M.val);
    hash = hash_bytes(hash, y->H.col, (size_t)y->H.ptr[3 * p->n] * sizeof *y->H.col);
    hash = hash_bytes(hash, y->H.val, (size_t)y->H.ptr[3 * p->n] * sizeof *y->H.val);
    hash = hash_bytes(hash, y->f, (size_t)y->dofs * sizeof *y->f);
    return hash_bytes(hash, p->mu, (size_t)p->n * sizeof *p->mu);
}

CASE(a_seed_gives_the_same_problem_everywhere)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = 7;
    plait_problem *p = generate(&o), *q = generate(&o);
    CHECK(hash_problem(p) == hash_problem(q));
    // Recorded once: a change is a change of every benchmark made from generated problems.
    if (!CHECK(hash_problem(p) == UINT64_C(0x7e41cd52cbe8958e)))
        printf("the hash is 0x%016llx\n", (unsigned long long)hash_problem(p));
    o.seed = 2;
    plait_problem *other = generate(&o);
    CHECK(hash_problem(p) != hash_problem(other));
    // Rods have random numbers of their own: the first ones stay when there are more.
    o.seed = 1, o.rods = 9;
    plait_problem *more = generate(&o);
    check_same_reals("M", p->dynamics->M.ptr[7 * 90], p->dynamics->M.val, more->dynamics->M.val);
    plait_problem_free(p), plait_problem_free(q), plait_problem_free(other), plait_problem_free(more);
}

CASE(sizes)
{
    plait_fibre_options o = plait_default_fibre_options();
    for (int k = 0; k < 4; k++) {
        o.rods = 3 + 4 * k, o.vertices = 4 + 9 * k, o.nu = 0.3 + 0.6 * k;
        plait_problem *p = generate(&o);
        plait_problem_info info;
        CHECK_INT(plait_problem_inspect(p, &info, NULL), PLAIT_OK);
        CHECK_INT(info.bodies, o.rods);
        CHECK_INT(info.dofs, 3 * o.rods * o.vertices);
        CHECK_INT(info.contacts, (long long)floor(o.nu * o.rods * o.vertices + 0.5));
        CHECK(info.mu_min == o.mu && info.mu_max == o.mu);
        plait_problem_free(p);
    }
}

CASE(the_mass_matrix)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = 4;
    plait_problem *p = generate(&o);
    const plait_sparse *M = &p->dynamics->M;
    CHECK_INT(M->ptr[M->rows], 4 * 960);
    // ks = dt^2 E / (rho l^2) = 421875 and kb = ks r^2 / (4 l^2) = 2.63671875 for edges of 8 mm. The blocks two apart
    // are kb; the trace of the blocks next to each other is -ks - 3 * 4 kb inside the rod.
    double ks = 421875, kb = 2.63671875, kinetic = 0, energy = 0;
    for (int i = 0; i < M->rows; i++) {
        int vertex = i / 3 % 30;
        double diagonal = 0, beside = 0;
        for (int64_t k = M->ptr[i]; k < M->ptr[i + 1]; k++) {
            int j = M->col[k];
            CHECK(abs(i - j) <= 6 && i / 90 == j / 90);
            if (j == i + 6)
                CHECK_REL(M->val[k], kb, 1e-12);
            diagonal = j == i ? M->val[k] : diagonal;
            beside = j == i + 3 ? M->val[k] : beside;
            // exactly symmetric
            for (int64_t l = M->ptr[j]; l < M->ptr[j + 1]; l++)
                if (M->col[l] == i)
                    CHECK(M->val[l] == M->val[k]);
        }
        CHECK(diagonal > 1 + kb && diagonal < 1e4 + 2 * ks + 20 * kb);
        if (vertex < 2)
            CHECK(diagonal > 1e4);
        if (vertex < 29)
            CHECK(beside < 0 && beside > -ks - 5 * kb);
    }
    // Rigid motion costs only inertia and the clamp: x^T M x = 2e4 + 30 per rod and direction.
    for (int i = 0; i < M->rows; i++)
        for (int64_t k = M->ptr[i]; k < M->ptr[i + 1]; k++)
            energy += i % 3 == M->col[k] % 3 ? M->val[k] : 0;
    kinetic = 4 * 3 * (2e4 + 30);
    CHECK_REL(energy, kinetic, 1e-9);
    plait_problem_free(p);
}

// Every contact: two vertices of each of two rods, an orthonormal frame, weights that add up to one.
static void check_contacts(const plait_problem *p, int lowest)
{
    const plait_sparse *H = &p->dynamics->H;
    for (int i = 0; i < p->n; i++) {
        double point[2][3][3] = {{{0}}};
        int rod[2] = {H->col[H->ptr[3 * i]] / 90, H->col[H->ptr[3 * i] + 11] / 90};
        CHECK(rod[0] != rod[1]);
        for (int row = 0; row < 3; row++) {
            CHECK_INT(H->ptr[3 * i + row + 1] - H->ptr[3 * i + row], 12);
            for (int64_t k = H->ptr[3 * i + row]; k < H->ptr[3 * i + row + 1]; k++) {
                CHECK(H->col[k] / 3 % 30 >= lowest);
                point[H->col[k] / 90 == rod[0] ? 0 : 1][row][H->col[k] % 3] += H->val[k];
            }
        }
        for (int a = 0; a < 3; a++) {
            for (int b = 0; b < 3; b++) {
                double product = 0;
                for (int c = 0; c < 3; c++)
                    product += point[0][a][c] * point[0][b][c];
                CHECK_NEAR(product, a == b, 1e-12);
                CHECK_NEAR(point[0][a][b] + point[1][a][b], 0, 1e-12); // a common motion of both rods is not felt
            }
        }
    }
}

static double share_approaching(const plait_problem *p)
{
    int count = 0;
    for (int i = 0; i < p->n; i++)
        count += p->b[3 * i] < 0;
    return (double)count / p->n;
}

CASE(contacts)
{
    plait_fibre_options o = plait_default_fibre_options();
    plait_problem_info info;
    o.rods = 40;
    plait_problem *p = generate(&o);
    check_contacts(p, 2);
    CHECK_NEAR(share_approaching(p), 0.8, 0.04);
    CHECK_INT(plait_problem_inspect(p, &info, NULL), PLAIT_OK);
    CHECK(info.trace_min > 0.3 && info.trace_max < 3.5);
    plait_problem_free(p);

    o.heavy = true;
    p = generate(&o);
    check_contacts(p, 0);
    CHECK_INT(plait_problem_inspect(p, &info, NULL), PLAIT_OK);
    CHECK(info.trace_min < 1e-3 && info.trace_max > 1);
    plait_problem_free(p);
}

// Two points of a contact at the same arclength: the same edge, and the same weights with the opposite sign.
CASE(along)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = 12, o.along = true;
    plait_problem *p = generate(&o);
    const plait_sparse *H = &p->dynamics->H;
    check_contacts(p, 2);
    for (int row = 0; row < 3 * p->n; row++)
        for (int k = 0; k < 6; k++) {
            int64_t at = H->ptr[row] + k;
            CHECK_INT(H->col[at] % 90, H->col[at + 6] % 90);
            CHECK(H->val[at] == -H->val[at + 6]);
        }
    plait_problem_free(p);
}

static double mean_square(const double *x, int count)
{
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += x[i] * x[i] / count;
    return sum;
}

// Of a loaded bundle about half of the contacts carry an impulse and are still, to a 300th of the free motion.
CASE(rest)
{
    plait_fibre_options o = plait_default_fibre_options();
    plait_solve_options options = plait_default_solve_options();
    plait_report report;
    o.rods = 12, o.rest = true;
    plait_problem *p = generate(&o);
    check_contacts(p, 2);
    plait_solution *s = plait_solution_new(p->n);
    CHECK_INT(plait_problem_solve(p, &options, s, &report, NULL), PLAIT_OK);
    CHECK(report.converged);
    int still = 0;
    double limit = 1e-5 * mean_square(p->b, 3 * p->n);
    for (int i = 0; i < p->n; i++)
        still += s->r[3 * i] > 0 && mean_square(s->u + 3 * i, 3) < limit;
    if (!CHECK(still > 0.4 * p->n)) // 4 % without a load
        printf("%d of %d are still\n", still, p->n);
    plait_solution_free(s), plait_problem_free(p);
}

// The largest distance on the grid of two rods that touch; the grid's ends are joined.
static double largest_reach(const plait_problem *p, int side)
{
    double largest = 0;
    const plait_sparse *H = &p->dynamics->H;
    for (int i = 0; i < p->n; i++) {
        int a = H->col[H->ptr[3 * i]] / 90, b = H->col[H->ptr[3 * i] + 11] / 90;
        int rows = abs(a / side - b / side), columns = abs(a % side - b % side);
        rows = rows < side - rows ? rows : side - rows;
        columns = columns < side - columns ? columns : side - columns;
        largest = fmax(largest, fmax(rows, columns));
    }
    return largest;
}

CASE(neighbours)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = 900, o.nu = 0.1, o.local = 1;
    plait_problem *p = generate(&o);
    CHECK(largest_reach(p, 30) <= 7); // six deviations, and one for the row that a step over the edge changes
    plait_problem_free(p);
    o.local = 0;
    p = generate(&o);
    CHECK(largest_reach(p, 30) == 15);
    plait_problem_free(p);
    // A reach that rounds to nothing still gives a partner; so does one far beyond the grid.
    o.rods = 2, o.local = 1e-6;
    p = generate(&o);
    plait_problem_free(p);
    o.rods = 5, o.local = 1e6;
    p = generate(&o);
    check_contacts(p, 2);
    plait_problem_free(p);
}

static void refuse(plait_fibre_options o, const char *word)
{
    plait_error error = {0};
    plait_problem *p = plait_problem_generate_fibres(&o, &error);
    if (!CHECK(!p && error.status == PLAIT_BAD_INPUT && strstr(error.text, word)))
        printf("wanted '%s', got: %s\n", word, error.text);
    CHECK(plait_problem_generate_fibres(&o, NULL) == NULL);
    plait_problem_free(p);
}

CASE(bad_options)
{
    plait_fibre_options o = plait_default_fibre_options(), x;
    x = o, x.rods = 1, refuse(x, "rods");
    x = o, x.rods = -5, refuse(x, "rods");
    x = o, x.vertices = 3, refuse(x, "vertices");
    x = o, x.nu = 0, refuse(x, "nu");
    x = o, x.nu = NAN, refuse(x, "nu");
    x = o, x.mu = -0.1, refuse(x, "mu");
    x = o, x.mu = INFINITY, refuse(x, "mu");
    x = o, x.dt = 0, refuse(x, "dt");
    x = o, x.dt = NAN, refuse(x, "dt");
    x = o, x.local = -1, refuse(x, "local");
    x = o, x.rods = 100000000, x.vertices = 10000, refuse(x, "dofs");
}

// ---- beside the shared fibre problems ----------------------------------------------------------------------------

static int compare_reals(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

typedef struct figures {
    double trace[5]; // quantiles 1, 10, 50, 90, 99 %
    double speed[2]; // root mean square of b, normal and tangential
    double approaching, blocks;
} figures;

static figures measure(const plait_problem *p)
{
    static const double share[5] = {0.01, 0.1, 0.5, 0.9, 0.99};
    figures x = {.approaching = share_approaching(p)};
    double *trace = malloc((size_t)p->n * sizeof *trace);
    memcpy(trace, p->trace, (size_t)p->n * sizeof *trace);
    qsort(trace, (size_t)p->n, sizeof *trace, compare_reals);
    for (int k = 0; k < 5; k++)
        x.trace[k] = trace[(int)(share[k] * (p->n - 1))];
    for (int i = 0; i < 3 * p->n; i++)
        x.speed[i % 3 > 0] += p->b[i] * p->b[i] / p->n / (i % 3 ? 2 : 1);
    x.speed[0] = sqrt(x.speed[0]), x.speed[1] = sqrt(x.speed[1]);
    plait_problem_info info;
    CHECK_INT(plait_problem_inspect(p, &info, NULL), PLAIT_OK);
    x.blocks = (double)info.blocks;
    free(trace);
    return x;
}

CASE(like_the_shared_problems)
{
    for (int heavy = 0; heavy < 2; heavy++) {
        const char *path = check_shared(heavy ? "problems/fibre/fiber_5k_nu1.0_dt3_heavy.hdf5"
                                              : "problems/fibre/fiber_5k_nu1.0_dt3.hdf5");
        if (!path)
            SKIP("there are no shared problems");
        plait_fibre_options o = plait_default_fibre_options();
        o.rods = 167, o.nu = 5000 / (167.0 * 30), o.heavy = heavy;
        plait_problem *theirs = plait_problem_read(path, NULL, NULL), *ours = generate(&o);
        if (!CHECK(theirs && ours))
            return;
        figures a = measure(theirs), b = measure(ours);
        for (int k = heavy ? 2 : 0; k < 5; k++)
            CHECK_REL(a.trace[k], b.trace[k], 0.1);
        if (heavy)
            CHECK(a.trace[0] < 1e-3 && b.trace[0] < 1e-3);
        CHECK_REL(a.speed[0], b.speed[0], 0.15);
        CHECK_REL(a.speed[1], b.speed[1], 0.15);
        CHECK_NEAR(a.approaching, b.approaching, 0.05);
        CHECK_REL(a.blocks, b.blocks, 0.05);
        plait_problem_free(theirs), plait_problem_free(ours);
    }
}
