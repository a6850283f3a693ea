// der_step.c: steps of discrete elastic rods: what contact solvers need, scripted ends, damping, projection,
// checkpoints.
#include "body/der.h"

#include "check.h"
#include "math/vec3.h"
#include "rods.h"

static const double PI = 3.14159265358979323846;

CASE(point_and_linearisation)
{
    plait_rod *rod = rods_moving(PLAIT_ROD_DER, 12, PLAIT_END_CLAMPED, 15);
    rods_check_point(rod, 1e-7);
    rods_check_linearise(rod, 2e-3, 1e-6);
    rods_check_residual(rod, 2e-3);
    rods_check_retract(rod, 2e-3);
    plait_rod_free(rod);
    rod = rods_moving(PLAIT_ROD_DER, 9, PLAIT_END_FREE, 0);
    rods_check_point(rod, 1e-7);
    rods_check_linearise(rod, 1e-3, 1e-6);
    rods_check_residual(rod, 1e-3);
    rods_check_retract(rod, 1e-3);
    plait_rod_free(rod);
}

CASE(turned_and_shifted_worlds)
{
    rods_check_invariance(PLAIT_ROD_DER, 1e-9);
}

// M and f at the state give the linear step.
CASE(linear_step_is_one_linearisation)
{
    plait_rod *rod = rods_moving(PLAIT_ROD_DER, 10, PLAIT_END_CLAMPED, 5);
    int dofs = rod->dofs;
    double *f = malloc((size_t)dofs * sizeof *f), *zero = calloc((size_t)dofs, sizeof *zero), largest = 0;
    plait_end end = plait_rod_get_end(rod, 0);
    end.position[1] += 1e-4; // a held dof that moves enters f as well
    plait_rod_set_end(rod, 0, &end, NULL);
    plait_step_options o = plait_default_step_options();
    o.scheme = PLAIT_STEP_LINEAR;
    plait_step_report report = {0};
    CHECK(rod->type->predict(rod, 1e-3, &o, &report));
    double *v = malloc((size_t)dofs * sizeof *v);
    memcpy(v, rod->v, (size_t)dofs * sizeof *v);
    CHECK(rod->type->linearise(rod, 1e-3, zero, &(plait_rod_linear){.f = f}));
    rod->type->solve(rod, f, 1);
    for (int i = 0; i < dofs; i++)
        largest = fmax(largest, fabs(v[i]));
    for (int i = 0; i < dofs; i++)
        CHECK_NEAR(f[i], v[i], 1e-8 * largest);
    free(f);
    free(v);
    free(zero);
    plait_rod_free(rod);
}

CASE(free_fall)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 10, 0.1);
    def.end[0].kind = PLAIT_END_FREE;
    def.gravity[2] = -9.81;
    plait_rod *rod = rods_new(&def);
    for (int k = 0; k < 100; k++)
        CHECK_INT(plait_rod_step(rod, 1e-3, NULL, NULL, NULL), PLAIT_OK);
    double x[3 * 11], v[3 * 11];
    plait_rod_positions(rod, x);
    plait_rod_velocities(rod, v);
    for (int i = 0; i <= 10; i++) {
        CHECK_NEAR(v[3 * i + 2], -0.981, 1e-10);
        CHECK_NEAR(x[3 * i + 2], -9.81 * 1e-6 * 100 * 101 / 2, 1e-12); // implicit Euler: sum of k dt^2
    }
    CHECK_NEAR(plait_rod_time(rod), 0.1, 1e-15);
    plait_rod_free(rod);
}

// Against gravity, drag leads to the speed g / drag.
CASE(drag)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 5, 0.1);
    def.end[0].kind = PLAIT_END_FREE;
    def.gravity[2] = -9.81;
    def.section.drag = 20;
    plait_rod *rod = rods_new(&def);
    for (int k = 0; k < 1000; k++)
        plait_rod_step(rod, 5e-3, NULL, NULL, NULL);
    double v[18];
    plait_rod_velocities(rod, v);
    CHECK_NEAR(v[2], -9.81 / 20, 1e-9);
    plait_rod_free(rod);
}

