// bench_scene.c: a scene as a benchmark: run in a child process, without files, and summed up.
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "bench.h"

static const char *const responses[] = {"impulse", "linear-start", "linear", "adonis", "balanced", NULL};

const char *plait_bench_response_name(int i)
{
    return responses[i];
}

void plait_bench_scene_set(plait_bench_scene *scene, const char *format, ...)
{
    if (scene->settings == PLAIT_BENCH_SETTINGS)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(scene->setting[scene->settings], sizeof scene->setting[0], format, arguments);
    va_end(arguments);
    scene->settings++;
}

void plait_bench_scene_respond(plait_bench_scene *scene, int response)
{
    bool start = strcmp(responses[response], "linear-start") == 0;
    plait_bench_scene_set(scene, "step.scheme=%s", start ? "linear" : responses[response]);
    plait_bench_scene_set(scene, "step.rod.scheme=%s", start ? "linear" : "nonlinear");
}

int plait_bench_read_responses(const char *text, int *response, int max)
{
    char copy[256];
    int count = 0;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy, *word; (word = strtok_r(at, ",", &at)) != NULL; count++) {
        int i = 0;
        while (responses[i] && strcmp(responses[i], word) != 0)
            i++;
        if (!responses[i] || count == max) {
            const char *near = plait_cli_nearest(word, responses);
            plait_cli_fail(
                "--schemes: there is no response '%s'%s%s; expected some of impulse, linear-start, linear, adonis, "
                "balanced",
                word, near ? ": did you mean " : "", near ? near : "");
            return -1;
        }
        response[count] = i;
    }
    if (count == 0)
        plait_cli_fail("--schemes: expected some of impulse, linear-start, linear, adonis, balanced, found nothing");
    return count > 0 ? count : -1;
}

// ---- the child -----------------------------------------------------------------------------------------------------

static void add_step(plait_bench_motion *m, const plait_sim_report *r, double seconds, int64_t *touched, int64_t *over)
{
    if (m->steps == 0)
        m->memory_first = plait_bench_memory(), m->contacts_first = r->contacts;
    m->steps++, m->seconds += seconds, m->seconds_last = seconds;
    m->time = r->time;
    m->contacts += r->contacts;
    m->contacts_max = r->contacts > m->contacts_max ? r->contacts : m->contacts_max;
    m->stretch_max = fmax(m->stretch_max, r->max_stretch);
    if (r->contacts == 0)
        return;
    (*touched)++;
    *over += !r->converged;
    m->newton += r->newton_mean;
    m->newton_max = r->newton > m->newton_max ? r->newton : m->newton_max;
    m->residual_max = fmax(m->residual_max, r->certificate.residual_rel);
}

static double seconds(const plait_bench_scene *scene)
{
    return scene->threads == 1 ? plait_cli_cpu() : plait_cli_wall();
}

static plait_status simulate(const plait_child *child, const plait_bench_scene *scene, plait_sim *sim,
                             plait_bench_motion *m, plait_error *error)
{
    plait_bench_motion sum = *m; // sums, of which m gets the means
    int64_t touched = 0, over = 0;
    double start = seconds(scene);
    m->outcome = PLAIT_BENCH_SOLVED;
    while (plait_sim_time(sim) < scene->duration && (scene->steps == 0 || sum.steps < scene->steps)) {
        plait_sim_report report;
        double clock = plait_cli_wall();
        plait_status status = plait_sim_step(sim, INFINITY, &report, error);
        if (status != PLAIT_OK)
            return status;
        if (report.failed) {
            m->outcome = PLAIT_BENCH_UNSOLVED;
            m->stretch_max = fmax(m->stretch_max, report.max_stretch);
            snprintf(m->message, sizeof m->message, "%s", report.reason ? report.reason : "a step failed");
            break;
        }
        double now = plait_cli_wall();
        add_step(&sum, &report, now - clock, &touched, &over);
        *m = sum;
        m->outcome = PLAIT_BENCH_SOLVED;
        m->contacts /= (double)sum.steps;
        m->newton /= touched > 0 ? (double)touched : 1;
        m->over_tolerance = touched > 0 ? (double)over / (double)touched : 0;
        m->memory_max = plait_bench_memory();
        if (seconds(scene) - start > scene->max_seconds) {
            m->outcome = PLAIT_BENCH_HUNG;
            break;
        }
        plait_child_post(child, m);
    }
    return PLAIT_OK;
}

static void work(const plait_child *child, void *argument)
{
    const plait_bench_scene *scene = argument;
    plait_bench_motion m;
    memset(&m, 0, sizeof m);
    m.outcome = PLAIT_BENCH_BAD;
    plait_child_post(child, &m);
    plait_error error = {0};
    const char *settings[PLAIT_BENCH_SETTINGS];
    for (int i = 0; i < scene->settings; i++)
        settings[i] = scene->setting[i];
    plait_scene *what = plait_scene_find(scene->name, scene->settings, settings, &error);
    plait_sim *sim = what ? plait_sim_new(what, &error) : NULL;
    plait_scene_free(what);
    plait_status status = sim ? PLAIT_OK : PLAIT_BAD_INPUT;
    if (sim) {
        plait_sim_set_threads(sim, scene->threads);
        m.fibres = plait_sim_fibres(sim);
        status = simulate(child, scene, sim, &m, &error);
    }
    if (status != PLAIT_OK) {
        m.outcome = PLAIT_BENCH_BAD;
        snprintf(m.message, sizeof m.message, "%.*s", (int)sizeof m.message - 1, error.text);
    }
    plait_sim_free(sim);
    plait_child_post(child, &m);
}

plait_bench_motion plait_bench_scene_run(const plait_bench_scene *scene, plait_cli_progress *progress)
{
    plait_bench_motion m;
    memset(&m, 0, sizeof m);
    int number = 0;
    if (progress)
        plait_cli_progress_note(progress, "%s, %s", scene->name, scene->settings ? scene->setting[0] : "as it is");
    plait_child_end end = plait_child_run(work, (void *)scene, &m, sizeof m, INFINITY, INFINITY, &number);
    if (end != PLAIT_CHILD_DONE)
        m.outcome = end == PLAIT_CHILD_CRASHED ? PLAIT_BENCH_CRASHED : PLAIT_BENCH_STOPPED;
    if (end == PLAIT_CHILD_CRASHED)
        snprintf(m.message, sizeof m.message, "signal %d", number);
    return m;
}

const char *plait_bench_motion_text(const plait_bench_motion *motion)
{
    switch (motion->outcome) {
    case PLAIT_BENCH_SOLVED:
        return "ok";
    case PLAIT_BENCH_HUNG:
        return "out of time";
    case PLAIT_BENCH_STOPPED:
        return "stopped";
    default:
        return motion->message;
    }
}

int plait_bench_motions_check(int count, const plait_bench_motion *motion)
{
    if (plait_cli_interrupted())
        return plait_cli_interrupt_exit();
    for (int i = 0; i < count; i++)
        if (motion[i].outcome == PLAIT_BENCH_BAD)
            return plait_cli_fail("%s", motion[i].message);
    return PLAIT_EXIT_OK;
}
