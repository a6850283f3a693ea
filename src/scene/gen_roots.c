// gen_roots.c: evenly scattered places on a collider.
//
// Many candidates, uniform on the surface, of which the one that is farthest from all chosen ones is taken, again and
// again: their distances are as even as those of a Poisson disc sample, and there are exactly as many as asked for.
#include "scene/gen_roots.h"

#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "math/vec3.h"

static const double PI = 3.14159265358979323846;
enum { CANDIDATES = 12, TRIES = 400 };

plait_gen_region plait_gen_default_region(void)
{
    return (plait_gen_region){.up = {0, -0.45, 1}, .cap = 1.75, .front = {0, 1, -0.15}, .face = 1.0};
}

plait_status plait_gen_check_region(const char *generator, const plait_scene *scene, int collider,
                                    const plait_gen_region *region, plait_error *error)
{
    double unit[3];
    const plait_gen_range ranges[] = {
        {"angle of the cap", region->cap, 0, 4, true}, {"angle of the face", region->face, 0, 4, false}, {0}};
    const plait_gen_vector vectors[] = {
        {"up of the region", region->up, unit}, {"front of the region", region->front, unit}, {0}};
    plait_status status = plait_gen_check(generator, NULL, NULL, vectors, NULL, ranges, error);
    if (status != PLAIT_OK)
        return status;
    if (collider < 0 || collider >= scene->colliders)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: collider %d is not one of the scene's %d", generator,
                               collider, scene->colliders);
    const plait_collider *c = &scene->collider[collider];
    bool sphere = c->shape.kind == PLAIT_SHAPE_SPHERE,
         mesh = c->shape.kind == PLAIT_SHAPE_MESH && c->shape.triangles > 0;
    if (!sphere && !mesh)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s: collider %d (%s) must be a sphere or a mesh", generator,
                               collider, c->name);
    return PLAIT_OK;
}

// ---- candidates --------------------------------------------------------------------------------------------------

// A triangle's area and, twice as long, its normal.
static double triangle_area(const plait_shape *s, int t, double w[3])
{
    const double *a = s->point + 3 * (size_t)s->triangle[3 * t], *b = s->point + 3 * (size_t)s->triangle[3 * t + 1],
                 *c = s->point + 3 * (size_t)s->triangle[3 * t + 2];
    double u[3], v[3];
    plait_vec3_sub(b, a, u);
    plait_vec3_sub(c, a, v);
    plait_vec3_cross(u, v, w);
    return plait_vec3_norm(w) / 2;
}

// Running sums of the areas of the triangles.
static double *sum_areas(const plait_shape *s)
{
    double *sum = malloc(((size_t)s->triangles + 1) * sizeof *sum), w[3];
    if (sum)
        sum[0] = 0;
    for (int t = 0; sum && t < s->triangles; t++)
        sum[t + 1] = sum[t] + triangle_area(s, t, w);
    return sum;
}

static void on_mesh(const plait_shape *s, const double *sum, plait_rng *rng, double x[3])
{
    double at = sum[s->triangles] * plait_rng_uniform(rng), u = sqrt(plait_rng_uniform(rng)),
           v = plait_rng_uniform(rng);
    int low = 0, high = s->triangles - 1;
    while (low < high) {
        int middle = (low + high) / 2;
        if (sum[middle + 1] > at)
            high = middle;
        else
            low = middle + 1;
    }
    const double weight[3] = {1 - u, u * (1 - v), u * v};
    for (int c = 0; c < 3; c++) {
        x[c] = 0;
        for (int k = 0; k < 3; k++)
            x[c] += weight[k] * s->point[3 * (size_t)s->triangle[3 * low + k] + (size_t)c];
    }
}

static void on_sphere(const plait_shape *s, plait_rng *rng, double x[3])
{
    double z = plait_rng_between(rng, -1, 1), angle = 2 * PI * plait_rng_uniform(rng), rho = sqrt(1 - z * z);
    x[0] = s->size[0] * rho * plait_cos(angle), x[1] = s->size[0] * rho * plait_sin(angle), x[2] = s->size[0] * z;
}

