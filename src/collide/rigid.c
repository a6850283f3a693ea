// rigid.c: freely moving shapes against all shapes.
//
// Contacts are between balls of one shape and the surface of the other. A shape's support (shape/type.h) has its balls:
// a sphere is one; a capsule those at its ends and, where it is nearer, one in between; a box its corners (balls
// without radius) and points in the middle of its edges where they are nearer. Both ways round: a box also meets the
// balls of the other shape, the rims of a cylinder, the nodes of a curve and the corners of a mesh. Where both have
// sharp edges (boxes), the normal is that between their cores, which are smaller by ROUND of the least half extent: a
// corner that has come into the other shape near one of its edges would have a normal by chance, from whichever face is
// nearest, and two cards that lean on each other would never come to rest. Cores stay apart, and their normals change
// smoothly; the gap along the normal is that of the sharp shapes. Not covered: the
// middle of a box edge against a mesh edge, edges of two meshes along a motion, and freely moving meshes against
// curves.
#include "collide/rigid.h"

#include <math.h>

#include "collide/placed.h"
#include "math/mat3.h"
#include "shape/closest.h"

static const double ROUND = 0.02;

plait_touch *plait_rigid_emit(plait_duel *duel, int feature, int segment, double a, const double ball[3], double radius,
                              const double surface[3], const double normal[3], bool swept)
{
    plait_detector *d = duel->d;
    plait_touch *touch = plait_touches_add(&d->gathered);
    if (!touch) {
        duel->failed = true;
        return NULL;
    }
    // The ball belongs to shape `duel->ball`; the first side of the contact to the first shape.
    int first = duel->flipped ? 1 : 0;
    plait_side *with_ball = &touch->side[first], *other = &touch->side[1 - first];
    double w[3];
    for (int k = 0; k < 3; k++) {
        touch->normal[k] = duel->flipped ? -normal[k] : normal[k];
        with_ball->point[k] = ball[k] - radius * normal[k];
    }
    plait_vec3_copy(surface, other->point);
    plait_vec3_sub(with_ball->point, surface, w);
    touch->gap = plait_vec3_dot(w, normal);
    touch->swept = swept;
    with_ball->on_shape = other->on_shape = true;
    with_ball->index = duel->ball, other->index = duel->other;
    with_ball->segment = feature;
    other->segment = segment, other->a = a;
    plait_placed_move(&d->placed[duel->ball], with_ball->point, with_ball->move);
    plait_placed_move(&d->placed[duel->other], other->point, other->move);
    duel->count++;
    return touch;
}

// ---- balls against simple shapes ----------------------------------------------------------------------------------

double plait_rigid_distance(const plait_duel *duel, const double x[3], double normal[3])
{
    const plait_placed *other = &duel->d->placed[duel->other];
    double y[3], n[3];
    plait_to_frame(other->R[0], other->x[0], x, y);
    double distance = plait_shape_distance(other->geometry->shape, y, n);
    plait_mat3_apply(other->R[0], n, normal);
    return distance;
}

// How far a point x of one shape is from the other in the direction of the normal n (in the frame of the other), which
// is that of their cores: n . x less the most that a corner of the other has.
static double sharp_gap(const plait_placed *other, const double x[3], const double n[3])
{
    double y[3], half[3], most = 0;
    plait_to_frame(other->R[0], other->x[0], x, y);
    plait_shape_type_of(other->geometry->shape)->extent(other->geometry->shape, half);
    for (int k = 0; k < 3; k++)
        most += fabs(n[k]) * half[k];
    return plait_vec3_dot(n, y) - most;
}

static void emit_at(plait_duel *duel, int feature, const double x[3], double radius, double distance,
                    const double normal[3])
{
    double surface[3] = {x[0], x[1], x[2]};
    plait_vec3_axpy(-distance, normal, surface);
    plait_rigid_emit(duel, feature, 0, 0, x, radius, surface, normal, false);
}

