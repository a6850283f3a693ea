// compliance_build.c: from M to bodies and packs.
#include <stdlib.h>
#include <string.h>

#include "base/parallel.h"
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
    int *parent = malloc(((size_t)M->rows + 1) * sizeof *parent);
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
    free(parent);
    return bodies;
}

static int half_bandwidth(const plait_sparse *M, const int *order, int first, int size, const int *place)
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
    int *queue = malloc(2 * (size_t)size * sizeof *queue), *seen = queue + size;
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
    free(queue);
    return true;
}

typedef struct shape {
    int body, size, width, limbs;
} shape;

static int by_shape(const void *a, const void *b)
{
    const shape *x = a, *y = b;
    if (x->size != y->size)
        return x->size < y->size ? -1 : 1;
    if (x->width != y->width)
        return x->width < y->width ? -1 : 1;
    if (x->limbs != y->limbs)
        return x->limbs < y->limbs ? -1 : 1;
    return x->body - y->body;
}

static void fill_lane_band(plait_compliance *c, int b)
{
    const plait_mass_block *body = &c->body[b];
    const plait_bands *B = &c->bands;
    plait_band_pack *p = &c->pack[body->pack];
    for (int k = 0; k < body->size; k++)
        for (int d = 0; d <= B->width[b] && k + d < body->size; d++)
            plait_band_pack_at(p, k + d, p->width - d)[body->lane] =
                B->val[B->ptr[b] + (int64_t)k * (B->width[b] + 1) + d];
}

static void fill_lane_sparse(plait_compliance *c, const plait_sparse *M, const int *place, int b)
{
    const plait_mass_block *body = &c->body[b];
    plait_band_pack *p = &c->pack[body->pack];
    for (int i = 0; i < body->size; i++) {
        int row = c->order[body->first_dof + i];
        for (int64_t k = M->ptr[row]; k < M->ptr[row + 1]; k++) {
            int j = place[M->col[k]] - body->first_dof;
            if (M->val[k] == 0)
                continue;
            // Half from each triangle: the symmetric part is what counts.
            int low = j < i ? j : i, high = j < i ? i : j;
            plait_band_pack_at(p, high, low - high + p->width)[body->lane] += low == high ? M->val[k] : 0.5 * M->val[k];
        }
    }
}

// Fills and factorises a pack. -1, or the pivot that is not positive, as plait_band_pack_factorise tells.
static long fill_pack(plait_compliance *c, const plait_sparse *M, const int *place, int i)
{
    plait_band_pack *p = &c->pack[i];
    memset(p->L, 0, (size_t)p->size * (size_t)(p->width + 1) * PLAIT_LANES * sizeof(double));
    for (int l = 0; l < PLAIT_LANES; l++) {
        int b = c->pack_body[i * PLAIT_LANES + l];
        for (int j = b >= 0 ? c->body[b].size : 0; j < p->size; j++)
            plait_band_pack_at(p, j, p->width)[l] = 1;
        if (b >= 0 && c->bands.bodies)
            fill_lane_band(c, b);
        else if (b >= 0)
            fill_lane_sparse(c, M, place, b);
    }
    return plait_band_pack_factorise(p);
}

// All packs, or the wanted ones. The first that is not positive definite is told.
static bool fill_packs(plait_compliance *c, const plait_sparse *M, const int *place, const unsigned char *wanted,
                       plait_error *error)
{
    int threads = c->packs >= PLAIT_MANY_PACKS ? plait_parallel_threads(0) : 1, bad = c->packs;
#pragma omp parallel for schedule(dynamic, 8) num_threads(threads) reduction(min : bad) if (threads > 1)
    for (int i = 0; i < c->packs; i++)
        if ((!wanted || wanted[i]) && fill_pack(c, M, place, i) >= 0 && i < bad)
            bad = i;
    if (bad == c->packs)
        return true;
    long bad_pivot = fill_pack(c, M, place, bad); // once more, to tell which
    int b = c->pack_body[bad * PLAIT_LANES + (int)(bad_pivot % PLAIT_LANES)];
    plait_error_set(error, PLAIT_BAD_INPUT, "M is not positive definite: pivot of dof %d (body %d)",
                    c->order[c->body[b].first_dof + (int)(bad_pivot / PLAIT_LANES)], b);
    return false;
}

