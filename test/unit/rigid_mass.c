// rigid_mass.c: mass, centre and principal axes of meshes, against closed forms.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "body/rigid_mass.h"
#include "check.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "math/vec3.h"

// Triangles of a box, outwards.
static int box_triangle[36] = {0, 2, 1, 1, 2, 3, 4, 5, 6, 5, 7, 6, 0, 1, 4, 1, 5, 4,
                               2, 6, 3, 3, 6, 7, 0, 4, 2, 2, 4, 6, 1, 3, 5, 3, 7, 5};

static plait_shape box_mesh(const double half[3], const double R[9], const double at[3], double *point)
{
    for (int i = 0; i < 8; i++) {
        double y[3];
        for (int k = 0; k < 3; k++)
            y[k] = (i >> k & 1 ? 1 : -1) * half[k];
        plait_mat3_affine(R, y, at, point + 3 * i);
    }
    return (plait_shape){.kind = PLAIT_SHAPE_MESH,
                         .points = 8,
                         .point = point,
                         .triangles = 12,
                         .triangle = box_triangle,
                         .closed = true};
}

static void check_axes(const plait_solid *s)
{
    double I[9], e[3], f[3], g[3], h[3];
    plait_mat3_transposed_multiply(s->axes, s->axes, I);
    for (int k = 0; k < 9; k++)
        CHECK_NEAR(I[k], k % 4 == 0, 1e-14);
    plait_mat3_column(s->axes, 0, e), plait_mat3_column(s->axes, 1, f), plait_mat3_column(s->axes, 2, g);
    plait_vec3_cross(e, f, h);
    CHECK_NEAR(plait_vec3_dot(h, g), 1, 1e-14); // right-handed
}

// A box, turned and far from the origin.
CASE(box)
{
    double half[3] = {0.1, 0.2, 0.35}, at[3] = {30, -20, 10}, turn[3] = {0.3, -1.1, 0.7}, q[4], R[9], point[24];
    plait_quat_exp(turn, q), plait_quat_matrix(q, R);
    plait_shape mesh = box_mesh(half, R, at, point);
    plait_solid s;
    CHECK(plait_solid_of(&mesh, 700, &s, NULL) == PLAIT_OK && !s.centred);
    double mass = 700 * 8 * half[0] * half[1] * half[2];
    CHECK_NEAR(s.mass, mass, 1e-11 * mass);
    check_axes(&s);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(s.centre[k], at[k], 1e-12);
    // Each principal moment belongs to the axis along which the box has its extent.
    for (int k = 0; k < 3; k++) {
        double axis[3], local[3];
        int along = 0;
        plait_mat3_column(s.axes, k, axis);
        plait_mat3_apply_transposed(R, axis, local);
        for (int j = 1; j < 3; j++)
            along = fabs(local[j]) > fabs(local[along]) ? j : along;
        CHECK_NEAR(fabs(local[along]), 1, 1e-10);
        double a = half[(along + 1) % 3], b = half[(along + 2) % 3], expected = mass * (a * a + b * b) / 3;
        CHECK_NEAR(s.inertia[k], expected, 1e-10 * expected);
    }
}

// A corner tetrahedron: centre (a, b, c)/4, volume abc/6, second moments V a^2/10 about the corner.
CASE(tetrahedron)
{
    double a = 0.3, b = 0.5, c = 0.2, point[12] = {0, 0, 0, a, 0, 0, 0, b, 0, 0, 0, c};
    int triangle[12] = {0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3};
    plait_shape mesh = {
        .kind = PLAIT_SHAPE_MESH, .points = 4, .point = point, .triangles = 4, .triangle = triangle, .closed = true};
    plait_solid s;
    CHECK(plait_solid_of(&mesh, 1000, &s, NULL) == PLAIT_OK);
    double m = 1000 * a * b * c / 6, L[3] = {a, b, c}, I[9], T[9], D[9] = {0};
    CHECK_NEAR(s.mass, m, 1e-13 * m);
    check_axes(&s);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(s.centre[k], L[k] / 4, 1e-14), D[4 * k] = s.inertia[k];
    plait_mat3_multiply(s.axes, D, T), plait_mat3_multiply_transposed(T, s.axes, I);
    // About the centre: 3/80 m (b^2 + c^2) on the diagonal, m a b / 80 beside it.
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double p = L[(i + 1) % 3], q = L[(i + 2) % 3];
            double expected = i == j ? m * 3 / 80 * (p * p + q * q) : m * L[i] * L[j] / 80;
            CHECK_NEAR(I[3 * i + j], expected, 1e-12 * m);
        }
}

CASE(shapes_with_a_formula)
{
    plait_shape ball = {.kind = PLAIT_SHAPE_SPHERE, .size = {0.2}};
    plait_solid s;
    CHECK(plait_solid_of(&ball, 500, &s, NULL) == PLAIT_OK && s.centred);
    CHECK_NEAR(s.mass, 500 * 4.0 / 3 * M_PI * 0.008, 1e-12);
    CHECK_NEAR(s.inertia[1], 0.4 * s.mass * 0.04, 1e-14);
    plait_shape wall = {.kind = PLAIT_SHAPE_PLANE}; // stands on a guide with a mass of its own
    CHECK(plait_solid_of(&wall, 500, &s, NULL) == PLAIT_OK && s.mass == 1 && s.inertia[0] == 1);
}

static void refused(const plait_shape *mesh, const char *what)
{
    plait_error error = {0};
    plait_solid s;
    CHECK(plait_solid_of(mesh, 1, &s, &error) == PLAIT_BAD_INPUT);
    CHECK(strstr(error.text, what) != NULL);
}

CASE(what_is_no_solid)
{
    double half[3] = {1, 1, 1}, at[3] = {0}, R[9], point[24];
    int open[33], out[36];
    plait_mat3_identity(R);
    plait_shape mesh = box_mesh(half, R, at, point), bad = mesh;
    memcpy(open, box_triangle, sizeof open);
    bad.triangle = open, bad.triangles = 11;
    refused(&bad, "closed");
    for (int t = 0; t < 36; t += 3)
        out[t] = box_triangle[t], out[t + 1] = box_triangle[t + 2], out[t + 2] = box_triangle[t + 1];
    bad.triangle = out, bad.triangles = 12;
    refused(&bad, "inside out");
    memcpy(out, box_triangle, sizeof out);
    out[0] = box_triangle[1], out[1] = box_triangle[0];
    refused(&bad, "same way round");
    double flat[24];
    memcpy(flat, point, sizeof flat);
    for (int i = 0; i < 8; i++)
        flat[3 * i + 2] = 0;
    bad = mesh, bad.point = flat;
    refused(&bad, "no volume");
    bad = (plait_shape){.kind = PLAIT_SHAPE_CYLINDER, .size = {0.1, 0.2}};
    refused(&bad, "not a cylinder");
}
