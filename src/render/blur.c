// blur.c: frames between frames.
#include "math/quat.h"
#include "math/vec3.h"
#include "render/render.h"

static void mix(const double *a, const double *b, int64_t count, double t, double *out)
{
    for (int64_t i = 0; i < count; i++)
        out[i] = a[i] + t * (b[i] - a[i]);
}

// Places go straight; turns along the shorter way, which between two frames is almost an even one.
static void mix_poses(const double *a, const double *b, int count, double t, double *out)
{
    for (int i = 0; i < count; i++) {
        const double *p = a + 7 * (size_t)i, *q = b + 7 * (size_t)i;
        double *o = out + 7 * (size_t)i, dot = 0, norm = 0;
        mix(p, q, 3, t, o);
        for (int k = 3; k < 7; k++)
            dot += p[k] * q[k];
        for (int k = 3; k < 7; k++) {
            o[k] = (1 - t) * p[k] + t * (dot < 0 ? -q[k] : q[k]);
            norm += o[k] * o[k];
        }
        for (int k = 3; k < 7; k++)
            o[k] /= sqrt(norm);
    }
}

void plait_frame_between(const plait_trajectory_info *info, const plait_trajectory_frame *a,
                         const plait_trajectory_frame *b, double t, plait_trajectory_frame *out)
{
    out->time = a->time + t * (b->time - a->time);
    mix(a->position, b->position, 3 * (int64_t)info->nodes, t, out->position);
    mix_poses(a->collider_pose, b->collider_pose, info->colliders, t, out->collider_pose);
    mix_poses(a->rigid_pose, b->rigid_pose, info->rigids, t, out->rigid_pose);
    for (int i = 0; i < info->colliders; i++)
        if (a->vertex && a->vertex[i] && out->vertex[i])
            mix(a->vertex[i], b->vertex[i], 3 * (int64_t)info->collider[i].shape.points, t, out->vertex[i]);
    for (int i = 0; i < info->softs; i++)
        mix(a->soft[i], b->soft[i], 3 * (int64_t)info->soft[i].shape.points, t, out->soft[i]);
}
