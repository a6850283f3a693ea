// soft_motion.c: G6: cloth and solids in motion and at rest.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/elementary.h"
#include "math/vec3.h"
#include "plait/scene.h"
#include "sim/sim.h"
#include "validate/friction_slider.h"
#include "validate/soft_alone.h"

static const double g = 9.81;

// ---- free motion ----------------------------------------------------------------------------------------------------

static void momenta(const plait_soft_alone *a, double p[3], double L[3])
{
    const double *x = a->x, *v = a->x + 3 * (size_t)a->impl->nodes;
    for (int k = 0; k < 3; k++)
        p[k] = L[k] = 0;
    for (int i = 0; i < a->impl->nodes; i++) {
        double l[3];
        plait_vec3_cross(x + 3 * (size_t)i, v + 3 * (size_t)i, l);
        plait_vec3_axpy(a->impl->mass[i], v + 3 * (size_t)i, p), plait_vec3_axpy(a->impl->mass[i], l, L);
    }
}

static double change(const double a[3], const double b[3])
{
    double d[3];
    plait_vec3_sub(a, b, d);
    return plait_vec3_norm(d) / plait_vec3_norm(b);
}

static bool make(plait_trial *t, plait_soft_model model, plait_soft *soft)
{
    plait_gen_grid grid = {.size = {0.3, 0.2}, .cells = {9, 6}, .pattern = PLAIT_GEN_IRREGULAR, .seed = 3};
    plait_gen_solid block = {.size = {0.1, 0.2, 0.05}, .cells = {3, 5, 2}, .irregular = 0.2, .seed = 3};
    bool ok = model < PLAIT_SOFT_COROTATIONAL ? plait_trial_grid(t, &grid, soft) : plait_trial_block(t, &block, soft);
    if (ok)
        soft->model = model;
    return ok;
}

// It turns, flies and wobbles without forces: what 300 steps change of both momenta.
static void free_motion(plait_trial *t, plait_soft_model model, double dt)
{
    enum { STEPS = 300 };
    const double none[3] = {0};
    plait_soft soft;
    double p0[3], L0[3], p[3] = {NAN, NAN, NAN}, L[3] = {NAN, NAN, NAN};
    if (!make(t, model, &soft))
        return;
    free(soft.force), soft.force = NULL;
    soft.spin[0] = 6, soft.spin[1] = 1, soft.spin[2] = 4, soft.velocity[0] = 1;
    plait_soft_alone *a = plait_soft_alone_new(t, &soft, none);
    const char *wrong = a ? NULL : "no body";
    if (a)
        momenta(a, p0, L0);
    for (int i = 0; i < STEPS && !wrong && !plait_trial_stopped(t); i++) {
        wrong = plait_soft_predict(&a->body, dt, a->v);
        wrong = wrong ? wrong : a->body.type->accept(&a->body, dt, a->v);
    }
    if (wrong)
        snprintf(t->reason, sizeof t->reason, "%.200s", wrong);
    else
        momenta(a, p, L);
    plait_trial_row(t, STEPS, 0, wrong ? NAN : change(p, p0), 1e-8, "momentum, relative change, dt = %g s", dt);
    plait_trial_row(t, STEPS, 0, wrong ? NAN : change(L, L0), 1e-8, "angular momentum, relative change, dt = %g s", dt);
    plait_soft_alone_free(a), plait_soft_free(&soft);
}

// ---- with contacts --------------------------------------------------------------------------------------------------

static plait_scene *ground(double dt, double mu, const double gravity[3], const plait_soft *soft)
{
    plait_scene *scene = plait_scene_new();
    if (!scene)
        return NULL;
    bool ok = plait_scene_add_material(scene, "it", NULL, mu) == 0 &&
              plait_scene_add_collider(scene, "floor", PLAIT_SHAPE_PLANE) == 0 &&
              plait_scene_add_soft(scene, "it", soft) == 0;
    scene->stepping.dt = dt, scene->stepping.adaptive = false;
    plait_vec3_copy(gravity, scene->gravity);
    if (ok)
        return scene;
    plait_scene_free(scene);
    return NULL;
}

// A soft ball is dropped: how far its energy and its height get above those of the start.
static void bounce(plait_trial *t, plait_soft_model model, double young)
{
    enum { STEPS = 150 };
    const double down[3] = {0, 0, -g}, start = 0.12;
    plait_gen_solid block = {.block = PLAIT_GEN_BALL, .size = {0.1, 0.1, 0.1}, .cells = {4, 4, 4}};
    plait_soft soft;
    if (!plait_trial_block(t, &block, &soft))
        return;
    soft.model = model, soft.young = young, soft.damping = 0, soft.self = false;
    for (int i = 0; i < soft.points; i++)
        soft.point[3 * i + 2] += start;
    plait_scene *scene = ground(4e-3, 0.3, down, &soft);
    plait_sim *sim = scene ? plait_trial_simulate(t, scene) : NULL; // frees the scene
    plait_sim_report r;
    double first = NAN, most = NAN;
    for (int i = 0; sim && i < STEPS && plait_trial_advance(t, sim, &r); i++) {
        double now = r.kinetic + r.elastic + r.potential;
        first = i == 0 ? now : first, most = i == 0 ? now : fmax(most, now);
        if (i == STEPS - 1)
            plait_trial_row(t, STEPS, 0, most / first - 1, 1e-6, "energy of a dropped ball above its start, E = %g Pa",
                            young);
    }
    plait_sim_free(sim), plait_soft_free(&soft);
}

