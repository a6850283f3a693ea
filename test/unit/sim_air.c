// Drag, wind and gusts against the linear oscillator v' = g + k (air - v), for every model and both of CoRdE's steps.
#include "rods.h"
#include "sim_scenes.h"

static const double K = 5; // [1/s] drag

static plait_scene *in_air(plait_rod_model model, double drag, double dt)
{
    plait_scene *scene = scenes_new(0.3);
    memset(scene->gravity, 0, sizeof scene->gravity);
    scene->material[0].rod.drag = drag;
    scene->stepping.dt = dt;
    scene->stepping.adaptive = false;
    scenes_rod(scene, model, (double[]){0, 0, 0}, (double[]){0.6, 0, 0.8}, 6);
    return scene;
}

static bool flies(plait_rod_model model)
{
    return plait_rod_model_abilities(model) & PLAIT_ROD_FREE_ROOT;
}

static bool momentum_over_mass(plait_sim *sim, double end, double u[3])
{
    plait_sim_report report;
    bool ok = scenes_run(sim, end, &report);
    plait_material m = scenes_rubber();
    plait_rod_energies e = plait_rod_energy(plait_sim_rod(sim, 0));
    double mass = m.density * M_PI * m.radius[0] * m.radius[0] * 0.1;
    for (int k = 0; k < 3; k++)
        u[k] = e.momentum[k] / mass;
    return ok;
}

// Falling from a throw, in wind: v = air + g/k + (v0 - air - g/k) exp(-k t).
CASE(relaxation_and_terminal_speed)
{
    const double wind[3] = {0.5, -0.2, 0.1}, start[3] = {-1, 0.7, 0.3}, gravity[3] = {0, 1, -2}, dt = 1e-3;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!flies((plait_rod_model)m))
            continue;
        plait_scene *scene = in_air((plait_rod_model)m, K, dt);
        memcpy(scene->wind, wind, sizeof wind), memcpy(scene->gravity, gravity, sizeof gravity);
        memcpy(scene->fibre[0].velocity, start, sizeof start);
        plait_sim *sim = scenes_start(scene);
        for (int n = 1; n <= 4; n++) {
            double u[3], t = 0.4 * n * n / 4;
            CHECK(momentum_over_mass(sim, t, u));
            for (int k = 0; k < 3; k++) {
                double last = wind[k] + gravity[k] / K, gone = start[k] - last;
                CHECK_NEAR(u[k], last + gone * exp(-K * t), fabs(gone) * K * dt / 2);
            }
        }
        plait_sim_free(sim);
    }
}

// A gust w sin(2 pi f t): v = w k/(k^2 + o^2) (k sin o t - o cos o t + o exp(-k t)).
CASE(gust_has_phase_and_amplitude)
{
    const double gust[3] = {0.3, 0, -0.6}, dt = 1e-3, f = 1.5, o = 2 * M_PI * f;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (!flies((plait_rod_model)m))
            continue;
        plait_scene *scene = in_air((plait_rod_model)m, K, dt);
        memcpy(scene->gust, gust, sizeof gust);
        scene->gust_frequency = f;
        plait_sim *sim = scenes_start(scene);
        for (int n = 1; n <= 8; n++) {
            double u[3], t = 0.15 * n;
            CHECK(momentum_over_mass(sim, t, u));
            double answer = K / (K * K + o * o) * (K * sin(o * t) - o * cos(o * t) + o * exp(-K * t));
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(u[k], gust[k] * answer, fabs(gust[k]) * o * dt);
        }
        plait_sim_free(sim);
    }
}

// A clamped rod that weak gravity sets swinging: how fast its swings get smaller [1/s].
static double decay(plait_rod_model model, double drag)
{
    enum { TURNS = 12, SWUNG = 2 };
    plait_scene *scene = in_air(model, drag, 5e-3);
    scene->fibre[0].end[0] = PLAIT_END_CLAMPED;
    scene->material[0].rod.damping = 0;
    scene->gravity[0] = 0.04, scene->gravity[2] = -0.03; // across the rod
    plait_sim *sim = scenes_start(scene);
    plait_sim_report report;
    double turn[TURNS], when[TURNS], before = 0, last = 0, x[21];
    int turns = 0;
    for (int n = 1; turns < TURNS && n < 1000 && CHECK(scenes_run(sim, n * 5e-3, &report)); n++) {
        plait_rod_positions(plait_sim_rod(sim, 0), x);
        if (n > 2 && (x[18] - last) * (last - before) <= 0)
            turn[turns] = last, when[turns++] = n * 5e-3;
        before = last, last = x[18];
    }
    plait_sim_free(sim);
    if (!CHECK_INT(turns, TURNS)) // a model that gains energy, or does not swing
        return NAN;
    double first = fabs(turn[SWUNG + 1] - turn[SWUNG]), final = fabs(turn[TURNS - 1] - turn[TURNS - 2]);
    return log(first / final) / (when[TURNS - 1] - when[SWUNG + 1]);
}

