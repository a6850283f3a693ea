// soft_build.c: from a natural shape to a soft body: masses, elements, the pattern of M and its analysis, memory.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/soft.h"
#include "math/sparse.h"
#include "math/vec3.h"

bool plait_elements_alloc(plait_elements *set, const plait_element_type *type, int count, size_t data_size)
{
    size_t n = (size_t)type->nodes, pairs = n * (n + 1) / 2;
    *set = (plait_elements){.type = type, .count = count};
    set->node = malloc(((size_t)count * n + 1) * sizeof *set->node);
    set->slot = malloc(((size_t)count * pairs + 1) * sizeof *set->slot);
    set->data = calloc(1, data_size + 1);
    return set->node && set->slot && set->data;
}

// ---- mass ---------------------------------------------------------------------------------------------------------

static double triangle_area(const double *p, const int *t)
{
    double u[3], v[3], n[3];
    plait_vec3_sub(p + 3 * (size_t)t[1], p + 3 * (size_t)t[0], u);
    plait_vec3_sub(p + 3 * (size_t)t[2], p + 3 * (size_t)t[0], v);
    plait_vec3_cross(u, v, n);
    return 0.5 * plait_vec3_norm(n);
}

static double tetrahedron_volume(const double *p, const int *t)
{
    double u[3], v[3], w[3], n[3];
    plait_vec3_sub(p + 3 * (size_t)t[1], p + 3 * (size_t)t[0], u);
    plait_vec3_sub(p + 3 * (size_t)t[2], p + 3 * (size_t)t[0], v);
    plait_vec3_sub(p + 3 * (size_t)t[3], p + 3 * (size_t)t[0], w);
    plait_vec3_cross(u, v, n);
    return plait_vec3_dot(n, w) / 6;
}

// Each element gives equal parts to its corners.
static void lump(const plait_soft *def, double *mass)
{
    int solid = def->tetrahedra > 0, corners = solid ? 4 : 3, count = solid ? def->tetrahedra : def->triangles;
    const int *cell = solid ? def->tetrahedron : def->triangle;
    for (int e = 0; e < count; e++, cell += corners) {
        double size = solid ? tetrahedron_volume(def->point, cell) : triangle_area(def->point, cell);
        for (int a = 0; a < corners; a++)
            mass[cell[a]] += def->density * size / corners;
    }
}

// ---- the pattern of M ---------------------------------------------------------------------------------------------

static int by_number(const void *a, const void *b)
{
    int64_t p = *(const int64_t *)a, q = *(const int64_t *)b;
    return p < q ? -1 : p > q;
}

// All pairs (larger, smaller) of nodes that share an element, once each, in order; NULL without memory.
static int64_t *neighbours(const plait_soft_impl *s, size_t *count)
{
    size_t most = 1, k = 0;
    for (int i = 0; i < s->sets; i++)
        most += (size_t)s->set[i].count * (size_t)(s->set[i].type->nodes * (s->set[i].type->nodes - 1) / 2);
    int64_t *pair = malloc(most * sizeof *pair);
    for (int i = 0; pair && i < s->sets; i++) {
        int n = s->set[i].type->nodes;
        for (int e = 0; e < s->set[i].count; e++)
            for (int a = 0; a < n; a++)
                for (int b = 0; b < a; b++) {
                    int p = s->set[i].node[(size_t)e * (size_t)n + (size_t)a];
                    int q = s->set[i].node[(size_t)e * (size_t)n + (size_t)b];
                    if (p != q)
                        pair[k++] = (int64_t)(p > q ? p : q) * s->nodes + (p > q ? q : p);
                }
    }
    if (!pair)
        return NULL;
    qsort(pair, k, sizeof *pair, by_number);
    *count = 0;
    for (size_t i = 0; i < k; i++)
        if (i == 0 || pair[i] != pair[i - 1])
            pair[(*count)++] = pair[i];
    return pair;
}

// The rows of every node: ptr, col, below, row_at.
static bool make_rows(plait_soft_impl *s, const int64_t *pair, size_t count, plait_sparse *A)
{
    int64_t entries = 9 * (int64_t)count + 6 * (int64_t)s->nodes, at = 0;
    if (!plait_sparse_alloc(A, 3 * s->nodes, 3 * s->nodes, entries))
        return false;
    A->ptr[0] = 0;
    size_t begin = 0;
    for (int i = 0; i < s->nodes; i++) {
        size_t end = begin;
        while (end < count && pair[end] / s->nodes == i)
            end++;
        s->below[i] = (int)(end - begin), s->row_at[i] = at;
        for (int r = 0; r < 3; r++) {
            for (size_t k = begin; k < end; k++)
                for (int c = 0; c < 3; c++)
                    A->col[at++] = (int)(3 * (pair[k] % s->nodes) + c);
            for (int c = 0; c <= r; c++)
                A->col[at++] = 3 * i + c;
            A->ptr[3 * i + r + 1] = at;
        }
        begin = end;
    }
    memset(A->val, 0, (size_t)entries * sizeof *A->val);
    return true;
}