// A held end is where the script says, to the last bit, and its frame follows through many turns.
CASE(scripted_ends)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 20, 0.1);
    def.end[1].kind = PLAIT_END_CLAMPED;
    plait_rod *rod = rods_new(&def);
    plait_end first = plait_rod_get_end(rod, 0), last = plait_rod_get_end(rod, 1), start = last;
    double x[3 * 21];
    for (int k = 1; k <= 40; k++) {
        first.position[1] = last.position[1] = 1e-3 * k;
        plait_vec3_turn_normal(start.tangent, start.director, 0.1 * PI * k, last.director);
        CHECK_INT(plait_rod_set_end(rod, 0, &first, NULL), PLAIT_OK);
        CHECK_INT(plait_rod_set_end(rod, 1, &last, NULL), PLAIT_OK);
        plait_step_report report;
        CHECK_INT(plait_rod_step(rod, 1e-2, NULL, &report, NULL), PLAIT_OK);
        CHECK(report.converged);
        plait_rod_positions(rod, x);
        CHECK(x[1] == first.position[1] && x[61] == last.position[1]);
    }
    // Two full turns are a twist of 4 pi, not of nothing. (Held by tension: a slack rod would writhe.)
    last.position[0] += 2e-3;
    plait_rod_set_end(rod, 1, &last, NULL);
    plait_step_report report;
    plait_rod_relax(rod, NULL, &report, NULL);
    CHECK(report.converged);
    CHECK_REL(plait_rod_energy(rod).twist, def.section.GJ * 16 * PI * PI / (2 * 0.1), 1e-3);
    plait_rod_free(rod);
}

CASE(an_end_can_be_let_go)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 10, 0.1);
    def.gravity[2] = -9.81;
    plait_rod *rod = rods_new(&def);
    plait_end free_end = {.kind = PLAIT_END_FREE};
    for (int k = 0; k < 10; k++)
        plait_rod_step(rod, 1e-3, NULL, NULL, NULL);
    CHECK_INT(plait_rod_set_end(rod, 0, &free_end, NULL), PLAIT_OK);
    for (int k = 0; k < 10; k++)
        plait_rod_step(rod, 1e-3, NULL, NULL, NULL);
    double x[33];
    plait_rod_positions(rod, x);
    CHECK(x[2] < -1e-5);
    plait_rod_free(rod);
}

// Viscous forces take the energy of the first mode like exp(-omega^2 tau t), on top of what the time step takes.
CASE(viscous_damping)
{
    const double tau_of[] = {0, 0.01}, dt = 2e-3;
    double left[2], omega2 = 0;
    enum { STEPS = 1000 };
    for (int k = 0; k < 2; k++) {
        plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 16, 0.1);
        double tau = tau_of[k];
        omega2 = pow(1.8751041 / 0.1, 4) * def.section.EI[0] / def.section.mass;
        for (int i = 0; i < 2; i++)
            def.section.viscous_EI[i] = tau * def.section.EI[i];
        def.section.viscous_GJ = tau * def.section.GJ, def.section.viscous_EA = tau * def.section.EA;
        plait_rod *rod = rods_new(&def);
        double force[3] = {0, 0, 1e-6}, none[3] = {0};
        plait_rod_set_force(rod, 16, force);
        plait_step_report report;
        plait_rod_relax(rod, NULL, &report, NULL);
        CHECK(report.converged);
        plait_rod_set_force(rod, 16, none);
        for (int i = 0; i < STEPS; i++)
            plait_rod_step(rod, dt, NULL, NULL, NULL);
        plait_rod_energies e = plait_rod_energy(rod);
        left[k] = e.kinetic + e.bend;
        plait_rod_free(rod);
    }
    CHECK_REL(log(left[0] / left[1]), omega2 * tau_of[1] * STEPS * dt, 0.05);
}

