// gen_grid.c: signed distances to a triangle mesh on a regular grid.
//
// Next to a triangle the grid points measure it themselves; from there the nearest triangle is handed on from
// neighbour to neighbour, outwards (it is nearest or nearly so, the farther the less it matters). Inside is where a
// line along x has crossed the mesh an odd number of times; the lines run beside the grid's by an odd fraction of a
// cell, so that none meets an edge of a regular mesh.
//
// Near the mesh the distance is that to the nearest of the triangles that the corners of the cell know. At an edge or
// a corner several are equally near; the one that is seen most steeply tells the side.
#include "scene/gen_grid.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "scene/gen_field.h"

enum { CELLS = 56, MARGIN = 4 };

double plait_gen_triangle_distance(const double x[3], const double *a, const double *b, const double *c,
                                   double nearest[3])
{
    double ab[3], ac[3], ax[3], bc[3], p[3], w[3];
    plait_vec3_sub(b, a, ab);
    plait_vec3_sub(c, a, ac);
    plait_vec3_sub(x, a, ax);
    plait_vec3_cross(ab, ac, w);
    double area = plait_vec3_dot(w, w), u = 0, v = 0, best = INFINITY;
    if (area > 0) { // barycentric coordinates of the foot
        double s[3], t[3];
        plait_vec3_cross(ax, ac, s);
        plait_vec3_cross(ab, ax, t);
        u = plait_vec3_dot(s, w) / area;
        v = plait_vec3_dot(t, w) / area;
    }
    if (area > 0 && u >= 0 && v >= 0 && u + v <= 1) {
        for (int i = 0; i < 3; i++)
            p[i] = a[i] + u * ab[i] + v * ac[i];
        double d[3];
        plait_vec3_sub(x, p, d);
        best = plait_vec3_norm(d);
    } else {
        const double *end[3][2] = {{a, b}, {b, c}, {c, a}};
        for (int k = 0; k < 3; k++) {
            double d[3], e[3], q[3];
            plait_vec3_sub(end[k][1], end[k][0], bc);
            plait_vec3_sub(x, end[k][0], d);
            double square = plait_vec3_dot(bc, bc),
                   t = square > 0 ? fmin(fmax(plait_vec3_dot(d, bc) / square, 0), 1) : 0;
            plait_vec3_copy(end[k][0], q);
            plait_vec3_axpy(t, bc, q);
            plait_vec3_sub(x, q, e);
            double far = plait_vec3_norm(e);
            if (far < best) {
                best = far;
                plait_vec3_copy(q, p);
            }
        }
    }
    if (nearest)
        plait_vec3_copy(p, nearest);
    return best;
}

typedef struct builder {
    const plait_shape *mesh;
    plait_gen_grid *grid;
    int *nearest; // triangle of each point, -1: none yet (the grid's)
    int *queue;
} builder;

static int point_index(const plait_gen_grid *g, int i, int j, int k)
{
    return i + g->n[0] * (j + g->n[1] * k);
}

static void place(const plait_gen_grid *g, int at, double x[3])
{
    int i = at % g->n[0], j = at / g->n[0] % g->n[1], k = at / g->n[0] / g->n[1];
    x[0] = g->low[0] + g->cell * i, x[1] = g->low[1] + g->cell * j, x[2] = g->low[2] + g->cell * k;
}

static const double *corner(const plait_shape *mesh, int triangle, int k)
{
    return mesh->point + 3 * (size_t)mesh->triangle[3 * (size_t)triangle + k];
}

static double measure(const builder *b, int at, int triangle)
{
    double x[3];
    place(b->grid, at, x);
    return plait_gen_triangle_distance(x, corner(b->mesh, triangle, 0), corner(b->mesh, triangle, 1),
                                       corner(b->mesh, triangle, 2), NULL);
}

static void offer(builder *b, int at, int triangle)
{
    double d = measure(b, at, triangle);
    if (d < b->grid->value[at]) {
        b->grid->value[at] = d;
        b->nearest[at] = triangle;
    }
}

