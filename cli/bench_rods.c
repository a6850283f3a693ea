// bench_rods.c: `plait bench rods`: steps per second of single rods.
//
// A hair of 30 vertices hangs in gravity from a root that is shaken and turned, as on a head. Every step is a full
// step: root script, nonlinear solve, new state. CPU seconds of one thread.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rods.h"

static const double PI = 3.14159265358979323846;

typedef struct run {
    plait_rod_model model;
    plait_step_scheme scheme;
    double dt;
    int vertices;
    bool still; // the root is held where it is
} run;

typedef struct outcome {
    double rate;       // steps per CPU second
    double iterations; // per step
    double failed;     // part of the steps
    double stretch;    // largest
    int dofs;
} outcome;

// K14's hair: E = 3.9e9 g/(cm s^2), r = 37 um; 15 cm long, slightly curly. Longer for more than 30 vertices, so that
// the segments stay the same.
static plait_rod *make_hair(const run *r)
{
    const plait_material hair = {.radius = {37e-6}, .density = 1320, .young = 3.9e8, .poisson = 0.45, .damping = 1e-3};
    double length = 0.15 * (r->vertices - 1) / 29, points[6] = {0, 0, 0, 0.6 * length, 0, -0.8 * length};
    plait_rod_def def = plait_default_rod_def();
    plait_error error = {0};
    plait_rod *rod = NULL;
    if (plait_material_section(&hair, &def.section, &error) == PLAIT_OK) {
        def.model = r->model;
        def.point_count = 2;
        def.points = points;
        def.segments = r->vertices - 1;
        def.natural = PLAIT_NATURAL_CONSTANT;
        def.curvature[0] = 20;
        def.twist = 5;
        def.end[0].kind = PLAIT_END_CLAMPED;
        def.gravity[2] = -9.81;
        rod = plait_rod_new(&def, &error);
    }
    if (!rod)
        plait_cli_message("%s", error.text);
    return rod;
}

// The root at time t: a few centimetres and a nod of half a radian, about once a second.
static void move_root(plait_rod *rod, const plait_end *rest, double t)
{
    plait_end end = *rest;
    double a = 0.5 * sin(2 * PI * 1.1 * t), c = cos(a), s = sin(a);
    end.position[0] += 0.03 * sin(2 * PI * 0.9 * t);
    end.position[1] += 0.02 * sin(2 * PI * 1.3 * t);
    double *vectors[2] = {end.tangent, end.director};
    for (int k = 0; k < 2; k++) {
        double x = vectors[k][0], y = vectors[k][1];
        vectors[k][0] = c * x - s * y, vectors[k][1] = s * x + c * y;
    }
    plait_rod_set_end(rod, 0, &end, NULL);
}

static bool measure(const run *r, double seconds, outcome *out)
{
    plait_rod *rod = make_hair(r);
    if (!rod)
        return false;
    plait_step_options options = plait_default_step_options();
    options.scheme = r->scheme;
    plait_end rest = plait_rod_get_end(rod, 0);
    long steps = 0, iterations = 0, failed = 0, warm = r->vertices > 300 ? 2 : 50;
    double start = 0, spent = 0;
    *out = (outcome){.dofs = plait_rod_dofs(rod)};
    for (long k = 0; !plait_cli_interrupted(); k++) {
        plait_step_report report;
        if (k == warm)
            start = plait_cli_cpu();
        if (!r->still)
            move_root(rod, &rest, (double)(k + 1) * r->dt);
        if (plait_rod_step(rod, r->dt, &options, &report, NULL) != PLAIT_OK)
            break;
        if (k < warm)
            continue;
        steps++;
        iterations += report.iterations;
        failed += !report.converged;
        out->stretch = fmax(out->stretch, report.stretch);
        if ((steps & (r->vertices > 300 ? 0 : 63)) == 0 && (spent = plait_cli_cpu() - start) > seconds)
            break;
    }
    plait_rod_free(rod);
    if (!steps || spent <= 0)
        return false;
    out->rate = (double)steps / spent;
    out->iterations = (double)iterations / (double)steps;
    out->failed = (double)failed / (double)steps;
    return true;
}

// Arithmetic of one Newton iteration and memory of one rod, estimated from the source, per segment. A banded matrix of
// half-width 10 takes 230 operations per dof to factorise and 40 to solve, a dense one of d rows d^3/3 and 2 d^2.
// Discrete elastic rods: frames and strains 250, forces 180, second derivatives 1000, assembly 100. Memory is what a
// step of a rod reads and writes if nothing of it is in a cache, in doubles.
static const struct {
    double flops, doubles; // per segment, without the matrix
    bool dense;
} costs[PLAIT_ROD_MODEL_COUNT] = {
    [PLAIT_ROD_DER] = {1530, 170, false},
    [PLAIT_ROD_SUPERHELIX] = {6000, 250, true},
    [PLAIT_ROD_MASS_SPRING] = {700, 90, false},
    [PLAIT_ROD_CORDE] = {1600, 220, false},
};

static double flops_of(const run *r, const outcome *o)
{
    double d = o->dofs, n = r->vertices - 1,
           matrix = costs[r->model].dense ? d * d * d / 3 + 2 * d * d + 400 * n * n : 270 * d;
    return (costs[r->model].flops * n + matrix) * o->iterations;
}

static double bytes_of(const run *r, const outcome *o)
{
    double d = o->dofs, matrix = costs[r->model].dense ? d * d : 13 * d;
    return 8 * (costs[r->model].doubles * (r->vertices - 1) + matrix);
}

