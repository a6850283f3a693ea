// polish.c: impulses of stacks and tables: held still by linear algebra, and the smallest of many that do the same.
#include <math.h>
#include <string.h>

#include "check.h"
#include "contact/operator.h"
#include "contact/polish.h"
#include "plait/sim.h"

enum { MOST = 8 };

// A rigid block of 2 kg with feet at x[n], pushed by f for a step: six dofs, H by rows (normal along z).
static plait_problem *block(int n, const double x[][3], const double f[6], double mu)
{
    static const double m[6] = {2, 2, 2, 0.02, 0.03, 0.04};
    int64_t ptr[3 * MOST + 1] = {0}, mptr[7];
    int mcol[6], col[18 * MOST], at = 0;
    double val[18 * MOST], friction[MOST], w[3 * MOST] = {0};
    for (int i = 0; i < n; i++) {
        // rows z, x, y of v + spin x arm
        const double *a = x[i];
        const double rows[3][6] = {{0, 0, 1, a[1], -a[0], 0}, {1, 0, 0, 0, a[2], -a[1]}, {0, 1, 0, -a[2], 0, a[0]}};
        friction[i] = mu;
        for (int k = 0; k < 3; k++) {
            for (int d = 0; d < 6; d++)
                if (rows[k][d] != 0)
                    col[at] = d, val[at++] = rows[k][d];
            ptr[3 * i + k + 1] = at;
        }
    }
    for (int d = 0; d < 6; d++)
        mptr[d] = d, mcol[d] = d;
    mptr[6] = 6;
    plait_sparse M = {6, 6, mptr, mcol, (double *)m}, H = {3 * n, 6, ptr, col, val};
    plait_error error = {0};
    plait_problem *p = plait_problem_from_dynamics(3, n, &M, &H, f, w, friction, &error);
    if (!CHECK(p))
        puts(error.text);
    return p;
}

static const double feet[4][3] = {{-0.2, -0.1, -0.05}, {0.2, -0.1, -0.05}, {-0.2, 0.1, -0.05}, {0.2, 0.1, -0.05}};

// From a start that favours some feet, so that the solver has no reason to end in the middle.
static plait_solution *solved(const plait_problem *p, plait_solve_options *o, plait_certificate *c)
{
    plait_solution *s = plait_solution_new(p->n);
    plait_report report;
    *o = plait_default_solve_options();
    o->tol = 1e-10;
    s->r[0] = 0.04, s->r[3 * p->n - 3] = 0.03;
    CHECK(plait_problem_solve(p, o, s, &report, NULL) == PLAIT_OK && report.converged);
    *c = report.certificate;
    return s;
}

static double sum_of(const plait_solution *s, int k)
{
    double sum = 0;
    for (int i = 0; i < s->n; i++)
        sum += s->r[3 * i + k];
    return sum;
}

CASE(a_table_stands_on_four_equal_legs)
{
    const double f[6] = {0, 0, -0.0981, 0, 0, 0};
    plait_problem *p = block(4, feet, f, 0.5);
    plait_solve_options o;
    plait_certificate c;
    plait_solution *s = solved(p, &o, &c);
    double before = fabs(s->r[0] - s->r[3]);
    bool better;
    CHECK(before > 1e-3); // else this test says nothing
    CHECK(plait_problem_smallest(p, &o, s, &c, &better, NULL) == PLAIT_OK && better);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(s->r[3 * i], 0.0981 / 4, 1e-12);
        CHECK_NEAR(hypot(s->r[3 * i + 1], s->r[3 * i + 2]), 0, 1e-12);
    }
    CHECK(c.residual_rel <= o.tol);
    // Once more changes nothing.
    CHECK(plait_problem_smallest(p, &o, s, &c, &better, NULL) == PLAIT_OK && !better);
    plait_solution_free(s), plait_problem_free(p);
}

// Pushed below and above the limit of friction: the push is carried, the judge accepts.
CASE(smallest_impulses_are_impulses)
{
    for (int k = 0; k < 3; k++) {
        double push = 0.0981 * (k == 0 ? 0.1 : k == 1 ? 0.29 : 0.6), mu = k == 2 ? 0.2 : 0.3;
        const double f[6] = {push, 0.2 * push, -0.0981, 0, 0, 0};
        plait_problem *p = block(4, feet, f, mu);
        plait_solve_options o;
        plait_certificate c;
        plait_solution *s = solved(p, &o, &c), *t = plait_solution_new(4);
        memcpy(t->r, s->r, 12 * sizeof *t->r);
        memcpy(t->u, s->u, 12 * sizeof *t->u);
        bool better;
        CHECK(plait_problem_smallest(p, &o, s, &c, &better, NULL) == PLAIT_OK);
        CHECK(better && c.residual_rel <= o.tol);
        for (int a = 0; a < 3; a++)
            CHECK_NEAR(sum_of(s, a), sum_of(t, a), 1e-9);
        double small = 0, large = 0;
        for (int i = 0; i < 12; i++) {
            small += s->r[i] * s->r[i], large += t->r[i] * t->r[i];
            CHECK_NEAR(s->u[i], t->u[i], 1e-9);
        }
        CHECK(small < large);
        plait_solution_free(s), plait_solution_free(t), plait_problem_free(p);
    }
}

