// events.c: ties and joints that are made after the start, when their time has come.
//
// They are made at the beginning of the first step that begins at their time or later, one after the other in the
// order of their times (ties first, then as they stand in the scene). The state counts them: a step that is done
// again, a run that is resumed or begun at a later frame makes each of them once.
#include <math.h>

#include "sim/bonds.h"
#include "sim/joints.h"

// The time of event i: ties, then joints; INFINITY: it belongs to the start.
static double time_of(const plait_scene *s, int i)
{
    double from = i < s->ties ? s->tie[i].from : s->joint[i - s->ties].from;
    return from > s->output.start ? from : INFINITY;
}

// The event that has `done` others before it; -1: there is none.
static int find(const plait_scene *s, int done)
{
    int all = s->ties + s->joints;
    for (int i = 0; i < all; i++) {
        double t = time_of(s, i);
        int before = 0;
        for (int k = 0; k < all && isfinite(t); k++)
            before += time_of(s, k) < t || (time_of(s, k) == t && k < i);
        if (isfinite(t) && before == done)
            return i;
    }
    return -1;
}

plait_status plait_sim_make_events(plait_sim *sim, plait_error *error)
{
    const plait_scene *s = sim->model.scene;
    plait_work *w = &sim->work;
    double *done = &sim->state.value[PLAIT_AT_EVENTS];
    if (s->ties + s->joints == 0)
        return PLAIT_OK;
    for (int i; (i = find(s, (int)*done)) >= 0 && time_of(s, i) <= plait_state_time(&sim->state) + PLAIT_SOON;) {
        int before = w->previous.count;
        plait_sim_place(&sim->model, &sim->state, w, 0);
        plait_status status =
            i < s->ties ? plait_sim_tie_near(sim, &s->tie[i], error) : plait_sim_join_one(sim, s, i - s->ties, error);
        if (status == PLAIT_OK && !plait_state_write_contacts(&sim->state, &sim->model, w))
            status = plait_error_set(error, PLAIT_NO_MEMORY, "no memory for ties");
        if (status != PLAIT_OK) {
            w->previous.count = w->bonds.count = before;
            return status;
        }
        done = &sim->state.value[PLAIT_AT_EVENTS]; // the block may have moved
        *done += 1;
    }
    return PLAIT_OK;
}
