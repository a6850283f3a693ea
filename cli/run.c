// run.c: `plait run`: a scene becomes a trajectory.
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "run.h"

typedef struct run_options {
    const char *output, *duration, *set;
    int threads, dump_every; // dump_every 0: as the scene says
    bool resume, force, json, velocities, doubles, draft, farm;
    int states;       // 0: as the scene says
    const char *from; // DIR:FRAME
    int overrides;
    const char **override; // "path=value"
    plait_grooms *grooms;  // strands that were laid for its scene
    int grooms_written;    // of them are in the folder
} run_options;

enum { OWN_OVERRIDES = 12 }; // room for what other options than --set change in the scene

// ---- the scene ---------------------------------------------------------------------------------------------------

// A message if there is none.
static plait_scene *load_scene(const char *word, int count, const char *const *overrides)
{
    plait_error error = {0};
    plait_scene *scene = plait_cli_load_scene(word, count, overrides, &error);
    if (!scene)
        plait_cli_message("%s", error.text);
    return scene;
}

// What shapes a run is part of its scene, so that it goes on as it was asked for. The order is always the same: texts are
// compared. duration: as --duration has it, NULL: as the scene says. All point into `text`. Returns how many there are.
static int shape_overrides(bool velocities, bool doubles, int dump_every, const char *duration, int states,
                           char (*text)[96], const char **override)
{
    int count = 0;
    if (velocities)
        snprintf(text[count++], sizeof *text, "output.velocities=true");
    if (doubles)
        snprintf(text[count++], sizeof *text, "output.doubles=true");
    if (dump_every > 0)
        snprintf(text[count++], sizeof *text, "output.dump_problems=%d", dump_every);
    if (duration)
        snprintf(text[count++], sizeof *text, "output.duration=%s", duration);
    if (states > 0)
        snprintf(text[count++], sizeof *text, "output.states=%d", states);
    for (int i = 0; i < count; i++)
        override[i] = text[i];
    return count;
}

// A scene with everything that the options change in it. like: a run whose shape it takes over; may be NULL.
static plait_scene *load_shaped(const char *word, const run_options *o, const plait_output *like, int dump_every,
                                const char *duration)
{
    char text[OWN_OVERRIDES][96];
    int count = shape_overrides(o->velocities || (like && like->velocities), o->doubles || (like && like->doubles),
                                dump_every, duration,
                                o->states > 0 ? o->states
                                : like        ? like->states
                                              : 0,
                                text, o->override + o->overrides);
    if (o->draft) {
        plait_scene *fine = load_scene(word, o->overrides + count, o->override);
        if (!fine)
            return NULL;
        count += plait_run_draft(fine, o->overrides, o->override, text + count, o->override + o->overrides + count);
        plait_scene_free(fine);
    }
    return load_scene(word, o->overrides + count, o->override);
}

static bool same_text(const plait_scene *a, const plait_scene *b)
{
    return a && b && strcmp(a->text ? a->text : "", b->text ? b->text : "") == 0;
}

// The scene of a run that is there, as it was written down. One that is named besides must be the same, but may take
// longer and write other problems.
static plait_scene *resume_scene(const char *word, const char *folder, const run_options *o)
{
    char *path = plait_run_path(folder, "scene.yaml");
    if (!word) {
        plait_scene *scene = load_shaped(path, o, NULL, o->dump_every, o->duration);
        free(path);
        return scene;
    }
    plait_scene *begun = load_scene(path, 0, NULL), *named = NULL, *there = NULL, *like = NULL;
    if (begun) {
        const plait_output *is = &begun->output;
        named = load_shaped(word, o, is, o->dump_every > 0 ? o->dump_every : is->dump_problems, o->duration);
        if (named) {
            char duration[64], set[96];
            const char *only[] = {set};
            snprintf(duration, sizeof duration, "%.17g", named->output.duration);
            snprintf(set, sizeof set, "output.duration=%s", duration);
            like = load_shaped(word, o, is, is->dump_problems, duration);
            there = load_scene(path, 1, only);
        }
        if (like && there && !same_text(like, there))
            plait_cli_message(
                "%s is not the scene that %s was begun with; 'plait run --resume -o %s' goes on with that "
                "one",
                word, folder, folder);
    }
    free(path);
    bool ok = same_text(like, there);
    plait_scene_free(begun);
    plait_scene_free(there);
    plait_scene_free(like);
    if (ok)
        return named;
    plait_scene_free(named);
    return NULL;
}

