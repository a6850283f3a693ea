// checkpoint.c: where a run stands, as one HDF5 file that appears whole or not at all.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/trajectory_h5.h"
#include "io/trajectory_journal.h"
#include "io/unpack.h"
#include "plait/trajectory.h"
#include "plait/version.h"

static const char format[] = "plait checkpoint 2"; // 2: the state is one block (src/sim/sim.h)
static const char earlier[] = "plait checkpoint 1";

extern char *openblas_get_corename(void) __attribute__((weak));

#define TEXT_OF(x) #x
#define TEXT(x) TEXT_OF(x)
#ifdef __clang__
#define COMPILER "clang " TEXT(__clang_major__)
#else
#define COMPILER "gcc " TEXT(__GNUC__)
#endif

const char *plait_checkpoint_machine(void)
{
    static _Thread_local char text[128];
    snprintf(text, sizeof text, "BLAS kernels %s, %s", openblas_get_corename ? openblas_get_corename() : "not known",
             COMPILER);
    return text;
}

void plait_checkpoint_free(plait_checkpoint *checkpoint)
{
    if (!checkpoint)
        return;
    free(checkpoint->scene), free(checkpoint->state), free(checkpoint);
}

static bool write_numbers(plait_h5 *h, const void *data)
{
    const plait_checkpoint *c = data;
    return plait_h5_write_group(h, "/plait") && plait_h5_write_text(h, "/plait/format", format) &&
           plait_h5_write_text(h, "/plait/version", plait_version()) &&
           plait_h5_write_text(h, "/plait/machine", plait_checkpoint_machine()) &&
           plait_h5_write_text(h, "/scene", c->scene ? c->scene : "") && plait_h5_write_long(h, "/step", c->step) &&
           plait_h5_write_table(h, "/time", 1, 1, true, &c->time) &&
           plait_h5_write_table(h, "/seconds", 1, 1, true, &c->seconds) &&
           plait_h5_write_table(h, "/frame_time", 1, 1, true, &c->frame_time) &&
           plait_h5_write_table(h, "/start", 1, 1, true, &c->start) &&
           plait_h5_write_long(h, "/next_frame", c->next_frame) && plait_h5_write_long(h, "/frames", c->frames) &&
           plait_h5_write_long(h, "/stats_size", c->stats_size) && plait_h5_write_long(h, "/log_size", c->log_size) &&
           plait_h5_write_table(h, "/state", c->size, 1, true, c->state);
}

plait_status plait_checkpoint_write(const char *path, const plait_checkpoint *checkpoint, plait_error *error)
{
    plait_error own = {0};
    error = error ? error : &own;
    return plait_h5_write_whole(path, write_numbers, checkpoint, error) ? PLAIT_OK : error->status;
}

// What cannot be true together. Numbers of a run that was never interrupted pass, however large.
static bool check_numbers(plait_h5 *h, const plait_checkpoint *c)
{
    if (c->time < c->start || (c->time > c->start) != (c->step > 0))
        return plait_h5_fail(h, "/time", "expected a time from %g s on that fits step %lld, found %g s", c->start,
                             (long long)c->step, c->time);
    if (c->seconds < 0 || c->frame_time < 0)
        return plait_h5_fail(h, c->seconds < 0 ? "/seconds" : "/frame_time", "expected a time from 0 on, found %g s",
                             c->seconds < 0 ? c->seconds : c->frame_time);
    if (c->frame_time == 0)
        return true;
    double last = (double)(c->next_frame - 1) * c->frame_time, next = (double)c->next_frame * c->frame_time;
    if (c->time < last - 1e-9 * fabs(last) || c->time > next + 1e-9 * fabs(next))
        return plait_h5_fail(h, "/time", "expected a time between the frames at %g and %g s, found %g s", last, next,
                             c->time);
    return true;
}

static bool read_numbers(plait_h5 *h, plait_checkpoint *c)
{
    char found[64];
    plait_h5_read_text(h, "/plait/format", found, sizeof found);
    if (strcmp(found, earlier) == 0)
        return plait_h5_fail(
            h, "/plait/format",
            "expected '%s', found '%s': an earlier version wrote it, whose runs cannot be resumed here", format, found);
    if (strcmp(found, format) != 0)
        return plait_h5_fail(h, "/plait/format", "expected '%s', found '%s'", format, found);
    c->size = -1;
    plait_h5_read_text(h, "/plait/machine", c->machine, sizeof c->machine);
    if (plait_h5_has(h, "/frame_time") && !plait_h5_read_real(h, "/frame_time", &c->frame_time)) // not in older files
        return false;
    if (plait_h5_has(h, "/start") && !plait_h5_read_real(h, "/start", &c->start))
        return false;
    return plait_h5_read_long_text(h, "/scene", &c->scene) && plait_h5_read_long(h, "/step", 0, &c->step) &&
           plait_h5_read_real(h, "/time", &c->time) && plait_h5_read_real(h, "/seconds", &c->seconds) &&
           plait_h5_read_long(h, "/next_frame", -1000000000, &c->next_frame) &&
           plait_h5_read_long(h, "/frames", 0, &c->frames) &&
           plait_h5_read_long(h, "/stats_size", 0, &c->stats_size) &&
           plait_h5_read_long(h, "/log_size", 0, &c->log_size) &&
           plait_h5_read_reals(h, "/state", &c->size, &c->state) && check_numbers(h, c);
}

plait_checkpoint *plait_checkpoint_read(const char *path, plait_error *error)
{
    plait_h5 h;
    if (plait_file_check(path, error) != PLAIT_OK || !plait_h5_open(&h, path, error))
        return NULL;
    plait_checkpoint *c = calloc(1, sizeof *c);
    bool ok = c ? read_numbers(&h, c) : plait_h5_no_memory(&h, "/state");
    plait_h5_close(&h);
    if (ok)
        return c;
    plait_checkpoint_free(c);
    return NULL;
}
