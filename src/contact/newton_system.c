#include "contact/newton_system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/pool.h"
#include "contact/newton_dense.h"
#include "contact/newton_krylov.h"
#include "contact/operator_parts.h"
#include "math/direct.h"
#include "math/mat3.h"
#include "math/sparse.h"

// Contact systems up to this size, or at least this full, are factorised as dense matrices.
enum { DENSE_SIZE = 360, DENSE_LIMIT = 6000 };
enum { SELDOM = 1000 }; // contacts from one look at the stop to the next
#define DENSE_FILL 0.15
// Of the right side of a dense system: what is worth another solution, and what is not good enough.
enum { REFINE = 2 };
static const double EXACT = 1e-13, LOST = 1e-6;
// Factors with more entries are not made: 5 GB of numbers, half as much again for the work space, tens of minutes each.
#define MOST_ENTRIES 6e8

struct plait_newton_system {
    plait_system *sys;
    plait_operator *op;
    const double *A_r, *A_u;
    // dense contact form
    plait_newton_dense *dense;
    bool general; // by its general factor
    // sparse, either form
    plait_sparse A;
    plait_direct *direct;
    plait_krylov *krylov; // instead of a factor that would be too large
    double flops;         // of a factorisation
    bool velocity;
    int *slot;         // velocity form: where the products of each contact's columns go in A
    int64_t *slot_ptr; // [n + 1]
    double *M_val;     // [entries of A] the values of M at their places
    double *x;         // [dofs]; of the dense form [9 n]
    int *dof;          // columns of each contact as positions in the operator's order, [sum of counts]
    double *h;         // [3 per column]
    int64_t *dof_ptr;  // [n + 1]
};

// A matrix that cannot be factorised is the solver's to deal with; without memory there is nothing to be done.
static bool direct_done(plait_newton_system *x, bool ok)
{
    if (!ok && plait_direct_no_memory(x->direct))
        x->sys->no_memory = true, x->sys->wanted = plait_direct_bytes(x->direct);
    return ok;
}

static bool direct_factorise(plait_newton_system *x)
{
    return direct_done(x, plait_direct_factorise(x->direct, &x->A));
}

static bool direct_solve(plait_newton_system *x, double *b)
{
    return direct_done(x, plait_direct_solve(x->direct, 1, b));
}

// Analyses A. What would be too large gives up its matrix for iterations.
static bool direct_analyse(plait_newton_system *x)
{
    x->direct = plait_direct_new(PLAIT_DIRECT_GENERAL, &x->A, x->sys->stop, NULL);
    if (!x->direct)
        return false;
    x->flops = plait_direct_flops(x->direct);
    if (plait_direct_entries(x->direct) <= MOST_ENTRIES)
        return true;
    plait_direct_free(x->direct), plait_sparse_free(&x->A);
    plait_free(x->slot), plait_free(x->M_val), plait_free(x->dof), plait_free(x->h);
    x->direct = NULL, x->A = (plait_sparse){0}, x->slot = NULL, x->M_val = NULL, x->dof = NULL, x->h = NULL;
    x->krylov = plait_krylov_new(x->sys);
    return x->krylov != NULL;
}

// ---- velocity form ------------------------------------------------------------------------------------------------

// The columns of each contact, over all of its limbs.
static bool gather_columns(plait_newton_system *x)
{
    const plait_compliance *c = x->op->compliance;
    int64_t total = 0;
    for (int k = 0; k < c->limbs; k++)
        total += c->limb[k].count;
    x->dof_ptr = plait_calloc((size_t)c->n + 1, sizeof *x->dof_ptr);
    x->dof = plait_malloc(((size_t)total + 1) * sizeof *x->dof);
    x->h = plait_malloc((3 * (size_t)total + 3) * sizeof *x->h);
    if (!x->dof_ptr || !x->dof || !x->h)
        return false;
    int64_t at = 0;
    for (int i = 0; i < c->n; i++) {
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
            const plait_limb *limb = &c->limb[c->contact_limb[k]];
            int first = c->body[c->limb_body[c->contact_limb[k]]].first_dof;
            for (int j = 0; j < limb->count; j++, at++) {
                x->dof[at] = first + c->col[limb->first + j];
                memcpy(x->h + 3 * at, c->val + 3 * (limb->first + j), 3 * sizeof(double));
            }
        }
        x->dof_ptr[i + 1] = at;
    }
    return true;
}