// A block that rests and is pushed a little, with impulses that are off by a little.
static plait_solution *solved_nearly(plait_problem **p, plait_solve_options *o, plait_certificate *c)
{
    const double f[6] = {0.01, 0.004, -0.0981, 1e-4, 0, 2e-4};
    *p = block(4, feet, f, 0.5);
    plait_solution *s = solved(*p, o, c);
    for (int i = 0; i < 12; i++)
        s->r[i] += 1e-6 * sin(3 + 7 * i);
    CHECK(plait_problem_velocities(*p, s->r, s->u, NULL) == PLAIT_OK);
    CHECK(plait_problem_certify(*p, s, c, NULL) == PLAIT_OK);
    return s;
}

// Impulses that are off by a little: what sticks is stopped, and they change no more than that.
CASE(what_sticks_is_held)
{
    plait_solve_options o;
    plait_certificate c;
    plait_problem *p;
    plait_solution *s = solved_nearly(&p, &o, &c);
    double start[12], off = 0;
    memcpy(start, s->r, sizeof start);
    CHECK(c.residual_rel > 1e-7);
    bool better;
    CHECK(plait_problem_hold(p, &o, 0, s, &c, &better, NULL) == PLAIT_OK && better);
    CHECK(c.residual_rel < 1e-13);
    for (int i = 0; i < 12; i++)
        off = fmax(off, fabs(s->r[i] - start[i]));
    CHECK(off < 5e-6);
    plait_solution_free(s), plait_problem_free(p);
}

// It ends where contacts are as still as they have to be, not where rounding begins.
CASE(held_as_still_as_asked)
{
    plait_solve_options o;
    plait_certificate c;
    plait_problem *p;
    plait_solution *s = solved_nearly(&p, &o, &c);
    double before = 0, after = 0;
    for (int i = 0; i < 12; i += 3)
        before = fmax(before, hypot(s->u[i], hypot(s->u[i + 1], s->u[i + 2])));
    bool better;
    CHECK(plait_problem_hold(p, &o, 0.1 * before, s, &c, &better, NULL) == PLAIT_OK && better);
    for (int i = 0; i < 12; i += 3)
        after = fmax(after, hypot(s->u[i], hypot(s->u[i + 1], s->u[i + 2])));
    CHECK(after <= 0.1 * before * (1 + 1e-9));
    CHECK(after > 1e-6 * before);
    plait_solution_free(s), plait_problem_free(p);
}

// Judged anew after impulses were changed by hand.
static void judged(const plait_problem *p, plait_solution *s, plait_certificate *c)
{
    CHECK(plait_problem_velocities(p, s->r, s->u, NULL) == PLAIT_OK);
    CHECK(plait_problem_certify(p, s, c, NULL) == PLAIT_OK);
}

// A block that is about to tip: its left feet carry a little that they need not. Held, they would have to pull.
CASE(what_would_have_to_pull_opens)
{
    const double f[6] = {0, 0, -0.0981, 0, 0.0981 * 0.20002, 0};
    plait_problem *p = block(4, feet, f, 0.5);
    plait_solve_options o;
    plait_certificate c;
    plait_solution *s = solved(p, &o, &c);
    bool better;
    s->r[0] = 1e-6;
    judged(p, s, &c);
    CHECK(c.residual_rel > 1e-6 && c.residual_rel < 1e-3);
    CHECK(plait_problem_hold(p, &o, 0, s, &c, &better, NULL) == PLAIT_OK && better);
    CHECK(c.residual_rel < 1e-12);
    CHECK(s->r[0] == 0 && s->r[6] == 0 && s->u[0] > 0 && s->u[6] > 0);
    plait_solution_free(s), plait_problem_free(p);
}

// One foot has all the friction that it can have, nearly, and a little push is missing: the others take it.
CASE(what_would_leave_its_cone_stays_on_it)
{
    const double mu = 0.3, f[6] = {0.2 * 0.0981, 0, -0.0981, 0, 0, 0};
    plait_problem *p = block(4, feet, f, mu);
    plait_solve_options o;
    plait_certificate c;
    plait_solution *s = solved(p, &o, &c);
    bool better;
    CHECK(plait_problem_smallest(p, &o, s, &c, &better, NULL) == PLAIT_OK); // all four carry something
    // Along the line of the first two feet, which turns nothing.
    for (int i = 0; i < 4; i++)
        s->r[3 * i + 1] = -0.05 * 0.0981, s->r[3 * i + 2] = 0;
    double more = mu * s->r[0] * (1 - 2e-6) - 0.05 * 0.0981;
    s->r[1] -= more, s->r[4] += more + 1e-4 * mu * s->r[0];
    judged(p, s, &c);
    CHECK(more > 0 && c.residual_rel > 1e-6);
    CHECK(plait_problem_hold(p, &o, 0, s, &c, &better, NULL) == PLAIT_OK && better);
    CHECK(c.residual_rel < 1e-12);
    CHECK(hypot(s->r[1], s->r[2]) <= mu * s->r[0] * (1 + 1e-9));
    CHECK_NEAR(sum_of(s, 1), -f[0], 1e-12);
    plait_solution_free(s), plait_problem_free(p);
}

