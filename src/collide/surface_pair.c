// surface_pair.c: features of two cells against each other.
#include <math.h>

#include "collide/surface_detector.h"
#include "collide/sweep.h"

// A feature: up to three nodes of a surface.
typedef struct part {
    int surface, feature, nodes, node[3];
    plait_feature_kind kind;
    double radius;
} part;

typedef struct pair {
    plait_surface_detector *d;
    plait_surface_bin *bin;
    const part *p, *q; // q: node, edge or face; p: node, or edge against an edge
    double thick;      // sum of the radii
} pair;

static const plait_surface *surface_of(const pair *x, const part *p)
{
    return &x->d->all->surface[p->surface];
}

static void corners(const double *from, const part *p, double *x)
{
    for (int k = 0; k < p->nodes; k++)
        plait_vec3_copy(from + 3 * (int64_t)p->node[k], x + 3 * k);
}

// Weights of the nearest points of both parts; returns the distance; n: unit, from q to p (zero: they intersect).
static double nearest(const part *p, const part *q, const double *x, const double *y, double wp[3], double wq[3],
                      double n[3])
{
    plait_feature feature;
    wp[0] = wq[0] = 1, wp[1] = wp[2] = wq[1] = wq[2] = 0;
    if (p->nodes == 2) {
        double a, b;
        plait_closest_segments(x, x + 3, y, y + 3, &a, &b);
        wp[0] = 1 - a, wp[1] = a, wq[0] = 1 - b, wq[1] = b;
    } else if (q->nodes == 2) {
        wq[1] = plait_closest_on_segment(x, y, y + 3);
        wq[0] = 1 - wq[1];
    } else if (q->nodes == 3) {
        plait_closest_triangle(x, y, wq, &feature);
    }
    plait_vec3_set(n, 0, 0, 0);
    for (int k = 0; k < p->nodes; k++)
        plait_vec3_axpy(wp[k], x + 3 * k, n);
    for (int k = 0; k < q->nodes; k++)
        plait_vec3_axpy(-wq[k], y + 3 * k, n);
    return plait_vec3_normalise(n);
}

// ---- which feature it really is -----------------------------------------------------------------------------------

// The part without the nodes that have no weight.
static part reduce(const plait_topology *t, const part *p, double w[3])
{
    part r = {.surface = p->surface, .radius = p->radius};
    double kept[3] = {0, 0, 0};
    for (int k = 0; k < p->nodes; k++)
        if (w[k] > 0) {
            kept[r.nodes] = w[k];
            r.node[r.nodes++] = p->node[k];
        }
    plait_vec3_copy(kept, w);
    r.kind = r.nodes == 3 ? PLAIT_ON_FACE : r.nodes == 2 ? PLAIT_ON_EDGE : PLAIT_ON_NODE;
    r.feature = r.nodes == p->nodes ? p->feature
                : r.nodes == 2      ? plait_topology_edge(t, r.node[0], r.node[1])
                                    : r.node[0];
    return r;
}

// Surfaces that are pressed together follow each other, up and down: neither is flat, and where one goes on towards the
// other by less than this slope the other gives way.
static const double SLANT = 0.1;

// Whether going on from the point along the surface never brings it markedly nearer to the other side; n: away from
// there.
static bool is_minimum(const plait_topology *t, const double *x, const part *p, const double point[3],
                       const double n[3])
{
    double to[3];
    for (int k = 0; p->kind == PLAIT_ON_EDGE && k < 2; k++) {
        int across = t->opposite[2 * p->feature + k];
        if (across < 0)
            continue;
        plait_vec3_sub(x + 3 * (int64_t)across, point, to);
        if (plait_vec3_dot(to, n) < -SLANT * plait_vec3_norm(to))
            return false;
    }
    for (int k = t->first[p->node[0]]; p->kind == PLAIT_ON_NODE && k < t->first[p->node[0] + 1]; k++) {
        const int *e = t->edge + 2 * (int64_t)t->around[k];
        int other = e[0] == p->node[0] ? e[1] : e[0];
        plait_vec3_sub(x + 3 * (int64_t)other, point, to);
        if (plait_vec3_dot(to, n) < -SLANT * plait_vec3_norm(to))
            return false;
    }
    return true;
}

