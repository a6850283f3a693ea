// soft.c: elements of cloth and solids against finite differences, and soft bodies in motion against closed forms.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "body/soft.h"
#include "check.h"
#include "math/vec3.h"
#include "plait/plait.h"
#include "scene/gen_soft.h"

static const double G = 9.81;

// ---- elements ---------------------------------------------------------------------------------------------------------

static void gather(const plait_elements *set, int e, const double *x, double *own)
{
    int n = set->type->nodes;
    for (int a = 0; a < n; a++)
        plait_vec3_copy(x + 3 * set->node[e * n + a], own + 3 * a);
}

// v^T H v of the blocks.
static double quadratic(int n, double (*H)[9], const double *v)
{
    double sum = 0;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            for (int r = 0; r < 3; r++)
                for (int c = 0; c < 3; c++)
                    sum += v[3 * a + r] * v[3 * b + c] *
                           (a >= b ? H[plait_element_pair(a, b)][3 * r + c] : H[plait_element_pair(b, a)][3 * c + r]);
    return sum;
}

// Gradients of all elements with nodes moved at random; second derivatives where they should be exact; H and viscosity are
// never negative, viscosity vanishes for rigid motion.
static void try_elements(const plait_soft *def, const plait_elements *set, double away, bool exact, double tolerance)
{
    plait_rng rng = plait_rng_new(3, 0);
    int n = set->type->nodes;
    double *x = malloc(3 * (size_t)def->points * sizeof *x), worst = 0, worst2 = 0, rigid = 0, negative = 0, most = 0;
    double viscous = 0;
    for (int i = 0; i < 3 * def->points; i++)
        x[i] = def->point[i] + away * plait_rng_normal(&rng);
    for (int e = 0; e < set->count; e++) {
        double own[18], v[18], g[18], g1[18], g2[18], H[PLAIT_ELEMENT_PAIRS][9], D[PLAIT_ELEMENT_PAIRS][9], h = 1e-6;
        double a[18], b[18], w[3], turn[18], slope = 0, bend = 0, size = 0;
        gather(set, e, x, own);
        for (int i = 0; i < 3; i++)
            w[i] = plait_rng_normal(&rng);
        for (int i = 0; i < 3 * n; i++)
            v[i] = plait_rng_normal(&rng), a[i] = own[i] - h * v[i], b[i] = own[i] + h * v[i];
        for (int i = 0; i < n; i++) {
            plait_vec3_cross(w, own + 3 * i, turn + 3 * i);
            plait_vec3_axpy(1, w, turn + 3 * i);
        }
        set->type->energy(set->data, e, own, g, H, false);
        set->type->viscosity(set->data, e, own, D);
        double difference = (set->type->energy(set->data, e, b, g1, NULL, false) - set->type->energy(set->data, e, a, g2, NULL, false)) / (2 * h);
        for (int i = 0; i < 3 * n; i++)
            slope += g[i] * v[i], bend += (g1[i] - g2[i]) * v[i] / (2 * h), size += fabs(g[i]);
        double q = quadratic(n, H, v), d = quadratic(n, D, v);
        worst = fmax(worst, fabs(slope - difference) / (size + 1e-9 * fabs(q)));
        worst2 = fmax(worst2, fabs(q - bend) / (fabs(bend) + size));
        most = fmax(most, q);
        negative = fmin(negative, fmin(q, d) / (fabs(q) + 1e-300));
        for (int i = 0; i < n * (n + 1) / 2; i++)
            viscous = fmax(viscous, fabs(D[i][0]) + fabs(D[i][4]) + fabs(D[i][8]));
        rigid = fmax(rigid, fabs(quadratic(n, D, turn)));
    }
    CHECK(worst < tolerance);
    CHECK(worst2 < 1e-5 || !exact);
    CHECK(negative > -1e-12 && most > 0);
    CHECK(rigid < 1e-12 * viscous);
    if (worst >= tolerance || (exact && worst2 >= 1e-5))
        printf("%s: %g %g\n", set->type->name, worst, worst2);
    free(x);
}

static void free_elements(plait_elements *set)
{
    free(set->node), free(set->slot), free(set->data);
}

