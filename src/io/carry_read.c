// carry_read.c: frames of carried strands: positions, and velocities from the frames before and after.
#include <string.h>

#include "io/carry.h"
#include "math/quat.h"
#include "math/vec3.h"

// The slot that holds frame i: made if it is not there, in the place of the one that was not used for longest.
static plait_carry_slot *take(plait_carry *c, int i, plait_error *error)
{
    int slots = c->velocities ? 3 : 1, oldest = 0;
    for (int k = 0; k < slots; k++) {
        if (c->slot[k].number == i) {
            c->slot[k].used = ++c->clock;
            return &c->slot[k];
        }
        if (c->slot[k].used < c->slot[oldest].used)
            oldest = k;
    }
    plait_carry_slot *slot = &c->slot[oldest];
    slot->number = -1;
    if (plait_trajectory_read(c->trajectory, i, slot->frame, error) != PLAIT_OK)
        return NULL;
    plait_carry_pose(c, slot->frame, slot->x);
    if (plait_pusher_apply(c->pusher, c, slot->frame, slot->x, error) != PLAIT_OK)
        return NULL;
    slot->number = i;
    slot->used = ++c->clock;
    return slot;
}

static void copy_lists(double *const *from, double **to, const plait_trajectory_body *body, int count)
{
    for (int i = 0; i < count; i++)
        if (to[i])
            memcpy(to[i], from[i], 3 * (size_t)body[i].shape.points * sizeof *to[i]);
}

static void copy_bodies(const plait_carry *c, const plait_trajectory_frame *from, plait_trajectory_frame *to)
{
    const plait_trajectory_info *info = c->from;
    to->time = from->time, to->step = from->step, to->contacts = 0;
    memcpy(to->collider_pose, from->collider_pose, 7 * (size_t)info->colliders * sizeof *to->collider_pose);
    memcpy(to->rigid_pose, from->rigid_pose, 7 * (size_t)info->rigids * sizeof *to->rigid_pose);
    copy_lists(from->vertex, to->vertex, info->collider, info->colliders);
    copy_lists(from->soft, to->soft, info->soft, info->softs);
}

// Of bodies too: what the trajectory has not stored.
static void differ(const plait_carry *c, const plait_carry_slot *a, const plait_carry_slot *b,
                   plait_trajectory_frame *to)
{
    double dt = b->frame->time - a->frame->time, k = dt > 0 ? 1 / dt : 0;
    for (size_t i = 0; i < 3 * (size_t)c->strands.points; i++)
        to->velocity[i] = k * ((double)b->x[i] - a->x[i]);
    for (int i = 0; i < c->from->rigids; i++) {
        const double *p = a->frame->rigid_pose + 7 * (size_t)i, *q = b->frame->rigid_pose + 7 * (size_t)i;
        double back[4] = {-p[3], -p[4], -p[5], p[6]}, turn[4], angle[3], *out = to->rigid_motion + 6 * (size_t)i;
        plait_quat_multiply(q + 3, back, turn);
        plait_quat_log(turn, angle);
        for (int n = 0; n < 3; n++)
            out[n] = k * (q[n] - p[n]), out[3 + n] = k * angle[n];
    }
    for (int i = 0; i < c->from->softs; i++)
        for (int n = 0; n < 3 * c->from->soft[i].shape.points; n++)
            to->soft_motion[i][n] = k * (b->frame->soft[i][n] - a->frame->soft[i][n]);
}

plait_status plait_carry_read(plait_carry *c, int i, plait_trajectory_frame *frame, plait_error *error)
{
    int frames = plait_trajectory_frames(c->trajectory);
    if (i < 0 || i >= frames)
        return plait_error_set(error, PLAIT_BAD_INPUT, "frames from 0 to %d are there, found %d", frames - 1, i);
    const plait_carry_slot *before = NULL, *after = NULL;
    if (c->velocities && i > 0 && !(before = take(c, i - 1, error)))
        return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_FILE;
    const plait_carry_slot *now = take(c, i, error);
    if (!now || (c->velocities && i + 1 < frames && !(after = take(c, i + 1, error))))
        return error && error->status != PLAIT_OK ? error->status : PLAIT_BAD_FILE;
    copy_bodies(c, now->frame, frame);
    for (size_t k = 0; k < 3 * (size_t)c->strands.points; k++)
        frame->position[k] = now->x[k];
    if (c->velocities)
        differ(c, before ? before : now, after ? after : now, frame);
    return PLAIT_OK;
}
