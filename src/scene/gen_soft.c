// gen_soft.c: cloth and solids made of a grid.
#include "scene/gen_soft.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "base/rng.h"
#include "math/vec3.h"

static plait_status no_memory(plait_error *error, double nodes)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a body of %.0f nodes", nodes);
}

static plait_status too_many(plait_error *error, double nodes)
{
    return plait_error_set(error, PLAIT_BAD_INPUT, "a body of %.0f nodes is more than 100 million: larger cells?",
                           nodes);
}

// ---- cloth --------------------------------------------------------------------------------------------------------

// Quad (i, j) of nodes n across: whether it is cut from its first corner to the opposite one.
static bool first_way(plait_gen_pattern pattern, int i, int j)
{
    return pattern == PLAIT_GEN_REGULAR ? true : pattern == PLAIT_GEN_FLIPPED ? false : (i + j) % 2 == 0;
}

static void roll(double curvature, double *x)
{
    double angle = curvature * x[0];
    if (curvature == 0)
        return;
    x[0] = plait_sin(angle) / curvature, x[2] = (1 - plait_cos(angle)) / curvature;
}

plait_status plait_gen_cloth_grid(const plait_gen_grid *o, plait_soft *cloth, plait_error *error)
{
    int nx = o->cells[0], ny = o->cells[1];
    double nodes = ((double)nx + 1) * ((double)ny + 1);
    if (nodes > 1e8)
        return too_many(error, nodes);
    size_t quads = (size_t)nx * (size_t)ny;
    cloth->point = malloc(3 * (size_t)nodes * sizeof *cloth->point);
    cloth->triangle = malloc(6 * quads * sizeof *cloth->triangle);
    if (!cloth->point || !cloth->triangle)
        return no_memory(error, nodes);
    cloth->points = (int)nodes, cloth->triangles = (int)(2 * quads);
    plait_rng rng = plait_rng_new(o->seed, 0);
    double *x = cloth->point;
    for (int j = 0; j <= ny; j++)
        for (int i = 0; i <= nx; i++, x += 3) {
            bool inner = i > 0 && i < nx && j > 0 && j < ny && o->pattern == PLAIT_GEN_IRREGULAR;
            double a = i + (inner ? plait_rng_between(&rng, -0.3, 0.3) : 0);
            double b = j + (inner ? plait_rng_between(&rng, -0.3, 0.3) : 0);
            x[0] = o->size[0] * (a / nx - 0.5), x[1] = o->size[1] * (b / ny - 0.5), x[2] = 0;
            roll(o->rolled, x);
        }
    int *t = cloth->triangle;
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++, t += 6) {
            int a = j * (nx + 1) + i, b = a + 1, d = a + nx + 1, c = d + 1;
            bool first = first_way(o->pattern, i, j);
            int one[6] = {a, b, c, a, c, d}, two[6] = {a, b, d, b, c, d};
            memcpy(t, first ? one : two, sizeof one);
        }
    return PLAIT_OK;
}

plait_status plait_gen_cloth_mesh(const plait_shape *mesh, plait_soft *cloth, plait_error *error)
{
    size_t corners = 3 * (size_t)mesh->triangles;
    int *number = malloc(((size_t)mesh->points + 1) * sizeof *number);
    cloth->point = malloc((3 * (size_t)mesh->points + 1) * sizeof *cloth->point);
    cloth->triangle = malloc((corners + 1) * sizeof *cloth->triangle);
    if (!number || !cloth->point || !cloth->triangle) {
        free(number);
        return no_memory(error, mesh->points);
    }
    for (int i = 0; i < mesh->points; i++)
        number[i] = -1;
    for (size_t i = 0; i < corners; i++) {
        int from = mesh->triangle[i];
        if (number[from] < 0) {
            number[from] = cloth->points++;
            plait_vec3_copy(mesh->point + 3 * (size_t)from, cloth->point + 3 * (size_t)number[from]);
        }
        cloth->triangle[i] = number[from];
    }
    cloth->triangles = mesh->triangles;
    free(number);
    return PLAIT_OK;
}

