// bench_units.c: `plait bench units`: the same problem in other units. Solvers must not see a difference.
#include <math.h>
#include <stdlib.h>

#include "bench.h"

enum { MAX_POWERS = 32 };

typedef struct job {
    double contacts, nu;
    int powers_b, powers_W;
    double power_b[MAX_POWERS], power_W[MAX_POWERS];
    bool tens;
    plait_solve_options base;
} job;

// 10^k, or the power of two that is nearest to it: that rounds no number of a problem.
static double factor(const job *j, double k)
{
    return j->tens ? pow(10, k) : ldexp(1, (int)lround(k * log2(10)));
}

// p with b and W times so much: f and w grow with b; M and f shrink as W grows.
static plait_problem *scaled(const plait_problem *p, double b, double W, plait_error *error)
{
    const plait_dynamics *y = p->dynamics;
    size_t dofs = (size_t)y->dofs, entries = (size_t)y->M.ptr[y->dofs], rows = 3 * (size_t)p->n;
    double *x = malloc((entries + dofs + rows) * sizeof *x), *f = x + entries, *w = f + dofs;
    if (!x) {
        plait_cli_message("not enough memory");
        return NULL;
    }
    for (size_t i = 0; i < entries; i++)
        x[i] = y->M.val[i] / W;
    for (size_t i = 0; i < dofs; i++)
        f[i] = y->f[i] / W * b;
    for (size_t i = 0; i < rows; i++)
        w[i] = y->w[i] * b;
    plait_sparse M = y->M;
    M.val = x;
    plait_problem *q = plait_problem_from_dynamics(3, p->n, &M, &y->H, f, w, p->mu, error);
    free(x);
    return q;
}

// "17": iterations to the tolerance; "17, no": not there; "refused": with a message.
static void cell(plait_table *table, const plait_problem *p, const plait_solve_options *o, double b, double W,
                 bool *lied)
{
    plait_error error = {0};
    plait_report report = {0};
    plait_problem *q = scaled(p, b, W, &error);
    plait_solution *s = q ? plait_solution_new(q->n) : NULL;
    plait_status status = s ? plait_problem_solve(q, o, s, &report, &error) : PLAIT_NO_MEMORY;
    if (status != PLAIT_OK)
        plait_table_cell(table, "%s", error.text[0] ? "refused" : "failed");
    else
        plait_table_cell(table, report.converged ? "%d" : "%d, no", report.iterations);
    *lied |= status != PLAIT_OK ? !error.text[0] : !(report.certificate.residual_rel <= 1 || !report.converged);
    plait_solution_free(s), plait_problem_free(q);
}

static bool print_table(const job *j, const plait_problem *p)
{
    char title[2 * MAX_POWERS][24];
    const char *titles[2 * MAX_POWERS + 2] = {"<solver"};
    int columns = 0;
    bool lied = false;
    for (int k = 0; k < j->powers_b; k++, columns++)
        snprintf(title[columns], sizeof *title, "b 1e%g", j->power_b[k]);
    for (int k = 0; k < j->powers_W; k++, columns++)
        snprintf(title[columns], sizeof *title, "W 1e%g", j->power_W[k]);
    for (int k = 0; k < columns; k++)
        titles[k + 1] = title[k];
    plait_table *table = plait_table_new(titles);
    for (int s = 0; s < PLAIT_SOLVER_COUNT && !plait_cli_interrupted(); s++) {
        plait_solve_options o = j->base;
        o.solver = (plait_solver)s;
        plait_table_cell(table, "%s", plait_solver_name(o.solver));
        for (int k = 0; k < j->powers_b; k++)
            cell(table, p, &o, factor(j, j->power_b[k]), 1, &lied);
        for (int k = 0; k < j->powers_W; k++)
            cell(table, p, &o, 1, factor(j, j->power_W[k]), &lied);
    }
    plait_table_end(table);
    return !lied;
}

static int run(const job *j, uint64_t seed)
{
    plait_bench_problem problem;
    plait_error error = {0};
    if (!plait_bench_fibres(j->contacts, j->nu, false, 0.3, seed, &problem))
        return PLAIT_EXIT_BAD;
    plait_problem *p = plait_problem_generate_fibres(&problem.fibres, &error);
    if (!p)
        return plait_cli_fail("%s", error.text);
    printf("%s contacts, nu %s: iterations to %g, with b and W times %s\n\n", plait_cli_count(p->n),
           plait_cli_number(3.0 * p->n / p->dynamics->dofs), j->base.tol,
           j->tens ? "powers of ten" : "the powers of two that are nearest to these powers of ten");
    bool honest = print_table(j, p);
    plait_problem_free(p);
    if (plait_cli_interrupted())
        return plait_cli_interrupt_exit();
    if (!plait_cli_flush(stdout, "standard output"))
        return PLAIT_EXIT_BAD;
    return honest ? PLAIT_EXIT_OK : PLAIT_EXIT_NO;
}

int plait_bench_units(int argc, char **argv)
{
    job j = {.contacts = 60, .nu = 0.7, .base = plait_default_solve_options()};
    const char *b = "0,-300,-200,-80,80,200,300", *W = "-200,-100,100,200";
    uint64_t seed = 1;
    j.base.tol = 1e-8, j.base.max_time = 0, j.base.threads = 1;
    const plait_option options[] = {
        {"--contacts", 0, PLAIT_OPTION_REAL, &j.contacts, 6, 1e8, "N", "contacts, about (default 60)"},
        {"--nu", 0, PLAIT_OPTION_REAL, &j.nu, 1e-3, 100, "NU", "3 contacts / degrees of freedom (default 0.7)"},
        {"--b", 0, PLAIT_OPTION_TEXT, &b, 0, 0, "A,B,C", "powers of ten for b (default 0,-300,-200,-80,80,200,300)"},
        {"--W", 0, PLAIT_OPTION_TEXT, &W, 0, 0, "A,B,C", "powers of ten for W (default -200,-100,100,200)"},
        {"--tol", 't', PLAIT_OPTION_REAL, &j.base.tol, 1e-300, 1, "TOL", "tolerance (default 1e-8)"},
        {"--tens", 0, PLAIT_OPTION_FLAG, &j.tens, 0, 0, NULL,
         "powers of ten themselves, which round every number of the problem"},
        {"--seed", 0, PLAIT_OPTION_SEED, &seed, 0, 0, "N", "another problem (default 1)"},
        {NULL, 0, PLAIT_OPTION_FLAG, NULL, 0, 0, NULL, NULL},
    };
    const plait_command command = {
        .name = "bench units",
        .usage = "[options]",
        .summary = "Iterations of every solver on one problem in other units: b and W times powers.",
        .details = "Problems are brought to ordinary numbers on entry: iterations are the same, or the problem is refused "
                   "with a message. Factors are powers of two: powers of ten (--tens) round all numbers of a problem, by a part "
                   "of 1e-16, and what that does to solvers shows beside what units do. Exit code: 1 if a solver failed without a message.",
        .options = options,
        .min_words = 0,
        .max_words = 0,
        .examples = "bench units --contacts 20 --b 0,-300,300 --W 200\ta small problem\n"
                    "bench units --nu 1.2\ta harder one",
    };
    int code, words = plait_cli_parse(&command, argc, argv, &code);
    if (words < 0)
        return code;
    j.powers_b = plait_cli_read_reals("--b", b, -300, 300, j.power_b, MAX_POWERS);
    j.powers_W = plait_cli_read_reals("--W", W, -300, 300, j.power_W, MAX_POWERS);
    return j.powers_b < 0 || j.powers_W < 0 ? PLAIT_EXIT_BAD : run(&j, seed);
}
