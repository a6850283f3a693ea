// surface_shape.c: surfaces against exact shapes.
//
// The signed distance of an exact shape is convex: its least value on an edge or a face is found by following its slope,
// and is a contact of its own only where it is markedly below that of the corners, which have theirs.
#include <math.h>

#include "collide/placed.h"
#include "collide/surface_detector.h"
#include "math/mat3.h"

typedef struct view {
    plait_surface_detector *d;
    const plait_surface *s;
    const plait_topology *t;
    int surface, shape;
    plait_placed placed;
    double limit, marked;
} view;

static double distance_at(const view *v, const double x[3], double normal[3])
{
    double y[3], n[3];
    plait_to_frame(v->placed.R[0], v->placed.x[0], x, y);
    double far = plait_shape_distance(v->placed.geometry->shape, y, n);
    plait_mat3_apply(v->placed.R[0], n, normal);
    return far;
}

static void emit(view *v, plait_feature_kind kind, int feature, const int *node, const double *weight, int nodes,
                 const double normal[3], double distance, double time, bool swept)
{
    plait_surface_touch *touch = plait_surface_add(v->d);
    if (!touch)
        return;
    touch->side[0].surface = v->surface, touch->side[0].kind = kind, touch->side[0].feature = feature;
    plait_surface_place(v->s, node, weight, nodes, &touch->side[0]);
    touch->side[1].surface = v->shape, touch->side[1].kind = PLAIT_ON_SHAPE;
    plait_vec3_copy(touch->side[0].point, touch->side[1].point);
    plait_vec3_axpy(-distance, normal, touch->side[1].point);
    plait_vec3_copy(normal, touch->normal);
    touch->gap = distance - v->s->radius;
    touch->time = time, touch->swept = swept;
}

// The node in the motion: its path through the frame of the shape.
static void arrive(view *v, int n)
{
    const double *x0 = v->s->x0 + 3 * (int64_t)n, *x1 = v->s->x1 + 3 * (int64_t)n, one = 1;
    double path[3 * (PLAIT_PIECES + 1)], R[9], c[3], x[3], normal[3], size = plait_larger(v->s->radius, 1e-9);
    int pieces = plait_placed_pieces(&v->placed, x0, 1, size);
    for (int k = 0; k <= pieces; k++) {
        plait_placed_pose(&v->placed, (double)k / pieces, R, c);
        plait_lerp(x0, x1, (double)k / pieces, x);
        plait_to_frame(R, c, x, path + 3 * k);
    }
    plait_arrival at;
    if (!plait_shape_arrive(v->placed.geometry->shape, path, pieces, 1, v->s->radius, 1e-4 * size, &at))
        return;
    plait_placed_pose(&v->placed, at.time, R, c);
    plait_mat3_apply(R, at.normal, normal);
    plait_surface_side *side;
    int before = v->d->gathered.count;
    emit(v, PLAIT_ON_NODE, n, &n, &one, 1, normal, at.distance, at.time, true);
    if (v->d->gathered.count == before)
        return;
    // The material point of the shape that will be there, as it is at the start.
    plait_surface_touch *touch = &v->d->gathered.touch[before];
    double surface[3] = {at.y[0], at.y[1], at.y[2]}, apart[3];
    plait_vec3_axpy(-at.distance, at.normal, surface);
    side = &touch->side[1];
    plait_mat3_affine(v->placed.R[0], surface, v->placed.x[0], side->point);
    plait_vec3_sub(touch->side[0].point, side->point, apart);
    touch->gap = plait_vec3_dot(apart, normal) - v->s->radius;
}

static void meet_node(view *v, int n)
{
    double normal[3], one = 1, far = distance_at(v, v->s->x0 + 3 * (int64_t)n, normal);
    if (far < v->limit)
        emit(v, PLAIT_ON_NODE, n, &n, &one, 1, normal, far, 0, false);
    else if (v->d->continuous)
        arrive(v, n);
}

static void to_frame(const view *v, int node, double y[3])
{
    plait_to_frame(v->placed.R[0], v->placed.x[0], v->s->x0 + 3 * (int64_t)node, y);
}

