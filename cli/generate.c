// generate.c: `plait generate`: made-up problems to files.
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli.h"

typedef struct generate_options {
    plait_fibre_options fibre;
    int rods, contacts; // 0: not given
    const char *dt, *output;
    bool force, reduced;
} generate_options;

// "3 ms", "0.003 s", "3ms" or seconds without a unit.
static bool read_time(const char *text, double *seconds)
{
    static const struct {
        const char *name;
        double factor;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
    size_t length = strcspn(text, "smu \t");
    char number[64];
    if (length >= sizeof number)
        return false;
    memcpy(number, text, length);
    number[length] = 0;
    const char *unit = text + length;
    while (isspace((unsigned char)*unit))
        unit++;
    if (!plait_cli_read_real(number, seconds))
        return false;
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (strcmp(unit, units[i].name) == 0) {
            *seconds *= units[i].factor;
            return true;
        }
    }
    return false;
}

// Rods from contacts, where these are given: nu is then what makes the number of contacts exact.
static bool count_rods(generate_options *o)
{
    plait_fibre_options *f = &o->fibre;
    if (o->rods && o->contacts) {
        plait_cli_message("--rods and --contacts: give one of them, the other follows from nu");
        return false;
    }
    if (o->rods)
        f->rods = o->rods;
    if (o->contacts) {
        double rods = fmax(2, floor(o->contacts / (f->nu * f->vertices) + 0.5));
        f->rods = (int)fmin(rods, 1e8);
        f->nu = (double)o->contacts / ((double)f->rods * f->vertices);
    }
    return true;
}

static void describe(const generate_options *o, const plait_problem *p, plait_problem_text *text)
{
    const plait_fibre_options *f = &o->fibre;
    memset(text, 0, sizeof *text);
    snprintf(text->title, sizeof text->title, "fibres_%d_nu%.3g_mu%.3g_dt%.3gms%s%s%s", p->n, f->nu, f->mu, 1e3 * f->dt,
             f->heavy ? "_heavy" : "", f->along ? "_along" : "", f->rest ? "_rest" : "");
    snprintf(text->description, sizeof text->description,
             "plait %s generate fibres: %d rods of %d vertices, %d contacts, nu %.6g, mu %g, dt %g s, local %g, seed "
             "%llu%s%s%s",
             plait_version(), f->rods, f->vertices, p->n, f->nu, f->mu, f->dt, f->local, (unsigned long long)f->seed,
             f->heavy ? ", heavy: contacts also on the held root edges" : "",
             f->along ? ", along: contacts at the same arclength" : "",
             f->rest ? ", rest: loaded, many contacts stick" : "");
    snprintf(text->math_info, sizeof text->math_info,
             "M symmetric positive definite, one block per rod; w = 0, so a solution exists");
}

static int generate_fibres(const generate_options *o)
{
    plait_error error = {0};
    plait_problem_text text;
    if (!plait_cli_may_write(o->output, o->force))
        return PLAIT_EXIT_BAD;
    plait_cli_catch_interrupt();
    plait_problem *p = plait_problem_generate_fibres(&o->fibre, &error);
    bool ok = p && (!o->reduced || plait_problem_assemble(p, 0, &error) == PLAIT_OK);
    if (ok && plait_cli_interrupted()) {
        plait_problem_free(p);
        plait_cli_message("stopped; nothing was written");
        return plait_cli_interrupt_exit();
    }
    if (ok) {
        describe(o, p, &text);
        ok = (o->reduced ? plait_problem_write_local : plait_problem_write)(o->output, p, &text, &error) == PLAIT_OK;
    }
    if (ok)
        fprintf(stderr, "%s: %s contacts, %s rods of %d vertices, %s dofs, nu %.4g\n", o->output, plait_cli_count(p->n),
                plait_cli_count(o->fibre.rods), o->fibre.vertices,
                plait_cli_count(3 * (int64_t)o->fibre.rods * o->fibre.vertices), o->fibre.nu);
    plait_problem_free(p);
    return ok ? PLAIT_EXIT_OK : plait_cli_fail("%s", error.text);
}

