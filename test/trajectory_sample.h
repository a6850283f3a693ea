// trajectory_sample.h: a trajectory made up: three fibres, one of them without nodes, colliders, a ball and contacts; how it is
// written, and the comparison of what is read back.
#ifndef PLAIT_TEST_TRAJECTORY_SAMPLE_H
#define PLAIT_TEST_TRAJECTORY_SAMPLE_H

#include "base/rng.h"
#include "check.h"
#include "plait/plait.h"
#include "trajectory_info.h"
#include <fcntl.h>
#include <float.h>
#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *const path = "trajectory.h5", *const undo = "trajectory.h5.undo";

// ---- a trajectory made up ----------------------------------------------------------------------------------------

static int first[] = {0, 3, 3, 8}; // one fibre without nodes: odd, but not forbidden
static double radius[] = {1e-3, 2e-3, 5e-5};
static int group[] = {0, 1, 1}, material[] = {1, 0, 1};
static char group_name[2][PLAIT_NAME] = {"left", "right & <odd>"}, material_name[2][PLAIT_NAME] = {"hair", "steel"};
static double corner[] = {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1};
static int face[] = {0, 1, 2, 0, 2, 3};
static plait_trajectory_body collider[] = {
    {"floor", 1, {.kind = PLAIT_SHAPE_PLANE}, false},
    {"head",
     0,
     {.kind = PLAIT_SHAPE_MESH, .points = 4, .point = corner, .triangles = 2, .triangle = face, .closed = true},
     true},
};
static plait_trajectory_body rigid[] = {{"ball", 1, {.kind = PLAIT_SHAPE_SPHERE, .size = {0.25, 0, 0}}, false}};
static char scene_text[200000]; // longer than HDF5 likes its small texts

static plait_trajectory_info sample_info(bool doubles, bool velocities, bool contacts)
{
    memset(scene_text, 'x', sizeof scene_text - 1);
    plait_trajectory_info info =
        trajectory_of_fibres(3, first, radius, group, material, 2, group_name, 2, material_name);
    strcpy(info.version, "1.2.3");
    info.scene = scene_text;
    info.stored = (plait_trajectory_options){.doubles = doubles, .velocities = velocities, .contacts = contacts};
    info.colliders = 2, info.collider = collider, info.rigids = 1, info.rigid = rigid;
    return info;
}

static void fill(double *x, int count, double from)
{
    for (int i = 0; x && i < count; i++)
        x[i] = from + 0.1 * i;
}

static void fill_frame(plait_trajectory_frame *f, const plait_trajectory_info *info, int k)
{
    f->time = 0.04 * k, f->step = 10 * k;
    fill(f->position, 3 * info->nodes, k);
    fill(f->velocity, info->stored.velocities ? 3 * info->nodes : 0, -k);
    fill(f->collider_pose, 7 * info->colliders, 2 * k);
    fill(f->rigid_pose, 7 * info->rigids, 3 * k);
    fill(f->rigid_motion, info->stored.velocities ? 6 * info->rigids : 0, 4 * k);
    for (int i = 0; i < info->colliders; i++)
        fill(f->vertex[i], 3 * info->collider[i].shape.points, 5 * k);
    if (!info->stored.contacts)
        return;
    f->contacts = k % 3;
    f->contact = realloc(f->contact, 8 * sizeof *f->contact);
    for (int i = 0; i < f->contacts; i++)
        f->contact[i] = (plait_sim_contact){.kind = {PLAIT_PARTNER_FIBRE, (plait_partner_kind)i},
                                            .index = {2, 0},
                                            .arc = {0.1 * k, 0.2},
                                            .position = {1, 2, k},
                                            .normal = {0, 0, 1},
                                            .gap = -0.001 * k,
                                            .impulse = {3, 4, i},
                                            .velocity = {5, 6, i},
                                            .mu = 0.3,
                                            .state = (plait_contact_state)((k + i) % 3)};
}

