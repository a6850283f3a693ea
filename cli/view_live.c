// view_live.c: a simulation that runs while it is watched: its thread, its clients, and what they ask for.
//
// The thread owns the simulation. Everything it shares with others (orders, grabs, the newest frame and report) is
// behind one mutex; the simulation steps without it. A client that does not ask for frames gets none, so that a slow one
// holds up nobody.
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "view_live.h"

static const double frame_seconds = 1.0 / 50; // of wall clock between frames that are shown

// ---- life --------------------------------------------------------------------------------------------------------

plait_live *plait_live_new(plait_scene *scene, int threads, const char *folder, bool paused, plait_error *error)
{
    plait_sim *sim = plait_sim_new(scene, error);
    if (!sim)
        return NULL;
    plait_sim_set_threads(sim, threads);
    plait_live *live = plait_cli_alloc(1, sizeof *live);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&live->mutex, NULL);
    pthread_cond_init(&live->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    live->scene = scene;
    live->sim = sim;
    live->speed = 1;
    live->threads = threads;
    live->tuned = live->tuning = plait_live_untuned;
    live->tuner = plait_live_tuner_new(scene);
    live->acts = plait_live_acts_new(scene);
    live->target = plait_cli_alloc((size_t)scene->colliders + 1, sizeof *live->target);
    live->folder = folder;
    live->paused = paused;
    live->cut = -1;
    live->info = plait_trajectory_info_new(scene, sim, &(plait_trajectory_options){false, true, true, false}, error);
    live->frame = live->info ? plait_trajectory_frame_new(live->info) : NULL;
    live->next = live->info ? plait_trajectory_frame_new(live->info) : NULL;
    bool ok = live->frame && live->next && plait_trajectory_frame_take(live->frame, live->info, sim, error) == PLAIT_OK;
    if (ok) {
        live->puller = plait_live_puller_new(scene, sim);
        live->rest = plait_view_rest_lengths(live->info, live->frame->position);
        live->start_size = plait_sim_state_size(sim);
        live->start = plait_cli_alloc((size_t)live->start_size, sizeof *live->start);
        plait_sim_get_state(sim, live->start);
        live->serial = 1;
        return live;
    }
    if (live->info && (!live->frame || !live->next))
        plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a frame");
    plait_live_free(live);
    return NULL;
}

void plait_live_free(plait_live *live)
{
    if (!live)
        return;
    plait_live_stop(live);
    if (live->frame)
        plait_trajectory_frame_free(live->frame, live->info);
    if (live->next)
        plait_trajectory_frame_free(live->next, live->info);
    plait_trajectory_info_free(live->info);
    plait_live_puller_free(live->puller);
    plait_live_tuner_free(live->tuner);
    plait_live_acts_free(live->acts);
    free(live->target);
    plait_sim_free(live->sim);
    free(live->rest);
    free(live->start);
    pthread_cond_destroy(&live->changed);
    pthread_mutex_destroy(&live->mutex);
    free(live);
}

const plait_trajectory_info *plait_live_info(const plait_live *live)
{
    return live->info;
}

// ---- the thread --------------------------------------------------------------------------------------------------

// Waits for a change, at most so long. The mutex is held.
static void wait_for(plait_live *live, double seconds)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    double end = (double)t.tv_nsec * 1e-9 + seconds;
    t.tv_sec += (time_t)end;
    t.tv_nsec = (long)((end - floor(end)) * 1e9);
    pthread_cond_timedwait(&live->changed, &live->mutex, &t);
}

// What the simulation is now becomes what is shown. The mutex is not held.
static void publish(plait_live *live)
{
    plait_error error = {0};
    bool ok = plait_trajectory_frame_take(live->next, live->info, live->sim, &error) == PLAIT_OK;
    pthread_mutex_lock(&live->mutex);
    if (ok) {
        plait_trajectory_frame *frame = live->frame;
        live->frame = live->next;
        live->next = frame;
        live->report = live->last;
        live->dissipated = live->friction;
    } else {
        snprintf(live->message, sizeof live->message, "%s", error.text);
        live->paused = true;
    }
    live->serial++;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->mutex);
}

