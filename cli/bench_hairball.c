// bench_hairball.c: `plait bench hairball`: Kaufman et al. 2014, section 8.2: which response to contacts survives which
// time step (figure 15), and how time and memory grow with the number of rods (figures 9, 10, 12).
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"

enum { MAX_RODS = 12, MAX_DT = 12, MAX_RESPONSES = 5 };

typedef struct job {
    int rods, dts, responses;
    double rod[MAX_RODS], dt[MAX_DT]; // dt in ms
    int response[MAX_RESPONSES];
    double proximity; // [um]
    double duration, max_seconds;
    int steps, threads;
    const char *detection;
    plait_bench_motion *motion; // [rods][responses][dts]
} job;

static plait_bench_motion *motion_of(const job *j, int rod, int response, int dt)
{
    return &j->motion[(rod * j->responses + response) * j->dts + dt];
}

// [bytes] that another contact costs: the growth since the first step, in which all rods are there already
static double memory_per_contact(const plait_bench_motion *m)
{
    int more = m->contacts_max - m->contacts_first;
    return more > 0 ? (m->memory_max - m->memory_first) / more : NAN;
}

static void print_table(const job *j)
{
    static const char *const titles[] = {
        "rods",   "<response",  "dt [ms]",     "<end",   "simulated [s]", "contacts",    "max",          "% > tol",
        "newton", "max newton", "stretch [%]", "s/step", "h / 1 s",       "memory [GB]", "kB / contact", NULL};
    plait_table *table = plait_table_new(titles);
    for (int n = 0; n < j->rods; n++) {
        if (n)
            plait_table_rule(table);
        for (int r = 0; r < j->responses; r++)
            for (int d = 0; d < j->dts; d++) {
                const plait_bench_motion *m = motion_of(j, n, r, d);
                plait_table_cell(table, "%s", plait_cli_count((int64_t)j->rod[n]));
                plait_table_cell(table, "%s", plait_bench_response_name(j->response[r]));
                plait_table_cell(table, "%s", plait_cli_number(j->dt[d]));
                plait_table_cell(table, "%s", plait_bench_motion_text(m));
                plait_table_cell(table, "%s", plait_cli_number(m->time));
                plait_table_cell(table, "%s", plait_cli_number(m->contacts));
                plait_table_cell(table, "%s", plait_cli_count(m->contacts_max));
                plait_table_cell(table, "%s", plait_cli_number(100 * m->over_tolerance));
                plait_table_cell(table, "%s", plait_cli_number(m->newton));
                plait_table_cell(table, "%d", m->newton_max);
                plait_table_cell(table, "%s", plait_cli_number(100 * m->stretch_max));
                plait_table_cell(table, "%s", plait_cli_number(m->steps ? m->seconds / (double)m->steps : NAN));
                plait_table_cell(table, "%s", plait_cli_number(m->time > 0 ? m->seconds / m->time / 3600 : NAN));
                plait_table_cell(table, "%s", plait_cli_number(1e-9 * m->memory_max));
                plait_table_cell(table, "%s", plait_cli_number(1e-3 * memory_per_contact(m)));
            }
    }
    plait_table_end(table);
    printf("\nh / 1 s: hours of wall clock for a simulated second. newton: linearisations, mean over contacts. kB / "
           "contact: growth of\n"
           "memory since the first step, per contact that came since. %d thread%s.\n",
           j->threads, j->threads == 1 ? "" : "s");
}

