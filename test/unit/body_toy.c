// body_toy.c: a body that the library has never heard of: this file and one row. A sled: a link that does not turn, of
// mass m, with a dof between the others that moves nothing (so that its points move with dofs that are not
// consecutive).
//
// Closed forms: free fall of implicit steps; a slide on a plane, which friction ends after v0^2/(2 mu g); rest.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/vec3.h"
#include "plait/plait.h"
#include "sim/sim.h"

enum { DOFS = 4, STATE = 2 * DOFS };
static const int dof_of[3] = {0, 2, 3}; // of x, y, z; dof 1 moves nothing
static const double MASS = 0.3, RADIUS = 0.01, LENGTH = 0.05, G = 9.81;
static double start[3], speed[3];

typedef struct sled {
    double gravity[3], state[STATE];
} sled;

static void release(plait_body *b)
{
    free(b->impl);
}

static void load(plait_body *b, const plait_world *world)
{
    plait_vec3_copy(world->gravity, ((sled *)b->impl)->gravity);
}

static void describe(const plait_body *b, plait_chain_geometry *chain, double *arc)
{
    (void)b;
    chain->radius = RADIUS, chain->material = 0;
    arc[0] = 0, arc[1] = LENGTH;
}

static void nodes(const plait_body *b, double *x)
{
    for (int k = 0; k < 3; k++)
        x[k] = x[3 + k] = b->state[dof_of[k]];
    x[3] += LENGTH;
}

static void velocities(const plait_body *b, double *u)
{
    for (int k = 0; k < 3; k++)
        u[k] = u[3 + k] = b->state[DOFS + dof_of[k]];
}

static void trace(plait_body *b)
{
    nodes(b, b->x0);
}

static const char *predict(plait_body *b, double dt, double *v)
{
    const sled *p = b->impl;
    memcpy(v, b->state + DOFS, DOFS * sizeof *v);
    for (int k = 0; k < 3; k++)
        v[dof_of[k]] += dt * p->gravity[k];
    for (int d = 0; d < DOFS; d++)
        b->M[d] = MASS, b->f[d] = MASS * v[d];
    return NULL;
}

static int limb(const plait_body *b, const plait_side *side, int *dof, double *J, double carried[3])
{
    (void)b, (void)side, (void)carried;
    memset(J, 0, 9 * sizeof *J);
    for (int k = 0; k < 3; k++)
        dof[k] = dof_of[k], J[4 * k] = 1;
    return 3;
}

static void point_velocity(const plait_body *b, const plait_side *side, const double *v, double u[3])
{
    (void)side;
    for (int k = 0; k < 3; k++)
        u[k] = v ? v[dof_of[k]] : b->state[DOFS + dof_of[k]];
}

static void move(plait_body *b, double dt, const double *v)
{
    for (int k = 0; k < 6; k++)
        b->x1[k] = b->x0[k] + dt * v[dof_of[k % 3]];
}

static bool shift(plait_body *b, double dt, const double *psi)
{
    for (int d = 0; d < DOFS; d++)
        b->state[d] += dt * psi[d];
    return true;
}

static const char *accept(plait_body *b, double dt, const double *v)
{
    shift(b, dt, v);
    memcpy(b->state + DOFS, v, DOFS * sizeof *v);
    return NULL;
}

static const plait_body_type sled_type = {.name = "sled",
                                          .free = release,
                                          .load = load,
                                          .describe = describe,
                                          .trace = trace,
                                          .nodes = nodes,
                                          .velocities = velocities,
                                          .predict = predict,
                                          .limb = limb,
                                          .point_velocity = point_velocity,
                                          .move = move,
                                          .accept = accept,
                                          .shift = shift};

static int count(const plait_scene *scene)
{
    return strcmp(scene->name, "sleds") == 0;
}

static plait_status build(const plait_model *m, const plait_scene *scene, int i, plait_body *body, plait_error *error)
{
    (void)m, (void)scene, (void)i;
    sled *p = calloc(1, sizeof *p);
    *body = (plait_body){.type = &sled_type,
                         .dofs = DOFS,
                         .nodes = 2,
                         .state_size = STATE,
                         .columns = 3,
                         .edge = LENGTH,
                         .fine = RADIUS,
                         .impl = p};
    if (!p)
        return plait_error_set(error, PLAIT_NO_MEMORY, "no memory for a sled");
    for (int k = 0; k < 3; k++)
        p->state[dof_of[k]] = start[k], p->state[DOFS + dof_of[k]] = speed[k];
    body->state = p->state;
    return PLAIT_OK;
}

