// compliance_batches.c: blocks of W on bodies with sparse factors.
//
// W_ij = Y_i^T Y_j with Y_i = L^-1 H_i^T: forward along the paths of the tree, never back. Limbs go in batches of
// neighbours. A batch keeps the rows of its path; two batches have in common the supernodes where their paths have
// met, one product of dense blocks each:
//
//     supernodes of batch a: 1, 3, 7      (1 and 2 are children of 3, that one of the root 7)
//     supernodes of batch b: 2, 3, 7      Y_a^T Y_b is a sum over 3 and 7
//
// Where contacts crowd on few dofs (a pile of things on one face of a block), columns are those of the dofs, not of the
// limbs: A = M^-1 on these dofs, then W_ij = H_i A H_j^T.
//
// Batches and the order of sums depend on the body alone, so that results do not depend on threads.
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/compliance.h"
#include "math/blas.h"
#include "math/sparse.h"

enum { WIDE = 3 * PLAIT_LIMB_BATCH };
#define FEWER 0.8 // dofs, of the columns of limbs

typedef struct batch {
    int first, columns;  // of all columns of the body
    int supers, rows;    // its path
    int *super, *offset; // [supers] and the first row of each in Y
    double *Y;           // [rows][columns]
} batch;

typedef struct batches {
    const plait_compliance *c;
    const plait_factor *factor;
    int limbs, dofs;        // of the body; dofs: that limbs touch, 0: columns are those of the limbs
    plait_limb_place *list; // [limbs]
    int *dof;               // [dofs]
    batch *batch;
    int count;
} batches;

static void free_batches(batches *x)
{
    for (int k = 0; x->batch && k < x->count; k++)
        plait_free(x->batch[k].super), plait_free(x->batch[k].Y);
    plait_free(x->batch), plait_free(x->list), plait_free(x->dof);
}

// Right sides of a batch: H^T of its limbs, or unit vectors.
static void load(const batches *x, const batch *b, const plait_cholesky_path *path)
{
    const plait_cholesky_plan *plan = x->factor->plan;
    if (x->dofs == 0) {
        plait_compliance_path_columns(x->c, plan, x->list + b->first / 3, b->columns / 3, path, b->Y);
        return;
    }
    memset(b->Y, 0, (size_t)b->rows * (size_t)b->columns * sizeof *b->Y);
    for (int k = 0; k < b->columns; k++)
        b->Y[(size_t)k * (size_t)b->rows + (size_t)plait_cholesky_path_row(path, plan, x->dof[b->first + k])] = 1;
}

// The path of a batch, and room for its columns.
static bool open_batch(batches *x, batch *b, plait_cholesky_path *path)
{
    const plait_cholesky_plan *plan = x->factor->plan;
    for (int k = 0; x->dofs > 0 && k < b->columns; k++)
        plait_cholesky_path_add(path, plan, x->dof[b->first + k]);
    if (x->dofs > 0)
        plait_cholesky_path_finish(path, plan);
    else
        plait_compliance_path(x->c, plan, x->list + b->first / 3, b->columns / 3, path);
    b->supers = path->count, b->rows = path->rows;
    b->super = plait_malloc(2 * ((size_t)b->supers + 1) * sizeof *b->super);
    b->Y = plait_malloc(((size_t)b->rows * (size_t)b->columns + 1) * sizeof *b->Y);
    bool ok = b->super && b->Y;
    if (ok) {
        b->offset = b->super + b->supers;
        memcpy(b->super, path->super, (size_t)b->supers * sizeof *b->super);
        for (int i = 0; i < b->supers; i++)
            b->offset[i] = path->offset[b->super[i]];
        load(x, b, path);
    }
    plait_cholesky_path_clear(path);
    return ok;
}

int plait_compliance_number_dofs(const plait_compliance *c, int b, const plait_cholesky_plan *plan, int *number)
{
    int size = c->body[b].size, dofs = 0;
    memset(number, -1, (size_t)size * sizeof *number);
    for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++)
        for (int j = 0; j < c->limb[k].count; j++)
            number[c->col[c->limb[k].first + j]] = 0;
    for (int i = 0; i < size; i++) // in the order of the factor
        if (number[plan->perm[i]] == 0)
            number[plan->perm[i]] = dofs++;
    return dofs;
}