static void print_json(const job *j)
{
    plait_json json;
    plait_json_start(&json);
    plait_json_string(&json, "benchmark", "hairball");
    plait_json_string(&json, "version", plait_version());
    plait_json_int(&json, "threads", j->threads);
    plait_json_real(&json, "proximity", 1e-6 * j->proximity);
    plait_json_begin(&json, "runs", '[');
    for (int n = 0; n < j->rods; n++)
        for (int r = 0; r < j->responses; r++)
            for (int d = 0; d < j->dts; d++) {
                const plait_bench_motion *m = motion_of(j, n, r, d);
                plait_json_begin_flat(&json, NULL, '{');
                plait_json_int(&json, "rods", (int64_t)j->rod[n]);
                plait_json_string(&json, "response", plait_bench_response_name(j->response[r]));
                plait_json_real(&json, "dt", 1e-3 * j->dt[d]);
                plait_json_bool(&json, "completed", m->outcome == PLAIT_BENCH_SOLVED);
                plait_json_string(&json, "end", plait_bench_motion_text(m));
                plait_json_real(&json, "time", m->time);
                plait_json_int(&json, "steps", m->steps);
                plait_json_real(&json, "contacts", m->contacts);
                plait_json_int(&json, "contacts_max", m->contacts_max);
                plait_json_real(&json, "over_tolerance", m->over_tolerance);
                plait_json_real(&json, "residual_max", m->residual_max);
                plait_json_real(&json, "newton", m->newton);
                plait_json_int(&json, "newton_max", m->newton_max);
                plait_json_real(&json, "stretch", m->stretch_max);
                plait_json_real(&json, "seconds", m->seconds);
                plait_json_real(&json, "seconds_last", m->seconds_last);
                plait_json_real(&json, "memory", m->memory_max);
                plait_json_real(&json, "memory_per_contact", memory_per_contact(m));
                plait_json_end(&json, '}');
            }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

static void run_all(job *j, plait_cli_progress *progress)
{
    for (int n = 0; n < j->rods; n++)
        for (int r = 0; r < j->responses; r++)
            for (int d = 0; d < j->dts && !plait_cli_interrupted(); d++) {
                plait_bench_scene scene = {.name = "hairball-1k",
                                           .duration = j->duration,
                                           .steps = j->steps,
                                           .threads = j->threads,
                                           .max_seconds = j->max_seconds};
                plait_bench_scene_set(&scene, "fibres.hair.scalp.count=%.0f", j->rod[n]);
                plait_bench_scene_set(&scene, "step.dt=%.17g s", 1e-3 * j->dt[d]);
                plait_bench_scene_set(&scene, "step.dt_min=%.17g s", 1e-3 * j->dt[d]);
                plait_bench_scene_set(&scene, "step.adaptive=false");
                plait_bench_scene_set(&scene, "contact.proximity=%.17g m", 1e-6 * j->proximity);
                plait_bench_scene_set(&scene, "contact.detection=%s", j->detection);
                plait_bench_scene_respond(&scene, j->response[r]);
                plait_cli_progress_note(progress, "%s rods, %s, %s ms", plait_cli_count((int64_t)j->rod[n]),
                                        plait_bench_response_name(j->response[r]), plait_cli_number(j->dt[d]));
                *motion_of(j, n, r, d) = plait_bench_scene_run(&scene, NULL);
            }
    plait_cli_progress_clear(progress);
}

static int finish(const job *j, bool json)
{
    int code = plait_bench_motions_check(j->rods * j->responses * j->dts, j->motion);
    if (code != PLAIT_EXIT_OK)
        return code;
    if (json)
        print_json(j);
    else
        print_table(j);
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_bench_hairball(int argc, char **argv)
{
    job j = {.proximity = 25, .duration = 1, .max_seconds = INFINITY, .threads = 1, .detection = "both"};
    const char *rods = "1000", *dt = "10", *schemes = "adonis";
    bool json = false, verbose = false;
    double limit = 0;
    const plait_option options[] = {
        {"--rods", 0, PLAIT_OPTION_TEXT, &rods, 0, 0, "A,B,C", "numbers of rods (default 1000)"},
        {"--dt", 0, PLAIT_OPTION_TEXT, &dt, 0, 0, "A,B,C", "time steps [ms] (default 10)"},
        {"--schemes", 0, PLAIT_OPTION_TEXT, &schemes, 0, 0, "A,B",
         "responses to contacts: impulse, linear-start, linear, adonis, balanced (default adonis)"},
        {"--proximity", 0, PLAIT_OPTION_REAL, &j.proximity, 0.1, 1e4, "R",
         "surfaces nearer than this [um] are in contact (default 25)"},
        {"--detection", 0, PLAIT_OPTION_TEXT, &j.detection, 0, 0, "proximity|continuous|both", "default both"},
        {"--duration", 0, PLAIT_OPTION_REAL, &j.duration, 1e-3, 1e3, "T",
         "simulated seconds (default 1: the first rotation and stop)"},
        {"--steps", 0, PLAIT_OPTION_INT, &j.steps, 0, 1e9, "N", "at most this many steps (default: no limit)"},
        {"--max-time", 0, PLAIT_OPTION_REAL, &limit, 0, 1e9, "T",
         "at most this many seconds for each run, with one thread of its processor (default: no limit)"},
        {"--threads", 'j', PLAIT_OPTION_INT, &j.threads, 1, 1024, "N", "threads (default 1)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &json, 0, 0, NULL, "JSON instead of a table"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench hairball",
        .usage = "[options]",
        .summary = "Hair balls: which response survives which time step, and how time and memory grow.",
        .details = "Kaufman et al. 2014, section 8.2: the scene 'hairball-1k' with other numbers of rods, at constant "
                   "time steps. "
                   "A run ends when its time is over or a step fails.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench hairball --rods 20 --steps 2\ta first look\n"
                    "bench hairball --rods 1000,4000 --max-time 600\thow time and memory grow\n"
                    "bench hairball --dt 10,5,1 --schemes adonis,linear\twhich response survives which step",
    };
    int code;
    if (plait_cli_parse(&command, argc, argv, &code) < 0)
        return code;
    j.max_seconds = limit > 0 ? limit : INFINITY;
    j.rods = plait_cli_read_reals("--rods", rods, 1, 1e7, j.rod, MAX_RODS);
    j.dts = j.rods > 0 ? plait_cli_read_reals("--dt", dt, 1e-6, 1e4, j.dt, MAX_DT) : -1;
    j.responses = j.dts > 0 ? plait_bench_read_responses(schemes, j.response, MAX_RESPONSES) : -1;
    if (j.responses < 0)
        return PLAIT_EXIT_BAD;
    j.motion = plait_cli_alloc((size_t)(j.rods * j.responses * j.dts), sizeof *j.motion);
    plait_cli_progress progress = plait_cli_progress_start("bench", verbose);
    run_all(&j, &progress);
    code = finish(&j, json);
    free(j.motion);
    return code;
}
