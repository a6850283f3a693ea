// A checkpoint with anything in it: refused with words, or its numbers fit together; and a simulation takes its state or
// refuses it with words.
#include <stdint.h>

#include "h5_edit.h"
#include "plait/plait.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"/step",   "/time",       "/seconds",      "/next_frame",   "/frame_time",
                                    "/frames", "/stats_size", "/log_size",     "/state",        "/state",
                                    "/state",  "/scene",      "/plait/format", "/plait/version"};

static plait_sim *sim;
static char good[96], bad[96];

static void clean_up(void)
{
    unlink(good), unlink(bad);
}

// A few steps of something that has contacts.
static void prepare(void)
{
    plait_error error = {0};
    plait_scene *scene = plait_scene_find("spaghetti-7", 0, NULL, &error);
    must(scene && (sim = plait_sim_new(scene, &error)));
    plait_sim_set_threads(sim, 1);
    plait_sim_report report;
    for (int i = 0; i < 40 && (i < 3 || plait_sim_contacts(sim) == 0); i++)
        must(plait_sim_step(sim, plait_sim_time(sim) + scene->stepping.dt, &report, &error) == PLAIT_OK);
    plait_checkpoint *c = plait_checkpoint_new(sim, &error);
    must(c != NULL);
    c->frame_time = c->time, c->next_frame = 1, c->frames = 1;
    c->scene = malloc(8);
    memcpy(c->scene, "name: x", 8);
    must(plait_checkpoint_write(fuzz_path("good.h5", good), c, &error) == PLAIT_OK);
    plait_checkpoint_free(c);
    fuzz_path("bad.h5", bad);
    atexit(clean_up);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!sim)
        prepare();
    recipe r = {data, data + size};
    edit_file(good, bad, (int)(sizeof names / sizeof *names), names, &r);
    plait_error error = {0};
    plait_checkpoint *c = plait_checkpoint_read(bad, &error);
    if (!c) {
        must(error.status != PLAIT_OK && error.text[0]);
        return 0;
    }
    must(c->time >= 0 && isfinite(c->time) && c->step >= 0 && c->next_frame >= 0 && c->frames >= 0);
    must(c->stats_size >= 0 && c->log_size >= 0 && c->size >= 0 && isfinite(c->seconds));
    plait_status status = plait_sim_set_state(sim, c->state, c->size, &error);
    must(status == PLAIT_OK ? plait_sim_time(sim) >= 0 && plait_sim_time(sim) < 1e18 : error.text[0] != 0);
    plait_checkpoint_free(c);
    return 0;
}