void plait_touched_free(plait_touched *t)
{
    if (t->lender)
        t->lender->users--;
    else
        plait_free(t->number), plait_free(t->A);
    *t = (plait_touched){0};
}

// Columns are those of the dofs that limbs touch.
static bool list_dofs(batches *x, int size, const plait_touched *t)
{
    x->dofs = t->dofs;
    x->dof = plait_malloc(((size_t)x->dofs + 1) * sizeof *x->dof);
    for (int i = 0; x->dof && i < size; i++)
        if (t->number[i] >= 0)
            x->dof[t->number[i]] = i;
    return x->dof != NULL;
}

static bool open_batches(batches *x, int body)
{
    plait_cholesky_path path = {0};
    x->limbs = x->c->body[body + 1].first_limb - x->c->body[body].first_limb;
    int columns = x->dofs > 0 ? x->dofs : 3 * x->limbs;
    x->count = (columns + WIDE - 1) / WIDE;
    x->batch = plait_calloc((size_t)x->count + 1, sizeof *x->batch);
    x->list = plait_compliance_sort_limbs(x->c, body, x->factor->plan);
    bool ok = x->batch && x->list && plait_cholesky_path_alloc(&path, x->factor->plan);
    for (int k = 0; ok && k < x->count; k++) {
        batch *b = &x->batch[k];
        b->first = k * WIDE, b->columns = columns - b->first < WIDE ? columns - b->first : WIDE;
        ok = open_batch(x, b, &path);
    }
    plait_cholesky_path_free(&path);
    return ok;
}

// Y <- L^-1 H^T of all batches.
static bool forward(const batches *x, plait_team team, plait_stop *stop)
{
    const plait_cholesky_plan *plan = x->factor->plan;
    size_t work = (size_t)WIDE * (size_t)plan->most_rows + 1, places = (size_t)plan->supernodes + 1;
    double *room = plait_malloc(work * (size_t)team.threads * sizeof *room);
    int *offset = plait_malloc(places * (size_t)team.threads * sizeof *offset);
    bool ok = room && offset;
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads) if (team.threads > 1)
    for (int k = 0; k < (ok ? x->count : 0); k++) {
        const batch *b = &x->batch[k];
        size_t me = (size_t)omp_get_thread_num();
        plait_cholesky_path path = {b->supers, b->rows, b->super, offset + places * me};
        for (int i = 0; i < b->supers; i++)
            path.offset[b->super[i]] = b->offset[i];
        if (!plait_stop_now(stop))
            plait_cholesky_forward(plan, x->factor->L, &path, b->columns, room + work * me, b->Y);
    }
    plait_free(room), plait_free(offset);
    return ok;
}

// P[columns of a][columns of b] <- Y_a^T Y_b, column-major with `ld` rows.
static void multiply(const plait_cholesky_plan *plan, const batch *a, const batch *b, double *P, int ld)
{
    for (int k = 0; k < b->columns; k++)
        memset(P + (int64_t)k * ld, 0, (size_t)a->columns * sizeof *P);
    for (int i = 0, j = 0; i < a->supers && j < b->supers;) {
        if (a->super[i] != b->super[j]) {
            if (a->super[i] < b->super[j])
                i++;
            else
                j++;
            continue;
        }
        int columns = plan->first[a->super[i] + 1] - plan->first[a->super[i]];
        plait_blas_gemm('T', a->columns, b->columns, columns, 1, a->Y + a->offset[i], a->rows, b->Y + b->offset[j],
                        b->rows, 1, P, ld);
        i++, j++;
    }
}

// B[3][3], rows of limb k, columns of limb m, to the upper half of W; each pair belongs to one block, and comes once.
static void add_block(const plait_compliance *c, int k, int m, const double *B, int ld, plait_block_matrix *W)
{
    int i = c->limb[k].contact, j = c->limb[m].contact;
    double *to = W->val + 9 * plait_block_matrix_find(W, i < j ? i : j, i < j ? j : i);
    for (int row = 0; row < 3; row++)
        for (int col = 0; col < 3; col++)
            to[i <= j ? 3 * row + col : 3 * col + row] += B[col * ld + row];
}

