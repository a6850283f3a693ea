// bench_stability.c: `plait bench stability`: how large a time step a whipped rod survives (Kaufman et al. 2014, fig. 7).
//
// The scene `whip` at constant time steps and several speeds of the handle, with every response to contacts. A run is
// stable if it comes to its end without stretching an edge by more than half. Steps are never made smaller.
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench.h"

enum { MAX_DT = 40, MAX_SPEEDS = 16, MAX_RESPONSES = 5 };

typedef struct job {
    int dts, speeds, responses;
    double dt[MAX_DT], speed[MAX_SPEEDS]; // [ms], [rad/s] / pi
    int response[MAX_RESPONSES];
    double duration;
    plait_bench_motion *motion; // [response][speed][dt]
} job;

static plait_bench_motion *motion_of(const job *j, int response, int speed, int dt)
{
    return &j->motion[(response * j->speeds + speed) * j->dts + dt];
}

static bool stable(const plait_bench_motion *m)
{
    return m->outcome == PLAIT_BENCH_SOLVED;
}

// The largest time step up to which all are stable; 0: none.
static double largest(const job *j, int response, int speed)
{
    double best = 0;
    for (int d = 0; d < j->dts && stable(motion_of(j, response, speed, d)); d++)
        best = j->dt[d];
    return best;
}

static void print_table(const job *j)
{
    printf("whip: %s s, stretch up to 50 %%. Cells: o stable, . stretched too much, x failed otherwise; largest: up to "
           "which\n"
           "time step all are stable; stretch: the largest of stable runs.\n\ndt [ms]:",
           plait_cli_number(j->duration));
    for (int d = 0; d < j->dts; d++)
        printf(" %s", plait_cli_number(j->dt[d]));
    printf("\n\n");
    static const char *const titles[] = {"<response",    "speed [pi rad/s]", "<dt, ascending",
                                         "largest [ms]", "stretch [%]",      NULL};
    plait_table *table = plait_table_new(titles);
    for (int r = 0; r < j->responses; r++) {
        if (r)
            plait_table_rule(table);
        for (int s = 0; s < j->speeds; s++) {
            char cells[MAX_DT + 1] = {0};
            double stretch = 0;
            for (int d = 0; d < j->dts; d++) {
                const plait_bench_motion *m = motion_of(j, r, s, d);
                cells[d] = stable(m) ? 'o' : strstr(m->message, "stretched") ? '.' : 'x';
                stretch = stable(m) ? fmax(stretch, m->stretch_max) : stretch;
            }
            plait_table_cell(table, "%s", plait_bench_response_name(j->response[r]));
            plait_table_cell(table, "%s", plait_cli_number(j->speed[s]));
            plait_table_cell(table, "%s", cells);
            plait_table_cell(table, "%s", plait_cli_number(largest(j, r, s)));
            plait_table_cell(table, "%s", plait_cli_number(100 * stretch));
        }
    }
    plait_table_end(table);
}

