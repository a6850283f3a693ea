// soft_sum.c: sums over the elements of a soft body.
#include <math.h>
#include <string.h>

#include "body/soft.h"
#include "math/vec3.h"

static void gather(const plait_elements *set, int e, const double *x, double *own)
{
    int n = set->type->nodes;
    const int *node = set->node + (size_t)e * (size_t)n;
    for (int a = 0; a < n; a++)
        plait_vec3_copy(x + 3 * (size_t)node[a], own + 3 * a);
}

double plait_soft_energy(const plait_soft_impl *s, const double *x, double factor, double *g)
{
    double sum = 0;
    for (int k = 0; k < s->sets; k++) {
        const plait_elements *set = &s->set[k];
        int n = set->type->nodes;
        for (int e = 0; e < set->count; e++) {
            double own[3 * PLAIT_ELEMENT_NODES], gradient[3 * PLAIT_ELEMENT_NODES];
            const int *node = set->node + (size_t)e * (size_t)n;
            gather(set, e, x, own);
            sum += set->type->energy(set->data, e, own, gradient, NULL, false);
            for (int a = 0; g && a < n; a++)
                plait_vec3_axpy(factor, gradient + 3 * a, g + 3 * (size_t)node[a]);
        }
    }
    return sum;
}

// Blocks go where their nodes' rows are: below the diagonal of M, transposed if the other node has the larger number.
static void scatter(const plait_soft_impl *s, const plait_elements *set, int e, double factor, double (*H)[9],
                    double *K)
{
    int n = set->type->nodes, pairs = n * (n + 1) / 2;
    const int *node = set->node + (size_t)e * (size_t)n;
    const int64_t *slot = set->slot + (size_t)e * (size_t)pairs;
    for (int a = 0, p = 0; a < n; a++)
        for (int b = 0; b <= a; b++, p++) {
            if (slot[p] < 0)
                continue;
            bool over = node[a] < node[b];
            int row = over ? node[b] : node[a], wide = 3 * s->below[row];
            double *to = K + slot[p];
            for (int r = 0; r < 3; to += wide + ++r)
                for (int c = 0; c < (a == b ? r + 1 : 3); c++)
                    to[c] += factor * (over ? H[p][3 * c + r] : H[p][3 * r + c]);
        }
}

void plait_soft_matrix(const plait_soft_impl *s, const double *x, double factor, bool exact, double *K)
{
    for (int k = 0; k < s->sets; k++)
        for (int e = 0; e < s->set[k].count; e++) {
            double own[3 * PLAIT_ELEMENT_NODES], g[3 * PLAIT_ELEMENT_NODES], H[PLAIT_ELEMENT_PAIRS][9];
            gather(&s->set[k], e, x, own);
            s->set[k].type->energy(s->set[k].data, e, own, g, H, exact);
            scatter(s, &s->set[k], e, factor, H, K);
        }
}

void plait_soft_viscosity(const plait_soft_impl *s, const double *x, double *D)
{
    memset(D, 0, (size_t)s->plan->entries * sizeof *D);
    for (int k = 0; k < s->sets; k++)
        for (int e = 0; e < s->set[k].count; e++) {
            double own[3 * PLAIT_ELEMENT_NODES], H[PLAIT_ELEMENT_PAIRS][9];
            gather(&s->set[k], e, x, own);
            s->set[k].type->viscosity(s->set[k].data, e, own, H);
            scatter(s, &s->set[k], e, 1, H, D);
        }
}

// Node by node: three rows of M that have the same columns, but for those of the node itself.
void plait_soft_apply(const plait_soft_impl *s, const double *A, double factor, const double *x, double *y)
{
    const plait_cholesky_plan *p = s->plan;
    for (int node = 0, i = 0; node < s->nodes; node++, i += 3) {
        const int *col = p->col + p->ptr[i];
        const double *a = A + p->ptr[i], *b = A + p->ptr[i + 1], *c = A + p->ptr[i + 2];
        int64_t below = p->ptr[i + 1] - p->ptr[i] - 1;
        double x0 = factor * x[i], x1 = factor * x[i + 1], x2 = factor * x[i + 2], s0 = 0, s1 = 0, s2 = 0;
        for (int64_t k = 0; k < below; k += 3) {
            const double *from = x + col[k], *u = a + k, *v = b + k, *w = c + k;
            double *to = y + col[k];
            s0 += u[0] * from[0] + u[1] * from[1] + u[2] * from[2];
            s1 += v[0] * from[0] + v[1] * from[1] + v[2] * from[2];
            s2 += w[0] * from[0] + w[1] * from[1] + w[2] * from[2];
            to[0] += u[0] * x0 + v[0] * x1 + w[0] * x2;
            to[1] += u[1] * x0 + v[1] * x1 + w[1] * x2;
            to[2] += u[2] * x0 + v[2] * x1 + w[2] * x2;
        }
        a += below, b += below, c += below; // the lower triangle of the node itself
        y[i] += factor * s0 + a[0] * x0 + b[0] * x1 + c[0] * x2;
        y[i + 1] += factor * s1 + b[0] * x0 + b[1] * x1 + c[1] * x2;
        y[i + 2] += factor * s2 + c[0] * x0 + c[1] * x1 + c[2] * x2;
    }
}

double plait_soft_strain_apart(const plait_soft_impl *s, const double *x, const double *y)
{
    double worst = 0;
    for (int k = 0; k < s->sets; k++) {
        const plait_elements *set = &s->set[k];
        for (int e = 0; set->type->strain && e < set->count; e++) {
            double own[3 * PLAIT_ELEMENT_NODES], one[6], two[6];
            gather(set, e, x, own);
            int count = set->type->strain(set->data, e, own, one);
            gather(set, e, y, own);
            set->type->strain(set->data, e, own, two);
            for (int i = 0; i < count; i++)
                worst = fmax(worst, fabs(one[i] - two[i]));
        }
    }
    return worst;
}
