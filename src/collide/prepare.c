// prepare.c: from the scenery to strands, links, boxes and placed shapes; refuses what is not geometry.
#include <math.h>

#include "collide/detector.h"
#include "collide/image.h"
#include "collide/placed.h"
#include "math/mat3.h"
#include "math/quat.h"

static const double LARGEST = 1e12; // [m] beyond this, differences of coordinates mean nothing

static bool sane(const double *x, int64_t n)
{
    bool ok = true;
    for (int64_t i = 0; i < n; i++)
        ok &= fabs(x[i]) <= LARGEST; // false for NaN
    return ok;
}

static plait_status no_memory(plait_error *error)
{
    return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for collision detection");
}

static plait_status check_chain(const plait_scenery *s, int i, bool motion, plait_error *error)
{
    const plait_chain_geometry *c = &s->chain[i];
    if (c->first < 0 || c->nodes < 2 || c->nodes > 1 << 20 || c->first > s->nodes - c->nodes)
        return plait_error_set(error, PLAIT_BAD_INPUT, "chain %d: nodes %d to %d of %d are not a chain", i, c->first,
                               c->first + c->nodes - 1, s->nodes);
    if (!(c->radius > 0 && c->radius <= LARGEST) || !(c->self_arc >= 0))
        return plait_error_set(error, PLAIT_BAD_INPUT,
                               "chain %d: a radius above 0 and a self_arc of 0 or more are expected, found %g and %g",
                               i, c->radius, c->self_arc);
    for (int n = c->first; n < c->first + c->nodes; n++) {
        if (!sane(s->x0 + 3 * (int64_t)n, 3) || (motion && !sane(s->x1 + 3 * (int64_t)n, 3)))
            return plait_error_set(error, PLAIT_BAD_INPUT, "chain %d: node %d is not at a finite place", i,
                                   n - c->first);
        if (!sane(s->arc + n, 1))
            return plait_error_set(error, PLAIT_BAD_INPUT, "chain %d: node %d has the arc position %g", i, n - c->first,
                                   s->arc[n]);
    }
    return PLAIT_OK;
}

static plait_status check_shape(const plait_shape_geometry *g, int i, plait_error *error)
{
    const plait_shape *shape = g->shape;
    bool ok = sane(g->start.x, 3) && sane(g->start.q, 4) && sane(g->end.x, 3) && sane(g->end.q, 4);
    ok = ok && plait_quat_dot(g->start.q, g->start.q) > 0.5 && plait_quat_dot(g->end.q, g->end.q) > 0.5;
    if (!ok)
        return plait_error_set(error, PLAIT_BAD_INPUT, "shape %d: its pose is not finite or not a rotation", i);
    if (!sane(shape->size, 3) || shape->size[0] < 0 || shape->size[1] < 0 || shape->size[2] < 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "shape %d: sizes of 0 or more are expected, found %g, %g, %g", i,
                               shape->size[0], shape->size[1], shape->size[2]);
    const plait_shape_type *type = plait_shape_type_of(shape);
    if (g->moves_freely && type->cells != 2 && !type->flat && !(type->support && type->inertia))
        return plait_error_set(error, PLAIT_BAD_INPUT, "shape %d: a %s cannot move freely", i, type->name);
    if (!type->cells)
        return PLAIT_OK;
    if (shape->points < 2 || shape->points > 1 << 28 || !g->point0 || !g->point1)
        return plait_error_set(error, PLAIT_BAD_INPUT, "shape %d: it has %d points", i, shape->points);
    if (!sane(g->point0, 3 * (int64_t)shape->points) || !sane(g->point1, 3 * (int64_t)shape->points))
        return plait_error_set(error, PLAIT_BAD_INPUT, "shape %d: a point of it is not finite", i);
    if (type->cells == 1 && shape->points > 1 << 20)
        return plait_error_set(error, PLAIT_BAD_INPUT, "shape %d: a curve of more than %d points", i, 1 << 20);
    for (int64_t t = 0; type->cells == 2 && t < 3 * (int64_t)shape->triangles; t++)
        if (shape->triangle[t] < 0 || shape->triangle[t] >= shape->points)
            return plait_error_set(error, PLAIT_BAD_INPUT, "shape %d: triangle %d has the corner %d of %d", i,
                                   (int)(t / 3), shape->triangle[t], shape->points);
    return PLAIT_OK;
}

