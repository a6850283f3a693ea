// compliance_factors.c: from M to factors: bodies of like shape side by side in lanes, sparse ones alone.
#include <stdlib.h>
#include <string.h>

#include "base/order.h"
#include "base/parallel.h"
#include "base/pool.h"
#include "contact/compliance.h"
#include "math/band_pack.h"
#include "math/sparse.h"

typedef struct shape {
    int size, width, limbs, body; // in the order in which they are sorted by
} shape;

static int by_shape(const void *a, const void *b)
{
    return plait_compare_ints(a, b, sizeof(shape) / sizeof(int));
}

// ---- bands ---------------------------------------------------------------------------------------------------------

static void fill_lane_band(plait_compliance *c, int b)
{
    const plait_mass_block *body = &c->body[b];
    const plait_bands *B = &c->bands;
    plait_band_pack p = {c->pack[body->pack].size, c->pack[body->pack].width, c->pack[body->pack].L};
    for (int k = 0; k < body->size; k++)
        for (int d = 0; d <= B->width[b] && k + d < body->size; d++)
            plait_band_pack_at(&p, k + d, p.width - d)[body->lane] =
                B->val[B->ptr[b] + (int64_t)k * (B->width[b] + 1) + d];
}

static void fill_lane_sparse(plait_compliance *c, const plait_sparse *M, const int *place, int b)
{
    const plait_mass_block *body = &c->body[b];
    plait_band_pack p = {c->pack[body->pack].size, c->pack[body->pack].width, c->pack[body->pack].L};
    for (int i = 0; i < body->size; i++) {
        int row = c->order[body->first_dof + i];
        for (int64_t k = M->ptr[row]; k < M->ptr[row + 1]; k++) {
            int j = place[M->col[k]] - body->first_dof;
            if (M->val[k] == 0)
                continue;
            // Half from each triangle: the symmetric part is what counts.
            int low = j < i ? j : i, high = j < i ? i : j;
            plait_band_pack_at(&p, high, low - high + p.width)[body->lane] += low == high ? M->val[k] : 0.5 * M->val[k];
        }
    }
}

// Fills and factorises a pack in lanes. -1, or the pivot that is not positive, as plait_factor_factorise tells.
static long fill_lanes(plait_compliance *c, const plait_sparse *M, const int *place, int i)
{
    plait_factor *f = &c->pack[i];
    plait_band_pack p = {f->size, f->width, f->L};
    memset(f->L, 0, (size_t)plait_factor_numbers(f) * sizeof(double));
    for (int l = 0; l < PLAIT_LANES; l++) {
        int b = c->pack_body[i * PLAIT_LANES + l];
        for (int j = b >= 0 ? c->body[b].size : 0; j < f->size; j++)
            plait_band_pack_at(&p, j, p.width)[l] = 1;
        if (b >= 0 && c->bands.bodies)
            fill_lane_band(c, b);
        else if (b >= 0)
            fill_lane_sparse(c, M, place, b);
    }
    return plait_factor_factorise(f, NULL, PLAIT_ALONE, NULL);
}

// ---- sparse --------------------------------------------------------------------------------------------------------

// The entries of a body that are not zero, in its own rows and columns.
static bool collect_entries(const plait_compliance *c, const plait_sparse *M, const int *place, int b, plait_sparse *A)
{
    const plait_mass_block *body = &c->body[b];
    const plait_bands *B = &c->bands;
    int64_t room = M ? 0 : B->ptr[b + 1] - B->ptr[b], count = 0;
    for (int i = 0; M && i < body->size; i++) {
        int row = c->order[body->first_dof + i];
        room += M->ptr[row + 1] - M->ptr[row];
    }
    plait_triplet *t = plait_malloc(((size_t)room + 1) * sizeof *t);
    for (int i = 0; t && M && i < body->size; i++) {
        int row = c->order[body->first_dof + i];
        for (int64_t k = M->ptr[row]; k < M->ptr[row + 1]; k++)
            if (M->val[k] != 0) // a stored zero may lie in a column of another body
                t[count++] = (plait_triplet){i, place[M->col[k]] - body->first_dof, M->val[k]};
    }
    for (int i = 0; t && !M && i < body->size; i++) // the lower band
        for (int d = 0; d <= B->width[b] && i + d < body->size; d++) {
            double value = B->val[B->ptr[b] + (int64_t)i * (B->width[b] + 1) + d];
            if (value != 0)
                t[count++] = (plait_triplet){i + d, i, value};
        }
    bool ok = t && plait_sparse_from_triplets(body->size, body->size, count, t, A);
    plait_free(t);
    return ok;
}

