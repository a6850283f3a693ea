// trajectory_read.c: trajectories, any frame at any time. The file is open only while something is read from it (one
// lock covers all of HDF5), so that one program may look at what another is writing.
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "io/trajectory.h"
#include "io/unpack.h"
#include "math/vec3.h"

struct plait_trajectory {
    char *path;
    plait_trajectory_info *info;
    int frames, room;
    double *time;
};

// ---- what does not change ----------------------------------------------------------------------------------------

bool plait_trajectory_access(plait_h5 *h, const char *path, plait_error *error)
{
    if (plait_file_check(path, error) != PLAIT_OK)
        return false;
    if (plait_h5_open(h, path, error)) {
        char format[64];
        plait_h5_read_text(h, "/plait/format", format, sizeof format);
        if (strcmp(format, PLAIT_TRAJECTORY_FORMAT) == 0)
            return true;
        plait_h5_set_error(h, "/plait/format", "expected '%s', found '%s'", PLAIT_TRAJECTORY_FORMAT, format);
        plait_h5_close(h);
        return false;
    }
    size_t length = strlen(path) + 8;
    char *undo = malloc(length);
    if (undo) {
        snprintf(undo, length, "%s.undo", path);
        if (access(undo, F_OK) == 0)
            plait_error_set(error, PLAIT_BAD_FILE,
                            "%s: cannot be read: a frame is being written, or its program ended in the middle of one "
                            "('plait run --resume' repairs it)",
                            path);
    }
    free(undo);
    return false;
}

static bool read_shape(plait_h5 *h, const char *group, int i, plait_shape *s)
{
#define MEMBER(part) plait_h5_member(group, i, part).text
    char kind[32];
    int closed;
    int64_t points = -1, triangles = -1;
    plait_h5_read_text(h, MEMBER("shape"), kind, sizeof kind);
    s->kind = plait_shape_find(kind);
    if ((int)s->kind == plait_shape_count())
        return plait_h5_fail(h, MEMBER("shape"), "expected a shape (sphere, box, mesh...), found '%s'", kind);
    if (!plait_h5_fill_reals(h, MEMBER("size"), 3, s->size) || !plait_h5_read_int(h, MEMBER("closed"), 0, 1, &closed) ||
        !plait_h5_read_reals(h, MEMBER("point"), &points, &s->point) ||
        !plait_h5_read_ints(h, MEMBER("triangle"), &triangles, &s->triangle))
        return false;
    if (points % 3 != 0 || triangles % 3 != 0 || points / 3 > INT_MAX || triangles / 3 > INT_MAX)
        return plait_h5_fail(h, MEMBER("point"),
                             "expected three numbers for each point and triangle, found %lld and %lld",
                             (long long)points, (long long)triangles);
    s->closed = closed, s->points = (int)(points / 3), s->triangles = (int)(triangles / 3);
    for (int64_t k = 0; k < triangles; k++)
        if (s->triangle[k] < 0 || s->triangle[k] >= s->points)
            return plait_h5_fail(h, MEMBER("triangle"), "expected a point from 0 to %d, found %d", s->points - 1,
                                 s->triangle[k]);
    return true;
#undef MEMBER
}

static bool read_bodies(plait_h5 *h, const char *group, int count, int materials, plait_trajectory_body **bodies)
{
#define MEMBER(part) plait_h5_member(group, i, part).text
    *bodies = calloc((size_t)count + 1, sizeof **bodies);
    bool ok = *bodies || plait_h5_no_memory(h, group);
    for (int i = 0; i < count && ok; i++) {
        plait_trajectory_body *b = *bodies + i;
        int animated = 0;
        plait_h5_read_text(h, MEMBER("name"), b->name, sizeof b->name);
        ok = plait_h5_read_int(h, MEMBER("material"), 0, materials > 0 ? materials - 1 : 0, &b->material) &&
             plait_h5_read_int(h, MEMBER("animated"), 0, 1, &animated) && read_shape(h, group, i, &b->shape);
        b->animated = animated;
    }
    return ok;
#undef MEMBER
}

