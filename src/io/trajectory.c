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
    free_bodies(info->soft, info->softs);
    free(info->scene), free(info->first), free(info->radius), free(info->group), free(info->material);
    free(info->group_name), free(info->material_name), free(info);
}

static double *new_reals(int count, int width)
{
    return calloc((size_t)count * (size_t)width + 1, sizeof(double));
}

static double **new_lists(const plait_trajectory_body *body, int count)
{
    double **list = calloc((size_t)count + 1, sizeof *list);
    bool ok = list != NULL;
    for (int i = 0; ok && i < count; i++)
        if (body[i].animated)
            ok = (list[i] = new_reals(body[i].shape.points, 3)) != NULL;
    for (int i = 0; list && !ok && i < count; i++)
        free(list[i]);
    if (!ok)
        free(list);
    return ok ? list : NULL;
}

static void free_lists(double **list, int count)
{
    for (int i = 0; list && i < count; i++)
        free(list[i]);
    free(list);
}

plait_trajectory_frame *plait_trajectory_frame_new(const plait_trajectory_info *info)
{
    plait_trajectory_frame *f = calloc(1, sizeof *f);
    if (!f)
        return NULL;
    f->position = new_reals(info->nodes, 3);
    f->collider_pose = new_reals(info->colliders, 7);
    f->rigid_pose = new_reals(info->rigids, 7);
    f->vertex = new_lists(info->collider, info->colliders);
    f->soft = new_lists(info->soft, info->softs);
    bool ok = f->position && f->collider_pose && f->rigid_pose && f->vertex && f->soft;
    if (info->stored.velocities) {
        f->velocity = new_reals(info->nodes, 3);
        f->rigid_motion = new_reals(info->rigids, 6);
        f->soft_motion = new_lists(info->soft, info->softs);
        ok = ok && f->velocity && f->rigid_motion && f->soft_motion;
    }
    if (info->stored.frames) {
        f->director = new_reals(info->nodes, 3);
        f->twist = new_reals(info->nodes, 1);
        ok = ok && f->director && f->twist;
    }
    if (ok)
        return f;
    plait_trajectory_frame_free(f, info);
    return NULL;
}

void plait_trajectory_frame_free(plait_trajectory_frame *frame, const plait_trajectory_info *info)
{
    if (!frame)
        return;
    free_lists(frame->vertex, info->colliders);
    free_lists(frame->soft, info->softs), free_lists(frame->soft_motion, info->softs);
    free(frame->position), free(frame->velocity), free(frame->director), free(frame->twist);
    free(frame->collider_pose), free(frame->rigid_pose), free(frame->rigid_motion);
    free(frame->contact), free(frame);
}