void plait_compliance_drop_factor(plait_factor *f)
{
    if (!f->borrowed)
        plait_free(f->L);
    f->L = NULL, f->borrowed = false;
}

// Room for L: that of the body if it keeps one.
static bool room_for(plait_factor *f, plait_kept_factor *kept)
{
    if (kept) {
        plait_compliance_drop_factor(f);
        f->L = kept->L, f->borrowed = true;
    } else if (f->borrowed) {
        plait_compliance_drop_factor(f);
    }
    f->L = f->L ? f->L : plait_aligned_alloc(64, ((size_t)plait_factor_numbers(f) / 8 + 1) * 64);
    return f->L != NULL;
}

// As plait_factor_factorise; -2: no memory. A factor that was kept is there already.
static long factorise(plait_factor *f, plait_kept_factor *kept, const double *val, plait_team team)
{
    if (!room_for(f, kept))
        return -2;
    if (kept && kept->done)
        return -1;
    double *work = plait_malloc((plait_factor_room(f) + 1) * sizeof *work);
    long bad = work ? plait_factor_factorise(f, val, team, work) : -2;
    plait_free(work);
    if (kept)
        kept->done = bad == -1;
    return bad;
}

// The factor of a body alone: with the plan of its row, or with one made here.
static bool fill_sparse(plait_compliance *c, const plait_sparse *M, const int *place, int i, plait_error *error)
{
    plait_factor *f = &c->pack[i];
    int b = c->pack_body[i * PLAIT_LANES];
    plait_mass_block *body = &c->body[b];
    plait_sparse A = {0};
    bool given = !M && c->bands.plan[b], ok = given || collect_entries(c, M, place, b, &A);
    if (!ok)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for body %d of %d dofs", b, body->size);
    if (ok && !given) { // entries may have come or gone
        plait_cholesky_plan_free(body->plan), plait_compliance_drop_factor(f);
        body->plan = plait_cholesky_analyse(&A, error);
        ok = body->plan != NULL;
    }
    if (ok) {
        f->plan = given ? c->bands.plan[b] : body->plan;
        long bad =
            factorise(f, given ? c->bands.kept[b] : NULL, given ? c->bands.val + c->bands.ptr[b] : A.val, c->team);
        ok = bad == -1;
        if (bad == -2)
            plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the factor of body %d of %d dofs", b, body->size);
        else if (!ok)
            plait_error_set(error, PLAIT_BAD_INPUT, "M is not positive definite: pivot of dof %d (body %d)",
                            c->order[body->first_dof + (int)bad], b);
    }
    plait_sparse_free(&A);
    return ok;
}

// ---- all -----------------------------------------------------------------------------------------------------------

