// mesh_touch.c: chains against triangle meshes.
//
// As with the simple shapes: nodes, each once, and the inside of links where it is nearer. What is inside a closed mesh
// is pushed to the nearest place of its surface, however deep; an open mesh repels to the side on which things are.
// The distance to the mesh changes along a chain by at most the way along it: once a node is found to be far, the next
// ones need no look at the triangles, and the search for the nearest one need not go farther. The same holds for
// motion:
// what does not go as far as it is away does not arrive.
#include <math.h>

#include "base/elementary.h"
#include "collide/detector.h"
#include "collide/placed.h"
#include "collide/sweep.h"
#include "math/mat3.h"

typedef struct view {
    const plait_detector *d;
    const plait_placed *placed;
    const plait_mesh *mesh;
    int index;
    const plait_strand *strand;
    plait_thread_scratch *scratch;
    plait_touches *touches;
    double limit;  // of the distance from the triangles
    double wanted; // in motion
    double marked; // by how much a point inside a link must be nearer than its ends
    bool failed;
} view;

// What is known of a node: its place in the frame, and a lower bound of its distance from the triangles.
typedef struct known {
    double y[3];
    double clear, far; // far: an upper bound; INFINITY: none is known
    double way;        // continuous: how far it goes at most, relative to the triangles
    bool inside;
} known;

// A contact with the point of a triangle. normal in the shape's frame, which is turned by R.
static void emit(view *v, int k, double a, int triangle, const double weight[3], const double normal[3],
                 const double R[9], bool swept)
{
    double t[9], y0[3] = {0}, y1[3] = {0}, n[3], start[3], end[3];
    plait_mesh_corners(v->mesh, triangle, 0, t);
    for (int c = 0; c < 3; c++)
        plait_vec3_axpy(weight[c], t + 3 * c, y0);
    plait_mesh_corners(v->mesh, triangle, 1, t);
    for (int c = 0; c < 3; c++)
        plait_vec3_axpy(weight[c], t + 3 * c, y1);
    plait_mat3_affine(v->placed->R[0], y0, v->placed->x[0], start);
    plait_mat3_affine(v->placed->R[1], y1, v->placed->x[1], end);
    plait_mat3_apply(R, normal, n);
    double surface[3] = {start[0], start[1], start[2]};
    plait_vec3_axpy(v->placed->offset, n, surface);
    plait_touch *touch = plait_chain_touch(v->d, v->strand, k, a, n, surface, v->touches);
    if (!touch) {
        v->failed = true;
        return;
    }
    touch->swept = swept;
    touch->side[1].index = v->index, touch->side[1].segment = triangle;
    if (!v->placed->geometry->moves_freely) // what a free body does is for the solver to find
        plait_vec3_sub(end, start, touch->side[1].move);
}

// Triangles whose boxes overlap that of n points with this margin.
static int64_t triangles_near(view *v, const double *y, int n, double margin)
{
    plait_box box = plait_box_empty();
    for (int i = 0; i < n; i++)
        plait_box_add(&box, y + 3 * i, margin);
    int64_t found = plait_tree_overlap(&v->mesh->tree, &box, -1, &v->scratch->found, &v->scratch->found_room, 0);
    v->failed |= found < 0;
    return found;
}

// ---- at the start -------------------------------------------------------------------------------------------------

