// collider.c: a body without dofs: a script moves its shape, and its vertices if they are animated.
#include <math.h>
#include <stdlib.h>

#include "body/body.h"
#include "math/quat.h"
#include "math/vec3.h"

typedef struct collider {
    plait_collider_def def;
    double *points[2]; // [3 points] of an animated mesh at the start and at the end of the step
    bool led;          // by a program instead of the script: from pose[0] at time[0] to pose[1] at time[1]
    double time[2];
    plait_pose pose[2];
} collider;

plait_pose plait_motion_pose(const plait_motion *motion, const double position[3], const double rotation[3], double t)
{
    plait_pose pose;
    double shift[3], turn[4], q0[4], R[9], arm[3];
    plait_motion_at(motion, t, shift, turn);
    plait_quat_exp(rotation, q0);
    plait_quat_multiply(turn, q0, pose.q);
    plait_quat_normalise(pose.q);
    plait_quat_matrix(turn, R);
    plait_vec3_sub(position, motion->pivot, arm);
    plait_mat3_apply(R, arm, pose.x);
    for (int k = 0; k < 3; k++)
        pose.x[k] += motion->pivot[k] + shift[k];
    return pose;
}

void plait_shape_points_at(const plait_shape *s, double t, double *point)
{
    double at = fmin(fmax((t - s->frame_start) / s->frame_time, 0), s->frames - 1);
    int i = (int)at;
    i = i > s->frames - 2 ? (s->frames > 1 ? s->frames - 2 : 0) : i;
    double a = s->frames > 1 ? at - i : 0;
    const double *from = s->frame + (size_t)i * 3 * (size_t)s->points,
                 *to = s->frames > 1 ? from + 3 * s->points : from;
    for (int k = 0; k < 3 * s->points; k++)
        point[k] = (1 - a) * from[k] + a * to[k];
}

// Straight from a to b, turning about one axis, the shorter way.
static plait_pose between(const plait_pose *a, const plait_pose *b, double part)
{
    plait_pose pose = *b;
    double turn[4], angle[3], e[4], back[4] = {-a->q[0], -a->q[1], -a->q[2], a->q[3]};
    if (part >= 1)
        return pose;
    plait_quat_multiply(b->q, back, turn);
    if (turn[3] < 0)
        for (int k = 0; k < 4; k++)
            turn[k] = -turn[k];
    plait_quat_log(turn, angle);
    for (int k = 0; k < 3; k++) {
        pose.x[k] = a->x[k] + part * (b->x[k] - a->x[k]);
        angle[k] *= part;
    }
    plait_quat_exp(angle, e);
    plait_quat_multiply(e, a->q, pose.q);
    plait_quat_normalise(pose.q);
    return pose;
}

plait_pose plait_collider_pose(const plait_body *body, double t)
{
    const collider *p = body->impl;
    if (!p->led)
        return plait_motion_pose(p->def.motion, p->def.position, p->def.rotation, t);
    return between(&p->pose[0], &p->pose[1], fmax(0, (t - p->time[0]) / (p->time[1] - p->time[0])));
}

void plait_collider_lead(plait_body *body, double from, double to, const plait_pose *pose)
{
    collider *p = body->impl;
    p->pose[0] = plait_collider_pose(body, from);
    p->pose[1] = *pose;
    p->time[0] = from, p->time[1] = to;
    p->led = true;
}

plait_status plait_collider_build(const plait_collider_def *def, plait_body *body, plait_error *error)
{
    collider *p = calloc(1, sizeof *p);
    *body = (plait_body){
        .type = &plait_body_collider, .id = body->id, .shaped = true, .edge = INFINITY, .fine = INFINITY, .impl = p};
    bool ok = p != NULL;
    if (ok)
        p->def = *def;
    for (int k = 0; k < 2 && ok && def->shape->frames > 0; k++)
        ok = (p->points[k] = malloc((3 * (size_t)def->shape->points + 1) * sizeof(double))) != NULL;
    return ok ? PLAIT_OK : plait_error_set(error, PLAIT_NO_MEMORY, "no memory for collider %d", body->id);
}

static void release(plait_body *b)
{
    collider *p = b->impl;
    if (p)
        free(p->points[0]), free(p->points[1]);
    free(p);
}

static void drive(plait_body *b, double time, double dt)
{
    const collider *p = b->impl;
    const plait_collider_def *d = &p->def;
    plait_shape_geometry *g = b->shape;
    *g = (plait_shape_geometry){.shape = d->shape, .material = d->material};
    g->start = plait_collider_pose(b, time);
    g->end = plait_collider_pose(b, time + dt);
    g->point0 = g->point1 = d->shape->point;
    if (p->points[1]) {
        plait_shape_points_at(d->shape, time, p->points[0]);
        plait_shape_points_at(d->shape, time + dt, p->points[1]);
        g->point0 = p->points[0], g->point1 = p->points[1];
    }
}

const plait_body_type plait_body_collider = {
    .name = "collider",
    .free = release,
    .drive = drive,
};
