// trajectory_sim.c: what a scene and its simulation put into a trajectory or a checkpoint.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "io/trajectory.h"
#include "math/vec3.h"
#include "plait/trajectory.h"
#include "plait/version.h"

static void *copy(const void *from, size_t count, size_t size)
{
    void *to = malloc(count * size + 1);
    if (to && count > 0)
        memcpy(to, from, count * size);
    return to;
}

// Points and triangles, without the animation: that goes into the frames.
static bool copy_shape(const plait_shape *from, plait_trajectory_body *body)
{
    body->shape = *from;
    body->animated = from->frames > 0;
    body->shape.frames = 0;
    body->shape.frame = NULL;
    body->shape.point = copy(from->point, 3 * (size_t)from->points, sizeof *from->point);
    body->shape.triangle = copy(from->triangle, 3 * (size_t)from->triangles, sizeof *from->triangle);
    return body->shape.point && body->shape.triangle;
}

static bool copy_bodies(const plait_scene *scene, plait_trajectory_info *info)
{
    bool ok = true;
    info->collider = calloc((size_t)scene->colliders + 1, sizeof *info->collider);
    info->rigid = calloc((size_t)scene->rigids + 1, sizeof *info->rigid);
    if (!info->collider || !info->rigid)
        return false;
    for (; info->colliders < scene->colliders && ok; info->colliders++) {
        const plait_collider *c = scene->collider + info->colliders;
        plait_trajectory_body *b = info->collider + info->colliders;
        snprintf(b->name, sizeof b->name, "%s", c->name);
        b->material = c->material;
        ok = copy_shape(&c->shape, b);
    }
    for (; info->rigids < scene->rigids && ok; info->rigids++) {
        const plait_rigid *r = scene->rigid + info->rigids;
        plait_trajectory_body *b = info->rigid + info->rigids;
        snprintf(b->name, sizeof b->name, "%s", r->name);
        b->material = r->material;
        ok = copy_shape(&r->shape, b);
    }
    return ok;
}

static bool copy_softs(const plait_scene *scene, const plait_sim *sim, plait_trajectory_info *info)
{
    int count = plait_sim_skins(sim);
    bool ok = (info->soft = calloc((size_t)count + 1, sizeof *info->soft)) != NULL;
    for (; ok && info->softs < count; info->softs++) {
        plait_trajectory_body *b = info->soft + info->softs;
        plait_sim_skin skin;
        plait_sim_skin_get(sim, info->softs, &skin);
        bool cloth = skin.kind == PLAIT_PARTNER_CLOTH;
        const plait_soft *list = cloth ? scene->cloth : scene->solid;
        if (skin.index < (cloth ? scene->cloths : scene->solids))
            snprintf(b->name, sizeof b->name, "%s", list[skin.index].name);
        b->material = skin.material, b->animated = true;
        b->shape = (plait_shape){.kind = PLAIT_SHAPE_MESH,
                                 .points = skin.nodes,
                                 .triangles = skin.triangles,
                                 .closed = skin.closed,
                                 .size = {skin.thickness}};
        b->shape.point = malloc(3 * (size_t)skin.nodes * sizeof *b->shape.point + 1);
        b->shape.triangle = copy(skin.triangle, 3 * (size_t)skin.triangles, sizeof *skin.triangle);
        ok = b->shape.point && b->shape.triangle;
        if (ok)
            plait_sim_skin_positions(sim, info->softs, b->shape.point);
    }
    return ok;
}

static bool copy_fibres(const plait_scene *scene, const plait_sim *sim, plait_trajectory_info *info)
{
    size_t n = (size_t)scene->fibres;
    info->fibres = scene->fibres;
    info->nodes = plait_sim_first_node(sim)[n];
    info->first = copy(plait_sim_first_node(sim), n + 1, sizeof *info->first);
    info->radius = copy(plait_sim_radii(sim), n, sizeof *info->radius);
    info->group = malloc((n + 1) * sizeof *info->group);
    info->material = malloc((n + 1) * sizeof *info->material);
    if (!info->first || !info->radius || !info->group || !info->material)
        return false;
    for (size_t i = 0; i < n; i++)
        info->group[i] = scene->fibre[i].group, info->material[i] = scene->fibre[i].material;
    return true;
}

static bool copy_names(const plait_scene *scene, plait_trajectory_info *info)
{
    // A scene made by a program may have no groups; its fibres are in group 0 all the same.
    info->groups = scene->groups > 0 ? scene->groups : scene->fibres > 0;
    info->materials = scene->materials;
    info->group_name = calloc((size_t)info->groups + 1, sizeof *info->group_name);
    info->material_name = calloc((size_t)info->materials + 1, sizeof *info->material_name);
    const char *text = scene->text ? scene->text : "";
    info->scene = copy(text, strlen(text) + 1, 1);
    if (!info->group_name || !info->material_name || !info->scene)
        return false;
    for (int i = 0; i < scene->groups; i++)
        memcpy(info->group_name[i], scene->group[i], PLAIT_NAME);
    for (int i = 0; i < scene->materials; i++)
        memcpy(info->material_name[i], scene->material[i].name, PLAIT_NAME);
    return true;
}

