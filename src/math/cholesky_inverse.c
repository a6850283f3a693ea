// cholesky_inverse.c: those entries of A^-1 that lie where L has entries.
//
// With L = [L_JJ; L_RJ] of a supernode and Z = A^-1 known on the rows R below it (they are among those of its parent),
//     Z_RJ = -Z_RR U,   Z_JJ = (L_JJ L_JJ^T)^-1 - U^T Z_RJ,   U = L_RJ L_JJ^-1            (Takahashi's equations)
// Fronts of the path from the root to the supernode at hand are kept on a stack.
#include <lapacke.h>
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/pool.h"
#include "math/blas.h"
#include "math/cholesky.h"

typedef struct inverse {
    const plait_cholesky_plan *plan;
    const double *L;
    double *stack, *top; // fronts of the path
    double *U;           // [most rows below][most columns]
    int *local, *map;    // [n] by place, [most rows]
} inverse;

static int64_t rows_of(const plait_cholesky_plan *p, int s)
{
    return p->first[s + 1] - p->first[s] + p->row_ptr[s + 1] - p->row_ptr[s];
}

// Numbers of the fronts on the longest path, and of the largest U.
static int64_t stack_room(const plait_cholesky_plan *p, int64_t *sum, int64_t *largest)
{
    int64_t most = 0;
    for (int s = p->supernodes - 1; s >= 0; s--) {
        int64_t rows = rows_of(p, s), below = p->row_ptr[s + 1] - p->row_ptr[s];
        sum[s] = rows * rows + (p->parent[s] >= 0 ? sum[p->parent[s]] : 0);
        most = sum[s] > most ? sum[s] : most;
        *largest = below * (rows - below) > *largest ? below * (rows - below) : *largest;
    }
    return most;
}

// Z_RR from the front of the parent, whose rows hold R.
static void copy_from_parent(inverse *x, int s, int nc, int nr, const double *parent, int64_t parent_rows, double *F)
{
    const plait_cholesky_plan *p = x->plan;
    const int *row = p->row + p->row_ptr[s], *above = p->row + p->row_ptr[p->parent[s]];
    int first = p->first[p->parent[s]], columns = p->first[p->parent[s] + 1] - first, at = 0;
    for (int i = 0; i < nr; i++) {
        if (row[i] < first + columns) {
            x->map[i] = row[i] - first;
            continue;
        }
        while (above[at] < row[i])
            at++;
        x->map[i] = columns + at;
    }
    int64_t ld = nc + nr;
    for (int k = 0; k < nr; k++) {
        const double *from = parent + x->map[k] * parent_rows;
        double *to = F + (nc + k) * ld + nc;
        for (int i = k; i < nr; i++)
            to[i] = from[x->map[i]];
    }
}

static bool front(inverse *x, int s, const double *parent, int64_t parent_rows, double *F)
{
    const plait_cholesky_plan *p = x->plan;
    int nc = p->first[s + 1] - p->first[s], nr = (int)(p->row_ptr[s + 1] - p->row_ptr[s]), ld = nc + nr;
    const double *L = x->L + p->L_ptr[s];
    for (int k = 0; k < nc; k++)
        memcpy(F + (int64_t)k * ld, L + (int64_t)k * ld, (size_t)nc * sizeof *F);
    if (LAPACKE_dpotri_work(LAPACK_COL_MAJOR, 'L', nc, F, ld) != 0)
        return false;
    if (nr == 0)
        return true;
    copy_from_parent(x, s, nc, nr, parent, parent_rows, F);
    for (int k = 0; k < nc; k++)
        memcpy(x->U + (int64_t)k * nr, L + (int64_t)k * ld + nc, (size_t)nr * sizeof *F);
    plait_blas_trsm('R', 'N', nr, nc, L, ld, x->U, nr);
    plait_blas_symm(nr, nc, F + (int64_t)nc * ld + nc, ld, x->U, nr, F + nc, ld);
    plait_blas_gemm('T', nc, nc, nr, -1, x->U, nr, F + nc, ld, 1, F, ld); // the upper triangle gets nonsense
    return true;
}

static bool walk(inverse *x, const unsigned char *wanted, plait_cholesky_front use, void *data, int64_t *size)
{
    const plait_cholesky_plan *p = x->plan;
    int *path = x->map + p->most_rows, depth = 0;
    for (int s = p->supernodes - 1; s >= 0; s--) { // parents before children, each subtree in one piece
        if (wanted && !wanted[s])
            continue;
        while (depth > 0 && path[depth - 1] != p->parent[s])
            depth--, x->top -= size[path[depth]];
        int64_t rows = rows_of(p, s), above = depth > 0 ? rows_of(p, path[depth - 1]) : 0;
        if (!front(x, s, x->top - above * above, above, x->top))
            return false;
        for (int i = p->first[s]; i < p->first[s + 1]; i++)
            x->local[i] = i - p->first[s];
        for (int64_t k = p->row_ptr[s]; k < p->row_ptr[s + 1]; k++)
            x->local[p->row[k]] = (int)(p->first[s + 1] - p->first[s] + k - p->row_ptr[s]);
        use(data, s, x->top, (int)rows, x->local);
        path[depth++] = s, size[s] = rows * rows, x->top += size[s];
    }
    return true;
}

void plait_cholesky_want(const plait_cholesky_plan *p, int place, unsigned char *wanted)
{
    for (int s = p->super[place]; s >= 0 && !wanted[s]; s = p->parent[s])
        wanted[s] = 1;
}

double plait_cholesky_inverse_part(const plait_cholesky_plan *p, const unsigned char *wanted)
{
    double part = 0, all = 0;
    for (int s = 0; s < p->supernodes; s++) {
        double rows = (double)rows_of(p, s), columns = p->first[s + 1] - p->first[s], flops = columns * rows * rows;
        part += wanted[s] ? flops : 0, all += flops;
    }
    return part / all;
}

bool plait_cholesky_inverse(const plait_cholesky_plan *p, const double *L, const unsigned char *wanted,
                            plait_cholesky_front use, void *data)
{
    int64_t *sum = plait_malloc(((size_t)p->supernodes + 1) * sizeof *sum), largest = 0;
    if (!sum)
        return false;
    int64_t room = stack_room(p, sum, &largest);
    inverse x = {.plan = p, .L = L};
    x.stack = x.top = plait_malloc(((size_t)room + 1) * sizeof *x.stack);
    x.U = plait_malloc(((size_t)largest + 1) * sizeof *x.U);
    x.local = plait_malloc(((size_t)p->n + (size_t)p->most_rows + (size_t)p->supernodes + 1) * sizeof *x.local);
    bool ok = x.stack && x.U && x.local;
    if (ok) {
        x.map = x.local + p->n;
        plait_blas_serial_begin();
        ok = walk(&x, wanted, use, data, sum);
        plait_blas_serial_end();
    }
    plait_free(sum), plait_free(x.stack), plait_free(x.U), plait_free(x.local);
    return ok;
}

bool plait_cholesky_has_row(const plait_cholesky_plan *p, int s, int place)
{
    if (place < p->first[s + 1])
        return place >= p->first[s];
    int64_t end = p->row_ptr[s + 1], at = plait_place_of(p->row, p->row_ptr[s], end, place);
    return at < end && p->row[at] == place;
}
