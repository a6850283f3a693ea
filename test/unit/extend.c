// extend.c: contacts that are added to a problem: the same problem as one that had them from the beginning, to the last
// bit, and neither M nor its factors are touched.
#include "base/pool.h"
#include "base/rng.h"
#include "check.h"
#include "contact/compliance.h"
#include "plait/plait.h"
#include <string.h>

enum { BODIES = 23, CONTACTS = 60, COLUMNS = 4 };

typedef struct sample {
    int dofs, first[BODIES + 1], width[BODIES];
    double *f;                                // [dofs]
    int body[CONTACTS][2];                    // -1: none
    int col[CONTACTS][2][COLUMNS];            // ascending
    double val[CONTACTS][2][3 * COLUMNS];
    double w[3 * CONTACTS], mu[CONTACTS];
} sample;

// Bodies of several sizes and widths; contacts between two, or of one with the world.
static sample *sample_new(uint64_t seed)
{
    sample *s = calloc(1, sizeof *s);
    plait_rng rng = plait_rng_new(seed, 1);
    for (int b = 0; b < BODIES; b++) {
        int size = b % 3 == 0 ? 6 : 9 + b;
        s->first[b + 1] = s->first[b] + size, s->width[b] = b % 3 == 0 ? 5 : 1 + b % 7;
    }
    s->dofs = s->first[BODIES];
    s->f = calloc((size_t)s->dofs, sizeof *s->f);
    for (int i = 0; i < s->dofs; i++)
        s->f[i] = plait_rng_normal(&rng);
    for (int i = 0; i < CONTACTS; i++) {
        int a = (int)(plait_rng_uniform(&rng) * BODIES), b = (int)(plait_rng_uniform(&rng) * BODIES);
        s->body[i][0] = a < b ? a : b, s->body[i][1] = a == b ? -1 : a < b ? b : a;
        for (int k = 0; k < 2 && s->body[i][k] >= 0; k++) {
            int size = s->first[s->body[i][k] + 1] - s->first[s->body[i][k]];
            int from = (int)(plait_rng_uniform(&rng) * (size - COLUMNS));
            for (int c = 0; c < COLUMNS; c++) {
                s->col[i][k][c] = from + c;
                for (int e = 0; e < 3; e++)
                    s->val[i][k][3 * c + e] = plait_rng_normal(&rng);
            }
        }
        for (int k = 0; k < 3; k++)
            s->w[3 * i + k] = plait_rng_normal(&rng);
        s->mu[i] = plait_rng_uniform(&rng);
    }
    return s;
}

static void sample_free(sample *s)
{
    free(s->f), free(s);
}

// M: bands with a heavy diagonal.
static plait_bands bands_of(const sample *s)
{
    plait_bands B = {0};
    plait_rng rng = plait_rng_new(5, 5);
    CHECK(plait_bands_alloc(&B, BODIES));
    memcpy(B.first, s->first, sizeof s->first), memcpy(B.width, s->width, sizeof s->width);
    CHECK(plait_bands_room(&B));
    for (int b = 0; b < BODIES; b++) {
        int size = s->first[b + 1] - s->first[b], width = s->width[b];
        for (int c = 0; c < size; c++)
            for (int d = 0; d <= width; d++)
                B.val[B.ptr[b] + c * (width + 1) + d] =
                    c + d >= size ? 0 : d == 0 ? 2 * width + 3 + plait_rng_uniform(&rng) : plait_rng_uniform(&rng) - 0.5;
    }
    return B;
}

static plait_limbs limbs_of(const sample *s, int from, int to)
{
    plait_limbs l = {0};
    int limbs = 0;
    for (int i = from; i < to; i++)
        limbs += s->body[i][1] >= 0 ? 2 : 1;
    CHECK(plait_limbs_room(&l, to - from, limbs, (int64_t)limbs * COLUMNS));
    for (int i = from, at = 0; i < to; i++) {
        for (int k = 0; k < 2 && s->body[i][k] >= 0; k++, at++) {
            l.body[at] = s->body[i][k], l.first[at + 1] = l.first[at] + COLUMNS;
            memcpy(l.col + l.first[at], s->col[i][k], sizeof s->col[i][k]);
            memcpy(l.val + 3 * l.first[at], s->val[i][k], sizeof s->val[i][k]);
        }
        l.ptr[i - from + 1] = at;
    }
    return l;
}

static double *copy_of(const double *x, int count)
{
    double *y = plait_malloc(((size_t)count + 1) * sizeof *y);
    memcpy(y, x, (size_t)count * sizeof *y);
    return y;
}

