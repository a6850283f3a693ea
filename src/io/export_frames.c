// export_frames.c: which frames an export has, what numbers they have, and their coordinates in the unit that is
// wanted.
//
// Frames between those of the trajectory (another fps) are interpolated: nodes by cubics if velocities are stored, else
// straight; poses straight and normalised, the short way round.
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/export.h"
#include "math/quat.h"

// ---- numbers and times -------------------------------------------------------------------------------------------

static int place(const plait_exporter *e, int k)
{
    return e->first + (k + e->offset) * e->step;
}

// Frames of another rate stand at whole multiples of their time: the first that is not before the trajectory's.
static double first_code(const plait_exporter *e)
{
    return e->frames > 0 ? ceil(e->time[0] * e->fps - 1e-6) : 0;
}

double plait_export_time(const plait_exporter *e, int k)
{
    return e->fps > 0 ? (first_code(e) + place(e, k)) / e->fps : e->time[place(e, k)];
}

double plait_export_rate(const plait_exporter *e)
{
    double rate = e->fps > 0 ? e->fps : e->info->frame_time > 0 ? 1 / e->info->frame_time : 1;
    double whole = nearbyint(rate);
    return fabs(rate - whole) < 1e-9 * rate ? whole : rate;
}

double plait_export_code(const plait_exporter *e, int k)
{
    double code = e->start + plait_export_time(e, k) * plait_export_rate(e), whole = nearbyint(code);
    return fabs(code - whole) < 1e-6 ? whole : code;
}

int plait_export_number(const plait_exporter *e, int k)
{
    return e->numbered ? (int)nearbyint(plait_export_code(e, k)) : place(e, k);
}

plait_status plait_export_choose(plait_exporter *e, const plait_export_options *o)
{
    if (e->frames < 1)
        return plait_error_set(e->error, PLAIT_BAD_INPUT, "export: the trajectory has no frames yet");
    if (!(o->fps >= 0) || o->fps > 1e6 || !(o->unit >= 0) || !isfinite(o->unit))
        return plait_error_set(e->error, PLAIT_BAD_INPUT,
                               "export: a rate from 0 to 1e6 frames per second and a finite unit are expected, found "
                               "%g and %g",
                               o->fps, o->unit);
    e->fps = o->fps;
    e->numbered = o->numbered;
    e->start = o->numbered ? o->start : 0;
    e->each = o->each;
    double frames = e->frames;
    if (e->fps > 0)
        frames = floor(e->time[e->frames - 1] * e->fps + 1e-6) - first_code(e) + 1;
    if (!(frames >= 1) || frames > INT_MAX / 2)
        return plait_error_set(e->error, PLAIT_BAD_INPUT,
                               "export: 1 to 1e9 frames are expected, found %g in the trajectory at %g per second",
                               frames, e->fps);
    int last = o->last < 0 ? (int)frames - 1 : o->last;
    if (o->first < 0 || o->first > last || last >= (int)frames || o->step < 1)
        return plait_error_set(
            e->error, PLAIT_BAD_INPUT,
            "export: frames from 0 to %d and a step of at least 1 are expected, found %d to %d and %d", (int)frames - 1,
            o->first, last, o->step);
    e->first = o->first;
    e->step = o->step;
    e->count = (last - o->first) / o->step + 1;
    return PLAIT_OK;
}

// ---- another unit and another way up -------------------------------------------------------------------------------

static void convert(const plait_exporter *e, double *x, size_t count, bool turns)
{
    double scale = e->scale > 0 ? e->scale : 1;
    for (size_t i = 0; x && i < count; i++, x += 3) {
        double y = x[1], z = x[2];
        bool turn = e->turned && turns;
        x[0] = scale * (turn ? -x[0] : x[0]) + 0.0;
        x[1] = scale * (turn ? z : y);
        x[2] = scale * (turn ? y : z);
    }
}

static void convert_poses(const plait_exporter *e, double *pose, int count)
{
    static const double half_turn[4] = {0, 0.70710678118654752440, 0.70710678118654752440, 0};
    for (int i = 0; pose && i < count; i++, pose += 7) {
        convert(e, pose, 1, true);
        if (e->turned)
            plait_quat_multiply(half_turn, pose + 3, pose + 3);
    }
}