// Where row 0 of the block (i, j), i >= j, begins.
static int64_t slot_of(const plait_soft_impl *s, const plait_sparse *A, int i, int j)
{
    int64_t low = 0, high = s->below[i]; // among its neighbours, ascending
    while (low < high) {
        int64_t mid = (low + high) / 2;
        if (A->col[s->row_at[i] + 3 * mid] < 3 * j)
            low = mid + 1;
        else
            high = mid;
    }
    return s->row_at[i] + 3 * low;
}

static void make_slots(plait_soft_impl *s, const plait_sparse *A)
{
    for (int k = 0; k < s->sets; k++) {
        plait_elements *set = &s->set[k];
        int n = set->type->nodes;
        int64_t *slot = set->slot;
        for (int e = 0; e < set->count; e++)
            for (int a = 0; a < n; a++)
                for (int b = 0; b <= a; b++) {
                    int p = set->node[(size_t)e * (size_t)n + (size_t)a];
                    int q = set->node[(size_t)e * (size_t)n + (size_t)b];
                    bool twice = a != b && p == q;
                    bool held = twice || s->hold[p] != PLAIT_HOLD_FREE || s->hold[q] != PLAIT_HOLD_FREE;
                    *slot++ = held ? -1 : slot_of(s, A, p > q ? p : q, p > q ? q : p);
                }
    }
}

static plait_status make_pattern(plait_soft_impl *s, plait_error *error)
{
    size_t count = 0;
    plait_sparse A = {0};
    int64_t *pair = neighbours(s, &count);
    plait_status status = PLAIT_NO_MEMORY;
    if (pair && make_rows(s, pair, count, &A)) {
        make_slots(s, &A);
        plait_error why = {0};
        s->plan = plait_cholesky_analyse_mesh(&A, s->rest, &why);
        status = s->plan ? PLAIT_OK : why.status;
    }
    free(pair), plait_sparse_free(&A);
    return status == PLAIT_OK ? PLAIT_OK
                              : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a body of %d nodes", s->nodes);
}

// ---- memory -------------------------------------------------------------------------------------------------------

static bool make_arrays(plait_soft_impl *s, bool second_order)
{
    size_t n = (size_t)s->nodes + 1, n3 = 3 * n;
    double **vectors[] = {&s->rest, &s->held_local, &s->held_at, &s->place,     &s->about,
                          &s->goal, &s->explicit,   &s->g,       &s->direction, &s->trial, &s->pressed};
    size_t count = sizeof vectors / sizeof *vectors;
    size_t history = second_order ? (size_t)plait_bdf2_size(3 * s->nodes) : 0;
    double *p = s->memory = calloc((count + 3) * n3 + history + n, sizeof *p);
    s->hold = malloc(n * sizeof *s->hold), s->below = malloc(n * sizeof *s->below);
    s->row_at = malloc(n * sizeof *s->row_at), s->carrier = calloc(n, sizeof *s->carrier);
    if (!p || !s->hold || !s->below || !s->row_at || !s->carrier)
        return false;
    for (size_t k = 0; k < count; k++, p += n3)
        *vectors[k] = p;
    s->state = p, p += 3 * n3 + history; // places of M that is kept among it
    s->mass = p;
    return true;
}

static bool make_solver(plait_soft_impl *s)
{
    s->D = s->damped ? malloc((size_t)s->plan->entries * sizeof *s->D) : NULL;
    if (s->damped && !s->D)
        return false;
    if (plait_soft_iterates(s)) {
        s->inverse = malloc(18 * (size_t)s->nodes * sizeof *s->inverse);
        s->cg = s->inverse ? s->inverse + 6 * (size_t)s->nodes : NULL;
        return s->inverse != NULL;
    }
    return plait_soft_make_factor(s);
}

static bool make_elements(const plait_soft *def, plait_soft_impl *s)
{
    bool ok;
    s->sets = 1;
    if (def->tetrahedra > 0)
        ok = plait_tetrahedra_make(def, &s->set[0]);
    else
        ok = def->model == PLAIT_SOFT_SPRINGS ? plait_springs_make(def, &s->set[0])
                                              : plait_membrane_make(def, &s->set[0]);
    if (ok && def->tetrahedra == 0 && def->bend > 0)
        s->sets = 2, ok = plait_hinges_make(def, &s->set[1]);
    s->damped = def->damping > 0 || (def->tetrahedra == 0 && def->bend > 0 && def->bend_damping > 0);
    return ok;
}