static plait_trajectory_writer *must_create(const plait_trajectory_info *info)
{
    plait_error error = {0};
    unlink(undo);
    plait_trajectory_writer *w = plait_trajectory_create(path, info, &error);
    if (!CHECK(w != NULL))
        puts(error.text);
    return w;
}

static plait_trajectory *must_open(void)
{
    plait_error error = {0};
    plait_trajectory *t = plait_trajectory_open(path, &error);
    if (!CHECK(t != NULL))
        puts(error.text);
    return t;
}

// Appends frames from the present one to `to`.
static void append_frames(plait_trajectory_writer *w, const plait_trajectory_info *info, int to)
{
    plait_trajectory_frame *f = plait_trajectory_frame_new(info);
    for (int k = (int)plait_trajectory_written(w); k < to; k++) {
        plait_error error = {0};
        fill_frame(f, info, k);
        if (!CHECK_INT(plait_trajectory_append(w, f, &error), PLAIT_OK))
            puts(error.text);
    }
    plait_trajectory_frame_free(f, info);
}

static bool there(const char *name)
{
    return access(name, F_OK) == 0;
}

// The bytes of a file; the caller frees them.
static char *bytes_of(const char *name, size_t *size)
{
    struct stat status;
    *size = 0;
    FILE *file = fopen(name, "rb");
    if (!CHECK(file != NULL && stat(name, &status) == 0))
        return NULL;
    char *byte = malloc((size_t)status.st_size + 1);
    *size = fread(byte, 1, (size_t)status.st_size, file);
    fclose(file);
    return byte;
}

// A trajectory of so many frames that nothing happened to, as the measure.
static char *undisturbed(const plait_trajectory_info *info, int frames, size_t *size)
{
    plait_trajectory_writer *w = must_create(info);
    append_frames(w, info, frames);
    plait_trajectory_close(w);
    unlink(undo);
    return bytes_of(path, size);
}

static void check_reals(const double *a, const double *b, int count, double allowed)
{
    for (int i = 0; i < count; i++)
        CHECK_NEAR(a[i], b[i], allowed);
}

static void check_frame(const plait_trajectory *t, int k, double allowed)
{
    plait_error error = {0};
    const plait_trajectory_info *info = plait_trajectory_get_info(t);
    plait_trajectory_frame *a = plait_trajectory_frame_new(info), *b = plait_trajectory_frame_new(info);
    fill_frame(b, info, k);
    if (!CHECK_INT(plait_trajectory_read(t, k, a, &error), PLAIT_OK))
        puts(error.text);
    CHECK(a->time == b->time);
    CHECK_INT(a->step, b->step);
    check_reals(a->position, b->position, 3 * info->nodes, allowed);
    if (info->stored.velocities) {
        check_reals(a->velocity, b->velocity, 3 * info->nodes, allowed);
        check_reals(a->rigid_motion, b->rigid_motion, 6 * info->rigids, 0);
    }
    check_reals(a->collider_pose, b->collider_pose, 7 * info->colliders, 0);
    check_reals(a->rigid_pose, b->rigid_pose, 7 * info->rigids, 0);
    check_reals(a->vertex[1], b->vertex[1], 12, 10 * allowed);
    CHECK(a->vertex[0] == NULL);
    CHECK_INT(a->contacts, b->contacts);
    for (int i = 0; i < a->contacts && i < b->contacts; i++) {
        const plait_sim_contact *x = a->contact + i, *y = b->contact + i;
        CHECK(memcmp(x->kind, y->kind, sizeof x->kind) == 0 && memcmp(x->index, y->index, sizeof x->index) == 0);
        check_reals(x->arc, y->arc, 2, allowed);
        check_reals(x->position, y->position, 3, allowed);
        check_reals(x->normal, y->normal, 3, 0);
        check_reals(x->impulse, y->impulse, 3, 0);
        check_reals(x->velocity, y->velocity, 3, 0);
        CHECK_NEAR(x->gap, y->gap, allowed);
        CHECK_NEAR(x->mu, y->mu, allowed);
    }
    plait_trajectory_frame_free(a, info);
    plait_trajectory_frame_free(b, info);
}

#endif