plait_trajectory_info *plait_trajectory_info_new(const plait_scene *scene, const plait_sim *sim,
                                                 const plait_trajectory_options *options, plait_error *error)
{
    plait_trajectory_info *info = calloc(1, sizeof *info);
    if (info && copy_bodies(scene, info) && copy_softs(scene, sim, info) && copy_fibres(scene, sim, info) &&
        copy_names(scene, info)) {
        snprintf(info->version, sizeof info->version, "%s", plait_version());
        snprintf(info->name, sizeof info->name, "%s", scene->name);
        info->frame_time = scene->output.frame_time;
        info->stored = *options;
        return info;
    }
    plait_trajectory_info_free(info);
    plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the trajectory of %d fibres", scene->fibres);
    return NULL;
}

// Angle from director a, carried along from the tangent of its segment to that of the next one, to director b.
static double turned(const double *a, const double *b)
{
    double carried[3], side[3];
    plait_vec3_transport(a + 6, b + 6, a, carried);
    plait_vec3_cross(carried, b, side);
    return plait_atan2(plait_vec3_dot(side, b + 6), plait_vec3_dot(carried, b));
}

// Of a fibre: frames of its segments, at the nodes that they begin with, and what they turn by from one to the next.
// Fibres without a frame have zeros. False without memory.
static bool take_frames(plait_trajectory_frame *f, const plait_trajectory_info *info, const plait_sim *sim, int fibre)
{
    const plait_rod *rod = plait_sim_rod((plait_sim *)sim, fibre); // it is only looked at
    int n = plait_rod_segments(rod), from = info->first[fibre], nodes = info->first[fibre + 1] - from;
    int step = (nodes - 1) / n;
    double *frames = malloc(9 * (size_t)n * sizeof *frames);
    if (!frames)
        return false;
    plait_rod_frames(rod, frames);
    for (int i = 0; i < nodes; i++) {
        int j = i / step < n ? i / step : n - 1;
        plait_vec3_copy(frames + 9 * j, f->director + 3 * (from + i));
        f->twist[from + i] = 0;
        if (i % step == 0 && j > 0 && i < nodes - 1 && plait_vec3_norm(frames + 9 * j) > 0)
            f->twist[from + i] = turned(frames + 9 * (j - 1), frames + 9 * j) / (plait_rod_length(rod) / n);
    }
    free(frames);
    return true;
}

plait_status plait_trajectory_frame_take(plait_trajectory_frame *frame, const plait_trajectory_info *info,
                                         const plait_sim *sim, plait_error *error)
{
    frame->time = plait_sim_time(sim);
    frame->step = plait_sim_steps(sim);
    frame->dt = plait_sim_last_dt(sim);
    plait_sim_positions(sim, frame->position);
    if (info->stored.velocities)
        plait_sim_velocities(sim, frame->velocity);
    for (int i = 0; info->stored.frames && i < info->fibres; i++)
        if (!take_frames(frame, info, sim, i))
            return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for the frames of fibre %d", i);
    for (int i = 0; i < info->colliders; i++) {
        plait_sim_collider_pose(sim, i, frame->collider_pose + 7 * i, frame->collider_pose + 7 * i + 3);
        if (info->collider[i].animated)
            plait_sim_collider_points(sim, i, frame->vertex[i]);
    }
    for (int i = 0; i < info->rigids; i++) {
        plait_sim_rigid_pose(sim, i, frame->rigid_pose + 7 * i, frame->rigid_pose + 7 * i + 3);
        if (info->stored.velocities)
            plait_sim_rigid_velocity(sim, i, frame->rigid_motion + 6 * i, frame->rigid_motion + 6 * i + 3);
    }
    for (int i = 0; i < info->softs; i++) {
        plait_sim_skin_positions(sim, i, frame->soft[i]);
        if (info->stored.velocities)
            plait_sim_skin_velocities(sim, i, frame->soft_motion[i]);
    }
    if (!info->stored.contacts)
        return PLAIT_OK;
    int count = plait_sim_contacts(sim);
    plait_sim_contact *contact = realloc(frame->contact, ((size_t)count + 1) * sizeof *contact);
    if (!contact)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for %d contacts of a frame", count);
    frame->contact = contact;
    frame->contacts = count;
    for (int i = 0; i < count; i++)
        plait_sim_contact_get(sim, i, contact + i);
    return PLAIT_OK;
}

plait_checkpoint *plait_checkpoint_new(const plait_sim *sim, plait_error *error)
{
    plait_checkpoint *c = calloc(1, sizeof *c);
    int64_t size = plait_sim_state_size(sim);
    if (!c || !(c->state = malloc(((size_t)size + 1) * sizeof *c->state))) {
        plait_checkpoint_free(c);
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a checkpoint of %lld numbers", (long long)size);
        return NULL;
    }
    c->size = size;
    c->step = plait_sim_steps(sim);
    c->time = plait_sim_time(sim);
    c->start = plait_sim_start(sim);
    plait_sim_get_state(sim, c->state);
    return c;
}
