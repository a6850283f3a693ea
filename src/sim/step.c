// step.c: one time step, read as the method, and the control of its length.
//
// A step that fails (a fibre's own equations, a residual far above the tolerance, too much stretch, something that
// would pass through something else) is given up, the state goes back, and it is tried again with half of dt. In
// dynamic phases dt is cut before anything fails, so that no node goes farther than max_move; when it gets gentler, dt
// is doubled step by step.
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "sim/cell.h"
#include "sim/joints.h"
#include "sim/loads.h"
#include "sim/path.h"

enum { CALM = 4, RESTARTS = 3 };
static const double SAME_TIME = 1e-9; // of dt: times that are nearer differ by rounding

static const char *const stage_names[PLAIT_STAGE_COUNT] = {"predict", "detect", "assemble", "solve",
                                                           "correct", "accept", "observe"};

const char *plait_stage_name(plait_stage stage)
{
    return stage >= 0 && stage < PLAIT_STAGE_COUNT ? stage_names[stage] : NULL;
}

// Since when a stage goes on: by the wall clock, and in seconds of processors.
typedef struct watch {
    double wall, cpu;
} watch;

static watch watch_now(void)
{
    return (watch){plait_clock_wall(), plait_clock_process()};
}

static void lap(watch *began, plait_sim_report *r, plait_stage stage)
{
    watch now = watch_now();
    r->seconds[stage] += now.wall - began->wall;
    r->cpu[stage] += now.cpu - began->cpu;
    *began = now;
}

// What is about to meet, and impacts: after them everything moves otherwise.
static bool find_contacts(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    bool struck = false;
    if (!plait_sim_detect(m, s, w, a) || (m->bounces && !plait_sim_bounce(m, s, w, a, &struck)))
        return false;
    if (struck)
        plait_sim_ledger_struck(m, w);
    if (struck && !(plait_sim_predict(m, s, w, a) && plait_sim_detect(m, s, w, a)))
        return false;
    for (int k = 0; m->response.second_order && k < RESTARTS && plait_sim_restart(m, w, a->dt); k++)
        if (!plait_sim_predict(m, s, w, a) || !plait_sim_detect(m, s, w, a))
            return false;
    for (bool any = true; any;)
        if (!plait_sim_predict_untouched(m, w, a, &any) || (any && !plait_sim_detect(m, s, w, a)))
            return false;
    return true;
}

// One attempt: rounds of assemble, solve and correct until the motion can be believed. At the end of each the judge
// says what the next one is for.
static bool attempt(const plait_model *m, plait_state *s, plait_work *w, plait_attempt *a)
{
    watch clock = watch_now();
    w->report.newton = w->report.relinearised = 0, w->report.newton_mean = 0;
    w->report.balance = 0, w->report.ledger = (plait_ledger){0}, w->struck = 0;
    w->advance = a->dt;
    plait_sim_loads_set(m, s, w, a->dt);
    plait_sim_cell_set(m, s, w, a->dt);
    w->energy = w->unstruck_energy;
    a->stand = PLAIT_STAND_FRESH, a->known = a->caught = a->retold = a->tilts = 0, a->rough = a->looked = false;
    for (int b = 0; b < m->bodies; b++)
        m->body[b].restart = false;
    bool ok = w->on_path ? plait_sim_follow(m, s, w, a, false) : plait_sim_predict(m, s, w, a);
    lap(&clock, &w->report, PLAIT_STAGE_PREDICT);
    ok = ok && !plait_sim_stopped(w) && (w->on_path || find_contacts(m, s, w, a));
    lap(&clock, &w->report, PLAIT_STAGE_DETECT);
    while (ok && a->stand != PLAIT_STAND_SETTLED) {
        ok = !plait_sim_stopped(w) && plait_sim_assemble(m, s, w, a);
        lap(&clock, &w->report, PLAIT_STAGE_ASSEMBLE);
        ok = ok && !plait_sim_stopped(w) && plait_sim_solve(m, s, w, a);
        lap(&clock, &w->report, PLAIT_STAGE_SOLVE);
        ok = ok && !plait_sim_stopped(w) && plait_sim_correct(m, s, w, a) && plait_sim_judge(m, s, w, a);
        ok = ok && (a->stand != PLAIT_STAND_SETTLED || plait_sim_tilt(m, w, a));
        ok = ok && !(w->on_path && a->stand == PLAIT_STAND_CAUGHT && !plait_sim_follow(m, s, w, a, true));
        lap(&clock, &w->report, PLAIT_STAGE_CORRECT);
    }
    ok = ok && !plait_sim_stopped(w) && plait_sim_accept(m, s, w, a);
    lap(&clock, &w->report, PLAIT_STAGE_ACCEPT);
    if (ok)
        plait_sim_observe(m, s, w, a);
    lap(&clock, &w->report, PLAIT_STAGE_OBSERVE);
    return ok;
}