// A block on a slope of part of the friction angle: how fast its middle creeps in any step after it has
// settled. (One step would tell little: what a solver leaves changes its sign.)
static void slope(plait_trial *t, plait_soft_model model, double part)
{
    enum { SETTLE = 100, STEPS = 200 };
    double mu = 0.4, angle = plait_atan(part * mu), gravity[3] = {g * plait_sin(angle), 0, -g * plait_cos(angle)};
    plait_gen_solid block = {.size = {0.1, 0.1, 0.05}, .cells = {4, 4, 2}};
    plait_soft soft;
    if (!plait_trial_block(t, &block, &soft))
        return;
    soft.model = model, soft.damping = 0.02, soft.self = false;
    for (int i = 0; i < soft.points; i++)
        soft.point[3 * i + 2] += 0.025 + soft.thickness / 2;
    plait_scene *scene = ground(5e-3, mu, gravity, &soft);
    plait_sim *sim = scene ? plait_trial_simulate(t, scene) : NULL;
    plait_sim_report r;
    double speed = NAN, most = 0;
    for (int i = 0; sim && i < STEPS && plait_trial_advance(t, sim, &r); i++) {
        const double *v = plait_sim_body(&sim->model, &plait_body_solid, 0)->state + 3 * (size_t)soft.points;
        double mean = 0;
        for (int k = 0; k < soft.points; k++)
            mean += v[3 * k] / soft.points;
        most = i >= SETTLE ? fmax(most, fabs(mean)) : 0;
        speed = i == STEPS - 1 ? most : NAN;
    }
    plait_trial_row(t, STEPS, 0, speed, 1e-9, "creep on a slope at %g of the friction angle [m/s]", part);
    plait_sim_free(sim), plait_soft_free(&soft);
}

// A cloth is laid over a ball: how fast the fastest of its nodes is when it has come to rest, and how far it goes then.
static void laid_over_ball(plait_trial *t, plait_soft_model model, double cell, double radius)
{
    enum { SETTLE = 500, WATCH = 125 };
    const double dt = 8e-3, down[3] = {0, 0, -g}, side = 0.24;
    plait_gen_grid grid = {.size = {side, side},
                           .cells = {(int)round(side / cell), (int)round(side / cell)},
                           .pattern = model == PLAIT_SOFT_SPRINGS ? PLAIT_GEN_CROSSED : PLAIT_GEN_IRREGULAR,
                           .seed = 6};
    plait_soft soft;
    if (!plait_trial_grid(t, &grid, &soft))
        return;
    soft.model = model, soft.stretch = 300, soft.bend = 2e-5, soft.damping = 5e-3, soft.bend_damping = 0.05;
    soft.drag = 2;
    for (int i = 0; i < soft.points; i++)
        soft.point[3 * i + 2] += radius + soft.thickness;
    plait_scene *scene = ground(dt, 0.5, down, &soft);
    double *x = malloc(3 * (size_t)soft.points * sizeof *x), speed = NAN, drift = NAN;
    if (scene) {
        scene->collider[0].shape = (plait_shape){.kind = PLAIT_SHAPE_SPHERE, .size = {radius}};
        scene->stepping.dt_min = dt / 64, scene->stepping.adaptive = true;
    }
    plait_sim *sim = scene ? plait_trial_simulate(t, scene) : NULL;
    plait_sim_report r;
    int contacts = 0;
    for (int i = 0; sim && x && i < SETTLE + WATCH && plait_trial_advance(t, sim, &r); i++) {
        const double *now = plait_sim_body(&sim->model, &plait_body_cloth, 0)->state;
        size_t numbers = 3 * (size_t)soft.points;
        contacts = r.contacts;
        if (i == SETTLE)
            memcpy(x, now, numbers * sizeof *x);
        speed = drift = i == SETTLE + WATCH - 1 ? 0 : NAN;
        for (size_t k = 0; i == SETTLE + WATCH - 1 && k < numbers; k++)
            speed = fmax(speed, fabs(now[numbers + k])), drift = fmax(drift, fabs(now[k] - x[k]) / (WATCH * dt));
    }
    plait_trial_row(t, SETTLE, 0, contacts > 10 ? speed : NAN, 1e-6,
                    "over a ball of %g cm, cells of %g cm: fastest [m/s]", 1e2 * radius, 1e2 * cell);
    plait_trial_row(t, WATCH, 0, contacts > 10 ? drift : NAN, 1e-6, "over a ball of %g cm, cells of %g cm: drift [m/s]",
                    1e2 * radius, 1e2 * cell);
    free(x), plait_sim_free(sim), plait_soft_free(&soft);
}

void plait_case_soft_motion(plait_trial *t)
{
    for (int k = 0; k < PLAIT_SOFT_MODELS && !plait_trial_stopped(t); k++) {
        t->subject = plait_soft_model_name((plait_soft_model)k);
        free_motion(t, (plait_soft_model)k, 2e-3), free_motion(t, (plait_soft_model)k, 8e-3);
        if (plait_trial_stopped(t))
            break;
        if (k < PLAIT_SOFT_COROTATIONAL) {
            laid_over_ball(t, (plait_soft_model)k, k ? 0.02 : 0.024, k ? 0.06 : 0.08);
            continue;
        }
        bounce(t, (plait_soft_model)k, 2e4);
        slope(t, (plait_soft_model)k, 0.9);
    }
}