static plait_soft make_cloth(plait_gen_pattern pattern, int nx, int ny, double width, double height)
{
    plait_soft cloth = plait_default_cloth();
    plait_gen_grid o = {.size = {width, height}, .cells = {nx, ny}, .pattern = pattern, .seed = 7};
    CHECK(plait_gen_cloth_grid(&o, &cloth, NULL) == PLAIT_OK);
    return cloth;
}

CASE(derivatives_of_cloth)
{
    plait_soft cloth = make_cloth(PLAIT_GEN_IRREGULAR, 6, 5, 0.6, 0.5);
    plait_elements set;
    cloth.bend = 1;
    CHECK(plait_springs_make(&cloth, &set));
    try_elements(&cloth, &set, 0.01, false, 1e-6), free_elements(&set);
    CHECK(plait_membrane_make(&cloth, &set));
    try_elements(&cloth, &set, 0.01, false, 1e-6), free_elements(&set);
    for (int i = 0; i < cloth.points; i++) // all of it is pulled: nothing is left out of the second derivative
        cloth.point[3 * i] *= 0.8, cloth.point[3 * i + 1] *= 0.8;
    CHECK(plait_membrane_make(&cloth, &set));
    for (int i = 0; i < cloth.points; i++)
        cloth.point[3 * i] /= 0.8, cloth.point[3 * i + 1] /= 0.8;
    try_elements(&cloth, &set, 0.0005, true, 1e-6), free_elements(&set);
    CHECK(plait_hinges_make(&cloth, &set));
    try_elements(&cloth, &set, 0.02, false, 1e-5), free_elements(&set);
    plait_soft_free(&cloth);
}

CASE(derivatives_of_solids)
{
    for (int k = 0; k < 2; k++) {
        plait_soft solid = plait_default_solid();
        plait_gen_solid o = {.size = {0.3, 0.2, 0.25}, .cells = {3, 2, 3}, .irregular = 0.2, .seed = 5};
        plait_elements set;
        solid.model = k ? PLAIT_SOFT_NEO_HOOKEAN : PLAIT_SOFT_COROTATIONAL;
        CHECK(plait_gen_solid_block(&o, &solid, NULL) == PLAIT_OK);
        CHECK(plait_tetrahedra_make(&solid, &set));
        try_elements(&solid, &set, 0.002, false, 1e-6);
        try_elements(&solid, &set, 0.05, false, 1e-5); // many are inverted
        free_elements(&set);
        for (int i = 0; i < 3 * solid.points; i++)
            solid.point[i] *= 0.96;
        CHECK(plait_tetrahedra_make(&solid, &set));
        for (int i = 0; i < 3 * solid.points; i++)
            solid.point[i] /= 0.96;
        try_elements(&solid, &set, 0.0005, true, 1e-6), free_elements(&set);
        plait_soft_free(&solid);
    }
}

// ---- in a simulation --------------------------------------------------------------------------------------------------

static plait_sim *simulate(const plait_soft *soft, double dt, const double gravity[3])
{
    plait_scene *scene = plait_scene_new();
    plait_error error = {0};
    plait_scene_add_material(scene, "cotton", NULL, 0.3);
    CHECK(plait_scene_add_soft(scene, "it", soft) == 0);
    for (int k = 0; k < 3; k++)
        scene->gravity[k] = gravity[k];
    scene->stepping.dt = dt, scene->stepping.adaptive = false;
    scene->stepping.max_gain = 0; // what a step does by itself: energy is looked at here
    plait_sim *sim = plait_sim_new(scene, &error);
    CHECK(sim != NULL);
    if (!sim)
        printf("%s\n", error.text);
    plait_scene_free(scene);
    return sim;
}

// Places and velocities of the only body, [6 points].
static const double *state_of(plait_sim *sim, int points)
{
    static double state[1 << 20];
    CHECK(plait_sim_state_size(sim) < 1 << 20);
    plait_sim_get_state(sim, state);
    return state + plait_sim_state_size(sim) - 6 * points;
}

