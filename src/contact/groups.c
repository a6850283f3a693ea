#include "contact/groups.h"

#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "contact/compliance.h"
#include "contact/law.h"
#include "math/sparse.h"

static int find_root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

static void join(int *parent, int i, int j)
{
    int a = find_root(parent, i), b = find_root(parent, j);
    if (a < b)
        parent[b] = a;
    else
        parent[a] = b;
}

// False if it was stopped.
static bool join_all(const plait_problem *p, plait_stop *stop, int *parent)
{
    enum { SELDOM = 1024 }; // bodies or contacts from one look at the stop to the next
    const plait_compliance *c = p->compliance;
    for (int i = 0; i < p->n; i++)
        parent[i] = i;
    if (c) {
        for (int b = 0; b < c->bodies; b++) {
            if (b % SELDOM == 0 && plait_stop_now(stop))
                return false;
            for (int k = c->body[b].first_limb + 1; k < c->body[b + 1].first_limb; k++)
                join(parent, c->limb[k - 1].contact, c->limb[k].contact);
        }
        return true;
    }
    for (int i = 0; i < p->n; i++) {
        if (i % SELDOM == 0 && plait_stop_now(stop))
            return false;
        for (int64_t k = p->W->ptr[i]; k < p->W->ptr[i + 1]; k++)
            join(parent, i, p->W->col[k]);
    }
    return true;
}

typedef struct group_size {
    int root, count;
} group_size;

static int larger_first(const void *a, const void *b)
{
    const group_size *x = a, *y = b;
    return x->count != y->count ? y->count - x->count : x->root - y->root;
}

plait_groups *plait_groups_new(const plait_problem *p, plait_stop *stop, plait_error *error)
{
    size_t n = (size_t)p->n + 1;
    plait_groups *g = plait_calloc(1, sizeof *g);
    int *parent = plait_malloc(n * sizeof *parent), *number = plait_malloc(n * sizeof *number);
    group_size *sizes = plait_calloc(n, sizeof *sizes);
    if (g) {
        g->ptr = plait_calloc(n, sizeof *g->ptr);
        g->contact = plait_malloc(n * sizeof *g->contact);
        g->place = plait_malloc(n * sizeof *g->place);
    }
    bool room = g && parent && number && sizes && g->ptr && g->contact && g->place;
    if (!room)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the groups of %d contacts", p->n);
    if (!room || !join_all(p, stop, parent)) {
        plait_free(parent), plait_free(number), plait_free(sizes), plait_groups_free(g);
        return NULL;
    }
    for (int i = 0; i < p->n; i++) {
        int root = find_root(parent, i);
        if (root == i)
            number[i] = g->count++, sizes[number[i]].root = i;
        sizes[number[root]].count++;
    }
    plait_sort(sizes, (size_t)g->count, sizeof *sizes, larger_first);
    for (int k = 0; k < g->count; k++)
        number[sizes[k].root] = k, g->ptr[k + 1] = g->ptr[k] + sizes[k].count;
    g->largest = g->count ? sizes[0].count : 0;
    for (int k = 0; k < g->count; k++)
        sizes[k].count = g->ptr[k];
    for (int i = 0; i < p->n; i++)
        g->contact[sizes[number[find_root(parent, i)]].count++] = i;
    for (int k = 0; k < g->count; k++)
        for (int i = g->ptr[k]; i < g->ptr[k + 1]; i++)
            g->place[g->contact[i]] = i - g->ptr[k];
    plait_free(parent), plait_free(number), plait_free(sizes);
    return g;
}

void plait_groups_free(plait_groups *g)
{
    if (!g)
        return;
    plait_free(g->ptr), plait_free(g->contact), plait_free(g->place), plait_free(g);
}

// ---- the problem of one group ------------------------------------------------------------------------------------

static plait_block_matrix *extract_blocks(const plait_block_matrix *W, const int *list, int n, const int *place)
{
    int64_t blocks = 0;
    for (int i = 0; i < n; i++)
        blocks += W->ptr[list[i] + 1] - W->ptr[list[i]];
    plait_block_matrix *A = plait_block_matrix_new(n, blocks);
    if (!A)
        return NULL;
    int64_t to = 0;
    for (int i = 0; i < n; i++) { // `list` ascends, so columns do too
        for (int64_t k = W->ptr[list[i]]; k < W->ptr[list[i] + 1]; k++)
            if (place[W->col[k]] >= 0) {
                A->col[to] = place[W->col[k]];
                memcpy(A->val + 9 * to++, W->val + 9 * k, 9 * sizeof(double));
            }
        A->ptr[i + 1] = to;
    }
    return A;
}

