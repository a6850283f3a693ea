// surface_shape.c: surfaces against exact shapes.
//
// The signed distance of an exact shape is convex: its least value on an edge or a face is found by following its
// slope, and is a contact of its own only where it is markedly below that of the corners, which have theirs. In motion
// every feature that arrives is one. To cross, it comes as near as a small part of the radius, or halves its distance
// where it is nearer at the start.
#include <math.h>

#include "collide/placed.h"
#include "collide/surface_detector.h"
#include "math/mat3.h"

// An edge or a face is a contact of its own if it is nearer than its corners by this part of the radius. It comes and
// goes as things move, and what overlaps by that much when it comes must be less than what is pushed out afterwards
// (sim/recover.c): a cloth on a ball would go up and down for ever.
static const double MARKED = 0.01;
static const double INSIDE = 1e-3; // of the radius: what is nearer is inside, and does not cross

typedef struct view {
    const plait_surface *s;
    const plait_topology *t;
    int surface, shape;
    plait_placed placed;
    double reach; // of contacts, beside the radius
} view;

// One to three nodes of the surface against the shape, and their radius.
typedef struct feature {
    plait_feature_kind kind;
    int number, nodes;
    const int *node;
    double radius;
} feature;

static plait_surface_touch *emit(const view *v, plait_surface_bin *bin, const feature *f, const double *weight,
                                 const double normal[3], double distance)
{
    plait_surface_touch *touch = plait_surface_add(bin);
    if (!touch)
        return NULL;
    int node[3], count = 0;
    double w[3];
    for (int k = 0; k < f->nodes; k++)
        if (weight[k] > 0)
            node[count] = f->node[k], w[count++] = weight[k];
    touch->side[0].surface = v->surface;
    touch->side[0].kind = count == 3 ? PLAIT_ON_FACE : count == 2 ? PLAIT_ON_EDGE : PLAIT_ON_NODE;
    touch->side[0].feature = count == f->nodes ? f->number
                             : count == 2      ? plait_topology_edge(v->t, node[0], node[1])
                                               : node[0];
    plait_surface_place(v->s, node, w, count, &touch->side[0]);
    touch->side[1].surface = v->shape, touch->side[1].kind = PLAIT_ON_SHAPE;
    plait_vec3_copy(touch->side[0].point, touch->side[1].point);
    plait_vec3_axpy(-distance, normal, touch->side[1].point);
    plait_vec3_copy(normal, touch->normal);
    touch->gap = distance - f->radius;
    return touch;
}

// The feature in the motion: its path through the frame of the shape, until it is as near as `wanted`.
static void arrive(const view *v, plait_surface_bin *bin, const feature *f, double wanted)
{
    double path[9 * (PLAIT_PIECES + 1)], start[9], R[9], c[3], x[3], normal[3], size = plait_larger(f->radius, 1e-9);
    int n = f->nodes;
    for (int i = 0; i < n; i++)
        plait_vec3_copy(v->s->x0 + 3 * (int64_t)f->node[i], start + 3 * i);
    int pieces = plait_placed_pieces(&v->placed, start, n, size);
    for (int k = 0; k <= pieces; k++) {
        plait_placed_pose(&v->placed, (double)k / pieces, R, c);
        for (int i = 0; i < n; i++) {
            plait_lerp(start + 3 * i, v->s->x1 + 3 * (int64_t)f->node[i], (double)k / pieces, x);
            plait_to_frame(R, c, x, path + 3 * (n * k + i));
        }
    }
    plait_arrival at;
    const plait_shape *shape = v->placed.geometry->shape;
    if (!plait_shape_arrive(shape, path, pieces, n, wanted, 1e-4 * size, &at))
        return;
    double w[3] = {n == 2 ? 1 - at.a : 1, at.a, 0};
    plait_placed_pose(&v->placed, at.time, R, c);
    plait_mat3_apply(R, at.normal, normal);
    plait_surface_touch *touch = emit(v, bin, f, n == 3 ? at.weight : w, normal, at.distance);
    if (!touch)
        return;
    // The material point of the shape that will be there, as it is at the start.
    double surface[3] = {at.y[0], at.y[1], at.y[2]}, apart[3];
    touch->time = at.time, touch->swept = true;
    plait_vec3_axpy(-at.distance, at.normal, surface);
    plait_mat3_affine(v->placed.R[0], surface, v->placed.x[0], touch->side[1].point);
    plait_vec3_sub(touch->side[0].point, touch->side[1].point, apart);
    touch->gap = plait_vec3_dot(apart, normal) - f->radius;
}