static bool check_range(plait_h5 *h, const char *name, int64_t count, const int *value, int limit)
{
    for (int64_t i = 0; i < count; i++)
        if (value[i] < 0 || value[i] >= limit)
            return plait_h5_fail(h, name, "expected numbers from 0 to %d, found %d at %lld", limit - 1, value[i],
                                 (long long)i);
    return true;
}

static bool read_fibres(plait_h5 *h, plait_trajectory_info *info)
{
    int64_t count = -1;
    if (!plait_h5_read_ints(h, "/fibres/first", &count, &info->first))
        return false;
    if (count < 1 || count > INT_MAX || info->first[0] != 0)
        return plait_h5_fail(h, "/fibres/first", "expected numbers that begin with 0, found %lld of them",
                             (long long)count);
    for (int64_t i = 1; i < count; i++)
        if (info->first[i] < info->first[i - 1])
            return plait_h5_fail(h, "/fibres/first", "expected numbers that ascend, found %d after %d", info->first[i],
                                 info->first[i - 1]);
    info->fibres = (int)count - 1;
    info->nodes = info->first[info->fibres];
    count = info->fibres;
    return plait_h5_read_reals(h, "/fibres/radius", &count, &info->radius) &&
           plait_h5_read_ints(h, "/fibres/group", &count, &info->group) &&
           plait_h5_read_ints(h, "/fibres/material", &count, &info->material) &&
           check_range(h, "/fibres/group", count, info->group, info->groups) &&
           check_range(h, "/fibres/material", count, info->material, info->materials);
}

static bool read_softs(plait_h5 *h, plait_trajectory_info *info)
{
    if (plait_h5_has(h, "/scene/softs") && !plait_h5_read_int(h, "/scene/softs", 0, 1000000, &info->softs))
        return false;
    if (!read_bodies(h, "/softs", info->softs, info->materials, &info->soft))
        return false;
    for (int i = 0; i < info->softs; i++)
        if (!info->soft[i].animated || info->soft[i].shape.kind != PLAIT_SHAPE_MESH)
            return plait_h5_fail(h, plait_h5_member("/softs", i, "shape").text, "expected a mesh that is animated");
    return true;
}

static bool read_info(plait_h5 *h, plait_trajectory_info *info)
{
    int doubles, velocities, contacts, frames = 0;
    plait_h5_read_text(h, "/plait/version", info->version, sizeof info->version);
    plait_h5_read_text(h, "/scene/name", info->name, sizeof info->name);
    bool ok = plait_h5_read_long_text(h, "/scene/text", &info->scene) &&
              plait_h5_read_real(h, "/scene/frame_time", &info->frame_time) &&
              plait_h5_read_int(h, "/stored/doubles", 0, 1, &doubles) &&
              plait_h5_read_int(h, "/stored/velocities", 0, 1, &velocities) &&
              plait_h5_read_int(h, "/stored/contacts", 0, 1, &contacts) &&
              (!plait_h5_has(h, "/stored/frames") || plait_h5_read_int(h, "/stored/frames", 0, 1, &frames)) &&
              plait_h5_read_int(h, "/scene/groups", 0, INT_MAX, &info->groups) &&
              plait_h5_read_int(h, "/scene/materials", 0, INT_MAX, &info->materials) &&
              plait_h5_read_names(h, "/groups", info->groups, &info->group_name) &&
              plait_h5_read_names(h, "/materials", info->materials, &info->material_name) && read_fibres(h, info);
    if (!ok)
        return false;
    info->stored = (plait_trajectory_options){doubles, velocities, contacts, frames};
    // A million: each has a group of its own, so that more would be a damaged number.
    return plait_h5_read_int(h, "/scene/colliders", 0, 1000000, &info->colliders) &&
           read_bodies(h, "/colliders", info->colliders, info->materials, &info->collider) &&
           plait_h5_read_int(h, "/scene/rigids", 0, 1000000, &info->rigids) &&
           read_bodies(h, "/rigids", info->rigids, info->materials, &info->rigid) && read_softs(h, info);
}

