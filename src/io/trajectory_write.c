// trajectory_write.c: a trajectory, frame by frame. The file is whole after each of them: it is opened, gets the frame
// and is closed again, through a journal that can undo it.
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "io/trajectory.h"
#include "io/trajectory_journal.h"
#include "plait/trajectory.h"
#include "plait/version.h"

struct plait_trajectory_writer {
    plait_journal journal;
    int64_t frames;
    plait_trajectory *reader; // knows what does not change
};

// ---- what does not change ----------------------------------------------------------------------------------------

static bool write_body(plait_h5 *h, const char *group, int i, const plait_trajectory_body *body)
{
#define MEMBER(part) plait_h5_member(group, i, part).text
    const plait_shape *s = &body->shape;
    return plait_h5_write_group(h, MEMBER(NULL)) && plait_h5_write_text(h, MEMBER("name"), body->name) &&
           plait_h5_write_text(h, MEMBER("shape"), plait_shape_name((int)s->kind)) &&
           plait_h5_write_int(h, MEMBER("material"), body->material) &&
           plait_h5_write_table(h, MEMBER("size"), 3, 1, true, s->size) &&
           plait_h5_write_int(h, MEMBER("closed"), s->closed) &&
           plait_h5_write_int(h, MEMBER("animated"), body->animated) &&
           plait_h5_write_table(h, MEMBER("point"), s->points, 3, true, s->point) &&
           plait_h5_write_int_table(h, MEMBER("triangle"), s->triangles, 3, s->triangle);
#undef MEMBER
}

static bool write_bodies(plait_h5 *h, const char *group, int count, const plait_trajectory_body *body)
{
    bool ok = plait_h5_write_group(h, group);
    for (int i = 0; ok && i < count; i++)
        ok = write_body(h, group, i, body + i);
    return ok;
}

// Fibres as XDMF wants cells of several lengths: for each 2 (a polyline), how many nodes, which.
static bool write_lines(plait_h5 *h, const plait_trajectory_info *info)
{
    int64_t size = 2 * (int64_t)info->fibres + info->nodes, at = 0;
    int *line = malloc(((size_t)size + 1) * sizeof *line);
    if (!line)
        return plait_h5_no_memory(h, "/fibres/lines");
    for (int i = 0; i < info->fibres; i++) {
        line[at++] = 2;
        line[at++] = info->first[i + 1] - info->first[i];
        for (int k = info->first[i]; k < info->first[i + 1]; k++)
            line[at++] = k;
    }
    bool ok = plait_h5_write_int_table(h, "/fibres/lines", size, 1, line);
    free(line);
    return ok;
}

// Files without soft bodies are what they were.
static bool write_softs(plait_h5 *h, const plait_trajectory_info *info)
{
    return info->softs == 0 ||
           (plait_h5_write_int(h, "/scene/softs", info->softs) && write_bodies(h, "/softs", info->softs, info->soft));
}