static void meet_edge(view *v, int e)
{
    const int *node = v->t->edge + 2 * (int64_t)e;
    const plait_shape *shape = v->placed.geometry->shape;
    double y[2][3], n[3], normal[3], a, end[2], u[3];
    for (int k = 0; k < 2; k++) {
        to_frame(v, node[k], y[k]);
        end[k] = plait_shape_distance(shape, y[k], n);
    }
    plait_vec3_sub(y[1], y[0], u);
    if (end[0] + end[1] - plait_vec3_norm(u) >= 2 * v->limit) // it falls by at most the length
        return;
    double far = plait_shape_segment(shape, y[0], y[1], &a, n);
    if (far >= v->limit || a <= 0 || a >= 1 || far >= fmin(end[0], end[1]) - v->marked)
        return;
    plait_mat3_apply(v->placed.R[0], n, normal);
    emit(v, PLAIT_ON_EDGE, e, node, (double[2]){1 - a, a}, 2, normal, far, 0, false);
}

// The least distance along the cut of a triangle at s between its first corner and the opposite side; convex in s.
static double cut(const plait_shape *shape, double y[3][3], double s, double *a, double n[3])
{
    double p[3], q[3];
    plait_lerp(y[0], y[1], s, p), plait_lerp(y[0], y[2], s, q);
    return plait_shape_segment(shape, p, q, a, n);
}

static void meet_face(view *v, int c)
{
    const int *node = plait_surface_cell(v->t, c);
    const plait_shape *shape = v->placed.geometry->shape;
    double y[3][3], n[3], normal[3], middle[3] = {0, 0, 0}, least = INFINITY, far = 0, a, u[3];
    for (int k = 0; k < 3; k++) {
        to_frame(v, node[k], y[k]);
        least = fmin(least, plait_shape_distance(shape, y[k], n));
        plait_vec3_axpy(1.0 / 3, y[k], middle);
    }
    for (int k = 0; k < 3; k++) {
        plait_vec3_sub(y[k], middle, u);
        far = plait_larger(far, plait_vec3_norm(u));
        double edge = plait_shape_segment(shape, y[k], y[(k + 1) % 3], &a, n);
        least = fmin(least, edge);
    }
    if (plait_shape_distance(shape, middle, n) - far >= v->limit)
        return;
    double lo = 0, hi = 1;
    for (int k = 0; k < 60; k++) { // thirds of a convex function
        double s = lo + (hi - lo) / 3, r = hi - (hi - lo) / 3;
        if (cut(shape, y, s, &a, n) < cut(shape, y, r, &a, n))
            hi = r;
        else
            lo = s;
    }
    double s = 0.5 * (lo + hi), value = cut(shape, y, s, &a, n), w[3] = {1 - s, s * (1 - a), s * a};
    if (value >= v->limit || value >= least - v->marked || !(w[0] > 0 && w[1] > 0 && w[2] > 0))
        return;
    plait_mat3_apply(v->placed.R[0], n, normal);
    emit(v, PLAIT_ON_FACE, c, node, w, 3, normal, value, 0, false);
}

static void meet_surface(view *v)
{
    for (int n = 0; n < v->s->nodes && !v->d->failed; n++)
        if (v->t->node_owner[n] >= 0)
            meet_node(v, n);
    if (plait_shape_type_of(v->placed.geometry->shape)->flat) // nothing is nearer than its corners
        return;
    for (int e = 0; e < v->t->edges && !v->d->failed; e++)
        meet_edge(v, e);
    for (int c = 0; v->t->dimension == 2 && c < v->t->cells && !v->d->failed; c++)
        meet_face(v, c);
}

void plait_surface_shapes(plait_surface_detector *d)
{
    const plait_surfaces *all = d->all;
    for (int j = 0; j < all->shapes; j++) {
        if (!plait_shape_exact(all->shape[j].shape))
            continue;
        for (int i = 0; i < all->count; i++) {
            view v = {.d = d, .s = &all->surface[i], .t = &d->topology[i], .surface = i, .shape = j};
            double reach = all->mode & PLAIT_DETECT_PROXIMITY ? all->proximity : 0;
            plait_shape_place(&all->shape[j], d->continuous, &v.placed);
            v.limit = v.s->radius + reach;
            v.marked = plait_larger(0.1 * reach, 1e-3 * v.s->radius);
            plait_box around = plait_box_empty();
            for (int n = 0; n < v.s->nodes; n++) {
                plait_box_add(&around, v.s->x0 + 3 * (int64_t)n, v.limit);
                if (d->continuous)
                    plait_box_add(&around, v.s->x1 + 3 * (int64_t)n, v.limit);
            }
            if (plait_box_overlap(&around, &v.placed.box))
                meet_surface(&v);
        }
    }
}
