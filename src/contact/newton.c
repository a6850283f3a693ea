#include "contact/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/newton_system.h"
#include "math/mat3.h"
#include "math/soc.h"

#define ENOUGH 0.1 // Goldstein-Price: the chord's slope is between these parts of the tangent's
#define NOT_MORE 0.9
#define SMALLEST_STEP 0.01
#define SOFT 1e-8 // F_r + SOFT s I
#define SOFTEST 1.0
#define CHORD 0.1  // of the residual is left by a chord step, or it was rounding
#define CLEAN 1e-7 // of the target: as far as whole steps go on

enum {
    VELOCITY_SIZE = 360, // contact systems larger than this are solved in velocities, if there are dynamics
    MEMORY = 5,          // the merit may grow over the last one, not over the largest of so many
    RESCUE = 100,        // cheap steps after a search that failed, doubled each time
    MOST_CHEAP = 3200,
    RESCUES = 30,
    LOST = 2,     // whole steps without a better residual
    STALLED = 10, // steps without a better residual
    TRIALS = 40   // of a search: the bracket is as narrow then as rounding lets one see
};

struct plait_newton {
    plait_system *sys;
    plait_newton_function function;
    const void *data;
    plait_newton_system *matrix;
    bool velocity;                           // F_r is divided out
    bool factorised;                         // there was a step
    double *F, *q, *dr, *du, *r_try, *u_try; // [3n]
    double *F_r, *F_u, *A_r, *A_u;           // [9n]
    double *block;
    double history[MEMORY]; // merits
    int steps;
};

void plait_newton_free(plait_newton *x)
{
    if (!x)
        return;
    plait_newton_system_free(x->matrix);
    plait_free(x->block), plait_free(x);
}

plait_newton *plait_newton_new(plait_system *sys, plait_newton_function function, const void *data)
{
    plait_newton *x = plait_calloc(1, sizeof *x);
    if (!x)
        return NULL;
    size_t n = (size_t)sys->n;
    x->sys = sys, x->function = function, x->data = data;
    x->velocity = plait_operator_get_facts(sys->op).dofs > 0 && 3 * sys->n > VELOCITY_SIZE &&
                  !plait_operator_dense(sys->op);
    double *p = x->block = plait_malloc((54 * n + 1) * sizeof *p);
    x->matrix = p ? plait_newton_system_new(sys, x->velocity) : NULL;
    if (!x->matrix) {
        plait_newton_free(x);
        return NULL;
    }
    double **vectors[] = {&x->F, &x->q, &x->dr, &x->du, &x->r_try, &x->u_try};
    for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++, p += 3 * n)
        *vectors[k] = p;
    x->F_r = p, x->F_u = p + 9 * n, x->A_r = p + 18 * n, x->A_u = p + 27 * n;
    plait_newton_reset(x);
    return x;
}

void plait_newton_reset(plait_newton *x)
{
    for (int k = 0; k < MEMORY; k++)
        x->history[k] = -INFINITY;
}

// ---- the function ---------------------------------------------------------------------------------------------------

typedef struct merit_data {
    const plait_newton *x;
    const double *r, *u;
    bool jacobian;
} merit_data;

static double merit_part(int64_t begin, int64_t end, const void *data)
{
    const merit_data *d = data;
    const plait_newton *x = d->x;
    double sum = 0;
    for (int64_t i = begin; i < end; i++) {
        double value[3], *F = d->jacobian ? x->F + 3 * i : value;
        x->function(x->sys, x->data, (int)i, d->r + 3 * i, d->u + 3 * i, F, d->jacobian ? x->F_r + 9 * i : NULL,
                    d->jacobian ? x->F_u + 9 * i : NULL);
        sum += F[0] * F[0] + F[1] * F[1] + F[2] * F[2];
    }
    return sum;
}