// All factors, or the wanted ones. The first that is not positive definite is told.
static bool fill_packs(plait_compliance *c, const plait_sparse *M, const int *place, const unsigned char *wanted,
                       plait_error *error)
{
    plait_team team = plait_team_if(c->packs >= PLAIT_MANY_PACKS, c->team);
    int bad = c->packs;
#pragma omp parallel for schedule(dynamic, 8) num_threads(team.threads) reduction(min : bad) if (team.threads > 1)
    for (int i = 0; i < c->packs; i++)
        if ((!wanted || wanted[i]) && c->pack[i].kind != PLAIT_FACTOR_SPARSE && fill_lanes(c, M, place, i) >= 0 &&
            i < bad)
            bad = i;
    if (bad < c->packs) {
        long pivot = fill_lanes(c, M, place, bad); // once more, to tell which
        int b = c->pack_body[bad * PLAIT_LANES + (int)(pivot % PLAIT_LANES)];
        plait_error_set(error, PLAIT_BAD_INPUT, "M is not positive definite: pivot of dof %d (body %d)",
                        c->order[c->body[b].first_dof + (int)(pivot / PLAIT_LANES)], b);
        return false;
    }
    bool ok = true;
    for (int i = 0; ok && i < c->packs; i++)
        if ((!wanted || wanted[i]) && c->pack[i].kind == PLAIT_FACTOR_SPARSE)
            ok = fill_sparse(c, M, place, i, error);
    return ok;
}

// Eight bodies, or as many as there are; L is to be filled.
static bool shape_lanes(plait_compliance *c, int i, const shape *shapes, int banded)
{
    plait_factor *p = &c->pack[i];
    for (int l = 0; l < PLAIT_LANES; l++) {
        int at = i * PLAIT_LANES + l;
        c->pack_body[at] = at < banded ? shapes[at].body : -1;
        if (at >= banded)
            continue;
        p->size = shapes[at].size > p->size ? shapes[at].size : p->size;
        p->width = shapes[at].width > p->width ? shapes[at].width : p->width;
        c->body[shapes[at].body].pack = i, c->body[shapes[at].body].lane = l;
    }
    p->kind = p->width + 1 >= p->size ? PLAIT_FACTOR_DENSE : PLAIT_FACTOR_BAND;
    p->L = plait_aligned_alloc(64, (size_t)plait_factor_numbers(p) * sizeof(double));
    return p->L != NULL;
}

// Bodies in lanes come first in shapes, sorted; sparse ones after them.
static bool shape_packs(plait_compliance *c, const shape *shapes, int banded)
{
    int in_lanes = (banded + PLAIT_LANES - 1) / PLAIT_LANES;
    c->packs = in_lanes + c->bodies - banded;
    c->pack = plait_calloc((size_t)c->packs + 1, sizeof *c->pack);
    c->pack_body = plait_malloc(((size_t)c->packs * PLAIT_LANES + 1) * sizeof *c->pack_body);
    bool ok = c->pack && c->pack_body;
    for (int i = 0; ok && i < c->packs; i++) {
        if (i < in_lanes) {
            ok = shape_lanes(c, i, shapes, banded);
        } else {
            int b = shapes[banded + i - in_lanes].body;
            c->pack[i] = (plait_factor){.kind = PLAIT_FACTOR_SPARSE, .size = c->body[b].size};
            c->body[b].pack = i, c->body[b].lane = 0;
            for (int l = 0; l < PLAIT_LANES; l++)
                c->pack_body[i * PLAIT_LANES + l] = l == 0 ? b : -1;
        }
        c->largest = c->pack[i].size > c->largest ? c->pack[i].size : c->largest;
    }
    return ok;
}

bool plait_compliance_build_factors(plait_compliance *c, const plait_sparse *M, const int *place, plait_error *error)
{
    shape *shapes = plait_malloc(((size_t)c->bodies + 1) * sizeof *shapes);
    int banded = 0, sparse = c->bodies;
    for (int b = 0; shapes && b < c->bodies; b++) {
        plait_mass_block *body = &c->body[b];
        int width =
            M ? plait_compliance_half_bandwidth(M, c->order, body->first_dof, body->size, place) : c->bands.width[b];
        shape one = {body->size, width, body[1].first_limb - body->first_limb, b};
        bool alone = (!M && c->bands.plan[b]) || plait_factor_choose(body->size, width) == PLAIT_FACTOR_SPARSE;
        shapes[alone ? --sparse : banded++] = one;
    }
    if (shapes) {
        plait_sort(shapes, (size_t)banded, sizeof *shapes, by_shape);
        plait_sort(shapes + banded, (size_t)(c->bodies - banded), sizeof *shapes, by_shape);
    }
    bool ok = shapes && shape_packs(c, shapes, banded);
    plait_free(shapes);
    if (!ok)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the factors of %d bodies", c->bodies), false;
    return fill_packs(c, M, place, NULL, error);
}

