#include "contact/operator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/operator_parts.h"
#include "contact/share.h"
#include "contact/spread.h"
#include "math/sparse.h"

enum { MANY_PRODUCTS = 20 }; // after these, matrices of bodies are worth their making
enum { DENSE_MOST = 2400 };  // rows
#define DENSE_FILL 0.15
#define QUICK 2.0 // flops of matrices times matrices in the time of a byte that is read

plait_operator *plait_operator_new(const plait_problem *p, plait_team team, plait_error *error)
{
    plait_operator *op = plait_calloc(1, sizeof *op);
    if (op) {
        op->n = p->n, op->team = team, op->problem = p;
        op->W = p->W, op->compliance = p->compliance;
        op->diagonal = plait_malloc(9 * ((size_t)p->n + 1) * sizeof *op->diagonal);
        if (op->compliance)
            op->scratch = plait_compliance_scratch_new(op->compliance, team);
    }
    if (!op || !op->diagonal || (op->compliance && !op->scratch)) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a group of %d contacts", p->n);
        plait_operator_free(op);
        return NULL;
    }
    if (p->W) {
        for (int i = 0; i < p->n; i++)
            memcpy(op->diagonal + 9 * (int64_t)i, p->W->val + 9 * plait_block_matrix_find(p->W, i, i),
                   9 * sizeof(double));
    } else {
        memcpy(op->diagonal, p->compliance->diagonal, 9 * (size_t)p->n * sizeof *op->diagonal);
    }
    op->traffic = p->compliance ? plait_compliance_traffic(p->compliance, op->scratch) : INFINITY;
    return op;
}

void plait_operator_free(plait_operator *op)
{
    if (!op)
        return;
    plait_spread_free(op->spread);
    plait_compliance_scratch_free(op->scratch), plait_block_matrix_free(op->own_W);
    plait_free(op->diagonal), plait_free(op);
}

bool plait_operator_need_blocks(plait_operator *op, plait_stop *stop)
{
    if (!op->W)
        op->W = op->own_W = plait_compliance_assemble(op->compliance, op->team, stop, NULL);
    return op->W != NULL;
}

static void block_apply(const plait_block_matrix *W, plait_team team, const double *r, const double *b, double *u)
{
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1 && W->ptr[W->n] > 20000)
    for (int i = 0; i < W->n; i++)
        plait_block_matrix_row(W, i, r, b, u);
}

bool plait_operator_apply(plait_operator *op, const double *r, const double *b, double *u)
{
    if (op->share) {
        plait_share_apply(op->share, ++op->products >= MANY_PRODUCTS, r, b, u);
        return true;
    }
    // A group without W has dynamics. With both, the factored form is taken unless W is smaller.
    if (op->compliance && (!op->W || op->traffic < 76.0 * (double)op->W->ptr[op->n])) {
        if (op->spread) {
            plait_spread_apply(op->spread, r, b, u);
            return true;
        }
        if (++op->products == MANY_PRODUCTS)
            plait_compliance_densify(op->compliance, op->scratch);
        plait_compliance_apply(op->compliance, r, b, op->scratch, u);
        return !op->scratch->no_memory;
    }
    block_apply(op->W, op->team, r, b, u);
    return true;
}

const double *plait_operator_diagonal(const plait_operator *op)
{
    return op->diagonal;
}

void plait_operator_neighbours(const plait_operator *op, int i, void (*visit)(void *data, int j), void *data)
{
    const plait_compliance *c = op->compliance;
    for (int k = c ? c->contact_ptr[i] : 0; c && k < c->contact_ptr[i + 1]; k++) {
        int b = c->limb_body[c->contact_limb[k]];
        for (int m = c->body[b].first_limb; m < c->body[b + 1].first_limb; m++)
            visit(data, c->limb[m].contact);
    }
    for (int64_t k = c ? 0 : op->W->ptr[i]; !c && k < op->W->ptr[i + 1]; k++)
        visit(data, op->W->col[k]);
}

double plait_operator_flops(const plait_operator *op)
{
    double blocks = op->W ? 18.0 * (double)op->W->ptr[op->n] : INFINITY;
    return fmax(1, fmin(blocks, op->traffic / 4)); // a product and a sum for each number that is read
}

double plait_operator_worth(const plait_operator *op, double flops)
{
    double blocks = op->W ? 76.0 * (double)op->W->ptr[op->n] : INFINITY;
    return flops / (QUICK * fmax(1, fmin(blocks, op->traffic)));
}

bool plait_operator_dense(const plait_operator *op)
{
    double n = op->n;
    return op->W && 3 * n <= DENSE_MOST && (double)op->W->ptr[op->n] > DENSE_FILL * n * n;
}

plait_operator_facts plait_operator_get_facts(const plait_operator *op)
{
    const plait_compliance *c = op->compliance;
    plait_operator_facts facts = {.dofs = c ? c->dofs : 0};
    double flops = 0;
    for (int b = 0; c && b < c->bodies; b++) {
        double columns = 3.0 * (c->body[b + 1].first_limb - c->body[b].first_limb);
        const plait_factor *f = &c->pack[c->body[b].pack];
        if (columns == 0)
            continue;
        facts.touched++, facts.touched_dofs += c->body[b].size;
        if (f->kind != PLAIT_FACTOR_SPARSE)
            continue;
        facts.heavy = true; // forward with all columns, then the products of any two
        double dofs = c->body[b].touched.dofs;
        flops += dofs > 0 ? 6 * dofs * columns + 6 * columns * columns // with M^-1 at hand
                          : 2 * columns * (double)plait_factor_numbers(f) + columns * columns * c->body[b].size;
    }
    facts.assembly = op->W ? 0 : plait_operator_worth(op, flops);
    return facts;
}
