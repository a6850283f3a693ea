// view_tune.c: what a page can change while a simulation runs: friction, gravity, wind, stiffness, damping.
//
// All but the wind are factors of what the scene says. A change makes a new simulation of the changed scene, which takes
// over the state of the old one.
#include <stdlib.h>
#include <string.h>

#include "view.h"

const plait_live_tuning plait_live_untuned = {.friction = 1, .gravity = 1, .wind = 0, .stiffness = 1, .damping = 1};

struct plait_live_tuner { // what the scene said
    double gravity[3], wind[3], *mu;
    plait_material *rod;
};

plait_live_tuner *plait_live_tuner_new(const plait_scene *scene)
{
    plait_live_tuner *t = plait_cli_alloc(1, sizeof *t);
    size_t n = (size_t)scene->materials;
    memcpy(t->gravity, scene->gravity, sizeof t->gravity);
    memcpy(t->wind, scene->wind, sizeof t->wind);
    t->mu = plait_cli_alloc(n * n, sizeof *t->mu);
    memcpy(t->mu, scene->mu, n * n * sizeof *t->mu);
    t->rod = plait_cli_alloc(n, sizeof *t->rod);
    for (size_t i = 0; i < n; i++)
        t->rod[i] = scene->material[i].rod;
    return t;
}

void plait_live_tuner_free(plait_live_tuner *t)
{
    if (!t)
        return;
    free(t->mu), free(t->rod), free(t);
}

// Material without damping of its own gets 1 ms for every step of the slider beyond 1, without drag 1/s while there is wind: else the
// sliders would do nothing.
static plait_material tune_material(const plait_material *was, const plait_live_tuning *by)
{
    plait_material m = *was;
    m.young *= by->stiffness;
    m.shear *= by->stiffness;
    m.damping *= by->damping;
    m.viscosity *= by->damping;
    if (was->damping == 0 && was->viscosity == 0 && by->damping > 1)
        m.damping = 1e-3 * (by->damping - 1);
    if (was->drag == 0 && by->wind != 0)
        m.drag = 1;
    return m;
}

void plait_live_tuner_apply(const plait_live_tuner *t, const plait_live_tuning *by, plait_scene *scene)
{
    size_t n = (size_t)scene->materials;
    for (int k = 0; k < 3; k++)
        scene->gravity[k] = by->gravity * t->gravity[k];
    memcpy(scene->wind, t->wind, sizeof t->wind);
    scene->wind[0] += by->wind;
    for (size_t i = 0; i < n * n; i++)
        scene->mu[i] = by->friction * t->mu[i];
    for (size_t i = 0; i < n; i++)
        scene->material[i].rod = tune_material(&t->rod[i], by);
}

bool plait_live_tuning_set(plait_live_tuning *tuning, const char *name, double value)
{
    const struct {
        const char *name;
        double *value, min, max;
    } knobs[] = {
        {"friction", &tuning->friction, 0, 10}, {"gravity", &tuning->gravity, -10, 10},
        {"wind", &tuning->wind, -100, 100},     {"stiffness", &tuning->stiffness, 1e-3, 1e3},
        {"damping", &tuning->damping, 0, 1e3},
    };
    for (size_t i = 0; i < sizeof knobs / sizeof *knobs; i++) {
        if (strcmp(name, knobs[i].name) != 0)
            continue;
        if (!(value >= knobs[i].min && value <= knobs[i].max))
            return false;
        *knobs[i].value = value;
        return true;
    }
    return false;
}

bool plait_live_same_tuning(const plait_live_tuning *a, const plait_live_tuning *b)
{
    return a->friction == b->friction && a->gravity == b->gravity && a->wind == b->wind &&
           a->stiffness == b->stiffness && a->damping == b->damping;
}
