// compliance_build.c: from M to bodies and the order of their dofs.
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
#include "base/pool.h"
#include "contact/compliance.h"
#include "math/sparse.h"

static int find_root(int *parent, int i)
{
    while (parent[i] != i)
        i = parent[i] = parent[parent[i]];
    return i;
}

// Numbers the connected components of M in order of their first dof. Returns their count, or -1 without memory.
static int number_bodies(const plait_sparse *M, int *body_of)
{
    int *parent = plait_malloc(((size_t)M->rows + 1) * sizeof *parent);
    if (!parent)
        return -1;
    for (int i = 0; i < M->rows; i++)
        parent[i] = i;
    for (int i = 0; i < M->rows; i++)
        for (int64_t k = M->ptr[i]; k < M->ptr[i + 1]; k++)
            if (M->val[k] != 0 && parent[i] != parent[M->col[k]]) {
                int a = find_root(parent, i), b = find_root(parent, M->col[k]);
                if (a < b)
                    parent[b] = a;
                else
                    parent[a] = b;
            }
    int bodies = 0;
    for (int i = 0; i < M->rows; i++) {
        int root = find_root(parent, i);
        body_of[i] = root == i ? bodies++ : body_of[root];
    }
    plait_free(parent);
    return bodies;
}

int plait_compliance_half_bandwidth(const plait_sparse *M, const int *order, int first, int size, const int *place)
{
    int width = 0;
    for (int i = 0; i < size; i++) {
        int row = order[first + i];
        for (int64_t k = M->ptr[row]; k < M->ptr[row + 1]; k++) {
            int distance = abs(place[M->col[k]] - (first + i));
            if (M->val[k] != 0 && distance > width)
                width = distance;
        }
    }
    return width;
}

// Reverse Cuthill-McKee of one body: breadth first from a dof of least degree, each level by degree.
static bool reorder(const plait_sparse *M, int first, int size, int *order, int *place)
{
    int *queue = plait_malloc(2 * (size_t)size * sizeof *queue), *seen = queue + size;
    if (!queue)
        return false;
    memset(seen, 0, (size_t)size * sizeof *seen);
    int start = 0;
#define DEGREE(i) (M->ptr[order[first + (i)] + 1] - M->ptr[order[first + (i)]])
    for (int i = 1; i < size; i++)
        if (DEGREE(i) < DEGREE(start))
            start = i;
    int count = 0;
    queue[count++] = start, seen[start] = 1;
    for (int head = 0, fresh = 0; head < size; head++) {
        if (head == count) { // an entry above the diagonal without its twin below: go on with what was not reached
            while (seen[fresh])
                fresh++;
            queue[count++] = fresh, seen[fresh] = 1;
        }
        int row = order[first + queue[head]], level = count;
        for (int64_t k = M->ptr[row]; k < M->ptr[row + 1]; k++) {
            int j = place[M->col[k]] - first;
            if (M->val[k] == 0 || seen[j])
                continue;
            seen[j] = 1;
            int at = count++; // insertion by degree
            for (; at > level && DEGREE(queue[at - 1]) > DEGREE(j); at--)
                queue[at] = queue[at - 1];
            queue[at] = j;
        }
    }
#undef DEGREE
    for (int i = 0; i < size; i++)
        seen[i] = order[first + queue[size - 1 - i]];
    for (int i = 0; i < size; i++)
        order[first + i] = seen[i], place[seen[i]] = first + i;
    plait_free(queue);
    return true;
}

// What is left when bodies and the order of dofs are known. Takes c; NULL on failure.
static plait_compliance *finish(plait_compliance *c, const plait_sparse *M, plait_limbs *limbs, const plait_sparse *H,
                                const int *place, const int *body_of, plait_error *error)
{
    bool ok = limbs->ptr ? plait_compliance_take_limbs(c, limbs) : plait_compliance_build_limbs(c, H, place, body_of);
    if (!ok)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the jacobian of %d contacts", c->n);
    ok = ok && plait_compliance_build_factors(c, M, place, error);
    if (ok && !plait_compliance_build_diagonal(c, NULL)) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", c->n);
        ok = false;
    }
    if (ok)
        return c;
    plait_compliance_free(c);
    return NULL;
}

