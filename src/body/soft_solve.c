// soft_solve.c: the linear systems of Newton's method of a soft body.
//
// Small bodies and cloth by the sparse factor. In a solid the factor fills up, and M = mass + dt^2 stiffness is not far
// from its blocks on the diagonal: conjugate gradients, with these 3x3 blocks as preconditioner, unless it is very
// stiff. Which one depends on the plan and on M alone, so that a run that is resumed does the same.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/soft.h"
#include "math/mat3.h"
#include "math/vec3.h"

static const double FLOPS = 1e8; // of a factorisation: more are not worth it
enum { MOST = 600 };             // iterations: what there is then goes down too
static const double ACCURACY = 1e-5;

static const double STIFF = 1e4; // M over mass: beyond it a factor is quicker

bool plait_soft_iterates(const plait_soft_impl *s)
{
    return s->plan->flops > FLOPS;
}

bool plait_soft_make_factor(plait_soft_impl *s)
{
    if (s->factor.L && s->factor_work)
        return true;
    s->factor = (plait_factor){.kind = PLAIT_FACTOR_SPARSE, .size = 3 * s->nodes, .plan = s->plan};
    size_t room = plait_factor_room(&s->factor), solve = plait_factor_solve_room(&s->factor, 1);
    s->factor.L = malloc(((size_t)plait_factor_numbers(&s->factor) + 1) * sizeof *s->factor.L);
    s->factor_work = malloc(((room > solve ? room : solve) + 1) * sizeof *s->factor_work);
    return s->factor.L && s->factor_work;
}

static bool stiff(const plait_soft_impl *s, const double *M)
{
    double most = 0;
    for (int i = 0; i < s->plan->n; i++)
        most = fmax(most, M[s->plan->ptr[i + 1] - 1] / (s->hold[i / 3] == PLAIT_HOLD_FREE ? s->mass[i / 3] : 1));
    return most > STIFF;
}

static bool by_factor(plait_soft_impl *s, const double *M, const double *g, double *d)
{
    if (plait_factor_factorise(&s->factor, M, s->factor_work) >= 0)
        return false;
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

// False: M is not positive definite.
static bool conjugate(plait_soft_impl *s, const double *M, const double *g, double *d)
{
    int n = s->plan->n;
    double *r = s->cg, *z = r + n, *p = z + n, *q = p + n;
    for (int i = 0; i < s->nodes; i++)
        if (!invert(s, M, i, s->inverse + 6 * (size_t)i))
            return false;
    memset(d, 0, (size_t)n * sizeof *d);
    for (int i = 0; i < n; i++)
        r[i] = -g[i];
    precondition(s, r, z);
    memcpy(p, z, (size_t)n * sizeof *p);
    double rz = dot(r, z, n), goal = ACCURACY * ACCURACY * rz;
    for (int k = 0; k < MOST; k++) {
        if (!(rz > goal))
            return true;
        memset(q, 0, (size_t)n * sizeof *q);
        plait_soft_apply(s, M, 1, p, q);
        double curvature = dot(p, q, n);
        if (!(curvature > 0))
            return false;
        double a = rz / curvature, before = rz;
        for (int i = 0; i < n; i++)
            d[i] += a * p[i], r[i] -= a * q[i];
        precondition(s, r, z);
        rz = dot(r, z, n);
        for (int i = 0; i < n; i++)
            p[i] = z[i] + rz / before * p[i];
    }
    return true;
}

bool plait_soft_solve(plait_soft_impl *s, const double *M, const double *g, double *d)
{
    if (plait_soft_iterates(s) && !(stiff(s, M) && plait_soft_make_factor(s)))
        return conjugate(s, M, g, d);
    return by_factor(s, M, g, d);
}