int plait_cli_generate(int argc, char **argv)
{
    generate_options o = {.fibre = plait_default_fibre_options()};
    const plait_option options[] = {
        {"--rods", 'n', PLAIT_OPTION_INT, &o.rods, 2, 1e8, "N", "rods (default 100)"},
        {"--contacts", 'c', PLAIT_OPTION_INT, &o.contacts, 1, 5e8, "N", "instead: contacts; the rods follow from nu"},
        {"--vertices", 0, PLAIT_OPTION_INT, &o.fibre.vertices, 4, 1e4, "V", "vertices of a rod (default 30)"},
        {"--nu", 0, PLAIT_OPTION_REAL, &o.fibre.nu, 1e-6, 1e3, "X", "3 contacts / dofs (default 1)"},
        {"--mu", 0, PLAIT_OPTION_REAL, &o.fibre.mu, 0, 1e3, "M", "friction coefficient (default 0.3)"},
        {"--dt", 0, PLAIT_OPTION_TEXT, &o.dt, 0, 0, "H", "time step, '3ms' or '0.003' (default 3 ms)"},
        {"--seed", 0, PLAIT_OPTION_SEED, &o.fibre.seed, 0, 0, "S", "of the random numbers (default 1)"},
        {"--heavy", 0, PLAIT_OPTION_FLAG, &o.fibre.heavy, 0, 0, NULL,
         "contacts also on the held root edges, where W_ii is 1e4 times smaller"},
        {"--local", 0, PLAIT_OPTION_REAL, &o.fibre.local, 0, 1e6, "L",
         "rods stand on a grid and touch others about L spacings away\n(default 1.3; 0: any other rod)"},
        {"--along", 0, PLAIT_OPTION_FLAG, &o.fibre.along, 0, 0, NULL,
         "contacts join points at the same arclength, as in combed hair"},
        {"--rest", 0, PLAIT_OPTION_FLAG, &o.fibre.rest, 0, 0, NULL, "loaded and nearly still: many contacts stick"},
        {"--output", 'o', PLAIT_OPTION_TEXT, &o.output, 0, 0, "FILE", "the HDF5 file to write"},
        {"--reduced", 0, PLAIT_OPTION_FLAG, &o.reduced, 0, 0, NULL,
         "write W, q, mu (local form) instead of M, H, f, w, mu"},
        {"--force", 'f', PLAIT_OPTION_FLAG, &o.force, 0, 0, NULL, "write over a file that exists"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        "generate",
        "fibres -o FILE [options]",
        "Makes a contact problem of a bundle of hairs.",
        "Wavy hairs (40 um, 3.9 GPa, 1300 kg/m^3, 23 cm) hang from clamped roots, fall and swing; contacts join "
        "random\n"
        "points of neighbours at about the same height. The same seed gives the same file on every machine.",
        options,
        1,
        1,
        .examples = "generate fibres --rods 100 --nu 1 -o problem.hdf5\ta bundle of 100 hairs\n"
                    "generate fibres --contacts 5000 --nu 2 --heavy -o hard.hdf5\tover-constrained, with contacts at "
                    "the roots\n"
                    "generate fibres --rods 20 --reduced --seed 7 -o local.hdf5\tW, q, mu of another bundle"};
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    if (strcmp(argv[1], "fibres") != 0 && strcmp(argv[1], "fibers") != 0)
        return plait_cli_fail("generate: expected 'fibres', found '%s'", argv[1]);
    if (!o.output)
        return plait_cli_fail("generate fibres: expected -o FILE, found no file to write");
    if (o.dt && (!read_time(o.dt, &o.fibre.dt) || !(o.fibre.dt > 0)))
        return plait_cli_fail("--dt: expected a time step like '3ms' or '0.003 s', found '%s'", o.dt);
    return count_rods(&o) ? generate_fibres(&o) : PLAIT_EXIT_BAD;
}