static plait_status check(const plait_scenery *s, bool motion, plait_error *error)
{
    if (s->chains < 0 || s->nodes < 0 || s->shapes < 0 || s->chains + (int64_t)s->shapes > 1 << 24)
        return plait_error_set(error, PLAIT_BAD_INPUT, "%d chains, %d nodes, %d shapes cannot be", s->chains, s->nodes,
                               s->shapes);
    if (!(s->proximity >= 0 && s->proximity <= LARGEST) || !(s->spacing >= 0))
        return plait_error_set(error, PLAIT_BAD_INPUT, "proximity and spacing of 0 or more are expected, found %g, %g",
                               s->proximity, s->spacing);
    for (int k = 0; k < 12; k++) {
        double x = s->cell[k / 6][k % 6], start = s->cell[0][k % 6];
        if (!(fabs(x) <= LARGEST) || (k % 6 < 3 && (x < 0 || (x > 0) != (start > 0))))
            return plait_error_set(error, PLAIT_BAD_INPUT, "a period of 0 or more is expected, found %g", x);
    }
    for (int i = 0; i < s->chains; i++) {
        plait_status status = check_chain(s, i, motion, error);
        if (status)
            return status;
    }
    for (int i = 0; i < s->shapes; i++) {
        plait_status status = check_shape(&s->shape[i], i, error);
        if (status)
            return status;
    }
    return PLAIT_OK;
}

// Counts strands, nodes and links, and makes room for them.
static bool make_room(plait_detector *d, const plait_scenery *s)
{
    int64_t strands = s->chains, nodes = 0;
    for (int i = 0; i < s->chains; i++)
        nodes += s->chain[i].nodes;
    for (int i = 0; i < s->shapes; i++)
        if (plait_shape_type_of(s->shape[i].shape)->cells == 1)
            strands++, nodes += s->shape[i].shape->points;
    d->shapes = s->shapes;
    return nodes <= INT32_MAX && plait_grow(&d->strand, &d->strand_room, strands, sizeof *d->strand) &&
           plait_grow(&d->link, &d->link_room, nodes, sizeof *d->link) &&
           plait_grow(&d->box, &d->box_room, nodes, sizeof *d->box) &&
           plait_grow(&d->motion, &d->motion_room, nodes, sizeof *d->motion) &&
           plait_grow(&d->x0, &d->x0_room, 3 * nodes, sizeof *d->x0) &&
           plait_grow(&d->x1, &d->x1_room, 3 * nodes, sizeof *d->x1) &&
           plait_grow(&d->arc, &d->arc_room, nodes, sizeof *d->arc) &&
           plait_grow(&d->placed, &d->placed_room, s->shapes, sizeof *d->placed);
}

plait_strand *plait_strand_add(plait_detector *d, int nodes)
{
    plait_strand *strand = &d->strand[d->strands];
    *strand = (plait_strand){.chain = -1, .shape = -1, .node = d->nodes, .nodes = nodes, .link = d->links};
    strand->links = nodes - 1;
    for (int k = 0; k < strand->links; k++)
        d->link[d->links++] = (plait_link){d->strands, d->nodes + k};
    d->nodes += nodes;
    d->strands++;
    return strand;
}

// False: in a periodic cell it is too far away.
static bool add_chain(plait_detector *d, const plait_scenery *s, int i)
{
    const plait_chain_geometry *c = &s->chain[i];
    plait_strand *strand = plait_strand_add(d, c->nodes);
    strand->chain = i, strand->material = c->material, strand->radius = c->radius, strand->self_arc = c->self_arc;
    size_t bytes = 3 * (size_t)c->nodes * sizeof(double);
    const double *x1 = s->x1 ? s->x1 : s->x0;
    memcpy(d->x0 + 3 * (int64_t)strand->node, s->x0 + 3 * (int64_t)c->first, bytes);
    memcpy(d->x1 + 3 * (int64_t)strand->node, x1 + 3 * (int64_t)c->first, bytes);
    memcpy(d->arc + strand->node, s->arc + c->first, (size_t)c->nodes * sizeof(double));
    return !d->periodic || plait_image_home(d, strand);
}

