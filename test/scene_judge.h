// scene_judge.h: an independent judge of a run: after every step, does anything pass through anything?
//
// Fibres against fibres: crossing.h. Fibres against colliders: no node of a centreline may be inside; for meshes by the
// winding number, for the others by their equations. Shares no code with the detector.
#ifndef PLAIT_TEST_SCENE_JUDGE_H
#define PLAIT_TEST_SCENE_JUDGE_H

#include "crossing.h"
#include "plait/sim.h"

static inline void judge_to_shape(const double q[4], const double at[3], const double x[3], double y[3])
{
    // R^T (x - at), with R from the quaternion (x, y, z, w)
    double d[3] = {x[0] - at[0], x[1] - at[1], x[2] - at[2]}, R[9];
    double a = q[0], b = q[1], c = q[2], w = q[3];
    R[0] = 1 - 2 * (b * b + c * c), R[1] = 2 * (a * b - c * w), R[2] = 2 * (a * c + b * w);
    R[3] = 2 * (a * b + c * w), R[4] = 1 - 2 * (a * a + c * c), R[5] = 2 * (b * c - a * w);
    R[6] = 2 * (a * c - b * w), R[7] = 2 * (b * c + a * w), R[8] = 1 - 2 * (a * a + b * b);
    for (int k = 0; k < 3; k++)
        y[k] = R[k] * d[0] + R[3 + k] * d[1] + R[6 + k] * d[2];
}

// Sum of the solid angles of the triangles over 4 pi (Van Oosterom and Strackee): 1 inside, 0 outside.
static inline double judge_winding(const plait_shape *s, const double y[3])
{
    double sum = 0;
    for (int t = 0; t < s->triangles; t++) {
        double v[3][3], n[3];
        for (int i = 0; i < 3; i++) {
            for (int k = 0; k < 3; k++)
                v[i][k] = s->point[3 * s->triangle[3 * t + i] + k] - y[k];
            n[i] = sqrt(v[i][0] * v[i][0] + v[i][1] * v[i][1] + v[i][2] * v[i][2]);
        }
        double det = v[0][0] * (v[1][1] * v[2][2] - v[1][2] * v[2][1]) -
                     v[0][1] * (v[1][0] * v[2][2] - v[1][2] * v[2][0]) +
                     v[0][2] * (v[1][0] * v[2][1] - v[1][1] * v[2][0]);
        double dot[3];
        for (int i = 0; i < 3; i++) {
            const double *p = v[i], *q = v[(i + 1) % 3];
            dot[i] = p[0] * q[0] + p[1] * q[1] + p[2] * q[2];
        }
        sum += 2 * atan2(det, n[0] * n[1] * n[2] + dot[0] * n[2] + dot[1] * n[0] + dot[2] * n[1]);
    }
    return fabs(sum) / (4 * M_PI);
}

static inline bool judge_inside(const plait_shape *s, const double y[3])
{
    double across = hypot(y[0], y[1]), along = fabs(y[2]);
    switch (s->kind) {
    case PLAIT_SHAPE_PLANE:
        return y[2] < 0;
    case PLAIT_SHAPE_SPHERE:
        return hypot(across, y[2]) < s->size[0];
    case PLAIT_SHAPE_CAPSULE:
        return hypot(across, fmax(along - s->size[1], 0)) < s->size[0];
    case PLAIT_SHAPE_CYLINDER:
        return across < s->size[0] && along < s->size[1];
    case PLAIT_SHAPE_BOX:
        return fabs(y[0]) < s->size[0] && fabs(y[1]) < s->size[1] && along < s->size[2];
    case PLAIT_SHAPE_MESH:
        return s->closed && s->frames == 0 && judge_winding(s, y) > 0.5;
    default:
        return false;
    }
}

// Nodes inside colliders. The first node of a fibre that is held there does not count, nor the next to it.
static inline int judge_depth(const plait_sim *sim, const plait_scene *scene, const double *x)
{
    const int *first = plait_sim_first_node(sim);
    int inside = 0;
    for (int c = 0; c < scene->colliders; c++) {
        const plait_shape *s = &scene->collider[c].shape;
        double at[3], q[4], low[3], high[3];
        plait_sim_collider_pose(sim, c, at, q);
        for (int k = 0; k < 3 && s->kind == PLAIT_SHAPE_MESH; k++) {
            low[k] = INFINITY, high[k] = -INFINITY;
            for (int i = 0; i < s->points; i++)
                low[k] = fmin(low[k], s->point[3 * i + k]), high[k] = fmax(high[k], s->point[3 * i + k]);
        }
        for (int f = 0; f < scene->fibres; f++) {
            bool held = scene->fibre[f].end[0] != PLAIT_END_FREE;
            for (int n = first[f] + (held ? 2 : 0); n < first[f + 1]; n++) {
                double y[3];
                judge_to_shape(q, at, x + 3 * n, y);
                bool near = s->kind != PLAIT_SHAPE_MESH;
                near |= y[0] > low[0] && y[0] < high[0] && y[1] > low[1] && y[1] < high[1] && y[2] > low[2] &&
                        y[2] < high[2];
                inside += near && judge_inside(s, y);
            }
        }
    }
    return inside;
}

typedef struct judge_result {
    int crossings, inside, steps, rejected, over_tolerance, contacts_max;
    double residual, stretch, gap, contacts_mean;
    bool finished;
} judge_result;

// Runs a scene for `duration`, judged after every step. depth_every: nodes in colliders are looked for every so many steps.
static inline judge_result judge_run(plait_sim *sim, const plait_scene *scene, double duration, int depth_every)
{
    judge_result j = {.gap = INFINITY};
    plait_error error = {0};
    const int *first = plait_sim_first_node(sim);
    size_t size = 3 * (size_t)first[scene->fibres] + 1;
    double *x = malloc(2 * size * sizeof *x), *y = x + size, sum = 0;
    plait_sim_positions(sim, x);
    j.finished = true;
    while (plait_sim_time(sim) < duration) {
        plait_sim_report r;
        if (plait_sim_step(sim, duration, &r, &error) != PLAIT_OK || r.failed) {
            printf("%s: at %g s: %s %s\n", scene->name, plait_sim_time(sim), error.text, r.reason ? r.reason : "");
            j.finished = false;
            break;
        }
        plait_sim_positions(sim, y);
        j.crossings += crossing_count(scene->fibres, first, x, y);
        j.steps++, j.rejected += r.rejections, j.over_tolerance += !r.converged, sum += r.contacts;
        if (j.steps % depth_every == 0)
            j.inside += judge_depth(sim, scene, y);
        j.contacts_max = r.contacts > j.contacts_max ? r.contacts : j.contacts_max;
        j.residual = fmax(j.residual, r.certificate.residual_rel);
        j.stretch = fmax(j.stretch, r.max_stretch), j.gap = fmin(j.gap, r.smallest_gap);
        memcpy(x, y, size * sizeof *x);
    }
    j.contacts_mean = j.steps ? sum / j.steps : 0;
    free(x);
    return j;
}

#endif
