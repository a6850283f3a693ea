// operator_rows.c: rows of W, one contact at a time, for sweeps.
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/operator_parts.h"

struct plait_rows {
    const plait_operator *op;
    // velocity space; NULL: assembled
    int64_t *column_ptr; // [limbs] first entry of each limb's three columns
    double *column;
    double *x; // [dofs] M^-1 H^T r in the operator's order
};

static double columns_bytes(const plait_compliance *c)
{
    double bytes = 0;
    for (int k = 0; k < c->limbs; k++)
        bytes += 2 * 24.0 * c->body[c->limb_body[k]].size;
    return bytes;
}

// blocks: of W, if it were assembled
static bool prefer_columns(const plait_operator *op, int64_t blocks)
{
    if (!op->compliance || op->W)
        return false;
    for (int i = 0; i < op->compliance->packs; i++)
        if (plait_factor_lanes(op->compliance->pack[i].kind) == 1)
            return false;
    return columns_bytes(op->compliance) < 76.0 * (double)blocks;
}

// ---- velocity space ------------------------------------------------------------------------------------------------

static bool store_columns(plait_rows *g, plait_stop *stop)
{
    const plait_compliance *c = g->op->compliance;
    int64_t total = 0;
    g->column_ptr = plait_malloc(((size_t)c->limbs + 1) * sizeof *g->column_ptr);
    g->x = plait_malloc(((size_t)c->dofs + 1) * sizeof *g->x);
    if (!g->column_ptr || !g->x)
        return false;
    for (int k = 0; k < c->limbs; k++)
        g->column_ptr[k] = total, total += 3 * (int64_t)c->body[c->limb_body[k]].size;
    g->column = plait_malloc(((size_t)total + 1) * sizeof *g->column);
    return g->column && plait_compliance_columns(c, g->op->team, stop, g->column_ptr, g->column);
}

void plait_rows_refresh(plait_rows *g, const double *all)
{
    const plait_compliance *c = g->op->compliance;
    if (!g->column)
        return;
    plait_team team = plait_team_if(c->limbs > 2000, g->op->team);
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int b = 0; b < c->bodies; b++) {
        double *x = g->x + c->body[b].first_dof;
        int size = c->body[b].size;
        memset(x, 0, (size_t)size * sizeof *x);
        for (int k = c->body[b].first_limb; k < c->body[b + 1].first_limb; k++) {
            const double *r = all + 3 * (int64_t)c->limb[k].contact, *Y = g->column + g->column_ptr[k];
            for (int i = 0; i < size; i++)
                x[i] += Y[3 * i] * r[0] + Y[3 * i + 1] * r[1] + Y[3 * i + 2] * r[2];
        }
    }
}

static void velocity_of_contact(const plait_rows *g, int i, double u[3])
{
    const plait_compliance *c = g->op->compliance;
    for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
        const plait_limb *limb = &c->limb[c->contact_limb[k]];
        const double *h = c->val + 3 * limb->first, *x = g->x + c->body[c->limb_body[c->contact_limb[k]]].first_dof;
        const int *col = c->col + limb->first;
        for (int j = 0; j < limb->count; j++)
            for (int a = 0; a < 3; a++)
                u[a] += h[3 * j + a] * x[col[j]];
    }
}

PLAIT_CLONES static void add_columns(const plait_rows *g, int i, const double dr[3])
{
    const plait_compliance *c = g->op->compliance;
    for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
        int limb = c->contact_limb[k], size = c->body[c->limb_body[limb]].size;
        double *restrict x = g->x + c->body[c->limb_body[limb]].first_dof;
        const double *restrict Y = g->column + g->column_ptr[limb];
        for (int m = 0; m < size; m++)
            x[m] += Y[3 * m] * dr[0] + Y[3 * m + 1] * dr[1] + Y[3 * m + 2] * dr[2];
    }
}

// ---- both ---------------------------------------------------------------------------------------------------------

plait_rows *plait_rows_new(plait_operator *op, plait_stop *stop)
{
    plait_rows *g = plait_calloc(1, sizeof *g);
    if (!g)
        return NULL;
    g->op = op;
    int64_t blocks = op->compliance && !op->W ? plait_compliance_count_blocks(op->compliance, NULL) : 0;
    if (blocks >= 0 && (prefer_columns(op, blocks) ? store_columns(g, stop) : plait_operator_need_blocks(op, stop)))
        return g;
    plait_rows_free(g);
    return NULL;
}

void plait_rows_free(plait_rows *g)
{
    if (g)
        plait_free(g->column_ptr), plait_free(g->column), plait_free(g->x);
    plait_free(g);
}

void plait_rows_add(const plait_rows *g, int i, const double *all, double b[3])
{
    const double *D = g->op->diagonal + 9 * (int64_t)i, *r = all + 3 * (int64_t)i;
    if (g->column) {
        velocity_of_contact(g, i, b);
        for (int a = 0; a < 3; a++)
            b[a] -= D[3 * a] * r[0] + D[3 * a + 1] * r[1] + D[3 * a + 2] * r[2];
        return;
    }
    const plait_block_matrix *W = g->op->W;
    double b0 = b[0], b1 = b[1], b2 = b[2];
    for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++) {
        const double *B = W->val + 9 * k, *x = all + 3 * (int64_t)W->col[k];
        if (W->col[k] == i)
            continue;
        b0 += B[0] * x[0] + B[1] * x[1] + B[2] * x[2];
        b1 += B[3] * x[0] + B[4] * x[1] + B[5] * x[2];
        b2 += B[6] * x[0] + B[7] * x[1] + B[8] * x[2];
    }
    b[0] = b0, b[1] = b1, b[2] = b2;
}

void plait_rows_change(plait_rows *g, int i, const double dr[3])
{
    if (g->column)
        add_columns(g, i, dr);
}