static void step(plait_sim *sim, int steps)
{
    plait_sim_report r;
    for (int i = 0; i < steps; i++) {
        CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed && r.rejections == 0);
        if (r.reason)
            printf("step %d: %s\n", i, r.reason);
    }
}

CASE(free_fall)
{
    enum { N = 50 };
    double dt = 2e-3, down[3] = {0, 0, -G};
    for (int k = 0; k < 2; k++) {
        plait_soft cloth = make_cloth(PLAIT_GEN_CROSSED, 5, 4, 0.5, 0.4);
        cloth.model = k ? PLAIT_SOFT_SPRINGS : PLAIT_SOFT_SHELL;
        cloth.velocity[0] = 0.3;
        plait_sim *sim = simulate(&cloth, dt, down);
        step(sim, N);
        const double *x = state_of(sim, cloth.points);
        for (int i = 0; i < cloth.points; i++) {
            CHECK_NEAR(x[3 * i], cloth.point[3 * i] + 0.3 * N * dt, 1e-10);
            CHECK_NEAR(x[3 * i + 2], -G * dt * dt * N * (N + 1) / 2, 1e-10);
        }
        plait_sim_free(sim), plait_soft_free(&cloth);
    }
}

// Loads on nodes: momentum is their sum over time, and in equilibrium springs carry them: a strip held by one edge and drawn at
// the other is F L / (k width) longer.
CASE(loads_on_nodes)
{
    double none[3] = {0}, want[3] = {0}, p[3] = {0}, force[3 * 60];
    plait_soft cloth = make_cloth(PLAIT_GEN_REGULAR, 5, 4, 0.5, 0.4);
    for (int i = 0; i < 3 * cloth.points; i++) {
        force[i] = 1e-3 * ((i * 7) % 11 - 3);
        want[i % 3] += 10 * 2e-3 * force[i];
    }
    cloth.force = force;
    plait_sim *sim = simulate(&cloth, 2e-3, none);
    step(sim, 10);
    const double *v = state_of(sim, cloth.points) + 3 * cloth.points;
    plait_body body = {0};
    plait_response response = {.theta = 1};
    CHECK(plait_soft_build(&cloth, NULL, &response, &body, NULL) == PLAIT_OK);
    for (int i = 0; i < cloth.points; i++)
        plait_vec3_axpy(plait_soft_of(&body)->mass[i], v + 3 * i, p);
    body.type->free(&body);
    for (int k = 0; k < 3; k++)
        CHECK_REL(p[k], want[k], 1e-9);
    cloth.force = NULL;
    plait_sim_free(sim), plait_soft_free(&cloth);

    int hold[60];
    double pull = 0.08, sum = 0;
    cloth = make_cloth(PLAIT_GEN_REGULAR, 10, 4, 1, 0.4);
    cloth.stretch = 200, cloth.damping = 0.02, cloth.poisson = 0, cloth.hold = hold, cloth.force = force;
    memset(force, 0, sizeof force);
    for (int i = 0; i < cloth.points; i++) {
        bool corner = fabs(fabs(cloth.point[3 * i + 1]) - 0.2) < 1e-9;
        hold[i] = cloth.point[3 * i] > 0.5 - 1e-9 ? PLAIT_HOLD_WORLD : PLAIT_HOLD_FREE;
        force[3 * i] = cloth.point[3 * i] < -0.5 + 1e-9 ? -pull / (corner ? 8 : 4) : 0;
    }
    sim = simulate(&cloth, 0.02, none);
    step(sim, 150);
    const double *x = state_of(sim, cloth.points);
    for (int i = 0; i < cloth.points; i++)
        sum += force[3 * i] < 0 ? (-0.5 - x[3 * i]) / 5 : 0;
    CHECK_REL(sum, pull / (cloth.stretch * 0.4), 0.01);
    cloth.hold = NULL, cloth.force = NULL;
    plait_sim_free(sim), plait_soft_free(&cloth);
}

