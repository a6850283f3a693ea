// soft_solve.c: the linear systems of Newton's method of a soft body.
//
// Two ways. The sparse factor costs what its plan says, whatever M is. Conjugate gradients, with the 3x3 blocks of the
// nodes as preconditioner, cost as much as M is stiff: in a solid, where the factor fills up and M = mass + dt^2
// stiffness is not far from its blocks, they are the quicker ones; in a cloth that is stretched they are not. They may
// go on for as long as the factor would take, then the factor has its turn, for the rest of the step: never more than
// twice the better one. Work is counted, not time, and a step remembers nothing of those before it, so that a run that
// is resumed does the same.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/soft.h"
#include "math/mat3.h"
#include "math/vec3.h"

// Flops of a factorisation in the time of one of conjugate gradients, which wait for memory where M is large.
static const double QUICK = 3, QUICK_LARGE = 10, LARGE = 2e5; // entries of M
enum { LEAST = 20 }; // iterations: bodies whose factor costs less than these have one

// Iterations of conjugate gradients in the time of a factorisation.
static int worth(const plait_soft_impl *s)
{
    double flops = 4.0 * (double)s->plan->entries + 20.0 * s->plan->n;
    double quick = (double)s->plan->entries > LARGE ? QUICK_LARGE : QUICK;
    return (int)fmin(s->plan->flops / (quick * flops), 1e6);
}

bool plait_soft_iterates(const plait_soft_impl *s)
{
    return worth(s) >= LEAST;
}

bool plait_soft_make_factor(plait_soft_impl *s)
{
    if (s->factor.L && s->factor_work)
        return true;
    s->factor = (plait_factor){.kind = PLAIT_FACTOR_SPARSE, .size = 3 * s->nodes, .plan = s->plan};
    size_t room = plait_factor_room(&s->factor), solve = plait_factor_solve_room(&s->factor, 1);
    s->factor_work = malloc(((room > solve ? room : solve) + 1) * sizeof *s->factor_work);
    if (!s->kept.L)
        s->kept.L = malloc(((size_t)plait_factor_numbers(&s->factor) + 1) * sizeof *s->kept.L);
    s->factor.L = s->kept.L;
    return s->factor.L && s->factor_work;
}

// L is that of b->M: contacts need it next.
void plait_soft_share_factor(plait_body *b)
{
    plait_soft_impl *s = b->impl;
    if (s->kept_M)
        return;
    s->kept.done = true;
    b->kept = &s->kept;
}

void plait_soft_forget_factor(plait_body *b)
{
    plait_soft_impl *s = b->impl;
    b->kept = NULL;
    s->kept.done = s->kept.done && s->kept_M;
}

static bool by_factor(plait_soft_impl *s, const double *M, const double *g, double *d)
{
    bool known = s->kept.done && (M == s->kept_M || !s->kept_M); // without one it is that of the M at hand
    s->kept.done = false;
    if (!known && plait_factor_factorise(&s->factor, M, PLAIT_ALONE, s->factor_work) >= 0)
        return false;
    s->kept.done = M == s->kept_M;
    for (int i = 0; i < s->plan->n; i++)
        d[i] = -g[i];
    plait_factor_solve(&s->factor, s->factor_work, d);
    return true;
}

// ---- conjugate gradients --------------------------------------------------------------------------------------------

// The inverse of the block of a node, symmetric. False: it is not positive definite.
static bool invert(const plait_soft_impl *s, const double *M, int node, double *inverse)
{
    double A[9];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c <= r; c++)
            A[3 * r + c] = A[3 * c + r] = M[s->plan->ptr[3 * node + r + 1] - 1 - r + c];
    double C[6] = {A[4] * A[8] - A[5] * A[5], A[2] * A[5] - A[1] * A[8], A[1] * A[5] - A[2] * A[4],
                   A[0] * A[8] - A[2] * A[2], A[1] * A[2] - A[0] * A[5], A[0] * A[4] - A[1] * A[1]};
    double det = A[0] * C[0] + A[1] * C[1] + A[2] * C[2];
    for (int k = 0; k < 6; k++)
        inverse[k] = C[k] / det;
    return A[0] > 0 && C[5] > 0 && det > 0;
}

static void precondition(const plait_soft_impl *s, const double *r, double *z)
{
    for (int i = 0; i < s->nodes; i++) {
        const double *c = s->inverse + 6 * (size_t)i, *x = r + 3 * (size_t)i;
        double *y = z + 3 * (size_t)i;
        y[0] = c[0] * x[0] + c[1] * x[1] + c[2] * x[2];
        y[1] = c[1] * x[0] + c[3] * x[1] + c[4] * x[2];
        y[2] = c[2] * x[0] + c[4] * x[1] + c[5] * x[2];
    }
}

static double dot(const double *a, const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * b[i];
    return sum;
}

typedef enum found { FOUND, SLOW, INDEFINITE } found;

static found conjugate(plait_soft_impl *s, const double *M, const double *g, double accuracy, double *d)
{
    int n = s->plan->n, most = worth(s);
    double *r = s->cg, *z = r + n, *p = z + n, *q = p + n;
    for (int i = 0; i < s->nodes; i++)
        if (!invert(s, M, i, s->inverse + 6 * (size_t)i))
            return INDEFINITE;
    memset(d, 0, (size_t)n * sizeof *d);
    for (int i = 0; i < n; i++)
        r[i] = -g[i];
    precondition(s, r, z);
    memcpy(p, z, (size_t)n * sizeof *p);
    double rz = dot(r, z, n), goal = accuracy * accuracy * rz;
    for (int k = 0; k < most; k++) {
        if (!(rz > goal))
            return FOUND;
        memset(q, 0, (size_t)n * sizeof *q);
        plait_soft_apply(s, M, 1, p, q);
        double curvature = dot(p, q, n);
        if (!(curvature > 0))
            return INDEFINITE;
        double a = rz / curvature, before = rz;
        for (int i = 0; i < n; i++)
            d[i] += a * p[i], r[i] -= a * q[i];
        precondition(s, r, z);
        rz = dot(r, z, n);
        for (int i = 0; i < n; i++)
            p[i] = z[i] + rz / before * p[i];
    }
    return SLOW;
}

bool plait_soft_solve(plait_soft_impl *s, const double *M, const double *g, double accuracy, double *d)
{
    if (plait_soft_iterates(s) && !s->slow) {
        found f = conjugate(s, M, g, accuracy, d);
        if (f != SLOW)
            return f == FOUND;
        s->slow = true;
    }
    // Without memory for the factor, what the iterations gave goes down too.
    return plait_soft_make_factor(s) ? by_factor(s, M, g, d) : s->slow;
}