// The side of an open mesh on which a node that lies on a triangle was in the last step; 0: it was not in contact.
static double old_side(const view *v, int k, const double normal[3])
{
    const plait_touches *old = v->d->previous;
    int lo = 0, hi = old ? old->count : 0;
    uint64_t chain = (uint64_t)v->strand->chain << 32 | (uint64_t)k;
    while (lo < hi) { // late contacts at the end of the list are not in order: they may be overlooked here
        int mid = lo + (hi - lo) / 2;
        const plait_side *s = &old->touch[mid].side[0];
        if (!s->on_shape && ((uint64_t)s->index << 32 | (uint64_t)s->segment) < chain)
            lo = mid + 1;
        else
            hi = mid;
    }
    double n[3];
    plait_mat3_apply(v->placed->R[0], normal, n);
    for (; old && lo < old->count; lo++) {
        const plait_touch *t = &old->touch[lo];
        if (t->side[0].on_shape || ((uint64_t)t->side[0].index << 32 | (uint64_t)t->side[0].segment) != chain)
            break;
        if (t->side[1].on_shape && t->side[1].index == v->index && !t->fixed)
            return plait_vec3_dot(n, t->normal) < 0 ? -1 : 1;
    }
    return 0;
}

static void touch_point(view *v, int k, double a, plait_mesh_point *p)
{
    if (!v->mesh->closed && p->distance < 1e-3 * v->strand->radius && old_side(v, k, p->normal) < 0)
        for (int c = 0; c < 3; c++)
            p->normal[c] = -p->normal[c];
    emit(v, k, a, p->triangle, p->weight, p->normal, v->placed->R[0], false);
}

// How far node n, which is at y in the frame, goes relative to the triangles: as far as its end, and at most the
// bulge of a path with the largest acceleration that turning gives it.
static double way(const view *v, int n, const double y[3])
{
    const plait_placed *p = v->placed;
    const double *x0 = v->d->x0 + 3 * (int64_t)(v->strand->node + n),
                 *x1 = v->d->x1 + 3 * (int64_t)(v->strand->node + n);
    double end[3], go[3], arm[3], turn = plait_vec3_norm(p->spin);
    plait_to_frame(p->R[1], p->x[1], x1, end);
    plait_vec3_sub(x1, p->x[1], arm);
    for (int k = 0; k < 3; k++)
        go[k] = arm[k] - (x0[k] - p->x[0][k]), end[k] -= y[k];
    double bulge = turn * (turn * fmax(plait_vec3_norm(arm), plait_vec3_norm(y)) + 2 * plait_vec3_norm(go)) / 8;
    return plait_vec3_norm(end) + bulge + v->mesh->motion;
}

static void touch_node(view *v, int n, const known *before, known *at)
{
    const plait_detector *d = v->d;
    plait_to_frame(v->placed->R[0], v->placed->x[0], d->x0 + 3 * (int64_t)(v->strand->node + n), at->y);
    at->clear = 0, at->far = INFINITY, at->inside = false;
    if (d->continuous)
        at->way = way(v, n, at->y);
    if (before) {
        double u[3];
        plait_vec3_sub(at->y, before->y, u);
        at->clear = before->clear - plait_vec3_norm(u);
        at->far = before->far + plait_vec3_norm(u);
        at->inside = before->inside;
    }
    double outside = sqrt(plait_box_distance2(&v->mesh->tree.node[1], at->y));
    if (outside > at->clear)
        at->clear = outside, at->inside = false;
    // How it was when it was looked at last tells as much; the margin makes the result independent of that history.
    double *seen = v->mesh->seen + 4 * (int64_t)(v->strand->node + n), moved[3];
    plait_vec3_sub(at->y, seen, moved);
    if (seen[3] - plait_vec3_norm(moved) > at->clear)
        at->clear = seen[3] - plait_vec3_norm(moved), at->inside = false;
    if (at->clear > v->limit + v->marked && !at->inside)
        return;
    plait_mesh_point p;
    double length =
        v->strand->links ? fabs(d->arc[v->strand->node + v->strand->nodes - 1] - d->arc[v->strand->node]) : 0;
    // A closed mesh must know its inside; else it is enough to see the next few nodes.
    double reach = v->mesh->closed && !(outside > 0) ? INFINITY : v->limit + 0.25 * length;
    double bound = fmin(reach, 1.001 * at->far + 1e-9 * length);
    if (!plait_mesh_nearest(v->mesh, at->y, bound, &p)) {
        at->clear = bound, at->far = INFINITY, at->inside = false;
        return;
    }
    at->clear = at->far = fabs(p.distance), at->inside = v->mesh->closed && p.distance < 0;
    plait_vec3_copy(at->y, seen);
    seen[3] = at->inside ? 0 : p.distance;
    int k = n < v->strand->links ? n : n - 1;
    if (p.distance < v->limit && !d->crossing)
        touch_point(v, k, n - k, &p);
}