static bool sparse_body(plait_compliance *c, const plait_sparse *M, const int *place, int b, plait_error *error)
{
    plait_mass_block *body = &c->body[b];
    int64_t entries = 0;
    for (int i = 0; i < body->size; i++) {
        int row = c->order[body->first_dof + i];
        entries += M->ptr[row + 1] - M->ptr[row];
    }
    plait_triplet *t = malloc(((size_t)entries + 1) * sizeof *t);
    plait_sparse A = {0};
    int64_t count = 0;
    for (int i = 0; t && i < body->size; i++) {
        int row = c->order[body->first_dof + i];
        for (int64_t k = M->ptr[row]; k < M->ptr[row + 1]; k++)
            if (M->val[k] != 0) // a stored zero may lie in a column of another body
                t[count++] = (plait_triplet){i, place[M->col[k]] - body->first_dof, M->val[k]};
    }
    bool ok = t && plait_sparse_from_triplets(body->size, body->size, count, t, &A);
    free(t);
    if (!ok) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for body %d of %d dofs", b, body->size);
        return false;
    }
    body->factor = plait_direct_new(PLAIT_DIRECT_POSITIVE, &A, error);
    ok = body->factor && plait_direct_factorise(body->factor, &A);
    if (body->factor && !ok)
        plait_error_set(error, PLAIT_BAD_INPUT, "M is not positive definite (body %d, dofs %d..)", b,
                        c->order[body->first_dof]);
    plait_sparse_free(&A);
    return ok;
}

// Distributes bodies of like shape over packs, fills and factorises them.
static bool build_packs(plait_compliance *c, const plait_sparse *M, const int *place, plait_error *error)
{
    shape *shapes = malloc(((size_t)c->bodies + 1) * sizeof *shapes);
    if (!shapes)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d bodies", c->bodies), false;
    int banded = 0;
    bool ok = true;
    for (int b = 0; b < c->bodies; b++) {
        plait_mass_block *body = &c->body[b];
        int width = M ? half_bandwidth(M, c->order, body->first_dof, body->size, place) : c->bands.width[b];
        body->pack = -1;
        if (!M || (int64_t)body->size * (width + 1) <= PLAIT_LARGEST_BAND)
            shapes[banded++] = (shape){b, body->size, width, body[1].first_limb - body->first_limb};
    }
    qsort(shapes, (size_t)banded, sizeof *shapes, by_shape);
    c->packs = (banded + PLAIT_LANES - 1) / PLAIT_LANES;
    c->pack = calloc((size_t)c->packs + 1, sizeof *c->pack);
    c->pack_body = malloc(((size_t)c->packs * PLAIT_LANES + 1) * sizeof *c->pack_body);
    ok = c->pack && c->pack_body;
    for (int i = 0; ok && i < c->packs; i++) {
        plait_band_pack *p = &c->pack[i];
        for (int l = 0; l < PLAIT_LANES; l++) {
            int at = i * PLAIT_LANES + l;
            c->pack_body[at] = at < banded ? shapes[at].body : -1;
            if (at >= banded)
                continue;
            p->size = shapes[at].size > p->size ? shapes[at].size : p->size;
            p->width = shapes[at].width > p->width ? shapes[at].width : p->width;
            c->body[shapes[at].body].pack = i, c->body[shapes[at].body].lane = l;
        }
        c->largest = p->size > c->largest ? p->size : c->largest;
        p->L = aligned_alloc(64, (size_t)p->size * (size_t)(p->width + 1) * PLAIT_LANES * sizeof(double));
        ok = p->L != NULL;
    }
    free(shapes);
    if (!ok)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the factors of %d bodies", c->bodies), false;
    ok = fill_packs(c, M, place, NULL, error);
    for (int b = 0; ok && b < c->bodies; b++)
        if (c->body[b].pack < 0) {
            ok = sparse_body(c, M, place, b, error);
            c->largest = c->body[b].size > c->largest ? c->body[b].size : c->largest;
        }
    return ok;
}

