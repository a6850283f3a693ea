// view_run.c: frames of a trajectory, one at a time and as they are asked for. The file may still be written.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "render.h"
#include "run.h"
#include "view.h"

struct plait_view_run {
    const char *path;
    pthread_mutex_t mutex;        // guards all of what follows
    plait_trajectory *trajectory; // NULL: strands of a file, one frame
    plait_source strands;
    plait_carry *carry; // strands instead of its fibres; NULL: these
    plait_view_stats *stats;
    plait_trajectory_frame *frame[2]; // the last two that were read; the second for speeds only
    int index[2];                     // which these are, -1: none
    double *rest;
};

static const plait_trajectory_info *info_of(const plait_view_run *run)
{
    return run->carry        ? plait_carry_info(run->carry)
           : run->trajectory ? plait_trajectory_get_info(run->trajectory)
                             : run->strands.info;
}

plait_view_run *plait_view_run_open(const char *path, const plait_strands_choice *choice, plait_error *error)
{
    if (plait_source_is_strands(path)) {
        plait_view_run *run = plait_cli_alloc(1, sizeof *run);
        if (!plait_source_open_strands(&run->strands, path, error)) {
            free(run);
            return NULL;
        }
        run->path = path;
        pthread_mutex_init(&run->mutex, NULL);
        run->stats = plait_view_stats_new("");
        return run;
    }
    bool folder = plait_cli_is_folder(path);
    char *file = folder ? plait_run_path(path, "trajectory.h5") : NULL;
    plait_trajectory *trajectory = plait_trajectory_open(file ? file : path, error);
    free(file);
    if (!trajectory)
        return NULL;
    plait_carry *carry = NULL;
    if (!plait_strands_open(choice, trajectory, path, &carry)) { // it has said why
        plait_trajectory_free(trajectory);
        return NULL;
    }
    plait_view_run *run = plait_cli_alloc(1, sizeof *run);
    run->path = path;
    run->carry = carry;
    pthread_mutex_init(&run->mutex, NULL);
    run->trajectory = trajectory;
    run->index[0] = run->index[1] = -1;
    size_t size = strlen(path) + 16;
    char *stats = plait_cli_alloc(size, 1);
    if (folder)
        snprintf(stats, size, "%s/stats.csv", path);
    else // beside the trajectory
        snprintf(stats, size, "%.*sstats.csv", (int)(plait_cli_base_name(path) - path), path);
    run->stats = plait_view_stats_new(stats);
    free(stats);
    return run;
}

void plait_view_run_free(plait_view_run *run)
{
    if (!run)
        return;
    const plait_trajectory_info *info = info_of(run);
    for (int i = 0; i < 2; i++)
        if (run->frame[i])
            plait_trajectory_frame_free(run->frame[i], info);
    plait_carry_free(run->carry);
    plait_view_stats_free(run->stats);
    plait_trajectory_free(run->trajectory);
    plait_source_close(&run->strands);
    free(run->rest);
    pthread_mutex_destroy(&run->mutex);
    free(run);
}

const char *plait_view_run_path(const plait_view_run *run)
{
    return run->path;
}

const plait_trajectory_info *plait_view_run_info(const plait_view_run *run)
{
    return info_of(run);
}

// A frame that is always there, of strands: the same arrays are used for all that is asked.
static bool encode_strands(plait_view_run *run, int i, plait_view_colour colour, plait_view_bytes *bytes,
                           plait_error *error)
{
    if (i != 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "there is no frame %d, there is 1", i) == PLAIT_OK;
    if (!run->rest)
        run->rest = plait_view_rest_lengths(run->strands.info, run->strands.frame->position);
    plait_view_shot shot = {run->strands.info, run->strands.frame, NULL, run->rest, 0, 0, colour, false};
    plait_view_encode(&shot, bytes);
    return true;
}

