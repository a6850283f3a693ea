#include "contact/normalise.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/compliance.h"
#include "math/sparse.h"

// Exponents up to these are ordinary: fourth powers of b, W and r = b / W are well within numbers.
enum { ORDINARY = 60, ORDINARY_H = 100, ORDINARY_M = 200 };

static double largest(const double *x, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(x[i]));
    return most;
}

static double largest_limb(const plait_compliance *c)
{
    double most = 0;
    for (int k = 0; k < c->limbs; k++)
        most = fmax(most, largest(c->val + 3 * c->limb[k].first, 3 * (int64_t)c->limb[k].count));
    return most;
}

// An even e with 2^e <= x < 2^(e + 2), so that square roots lose no digit either; 0 for 0.
static int exponent(double x)
{
    int e = 0;
    if (x > 0)
        frexp(x, &e);
    return x > 0 ? 2 * (int)floor((e - 1) / 2.0) : 0;
}

plait_scaling plait_scaling_to_judge(const plait_problem *p)
{
    if (p->laws) // their parameters have units of their own
        return (plait_scaling){0};
    plait_scaling k = {.b = exponent(largest(p->b, 3 * (int64_t)p->n)), .W = exponent(largest(p->trace, p->n))};
    return abs(k.b) <= ORDINARY && abs(k.W) <= ORDINARY ? (plait_scaling){0} : k;
}

plait_scaling plait_scaling_of(const plait_problem *p)
{
    const plait_dynamics *y = p->dynamics;
    plait_scaling k = plait_scaling_to_judge(p);
    if (!y || p->laws)
        return k;
    const plait_bands *B = &p->compliance->bands;
    int M = exponent(B->bodies ? largest(B->val, B->ptr[B->bodies]) : largest(y->M.val, y->M.ptr[y->M.rows]));
    int H = exponent(largest_limb(p->compliance));
    if (plait_scaling_trivial(&k) && abs(M) <= ORDINARY_M && abs(H) <= ORDINARY_H)
        return k;
    k.b = exponent(largest(p->b, 3 * (int64_t)p->n)), k.W = exponent(largest(p->trace, p->n));
    // W' is near 1 if M' is near what is left of W / H^2: then M' is near 1 too, but for stiff or soft parts of M.
    k.H = H, k.M = 2 * H - k.W;
    return k;
}

static void scale(const double *x, int64_t count, int e, double *to)
{
    for (int64_t i = 0; i < count; i++)
        to[i] = ldexp(x[i], e);
}

static double *scaled_copy(const double *x, int64_t count, int e)
{
    double *to = plait_malloc(((size_t)count + 1) * sizeof *to);
    if (to)
        scale(x, count, e, to);
    return to;
}

static plait_dynamics *scaled_dynamics(const plait_problem *p, const plait_scaling *k, plait_bands *bands,
                                       plait_limbs *limbs)
{
    const plait_dynamics *y = p->dynamics;
    const plait_bands *B = &p->compliance->bands;
    plait_dynamics *z = plait_calloc(1, sizeof *z);
    if (!z)
        return NULL;
    z->dofs = y->dofs;
    z->f = scaled_copy(y->f, y->dofs, k->H - k->b - k->M);
    z->w = scaled_copy(y->w, 3 * (int64_t)p->n, -k->b);
    bool by_limbs = !y->H.ptr;
    bool ok = z->f && z->w &&
              (by_limbs ? plait_limbs_of(p->compliance, NULL, p->n, NULL, limbs) : plait_sparse_copy(&y->H, &z->H));
    if (ok && B->bodies) {
        ok = plait_bands_alloc(bands, B->bodies);
        if (ok) {
            memcpy(bands->first, B->first, ((size_t)B->bodies + 1) * sizeof *B->first);
            memcpy(bands->width, B->width, (size_t)B->bodies * sizeof *B->width);
            memcpy(bands->plan, B->plan, (size_t)B->bodies * sizeof *B->plan);
            ok = plait_bands_room(bands);
        }
        if (ok)
            scale(B->val, B->ptr[B->bodies], -k->M, bands->val);
    } else if (ok) {
        ok = plait_sparse_copy(&y->M, &z->M);
        if (ok)
            scale(z->M.val, z->M.ptr[z->M.rows], -k->M, z->M.val);
    }
    if (ok && by_limbs)
        scale(limbs->val, 3 * limbs->first[limbs->ptr[limbs->n]], -k->H, limbs->val);
    else if (ok)
        scale(z->H.val, z->H.ptr[z->H.rows], -k->H, z->H.val);
    if (ok)
        return z;
    plait_dynamics_free(z), plait_bands_free(bands), plait_limbs_free(limbs);
    return NULL;
}

static plait_problem *scaled_reduced(const plait_problem *p, const plait_scaling *k)
{
    plait_problem *q = plait_calloc(1, sizeof *q);
    if (!q)
        return NULL;
    int64_t blocks = p->W->ptr[p->n];
    q->dimension = p->dimension, q->n = p->n;
    q->mu = scaled_copy(p->mu, p->n, 0), q->b = scaled_copy(p->b, 3 * (int64_t)p->n, -k->b);
    q->trace = scaled_copy(p->trace, p->n, -k->W);
    q->W = plait_block_matrix_new(p->n, blocks);
    if (!q->mu || !q->b || !q->trace || !q->W) {
        plait_problem_free(q);
        return NULL;
    }
    memcpy(q->W->ptr, p->W->ptr, ((size_t)p->n + 1) * sizeof *p->W->ptr);
    memcpy(q->W->col, p->W->col, (size_t)blocks * sizeof *p->W->col);
    scale(p->W->val, 9 * blocks, -k->W, q->W->val);
    return q;
}

plait_problem *plait_problem_scaled(const plait_problem *p, const plait_scaling *k, plait_error *error)
{
    plait_problem *q = NULL;
    if (p->dynamics) {
        plait_bands bands = {0};
        plait_limbs limbs = {0};
        plait_dynamics *y = scaled_dynamics(p, k, &bands, &limbs);
        q = y ? plait_problem_of(p->dimension, p->n, y, bands.bodies ? &bands : NULL, &limbs, p->mu,
                                 p->compliance->team, error)
              : NULL;
        if (y)
            return q;
    } else {
        q = scaled_reduced(p, k);
    }
    if (!q)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory to scale a problem of %d contacts", p->n);
    return q;
}

void plait_scaling_enter(const plait_scaling *k, const double *r, int64_t count, double *scaled)
{
    scale(r, count, k->W - k->b, scaled);
    for (int64_t i = 0; i < count; i++)
        scaled[i] = isfinite(scaled[i]) ? scaled[i] : 0;
}

plait_status plait_scaling_leave(const plait_scaling *k, const double *scaled, int64_t count, double *r,
                                 plait_error *error)
{
    int back = k->b - k->W;
    double most = largest(scaled, count);
    double there = ldexp(most, back);
    if (most > 0 && !(there >= DBL_MIN && there <= DBL_MAX))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "the impulses, about 1e%+.0f, do not fit into numbers (1e-308 to 1e308): b is about "
                               "1e%+.0f and W about 1e%+.0f, scale one of them",
                               log10(most) + back * log10(2), k->b * log10(2), k->W * log10(2));
    scale(scaled, count, back, r);
    return PLAIT_OK;
}