// 1/2 |F|^2 at r and u; F and its Jacobian are kept if asked for.
static double merit(const plait_newton *x, const double *r, const double *u, bool jacobian)
{
    merit_data d = {x, r, u, jacobian};
    double q = 0.5 * plait_parallel_sum(x->sys->n, x->sys->team, merit_part, &d);
    return isnan(q) ? INFINITY : q;
}

double plait_newton_norm(const plait_newton *x, const double *r, const double *u)
{
    return sqrt(2 * merit(x, r, u, false));
}

// ---- direction ------------------------------------------------------------------------------------------------------

// Blocks of the linear system, with F_r + soft s I. False if a block that must have an inverse has none.
static bool set_blocks(plait_newton *x, double soft)
{
    for (int i = 0; i < x->sys->n; i++) {
        const double *F = x->F + 3 * i, *F_u = x->F_u + 9 * (int64_t)i;
        double *A_r = x->A_r + 9 * (int64_t)i, *A_u = x->A_u + 9 * (int64_t)i, *q = x->q + 3 * i;
        memcpy(A_r, x->F_r + 9 * (int64_t)i, 9 * sizeof *A_r);
        for (int a = 0; a < 3; a++)
            A_r[4 * a] += soft * x->sys->s[i], q[a] = -F[a];
        if (!x->velocity) {
            memcpy(A_u, F_u, 9 * sizeof *A_u);
            continue;
        }
        if (!plait_mat3_solve(A_r, q, 0, q))
            return false;
        for (int c = 0; c < 3; c++) {
            double column[3] = {F_u[c], F_u[3 + c], F_u[6 + c]};
            if (!plait_mat3_solve(A_r, column, 0, column))
                return false;
            A_u[c] = column[0], A_u[3 + c] = column[1], A_u[6 + c] = column[2];
        }
    }
    return true;
}

static bool finite(const double *x, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i] * x[i];
    return isfinite(sum);
}

// dr and du from the Jacobian at hand; a singular matrix is softened until it has an inverse.
static bool direction(plait_newton *x)
{
    int64_t size = 3 * (int64_t)x->sys->n;
    x->factorised = false;
    for (double soft = x->velocity ? SOFT : 0; soft <= SOFTEST; soft = soft > 0 ? 100 * soft : SOFT)
        if (!plait_system_stopped(x->sys) && !x->sys->no_memory && set_blocks(x, soft) &&
            plait_newton_system_factorise(x->matrix, x->velocity ? NULL : x->A_r, x->A_u) &&
            plait_newton_system_solve(x->matrix, x->q, x->dr, x->du) && finite(x->dr, size) && finite(x->du, size))
            return x->factorised = true;
    return false;
}

// d/dalpha of the merit at 0, by the Jacobian.
static double slope(const plait_newton *x)
{
    double sum = 0;
    for (int i = 0; i < x->sys->n; i++) {
        double a[3], c[3];
        plait_mat3_apply(x->F_r + 9 * (int64_t)i, x->dr + 3 * i, a);
        plait_mat3_apply(x->F_u + 9 * (int64_t)i, x->du + 3 * i, c);
        for (int k = 0; k < 3; k++)
            sum += x->F[3 * i + k] * (a[k] + c[k]);
    }
    return sum;
}

// ---- search ---------------------------------------------------------------------------------------------------------

static double try_step(plait_newton *x, double alpha, const double *r, const double *u)
{
    for (int i = 0; i < 3 * x->sys->n; i++)
        x->r_try[i] = r[i] + alpha * x->dr[i], x->u_try[i] = u[i] + alpha * x->du[i];
    return merit(x, x->r_try, x->u_try, false);
}

