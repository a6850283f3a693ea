// settle.c: everything comes to rest before the start.
#include <math.h>

#include "math/vec3.h"
#include "sim/sim.h"

static const double CALM = 20;  // [1/s] velocities fall by e in a twentieth of a second ...
static const double MOST = 0.5; // ... but in no step by more than this

// Time is that of the start, no steps were done.
static void restart(plait_sim *sim)
{
    plait_model *m = &sim->model;
    sim->state.value[PLAIT_AT_TIME] = sim->state.value[PLAIT_AT_SCRIPT] = m->scene->output.start;
    sim->state.value[PLAIT_AT_STEPS] = 0;
    sim->state.value[PLAIT_AT_DT_NEXT] = m->scene->stepping.dt;
    sim->state.value[PLAIT_AT_CALM] = 0;
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->restart)
            m->body[b].type->restart(&m->body[b], m->scene->output.start);
    sim->work.last_energy = NAN;
    plait_sim_place(m, &sim->state, &sim->work, 0);
}

plait_status plait_sim_settle(plait_sim *sim, double seconds, double *done, double *fastest, plait_error *error)
{
    plait_model *m = &sim->model;
    plait_sim_report report = {0};
    plait_status status = PLAIT_OK;
    double went = 0, start = m->scene->output.start;
    if (!(seconds >= 0 && seconds < 1e9))
        return plait_error_set(error, PLAIT_BAD_INPUT, "settle: a time from 0 on is expected, found %g s", seconds);
    if (plait_sim_steps(sim) > 0)
        return plait_error_set(error, PLAIT_BAD_INPUT, "settle: only at the start; %lld steps were done already",
                               (long long)plait_sim_steps(sim));
    m->calm = fmin(CALM, MOST / m->scene->stepping.dt);
    while (status == PLAIT_OK && plait_sim_time(sim) < start + seconds) {
        status = plait_sim_step(sim, start + seconds, &report, error);
        if (status != PLAIT_OK || report.failed || report.stopped)
            break;
        went = plait_sim_time(sim) - start;
    }
    m->calm = 0;
    if (done)
        *done = went;
    if (fastest)
        *fastest = report.max_speed;
    restart(sim);
    return status;
}
