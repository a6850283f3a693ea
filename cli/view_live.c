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

#include "view.h"

static const double frame_seconds = 1.0 / 50; // of wall clock between frames that are shown

typedef struct client {
    bool used, leaving;
    bool wants; // a frame
    bool fresh; // something changed that a frame must show, though the simulation has not moved
    uint64_t seen;
    plait_view_colour colour;
    bool contacts;
} client;

struct plait_live {
    // of the thread
    plait_scene *scene;
    plait_sim *sim;
    plait_live_puller *puller;
    plait_live_tuner *tuner;
    plait_live_tuning tuned; // as the simulation is
    int threads;
    plait_trajectory_info *info;
    plait_trajectory_frame *next; // being filled
    plait_sim_report last;        // of the last step
    double friction;              // [J] dissipated until then
    double *rest, *start;
    int64_t start_size;
    pthread_t thread;
    bool started;
    // shared
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool quit, paused, step, reset;
    plait_live_tuning tuning; // as it should be
    double speed;             // simulated seconds per second, at most
    client client[PLAIT_LIVE_CLIENTS];
    plait_live_grab grab[PLAIT_LIVE_CLIENTS * PLAIT_LIVE_GRABS];
    plait_trajectory_frame *frame; // the newest
    uint64_t serial;               // of the newest frame
    plait_sim_report report;       // of the step that made it
    double dissipated;             // [J] since the start
    double rate;                   // simulated seconds per second, as it is
    char message[640];             // why it stopped; ""
};

// ---- life --------------------------------------------------------------------------------------------------------

plait_live *plait_live_new(plait_scene *scene, int threads, plait_error *error)
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
    live->info = plait_trajectory_info_new(scene, sim, &(plait_trajectory_options){false, true, true}, error);
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

static void start_again(plait_live *live)
{
    plait_error error = {0};
    plait_live_pull(live->puller, live->sim, 0, NULL);
    memset(&live->last, 0, sizeof live->last);
    live->friction = 0;
    bool ok = plait_sim_set_state(live->sim, live->start, live->start_size, &error) == PLAIT_OK;
    pthread_mutex_lock(&live->mutex);
    live->message[0] = 0;
    if (!ok)
        halt(live, error.text);
    pthread_mutex_unlock(&live->mutex);
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
    plait_sim *sim = plait_sim_new(live->scene, &error);
    if (sim)
        plait_sim_set_threads(sim, live->threads);
    bool ok = sim && plait_sim_set_state(sim, state, size, &error) == PLAIT_OK;
    if (ok) {
        plait_sim_free(live->sim);
        plait_live_puller_free(live->puller);
        live->sim = sim;
        live->puller = plait_live_puller_new(live->scene, sim);
        live->tuned = *wanted;
    } else {
        plait_sim_free(sim);
        plait_live_tuner_apply(live->tuner, &live->tuned, live->scene);
    }
    free(state);
    pthread_mutex_lock(&live->mutex);
    if (!ok) {
        live->tuning = live->tuned;
        halt(live, error.text);
    }
    pthread_mutex_unlock(&live->mutex);
}

static bool same_tuning(const plait_live_tuning *a, const plait_live_tuning *b)
{
    return a->friction == b->friction && a->gravity == b->gravity && a->wind == b->wind &&
           a->stiffness == b->stiffness && a->damping == b->damping;
}