// runs/NAME; the caller frees it.
static char *default_folder(const char *name)
{
    size_t size = strlen(name) + 8;
    char *folder = plait_cli_alloc(size, 1);
    snprintf(folder, size, "runs/%s", *name ? name : "scene");
    for (char *c = folder + 5; *c; c++)
        if (*c == '/')
            *c = '-';
    return folder;
}

// ---- what is said at the end -------------------------------------------------------------------------------------

static int exit_code(plait_run_end end)
{
    switch (end) {
    case PLAIT_RUN_FINISHED:
        return PLAIT_EXIT_OK;
    case PLAIT_RUN_FAILED:
        return PLAIT_EXIT_NO;
    case PLAIT_RUN_STOPPED:
        return plait_cli_interrupt_exit();
    default:
        return PLAIT_EXIT_BAD;
    }
}

static void print_json(const plait_run *run, plait_run_end end, const plait_sim_report *last,
                       const plait_run_summary *summary)
{
    static const char *const words[] = {"finished", "stopped", "failed", "trouble"};
    plait_json json;
    plait_json_start(&json);
    plait_json_string(&json, "scene", run->scene->name);
    plait_json_string(&json, "folder", run->folder);
    plait_json_string(&json, "version", plait_version());
    plait_json_string(&json, "end", words[end]);
    plait_json_string(&json, "reason", end == PLAIT_RUN_FAILED ? last->reason : NULL);
    plait_json_int(&json, "fibres", run->info->fibres);
    plait_json_int(&json, "nodes", run->info->nodes);
    plait_json_real(&json, "time", plait_sim_time(run->sim));
    plait_json_real(&json, "duration", run->end - run->scene->output.start);
    plait_json_int(&json, "frames", plait_trajectory_written(run->trajectory));
    plait_json_real(&json, "seconds", plait_run_seconds(run));
    plait_run_summary_json(&json, summary);
    plait_json_end(&json, '}');
}

static void print_words(const plait_run *run, const plait_run_summary *s)
{
    printf("%s: %s s simulated in %s: %s frames, %s steps, %s contacts at most, residual up to %s\n", run->folder,
           plait_cli_number(plait_sim_time(run->sim) - plait_sim_start(run->sim)), plait_cli_seconds(plait_run_seconds(run)),
           plait_cli_count(plait_trajectory_written(run->trajectory)), plait_cli_count(s->steps),
           plait_cli_count(s->contacts_max), plait_cli_residual(s->residual_max));
}

static int finish(plait_run *run, plait_run_end end, const plait_sim_report *last, const run_options *o)
{
    int code = exit_code(end);
    if (end == PLAIT_RUN_TROUBLE)
        plait_cli_message("%s", run->error.text);
    plait_run_summary summary;
    char *path = plait_run_path(run->folder, "stats.csv");
    fflush(run->stats);
    bool known = plait_run_summarise(path, &summary, NULL);
    free(path);
    if (known && o->json)
        print_json(run, end, last, &summary);
    else if (known)
        print_words(run, &summary);
    if (!plait_cli_flush(stdout, "standard output"))
        code = PLAIT_EXIT_BAD;
    if (end == PLAIT_RUN_FAILED)
        plait_cli_message("step %" PRId64 " failed: %s%s%s; %s/failure/failure.txt says how to see it again",
                          plait_sim_steps(run->sim) + 1, last->reason ? last->reason : "no reason given",
                          run->error.text[0] ? ": " : "", run->error.text, run->folder);
    if (end == PLAIT_RUN_STOPPED)
        plait_cli_message("stopped at %s of %s s; to go on: plait run --resume -o %s",
                          plait_cli_number(plait_sim_time(run->sim)), plait_cli_number(run->end), run->folder);
    return code;
}

// ---- from the words to the run -----------------------------------------------------------------------------------

