// gen_roots.c: evenly scattered places on a collider.
//
// Many candidates, uniform on the surface, of which the one that is farthest from all chosen ones is taken, again and
// again: their distances are as even as those of a Poisson disc sample, and there are exactly as many as asked for.
#include "scene/gen_roots.h"

#include <math.h>
#include <stdlib.h>

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
    const plait_gen_range ranges[] = {{"angle of the cap", region->cap, 0, 4, true},
                                      {"angle of the face", region->face, 0, 4, false}};
    plait_status status = plait_gen_check_vector(generator, "up of the region", region->up, unit, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_vector(generator, "front of the region", region->front, unit, error);
    if (status == PLAIT_OK)
        status = plait_gen_check_ranges(generator, 2, ranges, error);
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
    plait_sub(b, a, u);
    plait_sub(c, a, v);
    plait_cross(u, v, w);
    return plait_norm(w) / 2;
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
    x[0] = s->size[0] * rho * cos(angle), x[1] = s->size[0] * rho * sin(angle), x[2] = s->size[0] * z;
}

static bool grows_here(const plait_gen_region *region, const double centre[3], const double x[3])
{
    double d[3], up[3], front[3];
    plait_sub(x, centre, d);
    plait_copy(region->up, up);
    plait_copy(region->front, front);
    plait_normalise(d), plait_normalise(up), plait_normalise(front);
    return plait_dot(d, up) >= cos(fmin(region->cap, PI)) &&
           !(region->face > 0 && plait_dot(d, front) > cos(region->face));
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

static bool choose(int candidates, const double *candidate, int count, plait_gen_root *root)
{
    double *far = malloc((size_t)candidates * sizeof *far);
    if (!far)
        return false;
    for (int i = 0; i < candidates; i++)
        far[i] = INFINITY;
    int next = 0;
    for (int k = 0; k < count; k++) {
        plait_copy(candidate + 3 * (size_t)next, root[k].x);
        int farthest = 0;
        for (int i = 0; i < candidates; i++) {
            double d[3];
            plait_sub(candidate + 3 * (size_t)i, root[k].x, d);
            far[i] = fmin(far[i], plait_dot(d, d));
            if (far[i] > far[farthest])
                farthest = i;
        }
        next = farthest;
    }
    free(far);
    return true;
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
