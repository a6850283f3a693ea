// cholesky.c: factorisation and solution along a plan.
#include "math/cholesky.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "math/blas.h"
#include "math/dense_cholesky.h"

typedef struct block {
    int nc, nr, ld;
    const int *row;
    int64_t at; // in L
} block;

static block block_of(const plait_cholesky_plan *p, int s)
{
    int nc = p->first[s + 1] - p->first[s], nr = (int)(p->row_ptr[s + 1] - p->row_ptr[s]);
    return (block){nc, nr, nc + nr, p->row + p->row_ptr[s], p->L_ptr[s]};
}

// ---- factorisation -------------------------------------------------------------------------------------------------

size_t plait_cholesky_factorise_room(const plait_cholesky_plan *p)
{
    return (size_t)p->stack + ((size_t)p->branches + 1) * ((size_t)p->n + 1); // updates; two lists of integers each
}

// Adds the update of child c to the block of s and to its own update U. local: where each row of L stands in s.
static void extend_add(const plait_cholesky_plan *p, int c, const double *from, const int *local, const block *b,
                       double *front, double *U)
{
    const int *row = p->row + p->row_ptr[c];
    int nr = (int)(p->row_ptr[c + 1] - p->row_ptr[c]);
    for (int k = 0; k < nr; k++) {
        int column = local[row[k]];
        const double *x = from + (int64_t)k * nr;
        if (column < b->nc) {
            double *to = front + (int64_t)column * b->ld;
            for (int i = k; i < nr; i++)
                to[local[row[i]]] += x[i];
        } else {
            double *to = U + (int64_t)(column - b->nc) * b->nr - b->nc;
            for (int i = k; i < nr; i++)
                to[local[row[i]]] += x[i];
        }
    }
}

// Where a piece of the tree keeps the updates that wait for their parents.
typedef struct piece {
    double *top;       // end of those that are here
    int *local, *open; // [n] where each row of L stands in the present block; supernodes whose updates wait
    int count;         // of open
} piece;

static piece piece_at(const plait_cholesky_plan *p, double *work, int64_t at, int number)
{
    int *lists = (int *)(work + p->stack) + 2 * (int64_t)p->n * number;
    return (piece){work + at, lists, lists + p->n, 0};
}

// The update of a branch's root; NULL: s is none.
static const double *branch_update(const plait_cholesky_plan *p, const double *work, int s)
{
    for (int k = 0; work && k < p->branches; k++)
        if (p->branch[k].to == s)
            return work + p->branch[k].at;
    return NULL;
}

// One supernode. work: where branches have left their updates; NULL: in a branch. Returns -1, or the row whose pivot is
// not positive.
static int factorise_one(const plait_cholesky_plan *p, int s, piece *x, const double *work, plait_team team, double *L)
{
    block b = block_of(p, s);
    int64_t size = (int64_t)b.nr * b.nr, freed = 0;
    double *U = x->top;
    for (int i = 0; i < b.nc; i++)
        x->local[p->first[s] + i] = i;
    for (int i = 0; i < b.nr; i++)
        x->local[b.row[i]] = b.nc + i;
    memset(U, 0, (size_t)size * sizeof *U);
    for (; x->count > 0 && p->parent[x->open[x->count - 1]] == s; x->count--) {
        int child = x->open[x->count - 1];
        const double *from = branch_update(p, work, child);
        int64_t rows = p->row_ptr[child + 1] - p->row_ptr[child];
        freed += from ? 0 : rows * rows;
        extend_add(p, child, from ? from : x->top - freed, x->local, &b, L + b.at, U);
    }
    int bad = plait_dense_eliminate(b.nc, b.nr, L + b.at, b.ld, U, b.nr, team);
    if (bad > 0)
        return p->perm[p->first[s] + bad - 1];
    if (freed > 0)
        memmove(x->top - freed, U, (size_t)size * sizeof *U);
    x->top += size - freed;
    if (b.nr > 0)
        x->open[x->count++] = s;
    return -1;
}

static int factorise(const plait_cholesky_plan *p, plait_team team, double *work, double *L)
{
    int bad[sizeof p->branch / sizeof *p->branch];
    team = plait_team_if(p->branches > 0, team);
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads) if (team.threads > 1)
    for (int k = 0; k < p->branches; k++) {
        piece x = piece_at(p, work, p->branch[k].at, k);
        bad[k] = -1;
        for (int s = p->branch[k].from; s <= p->branch[k].to && bad[k] < 0; s++)
            bad[k] = factorise_one(p, s, &x, NULL, PLAIT_ALONE, L);
    }
    piece x = piece_at(p, work, p->top_at, p->branches);
    for (int s = 0, k = 0; s < p->supernodes; s++) {
        int wrong = -1;
        if (k < p->branches && s == p->branch[k].from) {
            s = p->branch[k].to, wrong = bad[k++];
            if (p->row_ptr[s + 1] > p->row_ptr[s])
                x.open[x.count++] = s;
        } else {
            wrong = factorise_one(p, s, &x, work, team, L);
        }
        if (wrong >= 0)
            return wrong;
    }
    return -1;
}

int plait_cholesky_factorise(const plait_cholesky_plan *p, const double *val, plait_team team, double *work, double *L)
{
    memset(L, 0, (size_t)plait_cholesky_size(p) * sizeof *L);
    for (int64_t k = 0; k < p->entries; k++)
        L[p->target[k]] += p->half[k] ? 0.5 * val[k] : val[k];
    plait_blas_serial_begin();
    int bad = factorise(p, team, work, L);
    plait_blas_serial_end();
    return bad;
}

// ---- solution ------------------------------------------------------------------------------------------------------

size_t plait_cholesky_solve_room(const plait_cholesky_plan *p, int count)
{
    return ((size_t)p->n + (size_t)p->most_rows) * (size_t)count;
}

