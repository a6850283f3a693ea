// Solving the neighbourhood of the worst contacts apart, in turn with gradient steps.
#include "contact/patch.h"
#include "check.h"
#include "plait/plait.h"

typedef struct trial {
    plait_problem *p;
    plait_solve_options options;
    plait_system *sys;
    plait_solution *s;
} trial;

static trial begin(int rods, double nu, bool heavy, double tol)
{
    plait_fibre_options o = plait_default_fibre_options();
    o.rods = rods, o.vertices = 12, o.nu = nu, o.heavy = heavy, o.seed = 21;
    trial t = {.p = plait_problem_generate_fibres(&o, NULL), .options = plait_default_solve_options()};
    t.options.threads = 1;
    t.s = plait_solution_new(t.p->n);
    double sum = 0;
    for (int i = 0; i < 3 * t.p->n; i++)
        sum += t.p->b[i] * t.p->b[i];
    return t.options.tol = tol, t.s->u[0] = sqrt(sum), t;
}

static void make_system(trial *t)
{
    t->sys = plait_system_new(t->p, &t->options, NULL);
    t->sys->norm_b = t->s->u[0], t->sys->target = t->options.tol * t->sys->norm_b;
    t->sys->name = "patch";
}

static void end(trial *t)
{
    plait_system_free(t->sys), plait_solution_free(t->s), plait_problem_free(t->p);
}

CASE(alone_it_solves_a_loose_assembly)
{
    trial t = begin(30, 0.5, true, 1e-7);
    make_system(&t);
    plait_outcome out;
    plait_certificate c;
    CHECK(plait_solve_patch(t.sys, 60, t.s->r, t.s->u, &out));
    CHECK(t.sys->shift == NULL); // nothing stays held
    plait_problem_certify(t.p, t.s, &c, NULL);
    CHECK(c.residual_rel <= 1.01e-7);
    CHECK_REL(out.residual / t.sys->norm_b, c.residual_rel, 1e-3);
    end(&t);
}

// The others' impulses count: one contact is spoilt, and its neighbourhood finds the same solution again.
CASE(a_spoilt_contact_is_mended)
{
    trial t = begin(30, 0.4, false, 1e-9);
    plait_report report;
    plait_certificate c;
    plait_outcome out;
    double scale = t.s->u[0];
    CHECK(plait_problem_solve(t.p, &t.options, t.s, &report, NULL) == PLAIT_OK && report.converged);
    int heavy = 0;
    for (int i = 0; i < t.p->n; i++)
        heavy = t.s->r[3 * i] > t.s->r[3 * heavy] ? i : heavy;
    double was = t.s->r[3 * heavy];
    t.s->r[3 * heavy] *= 1.5;
    plait_problem_certify(t.p, t.s, &c, NULL);
    CHECK(c.residual_rel > 1e-4);
    t.s->u[0] = scale;
    make_system(&t);
    CHECK(plait_solve_patch(t.sys, 1, t.s->r, t.s->u, &out));
    plait_problem_certify(t.p, t.s, &c, NULL);
    CHECK(c.residual_rel < 1e-6);
    CHECK_REL(t.s->r[3 * heavy], was, 1e-4);
    end(&t);
}