// x'' + k x' + o^2 x = 0: the swings go as exp(-k t/2), beside the little that the scheme takes.
CASE(swings_die_in_still_air)
{
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++)
        CHECK_NEAR(decay((plait_rod_model)m, 2) - decay((plait_rod_model)m, 0), 1, 0.06);
}

// A clamped rod in wind comes to rest where a weight k w would hold it.
CASE(wind_bends_as_weight_does)
{
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        double x[2][21];
        for (int way = 0; way < 2; way++) {
            plait_scene *scene = in_air((plait_rod_model)m, 40, 4e-3);
            scene->fibre[0].end[0] = PLAIT_END_CLAMPED;
            scene->fibre[0].start = way ? PLAIT_START_RELAXED : PLAIT_START_DRAWN;
            double *push = way ? scene->gravity : scene->wind;
            push[0] = way ? 0.8 : 0.02, push[1] = way ? 1.6 : 0.04;
            plait_sim *sim = scenes_start(scene);
            plait_sim_report report;
            CHECK(way || scenes_run(sim, 2, &report));
            plait_rod_positions(plait_sim_rod(sim, 0), x[way]);
            plait_sim_free(sim);
        }
        CHECK(x[1][19] > 2e-3);
        for (int k = 18; k < 21; k++)
            CHECK_NEAR(x[0][k], x[1][k], 1e-4 * x[1][19]);
    }
}

// CoRdE's symplectic step, alone: a throw slows down by exp(-k t).
CASE(explicit_step_slows_down)
{
    plait_rod_def def = rods_cantilever_def(PLAIT_ROD_CORDE, 4, 0.1);
    def.end[0].kind = PLAIT_END_FREE;
    def.section.drag = 20;
    def.section.inertia[0] = def.section.inertia[1] = 1e-8; // slow enough for long steps
    plait_rod *rod = rods_new(&def);
    plait_step_options options = plait_default_step_options();
    options.scheme = PLAIT_STEP_EXPLICIT;
    plait_step_report report = {0};
    const double dt = 2e-5, throw[3] = {0.3, -0.2, 0.5};
    plait_rod_kick(rod, throw, (double[3]){0}, (double[3]){0});
    for (int n = 0; n < 2500 && CHECK(plait_rod_step(rod, dt, &options, &report, NULL) == PLAIT_OK); n++)
        if (!CHECK(report.converged))
            break;
    double v[15];
    plait_rod_velocities(rod, v);
    for (int k = 0; k < 15; k++)
        CHECK_REL(v[k], throw [k % 3] * exp(-20 * 2500 * dt), 1e-3);
    plait_rod_free(rod);
}

// One Newton iteration is exact for drag alone, if the matrix has it too: v <- v/(1 + k dt), for long steps. (Not for
// super-helices, whose places are not linear in their dofs.)
CASE(matrix_has_the_drag)
{
    const double start[3] = {-1, 0.7, 0.3}, dt = 0.1;
    for (int m = 0; m < PLAIT_ROD_MODEL_COUNT; m++) {
        if (m == PLAIT_ROD_SUPERHELIX)
            continue;
        plait_scene *scene = in_air((plait_rod_model)m, K, dt);
        scene->stepping.rod.scheme = PLAIT_STEP_LINEAR;
        memcpy(scene->fibre[0].velocity, start, sizeof start);
        plait_sim *sim = scenes_start(scene);
        for (int n = 1; n <= 3; n++) {
            double u[3];
            CHECK(momentum_over_mass(sim, n * dt, u));
            for (int k = 0; k < 3; k++)
                CHECK_NEAR(u[k], start[k] / pow(1 + K * dt, n), 1e-9);
        }
        plait_sim_free(sim);
    }
}
