// soft_data.c: soft bodies as plain data: defaults, what cannot be, the skin of a solid.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "plait/soft.h"

static const char *const names[PLAIT_SOFT_MODELS] = {"springs", "shell", "corotational", "neo-hookean"};

const char *plait_soft_model_name(plait_soft_model model)
{
    return (int)model >= 0 && model < PLAIT_SOFT_MODELS ? names[model] : NULL;
}

plait_soft plait_default_cloth(void)
{
    return (plait_soft){.model = PLAIT_SOFT_SHELL,
                        .thickness = 1e-3,
                        .self = true,
                        .density = 0.2,
                        .stretch = 1000,
                        .bend = 1e-5,
                        .poisson = 0.3,
                        .damping = 1e-3,
                        .bend_damping = 1e-2};
}

plait_soft plait_default_solid(void)
{
    return (plait_soft){.model = PLAIT_SOFT_COROTATIONAL,
                        .thickness = 1e-3,
                        .self = true,
                        .density = 1000,
                        .young = 1e5,
                        .poisson = 0.4,
                        .damping = 1e-3};
}

void plait_soft_free(plait_soft *s)
{
    free(s->point), free(s->triangle), free(s->tetrahedron), free(s->hold), free(s->force);
    s->point = s->force = NULL, s->triangle = s->tetrahedron = s->hold = NULL;
}

// ---- what cannot be -------------------------------------------------------------------------------------------------

static plait_status bad(plait_error *error, const char *what, int i, const int *node, int corners)
{
    if (corners == 3)
        return plait_error_set(error, PLAIT_BAD_INPUT, "triangle %d (%d, %d, %d): %s", i, node[0], node[1], node[2],
                               what);
    return plait_error_set(error, PLAIT_BAD_INPUT, "tetrahedron %d (%d, %d, %d, %d): %s", i, node[0], node[1], node[2],
                           node[3], what);
}

// Six times the volume, or twice the area, relative to the longest edge.
static double fatness(const double *point, const int *node, int corners)
{
    double d[3][3], n[3], longest = 0;
    for (int k = 1; k < corners; k++) {
        plait_vec3_sub(point + 3 * (size_t)node[k], point + 3 * (size_t)node[0], d[k - 1]);
        longest = fmax(longest, plait_vec3_norm(d[k - 1]));
    }
    plait_vec3_cross(d[0], d[1], n);
    return corners == 3 ? plait_vec3_norm(n) / (longest * longest)
                        : plait_vec3_dot(n, d[2]) / (longest * longest * longest);
}

static plait_status check_cells(const plait_soft *s, int count, const int *cell, int corners, plait_error *error)
{
    for (int i = 0; i < count; i++, cell += corners) {
        for (int k = 0; k < corners; k++)
            if (cell[k] < 0 || cell[k] >= s->points)
                return bad(error, "a node is not there", i, cell, corners);
        for (int a = 0; a < corners; a++)
            for (int b = 0; b < a; b++)
                if (cell[a] == cell[b])
                    return bad(error, "a node appears twice", i, cell, corners);
        double fat = fatness(s->point, cell, corners);
        if (!(fat > 1e-9))
            return bad(error, fat < -1e-9 ? "it is inverted: its volume is negative" : "it is flat", i, cell, corners);
    }
    return PLAIT_OK;
}

static plait_status must_be(plait_error *error, const char *what, double value, double min, double max)
{
    if (value >= min && value <= max)
        return PLAIT_OK;
    return plait_error_set(error, PLAIT_BAD_INPUT, "%s must be between %g and %g, but is %g", what, min, max, value);
}

static plait_status check_numbers(const plait_soft *s, plait_error *error)
{
    bool solid = s->tetrahedra > 0;
    const struct {
        const char *what;
        double value, min, max;
    } number[] = {
        {"the thickness", s->thickness, 1e-9, 10},
        {solid ? "the density" : "the mass per area", s->density, 1e-6, 1e6},
        {"the stretch stiffness", solid ? 1 : s->stretch, 1e-9, 1e15},
        {"the shear stiffness", solid ? 0 : s->shear, 0, 1e15},
        {"the bending stiffness", solid ? 0 : s->bend, 0, 1e12},
        {"Young's modulus", solid ? s->young : 1, 1e-3, 1e14},
        {"Poisson's ratio", s->poisson, -0.99, solid ? 0.499999 : 0.99},
        {"the damping", s->damping, 0, 1e6},
        {"the damping of bending", s->bend_damping, 0, 1e6},
        {"the drag", s->drag, 0, 1e9},
    };
    for (size_t i = 0; i < sizeof number / sizeof *number; i++) {
        plait_status status = must_be(error, number[i].what, number[i].value, number[i].min, number[i].max);
        if (status != PLAIT_OK)
            return status;
    }
    if (!plait_vec3_finite(s->velocity) || !plait_vec3_finite(s->spin))
        return plait_error_set(error, PLAIT_BAD_INPUT, "its velocity or spin is not finite");
    return PLAIT_OK;
}