static void print_json(const job *j)
{
    plait_json json;
    plait_json_start(&json);
    plait_json_string(&json, "benchmark", "stability");
    plait_json_string(&json, "version", plait_version());
    plait_json_real(&json, "duration", j->duration);
    plait_json_begin(&json, "runs", '[');
    for (int r = 0; r < j->responses; r++)
        for (int s = 0; s < j->speeds; s++)
            for (int d = 0; d < j->dts; d++) {
                const plait_bench_motion *m = motion_of(j, r, s, d);
                plait_json_begin_flat(&json, NULL, '{');
                plait_json_string(&json, "response", plait_bench_response_name(j->response[r]));
                plait_json_real(&json, "speed", M_PI * j->speed[s]);
                plait_json_real(&json, "dt", 1e-3 * j->dt[d]);
                plait_json_bool(&json, "stable", stable(m));
                plait_json_string(&json, "end", plait_bench_motion_text(m));
                plait_json_real(&json, "time", m->time);
                plait_json_real(&json, "stretch", m->stretch_max);
                plait_json_int(&json, "newton_max", m->newton_max);
                plait_json_real(&json, "seconds", m->seconds);
                plait_json_end(&json, '}');
            }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

// ---- the map -------------------------------------------------------------------------------------------------------

enum { CELL = 34, LEFT = 90, TOP = 90 };
static const char *const colours[] = {"#c0392b", "#e08e2b", "#2f6db5", "#4a4a4a", "#3d8b55"};

// One cell for a time step and a speed; in it a bar for each response, filled where it is stable.
static void draw_cell(FILE *file, const job *j, int s, int d)
{
    double width = (CELL - 6.0) / j->responses;
    int y = TOP + (j->speeds - 1 - s) * CELL;
    for (int r = 0; r < j->responses; r++) {
        bool good = stable(motion_of(j, r, s, d));
        fprintf(file, "<rect x='%.1f' y='%d' width='%.1f' height='%d' fill='%s' stroke='%s' stroke-width='0.6'/>\n",
                LEFT + d * CELL + 3 + r * width + 0.5, y + 3, width - 1, CELL - 6,
                good ? colours[j->response[r]] : "none", colours[j->response[r]]);
    }
}

static void write_map(FILE *file, const job *j)
{
    int width = LEFT + j->dts * CELL + 30, height = TOP + j->speeds * CELL + 70;
    width = width < 520 ? 520 : width;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' width='%d' height='%d' viewBox='0 0 %d %d' "
            "font-family='DejaVu Sans, Helvetica, Arial, sans-serif' font-size='12' fill='#222'>\n"
            "<rect width='100%%' height='100%%' fill='#fff'/>\n"
            "<text x='%d' y='26' font-size='16' font-weight='bold'>Whipped rod: filled where %g s are stable</text>\n",
            width, height, width, height, LEFT, j->duration);
    for (int r = 0; r < j->responses; r++)
        fprintf(file, "<rect x='%d' y='44' width='14' height='14' fill='%s'/><text x='%d' y='56'>%s</text>\n",
                LEFT + 105 * r, colours[j->response[r]], LEFT + 105 * r + 19,
                plait_bench_response_name(j->response[r]));
    for (int s = 0; s < j->speeds; s++) {
        fprintf(file, "<text x='%d' y='%d' text-anchor='end'>%s</text>\n", LEFT - 8,
                TOP + (j->speeds - 1 - s) * CELL + CELL / 2 + 4, plait_cli_number(j->speed[s]));
        for (int d = 0; d < j->dts; d++)
            draw_cell(file, j, s, d);
    }
    for (int d = 0; d < j->dts; d++)
        fprintf(file, "<text x='%d' y='%d' text-anchor='middle' font-size='9'>%.3g</text>\n",
                LEFT + d * CELL + CELL / 2, TOP + j->speeds * CELL + 16, j->dt[d]);
    fprintf(file,
            "<text x='%d' y='%d' text-anchor='middle'>time step [ms]</text>\n"
            "<text transform='translate(30 %d) rotate(-90)' text-anchor='middle'>speed [pi rad/s]</text>\n</svg>\n",
            LEFT + j->dts * CELL / 2, TOP + j->speeds * CELL + 44, TOP + j->speeds * CELL / 2);
}

static bool save_map(const char *path, const job *j)
{
    char temporary[4096];
    snprintf(temporary, sizeof temporary, "%s.%ld", path, (long)getpid());
    FILE *file = fopen(temporary, "w");
    bool ok = file != NULL;
    if (file) {
        write_map(file, j);
        ok = plait_cli_flush(file, path);
        ok = fclose(file) == 0 && ok;
        ok = ok && rename(temporary, path) == 0;
        if (!ok)
            remove(temporary);
    }
    if (!ok)
        plait_cli_fail("%s: cannot write: %s", path, strerror(errno));
    return ok;
}

// ---- the command ---------------------------------------------------------------------------------------------------

static plait_bench_motion run_one(const job *j, int response, double speed, double dt)
{
    plait_bench_scene scene = {.name = "whip", .duration = j->duration, .threads = 1, .max_seconds = INFINITY};
    plait_bench_scene_set(&scene, "step.dt=%.17g s", 1e-3 * dt);
    plait_bench_scene_set(&scene, "step.dt_min=%.17g s", 1e-3 * dt);
    plait_bench_scene_set(&scene, "step.adaptive=false");
    plait_bench_scene_set(&scene, "step.max_stretch=0.5");
    plait_bench_scene_set(&scene, "colliders.handle.motion.drives.0.spin=[0, %.17g rad/s, 0]", M_PI * speed);
    plait_bench_scene_respond(&scene, response);
    return plait_bench_scene_run(&scene, NULL);
}

// False: the file of kept runs cannot be written.
static bool run_all(job *j, plait_bench_keep *keep, plait_cli_progress *progress)
{
    int all = j->responses * j->speeds * j->dts, count = 0;
    bool ok = true;
    for (int r = 0; r < j->responses; r++)
        for (int s = 0; s < j->speeds; s++)
            for (int d = j->dts - 1; d >= 0 && ok && !plait_cli_interrupted(); d--) {
                plait_bench_kept one = {.duration = j->duration, .speed = j->speed[s], .dt = j->dt[d]};
                snprintf(one.response, sizeof one.response, "%s", plait_bench_response_name(j->response[r]));
                plait_cli_progress_note(progress, "%d of %d: %s, %s pi rad/s, %s ms", ++count, all, one.response,
                                        plait_cli_number(one.speed), plait_cli_number(one.dt));
                const plait_bench_motion *known = plait_bench_keep_find(keep, &one);
                one.motion = known ? *known : run_one(j, j->response[r], one.speed, one.dt);
                bool done = one.motion.outcome == PLAIT_BENCH_SOLVED || one.motion.outcome == PLAIT_BENCH_UNSOLVED;
                if (!known && done && !plait_cli_interrupted())
                    ok = plait_bench_keep_add(keep, &one);
                *motion_of(j, r, s, d) = one.motion;
            }
    plait_cli_progress_clear(progress);
    return ok;
}

