// simple.c: chains against the shapes with a formula.
//
// A chain touches a shape with its nodes, each once, and with the inside of a link where that is nearer than both of
// its nodes by more than a tenth of the proximity: a straight link on a plane has two contacts, one over an edge has
// one in between. In motion, likewise: nodes that reach the surface, and links that reach it in between.
//
// The motion is looked at in the frame of the shape, where a point goes along a polyline: straight if the shape does
// not turn, else in pieces short enough that the chord is within a tenth of the radius. The plane across the normal at
// the nearest point of a convex shape separates: the time at which the moving points reach it is a safe step
// (see sweep.h).
#include <math.h>

#include "collide/detector.h"
#include "collide/placed.h"
#include "math/mat3.h"
#include "shape/closest.h"

static const double TOLERANCE = 1e-3; // of the radius

// One chain, one shape.
typedef struct view {
    const plait_detector *d;
    const plait_placed *placed;
    const plait_shape *shape;
    int index;
    const plait_strand *strand;
    plait_touches *touches;
    bool failed;
} view;

plait_touch *plait_chain_touch(const plait_detector *d, const plait_strand *strand, int k, double a,
                               const double normal[3], const double surface[3], plait_touches *touches)
{
    plait_touch *touch = plait_touches_add(touches);
    if (!touch)
        return NULL;
    plait_side *chain = &touch->side[0];
    double w[3];
    chain->index = strand->chain, chain->segment = k, chain->a = a;
    plait_link_point(d, strand->link + k, a, false, chain->point);
    plait_vec3_copy(normal, touch->normal);
    plait_vec3_sub(chain->point, surface, w);
    touch->gap = plait_vec3_dot(w, normal) - strand->radius;
    touch->arc[0] = plait_link_arc(d, strand->link + k, a);
    touch->side[1].on_shape = true;
    plait_vec3_copy(surface, touch->side[1].point);
    return touch;
}

// y is a point of the chain in the frame of the shape, at `distance` along `normal`, when the shape is turned by R.
static void emit(view *v, int k, double a, const double y[3], double distance, const double normal[3],
                 const double R[9], bool swept)
{
    double surface[3] = {y[0], y[1], y[2]}, world[3], n[3];
    plait_vec3_axpy(-distance, normal, surface);
    plait_mat3_affine(v->placed->R[0], surface, v->placed->x[0], world);
    plait_mat3_apply(R, normal, n);
    plait_touch *touch = plait_chain_touch(v->d, v->strand, k, a, n, world, v->touches);
    if (!touch) {
        v->failed = true;
        return;
    }
    touch->swept = swept;
    touch->side[1].index = v->index;
    plait_placed_move(v->placed, world, touch->side[1].move);
}

// ---- motion -------------------------------------------------------------------------------------------------------

// The first time at which the point (points = 1) or link (2), from x0 to x1, comes as near as the radius; or, to cross,
// gets inside.
static bool arrive(const view *v, const double *x0, const double *x1, int points, plait_arrival *at)
{
    int pieces = plait_placed_pieces(v->placed, x0, points, v->strand->radius);
    double path[6 * (PLAIT_PIECES + 1)], R[9], c[3], x[3];
    for (int piece = 0; piece <= pieces; piece++) {
        double t = (double)piece / pieces;
        plait_placed_pose(v->placed, t, R, c);
        for (int n = 0; n < points; n++) {
            plait_lerp(x0 + 3 * n, x1 + 3 * n, t, x);
            plait_to_frame(R, c, x, path + 3 * (points * piece + n));
        }
    }
    double radius = v->strand->radius;
    return plait_shape_arrive(v->shape, path, pieces, points, v->d->crossing ? 0 : radius, TOLERANCE * radius, at);
}

static void emit_arrival(view *v, int k, double a, const plait_arrival *at)
{
    double R[9], x[3];
    plait_placed_pose(v->placed, at->time, R, x);
    emit(v, k, a, at->y, at->distance, at->normal, R, true);
}

// ---- a chain ------------------------------------------------------------------------------------------------------

// The box of the motion of a link or chain, against the shape's.
static bool near_shape(const plait_detector *d, const plait_placed *placed, const plait_box *of)
{
    plait_box box = *of; // holds half of the proximity
    double more = d->reach + placed->offset;
    for (int n = 0; n < 3; n++) {
        box.lo[n] = plait_box_down((double)box.lo[n] - more);
        box.hi[n] = plait_box_up((double)box.hi[n] + more);
    }
    return plait_box_overlap(&box, &placed->box);
}

