// trajectory.c: infos and frames in memory.
#include "io/trajectory.h"

#include <stdlib.h>
#include <string.h>

static void free_bodies(plait_trajectory_body *body, int count)
{
    for (int i = 0; body && i < count; i++) {
        free(body[i].shape.point);
        free(body[i].shape.triangle);
    }
    free(body);
}

void plait_trajectory_info_free(plait_trajectory_info *info)
{
    if (!info)
        return;
    free_bodies(info->collider, info->colliders);
    free_bodies(info->rigid, info->rigids);
    free(info->scene);
    free(info->first);
    free(info->radius);
    free(info->group);
    free(info->material);
    free(info->group_name);
    free(info->material_name);
    free(info);
}

static double *new_reals(int count, int width)
{
    return calloc((size_t)count * (size_t)width + 1, sizeof(double));
}

plait_trajectory_frame *plait_trajectory_frame_new(const plait_trajectory_info *info)
{
    plait_trajectory_frame *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->position = new_reals(info->nodes, 3);
    f->collider_pose = new_reals(info->colliders, 7);
    f->rigid_pose = new_reals(info->rigids, 7);
    f->vertex = calloc((size_t)info->colliders + 1, sizeof *f->vertex);
    bool ok = f->position && f->collider_pose && f->rigid_pose && f->vertex;
    if (info->stored.velocities) {
        f->velocity = new_reals(info->nodes, 3);
        f->rigid_motion = new_reals(info->rigids, 6);
        ok = ok && f->velocity && f->rigid_motion;
    }
    for (int i = 0; ok && i < info->colliders; i++)
        if (info->collider[i].animated)
            ok = (f->vertex[i] = new_reals(info->collider[i].shape.points, 3)) != NULL;
    if (ok)
        return f;
    plait_trajectory_frame_free(f, info);
    return NULL;
}

void plait_trajectory_frame_free(plait_trajectory_frame *frame, const plait_trajectory_info *info)
{
    if (!frame)
        return;
    for (int i = 0; frame->vertex && i < info->colliders; i++)
        free(frame->vertex[i]);
    free(frame->vertex);
    free(frame->position);
    free(frame->velocity);
    free(frame->collider_pose);
    free(frame->rigid_pose);
    free(frame->rigid_motion);
    free(frame->contact);
    free(frame);
}
