// laws.c: laws besides Coulomb's, in every solver and before the judge; bonds.
#include "toy_laws.h"

#include "base/rng.h"
#include "check.h"
#include "plait/generate.h"

// ---- one contact -----------------------------------------------------------------------------------------------------

static plait_problem *one_contact(double mass, const double b[3], double mu, int law, const double p[PLAIT_LAW_NUMBERS])
{
    double val[3] = {1 / mass, 1 / mass, 1 / mass};
    int64_t ptr[4] = {0, 1, 2, 3};
    int col[3] = {0, 1, 2};
    plait_sparse W = {3, 3, ptr, col, val};
    plait_problem *x = plait_problem_from_delassus(3, 1, &W, b, &mu, NULL);
    CHECK_INT(plait_problem_set_laws(x, toy_laws, TOY_LAWS, (const unsigned char[]){(unsigned char)law}, p, NULL),
              PLAIT_OK);
    return x;
}

static void solve_one(plait_problem *p, plait_solver solver, double r[3], double u[3])
{
    plait_solution *s = plait_solution_new(1);
    plait_solve_options options = plait_default_solve_options();
    plait_report report;
    options.solver = solver, options.tol = 1e-10;
    CHECK_INT(plait_problem_solve(p, &options, s, &report, NULL), PLAIT_OK);
    CHECK(report.converged);
    memcpy(r, s->r, 3 * sizeof *r), memcpy(u, s->u, 3 * sizeof *u);
    plait_solution_free(s), plait_problem_free(p);
}

// A mass that is pulled off: it stays up to the tension, and leaves with what is over.
CASE(cohesion_has_a_closed_form)
{
    const double mass = 2, c = 3, mu = 0.5, p[PLAIT_LAW_NUMBERS] = {3, 1};
    double r[3], u[3];
    for (double pull = 0.25; pull < 4; pull += 0.5) {
        solve_one(one_contact(mass, (double[]){pull, 0, 0}, mu, TOY_COHESION, p), PLAIT_SOLVER_AUTO, r, u);
        CHECK_NEAR(r[0], -fmin(c, mass * pull), 1e-9);
        CHECK_NEAR(u[0], fmax(0, pull - c / mass), 1e-9);
    }
    // Pushed together and dragged: friction acts on r_N + c.
    solve_one(one_contact(mass, (double[]){-1, 5, 0}, mu, TOY_COHESION, p), PLAIT_SOLVER_AUTO, r, u);
    CHECK_NEAR(r[0], 2, 1e-9), CHECK_NEAR(r[1], -mu * (2 + c), 1e-9);
    CHECK_NEAR(u[1], 5 - mu * (2 + c) / mass, 1e-9);
}

// Glue: u_N = b_N / (1 + K / m) while it opens; dragged under pressure, friction and glue add up.
CASE(glue_has_a_closed_form)
{
    const double mass = 2, mu = 0.5, p[PLAIT_LAW_NUMBERS] = {6, 4};
    double r[3], u[3];
    solve_one(one_contact(mass, (double[]){1, 0, 0}, mu, TOY_GLUE, p), PLAIT_SOLVER_AUTO, r, u);
    CHECK_NEAR(u[0], 1 / (1 + 6 / mass), 1e-9);
    CHECK_NEAR(r[0], -6 * u[0], 1e-9);
    solve_one(one_contact(mass, (double[]){-1, 5, 0}, mu, TOY_GLUE, p), PLAIT_SOLVER_AUTO, r, u);
    CHECK_NEAR(u[0], 0, 1e-9), CHECK_NEAR(r[0], mass, 1e-9);
    CHECK_NEAR(u[1], (5 - mu * mass / mass) / (1 + 4 / mass), 1e-9);
    CHECK_NEAR(r[1], -mu * mass - 4 * u[1], 1e-9);
}

CASE(bad_laws_are_refused)
{
    double b[3] = {1, 0, 0}, p[PLAIT_LAW_NUMBERS] = {3};
    plait_error error = {0};
    plait_problem *x = one_contact(1, b, 0.5, 1, p);
    CHECK_INT(plait_problem_set_laws(x, toy_laws, TOY_LAWS, (const unsigned char[]){7}, p, &error), PLAIT_BAD_INPUT);
    CHECK_INT(plait_problem_set_laws(x, toy_laws + 1, 2, (const unsigned char[]){0}, p, &error), PLAIT_BAD_INPUT);
    p[2] = NAN;
    CHECK_INT(plait_problem_set_laws(x, toy_laws, TOY_LAWS, (const unsigned char[]){1}, p, &error), PLAIT_BAD_INPUT);
    plait_problem_free(x);
}