static void touch_node(view *v, int n, const double y[3], double distance, const double normal[3], double limit)
{
    const plait_detector *d = v->d;
    int k = n < v->strand->links ? n : n - 1;
    if (d->crossing ? distance <= TOLERANCE * v->strand->radius : distance < limit) {
        if (!d->crossing) // else it was inside before
            emit(v, k, n - k, y, distance, normal, v->placed->R[0], false);
    } else if (d->continuous) {
        const double *x0 = d->x0 + 3 * (int64_t)(v->strand->node + n), *x1 = d->x1 + 3 * (int64_t)(v->strand->node + n);
        plait_arrival at;
        if (arrive(v, x0, x1, 1, &at))
            emit_arrival(v, k, n - k, &at);
    }
}

static void touch_link(view *v, int k, const double y0[3], const double y1[3], double distance0, double distance1,
                       double limit)
{
    const plait_detector *d = v->d;
    double marked = d->reach > 0 ? 0.2 * d->reach : 0.02 * v->strand->radius, u[3], n[3], a = 0, least = INFINITY;
    if (plait_shape_type_of(v->shape)->flat) // never nearer than its ends
        return;
    plait_vec3_sub(y1, y0, u);
    if (distance0 + distance1 - plait_vec3_norm(u) < 2 * limit) // it falls by at most the length
        least = plait_shape_segment(v->shape, y0, y1, &a, n);
    if (d->crossing ? least <= TOLERANCE * v->strand->radius : least < limit) {
        if (!d->crossing && a > 0 && a < 1 && least < fmin(distance0, distance1) - marked) {
            double y[3];
            plait_lerp(y0, y1, a, y);
            emit(v, k, a, y, least, n, v->placed->R[0], false);
        }
    } else if (d->continuous) {
        const double *x0 = d->x0 + 3 * (int64_t)(v->strand->node + k), *x1 = d->x1 + 3 * (int64_t)(v->strand->node + k);
        plait_arrival at;
        if (arrive(v, x0, x1, 2, &at) && at.a > 0.02 && at.a < 0.98)
            emit_arrival(v, k, at.a, &at);
    }
}

static void touch_chain(view *v)
{
    const plait_detector *d = v->d;
    double limit = v->strand->radius + 2 * d->reach, y[2][3], n[3], distance[2] = {0, 0};
    bool known = false; // the first node of the link is that of the link before, which was looked at
    for (int k = 0; k < v->strand->links; k++) {
        if (!near_shape(d, v->placed, &d->box[v->strand->link + k])) {
            known = false;
            continue;
        }
        const double *x = d->x0 + 3 * (int64_t)(v->strand->node + k);
        for (int end = known; end < 2; end++) {
            plait_to_frame(v->placed->R[0], v->placed->x[0], x + 3 * end, y[end]);
            distance[end] = plait_shape_distance(v->shape, y[end], n);
            touch_node(v, k + end, y[end], distance[end], n, limit);
        }
        touch_link(v, k, y[0], y[1], distance[0], distance[1], limit);
        plait_vec3_copy(y[1], y[0]);
        distance[0] = distance[1];
        known = true;
    }
}

static void touch_chains(plait_detector *d, int c, int thread, int64_t begin, int64_t end)
{
    plait_chunk *chunk = &d->chunk[c];
    for (int64_t s = begin; s < end; s++)
        for (int i = 0; i < d->shapes && !chunk->failed; i++) {
            const plait_placed *placed = &d->placed[i];
            const plait_shape *shape = placed->geometry->shape;
            if (!plait_strand_wanted(d, &d->strand[s]) || !near_shape(d, placed, &d->strand[s].box))
                continue;
            if (placed->mesh >= 0) {
                chunk->failed = !plait_mesh_touch(d, i, &d->strand[s], &d->thread[thread], &chunk->touches);
            } else if (plait_shape_exact(shape)) {
                view v = {d, placed, shape, i, &d->strand[s], &chunk->touches, false};
                touch_chain(&v);
                chunk->failed = v.failed;
            }
        }
}

plait_status plait_shapes_touch(plait_detector *d, plait_error *error)
{
    int chunks = d->shapes ? plait_detector_search(d, d->scenery->chains, 16, touch_chains) : 0;
    return plait_detector_gather(d, chunks)
               ? PLAIT_OK
               : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the contacts with %d shapes", d->shapes);
}