// ---- solids -------------------------------------------------------------------------------------------------------

// p in [-1, 1]^3 -> the ball or the cylinder in it: shells of the cube become shells of the ball.
static void bend(plait_gen_block block, double p[3])
{
    double flat = block == PLAIT_GEN_CYLINDER ? 0 : p[2];
    double round = sqrt(p[0] * p[0] + p[1] * p[1] + flat * flat);
    double square = plait_larger(fabs(p[0]), plait_larger(fabs(p[1]), fabs(flat)));
    if (block == PLAIT_GEN_BOX || round == 0)
        return;
    p[0] *= square / round, p[1] *= square / round;
    p[2] *= block == PLAIT_GEN_BALL ? square / round : 1;
}

static void place_nodes(const plait_gen_solid *o, double *x)
{
    plait_rng rng = plait_rng_new(o->seed, 0);
    int index[3];
    for (index[2] = 0; index[2] <= o->cells[2]; index[2]++)
        for (index[1] = 0; index[1] <= o->cells[1]; index[1]++)
            for (index[0] = 0; index[0] <= o->cells[0]; index[0]++, x += 3) {
                bool inner = true;
                for (int k = 0; k < 3; k++)
                    inner &= index[k] > 0 && index[k] < o->cells[k];
                for (int k = 0; k < 3; k++) {
                    double at = index[k];
                    if (inner && o->irregular > 0)
                        at += o->irregular * plait_rng_between(&rng, -1, 1);
                    x[k] = 2 * at / o->cells[k] - 1;
                }
                bend(o->block, x);
                for (int k = 0; k < 3; k++)
                    x[k] *= o->size[k] / 2;
            }
}

// Six tetrahedra around the diagonal of each cube that leads away from the middle of the box, so that edges of a cube
// that become flat in a ball have a diagonal there; neighbours agree on the diagonals of their common face.
static void cut_cubes(const plait_gen_solid *o, int *t)
{
    static const int order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
    int stride[3] = {1, o->cells[0] + 1, (o->cells[0] + 1) * (o->cells[1] + 1)}, at[3];
    for (at[2] = 0; at[2] < o->cells[2]; at[2]++)
        for (at[1] = 0; at[1] < o->cells[1]; at[1]++)
            for (at[0] = 0; at[0] < o->cells[0]; at[0]++)
                for (int p = 0; p < 6; p++, t += 4) {
                    int node = 0, step[3];
                    bool odd = p == 1 || p == 2 || p == 5;
                    for (int k = 0; k < 3; k++) {
                        bool low = 2 * at[k] + 1 < o->cells[k];
                        node += (at[k] + low) * stride[k], step[k] = low ? -stride[k] : stride[k];
                        odd ^= low;
                    }
                    t[0] = node, t[1] = t[0] + step[order[p][0]], t[2] = t[1] + step[order[p][1]];
                    t[3] = t[2] + step[order[p][2]];
                    if (odd) {
                        int swap = t[2];
                        t[2] = t[3], t[3] = swap;
                    }
                }
}

plait_status plait_gen_solid_block(const plait_gen_solid *o, plait_soft *solid, plait_error *error)
{
    double nodes = ((double)o->cells[0] + 1) * ((double)o->cells[1] + 1) * ((double)o->cells[2] + 1);
    if (nodes > 1e8)
        return too_many(error, nodes);
    size_t cubes = (size_t)o->cells[0] * (size_t)o->cells[1] * (size_t)o->cells[2];
    solid->point = malloc(3 * (size_t)nodes * sizeof *solid->point);
    solid->tetrahedron = malloc(24 * cubes * sizeof *solid->tetrahedron);
    if (!solid->point || !solid->tetrahedron)
        return no_memory(error, nodes);
    solid->points = (int)nodes, solid->tetrahedra = (int)(6 * cubes);
    place_nodes(o, solid->point);
    cut_cubes(o, solid->tetrahedron);
    return plait_soft_skin(solid, error);
}
