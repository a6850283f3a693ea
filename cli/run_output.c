// run_output.c: the files of a run while it goes on.
#define _DEFAULT_SOURCE // flock
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "run.h"

static bool trouble(plait_run *run, const char *name, int number)
{
    plait_error_set(&run->error, PLAIT_BAD_FILE, "%s/%s: cannot be written: %s", run->folder, name,
                    number ? strerror(number) : "unknown reason");
    return false;
}

double plait_run_seconds(const plait_run *run)
{
    return run->seconds_before + plait_cli_wall() - run->started;
}

// ---- the log -----------------------------------------------------------------------------------------------------

void plait_run_note(plait_run *run, const char *format, ...)
{
    char when[32];
    time_t now = time(NULL);
    struct tm parts;
    strftime(when, sizeof when, "%Y-%m-%d %H:%M:%S", localtime_r(&now, &parts));
    fprintf(run->log, "%s  ", when);
    va_list args;
    va_start(args, format);
    vfprintf(run->log, format, args);
    va_end(args);
    fputc('\n', run->log);
    fflush(run->log);
}

// The log is there before and after all else, so that its lock is that of the folder. A killed process holds no lock.
bool plait_run_lock(plait_run *run)
{
    char *path = plait_run_path(run->folder, "run.log");
    int file = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    bool ok = file >= 0;
    if (!ok)
        plait_cli_message("%s: cannot be written: %s", path, strerror(errno));
    if (ok && flock(file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        plait_cli_message("%s: another plait is running in this folder", run->folder);
        ok = false;
    }
    if (ok)
        run->log = fdopen(file, "r+");
    else if (file >= 0)
        close(file);
    free(path);
    ok = ok && run->log;
    if (ok)
        plait_run_remove_halves(run->folder);
    return ok;
}

static int64_t ftello_end(FILE *file)
{
    return fseeko(file, 0, SEEK_END) == 0 ? (int64_t)ftello(file) : 0;
}

// Cuts an open file where a checkpoint says, and goes to its end.
static bool cut(plait_run *run, FILE *file, const char *name, int64_t size)
{
    if (fseeko(file, 0, SEEK_END) != 0)
        return trouble(run, name, errno);
    if (ftello(file) < (off_t)size) {
        plait_error_set(&run->error, PLAIT_BAD_FILE, "%s/%s: expected at least %" PRId64 " bytes, found %lld",
                        run->folder, name, size, (long long)ftello(file));
        return false;
    }
    if (ftruncate(fileno(file), (off_t)size) != 0 || fseeko(file, (off_t)size, SEEK_SET) != 0)
        return trouble(run, name, errno);
    return true;
}

// ---- begin and end -----------------------------------------------------------------------------------------------

static bool open_stats(plait_run *run, int64_t size)
{
    char *path = plait_run_path(run->folder, "stats.csv");
    run->stats = fopen(path, size > 0 ? "r+" : "w");
    free(path);
    if (!run->stats)
        return trouble(run, "stats.csv", errno);
    if (size > 0)
        return cut(run, run->stats, "stats.csv", size);
    plait_run_write_header(run->stats);
    return true;
}

typedef struct resumed {
    const char *path;
    int64_t frames;
} resumed;

// In a child process that may crash. It leaves the file as it should be for doing this again.
static void try_resume(void *data)
{
    const resumed *r = data;
    plait_trajectory_resume(r->path, r->frames, NULL);
}

// What is stored was decided when the run began. More cannot be had now.
static bool take_stored(plait_run *run, const char *path)
{
    plait_trajectory *t = plait_trajectory_open(path, &run->error);
    if (!t)
        return false;
    plait_trajectory_options is = plait_trajectory_get_info(t)->stored, want = run->info->stored;
    plait_trajectory_free(t);
    const char *missing = want.velocities && !is.velocities ? "velocities"
                          : want.doubles && !is.doubles     ? "doubles"
                          : want.contacts && !is.contacts   ? "contacts"
                          : want.frames && !is.frames       ? "frames"
                                                            : NULL;
    if (missing)
        return plait_error_set(&run->error, PLAIT_BAD_INPUT, "%s: was begun without %s, which cannot be added now",
                               path, missing) == PLAIT_OK;
    run->info->stored = is;
    return true;
}

static bool open_trajectory(plait_run *run, int64_t frames)
{
    char *path = plait_run_path(run->folder, "trajectory.h5");
    bool there = access(path, F_OK) == 0;
    if (there && !plait_guard_try(path, try_resume, &(resumed){path, frames}, &run->error)) {
        free(path);
        return false;
    }
    run->info = plait_trajectory_info_new(run->scene, run->sim, &run->stored, &run->error);
    if (run->info) {
        if (frames > 0 || there)
            run->trajectory = plait_trajectory_resume(path, frames, &run->error);
        else
            run->trajectory = plait_trajectory_create(path, run->info, &run->error);
    }
    if (run->trajectory && (frames > 0 || there)) {
        if (!take_stored(run, path) ||
            plait_trajectory_set_scene(run->trajectory, run->info->scene, &run->error) != PLAIT_OK) {
            plait_trajectory_close(run->trajectory);
            run->trajectory = NULL;
        }
    }
    if (run->info && !(run->frame = plait_trajectory_frame_new(run->info)))
        plait_error_set(&run->error, PLAIT_NO_MEMORY, "no memory for a frame of %d nodes", run->info->nodes);
    free(path);
    return run->trajectory && run->frame;
}

bool plait_run_begin(plait_run *run)
{
    run->checkpointed = run->flushed = run->started = plait_cli_wall();
    if (!cut(run, run->log, "run.log", 0))
        return false;
    const plait_scene *s = run->scene;
    plait_run_note(run, "plait %s begins '%s': %d fibres, %d colliders, %d rigid bodies, until %g s", plait_version(),
                   s->name, s->fibres, s->colliders, s->rigids, run->end);
    return open_stats(run, 0) && plait_run_open_series(run, 0) && open_trajectory(run, 0) && plait_run_add_frame(run) && plait_run_checkpoint(run);
}

// The frame to come. If the time between frames was changed, the next multiple of the new one.
static int64_t next_frame(const plait_run *run, const plait_checkpoint *c)
{
    double frame_time = run->scene->output.frame_time;
    if (c->frame_time == 0 || c->frame_time == frame_time)
        return c->next_frame;
    double frames = c->time / frame_time;
    return (int64_t)floor(frames + 1e-9 * fabs(frames)) + 1;
}

bool plait_run_continue(plait_run *run, const plait_checkpoint *checkpoint)
{
    run->checkpointed = run->flushed = run->started = plait_cli_wall();
    run->seconds_before = checkpoint->seconds;
    run->next_frame = next_frame(run, checkpoint);
    // What is not there is begun anew: a checkpoint is enough to go on from.
    bool stats = plait_run_exists(run->folder, "stats.csv"),
         trajectory = plait_run_exists(run->folder, "trajectory.h5");
    bool log = ftello_end(run->log) >= checkpoint->log_size;
    if (!cut(run, run->log, "run.log", log ? checkpoint->log_size : 0))
        return false;
    plait_run_note(run, "plait %s goes on with '%s' at step %" PRId64 ", %.9g s, until %g s", plait_version(),
                   run->scene->name, checkpoint->step, checkpoint->time, run->end);
    const char *here = plait_checkpoint_machine();
    if (checkpoint->machine[0] && strcmp(checkpoint->machine, here) != 0) {
        plait_cli_message("%s: begun with other code (%s; here %s): the last digits may differ from those of one run",
                          run->folder, checkpoint->machine, here);
        plait_run_note(run, "before: %s; now: %s", checkpoint->machine, here);
    }
    if ((!stats && checkpoint->stats_size > 0) || (!trajectory && checkpoint->frames > 0)) {
        const char *what = stats ? "trajectory.h5" : trajectory ? "stats.csv" : "trajectory.h5 and stats.csv";
        plait_cli_message("%s: %s of before %g s not there: begun anew", run->folder, what, checkpoint->time);
        plait_run_note(run, "%s of before not there: begun anew", what);
    }
    return open_stats(run, stats ? checkpoint->stats_size : 0) && plait_run_open_series(run, checkpoint->step) &&
           open_trajectory(run, trajectory ? checkpoint->frames : 0);
}

void plait_run_close(plait_run *run)
{
    if (run->stats)
        fclose(run->stats);
    if (run->series)
        fclose(run->series);
    if (run->log)
        fclose(run->log);
    plait_trajectory_close(run->trajectory);
    plait_trajectory_frame_free(run->frame, run->info);
    plait_trajectory_info_free(run->info);
}

// ---- what goes out -----------------------------------------------------------------------------------------------

static bool write_checkpoint(plait_run *run, const char *folder, bool alone)
{
    plait_checkpoint *c = plait_checkpoint_new(run->sim, &run->error);
    if (!c)
        return false;
    c->seconds = plait_run_seconds(run);
    c->next_frame = run->next_frame;
    c->frame_time = run->scene->output.frame_time;
    c->scene = plait_cli_alloc(strlen(run->scene->text ? run->scene->text : "") + 1, 1);
    strcpy(c->scene, run->scene->text ? run->scene->text : "");
    if (!alone) { // else there are no other files that it would speak of
        c->frames = plait_trajectory_written(run->trajectory);
        c->stats_size = ftello(run->stats);
        c->log_size = ftello(run->log);
    }
    char *path = plait_run_path(folder, "checkpoint.h5");
    bool ok = plait_checkpoint_write(path, c, &run->error) == PLAIT_OK;
    free(path);
    plait_checkpoint_free(c);
    return ok;
}

// A checkpoint that is enough by itself, in a folder of its own.
static bool keep_state(plait_run *run, int64_t frame)
{
    char name[64];
    snprintf(name, sizeof name, "states/%06" PRId64, frame);
    char *folder = plait_run_path(run->folder, name);
    bool ok = (plait_run_make_folder(folder) || trouble(run, "states", errno)) && write_checkpoint(run, folder, true);
    free(folder);
    return ok;
}

bool plait_run_add_frame(plait_run *run)
{
    if (plait_trajectory_frame_take(run->frame, run->info, run->sim, &run->error) != PLAIT_OK ||
        plait_trajectory_append(run->trajectory, run->frame, &run->error) != PLAIT_OK)
        return false;
    int64_t frame = run->next_frame++;
    if (run->farm && run->progress.name)
        plait_run_progress_farm(&run->progress, frame);
    int every = run->scene->output.states;
    return every == 0 || frame % every != 0 || keep_state(run, frame);
}

bool plait_run_dump_problem(plait_run *run, const plait_sim_report *report)
{
    if (run->dump_every == 0 || report->step % run->dump_every != 0 || report->contacts == 0)
        return true;
    const plait_problem *p = plait_sim_problem(run->sim);
    if (!p)
        return true;
    char name[64];
    plait_problem_text text = {0};
    plait_problem *folded = NULL;
    if (p->laws && !(folded = plait_problem_fold_bonds(p, &run->error))) // bonds become springs in M
        return false;
    char *folder = plait_run_path(run->folder, "problems");
    snprintf(name, sizeof name, "%06" PRId64 ".hdf5", report->step);
    snprintf(text.title, sizeof text.title, "%s, step %" PRId64, run->scene->name, report->step);
    snprintf(text.description, sizeof text.description, "written by plait %s run; t = %.9g s, dt = %.9g s%s",
             plait_version(), report->time, report->dt, folded ? "; bonds are springs in M, r is without them" : "");
    char *path = plait_run_path(folder, name);
    bool ok = plait_run_make_folder(folder) || trouble(run, "problems", errno);
    ok = ok && plait_problem_write(path, folded ? folded : p, &text, &run->error) == PLAIT_OK;
    plait_problem_free(folded);
    free(path);
    free(folder);
    return ok;
}

// Everything that was written reaches the disk. Returns the size, -1 on failure.
static int64_t settle(plait_run *run, FILE *file, const char *name)
{
    if (fflush(file) != 0 || ferror(file) || fsync(fileno(file)) != 0) {
        trouble(run, name, errno);
        return -1;
    }
    return ftello(file);
}

bool plait_run_checkpoint(plait_run *run)
{
    char *h5 = plait_run_path(run->folder, "trajectory.h5"), *xdmf = plait_run_path(run->folder, "trajectory.xdmf");
    // First what the checkpoint speaks of, then the checkpoint, and only then is the way back behind it given up.
    bool ok = plait_run_settle_series(run) && settle(run, run->stats, "stats.csv") >= 0 && settle(run, run->log, "run.log") >= 0 &&
              plait_trajectory_sync(run->trajectory, &run->error) == PLAIT_OK &&
              write_checkpoint(run, run->folder, false) &&
              plait_trajectory_keep(run->trajectory, &run->error) == PLAIT_OK &&
              plait_trajectory_write_xdmf(h5, xdmf, &run->error) == PLAIT_OK;
    free(h5);
    free(xdmf);
    run->checkpointed = plait_cli_wall();
    return ok;
}

// ---- failures ----------------------------------------------------------------------------------------------------

// What failed, and how to see it again.
static char *failure_text(const plait_run *run, const plait_sim_report *report, const char *problem)
{
    size_t size = 4096 + 4 * strlen(run->folder) + strlen(problem);
    char *text = plait_cli_alloc(size, 1);
    int n = snprintf(text, size,
                     "Step %" PRId64 " of '%s' failed at %.9g s: %s.\n"
                     "No time step down to %g s worked (attempts: %d).\n\n"
                     "checkpoint.h5  the state before the step\n"
                     "scene.yaml     the scene\n"
                     "problem.hdf5   the contact problem of the last attempt%s%s\n\n",
                     plait_sim_steps(run->sim) + 1, run->scene->name, plait_sim_time(run->sim),
                     report->reason ? report->reason : "unknown reason", run->scene->stepping.dt_min,
                     report->rejections, *problem ? ": not written, " : "", problem);
    if (!*problem)
        n += snprintf(text + n, size - (size_t)n, "Solve the problem alone:      plait solve %s/failure/problem.hdf5\n",
                      run->folder);
    snprintf(text + n, size - (size_t)n,
             "Try the step again here:      plait run --resume -o %s/failure\n"
             "Try it with other settings:   plait run --resume -o %s/failure --set KEY=VALUE\n"
             "Go on with the whole run:     plait run --resume -o %s --set KEY=VALUE\n",
             run->folder, run->folder, run->folder);
    return text;
}

bool plait_run_write_failure(plait_run *run, const plait_sim_report *report)
{
    char *folder = plait_run_path(run->folder, "failure"), *path = plait_run_path(folder, "problem.hdf5");
    const plait_problem *p = plait_sim_problem(run->sim);
    plait_error problem = {0};
    if (!p)
        plait_error_set(&problem, PLAIT_BAD_INPUT, "there was no contact");
    plait_run_remove_failure(run->folder);
    bool ok = plait_run_make_folder(folder) && write_checkpoint(run, folder, true) &&
              plait_run_write_text(folder, "scene.yaml", run->scene->text ? run->scene->text : "");
    plait_grooms *grooms = ok ? plait_run_read_grooms(run->folder) : NULL;
    ok = grooms && plait_run_write_grooms(folder, grooms);
    plait_grooms_free(grooms);
    if (ok && p)
        plait_problem_write(path, p, NULL, &problem); // one that is not finite cannot be; the text says so
    if (ok) {
        char *text = failure_text(run, report, problem.text);
        ok = plait_run_write_text(folder, "failure.txt", text);
        free(text);
    }
    if (!ok && !run->error.text[0])
        trouble(run, "failure", errno);
    free(path);
    free(folder);
    return ok;
}
