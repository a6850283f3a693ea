// run_loop.c: step after step.
#include <inttypes.h>
#include <math.h>

#include "run.h"

double plait_run_end_time(const plait_output *o)
{
    double wanted = o->start + o->duration, frames = round(wanted / o->frame_time);
    double end = frames * o->frame_time;
    return fabs(end - wanted) < 1e-9 * o->frame_time ? end : wanted;
}

int64_t plait_run_first_frame(const plait_output *o)
{
    return (int64_t)llround(o->start / o->frame_time);
}

// Seconds for which rows of stats.csv may wait in memory; a person may look at them meanwhile.
static const double PATIENCE = 1;

static void note_step(plait_run *run, const plait_sim_report *r)
{
    if (r->rejections > 0 && !r->failed)
        plait_run_note(run, "step %" PRId64 " at %.9g s: %d rejected (%s); done with dt = %.3g s", r->step, r->time,
                       r->rejections, r->reason ? r->reason : "no reason given", r->dt);
    if (plait_cli_wall() - run->flushed > PATIENCE) {
        fflush(run->stats);
        run->flushed = plait_cli_wall();
    }
}

// One step and all that is written about it. False: a file cannot be written, or the step's input is bad.
static bool step(plait_run *run, plait_sim_report *r)
{
    double start = plait_cli_wall(), next = (double)run->next_frame * run->scene->output.frame_time;
    if (plait_sim_step(run->sim, next < run->end ? next : run->end, r, &run->error) != PLAIT_OK)
        return false;
    double stepped = plait_cli_wall(), worked = plait_cli_cpu();
    bool ok =
        r->failed || r->stopped || ((plait_sim_time(run->sim) < next || plait_run_add_frame(run)) && plait_run_dump_problem(run, r));
    double now = plait_cli_wall();
    r->seconds[PLAIT_STAGE_OBSERVE] += now - stepped;
    r->cpu[PLAIT_STAGE_OBSERVE] += plait_cli_cpu() - worked;
    // A failed step is part of the statistics, but not of what a checkpoint knows: it will be tried again.
    if (ok && !r->failed && !r->stopped) {
        plait_run_write_row(run->stats, r, now - start);
        plait_run_write_series(run, r);
        note_step(run, r);
    }
    return ok;
}

bool plait_run_settle(plait_run *run)
{
    double done = 0, fastest = 0, wanted = run->scene->stepping.settle;
    if (plait_sim_settle(run->sim, wanted, &done, &fastest, &run->error) != PLAIT_OK)
        return false;
    if (done < wanted && !plait_cli_interrupted())
        plait_cli_message("warning: step.settle: a step failed after %s of %s s; it starts from there",
                          plait_cli_number(done), plait_cli_number(wanted));
    else
        plait_cli_message("settled for %s s: nothing moves faster than %s mm/s", plait_cli_number(done),
                          plait_cli_number(1e3 * fastest));
    return !plait_cli_interrupted();
}

static plait_run_end end_in_trouble(plait_run *run)
{
    plait_run_note(run, "ends at %.9g s: %s", plait_sim_time(run->sim), run->error.text);
    return PLAIT_RUN_TROUBLE;
}

plait_run_end plait_run_steps(plait_run *run, plait_sim_report *last)
{
    run->progress = plait_run_progress_start(run->scene->name, plait_sim_time(run->sim), run->end, &run->scene->output);
    plait_run_end end = PLAIT_RUN_FINISHED;
    bool ok = true;
    while (ok && end == PLAIT_RUN_FINISHED && plait_sim_time(run->sim) < run->end) {
        ok = step(run, last);
        if (!ok)
            break;
        if (last->failed)
            end = PLAIT_RUN_FAILED;
        else if (last->stopped || plait_cli_interrupted())
            end = PLAIT_RUN_STOPPED;
        else if (plait_cli_wall() - run->checkpointed >= run->scene->output.checkpoint)
            ok = plait_run_checkpoint(run);
        plait_run_progress_show(&run->progress, last);
    }
    plait_cli_progress_clear(&run->progress.line);
    if (!ok)
        return end_in_trouble(run);
    static const char *const words[] = {"finished", "stopped by a signal", "a step failed"};
    plait_run_note(run, "%s at step %" PRId64 ", %.9g s; %.1f s of wall clock", words[end], plait_sim_steps(run->sim),
                   plait_sim_time(run->sim), plait_run_seconds(run));
    if (end == PLAIT_RUN_FAILED)
        plait_run_note(run, "step %" PRId64 ": %d rejected, the last one because: %s", plait_sim_steps(run->sim) + 1,
                       last->rejections, last->reason ? last->reason : "no reason given");
    ok = plait_run_checkpoint(run) && (end != PLAIT_RUN_FAILED || plait_run_write_failure(run, last));
    if (ok && end == PLAIT_RUN_FAILED)
        plait_run_write_row(run->stats, last, 0);
    return ok ? end : end_in_trouble(run);
}
