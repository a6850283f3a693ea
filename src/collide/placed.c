// placed.c: shapes in their places.
#include "collide/placed.h"

#include <math.h>

#include "base/elementary.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "shape/closest.h"
#include "shape/type.h"

static void add_points(const double R[9], const double x[3], const double *point, int points, double radius,
                       plait_box *box)
{
    for (int i = 0; i < points; i++) {
        double world[3];
        plait_mat3_affine(R, point + 3 * (int64_t)i, x, world);
        plait_box_add(box, world, radius);
    }
}

void plait_shape_place(const plait_shape_geometry *geometry, bool motion, plait_placed *placed)
{
    const plait_shape *shape = geometry->shape;
    *placed = (plait_placed){.geometry = geometry, .mesh = -1, .strand = -1, .box = plait_box_empty()};
    const plait_shape_type *type = plait_shape_type_of(shape);
    placed->offset = type->cells == 2 ? 0.5 * shape->size[0] : 0;
    const plait_pose *pose[2] = {&geometry->start, &geometry->end};
    double q[2][4], turn[4];
    for (int k = 0; k < 2; k++) {
        for (int n = 0; n < 4; n++)
            q[k][n] = pose[k]->q[n];
        plait_quat_normalise(q[k]);
        plait_quat_matrix(q[k], placed->R[k]);
        plait_vec3_copy(pose[k]->x, placed->x[k]);
    }
    plait_quat_between(q[0], q[1], turn);
    plait_quat_log(turn, placed->spin);
    if (type->flat) {
        placed->box = (plait_box){{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
        return;
    }
    if (!type->cells && !type->extent)
        return;
    double half[3] = {0, 0, 0}, far = 0;
    if (type->extent)
        type->extent(shape, half);
    for (int k = 0; k <= motion; k++) {
        if (type->cells) {
            const double *point = k ? geometry->point1 : geometry->point0;
            add_points(placed->R[k], placed->x[k], point, shape->points, shape->size[0], &placed->box);
            for (int64_t i = 0; i < shape->points; i++)
                far = plait_larger(far, plait_vec3_norm(point + 3 * i));
            continue;
        }
        for (int corner = 0; corner < 8; corner++) {
            double y[3] = {corner & 1 ? half[0] : -half[0], corner & 2 ? half[1] : -half[1],
                           corner & 4 ? half[2] : -half[2]};
            add_points(placed->R[k], placed->x[k], y, 1, 0, &placed->box);
            far = plait_vec3_norm(y);
        }
    }
    // On the way a turning point leaves the chord of its arc by at most far (1 - cos(angle / 2)).
    double angle = motion ? plait_vec3_norm(placed->spin) : 0, bulge = far * (1 - plait_cos(0.5 * angle));
    for (int k = 0; bulge > 0 && k < 3; k++) {
        placed->box.lo[k] = plait_box_down((double)placed->box.lo[k] - bulge);
        placed->box.hi[k] = plait_box_up((double)placed->box.hi[k] + bulge);
    }
}

void plait_placed_pose(const plait_placed *placed, double t, double R[9], double x[3])
{
    double turn[3] = {t * placed->spin[0], t * placed->spin[1], t * placed->spin[2]}, q[4], Q[9];
    plait_quat_exp(turn, q);
    plait_quat_matrix(q, Q);
    plait_mat3_multiply(placed->R[0], Q, R);
    plait_lerp(placed->x[0], placed->x[1], t, x);
}

void plait_placed_move(const plait_placed *placed, const double world[3], double move[3])
{
    double y[3], end[3];
    move[0] = move[1] = move[2] = 0;
    if (placed->geometry->moves_freely)
        return;
    plait_to_frame(placed->R[0], placed->x[0], world, y);
    plait_mat3_affine(placed->R[1], y, placed->x[1], end);
    plait_vec3_sub(end, world, move);
}

int plait_placed_pieces(const plait_placed *placed, const double *x, int points, double radius)
{
    double angle = plait_vec3_norm(placed->spin), far = 0;
    if (!(angle > 0))
        return 1;
    for (int n = 0; n < points; n++) {
        double w[3];
        plait_vec3_sub(x + 3 * n, placed->x[0], w);
        far = plait_larger(far, plait_vec3_norm(w));
    }
    double pieces = ceil(angle * sqrt(1.25 * far / radius));
    return pieces < 1 ? 1 : pieces < PLAIT_PIECES ? (int)pieces : PLAIT_PIECES;
}

// The nearest point of what has one to three corners.
static void nearest(const plait_shape *shape, const double *y, int points, plait_arrival *at)
{
    at->a = 0;
    if (points == 3) {
        at->distance = plait_shape_triangle(shape, y, at->weight, at->normal);
        for (int k = 0; k < 3; k++)
            at->y[k] = at->weight[0] * y[k] + at->weight[1] * y[3 + k] + at->weight[2] * y[6 + k];
        return;
    }
    at->distance = points == 1 ? plait_shape_distance(shape, y, at->normal)
                               : plait_shape_segment(shape, y, y + 3, &at->a, at->normal);
    plait_lerp(y, points == 1 ? y : y + 3, at->a, at->y);
}

bool plait_shape_arrive(const plait_shape *shape, const double *path, int pieces, int points, double wanted,
                        double tolerance, plait_arrival *out)
{
    enum { STEPS = 100 };
    for (int piece = 0; piece < pieces; piece++) {
        const double *y0 = path + 3 * (int64_t)points * piece, *y1 = y0 + 3 * (int64_t)points;
        double s = 0, y[9];
        for (int step = 0; s <= 1; step++) {
            for (int k = 0; k < 3 * points; k++)
                y[k] = y0[k] + s * (y1[k] - y0[k]);
            nearest(shape, y, points, out);
            if (out->distance <= wanted + tolerance || step == STEPS) {
                out->time = (piece + s) / pieces;
                return true;
            }
            // All points are beyond the plane across the normal through the surface: the first one that reaches it.
            double next = 2;
            for (int n = 0; n < points; n++) {
                double gap = out->distance - wanted, speed = 0;
                for (int k = 0; k < 3; k++) {
                    gap += out->normal[k] * (y[3 * n + k] - out->y[k]);
                    speed += out->normal[k] * (y1[3 * n + k] - y0[3 * n + k]);
                }
                if (speed < 0 && s - gap / speed < next)
                    next = s - gap / speed;
            }
            s = next > s ? next : s + 1e-9;
        }
    }
    return false;
}