void plait_rigid_arrive(plait_duel *duel, int feature, const double local[3], double radius)
{
    const plait_detector *d = duel->d;
    const plait_placed *mine = &d->placed[duel->ball], *other = &d->placed[duel->other];
    double size = duel->size, path[3 * (PLAIT_PIECES + 1)], R[9], c[3], x[3];
    double turn = plait_vec3_norm(mine->spin) + plait_vec3_norm(other->spin);
    int pieces = (int)fmin(1 + ceil(turn * 10), PLAIT_PIECES);
    for (int piece = 0; piece <= pieces; piece++) {
        double t = (double)piece / pieces;
        plait_placed_pose(mine, t, R, c);
        plait_mat3_affine(R, local, c, x);
        plait_placed_pose(other, t, R, c);
        plait_to_frame(R, c, x, path + 3 * piece);
    }
    double wanted = d->crossing ? (radius > 0 ? 0 : -0.1 * size) : radius, n[3];
    plait_arrival at;
    // What is inside already does not arrive.
    if (plait_shape_distance(other->geometry->shape, path, n) <= wanted + 1e-3 * size ||
        !plait_shape_arrive(other->geometry->shape, path, pieces, 1, wanted, 1e-4 * size, &at))
        return;
    double start[3], surface[3] = {at.y[0], at.y[1], at.y[2]}, world[3];
    plait_vec3_axpy(-at.distance, at.normal, surface);
    plait_mat3_affine(other->R[0], surface, other->x[0], world);
    plait_mat3_affine(mine->R[0], local, mine->x[0], start);
    plait_placed_pose(other, at.time, R, c);
    plait_mat3_apply(R, at.normal, n);
    plait_rigid_emit(duel, feature, 0, 0, start, radius, world, n, true);
}

// A contact if it is near enough at the start: whether it is.
static bool ball_near(plait_duel *duel, int feature, const double local[3], double radius, double *distance)
{
    const plait_placed *mine = &duel->d->placed[duel->ball];
    double x[3], n[3];
    plait_mat3_affine(mine->R[0], local, mine->x[0], x);
    *distance = plait_rigid_distance(duel, x, n);
    bool near = !duel->d->crossing && *distance < radius + 2 * duel->d->reach;
    if (near)
        emit_at(duel, feature, x, radius, *distance, n);
    return near;
}

// The same of a corner, where both shapes have cores. distance: that of the cores.
static bool corner_near(plait_duel *duel, int feature, const double local[3], const double corner[3], double *distance)
{
    const plait_placed *mine = &duel->d->placed[duel->ball], *other = &duel->d->placed[duel->other];
    double x[3], y[3], n[3], normal[3];
    plait_mat3_affine(mine->R[0], local, mine->x[0], x);
    plait_to_frame(other->R[0], other->x[0], x, y);
    *distance = plait_shape_distance(&duel->core[1], y, n);
    plait_mat3_affine(mine->R[0], corner, mine->x[0], x);
    double gap = sharp_gap(other, x, n);
    bool near = !duel->d->crossing && gap < 2 * duel->d->reach;
    plait_mat3_apply(other->R[0], n, normal);
    if (near)
        emit_at(duel, feature, x, 0, gap, normal);
    return near;
}

static void ball_simple(plait_duel *duel, int feature, const double local[3], double radius, double *distance)
{
    if (!ball_near(duel, feature, local, radius, distance) && duel->d->continuous)
        plait_rigid_arrive(duel, feature, local, radius);
}