// X_J <- L_JJ^-1 X_J, then T <- L_RJ X_J.
static void forward_block(const block *b, const double *L, int count, double *X, int64_t ldx, double *T)
{
    plait_blas_trsm('L', 'N', b->nc, count, L, b->ld, X, (int)ldx);
    if (b->nr > 0)
        plait_blas_gemm('N', b->nr, count, b->nc, 1, L + b->nc, b->ld, X, (int)ldx, 0, T, b->nr);
}

// super: the list of supernodes; NULL: all.
static void solve_ordered(const plait_cholesky_plan *p, const double *L, int supers, const int *super, int count,
                          double *T, double *X)
{
    int64_t n = p->n;
    for (int j = 0; j < supers; j++) {
        int s = super ? super[j] : j;
        block b = block_of(p, s);
        forward_block(&b, L + b.at, count, X + p->first[s], n, T);
        for (int k = 0; k < count; k++)
            for (int i = 0; i < b.nr; i++)
                X[k * n + b.row[i]] -= T[(int64_t)k * b.nr + i];
    }
    for (int j = supers - 1; j >= 0; j--) {
        int s = super ? super[j] : j;
        block b = block_of(p, s);
        double *x = X + p->first[s];
        for (int k = 0; k < count; k++)
            for (int i = 0; i < b.nr; i++)
                T[(int64_t)k * b.nr + i] = X[k * n + b.row[i]];
        if (b.nr > 0)
            plait_blas_gemm('T', b.nc, count, b.nr, -1, L + b.at + b.nc, b.ld, T, b.nr, 1, x, (int)n);
        plait_blas_trsm('L', 'T', b.nc, count, L + b.at, b.ld, x, (int)n);
    }
}

void plait_cholesky_solve(const plait_cholesky_plan *p, const double *L, int count, double *work, double *x)
{
    int64_t n = p->n;
    double *X = work;
    for (int k = 0; k < count; k++)
        for (int i = 0; i < p->n; i++)
            X[k * n + i] = x[k * n + p->perm[i]];
    plait_blas_serial_begin();
    solve_ordered(p, L, p->supernodes, NULL, count, work + n * count, X);
    plait_blas_serial_end();
    for (int k = 0; k < count; k++)
        for (int i = 0; i < p->n; i++)
            x[k * n + p->perm[i]] = X[k * n + i];
}

void plait_cholesky_solve_part(const plait_cholesky_plan *p, const double *L, int supers, const int *super,
                               double *work, double *x)
{
    double *X = work;
    for (int j = 0; j < supers; j++)
        for (int i = p->first[super[j]]; i < p->first[super[j] + 1]; i++)
            X[i] = x[p->perm[i]];
    plait_blas_serial_begin();
    solve_ordered(p, L, supers, super, 1, work + p->n, X);
    plait_blas_serial_end();
    for (int j = 0; j < supers; j++)
        for (int i = p->first[super[j]]; i < p->first[super[j] + 1]; i++)
            x[p->perm[i]] = X[i];
}

// ---- sparse right sides --------------------------------------------------------------------------------------------

bool plait_cholesky_path_alloc(plait_cholesky_path *path, const plait_cholesky_plan *p)
{
    size_t count = (size_t)p->supernodes + 1;
    *path = (plait_cholesky_path){.super = plait_malloc(2 * count * sizeof *path->super)};
    if (!path->super)
        return false;
    path->offset = path->super + count;
    memset(path->offset, -1, count * sizeof *path->offset);
    return true;
}

void plait_cholesky_path_free(plait_cholesky_path *path)
{
    plait_free(path->super);
    *path = (plait_cholesky_path){0};
}

void plait_cholesky_path_add(plait_cholesky_path *path, const plait_cholesky_plan *p, int row)
{
    for (int s = p->super[p->place[row]]; s >= 0 && path->offset[s] < 0; s = p->parent[s])
        path->offset[s] = 0, path->super[path->count++] = s;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

void plait_cholesky_path_finish(plait_cholesky_path *path, const plait_cholesky_plan *p)
{
    plait_sort(path->super, (size_t)path->count, sizeof *path->super, by_value);
    path->rows = 0;
    for (int k = 0; k < path->count; k++) {
        int s = path->super[k];
        path->offset[s] = path->rows, path->rows += p->first[s + 1] - p->first[s];
    }
}

void plait_cholesky_path_clear(plait_cholesky_path *path)
{
    for (int k = 0; k < path->count; k++)
        path->offset[path->super[k]] = -1;
    path->count = path->rows = 0;
}

void plait_cholesky_path_costs(const plait_cholesky_plan *p, double *cost)
{
    for (int s = p->supernodes - 1; s >= 0; s--) {
        block b = block_of(p, s);
        cost[s] = (double)b.nc * (b.nc + 2.0 * b.nr) + (p->parent[s] >= 0 ? cost[p->parent[s]] : 0);
    }
}

void plait_cholesky_forward(const plait_cholesky_plan *p, const double *L, const plait_cholesky_path *path, int count,
                            double *work, double *X)
{
    int64_t ld = path->rows;
    plait_blas_serial_begin();
    for (int m = 0; m < path->count; m++) {
        int s = path->super[m];
        block b = block_of(p, s);
        forward_block(&b, L + b.at, count, X + path->offset[s], ld, work);
        for (int i = 0; i < b.nr; i++) { // rows below lie in supernodes of the path
            int to = path->offset[p->super[b.row[i]]] + b.row[i] - p->first[p->super[b.row[i]]];
            for (int k = 0; k < count; k++)
                X[k * ld + to] -= work[(int64_t)k * b.nr + i];
        }
    }
    plait_blas_serial_end();
}