static bool extract_rows(const plait_sparse *A, const int *rows, int count, const int *dof_place, int cols,
                         plait_sparse *to)
{
    int64_t entries = 0;
    for (int i = 0; i < count; i++)
        entries += A->ptr[rows[i] + 1] - A->ptr[rows[i]];
    if (!plait_sparse_alloc(to, count, cols, entries))
        return false;
    int64_t at = 0;
    for (int i = 0; i < count; i++) {
        for (int64_t k = A->ptr[rows[i]]; k < A->ptr[rows[i] + 1]; k++)
            if (dof_place[A->col[k]] >= 0) // exact zeros of M may point to another body
                to->col[at] = dof_place[A->col[k]], to->val[at++] = A->val[k];
        to->ptr[i + 1] = at;
    }
    return true;
}

static int by_value(const void *a, const void *b)
{
    return *(const int *)a - *(const int *)b;
}

// The dofs of the bodies that the contacts touch, ascending, and their places. Returns how many, at most `room`.
static int collect_dofs(const plait_problem *p, const int *list, int n, int *place, int *rows)
{
    const plait_compliance *c = p->compliance;
    int count = 0;
    for (int i = 0; i < n; i++)
        for (int k = c->contact_ptr[list[i]]; k < c->contact_ptr[list[i] + 1]; k++) {
            const plait_mass_block *body = &c->body[c->limb_body[c->contact_limb[k]]];
            if (place[c->order[body->first_dof]] >= 0)
                continue;
            for (int d = 0; d < body->size; d++)
                rows[count++] = c->order[body->first_dof + d], place[rows[count - 1]] = 0;
        }
    plait_sort(rows, (size_t)count, sizeof *rows, by_value);
    for (int d = 0; d < count; d++)
        place[rows[d]] = d;
    return count;
}

// At most how many dofs the contacts have to do with.
static size_t count_dofs(const plait_problem *p, const int *list, int n)
{
    const plait_compliance *c = p->compliance;
    size_t count = 0;
    for (int i = 0; i < n; i++)
        for (int k = c->contact_ptr[list[i]]; k < c->contact_ptr[list[i] + 1]; k++)
            count += (size_t)c->body[c->limb_body[c->contact_limb[k]]].size;
    return count < (size_t)p->dynamics->dofs ? count : (size_t)p->dynamics->dofs;
}

// The same as bodies: those of the rows, ascending. Returns how many.
static int collect_bodies(const plait_bands *B, const int *rows, int count, int *body)
{
    int bodies = 0;
    for (int d = 0; d < count; bodies++) {
        int lo = bodies > 0 ? body[bodies - 1] + 1 : 0, hi = B->bodies - 1;
        while (lo < hi) { // the last one that begins at or before the row
            int mid = lo + (hi - lo + 1) / 2;
            if (B->first[mid] <= rows[d])
                lo = mid;
            else
                hi = mid - 1;
        }
        body[bodies] = lo;
        d += B->first[lo + 1] - B->first[lo];
    }
    return bodies;
}

// M of the rows of some bodies, as it is kept in the whole problem.
static bool extract_matrix(const plait_problem *p, const int *dof, const int *place, plait_dynamics *z,
                           plait_bands *bands)
{
    const plait_bands *B = &p->compliance->bands;
    if (!B->bodies)
        return extract_rows(&p->dynamics->M, dof, z->dofs, place, z->dofs, &z->M);
    int *body = plait_malloc(((size_t)z->dofs + 1) * sizeof *body);
    bool ok = body && plait_bands_extract(B, body, collect_bodies(B, dof, z->dofs, body), bands);
    plait_free(body);
    return ok;
}

