// shape_mesh.c: colliders, rigid and soft bodies of a trajectory as triangles, for formats that know nothing else.
#include <stdlib.h>

#include "io/export.h"
#include "math/quat.h"
#include "math/vec3.h"

const double *plait_export_pose(const plait_exporter *e, plait_export_kind kind, int index)
{
    static const double none[7] = {0, 0, 0, 0, 0, 0, 1}; // soft bodies are in the world as they are
    if (kind == PLAIT_BODY_SOFT)
        return none;
    return (kind == PLAIT_BODY_RIGID ? e->frame->rigid_pose : e->frame->collider_pose) + 7 * (size_t)index;
}

plait_export_kind plait_export_find(const plait_trajectory_info *info, int i, int *index)
{
    int moving = info->colliders + info->rigids;
    *index = i < info->colliders ? i : i < moving ? i - info->colliders : i - moving;
    return i < info->colliders ? PLAIT_BODY_COLLIDER : i < moving ? PLAIT_BODY_RIGID : PLAIT_BODY_SOFT;
}

void plait_export_bodies_free(plait_export_body *bodies, int count)
{
    for (int i = 0; bodies && i < count; i++) {
        free(bodies[i].mesh.point);
        free(bodies[i].mesh.triangle);
    }
    free(bodies);
}

plait_export_body *plait_export_bodies(plait_exporter *e, int *count)
{
    const plait_trajectory_info *info = e->info;
    int all = info->colliders + info->rigids + info->softs;
    plait_export_body *bodies = calloc((size_t)all + 1, sizeof *bodies);
    double low[3], high[3], middle[3], size[3];
    plait_export_box(e, low, high);
    for (int c = 0; c < 3; c++)
        middle[c] = 0.5 * (low[c] + high[c]);
    plait_vec3_sub(high, low, size);
    double half = 1.5 * plait_vec3_norm(size);
    bool ok = bodies != NULL;
    *count = all;
    for (int i = 0; ok && i < all; i++) {
        int index;
        plait_export_kind kind = plait_export_find(info, i, &index);
        const plait_trajectory_body *list[] = {info->collider, info->rigid, info->soft};
        bodies[i] = (plait_export_body){.body = list[kind] + index, .index = index, .kind = kind};
        const double *pose = plait_export_pose(e, kind, index);
        double R[9], d[3], local[3];
        plait_vec3_sub(middle, pose, d);
        plait_quat_matrix(pose + 3, R);
        plait_mat3_apply_transposed(R, d, local);
        plait_shape_detail detail = {.centre = {local[0], local[1], local[2]}, .half = half};
        ok = plait_shape_to_mesh(&bodies[i].body->shape, &detail, &bodies[i].mesh);
    }
    if (ok)
        return bodies;
    plait_export_bodies_free(bodies, all);
    plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    return NULL;
}

void plait_export_vertex(const plait_exporter *e, const plait_export_body *b, int i, double x[3])
{
    const double *pose = plait_export_pose(e, b->kind, b->index), *at = b->mesh.point + 3 * (size_t)i;
    double R[9];
    double *const *moved = b->kind == PLAIT_BODY_SOFT ? e->frame->soft : e->frame->vertex;
    if (b->kind != PLAIT_BODY_RIGID && b->body->animated && moved[b->index])
        at = moved[b->index] + 3 * (size_t)i;
    plait_quat_matrix(pose + 3, R);
    plait_mat3_apply(R, at, x);
    for (int c = 0; c < 3; c++)
        x[c] += pose[c];
}
