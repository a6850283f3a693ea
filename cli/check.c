// check.c: `plait check`: what is strange about a scene, and how large it is, before it is run.
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "plait/plait.h"
#include "scenes.h"

enum { PROBE = 3 }; // steps

typedef struct check_options {
    bool json, no_probe;
    const char *set; // taken out before parsing; here for the help
    int overrides, threads;
    const char **override;
} check_options;

// What the first steps were like.
typedef struct probe {
    int steps, contacts;
    bool failed;
    const char *reason;
    double seconds, dt; // of one step
    double memory;      // [MB] of the whole program at most
} probe;

// "43 cm", "0.12 mm": three digits and the unit that fits.
static const char *length(double x, char text[32])
{
    double a = fabs(x);
    const char *unit = a >= 1 ? "m" : a >= 0.01 ? "cm" : a >= 1e-4 ? "mm" : "um";
    double scale = a >= 1 ? 1 : a >= 0.01 ? 100 : a >= 1e-4 ? 1000 : 1e6;
    snprintf(text, 32, "%.3g %s", x * scale, a == 0 ? "m" : unit);
    return text;
}

static const char *box(const double low[3], const double high[3], char text[128])
{
    char side[3][32];
    snprintf(text, 128, "%s x %s x %s", length(high[0] - low[0], side[0]), length(high[1] - low[1], side[1]),
             length(high[2] - low[2], side[2]));
    return text;
}

static bool run_probe(const plait_scene *scene, const check_options *o, probe *p, plait_error *error)
{
    plait_sim *sim = plait_sim_new(scene, error);
    if (!sim)
        return false;
    plait_sim_set_threads(sim, o->threads);
    double start = plait_cli_wall();
    plait_status status = PLAIT_OK;
    for (; status == PLAIT_OK && p->steps < PROBE && !p->failed && !plait_cli_interrupted(); p->steps++) {
        plait_sim_report report;
        status = plait_sim_step(sim, INFINITY, &report, error);
        if (status != PLAIT_OK || report.stopped) // a part of a step tells nothing of one
            break;
        p->failed = report.failed, p->reason = report.reason, p->dt = report.dt;
        p->contacts = report.contacts > p->contacts ? report.contacts : p->contacts;
    }
    p->seconds = p->steps > 0 ? (plait_cli_wall() - start) / p->steps : 0;
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    p->memory = (double)usage.ru_maxrss / 1024;
    plait_sim_free(sim);
    return status == PLAIT_OK;
}

static void print_line(const char *name, const char *text)
{
    printf("%-16s%s\n", name, text);
}

static void print_words(const plait_scene *s, const plait_review *r, const probe *p)
{
    char text[512], a[128], b[128];
    print_line("scene", s->name);
    snprintf(text, sizeof text, "%s fibres, %s rigid bodies, %s colliders", plait_cli_count(r->fibres),
             plait_cli_count(r->rigids), plait_cli_count(r->colliders));
    print_line("holds", text);
    if (r->cloths + r->solids > 0) {
        snprintf(text, sizeof text, "%s pieces of cloth, %s soft solids", plait_cli_count(r->cloths),
                 plait_cli_count(r->solids));
        print_line("", text);
    }
    if (r->bonds + r->ties > 0) {
        snprintf(text, sizeof text, "%s bonds, %s ties at the start", plait_cli_count(r->bonds),
                 plait_cli_count(r->ties));
        print_line("", text);
    }
    snprintf(text, sizeof text, "%s nodes, %s degrees of freedom", plait_cli_count(r->nodes), plait_cli_count(r->dofs));
    print_line("size", text);
    if (r->fibres > 0) {
        snprintf(text, sizeof text, "%s .. %s", length(r->shortest, a), length(r->longest, b));
        print_line("fibre lengths", text);
    }
    print_line("box", box(r->low, r->high, a));
    for (int i = 0; i < s->colliders; i++) {
        double low[3], high[3];
        if (!plait_collider_box(&s->collider[i], low, high))
            continue;
        snprintf(text, sizeof text, "%s: %s", s->collider[i].name, box(low, high, a));
        print_line(i ? "" : "colliders", text);
    }
    snprintf(text, sizeof text, "%s places near each other, %s overlap, %s fibres inside of colliders",
             plait_cli_count(r->near), plait_cli_count(r->overlaps), plait_cli_count(r->inside));
    print_line("at the start", text);
    if (p->steps > 0) {
        snprintf(text, sizeof text, "about %s (most in the first %d steps; piles get more)",
                 plait_cli_count(p->contacts), p->steps);
        print_line("contacts", text);
        snprintf(text, sizeof text, "about %.3g MB", p->memory);
        print_line("memory", text);
        double steps = s->output.duration / s->stepping.dt;
        snprintf(text, sizeof text,
                 "about %s per step, %.3g steps of %g s: %s in all (an estimate by the first %d steps)",
                 plait_cli_seconds(p->seconds), steps, s->stepping.dt, plait_cli_seconds(steps * p->seconds), p->steps);
        print_line("time", text);
    }
    if (p->failed)
        printf("%-16sstep %d failed: %s\n", "", p->steps, p->reason ? p->reason : "no reason given");
    for (int i = 0; i < r->warnings; i++)
        printf("warning: %s: %s\n", r->warning[i].path, r->warning[i].text);
    if (r->warnings == 0)
        print_line("warnings", "none");
}

