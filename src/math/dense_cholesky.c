#include "math/dense_cholesky.h"

#include <lapacke.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>

#include "math/blas.h"

enum { TILE = 192, WHOLE = 2 * TILE }; // rows; smaller matrices are one tile

static int tiles(int rows)
{
    return (rows + TILE - 1) / TILE;
}

static int wide(int rows, int tile)
{
    int left = rows - tile * TILE;
    return left < TILE ? left : TILE;
}

// C <- C - A A^T, the lower triangle of tile (i, j), i >= j, in the first `columns` columns; A: [rows][inner].
static void update_tile(int rows, int columns, int inner, int i, int j, const double *A, int ld, double *C, int ldc)
{
    const double *Ai = A + (ptrdiff_t)i * TILE, *Aj = A + (ptrdiff_t)j * TILE;
    double *to = C + (ptrdiff_t)j * TILE * ldc + (ptrdiff_t)i * TILE;
    int high = wide(rows, i), across = wide(columns, j), square = i == j ? across : 0;
    if (square > 0)
        plait_blas_syrk(square, inner, Ai, ld, to, ldc);
    if (high > square)
        plait_blas_outer(high - square, across, inner, Ai + square, ld, Aj, ld, to + square, ldc);
}

// The tiles of the first `columns` columns of C <- C - A A^T, column by column.
static void update(int rows, int columns, int inner, const double *A, int ld, double *C, int ldc, plait_team team)
{
    int down = tiles(rows), across = tiles(columns);
#pragma omp parallel for collapse(2) schedule(dynamic, 1) num_threads(team.threads) if (team.threads > 1)
    for (int j = 0; j < across; j++)
        for (int i = 0; i < down; i++)
            if (i >= j)
                update_tile(rows, columns, inner, i, j, A, ld, C, ldc);
}

static int factorise(int nc, double *A, int ld)
{
    lapack_int bad = LAPACKE_dpotrf_work(LAPACK_COL_MAJOR, 'L', nc, A, ld);
    for (int k = 0; bad == 0 && k < nc; k++)
        if (!isfinite(A[(ptrdiff_t)k * (ld + 1)]))
            bad = k + 1;
    return bad > 0 ? (int)bad : bad < 0;
}

static int eliminate_whole(int nc, int nr, double *A, int ld, double *U, int ldu)
{
    int bad = factorise(nc, A, ld);
    if (bad != 0 || nr == 0)
        return bad;
    plait_blas_trsm('R', 'T', nr, nc, A, ld, A + nc, ld);
    plait_blas_syrk(nr, nc, A + nc, ld, U, ldu);
    return 0;
}

int plait_dense_eliminate(int nc, int nr, double *A, int ld, double *U, int ldu, plait_team team)
{
    if (nc + nr <= WHOLE)
        return eliminate_whole(nc, nr, A, ld, U, ldu);
    for (int k = 0; k < tiles(nc); k++) {
        int here = wide(nc, k), at = k * TILE, rest = nc + nr - at - here;
        double *D = A + (ptrdiff_t)at * (ld + 1), *below = D + here;
        int bad = factorise(here, D, ld);
        if (bad != 0)
            return at + bad;
#pragma omp parallel for schedule(dynamic, 1) num_threads(team.threads) if (team.threads > 1)
        for (int i = 0; i < tiles(rest); i++)
            plait_blas_trsm('R', 'T', wide(rest, i), here, D, ld, below + (ptrdiff_t)i * TILE, ld);
        update(rest, nc - at - here, here, below, ld, below + (ptrdiff_t)here * ld, ld, team);
    }
    if (nr > 0)
        update(nr, nr, nc, A + nc, ld, U, ldu, team);
    return 0;
}