// Points within about a cell of a triangle.
static void near_triangles(builder *b)
{
    const plait_gen_grid *g = b->grid;
    for (int t = 0; t < b->mesh->triangles; t++) {
        int low[3], high[3];
        for (int c = 0; c < 3; c++) {
            double p = corner(b->mesh, t, 0)[c], q = corner(b->mesh, t, 1)[c], r = corner(b->mesh, t, 2)[c];
            low[c] = (int)fmax(floor((fmin(p, fmin(q, r)) - g->low[c]) / g->cell) - 1, 0);
            high[c] = (int)fmin(ceil((fmax(p, fmax(q, r)) - g->low[c]) / g->cell) + 1, g->n[c] - 1);
        }
        for (int k = low[2]; k <= high[2]; k++)
            for (int j = low[1]; j <= high[1]; j++)
                for (int i = low[0]; i <= high[0]; i++)
                    offer(b, point_index(g, i, j, k), t);
    }
}

// Breadth first from the points that know a triangle.
static void hand_on(builder *b)
{
    const plait_gen_grid *g = b->grid;
    int total = g->n[0] * g->n[1] * g->n[2], head = 0, tail = 0;
    const int step[3] = {1, g->n[0], g->n[0] * g->n[1]};
    for (int at = 0; at < total; at++)
        if (b->nearest[at] >= 0)
            b->queue[tail++] = at;
    while (head < tail) {
        int at = b->queue[head++];
        const int where[3] = {at % g->n[0], at / g->n[0] % g->n[1], at / step[2]};
        for (int c = 0; c < 3; c++)
            for (int side = -1; side <= 1; side += 2) {
                if (where[c] + side < 0 || where[c] + side >= g->n[c])
                    continue;
                int other = at + side * step[c];
                bool first = b->nearest[other] < 0;
                offer(b, other, b->nearest[at]);
                if (first)
                    b->queue[tail++] = other;
            }
    }
}

// Crossings of the line (y, z) with the mesh flip the sign of all points of that row behind them.
static void sign(builder *b)
{
    plait_gen_grid *g = b->grid;
    for (int t = 0; t < b->mesh->triangles; t++) {
        const double *p = corner(b->mesh, t, 0), *q = corner(b->mesh, t, 1), *r = corner(b->mesh, t, 2);
        double twice = (q[1] - p[1]) * (r[2] - p[2]) - (q[2] - p[2]) * (r[1] - p[1]);
        if (twice == 0)
            continue;
        double shift = 0.0317 * g->cell;
        int j0 = (int)floor((fmin(p[1], fmin(q[1], r[1])) - g->low[1]) / g->cell) - 1;
        int j1 = (int)ceil((fmax(p[1], fmax(q[1], r[1])) - g->low[1]) / g->cell) + 1;
        int k0 = (int)floor((fmin(p[2], fmin(q[2], r[2])) - g->low[2]) / g->cell) - 1;
        int k1 = (int)ceil((fmax(p[2], fmax(q[2], r[2])) - g->low[2]) / g->cell) + 1;
        for (int k = k0 > 0 ? k0 : 0; k <= k1 && k < g->n[2]; k++)
            for (int j = j0 > 0 ? j0 : 0; j <= j1 && j < g->n[1]; j++) {
                double y = g->low[1] + g->cell * j + shift, z = g->low[2] + g->cell * k + 1.37 * shift;
                double u = ((y - p[1]) * (r[2] - p[2]) - (z - p[2]) * (r[1] - p[1])) / twice;
                double v = ((q[1] - p[1]) * (z - p[2]) - (q[2] - p[2]) * (y - p[1])) / twice;
                if (u < 0 || v < 0 || u + v > 1)
                    continue;
                double x = p[0] + u * (q[0] - p[0]) + v * (r[0] - p[0]);
                for (int i = (int)fmax(ceil((x - g->low[0]) / g->cell), 0); i < g->n[0]; i++)
                    g->value[point_index(g, i, j, k)] *= -1;
            }
    }
}