// The simulation stays as it is, and nobody pulls any longer: whoever resumes gets another chance.
static void halt(plait_live *live, const char *reason)
{
    live->paused = true;
    memset(live->grab, 0, sizeof live->grab);
    snprintf(live->message, sizeof live->message, "step %" PRId64 " failed: %s", plait_sim_steps(live->sim) + 1,
             reason ? reason : "no reason given");
}

// A simulation of the scene as it is now takes over with this state; if there is none, the old one stays.
static bool rebuild(plait_live *live, const double *state, int64_t size, plait_error *error)
{
    plait_sim *sim = plait_sim_new(live->scene, error);
    if (sim)
        plait_sim_set_threads(sim, live->threads);
    bool ok = sim && plait_sim_set_state(sim, state, size, error) == PLAIT_OK;
    if (ok) {
        plait_sim_free(live->sim);
        plait_live_puller_free(live->puller);
        live->sim = sim;
        live->puller = plait_live_puller_new(live->scene, sim);
    } else {
        plait_sim_free(sim);
    }
    return ok;
}

static void tell(plait_live *live, const char *text, const char *more)
{
    pthread_mutex_lock(&live->mutex);
    snprintf(live->note, sizeof live->note, "%s%s", text, more);
    pthread_mutex_unlock(&live->mutex);
}

static void end_record(plait_live *live)
{
    plait_error error = {0};
    char text[600];
    if (!live->record)
        return;
    snprintf(text, sizeof text, "recorded: plait run --resume -o %s goes on with it",
             plait_live_record_folder(live->record));
    bool ok = plait_live_record_end(live->record, &error);
    live->record = NULL;
    tell(live, ok ? text : error.text, "");
}

static void start_again(plait_live *live, bool record)
{
    plait_error error = {0};
    end_record(live);
    plait_live_pull(live->puller, live->sim, 0, NULL);
    memset(&live->last, 0, sizeof live->last);
    live->friction = 0;
    bool anew = plait_live_acts_any(live->acts), ok;
    if (anew)
        plait_live_acts_undo(live->acts, live->scene);
    ok = anew ? rebuild(live, live->start, live->start_size, &error)
              : plait_sim_set_state(live->sim, live->start, live->start_size, &error) == PLAIT_OK;
    if (ok && record)
        live->record = plait_live_record_start(live->folder, live->scene, live->sim, &error);
    pthread_mutex_lock(&live->mutex);
    live->message[0] = 0;
    live->recording = live->recording && live->record; // it may have been stopped meanwhile
    memset(live->target, 0, (size_t)live->info->colliders * sizeof *live->target);
    live->cut = -1;
    if (!ok)
        halt(live, error.text);
    pthread_mutex_unlock(&live->mutex);
    publish(live);
    if (ok && record) // told once the start is what is shown
        tell(live, live->record ? "recording to " : error.text,
             live->record ? plait_live_record_folder(live->record) : "");
}

// A simulation of the changed scene takes over; if there is none, all stays as it was. The mutex is not held.
static void tune(plait_live *live, const plait_live_tuning *wanted)
{
    plait_error error = {0};
    plait_live_pull(live->puller, live->sim, 0, NULL);
    int64_t size = plait_sim_state_size(live->sim);
    double *state = plait_cli_alloc((size_t)size, sizeof *state);
    plait_sim_get_state(live->sim, state);
    plait_live_tuner_apply(live->tuner, wanted, live->scene);
    bool ok = rebuild(live, state, size, &error);
    if (ok)
        live->tuned = *wanted;
    else
        plait_live_tuner_apply(live->tuner, &live->tuned, live->scene);
    free(state);
    pthread_mutex_lock(&live->mutex);
    if (!ok) {
        live->tuning = live->tuned;
        halt(live, error.text);
    }
    pthread_mutex_unlock(&live->mutex);
}

// Strands that are cut, colliders that are moved. The mutex is not held.
static void act(plait_live *live, const plait_live_target *target, int cut)
{
    plait_error error = {0};
    plait_live_push(live->acts, live->scene, live->sim, target);
    if (cut >= 0 && !plait_live_cut(live->acts, live->scene, live->sim, cut, &error))
        tell(live, "not cut: ", error.text);
}