static plait_status check_nodes(const plait_soft *s, int colliders, plait_error *error)
{
    bool solid = s->tetrahedra > 0;
    int corners = solid ? 4 : 3, count = solid ? s->tetrahedra : s->triangles;
    const int *cell = solid ? s->tetrahedron : s->triangle;
    for (int i = 0; i < s->points; i++)
        if (!plait_vec3_finite(s->point + 3 * (size_t)i))
            return plait_error_set(error, PLAIT_BAD_INPUT, "node %d is not finite: (%g, %g, %g)", i,
                                   s->point[3 * (size_t)i], s->point[3 * (size_t)i + 1], s->point[3 * (size_t)i + 2]);
    for (int i = 0; i < s->points && s->force; i++)
        if (!plait_vec3_finite(s->force + 3 * (size_t)i))
            return plait_error_set(error, PLAIT_BAD_INPUT, "the force on node %d is not finite", i);
    for (int i = 0; i < s->points && s->hold; i++)
        if (s->hold[i] < PLAIT_HOLD_WORLD || s->hold[i] >= colliders)
            return plait_error_set(error, PLAIT_BAD_INPUT, "node %d is held by collider %d of %d", i, s->hold[i],
                                   colliders);
    plait_status status = check_cells(s, count, cell, corners, error);
    if (status != PLAIT_OK)
        return status;
    if (solid)
        status = check_cells(s, s->triangles, s->triangle, 3, error);
    unsigned char *used = status == PLAIT_OK ? calloc((size_t)s->points, 1) : NULL;
    if (status == PLAIT_OK && !used)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d nodes", s->points);
    for (int i = 0; used && i < corners * count; i++)
        used[cell[i]] = 1;
    for (int i = 0; used && i < s->points; i++)
        if (!used[i]) {
            status = plait_error_set(error, PLAIT_BAD_INPUT, "node %d belongs to no %s: it would have no mass", i,
                                     solid ? "tetrahedron" : "triangle");
            break;
        }
    free(used);
    return status;
}

plait_status plait_soft_check(const plait_soft *s, int colliders, plait_error *error)
{
    bool solid = s->tetrahedra > 0;
    if (!plait_soft_model_name(s->model) || (s->model >= PLAIT_SOFT_COROTATIONAL) != solid)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%s has no model %s", solid ? "a solid" : "cloth",
                               plait_soft_model_name(s->model) ? plait_soft_model_name(s->model) : "of this number");
    if (s->points < 3 || !s->point || s->triangles < 1 || !s->triangle || s->tetrahedra < 0 ||
        (solid && !s->tetrahedron))
        return plait_error_set(error, PLAIT_BAD_INPUT, "at least 3 nodes and 1 triangle are expected, found %d and %d",
                               s->points, s->triangles);
    plait_status status = check_numbers(s, error);
    return status == PLAIT_OK ? check_nodes(s, colliders, error) : status;
}

// ---- the skin of a solid --------------------------------------------------------------------------------------------

typedef struct face {
    int sorted[3];
    int corner[3]; // anticlockwise from outside its tetrahedron
} face;

static int by_corners(const void *a, const void *b)
{
    const face *p = a, *q = b;
    for (int k = 0; k < 3; k++)
        if (p->sorted[k] != q->sorted[k])
            return p->sorted[k] < q->sorted[k] ? -1 : 1;
    return 0;
}

static void sort3(int *x)
{
    for (int i = 0; i < 3; i++) {
        int k = i % 2, t = x[k];
        if (x[k] > x[k + 1])
            x[k] = x[k + 1], x[k + 1] = t;
    }
}

static void turn_round(const plait_soft *s)
{
    for (int i = 0; i < s->tetrahedra; i++) {
        int *t = s->tetrahedron + 4 * (size_t)i, swap = t[2];
        if (fatness(s->point, t, 4) < 0)
            t[2] = t[3], t[3] = swap;
    }
}

plait_status plait_soft_skin(plait_soft *s, plait_error *error)
{
    static const int of[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    size_t count = 4 * (size_t)s->tetrahedra, skin = 0;
    face *list = malloc((count + 1) * sizeof *list);
    int *triangle = malloc((3 * count + 1) * sizeof *triangle);
    plait_status status = list && triangle ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a skin");
    if (status == PLAIT_OK)
        turn_round(s);
    for (size_t i = 0; status == PLAIT_OK && i < count; i++) {
        for (int k = 0; k < 3; k++)
            list[i].corner[k] = list[i].sorted[k] = s->tetrahedron[i / 4 * 4 + (size_t)of[i % 4][k]];
        sort3(list[i].sorted);
    }
    if (status == PLAIT_OK)
        qsort(list, count, sizeof *list, by_corners);
    for (size_t i = 0, next; status == PLAIT_OK && i < count; i = next) {
        for (next = i + 1; next < count && by_corners(&list[i], &list[next]) == 0;)
            next++;
        if (next - i > 2)
            status = plait_error_set(error, PLAIT_BAD_INPUT, "the face (%d, %d, %d) belongs to %zu tetrahedra",
                                     list[i].corner[0], list[i].corner[1], list[i].corner[2], next - i);
        if (next - i == 1)
            memcpy(triangle + 3 * skin++, list[i].corner, sizeof list[i].corner);
    }
    free(list);
    if (status != PLAIT_OK) {
        free(triangle);
        return status;
    }
    free(s->triangle);
    s->triangle = triangle, s->triangles = (int)skin;
    return PLAIT_OK;
}