// The middle of the segment between two points of the shape, where it is markedly nearer than they are. sharp: of the
// shape, if p and q are of its core; else NULL.
static void middle_simple(plait_duel *duel, int feature, const double p[3], const double q[3],
                          const double *const sharp[2], double radius, double distance0, double distance1)
{
    const plait_detector *d = duel->d;
    const plait_placed *mine = &d->placed[duel->ball], *other = &d->placed[duel->other];
    if (d->crossing)
        return;
    double x0[3], x1[3], y0[3], y1[3], x[3], n[3], normal[3], a;
    plait_mat3_affine(mine->R[0], p, mine->x[0], x0);
    plait_mat3_affine(mine->R[0], q, mine->x[0], x1);
    plait_to_frame(other->R[0], other->x[0], x0, y0);
    plait_to_frame(other->R[0], other->x[0], x1, y1);
    double marked = plait_larger(0.2 * d->reach, 1e-3 * duel->size);
    double distance = plait_shape_segment(sharp ? &duel->core[1] : other->geometry->shape, y0, y1, &a, n);
    if (distance >= fmin(distance0, distance1) - marked || a <= 0 || a >= 1)
        return;
    if (sharp) {
        plait_mat3_affine(mine->R[0], sharp[0], mine->x[0], x0);
        plait_mat3_affine(mine->R[0], sharp[1], mine->x[0], x1);
    }
    plait_mat3_apply(other->R[0], n, normal);
    plait_lerp(x0, x1, a, x);
    distance = sharp ? sharp_gap(other, x, n) : distance;
    if (distance < radius + 2 * d->reach)
        emit_at(duel, feature, x, radius, distance, normal);
}

// ---- features of the shapes ---------------------------------------------------------------------------------------

void plait_rigid_support(const plait_placed *placed, plait_shape_support *support)
{
    const plait_shape *shape = placed->geometry->shape;
    *support = (plait_shape_support){0};
    if (plait_shape_type_of(shape)->support)
        plait_shape_type_of(shape)->support(shape, support);
}

// Where both have sharp edges: their cores. False: they have not.
static bool make_cores(plait_duel *duel)
{
    const plait_shape *shape[2] = {duel->d->placed[duel->ball].geometry->shape,
                                   duel->d->placed[duel->other].geometry->shape};
    plait_shape_support s;
    double least = duel->size;
    if (!plait_shape_type_of(shape[0])->core || !plait_shape_type_of(shape[1])->core)
        return false;
    for (int k = 0; k < 2; k++) {
        plait_shape_type_of(shape[k])->support(shape[k], &s);
        least = fmin(least, s.size);
    }
    for (int k = 0; k < 2; k++)
        plait_shape_type_of(shape[k])->core(shape[k], ROUND * least, &duel->core[k]);
    return true;
}

// Balls and middles of the shape duel->ball against the exact shape duel->other.
static void features_simple(plait_duel *duel)
{
    plait_shape_support s, core;
    double distance[PLAIT_SUPPORT_BALLS];
    bool cores = make_cores(duel);
    plait_rigid_support(&duel->d->placed[duel->ball], &s);
    if (cores)
        plait_shape_type_of(&duel->core[0])->support(&duel->core[0], &core);
    for (int k = 0; k < s.balls; k++) {
        bool near = cores ? corner_near(duel, s.feature + k, core.ball[k], s.ball[k], &distance[k])
                          : ball_near(duel, s.feature + k, s.ball[k], s.radius, &distance[k]);
        if (!near && duel->d->continuous)
            plait_rigid_arrive(duel, s.feature + k, s.ball[k], s.radius);
    }
    // Of two shapes with corners, one's edges are enough.
    if (plait_shape_type_of(duel->d->placed[duel->other].geometry->shape)->flat || (s.radius == 0 && duel->flipped))
        return;
    for (int k = 0; k < s.edges; k++) {
        const int *end = s.edge[k].ball;
        const double *sharp[2] = {s.ball[end[0]], s.ball[end[1]]};
        const double *p = cores ? core.ball[end[0]] : sharp[0], *q = cores ? core.ball[end[1]] : sharp[1];
        middle_simple(duel, s.edge[k].feature, p, q, cores ? sharp : NULL, s.radius, distance[end[0]],
                      distance[end[1]]);
    }
}