static void add_curve(plait_detector *d, int i)
{
    plait_placed *placed = &d->placed[i];
    const plait_shape_geometry *g = placed->geometry;
    placed->strand = d->strands;
    plait_strand *strand = plait_strand_add(d, g->shape->points);
    strand->shape = i, strand->material = g->material, strand->radius = g->shape->size[0], strand->self_arc = INFINITY;
    double arc = 0;
    for (int n = 0; n < strand->nodes; n++) {
        double *x0 = d->x0 + 3 * (int64_t)(strand->node + n), *x1 = d->x1 + 3 * (int64_t)(strand->node + n), edge[3];
        plait_mat3_affine(placed->R[0], g->point0 + 3 * (int64_t)n, placed->x[0], x0);
        plait_mat3_affine(placed->R[1], g->point1 + 3 * (int64_t)n, placed->x[1], x1);
        if (n) {
            plait_vec3_sub(x0, x0 - 3, edge);
            arc += plait_vec3_norm(edge);
        }
        d->arc[strand->node + n] = arc;
    }
}

void plait_strand_box(plait_detector *d, plait_strand *strand)
{
    double thick = d->thickness * strand->radius + d->reach;
    strand->box = plait_box_empty();
    for (int k = 0; k < strand->links; k++) {
        plait_box *box = &d->box[strand->link + k];
        const double *p = d->x0 + 3 * (int64_t)(strand->node + k), *q = d->x1 + 3 * (int64_t)(strand->node + k);
        *box = plait_box_empty();
        plait_box_add(box, p, thick), plait_box_add(box, p + 3, thick);
        if (d->continuous) {
            double u[3], v[3];
            plait_box_add(box, q, thick), plait_box_add(box, q + 3, thick);
            plait_vec3_sub(q, p, u), plait_vec3_sub(q + 3, p + 3, v);
            d->motion[strand->link + k] = sqrt(plait_larger(plait_vec3_dot(u, u), plait_vec3_dot(v, v)));
        }
        plait_box_join(&strand->box, box);
    }
}

static void make_boxes(plait_detector *d, int chunk, int thread, int64_t begin, int64_t end)
{
    (void)chunk, (void)thread;
    for (int64_t n = begin; n < end; n++)
        plait_strand_box(d, &d->strand[n]);
}

static bool make_threads(plait_detector *d)
{
    if (!plait_grow(&d->thread, &d->thread_room, d->team.threads, sizeof *d->thread))
        return false;
    for (; d->thread_count < d->team.threads; d->thread_count++)
        d->thread[d->thread_count] = (plait_thread_scratch){0};
    return true;
}

plait_status plait_detector_prepare(plait_detector *d, const plait_scenery *scenery, plait_error *error)
{
    plait_status status = check(scenery, scenery->x1 != NULL, error);
    if (status)
        return status;
    d->scenery = scenery;
    d->team = plait_team_if(scenery->team.threads > 1, scenery->team);
    d->strands = d->links = d->nodes = 0;
    d->periodic = scenery->cell[0][0] > 0 || scenery->cell[0][1] > 0 || scenery->cell[0][2] > 0;
    if (!make_room(d, scenery) || !make_threads(d))
        return no_memory(error);
    for (int i = 0; i < scenery->shapes; i++)
        plait_shape_place(&scenery->shape[i], d->continuous, &d->placed[i]);
    for (int i = 0; i < scenery->chains; i++)
        if (!add_chain(d, scenery, i))
            return plait_error_set(error, PLAIT_BAD_INPUT, "chain %d: it is more than %d periods away", i,
                                   PLAIT_IMAGE_MOST / 4);
    if (!plait_meshes_prepare(d, d->nodes))
        return no_memory(error);
    for (int i = 0; i < scenery->shapes; i++)
        if (plait_shape_type_of(scenery->shape[i].shape)->cells == 1)
            add_curve(d, i);
    plait_detector_run(d, d->strands, 64, make_boxes);
    return d->periodic ? plait_images_add(d, error) : PLAIT_OK;
}