static plait_problem *problem_of(const sample *s, int n)
{
    plait_dynamics *y = plait_calloc(1, sizeof *y);
    y->dofs = s->dofs, y->f = copy_of(s->f, s->dofs), y->w = copy_of(s->w, 3 * n);
    plait_bands B = bands_of(s);
    plait_limbs l = limbs_of(s, 0, n);
    plait_error error = {0};
    plait_problem *p = plait_problem_of(3, n, y, &B, &l, s->mu, PLAIT_ALONE, &error);
    if (!CHECK(p != NULL))
        printf("%s\n", error.text);
    return p;
}

static void extend(const sample *s, plait_problem *p, int n)
{
    plait_limbs l = limbs_of(s, p->n, n);
    plait_error error = {0};
    if (!CHECK_INT(plait_problem_extend(p, n, &l, copy_of(s->w, 3 * n), s->mu, &error), PLAIT_OK))
        printf("%s\n", error.text);
}

static void same_problem(const plait_problem *p, const plait_problem *q)
{
    int n = q->n;
    CHECK_INT(p->n, n);
    CHECK(memcmp(p->b, q->b, 3 * (size_t)n * sizeof *p->b) == 0);
    CHECK(memcmp(p->mu, q->mu, (size_t)n * sizeof *p->mu) == 0);
    CHECK(memcmp(p->compliance->diagonal, q->compliance->diagonal, 9 * (size_t)n * sizeof *p->b) == 0);
    double r[3 * CONTACTS], u[3 * CONTACTS], v[3 * CONTACTS];
    for (int i = 0; i < 3 * n; i++)
        r[i] = sin(i + 1.0);
    CHECK_INT(plait_problem_velocities(p, r, u, NULL), PLAIT_OK);
    CHECK_INT(plait_problem_velocities(q, r, v, NULL), PLAIT_OK);
    CHECK(memcmp(u, v, 3 * (size_t)n * sizeof *u) == 0);
}

CASE(as_if_they_had_been_there)
{
    for (uint64_t seed = 1; seed <= 6; seed++) {
        sample *s = sample_new(seed);
        plait_problem *all = problem_of(s, CONTACTS), *p = problem_of(s, 20 + 5 * (int)seed);
        const void *packs = p->compliance->pack;
        const double *M = p->compliance->bands.val;
        double before = M[7];
        int steps[] = {51, 51, 52, CONTACTS}; // also none at all
        for (int k = 0; k < 4; k++) {
            extend(s, p, steps[k]);
            plait_problem *q = problem_of(s, steps[k]);
            same_problem(p, q);
            plait_problem_free(q);
        }
        same_problem(p, all);
        CHECK(p->compliance->pack == packs && p->compliance->bands.val == M && M[7] == before); // M stays where it is
        plait_problem_free(p), plait_problem_free(all), sample_free(s);
    }
}

// What is solved is the extended problem: the judge of the whole one accepts the answer.
CASE(solved_as_the_whole)
{
    sample *s = sample_new(9);
    plait_problem *all = problem_of(s, CONTACTS), *p = problem_of(s, 30);
    extend(s, p, CONTACTS);
    plait_solve_options o = plait_default_solve_options();
    o.tol = 1e-9, o.max_time = 0;
    plait_solution *x = plait_solution_new(CONTACTS), *y = plait_solution_new(CONTACTS);
    plait_report report;
    plait_certificate c;
    CHECK_INT(plait_problem_solve(p, &o, x, &report, NULL), PLAIT_OK);
    CHECK(report.converged);
    CHECK_INT(plait_problem_certify(all, x, &c, NULL), PLAIT_OK);
    CHECK(c.residual_rel <= 1e-9);
    CHECK_INT(plait_problem_solve(all, &o, y, &report, NULL), PLAIT_OK);
    CHECK(memcmp(x->r, y->r, 3 * CONTACTS * sizeof *x->r) == 0);
    plait_solution_free(x), plait_solution_free(y), plait_problem_free(p), plait_problem_free(all), sample_free(s);
}

// b that is not finite is refused, and the problem can be freed.
CASE(nonsense_is_refused)
{
    sample *s = sample_new(3);
    plait_problem *p = problem_of(s, 30);
    s->w[3 * 31] = NAN;
    plait_limbs l = limbs_of(s, 30, 40);
    plait_error error = {0};
    CHECK(plait_problem_extend(p, 40, &l, copy_of(s->w, 120), s->mu, &error) != PLAIT_OK);
    CHECK(error.text[0]);
    plait_problem_free(p), sample_free(s);
}