// Whether it can come nearer than `distance` to the shape's surface in the motion, by how far its corners go in the
// shape's frame at most.
static bool may_arrive(const view *v, const feature *f, double bound, double distance)
{
    double far = 0, R1[9], c1[3];
    plait_placed_pose(&v->placed, 1, R1, c1);
    double angle = plait_vec3_norm(v->placed.spin);
    for (int k = 0; k < f->nodes; k++) {
        const double *x0 = v->s->x0 + 3 * (int64_t)f->node[k], *x1 = v->s->x1 + 3 * (int64_t)f->node[k];
        double y0[3], y1[3], u[3], arm[3];
        plait_to_frame(v->placed.R[0], v->placed.x[0], x0, y0);
        plait_to_frame(R1, c1, x1, y1);
        plait_vec3_sub(y1, y0, u), plait_vec3_sub(x0, v->placed.x[0], arm);
        // Beside the chord: the bulge of the arc that turning makes of it.
        far = plait_larger(far, (1 + angle) * plait_vec3_norm(u) + angle * angle * plait_vec3_norm(arm));
    }
    return bound - far < distance;
}

static void to_frame(const view *v, const feature *f, double y[9])
{
    for (int k = 0; k < f->nodes; k++)
        plait_to_frame(v->placed.R[0], v->placed.x[0], v->s->x0 + 3 * (int64_t)f->node[k], y + 3 * k);
}

// Where the feature is nearest at the start: weights; returns the distance. *ends: that of its nearest corner or, of a
// face, edge. If nothing of it is nearer than `limit` and than *ends - marked, weights are not set and the result is a
// bound.
static double least(const plait_shape *shape, const feature *f, const double *y, double limit, double marked, double *w,
                    double n[3], double *ends, bool *inner)
{
    double a, at, u[3], bound;
    *ends = INFINITY, *inner = true;
    for (int k = 0; k < f->nodes; k++)
        *ends = fmin(*ends, plait_shape_distance(shape, y + 3 * k, n));
    w[0] = 1;
    if (f->nodes == 1)
        return *ends;
    if (f->nodes == 2) {
        plait_vec3_sub(y + 3, y, u);
        bound = *ends - plait_vec3_norm(u);
    } else {
        bound = plait_shape_triangle_bound(shape, y);
    }
    *inner = false;
    if (bound >= limit || bound >= *ends - marked)
        return bound;
    if (f->nodes == 2) {
        at = plait_shape_segment(shape, y, y + 3, &a, n);
        w[0] = 1 - a, w[1] = a;
        *inner = a > 0 && a < 1;
        return at;
    }
    for (int k = 0; k < 3; k++) {
        at = plait_shape_segment(shape, y + 3 * k, y + 3 * ((k + 1) % 3), &a, n);
        *ends = fmin(*ends, at);
    }
    if (bound >= *ends - marked)
        return bound;
    at = plait_shape_triangle(shape, y, w, n);
    *inner = w[0] > 0 && w[1] > 0 && w[2] > 0;
    return at;
}

// y: its corners in the frame of the shape.
static void meet_to_cross(const plait_surface_detector *d, const view *v, plait_surface_bin *bin, const feature *f,
                          const double y[9])
{
    double inside = INSIDE * f->radius, near = d->all->near * f->radius, w[3], n[3], ends;
    bool inner;
    double far = least(v->placed.geometry->shape, f, y, fmax(inside, near), 0, w, n, &ends, &inner);
    far = fmin(far, ends);
    double wanted = fmin(near, 0.5 * far);
    if (far >= inside && may_arrive(v, f, far, wanted)) // else it was inside before
        arrive(v, bin, f, wanted);
}

