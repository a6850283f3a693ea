// carry_pose.c: where strands are in a frame.
//
// A guide has a frame at each node, carried along it without twist from the root, whose frame turns with the skin. From
// the drawn pose to that of the frame each node thus has a rigid motion, a bone. A point of a strand follows, at its
// distance from the root, the two nodes around that distance of each of its guides, by weights. The mean of motions
// makes curves a little shorter: pieces get their drawn length back, from the root on, and the root its place on the
// skin. Guides that have come apart are not averaged, for the middle between two locks is where no hair is: a guide
// loses its weight as it leaves the first one, which was the nearest as drawn.
#include <math.h>
#include <string.h>

#include "base/parallel.h"
#include "io/carry.h"
#include "math/vec3.h"

// ---- guides ------------------------------------------------------------------------------------------------------

// Frames along a guide: rows t, n, b at every node. t and n at the root are given as what the skin does to them.
static void transport(int nodes, const double *x, const double tangent[3], const double normal[3], double *frame)
{
    double u[3], n[3], t[3];
    plait_vec3_copy(tangent, u), plait_vec3_copy(normal, n);
    for (int k = 0; k < nodes; k++) {
        int before = k > 0 ? k - 1 : 0, after = k + 1 < nodes ? k + 1 : k;
        plait_vec3_sub(x + 3 * after, x + 3 * before, t);
        if (!(plait_vec3_normalise(t) > 0))
            plait_vec3_copy(u, t);
        plait_vec3_transport(u, t, n, n);
        if (!(plait_vec3_orthonormalise(t, n) > 0))
            plait_vec3_any_normal(t, n);
        double *f = frame + 9 * (size_t)k;
        plait_vec3_copy(t, f), plait_vec3_copy(n, f + 3), plait_vec3_cross(t, n, f + 6);
        plait_vec3_copy(t, u);
    }
}

// The directions of a guide's root: with the skin, or as they were drawn.
static void root_frame(const plait_carry *c, int fibre, const plait_trajectory_frame *frame, double t[3], double n[3])
{
    const plait_anchor *a = &c->guide_root[fibre];
    double x[3];
    if (c->carrier[fibre].kind == PLAIT_CARRIER_NONE) {
        plait_vec3_copy(a->tangent, t), plait_vec3_copy(a->director, n);
        return;
    }
    plait_shape_geometry g = plait_carry_geometry(c, c->carrier[fibre], frame);
    plait_anchor_at(a, &g, x, t, n);
}

void plait_carry_rest_frames(plait_carry *c)
{
    for (int f = 0; f < c->from->fibres; f++) {
        int a = c->from->first[f], nodes = c->from->first[f + 1] - a;
        double t[3], n[3];
        root_frame(c, f, c->rest, t, n);
        transport(nodes, c->rest->position + 3 * (size_t)a, t, n, c->rest_frame + 9 * (size_t)a);
    }
}

typedef struct pass {
    plait_carry *carry;
    const plait_trajectory_frame *frame;
    float *x;
} pass;

// Bones: x -> R x + d, R = now^T rest, with frames in rows. `bone` has the room of a frame and three numbers more: the
// frames come first, one after the other, and each is replaced from the last to the first.
static void pose_guides(int64_t begin, int64_t end, void *data)
{
    const pass *work = data;
    plait_carry *c = work->carry;
    for (int64_t f = begin; f < end; f++) {
        int a = c->from->first[f], nodes = c->from->first[f + 1] - a;
        const double *x = work->frame->position + 3 * (size_t)a, *x0 = c->rest->position + 3 * (size_t)a;
        double t[3], n[3], *frames = c->bone + 12 * (size_t)a, now[9];
        root_frame(c, (int)f, work->frame, t, n);
        transport(nodes, x, t, n, frames);
        for (int k = nodes - 1; k >= 0; k--) {
            const double *rest = c->rest_frame + 9 * (size_t)(a + k);
            double *bone = frames + 12 * (size_t)k;
            memcpy(now, frames + 9 * (size_t)k, sizeof now);
            for (int i = 0; i < 3; i++) {
                for (int j = 0; j < 3; j++)
                    bone[4 * i + j] = now[i] * rest[j] + now[3 + i] * rest[3 + j] + now[6 + i] * rest[6 + j];
                bone[4 * i + 3] = x[3 * k + i] - plait_vec3_dot(bone + 4 * i, x0 + 3 * (size_t)k);
            }
        }
    }
}

// ---- strands -----------------------------------------------------------------------------------------------------

// Adds the bones of a guide at the distance s from its root; *k is where the search begins, and goes on.
static void add_bones(const plait_carry *c, int fibre, double s, double w, int *k, double T[12])
{
    int a = c->from->first[fibre], last = c->from->first[fibre + 1] - a - 1;
    const double *arc = c->arc + a;
    while (*k < last - 1 && arc[*k + 1] < s)
        ++*k;
    double piece = last > 0 ? arc[*k + 1] - arc[*k] : 0;
    double f = piece > 0 ? fmin(1, fmax(0, (s - arc[*k]) / piece)) : 0;
    const double *p = c->bone + 12 * (size_t)(a + *k), *q = last > 0 ? p + 12 : p;
    for (int i = 0; i < 12; i++)
        T[i] += w * ((1 - f) * p[i] + f * q[i]);
}

static void apply(const double T[12], const double p[3], double x[3])
{
    for (int i = 0; i < 3; i++)
        x[i] = T[4 * i] * p[0] + T[4 * i + 1] * p[1] + T[4 * i + 2] * p[2] + T[4 * i + 3];
}

