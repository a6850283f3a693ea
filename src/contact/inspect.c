// inspect.c: what can be said of a problem before it is solved.
#include <math.h>
#include <stdlib.h>

#include "contact/compliance.h"
#include "contact/groups.h"
#include "math/sparse.h"
#include "plait/contact.h"

static double block_asymmetry(const plait_block_matrix *W)
{
    double largest = 0, difference = 0;
    for (int i = 0; i < W->n; i++)
        for (int64_t k = W->ptr[i]; k < W->ptr[i + 1]; k++) {
            int64_t t = plait_block_matrix_find(W, W->col[k], i);
            for (int a = 0; a < 9; a++) {
                double x = W->val[9 * k + a], y = t < 0 ? 0 : W->val[9 * t + 3 * (a % 3) + a / 3];
                largest = fmax(largest, fabs(x)), difference = fmax(difference, fabs(x - y));
            }
        }
    return largest > 0 ? difference / largest : 0;
}

// rank W <= dofs that contacts touch, and <= rows of W that are not zero.
static int rank_bound(const plait_problem *p)
{
    int rows = 0, dofs = 0;
    for (int i = 0; i < p->n; i++)
        rows += p->trace[i] > 0 ? p->dimension : 0;
    if (!p->compliance)
        return rows;
    for (int b = 0; b < p->compliance->bodies; b++)
        if (p->compliance->body[b + 1].first_limb > p->compliance->body[b].first_limb)
            dofs += p->compliance->body[b].size;
    return dofs < rows ? dofs : rows;
}

plait_status plait_problem_inspect(const plait_problem *p, plait_problem_info *info, plait_error *error)
{
    *info = (plait_problem_info){.contacts = p->n};
    plait_groups *g = plait_groups_new(p, NULL, error);
    if (!g)
        return PLAIT_NO_MEMORY;
    info->groups = g->count, info->largest_group = g->largest;
    plait_groups_free(g);
    if (p->dynamics) {
        info->dofs = p->dynamics->dofs, info->bodies = p->compliance->bodies;
        info->nu = info->dofs > 0 ? 3.0 * p->n / info->dofs : 0;
    }
    info->blocks = p->W ? p->W->ptr[p->n] : plait_compliance_count_blocks(p->compliance, error);
    if (info->blocks < 0)
        return PLAIT_NO_MEMORY;
    info->asymmetry = p->asymmetry > 0 || !p->W || p->dynamics ? p->asymmetry : block_asymmetry(p->W);
    info->rank_bound = rank_bound(p);
    for (int i = 0; i < p->n; i++) {
        info->trace_min = i == 0 ? p->trace[i] : fmin(info->trace_min, p->trace[i]);
        info->trace_max = fmax(info->trace_max, p->trace[i]);
        info->mu_min = i == 0 ? p->mu[i] : fmin(info->mu_min, p->mu[i]);
        info->mu_max = fmax(info->mu_max, p->mu[i]);
    }
    return PLAIT_OK;
}