// ---- frames that are there ---------------------------------------------------------------------------------------

bool plait_trajectory_count(plait_h5 *h, int *frames)
{
    H5G_info_t group;
    if (!plait_h5_has(h, "/frames") || H5Gget_info_by_name(h->file, "/frames", &group, H5P_DEFAULT) < 0)
        return plait_h5_fail(h, "/frames", "expected a group of frames, found none");
    *frames = group.nlinks < 10000000 ? (int)group.nlinks : 10000000;
    return true;
}

// Times of frames that are not known yet; all of them if there are fewer than before.
static bool read_times(plait_h5 *h, plait_trajectory *t)
{
    int frames;
    if (!plait_trajectory_count(h, &frames))
        return false;
    if (frames < t->frames)
        t->frames = 0;
    if (frames > t->room) {
        double *more = realloc(t->time, (size_t)frames * sizeof *more);
        if (!more)
            return plait_h5_no_memory(h, "/frames");
        t->time = more, t->room = frames;
    }
    for (int i = t->frames; i < frames; i++) {
        plait_h5_name name = plait_h5_member("/frames", i, "time");
        if (!plait_h5_read_real(h, name.text, t->time + i))
            return false;
        if (i > 0 && t->time[i] <= t->time[i - 1])
            return plait_h5_fail(h, name.text, "expected a time after %g, found %g", t->time[i - 1], t->time[i]);
        t->frames = i + 1;
    }
    return true;
}

plait_trajectory *plait_trajectory_open(const char *path, plait_error *error)
{
    plait_h5 h;
    if (!plait_trajectory_access(&h, path, error))
        return NULL;
    plait_trajectory *t = calloc(1, sizeof *t);
    bool ok = t && (t->path = malloc(strlen(path) + 1)) && (t->info = calloc(1, sizeof *t->info));
    if (!ok)
        plait_h5_no_memory(&h, "/plait");
    else
        strcpy(t->path, path);
    ok = ok && read_info(&h, t->info) && read_times(&h, t);
    plait_h5_close(&h);
    if (ok)
        return t;
    plait_trajectory_free(t);
    return NULL;
}

void plait_trajectory_free(plait_trajectory *trajectory)
{
    if (!trajectory)
        return;
    plait_trajectory_info_free(trajectory->info);
    free(trajectory->time), free(trajectory->path), free(trajectory);
}

plait_status plait_trajectory_refresh(plait_trajectory *trajectory, plait_error *error)
{
    plait_h5 h;
    plait_error own = {0};
    error = error ? error : &own;
    if (!plait_trajectory_access(&h, trajectory->path, error))
        return error->status;
    bool ok = read_times(&h, trajectory);
    plait_h5_close(&h);
    return ok ? PLAIT_OK : error->status;
}

const plait_trajectory_info *plait_trajectory_get_info(const plait_trajectory *trajectory)
{
    return trajectory->info;
}

int plait_trajectory_frames(const plait_trajectory *trajectory)
{
    return trajectory->frames;
}

const double *plait_trajectory_times(const plait_trajectory *trajectory)
{
    return trajectory->time;
}

int plait_trajectory_find(const plait_trajectory *trajectory, double time)
{
    int low = 0, high = trajectory->frames; // time[low] <= time < time[high], as far as they exist
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (trajectory->time[middle] <= time)
            low = middle;
        else
            high = middle;
    }
    return low;
}

// ---- one frame ---------------------------------------------------------------------------------------------------