// Goldstein and Price: a part of the step whose chord is neither much flatter nor steeper than the tangent. The chord
// starts from the largest merit of the last steps, so that one bad step is allowed: at the kinks of F the best way
// leads over a hill. Where rounding or a kink leaves no such part, the longest one found that is not too flat. Returns
// 0 if there is none.
static double search(plait_newton *x, double now, const double *r, const double *u)
{
    double tangent = slope(x), low = 0, high = 1, alpha = 1, start = now;
    x->history[x->steps++ % MEMORY] = now;
    for (int k = 0; k < MEMORY; k++)
        start = fmax(start, x->history[k]);
    for (int k = 0; k < TRIALS && tangent < 0 && alpha >= SMALLEST_STEP && !plait_system_stopped(x->sys); k++) {
        double then = try_step(x, alpha, r, u);
        if (then - start > ENOUGH * alpha * tangent)
            high = alpha;
        else if (then - now < NOT_MORE * alpha * tangent && alpha < 1)
            low = alpha;
        else
            return alpha;
        alpha = 0.5 * (low + high);
    }
    if (low > 0)
        try_step(x, low, r, u);
    return low;
}

double plait_newton_step(plait_newton *x, double *r, double *u)
{
    double now = merit(x, r, u, true), alpha = direction(x) ? search(x, now, r, u) : 0;
    if (alpha > 0) {
        memcpy(r, x->r_try, 3 * (size_t)x->sys->n * sizeof *r);
        plait_system_apply(x->sys, r, u);
    }
    return alpha;
}

// F and its Jacobian where the law puts u*: F(r, u*) + F_u (u - u*) takes the place of F.
static void look_from_r(plait_newton *x, const double *r, const double *u)
{
    double *at = x->u_try;
    memcpy(at, u, 3 * (size_t)x->sys->n * sizeof *at);
    for (int64_t i = 0; i < x->sys->n; i++)
        plait_law_velocity(&x->sys->laws, i, r + 3 * i, at + 3 * i);
    merit(x, r, at, true);
    for (int64_t i = 0; i < x->sys->n; i++) {
        double off[3], more[3];
        for (int k = 0; k < 3; k++)
            off[k] = u[3 * i + k] - at[3 * i + k];
        plait_mat3_apply(x->F_u + 9 * i, off, more);
        for (int k = 0; k < 3; k++)
            x->F[3 * i + k] += more[k];
    }
}

// dr and du with the factor of before.
static bool chord(plait_newton *x)
{
    int64_t size = 3 * (int64_t)x->sys->n;
    for (int64_t i = 0; i < size; i++)
        x->q[i] = -x->F[i];
    return plait_newton_system_solve(x->matrix, x->q, x->dr, x->du) && finite(x->dr, size) && finite(x->du, size);
}

bool plait_newton_leap(plait_newton *x, plait_newton_about about, double *r, double *u)
{
    bool again = about == PLAIT_NEWTON_CHORD && x->factorised && !x->velocity;
    if (about == PLAIT_NEWTON_FROM_R)
        look_from_r(x, r, u);
    else
        merit(x, r, u, true);
    if (!(again ? chord(x) : direction(x)))
        return false;
    for (int i = 0; i < 3 * x->sys->n; i++)
        r[i] += x->dr[i];
    plait_system_apply(x->sys, r, u);
    return true;
}

// ---- the method -----------------------------------------------------------------------------------------------------

typedef struct method {
    plait_system *sys;
    plait_newton *newton;
    double *r, *u, *best;
    plait_outcome *out;
    int cheap; // steps of the next rescue; 0: there is none
} method;

// Keeps the iterate if it is the best so far; returns whether it is.
static bool keep_best(method *m)
{
    double residual = plait_system_residual(m->sys, m->r, m->u);
    if (!(residual < m->out->residual))
        return false;
    m->out->residual = residual;
    memcpy(m->best, m->r, 3 * (size_t)m->sys->n * sizeof *m->r);
    return true;
}

// Newton is stuck: from the best iterate, steps of a method that needs no matrix, twice as many each time.
static bool rescue(method *m)
{
    plait_outcome cheap = {0};
    memcpy(m->r, m->best, 3 * (size_t)m->sys->n * sizeof *m->r);
    if (!plait_solve_cadoux(m->sys, m->cheap, m->r, m->u, &cheap))
        return false;
    m->cheap = m->cheap < MOST_CHEAP ? 2 * m->cheap : MOST_CHEAP;
    keep_best(m);
    plait_newton_reset(m->newton);
    return true;
}