static bool grows_here(const plait_gen_region *region, const double centre[3], const double x[3])
{
    double d[3], up[3], front[3];
    plait_vec3_sub(x, centre, d);
    plait_vec3_copy(region->up, up);
    plait_vec3_copy(region->front, front);
    plait_vec3_normalise(d), plait_vec3_normalise(up), plait_vec3_normalise(front);
    return plait_vec3_dot(d, up) >= plait_cos(fmin(region->cap, PI)) &&
           !(region->face > 0 && plait_vec3_dot(d, front) > plait_cos(region->face));
}

// Fills `wanted` candidates; returns how many there are, and the part of the surface that is in the region.
static int scatter(const plait_scene *scene, const plait_gen_field *field, int collider, const plait_gen_region *region,
                   int wanted, uint64_t seed, double *candidate, double *area)
{
    const plait_shape *s = &scene->collider[collider].shape;
    plait_rng rng = plait_rng_new(seed, UINT64_MAX - 1);
    double *sum = s->kind == PLAIT_SHAPE_MESH ? sum_areas(s) : NULL, centre[3];
    if (s->kind == PLAIT_SHAPE_MESH && !sum)
        return -1;
    plait_gen_field_centre(field, collider, centre);
    int64_t tried = 0;
    int found = 0;
    while (found < wanted && tried < (int64_t)TRIES * wanted) {
        double local[3], *x = candidate + 3 * (size_t)found;
        sum ? on_mesh(s, sum, &rng, local) : on_sphere(s, &rng, local);
        plait_gen_field_place(field, collider, local, x);
        found += grows_here(region, centre, x);
        tried++;
    }
    double whole = sum ? sum[s->triangles] : 4 * PI * s->size[0] * s->size[0];
    *area = tried > 0 ? whole * found / (double)tried : 0;
    free(sum);
    return found;
}

// ---- the choice --------------------------------------------------------------------------------------------------

// Candidates in the cells of a grid, and a heap of them, the farthest on top. A candidate's distance only ever gets
// smaller, so the heap may hold old, larger ones: they are mended when they come to the top. And nobody is farther than
// the one on top, so a new root concerns only candidates that are nearer to it than that.
typedef struct chooser {
    int count, *heap;
    const double *x;
    double *far, *key; // squared distances: true; as the heap believes
    double low[3], cell;
    int size[3], *first, *member;
} chooser;

static bool above(const chooser *c, int a, int b)
{
    return c->key[a] != c->key[b] ? c->key[a] > c->key[b] : a < b;
}

static void sift(chooser *c, int at)
{
    int i = c->heap[at];
    for (int child; (child = 2 * at + 1) < c->count; at = child) {
        if (child + 1 < c->count && above(c, c->heap[child + 1], c->heap[child]))
            child++;
        if (!above(c, c->heap[child], i))
            break;
        c->heap[at] = c->heap[child];
    }
    c->heap[at] = i;
}

static int farthest(chooser *c)
{
    while (c->key[c->heap[0]] != c->far[c->heap[0]]) {
        c->key[c->heap[0]] = c->far[c->heap[0]];
        sift(c, 0);
    }
    return c->heap[0];
}

static int cell_of(const chooser *c, const double x[3], int axis)
{
    int k = (int)((x[axis] - c->low[axis]) / c->cell);
    return k < 0 ? 0 : k >= c->size[axis] ? c->size[axis] - 1 : k;
}

static int cell_number(const chooser *c, const double x[3])
{
    return (cell_of(c, x, 2) * c->size[1] + cell_of(c, x, 1)) * c->size[0] + cell_of(c, x, 0);
}