// Opens the files and runs. checkpoint: NULL for a new run.
// An end that is far from the skin it is bound to is swung about by it: most likely a scale or a place is wrong.
static void warn_of_far_ends(plait_run *run)
{
    const double far = 0.1; // of the fibre's length
    plait_sim_binding worst = {0}, b;
    int count = 0, fibre = 0;
    for (int i = 0; i < run->scene->fibres; i++)
        for (int e = 0; e < 2; e++) {
            if (!plait_sim_end_binding(run->sim, i, e, &b) ||
                b.distance <= far * plait_rod_length(plait_sim_rod(run->sim, i)))
                continue;
            count++;
            if (b.distance > worst.distance)
                worst = b, fibre = i;
        }
    if (count == 0)
        return;
    char text[256];
    snprintf(text, sizeof text,
             "warning: %d bound ends are farther from the surface that carries them than %g of their fibre's length; "
             "fibre %d: %.3g mm from '%s'",
             count, far, fibre, 1e3 * worst.distance, run->scene->collider[worst.collider].name);
    plait_run_note(run, "%s", text);
    plait_cli_message("%s", text);
}

// What 'plait check' would say.
static void warn_of_scene(plait_run *run)
{
    for (int i = 0; i < run->review.warnings; i++) {
        const plait_warning *w = &run->review.warning[i];
        plait_run_note(run, "warning: %s: %s", w->path, w->text);
        plait_cli_message("warning: %s: %s", w->path, w->text);
    }
}

static void forget_grooms(run_options *o)
{
    plait_grooms_use(NULL);
    plait_grooms_free(o->grooms);
    o->grooms = NULL;
}

static int start(plait_run *run, const plait_checkpoint *checkpoint, run_options *o)
{
    if (!plait_run_make_folder(run->folder) || !plait_run_lock(run))
        return PLAIT_EXIT_BAD;
    const char *text = run->scene->text ? run->scene->text : "";
    bool anew = !checkpoint || o->from; // what is in the folder is another run's
    if (anew)
        plait_run_forget(run->folder);
    // What is to be run is known from here on, whenever it is killed.
    if (!plait_run_write_text(run->folder, "scene.yaml", text))
        return PLAIT_EXIT_BAD;
    if (anew)
        plait_run_remove_results(run->folder), o->grooms_written = 0;
    else
        plait_run_remove_failure(run->folder); // that step is tried again now
    bool laid_before = plait_grooms_found(o->grooms) > 0;
    if (plait_grooms_count(o->grooms) > o->grooms_written && !plait_run_write_grooms(run->folder, o->grooms))
        return PLAIT_EXIT_BAD;
    forget_grooms(o); // no scene is read any more
    if (!(checkpoint ? plait_run_continue(run, checkpoint) : plait_run_begin(run)))
        return plait_cli_fail("%s", run->error.text);
    if (checkpoint && checkpoint->scene && strcmp(checkpoint->scene, text) != 0)
        plait_run_note(run, "the scene is not as it was before: see scene.yaml");
    if (checkpoint && laid_before)
        plait_run_note(run, "strands as they were laid at the beginning: grooms.h5");
    if (!checkpoint)
        warn_of_scene(run), warn_of_far_ends(run);
    plait_sim_report last = {0};
    plait_run_end end = plait_run_steps(run, &last);
    return finish(run, end, &last, o);
}

typedef struct building {
    plait_run *run;
    bool review;
    plait_error error;
} building;

// A review builds the scene for itself: before the run does, so that it is there once. What is wrong will show.
static void build(void *data)
{
    building *x = data;
    plait_run *run = x->run;
    if (x->review && plait_scene_review(run->scene, &run->review, NULL) != PLAIT_OK)
        run->review = (plait_review){0};
    run->sim = plait_sim_new(run->scene, &x->error);
}

static void leave_building(void *data)
{
    building *x = data;
    plait_cli_message("stopped while '%s' was built; nothing was written", x->run->scene->name);
}