// One step; the mutex is not held. Returns whether it was done.
static bool advance(plait_live *live)
{
    plait_live_grab grab[PLAIT_LIVE_CLIENTS * PLAIT_LIVE_GRABS];
    pthread_mutex_lock(&live->mutex);
    memcpy(grab, live->grab, sizeof grab);
    pthread_mutex_unlock(&live->mutex);
    plait_live_pull(live->puller, live->sim, PLAIT_LIVE_CLIENTS * PLAIT_LIVE_GRABS, grab);
    plait_sim_report report = {0};
    plait_error error = {0};
    bool ok = plait_sim_step(live->sim, INFINITY, &report, &error) == PLAIT_OK;
    if (ok && !report.failed) {
        live->last = report;
        live->friction += report.dissipated;
        return true;
    }
    pthread_mutex_lock(&live->mutex);
    halt(live, ok ? report.reason : error.text);
    pthread_mutex_unlock(&live->mutex);
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
        bool reset = live->reset, once = live->step;
        if (!same_tuning(&live->tuning, &live->tuned)) {
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
            start_again(live);
        else
            done = advance(live);
        double now = plait_cli_wall(), time = plait_sim_time(live->sim);
        bool due = reset || once || !done || now - p.shown >= frame_seconds;
        if (due) {
            publish(live);
            p.shown = now;
        }
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
            live->client[i] = (client){.used = true, .wants = true};
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

// Words after the command's name; numbers must be finite.
static bool read_numbers(const char *text, int count, double *value)
{
    for (int i = 0; i < count; i++) {
        char *end;
        value[i] = strtod(text, &end);
        if (end == text || (*end != ' ' && *end != 0) || !isfinite(value[i]))
            return false;
        text = end;
    }
    return *text == 0;
}

// "grab N node x y z", "move N x y z", "drop N": N is one of the client's own hands.
static bool hand_command(plait_live *live, int number, const char *name, const char *rest)
{
    double x[5];
    bool grab = strcmp(name, "grab") == 0, move = strcmp(name, "move") == 0;
    if (!read_numbers(rest, grab ? 5 : move ? 4 : 1, x) || x[0] < 0 || x[0] >= PLAIT_LIVE_GRABS || x[0] != floor(x[0]))
        return false;
    plait_live_grab *g = live->grab + number * PLAIT_LIVE_GRABS + (int)x[0];
    if (grab) {
        if (x[1] < 0 || x[1] >= live->info->nodes || x[1] != floor(x[1]))
            return false;
        *g = (plait_live_grab){true, (int)x[1], {x[2], x[3], x[4]}};
    } else if (move) {
        memcpy(g->target, x + 1, sizeof g->target);
    } else {
        g->held = false;
    }
    return true;
}

// "friction 0.5"
static bool tune_command(plait_live *live, const char *rest)
{
    char name[16];
    double value;
    size_t length = strcspn(rest, " ");
    if (length >= sizeof name || !rest[length] || !read_numbers(rest + length + 1, 1, &value))
        return false;
    memcpy(name, rest, length);
    name[length] = 0;
    return plait_live_tuning_set(&live->tuning, name, value);
}

static void resume(plait_live *live)
{
    live->paused = false;
    live->message[0] = 0;
}

static bool command(plait_live *live, int number, const char *name, const char *rest)
{
    client *c = live->client + number;
    double x;
    bool plain = *rest == 0, handled = true;
    if (strcmp(name, "next") == 0 && plain)
        c->wants = true;
    else if (strcmp(name, "play") == 0 && plain)
        resume(live);
    else if (strcmp(name, "pause") == 0 && plain)
        live->paused = true;
    else if (strcmp(name, "step") == 0 && plain)
        live->step = live->paused = true;
    else if (strcmp(name, "reset") == 0 && plain)
        live->reset = true, memset(live->grab, 0, sizeof live->grab); // now: hands of later orders are to stay
    else if (strcmp(name, "speed") == 0 && read_numbers(rest, 1, &x) && x >= 1e-3 && x <= 1e3)
        live->speed = x;
    else if (strcmp(name, "contacts") == 0 && read_numbers(rest, 1, &x) && (x == 0 || x == 1))
        c->contacts = x == 1;
    else if (strcmp(name, "tune") == 0)
        handled = tune_command(live, rest);
    else if (strcmp(name, "colour") == 0)
        handled = plait_view_colour_find(rest, &c->colour);
    else if (strcmp(name, "grab") == 0 || strcmp(name, "move") == 0 || strcmp(name, "drop") == 0)
        return hand_command(live, number, name, rest);
    else
        handled = false;
    if (handled && strcmp(name, "next") != 0)
        for (int i = 0; i < PLAIT_LIVE_CLIENTS; i++) // all of them see whether it runs
            live->client[i].fresh = true;
    return handled;
}

bool plait_live_command(plait_live *live, int number, const char *text)
{
    char name[16];
    size_t length = strcspn(text, " ");
    if (length >= sizeof name)
        return false;
    memcpy(name, text, length);
    name[length] = 0;
    pthread_mutex_lock(&live->mutex);
    bool ok = command(live, number, name, text[length] ? text + length + 1 : text + length);
    pthread_cond_broadcast(&live->changed);
    pthread_mutex_unlock(&live->mutex);
    return ok;
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
    plait_json_real(&json, "speed", live->speed);
    plait_json_real(&json, "rate", live->rate);
    plait_json_string(&json, "message", live->message);
    plait_json_real(&json, "time", live->frame->time);
    plait_json_int(&json, "step", live->frame->step);
    plait_json_real(&json, "dt", r->dt);
    plait_json_int(&json, "contacts", r->contacts);
    plait_json_real(&json, "residual_rel", r->certificate.residual_rel);
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
    client *c = live->client + number;
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