static bool read_contact_part(plait_h5 *h, int k, const char *part, int cols, size_t offset, plait_trajectory_frame *f)
{
    int64_t count = (int64_t)cols * f->contacts;
    double *value;
    if (!plait_h5_read_reals(h, plait_h5_member("/frames", k, part).text, &count, &value))
        return false;
    for (int i = 0; i < f->contacts; i++)
        memcpy((char *)(f->contact + i) + offset, value + (size_t)cols * (size_t)i, (size_t)cols * sizeof *value);
    free(value);
    return true;
}

static int bodies_of(const plait_trajectory_info *info, int kind)
{
    int cloths = 0;
    for (int i = 0; i < info->softs; i++)
        cloths += !info->soft[i].shape.closed;
    return kind == PLAIT_PARTNER_FIBRE      ? info->fibres
           : kind == PLAIT_PARTNER_COLLIDER ? info->colliders
           : kind == PLAIT_PARTNER_RIGID    ? info->rigids
           : kind == PLAIT_PARTNER_CLOTH    ? cloths
                                            : info->softs - cloths;
}

static bool read_contact_ints(plait_h5 *h, int k, const plait_trajectory_info *info, plait_trajectory_frame *f)
{
    int64_t count = 2 * (int64_t)f->contacts;
    int *kind = NULL, *index = NULL;
    plait_h5_name kinds = plait_h5_member("/frames", k, "contacts/kind");
    plait_h5_name indices = plait_h5_member("/frames", k, "contacts/index");
    bool ok = plait_h5_read_ints(h, kinds.text, &count, &kind) &&
              check_range(h, kinds.text, count, kind, PLAIT_PARTNER_SOLID + 1) &&
              plait_h5_read_ints(h, indices.text, &count, &index);
    for (int i = 0; ok && i < count; i++) {
        ok = check_range(h, indices.text, 1, index + i, bodies_of(info, kind[i]));
        f->contact[i / 2].kind[i % 2] = (plait_partner_kind)kind[i];
        f->contact[i / 2].index[i % 2] = index[i];
    }
    free(kind);
    free(index);
    return ok;
}

// Files of version 0.1 do not say it: an impulse on the edge of the cone is one that slides.
static plait_contact_state guess_state(const plait_sim_contact *c)
{
    double normal = plait_vec3_dot(c->impulse, c->normal), all = plait_vec3_dot(c->impulse, c->impulse);
    if (!(normal > 0))
        return PLAIT_CONTACT_OPEN;
    bool inside = sqrt(fmax(all - normal * normal, 0)) < (1 - 1e-3) * c->mu * normal;
    return inside ? PLAIT_CONTACT_STICKS : PLAIT_CONTACT_SLIDES;
}

static bool read_states(plait_h5 *h, int k, plait_trajectory_frame *f)
{
    int64_t count = f->contacts;
    int *state = NULL;
    plait_h5_name name = plait_h5_member("/frames", k, "contacts/state");
    bool there = plait_h5_has(h, name.text);
    bool ok = !there || (plait_h5_read_ints(h, name.text, &count, &state) &&
                         check_range(h, name.text, count, state, PLAIT_CONTACT_SLIDES + 1));
    for (int i = 0; ok && i < f->contacts; i++)
        f->contact[i].state = there ? (plait_contact_state)state[i] : guess_state(&f->contact[i]);
    free(state);
    return ok;
}

// Of frames in which contacts hold.
static bool read_laws(plait_h5 *h, int k, plait_trajectory_frame *f, bool *there)
{
    int64_t count = f->contacts;
    int *law = NULL;
    plait_h5_name name = plait_h5_member("/frames", k, "contacts/law");
    *there = plait_h5_has(h, name.text);
    bool ok = !*there || (plait_h5_read_ints(h, name.text, &count, &law) && check_range(h, name.text, count, law, 256));
    for (int i = 0; ok && i < f->contacts; i++)
        f->contact[i].law = *there ? law[i] : 0;
    free(law);
    return ok;
}