// ---- factors that come from elsewhere -------------------------------------------------------------------------------

int plait_compliance_factor_width(const plait_compliance *c, int body)
{
    return c->pack[c->body[body].pack].width;
}

void plait_compliance_give_factor(const plait_compliance *c, int body, double *L)
{
    const plait_mass_block *block = &c->body[body];
    const plait_factor *f = &c->pack[block->pack];
    const plait_band_pack p = {f->size, f->width, f->L};
    for (int i = 0; i < block->size; i++)
        for (int k = 0; k <= p.width; k++)
            *L++ = plait_band_pack_at(&p, i, k)[block->lane];
}

static const double *take_lane(plait_compliance *c, int b, int width, const double *L)
{
    const plait_mass_block *body = &c->body[b];
    const plait_factor *f = &c->pack[body->pack];
    const plait_band_pack p = {f->size, f->width, f->L};
    for (int i = 0; i < body->size; i++)
        for (int k = 0; k <= width; k++)
            plait_band_pack_at(&p, i, k + p.width - width)[body->lane] = *L++;
    return L;
}

bool plait_compliance_take_factors(plait_compliance *c, const int *width, const double *L)
{
    shape *shapes = plait_malloc(((size_t)c->bodies + 1) * sizeof *shapes);
    for (int b = 0; shapes && b < c->bodies; b++)
        shapes[b] = (shape){c->body[b].size, width[b], c->body[b + 1].first_limb - c->body[b].first_limb, b};
    if (shapes)
        plait_sort(shapes, (size_t)c->bodies, sizeof *shapes, by_shape);
    bool ok = shapes && shape_packs(c, shapes, c->bodies);
    plait_free(shapes);
    for (int i = 0; ok && i < c->packs; i++) {
        const plait_factor *f = &c->pack[i];
        const plait_band_pack p = {f->size, f->width, f->L};
        memset(f->L, 0, (size_t)plait_factor_numbers(f) * sizeof(double));
        for (int l = 0; l < PLAIT_LANES; l++) { // a factor is the identity where there is no body
            int b = c->pack_body[i * PLAIT_LANES + l];
            for (int j = b >= 0 ? c->body[b].size : 0; j < f->size; j++)
                plait_band_pack_at(&p, j, p.width)[l] = 1;
        }
    }
    for (int b = 0; ok && b < c->bodies; b++)
        L = take_lane(c, b, width[b], L);
    return ok;
}

// ---- changes --------------------------------------------------------------------------------------------------------

plait_status plait_compliance_update(plait_compliance *c, const unsigned char *changed, plait_error *error)
{
    unsigned char *wanted = plait_calloc((size_t)c->n + 1, 1), *pack = plait_calloc((size_t)c->packs + 1, 1);
    bool ok = wanted && pack;
    plait_status status = ok ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d dofs", c->dofs);
    for (int b = 0; ok && b < c->bodies; b++) {
        const plait_mass_block *body = &c->body[b];
        if (!changed[b])
            continue;
        for (int k = body->first_limb; k < c->body[b + 1].first_limb; k++)
            wanted[c->limb[k].contact] = 1;
        pack[body->pack] = 1;
    }
    plait_error why = {0};
    ok = ok && fill_packs(c, NULL, NULL, pack, &why);
    if (status == PLAIT_OK && !ok)
        status = plait_error_set(error, why.status, "%s", why.text);
    if (ok && !plait_compliance_build_diagonal(c, wanted))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", c->n);
    plait_free(wanted), plait_free(pack);
    return status;
}
