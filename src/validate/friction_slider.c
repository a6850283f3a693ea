// friction_slider.c: the bead and the box of friction_slider.h.
#include "validate/friction_slider.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"

// ---- scenes ------------------------------------------------------------------------------------------------------

plait_scene *plait_trial_scene(plait_trial *t, double dt)
{
    plait_scene *scene = plait_scene_new();
    if (!scene) {
        snprintf(t->reason, sizeof t->reason, "out of memory");
        return NULL;
    }
    scene->stepping.dt = dt;
    scene->stepping.dt_min = dt;
    scene->stepping.adaptive = false;
    scene->stepping.solve.tol = 1e-11;
    scene->stepping.solve.threads = 1;
    return scene;
}

plait_sim *plait_trial_simulate(plait_trial *t, plait_scene *scene)
{
    plait_error error = {0};
    plait_sim *sim = plait_sim_new(scene, &error);
    plait_scene_free(scene);
    if (sim)
        plait_sim_set_threads(sim, 1);
    else
        snprintf(t->reason, sizeof t->reason, "%.200s", error.text);
    return sim;
}

bool plait_trial_advance(plait_trial *t, plait_sim *sim, plait_sim_report *report)
{
    plait_error error = {0};
    plait_status status = plait_sim_step(sim, INFINITY, report, &error);
    if (status == PLAIT_OK && !report->failed)
        return true;
    snprintf(t->reason, sizeof t->reason, "step %lld: %.180s", (long long)plait_sim_steps(sim),
             status != PLAIT_OK ? error.text
             : report->reason   ? report->reason
                                : "failed");
    return false;
}

// ---- a box -------------------------------------------------------------------------------------------------------

// Flat, so that it does not tip over; it weighs 1 kg.
static const double BOX[3] = {0.05, 0.05, 0.005};

static plait_sim *box_scene(plait_trial *t, const plait_slider *s)
{
    plait_scene *scene = plait_trial_scene(t, s->dt);
    if (!scene)
        return NULL;
    plait_material rod = plait_default_material();
    int material = plait_scene_add_material(scene, "block", &rod, s->mu);
    int plane = plait_scene_add_collider(scene, "plane", PLAIT_SHAPE_PLANE);
    int box = plait_scene_add_rigid(scene, "box", PLAIT_SHAPE_BOX);
    if (material < 0 || plane < 0 || box < 0) {
        plait_scene_free(scene);
        snprintf(t->reason, sizeof t->reason, "out of memory");
        return NULL;
    }
    plait_rigid *rigid = &scene->rigid[box];
    memcpy(rigid->shape.size, BOX, sizeof BOX);
    rigid->density = 1 / (8 * BOX[0] * BOX[1] * BOX[2]);
    rigid->position[2] = BOX[2];
    rigid->material = scene->collider[plane].material = material;
    plait_vec3_copy(s->velocity, rigid->velocity);
    plait_vec3_copy(s->gravity, scene->gravity);
    scene->detecting.proximity = 1e-3;
    return plait_trial_simulate(t, scene);
}

static bool step_box(plait_trial *t, plait_slider *s)
{
    plait_sim_report report;
    double rotation[4], spin[3];
    if (!plait_trial_advance(t, s->sim, &report))
        return false;
    plait_sim_rigid_pose(s->sim, 0, s->x, rotation);
    plait_sim_rigid_velocity(s->sim, 0, s->v, spin);
    s->x[2] -= BOX[2];
    s->lost += report.dissipated;
    return true;
}

// ---- a bead ------------------------------------------------------------------------------------------------------

static bool step_bead(plait_trial *t, plait_slider *s)
{
    static const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    double c = cos(s->turn), d = sin(s->turn), b[3], free[3];
    bool exact = s->local != PLAIT_LOCAL_PYRAMID && s->local != PLAIT_LOCAL_DURIEZ06;
    for (int k = 0; k < 3; k++)
        free[k] = s->v[k] + s->dt * s->gravity[k];
    b[0] = free[2], b[1] = c * free[0] + d * free[1], b[2] = c * free[1] - d * free[0];
    if (plait_contact_solve(s->local, W, b, s->mu, 1e-13, s->r) != PLAIT_LOCAL_SOLVED && exact) {
        snprintf(t->reason, sizeof t->reason, "step %d: %s did not solve", s->steps, plait_local_name(s->local));
        return false;
    }
    double u[3] = {b[0] + s->r[0], b[1] + s->r[1], b[2] + s->r[2]};
    s->lost -= u[1] * s->r[1] + u[2] * s->r[2];
    s->v[0] = c * u[1] - d * u[2], s->v[1] = d * u[1] + c * u[2], s->v[2] = u[0];
    for (int k = 0; k < 3; k++)
        s->x[k] += s->dt * s->v[k];
    return true;
}

// ---- either ------------------------------------------------------------------------------------------------------

bool plait_slider_start(plait_trial *t, plait_slider *s)
{
    s->steps = 0;
    s->lost = 0;
    plait_vec3_copy(s->velocity, s->v);
    memset(s->x, 0, sizeof s->x);
    memset(s->r, 0, sizeof s->r);
    s->sim = s->box ? box_scene(t, s) : NULL;
    return !s->box || s->sim;
}

bool plait_slider_step(plait_trial *t, plait_slider *s)
{
    s->steps++;
    return s->box ? step_box(t, s) : step_bead(t, s);
}

void plait_slider_end(plait_slider *s)
{
    plait_sim_free(s->sim);
    s->sim = NULL;
}

bool plait_slider_stop(plait_trial *t, plait_slider *s, int max_steps, double *time)
{
    double before = plait_vec3_norm(s->v), start = before, last_but_one = before;
    while (s->steps < max_steps) {
        if (!plait_slider_step(t, s))
            return false;
        double speed = plait_vec3_norm(s->v);
        if (speed <= 1e-9 * start) {
            double rate = (last_but_one - before) / s->dt;
            *time = s->dt * (s->steps - 1) + (rate > 0 ? fmin(before / rate, s->dt) : s->dt);
            return true;
        }
        last_but_one = before, before = speed;
    }
    snprintf(t->reason, sizeof t->reason, "it does not stop within %d steps", max_steps);
    return false;
}