static bool read_contacts(plait_h5 *h, int k, const plait_trajectory_info *info, plait_trajectory_frame *f)
{
#define PART(field, cols) read_contact_part(h, k, "contacts/" #field, cols, offsetof(plait_sim_contact, field), f)
    int64_t count;
    bool written, bonds;
    plait_h5_name name = plait_h5_member("/frames", k, "contacts/mu");
    f->contacts = 0;
    if (!plait_h5_size(h, name.text, &count, &written))
        return false;
    if (count > INT_MAX / 3)
        return plait_h5_fail(h, name.text, "expected at most %d contacts, found %lld", INT_MAX / 3, (long long)count);
    plait_sim_contact *contact = realloc(f->contact, ((size_t)count + 1) * sizeof *contact);
    if (!contact)
        return plait_h5_no_memory(h, name.text);
    f->contact = contact;
    memset(contact, 0, (size_t)count * sizeof *contact);
    f->contacts = (int)count;
    return read_contact_ints(h, k, info, f) && PART(arc, 2) && PART(position, 3) && PART(normal, 3) && PART(gap, 1) &&
           PART(impulse, 3) && PART(velocity, 3) && PART(mu, 1) && read_states(h, k, f) && read_laws(h, k, f, &bonds) &&
           (!bonds || (PART(beta, 1) && PART(other, 3)));
#undef PART
}

static bool read_points(plait_h5 *h, int k, const char *part, int count, const plait_trajectory_body *body, double **x)
{
    bool ok = true;
    plait_h5_name group = plait_h5_member("/frames", k, part);
    for (int i = 0; ok && i < count; i++)
        if (body[i].animated)
            ok = plait_h5_fill_reals(h, plait_h5_member(group.text, i, NULL).text, 3 * (int64_t)body[i].shape.points,
                                     x[i]);
    return ok;
}

static bool read_frame(plait_h5 *h, int k, const plait_trajectory_info *info, plait_trajectory_frame *f)
{
#define FILL(part, count, array) plait_h5_fill_reals(h, plait_h5_member("/frames", k, part).text, count, array)
    bool ok = FILL("time", 1, &f->time) &&
              plait_h5_read_long(h, plait_h5_member("/frames", k, "step").text, 0, &f->step) &&
              FILL("position", 3 * (int64_t)info->nodes, f->position) &&
              FILL("collider_pose", 7 * (int64_t)info->colliders, f->collider_pose) &&
              FILL("rigid_pose", 7 * (int64_t)info->rigids, f->rigid_pose);
    if (ok && info->stored.velocities)
        ok = FILL("velocity", 3 * (int64_t)info->nodes, f->velocity) &&
             FILL("rigid_motion", 6 * (int64_t)info->rigids, f->rigid_motion);
    if (ok && plait_h5_has(h, plait_h5_member("/frames", k, "dt").text)) // not in older files
        ok = FILL("dt", 1, &f->dt);
    if (ok && info->stored.frames)
        ok = FILL("director", 3 * (int64_t)info->nodes, f->director) && FILL("twist", info->nodes, f->twist);
    ok = ok && read_points(h, k, "vertex", info->colliders, info->collider, f->vertex) &&
         read_points(h, k, "soft", info->softs, info->soft, f->soft) &&
         (!info->stored.velocities || read_points(h, k, "soft_motion", info->softs, info->soft, f->soft_motion));
    return ok && (!info->stored.contacts || read_contacts(h, k, info, f));
#undef FILL
}

plait_status plait_trajectory_read(const plait_trajectory *trajectory, int i, plait_trajectory_frame *frame,
                                   plait_error *error)
{
    plait_h5 h;
    plait_error own = {0};
    error = error ? error : &own;
    assert(i >= 0 && i < trajectory->frames);
    if (!plait_trajectory_access(&h, trajectory->path, error))
        return error->status;
    bool ok = read_frame(&h, i, trajectory->info, frame);
    plait_h5_close(&h);
    return ok ? PLAIT_OK : error->status;
}
