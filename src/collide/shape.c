// shape.c: the shapes with a formula.
#include "collide/shape.h"

#include <math.h>

#include "collide/closest.h"
#include "math/mat3.h"
#include "math/quat.h"

// Half extents of a box around a simple shape in its frame.
static void half_extents(const plait_shape *shape, double half[3])
{
    const double *s = shape->size;
    switch (shape->kind) {
    case PLAIT_SHAPE_SPHERE:
        half[0] = half[1] = half[2] = s[0];
        break;
    case PLAIT_SHAPE_CAPSULE:
        half[0] = half[1] = s[0], half[2] = s[0] + s[1];
        break;
    case PLAIT_SHAPE_CYLINDER:
        half[0] = half[1] = s[0], half[2] = s[1];
        break;
    case PLAIT_SHAPE_BOX:
        half[0] = s[0], half[1] = s[1], half[2] = s[2];
        break;
    default:
        half[0] = half[1] = half[2] = 0;
    }
}

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
    placed->offset = shape->kind == PLAIT_SHAPE_MESH ? 0.5 * shape->size[0] : 0;
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
    if (shape->kind == PLAIT_SHAPE_PLANE) {
        placed->box = (plait_box){{-FLT_MAX, -FLT_MAX, -FLT_MAX}, {FLT_MAX, FLT_MAX, FLT_MAX}};
        return;
    }
    if (shape->kind == PLAIT_SHAPE_NONE)
        return;
    double half[3], far = 0;
    half_extents(shape, half);
    for (int k = 0; k <= motion; k++) {
        if (shape->kind == PLAIT_SHAPE_CURVE || shape->kind == PLAIT_SHAPE_MESH) {
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
    double angle = motion ? plait_vec3_norm(placed->spin) : 0, bulge = far * (1 - cos(0.5 * angle));
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

// ---- signed distances ----------------------------------------------------------------------------------------------

// |y - c| - radius
static double ball(const double y[3], const double c[3], double radius, double normal[3])
{
    plait_vec3_sub(y, c, normal);
    double distance = plait_vec3_normalise(normal);
    if (!(distance > 0))
        normal[0] = 0, normal[1] = 0, normal[2] = 1;
    return distance - radius;
}

static double box_distance(const double half[3], const double y[3], double normal[3])
{
    double out[3], sum = 0, inner = -INFINITY;
    int axis = 0;
    for (int k = 0; k < 3; k++) {
        double beyond = fabs(y[k]) - half[k];
        out[k] = beyond > 0 ? copysign(beyond, y[k]) : 0;
        sum += out[k] * out[k];
        if (beyond > inner)
            inner = beyond, axis = k;
    }
    if (sum > 0) {
        double distance = sqrt(sum);
        for (int k = 0; k < 3; k++)
            normal[k] = out[k] / distance;
        return distance;
    }
    normal[0] = normal[1] = normal[2] = 0;
    normal[axis] = y[axis] < 0 ? -1 : 1;
    return inner;
}

static double cylinder_distance(const double size[2], const double y[3], double normal[3])
{
    double rho = sqrt(y[0] * y[0] + y[1] * y[1]), side = rho - size[0], end = fabs(y[2]) - size[1];
    double radial[2] = {rho > 0 ? y[0] / rho : 1, rho > 0 ? y[1] / rho : 0}, up = y[2] < 0 ? -1 : 1;
    double u = side, v = end; // how much of the normal is radial, how much axial
    if (side > 0 && end > 0) {
        double distance = sqrt(side * side + end * end);
        u /= distance, v /= distance;
        normal[0] = u * radial[0], normal[1] = u * radial[1], normal[2] = v * up;
        return distance;
    }
    bool radially = side > end;
    normal[0] = radially ? radial[0] : 0, normal[1] = radially ? radial[1] : 0, normal[2] = radially ? 0 : up;
    return radially ? side : end;
}

double plait_shape_distance(const plait_shape *shape, const double y[3], double normal[3])
{
    const double *s = shape->size;
    switch (shape->kind) {
    case PLAIT_SHAPE_PLANE:
        normal[0] = 0, normal[1] = 0, normal[2] = 1;
        return y[2];
    case PLAIT_SHAPE_SPHERE:
        return ball(y, (double[3]){0, 0, 0}, s[0], normal);
    case PLAIT_SHAPE_CAPSULE:
        return ball(y, (double[3]){0, 0, y[2] > s[1] ? s[1] : y[2] < -s[1] ? -s[1] : y[2]}, s[0], normal);
    case PLAIT_SHAPE_BOX:
        return box_distance(s, y, normal);
    case PLAIT_SHAPE_CYLINDER:
        return cylinder_distance(s, y, normal);
    default:
        normal[0] = 0, normal[1] = 0, normal[2] = 1;
        return INFINITY;
    }
}

// ---- along a segment -----------------------------------------------------------------------------------------------

static double slope_at(const plait_shape *shape, const double y0[3], const double y1[3], const double u[3], double a)
{
    double y[3], normal[3];
    plait_lerp(y0, y1, a, y);
    plait_shape_distance(shape, y, normal);
    return plait_vec3_dot(normal, u);
}

// The slope of a convex function grows: bisection to where it stops being negative, and to where it begins to be
// positive. Between the two the distance is flat.
static double follow_slope(const plait_shape *shape, const double y0[3], const double y1[3])
{
    enum { STEPS = 45 };
    double u[3], edge[2];
    plait_vec3_sub(y1, y0, u);
    double flat = 1e-12 * plait_vec3_norm(u), first = slope_at(shape, y0, y1, u, 0),
           last = slope_at(shape, y0, y1, u, 1);
    if (first > flat || last < -flat)
        return first > flat ? 0 : 1;
    if (first >= -flat && last <= flat)
        return 0.5;
    for (int side = 0; side < 2; side++) {
        double lo = side ? edge[0] : 0, hi = 1;
        if (!side && first >= -flat)
            hi = 0;
        if (side && slope_at(shape, y0, y1, u, lo + 1e-9) > flat) // a kink, not a flat
            hi = lo;
        for (int n = 0; n < STEPS && hi > lo; n++) {
            double a = 0.5 * (lo + hi), slope = slope_at(shape, y0, y1, u, a);
            if (side ? slope > flat : slope >= -flat)
                hi = a;
            else
                lo = a;
        }
        edge[side] = 0.5 * (lo + hi);
    }
    return plait_clamp01(0.5 * (edge[0] + edge[1]));
}

double plait_shape_segment(const plait_shape *shape, const double y0[3], const double y1[3], double *a,
                           double normal[3])
{
    double zero[3] = {0, 0, 0}, low[3] = {0, 0, -shape->size[1]}, high[3] = {0, 0, shape->size[1]}, b, y[3];
    switch (shape->kind) {
    case PLAIT_SHAPE_PLANE:
        *a = y0[2] < y1[2] ? 0 : y0[2] > y1[2] ? 1 : 0.5;
        break;
    case PLAIT_SHAPE_SPHERE:
        *a = plait_closest_on_segment(zero, y0, y1);
        break;
    case PLAIT_SHAPE_CAPSULE:
        plait_closest_steady(y0, y1, low, high, 1e-12 * shape->size[0] * shape->size[0], NULL, a, &b);
        break;
    default:
        *a = follow_slope(shape, y0, y1);
    }
    plait_lerp(y0, y1, *a, y);
    return plait_shape_distance(shape, y, normal);
}

bool plait_shape_arrive(const plait_shape *shape, const double *path, int pieces, int points, double wanted,
                        double tolerance, plait_arrival *out)
{
    enum { STEPS = 100 };
    for (int piece = 0; piece < pieces; piece++) {
        const double *y0 = path + 3 * (int64_t)points * piece, *y1 = y0 + 3 * (int64_t)points;
        double s = 0, y[6];
        for (int step = 0; s <= 1; step++) {
            for (int k = 0; k < 3 * points; k++)
                y[k] = y0[k] + s * (y1[k] - y0[k]);
            out->a = 0;
            out->distance = points == 1 ? plait_shape_distance(shape, y, out->normal)
                                        : plait_shape_segment(shape, y, y + 3, &out->a, out->normal);
            plait_lerp(y, points == 1 ? y : y + 3, out->a, out->y);
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
