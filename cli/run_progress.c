// run_progress.c: how a simulation is going: a bar on a terminal, else a line now and then.
#include <math.h>
#include <stdatomic.h>
#include <string.h>

#include "run.h"

enum { BAR = 12 };
static const double BAR_PERIOD = 0.1, LINE_PERIOD = 10, SOLVE_PERIOD = 1; // [s]

plait_run_progress plait_run_progress_start(const char *name, double time, double end, const plait_output *output)
{
    plait_run_progress p = {.line = plait_cli_progress_start(name, false), .name = name, .time = time, .end = end};
    p.frame_time = output->frame_time;
    p.begin = output->start;
    p.first = time;
    p.line.verbose = !p.line.terminal;
    p.started = p.shown = plait_cli_wall();
    return p;
}

void plait_run_progress_show(plait_run_progress *progress, const plait_sim_report *report)
{
    double now = plait_cli_wall(), spent = now - progress->started;
    progress->time = report->time;
    if (now - progress->shown < (progress->line.terminal ? BAR_PERIOD : LINE_PERIOD))
        return;
    progress->shown = now;
    double rate = spent > 0 ? (report->time - progress->first) / spent : 0;
    double left = rate > 0 ? (progress->end - report->time) / rate : INFINITY;
    char bar[BAR + 4] = "";
    if (progress->line.terminal) {
        double all = progress->end - progress->begin, part = all > 0 ? (report->time - progress->begin) / all : 1;
        strcpy(bar, "[------------] ");
        memset(bar + 1, '#', (size_t)(BAR * (part < 0 ? 0 : part > 1 ? 1 : part)));
    }
    char frames[96] = "";
    if (progress->frame_time > 0 && rate > 0)
        snprintf(frames, sizeof frames, "frame %.0f of %.0f, %s per frame", floor(report->time / progress->frame_time),
                 progress->end / progress->frame_time, plait_cli_seconds(progress->frame_time / rate));
    plait_cli_progress_note(&progress->line, "%s %s%s/%s s, %s, %s left, %s contacts, residual %s", progress->name, bar,
                            plait_cli_number(report->time), plait_cli_number(progress->end), frames,
                            plait_cli_seconds(left), plait_cli_count(report->contacts),
                            plait_cli_residual(report->certificate.residual_rel));
}

void plait_run_progress_farm(const plait_run_progress *p, int64_t frame)
{
    double now = frame * p->frame_time, gone = now - p->first, spent = plait_cli_wall() - p->started;
    double each = gone > 0 ? spent * p->frame_time / gone : 0, last = p->end / p->frame_time;
    double all = p->end - p->begin, part = all > 0 ? (now - p->begin) / all : 1;
    printf("plait frame %lld/%.0f %.0f%% %.3f s/frame %.0f s left\n", (long long)frame, last, 100 * part, each,
           each * (last - (double)frame));
    fflush(stdout);
}

bool plait_run_progress_solve(const plait_progress *solve, void *data)
{
    // Groups of contacts are solved side by side; one thread at a time speaks, the others do not wait for it.
    static atomic_flag speaking = ATOMIC_FLAG_INIT;
    plait_run_progress *progress = data;
    if (!progress->name || atomic_flag_test_and_set(&speaking))
        return true;
    double now = plait_cli_wall();
    if (solve->seconds > SOLVE_PERIOD &&
        now - progress->shown > (progress->line.terminal ? SOLVE_PERIOD : LINE_PERIOD)) {
        progress->shown = now;
        plait_cli_progress_note(&progress->line, "%s %s/%s s, in a step: %s, %d iterations, residual %s%s",
                                progress->name, plait_cli_number(progress->time), plait_cli_number(progress->end),
                                solve->solver, solve->iterations, plait_cli_residual(solve->residual_rel),
                                plait_cli_interrupted() ? "; it stops" : "");
    }
    atomic_flag_clear(&speaking);
    return true;
}