static void scatter(const batches *x, const batch *a, const batch *b, const double *P, plait_block_matrix *W)
{
    for (int k = 0; k < a->columns / 3; k++)
        for (int m = 0; m < b->columns / 3; m++) {
            int one = x->list[a->first / 3 + k].limb, two = x->list[b->first / 3 + m].limb;
            if (a != b || x->c->limb[one].contact <= x->c->limb[two].contact)
                add_block(x->c, one, two, P + 3 * (int64_t)m * WIDE + 3 * k, WIDE, W);
        }
}

// All pairs of batches with k, by blocks of W, or into A[dofs][dofs], of which the lower triangle of batches is made.
static void pair_up(const batches *x, int k, double *P, double *A, plait_block_matrix *W)
{
    for (int m = 0; m <= k; m++) {
        const batch *a = &x->batch[k], *b = &x->batch[m];
        double *to = A ? A + (int64_t)b->first * x->dofs + a->first : P;
        multiply(x->factor->plan, a, b, to, A ? x->dofs : WIDE);
        if (!A)
            scatter(x, a, b, P, W);
    }
}

// T[3][dofs] <- H_k A for limb k, then its blocks with all limbs whose contacts do not come before its own.
static void limb_blocks(const plait_compliance *c, const plait_touched *t, int body, int k, double *T,
                        plait_block_matrix *W)
{
    const plait_limb *limb = &c->limb[k];
    memset(T, 0, 3 * (size_t)t->dofs * sizeof *T);
    for (int j = 0; j < limb->count; j++) {
        const double *h = c->val + 3 * (limb->first + j);
        const double *column = t->A + (int64_t)t->number[c->col[limb->first + j]] * t->dofs;
        for (int i = 0; i < t->dofs; i++)
            for (int a = 0; a < 3; a++)
                T[3 * (int64_t)i + a] += h[a] * column[i];
    }
    for (int m = c->body[body].first_limb; m < c->body[body + 1].first_limb; m++) {
        const plait_limb *other = &c->limb[m];
        if (other->contact < limb->contact)
            continue;
        double B[9] = {0};
        for (int j = 0; j < other->count; j++) {
            const double *y = T + 3 * (int64_t)t->number[c->col[other->first + j]];
            const double *h = c->val + 3 * (other->first + j);
            for (int col = 0; col < 3; col++)
                for (int row = 0; row < 3; row++)
                    B[3 * col + row] += y[row] * h[col];
        }
        add_block(c, k, m, B, 3, W);
    }
}

static bool add_limbs(const plait_compliance *c, const plait_touched *t, int body, plait_team team, plait_stop *stop,
                      plait_block_matrix *W)
{
    int first = c->body[body].first_limb, last = c->body[body + 1].first_limb;
    size_t wide = 3 * (size_t)t->dofs;
    double *T = plait_malloc((wide * (size_t)team.threads + 1) * sizeof *T);
#pragma omp parallel for schedule(dynamic, 16) num_threads(team.threads) if (team.threads > 1)
    for (int k = first; k < (T ? last : first); k++)
        if (!plait_stop_now(stop))
            limb_blocks(c, t, body, k, T + wide * (size_t)omp_get_thread_num(), W);
    plait_free(T);
    return T != NULL;
}

static void mirror(double *A, int n)
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < k; i++)
            A[(int64_t)k * n + i] = A[(int64_t)i * n + k];
}

// All pairs of batches; A and W as in pair_up.
static bool all_pairs(const batches *x, plait_team team, plait_stop *stop, double *A, plait_block_matrix *W)
{
    size_t wide = A ? 0 : (size_t)WIDE * WIDE;
    double *P = plait_malloc((wide * (size_t)team.threads + 1) * sizeof *P);
    plait_blas_serial_begin();
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads) if (team.threads > 1)
    for (int k = 0; k < (P ? x->count : 0); k++)
        if (!plait_stop_now(stop))
            pair_up(x, k, P + wide * (size_t)omp_get_thread_num(), A, W);
    plait_blas_serial_end();
    plait_free(P);
    return P != NULL;
}