// Pattern of M + H^T D H in the operator's order of dofs, the values of M, and the slots of each contact.
static bool velocity_pattern(plait_newton_system *x)
{
    const plait_compliance *c = x->op->compliance;
    const plait_sparse *M = &x->sys->problem->dynamics->M;
    if (!plait_problem_complete(x->sys->problem))
        return false;
    int *place = plait_malloc(((size_t)c->dofs + 1) * sizeof *place);
    int64_t count = M->ptr[M->rows], slots = 0;
    for (int i = 0; i < c->n; i++) {
        int64_t k = x->dof_ptr[i + 1] - x->dof_ptr[i];
        slots += k * k;
    }
    plait_triplet *t = plait_malloc(((size_t)(count + slots) + 1) * sizeof *t);
    x->slot = plait_malloc(((size_t)slots + 1) * sizeof *x->slot);
    x->slot_ptr = plait_calloc((size_t)c->n + 1, sizeof *x->slot_ptr);
    bool ok = place && t && x->slot && x->slot_ptr;
    if (ok) {
        for (int i = 0; i < c->dofs; i++)
            place[c->order[i]] = i;
        int64_t at = 0;
        for (int i = 0; i < M->rows; i++)
            for (int64_t k = M->ptr[i]; k < M->ptr[i + 1]; k++)
                t[at++] = (plait_triplet){place[i], place[M->col[k]], M->val[k]};
        for (int i = 0; i < c->n; i++)
            for (int64_t a = x->dof_ptr[i]; a < x->dof_ptr[i + 1]; a++)
                for (int64_t e = x->dof_ptr[i]; e < x->dof_ptr[i + 1]; e++)
                    t[at++] = (plait_triplet){x->dof[a], x->dof[e], 0};
        ok = !plait_stop_now(x->sys->stop) && plait_sparse_gather(c->dofs, c->dofs, at, t, x->sys->stop, &x->A) &&
             x->A.ptr[c->dofs] < INT32_MAX;
    }
    plait_free(place), plait_free(t);
    if (!ok || plait_stop_now(x->sys->stop))
        return false;
    int64_t entries = x->A.ptr[c->dofs], at = 0;
    x->M_val = plait_malloc(((size_t)entries + 1) * sizeof *x->M_val);
    x->x = plait_malloc(((size_t)c->dofs + 1) * sizeof *x->x);
    if (!x->M_val || !x->x)
        return false;
    memcpy(x->M_val, x->A.val, (size_t)entries * sizeof *x->M_val);
    for (int i = 0; i < c->n; i++) {
        if (i % SELDOM == 0 && plait_stop_now(x->sys->stop))
            return false;
        for (int64_t a = x->dof_ptr[i]; a < x->dof_ptr[i + 1]; a++)
            for (int64_t e = x->dof_ptr[i]; e < x->dof_ptr[i + 1]; e++)
                x->slot[at++] = (int)plait_place_of(x->A.col, x->A.ptr[x->dof[a]], x->A.ptr[x->dof[a] + 1], x->dof[e]);
        x->slot_ptr[i + 1] = at;
    }
    return true;
}

static void velocity_values(plait_newton_system *x, const double *D)
{
    memcpy(x->A.val, x->M_val, (size_t)x->A.ptr[x->A.rows] * sizeof *x->M_val);
    for (int i = 0; i < x->sys->n; i++) {
        const double *d = D + 9 * (int64_t)i, *h = x->h + 3 * x->dof_ptr[i];
        int64_t count = x->dof_ptr[i + 1] - x->dof_ptr[i];
        const int *slot = x->slot + x->slot_ptr[i];
        for (int64_t a = 0; a < count; a++) {
            const double *g = h + 3 * a; // row of H^T D
            double y[3] = {g[0] * d[0] + g[1] * d[3] + g[2] * d[6], g[0] * d[1] + g[1] * d[4] + g[2] * d[7],
                           g[0] * d[2] + g[1] * d[5] + g[2] * d[8]};
            for (int64_t e = 0; e < count; e++)
                x->A.val[*slot++] += y[0] * h[3 * e] + y[1] * h[3 * e + 1] + y[2] * h[3 * e + 2];
        }
    }
}

