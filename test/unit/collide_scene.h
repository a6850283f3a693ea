// collide_scene.h: scenery for the tests of collision detection.
#ifndef PLAIT_TEST_COLLIDE_SCENE_H
#define PLAIT_TEST_COLLIDE_SCENE_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "collide/collide.h"

enum { SCENE_CHAINS = 4096, SCENE_SHAPES = 16 };

// Chains of any length behind each other, and shapes.
typedef struct scene {
    plait_scenery scenery;
    plait_chain_geometry chain[SCENE_CHAINS];
    plait_shape_geometry geometry[SCENE_SHAPES];
    plait_shape shape[SCENE_SHAPES];
    double *x0, *x1, *arc;
    int room;
} scene;

static inline scene *scene_new(int nodes)
{
    scene *s = calloc(1, sizeof *s);
    s->room = nodes;
    s->x0 = calloc(3 * (size_t)nodes + 1, sizeof(double));
    s->x1 = calloc(3 * (size_t)nodes + 1, sizeof(double));
    s->arc = calloc((size_t)nodes + 1, sizeof(double));
    s->scenery = (plait_scenery){.chain = s->chain,
                                 .shape = s->geometry,
                                 .x0 = s->x0,
                                 .x1 = s->x1,
                                 .arc = s->arc,
                                 .mode = PLAIT_DETECT_PROXIMITY,
                                 .chains_touch = true,
                                 .team = PLAIT_ALONE};
    return s;
}

static inline void scene_free(scene *s)
{
    free(s->x0), free(s->x1), free(s->arc), free(s);
}

// A chain of these nodes, at rest. Returns its index.
static inline int scene_chain(scene *s, int nodes, const double *x, double radius)
{
    int c = s->scenery.chains++, first = s->scenery.nodes;
    s->chain[c] = (plait_chain_geometry){.first = first, .nodes = nodes, .radius = radius, .self_arc = INFINITY};
    memcpy(s->x0 + 3 * first, x, 3 * (size_t)nodes * sizeof(double));
    memcpy(s->x1 + 3 * first, x, 3 * (size_t)nodes * sizeof(double));
    for (int n = 1; n < nodes; n++) {
        const double *p = x + 3 * n;
        s->arc[first + n] =
            s->arc[first + n - 1] +
            sqrt((p[0] - p[-3]) * (p[0] - p[-3]) + (p[1] - p[-2]) * (p[1] - p[-2]) + (p[2] - p[-1]) * (p[2] - p[-1]));
    }
    s->scenery.nodes += nodes;
    return c;
}

// A straight chain.
static inline int scene_line(scene *s, int nodes, const double from[3], const double to[3], double radius)
{
    double *x = malloc(3 * (size_t)nodes * sizeof(double));
    for (int n = 0; n < nodes; n++)
        for (int k = 0; k < 3; k++)
            x[3 * n + k] = from[k] + (to[k] - from[k]) * n / (nodes - 1);
    int c = scene_chain(s, nodes, x, radius);
    free(x);
    return c;
}

static inline void scene_move(scene *s, int chain, const double by[3])
{
    for (int n = s->chain[chain].first; n < s->chain[chain].first + s->chain[chain].nodes; n++)
        for (int k = 0; k < 3; k++)
            s->x1[3 * n + k] = s->x0[3 * n + k] + by[k];
}

static inline plait_shape *scene_shape(scene *s, plait_shape_kind kind, double a, double b, double c, const double x[3])
{
    int i = s->scenery.shapes++;
    s->shape[i] = (plait_shape){.kind = kind, .size = {a, b, c}};
    s->geometry[i].shape = &s->shape[i];
    plait_pose pose = {{x[0], x[1], x[2]}, {0, 0, 0, 1}};
    s->geometry[i].start = s->geometry[i].end = pose;
    return &s->shape[i];
}

// Random chains in a cube of the given side; they move by about `move`.
static inline scene *scene_random(uint64_t seed, int chains, int nodes, double side, double length, double radius,
                                  double move)
{
    plait_rng rng = plait_rng_new(seed, 0);
    scene *s = scene_new(chains * nodes);
    double *x = malloc(3 * (size_t)nodes * sizeof(double));
    for (int c = 0; c < chains; c++) {
        double t[3];
        for (int k = 0; k < 3; k++)
            x[k] = plait_rng_between(&rng, 0, side), t[k] = plait_rng_normal(&rng);
        for (int n = 1; n < nodes; n++) {
            double norm = 0;
            for (int k = 0; k < 3; k++)
                t[k] += 0.3 * plait_rng_normal(&rng), norm += t[k] * t[k];
            for (int k = 0; k < 3; k++)
                t[k] /= sqrt(norm), x[3 * n + k] = x[3 * n - 3 + k] + length * t[k];
        }
        int first = s->scenery.nodes;
        scene_chain(s, nodes, x, radius);
        for (int k = 0; k < 3 * nodes; k++)
            s->x1[3 * first + k] += move * plait_rng_normal(&rng);
    }
    free(x);
    return s;
}

// The contacts of a scene, with a new detector.
static inline plait_touches scene_detect(scene *s, const plait_touches *previous)
{
    plait_detector *d = plait_detector_new();
    plait_touches t = {0};
    plait_error error = {0};
    if (!CHECK_INT(plait_detect(d, &s->scenery, previous, &t, &error), PLAIT_OK))
        puts(error.text);
    plait_detector_free(d);
    return t;
}

#endif