// ---- many contacts ---------------------------------------------------------------------------------------------------

static plait_problem *fibres(int contacts, double nu)
{
    plait_fibre_options f = plait_default_fibre_options();
    f.rods = 3 * contacts / (int)(nu * 90) + 1, f.nu = nu, f.seed = 4;
    return plait_problem_generate_fibres(&f, NULL);
}

// Every third contact follows Coulomb's law, the others the given one (or all of them in turn).
static void mix(plait_problem *p, int law)
{
    unsigned char *index = calloc((size_t)p->n, 1);
    double *parameter = calloc((size_t)p->n * PLAIT_LAW_NUMBERS, sizeof *parameter);
    double speed = 0;
    for (int i = 0; i < 3 * p->n; i++)
        speed += p->b[i] * p->b[i] / (3 * p->n);
    speed = sqrt(speed);
    for (int i = 0; i < p->n; i++) {
        double *q = parameter + PLAIT_LAW_NUMBERS * i, s = p->trace[i] / 3;
        int every = law == TOY_WELD ? i % 7 == 1 : i % 3 != 0;
        index[i] = (unsigned char)(!every ? 0 : law > 0 ? law : i % TOY_WELD);
        if (index[i] == TOY_COHESION)
            q[0] = 0.3 * speed / s;
        if (index[i] == TOY_GLUE)
            q[0] = 0.7 / s, q[1] = 2 / s;
    }
    CHECK_INT(plait_problem_set_laws(p, toy_laws, TOY_LAWS, index, parameter, NULL), PLAIT_OK);
    free(index), free(parameter);
}

static void solve_with(const plait_problem *p, plait_solver solver, double tol, plait_solution *s)
{
    plait_solve_options options = plait_default_solve_options();
    plait_report report;
    options.solver = solver, options.tol = tol;
    CHECK_INT(plait_problem_solve(p, &options, s, &report, NULL), PLAIT_OK);
    if (!CHECK(report.converged))
        printf("  %s: residual %g after %d iterations\n", plait_solver_name(solver), report.certificate.residual_rel,
               report.iterations);
}

// All solvers find the same velocities; the interior point method, which knows cones only, for laws that have one.
CASE(every_solver_knows_every_law)
{
    for (int law = 0; law < TOY_LAWS; law++) {
        plait_problem *p = fibres(60, 0.4);
        if (!CHECK(p != NULL))
            return;
        mix(p, law);
        plait_solution *first = plait_solution_new(p->n), *s = plait_solution_new(p->n);
        solve_with(p, PLAIT_SOLVER_GS, 1e-9, first);
        for (int k = 0; k < PLAIT_SOLVER_COUNT; k++) {
            if (k == PLAIT_SOLVER_IPM && law == TOY_WELD)
                continue;
            memset(s->r, 0, 3 * (size_t)p->n * sizeof *s->r);
            solve_with(p, (plait_solver)k, 1e-9, s);
            double most = 0, size = 0;
            for (int i = 0; i < 3 * p->n; i++)
                most = fmax(most, fabs(s->u[i] - first->u[i])), size = fmax(size, fabs(p->b[i]));
            CHECK(most < 1e-6 * size);
        }
        plait_solution_free(first), plait_solution_free(s), plait_problem_free(p);
    }
}

CASE(the_interior_point_method_gives_up_on_laws_without_a_cone)
{
    plait_problem *p = fibres(60, 0.4);
    mix(p, TOY_WELD);
    plait_solution *s = plait_solution_new(p->n);
    plait_solve_options options = plait_default_solve_options();
    plait_report report;
    options.solver = PLAIT_SOLVER_IPM;
    CHECK_INT(plait_problem_solve(p, &options, s, &report, NULL), PLAIT_OK);
    CHECK(!report.converged);
    plait_solution_free(s), plait_problem_free(p);
}