// dt of the next step, from how far nodes went in this one, or from its error. growth: of either in a step twice as
// long as `next`.
static void adapt(const plait_model *m, plait_state *state, const plait_work *w, double dt)
{
    const plait_stepping *s = &m->scene->stepping;
    double far = 0, *next = &state->value[PLAIT_AT_DT_NEXT], *calm = &state->value[PLAIT_AT_CALM];
    double growth = 2 * *next / dt, most = m->max_move;
    bool adaptive = s->adaptive || s->error > 0;
    if (s->error > 0) {
        far = w->report.error, most = s->error;
        growth *= growth * (s->integrator == PLAIT_INTEGRATOR_BDF2 ? growth : 1);
    }
    for (int i = 0; i < 3 * m->nodes && s->error == 0; i += 3)
        far = fmax(far, hypot(hypot(w->x1[i] - w->x0[i], w->x1[i + 1] - w->x0[i + 1]), w->x1[i + 2] - w->x0[i + 2]));
    ++*calm;
    if (adaptive && far > most && *next > s->dt_min) {
        *next = fmax(*next / 2, s->dt_min);
        *calm = 0;
    } else if (*next < s->dt && *calm >= CALM && (!adaptive || far * growth < most)) {
        *next = fmin(2 * *next, s->dt);
        *calm = 0;
    }
}

// The step from here towards `until`: equal pieces that end there. Pieces that are dt but for the rounding of times are
// dt to the last bit: what is kept for a dt stays then (soft_keep.c).
static double piece(double time, double dt, double until)
{
    double left = until - time;
    if (!(left < 1e6 * dt))
        return dt;
    double part = left / fmax(1, ceil(left / dt - 1e-6));
    return fabs(part - dt) <= SAME_TIME * dt ? dt : part;
}

// The state says that the step was done.
static void count_step(plait_state *s, plait_sim_report *r, double dt, double until, bool on_path, double advance)
{
    double end = plait_state_time(s) + dt;
    s->value[PLAIT_AT_STEPS]++;
    s->value[PLAIT_AT_TIME] = fabs(end - until) <= SAME_TIME * dt ? until : end;
    s->value[PLAIT_AT_ADVANCE] = advance;
    s->value[PLAIT_AT_SCRIPT] = on_path ? s->value[PLAIT_AT_SCRIPT] + advance : s->value[PLAIT_AT_TIME];
    s->value[PLAIT_AT_POWER] = (r->ledger.ends + r->ledger.colliders) / dt;
    r->step = (int64_t)s->value[PLAIT_AT_STEPS], r->time = plait_state_time(s), r->dt = dt;
}

// The report of a step that led nowhere.
static plait_status nowhere(const plait_state *s, plait_work *w, double dt, plait_sim_report *report)
{
    w->report.time = plait_state_time(s), w->report.dt = dt, w->report.step = (int64_t)s->value[PLAIT_AT_STEPS];
    *report = w->report;
    return PLAIT_OK;
}

// Asks whoever may stop the step, unless that was done a short time ago.
static bool ask_seldom(void *work)
{
    plait_work *w = work;
    double now = plait_clock_wall();
    if (now < w->ask_next)
        return false;
    w->ask_next = now + w->ask_every;
    return w->asked(w->asked_data);
}

// No dt worked: another way, for this step alone. Contacts that no linearised motion can open (a straight rod that does
// not stretch, pushed along itself) may open when bodies are linearised again about where contacts bring them. And
// where no balance is found (a loop of few elements hits itself) the step is that of scheme adonis; the report says how
// far from balance that is. False: there is no other way.
static bool last_resort(plait_model *m)
{
    plait_response *how = &m->response;
    if (how->mass_alone || (how->follows && !how->balanced))
        return false;
    for (int b = 0; b < m->bodies; b++)
        if (how->balanced && m->body[b].type->press)
            m->body[b].type->press(&m->body[b], NULL, NULL);
    how->follows = true, how->balanced = false;
    return true;
}

// Statics: what has moved in the last step has arrived. The step minimises energy, loads and friction, and the
// square of the way with the mass over dt^2, which a long dt makes small.
static void come_to_rest(const plait_model *m, plait_work *w)
{
    memset(w->v, 0, (size_t)m->dofs * sizeof *w->v);
    for (int b = 0; b < m->bodies; b++)
        if (m->body[b].type->rebound && m->body[b].dofs > 0)
            m->body[b].type->rebound(&m->body[b], w->v + m->first_dof[b]);
}