static void meet(const plait_surface_detector *d, const view *v, plait_surface_bin *bin, const feature *f)
{
    const plait_shape *shape = v->placed.geometry->shape;
    bool inner;
    double limit = f->radius + v->reach, marked = MARKED * f->radius, y[9], w[3], n[3], normal[3], ends;
    to_frame(v, f, y);
    if (d->all->crossing) {
        meet_to_cross(d, v, bin, f, y);
        return;
    }
    double far = least(shape, f, y, limit, marked, w, n, &ends, &inner);
    if (far < limit && inner && (f->nodes == 1 || far < ends - marked)) {
        plait_mat3_apply(v->placed.R[0], n, normal);
        emit(v, bin, f, w, normal, far);
    } else if (d->continuous && ends >= limit && may_arrive(v, f, far, f->radius)) {
        arrive(v, bin, f, f->radius);
    }
}

// ---- all ----------------------------------------------------------------------------------------------------------

static void meet_nodes(plait_surface_detector *d, plait_surface_bin *bin, int64_t begin, int64_t end, void *data)
{
    const view *v = data;
    for (int n = (int)begin; n < end && !bin->failed; n++)
        if (v->t->node_owner[n] >= 0) {
            feature f = {PLAIT_ON_NODE, n, 1, &n, plait_surface_radius(v->s, v->t->node_owner[n])};
            meet(d, v, bin, &f);
        }
}

static void meet_edges(plait_surface_detector *d, plait_surface_bin *bin, int64_t begin, int64_t end, void *data)
{
    const view *v = data;
    for (int e = (int)begin; e < end && !bin->failed; e++) {
        feature f = {PLAIT_ON_EDGE, e, 2, v->t->edge + 2 * (int64_t)e, plait_surface_radius(v->s, v->t->edge_owner[e])};
        meet(d, v, bin, &f);
    }
}

static void meet_faces(plait_surface_detector *d, plait_surface_bin *bin, int64_t begin, int64_t end, void *data)
{
    const view *v = data;
    for (int c = (int)begin; c < end && !bin->failed; c++) {
        feature f = {PLAIT_ON_FACE, c, 3, plait_surface_cell(v->t, c), plait_surface_radius(v->s, c)};
        if (plait_box_overlap(&d->box[v->t->first_cell + c], &v->placed.box))
            meet(d, v, bin, &f);
    }
}

static bool meet_surface(plait_surface_detector *d, view *v)
{
    enum { GRAIN = 256 };
    if (!plait_surface_run(d, v->s->nodes, GRAIN, meet_nodes, v))
        return false;
    if (plait_shape_type_of(v->placed.geometry->shape)->flat) // nothing is nearer than its corners
        return true;
    return plait_surface_run(d, v->t->edges, GRAIN, meet_edges, v) &&
           (v->t->dimension < 2 || plait_surface_run(d, v->t->cells, GRAIN, meet_faces, v));
}

bool plait_surface_shapes(plait_surface_detector *d)
{
    const plait_surfaces *all = d->all;
    for (int j = 0; j < all->shapes; j++) {
        if (!plait_shape_exact(all->shape[j].shape))
            continue;
        for (int i = 0; i < all->count; i++) {
            if (all->surface[i].passive)
                continue;
            view v = {.s = &all->surface[i], .t = &d->topology[i], .surface = i, .shape = j};
            v.reach = all->mode & PLAIT_DETECT_PROXIMITY ? all->proximity : 0;
            plait_shape_place(&all->shape[j], d->continuous, &v.placed);
            plait_box shape = v.placed.box; // boxes of cells have half of the reach
            for (int k = 0; k < 3; k++) {
                shape.lo[k] = plait_box_down((double)shape.lo[k] - v.reach);
                shape.hi[k] = plait_box_up((double)shape.hi[k] + v.reach);
            }
            v.placed.box = shape;
            if (plait_box_overlap(&v.t->whole, &shape) && !meet_surface(d, &v))
                return false;
        }
    }
    return true;
}