// ---- pairs --------------------------------------------------------------------------------------------------------

// A freely moving mesh: its vertices, thick by half the mesh's thickness, against the other; and the balls or vertices
// of the other against its triangles.
static void duel_mesh(plait_detector *d, int i, int j, plait_duel *duel)
{
    const plait_placed *mine = &d->placed[i], *other = &d->placed[j];
    *duel = (plait_duel){.d = d, .ball = i, .other = j, .size = INFINITY};
    for (int k = 0; k < 3; k++)
        duel->size = fmin(duel->size, 0.5 * ((double)mine->box.hi[k] - (double)mine->box.lo[k]));
    if (mine->mesh < 0)
        return;
    if (plait_shape_exact(other->geometry->shape)) {
        for (int k = 0; k < mine->geometry->shape->points; k++) {
            double distance;
            ball_simple(duel, k, mine->geometry->point0 + 3 * (int64_t)k, mine->offset, &distance);
        }
        duel->ball = j, duel->other = i, duel->flipped = true;
        plait_rigid_mesh(duel);
    } else if (other->mesh >= 0) {
        plait_rigid_mesh_nodes(duel);
        if (!d->crossing)
            plait_rigid_mesh_edges(duel);
        duel->ball = j, duel->other = i, duel->flipped = true;
        plait_rigid_mesh_nodes(duel);
    }
}

static void duel_shapes(plait_detector *d, int i, int j, plait_duel *duel)
{
    const plait_shape_type *type = plait_shape_type_of(d->placed[j].geometry->shape);
    if (plait_shape_type_of(d->placed[i].geometry->shape)->cells == 2) {
        duel_mesh(d, i, j, duel);
        return;
    }
    plait_shape_support mine, other;
    plait_rigid_support(&d->placed[i], &mine);
    *duel = (plait_duel){.d = d, .ball = i, .other = j, .size = mine.size};
    if (type->cells == 1) {
        plait_rigid_curve(duel);
        return;
    }
    if (type->cells == 2) {
        if (d->placed[j].mesh >= 0)
            plait_rigid_mesh(duel);
        return;
    }
    // Round shapes bring the balls, whose distance to the other shape tells all; others meet one with corners both ways
    // round.
    plait_rigid_support(&d->placed[j], &other);
    if (mine.radius > 0 || !(other.radius > 0))
        features_simple(duel);
    if (mine.radius == 0 && !type->flat) {
        duel->flipped = true;
        duel->ball = j, duel->other = i;
        features_simple(duel);
    }
}

// Whether the pair is to be looked at: not twice, and not against what has no surface.
static bool meets(const plait_detector *d, int i, int j, const plait_box *around)
{
    const plait_placed *other = &d->placed[j];
    if (i == j || !plait_box_overlap(around, &other->box))
        return false;
    const plait_shape_type *type = plait_shape_type_of(other->geometry->shape);
    if (j < i && other->geometry->moves_freely && !type->flat)
        return false;
    return type->distance || type->cells;
}

plait_status plait_rigids_touch(plait_detector *d, plait_error *error)
{
    for (int i = 0; i < d->shapes; i++) {
        const plait_shape_geometry *g = d->placed[i].geometry;
        if (!g->moves_freely || plait_shape_type_of(g->shape)->flat) // planes do not touch each other
            continue;
        plait_box box = d->placed[i].box;
        for (int k = 0; k < 3; k++) {
            box.lo[k] = plait_box_down((double)box.lo[k] - 2 * d->reach);
            box.hi[k] = plait_box_up((double)box.hi[k] + 2 * d->reach);
        }
        for (int j = 0; j < d->shapes; j++) {
            plait_duel duel;
            if (!meets(d, i, j, &box))
                continue;
            duel_shapes(d, i, j, &duel);
            if (duel.failed)
                return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the contacts of %d shapes", d->shapes);
        }
    }
    return PLAIT_OK;
}
