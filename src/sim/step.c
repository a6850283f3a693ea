// step.c: one time step, read as the method, and the control of its length.
//
// A step that fails (a fibre's own equations, a residual far above the tolerance, too much stretch, something that would
// pass through something else) is given up, the state goes back, and it is tried again with half of dt. In dynamic phases dt is cut
// before anything fails, so that no node goes farther than max_move; when it gets gentler, dt is doubled step by step.
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "base/parallel.h"
#include "sim/sim.h"

enum { ROUNDS = 20, CALM = 4 };

static const char *const stage_names[PLAIT_STAGE_COUNT] = {"predict", "detect", "assemble", "solve",
                                                           "correct", "accept", "observe"};

const char *plait_stage_name(plait_stage stage)
{
    return stage >= 0 && stage < PLAIT_STAGE_COUNT ? stage_names[stage] : NULL;
}

static double lap(double *clock)
{
    double now = plait_clock_wall(), seconds = now - *clock;
    *clock = now;
    return seconds;
}

// One attempt. The rounds are for what continuous detection finds in the corrected motion; in each the response is
// computed as often as it takes to model it well.
static bool attempt(plait_sim *sim, plait_attempt *a)
{
    double clock = plait_clock_wall(), *seconds = sim->report.seconds;
    sim->report.newton = sim->report.relinearised = 0, sim->report.newton_mean = 0;
    a->known = a->round = 0, a->relinearised = a->polish = false;
    a->rough = sim->scene->stepping.scheme == PLAIT_SCHEME_ADONIS;
    bool again = true, caught = false, ok = plait_sim_predict(sim, a);
    seconds[PLAIT_STAGE_PREDICT] += lap(&clock);
    ok = ok && plait_sim_detect(sim, a);
    seconds[PLAIT_STAGE_DETECT] += lap(&clock);
    for (; ok && again; a->round += caught) {
        if (a->round == ROUNDS)
            return plait_sim_reject(sim, "things would pass through each other");
        ok = plait_sim_assemble(sim, a);
        seconds[PLAIT_STAGE_ASSEMBLE] += lap(&clock);
        ok = ok && plait_sim_solve(sim, a);
        seconds[PLAIT_STAGE_SOLVE] += lap(&clock);
        ok = ok && plait_sim_correct(sim, a) && plait_sim_relinearise(sim, a, &again);
        a->relinearised = again, caught = false;
        a->polish = ok && !again && a->rough && sim->problem;
        a->rough = false;
        if (a->polish)
            again = true;
        else if (ok && !again)
            ok = plait_sim_catch(sim, a, &again), caught = again;
        seconds[PLAIT_STAGE_CORRECT] += lap(&clock);
    }
    ok = ok && plait_sim_accept(sim, a);
    seconds[PLAIT_STAGE_ACCEPT] += lap(&clock);
    if (ok)
        plait_sim_observe(sim, a);
    seconds[PLAIT_STAGE_OBSERVE] += lap(&clock);
    return ok;
}

// dt of the next step, from how far nodes went in this one.
static void adapt(plait_sim *sim, double dt)
{
    const plait_stepping *s = &sim->scene->stepping;
    double far = 0;
    for (int i = 0; i < 3 * sim->nodes; i += 3)
        far = fmax(far, hypot(hypot(sim->x1[i] - sim->x0[i], sim->x1[i + 1] - sim->x0[i + 1]),
                              sim->x1[i + 2] - sim->x0[i + 2]));
    sim->calm++;
    if (s->adaptive && far > sim->max_move && sim->dt_next > s->dt_min) {
        sim->dt_next = fmax(sim->dt_next / 2, s->dt_min);
        sim->calm = 0;
    } else if (sim->dt_next < s->dt && sim->calm >= CALM &&
               (!s->adaptive || far * 2 * sim->dt_next / dt < sim->max_move)) {
        sim->dt_next = fmin(2 * sim->dt_next, s->dt);
        sim->calm = 0;
    }
}

// The step from here towards `until`: equal pieces that end there.
static double piece(const plait_sim *sim, double dt, double until)
{
    double left = until - sim->time;
    if (!(left < 1e6 * dt))
        return dt;
    return left / fmax(1, ceil(left / dt - 1e-6));
}

plait_status plait_sim_step(plait_sim *sim, double until, plait_sim_report *report, plait_error *error)
{
    const plait_stepping *s = &sim->scene->stepping;
    sim->report = (plait_sim_report){.smallest_gap = INFINITY};
    if (isnan(until) || until <= sim->time)
        return plait_error_set(error, PLAIT_BAD_INPUT, "a step must end after the present time %g s, found %g s",
                               sim->time, until);
    plait_attempt a = {.dt = piece(sim, sim->dt_next, until), .error = error};
    plait_sim_save(sim);
    while (!attempt(sim, &a)) {
        plait_sim_restore(sim);
        if (a.status != PLAIT_OK)
            return a.status;
        sim->report.rejections++;
        double half = a.dt / 2;
        if (half < s->dt_min * (1 - 1e-9)) {
            sim->report.failed = true;
            sim->report.time = sim->time, sim->report.dt = a.dt, sim->report.step = sim->steps;
            *report = sim->report;
            return PLAIT_OK;
        }
        sim->dt_next = fmax(half, s->dt_min);
        sim->calm = -CALM; // not too soon back to what did not work
        a.dt = piece(sim, half, until);
    }
    sim->steps++;
    double end = sim->time + a.dt;
    sim->time = fabs(end - until) <= 1e-9 * a.dt ? until : end;
    sim->report.step = sim->steps, sim->report.time = sim->time, sim->report.dt = a.dt;
    adapt(sim, a.dt);
    *report = sim->report;
    return PLAIT_OK;
}
