// view_order.c: what pages say to a live simulation, one command at a time (docs/commands/view.md).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view_live.h"

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

// "I x y z": the collider is moved there.
static bool collider_command(plait_live *live, const char *rest)
{
    double x[4];
    if (!read_numbers(rest, 4, x) || x[0] < 0 || x[0] >= live->info->colliders || x[0] != floor(x[0]))
        return false;
    live->target[(int)x[0]] = (plait_live_target){true, {x[1], x[2], x[3]}};
    return true;
}

static bool cut_command(plait_live *live, const char *rest)
{
    double node;
    if (!read_numbers(rest, 1, &node) || node < 0 || node >= live->info->nodes || node != floor(node))
        return false;
    live->cut = (int)node;
    return true;
}

// From the start on, as the scene says: what a run is resumed from knows of nothing else. Hands may pull.
static void record_command(plait_live *live)
{
    bool tuned = !plait_live_same_tuning(&live->tuning, &plait_live_untuned);
    snprintf(live->note, sizeof live->note, "%s", tuned ? "to record, first set the sliders as in the scene" : "");
    if (tuned)
        return;
    live->recording = live->reset = true;
    live->paused = false;
    memset(live->grab, 0, sizeof live->grab);
}

// While a run is recorded only hands act: it must be the scene's.
static bool spoils_record(plait_live *live, const char *name)
{
    bool spoils = strcmp(name, "tune") == 0 || strcmp(name, "collider") == 0 || strcmp(name, "cut") == 0;
    if (spoils && live->recording)
        snprintf(live->note, sizeof live->note, "while a run is recorded, only hands act");
    return spoils && live->recording;
}

static void resume(plait_live *live)
{
    live->paused = false;
    live->message[0] = 0;
}

static bool command(plait_live *live, int number, const char *name, const char *rest)
{
    plait_live_client *c = live->client + number;
    double x;
    bool plain = *rest == 0, handled = true;
    if (spoils_record(live, name))
        c->fresh = true;
    else if (strcmp(name, "next") == 0 && plain)
        c->wants = true;
    else if (strcmp(name, "play") == 0 && plain)
        resume(live);
    else if (strcmp(name, "pause") == 0 && plain)
        live->paused = true;
    else if (strcmp(name, "step") == 0 && plain)
        live->step = live->paused = true;
    else if (strcmp(name, "reset") == 0 && plain)
        live->reset = true, live->recording = false,
        memset(live->grab, 0, sizeof live->grab); // now: hands of later orders are to stay
    else if (strcmp(name, "speed") == 0 && read_numbers(rest, 1, &x) && x >= 1e-3 && x <= 1e3)
        live->speed = x;
    else if (strcmp(name, "contacts") == 0 && read_numbers(rest, 1, &x) && (x == 0 || x == 1))
        c->contacts = x == 1;
    else if (strcmp(name, "record") == 0 && plain)
        record_command(live);
    else if (strcmp(name, "stop") == 0 && plain)
        live->recording = false;
    else if (strcmp(name, "collider") == 0)
        handled = collider_command(live, rest);
    else if (strcmp(name, "cut") == 0)
        handled = cut_command(live, rest);
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