// What is left when bodies and the order of dofs are known. Takes c; NULL on failure.
static plait_compliance *finish(plait_compliance *c, const plait_sparse *M, const plait_sparse *H, const int *place,
                                const int *body_of, plait_error *error)
{
    bool ok = plait_compliance_build_limbs(c, H, place, body_of);
    if (!ok)
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the jacobian of %d contacts", c->n);
    ok = ok && build_packs(c, M, place, error);
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
    c->body = c->bodies >= 0 ? calloc((size_t)c->bodies + 1, sizeof *c->body) : NULL;
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
        int width = half_bandwidth(M, c->order, body->first_dof, body->size, place);
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
    c->body = calloc((size_t)c->bodies + 1, sizeof *c->body);
    for (int b = 0; c->body && b < c->bodies; b++) {
        c->body[b].size = B->first[b + 1] - B->first[b];
        c->body[b].first_dof = B->first[b];
        for (int i = B->first[b]; i < B->first[b + 1]; i++)
            c->order[i] = place[i] = i, body_of[i] = b;
    }
    return c->body != NULL;
}

static plait_compliance *build(int n, const plait_sparse *M, plait_bands *bands, const plait_sparse *H,
                               plait_error *error)
{
    int dofs = M ? M->rows : bands->first[bands->bodies];
    size_t room = (size_t)dofs + 1;
    plait_compliance *c = calloc(1, sizeof *c);
    int *body_of = malloc(2 * room * sizeof *body_of), *place = body_of ? body_of + room : NULL;
    if (c && bands)
        c->bands = *bands, *bands = (plait_bands){0};
    bool ok = c && body_of && (c->order = malloc(room * sizeof *c->order)) != NULL;
    if (ok) {
        c->n = n, c->dofs = dofs;
        ok = M ? find_bodies(c, M, place, body_of) : take_bodies(c, place, body_of);
    }
    if (ok) {
        c = finish(c, M, H, place, body_of, error);
    } else {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d dofs", dofs);
        plait_compliance_free(c), c = NULL;
    }
    free(body_of);
    return c;
}

plait_compliance *plait_compliance_new(int n, const plait_sparse *M, const plait_sparse *H, plait_error *error)
{
    return build(n, M, NULL, H, error);
}

plait_compliance *plait_compliance_of_bands(int n, plait_bands *bands, const plait_sparse *H, plait_error *error)
{
    plait_compliance *c = build(n, NULL, bands, H, error);
    plait_bands_free(bands); // if it was not taken
    return c;
}

plait_status plait_compliance_update(plait_compliance *c, const unsigned char *changed, plait_error *error)
{
    unsigned char *wanted = calloc((size_t)c->n + 1, 1), *pack = calloc((size_t)c->packs + 1, 1);
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
    ok = ok && fill_packs(c, NULL, NULL, pack, error);
    if (status == PLAIT_OK && !ok)
        status = PLAIT_BAD_INPUT;
    if (ok && !plait_compliance_build_diagonal(c, wanted))
        status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts", c->n);
    free(wanted), free(pack);
    return status;
}

void plait_compliance_free(plait_compliance *c)
{
    if (!c)
        return;
    for (int i = 0; c->pack && i < c->packs; i++)
        free(c->pack[i].L);
    for (int b = 0; c->body && b < c->bodies; b++)
        plait_direct_free(c->body[b].factor);
    plait_bands_free(&c->bands);
    free(c->body), free(c->pack), free(c->pack_body), free(c->order), free(c->limb), free(c->col), free(c->val),
        free(c->row);
    free(c->contact_ptr), free(c->contact_limb), free(c->limb_body), free(c->diagonal), free(c);
}