// The row.
static const plait_sim_kind sleds = {&sled_type, PLAIT_PARTNER_FIBRE, count, build};

static plait_sim *make(double height, double mu, double vx, double vz, double dt)
{
    int rows = 0;
    while (plait_sim_kinds[rows] && plait_sim_kinds[rows] != &sleds)
        rows++;
    plait_sim_kinds[rows] = &sleds;
    plait_scene *scene = plait_scene_new();
    plait_material wood = plait_default_material();
    snprintf(scene->name, sizeof scene->name, "sleds");
    plait_scene_add_material(scene, "wood", &wood, mu);
    plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE);
    scene->stepping.dt = dt, scene->stepping.adaptive = false;
    start[0] = 0, start[1] = 0, start[2] = height;
    speed[0] = vx, speed[1] = 0, speed[2] = vz;
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(scene, &error);
    CHECK(sim != NULL);
    plait_scene_free(scene);
    return sim;
}

static void step(plait_sim *sim, int steps)
{
    plait_sim_report r;
    for (int i = 0; i < steps; i++)
        CHECK(plait_sim_step(sim, INFINITY, &r, NULL) == PLAIT_OK && !r.failed && r.rejections == 0);
}

CASE(free_fall)
{
    enum { N = 100 };
    double dt = 1e-3, x[6], v[6];
    plait_sim *sim = make(1, 0.5, 0.7, 0.2, dt);
    step(sim, N);
    plait_sim_positions(sim, x), plait_sim_velocities(sim, v);
    CHECK_NEAR(x[0], 0.7 * N * dt, 1e-13);
    CHECK_NEAR(x[3] - x[0], LENGTH, 1e-13);
    CHECK_NEAR(x[2], 1 + 0.2 * N * dt - G * dt * dt * N * (N + 1) / 2, 1e-12);
    CHECK_NEAR(v[2], 0.2 - G * N * dt, 1e-12);
    plait_sim_free(sim);
}

CASE(slides_and_stops)
{
    double mu = 0.3, v0 = 1, x[6], v[6], dt = 5e-4;
    plait_sim *sim = make(RADIUS, mu, v0, 0, dt);
    plait_sim_contact c;
    step(sim, 100);
    plait_sim_velocities(sim, v);
    CHECK_NEAR(v[0], v0 - mu * G * 0.05, 1e-6);
    double weight = 0, drag = 0;
    for (int i = 0; i < plait_sim_contacts(sim); i++) {
        plait_sim_contact_get(sim, i, &c);
        weight += c.impulse[2], drag += c.impulse[0];
        CHECK(c.kind[0] == PLAIT_PARTNER_FIBRE && c.kind[1] == PLAIT_PARTNER_COLLIDER && c.index[1] == 0);
    }
    CHECK_NEAR(weight, MASS * G * dt, 1e-8);
    CHECK_NEAR(drag, -mu * MASS * G * dt, 1e-8);
    step(sim, 900);
    plait_sim_positions(sim, x), plait_sim_velocities(sim, v);
    CHECK_NEAR(v[0], 0, 1e-9);
    CHECK_NEAR(x[0], v0 * v0 / (2 * mu * G), 2 * v0 * dt); // of first order in dt
    CHECK_NEAR(x[2], RADIUS, 1e-5);
    plait_sim_free(sim);
}

// Its state is part of the block: what was saved goes on bit for bit.
CASE(goes_on_from_a_saved_state)
{
    plait_sim *one = make(RADIUS, 0.3, 1, 0, 1e-3), *two = make(RADIUS, 0.3, 1, 0, 1e-3);
    step(one, 50);
    int64_t size = plait_sim_state_size(one);
    double *state = malloc((size_t)size * sizeof *state), a[6], b[6];
    plait_sim_get_state(one, state);
    CHECK(size > PLAIT_STATE_HEAD + STATE && plait_sim_set_state(two, state, size, NULL) == PLAIT_OK);
    step(one, 20), step(two, 20);
    plait_sim_positions(one, a), plait_sim_positions(two, b);
    CHECK(memcmp(a, b, sizeof a) == 0);
    free(state), plait_sim_free(one), plait_sim_free(two);
}