static bool velocity_solve(plait_newton_system *x, const double *q, double *dr, double *du)
{
    int n = x->sys->n;
    memset(x->x, 0, (size_t)x->A.rows * sizeof *x->x);
    for (int i = 0; i < n; i++)
        for (int64_t k = x->dof_ptr[i]; k < x->dof_ptr[i + 1]; k++)
            x->x[x->dof[k]] += x->h[3 * k] * q[3 * i] + x->h[3 * k + 1] * q[3 * i + 1] + x->h[3 * k + 2] * q[3 * i + 2];
    if (!direct_solve(x, x->x))
        return false;
    for (int i = 0; i < n; i++) {
        double u[3] = {0, 0, 0};
        for (int64_t k = x->dof_ptr[i]; k < x->dof_ptr[i + 1]; k++)
            for (int a = 0; a < 3; a++)
                u[a] += x->h[3 * k + a] * x->x[x->dof[k]];
        const double *D = x->A_u + 9 * (int64_t)i;
        for (int a = 0; a < 3; a++) {
            du[3 * i + a] = u[a];
            dr[3 * i + a] = q[3 * i + a] - D[3 * a] * u[0] - D[3 * a + 1] * u[1] - D[3 * a + 2] * u[2];
        }
    }
    return true;
}

// ---- contact form -------------------------------------------------------------------------------------------------

static bool contact_pattern(plait_newton_system *x)
{
    const plait_block_matrix *W = x->op->W;
    int64_t blocks = W->ptr[W->n];
    if (!plait_sparse_alloc(&x->A, 3 * W->n, 3 * W->n, 9 * blocks))
        return false;
    int64_t at = 0;
    for (int i = 0; i < W->n; i++)
        for (int a = 0; a < 3; a++) {
            for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++)
                for (int e = 0; e < 3; e++)
                    x->A.val[at] = a == e && W->col[k] == i, x->A.col[at++] = 3 * W->col[k] + e;
            x->A.ptr[3 * i + a + 1] = at;
        }
    return true;
}

// Row block i of A_r + A_u W goes to rows 3 i .. 3 i + 2.
static void contact_values(plait_newton_system *x, const double *A_r, const double *A_u)
{
    static const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const plait_block_matrix *W = x->op->W;
    for (int i = 0; i < W->n; i++) {
        const double *R = A_r ? A_r + 9 * (int64_t)i : identity, *D = A_u + 9 * (int64_t)i;
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++) {
            const double *B = W->val + 9 * k;
            for (int a = 0; a < 3; a++)
                for (int e = 0; e < 3; e++) {
                    double value = D[3 * a] * B[e] + D[3 * a + 1] * B[3 + e] + D[3 * a + 2] * B[6 + e];
                    if (W->col[k] == i)
                        value += R[3 * a + e];
                    x->A.val[x->A.ptr[3 * i + a] + 3 * (k - W->ptr[i]) + e] = value;
                }
        }
    }
}

static double norm(const double *x, int64_t count)
{
    double sum = 0;
    for (int64_t i = 0; i < count; i++)
        sum += x[i] * x[i];
    return sqrt(sum);
}

// left <- q - A_r dr - A_u du; returns its norm.
static double dense_left(const plait_newton_system *x, const double *q, const double *dr, const double *du,
                         double *left)
{
    for (size_t i = 0; i < (size_t)x->sys->n; i++) {
        double a[3], c[3];
        memcpy(a, dr + 3 * i, sizeof a);
        if (x->A_r)
            plait_mat3_apply(x->A_r + 9 * i, dr + 3 * i, a);
        plait_mat3_apply(x->A_u + 9 * i, du + 3 * i, c);
        for (size_t k = 0; k < 3; k++)
            left[3 * i + k] = q[3 * i + k] - a[k] - c[k];
    }
    return norm(left, 3 * (int64_t)x->sys->n);
}

// With the factor at hand, then for what that left over. Returns how much of q is left in the end.
static double dense_refined(plait_newton_system *x, const double *q, double *dr, double *du)
{
    int64_t size = 3 * (int64_t)x->sys->n;
    double *left = x->x, *more = left + size, *moved = more + size, all = norm(q, size);
    if (!plait_newton_dense_solve(x->dense, q, dr))
        return INFINITY;
    plait_system_multiply(x->sys, dr, du);
    double e = dense_left(x, q, dr, du, left);
    for (int k = 0; k < REFINE && e > EXACT * all && plait_newton_dense_solve(x->dense, left, more); k++) {
        plait_system_multiply(x->sys, more, moved);
        for (int64_t i = 0; i < size; i++)
            more[i] += dr[i], moved[i] += du[i];
        double then = dense_left(x, q, more, moved, left);
        if (!(then < e))
            break;
        memcpy(dr, more, (size_t)size * sizeof *dr), memcpy(du, moved, (size_t)size * sizeof *du);
        e = then;
    }
    return all > 0 ? e / all : 0;
}