void plait_surface_place(const plait_surface *s, const int *node, const double *weight, int nodes,
                         plait_surface_side *side)
{
    side->nodes = nodes;
    plait_vec3_set(side->point, 0, 0, 0);
    for (int k = 0; k < nodes; k++) {
        side->node[k] = node[k], side->weight[k] = weight[k];
        plait_vec3_axpy(weight[k], s->x0 + 3 * (int64_t)node[k], side->point);
    }
}

// ---- contacts -----------------------------------------------------------------------------------------------------

// Twice the area of a triangle of the surface as a vector along its normal, at a time.
static void face_vector(const plait_topology *t, const plait_surface *s, int c, double time, double n[3])
{
    const int *corner = plait_surface_cell(t, c);
    double x[3][3], e[3], f[3];
    for (int k = 0; k < 3; k++) {
        plait_vec3_copy(s->x0 + 3 * (int64_t)corner[k], x[k]);
        if (time > 0)
            plait_lerp(s->x0 + 3 * (int64_t)corner[k], s->x1 + 3 * (int64_t)corner[k], time, x[k]);
    }
    plait_vec3_sub(x[1], x[0], e), plait_vec3_sub(x[2], x[0], f);
    plait_vec3_cross(e, f, n);
}

// Whether the direction n leaves the inside of the surface at a part of it, if it has one. Nodes: by the mean of the
// normals around, at the start.
static bool looks_out(const plait_surface_detector *d, const part *p, const double n[3], double sign, double time)
{
    const plait_surface *s = &d->all->surface[p->surface];
    const plait_topology *t = &d->topology[p->surface];
    if (!s->closed)
        return true;
    const plait_mesh *mesh = &d->inside[p->surface].mesh;
    double out[3] = {0, 0, 0}, face[3];
    if (p->kind == PLAIT_ON_NODE)
        plait_vec3_copy(mesh->point_normal + 3 * (int64_t)p->node[0], out);
    else if (p->kind == PLAIT_ON_FACE)
        face_vector(t, s, p->feature, time, out);
    else
        for (int k = 0; k < 2; k++)
            if (t->edge_cell[2 * p->feature + k] >= 0) {
                face_vector(t, s, t->edge_cell[2 * p->feature + k], time, face);
                plait_vec3_normalise(face);
                plait_vec3_axpy(1, face, out);
            }
    return sign * mesh->outward * plait_vec3_dot(out, n) > 0;
}

static bool is_face_or_inner(const part *p, const part *q)
{
    return q->kind == PLAIT_ON_FACE || (p->kind == PLAIT_ON_EDGE && q->kind == PLAIT_ON_EDGE);
}

// One order for each pair: the lower surface first; of one surface the higher kind, then the lower number.
static void put(plait_surface_bin *bin, plait_surface_touch *touch)
{
    plait_surface_side *side = touch->side, swap = side[0];
    bool turn = side[0].surface != side[1].surface ? side[0].surface > side[1].surface
                : side[0].kind != side[1].kind     ? side[0].kind < side[1].kind
                                                   : side[0].feature > side[1].feature;
    if (turn) {
        side[0] = side[1], side[1] = swap;
        for (int k = 0; k < 3; k++)
            touch->normal[k] = -touch->normal[k];
    }
    plait_surface_touch *kept = plait_surface_add(bin);
    if (kept)
        *kept = *touch;
}

static void set_side(const plait_surface *s, const part *p, const double *w, plait_surface_side *side)
{
    plait_surface_place(s, p->node, w, p->nodes, side);
    side->surface = p->surface, side->kind = p->kind, side->feature = p->feature;
}