static bool make_grid(chooser *c)
{
    enum { MOST_CELLS = 64 };
    double high[3], widest = 0;
    plait_vec3_copy(c->x, c->low), plait_vec3_copy(c->x, high);
    for (int i = 0; i < c->count; i++)
        for (int k = 0; k < 3; k++)
            c->low[k] = fmin(c->low[k], c->x[3 * (size_t)i + (size_t)k]),
            high[k] = fmax(high[k], c->x[3 * (size_t)i + (size_t)k]);
    for (int k = 0; k < 3; k++)
        widest = fmax(widest, high[k] - c->low[k]);
    c->cell = fmax(widest, 1e-300) / fmin(MOST_CELLS, 1 + sqrt(c->count));
    int cells = 1;
    for (int k = 0; k < 3; k++)
        cells *= c->size[k] = 1 + (int)((high[k] - c->low[k]) / c->cell);
    c->first = calloc((size_t)cells + 1, sizeof *c->first);
    c->member = malloc((size_t)c->count * sizeof *c->member);
    if (!c->first || !c->member)
        return false;
    for (int i = 0; i < c->count; i++)
        c->first[cell_number(c, c->x + 3 * (size_t)i) + 1]++;
    for (int k = 0; k < cells; k++)
        c->first[k + 1] += c->first[k];
    for (int i = c->count - 1; i >= 0; i--) // from the back: first[k + 1] goes down to the start of cell k
        c->member[--c->first[cell_number(c, c->x + 3 * (size_t)i) + 1]] = i;
    for (int k = 0; k < cells; k++)
        c->first[k] = c->first[k + 1];
    c->first[cells] = c->count;
    return true;
}

static void shorten(chooser *c, const double root[3], double reach)
{
    int from[3], to[3];
    for (int k = 0; k < 3; k++) {
        double a[3] = {0}, b[3] = {0};
        a[k] = root[k] - reach, b[k] = root[k] + reach;
        from[k] = isfinite(reach) ? cell_of(c, a, k) : 0;
        to[k] = isfinite(reach) ? cell_of(c, b, k) : c->size[k] - 1;
    }
    for (int z = from[2]; z <= to[2]; z++)
        for (int y = from[1]; y <= to[1]; y++) {
            int row = (z * c->size[1] + y) * c->size[0];
            for (int m = c->first[row + from[0]]; m < c->first[row + to[0] + 1]; m++) {
                double d[3];
                plait_vec3_sub(c->x + 3 * (size_t)c->member[m], root, d);
                c->far[c->member[m]] = fmin(c->far[c->member[m]], plait_vec3_dot(d, d));
            }
        }
}

static bool choose(int candidates, const double *candidate, int count, plait_gen_root *root)
{
    chooser c = {.count = candidates, .x = candidate};
    c.heap = malloc((size_t)candidates * sizeof *c.heap);
    c.far = malloc(2 * (size_t)candidates * sizeof *c.far);
    bool ok = c.heap && c.far && make_grid(&c);
    if (ok) {
        c.key = c.far + candidates;
        for (int i = 0; i < candidates; i++)
            c.far[i] = c.key[i] = INFINITY, c.heap[i] = i;
        for (int k = 0; k < count; k++) {
            int next = farthest(&c);
            plait_vec3_copy(candidate + 3 * (size_t)next, root[k].x);
            shorten(&c, root[k].x, sqrt(c.far[next]));
        }
    }
    free(c.heap), free(c.far), free(c.first), free(c.member);
    return ok;
}

plait_status plait_gen_roots(const char *generator, const plait_scene *scene, const plait_gen_field *field,
                             int collider, const plait_gen_region *region, int count, uint64_t seed,
                             plait_gen_root *root, double *area, plait_error *error)
{
    int wanted = CANDIDATES * count;
    double *candidate = malloc(3 * (size_t)wanted * sizeof *candidate);
    if (!candidate)
        return plait_gen_no_memory(generator, error);
    plait_status status = PLAIT_OK;
    int found = scatter(scene, field, collider, region, wanted, seed, candidate, area);
    if (found < 0)
        status = plait_gen_no_memory(generator, error);
    else if (found < wanted)
        status = plait_error_set(error, PLAIT_BAD_INPUT, "%s: nothing grows in the region: it has hardly any surface",
                                 generator);
    else if (!choose(found, candidate, count, root))
        status = plait_gen_no_memory(generator, error);
    free(candidate);
    for (int i = 0; status == PLAIT_OK && i < count; i++) {
        // A mesh is flat between its vertices: the field's normal changes gently.
        plait_gen_field_at(field, collider, root[i].x, root[i].normal);
    }
    return status;
}