static int run_scene(plait_scene *scene, const char *folder, const plait_checkpoint *checkpoint, run_options *o)
{
    plait_error error = {0};
    plait_run run = {.folder = folder, .scene = scene, .dump_every = scene->output.dump_problems};
    run.farm = o->farm;
    run.stored = (plait_trajectory_options){scene->output.doubles, scene->output.velocities, scene->output.contacts,
                                            scene->output.frames};
    run.end = plait_run_end_time(&scene->output);
    run.next_frame = plait_run_first_frame(&scene->output);
    scene->stepping.solve.progress = plait_run_progress_solve;
    scene->stepping.solve.progress_data = &run.progress;
    building x = {&run, !checkpoint, {0}};
    plait_cli_patiently(build, leave_building, &x);
    if (!run.sim) {
        plait_review_free(&run.review);
        return plait_cli_fail("%s", x.error.text);
    }
    plait_sim_set_threads(run.sim, o->threads);
    plait_sim_set_stop(run.sim, plait_cli_stop, NULL);
    int code;
    if (checkpoint && plait_sim_set_state(run.sim, checkpoint->state, checkpoint->size, &error) != PLAIT_OK)
        code = plait_cli_fail("%s%s: its state does not fit the scene: %s", o->from ? o->from : folder,
                              o->from ? "" : "/checkpoint.h5", error.text);
    else if (checkpoint &&
             (plait_sim_time(run.sim) != checkpoint->time || plait_sim_steps(run.sim) != checkpoint->step))
        code = plait_cli_fail("%s/checkpoint.h5: expected the state of step %" PRId64 " at %g s, found one of step "
                              "%" PRId64 " at %g s",
                              folder, checkpoint->step, checkpoint->time, plait_sim_steps(run.sim),
                              plait_sim_time(run.sim));
    else if (plait_cli_interrupted()) // nothing was written yet
        code = plait_cli_interrupt_exit();
    else if (!checkpoint && scene->stepping.settle > 0 && !plait_run_settle(&run))
        code = plait_cli_interrupted() ? plait_cli_interrupt_exit() : plait_cli_fail("%s", run.error.text);
    else
        code = start(&run, checkpoint, o);
    if (plait_cli_around.ran && run.log) // a folder that is ours
        plait_cli_around.ran(folder);
    plait_run_close(&run);
    plait_review_free(&run.review);
    plait_sim_free(run.sim);
    return code;
}

static void try_checkpoint(void *path)
{
    plait_checkpoint_free(plait_checkpoint_read(path, NULL));
}

// NULL with a message. A checkpoint is enough to go on from: without a scene.yaml, its own scene becomes that.
static plait_checkpoint *read_checkpoint(const char *folder)
{
    plait_error error = {0};
    char *path = plait_run_path(folder, "checkpoint.h5");
    plait_checkpoint *c = NULL;
    if (!plait_guard_try(path, try_checkpoint, path, &error) || !(c = plait_checkpoint_read(path, &error)))
        plait_cli_message("%s", error.text);
    free(path);
    if (c && c->scene && *c->scene && !plait_run_exists(folder, "scene.yaml") &&
        !plait_run_write_text(folder, "scene.yaml", c->scene)) {
        plait_checkpoint_free(c);
        c = NULL;
    }
    return c;
}

// DIR:FRAME: the folder of the state; the caller frees it. NULL with a message.
static char *state_folder(const char *text, char **run)
{
    const char *colon = strrchr(text, ':');
    char *end = NULL;
    long frame = colon ? strtol(colon + 1, &end, 10) : 0;
    if (!colon || colon == text || end == colon + 1 || *end) {
        plait_cli_fail("--from: DIR:FRAME is expected, found '%s'", text);
        return NULL;
    }
    size_t size = (size_t)(colon - text) + 64;
    char *folder = plait_cli_alloc(size, 1);
    *run = plait_cli_alloc((size_t)(colon - text) + 1, 1);
    memcpy(*run, text, (size_t)(colon - text));
    snprintf(folder, size, "%s/states/%06ld", *run, frame);
    if (plait_run_exists(folder, "checkpoint.h5"))
        return folder;
    plait_cli_fail("--from: %s kept no state at frame %ld: there is no %s/checkpoint.h5 (run it with --states 1)", *run,
                   frame, folder);
    free(folder);
    free(*run);
    return NULL;
}

