// gen_fill.c: a closed surface filled with a lattice of tetrahedra.
//
// Cubes whose middle is inside are kept, cut as a box is (gen_soft.c). Then nodes of the skin go to the surface: as far
// as no tetrahedron around them loses more than MOST_LOSS of its volume; those that cannot, half or a quarter of the
// way.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "collide/mesh.h"
#include "math/vec3.h"
#include "scene/gen_soft.h"

static const double MOST_LOSS = 0.6;

static plait_status no_memory(plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "no memory to fill a mesh");
}

// The box around the mesh, and cubes over it.
static bool lattice(const plait_shape *mesh, double cell, double low[3], int count[3])
{
    double high[3] = {-INFINITY, -INFINITY, -INFINITY}, total = 1;
    low[0] = low[1] = low[2] = INFINITY;
    for (int i = 0; i < 3 * mesh->points; i++)
        low[i % 3] = fmin(low[i % 3], mesh->point[i]), high[i % 3] = fmax(high[i % 3], mesh->point[i]);
    for (int k = 0; k < 3; k++) {
        double cells = ceil((high[k] - low[k]) / cell);
        total *= cells + 1;
        if (!(total < 3e7))
            return false;
        count[k] = (int)fmax(cells, 1);
        low[k] -= 0.5 * (count[k] * cell - (high[k] - low[k])); // in the middle
    }
    return true;
}

// Leaves out the cubes that are outside, and nodes that belong to none.
static bool keep_inside(const plait_mesh *tree, plait_soft *s, const double low[3], double cell, const int count[3])
{
    int *number = malloc((size_t)s->points * sizeof *number), kept = 0, cube = 0, points = 0;
    if (!number)
        return false;
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++)
            for (int x = 0; x < count[0]; x++, cube++) {
                double middle[3] = {low[0] + (x + 0.5) * cell, low[1] + (y + 0.5) * cell, low[2] + (z + 0.5) * cell};
                plait_mesh_point near;
                if (!plait_mesh_nearest(tree, middle, 1e300, &near) || near.distance >= 0)
                    continue;
                memmove(s->tetrahedron + 24 * (size_t)kept++, s->tetrahedron + 24 * (size_t)cube, 24 * sizeof(int));
            }
    s->tetrahedra = 6 * kept;
    for (int i = 0; i < s->points; i++)
        number[i] = -1;
    for (size_t i = 0; i < 4 * (size_t)s->tetrahedra; i++)
        number[s->tetrahedron[i]] = 0;
    for (int i = 0; i < s->points; i++)
        if (number[i] == 0) {
            memmove(s->point + 3 * (size_t)points, s->point + 3 * (size_t)i, 3 * sizeof *s->point);
            number[i] = points++;
        }
    for (size_t i = 0; i < 4 * (size_t)s->tetrahedra; i++)
        s->tetrahedron[i] = number[s->tetrahedron[i]];
    s->points = points;
    free(number);
    return true;
}

static double volume(const plait_soft *s, const int *t)
{
    double d[3][3], n[3];
    for (int k = 0; k < 3; k++)
        plait_vec3_sub(s->point + 3 * (size_t)t[k + 1], s->point + 3 * (size_t)t[0], d[k]);
    plait_vec3_cross(d[0], d[1], n);
    return plait_vec3_dot(n, d[2]);
}

// The tetrahedra of each node: list[first[i] .. first[i + 1] - 1].
static bool around(const plait_soft *s, int **first, int **list)
{
    *first = calloc((size_t)s->points + 2, sizeof **first);
    *list = malloc(4 * (size_t)s->tetrahedra * sizeof **list + 1);
    if (!*first || !*list)
        return false;
    for (size_t i = 0; i < 4 * (size_t)s->tetrahedra; i++)
        ++(*first)[s->tetrahedron[i] + 2];
    for (int i = 0; i < s->points; i++)
        (*first)[i + 2] += (*first)[i + 1];
    for (size_t i = 0; i < 4 * (size_t)s->tetrahedra; i++)
        (*list)[(*first)[s->tetrahedron[i] + 1]++] = (int)(i / 4);
    return true;
}

static void snap_node(const plait_mesh *tree, plait_soft *s, int i, double cell, const int *begin, const int *end)
{
    double *x = s->point + 3 * (size_t)i, old[3], least = (1 - MOST_LOSS) * cell * cell * cell;
    plait_mesh_point near;
    plait_vec3_copy(x, old);
    if (!plait_mesh_nearest(tree, old, 1e300, &near))
        return;
    for (double part = 1; part > 0.2; part /= 2) {
        bool ok = true;
        for (int k = 0; k < 3; k++)
            x[k] = old[k] + part * (near.point[k] - old[k]);
        for (const int *t = begin; t < end && ok; t++)
            ok = volume(s, s->tetrahedron + 4 * (size_t)*t) >= least;
        if (ok)
            return;
    }
    plait_vec3_copy(old, x);
}

static bool snap(const plait_mesh *tree, plait_soft *s, double cell)
{
    int *first = NULL, *list = NULL;
    unsigned char *skin = calloc((size_t)s->points, 1);
    bool ok = skin && around(s, &first, &list);
    for (int i = 0; ok && i < 3 * s->triangles; i++)
        skin[s->triangle[i]] = 1;
    for (int i = 0; ok && i < s->points; i++)
        if (skin[i])
            snap_node(tree, s, i, cell, list + first[i], list + first[i + 1]);
    free(first), free(list), free(skin);
    return ok;
}

plait_status plait_gen_solid_fill(const plait_shape *mesh, double cell, plait_soft *solid, plait_error *error)
{
    double low[3];
    int count[3];
    if (!mesh->closed)
        return plait_error_set(error, PLAIT_BAD_INPUT, "the mesh to fill is not closed");
    if (!lattice(mesh, cell, low, count))
        return plait_error_set(error, PLAIT_BAD_INPUT, "cubes of %g m: more than 30 million to fill the mesh", cell);
    plait_gen_solid box = {.cells = {count[0], count[1], count[2]},
                           .size = {count[0] * cell, count[1] * cell, count[2] * cell}};
    plait_mesh tree = {0};
    plait_status status = plait_gen_solid_block(&box, solid, error);
    if (status != PLAIT_OK)
        return status;
    for (int i = 0; i < 3 * solid->points; i++)
        solid->point[i] += low[i % 3] + 0.5 * count[i % 3] * cell;
    bool ok = plait_mesh_set(&tree, mesh->points, mesh->point, mesh->point, mesh->triangles, mesh->triangle, true) &&
              keep_inside(&tree, solid, low, cell, count);
    status = ok ? PLAIT_OK : no_memory(error);
    if (ok && solid->tetrahedra == 0)
        status = plait_error_set(error, PLAIT_BAD_INPUT, "no cube of %g m is inside of the mesh: smaller ones?", cell);
    if (status == PLAIT_OK)
        status = plait_soft_skin(solid, error);
    if (status == PLAIT_OK && !snap(&tree, solid, cell))
        status = no_memory(error);
    plait_mesh_free(&tree);
    return status;
}
