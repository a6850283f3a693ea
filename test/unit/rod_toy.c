// rod_toy.c: a new rod model is one file and one row. This one is a line of beads, each hung by a spring from where it
// began, all with the same frequency: a bead is a harmonic oscillator, with closed forms for how it swings, and for how
// it lies on a floor that is nearer than it would sag.
//
// The list of body/rod_table.c is replaced by the one below; nothing else knows. All functions are the toy's own.
#include <math.h>
#include <string.h>

#include "body/rod.h"
#include "plait/control.h"
#include "sim_scenes.h"

// ---- the file ------------------------------------------------------------------------------------------------------

enum { TOY = PLAIT_ROD_MODEL_COUNT }; // the number that it would have in plait_rod_model
static const double OMEGA = 40;       // [1/s]

typedef struct beads {
    double *mass;  // [nodes]
    double *place; // [3 nodes] where they hang
    double dt;     // of the last linearise
} beads;

static double *x_of(const plait_rod *rod)
{
    return rod->state;
}

static double *v_of(const plait_rod *rod)
{
    return rod->state + rod->dofs;
}

static plait_status toy_build(plait_rod *rod, const plait_rod_shape *shape, plait_error *error)
{
    size_t nodes = (size_t)shape->segments + 1;
    beads *t = rod->impl = calloc(1, sizeof *t);
    rod->dofs = (int)(3 * nodes), rod->bandwidth = 0, rod->stride = 3, rod->state_size = 2 * rod->dofs;
    if (t)
        t->mass = calloc(nodes, sizeof *t->mass), t->place = calloc(3 * nodes, sizeof *t->place);
    if (!t || !t->mass || !t->place || !plait_rod_room(rod))
        return plait_error_set(error, PLAIT_NO_MEMORY, "rod %d: no memory", rod->id);
    for (size_t i = 0; i < nodes; i++)
        t->mass[i] = rod->section.mass / 2 * ((i > 0 ? shape->rest[i - 1] : 0) + (i + 1 < nodes ? shape->rest[i] : 0));
    memcpy(t->place, shape->x, 3 * nodes * sizeof *t->place);
    memcpy(x_of(rod), shape->x, 3 * nodes * sizeof *shape->x);
    return PLAIT_OK;
}

static void toy_free(plait_rod *rod)
{
    beads *t = rod->impl;
    if (t)
        free(t->mass), free(t->place);
    free(t);
}

// M = m (1 + dt^2 omega^2), f = m v0 + dt (m g + F - m omega^2 (x0 - place))
static double mass_of(const beads *t, int i, double dt)
{
    return t->mass[i / 3] * (1 + dt * dt * OMEGA * OMEGA);
}

static double force_of(const plait_rod *rod, int i, double dt)
{
    const beads *t = rod->impl;
    double m = t->mass[i / 3], spring = m * OMEGA * OMEGA * (x_of(rod)[i] - t->place[i]);
    return m * v_of(rod)[i] + dt * (m * rod->gravity[i % 3] + rod->force[i] - spring);
}

static bool toy_predict(plait_rod *rod, double dt, const plait_step_options *options, plait_step_report *report)
{
    (void)options, (void)report;
    for (int i = 0; i < rod->dofs; i++)
        rod->v[i] = force_of(rod, i, dt) / mass_of(rod->impl, i, dt);
    return true;
}

static bool toy_linearise(plait_rod *rod, double dt, const double *v, const plait_rod_linear *out)
{
    (void)v; // linear: the same about any velocity
    beads *t = rod->impl;
    t->dt = dt;
    for (int i = 0; i < rod->dofs; i++) {
        if (out->f)
            out->f[i] = force_of(rod, i, dt);
        if (out->M)
            out->M[i] = mass_of(t, i, dt), out->held[i] = 0;
    }
    return true;
}

static bool toy_residual(plait_rod *rod, double dt, const double *v, double *g)
{
    for (int i = 0; i < rod->dofs; i++)
        g[i] = mass_of(rod->impl, i, dt) * v[i] - force_of(rod, i, dt);
    return true;
}

static bool toy_retract(plait_rod *rod, double dt, const double *about, const double *d, double *v)
{
    (void)dt;
    for (int i = 0; i < rod->dofs; i++)
        v[i] = about[i] + d[i];
    return true;
}

static void toy_solve(plait_rod *rod, double *X, int count)
{
    const beads *t = rod->impl;
    for (int i = 0; i < count * rod->dofs; i++)
        X[i] /= mass_of(t, i % rod->dofs, t->dt);
}

static int toy_point(const plait_rod *rod, int segment, double a, double position[3], int *first, double *J)
{
    const double *x = x_of(rod) + 3 * segment;
    memset(J, 0, 18 * sizeof *J);
    for (int k = 0; k < 3; k++)
        position[k] = (1 - a) * x[k] + a * x[3 + k], J[6 * k + k] = 1 - a, J[6 * k + 3 + k] = a;
    *first = 3 * segment;
    return 6;
}

static bool toy_shift(plait_rod *rod, double dt, const double *v)
{
    for (int i = 0; i < rod->dofs; i++)
        x_of(rod)[i] += dt * v[i];
    return true;
}

static void toy_set_v(plait_rod *rod, const double *v)
{
    memcpy(v_of(rod), v, (size_t)rod->dofs * sizeof *v);
}

static bool toy_accept(plait_rod *rod, double dt, const double *v)
{
    toy_set_v(rod, v);
    return toy_shift(rod, dt, v);
}

