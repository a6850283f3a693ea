#include "math/factor.h"

#include "math/band_pack.h"

// Bands up to this half-bandwidth stay bands unless they are very long; wider ones unless they are small.
enum { NARROW = 48, SMALL_BAND = 200000, LARGEST_BAND = 2000000 };

typedef struct factor_row {
    const char *name;
    int lanes;
    int64_t (*numbers)(const plait_factor *f);
    size_t (*room)(const plait_factor *f);
    size_t (*solve_room)(const plait_factor *f, int count);
    long (*factorise)(plait_factor *f, const double *val, plait_team team, double *work);
    void (*solve)(const plait_factor *f, double *work, double *X);
    void (*solve_many)(const plait_factor *f, int lane, int first, int count, double *work, double *X);
} factor_row;

// ---- bands in lanes ------------------------------------------------------------------------------------------------

static plait_band_pack pack_of(const plait_factor *f)
{
    return (plait_band_pack){f->size, f->width, f->L};
}

static int64_t band_numbers(const plait_factor *f)
{
    return (int64_t)f->size * (f->width + 1) * PLAIT_LANES;
}

static size_t no_room(const plait_factor *f)
{
    (void)f;
    return 0;
}

static size_t no_solve_room(const plait_factor *f, int count)
{
    (void)f, (void)count;
    return 0;
}

static long band_factorise(plait_factor *f, const double *val, plait_team team, double *work)
{
    (void)val, (void)team, (void)work;
    plait_band_pack p = pack_of(f);
    return plait_band_pack_factorise(&p);
}

static void band_solve(const plait_factor *f, double *work, double *X)
{
    (void)work;
    plait_band_pack p = pack_of(f);
    plait_band_pack_solve(&p, X);
}

static void band_solve_many(const plait_factor *f, int lane, int first, int count, double *work, double *X)
{
    (void)count, (void)work; // all lanes cost the same
    plait_band_pack p = pack_of(f);
    plait_band_pack_solve_many(&p, lane, first, X);
}

// ---- sparse --------------------------------------------------------------------------------------------------------

static int64_t sparse_numbers(const plait_factor *f)
{
    return plait_cholesky_size(f->plan);
}

static size_t sparse_room(const plait_factor *f)
{
    return plait_cholesky_factorise_room(f->plan);
}

static size_t sparse_solve_room(const plait_factor *f, int count)
{
    return (size_t)f->size * (size_t)count + plait_cholesky_solve_room(f->plan, count);
}

static long sparse_factorise(plait_factor *f, const double *val, plait_team team, double *work)
{
    return plait_cholesky_factorise(f->plan, val, team, work, f->L);
}

static void sparse_solve(const plait_factor *f, double *work, double *X)
{
    plait_cholesky_solve(f->plan, f->L, 1, work, X);
}

static void sparse_solve_many(const plait_factor *f, int lane, int first, int count, double *work, double *X)
{
    (void)lane, (void)first;
    double *Y = work; // column by column
    for (int a = 0; a < count; a++)
        for (int i = 0; i < f->size; i++)
            Y[(int64_t)a * f->size + i] = X[(int64_t)i * PLAIT_LANES + a];
    plait_cholesky_solve(f->plan, f->L, count, work + (int64_t)count * f->size, Y);
    for (int i = 0; i < f->size; i++)
        for (int a = 0; a < count; a++)
            X[(int64_t)i * PLAIT_LANES + a] = Y[(int64_t)a * f->size + i];
}

// ---- the table -----------------------------------------------------------------------------------------------------

static const factor_row rows[PLAIT_FACTOR_KINDS] = {
    [PLAIT_FACTOR_BAND] = {"band", PLAIT_LANES, band_numbers, no_room, no_solve_room, band_factorise, band_solve,
                           band_solve_many},
    [PLAIT_FACTOR_DENSE] = {"dense", PLAIT_LANES, band_numbers, no_room, no_solve_room, band_factorise, band_solve,
                            band_solve_many},
    [PLAIT_FACTOR_SPARSE] = {"sparse", 1, sparse_numbers, sparse_room, sparse_solve_room, sparse_factorise,
                             sparse_solve, sparse_solve_many},
};

const char *plait_factor_name(plait_factor_kind kind)
{
    return (unsigned)kind < PLAIT_FACTOR_KINDS ? rows[kind].name : "?";
}

int plait_factor_lanes(plait_factor_kind kind)
{
    return rows[kind].lanes;
}

plait_factor_kind plait_factor_choose(int size, int width)
{
    int64_t entries = (int64_t)size * (width + 1);
    if (entries > LARGEST_BAND || (width > NARROW && entries > SMALL_BAND))
        return PLAIT_FACTOR_SPARSE;
    return width + 1 >= size ? PLAIT_FACTOR_DENSE : PLAIT_FACTOR_BAND;
}

int64_t plait_factor_numbers(const plait_factor *f)
{
    return rows[f->kind].numbers(f);
}

size_t plait_factor_room(const plait_factor *f)
{
    return rows[f->kind].room(f);
}

size_t plait_factor_solve_room(const plait_factor *f, int count)
{
    return rows[f->kind].solve_room(f, count);
}

long plait_factor_factorise(plait_factor *f, const double *val, plait_team team, double *work)
{
    return rows[f->kind].factorise(f, val, team, work);
}

void plait_factor_solve(const plait_factor *f, double *work, double *X)
{
    rows[f->kind].solve(f, work, X);
}

void plait_factor_solve_many(const plait_factor *f, int lane, int first, int count, double *work, double *X)
{
    rows[f->kind].solve_many(f, lane, first, count, work, X);
}
