// rigid.c: freely moving spheres, capsules and boxes against all shapes.
//
// Contacts are between balls of one shape and the surface of the other. A sphere is one ball; a capsule the balls at
// its ends and, where it is nearer, one in between; a box its corners (balls without radius) and points in the middle
// of its edges where they are nearer. Both ways round: a box also meets the balls of the other shape, the rims of a
// cylinder, the nodes of a curve and the corners of a mesh. Not covered: the middle of a box edge against a mesh edge.
#include "collide/rigid.h"

#include <math.h>

#include "collide/closest.h"
#include "collide/shape.h"
#include "math/mat3.h"

enum { FEATURE_MIDDLE = 2, FEATURE_EDGE = 8, FEATURE_OTHER = 32, RIM = 16 };

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

// ---- balls against simple shapes -------------------------------------------------------------------------------------

double plait_rigid_distance(const plait_duel *duel, const double x[3], double normal[3])
{
    const plait_placed *other = &duel->d->placed[duel->other];
    double y[3], n[3];
    plait_to_frame(other->R[0], other->x[0], x, y);
    double distance = plait_shape_distance(other->geometry->shape, y, n);
    plait_mat3_apply(other->R[0], n, normal);
    return distance;
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

static void ball_simple(plait_duel *duel, int feature, const double local[3], double radius, double *distance)
{
    const plait_placed *mine = &duel->d->placed[duel->ball];
    double x[3], n[3];
    plait_mat3_affine(mine->R[0], local, mine->x[0], x);
    *distance = plait_rigid_distance(duel, x, n);
    if (!duel->d->crossing && *distance < radius + 2 * duel->d->reach)
        emit_at(duel, feature, x, radius, *distance, n);
    else if (duel->d->continuous)
        plait_rigid_arrive(duel, feature, local, radius);
}

// The middle of the segment between two points of the shape, where it is markedly nearer than they are.
static void middle_simple(plait_duel *duel, int feature, const double p[3], const double q[3], double radius,
                          double distance0, double distance1)
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
    double distance = plait_shape_segment(other->geometry->shape, y0, y1, &a, n);
    if (distance >= radius + 2 * d->reach || distance >= fmin(distance0, distance1) - marked || a <= 0 || a >= 1)
        return;
    plait_mat3_apply(other->R[0], n, normal);
    plait_lerp(x0, x1, a, x);
    emit_at(duel, feature, x, radius, distance, normal);
}

// ---- features of the shapes ------------------------------------------------------------------------------------------

int plait_rigid_balls(const plait_shape *shape, double ball[8][3], double *radius)
{
    *radius = 0;
    switch (shape->kind) {
    case PLAIT_SHAPE_SPHERE:
        *radius = shape->size[0];
        ball[0][0] = ball[0][1] = ball[0][2] = 0;
        return 1;
    case PLAIT_SHAPE_CAPSULE:
        *radius = shape->size[0];
        for (int k = 0; k < 2; k++)
            ball[k][0] = ball[k][1] = 0, ball[k][2] = k ? shape->size[1] : -shape->size[1];
        return 2;
    case PLAIT_SHAPE_BOX:
        for (int k = 0; k < 8; k++)
            for (int n = 0; n < 3; n++)
                ball[k][n] = k >> n & 1 ? shape->size[n] : -shape->size[n];
        return 8;
    default:
        return 0;
    }
}

// Balls and middles of the shape duel->ball against the simple shape duel->other.
static void features_simple(plait_duel *duel)
{
    const plait_shape *shape = duel->d->placed[duel->ball].geometry->shape;
    plait_shape_kind other = duel->d->placed[duel->other].geometry->shape->kind;
    double ball[8][3], radius, distance[8];
    int balls = plait_rigid_balls(shape, ball, &radius);
    for (int k = 0; k < balls; k++)
        ball_simple(duel, k, ball[k], radius, &distance[k]);
    if (other == PLAIT_SHAPE_PLANE)
        return;
    if (shape->kind == PLAIT_SHAPE_CAPSULE)
        middle_simple(duel, FEATURE_MIDDLE, ball[0], ball[1], radius, distance[0], distance[1]);
    // The twelve edges of a box; of two boxes one's edges are enough.
    for (int n = 0; n < 3 && shape->kind == PLAIT_SHAPE_BOX && !duel->flipped; n++)
        for (int k = 0; k < 8; k++)
            if (!(k >> n & 1)) {
                int e = k | 1 << n;
                middle_simple(duel, FEATURE_EDGE + 8 * n + k, ball[k], ball[e], 0, distance[k], distance[e]);
            }
}

// The rims of a cylinder against a box, in samples.
static void rims(plait_duel *duel)
{
    const plait_shape *shape = duel->d->placed[duel->ball].geometry->shape;
    for (int k = 0; k < 2 * RIM; k++) {
        double angle = 2 * M_PI * (k / 2) / RIM, distance;
        double local[3] = {shape->size[0] * cos(angle), shape->size[0] * sin(angle),
                           k % 2 ? shape->size[1] : -shape->size[1]};
        ball_simple(duel, FEATURE_OTHER + k, local, 0, &distance);
    }
}

// ---- pairs -----------------------------------------------------------------------------------------------------------

static void duel_shapes(plait_detector *d, int i, int j, plait_duel *duel)
{
    const plait_shape *mine = d->placed[i].geometry->shape, *other = d->placed[j].geometry->shape;
    *duel = (plait_duel){.d = d, .ball = i, .other = j};
    double s = mine->kind == PLAIT_SHAPE_BOX ? fmin(mine->size[0], fmin(mine->size[1], mine->size[2])) : mine->size[0];
    duel->size = s;
    if (other->kind == PLAIT_SHAPE_CURVE) {
        plait_rigid_curve(duel);
        return;
    }
    if (other->kind == PLAIT_SHAPE_MESH) {
        if (d->placed[j].mesh >= 0)
            plait_rigid_mesh(duel);
        return;
    }
    // Spheres and capsules bring the balls, whose distance to the other shape tells all; other shapes meet a box both
    // ways round.
    bool round = other->kind == PLAIT_SHAPE_SPHERE || other->kind == PLAIT_SHAPE_CAPSULE;
    if (mine->kind != PLAIT_SHAPE_BOX || !round)
        features_simple(duel);
    if (mine->kind == PLAIT_SHAPE_BOX && other->kind != PLAIT_SHAPE_PLANE) {
        duel->flipped = true;
        duel->ball = j, duel->other = i;
        if (other->kind == PLAIT_SHAPE_CYLINDER)
            rims(duel);
        else
            features_simple(duel);
    }
}

plait_status plait_rigids_touch(plait_detector *d, plait_error *error)
{
    for (int i = 0; i < d->shapes; i++) {
        if (!d->placed[i].geometry->moves_freely)
            continue;
        for (int j = 0; j < d->shapes; j++) {
            bool both = d->placed[j].geometry->moves_freely;
            plait_shape_kind kind = d->placed[j].geometry->shape->kind;
            plait_box box = d->placed[i].box;
            for (int k = 0; k < 3; k++) {
                box.lo[k] = plait_box_down((double)box.lo[k] - 2 * d->reach);
                box.hi[k] = plait_box_up((double)box.hi[k] + 2 * d->reach);
            }
            if (i == j || (both && j < i) || kind == PLAIT_SHAPE_NONE || !plait_box_overlap(&box, &d->placed[j].box))
                continue;
            plait_duel duel;
            duel_shapes(d, i, j, &duel);
            if (duel.failed)
                return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the contacts of %d shapes", d->shapes);
        }
    }
    return PLAIT_OK;
}