static bool write_info(plait_h5 *h, const void *data)
{
    const plait_trajectory_info *info = data;
    const plait_trajectory_options *o = &info->stored;
    return plait_h5_write_group(h, "/plait") && plait_h5_write_text(h, "/plait/format", PLAIT_TRAJECTORY_FORMAT) &&
           plait_h5_write_text(h, "/plait/version", info->version[0] ? info->version : plait_version()) &&
           plait_h5_write_group(h, "/scene") && plait_h5_write_text(h, "/scene/name", info->name) &&
           plait_h5_write_text(h, "/scene/text", info->scene ? info->scene : "") &&
           plait_h5_write_table(h, "/scene/frame_time", 1, 1, true, &info->frame_time) &&
           plait_h5_write_group(h, "/stored") && plait_h5_write_int(h, "/stored/doubles", o->doubles) &&
           plait_h5_write_int(h, "/stored/velocities", o->velocities) &&
           plait_h5_write_int(h, "/stored/contacts", o->contacts) &&
           plait_h5_write_int(h, "/stored/frames", o->frames) && plait_h5_write_group(h, "/fibres") &&
           plait_h5_write_int_table(h, "/fibres/first", info->fibres + 1, 1, info->first) &&
           plait_h5_write_table(h, "/fibres/radius", info->fibres, 1, true, info->radius) &&
           plait_h5_write_int_table(h, "/fibres/group", info->fibres, 1, info->group) &&
           plait_h5_write_int_table(h, "/fibres/material", info->fibres, 1, info->material) && write_lines(h, info) &&
           plait_h5_write_int(h, "/scene/groups", info->groups) &&
           plait_h5_write_int(h, "/scene/materials", info->materials) &&
           plait_h5_write_int(h, "/scene/colliders", info->colliders) &&
           plait_h5_write_int(h, "/scene/rigids", info->rigids) &&
           plait_h5_write_names(h, "/groups", info->groups, info->group_name) &&
           plait_h5_write_names(h, "/materials", info->materials, info->material_name) &&
           write_bodies(h, "/colliders", info->colliders, info->collider) &&
           write_bodies(h, "/rigids", info->rigids, info->rigid) && write_softs(h, info) &&
           plait_h5_write_group(h, "/frames");
}

// ---- frames ------------------------------------------------------------------------------------------------------

// One column or three of the contacts, out of their structs.
static bool write_contact_part(plait_h5 *h, int64_t frame, const char *part, int cols, bool doubles, size_t offset,
                               const plait_trajectory_frame *f, double *scratch)
{
    for (int i = 0; i < f->contacts; i++)
        memcpy(scratch + (size_t)cols * (size_t)i, (const char *)(f->contact + i) + offset,
               (size_t)cols * sizeof *scratch);
    return plait_h5_write_table(h, plait_h5_member("/frames", frame, part).text, f->contacts, cols, doubles, scratch);
}

// number: 0, 1, 2 ..., the cells of points that XDMF wants.
static bool write_contact_ints(plait_h5 *h, int64_t frame, const plait_trajectory_frame *f, int *scratch)
{
    for (int i = 0; i < f->contacts; i++)
        scratch[i] = i;
    if (!plait_h5_write_int_table(h, plait_h5_member("/frames", frame, "contacts/number").text, f->contacts, 1,
                                  scratch))
        return false;
    for (int i = 0; i < f->contacts; i++)
        scratch[i] = (int)f->contact[i].state;
    if (!plait_h5_write_int_table(h, plait_h5_member("/frames", frame, "contacts/state").text, f->contacts, 1, scratch))
        return false;
    for (int i = 0; i < 2 * f->contacts; i++)
        scratch[i] = (int)f->contact[i / 2].kind[i % 2];
    if (!plait_h5_write_int_table(h, plait_h5_member("/frames", frame, "contacts/kind").text, f->contacts, 2, scratch))
        return false;
    for (int i = 0; i < 2 * f->contacts; i++)
        scratch[i] = f->contact[i / 2].index[i % 2];
    return plait_h5_write_int_table(h, plait_h5_member("/frames", frame, "contacts/index").text, f->contacts, 2,
                                    scratch);
}

// Only where some contacts hold.
static bool write_laws(plait_h5 *h, int64_t frame, const plait_trajectory_frame *f, int *scratch)
{
    for (int i = 0; i < f->contacts; i++)
        scratch[i] = f->contact[i].law;
    return plait_h5_write_int_table(h, plait_h5_member("/frames", frame, "contacts/law").text, f->contacts, 1, scratch);
}

