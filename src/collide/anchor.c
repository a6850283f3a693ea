// anchor.c: what is carried along by a shape.
#include "collide/anchor.h"

#include <math.h>

#include "math/quat.h"

bool plait_binder_set(plait_binder *binder, const plait_shape_geometry *carrier)
{
    const plait_shape *s = carrier->shape;
    return plait_mesh_set(&binder->mesh, s->points, carrier->point0, carrier->point0, s->triangles, s->triangle,
                          s->closed);
}

void plait_binder_free(plait_binder *binder)
{
    plait_mesh_free(&binder->mesh);
    *binder = (plait_binder){0};
}

plait_cell plait_binder_nearest(const plait_binder *binder, const plait_shape_geometry *carrier, const double x[3])
{
    plait_cell cell = {.triangle = -1};
    plait_mesh_point near;
    double R[9], arm[3], local[3];
    plait_quat_matrix(carrier->start.q, R);
    plait_vec3_sub(x, carrier->start.x, arm);
    plait_mat3_apply_transposed(R, arm, local);
    if (!plait_mesh_nearest(&binder->mesh, local, INFINITY, &near))
        return cell;
    cell.triangle = near.triangle, cell.distance = fabs(near.distance);
    plait_vec3_copy(near.weight, cell.weight);
    return cell;
}

// The frame of a cell in the world: columns are its first edge, what is across, its normal. A triangle without area has
// no normal; then any.
static void cell_frame(const plait_shape *shape, const double *point, const plait_pose *pose, const plait_cell *cell,
                       double R[9], double x[3])
{
    double turn[9];
    plait_quat_matrix(pose->q, turn);
    if (cell->triangle < 0) {
        for (int k = 0; k < 9; k++)
            R[k] = turn[k];
        plait_vec3_copy(pose->x, x);
        return;
    }
    const int *corner = shape->triangle + 3 * (int64_t)cell->triangle;
    const double *p[3] = {point + 3 * (int64_t)corner[0], point + 3 * (int64_t)corner[1],
                          point + 3 * (int64_t)corner[2]};
    double local[3] = {0, 0, 0}, e[3], f[3], n[3], F[9];
    for (int c = 0; c < 3; c++)
        plait_vec3_axpy(cell->weight[c], p[c], local);
    plait_vec3_sub(p[1], p[0], e), plait_vec3_sub(p[2], p[0], f);
    plait_vec3_cross(e, f, n);
    if (!(plait_vec3_normalise(e) > 0))
        plait_vec3_set(e, 1, 0, 0);
    if (!(plait_vec3_normalise(n) > 0))
        plait_vec3_any_normal(e, n);
    plait_vec3_cross(n, e, f);
    plait_mat3_set_column(F, 0, e), plait_mat3_set_column(F, 1, f), plait_mat3_set_column(F, 2, n);
    plait_mat3_multiply(turn, F, R);
    plait_mat3_apply(turn, local, x);
    plait_vec3_axpy(1, pose->x, x);
}

void plait_anchor_set(plait_anchor *anchor, const plait_shape_geometry *carrier, const plait_cell *cell,
                      const double position[3], const double tangent[3], const double director[3])
{
    double R[9], x[3], arm[3];
    anchor->cell = cell ? *cell : (plait_cell){.triangle = -1};
    cell_frame(carrier->shape, carrier->point0, &carrier->start, &anchor->cell, R, x);
    plait_vec3_sub(position, x, arm);
    plait_mat3_apply_transposed(R, arm, anchor->position);
    plait_mat3_apply_transposed(R, tangent, anchor->tangent);
    plait_mat3_apply_transposed(R, director, anchor->director);
}

void plait_anchor_at(const plait_anchor *anchor, const plait_shape_geometry *carrier, double position[3],
                     double tangent[3], double director[3])
{
    double R[9], x[3];
    cell_frame(carrier->shape, carrier->point1, &carrier->end, &anchor->cell, R, x);
    plait_mat3_apply(R, anchor->position, position);
    plait_vec3_axpy(1, x, position);
    plait_mat3_apply(R, anchor->tangent, tangent);
    plait_mat3_apply(R, anchor->director, director);
}