// A factor that has lost too many digits gives way to the general one.
static bool dense_solve(plait_newton_system *x, const double *q, double *dr, double *du)
{
    double left = dense_refined(x, q, dr, du);
    if (left <= LOST || x->general)
        return isfinite(left);
    x->general = true;
    return plait_newton_dense_factorise(x->dense, x->A_r, x->A_u, true, x->sys->team) &&
           isfinite(dense_refined(x, q, dr, du));
}

static bool contact_solve(plait_newton_system *x, const double *q, double *dr, double *du)
{
    if (x->dense)
        return dense_solve(x, q, dr, du);
    memcpy(dr, q, 3 * (size_t)x->sys->n * sizeof *dr);
    if (!direct_solve(x, dr))
        return false;
    plait_system_multiply(x->sys, dr, du);
    return true;
}

// ---- both ---------------------------------------------------------------------------------------------------------

plait_newton_system *plait_newton_system_new(plait_system *sys, bool identity)
{
    plait_newton_system *x = plait_calloc(1, sizeof *x);
    if (!x)
        return NULL;
    plait_operator *op = sys->op;
    x->sys = sys, x->op = op;
    // Few contacts: the dense contact form is quickest whatever the bodies are.
    x->velocity = identity && op->compliance && 3 * sys->n > DENSE_SIZE && !plait_operator_dense(op);
    bool ok = true;
    if (x->velocity) {
        ok = gather_columns(x) && !plait_stop_now(sys->stop) && velocity_pattern(x) && !plait_stop_now(sys->stop);
        ok = ok && direct_analyse(x);
    } else {
        ok = plait_operator_need_blocks(op, sys->stop);
        int64_t size = 3 * (int64_t)sys->n;
        double fill = ok ? 9.0 * (double)op->W->ptr[sys->n] / ((double)size * (double)size) : 0;
        if (ok && (size <= DENSE_SIZE || (fill > DENSE_FILL && size <= DENSE_LIMIT))) {
            x->dense = plait_newton_dense_new(op->W);
            x->x = plait_malloc((3 * (size_t)size + 1) * sizeof *x->x);
            ok = x->dense && x->x;
        } else if (ok) {
            ok = contact_pattern(x) && direct_analyse(x);
        }
    }
    if (ok)
        return x;
    plait_newton_system_free(x);
    return NULL;
}

void plait_newton_system_free(plait_newton_system *x)
{
    if (!x)
        return;
    plait_direct_free(x->direct), plait_krylov_free(x->krylov), plait_sparse_free(&x->A);
    plait_newton_dense_free(x->dense), plait_free(x->slot), plait_free(x->slot_ptr), plait_free(x->M_val);
    plait_free(x->x), plait_free(x->dof);
    plait_free(x->h), plait_free(x->dof_ptr), plait_free(x);
}

double plait_newton_system_flops(const plait_newton_system *x)
{
    double size = 3.0 * x->sys->n;
    return x->flops > 0 ? x->flops : 2.0 / 3 * size * size * size;
}

bool plait_newton_system_factorise(plait_newton_system *x, const double *A_r, const double *A_u)
{
    x->A_r = A_r, x->A_u = A_u;
    if (x->krylov)
        return plait_krylov_set(x->krylov, A_r, A_u);
    x->sys->work += fmax(1, plait_newton_system_flops(x) / plait_operator_flops(x->sys->op));
    if (x->velocity) {
        velocity_values(x, A_u);
        return direct_factorise(x);
    }
    if (x->dense) {
        x->general = !plait_newton_dense_factorise(x->dense, A_r, A_u, false, x->sys->team);
        return !x->general || plait_newton_dense_factorise(x->dense, A_r, A_u, true, x->sys->team);
    }
    contact_values(x, A_r, A_u);
    return direct_factorise(x);
}

bool plait_newton_system_solve(plait_newton_system *x, const double *q, double *dr, double *du)
{
    if (x->krylov)
        return plait_krylov_solve(x->krylov, q, dr, du);
    return x->velocity ? velocity_solve(x, q, dr, du) : contact_solve(x, q, dr, du);
}