// Index 0 everywhere is Coulomb's law: the same bits as without a table. One contact of another law that does nothing (no
// tension) sends all of them through the table, and changes nothing but rounding.
CASE(row_0_is_coulomb)
{
    plait_problem *p = fibres(80, 0.6), *q = fibres(80, 0.6);
    unsigned char *index = calloc((size_t)q->n, 1);
    CHECK_INT(plait_problem_set_laws(q, toy_laws, 1, index, NULL, NULL), PLAIT_OK);
    CHECK(q->laws == NULL);
    const plait_solver solvers[] = {PLAIT_SOLVER_GS, PLAIT_SOLVER_SPG, PLAIT_SOLVER_NEWTON_MFB, PLAIT_SOLVER_PROX,
                                    PLAIT_SOLVER_ADMM};
    for (int k = 0; k < 5; k++) {
        plait_solution *a = plait_solution_new(p->n), *b = plait_solution_new(p->n);
        solve_with(p, solvers[k], 1e-7, a), solve_with(q, solvers[k], 1e-7, b);
        CHECK(memcmp(a->r, b->r, 3 * (size_t)p->n * sizeof *a->r) == 0);
        plait_solution_free(a), plait_solution_free(b);
    }
    index[5] = TOY_COHESION;
    CHECK_INT(plait_problem_set_laws(q, toy_laws, TOY_LAWS, index, NULL, NULL), PLAIT_OK);
    plait_solution *a = plait_solution_new(p->n), *b = plait_solution_new(p->n);
    solve_with(p, PLAIT_SOLVER_PROX, 1e-10, a), solve_with(q, PLAIT_SOLVER_PROX, 1e-10, b);
    for (int i = 0; i < 3 * p->n; i++)
        CHECK_NEAR(a->u[i], b->u[i], 1e-9);
    plait_solution_free(a), plait_solution_free(b);
    free(index), plait_problem_free(p), plait_problem_free(q);
}

// ---- the functions of a row ------------------------------------------------------------------------------------------

// Jacobians against differences; the projection solves the contact whose W is 1/t and whose shift is held.
CASE(functions_of_a_row_agree)
{
    plait_rng rng = plait_rng_new(9, 9);
    double mu[1] = {0.6}, p[PLAIT_LAW_NUMBERS] = {0.4, 0.9};
    for (int k = 0; k < 300; k++) {
        unsigned char index[1] = {(unsigned char)(k % TOY_LAWS)};
        plait_laws l = {toy_laws, TOY_LAWS, mu, index, p};
        double r[3], u[3], F[3], G[3], F_r[9], F_u[9], s = 0.7, weight[2] = {0.8, 1.3};
        for (int a = 0; a < 3; a++)
            r[a] = plait_rng_normal(&rng), u[a] = plait_rng_normal(&rng);
        for (int form = 0; form < 2; form++) {
            if (form)
                plait_law_natural(&l, 0, weight, r, u, F, F_r, F_u);
            else
                plait_law_jacobian(&l, 0, s, r, u, F, F_r, F_u);
            for (int e = 0; e < 6; e++) {
                double x[3], y[3], step = 1e-7;
                memcpy(x, r, sizeof x), memcpy(y, u, sizeof y);
                (e < 3 ? x : y)[e % 3] += step;
                if (form)
                    plait_law_natural(&l, 0, weight, x, y, G, NULL, NULL);
                else
                    plait_law_residual(&l, 0, s, x, y, G);
                for (int a = 0; a < 3; a++)
                    CHECK_NEAR((e < 3 ? F_r : F_u)[3 * a + e % 3], (G[a] - F[a]) / step, 1e-4);
            }
        }
        double t = 0.3 + k % 5, shift = 0.2, y[3], v[3];
        plait_law_project(&l, 0, t, shift, r, y);
        for (int a = 0; a < 3; a++)
            v[a] = (y[a] - r[a]) / t;
        v[0] -= shift;
        plait_law_convex_residual(&l, 0, s, shift, y, v, F);
        if (index[0] == TOY_WELD)
            continue; // it has no shift
        // the dual cone of the held problem is that of (u_N + shift, mu u_T)
        CHECK_NEAR(sqrt(F[0] * F[0] + F[1] * F[1] + F[2] * F[2]), 0, 1e-7);
    }
}

// ---- bonds -----------------------------------------------------------------------------------------------------------

// What a law says of the velocity that goes with an impulse: with it the residual is zero.
CASE(velocities_of_impulses_obey_the_law)
{
    plait_rng rng = plait_rng_new(8, 15);
    int known = 0;
    for (int k = 0; k < 400; k++) {
        double mu = plait_rng_uniform(&rng), r[3], u[3], F[3];
        const double p[PLAIT_LAW_NUMBERS] = {0.1 + plait_rng_uniform(&rng), 0.1 + plait_rng_uniform(&rng)};
        const unsigned char index[] = {(unsigned char)(k % 2 ? TOY_GLUE : 0)};
        plait_laws laws = {toy_laws, TOY_LAWS, &mu, index, p};
        for (int a = 0; a < 3; a++)
            r[a] = plait_rng_normal(&rng);
        if (!plait_law_velocity(&laws, 0, r, u))
            continue;
        known++;
        plait_law_residual(&laws, 0, 1.5, r, u, F);
        CHECK(hypot(hypot(F[0], F[1]), F[2]) < 1e-12 * (1 + hypot(hypot(u[0], u[1]), u[2])));
    }
    CHECK(known >= 200); // all of those with glue
}

