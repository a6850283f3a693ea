// rigid_mass.c: mass, centre and principal axes of solids.
#include "body/rigid_mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/mat3.h"
#include "math/vec3.h"
#include "shape/type.h"

static const double THIN = 1e-9; // of the box about it: a mesh with less volume has no inside to speak of

// ---- meshes ---------------------------------------------------------------------------------------------------------

typedef struct edge {
    int from, to;
} edge;

static int compare(const void *a, const void *b)
{
    const edge *x = a, *y = b;
    return x->from != y->from ? (x->from < y->from ? -1 : 1) : x->to != y->to ? (x->to < y->to ? -1 : 1) : 0;
}

// Every directed edge is there once, and so is its opposite.
static plait_status check_closed(const plait_shape *s, plait_error *error)
{
    size_t count = 3 * (size_t)s->triangles;
    edge *e = malloc((count + 1) * sizeof *e);
    if (!e)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a mesh of %d triangles", s->triangles);
    for (size_t i = 0; i < count; i++)
        e[i] = (edge){s->triangle[i], s->triangle[i % 3 == 2 ? i - 2 : i + 1]};
    qsort(e, count, sizeof *e, compare);
    plait_status status = PLAIT_OK;
    for (size_t i = 1; i < count && status == PLAIT_OK; i++)
        if (compare(&e[i - 1], &e[i]) == 0)
            status = plait_error_set(error, PLAIT_BAD_INPUT,
                                     "a rigid body needs a mesh whose triangles all turn the same way round: two go "
                                     "from vertex %d to vertex %d",
                                     e[i].from, e[i].to);
    for (size_t i = 0; i < count && status == PLAIT_OK; i++)
        if (!bsearch(&(edge){e[i].to, e[i].from}, e, count, sizeof *e, compare))
            status = plait_error_set(error, PLAIT_BAD_INPUT,
                                     "a rigid body needs a closed mesh: the edge from vertex %d to vertex %d has a "
                                     "triangle on one side only",
                                     e[i].from, e[i].to);
    free(e);
    return status;
}

// Middle of the vertices, and the volume of the box about them.
static double middle(const plait_shape *s, double origin[3])
{
    double low[3], high[3];
    for (int k = 0; k < 3; k++) {
        low[k] = high[k] = s->point[k];
        for (int i = 1; i < s->points; i++)
            low[k] = fmin(low[k], s->point[3 * i + k]), high[k] = fmax(high[k], s->point[3 * i + k]);
        origin[k] = 0.5 * (low[k] + high[k]);
    }
    return (high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]);
}

// Volume, first and second moments about the origin.
static double integrate(const plait_shape *s, const double origin[3], double first[3], double second[9])
{
    double volume = 0;
    memset(first, 0, 3 * sizeof *first), memset(second, 0, 9 * sizeof *second);
    for (int t = 0; t < s->triangles; t++) {
        double x[4][3], n[3];
        for (int c = 0; c < 3; c++)
            plait_vec3_sub(s->point + 3 * s->triangle[3 * t + c], origin, x[c]);
        for (int k = 0; k < 3; k++)
            x[3][k] = x[0][k] + x[1][k] + x[2][k];
        plait_vec3_cross(x[1], x[2], n);
        double part = plait_vec3_dot(x[0], n) / 6;
        volume += part;
        plait_vec3_axpy(part / 4, x[3], first);
        for (int c = 0; c < 4; c++)
            for (int i = 0; i < 3; i++)
                plait_vec3_axpy(part / 20 * x[c][i], x[c], second + 3 * i);
    }
    return volume;
}

// Eigenvectors (columns of V) and eigenvalues of a symmetric matrix by Jacobi's rotations.
static void eigen(double A[9], double V[9], double values[3])
{
    static const int pair[3][2] = {{0, 1}, {0, 2}, {1, 2}};
    memset(V, 0, 9 * sizeof *V), V[0] = V[4] = V[8] = 1;
    for (int turn = 0; turn < 60; turn++) {
        int p = pair[turn % 3][0], q = pair[turn % 3][1];
        double off = A[3 * p + q], gap = A[4 * q] - A[4 * p];
        if (fabs(off) <= 1e-300)
            continue;
        double theta = gap / (2 * off), t = copysign(1, theta) / (fabs(theta) + hypot(theta, 1));
        double c = 1 / hypot(t, 1), s = t * c;
        for (int k = 0; k < 3; k++) {
            double a = A[3 * k + p], b = A[3 * k + q];
            A[3 * k + p] = c * a - s * b, A[3 * k + q] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
            double a = A[3 * p + k], b = A[3 * q + k], v = V[3 * k + p], w = V[3 * k + q];
            A[3 * p + k] = c * a - s * b, A[3 * q + k] = s * a + c * b;
            V[3 * k + p] = c * v - s * w, V[3 * k + q] = s * v + c * w;
        }
    }
    for (int k = 0; k < 3; k++)
        values[k] = A[4 * k];
}

static plait_status solid_of_mesh(const plait_shape *s, double density, plait_solid *b, plait_error *error)
{
    double origin[3], first[3], S[9], I[9];
    if (s->points < 4 || s->triangles < 4 || s->frames > 0)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "a rigid body needs a closed mesh that does not deform: found %d triangles, %d frames",
                               s->triangles, s->frames);
    plait_status status = check_closed(s, error);
    if (status != PLAIT_OK)
        return status;
    double box = middle(s, origin), volume = integrate(s, origin, first, S);
    if (volume < 0 && -volume > THIN * box)
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "a rigid body's mesh is inside out: its volume is %g m^3; turn its triangles round",
                               volume);
    if (!(volume > THIN * box))
        return plait_error_set(error, PLAIT_BAD_INPUT, "a rigid body's mesh has no volume: found %g m^3", volume);
    double c[3] = {first[0] / volume, first[1] / volume, first[2] / volume}, trace = 0;
    b->mass = density * volume;
    for (int i = 0; i < 3; i++) {
        b->centre[i] = origin[i] + c[i];
        trace += S[4 * i] - volume * c[i] * c[i];
    }
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            I[3 * i + j] =
                density * ((i == j ? trace : 0) - 0.5 * (S[3 * i + j] + S[3 * j + i]) + volume * c[i] * c[j]);
    eigen(I, b->axes, b->inertia);
    b->centred = false; // Jacobi's rotations keep the axes right-handed
    return PLAIT_OK;
}

plait_status plait_solid_of(const plait_shape *shape, double density, plait_solid *solid, plait_error *error)
{
    const plait_shape_type *type = plait_shape_type_of(shape);
    *solid = (plait_solid){.axes = {1, 0, 0, 0, 1, 0, 0, 0, 1}, .centred = true};
    if (type->inertia) {
        type->inertia(shape, density, &solid->mass, solid->inertia);
        return PLAIT_OK;
    }
    if (type->flat) { // on a guide: it does not turn
        solid->mass = 1;
        plait_vec3_set(solid->inertia, 1, 1, 1);
        return PLAIT_OK;
    }
    if (type->cells == 2)
        return solid_of_mesh(shape, density, solid, error);
    return plait_error_set(error, PLAIT_BAD_INPUT,
                           "a rigid body is a plane, a sphere, a capsule, a box or a closed mesh, not a %s",
                           type->name);
}