// H of some contacts, by rows or by limbs, as it is kept in the whole problem.
static bool extract_jacobian(const plait_problem *p, const int *list, const int *place, plait_problem *q,
                             const plait_bands *bands, plait_limbs *limbs)
{
    const plait_dynamics *y = p->dynamics;
    const plait_bands *B = &p->compliance->bands;
    int *rows = plait_malloc((3 * (size_t)q->n + 1) * sizeof *rows);
    bool ok = rows != NULL;
    if (ok && y->H.ptr) {
        for (int i = 0; i < 3 * q->n; i++)
            rows[i] = 3 * list[i / 3] + i % 3;
        ok = extract_rows(&y->H, rows, 3 * q->n, place, q->dynamics->dofs, &q->dynamics->H);
    } else if (ok) {
        ok = bands->bodies > 0 ? plait_limbs_of(p->compliance, list, q->n, NULL, limbs)
                               : plait_sparse_alloc(&q->dynamics->H, 3 * q->n, 0, 0); // they touch what is held only
        for (int k = 0; ok && bands->bodies > 0 && k < limbs->ptr[q->n];
             k++) { // a body begins where its first dof went
            int at = place[B->first[limbs->body[k]]], lo = 0, hi = bands->bodies - 1;
            while (lo < hi) {
                int mid = lo + (hi - lo + 1) / 2;
                if (bands->first[mid] <= at)
                    lo = mid;
                else
                    hi = mid - 1;
            }
            limbs->body[k] = lo;
        }
    }
    plait_free(rows);
    return ok;
}

static bool extract_dynamics(const plait_problem *p, const int *list, int *place, plait_team team, plait_problem *q,
                             plait_error *error)
{
    const plait_dynamics *y = p->dynamics;
    int *dof = plait_malloc((count_dofs(p, list, q->n) + 1) * sizeof *dof);
    plait_dynamics *z = q->dynamics = plait_calloc(1, sizeof *z);
    plait_bands bands = {0};
    plait_limbs limbs = {0};
    bool ok = place && dof && z;
    if (ok) {
        z->dofs = collect_dofs(p, list, q->n, place, dof);
        z->f = plait_malloc(((size_t)z->dofs + 1) * sizeof *z->f);
        z->w = plait_malloc((3 * (size_t)q->n + 1) * sizeof *z->w);
        ok = z->f && z->w && extract_matrix(p, dof, place, z, &bands);
    }
    if (ok) {
        for (int d = 0; d < z->dofs; d++)
            z->f[d] = y->f[dof[d]];
        for (int i = 0; i < q->n; i++)
            for (int a = 0; a < 3; a++)
                z->w[3 * i + a] = y->w[3 * list[i] + a];
        ok = extract_jacobian(p, list, place, q, &bands, &limbs);
    }
    for (int d = 0; z && dof && d < z->dofs; d++)
        place[dof[d]] = -1;
    plait_free(dof);
    if (!ok)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a group of %d contacts", q->n);
    else if (bands.bodies)
        q->compliance = plait_compliance_of_bands(q->n, &bands, &limbs, &z->H, team, error);
    else
        q->compliance = plait_compliance_new(q->n, &z->M, &z->H, team, error);
    plait_bands_free(&bands), plait_limbs_free(&limbs);
    return q->compliance != NULL;
}

plait_problem *plait_groups_extract(const plait_groups *g, int group, const plait_problem *p, int *dof_place,
                                    plait_team team, plait_error *error)
{
    return plait_problem_extract(p, g->contact + g->ptr[group], g->ptr[group + 1] - g->ptr[group], g->place, dof_place,
                                 team, error);
}

plait_problem *plait_problem_extract(const plait_problem *p, const int *list, int n, const int *place, int *dof_place,
                                     plait_team team, plait_error *error)
{
    size_t count = (size_t)n + 1;
    int *own = NULL;
    if (p->dynamics && !dof_place) {
        size_t dofs = (size_t)p->dynamics->dofs + 1;
        dof_place = own = plait_malloc(dofs * sizeof *own);
        if (own)
            memset(own, -1, dofs * sizeof *own);
    }
    plait_problem *q = plait_calloc(1, sizeof *q);
    bool ok = q != NULL;
    if (ok) {
        q->dimension = p->dimension, q->n = n;
        q->mu = plait_malloc(count * sizeof *q->mu);
        q->b = plait_malloc(3 * count * sizeof *q->b);
        q->trace = plait_malloc(count * sizeof *q->trace);
        ok = q->mu && q->b && q->trace;
    }
    if (ok) {
        for (int i = 0; i < n; i++) {
            q->mu[i] = p->mu[list[i]], q->trace[i] = p->trace[list[i]];
            memcpy(q->b + 3 * i, p->b + 3 * (int64_t)list[i], 3 * sizeof *q->b);
        }
        ok = (!p->W || (q->W = extract_blocks(p->W, list, n, place)) != NULL) && plait_problem_extract_laws(p, list, q);
    }
    if (!ok)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a group of %d contacts", n);
    if (ok && p->dynamics)
        ok = extract_dynamics(p, list, dof_place, team, q, error);
    plait_free(own);
    if (ok)
        return q;
    plait_problem_free(q);
    return NULL;
}