static void emit(const pair *x, double wp[3], double wq[3], const double normal[3], double time, bool swept)
{
    plait_surface_detector *d = x->d;
    const plait_topology *tp = &d->topology[x->p->surface], *tq = &d->topology[x->q->surface];
    const plait_surface *sp = surface_of(x, x->p), *sq = surface_of(x, x->q);
    part p = reduce(tp, x->p, wp), q = reduce(tq, x->q, wq);
    plait_surface_touch touch = {.time = time, .swept = swept, .last = -1};
    plait_surface_side *side = touch.side;
    double back[3] = {-normal[0], -normal[1], -normal[2]}, apart[3];
    set_side(sp, &p, wp, &side[0]), set_side(sq, &q, wq, &side[1]);
    if (!swept && !is_face_or_inner(&p, &q) &&
        !(is_minimum(tp, sp->x0, &p, side[0].point, normal) && is_minimum(tq, sq->x0, &q, side[1].point, back)))
        return;
    // From the inside nothing is met: whatever is there is pushed out by its nodes.
    if (!looks_out(d, &q, normal, 1, time) || (p.kind != PLAIT_ON_NODE && !looks_out(d, &p, normal, -1, time)))
        return;
    plait_vec3_copy(normal, touch.normal);
    plait_vec3_sub(side[0].point, side[1].point, apart);
    touch.gap = plait_vec3_dot(apart, normal) - x->thick;
    put(x->bin, &touch);
}

void plait_surface_push_out(plait_surface_detector *d, plait_surface_bin *bin, int s0, int node, int s1,
                            const plait_mesh_point *at)
{
    const plait_surface *a = &d->all->surface[s0], *b = &d->all->surface[s1];
    const plait_topology *ta = &d->topology[s0], *tb = &d->topology[s1];
    const int *corner = plait_surface_cell(tb, at->triangle);
    double one = 1, w[3] = {at->weight[0], at->weight[1], at->weight[2]};
    part p = {s0, node, 1, {node}, PLAIT_ON_NODE, plait_surface_radius(a, ta->node_owner[node])};
    part face = {s1, at->triangle, 3, {corner[0], corner[1], corner[2]}, PLAIT_ON_FACE, 0};
    part q = reduce(tb, &face, w);
    plait_surface_touch touch = {.last = -1, .gap = at->distance - p.radius - plait_surface_radius(b, at->triangle)};
    set_side(a, &p, &one, &touch.side[0]), set_side(b, &q, w, &touch.side[1]);
    plait_vec3_copy(at->normal, touch.normal);
    put(bin, &touch);
}

static bool near_at_rest(const pair *x, double limit)
{
    const plait_surface *s = surface_of(x, x->p);
    double p[9], q[9], wp[3], wq[3], n[3];
    if (x->p->surface != x->q->surface || !s->rest)
        return false;
    corners(s->rest, x->p, p), corners(s->rest, x->q, q);
    return nearest(x->p, x->q, p, q, wp, wq, n) < limit;
}

// How far corners go at most.
static double farthest(const double *x0, const double *x1, int count)
{
    double far = 0;
    for (int k = 0; k < count; k++) {
        double u[3];
        plait_vec3_sub(x1 + 3 * k, x0 + 3 * k, u);
        far = plait_larger(far, plait_vec3_norm(u));
    }
    return far;
}

static bool share_node(const part *p, const part *q)
{
    for (int i = 0; p->surface == q->surface && i < p->nodes; i++)
        for (int j = 0; j < q->nodes; j++)
            if (p->node[i] == q->node[j])
                return true;
    return false;
}

// The motion: the first time at which they come as near as `wanted`.
static void sweep(const pair *x, const double *p0, const double *q0, double distance, double limit)
{
    const plait_surfaces *all = x->d->all;
    const part *p = x->p, *q = x->q;
    double p1[9], q1[9], wp[3], wq[3];
    corners(surface_of(x, p)->x1, p, p1), corners(surface_of(x, q)->x1, q, q1);
    double way = farthest(p0, p1, p->nodes) + farthest(q0, q1, q->nodes);
    double wanted = all->crossing ? fmin(all->near * x->thick, 0.5 * distance)
                                  : plait_larger(x->thick, 1e-6 * distance); // without thickness: nearly nothing
    plait_sweep sweep = {0};
    if (distance - way > 1.01 * wanted || near_at_rest(x, limit) ||
        !plait_sweep_simplices(p->nodes, p0, p1, q->nodes, q0, q1, wanted, &sweep))
        return;
    wp[0] = p->nodes == 2 ? 1 - sweep.a : 1, wp[1] = p->nodes == 2 ? sweep.a : 0, wp[2] = 0;
    if (q->nodes == 3)
        plait_vec3_copy(sweep.weight, wq);
    else
        wq[0] = q->nodes == 2 ? 1 - sweep.b : 1, wq[1] = q->nodes == 2 ? sweep.b : 0, wq[2] = 0;
    emit(x, wp, wq, sweep.normal, sweep.time, true);
}