static double distance(const double a[3], const double b[3])
{
    double d[3];
    plait_vec3_sub(a, b, d);
    return plait_vec3_norm(d);
}

// Points get the distances that they were drawn with, from the root on.
static void keep_length(const double *x0, int points, float *x, const double root[3])
{
    double before[3] = {x[0], x[1], x[2]}, at[3];
    plait_vec3_copy(root, at);
    for (int i = 0; i < 3; i++)
        x[i] = (float)root[i];
    for (int j = 1; j < points; j++) {
        double e[3], d[3];
        plait_vec3_sub(x0 + 3 * (size_t)j, x0 + 3 * (size_t)j - 3, d);
        for (int i = 0; i < 3; i++)
            e[i] = x[3 * (size_t)j + (size_t)i] - before[i], before[i] = x[3 * (size_t)j + (size_t)i];
        double drawn = plait_vec3_norm(d), now = plait_vec3_norm(e);
        plait_vec3_axpy(now > 0 ? drawn / now : 0, e, at);
        for (int i = 0; i < 3; i++)
            x[3 * (size_t)j + (size_t)i] = (float)at[i];
    }
}

// Weights of guides in this frame. What counts is where each alone would put the strand: as far from the first one as a
// tenth of the way from the root may be, at half of it nothing of the weight is left.
static void agree(const plait_carry *c, int strand, double length, const float *drawn, double *weight)
{
    enum { LOOKS = 3 };
    int a = c->first[strand], points = c->first[strand + 1] - a, guides = c->strands.guides, j = 0;
    int at[PLAIT_CARRY_GUIDES] = {0};
    const int *guide = c->guide + (size_t)guides * (size_t)strand;
    const double *x0 = c->x0 + 3 * (size_t)a;
    double apart[PLAIT_CARRY_GUIDES] = {0}, s = 0, sum = 0;
    for (int look = 1; look <= LOOKS; look++) {
        double first[3] = {0};
        for (; j < points - 1 && s < length * look / LOOKS; j++)
            s += distance(x0 + 3 * (size_t)j, x0 + 3 * (size_t)j + 3);
        for (int g = 0; g < guides && guide[g] >= 0; g++) {
            double T[12] = {0}, x[3];
            add_bones(c, guide[g], s, 1, &at[g], T);
            apply(T, x0 + 3 * (size_t)j, x);
            if (g == 0)
                plait_vec3_copy(x, first);
            apart[g] += s > 0 ? distance(x, first) / (LOOKS * s) : 0;
        }
    }
    for (int g = 0; g < guides && guide[g] >= 0; g++) {
        double f = fmin(1, fmax(0, (0.5 - apart[g]) / 0.4));
        weight[g] = drawn[g] * f * f * (3 - 2 * f);
        sum += weight[g];
    }
    for (int g = 0; g < guides; g++)
        weight[g] /= sum;
}

static void pose_strand(const plait_carry *c, int strand, const plait_trajectory_frame *frame, float *x)
{
    int a = c->first[strand], points = c->first[strand + 1] - a, at[PLAIT_CARRY_GUIDES] = {0};
    int guides = c->strands.guides;
    const int *guide = c->guide + (size_t)guides * (size_t)strand;
    const double *x0 = c->x0 + 3 * (size_t)a;
    double s = 0, root[3], t[3], n[3], weight[PLAIT_CARRY_GUIDES] = {0};
    for (int j = 1; j < points; j++)
        s += distance(x0 + 3 * (size_t)j, x0 + 3 * (size_t)j - 3);
    agree(c, strand, s, c->weight + (size_t)guides * (size_t)strand, weight);
    s = 0;
    for (int j = 0; j < points; j++) {
        double T[12] = {0}, y[3];
        if (j > 0)
            s += distance(x0 + 3 * (size_t)j, x0 + 3 * (size_t)j - 3);
        for (int g = 0; g < guides && guide[g] >= 0; g++)
            add_bones(c, guide[g], s, weight[g], &at[g], T);
        apply(T, x0 + 3 * (size_t)j, y);
        for (int i = 0; i < 3; i++)
            x[3 * (size_t)j + (size_t)i] = (float)y[i];
    }
    plait_carrier carrier = c->carrier[guide[0]];
    for (int i = 0; i < 3; i++)
        root[i] = x[i];
    if (carrier.kind != PLAIT_CARRIER_NONE) {
        plait_shape_geometry geometry = plait_carry_geometry(c, carrier, frame);
        plait_anchor_at(&c->root[strand], &geometry, root, t, n);
    }
    keep_length(x0, points, x, root);
}

static void pose_strands(int64_t begin, int64_t end, void *data)
{
    const pass *work = data;
    const plait_carry *c = work->carry;
    for (int64_t i = begin; i < end; i++) {
        float *x = work->x + 3 * (size_t)c->first[i];
        if (!c->alone[c->group[i]]) {
            pose_strand(c, (int)i, work->frame, x);
            continue;
        }
        // a fibre as it is
        int fibre = c->guide[(size_t)c->strands.guides * (size_t)i];
        const double *from = work->frame->position + 3 * (size_t)c->from->first[fibre];
        for (int k = 0; k < 3 * (c->first[i + 1] - c->first[i]); k++)
            x[k] = (float)from[k];
    }
}

void plait_carry_pose(plait_carry *c, const plait_trajectory_frame *frame, float *x)
{
    pass all = {c, frame, x};
    plait_parallel_for(c->from->fibres, c->team, pose_guides, &all);
    plait_parallel_for(c->strands.strands, c->team, pose_strands, &all);
}