// Whether all points are on one side of the triangle's plane, and farther from it than this: most triangles whose
// boxes are near are so beside a segment, or a motion, and need no closer look.
static bool beside_plane(const double *point, int points, const double t[9], double distance)
{
    double e0[3], e1[3], n[3], least = INFINITY, most = -INFINITY;
    plait_vec3_sub(t + 3, t, e0), plait_vec3_sub(t + 6, t, e1);
    plait_vec3_cross(e0, e1, n);
    for (int i = 0; i < points; i++) {
        double w[3];
        plait_vec3_sub(point + 3 * i, t, w);
        double h = plait_vec3_dot(n, w);
        least = h < least ? h : least, most = h > most ? h : most;
    }
    double far = least > 0 ? least : most < 0 ? most : 0;
    return far * far > 1.001 * plait_vec3_dot(n, n) * distance * distance;
}

// A link that is pierced twice goes through a closed mesh: the middle of the way inside is pushed out. Else the
// nearest point, if it is not at the ends. True if there is a contact.
static bool touch_link(view *v, int k, const known *p, const known *q)
{
    double ends[6] = {p->y[0], p->y[1], p->y[2], q->y[0], q->y[1], q->y[2]}, u[3];
    plait_vec3_sub(q->y, p->y, u);
    if (0.5 * (p->clear + q->clear - plait_vec3_norm(u)) > v->limit || p->inside || q->inside)
        return false;
    double best = fmin(fmin(p->clear, q->clear) - v->marked, v->limit), at = -1, first = 2, last = -1;
    double pierced = 1e-6 * v->strand->radius;
    int64_t found = triangles_near(v, ends, 2, v->limit);
    for (int64_t n = 0; n < found; n++) {
        double t[9], a, weight[3];
        plait_mesh_corners(v->mesh, v->scratch->found[n], 0, t);
        if (beside_plane(ends, 2, t, fmax(best, pierced)))
            continue;
        double distance = sqrt(plait_closest_segment_triangle(ends, ends + 3, t, &a, weight));
        if (distance < pierced) // be it on an edge
            first = a < first ? a : first, last = a > last ? a : last;
        if (distance < best && a > 0 && a < 1)
            best = distance, at = a;
    }
    if (v->mesh->closed && last > first)
        at = 0.5 * (first + last);
    if (!(at > 0 && at < 1))
        return false;
    double y[3];
    plait_mesh_point near;
    plait_lerp(p->y, q->y, at, y);
    if (!plait_mesh_nearest(v->mesh, y, INFINITY, &near) || near.distance > v->limit)
        return false;
    touch_point(v, k, at, &near);
    return true;
}

// ---- motion -------------------------------------------------------------------------------------------------------

