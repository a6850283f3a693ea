// condense.c: bonds and ties are taken out of a group; what is left is Coulomb's law alone, and well conditioned.
//
// A bond is a spring beside a cone, r = rho + a with a = -K u - c, and a tie a spring or a hinge without one. All of
// them say u_E + Lambda a + delta = 0 on the rows E that they hold: Lambda = 1 / K, delta = c / K for bonds. With
// u = W (rho + a) + b
//     a  = -S^-1 (W_E rho + b_E + delta),         S = W_EE + Lambda
//     u  = W~ rho + b~,                           W~ = W - W_E^T S^-1 W_E,   b~ = b - W_E^T S^-1 (b_E + delta)
// which is a problem for rho alone. Stiff bonds make W~ about as small as 1 / K, where W times K was large: gradients
// crawl on the one and not on the other. F of the judge is a function of rho and u: with the traces of the problem as
// it was given, both problems have the same residual, number for number.
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/operator.h"
#include "contact/system.h"
#include "math/blas.h"

enum { LEAPS = 3 }; // whole steps from zero
enum { NEWTON_TURN = 12, OTHERS_TURN = 100 }; // steps of a turn; the others' last one takes all that is left

typedef struct condensed {
    const plait_system *sys;
    int n, rows, held;      // contacts of the group; rows that are left, rows of E
    int *contact;           // [rows / 3] contacts that are left
    int *row;               // [3 n] those that are left, then E
    double *lambda, *delta; // [3 n] by row
    double *given;          // [3 n] the part of a that does not depend on anything: -c where K = 0
    double *W;              // [3 n]^2 column-major
    double *S, *Z, *y;      // [held]^2 the factor of S; [rows][held] (L^-1 W_E)^T; [held] L^-1 (b_E + delta)
    double *rho, *u;        // [rows]
    void *block;
} condensed;

// Which rows are held, and by what. False: a law is of another kind.
static bool take_laws(condensed *x, double *mu)
{
    plait_law_cone cone;
    plait_law_linear tie;
    int left = 0, rows = 0, *held = x->row + 3 * (size_t)x->n;
    for (int i = 0; i < x->n; i++) {
        bool linear = plait_law_get_linear(&x->sys->laws, i, &tie);
        if (!linear && !plait_law_get_cone(&x->sys->laws, i, &cone))
            return false;
        if (!linear)
            mu[left] = cone.mu, x->contact[left++] = i;
        for (int a = 0, at = 3 * i; a < 3; a++, at++) {
            bool hold = linear ? !tie.free[a] : cone.K[a] > 0;
            x->given[at] = linear || hold ? 0 : -cone.c[a];
            if (!linear)
                x->row[rows++] = at;
            if (!hold)
                continue;
            x->lambda[at] = linear ? tie.L : 1 / cone.K[a], x->delta[at] = linear ? tie.d[a] : cone.c[a] / cone.K[a];
            held[x->held++] = at;
        }
    }
    x->rows = rows;
    memmove(x->row + rows, held, (size_t)x->held * sizeof *held);
    return true;
}

static condensed *new_condensed(plait_system *sys)
{
    condensed *x = plait_calloc(1, sizeof *x);
    size_t n3 = 3 * (size_t)sys->n;
    double *p = plait_malloc((3 * n3 * n3 + 6 * n3 + 1) * sizeof *p);
    int *rows = plait_malloc((n3 + 2 * n3 + 1) * sizeof *rows);
    if (!x || !p || !rows) {
        plait_free(x), plait_free(p), plait_free(rows);
        return NULL;
    }
    x->sys = sys, x->n = sys->n, x->contact = rows, x->row = rows + n3, x->block = p;
    x->W = p, x->S = x->W + n3 * n3, x->Z = x->S + n3 * n3, p = x->Z + n3 * n3;
    x->lambda = p, x->delta = p + n3, x->given = p + 2 * n3, x->y = p + 3 * n3, x->rho = p + 4 * n3, x->u = p + 5 * n3;
    return x;
}

static void free_condensed(condensed *x)
{
    if (x)
        plait_free(x->contact), plait_free(x->block), plait_free(x);
}