static bool toy_relax(plait_rod *rod, const plait_relax_options *options, plait_step_report *report)
{
    (void)options, (void)report;
    const beads *t = rod->impl;
    for (int i = 0; i < rod->dofs; i++) {
        double pull = rod->gravity[i % 3] + rod->force[i] / t->mass[i / 3];
        x_of(rod)[i] = t->place[i] + pull / (OMEGA * OMEGA), v_of(rod)[i] = 0;
    }
    return true;
}

static void toy_positions(const plait_rod *rod, double *x)
{
    memcpy(x, x_of(rod), (size_t)rod->dofs * sizeof *x);
}

static void toy_velocities(const plait_rod *rod, double *v)
{
    memcpy(v, v_of(rod), (size_t)rod->dofs * sizeof *v);
}

static plait_rod_energies toy_energy(const plait_rod *rod)
{
    const beads *t = rod->impl;
    plait_rod_energies e = {0};
    for (int i = 0; i < rod->dofs; i++) {
        double m = t->mass[i / 3], y = x_of(rod)[i] - t->place[i], v = v_of(rod)[i];
        e.kinetic += m * v * v / 2, e.stretch += m * OMEGA * OMEGA * y * y / 2, e.momentum[i % 3] += m * v;
        e.load -= (m * rod->gravity[i % 3] + rod->force[i]) * x_of(rod)[i];
    }
    return e;
}

static void toy_kick(plait_rod *rod, const double velocity[3], const double spin[3], const double centre[3])
{
    for (int i = 0; i < rod->dofs; i += 3) {
        const double *x = x_of(rod) + i;
        for (int k = 0; k < 3; k++) {
            int a = (k + 1) % 3, b = (k + 2) % 3;
            v_of(rod)[i + k] += velocity[k] + spin[a] * (x[b] - centre[b]) - spin[b] * (x[a] - centre[a]);
        }
    }
}

static const plait_rod_type toy = {
    .model = (plait_rod_model)TOY,
    .name = "toy",
    .title = "beads on springs",
    .abilities = PLAIT_ROD_STRETCHES | PLAIT_ROD_FREE_ROOT,
    .build = toy_build,
    .free = toy_free,
    .predict = toy_predict,
    .linearise = toy_linearise,
    .residual = toy_residual,
    .retract = toy_retract,
    .solve = toy_solve,
    .point = toy_point,
    .accept = toy_accept,
    .shift = toy_shift,
    .relax = toy_relax,
    .positions = toy_positions,
    .velocities = toy_velocities,
    .energy = toy_energy,
    .get_v = toy_velocities,
    .set_v = toy_set_v,
    .kick = toy_kick,
};

// ---- the row -------------------------------------------------------------------------------------------------------

const plait_rod_type *const plait_rod_types[] = {
    &plait_rod_der, &plait_rod_superhelix, &plait_rod_massspring, &plait_rod_corde, &toy, NULL,
};

// ---- what it can do ------------------------------------------------------------------------------------------------

CASE(is_found)
{
    plait_rod_model model;
    CHECK(plait_rod_model_find("toy", &model) && (int)model == TOY);
    CHECK_STR(plait_rod_model_name(model), "toy");
}

// A rod of 10 cm along x at this height.
static plait_scene *scene_of(double height, int segments)
{
    plait_scene *scene = scenes_new(0.3);
    scenes_rod(scene, (plait_rod_model)TOY, (double[]){0, 0, height}, (double[]){1, 0, 0}, segments);
    scene->stepping.adaptive = false, scene->stepping.dt = 2e-3;
    return scene;
}

// Implicit Euler of y'' = -g - omega^2 y, step by step, and relax: y = -g / omega^2.
CASE(swings_as_an_oscillator)
{
    plait_scene *scene = scene_of(0.5, 4);
    double g = -scene->gravity[2], y = 0, v = 0.3, dt = 2e-3, x[15];
    scene->fibre[0].velocity[2] = v;
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report;
    for (int i = 0; sim && i < 150; i++) {
        if (!CHECK(plait_sim_step(sim, INFINITY, &report, NULL) == PLAIT_OK && !report.failed))
            break;
        v = (v - dt * (g + OMEGA * OMEGA * y)) / (1 + dt * dt * OMEGA * OMEGA), y += dt * v;
        plait_rod_positions(plait_sim_rod(sim, 0), x);
        CHECK_NEAR(x[2], 0.5 + y, 1e-12);
        CHECK_NEAR(x[14], 0.5 + y, 1e-12);
    }
    plait_sim_free(sim);
}

// The floor is nearer than the springs let it sag: it bears what is left of the weight, m (g - omega^2 depth).
CASE(lies_on_a_floor)
{
    plait_scene *scene = scene_of(0, 6);
    double radius = 2e-3, depth = 1e-3, g = -scene->gravity[2], x[21];
    CHECK(g / (OMEGA * OMEGA) > 2 * depth); // it would sag by 6 mm
    int ground = scenes_ground(scene);
    scene->collider[ground].position[2] = -radius - depth;
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report = {0};
    for (int i = 0; sim && i < 600; i++)
        if (!CHECK(plait_sim_step(sim, INFINITY, &report, NULL) == PLAIT_OK && !report.failed))
            break;
    const plait_rod *rod = plait_sim_rod(sim, 0);
    plait_rod_positions(rod, x);
    for (int i = 0; i < 7; i++)
        CHECK_NEAR(x[3 * i + 2], -depth, 1e-6);
    double force[3], couple[3], mass = rod->section.mass * rod->length;
    CHECK_INT(plait_sim_get_reaction(sim, PLAIT_PARTNER_COLLIDER, ground, (double[3]){0}, force, couple, NULL),
              PLAIT_OK);
    CHECK_NEAR(-force[2] / (mass * (g - OMEGA * OMEGA * depth)), 1, 1e-3);
    plait_sim_free(sim);
}