static void json_box(plait_json *json, const char *name, const double low[3], const double high[3])
{
    plait_json_begin(json, name, '[');
    for (int k = 0; k < 6; k++)
        plait_json_real(json, NULL, k < 3 ? low[k] : high[k - 3]);
    plait_json_end(json, ']');
}

static void print_json(const plait_scene *s, const plait_review *r, const probe *p)
{
    plait_json json;
    plait_json_start(&json);
    plait_json_string(&json, "scene", s->name);
    plait_json_int(&json, "fibres", r->fibres);
    plait_json_int(&json, "rigids", r->rigids);
    plait_json_int(&json, "colliders", r->colliders);
    plait_json_int(&json, "cloths", r->cloths);
    plait_json_int(&json, "solids", r->solids);
    plait_json_int(&json, "bonds", r->bonds);
    plait_json_int(&json, "ties", r->ties);
    plait_json_int(&json, "nodes", r->nodes);
    plait_json_int(&json, "dofs", r->dofs);
    plait_json_real(&json, "shortest", r->shortest);
    plait_json_real(&json, "longest", r->longest);
    json_box(&json, "box", r->low, r->high);
    plait_json_int(&json, "near", r->near);
    plait_json_int(&json, "overlaps", r->overlaps);
    plait_json_real(&json, "deepest", r->deepest);
    plait_json_int(&json, "inside", r->inside);
    plait_json_int(&json, "steps", p->steps);
    plait_json_int(&json, "contacts", p->contacts);
    plait_json_real(&json, "memory_mb", p->steps > 0 ? p->memory : NAN);
    plait_json_real(&json, "seconds_per_step", p->steps > 0 ? p->seconds : NAN);
    plait_json_begin(&json, "warnings", '[');
    for (int i = 0; i < r->warnings; i++) {
        plait_json_begin(&json, NULL, '{');
        plait_json_string(&json, "path", r->warning[i].path);
        plait_json_string(&json, "text", r->warning[i].text);
        plait_json_end(&json, '}');
    }
    plait_json_end(&json, ']');
    plait_json_end(&json, '}');
}

static int check(const char *word, const check_options *o)
{
    plait_error error = {0};
    plait_scene *scene = plait_cli_load_scene(word, o->overrides, o->override, &error);
    if (!scene)
        return plait_cli_fail("%s", error.text);
    plait_review review;
    probe p = {0};
    bool ok = plait_scene_review(scene, &review, &error) == PLAIT_OK;
    bool still = scene->fibres == 0 && scene->rigids == 0;
    if (ok && !(o->no_probe || still || run_probe(scene, o, &p, &error)))
        plait_review_free(&review), ok = false;
    int code = ok ? PLAIT_EXIT_OK : plait_cli_fail("%s: %s", word, error.text);
    if (ok && plait_cli_interrupted()) {
        plait_cli_message("stopped; '%s' was not looked at to the end", word);
        code = plait_cli_interrupt_exit();
        plait_review_free(&review);
    } else if (ok) {
        (o->json ? print_json : print_words)(scene, &review, &p);
        code = !plait_cli_flush(stdout, "standard output") ? PLAIT_EXIT_BAD
               : review.warnings > 0 || p.failed           ? PLAIT_EXIT_NO
                                                           : PLAIT_EXIT_OK;
        plait_review_free(&review);
    }
    plait_scene_free(scene);
    return code;
}

int plait_cli_check(int argc, char **argv)
{
    check_options o = {0};
    const plait_option options[] = {
        {"--set", 0, PLAIT_OPTION_TEXT, &o.set, 0, 0, "PATH=VALUE",
         "another value for something in the scene; may be given often"},
        {"--no-probe", 0, PLAIT_OPTION_FLAG, &o.no_probe, 0, 0, NULL,
         "take no step: no contacts, memory and time are told"},
        {"--threads", 'j', PLAIT_OPTION_INT, &o.threads, 0, 1024, "N",
         "threads of the first steps (default 0: as many as OpenMP gives)"},
        {"--json", 0, PLAIT_OPTION_FLAG, &o.json, 0, 0, NULL, "a JSON object instead of lines"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "check",
        .usage = "SCENE [options]",
        .summary = "Looks at a scene before it is run: sizes, overlaps, what is strange, what it will cost.",
        .details =
            "SCENE is a YAML file or the name of a scene that is built in. Lengths are told in readable units, so "
            "that a head of 43 m shows. The first 3 steps are tried, for the number of contacts, the memory and "
            "the time per step: an estimate, as these are for how the scene begins. Nothing is written. 'plait "
            "run' prints the same warnings.\n\n"
            "Exit code: 0 no warnings, 1 some, 2 bad input.",
        .options = options,
        .min_words = 1,
        .max_words = 1,
        .examples = "check my.yaml\tis it what I meant?\n"
                    "check pony-small --json\tfor a script",
    };
    argc = plait_cli_take_overrides(argc, argv, 0, &o.override, &o.overrides);
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words >= 0) {
        plait_cli_catch_interrupt();
        code = check(argv[1], &o);
    }
    free(o.override);
    return code;
}