// S, Z and y from W. False: S is not positive definite (ties that hold the same thing twice).
static bool eliminate(condensed *x, const double *b)
{
    size_t size = 3 * (size_t)x->n, held = (size_t)x->held, rows = (size_t)x->rows;
    const int *E = x->row + rows;
    for (size_t k = 0; k < held; k++) {
        const double *column = x->W + (size_t)E[k] * size;
        for (size_t i = 0; i < held; i++)
            x->S[k * held + i] = column[E[i]];
        x->S[k * held + k] += x->lambda[E[k]];
        for (size_t i = 0; i < rows; i++)
            x->Z[k * rows + i] = column[x->row[i]];
        x->y[k] = b[E[k]] + x->delta[E[k]];
    }
    if (held == 0)
        return true;
    if (LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', x->held, x->S, x->held) != 0)
        return false;
    if (rows > 0)
        plait_blas_trsm('R', 'T', x->rows, x->held, x->S, x->held, x->Z, x->rows);
    plait_blas_trsm('L', 'N', x->held, 1, x->S, x->held, x->y, x->held);
    return true;
}

// The problem for rho: W~, b~, with the traces that the judge knows. NULL without memory. D: [rows]^2, b: [rows] and
// trace: [rows / 3], scratch.
static plait_problem *left_problem(condensed *x, const double *mu, double *D, double *b, double *trace)
{
    size_t size = 3 * (size_t)x->n, rows = (size_t)x->rows;
    for (size_t k = 0; k < rows; k++)
        for (size_t i = k; i < rows; i++)
            D[k * rows + i] = x->W[(size_t)x->row[k] * size + (size_t)x->row[i]];
    for (size_t k = 0; k < rows; k++) // rows of E are done with, and these are ascending
        b[k] = b[x->row[k]];
    if (x->held > 0 && rows > 0) {
        plait_blas_syrk(x->rows, x->held, x->Z, x->rows, D, x->rows);
        plait_blas_gemm('N', x->rows, 1, x->held, -1, x->Z, x->rows, x->y, x->held, 1, b, x->rows);
    }
    for (size_t i = 0; i < rows / 3; i++)
        trace[i] = x->sys->problem->trace[x->contact[i]];
    return plait_problem_of_dense(x->rows / 3, D, b, mu, trace);
}

// r = rho + a from rho.
static void expand(const condensed *x, double *scratch, double *r)
{
    const int *E = x->row + x->rows;
    memcpy(r, x->given, 3 * (size_t)x->n * sizeof *r);
    for (int k = 0; k < x->rows; k++)
        r[x->row[k]] += x->rho[k];
    if (x->held == 0)
        return;
    memcpy(scratch, x->y, (size_t)x->held * sizeof *scratch);
    if (x->rows > 0)
        plait_blas_gemm('T', x->held, 1, x->rows, 1, x->Z, x->rows, x->rho, x->rows, 1, scratch, x->held);
    plait_blas_trsm('L', 'T', x->held, 1, x->S, x->held, scratch, x->held);
    for (int k = 0; k < x->held; k++)
        r[E[k]] -= scratch[k];
}

// rho from r and u, to begin with.
static void contract(condensed *x, const double *r, const double *u)
{
    for (int k = 0; k < x->rows / 3; k++) {
        plait_law_cone cone;
        int i = x->contact[k];
        plait_law_get_cone(&x->sys->laws, i, &cone);
        for (int a = 0; a < 3; a++)
            x->rho[3 * k + a] = r[3 * i + a] + cone.K[a] * u[3 * i + a] + cone.c[a];
    }
}

// Newton's method, and where that does not get there others bring it nearer. False without memory.
static bool take_turns(plait_system *sys, int max_iterations, condensed *x, plait_outcome *out)
{
    bool ok = true;
    int done = 0;
    for (int turn = 0; ok && turn < 4 && done < max_iterations; turn++) {
        int left = max_iterations - done, most = turn % 2 == 0 ? NEWTON_TURN : turn == 1 ? OTHERS_TURN : left;
        most = left < most ? left : most;
        ok = turn % 2 == 0 ? plait_solve_newton_ac(sys, most, x->rho, x->u, out)
                           : plait_solve_auto(sys, most, x->rho, x->u, out);
        done += out->iterations;
        if (out->residual <= sys->target || plait_system_stopped(sys))
            break;
    }
    out->iterations = done;
    return ok;
}

// Solves for rho. False without memory.
static bool solve_left(condensed *x, const plait_problem *q, int max_iterations, plait_outcome *out)
{
    plait_system *sys = x->rows > 0 ? plait_system_new(q, x->sys->options, NULL) : NULL;
    if (x->rows == 0)
        return true;
    if (!sys)
        return false;
    sys->start = x->sys->start, sys->norm_b = x->sys->norm_b, sys->stop = x->sys->stop, sys->name = x->sys->name;
    sys->target = 0.5 * x->sys->target;
    for (int i = 0; i < q->n; i++) { // the metric of gradient steps is that of W~
        const double *D = sys->diagonal + 9 * (int64_t)i;
        double s = (D[0] + D[4] + D[8]) / 3;
        sys->s[i] = s > 0 ? s : sys->s[i];
    }
    bool ok = take_turns(sys, max_iterations, x, out);
    ok = ok && !sys->no_memory;
    plait_system_free(sys);
    return ok;
}

static bool solve_condensed(condensed *x, plait_system *sys, int max_iterations, double *r, double *u,
                            plait_outcome *out)
{
    size_t size = 3 * (size_t)x->n;
    double *D = plait_malloc((size * size + 2 * size + 1) * sizeof *D);
    double *b = D ? D + size * size : NULL, *mu = D ? b + size : NULL, *trace = D ? mu + x->n : NULL;
    plait_problem *q = NULL;
    bool ok = D && take_laws(x, mu);
    out->gave_up = !ok && D; // a law of its own kind
    if (ok) {
        plait_system_multiply(sys, x->given, b);
        for (size_t i = 0; i < size; i++)
            b[i] += sys->b[i];
        plait_blas_serial_begin();
        plait_operator_fill(sys->op, x->W);
        out->gave_up = !eliminate(x, b);
        q = out->gave_up ? NULL : left_problem(x, mu, D, b, trace);
        plait_blas_serial_end();
        ok = q || out->gave_up;
    }
    if (q) {
        contract(x, r, u);
        ok = solve_left(x, q, max_iterations, out);
        plait_blas_serial_begin();
        if (ok)
            expand(x, D, r);
        plait_blas_serial_end();
    }
    plait_problem_free(q), plait_free(D);
    return ok || out->gave_up;
}

// Whole steps of Newton's method on the problem as it is: bonds and ties are linear, so that they are the same with or
// without them, but for weights. Where they do not find the way r stays as it was. False without memory.
static bool solve_whole(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    size_t bytes = 3 * (size_t)sys->n * sizeof *r;
    double *start = plait_malloc(bytes + 1);
    if (!start || !plait_operator_need_blocks(sys->op, sys->stop)) {
        plait_free(start);
        return false;
    }
    memcpy(start, r, bytes);
    bool near = false; // from zero there is a long way to go
    for (size_t i = 0; i < 3 * (size_t)sys->n; i++)
        near = near || r[i] != 0;
    int most = near ? NEWTON_TURN : LEAPS;
    bool ok = plait_solve_dash(sys, max_iterations < most ? max_iterations : most, r, u, out);
    if (!ok || out->residual > sys->target) {
        memcpy(r, start, bytes);
        plait_system_apply(sys, r, u);
        out->residual = plait_system_residual(sys, r, u);
    }
    plait_free(start);
    return ok;
}

bool plait_solve_condensed(plait_system *sys, int max_iterations, double *r, double *u, plait_outcome *out)
{
    if (!solve_whole(sys, max_iterations, r, u, out))
        return false;
    int used = out->iterations;
    out->name = "condensed";
    if (out->residual <= sys->target || used >= max_iterations || plait_system_stopped(sys))
        return true;
    condensed *x = sys->laws.index ? new_condensed(sys) : NULL;
    bool ok = sys->laws.index ? x && solve_condensed(x, sys, max_iterations - used, r, u, out)
                              : plait_solve_alone(sys, max_iterations - used, r, u, out);
    free_condensed(x);
    plait_system_apply(sys, r, u);
    out->residual = plait_system_residual(sys, r, u), out->iterations += used, out->name = "condensed";
    return ok;
}
