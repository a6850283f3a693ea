// gen_figure.c: whether a mesh is a generated head or generated shoulders, and with which numbers.
//
// A file of a trajectory has the mesh only. Every vertex lies on the surface that the options describe, so the options
// are those for which the distance of all vertices vanishes: a few steps of Levenberg and Marquardt's method. A mesh
// that was not made by the generator leaves distances that no options take away.
#include <math.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/generators.h"

enum { MOST = 6, ROUNDS = 60, VERTICES = 700 };

typedef double (*distance_at)(const double *number, const double point[3]);

static double of_head(const double *n, const double point[3])
{
    plait_gen_head_options o = {
        .width = n[0], .depth = n[1], .height = n[2], .neck_radius = n[3], .neck_length = n[4], .nose = n[5]};
    return plait_gen_head_distance(&o, point);
}

static double of_shoulders(const double *n, const double point[3])
{
    plait_gen_shoulders_options o = {
        .width = n[0], .depth = n[1], .height = n[2], .drop = n[3], .back = n[4], .neck_radius = n[5]};
    return plait_gen_shoulders_distance(&o, point);
}

// J^T J and J^T e over some of the vertices; returns e.e.
static double normal_equations(distance_at at, const plait_shape *m, const double *n, double size, double *A, double *g)
{
    double sum = 0, step = 1e-6 * size;
    memset(A, 0, MOST * MOST * sizeof *A);
    memset(g, 0, MOST * sizeof *g);
    for (int i = 0; i < m->points; i += m->points / VERTICES + 1) {
        const double *x = m->point + 3 * (size_t)i;
        double e = at(n, x), J[MOST], moved[MOST];
        for (int k = 0; k < MOST; k++) {
            memcpy(moved, n, sizeof moved);
            moved[k] += step;
            J[k] = (at(moved, x) - e) / step;
        }
        for (int k = 0; k < MOST; k++) {
            g[k] += J[k] * e;
            for (int l = 0; l < MOST; l++)
                A[MOST * k + l] += J[k] * J[l];
        }
        sum += e * e;
    }
    return sum;
}

// x = (A + mu diag A)^-1 g, by Gauss's elimination: A is positive but for directions that no vertex sees.
static void damped_step(const double *A, const double *g, double mu, double *x)
{
    double M[MOST][MOST + 1];
    for (int k = 0; k < MOST; k++) {
        for (int l = 0; l < MOST; l++)
            M[k][l] = A[MOST * k + l];
        M[k][k] += mu * A[MOST * k + k] + 1e-12;
        M[k][MOST] = g[k];
    }
    for (int k = 0; k < MOST; k++)
        for (int l = k + 1; l < MOST; l++) {
            double f = M[l][k] / M[k][k];
            for (int c = k; c <= MOST; c++)
                M[l][c] -= f * M[k][c];
        }
    for (int k = MOST; k-- > 0;) {
        x[k] = M[k][MOST];
        for (int l = k + 1; l < MOST; l++)
            x[k] -= M[k][l] * x[l];
        x[k] /= M[k][k];
    }
}

static bool fits(distance_at at, const plait_shape *m, const double *n, double size)
{
    for (int i = 0; i < m->points; i++)
        if (!(fabs(at(n, m->point + 3 * (size_t)i)) < 1e-5 * size))
            return false;
    return true;
}

// n: a start, which becomes the answer.
static bool fit(distance_at at, const plait_shape *m, double *n, double size)
{
    double A[MOST * MOST], g[MOST], mu = 1e-3, error = normal_equations(at, m, n, size, A, g);
    for (int round = 0; round < ROUNDS && error > 1e-24 * size * size && mu < 1e9; round++) {
        double step[MOST], tried[MOST], B[MOST * MOST], h[MOST];
        damped_step(A, g, mu, step);
        bool sane = true;
        for (int k = 0; k < MOST; k++) {
            tried[k] = n[k] - step[k];
            sane = sane && isfinite(tried[k]) && (k >= 3 || tried[k] > 0.2 * n[k]);
        }
        sane = sane && tried[5] > 0;
        double now = sane ? normal_equations(at, m, tried, size, B, h) : INFINITY;
        if (now < error) {
            memcpy(n, tried, sizeof tried);
            memcpy(A, B, sizeof A);
            memcpy(g, h, sizeof g);
            error = now;
            mu = fmax(mu / 5, 1e-12);
        } else {
            mu *= 4;
        }
    }
    return fits(at, m, n, size);
}

// Ends of the mesh along each axis. False: not as many points and triangles as the generators make.
static bool extent(const plait_shape *m, double low[3], double high[3])
{
    int triangles = 80;
    while (triangles < m->triangles)
        triangles *= 4;
    if (m->kind != PLAIT_SHAPE_MESH || m->triangles != triangles || m->points != triangles / 2 + 2 || m->frames)
        return false;
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY, high[k] = -INFINITY;
        for (int i = 0; i < m->points; i++) {
            low[k] = fmin(low[k], m->point[3 * (size_t)i + (size_t)k]);
            high[k] = fmax(high[k], m->point[3 * (size_t)i + (size_t)k]);
        }
    }
    return high[0] > low[0];
}

bool plait_gen_find_head(const plait_shape *mesh, plait_gen_head_options *o)
{
    double low[3], high[3];
    if (!extent(mesh, low, high))
        return false;
    double width = high[0] - low[0], height = high[2] / 0.4, neck = fmax(-0.6 * height - low[2], 0.01 * height);
    double n[MOST] = {width, -2 * low[1], height, 0.36 * width, neck, 0.1 * -low[1]};
    if (!(low[1] < 0 && high[2] > 0) || !fit(of_head, mesh, n, width))
        return false;
    *o = plait_gen_default_head();
    o->width = n[0], o->depth = n[1], o->height = n[2], o->neck_radius = n[3], o->neck_length = n[4], o->nose = n[5];
    o->thickness = mesh->size[0];
    return true;
}

bool plait_gen_find_shoulders(const plait_shape *mesh, plait_gen_shoulders_options *o)
{
    double low[3], high[3];
    if (!extent(mesh, low, high))
        return false;
    double width = high[0] - low[0], depth = high[1] - low[1], back = -(high[1] + low[1]) / 2;
    double drop = -(high[2] - 0.28 * width), height = high[2] - low[2] - 0.4 * width;
    double n[MOST] = {width, depth, fmax(height, 0.3 * width), drop, back, 0.14 * width};
    if (!(width > 0) || !fit(of_shoulders, mesh, n, width))
        return false;
    *o = plait_gen_default_shoulders();
    o->width = n[0], o->depth = n[1], o->height = n[2], o->drop = n[3], o->back = n[4], o->neck_radius = n[5];
    o->thickness = mesh->size[0];
    return true;
}