bool plait_view_run_times(plait_view_run *run, int from, FILE *file, plait_error *error)
{
    pthread_mutex_lock(&run->mutex);
    static const double start[1];
    bool ok = !run->trajectory || plait_trajectory_refresh(run->trajectory, error) == PLAIT_OK;
    if (ok) {
        int frames = run->trajectory ? plait_trajectory_frames(run->trajectory) : 1;
        const double *time = run->trajectory ? plait_trajectory_times(run->trajectory) : start;
        plait_json json;
        plait_json_open(&json, file);
        plait_json_begin(&json, NULL, '{');
        plait_json_int(&json, "frames", frames);
        plait_json_begin_flat(&json, "times", '[');
        for (int i = from; i < frames; i++)
            plait_json_real(&json, NULL, time[i]);
        plait_json_end(&json, ']');
        plait_json_end(&json, '}');
    }
    pthread_mutex_unlock(&run->mutex);
    return ok;
}

void plait_view_run_stats(plait_view_run *run, FILE *file)
{
    pthread_mutex_lock(&run->mutex);
    plait_view_stats_json(run->stats, file);
    pthread_mutex_unlock(&run->mutex);
}

// ---- frames ------------------------------------------------------------------------------------------------------

// Has frame i in slot 0 or 1.
static bool load(plait_view_run *run, int slot, int i, plait_error *error)
{
    const plait_trajectory_info *info = info_of(run);
    if (run->index[slot] == i)
        return true;
    if (run->index[1 - slot] == i) {
        plait_trajectory_frame *frame = run->frame[0];
        int index = run->index[0];
        run->frame[0] = run->frame[1];
        run->index[0] = run->index[1];
        run->frame[1] = frame;
        run->index[1] = index;
        return true;
    }
    if (!run->frame[slot] && !(run->frame[slot] = plait_trajectory_frame_new(info))) {
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a frame");
        return false;
    }
    run->index[slot] = -1;
    plait_status status = run->carry ? plait_carry_read(run->carry, i, run->frame[slot], error)
                                     : plait_trajectory_read(run->trajectory, i, run->frame[slot], error);
    if (status != PLAIT_OK)
        return false;
    run->index[slot] = i;
    return true;
}

static bool encode(plait_view_run *run, int i, plait_view_colour colour, bool contacts, plait_view_bytes *bytes,
                   plait_error *error)
{
    const plait_trajectory_info *info = info_of(run);
    if (i < 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "there is no frame %d", i) == PLAIT_OK;
    if (i >= plait_trajectory_frames(run->trajectory) && plait_trajectory_refresh(run->trajectory, error) != PLAIT_OK)
        return false;
    int frames = plait_trajectory_frames(run->trajectory);
    if (i >= frames)
        return plait_error_set(error, PLAIT_BAD_INPUT, "there is no frame %d, there are %d", i, frames) == PLAIT_OK;
    if (!run->rest) {
        if (!load(run, 0, 0, error))
            return false;
        run->rest = plait_view_rest_lengths(info, run->frame[0]->position);
    }
    // Without velocities the speed is that between two frames; the other one goes first, since loading may swap them.
    int other = i > 0 ? i - 1 : frames > 1 ? 1 : -1;
    bool two = colour == PLAIT_VIEW_SPEED && !info->stored.velocities && other >= 0;
    if (two && !load(run, 1, other, error))
        return false;
    if (!load(run, 0, i, error))
        return false;
    plait_view_shot shot = {info, run->frame[0], two ? run->frame[1] : NULL, run->rest, i, 0, colour, contacts};
    shot.dt = plait_view_stats_dt(run->stats, run->frame[0]->step);
    plait_view_encode(&shot, bytes);
    return true;
}

bool plait_view_run_frame(plait_view_run *run, int index, plait_view_colour colour, bool contacts,
                          plait_view_bytes *bytes, plait_error *error)
{
    pthread_mutex_lock(&run->mutex);
    bool ok = run->trajectory ? encode(run, index, colour, contacts, bytes, error)
                              : encode_strands(run, index, colour, bytes, error);
    pthread_mutex_unlock(&run->mutex);
    return ok;
}