// Of a run that goes on from a state: what it was at the end of the last step, before anything is changed.
static void know_energy(const plait_model *m, const plait_state *s, plait_work *w)
{
    if (!isnan(w->last_energy) || !m->scene->stepping.ledger || !(s->value[PLAIT_AT_STEPS] > 0))
        return;
    plait_body_energies e = plait_sim_energies(m, w, false);
    w->last_energy = e.kinetic + e.elastic + e.potential;
}

// What is done to the state before the motion of a step is looked for.
static void begin(plait_sim *sim, double dt)
{
    bool statics = sim->model.scene->stepping.mode == PLAIT_MODE_STATIC;
    if (statics)
        come_to_rest(&sim->model, &sim->work);
    plait_sim_cell_carry(sim, dt, statics);
}

// The scene was looked at when the simulation was made. So what a stage calls bad input (a place that is not finite, or
// farther than detection looks) is where this motion went, and a smaller step may not go there. *error says what it
// was, as long as nothing else happens.
static void astray(plait_work *w, plait_attempt *a)
{
    if (a->status == PLAIT_OK)
        plait_error_set(a->error, PLAIT_OK, "%s", "");
    if (a->status != PLAIT_BAD_INPUT || a->refused)
        return;
    a->status = PLAIT_OK;
    if (a->error)
        a->error->status = PLAIT_OK;
    plait_sim_reject(w,
                     "something went to where numbers end: a place, an impulse or a matrix is not finite or too large");
}

static plait_status step(plait_sim *sim, double until, plait_sim_report *report, plait_error *error)
{
    const plait_model *m = &sim->model;
    plait_state *s = &sim->state;
    plait_work *w = &sim->work;
    double time = plait_state_time(s), dt_min = m->scene->stepping.dt_min;
    w->report = (plait_sim_report){.smallest_gap = INFINITY};
    if (isnan(until) || until <= time)
        return plait_error_set(error, PLAIT_BAD_INPUT, "a step must end after the present time %g s, found %g s", time,
                               until);
    plait_attempt a = {.dt = piece(time, s->value[PLAIT_AT_DT_NEXT], until), .error = error};
    double dt_next = s->value[PLAIT_AT_DT_NEXT], calm = s->value[PLAIT_AT_CALM];
    bool seldom = w->asked && w->ask_every > 0;
    if (seldom)
        w->ask_next = plait_clock_wall() + w->ask_every;
    plait_stop_start(&w->stop, seldom ? ask_seldom : w->asked, seldom ? w : w->asked_data, 0, false);
    w->on_path = plait_sim_on_path(m, s);
    if (w->on_path)
        plait_sim_path_begin(m, s, w);
    know_energy(m, s, w);
    plait_state_save(m, s, w); // with the motion that led here: a path goes on by it
    begin(sim, a.dt);
    plait_sim_ledger_open(m, w);
    for (; !attempt(m, s, w, &a); begin(sim, a.dt)) {
        plait_state_restore(m, s, w);
        astray(w, &a);
        if (a.status != PLAIT_OK || plait_sim_stopped(w))
            s->value[PLAIT_AT_DT_NEXT] = dt_next, s->value[PLAIT_AT_CALM] = calm; // done again it is the same step
        if (a.status != PLAIT_OK)
            return a.status;
        if (plait_sim_stopped(w)) {
            w->report.stopped = true, w->report.reason = NULL;
            return nowhere(s, w, a.dt, report);
        }
        w->report.rejections++;
        double half = a.dt / 2;
        if (half < dt_min * (1 - 1e-9) && last_resort(&sim->model)) {
            s->value[PLAIT_AT_DT_NEXT] = dt_next, s->value[PLAIT_AT_CALM] = calm;
            a.dt = piece(time, dt_next, until);
            continue;
        }
        if (half < dt_min * (1 - 1e-9)) {
            w->report.failed = true;
            return nowhere(s, w, a.dt, report);
        }
        s->value[PLAIT_AT_DT_NEXT] = fmax(half, dt_min);
        s->value[PLAIT_AT_CALM] = -CALM; // not too soon back to what did not work
        a.dt = piece(time, half, until);
    }
    count_step(s, &w->report, a.dt, until, w->on_path, w->on_path ? w->advance : a.dt);
    adapt(m, s, w, a.dt);
    w->last_energy = w->report.kinetic + w->report.elastic + w->report.potential;
    *report = w->report;
    if (w->hooks.after_step)
        w->hooks.after_step(sim, report, w->hooks.data);
    return PLAIT_OK;
}

plait_status plait_sim_step(plait_sim *sim, double until, plait_sim_report *report, plait_error *error)
{
    plait_pool *before = plait_pool_enter(sim->work.pool);
    plait_response how = sim->model.response;
    plait_status status = plait_sim_make_events(sim, error);
    if (status == PLAIT_OK)
        status = step(sim, until, report, error);
    sim->model.response = how;
    sim->work.on_path = false;
    plait_pool_enter(before);
    return status;
}