// A run of its own that begins where another was, with whatever is changed.
static int run_from(const char *word, run_options *o)
{
    char *run = NULL, *state = state_folder(o->from, &run), *text = NULL;
    if (!state)
        return PLAIT_EXIT_BAD;
    plait_guard_begin();
    plait_checkpoint *checkpoint = read_checkpoint(state);
    if (!word)
        word = text = plait_run_path(run, "scene.yaml");
    plait_scene *scene = checkpoint ? load_shaped(word, o, NULL, o->dump_every, o->duration) : NULL;
    int code = PLAIT_EXIT_BAD;
    if (scene && !o->output)
        code = plait_cli_fail("--from: -o DIR is needed: the folder of the new run");
    else if (scene && !o->force && plait_run_is_there(o->output))
        code = plait_cli_fail("%s holds a run already; --resume goes on with it, --force deletes it", o->output);
    else if (scene && plait_cli_same_place(run, o->output))
        code = plait_cli_fail("--from: %s is the run that it begins with: another folder is needed", o->output);
    else if (scene)
        code = run_scene(scene, o->output, checkpoint, o);
    plait_scene_free(scene);
    plait_checkpoint_free(checkpoint);
    free(text);
    free(state);
    free(run);
    return code;
}

static int run_new(const char *word, run_options *o)
{
    if (o->from)
        return run_from(word, o);
    if (!word)
        return plait_cli_fail("run: a scene is needed: a file, or a name out of 'plait list'");
    plait_scene *scene = load_shaped(word, o, NULL, o->dump_every, o->duration);
    if (!scene)
        return PLAIT_EXIT_BAD;
    char *own = o->output ? NULL : default_folder(scene->name);
    const char *folder = o->output ? o->output : own;
    int code;
    if (!o->force && plait_run_is_there(folder))
        code = plait_cli_fail("%s holds a run already; --resume goes on with it, --force deletes it", folder);
    else
        code = run_scene(scene, folder, NULL, o);
    free(own);
    plait_scene_free(scene);
    return code;
}

// What was laid before for this run is not laid again.
static bool use_grooms(const char *folder, run_options *o)
{
    plait_grooms *kept = plait_run_read_grooms(folder);
    if (!kept)
        return false;
    plait_grooms_use(kept);
    plait_grooms_free(o->grooms);
    o->grooms = kept, o->grooms_written = plait_grooms_count(kept);
    return true;
}

// A scene says by itself what it is called, but only once it has been read. Most are called like their file.
static bool guess_grooms(const char *word, run_options *o)
{
    const char *slash = strrchr(word, '/');
    char name[PLAIT_NAME];
    snprintf(name, sizeof name, "%s", slash ? slash + 1 : word);
    name[strcspn(name, ".")] = 0;
    char *folder = default_folder(name);
    bool ok = use_grooms(folder, o);
    free(folder);
    return ok;
}

static int run_again(const char *word, run_options *o)
{
    if (o->force)
        return plait_cli_fail("--resume goes on with a run and --force deletes it: only one of them can be meant");
    if (!word && !o->output)
        return plait_cli_fail("--resume: which run? name its folder (-o DIR) or its scene");
    plait_scene *scene = NULL;
    char *own = NULL;
    if (!o->output) {
        if (!guess_grooms(word, o) || !(scene = load_scene(word, o->overrides, o->override)))
            return PLAIT_EXIT_BAD;
        own = default_folder(scene->name);
    }
    const char *folder = o->output ? o->output : own;
    plait_checkpoint *checkpoint = NULL;
    int code = PLAIT_EXIT_OK;
    plait_scene_free(scene);
    scene = NULL;
    if (!use_grooms(folder, o) ||
        (plait_run_exists(folder, "checkpoint.h5") && !(checkpoint = read_checkpoint(folder))))
        code = PLAIT_EXIT_BAD;
    // Ended before its first checkpoint, or before it had written anything: begun anew.
    if (code == PLAIT_EXIT_OK && plait_run_exists(folder, "scene.yaml"))
        scene = resume_scene(word, folder, o);
    else if (code == PLAIT_EXIT_OK && word && plait_run_is_there(folder))
        scene = load_shaped(word, o, NULL, o->dump_every, o->duration);
    else if (code == PLAIT_EXIT_OK)
        plait_cli_message("%s: there is no run in this folder that could be resumed", folder);
    code = scene ? run_scene(scene, folder, checkpoint, o) : PLAIT_EXIT_BAD;
    plait_checkpoint_free(checkpoint);
    plait_scene_free(scene);
    free(own);
    return code;
}

// ---- the command -------------------------------------------------------------------------------------------------