// One step; the mutex is not held. Returns whether it was done.
static bool advance(plait_live *live)
{
    plait_live_grab grab[PLAIT_LIVE_CLIENTS * PLAIT_LIVE_GRABS];
    size_t size = (size_t)live->info->colliders * sizeof *live->target;
    plait_live_target *target = plait_cli_alloc(size + 1, 1);
    pthread_mutex_lock(&live->mutex);
    memcpy(grab, live->grab, sizeof grab);
    memcpy(target, live->target, size);
    int cut = live->cut;
    live->cut = -1;
    pthread_mutex_unlock(&live->mutex);
    act(live, target, cut);
    free(target);
    plait_live_pull(live->puller, live->sim, PLAIT_LIVE_CLIENTS * PLAIT_LIVE_GRABS, grab);
    plait_sim_report report = {0};
    plait_error error = {0};
    double began = plait_cli_wall(), until = live->record ? plait_live_record_until(live->record) : INFINITY;
    bool ok = plait_sim_step(live->sim, until, &report, &error) == PLAIT_OK;
    if (ok && !report.failed) {
        live->last = report;
        live->friction += report.dissipated;
        if (!live->record || plait_live_record_step(live->record, &report, plait_cli_wall() - began, &error))
            return true;
        ok = false;
    }
    pthread_mutex_lock(&live->mutex);
    halt(live, ok ? report.reason : error.text);
    live->recording = false;
    pthread_mutex_unlock(&live->mutex);
    end_record(live);
    return false;
}

// Where simulated and real time were equal last, and how fast it went since something was measured.
typedef struct pace {
    double wall, time;
    double since, from;
    double shown;
} pace;

static pace pace_start(const plait_live *live)
{
    double now = plait_cli_wall(), time = plait_sim_time(live->sim);
    return (pace){now, time, now, time, 0};
}

// How long to wait before the next step so as not to be faster than asked for; one that is late is not made up for.
static double pace_ahead(pace *p, double time, double speed)
{
    double now = plait_cli_wall(), ahead = (time - p->time) / speed - (now - p->wall);
    if (ahead < -0.1) {
        p->wall = now;
        p->time = time;
    }
    return fmin(ahead, 0.5);
}

static void *live_thread(void *data)
{
    plait_live *live = data;
    pace p = pace_start(live);
    pthread_mutex_lock(&live->mutex);
    while (!live->quit) {
        bool reset = live->reset, once = live->step, record = live->recording;
        if (live->record && !record && !reset) {
            pthread_mutex_unlock(&live->mutex);
            end_record(live);
            publish(live);
            pthread_mutex_lock(&live->mutex);
            continue;
        }
        if (!plait_live_same_tuning(&live->tuning, &live->tuned)) {
            plait_live_tuning wanted = live->tuning;
            pthread_mutex_unlock(&live->mutex);
            tune(live, &wanted);
            pthread_mutex_lock(&live->mutex);
            continue;
        }
        live->reset = live->step = false;
        if (!reset && !once && live->paused) {
            live->rate = 0;
            pthread_cond_wait(&live->changed, &live->mutex);
            p = pace_start(live);
            continue;
        }
        double wait = reset || once ? 0 : pace_ahead(&p, plait_sim_time(live->sim), live->speed);
        if (wait > 1e-4) {
            live->step = once;
            wait_for(live, wait);
            continue;
        }
        if (!reset)
            live->message[0] = 0;
        pthread_mutex_unlock(&live->mutex);
        bool done = true;
        if (reset)
            start_again(live, record);
        else
            done = advance(live);
        double now = plait_cli_wall(), time = plait_sim_time(live->sim);
        bool due = once || !done || now - p.shown >= frame_seconds;
        if (due && !reset)
            publish(live);
        if (due || reset)
            p.shown = now;
        pthread_mutex_lock(&live->mutex);
        if (reset) {
            p = pace_start(live);
            live->rate = 0;
        } else if (now - p.since > 0.5) {
            live->rate = (time - p.from) / (now - p.since);
            p.since = now;
            p.from = time;
        }
    }
    pthread_mutex_unlock(&live->mutex);
    end_record(live);
    return NULL;
}

bool plait_live_start(plait_live *live)
{
    live->started = pthread_create(&live->thread, NULL, live_thread, live) == 0;
    return live->started;
}

