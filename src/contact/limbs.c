#include "contact/limbs.h"

#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/compliance.h"
#include "math/sparse.h"

bool plait_limbs_room(plait_limbs *l, int n, int limbs, int64_t columns)
{
    l->n = n;
    l->ptr = plait_malloc(((size_t)n + 1) * sizeof *l->ptr);
    l->body = plait_malloc(((size_t)limbs + 1) * sizeof *l->body);
    l->first = plait_malloc(((size_t)limbs + 1) * sizeof *l->first);
    l->col = plait_malloc(((size_t)columns + 1) * sizeof *l->col);
    l->val = plait_malloc((3 * (size_t)columns + 3) * sizeof *l->val);
    if (l->ptr && l->body && l->first && l->col && l->val) {
        l->ptr[0] = 0, l->first[0] = 0;
        return true;
    }
    plait_limbs_free(l);
    return false;
}

void plait_limbs_free(plait_limbs *l)
{
    plait_free(l->ptr), plait_free(l->body), plait_free(l->first), plait_free(l->col),
        plait_free(l->val);
    *l = (plait_limbs){0};
}

bool plait_limbs_of(const plait_compliance *c, const int *list, int n, const int *place, plait_limbs *to)
{
    int limbs = 0;
    int64_t columns = 0;
    for (int i = 0; i < n; i++) {
        int from = list ? list[i] : i;
        limbs += c->contact_ptr[from + 1] - c->contact_ptr[from];
        for (int k = c->contact_ptr[from]; k < c->contact_ptr[from + 1]; k++)
            columns += c->limb[c->contact_limb[k]].count;
    }
    if (!plait_limbs_room(to, n, limbs, columns))
        return false;
    for (int i = 0, at = 0; i < n; i++) {
        int from = list ? list[i] : i;
        for (int k = c->contact_ptr[from]; k < c->contact_ptr[from + 1]; k++, at++) {
            const plait_limb *limb = &c->limb[c->contact_limb[k]];
            int body = c->limb_body[c->contact_limb[k]];
            size_t count = (size_t)limb->count;
            to->body[at] = place ? place[body] : body;
            memcpy(to->col + to->first[at], c->col + limb->first, count * sizeof *to->col);
            memcpy(to->val + 3 * to->first[at], c->val + 3 * limb->first, 3 * count * sizeof *to->val);
            to->first[at + 1] = to->first[at] + limb->count;
        }
        to->ptr[i + 1] = at;
    }
    return true;
}

void plait_limbs_apply(const plait_compliance *c, const double *v, double *u)
{
    plait_team team = plait_team_if(c->n > PLAIT_CHUNK_MIN, c->team);
#pragma omp parallel for schedule(static) num_threads(team.threads) if (team.threads > 1)
    for (int i = 0; i < c->n; i++) {
        double s[3] = {0};
        for (int k = c->contact_ptr[i]; k < c->contact_ptr[i + 1]; k++) {
            const plait_limb *limb = &c->limb[c->contact_limb[k]];
            const int *order = c->order + c->body[c->limb_body[c->contact_limb[k]]].first_dof;
            const int *col = c->col + limb->first;
            const double *h = c->val + 3 * limb->first;
            for (int j = 0; j < limb->count; j++)
                for (int a = 0; a < 3; a++)
                    s[a] += h[3 * j + a] * v[order[col[j]]];
        }
        for (int a = 0; a < 3; a++)
            u[3 * i + a] = s[a];
    }
}

bool plait_limbs_to_sparse(const plait_compliance *c, plait_sparse *H)
{
    int64_t count = 0;
    for (int k = 0; k < c->limbs; k++)
        for (int j = 0; j < 3 * c->limb[k].count; j++)
            count += c->val[3 * c->limb[k].first + j] != 0;
    if (!plait_sparse_alloc(H, 3 * c->n, c->dofs, count))
        return false;
    int64_t at = 0;
    for (int i = 0; i < 3 * c->n; i++) {
        for (int k = c->contact_ptr[i / 3]; k < c->contact_ptr[i / 3 + 1]; k++) {
            const plait_limb *limb = &c->limb[c->contact_limb[k]];
            const int *order = c->order + c->body[c->limb_body[c->contact_limb[k]]].first_dof;
            for (int64_t j = limb->first; j < limb->first + limb->count; j++)
                if (c->val[3 * j + i % 3] != 0)
                    H->col[at] = order[c->col[j]], H->val[at++] = c->val[3 * j + i % 3];
        }
        H->ptr[i + 1] = at;
    }
    return true;
}