static bool iterate(method *m, int max_iterations)
{
    plait_outcome *out = m->out;
    int stalled = 0, rescues = 0;
    keep_best(m);
    while (out->residual > m->sys->target && out->iterations < max_iterations && !out->gave_up &&
           !plait_system_tick(m->sys, out->iterations, out->residual)) {
        double alpha = plait_newton_step(m->newton, m->r, m->u);
        out->iterations++;
        stalled = keep_best(m) ? 0 : stalled + 1;
        if (alpha > 0 && stalled <= STALLED)
            continue;
        stalled = 0;
        out->gave_up = ++rescues > RESCUES || m->cheap == 0;
        if (!out->gave_up && !rescue(m))
            return false;
    }
    return true;
}

// Steps with a search, for as long as there is one.
static bool alone(method *m, int max_iterations)
{
    m->cheap = 0;
    return iterate(m, max_iterations);
}

// Whole steps only. What lies beyond the target is taken along for as long as every step brings it nearer; with the
// matrix at hand, as contacts have settled by then.
static bool dash(method *m, int max_iterations)
{
    plait_outcome *out = m->out;
    int worse = 0;
    keep_best(m);
    while (out->residual > CLEAN * m->sys->target && out->iterations < max_iterations && worse < LOST &&
           !(worse > 0 && out->residual <= m->sys->target) &&
           !plait_system_tick(m->sys, out->iterations, out->residual)) {
        double before = out->residual;
        plait_newton_about about = out->iterations == 0                  ? PLAIT_NEWTON_FROM_R
                                   : out->residual <= m->sys->target ? PLAIT_NEWTON_CHORD
                                                                     : PLAIT_NEWTON_HERE;
        if (!plait_newton_leap(m->newton, about, m->r, m->u))
            break;
        out->iterations++;
        worse = keep_best(m) ? 0 : worse + 1;
        if (about == PLAIT_NEWTON_CHORD && !(out->residual < CHORD * before))
            break;
    }
    out->gave_up = out->residual > m->sys->target;
    return true;
}

static bool run(plait_system *sys, plait_newton_function function, const char *name,
                bool (*steps)(method *, int), int max_iterations, double *r, double *u, plait_outcome *out)
{
    size_t bytes = 3 * (size_t)sys->n * sizeof *r;
    method m = {.sys = sys, .r = r, .u = u, .out = out, .cheap = RESCUE};
    *out = (plait_outcome){.name = name, .residual = INFINITY};
    m.newton = plait_newton_new(sys, function, NULL);
    m.best = plait_malloc(bytes + 1);
    bool ok = m.newton && m.best;
    if (ok) {
        memcpy(m.best, r, bytes);
        plait_system_apply(sys, r, u);
        ok = steps(&m, max_iterations);
        memcpy(r, m.best, bytes);
        plait_system_apply(sys, r, u);
        out->residual = plait_system_residual(sys, r, u);
    }
    plait_newton_free(m.newton), plait_free(m.best);
    return ok;
}

bool plait_newton_solve(plait_system *sys, plait_newton_function function, const char *name, int max_iterations,
                        double *r, double *u, plait_outcome *out)
{
    return run(sys, function, name, iterate, max_iterations, r, u, out);
}

bool plait_newton_alone(plait_system *sys, plait_newton_function function, const char *name, int max_iterations,
                        double *r, double *u, plait_outcome *out)
{
    return run(sys, function, name, alone, max_iterations, r, u, out);
}

bool plait_newton_dash(plait_system *sys, plait_newton_function function, const char *name, int max_iterations,
                       double *r, double *u, plait_outcome *out)
{
    return run(sys, function, name, dash, max_iterations, r, u, out);
}
