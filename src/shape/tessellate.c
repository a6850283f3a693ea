// tessellate.c: surfaces as triangles.
#include <math.h>
#include <stdlib.h>

#include "base/elementary.h"
#include "math/vec3.h"
#include "shape/type.h"

static const double PI = 3.14159265358979323846;

bool plait_tessel_reserve(plait_shape *mesh, int points, int triangles)
{
    mesh->kind = PLAIT_SHAPE_MESH;
    mesh->point = malloc(3 * (size_t)points * sizeof *mesh->point + 1);
    mesh->triangle = malloc(3 * (size_t)triangles * sizeof *mesh->triangle + 1);
    if (mesh->point && mesh->triangle)
        return true;
    free(mesh->point);
    free(mesh->triangle);
    *mesh = (plait_shape){0};
    return false;
}

void plait_tessel_point(plait_shape *mesh, double x, double y, double z)
{
    plait_vec3_set(mesh->point + 3 * (size_t)mesh->points++, x, y, z);
}

void plait_tessel_triangle(plait_shape *mesh, int i, int j, int k)
{
    int *t = mesh->triangle + 3 * (size_t)mesh->triangles++;
    t[0] = i, t[1] = j, t[2] = k;
}

void plait_tessel_belt(plait_shape *mesh, int a, int b, int sides)
{
    for (int i = 0; i < sides; i++) {
        int j = (i + 1) % sides;
        plait_tessel_triangle(mesh, a + i, a + j, b + j);
        plait_tessel_triangle(mesh, a + i, b + j, b + i);
    }
}

void plait_tessel_cap(plait_shape *mesh, int pole, int ring, int sides, bool top)
{
    for (int i = 0; i < sides; i++) {
        int j = (i + 1) % sides;
        plait_tessel_triangle(mesh, pole, ring + (top ? i : j), ring + (top ? j : i));
    }
}

bool plait_tessel_revolve(plait_shape *mesh, int sides, int rings, const double *radius, const double *height,
                          double low, double high)
{
    if (!plait_tessel_reserve(mesh, rings * sides + 2, 2 * rings * sides))
        return false;
    for (int r = 0; r < rings; r++)
        for (int i = 0; i < sides; i++)
            plait_tessel_point(mesh, radius[r] * plait_cos(2 * PI * i / sides),
                               radius[r] * plait_sin(2 * PI * i / sides), height[r]);
    plait_tessel_point(mesh, 0, 0, low);
    plait_tessel_point(mesh, 0, 0, high);
    for (int r = 0; r + 1 < rings; r++)
        plait_tessel_belt(mesh, r * sides, (r + 1) * sides, sides);
    plait_tessel_cap(mesh, rings * sides, 0, sides, false);
    plait_tessel_cap(mesh, rings * sides + 1, (rings - 1) * sides, sides, true);
    return true;
}
