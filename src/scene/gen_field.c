// gen_field.c: how far a point is from the colliders of a scene, at the start.
#include "scene/gen_field.h"

#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "scene/gen_common.h"
#include "scene/gen_grid.h"

typedef struct part {
    const plait_shape *shape;
    double x[3], R[9]; // world = R local + x
    plait_gen_grid grid;
} part;

struct plait_gen_field {
    int count;
    part *part;
};

static bool make_part(const plait_collider *collider, part *p)
{
    double q0[4], q1[4], q[4], move[3], from[3];
    p->shape = &collider->shape;
    plait_quat_exp(collider->rotation, q0);
    plait_motion_at(&collider->motion, 0, move, q1);
    plait_quat_multiply(q1, q0, q);
    plait_quat_matrix(q, p->R);
    double turn[9];
    plait_quat_matrix(q1, turn);
    plait_vec3_sub(collider->position, collider->motion.pivot, from);
    plait_mat3_apply(turn, from, p->x);
    plait_vec3_axpy(1, collider->motion.pivot, p->x);
    plait_vec3_axpy(1, move, p->x);
    if (p->shape->kind == PLAIT_SHAPE_MESH && p->shape->points > 0 && p->shape->triangles > 0)
        return plait_gen_grid_make(p->shape, &p->grid);
    return true;
}

plait_status plait_gen_field_new(const plait_scene *scene, plait_gen_field **field, plait_error *error)
{
    plait_gen_field *f = *field = calloc(1, sizeof *f);
    if (f)
        f->part = calloc((size_t)scene->colliders + 1, sizeof *f->part);
    bool ok = f && f->part;
    for (int i = 0; ok && i < scene->colliders; i++) {
        f->count++;
        ok = make_part(&scene->collider[i], &f->part[i]);
    }
    if (ok)
        return PLAIT_OK;
    plait_gen_field_free(f);
    *field = NULL;
    return plait_gen_no_memory("groom", error);
}

void plait_gen_field_free(plait_gen_field *field)
{
    if (!field)
        return;
    for (int i = 0; i < field->count; i++)
        plait_gen_grid_free(&field->part[i].grid);
    free(field->part);
    free(field);
}

// ---- shapes ------------------------------------------------------------------------------------------------------

// Distance from a segment of thickness `radius`.
static double from_segment(const double x[3], const double a[3], const double b[3], double radius, double n[3])
{
    double e[3], d[3];
    plait_vec3_sub(b, a, e);
    plait_vec3_sub(x, a, d);
    double square = plait_vec3_dot(e, e), t = square > 0 ? fmin(fmax(plait_vec3_dot(d, e) / square, 0), 1) : 0;
    plait_vec3_axpy(-t, e, d);
    plait_vec3_copy(d, n);
    return plait_vec3_norm(d) - radius;
}

static double from_box(const double x[3], const double half[3], double n[3])
{
    double out[3], deepest = -INFINITY;
    int axis = 0;
    for (int c = 0; c < 3; c++) {
        double d = fabs(x[c]) - half[c];
        out[c] = copysign(fmax(d, 0), x[c]);
        if (d > deepest)
            deepest = d, axis = c;
    }
    if (deepest > 0) {
        plait_vec3_copy(out, n);
        return plait_vec3_norm(out);
    }
    n[0] = n[1] = n[2] = 0;
    n[axis] = copysign(1, x[axis]);
    return deepest;
}

static double from_cylinder(const double x[3], double radius, double half, double n[3])
{
    double rho = hypot(x[0], x[1]), side = rho - radius, cap = fabs(x[2]) - half;
    double away[3] = {rho > 0 ? x[0] / rho : 1, rho > 0 ? x[1] / rho : 0, 0}, up = copysign(1, x[2]);
    double a = side > 0 || (side > cap && cap <= 0) ? 1 : 0, c = cap > 0 || (cap >= side && side <= 0) ? 1 : 0;
    double s = side > 0 && cap > 0 ? side : a, h = side > 0 && cap > 0 ? cap : c;
    plait_vec3_set(n, s * away[0], s * away[1], h * up);
    return side > 0 && cap > 0 ? hypot(side, cap) : fmax(side, cap);
}

static double from_curve(const plait_shape *shape, const double x[3], double n[3])
{
    double best = INFINITY, m[3];
    for (int i = 0; i + 1 < shape->points; i++) {
        double d = from_segment(x, shape->point + 3 * i, shape->point + 3 * (i + 1), shape->size[0], m);
        if (d < best) {
            best = d;
            plait_vec3_copy(m, n);
        }
    }
    return best;
}

static double local_distance(const part *p, const double x[3], double n[3])
{
    const plait_shape *shape = p->shape;
    const double *size = shape->size;
    switch (shape->kind) {
    case PLAIT_SHAPE_NONE:
        break;
    case PLAIT_SHAPE_PLANE:
        plait_vec3_set(n, 0, 0, 1);
        return x[2];
    case PLAIT_SHAPE_SPHERE:
        plait_vec3_copy(x, n);
        return plait_vec3_norm(x) - size[0];
    case PLAIT_SHAPE_CAPSULE: {
        double a[3] = {0, 0, -size[1]}, b[3] = {0, 0, size[1]};
        return from_segment(x, a, b, size[0], n);
    }
    case PLAIT_SHAPE_BOX:
        return from_box(x, size, n);
    case PLAIT_SHAPE_CYLINDER:
        return from_cylinder(x, size[0], size[1], n);
    case PLAIT_SHAPE_CURVE:
        return from_curve(shape, x, n);
    case PLAIT_SHAPE_MESH:
        if (p->grid.value)
            return plait_gen_grid_at(&p->grid, x, n) - size[0];
        break;
    }
    return INFINITY;
}

double plait_gen_field_at(const plait_gen_field *field, int only, const double x[3], double normal[3])
{
    double best = INFINITY;
    plait_vec3_set(normal, 0, 0, 1);
    for (int i = 0; i < field->count; i++) {
        if (only >= 0 && i != only)
            continue;
        const part *p = &field->part[i];
        double d[3], local[3], n[3] = {0, 0, 1};
        plait_vec3_sub(x, p->x, d);
        plait_mat3_apply_transposed(p->R, d, local);
        double far = local_distance(p, local, n);
        if (far < best) {
            best = far;
            if (!(plait_vec3_normalise(n) > 0))
                plait_vec3_set(n, 0, 0, 1);
            plait_mat3_apply(p->R, n, normal);
        }
    }
    return best;
}

void plait_gen_field_place(const plait_gen_field *field, int collider, const double local[3], double x[3])
{
    const part *p = &field->part[collider];
    plait_mat3_apply(p->R, local, x);
    plait_vec3_axpy(1, p->x, x);
}

void plait_gen_field_centre(const plait_gen_field *field, int collider, double x[3])
{
    plait_vec3_copy(field->part[collider].x, x);
}