// Whether the body has kept A for the dofs of t; if so it lends it.
static bool borrow(plait_kept_factor *kept, int size, plait_touched *t)
{
    if (!kept || kept->dofs != t->dofs || memcmp(kept->number, t->number, (size_t)size * sizeof *t->number) != 0)
        return false;
    plait_free(t->number);
    *t = (plait_touched){t->dofs, kept->number, kept->A, kept};
    kept->users++;
    return true;
}

// Room for A: the body's, if it keeps one and nobody reads it.
static bool room_for(plait_kept_factor *kept, int size, plait_touched *t)
{
    if (kept && kept->A && kept->users == 0 && t->dofs <= kept->most) {
        memcpy(kept->number, t->number, (size_t)size * sizeof *t->number);
        kept->dofs = t->dofs;
        return borrow(kept, size, t);
    }
    t->A = plait_malloc(((size_t)t->dofs * (size_t)t->dofs + 1) * sizeof *t->A);
    return t->A != NULL;
}

bool plait_compliance_touch(const plait_compliance *c, int b, plait_team team, plait_stop *stop, plait_touched *t)
{
    batches x = {.c = c, .factor = &c->pack[c->body[b].pack]};
    size_t size = (size_t)c->body[b].size;
    plait_kept_factor *kept = c->bands.bodies ? c->bands.kept[b] : NULL;
    *t = (plait_touched){.number = plait_malloc((size + 1) * sizeof *t->number)};
    bool ok = t->number != NULL;
    if (ok)
        t->dofs = plait_compliance_number_dofs(c, b, x.factor->plan, t->number);
    if (ok && borrow(kept, (int)size, t))
        return true;
    ok = ok && room_for(kept, (int)size, t) && list_dofs(&x, (int)size, t) && open_batches(&x, b) &&
         forward(&x, team, stop) && all_pairs(&x, team, stop, t->A, NULL);
    ok = ok && !plait_stop_now(stop); // half of it must not be kept
    if (ok)
        mirror(t->A, t->dofs);
    else if (t->lender)
        t->lender->dofs = 0;
    if (!ok)
        plait_touched_free(t);
    free_batches(&x);
    return ok;
}

// Whether contacts crowd on few dofs. False without memory.
static bool crowded(const plait_compliance *c, int b, bool *crowd)
{
    int limbs = c->body[b + 1].first_limb - c->body[b].first_limb;
    int *number = plait_malloc(((size_t)c->body[b].size + 1) * sizeof *number);
    if (number)
        *crowd = plait_compliance_number_dofs(c, b, c->pack[c->body[b].pack].plan, number) <= FEWER * 3 * limbs;
    plait_free(number);
    return number != NULL;
}

static bool add_body(const plait_compliance *c, int body, plait_team team, plait_stop *stop, plait_block_matrix *W)
{
    plait_touched t = {0};
    bool crowd = false;
    if (c->body[body].touched.A)
        return add_limbs(c, &c->body[body].touched, body, team, stop, W);
    if (!crowded(c, body, &crowd))
        return false;
    if (crowd) {
        bool ok = plait_compliance_touch(c, body, team, stop, &t) && add_limbs(c, &t, body, team, stop, W);
        plait_touched_free(&t);
        return ok;
    }
    batches x = {.c = c, .factor = &c->pack[c->body[body].pack]};
    bool ok = open_batches(&x, body) && forward(&x, team, stop) && all_pairs(&x, team, stop, NULL, W);
    free_batches(&x);
    return ok;
}

bool plait_compliance_add_sparse(const plait_compliance *c, plait_team team, plait_stop *stop, plait_block_matrix *W)
{
    bool ok = true;
    for (int b = 0; ok && b < c->bodies; b++)
        if (c->pack[c->body[b].pack].kind == PLAIT_FACTOR_SPARSE && c->body[b + 1].first_limb > c->body[b].first_limb)
            ok = add_body(c, b, team, stop, W);
    return ok;
}