bool plait_gen_grid_make(const plait_shape *mesh, plait_gen_grid *grid)
{
    double low[3], high[3], largest = 0;
    for (int i = 0; i < mesh->points; i++)
        for (int c = 0; c < 3; c++) {
            double x = mesh->point[3 * i + c];
            low[c] = i == 0 ? x : fmin(low[c], x);
            high[c] = i == 0 ? x : fmax(high[c], x);
        }
    for (int c = 0; c < 3; c++)
        largest = fmax(largest, high[c] - low[c]);
    grid->cell = largest / CELLS;
    size_t total = 1;
    for (int c = 0; c < 3; c++) {
        grid->n[c] = (int)ceil((high[c] - low[c]) / grid->cell) + 2 * MARGIN + 1;
        grid->low[c] = low[c] - MARGIN * grid->cell;
        total *= (size_t)grid->n[c];
    }
    grid->mesh = mesh;
    grid->value = malloc(total * sizeof *grid->value);
    grid->nearest = malloc(total * sizeof *grid->nearest);
    builder b = {mesh, grid, grid->nearest, malloc(total * sizeof *b.queue)};
    bool ok = grid->value && b.nearest && b.queue;
    if (ok) {
        for (size_t i = 0; i < total; i++) {
            grid->value[i] = INFINITY;
            b.nearest[i] = -1;
        }
        near_triangles(&b);
        hand_on(&b);
        if (mesh->closed)
            sign(&b);
    }
    free(b.queue);
    return ok;
}

void plait_gen_grid_free(plait_gen_grid *grid)
{
    free(grid->value);
    free(grid->nearest);
    grid->value = NULL;
    grid->nearest = NULL;
}

// The nearest of the triangles of a cell's corners.
static double exact(const plait_gen_grid *g, const int at[3], const double x[3], double gradient[3])
{
    double best = INFINITY, steepest = 0, side = 1;
    for (int k = 0; k < 8; k++) {
        int t = g->nearest[point_index(g, at[0] + (k & 1), at[1] + (k >> 1 & 1), at[2] + (k >> 2))];
        double p[3], d[3], u[3], v[3], n[3];
        const double *a = corner(g->mesh, t, 0), *b = corner(g->mesh, t, 1), *c = corner(g->mesh, t, 2);
        double far = plait_gen_triangle_distance(x, a, b, c, p);
        plait_vec3_sub(b, a, u);
        plait_vec3_sub(c, a, v);
        plait_vec3_cross(u, v, n);
        plait_vec3_normalise(n);
        plait_vec3_sub(x, p, d);
        double steep = plait_vec3_dot(d, n);
        if (far > best * (1 + 1e-9) || (far > best * (1 - 1e-9) && fabs(steep) <= fabs(steepest)))
            continue;
        best = fmin(far, best);
        steepest = steep;
        side = g->mesh->closed && steep < 0 ? -1 : 1;
        plait_vec3_copy(far > 1e-6 * g->cell ? d : n, gradient);
        for (int c3 = 0; c3 < 3 && far > 1e-6 * g->cell; c3++)
            gradient[c3] *= side;
    }
    return side * best;
}

double plait_gen_grid_at(const plait_gen_grid *g, const double x[3], double gradient[3])
{
    double f[3], out[3] = {0};
    int at[3];
    for (int c = 0; c < 3; c++) {
        double u = (x[c] - g->low[c]) / g->cell, inside = fmin(fmax(u, 0), g->n[c] - 1.0);
        out[c] = (u - inside) * g->cell;
        at[c] = (int)fmin(floor(inside), g->n[c] - 2);
        f[c] = inside - at[c];
    }
    double value = 0, slope[3] = {0};
    for (int k = 0; k < 8; k++) {
        int bit[3] = {k & 1, k >> 1 & 1, k >> 2};
        double w[3], v = g->value[point_index(g, at[0] + bit[0], at[1] + bit[1], at[2] + bit[2])];
        for (int c = 0; c < 3; c++)
            w[c] = bit[c] ? f[c] : 1 - f[c];
        value += w[0] * w[1] * w[2] * v;
        for (int c = 0; c < 3; c++)
            slope[c] += (bit[c] ? 1 : -1) * w[(c + 1) % 3] * w[(c + 2) % 3] * v / g->cell;
    }
    if (plait_vec3_norm(out) > 0 || fabs(value) < g->cell)
        return exact(g, at, x, gradient);
    plait_vec3_copy(slope, gradient);
    return value;
}
