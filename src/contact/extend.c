// extend.c: contacts are added to a problem whose bodies stay as they are: M and its factors are not looked at again.
#include <math.h>
#include <string.h>

#include "base/pool.h"
#include "contact/compliance.h"

// More limbs behind those of the operator.
static bool join(const plait_compliance *c, const plait_limbs *more, plait_limbs *all)
{
    plait_limbs old = {0};
    if (!plait_limbs_of(c, NULL, c->n, NULL, &old))
        return false;
    int limbs = old.ptr[old.n], added = more->ptr[more->n];
    int64_t columns = old.first[limbs], fresh = more->first[added];
    bool ok = plait_limbs_room(all, old.n + more->n, limbs + added, columns + fresh);
    if (ok) {
        memcpy(all->ptr, old.ptr, ((size_t)old.n + 1) * sizeof *all->ptr);
        memcpy(all->body, old.body, (size_t)limbs * sizeof *all->body);
        memcpy(all->first, old.first, ((size_t)limbs + 1) * sizeof *all->first);
        memcpy(all->col, old.col, (size_t)columns * sizeof *all->col);
        memcpy(all->val, old.val, 3 * (size_t)columns * sizeof *all->val);
        for (int i = 0; i < more->n; i++)
            all->ptr[old.n + i + 1] = limbs + more->ptr[i + 1];
        for (int k = 0; k < added; k++)
            all->body[limbs + k] = more->body[k], all->first[limbs + k + 1] = columns + more->first[k + 1];
        memcpy(all->col + columns, more->col, (size_t)fresh * sizeof *all->col);
        memcpy(all->val + 3 * columns, more->val, 3 * (size_t)fresh * sizeof *all->val);
    }
    plait_limbs_free(&old);
    return ok;
}

// W_ii of the contacts from `known` on.
static bool extend_diagonal(plait_compliance *c, int known)
{
    unsigned char *wanted = plait_calloc((size_t)c->n + 1, 1);
    double *diagonal = plait_calloc(9 * (size_t)c->n + 1, sizeof *diagonal);
    bool ok = wanted && diagonal;
    if (ok) {
        memcpy(diagonal, c->diagonal, 9 * (size_t)known * sizeof *diagonal);
        memset(wanted + known, 1, (size_t)(c->n - known));
        plait_free(c->diagonal);
        c->diagonal = diagonal;
        ok = plait_compliance_build_diagonal(c, wanted);
    } else {
        plait_free(diagonal);
    }
    plait_free(wanted);
    return ok;
}

bool plait_compliance_extend(plait_compliance *c, const plait_limbs *more)
{
    plait_limbs all = {0};
    int known = c->n;
    if (!join(c, more, &all))
        return false;
    plait_free(c->limb), plait_free(c->limb_body), plait_free(c->contact_limb);
    plait_free(c->contact_ptr), plait_free(c->col), plait_free(c->val), plait_free(c->row), plait_free(c->edge);
    c->limb = NULL, c->limb_body = c->contact_limb = c->contact_ptr = c->col = NULL, c->val = c->row = NULL,
    c->edge = NULL;
    c->n = all.n;
    bool ok = plait_compliance_take_limbs(c, &all) && extend_diagonal(c, known);
    plait_limbs_free(&all);
    return ok;
}
