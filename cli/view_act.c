// view_act.c: what a page does to a simulation besides pulling at strands: colliders are pushed, strands cut off.
//
// Both are input of the simulation, not state. A new simulation of the same scene (view_tune.c) would not know of them: so the
// scene is changed as well, and changed back when all begins anew.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "view.h"

static const double FASTEST = 2; // [m/s] of a collider that the mouse moves

typedef struct held_ends {
    plait_end_kind end[2];
    int attach[2], soft[2];
} held_ends;

struct plait_live_acts {
    int colliders, fibres;
    plait_collider *collider; // as the scene had them
    held_ends *ends;
    bool changed; // anything
};

plait_live_acts *plait_live_acts_new(const plait_scene *scene)
{
    plait_live_acts *a = plait_cli_alloc(1, sizeof *a);
    a->colliders = scene->colliders;
    a->fibres = scene->fibres;
    a->collider = plait_cli_alloc((size_t)scene->colliders + 1, sizeof *a->collider);
    a->ends = plait_cli_alloc((size_t)scene->fibres + 1, sizeof *a->ends);
    if (scene->colliders > 0)
        memcpy(a->collider, scene->collider, (size_t)scene->colliders * sizeof *a->collider);
    for (int i = 0; i < scene->fibres; i++) {
        memcpy(a->ends[i].end, scene->fibre[i].end, sizeof a->ends[i].end);
        memcpy(a->ends[i].attach, scene->fibre[i].attach, sizeof a->ends[i].attach);
        memcpy(a->ends[i].soft, scene->fibre[i].soft, sizeof a->ends[i].soft);
    }
    return a;
}

void plait_live_acts_free(plait_live_acts *a)
{
    if (!a)
        return;
    free(a->collider), free(a->ends), free(a);
}

bool plait_live_acts_any(const plait_live_acts *a)
{
    return a->changed;
}

void plait_live_acts_undo(plait_live_acts *a, plait_scene *scene)
{
    for (int i = 0; i < a->colliders; i++)
        scene->collider[i] = a->collider[i];
    for (int i = 0; i < a->fibres; i++) {
        memcpy(scene->fibre[i].end, a->ends[i].end, sizeof a->ends[i].end);
        memcpy(scene->fibre[i].attach, a->ends[i].attach, sizeof a->ends[i].attach);
        memcpy(scene->fibre[i].soft, a->ends[i].soft, sizeof a->ends[i].soft);
    }
    a->changed = false;
}

// The scene has the collider where it is now, and no script for it any more.
static void keep_pose(plait_collider *c, const double position[3], const double q[4])
{
    double sine = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), angle = 2 * atan2(sine, q[3]);
    for (int k = 0; k < 3; k++) {
        c->position[k] = position[k];
        c->rotation[k] = sine > 1e-12 ? angle * q[k] / sine : 0;
    }
    c->motion.keys = c->motion.drives = 0;
}

void plait_live_push(plait_live_acts *a, plait_scene *scene, plait_sim *sim, const plait_live_target *target)
{
    for (int i = 0; i < a->colliders; i++) {
        double position[3], rotation[4], d[3];
        if (!target[i].moved)
            continue;
        plait_sim_collider_pose(sim, i, position, rotation);
        for (int k = 0; k < 3; k++)
            d[k] = target[i].position[k] - position[k];
        double far = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        double soon = fmax(far / FASTEST, 2 * scene->stepping.dt);
        if (far > 1e-9)
            plait_sim_set_collider_target(sim, i, target[i].position, rotation, plait_sim_time(sim) + soon, NULL);
        keep_pose(&scene->collider[i], position, rotation);
        a->changed = true;
    }
}

bool plait_live_cut(plait_live_acts *a, plait_scene *scene, plait_sim *sim, int node, plait_error *error)
{
    const int *first = plait_sim_first_node(sim);
    int fibre = 0;
    while (fibre + 1 < plait_sim_fibres(sim) && first[fibre + 1] <= node)
        fibre++;
    bool ok = true, any = false;
    for (int e = 0; e < 2 && ok; e++) {
        if (scene->fibre[fibre].end[e] == PLAIT_END_FREE)
            continue;
        ok = plait_sim_set_end(sim, fibre, e, &(plait_end){.kind = PLAIT_END_FREE}, error) == PLAIT_OK;
        if (ok) {
            scene->fibre[fibre].end[e] = PLAIT_END_FREE;
            scene->fibre[fibre].attach[e] = -1;
            scene->fibre[fibre].soft[e] = 0;
            a->changed = any = true;
        }
    }
    if (ok && !any)
        plait_error_set(error, PLAIT_BAD_INPUT, "this strand is held nowhere");
    return ok && any;
}
