// holes.c: holes of a mesh are filled. See holes.h.
#include "shape/holes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "shape/sides.h"

// Sides with one triangle only, in front of `side`; *count of them. False: some edges have more than two triangles, or
// both run along one in the same direction.
static bool find_rims(const plait_shape *s, plait_side *side, int *count)
{
    int total = 3 * s->triangles, kept = 0;
    for (int i = 0, j; i < total; i = j) {
        for (j = i + 1; j < total && plait_sides_meet(&side[i], &side[j]);)
            j++;
        if (j - i > 2 || (j - i == 2 && plait_side_node(&side[i], s->triangle, 0) ==
                                            plait_side_node(&side[i + 1], s->triangle, 0)))
            return false;
        if (j - i == 1)
            side[kept++] = side[i];
    }
    *count = kept;
    return true;
}

// hole[v]: which hole a vertex is at the rim of, -1: none. next[v]: the one behind it. Returns how many, -1: rims touch
// each other.
static int follow_rims(const plait_shape *s, const plait_side *rim, int count, int *next, int *hole)
{
    int holes = 0;
    for (int v = 0; v < s->points; v++)
        next[v] = hole[v] = -1;
    for (int i = 0; i < count; i++) {
        int a = plait_side_node(&rim[i], s->triangle, 0);
        if (next[a] >= 0)
            return -1;
        next[a] = plait_side_node(&rim[i], s->triangle, 1);
    }
    for (int i = 0; i < count; i++) {
        int a = plait_side_node(&rim[i], s->triangle, 0);
        if (hole[a] >= 0)
            continue;
        for (int v = a; v >= 0 && hole[v] < 0; v = next[v])
            hole[v] = holes;
        holes++;
    }
    return holes;
}

// The middles of the rims in one set of points, behind these.
static void add_middles(double *x, int points, int holes, const int *hole, int *size)
{
    double *middle = x + 3 * (size_t)points;
    memset(middle, 0, 3 * (size_t)holes * sizeof *x);
    memset(size, 0, (size_t)holes * sizeof *size);
    for (int v = 0; v < points; v++)
        if (hole[v] >= 0) {
            plait_vec3_axpy(1, x + 3 * (size_t)v, middle + 3 * (size_t)hole[v]);
            size[hole[v]]++;
        }
    for (int i = 0; i < 3 * holes; i++)
        middle[i] /= size[i / 3];
}

static double area(const plait_shape *s, int from, int to)
{
    double sum = 0;
    for (int t = from; t < to; t++) {
        const double *p = s->point + 3 * (size_t)s->triangle[3 * t];
        double e[3], f[3], n[3];
        plait_vec3_sub(s->point + 3 * (size_t)s->triangle[3 * t + 1], p, e);
        plait_vec3_sub(s->point + 3 * (size_t)s->triangle[3 * t + 2], p, f);
        plait_vec3_cross(e, f, n);
        sum += plait_vec3_norm(n) / 2;
    }
    return sum;
}

// Six times the volume, about the first point.
static double volume(const plait_shape *s)
{
    double sum = 0;
    for (int t = 0; t < s->triangles; t++) {
        double p[3][3], n[3];
        for (int k = 0; k < 3; k++)
            plait_vec3_sub(s->point + 3 * (size_t)s->triangle[3 * t + k], s->point, p[k]);
        plait_vec3_cross(p[1], p[2], n);
        sum += plait_vec3_dot(p[0], n);
    }
    return sum;
}

// The mesh with its holes filled; arrays are its own. False without memory.
static bool make(const plait_shape *s, const plait_side *rim, int count, int holes, const int *hole, int *size,
                 plait_shape *m)
{
    size_t points = 3 * (size_t)s->points, room = points + 3 * (size_t)holes;
    *m = *s;
    m->points += holes, m->triangles += count;
    m->point = malloc(room * sizeof *m->point);
    m->triangle = malloc(3 * (size_t)m->triangles * sizeof *m->triangle);
    m->frame = s->frames > 0 ? malloc((size_t)s->frames * room * sizeof *m->frame) : NULL;
    if (!m->point || !m->triangle || (s->frames > 0 && !m->frame))
        return false;
    memcpy(m->point, s->point, points * sizeof *m->point);
    add_middles(m->point, s->points, holes, hole, size);
    for (int i = 0; i < s->frames; i++) {
        memcpy(m->frame + (size_t)i * room, s->frame + (size_t)i * points, points * sizeof *m->frame);
        add_middles(m->frame + (size_t)i * room, s->points, holes, hole, size);
    }
    memcpy(m->triangle, s->triangle, 3 * (size_t)s->triangles * sizeof *m->triangle);
    for (int i = 0; i < count; i++) {
        int *t = m->triangle + 3 * (size_t)(s->triangles + i);
        int from = plait_side_node(&rim[i], s->triangle, 0);
        t[0] = plait_side_node(&rim[i], s->triangle, 1), t[1] = from, t[2] = s->points + hole[from];
    }
    m->closed = true;
    bool turned = volume(m) < 0; // inside out
    for (int t = 0; turned && t < m->triangles; t++) {
        int swap = m->triangle[3 * t + 1];
        m->triangle[3 * t + 1] = m->triangle[3 * t + 2], m->triangle[3 * t + 2] = swap;
    }
    return true;
}

plait_holes plait_shape_fill_holes(plait_shape *s, double most)
{
    int count = 0, holes = 0;
    plait_side *side = plait_sides_of(s->triangles, s->triangle);
    int *next = malloc((2 * (size_t)s->points + 1) * sizeof *next), *hole = next ? next + s->points : NULL;
    int *size = NULL;
    plait_shape made = {0};
    plait_holes result = side && next ? PLAIT_HOLES_FILLED : PLAIT_HOLES_NO_MEMORY;
    if (result == PLAIT_HOLES_FILLED && !find_rims(s, side, &count))
        result = PLAIT_HOLES_TANGLED;
    if (result == PLAIT_HOLES_FILLED && (holes = follow_rims(s, side, count, next, hole)) < 0)
        result = PLAIT_HOLES_TANGLED;
    if (result == PLAIT_HOLES_FILLED && holes > 0) {
        size = malloc((size_t)holes * sizeof *size);
        if (!size || !make(s, side, count, holes, hole, size, &made))
            result = PLAIT_HOLES_NO_MEMORY;
        else if (area(&made, s->triangles, made.triangles) > most * area(&made, 0, s->triangles))
            result = PLAIT_HOLES_LARGE;
        plait_shape *waste = result == PLAIT_HOLES_FILLED ? s : &made;
        free(waste->point);
        free(waste->triangle);
        free(waste->frame);
        if (result == PLAIT_HOLES_FILLED)
            *s = made;
    }
    free(side);
    free(next);
    free(size);
    return result;
}