int plait_cli_run(int argc, char **argv)
{
    run_options o = {0};
    const plait_option options[] = {
        {"--output", 'o', PLAIT_OPTION_TEXT, &o.output, 0, 0, "DIR", "folder of the run (default: runs/NAME)"},
        {"--duration", 'd', PLAIT_OPTION_TEXT, &o.duration, 0, 0, "T",
         "simulated time, with or without a unit (default: as the scene says)"},
        {"--threads", 'j', PLAIT_OPTION_INT, &o.threads, 0, 1024, "N",
         "threads (default 0: as many as OpenMP gives); the result is the same"},
        {"--set", 0, PLAIT_OPTION_TEXT, &o.set, 0, 0, "PATH=VALUE",
         "another value for something in the scene, such as step.dt=2ms; may be given often"},
        {"--resume", 'r', PLAIT_OPTION_FLAG, &o.resume, 0, 0, NULL,
         "go on with a run that was stopped, killed or has failed; SCENE may be left out if DIR is given"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &o.force, 0, 0, NULL, "delete the run that is in DIR first"},
        {"--velocities", 0, PLAIT_OPTION_FLAG, &o.velocities, 0, 0, NULL, "velocities go into the trajectory too"},
        {"--doubles", 0, PLAIT_OPTION_FLAG, &o.doubles, 0, 0, NULL,
         "positions in the trajectory have 8 bytes instead of 4"},
        {"--dump-problems", 0, PLAIT_OPTION_INT, &o.dump_every, 1, 2e9, "EVERY",
         "write the contact problem of every so many steps: DIR/problems/STEP.hdf5"},
        {"--draft", 0, PLAIT_OPTION_FLAG, &o.draft, 0, 0, NULL,
         "a first look: larger steps, looser tolerance, one criterion less (docs/commands/run.md says what that "
         "costs)"},
        {"--states", 0, PLAIT_OPTION_INT, &o.states, 1, 1e9, "EVERY",
         "keep the state at every so many frames in DIR/states, to begin again there"},
        {"--from", 0, PLAIT_OPTION_TEXT, &o.from, 0, 0, "DIR:FRAME",
         "begin with the state that another run kept at this frame; its scene, or SCENE, with what --set changes"},
        {"--farm", 0, PLAIT_OPTION_FLAG, &o.farm, 0, 0, NULL,
         "a line on stdout for every frame, for programs that watch many runs"},
        {"--json", 0, PLAIT_OPTION_FLAG, &o.json, 0, 0, NULL, "a JSON summary on stdout at the end"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "run",
        .usage = "SCENE [options]",
        .summary = "Simulates a scene and writes its trajectory.",
        .details = "SCENE is a YAML file or the name of a scene that is built in ('plait list'). The folder gets "
                   "trajectory.h5 and trajectory.xdmf (ParaView), stats.csv (a row per step), scene.yaml (the scene as "
                   "it was run), run.log, checkpoint.h5 and, if strands had to be laid, grooms.h5.\n\n"
                   "Ctrl-C stops after the present step; --resume goes on, bit for bit as if there had been no stop, "
                   "also after a kill -9. A step that fails at the smallest time step ends the run with exit code 1; "
                   "DIR/failure has what is needed to see it again.",
        .options = options,
        .min_words = 0,
        .max_words = 1,
        .examples = "run knot-small -o runs/knot\ta built-in scene\n"
                    "run my.yaml --set step.dt=2ms --set friction.default=0.5 --duration 3\ta file, changed\n"
                    "run --resume -o runs/knot\tgo on after a stop, bit for bit\n"
                    "run --from runs/shot:24 --set materials.hair.young=1GPa -o runs/soft\tfrom frame 24 on, changed\n"
                    "run pony --dump-problems 50\tkeeps contact problems for 'plait solve'",
    };
    argc = plait_cli_take_overrides(argc, argv, OWN_OVERRIDES, &o.override, &o.overrides);
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words >= 0) {
        plait_cli_catch_interrupt();
        signal(SIGXFSZ, SIG_IGN); // a file that may not grow is told like a full disk
        const char *word = words > 0 ? argv[1] : NULL;
        o.grooms = plait_grooms_new();
        plait_grooms_use(o.grooms);
        code = !o.grooms ? plait_cli_fail("not enough memory") : o.resume ? run_again(word, &o) : run_new(word, &o);
        forget_grooms(&o);
    }
    free(o.override);
    return code;
}