// Fast projection: no stretch, and the shape of a stiff rod.
CASE(fast_projection)
{
    double x[2][3 * 21];
    for (int k = 0; k < 2; k++) {
        plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 20, 0.1);
        def.gravity[1] = -9.81;
        plait_rod *rod = rods_new(&def);
        plait_step_options o = plait_default_step_options();
        o.fast_projection = k == 1;
        o.stretch_limit = 1e-9;
        for (int i = 0; i < 100; i++) {
            plait_step_report report;
            plait_rod_step(rod, 1e-3, &o, &report, NULL);
            CHECK(report.converged);
            if (k == 1)
                CHECK_NEAR(report.stretch, 0, 1e-9);
        }
        plait_rod_positions(rod, x[k]);
        plait_rod_free(rod);
    }
    for (int i = 0; i < 63; i++)
        CHECK_NEAR(x[0][i], x[1][i], 2e-3);
    // Ends that are too far apart cannot be reached: the step says so.
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 10, 0.1);
    def.end[1].kind = PLAIT_END_PINNED;
    def.end[1].position[0] = 0.2;
    plait_rod *rod = rods_new(&def);
    plait_step_options o = plait_default_step_options();
    o.fast_projection = true;
    plait_step_report report;
    CHECK_INT(plait_rod_step(rod, 1e-3, &o, &report, NULL), PLAIT_OK);
    CHECK(!report.converged && report.reason != NULL);
    plait_rod_free(rod);
}

// What is saved is all there is: going on from it gives the same bits.
CASE(save_and_resume)
{
    plait_rod *a = rods_moving(PLAIT_ROD_DER, 14, PLAIT_END_CLAMPED, 9),
              *b = rods_moving(PLAIT_ROD_DER, 14, PLAIT_END_CLAMPED, 9);
    int size = plait_rod_state_size(a);
    double *state = malloc((size_t)size * sizeof *state), *other = malloc((size_t)size * sizeof *other);
    for (int k = 0; k < 7; k++)
        plait_rod_step(a, 3e-3, NULL, NULL, NULL);
    plait_rod_get_state(a, state);
    CHECK_INT(plait_rod_set_state(b, state, NULL), PLAIT_OK);
    for (int k = 0; k < 7; k++) {
        plait_rod_step(a, 3e-3, NULL, NULL, NULL);
        plait_rod_step(b, 3e-3, NULL, NULL, NULL);
    }
    plait_rod_get_state(a, state);
    plait_rod_get_state(b, other);
    CHECK(memcmp(state, other, (size_t)size * sizeof *state) == 0);
    state[3] = NAN;
    plait_error error = {0};
    CHECK_INT(plait_rod_set_state(b, state, &error), PLAIT_BAD_INPUT);
    free(state);
    free(other);
    plait_rod_free(a);
    plait_rod_free(b);
}

// A clamp is of second order; holding the first edge instead is of first order and costs 6.5 % of the sag at 30 segments.
// (Both numbers are those of an independent solution of the same discrete rods.)
CASE(what_a_held_edge_costs)
{
    const double exact = 0.1245617664;
    double ratio[2];
    for (int edge = 0; edge < 2; edge++) {
        plait_section s = rods_soft();
        s.EA *= 1e4;
        double L = cbrt(s.EI[0] / (s.mass * 9.81)), x[3 * 31];
        plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 30, L);
        def.section = s;
        def.gravity[1] = -9.81;
        def.end[0].kind = edge ? PLAIT_END_EDGE : PLAIT_END_CLAMPED;
        plait_rod *rod = rods_new(&def);
        if (!rod || !rods_relax(rod))
            return;
        plait_rod_positions(rod, x);
        ratio[edge] = -x[91] / x[90] / exact - 1;
        plait_rod_free(rod);
    }
    CHECK_NEAR(ratio[0], 0.00106947, 2e-6);
    CHECK_NEAR(ratio[1], -0.06541612, 2e-6);
}

// What cannot be at rest is told: a rod that nothing holds falls.
CASE(no_equilibrium)
{
    for (int k = 0; k < 2; k++) {
        plait_rod_def def = rods_cantilever_def(PLAIT_ROD_DER, 10, 0.1);
        def.end[0].kind = PLAIT_END_FREE;
        def.gravity[2] = k ? -9.81 : 0;
        plait_rod *rod = rods_new(&def);
        plait_step_report report;
        CHECK_INT(plait_rod_relax(rod, NULL, &report, NULL), PLAIT_OK);
        CHECK(report.converged == (k == 0)); // without gravity it is at rest already
        double x[33];
        plait_rod_positions(rod, x);
        CHECK_NEAR(x[32], 0, 0);
        plait_rod_free(rod);
    }
}