// A network in which everything sticks, and much hardly gives way: tangents of six decades. What is left of velocities
// gets smaller from the first step on, and all of it goes; gradients that make an energy small let it grow at first.
CASE(what_hardly_gives_way_is_held)
{
    enum { N = 60, SIZE = 3 * N };
    static double D[SIZE * SIZE], b[SIZE], mu[N], trace[N];
    for (int i = 0; i < SIZE; i++) {
        double w = i % 3 == 0 ? 1 : pow(10, -6.0 * (i - i / 3 - 1) / (2 * N - 1));
        D[(SIZE + 1) * i] = w, trace[i / 3] += w;
        b[i] = i % 3 == 0 ? -1 : 0, mu[i / 3] = 0.5;
    }
    plait_problem *p = plait_problem_of_dense(N, D, b, mu, trace);
    plait_solution *s = plait_solution_new(N);
    plait_solve_options o = plait_default_solve_options();
    plait_certificate c;
    bool better;
    if (!CHECK(p && s))
        return;
    for (int i = 0; i < SIZE; i++)
        s->r[i] = (i % 3 == 0 ? 1 : 0) + 1e-7 / D[(SIZE + 1) * i];
    CHECK(plait_problem_velocities(p, s->r, s->u, NULL) == PLAIT_OK);
    CHECK(plait_problem_certify(p, s, &c, NULL) == PLAIT_OK);
    double before = c.residual_rel;
    CHECK(plait_problem_hold(p, &o, 1e-10, s, &c, &better, NULL) == PLAIT_OK && better);
    CHECK(c.residual_rel < 1e-2 * before);
    for (int i = 0; i < SIZE; i++)
        CHECK(fabs(s->u[i]) <= 2e-10);
    plait_solution_free(s), plait_problem_free(p);
}

// A box lies on five rods: what the left ones carry, the right ones do. It lies as high as with any other impulses.
CASE(symmetric_scenes_have_symmetric_forces)
{
    double z[2] = {0}, worst[2] = {0};
    for (int smallest = 0; smallest < 2; smallest++) {
        char text[1200];
        snprintf(text, sizeof text,
                 "materials: {rod: {radius: 1 mm, density: 1200, young: 100 MPa, damping: 5 ms}, floor: }\n"
                 "friction: {default: 0.4}\nstep: {dt: 2 ms}\nsolver: {smallest: %s}\n"
                 "colliders:\n  floor: {material: floor, shape: plane}\n"
                 "bodies: {box: {material: floor, shape: box, size: [2 cm, 1 cm, 1 cm], density: 500, position: [0, 0, "
                 "7 mm]}}\n"
                 "fibres:\n"
                 "  low: {material: rod, segments: 4, line: {from: [-8 mm, -1 cm, 1 mm], direction: [0, 1, 0], length: "
                 "2 cm, count: 5, spacing: [4 mm, 0, 0]}}\n",
                 smallest ? "true" : "false");
        plait_error error = {0};
        plait_scene *scene = plait_scene_from_text(text, "", 0, NULL, 0, NULL, &error);
        plait_sim *sim = scene ? plait_sim_new(scene, &error) : NULL;
        if (!CHECK(sim))
            puts(error.text);
        plait_sim_report report = {0};
        for (int k = 0; sim && k < 100; k++)
            CHECK(plait_sim_step(sim, INFINITY, &report, &error) == PLAIT_OK && !report.failed && report.converged);
        double pressed[5] = {0}, q[4], x[3], all = 0;
        for (int i = 0; sim && i < plait_sim_contacts(sim); i++) {
            plait_sim_contact c;
            plait_sim_contact_get(sim, i, &c);
            for (int k = 0; k < 2; k++)
                if (c.kind[k] == PLAIT_PARTNER_FIBRE)
                    pressed[c.index[k]] += fabs(c.impulse[2]), all += fabs(c.impulse[2]);
        }
        for (int i = 0; i < 2; i++)
            worst[smallest] = fmax(worst[smallest], fabs(pressed[i] - pressed[4 - i]) / all);
        if (sim)
            plait_sim_rigid_pose(sim, 0, x, q), z[smallest] = x[2];
        plait_sim_free(sim);
        plait_scene_free(scene);
    }
    printf("left and right differ by %.1e of the whole, %.1e of the smallest\n", worst[0], worst[1]);
    CHECK(worst[1] < 1e-5);
    CHECK_NEAR(z[0], z[1], 1e-8);
}