static int finish(const job *j, bool json, const char *plot)
{
    int code = plait_bench_motions_check(j->responses * j->speeds * j->dts, j->motion);
    if (code != PLAIT_EXIT_OK)
        return code;
    if (json)
        print_json(j);
    else
        print_table(j);
    if (plot && !save_map(plot, j))
        return PLAIT_EXIT_BAD;
    return plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int plait_bench_stability(int argc, char **argv)
{
    job j = {.duration = 5};
    const char *dt = NULL, *speeds = "1,2,4,8,16,32", *schemes = "impulse,linear-start,linear,adonis", *plot = NULL,
               *keep_path = NULL;
    bool json = false, verbose = false;
    const plait_option options[] = {
        {"--dt", 0, PLAIT_OPTION_TEXT, &dt, 0, 0, "A,B,C", "time steps [ms] (default 0.005 to 107, three a decade)"},
        {"--speeds", 0, PLAIT_OPTION_TEXT, &speeds, 0, 0, "A,B,C", "of the handle [pi rad/s] (default 1,2,4,8,16,32)"},
        {"--schemes", 0, PLAIT_OPTION_TEXT, &schemes, 0, 0, "A,B",
         "responses to contacts: impulse, linear-start, linear, adonis, balanced (default: the first four)"},
        {"--duration", 0, PLAIT_OPTION_REAL, &j.duration, 1e-3, 1e3, "T", "simulated seconds of each run (default 5)"},
        {"--keep", 0, PLAIT_OPTION_TEXT, &keep_path, 0, 0, "FILE",
         "keeps finished runs there, and takes those that it finds there: an interrupted map goes on"},
        {"--plot", 0, PLAIT_OPTION_TEXT, &plot, 0, 0, "FILE", "draws the map, as SVG"},
        {"--json", 0, PLAIT_OPTION_FLAG, &json, 0, 0, NULL, "JSON instead of a table"},
        {"--verbose", 'v', PLAIT_OPTION_FLAG, &verbose, 0, 0, NULL, "tell how it goes, line by line, on stderr"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench stability",
        .usage = "[options]",
        .summary = "How large a time step a rod survives that is whipped against an edge.",
        .details = "Kaufman et al. 2014, figure 7: the scene 'whip' at constant time steps and speeds, until its end "
                   "or until an "
                   "edge is stretched by half. linear-start linearises about the start of the step, linear about the "
                   "motion without contacts, adonis again where that is not enough, balanced until momentum "
                   "is balanced.\n\nThe whole map takes about two "
                   "hours, most of which go into the smallest time steps: --keep lets it be interrupted.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench stability --dt 3 --speeds 2 --duration 0.1\tone point of the map\n"
                    "bench stability --keep map.txt --plot map.svg\tthe whole map: two hours",
    };
    int code;
    if (plait_cli_parse(&command, argc, argv, &code) < 0)
        return code;
    if (!dt) {
        for (int k = 0; k < 14; k++)
            j.dt[j.dts++] = 5e-3 * pow(10, k / 3.0);
    } else if ((j.dts = plait_cli_read_reals("--dt", dt, 1e-6, 1e4, j.dt, MAX_DT)) < 0) {
        return PLAIT_EXIT_BAD;
    }
    j.speeds = plait_cli_read_reals("--speeds", speeds, 1e-6, 1e6, j.speed, MAX_SPEEDS);
    j.responses = j.speeds > 0 ? plait_bench_read_responses(schemes, j.response, MAX_RESPONSES) : -1;
    if (j.responses < 0)
        return PLAIT_EXIT_BAD;
    qsort(j.dt, (size_t)j.dts, sizeof *j.dt, compare);
    qsort(j.speed, (size_t)j.speeds, sizeof *j.speed, compare);
    plait_bench_keep *keep = keep_path ? plait_bench_keep_open(keep_path) : NULL;
    if (keep_path && !keep)
        return PLAIT_EXIT_BAD;
    j.motion = plait_cli_alloc((size_t)(j.responses * j.speeds * j.dts), sizeof *j.motion);
    plait_cli_progress progress = plait_cli_progress_start("bench", verbose);
    code = run_all(&j, keep, &progress) ? finish(&j, json, plot) : PLAIT_EXIT_BAD;
    plait_bench_keep_close(keep), free(j.motion);
    return code;
}
