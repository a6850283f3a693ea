// newton_krylov.c: iterated solutions of Newton's systems against the matrix itself, and against factorised ones.
#include "contact/newton_krylov.h"

#include <stdlib.h>
#include <string.h>

#include "contact/newton_system.h"
#include "global_cases.h"

enum { CONTACTS = 240 }; // 24 rods of 10 vertices at nu = 1

typedef struct sample {
    plait_problem *p;
    plait_system *sys;
    plait_solve_options options;
    double A_r[9 * CONTACTS], A_u[9 * CONTACTS], q[3 * CONTACTS];
    double dr[3 * CONTACTS], du[3 * CONTACTS];
} sample;

// Blocks as a Newton step has them: A_r near I, A_u of the size of 1 / W_ii, neither symmetric.
static sample *new_sample(int threads)
{
    sample *x = calloc(1, sizeof *x);
    plait_error error = {0};
    x->p = global_fibres(24, 1, 0.3, 0, 3);
    CHECK(x->p && x->p->n == CONTACTS);
    x->options = plait_default_solve_options(), x->options.threads = threads;
    x->sys = plait_system_new(x->p, &x->options, &error);
    CHECK(x->sys);
    plait_rng rng = plait_rng_new(5, 0);
    for (int i = 0; i < CONTACTS; i++)
        for (int a = 0; a < 9; a++) {
            x->A_r[9 * i + a] = (a % 4 == 0) + 0.1 * plait_rng_normal(&rng);
            x->A_u[9 * i + a] = ((a % 4 == 0) + 0.2 * plait_rng_normal(&rng)) / x->sys->s[i];
        }
    for (int i = 0; i < 3 * CONTACTS; i++)
        x->q[i] = plait_rng_normal(&rng) / x->sys->s[i / 3];
    return x;
}

static void free_sample(sample *x)
{
    plait_system_free(x->sys), plait_problem_free(x->p), free(x);
}

// The largest |A_r dr + A_u W dr - q| of a contact, relative to the largest |q|, both in units of s.
static double error_of(sample *x, const double *A_r)
{
    double W_dr[3 * CONTACTS], worst = 0, scale = 0;
    plait_system_multiply(x->sys, x->dr, W_dr);
    for (int i = 0; i < CONTACTS; i++)
        for (int a = 0; a < 3; a++) {
            double left = -x->q[3 * i + a];
            for (int c = 0; c < 3; c++)
                left += (A_r ? A_r[9 * i + 3 * a + c] : a == c) * x->dr[3 * i + c] +
                        x->A_u[9 * i + 3 * a + c] * W_dr[3 * i + c];
            worst = fmax(worst, fabs(left) * x->sys->s[i]), scale = fmax(scale, fabs(x->q[3 * i + a]) * x->sys->s[i]);
            CHECK_NEAR(x->du[3 * i + a], W_dr[3 * i + a], 1e-9 * (1 + fabs(W_dr[3 * i + a])));
        }
    return worst / scale;
}

CASE(solves_the_system)
{
    sample *x = new_sample(1);
    plait_krylov *k = plait_krylov_new(x->sys);
    CHECK(plait_krylov_set(k, x->A_r, x->A_u) && plait_krylov_solve(k, x->q, x->dr, x->du));
    CHECK(error_of(x, x->A_r) < 1e-4);
    CHECK(plait_krylov_set(k, NULL, x->A_u) && plait_krylov_solve(k, x->q, x->dr, x->du));
    CHECK(error_of(x, NULL) < 1e-4);
    CHECK(x->sys->work > 5); // every product counts
    // nothing to be solved: nothing moves
    double zero[3 * CONTACTS] = {0};
    CHECK(plait_krylov_solve(k, zero, x->dr, x->du));
    for (int i = 0; i < 3 * CONTACTS; i++)
        CHECK(x->dr[i] == 0 && x->du[i] == 0);
    plait_krylov_free(k), free_sample(x);
}

CASE(agrees_with_a_factor)
{
    sample *x = new_sample(1);
    plait_krylov *k = plait_krylov_new(x->sys);
    plait_newton_system *direct = plait_newton_system_new(x->sys, true);
    double dr[3 * CONTACTS], du[3 * CONTACTS], worst = 0, scale = 0;
    CHECK(plait_newton_system_factorise(direct, NULL, x->A_u) && plait_newton_system_solve(direct, x->q, dr, du));
    CHECK(plait_krylov_set(k, NULL, x->A_u) && plait_krylov_solve(k, x->q, x->dr, x->du));
    for (int i = 0; i < 3 * CONTACTS; i++) {
        worst = fmax(worst, fabs(dr[i] - x->dr[i]) * x->sys->s[i / 3]);
        scale = fmax(scale, fabs(dr[i]) * x->sys->s[i / 3]);
    }
    CHECK(worst < 1e-3 * scale);
    plait_newton_system_free(direct), plait_krylov_free(k), free_sample(x);
}

CASE(same_bits_for_any_thread_count)
{
    sample *one = new_sample(1), *three = new_sample(3);
    plait_krylov *a = plait_krylov_new(one->sys), *b = plait_krylov_new(three->sys);
    CHECK(plait_krylov_set(a, one->A_r, one->A_u) && plait_krylov_solve(a, one->q, one->dr, one->du));
    CHECK(plait_krylov_set(b, three->A_r, three->A_u) && plait_krylov_solve(b, three->q, three->dr, three->du));
    CHECK(memcmp(one->dr, three->dr, sizeof one->dr) == 0 && memcmp(one->du, three->du, sizeof one->du) == 0);
    plait_krylov_free(a), plait_krylov_free(b), free_sample(one), free_sample(three);
}

static bool at_once(void *data)
{
    return ++*(int *)data > 0;
}

CASE(can_be_stopped)
{
    sample *x = new_sample(1);
    plait_krylov *k = plait_krylov_new(x->sys);
    plait_stop stop;
    int looks = 0;
    plait_stop_start(&stop, at_once, &looks, 0, true);
    x->sys->stop = &stop;
    CHECK(plait_krylov_set(k, NULL, x->A_u) && !plait_krylov_solve(k, x->q, x->dr, x->du));
    CHECK(looks > 0 && x->sys->work <= 16);
    plait_krylov_free(k), free_sample(x);
}
