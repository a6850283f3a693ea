// view_record.c: a live simulation written down as a run: the same files as those of `plait run`, which goes on with it.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run.h"
#include "view.h"

struct plait_live_record {
    plait_run run;
    char *folder;
};

// FOLDER, or FOLDER-2 ... if there is a run already. The caller frees it.
static char *free_folder(const char *wanted)
{
    size_t size = strlen(wanted) + 16;
    char *folder = plait_cli_alloc(size, 1);
    snprintf(folder, size, "%s", wanted);
    for (int i = 2; i < 1000 && plait_run_is_there(folder); i++)
        snprintf(folder, size, "%s-%d", wanted, i);
    return folder;
}

plait_live_record *plait_live_record_start(const char *wanted, plait_scene *scene, plait_sim *sim, plait_error *error)
{
    plait_live_record *r = plait_cli_alloc(1, sizeof *r);
    r->folder = free_folder(wanted);
    plait_run *run = &r->run;
    *run = (plait_run){.folder = r->folder, .scene = scene, .sim = sim};
    run->stored = (plait_trajectory_options){scene->output.doubles, scene->output.velocities, scene->output.contacts,
                                             scene->output.frames};
    run->end = plait_run_end_time(&scene->output);
    run->next_frame = plait_run_first_frame(&scene->output);
    bool ok = !plait_run_is_there(r->folder) && plait_run_make_folder(r->folder) && plait_run_lock(run) &&
              plait_run_write_text(r->folder, "scene.yaml", scene->text ? scene->text : "");
    if (!ok)
        plait_error_set(error, PLAIT_BAD_FILE, "%s: nothing can be recorded there", r->folder);
    if (ok && !plait_run_begin(run)) {
        ok = false;
        *error = run->error;
    }
    if (ok)
        plait_run_note(run, "recorded from a live simulation");
    if (!ok) {
        plait_run_close(run);
        free(r->folder);
        free(r);
        return NULL;
    }
    return r;
}

const char *plait_live_record_folder(const plait_live_record *r)
{
    return r->folder;
}

double plait_live_record_until(const plait_live_record *r)
{
    return (double)r->run.next_frame * r->run.scene->output.frame_time;
}

bool plait_live_record_step(plait_live_record *r, const plait_sim_report *report, double seconds, plait_error *error)
{
    plait_run *run = &r->run;
    bool ok = plait_sim_time(run->sim) < plait_live_record_until(r) || plait_run_add_frame(run);
    if (ok)
        plait_run_write_row(run->stats, report, seconds);
    else
        *error = run->error;
    return ok;
}

bool plait_live_record_end(plait_live_record *r, plait_error *error)
{
    plait_run *run = &r->run;
    plait_run_note(run, "the recording ends at step %" PRId64 ", %.9g s", plait_sim_steps(run->sim),
                   plait_sim_time(run->sim));
    bool ok = plait_run_checkpoint(run);
    if (!ok)
        *error = run->error;
    plait_run_close(run);
    free(r->folder);
    free(r);
    return ok;
}