// A strip that hangs by one edge: sigma g L^2/(2 k) longer.
CASE(hangs_and_stretches)
{
    static const plait_gen_pattern pattern[] = {PLAIT_GEN_REGULAR, PLAIT_GEN_FLIPPED, PLAIT_GEN_CROSSED};
    double down[3] = {-G, 0, 0};
    for (int k = 0; k < 6; k += CHECK_SANITIZED ? 4 : 1) {
        plait_soft cloth = make_cloth(pattern[k % 3], 40, 4, 1, 0.1);
        int hold[500];
        cloth.model = k / 3 ? PLAIT_SOFT_SPRINGS : PLAIT_SOFT_SHELL, cloth.hold = hold;
        cloth.stretch = 200, cloth.damping = 0.02, cloth.poisson = 0;
        for (int i = 0; i < cloth.points; i++)
            hold[i] = cloth.point[3 * i] > 0.5 - 1e-9 ? PLAIT_HOLD_WORLD : PLAIT_HOLD_FREE;
        plait_sim *sim = simulate(&cloth, 0.02, down);
        step(sim, 200);
        const double *x = state_of(sim, cloth.points);
        double want = cloth.density * G / (2 * cloth.stretch), sum = 0, count = 0;
        for (int i = 0; i < cloth.points; i++)
            if (cloth.point[3 * i] < -0.5 + 1e-9)
                sum += -0.5 - x[3 * i], count++;
        CHECK_NEAR(sum / count / want, 1, 0.01);
        cloth.hold = NULL;
        plait_sim_free(sim), plait_soft_free(&cloth);
    }
}

static void momenta(const plait_soft *soft, const double *mass, const double *x, double p[3], double L[3])
{
    for (int k = 0; k < 3; k++)
        p[k] = L[k] = 0;
    for (int i = 0; i < soft->points; i++) {
        const double *v = x + 3 * soft->points + 3 * i;
        double l[3];
        plait_vec3_cross(x + 3 * i, v, l);
        plait_vec3_axpy(mass[i], v, p), plait_vec3_axpy(mass[i], l, L);
    }
}

// Turning and wobbling: momentum and angular momentum stay, energy nearly so.
CASE(free_motion_keeps_its_momentum)
{
    double none[3] = {0};
    for (int k = 0; k < 4; k++) {
        plait_soft soft;
        if (k < 2) {
            soft = make_cloth(PLAIT_GEN_IRREGULAR, 6, 5, 0.3, 0.25);
            soft.model = k ? PLAIT_SOFT_SPRINGS : PLAIT_SOFT_SHELL;
        } else {
            plait_gen_solid o = {.size = {0.1, 0.2, 0.05}, .cells = {2, 4, 2}, .irregular = 0.2, .seed = 5};
            soft = plait_default_solid();
            soft.model = k == 2 ? PLAIT_SOFT_COROTATIONAL : PLAIT_SOFT_NEO_HOOKEAN;
            CHECK(plait_gen_solid_block(&o, &soft, NULL) == PLAIT_OK);
        }
        soft.spin[0] = 5, soft.spin[2] = 8, soft.velocity[1] = 2;
        double mass[200] = {0}, p0[3], L0[3], p[3], L[3];
        plait_body body = {0};
        plait_response response = {.theta = 1};
        CHECK(plait_soft_build(&soft, NULL, &response, &body, NULL) == PLAIT_OK && soft.points <= 200);
        memcpy(mass, plait_soft_of(&body)->mass, (size_t)soft.points * sizeof *mass);
        body.type->free(&body);
        plait_sim *sim = simulate(&soft, 5e-3, none);
        momenta(&soft, mass, state_of(sim, soft.points), p0, L0);
        plait_sim_report r;
        double first = 0, most = 0;
        for (int i = 0; i < 200; i++) {
            CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && r.rejections == 0);
            first = i == 0 ? r.kinetic + r.elastic : first, most = fmax(most, r.kinetic + r.elastic);
        }
        CHECK(most < (1 + 5e-4) * first);
        momenta(&soft, mass, state_of(sim, soft.points), p, L);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(p[i], p0[i], 1e-10 * plait_vec3_norm(p0));
            CHECK_NEAR(L[i], L0[i], 1e-10 * plait_vec3_norm(L0));
        }
        plait_sim_free(sim), plait_soft_free(&soft);
    }
}