static void convert_frame(const plait_exporter *e, plait_trajectory_frame *f)
{
    const plait_trajectory_info *info = e->info;
    if (!(e->scale > 0) && !e->turned)
        return;
    convert(e, f->position, (size_t)info->nodes, true);
    convert(e, f->velocity, (size_t)info->nodes, true);
    convert_poses(e, f->collider_pose, info->colliders);
    convert_poses(e, f->rigid_pose, info->rigids);
    for (int i = 0; i < info->colliders; i++)
        if (info->collider[i].animated)
            convert(e, f->vertex[i], (size_t)info->collider[i].shape.points, false); // in the shape's frame
    for (int i = 0; i < info->softs; i++) {
        convert(e, f->soft[i], (size_t)info->soft[i].shape.points, true);
        if (f->soft_motion)
            convert(e, f->soft_motion[i], (size_t)info->soft[i].shape.points, true);
    }
}

static plait_trajectory_body *copy_bodies(const plait_exporter *e, const plait_trajectory_body *list, int count,
                                          bool turns)
{
    plait_trajectory_body *copy = calloc((size_t)count + 1, sizeof *copy);
    for (int i = 0; copy && i < count; i++) {
        copy[i] = list[i];
        plait_shape *s = &copy[i].shape;
        for (int c = 0; c < 3 && e->scale > 0; c++)
            s->size[c] *= e->scale;
        size_t points = list[i].shape.point ? (size_t)list[i].shape.points : 0;
        s->point = malloc((3 * points + 1) * sizeof *s->point);
        if (!s->point) {
            while (i-- > 0)
                free(copy[i].shape.point);
            free(copy);
            return NULL;
        }
        memcpy(s->point, points > 0 ? list[i].shape.point : s->point, 3 * points * sizeof *s->point);
        convert(e, s->point, points, turns);
    }
    return copy;
}

static void free_bodies(plait_trajectory_body *list, int count)
{
    for (int i = 0; list && i < count; i++)
        free(list[i].shape.point);
    free(list);
}

static void free_info(plait_trajectory_info *info)
{
    if (info) {
        free(info->radius);
        free_bodies(info->collider, info->colliders);
        free_bodies(info->rigid, info->rigids);
        free_bodies(info->soft, info->softs);
    }
    free(info);
}

// The trajectory's own, with lengths in the unit of the export; what has none is shared.
static plait_trajectory_info *copy_info(const plait_exporter *e)
{
    plait_trajectory_info *copy = malloc(sizeof *copy);
    if (!copy)
        return NULL;
    *copy = *e->info;
    copy->radius = malloc(((size_t)copy->fibres + 1) * sizeof *copy->radius);
    copy->collider = copy_bodies(e, e->info->collider, copy->colliders, false);
    copy->rigid = copy_bodies(e, e->info->rigid, copy->rigids, false);
    copy->soft = copy_bodies(e, e->info->soft, copy->softs, true);
    if (!copy->radius || !copy->collider || !copy->rigid || !copy->soft) {
        free_info(copy);
        return NULL;
    }
    for (int i = 0; i < copy->fibres; i++)
        copy->radius[i] = e->info->radius[i] * (e->scale > 0 ? e->scale : 1);
    return copy;
}

// What is known about carried strands, in the unit of the export; colours of strands become those of their nodes.
static bool take_strands(plait_exporter *e)
{
    const plait_carry_strands *s = plait_carry_get_strands(e->carry);
    float *width = e->own_width = malloc(((size_t)s->points + 1) * sizeof *width);
    float *colour = e->own_colour = s->colour ? malloc((3 * (size_t)s->points + 1) * sizeof *colour) : NULL;
    if (!width || (s->colour && !colour))
        return false;
    for (int i = 0; i < s->points; i++)
        width[i] = s->width[i] * (float)(e->scale > 0 ? e->scale : 1);
    for (int i = 0; colour && i < s->strands; i++)
        for (int k = s->first[i]; k < s->first[i + 1]; k++)
            memcpy(colour + 3 * (size_t)k, s->colour + 3 * (size_t)i, 3 * sizeof *colour);
    e->strands = (plait_export_strands){.id = s->id, .uv = s->root_uv, .width = width, .colour = colour};
    return true;
}

plait_status plait_export_begin(plait_exporter *e)
{
    plait_trajectory_info *copy = e->own = copy_info(e);
    if (copy) {
        e->info = copy;
        e->frame = plait_trajectory_frame_new(copy);
        e->other = e->fps > 0 ? plait_trajectory_frame_new(copy) : NULL;
    }
    if (!copy || !e->frame || (e->fps > 0 && !e->other) || (e->carry && !take_strands(e)))
        return plait_error_set(e->error, PLAIT_NO_MEMORY, "%s: not enough memory", e->name);
    return PLAIT_OK;
}