CASE(bonds_are_carried_by_identity_and_live_as_their_law_says)
{
    plait_bonds old = {0}, now = {0};
    double mu[4] = {0.5, 0.5, 0.5, 0.5}, p[4 * PLAIT_LAW_NUMBERS] = {0}, u[12] = {0}, gap[4] = {0, 0.01, 0.5, 0.01};
    unsigned char index[4] = {0, 1, 1, 1}, seen[4];
    for (int i = 0; i < 4; i++)
        p[PLAIT_LAW_NUMBERS * i] = 1, p[PLAIT_LAW_NUMBERS * i + 1] = 0.1;
    plait_laws l = {toy_laws, TOY_LAWS, mu, index, p};
    const int fresh[4] = {-1, -1, -1, -1}, last[3] = {2, -1, 1};
    double impulse[12], frame[36] = {0}; // the world's axes
    for (int i = 0; i < 12; i++)
        impulse[i] = i, frame[9 * (i / 3) + 4 * (i % 3)] = 1;
    CHECK(plait_bonds_carry(&old, fresh, 1, index, 4, &now));
    plait_bonds_evolve(&l, 1e-3, impulse, u, frame, gap, &now);
    CHECK(plait_bonds_get(&now, 0)->holds == 0); // Coulomb remembers its impulse only
    CHECK(plait_bonds_get(&now, 1)->holds == 1 && plait_bonds_get(&now, 1)->number[0] == 1);
    CHECK(plait_bonds_get(&now, 2)->holds == 0); // torn: the gap is over the reach
    CHECK_NEAR(plait_bonds_get(&now, 3)->impulse[2], 11, 0);
    plait_bonds next = {0};
    CHECK(plait_bonds_carry(&now, last, 1, index + 1, 3, &next));
    CHECK_NEAR(plait_bonds_get(&next, 0)->impulse[0], 6, 0), CHECK_NEAR(plait_bonds_get(&next, 1)->impulse[0], 0, 0);
    CHECK_NEAR(plait_bonds_get(&next, 2)->number[0], 1, 0);
    int list[4];
    CHECK_INT(plait_bonds_orphans(&now, last, 1, 3, seen, list), 1); // 3 holds, nobody carried it; 0 does not hold
    CHECK_INT(list[0], 3);
    // A contact that has another law now starts anew, but keeps its impulse.
    index[1] = 0;
    CHECK(plait_bonds_carry(&now, last, 1, index, 3, &next));
    CHECK(plait_bonds_get(&next, 2)->law == 1 && plait_bonds_get(&next, 0)->law == 0);
    CHECK_NEAR(plait_bonds_get(&next, 0)->impulse[0], 6, 0);
    // The whole is numbers: what a checkpoint writes and reads back.
    CHECK_INT(next.at[3], 2 * PLAIT_BOND_PLAIN + PLAIT_BOND_SIZE); // each as large as its law needs it
    plait_bonds back = {0};
    CHECK(plait_bonds_reserve(&back, 3, 1));
    const double *room = back.number;
    for (int i = 0; i < 3; i++)
        CHECK(plait_bonds_append(&back, plait_bonds_get(&next, i)));
    CHECK(back.number == room); // reserved is enough
    CHECK(memcmp(back.number, next.number, next.at[3] * sizeof(double)) == 0);
    // Some are dropped: those that stay are what they were.
    plait_bonds_cut(&back, 0);
    plait_bonds_keep(&back, 1), plait_bonds_keep(&back, 2);
    CHECK_INT(back.count, 2);
    for (int i = 0; i < 2; i++)
        CHECK(memcmp(plait_bonds_get(&back, i), plait_bonds_get(&next, i + 1),
                     (size_t)plait_bond_numbers(plait_bonds_get(&next, i + 1)->law) * sizeof(double)) == 0);
    plait_bonds_free(&old), plait_bonds_free(&now), plait_bonds_free(&next), plait_bonds_free(&back);
}