void plait_live_stop(plait_live *live)
{
    pthread_mutex_lock(&live->mutex);
    live->quit = true;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->mutex);
    if (live->started)
        pthread_join(live->thread, NULL);
    live->started = false;
}

// ---- clients -----------------------------------------------------------------------------------------------------

int plait_live_join(plait_live *live)
{
    int number = -1;
    pthread_mutex_lock(&live->mutex);
    for (int i = 0; i < PLAIT_LIVE_CLIENTS && number < 0 && !live->quit; i++)
        if (!live->client[i].used) {
            live->client[i] = (plait_live_client){.used = true, .wants = true};
            number = i;
        }
    pthread_mutex_unlock(&live->mutex);
    return number;
}

void plait_live_dismiss(plait_live *live, int number)
{
    pthread_mutex_lock(&live->mutex);
    live->client[number].leaving = true;
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->mutex);
}

void plait_live_leave(plait_live *live, int number)
{
    pthread_mutex_lock(&live->mutex);
    live->client[number].used = false;
    memset(live->grab + number * PLAIT_LIVE_GRABS, 0, PLAIT_LIVE_GRABS * sizeof *live->grab);
    pthread_mutex_unlock(&live->mutex);
}

static char *state_json(const plait_live *live)
{
    char *text = NULL;
    size_t size = 0;
    FILE *file = open_memstream(&text, &size);
    if (!file)
        return NULL;
    const plait_sim_report *r = &live->report;
    plait_json json;
    plait_json_open(&json, file);
    plait_json_begin_flat(&json, NULL, '{');
    plait_json_bool(&json, "paused", live->paused);
    plait_json_string(&json, "note", live->note);
    plait_json_bool(&json, "recording", live->recording);
    plait_json_real(&json, "speed", live->speed);
    plait_json_real(&json, "rate", live->rate);
    plait_json_string(&json, "message", live->message);
    plait_json_real(&json, "time", live->frame->time);
    plait_json_int(&json, "step", live->frame->step);
    plait_json_real(&json, "dt", r->dt);
    plait_json_int(&json, "contacts", r->contacts);
    plait_json_real(&json, "residual_rel", r->certificate.residual_rel);
    plait_json_int(&json, "sticking", r->sticking);
    plait_json_int(&json, "sliding", r->sliding);
    plait_json_real(&json, "creep", r->creep);
    plait_json_real(&json, "balance", r->balance);
    plait_json_real(&json, "overlap", r->overlap);
    plait_json_int(&json, "iterations", r->iterations);
    plait_json_real(&json, "kinetic", r->kinetic);
    plait_json_real(&json, "elastic", r->elastic);
    plait_json_real(&json, "potential", r->potential);
    plait_json_real(&json, "dissipated", live->dissipated);
    plait_json_real(&json, "friction", live->tuning.friction);
    plait_json_real(&json, "gravity", live->tuning.gravity);
    plait_json_real(&json, "wind", live->tuning.wind);
    plait_json_real(&json, "stiffness", live->tuning.stiffness);
    plait_json_real(&json, "damping", live->tuning.damping);
    for (int i = 0; i < PLAIT_STAGE_COUNT; i++) {
        char name[64];
        snprintf(name, sizeof name, "seconds_%s", plait_stage_name((plait_stage)i));
        plait_json_real(&json, name, r->seconds[i]);
    }
    plait_json_end(&json, '}');
    fclose(file);
    return text;
}

bool plait_live_next(plait_live *live, int number, char **state, plait_view_bytes *bytes)
{
    plait_live_client *c = live->client + number;
    pthread_mutex_lock(&live->mutex);
    while (!live->quit && !c->leaving && !(c->wants && (c->fresh || c->seen != live->serial)))
        pthread_cond_wait(&live->changed, &live->mutex);
    bool on = !live->quit && !c->leaving;
    if (on) {
        c->wants = c->fresh = false;
        c->seen = live->serial;
        plait_view_shot shot = {live->info, live->frame, NULL, live->rest, 0, live->report.dt, c->colour, c->contacts};
        plait_view_encode(&shot, bytes);
        *state = state_json(live);
    }
    pthread_mutex_unlock(&live->mutex);
    return on;
}