// Places, and velocities of a rigid motion about the centre of mass.
static void make_state(const plait_soft *def, plait_soft_impl *s)
{
    double centre[3] = {0}, mass = 0, *x = s->state, *v = s->state + 3 * (size_t)s->nodes;
    memcpy(x, def->point, 3 * (size_t)s->nodes * sizeof *x);
    for (int i = 0; i < s->nodes; i++)
        plait_vec3_axpy(s->mass[i], x + 3 * (size_t)i, centre), mass += s->mass[i];
    for (int i = 0; i < s->nodes; i++) {
        double arm[3], turn[3], *u = v + 3 * (size_t)i;
        for (int k = 0; k < 3; k++)
            arm[k] = x[3 * (size_t)i + (size_t)k] - centre[k] / mass;
        plait_vec3_cross(def->spin, arm, turn);
        for (int k = 0; k < 3; k++)
            u[k] = s->hold[i] == PLAIT_HOLD_FREE ? def->velocity[k] + turn[k] : 0;
    }
}

static double mean_edge(const plait_soft *def)
{
    double sum = 0;
    for (int i = 0; i < 3 * def->triangles; i++) {
        double d[3];
        int next = i % 3 == 2 ? i - 2 : i + 1;
        plait_vec3_sub(def->point + 3 * (size_t)def->triangle[next], def->point + 3 * (size_t)def->triangle[i], d);
        sum += plait_vec3_norm(d);
    }
    return sum / (3.0 * def->triangles);
}

static bool copy_def(const plait_soft *def, const plait_body *carrier, bool second_order, plait_soft_impl *s)
{
    s->nodes = def->points, s->drag = def->drag, s->free = true;
    s->triangle = malloc((3 * (size_t)def->triangles + 1) * sizeof *s->triangle);
    if (!s->triangle || !make_arrays(s, second_order))
        return false;
    memcpy(s->triangle, def->triangle, 3 * (size_t)def->triangles * sizeof *s->triangle);
    if (def->force) {
        s->force = malloc(3 * (size_t)s->nodes * sizeof *s->force);
        if (!s->force)
            return false;
        memcpy(s->force, def->force, 3 * (size_t)s->nodes * sizeof *s->force);
    }
    memcpy(s->rest, def->point, 3 * (size_t)s->nodes * sizeof *s->rest);
    memcpy(s->held_at, def->point, 3 * (size_t)s->nodes * sizeof *s->held_at);
    s->skin = (plait_skin){.triangles = def->triangles,
                           .triangle = s->triangle,
                           .rest = s->rest,
                           .radius = def->thickness / 2,
                           .closed = def->tetrahedra > 0,
                           .self = def->self,
                           .material = def->material};
    for (int i = 0; i < s->nodes; i++) {
        s->hold[i] = def->hold ? def->hold[i] : PLAIT_HOLD_FREE;
        s->carrier[i] = s->hold[i] >= 0 && carrier ? carrier + s->hold[i] : NULL;
        s->free &= s->hold[i] == PLAIT_HOLD_FREE;
    }
    return true;
}

plait_status plait_soft_build(const plait_soft *def, const plait_body *carrier, const plait_response *response,
                              plait_body *body, plait_error *error)
{
    plait_soft_impl *s = calloc(1, sizeof *s);
    int id = body->id;
    const plait_body_type *type = def->tetrahedra > 0 ? &plait_body_solid : &plait_body_cloth;
    *body = (plait_body){.type = type, .id = id, .response = response, .impl = s};
    if (!s || !copy_def(def, carrier, response->second_order, s) || !make_elements(def, s))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a body of %d nodes", def->points);
    lump(def, s->mass);
    make_state(def, s);
    plait_status status = make_pattern(s, error);
    if (status != PLAIT_OK)
        return status;
    if (!make_solver(s))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a body of %d nodes", def->points);
    body->dofs = 3 * s->nodes, body->state_size = 6 * s->nodes, body->columns = 9;
    body->state_size += response->second_order ? plait_bdf2_size(body->dofs) : 0;
    if (!plait_soft_make_kept(body, response->second_order))
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a body of %d nodes", def->points);
    s->second.kappa = 1;
    body->plan = s->plan, body->nodes = s->nodes, body->skin = &s->skin;
    body->edge = mean_edge(def), body->fine = def->thickness / 2;
    body->state = s->state;
    return PLAIT_OK;
}