// Numbers the bodies of M and sorts the dofs by them, each body in the order with the narrower band.
static bool find_bodies(plait_compliance *c, const plait_sparse *M, int *place, int *body_of)
{
    c->bodies = number_bodies(M, body_of);
    c->body = c->bodies >= 0 ? plait_calloc((size_t)c->bodies + 1, sizeof *c->body) : NULL;
    bool ok = c->body != NULL;
    for (int i = 0; ok && i < c->dofs; i++)
        c->body[body_of[i]].size++;
    for (int b = 0; ok && b < c->bodies; b++)
        c->body[b + 1].first_dof = c->body[b].first_dof + c->body[b].size;
    for (int i = 0; ok && i < c->dofs; i++) { // first_limb serves as a counter here
        plait_mass_block *body = &c->body[body_of[i]];
        place[i] = body->first_dof + body->first_limb++;
        c->order[place[i]] = i;
    }
    for (int b = 0; ok && b < c->bodies; b++) {
        plait_mass_block *body = &c->body[b];
        int width = plait_compliance_half_bandwidth(M, c->order, body->first_dof, body->size, place);
        if (width > 16 && body->size > 2 * PLAIT_LANES && 2 * width > body->size)
            ok = reorder(M, body->first_dof, body->size, c->order, place);
    }
    return ok;
}

// The bodies are known, and dofs stay where they are.
static bool take_bodies(plait_compliance *c, int *place, int *body_of)
{
    const plait_bands *B = &c->bands;
    c->bodies = B->bodies;
    c->body = plait_calloc((size_t)c->bodies + 1, sizeof *c->body);
    for (int b = 0; c->body && b < c->bodies; b++) {
        c->body[b].size = B->first[b + 1] - B->first[b];
        c->body[b].first_dof = B->first[b];
        for (int i = B->first[b]; i < B->first[b + 1]; i++)
            c->order[i] = place[i] = i, body_of[i] = b;
    }
    return c->body != NULL;
}

static plait_compliance *build(int n, const plait_sparse *M, plait_bands *bands, plait_limbs *limbs,
                               const plait_sparse *H, plait_team team, plait_error *error)
{
    int dofs = M ? M->rows : bands->first[bands->bodies];
    size_t room = (size_t)dofs + 1;
    plait_compliance *c = plait_calloc(1, sizeof *c);
    int *body_of = plait_malloc(2 * room * sizeof *body_of), *place = body_of ? body_of + room : NULL;
    if (c && bands)
        c->bands = *bands, *bands = (plait_bands){0};
    bool ok = c && body_of && (c->order = plait_malloc(room * sizeof *c->order)) != NULL;
    if (ok) {
        c->n = n, c->dofs = dofs, c->team = team;
        ok = M ? find_bodies(c, M, place, body_of) : take_bodies(c, place, body_of);
    }
    if (ok) {
        c = finish(c, M, limbs, H, place, body_of, error);
    } else {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d dofs", dofs);
        plait_compliance_free(c), c = NULL;
    }
    plait_free(body_of);
    return c;
}

plait_compliance *plait_compliance_new(int n, const plait_sparse *M, const plait_sparse *H, plait_team team,
                                       plait_error *error)
{
    plait_limbs none = {0};
    return build(n, M, NULL, &none, H, team, error);
}

plait_compliance *plait_compliance_of_bands(int n, plait_bands *bands, plait_limbs *limbs, const plait_sparse *H,
                                            plait_team team, plait_error *error)
{
    plait_compliance *c = build(n, NULL, bands, limbs, H, team, error);
    plait_bands_free(bands), plait_limbs_free(limbs); // if they were not taken
    return c;
}

void plait_compliance_free(plait_compliance *c)
{
    if (!c)
        return;
    for (int i = 0; c->pack && i < c->packs; i++)
        plait_compliance_drop_factor(&c->pack[i]);
    for (int b = 0; c->body && b < c->bodies; b++)
        plait_cholesky_plan_free(c->body[b].plan), plait_touched_free(&c->body[b].touched);
    plait_bands_free(&c->bands);
    plait_free(c->body), plait_free(c->pack), plait_free(c->pack_body), plait_free(c->order), plait_free(c->limb);
    plait_free(c->col), plait_free(c->val), plait_free(c->row), plait_free(c->edge);
    plait_free(c->contact_ptr), plait_free(c->contact_limb), plait_free(c->limb_body), plait_free(c->diagonal);
    plait_free(c);
}