static bool write_contacts(plait_h5 *h, int64_t k, bool doubles, const plait_trajectory_frame *f)
{
#define PART(field, cols)                                                                                              \
    write_contact_part(h, k, "contacts/" #field, cols, doubles, offsetof(plait_sim_contact, field), f, real)
    double *real = malloc((3 * (size_t)f->contacts + 1) * sizeof *real);
    int *whole = malloc((2 * (size_t)f->contacts + 1) * sizeof *whole);
    plait_h5_name group = plait_h5_member("/frames", k, "contacts");
    bool ok = real && whole ? plait_h5_write_group(h, group.text) : plait_h5_no_memory(h, group.text);
    ok = ok && write_contact_ints(h, k, f, whole) && PART(arc, 2) && PART(position, 3) && PART(normal, 3) &&
         PART(gap, 1) && PART(impulse, 3) && PART(velocity, 3) && PART(mu, 1);
    bool bonds = false;
    for (int i = 0; i < f->contacts; i++)
        bonds = bonds || f->contact[i].law != 0;
    if (bonds)
        ok = ok && write_laws(h, k, f, whole) && PART(beta, 1) && PART(other, 3);
    free(real);
    free(whole);
    return ok;
#undef PART
}

// A table for each body whose points are in every frame, in a group of its own; no group if there is none.
static bool write_points(plait_h5 *h, int64_t k, const char *part, int count, const plait_trajectory_body *body,
                         double *const *x, bool doubles)
{
    bool any = false, ok = true;
    for (int i = 0; i < count && ok; i++) {
        if (!body[i].animated)
            continue;
        plait_h5_name group = plait_h5_member("/frames", k, part);
        if (!any)
            ok = plait_h5_write_group(h, group.text);
        any = true;
        ok = ok &&
             plait_h5_write_table(h, plait_h5_member(group.text, i, NULL).text, body[i].shape.points, 3, doubles, x[i]);
    }
    return ok;
}

static bool write_frame(plait_h5 *h, int64_t k, const plait_trajectory_info *info, const plait_trajectory_frame *f)
{
#define MEMBER(part) plait_h5_member("/frames", k, part).text
    bool doubles = info->stored.doubles;
    bool ok = plait_h5_write_group(h, MEMBER(NULL)) && plait_h5_write_table(h, MEMBER("time"), 1, 1, true, &f->time) &&
              plait_h5_write_long(h, MEMBER("step"), f->step) &&
              plait_h5_write_table(h, MEMBER("dt"), 1, 1, true, &f->dt) &&
              plait_h5_write_table(h, MEMBER("position"), info->nodes, 3, doubles, f->position) &&
              plait_h5_write_table(h, MEMBER("collider_pose"), info->colliders, 7, true, f->collider_pose) &&
              plait_h5_write_table(h, MEMBER("rigid_pose"), info->rigids, 7, true, f->rigid_pose) &&
              write_points(h, k, "vertex", info->colliders, info->collider, f->vertex, doubles) &&
              write_points(h, k, "soft", info->softs, info->soft, f->soft, doubles);
    if (ok && info->stored.velocities)
        ok = plait_h5_write_table(h, MEMBER("velocity"), info->nodes, 3, doubles, f->velocity) &&
             plait_h5_write_table(h, MEMBER("rigid_motion"), info->rigids, 6, true, f->rigid_motion) &&
             write_points(h, k, "soft_motion", info->softs, info->soft, f->soft_motion, doubles);
    if (ok && info->stored.frames)
        ok = plait_h5_write_table(h, MEMBER("director"), info->nodes, 3, doubles, f->director) &&
             plait_h5_write_table(h, MEMBER("twist"), info->nodes, 1, doubles, f->twist);
    return ok && (!info->stored.contacts || write_contacts(h, k, doubles, f));
#undef MEMBER
}

// ---- the writer --------------------------------------------------------------------------------------------------

plait_trajectory_writer *plait_trajectory_create(const char *path, const plait_trajectory_info *info,
                                                 plait_error *error)
{
    plait_trajectory_writer *w = calloc(1, sizeof *w);
    if (!w) {
        plait_journal_trouble(path, "written", ENOMEM, error);
        return NULL;
    }
    w->journal.file = w->journal.log = -1;
    if (plait_h5_write_whole(path, write_info, info, error) && plait_journal_begin(&w->journal, path, 0, error) &&
        (w->reader = plait_trajectory_open(path, error)))
        return w;
    plait_trajectory_close(w);
    return NULL;
}

plait_trajectory_writer *plait_trajectory_resume(const char *path, int64_t frames, plait_error *error)
{
    plait_trajectory_writer *w = calloc(1, sizeof *w);
    if (!w) {
        plait_journal_trouble(path, "written", ENOMEM, error);
        return NULL;
    }
    w->journal.file = w->journal.log = -1;
    int64_t mark = frames;
    bool ok = plait_journal_recover(&w->journal, path, &mark, error) &&
              (w->reader = plait_trajectory_open(path, error)) != NULL;
    if (ok) {
        w->frames = plait_trajectory_frames(w->reader);
        int64_t wanted = frames >= 0 ? frames : mark >= 0 ? mark : w->frames;
        if (w->frames != wanted) {
            plait_error_set(error, PLAIT_BAD_FILE, "%s: expected %lld frames, found %lld and no way back", path,
                            (long long)wanted, (long long)w->frames);
            ok = false;
        }
    }
    if (ok && mark < 0) // there was no journal
        ok = plait_journal_forget(&w->journal, w->frames, error);
    if (ok)
        return w;
    plait_trajectory_close(w);
    return NULL;
}

// What HDF5 wrote becomes part of the file if it was all written, else nothing of it.
static plait_status end_writing(plait_trajectory_writer *writer, plait_h5 *h, bool ok, int64_t frames,
                                plait_error *error)
{
    ok = plait_h5_close(h) && ok;
    if (!ok)
        plait_journal_drop(&writer->journal);
    else if (plait_journal_commit(&writer->journal, frames, error)) {
        writer->frames = frames;
        return PLAIT_OK;
    }
    return error->status;
}

static bool begin_writing(plait_trajectory_writer *writer, plait_h5 *h, plait_error *error)
{
    plait_journal *j = &writer->journal;
    if (plait_h5_open_with(h, j->path, j->path, false, plait_journal_access, j, error))
        return true;
    plait_journal_drop(j);
    return false;
}

plait_status plait_trajectory_append(plait_trajectory_writer *writer, const plait_trajectory_frame *frame,
                                     plait_error *error)
{
    plait_error own = {0}; // so that the status is known even if the caller wants no words
    error = error ? error : &own;
    plait_h5 h;
    if (!begin_writing(writer, &h, error))
        return error->status;
    bool ok = write_frame(&h, writer->frames, plait_trajectory_get_info(writer->reader), frame);
    return end_writing(writer, &h, ok, writer->frames + 1, error);
}

plait_status plait_trajectory_set_scene(plait_trajectory_writer *writer, const char *text, plait_error *error)
{
    plait_error own = {0};
    error = error ? error : &own;
    plait_h5 h;
    if (strcmp(plait_trajectory_get_info(writer->reader)->scene, text) == 0)
        return PLAIT_OK;
    if (!begin_writing(writer, &h, error))
        return error->status;
    bool ok =
        H5Ldelete(h.file, "/scene/text", H5P_DEFAULT) >= 0 || plait_h5_fail(&h, "/scene/text", "cannot be replaced");
    ok = ok && plait_h5_write_text(&h, "/scene/text", text);
    return end_writing(writer, &h, ok, writer->frames, error);
}

int64_t plait_trajectory_written(const plait_trajectory_writer *writer)
{
    return writer->frames;
}

plait_status plait_trajectory_sync(plait_trajectory_writer *writer, plait_error *error)
{
    plait_error own = {0};
    error = error ? error : &own;
    return plait_journal_sync(&writer->journal, error) ? PLAIT_OK : error->status;
}

plait_status plait_trajectory_keep(plait_trajectory_writer *writer, plait_error *error)
{
    plait_error own = {0};
    error = error ? error : &own;
    return plait_journal_forget(&writer->journal, writer->frames, error) ? PLAIT_OK : error->status;
}

void plait_trajectory_close(plait_trajectory_writer *writer)
{
    if (!writer)
        return;
    plait_journal_close(&writer->journal);
    plait_trajectory_free(writer->reader);
    free(writer);
}