typedef struct settings {
    double seconds;
    bool json;
    const plait_rod_model *only;
} settings;

static void report_run(const run *r, const outcome *o, plait_table *table, plait_json *json, bool as_json)
{
    static const char *const schemes[] = {"nonlinear", "linear", "explicit"};
    double flops = flops_of(r, o), bytes = bytes_of(r, o);
    if (as_json) {
        plait_json_begin_flat(json, NULL, '{');
        plait_json_string(json, "model", plait_rod_model_name(r->model));
        plait_json_string(json, "scheme", schemes[r->scheme]);
        plait_json_real(json, "dt", r->dt);
        plait_json_int(json, "vertices", r->vertices);
        plait_json_int(json, "dofs", o->dofs);
        plait_json_real(json, "steps_per_second", o->rate);
        plait_json_real(json, "iterations_per_step", o->iterations);
        plait_json_real(json, "failed", o->failed);
        plait_json_real(json, "stretch", o->stretch);
        plait_json_real(json, "flops_per_step", flops);
        plait_json_real(json, "bytes_per_step", bytes);
        plait_json_end(json, '}');
        return;
    }
    plait_table_cell(table, "%s", plait_rod_model_name(r->model));
    plait_table_cell(table, "%s", schemes[r->scheme]);
    plait_table_cell(table, "%s", plait_cli_seconds(r->dt));
    plait_table_cell(table, "%d", r->vertices);
    plait_table_cell(table, "%d", o->dofs);
    plait_table_cell(table, "%.0f", o->rate);
    plait_table_cell(table, "%.2f", o->iterations);
    plait_table_cell(table, "%.2f %%", 100 * o->failed);
    plait_table_cell(table, "%.3g", 1e6 / (o->rate * r->vertices));
    plait_table_cell(table, "%s", plait_cli_number(flops / 1e3));
    plait_table_cell(table, "%s", plait_cli_number(flops * o->rate / 1e9));
    plait_table_cell(table, "%s", plait_cli_number(flops / bytes));
}

static bool bench_one(const settings *s, const run *r, plait_table *table, plait_json *json)
{
    outcome o;
    bool ok = measure(r, s->seconds, &o);
    if (ok)
        report_run(r, &o, table, json, s->json);
    return ok;
}

static int bench(const settings *s)
{
    static const char *const titles[] = {"<model",  "<scheme",    "dt",     "vertices",  "dofs",
                                         "steps/s", "iterations", "failed", "us/vertex", "kflop/step",
                                         "Gflop/s", "flop/byte",  NULL};
    static const plait_step_scheme schemes[] = {PLAIT_STEP_LINEAR, PLAIT_STEP_NONLINEAR};
    static const double steps[] = {1e-3, 1e-2};
    static const int sizes[] = {10, 100, 1000, 10000};
    plait_table *table = plait_table_new(titles);
    plait_json json;
    plait_json_open(&json, stdout);
    if (s->json)
        plait_json_begin(&json, NULL, '[');
    bool ok = true;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!plait_rod_model_name((plait_rod_model)m) || (s->only && *s->only != (plait_rod_model)m))
            continue;
        for (int k = 0; k < 4 && !plait_cli_interrupted(); k++) {
            run r = {(plait_rod_model)m, schemes[k / 2], steps[k % 2], 30, false};
            ok = bench_one(s, &r, table, &json) && ok;
        }
    }
    if (!s->json)
        plait_table_rule(table);
    for (int k = 0; k < 4 && !plait_cli_interrupted() && (!s->only || *s->only == PLAIT_ROD_DER); k++) {
        run r = {PLAIT_ROD_DER, PLAIT_STEP_LINEAR, 1e-3, sizes[k], true};
        ok = bench_one(s, &r, table, &json) && ok;
    }
    if (!s->json)
        plait_table_end(table);
    else
        plait_json_end(&json, ']'), plait_table_free(table);
    if (plait_cli_interrupted())
        return plait_cli_interrupt_exit();
    return plait_cli_flush(stdout, "standard output") && ok ? PLAIT_EXIT_OK : PLAIT_EXIT_BAD;
}

int plait_bench_rods(int argc, char **argv)
{
    settings s = {.seconds = 0.5};
    const char *name = NULL;
    plait_rod_model model;
    const plait_option options[] = {
        {"--model", 'm', PLAIT_OPTION_TEXT, &name, 0, 0, "M",
         "only this rod model: der, superhelix, mass-spring, corde"},
        {"--seconds", 0, PLAIT_OPTION_REAL, &s.seconds, 0.01, 1000, "S", "CPU seconds for each row (default 0.5)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &s.json, 0, 0, NULL, "a JSON array instead of a table"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench rods",
        .usage = "[options]",
        .summary = "Steps per second of one rod on one core.",
        .details =
            "A hair of 30 vertices in gravity, its root shaken and turned, in every model; then discrete elastic rods "
            "of up to 10 000 vertices that fall, whose cost per vertex should not change. Arithmetic and memory are "
            "estimated from the source.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench rods --seconds 0.02\ta quick look\n"
                    "bench rods --model der\tdiscrete elastic rods alone",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (name && !plait_cli_read_model(name, &model))
        return PLAIT_EXIT_BAD;
    s.only = name ? &model : NULL;
    plait_cli_catch_interrupt();
    return bench(&s);
}