static void meet(plait_surface_detector *d, plait_surface_bin *bin, const part *p, const part *q)
{
    if (share_node(p, q))
        return;
    pair x = {.d = d, .bin = bin, .p = p, .q = q, .thick = p->radius + q->radius};
    double limit = x.thick + (d->all->mode & PLAIT_DETECT_PROXIMITY ? d->all->proximity : 0);
    double p0[9], q0[9], wp[3], wq[3], n[3];
    corners(surface_of(&x, p)->x0, p, p0), corners(surface_of(&x, q)->x0, q, q0);
    double distance = nearest(p, q, p0, q0, wp, wq, n);
    if (!(distance > 0)) // they intersect: there is no direction to part them
        return;
    if (distance >= limit || d->all->crossing) {
        if (d->continuous)
            sweep(&x, p0, q0, distance, limit);
    } else if (!near_at_rest(&x, limit)) {
        emit(&x, wp, wq, n, 0, false);
    }
}

// ---- what belongs to a cell ---------------------------------------------------------------------------------------

typedef struct parts {
    int nodes, edges, faces;
    part node[3], edge[3], face;
} parts;

static void take(const plait_surface_detector *d, int surface, int c, parts *out)
{
    const plait_topology *t = &d->topology[surface];
    const int *corner = plait_surface_cell(t, c);
    double r = plait_surface_radius(&d->all->surface[surface], c);
    int per = t->dimension == 2 ? 3 : t->dimension;
    out->nodes = out->edges = out->faces = 0;
    for (int k = 0; k <= t->dimension; k++)
        if (t->node_owner[corner[k]] == c)
            out->node[out->nodes++] = (part){surface, corner[k], 1, {corner[k]}, PLAIT_ON_NODE, r};
    for (int k = 0; k < per; k++) {
        int e = t->cell_edge[per * (int64_t)c + k];
        if (t->edge_owner[e] == c)
            out->edge[out->edges++] = (part){surface, e, 2, {t->edge[2 * e], t->edge[2 * e + 1]}, PLAIT_ON_EDGE, r};
    }
    if (t->dimension == 2) {
        out->face = (part){surface, c, 3, {corner[0], corner[1], corner[2]}, PLAIT_ON_FACE, r};
        out->faces = 1;
    }
}

void plait_surface_cells(plait_surface_detector *d, plait_surface_bin *bin, int s0, int c0, int s1, int c1)
{
    parts a, b;
    take(d, s0, c0, &a), take(d, s1, c1, &b);
    for (int i = 0; i < a.nodes && b.faces; i++)
        meet(d, bin, &a.node[i], &b.face);
    for (int i = 0; i < b.nodes && a.faces; i++)
        meet(d, bin, &b.node[i], &a.face);
    for (int i = 0; i < a.edges; i++)
        for (int j = 0; j < b.edges; j++)
            meet(d, bin, &a.edge[i], &b.edge[j]);
    int da = d->topology[s0].dimension, db = d->topology[s1].dimension;
    for (int i = 0; i < a.nodes && da == 0; i++) {
        for (int j = 0; j < b.edges && db == 1; j++)
            meet(d, bin, &a.node[i], &b.edge[j]);
        for (int j = 0; j < b.nodes && db == 0; j++)
            meet(d, bin, &a.node[i], &b.node[j]);
    }
    for (int i = 0; i < b.nodes && db == 0 && da == 1; i++)
        for (int j = 0; j < a.edges; j++)
            meet(d, bin, &b.node[i], &a.edge[j]);
}