// The first triangle that the point (points = 1) or the inside of the link (2) comes as near to as wanted.
static void arrive(view *v, int n, int points)
{
    const plait_detector *d = v->d;
    const double *x0 = d->x0 + 3 * (int64_t)(v->strand->node + n), *x1 = d->x1 + 3 * (int64_t)(v->strand->node + n);
    int pieces = plait_placed_pieces(v->placed, x0, points, v->strand->radius), triangle = -1;
    double y[12] = {0}, R[9], c[3], x[3]; // both ends of the link at the start of the piece, then at its end
    plait_sweep best = {.time = 2};
    for (int piece = 0; piece <= pieces && triangle < 0; piece++) {
        double time = (double)piece / pieces;
        memcpy(y, y + 6, 6 * sizeof *y);
        plait_placed_pose(v->placed, time, R, c);
        for (int end = 0; end < 2; end++) {
            int from = points == 2 ? 3 * end : 0;
            plait_lerp(x0 + from, x1 + from, time, x);
            plait_to_frame(R, c, x, y + 6 + 3 * end);
        }
        int64_t found = piece ? triangles_near(v, y, 4, v->wanted * 1.01) : 0;
        for (int64_t k = 0; k < found; k++) {
            double t0[9], t1[9], a, weight[3];
            plait_sweep s;
            plait_mesh_corners(v->mesh, v->scratch->found[k], (double)(piece - 1) / pieces, t0);
            plait_mesh_corners(v->mesh, v->scratch->found[k], time, t1);
            if (v->mesh->motion == 0 && beside_plane(y, 4, t0, 1.01 * v->wanted))
                continue;
            if (!plait_sweep_triangle(y, y + 6, t0, t1, v->wanted, &s) || s.time >= best.time)
                continue;
            if (points == 2 && (s.a < 0.02 || s.a > 0.98))
                continue; // its node arrives by itself
            // What is near already does not arrive.
            if (piece == 1 &&
                plait_closest_segment_triangle(y, y + 3, t0, &a, weight) <= plait_power(v->wanted * 1.002, 2))
                continue;
            best = s, triangle = v->scratch->found[k];
        }
        best.time += triangle >= 0 ? piece - 1 : 0;
    }
    if (triangle < 0)
        return;
    int k = points == 2 || n < v->strand->links ? n : n - 1;
    plait_placed_pose(v->placed, best.time / pieces, R, c);
    emit(v, k, points == 2 ? best.a : n - k, triangle, best.weight, best.normal, R, true);
}

// The box of the motion of link k in the world, against the mesh's.
static bool link_near(const view *v, int k)
{
    plait_box box = v->d->box[v->strand->link + k];
    double more = v->d->reach + v->placed->offset;
    for (int n = 0; n < 3; n++) {
        box.lo[n] = plait_box_down((double)box.lo[n] - more);
        box.hi[n] = plait_box_up((double)box.hi[n] + more);
    }
    return plait_box_overlap(&box, &v->placed->box);
}

bool plait_mesh_touch(plait_detector *d, int i, const plait_strand *strand, plait_thread_scratch *scratch,
                      plait_touches *touches)
{
    const plait_placed *placed = &d->placed[i];
    double thick = strand->radius + placed->offset;
    view v = {d, placed, &d->mesh[placed->mesh], i, strand, scratch, touches, thick + 2 * d->reach, thick, 0, false};
    v.marked = d->reach > 0 ? 0.2 * d->reach : 0.02 * strand->radius;
    if (d->crossing)
        v.wanted = PLAIT_CROSSING * thick, v.limit = v.wanted;
    known before, at;
    bool looked = false;
    for (int k = 0; k < strand->links && !v.failed; k++) {
        if (!link_near(&v, k)) {
            looked = false;
            continue;
        }
        if (!looked)
            touch_node(&v, k, NULL, &before);
        bool first = !looked;
        touch_node(&v, k + 1, &before, &at);
        bool touched = !d->crossing && touch_link(&v, k, &before, &at);
        if (d->continuous) {
            double u[3];
            plait_vec3_sub(at.y, before.y, u);
            double clear = 0.5 * (before.clear + at.clear - plait_vec3_norm(u)), near = v.wanted * 1.01;
            if (first && !before.inside && before.clear > v.limit && before.clear - before.way <= near)
                arrive(&v, k, 1);
            if (!at.inside && at.clear > v.limit && at.clear - at.way <= near)
                arrive(&v, k + 1, 1);
            if (!touched && !at.inside && !before.inside && clear - fmax(before.way, at.way) <= near)
                arrive(&v, k, 2);
        }
        before = at;
        looked = true;
    }
    return !v.failed;
}