void plait_export_finish(plait_exporter *e)
{
    if (e->frame)
        plait_trajectory_frame_free(e->frame, e->info);
    if (e->other)
        plait_trajectory_frame_free(e->other, e->info);
    free_info(e->own);
    free(e->own_width);
    free(e->own_colour);
    e->own = NULL;
    e->frame = e->other = NULL;
}

// ---- between two frames --------------------------------------------------------------------------------------------

// x becomes what it is at the part s of the time h from x to y; u, v: velocities there, or NULL.
static void blend(double *x, const double *y, double *u, const double *v, size_t count, double s, double h)
{
    double s2 = s * s, s3 = s2 * s;
    for (size_t i = 0; x && y && i < count; i++) {
        if (u && v) {
            double a = x[i], b = y[i], p = h * u[i], q = h * v[i];
            x[i] = (2 * s3 - 3 * s2 + 1) * a + (s3 - 2 * s2 + s) * p + (3 * s2 - 2 * s3) * b + (s3 - s2) * q;
            u[i] = (6 * (s2 - s) * (a - b) + (3 * s2 - 4 * s + 1) * p + (3 * s2 - 2 * s) * q) / h;
        } else {
            x[i] += s * (y[i] - x[i]);
        }
    }
}

static void blend_poses(double *x, const double *y, int count, double s)
{
    for (int i = 0; x && i < count; i++, x += 7, y += 7) {
        double sign = plait_quat_dot(x + 3, y + 3) < 0 ? -1 : 1;
        for (int c = 0; c < 7; c++)
            x[c] += s * ((c < 3 ? 1 : sign) * y[c] - x[c]);
        plait_quat_normalise(x + 3);
    }
}

static void blend_frames(const plait_exporter *e, double s, double h)
{
    const plait_trajectory_info *info = e->info;
    plait_trajectory_frame *a = e->frame, *b = e->other;
    blend(a->position, b->position, a->velocity, b->velocity, 3 * (size_t)info->nodes, s, h);
    blend_poses(a->collider_pose, b->collider_pose, info->colliders, s);
    blend_poses(a->rigid_pose, b->rigid_pose, info->rigids, s);
    for (int i = 0; i < info->colliders; i++)
        if (info->collider[i].animated)
            blend(a->vertex[i], b->vertex[i], NULL, NULL, 3 * (size_t)info->collider[i].shape.points, s, h);
    for (int i = 0; i < info->softs; i++)
        blend(a->soft[i], b->soft[i], a->soft_motion ? a->soft_motion[i] : NULL,
              b->soft_motion ? b->soft_motion[i] : NULL, 3 * (size_t)info->soft[i].shape.points, s, h);
    a->time += s * h;
    a->contacts = 0;
}

static plait_status read_frame(plait_exporter *e, int i, plait_trajectory_frame *frame)
{
    return e->carry ? plait_carry_read(e->carry, i, frame, e->error)
                    : plait_trajectory_read(e->trajectory, i, frame, e->error);
}

static plait_status read_between(plait_exporter *e, double time)
{
    int i = 0;
    while (i + 1 < e->frames && e->time[i + 1] <= time)
        i++;
    double h = i + 1 < e->frames ? e->time[i + 1] - e->time[i] : 1, s = (time - e->time[i]) / h;
    if (s > 1 - 1e-6 && i + 1 < e->frames)
        i++, s = 0;
    plait_status status = read_frame(e, i, e->frame);
    if (status != PLAIT_OK || s < 1e-6 || i + 1 >= e->frames)
        return status;
    status = read_frame(e, i + 1, e->other);
    if (status == PLAIT_OK)
        blend_frames(e, s, h);
    return status;
}

plait_status plait_export_frame(plait_exporter *e, int k)
{
    const plait_export_options *o = e->options;
    if (o && o->progress && !o->progress(e->done, e->total, o->data)) {
        e->report.stopped = true;
        return plait_error_set(e->error, PLAIT_BAD_INPUT, "%s: stopped", e->name);
    }
    e->done++;
    if (!e->trajectory)
        return PLAIT_OK;
    plait_status status = e->fps > 0 ? read_between(e, plait_export_time(e, k)) : read_frame(e, place(e, k), e->frame);
    if (status == PLAIT_OK)
        convert_frame(e, e->frame);
    return status;
}
