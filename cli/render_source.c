// render_source.c: what `plait render` draws.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "run.h"

// ---- strands of a .hair file -------------------------------------------------------------------------------------

// A .hair file by its first bytes, .usda and .obj curves by their names; false too if it cannot be read, which opening it
// as a trajectory will explain.
bool plait_source_is_strands(const char *path)
{
    char magic[4] = "";
    FILE *file = plait_cli_is_file(path) ? fopen(path, "rb") : NULL; // a pipe would be waited for
    bool is = file && fread(magic, 1, 4, file) == 4 && memcmp(magic, "HAIR", 4) == 0;
    if (file)
        fclose(file);
    const char *dot = strrchr(path, '.');
    return is || (file && dot && (strcmp(dot, ".usda") == 0 || strcmp(dot, ".obj") == 0));
}

// Files give a thickness in their own unit, or none that means anything; hair is about a thousandth of a head.
static double sane_radius(const plait_hair *hair)
{
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, size = 0;
    for (int i = 0; i < hair->first[hair->strands]; i++)
        for (int k = 0; k < 3; k++) {
            low[k] = fmin(low[k], hair->point[3 * (size_t)i + (size_t)k]);
            high[k] = fmax(high[k], hair->point[3 * (size_t)i + (size_t)k]);
        }
    for (int k = 0; k < 3; k++)
        size = fmax(size, high[k] - low[k]);
    double radius = hair->thickness / 2;
    return radius > 1e-5 * size && radius < 3e-3 * size ? radius : 5e-4 * size;
}

static bool take_hair(plait_source *s, const char *path, plait_hair *hair, plait_error *error)
{
    if (hair->strands < 1)
        return plait_error_set(error, PLAIT_BAD_FILE, "%s: there are no strands in it", path) == PLAIT_OK;
    plait_trajectory_info *info = s->own = plait_cli_alloc(1, sizeof *info);
    size_t fibres = (size_t)hair->strands;
    info->fibres = hair->strands;
    info->nodes = hair->first[hair->strands];
    info->groups = info->materials = 1;
    info->scene = plait_cli_alloc(1, 1);
    info->first = plait_cli_alloc(fibres + 1, sizeof *info->first);
    info->radius = plait_cli_alloc(fibres, sizeof *info->radius);
    info->group = plait_cli_alloc(fibres, sizeof *info->group);
    info->material = plait_cli_alloc(fibres, sizeof *info->material);
    info->group_name = plait_cli_alloc(1, sizeof *info->group_name);
    info->material_name = plait_cli_alloc(1, sizeof *info->material_name);
    snprintf(info->material_name[0], PLAIT_NAME, "hair");
    memcpy(info->first, hair->first, (fibres + 1) * sizeof *info->first);
    double radius = sane_radius(hair);
    for (size_t i = 0; i < fibres; i++)
        info->radius[i] = radius;
    s->info = info;
    s->frames = 1;
    s->frame = plait_trajectory_frame_new(info);
    if (!s->frame)
        return plait_error_set(error, PLAIT_NO_MEMORY, "%s: not enough memory", path) == PLAIT_OK;
    memcpy(s->frame->position, hair->point, 3 * (size_t)info->nodes * sizeof *hair->point);
    return true;
}

bool plait_source_open_strands(plait_source *s, const char *path, plait_error *error)
{
    *s = (plait_source){0};
    plait_hair *hair = plait_curves_read(path, error);
    bool ok = hair && take_hair(s, path, hair, error);
    plait_hair_free(hair);
    if (!ok)
        plait_source_close(s);
    return ok;
}

// ---- either ----------------------------------------------------------------------------------------------------------

static bool open_trajectory(plait_source *s, const char *path)
{
    plait_error error = {0};
    plait_guard_reading(path); // to the end: frames are read between pictures
    s->trajectory = plait_trajectory_open(path, &error);
    if (!s->trajectory) {
        plait_cli_fail("%s", error.text);
        return false;
    }
    s->info = plait_trajectory_get_info(s->trajectory);
    s->frames = plait_trajectory_frames(s->trajectory);
    s->frame = plait_trajectory_frame_new(s->info);
    if (!s->frame || s->frames < 1) {
        plait_cli_fail("%s: %s", path, s->frame ? "there are no frames in it yet" : "not enough memory");
        return false;
    }
    return true;
}

// From now on with all strands, if that is wanted.
static bool dress(plait_source *s, const char *path, const plait_strands_choice *choice)
{
    if (!plait_strands_open(choice, s->trajectory, path, &s->carry))
        return false;
    if (!s->carry)
        return true;
    plait_trajectory_frame_free(s->frame, s->info);
    s->info = plait_carry_info(s->carry);
    s->frame = plait_trajectory_frame_new(s->info);
    if (!s->frame)
        plait_cli_fail("%s: not enough memory", path);
    return s->frame != NULL;
}

bool plait_source_open(plait_source *s, const char *path, const plait_strands_choice *choice)
{
    *s = (plait_source){0};
    bool ok;
    if (plait_cli_is_folder(path)) {
        char *file = plait_run_path(path, "trajectory.h5");
        ok = plait_run_exists(path, "trajectory.h5") ? open_trajectory(s, file) : false;
        if (!s->trajectory && !plait_run_exists(path, "trajectory.h5"))
            plait_cli_fail("%s: no run's folder: expected a trajectory.h5 in it (plait run)", path);
        free(file);
    } else if (plait_source_is_strands(path)) {
        plait_error error = {0};
        ok = plait_source_open_strands(s, path, &error);
        if (!ok)
            plait_cli_fail("%s", error.text);
    } else {
        ok = open_trajectory(s, path);
    }
    if (ok && s->trajectory)
        ok = dress(s, path, choice);
    if (!ok)
        plait_source_close(s);
    return ok;
}

bool plait_source_read_to(plait_source *s, int i, plait_trajectory_frame *frame)
{
    plait_error error = {0};
    if (!s->trajectory)
        return true;
    plait_status status = s->carry ? plait_carry_read(s->carry, i, frame, &error)
                                   : plait_trajectory_read(s->trajectory, i, frame, &error);
    if (status == PLAIT_OK)
        return true;
    plait_cli_fail("%s", error.text);
    return false;
}

bool plait_source_read(plait_source *s, int i)
{
    return plait_source_read_to(s, i, s->frame);
}

double plait_source_time(const plait_source *s, int i)
{
    return s->trajectory ? plait_trajectory_times(s->trajectory)[i] : 0;
}

void plait_source_close(plait_source *s)
{
    if (s->frame)
        plait_trajectory_frame_free(s->frame, s->info);
    plait_carry_free(s->carry);
    plait_trajectory_free(s->trajectory);
    plait_trajectory_info_free(s->own);
    *s = (plait_source){0};
}
