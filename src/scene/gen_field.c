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

void plait_gen_start_pose(const plait_collider *collider, double start, double x[3], double q[4])
{
    double q0[4], q1[4], move[3], from[3], turn[9];
    plait_quat_exp(collider->rotation, q0);
    plait_motion_at(&collider->motion, start, move, q1);
    plait_quat_multiply(q1, q0, q);
    plait_quat_matrix(q1, turn);
    plait_vec3_sub(collider->position, collider->motion.pivot, from);
    plait_mat3_apply(turn, from, x);
    plait_vec3_axpy(1, collider->motion.pivot, x);
    plait_vec3_axpy(1, move, x);
}

static bool make_part(const plait_collider *collider, double start, part *p)
{
    double q[4];
    p->shape = &collider->shape;
    plait_gen_start_pose(collider, start, p->x, q);
    plait_quat_matrix(q, p->R);
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
        ok = make_part(&scene->collider[i], scene->output.start, &f->part[i]);
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

// ---- distances -----------------------------------------------------------------------------------------------------

// n: unit, or zero where a grid has no slope.
static double local_distance(const part *p, const double x[3], double n[3])
{
    if (!p->grid.value)
        return plait_shape_distance(p->shape, x, n);
    double far = plait_gen_grid_at(&p->grid, x, n) - p->shape->size[0];
    if (!(plait_vec3_normalise(n) > 0))
        plait_vec3_set(n, 0, 0, 1);
    return far;
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
